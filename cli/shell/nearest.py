"""The legal games nearest to a sheet, as lines and as fields."""

from collections.abc import Iterator, Sequence

from cartulary.cli.shell.console import put
from cartulary.cli.shell.findings import INDENT, count, wrap
from cartulary.notation import Change, Nearest

SLIP_NAMES = {
    "gap": "nobody wrote it",
    "misread": "a character misread",
    "signs": "two characters swapped",
    "swapped": "written in each other's place",
}


def nearest_fields(path: str, index: int, nearest: Nearest) -> dict[str, object]:
    """Return the legal games nearest to one sheet as JSON fields.

    Args:
        path: The file.
        index: Which of its games the sheet is, from 1.
        nearest: The answer.
    """
    games = [{"words": game.words, "changes": game.changes[0]} for game in nearest.games]
    return {"path": path, "index": index, **_answer(nearest), "games": games}


def nearest_to_both(nearest: Nearest) -> dict[str, object]:
    """Return the legal games nearest to two sheets as JSON fields; ``a`` and ``b`` are the changes of each sheet."""
    games = [{"words": game.words, "a": game.changes[0], "b": game.changes[1]} for game in nearest.games]
    return {**_answer(nearest), "games": games}


def _answer(nearest: Nearest) -> dict[str, object]:
    """Return the JSON fields that answers on one sheet and on two share.

    ``slips`` is how far the nearest games are away, ``answer`` one of ``legal``, ``one``, ``several``, ``none`` and
    ``budget``, and ``count`` how many there are.
    """
    return {"slips": nearest.slips, "answer": nearest.answer, "count": nearest.count}


def put_nearest(label: str, nearest: Nearest, most: int, sheets: Sequence[str] = ("",)) -> None:
    """Print the games nearest to one or two sheets, and what they change; several are numbered.

    Args:
        label: What the first line begins with.
        nearest: The games.
        most: How many slips were allowed.
        sheets: What precedes the changes of each sheet, such as ``A, ``; one for each sheet.
    """
    for line in wrap(f"{label}: {_headline(nearest, most)}"):
        put(line)
    for number, game in enumerate(nearest.games, 1):
        lines = [
            f"{sheet}{text}" for sheet, slips in zip(sheets, game.changes, strict=True) for text in _changes(slips)
        ]
        if nearest.answer == "several":
            lines = [f"{number}. {'; '.join(lines)}"]
        for text in lines:
            for line in wrap(f"{INDENT}{text}", INDENT * 2):
                put(line)
    if nearest.count > len(nearest.games):
        put(f"{INDENT}and {count(nearest.count - len(nearest.games), 'more game')}")


def _headline(nearest: Nearest, most: int) -> str:
    """Return the answer in one line: ``one game, 2 slips away: a proposal, not a proof``.

    A slip is one mistake of writing. ``most`` is the number of slips within which was searched.
    """
    at = f"{count(nearest.slips, 'slip')} away" if nearest.slips else "without a slip"
    if nearest.answer == "legal":
        return "legal, nothing to restore"
    if nearest.answer == "one":
        return f"one game, {at}{': a proposal, not a proof' if (nearest.slips or 0) > 1 else ''}"
    if nearest.answer == "several":
        parted = f"; they first differ at ply {nearest.fork}: {', '.join(nearest.forks)}"
        return f"several, {count(nearest.count, 'game')}, each {at}{parted}"
    if nearest.answer == "none":
        return f"none, no legal game was found within {count(most, 'slip')}"
    return (
        f"budget, given up after {nearest.words_judged:,} moves were tried; fewer gaps, or --slips 1, leave less to try"
    )


def _changes(changes: Sequence[Change]) -> Iterator[str]:
    """Yield each change to a sheet in words: ``ply 3: 4Cb3, now 4Db3, a character misread``."""
    for change in changes:
        if change.was is None:
            yield f"before ply {change.ply}: {change.now}, left out"
        elif change.now is None:
            yield f"ply {change.ply}: {change.was}, written twice"
        else:
            plies = f"plies {change.ply} and {change.ply + 1}" if change.kind == "swapped" else f"ply {change.ply}"
            yield f"{plies}: {change.was}, now {change.now}, {SLIP_NAMES[change.kind]}"
