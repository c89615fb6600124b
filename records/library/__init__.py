"""All stored games together: what they are listed and found by, positions, numbers, games entered twice."""
