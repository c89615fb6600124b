"""The pad: a round of a game is entered as its score, by taps, with running totals and the rounds so far."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct, to_builtins

from cartulary.engine.numbers import seat_number
from cartulary.notation.cgn.result import TERMINATIONS
from cartulary.notation.contract import RoundField
from cartulary.notation.seatings import tenures
from cartulary.records import api
from cartulary.records.answers import live_finding_fields
from cartulary.records.commands.pad import RoundForm
from cartulary.records.faults import Declined, Unfit
from cartulary.records.state.fold import played_game, variant_of
from cartulary.records.state.seat_view import players
from cartulary.web.actions import ActionResult, action_of
from cartulary.web.inquiry import Inquiry
from cartulary.web.pages import link, title_of
from cartulary.web.round_list import names_at, rounds_of, seat_names, short_names, totals_of, with_names
from cartulary.web.scores import conclusion
from cartulary.web.visitors import KEEPS, OPERATOR

ROW = 5
"""How many answers stand in one row at most."""


COLUMNS_OF_NAMES = 3
"""How many names stand in one row, where there are more than four."""


class Answer(Struct, frozen=True):
    """A value that can be tapped, with what a person reads; if it is a seat, with the number of the seat."""

    value: str
    label: str
    seat: int = 0


class PadField(Struct, frozen=True):
    """A field of the pad.

    Attributes:
        name: The name under which the answer is sent.
        label: What a person reads.
        kind: What is entered: ``seat``, ``choice``, ``number``, ``numbers``, ``seats`` or ``pairs``.
        answers: What can be tapped.
        columns: How many answers stand in a row.
        most: The greatest number, 0 if there is none.
        final: The value after which nothing else is entered.
        needed: Whether an answer is required.
        halves: Whether a number may be a half more.
        is_extra: Whether the field is opened by a tap of its own, because most rounds have no answer to it.
    """

    name: str
    label: str
    kind: str
    answers: tuple[Answer, ...]
    columns: int
    most: int
    final: str
    needed: bool
    halves: bool
    is_extra: bool


def pad_json(inquiry: Inquiry) -> object:
    """Return the fields of the next round, the running score and the rounds so far, as JSON.

    If rounds of the game are not entered as their scores, there are no fields, and ``because`` says so.
    """
    game = api.load(inquiry.store, inquiry.id)
    form, because = _form(inquiry, game)
    fields: dict[str, Any] = {"id": inquiry.id, "version": game.head.version, "closed": game.book.closed}
    seats = api.next_seats(inquiry.store, game) if form.fields else None
    fields |= {"sits_out": seats.table.waiting} if seats is not None else {}
    return fields | to_builtins(form) | ({"because": because} if because else {})


def _form(inquiry: Inquiry, game: "api.LiveGame") -> "tuple[api.RoundForm, str]":
    """Return the form for the next round of a game, and an empty text.

    If rounds of the game are not entered as scores, the form is empty, and the text says why.
    """
    people = inquiry.people.seen_by(inquiry.viewer)
    try:
        return api.round_form(game, people), ""
    except Declined as fault:
        return RoundForm((), players(game.record, people), "", ()), str(fault)


def pad(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of a pad, on which a game is scored round by round."""
    game = api.load(inquiry.store, inquiry.id)
    people = inquiry.people.seen_by(inquiry.viewer)
    form, because = _form(inquiry, game)
    seats = api.next_seats(inquiry.store, game) if not because else None
    names = list(seats.table.players) if seats is not None else seat_names(form.players)
    heading = game.examined.heading.game
    totals = totals_of(game, people, seats.circle if seats is not None else ()) if heading is not None else []
    columns = [name for name, _ in totals]
    listed = rounds_of(form, game, people, columns)
    circle = seats.circle if seats is not None else ()
    short = short_names((*names, *columns, *circle, *(name for each in listed for name in each.names)))
    unit = heading.rounds.unit if heading is not None else ""
    return {
        "id": inquiry.id,
        "title": title_of(form.players, inquiry.id),
        "game": heading.about.title if heading is not None else "",
        "variant": variant_of(game),
        "key": heading.about.key if heading is not None else "",
        "version": game.head.version,
        "closed": game.book.closed,
        "because": because,
        "result": game.book.result,
        "next": bool(form.fields),
        "short": short,
        "fields": [_field(field, [short[name] for name in names]) for field in form.fields or form.correcting],
        "names": names,
        "seats": seats,
        "columns": columns,
        "totals": [(name, _minus(total)) for name, total in totals],
        "rounds": listed,
        "unit": unit,
        "by_cards": bool(game.plies and not form.plies and not because),
        "since": _since(form.plies, unit),
        "changes": _changes(game, people, form.plies, unit) if heading is not None and seats is None else [],
        "undone": bool(game.book.undos),
        "conclusion": conclusion(game, people, totals) if game.book.closed else "",
        "evening_link": _evening_link(inquiry, game),
        "terminations": TERMINATIONS,
    }


def _evening_link(inquiry: Inquiry, game: "api.LiveGame") -> tuple[str, str]:
    """Return the name and the address of the evening that a game belongs to.

    Both are empty if there is none, and for a visitor who may not see that page.
    """
    try:
        if inquiry.visitor.role == OPERATOR:
            evening = api.evening_of(inquiry.store, game.record.tag("Event"))
            return evening.title, link("/evening", [("name", evening.title)])
    except Unfit:
        pass
    return "", ""


def _since(plies: Sequence[int], unit: str) -> list[tuple[int, str]]:
    """Return from which rounds on somebody may take over a seat, the next one first, then the latest.

    Each is a pair of its first ply, 0 for the next round, and its name: ``[(0, "the next deal"), (9, "deal 2")]``.
    Before the first round there is none.

    Args:
        plies: The first ply of each round.
        unit: What a round is called.
    """
    rounds = list(enumerate(plies, 1))[1:]
    return [(0, f"the next {unit}"), *((ply, f"{unit} {number}") for number, ply in reversed(rounds))] if plies else []


def _changes(game: "api.LiveGame", people: "api.People", plies: Sequence[int], unit: str) -> list[str]:
    """Return who took over from whom, in the order of the rounds: ``Ada plays for Bela from deal 3 on.``

    Nothing is returned if nobody did.

    Args:
        game: The game.
        people: Under which name each person is shown.
        plies: The first ply of each round.
        unit: What a round is called, such as ``deal``.
    """
    tags = played_game(game).about.seat_tags(game.book.seats)
    sat = map(people.display_tenures, tenures(game.record, tags))
    taken = sorted((now.since, before.name, now.name) for each in sat for before, now in pairwise(each))
    return [
        f"{name} plays for {before} from {unit} {1 + sum(ply < since for ply in plies)} on."
        for since, before, name in taken
    ]


def _minus(number: str) -> str:
    """Return a number with a minus sign in place of every hyphen."""
    return number.replace("-", "−")


def _field(field: RoundField, names: Sequence[str]) -> PadField:
    """Return a field of the form as the pad shows it, with a button for each value that can be chosen."""
    answers = tuple(_answer(value, label, names) for value, label in field.choices)
    is_extra = not field.needed and field.kind != "seat"
    columns = COLUMNS_OF_NAMES if len(answers) > COLUMNS_OF_NAMES + 1 and answers[0].seat else _columns(len(answers))
    return PadField(
        field.name,
        field.label,
        field.kind,
        answers,
        columns,
        field.most,
        field.final,
        field.needed,
        field.halves,
        is_extra,
    )


def _answer(value: str, label: str, names: Sequence[str]) -> Answer:
    """Return what stands on a button: the player's name for a seat such as ``p1`` without a label, else the label."""
    seat = seat_number(value) if label == value else 0
    return Answer(value, names[seat - 1], seat) if 0 < seat <= len(names) else Answer(value, label)


def _columns(answers: int) -> int:
    """Return how many of so many answers stand in a row, at most ``ROW``, so that the rows are about equally long."""
    rows = -(-answers // ROW) or 1
    return -(-answers // rows)


def enter_round(inquiry: Inquiry, request: "api.RoundRequest") -> ActionResult:
    """Enter or correct a round, and answer with how its points come about, or why it is refused.

    With ``dry`` nothing is stored. A refused round is stored only with ``stands``.
    """
    answer = api.play_round(inquiry.store, inquiry.id, request, inquiry.writer)
    game, people = api.load(inquiry.store, inquiry.id), inquiry.people.seen_by(inquiry.viewer)
    names = names_at(game, people, answer.ply)
    if request.dry and not request.ply and (seats := api.next_seats(inquiry.store, game, request.sits_out)):
        names = seat_names(seats.table.players)
    findings = [live_finding_fields(finding) for finding in answer.findings]
    body = to_builtins(answer) | {"findings": findings, "says": with_names(answer.explanation, names)}
    return ActionResult(body, request.dry or request.stands or answer.verdict != "refused")


ROUNDS = (
    action_of(
        "/games/{id}/rounds",
        "Enter a round as its score, or correct one.",
        KEEPS,
        api.RoundRequest,
        enter_round,
        omit=(),
        required_fields=("command", "answers"),
    ),
)
"""The actions of the pad."""
