"""A duel as text and as a drawing: what is due, then each seat's deck, hand, area, face-down row and discard pile."""

from collections.abc import Iterator

from cartulary.engine.numbers import how_many
from cartulary.engine.tarot_duel import State
from cartulary.engine.tarot_duel.cards import COUNTS_AS, ITSELF, KINDS, MAJOR, NAMES, SUITS, name_of
from cartulary.engine.tarot_duel.shuffles import settle
from cartulary.engine.tarot_duel.state import DRAWN, Side, due_sentence
from cartulary.engine.tarot_duel.views import view
from cartulary.notation.card_faces import LATIN
from cartulary.notation.drawing import Drawing
from cartulary.notation.laying import Table
from cartulary.notation.picture import WIDTH, Picture, Row, Span, seat_heading, wrap_words, zone_names

_TOP_SHOWN = 5
_SUIT_NAMES = {"D": "coins", "S": "swords", "C": "cups", "W": "staves"}


def picture(state: State, seat: int | None) -> Picture:
    """Return the table as rows of text as the seat sees it, within 80 columns.

    ``seat`` is 0 for a bystander and None for all that the record knows.
    """
    visible = state if seat is None else view(state, seat)
    now = settle(visible)
    rows: list[Row] = [(Span(heading(visible, now)[:WIDTH], "frame"),)]
    if visible.act.chain:
        rows.append(_window(visible))
    for owner in range(1, now.options.seats + 1):
        rows += _seat(visible, owner)
    return tuple(rows)


def heading(state: State, now: State) -> str:
    """Return the line with the turn and what is due, such as ``turn 3: p1 to draw``; ``now`` is the state settled."""
    line = f"turn {state.turns + 1}: p{state.turn}"
    if now.outcome is not None:
        line += "; the game is over"
    elif now.due:
        line += f"; {due_sentence(now.due[0])}"
    elif not now.flags & DRAWN:
        line += " to draw"
    if state.options.total:
        line += f"; {how_many(state.options.total, 'point wins', 'points win')}"
    return line


def _window(state: State) -> Row:
    """Return the row of the cards on the table that may be answered, each with its seat; there must be one."""
    played = ", ".join(f"p{seat} {NAMES[card]}" for seat, card in state.act.chain)
    return (Span(f"on the table: {played}; it may be answered"[:WIDTH], "last"),)


def facts(state: State, owner: int) -> list[str]:
    """Return what holds for a seat, each as a text: ``deck 20``, ``points 3``, and effects such as ``Strength``."""
    side = state.sides[owner - 1]
    parts = [f"deck {len(side.deck)}", f"points {side.points}"]
    parts += ["out"] * (state.marks.out >> owner & 1)
    parts += ["Strength"] * (state.marks.strong >> owner & 1)
    return parts + ["Justice ready"] * bool(state.marks.ready[owner - 1])


def top(state: State, owner: int) -> list[str]:
    """Return the names of the known cards on top of a seat's deck, at most five, the top one first.

    Empty if they are not known, if there is no deck, or while a shuffle is not written.
    """
    deck = state.sides[owner - 1].deck
    known = not state.loose and deck and deck[0] < KINDS
    return _runs([name_of(code) for code in deck[:_TOP_SHOWN]]) if known else []


def _seat(state: State, owner: int) -> list[Row]:
    """Return the rows of a seat: top of its deck, hand, area, face-down row and discards; empty zones are left out."""
    side, role = state.sides[owner - 1], f"p{owner}"
    rows = [seat_heading(role, role, owner == state.turn, "  ".join(facts(state, owner)))]
    if names := top(state, owner):
        rows += wrap_words("    top   ", names, role)
    hand = [NAMES[card] for card in sorted(side.hand) if card < KINDS]
    rows += wrap_words("    hand  ", zone_names(hand, len(side.hand)), role)
    rows += _area(side, role)
    if side.row:
        face_down = [f"a{at} {standing(code)}" for at, code in enumerate(side.row, 1)]
        rows += wrap_words("    down  ", face_down, role)
    if side.pile:
        shown = f"{len(side.pile)}, {name_of(side.pile[-1])} on top"
        rows.append((Span("    pile  ", "frame"), Span(shown, role)))
    return rows


def _runs(names: list[str]) -> list[str]:
    """Return the names before the first unknown card, ``~``; all names if none is unknown."""
    return names[: names.index("~")] if "~" in names else names


def standing(code: int) -> str:
    """Return the name of a card in an area; of a copy with what it stands for: ``T01=7C``."""
    stands = COUNTS_AS[code]
    return name_of(code) if stands == ITSELF[code] or code < KINDS else f"{name_of(code)}={NAMES[stands]}"


def by_suit(side: Side) -> Iterator[tuple[str, list[int]]]:
    """Yield (suit, codes of its cards in order) for each suit in an area; last, as ``?``, those of no known suit."""
    for suit in range(5):
        cards = [code for code in side.area if min(COUNTS_AS[code] // 14, 4) == suit]
        if cards:
            yield SUITS[suit] if suit < MAJOR // 14 else "?", sorted(cards, key=lambda code: (COUNTS_AS[code], code))


def _area(side: Side, role: str) -> list[Row]:
    """Return the rows of an area, one suit a row; none for an empty area."""
    rows: list[Row] = []
    for name, cards in by_suit(side):
        rows += wrap_words(f"    {name}     ", [standing(code) for code in cards], role)
    return rows


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table drawn as the seat sees it; 0 is a bystander, None all that the record knows.

    The seat that looks comes first, then the others in their order.
    """
    visible, table = state if seat is None else view(state, seat), Table(LATIN)
    now = settle(visible)
    table.say(heading(visible, now))
    if visible.act.chain:
        table.say("on the table, and may be answered")
        for owner, card in visible.act.chain:
            table.lay(f"by p{owner}", [NAMES[card]], "last", f"played by p{owner}", of=f"p{owner}", wide=20)
    owners = range(1, now.options.seats + 1)
    for owner in sorted(owners, key=lambda one: one != seat):
        _draw_seat(table, visible, owner)
    return table.drawing()


def _draw_seat(table: Table, state: State, owner: int) -> None:
    """Draw what a seat has on the table: its hand, area, face-down row and discards, and the known top of its deck."""
    side, who = state.sides[owner - 1], f"p{owner}"
    table.seat(who, "  ".join(facts(state, owner)), turn=owner == state.turn)
    # Cards of the area get their ids first: they stay where they are the longest.
    areas = [
        (suit, [table.card(standing(code), who, f"{standing(code)} in {who}'s area", of=who) for code in cards])
        for suit, cards in by_suit(side)
    ]
    hand = [NAMES[card] for card in sorted(side.hand) if card < KINDS]
    table.lay("hand", hand, f"{who} hand", f"in {who}'s hand", len(side.hand) - len(hand), of=who)
    for suit, drawn in areas:
        table.group(_SUIT_NAMES.get(suit, "no suit"), drawn)
    if side.row:
        row = enumerate(side.row, 1)
        cards_down = [
            table.card(standing(code), f"{who} row", f"a{at}, {standing(code)}, face down", corner=f"a{at}", of=who)
            for at, code in row
        ]
        table.group("face down", cards_down)
    if side.pile:
        name = name_of(side.pile[-1])
        table.lay(f"discards {len(side.pile)}", [name], f"{who} pile", f"on {who}'s discards", of=who)
    table.lay("top of the deck", top(state, owner), f"{who} deck", f"on top of {who}'s deck", of=who)
