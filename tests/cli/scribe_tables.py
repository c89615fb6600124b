"""Live records laid out for a scribe: the tags of a golden game, none or some of its words played."""

from pathlib import Path

from cartulary.cli.scribe.scribe import LineAnswer
from cartulary.notation import loads, read_heading
from cartulary.records import api
from cartulary.records.log.store import Store
from tests.places import SAMPLES

GOLDENS = sorted(path for path in SAMPLES.glob("*/games/*.cgn") if path.parts[-3] != "unjudged")
"""Where nobody judges, every command of the scribe is a word, and small letters are no capitals."""
ONE_OF_EACH = [
    SAMPLES / "arcanoid" / "games" / "table.cgn",
    SAMPLES / "cardmate" / "games" / "page-1.cgn",
    SAMPLES / "tarot" / "games" / "table-revoke.cgn",
    SAMPLES / "tarot-duel" / "games" / "three-open.cgn",
    SAMPLES / "zarcana" / "games" / "hidden.cgn",
]
OF_THE_SHEET = ("Game", "Result", "Termination", "Score", "Pot", "Edition")


def named(path: Path) -> str:
    """Return the name of a golden as a test shows it."""
    return f"{path.parent.parent.name}/{path.stem}"


def lay_out(store: Store, path: Path, id: str, plies: int = 0) -> tuple[str, ...]:
    """Open a record with a golden's tags, play so many of its words, and return all of them."""
    record = loads(path.read_bytes())[0]
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    seats = heading.game.about.seat_tags(heading.sheet.seats)
    tags = {name: value for name, value in record.tags if name not in (*OF_THE_SHEET, *seats)}
    key = heading.game.about.key
    api.open_game(
        store,
        api.NewRequest(key, id=id, tags=tags, players=tuple([record.tag(seat) for seat in seats]), seats=len(seats)),
    )
    if plies:
        api.play(store, id, api.WordsRequest(record.line.words[:plies], stands=True))
    return record.line.words


def stored(store: Store, id: str) -> tuple[str, ...]:
    """Return the words of a record as they stand."""
    return api.record_of(store, id).line.words


def told(said: LineAnswer) -> str:
    """Return everything an answer tells."""
    return "\n".join((*said.lines, said.remark))
