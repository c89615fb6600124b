"""The application: which command stands in which module, so that only the module of the one typed is imported."""

import os
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from cartulary.cli.shell.console import put, register_from, spoken

MODULES = {
    "commands.validate": {
        "validate": "Judge every game; cite the rule for each refusal.",
        "replay": "Print the position after every ply.",
        "show": "Draw a position, so that one can play from it.",
        "moves": "List the legal moves of a position.",
        "fmt": "Write games in their one spelling.",
        "convert": "Turn CGN into JSON lines, or such lines into CGN.",
    },
    "commands.new": {
        "new": "Open a live record and print its id.",
        "tag": "Write names, event, date and the like anew.",
        "move": "Write moves, and say what the rules say of them.",
        "undo": "Take back the last plies; the log keeps them.",
        "amend": "Correct a ply; what follows is judged again.",
        "note": "Annotate a ply, or the game.",
        "clock": "Write or correct the time left after a ply.",
        "close": "Close a game with its result.",
        "reopen": "Open a closed game again.",
        "log": "Show everything ever written of a game.",
    },
    "commands.search": {
        "list": "List the games, the one written to last first.",
        "search": "Find games by position, player, words of a comment.",
        "import": "Take finished score sheets or archives in.",
        "reindex": "Write anew what games are listed and found by.",
    },
    "commands.stats": {
        "stats": "Count games, results, lengths, first moves, rules.",
        "duplicates": "List games that may have been entered twice.",
        "revalidate": "Judge stored games again; list what has changed.",
    },
    "commands.export": {
        "verify": "Prove that a log is what was written.",
        "export": "Write games out, as score sheets or archives.",
    },
    "commands.record": {
        "record": "Type a game while it is played.",
    },
    "commands.ruling": {
        "dispute": "Dispute a ply, or withdraw a dispute.",
        "ruling": "Rule on a ply or a dispute.",
    },
    "commands.why": {
        "check": "List what is open and what is wrong in a record.",
        "why": "Tell the story of one ply, from its rule to the verdict now.",
        "deal": "Print who can hold what.",
    },
    "commands.rules": {
        "games": "List the games there are.",
        "rules": "Print the rules of a game, with their sources.",
        "perft": "Count the legal sequences of so many plies.",
        "samples": "Say where the sample games are.",
    },
}
"""The commands of each module with what the overview says of them, in the order of its group in ``--help``."""

GROUPS = {
    "Score sheets": ("commands.validate",),
    "Live records": ("commands.new", "commands.record"),
    "Questions and rulings": ("commands.why", "commands.ruling"),
    "The archive": ("commands.search", "commands.stats", "commands.export"),
    "Games and rules": ("commands.rules",),
}
"""What the overview puts together, under its heading."""

ABOUT = """Keep the record of a card or board game: one notation, a log that only grows, an arbiter who names the rule.

\b
Example:
  cartulary validate "$(cartulary samples cardmate)/page-1.cgn"
"""


def build(words: Sequence[str] = ()) -> typer.Typer:
    """Return the application with the commands these words can need: the module of the one typed, else all.

    words: the command line without the program's name
    """
    app = typer.Typer(
        cls=_Overview,
        help=ABOUT,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_options)
    for module in _needed(words):
        register_from(app, module)
    summaries = {name: says for commands in MODULES.values() for name, says in commands.items()}
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = spoken(command.callback)
        command.short_help = summaries.get(command.name or "")
    return app


class _Overview(TyperGroup):
    """Lists the commands under the headings of their groups, all in the same columns."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        wide = max(map(len, self.commands))
        for heading, modules in GROUPS.items():
            summaries = (MODULES[module] for module in modules)
            rows = [(name.ljust(wide), says) for each in summaries for name, says in each.items()]
            with formatter.section(heading):
                formatter.write_dl(rows)


def _needed(words: Sequence[str]) -> Sequence[str]:
    completing = any(name.endswith("_COMPLETE") for name in os.environ)
    if words and not completing:
        for module, commands in MODULES.items():
            if words[0] in commands:
                return (module,)
    return tuple(MODULES)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        put(f"cartulary {version('cartulary')}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and end."
    ),
) -> None:
    """Take the options before the command; the help text stands in ABOUT."""
