"""The club's house rules by game, as the stream ``@house`` has them. A record has its own.

It has those that held when it was opened, in its tag HouseRules.
"""

from cartulary.notation.arbiter.house import HouseRule
from cartulary.records.log.aside_events import HouseRuleAdded, HouseRuleWithdrawn
from cartulary.records.log.contract import Log
from cartulary.records.log.recorded import ASIDE

STREAM = f"{ASIDE}house"


def house_rules(store: Log) -> dict[tuple[str, str], HouseRule]:
    """Return the house rules that hold now, by the key of the game and their own key, in the order they were added."""
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
