"""The tree of openings as a page: which words followed, how often, with which results, by seat and by season."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from http import HTTPStatus
from typing import Any

from markupsafe import Markup

from cartulary.engine import Refused
from cartulary.notation import Line, NotationError, Record, draw, find_game
from cartulary.notation.arbiter.positions import position_at
from cartulary.records import api
from cartulary.records.faults import Unfit
from cartulary.records.library.explorer import Continuation, OpeningTree, SeasonResults, tree_fields
from cartulary.web.games import MOST_EVENTS, menu, title_of
from cartulary.web.inquiry import Inquiry, RequestFault, check_sees_everything
from cartulary.web.pages import count, game_link, link, svg_markup
from cartulary.web.pages import title_of as title_of_players

PARAMETERS = ("game", "words", "player", "event", "date")
"""The parameters of the tree of openings, named as on the command line."""
MOST_WORDS = 30
"""Words that the page lists; the JSON view has all."""
COLOURS = ("white", "black")
"""The seats that are called by a colour, in which their bars are drawn."""
LAST_GAMES = 20
"""How many of the last games that nobody judges are looked through for moves."""
_NUMBERED = re.compile(r"([A-Za-z])(\d)$")
MOST_GAMES = 8
"""Games that the page lists."""
WIDE, TALL = 240, 22
"""The size of a bar, in units of its drawing."""
_READABLE = 13
"""The smallest part of a bar, in percent, in which its number is written."""


def _words(inquiry: Inquiry) -> tuple[str, ...]:
    """Return the first words of a game that the parameter ``words`` names, empty for the start."""
    return tuple(inquiry.value("words").split())


def _query(inquiry: Inquiry) -> "api.Query":
    """Return which games the parameters of the address ask for."""
    return api.Query(
        game=inquiry.value("game"),
        player=inquiry.values("player"),
        event=inquiry.value("event"),
        date=inquiry.value("date"),
    )


def explorer_fields(inquiry: Inquiry) -> object:
    """Return what followed some first words as `explore --json` gives it.

    Raises RequestFault, with status 403, on a server that shows the view of a seat.
    """
    check_sees_everything(inquiry, "Openings")
    return tree_fields(api.explore(inquiry.store, _query(inquiry), _words(inquiry)))


def explorer(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of openings; without a game it offers those there are.

    What cannot be shown is explained on the page.
    """
    check_sees_everything(inquiry, "Openings")
    there = api.standings_choices(inquiry.store)
    status, says, tree = HTTPStatus.OK, "", None
    words: tuple[str, ...] = ()
    try:
        words = _words(inquiry)
        tree = api.explore(inquiry.store, _query(inquiry), words) if inquiry.value("game") else None
    except (Unfit, RequestFault) as fault:
        says, status = str(fault), HTTPStatus.BAD_REQUEST
    games = [(game, title_of(game)) for game in there.games if _has_openings(inquiry, game)]
    player = inquiry.values("player")
    values = {
        "status": status,
        "says": says,
        "of_game": menu(inquiry, "game", "Game", [("", "choose a game"), *games]),
        "fields": [
            menu(inquiry, "date", "Season", [("", "all years"), *there.seasons]),
            menu(
                inquiry, "event", "Event", [("", "every event"), *((each, each) for each in there.events[:MOST_EVENTS])]
            ),
            {"name": "player", "label": "Player", "hint": "", "value": player[0] if player else "", "choices": []},
        ],
        "words": " ".join(words),
        "games": [(title, link("/explore", [("game", game)])) for game, title in games],
        "tree": tree is not None,
    }
    return values | _shown(inquiry, tree) if tree is not None else values


def _shown(inquiry: Inquiry, tree: OpeningTree) -> dict[str, Any]:
    """Return the values with which the page shows what followed some first words."""
    kept = [(name, value) for name, value in inquiry.parameters if name != "words"]

    def to(words: Sequence[str]) -> str:
        return link("/explore", [*kept, ("words", " ".join(words))])

    seats = max((len(each.shares) for each in tree.next), default=0)
    names = _seat_names(inquiry.value("game"), seats)
    years = [each.year for each in tree.seasons if each.year]
    latest = api.games_after(inquiry.store, _query(inquiry), tree.words, MOST_GAMES)
    return {
        "about": count(tree.games, "game"),
        "path": [("Start", to(()))] + [(word, to(tree.words[: at + 1])) for at, word in enumerate(tree.words)],
        "legend": [(_tone(seat, name), name) for seat, name in enumerate(names, 1)],
        "draws": len(names) == 2,
        "rows": [
            {
                "word": each.word or "(ended)",
                "to": to((*tree.words, each.word)) if each.word else "",
                "games": each.games,
                "percent": f"{100 * each.games / tree.games:.0f}%",
                "bar": _bar(each, names),
                "years": _columns(each, years),
            }
            for each in tree.next[:MOST_WORDS]
        ],
        "more": max(0, len(tree.next) - MOST_WORDS),
        "seasons": [
            {"year": each.year or "no year", "games": each.games, "bar": _bar(each, names)}
            for each in reversed(tree.seasons)
        ],
        "latest": [
            {
                "players": title_of_players(game.players.split("; "), game.id),
                "link": game_link(game.id),
                "date": game.date,
                "event": game.event,
                "result": game.result,
            }
            for game in latest
        ],
        "board": _board(inquiry.value("game"), tree.words),
        "twin": link("/explore.json", inquiry.parameters),
    }


def _seat_names(game: str, seats: int) -> tuple[str, ...]:
    """Return what the seats of a game are called in its rules; ``p1`` and so on without its rules.

    Args:
        game: The title or key of the game.
        seats: How many there are; 0 gives an empty answer.
    """
    try:
        names = find_game(game).about.seat_tags(seats) if seats else ()
        return tuple(_NUMBERED.sub(r"\1 \2", name) for name in names)
    except NotationError:
        return tuple(f"p{seat}" for seat in range(1, seats + 1))


def _has_openings(inquiry: Inquiry, game: str) -> bool:
    """Say whether a game may have openings: it is installed, or moves of one of its last games were written."""
    try:
        return bool(find_game(game))
    except NotationError:
        hits, _ = api.search(inquiry.store, api.Query(game=game), limit=LAST_GAMES)
        return any(hit.game.plies for hit in hits)


def _board(game: str, words: Sequence[str]) -> Markup | str:
    """Return a drawing of the position after some first words.

    The text is empty if the position depends on cards that lie hidden, if the words cannot be followed, or if the last
    of them is refused.
    """
    try:
        played = find_game(game)
        if not played.hidden.face_up:
            return ""
        position = position_at(Record((("Game", played.about.title),), Line(tuple(words))), None)
        if position.ply != len(words) or (position.last is not None and isinstance(position.last.verdict, Refused)):
            return ""
        drawing = draw(played.words, position.drawn_state, None)
        return svg_markup(drawing, f"{played.about.title} after {' '.join(words) or 'no ply'}")
    except NotationError:
        return ""


# --- bars ---


def _tone(seat: int, name: str) -> str:
    """Return the CSS class that colours what a seat won: that of its own colour if it is called by one, else ``s1``."""
    return name.lower() if name.lower() in COLOURS else f"s{seat}"


def _parts(results: Continuation | SeasonResults, names: Sequence[str]) -> Iterator[tuple[str, str, Fraction]]:
    """Yield class, name and share of each part of a bar: what each seat won and, between two seats, what was drawn.

    A share is from 0 to 1; that of games without a result is in no part.
    """
    games, shares = results.games, (*results.shares, *[Fraction(0)] * (len(names) - len(results.shares)))
    drawn = Fraction(results.ties, games) if len(names) == 2 else Fraction(0)
    for seat, name in enumerate(names, 1):
        yield _tone(seat, name), name, max(Fraction(0), shares[seat - 1] / games - drawn / 2)
        if seat == 1 and len(names) == 2:
            yield "draw", "drawn", drawn


def _bar(results: Continuation | SeasonResults, names: Sequence[str]) -> Markup:
    """Return the results of some games as an SVG bar with a part for each seat, and for draws between two seats."""
    left, shapes, says = 0.0, [], []
    for kind, name, share in _parts(results, names):
        wide, percent = float(share) * WIDE, f"{100 * float(share):.0f}%"
        says.append(f"{name} {percent}")
        if wide <= 0:
            continue
        shapes.append(f'<rect class="{kind}" x="{left:.1f}" width="{wide:.1f}" height="{TALL}"/>')
        if share * 100 >= _READABLE:
            shapes.append(f'<text class="{kind}" x="{left + wide / 2:.1f}" y="16">{percent}</text>')
        left += wide
    title = Markup.escape(", ".join(says))
    return Markup(
        f'<svg class="results" viewBox="0 0 {WIDE} {TALL}" role="img" aria-label="{title}"><title>{title}</title>'
        f'<rect class="open" width="{WIDE}" height="{TALL}"/>{"".join(shapes)}</svg>'
    )


def _columns(each: Continuation, years: Sequence[str]) -> Markup:
    """Return in how many games a word was played each year, as an SVG chart with a column a year.

    The highest column is as high as the chart.
    """
    most = max(each.seasons.values(), default=1)
    wide = 8
    shapes = []
    for at, year in enumerate(years):
        tall = TALL * each.seasons.get(year, 0) / most
        if tall:
            shapes.append(f'<rect x="{at * wide}" y="{TALL - tall:.1f}" width="{wide - 2}" height="{tall:.1f}"/>')
    title = ", ".join(f"{year or 'no year'}: {many}" for year, many in each.seasons.items())
    whole = max(1, len(years)) * wide
    return Markup(
        f'<svg class="years" viewBox="0 0 {whole} {TALL}" role="img" aria-label="{title}"><title>{title}</title>'
        f"{''.join(shapes)}</svg>"
    )
