"""A proxy with TLS in front: for whom it asks is believed of the one that is named, and of nobody else."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from cartulary.records import api
from cartulary.web.guard import OWN_HEADER, Guard
from cartulary.web.rates import Buckets
from tests.web.served import HOST, KEY, serving

PROXY = "192.0.2.7"
WRITES = {OWN_HEADER: "1"}


@pytest.fixture
def behind(store: api.Store) -> Iterator[TestClient]:
    """Serve the test's own database behind a proxy."""
    with serving(store.path, key=None, writes=True, proxy=PROXY) as client:
        yield client


def asking(client: TestClient, address: str = PROXY, **headers: str) -> TestClient:
    """Return another client, which asks from an address."""
    other = TestClient(
        client.app,
        f"http://{HOST}",
        client=(address, 1),
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        follow_redirects=False,
    )
    other.portal = client.portal
    return other


def joins(client: TestClient, phone: str, address: str = PROXY) -> int:
    other = asking(client, address, x_forwarded_for=phone)
    status: int = other.post("/join", json={"secret": "wrong"}, headers=WRITES).status_code
    return status


def few(client: TestClient, burst: int) -> None:
    assert isinstance(client.app, Guard)
    client.app.buckets["joins"] = Buckets(rate=1e-9, burst=burst)


def test_phones_behind_the_named_proxy_are_told_apart(behind: TestClient) -> None:
    few(behind, 2)
    assert [joins(behind, "10.0.0.1") for _ in range(3)] == [404, 404, 429]
    assert joins(behind, "10.0.0.2") == 404
    assert joins(behind, "10.0.0.2, 10.0.0.1") == 429  # whatever stands before what the proxy added
    assert joins(behind, "10.0.0.1:5678") == 429
    assert joins(behind, "2001:db8::1") == 404
    assert joins(behind, "10.0.0.3", f"::ffff:{PROXY}") == 404


def test_nobody_else_is_believed(behind: TestClient) -> None:
    few(behind, 2)
    assert [joins(behind, f"10.0.0.{n}", "198.51.100.1") for n in range(3)] == [404, 404, 429]
    answer = asking(behind, "198.51.100.1", x_forwarded_proto="https").get(f"/?key={KEY}")
    assert "secure" not in answer.headers["set-cookie"].lower()


def test_over_tls_the_cookies_are_sent_over_tls_only(behind: TestClient, store: api.Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="g"))
    secret = api.make_links(store, "g", api.LinksRequest(("p1",)))[0].secret
    phone = asking(behind, x_forwarded_for="10.0.0.1", x_forwarded_proto="https")
    cookies = [
        phone.get(f"/?key={KEY}").headers["set-cookie"],
        phone.post("/join", json={"secret": secret}, headers=WRITES).headers["set-cookie"],
    ]
    assert all("secure" in cookie.lower() for cookie in cookies)
    plain = asking(behind, x_forwarded_for="10.0.0.1", x_forwarded_proto="http").get(f"/?key={KEY}")
    assert "secure" not in plain.headers["set-cookie"].lower()


def test_redirects_name_no_server(behind: TestClient) -> None:
    phone = asking(behind, x_forwarded_for="10.0.0.1", x_forwarded_proto="https", x_cartulary_key=KEY)
    for path, to in ((f"/?key={KEY}", "/games"), ("/games/", "/games"), ("/games/?game=chess", "/games?game=chess")):
        assert phone.get(path).headers["location"] == to


def test_a_proxy_nobody_has_named_is_mentioned_once(
    server: TestClient, behind: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    few(server, 2)
    assert [joins(server, f"10.0.0.{n}") for n in range(3)] == [404, 404, 429]
    answer = capsys.readouterr().err
    assert answer.count("\n") == 1
    assert f"start with --proxy {PROXY}" in answer
    asking(behind).get("/games")
    assert f"The proxy at {PROXY} does not say for whom it asks" in capsys.readouterr().err
