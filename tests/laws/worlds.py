"""Records played by the referees, and others that look the same to a seat, in every game that hides cards.

A *world* is an open record; another one that looks the same to a seat is made from it by giving the cards this seat
has never seen each other's names. Which those are, the record as the seat has seen it says; so a card that leaks
into that record is not renamed, and a card that leaks later shows.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from random import Random

from cartulary.notation import as_seen, loads
from cartulary.testing import tables
from tests.referees.arcanoid import table as arcanoid_table
from tests.referees.tarot import deals as tarot_deals
from tests.referees.tarot_duel import table as duel_table
from tests.referees.zarcana import table as zarcana_table

CARD = re.compile(r"[1-9XJNQK][A-Z](?![a-z])|T\d\d|E[1-8]")


class Opened:
    """An open record. kinds: cards with the same kind may change places unseen; without it all are of one."""

    def __init__(self, tags: dict[str, str], words: tuple[str, ...], seats: int, kinds: dict[str, str]) -> None:
        self.tags, self.words, self.seats, self.kinds = tags, words, seats, kinds


def tarot(rng: Random) -> Opened:
    variant, seats = rng.choice(tarot_deals.VARIANTS)
    record = tarot_deals.record(rng, variant, seats, 1, extras=False)
    tags = {"Variant": variant} | {f"Seat{seat}": "?" for seat in range(1, seats + 1)}
    # Trumps the taker of fft puts away are shown; a suit card must not take their place.
    kinds = {card: "trump" if card[0] == "T" else "suit" for card in tarot_deals.DECK}
    return Opened(tags, record.words, seats, kinds)


def duel(rng: Random) -> Opened:
    game = duel_table.record(rng, rng.choice((2, 2, 3)))
    decks = [tag.split() for name, tag in sorted(game.tags.items()) if name.startswith("Deck")]
    names = {name.partition("x")[0] for deck in decks for name in deck}
    # A card unseen may be any other that is as often in the same decks.
    kinds = {name: str([[one for one in deck if one.startswith(name)] for deck in decks]) for name in names}
    kinds = {name: answer.replace(name, "card") for name, answer in kinds.items()}
    return Opened(game.tags, game.words, len(decks), kinds)


def zarcana(rng: Random) -> Opened:
    game = zarcana_table.random_game(str(rng.randrange(1 << 30)))
    seats = sum(name.startswith("Seat") for name in game.tags)
    return Opened(game.tags, game.words, seats, {})


def arcanoid(rng: Random) -> Opened:
    game = arcanoid_table.record(rng, rng.choice((2, 2, 3, 4)))
    seats = sum(name.startswith("Seat") for name in game.tags)
    # What lies face down must stay a commitment: a numeric card but an ace may be another of its suit, the rest stay.
    laid = [found[1].split(",") for word in game.words if (found := re.search(r"([^/]+)@~[swcd]", word))]
    kinds = {card: card for cards in laid for card in cards}
    kinds |= {rank + suit: f"numbers of {suit}" for rank in "23456789X" for suit in "SWCD" if laid}
    return Opened(game.tags, game.words, seats, kinds)


GAMES: dict[str, tuple[str, Callable[[Random], Opened]]] = {
    "tarot": ("Tarot", tarot),
    "tarot-duel": ("Tarot duel", duel),
    "zarcana": ("Zarcana", zarcana),
    "arcanoid": ("Arcanoid", arcanoid),
}


def otherwise(title: str, opened: Opened, words: tuple[str, ...], seat: int, rng: Random) -> tuple[str, ...]:
    """Return the words with the cards the seat has not seen by other names."""
    [record] = loads(tables.sheet(title, opened.tags, " ".join(words)))
    seen = {name for word in as_seen(record, seat).line.words for name in CARD.findall(word)}
    hidden: dict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(name for word in words for name in CARD.findall(word)):
        if name not in seen:
            hidden[opened.kinds.get(name, "")].append(name)
    names: dict[str, str] = {}
    for pool in hidden.values():
        names |= dict(zip(pool, rng.sample(pool, len(pool)), strict=True))
    return tuple(CARD.sub(lambda found: names.get(found[0], found[0]), word) for word in words)
