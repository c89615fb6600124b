"""Every bundled game, found as others' games are, is held to the laws of ``cartulary.testing``."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from cartulary.engine import arcanoid, tarot_duel, zarcana
from cartulary.engine.arcanoid.cards import PRIESTESS
from cartulary.engine.arcanoid.cards import name_of as arcanoid_name
from cartulary.engine.arcanoid.state import side_of
from cartulary.engine.arcanoid.trumps import CALLERS
from cartulary.engine.calls import CALL_CLAUSES
from cartulary.engine.slots import is_slot
from cartulary.engine.tarot.knowledge import takes_chien
from cartulary.engine.zarcana.cards import name_of as zarcana_name
from cartulary.engine.zarcana.moves import Flip, Play, Toward, Use
from cartulary.engine.zarcana.state import knows
from cartulary.notation import Step
from cartulary.notation.cardmate import format_layout
from cartulary.notation.roster import BUNDLED_GAMES, GAMES
from cartulary.testing import Laws, tables
from cartulary.testing.game import Sheet
from tests.laws.worlds import GAMES as REFEREES
from tests.places import SAMPLES
from tests.referees.tricks.play import played

SHOWS = "test_the_record_a_seat_has_seen_shows_no_more_than_the_seat_sees"
ORDERS = "test_two_orders_of_the_same_moves_lead_to_one_key"


def trades(play: Play) -> Iterator[int]:
    """Yield the seats with which a play trades hands, those of cards the Fool turns up too."""
    for part in play.parts:
        if isinstance(part, Toward):
            yield part.seat
        elif isinstance(part, Flip):
            yield from trades(part.play)


class Refereed(Laws):
    """A game played by the referee of the tests, which shares nothing with the rules."""

    def random_game(self, random: Random) -> Sheet:
        opened = REFEREES[self.key][1](random)
        return opened.tags, opened.words


class TestArcanoid(Refereed):
    key, samples = "arcanoid", SAMPLES / "arcanoid"
    reveals: ClassVar = {"Move": "Cards lie open before a seat or in the row, and are committed and taken from there."}
    exempt: ClassVar = {
        ORDERS: "Commitments count in the order in which they were made, and open cards lie in theirs.",
        SHOWS: "Open cards that are committed face down lie face down in a view, though everybody may remember them.",
    }
    order = ("turn", "refill-vote", "wheel")

    def has_due_word(self, state: Any) -> bool:
        return bool(state.dues) and state.dues[0].what in ("vote", "away")

    def unnamed_cards(self, step: Step, seat: int) -> frozenset[str]:
        """Return what no word of the notation names: the hand the High Priestess shows her player, the commitment a
        Fool finds face down, and the hand of the USA, which a call turns up for all.
        """
        move, state = step.move, arcanoid.settle(step.state)
        cards = b""
        if not isinstance(move, arcanoid.Move):
            return frozenset()
        if move.what == "use" and move.count in CALLERS and state.options.usa:
            cards = side_of(state, state.options.usa).hand
        elif move.seat == seat and move.what == "use" and move.count == 2:
            cards = side_of(state, move.target).hand
        elif move.seat == seat and move.what == "fool" and step.state.dues:
            due = step.state.dues[0]
            there = side_of(step.state, due.who).fields[due.field] if due.what == "settle" else None
            cards = there.cards if there is not None else b""
        return frozenset(map(arcanoid_name, cards))


class TestCardmate(Laws):
    key, samples = "cardmate", SAMPLES / "cardmate"

    def end_picture(self, state: Any) -> tuple[str, ...]:
        """Return the ten ranks as the Setup tag writes them."""
        return tuple(format_layout(state.board, 1).split(" / "))


class TestChess(Laws):
    key, samples = "chess", SAMPLES / "chess"
    beside_key: ClassVar = {
        "quiet": "The plies since a capture count towards a claim, and are no part of a position by the FIDE Laws.",
        "owed_move": "A claim announces a move, and changes nothing on the board.",
    }

    def announces(self, word: str) -> bool:
        """Say whether a word claims a draw."""
        return word.startswith(("Fifty", "Threefold"))


class TestDraughts(Laws):
    key, samples = "draughts", SAMPLES / "draughts"


class TestTarot(Refereed):
    key, samples = "tarot", SAMPLES / "tarot"
    reveals: ClassVar = {"CallKing": "The taker names a card that his partner holds, and nobody knows who that is."}
    beside_key: ClassVar = dict.fromkeys(("totals", "pot"), "Scores decide nothing that may be played in a later deal.")
    order = ("phase",)

    def has_due_word(self, state: Any) -> bool:
        return state.phase in ("call", "chien", "discard")

    def took_unnamed(self, state: Any, seat: int) -> bool:
        """Say whether the seat took a chien up that no word shows: which cards he put away then tells nobody."""
        return seat == state.round.taker and takes_chien(state.round) and not state.round.chien

    def announces(self, word: str) -> bool:
        """Say whether a word announces what need not be said, or calls the deal off."""
        return word.rpartition("/")[2].partition("=")[0] in ("Poignee", "Chelem", "PetitSec", "Maldonne")


class TestTarotDuel(Refereed):
    key, samples = "tarot-duel", SAMPLES / "tarot-duel"
    reveals: ClassVar = dict.fromkeys(
        ("Challenge", "Discard", "Lay", "Mill", "Order", "Redraw", "Rename", "Stakes", "Stand", "Use"),
        "Cards that lie in an area or on top of a pile may be taken up, challenged for and played again.",
    )
    exempt: ClassVar = {
        ORDERS: "The cards of an area lie in the order in which they came.",
        SHOWS: "A view does not work out which card lies face down, though what was played may leave only one.",
    }
    order = ("turn", "effect", "challenge-winner")

    def has_due_word(self, state: Any) -> bool:
        return bool(tarot_duel.TURNS.settle(state).due)


class TestZarcana(Refereed):
    key, samples = "zarcana", SAMPLES / "zarcana"
    reveals: ClassVar = {
        "Deal": "The cards of the board lie open, and may be taken up.",
        "DiscardHand": "Discarded cards lie open, and may be taken up.",
        "Use": "Cards on the board and among the discards lie open, and may be taken up.",
    }
    exempt: ClassVar = {
        SHOWS: "A view of another hand leaves out cards taken up openly, though everybody may remember them."
    }
    order = ("turn", "emperor")

    def has_due_word(self, state: Any) -> bool:
        return bool(state.course.demands)

    def unnamed_cards(self, step: Step, seat: int) -> frozenset[str]:
        """Return the hands that Justice trades, by whatever card: the two seats see both; ``T11>p2`` names none."""
        if not isinstance(step.move, Use):
            return frozenset()
        seats = {step.move.seat, *trades(step.move.play)}
        if len(seats) == 1 or seat not in seats:
            return frozenset()
        hands = (state.hands[owner - 1] for state in (step.state, step.after) for owner in seats)
        return frozenset(zarcana_name(card) for hand in hands for card in hand)


class TrickLaws(Laws):
    """A trick game of four, of which the referee plays a deal or two."""

    def random_game(self, random: Random) -> Sheet:
        return {}, tuple(played(self.key, random, deals=random.choice((1, 2))).words)


class TestWhist(TrickLaws):
    key, samples = "whist", SAMPLES / "whist"


class TestHearts(TrickLaws):
    key, samples = "hearts", SAMPLES / "hearts"

    def took_unnamed(self, state: Any, seat: int) -> bool:
        """Say whether the seat was passed cards before it passed its own, which its record does not name."""
        order = [move.seat for move in state.passes]
        giver = next((move.seat for move in state.passes if move.to == seat), 0)
        return bool(giver) and order.index(giver) < order.index(seat)


class TestSpades(TrickLaws):
    key, samples = "spades", SAMPLES / "spades"


class TestOhHell(TrickLaws):
    key, samples = "oh-hell", SAMPLES / "oh-hell"


class TestBelote(TrickLaws):
    key, samples = "belote", SAMPLES / "belote"


HELD: tuple[type[Laws], ...] = (
    TestArcanoid,
    TestBelote,
    TestCardmate,
    TestChess,
    TestDraughts,
    TestHearts,
    TestOhHell,
    TestSpades,
    TestTarot,
    TestTarotDuel,
    TestWhist,
    TestZarcana,
)


def test_every_bundled_game_is_held_to_the_laws() -> None:
    assert {held.key for held in HELD} == set(BUNDLED_GAMES)


def test_every_rule_of_the_calls_is_refused_or_ends_a_game_in_some_row() -> None:
    refused: Counter[str] = Counter()
    for held in HELD:
        refused.update(row.broken_rule for row in tables.rules(held.folder()).move)
        refused.update(row.key for row in tables.rules(held.folder()).ending)
    assert [clause.key for clause in CALL_CLAUSES if not refused[clause.key]] == []


# --- behind words that name no cards ---


def shown_by_the_priestess(state: Any, seat: int) -> Any:
    """Show every hand of Arcanoid while the High Priestess lies among the discards."""
    if PRIESTESS not in state.pile:
        return arcanoid.view(state, seat)
    held = (sum(1 << card for card in side.hand if not is_slot(card)) for side in state.sides)
    sides = tuple(replace(side, public_cards=cards) for side, cards in zip(state.sides, held, strict=True))
    return arcanoid.view(replace(state, sides=sides), seat)


def shown_by_a_trade(state: Any, seat: int) -> Any:
    """Show who knows a card of another hand in Zarcana every hand."""
    held = [knows(seat, card) for hand in state.hands for card in hand if not is_slot(card)]
    known = state.knowledge | sum(held) if any(state.knowledge & bit for bit in held) else state.knowledge
    return zarcana.view(replace(state, knowledge=known), seat)


@pytest.mark.parametrize(("held", "leak"), [(TestArcanoid, shown_by_the_priestess), (TestZarcana, shown_by_a_trade)])
def test_a_leak_behind_a_word_that_names_no_cards_is_found(
    held: type[Laws], leak: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = held.game()
    monkeypatch.setitem(GAMES, held.key, replace(game, hidden=replace(game.hidden, view=leak)))
    leaking = type("TestLeaking", (held,), {})()
    with pytest.raises(AssertionError, match=r"show to [1-9] behind"):
        leaking.test_games_that_look_alike_to_a_seat_are_shown_alike_to_it()
