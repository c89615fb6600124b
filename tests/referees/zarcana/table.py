"""Random games of Zarcana, played and written down by the second referee; it shares nothing with the package.

Terms: an *open* record has every card by name; a *table* record has what all could see, so no hands, no deck, no drawn
cards but those laid or turned face up. The readings of the page are in ``zarcana.play``.
"""

import re
from random import Random
from typing import NamedTuple

from tests.referees.zarcana.board import EXTRAS, Fault, in_order, listed, place_of, step
from tests.referees.zarcana.play import Referee
from tests.referees.zarcana.uses import Try, seconds, uses

TWOFOLD = ("T07", "T08", "T13")
COPIERS = ("T00", "T21", "E1")
WEIGHTS = {"play": 8, "ground": 5, "draw": 5, "reorient": 3, "discard": 1, "stay": 0.2}


class Game(NamedTuple):
    """A game played to its end. words: an open record; table: the same game as everybody saw it.

    tags: Seat1 and so on, Options
    result, score: as the tags Result and Score have them
    starts: the place in ``words`` of each round's first word, table_starts: in ``table``
    done: the powers used, by key; shuffles: how often the deck was made anew
    """

    tags: dict[str, str]
    words: tuple[str, ...]
    table: tuple[str, ...]
    result: str
    score: str
    starts: tuple[int, ...]
    table_starts: tuple[int, ...]
    done: frozenset[str]
    shuffles: int


class Choice(NamedTuple):
    """What stands behind a card, as the open and the table record have it, and the game after it."""

    text: str
    seen: str
    after: Referee


def record(rng: Random, seats: int, *, extra: tuple[str, ...] = (), highest: bool = False) -> Game:
    """Play a random legal game to its end. extra: powers by name; highest: tie=highest-card."""
    return Player(rng, seats, extra, highest).played()


def filled(text: str, drawn: list[tuple[str, bool]], *, seen: bool) -> str:
    """Return a text with the cards that were drawn for its ``~``; seen: only those that all could see."""
    left = list(drawn)

    def named(match: re.Match[str]) -> str:
        cards = [left.pop(0) for _ in range(match[0].count("~"))]
        return "*" + listed(card if public or not seen else "~" for card, public in cards)

    return re.sub(r"\*~(?:,~)*", named, text)


def worth(game: Referee, seat: int) -> int:
    """Return how much the minions of a seat hold: those on cards, twice those that are alone there."""
    return sum(
        minion.space in game.stacks and 2 - any(game.minions[near].owner != seat for near in game.at(minion.space))
        for minion in game.minions.values()
        if minion.owner == seat
    )


class Player:
    """A game while it is played; every choice comes from the random numbers."""

    def __init__(self, rng: Random, seats: int, extra: tuple[str, ...], highest: bool) -> None:
        """Sit down and deal."""
        self.rng, self.highest, self.haste = rng, highest, rng.choice((0.3, 0.3, 0.05))
        self.game = Referee(seats, extra, seed=str(rng.random()))
        options = [f"extra={','.join(extra)}"] if extra else []
        options += ["tie=highest-card"] if highest else []
        self.tags = {f"Seat{seat}": "?" for seat in range(1, seats + 1)}
        self.tags |= {"Options": " ".join(options)} if options else {}
        self.words: list[str] = []
        self.table: list[str] = []
        self.starts: list[int] = []
        self.table_starts: list[int] = []
        cards = in_order(self.game.cards)
        rng.shuffle(cards)
        self.write(f"p0/b*{','.join(cards[:9])}")
        for seat in range(1, seats + 1):
            self.write(f"p0/p{seat}*{listed(cards[6 + 3 * seat : 9 + 3 * seat])}", "")
        self.write(f"p0/*{','.join(cards[9 + 3 * seats :])}", "")

    def write(self, word: str, seen: str | None = None) -> None:
        """Write a word down, and as all could see it; "" for a word that only tells what lies hidden."""
        self.game.say(word)
        self.words.append(word)
        if seen != "":
            self.table.append(seen or word)

    def say(self, word: str, seen: str | None = None) -> bool:
        """Write a seat's word down, and how the deck lies after a reshuffle."""
        self.write(word, seen)
        assert accounted(self.game), word
        self.game.doubtful = False
        if self.game.fresh and self.game.deck:
            self.write(f"p0/*{','.join(self.game.deck)}", "")
        return True

    def played(self) -> Game:
        """Play to the end."""
        game = self.game
        while not game.over():
            due = game.due()
            if due:
                giver, taker, count = due
                cards = listed(self.rng.sample(game.hands[giver], count))
                self.say(f"p{giver}/{cards}>p{taker}", f"p{giver}/{','.join('~' * count)}>p{taker}")
                continue
            if game.turn == 1 and not game.extra:
                self.starts.append(len(self.words))
                self.table_starts.append(len(self.table))
            self.take_turn(game.turn)
        score = ":".join(map(str, game.scores()))
        hidden = sorted(f"{place_of(space)}={stack[-1].card}" for space, stack in game.stacks.items() if stack[-1].down)
        if hidden:
            self.write(f"p0/^{'&'.join(hidden)}")
        return Game(
            self.tags,
            tuple(self.words),
            tuple(self.table),
            game.result(self.highest),
            score,
            tuple(self.starts),
            tuple(self.table_starts),
            game.done,
            game.reshuffles,
        )

    # --- turns ---

    def take_turn(self, seat: int) -> bool:
        """Do something."""
        game, rng = self.game, self.rng
        if game.reshuffles and game.last < 0 and rng.random() < self.haste:
            return self.say("Final")
        mine = any(minion.owner == seat for minion in game.minions.values())
        if not mine and rng.random() < 0.7 and self.place():
            return True
        while True:
            name = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            done = {
                "play": self.play,
                "ground": self.ground,
                "draw": self.draw,
                "reorient": self.reorient,
                "discard": self.discard,
                "stay": self.stay,
            }[name](seat)
            if done:
                return True

    def stay(self, seat: int) -> bool:
        """Do nothing."""
        return self.say("Pass")

    def place(self) -> bool:
        """Put the first minion on the board."""
        spaces = [space for space in self.game.stacks if len(self.game.at(space)) < 3]
        return bool(spaces) and self.say(f"S@{place_of(self.rng.choice(spaces))}'{self.rng.choice('nesuw')}")

    def draw(self, seat: int) -> bool:
        """Draw some cards, mostly as many as one may."""
        game = self.game
        most = min(3, 6 - len(game.hands[seat]), game.left())
        if most < 1:
            return False
        count = most if self.rng.random() < 0.8 else self.rng.randrange(most) + 1
        trial = game.copy()
        seen = f"*{','.join('~' * count)}"
        trial.say(seen)
        return self.say(filled(seen, trial.drawn, seen=False), seen)

    def discard(self, seat: int) -> bool:
        """Throw the hand away."""
        hand = self.game.hands[seat]
        return len(hand) > self.rng.randrange(6) and self.say("DiscardHand", f"DiscardHand^{listed(hand)}")

    def reorient(self, seat: int) -> bool:
        """Turn some minions, mostly towards cards."""
        game, rng = self.game, self.rng
        mine = [number for number, minion in game.minions.items() if minion.owner == seat]
        if not mine:
            return False
        chosen = rng.sample(mine, rng.randrange(len(mine)) + 1)
        parts = [f"{game.name(number, seat)}={self.way(number)}" for number in chosen]
        return self.say("&".join(sorted(parts)))

    def way(self, number: int) -> str:
        """Choose where a minion shall point to, rather at others than not."""
        minion = self.game.minions[number]
        ways = [way for way in "nesuw" if way != minion.points]
        near = [way for way in ways if set(self.game.at(step(minion.space, way))) - {number}]
        return self.rng.choice(near if near and self.rng.random() < 0.7 else ways)

    def play(self, seat: int) -> bool:
        """Play a card of the hand."""
        if not self.game.hands[seat]:
            return False
        card = self.rng.choice(self.game.hands[seat])
        trial = self.game.copy()
        trial.hands[seat].remove(card)
        choice = self.choose(trial, seat, card)
        return choice is not None and self.say(card + choice.text, card + choice.seen)

    def ground(self, seat: int) -> bool:
        """Use the card under a minion."""
        game = self.game
        mine = [number for number, one in game.minions.items() if one.owner == seat and one.space in game.stacks]
        if not mine:
            return False
        user = self.rng.choice(mine)
        space = game.minions[user].space
        laid = game.stacks[space][-1]
        trial = game.copy()
        trial.stacks[space][-1] = laid._replace(down=False)
        choice = self.choose(trial, seat, laid.card, user)
        shown = f"^{laid.card}" if laid.down else ""
        if choice is not None:
            return self.say(shown + choice.text, shown + choice.seen)
        if not shown or trial.possible(seat, laid.card, user):
            return False
        return self.say(f"{shown}>{game.name(user, seat)}")

    # --- powers ---

    def choose(self, game: Referee, seat: int, card: str, user: int = 0, via: tuple[str, ...] = ()) -> Choice | None:
        """Choose a use of a card; None where there is none, or none but doubtful ones."""
        tries = list(uses(game, seat, card, user, self.rng))
        self.rng.shuffle(tries)
        if self.rng.random() < 0.5:
            tries.sort(key=lambda one: one.text.count("&") + one.text.count(":p"), reverse=True)
        spare: Choice | None = None
        rash, least = self.rng.random() < 0.3, worth(game, seat)
        for one in tries:
            if one.kind == "T00":
                choice = self.fool(game, seat, card, one, via)
            else:
                choice = self.tried(game, seat, card, one, user, via)
            if choice is not None and (rash or worth(choice.after, seat) >= least):
                return choice
            spare = spare or choice
        return spare

    def tried(self, game: Referee, seat: int, card: str, one: Try, user: int, via: tuple[str, ...]) -> Choice | None:
        """Try a use, and a second half where there may be one."""
        after = self.attempt(game, seat, card, one.text, user, via)
        if after is None:
            return None
        text = one.text
        if one.kind in TWOFOLD and self.rng.random() < 0.8:
            halves = list(seconds(after, seat, one.kind, one.user))
            self.rng.shuffle(halves)
            for half in halves:
                more = self.attempt(game, seat, card, text + half, user, via)
                if more is not None:
                    after, text = more, text + half
                    break
        return Choice(filled(text, after.drawn, seen=False), filled(text, after.drawn, seen=True), after)

    def attempt(
        self, game: Referee, seat: int, card: str, text: str, user: int, via: tuple[str, ...]
    ) -> Referee | None:
        """Return the game after a use; None where it is not legal, or doubtful."""
        trial = game.copy()
        trial.drawn = []
        try:
            rest = trial.use(seat, card, text, ground=bool(user), via=via)
        except Fault:
            return None
        return None if rest or trial.doubtful else trial

    def fool(self, game: Referee, seat: int, card: str, one: Try, via: tuple[str, ...]) -> Choice | None:
        """Turn up two cards and use them."""
        if game.left() < 4 or via.count("T00") > 1:
            return None
        head = one.text.removesuffix("?")
        via = (*via, *(name for name in COPIERS if name in (card, *re.findall("=(...)", head))))
        after = game.copy()
        text = seen = head
        for mark in ("*", "&*"):
            after.drawn = []
            turned = after.draw(["~"], public=True)[0]
            choice = self.choose(after, seat, turned, via=via)
            text, seen = text + mark + turned, seen + mark + turned
            if choice is not None:
                text, seen, after = text + choice.text, seen + choice.seen, choice.after
            elif after.possible(seat, turned, via=via):
                return None
            after.discards.append(turned)
        return None if after.doubtful else Choice(text, seen, after)


def some_extra(rng: Random) -> tuple[str, ...]:
    """Return the extra powers of a table: none, some or all."""
    names = list(EXTRAS.values())
    return tuple(name for name in names if name in rng.sample(names, rng.choice((0, 3, 8))))


def random_game(seed: str) -> Game:
    """Return the game of a seed: 2 to 5 seats, with and without extra powers and the tie option."""
    rng = Random(seed)
    return record(rng, rng.choice((2, 2, 3, 4, 5)), extra=some_extra(rng), highest=rng.random() < 0.5)


def accounted(game: Referee) -> bool:
    """Say whether all cards and pyramids are where they may be."""
    cards = [card for hand in game.hands.values() for card in hand]
    cards += [laid.card for stack in game.stacks.values() for laid in stack]
    cards += [*game.deck, *game.discards]
    stashes = [game.stash(seat, size) for seat in game.hands for size in "SML"]
    spaces = all(game.habitable(minion.space) for minion in game.minions.values())
    return sorted(cards) == sorted(game.cards) and min(stashes) >= 0 and spaces
