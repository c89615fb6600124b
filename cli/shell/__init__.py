"""What the commands share: where output goes, how records are found, and how findings are printed."""
