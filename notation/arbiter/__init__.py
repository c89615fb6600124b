"""What the rules say about a record: every ply of it in turn, the findings, the rulings, and what a seat has seen."""
