"""The duel as a game: its words, Deck tags, points and picture put together with its rules.

Cards of one word are written suit by suit, D S C W, each from 1 to K, then T01 to T22, unknown ones at the end; decks,
put-backs and rows are left as they lie. With two seats the opponent is not named.
Laxer than the standard: commas between cards may be left out, cards that have no order may stand in any, and so may
those of a Deck tag; an opponent named where there is but one is read, and so is a prefix of the seat in turn.
"""

import re
from collections.abc import Mapping
from math import inf

from cartulary.engine import Sheet
from cartulary.engine.slots import codes_of, exactly
from cartulary.engine.tarot_duel import HIDDEN_CARDS, PLACE, RULES, SEATS, TURNS, State
from cartulary.engine.tarot_duel.cards import KINDS, NAMES, DeckTags, name_of, unnamed_decks
from cartulary.notation.card_spellings import CardSpelling
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.contract import About, Game, SheetTags, Words
from cartulary.notation.guide import guide_beside
from cartulary.notation.score import Bounds, seat_points
from cartulary.notation.tarot_duel.picture import drawing, picture
from cartulary.notation.tarot_duel.tapping import TOUCH
from cartulary.notation.tarot_duel.words import prefixed, read, write

MOST_CARDS = 1000
_COUNT = re.compile("[1-9][0-9]{0,3}")
_CODES = codes_of(NAMES)
_SHORT = 24
OWN_TAGS = (*(f"Deck{seat}" for seat in range(1, max(SEATS) + 1)), "PointTotal")
"""Deck1 to the last seat's, and PointTotal."""


def read_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[DeckTags]:
    """Return the sheet from which the rules set up the game, with the decks of the tags Deck1, Deck2 … and PointTotal.

    A deck without a tag is forty unknown cards. Whether the decks are possible is left to the rules.

    Raises:
        NotationError: If a tag cannot be read, or names a deck of no seat; its key is ``record.tag``.
    """
    own = [name for name in tags if re.fullmatch(r"Deck[0-9]+", name)]
    beyond = next((name for name in own if not 1 <= int(name[4:][:4]) <= seats or name[4] == "0"), None)
    if beyond is not None and seats in SEATS:
        raise NotationError(
            f"found the tag {beyond[:_SHORT]}, expected Deck1 to Deck{seats}", key="record.tag", tag=beyond
        )
    if not own and "PointTotal" not in tags:
        return Sheet(variant, options, seats)
    unnamed = unnamed_decks(seats).decks
    decks = tuple(
        _deck(f"Deck{seat}", tags[f"Deck{seat}"]) if f"Deck{seat}" in tags else unnamed[seat - 1]
        for seat in range(1, seats + 1)
    )
    return Sheet(variant, options, seats, DeckTags(decks, _total(tags.get("PointTotal"))))


def _deck(tag: str, text: str) -> bytes:
    """Return the cards of a deck by number: ``7Cx3 KD ~x36`` names them, some of them several times.

    Raises:
        NotationError: If the text of the tag names anything but cards, or more than ``MOST_CARDS``.
    """
    cards = bytearray()
    for word in text.split():
        if word in _CODES:
            cards.append(_CODES[word])
        else:
            name, times, count = word.partition("x")
            if name not in _CODES or (times and not _COUNT.fullmatch(count)):
                because = (
                    f"found {word[:_SHORT]!r} in {tag}, expected a card such as 7C, KD or T05, or several, such as 7Cx3"
                )
                raise NotationError(f"{because}, or ~x40", key="record.tag", tag=tag)
            cards += bytes((_CODES[name],)) * int(count or 1)
        if len(cards) > MOST_CARDS:
            raise NotationError(
                f"found too many cards in {tag}, expected at most {MOST_CARDS}", key="record.tag", tag=tag
            )
    return bytes(sorted(cards))


def _total(text: str | None) -> int:
    """Return the number of points that wins, 0 if no tag says so.

    Raises:
        NotationError: If the tag holds no whole number from 1 to 999999.
    """
    if text is None:
        return 0
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text.strip()):
        because = f"found the point total {text[:_SHORT]!r}, expected a whole number from 1"
        raise NotationError(because, key="record.tag", tag="PointTotal")
    return int(text)


def write_sheet(sheet: Sheet[DeckTags]) -> dict[str, str]:
    """Return the tags Deck1, Deck2 … and PointTotal of a sheet, cards in order and unknown ones last.

    Empty if the sheet has none; PointTotal is left out if no total is stated.
    """
    if sheet.own is None:
        return {}
    tags = {f"Deck{seat}": _written(deck) for seat, deck in enumerate(sheet.own.decks, 1)}
    return tags | ({"PointTotal": str(sheet.own.total)} if sheet.own.total else {})


def _written(deck: bytes) -> str:
    """Return a deck as its tag has it, in the order of its cards: ``7Cx3 KD ~x36``."""
    words = []
    for card in sorted(set(deck)):
        count = deck.count(card)
        name = NAMES[card] if card < KINDS else name_of(card)
        words.append(name if count == 1 else f"{name}x{count}")
    return " ".join(words)


def bounds(state: State) -> Bounds:
    """Return for each area (the least, the most) it may come to, in seat order.

    The least is what is known; unknown cards set no upper bound, and the most is then infinite.
    """
    exact = (exactly(state.unseen.slots, side.area + side.row) for side in state.sides)
    return [(side.points, side.points if known else inf) for side, known in zip(state.sides, exact, strict=True)]


GAME = Game(
    about=About(
        key="tarot-duel",
        title="Tarot duel",
        edition="tarot-duel-2026",
        seats=SEATS,
        says="two seats or more, each with a deck of its own; cards are drawn, laid, challenged for, and answered.",
        load_guide=guide_beside(__file__, NAMES),
    ),
    rules=RULES,
    words=Words(
        read=read,
        write=write,
        picture=picture,
        drawing=drawing,
        needs_prefix=prefixed,
        spellings=CardSpelling("123456789XJNQK", "SWCD", last_trump=22).words,
        touch=TOUCH,
    ),
    turns=TURNS,
    sheet=SheetTags(names=OWN_TAGS, read=read_sheet, write=write_sheet),
    points=seat_points(lambda state: (side.points for side in state.sides), "the areas come to", bounds),
    hidden=HIDDEN_CARDS,
    place=PLACE,
)
