"""The legal games nearest to a sheet, as lines and as fields."""

from collections.abc import Iterator, Sequence

from cartulary.cli.shell.console import put
from cartulary.cli.shell.findings import INDENT, count, wrapped
from cartulary.notation import Change, Nearest

SAID = {
    "gap": "nobody wrote it",
    "misread": "a character misread",
    "signs": "two characters swapped",
    "swapped": "written in each other's place",
}


def nearest_fields(path: str, index: int, found: Nearest) -> dict[str, object]:
    """Return the fields of what lies nearest to one sheet."""
    games = [{"words": game.words, "changes": game.changes[0]} for game in found.games]
    return {"path": path, "index": index, **_answer(found), "games": games}


def nearest_to_both(found: Nearest) -> dict[str, object]:
    """Return the fields of what lies nearest to two sheets together, the changes of each apart."""
    games = [{"words": game.words, "a": game.changes[0], "b": game.changes[1]} for game in found.games]
    return {**_answer(found), "games": games}


def _answer(found: Nearest) -> dict[str, object]:
    return {"slips": found.slips, "answer": found.answer, "count": found.count}


def put_nearest(label: str, found: Nearest, most: int, sheets: Sequence[str] = ("",)) -> None:
    """Write what lies nearest to sheets and what it changes.

    most: the slips that were allowed; sheets: what is put before the changes of each
    """
    for line in wrapped(f"{label}: {_headline(found, most)}"):
        put(line)
    for number, game in enumerate(found.games, 1):
        said = [f"{sheet}{text}" for sheet, each in zip(sheets, game.changes, strict=True) for text in _changes(each)]
        if found.answer == "several":
            said = [f"{number}. {'; '.join(said)}"]
        for text in said:
            for line in wrapped(f"{INDENT}{text}", INDENT * 2):
                put(line)
    if found.count > len(found.games):
        put(f"{INDENT}and {count(found.count - len(found.games), 'more game')}")


def _headline(found: Nearest, most: int) -> str:
    at = f"{count(found.slips, 'slip')} away" if found.slips else "without a slip"
    if found.answer == "legal":
        return "legal, nothing to restore"
    if found.answer == "one":
        return f"one game, {at}{': a proposal, not a proof' if (found.slips or 0) > 1 else ''}"
    if found.answer == "several":
        parted = f"; they first differ at ply {found.fork}: {', '.join(found.forks)}"
        return f"several, {count(found.count, 'game')}, each {at}{parted}"
    if found.answer == "none":
        return f"none, no legal game was found within {count(most, 'slip')}"
    return f"budget, given up after {found.judged:,} moves were tried; fewer gaps, or --slips 1, leave less to try"


def _changes(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        if change.was is None:
            yield f"before ply {change.ply}: {change.now}, left out"
        elif change.now is None:
            yield f"ply {change.ply}: {change.was}, written twice"
        else:
            plies = f"plies {change.ply} and {change.ply + 1}" if change.kind == "swapped" else f"ply {change.ply}"
            yield f"{plies}: {change.was}, now {change.now}, {SAID[change.kind]}"
