"""What one viewer has of a game leads nowhere back to the whole record, and what is printed is made of nothing else."""

import ast
from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.book import Agreement, Book
from cartulary.records.state.docket import PlacedDispute, PlacedRuling, TimeCorrection
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.seen_game import SeenGame
from cartulary.records.table.at_table import View
from tests.laws.test_rooms import parsed
from tests.places import ROOT

WHOLE = {LiveGame, Book, RecordedEvent, Log}
"""What knows more of a game than a viewer may."""
LATER = {each.__name__: each for each in (Agreement, PlacedDispute, TimeCorrection, PlacedRuling)}
"""What a few annotations name that is imported for the checker alone."""
PRINTED = ("records/sheets", "cli/shell", "cli/scribe", "cli/commands", "web/game.py")


def reached(kind: Any, seen: set[Any]) -> Iterator[type]:
    """Yield every class that a value of a type may hold, at any depth."""
    for part in get_args(kind) if get_origin(kind) is not None or get_args(kind) else ():
        yield from reached(part, seen)
    if not isinstance(kind, type) or kind in seen or get_origin(kind) is not None:
        return
    seen.add(kind)
    yield kind
    if issubclass(kind, msgspec.Struct):
        for hint in get_type_hints(kind, localns=LATER).values():
            yield from reached(hint, seen)


@pytest.mark.parametrize("kind", [SeenGame, View])
def test_what_a_viewer_has_holds_nothing_that_knows_the_whole_record(kind: type) -> None:
    held = {*reached(kind, set())}
    assert len(held) > 15
    assert held & WHOLE == set()


def test_a_way_back_is_found() -> None:
    class Leak(msgspec.Struct):
        lines: tuple[dict[str, LiveGame | None], ...] = ()

    assert LiveGame in {*reached(Leak, set())}


def test_what_is_printed_takes_no_live_game() -> None:
    paths = [path for name in PRINTED for path in sorted((ROOT / name).rglob("*.py")) or [ROOT / name]]
    assert len(paths) > 10
    taken = [
        f"{path.relative_to(ROOT).as_posix()}: {node.name}"
        for path in paths
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef)
        for each in node.args.args
        if each.annotation is not None and "LiveGame" in ast.unparse(each.annotation)
    ]
    assert taken == []
