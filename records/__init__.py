"""Live records: what happened at the table, kept as events that are never edited.

``api`` has one function for each thing that a person can ask. ``log`` stores the events and proves that nobody altered
them, ``state`` makes games of them, and ``commands`` writes them. This package knows the notation and the rules, and
nothing of terminals.
"""
