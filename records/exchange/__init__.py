"""Records sent out and taken back in: archives, redaction, signatures, databases for readers."""
