"""The legal games nearest to a sheet, measured in the slips a scribe makes."""
