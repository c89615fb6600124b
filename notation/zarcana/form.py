"""How a Zarcana word is put together by tapping: a card or a minion first, then what it does, then where.

The form turns on what the board shows and on the hand of the seat that writes. It asks nowhere whether a word is legal.
"""

from collections.abc import Iterator

from cartulary.engine.slots import is_slot
from cartulary.engine.zarcana.cards import (
    DOPPELGANGER,
    EXTRA,
    FREE,
    MAGICIAN,
    NAMES,
    POWER_OF,
    SUITS,
    TITLES,
    TRUMP,
    WORLD,
    is_royal,
    is_trump,
    name_of,
)
from cartulary.engine.zarcana.hands import open_demands
from cartulary.engine.zarcana.moves import SIZES, name_for, owner_of, place_name, ref_name
from cartulary.engine.zarcana.sample_uses import wasteland
from cartulary.engine.zarcana.state import CODE, DOWN, State
from cartulary.engine.zarcana.turns import is_over
from cartulary.notation.card_forms import TRUMP_SIGN, rank_label
from cartulary.notation.contract import FormBranch as Branch
from cartulary.notation.contract import FormThing as Thing
from cartulary.notation.contract import Keypad, SuitKeys, WordForm

_SUIT_NAMES = ("swords", "wands", "cups", "discs")
_LARGE = {"S": "small", "M": "medium", "L": "large"}
_MOST_OF_A_DEAL = 2
"""How many keys of a deal lie open; more are folded into one key."""
_POINTING = {"u": "• standing", "n": "↑ north", "e": "→ east", "s": "↓ south", "w": "← west"}

# --- the keypad ---


def _suit_keys(extras: tuple[int, ...]) -> tuple[SuitKeys, ...]:
    """Return the keys of the cards: the four suits of 14, the trumps, and the extra cards in play if there are any.

    ``extras`` are the numbers of those extra cards. A suit's key shows the rank, a trump's its number from 0.
    """
    suits = [
        SuitKeys(
            name.capitalize(),
            name,
            tuple((NAMES[card], rank_label(NAMES[card])) for card in range(14 * at, 14 * at + 14)),
        )
        for at, name in enumerate(_SUIT_NAMES)
    ]
    suits.append(
        SuitKeys(TRUMP_SIGN, "trumps", tuple((NAMES[card], str(card - TRUMP)) for card in range(TRUMP, EXTRA)))
    )
    if extras:
        suits.append(SuitKeys("Extra", "extra cards", tuple((NAMES[card], NAMES[card]) for card in extras)))
    return tuple(suits)


def keypad(state: State, seat: int) -> Keypad:
    """Return the keys of all cards in play.

    Its ``open_cards`` are those that lie face up on the board or among the discards, so that they cannot come once
    more. ``seat`` does not matter.
    """
    tops = [entry for stack in state.cards.values() for entry in stack if not entry & DOWN]
    seen = {entry & CODE for entry in (*tops, *state.pile) if not is_slot(entry & CODE)}
    keys = _suit_keys(tuple(card for card in state.options.every if card >= EXTRA))
    return Keypad(keys, tuple(name_of(card) for card in sorted(seen)))


# --- the form ---


def form(state: State, seat: int) -> WordForm:
    """Return how the words of a seat are put together, those of everybody for seat 0.

    The form is empty for a seat that has no word now. It says what may be written, whether or not it is legal.
    """
    return _Form(state, seat).word_form()


class _Form:
    """A form while it is put together: its nodes, its groups, and the nodes that end a word."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.writer, self.seat = state, seat, state.turn
        self.nodes: dict[str, tuple[Branch, ...]] = {}
        self.groups: dict[str, tuple[Thing, ...]] = {}
        self.ends: list[str] = []
        self.hand = sorted(card for card in state.hands[self.seat - 1] if not is_slot(card))
        self.unseen = len(state.hands[self.seat - 1]) - len(self.hand)

    def word_form(self) -> WordForm:
        """Return the finished form; an empty one if the writer has no word now. It is to be called once.

        Demanded gifts come first, then the turn of the seat that is to move, then for seat 0 the words of the table.
        """
        state, course, start = self.state, self.state.course, list[Branch]()
        gifts = [(giver, taker) for giver, taker in open_demands(course) if self.writer in (0, giver)]
        if gifts or (not course.demands and not is_over(state) and self.writer in (0, self.seat)):
            self._group_board()
            self.groups["cards"] = tuple(Thing(NAMES[card]) for card in state.options.every)
        for giver, taker in gifts:
            start.append(self._gift(giver, taker))
        if not course.demands and not is_over(state) and self.writer in (0, self.seat):
            start += self._turn()
        if not self.writer:
            start += self._table()
        if not start:
            return WordForm()
        self.groups.setdefault("cards", tuple(Thing(NAMES[card]) for card in state.options.every))
        return WordForm(self.nodes | {"start": tuple(start)}, self.groups, tuple(self.ends))

    def _group_board(self) -> None:
        """Make the groups of what lies on the board: places, minions, the own ones, and the other seats.

        It also sets ``targets``, the places as things to attack, and ``held``, the name of the group of the hand's
        cards: ``hand``, or ``cards`` (every card in play) if the hand has cards that are not known.
        """
        state, seat = self.state, self.seat
        drawn = sorted({*state.cards, *state.men, *wasteland(state)})
        self.groups["places"] = tuple(Thing(place_name(place), f"space {place_name(place)}") for place in drawn)
        minions = [
            (code, Thing(ref_name(name_for(men, place, code), seat), f"minion {place_name(place)} {number}"))
            for place, men in sorted(state.men.items())
            for number, code in enumerate(men)
        ]
        self.groups["points"] = tuple(Thing(point, label=said) for point, said in _POINTING.items())
        self.groups["sizes"] = tuple(Thing(size, label=f"a {name} minion on…") for size, name in _LARGE.items())
        self.groups["minions"] = tuple(thing for _, thing in minions)
        self.groups["own"] = tuple(thing for code, thing in minions if owner_of(code) == seat)
        # What is attacked: a face-down card that leaves may be shown.
        down = {place for place, stack in state.cards.items() if stack[-1] & DOWN}
        self.targets = tuple(
            Thing(thing.word, thing.item, next_node="shown" if place in down else "")
            for place, thing in zip(drawn, self.groups["places"], strict=True)
        )
        self.groups["seats"] = tuple(
            Thing(f"p{other}", item)
            for other, hand in enumerate(state.hands, 1)
            if other != seat
            for item in [
                *(NAMES[card] for card in hand if not is_slot(card)),
                *([f"unknown p{other}"] if any(map(is_slot, hand)) else [""] * (not hand)),
            ]
        )
        if not self.unseen:
            self.groups["hand"] = tuple(Thing(NAMES[card]) for card in self.hand)
        self.held = "cards" if self.unseen else "hand"

    # --- a turn ---

    def _turn(self) -> Iterator[Branch]:
        """Yield what a turn may begin with: a card of the hand, a minion, a new minion, drawing, discarding, passing.

        The last round is offered only after the discards have been shuffled, and not once it has begun.
        """
        state = self.state
        cards = state.options.every if self.unseen else self.hand
        self.groups["played"] = tuple(Thing(NAMES[card], next_node=self._card(card)) for card in cards)
        yield Branch(group="played")
        yield from self._minions()
        self.nodes["new at"] = (Branch(group="places", after="'", next_node="points"),)
        self._points("points")
        if "users" not in self.groups:
            yield Branch("S@", "New minion", next_node="new at")
        yield from self._drawn("Draw ", 3, "")
        yield Branch("*", "Draw…", next_node=self._list("cards"))
        yield Branch("DiscardHand", "Discard hand")
        yield Branch("DiscardHand^", "Discard, shown", next_node=self._list(self.held))
        yield Branch("Pass", "Pass")
        if state.course.shuffled and not state.course.final:
            yield Branch("Final", "Last round")

    def _minions(self) -> Iterator[Branch]:
        """Yield the branch of the own minions: each turns, or uses the card it is on. Nothing if the seat has none."""
        state, things = self.state, []
        for place, men in sorted(state.men.items()):
            for number, code in enumerate(men):
                if owner_of(code) != self.seat:
                    continue
                ref = ref_name(name_for(men, place, code), self.seat)
                things.append(Thing("", f"minion {place_name(place)} {number}", next_node=f"minion {ref}"))
                turn = Branch(f"{ref}=", "Turn", next_node="turn")
                self.nodes[f"minion {ref}"] = (turn, *self._from_board(place, ref))
        if things:
            self.groups["users"] = tuple(things)
            self._points("turn", "turned")
            self.nodes["turned"] = (Branch("&", group="own", after="=", next_node="turn"),)
            self.ends.append("turned")
            yield Branch(group="users")

    def _from_board(self, place: int, ref: str) -> Iterator[Branch]:
        """Yield the uses of the card under a minion, which the word calls ``ref``.

        ``place`` is the space of the minion; without a card there, nothing is yielded. A face-down card is turned up
        first, by its name if it is known. A face-up one that is not known may be any card.
        """
        stack = self.state.cards.get(place)
        if stack is None:
            return
        code, user = stack[-1] & CODE, f">{ref}"
        down = bool(stack[-1] & DOWN)
        cards = self.state.options.every if is_slot(code) else bytes((code,))
        if down:
            things = tuple(Thing(NAMES[card], next_node=self._named(card, user, True)) for card in cards)
            if is_slot(code):
                self.groups[f"under {ref}"] = things
                self.nodes[f"turn up {ref}"] = (Branch(group=f"under {ref}"),)
                yield Branch("^", "Turn up its card", next_node=f"turn up {ref}")
            else:
                yield Branch(f"^{NAMES[code]}", f"Turn up {NAMES[code]}", next_node=things[0].next_node)
        elif is_slot(code):
            self.groups[f"under {ref}"] = tuple(
                Thing("", NAMES[card], next_node=self._named(card, user, False)) for card in cards
            )
            self.nodes[f"use {ref}"] = (Branch(group=f"under {ref}"),)
            yield Branch("", "Use its card as…", next_node=f"use {ref}")
        else:
            yield Branch("", f"Use {NAMES[code]}, {TITLES[POWER_OF[code]]}", next_node=self._named(code, user, False))

    def _named(self, card: int, user: str, turned: bool) -> str:
        """Return the node after a card on the board: what it is named as, then its user, then what it does.

        The node is made if there is none yet. ``user`` is the text ``>`` with the minion, such as ``>Mn1``; ``turned``
        says whether the card was face down and has been turned up, which alone may be a whole word.
        """
        node = f"{NAMES[card]}{user}{'^' * turned}"
        if node not in self.nodes:
            self.nodes[node] = ()
            self.nodes[node] = tuple(self._names(card, user, turned))
        return node

    def _names(self, card: int, user: str, turned: bool) -> Iterator[Branch]:
        """Yield what a card on the board may be named as; the one it is goes without a tap.

        The Magician is named as one of the four suits, the World and a Doppelganger as another card, any other as
        itself. ``user`` and ``turned`` are those of ``_named``.
        """
        if card == MAGICIAN:
            for suit in range(4):
                yield Branch(
                    f"={SUITS[suit]}{user}", f"as {_SUIT_NAMES[suit]}", next_node=self._does(_SUIT_NAMES[suit])
                )
        elif card in (WORLD, DOPPELGANGER):
            group = f"{NAMES[card]} as{user}"
            self.groups[group] = tuple(
                Thing(thing.word, thing.item, thing.label, self._named(other, user, turned))
                for other, thing in self._copied(card)
            )
            yield Branch("=", group=group)
        else:
            title = TITLES[POWER_OF[card]]
            if turned:
                self.nodes[f"used{user} {title}"] = self.nodes[self._does(title)]
                self.ends.append(f"used{user} {title}")
            yield Branch(user, next_node=f"used{user} {title}" if turned else self._does(title))

    def _copied(self, card: int) -> Iterator[tuple[int, Thing]]:
        """Yield the cards that the World or a Doppelganger may be used as, each with its number and its thing to tap.

        A Doppelganger copies the top discard, or any card if that is not known or there is none. The World copies the
        trumps that lie face up on the board, or any trump below it if one of these cards is not known.
        """
        state = self.state
        if card == DOPPELGANGER:
            top = state.pile[-1:]
            others = bytes(state.options.every) if not top or is_slot(top[0]) else top
            yield from ((other, Thing(NAMES[other])) for other in others if other != DOPPELGANGER)
            return
        tops = [stack[-1] for stack in state.cards.values() if not stack[-1] & DOWN]
        hidden = any(map(is_slot, tops))
        for other in range(TRUMP, WORLD) if hidden else sorted(entry & CODE for entry in tops):
            if is_trump(other) and other != WORLD:
                yield other, Thing(NAMES[other])

    # --- cards of the hand ---

    def _card(self, card: int, suffix: str = "") -> str:
        """Return the node after a card of the hand, or one that a Fool turned up: its names, then any user it needs.

        The nodes are made if there are none yet. ``suffix`` is empty, or marks the nodes inside a Fool's word.
        """
        if is_royal(card) or card == MAGICIAN:
            own = card // 14 if card < TRUMP else -1
            node = f"royal {own}{suffix}"
            if node not in self.nodes:
                self.nodes[node] = tuple(
                    Branch("" if suit == own else f"={SUITS[suit]}", f"as {name}", next_node=self._used(name, suffix))
                    for suit, name in enumerate(_SUIT_NAMES)
                )
            return node
        if card not in (WORLD, DOPPELGANGER):
            return self._used(TITLES[POWER_OF[card]], suffix)
        node = f"{NAMES[card]} as{suffix}"
        if node not in self.nodes:
            self.nodes[node] = (Branch("=", group=node),)
            self.groups[node] = tuple(
                Thing(thing.word, thing.item, thing.label, self._card(other, suffix))
                for other, thing in self._copied(card)
                if suffix == "" or other != TRUMP
            )
        return node

    def _used(self, title: str, suffix: str) -> str:
        """Return the node at which a card of the hand has a power: its user is next if it needs one.

        ``title`` is the power, such as ``strength``. ``suffix`` is empty, or marks the nodes inside a Fool's word,
        where the user may also be a minion that the board does not show yet.
        """
        if title in FREE:
            return self._does(title, suffix)
        node = f"user {title}{suffix}"
        if node not in self.nodes:
            does = self._does(title, suffix)
            self.nodes[node] = (Branch(">", group="own", next_node=does),)
            if suffix:  # The Fool's first card may have changed who stands where.
                self.nodes[f"pointing {title}{suffix}"] = (
                    Branch("'", group="points", next_node=does),
                    Branch("", "whichever way", next_node=does),
                )
                self.nodes[f"place {title}{suffix}"] = (Branch(group="places", next_node=f"pointing {title}{suffix}"),)
                self.nodes[node] += (Branch(">", group="sizes", next_node=f"place {title}{suffix}"),)
        return node

    # --- what a power does ---

    def _does(self, title: str, suffix: str = "") -> str:
        """Return the name of the node of what a power does, which is made if there is none yet.

        ``title`` is the power, such as ``strength``; ``suffix`` is empty, or marks the nodes inside a Fool's word.
        """
        node = f"{title}{suffix}"
        if node not in self.nodes:
            self.nodes[node] = ()
            self.nodes[node] = tuple(self._effect(title, suffix))
        return node

    def _end(self, suffix: str) -> str:
        """Return the node that follows a power: ``""``, the end of the word, or within a Fool's word the next card."""
        return "fool more" if suffix else ""

    def _effect(self, title: str, suffix: str) -> Iterator[Branch]:
        """Yield what may follow the user of a power, such as the places a minion may go to.

        Nothing is yielded for a title that has no effect here. The nodes and groups to which the branches lead are made
        too.
        """
        end = self._end(suffix)
        if title in ("cups", "empress", "holy-grail"):
            yield from self._grown(suffix, end)
        elif title == "strength":
            yield from self._grown(suffix, f"again{suffix}", f" first{suffix}")
            self._twice(f"again{suffix}", tuple(self._grown(suffix, end, f" second{suffix}", "&")), end)
        elif title in ("wands", "hermit", "gateway", "moon"):
            yield Branch(">", group="places", next_node=end)
        elif title == "chariot":
            self._twice(f"step{suffix}", (Branch(">", group="places", next_node=end),), end)
            yield Branch(">", group="places", next_node=f"step{suffix}")
        elif title in ("swords", "emperor", "hierophant", "assassin"):
            yield from self._attacked(suffix, end)
        elif title == "death":
            smaller = tuple(self._attacked(suffix, end, "&"))
            smaller += tuple(
                Branch(f"&:{ref}", f"{ref}, reduced", next_node=end)
                for ref in sorted({self._reduced(thing.word) for thing in self.groups["minions"]} - {""})
            )
            self._twice(f"strike{suffix}", smaller, end)
            yield from self._attacked(suffix, f"strike{suffix}", "", "strike")
        elif title in ("discs", "temperance", "wheel"):
            yield Branch("@", group="places", next_node=self._built(suffix, end))
        elif title == "sun":
            self.nodes[f"sun card{suffix}"] = (
                Branch("=", group=self.held, next_node=end),
                Branch("=~", "an unseen card", next_node=end),
            )
            yield Branch("@", group="places", next_node=f"sun card{suffix}")
        elif title == "lovers":
            self.nodes[f"lovers at{suffix}"] = (Branch(group="places", after="'", next_node=f"points{suffix}"),)
            self._points(f"points{suffix}", end)
            yield Branch("@S", "New minion on…", next_node=f"lovers at{suffix}")
        elif title in ("high-priestess", "star"):
            yield from self._drawn("draw ", 4 if title == "star" else 2, end)
            yield Branch("*", group="cards", next_node=self._listed(f"drawn{suffix}", "cards", end))
            yield Branch("", "draw none", next_node=end)
        elif title == "justice":
            yield Branch(">", group="seats", next_node=end)
        elif title == "judgement":
            known = [card for card in self.state.pile if not is_slot(card)]
            cards = known if len(known) == len(self.state.pile) else self.state.options.every
            self.groups["discards"] = tuple(Thing(NAMES[card]) for card in sorted(cards))
            yield Branch(":", group="discards", next_node=self._listed(f"raised{suffix}", "discards", end))
        elif title in ("hanged-man", "tower", "harvest", "plague"):
            yield self._aimed(suffix, end)
        elif title == "evil-eye":
            yield Branch(":", group="places", next_node=end)
        elif title == "devil":
            self._points(f"devil to{suffix}", f"devil more{suffix}")
            turn = Branch("&", group="minions", after="=", next_node=f"devil to{suffix}")
            self._twice(f"devil more{suffix}", (turn,), end)
            yield turn
        elif title == "miser":
            yield Branch("-", group=self.held, next_node=self._listed(f"thrown{suffix}", self.held, end))
        elif title == "fool":
            yield from self._fool(suffix, end)

    def _twice(self, node: str, branches: tuple[Branch, ...], end: str) -> None:
        """Make a node of what may be done once more.

        Without it comes the end of the word, or inside a Fool's word, where ``end`` is not empty, the next card.
        """
        self.nodes[node] = branches + self._next_flip(end)
        self.ends.append(node)

    def _next_flip(self, end: str) -> tuple[Branch, ...]:
        """Return the branch to the next card of a Fool in a tuple, if the word may go on with one at the end of a part.

        Empty if ``end`` is empty, as outside a Fool's word.
        """
        return (Branch("&*", "Next card of the Fool", next_node="flip"),) if end else ()

    def _grown(self, suffix: str, end: str, which: str = "", joint: str = "") -> Iterator[Branch]:
        """Yield the sizes to which a minion grows, and those of new ones in its space.

        Args:
            suffix: What marks the nodes inside a Fool's word; empty elsewhere.
            end: The node that follows.
            which: What tells the first of two such parts of a word from the second; empty for the only one.
            joint: The text before the part, ``&`` for a second one.
        """
        for size in "ML":
            yield Branch(f"{joint}={size}", f"Grow to {_LARGE[size]}", next_node=end)
        node = f"clone{which or suffix}"
        self._points(node, end)
        for size in SIZES:
            yield Branch(f"{joint}@{size}'", f"New {_LARGE[size]}", next_node=node)

    def _attacked(self, suffix: str, end: str, joint: str = "", kind: str = "") -> Iterator[Branch]:
        """Yield the branch of the minions, and then that of the cards, that may be attacked: ``:`` and one of them.

        The arguments are those of ``_aimed``.
        """
        yield Branch(f"{joint}:", group="minions", next_node=end)
        yield self._aimed(suffix, end, joint, kind)

    def _aimed(self, suffix: str, end: str, joint: str = "", kind: str = "") -> Branch:
        """Return the branch of the places whose card may be hit; one that lies face down is shown as it leaves.

        Args:
            suffix: What marks the nodes inside a Fool's word; empty elsewhere.
            end: The node that follows.
            joint: The text before the part, ``&`` for a second one.
            kind: What tells the first of two attacks of a word from the second; empty for the only one.
        """
        down = [stack[-1] & CODE for stack in self.state.cards.values() if stack[-1] & DOWN]
        if not down:
            return Branch(f"{joint}:", group="places", next_node=end)
        node, group = f"shown {kind}{suffix}", f"targets {kind}{suffix}"
        if group not in self.groups:
            things = self.targets
            self.groups[group] = tuple(Thing(one.word, one.item, next_node=one.next_node and node) for one in things)
            for code in down:
                if not is_slot(code):
                    self.nodes[node] = (
                        *self.nodes.get(node, ()),
                        Branch(f"^{NAMES[code]}", NAMES[code], next_node=end),
                    )
            onward = self.nodes[end] if end else ()
            self.nodes[node] = (*self.nodes.get(node, ()), Branch("^", group="cards", next_node=end), *onward)
            self.ends.append(node)
        return Branch(f"{joint}:", group=group, next_node=end)

    @staticmethod
    def _reduced(ref: str) -> str:
        """Return what a minion is called once it is reduced by one size: ``"Mn1" -> "Sn1"``; empty for a small one."""
        for larger, smaller in (("M", "S"), ("L", "M")):
            if larger in ref:
                return ref.replace(larger, smaller)
        return ""

    def _built(self, suffix: str, end: str) -> str:
        """Return the node of the card laid from the deck: the top one if it is known, one that nobody saw, or any."""
        node = f"built{suffix}"
        if node not in self.nodes:
            top = self.state.deck[:1]
            known = (Branch(f"*{NAMES[top[0]]}", NAMES[top[0]], next_node=end),) if top and not is_slot(top[0]) else ()
            cards = Branch("*", group="cards", next_node=end)
            self.nodes[node] = (*known, Branch("*~", "unseen", next_node=end), cards)
        return node

    def _drawn(self, label: str, most: int, end: str) -> Iterator[Branch]:
        """Yield one branch for each number of cards drawn, from 1 to ``most``.

        The cards are named if all of them are known in the deck, else each is ``~``. ``label`` begins what stands on
        the key: ``"Draw "`` gives ``Draw 2``, or ``Draw 7C KD`` for known cards.
        """
        deck = self.state.deck[:most]
        known = [NAMES[card] for card in deck if not is_slot(card)]
        for count in range(1, most + 1):
            named = known[:count] if len(known) >= count else []
            text = ",".join(named or "~" * count)
            yield Branch(f"*{text}", f"{label}{' '.join(named) or count}", next_node=end)

    def _fool(self, suffix: str, end: str) -> Iterator[Branch]:
        """Yield the one branch of the card that a Fool turns up.

        Each card leads to what it is used for, after which the Fool may turn up a next one; a card without use, and one
        that nobody saw, may be followed by the next at once. ``suffix`` and ``end`` do not matter.
        """
        flip = "flip"
        if flip not in self.nodes:
            self.nodes[flip] = ()
            self.nodes["fool more"] = (Branch("&*", "Next card of the Fool", next_node=flip),)
            self.ends.append("fool more")
            inside = " in a Fool"
            things = []
            for card in self.state.options.every:
                node = self._card(card, inside)
                if node not in self.ends:  # A card without use stands bare.
                    self.nodes[node] += (Branch("&*", "No use; next card", next_node=flip),)
                    self.ends.append(node)
                things.append(Thing(NAMES[card], next_node=node))
            self.groups["flips"] = tuple(things)
            self.nodes["flip unseen"] = (Branch("&*", "next card", next_node=flip),)
            self.ends.append("flip unseen")
            self.nodes[flip] = (Branch(group="flips"), Branch("~", "an unseen card", next_node="flip unseen"))
        yield Branch("*", "turn up a card", next_node=flip)

    def _points(self, node: str, then: str = "") -> None:
        """Make the node ``node`` of the five ways a minion may point; ``then`` is the next node, empty for the end."""
        self.nodes[node] = (Branch(group="points", next_node=then),)

    def _list(self, group: str) -> str:
        """Return a node of cards of a group, the first of a list that may be as long as one likes.

        The cards are joined by commas; one that nobody saw is ``~``. The word may end after any card.
        """
        node = f"first of {group}"
        self.nodes[node] = (
            Branch(group=group, next_node=self._listed(f"list of {group}", group, "")),
            Branch("~", "an unseen card", next_node=f"list of {group}"),
        )
        return node

    def _listed(self, node: str, group: str, end: str) -> str:
        """Make the node ``node`` of one more card of a list, at which the word may also end, and return its name.

        ``end`` is not empty inside a Fool's word, where the next card of the Fool may follow too.
        """
        more = (Branch(",", group=group, next_node=node), Branch(",~", "an unseen card", next_node=node))
        self.nodes[node] = more + self._next_flip(end)
        self.ends.append(node)
        return node

    # --- others than the seat in turn ---

    def _gift(self, giver: int, taker: int) -> Branch:
        """Return the branch of what an Emperor has demanded: two cards, or the only one, from giver to taker."""
        prefix = "" if giver == self.seat else f"p{giver}/"
        hand = self.state.hands[giver - 1]
        cards = self.state.options.every if any(map(is_slot, hand)) else sorted(hand)
        self.groups[f"of p{giver}"] = tuple(Thing(NAMES[card]) for card in cards)
        end = Branch(f">p{taker}", f"give to p{taker}")
        self.nodes[f"gift {giver}"] = (
            Branch(group=f"of p{giver}", next_node=f"gift 2 {giver}"),
            Branch(f"~>p{taker}", "1 unseen"),
            Branch(f"~,~>p{taker}", "2 unseen"),
        )
        self.nodes[f"gift 2 {giver}"] = (
            Branch(",", group=f"of p{giver}", after=f">p{taker}"),
            Branch(f",~>p{taker}", "and one unseen"),
            end,
        )
        return Branch(prefix, f"p{giver} gives p{taker}…", next_node=f"gift {giver}")

    def _table(self) -> Iterator[Branch]:
        """Yield what the table, seat 0, names: cards dealt, a deck, and face-down cards that are turned up at the end.

        Only what is due now is yielded.
        """
        course = self.state.course
        deal = []
        if course.opening & 1:
            deal.append(Branch("p0/b*", "The nine cards…", next_node=self._list("cards")))
        deal += [
            Branch(f"p0/p{seat}*", f"Dealt to p{seat}…", next_node=self._list("cards"))
            for seat in range(1, self.state.options.seats + 1)
            if course.opening & 1 << seat
        ]
        if course.opening & 64 or course.deck_due:
            deal.append(Branch("p0/*", "The deck…", next_node=self._list("cards")))
        if len(deal) > _MOST_OF_A_DEAL:
            self.nodes["deal"] = tuple(deal)
            deal = [Branch("", "The deal…", next_node="deal")]
        yield from deal
        down = [place for place, stack in sorted(self.state.cards.items()) if any(entry & DOWN for entry in stack)]
        if is_over(self.state) and down:
            things = tuple(Thing(place_name(place), f"space {place_name(place)}") for place in down)
            self.groups["face down"] = things
            self.nodes["turn up"] = (Branch(group="face down", after="=", next_node="turn up card"),)
            self.nodes["turn up card"] = (Branch(group="cards", next_node="turn up more"),)
            self.nodes["turn up more"] = (Branch("&", group="face down", after="=", next_node="turn up card"),)
            self.ends.append("turn up more")
            yield Branch("p0/^", "Turn up…", next_node="turn up")
