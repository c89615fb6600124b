"""What Zarcana's rows cannot say: whole games, hidden hands, views of two worlds, and words a board makes unclear."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from cartulary.engine import Breach, Refused, Sheet, Undecided
from cartulary.engine.slots import is_slot
from cartulary.engine.zarcana.cards import CODES, NAMES
from cartulary.engine.zarcana.moves import FIRST_NINE, ROW, place_name, steps_of
from cartulary.engine.zarcana.state import CODE, State
from cartulary.notation import NotationError, Step, format_result, steps
from cartulary.notation.arbiter.replay import write_word
from cartulary.notation.picture import plain
from cartulary.notation.roster import GAMES
from tests.hunts import looks
from tests.referees.zarcana.table import random_game

GAME = GAMES["zarcana"]
HIDDEN, WORDS = GAME.hidden, GAME.words
NINE = "p0/b*1C,2C,3C,4C,5C,6C,7C,8C,9C"
WIDTH = 80
_CARD = re.compile(r"(?<![A-Za-z'])(?:[1-9XJNQK][SWCD]|T[0-9]{2}|E[1-8])(?![a-z0-9])")


def begun(seats: int = 2, **options: str) -> State:
    """Return the state before the first word."""
    state = GAME.rules.setup(Sheet("standard", options, seats))
    assert isinstance(state, State)
    return state


def told(text: str, seats: int = 2, **options: str) -> list[Step]:
    """Return the steps of a movetext."""
    return list(steps(GAME, begun(seats, **options), tuple(text.split()), seats))


def played(text: str, seats: int = 2, **options: str) -> State:
    """Return the state after a movetext none of whose words is refused."""
    done = told(text, seats, **options)
    assert [step for step in done if step.error or isinstance(step.verdict, Refused)] == []
    assert isinstance(done[-1].after, State)
    return done[-1].after


def options_of(tags: dict[str, str]) -> dict[str, str]:
    """Return the options of a random game's tags."""
    return dict(option.split("=") for option in tags.get("Options", "").split())


def seats_of(tags: dict[str, str]) -> int:
    """Return the seats of a random game's tags."""
    return sum(name.startswith("Seat") for name in tags)


def random_steps(seed: str, *, table: bool = False) -> tuple[int, str, list[Step]]:
    """Return seats, result and steps of a random game, played by the second referee."""
    game = random_game(seed)
    seats = seats_of(game.tags)
    line = game.table if table else game.words
    return seats, game.result, list(steps(GAME, begun(seats, **options_of(game.tags)), line, seats))


def all_cards(state: State) -> Iterator[int]:
    """Yield every card or slot of a state."""
    yield from state.deck
    yield from state.pile
    for hand in state.hands:
        yield from hand
    for stack in state.cards.values():
        yield from (entry & CODE for entry in stack)


def said(word: str, state: State) -> Step:
    """Return the step of one word."""
    return next(steps(GAME, state, (word,), state.options.seats))


# --- whole games ---


@pytest.mark.hunt
@pytest.mark.parametrize("table", [False, True], ids=["every card on record", "what all could see"])
def test_random_games_are_legal_to_their_end_and_result(table: bool) -> None:
    for number in range(looks(12)):
        _, result, done = random_steps(f"engine {number}", table=table)
        assert [(step.word, step.text, step.verdict, step.breaches) for step in done if not step.plain] == []
        ended = GAME.rules.outcome(done[-1].after)
        assert ended is not None
        assert format_result(ended.shares) == result


@pytest.mark.hunt
def test_every_card_and_every_pyramid_is_accounted_for_at_every_ply() -> None:
    for number in range(looks(6)):
        for table in (False, True):
            seats, _, done = random_steps(f"accounts {number}", table=table)
            for step in done:
                check_accounts(step.after, seats)


def check_accounts(state: State, seats: int) -> None:
    """Check one state: cards, slots and their pools, stashes, and where minions stand."""
    cards = list(all_cards(state))
    known = [card for card in cards if not is_slot(card)]
    pools = b"".join(state.unseen.slots.pools)
    assert sorted([*known, *pools]) == sorted(state.options.every)
    assert len(cards) == len(state.options.every)
    for seat in range(1, seats + 1):
        for size in range(3):
            group = 3 * seat + size
            standing = sum(code // 5 == group for here in state.men.values() for code in here)
            assert standing + state.stash[group - 3] == 5
    for place in state.men:
        assert any(place + step in state.cards for step in (0, 1, -1, ROW, -ROW))


@pytest.mark.hunt
def test_a_record_whose_words_a_seat_may_see_reads_on_without_a_finding() -> None:
    for number in range(looks(4)):
        seats, _, done = random_steps(f"seen {number}")
        options = options_of(random_game(f"seen {number}").tags)
        for seat in range(1, seats + 1):
            line = tuple(seen_word(step, seat) for step in done)
            again = list(steps(GAME, begun(seats, **options), line, seats))
            assert [(step.word, step.text, step.verdict) for step in again if not step.plain] == []
            assert GAME.rules.outcome(again[-1].after) == GAME.rules.outcome(done[-1].after) or hides(again[-1].after)


def hides(state: State) -> bool:
    """Say whether a card on top of a space is not known."""
    return any(is_slot(stack[-1] & CODE) for stack in state.cards.values())


def seen_word(step: Step, seat: int) -> str:
    """Return a ply's word as a seat has seen it."""
    return write_word(GAME, HIDDEN.view_move(step.state, step.move, seat), step.state)


# --- what a seat may see ---


@pytest.mark.hunt
def test_two_worlds_that_look_the_same_to_a_seat_have_the_same_views_pictures_and_words() -> None:
    compared = 0
    for number in range(looks(12)):
        game = random_game(f"worlds {number}")
        seats, options = seats_of(game.tags), options_of(game.tags)
        random = Random(f"worlds {number}")
        done = list(steps(GAME, begun(seats, **options), game.words, seats))
        for seat in range(1, seats + 1):
            compared += compare_worlds(random, done, seat, begun(seats, **options), seats)
    assert compared > 100


def renamed(word: str, names: dict[str, str]) -> str:
    """Return a word with some cards named otherwise."""
    return _CARD.sub(lambda name: names.get(name[0], name[0]), word)


def compare_worlds(random: Random, done: list[Step], seat: int, start: State, seats: int) -> int:
    """Check some plies of a game against worlds in which the cards the seat has never seen lie otherwise."""
    seen, compared = set[int](), 0
    for at, step in enumerate(done):
        here = HIDDEN.view(step.after, seat)
        seen |= set(here.options.every).difference(*here.unseen.slots.pools)
        seen |= {CODES[name] for name in _CARD.findall(seen_word(step, seat))}
        hidden = [card for card in here.options.every if card not in seen]
        if len(hidden) < 2 or random.random() > 0.1:
            continue
        mixed = {
            NAMES[card]: NAMES[other] for card, other in zip(hidden, random.sample(hidden, len(hidden)), strict=True)
        }
        line = [renamed(one.word, mixed) for one in done[: at + 1]]
        other = list(steps(GAME, start, tuple(line), seats))
        assert all(one.applied for one in other)
        there = HIDDEN.view(other[-1].after, seat)
        assert (there, hash(there)) == (here, hash(here))
        assert HIDDEN.view(here, seat) == here
        assert plain(WORDS.picture(other[-1].after, seat)) == plain(WORDS.picture(step.after, seat))
        assert [seen_word(one, seat) for one in other] == [seen_word(one, seat) for one in done[: at + 1]]
        compared += 1
    return compared


def test_a_seat_knows_the_cards_it_gave_and_those_all_saw_taken() -> None:
    dealt = f"{NINE} p0/p1*T11,7D,8D p0/p2*9D,XD,T20"
    traded = played(f"{dealt} T11>p2")
    assert HIDDEN.view(traded, 2).hands[0] == traded.hands[0]
    assert NAMES.index("7D") in HIDDEN.view(traded, 1).hands[1]
    raised = played(f"{dealt} DiscardHand T20:7D,8D")
    assert {NAMES[card] for card in HIDDEN.view(raised, 1).hands[1] if not is_slot(card)} == {"7D", "8D"}


def test_a_third_seat_forgets_a_hand_of_which_cards_were_given_unseen() -> None:
    text = f"{NINE} p0/p1*T04,1S,2S p0/p2*3S,T20,1W p0/p3*5S,6S,7S S@o'u S@o'e DiscardHand"
    known = played(f"{text} Pass T20:7S", 3)
    assert NAMES.index("7S") in HIDDEN.view(known, 3).hands[1]
    given = played(f"{text} Pass T20:7S Pass T04>So:p2So p2/3S,7S>p1", 3)
    assert all(is_slot(card) for hand in HIDDEN.view(given, 3).hands[:2] for card in hand)
    assert NAMES.index("7S") in HIDDEN.view(given, 2).hands[0]


def test_nobody_sees_what_a_wheel_has_laid() -> None:
    text = f"{NINE} p0/p1*T10,1S,2S p0/*3S,4S S@o'e Pass T10>So@e1*3S"
    laid = told(text)[-1]
    for seat in (1, 2):
        assert seen_word(laid, seat) == "T10>So@e1*~"
        assert "3S" not in plain(WORDS.picture(laid.after, seat))
    assert "3S face down" in plain(WORDS.picture(laid.after, None))


# --- hidden hands ---


def findings(text: str, seats: int = 2, **options: str) -> list[tuple[int, str]]:
    """Return (ply, key) of every word of a movetext that is refused, and of every ply proved later."""
    found = []
    for step in told(text, seats, **options):
        assert step.error is None, step.error
        if isinstance(step.verdict, Refused):
            found.append((step.ply, step.verdict.clause.key))
        found += [(breach.plies[0], breach.key) for breach in step.breaches]
    return found


def test_a_card_that_was_drawn_by_another_is_not_in_the_hand_it_is_played_from() -> None:
    assert findings(f"{NINE} S@o'e *7W 7W>So>e1") == [(4, "zarcana.in-hand")]
    assert findings(f"{NINE} S@o'e *~ 7W>So>e1") == []


def test_a_card_is_played_once_until_the_discards_become_the_deck() -> None:
    text = f"{NINE} S@o'e S@n1'e 7W>So>e1 7W>Sn1>n1e1"
    assert findings(text) == [(5, "zarcana.in-hand")]


def test_hands_that_were_traded_hold_what_they_held() -> None:
    known = f"{NINE} p0/p1*7W,8W,T11 S@o'e Pass T11>p2 Pass"
    assert findings(f"{known} 7W>So>e1") == [(7, "zarcana.in-hand")]
    assert findings(f"{known} 9W>So>e1") == []
    assert findings(f"{known} Pass S@o'e Pass 7W>So>e1") == []


def test_more_cards_than_the_limit_are_counted_in_hands_nobody_saw() -> None:
    assert findings(f"{NINE} *~,~,~ Pass *~") == [(4, "zarcana.hand-limit")]
    assert findings(f"{NINE} *~,~ Pass T17 Pass *~") == [(6, "zarcana.hand-limit")]
    assert findings(f"{NINE} *~,~ Pass DiscardHand^1S,2S,3S,4S") == [(4, "zarcana.discard-hand")]


def test_a_card_that_comes_to_light_proves_what_the_unknown_card_was_used_for() -> None:
    used = f"{NINE} p0/p1*5W,5D,T12 S@o'e Pass 5D>So@e1*~ Pass 5W>So>e1 Pass >Se1=M Pass"
    asked = told(used)[8].verdict
    assert isinstance(asked, Undecided)
    assert [question.clause.key for question in asked.opens] == ["zarcana.use-territory"]
    assert HIDDEN.pending(told(used)[-1].after).open == ((9, "zarcana.use-territory"),)
    wrong = told(f"{used} T12>Me1:e1^9W")[-1]
    because = "9W has come to light, so this cannot have been legal"
    assert wrong.breaches == (Breach((9,), "zarcana.use-territory", because, 11),)
    right = told(f"{used} T12>Me1:e1^XC")[-1]
    assert (right.breaches, HIDDEN.pending(right.after).open) == ((), ())


def test_the_last_card_that_would_have_been_legal_proves_it_as_well() -> None:
    used = f"{NINE} p0/p1*5W,5D,1S S@o'e Pass 5D>So@e1*~ Pass 5W>So>e1 Pass >Se1=M Pass"
    growing = ["XC", "JC", "NC", "QC", "KC", "T03", "T08"]
    after = played(used)
    for card in growing[:-1]:
        after = drawn_elsewhere(after, card)
        assert after.unseen.breaches == ()
    after = drawn_elsewhere(after, growing[-1])
    assert [breach.plies for breach in after.unseen.breaches] == [(9,)]


def drawn_elsewhere(state: State, card: str) -> State:
    """Return the state after a draw of this card by the seat in turn, whose hand then is put away."""
    for word in (f"*{card}", "Pass", "DiscardHand", "Pass"):
        step = said(word, state)
        assert not isinstance(step.verdict, Refused)
        state = step.after
    return state


def test_where_unknown_cards_may_lie_is_told_pool_by_pool() -> None:
    told_of = {where: cards for cards, where in HIDDEN.whereabouts(played(f"{NINE} p0/p1*1S,2S,3S Pass"))}
    assert list(told_of) == ["with p2 or in the deck"]
    assert "1S" not in told_of["with p2 or in the deck"].split(",")


# --- words ---


def test_a_minion_that_may_be_two_is_an_error_at_its_own_column() -> None:
    # On o: two small minions of p1, one of which points north, and a medium one.
    state = replace(played(f"{NINE} Pass Pass"), men={0: bytes((15, 16, 20))})
    assert said("2C>Mo=L", state).error is None
    for word, column in (("2C>So=M", 4), (">So:So'n", 2), ("So=e", 1), ("Mo=n&So=e", 6)):
        error = said(word, state).error
        assert error is not None
        assert (error.key, error.column) == ("cgn.ambiguous", column)


@pytest.mark.parametrize(
    ("word", "column"),
    [
        ("5W>So>e0", 7),
        ("5W>So>p9", 7),
        ("5W>Xo>e1", 4),
        ("T01=Z>So:e1", 5),
        ("3C>So@S'x", 9),
        ("3C>So@S", 7),
        ("S@o", 3),
        ("So=q", 4),
        ("So=e&Xo=n", 6),
        ("2D>So@e1*5", 10),
        ("T00*5W>So>e1&*3Z", 15),
        ("DiscardHand^7", 13),
        ("p0/^e1=7C&n1", 12),
        ("p0/q*1C", 4),
        ("p7/Pass", 1),
        ("T15>So&So=z", 11),
        ("E9", 1),
        ("5W>Sn500>e1", 5),
        ("T00*9S>So:e1*NW", 13),
        ("T00*6W&=S", 8),
        ("2S,3S>", 6),
    ],
)
def test_an_error_names_the_part_of_a_long_word_that_is_wrong(word: str, column: int) -> None:
    state = played(f"{NINE} S@o'u Pass")
    with pytest.raises(NotationError) as caught:
        WORDS.read(word, 0, state)
    assert caught.value.column == column
    assert caught.value.key == "cgn.syntax"


@pytest.mark.parametrize(
    ("word", "canonical"),
    [
        ("p1/Pass", "Pass"),
        ("*8D7D", "*7D,8D"),
        ("5W>p1So>e1", "5W>So>e1"),
        ("5W>So'e>e1", "5W>So>e1"),
        ("KS=S>So:e1", "KS>So:e1"),
        ("KS=W>So>e1", "KS=W>So>e1"),
        ("T21=T01=W>So>e1", "T21=T01=W>So>e1"),
        ("T02>So*7D8D", "T02*7D,8D"),
        ("T00*5W>So'e>e1&*3D", "T00*5W>So>e1&*3D"),
        ("T15>So&p2Sn1=u&So=n", "T15>So&So=n&p2Sn1=u"),
        ("T20:T138D", "T20:8D,T13"),
    ],
)
def test_a_word_that_is_read_laxly_has_one_spelling(word: str, canonical: str) -> None:
    state = played(f"{NINE} S@o'e S@n1'n")
    assert said(word, state).text == canonical
    assert said(canonical, state).text == canonical


def test_places_have_names_both_ways() -> None:
    names = [place_name(place) for place in FIRST_NINE]
    assert names == ["n1w1", "n1", "n1e1", "w1", "o", "e1", "s1w1", "s1", "s1e1"]
    assert [steps_of(place) for place in (0, 5, -3, 2 * ROW - 4)] == [(0, 0), (5, 0), (-3, 0), (-4, 2)]


# --- the table drawn ---


@pytest.mark.hunt
def test_every_position_is_drawn_within_the_width_with_every_minion_on_it() -> None:
    for number in range(looks(4)):
        seats, _, done = random_steps(f"drawn {number}")
        for step in done[::7]:
            for seat in range(seats + 1):
                drawn = plain(WORDS.picture(step.after, seat))
                assert max(map(len, drawn.split("\n"))) <= WIDTH
                shown = re.findall(r"\b[1-5][SML][unesw]\b", drawn)
                assert len(shown) == sum(map(len, step.after.men.values()))


def test_a_board_wider_than_the_page_is_cut_into_panels() -> None:
    state = played(f"{NINE} Pass")
    wide = replace(state, cards={place: (place + 20,) for place in range(-6, 7)})
    drawn = plain(WORDS.picture(wide, None))
    assert max(map(len, drawn.split("\n"))) <= WIDTH
    assert [name for name in (place_name(place) for place in range(-6, 7)) if f"+{name}-" not in drawn] == []
