"""Tarot drawn: the hands as far as they are known, the trick with who played what, and what lies aside."""

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.tarot import NAMES, State, view
from cartulary.notation.drawing import Drawing
from cartulary.notation.laying import FRENCH, Table
from cartulary.notation.tarot.picture import aside, heading, in_hand, standing, won


def drawing(state: State, seat: int | None) -> Drawing:
    """Return the table as the seat sees it, 0 the bystander, None for all the record knows."""
    visible, table = state if seat is None else view(state, seat), Table(FRENCH)
    table.say(heading(visible))
    for place in range(visible.house.seats):
        who, (known, hidden) = f"p{place + 1}", in_hand(visible, place)
        turn = place + 1 == visible.turn and visible.phase != "deal"
        table.say(f"> {who} is to {'play' if visible.phase == 'play' else 'speak'}" if turn else who)
        table.lay([NAMES[card] for card in cards_of(known)], who, f"in {who}'s hand", hidden)
    what, known = aside(visible)
    if what:
        table.say("put away" if what == "away" else what)
        table.lay(
            [NAMES[card] for card in cards_of(known)],
            "aside",
            "in the chien" if what == "chien" else "put away",
            visible.house.chien - known.bit_count(),
        )
    if visible.phase == "play":
        _trick(table, visible)
    for line in standing(visible):
        table.say(line)
    return table.drawn()


def _trick(table: Table, state: State) -> None:
    table.say(f"trick {len(state.tricks) + 1}" + ("" if state.by or not state.turn else f": p{state.turn} leads"))
    for at, (seat, card) in enumerate(zip(state.by, state.laid, strict=True)):
        role = f"p{seat} last" if at == len(state.laid) - 1 else f"p{seat}"
        name = NAMES[card] if card >= 0 else "~"
        table.put(name, role, f"{name} played by p{seat}", corner=f"p{seat}")
    table.end()
    table.say(f"points won  {won(state)}")
