"""What a ruling or a correction would do, told before it is written; and which numbers of plies it moves."""

import pytest
from msgspec.json import decode

from cartulary.records import api
from cartulary.records.log.store import Store
from tests.records.archives import Run

JUDGE = ("--arbiter", "A. Person", "--dry-run")
KEPT = "Nothing was stored; this is what would change.\n"

DRY: tuple[tuple[tuple[str, ...], int, tuple[str, ...]], ...] = (
    (("ruling", "evening", "5", "--void", *JUDGE), 1, ("ply 5, 8Dh3, which is gone: void", "ply 6 would be 5\n")),
    (("ruling", "evening", "3", "4", "--void", *JUDGE), 1, ("plies 5–6 would be 3–4\n", "first conflict at ply 3")),
    (("ruling", "evening", "3", "--amend", "9Cb1 8Ca7 8Dj2", *JUDGE), 1, ("plies 4–6 would be 6–8\n",)),
    (("ruling", "evening", "2", "--stands", "--penalty", "p2=a point", *JUDGE), 0, ("stands, p2 a point\n",)),
    (("ruling", "evening", "0", "--result", "1-0", *JUDGE), 0, ("would be closed, 1-0, adjudication\n",)),
    (("amend", "evening", "5", "--remove", "--dry-run"), 1, ("8Dh3 removed\n", "ply 6 would be 5\n")),
    (("amend", "evening", "3", "9Cb1", "--insert", "--dry-run"), 1, ("plies 3–6 would be 4–7\n",)),
    (("amend", "evening", "6", "7Di8", "--dry-run"), 0, ("8Cc6 is now 7Di8\n",)),
)


@pytest.fixture
def evening(store: Store) -> Store:
    api.open_game(store, api.NewRequest("cardmate", id="evening"))
    api.play(store, "evening", api.WordsRequest(("4Ci3", "4Db6", "8Dj2", "8Ca7", "8Dh3", "8Cc6")))
    return store


@pytest.mark.parametrize(("words", "code", "told"), DRY, ids=[" ".join(row[0][:4]) for row in DRY])
def test_a_dry_run_tells_what_would_change_and_stores_nothing(
    run: Run, evening: Store, words: tuple[str, ...], code: int, told: tuple[str, ...]
) -> None:
    before = run("log", "evening").stdout, run("list").stdout
    result = run(*words, code=code)
    for text in told:
        assert text in result.stdout
    assert result.stderr == KEPT
    assert (run("log", "evening").stdout, run("list").stdout) == before


@pytest.mark.parametrize(("words", "code", "told"), DRY, ids=[" ".join(row[0][:4]) for row in DRY])
def test_what_a_dry_run_tells_is_what_is_done(
    run: Run, evening: Store, words: tuple[str, ...], code: int, told: tuple[str, ...]
) -> None:
    dry = run(*words, code=code).stdout
    done = run(*(word for word in words if word != "--dry-run"), code=code)
    assert done.stdout == dry.replace("would be closed", "closed").replace(" would be ", " are now ").replace(
        "ply 6 are now", "ply 6 is now"
    )
    assert done.stderr == ""


def test_a_refused_correction_is_refused_in_a_dry_run_too(run: Run, evening: Store) -> None:
    result = run("amend", "evening", "5", "8Dj9", "--dry-run", code=1)
    assert "8Dj9: refused" in result.stdout or "8D:j9: refused" in result.stdout
    assert "Nothing was stored. With --stands the move is kept and marked." in result.stderr
    kept = run("amend", "evening", "5", "8Dj9", "--stands", "--dry-run", code=1)
    assert "is now 8D" in kept.stdout
    assert kept.stderr == KEPT


def test_a_dry_run_may_be_done_for_good_under_the_same_command_id(run: Run, evening: Store) -> None:
    words = ("ruling", "evening", "5", "--void", "--arbiter", "A", "--command", "k1", "--json")
    dry, done = (decode(run(*words, *more, code=1).stdout) for more in (("--dry-run",), ()))
    assert (dry["stored"], done["stored"]) == (False, True)
    assert (dry["tail"]["dry"], done["tail"]["dry"]) == (True, False)
    assert dry["tail"] | {"dry": False} == done["tail"]
    assert dry["ruling"] | {"at": ""} == done["ruling"] | {"at": ""}


def test_a_card_that_passes_to_another_seat_is_told(run: Run, store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="t", tags={"Variant": "fft"}, seats=4))
    bids = ("Garde", "Pass", "Pass", "Pass", "~,~,~,~,~,~-")
    api.play(store, "t", api.WordsRequest((*bids, "JS", "KS", "3S", "QS", "5H", "9H", "T03", "KH")))
    words = ("ruling", "t", "12", "--void", "--arbiter", "Eva")
    assert "t: ply 12, KH, is now p4's instead of p1's" in run(*words, "--dry-run").stdout
    assert "t: ply 12, KH, is now p4's instead of p1's" in run(*words).stdout
    answer = api.amend(store, "t", api.AmendRequest(1, ("Garde",)))
    assert answer.seat_changes == ()


def test_of_a_long_game_a_dry_run_names_a_few_plies_and_counts_the_rest(run: Run, store: Store) -> None:
    api.open_game(store, api.NewRequest("Halma", id="long", seats=2, unjudged=True))
    api.play(store, "long", api.WordsRequest(tuple([f"w{number}" for number in range(300)])))
    output = run("ruling", "long", "5", "--void", *JUDGE).stdout
    assert "ply 5, w5, is now p1's instead of p2's\n" in output
    assert "287 more plies are now another seat's\n" in output
    assert len(output.splitlines()) < 16
    rest = run("ruling", "long", "5", "--void", "--rest", *JUDGE).stdout
    assert "plies 5–300, w4 w5 w6" in rest
    assert len(rest) < 250
