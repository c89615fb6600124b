"""What can be done to a record: for each command a file with the name a user types, and what they share."""
