"""A second, slow player of Belote, written from the page of its rules alone; it shares nothing with the package.

Partners are the seats 1 and 3, 2 and 4. A hand is a list of names; a trick a list of (seat, card).
"""

from random import Random

from tests.referees.tricks.table import Table

DECK = tuple(rank + suit for suit in "CDHS" for rank in "789XJQKA")
IN_TRUMPS = {"J": 20, "9": 14, "A": 11, "X": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
ELSEWHERE = {"A": 11, "X": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
"""What each rank counts, from the highest in its suit to the lowest."""


class BeloteTable(Table):
    """A record of Belote that is being played; ``waiting`` are the points of takers that wait after equal deals."""

    deck = DECK

    def __init__(self, random: Random, target: int) -> None:
        super().__init__("belote", 4, random, target)
        self.waiting = 0
        self.trumps = ""
        self.belotes = {1: 0, 2: 0, 3: 0, 4: 0}

    def play_deal(self) -> None:
        """Play one deal, or let everybody pass, and count it."""
        stock = self.random.sample(DECK, 32)
        hands = {seat: [stock.pop() for _ in range(5)] for seat in (1, 2, 3, 4)}
        self.write_hands(hands)
        turned = stock.pop()
        self.words.append(f"p0/^{turned}")
        taker = self.bid_for(turned[1])
        if taker:
            rest = {seat: [stock.pop() for _ in range(2 if seat == taker else 3)] for seat in (1, 2, 3, 4)}
            self.write_hands(rest)
            for seat, cards in rest.items():
                hands[seat] += cards
            hands[taker].append(turned)
            self.count(taker, self.play_eight(hands))
        self.deal, self.dealer = self.deal + 1, self.left_of(self.dealer)

    def write_hands(self, hands: dict[int, list[str]]) -> None:
        """Write down what is dealt, in the order of the deck."""
        for seat, cards in hands.items():
            self.words.append(f"p0/p{seat}*{','.join(sorted(cards, key=DECK.index))}")

    def bid_for(self, turned: str) -> int:
        """Let the seats pass, take or name a suit; return the taker, 0 if all pass twice."""
        for chances in (("Take",), tuple(suit for suit in "CDHS" if suit != turned)):
            for turn in range(1, 5):
                if self.random.random() < 0.2:
                    bid = self.random.choice(chances)
                    self.words.append(f"Bid={bid}")
                    self.trumps = turned if bid == "Take" else bid
                    return self.left_of(self.dealer, turn)
                self.words.append("Bid=Pass")
        return 0

    def beats(self, card: str, other: str) -> bool:
        """Say whether a card takes a trick from the best one so far."""
        if card[1] != other[1]:
            return card[1] == self.trumps
        order = list(IN_TRUMPS if card[1] == self.trumps else ELSEWHERE)
        return order.index(card[0]) < order.index(other[0])

    def may_play(self, hand: list[str], seat: int, trick: list[tuple[int, str]]) -> list[str]:
        """Return the cards of a hand that the rules allow."""
        if not trick:
            return hand
        holder, best = self.best_of(trick)
        led = trick[0][1][1]
        same = [card for card in hand if card[1] == led]
        trumps = [card for card in hand if card[1] == self.trumps]
        higher = [card for card in trumps if best[1] != self.trumps or self.beats(card, best)]
        if led == self.trumps:
            return higher or trumps or hand
        if same:
            return same
        if holder == self.left_of(seat, 2):
            return hand
        return higher or trumps or hand

    def best_of(self, trick: list[tuple[int, str]]) -> tuple[int, str]:
        """Return who holds a trick so far, and with which card."""
        best = trick[0]
        for each in trick[1:]:
            if self.beats(each[1], best[1]):
                best = each
        return best

    def play_eight(self, hands: dict[int, list[str]]) -> list[tuple[int, list[str]]]:
        """Play the tricks at random; return who has won each, and its cards."""
        self.belotes = dict.fromkeys(hands, 0)
        pair = {f"K{self.trumps}", f"Q{self.trumps}"}
        announced = 0
        gone: set[str] = set()
        won: list[tuple[int, list[str]]] = []
        leader = self.left_of(self.dealer)
        for _ in range(8):
            trick: list[tuple[int, str]] = []
            for turn in range(4):
                seat = self.left_of(leader, turn)
                may = self.may_play(hands[seat], seat, trick)
                ply, card = len(self.words) + 1, self.random.choice(may)
                first = {f"{one}&Belote" for one in pair.intersection(may) if pair <= {*hands[seat]}}
                second = {f"{one}&Rebelote" for one in pair.intersection(may) if announced == seat and pair & gone}
                self.choices[ply], self.announcements[ply] = frozenset(may), frozenset(first | second)
                said = [word for word in first | second if word.startswith(card) and self.random.random() < 0.8]
                self.words.append(said[0] if said else card)
                announced = seat if said and card in pair and not pair & gone else announced
                self.belotes[seat] += 20 if said and pair & gone else 0
                hands[seat].remove(card)
                gone.add(card)
                trick.append((seat, card))
            leader = self.best_of(trick)[0]
            won.append((leader, [card for _, card in trick]))
        return won

    def count(self, taker: int, won: list[tuple[int, list[str]]]) -> None:
        """Add the points of a deal."""
        made = {1: 0, 0: 0}
        for seat, cards in won:
            made[seat % 2] += sum((IN_TRUMPS if card[1] == self.trumps else ELSEWHERE)[card[0]] for card in cards)
        sides = {seat % 2 for seat, _ in won}
        bonus = 100 if len(sides) == 1 else 10
        made[won[-1][0] % 2] += bonus
        belote = {side: sum(self.belotes[seat] for seat in self.belotes if seat % 2 == side) for side in (1, 0)}
        ours, theirs = taker % 2, 1 - taker % 2
        mine, others = made[ours] + belote[ours], made[theirs] + belote[theirs]
        if mine > others:
            mine, self.waiting = mine + self.waiting, 0
        elif mine == others:
            mine, self.waiting = 0, self.waiting + mine
        else:
            mine, others, self.waiting = belote[ours], 152 + bonus + belote[theirs] + self.waiting, 0
        for seat in self.points:
            self.points[seat] += mine if seat % 2 == ours else others

    def is_over(self) -> bool:
        """Say whether a side has the points of the game, and more than the other."""
        return self.points[1] != self.points[2] and max(self.points.values()) >= self.target
