"""The legal games that lie nearest to a sheet, by the slips a scribe makes."""
