"""Zarcana where cards are hidden afterwards: no possible game is refused, and what was true is always a reading."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.engine import LEGAL, Refused, Sheet, Undecided
from cartulary.engine.contract import PlayResult
from cartulary.engine.readings import GAP, states_of
from cartulary.engine.slots import SLOT, is_slot
from cartulary.engine.zarcana.cards import CODES
from cartulary.engine.zarcana.state import CODE, State
from cartulary.notation import AnyGame, Step, steps
from cartulary.notation.roster import GAMES
from tests.hunts import looks
from tests.referees.zarcana.table import Game, random_game

GAME = GAMES["zarcana"]
CARD = r"(?:[1-9XJNQK][SWCD](?![a-z])|T[0-9]{2}|E[1-8])"
CARDS = rf"{CARD}(?:,{CARD})*"
MIDDLE = "p0/b*2C,3C,4C,5C,~,6C,7C,8C,9C"


def begun(seats: int, options: dict[str, str]) -> State:
    """Return the state before the first word."""
    state = GAME.rules.setup(Sheet("standard", options, seats))
    assert isinstance(state, State)
    return state


def played(game: AnyGame, text: str, **options: str) -> list[Step]:
    """Return the steps of a movetext of two seats."""
    return list(steps(game, begun(2, options), tuple(text.split()), 2))


# --- cards hidden afterwards ---


def tildes(cards: str) -> str:
    """Return as many unknown cards."""
    return ",".join("~" * (cards.count(",") + 1))


def hidden(rng: Random, word: str) -> str:
    """Return a word with some cards unknown that a scribe may leave out; empty for one he may not write at all."""
    if re.match(r"p0/(p\d)?\*", word):
        return rng.choice(("", word, re.sub(CARD, lambda card: rng.choice((card[0], "~")), word)))
    if word.startswith("p0/b"):
        unknown = rng.choice((0.5, 0.8, 1.0))
        return re.sub(CARD, lambda card: "~" if rng.random() < unknown else card[0], word)
    if word.startswith("p0/"):
        return word
    chance = rng.choice((0.0, 0.5, 1.0))

    def some(found: re.Match[str]) -> str:
        return found[1] + tildes(found[2]) if rng.random() < chance else found[0]

    word = re.sub(rf"^((?:p\d/)?\*)({CARDS})$", some, word)
    word = re.sub(rf"^((?:p\d/)?)({CARDS})(?=>p\d$)", some, word) if "," in word else word
    word = re.sub(rf"(@[nsew0-9o]+[*=])({CARD})", some, word)
    word = re.sub(rf"((?:T02|T17)(?:>\w+)?\*)({CARDS})(?=$|&\*)", some, word)
    word = re.sub(rf"(E6-)({CARDS})", some, word)
    word = re.sub(rf"((?:T20|=T20):)({CARDS})", some, word)
    word = re.sub(rf"((?:T00|&)\*)({CARD})(?=$|&\*(?!.*[*]{CARD}&))", lambda one: one[0], word)
    return re.sub(r"(?<=^DiscardHand).*", lambda cards: rng.choice((cards[0], "")), word)


def laid(masks: list[int], cards: list[int]) -> list[int] | None:
    """Return the cards so that each mask has the bit of the one in its place; None where they cannot lie so."""
    at: dict[int, int] = {}

    def finds(mask: int, tried: set[int]) -> bool:
        for card in cards:
            if masks[mask] >> card & 1 and card not in tried:
                tried.add(card)
                if card not in at or finds(at[card], tried):
                    at[card] = mask
                    return True
        return False

    if len(masks) != len(cards) or not all(finds(mask, set()) for mask in range(len(masks))):
        return None
    return sorted(cards, key=at.__getitem__)


def accords(reading: State, truth: State) -> bool:
    """Say whether a reading is the true state, as far as it tells it."""
    plain = ("options", "men", "stash", "turn", "round", "course")
    if any(getattr(reading, name) != getattr(truth, name) for name in plain):
        return False
    if reading.cards.keys() != truth.cards.keys() or len(reading.deck) != len(truth.deck):
        return False
    slots, pairs = reading.unseen.slots, list(zip(reading.deck, truth.deck, strict=True))
    for place, stack in truth.cards.items():
        if [entry & ~CODE for entry in stack] != [entry & ~CODE for entry in reading.cards[place]]:
            return False
        pairs += [(one & CODE, other & CODE) for one, other in zip(reading.cards[place], stack, strict=True)]
    if CODES["E1"] in truth.options.every:
        # Only the Doppelganger asks how the discards lie: what is on top.
        pairs += zip(reading.pile[-1:], truth.pile[-1:], strict=True)
    for seen, held in zip((reading.pile, *reading.hands), (truth.pile, *truth.hands), strict=True):
        known = bytes(card for card in seen if not is_slot(card))
        if len(seen) != len(held) or not set(known) <= set(held):
            return False
        left = [card for card in held if card not in known]
        lying = laid([slots.kinds[code - SLOT].mask for code in seen if is_slot(code)], left)
        if lying is None:
            return False
        pairs += zip((code for code in seen if is_slot(code)), lying, strict=True)
    if any(not slots.kinds[code - SLOT].mask >> card & 1 if is_slot(code) else code != card for code, card in pairs):
        return False
    unknown = {card for code, card in pairs if is_slot(code)}
    return unknown == set(b"".join(slots.pools))


def check_hidden(game: AnyGame, whole: Game, rng: Random) -> int:
    """Check a game with some of its cards hidden; return the most readings it had."""
    options = dict(option.split("=") for option in whole.tags.get("Options", "").split())
    seats = sum(name.startswith("Seat") for name in whole.tags)
    truth = list(steps(GAME, begun(seats, options), whole.words, seats))
    words = [hidden(rng, word) for word in whole.words]
    answers = [at for at, word in enumerate(words) if word]
    most = 0
    line = tuple(words[at] for at in answers)
    for at, step in zip(answers, steps(game, begun(seats, options), line, seats), strict=False):
        assert step.error is None, (step.ply, step.word, step.error)
        assert not isinstance(step.verdict, Refused), (step.ply, step.word, step.verdict)
        assert step.applied
        each = states_of(step.after)
        most = max(most, len(each))
        then = truth[at].after
        if any(then.unseen.slots.pools):
            continue
        # What the table tells and nobody wrote down may still be told.
        then = replace(then, course=replace(then.course, opening=0, deck_due=False))
        now = [replace(one, course=replace(one.course, opening=0, deck_due=False)) for one in each]
        assert any(accords(one, then) for one in now), (step.ply, step.word)
    return most


def check_games(game: AnyGame, count: int) -> list[int]:
    """Check so many games with cards hidden; return the most readings of each."""
    return [check_hidden(game, random_game(f"lost {at}"), Random(at)) for at in range(count)]


@pytest.mark.hunt
def test_a_game_with_cards_hidden_afterwards_is_never_refused_and_keeps_the_true_reading() -> None:
    assert max(check_games(GAME, looks(40))) > 1


def first_alone(play: Callable[..., PlayResult[Any, Any]]) -> Callable[..., PlayResult[Any, Any]]:
    """Return a play that keeps the first reading only, as was done once."""

    def first(state: Any, said: Any, exactly: bool = False, /) -> PlayResult[Any, Any]:
        done = play(state, said, exactly)
        return replace(done, after=replace(done.after, others=())) if done.after is not None else done

    return first


def test_to_keep_the_first_reading_only_is_found_out() -> None:
    broken = replace(GAME, rules=replace(GAME.rules, play=first_alone(GAME.rules.play)))
    with pytest.raises(AssertionError):
        check_games(broken, 20)


# --- where the budget ends ---

STRUCK = f"{MIDDLE} S@o'e S@e1'u >So:p2Se1 Pass Se1=n Pass"


def gaps(step: Step) -> int:
    """Return how often a step says that not every reading is followed."""
    return sum(asked.clause is GAP for asked in step.verdict.opens) if isinstance(step.verdict, Undecided) else 0


def test_where_the_budget_ends_the_record_says_so_and_refuses_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [gaps(step) for step in played(GAME, STRUCK)] == [0] * 7
    monkeypatch.setattr("cartulary.engine.zarcana.play.BUDGET", 1)
    done = played(GAME, STRUCK)
    assert [gaps(step) for step in done] == [0, 0, 0, 1, 1, 1, 1]
    assert [step.verdict for step in done if isinstance(step.verdict, Refused)] == []
    assert (6, GAP.key) in GAME.hidden.pending(done[-1].after).open


def test_what_stands_in_every_reading_is_legal_and_what_stands_in_none_is_refused() -> None:
    text = f"{MIDDLE} S@o'e S@e1'u >So:p2Se1 Pass"
    assert len(states_of(played(GAME, text)[-1].after)) == 2
    assert played(GAME, f"{text} *~")[-1].verdict is LEGAL
    refused = played(GAME, f"{text} Sn1=e")[-1].verdict
    assert isinstance(refused, Refused)
    assert refused.clause.key == "zarcana.no-minion"
