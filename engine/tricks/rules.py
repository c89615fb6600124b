"""The rules that trick games share, worked out from a ``Description``: who may do what, and what hidden hands owe."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from msgspec.structs import replace

from cartulary.engine.calls import Call, CallResult, Calls, judge_call
from cartulary.engine.cards import hands as known
from cartulary.engine.cards import revokes
from cartulary.engine.cards.deck import cards_of, how_many, join_hint, set_of
from cartulary.engine.cards.hands import Hands, possible_cards
from cartulary.engine.cards.layouts import Question
from cartulary.engine.cards.revokes import store_questions
from cartulary.engine.cards.telling import Telling, split_by_leader
from cartulary.engine.cards.tricks import Trick, lay, narrow_by_winner, playable, winners
from cartulary.engine.contract import Clause, Need, Open, Outcome, Pending, Refused, Sheet, no_check
from cartulary.engine.once import once_each
from cartulary.engine.parts import Hidden, Place, Rules, Turns, by_clauses
from cartulary.engine.tricks.description import (
    Bidding,
    Description,
    Lead,
    Obligation,
    PlayedDeal,
    no_teams,
    none_barred,
)
from cartulary.engine.tricks.leads import Conditions, order_of, possible_leads
from cartulary.engine.tricks.state import (
    UNKNOWN,
    UNREAD,
    Bid,
    Deal,
    Move,
    Pass,
    Play,
    Saying,
    ScoredDeal,
    State,
    TurnUp,
    WonTrick,
    begin_deal,
    begin_play,
    deal_size,
    deals_on,
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

MOST_WAYS = 4_096
"""In how many ways bids that nobody wrote down are read at most; beyond that, what turns on them is open."""


class TrickGame:
    """The rules of one trick game.

    Attributes:
        game: What the game is made of.
    """

    def __init__(self, game: Description) -> None:
        self.game = game
        self._broke = {f"{game.key}.{obligation.name}": obligation.broke for obligation in game.obligations}
        self._broke[f"{game.key}.announce"] = "another seat announced that it had it"

    # --- the parts of the contract ---

    @once_each
    def clauses(self) -> tuple[Clause[State, Move], ...]:
        """The rules in the order in which a word is checked against them; that of the end, which checks deals entered
        as points, is last.

        Only rules for which the description has a text are among them. The value is a property, computed once.
        """
        checks: dict[str, Any] = {"seats": no_check, "order": self._order, "deal": self._deal}
        checks |= {"pass": self._pass, "bid": self._bid, "in-hand": self._in_hand, "turn": self._turn}
        checks |= {"lead": self._lead, "announce": self._announce} | {
            obligation.name: self._owes(obligation) for obligation in self.game.obligations
        }
        played_by = f"{min(self.game.seats)} to {max(self.game.seats)} players play."
        rules = dict(self.game.rules)
        if len(self.game.seats) > 1:
            rules.setdefault("seats", (played_by, rules["score"][1]))
        first = [Clause(self._key(name), *rules[name], check) for name, check in checks.items() if name in rules]
        says, source = rules["score"]
        if self.game.breaks_ties:
            says, source = (
                f"{says} Where the best are equal, a further deal is played.",
                f"{source}; ties: house ruling",
            )
        return (*first, Clause(self._key("score"), says, source, self._score))

    @once_each
    def rules(self) -> Rules[State, Move, Move, int]:
        """The part ``Rules`` of the game (see ``engine.parts``), made of the methods below; a property."""
        play, judge = by_clauses(
            self.clauses, self.apply, apply_open=self.apply, breaches=lambda _, after: after.breaches
        )
        return Rules(
            setup=self.setup,
            play=play,
            clauses=self.clauses,
            judge=judge,
            candidates=self.candidates,
            complete=self.complete,
            outcome=self.outcome,
            gap_moves=self.gap_moves,
            apart=lambda state: split_by_leader(state) if state.trick else (0, ()),
        )

    @once_each
    def turns(self) -> Turns[State, Move]:
        """The part ``Turns`` of the game (see ``engine.parts``): who may speak, and what comes next; a property,
        computed once.
        """
        return Turns(
            first=self.first,
            actors=self.actors,
            skip=lambda state: replace(state, ply=state.ply + 1),
            number=self._number,
            due=self._due,
            call=judge_call if self.game.teams is no_teams else self._call,
            table=True,
        )

    def _call(self, state: State, call: Call, calls: Calls, seats: int) -> CallResult:
        """Return what a call does in a game of partners: they lose together if one of them resigns."""
        return judge_call(state, call, calls, seats, self.game.teams(seats))

    @once_each
    def hidden(self) -> Hidden[State, Move, int]:
        """The part ``Hidden`` of the game (see ``engine.parts``): what each seat knows; a property, computed once."""
        return Hidden(
            view=lambda state, seat: view(self.game, state, seat),
            view_move=view_move,
            exact=self.exact,
            tell_need=self._tell_need,
            pending=self._pending,
            whereabouts=lambda state: self._telling(state).whereabouts(state),
            deal=self._hands_of,
        )

    @once_each
    def place(self) -> Place[State]:
        """The part ``Place`` of the game (see ``engine.parts``): the identity of positions; a property."""
        return Place(key=lambda state: key(self.game, state), number=2)

    def setup(self, sheet: Sheet[int]) -> State | Refused:
        """Return the state before the first word of the first deal, or the refusal of a wrong number of seats.

        Args:
            sheet: The number of seats, the option ``to`` (the points that end the game; by default those of the
                description), and as ``own`` the seat that deals first, by default the last seat.
        """
        if sheet.seats not in self.game.seats:
            expected = f"{min(self.game.seats)} to {max(self.game.seats)}"
            rule = next(clause for clause in self.clauses if clause.key == self._key("seats"))
            return Refused(f"The game has {how_many(sheet.seats, 'seat')}, expected {expected}", True, rule)
        target = int(sheet.options.get("to") or self.game.target)
        places = places_of(self.game, sheet.seats, 1)
        hands = known.begin(places, (0,) * len(places.sizes))
        state = State(sheet.seats, target, sheet.own or sheet.seats, 1, 0, hands, (), points=(0,) * sheet.seats)
        return begin_deal(self.game, state)

    def _key(self, name: str) -> str:
        """Return the key of a rule, the game's key and its name: ``"lead" -> "hearts.lead"``."""
        return f"{self.game.key}.{name}"

    def _telling(self, state: State) -> Telling:
        """Return the wording of sentences about hidden hands. Its places are ``p1`` to the last seat, then ``the
        stock``, the cards that are not dealt.
        """
        names = (*(f"p{seat}" for seat in range(1, state.seats + 1)), "the stock")
        return Telling(self.game.deck, self._broke, names)

    # --- whose turn it is ---

    def first(self, state: State) -> int:
        """Return the seat whose words need no prefix; 0 if nobody can know which seat is to lead to the first trick."""
        if self.leads_unknown(state):
            return 0
        return max(self.actors(state)[:1], default=0) or self.leaders(state)[0]

    def leads_unknown(self, state: State) -> bool:
        """Say whether the holder of a card is to lead it, and several seats may hold it."""
        by_holder = self.game.first_card >= 0 and not has_begun(state) and self.is_playing(state)
        return by_holder and len(self.leaders(state)) > 1

    def actors(self, state: State) -> tuple[int, ...]:
        """Return the seats that may speak now, most likely first.

        The answer is (0,) while the table must turn a card up, and empty after the end. Otherwise it is all seats that
        have cards to pass still, else the one seat that is to bid, else the seats that may play the next card.
        """
        if state.over:
            return ()
        if self.game.turns_up and state.turned_card < 0:
            return (0,)
        return passers(self.game, state) or self._bidder(state) or self.leaders(state)

    def is_playing(self, state: State) -> bool:
        """Say whether the next word is a card played. It is not while a card must be turned up, passed or bid for, nor
        after the end.
        """
        return Play in self.expected(state) and not state.over

    def leaders(self, state: State) -> tuple[int, ...]:
        """Return the seats that may play the next card; several if it is not known which of them is to play.

        Before the first card of a deal it is the dealer's left neighbour; if the game names a first card, it is every
        seat that may hold that card, in order from the dealer's left.
        """
        if state.leads:
            return state.leads
        first = seat_after(state, state.dealer)
        if self.game.first_card < 0:
            return (first,)
        order = [seat_after(state, state.dealer, by) for by in range(1, state.seats + 1)]
        return tuple(seat for seat in order if state.hands.can[seat - 1] >> self.game.first_card & 1) or (first,)

    def _bidder(self, state: State) -> tuple[int, ...]:
        """Return (seat,) for the seat that is to bid next, from the dealer's left; () if all have bid or the game has
        no bids.
        """
        if self.game.auction is not None:
            waits = not state.declarer and not state.over
            return (seat_after(state, state.dealer, len(state.calls) + 1),) if waits else ()
        order = (seat_after(state, state.dealer, by) for by in range(1, state.seats + 1))
        return next(((seat,) for seat in order if state.bids and state.bids[seat - 1] == UNKNOWN), ())

    def bids_now(self, state: State) -> tuple[int, ...]:
        """Return the numbers in ``Description.bids`` of the bids there are now, those that the rules bar among them.

        Empty if nothing is bid now.
        """
        if not self._bidder(state):
            return ()
        auction = self.game.auction
        return auction.bids_now(self._bidding(state)) if auction else tuple(range(len(self.bid_names(state))))

    def bid_names(self, state: State) -> tuple[str, ...]:
        """Return all bids of this deal as they are written after ``Bid=``, by their numbers."""
        return self.game.bids(hand_size(state))

    def _bidding(self, state: State) -> Bidding:
        """Return what has been bid in an auction."""
        turned = self.game.deck.suit_of(state.turned_card) if state.turned_card >= 0 else -1
        return Bidding(state.calls, state.seats, turned)

    def _due(self, state: State) -> str:
        """Return what must be written next, as part of a sentence, if a turned-up card, a pass or a bid is due; else
        "".

        Examples are ``"3 cards passed to the left, or ~,~,~ for unseen ones"`` and ``"a bid, 0 to 10"``.
        """
        if self.game.turns_up and state.turned_card < 0 and not state.over:
            return "the card turned up, p0/^ and the card"
        if passers(self.game, state):
            by, count = passing(self.game, state)
            return f"{how_many(count)} passed {_seats_on(by)}, or {','.join('~' * count)} for unseen ones"
        if not self._bidder(state):
            return ""
        names = self.bid_names(state)
        return f"a bid, {list_bids([names[bid] for bid in self.bids_now(state)])}"

    def _number(self, state: State, move: Move | None) -> tuple[int, bool] | None:
        """Return (number of the trick, from 1; whether this card leads to it).

        None unless the next word is a card played: for another kind of word, and while anything else is due. ``move``
        is None for a call or a word that could not be read.
        """
        if not (move is None or isinstance(move, Play)) or not self.is_playing(state):
            return None
        won = len(state.tricks) + (len(state.trick) == state.seats)
        return won + 1, not open_trick(state)

    # --- the clauses ---

    def _order(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a kind of word that cannot come now, such as a bid during the play, or any word after
        the end.

        It blocks: the word cannot be let stand. None for every word of a kind that may come now, whoever says it.
        """
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
        """Return the classes of the words that may come now, such as ``(Deal, Bid)``.

        Hands may be dealt until a card is turned up, passed or played or a bid is made, and the rest of them once there
        is a contract, if the game deals on then. A whole deal may be written as its points (``ScoredDeal``) as long as
        no hand has been dealt either. After the end the answer has no meaning.
        """
        nothing_yet = not (state.passes or has_begun(state) or any(bid != UNKNOWN for bid in state.bids))
        scoring = () if state.dealt_seats or state.over else (ScoredDeal,)
        if self.game.turns_up and state.turned_card < 0:
            return Deal, TurnUp, *scoring
        dealing: tuple[type, ...] = (Deal, *scoring) if nothing_yet and not self.game.turns_up else ()
        if deals_on(self.game, state):
            dealing = (Deal,)
        if passers(self.game, state):
            return (*dealing, Pass)
        return (*dealing, Bid if self._bidder(state) else Play)

    def _deal(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a dealt hand or turned-up card that cannot be right; None if it can, and for other
        words.

        It is wrong if the hand has another size than the deal gives, is dealt again, has a card twice, or has a card
        that must be in another place. Such a refusal blocks: the word cannot be let stand.
        """
        if not isinstance(move, Deal | TurnUp):
            return None
        size, why = deal_size(self.game, state, move.to) if isinstance(move, Deal) else 1, ""
        cards = move.cards if isinstance(move, Deal) else (move.card,)
        place = move.to - 1 if isinstance(move, Deal) else turned_place(state)
        named = [card for card in cards if card >= 0]
        elsewhere = set_of(named) & ~state.hands.can[place]
        again = isinstance(move, Deal) and state.dealt_seats >> move.to & 1
        before = set_of(named) & state.dealt_cards[place] if isinstance(move, Deal) else 0
        if isinstance(move, Deal) and (len(cards) != size or again):
            count = len(cards)
            why = f"p{move.to} is dealt {how_many(count)}"
            why += " again" if again else f", expected {size}{join_hint(count)}"
        elif len(set(named)) < len(named):
            why = f"One card is dealt to p{place + 1} twice"
        elif elsewhere:
            holder = f"p{place + 1}" if place < state.seats else "the stock"
            why = f"{holder} cannot hold {self.game.deck.list_cards(elsewhere)}"
        elif before:
            why = f"p{place + 1} has {self.game.deck.list_cards(before)} already"
        return Refused(why, blocks=True) if why else None

    def _pass(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of cards passed wrongly; None if they may be passed, and for other words.

        Refused are, in this order, a second pass by one seat, another number of cards than expected, another receiver,
        one card twice, and a card that the seat cannot hold. Such a refusal blocks: the word cannot be let stand.
        """
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

    def _bid(self, state: State, move: Move) -> Refused | Open | None:
        """Return the refusal of a bid by the seat whose turn it is; None if it may be made, and for all other words.

        A bid that does not exist blocks (it cannot be let stand). A bid that the rules bar because of the earlier bids
        is refused, but may stand; it is an open question if a bid that nobody wrote down decides that.
        """
        if not isinstance(move, Bid) or (move.seat,) != self._bidder(state):
            return None
        bids, size, now = self.bid_names(state), hand_size(state), self.bids_now(state)
        if self.game.auction is not None and move.bid not in now:
            name = bids[move.bid] if move.bid < len(bids) else move.bid - len(bids)
            return Refused(f"p{move.seat} bids {name}, expected {one_of([bids[bid] for bid in now])}", blocks=True)
        if not (0 <= move.bid < len(bids) or move.bid == UNREAD):
            return Refused(f"There is no such bid with {how_many(size)}: {list_bids(bids)}", blocks=True)
        earlier, barred = [bid for bid in state.bids if bid != UNKNOWN], self.game.barred_bid
        if barred is none_barred:
            return None
        ways = self._bids_read((*earlier, move.bid), len(bids))
        answers = {bid == barred(before, state.seats, size) for *before, bid in ways} if ways else {False, True}
        if len(answers) > 1:
            return Open((Need(f"p{move.seat}", (), state.ply + 1),))
        if answers == {True}:
            return Refused(f"The bids would come to {sum(earlier) + move.bid}, as many as there are tricks")
        return None

    def _bids_read(self, bids: Sequence[int], count: int) -> tuple[tuple[int, ...], ...]:
        """Return some bids in all ways in which those that nobody wrote down may have been made, legal or not.

        ``count`` is how many bids there are to choose from. Empty if there are more than MOST_WAYS ways.
        """
        if count ** sum(bid == UNREAD for bid in bids) > MOST_WAYS:
            return ()
        return tuple(product(*(range(count) if bid == UNREAD else (bid,) for bid in bids)))

    def _score(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a ``ScoredDeal`` with points that this deal cannot bring; it may stand. None for all
        other words.

        Partners always score the same.
        """
        if not isinstance(move, ScoredDeal):
            return None
        by_team: dict[int, int] = {}
        for seat, (team, points) in enumerate(zip(self.game.teams(state.seats), move.points, strict=False), 1):
            partner = by_team.setdefault(team, seat)
            if move.points[partner - 1] != points:
                return Refused(f"Partners score the same, p{partner} as p{seat}")
        why = self.game.impossible(move.points, state.deal, state.carry)
        return Refused(why) if why else None

    def _in_hand(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a played card that the seat cannot hold; None if it may hold it, and for other words.

        It blocks: the word cannot be let stand. A card that nobody wrote down is refused only if the seat has no card
        left.
        """
        return self._telling(state).not_held(state.hands, move.seat - 1, move.card) if isinstance(move, Play) else None

    def _turn(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a bid or a card out of turn; None for a seat whose turn it may be, and for other words.

        A bid out of turn blocks (it cannot be let stand), and so does a second card of a seat to one trick; any other
        card out of turn may stand.
        """
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
        """Return the refusal of a first card of a deal other than the one that must be led; it may stand.

        None for that card, for a card that nobody wrote down, for later cards and for other words.
        """
        first = self.game.first_card
        if not isinstance(move, Play) or has_begun(state) or move.card in (first, UNKNOWN):
            return None
        return Refused(
            f"{self.game.deck.names[first]} is led to the first trick, not {self.game.deck.names[move.card]}"
        )

    def _announce(self, state: State, move: Move) -> Refused | Open | None:
        """Return the refusal of what a seat says with a card if it cannot be so, the question if it may be; else None.

        It may stand.
        """
        if not isinstance(move, Play) or move.announcement < 0 or move.card < 0:
            return None
        announcement, names = self.game.announcements[move.announcement], self.game.deck.names
        names_of = [each.name for each in self.game.announcements]
        fellows = announcement.fellows(trumps_of(self.game, state), move.card)
        if not fellows:
            return Refused(f"{announcement.name} is not announced with {names[move.card]}")
        if announcement.follows:
            said = any(
                saying.seat == move.seat and names_of[saying.announcement] == announcement.follows
                for saying in state.sayings
                if fellows >> saying.card & 1
            )
            unwritten = any(card.place == move.seat - 1 and card.cards & fellows for card in state.hands.unnamed_cards)
            return None if said or unwritten else Refused(f"p{move.seat} has not announced {announcement.follows}")
        if fellows & state.hands.played_cards:
            return Refused(f"{self.game.deck.list_cards(fellows & state.hands.played_cards)} was played before")
        after, _ = lay(state.hands, move.seat - 1, move.card, state.ply + 1)
        asked = self._elsewhere(state, after, move)
        badly = revokes.verdict(after, asked, exactly=True)
        if badly:
            return Refused(
                f"p{move.seat} does not hold {self.game.deck.list_cards(fellows & ~after.sure[move.seat - 1])}"
            )
        places, ply = self._telling(state).places, state.ply + 1
        needs = tuple(Need(places[question.place], tuple(cards_of(question.cards)), ply) for question in asked)
        return None if badly is False else Open(needs)

    def announcements_with(self, state: State, seat: int, card: int) -> tuple[int, ...]:
        """Return the numbers of what a seat may announce with a card; what it surely may not is left out."""
        return tuple(
            number
            for number in range(len(self.game.announcements))
            if not isinstance(self._announce(state, Play(seat, card, number)), Refused)
        )

    def _elsewhere(self, state: State, after: Hands, move: Play) -> tuple[Question, ...]:
        """Return the conditions for a seat to have the cards that it announces: they lie in no other place.

        Empty if the card announces nothing of the hand. ``after`` is what is known with the card played.
        """
        if move.announcement < 0 or move.card < 0 or self.game.announcements[move.announcement].follows:
            return ()
        fellows = self.game.announcements[move.announcement].fellows(trumps_of(self.game, state), move.card)
        return tuple(
            Question(state.ply + 1, self._key("announce"), place, fellows & can)
            for place, can in enumerate(after.can)
            if place != move.seat - 1 and fellows & can
        )

    def _owes(self, obligation: Obligation) -> Any:
        """Return ``check(state, move)`` for one obligation, a rule such as following suit that turns on the rest of the
        hand.

        The check returns None, the refusal, or the open question if it depends on cards that are not known.
        """

        def check(state: State, move: Move) -> Refused | Open | None:
            """Return the refusal of a card if the hand surely holds one that it had to play instead; the question if it
            may.

            None if the card surely breaks no such rule, and for words that are not cards.
            """
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
        holds, questions = after.can[place] & ~after.played_cards, list[Question]()
        for lead, given in self._leads(obligation, state, after, place):
            conditions = [*free, *given]
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

    def _leads(
        self, obligation: Obligation, state: State, after: Hands, place: int
    ) -> Iterator[tuple[Lead, Conditions]]:
        """Yield what a card may be played to, as far as the rule turns on it, with what unwritten cards must be for it.

        ``after`` is what is known with the card played, and ``place`` the hand from which it came.
        """
        table, number = open_trick(state), self._trick_number(state)
        order = order_of(self.game, trumps_of(self.game, state))
        if obligation.of_trick:
            teams = self.game.teams(state.seats)
            yield from possible_leads(
                table,
                order,
                number,
                lambda seat: bool(teams) and teams[seat - 1] == teams[place] and seat - 1 != place,
                lambda card: possible_cards(after, card),
            )
        elif not table or table[0][1] >= 0:
            yield Lead(order.suit_of[table[0][1]] if table else 0, order.trumps, number), ()
        else:
            led = possible_cards(after, table[0][1])
            yield from (
                (Lead(suit, order.trumps, number), ((~table[0][1], suit),)) for suit in order.suits if suit & led
            )

    def _trick_number(self, state: State) -> int:
        """Return the number, from 1, of the trick to which the next card is played.

        A complete trick counts as over even while it is open who has won it.
        """
        return len(state.tricks) + (len(state.trick) == state.seats) + 1

    # --- carrying a word out ---

    def apply(self, state: State, move: Move, opens: tuple[Open, ...] = ()) -> State:
        """Return the state after a word, without judging it.

        Args:
            state: The state before it.
            move: The word.
            opens: The questions that its verdict left open; they are stored in the state.

        Returns:
            The state, with one more ply; after the last card of a deal, or a deal written as points, it is that before
            the next deal or after the game.
        """
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
            past = (*state.past, *((state.ply, question.clause.key) for question in opens))
            return self._after_bid(replace(state, bids=bids, past=past), move.bid)
        if isinstance(move, ScoredDeal):
            return self._next_deal(state, (move.points, self.game.carries(move.points, state.carry)))
        return self._play(state, move, opens)

    def _after_bid(self, state: State, bid: int) -> State:
        """Return the state after a bid, which an auction may have ended: with its contract, or before the next deal.

        ``state`` has the bid of the seat already.
        """
        auction = self.game.auction
        if auction is None:
            return state
        state = replace(state, calls=(*state.calls, bid))
        bidding = self._bidding(state)
        if auction.bids_now(bidding):
            return state
        contract = auction.contract(bidding)
        if contract is None:
            return self._next_deal(state, ((0,) * state.seats, state.carry))
        return begin_play(self.game, state, contract)

    def _with_cards(self, state: State, place: int, cards: int) -> State:
        """Return the state once it is known that cards were dealt to a place.

        Args:
            state: The state.
            place: The place, from 0: a seat less one, or the last for the cards that are not dealt.
            cards: The cards, as bits; they are added to those that the place is known to have been dealt.
        """
        dealt = tuple(held | cards * (at == place) for at, held in enumerate(state.dealt_cards))
        return replace(state, dealt_cards=dealt, hands=known.begin(state.hands.places, dealt))

    def _play(self, state: State, move: Play, opens: tuple[Open, ...]) -> State:
        """Return the state after a card, judged or not; after the last card of a deal, the state before the next deal.

        The ply of the card is counted in ``state`` already. If it was open who had won the last trick, the seat that
        plays has won it, and hidden cards are narrowed by that. ``breaches`` holds what the card proves of earlier
        plies, and ``opens`` are the questions that its verdict left open.
        """
        trumps, place, ply = trumps_of(self.game, state), move.seat - 1, state.ply
        ranking = order_of(self.game, trumps)
        before = replace(state, ply=ply - 1)
        if len(state.trick) == state.seats:  # who leads has won it
            winner = move.seat if move.seat in state.leads else 0
            hands = state.hands
            if winner:
                hands = narrow_by_winner(hands, state.trick, move.seat, ranking.suits, trumps, ply, ranking.ranks)
            state = replace(state, hands=hands, trick=(), tricks=(*state.tricks, WonTrick(winner, state.trick)))
            before = replace(state, ply=ply - 1)
        hands, card = lay(state.hands, place, move.card, ply)
        asked = tuple(
            question
            for obligation in self.game.obligations
            for question in self._questions(obligation, before, hands, place, card)
        )
        if move.announcement >= 0:
            asked = (*self._elsewhere(before, hands, move), *asked)
            state = replace(state, sayings=(*state.sayings, Saying(move.seat, move.announcement, move.card)))
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
        over = over and (bool(unscored) or not self._is_tied(points))
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

    def _is_tied(self, points: Sequence[int]) -> bool:
        """Say whether a further deal must break a tie: the game breaks ties, and two sides would share the win."""
        teams = self.game.teams(len(points)) or tuple(range(len(points)))
        best = {team for team, share in zip(teams, self.shares(points), strict=True) if share}
        return self.game.breaks_ties and len(best) > 1

    def score(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return what a deal that is played brings: (points by place, what is carried over to the next deal).

        None if a card or a bid that nobody wrote down decides them, or if it is open who won a trick. Nothing is
        changed.
        """
        tricks, cards = [0] * state.seats, [0] * state.seats
        if len(state.trick) == state.seats or any(not trick.winner for trick in state.tricks):
            return None
        names, trumps = (
            [card for trick in state.tricks for _, card in trick.cards if card >= 0],
            trumps_of(self.game, state),
        )
        with_words = set_of(
            card
            for announcement in self.game.announcements
            for card in range(len(self.game.deck.names))
            if announcement.fellows(trumps, card)
        )
        missing = self.game.counting_cards & ~set_of(names)
        for trick in state.tricks:
            tricks[trick.winner - 1] += 1
            for _, card in trick.cards:
                may = possible_cards(state.hands, card) if card < 0 else 1 << card
                if card < 0 and may & with_words:
                    return None
                if may & missing and may.bit_count() > 1:
                    may = known.may_have_been(state.hands, ~card)
                if may & missing and may.bit_count() > 1:
                    return None
                cards[trick.winner - 1] |= may
        said: list[list[str]] = [[] for _ in tricks]
        for saying in state.sayings:
            said[saying.seat - 1].append(self.game.announcements[saying.announcement].name)
        deal = PlayedDeal(
            state.deal,
            state.bids,
            tuple(tricks),
            tuple(cards),
            state.carry,
            state.declarer - 1,
            trumps,
            state.tricks[-1].winner - 1,
            tuple(map(tuple, said)),
        )
        ways = self._bids_read(state.bids, len(self.bid_names(state)))
        scores = {self.game.score(replace(deal, bids=bids)) for bids in ways}
        return scores.pop() if len(scores) == 1 else None

    def winners_of(self, state: State, trick: Trick) -> tuple[int, ...]:
        """Return the seats that may have won a complete trick; several if a card in it that nobody wrote down
        decides.
        """
        trumps = trumps_of(self.game, state)
        order = order_of(self.game, trumps)
        return winners(trick, order.suits, trumps, order.ranks)

    def outcome(self, state: State) -> Outcome | None:
        """Return who has won once the game is over; several share the win if they are equal.

        None while the game goes on, and if cards that nobody wrote down decide the points of a deal.
        """
        if not state.over or state.unscored_deals:
            return None
        shares = self.shares(state.points)
        best = max(points for points, share in zip(state.points, shares, strict=True) if share)
        names = [f"p{seat}" for seat, share in enumerate(shares, 1) if share]
        seats = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        return Outcome(shares, self._key("score"), self.game.won_text.format(seats=seats, points=best))

    def shares(self, points: Sequence[int | Fraction]) -> tuple[int, ...]:
        """Return by seat 1 for a winner and 0 for another: the most points win, or the fewest if the game says so.

        All that are equal share the win: ``(3, 5, 5) -> (0, 1, 1)``.
        """
        best = min(points) if self.game.fewest else max(points)
        return tuple(int(count == best) for count in points)

    # --- lists of moves ---

    def candidates(self, state: State) -> Iterator[Move]:
        """Yield the words worth judging, legal or not: cards to play or turn up, bids, and cards to pass.

        They are all cards that may be in the hand. If a hand is not known, one pass of UNKNOWN cards stands for all.
        Words that deal hands are never among them.
        """
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
            yield from (Bid(bidder[0], bid) for bid in self.bids_now(state))
            return
        for seat in self.leaders(state):
            for card in cards_of(playable(state.hands, seat - 1)):
                yield Play(seat, card)
                yield from (Play(seat, card, number) for number in self.announcements_with(state, seat, card))

    def complete(self, state: State) -> bool:
        """Say whether the candidates include every legal word.

        They do not while hands or a card to turn up may still be named, nor while cards are passed from a hand that is
        not known.
        """
        is_dealt = state.dealt_seats.bit_count() == state.seats
        if (self.game.turns_up and state.turned_card < 0) or (Deal in self.expected(state) and not is_dealt):
            return False
        seats = range(1, state.seats + 1) if passers(self.game, state) else ()
        return all(playable(state.hands, seat - 1).bit_count() == hand_size(state) for seat in seats)

    def gap_moves(self, state: State) -> tuple[Move, ...]:
        """Return the words that an unwritten ply may have been, legal or not: the candidates and the hands still to be
        dealt.

        Of each such hand there is one word, with UNKNOWN cards, and of all bids outside an auction one, UNREAD. A deal
        written as its points is not among them.
        """
        undealt = self.undealt(state)
        hands = (Deal(0, seat, (UNKNOWN,) * deal_size(self.game, state, seat)) for seat in undealt)
        if Bid in self.expected(state) and self.game.auction is None and not state.over:
            return (*(Bid(seat, UNREAD) for seat in self._bidder(state)), *hands)
        return (*self.candidates(state), *hands)

    def undealt(self, state: State) -> tuple[int, ...]:
        """Return the seats whose hands may still be dealt; empty once no hand may be."""
        if state.over or Deal not in self.expected(state):
            return ()
        return tuple(seat for seat in range(1, state.seats + 1) if not state.dealt_seats >> seat & 1)

    # --- hidden hands ---

    def exact(self, state: State, question: Open) -> Open | None:
        """Return the question if it may still have either answer by every deal that fits, else None.

        A question of an earlier deal is open if that deal ended without an answer to it (``State.past``), and so is
        one about a bid.
        """
        ply, key = question.needs[0].ply, question.clause.key
        is_open = (ply, key) in state.past or (ply > state.since and revokes.still_open(state.hands, ply, key))
        return question if is_open else None

    def _tell_need(self, state: State, need: Need) -> str:
        """Return a sentence of what is known by now of the cards that a question turns on, as ``p2 held 4H``.

        It is empty once the deal of the question is over.
        """
        if not need.slots:
            return "it depends on a bid that nobody wrote down"
        return self._telling(state).tell_need(state, need) if need.ply > state.since else ""

    def _pending(self, state: State) -> Pending:
        """Return what is open and what is proved if the record ends here, with the questions left open by earlier
        deals.
        """
        now = self._telling(state).pending(state)
        return Pending((*state.past, *now.open), now.breaches)

    def _hands_of(self, random: Any) -> tuple[str, ...]:
        """Return the words of a random first deal for the usual number of seats, dealt by the last seat; the laws of
        the tests use them.

        There is one word for each hand, as ``p0/p1*2C,7D,KS``, and ``p0/^7D`` at the end if the game turns a card up.
        ``random`` is a ``random.Random``.
        """
        seats, names = self.game.seats[0], self.game.deck.names
        size = self.game.hand(seats, 1)
        cards = random.sample(range(len(names)), len(names))
        hands = [sorted(cards[size * place :][:size]) for place in range(seats)]
        words = [f"p0/p{seat}*{','.join(names[card] for card in hand)}" for seat, hand in enumerate(hands, 1)]
        rest = cards[size * seats :] or hands[-1]
        return (*words, *((f"p0/^{names[rest[0]]}",) if self.game.turns_up else ()))


def list_bids(names: Sequence[str]) -> str:
    """Return the bids there are as a sentence has them, numbers as a range: ``Pass, C or D``, ``Nil or 1 to 13``."""
    numbers = [name for name in names if name.isdecimal()]
    others = [name for name in names if not name.isdecimal()]
    return one_of([*others, f"{numbers[0]} to {numbers[-1]}"] if len(numbers) > 1 else names)


def one_of(names: Sequence[str]) -> str:
    """Return a list of names as a sentence has it: ``Pass, C or D``; "" for none."""
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)


def _seats_on(by: int) -> str:
    """Return where cards go that are passed so many seats on, at a table of four.

    ``1 -> "to the left"``, ``2 -> "across"``, any other number ``-> "to the right"``.
    """
    return {1: "to the left", 2: "across"}.get(by, "to the right")
