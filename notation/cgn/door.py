"""A door: how text that is no CGN comes to CGN's own reader."""

import re

from msgspec import Struct


def tag_line(name: str) -> re.Pattern[bytes]:
    """Return the pattern of a line on which this tag stands, by itself or behind others."""
    others = rb'(?m)^(?:\xef\xbb\xbf)?[ \t]*(?:\[[^"\n]+"(?:[^"\\\n]|\\.)*"[ \t]*\][ \t]*)*\[[ \t]*'
    return re.compile(others + name.encode() + rb"[ \t]")


class Door(Struct, frozen=True):
    """What a format tells CGN's reader.

    format: its name, kept with every record; empty for CGN
    begins: the tag that no game has twice: a tag section with it begins a game though none of its moves were written
    """

    format: str = ""
    begins: re.Pattern[bytes] = tag_line("Game")


OWN = Door()
"""The door of CGN itself."""
