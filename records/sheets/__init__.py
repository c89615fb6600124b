"""Score sheets: everything about one game that goes on paper."""
