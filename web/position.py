"""The position on the page of a table: how it is drawn, from which side, and what of it may be tapped."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.deadline import DeadlineExceeded, check_deadline
from cartulary.notation import draw
from cartulary.notation.contract import FormBranch, FormThing, Keypad, TouchTargets, WordForm
from cartulary.notation.drawing import BOARD_PLACES, Item
from cartulary.notation.seat_names import SHORTEST_NAME, name_seats
from cartulary.records import api
from cartulary.records.table.at_table import Offer, judged_offers
from cartulary.web.pages import seat_drawn
from cartulary.web.rates import WHILE_TYPING, time_limit
from cartulary.web.visitors import Visitor

Way = TypeVar("Way", FormBranch, FormThing)

MOST_OFFERS = 3000
"""If a position has more legal moves than this, none is offered to be tapped."""
_MERGES = 4
"""How often equal nodes and groups of a form are looked for: those that lead to equal ones are found the next time."""
MEN = ("figure", "piece", "card")
"""The looks of what is captured on a board."""


def seat_to_turn_to(view: "api.View", below: int) -> int:
    """Return the seat whose side would be drawn below if the board were turned; 0 if there is nothing to turn.

    Only a game of two in which everybody sees everything can be turned.

    Args:
        view: The record as the visitor sees it.
        below: The seat that is drawn below now, 0 for the usual one.
    """
    game, state = view.position.game, view.position.drawn_state
    if not game.hidden.face_up or len(view.players) != 2:
        return 0
    here = draw(game.words, state, seat_drawn(view, below))
    return next((side for side in (2, 1) if draw(game.words, state, side) != here), 0)


def captured_men(view: "api.View") -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return pairs of a role and the symbols of the men that have left the board since the start, sorted by role.

    The role says whose they were. It is empty if the position is no board of squares, and if nothing was played.
    """
    steps, game = view.steps, view.position.game
    if not steps or not game.hidden.face_up:
        return ()
    start = draw(game.words, steps[0].state, None).items
    if not any(item.look in BOARD_PLACES for item in start):
        return ()
    here = {item.id for item in draw(game.words, view.position.state, None).items}
    gone: dict[str, list[Item]] = {}
    for item in start:
        if item.look in MEN and item.id not in here:
            gone.setdefault(item.role, []).append(item)
    return tuple((role, tuple(item.symbol for item in items)) for role, items in sorted(gone.items()))


def offers(view: "api.View", visitor: Visitor) -> tuple["Offer", ...]:
    """Return the legal moves that the visitor may tap, each with what is to be said of it.

    There are none if the game is closed, the view is muted, it is not the seat's turn, or they are more than
    ``MOST_OFFERS`` or take too long to find.
    """
    if view.closed or (visitor.own and visitor.seat not in view.actors):
        return ()
    try:
        with time_limit(WHILE_TYPING):
            moves = judged_offers(view)
    except DeadlineExceeded:
        check_deadline()  # raises if the time for the whole page is over too, or the client has gone away
        return ()
    return moves if len(moves) <= MOST_OFFERS else ()


class CallKey(Struct, frozen=True, omit_defaults=True):
    """A key for a call or for a claim of a draw.

    Attributes:
        word: What is written.
        label: What stands on the key.
        open: Whether the key lies open, because it answers an offer or the rules allow the claim now; others are
            in a fold.
    """

    word: str
    label: str
    open: bool = False


LABELS = {
    "Resign": "{} resigns",
    "Draw": "{} offers a draw",
    "Agree": "{} agrees to the draw",
    "Timeout": "{}: no time left",
}
"""What stands on the key of each call of a seat."""


def call_keys(view: "api.View", visitor: Visitor) -> tuple[CallKey, ...]:
    """Return the keys of the calls that the visitor may make, such as resigning.

    A seat calls for itself, a scribe for every seat. A draw is agreed to while another seat's offer of one is open, and
    claimed while the rules allow it; in a quiet record a claim is not shown. There are none in a closed or ended game.
    """
    position = view.position
    game, first = position.game, position.game.turns.first(position.state)
    if view.closed or not view.actors or position.only_scored:
        return ()
    offer, agreeing = position.calls.offer, position.calls.agreeing_seats
    keys = []
    for seat in (visitor.seat,) if visitor.own else range(1, position.seats + 1):
        name = name_seats(f"p{seat}", view.players, SHORTEST_NAME)
        for word in game.turns.calls:
            answers = word == "Agree"
            if (answers and (offer in (0, seat) or seat in agreeing)) or (word == "Draw" and offer == seat):
                continue
            text = word if seat == first else f"p{seat}/{word}"
            keys.append(CallKey(text, LABELS.get(word, f"{{}}: {word}").format(name), answers))
    if not visitor.own:
        keys += [CallKey(line, label, True) for label, line in game.words.touch.lines(position.state)]
    if not view.quietly and (not visitor.own or visitor.seat == first):
        keys += [CallKey(word, f"Claim a draw: {word}", True) for word in game.turns.claims(position.state)]
    return tuple(keys)


class Surface(Struct, frozen=True):
    """What a visitor may tap now.

    Attributes:
        offers: The legal and undecided words, each with what is tapped to write it; empty in a quiet record.
        targets: Whatever the seat to speak may touch, legal or not.
        keypad: The keys of cards that are not on the drawing.
        form: How words are put together step by step; empty in a game whose words are not.
        calls: The keys of calls, such as to resign, and of claims of a draw.
        signs: What stands on keys that end a path, by their text, such as ``♛`` for ``=Q``.
    """

    offers: tuple[Offer, ...] = ()
    targets: TouchTargets = TouchTargets()
    keypad: Keypad = Keypad()
    form: WordForm = WordForm()
    calls: tuple[CallKey, ...] = ()
    signs: Mapping[str, str] = {}


def compact_form(form: WordForm, players: Sequence[str] = ()) -> WordForm:
    """Return the form of a game's words in fewer characters; it leads to the same words.

    Equal nodes and groups become one and get short names such as ``1f``; the first node stays ``start``. Nodes that
    cannot be reached from it are left out.

    Args:
        form: The form: which key may follow which, as nodes that lead to one another.
        players: The players' names, which stand on its keys in place of seats.
    """
    nodes = {node: node for node in form.nodes} | {"": ""}
    groups = {group: group for group in form.groups} | {"": ""}

    def merged(way: Way) -> Way:
        """Return a branch or a thing of the form that leads to the first of equal nodes.

        A branch also gets the first of equal groups.
        """
        if isinstance(way, FormBranch):
            return replace(way, next_node=nodes[way.next_node], group=groups[way.group])
        return replace(way, next_node=nodes[way.next_node])

    for _ in range(_MERGES):
        first: dict[object, str] = {}
        for node, ways in form.nodes.items():
            nodes[node] = first.setdefault((tuple(map(merged, ways)), node in form.ends, form.titles.get(node)), node)
        for group, things in form.groups.items():
            groups[group] = first.setdefault(tuple(map(merged, things)), group)
    ways_of = {node: tuple(map(merged, ways)) for node, ways in form.nodes.items() if nodes[node] == node}
    things_of = {group: tuple(map(merged, things)) for group, things in form.groups.items() if groups[group] == group}
    short_nodes, short_groups = {"": ""}, {"": ""}
    open_nodes = ["start"] if form.nodes else []
    while open_nodes:
        node = open_nodes.pop()
        if node in short_nodes:
            continue
        short_nodes[node] = f"{len(short_nodes) - 1:x}" if node != "start" else node
        for way in ways_of[node]:
            if way.group not in short_groups:
                short_groups[way.group] = f"{len(short_groups) - 1:x}"
                open_nodes += (thing.next_node for thing in things_of[way.group] if thing.next_node)
            open_nodes += [way.next_node] if way.next_node else []

    def short(way: Way) -> Way:
        """Return a branch or a thing of the form with short names, and with the players' names on its key."""
        label = name_seats(way.label, players, SHORTEST_NAME) if way.label else ""
        way = replace(way, label=label, next_node=short_nodes[way.next_node])
        return replace(way, group=short_groups[way.group]) if isinstance(way, FormBranch) else way

    return WordForm(
        {name: tuple(map(short, ways_of[node])) for node, name in short_nodes.items() if node},
        {name: tuple(map(short, things_of[group])) for group, name in short_groups.items() if group},
        tuple(name for node, name in short_nodes.items() if node in form.ends),
        form.once,
        {
            name: name_seats(form.titles[node], players, SHORTEST_NAME)
            for node, name in short_nodes.items()
            if node in form.titles
        },
    )


def men_of_keys(tappable: Surface) -> tuple[tuple[str, str, str], ...]:
    """Return the men on keys that end a path, each with the key's text and its colour; none while none can be tapped.

    Args:
        tappable: What may be tapped.
    """
    ends = any(path and path[-1] in tappable.signs for path in (offer.path for offer in tappable.offers))
    if not ends and not any(thing.keys for thing in tappable.targets.things):
        return ()
    return tuple((key, sign, "white" if "♔" <= sign <= "♙" else "black") for key, sign in tappable.signs.items())


def surface(view: "api.View", visitor: Visitor) -> Surface:
    """Return what a visitor may tap to play, worked out from what the visitor sees.

    While it is not the visitor's turn there are only calls, such as resigning. Who writes quietly for all seats taps
    what the rail sees.
    """
    shown = _moves_to_tap(view, visitor)
    signs = view.position.game.words.touch.signs(view.position.state) if shown.targets.things else {}
    return replace(shown, calls=call_keys(view, visitor), signs=signs)


def _moves_to_tap(view: "api.View", visitor: Visitor) -> Surface:
    """Return what a visitor may tap to play, without calls; no moves while it is not the visitor's turn."""
    game, state = view.position.game, view.position.state
    seat = visitor.seat if visitor.own else next(iter(view.actors), 0)
    if view.closed or (seat not in view.actors and not (seat and game.words.touch.out_of_turn)):
        return Surface(offers(view, visitor))
    if view.quietly and not view.viewer.seat and not game.hidden.face_up:
        state = game.hidden.view(state, 0)
    touch = game.words.touch
    form = compact_form(touch.form(state, seat if visitor.own else 0), view.players)
    if not seat:
        return Surface(offers(view, visitor), keypad=touch.keypad(state, 0) if form.nodes else Keypad(), form=form)
    return Surface(offers(view, visitor), touch.targets(state, seat), touch.keypad(state, seat), form)
