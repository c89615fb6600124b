"""The rules that trick games share, worked out from a ``Description``: who may do what, and what hidden hands owe."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from cartulary.engine.cards import hands as known
from cartulary.engine.cards import revokes
from cartulary.engine.cards.deck import cards_of, how_many, join_hint, set_of
from cartulary.engine.cards.hands import Hands, possible_cards
from cartulary.engine.cards.layouts import Question
from cartulary.engine.cards.revokes import store_questions
from cartulary.engine.cards.telling import Telling, split_by_leader
from cartulary.engine.cards.tricks import Trick, lay, narrow_by_winner, playable, winners
from cartulary.engine.contract import Clause, Need, Open, Outcome, Pending, Refused, Sheet
from cartulary.engine.once import once_each
from cartulary.engine.parts import Hidden, Place, Rules, Turns, by_clauses
from cartulary.engine.tricks.description import Description, Lead, Obligation, PlayedDeal
from cartulary.engine.tricks.state import (
    UNKNOWN,
    Bid,
    Deal,
    Move,
    Pass,
    Play,
    ScoredDeal,
    State,
    TurnUp,
    WonTrick,
    begin_deal,
    hand_size,
    hands_after_passes,
    has_begun,
    key,
    open_trick,
    passers,
    passing,
    places_of,
    seat_after,
    trumps_of,
    turned_place,
    view,
    view_move,
)


class TrickGame:
    """The rules of one trick game.

    Attributes:
        game: What the game is made of.
    """

    def __init__(self, game: Description) -> None:
        self.game = game
        self._broke = {f"{game.key}.{obligation.name}": obligation.broke for obligation in game.obligations}

    # --- the parts of the contract ---

    @once_each
    def clauses(self) -> tuple[Clause[State, Move], ...]:
        """The rules in the order in which they are asked, that of the end last."""
        checks: dict[str, Any] = {"order": self._order, "deal": self._deal}
        checks |= {"pass": self._pass, "bid": self._bid, "in-hand": self._in_hand, "turn": self._turn}
        checks |= {"lead": self._lead} | {
            obligation.name: self._owes(obligation) for obligation in self.game.obligations
        }
        rules = self.game.rules
        first = [Clause(self._key(name), *rules[name], check) for name, check in checks.items() if name in rules]
        return (*first, Clause(self._key("score"), *rules["score"], self._score))

    @once_each
    def rules(self) -> Rules[State, Move, Move, int]:
        """The part ``Rules``."""
        play, judge = by_clauses(
            self.clauses, self.apply, apply_open=self.apply, exact=self.exact, breaches=lambda _, after: after.breaches
        )
        return Rules(
            self.setup,
            play,
            self.clauses,
            judge=judge,
            candidates=self.candidates,
            complete=self.complete,
            outcome=self.outcome,
            apart=lambda state: split_by_leader(state) if state.trick else (0, ()),
        )

    @once_each
    def turns(self) -> Turns[State, Move]:
        """The part ``Turns``."""
        return Turns(
            lambda state: max(self.actors(state)[:1], default=0) or self.leaders(state)[0],
            self.actors,
            skip=lambda state: replace(state, ply=state.ply + 1),
            number=self._number,
            due=self._due,
            table=True,
        )

    @once_each
    def hidden(self) -> Hidden[State, Move, int]:
        """The part ``Hidden``."""
        return Hidden(
            lambda state, seat: view(self.game, state, seat),
            view_move,
            exact=self.exact,
            tell_need=self._tell_need,
            pending=self._pending,
            whereabouts=lambda state: self._telling(state).whereabouts(state),
            deal=self._hands_of,
        )

    @once_each
    def place(self) -> Place[State]:
        """The part ``Place``."""
        return Place(key)

    def setup(self, sheet: Sheet[int]) -> State:
        """Return the state before the first deal; the last seat deals if the sheet does not say who does."""
        target = int(sheet.options.get("to") or self.game.target)
        places = places_of(self.game, sheet.seats, 1)
        hands = known.begin(places, (0,) * len(places.sizes))
        state = State(sheet.seats, target, sheet.own or sheet.seats, 1, 0, hands, (), points=(0,) * sheet.seats)
        return begin_deal(self.game, state)

    def _key(self, name: str) -> str:
        """Return the key of a rule, given its name."""
        return f"{self.game.key}.{name}"

    def _telling(self, state: State) -> Telling:
        """Return the wording about hidden hands for so many seats."""
        names = (*(f"p{seat}" for seat in range(1, state.seats + 1)), "the stock")
        return Telling(self.game.deck, self._broke, names)

    # --- whose turn it is ---

    def actors(self, state: State) -> tuple[int, ...]:
        """Return the seats that may speak now, 0 alone for the table, and none after the end."""
        if state.over:
            return ()
        if self.game.turns_up and state.turned_card < 0:
            return (0,)
        return passers(self.game, state) or self._bidder(state) or self.leaders(state)

    def is_playing(self, state: State) -> bool:
        """Say whether the next word is a card: nothing else is due before it."""
        return Play in self.expected(state) and not state.over

    def leaders(self, state: State) -> tuple[int, ...]:
        """Return the seats that may play the next card; several if it is not known which of them is to play."""
        if state.leads:
            return state.leads
        first = seat_after(state, state.dealer)
        if self.game.first_card < 0:
            return (first,)
        order = [seat_after(state, state.dealer, by) for by in range(1, state.seats + 1)]
        return tuple(seat for seat in order if state.hands.can[seat - 1] >> self.game.first_card & 1) or (first,)

    def _bidder(self, state: State) -> tuple[int, ...]:
        """Return the seat that is to bid, none if all have bid or nothing is bid."""
        order = (seat_after(state, state.dealer, by) for by in range(1, state.seats + 1))
        return next(((seat,) for seat in order if state.bids and state.bids[seat - 1] < 0), ())

    def _due(self, state: State) -> str:
        """Return what comes next where the turn alone does not say it, empty where it does."""
        if self.game.turns_up and state.turned_card < 0 and not state.over:
            return "the card turned up, p0/^ and the card"
        if passers(self.game, state):
            by, count = passing(self.game, state)
            return f"{how_many(count)} passed {_seats_on(by)}, or {','.join('~' * count)} for unseen ones"
        return "a bid" if self._bidder(state) else ""

    def _number(self, state: State, move: Move | None) -> tuple[int, bool] | None:
        """Return the number of the trick, and whether the next card leads to it; None before the first card."""
        if not (move is None or isinstance(move, Play)) or not self.is_playing(state):
            return None
        won = len(state.tricks) + (len(state.trick) == state.seats)
        return won + 1, not open_trick(state)

    # --- the clauses ---

    def _order(self, state: State, move: Move) -> Refused | None:
        """Refuse a word of another part of the deal."""
        expected = () if state.over else self.expected(state)
        if isinstance(move, expected):
            return None
        if state.over:
            return Refused("The last deal is played", blocks=True)
        if isinstance(move, Deal | TurnUp | ScoredDeal):
            why = "The cards are dealt already"
            if isinstance(move, TurnUp) and state.turned_card >= 0:
                why = f"{self.game.deck.names[state.turned_card]} was turned up"
            elif isinstance(move, TurnUp):
                why = "No card is turned up now"
            return Refused(why, blocks=True)
        if TurnUp in expected:
            return Refused("No card has been turned up for trumps", blocks=True)
        if Pass in expected:
            return Refused(f"It is for p{passers(self.game, state)[0]} to pass cards", blocks=True)
        if Bid in expected:
            return Refused(f"It is for p{self._bidder(state)[0]} to bid", blocks=True)
        what = "passed" if isinstance(move, Pass) else "bid"
        return Refused(f"Nothing is {what} now, and it is for p{self.leaders(state)[0]} to play", blocks=True)

    def expected(self, state: State) -> tuple[type, ...]:
        """Return the kinds of words that may come now."""
        nothing_yet = not (state.passes or has_begun(state) or any(bid >= 0 for bid in state.bids))
        scoring = () if state.dealt_seats or state.over else (ScoredDeal,)
        if self.game.turns_up and state.turned_card < 0:
            return Deal, TurnUp, *scoring
        dealing = (Deal, *scoring) if nothing_yet and not self.game.turns_up else ()
        if passers(self.game, state):
            return (*dealing, Pass)
        return (*dealing, Bid if self._bidder(state) else Play)

    def _deal(self, state: State, move: Move) -> Refused | None:
        """Refuse a hand of the wrong size, a hand dealt twice, and a card in two hands."""
        if not isinstance(move, Deal | TurnUp):
            return None
        size, why = hand_size(state), ""
        cards = move.cards if isinstance(move, Deal) else (move.card,)
        place = move.to - 1 if isinstance(move, Deal) else turned_place(state)
        named = [card for card in cards if card >= 0]
        elsewhere = set_of(named) & ~state.hands.can[place]
        again = isinstance(move, Deal) and state.dealt_seats >> move.to & 1
        if isinstance(move, Deal) and (len(cards) != size or again):
            count = len(cards)
            why = f"p{move.to} is dealt {how_many(count)}"
            why += " again" if again else f", expected {size}{join_hint(count)}"
        elif len(set(named)) < len(named):
            why = f"One card is dealt to p{place + 1} twice"
        elif elsewhere:
            holder = f"p{place + 1}" if place < state.seats else "the stock"
            why = f"{holder} cannot hold {self.game.deck.list_cards(elsewhere)}"
        return Refused(why, blocks=True) if why else None

    def _pass(self, state: State, move: Move) -> Refused | None:
        """Refuse cards passed to the wrong seat, too many or too few, twice, or not held."""
        if not isinstance(move, Pass):
            return None
        by, count = passing(self.game, state)
        to, named = seat_after(state, move.seat, by), [card for card in move.cards if card >= 0]
        if move.seat not in passers(self.game, state):
            return Refused(f"p{move.seat} has passed its cards", blocks=True)
        if len(move.cards) != count:
            hint = join_hint(len(move.cards), "pass")
            return Refused(f"p{move.seat} passes {how_many(len(move.cards))}, expected {count}{hint}", blocks=True)
        if move.to != to:
            return Refused(f"p{move.seat} passes to p{to} in this deal, not to p{move.to}", blocks=True)
        if len(set(named)) < len(named):
            return Refused(f"p{move.seat} passes one card twice", blocks=True)
        missing = set_of(named) & ~playable(state.hands, move.seat - 1)
        if missing:
            return Refused(f"p{move.seat} does not hold {self.game.deck.list_cards(missing)}", blocks=True)
        return None

    def _bid(self, state: State, move: Move) -> Refused | None:
        """Refuse a bid that there is not, and the one that the rules bar."""
        if not isinstance(move, Bid) or (move.seat,) != self._bidder(state):
            return None
        bids, size = self.game.bids(hand_size(state)), hand_size(state)
        if not 0 <= move.bid < len(bids):
            return Refused(f"There is no such bid with {how_many(size)}: {bids[0]} to {bids[-1]}", blocks=True)
        earlier = [bid for bid in state.bids if bid >= 0]
        if move.bid == self.game.barred_bid(earlier, state.seats, size):
            return Refused(f"The bids would come to {sum(earlier) + move.bid}, as many as there are tricks")
        return None

    def _score(self, state: State, move: Move) -> Refused | None:
        """Refuse points that a deal cannot have brought."""
        why = self.game.impossible(move.points, state.deal) if isinstance(move, ScoredDeal) else ""
        return Refused(why) if why else None

    def _in_hand(self, state: State, move: Move) -> Refused | None:
        """Refuse a card that the seat cannot hold."""
        return self._telling(state).not_held(state.hands, move.seat - 1, move.card) if isinstance(move, Play) else None

    def _turn(self, state: State, move: Move) -> Refused | None:
        """Refuse a card or a bid out of turn."""
        if isinstance(move, Bid):
            bidder = self._bidder(state)
            return (
                None
                if (move.seat,) == bidder
                else Refused(f"It is for p{bidder[0]} to bid, not for p{move.seat}", True)
            )
        if not isinstance(move, Play):
            return None
        leads = self.leaders(state)
        if move.seat in leads:
            return None
        has_played = move.seat in dict(open_trick(state))
        return Refused(f"It is for p{leads[0]} to play, not for p{move.seat}", blocks=has_played)

    def _lead(self, state: State, move: Move) -> Refused | None:
        """Refuse another card than the one that is led to the first trick."""
        first = self.game.first_card
        if not isinstance(move, Play) or has_begun(state) or move.card in (first, UNKNOWN):
            return None
        return Refused(
            f"{self.game.deck.names[first]} is led to the first trick, not {self.game.deck.names[move.card]}"
        )

    def _owes(self, obligation: Obligation) -> Any:
        """Return the check of a rule that turns on what else is in the hand."""

        def check(state: State, move: Move) -> Refused | Open | None:
            """Refuse a card if the hand surely owes another; ask if it may."""
            if not isinstance(move, Play):
                return None
            after, card = lay(state.hands, move.seat - 1, move.card, state.ply + 1)
            asked = self._questions(obligation, state, after, move.seat - 1, card)
            return self._telling(state).answer(state.hands, after, asked, obligation.owes)

        return check

    def _questions(
        self, obligation: Obligation, state: State, after: Hands, place: int, card: int
    ) -> tuple[Question, ...]:
        """Return the conditions for a card to break no rule of this kind, empty if it surely breaks none.

        Args:
            obligation: The rule.
            state: The state before the card.
            after: The hands with the card played.
            place: The hand from which it came.
            card: The card, ``~n`` for the unnamed one with that number.
        """
        free: list[tuple[int, int]] = []
        if obligation.freed_by:
            if state.hands.played_cards & obligation.freed_by:
                return ()
            unnamed = state.hands.unnamed_cards
            free = [
                (n, after.places.cards & ~obligation.freed_by)
                for n, card in enumerate(unnamed)
                if card.cards & obligation.freed_by
            ]
        table, trumps, number = open_trick(state), trumps_of(self.game, state), self._trick_number(state)
        led = possible_cards(after, table[0][1]) if table else 0
        suits = [suit for suit in self.game.deck.suits if suit & led] if table else [0]
        holds, questions = after.can[place] & ~after.played_cards, list[Question]()
        for suit in suits:
            lead = Lead(suit, trumps, number)
            conditions = [*free, *([(~table[0][1], suit)] if table and table[0][1] < 0 else [])]
            debts: dict[int, int] = {}
            for one in cards_of(possible_cards(after, card)):
                debt = obligation.debt(lead, one) & holds
                debts[debt] = debts.get(debt, 0) | 1 << one
            for debt, cards in debts.items():
                if debt:
                    own = [(~card, cards)] if card < 0 else []
                    questions.append(
                        Question(state.ply + 1, self._key(obligation.name), place, debt, False, (*conditions, *own))
                    )
        return tuple(questions)

    def _trick_number(self, state: State) -> int:
        """Return the number of the trick to which the next card is played, from 1."""
        return len(state.tricks) + (len(state.trick) == state.seats) + 1

    # --- carrying a word out ---

    def apply(self, state: State, move: Move, opens: tuple[Open, ...] = ()) -> State:
        """Return the state after a word without judging it; the questions it leaves open are stored in it."""
        state = replace(state, ply=state.ply + 1, breaches=())
        if isinstance(move, Deal):
            cards = set_of(card for card in move.cards if card >= 0)
            return self._with_cards(replace(state, dealt_seats=state.dealt_seats | 1 << move.to), move.to - 1, cards)
        if isinstance(move, TurnUp):
            return self._with_cards(replace(state, turned_card=move.card), turned_place(state), 1 << move.card)
        if isinstance(move, Pass):
            state = replace(state, passes=(*state.passes, move))
            return state if passers(self.game, state) else replace(state, hands=hands_after_passes(state))
        if isinstance(move, Bid):
            bids = (*state.bids[: move.seat - 1], move.bid, *state.bids[move.seat :])
            return replace(state, bids=bids)
        if isinstance(move, ScoredDeal):
            return self._next_deal(state, (move.points, state.carry))
        return self._play(state, move, opens)

    def _with_cards(self, state: State, place: int, cards: int) -> State:
        """Return the state once it is known that cards were dealt to a place."""
        dealt = tuple(held | cards * (at == place) for at, held in enumerate(state.dealt_cards))
        return replace(state, dealt_cards=dealt, hands=known.begin(state.hands.places, dealt))

    def _play(self, state: State, move: Play, opens: tuple[Open, ...]) -> State:
        """Return the state after a card."""
        suits, trumps, place, ply = self.game.deck.suits, trumps_of(self.game, state), move.seat - 1, state.ply
        before = replace(state, ply=ply - 1)
        if len(state.trick) == state.seats:  # who leads has won it
            winner = move.seat if move.seat in state.leads else 0
            hands = narrow_by_winner(state.hands, state.trick, move.seat, suits, trumps, ply) if winner else state.hands
            state = replace(state, hands=hands, trick=(), tricks=(*state.tricks, WonTrick(winner, state.trick)))
            before = replace(state, ply=ply - 1)
        hands, card = lay(state.hands, place, move.card, ply)
        asked = tuple(
            question
            for obligation in self.game.obligations
            for question in self._questions(obligation, before, hands, place, card)
        )
        trick = (*state.trick, (move.seat, card))
        played = dict(trick)
        order = (seat_after(state, trick[0][0], by) for by in range(1, state.seats))
        leads: tuple[int, ...] = next(((seat,) for seat in order if seat not in played), ())
        hands, shown = store_questions(hands, asked, opens, place, card, ply, ends=not leads)
        proved = tuple(map(self._telling(state).breach, shown))
        state = replace(state, hands=hands, breaches=proved)
        if leads:
            return replace(state, leads=leads, trick=trick)
        leads = self.winners_of(state, trick)
        if len(leads) == 1:
            state = replace(state, trick=(), tricks=(*state.tricks, WonTrick(leads[0], trick)), leads=leads)
        else:
            state = replace(state, trick=trick, leads=leads)
        left = any(known.cards_left(hands, at) for at in range(state.seats))
        return state if left else self._next_deal(state, self.score(state))

    # --- the end of a deal ---

    def _next_deal(self, state: State, scored: tuple[tuple[int, ...], tuple[int, ...]] | None) -> State:
        """Return the state before the next deal, or with the game over.

        Args:
            state: The state at the end of a deal.
            scored: The points that each place wins with it and what is carried over, None if they are not known.
        """
        gains, carry = scored or ((0,) * state.seats, state.carry)
        points, unscored = (
            tuple(map(sum, zip(state.points, gains, strict=True))),
            state.unscored_deals + (scored is None),
        )
        over = self.game.ends(() if unscored else points, state.deal, state.seats, state.target)
        state = replace(state, points=points, carry=carry, unscored_deals=unscored)
        if over:
            return replace(state, over=True)
        still, late = revokes.pending(state.hands, state.ply)
        state = replace(
            state,
            past=(*state.past, *still),
            breaches=(*state.breaches, *map(self._telling(state).breach, late)),
            deal=state.deal + 1,
            dealer=seat_after(state, state.dealer),
        )
        return begin_deal(self.game, state)

    def score(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return the points that each place wins with a deal that is played, and what is carried over.

        None if a card that nobody wrote down decides them.
        """
        tricks, cards = [0] * state.seats, [0] * state.seats
        if len(state.trick) == state.seats or any(not trick.winner for trick in state.tricks):
            return None
        names = [card for trick in state.tricks for _, card in trick.cards if card >= 0]
        missing = self.game.counting_cards & ~set_of(names)
        for trick in state.tricks:
            tricks[trick.winner - 1] += 1
            for _, card in trick.cards:
                may = possible_cards(state.hands, card) if card < 0 else 1 << card
                if may & missing and may.bit_count() > 1:
                    may = known.may_have_been(state.hands, ~card)
                if may & missing and may.bit_count() > 1:
                    return None
                cards[trick.winner - 1] |= may
        return self.game.score(PlayedDeal(state.deal, state.bids, tuple(tricks), tuple(cards), state.carry))

    def winners_of(self, state: State, trick: Trick) -> tuple[int, ...]:
        """Return the seats that may have won a complete trick of a deal."""
        return winners(trick, self.game.deck.suits, trumps_of(self.game, state))

    def outcome(self, state: State) -> Outcome | None:
        """Return who has won once the game is over, None while it goes on or if cards nobody wrote down decide it."""
        if not state.over or state.unscored_deals:
            return None
        shares = self.shares(state.points)
        best = max(points for points, share in zip(state.points, shares, strict=True) if share)
        names = [f"p{seat}" for seat, share in enumerate(shares, 1) if share]
        seats = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        return Outcome(shares, self._key("score"), self.game.won_text.format(seats=seats, points=best))

    def shares(self, points: Sequence[int | Fraction]) -> tuple[int, ...]:
        """Return the shares of seats with so many points: whoever has the most wins, or the fewest."""
        best = min(points) if self.game.fewest else max(points)
        return tuple(int(count == best) for count in points)

    # --- lists of moves ---

    def candidates(self, state: State) -> Iterator[Move]:
        """Yield the words worth judging: cards to play or turn up, bids, and ways to pass if they can be listed."""
        if state.over:
            return
        if self.game.turns_up and state.turned_card < 0:
            yield from (TurnUp(0, card) for card in cards_of(playable(state.hands, turned_place(state))))
            return
        passing_seats = passers(self.game, state)
        by, count = passing(self.game, state)
        for seat in passing_seats:
            to, cards = seat_after(state, seat, by), tuple(cards_of(playable(state.hands, seat - 1)))
            ways = combinations(cards, count) if len(cards) == hand_size(state) else ((UNKNOWN,) * count,)
            yield from (Pass(seat, way, to) for way in ways)
        if passing_seats:
            return
        bidder = self._bidder(state)
        if bidder:
            yield from (Bid(bidder[0], bid) for bid in range(len(self.game.bids(hand_size(state)))))
            return
        for seat in self.leaders(state):
            yield from (Play(seat, card) for card in cards_of(playable(state.hands, seat - 1)))

    def complete(self, state: State) -> bool:
        """Say whether the candidates include every legal word: hands are not dealt, nor passed from unknown cards."""
        if self.game.turns_up and state.turned_card < 0:
            return False
        if passers(self.game, state):
            return all(
                playable(state.hands, seat - 1).bit_count() == hand_size(state) for seat in range(1, state.seats + 1)
            )
        return Deal not in self.expected(state)

    # --- hidden hands ---

    def exact(self, state: State, question: Open) -> Open | None:
        """Return a question that a ply has raised if it may still have either answer, else None."""
        ply, key = question.needs[0].ply, question.clause.key
        if ply <= state.since:
            return question if (ply, key) in state.past else None
        return question if revokes.still_open(state.hands, ply, key) else None

    def _tell_need(self, state: State, need: Need) -> str:
        """Return what is known by now of the cards that a question turns on; empty once its deal is over."""
        return self._telling(state).tell_need(state, need) if need.ply > state.since else ""

    def _pending(self, state: State) -> Pending:
        """Return what is open and what is proved if the record ends here."""
        now = self._telling(state).pending(state)
        return Pending((*state.past, *now.open), now.breaches)

    def _hands_of(self, random: Any) -> tuple[str, ...]:
        """Return the words of a first deal by the last seat, for four seats, for the laws."""
        seats, names = 4, self.game.deck.names
        size = self.game.hand(seats, 1)
        cards = random.sample(range(len(names)), len(names))
        hands = [sorted(cards[size * place :][:size]) for place in range(seats)]
        words = [f"p0/p{seat}*{','.join(names[card] for card in hand)}" for seat, hand in enumerate(hands, 1)]
        rest = cards[size * seats :] or hands[-1]
        return (*words, *((f"p0/^{names[rest[0]]}",) if self.game.turns_up else ()))


def _seats_on(by: int) -> str:
    """Return where cards go that are passed so many seats on, at a table of four: ``to the left``."""
    return {1: "to the left", 2: "across"}.get(by, "to the right")
