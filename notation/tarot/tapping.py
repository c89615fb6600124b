"""How words of tarot are tapped: bids and calls, the chien and what is put away, and the cards of a trick."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from msgspec.structs import replace

from cartulary.engine.cards.deck import CARDS, FOOL, SUIT, TRUMPS, cards_of, set_of
from cartulary.engine.numbers import how_many
from cartulary.engine.tarot import BIDS, NAMES, Move, Play, State
from cartulary.engine.tarot.dealing import result_of_draw
from cartulary.engine.tarot.state import POIGNEES
from cartulary.notation.card_faces import FRENCH
from cartulary.notation.card_forms import (
    HAND,
    TRUMP_SIGN,
    CardSteps,
    FormDraft,
    rank_label,
    suit_keys,
    things,
    unseen_cards,
)
from cartulary.notation.contract import CardList, Keypad, SuitKeys, Touch, WordForm
from cartulary.notation.contract import FormBranch as Branch
from cartulary.notation.contract import FormThing as Thing
from cartulary.notation.tarot.picture import in_hand

BID_LABELS = ("Pass", "Prise", "Garde", "Garde sans", "Garde contre")
_RANKS = {"K": "King", "Q": "Queen", "N": "Knight", "J": "Jack"}
_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_ATOUTS = TRUMPS | 1 << FOOL


def path(move: Move, state: State) -> tuple[str, ...]:
    """Return the card that is played, by its id on the drawing, in a tuple of one; empty for other words."""
    return (NAMES[move.card],) if type(move) is Play and move.card >= 0 else ()


# --- keys ---


def _suit_keys() -> Iterator[SuitKeys]:
    """Yield the keys of the trumps with the fool, whose sign is ``★``, and then of each plain suit."""
    trumps = ((NAMES[card], str(card - FOOL) if card != FOOL else "Fool") for card in cards_of(_ATOUTS))
    yield SuitKeys(TRUMP_SIGN, "trumps", tuple(trumps))
    for (letter, sign), cards in zip(FRENCH.items(), SUIT, strict=True):
        yield suit_keys(sign, _SUIT_NAMES[letter], map(NAMES.__getitem__, cards_of(cards)))


_KEYS = tuple(_suit_keys())


def keypad(state: State, seat: int) -> Keypad:
    """Return the keys of the 78 cards, with those played, the suit led, and the words of several cards.

    If the whole hand of a seat is on record there are the keys of its cards alone, which keep the places they had when
    they were dealt. Words of several cards are there only if they may be written now.
    """
    led = "" if state.led_suit < 0 else "CDHST"[state.led_suit]
    open_cards = tuple(map(NAMES.__getitem__, cards_of(state.played_cards)))
    held = _dealt(state, seat)
    if held:
        keys = tuple((NAMES[card], _key_label(card)) for card in cards_of(held))
        return Keypad((SuitKeys(HAND, "the hand", keys),), open_cards, HAND, tuple(_lists(state, seat)))
    return Keypad(_KEYS, open_cards, {**FRENCH, "T": TRUMP_SIGN}.get(led, led), tuple(_lists(state, seat)))


def _dealt(state: State, seat: int) -> int:
    """Return the cards that a seat began the tricks with, or before them has with the chien, as a set of bits.

    Bit n is card n. It is 0 before a card may be played or put away, if not all of the cards are on record, and for
    seat 0.
    """
    if state.phase not in ("discard", "play") or not seat or in_hand(state, seat - 1)[1]:
        return 0
    aside = state.sure[state.options.aside] if state.phase == "discard" else 0
    known = state.phase == "play" or aside.bit_count() == state.options.chien
    return state.sure[seat - 1] | aside if known else 0


def _key_label(card: int) -> str:
    """Return a card, by its number, as it stands on a key of a hand: ``♣7``, ``★5``, ``Fool``."""
    if card >= FOOL:
        return f"{TRUMP_SIGN}{card - FOOL}" if card != FOOL else "Fool"
    return FRENCH[NAMES[card][1]] + rank_label(NAMES[card])


def _lists(state: State, seat: int) -> Iterator[CardList]:
    """Yield the words of several cards that may be written now.

    They are hands and the chien dealt, the chien shown, cards put away, and a poignée.
    """
    options, start = state.options, state.round
    if state.phase == "deal" and not start.bids:
        for to in range(options.seats):
            if not start.counts[to]:
                yield CardList(f"p0/p{to + 1}*", sizes=(options.hand,))
        if not start.counts[options.aside]:
            yield CardList("p0/c*", sizes=(options.chien,))
    if state.phase in ("chien", "discard"):
        if state.phase == "chien":
            yield CardList("p0/^", sizes=(options.chien,), due=True)
        yield CardList(after="-", sizes=(options.chien,), due=state.phase == "discard")
    if _may_show(state, seat):
        yield CardList("Poignee=", sizes=POIGNEES[options.seats])


def _may_show(state: State, seat: int) -> bool:
    """Say whether a seat may show a poignée: in fft, before its first card, once; False in other variants."""
    if state.phase != "play" or state.options.variant != "fft" or state.tricks:
        return False
    return seat not in state.trick_seats and all(seat != shown for shown, _ in state.round.poignees)


# --- words ---


class _Form(FormDraft):
    """Puts the form of a position together from what the viewer sees of it."""

    def __init__(self, state: State, seat: int) -> None:
        super().__init__(seat)
        self.state = state


def form(state: State, seat: int) -> WordForm:
    """Return how the words of a seat are put together in this phase of the deal; seat 0 writes for everybody.

    A seat out of turn has words too: it announces a petit sec or a chelem, or draws for the deal. No card can be named
    twice in one word.
    """
    made = _Form(state, seat)
    _PHASES[state.phase](made)
    return replace(made.form(), once=True)


def task(state: State, seat: int) -> str:
    """Return what is to be tapped next, in one line: ``p2 to bid``, ``Tap the 6 cards of the chien``.

    Args:
        state: The position, as the writer sees it.
        seat: The seat that writes, 0 for who writes for all.
    """
    count, turn = state.options.chien, state.turn
    if state.phase == "deal" and state.round.shows and state.round.last < 0:
        waiting, _ = result_of_draw(state.options, state.round.shows)
        return f"p{min(waiting)} to draw for the deal" if waiting else ""
    if state.phase == "chien" and not seat:
        return f"Tap the {how_many(count, 'card')} of the chien"
    return (
        {
            "deal": f"p{turn} to bid",
            "bid": f"p{turn} to bid",
            "call": f"p{turn} to call a card",
            "chien": f"p{turn} to put {how_many(count, 'card')} away",
            "discard": f"p{turn} to put {how_many(count, 'card')} away",
            "play": f"p{turn} to play",
        }.get(state.phase, "")
        if turn
        else ""
    )


def _deal(made: _Form) -> None:
    """Add what is said before anybody has bid: the draw for the deal, the cards dealt, and then what a bidder says.

    Once the draw has begun and is not over, it alone is added.
    """
    state = made.state
    start, options = state.round, state.options
    waiting, _ = result_of_draw(options, start.shows)
    made.groups["cards"] = things(NAMES)
    made.nodes["one card"] = (Branch(group="cards"),)
    if start.first and start.last < 0 and waiting:
        drawing = [one for one in sorted(waiting) if made.writes(one)]
        if start.shows:
            made.start += (Branch(f"p{one}/^", group="cards") for one in drawing[:1])
            made.start += (Branch(f"p{one}/^", f"p{one} draws…", next_node="one card") for one in drawing[1:])
            return
        made.rare += (Branch(f"p{one}/^", f"p{one} draws for the deal…", next_node="one card") for one in drawing)
    _bidding(made)
    if made.writes(0):
        _dealing(made)


def _dealing(made: _Form) -> None:
    """Add the cards that are dealt: packets if that is how the deal is written, else whole hands or a first packet.

    Seats that have their cards are left out.
    """
    start, options = made.state.round, made.state.options
    packets = start.whole is False
    sizes = (options.packet,) if start.whole is None else ()
    size = options.packet if packets else options.hand
    for to, count in enumerate(start.counts[: options.seats], 1):
        if not count or (packets and count < options.hand):
            hand = CardSteps("hand", size, "cards", ends=() if packets else sizes, title="Cards dealt")
            made.list_cards(hand, f"p0/p{to}*", f"p{to} gets…" if packets else f"p{to}'s hand…", rare=not packets)
    if packets and start.counts[options.aside] < options.chien:
        made.start.append(Branch("p0/c*", "The chien gets…", next_node="one card"))
    elif not start.counts[options.aside]:
        chien = CardSteps("dealt", options.chien, "cards", ends=(1,) if sizes else (), title="Chien")
        made.list_cards(chien, "p0/c*", "The chien…", rare=True)


def _bidding(made: _Form) -> None:
    """Add the bids of the seat in turn, and what ends the deal before it is played: a petit sec, Maldonne.

    In dementlieu bids may have stakes. Only words of those seats are added that this form writes.
    """
    state = made.state
    callers = {bid.seat for bid in state.round.bids}
    if made.writes(state.turn):
        made.start += (Branch(bid, label) for bid, label in zip(BIDS, BID_LABELS, strict=True))
        if state.options.variant == "dementlieu":
            made.start += (
                Branch(f"{bid}=", f"{label} for…", next_node="stake")
                for bid, label in zip(BIDS[1:], BID_LABELS[1:], strict=True)
            )
            digits = tuple(map(Thing, "123456789"))
            made.groups |= {"stakes": digits, "digits": (Thing("0"), *digits)}
            made.nodes |= {
                "stake": (
                    Branch(group="stakes"),
                    Branch("", "10 or more…", next_node="long stake"),
                    Branch("~", "not known"),
                ),
                "long stake": (Branch(group="stakes", next_node="digits"),),
                "digits": (Branch(group="digits", next_node="digits"),),
            }
            made.ends.append("digits")
    for seat in range(1, state.options.seats + 1):
        if seat not in callers and made.writes(seat):
            made.rare.append(Branch(f"p{seat}/PetitSec", f"p{seat}: petit sec"))
    if made.writes(0):
        made.rare.append(Branch("Maldonne", "Maldonne: deal again"))


def _call(made: _Form) -> None:
    """Add the court cards that a taker of five seats may call, the kings first, the others after one tap more.

    Nothing is added if the taker's words are not written here.
    """
    if made.writes(made.state.turn):
        made.start += (_called("K", suit) for suit in _SUIT_NAMES)
        made.start.append(Branch("", "A lower card…", next_node="lower"))
        made.nodes["lower"] = tuple(_called(rank, suit) for rank in "QNJ" for suit in _SUIT_NAMES)


def _called(rank: str, suit: str) -> Branch:
    """Return the key of a court card that is called, by rank and suit: ``K``, ``H`` is ``Call=KH``, King of hearts."""
    return Branch(f"Call={rank}{suit}", f"{_RANKS[rank]} of {_SUIT_NAMES[suit]}")


def _after_bids(made: _Form) -> None:
    """Add what the chien shows, by the table, and what the taker puts away; both may be unseen."""
    state, count = made.state, made.state.options.chien
    shows = state.phase == "chien" and made.writes(0)
    aside, (own, hidden) = state.sure[state.options.aside], in_hand(state, state.turn - 1)
    anywhere = set_of(CARDS) & ~_in_hands(state)
    made.groups["cards"] = things(_names(anywhere))
    known = not hidden and aside.bit_count() == count
    made.groups["own"] = things(_names(own | (aside if known else anywhere)))
    if shows:
        made.start.append(Branch("p0/^", group="cards", next_node="chien 1"))
        chien = CardSteps("chien", count, "cards", title="Chien")
        made.nodes |= chien.nodes()
        made.titles |= chien.titles()
    if made.writes(state.turn):
        away = CardSteps("away", count, "own", after="-", title="Put away")
        made.nodes |= away.nodes()
        made.titles |= away.titles()
        if not shows:
            made.start.append(Branch(group="own", next_node="away 1"))
        made.start.append(Branch(f"{unseen_cards(count)}-", f"{count} put away unseen"))
        if shows:
            made.start.append(Branch("", "Put away by name…", next_node="away 0"))
    if shows:
        made.start.append(Branch(f"p0/^{unseen_cards(count)}", "Chien not seen"))


def _play(made: _Form) -> None:
    """Add the cards of the seat in turn, and what is announced before the first one: a chelem, a poignée."""
    state = made.state
    turn, start, options = state.turn, state.round, state.options
    fft, own = options.variant == "fft", _possible(state, turn - 1) if turn else 0
    if turn and made.writes(turn):
        made.groups["own"] = things(_names(own))
        made.start.append(Branch(group="own"))
        _, hidden = in_hand(state, turn - 1)
        if hidden:
            made.start.append(Branch("~", "A card nobody saw"))
    if not fft or state.tricks:
        return
    if not state.trick_seats and not start.chelem and made.writes(start.taker):
        made.start.append(Branch("Chelem" if start.taker == turn else f"p{start.taker}/Chelem", "Chelem"))
    sizes = POIGNEES[options.seats]
    trumps = own & _ATOUTS
    if made.writes(turn) and _may_show(state, turn) and trumps.bit_count() >= sizes[0]:
        made.groups["trumps"] = things(_names(trumps))
        made.list_cards(
            CardSteps("poignée", sizes[-1], "trumps", unseen=False, ends=sizes, title="Poignée"), "Poignee=", "Poignée…"
        )


def _possible(state: State, place: int) -> int:
    """Return the cards that a seat may have in its hand as a set of bits; ``place`` is the seat counted from 0.

    They are its own if all are on record, else also all that nobody has played and that are not known to lie elsewhere.
    """
    own, hidden = in_hand(state, place)
    if not hidden:
        return own
    return own | set_of(CARDS) & ~state.played_cards & ~state.sure[state.options.aside] & ~_in_hands(state)


def _in_hands(state: State) -> int:
    """Return the cards that are known to be in any hand as a set of bits: bit n is card n."""
    return reduce(or_, (in_hand(state, place)[0] for place in range(state.options.seats)))


def _names(cards: int) -> Iterable[str]:
    """Return the names of a set of cards, given as bits, in the order of their numbers."""
    return map(NAMES.__getitem__, cards_of(cards))


_PHASES = {
    "deal": _deal,
    "bid": _bidding,
    "call": _call,
    "chien": _after_bids,
    "discard": _after_bids,
    "play": _play,
}
TOUCH = Touch(path=path, keypad=keypad, form=form, out_of_turn=True, task=task, unit="trick")
