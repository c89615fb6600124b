"""At a table: what those who write a record or watch it see of it."""
