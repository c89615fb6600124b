"""The first game of the page, which many tests record and rule on, and what a sheet says of each dispute and ruling."""

from cartulary.notation import dumps, loads
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.state.docket import PlacedDispute, PlacedRuling
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.games import load
from tests.places import SAMPLES

GAMES = SAMPLES / "cardmate" / "games"
PAGE = loads((GAMES / "page-1.cgn").read_bytes())[0].line.words
IRREGULAR = 21
"""The ply that breaks a rule in the record that the fixture ``irregular`` gives."""


def words(store: Store, id: str) -> tuple[str, ...]:
    return load(store, id).words


def imported(store: Store, game: str) -> LiveGame:
    """Return the record that comes from the sheet of a game with its log, at another event, so that it is new."""
    text = dumps(api.export_cgn(store, game, log=True))
    [answer] = api.import_records(store, loads(text.replace("\n[Game ", '\n[Event "Again"]\n[Game ', 1)))
    assert answer.status == "new"
    return load(store, answer.id)


def dispute_on_sheet(dispute: PlacedDispute) -> tuple[object, ...]:
    """Return what a sheet says of a dispute."""
    return dispute.ply, dispute.by, dispute.claim, dispute.status, dispute.reason


def ruling_on_sheet(ruling: PlacedRuling) -> tuple[object, ...]:
    """Return what a sheet says of a ruling."""
    answer = (ruling.plies, ruling.arbiter, ruling.decision, ruling.words, ruling.penalties, ruling.result)
    return *answer, ruling.keys, ruling.reason, ruling.old if ruling.decision in ("void", "amended") else ()
