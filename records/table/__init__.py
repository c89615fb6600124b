"""At a table: a record as whoever writes or watches it has it before them."""
