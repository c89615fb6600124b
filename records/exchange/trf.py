"""FIDE's Tournament Report File: a line for each player, with columns for what happened in each round.

Pairing engines read it and print whom to pair; federations rate tournaments from it. Columns are counted in characters.

Source: FIDE, Tournament Report File (TRF16), Handbook C.04 Annex 2; what engines read beyond it, such as ``XXR``, is in
the documentation of JaVaFo 2.2 and bbpPairings
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import how_many
from cartulary.records.dates import is_day, read_date
from cartulary.records.faults import Unfit

LARGEST = 1 << 24
"""The size in bytes of the largest file that is read."""
LONGEST_NAME = 33
"""The columns that there are for a name."""
MOST_PLAYERS = 9999
GAME = "### Game: "
"""How the line begins that names the game, if it is not the usual one. It is a comment to other programs."""
OTHER_LINES = ("032", "092", "102", "112", "122", "XXA", "XXC", "XXP")
"""Which lines beside those of players and games are kept as they are: the federation, the kind of tournament, arbiters,
the time control, and what else pairing engines read."""
_POINT_SYSTEMS = ("162", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU")
_WRITTEN = ("062", "072", "082")
"""The lines whose numbers follow from the others."""
POINTS = {
    **dict.fromkeys("1W+FU", Fraction(1)),
    **dict.fromkeys("=DH", Fraction(1, 2)),
    **dict.fromkeys(("0", "L", "-", "Z", ""), Fraction(0)),
}
"""By result, the points that it gives."""
BYES = "HFUZ"
_PLAYED = "1=0WDL"
_OTHER_SIDE = {"1": "0", "0": "10", "=": "=", "W": "L", "L": "WL", "D": "D", "+": "-", "-": "+-", "": ""}
"""By result of one player, the results that the other may have."""
_LEAST = 84
_FIRST_ROUND, _ROUND_WIDTH = 92, 10
_BLANKS = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
"""The columns of a player's line, before its rounds, that have to be blank."""
_PLAYER_BEGINS = re.compile(rb"001 [ 0-9]{3}[0-9]( |$)")
_FIRST_LINES = 40
"""Among how many lines at the beginning of a file a player is looked for."""
_DAY = re.compile(r"(\d{4}|\d{2})[/.-](\d{1,2})[/.-](\d{1,2})")


class RoundEntry(Struct, frozen=True):
    """What a player's line says of one round.

    Attributes:
        opponent: The start number of the opponent, 0 for none.
        colour: ``w``, ``b``, or ``-`` for none.
        result: A key of ``POINTS``; empty for none.
    """

    opponent: int = 0
    colour: str = "-"
    result: str = ""


class TournamentPlayer(Struct, frozen=True):
    """A player of a tournament.

    Attributes:
        number: The start number, from 1.
        name: The name.
        rounds: What happened in each round, from the first.
        points: The points, such as ``2.5``.
        rank: The place in the standings, 0 if it is not stated.
        sex: ``m``, ``w``, or empty.
        title: Such as ``GM``.
        rating: The rating.
        federation: Such as ``FRA``.
        fide_id: The number by which FIDE knows the player.
        birth: The date of birth, as written.
        line: The number of the line, 0 if it was not read from a file.
    """

    number: int
    name: str
    rounds: tuple[RoundEntry, ...] = ()
    points: str = "0.0"
    rank: int = 0
    sex: str = ""
    title: str = ""
    rating: str = ""
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    line: int = 0


class Tournament(Struct, frozen=True):
    """A tournament as its file says.

    Attributes:
        title: What it is called.
        players: The players, by their start numbers.
        place: Where it is.
        first_day: Its first day as in the tag Date, empty if that is not stated.
        last_day: Its last day.
        days: The day of each round, empty for one that is not stated.
        rounds: How many rounds it is to have, 0 if nobody said.
        game: The title of the game; empty for the usual one of such files.
        lines: The lines of the kinds in ``OTHER_LINES``, as they are.
        remarks: What was read otherwise than it is written, as sentences.
    """

    title: str
    players: tuple[TournamentPlayer, ...]
    place: str = ""
    first_day: str = ""
    last_day: str = ""
    days: tuple[str, ...] = ()
    rounds: int = 0
    game: str = ""
    lines: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def is_tournament(head: bytes) -> bool:
    """Say whether a file begins as a tournament report does: with a line ``012``, or with one ``001`` among its first
    lines.

    ``head`` is its first part; the longer it is, the surer is the answer.
    """
    lines = re.split(rb"[\r\n]+", head.removeprefix(b"\xef\xbb\xbf").lstrip(), maxsplit=_FIRST_LINES)
    return lines[0].startswith(b"012 ") or any(map(_PLAYER_BEGINS.match, lines[:_FIRST_LINES]))


def points_of(entries: Sequence[RoundEntry]) -> Fraction:
    """Return the sum of points of some rounds: 1 for a win, 1/2 for a draw, and byes as their kind says; 0 for no
    round.
    """
    return sum((POINTS[entry.result] for entry in entries), Fraction(0))


# --- reading ---


def read_tournament(data: bytes) -> Tournament:
    """Return the tournament of a report (TRF). The encoding is UTF-8, else Windows-1252; line ends may be any.

    What is not kept, or read otherwise than it is written, is among its remarks.

    Args:
        data: The bytes of the file.

    Raises:
        Unfit: It is too large, a line cannot be read, two lines contradict one another, or the tournament has no name
            or no player. Where a line is at fault, the sentence has line and column, and what was expected.
    """
    if len(data) > LARGEST:
        raise Unfit(f"The file has {len(data):,} bytes; expected at most {LARGEST:,}.")
    remarks: list[str] = []
    stated: dict[str, str] = {}
    kept: list[str] = []
    players: dict[int, TournamentPlayer] = {}
    for number, line in enumerate(_lines(data, remarks), 1):
        kind, text = line[:3], line[4:].strip()
        if kind == "001":
            player = _read_player_in_any_columns(line, number, remarks)
            if player.number in players:
                other = players[player.number].line
                raise _fault(
                    number, 5, f"found {player.number}, which line {other} has too, expected another start number"
                )
            players[player.number] = player
        elif kind in OTHER_LINES:
            kept.append(line.rstrip())
        elif line.startswith(GAME):
            stated["game"] = line.removeprefix(GAME).strip()
        elif kind in ("012", "022", "042", "052", "142", "XXR"):
            kind = "XXR" if kind == "142" else kind
            if kind in stated:
                raise _fault(number, 1, f"found a second line {kind}, expected one")
            stated[kind] = _heading(kind, text, number, remarks)
        elif kind == "132":
            stated["132"] = ",".join(_days(line, number, remarks))
        elif kind in _POINT_SYSTEMS:
            remarks.append(f"Line {number}: points are counted 1, 1/2 and 0 here, so the line {kind} is left out.")
        elif line.strip() and kind not in _WRITTEN and not line.startswith("###"):
            remarks.append(
                f"Line {number}: the line {line.split()[0][:20]} is left out; Cartulary keeps nothing of it."
            )
    ordered = _in_order(players)
    _check_rounds(ordered)
    remarks += _wrong_sums(ordered)
    if not stated.get("012"):
        raise Unfit("The file has no line 012 with the name of the tournament; add one, such as `012 Spring open`.")
    return Tournament(
        title=stated["012"],
        players=ordered,
        place=stated.get("022", ""),
        first_day=stated.get("042", ""),
        last_day=stated.get("052", ""),
        days=tuple(stated["132"].split(",")) if stated.get("132") else (),
        rounds=int(stated.get("XXR") or 0),
        game=stated.get("game", ""),
        lines=tuple(kept),
        remarks=tuple(remarks),
    )


def _fault(line: int, column: int, because: str) -> Unfit:
    """Return, for the caller to raise, a fault that names line and column, both from 1.

    ``because`` says what was found there and what was expected, without a full stop.
    """
    return Unfit(f"Line {line}, column {column}: {because}.")


def _lines(data: bytes, remarks: list[str]) -> Iterator[str]:
    """Yield the lines of a file without their ends, in UTF-8 or else Windows-1252, which is added to ``remarks``.

    Raises Unfit for a tab in a line that has columns, because it hides them.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        remarks.append("The file is not UTF-8, so it was read as Windows-1252.")
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        if "\t" in line and line[:3] in ("001", "132"):
            raise _fault(number, line.index("\t") + 1, "found a tab, expected blanks, which say the columns")
        yield line


def _heading(kind: str, text: str, number: int, remarks: list[str]) -> str:
    """Return what a line about the tournament says: a text, a day as in the tag Date, or a number of rounds.

    Args:
        kind: The first three characters of the line.
        text: What follows them.
        number: The number of the line.
        remarks: Gets a remark on a day that cannot be read, for which the answer is empty.

    Raises:
        Unfit: The number of rounds is none from 1 to 999.
    """
    if kind in ("042", "052"):
        return _day(text, number, remarks)
    if kind == "XXR" and not (text.isdecimal() and text.isascii() and 0 < int(text) < 1000):
        raise _fault(number, 5, f"found {text!r}, expected the number of rounds")
    return text


def _day(text: str, number: int, remarks: list[str]) -> str:
    """Return a day as in the tag Date: ``26/11/27`` -> ``2026.11.27``.

    It is empty if the text is no day; unless the text is empty too, a remark about line ``number`` is added to
    ``remarks``.
    """
    match = _DAY.fullmatch(text)
    if match:
        year, month, day = match.groups()
        try:
            return date(int(year) + 2000 * (len(year) == 2), int(month), int(day)).strftime("%Y.%m.%d")
        except ValueError:
            pass
    elif is_day(text):
        return read_date(text)
    if text:
        remarks.append(f"Line {number}: {text!r} is not one day, such as 2026/11/27, so it is left out.")
    return ""


def _days(line: str, number: int, remarks: list[str]) -> list[str]:
    """Return the day of each round from the line 132, empty where none can be read, which is a remark on line
    ``number``.

    The line has its days in the columns where the players' lines have the rounds.
    """
    starts = range(_FIRST_ROUND - 1, len(line.rstrip()), _ROUND_WIDTH)
    return [_day(line[at : at + 8].strip(), number, remarks) for at in starts]


def _read_player(line: str, number: int) -> TournamentPlayer:
    """Return the player of a line whose columns are counted in characters; ``number`` is that of the line, for
    messages.

    Raises Unfit if a column cannot be read.
    """
    if len(line.rstrip()) < _LEAST:
        end = len(line.rstrip())
        raise _fault(number, end + 1, "found the end of the line, expected the player's points in columns 81 to 84")
    for column in _BLANKS:
        if line[column - 1 : column].strip():
            hint = ", because a name has at most 33 characters" if column == 48 else ""
            raise _fault(number, column, f"found {line[column - 1]!r}, expected a blank{hint}")
    start = _whole(line, number, 5, 8, "a start number")
    name = line[14:47].strip()
    if not start or not name:
        what, column = ("a start number from 1", 5) if not start else ("a name", 15)
        raise _fault(number, column, f"found nothing, expected {what}")
    points = line[80:84].strip().replace(",", ".")
    if not re.fullmatch(r"\d{1,3}(\.[05]?)?|\.5", points, re.ASCII):
        raise _fault(number, 81, f"found {points!r}, expected points such as 2.5")
    return TournamentPlayer(
        number=start,
        name=name,
        rounds=tuple(_read_rounds(line, number, start)),
        points=f"{float(points):.1f}",
        rank=_whole(line, number, 86, 89, "a place"),
        sex=line[9:10].strip(),
        title=line[10:13].strip(),
        rating=line[48:52].strip(),
        federation=line[53:56].strip(),
        fide_id=line[57:68].strip(),
        birth=line[69:79].strip(),
        line=number,
    )


def _read_player_in_any_columns(line: str, number: int, remarks: list[str]) -> TournamentPlayer:
    """Return the player of a line, whose columns may be counted in characters or in bytes of UTF-8, as some programs
    do.

    If the line can only be read in bytes, a remark is added to ``remarks``. Raises Unfit if it cannot be read in either
    way.
    """
    try:
        return _read_player(line, number)
    except Unfit as fault:
        if line.isascii():
            raise
        try:
            player = _read_player(line.encode().decode("latin-1"), number)
            name = player.name.encode("latin-1").decode()
        except (Unfit, UnicodeError):
            raise fault from None
        remarks.append(f"Line {number}: its columns are counted in bytes, and were read so.")
        return replace(player, name=name)


def _whole(line: str, number: int, first: int, last: int, what: str) -> int:
    """Return the whole number in the columns ``first`` to ``last`` of a line, from 1; 0 if they are blank.

    Raises Unfit for any other text. ``number`` is that of the line, and ``what`` says what was expected.
    """
    text = line[first - 1 : last].strip()
    if text and not (text.isdecimal() and text.isascii()):
        raise _fault(number, first, f"found {text!r}, expected {what} in columns {first} to {last}")
    return int(text or 0)


def _read_rounds(line: str, number: int, start: int) -> Iterator[RoundEntry]:
    """Yield what a player's line says of each round, in order; ``start`` is the player's own start number.

    Raises Unfit for what cannot be read or cannot be, such as the player as the own opponent, or a bye against
    somebody.
    """
    line = line.rstrip()
    for at in range(_FIRST_ROUND, len(line) + 1, _ROUND_WIDTH):
        cell = line[at - 1 : at + 7].ljust(8)
        for place in (at + 4, at + 6, at + 8, at + 9):
            if line[place - 1 : place].strip():
                raise _fault(
                    number, place, f"found {line[place - 1]!r}, expected a blank between opponent, colour and result"
                )
        opponent = _whole(line, number, at, at + 3, "the number of an opponent")
        colour, result = cell[5].lower().strip() or "-", cell[7].upper().strip()
        if colour not in "wb-":
            raise _fault(number, at + 5, f"found {cell[5]!r}, expected w, b or -")
        if result not in POINTS:
            raise _fault(number, at + 7, f"found {cell[7]!r}, expected one of: 1 0 = + - W D L H F U Z")
        if opponent == start:
            raise _fault(number, at, f"found {start}, the player's own number, expected that of an opponent")
        if opponent and result and result in BYES:
            raise _fault(number, at + 7, f"found {result}, a bye, against {opponent}, expected the opponent 0000")
        if not opponent and (colour != "-" or (result and result in "10WDL")):
            raise _fault(number, at, "found no opponent, expected the number of one, or a result of: H F U Z")
        if opponent and colour == "-" and result and result in _PLAYED:
            raise _fault(number, at + 5, "found no colour, expected w or b")
        byes = {"=": "H", "+": "U", "-": "Z"}
        yield RoundEntry(opponent, colour, result if opponent else byes.get(result, result))


def _in_order(players: dict[int, TournamentPlayer]) -> tuple[TournamentPlayer, ...]:
    """Return the players by their start numbers.

    Raises Unfit if there are none, or if their numbers are not all from 1 to the number of players.
    """
    if not players:
        raise Unfit("The file has no line 001, so it names no player; expected one for each.")
    for number in range(1, len(players) + 1):
        if number not in players:
            most = max(players)
            line = players[most].line
            found = f"found {most}, but no line has the start number {number}"
            raise _fault(line, 5, f"{found}, expected all from 1 to {len(players)}")
    return tuple(players[number] for number in sorted(players))


def _check_rounds(players: Sequence[TournamentPlayer]) -> None:
    """Do nothing if the lines of all opponents agree. ``players`` are by start number, from 1.

    Raises Unfit if somebody's opponent is not there or has another one in that round, or if their colours or results do
    not fit.
    """
    for player in players:
        for round, entry in enumerate(player.rounds, 1):
            column = _FIRST_ROUND + _ROUND_WIDTH * (round - 1)
            if entry.opponent > len(players):
                found = f"found the opponent {entry.opponent}"
                raise _fault(player.line, column, f"{found}, expected a start number from 1 to {len(players)}")
            if not entry.opponent:
                continue
            other = players[entry.opponent - 1]
            back = other.rounds[round - 1] if round <= len(other.rounds) else RoundEntry()
            if back.opponent != player.number:
                there = f"the opponent {back.opponent}" if back.opponent else "no opponent"
                found = f"found the opponent {other.number}, but line {other.line} has {there} in round {round}"
                raise _fault(player.line, column, f"{found}, expected the same in both")
            if back.colour == entry.colour != "-":
                found = f"found {entry.colour}, and line {other.line} has it too in round {round}"
                raise _fault(player.line, column + 5, f"{found}, expected w for one and b for the other")
            if back.result not in tuple(_OTHER_SIDE[entry.result]) and (back.result or entry.result):
                found = (
                    f"found the result {entry.result or 'blank'}, and line {other.line} has {back.result or 'blank'}"
                )
                raise _fault(player.line, column + 7, f"{found}, expected two results that fit together")


def _wrong_sums(players: Sequence[TournamentPlayer]) -> Iterator[str]:
    """Yield a remark, as a sentence, on each player whose points are not the sum of the rounds.

    Byes for rounds after the last game may be left out of that sum.
    """
    last = max((n for each in players for n, entry in enumerate(each.rounds, 1) if entry.opponent), default=0)
    for player in players:
        sums = {f"{float(points_of(rounds)):.1f}" for rounds in (player.rounds, player.rounds[:last])}
        if player.points not in sums:
            yield (
                f"Line {player.line}, column 81: the points of {player.name} are {player.points}, but the rounds give "
                f"{float(points_of(player.rounds)):.1f}, which count here."
            )


# --- writing ---


def write_tournament(tournament: Tournament) -> str:
    """Return the text of a tournament report, which pairing engines read (TRF). What is empty has no line.

    Raises:
        Unfit: There are too many players, or something is too long for its columns.
    """
    many = len(tournament.players)
    if many > MOST_PLAYERS:
        raise Unfit(f"A tournament report has room for {MOST_PLAYERS} players, not for {many}; leave some out.")
    headings = {
        "012": tournament.title,
        "022": tournament.place,
        "042": tournament.first_day.replace(".", "/"),
        "052": tournament.last_day.replace(".", "/"),
        "062": str(many),
    }
    lines = [f"{kind} {text}" for kind, text in headings.items() if text]
    lines += sorted(tournament.lines)
    if any(tournament.days):
        days = (day[2:].replace(".", "/").ljust(8) for day in tournament.days)
        lines.append(f"{'132':91}{'  '.join(days)}")
    if tournament.rounds:
        lines.append(f"XXR {tournament.rounds}")
    if tournament.game:
        lines.append(f"{GAME}{tournament.game}")
    return "".join(f"{line.rstrip()}\n" for line in (*lines, *map(_player_line, tournament.players)))


def _player_line(player: TournamentPlayer) -> str:
    """Return the line ``001`` of a player, with the rounds and without a line end.

    Raises Unfit if something is too long for its columns.
    """

    def fit(text: str, width: int, what: str) -> str:
        """Return a text unchanged if it is at most ``width`` characters long; raises Unfit, with ``what`` it is, if
        not.
        """
        if len(text) > width:
            columns = how_many(width, "column", "columns")
            raise Unfit(
                f"A tournament report has {columns} for {what}, but that of {player.name} is {text!r}; give a "
                "shorter one."
            )
        return text

    line = (
        f"001 {player.number:>4} {fit(player.sex, 1, 'the sex'):1}{fit(player.title, 3, 'the title'):>3} "
        f"{fit(player.name, LONGEST_NAME, 'the name'):33} {fit(player.rating, 4, 'the rating'):>4} "
        f"{fit(player.federation, 3, 'the federation'):3} {fit(player.fide_id, 11, 'the FIDE number'):>11} "
        f"{fit(player.birth, 10, 'the birth date'):10} {fit(player.points, 4, 'the points'):>4} "
        f"{fit(str(player.rank or ''), 4, 'the place'):>4}"
    )
    return line + "".join(f"  {_round_cell(entry)}" for entry in player.rounds)


def _round_cell(entry: RoundEntry) -> str:
    """Return the eight columns of a round: ``  12 w 1``, or ``0000 - U`` without an opponent."""
    if not entry.opponent:
        return f"0000 - {entry.result or 'Z'}"
    return f"{entry.opponent:>4} {entry.colour} {entry.result or ' '}"
