"""How a game stands: the log folded into words, judged by the rules, with its disputes and rulings."""
