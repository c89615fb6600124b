"""What the commands share: where words go, how records are found, how what was found is printed."""
