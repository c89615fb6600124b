"""What a random player of Arcanoid may want to say: words that mostly are legal, the referee tries them."""

from collections.abc import Iterator
from random import Random

from tests.referees.arcanoid.board import Player
from tests.referees.arcanoid.cards import FIELDS, SUITS, TAROT, in_order, is_numeric, is_trump, listed
from tests.referees.arcanoid.play import Referee
from tests.referees.arcanoid.trumps import EFFECTS, shown


def wishes(rng: Random, game: Referee, key: str) -> Iterator[str]:
    """Yield moves for a key, without end; the first that the referee takes is played."""
    player = game.players[key]
    while True:
        cards = [*player.cards(), *(game.row or [])]
        trumps = [card for card in cards if card in EFFECTS]
        choice = rng.random()
        if trumps and choice < 0.4:
            yield from trump(rng, game, player, rng.choice(trumps))
        elif choice < 0.5:
            yield from carriage(rng, game, player, cards)
        elif cards and choice < 0.65:
            yield f"{rng.choice(cards)}-"
        elif choice < 0.67 or not cards:
            yield f"@{rng.choice(FIELDS)}"
        else:
            yield from forces(rng, game, player, cards)


def trump(rng: Random, game: Referee, player: Player, card: str) -> Iterator[str]:
    """Yield a word of a trump with an effect."""
    others = [one for one in game.players.values() if not one.finished]
    target = rng.choice(others).key
    if card == "T02":
        yield f"T02>{target}" if not target.endswith("d") else "T02>p1"
    elif card == "T05":
        named = rng.choice([*SUITS, "T", "T00"])
        hands = "".join(f"^{key}={listed(cards)}" for key, cards in shown(game, named).items())
        yield f"T05={named}{hands or '^None'}"
    elif card == "T10":
        if card in player.hand and len(game.deck) != 5:
            yield card
    elif card == "T11":
        yield f"T11={rng.randint(1, 2)}"
    elif card == "T12":
        yield f"T12>{target}"
    elif card == "T13":
        yield from [card] * (rng.random() < 0.1)
    elif card == "T15":
        if player.key != game.usa and regular(game, player):
            yield card
    elif card == "T16":
        yield f"T16:{'' if target == player.key else target}{rng.choice(FIELDS)}"
    elif card in ("T17", "T18", "T19"):
        yield calls(rng, game, player, card)
    else:
        yield card


def regular(game: Referee, player: Player) -> bool:
    """Say whether the Devil's daemon would come only when the others have played."""
    return game.last == player.key or game.next_key() == player.key


def calls(rng: Random, game: Referee, player: Player, card: str) -> str:
    """Return a word of calls, true to the hands."""
    owners = {held: name for name, one in game.players.items() if name != player.key for held in one.cards()}
    count = rng.randint(1, {"T17": 1, "T18": 2, "T19": 3}[card])
    suits = [name for name in TAROT if not is_trump(name)]
    named = rng.sample(suits, count)
    if card == "T19" and rng.random() < 0.3:
        named = [rng.choice(TAROT[1:20])]
    held = [name for name in owners if not is_trump(name)]
    if held and rng.random() < 0.5:
        named[-1] = rng.choice(held)
    word = card
    for name in named:
        word += f">{name}"
        if name in owners:
            return f"{word}:{owners[name]}"
    return word


def carriage(rng: Random, game: Referee, player: Player, cards: list[str]) -> Iterator[str]:
    """Yield words of the Chariot, and of Temperance."""
    rest = [card for card in cards if card != "T07"]
    suit = rng.choice(SUITS)
    some = rng.sample(rest, min(len(rest), rng.randint(0, 3)))
    if rng.random() < 0.6:
        some = [card for card in rest if is_numeric(card) and card[1] == suit]
    if "T07" in cards:
        yield f"{listed(in_order(['T07', *some]))}@r"
    elif player.reserve is not None:
        field = rng.choice(FIELDS)
        same = [card for card in rest if card[-1] == field.upper() and is_numeric(card)]
        laid = next((card[-1].lower() for card in player.reserve if is_numeric(card)), field)
        same = [card for card in same if card[-1] == laid.upper()]
        yield f"r{listed(in_order(same[: rng.randint(0, 3)]))}@{laid}"
        if rng.random() < 0.1:
            yield "r-"
        some = [card for card in rest if is_numeric(card) and card[1] == laid.upper()]
        if some:
            yield f"{listed(in_order(some[: rng.randint(1, 2)]))}@r"
    if "T14" in cards or game.temper:
        yield rng.choice(["T14-", f"T14@{rng.choice(FIELDS)}"])


def forces(rng: Random, game: Referee, player: Player, cards: list[str]) -> Iterator[str]:
    """Yield commitments."""
    field = rng.choice(FIELDS)
    suit = field.upper()
    both = "".join(sorted(rng.sample(FIELDS, 2), key=FIELDS.index)) if rng.random() < 0.5 else field
    if "T21" in cards:
        yield f"T21@{field}"
    if "T20" in cards:
        target = rng.choice([one.key for one in game.players.values() if field not in one.stands] or ["p1"])
        if field not in player.stands or target != player.key:
            yield f"T20@{'' if target == player.key else target}{field}"
    for couple in (["T03", "T04"], ["T03", "T06"], ["T04", "T06"]):
        if set(couple) <= set(cards):
            yield f"{listed(couple)}@{both}" if len(both) == 2 else secret(rng, game, player, couple, cards) + both
    courts = [rank + suit for rank in "JNQK" if rank + suit in cards]
    if "T06" in cards and courts:
        yield secret(rng, game, player, ["T06", rng.choice(courts)], cards) + field
    if {f"Q{suit}", f"K{suit}"} <= set(cards):
        yield secret(rng, game, player, [f"Q{suit}", f"K{suit}"], cards) + field
    yield from plain(rng, game, player, cards, field)


def plain(rng: Random, game: Referee, player: Player, cards: list[str], field: str) -> Iterator[str]:
    """Yield commitments of numbers, knave or knight, with and without the Magician."""
    suit = field.upper()
    numbers = [card for card in cards if is_numeric(card) and card[1] == suit]
    some = numbers if rng.random() < 0.6 else rng.sample(numbers, rng.randint(0, len(numbers)))
    lone = player.stands.get(field)
    ace = f"1{suit}"
    if ace in cards and rng.random() < 0.4:
        some = [ace]
    if "T01" in cards and game.variant != "malta" and (lone is None or "T01" not in lone.cards):
        foreign = [card for card in cards if is_numeric(card) and card[1] != suit]
        yield listed(in_order(["T01", *some, *rng.sample(foreign, min(1, len(foreign)))])) + f"@{field}"
    courts = [rank + suit for rank in "JN" if rank + suit in cards]
    if courts and rng.random() < 0.6 and not (lone and "T01" in lone.cards):
        some = [rng.choice(courts), *([ace] if ace in cards and rng.random() < 0.5 else [])]
    if some:
        yield secret(rng, game, player, in_order(some), cards) + field


def secret(rng: Random, game: Referee, player: Player, some: list[str], cards: list[str]) -> str:
    """Return the word up to its field; now and then face down."""
    if player.daemon or rng.random() < 0.4:
        return f"{listed(some)}@"
    if game.variant == "malta" and "T01" in cards:
        return f"{listed(in_order(['T01', *some]))}@~"
    return f"{listed(some)}@~" if game.variant == "koblenz" and not player.secret else f"{listed(some)}@"
