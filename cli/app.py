"""The application: one group that reads ``commands/`` and imports the command typed."""

import re
from copy import copy
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from cartulary.cli import commands
from cartulary.cli.shell.console import in_sentences, put

OVERVIEW = {
    "Score sheets": {
        "validate": "Judge games; cite the rule for each refusal.",
        "replay": "Print the position after every ply.",
        "show": "Draw a position, with what was found.",
        "moves": "List the legal moves of a position.",
        "fmt": "Write games in canonical form.",
        "convert": "Turn score sheets into CGN, PGN, PDN, SGF or JSON.",
    },
    "Live records": {
        "new": "Open a live record and print its id.",
        "tag": "Change the names, event, date and other tags.",
        "seat": "Write who sits at a seat from a ply on.",
        "move": "Write moves, with the verdict on each.",
        "pad": "Enter rounds as their scores, with running totals.",
        "undo": "Take back the last plies; the log keeps them.",
        "redo": "Play the plies of the last undo again.",
        "amend": "Correct a ply; what follows is judged again.",
        "note": "Annotate a ply, or the game.",
        "clock": "Write or correct the time left after a ply.",
        "board": "State what lies on the table, or print it.",
        "reveal": "Show the verdicts of a quiet record.",
        "close": "Close a game with its result.",
        "result": "Record a finished game: who played, and the points.",
        "reopen": "Reopen a closed game.",
        "agree": "Sign a closed record off for a seat.",
        "log": "Show everything ever written to a game.",
        "record": "Type a game as it is played.",
    },
    "Questions and rulings": {
        "check": "List what is open and what is wrong in a record.",
        "why": "Tell the story of one ply, from its rule to the verdict now.",
        "deal": "Print who can hold what.",
        "compare": "Lay two sheets of one game side by side.",
        "restore": "Find the legal games nearest to a sheet.",
        "dispute": "Dispute a ply, or withdraw a dispute.",
        "ruling": "Rule on a ply or a dispute.",
    },
    "The archive": {
        "list": "List the games, most recently written first.",
        "evening": "Open an evening, set its tables, show who sits where.",
        "evenings": "List the evenings of the archive.",
        "people": "List the people; merge, rename or split names.",
        "search": "Find games by position, player or comment.",
        "import": "Import finished score sheets or archives.",
        "csv": "Record finished games from a table, or write one.",
        "reindex": "Rebuild the lists and the search from the log.",
        "standings": "Show who has won what, in a season or a game.",
        "explore": "Show what was played after some first words.",
        "stats": "Count games, results, lengths, openings, rules.",
        "duplicates": "List games that may be one game entered twice.",
        "aside": "Set a duplicate or a mistake aside.",
        "revalidate": "Judge stored games again; list what changes.",
        "verify": "Prove that a log is what was written.",
        "export": "Export games as score sheets or archives.",
        "backup": "Back the whole log up to a file, or restore it.",
        "serve": "Show the archive, or files, in a browser.",
        "links": "Make links that let phones join a game.",
    },
    "Games and rules": {
        "games": "List the games there are, or describe one.",
        "house": "List the club's house rules, or add some.",
        "rules": "Print the rules of a game, with their sources.",
        "perft": "Count the legal sequences of N plies.",
        "samples": "Print where the sample games are.",
        "new-game": "Create a package for a game of your own.",
    },
}
"""What ``--help`` prints: each command with a line about it, in its order, under the heading of its group."""

ABOUT = """Keep the record of a card or board game: one notation, a log that only grows, an arbiter who cites the rules.

\b
Example:
  cartulary validate "$(cartulary samples cardmate)/page-1.cgn"
"""

OPTION_HINTS = {("backup", "--restore"): "; to restore, `backup FILE --into DB`"}
ARGUMENT_HINTS = {
    "list": ". Did you mean `search {0}`, or `list --player {0}`?",
}
"""What people mean by an option, or a word, that a command does not have."""

UNREAD: Any = typer.BadParameter.__base__
"""The fault of words that cannot be read, which versions of typer take from different places."""

PLAIN: dict[str, Any] = {"rich_markup_mode": None, "pretty_exceptions_enable": False}
"""Texts are printed and faults are raised as they are, by the group and by each command."""


@cache
def build() -> typer.Typer:
    """Return the command line as a typer application, always the same one.

    Commands are known by name only; each is imported when it is typed.
    """
    app = typer.Typer(
        cls=_Commands,
        help=ABOUT,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        **PLAIN,
    )
    app.callback()(_options)
    return app


class _Commands(TyperGroup):
    """The group of all commands: known by name from the files of ``commands/``, imported when one is typed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, says in _commands_in_order().items():
            self.add_command(TyperCommand(name, short_help=says, rich_markup_mode=None))

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the words before the command; ``help X`` is read as ``X --help``, ``version`` as ``--version``."""
        if args[:1] == ["help"]:
            args = [*args[1:2], "--help"]
        elif args == ["version"]:
            args = ["--version"]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a fault in its arguments is raised with a suggestion added, if one is known."""
        try:
            return super().invoke(ctx)
        except UNREAD as fault:
            fault.message += _suggestion(fault)
            raise

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command of this name and return it; None if there is none."""
        return _command(cmd_name) if cmd_name in self.commands else None

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the completions of a command name that was begun, without importing any command."""
        ctx.command = TyperGroup(commands=dict(self.commands), params=self.params)
        return ctx.command.shell_complete(ctx, incomplete)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands into the help, under the headings of their groups, all in the same columns."""
        wide = max(map(len, self.commands))
        for heading, lines in OVERVIEW.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(wide), says) for name, says in lines.items()])


def _suggestion(fault: Any) -> str:
    """Return what people mean who type an option or word that a command lacks; empty if nothing is known.

    The answer follows the sentence of the fault: ``; to restore, `backup FILE --into DB` ``. The parser's own guesses
    are then dropped from the fault.
    """
    command = fault.ctx.info_name if fault.ctx else ""
    if suggestion := OPTION_HINTS.get((command, getattr(fault, "option_name", ""))):
        fault.possibilities = None
        return suggestion
    extra = re.search(r"extra argument.* \((.+)\)$", fault.message)
    return ARGUMENT_HINTS[command].format(extra[1]) if extra and command in ARGUMENT_HINTS else ""


@cache
def _commands_in_order() -> dict[str, str | None]:
    """Return each command with its line of the overview, in the order of the overview.

    Commands that it does not list come last, in alphabetical order, with None.
    """
    names = sorted(module.name for module in iter_modules(commands.__path__))
    says = {name: line for lines in OVERVIEW.values() for name, line in lines.items()}
    return {name: says.get(name) for name in sorted(names, key=[*says, *names].index)}


@cache
def _command(name: str) -> Any:
    """Import a command and return it as the parser runs it, with faults reported as sentences.

    It is made once, because reading its options from the function takes longer than most else at start-up.
    """
    alone = typer.Typer(add_completion=False, **PLAIN)
    module = import_module(f"{commands.__name__}.{name}")
    settings, parser = getattr(module, "SETTINGS", None), getattr(module, "PARSER", None)
    alone.command(name, cls=parser, context_settings=settings)(in_sentences(module.command))
    command = get_command(alone)
    for parameter in command.params:
        if parameter.type.name in ("int", "int range", "integer", "integer range"):  # as the versions of typer call it
            parameter.type = copy(parameter.type)
            parameter.type.name = "whole number"
    return command


def _version(value: bool) -> None:
    """If ``--version`` was typed, print the version and end the program; else do nothing."""
    if value:
        from importlib.metadata import version

        put(f"cartulary {version('cartulary')}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Declare the options that may stand before a command; the parser handles them, and nothing is done here."""
