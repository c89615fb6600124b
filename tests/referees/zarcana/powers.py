"""Zarcana's powers over cards, and the list of all powers, for the second referee; it shares nothing with the package.

What a power is, is said in ``zarcana.minions``.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from tests.referees.zarcana.board import CARD, CARDS, PLACE, Board, Fault, Laid, around, space_of
from tests.referees.zarcana.minions import (
    Table,
    Use,
    aimed,
    assassin,
    chariot,
    cups,
    death,
    destroy,
    devil,
    emperor,
    empress,
    gateway,
    hermit,
    hierophant,
    lovers,
    read,
    read_attacked,
    strength,
    swords,
    wands,
)

# --- cards laid and taken away ---


def build(table: Table, use: Use, text: str, *, under: bool = False, down: bool = False) -> str:
    """Lay the deck's top card on the target."""
    answer, rest = read(rf"@(?P<place>{PLACE})(?:\*(?P<card>{CARD}))?", text)
    space = buildable(table, use, answer["place"], under)
    if not table.left():
        raise Fault("no-effect", "no card is left")
    card = table.draw([answer["card"] or "~"], public=not down)[0]
    table.lay(space, Laid(card, down))
    return rest


def buildable(table: Board, use: Use, place: str, under: bool) -> tuple[int, int]:
    """Return the space where the user may build."""
    space = aimed(table, use, place)
    if not under and any(table.minions[number].owner != use.seat for number in table.at(space)):
        raise Fault(use.key, "others are there")
    return space


def temperance(table: Table, use: Use, text: str) -> str:
    """Build, under others too."""
    return build(table, use, text, under=True)


def wheel(table: Table, use: Use, text: str) -> str:
    """Build face down."""
    return build(table, use, text, down=True)


def sun(table: Table, use: Use, text: str) -> str:
    """Build with a card of the hand."""
    answer, rest = read(rf"@(?P<place>{PLACE})=(?P<card>{CARD})", text)
    card = table.remove(table.hands[use.seat], answer["card"], "in-hand")
    table.lay(buildable(table, use, answer["place"], False), Laid(card))
    return rest


def hanged_man(table: Table, use: Use, text: str) -> str:
    """Discard the card the user is on."""
    answer, rest = read_attacked(table, text)
    if answer["minion"] or space_of(answer["place"]) != table.minions[use.user].space:
        raise Fault(use.key, "its own space")
    destroy(table, use, space_of(answer["place"]), answer["shown"])
    return rest


def tower(table: Table, use: Use, text: str) -> str:
    """Discard the card of the target."""
    answer, rest = read_attacked(table, text)
    if answer["minion"]:
        raise Fault(use.key, "a card, not a minion")
    destroy(table, use, aimed(table, use, answer["place"]), answer["shown"])
    return rest


def plague(table: Table, use: Use, text: str) -> str:
    """Destroy the minions of the target and discard its card."""
    answer, rest = read_attacked(table, text)
    if answer["minion"]:
        raise Fault(use.key, "a space, not a minion")
    space = aimed(table, use, answer["place"])
    if not table.at(space) and space not in table.stacks:
        raise Fault("no-effect", "nothing is there")
    for number in table.at(space):
        del table.minions[number]
    if space in table.stacks:
        destroy(table, use, space, answer["shown"])
    return rest


def harvest(table: Table, use: Use, text: str) -> str:
    """Take the card of the target."""
    answer, rest = read_attacked(table, text)
    if answer["minion"]:
        raise Fault(use.key, "a card, not a minion")
    space = aimed(table, use, answer["place"])
    if table.at(space):
        raise Fault(use.key, "minions are there")
    if len(table.hands[use.seat]) >= 6:
        raise Fault("hand-limit", "six cards")
    if space not in table.stacks:
        raise Fault("no-effect", "no card is there")
    table.hands[use.seat].append(table.lift(space, answer["shown"]))
    table.sweep()
    return rest


def evil_eye(table: Table, use: Use, text: str) -> str:
    """Make the card of the target worthless."""
    answer, rest = read_attacked(table, text)
    if answer["shown"]:
        raise Fault("wheel", "the card stays where it lies")
    if answer["minion"]:
        raise Fault(use.key, "a card, not a minion")
    space = aimed(table, use, answer["place"])
    laid = table.top(space)
    if laid is None or laid.cursed:
        raise Fault("no-effect", "nothing to look at")
    table.stacks[space][-1] = laid._replace(cursed=True)
    return rest


def moon(table: Table, use: Use, text: str) -> str:
    """Carry the stack and all on it elsewhere."""
    answer, rest = read(rf">(?P<place>{PLACE})", text)
    old, new = table.minions[use.user].space, space_of(answer["place"])
    touched = any(near in table.stacks for near in around(new) if near != old)
    if new in table.stacks or table.at(new) or not touched:
        raise Fault(use.key, f"not to {answer['place']}")
    table.stacks[new] = table.stacks.pop(old)
    for number in table.at(old):
        table.minions[number] = table.minions[number]._replace(space=new)
    table.sweep()
    return rest


# --- hands ---


def drawing(table: Board, use: Use, text: str, count: int, room: int) -> str:
    """Draw exactly so many cards."""
    match = re.match(rf"\*({CARDS})", text)
    named = match[1].split(",") if match else ["~"] * count
    if len(named) > room:
        raise Fault("hand-limit", f"{len(named)} cards")
    if len(named) != count:
        raise Fault(use.key, f"{len(named)} cards, not {count}")
    table.hands[use.seat] += table.draw(named)
    return text[match.end() :] if match else text


def high_priestess(table: Table, use: Use, text: str) -> str:
    """Draw two, and have another turn."""
    if (table.extra and not use.via) or table.run & set(use.via):
        raise Fault(use.key, "once more in a run")
    table.doubtful = table.doubtful or table.again or len(use.via) > 1
    room = max(0, 6 - len(table.hands[use.seat]))
    rest = drawing(table, use, text, min(2, room, table.left()), room)
    table.run |= set(use.via)
    table.again = True
    return rest


def star(table: Table, use: Use, text: str) -> str:
    """Draw four."""
    if not table.left():
        raise Fault("no-effect", "no card is left")
    return drawing(table, use, text, min(4, table.left()), 99)


def justice(table: Table, use: Use, text: str) -> str:
    """Trade hands."""
    answer, rest = read(r">p(?P<seat>\d)", text)
    other = int(answer["seat"])
    if other == use.seat or other not in table.hands or not (table.hands[other] or table.hands[use.seat]):
        raise Fault(use.key, "with another seat, and a card between them")
    table.hands[use.seat], table.hands[other] = table.hands[other], table.hands[use.seat]
    return rest


def judgement(table: Table, use: Use, text: str) -> str:
    """Take up to three discards."""
    answer, rest = read(rf":(?P<cards>{CARDS})", text)
    cards = answer["cards"].split(",")
    if len(cards) > 3 or any(card not in table.discards for card in cards) or len(set(cards)) < len(cards):
        raise Fault(use.key, "one to three of the discards")
    if len(table.hands[use.seat]) + len(cards) > 6:
        raise Fault("hand-limit", f"{len(cards)} more")
    for card in cards:
        table.discards.remove(card)
    table.hands[use.seat] += cards
    return rest


def miser(table: Table, use: Use, text: str) -> str:
    """Discard some cards; the highest ends on top."""
    answer, rest = read(rf"-(?P<cards>{CARDS})", text)
    if len(answer["cards"].split(",")) > len(table.hands[use.seat]):
        raise Fault(use.key, "more cards than the hand has")
    for card in answer["cards"].split(","):
        table.discards.append(table.remove(table.hands[use.seat], card, "in-hand"))
    return rest


Effect = Callable[[Table, Use, str], str]


class Power(NamedTuple):
    """A power. user: ``free``, or how it must point: ``up``, ``lying``, ``any``; ground: only on a card."""

    key: str
    effect: Effect
    user: str = "any"
    ground: bool = False


POWERS = {
    "C": Power("cups", cups, "up", True),
    "W": Power("wands", wands, "lying"),
    "S": Power("swords", swords),
    "D": Power("discs", build, ground=True),
    "T02": Power("high-priestess", high_priestess, "free"),
    "T03": Power("empress", empress, "up", True),
    "T04": Power("emperor", emperor),
    "T05": Power("hierophant", hierophant),
    "T06": Power("lovers", lovers, "free"),
    "T07": Power("chariot", chariot),
    "T08": Power("strength", strength, "up", True),
    "T09": Power("hermit", hermit, "lying"),
    "T10": Power("wheel", wheel, ground=True),
    "T11": Power("justice", justice, "free"),
    "T12": Power("hanged-man", hanged_man, ground=True),
    "T13": Power("death", death),
    "T14": Power("temperance", temperance, ground=True),
    "T15": Power("devil", devil),
    "T16": Power("tower", tower),
    "T17": Power("star", star, "free"),
    "T18": Power("moon", moon, ground=True),
    "T19": Power("sun", sun, ground=True),
    "T20": Power("judgement", judgement, "free"),
    "E2": Power("gateway", gateway),
    "E3": Power("assassin", assassin),
    "E4": Power("evil-eye", evil_eye),
    "E5": Power("harvest", harvest),
    "E6": Power("miser", miser, "free"),
    "E7": Power("plague", plague),
    "E8": Power("holy-grail", cups),
}
