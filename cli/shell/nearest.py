"""The legal games nearest to a sheet, as lines and as fields."""

from collections.abc import Iterator, Sequence

import msgspec

from cartulary.cli.shell.console import put
from cartulary.cli.shell.findings import INDENT, count, wrapped
from cartulary.notation import Change, Nearest

SAID = {
    "gap": "nobody wrote it",
    "misread": "a character misread",
    "signs": "two characters swapped",
    "swapped": "written in each other's place",
}


def nearest_fields(path: str, index: int, found: Nearest, sheet: int = 0) -> dict[str, object]:
    """Return the fields of an answer. sheet: whose changes are given, where several were weighed together"""
    games = [{"words": game.words, "changes": msgspec.to_builtins(game.changes[sheet])} for game in found.games]
    return {
        "path": path,
        "index": index,
        "slips": found.slips,
        "answer": found.answer,
        "count": found.count,
        "games": games,
    }


def put_nearest(label: str, found: Nearest, most: int) -> None:
    """Write what lies nearest to a sheet and what it changes. most: the slips that were allowed"""
    for line in wrapped(f"{label}: {_headline(found, most)}"):
        put(line)
    for number, game in enumerate(found.games, 1):
        said = list(_changes(game.changes[0]))
        if found.answer == "several":
            said = [f"{number}. {'; '.join(said)}"]
        for text in said:
            for line in wrapped(f"{INDENT}{text}", INDENT * 2):
                put(line)
    if found.count > len(found.games):
        put(f"{INDENT}and {count(found.count - len(found.games), 'more game')}")


def _headline(found: Nearest, most: int) -> str:
    at = count(found.slips, "slip") if found.slips else "no slip"
    if found.answer == "legal":
        return "legal, nothing to restore"
    if found.answer == "one":
        return f"one, {at}{': a proposal, not a proof' if (found.slips or 0) > 1 else ''}"
    if found.answer == "several":
        parted = f"; they part at ply {found.fork}: {', '.join(found.forks)}"
        return f"several, {count(found.count, 'game')}, {at} each{parted}"
    if found.answer == "none":
        return f"none, no legal game lies within {count(most, 'slip')}"
    return f"budget, given up after {found.judged:,} words were judged"


def _changes(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        if change.was is None:
            yield f"before ply {change.ply}: {change.now}, left out"
        elif change.now is None:
            yield f"ply {change.ply}: {change.was}, written twice"
        else:
            plies = f"plies {change.ply} and {change.ply + 1}" if change.kind == "swapped" else f"ply {change.ply}"
            yield f"{plies}: {change.was}, now {change.now}, {SAID[change.kind]}"
