"""The toy with one function another in each, and the law that finds it."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from msgspec.structs import replace

from cartulary.engine import LEGAL, Open, Outcome, Place, Refused, by_clauses, clause
from cartulary.engine.parts import state_fields
from cartulary.notation import GAMES, AnyGame, Drawing, Example, FirstGame, Item, NotationError, draw, guide_beside
from cartulary.notation.picture import Span
from tests.laws import aside
from tests.laws.aside import CLAUSES, GAME, Card, Deal, State

DRAUGHTS, TAROT = GAMES["draughts"], GAMES["tarot"]


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


def taught(**entry: Any) -> AnyGame:
    """Return the toy with another first entry."""
    first, *others = aside.GUIDE.entries
    return explained(entries=(replace(first, **entry), *others))


def explained(**guide: Any) -> AnyGame:
    changed = replace(aside.GUIDE, **guide)
    return replace(GAME, about=replace(GAME.about, load_guide=lambda: changed))


def primed(**primer: Any) -> AnyGame:
    return explained(primer=replace(aside.GUIDE.primer, **primer))


def without_its_guide() -> AnyGame:
    """Return the toy with a guide in a file that is not there."""
    return replace(GAME, about=replace(GAME.about, load_guide=guide_beside("nowhere/game.py", aside.CARDS)))


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
    answer = aside.view_move(state, move, seat)
    if isinstance(answer, Deal) and seat and answer.to == 3 - seat:
        return replace(answer, cards=(move.cards[0], *answer.cards[1:]))
    return answer


def first_hand(state: State, seat: int) -> State:
    """Show the bystander what p1 sees."""
    return aside.view(state, seat or 1)


@clause("aside.turn", "The winner of a trick leads the next; the other seat answers.", "house ruling")
def let_stand(state: State, move: Deal | Card) -> Refused | None:
    return Refused(f"It is p{state.mover}'s turn") if move.seat not in (0, state.mover) else None


def passes_over(state: State, move: Any) -> State:
    """Let a seat that spoke too early go on, and the one whose turn it was never speak."""
    after = aside.apply(state, move)
    return replace(after, mover=move.seat) if move.seat not in (0, state.mover) else after


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


def by_number(state: Any, seat: int | None) -> Drawing:
    """Name things by how many there are too."""
    drawn = draw(TAROT.words, state, seat)
    return replace(drawn, items=tuple(replace(item, id=f"{item.id} of {len(drawn.items)}") for item in drawn.items))


def too_wide(state: State, seat: int | None) -> Drawing:
    """Make cards two columns wide, and no more room for them."""
    drawn = aside.drawing(state, seat)
    return Drawing(drawn.size, tuple(replace(item, look="card", size=(2, 1)) for item in drawn.items))


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
    answer = aside.view_move(state, move, seat)
    return replace(answer, to=1) if isinstance(answer, Deal) else answer


ALIKE_TO_A_SEAT = "test_games_that_look_alike_to_a_seat_are_shown_alike_to_it"
ALIKE_TO_THE_BYSTANDER = "test_games_that_look_alike_to_the_bystander_are_shown_alike_to_it"
MAY_DO = "test_what_a_seat_may_do_does_not_depend_on_cards_it_has_not_seen"
NAMES_CLAUSES = "test_the_rules_an_entry_names_are_the_games"
FOUND = "test_every_card_is_found_by_its_word_and_every_name_finds_its_entry"
EXAMPLE = "test_the_example_of_an_entry_is_legal_where_it_stands"
FIRST_GAME = "test_the_first_game_of_its_page_is_legal_and_says_what_happens"
TOLD_VARIANTS = "test_its_page_tells_of_every_variant_and_of_no_other"
LED = "p0/p2*1a,2a,3a,1b 4a"
ID = "test_an_id_of_a_drawing_stays_with_one_thing"

FAULTS: dict[str, tuple[AnyGame, str]] = {
    "a list said to be whole that lacks the deals": (
        replace(GAME, rules=replace(GAME.rules, complete=lambda state: True)),
        "test_what_nobody_wrote_contradicts_nothing",
    ),
    "a list said to be whole, of which the deals are legal": (
        replace(GAME, rules=replace(GAME.rules, complete=lambda state: True)),
        "test_every_legal_word_is_a_candidate_where_the_list_is_complete",
    ),
    "a key with the order of the tricks": (
        replace(GAME, place=Place(key=state_fields)),
        "test_two_orders_of_the_same_moves_lead_to_one_key",
    ),
    "a key without the card led": (
        replace(GAME, place=Place(key=lambda state: (state.hands, state.taken, state.mover))),
        "test_positions_with_one_key_are_drawn_and_played_on_alike",
    ),
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
    "a carry that forgets the card": (
        replace(GAME, rules=replace(GAME.rules, carry=lambda state, move: state)),
        "test_a_candidate_is_what_its_word_says",
    ),
    "a word said to be gone that is not": (
        replace(GAME, rules=replace(GAME.rules, later=lambda state, said: not state.played)),
        "test_a_word_that_is_said_later_may_be_said_later",
    ),
    "a list that looks": (replace(GAME, rules=replace(GAME.rules, candidates=looking)), MAY_DO),
    "a verdict that looks, of what was played": (
        ruled((*CLAUSES[:2], looks, *CLAUSES[3:])),
        "test_a_verdict_without_the_hidden_cards_holds_with_them",
    ),
    "an offer that passes the turn": (
        replace(GAME, turns=replace(GAME.turns, skip=lambda state: replace(state, mover=3 - state.mover))),
        "test_an_offer_of_a_draw_is_a_ply_of_what_is_told_later",
    ),
    "a seat that does not know its own hand": (
        shown(view=lambda state, seat: aside.view(state, 0)),
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
    "a drawing whose ids change with the others": (replace(TAROT, words=replace(TAROT.words, drawing=by_number)), ID),
    "a drawing a card reaches out of": (spoken(drawing=too_wide), ID),
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
    "a due word that is refused because it comes late": (
        ruled((CLAUSES[0], let_stand, *CLAUSES[2:]), passes_over),
        "test_a_due_word_that_is_said_late_is_not_refused_for_that",
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
    "a first game against the rules": (
        primed(first_game=FirstGame(((LED.partition(" ")[0], "A."), ("4a", "A."), ("1a", "B."), ("1a", "B.")), "C.")),
        FIRST_GAME,
    ),
    "a first game that cannot be read": (primed(first_game=FirstGame((("5a", "A."), ("1a", "B.")), "C.")), FIRST_GAME),
    "a first game without a full stop": (primed(first_game=FirstGame((("4a", "A"),), "C.")), FIRST_GAME),
    "a page that tells of a variant there is not": (primed(variants=(("nassau", "B."),)), TOLD_VARIANTS),
    "a page without a word": (primed(words=()), TOLD_VARIANTS),
    "an entry of a rule there is not": (taught(clauses=("leap",)), NAMES_CLAUSES),
    "an entry without a rule": (taught(clauses=()), NAMES_CLAUSES),
    "a guide that is not there": (without_its_guide(), "test_the_guide_can_be_read"),
    "a card no entry tells of": (explained(entries=aside.GUIDE.entries[1:]), FOUND),
    "an entry of a card there is not": (taught(cards=("1a", "2a", "3a", "4a", "5a")), FOUND),
    "two entries of one name": (taught(also=("SUIT C",)), FOUND),
    "a name hidden by a key": (taught(also=("aside",)), FOUND),
    "an example against the rules": (taught(example=Example("1b", "", LED)), EXAMPLE),
    "an example that cannot be read": (taught(example=Example("5a", "It leads.")), EXAMPLE),
    "an example behind a card against the rules": (taught(example=Example("3c", "It leads.", f"{LED} 1b")), EXAMPLE),
    "an example that says nothing": (taught(example=Example("4a", "")), EXAMPLE),
    "an entry in three sentences": (taught(says="One. Two. Three."), "test_an_entry_is_short"),
    "an entry whose table has holes": (taught(table=(("rank", "takes"), ("4",))), "test_an_entry_is_short"),
    "words that tell a seat what cannot be": (
        shown(view_move=told_of_one_hand),
        "test_the_record_a_seat_has_seen_is_the_same_of_games_that_look_alike_and_has_no_fault",
    ),
}
