"""Live records: what happened at the table, kept as events that are never edited.

``desk`` has one function for each thing a person can ask; ``store`` keeps the events and proves that nobody altered
them; ``fold`` makes a game of them. This package knows the notation and the rules, and nothing of terminals.
"""
