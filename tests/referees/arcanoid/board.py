"""The table of the second referee of Arcanoid: hands, deck, drawings, votes, and who has finished.

A draw that is due is an item of the queue: a key and a place, ``hand``, ``open`` (Strength's visible cards), ``one``
(of the Wheel's five), ``lie`` (of Strength's first two) or ``row`` (Justice's). The items are drawn in order; a vote
stops them, a refusal forgets them. Hand and visible cards count together: who has more in the one place fills less of
the other.
"""

from collections import Counter

from tests.referees.arcanoid.cards import FIELDS, Fault, Stand, in_order, strength

ROW = "j"
NOTHING: Counter[str] = Counter()


class Player:
    """A seat or daemon of one round. hand: as received; up: Strength's visible cards; reserve: None without Chariot."""

    def __init__(self, key: str) -> None:
        """Sit down with nothing."""
        self.key = key
        self.seat = int(key.strip("pd"))
        self.daemon = key.endswith("d")
        self.hand: list[str] = []
        self.up: list[str] = []
        self.reserve: list[str] | None = None
        self.size, self.up_size = 6, 0
        self.stands: dict[str, Stand] = {}
        self.finished = self.secret = False

    def cards(self) -> list[str]:
        """Return all cards that count as the hand."""
        return [*self.hand, *self.up]


class Table:
    """One round after another, on one table.

    pile: the discards; aside: what stays out for the round; row: Justice's cards, None without; touched: fields with a
    past; past: daemons whose place another has taken; votes: seats still asked; dead: the deck stays empty; window: key
    and field of what a Fool may steal; before: the ace under a completion; excess: who has to discard after the Wheel;
    mover, last: of any move, of a regular one
    """

    def __init__(self, seats: int, variant: str, options: str, first: int) -> None:
        """Sit down; the words of the first round are due. options: as in the tag; first: the seat that begins."""
        words = dict(word.partition("=")[::2] for word in options.split())
        self.gaza, self.tie = "gaza" in words, words.get("tie", "")
        self.rounds = int(words.get("rounds", 5))
        self.variant, self.seats, self.first = variant, seats, first
        self.real = seats - self.gaza
        if not 2 <= self.real <= 10:
            raise Fault("seats", str(self.real))
        self.usa = f"p{seats}" if self.gaza else ""
        self.won: Counter[tuple[int, str]] = Counter()
        self.round, self.clock, self.over = 0, 0, False
        self.fresh_round()

    def fresh_round(self) -> None:
        """Clear the table and deal six unknown cards to each seat."""
        self.players = {f"p{seat}": Player(f"p{seat}") for seat in range(1, self.seats + 1)}
        for player in self.players.values():
            player.hand = ["~"] * 6
        self.deck = ["~"] * (78 - 6 * self.seats)
        self.pile: list[str] = []
        self.aside: list[str] = []
        self.row: list[str] | None = None
        self.touched: set[str] = set()
        self.temper: tuple[str, str] | None = None
        self.devil: Player | None = None
        self.past: list[Player] = []
        self.hermit: tuple[str, int] | None = None
        self.queue: list[tuple[str, str]] = []
        self.votes: list[int] = []
        self.dead = self.round_over = self.counted = False
        self.fresh, self.started = True, False
        self.shuffled: Counter[str] = Counter()
        shift = (self.first - 1 + self.round) % self.real
        order = list(range(1, self.real + 1))
        self.rotation = [*order[shift:], *order[:shift], *([self.seats] if self.gaza else [])]
        self.last, self.mover = "", ""
        self.extra = self.again = False
        self.window: tuple[str, str] | None = None
        self.before: Stand | None = None
        self.excess = ""

    # --- cards ---

    def can(self, key: str, card: str) -> bool:
        """Say whether a key may use the card: hand, visible, or in the row."""
        player = self.players[key]
        if card == "~":
            return bool(player.hand)
        return card in (*player.hand, *player.up, *(self.row or [])) or ("~" in player.hand and not self.seen(card))

    def seen(self, card: str) -> bool:
        """Say whether a known card lies somewhere."""
        stands = [stand.cards for one in (*self.players.values(), *self.past) for stand in one.stands.values()]
        hands = [[*one.cards(), *(one.reserve or [])] for one in self.players.values()]
        places = (*stands, *hands, self.row or [], self.pile, self.aside, self.deck, self.lying())
        return card != "~" and any(card in place for place in places)

    def lying(self) -> list[str]:
        """Return the trumps whose effect lasts until they are discarded."""
        chariots = ["T07" for player in self.players.values() if player.reserve is not None]
        return [*chariots, *["T09"] * bool(self.hermit), *["T14"] * bool(self.temper), *["T15"] * bool(self.devil)]

    def need(self, key: str, cards: list[str]) -> None:
        """Raise Fault unless the key has all these cards to use."""
        if len(set(cards) - {"~"}) < len([card for card in cards if card != "~"]):
            raise Fault("impossible", "a card twice")
        player = self.players[key]
        held = [card for card in cards if card in (*player.up, *(self.row or [])) and card != "~"]
        new = [card for card in cards if card != "~" and card not in (*held, *player.hand)]
        if len(new) > player.hand.count("~") or len(cards) - len(held) > len(player.hand):
            raise Fault("impossible", "more cards than he has")
        if any(not self.can(key, card) for card in cards):
            raise Fault("impossible", f"{key} has not all of {cards}")

    def leave(self, key: str, cards: list[str]) -> None:
        """Take cards that a key has out of his hand or the row."""
        player = self.players[key]
        for card in cards:
            if card == "~":
                player.hand = ["~"] * len(player.hand)
            home = next((place for place in (player.hand, player.up, self.row or []) if card in place), None)
            if home is None:
                player.hand.remove("~")
            else:
                home.remove(card)

    # --- drawing ---

    def missing(self, who: str, place: str, coming: Counter[str] = NOTHING) -> int:
        """Return how many cards a place wants once those that are coming, by place, are there."""
        if who == ROW:
            return 6 - len(self.row) if self.row is not None else 0
        player = self.players[who]
        if player.finished:
            return 0
        if place in ("one", "lie"):
            return 1
        hand = len(player.hand) + coming["one"] + coming["hand"]
        if place == "hand":
            return max(0, player.size - hand)
        up = len(player.up) + coming["lie"] + coming["open"]
        return max(0, player.up_size - up - max(0, hand - player.size))

    def due_draw(self) -> tuple[str, int]:
        """Return who draws next and how many cards his word has; ("", 0) if nobody. The deck may be too short."""
        if self.votes:
            return "", 0
        while self.queue and (not self.deck or not self.missing(*self.queue[0])):
            self.queue.pop(0)
        if not self.queue:
            return "", 0
        return self.queue[0][0], min(len(self.places()), len(self.deck))

    def places(self) -> list[str]:
        """Return the place of each card that the first of the queue draws, in order."""
        who, found, coming = self.queue[0][0], list[str](), Counter[str]()
        for key, place in self.queue:
            if key != who:
                break
            count = self.missing(who, place, coming) if place != "row" or not found else 0
            coming[place] += count
            found += [place] * count
        return found

    def draw(self, cards: list[str]) -> None:
        """Draw these cards for who is due. Raises Fault ``draw`` for a wrong number, ``impossible`` for a card."""
        who, count = self.due_draw()
        if len(cards) != count:
            raise Fault("draw", f"{count} cards are to be drawn")
        for card in cards:
            while not self.missing(*self.queue[0]) or self.queue[0][0] != who:
                self.queue.pop(0)
            top = self.deck.pop(0)
            if card not in (top, "~") and (top != "~" or self.seen(card)):
                raise Fault("impossible", f"{card} does not lie on top")
            self._put(who, card if top == "~" else top)
        if not self.deck:
            self._emptied(who)

    def _put(self, who: str, card: str) -> None:
        place = self.queue[0][1]
        if who == ROW:
            assert self.row is not None
            self.row.append(card)
        elif place in ("open", "lie"):
            self.players[who].up.append(card)
        else:
            self.players[who].hand.append(card)
        if place in ("one", "lie"):
            self.queue.pop(0)

    def _emptied(self, who: str) -> None:
        if self.variant != "dresden":
            self.lift()
        if self.dead or self.round_over:
            return
        if not self.pile:
            self.stay_empty()
            return
        seat = self.players[self.mover if who == ROW else who].seat
        order = [one for one in self.rotation if one <= self.real]
        start = order.index(seat) if seat <= self.real else order.index(1)
        self.votes = [*order[start:], *order[:start]]

    def stay_empty(self) -> None:
        """Leave the deck empty for the round; a Temperance goes."""
        self.dead = True
        self.queue, self.votes = [], []
        self.lift()

    def vote(self, word: str) -> None:
        """Take the vote of the first seat asked."""
        self.votes.pop(0)
        if word == "No":
            self.stay_empty()
        elif not self.votes:
            self.deck, self.shuffled, self.pile = ["~"] * len(self.pile), Counter(self.pile), []
            self.fresh = True

    def tell(self, cards: list[str]) -> None:
        """Learn how the deck lies, from the top."""
        known = [card for card in cards if card != "~"]
        bad = self.started and "~" not in self.shuffled and Counter(known) - self.shuffled
        if len(cards) > len(self.deck) or bad or any(self.seen(card) for card in known) or len(set(known)) < len(known):
            raise Fault("impossible", "the deck is not that")
        self.deck = [*cards, *self.deck[len(cards) :]]
        self.fresh = False

    def deal(self, key: str, cards: list[str]) -> None:
        """Learn a hand of six."""
        if self.started or len(cards) != 6 or key not in self.players or any(self.seen(card) for card in cards):
            raise Fault("impossible", "no hand of this deal")
        self.players[key].hand = cards

    # --- what lies on the table ---

    def lift(self) -> None:
        """Discard the Temperance on the table, if one lies there."""
        if self.temper:
            self.temper = None
            self.pile.append("T14")

    def stand(self, key: str, field: str, stand: Stand) -> None:
        """Commit on a field; nobody finishes yet."""
        self.players[key].stands[field] = stand
        self.touched.add(field)

    def finish(self) -> None:
        """Take out of the round who has committed on every field, and see whether it has ended."""
        for player in self.players.values():
            if len(player.stands) == 4 and not player.finished:
                self._leave_round(player)
        if all(player.finished for player in self.players.values()) and not self.round_over:
            self.round_over = True
            self.queue, self.votes, self.excess = [], [], ""
            self._count()

    def _leave_round(self, player: Player) -> None:
        player.finished = True
        self.pile += player.cards()
        player.hand, player.up = [], []
        if player.reserve is not None:
            self.pile += [*player.reserve, "T07"]
            player.reserve = None
        if self.hermit and self.hermit[0] == player.key:
            self.hermit = None
            self.pile.append("T09")
        if self.temper and self.temper[0] == player.key:
            self.lift()
        if player.daemon:
            self.devil = None
            self.pile.append("T15")

    def winner(self, field: str) -> int:
        """Return the seat that has won a field."""
        best = max((*self.players.values(), *self.past), key=lambda one: strength(one.stands[field], field, self.tie))
        return best.seat

    def hidden(self) -> dict[tuple[str, str], Stand]:
        """Return what lies face down, by key and field."""
        return {
            (key, field): player.stands[field]
            for key, player in self.players.items()
            for field in FIELDS
            if field in player.stands and player.stands[field].down
        }

    def _count(self) -> None:
        if not any("~" in stand.cards for stand in self.hidden().values()):
            self.counted = True
            self.won.update((self.winner(field), field) for field in FIELDS)
        self.over = self.round + 1 >= self.rounds and len(self.leaders()) == 1

    def leaders(self) -> list[int]:
        """Return who has won most fields, then most swords, staves, cups and coins."""

        def account(seat: int) -> tuple[int, ...]:
            fields = [self.won[seat, field] for field in FIELDS]
            return (sum(fields), *fields)

        most = max(account(seat) for seat in range(1, self.seats + 1))
        return [seat for seat in range(1, self.seats + 1) if account(seat) == most]

    def score(self) -> str:
        """Return the fields each seat has won, as in a Score tag."""
        return ":".join(str(sum(self.won[seat, field] for field in FIELDS)) for seat in range(1, self.seats + 1))

    def all_cards(self) -> list[str]:
        """Return every card of the round, wherever it lies, in card order."""
        table = [*self.deck, *self.pile, *self.aside, *(self.row or [])]
        table += [*self.lying(), *(self.before.cards if self.before else ())]
        for player in (*self.players.values(), *self.past):
            table += [*player.cards(), *(player.reserve or [])]
            table += {card for stand in player.stands.values() for card in stand.cards}
        return in_order(table)
