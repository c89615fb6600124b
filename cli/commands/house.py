"""``house``: lists the club's house rules, adds those of a file, and withdraws one."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from cartulary.cli.shell.console import fail, put, put_json
from cartulary.cli.shell.findings import wrap
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import By, Command, Db, Json
from cartulary.cli.shell.places import db_place
from cartulary.notation import NotationError, find_game
from cartulary.notation.arbiter.house import HouseRule, describe_house_rule
from cartulary.notation.guide import near_names
from cartulary.records import api


def command(
    action: Annotated[
        str, typer.Argument(metavar="[add|show|withdraw]", help="What is to be done; nothing lists them.")
    ] = "",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE|GAME KEY]", help="The file to add, or the house rule to show or withdraw."),
    ] = None,
    by: By = "",
    command: Command = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """List the club's house rules: what it waives, remarks on, or plays with as an option, who decided it, and when.

    A file adds them: under [[rule]] a key, game, rule, decision ("waived" or "remark"), words, by and date. An entry
    may have an option in place of rule and decision, or words alone, which are only shown. Games that begin from then
    on state the house rules, so that their verdicts are the same everywhere. Games that have begun stay as they are.

    \b
    Example:
      cartulary house add club.toml
    """
    words = words or []
    if action == "add" and len(words) == 1:
        try:
            toml = Path(words[0]).read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as fault:
            fail(f"{words[0]} cannot be read: {getattr(fault, 'strerror', None) or 'it is not UTF-8'}.")
        with open_log(db, create=True) as store:
            rules = api.add_house_rules(store, api.HouseRequest(toml, by=by, command=command))
    elif action == "withdraw" and len(words) == 2:
        with open_log(db) as store:
            request = api.WithdrawHouseRuleRequest(words[0], words[1], by=by, command=command)
            rules = api.withdraw_house_rule(store, request)
    elif action == "show" and words and len(words) <= len(("GAME", "KEY")):
        with open_log(db) as store:
            rules = _named(api.house_rules(store), words[-1], words[0] if words[1:] else "")
        _put_rules(rules, json)
        if not json:
            _put_sentences(rules)
        return
    elif action or words:
        fail("Expected `house`, `house add FILE`, `house show KEY`, or `house withdraw GAME KEY`.")
    else:
        place = db_place(db)
        rules = {}
        if not isinstance(place, Path) or place.exists():
            with open_log(db) as store:
                rules = api.house_rules(store)
    _put_rules(rules, json)


def _named(rules: Mapping[tuple[str, str], HouseRule], key: str, game: str) -> dict[tuple[str, str], HouseRule]:
    """Return the house rules with a key, of every game or, unless ``game`` is empty, of one.

    The program ends if there is none, with the keys that are similar.

    Args:
        rules: The house rules, by game and key.
        key: The key.
        game: The key or title of the game, empty for every game.
    """
    if game:
        with suppress(NotationError):
            game = find_game(game).about.key
    named = {place: rule for place, rule in rules.items() if place[1] == key and game in ("", place[0])}
    if not named:
        near = near_names(key, [known for of, known in rules if game in ("", of)])
        meant = f"Did you mean {' or '.join(near)}? " if near else ""
        of = f" of {game}" if game else ""
        fail(f"There is no house rule {key[:40]!r}{of}. {meant}`house` lists them all.")
    return named


def _put_sentences(rules: Mapping[tuple[str, str], HouseRule]) -> None:
    """Print the sentences of the games' rules that these house rules are about, with their sources.

    A game whose rules are not installed is passed over.
    """
    for (game, _), house in rules.items():
        with suppress(NotationError):
            for clause in find_game(game).rules.clauses:
                if clause.key == house.rule:
                    for line in wrap(f"{clause.key}: {clause.says} ({clause.source})"):
                        put(line)


def _put_rules(rules: Mapping[tuple[str, str], HouseRule], json: bool) -> None:
    """Print house rules, a line each, or as JSON; if there are none, say how to add some."""
    for (game, _), rule in rules.items():
        if json:
            put_json({"game": game} | asdict(rule))
            continue
        for line in wrap(f"{game} {rule.key}: {describe_house_rule(rule)}: {rule.words} ({rule.by}, {rule.date})"):
            put(line)
    if not (rules or json):
        put("There are no house rules; `house add FILE` adds some.")
