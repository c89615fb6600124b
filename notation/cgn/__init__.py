"""The notation itself: tokens, reading, writing, and the commands in comments."""
