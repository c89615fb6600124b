"""Arcanoid's words, tags and picture."""
