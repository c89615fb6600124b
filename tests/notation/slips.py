"""Slips of a scribe, planted in sheets: what tests and benchmarks restore."""

from collections.abc import Sequence
from random import Random

from cartulary.engine import Refused
from cartulary.notation import AnyGame, Record, read_heading, steps
from cartulary.notation.restore.evidence import LEFT_OUT, MISREAD, SIGNS, SWAPPED, TWICE

KINDS = (MISREAD, SIGNS, LEFT_OUT, TWICE, SWAPPED)


def listed(record: Record) -> tuple[tuple[str, ...], list[int]]:
    """Return the words of a legal record in their one spelling, and which, from 0, are moves that the rules list."""
    heading = read_heading(record)
    assert heading.game is not None
    assert heading.sheet is not None
    game, words, found = heading.game, list[str](), list[int]()
    start = game.rules.setup(heading.sheet)
    assert not isinstance(start, Refused)
    for step in steps(game, start, record.line.words, heading.sheet.seats):
        words.append(step.text)
        if step.move in list(game.rules.candidates(step.state)):
            found.append(step.ply - 1)
    return tuple(words), found


Slip = tuple[int, str, tuple[str, ...]]
"""The word it is on, from 0, its kind, and what stands there instead: two words swapped are one slip on the first."""


def slipped(random: Random, game: AnyGame, words: Sequence[str], where: Sequence[int], slips: int) -> list[Slip]:
    """Return so many slips of random kinds, each in words of its own. where: the words that may have one"""
    taken = set[int]()
    alphabet = sorted(set("".join(game.words.bare(words[at]) for at in where)))
    chosen: list[Slip] = []
    while len(chosen) < slips:
        at, kind = random.choice(where), random.choice(KINDS)
        touched = {at, at + 1} if kind == SWAPPED else {at}
        fits = kind != SWAPPED or (at + 1 in where and words[at] != words[at + 1])
        if fits and taken.isdisjoint(touched):
            taken |= touched
            chosen.append((at, kind, _instead(random, game.words.bare(words[at]), words[at : at + 2], kind, alphabet)))
    return sorted(chosen)


def written(words: Sequence[str], slips: Sequence[Slip]) -> tuple[str, ...]:
    """Return words with slips in them."""
    sheet = list(words)
    for at, kind, instead in sorted(slips, reverse=True):
        sheet[at : at + (2 if kind == SWAPPED else 1)] = instead
    return tuple(sheet)


def _instead(random: Random, signs: str, here: Sequence[str], kind: str, alphabet: Sequence[str]) -> tuple[str, ...]:
    """Return what a slip makes of a word. signs: the word without what need not be written; here: it and the next"""
    if kind == LEFT_OUT:
        return ()
    if kind == TWICE:
        return here[0], here[0]
    if kind == SWAPPED:
        return here[1], here[0]
    turned = [at for at in range(len(signs) - 1) if signs[at] != signs[at + 1]]
    if kind == SIGNS and turned:
        at = random.choice(turned)
        return (signs[:at] + signs[at + 1] + signs[at] + signs[at + 2 :],)
    at = random.randrange(len(signs))
    other = random.choice([each for each in alphabet if each != signs[at]])
    return (signs[:at] + other + signs[at + 1 :],)
