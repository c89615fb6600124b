"""The rounds of a game as a list shows them: what each seat gained, and how the points come about."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from cartulary.engine.numbers import ANY_SEAT, seat_number
from cartulary.notation.seat_names import seat_name
from cartulary.notation.seatings import sitting
from cartulary.records import api
from cartulary.records.library.listing import score_in_force
from cartulary.records.library.person_scores import person_scores
from cartulary.records.state.fold import played_game
from cartulary.records.state.seat_view import players

SHORT_NAME = 9
"""How long a name may be that is shown whole where there is little room."""
_SEAT = re.compile(rf"\b{ANY_SEAT}\b")
_SCORE = re.compile(r"; score [^;]*$")


class PadRound(Struct, frozen=True):
    """A round in the list of rounds.

    Attributes:
        number: Its number, from 1.
        ply: Its ply.
        gains: What each player of the list gained, as a score sheet has it; empty if it is not known, and ``–`` for
            somebody who did not play.
        names: What the seats were called then.
        says: How its points come about, with the names of the players.
        answers: What it was entered with, by the names of the fields; empty if it cannot be corrected on the pad.
    """

    number: int
    ply: int
    gains: tuple[str, ...]
    says: str
    names: Sequence[str]
    answers: Mapping[str, str]


def seat_names(players: Sequence[str]) -> list[str]:
    """Return what the seats are called, in seat order: their players, or ``p3`` for a seat of which nobody is named."""
    return [seat_name(seat, players) for seat in range(1, len(players) + 1)]


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return for each name the one that is shown where there is little room: ``Anna`` for Anna Kowalska.

    Of two who are called the same, each has an initial too; if those are the same, the whole name. A short name stays
    as it is.

    Args:
        names: The names, such as ``Anna Kowalska`` or ``Kowalska, Anna``.
    """
    whole = list(dict.fromkeys(names))
    pairs = {name: _given_and_family(name) if len(name) > SHORT_NAME else (name, "") for name in whole}
    shown = {name: given for name, (given, _) in pairs.items()}
    for form in ("{0} {1:.1}.", ""):
        counts = Counter(shown.values())
        alike = [name for name in whole if counts[shown[name]] > 1]
        shown |= {name: form.format(*pairs[name]) if form and pairs[name][1] else name for name in alike}
    return shown


def _given_and_family(name: str) -> tuple[str, str]:
    """Return the given name and the family name of a person: ``("Anna", "Kowalska")``; the second may be empty."""
    family, comma, given = name.partition(", ")
    if not comma:
        given, *others = name.split()
        return given, others[-1] if others else ""
    return given.partition(" ")[0], family


def names_at(game: "api.LiveGame", people: "api.People", ply: int) -> list[str]:
    """Return what the seats were called at a ply, in seat order, before others took them over.

    Args:
        game: The game.
        people: Under which name each person is shown.
        ply: The ply, from 1.
    """
    return seat_names(_sitters(game, people, ply))


def _sitters(game: "api.LiveGame", people: "api.People", ply: int) -> tuple[str, ...]:
    """Return who played at each seat at a ply, counted from 1, under the names that are shown."""
    tags = played_game(game).about.seat_tags(game.book.seats)
    return people.display_names(sitting(game.record, tags, ply - 1))


def totals_of(game: "api.LiveGame", people: "api.People", circle: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return the players of a game with their points, in pairs, one for each seat in seat order.

    Where people changed seats it is one for each person who has played, with the points at all seats together. Points
    are texts such as ``-86``; without a score each has ``0``.

    Args:
        game: The game.
        people: Under which name each person is shown.
        circle: Who is at the table, in their order, where somebody sits out.
    """
    names = seat_names(players(game.record, people))
    points = score_in_force(game).split(":")
    scores = {each.name: each.points for each in person_scores(game, people)}
    if not ((scores and game.record.seatings) or circle):
        return list(zip(names, points if len(points) == len(names) else ["0"] * len(names), strict=True))
    order = dict.fromkeys((*circle, *(scores or names)))
    return [(name, scores.get(name, "0")) for name in order]


def rounds_of(
    form: "api.RoundForm", game: "api.LiveGame", people: "api.People", columns: Sequence[str]
) -> list[PadRound]:
    """Return the rounds of a form as a list shows them, the last first.

    Args:
        form: The form, with the gains of each round by seat.
        game: Its game.
        people: Under which name each person is shown.
        columns: The players that the list has a column for; one who did not play a round has – there.
    """
    rounds = []
    for number, (ply, gains, says, answers) in enumerate(
        zip(form.plies, form.gains, form.rounds, form.answers, strict=True), 1
    ):
        sat = _sitters(game, people, ply)
        names, gained = seat_names(sat), dict(zip(sat, map(_signed, gains), strict=True)) if gains else {}
        if list(columns) == names:
            shown = tuple(map(_signed, gains))
        else:
            shown = tuple(gained.get(name, "–") for name in columns) if gained else ()
        rounds.append(PadRound(number, ply, shown, with_names(says, names), names, answers if form.correcting else {}))
    return rounds[::-1]


def _signed(number: str) -> str:
    """Return a gain, given as ``86`` or ``-258``, as a score sheet has it: ``+86``, ``−258``, ``0``."""
    return number if number == "0" else f"−{number[1:]}" if number.startswith("-") else f"+{number}"


def with_names(says: str, names: Sequence[str]) -> str:
    """Return the explanation of a round with the names of the players, without the running score.

    It is empty if nothing but numbers is left.

    Args:
        says: The explanation, such as ``p2 has 54 points …; score -86:258:-86:-86``.
        names: What the seats are called, in their order.
    """
    text = _SCORE.sub("", says)
    if re.fullmatch(r"[-0-9/:]*", text):
        return ""

    def named(match: re.Match[str]) -> str:
        """Return the name of the seat that was matched, or the text itself for no such seat."""
        seat = seat_number(match[0])
        return names[seat - 1] if 0 < seat <= len(names) else match[0]

    return re.sub(r"(?<=\s)-(?=[(0-9])", "−", _SEAT.sub(named, text))
