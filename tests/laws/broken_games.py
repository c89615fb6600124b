"""Little Hearts, Hearts, draughts and chess with one fault each, and the law of the kit that finds it.

The faults are those that a kit of laws is likely to pass: each game can be recorded, and its own rows say nothing.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from cartulary.engine import LEGAL, Outcome, Place, Sheet, by_clauses, hearts
from cartulary.engine.contract import Clause, no_check
from cartulary.engine.draughts import position
from cartulary.engine.parts import no_pending, no_text
from cartulary.engine.tricks import UNKNOWN, Deal, Pass, Play, ScoredDeal, TrickGame
from cartulary.engine.tricks import state as tricks
from cartulary.engine.tricks.state import passers
from cartulary.notation import GAMES, AnyGame
from cartulary.notation import hearts as hearts_words
from cartulary.notation.contract import TouchTargets, none_differ, none_misstated
from cartulary.notation.tricks import trick_game
from cartulary.testing import Laws
from tests.laws import little_hearts
from tests.laws.little_hearts import DESCRIPTION
from tests.laws.test_all_games import TestChess, TestDraughts, TestHearts

LITTLE, DRAUGHTS, CHESS, HEARTS = little_hearts.GAME, GAMES["draughts"], GAMES["chess"], GAMES["hearts"]
GAMES["little-hearts"] = LITTLE


class LittleHearts(Laws):
    key, samples = "little-hearts", Path(little_hearts.__file__).parent

    def took_unnamed(self, state: Any, seat: int) -> bool:
        return TestHearts.took_unnamed(self, state, seat)  # type: ignore[arg-type]


del GAMES["little-hearts"]


def part(game: AnyGame, name: str, **fields: Any) -> AnyGame:
    """Return a game with some functions of a part in place of its own."""
    return replace(game, **{name: replace(getattr(game, name), **fields)})


# --- words that show too much ---


def passes_to_all(state: Any, move: Any, seat: int) -> Any:
    return move if isinstance(move, Pass) else LITTLE.hidden.view_move(state, move, seat)


def taken_up_to_all(state: Any, move: Any, seat: int) -> Any:
    """Show a pass to everybody once its receiver has passed, so that he takes it up."""
    passed = isinstance(move, Pass) and any(other.seat == move.to for other in state.passes)
    return move if passed else LITTLE.hidden.view_move(state, move, seat)


def passes_in_view(state: Any, seat: int) -> Any:
    """Show what is passed in the view as well."""
    view_pass = tricks.view_pass
    tricks.view_pass = lambda move, *_: move
    try:
        return tricks.view(DESCRIPTION, state, seat)
    finally:
        tricks.view_pass = view_pass


def first_card_of_a_deal(state: Any, move: Any, seat: int) -> Any:
    seen: Any = LITTLE.hidden.view_move(state, move, seat)
    return replace(seen, cards=(move.cards[0], *seen.cards[1:])) if isinstance(move, Deal) and move.to == 2 else seen


def first_card_of_a_pass(state: Any, move: Any, seat: int) -> Any:
    """Show the first of three cards that are passed in Hearts."""
    seen: Any = HEARTS.hidden.view_move(state, move, seat)
    return replace(seen, cards=(move.cards[0], *seen.cards[1:])) if isinstance(move, Pass) else seen


def hand_to_the_next(state: Any, move: Any, seat: int) -> Any:
    if isinstance(move, Deal) and seat == move.to % 4 + 1:
        return move
    return LITTLE.hidden.view_move(state, move, seat)


def own_pass_hidden(state: Any, move: Any, seat: int) -> Any:
    """Hide from a seat which card it has passed itself."""
    seen: Any = LITTLE.hidden.view_move(state, move, seat)
    return replace(seen, cards=(UNKNOWN,)) if isinstance(move, Pass) and move.seat == seat else seen


# --- lists that lack moves ---


def no_heart_led(state: Any) -> Iterator[Any]:
    hearts = {card for card in range(20) if little_hearts.HEARTS >> card & 1}
    for move in LITTLE.rules.candidates(state):
        if not (isinstance(move, Play) and not state.trick and move.card in hearts):
            yield move


def passes_of_p1(state: Any) -> Iterator[Any]:
    for move in LITTLE.rules.candidates(state):
        if not isinstance(move, Pass) or move.seat == 1 or 1 not in passers(DESCRIPTION, state):
            yield move


def steps_alone(state: Any) -> Iterator[Any]:
    """Leave out captures of two men."""
    yield from (move for move in DRAUGHTS.rules.candidates(state) if len(move.path) < 3)


def no_castling(state: Any) -> Iterator[Any]:
    yield from (move for move in CHESS.rules.candidates(state) if move.rook < 0)


def no_knights(state: Any) -> Iterator[Any]:
    yield from (move for move in CHESS.rules.candidates(state) if move.becomes not in "nN" or not move.becomes)


# --- tags ---


def black_to_move(sheet: Sheet[Any]) -> dict[str, str]:
    return {name: f"B{text[1:]}" for name, text in DRAUGHTS.sheet.write(sheet).items()}


def chess_tags(change: Callable[[list[str]], None]) -> Callable[[Sheet[Any]], dict[str, str]]:
    """Return a function that writes the tags of chess with the fields of the FEN changed."""

    def write(sheet: Sheet[Any]) -> dict[str, str]:
        tags = CHESS.sheet.write(sheet)
        if "FEN" in tags:
            fields = tags["FEN"].split()
            change(fields)
            tags["FEN"] = " ".join(fields)
        return tags

    return write


def clear(at: int, text: str) -> Callable[[list[str]], None]:
    """Return a function that overwrites one field of a FEN."""

    def change(fields: list[str]) -> None:
        fields[at] = text

    return change


def next_dealer(sheet: Sheet[Any]) -> dict[str, str]:
    return {"Dealer": f"p{sheet.own % 4 + 1}"} if sheet.own else {}


# --- keys ---


def with_key(game: AnyGame, key: Callable[[Any], object]) -> AnyGame:
    return replace(game, place=Place(key=key))


def history(state: Any) -> object:
    return LITTLE.place.key(state), [[card for _, card in trick.cards] for trick in state.tricks]


def without(game: AnyGame, **fields: Any) -> Callable[[Any], object]:
    """Return the key of a game as if some fields of its states had the same value in all."""
    return lambda state: game.place.key(replace(state, **fields))


# --- boards ---


def other_way_round(state: Any, sheet: Any) -> Any:
    return tuple((place, board, board) for place, board, _ in DRAUGHTS.boards.differ(state, sheet))


def other_mover(sheet: Any, mover: int, number: int) -> Any:
    taken_up: Any = DRAUGHTS.boards.taken_up(sheet, mover, number)
    return replace(taken_up, mover=3 - taken_up.mover)


def without_kings(state: Any) -> str:
    return position(state).replace("K", "")


# --- scores and rounds ---


def next_seats(points: Any) -> Any:
    return (points[-1], *points[:-1]) if points else points


def gains_of_others(before: Any, after: Any) -> tuple[Fraction, ...] | None:
    return next_seats(LITTLE.points.gains(before, after))  # type: ignore[no-any-return]


def shares_of_others(state: Any, ruled_score: str = "") -> Any:
    shares = LITTLE.points.shares(state, ruled_score)
    return None if shares is None else tuple(1 - share for share in shares)


def backward(answers: Any, state: Any) -> str:
    points = answers.get("Points", "").split(":")
    return LITTLE.rounds.word({"Points": ":".join(reversed(points))}, state)


def no_answers(move: Any) -> dict[str, str]:
    return {"Points": ":".join("0" * len(move.points))} if isinstance(move, ScoredDeal) else {}


# --- hidden cards ---


def tells_always(state: Any, need: Any) -> str:
    """Tell of the hands of this deal, whichever deal is asked about."""
    return little_hearts.TRICKS._telling(state).tell_need(state, need)


def unseen_questions(game: TrickGame, **left_out: Any) -> AnyGame:
    """Return Little Hearts made by ``by_clauses`` without some of what it needs for hidden hands."""
    given = {"apply_open": game.apply, "exact": game.exact, "breaches": lambda _, after: after.breaches} | left_out
    given = {name: value for name, value in given.items() if value is not None}
    play, judge = by_clauses(game.clauses, game.apply, **given)
    return part(LITTLE, "rules", play=play, judge=judge)


# --- words, ends and rules ---


def seat_to_move(signs: str, seat: int, state: Any) -> Any:
    """Take whoever passes out of turn for the seat whose turn it is."""
    first = LITTLE.turns.first(state)
    return LITTLE.words.read(signs, first if seat and ">" in signs else seat, state)


def gaps_of_the_first(state: Any) -> Any:
    """Let a word that nobody wrote be one of the first seat alone, though others may pass before it."""
    moves = LITTLE.rules.gap_moves(state) if LITTLE.rules.gap_moves else ()
    return [move for move in moves or () if not isinstance(move, Pass) or move.seat == LITTLE.turns.first(state)]


def wrong_seat(move: Any, state: Any) -> bool:
    return False


def uncrowned(state: Any, move: Any) -> Any:
    after: Any = DRAUGHTS.rules.play(state, move).after
    return replace(after, board=after.board[:29].lower() + after.board[29:].lower())


def early(state: Any) -> Outcome | None:
    """End draughts when a side has eight men left."""
    few = min(sum(piece in men for piece in state.board) for men in ("abcdefghijkl", "mnopqrstuvwx"))
    return Outcome((1, 1), "draughts.no-move", "few men are left") if few < 9 else DRAUGHTS.rules.outcome(state)


def crowded(state: Any) -> tuple[int, ...]:
    """Let both sides of draughts speak at any time."""
    return () if DRAUGHTS.rules.outcome(state) else (state.mover, 3 - state.mover)


NEVER: Clause[Any, Any] = Clause("draughts.never", "No man leaves the board.", "house ruling", no_check)


def lax(state: Any, move: Any) -> Any:
    return LEGAL


# --- drawings and taps ---


def shown_to_all(state: Any, seat: int | None) -> Any:
    assert LITTLE.words.drawing is not None
    return LITTLE.words.drawing(state, None)


def to_the_last(move: Any, state: Any) -> tuple[str, ...]:
    """Tap the square before the last one twice."""
    path = DRAUGHTS.words.touch.path(move, state)
    return (path[0], path[0])


def mirrored(state: Any, seat: int) -> TouchTargets:
    """Let the squares of draughts be touched on the wrong side of the board."""
    targets = DRAUGHTS.words.touch.targets(state, seat)
    places = [replace(place, word=f"-{33 - int(place.word[1:])}") for place in targets.places]
    return replace(targets, places=tuple(places))


def one_card(move: Any, state: Any) -> tuple[str, ...]:
    return ("XC",) if isinstance(move, Play) else ()


def broken_form(state: Any, seat: int) -> Any:
    """Leave out to whom cards are passed."""
    form = LITTLE.words.touch.form(state, seat)
    nodes = {
        name: tuple(replace(branch, after=re.sub(">.*", "", branch.after)) for branch in branches)
        for name, branches in form.nodes.items()
    }
    return replace(form, nodes=nodes)


SEEN = "test_the_record_a_seat_has_seen_shows_no_more_than_the_seat_sees"
DEALT = "test_of_cards_dealt_alike_a_seat_sees_all_or_none"
ALIKE = "test_games_that_look_alike_to_a_seat_are_shown_alike_to_it"
COMPLETE = "test_every_legal_word_is_a_candidate_where_the_list_is_complete"
WRITTEN = "test_the_tags_of_a_set_up_are_written_as_they_were_read"
ORDERS = "test_two_orders_of_the_same_moves_lead_to_one_key"
ONE_KEY = "test_positions_with_one_key_are_drawn_and_played_on_alike"
TAKEN_UP = "test_a_position_that_is_written_is_read_and_taken_up_again"
DIFFERS = "test_a_board_of_another_ply_differs_in_places_that_are_named"
SCORE = "test_a_tag_with_another_score_is_found"
ROUND = "test_a_round_is_read_as_it_was_entered"
PENDING = "test_a_question_that_a_word_leaves_open_is_pending"
EARLIER = "test_what_is_said_of_an_earlier_deal_stays_as_it_is"
REFUSED = "test_what_a_rule_refuses_is_found_or_open_in_the_record_a_seat_has_seen"
CANDIDATE = "test_a_candidate_is_what_its_word_says"
TAPS = "test_what_is_tapped_for_a_move_is_the_word_of_that_move"

L, H, D, C = LittleHearts, TestHearts, TestDraughts, TestChess
BROKEN: dict[str, tuple[type[Laws], AnyGame, str]] = {
    "words that show all what is taken up": (L, part(LITTLE, "hidden", view_move=taken_up_to_all), SEEN),
    "words that show all what is passed": (L, part(LITTLE, "hidden", view_move=passes_to_all), SEEN),
    "words that show all the first card of a pass": (H, part(HEARTS, "hidden", view_move=first_card_of_a_pass), SEEN),
    "words that show a hand to the next seat": (L, part(LITTLE, "hidden", view_move=hand_to_the_next), SEEN),
    "words that show a card of one hand": (L, part(LITTLE, "hidden", view_move=first_card_of_a_deal), SEEN),
    "words and views that show all what is passed": (
        L,
        part(LITTLE, "hidden", view=passes_in_view, view_move=passes_to_all),
        "test_a_card_in_a_hand_is_shown_only_by_words_that_may_show_it",
    ),
    "words that hide a seat's own pass": (
        L,
        part(LITTLE, "hidden", view_move=own_pass_hidden),
        "test_a_seats_picture_of_the_whole_record_is_that_of_the_record_it_has_seen",
    ),
    "a drawing that shows all": (L, part(LITTLE, "words", drawing=shown_to_all), ALIKE),
    "a list without hearts led": (L, part(LITTLE, "rules", candidates=no_heart_led), COMPLETE),
    "a list with the passes of p1 alone": (L, part(LITTLE, "rules", candidates=passes_of_p1), COMPLETE),
    "a list without double captures": (D, part(DRAUGHTS, "rules", candidates=steps_alone), COMPLETE),
    "a list without castling": (C, part(CHESS, "rules", candidates=no_castling), COMPLETE),
    "a list without new knights": (C, part(CHESS, "rules", candidates=no_knights), COMPLETE),
    "tags that lose whose turn it is": (D, part(DRAUGHTS, "sheet", write=black_to_move), WRITTEN),
    "tags that lose the counter": (C, part(CHESS, "sheet", write=chess_tags(clear(4, "0"))), WRITTEN),
    "tags that lose the right to castle": (C, part(CHESS, "sheet", write=chess_tags(clear(2, "-"))), WRITTEN),
    "tags with another dealer": (L, part(LITTLE, "sheet", write=next_dealer), WRITTEN),
    "tags that are not written": (D, part(DRAUGHTS, "sheet", write=lambda sheet: {}), WRITTEN),
    "a key with the history": (L, with_key(LITTLE, history), ORDERS),
    "a key with the ply": (L, with_key(LITTLE, lambda state: (LITTLE.place.key(state), state.ply)), ORDERS),
    "a key with the order of passes": (
        L,
        with_key(LITTLE, lambda state: (LITTLE.place.key(state), [move.seat for move in state.passes])),
        ORDERS,
    ),
    "a key with each man's name": (D, with_key(DRAUGHTS, lambda state: (state.board, state.mover)), TAKEN_UP),
    "a key without the open trick": (L, with_key(LITTLE, without(LITTLE, trick=())), ONE_KEY),
    "a key without the points": (L, with_key(LITTLE, without(LITTLE, points=(0,) * 4)), ONE_KEY),
    "a key without the passes": (L, with_key(LITTLE, without(LITTLE, passes=())), ONE_KEY),
    "a key without the dealer": (L, with_key(LITTLE, without(LITTLE, dealer=1)), ONE_KEY),
    "a key without kings": (D, with_key(DRAUGHTS, without_kings), ONE_KEY),
    "a key without the seat to move": (D, with_key(DRAUGHTS, lambda state: position(state)[1:]), ONE_KEY),
    "a key without a man": (D, with_key(DRAUGHTS, lambda state: re.sub(r"\b14,?", "", position(state))), ONE_KEY),
    "a key without the right to castle": (C, with_key(CHESS, without(CHESS, rights=b"")), ONE_KEY),
    "a key without the square en passant": (C, with_key(CHESS, without(CHESS, passant=-1)), ONE_KEY),
    "boards that differ nowhere": (D, part(DRAUGHTS, "boards", differ=none_differ), DIFFERS),
    "boards of chess that differ nowhere": (C, part(CHESS, "boards", differ=none_differ), DIFFERS),
    "boards that differ in what is the same": (D, part(DRAUGHTS, "boards", differ=other_way_round), DIFFERS),
    "a board taken up for the other side": (D, part(DRAUGHTS, "boards", taken_up=other_mover), TAKEN_UP),
    "a position written without kings": (D, part(DRAUGHTS, "boards", write=without_kings), TAKEN_UP),
    "a score that may be anything": (L, part(LITTLE, "points", tag_faults=none_misstated), SCORE),
    "gains of the next seat": (L, part(LITTLE, "points", gains=gains_of_others), SCORE),
    "a deal scored for the next seat": (
        H,
        trick_game(
            TrickGame(
                replace(hearts.TRICKS.game, score=lambda deal: (next_seats(hearts.TRICKS.game.score(deal)[0]), ()))
            ),
            hearts_words.__file__,
            "Hearts",
            "hearts-2026",
            "Hearts: x.",
            options=HEARTS.about.options,
        ),
        "test_a_golden_game_ends_in_the_expected_position",
    ),
    "a game closed with the shares of the others": (
        L,
        part(LITTLE, "points", shares=shares_of_others),
        "test_an_ended_game_is_closed_with_the_shares_of_its_end",
    ),
    "claims that are offered at any time": (
        C,
        part(CHESS, "turns", claims=lambda state: ("Threefold", "Fifty")),
        "test_a_word_for_a_draw_is_legal",
    ),
    "moves that are numbered at the second seat": (
        D,
        part(DRAUGHTS, "turns", number=lambda state, move: (state.round, state.mover == 2)),
        "test_move_numbers_go_up_one_by_one",
    ),
    "a round entered backward": (L, part(LITTLE, "rounds", word=backward), ROUND),
    "a round with other answers": (L, part(LITTLE, "rounds", answers=no_answers), ROUND),
    "nothing pending": (L, part(LITTLE, "hidden", pending=no_pending), PENDING),
    "nothing said of a question": (L, part(LITTLE, "hidden", tell_need=no_text), PENDING),
    "a sentence about an earlier deal": (L, part(LITTLE, "hidden", tell_need=tells_always), EARLIER),
    "questions that are not kept": (L, unseen_questions(little_hearts.TRICKS, apply_open=None), PENDING),
    "proofs that are not told": (L, unseen_questions(little_hearts.TRICKS, breaches=None), REFUSED),
    "prefixes of another seat": (L, part(LITTLE, "words", read=seat_to_move), CANDIDATE),
    "a missing pass that is always of the first seat": (
        L,
        part(LITTLE, "rules", gap_moves=gaps_of_the_first),
        "test_what_nobody_wrote_contradicts_nothing",
    ),
    "words without the prefix they need": (L, part(LITTLE, "words", needs_prefix=wrong_seat), CANDIDATE),
    "a carry that crowns nobody": (D, part(DRAUGHTS, "rules", carry=uncrowned), CANDIDATE),
    "a game that ends too early": (
        D,
        part(DRAUGHTS, "rules", outcome=early),
        "test_a_golden_game_is_judged_as_expected",
    ),
    "a rule nobody breaks": (
        D,
        part(DRAUGHTS, "rules", clauses=(*DRAUGHTS.rules.clauses, NEVER)),
        "test_every_clause_is_refused_by_three_rows",
    ),
    "a judge that lets all pass": (
        D,
        part(DRAUGHTS, "rules", judge=lax),
        "test_lists_judge_a_candidate_as_play_does",
    ),
    "taps on another square": (D, part(DRAUGHTS, "words", touch=replace(DRAUGHTS.words.touch, path=to_the_last)), TAPS),
    "taps on the other side": (D, part(DRAUGHTS, "words", touch=replace(DRAUGHTS.words.touch, targets=mirrored)), TAPS),
    "one tap for every card": (L, part(LITTLE, "words", touch=replace(LITTLE.words.touch, path=one_card)), TAPS),
    "keys that leave out to whom": (
        L,
        part(LITTLE, "words", touch=replace(LITTLE.words.touch, form=broken_form)),
        "test_legal_words_are_put_together_by_taps_and_can_be_read",
    ),
}
