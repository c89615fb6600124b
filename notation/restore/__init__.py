"""The legal games nearest to a sheet, counted by the slips a scribe makes."""
