"""A sheet as evidence of a game: how a move may stand in it, and how many slips of the scribe that is.

A place in a sheet is a number: twice the words before it, and one more between two words written in each other's place.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from cartulary.engine import Refused
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.parts import always_possible
from cartulary.notation.arbiter.boards import NO_BOARDS, StatedBoards, start_of, stated_boards
from cartulary.notation.arbiter.gap_play import written_like
from cartulary.notation.arbiter.heading import Heading, read_heading
from cartulary.notation.arbiter.replay import CALLS, read_word, step_of
from cartulary.notation.cgn.commands import commands_in
from cartulary.notation.cgn.record import MISSING_WORD, NotationError, Record
from cartulary.notation.cgn.signs import PREFIX
from cartulary.notation.contract import AnyGame

GAP, MISREAD, SIGNS, LEFT_OUT, TWICE, SWAPPED = "gap", "misread", "signs", "left-out", "twice", "swapped"
MENDING = (MISREAD, SIGNS, TWICE)
"""The slips that explain a word that can never be legal, because it is then no word of the game."""
WINDOW = 200
"""The number of words ahead that are asked whether they may still be legal."""


Option: TypeAlias = tuple[int, int, str]
"""The place after a move, the number of slips, and their kind."""


class SheetEvidence(Struct, frozen=True):
    """What a sheet says was played: its words, and the boards stated in its comments.

    Attributes:
        words: The words as written.
        irregular_plies: The plies, from 1, that are marked as irregular and stay as they are.
        boards: The stated boards.
    """

    words: tuple[str, ...]
    irregular_plies: frozenset[int] = frozenset()
    boards: StatedBoards = NO_BOARDS


def evidence_of(record: Record, heading: Heading) -> SheetEvidence:
    """Return what a sheet says was played: its words, the plies marked ``[%irregular]``, and its stated boards.

    Move numbers and the result are not looked at.
    """
    fixed = (
        ply
        for ply, note in record.line.notes.items()
        if any(command.name == "irregular" for comment in note.comments for command in commands_in(comment))
    )
    return SheetEvidence(record.line.words, frozenset(fixed), stated_boards(record, heading))


def slip_between(sheet_word: str, game_word: str) -> str:
    """Return the one slip by which a word of the game became that of the sheet: MISREAD, SIGNS, or empty.

    ``8Cb1`` for ``9Cb1`` is a character misread, ``9Cb1`` for ``9bC1`` two neighbours swapped. It is empty if more than
    that or the length differs; equal words count as MISREAD.
    """
    if len(sheet_word) != len(game_word):
        return ""
    apart = [at for at, (sign, other) in enumerate(zip(sheet_word, game_word, strict=True)) if sign != other]
    if len(apart) < 2:
        return MISREAD
    first, last = apart[0], apart[-1]
    turned = sheet_word[first : last + 1] == game_word[first : last + 1][::-1]
    return SIGNS if len(apart) == 2 and last == first + 1 and turned else ""


def illegible(record: Record) -> tuple[tuple[int, str], ...]:
    """Return (ply, word) for each word that could not be spelled so in the first position, whatever was played.

    Plies count from 1. Empty if the game cannot be set up, because then nothing can be read.
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        return ()
    start = start_of(record, heading)
    if isinstance(start, Refused):
        return ()
    game, state, seats = heading.game, start.state, heading.sheet.seats
    return tuple((ply, word) for ply, word in enumerate(record.line.words, 1) if not _legible(game, state, word, seats))


def _legible(game: AnyGame, start: Any, word: str, seats: int) -> bool:
    """Say whether a word can be read in a state, whether or not it is legal there; only a fault of spelling counts."""
    step = step_of(game, start, word, seats, NO_CALLS, 1)
    return step.error is None or step.error.key != "cgn.syntax"


class SheetWords:
    """The words of a sheet, each with what it can stand for."""

    def __init__(self, game: AnyGame, start: Any, evidence: SheetEvidence, seats: int, alone: bool = True) -> None:
        """Read each word in the state before the first one; ``alone`` if no other sheet may go on after its end."""
        self.words, self.irregular_plies, self.boards = evidence.words, evidence.irregular_plies, evidence.boards
        self.end = 2 * len(self.words)
        self.alone = alone
        own_prefixes, called = game.words.whole, game.turns.calls
        signs = (word if own_prefixes else PREFIX.sub("", word, count=1) for word in self.words)
        self.signs = tuple(map(game.words.bare, signs))
        self.calls = tuple(word in CALLS and CALLS[word][1] in called for word in self.words)
        self.gaps = tuple(_gap(game, start, word, seats) for word in self.words)
        self._slips: tuple[dict[str, str], ...] = tuple({} for _ in self.words)

    def is_gap(self, place: int) -> bool:
        """Say whether a word stands at a place and is one that nobody wrote, or could read in part only.

        A place is twice the number of words before it, and one more between two words that were swapped.
        """
        return place < self.end and not place & 1 and self.gaps[place >> 1] is not None

    def breaks_off(self, place: int) -> bool:
        """Say whether the sheet ends at a place while another sheet may go on; missing words are then no slips.

        A place is twice the number of words before it.
        """
        return place == self.end and not self.alone

    def exact_at(self, place: int) -> int:
        """Return the index, from 0, of the word at a place, to be read as it stands; -1 for a gap or past the end.

        A place is twice the number of words before it; one more, between two swapped words, is the second of them.
        """
        return -1 if place >= self.end or self.is_gap(place) else place >> 1

    def turned_at(self, place: int) -> int:
        """Return the index, from 0, of the next word, if it and the word at a place may have been swapped; else -1.

        They may not if they are equal, or if one of them stays as it is. A place is twice the number of words before
        it.
        """
        at = place >> 1
        if place & 1 or at + 2 > len(self.words) or self.signs[at] == self.signs[at + 1]:
            return -1
        return -1 if self._fixed(at) or self._fixed(at + 1) else at + 1

    def _fixed(self, at: int) -> bool:
        """Say whether a word, by its index from 0, stays as it is: a call, a gap, or a word marked as irregular."""
        return self.calls[at] or self.gaps[at] is not None or at + 1 in self.irregular_plies

    def options(
        self, place: int, move: Any, text: str, exact: Collection[Any], swaps: Collection[Any]
    ) -> Iterator[Option]:
        """Yield the ways in which the sheet may hold a move at a place: (place after it, slips, kind of slip).

        The kind is empty without a slip.

        Args:
            place: The place: twice the number of words before it, and one more between two swapped words.
            move: The move.
            text: The word of the move without optional marks.
            exact: The moves that the word at the place means as it stands.
            swaps: The moves that the next word means, if the two were swapped.
        """
        at = place >> 1
        if place & 1:
            if move in exact:
                yield 2 * at + 4, 0, ""
            return
        if place < self.end:
            pattern = self.gaps[at]
            if move in exact:
                yield place + 2, 0, ""
                if self._twice(at):
                    yield place + 4, 1, TWICE
            elif pattern is not None:
                if pattern.fullmatch(text):
                    yield place + 2, 0, GAP
            elif not self._fixed(at) and (slip := self._slip(at, text)):
                yield place + 2, 1, slip
            if move in swaps:
                yield place + 1, 1, SWAPPED
        yield (place, 0, "") if self.breaks_off(place) else (place, 1, LEFT_OUT)

    def _twice(self, at: int) -> bool:
        """Say whether word ``at``, from 0, may have been written twice: the next word is equal and may be changed."""
        return at + 1 < len(self.words) and self.signs[at] == self.signs[at + 1] and not self._fixed(at + 1)

    def _slip(self, at: int, text: str) -> str:
        """Return the slip between word ``at``, from 0, and a text, as ``slip_between`` does; answers are remembered."""
        known = self._slips[at]
        slip = known.get(text)
        if slip is None:
            slip = known[text] = slip_between(self.signs[at], text)
        return slip


def _gap(game: AnyGame, start: Any, word: str, seats: int) -> re.Pattern[str] | None:
    """Return a pattern of the words that a gap may be, for ``fullmatch``; None for a word that is no gap.

    ``~`` may be any word, ``9C~`` any that begins with 9C. A word with ``~`` that the game itself can read is no gap.
    """
    if MISSING_WORD not in word:
        return None
    if word == MISSING_WORD:
        return re.compile(".*", re.DOTALL)
    signs = word if game.words.whole else PREFIX.sub("", word, count=1)
    if signs == MISSING_WORD:
        return re.compile(".*", re.DOTALL)
    try:
        read_word(game, start, word, seats)
    except NotationError:
        return written_like(game.words.bare(signs))
    return None


def by_turns(game: AnyGame) -> bool:
    """Say whether the game is for two seats only, and can say that a move will never be legal again."""
    return game.about.seats == (2,) and game.rules.later is not always_possible


class LowerBound:
    """A lower bound for the number of slips that the rest of a sheet needs.

    It must never be too high, or the search would miss the nearest game. One part counts words that only the other of
    two seats in turn can have said, the other part counts words that can never be legal again.
    """

    def __init__(self, game: AnyGame, start: Any, sheet: SheetWords, seats: int) -> None:
        """Work the bound out from the state before the first word."""
        self._later, self._sheet = game.rules.later, sheet
        self.by_turns = by_turns(game)
        speakers = range(1, 3) if self.by_turns else (0,)
        self._meanings: list[dict[int, Any]] = [
            {} if sheet.calls[at] or sheet.gaps[at] is not None else _legal_meanings(game, start, word, seats, speakers)
            for at, word in enumerate(sheet.words)
        ]
        self._table = self._worked_out()

    def least(self, place: int, mover: int) -> int:
        """Return a number of slips that the words after a place need at least, if of two seats ``mover`` speaks.

        ``mover`` is 1 or 2. In a game that is not for two seats in turn it does not matter.
        """
        at = place >> 1
        if place & 1:
            return self._table[at + 2][2 - mover] if self.by_turns else self._table[at + 2][0]
        return self._table[at][mover - 1] if self.by_turns else self._table[at][0]

    def count_lost(self, place: int, state: Any, most: int) -> int:
        """Return how many of the next words can never be legal after a state; each of them needs a slip of the pen.

        Counting stops above ``most``, so the answer is at most one more. Only words of one kind are looked at: a word
        of another kind between them, such as a new deal, may make anything possible again. ``place`` is twice the
        number of words before.
        """
        at, sheet, later, kind, count = place >> 1, self._sheet, self._later, None, 0
        for word in range(at, min(at + WINDOW, len(sheet.words))):
            meanings = self._meanings[word]
            if word > at and word in sheet.boards.texts:
                break
            if not meanings or word + 1 in sheet.irregular_plies or (place & 1 and word == at + 1):
                continue
            means = type(next(iter(meanings.values())))
            if kind is None:
                kind = means
            elif means is not kind:
                break
            count += not any(later(state, move) for move in meanings.values())
            if count > most:
                break
        return count

    def is_lost(self, place: int, state: Any) -> bool:
        """Say whether the word at a place can be read, but can never be legal after a state.

        False at places without a word, for gaps and calls, and for words marked as irregular.
        """
        at = place >> 1
        if place & 1 or place >= self._sheet.end or at + 1 in self._sheet.irregular_plies or not self._meanings[at]:
            return False
        return not any(self._later(state, move) for move in self._meanings[at].values())

    def _worked_out(self) -> list[tuple[int, int]]:
        """Return by number of words read the least number of slips still needed: (if seat 1 speaks, if seat 2 speaks).

        In a game that is not for two seats in turn both are equal.
        """
        sheet, meanings = self._sheet, self._meanings
        table = [(0, 0)] * (len(sheet.words) + 1)
        for at in range(len(sheet.words) - 1, -1, -1):
            if not self.by_turns:
                free = (
                    bool(meanings[at])
                    or sheet.calls[at]
                    or sheet.gaps[at] is not None
                    or at + 1 in sheet.irregular_plies
                )
                table[at] = (table[at + 1][0] + (not free),) * 2
                continue
            first, second = (self._of_mover(at, mover, table) for mover in (1, 2))
            table[at] = (min(first, second + 1), min(second, first + 1))
            if at in sheet.boards.texts:
                table[at] = (min(table[at]),) * 2
        return table

    def _of_mover(self, at: int, mover: int, table: list[tuple[int, int]]) -> int:
        """Return the least number of slips from a word on if ``mover`` speaks and no word is left out before it.

        ``at`` is the index of the word, from 0; ``table`` has the answers for all later words.
        """
        sheet, meanings, now, other = self._sheet, self._meanings, mover - 1, 2 - mover
        if at + 1 in sheet.irregular_plies:
            return min(table[at + 1])
        if sheet.calls[at]:
            return table[at + 1][now]
        if sheet.gaps[at] is not None or mover in meanings[at]:
            return table[at + 1][other]
        least = table[at + 1][other] + 1
        if at and sheet.signs[at] == sheet.signs[at - 1]:
            least = min(least, table[at + 1][now] + 1)
        if sheet.turned_at(2 * at) > 0 and mover in meanings[at + 1] and 3 - mover in meanings[at]:
            least = min(least, table[at + 2][now] + 1)
        return least


def _legal_meanings(game: AnyGame, start: Any, word: str, seats: int, speakers: Collection[int]) -> dict[int, Any]:
    """Return by seat what a word means, for each speaker for whom it may ever become legal; empty if for none.

    The speaker 0 stands for whoever is to speak; its move is listed under seat 1.

    Args:
        game: The game, which can say that a move will never be legal again (``Rules.later``).
        start: The state before the first word.
        word: The word of the sheet.
        seats: The number of seats.
        speakers: The seats that may have said it.
    """
    moves: dict[int, Any] = {}
    for seat in speakers:
        named = word if not seat or "/" in word else f"p{seat}/{word}"
        try:
            move = read_word(game, start, named, seats)
        except NotationError:
            continue
        if game.rules.later(start, move):
            moves[seat or 1] = move
    return moves
