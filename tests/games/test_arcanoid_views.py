"""What a seat may see of Arcanoid's table: no more than it has seen, and nothing of that lost."""

import re
from collections import Counter, defaultdict
from random import Random

import pytest
from msgspec.structs import replace

from cartulary.engine.arcanoid import State, view
from cartulary.engine.arcanoid.cards import NAMES, names_of
from cartulary.engine.arcanoid.moves import DAEMON, ROW
from cartulary.notation import Record, as_seen, examine, loads
from cartulary.notation.arcanoid.words import write
from cartulary.testing import tables
from tests.games.test_arcanoid_engine import told
from tests.hunts import looks
from tests.laws.worlds import CARD, Opened, arcanoid
from tests.referees.arcanoid import table as arcanoid_table

DEAL = "p0/p1*4S,5S,6S,T17,QC,T02 p0/p2*7C,7S,JW,T00,1D,KC p0/p3*8C,8S,9W,T05,2D,3D"
THREE = {"Seat1": "?", "Seat2": "?", "Seat3": "?", "Variant": "koblenz"}


def after(text: str, tags: dict[str, str] = THREE) -> State:
    """Return the state after a deal to three and these words."""
    return last(tags, *DEAL.split(), *text.split())


def last(tags: dict[str, str], *said_words: str) -> State:
    """Return the state after these words."""
    state: State = told(tags, said_words)[-1].after
    return state


def hand(state: State, owner: int, seat: int) -> str:
    """Return the cards of a hand that a seat knows, in their order."""
    return names_of(bytes(sorted(card for card in view(state, seat).sides[owner - 1].hand if card < len(NAMES))))


def seen_words(text: str, seat: int, tags: dict[str, str] = THREE) -> tuple[str, ...]:
    """Return the words of a record as a seat has seen it."""
    [record] = loads(tables.sheet("Arcanoid", tags, f"{DEAL} {text}"))
    return as_seen(record, seat).line.words[3:]


# --- what is looked at and shown ---


def test_what_the_high_priestess_shows_is_known_to_her_player_alone() -> None:
    state = after("T02>p2*~ 4S-*~")
    whole = hand(state, 2, 2)
    assert len(whole.split(",")) == 6
    assert hand(state, 2, 1) == whole
    assert hand(state, 2, 3) == hand(state, 2, 0) == ""
    assert hand(state, 3, 1) == ""


def test_a_card_put_away_unseen_leaves_the_rest_of_a_hand_that_was_looked_at_unknown() -> None:
    assert hand(after("T02>p2*~ 4S-*~ 7C-*~"), 2, 1) == ""
    assert hand(after("T02>p2*~ 4S-*~ 7S@s*~"), 2, 1) == names_of(
        bytes(sorted(map(NAMES.index, ["7C", "JW", "T00", "1D", "KC"])))
    )


def test_what_the_hierophant_is_shown_is_known_to_all() -> None:
    state = after("4S-*~ 7C-*~ T05=S^p1=5S,6S^p2=7S^p3=8S")
    for seat in (0, 1, 2, 3):
        if seat != 2:
            assert hand(state, 2, seat) == "7S"
        if seat != 3:
            assert hand(state, 3, seat) == "8S"
    assert hand(state, 1, 2) == "5S,6S"


def test_what_is_shown_is_known_to_all_though_the_record_does_not_tell_it() -> None:
    state = after("4S-*~ 7C-*~ T05=S")
    assert (hand(state, 2, 3), hand(state, 3, 2), hand(state, 1, 0)) == ("7S", "8S", "5S,6S")


def test_a_card_called_and_handed_over_is_known_to_all_until_its_hand_loses_one_unseen() -> None:
    state = after("T17>7C:p2")
    assert hand(state, 1, 2) == hand(state, 1, 3) == "7C"
    assert hand(after("T17>7C:p2 p0/p2*~ JW@w*~ 2D-*~ 4S-*~"), 1, 3) == ""
    assert hand(after("T17>7C:p2 p0/p2*~ JW@w*~ 2D-*~ 4S@s*~"), 1, 3) == "7C"


# --- what lies face down ---


def standing(state: State, owner: int, seat: int) -> str:
    """Return what a seat knows of what stands for another on swords, ``~`` for a card it cannot name."""
    there = view(state, seat).sides[owner - 1].fields[0]
    assert there is not None
    return names_of(bytes(card if card < len(NAMES) else 255 for card in there.cards))


def test_what_is_stolen_face_down_is_known_to_who_had_it_and_to_the_thief() -> None:
    state = after("4S,5S@~s p2/T00:s")
    assert [standing(state, 2, seat) for seat in (1, 2, 3, 0)] == ["4S,5S", "4S,5S", "~,~", "~,~"]


def test_who_looks_in_vain_at_what_lies_face_down_has_seen_it() -> None:
    tags = {**THREE, "Variant": "koblenz"}
    state = last(tags, "p0/p1*QS,KS,2C,3C,4C,5C", "p0/p2*T00,2D,3D,4D,5D,6D", "QS,KS@~s", "p2/T00:s-")
    assert [standing(state, 1, seat) for seat in (1, 2, 3)] == ["QS,KS", "QS,KS", "~,~"]


def test_what_the_tower_undid_is_not_turned_up() -> None:
    tags = {**THREE, "Variant": "koblenz"}
    deal = ("p0/p1*4S,5S,2C,3C,4C,5C", "p0/p2*T16,2D,3D,4D,5D,6D")
    state = last(tags, *deal, "4S,5S@~s", "T16:p1s")
    assert NAMES.index("4S") in state.pile
    assert all(card >= len(NAMES) for seat in range(4) for card in view(state, seat).pile)


# --- Strength and the USA ---


def test_strengths_hidden_card_is_seen_by_its_player_alone_and_the_visible_ones_by_all() -> None:
    strong = ("p0/p1*T11,5S,2C,3C,4C,5C", "p0/*6W,7W,8W,9W")
    hidden, visible = (last(THREE, *strong, word) for word in ("T11=1*6W,7W", "T11=2*6W,7W,8W"))
    assert hand(hidden, 1, 2) == hand(visible, 1, 2) == ""
    assert len(hand(hidden, 1, 1).split(",")) == 7
    assert names_of(view(visible, 2).sides[0].open) == "6W,7W"


def test_a_call_turns_up_the_hand_of_the_usa_and_its_discards_are_seen_from_then_on() -> None:
    tags = {"Seat1": "?", "Seat2": "?", "Seat3": "?", "Options": "gaza"}
    assert hand(after("T17>XD", tags), 3, 1) == names_of(
        bytes(sorted(map(NAMES.index, ["8C", "8S", "9W", "T05", "2D", "3D"])))
    )
    assert seen_words("4S-*~ 7C-*~ 8C-*1S", 1, tags)[-1] == "~-*~"
    assert seen_words("T17>XD*~ 7C-*~ 8C-*1S", 1, tags)[-1] == "8C-*~"


@pytest.mark.parametrize("gone", ["8C", "8S"])
def test_what_the_usa_puts_away_unseen_leaves_a_hand_that_was_looked_at_unknown(gone: str) -> None:
    tags = {"Seat1": "?", "Seat2": "?", "Seat3": "?", "Options": "gaza"}
    assert len(hand(after("T02>p3*~ 4S-*~ 7C-*~", tags), 3, 1).split(",")) == 6
    assert seen_words(f"T02>p3*~ 4S-*~ 7C-*~ {gone}-*1S", 1, tags)[-1] == "~-*~"
    assert hand(after(f"T02>p3*~ 4S-*~ 7C-*~ {gone}-*1S", tags), 3, 1) == ""
    assert len(hand(after(f"T02>p3*~ T17>XD*~ 7C-*~ {gone}-*1S", tags), 3, 1).split(",")) == 5


# --- worlds ---


def looked_at(opened: Opened, seat: int) -> set[str]:
    """Return the cards a seat has looked at though no word of its record names them."""
    game = arcanoid_table.Game(opened.tags, opened.words, (), "", "", Counter())
    referee, found = arcanoid_table.sit_down(game), set[str]()
    for word in opened.words:
        before = {name: list(one.hand) for name, one in referee.players.items()}
        down = referee.window and referee.players[referee.window[0]].stands[referee.window[1][0]]
        referee.say(word)
        if (target := re.search(r"T02>(p\d+)", word)) and referee.players[referee.mover].seat == seat:
            found.update(before[target[1]])
        if re.search(r"T1[789]>", word) and referee.usa:
            found.update(before[referee.usa])
        if word.startswith(f"p{seat}/T00:") and down and down.down:
            found.update(down.cards)
    return found


def renamed(rng: Random, opened: Opened, seat: int) -> tuple[str, ...]:
    """Return the words of a game with the cards a seat has never seen by other names."""
    [record] = loads(tables.sheet("Arcanoid", opened.tags, " ".join(opened.words)))
    known = {name for word in as_seen(record, seat).line.words for name in CARD.findall(word)} | looked_at(opened, seat)
    kinds: dict[str, list[str]] = defaultdict(list)
    for name in sorted({name for word in opened.words for name in CARD.findall(word)} - known):
        kinds[opened.kinds.get(name, "")].append(name)
    names: dict[str, str] = {}
    for pool in kinds.values():
        names |= dict(zip(pool, rng.sample(pool, len(pool)), strict=True))
    return tuple(CARD.sub(lambda found: names.get(found[0], found[0]), word) for word in opened.words)


@pytest.mark.hunt
def test_views_of_two_worlds_that_look_the_same_to_a_seat_are_equal_at_every_ply() -> None:
    rng, differing = Random("views of worlds"), 0
    for _ in range(looks(5)):
        opened = arcanoid(rng)
        length = rng.randint(1, len(opened.words))
        opened = Opened(opened.tags, opened.words[:length], opened.seats, opened.kinds)
        seat = rng.randint(1, opened.seats)
        other = renamed(rng, opened, seat)
        differing += other != opened.words
        for one, two in zip(told(opened.tags, opened.words), told(opened.tags, other), strict=True):
            assert view(one.after, seat) == view(two.after, seat), (opened.tags, opened.words, other, seat, one.ply)
    assert differing


# --- what nobody wrote ---


def undrawn(game: arcanoid_table.Game) -> tuple[str, ...]:
    """Return the words of an open game without the draws of seats and row, which the decks told tell as well.

    Draws with the Wheel's discard behind them stay, and those of daemons.
    """
    words = []
    for step in told(game.tags, game.words):
        move, due = step.move, step.state.dues[0].what if step.state.dues else ""
        if move.what == "table" and due not in ("deal", "deck") and (0 < move.who < DAEMON or move.who == ROW):
            continue
        if move.new_cards is not None and move.away is None and move.who < DAEMON:
            move = replace(move, new_cards=None)
        words.append(write(move, step.state))
    return tuple(words)


def faults(record: Record) -> tuple[int, list[tuple[int, str]]]:
    """Return how many plies a record has, and the errors in it."""
    report = examine(record).report
    return report.plies, [(found.ply, found.key) for found in report.findings if found.severity == "error"]


def check_undrawn(number: int) -> tuple[str, ...]:
    """Check that a random game is legal without its draws, and as each seat saw it; return its words."""
    variant = arcanoid_table.VARIANTS[number % 6]
    game = arcanoid_table.record(Random(f"undrawn {number}"), 2 + number % 5, variant=variant)
    words = undrawn(game)
    [record] = loads(tables.sheet("Arcanoid", game.tags, " ".join(words), game.result))
    assert faults(record) == (len(words), []), (game.tags, words)
    for seat in range(1, sum(name.startswith("Seat") for name in game.tags) + 1):
        assert faults(as_seen(record, seat)) == (len(words), []), (game.tags, words, seat)
    return words


def test_a_card_nobody_saw_come_may_leave_the_hand_or_strengths_visible_places() -> None:
    check_undrawn(148)


@pytest.mark.hunt
def test_a_game_whose_draws_nobody_wrote_is_legal_and_so_is_what_each_seat_saw_of_it() -> None:
    justice = 0
    for number in range(looks(18)):
        justice += "T08" in check_undrawn(number)
    assert justice
