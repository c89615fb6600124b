"""The commands, each in a file with the name a user types; ``app`` imports the one typed."""
