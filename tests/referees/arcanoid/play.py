"""A second, slow referee of Arcanoid, written from the rulebook alone; it shares nothing with the package.

It follows a game word by word and raises the key of the first rule a word breaks. A record that knows every card is
judged exactly; an unknown card is taken to be whatever a word says, so a hidden record is followed, not judged.
"""

# Readings of the page where it leaves room; the random games keep away from those marked (avoided).
# - A daemon's words are bare in its turn, or have p2d; p2 is its master, but for the daemon's extra moves. Where the
#   card lies tells whose a Fool or a Hermit is: the daemon steals for itself, the extra moves are its own. From the row
#   they are the seat's.
# - A second daemon of one master in a round is a new one; what the first has committed counts on. A Devil
#   as an extra move right before his own turn (avoided).
# - An extra move needs a move of this round before it; while its owner has any, his prefix always claims one.
# - The window of the Fool stays open while nothing was drawn and nothing said; then the mover leaves the round.
# - A vote comes as the last card is drawn: also within the Wheel. The Wheel where its fifth card is the deck's last
#   (avoided), from the row or from a visible place (avoided), with visible cards thrown away (avoided).
# - Strength's visible cards are hand cards: the Hanged Man and the Hierophant meet them. `=2` draws them first, later
#   they are refilled after the hand.
# - The Tower lifts what a key has on one field; a World, an abdication, nothing: `tower`. Judgment on a closed field is
#   `judgment`; one's own closed field (avoided).
# - An ace is alone with the Magician too, and a transmuted ace is an ace. An ace with Magician completed by a court
#   (avoided). What cannot complete is `ace-completion`; a second completion is `committed-already`.
# - The USA's hand lies face up after calls without a word of its own.
# - Reveals follow the round's last word in seat order, then field order; a daemon's face-down commitment (avoided).
# - The score is the fields won, seat by seat; a shared game goes on, so there is one winner.
# - Aimed at oneself the Priestess is refused; aimed at a daemon (avoided). Death may be played on an empty deck.

import re

from tests.referees.arcanoid.board import ROW
from tests.referees.arcanoid.cards import CARDS, FIELDS, KEY, Fault, form, split
from tests.referees.arcanoid.forces import Forces
from tests.referees.arcanoid.trumps import EFFECTS, Items


class Referee(Forces):
    """A game in progress. mover: whose move it is or was last; again: he goes on; extra: it is a Hermit's move."""

    # --- the flow of words ---

    def say(self, word: str) -> None:
        """Follow one word. Raises Fault with the key of the rule it breaks, ValueError for what cannot be read."""
        name, slash, body = word.partition("/")
        name, body = (name, body) if slash else ("", word)
        self.clock += 1
        if name == "p0":
            self.table_word(body)
        elif body in ("Yes", "No"):
            self.settle()
            if self.over:
                raise Fault("finished", "the game has ended")
            if not self.votes or name not in ("", f"p{self.votes[0]}"):
                raise Fault("refill-vote", "nobody was asked, or another seat")
            self.vote(body)
        elif body.startswith("T00:"):
            self.out_of_turn()
            self.fool(name, body[4:])
        else:
            self.turn_word(name, body)

    def out_of_turn(self) -> None:
        """Raise Fault where a vote, or the Wheel's discard, comes before a Fool."""
        if self.window is None:
            self.settle()
        if self.over:
            raise Fault("finished", "the game has ended")
        if self.votes:
            raise Fault("refill-vote", f"p{self.votes[0]} is asked")
        if self.excess:
            raise Fault("wheel", f"{self.excess} discards first")

    def turn_word(self, name: str, body: str) -> None:
        """Follow a reveal, the Wheel's discard, or a move and its draw."""
        self.settle()
        if match := re.fullmatch(rf"\^(d?)([swcd])=({CARDS})", body):
            self.reveal(name + match[1], match[2], split(match[3]))
            return
        if self.over:
            raise Fault("finished", "the game has ended")
        if self.votes:
            raise Fault("refill-vote", f"p{self.votes[0]} is asked")
        if self.round_over:
            self.next_round()
        if self.excess:
            self.throw(name, body)
            return
        move, star, drawn = body.partition("*")
        drawn, _, thrown = drawn.partition("-")
        self.move(name, move)
        if star:
            self.close()
            if self.due_draw()[0] != self.mover:
                raise Fault("draw", f"{self.mover} is not first to draw")
            self.draw(split(drawn))
        if thrown:
            self.throw(name, f"{thrown}-")

    def settle(self) -> None:
        """Close the window and let happen what nobody wrote, as far as no vote is due."""
        self.close()
        while (due := self.due_draw())[0]:
            self.draw(self.deck[: due[1]])
        if self.votes:
            return
        if self.excess and self.surplus() <= 0:
            self.excess = ""
        if self.hermit and not self.hermit[1] and not self.again:
            self.hermit = None
            self.pile.append("T09")

    def table_word(self, body: str) -> None:
        """Follow a deal, a deck, or a draw that is not the mover's first."""
        match = re.fullmatch(rf"(j|{KEY})?\*({CARDS})", body)
        if match is None:
            raise ValueError(body)
        self.close()
        cards = split(match[2])
        if self.round_over:
            self.next_round()
        if not match[1] and self.fresh:
            self.tell(cards)
        elif match[1] and not self.started:
            self.deal(match[1], cards)
        else:
            while (due := self.due_draw())[0] not in ("", match[1] or ""):
                self.draw(self.deck[: due[1]])
            if not due[0]:
                raise Fault("refill-vote" if self.votes else "draw", "nothing is drawn now")
            self.draw(cards)

    def next_round(self) -> None:
        """Deal the next round."""
        if self.over:
            raise Fault("finished", "the game has ended")
        self.round += 1
        self.fresh_round()

    def reveal(self, key: str, field: str, cards: list[str]) -> None:
        """Turn up a face-down commitment."""
        stand = self.hidden().get((key, field))
        if not self.round_over or stand is None or len(stand.cards) != len(cards):
            raise Fault("face-down", "nothing to turn up there")
        if "~" not in stand.cards and list(stand.cards) != cards:
            raise Fault("face-down", f"it was {stand.cards}")
        kind = form(cards, field, "nassau" if self.variant == "koblenz" else self.variant)
        self.players[key].stands[field] = stand._replace(kind=kind, cards=tuple(cards))
        if not self.counted:
            self._count()

    # --- whose turn ---

    def next_key(self) -> str:
        """Return who has the next regular move."""
        ring = [key for seat in self.rotation for key in (f"p{seat}d", f"p{seat}")]
        start = ring.index(self.last) + 1 if self.last else 0
        keys = [key for key in (*ring[start:], *ring[:start]) if key in self.players]
        return next(key for key in keys if not self.players[key].finished)

    def entitled(self, name: str) -> tuple[str, bool]:
        """Return who moves with a word that names so, and whether it is an extra move. Raises Fault ``turn``."""
        if self.again:
            if name not in ("", self.mover) and not (self.extra and name == self.mover.rstrip("d")):
                raise Fault("turn", f"{self.mover} plays again")
            return self.mover, self.extra
        if self.hermit and self.hermit[1] and name in (self.hermit[0], self.hermit[0].rstrip("d")):
            return self.hermit[0], True
        key = self.next_key()
        if name not in ("", key):
            raise Fault("turn", f"it is {key}'s turn")
        return key, False

    def move(self, name: str, body: str) -> None:
        """Follow a move without its draw; what is drawn is queued."""
        key, extra = self.entitled(name)
        mover, again, self.mover, self.again = self.mover, self.again, key, False
        try:
            items = self.act(key, body)
        except (Fault, ValueError):
            self.mover, self.again = mover, again
            raise
        if not again and extra and self.hermit:
            self.hermit = (key, self.hermit[1] - 1)
        elif not extra:
            self.last = key
        self.extra, self.started, self.fresh = extra, True, False
        self.queue = [*items, *(((key, "hand"), (key, "open")) if not self.excess else ())]
        self.queue += [(name, "hand") for name, one in self.players.items() if one.daemon and name != key]
        self.queue.append((ROW, "row"))
        if self.round_over:
            self.queue = []

    # --- moves ---

    def act(self, key: str, body: str) -> Items:
        """Do what the move says. Return what is drawn before the mover's hand."""
        if body == "Pass":
            raise Fault("must-move", "no passing")
        if key == self.usa:
            self.machine(key, body)
        if body == "r-":
            self.drop(key)
        elif body == "T14-" and self.temper and not self.can(key, "T14"):
            self.lift_own(key)
        elif match := re.fullmatch(rf"({CARDS})-", body):
            self.discard(key, split(match[1]))
        elif match := re.fullmatch(rf"({CARDS})@r", body):
            self.load(key, split(match[1]))
        elif match := re.fullmatch(rf"T20@(?:({KEY}(?=[swcd])))?([swcd])", body):
            self.judge(key, match[1] or key, match[2])
        elif match := re.fullmatch(r"T14@([swcd])", body):
            self.tempered(key, match[1])
        elif match := re.fullmatch(rf"(r?)({CARDS})?@(~?)([swcd]+)", body):
            self.commit(key, match[1] == "r", split(match[2]), match[3] == "~", match[4])
        elif body[:3] in EFFECTS:
            self.need(key, [body[:3]])
            return EFFECTS[body[:3]](self, key, body[3:])
        else:
            raise ValueError(f"no word: {body}")
        return []

    def machine(self, key: str, body: str) -> None:
        """Raise Fault unless the USA does what it must."""
        player = self.players[key]
        if player.hand:
            fits = body in (f"{player.hand[0]}-", "~-") or (player.hand[0] == "~" and body.endswith("-"))
        else:
            fits = body == "@" + next(field for field in FIELDS if field not in player.stands)
        if not fits:
            raise Fault("usa", "the oldest card, or the first open field")

    def discard(self, key: str, cards: list[str]) -> None:
        """Put one card away."""
        if len(cards) > 1:
            raise Fault("discard-one", "one card")
        self.need(key, cards)
        self.leave(key, cards)
        self.pile += cards

    def throw(self, name: str, body: str) -> None:
        """Put away what the Wheel brought too much."""
        match = re.fullmatch(rf"({CARDS})-", body)
        player = self.players[self.excess] if self.excess else None
        if match is None or player is None or name not in ("", self.excess, self.excess.rstrip("d") * self.extra):
            raise Fault("wheel", f"{self.excess} discards first")
        cards = split(match[1])
        if len(cards) != self.surplus():
            raise Fault("wheel", f"{self.surplus()} cards are too many")
        self.need(player.key, cards)
        self.leave(player.key, cards)
        self.pile += cards
        self.excess = ""

    def surplus(self) -> int:
        """Return how many cards the Wheel's player has to put away."""
        player = self.players[self.excess]
        return max(0, len(player.cards()) - player.size - player.up_size)

    def drop(self, key: str) -> None:
        """Discard the Chariot and its reserve."""
        player = self.players[key]
        if player.reserve is None:
            raise Fault("chariot", "no Chariot lies there")
        self.pile += [*player.reserve, "T07"]
        player.reserve = None

    def load(self, key: str, cards: list[str]) -> None:
        """Lay the Chariot with its reserve, or add to it."""
        player = self.players[key]
        if "T07" not in cards and (player.reserve is None or len(cards) > 2):
            raise Fault("chariot", "no Chariot there, or more than two cards")
        self.need(key, cards)
        self.leave(key, cards)
        player.reserve = [*(player.reserve or []), *(card for card in cards if card != "T07")]

    def lift_own(self, key: str) -> None:
        """Take Temperance back."""
        if self.variant == "dresden" or not self.temper or self.temper[0] != key:
            raise Fault("temperance-lift", "not his to lift")
        self.lift()

    def tempered(self, key: str, field: str) -> None:
        """Lay Temperance on a field."""
        self.need(key, ["T14"])
        stand = self.players[key].stands.get(field)
        if not self.deck or (stand and stand.kind != "abdicated"):
            raise Fault("temperance", "no deck, or he has committed there")
        self.leave(key, ["T14"])
        self.temper = (key, field)

    def ended(self) -> bool:
        """Settle, and say whether the game has ended."""
        self.settle()
        return self.over

    def result(self) -> str:
        """Return the result, as in a Result tag."""
        return "-".join("1" if self.leaders() == [seat] else "0" for seat in range(1, self.seats + 1))
