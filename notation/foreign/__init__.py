"""Other people's formats: how each is known by its content, read on CGN's own reader, and written."""
