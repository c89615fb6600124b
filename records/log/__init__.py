"""The log: events, their chain of digests, and the database that holds them."""
