"""A duel drawn as a table: what is due, then each seat's deck, hand, area by suit, face-down row and discard pile."""

from cartulary.engine.tarot_duel import State, settle, view
from cartulary.engine.tarot_duel.cards import COUNTS_AS, ITSELF, KINDS, MAJOR, NAMES, SUITS, name_of
from cartulary.engine.tarot_duel.state import DRAWN, DUES, Side
from cartulary.notation.picture import WIDTH, Picture, Row, Span, told, wrapped

_TOP_SHOWN = 5


def picture(state: State, seat: int | None) -> Picture:
    """Return the table as the seat sees it, 0 the bystander, None for all the record knows, within 80 columns."""
    seen = state if seat is None else view(state, seat)
    now = settle(seen)
    rows = [_heading(seen, now)]
    if seen.act.chain:
        rows.append(_window(seen))
    for owner in range(1, now.house.seats + 1):
        rows += _seat(seen, owner)
    return tuple(rows)


def _heading(state: State, now: State) -> Row:
    said = f"turn {state.turns + 1}: p{state.turn}"
    if now.ended is not None:
        said += "; the game is over"
    elif now.due:
        due = now.due[0]
        said += f"; {'the table' if due.seat == 0 else f'p{due.seat}'} owes {DUES[due.what]}"
    elif not now.flags & DRAWN:
        said += " to draw"
    if state.house.total:
        said += f"; {state.house.total} points win"
    return (Span(said[:WIDTH], "frame"),)


def _window(state: State) -> Row:
    played = ", ".join(f"p{seat} {NAMES[card]}" for seat, card in state.act.chain)
    return (Span(f"on the table: {played}; it may be answered"[:WIDTH], "last"),)


def _seat(state: State, owner: int) -> list[Row]:
    side, role = state.sides[owner - 1], f"p{owner}"
    mark = ">" if owner == state.turn else " "
    facts = [f"deck {len(side.deck)}", f"points {side.points}"]
    if state.marks.out >> owner & 1:
        facts.append("out")
    if state.marks.strong >> owner & 1:
        facts.append("Strength")
    facts += ["Justice ready"] * bool(state.marks.ready[owner - 1])
    rows: list[Row] = [(Span(f"{mark} p{owner}  ", "frame"), Span("  ".join(facts), role))]
    top = [name_of(code) for code in side.deck[:_TOP_SHOWN]]
    if not state.loose and side.deck and side.deck[0] < KINDS:
        rows += wrapped("    top   ", _runs(top), role)
    hand = [NAMES[card] for card in sorted(side.hand) if card < KINDS]
    rows += wrapped("    hand  ", told(hand, len(side.hand)), role)
    rows += _area(side, role)
    if side.row:
        face_down = [f"a{at} {_standing(code)}" for at, code in enumerate(side.row, 1)]
        rows += wrapped("    down  ", face_down, role)
    if side.pile:
        shown = f"{len(side.pile)}, {name_of(side.pile[-1])} on top"
        rows.append((Span("    pile  ", "frame"), Span(shown, role)))
    return rows


def _runs(names: list[str]) -> list[str]:
    """Return names up to the first that is not known."""
    return names[: names.index("~")] if "~" in names else names


def _standing(code: int) -> str:
    """Return a card of an area; of a copy what it stands for too."""
    stands = COUNTS_AS[code]
    return name_of(code) if stands == ITSELF[code] or code < KINDS else f"{name_of(code)}={NAMES[stands]}"


def _area(side: Side, role: str) -> list[Row]:
    rows: list[Row] = []
    for suit in range(5):
        cards = [code for code in side.area if min(COUNTS_AS[code] // 14, 4) == suit]
        if cards:
            cards.sort(key=lambda code: (COUNTS_AS[code], code))
            name = SUITS[suit] if suit < MAJOR // 14 else "?"
            rows += wrapped(f"    {name}     ", [_standing(code) for code in cards], role)
    return rows
