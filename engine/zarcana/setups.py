"""The set-up: seats, options, and a deck of which nothing is known until the table names its cards; and how it does."""

from functools import cache

from msgspec.structs import replace

from cartulary.engine.cards.deck import join_hint, set_of
from cartulary.engine.contract import Option, Refused, Sheet
from cartulary.engine.numbers import how_many
from cartulary.engine.slots import SLOT, one_kind
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.cards import EXTRA, EXTRAS, Several
from cartulary.engine.zarcana.clauses import SEAT_COUNT
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.hands import lay_as_dealt, name_deck, set_hand
from cartulary.engine.zarcana.moves import FIRST_NINE, NINE, REST, Deal
from cartulary.engine.zarcana.state import CALM, OPEN_BOARD, OPEN_DECK, Course, Options, State, Unseen

SEATS = (2, 3, 4, 5)
OPTIONS = (
    Option("extra", "The extra cards named are shuffled in.", Several(EXTRAS)),
    Option(
        "tie",
        "A tie goes to the seat with the highest card that scores for it.",
        ("highest-card",),
    ),
)


def setup(sheet: Sheet[None]) -> State | Refused:
    """Return the state before the first word: nine cards, hands of three, and a deck, all unknown.

    Args:
        sheet: The options and how many seats there are.

    Returns:
        The state, or the refusal under ``zarcana.seats``.

    Source: zarcana.seats, zarcana.setup
    """
    if sheet.seats not in SEATS:
        return Refused(f"The game has {how_many(sheet.seats, 'seat')}, expected 2 to 5", True, SEAT_COUNT)
    return _first_state(sheet.seats, sheet.options.get("extra", ""), sheet.options.get("tie") == "highest-card")


def whole_opening(seats: int) -> int:
    """Return everything that the table may name of a set-up, as bits: OPEN_BOARD, OPEN_DECK and ``1 << seat`` for each
    hand.
    """
    return OPEN_BOARD | OPEN_DECK | sum(1 << seat for seat in range(1, seats + 1))


@cache
def _first_state(seats: int, extra: str, highest: bool) -> State:
    """Return the state before the first word; a set-up without names is the same for all records with these options.

    Args:
        seats: How many seats play.
        extra: The option ``extra``: names of extra cards, separated by commas.
        highest: True for the option ``tie=highest-card``.
    """
    extras = extra.split(",")
    every = bytes(range(EXTRA)) + bytes(EXTRA + at for at, name in enumerate(EXTRAS) if name in extras)
    unseen = Unseen(one_kind(len(every), set_of(every), every))
    blank = bytes((SLOT,))
    return State(
        Options(seats, every, highest),
        dict.fromkeys(FIRST_NINE, (SLOT,)),
        {},
        (blank * 3,) * seats,
        blank * (len(every) - 9 - 3 * seats),
        b"",
        b"\5" * 3 * seats,
        0,
        1,
        0,
        0,
        Course(whole_opening(seats)),
        unseen,
    )


# --- what the table tells of it ---


def name_start(draft: Draft, move: Deal) -> None:
    """Let the first board, a first hand or the deck be the cards that the table names.

    Raises:
        BlockedError: It is named already or too late, or the cards are too few, too many or cannot lie there.
    """
    course, where = draft.course, _zone_title(move.to)
    bit = OPEN_DECK if move.to == REST else OPEN_BOARD if move.to == NINE else 1 << move.to
    if not course.opening:
        draft.block(clauses.TURN, "The table gives cards only before the first turn and after a shuffle")
    if not course.opening & bit:
        draft.block(clauses.SETUP, f"{where} has been given already")
    count = 9 if move.to == NINE else 3
    if move.to != REST and len(move.cards) != count:
        draft.block(clauses.SETUP, f"{where} has {count} cards, not {len(move.cards)}{join_hint(len(move.cards))}")
    if move.to == REST:
        name_deck(draft, move)
    elif move.to == NINE:
        zone = lay_as_dealt(draft, bytes([draft.cards[place][0] for place in FIRST_NINE]), move.cards)
        draft.cards = {place: (code,) for place, code in zip(FIRST_NINE, zone, strict=True)}
    else:
        set_hand(draft, move.to, lay_as_dealt(draft, draft.hands[move.to - 1], move.cards))
    rest = course.opening & ~bit
    draft.course = replace(course, opening=rest) if rest else CALM


def _zone_title(to: int) -> str:
    """Return the subject of a sentence about a zone that the table names: ``p2's first hand``, ``The first board``,
    ``The deck``.
    """
    return "The deck" if to == REST else "The first board" if to == NINE else f"p{to}'s first hand"
