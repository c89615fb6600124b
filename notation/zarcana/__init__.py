"""Zarcana's words and pictures: the options of a turn, powers with their names, users and effects, and the table's."""
