"""The log: events, their chain of digests, and the database they stand in."""
