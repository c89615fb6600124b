"""House rules: what a club decides about rules and options of games, from its next games on."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from cartulary.notation import AnyGame, NotationError, find_game
from cartulary.notation.arbiter.heading import format_options, read_options
from cartulary.notation.arbiter.house import OPTION, REMARK, WAIVER, WORDS, HouseRule
from cartulary.notation.guide import near_names
from cartulary.records.commands.request import Request, field, reused_key
from cartulary.records.faults import Declined, Unfit, decode_fault
from cartulary.records.log.aside_events import HouseRuleAdded, HouseRuleWithdrawn
from cartulary.records.log.aside_streams import append_aside
from cartulary.records.log.contract import Log
from cartulary.records.log.events import Event
from cartulary.records.log.recorded import RecordedEvent
from cartulary.records.state.house_rules import STREAM, house_rules
from cartulary.records.texts import canonical_name, clean_name, keepable, no_game, now


class HouseRuleEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A house rule as the file has it, under ``[[rule]]``.

    Attributes:
        key: The key of the house rule.
        words: The decision in the words of the club.
        by: Who decided it.
        date: When it was decided, as 2026-11-01.
        game: The game, by its key or title; empty for that of the file.
        rule: The key of the game's rule that it is about.
        decision: ``waived`` or ``remark``.
        option: In place of rule and decision, an option that games have from then on, such as ``rounds=3``. Without all
            three the house rule is kept in words alone.
    """

    key: str
    words: str
    by: str
    date: Any
    game: str = ""
    rule: str = ""
    decision: str = ""
    option: str = ""


class HouseRulesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of house rules, such as ``club.toml``.

    Attributes:
        rule: The house rules.
        game: The game of those that name none.
    """

    rule: tuple[HouseRuleEntry, ...]
    game: str = ""


class HouseRequest(Request, frozen=True):
    """House rules to be added. ``toml`` is the text of their file; see ``HouseRulesFile``."""

    toml: Annotated[str, field("The house rules, as TOML: key, rule, decision, words, by and date of each.", "TOML")]


class WithdrawHouseRuleRequest(Request, frozen=True):
    """A house rule to be withdrawn.

    Attributes:
        game: The game, by its key or title.
        key: The key of the house rule.
    """

    game: Annotated[str, field("The game's key or title, as listed by `games`.", "GAME")]
    key: Annotated[str, field("The key of the house rule.", "KEY")]


def add_house_rules(store: Log, request: HouseRequest) -> dict[tuple[str, str], HouseRule]:
    """Keep house rules; games that are opened from then on state them in their tag HouseRules (``rules_for``).

    Those in words alone are kept, but no game states them. A house rule that is there already is not written again; one
    that says something else takes its place.

    Args:
        store: The log.
        request: The house rules.

    Returns:
        All house rules that hold now, by the key of the game and their own key.

    Raises:
        Unfit: The text states no house rules, names a game or rule that there is not, cannot be stored, or contradicts
            itself or another house rule; nothing is stored.
        Declined: The command was given before with other house rules; or too many others are writing at once.
    """
    try:
        file = msgspec.toml.decode(request.toml.encode("utf-8", "replace"), type=HouseRulesFile)
    except msgspec.MsgspecError as fault:
        raise Unfit(f"The file states no house rules: {decode_fault(fault)}.") from None
    if not file.rule:
        raise Unfit("The file states no house rules; expected one or more entries under [[rule]].")
    keepable(request.command, "The command id")
    added: dict[tuple[str, str], HouseRule] = {}
    for entry in file.rule:
        game, rule = _read_entry(entry, file.game)
        if (game, rule.key) in added:
            raise Unfit(f"The house rule {rule.key} of {game} is written twice; give it once.")
        added[game, rule.key] = rule
    _check_rules(house_rules(store) | added)
    by = clean_name(request.by)

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        written = [each for each in recorded if request.command and each.event.command == request.command]
        if written:
            before = [each.event for each in recorded[: recorded.index(written[0])]]
            stated = [_statement(each.event) for each in written]
            there = [_statement(event) for event in before if isinstance(event, HouseRuleAdded)]
            if all(one in added.items() for one in stated) and all(one in stated + there for one in added.items()):
                return ()
            raise reused_key(request.command, STREAM)
        here = house_rules(store)
        return [
            HouseRuleAdded(
                at=now(),
                by=by,
                command=request.command,
                game=game,
                key=rule.key,
                rule=rule.rule,
                decision=rule.decision,
                date=rule.date,
                decided_by=rule.by,
                words=rule.words,
            )
            for (game, _), rule in added.items()
            if here.get((game, rule.key)) != rule
        ]

    append_aside(store, STREAM, draft)
    return house_rules(store)


def withdraw_house_rule(store: Log, request: WithdrawHouseRuleRequest) -> dict[tuple[str, str], HouseRule]:
    """Withdraw a house rule: games that are opened later do not have it, and records keep those they have.

    Args:
        store: The log.
        request: The game and the key of the house rule.

    Returns:
        All house rules that hold now, by the key of the game and their own key.

    Raises:
        Declined: There is no such house rule, or the command was given before for something else.
        Unfit: There is no such game.
    """
    game, key = _find(request.game).about.key, " ".join(request.key.split())
    keepable(request.command, "The command id")

    def draft(recorded: tuple[RecordedEvent, ...]) -> Sequence[Event]:
        for each in recorded:
            if request.command and each.event.command == request.command:
                if isinstance(each.event, HouseRuleWithdrawn) and (each.event.game, each.event.key) == (game, key):
                    return ()
                raise reused_key(request.command, STREAM)
        here = house_rules(store)
        if (game, key) not in here:
            keys = [known for of, known in here if of == game]
            expected = f"expected one of {', '.join(keys)}" if keys else "`house` lists them all"
            raise Declined(f"There is no house rule {key[:40]!r} of {game}; {expected}.")
        by = clean_name(request.by)
        return (HouseRuleWithdrawn(at=now(), by=by, command=request.command, game=game, key=key),)

    append_aside(store, STREAM, draft)
    return house_rules(store)


def _find(name: str) -> AnyGame:
    """Return the game of a key or title. Raises Unfit if there is none, or if its rules cannot be loaded."""
    try:
        return find_game(name)
    except NotationError as error:
        raise no_game(name, error) from None


def _read_entry(entry: HouseRuleEntry, game_of_file: str) -> tuple[str, HouseRule]:
    """Return the key of the game and the house rule of an entry.

    Args:
        entry: The entry.
        game_of_file: The game of entries that name none, empty if the file names none either.

    Raises:
        Unfit: A field is missing or cannot be, there is no such game or rule, or rule and option contradict each other.
    """
    key = _text(entry.key, "the key of a house rule")
    name = entry.game or game_of_file
    if not name:
        raise Unfit(f'The house rule {key} names no game; give game = "KEY", in it or above all rules.')
    game = _find(name)
    day = _date(entry.date, key)
    words, by = _text(entry.words, f"the words of {key}"), _text(entry.by, f"who decided {key}")
    if entry.option:
        if entry.rule or entry.decision:
            raise Unfit(f"The house rule {key} has an option and a rule; give either option, or rule and decision.")
        try:
            option = format_options(read_options(game, entry.option.strip()))
        except NotationError as fault:
            raise Unfit(f"The house rule {key} cannot hold: {fault.because}.") from None
        return game.about.key, HouseRule(key, "", f"{OPTION}{option}", day, by, words)
    if not (entry.rule or entry.decision):
        return game.about.key, HouseRule(key, "", WORDS, day, by, words)
    if entry.decision not in (WAIVER, REMARK):
        raise Unfit(
            f"The house rule {key} has the decision {entry.decision[:40]!r}; expected waived or remark, an option, or "
            "neither rule nor decision."
        )
    keys = [clause.key for clause in game.rules.clauses]
    if entry.rule not in keys:
        near = near_names(entry.rule, keys)
        expected = f"did you mean {' or '.join(near)}" if near else f"expected one that `rules {game.about.key}` lists"
        of = game.about.title
        raise Unfit(f"The house rule {key} is about {entry.rule[:60]!r}, which is no rule of {of}; {expected}.")
    return game.about.key, HouseRule(key, entry.rule, entry.decision, day, by, words)


def _date(day: Any, key: str) -> str:
    """Return the day of a house rule as ``2026-11-01``.

    Args:
        day: A date or a date and time as TOML has them, or a text.
        key: The key of the house rule, for the fault.

    Raises:
        Unfit: A text is no date in this form.
    """
    try:
        day = day.date() if isinstance(day, datetime) else day
        return (day if isinstance(day, date) else date.fromisoformat(str(day))).isoformat()
    except ValueError:
        raise Unfit(f"The house rule {key} has the date {str(day)[:40]!r}; expected one such as 2026-11-01.") from None


def _text(text: str, what: str) -> str:
    """Return a text in single spaces.

    Args:
        text: The text.
        what: What a message calls it, such as ``the key of a house rule``.

    Raises:
        Unfit: It is empty, cannot be stored, or has a ``|``, which separates fields in the tag HouseRules.
    """
    single = canonical_name(text, what[0].upper() + what[1:])
    if not single or "|" in single:
        raise Unfit(f"Found {text[:40]!r} as {what}; expected a text without |.")
    return single


def _check_rules(rules: Mapping[tuple[str, str], HouseRule]) -> None:
    """Raise Unfit for two house rules of the same game that decide about the same rule or the same option.

    House rules in words alone may be about anything.

    Args:
        rules: The house rules, by the key of the game and their own key.
    """
    decided: dict[tuple[str, str], str] = {}
    for (game, key), rule in rules.items():
        if rule.decision == WORDS:
            continue
        subject = rule.rule or rule.decision.partition("=")[0]
        other = decided.setdefault((game, subject), key)
        if other != key:
            about = subject.removeprefix(OPTION)
            raise Unfit(f"The house rules {other} and {key} of {game} are both about {about}; expected one of them.")


def _statement(event: Any) -> tuple[tuple[str, str], HouseRule]:
    """Return what an event adds: the key of the game, the key of the house rule, and the house rule.

    The keys are a pair. For an event that adds no house rule, all texts are empty.
    """
    if not isinstance(event, HouseRuleAdded):
        return ("", ""), HouseRule(*[""] * len(HouseRule.__struct_fields__))
    rule = HouseRule(event.key, event.rule, event.decision, event.date, event.decided_by, event.words)
    return (event.game, event.key), rule
