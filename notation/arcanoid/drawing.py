"""Arcanoid drawn: what is due, deck and pile, what lies in the middle, then each seat and daemon with its fields."""

from cartulary.engine.arcanoid.cards import FIELDS, NAMES, listed
from cartulary.engine.arcanoid.dues import cleared
from cartulary.engine.arcanoid.moves import DAEMON
from cartulary.engine.arcanoid.sets import JUDGED
from cartulary.engine.arcanoid.state import Commitment, State, everybody, side_of, who_name
from cartulary.engine.arcanoid.views import view
from cartulary.notation.arcanoid.picture import heading, middle, to_speak
from cartulary.notation.drawing import Drawing
from cartulary.notation.laying import Table


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table as the seat sees it, None for all the record knows."""
    seen, table = cleared(state if seat is None else view(state, seat)), Table()
    table.say(heading(seen))
    table.say("  ".join(middle(seen)))
    if seen.aside:
        table.say("aside")
        table.lay([NAMES[card] for card in seen.aside], "middle", "put aside")
    if seen.row is not None:
        table.say("row")
        _zone(table, seen.row, "middle", "in the row")
    if seen.wins:
        table.say(f"won by {', '.join(f'p{seat}' for seat in seen.wins)}")
    for who in everybody(seen.sides):
        _side(table, seen, who)
    return table.drawn()


def _side(table: Table, state: State, who: int) -> None:
    side, name, role = side_of(state, who), who_name(who), f"p{who % DAEMON}"
    hermit = f"  Hermit {side.hermit}" if side.hermit else ""
    table.say(f"{'> ' if who == to_speak(state) else ''}{name}{hermit}: hand")
    _zone(table, side.hand, role, f"in {name}'s hand")
    if side.open:
        table.say("  open")
        _zone(table, side.open, role, f"open before {name}")
    if side.reserve is not None:
        table.say("  chariot")
        _zone(table, side.reserve, role, f"in {name}'s chariot")
    if any(there is not None for there in side.fields):
        table.say("  fields")
    for field, there in enumerate(side.fields):
        if there is not None:
            _field(table, there, role, FIELDS[field], f"of {name} on the field {FIELDS[field]}")
    table.end()


def _field(table: Table, there: Commitment, role: str, field: str, where: str) -> None:
    """Put what a side has on a field, each card with the field's letter; brackets for what lies face down."""
    known = [card for card in there.cards if card < len(NAMES)]
    corner = f"({field})" if there.secret else field
    if there.kind == JUDGED or not there.cards:
        said = "judged" if there.kind == JUDGED else "abdicated"
        table.put(said, f"{role} {field}", f"{said} {where}", look="back", symbol=said, corner=corner)
        return
    for card in listed(known):
        table.put(NAMES[card], role, f"{NAMES[card]} {where}{', face down' if there.secret else ''}", corner=corner)
    if hidden := len(there.cards) - len(known):
        label = f"{hidden} face down {where}"
        table.put("unknown", f"{role} {field}", label, look="back", symbol=str(hidden), corner=corner)


def _zone(table: Table, zone: bytes, role: str, where: str) -> None:
    known = [NAMES[card] for card in listed(card for card in zone if card < len(NAMES))]
    table.lay(known, role, where, len(zone) - len(known))
