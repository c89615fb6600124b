"""Reading whom a pairing engine pairs: a line with the number of pairs, then two start numbers a line."""

from msgspec import Struct

from cartulary.engine.numbers import how_many
from cartulary.records.faults import Unfit
from cartulary.records.state.evenings import ClubEvening


class Pairing(Struct, frozen=True):
    """The pairs of a round.

    Attributes:
        pairs: The persons of each pair in the order of their seats, by table.
        bye: The person without an opponent, empty if there is none.
    """

    pairs: tuple[tuple[str, str], ...]
    bye: str = ""


def read_pairs(text: str, evening: ClubEvening) -> Pairing:
    """Return the pairs that an engine printed, by the start numbers of an evening. An opponent 0 is a bye.

    Args:
        text: What the engine printed. Empty lines do not count.
        evening: The evening.

    Raises:
        Unfit: A line cannot be read, a number belongs to nobody or stands there twice, or the number of pairs is
            another than the first line says. The sentence has the line, and what was expected.
    """
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise Unfit("The list of pairs is empty; expected the number of pairs, then two start numbers a line.")
    first, head = lines[0]
    if len(head) != 1 or not _is_number(head[0]):
        raise _fault(first, f"found {' '.join(head)!r}, expected the number of pairs, as engines print it first")
    if int(head[0]) != len(lines) - 1:
        following = how_many(len(lines) - 1, "pair follows", "pairs follow")
        raise _fault(first, f"found {int(head[0])}, but {following}, expected as many")
    seen: dict[int, int] = {}
    pairs: list[tuple[str, str]] = []
    bye = ""
    for number, words in lines[1:]:
        if len(words) != 2 or not all(map(_is_number, words)):
            raise _fault(number, f"found {' '.join(words)!r}, expected two start numbers, such as 3 8")
        white, black = (_person(int(word), number, seen, evening) for word in words)
        if not white and not black:
            raise _fault(number, "found 0 twice, expected the start number of a person")
        if white and black:
            pairs.append((white, black))
        elif bye:
            raise _fault(number, f"found a second bye after that of {bye}, expected one at most")
        else:
            bye = white or black
    if not pairs:
        raise Unfit("The list has no pair; expected one at least.")
    return Pairing(tuple(pairs), bye)


def round_robin_length(players: int) -> int:
    """Return how many rounds it takes until each of some players has met each other one; 0 for fewer than two."""
    return 0 if players < 2 else players - 1 if players % 2 == 0 else players


def round_robin_pairs(players: int, round: int) -> list[str]:
    """Return the lines of a round in which everybody is to meet everybody, by the Berger tables of FIDE.

    They are the number of pairs, then two start numbers a line, in the order of the seats; an opponent 0 is a bye.
    There are none after the last round, and for fewer than two players.

    Args:
        players: How many play, with the start numbers from 1.
        round: The round, from 1.
    """
    length = round_robin_length(players)
    if not 1 <= round <= length:
        return []
    last = length + 1
    pairs: list[tuple[int, int]] = []
    for one in range(1, last):
        other = (round + 1 - one) % length or length
        if other == one:
            pairs.insert(0, (one, last) if one <= last // 2 else (last, one))
        elif one < other:
            pairs.append((other, one) if (one + other) % 2 == 0 else (one, other))
    lines = [(sum(pair) - last, 0) if last > players and last in pair else pair for pair in pairs]
    return [str(len(lines)), *(f"{white} {black}" for white, black in lines)]


def _fault(line: int, because: str) -> Unfit:
    """Return a fault that names a line of the pairs, from 1; it is not raised here.

    Args:
        line: The number of the line.
        because: What was found there and what was expected, without a full stop.
    """
    return Unfit(f"Line {line} of the pairs: {because}.")


def _is_number(word: str) -> bool:
    """Say whether a word is a number of one to four ASCII digits."""
    return word.isascii() and word.isdecimal() and len(word) <= 4


def _person(number: int, line: int, seen: dict[int, int], evening: ClubEvening) -> str:
    """Return the name of the person with a start number, empty for 0.

    Args:
        number: The start number.
        line: The number of the line.
        seen: The lines of the numbers before, by number; this one is added.
        evening: The evening.

    Raises:
        Unfit: The number is that of nobody, or of somebody who has left, or stands there twice.
    """
    if not number:
        return ""
    if number > len(evening.entrants):
        raise _fault(line, f"found {number}, expected a start number from 1 to {len(evening.entrants)}")
    person = evening.entrants[number - 1].name
    if number in seen:
        raise _fault(line, f"found {number}, {person}, who is on line {seen[number]} too, expected each person once")
    if person not in evening.present:
        raise _fault(line, f"found {number}, {person}, who has left, expected persons who are at {evening.title}")
    seen[number] = line
    return person
