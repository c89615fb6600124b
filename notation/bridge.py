"""Games whose rules and words are still modules of the first edition, put together as the parts of the second."""

from collections.abc import Callable
from typing import Any

from cartulary.engine.parts import Hidden, Place, Rules, Turns, by_clauses
from cartulary.notation.contract import About, AnyGame, Game, Points, SheetTags, Words
from cartulary.notation.picture import Picture


def _pictured(rules: Any, script: Any) -> Callable[[Any, int | None], Picture]:
    """Return the picture of a first edition, in which 0 was everything."""

    def picture(state: Any, seat: int | None) -> Picture:
        drawn: Picture = script.picture(rules.view(state, 0) if seat == 0 else state, seat or 0)
        return drawn

    return picture


def bridged(rules: Any, script: Any, *, place: Place[Any]) -> AnyGame:
    """Return the game of two modules; it reads and writes its own prefixes."""
    play, judge = by_clauses(
        rules.CLAUSES,
        rules.apply,
        asked=rules.asked,
        exact=rules.exact,
        apply_open=rules.apply,
        proved=rules.breaches,
    )
    return Game(
        About(
            rules.KEY,
            rules.TITLE,
            rules.EDITION,
            rules.SEATS,
            rules.__doc__.partition("\n")[0].partition(": ")[2],
            script.seat_tags,
            rules.VARIANTS,
            rules.OPTIONS,
        ),
        Rules(
            rules.setup,
            play,
            rules.CLAUSES,
            judge,
            rules.candidates,
            rules.COMPLETE,
            rules.outcome,
            rules.OVER,
            rules.asked,
        ),
        Words(
            lambda text, seat, state: script.parse_move(text, state),
            lambda move, state, after: script.format_move(move, state),
            _pictured(rules, script),
            came_of=script.came_of,
            led=script.led,
            whole=True,
        ),
        Turns(
            lambda state: next(iter(rules.actors(state)), 1),
            rules.actors,
            settle=rules.settle,
            skip=rules.skip,
            number=script.number,
        ),
        SheetTags(script.own_tags(), script.parse_sheet, script.format_sheet),
        Points(("Score",), script.scores, script.misstated, rules.standing),
        Hidden(
            rules.view,
            rules.view_move,
            rules.view_sheet,
            rules.exact,
            rules.known,
            rules.pending,
            script.whereabouts,
        ),
        place,
    )
