"""What is typed at a table is read as it was meant, written out, and tells nobody a card; files stay as they are."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.cli.scribe.scribe import Scribe
from cartulary.engine.tarot.state import NAMES
from cartulary.notation import examine, find_game, loads, read_heading, steps
from cartulary.notation.arbiter.replay import CALLS, read_word
from cartulary.notation.arbiter.typed import read_typed
from cartulary.notation.viewer import viewer_of_seat
from cartulary.records import api
from cartulary.records.faults import Fault, Unread
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.games import load
from cartulary.testing import tables
from tests.cli import scribe_tables
from tests.cli.scribe_tables import GOLDENS, named, stored, told
from tests.hunts import looks
from tests.laws.worlds import GAMES, otherwise
from tests.places import SAMPLES
from tests.records.archives import Run

PAGE = SAMPLES / "cardmate" / "games" / "page-1.cgn"
REVOKE = SAMPLES / "tarot" / "games" / "table-revoke.cgn"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as opened:
        yield opened


@pytest.mark.parametrize("path", GOLDENS, ids=named)
def test_every_word_of_every_game_is_heard_as_it_stands_and_in_small_letters(path: Path) -> None:
    record = loads(path.read_bytes())[0]
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    game, seats = heading.game, heading.sheet.seats
    for step in steps(game, game.rules.setup(heading.sheet), record.line.words, seats):
        assert read_typed(game, step.state, step.calls, seats, step.word).words == (step.word,)
        if game.about.key == "chess" and step.word.startswith("B"):
            continue  # A small b is a file.
        [heard] = read_typed(game, step.state, step.calls, seats, step.word.lower()).words
        if step.word in CALLS:
            assert heard == step.word
        else:
            assert read_word(game, step.state, heard, seats) == read_word(game, step.state, step.word, seats)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("4db6", ("4Db6",)),
        ("4Db6 8dj2", ("4Db6", "8Dj2")),
        ("1... 4db6", ("4Db6",)),
        ("p2/4db6", ("4Db6",)),
        ("resign", ("Resign",)),
        ("p1/draw agree", ("p1/Draw", "Agree")),
        ("4Db6 8dj7", ("4Db6", "8Dj7")),
    ],
)
def test_small_letters_are_read_at_the_table(store: Store, typed: str, words: tuple[str, ...]) -> None:
    scribe_tables.lay_out(store, PAGE, "g", 1)
    assert api.typed_words(load(store, "g"), typed).words == words


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("JS K 3 Q", ("JS", "KS", "3S", "QS")),
        ("4. js k t03 q", ("JS", "KS", "T03", "QS")),
        ("3 JS 10 n", ("JS", "XS", "NS")),
        ("T12 7 10 21", ("T12", "T07", "T10", "T21")),
        ("T00 5C 6", ("T00", "5C", "6C")),
        ("JS KS QS 1S 5C 6", ("JS", "KS", "QS", "1S", "5C", "6C")),
    ],
)
def test_a_rank_alone_is_of_the_suit_led(store: Store, typed: str, words: tuple[str, ...]) -> None:
    scribe_tables.lay_out(store, REVOKE, "deal", 14)
    assert api.typed_words(load(store, "deal"), typed).words == words


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("T", r"^found T, expected a card"),
        ("T99", r"^found T99, expected a card"),
        ("cd", r"^found cd, which may be ND or QC"),
        ("p3/DC", r"^found p3/DC, which may be p3/QC or p3/ND"),
        ("T12 k", "k is not a rank of the suit led"),
        ("JS 12", "12 is not a rank of the suit led"),
        ("K", "expected a card"),
        ("Resing", r"did you mean Resign\?"),
        ("10Z", r"^found 10Z"),
    ],
)
def test_what_cannot_be_read_says_what_may_be_meant(store: Store, typed: str, says: str) -> None:
    scribe_tables.lay_out(store, REVOKE, "deal", 14)
    with pytest.raises(Unread, match=says):
        api.typed_words(load(store, "deal"), typed)


@pytest.mark.parametrize(
    ("game", "typed", "words"),
    [
        ("chess", "1 e4, c5", ("e4", "c5")),
        ("chess", "e4;c5 ;", ("e4", "c5")),
        ("chess", "e4,e5,Nf3", ("e4", "e5", "Nf3")),
        ("chess", "e4 d5 e×d5", ("e4", "d5", "exd5")),
        ("chess", "e4 e5 Nf3 Nf6 Bc4 Bc5 O–O, 0–0", ("e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "O-O", "O-O")),
        ("draughts", "11–15 22-18 15×22", ("11-15", "22-18", "15x22")),
        ("cardmate", "♣4i3", ("4Ci3",)),
        ("cardmate", "4c-i3, 4d×b6", ("4Ci3", "4Db6")),
        ("tarot-duel", "p0/p1*10s,t9,t22", ("p0/p1*XS,T09,T22",)),
        ("zarcana", "p0/p1*10c,t1,7w", ("p0/p1*7W,XC,T01",)),
        ("hearts", "jd 10h ♠Q; 2c 3c 4c", ("JD,XH,QS>p2", "2C,3C,4C>p3")),
        ("spades", "bid3 nil bid=4, Bid=2 10s", ("Bid=3", "Bid=Nil", "Bid=4", "Bid=2", "XS")),
        ("arcanoid", "p0/p1*10c,t1,7w,T9,10s,1d", ("p0/p1*XC,T01,7W,T09,XS,1D",)),
    ],
)
def test_other_spellings_are_read_at_the_table(store: Store, game: str, typed: str, words: tuple[str, ...]) -> None:
    api.open_game(store, api.NewRequest(game, id="g", seats=4 if game in ("hearts", "spades") else 2))
    assert api.typed_words(load(store, "g"), typed).words == words


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("10S", ("XS",)),
        ("10s, k, s6; ♠8", ("XS", "KS", "6S", "8S")),
        ("JS, K", ("JS", "KS")),
        ("t1 9t T11 t21", ("T01", "T09", "T11", "T21")),
        ("♥10 ♡V h8", ("XH", "JH", "8H")),
        ("excuse petit", ("T00", "T01")),
        ("p3/10d", ("p3/XD",)),
        ("T12 10S", ("T12", "XS")),
        ("AS VS", ("1S", "JS")),
    ],
)
def test_a_card_is_read_as_players_type_it(store: Store, typed: str, words: tuple[str, ...]) -> None:
    scribe_tables.lay_out(store, REVOKE, "deal", 14)
    assert api.typed_words(load(store, "deal"), typed).words == words


def test_what_people_call_a_card_is_read_as_that_card() -> None:
    words = find_game("tarot").words
    called = {name: words.common_name(name) for name in NAMES}
    assert (called["XH"], called["1S"], called["T09"], called["T00"]) == ("♥10", "♠1", "trump 9", "the fool")
    assert all(words.spellings(says) == (name,) for name, says in called.items() if says[0] in "♣♦♥♠")
    assert not any(map(words.common_name, ("Garde", "XS-", "^XS", "Call=KH", "~")))


CHIEN = "p0/^JD,T21,4D,XH,3C,2H"
AWAY = "1C,2C,4C,5C,6C,XH-"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("JD T21 4D 10h 3C 2H", (CHIEN,)),
        ("jd,t21,4d ♥10;3c 2h", (CHIEN,)),
        ("^JD,T21,4D,XH,3C,2H", (CHIEN,)),
        ("p0/^jd t21 4d 10h 3c 2h", (CHIEN,)),
        ("JD T21 4D XH 3C 2H 1c 2c 4c 5c 10h 6c", (CHIEN, AWAY)),
        ("JD T21 4D XH 3C 2H 1c,2c,4c,5c,6c,10h- t1", (CHIEN, AWAY, "T01")),
    ],
)
def test_the_cards_of_a_chien_and_those_put_away_are_typed_one_by_one(
    store: Store, typed: str, words: tuple[str, ...]
) -> None:
    api.open_game(store, api.NewRequest("tarot", id="g", variant="fft", seats=4))
    api.play(store, "g", api.WordsRequest("passe garde pass pass"))
    assert api.typed_words(load(store, "g"), typed).words == words
    api.play(store, "g", api.WordsRequest(typed))
    assert stored(store, "g")[4:] == words


def test_too_few_cards_are_no_chien(store: Store) -> None:
    api.open_game(store, api.NewRequest("tarot", id="g", variant="fft", seats=4))
    api.play(store, "g", api.WordsRequest("pass garde pass pass"))
    assert api.typed_words(load(store, "g"), "JD T21 4D XH 3C").words == ("JD", "T21", "4D", "XH", "3C")
    assert not api.play(store, "g", api.WordsRequest("JD T21 4D XH 3C"))[-1].stored


def test_a_comment_after_a_semicolon_is_still_told_where_it_goes(store: Store) -> None:
    api.open_game(store, api.NewRequest("chess", id="g"))
    with pytest.raises(Fault, match="are written with `note`"):
        api.typed_words(load(store, "g"), "e4 ; the best")


def test_a_correction_is_typed_as_a_move_is(store: Store) -> None:
    scribe_tables.lay_out(store, REVOKE, "deal", 17)
    assert api.amend(store, "deal", api.AmendRequest(17, "10s", stands=True)).words == ("XS",)
    assert api.amend(store, "deal", api.AmendRequest(16, "k t3", stands=True)).words == ("KS", "T03")
    with pytest.raises(Unread, match="which may be ND or QC"):
        api.amend(store, "deal", api.AmendRequest(17, "cd"))
    api.open_game(store, api.NewRequest("chess", id="g"))
    api.play(store, "g", api.WordsRequest("e4 e5 Nf3 Nf6 Bc4 Bc5 d3"))
    assert api.amend(store, "g", api.AmendRequest(7, "0-0")).words == ("O-O",)
    api.play(store, "g", api.WordsRequest("0-0"))
    assert stored(store, "g")[6:] == ("O-O", "O-O")


def test_castling_is_a_word_where_nobody_judges_too(store: Store) -> None:
    api.open_game(store, api.NewRequest("Schach", id="g", unjudged=True))
    api.play(store, "g", api.WordsRequest("e4 e5 0-0"))
    assert stored(store, "g") == ("e4", "e5", "0-0")


@pytest.mark.parametrize("word", ["t9", "10S", "♥10", "O–O", "15×22"])
def test_a_file_is_read_as_it_is_written(word: str) -> None:
    for game in ("Tarot", "Cardmate", "Draughts"):
        assert examine(loads(f'[Game "{game}"]\n\n1. {word} *\n')[0]).report.verdict == "unreadable"


def test_a_move_that_is_the_example_of_the_notation_too_is_asked_back(store: Store) -> None:
    api.open_game(store, api.NewRequest("draughts", id="g"))
    for typed, says in (
        ("11-l5", r"^did you mean 11-15\? Found 11-l5, .*as in 11-15$"),
        ("9-l3", r"^did you mean 9-13\? Found"),
    ):
        with pytest.raises(Unread, match=says):
            api.typed_words(load(store, "g"), typed)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("8h", r"^did you mean 8H\? Found the end of 8H, expected a square from a0"),
        ("4d", r"^did you mean 4Db6\? Found 4d, expected a card"),
        ("p2/8h", r"^did you mean p2/8H\? Found the end of p2/8H"),
        ("zh", r"^found zh, expected a card"),
        ("8H", r"^found the end of 8H, expected"),
    ],
)
def test_the_beginning_of_a_word_in_small_letters_is_asked_back_in_capitals(
    store: Store, typed: str, says: str
) -> None:
    scribe_tables.lay_out(store, PAGE, "g", 1)
    with pytest.raises(Unread, match=says):
        api.typed_words(load(store, "g"), typed)


SMALL = """% CGN 1.0
[Game "Cardmate"]

1. 4Ci3 ({}) 4db6 *
"""


def test_a_file_and_a_correction_ask_what_was_meant_where_capitals_are_missing(run: Run, store: Store) -> None:
    sheet = store.path.with_name("small.cgn")
    sheet.write_text(SMALL.format("4ch3"))
    judged = run("validate", str(sheet), code=1).stdout
    asked = "did you mean 4Db6? Found 4db6, expected a card such as 8H"
    assert f"error cgn.syntax {asked}" in judged
    assert "remark cgn.syntax in a variation: did you mean 4Ch3? Found 4ch3" in judged
    assert f"unreadable: {asked}" in run("why", str(sheet), "2").stdout
    scribe_tables.lay_out(store, PAGE, "g", 2)
    with pytest.raises(Unread, match=r"^did you mean 4Db6\?"):
        api.amend(store, "g", api.AmendRequest(2, ("4db6",)))
    with pytest.raises(Unread, match=r"^did you mean 4Db5\?"):
        api.annotate(store, "g", api.NoteRequest(2, variations="(4db5)"))
    with pytest.raises(Unread, match=r"^did you mean 8Dj2\?"):
        api.play(store, "g", api.WordsRequest(("8dj2",)))


def test_what_was_meant_is_written_out_by_both_doors(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTULARY_DB", str(store.path))
    words = scribe_tables.lay_out(store, REVOKE, "deal", 14)
    scribe = Scribe(store, "deal")
    assert scribe.verdict("JS K")[0] == "2 words, legal, will be written as JS KS"
    assert "JS KS" in told(scribe.enter("JS K 3 Q"))
    assert stored(store, "deal") == (*words[:14], "JS", "KS", "3S", "QS")
    scribe.enter("undo 4")
    for _ in range(2):
        command = ("move", "deal", "js", "k", "3", "--command", "k")
        result = CliRunner().invoke(build(), command)
        assert "ply 17, 3S: " in result.stdout, result.stderr
        assert "cgn.mark" not in result.stdout
    assert stored(store, "deal") == (*words[:14], "JS", "KS", "3S")


@pytest.mark.parametrize(
    ("game", "typed", "says"),
    [
        (
            "tarot",
            "p0/p1*1C KC 3C",
            "p1 is dealt a packet of 1, expected 3; join the cards of one packet with commas",
        ),
        ("zarcana", "p0/p1*1C KC 3C", "p1's first hand has 3 cards, not 1; join the cards of one hand with commas"),
        ("zarcana", "p0/p1*1C,KC", "p1's first hand has 3 cards, not 2\n"),
        (
            "arcanoid",
            "p0/p1*1C KC 3C",
            "p1's hand has 6 cards, but the word gives 1; join the cards of one hand with",
        ),
        (
            "tarot-duel",
            "p0/p1*1C",
            "p1's opening hand has 5 cards, but the word gives 1; join the cards of one hand",
        ),
    ],
)
def test_a_hand_typed_with_blanks_is_told_what_joins_its_cards(run: Run, game: str, typed: str, says: str) -> None:
    run("new", game, "--id", "g", "--seats", "2" if game != "tarot" else "4")
    assert says in run("move", "g", typed, code=1).stdout


def test_a_hand_is_told_how_many_cards_it_has(run: Run) -> None:
    run("new", "tarot", "--id", "g", "--seats", "4")
    run("move", "g", "p0/p1*" + ",".join(NAMES[:18]))
    output = run("move", "g", "p0/p2*" + NAMES[18], code=1).stdout
    assert "p2 is dealt 1 card, expected 18; join the cards of one hand with commas\n" in output
    output = run("move", "g", "p0/c*" + NAMES[18], code=1).stdout
    assert "The chien is dealt 1 card, expected 6; join the cards of one chien with commas\n" in output


def test_files_are_read_as_the_notation_says() -> None:
    assert examine(loads('[Game "Cardmate"]\n\n1. 4ci3 *\n')[0]).report.verdict == "unreadable"


LINES = ("T1", "k", "7", "1D 2 3", "zz", "T0", "*K", "Enb", "7S@", "mo>e1", "@s@", "Resing", "5C-*", "10C", "p1/10D")


def answer(game: LiveGame, line: str, seat: int) -> str:
    """Return what a seat is answered, whether words or a sentence."""
    try:
        return " ".join(api.typed_words(game, line, viewer_of_seat(seat)).words)
    except Fault as fault:
        return str(fault).replace(game.id, "")


@pytest.mark.hunt
@pytest.mark.parametrize("key", [key for key in GAMES if key != "cardmate"])
def test_what_is_offered_tells_a_seat_of_no_card_it_has_not_seen(store: Store, key: str) -> None:
    title, play = GAMES[key]
    rng = Random(f"offered in {key}")
    differing = offers = 0
    for number in range(looks(12)):
        opened = play(rng)
        seat, length = rng.randint(1, opened.seats), rng.randint(1, len(opened.words))
        one = opened.words[:length]
        two = otherwise(title, opened, one, seat, rng)
        answers: list[list[str]] = []
        for world, words in enumerate((one, two)):
            [record] = loads(tables.sheet(title, opened.tags, " ".join(words)))
            [taken] = api.import_records(store, [record], path=f"{number}-{world}")
            game = load(store, taken.id)
            answers.append([answer(game, line, seat) for line in LINES])
        assert answers[0] == answers[-1]
        differing += one != two
        offers += "did you mean" in str(answers)
    assert differing
    assert offers
