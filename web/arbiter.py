"""The arbiter's pages: open questions, breaches and disputes of one game and of all games, and the form of a ruling."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation import Finding, NotationError, Record, Story
from cartulary.notation.arbiter.finding import finding_fields
from cartulary.notation.arbiter.ruling_commands import DECISIONS
from cartulary.notation.arbiter.story import story_fields, story_parts
from cartulary.notation.seat_names import name_seats, name_with_seat
from cartulary.records import api
from cartulary.records.answers import tail_lines
from cartulary.records.commands.result import who_won
from cartulary.records.commands.ruling import citable, outcome_lines, ruling_fields
from cartulary.records.faults import Fault
from cartulary.records.state.event_words import ENTRY, say
from cartulary.records.state.links import is_at_hand
from cartulary.records.state.seat_view import players
from cartulary.records.state.seen_game import score_text
from cartulary.records.texts import quiet_text
from cartulary.web.actions import ActionResult, action_of, write
from cartulary.web.inquiry import Inquiry, RequestFault, seen_game
from cartulary.web.pages import drawn_position, game_link, link, title_of
from cartulary.web.round_list import seat_names
from cartulary.web.visitors import RULES, SPEAKS

MOST_STORIES = 30
"""How many plies have their story on the page; further findings are only listed."""
MOST_TABLES = 100
"""How many games the list looks through, most recently written first; as many as one stream follows."""


class Matter(Struct, frozen=True):
    """A ply with a finding, as the arbiter's page shows it.

    Attributes:
        ply: The number of the ply.
        title: Its word and its player, such as ``T03 by p3``.
        kind: ``irregular`` or ``undecided``.
        parts: Label and text of each part of its story, such as the rule and its source.
    """

    ply: int
    title: str
    kind: str
    parts: tuple[tuple[str, str], ...]


# --- one table ---


def _problems(seen: "api.SeenGame") -> tuple[Finding, ...]:
    """Return the errors and open questions of a game, in the order of its plies; none while verdicts are kept back."""
    if seen.quiet:
        return ()
    report = seen.docket.examine(seen.record, seen.walk).report
    return tuple(finding for finding in report.findings if finding.severity != "remark")


def _plies_with_findings(findings: tuple[Finding, ...]) -> list[int]:
    """Return the plies that have a finding, in order and each once; findings on no ply are left out."""
    return sorted({finding.ply for finding in findings if finding.ply})


def _stories(seen: "api.SeenGame", plies: Iterable[int]) -> Iterator[Story]:
    """Yield the story of each of these plies: what was found there, and how it was decided.

    A ply that cannot be read is left out.
    """
    for ply in plies:
        with suppress(NotationError):
            yield seen.docket.story(seen.record, ply, seen.walk)


def arbiter_fields(inquiry: Inquiry) -> dict[str, object]:
    """Return findings, stories, disputes and rulings of a game, each as `check --json` and `why --json` give it.

    There are stories of the first ``MOST_STORIES`` plies with findings only. A quiet game has ``"quiet": true`` and no
    findings.
    """
    seen = seen_game(inquiry)
    findings = _problems(seen)
    quiet = {"quiet": True} if seen.quiet else {}
    return {
        "id": seen.id,
        "version": seen.version,
        **quiet,
        "findings": [finding_fields(finding) for finding in findings],
        "stories": [story_fields(story) for story in _stories(seen, _plies_with_findings(findings)[:MOST_STORIES])],
        **seen.docket.fields(),
    }


def _players(inquiry: Inquiry, record: Record) -> Iterator[str]:
    """Yield who sits at each seat, in seat order, under the names that are shown."""
    return map(api.people_of(inquiry.store).display_name, players(record))


def arbiter(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the arbiter's page of a game.

    They are the findings, disputes and rulings, and the form to rule. The latest ``MOST_STORIES`` plies with findings
    come first, with their stories; other findings are only listed.
    """
    game, seen = inquiry.game(inquiry.id), seen_game(inquiry)
    findings = _problems(seen)
    newest = _plies_with_findings(findings)[: -MOST_STORIES - 1 : -1]
    names = tuple(_players(inquiry, seen.record))
    matters = [_matter(story, names) for story in _stories(seen, newest)]
    in_matters = {matter.ply for matter in matters}
    docket = seen.docket
    form = _form(inquiry, game, seen, findings)
    return {
        "id": seen.id,
        "title": title_of(names, seen.id),
        "about": f"{seen.record.tag('Game')}, {_outcome(seen, names)}",
        "versions": {seen.id: seen.version},
        "quiet": quiet_text(seen.id) if seen.quiet else "",
        "matters": matters,
        "others": [
            (replace(finding, because=name_seats(finding.because, names)), finding.ply)
            for finding in findings
            if finding.ply not in in_matters
        ],
        "disputes": [(dispute, say(dispute, ENTRY, names)) for dispute in reversed(docket.disputes)],
        "rulings": [say(ruling, ENTRY, names) for ruling in reversed(docket.rulings)],
        "score": score_text(docket.score, names) if docket.score else "",
        "asked_ply": inquiry.number("ply", most=game.plies),
        "rule_on": partial(_rule_on, inquiry),
        "form": form | {"seats": _seats(names)},
        "drawing": _drawn_after(inquiry, game, form["about"]) if form["asked"] else "",
        "claims": [
            say(dispute, ENTRY, names)
            for dispute in docket.disputes
            if dispute.number == form["dispute"] and form["asked"]
        ],
    }


def _drawn_after(inquiry: Inquiry, game: "api.LiveGame", ply: int) -> str:
    """Return the position after a ply as SVG; empty if the game cannot be followed to it, and for ply 0."""
    view = api.view_of(game, inquiry.viewer, inquiry.people)
    if not 0 < ply <= len(view.steps):
        return ""
    return drawn_position(replace(view, position=view.at(ply)))


def _rule_on(inquiry: Inquiry, what: str, number: int) -> str:
    """Return the address of the form for a ruling, filled in with what it is about.

    Args:
        inquiry: The request.
        what: ``"ply"`` or ``"dispute"``.
        number: The number of that ply or dispute, from 1.
    """
    role = inquiry.visitor.role if inquiry.visitor.link else ""
    return link(game_link(inquiry.id, "arbiter"), [("as", role), (what, number)]) + "#rule"


def _seats(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the seats in pairs, as the form sends each and as a person reads it: ``("p1", "Ann (p1)")``."""
    return [(f"p{seat}", name_with_seat(seat, names)) for seat in range(1, len(names) + 1)]


def _matter(story: Story, names: Sequence[str]) -> Matter:
    """Return the story of a ply as the page shows it, with the names of the players in place of seats.

    Its kind is ``irregular`` if a rule is broken there, else ``undecided``.
    """
    kind = "irregular" if any(finding.severity == "error" for finding in story.now) else "undecided"
    by = f" by {story.seat}" if story.seat not in ("", "p0") and not story.word.startswith("p") else ""
    parts = tuple((label, name_seats(text, names)) for label, text in story_parts(story))
    return Matter(story.ply, name_seats(f"{story.word}{by}", names), kind, parts)


def _form(
    inquiry: Inquiry, game: "api.LiveGame", seen: "api.SeenGame", findings: tuple[Finding, ...]
) -> dict[str, Any]:
    """Return what the form of a ruling is filled in with.

    That is the ply or open dispute that the address names, the keys of the rules broken there, the rulings that can be
    revoked, and the arbiter of the last ruling.
    """
    ply, dispute = inquiry.number("ply", most=game.plies), inquiry.number("dispute")
    disputes = [entry.number for entry in seen.docket.disputes if entry.status == "open"]
    revocable = [
        ruling
        for ruling in seen.docket.rulings
        if ruling.holds and ruling.decision not in ("void", "amended", "revoked")
    ]
    about = ply or next((entry.ply for entry in seen.docket.disputes if entry.number == dispute), 0)
    broken = (finding.key for finding in findings if about and (finding.ply == about or about in finding.plies))
    keys = dict.fromkeys(key for key in broken if key in citable(game))
    return {
        "plies": about or ("" if ply is None else ply),
        "about": about,
        "dispute": dispute if dispute in disputes else 0,
        "disputes": disputes,
        "revocable": [ruling.number for ruling in revocable],
        "clauses": " ".join(keys),
        "decisions": [(name, says) for name, says in _DECISION_LABELS.items() if name != "revoked" or revocable],
        "arbiter": next((ruling.arbiter for ruling in reversed(seen.docket.rulings)), ""),
        "asked": ply is not None or dispute is not None,
    }


_DECISION_LABELS = dict(
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


def _outcome(seen: "api.SeenGame", names: Sequence[str]) -> str:
    """Return who won a closed game, as rulings have it; ``open`` for an open one. ``names`` are those of the seats."""
    result = seen.record.result or seen.result
    return who_won(seat_names(names), result) if seen.result else "open"


# --- all tables ---


def tables_fields(inquiry: Inquiry) -> dict[str, object]:
    """Return under ``games`` the rows of the games that the visitor may rule on.

    Each row says how many open questions, breaches and open disputes the game has.
    """
    rows = (_row(inquiry, id) for id in _current_ids(inquiry))
    return {"games": [{name: value for name, value in row.items() if name != "outcome"} for row in rows]}


def tables(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of all games at hand, those that need the arbiter apart from the quiet ones."""
    rows = [_row(inquiry, id) for id in _current_ids(inquiry)]
    quiet = [row for row in rows if not any(row.get(name) for name in ("fault", "disputes", "breaches", "questions"))]
    versions = {row["id"]: row["version"] for row in rows if "version" in row}
    return {"rows": [row for row in rows if row not in quiet], "quiet": quiet, "versions": versions}


def _current_ids(inquiry: Inquiry) -> Iterator[str]:
    """Yield the ids of the games that are open or were closed within a day, and of those that cannot be read.

    For a visitor by link they are the games that the link leads to.
    """
    if inquiry.visitor.link:
        yield from inquiry.visitor.games
        return
    for hit in api.search(inquiry.store, limit=MOST_TABLES)[0]:
        try:
            if is_at_hand(api.load(inquiry.store, hit.game.id)):
                yield hit.game.id
        except (Fault, NotationError):
            yield hit.game.id


def _row(inquiry: Inquiry, id: str) -> dict[str, Any]:
    """Return a row of the page of tables: a game with its numbers of open questions, breaches and open disputes.

    If it cannot be read, the row has only ``id`` and ``fault``.
    """
    try:
        seen = seen_game(inquiry, id)
        findings = _problems(seen)
    except (Fault, NotationError) as fault:
        return {"id": id, "fault": str(fault)}
    return {
        "id": id,
        "version": seen.version,
        "players": title_of(_players(inquiry, seen.record), id),
        "game": seen.record.tag("Game"),
        "result": seen.record.result if seen.result else "",
        "outcome": _outcome(seen, tuple(_players(inquiry, seen.record))),
        "questions": sum(finding.severity == "undecided" for finding in findings),
        "breaches": sum(finding.severity == "error" for finding in findings),
        "disputes": sum(dispute.status == "open" for dispute in seen.docket.disputes),
    }


# --- writing ---


def dispute(inquiry: Inquiry, request: "api.DisputeRequest") -> ActionResult:
    """Dispute a ply, and answer with the dispute.

    A seat disputes in its own name, and RequestFault is raised if it names somebody; the scribe, the arbiter and the
    operator may name another.
    """
    if request.who and inquiry.visitor.own:
        raise RequestFault("A seat disputes in its own name; leave `who` out.")
    return ActionResult(api.dispute(inquiry.store, inquiry.id, request, inquiry.writer))


def rule(inquiry: Inquiry, request: "api.RulingRequest") -> ActionResult:
    """Give a ruling, or with ``dry`` say what it would change; the answer has the ruling and, as ``says``, sentences.

    Raises:
        RequestFault: The request names neither plies nor a dispute nor a ruling to revoke.
    """
    if not request.plies and not request.dispute and not request.revokes:
        raise RequestFault("Say which plies the ruling is on (0 is the game as a whole), or which dispute it answers.")
    answer = api.rule(inquiry.store, inquiry.id, request, inquiry.writer)
    names = tuple(_players(inquiry, api.load(inquiry.store, inquiry.id).record))
    return ActionResult(ruling_fields(answer) | {"says": list(_lines(answer, names))})


def _lines(answer: "api.RulingAnswer", names: Sequence[str]) -> Iterator[str]:
    """Yield sentences: the ruling, how the plies after it stand, what it makes illegal, and the score that follows."""
    yield say(answer.ruling, ENTRY, names)
    if answer.tail is not None:
        yield from tail_lines(answer.tail)
        for finding in answer.tail.conflicts:
            yield f"{finding.severity} {finding.key} {name_seats(finding.because, names)}"
    yield from (name_seats(line, names) for line in outcome_lines(answer))


RULINGS = (
    action_of("/games/{id}/disputes", "Dispute a ply.", SPEAKS, api.DisputeRequest, dispute),
    action_of("/games/{id}/disputes/withdraw", "Withdraw a dispute.", SPEAKS, api.WithdrawRequest, write(api.withdraw)),
    action_of(
        "/games/{id}/rulings",
        "Rule, or say what a ruling would change.",
        RULES,
        api.RulingRequest,
        rule,
        omit=(),
        required_fields=("command", "decision", "arbiter"),
    ),
    action_of(
        "/games/{id}/aside", "Set a game aside, or count it again.", RULES, api.AsideRequest, write(api.set_aside)
    ),
)
"""The actions of disputes and rulings, and of games that are set aside."""
