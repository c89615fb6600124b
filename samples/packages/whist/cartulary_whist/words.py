"""The words of whist: hands dealt, the card turned up, cards played; the tags Dealer and Score; the table drawn."""

import re
from collections.abc import Mapping

from cartulary.engine import Sheet
from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.hands import cards_left
from cartulary.notation import NotationError, Points, SheetTags, Words
from cartulary.notation.card_spellings import CardSpelling
from cartulary.notation.cgn.signs import Misread, read_cards
from cartulary.notation.picture import Picture, Row, Span

from .rules import DECK, Move, State, on_table, outcome, score, sides, view

CODES = {"~": -1} | {name: card for card, name in enumerate(DECK.names)}

SPELLING = CardSpelling("23456789XJQKA", "CDHS")
"""``10s`` or ``♠10`` typed at a table is XS."""


def read(signs: str, seat: int, state: State) -> Move:
    """Return what a word says. Laxer than the standard: cards dealt in any order, with commas between them or none."""
    head = re.match(r"p([1-4])\*|\^", signs) if seat == 0 else None
    if not seat and not head:
        raise Misread(signs, 0, "a hand dealt, p2*4C,5C and so on, or the card turned up, ^XH")
    dealt = head is not None and head[1]
    cards = read_cards(signs, head.end() if head else 0, CODES, "a card such as XH", "a card")
    if (len(cards) > 1 and not dealt) or signs == "^~":
        raise Misread(signs, len(signs) - 1, "one card, which all have seen")
    return Move(seat, tuple(sorted(cards, key=lambda card: card % 99)), int(dealt or 0))


def write(move: Move, state: State, after: State | None) -> str:
    """Return the word of a move, without its seat."""
    cards = ",".join(DECK.names[card] if card >= 0 else "~" for card in move.cards)
    return cards if move.seat else f"p{move.to}*{cards}" if move.to else f"^{cards}"


def came_of(before: State, move: Move, now: State) -> str:
    """Return who has taken the trick, and how many each side has now."""
    return f"p{now.won[-1]} takes it: {sides(now)[0]}–{sides(now)[1]}" if len(now.won) > len(before.won) else ""


def suit_led(state: State) -> str:
    """Return the suit led to the open trick, empty if it is not known."""
    return "".join(DECK.names[card][-1] for _, card in on_table(state)[:1] if card >= 0)


def picture(state: State, seat: int | None) -> Picture:
    """Return the table as the seat sees it, the bystander for 0: the hands, the trick, the tricks won."""
    seen = state if seat is None else view(state, seat)
    turned = f", {DECK.names[seen.turned]} turned up" if seen.turned >= 0 else ""
    rows: list[Row] = [(Span(f"p{seen.dealer} deals{turned}", "frame"),)]
    for place in range(4):
        held = seen.hands.sure[place] & ~seen.hands.played_cards
        unknown = max(cards_left(seen.hands, place) - held.bit_count(), 0)
        cards = [" ".join(DECK.names[card] for card in cards_of(held & suit)) for suit in DECK.suits if held & suit]
        said = "  ".join([*cards, f"{unknown} unknown"] if unknown else cards) or "-"
        rows.append((Span(f"{' >'[place + 1 in seen.leads]} p{place + 1}  ", "frame"), Span(said, f"p{place + 1}")))
    trick = [Span(f"p{one} {DECK.names[card] if card >= 0 else '~'}  ", f"p{one}") for one, card in on_table(seen)]
    won = Span("won    p1 p3 {}  p2 p4 {}".format(*sides(seen)), "frame")
    return (*rows, (Span("trick  ", "frame"), *trick), (won,))


def read_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[int]:
    """Return the sheet; Dealer names the seat that deals. Raises NotationError (``record.tag``) where it names none."""
    text = tags.get("Dealer")
    if text is not None and not re.fullmatch("p[1-4]", text):
        raise NotationError(f"found the dealer {text[:24]!r}, expected p1 to p4", key="record.tag", tag="Dealer")
    return Sheet(variant, options, seats, int(text[1]) if text else None)


def points(state: State) -> dict[str, str]:
    """Return the tag Score once all tricks are won: the odd tricks of each seat's side."""
    odd, even = sides(state)
    return {"Score": ":".join([str(max(odd - 6, 0)), str(max(even - 6, 0))] * 2)} if outcome(state) else {}


def tag_faults(tags: Mapping[str, str], result: str, state: State, due: str = "") -> tuple[tuple[str, str, str], ...]:
    """Return (tag, key, reason) if the tag Score contradicts the tricks, else nothing."""
    right, stated = due or points(state).get("Score"), tags.get("Score")
    because = f"the Score tag says {stated}, and the tricks on record come to {right}"
    return (("Score", score.key, because),) if right and stated and stated != right else ()


WORDS = Words(
    read, write, picture, came_of=came_of, suit_led=suit_led, spellings=SPELLING.words, common_name=SPELLING.common_name
)
SHEET = SheetTags(("Dealer",), read_sheet, lambda sheet: {"Dealer": f"p{sheet.own}"} if sheet.own else {})
POINTS = Points(("Score",), points, tag_faults)
