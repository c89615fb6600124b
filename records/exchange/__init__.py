"""Records out of the house and in again: archives, redaction, signatures, databases for readers."""
