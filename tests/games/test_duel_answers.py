"""The duel where it is answered and won: who may speak, and what words tell of stakes nobody wrote down."""

from random import Random

import pytest
from msgspec.structs import replace

from cartulary.engine import Legal, Refused, legal_moves, tarot_duel
from cartulary.engine.tarot_duel.views import view_move
from cartulary.notation import GAMES, steps
from cartulary.notation.arbiter.replay import read_word, write_word
from tests.games.test_duel_engine import DECK1, DECK2, GAME, SEATED, found, started, told
from tests.referees.tarot_duel import table as duel_table

# --- who may speak ---


def test_a_justice_lying_ready_speaks_only_when_there_is_something_of_another_to_answer() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T12"), "Deck2": DECK2.replace("T09", "T01")}
    start = ("p0/p1*T12,7D", "p0/p2*T01,5C", "*8D", "T12", "End", "*6C")
    done = told(tags, (*start, "T01", "p0/=H", "*~", "End"))
    assert found(done) == []
    assert [(step.word, tarot_duel.actors(step.after)) for step in done[4:]] == [
        ("End", (2,)),
        ("*6C", (2,)),
        ("T01", (2, 0, 1)),
        ("p0/=H", (2,)),
        ("*~", (2, 1)),
        ("End", (1,)),
    ]


def test_who_answered_last_and_who_has_no_card_do_not_answer() -> None:
    tags = {"Deck1": DECK1, "Deck2": DECK2, "Deck3": DECK2.replace("C", "S")}
    start = ("p0/p1*T01,7D", "p0/p2*T15,5C", "p0/p3*T15,5S", "*8D")
    done = told(tags, (*start, "T01>p2", "p2/T15", "p3/T15"), 3)
    assert [tarot_duel.actors(step.after) for step in done[4:]] == [(1, 0, 2, 3), (1, 3), (1, 0, 2)]


def test_an_exchange_that_would_end_the_game_can_still_be_answered() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T07"), "Deck2": DECK2, "PointTotal": "15"}
    start = ("p0/p1*T07,7D", "p0/p2*T15,9C", "*8D", "7D@a", "End", "*5C", "9C@a", "End", "*1D", "1D@a")
    state = told(tags, (*start, "T07>a=1D>p2a=9C"))[-1].after
    assert state.outcome is None
    assert GAME.turns.settle(state).outcome is not None
    assert tarot_duel.actors(state) == (2,)
    assert [write_word(GAME, move, state) for move in legal_moves(GAMES["tarot-duel"], state)] == ["p2/T15"]
    stopped = told(tags, (*start, "T07>a=1D>p2a=9C", "p2/T15"))[-1].after
    assert GAME.turns.settle(stopped).outcome is None
    assert tarot_duel.actors(stopped)[0] == 1


@pytest.mark.parametrize("seats", SEATED)
def test_a_legal_word_is_one_of_a_seat_that_may_speak(seats: int) -> None:
    for number in range(2):
        game = duel_table.record(Random(f"answers {seats} {number}"), seats)
        for step in told(game.tags, game.words, seats)[::3]:
            spoken = {move.seat for move in legal_moves(GAMES["tarot-duel"], step.state)}
            assert spoken <= set(tarot_duel.actors(step.state)), step.word


def test_a_seat_that_is_out_draws_no_hand_from_a_fresh_deck() -> None:
    tags = {"Deck1": DECK1, "Deck2": DECK2, "Deck3": DECK2.replace("C", "S")}
    state = started(tags, 3)
    out = replace(state, marks=replace(state.marks, out=1 << 3))
    move = read_word(GAME, state, "p0/p3*1S,2S", 3)
    seen = [write_word(GAME, view_move(base, move, 3), base) for base in (state, out)]
    assert seen == ["p0/p3*1S,2S", "p0/p3*~,~"]
    short = read_word(GAME, state, "p0/p3*1S", 3)
    assert [type(GAME.rules.play(base, short).verdict) for base in (state, out)] == [Refused, Legal]


# --- a winner only words tell of ---


def test_an_empty_deck_has_no_stakes_to_put_away_before_the_winner_puts_his_back() -> None:
    state = told({"Deck1": DECK1, "Deck2": DECK2}, ("*~", "7D@a", "End", "*~"))[-1].after
    for seat, words in ((1, (":p1a=7D^~^", "~,~,~,~>d", "End")), (2, (":p1a=7D^^~", "p1/~,~,~,~>d", "End"))):
        sides = [replace(side, deck=b"") if at == seat else side for at, side in enumerate(state.sides, 1)]
        done = list(steps(GAME, replace(state, sides=tuple(sides)), words, 2))
        assert found(done) == []
        assert tarot_duel.actors(done[0].after) == (2, 0, 1)
        assert len(done[-1].after.sides[1].area) == 2 - seat


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ((":p1a=7D^~^~", "p1/1D,2D,3D,4D-", "1C,2C,3C,4C>d"), ""),
        ((":p1a=7D^~^~", "p1/5D,6D,8D,9D-", "1C,2C,3C,4C>d"), "1C,2C,3C,4C>d"),
        ((":p1a=7D^~^~", "p1/5D,6D,8D,~-", "1C,2C,3C,4C>d"), ""),
        ((":p1a=7D^~^XD", "p1/1D,2D,3D,XD-"), "p1/1D,2D,3D,XD-"),
        ((":p1a=7D^~^~", "1C,2C,3C,4C>d"), "1C,2C,3C,4C>d"),
        ((":p1a=7D^T12^~", "p1/1D,2D,3D,4D-"), "p1/1D,2D,3D,4D-"),
        ((":p1a=7D^T12^~", "2C,3C,4C,T12-", "p1/1D,2D,3D,4D>d"), ""),
        ((":p1a=7D^T12^~", "2C,3C,4C,T12-", "p1/T01,T17,T03,T15>d"), "p1/T01,T17,T03,T15>d"),
    ],
)
def test_a_winner_no_reading_of_the_stakes_allows_is_refused(words: tuple[str, ...], refused: str) -> None:
    done = told({"Deck1": DECK1, "Deck2": DECK2}, ("*~", "7D@a", "End", "*~", *words))
    assert found(done) == ([(refused, "tarot-duel.challenge-winner")] if refused else [])


def test_stakes_that_cannot_have_been_equal_leave_no_other_word_before_those_of_who_lost() -> None:
    low = {"Deck1": "1D 2D 3D 4D 5D 6D 7D 8D 9D 1S 2S 3S 4S 5S 6S 7S", "Deck2": DECK2}
    start = ("*~", "7D@a", "End", "*~", ":p1a=7D^XC^~")
    for word in ("End", "1C@a", "p0/p1*~", "p1/End"):
        assert found(told(low, (*start, word))) == [(word, "tarot-duel.challenge-winner")]
        assert found(told({"Deck1": DECK1, "Deck2": DECK2}, (*start, "End"))) == []
    assert found(told(low, (*start, "p1/~,~,~,~-", "XC,~,~,~>d", "End"))) == []


def test_cards_over_the_limit_are_discarded_behind_a_challenge_nobody_won() -> None:
    tags = {"Deck1": DECK1, "Deck2": "1C 2C 3C 4C 5C 6C 7C 8C 9C XC JC NC 1S 2S 3S 4S ~x24"}
    start = ("*~", "7D@a", "End", "*1C", ":p1a=7D^~^~")
    done = told(tags, (*start, "1C-", "End"))
    assert found(done) == []
    assert len(done[-1].after.sides[1].hand) == 5


# --- a card won unseen that the record knows ---


def test_who_lost_a_known_card_may_show_it_or_go_on() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T19"), "Deck2": DECK2}
    words = ("p0/p1*T19,7D", "*8D", "7D@a", "T19=7D", "End", "*~", ":p1a1^XC^1D")
    state = told(tags, words)[-1].after
    assert tarot_duel.actors(state) == (2, 1)
    spoken = [write_word(GAME, move, state) for move in legal_moves(GAMES["tarot-duel"], state)]
    assert spoken == ["p1/^7D", "p1/1D,~,~,~-"]
    shown, untold = (told(tags, (*words, *more))[-1].after for more in (("p1/^7D", "p1/1D,~,~,~-"), ("p1/1D,~,~,~-",)))
    assert replace(shown, ply=0) == replace(untold, ply=0)


def test_where_nobody_has_stakes_a_known_card_goes_unshown_before_any_word() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T19"), "Deck2": DECK2}
    words = ("p0/p1*T19,7D", "*8D", "7D@a", "T19=7D", "End", "*~")
    state = told(tags, words)[-1].after
    state = replace(state, marks=replace(state.marks, strong=1 << 2))
    bare = replace(state, sides=tuple(replace(side, deck=b"") for side in state.sides))
    for more in (("End",), ("p1/^7D", "End")):
        done = list(steps(GAME, bare, (":p1a1^^", *more), 2))
        assert found(done) == []
        assert tarot_duel.actors(done[0].after) == (2, 1)
        assert len(done[-1].after.sides[1].area) == 1
