"""A disk that is really full: nothing is stored by half, nothing acknowledged is lost, and with room all goes on."""

from collections.abc import Iterator

import pytest

from cartulary.records import api
from cartulary.records.faults import DiskFull
from cartulary.records.log.chain import origin
from cartulary.records.log.server import Server
from tests.records.disks import SmallDisk, append_until_full, small_disk
from tests.records.logs import LOGS, Place, filled, played


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    with small_disk(24) as disk:
        yield disk


@pytest.fixture(params=LOGS)
def place(request: pytest.FixtureRequest, disk: SmallDisk) -> Iterator[Place]:
    if request.param == "sqlite":
        yield disk.folder / "games.db"
        return
    request.getfixturevalue("address")  # where indexes are
    with request.getfixturevalue("own_server").database_in(disk.folder) as address:
        yield Server(address)


def test_on_a_full_disk_nothing_is_stored_by_half_and_with_room_all_goes_on(place: Place, disk: SmallDisk) -> None:
    with api.open_store(place, timeout=1) as log:
        head = filled(log, "g", 3)
        disk.fill(but=300_000)
        head, fault = append_until_full(log, "g", head)
        assert isinstance(fault, DiskFull)
        assert "There is no room left" in str(fault)
        assert "nothing was stored" in str(fault)
        assert log.head("g") == head
        assert len(log.stream("g")) == head.version == len(list(log.after(0)))
        assert isinstance(append_until_full(log, "h", origin("h"), 50_000)[1], DiskFull)
        disk.free()
        assert log.append("g", head, [played()]).version == head.version + 1
        assert [proof.fault for proof in api.verify_all(log)] == [""] * len(log.ids())
