"""The club's house rules by game, as the stream ``@house`` has them. A record has its own.

It has those that held when it was opened, in its tag HouseRules.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from cartulary.notation import AnyGame, NotationError
from cartulary.notation.arbiter.heading import format_options, read_options
from cartulary.notation.arbiter.house import OPTION, HouseRule, write_house_rules
from cartulary.records.dates import read_date, today
from cartulary.records.faults import Unfit
from cartulary.records.log.aside_events import HouseRuleAdded, HouseRuleWithdrawn
from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import ASIDE

STREAM = f"{ASIDE}house"


def house_rules(store: Log) -> dict[tuple[str, str], HouseRule]:
    """Return the house rules that hold now, in the order they were added; empty if there were never any.

    A rule that is added again replaces the earlier one and comes last.

    Returns:
        The rules by pairs of the key of the game and their own key.
    """
    if store.head(STREAM) is None:
        return {}
    rules: dict[tuple[str, str], HouseRule] = {}
    for recorded in store.stream(STREAM):
        event = recorded.event
        if isinstance(event, HouseRuleAdded):
            rules.pop((event.game, event.key), None)
            rules[event.game, event.key] = HouseRule(
                event.key, event.rule, event.decision, event.date, event.decided_by, event.words
            )
        elif isinstance(event, HouseRuleWithdrawn):
            rules.pop((event.game, event.key), None)
    return rules


def rules_for(store: Log, game: AnyGame, tags: Mapping[str, str]) -> tuple[HouseRule, ...]:
    """Return the house rules that a game which is opened now states, in the order in which they were added.

    A house rule holds from the day of its decision on; a game of an earlier day does not state it. House rules that are
    kept in words alone, or are about a rule that the game has no more, are left out. Of two about the same rule or
    option the later one counts.

    Args:
        store: The log.
        game: The game.
        tags: The tags that were given. Options among them take the place of the club's, and so do HouseRules: then no
            rule is returned.
    """
    if "HouseRules" in tags:
        return ()
    day, keys = _day(tags.get("Date", "")), {clause.key for clause in game.rules.clauses}
    by_subject: dict[str, HouseRule] = {}  # archives that were put together may contradict: the last one counts
    for (key, _), rule in house_rules(store).items():
        holds = rule.rule in keys if rule.rule else rule.decision.startswith(OPTION) and "Options" not in tags
        if key == game.about.key and rule.date.replace("-", ".") <= day and holds:
            by_subject[rule.rule or rule.decision.partition("=")[0]] = rule
    return tuple(by_subject.values())


def house_tags(game: AnyGame, rules: Sequence[HouseRule]) -> dict[str, str]:
    """Return the tags by which a game states house rules, HouseRules and Options; without a tag that would be empty.

    Rules that set options are left out of both if the game has none of these options any more.
    """
    options = _options(game, rules)
    stated = [rule for rule in rules if rule.rule or options]
    return ({"HouseRules": write_house_rules(stated)} if stated else {}) | (
        {"Options": format_options(options)} if options else {}
    )


def _day(text: str) -> str:
    """Return the day of the tag Date, ``2026.11.22``, as early as it may be and not after today.

    An unknown part counts as 0: ``2026.11.??`` -> ``2026.11.00``. It is today if the tag is empty or is not a date.
    """
    with suppress(Unfit):
        return min(read_date(text).replace("?", "0"), today()) if text else today()
    return today()  # opening the game says what is wrong with the date


def _options(game: AnyGame, rules: Sequence[HouseRule]) -> dict[str, str]:
    """Return the values of the options that house rules decide, by name; those that the game has no more are left out.

    Of two rules on the same option the later one in ``rules`` counts.
    """
    options: dict[str, str] = {}
    for rule in rules:
        if not rule.rule:
            with suppress(NotationError):
                options |= read_options(game, rule.decision.removeprefix(OPTION))
    return options
