"""A second, slow referee of Zarcana, written from the rulebook alone; it shares nothing with the package.

It follows a game word by word and raises the key of the first rule a word breaks. A record that knows every card is
judged exactly; an unknown card is taken to be whatever a word says, so a hidden record is followed, not judged.
"""

# Readings of the page where it leaves room; the random games keep away from those marked (avoided).
# - Board, hands, deck are told before the first turn; later `p0/*…` only behind a reshuffling word, before a gift.
# - A reshuffle happens with the draw that needs it, not with the one that empties the deck.
# - A gift is due after the Emperor's whole word, before a further turn, even after the last turn of the game; how many
#   cards is seen when it is due. Another seat's word meanwhile is `turn`, another word of the giver `emperor`; so is a
#   gift that nobody asked for.
# - A played card is discarded after what its power discards; the Miser's cards go as a whole hand goes.
# - Attacks: reducing is refused (`stash`) where the owner has no smaller one. Who names himself: the power's own key.
# - Death's second part names the minion as the first part left it. A user that died between is `no-minion` (avoided).
# - Fool: where only one card is left, or the first card's use takes the last, it is one; a card used is among the
#   discards when the second is turned up (fewer than four cards left: avoided). A Fool in a Fool has its own two cards.
# - Fool, Wheel: what "can be used" is looked for with every minion and every name; for the Wheel only with the minion
#   that turned it up. Priestess and Star without cards behind them are used, their cards unknown.
# - High Priestess: World, Fool, Doppelganger once each in a run; two in one use, two uses in one word (avoided).
# - Wheel: anybody's minion on the card may turn it up. A face-down card is a card for building, moving, attacking; the
#   World does not see it. An Evil Eye may look at it; the curse stays while the card lies there, covered or carried.
# - Harvest: the user's own space has a minion, itself.
# - The Miser with more cards than the hand holds: `miser`; with another card: `in-hand`.
# - Justice with a seat that is not there, or with oneself: `justice`. Drawing when no card is left: `draw`.
# - tie=highest-card: of the tied seats, the one whose best counted card is the highest; equal again: shared.
# - The last reveal names every face-down top card, places in ASCII order; no other word may follow the end.
# - A free power from the hand may name a minion, one of the mover's own that is there. Another power without a user:
#   `no-minion`.

import re

from tests.referees.zarcana.board import (
    CARD,
    CARDS,
    COURT,
    EXTRAS,
    FIRST_NINE,
    MINION,
    PLACE,
    SUITS,
    TAROT,
    TRUMPS,
    Fault,
    Laid,
    Minion,
    in_order,
    listed,
    place_of,
    space_of,
)
from tests.referees.zarcana.minions import Table, Use, face_all, turn_all
from tests.referees.zarcana.powers import POWERS, Power
from tests.referees.zarcana.uses import uses

NAME = rf"=(?:{CARD}|[SWCD])"
OPEN_DRAWS = ("T02", "T17")


class Referee(Table):
    """A game in progress. last: turns left once the end is declared; fresh: the deck may be told; done: powers used."""

    def __init__(self, seats: int, extra: tuple[str, ...] = (), *, seed: str | None = None):
        """Sit down; the words of the set-up are due. extra: powers by name."""
        if not 2 <= seats <= 5:
            raise Fault("seats", str(seats))
        super().__init__(seats, (*TAROT, *(card for card, name in EXTRAS.items() if name in extra)), seed)
        self.seats = seats
        self.demands, self.run = [], frozenset()
        self.extra = self.again = self.doubtful = False
        self.turn, self.last, self.started, self.fresh = 1, -1, False, True
        self.dealt: frozenset[str] = frozenset()
        self.done: frozenset[str] = frozenset()

    def copy(self) -> "Referee":
        """Return the same game, to try something."""
        other = Referee.__new__(Referee)
        other.__dict__.update(self.__dict__)
        other.copied(self)
        other.demands = list(self.demands)
        return other

    # --- the flow of words ---

    def due(self) -> tuple[int, int, int] | None:
        """Return who has to give to whom, and how many cards."""
        while self.demands:
            giver, taker = self.demands[0]
            count = min(2, len(self.hands[giver]), 6 - len(self.hands[taker]))
            if count > 0:
                return giver, taker, count
            self.demands.pop(0)
        return None

    def over(self) -> bool:
        """Say whether the game has ended."""
        return not self.last and not self.due()

    def say(self, word: str) -> None:
        """Follow one word. Raises Fault with the key of the rule it breaks, ValueError for what cannot be read."""
        match = re.match(r"p(\d)/", word)
        due = self.due()
        first = due[0] if due else self.turn
        seat, body = (int(match[1]), word[match.end() :]) if match else (first, word)
        self.drawn = []
        if not seat:
            self.table_word(body)
            return
        if self.over():
            raise Fault("over", "the game has ended")
        if seat != first:
            raise Fault("turn", f"p{first} has to speak")
        shuffled = self.reshuffles
        self.started = True
        if due:
            self.give(due, body)
            self.fresh = False
            return
        self.option(seat, body)
        self.fresh = self.reshuffles > shuffled
        self.end_turn()

    def end_turn(self) -> None:
        """Pass the turn on, or give another one."""
        self.extra, self.again = self.again, False
        if not self.extra:
            self.run = frozenset()
            self.turn = self.turn % self.seats + 1
            self.last -= self.last > 0

    def table_word(self, body: str) -> None:
        """Learn how cards lie: at the set-up, behind a reshuffle, at the end."""
        match = re.fullmatch(rf"(b|p\d)?\*({CARDS})", body)
        if body.startswith("^") and self.over():
            self.reveal(body[1:])
        elif match is None:
            raise Fault("over" if self.over() else "turn", "the table has nothing to say")
        elif match[1]:
            self.deal(match[1], match[2].split(","))
        elif not self.fresh:
            raise Fault("setup" if not self.reshuffles else "turn", "the deck was not shuffled")
        else:
            self.tell(match[2].split(","))

    def deal(self, where: str, cards: list[str]) -> None:
        """Learn the first nine cards, or a hand."""
        if self.started or len(cards) != (9 if where == "b" else 3):
            raise Fault("setup", f"{len(cards)} cards for {where}")
        if where in self.dealt or (where != "b" and int(where[1:]) not in self.hands):
            raise Fault("setup", f"{where} twice, or not at this table")
        self.dealt |= {where}
        self.check_new(cards)
        if where != "b":
            self.hands[int(where[1:])] = cards
        else:
            self.stacks = {space_of(place): [Laid(card)] for place, card in zip(FIRST_NINE, cards, strict=True)}

    def tell(self, cards: list[str]) -> None:
        """Learn the deck from the top."""
        if len(cards) > len(self.deck):
            raise Fault("setup", f"{len(cards)} cards in a deck of {len(self.deck)}")
        if self.seed is None or not self.started:
            self.check_new(cards)
            self.deck = cards + self.deck[len(cards) :]
        elif cards != self.deck:
            raise Fault("deck-order", "another deck")
        self.fresh = False

    def check_new(self, cards: list[str]) -> None:
        """Raise Fault where a card lies somewhere else, or is none of this game's."""
        named = [card for card in cards if card != "~"]
        if len(set(named)) < len(named) or not all(map(self.unseen, named)):
            raise Fault("card-twice", listed(named))

    def reveal(self, text: str) -> None:
        """Turn up what still lies face down."""
        for part in text.split("&"):
            place, card = part.split("=")
            laid = self.top(space_of(place))
            if laid is None or not laid.down:
                raise Fault("wheel", place)
            self.stacks[space_of(place)][-1] = laid._replace(card=self.face(laid, card), down=False)

    def give(self, due: tuple[int, int, int], body: str) -> None:
        """Hand over what the Emperor asks for."""
        giver, taker, count = due
        match = re.fullmatch(rf"({CARDS})>p(\d)", body)
        cards = match[1].split(",") if match else []
        if match is None or int(match[2]) != taker or len(cards) != count:
            raise Fault("emperor", f"due are {count} cards for p{taker}")
        for card in cards:
            self.hands[taker].append(self.remove(self.hands[giver], card, "in-hand"))
        self.demands.pop(0)

    # --- the options of a turn ---

    def option(self, seat: int, body: str) -> None:
        """Do what a turn is used for."""
        hand = self.hands[seat]
        if body == "Pass":
            return
        if body == "Final":
            if not self.reshuffles or self.last >= 0:
                raise Fault("final", "after a reshuffle, once")
            self.last = self.seats + 1
        elif match := re.fullmatch(rf"DiscardHand(?:\^({CARDS}))?", body):
            self.discard_hand(hand, match[1].split(",") if match[1] else in_order(hand))
        elif match := re.fullmatch(rf"\*({CARDS})", body):
            self.draw_cards(hand, match[1].split(","))
        elif match := re.fullmatch(rf"([SML])@({PLACE})'([nesuw])", body):
            self.place(seat, match[1], match[2], match[3])
        elif re.match(rf"{MINION}=", body):
            turned, rest = turn_all(self, Use(seat, "reorient"), f"&{body}")
            if any(self.minions[number].owner != seat for number in turned):
                raise Fault("reorient", "another seat's")
            self.read_all(face_all(self, Use(seat, "reorient"), turned, rest))
        elif re.fullmatch(rf"({CARDS})>p\d", body) and not body.startswith("T11>"):
            raise Fault("emperor", "nobody was asked")
        else:
            self.power(seat, body)

    def read_all(self, rest: str) -> None:
        """Raise ValueError if something of a word is left."""
        if rest:
            raise ValueError(rest)

    def discard_hand(self, hand: list[str], cards: list[str]) -> None:
        """Discard all cards of a hand."""
        if not hand or len(cards) != len(hand):
            raise Fault("discard-hand", f"{len(cards)} of {len(hand)} cards")
        self.discards += [self.remove(hand, card, "in-hand") for card in cards]

    def draw_cards(self, hand: list[str], cards: list[str]) -> None:
        """Draw up to three."""
        if len(cards) > min(3, self.left()):
            raise Fault("draw", f"{len(cards)} cards")
        if len(hand) + len(cards) > 6:
            raise Fault("hand-limit", f"{len(hand)} and {len(cards)} cards")
        hand += self.draw(cards)

    def place(self, seat: int, size: str, place: str, points: str) -> None:
        """Put a small minion on a card."""
        space = space_of(place)
        mine = any(minion.owner == seat for minion in self.minions.values())
        if size != "S" or mine or space not in self.stacks or len(self.at(space)) >= 3:
            raise Fault("place", f"{size} on {place}")
        self.put(Minion(seat, "S", space, points))

    # --- powers ---

    def power(self, seat: int, body: str) -> None:
        """Use the power of a card of the hand, or of the board."""
        head = re.match(rf"(\^?)({CARD})?", body)
        assert head is not None
        shown, card, rest = head[1], head[2] or "", body[head.end() :]
        if card and not shown:
            self.remove(self.hands[seat], card, "in-hand")
            self.read_all(self.use(seat, card, rest))
            self.discards.append(card)
            return
        match = re.match(rf"(?:{NAME})*>({MINION})", rest)
        if match is None:
            raise ValueError(body)
        user = self.find_user(seat, match[1])
        space = self.minions[user].space
        laid = self.top(space)
        if laid is not None and laid.down != bool(shown):
            raise Fault("wheel", "face down" if laid.down else "face up")
        if laid is None:
            raise Fault("use-territory", "no card is under it")
        if shown:
            laid = laid._replace(card=self.face(laid, card), down=False)
            self.stacks[space][-1] = laid
        bare = shown and rest == match[0] and "=" not in rest
        if not bare or self.must_use("wheel", seat, laid.card, user):
            self.read_all(self.use(seat, laid.card, rest, ground=True))

    def find_user(self, seat: int, text: str) -> int:
        """Return the minion that uses a power."""
        number = self.find(text, seat)
        if self.minions[number].owner != seat:
            raise Fault("no-minion", f"{text} is not p{seat}'s")
        return number

    def must_use(self, key: str, seat: int, card: str, user: int = 0, via: tuple[str, ...] = ()) -> bool:
        """Say whether a card turned up, with nothing behind it, is used all the same: it draws cards nobody wrote.

        Raises Fault under the key where it has a legal use that would have to be written.
        """
        if not self.possible(seat, card, user, via):
            return False
        if card not in OPEN_DRAWS:
            raise Fault(key, f"{card} can be used")
        return True

    def possible(self, seat: int, card: str, user: int = 0, via: tuple[str, ...] = ()) -> bool:
        """Say whether a card turned up has any legal use. user: the only one that may, 0 for anybody from the hand."""
        for text, kind, _ in uses(self, seat, card, user):
            if kind == "T00":
                return True
            trial = self.copy()
            try:
                rest = trial.use(seat, card, text, ground=bool(user), via=via)
            except Fault:
                continue
            self.doubtful = self.doubtful or trial.doubtful
            if not rest:
                return True
        return False

    def use(self, seat: int, card: str, text: str, *, ground: bool = False, via: tuple[str, ...] = ()) -> str:
        """Use the power of a card; return what stands behind it.

        text: names, user, effect; ground: the card lies under the user; via: the cards that led here
        """
        match = re.match(rf"((?:{NAME})*)(?:>({MINION}))?", text)
        assert match is not None
        user = self.find_user(seat, match[2]) if match[2] else 0
        names = [name[1:] for name in re.findall(NAME, match[1])]
        kind, via = self.resolve(card, names, ground, via)
        rest = text[match.end() :]
        if kind == "T00":
            return self.fool(seat, rest, (*via, "T00"))
        power = POWERS[kind]
        self.done |= {power.key}
        self.check_user(power, user, ground)
        return power.effect(self, Use(seat, power.key, user, via), rest)

    def check_user(self, power: Power, user: int, ground: bool) -> None:
        """Raise Fault where the user does not fit."""
        if power.user == "free":
            return
        if not user:
            raise Fault("no-minion", "nobody uses it")
        standing = self.minions[user].points == "u"
        if power.user == ("lying" if standing else "up"):
            raise Fault("orientation", power.user)
        if power.ground and self.minions[user].space not in self.stacks:
            raise Fault("on-card", place_of(self.minions[user].space))

    def resolve(self, card: str, names: list[str], ground: bool, via: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """Return the power that is executed, and the cards that led to it."""
        name, rest = (names[0], names[1:]) if names else ("", [])
        if card == "T21":
            tops = [stack[-1].card for stack in self.stacks.values() if not stack[-1].down]
            if name not in tops or name not in TRUMPS or name == "T21":
                raise Fault("world", f"{name} does not lie face up")
            return self.resolve(name, rest, ground, (*via, "T21"))
        if card == "E1":
            if not self.discards or self.discards[-1] != name:
                raise Fault("doppelganger", f"{name} is not the top discard")
            return self.resolve(name, rest, ground, (*via, "E1"))
        if card == "T01":
            if name not in SUITS or rest or not name:
                raise Fault("magician", "one suit")
            return name, via
        if names and card[0] in COURT:
            if ground or name not in SUITS or rest or name == card[1]:
                raise Fault("royalty", "another suit, from the hand")
            return name, via
        if names:
            raise Fault("use-territory" if ground else "play-card", f"{card} takes no name")
        return (card if card[0] in "TE" else card[1]), via

    def fool(self, seat: int, text: str, via: tuple[str, ...]) -> str:
        """Use two cards of the deck."""
        count = self.left()
        self.doubtful = self.doubtful or count < 4
        if not count:
            raise Fault("no-effect", "no card is left")
        self.done |= {"fool"}
        for mark in (r"\*", r"&\*")[: min(count, 2)]:
            if not self.left():
                break
            match = re.match(rf"{mark}({CARD})", text)
            if match is None:
                raise Fault("fool", "two cards are turned up")
            card, text = match[1], text[match.end() :]
            self.draw([card], public=True)
            bare = not text or text.startswith("&*")
            if not bare or self.must_use("fool", seat, card, via=via):
                text = self.use(seat, card, text, via=via)
            self.discards.append(card)
        return text
