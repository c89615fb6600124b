"""The desk in a browser: pages and JSON to read an archive by, one guard before them; nothing is decided here."""
