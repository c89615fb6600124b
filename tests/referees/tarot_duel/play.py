"""A second, slow referee of Tarot duel, written from the rulebook alone; it shares nothing with the package.

It follows a game word by word and raises the key of the first rule a word breaks. A record that knows every card is
judged exactly; an unknown card is taken to be whatever a word says, so a hidden record is followed, not judged.

An effect is written as the words it waits for: a generator that yields what is due and is sent the word.
"""

# Readings of the page where it leaves room; the random games keep away from those marked (avoided).
# - "Owner": a Major goes to the discard pile of the seat that used it, whatever deck it came from.
# - The window of a word closes before the next word is looked at, so a Justice may come straight after an effect.
# - A T15 that stands and the Major it saves are both actions; Justice may follow either, once no word is due.
# - Majors that Justice uses do not use the turn's play. Empress in the pile: T12=T04=T13.
# - Fool: one who cannot draw discards, and the other way round; where neither can be, nothing is due after the coin.
# - Wheel, Devil, Star, Hanged Man, Death: no word is due where there is no card to draw, pick or discard.
# - Lovers, Hermit: a face-down place is a place: the card that comes to it lies face down there, the one that leaves it
#   for the area's face-up cards would have to be shown, for which there is no word (avoided).
# - Lovers of a face-down card of one's own for a random card of a hand: a Major among them is not told (avoided).
# - Hermit: face-up and face-down cards of one's area are one place; exchanging them is `effect`.
# - World: an eighth is that of the whole deck; seats that are out draw no hand.
# - A second Justice while one lies ready (avoided). Two Empresses in one area, named for change or taken (avoided).
# - Judgment repeats what a Judgment did as well as what came first (avoided).
# - Turn limit before decking out, where one End brings both. Death passes over seats that are out.
# - A blind card is shown, and then moves; where it would end the game at once (avoided). The player leaves the word
#   out only where all know the card, so that no seat's own record misses it.
# - The order of a deck after a challenge is written for both sides that shuffled.
# - A word in the place of a due one stands, and the action ends there; the due word may still come, until the next
#   action begins or the turn ends, and then the action goes on from it. A card won unseen is moved, shown or not.

import re
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from tests.referees.tarot_duel.effects import EFFECTS, contest
from tests.referees.tarot_duel.places import CARD, CARDS, COPIES, Fault, Laid, Side, is_major, remove
from tests.referees.tarot_duel.words import Due, Played

Effect = Generator[Due, str | None, None]

OWN = rf"(?:=(?P<mine>{CARD})|>a=(?P<laid>{CARD})|>a(?P<row>[1-9]\d*))"
FOE = r"(?:>p(?P<foe>\d+))"
TAKEN = rf"a(?:=(?P<theirs>{CARD})|(?P<their_row>[1-9]\d*))"
ARGUMENTS = {
    **dict.fromkeys(("T01", "T11", "T13", "T18", "T20"), rf"{FOE}?"),
    **dict.fromkeys(("T06", "T08"), rf"=(?P<cards>{CARD})"),
    "T07": rf"{OWN}{FOE}(?:{TAKEN}|h)",
    "T10": rf"{OWN}>(?:(?P<to>[xhad])=(?P<other>{CARD})|a(?P<other_row>[1-9]\d*))",
    "T16": rf"{FOE}?=(?P<number>\d+)",
    "T17": rf"=(?P<cards>{CARDS})",
    "T19": rf"(?:=(?P<cards>{CARDS}))?",
    ":": rf":p(?P<foe>\d+){TAKEN}",
}
REPEATED = ("T01", "T07", "T11", "T13", "T14", "T16", "T18", "T20", ":")


class Over(NamedTuple):
    """How the game ended: the key of the rule, and the seats that share the win."""

    key: str
    winners: tuple[int, ...]


class Referee:
    """A game in progress. due: the word waited for; chain: an open window, the Major and every T15 after it.

    acted: the seats whose action was finished with the last word; overdue: a word skipped, and what goes on from it
    """

    def __init__(self, decks: Sequence[Sequence[str]], total: int = 0) -> None:
        """Seat the decks; the opening words are due. total: the points that win, 0 without."""
        self.sides = {seat: Side(seat, deck) for seat, deck in enumerate(decks, 1)}
        self.total = total
        self.turn, self.turns = 1, 0
        self.drawn = self.played = self.challenged = False
        self.chain: list[Played] = []
        self.acted: set[int] = set()
        self.over: Over | None = None
        self.due: Due | None = None
        self.overdue: tuple[Due, Effect] | None = None
        self.effect: Effect | None = None
        self.then: Callable[[], None] = self._nothing
        self._start(self.deal(), self._nothing)

    # --- the flow of words ---

    def _nothing(self) -> None:
        return

    def say(self, word: str) -> None:
        """Follow one word. Raises Fault with the key of the rule it breaks."""
        match = re.match(r"p(\d+)/", word)
        seat, body = (int(match[1]), word[match.end() :]) if match else (self.turn, word)
        if self.over:
            raise Fault(self.over.key, "the game is over")
        if re.fullmatch(r"(T0[45]=)?T15", body):
            self._temper(seat, body[:3])
        else:
            self.settle()
            if self.over:
                raise Fault(self.over.key, "the game was over")
            if body.startswith("T12="):
                self._justify(seat, body[4:])
            elif not self._answer(seat, body):
                self.acted = set()
                self._speak(seat, body)
        self.look()

    def stand(self, word: str) -> str:
        """Follow a word, which stands though it comes in the place of a due one; return the key it breaks, or "".

        Raises Fault where it breaks another rule, or a draw is left out, which this referee lets pass.
        """
        match = re.match(r"p(\d+)/", word)
        seat, body = (int(match[1]), word[match.end() :]) if match else (self.turn, word)
        if not re.fullmatch(r"(T0[45]=)?T15", body):
            self.settle()
        while self.due and self.due.optional and not self.due.fits(seat, body):
            if self.due.kind == "draw":
                raise Fault("effect", "a draw is left out")
            self._step(None)
        due = self.due
        if self.over:
            raise Fault(self.over.key, "the game is over")
        if self.overdue and not due and self.overdue[0].fits(seat, body):
            (self.due, self.effect), self.overdue, self.then = self.overdue, None, self._nothing
            self._step(body)
            self.look()
            return ""
        if not due or due.fits(seat, body) or body.startswith("T12="):
            if body == "End" or body.startswith((":", "T")):
                self.overdue = None
            self.say(word)
            return ""
        assert self.effect is not None
        self.overdue, self.due, self.effect = (due, self.effect), None, None
        self.then()
        self.say(word)
        return due.key

    def settle(self) -> None:
        """Close the window, if one is open, and let happen what it held."""
        if self.chain:
            chain, self.chain = self.chain, []
            self._resolve(chain)
            self.look()

    def leave_out(self) -> None:
        """Do not say the word that is due and need not be written."""
        assert self.due is not None
        assert self.due.optional
        self._step(None)
        self.look()

    def finish(self) -> None:
        """Close the record: what nobody wrote, and nobody had to, is unknown."""
        self.settle()
        while self.due and self.due.optional:
            self._step(None)
        self.look()

    def _start(self, effect: Effect, then: Callable[[], None]) -> None:
        self.effect, self.then = effect, then
        self._step(None)

    def _step(self, body: str | None) -> None:
        assert self.effect is not None
        try:
            self.due = self.effect.send(body)
        except StopIteration:
            self.due = self.effect = None
            self.then()

    def _answer(self, seat: int, body: str) -> bool:
        """Take the word as what is due; skip what need not be written. Return False where nothing is due."""
        while self.due:
            due = self.due
            if due.fits(seat, body):
                self._step(body)
                return True
            if not due.optional:
                raise Fault(due.key, f"due is {due.kind} from p{due.seat}")
            self._step(None)
        return False

    def _temper(self, seat: int, card: str) -> None:
        last = self.chain[-1] if self.chain else None
        if last is None or last.seat == seat or seat not in self.sides or self.sides[seat].out:
            raise Fault("reaction", "T15 outside its window")
        if card in COPIES and not self.sides[seat].copies("T15"):
            raise Fault("effect", "no T15 in the deck to copy")
        remove(self.sides[seat].hand, card, "in-hand")
        self.chain.append(Played(seat, card, "T15"))

    def _resolve(self, chain: list[Played]) -> None:
        stands = True
        standing: list[Played] = []
        for played in reversed(chain):
            if stands:
                standing.append(played)
            stands = not stands if stands else True
        self.acted = {played.seat for played in standing}
        for played in chain[1:]:
            self.sides[played.seat].pile.append(played.card)
        major = chain[0]
        if major in standing:
            self._start(EFFECTS[major.name](self, major), lambda: self._put_away(major, True))
        else:
            self._put_away(major, False)

    def _put_away(self, major: Played, stood: bool) -> None:
        side = self.sides[major.seat]
        if stood and major.kind == "T12":
            side.ready = major.card
        elif not stood or major.kind != "T22":
            side.pile.append(major.card)
        if major.justice and (not stood or major.kind != "T22"):
            side.pile.append(major.justice)
        if stood and major.name in REPEATED:
            self.remember(major.seat, major.foe, major.name, major.kind == "T21")

    def remember(self, seat: int, foe: int, name: str, again: bool) -> None:
        """Note an action against a seat, against all others for Death."""
        for other in self.others(seat):
            if name == "T14" or other == foe:
                self.sides[other].last = (name, seat, again)

    # --- words nobody waits for ---

    def _justify(self, seat: int, body: str) -> None:
        while self.due and self.due.optional:
            self._step(None)
        side = self.sides[seat]
        if self.due or not self.acted - {seat} or not side.ready or side.out:
            raise Fault("reaction", "T12 outside its window")
        remove(side.pile, body[:3], "in-discards")
        major = self.read(seat, body)
        if major.kind in ("T12", "T15"):
            raise Fault("effect", f"Justice does not use {major.kind}")
        self.check(major)
        justice, side.ready = side.ready, ""
        self.chain = [major._replace(justice=justice)]

    def _speak(self, seat: int, body: str) -> None:
        if seat == 0:
            raise Fault("effect", "the table has nothing to say")
        if seat != self.turn:
            raise Fault("turn", f"p{self.turn} has the turn")
        side = self.sides[seat]
        if body.startswith("*") or not self.drawn:
            if self.drawn or not re.fullmatch(rf"\*{CARD}", body):
                raise Fault("draw-one", "one draw, at the beginning")
            side.hand.append(side.deck.draw(body[1:], "draw-one"))
            self.drawn = True
        elif body == "End":
            self._end(side)
        elif match := re.fullmatch(rf"({CARDS})@a", body):
            self._lay(side, match[1].split(","))
        elif match := re.fullmatch(rf"({CARDS})-", body):
            self._throw(side, match[1].split(","))
        elif match := re.fullmatch(r"(T0[45])=([1-9XJNQKT][0-9DSCW]{1,2})@a", body):
            self._stand(side, match[1], match[2])
        elif match := re.fullmatch(r"(T0[45])=([1-9XJNQK][DSCW])", body):
            self._rename(side, match[1], match[2])
        elif body.startswith(":"):
            self._challenge(seat, body)
        elif is_major(body):
            self._activate(seat, body)
        else:
            raise ValueError(f"no word: {body}")

    def _end(self, side: Side) -> None:
        if len(side.hand) > 5:
            raise Fault("hand-limit", f"{len(side.hand)} cards")
        self.turns += 1
        self.drawn = self.played = self.challenged = False
        self.look()
        seats = self.others(side.number)
        if not self.over and self.turns == sum(len(one.tag) for one in self.sides.values()):
            most = max(self.sides[seat].points() for seat in (side.number, *seats))
            best = [seat for seat in (side.number, *seats) if self.sides[seat].points() == most]
            self.over = Over("turn-limit", tuple(sorted(best)))
        while not self.over:
            self.turn = self.others(self.turn)[0]
            if self.sides[self.turn].deck.cards:
                return
            self.sides[self.turn].out = True
            left = [seat for seat, one in self.sides.items() if not one.out]
            if len(left) == 1:
                self.over = Over("draw-one", (left[0],))

    def _lay(self, side: Side, cards: list[str]) -> None:
        if any(is_major(card) for card in cards):
            raise Fault("lay-down", "a Major is not laid down")
        for card in cards:
            side.up.append(Laid(remove(side.hand, card, "in-hand"), card))

    def _throw(self, side: Side, cards: list[str]) -> None:
        if len(side.hand) - len(cards) < 5:
            raise Fault("hand-limit", "down to five, no further")
        for card in cards:
            side.pile.append(remove(side.hand, card, "in-hand"))

    def _stand(self, side: Side, card: str, name: str) -> None:
        if is_major(name):
            raise Fault("lay-down", "as a Major it is not laid down")
        remove(side.hand, card, "in-hand")
        if not side.copies(name):
            raise Fault("effect", f"{name} is not in the deck")
        side.up.append(Laid(card, name))

    def _rename(self, side: Side, card: str, name: str) -> None:
        zone = side.up if any(laid.card == card for laid in side.up) else side.down
        at = next((at for at, laid in enumerate(zone) if laid.card == card), -1)
        if at < 0:
            raise Fault("in-area", f"{card} does not lie with p{side.number}")
        if card == "T05" or name == zone[at].name or not side.copies(name):
            raise Fault("effect", f"{card} cannot become {name}")
        zone[at] = Laid(card, name)

    def _challenge(self, seat: int, body: str) -> None:
        match = re.fullmatch(rf"(:[^^]*)\^({CARD})?\^({CARD})?", body)
        if match is None:
            raise ValueError(body)
        target = self.read_arguments(Played(seat, "", ":"), ":", match[1])
        if self.challenged or target.foe not in self.others(seat):
            raise Fault("challenge", "once a turn, and another seat")
        self.challenged = True
        self.check(target)
        self._start(contest(self, target, match[2] or "", match[3] or ""), lambda: self._contested(target))

    def _contested(self, target: Played) -> None:
        self.remember(target.seat, target.foe, ":", False)
        self.acted = {target.seat}

    def _activate(self, seat: int, body: str) -> None:
        if self.played:
            raise Fault("one-play", "one card a turn")
        if body.startswith("T15"):
            raise Fault("reaction", "T15 answers a card")
        remove(self.sides[seat].hand, body[:3], "in-hand")
        major = self.read(seat, body)
        self.check(major)
        self.played, self.chain = True, [major]

    # --- reading and checking a Major ---

    def read(self, seat: int, body: str) -> Played:
        """Read a Major's word without T12=. Raises Fault ``effect`` for a part that is missing or too much."""
        card, rest = body[:3], body[3:]
        kind = card
        if card in COPIES:
            kind, rest = rest[1:4], rest[4:]
            if not self.sides[seat].copies(kind) or not is_major(kind):
                raise Fault("effect", f"{card} cannot be {kind}")
        name = kind
        if kind == "T21":
            name = ":" if rest[:1] == ":" else rest[1:4]
            rest = rest if name == ":" else rest[4:]
            if name not in REPEATED:
                raise Fault("effect", "Judgment repeats no such thing")
        return self.read_arguments(Played(seat, card, name, kind=kind), name, rest)

    def read_arguments(self, played: Played, name: str, rest: str) -> Played:
        """Read what stands behind the Major's name; with two seats the opponent goes without saying."""
        match = re.fullmatch(ARGUMENTS.get(name, ""), rest)
        if match is None:
            raise Fault("effect", f"{name}{rest}")
        answer = match.groupdict()
        foe = int(answer.get("foe") or 0)
        if not foe and "foe" in answer and len(self.sides) == 2:
            foe = 3 - played.seat
        return played._replace(
            foe=foe,
            cards=tuple((answer.get("cards") or "").split(",")) if answer.get("cards") else (),
            number=int(answer.get("number") or 0),
            mine=answer.get("mine") or "",
            laid=answer.get("laid") or "",
            row=int(answer.get("row") or 0),
            theirs=answer.get("theirs") or answer.get("other") or "",
            their_row=int(answer.get("their_row") or answer.get("other_row") or 0),
            to=answer.get("to") or ("a" if answer.get("other_row") else ""),
        )

    def check(self, played: Played) -> None:
        """Raise Fault where a Major's word names a card, seat or number it cannot."""
        side = self.sides[played.seat]
        name = played.name
        if (foe := self.sides.get(played.foe)) and played.foe in self.others(played.seat):
            played.check_theirs(foe)
        elif "foe" in ARGUMENTS.get(name, ""):
            raise Fault("effect", "no such opponent")
        if played.kind == "T21":
            last = side.last
            if last is None or last[0] != name or (name != "T14" and last[1] != played.foe):
                raise Fault("effect", "that was not the last action")
        played.check_own(side)
        if name == "T16" and foe and not 1 <= played.number <= min(len(foe.hand), len(side.deck.cards) // 2):
            raise Fault("effect", "not so many cards")

    # --- seats and aims ---

    def others(self, seat: int) -> list[int]:
        """Return the seats still in, from the one after this."""
        count = len(self.sides)
        seats = [(seat - 1 + step) % count + 1 for step in range(1, count)]
        return [other for other in seats if not self.sides[other].out]

    def look(self) -> None:
        """See whether a seat has reached an aim, the seat in turn first."""
        for seat in (self.turn, *self.others(self.turn)):
            if self.over is None and self.sides[seat].suits() > 1:
                self.over = Over("suit-win", (seat,))
            if self.over is None and self.total and self.sides[seat].points() >= self.total:
                self.over = Over("point-win", (seat,))

    def deal(self) -> Effect:
        """Wait for the decks as they lie, seat by seat, and draw the opening hands."""
        for seat in self.sides:
            side = self.sides[seat]
            if not side.out:
                word = yield Due("order", 0, "effect", len(side.deck.cards), seat, optional=True)
                if word and len(word.partition("*")[2].split(",")) < side.eighth:
                    raise Fault("opening-hand", "shorter than the hand")
                if word:
                    side.deck.lie(word.partition("*")[2].split(","))
                side.hand = [side.deck.draw("~", "opening-hand") for _ in range(side.eighth)]
