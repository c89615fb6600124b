"""The words of trick games: hands dealt, the card turned up, cards passed, bids, cards played, a deal as its points.

Laxer than the standard: cards of one word in any order, with commas between them or none.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from cartulary.engine import Option, Sheet
from cartulary.engine.numbers import SEAT
from cartulary.engine.tricks import (
    UNKNOWN,
    Bid,
    Deal,
    Description,
    Move,
    Pass,
    Play,
    ScoredDeal,
    State,
    TrickGame,
    TurnUp,
)
from cartulary.engine.tricks.rules import list_bids, one_of
from cartulary.engine.tricks.state import UNREAD, hand_size, has_begun, open_trick, passers
from cartulary.notation.card_spellings import CardSpelling
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.result import points_in
from cartulary.notation.cgn.signs import Misread, cut, read_cards
from cartulary.notation.contract import About, Game, Points, RoundField, Rounds, SheetTags, Words
from cartulary.notation.guide import guide_beside
from cartulary.notation.score import format_points, score
from cartulary.notation.tricks.picture import TrickTable, contract_text
from cartulary.notation.tricks.tapping import TrickKeys, keys_of_suits

_BID = re.compile(r"bid[=:]?([0-9a-z]+)", re.IGNORECASE)
_OF_TABLE = re.compile(rf"{SEAT}\*|\^|Points=", re.IGNORECASE)
"""How a word of the table begins: with a hand dealt, the card turned up, or the points of a deal."""


class TrickWords(Struct, frozen=True, eq=False):
    """The words of one trick game.

    Attributes:
        rules: The rules of the game.
        codes: The cards by name, ``~`` for one that nobody wrote down.
        spelling: How people type cards, and what they call them.
    """

    rules: TrickGame
    codes: Mapping[str, int]
    spelling: CardSpelling

    def read(self, signs: str, seat: int, state: State) -> Move:
        """Return what a word says, given without its prefix; ``seat`` is 0 for the table. It need not be legal.

        Raises:
            NotationError: If the word has no meaning, with the column of the first character that fits nothing.
        """
        if not seat:
            return self._read_of_table(signs, state)
        if signs == "~":
            return self._unseen(seat, state)
        if signs in self.codes:
            return Play(seat, self.codes[signs])
        if signs.startswith("Bid"):
            return self._read_bid(signs, seat, state)
        card, mark, announcement = signs.partition("&")
        if mark and self.rules.game.announcements:
            return self._with_announcement(signs, seat, card, announcement)
        cards, passed, to = signs.partition(">")
        if passed:
            if not cards:
                raise Misread(signs, 0, "the cards that are passed before >")
            receiver = re.fullmatch(SEAT, to)
            if receiver is None or int(receiver[1]) > state.seats:
                raise Misread(signs, len(cards) + 1, f"the seat they are passed to, p1 to p{state.seats}")
            return Pass(seat, self._cards(cards, 0), int(receiver[1]))
        if _OF_TABLE.match(signs):
            raise Misread(signs, 0, f"p0/ before what the table writes, p0/{signs}")
        played = self._cards(signs, 0, self._due(state))
        if len(played) > 1 and passers(self.rules.game, state):
            raise Misread(signs, len(signs), "> and the seat they are passed to, such as >p2")
        if len(played) > 1:
            first = self._name(self._cards(signs[:2], 0)[0])
            raise Misread(signs, len(first), "one card, as each card is a word of its own")
        return Play(seat, played[0])

    def _due(self, state: State) -> str:
        """Return what is to be written now, as an error has it: ``a bid, 0 to 10``, or ``a card such as XH``."""
        return self.rules.turns.due(state) or "a card such as XH"

    def _read_bid(self, signs: str, seat: int, state: State) -> Bid:
        """Return the bid that a word such as ``Bid=3`` or ``Bid=Nil`` says.

        A number that is no bid of the game is read all the same, so that the rules refuse it.

        Raises:
            NotationError: If nothing is bid in the game, or if there is no such bid.
        """
        bids = self.rules.bid_names(state)
        if not bids:
            raise Misread(signs, 0, f"{self._due(state)}; nothing is bid in this game")
        names = {bid.casefold(): number for number, bid in enumerate(bids)}
        head, _, bid = signs.partition("=")
        if head == "Bid" and bid.casefold() in names:
            return Bid(seat, names[bid.casefold()])
        if head == "Bid" and bid.isdecimal() and len(bid) < 4:
            return Bid(seat, len(bids) + int(bid))
        if not signs.startswith("Bid="):
            raise Misread(signs, 3, f"= and a bid, {list_bids(bids)}")
        raise Misread(signs, 4, f"a bid, {list_bids(bids)}")

    def _with_announcement(self, signs: str, seat: int, card: str, announcement: str) -> Move:
        """Return the play of a card with an announcement, both by their names, such as ``KH`` and ``Marriage``.

        Raises:
            NotationError: If there is no such card, or if the game has no announcement of this name.
        """
        names = [each.name for each in self.rules.game.announcements]
        numbers = {name.casefold(): number for number, name in enumerate(names)}
        if self.codes.get(card, UNKNOWN) == UNKNOWN:
            raise Misread(signs, 0, "a card such as KH before &")
        if announcement.casefold() not in numbers:
            raise Misread(signs, len(card) + 1, one_of(names))
        return Play(seat, self.codes[card], numbers[announcement.casefold()])

    def _unseen(self, seat: int, state: State) -> Move:
        """Return the play of a card that nobody wrote down, ``~``, by a seat, or such a bid if nothing else may come.

        Raises:
            NotationError: If something else may come, which is then missing from the record.
        """
        by_bids = Bid in self.rules.expected(state) and self.rules.game.auction is None
        if by_bids and not self.rules.undealt(state):
            return Bid(seat, UNREAD)
        # Hands are written from p1 on. Where the record has the first of them, a gap may be the next hand or a card.
        undealt = self.rules.undealt(state)
        may_be_hand = undealt and undealt[0] > 1 and state.dealt_seats >> undealt[0] == 0
        if may_be_hand or not self.rules.is_playing(state):
            raise Misread("~", 0, self._due(state))
        return Play(seat, UNKNOWN)

    def _read_of_table(self, signs: str, state: State) -> Move:
        """Return what a word of the table says: a hand dealt, the card turned up, or a deal as its points.

        For example ``p2*4C,5C``, ``^XH`` and ``Points=3:-3:0:0``.

        Raises:
            NotationError: If the word is none of these.
        """
        if signs.startswith("Points="):
            points = signs.removeprefix("Points=").split(":")
            if len(points) != state.seats or not all(re.fullmatch(r"-?[0-9]{1,4}", point) for point in points):
                raise Misread(signs, 7, f"the points of {state.seats} seats, joined by colons")
            return ScoredDeal(0, tuple(map(int, points)))
        if self.rules.leads_unknown(state) and re.fullmatch("[^*^=>]*", signs):
            raise Misread(signs, 0, f"the seat that leads before its card, such as p1/{signs}")
        head = re.match(rf"{SEAT}\*|\^", signs)
        if not head or (head[1] and int(head[1]) > state.seats):
            words = f"a hand dealt to p1 to p{state.seats}, p2*4C,5C and so on"
            raise Misread(signs, 0, f"{words}, or the card turned up, ^XH" if self.rules.game.turns_up else words)
        cards = self._cards(signs, head.end())
        if head[1]:
            return Deal(0, int(head[1]), cards)
        if len(cards) > 1 or cards[0] == UNKNOWN:
            raise Misread(signs, len(signs) - 1, "one card, which all have seen")
        return TurnUp(0, cards[0])

    def _cards(self, signs: str, at: int, expected: str = "a card such as XH") -> tuple[int, ...]:
        """Return the numbers of the cards from the index ``at`` of a word on, in rising order, unknown ones last.

        Raises:
            NotationError: If the text is no list of cards; commas may be missing. It says what was ``expected``.
        """
        cards = read_cards(signs, at, self.codes, expected, "a card")
        return tuple(sorted(cards, key=lambda card: card % 1000))

    def write(self, move: Move, state: State, after: State | None) -> str:
        """Return the canonical word of a move, without its seat, such as ``XH``, ``^XH``, ``Bid=3`` or ``4C,5C,6C>p2``.

        ``state`` is the state before the move, on which the spelling of a bid depends.
        """
        if isinstance(move, Play):
            said = move.announcement >= 0
            return self._name(move.card) + (f"&{self.rules.game.announcements[move.announcement].name}" if said else "")
        if isinstance(move, TurnUp):
            return f"^{self._name(move.card)}"
        if isinstance(move, Bid):
            if move.bid == UNREAD:
                return "~"
            bids = self.rules.game.bids(hand_size(state))
            return f"Bid={bids[move.bid] if move.bid < len(bids) else move.bid - len(bids)}"
        if isinstance(move, ScoredDeal):
            return f"Points={format_points(move.points)}"
        cards = ",".join(map(self._name, move.cards))
        return f"p{move.to}*{cards}" if isinstance(move, Deal) else f"{cards}>p{move.to}"

    def _name(self, card: int) -> str:
        """Return the name of a card by its number; ``~`` for a negative one, which nobody wrote down."""
        return self.rules.game.deck.names[card] if card >= 0 else "~"

    def needs_prefix(self, move: Move, state: State) -> bool:
        """Say whether a word has the prefix of its seat: it has one unless its seat is the first to speak.

        The first card of a deal always has one where the holder of a certain card leads, because nobody else need know
        who that is.
        """
        by_holder = self.rules.game.first_card >= 0 and isinstance(move, Play) and not has_begun(state)
        return by_holder or not move.seat or move.seat != self.rules.first(state)

    def came_of(self, before: State, move: Move, after: State) -> str:
        """Return who has taken the trick that a card ended, and what the deal that it ended has brought.

        For example ``p2 takes the trick``. Empty if it ended neither. Who took a trick is left out if a card of it is
        not known. Of a bid, it is what the auction has come to.
        """
        if isinstance(move, Bid):
            if after.declarer:
                return contract_text(self.rules, after)
            return "all have passed, and the next seat deals" if after.deal > before.deal else ""
        if not isinstance(move, Play | ScoredDeal):
            return ""
        ended = after.deal != before.deal or after.over
        taken = ""
        if isinstance(move, Play) and len(open_trick(before)) == before.seats - 1:
            trick = (*before.trick, (move.seat, move.card))
            takers = self.rules.winners_of(before, trick)
            taken = f"p{takers[0]} takes the trick" if len(takers) == 1 and min(card for _, card in trick) >= 0 else ""
        deal = self.came_to(before, move, after) if ended else ""
        return "; ".join(text for text in (taken, deal) if text)

    def came_to(self, before: State, move: Move, after: State) -> str:
        """Return what the deal that a word ended has brought each seat: ``the deal brings p1 +3, p2 -3``.

        Empty if it ended none. A deal that cannot be scored is a sentence that says so.
        """
        if after.deal == before.deal and after.over == before.over:
            return ""
        if after.unscored_deals > before.unscored_deals:
            return "the deal cannot be scored, because of what nobody wrote down"
        gains = (
            f"p{seat} {now - then:+}"
            for seat, (then, now) in enumerate(zip(before.points, after.points, strict=True), 1)
        )
        return f"the deal brings {', '.join(gains)}"

    def spellings(self, typed: str) -> tuple[str, ...]:
        """Return the words that a text typed at a table may mean; empty if it may be none.

        Read are a card as ``10s``, ``♠10`` or ``TS``, a bid as ``bid3``, ``nil`` or ``3``, and a word of the table
        without its ``p0/``.
        """
        bid, bids = _BID.fullmatch(typed), {name.casefold() for name in self.rules.game.bids(1)}
        if bid is not None and bids:
            return (f"Bid={bid[1]}",)
        if typed.casefold() in bids or (bids and typed.isdecimal()):
            return (f"Bid={typed}",)
        card, mark, announcement = typed.partition("&")
        words = tuple(word + mark + announcement for word in self.spelling.words(card))
        return (*words, *(f"p0/{word}" for word in (typed, *words))) if _OF_TABLE.match(typed) else words

    def suit_led(self, state: State) -> str:
        """Return the suit led to the open trick, as the last letter of its card; empty if none is led or known."""
        table = open_trick(state)
        return self._name(table[0][1])[-1] if table and table[0][1] >= 0 else ""


def read_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[int]:
    """Return the sheet from which the rules set up the game; the tag Dealer, such as ``p3``, says who deals first.

    Without the tag the sheet names no dealer.

    Raises:
        NotationError: If the tag names no seat of the game; its key is ``record.tag``.
    """
    text = tags.get("Dealer")
    if text is None:
        return Sheet(variant, options, seats)
    match = re.fullmatch(SEAT, text)
    if match is None or int(match[1]) > seats:
        because = f"found the dealer {cut(text)!r}, expected p1 to p{seats}"
        raise NotationError(because, key="record.tag", tag="Dealer")
    return Sheet(variant, options, seats, int(match[1]))


def points_part(rules: TrickGame, words: TrickWords) -> Points[State]:
    """Return the part ``Points`` of a trick game, whose tag Score has the points of all deals."""

    def write(state: State) -> dict[str, str]:
        """Return the tag Score with its value; nothing if a deal could not be scored or none has ended."""
        return {} if state.unscored_deals or (state.deal == 1 and not state.over) else score(state.points)

    def faults(tags: Mapping[str, str], result: str, state: State, ruled: str = "") -> tuple[tuple[str, str, str], ...]:
        """Return (tag, key, reason) of the tag Score if it contradicts the deals, as the only member of a tuple.

        Empty if it does not, if there is no such tag, or if the score is not known. ``ruled`` is the score in force if
        rulings have changed it.
        """
        right, stated = ruled or write(state).get("Score", ""), tags.get("Score", "")
        if not right or not stated or stated == right:
            return ()
        comes_to = "with the rulings it is" if ruled else "the deals on record come to"
        because = f"the Score tag says {cut(stated)}, but {comes_to} {right}"
        return (("Score", f"{rules.game.key}.score", because),)

    def gains(before: State, after: State) -> tuple[Fraction, ...] | None:
        """Return what each seat has won between two states, in seat order; None if a deal could not be scored."""
        if after.unscored_deals > before.unscored_deals:
            return None
        return tuple(Fraction(now - then) for then, now in zip(before.points, after.points, strict=True))

    def shares(state: State, ruled: str = "") -> tuple[int, ...] | None:
        """Return the shares of a record that is closed now, one a seat, after some deals.

        None if no deal has ended or the score is not known, or if the game has only one deal. ``ruled`` is the score in
        force if rulings have changed it.
        """
        if not rules.game.deals_follow(state.target) or not (ruled or write(state)):
            return None
        return rules.shares(points_in(ruled) if ruled else state.points)

    return Points(
        tags=("Score",),
        write=write,
        tag_faults=faults,
        shares=shares,
        came_to=words.came_to,
        gains=gains,
        fewest=rules.game.fewest,
    )


def rounds_part(rules: TrickGame) -> Rounds[State]:
    """Return the part ``Rounds`` of a trick game, in which a deal is entered as the points of each seat."""

    def fields(state: State) -> tuple[RoundField, ...]:
        """Return the one field, a number for each seat, as a tuple; empty while a deal is played or after the end."""
        begun = (
            state.dealt_seats
            or state.turned_card >= 0
            or state.passes
            or has_begun(state)
            or any(bid != UNKNOWN for bid in state.bids)
        )
        return () if begun or state.over else (RoundField("Points", "Points", "numbers", needed=True),)

    def word(answers: Mapping[str, str], state: State) -> str:
        """Return the word of a deal from the answer ``Points``: ``3:-3:0:0`` gives ``p0/Points=3:-3:0:0``.

        Raises:
            NotationError: If there is not a whole number of at most four digits for each seat; its tag is Points.
        """
        parts = [part.strip() for part in answers.get("Points", "").split(":")]
        if len(parts) != state.seats or not all(re.fullmatch(r"[+-]?[0-9]{1,4}", part) for part in parts):
            because = f"found {cut(answers.get('Points', ''))!r}, expected a number for each of {state.seats} seats"
            raise NotationError(because, key="record.tag", tag="Points")
        return f"p0/Points={format_points(map(int, parts))}"

    def answers(move: Move) -> dict[str, str]:
        """Return what was entered for a deal, as ``{"Points": "3:-3:0:0"}``; empty for any other word."""
        return {"Points": format_points(move.points)} if isinstance(move, ScoredDeal) else {}

    return Rounds(fields=fields, word=word, answers=answers, unit="deal")


def _target_option(game: Description, to: range) -> Option:
    """Return the option ``to`` of a trick game, with the points to which it may be played."""
    who = "a side" if game.teams(game.seats[0]) else "somebody"
    instead = "" if game.target else ", instead of after one deal"
    return Option("to", f"The game ends when {who} has so many points{instead}.", tuple(map(str, to)))


def trick_game(
    rules: TrickGame, file: str, title: str, edition: str, says: str | None, to: range = range(0), **about: Any
) -> Game[State, Move, Move, int]:
    """Return the game whose rules a ``Description`` gives, with its words, tags, points and keys.

    Args:
        rules: The rules.
        file: The module of the game, ``__file__``; its guide lies beside it.
        title: The title, which is the value of the tag Game.
        edition: The edition of the rules.
        says: The docstring of the module, which says of the game ``Hearts: four seats, …``.
        to: The points to which a game may be played, for its option ``to``; none for a game without the option.
        about: Further fields of ``About``, such as ``also``.
    """
    names = rules.game.deck.names
    ranks, suits = ("".join(dict.fromkeys(name[at] for name in names)) for at in (0, -1))
    also = {"T": "X"} if "X" in ranks and "T" not in ranks + suits else None
    spelling = CardSpelling(ranks, suits, also=also)
    words = TrickWords(rules, {"~": UNKNOWN} | {name: card for card, name in enumerate(names)}, spelling)
    fields: dict[str, Any] = {"seats": rules.game.seats, "teams": rules.game.teams}
    fields |= {"says": (says or "").partition(": ")[2], "options": (_target_option(rules.game, to),) if to else ()}
    fields |= about
    fields["load_guide"] = guide_beside(file, names)
    table, keys = TrickTable(rules), TrickKeys(rules, keys_of_suits(rules))
    return Game(
        about=About(key=rules.game.key, title=title, edition=edition, **fields),
        rules=rules.rules,
        words=Words(
            read=words.read,
            write=words.write,
            picture=table.picture,
            drawing=table.drawing,
            end_drawing=table.end_drawing,
            came_of=words.came_of,
            needs_prefix=words.needs_prefix,
            suit_led=words.suit_led,
            spellings=words.spellings,
            common_name=spelling.common_name,
            touch=keys.touch(),
        ),
        turns=rules.turns,
        sheet=SheetTags(
            names=("Dealer",), read=read_sheet, write=lambda sheet: {"Dealer": f"p{sheet.own}"} if sheet.own else {}
        ),
        points=points_part(rules, words),
        hidden=rules.hidden,
        place=rules.place,
        rounds=rounds_part(rules),
    )
