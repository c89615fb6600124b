"""The archive as a whole: what games are listed and found by, positions, numbers, games entered twice."""
