"""``pad``: enters rounds as their scores, one after the other, with running totals."""

import sys
from collections.abc import Mapping
from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.shell.console import fail, put, put_json, say, terminal
from cartulary.cli.shell.filters import put_rows
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.live import open_log, put_findings
from cartulary.cli.shell.options import AsSeat, By, Command, Db, Id, Json, asker, pairs_of
from cartulary.engine.numbers import seat_number
from cartulary.notation.contract import RoundField
from cartulary.notation.viewer import Viewer
from cartulary.records import api
from cartulary.records.faults import Declined, WrongAnswer
from cartulary.records.library.person_scores import person_scores


def command(
    id: Id,
    answers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE…]", help="A whole round at once, such as Taker=Bea Bid=Garde."),
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take the last round back.")] = False,
    stands: Annotated[bool, typer.Option("--stands", help="Keep a refused round, marked.")] = False,
    sits_out: Annotated[
        str, typer.Option("--sits-out", metavar="NAME", help="Who sits out in this round; by default whoever is next.")
    ] = "",
    seat: AsSeat = "",
    by: By = "",
    command: Command = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Enter rounds as their scores. You are asked for one round after the other, and see the running totals.

    An empty answer means that there is nothing; `undo` takes the last round back; `end` stops.

    \b
    Example:
      cartulary pad evening Taker=Bea Bid=Garde Bouts=2 Points=49
    """
    viewer, by = asker(seat, by)
    with open_log(db) as store:
        if undo:
            api.take_back(store, id, api.UndoRequest(by=by, command=command), viewer)
            _put_totals(store, id)
            return
        if answers:
            given = pairs_of(answers)
            answer = api.play_round(
                store,
                id,
                api.RoundRequest(answers=given, stands=stands, sits_out=sits_out, by=by, command=command),
                viewer,
            )
            _put_answer(store, answer, json)
            return
        if not (terminal(sys.stdin) and terminal(sys.stderr)):
            fail("Nobody can be asked here; give the round as words, such as Taker=Bea Bid=Garde Bouts=2 Points=49.")
        _put_totals(store, id)
        while api.round_form(api.load(store, id)).fields:
            try:
                entered = _ask_round(_next_form(store, id, sits_out))
            except EOFError:
                return
            if entered is None:
                _undo(store, id, by, viewer)
                continue
            try:
                wanted = api.RoundRequest(answers=entered, stands=stands, sits_out=sits_out, by=by)
                answer = api.play_round(store, id, wanted, viewer)
            except WrongAnswer as fault:
                say(f"cartulary: {fault}")
                continue
            sits_out = ""
            _put_answer(store, answer, json)


def _next_form(store: "api.Log", id: str, sits_out: str) -> "api.RoundForm":
    """Return the form for the next round, with the names of those who play then, and report who sits out.

    Args:
        store: The open log.
        id: The game.
        sits_out: Who is to sit out, empty for whose turn it is to.
    """
    game = api.load(store, id)
    form, seats = api.round_form(game, api.people_of(store)), api.next_seats(store, game, sits_out)
    if seats is None:
        return form
    out = seats.table.waiting
    say(f"{' and '.join(out)} {'sit' if len(out) > 1 else 'sits'} out.")
    return replace(form, players=seats.table.players)


def _undo(store: "api.Log", id: str, by: str, viewer: Viewer) -> None:
    """Take the last round back, or report why that is refused, and print the running totals in either case."""
    try:
        api.take_back(store, id, api.UndoRequest(by=by), viewer)
    except Declined as fault:
        say(f"cartulary: {fault}")
    _put_totals(store, id)


def _ask_round(form: "api.RoundForm") -> Mapping[str, str] | None:
    """Ask for the fields of a round one after the other, and return the answers that are not empty, by field.

    None is returned if the person types ``undo``, to take the last round back.

    Raises:
        EOFError: The person types ``end`` or ends the input.
    """
    answers: dict[str, str] = {}
    for field in form.fields:
        text = str(
            typer.prompt(_question(field, form.players), default="", show_default=False, prompt_suffix=" ", err=True)
        ).strip()
        if text.casefold() == "undo":
            return None
        if text.casefold() == "end":
            raise EOFError
        if text:
            answers[field.name] = text
        if text and text == field.final:
            break
    return answers


def _question(field: RoundField, players: tuple[str, ...]) -> str:
    """Return the question for a field of the form, with the values that it takes: ``Bid (Petite, Garde)?``.

    A field that may stay empty is asked with ``, or nothing?``.
    """
    if field.kind == "numbers":
        return f"{field.label} of {', '.join(players)}, joined by `:`?"
    values = [_answer(value, players) for value, _ in field.choices]
    if field.kind == "pairs":
        values = [f"NAME:{value}" for value in values]
    shown = f" ({', '.join(values)})" if values else f" (0 to {field.most})" if field.most else ""
    return f"{field.label}{shown}{'' if field.needed else ', or nothing'}?"


def _answer(value: str, players: tuple[str, ...]) -> str:
    """Return what a person types for a value: the player's name for a seat, if the seat has one.

    Any other value is typed as it is.
    """
    seat = seat_number(value)
    return players[seat - 1] if 1 <= seat <= len(players) and players[seat - 1] != "?" else value


def _put_answer(store: "api.Log", answer: "api.RoundAnswer", json: bool) -> None:
    """Print the verdict on a round and then the running totals, or as JSON the verdict alone.

    The program ends with 1 if the round was refused and not stored.
    """
    if json:
        put_json(answer)
    else:
        put(f"{answer.id}: ply {answer.ply}: {answer.verdict}")
        put_findings(answer.findings)
        for line in wrap(answer.explanation):
            put(line)
    if answer.verdict == "refused" and not answer.explanation:
        say("cartulary: Nothing was stored. With --stands the round is kept and marked.")
        raise typer.Exit(1)
    if not json:
        _put_totals(store, answer.id)


def _put_totals(store: "api.Log", id: str) -> None:
    """Print the running total of each player; nothing if there is no score yet."""
    game, people = api.load(store, id), api.people_of(store)
    form = api.round_form(game, people)
    if game.record.seatings and (scores := person_scores(game, people)):
        put_rows([(each.name, each.points) for each in scores], frozenset((1,)))
    elif form.score:
        put_rows(list(zip(form.players, form.score.split(":"), strict=True)), frozenset((1,)))
