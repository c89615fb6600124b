"""The scribe: a game is typed while it is played, on a screen of its own or line by line."""
