"""What tests of records begin with: a game on record, as it is played and as it is ruled on."""

import pytest

from cartulary.records import api
from cartulary.records.log.store import Store
from tests.records.page_game import PAGE


@pytest.fixture
def id(store: Store) -> str:
    """Give a live record with the first twenty plies of the page's first game."""
    api.open_game(store, api.NewRequest("cardmate", id="g", players=("Ada", "Bela")))
    api.play(store, "g", api.WordsRequest(PAGE[:20]))
    return "g"


@pytest.fixture
def irregular(store: Store, id: str) -> str:
    """Give the same record with one ply more, let stand, that breaks a rule."""
    api.play(store, id, api.WordsRequest(("XSa5",), stands=True))
    return id
