"""``new``: opens a live record."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from cartulary.cli.shell.console import fail, put, put_json, say, terminal
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.live import open_log, say_alike, say_future
from cartulary.cli.shell.options import pairs_of
from cartulary.cli.shell.places import db_place, next_command
from cartulary.cli.shell.spellings import ask_spellings
from cartulary.notation import NotationError, find_game
from cartulary.notation.arbiter.heading import either
from cartulary.notation.contract import TagAsked
from cartulary.notation.guide import near_names
from cartulary.notation.roster import NotLoaded, every_game, split_variant
from cartulary.records import api
from cartulary.records.commands.new import ask_of_scored
from cartulary.records.faults import WrongAnswer
from cartulary.records.state.seen_game import score_text
from cartulary.records.texts import one_spelling


@from_request(
    api.NewRequest,
    view=None,
    game=argument(),
    players=option("--player", "-p"),
    seats=option(min=1),
    tags=None,
    order=(
        *(
            "game",
            "id",
            "variant",
            "options",
            "setup",
            "players",
            "seats",
            "date",
            "event",
            "tag",
            "unjudged",
            "scored",
        ),
        *("by", "command"),
    ),
)
def command(
    typed: "Invocation[api.NewRequest]",
    options: Annotated[str, typer.Option("--options", metavar="TEXT", help="Options, as in the Options tag.")] = "",
    setup: Annotated[
        str, typer.Option("--setup", metavar="TEXT", help="The set-up, as in the set-up tag; `board` prints one.")
    ] = "",
    date: Annotated[
        str, typer.Option("--date", metavar="DATE", help="The day it is played; by default today, where you are.")
    ] = "",
    event: Annotated[str, typer.Option("--event", metavar="TEXT", help="The event it belongs to.")] = "",
    tag: Annotated[
        list[str] | None, typer.Option("--tag", "-t", metavar="NAME=VALUE", help="Any other tag, such as Round.")
    ] = None,
    scored: Annotated[
        bool, typer.Option("--scored", help="Record only the score; you are asked for what the tags do not say.")
    ] = False,
) -> None:
    """Open a live record and print its id.

    \b
    Example:
      cartulary new cardmate --id evening --player Ada --player Bela
    """
    request = typed.request if typed.request.unjudged else _with_rules(typed.request, typed.db)
    game, players, seats, unjudged = request.game, list(request.players), request.seats, request.unjudged
    tags = {"Variant": request.variant, "Options": options, "Setup" if unjudged else _setup_tag(game): setup}
    tags = {name: value for name, value in tags.items() if value} | pairs_of(tag or []) | dict(request.tags)
    for name, value in (("Date", date), ("Event", event)):
        if value and name in tags:
            fail(f"Give the {name.lower()} once, with --{name.lower()} or with -t {name}=….")
        tags |= {name: value} if value else {}
    if scored:
        tags = _with_answers(game, tags, players, seats)
    plan = api.plan(game, tags, players, seats, unjudged)
    names = _ask_names(plan, players) if players and plan.unnamed_seats and not seats else players
    with open_log(typed.db, create=True) as store:
        names, tags, differ = _people(store, plan, names, tags)
        answer = api.open_game(store, replace(request, players=tuple(names), tags=tags, variant=""))
        examined = api.load(store, answer.id).examined
        score = examined.score if scored else ()
    if typed.json:
        put_json(answer)
    else:
        put(answer.id)
    for remark in answer.remarks:
        say(f"cartulary: {remark.removesuffix('.')}.")
    say_future((tags.get("Date", ""),))
    say_alike(answer.id, differ)
    for finding in examined.report.findings if score else ():
        if finding.key == "record.tag":
            say(f"cartulary: {answer.id}: {finding.because}.")
    if score:
        closes = next_command("close", answer.id, db=typed.db)
        say(f"cartulary: {answer.id}: score {score_text(score)}; {closes} closes it.")
    defaults = "".join(_defaults(plan, "Variant" in tags, bool(players or seats)))
    if defaults:
        say(f"cartulary: {answer.id} is {plan.title}{defaults}.")


def _is_installed(game: str) -> bool:
    """Say whether there are rules for a game of this key or title.

    It is true for rules that cannot be loaded; opening the game then says why.
    """
    try:
        find_game(game)
    except NotLoaded:
        return True
    except NotationError:
        return False
    return True


def _with_rules(request: "api.NewRequest", db: str | None) -> "api.NewRequest":
    """Return a request that can be carried out: its rules are installed, or else the game is to be kept unjudged.

    It is kept so if the database ``db`` describes it, and gets the description's title and tags, or if a person at the
    terminal agrees. The program ends if the person does not, if nobody can be asked, or if the name is like that of an
    installed game.
    """
    if _is_installed(request.game):
        return request
    place = db_place(db)
    if not isinstance(place, Path) or place.exists():
        with open_log(db) as store:
            title, tags = api.description_tags(store, request.game)
            near = api.near_titles(store, request.game) if api.is_unknown_title(store, request.game) else []
        if tags:
            return replace(request, game=title, tags=tags, unjudged=True)
    else:
        near = near_names(request.game, [game.about.title for game in every_game().values()])
    game, variant = split_variant(request.game)
    if variant and not request.variant:
        return replace(request, game=game, variant=variant)
    title = " ".join(request.game.split())
    if near:
        fail(f"There is no game {title!r}; did you mean {near[0]}? With --unjudged any name will do, without a judge.")
    if title and terminal(sys.stdin) and terminal(sys.stderr):
        if not typer.confirm(f"No rules for {title} are installed; keep it unjudged?", default=True, err=True):
            raise typer.Exit(1)
        return replace(request, unjudged=True)
    return fail(
        f"No rules for {title or 'a game without a name'} are installed. With --unjudged the game is kept unjudged; "
        "`games` lists the games that are judged, and `games add FILE` describes another."
    )


def _people(
    store: "api.Log", plan: "api.TablePlan", names: list[str], tags: dict[str, str]
) -> tuple[list[str], dict[str, str], dict[str, tuple[str, str]]]:
    """Return the players, the tags, and the names that resemble one in the archive, by the tag of the seat.

    A tag maps to the new name and the known one: ``{"Seat1": ("Bela", "Béla")}``. At a terminal the person is asked
    whether they are the same player; then the archive's spelling is used and no name is left over.

    Args:
        store: The open log.
        plan: The game to be opened, with the tags of its seats.
        names: The names in seat order; fewer than there are seats leave the last ones out.
        tags: The tags that were typed, some of which may name players.
    """
    by_seat = dict(zip(plan.seats, names, strict=False)) | {seat: tags[seat] for seat in plan.seats if seat in tags}
    settled, similar = ask_spellings(store, by_seat.values())
    differ = {seat: (one_spelling(name), similar[name]) for seat, name in by_seat.items() if name in similar}
    names = [settled.get(name, name) for name in names]
    tags = {tag: settled.get(value, value) if tag in plan.seats else value for tag, value in tags.items()}
    return names, tags, differ


def _with_answers(game: str, tags: dict[str, str], players: list[str], seats: int) -> dict[str, str]:
    """Return the tags of a game of which only the score is recorded, with the person's answers to its questions.

    Questions are asked until none is left; a wrong answer is asked for again. The program ends if an answer is needed
    and nobody can be asked, and WrongAnswer is raised for a tag that was typed.
    """
    answers, person = dict(tags), terminal(sys.stdin) and terminal(sys.stderr)
    refused = ""
    while True:
        try:
            question = ask_of_scored(game, answers, players, seats)
        except WrongAnswer as fault:
            if fault.tag in tags or not person:
                raise
            say(f"cartulary: {fault}")
            if str(fault) == refused:  # another answer is wrong, not this one
                say("cartulary: The same answer was refused twice; start again with the first question.")
                answers = dict(tags)
            answers.pop(fault.tag, None)
            refused = str(fault)
            continue
        if question is None:
            return {name: value for name, value in answers.items() if value or name in tags}
        if not person and question.needed:
            fail(f"Nobody can be asked here; give -t {question.tag}=… to answer: {question.asks}")
        answers[question.tag] = _answer(question) if person else ""


def _answer(question: TagAsked) -> str:
    """Ask a question at the terminal and return the answer; an optional question may be left empty."""
    default = None if question.needed else ""
    return str(typer.prompt(question.asks, default=default, show_default=False, prompt_suffix=" ", err=True)).strip()


def _setup_tag(game: str) -> str:
    """Return the name of the tag that holds a game's starting position.

    It is ``Setup`` if the game names none, or has no rules.
    """
    with suppress(NotationError):
        return find_game(game).boards.tag or "Setup"
    return "Setup"


def _ask_names(plan: "api.TablePlan", names: list[str]) -> list[str]:
    """Return the names of all players, in seat order, asking for those not given.

    The program ends if there is nobody to ask.

    Args:
        plan: The game to be opened, with its seats.
        names: The names that were given, for the first seats.
    """
    if not (terminal(sys.stdin) and terminal(sys.stderr)):
        have = count(len(plan.seats) - len(plan.unnamed_seats), "of them has", "of them have")
        fail(
            f"{plan.title} has {count(len(plan.seats), 'seat')}, and {have} a "
            f'name; give --player "?" for a player who is not known{_others(plan)}.'
        )
    say(f"cartulary: {plan.title} has {count(len(plan.seats), 'seat')}{_others(plan)}.")
    return [*names, *(_ask_name(plan, seat) for seat in range(len(names) + 1, len(plan.seats) + 1))]


def _ask_name(plan: "api.TablePlan", seat: int) -> str:
    """Ask for the name of a player and return it, ``?`` for an empty answer.

    Nothing is asked, and the answer is ``?``, if a tag names the player already.

    Args:
        plan: The game to be opened.
        seat: The number of the seat, from 1.
    """
    tag = plan.seats[seat - 1]
    if tag not in plan.unnamed_seats:
        return "?"
    return str(typer.prompt(f"p{seat}, {tag} (Enter: not known)", default="?", show_default=False, err=True))


def _defaults(plan: "api.TablePlan", has_variant: bool, has_seats: bool) -> Iterator[str]:
    """Yield the parts of a remark on the variant and seats chosen by default, and which others there are.

    Joined they read ``, standard; --variant also takes long``. What was typed is not remarked on.

    Args:
        plan: The game to be opened.
        has_variant: Whether a variant was typed.
        has_seats: Whether a number of seats was typed.
    """
    variants = [name for name in plan.variants if name != plan.variant and not has_variant]
    seats = "" if has_seats else _others(plan)
    if variants:
        yield f", {plan.variant}"
    if seats:
        yield f", {count(len(plan.seats), 'seat')}"
    if variants:
        yield f"; --variant also takes {', '.join(variants)}"
    yield seats


def _others(plan: "api.TablePlan") -> str:
    """Return a remark on the other numbers of seats the game can have: ``; --seats also takes 3 or 5``.

    The text is empty if there is no other.
    """
    others = tuple(count for count in plan.counts if count != len(plan.seats))
    return f"; --seats also takes {either(others)}" if others else ""
