"""Zarcana as a board in text and as a drawing: spaces headed by their place, hands, stashes, deck and discards.

A space shows what its top card counts (``=7``), how many cards lie there (``x2``), the card with its power, and the
minions, each with seat, size and where it points: ``2Mn``. A board wider than five columns is cut into panels.
"""

from collections.abc import Sequence

from cartulary.engine.numbers import how_many
from cartulary.engine.slots import is_slot
from cartulary.engine.zarcana.cards import NAMES, POWER_OF, TITLES, TRUMP, name_of
from cartulary.engine.zarcana.moves import POINTS, ROW, SIZES, place_name, steps_of
from cartulary.engine.zarcana.sample_uses import wasteland
from cartulary.engine.zarcana.state import CODE, DOWN, HAND_LIMIT, State
from cartulary.engine.zarcana.turns import bounds, is_over, worth
from cartulary.engine.zarcana.views import view
from cartulary.notation.card_faces import LATIN, card_symbol
from cartulary.notation.drawing import Drawing, Item
from cartulary.notation.laying import CARD, COLUMNS, PLATE, Table
from cartulary.notation.picture import Picture, Row, Span, seat_heading, wrap_words, zone_names

PANEL = 5
"""Columns of spaces side by side in text."""
_CELL = 15
_ACROSS = 3
_SHORT = {"high-priestess": "priestess", "doppelganger": "double", "holy-grail": "grail", "hanged-man": "hanged man"}


def picture(state: State, seat: int | None) -> Picture:
    """Return the table as rows of text as the seat sees it, within 80 columns; of several readings the first.

    ``seat`` is 0 for a bystander and None for all that the record knows. A reading is one of the states that the record
    may mean where a word leaves several open.
    """
    view_state = state if seat is None else view(state, seat)
    rows: list[Row] = [(Span(heading(view_state), "frame"),)]
    spaces = {*view_state.cards, *view_state.men}
    if spaces:
        rows += _board(view_state, spaces)
    for owner in range(1, view_state.options.seats + 1):
        rows += _seat(view_state, owner)
    return (*rows, (Span(piles(view_state), "frame"),))


def heading(state: State) -> str:
    """Return the line with the round, the turn and what is due, such as ``round 3: p2; p1 owes p2 2 cards``.

    If the last round was declared it also says by whom, and how many turns are left.
    """
    course = state.course
    text = f"round {state.round + 1}: p{state.turn}"
    if is_over(state):
        text = "the last round is over"
    elif course.demands:
        giver, taker = course.demands[0]
        count = min(2, len(state.hands[giver - 1]), HAND_LIMIT - len(state.hands[taker - 1]))
        text += f"; p{giver} owes p{taker} {how_many(count)}"
    elif course.extra:
        text += ", once more"
    if course.final and not is_over(state):
        text += f"; p{course.final} declared the last round; turns left: {course.turns_left}"
    return text


# --- the board ---


def _board(state: State, spaces: set[int]) -> list[Row]:
    """Return the rows of the board, in panels of five columns; ``spaces`` are the places with cards or minions."""
    steps = [steps_of(place) for place in spaces]
    west, east = min(x for x, _ in steps), max(x for x, _ in steps)
    north, south = min(y for _, y in steps), max(y for _, y in steps)
    rows: list[Row] = []
    for first in range(west, east + 1, PANEL):
        columns = range(first, min(first + PANEL, east + 1))
        if rows:
            rows.append((Span("", "frame"),))
        for row in range(north, south + 1):
            places = [row * ROW + column for column in columns]
            if spaces.intersection(places):
                rows += _line(state, places, spaces)
    return rows


def _line(state: State, places: list[int], spaces: set[int]) -> list[Row]:
    """Return the rows of one line of spaces: places and values, then cards, then minions.

    ``places`` are those of the line from west to east; those that are not in ``spaces`` stay empty.
    """
    cells = [_space(state, place) if place in spaces else [] for place in places]
    height = max(map(len, cells))
    rows: list[Row] = []
    for at in range(height):
        spans: list[Span] = []
        for cell in cells:
            line = cell[at] if at < len(cell) else ([Span("|", "frame")] if cell else [])
            width = sum(len(span.text) for span in line)
            fill = "-" if at == 0 and cell else " "
            spans += [*line, Span(fill * (_CELL - width), "frame" if cell else "empty")]
        rows.append(tuple(spans))
    return rows


def _space(state: State, place: int) -> list[list[Span]]:
    """Return the lines of one space, each a list of spans: its place and value, its top card, its minions.

    A space without cards is ``wasteland``.
    """
    stack, men = state.cards.get(place), state.men.get(place, b"")
    head = f"+{place_name(place)}"
    if stack is None:
        lines = [[Span(head, "frame")], [Span("|", "frame"), Span("wasteland", "empty")]]
    else:
        end = count_text(state, stack)
        dashes = "-" * (_CELL - 1 - len(head) - len(end))
        lines = [[Span(head + dashes + end, "frame")], [Span("|", "frame"), Span(_card(stack[-1]))]]
    for at in range(0, len(men), _ACROSS):
        line = [Span("|", "frame")]
        for code in men[at : at + _ACROSS]:
            line += [Span(minion_name(code), f"p{code // 15}"), Span(" ")]
        lines.append(line)
    return lines if men else [*lines, [Span("|", "frame")]]


def count_text(state: State, stack: Sequence[int]) -> str:
    """Return what a space counts and how many cards lie there: ``=7x2``; ``=?`` if its top card is not known."""
    least, most = worth(state, stack[-1])
    return f"={least if least == most else '?'}" + (f"x{len(stack)}" if len(stack) > 1 else "")


def minion_name(code: int) -> str:
    """Return a minion with its seat, its size and where it points: ``2Mn``."""
    return f"{code // 15}{SIZES[code // 5 % 3]}{POINTS[code % 5]}"


def _card(entry: int) -> str:
    """Return a space's top card with its power: ``T04 emperor``; or what is known of it, such as ``face down``.

    ``entry`` is the card's code and also says whether it is face down.
    """
    code = entry & CODE
    if entry & DOWN:
        return "face down" if is_slot(code) else f"{NAMES[code]} face down"
    return "unknown" if is_slot(code) else f"{NAMES[code]} {_power(code)}"


def _power(code: int) -> str:
    """Return the title of a card's power, shortened to fit a space: ``high-priestess`` is ``priestess``."""
    title = TITLES[POWER_OF[code]]
    return _SHORT.get(title, title)


# --- seats, deck and discards ---


def facts(state: State, owner: int) -> str:
    """Return a seat's score and what is left in its stash: ``score 12  stash 3S 4M 5L``.

    The score is ``10 to 12`` if cards are not known.
    """
    stash = state.stash[3 * owner - 3 : 3 * owner]
    left = " ".join(f"{count}{size}" for count, size in zip(stash, SIZES, strict=True))
    least, most = bounds(state)[owner - 1]
    points = f"{least}" if least == most else f"{least} to {most}"
    return f"score {points}  stash {left}"


def _seat(state: State, owner: int) -> list[Row]:
    """Return the rows of a seat: its score, stash and hand; seats count from 1."""
    role = f"p{owner}"
    hand = state.hands[owner - 1]
    known = [_held(code) for code in sorted(hand) if not is_slot(code)]
    head = seat_heading(role, role, owner == state.turn, facts(state, owner))
    return [head, *wrap_words("    hand  ", zone_names(known, len(hand)), role)]


def _held(code: int) -> str:
    """Return the name of a card in a hand, a trump with its power: ``7C``, ``T04 emperor``."""
    return name_of(code) if code < TRUMP else f"{name_of(code)} {_power(code)}"


def piles(state: State) -> str:
    """Return how many cards lie in the deck and on the discards, and which of the top ones are known.

    For example ``deck 12, 7C next  discards 3, KD on top``; an unknown top discard is ``~``.
    """
    text = f"deck {len(state.deck)}"
    if state.deck and not is_slot(state.deck[0]):
        text += f", {name_of(state.deck[0])} next"
    text += f"  discards {len(state.pile)}"
    if state.pile:
        text += f", {name_of(state.pile[-1])} on top"
    return text


# --- the drawing ---


CELL = (15, 14)
"""Columns and rows of a space: what it counts, and below it its card and beside that two minions."""
MAN = (5, 5)
"""Columns and rows of a minion; below the card three of them lie in a line."""
_HEAD = 3
_BESIDE, _IN_LINE = 2, 3
_WASTE = (8, 6)
"""Columns and rows of a line of spaces that is wasteland alone."""
_LARGE = ("", "small", "medium", "large")
_POINTING = {"u": "upright", "n": "pointing north", "e": "pointing east", "s": "pointing south", "w": "pointing west"}


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table drawn as the seat sees it, 0 the bystander, None for all the record knows.

    Where a word leaves several states open, the first is drawn. The wasteland around the cards is drawn too: words name
    it. A board wider than four spaces makes the drawing wider than a phone.
    """
    view_state = state if seat is None else view(state, seat)
    inhabited = {*view_state.cards, *view_state.men} or {0}
    steps = [steps_of(place) for place in inhabited]
    most = max((len(men) for men in view_state.men.values()), default=0)
    high = CELL[1] + MAN[1] * -(-max(0, most - _BESIDE) // _IN_LINE)
    board = sorted({*view_state.cards, *view_state.men, *wasteland(view_state)})
    columns = _offsets([steps_of(place)[0] for place in board], {x for x, _ in steps}, CELL[0], _WASTE[0])
    rows = _offsets([steps_of(place)[1] for place in board], {y for _, y in steps}, high, _WASTE[1])
    table = Table(LATIN, max(COLUMNS, columns[max(columns)]))
    table.say(heading(view_state))
    for place in board:
        east, south = steps_of(place)
        at = (columns[east], table.row + rows[south])
        size = (columns[east + 1] - columns[east], rows[south + 1] - rows[south])
        _draw_space(table, view_state, place, at, size)
    table.row += rows[max(rows)] + 1
    table.say(piles(view_state))
    owners = range(1, view_state.options.seats + 1)
    for owner in sorted(owners, key=lambda one: one != seat):
        hand = view_state.hands[owner - 1]
        known = [name_of(code) for code in sorted(hand) if not is_slot(code)]
        who = f"p{owner}"
        table.seat(who, facts(view_state, owner), turn=owner == view_state.turn)
        table.items.append(
            Item(f"number {who}", str(owner), (PLATE[0] - 3, table.row - 5), "frame", "", "chip", (3, 3))
        )
        table.lay("", known, who, f"in {who}'s hand", len(hand) - len(known))
    return table.drawing()


def _offsets(steps: Sequence[int], inhabited: set[int], whole: int, narrow: int) -> dict[int, int]:
    """Return where each line of spaces begins in the drawing, by its steps from the centre, and where the last ends.

    Args:
        steps: The lines that are drawn.
        inhabited: Those of them with cards or minions.
        whole: The size of these.
        narrow: The size of the others.
    """
    offsets, at = dict[int, int](), 0
    for step in range(min(steps, default=0), max(steps, default=0) + 1):
        offsets[step] = at
        at += whole if step in inhabited else narrow
    return offsets | {max(offsets) + 1: at}


def _draw_space(table: Table, state: State, place: int, at: tuple[int, int], size: tuple[int, int]) -> None:
    """Draw a space: its place and value, its top card and its minions.

    Args:
        table: What is drawn on.
        state: The state.
        place: The place of the space.
        at: Its column and row in the drawing.
        size: The columns and rows it takes.
    """
    name, stack, men = place_name(place), state.cards.get(place), state.men.get(place, b"")
    head = f"{name}  {count_text(state, stack)}" if stack else name
    role, look = ("empty land", "square") if stack else ("empty waste", "place")
    table.items.append(Item(f"space {name}", head, at, role, "" if stack else f"{name}, wasteland", look, size))
    if stack:
        symbol, label = _draw_card(stack[-1])
        unknown = is_slot(stack[-1] & CODE)
        id = table.item_id(f"unknown {name}" if unknown else symbol)
        look = "back" if unknown or stack[-1] & DOWN else "card"
        spot = (at[0] + 1, at[1] + _HEAD)
        card = Item(id, card_symbol(symbol, LATIN), spot, "middle", f"{label} on {name}", look, CARD)
        table.items.append(card)
    for number, code in enumerate(men):
        below = number - _BESIDE
        spot = (at[0] + 1 + CARD[0] + 1, at[1] + _HEAD + number * MAN[1])
        if below >= 0:
            spot = (at[0] + below % _IN_LINE * MAN[0], at[1] + CELL[1] + below // _IN_LINE * MAN[1])
        table.items.append(_minion(code, f"minion {name} {number}", spot, name))


def _minion(code: int, id: str, at: tuple[int, int], where: str) -> Item:
    """Return the item of a drawn minion.

    Args:
        code: The minion: its seat, size and pointing.
        id: The id of the item.
        at: Its column and row in the drawing.
        where: The name of its place, for the label.
    """
    owner, large, points = code // 15, code // 5 % 3 + 1, POINTS[code % 5]
    label = f"p{owner}'s {_LARGE[large]} minion, {_POINTING[points]}, on {where}"
    return Item(id, minion_name(code), at, f"p{owner}", label, "pyramid", MAN, points=points, large=large)


def _draw_card(entry: int) -> tuple[str, str]:
    """Return the name of a space's top card as it is drawn, and its label: ``T04`` and ``T04, emperor, face down``.

    For a card that is not known the name is ``?``, and the label ``face down`` or ``an unknown card``.
    """
    code = entry & CODE
    if is_slot(code):
        return "?", "face down" if entry & DOWN else "an unknown card"
    down = ", face down" if entry & DOWN else ""
    return NAMES[code], f"{NAMES[code]}, {TITLES[POWER_OF[code]]}{down}"
