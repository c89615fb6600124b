"""The arbiter's desk: what is open, broken and disputed at one table and at all of them, and the ruling on it."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec import Struct

from cartulary.notation import Finding, NotationError, Story
from cartulary.notation.arbiter.finding import finding_fields
from cartulary.notation.arbiter.ruling_commands import DECISIONS
from cartulary.notation.arbiter.story import story_fields, story_parts
from cartulary.records import api
from cartulary.records.commands.ruling import citable, ruling_fields
from cartulary.records.faults import Fault
from cartulary.records.state.links import is_at_hand
from cartulary.records.state.seat_view import players
from cartulary.records.state.seen_game import dispute_text, ruling_text, score_text
from cartulary.records.table.consequences import outcome_lines, tail_lines
from cartulary.records.texts import quiet_text
from cartulary.web.asked import Inquiry, Wrong
from cartulary.web.deeds import Done, deed_of, write
from cartulary.web.game import shown
from cartulary.web.pages import game_link, link, title_of
from cartulary.web.who import RULES, SPEAKS

MOST_STORIES = 30
"""Of how many plies the story is told; more are only counted."""
MOST_TABLES = 100
"""How many games are looked through, beginning with the one written to last; as many as one stream follows."""


class Matter(Struct, frozen=True):
    """A ply that something is to be said of. kind: irregular or undecided; parts: its story, each behind its label"""

    ply: int
    called: str
    kind: str
    parts: tuple[tuple[str, str], ...]


# --- one table ---


def _found(of: "api.SeenGame") -> tuple[Finding, ...]:
    """Return what is open and what is broken in a record, in the order of its plies; nothing where it is quiet."""
    if of.quiet:
        return ()
    report = of.docket.examine(of.record, of.walk).report
    return tuple(one for one in report.findings if one.severity != "remark")


def _stories(of: "api.SeenGame", found: tuple[Finding, ...]) -> Iterator[Story]:
    """Yield the story of each ply that was found fault with, as far as it can be read."""
    for ply in list(dict.fromkeys(one.ply for one in found if one.ply))[:MOST_STORIES]:
        try:
            yield of.docket.story(of.record, ply, of.walk)
        except NotationError:
            return


def arbiter_fields(asked: Inquiry) -> dict[str, object]:
    """Return what is open, broken, disputed and ruled on, as `check --json` and `why --json` give each."""
    of = shown(asked)
    found = _found(of)
    quiet = {"quiet": True} if of.quiet else {}
    return {
        "id": of.id,
        "version": of.version,
        **quiet,
        "findings": [finding_fields(one) for one in found],
        "stories": [story_fields(one) for one in _stories(of, found)],
        **of.docket.fields(),
    }


def arbiter(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of the arbiter shows of a game."""
    game, of = asked.game(asked.names["id"]), shown(asked)
    found = _found(of)
    matters = [_matter(one) for one in _stories(of, found)]
    in_matters = {matter.ply for matter in matters}
    docket = of.docket
    return {
        "id": of.id,
        "title": title_of(players(of.record), of.id),
        "about": f"{of.record.tag('Game')}, {of.result or 'open'}",
        "versions": {of.id: of.version},
        "quiet": quiet_text(of.id) if of.quiet else "",
        "matters": matters,
        "others": [(one, ply) for one in found for ply in (one.ply,) if ply not in in_matters],
        "disputes": [(one, dispute_text(one)) for one in docket.disputes],
        "rulings": [ruling_text(one) for one in docket.rulings],
        "score": score_text(docket.score) if docket.score else "",
        "rule_on": partial(_rule_on, asked),
        "form": _form(asked, game, of, found),
    }


def _rule_on(asked: Inquiry, what: str, number: int) -> str:
    """Return the address of the form with what is to be ruled on. what: ply or dispute"""
    role = asked.visitor.role if asked.visitor.link else ""
    return link(game_link(asked.names["id"], "arbiter"), [("as", role), (what, number)]) + "#rule"


def _matter(told: Story) -> Matter:
    kind = "irregular" if any(one.severity == "error" for one in told.now) else "undecided"
    by = f" by {told.seat}" if told.seat not in ("", "p0") and not told.word.startswith("p") else ""
    return Matter(told.ply, f"{told.word}{by}", kind, tuple(story_parts(told)))


def _form(asked: Inquiry, game: "api.LiveGame", of: "api.SeenGame", found: tuple[Finding, ...]) -> dict[str, Any]:
    """Return what stands in the form of a ruling before anybody fills it in: what the address asks to be ruled on."""
    ply, dispute = asked.number("ply", most=game.plies), asked.number("dispute")
    disputes = [one.number for one in of.docket.disputes if one.status == "open"]
    ruled = [one for one in of.docket.rulings if one.holds and one.decision not in ("void", "amended", "revoked")]
    of_dispute = (one.ply for one in of.docket.disputes if one.number == dispute)
    about = ply or next(of_dispute, 0)
    broken = (one.key for one in found if about and (one.ply == about or about in one.plies))
    keys = dict.fromkeys(key for key in broken if key in citable(game))
    return {
        "plies": "" if ply is None else ply,
        "dispute": dispute if dispute in disputes else 0,
        "disputes": disputes,
        "revocable": [one.number for one in ruled],
        "clauses": " ".join(keys),
        "decisions": [(name, says) for name, says in _DECIDED.items() if name != "revoked" or ruled],
        "arbiter": next((one.arbiter for one in reversed(of.docket.rulings)), ""),
        "seats": [f"p{seat}" for seat in range(1, game.book.seats + 1)],
        "asked": ply is not None or dispute is not None,
    }


_DECIDED = dict(
    zip(
        DECISIONS,
        (
            "What was played stands",
            "The plies are void",
            "This was played instead",
            "A seat pays",
            "The score is changed",
            "The game is decided",
            "An earlier ruling no longer counts",
        ),
        strict=True,
    )
)
"""What each decision is called in the form."""


# --- all tables ---


def tables_fields(asked: Inquiry) -> dict[str, object]:
    """Return for every table whoever asks may rule at how much is open, broken and disputed there."""
    return {"games": [_counted(asked, id) for id in _at_hand(asked)]}


def tables(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of all tables shows, those first where something is to be looked at."""
    rows = [_counted(asked, id) for id in _at_hand(asked)]
    rows.sort(key=lambda row: not any(row.get(name) for name in ("fault", "disputes", "breaches", "questions")))
    return {"rows": rows, "versions": {row["id"]: row["version"] for row in rows if "version" in row}}


def _at_hand(asked: Inquiry) -> Iterator[str]:
    """Yield the games that are played now or were a day ago: of a link's those it leads to."""
    if asked.visitor.link:
        yield from asked.visitor.games
        return
    for hit in api.search(asked.store, limit=MOST_TABLES)[0]:
        try:
            if is_at_hand(api.load(asked.store, hit.game.id)):
                yield hit.game.id
        except (Fault, NotationError):
            yield hit.game.id


def _counted(asked: Inquiry, id: str) -> dict[str, Any]:
    """Return a table with what is to be looked at there; of a game that cannot be read why."""
    try:
        of = shown(asked, id)
        found = _found(of)
    except (Fault, NotationError) as fault:
        return {"id": id, "fault": str(fault)}
    return {
        "id": id,
        "version": of.version,
        "players": title_of(players(of.record), id),
        "game": of.record.tag("Game"),
        "result": of.result,
        "questions": sum(one.severity == "undecided" for one in found),
        "breaches": sum(one.severity == "error" for one in found),
        "disputes": sum(one.status == "open" for one in of.docket.disputes),
    }


# --- writing ---


def dispute(asked: Inquiry, request: "api.DisputeRequest") -> Done:
    """Dispute a ply: a seat in its own name, whoever writes for the whole table in anybody's."""
    if request.who and asked.visitor.own:
        raise Wrong("A seat disputes in its own name; leave `who` out.")
    return Done(api.dispute(asked.store, asked.names["id"], request, asked.writer))


def rule(asked: Inquiry, request: "api.RulingRequest") -> Done:
    """Rule, or say what a ruling would change; beside its fields the answer says it in lines."""
    if not request.plies and not request.dispute and not request.revokes:
        raise Wrong("Say which plies the ruling is on (0 is the game as a whole), or which dispute it answers.")
    answer = api.rule(asked.store, asked.names["id"], request, asked.writer)
    return Done(ruling_fields(answer) | {"says": list(_lines(answer))})


def _lines(answer: "api.RulingAnswer") -> Iterator[str]:
    """Yield what a ruling comes to."""
    yield ruling_text(answer.ruling)
    if answer.tail is not None:
        yield from tail_lines(answer.tail)
        for found in answer.tail.conflicts:
            yield f"{found.severity} {found.key} {found.because}"
    yield from outcome_lines(answer)


RULINGS = (
    deed_of("/games/{id}/disputes", "Dispute a ply.", SPEAKS, api.DisputeRequest, dispute),
    deed_of("/games/{id}/disputes/withdraw", "Withdraw a dispute.", SPEAKS, api.WithdrawRequest, write(api.withdraw)),
    deed_of(
        "/games/{id}/rulings",
        "Rule, or say what a ruling would change.",
        RULES,
        api.RulingRequest,
        rule,
        without=(),
        needs=("command", "decision", "arbiter"),
    ),
)
"""What is disputed and ruled."""
