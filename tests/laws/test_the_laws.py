"""A game without a fault obeys the laws of ``cartulary.testing``, and each law finds the fault it is for, by name."""

import re
import shutil
from collections.abc import Callable, Iterator
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.engine import LEGAL, Open, Outcome, Refused, by_clauses, clause
from cartulary.notation import GAMES, AnyGame, Drawing, Item, NotationError, draw, roster
from cartulary.notation.picture import Span
from cartulary.testing import Laws
from cartulary.testing.game import rows_of
from tests.laws import aside
from tests.laws.aside import CLAUSES, GAME, Card, Deal, State

pytest_plugins = "pytester"
DRAUGHTS = GAMES["draughts"]
SAMPLES = Path(aside.__file__).parent


def held(monkeypatch: pytest.MonkeyPatch, game: AnyGame, samples: Path = SAMPLES) -> type[Laws]:
    """Return the class that holds a game to the laws in place of the toy."""
    monkeypatch.setitem(GAMES, "aside", game)
    return type("TestAside", (Laws,), {"key": "aside", "samples": samples})


def broken(held: type[Laws], name: str) -> list[str]:
    """Return what a law finds in a game, nothing where it is obeyed."""
    law, found = getattr(held, name), []
    rows = rows_of(held, law)
    for values in product(*([row for _, row in each] for each in rows.values())):
        try:
            law(held(), *values)
        except (AssertionError, ExceptionGroup, TypeError, ValueError) as fault:
            found.append(str(fault))
    return found


def test_a_game_without_a_fault_obeys_every_law(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = held(monkeypatch, GAME)
    laws = [name for name in dir(Laws) if name.startswith("test_")]
    silent = [name for name in laws if getattr(sound, name) is None]
    assert silent == [
        "test_no_option_is_given_twice",
        "test_tags_are_accepted_or_refused_as_their_row_says",
        "test_the_counts_are_those_somebody_else_found",
        "test_who_gives_up_among_three_ends_the_game_for_all_and_the_rule_says_so",
    ]
    assert {name: found for name in laws if name not in silent if (found := broken(sound, name))} == {}


# --- one function another, one law broken ---


def ruled(clauses: tuple[Any, ...] = CLAUSES, apply: Callable[[State, Any], Any] = aside.apply) -> AnyGame:
    """Return the toy with other clauses, or another apply."""
    play, judge = by_clauses(clauses, apply)
    return replace(GAME, rules=replace(GAME.rules, play=play, judge=judge, clauses=clauses))


def ended(outcome: Callable[[State], Outcome | None]) -> AnyGame:
    return replace(GAME, rules=replace(GAME.rules, outcome=outcome))


def spoken(**words: Any) -> AnyGame:
    return replace(GAME, words=replace(GAME.words, **words))


def shown(**hidden: Any) -> AnyGame:
    return replace(GAME, hidden=replace(GAME.hidden, **hidden))


def all_of(state: Any, seat: int) -> Any:
    return state


def all_of_move(state: Any, move: Any, seat: int) -> Any:
    return move


def next_hand_too(state: State, seat: int) -> State:
    """Show each seat one card of the other's hand."""
    seen = aside.view(state, seat)
    if seat and state.hands[3 - seat]:
        hand = (state.hands[3 - seat][0], *seen.hands[3 - seat][1:])
        return replace(seen, hands=tuple(hand if owner == 3 - seat else each for owner, each in enumerate(seen.hands)))
    return seen


def next_card_too(state: State, move: Any, seat: int) -> Any:
    """Tell each seat the card ``next_hand_too`` shows it."""
    told = aside.view_move(state, move, seat)
    if isinstance(told, Deal) and seat and told.to == 3 - seat:
        return replace(told, cards=(move.cards[0], *told.cards[1:]))
    return told


def first_hand(state: State, seat: int) -> State:
    """Show the bystander what p1 sees."""
    return aside.view(state, seat or 1)


@clause("aside.card", "A seat plays a card of its hand.", "house ruling")
def looks(state: State, move: Deal | Card) -> Refused | Open | None:
    if isinstance(move, Card) and any(card.endswith("c") for card in state.hands[3 - move.seat]):
        return Refused("the other has one of the third suit")
    return aside.in_hand.check(state, move)


def looking(state: State) -> Iterator[Deal | Card]:
    """Offer nothing while the other hand holds a card of the third suit."""
    if not any(card.endswith("c") for card in state.hands[3 - state.mover]):
        yield from aside.candidates(state)


TURNS = count()


def remembers(state: State, move: Any) -> State:
    """Count beside the state."""
    after = aside.apply(state, move)
    return replace(after, played=(*after.played, str(next(TURNS))))


def loses_cards(state: State, move: Any) -> State:
    """Lose what the other hand holds."""
    after = aside.apply(state, move)
    hands = ((aside.UNKNOWN,) * len(hand) if at != move.seat else hand for at, hand in enumerate(after.hands))
    return after if isinstance(move, Deal) else replace(after, hands=tuple(hands))


def forgets_the_card(state: State, move: Any) -> State:
    """Keep whose turn it is and not what was played."""
    return aside.apply(state, move) if isinstance(move, Deal) else replace(state, mover=3 - state.mover)


def does_nothing(state: State, move: Any) -> State:
    return state


def keeps_the_card(state: State, move: Any) -> State:
    """Leave the card in the hand it was played from."""
    after = aside.apply(state, move)
    return after if isinstance(move, Deal) else replace(after, hands=state.hands)


def lists(state: State, move: Any) -> State:
    return replace(aside.apply(state, move), played=[*state.played])


def first_rank(move: Any, state: State, after: State | None) -> str:
    return aside.write(move, state, after).replace("2", "1")


def mended(move: Any, state: State, after: State | None) -> str:
    """Write a card that does not follow as one that does."""
    word = aside.write(move, state, after)
    if isinstance(move, Card) and isinstance(aside.follow.check(state, move), Refused):
        return next(card for card in state.hands[move.seat] if card.endswith(state.led[1]))
    return word


@clause("aside.never", "No seat plays a fifth suit.", "house ruling")
def never(state: State, move: Deal | Card) -> None:
    return None


def lets_all(state: State, move: Any) -> Any:
    return LEGAL


def numbered(state: State, seat: int | None) -> Drawing:
    """Name things in the order they are drawn."""
    drawn = aside.drawing(state, seat)
    items = (Item(str(at), item.symbol, item.place, item.role) for at, item in enumerate(drawn.items))
    return Drawing(drawn.size, tuple(items))


def by_rank(state: State, seat: int | None) -> Drawing:
    """Name two things alike."""
    drawn = aside.drawing(state, seat)
    items = (Item(item.symbol[0], item.symbol, item.place, item.role) for item in drawn.items)
    return Drawing(drawn.size, tuple(items))


def by_place(state: Any, seat: int | None) -> Drawing:
    """Name the men of draughts by where they stand."""
    drawn = draw(DRAUGHTS.words, state, seat)
    items = (replace(item, id="{}.{}".format(*item.place)) for item in drawn.items if item.role != "empty")
    return Drawing(drawn.size, tuple(items))


def first_wins(state: State) -> Outcome | None:
    ended = aside.outcome(state)
    return replace(ended, shares=(1, 0)) if ended else None


def misread(signs: str, seat: int, state: State) -> Any:
    """Say of what cannot be read that it is wrong behind its end."""
    try:
        return aside.read(signs, seat, state)
    except NotationError as fault:
        raise NotationError(fault.because, len(signs) + 9) from None


def told_of_one_hand(state: State, move: Any, seat: int) -> Any:
    """Tell each seat of every deal that it is the one to p1."""
    told = aside.view_move(state, move, seat)
    return replace(told, to=1) if isinstance(told, Deal) else told


ALIKE_TO_A_SEAT = "test_games_that_look_alike_to_a_seat_are_shown_alike_to_it"
ALIKE_TO_THE_BYSTANDER = "test_games_that_look_alike_to_the_bystander_are_shown_alike_to_it"
MAY_DO = "test_what_a_seat_may_do_does_not_depend_on_cards_it_has_not_seen"
ID = "test_an_id_of_a_drawing_stays_with_one_thing"

FAULTS: dict[str, tuple[AnyGame, str]] = {
    "views that hide nothing": (shown(view=all_of, view_move=all_of_move), ALIKE_TO_A_SEAT),
    "views that hide nothing, words that do": (shown(view=all_of), ALIKE_TO_A_SEAT),
    "words that hide nothing, views that do": (shown(view_move=all_of_move), ALIKE_TO_A_SEAT),
    "views that show one card": (shown(view=next_hand_too), ALIKE_TO_A_SEAT),
    "views and words that show the same card": (
        shown(view=next_hand_too, view_move=next_card_too),
        "test_of_cards_dealt_alike_a_seat_sees_all_or_none",
    ),
    "pictures that hide nothing": (
        spoken(picture=lambda state, seat: aside.picture(state, None)),
        ALIKE_TO_A_SEAT,
    ),
    "drawings that hide nothing": (
        spoken(drawing=lambda state, seat: aside.drawing(state, None)),
        ALIKE_TO_A_SEAT,
    ),
    "a bystander from whom nothing is hidden": (
        shown(
            view=lambda state, seat: aside.view(state, seat) if seat else state,
            view_move=lambda state, move, seat: aside.view_move(state, move, seat) if seat else move,
        ),
        ALIKE_TO_THE_BYSTANDER,
    ),
    "a bystander who looks over a shoulder": (shown(view=first_hand), ALIKE_TO_THE_BYSTANDER),
    "no deal, and no card told": (shown(deal=lambda random: ("1a",)), ALIKE_TO_A_SEAT),
    "a verdict that looks": (ruled((*CLAUSES[:2], looks, *CLAUSES[3:])), MAY_DO),
    "a list that looks": (replace(GAME, rules=replace(GAME.rules, candidates=looking)), MAY_DO),
    "a verdict that looks, of what was played": (
        ruled((*CLAUSES[:2], looks, *CLAUSES[3:])),
        "test_a_verdict_without_the_hidden_cards_holds_with_them",
    ),
    "an apply that remembers": (ruled(apply=remembers), "test_a_move_does_the_same_whenever_it_is_played"),
    "an apply that remembers, on paper": (ruled(apply=remembers), "test_a_game_is_rebuilt_from_its_text"),
    "an apply that loses cards": (ruled(apply=loses_cards), "test_what_is_dealt_is_kept"),
    "an apply that forgets what was played": (ruled(apply=forgets_the_card), "test_what_is_played_is_kept"),
    "an apply that does nothing": (ruled(apply=does_nothing), "test_a_state_is_a_value_that_can_be_hashed"),
    "an apply that keeps the card": (ruled(apply=keeps_the_card), "test_a_golden_game_ends_in_the_expected_position"),
    "words that do not round-trip": (spoken(write=first_rank), "test_a_candidate_is_what_its_word_says"),
    "words that mend what was wrong": (spoken(write=mended), "test_a_move_is_as_its_row_says"),
    "a clause nothing refuses": (ruled((*CLAUSES, never)), "test_every_clause_is_refused_by_three_rows"),
    "a judge unlike play": (
        replace(GAME, rules=replace(GAME.rules, judge=lets_all)),
        "test_lists_judge_a_candidate_as_play_does",
    ),
    "a state that is not hashable": (ruled(apply=lists), "test_a_state_is_a_value_that_can_be_hashed"),
    "a drawing whose ids wander": (spoken(drawing=numbered), ID),
    "a drawing whose ids name two things": (spoken(drawing=by_rank), ID),
    "a drawing whose ids are places": (replace(DRAUGHTS, words=replace(DRAUGHTS.words, drawing=by_place)), ID),
    "a drawing that goes beyond its edge": (
        spoken(drawing=lambda state, seat: replace(aside.drawing(state, seat), size=(4, 3))),
        ID,
    ),
    "a rule left out": (ruled((*CLAUSES[:3], CLAUSES[4])), "test_a_move_is_as_its_row_says"),
    "a rule left out, that compels": (
        ruled((*CLAUSES[:3], CLAUSES[4])),
        "test_as_many_plies_stood_under_a_compelling_rule_as_expected",
    ),
    "a rule too many": (
        ruled((*CLAUSES[:2], looks, *CLAUSES[3:])),
        "test_a_ruling_is_accepted_where_the_reader_asks_for_it",
    ),
    "a rule without a source": (
        ruled((*CLAUSES[:4], replace(CLAUSES[4], source=""))),
        "test_every_clause_says_its_rule_in_one_sentence_with_a_source",
    ),
    "an end that is another": (ended(first_wins), "test_a_golden_game_is_judged_as_expected"),
    "an end that never comes": (ended(lambda state: None), "test_a_game_ends_as_its_row_says"),
    "seats that speak after the end": (
        replace(GAME, turns=replace(GAME.turns, actors=lambda state: (state.mover,))),
        "test_a_seat_may_speak_exactly_while_the_game_goes_on",
    ),
    "words that do not round-trip, on paper": (
        spoken(write=first_rank),
        "test_a_golden_game_is_canonical_text_byte_for_byte",
    ),
    "words that do not round-trip, of any choice": (
        spoken(write=first_rank),
        "test_any_choice_of_legal_moves_is_rebuilt_from_its_text",
    ),
    "an error outside its word": (
        spoken(read=misread),
        "test_any_word_is_a_move_or_an_error_with_a_column_inside_it",
    ),
    "a picture that is too wide": (
        spoken(picture=lambda state, seat: ((Span("-" * 81),),)),
        "test_a_record_with_words_mangled_is_judged_spelled_seen_drawn_and_told",
    ),
    "a picture that is not drawn from the view": (
        spoken(picture=lambda state, seat: aside.picture(state, None)),
        "test_a_view_holds_no_more_than_itself_and_the_picture_is_drawn_from_it",
    ),
    "words that tell a seat what cannot be": (
        shown(view_move=told_of_one_hand),
        "test_the_record_a_seat_has_seen_is_the_same_of_games_that_look_alike_and_has_no_fault",
    ),
}


ODD_SAMPLES: dict[str, tuple[str, str, str, str]] = {
    "a golden game that is not there": (
        "games/expected.toml",
        'file = "open.cgn"',
        'file = "other.cgn"',
        "test_the_game_brings_its_samples",
    ),
    "two rows for one reason": (
        "rules.toml",
        "A card is not played twice.",
        "A hand is dealt once.",
        "test_no_two_rows_argue_the_same",
    ),
    "tags said to be refused that are not": (
        "rules.toml",
        "",
        '[[setup]]\nwhy = "Two play."\ntags = { Seat1 = "A", Seat2 = "B" }\nrefused = "record.tag"\n',
        "test_tags_are_accepted_or_refused_as_their_row_says",
    ),
    "a count that is another": (
        "perft.toml",
        "",
        '[[start]]\nsource = "counted: twelve cards"\ncounts = [13]\n',
        "test_the_counts_are_those_somebody_else_found",
    ),
}
"""By what is wrong: a file, what gives way, what takes its place, at the end where nothing does, and the law."""


@pytest.mark.parametrize("fault", ODD_SAMPLES)
def test_samples_at_fault_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str) -> None:
    name, old, new, law = ODD_SAMPLES[fault]
    file = shutil.copytree(SAMPLES, tmp_path / "samples") / name
    text = file.read_text("utf-8") if file.exists() else ""
    file.write_text(text.replace(old, new, 1) if old else f"{text}\n{new}", "utf-8")
    listed = replace(GAME, rules=replace(GAME.rules, complete=lambda state: True))
    assert broken(held(monkeypatch, listed, tmp_path / "samples"), law)


def test_a_seat_from_which_nothing_is_hidden_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shown(
        view=lambda state, seat: state if seat == 1 else aside.view(state, seat),
        view_move=lambda state, move, seat: move if seat == 1 else aside.view_move(state, move, seat),
    )
    told = held(monkeypatch, game)
    [fault] = broken(told, ALIKE_TO_A_SEAT)
    assert "['p1'] == []" in fault
    told.sees_all = (1,)
    assert broken(told, ALIKE_TO_A_SEAT) == []
    told.sees_all = (2,)
    assert broken(told, ALIKE_TO_A_SEAT)


# --- from a package of its own ---


TEST_FILE = """
from cartulary.testing import Laws


class TestAside(Laws):
    key, samples = "{key}", "samples"
"""


class Package:
    """The toy where pip would put it, with entry points for itself and for two that are no games."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self._pytester, folder = pytester, pytester.path
        self.code = folder / "aside_package.py"
        self.code.write_text((SAMPLES / "__init__.py").read_text("utf-8"), "utf-8")
        shutil.copytree(SAMPLES, folder / "samples")
        (folder / "aside_package-0.1.dist-info").mkdir()
        offered = ("aside = aside_package:GAME", "heaps = no_such_module:GAME", "pairs = json:dumps")
        for name, lines in {
            "METADATA": ("Metadata-Version: 2.1", "Name: aside-package", "Version: 0.1"),
            "entry_points.txt": (f"[{roster.ENTRY_POINTS}]", *offered),
        }.items():
            (folder / "aside_package-0.1.dist-info" / name).write_text("\n".join(lines), "utf-8")

    def tested(self, key: str, *words: str) -> str:
        """Return what pytest prints of a test file of two lines."""
        self._pytester.makepyfile(test_aside=TEST_FILE.format(key=key))
        roster._installed.cache_clear()
        told = self._pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "--strict-markers", *words)
        return "\n".join(told.outlines)


@pytest.fixture
def package(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    monkeypatch.syspath_prepend(pytester.path)
    yield Package(pytester)
    roster._installed.cache_clear()


def test_a_package_of_its_own_is_held_by_a_test_file_of_two_lines(package: Package) -> None:
    told = package.tested("aside", "-k", "alike or row or golden")
    assert re.search(r"\n\d+ passed, \d+ deselected in", told), told


def test_a_package_whose_views_hide_nothing_is_told_so_by_name(package: Package) -> None:
    code, views = package.code.read_text("utf-8"), "Hidden(view, view_move,"
    assert views in code
    package.code.write_text(code.replace(views, "Hidden(lambda state, seat: state, view_move,"), "utf-8")
    told = package.tested("aside", "-k", "alike")
    assert f"FAILED test_aside.py::TestAside::{ALIKE_TO_A_SEAT}" in told, told
    assert f"FAILED test_aside.py::TestAside::{ALIKE_TO_THE_BYSTANDER}" in told
    assert "show to 1 behind" in told


def test_a_game_that_cannot_be_loaded_is_named_where_it_is_held(package: Package) -> None:
    told = package.tested("heaps")
    assert "The game heaps of the package aside-package cannot be loaded: ModuleNotFoundError" in told, told
    assert "json:dumps is no cartulary.notation.Game but function" in package.tested("pairs")
    assert re.search("found no game 'asides', expected one of: .*aside", package.tested("asides"))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_the_law_it_is_for(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    game, law = FAULTS[fault]
    assert broken(held(monkeypatch, game), law)
