"""The pool of open stores: what is closed with it, and when."""

from pathlib import Path

import pytest

from cartulary.records import api
from cartulary.web.stores import Stores


def _is_open(store: api.Log) -> bool:
    """Say whether a store can still be read."""
    try:
        store.last()
    except Exception:
        return False
    return True


@pytest.fixture
def stores(tmp_path: Path) -> Stores:
    return Stores(tmp_path / "games.db", create=True)


def test_an_idle_store_is_closed_with_the_pool(stores: Stores) -> None:
    with stores.checkout() as store:
        assert _is_open(store)
    assert _is_open(store)
    stores.close()
    assert not _is_open(store)


def test_a_store_that_is_checked_out_is_closed_when_its_block_ends(stores: Stores) -> None:
    with stores.checkout() as store:
        stores.close()
        assert _is_open(store)
    assert not _is_open(store)
    stores.close()
