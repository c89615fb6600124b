"""A random player of Arcanoid for the second referee: whole games, open and as the table saw them."""

import re
from collections import Counter
from random import Random
from typing import NamedTuple

from tests.referees.arcanoid.board import ROW
from tests.referees.arcanoid.cards import CARDS, FIELDS, TAROT, Fault, listed, split, stealable
from tests.referees.arcanoid.choices import wishes
from tests.referees.arcanoid.play import Referee

VARIANTS = ("dresden", "nassau", "koblenz", "mainz", "malta", "worms")


class Game(NamedTuple):
    """A whole game. table: the words of who saw no hidden card; seen: how often what was played, by the word's head."""

    tags: dict[str, str]
    words: tuple[str, ...]
    table: tuple[str, ...]
    result: str
    score: str
    seen: Counter[str]


class Scribe:
    """Plays a game and writes it down twice."""

    def __init__(self, rng: Random, game: Referee) -> None:
        """Sit down at the table of a referee."""
        self.rng, self.game = rng, game
        self.words: list[str] = []
        self.table: list[str] = []
        self.seen: Counter[str] = Counter()

    def say(self, word: str, table: str = "") -> None:
        """Let the referee follow a word, and write it; ``table`` is what all saw of it."""
        self.game.say(word)
        self.words.append(word)
        self.table.append(table or word)

    def play(self) -> None:
        """Play all rounds."""
        while True:
            self.deal()
            while not self.game.round_over:
                self.step()
                if len(self.words) > 20000:
                    raise RuntimeError("the game does not end")
            for (key, field), stand in sorted(self.game.hidden().items(), key=lambda item: place(item[0])):
                self.say(f"{key}/^{field}={listed(stand.cards)}")
            if self.game.over:
                return

    def deal(self) -> None:
        """Deal a round."""
        deck = self.rng.sample(TAROT, len(TAROT))
        if self.game.round_over:
            self.game.next_round()
        for seat in range(1, self.game.seats + 1):
            self.tell(f"p0/p{seat}*", [deck.pop() for _ in range(6)])
        self.tell("p0/*", deck)

    def tell(self, head: str, cards: list[str]) -> None:
        """Say what the table does not see."""
        self.game.say(head + listed(cards))
        self.words.append(head + listed(cards))

    def step(self) -> None:
        """Say one word, or a move and what comes with it."""
        game, rng = self.game, self.rng
        if game.votes:
            self.say("Yes" if rng.random() < 0.8 else "No")
            if game.fresh:
                deck = list(game.shuffled.elements())
                rng.shuffle(deck)
                self.tell("p0/*", deck)
        elif game.due_draw()[0]:
            self.drawn()
        elif game.excess and game.surplus():
            thrown, table = self.thrown()
            head = f"p{game.players[game.excess].seat}/" if game.extra else ""
            self.say(head + thrown, head + table)
        else:
            game.settle()
            if not game.round_over:
                self.turn()

    def drawn(self) -> None:
        """Write a draw of the table's; the table leaves it out now and then where it is not seen."""
        who, cards, table = self.draw_cards()
        word = f"p0/{who}*"
        self.game.say(word + cards)
        self.words.append(word + cards)
        if set(table) - set("~,") or self.rng.random() < 0.5:
            self.table.append(word + table)

    def draw_cards(self) -> tuple[str, str, str]:
        """Return who draws, what, and what of it all see."""
        game = self.game
        who, count = game.due_draw()
        cards = game.deck[:count]
        if who == ROW or who.endswith("d"):
            return who, listed(cards), listed(cards)
        table = [card if place in ("open", "lie") else "~" for card, place in zip(cards, game.places(), strict=False)]
        return who, listed(cards), listed(table)

    def thrown(self) -> tuple[str, str]:
        """Return the Wheel's discard."""
        player = self.game.players[self.game.excess]
        cards = sorted(self.rng.sample(player.hand, self.game.surplus()), key=TAROT.index)
        masked = cards if player.daemon else ["~"] * len(cards)
        return f"{listed(cards)}-", f"{listed(masked)}-"

    # --- a move ---

    def turn(self) -> None:
        """Choose a move of who is next, or an extra one, and write it with its draw."""
        game, rng = self.game, self.rng
        key, extra = (game.mover, game.extra) if game.again else (game.next_key(), False)
        if not game.again and game.hermit and game.hermit[1] and rng.random() < 0.3:
            key, extra = game.hermit[0], True
        player = game.players[key]
        game.clock += 1
        head = f"p{player.seat}/" if extra else ""
        if key == game.usa:
            open_fields = [field for field in FIELDS if field not in player.stands]
            body = f"{player.hand[0]}-" if player.hand else f"@{open_fields[0]}"
            self.written(head, body, self.masked(key, body), body)
            return
        for body in wishes(rng, game, key):
            masked = self.masked(key, body)
            try:
                game.move(f"p{player.seat}" if extra else "", body)
            except Fault:
                continue
            self.written(head, body, masked, "")
            return

    def written(self, head: str, body: str, masked: str, due: str) -> None:
        """Write a move that was made, with the Fool or the draw that follows."""
        game = self.game
        if due:
            game.move("", due)
        self.seen[kind(body)] += 1
        if self.stolen(head, body, masked):
            return
        game.close()
        tail, table_tail = "", ""
        who, cards, table = self.draw_cards() if game.due_draw()[0] else ("", "", "")
        if who and who == game.mover:
            game.draw(split(cards))
            tail = f"*{cards}"
            table_tail = f"*{table}" if set(table) - set("~,") or self.rng.random() < 0.5 else ""
        if tail and game.excess and not game.votes and not game.due_draw()[0]:
            thrown, hidden = self.thrown()
            game.throw("", thrown)
            tail += f"-{thrown[:-1]}"
            table_tail = f"*{table}-{hidden[:-1]}"
        self.words.append(head + body + tail)
        self.table.append(head + masked + table_tail)

    def stolen(self, head: str, body: str, masked: str) -> bool:
        """Let the Fool's owner steal, if he may and wants to."""
        game = self.game
        if game.window is None:
            return False
        key, field = game.window
        held = [name for name, one in game.players.items() if "T00" in one.cards() and name not in (key, game.usa)]
        if game.row and "T00" in game.row:
            held = [name for name in game.players if name not in (key, game.usa) and not name.endswith("d")]
        held = [name for name in held if len(field) == 1 and field not in game.players[name].stands]
        stand = game.players[key].stands[field[0]]
        held = [name for name in held if not (stand.down and name.endswith("d"))]
        can = stealable(stand, game.variant)
        if not held or self.rng.random() < 0.2 or not (can or stand.down):
            return False
        self.words.append(head + body)
        self.table.append(head + masked)
        self.say(f"p{game.players[self.rng.choice(held)].seat}/T00:{field}{'' if can else '-'}")
        self.seen["Fool" if can else "Fool in vain"] += 1
        return True

    def masked(self, key: str, body: str) -> str:
        """Return the word as the table sees it."""
        player = self.game.players[key]
        if match := re.fullmatch(r"(...?)-", body):
            return "~-" if match[1] in player.hand and not player.daemon else body
        if match := re.fullmatch(rf"(T01,)?({CARDS})@~([swcd])", body):
            whole = split((match[1] or "") + match[2])
            hidden = [card for card in player.hand if game_hides(self.game.variant, card)]
            known = [card for card in whole if card not in hidden]
            return f"{listed([*known, *['~'] * (len(whole) - len(known))])}@~{match[3]}"
        return body


def game_hides(variant: str, card: str) -> bool:
    """Say whether a hand card lies face down in a face-down commitment: not malta's Magician."""
    return variant != "malta" or card != "T01"


def place(item: tuple[str, str]) -> tuple[int, int]:
    """Return the order of a reveal."""
    return int(item[0].strip("pd")), FIELDS.index(item[1])


def kind(body: str) -> str:
    """Return what a move is, for counting."""
    if body.startswith("@") or body.endswith(("-", "@r")):
        return "abdication" if body.startswith("@") else body[-2:]
    if re.match(r"T(?!0[1346]|14|2[01])\d\d", body) and "@" not in body:
        return body[:3]
    return "reserve" if body.startswith("r") else "down" if "@~" in body else body[:3] if body[0] == "T" else "numbers"


def record(
    rng: Random, seats: int, *, variant: str | None = None, options: str | None = None, first: int | None = None
) -> Game:
    """Return a random game; ``seats`` counts the real ones, ``options`` is the tag without which they are random."""
    variant = variant or rng.choice(VARIANTS)
    if options is None:
        words = [*(["gaza"] if rng.random() < 0.25 else []), f"rounds={rng.randint(1, 2)}"]
        options = " ".join([*words, *rng.choice([(), ("tie=fewer-cards",), ("tie=earlier",)])])
    first = first or rng.randint(1, seats)
    count = seats + ("gaza" in options)
    game = Referee(count, variant, options, first)
    scribe = Scribe(rng, game)
    scribe.play()
    tags = {f"Seat{seat}": "?" for seat in range(1, count + 1)}
    tags |= {"Variant": variant, **({"Options": options} if options else {})}
    tags |= {"Setup": f"first=p{first}"} if first > 1 else {}
    return Game(tags, tuple(scribe.words), tuple(scribe.table), game.result(), game.score(), scribe.seen)


def sit_down(game: Game) -> Referee:
    """Return a referee at the table of a game, before its first word."""
    seats = sum(name.startswith("Seat") for name in game.tags)
    first = int(game.tags.get("Setup", "first=p1").removeprefix("first=p"))
    return Referee(seats, game.tags["Variant"], game.tags.get("Options", ""), first)


def buried(words: tuple[str, ...], never: list[str]) -> bool:
    """Say whether these are the commitments that lay face down, unnamed, and that the words never turn up."""
    laid = [found for word in words if (found := re.search(r"(~?)@~([swcd])", word))]
    up = Counter(found[1] for word in words if (found := re.search(r"/\^d?([swcd])=", word)))
    fields = Counter(word.partition("@~")[2][:1] for word in never)
    hidden = Counter(found[2] for found in laid) - up
    return fields == hidden if all(found[1] for found in laid) else fields <= hidden
