"""A second, slow player of the trick games, written from their pages alone; it shares nothing with the package.

It deals, passes, bids and plays at random, always legally, and writes down CGN words of an open record. A hand is a
list of names; a trick a list of (seat, card).
"""

from collections.abc import Iterator
from random import Random

RANKS = "23456789XJQKA"
DECK = tuple(rank + suit for suit in "CDHS" for rank in RANKS)
BLIND = -1
"""A bid of no trick by a player who has not seen his hand."""


class Table:
    """A record that is being played: its words, and the points of the seats, counted from 1."""

    deck: tuple[str, ...] = DECK

    def __init__(self, game: str, seats: int, random: Random, target: int) -> None:
        self.game, self.seats, self.random, self.target = game, seats, random, target
        self.words: list[str] = []
        self.choices: dict[int, frozenset[str]] = {}
        """By ply, the cards that could be played there."""
        self.announcements: dict[int, frozenset[str]] = {}
        """By ply, the cards that could be played there with an announcement."""
        self.points = dict.fromkeys(range(1, seats + 1), 0)
        self.bags = {1: 0, 0: 0}
        self.deal, self.dealer = 1, seats

    # --- the order of a deal ---

    def left_of(self, seat: int, by: int = 1) -> int:
        """Return the seat so many places to the left."""
        return (seat + by - 1) % self.seats + 1

    def size(self) -> int:
        """Return how many cards each seat is dealt."""
        if self.game != "oh-hell":
            return 13
        most = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}[self.seats]
        down_and_up = [*range(most, 0, -1), *range(2, most + 1)]
        return int(down_and_up[self.deal - 1])

    def play_deal(self) -> None:
        """Play one deal and count it."""
        cards, size = self.random.sample(DECK, 52), self.size()
        hands = {seat: cards[size * (seat - 1) : size * seat] for seat in self.points}
        for seat, hand in hands.items():
            self.words.append(f"p0/p{seat}*{','.join(sorted(hand, key=DECK.index))}")
        trumps = {"spades": "S"}.get(self.game, "")
        if self.game in ("whist", "oh-hell"):
            turned = cards[size * self.seats] if self.game == "oh-hell" else self.random.choice(hands[self.dealer])
            trumps = turned[1]
            self.words.append(f"p0/^{turned}")
        if self.game == "hearts":
            self.pass_cards(hands)
        bids = self.bid(size) if self.game in ("spades", "oh-hell") else {}
        won = self.play_tricks(hands, trumps)
        for seat, points in self.score(bids, won).items():
            self.points[seat] += points
        self.deal, self.dealer = self.deal + 1, self.left_of(self.dealer)

    def pass_cards(self, hands: dict[int, list[str]]) -> None:
        """Let every seat pass three cards, in order from the dealer's left; not in every fourth deal."""
        by = {1: 1, 2: 3, 3: 2, 0: 0}[self.deal % 4]
        if not by:
            return
        chosen = {seat: sorted(self.random.sample(hand, 3), key=DECK.index) for seat, hand in hands.items()}
        for turn in range(1, 5):
            seat = self.left_of(self.dealer, turn)
            self.words.append(f"{','.join(chosen[seat])}>p{self.left_of(seat, by)}")
        for seat, cards in chosen.items():
            for card in cards:
                hands[seat].remove(card)
        for seat, cards in chosen.items():
            hands[self.left_of(seat, by)] += cards

    def bid(self, size: int) -> dict[int, int]:
        """Let every seat bid; in oh-hell the last not so that the bids come to the number of tricks."""
        bids: dict[int, int] = {}
        for turn in range(1, self.seats + 1):
            seat = self.left_of(self.dealer, turn)
            may = list(range(min(size, 6) + 1)) + [BLIND] * (self.game == "spades")
            if self.game == "oh-hell" and turn == self.seats and size - sum(bids.values()) in may:
                may.remove(size - sum(bids.values()))
            bids[seat] = self.random.choice(may)
            names = {BLIND: "BlindNil", 0: "Nil"} if self.game == "spades" else {}
            self.words.append(f"Bid={names.get(bids[seat], bids[seat])}")
        return bids

    def play_tricks(self, hands: dict[int, list[str]], trumps: str) -> dict[int, list[list[str]]]:
        """Play all tricks at random; return the tricks that each seat has won."""
        won: dict[int, list[list[str]]] = {seat: [] for seat in hands}
        leader, played = self.left_of(self.dealer), set[str]()
        if self.game == "hearts":
            leader = next(seat for seat, hand in hands.items() if "2C" in hand)
        for number in range(1, len(hands[1]) + 1):
            trick: list[tuple[int, str]] = []
            for turn in range(self.seats):
                seat = self.left_of(leader, turn)
                may = list(self.legal(hands[seat], [one for _, one in trick], number, played))
                card, self.choices[len(self.words) + 1] = self.random.choice(may), frozenset(may)
                hands[seat].remove(card)
                prefix = f"p{seat}/" if self.game == "hearts" and number == 1 and not trick else ""
                self.words.append(prefix + card)
                trick.append((seat, card))
                played.add(card)
            leader = max(trick, key=lambda one: strength(one[1], trick[0][1], trumps))[0]
            won[leader].append([card for _, card in trick])
        return won

    def legal(self, hand: list[str], trick: list[str], number: int, played: set[str]) -> Iterator[str]:
        """Yield the cards of a hand that may be played to a trick, of which ``number`` is the number in its deal."""
        follow = [card for card in hand if trick and card[1] == trick[0][1]]
        for card in hand:
            if self.game == "hearts" and number == 1 and not trick and card != "2C":
                continue
            if follow and card not in follow:
                continue
            costs = card[1] == "H" or card == "QS"
            free = [one for one in hand if one[1] != "H" and one != "QS"]
            if self.game == "hearts" and number == 1 and costs and free:
                continue
            barred = {"hearts": "H", "spades": "S"}.get(self.game, "")
            others = [one for one in hand if one[1] != barred]
            if not trick and card[1] == barred and others and not any(one[1] == barred for one in played):
                continue
            yield card

    # --- the count ---

    def score(self, bids: dict[int, int], won: dict[int, list[list[str]]]) -> dict[int, int]:
        """Return the points that each seat wins with a deal."""
        tricks = {seat: len(of) for seat, of in won.items()}
        if self.game == "oh-hell":
            return {seat: 10 + bids[seat] if bids[seat] == tricks[seat] else 0 for seat in tricks}
        if self.game == "hearts":
            costs = {seat: sum(cost(card) for trick in of for card in trick) for seat, of in won.items()}
            moon = [seat for seat, points in costs.items() if points == 26]
            return {seat: 0 if seat in moon else 26 for seat in costs} if moon else costs
        if self.game == "whist":
            sides = {seat: tricks[seat] + tricks[self.left_of(seat, 2)] for seat in tricks}
            return {seat: max(sides[seat] - 6, 0) for seat in sides}
        points: dict[int, int] = {}
        for side in (1, 0):
            partners = [seat for seat in bids if seat % 2 == side]
            contract = sum(max(bids[seat], 0) for seat in partners)
            made = sum(tricks[seat] for seat in partners if bids[seat] > 0)
            bags = sum(tricks[seat] for seat in partners if bids[seat] <= 0) + max(made - contract, 0)
            total = (10 if made >= contract else -10) * contract + bags
            for seat in partners:
                if bids[seat] <= 0:
                    stake = 200 if bids[seat] == BLIND else 100
                    total += -stake if tricks[seat] else stake
            self.bags[side] += bags
            if self.bags[side] >= 10:
                self.bags[side] -= 10
                total -= 100
            points |= dict.fromkeys(partners, total)
        return points

    def is_over(self) -> bool:
        """Say whether the game has ended."""
        ends = {"whist": 1, "oh-hell": 2 * {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}[self.seats] - 1}
        if self.game in ends:
            return self.deal > ends[self.game]
        return max(self.points.values()) >= self.target and len(self.winners()) == (2 if self.game == "spades" else 1)

    def winners(self) -> list[int]:
        """Return the seats that have won."""
        best = (min if self.game == "hearts" else max)(self.points.values())
        return [seat for seat, points in self.points.items() if points == best]


def strength(card: str, led: str, trumps: str) -> tuple[bool, bool, int]:
    """Return a value that is greater for a card that beats another one."""
    return card[1] == trumps, card[1] == led[1], RANKS.index(card[0])


def cost(card: str) -> int:
    """Return what a card costs in hearts."""
    return 13 if card == "QS" else int(card[1] == "H")
