"""A record that is not judged, ``[Rules "none"]``: a game of any name whose rules have no clauses.

Its words are kept as they are. A word's prefix says whose it is; without one it belongs to the seat after the one that
spoke last. A seat sees every word but a round as ``~``: nobody knows what it has seen.

If the record has a tag ``Description`` (``notation/description.py``), words, rounds and points are checked against it.
A round is a word of the table with a number for each seat: ``p0/10:7:-3``.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import PlayResult, Sheet, Turns
from cartulary.engine.calls import Call, CallResult, Calls, judge_call
from cartulary.engine.contract import UNJUDGED
from cartulary.engine.numbers import ANY_SEAT, how_many, seats_named
from cartulary.engine.parts import Hidden, Rules
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.result import format_result, points_in
from cartulary.notation.cgn.signs import count, cut
from cartulary.notation.contract import (
    About,
    AnyGame,
    Game,
    Odd,
    Points,
    RoundField,
    Rounds,
    SheetTags,
    TagAsked,
    TagScore,
    Words,
    no_round_fields,
    numbered_seats,
)
from cartulary.notation.description import (
    NO_DESCRIPTION,
    RESULT_TAGS,
    SAT_OUT,
    Description,
    DescriptionFault,
    read_description,
    read_result_tags,
    read_round,
    winners_by_points,
    write_round,
)
from cartulary.notation.picture import Picture, Span
from cartulary.notation.roster import find_game
from cartulary.notation.score import format_points, score

NOBODY = "none"
"""What the tag Rules says of a record that nobody judges."""
UNSEEN = "~"
_WORD = re.compile(rf"(?:({ANY_SEAT})/)?[^\s{{}}();$]+")
ODD = Odd(numeric=True, words=frozenset(("0-0", "0-0-0")))
"""Words of games that look like results."""
_OWN = ("Rules", "Description", "Setup")
"""All but the last anybody may read."""
_PREFIXED = re.compile(r"[Pp][0-9]+/")
_TAG = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_COLON = re.compile(r"\s*:\s*")

# --- types ---


class FreeWord(Struct, frozen=True):
    """A word and whose it is; 0 the table.

    Attributes:
        seat: The seat that said it.
        text: The word as it is written.
        points: The points of each seat if the word is a round; a seat that sat out has None.
    """

    seat: int
    text: str
    points: tuple[Fraction | None, ...] = ()


class WordCount(Struct, frozen=True):
    """How many words were said, the table's aside, and whose the next one is.

    Attributes:
        seats: The number of seats.
        mover: The seat whose word the next one is, unless a prefix says otherwise.
        words: How many words the seats have said.
        description: What is known of the game.
        rounds: How many rounds were scored.
        points: The points of each seat; empty if none are counted.
        shares: A weight for each seat, such as (1, 0) if the first won alone, where the tags of the record say who won.
        present: The seats that took part in a round.
    """

    seats: int
    mover: int = 1
    words: int = 0
    description: Description = NO_DESCRIPTION
    rounds: int = 0
    points: tuple[Fraction, ...] = ()
    shares: tuple[int, ...] | None = None
    present: frozenset[int] = frozenset()


Own = tuple[tuple[str, str], ...]
"""The tags Rules, Description and Setup as they are written."""

# --- rules ---


def setup(sheet: Sheet[Own]) -> WordCount:
    """Return the state before the first word, with seat 1 to speak and the description that the sheet holds.

    Raises:
        DescriptionFault: If the sheet's description cannot be read; ``_own`` has refused such a one before.
    """
    return _first_state(sheet.seats, sheet.own or ())


@lru_cache(256)
def _first_state(seats: int, own: Own) -> WordCount:
    """Return the state before the first word; ``own`` are the game's own tags. Many records of a file have the same."""
    return WordCount(seats, description=read_description(dict(own).get("Description", "")))


def play(state: WordCount, word: FreeWord, exactly: bool = False, /) -> PlayResult[WordCount, FreeWord]:
    """Return the word unjudged, and the state after it.

    A round adds its points and counts the seats it names as present; it does not change whose turn it is. The word of a
    seat passes the turn on to the next seat. Any other word of the table changes nothing. ``exactly`` does not matter.
    """
    if word.points:
        before = state.points or (Fraction(0),) * state.seats
        points = tuple(total + (won or 0) for total, won in zip(before, word.points, strict=True))
        present = state.present.union(seat for seat, won in enumerate(word.points, 1) if won is not None)
        after = replace(state, rounds=state.rounds + 1, points=points, present=present)
        return PlayResult(word, UNJUDGED, after)
    if not word.seat:
        return PlayResult(word, UNJUDGED, state)
    return PlayResult(word, UNJUDGED, replace(state, mover=word.seat % state.seats + 1, words=state.words + 1))


RULES: Rules[WordCount, FreeWord, FreeWord, Own] = Rules(setup=setup, play=play)


def nobody_judges(game: AnyGame | None) -> bool:
    """Say whether a game is an unjudged one, as ``unjudged_game`` makes it; False for None."""
    return game is not None and game.rules is RULES


def scored_by_rounds(game: AnyGame, state: Any = None) -> bool:
    """Say whether rounds of a game can be entered as their scores.

    Args:
        game: The game.
        state: A state of it, None if there is none yet. Whether a described game has rounds is known from its state.
    """
    if nobody_judges(game):
        return state is not None and bool(game.rounds.fields(state))
    return game.rounds.fields is not no_round_fields


# --- words ---


def read(text: str, seat: int, state: WordCount) -> FreeWord:
    """Return any word as it stands, with its seat: that of its prefix, else the seat whose turn it is.

    ``seat`` does not matter, because the word still has its prefix.

    Raises:
        NotationError: It would not be read as one word, or the description of the game has no such word or round.
    """
    match = _WORD.fullmatch(text)
    if match is None:
        at = next((i for i, sign in enumerate(text) if not _WORD.fullmatch(sign)), 0)
        raise NotationError(f"found {cut(text)}, expected a word without a blank, a brace or a parenthesis", at + 1)
    seat = seat_of(match[1], state)
    if state.description is NO_DESCRIPTION:
        return FreeWord(seat, text)
    return _described(text, text.partition("/")[2] if match[1] else text, seat, state)


def seat_of(name: str | None, state: WordCount) -> int:
    """Return the seat that a prefix names, such as 2 for ``p2``; 0 for ``p0``, the table.

    Without a prefix, or if it names no seat of the game, such as ``p9`` or ``p02``, it is the seat whose turn it is.
    """
    number = int(name[1:]) if name and len(name) < 4 and (name == "p0" or name[1] != "0") else -1
    return number if 0 <= number <= state.seats else state.mover


def _described(text: str, call: str, seat: int, state: WordCount) -> FreeWord:
    """Return a word that the description of the game allows, with its seat, and with its points if it is a round.

    ``text`` is the word, and ``call`` the word without its prefix.

    Raises:
        NotationError: If the description has no such word, or if the word is a round that cannot be entered.
    """
    description = state.description
    at = len(text) - len(call) + 1
    if description.rounds is not None and not seat:
        points = read_round(call, state.seats)
        if points is None:
            example = ":".join(str(number) for number in range(state.seats, 0, -1))
            expected = f"a number for each of {how_many(state.seats, 'seat')}, such as p0/{example}"
            because = f"found {cut(call)}, expected {expected}"
            raise NotationError(because, at)
        if description.rounds and state.rounds >= description.rounds:
            raise NotationError(f"found a round after the last, expected {how_many(description.rounds, 'round')}", at)
        return FreeWord(0, text, points)
    if _PREFIXED.match(call) or (description.rounds is not None and read_round(call, state.seats)):
        seats = seats_named(state.seats, "or", 0)
        raise NotationError(
            f"found {cut(text)}, expected the prefix of {seats}; a round has that of the table, p0/", at
        )
    if description.words and call.partition("=")[0] not in dict(description.words):
        calls = ", ".join(call for call, _ in description.words)
        raise NotationError(f"found {cut(call)}, expected one of: {calls}", at)
    return FreeWord(seat, text)


def _written(move: FreeWord, state: WordCount, after: WordCount | None) -> str:
    """Return the word as it stands, with its prefix if it was written with one."""
    return move.text


def picture(state: WordCount, seat: int | None) -> Picture:
    """Return one row on how many words were written, and then the points, a row for each seat, if they are counted.

    Nothing else is known of the game, so ``seat`` does not matter.
    """
    words = count(state.words, "word")
    rows = ((Span(f"{words} written; this record is not judged", "frame"),),)
    if not state.points:
        return rows
    after = f" after {how_many(state.rounds, 'round')}" if state.rounds else ""
    by_seat = (Span(f"p{seat} {points}  ", "frame") for seat, points in enumerate(state.points, 1))
    return (*rows, (Span(f"points{after}", "frame"),), *((span,) for span in by_seat))


def number(state: WordCount, move: FreeWord | None) -> tuple[int, bool] | None:
    """Return the number of the round of words, from 1, and whether a word is its first; None for a word of the table.

    A round of words is as many words as there are seats. ``move`` is the word after ``state``, None if there is none
    yet.
    """
    if move is not None and not move.seat:
        return None
    return state.words // state.seats + 1, state.words % state.seats == 0


def came_of(before: WordCount, move: FreeWord, after: WordCount) -> str:
    """Return the points of all seats after a round, such as ``10:7:-3``; empty after any other word."""
    return format_points(after.points) if move.points else ""


# --- points ---


def score_tags(state: WordCount) -> dict[str, str]:
    """Return the tag Score with its value, such as ``{"Score": "10:7:-3"}``; empty where no points are counted."""
    return score(state.points) if state.points else {}


def shares_of(state: WordCount, ruled_score: str = "") -> tuple[int, ...] | None:
    """Return a weight for each seat, such as (1, 0) if the first won alone, as the tags or the points say.

    None where nobody knows. Tags that say who won count before the points, unless rulings have set a score.

    Args:
        state: The state of the record.
        ruled_score: The score in force if rulings have changed it, such as ``10:7:-3``; empty otherwise.
    """
    points = points_in(ruled_score) if ruled_score else state.points
    if state.shares is not None and not (ruled_score and points):
        return state.shares
    return winners_by_points(state.description, points, absent_seats(state)) if points else None


def absent_seats(state: WordCount) -> frozenset[int]:
    """Return the seats, from 1, that sat out every round; empty if there was no round yet."""
    return frozenset(range(1, state.seats + 1)) - state.present if state.rounds else frozenset()


def misstated_tags(
    tags: Mapping[str, str], result: str, state: WordCount, ruled_score: str = ""
) -> tuple[tuple[str, str, str], ...]:
    """Return (tag, key, because) where Score or the result contradicts the points that the record states; else empty.

    Args:
        tags: The tags of the record by name.
        result: The result as stated, ``*`` for none.
        state: The state after the last word.
        ruled_score: The score in force if rulings have changed it; empty otherwise.
    """
    if not state.points and state.shares is None:
        return ()
    faults = []
    if "Score" in tags and points_in(tags["Score"]) != points_in(right := ruled_score or format_points(state.points)):
        faults.append(("Score", f"the Score tag says {cut(tags['Score'])}, but the points come to {right}"))
    shares = shares_of(state, ruled_score)
    due = format_result(shares) if shares else "*"
    if "*" not in (result, due) and result != due:
        right = ruled_score or format_points(state.points)
        reason = f"by the points {right}" if state.points else "by the places"
        faults.append(("Result", f"the result says {cut(result)}, but {reason} it is {due}"))
    return tuple((tag, "record.tag", because) for tag, because in faults)


def from_tags(tags: Mapping[str, str], state: WordCount) -> TagScore[WordCount] | None:
    """Return the state with the result that the tags of a record without words state; None without such tags.

    If a tag cannot be read, the state stays as it is, and the answer holds the fault.
    """
    try:
        stated = read_result_tags(tags, state.description, state.seats)
    except NotationError as fault:
        return TagScore(state=state, faults=((fault.tag, fault.key, fault.because),))
    if stated is None:
        return None
    return TagScore(state=replace(state, points=stated.points, shares=stated.shares), how=stated.how)


def ask(tags: Mapping[str, str], state: WordCount) -> TagAsked | None:
    """Return the question for the points of all seats; None once one of ``RESULT_TAGS`` has an answer.

    Raises:
        NotationError: If the answer cannot be; the error names its tag.
    """
    if tags.keys().isdisjoint(RESULT_TAGS):
        example = ":".join(str(number) for number in range(state.seats, 0, -1))
        return TagAsked("Points", f"How many points has each seat, in order, such as {example}?", True)
    read_result_tags(tags, state.description, state.seats)
    return None


def spell(tags: Mapping[str, str], state: WordCount) -> dict[str, str]:
    """Return those tags of ``RESULT_TAGS`` that are present, without blanks around their numbers.

    For example ``{"Points": " 10 : 7 "}`` gives ``{"Points": "10:7"}``. Values are not checked.
    """
    return {name: _without_blanks(tags[name]) for name in RESULT_TAGS if name in tags}


def _without_blanks(numbers: str) -> str:
    """Return numbers with colons between them, without blanks around any: ``10 : 7`` -> ``10:7``."""
    blank = " " in numbers or not numbers.isprintable()
    return _COLON.sub(":", numbers.strip()) if blank else numbers


def points_gained(before: WordCount, after: WordCount) -> tuple[Fraction, ...]:
    """Return what each seat has won between two states, in seat order; empty where no points are counted."""
    if not after.points:
        return ()
    earlier = before.points or (Fraction(0),) * after.seats
    return tuple(now - then for now, then in zip(after.points, earlier, strict=True))


def with_score(state: WordCount, points: tuple[Fraction, ...]) -> WordCount:
    """Return the state with these points, one for each seat, as what was scored so far."""
    return replace(state, points=points)


POINTS = Points(
    tags=("Score",),
    write=score_tags,
    tag_faults=misstated_tags,
    shares=shares_of,
    told_by=RESULT_TAGS,
    from_tags=from_tags,
    ask=ask,
    gains=points_gained,
    with_score=with_score,
    spell=spell,
    absent=absent_seats,
)


# --- rounds ---


def round_fields(state: WordCount) -> tuple[RoundField, ...]:
    """Return the one field of a round, which takes a number for each seat, as a tuple.

    The tuple is empty if the game's description has no rounds, or if all its rounds were scored.
    """
    rounds = state.description.rounds
    if rounds is None or (rounds and state.rounds >= rounds):
        return ()
    return (RoundField("Points", "Points", "numbers", needed=True),)


def round_word(answers: Mapping[str, str], state: WordCount) -> str:
    """Return the word of a round from the answer ``Points``: ``10:7:-3`` gives ``p0/10:7:-3``.

    A seat without a number, or with a dash as ``SAT_OUT`` writes it, sat out.

    Raises:
        NotationError: If there are not as many numbers as seats, or what stands for one is none; its tag is Points.
    """
    parts = [part.strip() or SAT_OUT for part in answers.get("Points", "").split(":")]
    points = read_round(":".join(parts), state.seats)
    if points is None:
        example = ":".join(str(number) for number in range(state.seats, 0, -1))
        because = f"found {cut(answers.get('Points', ''))!r}, expected a number for each seat, such as {example}"
        raise NotationError(because, key="record.tag", tag="Points")
    return f"p0/{write_round(points)}"


def round_answers(move: FreeWord) -> dict[str, str]:
    """Return what was entered for a round, as ``{"Points": "10:7:-3"}``; empty for any other word."""
    return {"Points": write_round(move.points)} if move.points else {}


# --- tags ---


def _own(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Own]:
    """Return the sheet of an unjudged record, with its tags Rules, Description and Setup.

    Raises:
        NotationError: If the description cannot be read, or does not allow this number of seats.
    """
    try:
        description = read_description(tags.get("Description", ""))
    except DescriptionFault as fault:
        raise NotationError(str(fault), key="record.tag", tag="Description") from None
    if not description.least <= seats <= description.most:
        expected = either_of(description)
        because = f"found {how_many(seats, 'seat')}, expected {expected} as the description says"
        raise NotationError(because, key="record.tag", tag="Description")
    return Sheet(variant, options, seats, tuple([(name, tags[name]) for name in _OWN if tags.get(name)]))


def either_of(description: Description) -> str:
    """Return the numbers of seats of a game as a sentence has them: ``3 to 4``, or ``3`` if there is only one."""
    least, most = description.least, description.most
    return str(least) if least == most else f"{least} to {most}"


def _own_tags(sheet: Sheet[Own]) -> dict[str, str]:
    """Return the tags Rules, Description and Setup of a sheet by name, as written; absent ones are left out."""
    return dict(sheet.own or ())


def _as_seen(state: WordCount, move: FreeWord, seat: int) -> FreeWord:
    """Return a word as a seat sees it: a round is public, any other word is ``~``, even for the seat that said it."""
    return move if move.points else FreeWord(move.seat, UNSEEN)


def _without_setup(sheet: Sheet[Own], seat: int) -> Sheet[Own]:
    """Return the sheet as any seat may see it: without the tag Setup, which may name cards."""
    return replace(sheet, own=tuple(tag for tag in sheet.own or () if tag[0] != "Setup"))


# --- the game ---


@lru_cache(256)
def unjudged_game(
    title: str,
    edition: str = "",
    variant: str = "",
    *,
    seats: int = 0,
    numbered: bool = False,
    description: Description = NO_DESCRIPTION,
) -> AnyGame:
    """Return a game of any title that nobody judges.

    If the description names every seat, the seats have these names as their tags; else they have the tags of an
    installed game of this name, or Seat1, Seat2 … The words and rules of an installed game are not used.

    Args:
        title: The name of the game.
        edition: The edition that the record names.
        variant: The variant that the record names.
        seats: How many seats there are if no Seat tags count them; 0 for as many as the installed game has, or two. If
            the description does not allow that many, the nearest number that it allows counts.
        numbered: Whether the seats are called Seat1, Seat2 … even if a game of this name is installed.
        description: What is known of the game.
    """
    least, most = description.least, description.most
    usual = seats or min(max(2, least), most)
    seat_tags: Callable[[int], tuple[str, ...]] = numbered_seats
    if not (numbered and seats):  # else no game need be looked up, which loads all of them if none has this name
        with suppress(NotationError):
            named = find_game(title).about
            usual, seat_tags = seats or named.seats[0], numbered_seats if numbered else named.seat_tags

    def tags(count: int) -> tuple[str, ...]:
        """Return the tags that name the players of so many seats.

        They are the names of the description if it has one for each seat and they can be tags. Else they are those of
        the installed game, or Seat1, Seat2 … if it has none for that number of seats.
        """
        if len(description.names) == count and least == most and all(map(_TAG.fullmatch, description.names)):
            return description.names
        names = seat_tags(count)
        return names if len(names) == count else numbered_seats(count)

    def teams(count: int) -> tuple[int, ...]:
        """Return each seat's team, from 1: that of the description, or 1 for all if the table wins or loses together.

        Empty if the description has no teams for this number of seats.
        """
        if description.winner == "table":
            return (1,) * count
        return description.teams if len(description.teams) == count else ()

    def call(state: Any, call: Call, calls: Calls, seats: int) -> CallResult:
        """Return what a call does; partners lose together if one of them resigns or runs out of time."""
        return judge_call(state, call, calls, seats, teams(seats))

    usual = min(max(usual, least), most)
    counts = (usual, *(count for count in range(least, most + 1) if count != usual))
    plain = description is NO_DESCRIPTION
    return Game(
        about=About(
            key=title,
            title=title,
            edition=edition,
            seats=counts,
            says="it is not judged",
            seat_tags=tags,
            variants=(variant,),
            teams=teams,
        ),
        rules=RULES,
        words=Words(
            read=read,
            write=_written,
            picture=picture,
            came_of=came_of,
            whole=True,
            odd=ODD if plain else Odd(numeric=True),
        ),
        turns=Turns(number=number, call=call if description.teams else judge_call),
        sheet=SheetTags(names=_OWN[:2], read=_own, write=_own_tags),
        points=Points() if plain else POINTS,
        hidden=Hidden(view=lambda state, seat: state, view_move=_as_seen, view_sheet=_without_setup),
        rounds=Rounds(fields=round_fields, word=round_word, answers=round_answers),
    )
