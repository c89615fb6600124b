"""Stepping through a game at a terminal, one ply at a time, into its variations and back."""
