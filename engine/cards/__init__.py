"""What card games share: decks, tricks, how cards may lie in hidden hands, and what is known and said about them."""
