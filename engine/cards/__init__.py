"""The nouns card games share: decks, how cards may lie in hidden hands, and what is known of hands as cards fall."""
