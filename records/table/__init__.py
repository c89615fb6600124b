"""At a table: a record as those who write it or watch it see it."""
