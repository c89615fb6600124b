"""How words of the duel are tapped: what is due first, then the cards of a hand, what is challenged for, and the rest.

A card that lies on the drawing is tapped there; any other on the keys, which keep their places.
"""

from collections.abc import Iterator

from cartulary.engine.tarot_duel import State, moves
from cartulary.engine.tarot_duel.cards import COPIES, ITSELF, KINDS, MAJOR, NAMES
from cartulary.engine.tarot_duel.challenge import stakes_of
from cartulary.engine.tarot_duel.dues import words_skipped
from cartulary.engine.tarot_duel.reaction import may_answer
from cartulary.engine.tarot_duel.shuffles import settle
from cartulary.engine.tarot_duel.state import DRAWN, Due
from cartulary.notation.card_forms import HAND, TRUMP_SIGN, UNSEEN, CardSteps, FormDraft, suit_keys, things
from cartulary.notation.contract import FormBranch as Branch
from cartulary.notation.contract import FormThing as Thing
from cartulary.notation.contract import Keypad, SuitKeys, Touch, WordForm
from cartulary.notation.tarot_duel.picture import drawing

_SUITS = ("discs", "swords", "cups", "wands")
_IN_ORDER = tuple((at, _SUITS[at]) for at in (1, 3, 2, 0))
"""The suits in the order of their keys, each with its number."""
_MAJORS = NAMES[MAJOR:]
_KEYS = (
    *(suit_keys(name.capitalize(), name, NAMES[14 * at : 14 * at + 14]) for at, name in _IN_ORDER),
    SuitKeys(TRUMP_SIGN, "Majors", tuple((name, name.removeprefix("T").removeprefix("0")) for name in _MAJORS)),
)
_REPEATED = (1, 7, 11, 13, 14, 16, 18, 20)
_ANY = "any "
"""What the nodes of words of anybody begin with."""
_COPIES = tuple(NAMES[card] for card in COPIES)
_MOST_PICKED = 20
"""How many cards of a hand the Devil may take by a key."""


def keypad(state: State, seat: int) -> Keypad:
    """Return the keys of the 78 cards, and before them those of the known cards of the hand that is tapped.

    None is ever greyed for being seen, as several decks may have it. The hand is open once its seat has drawn.
    """
    speaker = speaker_of(state) if seat in (0, state.turn) else seat
    hand = kinds_of(bytes(code for code in settle(state).sides[speaker - 1].hand if ITSELF[code] < KINDS)) or ()
    opens = hand and speaker == state.turn and state.flags & DRAWN
    keys = SuitKeys(HAND, "the hand", tuple((name, name) for name in hand))
    return Keypad((keys, *_KEYS), suit_led=HAND if opens else "")


def _any_card(text: str, then: str) -> tuple[Branch, ...]:
    """Return two branches after a text: any card of the 78 by its name, and one that nobody saw.

    ``then`` is the node that follows both; empty if the word is complete.
    """
    return Branch(text, group="known", next_node=then), Branch(f"{text}{UNSEEN}", "unseen", next_node=then)


_PLACES = tuple(f"a{at}" for at in range(1, 10))


def card_items(state: State, seat: int) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return by zone the known cards of a seat that lie on the drawing: ``hand``, ``area``, ``row`` and ``top``.

    All four keys are always there; a zone without known cards is empty. Each card is a pair of what words call it, its
    name or in the row its place such as ``a1``, and the id of its item.
    """
    who = f"p{seat}"
    roles = {f"{who} hand": "hand", who: "area", f"{who} row": "row", f"{who} deck": "top"}
    found: dict[str, tuple[tuple[str, str], ...]] = dict.fromkeys(roles.values(), ())
    for item in drawing(state, None).items:
        if item.look == "card" and item.role in roles:
            name = item.label.replace(",", " ").replace("=", " ").split(" ")[0]
            found[roles[item.role]] += ((name, item.id),)
    return found


def kinds_of(zone: bytes) -> tuple[str, ...] | None:
    """Return the names of the cards of a zone, in the order of the deck and each kind once.

    None if some of them are not known; an empty zone gives an empty tuple.
    """
    if any(ITSELF[code] >= KINDS for code in zone):
        return None
    return tuple(NAMES[card] for card in sorted({ITSELF[code] for code in zone}))


def without_answer(state: State) -> State:
    """Return the state before the next word, if nobody answers the card on the table; else the state itself."""
    while state.if_unanswered is not None:
        state = state.if_unanswered
    return state


def dues_of(state: State) -> list[Due]:
    """Return the words that may be due next, the most likely first; shuffles are left out.

    That is the word due if nobody answers the card on the table, the word due otherwise, and the words that were
    skipped and may still come. Empty if none is due.
    """
    first = state.due[:1] if state.if_unanswered is not None else ()
    dues = (*without_answer(state).due[:1], *first, *words_skipped(state))
    return [due for due in dues if due.what != "shuffle"]


def speaker_of(state: State) -> int:
    """Return the seat whose hand is tapped by whoever writes for all: that which owes a word, else the one in turn."""
    return next((due.seat for due in dues_of(state) if due.seat), without_answer(state).turn)


def form(state: State, seat: int) -> WordForm:
    """Return how the words of a seat are put together, those of everybody for seat 0.

    It offers what is due, what the seat in turn may do, and every other word, whether or not it is legal.
    """
    return _Form(state, seat).form()


class _Form(FormDraft):
    """The form of a position.

    Attributes:
        state: What the viewer sees.
        now: The state before the next word, if nobody answers the card on the table.
        settled: The same, with new hands if the decks are fresh.
        speaker: The seat whose hand and area are tapped: who writes or, for who writes for all, who owes a word or is
            in turn.
    """

    def __init__(self, state: State, seat: int) -> None:
        super().__init__(seat)
        self.state = state
        self.now, self.settled = without_answer(state), settle(state)
        self.speaker = seat or speaker_of(state)
        self.items = {one: card_items(state, one) for one in self._seats()}
        self.groups |= {
            "known": things(NAMES),
            "minors": things(NAMES[:MAJOR]),
            "majors": tuple(Thing(name, next_node=name) for name in _MAJORS),
        }
        self._zones()
        self._words("")
        if not seat:
            self._words(_ANY)
        self._answers()
        for due in dues_of(state):
            self._due(due)
        if not self.now.due and self.settled.outcome is None:
            self._turn()
            self._justice()
        self._decks()
        self._others()

    def _seats(self) -> range:
        """Return the numbers of all seats, from 1."""
        return range(1, self.state.options.seats + 1)

    def _prefix(self, seat: int) -> str:
        """Return what stands before the words of a seat: nothing for the one in turn, else its prefix ``p2/``."""
        return "" if seat == self.state.turn else f"p{seat}/"

    # --- the cards of zones ---

    def _zones(self) -> None:
        """Add the groups of the speaker's zones, and of the cards in the areas of others.

        The groups ``spots``, ``robbed`` and ``who`` are the cards, hands and seats of everybody but the speaker; those
        whose name begins with ``any`` are of all seats.
        """
        side, items = self.settled.sides[self.speaker - 1], self.items[self.speaker]
        self._zone("hand", side.hand, items["hand"])
        self._zone("pile", side.pile)
        self._zone("area cards", side.area, items["area"])
        self.groups["area"] = (
            *self._drawn("a=", side.area, items["area"]),
            *(Thing(place, item) for place, item in items["row"]),
        )
        self.groups["renamed"] = tuple(
            Thing(name, item, next_node=f"use {name}") for name, item in items["area"] if name in _COPIES
        )
        self.groups["top"] = tuple(Thing(name, item) for name, item in items["top"][:1])
        for set_name, rivals in (("", [seat for seat in self._seats() if seat != self.speaker]), (_ANY, self._seats())):
            spots = tuple(thing for seat in rivals for thing in self._spots(seat))
            robbed = tuple(Thing(f"p{seat}h", label=f"a card of p{seat}'s hand") for seat in rivals)
            self.groups[f"{set_name}spots"], self.groups[f"{set_name}robbed"] = spots, robbed
            self.groups[f"{set_name}who"] = tuple(Thing(f"p{seat}", label=f"p{seat}") for seat in rivals)

    def _zone(self, name: str, zone: bytes, items: tuple[tuple[str, str], ...] = ()) -> None:
        """Add the group of a zone: its cards on the drawing, and the keys of those that it has if all are known.

        Args:
            name: The name of the group.
            zone: The codes of its cards.
            items: The cards on the drawing, each a pair of its name and the id of its item.
        """
        kinds = kinds_of(zone)
        drawn = (Thing(card, item) for card, item in items if kinds is None or card in kinds)
        self.groups[name] = (*drawn, *(things(kinds) if kinds else ()))

    def _drawn(self, before: str, zone: bytes, items: tuple[tuple[str, str], ...]) -> Iterator[Thing]:
        """Yield the known cards of an area after a text: those on the drawing, then a key for each of the others.

        ``before`` is the text, such as ``a=``; ``items`` has the cards on the drawing, each a pair of its name and the
        id of its item.
        """
        lying = {name for name, _ in items}
        yield from (Thing(f"{before}{name}", item) for name, item in items)
        for name in kinds_of(bytes(code for code in zone if ITSELF[code] < KINDS)) or ():
            if name not in lying:
                yield Thing(f"{before}{name}", label=f"{name} of the area")

    def _spots(self, seat: int) -> Iterator[Thing]:
        """Yield the cards of a seat's area as words of others name them: ``p2a=7C``; those in its row as ``p2a1``."""
        items = self.items[seat]
        yield from self._drawn(f"p{seat}a=", self.settled.sides[seat - 1].area, items["area"])
        yield from (Thing(f"p{seat}{place}", item) for place, item in items["row"])

    def _hand(self, text: str, then: str, set_name: str = "") -> tuple[Branch, ...]:
        """Return the branches of a card of the speaker's hand after a text; of any card too if not all of it is known.

        ``then`` is the node that follows, empty for the end. With a ``set_name`` the speaker is not known, so only the
        branches of any card are returned.
        """
        kinds = kinds_of(self.settled.sides[self.speaker - 1].hand)
        any_card = _any_card(text, then) if set_name or kinds is None else ()
        return (*((Branch(text, group="hand", next_node=then),) if not set_name else ()), *any_card)

    # --- words that follow a first card ---

    def _words(self, set_name: str) -> None:
        """Add the nodes that follow a card of the hand, a Major and a challenge.

        Args:
            set_name: Empty for the words of the speaker, whose zones are known, else what the names of the nodes and
                groups of words of anybody begin with.
        """
        at = set_name
        known = (Branch(group="known"),)
        self.nodes |= {
            f"{at}cards": (Branch("@a", "Lay"), Branch("-", "Put away"), *self._hand(",", f"{at}cards", at)),
            f"{at}stand": (Branch("@a", "Lay it so"), Branch("", "Name it so")),
            f"{at}swap": (Branch(">", group=f"{at}spots"), Branch(">", group=f"{at}robbed")),
            f"{at}exchange": (
                *self._area(">", "", at),
                Branch(">x=", "From the pile…", next_node=f"{at}from the pile"),
                Branch(">h=", "From the hand…", next_node=f"{at}from the hand"),
                Branch(">d=", "From the deck…", next_node=f"{at}from the deck"),
            ),
            f"{at}from the pile": self._pile("", "", at),
            f"{at}from the hand": self._hand("", "", at),
            f"{at}from the deck": _any_card("", ""),
            f"{at}count": (Branch("=", group="numbers"),),
            f"{at}pile more": self._pile(",", f"{at}pile more", at),
            f"{at}area more": self._area_cards(",", f"{at}area more", at),
        }
        self.nodes |= {} if at else self._once(known)
        self.ends += [f"{at}pile more", f"{at}area more"]
        for number, name in enumerate(_MAJORS, 1):
            ways, whole = self._uses(number, at)
            self.nodes[f"{at}use {name}"] = ways
            self.ends += [f"{at}use {name}"] * whole
            use = (Branch("", "Use it"),) if whole else ()
            self.nodes[f"{at}{name}"] = (*use, *ways, Branch("", "Put away…", next_node=f"{at}cards"))
        for group, numbers in (("use", range(1, 23)), ("again", _REPEATED)):
            names = (_MAJORS[number - 1] for number in numbers)
            self.groups[f"{at}{group}"] = tuple(Thing(name, next_node=f"{at}use {name}") for name in names)
        self.groups[f"{at}majors"] = tuple(Thing(name, next_node=f"{at}{name}") for name in _MAJORS)

    def _once(self, known: tuple[Branch, ...]) -> dict[str, tuple[Branch, ...]]:
        """Return the nodes that are the same whoever speaks: the two cards of a challenge, decks, and one card.

        ``known`` is the branch of any card by its name. Where a seat has no deck, ``no card`` may stand for a card of
        the challenge. The group ``numbers`` is added too.
        """
        empty = any(not side.deck for side in self.settled.sides)
        self.groups["numbers"] = tuple(Thing(str(count)) for count in range(1, _MOST_PICKED + 1))
        self.ends.append("deck more")
        return {
            "face": (*_any_card("^", "face 2"), *(Branch("^", "no card", next_node="face 2") for _ in range(empty))),
            "face 2": (*_any_card("^", ""), *(Branch("^", "no card") for _ in range(empty))),
            "deck": _any_card("", "deck more"),
            "deck more": _any_card(",", "deck more"),
            "one card": known,
        }

    def _pile(self, text: str, then: str, set_name: str) -> tuple[Branch, ...]:
        """Return the one branch of a card of the speaker's discard pile after a text, as a tuple.

        It is a branch of any card if the pile is not wholly known, or with a ``set_name``, which means that the speaker
        is not known. ``then`` is the node that follows, empty for the end.
        """
        unsure = set_name or kinds_of(self.settled.sides[self.speaker - 1].pile) is None
        return (Branch(text, group="known" if unsure else "pile", next_node=then),)

    def _area_cards(self, text: str, then: str, set_name: str) -> tuple[Branch, ...]:
        """Return the one branch of a card of the own area after a text, as a tuple; of any card with a ``set_name``.

        ``then`` is the node that follows, empty for the end.
        """
        return (Branch(text, group="known" if set_name else "area cards", next_node=then),)

    def _area(self, text: str, then: str, set_name: str) -> tuple[Branch, ...]:
        """Return the branches of a card of the own area with its place after a text: ``a=7C``, or ``a1`` face down.

        With a ``set_name`` the speaker is not known: the card is then any card or a place from a1 to a9, and the nodes
        for these are added. ``then`` is the node that follows, empty for the end.
        """
        if not set_name:
            return (Branch(text, group="area", next_node=then),)
        node = f"{set_name}area before {then}"
        self.nodes |= {
            node: (Branch(group="known", next_node=then),),
            f"{node}, face down": (Branch(group="places", next_node=then),),
        }
        self.groups["places"] = tuple(map(Thing, _PLACES))
        return (
            Branch(f"{text}a=", "From the area…", next_node=node),
            Branch(text, "Face down…", next_node=f"{node}, face down"),
        )

    def _uses(self, number: int, at: str) -> tuple[tuple[Branch, ...], bool]:
        """Return the choices that follow a Major in its word, and whether the word may be complete without any.

        ``number`` is that of the Major, from 1 to 22; ``at`` begins the names of nodes and groups. A Major that acts on
        another seat needs no choice if there are only two.
        """
        several = self.state.options.seats > 2
        who = (Branch(">", group=f"{at}who"),)
        if number in (1, 11, 13, 18, 20):
            return (who, False) if several else ((), True)
        if number in (7, 10):
            then = f"{at}swap" if number == 7 else f"{at}exchange"
            return (*self._hand("=", then, at), *self._area(">", then, at)), False
        if number == 16:
            aimed = (Branch(">", group=f"{at}who", next_node=f"{at}count"),)
            return (aimed if several else self.nodes[f"{at}count"]), False
        copy = (Branch("=", group="minors", next_node=f"{at}stand"), Branch("=", group=f"{at}use"))
        ways: dict[int, tuple[Branch, ...]] = {
            4: copy,
            5: copy,
            6: self._pile("=", "", at),
            8: (Branch("=", group="known"),),
            17: self._pile("=", f"{at}pile more", at),
            19: self._area_cards("=", f"{at}area more", at),
            21: (Branch("=", group=f"{at}again"), Branch(":", group=f"{at}spots")),
        }
        return ways.get(number, ()), number not in (4, 5, 6, 8, 17)

    # --- what may be said ---

    def _answers(self) -> None:
        """Add Temperance for the seats that may answer a card on the table, also by a card used as Temperance."""
        for seat in self._seats():
            if self.writes(seat) and may_answer(self.state, seat):
                self.start.append(Branch(f"p{seat}/T15", f"p{seat}: Temperance"))
                self.rare += (Branch(f"p{seat}/{copy}=T15", f"p{seat}: {copy} as Temperance") for copy in _COPIES)

    def _due(self, due: Due) -> None:
        """Add the words of a kind that is due; nothing if whoever writes has no such word."""
        if not self.writes(due.seat) and not (due.what == "either" and self.writes(due.other)):
            return
        said = self._prefix(due.seat) if due.seat else "p0/"
        simple = {
            "coin": (Branch("p0/=H", "Heads"), Branch("p0/=T", "Tails")),
            "die": tuple(Branch(f"p0/={pips}", str(pips)) for pips in range(1, 7)),
            "answer": (Branch(f"{said}Yes", f"p{due.seat}: Yes"), Branch(f"{said}Pass", f"p{due.seat}: Pass")),
            "show": (Branch(f"{said}^", group="known"),),
            "choose": (
                *self._top(f"{said}*"),
                Branch(f"{said}:p{due.other}h", f"p{due.other} loses a card"),
            ),
            "stakes": tuple(
                Branch(said + way.text, way.label, way.group, next_node="face 2") for way in self.nodes["face"]
            ),
        }
        if due.what in simple:
            self.start += simple[due.what]
        elif due.what in ("either", "lose", "back"):
            self._stakes(due)
        elif due.what == "redraw":
            self._redraw(due, said)
        else:
            self._list_due(due, said)

    def _top(self, text: str) -> Iterator[Branch]:
        """Yield the branches of a card that is drawn after a text: the top card if known, any card, and one unseen."""
        yield Branch(text, group="top")
        yield Branch(text, group="known")
        yield Branch(f"{text}{UNSEEN}", "Draw unseen")

    def _list_due(self, due: Due, said: str) -> None:
        """Add a word of several cards that is due: cards drawn, discarded, laid in a row, or picked from a hand.

        ``said`` is what stands before the word. Cards of a zone that is not wholly known may be any card.
        """
        group, text, after = {
            "draw": ("known", f"{said}*", ""),
            "mill": ("known", f"{said}*", "-"),
            "discard": ("zone", said, "-"),
            "row": ("zone", said, ">a"),
        }.get(due.what, ("zone", f"p0/p{due.other}=", ""))
        if group == "zone":
            owner = due.seat or due.other
            side = self.settled.sides[owner - 1]
            zone = side.row if due.what == "row" else side.hand
            self._zone("zone", zone, () if due.what == "row" else self.items[owner]["hand"])
            if kinds_of(zone) is None:
                self.groups["zone"] += things(NAMES)
        self.list_cards(CardSteps("due", due.count, group, after), text)

    def _redraw(self, due: Due, said: str) -> None:
        """Add a hand that is put away, all of it by one key if it is known, and the cards drawn in its place.

        ``said`` is what stands before the word. Cards are drawn only if ``due.count`` is not 0.
        """
        drawn = CardSteps("drawn", due.count, "known") if due.count else None
        then, sign = ("drawn 0", "-*") if drawn else ("", "-")
        self.nodes |= drawn.nodes() if drawn else {}
        hand = self.settled.sides[due.seat - 1].hand
        if hand and kinds_of(hand) is not None:
            names = ",".join(NAMES[card] for card in sorted(hand))
            self.start.append(Branch(f"{said}{names}{sign}", f"{names} away", next_node=then))
        away = Branch(sign, "Put away, draws…" if drawn else "Put away", next_node=then)
        self.nodes["redraw"] = (away, *self._hand(",", "redraw"))
        self.start += self._hand(said, "redraw")

    def _stakes(self, due: Due) -> None:
        """Add the stakes of a challenge, the cards that were staked: those that are lost, and those that go back.

        Only the seats whose words are written here and that have stakes are asked.
        """
        for seat in (due.seat, due.other) if due.what == "either" else (due.seat,):
            count = stakes_of(self.now, seat) if due.what == "either" else due.count
            if not count or not self.writes(seat):
                continue
            said, label = self._prefix(seat), f"p{seat}" if due.what == "either" else ""
            if due.what != "back":
                lost = CardSteps(f"lost {seat}", count, "known", after="-")
                self.list_cards(lost, said, f"{label} loses…" if label else "")
            if due.what != "lose":
                back = CardSteps(f"back {seat}", count, "known", after=">d", each=True)
                self.list_cards(back, said, f"{label} wins…" if label else "")

    def _turn(self) -> None:
        """Add what the seat in turn may do: draw, or once it has drawn end the turn, lay, use and challenge.

        Nothing is added if its words are not written here.
        """
        now = self.now
        if not self.writes(now.turn):
            return
        if not now.flags & DRAWN:
            self.start += self._top("*")
            return
        self.start.append(Branch("End", "End"))
        self.start += self._first("")
        self.start += (Branch(group="renamed"), Branch(":", group="spots", next_node="face"))
        rivals = [seat for seat in self._seats() if seat != now.turn and self._challenged(seat)]
        if rivals:
            self.start.append(Branch(":", "Challenge…", next_node=f"area {rivals[0]}" if rivals[1:] == [] else "whom"))
            self.nodes["whom"] = tuple(Branch("", f"p{seat}…", next_node=f"area {seat}") for seat in rivals)

    def _challenged(self, seat: int) -> bool:
        """Add the keys of a seat's area to be challenged for, and say whether anything lies there.

        They are added under the name ``area`` and the number of the seat, also if they are none.
        """
        side, row = self.settled.sides[seat - 1], self.items[seat]["row"]
        kinds = kinds_of(bytes(code for code in side.area if ITSELF[code] < KINDS)) or ()
        self.groups[f"area {seat}"] = things(kinds)
        self.nodes[f"area {seat}"] = (
            Branch(f"p{seat}a=", group=f"area {seat}", next_node="face"),
            *(Branch(f"p{seat}{place}", f"{place}, face down", next_node="face") for place, _ in row),
        )
        return bool(kinds or row)

    def _first(self, at: str) -> Iterator[Branch]:
        """Yield the branches of a first card of a word.

        ``at`` is empty for the words of the speaker, and begins the names of nodes for words of anybody, where the
        first card may be any card. For the speaker it is a card of the hand, and any card too if the hand is not wholly
        known.
        """
        kinds = kinds_of(self.settled.sides[self.speaker - 1].hand)
        if at or kinds is None:
            yield Branch(group="minors", next_node=f"{at}cards")
            yield Branch(group=f"{at}majors")
            yield Branch(UNSEEN, "An unseen card", next_node=f"{at}cards")
        if not at:
            lead = self.groups["hand"] if kinds is not None else (one for one in self.groups["hand"] if one.item)
            self.groups["first"] = tuple(
                Thing(one.word, one.item, next_node=one.word if one.word in _MAJORS else "cards") for one in lead
            )
            yield Branch(group="first")

    def _decks(self) -> None:
        """Add the decks that were shuffled, as they now lie; at the opening with the hands on top.

        Nothing is added for a form in which the words of the table are not written.
        """
        if not self.writes(0):
            return
        for seat, _ in self.now.loose:
            what = "opening hand" if self.now.fresh else "deck"
            self.start.append(Branch(f"p0/p{seat}*", f"p{seat}'s {what}…", next_node="deck"))

    def _justice(self) -> None:
        """Add, for each seat whose words are written, the cards that a Justice which lies ready may use."""
        for seat in self._seats():
            if self.now.marks.ready[seat - 1] and self.writes(seat):
                at = "" if seat == self.speaker else _ANY
                self.start.append(Branch(f"p{seat}/T12=", f"p{seat}: Justice…", next_node=f"{at}justice"))
                self.nodes[f"{at}justice"] = (Branch(group=f"{at}use"),)

    # --- all other words ---

    def _others(self) -> None:
        """Add every other word, in the menu of rare ones: of the speaker, of the other seats, and of the table."""
        for seat in self._seats():
            at = "" if seat == self.speaker else _ANY
            if self.writes(seat):
                self.rare.append(Branch(self._prefix(seat), f"p{seat} says…", next_node=f"{at}words"))
                self.nodes |= self._anything(at)
        if self.writes(0):
            self.rare.append(Branch("p0/", "The table…", next_node="table"))
            self.groups["everybody"] = tuple(Thing(f"p{seat}", label=f"p{seat}") for seat in self._seats())
            self.nodes |= {
                "table": (
                    Branch(group="everybody", next_node="table of"),
                    Branch("=H", "Heads"),
                    Branch("=T", "Tails"),
                    *(Branch(f"={pips}", str(pips)) for pips in range(1, 7)),
                ),
                "table of": (
                    Branch("*", "The deck…", next_node="deck"),
                    Branch("=", "Cards of the hand…", next_node="deck"),
                ),
            }

    def _anything(self, at: str) -> dict[str, tuple[Branch, ...]]:
        """Return the nodes of every word of a seat, whatever is due.

        ``at`` begins the names of the nodes, and is empty for the speaker. Those at which a word may end are added to
        ``ends``.
        """
        self.ends += [end for end in (f"{at}draws more", f"{at}shows more") if end not in self.ends]
        return {
            f"{at}words": (
                *self._first(at),
                Branch("*", "Draws…", next_node=f"{at}draws"),
                Branch(":", "Against…", next_node=f"{at}against"),
                Branch("^", "Shows…", next_node=f"{at}shows"),
                Branch("End", "End"),
                Branch("Yes", "Yes"),
                Branch("Pass", "Pass"),
            ),
            f"{at}draws": _any_card("", f"{at}draws more"),
            f"{at}draws more": (Branch("-", "Put away"), *_any_card(",", f"{at}draws more")),
            f"{at}against": (Branch(group=f"{at}spots", next_node="face"), Branch(group=f"{at}robbed")),
            f"{at}shows": _any_card("", f"{at}shows more"),
            f"{at}shows more": _any_card("^", ""),
        }


TOUCH: Touch[State, moves.Move] = Touch(keypad=keypad, form=form)
