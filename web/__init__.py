"""The desk in a browser: pages and JSON for reading an archive, one guard before them; nothing is decided here."""
