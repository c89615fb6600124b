"""The web application: pages, JSON and streams of events, with one guard before them; nothing is decided here."""
