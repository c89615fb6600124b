"""Zarcana drawn: the board of spaces with cards and minions on them, then hands, stashes, deck and discards."""

from cartulary.engine.slots import is_slot
from cartulary.engine.zarcana.cards import NAMES, POWER_OF, TITLES, name_of
from cartulary.engine.zarcana.place_names import POINTS, place_name, steps_of
from cartulary.engine.zarcana.state import CODE, DOWN, State
from cartulary.engine.zarcana.views import view
from cartulary.notation.drawing import Drawing, Item
from cartulary.notation.laying import COLUMNS, Table
from cartulary.notation.zarcana.picture import counted, facts, heading, minion_name, piles

WIDE = 5
"""Columns of a space; below each other what it counts, its card, and its minions, as many in a line."""
_HEAD = 3
_LARGE = ("", "small", "medium", "large")
_POINTING = {"u": "upright", "n": "pointing north", "e": "pointing east", "s": "pointing south", "w": "pointing west"}


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table as the seat sees it, 0 the bystander, None for all the record knows; of readings the first.

    A board wider than four spaces makes the drawing wider than a phone.
    """
    seen = state if seat is None else view(state, seat)
    steps = [steps_of(place) for place in {*seen.cards, *seen.men}] or [(0, 0)]
    west, north = min(x for x, _ in steps), min(y for _, y in steps)
    wide = max(x for x, _ in steps) - west + 1
    most = max((len(men) for men in seen.men.values()), default=0)
    high = _HEAD + 2 * -(-most // WIDE)
    table = Table(columns=max(COLUMNS, wide * WIDE))
    table.say(heading(seen))
    for place in sorted({*seen.cards, *seen.men}):
        east, south = steps_of(place)
        _space(table, seen, place, ((east - west) * WIDE, table.row + (south - north) * high), high)
    table.row += (max(y for _, y in steps) - north + 1) * high
    for owner in range(1, seen.house.seats + 1):
        hand = seen.hands[owner - 1]
        known = [name_of(code) for code in sorted(hand) if not is_slot(code)]
        table.say(f"{'> ' if owner == seen.turn else ''}p{owner}  {facts(seen, owner)}")
        table.lay(known, f"p{owner}", f"in p{owner}'s hand", len(hand) - len(known))
    table.say(piles(seen))
    return table.drawn()


def _space(table: Table, state: State, place: int, at: tuple[int, int], high: int) -> None:
    name, stack, men = place_name(place), state.cards.get(place), state.men.get(place, b"")
    head = f"{name}  {counted(state, stack)}" if stack else name
    table.items.append(Item(f"space {name}", head, at, "empty", look="square", size=(WIDE, high)))
    if stack:
        symbol, label = _card(stack[-1])
        unknown = is_slot(stack[-1] & CODE)
        id = table.named(f"unknown {name}" if unknown else symbol)
        look = "back" if unknown or stack[-1] & DOWN else "card"
        card = Item(id, symbol, (at[0], at[1] + 1), "middle", f"{label} on {name}", look, (WIDE, 2))
        table.items.append(card)
    for number, code in enumerate(men):
        spot = (at[0] + number % WIDE, at[1] + _HEAD + number // WIDE * 2)
        table.items.append(_minion(code, f"minion {name} {number}", spot, name))


def _minion(code: int, id: str, at: tuple[int, int], where: str) -> Item:
    owner, large, points = code // 15, code // 5 % 3 + 1, POINTS[code % 5]
    label = f"p{owner}'s {_LARGE[large]} minion, {_POINTING[points]}, on {where}"
    return Item(id, minion_name(code), at, f"p{owner}", label, "pyramid", (1, 2), points=points, large=large)


def _card(entry: int) -> tuple[str, str]:
    """Return what is drawn of a card, and what it is called."""
    code = entry & CODE
    if is_slot(code):
        return "?", "face down" if entry & DOWN else "an unknown card"
    down = ", face down" if entry & DOWN else ""
    return NAMES[code], f"{NAMES[code]}, {TITLES[POWER_OF[code]]}{down}"
