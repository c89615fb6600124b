"""What each trump does, for the second referee of Arcanoid: from the rulebook alone.

An effect checks its word, raises Fault with its own key, then changes the table; the caller has taken no card yet. It
returns what is drawn before the mover fills his hand.
"""

import re
from collections.abc import Callable

from tests.referees.arcanoid.board import ROW, Player, Table
from tests.referees.arcanoid.cards import CARD, CARDS, KEY, TRUMPS, Fault, in_order, is_trump, split

Items = list[tuple[str, str]]
Effect = Callable[[Table, str, str], Items]


def _read(pattern: str, text: str, key: str) -> re.Match[str]:
    match = re.fullmatch(pattern, text)
    if match is None:
        raise Fault(key, f"not {text}")
    return match


def _target(table: Table, name: str, key: str) -> Player:
    player = table.players.get(name)
    if player is None or player.finished:
        raise Fault(key, f"{name} is not in play")
    return player


def _spend(table: Table, key: str, card: str) -> None:
    table.leave(key, [card])
    table.pile.append(card)


def priestess(table: Table, key: str, rest: str) -> Items:
    """Look at another seat's hand, and play again."""
    target = _target(table, _read(rf">({KEY})", rest, "high-priestess")[1], "high-priestess")
    if target.key == key:
        raise Fault("high-priestess", "another seat")
    _spend(table, key, "T02")
    table.again = True
    return []


def shown(table: Table, named: str, without: str = "T05") -> dict[str, list[str]]:
    """Return what every seat shows of a suit, the trumps or the Fool: daemons nothing, the USA its hand."""
    found: dict[str, list[str]] = {}
    for key, player in table.players.items():
        cards = [card for card in player.cards() if card != without]
        if key != table.usa:
            cards = [card for card in cards if named in (card, card[-1]) or (named == "T" and card in TRUMPS[1:])]
        if cards and not player.daemon:
            found[key] = in_order(cards)
    return found


def hierophant(table: Table, key: str, rest: str) -> Items:
    """Let every seat show its cards of a suit, and play again."""
    match = _read(rf"=(T00|[SWCDT])((?:\^p\d+={CARDS})*|\^None)", rest, "hierophant")
    if match[2]:
        by_name = dict(part.split("=") for part in match[2].split("^")[1:] if part != "None")
        for name, player in table.players.items():
            _shows(table, match[1], name, player, split(by_name.get(name)))
    _spend(table, key, "T05")
    table.again = True
    return []


def _shows(table: Table, named: str, name: str, player: Player, cards: list[str]) -> None:
    has = [card for card in shown(table, named).get(name, []) if card != "~"]
    if set(has) - set(cards) or cards != in_order(cards):
        raise Fault("hierophant", f"{name} shows {cards}, not {has}")
    new = [card for card in cards if card not in has]
    if len(new) > player.hand.count("~") or any(table.seen(card) for card in new):
        raise Fault("hierophant", f"{name} does not have {new}")
    for card in new:
        player.hand[player.hand.index("~")] = card


def justice(table: Table, key: str, rest: str) -> Items:
    """Lay out six cards for everybody, and play again."""
    _read("", rest, "justice")
    table.leave(key, ["T08"])
    table.aside.append("T08")
    table.row = []
    table.again = True
    return [(ROW, "row")]


def hermit(table: Table, key: str, rest: str) -> Items:
    """Give three extra moves."""
    _read("", rest, "hermit")
    table.leave(key, ["T09"])
    table.hermit = (key, 3)
    return []


def wheel(table: Table, key: str, rest: str) -> Items:
    """Draw five; what is too much is due to be discarded."""
    _read("", rest, "wheel")
    _spend(table, key, "T10")
    table.excess = key
    return [(key, "one")] * 5


def strength(table: Table, key: str, rest: str) -> Items:
    """Make the hand greater, by two visible cards or a hidden one."""
    count = _read(r"=([12])", rest, "strength")[1]
    table.leave(key, ["T11"])
    table.aside.append("T11")
    player = table.players[key]
    if count == "1":
        player.size = 7
        return []
    player.up_size = 2
    return [(key, "lie")] * 2


def hanged_man(table: Table, key: str, rest: str) -> Items:
    """Have a hand discarded and drawn anew."""
    target = _target(table, _read(rf">({KEY})", rest, "hanged-man")[1], "hanged-man")
    _spend(table, key, "T12")
    table.pile += target.cards()
    target.hand, target.up = [], []
    return [(target.key, "hand"), (target.key, "open")]


def death(table: Table, key: str, rest: str) -> Items:
    """Discard the deck for good."""
    _read("", rest, "death")
    _spend(table, key, "T13")
    table.pile += table.deck
    table.deck = []
    table.stay_empty()
    return []


def devil(table: Table, key: str, rest: str) -> Items:
    """Call a daemon, who plays before his master."""
    _read("", rest, "devil")
    table.leave(key, ["T15"])
    table.devil = Player(f"p{table.players[key].seat}d")
    table.past += [one for name, one in table.players.items() if name == table.devil.key]
    table.players[table.devil.key] = table.devil
    return [(table.devil.key, "hand")]


def tower(table: Table, key: str, rest: str) -> Items:
    """Undo a commitment of a seat in play."""
    match = _read(rf":({KEY}(?=[swcd]))?([swcd])", rest, "tower")
    target = _target(table, match[1] or key, "tower")
    stand = target.stands.get(match[2])
    if stand is None or stand.kind in ("abdicated", "world"):
        raise Fault("tower", "no commitment to undo")
    _spend(table, key, "T16")
    del target.stands[match[2]]
    left = {card for other in target.stands.values() for card in other.cards if card != "~"}
    table.pile += [card for card in stand.cards if card not in left]
    return []


def _allowed(trump: str, calls: list[str]) -> bool:
    if len(set(calls)) != len(calls) or "T00" in calls or "~" in calls:
        return False
    if any(is_trump(card) for card in calls):
        return trump == "T19" and len(calls) == 1 and calls[0] not in ("T20", "T21")
    return 1 <= len(calls) <= {"T17": 1, "T18": 2, "T19": 3}[trump]


def calling(trump: str, key_name: str) -> Effect:
    """Return the effect of Star, Moon or Sun."""

    def call(table: Table, key: str, rest: str) -> Items:
        match = _read(rf"((?:>{CARD})+)(?::({KEY}))?", rest, key_name)
        calls = match[1].split(">")[1:]
        if not _allowed(trump, calls):
            raise Fault(key_name, f"no such calls: {calls}")
        known = {card: name for name, one in table.players.items() if name != key for card in one.cards()}
        if any(card in known for card in calls[:-1]) or (known.get(calls[-1]) or match[2]) != match[2]:
            raise Fault(key_name, "not what the hands hold")
        if not match[2]:
            _spend(table, key, trump)
            return []
        giver = _target(table, match[2], key_name)
        if giver.key == key or (calls[-1] not in known and ("~" not in giver.hand or table.seen(calls[-1]))):
            raise Fault(key_name, f"{giver.key} does not have it")
        _spend(table, key, trump)
        place = giver.up if calls[-1] in giver.up else giver.hand
        place.remove(calls[-1] if calls[-1] in place else "~")
        table.players[key].hand.append(calls[-1])
        return [(giver.key, "hand"), (giver.key, "open")]

    return call


EFFECTS: dict[str, Effect] = {
    "T02": priestess,
    "T05": hierophant,
    "T08": justice,
    "T09": hermit,
    "T10": wheel,
    "T11": strength,
    "T12": hanged_man,
    "T13": death,
    "T15": devil,
    "T16": tower,
    "T17": calling("T17", "star"),
    "T18": calling("T18", "moon"),
    "T19": calling("T19", "sun"),
}
