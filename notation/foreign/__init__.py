"""Other people's formats: how each is recognised by its content, read with CGN's own reader, and written."""
