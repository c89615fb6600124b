"""How words of trick games are tapped: hands dealt, the card turned up, cards passed, bids, the cards of a trick."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

from msgspec import Struct

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.tricks import Bid, Deal, Move, Pass, Play, State, TrickGame, TurnUp
from cartulary.engine.tricks.state import (
    deal_size,
    has_begun,
    open_trick,
    passers,
    passing,
    seat_after,
    turned_place,
)
from cartulary.notation.card_faces import FRENCH
from cartulary.notation.card_forms import CardSteps, suit_keys, things
from cartulary.notation.contract import CardList, Keypad, SuitKeys, Touch, WordForm
from cartulary.notation.contract import FormBranch as Branch
from cartulary.notation.contract import FormThing as Thing
from cartulary.notation.tricks.picture import SUIT_NAMES, bid_sign, in_hand


class TrickKeys(Struct, frozen=True, eq=False):
    """The keys of a trick game.

    Attributes:
        rules: The rules of the game.
        suits: The keys of the deck by suit.
    """

    rules: TrickGame
    suits: tuple[SuitKeys, ...]

    def touch(self) -> Touch[State, Move]:
        """Return the part ``Touch`` of the game, made of the methods of this object."""
        return Touch(
            path=self.path,
            keypad=self.keypad,
            form=self.form,
            out_of_turn=True,
            task=self.task,
            lines=self.lines,
            unit="trick",
        )

    def path(self, move: Move, state: State) -> tuple[str, ...]:
        """Return the card that is played, by its id on the drawing, in a tuple of one; empty for other words.

        It is empty also if something is announced with the card, so that the word is a key of its own.
        """
        if not isinstance(move, Play) or move.card < 0 or move.announcement >= 0:
            return ()
        return (self.rules.game.deck.names[move.card],)

    def keypad(self, state: State, seat: int) -> Keypad:
        """Return the keys of the cards, with those that have been played and the suit that was led.

        They are the same for every ``seat``. The words of several cards that may be written now are listed too.
        """
        table = open_trick(state)
        led = self.rules.game.deck.names[table[0][1]][-1] if table and table[0][1] >= 0 else ""
        cards = tuple(self._names(state.hands.played_cards))
        return Keypad(self.suits, cards, FRENCH.get(led, led), tuple(self._lists(state)))

    def _lists(self, state: State) -> Iterator[CardList]:
        """Yield the lists of cards that are typed one by one: those passed next, and each hand not yet dealt."""
        kinds = self.rules.expected(state)
        giver = self.rules.turns.first(state)
        if Pass in kinds and giver in passers(self.rules.game, state):
            by, count = passing(self.rules.game, state)
            yield CardList(after=f">p{seat_after(state, giver, by)}", sizes=(count,), due=True)
        for to in range(1, state.seats + 1) if Deal in kinds else ():
            if not state.dealt_seats >> to & 1:
                yield CardList(f"p0/p{to}*", sizes=(deal_size(self.rules.game, state, to),))

    def task(self, state: State, seat: int) -> str:
        """Return what is to be tapped next, in one line: ``p2 to bid``, ``p1 to pass 3 to p2``.

        Args:
            state: The position, as the writer sees it.
            seat: The seat that writes, 0 for who writes for all.
        """
        kinds, first = self.rules.expected(state), self.rules.turns.first(state)
        if TurnUp in kinds:
            return "Tap the card turned up" if not seat else "A card is turned up"
        if Pass in kinds and (waiting := passers(self.rules.game, state)):
            giver = seat if seat in waiting else first if first in waiting else min(waiting)
            by, count = passing(self.rules.game, state)
            return f"p{giver} to pass {count} to p{seat_after(state, giver, by)}"
        actors = self.rules.actors(state)
        if not actors or not actors[0]:
            return ""
        if Play in kinds and not seat and len(actors) > 1 and self.rules.game.first_card >= 0 and not has_begun(state):
            return "Tap who leads, then the card"
        return f"p{actors[0]} to {'bid' if Bid in kinds else 'play'}"

    def lines(self, state: State) -> tuple[tuple[str, str], ...]:
        """Return the key that lets all seats pass cards that nobody else saw, with its words; none if none are due."""
        waiting = passers(self.rules.game, state) if Pass in self.rules.expected(state) else ()
        if len(waiting) < 2:
            return ()
        by, count = passing(self.rules.game, state)
        cards = ",".join("~" * count)
        passes = (f"p{giver}/{cards}>p{seat_after(state, giver, by)}" for giver in sorted(waiting))
        return (("All passed, unseen", " ".join(passes)),)

    def form(self, state: State, seat: int) -> WordForm:
        """Return how words are put together: what comes next in the deal, and what the table may still write.

        Only words of ``seat`` are in it; 0 writes for everybody, and alone deals hands and turns up a card. After the
        end there are none.
        """
        start: list[Branch] = []
        nodes: dict[str, tuple[Branch, ...]] = {}
        titles: dict[str, str] = {}
        groups = {"cards": things(self._names(self.rules.game.deck.cards & ~reduce(or_, state.dealt_cards)))}
        kinds = () if state.over else self.rules.expected(state)
        if TurnUp in kinds and not seat:
            groups["turned up"] = things(self._names(state.hands.can[turned_place(state)]))
            start.append(Branch("p0/^", group="turned up"))
        if Pass in kinds:
            by, count = passing(self.rules.game, state)
            for giver in passers(self.rules.game, state):
                if seat in (0, giver):
                    groups[f"p{giver}"] = things(self._names(self._possible(state, giver - 1)))
                    to = seat_after(state, giver, by)
                    passed = CardSteps(f"pass {giver}", count, f"p{giver}", after=f">p{to}", title=f"p{giver} passes")
                    prefix = "" if giver == self.rules.turns.first(state) else f"p{giver}/"
                    start += passed.first(prefix, "" if seat else f"p{giver} passes…")
                    nodes |= passed.nodes()
                    titles |= passed.titles()
        actors = self.rules.actors(state)
        if Bid in kinds and seat in (0, *actors):
            names = self.rules.bid_names(state)
            start += (Branch(f"Bid={names[bid]}", bid_sign(names[bid])) for bid in self.rules.bids_now(state))
            if not seat and self.rules.game.auction is None and not self.rules.undealt(state):
                start += (Branch("~", "A bid nobody heard"),)
        if Play in kinds and seat in (0, *actors):
            writers = [player for player in actors if seat in (0, player)]
            if self.rules.game.first_card >= 0 and not has_begun(state):
                for player in writers:
                    start.append(Branch(f"p{player}/", f"p{player} leads…", next_node=f"p{player} leads"))
                    nodes[f"p{player} leads"] = self._cards(state, (player,), groups)
            else:
                # Where it is open who has won the trick, a card is written without its seat.
                start += self._cards(state, writers, groups)
        if Deal in kinds and not seat:
            for to in range(1, state.seats + 1):
                if not state.dealt_seats >> to & 1:
                    size = deal_size(self.rules.game, state, to)
                    dealt = CardSteps(f"hand of {size}", size, "cards", title="Cards dealt")
                    start += dealt.first(f"p0/p{to}*", f"p{to}'s hand…")
                    nodes |= dealt.nodes()
                    titles |= dealt.titles()
        return WordForm({"start": tuple(start)} | nodes, groups, titles=titles)

    def _cards(self, state: State, players: Sequence[int], groups: dict[str, tuple[Thing, ...]]) -> tuple[Branch, ...]:
        """Return the branches that name a card of one of some seats, and add the group of these cards to ``groups``.

        A card that nobody saw may be named if a card of these seats is not known.
        """
        name = ",".join(map(str, players))
        cards = reduce(or_, (self._possible(state, player - 1) for player in players))
        groups[name] = things(self._names(cards))
        unseen = any(in_hand(state, player - 1)[1] for player in players)
        deck, announcements = self.rules.game.deck, self.rules.game.announcements
        keys = dict.fromkeys(
            Branch(
                f"{deck.names[card]}&{announcements[number].name}",
                f"{announcements[number].name} with {deck.names[card]}",
            )
            for player in players
            for card in cards_of(cards)
            for number in self.rules.announcements_with(state, player, card)
        )
        return (Branch(group=name), *keys, *((Branch("~", "A card nobody saw"),) if unseen else ()))

    def _possible(self, state: State, place: int) -> int:
        """Return the cards that a seat may hold as a set of bits; ``place`` is the seat counted from 0.

        They are its own if all are known, else all that have not been played and are in no other hand.
        """
        own, hidden = in_hand(state, place)
        return own | self.rules.game.deck.cards & ~state.hands.played_cards & ~self._in_hands(state) if hidden else own

    def _in_hands(self, state: State) -> int:
        """Return the cards that are known to be in any hand as a set of bits: bit n is card n."""
        return reduce(or_, (in_hand(state, place)[0] for place in range(state.seats)))

    def _names(self, cards: int) -> Iterable[str]:
        """Return the names of a set of cards, given as bits, in the order of their numbers."""
        return map(self.rules.game.deck.names.__getitem__, cards_of(cards))


def keys_of_suits(rules: TrickGame) -> tuple[SuitKeys, ...]:
    """Return the keys of each suit of a game's deck, in the order of suits, each with its cards by rank."""
    keys: list[SuitKeys] = []
    for suit in rules.game.deck.suits:
        names = [rules.game.deck.names[card] for card in cards_of(suit)]
        letter = names[0][-1]
        keys.append(suit_keys(FRENCH.get(letter, letter), SUIT_NAMES.get(letter, letter), names))
    return tuple(keys)
