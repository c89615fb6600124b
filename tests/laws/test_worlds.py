"""Worlds that look the same to a seat read the same to it, in every game that hides cards.

A *world* is an open record; another one that looks the same to a seat is made from it by giving the cards this seat
has never seen each other's names. Which those are, the record as the seat has seen it says; so a card that leaks
into that record is not renamed, and a card that leaks later shows.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from cartulary.notation import as_seen, dumps, examine, find_game, loads
from cartulary.notation.picture import plain
from tests.referees.arcanoid import table as arcanoid_table
from tests.referees.tarot import deals as tarot_deals
from tests.referees.tarot_duel import table as duel_table
from tests.referees.zarcana import table as zarcana_table
from tests.rows import tables

HUNT = int(os.environ.get("HUNT", "1"))
CARD = re.compile(r"[1-9XJNQK][A-Z](?![a-z])|T\d\d|E[1-8]")
WORLDS = 10 * HUNT


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
    kinds = {name: said.replace(name, "card") for name, said in kinds.items()}
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


@pytest.mark.hunt
@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_that_look_the_same_to_a_seat_read_the_same_to_it(key: str) -> None:
    title, play = GAMES[key]
    rng = Random(f"worlds of {key}")
    differing = 0
    for _ in range(WORLDS):
        opened = play(rng)
        seat, length = rng.randint(1, opened.seats), rng.randint(1, len(opened.words))
        one = opened.words[:length]
        two = otherwise(title, opened, one, seat, rng)
        differing += one != two
        for ply in sorted({length, *(rng.randint(0, length) for _ in range(6))}):
            texts = [tables.sheet(title, opened.tags, " ".join(words[:ply])) for words in (one, two)]
            seen = [as_seen(loads(text)[0], seat) for text in texts]
            assert dumps(seen[0]) == dumps(seen[1]), (opened.tags, one, two, seat, ply)
    assert differing > WORLDS // 2, "the worlds are too alike to prove a thing"


@pytest.mark.hunt
@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_that_look_the_same_to_the_bystander_are_the_same_to_it(key: str) -> None:
    title, play = GAMES[key]
    rng = Random(f"rail of {key}")
    game, differing = find_game(key), 0
    for _ in range(WORLDS):
        opened = play(rng)
        one = opened.words[: rng.randint(1, len(opened.words))]
        two = otherwise(title, opened, one, 0, rng)
        worlds = [loads(tables.sheet(title, opened.tags, " ".join(words)))[0] for words in (one, two)]
        assert dumps(as_seen(worlds[0], 0)) == dumps(as_seen(worlds[1], 0)), (opened.tags, one, two)
        states = [examine(world).state for world in worlds]
        views = [game.hidden.view(state, 0) for state in states]
        assert msgspec.json.encode(views[0], enc_hook=str) == msgspec.json.encode(views[1], enc_hook=str), (one, two)
        pictures = [plain(game.words.picture(state, 0)) for state in states]
        assert pictures[0] == pictures[1]
        differing += states[0] != states[1]
    assert differing > WORLDS // 4, "the worlds are too alike to prove a thing"


@pytest.mark.hunt
@pytest.mark.parametrize("key", GAMES)
def test_the_record_a_seat_has_seen_of_a_legal_game_has_no_fault(key: str) -> None:
    title, play = GAMES[key]
    rng = Random(f"seen of {key}")
    for _ in range(WORLDS):
        opened = play(rng)
        [record] = loads(tables.sheet(title, opened.tags, " ".join(opened.words)))
        for seat in range(1, opened.seats + 1):
            report = examine(as_seen(record, seat)).report
            errors = [found for found in report.findings if found.severity == "error"]
            assert (report.plies, errors) == (len(opened.words), []), (opened.tags, opened.words, seat)
