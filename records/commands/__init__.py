"""What can be done to a record: one file for each thing a person asks of the desk."""
