"""Plays that other programs have logged: the export of BG Stats, and the plays of BoardGameGeek, saved as files.

Each play is a finished game of which only the result is known. Nothing is fetched from a network.

Source: the export and play files of Board Game Stats, JSON with ``players``, ``games``, ``locations`` and ``plays``
(a play file: https://pastebin.com/iDbHyBui); the answer to ``/xmlapi2/plays`` of BoardGameGeek's XML API 2 (samples:
``test/xml`` of https://github.com/lcosmin/boardgamegeek, ``test_data/plays`` of https://docs.rs/crate/arnak)
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from hashlib import sha256
from typing import TypeVar
from xml.etree import ElementTree

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.records.commands.result import ResultRequest, TableGame
from cartulary.records.faults import Unfit, decode_fault

LARGEST = 1 << 26
"""The size in bytes of the largest file that is read."""
MOST_TIMES = 99
"""How often one entry may say that a game was played."""
_PLAYS_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>)?\s*(?:<!DOCTYPE\s+plays\b|<plays\b)")
_PLAYS_JSON = re.compile(rb'"(?:deletedObjects|playerScores|playerRefId|gameRefId|bggUsername|bggId|highestWins)"')
_Part = TypeVar("_Part")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,2})?")
"""Points that are read as a number. ``1,024`` is not: its sign may stand before decimals or before thousands."""


class _Name(Struct, frozen=True):
    """A player or a place of a file of BG Stats."""

    id: int
    name: str = ""
    isAnonymous: bool = False


class _Game(Struct, frozen=True):
    """A game of a file of BG Stats, with how its winner follows."""

    id: int
    name: str = ""
    cooperative: bool = False
    highestWins: bool = True


class _Score(Struct, frozen=True):
    """What one player came to in a play of BG Stats."""

    playerRefId: int
    score: str | int | float | None = ""
    winner: bool | None = False
    rank: int | None = 0
    seatOrder: int | None = 0
    team: str | None = ""


class _Play(Struct, frozen=True):
    """One play of a file of BG Stats."""

    gameRefId: int
    playDate: str = ""
    uuid: str = ""
    durationMin: int | None = 0
    locationRefId: int | None = 0
    comments: str | None = ""
    ignored: bool | None = False
    playerScores: tuple[_Score, ...] = ()


class _File(Struct, frozen=True):
    """A file of BG Stats; each part of a list is read for itself, so that one at fault spoils no other."""

    plays: tuple[msgspec.Raw, ...]
    games: tuple[msgspec.Raw, ...]
    players: tuple[msgspec.Raw, ...] = ()
    locations: tuple[msgspec.Raw, ...] = ()


class _Seat(Struct, frozen=True):
    """A player of a play of either program.

    Attributes:
        name: The name, ``?`` if it is not known.
        score: The points as written; empty for none.
        won: Whether the player is marked as a winner.
        rank: The place, 0 if it is not stated.
        team: The name of the team, empty for none.
    """

    name: str
    score: str
    won: bool
    rank: int = 0
    team: str = ""


def is_play_log(head: bytes) -> bool:
    """Say whether a file begins as a log of plays does: the XML of BoardGameGeek, or the JSON of BG Stats.

    ``head`` is its first part; the longer it is, the surer is the answer.
    """
    return bool(_PLAYS_XML.match(head) or (head.lstrip()[:1] == b"{" and _PLAYS_JSON.search(head)))


def read_plays(data: bytes) -> tuple[TableGame, ...]:
    """Return the plays of a file, in its order; ``line`` of each is its number among them, from 1.

    The file is the XML of BoardGameGeek or the JSON of BG Stats. A play that cannot be recorded is among them and says
    why.

    Args:
        data: The file.

    Raises:
        Unfit: It is too large, or no log of plays.
    """
    if len(data) > LARGEST:
        raise Unfit(f"The file has {len(data):,} bytes; expected at most {LARGEST:,}. Export fewer plays at a time.")
    plays = _bgg_plays(data) if _PLAYS_XML.match(data) else _bg_stats_plays(data)
    alike: Counter[str] = Counter()
    return tuple(play if play.request.command else _with_command(play, alike) for play in plays)


def _with_command(play: TableGame, alike: Counter[str]) -> TableGame:
    """Return a play to which its program gave no id with one made of what it says, so that it is known when imported
    again.

    ``alike`` counts the plays that say the same, and is counted up here; two such plays in one file are two games.
    """
    words = repr(play.request)
    alike[words] += 1
    made = sha256(f"{words} {alike[words]}".encode()).hexdigest()[:24]
    return replace(play, request=replace(play.request, command=f"play-{made}"))


def _bg_stats_plays(data: bytes) -> Iterator[TableGame]:
    """Yield the plays of BG Stats' export, in the order of the file. Raises Unfit if the file is none.

    A play that cannot be read or recorded is yielded too, with ``because`` saying why.
    """
    try:
        file = msgspec.json.decode(data, type=_File)
    except msgspec.MsgspecError as fault:
        raise Unfit(f"The file is no export of BG Stats: {decode_fault(fault)}.") from None
    games = {game.id: game for game in _readable(file.games, _Game)}
    names = _readable(file.players, _Name)
    players = {player.id: "?" if player.isAnonymous else player.name.strip() or "?" for player in names}
    places = {place.id: place.name for place in _readable(file.locations, _Name)}
    for number, raw in enumerate(file.plays, 1):
        try:
            play = msgspec.json.decode(raw, type=_Play)
        except msgspec.MsgspecError as fault:
            because = f"it cannot be read: {decode_fault(fault)}"
            yield TableGame(number, ResultRequest(game="", players=()), because=because)
            continue
        game = games.get(play.gameRefId)
        unknown = next((score.playerRefId for score in play.playerScores if score.playerRefId not in players), None)
        because = "it is marked as ignored there" if play.ignored else ""
        if unknown is not None:
            because = f"its player {unknown} is not in the file"
        if game is None:
            because = f"its game {play.gameRefId} is not in the file"
        ordered = sorted(play.playerScores, key=lambda score: score.seatOrder or 0)
        seats = [
            _Seat(
                players.get(score.playerRefId, "?"),
                "" if score.score is None else str(score.score).strip(),
                bool(score.winner),
                score.rank or 0,
                score.team or "",
            )
            for score in ordered
        ]
        yield _game_of(
            number,
            seats,
            because,
            title=game.name if game else "",
            fewest=game is not None and not game.highestWins,
            together=game is not None and game.cooperative,
            day=play.playDate[:10],
            minutes=play.durationMin or 0,
            site=places.get(play.locationRefId or 0, ""),
            comment=play.comments or "",
            command=f"bgstats-{play.uuid}" if play.uuid else "",
        )


def _readable(parts: Iterable[msgspec.Raw], kind: type[_Part]) -> Iterator[_Part]:
    """Yield the parts of a JSON list that can be read as a kind; the others are skipped, since plays that need them say
    so.
    """
    for raw in parts:
        with suppress(msgspec.MsgspecError):
            yield msgspec.json.decode(raw, type=kind)


def _bgg_plays(data: bytes) -> Iterator[TableGame]:
    """Yield the plays of BoardGameGeek's XML, in its order, one for each time that an entry was played, at most
    ``MOST_TIMES``.

    An unfinished play is yielded too, with ``because`` saying why it cannot be recorded. Raises Unfit if the file is no
    such XML.
    """
    try:
        text = data.decode("utf-8-sig")  # whatever encoding it declares, so that no declaration of entities is hidden
    except UnicodeDecodeError:
        raise Unfit("The file is not UTF-8, as plays of BoardGameGeek are; expected its XML as it came.") from None
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise Unfit("The file declares entities, which plays of BoardGameGeek never do; expected its XML as it came.")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as fault:
        raise Unfit(f"The file is no XML of plays: {fault}.") from None
    number = 0
    for play in root.iter("play"):
        item = play.find("item")
        seats = [
            _Seat(
                player.get("name", "") or player.get("username", "") or "?",
                player.get("score", "").strip(),
                player.get("win") == "1",
            )
            for player in play.iter("player")
        ]
        because = "it was not finished" if play.get("incomplete") == "1" else ""
        for time in range(1, min(max(_whole(play.get("quantity", "1")), 1), MOST_TIMES) + 1):
            number += 1
            yield _game_of(
                number,
                seats,
                because,
                title=item.get("name", "") if item is not None else "",
                day=play.get("date", ""),
                minutes=_whole(play.get("length", "0")),
                site=play.get("location", ""),
                comment=play.findtext("comments", ""),
                command=f"bgg-{play.get('id', '')}-{time}" if play.get("id") else "",
            )


def _whole(text: str) -> int:
    """Return the whole number that a text of at most six digits is, 0 for any other text."""
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def _game_of(
    number: int,
    seats: Sequence[_Seat],
    because: str,
    *,
    title: str,
    day: str,
    minutes: int,
    site: str,
    comment: str,
    command: str,
    fewest: bool = False,
    together: bool = False,
) -> TableGame:
    """Return a play as a game to be recorded.

    The points count if everybody has some, nobody is in a team, and they make those win who are marked as winners, if
    any are; otherwise the places do. Of a game that the table wins or loses together neither counts, but only whether
    anybody is marked.

    Args:
        number: Its number in the file.
        seats: The players; for none the answer says that it cannot be recorded.
        because: Why it cannot be recorded; empty if it can.
        title: The name of the game.
        day: The day, as 2026-11-01.
        minutes: How long it took, 0 if that is not known.
        site: Where it was played.
        comment: What was noted.
        command: The id that makes it harmless to import the play again; empty if its program gave it none.
        fewest: Whether the fewest points win.
        together: Whether the table wins or loses together.
    """
    points = [_NUMBER.fullmatch(seat.score) is not None for seat in seats]
    winners = {seat.name for seat in seats if seat.won}
    teams = _teams(seats)
    note, counted = " ".join(comment.split()), ":".join(seat.score or "-" for seat in seats)
    request = ResultRequest(
        game=title,
        players=tuple(seat.name for seat in seats),
        date=_day(day),
        duration=str(minutes) if minutes > 0 else "",
        place=site.strip(),
        tags={"Comment": note} if note else {},
        command=command,
    )
    if not seats:
        because = because or "nobody is named in it"
    elif together:
        request = replace(request, table="won" if winners else "lost")
    elif all(points) and not teams and _decides(seats, winners, fewest):
        players = tuple(f"{seat.name}={seat.score.replace(',', '.')}" for seat in seats)
        request = replace(request, players=players, winner="fewest" if fewest else "most")
    else:
        if not winners and not any(seat.rank for seat in seats):
            because = because or "it says neither who has won nor the points of everybody"
        players = tuple(f"{seat.name}={1 if seat.won else max(seat.rank, 2)}" for seat in seats)
        tags = {**request.tags, **({"Counted": counted} if any(points) else {})}
        request = replace(request, players=players, places=True, teams=teams, tags=tags)
    return TableGame(number, request, because=because)


def _decides(seats: Iterable[_Seat], winners: set[str], fewest: bool) -> bool:
    """Say whether the points make exactly those win who are marked as winners; it is true too if nobody is marked.

    ``winners`` are their names. The points of every seat must be a number. With ``fewest`` the fewest points win.
    """
    values = {seat.name: float(seat.score.replace(",", ".")) for seat in seats}
    best = min(values.values()) if fewest else max(values.values())
    return not winners or winners == {name for name, value in values.items() if value == best}


def _teams(seats: Iterable[_Seat]) -> str:
    """Return the number of each seat's team, ``1:2:1:2``, numbered as they first come; empty if nobody is in a team.

    Beside teams, whoever is in none is a team of one.
    """
    names = [seat.team for seat in seats]
    if not any(names):
        return ""
    numbers: dict[str, int] = {}
    for place, name in enumerate(names):
        numbers.setdefault(name or f"\0{place}", len(numbers) + 1)
    return ":".join(str(numbers[name or f"\0{place}"]) for place, name in enumerate(names))


def _day(text: str) -> str:
    """Return a day as CGN has it, ``2026-11-01`` -> ``2026.11.01``; a text that is none is returned as it is, to be
    refused later.
    """
    try:
        return date.fromisoformat(text).strftime("%Y.%m.%d")
    except ValueError:
        return text
