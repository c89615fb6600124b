"""Random games of Tarot duel, played and written down by the second referee; it shares nothing with the package.

Terms: an *open* record has every deck as it lies and every card by name; a *table* record has what all could see, so
no orders of decks, no drawn cards, no face-down stakes. The readings of the page are in ``tarot_duel.play``.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from tests.referees.tarot_duel.choices import major_word, takable
from tests.referees.tarot_duel.places import COPIES, MAJORS, MINORS, RANKS, Side, in_order, is_major, listed, points
from tests.referees.tarot_duel.play import Referee
from tests.referees.tarot_duel.words import Due


class Game(NamedTuple):
    """A game played to its end. words: an open record; table: the same game as everybody saw it.

    tags: Deck1 and so on, PointTotal, Seat1 and so on
    result, score: as the tags Result and Score have them; key: the rule that ended it, without the game's name
    starts: the place in ``words`` of each turn's first word, table_starts: in ``table``
    """

    tags: dict[str, str]
    words: tuple[str, ...]
    table: tuple[str, ...]
    result: str
    score: str
    turns: int
    key: str
    starts: tuple[int, ...]
    table_starts: tuple[int, ...]


def record(
    rng: Random, seats: int, *, sizes: Sequence[int] = (16, 16, 24, 32), total: int | None = None, calm: bool = False
) -> Game:
    """Play a random legal game to its end.

    sizes: of the decks; total: the points that win, 0 for none, None for either by chance
    calm: everything is laid down and hardly a Major is played, in decks that can complete two suits
    """
    decks = [even_deck() if calm else random_deck(rng, rng.choice(sizes)) for _ in range(seats)]
    if total is None:
        total = rng.randrange(40, 120) if rng.random() < 0.4 else 0
    return Table(rng, decks, total, calm).played()


def random_deck(rng: Random, size: int) -> list[str]:
    """Return a legal deck, mostly with as many Majors as it may have; court cards and copies are common."""
    majors = rng.sample(MAJORS, rng.choice((size // 4, size // 4, rng.randrange(size // 4 + 1))))
    for card, often in (("T15", 0.5), ("T12", 0.3), ("T04", 0.3), ("T21", 0.2)):
        if majors and card not in majors and rng.random() < often:
            majors[rng.randrange(len(majors))] = card
    deck = list(majors)
    while len(deck) < size:
        card = rng.choice(MINORS)
        count = min(rng.choice((1, 1, 1, 2, 5)), size - len(deck))
        if deck.count(card) + count <= 5:
            deck += [card] * count
    return deck


def even_deck() -> list[str]:
    """Return two suits and four Majors that return cards."""
    return [*(rank + suit for suit in "DC" for rank in RANKS), "T06", "T08", "T10", "T17"]


def deck_text(deck: Sequence[str]) -> str:
    """Return a deck as its tag has it."""
    return " ".join(
        card if deck.count(card) == 1 else f"{card}x{deck.count(card)}" for card in in_order(dict.fromkeys(deck))
    )


class Table:
    """A game while it is played; every choice comes from the random numbers."""

    def __init__(self, rng: Random, decks: list[list[str]], total: int, calm: bool) -> None:
        """Sit down."""
        self.rng, self.decks, self.total, self.calm = rng, decks, total, calm
        self.game = Referee(decks, total)
        self.words: list[str] = []
        self.table: list[str] = []
        self.starts: list[int] = []
        self.table_starts: list[int] = []
        self.shown: dict[int, str] = {}

    def say(self, word: str, seen: str | None = None) -> None:
        """Write a word down, and as all could see it; "" for a word that only tells an order."""
        self.game.say(word)
        self.words.append(word)
        if seen != "":
            self.table.append(seen or word)

    def played(self) -> Game:
        """Play to the end."""
        game = self.game
        while not game.over:
            if game.chain and not self.temper():
                game.settle()
            elif not game.chain and game.due:
                self.answer(game.due)
            elif not game.chain and not self.justify():
                self.speak()
        seats = range(1, len(self.decks) + 1)
        tags = {f"Seat{seat}": "?" for seat in seats}
        tags |= {f"Deck{seat}": deck_text(self.decks[seat - 1]) for seat in seats}
        if self.total:
            tags["PointTotal"] = str(self.total)
        share = "1" if len(game.over.winners) == 1 else f"1/{len(game.over.winners)}"
        return Game(
            tags,
            tuple(self.words),
            tuple(self.table),
            "-".join(share if seat in game.over.winners else "0" for seat in seats),
            ":".join(str(game.sides[seat].points()) for seat in seats),
            game.turns,
            game.over.key,
            tuple(self.starts),
            tuple(self.table_starts),
        )

    def prefix(self, seat: int) -> str:
        """Return the prefix of a seat's word, none for the seat in turn."""
        return "" if seat == self.game.turn else f"p{seat}/"

    # --- windows ---

    def temper(self) -> bool:
        """Let another seat answer the card on the table, if one likes to."""
        game, rng = self.game, self.rng
        last = game.chain[-1]
        for seat in game.others(last.seat):
            side = game.sides[seat]
            for card in side.hand:
                copied = card in COPIES and side.copies("T15")
                if (card == "T15" and rng.random() < 0.4) or (copied and rng.random() < 0.2):
                    self.say(f"p{seat}/T15" if card == "T15" else f"p{seat}/{card}=T15")
                    return True
        return False

    def justify(self) -> bool:
        """Let a seat use the Justice it has ready, if it may and likes to."""
        game = self.game
        for seat in (game.turn, *game.others(game.turn)):
            side = game.sides[seat]
            if side.ready and not side.out and game.acted - {seat} and self.rng.random() < 0.6:
                fit = [card for card in side.pile if is_major(card) and card not in ("T12", "T15")]
                word = major_word(self.rng, game, side, side.pile, self.rng.choice(fit)) if fit else ""
                if word:
                    self.say(f"p{seat}/T12={word}")
                    return True
        return False

    # --- words that are due ---

    def answer(self, due: Due) -> None:
        """Say the word that is due."""
        game, rng = self.game, self.rng
        side = game.sides[due.of or due.seat or game.turn]
        head = "p0/" if due.seat == 0 else self.prefix(due.seat)
        unknown = listed(["~"] * due.wanted)
        if due.kind == "order":
            self.say(f"p0/p{due.of}*{listed(self.lying(side))}", "")
        elif due.kind == "draw":
            self.say(f"{head}*{listed(self.top(side, due.wanted))}", f"{head}*{unknown}")
        elif due.kind == "redraw":
            drawn = self.top(side, min(due.wanted, len(side.deck.cards)))
            put = f"{head}{listed(in_order(side.hand))}-"
            mark = "*" if drawn else ""
            self.say(f"{put}{mark}{listed(drawn)}", f"{put}{mark}{listed(['~'] * len(drawn))}")
        elif due.kind in ("pick", "look", "swap"):
            cards = listed(in_order(rng.sample(side.hand, due.wanted)))
            shown = cards if due.kind == "pick" else unknown
            self.say(f"p0/p{due.of}={cards}", f"p0/p{due.of}={shown}")
        elif due.kind == "throw":
            self.say(f"{head}{listed(in_order(rng.sample(side.hand, due.wanted)))}-")
        elif due.kind == "mill":
            self.say(f"{head}*{listed(self.top(side, due.wanted))}-")
        elif due.kind == "row":
            row = rng.sample([laid.card for laid in side.down], due.wanted)
            self.say(f"{head}{listed(row)}>a", f"{head}{unknown}>a")
        elif due.kind in ("stakes", "back"):
            self.stake(due, side, head)
        else:
            self.choose(due, head)

    def choose(self, due: Due, head: str) -> None:
        """Say a word that is due and hides nothing."""
        game, rng = self.game, self.rng
        side = game.sides[due.of or game.turn]
        if due.kind == "coin":
            self.say("p0/=" + rng.choice("HT"))
        elif due.kind == "die":
            self.say("p0/=" + rng.choice("123456"))
        elif due.kind == "answer":
            self.say(head + rng.choice(("Yes", "Yes", "Pass")))
        elif due.kind == "show" and due.optional and not side.dark and rng.random() < 0.5:
            game.leave_out()
        elif due.kind == "show":
            self.say(f"{head}^{side.down[due.wanted - 1].card}")
        elif due.kind == "faces":
            self.say(head + self.faces(due.seat, due.of))
        elif due.kind == "fool":
            own = game.sides[due.seat]
            if own.deck.cards and (not side.hand or rng.random() < 0.5):
                self.say(f"{head}*{self.top(own, 1)[0]}", f"{head}*~")
            else:
                self.say(f"{head}:p{due.of}h")

    def lying(self, side: Side) -> list[str]:
        """Shuffle a deck, under the cards known to lie on top."""
        rest = in_order(side.deck.hidden().elements())
        self.rng.shuffle(rest)
        return [card if card != "~" else rest.pop() for card in side.deck.order]

    def top(self, side: Side, count: int) -> list[str]:
        """Return the top cards of a deck that is known, as a word has them."""
        return in_order(side.deck.order[:count])

    def stake(self, due: Due, side: Side, head: str) -> None:
        """Say a side's stakes: the face-up card and others from its shuffled deck."""
        up = self.shown[due.of]
        rest = list(side.deck.cards)
        rest.remove(up)
        cards = [up, *self.rng.sample(rest, due.wanted - 1)]
        if due.kind == "stakes":
            self.say(f"{head}{listed(in_order(cards))}-")
            return
        self.rng.shuffle(cards)
        at = cards.index(up)
        seen = [card if place == at else "~" for place, card in enumerate(cards)]
        self.say(f"{head}{listed(cards)}>d", f"{head}{listed(seen)}>d")

    def faces(self, seat: int, foe: int) -> str:
        """Choose the face-up cards of a challenge, now and then equal ones, and return them as a word has them."""
        self.shown = {}
        for one in (seat, foe):
            cards = self.game.sides[one].deck.cards
            same = [card for card in cards if one == foe and points(card) == points(self.shown.get(seat, "~") or "~")]
            self.shown[one] = self.rng.choice(same if same and self.rng.random() < 0.2 else cards) if cards else ""
        return f"^{self.shown[seat]}^{self.shown[foe]}"

    # --- words of the turn ---

    def speak(self) -> None:
        """Say a word of the seat in turn."""
        game, rng = self.game, self.rng
        side = game.sides[game.turn]
        if not game.drawn:
            self.starts.append(len(self.words))
            self.table_starts.append(len(self.table))
            self.say(f"*{side.deck.order[0]}", "*~")
            return
        acts = [self.lay, self.lay, self.activate, self.activate, self.activate, self.contest, self.rename, self.end]
        if self.calm:
            acts = [self.lay_all, self.end] if rng.random() < 0.95 else [self.activate]
        for act in rng.sample(acts, len(acts)) if not self.calm else acts:
            if act(side):
                return

    def end(self, side: Side) -> bool:
        """End the turn; over the limit, lay down or discard first."""
        over = len(side.hand) - 5
        if over <= 0:
            self.say("End")
        elif not self.rng.random() < 0.5 or not self.lay(side):
            self.say(f"{listed(in_order(self.rng.sample(side.hand, over)))}-")
        return True

    def lay(self, side: Side) -> bool:
        """Lay suit cards down, or Empress or Emperor for one."""
        minors = [card for card in side.hand if not is_major(card)]
        copies = [card for card in side.hand if card in COPIES]
        named = [card for card in side.tag if not is_major(card)]
        if copies and self.rng.random() < 0.4:
            self.say(f"{self.rng.choice(copies)}={self.rng.choice(named)}@a")
        elif minors:
            cards = self.rng.sample(minors, self.rng.randrange(len(minors)) + 1)
            self.say(f"{listed(in_order(cards))}@a")
        return bool(minors or copies) and self.words[-1].endswith("@a")

    def lay_all(self, side: Side) -> bool:
        """Lay every suit card down that the area does not have."""
        area = [laid.name for laid in side.up]
        cards = [card for card in dict.fromkeys(side.hand) if not is_major(card) and card not in area]
        if cards:
            self.say(f"{listed(in_order(cards))}@a")
        return bool(cards)

    def rename(self, side: Side) -> bool:
        """Give an Empress in the area another name."""
        standing = [laid for laid in (*side.up, *side.down) if laid.card == "T04"]
        if len(standing) != 1 or self.rng.random() < 0.5:
            return False
        names = [card for card in side.tag if not is_major(card) and card != standing[0].name]
        if names:
            self.say(f"T04={self.rng.choice(names)}")
        return bool(names)

    def contest(self, side: Side) -> bool:
        """Challenge for a card."""
        game, rng = self.game, self.rng
        foe = rng.choice(game.others(side.number))
        cards = takable(game, side, game.sides[foe])
        if game.challenged or not cards or rng.random() < 0.5:
            return False
        self.say(f":p{foe}{rng.choice(cards)}{self.faces(side.number, foe)}")
        return True

    def activate(self, side: Side) -> bool:
        """Play a Major."""
        majors = [card for card in side.hand if is_major(card) and card != "T15"]
        if self.game.played or not majors:
            return False
        word = major_word(self.rng, self.game, side, side.hand, self.rng.choice(majors))
        if word:
            self.say(word)
        return bool(word)
