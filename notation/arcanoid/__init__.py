"""Arcanoid as a game: its rules and its words put together; its tags, and where cards nobody saw may be."""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from cartulary.engine import Sheet
from cartulary.engine.arcanoid import HIDDEN_CARDS, OPTIONS, PLACE, RULES, SEATS, TURNS, VARIANTS, Start, State, score
from cartulary.engine.arcanoid.cards import NAMES, names_of
from cartulary.engine.cards.zones import tell_where
from cartulary.engine.numbers import SEAT, seats_named
from cartulary.notation.arcanoid.form import form, keypad
from cartulary.notation.arcanoid.picture import drawing, picture
from cartulary.notation.arcanoid.words import read, write
from cartulary.notation.card_spellings import CardSpelling
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.contract import About, Game, SheetTags, Touch, Words
from cartulary.notation.guide import guide_beside
from cartulary.notation.score import seat_points


def whereabouts(state: State) -> tuple[tuple[str, str], ...]:
    """Return (cards, places) for the cards that nobody on record has seen: each group, and where its cards may be.

    Both are texts for people, such as ``with p1`` and ``in the deck``.
    """
    zones = [(f"with p{seat}", side.hand + side.open) for seat, side in enumerate(state.sides, 1)]
    zones = [*zones[: state.options.seats], ("in the deck", state.deck), ("in the discards", state.pile)]
    return tell_where(names_of, (state.slots, zones))


def read_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Start]:
    """Return the sheet of a record, whose tag ``Setup`` may say who begins: ``first=p2``.

    Without the tag, or if it is empty, the sheet says nothing of that.

    Args:
        tags: The tags by name.
        variant: The variant of the game.
        options: The options by name.
        seats: The number of seats, that of the USA (``gaza``) among them.

    Raises:
        NotationError: If ``Setup`` cannot be read, or names a seat that there is not or that of the USA; its key is
            ``record.tag``. If no game has so many seats, any seat is read, and the rules refuse the number.
    """
    text = tags.get("Setup", "").strip()
    if not text:
        return Sheet(variant, options, seats)
    match = re.fullmatch(f"first={SEAT}", text)
    if match is None:
        because = f"found the set-up {text[:24]!r}, expected who begins, such as first=p2"
        raise NotationError(because, key="record.tag", tag="Setup")
    real = seats - ("gaza" in options)
    if int(match[1]) > real and real in range(min(SEATS), max(SEATS)):
        raise NotationError(
            f"found p{match[1]} as the seat that begins, expected {seats_named(real)}", key="record.tag", tag="Setup"
        )
    return Sheet(variant, options, seats, Start(int(match[1])))


def write_sheet(sheet: Sheet[Start]) -> dict[str, str]:
    """Return the tag Setup of a sheet as ``{"Setup": "first=p2"}``; empty if it does not say who begins."""
    return {} if sheet.own is None else {"Setup": f"first=p{sheet.own.first}"}


GAME = Game(
    about=About(
        key="arcanoid",
        title="Arcanoid",
        edition="arcanoid-2026",
        seats=SEATS,
        says="four battles a round, fought with the 78 tarot cards, whose trumps bend the rules.",
        variants=VARIANTS,
        usual=False,
        options=OPTIONS,
        load_guide=guide_beside(__file__, NAMES),
    ),
    rules=RULES,
    words=Words(
        read=read,
        write=write,
        picture=picture,
        drawing=drawing,
        touch=Touch(keypad=keypad, form=form),
        whole=True,
        spellings=CardSpelling("123456789XJNQK", "SWCD", last_trump=21).words,
    ),
    turns=TURNS,
    sheet=SheetTags(names=("Setup",), read=read_sheet, write=write_sheet),
    points=seat_points(score, "the fields won are"),
    hidden=replace(HIDDEN_CARDS, whereabouts=whereabouts),
    place=PLACE,
)
