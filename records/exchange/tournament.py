"""Evenings as tournaments: the report of one for pairing engines and federations, and a report taken in as one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation.cgn.result import FORFEIT
from cartulary.notation.foreign.pgn import PGN
from cartulary.records.commands.result import ResultRequest, TableGame
from cartulary.records.exchange.results import TableAnswer, take_results
from cartulary.records.exchange.trf import (
    LONGEST_NAME,
    POINTS,
    RoundEntry,
    Tournament,
    TournamentPlayer,
    points_of,
)
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.aside_events import (
    ByeSet,
    EntrantsNumbered,
    EveningOpened,
    PersonCame,
    TableSet,
    TournamentStated,
)
from cartulary.records.log.aside_streams import append_aside, aside_events
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.evenings import (
    PREFIX,
    ClubEvening,
    Entrant,
    EveningBye,
    EveningTable,
    evening_key,
    evening_of,
    fold_evening,
)
from cartulary.records.state.fold import LiveGame, played_game, result_of, variant_of
from cartulary.records.state.games import load
from cartulary.records.state.people import people_of
from cartulary.records.texts import canonical_name, clean_name, now, one_spelling, single_spaced

USUAL_GAME = PGN.games[0]
"""The game of a report that names none."""
IS_RATED = "Rated"
"""The tag of a game that is not rated, because it ended before a move: ``no``."""
BYE_RESULTS = {"pairing": "U", "full": "F", "half": "H", "zero": "Z"}
"""By kind of bye, the result that a report has."""
_BYE_KINDS = {result: kind for kind, result in BYE_RESULTS.items()}
_ENTRIES = {
    "1-0": ("1", "0"),
    "0-1": ("0", "1"),
    "1/2-1/2": ("=", "="),
    "0-0": ("0", "0"),
}
"""By result, what a report has for the first seat and for the second."""
_NO_DAY = "????.??.??"
_FIRST_COLOUR = "XXC white1"
_UNIS_RATED = str.maketrans("10=", "WLD")
_UNPLAYED = str.maketrans("10", "+-")


class _Pair(Struct, frozen=True):
    """Two persons who meet in a round, as a report says.

    Attributes:
        round: The round.
        players: The persons, in the order of their seats.
        entries: What the report says of each.
        line: The line of the first.
    """

    round: int
    players: tuple[str, str]
    entries: tuple[RoundEntry, RoundEntry]
    line: int

    @property
    def result(self) -> str:
        """The result, such as ``1-0`` or ``1/2-1/2``, the first seat first; empty for an unfinished game."""
        shares = [str(POINTS[entry.result]) for entry in self.entries]
        return "-".join(shares) if any(entry.result for entry in self.entries) else ""

    @property
    def termination(self) -> str:
        """The tag Termination: ``forfeit`` if a win or a loss was given without play, otherwise empty."""
        return FORFEIT if {entry.result for entry in self.entries} <= {"+", "-"} else ""


class TournamentAnswer(Struct, frozen=True):
    """What became of a tournament report.

    Attributes:
        evening: The title of the evening.
        persons: How many persons it names.
        answers: What became of each game; ``line`` is that of the first seat.
        rounds: The round of each game, in the same order.
        stored: Whether everything was stored; False if a game was declined, or nothing should be.
        remarks: What was read otherwise than it is written, as sentences.
    """

    evening: str
    persons: int
    answers: tuple[TableAnswer, ...]
    rounds: tuple[int, ...]
    stored: bool
    remarks: tuple[str, ...]


# --- out ---


def tournament_report(store: Log, title: str) -> Tournament:
    """Return an evening as a tournament: its persons by start number, and what each did in every round.

    A person who has no table in a round gets the points of a bye, or none. Who has left, or has a bye there, is marked
    for the next round too, so that no engine pairs them. Games that are set aside are left out.

    Args:
        store: The log.
        title: The title of the evening.

    Returns:
        The tournament; its remarks say what a report cannot hold.

    Raises:
        Unfit: There is no such evening, or a game is not one of two that is won, drawn or lost.
        Declined: Somebody has two tables in a round, or two names are the same once they are cut.
        Damaged: A game cannot be read.
    """
    evening = evening_of(store, title)
    tables = [(table, load(store, table.game)) for table in evening.tables]
    tables = [(table, game) for table, game in tables if not game.book.set_aside]
    remarks = [] if evening.rounds else [_without_rounds(evening)]
    entries: dict[tuple[int, str], RoundEntry] = {}
    for table, game in tables:
        for person, entry in zip(table.players, _entries(evening, table, game, remarks), strict=True):
            if (table.round, person) in entries:
                raise Declined(
                    f"{person} has two tables in round {table.round} of {evening.title}, and a tournament report has "
                    "one game a round. Give one of them another round or evening, or set it aside."
                )
            entries[table.round, person] = entry
    last = max((table.round for table, _ in tables), default=0)
    days = _days_of(tables, last)
    known = sorted(day for day in (evening.date, *days) if day and "?" not in day)
    return Tournament(
        title=evening.title,
        players=_players(evening, entries, last, remarks),
        place=evening.place,
        first_day=known[0] if known else "",
        last_day=known[-1] if known else "",
        days=days,
        rounds=evening.rounds,
        game=_game_name([game for _, game in tables], remarks),
        lines=_lines(evening, last, remarks),
        remarks=tuple(remarks),
    )


def _without_rounds(evening: ClubEvening) -> str:
    """Return the remark that nobody said how many rounds an evening has, which pairing engines need."""
    return (
        f"Pairing engines need the number of rounds; `evening open '{evening.title}' --rounds 7` states it, so that "
        "it is written."
    )


def _lines(evening: ClubEvening, last: int, remarks: list[str]) -> tuple[str, ...]:
    """Return the further lines of a report, which are kept as they were read.

    Before the first round, when ``last`` is 0, engines need the colour of the first player. If no line says it, one is
    added, and a remark to ``remarks``.
    """
    if last or any("white1" in line or "black1" in line for line in evening.lines):
        return evening.lines
    remarks.append(
        f"`{_FIRST_COLOUR}` gives start number 1 the first colour; write `XXC black1` there if the lot says so."
    )
    return (*evening.lines, _FIRST_COLOUR)


def _entries(
    evening: ClubEvening, table: EveningTable, game: LiveGame, remarks: list[str]
) -> tuple[RoundEntry, RoundEntry]:
    """Return what a report says of a game for each of its two seats: the opponent, the colour and the result.

    The result is empty for a game that is not decided, which is added to ``remarks``.

    Raises:
        Unfit: It is not a game of two that is won, drawn or lost.
    """
    where = f"table {table.number} of round {table.round}, {table.game}"
    if len(table.players) != 2:
        seats = f"{played_game(game).about.title} with {len(table.players)} persons"
        raise Unfit(f"At {where}, is {seats}; a tournament report needs games of two.")
    result = result_of(game) if game.book.closed else "*"
    if result == "*":
        remarks.append(f"At {where}, the game is not decided, so its result is blank; pairing engines refuse that.")
        here = there = ""
    elif result not in _ENTRIES:
        raise Unfit(f"At {where}, the result is {result}; a tournament report needs 1, 1/2 or 0 for each of two.")
    else:
        here, there = _ENTRIES[result]
    if game.book.termination == FORFEIT:
        here, there = here.translate(_UNPLAYED), there.translate(_UNPLAYED)
    elif game.record.tag(IS_RATED) == "no":
        here, there = here.translate(_UNIS_RATED), there.translate(_UNIS_RATED)
    first, second = map(evening.number_of, table.players)
    return RoundEntry(second, "w", here), RoundEntry(first, "b", there)


def _days_of(tables: Sequence[tuple[EveningTable, LiveGame]], last: int) -> tuple[str, ...]:
    """Return the day of each round up to ``last``, as the first table of the round has it, empty for one that is not
    known.

    If no round has a day, the answer is an empty tuple.
    """
    days = {table.round: game.record.tag("Date") for table, game in reversed(tables)}
    known = tuple(day if "?" not in (day := days.get(round, "?")) else "" for round in range(1, last + 1))
    return known if any(known) else ()


def _players(
    evening: ClubEvening, entries: Mapping[tuple[int, str], RoundEntry], last: int, remarks: list[str]
) -> tuple[TournamentPlayer, ...]:
    """Return the players of a report by start number, with points and places after the last round that has tables.

    Args:
        evening: The evening.
        entries: By round and person, what a game says.
        last: The last round that has tables, 0 for none.
        remarks: Gets a remark on each name that is cut.

    Raises:
        Declined: Two names are the same once they are cut.
    """
    byes = {(bye.round, bye.person): RoundEntry(0, "-", BYE_RESULTS[bye.kind]) for bye in evening.byes}
    players = []
    for number, entrant in enumerate(evening.entrants, 1):
        rounds = [(round, entrant.name) for round in range(1, last + 1)]
        played = [entries.get(at) or byes.get(at) or RoundEntry(0, "-", "Z") for at in rounds]
        points = f"{float(points_of(played)):.1f}"
        next_bye = byes.get((last + 1, entrant.name))
        if next_bye is None and entrant.name not in evening.present:
            next_bye = RoundEntry(0, "-", "Z")
        ahead = [next_bye] if next_bye and last != evening.rounds else []
        name = entrant.name[:LONGEST_NAME].rstrip()
        if name != entrant.name:
            remarks.append(f"The name {entrant.name} is written as {name}, because a report has 33 columns for it.")
        sex, title, rating, federation, fide_id, birth = entrant.details or ("",) * 6
        players.append(
            TournamentPlayer(
                number=number,
                name=name,
                rounds=(*played, *ahead),
                points=points,
                sex=sex,
                title=title,
                rating=rating,
                federation=federation,
                fide_id=fide_id,
                birth=birth,
            )
        )
    twice = next((name for name, count in Counter(player.name for player in players).items() if count > 1), "")
    if twice:
        raise Declined(
            f"Two names are both {twice} in the 33 columns of a report; `people rename` gives a shorter one."
        )
    order = sorted(players, key=lambda player: (-float(player.points), player.number))
    places = {player.number: place for place, player in enumerate(order, 1)}
    return tuple(replace(player, rank=places[player.number]) for player in players)


def _game_name(games: Sequence[LiveGame], remarks: list[str]) -> str:
    """Return the name of the game that all are, with the variant if it is not the first; empty for the usual one.

    If they differ, the answer is empty too, and a remark is added to ``remarks``.
    """
    names: dict[str, None] = {}
    for game in games:
        about, variant = played_game(game).about, variant_of(game)
        name = f"{about.title} {variant}" if variant not in ("", about.variants[0]) else about.title
        names[name] = None
    if len(names) > 1:
        remarks.append(f"The games are {' and '.join(names)}; a tournament report cannot say which is which.")
        return ""
    return next((name for name in names if name != USUAL_GAME), "")


# --- in ---


def take_tournament(store: Log, tournament: Tournament, *, by: str = "", dry: bool = False) -> TournamentAnswer:
    """Take a tournament in as an evening with rounds and tables, and each game as one of which only the result is
    known.

    What is here already is not stored again: neither the games of the evening, nor games of its event and round that
    were imported before with their moves. A game without a result is left out with a remark.

    Args:
        store: The log.
        tournament: The tournament.
        by: Who imports it.
        dry: Whether nothing is stored; the answer then says what would become of the games.

    Returns:
        What became of it. If a game contradicts one that is here, it is declined, and nothing is stored.

    Raises:
        Unfit: A name, the title or another text cannot be; or the file is of an older version and can only be read.
        Declined: Two players are one person, or an evening has a title that differs only in hyphens and the like.
    """
    title = single_spaced(one_spelling(tournament.title))
    key = evening_key(title)
    recorded = aside_events(store, f"{PREFIX}{key}")
    evening = fold_evening(key, recorded, people_of(store)) if recorded else ClubEvening(key, title, "", "")
    if evening.title.casefold() != title.casefold():
        raise Declined(
            f"There is an evening {evening.title}, which differs in hyphens and the like only; change line 012."
        )
    names = _names(store, tournament, evening)
    pairs = _in_board_order(tournament, _pairs(tournament, names))
    remarks = [*tournament.remarks]
    for pair in pairs:
        if not pair.result:
            both = " and ".join(pair.players)
            remarks.append(
                f"Line {pair.line}: the game of {both} in round {pair.round} has no result, and is left out."
            )
    pairs = [pair for pair in pairs if pair.result]
    settled, tables = _answers(store, tournament, evening, pairs, dry)
    stored = not dry and all(answer.status != "declined" for answer in settled)
    if stored:
        _note(store, tournament, evening, names, tables, by)
    rounds = tuple(pair.round for pair in pairs)
    return TournamentAnswer(evening.title, len(names), settled, rounds, stored, tuple(remarks))


def _names(store: Log, tournament: Tournament, evening: ClubEvening) -> tuple[str, ...]:
    """Return the name under which each player is known here, by start number.

    A name that fills its columns is that of the one person of the evening whose name begins so.

    Raises:
        Declined: Two players are one person.
        Unfit: A name is empty, ``?``, or cannot be stored.
    """
    shown = people_of(store).display_name
    lines: dict[str, int] = {}
    for player in tournament.players:
        name = shown(clean_name(canonical_name(player.name)))
        if len(player.name) == LONGEST_NAME and not evening.number_of(name):
            longer = [each.name for each in evening.entrants if each.name.startswith(player.name)]
            name = longer[0] if len(longer) == 1 else name
        if name in ("", "?"):
            raise Unfit(f"Line {player.line}, column 15: {player.name!r} is no name; expected that of a person.")
        if name in lines:
            raise Declined(
                f"Lines {lines[name]} and {player.line} both name {name}. If they are two persons, add to "
                "one name what tells them apart."
            )
        lines[name] = player.line
    return tuple(lines)


def _pairs(tournament: Tournament, names: Sequence[str]) -> Iterator[_Pair]:
    """Yield who meets whom in every round, each pair once; byes are left out.

    The player with white has the first seat, or without colours the lower start number. ``names`` are by start number.
    """
    for player in tournament.players:
        for round, entry in enumerate(player.rounds, 1):
            if not entry.opponent:
                continue
            other = tournament.players[entry.opponent - 1]
            back = other.rounds[round - 1]
            colours = (entry.colour, back.colour)
            if "w" in colours or "b" in colours:
                is_white = entry.colour == "w" or back.colour == "b"
            else:
                is_white = player.number < other.number
            if is_white:
                both = (names[player.number - 1], names[other.number - 1])
                yield _Pair(round, both, (entry, back), player.line)


def _in_board_order(tournament: Tournament, pairs: Iterator[_Pair]) -> list[_Pair]:
    """Return pairs by round, and in each by the points before it.

    First comes the pair of the better player, then the greater sum of both, then the lower start number.

    Source: FIDE, Handbook C.04.2, D.9 (order of the boards)
    """
    numbers = {player.line: player.number for player in tournament.players}

    def place(pair: _Pair) -> tuple[int, Fraction, Fraction, int]:
        """Return what the pairs are sorted by: round, the better player's points and the sum of both, greatest first,
        and number.
        """
        first = numbers[pair.line]
        both = (first, tournament.players[first - 1].rounds[pair.round - 1].opponent)
        points = [points_of(tournament.players[number - 1].rounds[: pair.round - 1]) for number in both]
        return pair.round, -max(points), -(points[0] + points[1]), min(both)

    return sorted(pairs, key=place)


def _answers(
    store: Log, tournament: Tournament, evening: ClubEvening, pairs: Sequence[_Pair], dry: bool
) -> tuple[tuple[TableAnswer, ...], list[EveningTable]]:
    """Store the games that are new, and return what became of each pair.

    If one contradicts the evening or is declined, or if ``dry`` is true, nothing is stored.

    Returns:
        An answer for each pair, in their order, and the tables that the evening lacks.
    """
    here = {(table.round, person): table for table in evening.tables for person in table.persons}
    answers: dict[int, TableAnswer] = {}
    for at, pair in enumerate(pairs):
        there = [here[pair.round, person] for person in pair.players if (pair.round, person) in here]
        if there:
            because = _contradiction(store, pair, there)
            status = "declined" if because else "known"
            answers[at] = TableAnswer(pair.line, status, there[0].game if not because else "", because)
    new = [at for at in range(len(pairs)) if at not in answers]
    numbers = _table_numbers(evening, pairs, new)
    games = [_table_game(tournament, evening, pairs[at], numbers[at]) for at in new]
    looked_up = take_results(store, games, dry=True)
    for at, answer in zip(new, looked_up, strict=True):
        event = next((id for id in answer.alike if _is_of_event(store, id, evening, pairs[at])), "")
        answers[at] = TableAnswer(answer.line, "known", event) if event else answer
    declined = any(answer.status == "declined" for answer in answers.values())
    if not (dry or declined):
        take_results(store, [game for at, game in zip(new, games, strict=True) if answers[at].status == "new"])
    tables = [
        EveningTable(pairs[at].round, numbers[at], answers[at].id, pairs[at].players)
        for at in new
        if answers[at].status != "declined"
    ]
    return tuple(answers[at] for at in range(len(pairs))), tables


def _contradiction(store: Log, pair: _Pair, there: Sequence[EveningTable]) -> str:
    """Return a sentence on why a pair cannot be where the evening has other tables for its persons.

    It is empty if the same game is there already, with the same result, or is set aside. ``there`` are the tables of
    the evening at which these persons sit in that round, at least one.
    """
    table = there[0]
    where = f"table {table.number} of round {table.round}, {table.game}"
    both = " and ".join(pair.players)
    if len(there) != 2 or there[1] != table or set(table.players) != set(pair.players):
        return f"Round {pair.round} has {both}, but here {' and '.join(table.persons)} are at {where}. Correct either."
    game = load(store, table.game)
    if game.book.set_aside:
        return ""
    if not game.book.closed:
        return f"{both} are at {where}, which is still open; close it with `close {table.game} {pair.result}`."
    result = result_of(game)
    if (table.players, result) != (pair.players, pair.result):
        return (
            f"{both} have {pair.result}, but at {where}, {' and '.join(table.players)} have {result}. Correct either."
        )
    return ""


def _table_numbers(evening: ClubEvening, pairs: Sequence[_Pair], new: Sequence[int]) -> dict[int, int]:
    """Return by the index of each new pair in ``pairs`` the number of its table, counted on after those that its round
    has.
    """
    last: dict[int, int] = {}
    numbers = {}
    for at in new:
        round = pairs[at].round
        tables = (table.number for table in evening.tables_of(round))
        numbers[at] = last[round] = last.get(round, max(tables, default=0)) + 1
    return numbers


def _table_game(tournament: Tournament, evening: ClubEvening, pair: _Pair, number: int) -> TableGame:
    """Return the game of a pair as it is to be recorded at the table with this number, with its line in the report.

    The id of its command is computed from evening, round and players, so that the game is stored only once.
    """
    unrated = {entry.result for entry in pair.entries} <= {"W", "L", "D"}
    made = sha256(repr((evening.key, pair.round, pair.players)).encode()).hexdigest()[:24]
    shares = (POINTS[entry.result] for entry in pair.entries)
    request = ResultRequest(
        game=tournament.game or USUAL_GAME,
        players=tuple(f"{name}={share}" for name, share in zip(pair.players, shares, strict=True)),
        date=_day_of(tournament, evening, pair.round),
        place=evening.place or single_spaced(tournament.place),
        event=evening.title,
        tags={"Round": str(pair.round), "Board": str(number)} | ({IS_RATED: "no"} if unrated else {}),
        termination=pair.termination,
        command=f"trf-{made}",
    )
    return TableGame(pair.line, request)


def _day_of(tournament: Tournament, evening: ClubEvening, round: int) -> str:
    """Return the day of a round as in the tag Date, with ``??`` for what is not known.

    If the report has no day for it, it is what the first and the last day of the tournament have in common:
    ``2026.11.??``.
    """
    if round <= len(tournament.days) and tournament.days[round - 1]:
        return tournament.days[round - 1]
    first, last = tournament.first_day, tournament.last_day or tournament.first_day
    if not first:
        return evening.date or _NO_DAY
    year, month, _ = first.split(".")
    if first == last:
        return first
    if last.startswith(f"{year}.{month}."):
        return f"{year}.{month}.??"
    return f"{year}.??.??" if last.startswith(f"{year}.") else _NO_DAY


def _is_of_event(store: Log, id: str, evening: ClubEvening, pair: _Pair) -> bool:
    """Say whether a stored game has the title of the evening as its tag Event, in any capitals, and the round of the
    pair.
    """
    record = load(store, id).record
    return record.tag("Event").casefold() == evening.title.casefold() and record.tag("Round") == str(pair.round)


def _note(
    store: Log,
    tournament: Tournament,
    evening: ClubEvening,
    names: Sequence[str],
    tables: Sequence[EveningTable],
    by: str,
) -> None:
    """Append to the stream of the evening the events for what the report says of it and it does not have yet.

    Args:
        store: The log.
        tournament: The tournament.
        evening: The evening as it was when the report was checked.
        names: The names of the players, by start number.
        tables: The tables that are to be set.
        by: Who imports it.
    """
    people = people_of(store)

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        there = fold_evening(evening.key, recorded, people) if recorded else None
        return list(_events(tournament, evening, there, names, tables, by))

    append_aside(store, evening.stream, draft)


def _events(
    tournament: Tournament,
    evening: ClubEvening,
    there: ClubEvening | None,
    names: Sequence[str],
    tables: Sequence[EveningTable],
    by: str,
) -> Iterator[Event]:
    """Yield the events that an evening lacks.

    Args:
        tournament: The tournament.
        evening: The evening as it was when the report was checked.
        there: The evening as it is; None if it is not opened yet.
        names: The names of the players, by start number.
        tables: The tables that are to be set.
        by: Who imports it.
    """
    at, by = now(), clean_name(by)
    if there is None:
        days = (tournament.first_day, *tournament.days)
        day = next(filter(None, days), _NO_DAY)
        yield EveningOpened(at=at, by=by, title=evening.title, date=day, place=single_spaced(tournament.place))
        there = evening
    else:  # a report of this evening has the line for the first colour of itself
        added = _FIRST_COLOUR not in there.lines
        tournament = replace(tournament, lines=_without(tournament.lines, _FIRST_COLOUR if added else ""))
    rounds, lines = tournament.rounds or there.rounds, tournament.lines or there.lines
    if (rounds, sorted(lines)) != (there.rounds, sorted(there.lines)):
        yield TournamentStated(at=at, by=by, rounds=rounds, lines=lines)
    known = {entrant.name for entrant in there.entrants}
    for name in names:
        if name not in known:
            yield PersonCame(at=at, by=by, person=name)
    entrants = tuple(Entrant(name, _details(player)) for name, player in zip(names, tournament.players, strict=True))
    if there.entrants[: len(entrants)] != entrants:
        details = tuple(";".join(entrant.details) for entrant in entrants)
        yield EntrantsNumbered(at=at, by=by, persons=tuple(names), details=details)
    for table in tables:
        if there.table_at(table.round, table.number) is None:
            yield TableSet(
                at=at,
                by=by,
                round=table.round,
                table=table.number,
                game=table.game,
                players=table.players,
                waiting=(),
            )
    for bye in _byes(tournament, there, names):
        yield ByeSet(at=at, by=by, round=bye.round, person=bye.person, kind=bye.kind)


def _without(lines: Sequence[str], line: str) -> tuple[str, ...]:
    """Return lines, in their order, without those that equal ``line``."""
    return tuple(each for each in lines if each != line)


def _details(player: TournamentPlayer) -> tuple[str, ...]:
    """Return sex, title, rating, federation, FIDE number and birth of a player, without semicolons; empty if all are
    empty.
    """
    details = (player.sex, player.title, player.rating, player.federation, player.fide_id, player.birth)
    plain = tuple(single_spaced(text.replace(";", "")) for text in details)
    return plain if any(plain) else ()


def _byes(tournament: Tournament, there: ClubEvening, names: Sequence[str]) -> Iterator[EveningBye]:
    """Yield the byes that an evening lacks. ``there`` is the evening, and ``names`` are the players by start number.

    One without points counts only in a round after the last that has a game, where it says that the person will not
    play.
    """
    rounds = [number for each in tournament.players for number, entry in enumerate(each.rounds, 1) if entry.opponent]
    last = max((*rounds, there.last_round), default=0)
    known = {(bye.round, bye.person): bye.kind for bye in there.byes}
    gone = {entrant.name for entrant in there.entrants}.difference(there.present)
    for name, player in zip(names, tournament.players, strict=True):
        for round, entry in enumerate(player.rounds, 1):
            kind = "" if entry.opponent else _BYE_KINDS.get(entry.result, "")
            if kind and known.get((round, name)) != kind and (kind != "zero" or (round > last and name not in gone)):
                yield EveningBye(round, name, kind)
