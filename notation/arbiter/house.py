"""House rules that a record states in its tag HouseRules: what a club decided about rules of the game."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Call, Refused
from cartulary.engine.parts import other_refusals
from cartulary.notation.arbiter.finding import Finding
from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.arbiter.replay import Step, own_move
from cartulary.notation.cgn.record import Record
from cartulary.notation.contract import AnyGame
from cartulary.notation.guide import near_names

TAG = "HouseRules"
WAIVER = "waived"
REMARK = "remark"
OPTION = "option "
"""How the decision for an option begins: ``option ecart=fft``."""
WORDS = "words"
"""The decision of a house rule that is kept in words alone; no record states it."""
_FIELDS = 6
WITHHELD = "?"
"""The value of the tag, or of one of its fields, in an export that leaves names out."""


class HouseRule(Struct, frozen=True):
    """A decision of a club on a rule of a game.

    Attributes:
        key: The key of the house rule.
        rule: The key of the game's rule that it is about; empty for an option, or for words alone.
        decision: ``waived``, ``remark``, ``option NAME=VALUE`` or ``words``.
        date: When it was decided, as 2026-11-01.
        by: Who decided it.
        words: The decision in the words of the club.
    """

    key: str
    rule: str
    decision: str
    date: str
    by: str
    words: str


def write_house_rules(rules: Iterable[HouseRule]) -> str:
    """Return house rules as the value of the tag: fields between ``|``, rules between ``||``.

    For example ``H1 | mygame.follow-suit | waived | 2026-11-01 | the club | We do not``; a rule that is empty is ``-``.
    """
    return " || ".join(
        " | ".join((rule.key, rule.rule or "-", rule.decision, rule.date, rule.by, rule.words)) for rule in rules
    )


def read_house_rules(text: str) -> tuple[HouseRule, ...]:
    """Return the house rules of a tag, as ``write_house_rules`` writes them; none for ``""`` and ``?``.

    Raises:
        ValueError: If the text states none; its text is the reason.
    """
    rules = []
    for entry in text.split("||") if text not in ("", WITHHELD) else ():
        fields = [field.strip() for field in entry.split("|")]
        if len(fields) != _FIELDS or not all(fields):
            raise ValueError(
                f"found the house rule {entry[:60]!r}, expected KEY | RULE | waived or remark | DATE | WHO | WORDS"
            )
        key, rule, decision, date, by, words = fields
        if decision not in (WAIVER, REMARK) and not decision.startswith(OPTION):
            raise ValueError(f"found the decision {decision[:40]!r}, expected waived, remark or option NAME=VALUE")
        rules.append(HouseRule(key, "" if rule == "-" else rule, decision, date, by, words))
    return tuple(rules)


def house_rules_of(record: Record) -> Mapping[str, HouseRule]:
    """Return the house rules of a record by the keys of the rules they are about; none if its tag cannot be read.

    House rules about options or in words alone have no such key, and are left out.
    """
    text = record.tag(TAG)
    if not text:
        return {}
    try:
        return {rule.rule: rule for rule in read_house_rules(text) if rule.rule}
    except ValueError:
        return {}  # the finding on the tag gives the reason


def waiver_of(record: Record, rule: str) -> HouseRule | None:
    """Return the house rule of a record that waives a rule of the game; None if none does.

    ``rule`` is the key of the game's rule. A house rule that only remarks on it waives nothing.
    """
    house = house_rules_of(record).get(rule) if record.tag(TAG) else None
    return house if house is not None and house.decision == WAIVER else None


def unwaived_refusal(game: AnyGame, record: Record, step: Step) -> Refused | None:
    """Return the refusal of a ply that no house rule of its record waives, the first one; None if nothing refuses it.

    If the rule that refuses it first is waived, the rules after that one are asked too. A ply that cannot be applied is
    refused whatever is waived.
    """
    refused = step.verdict
    if not isinstance(refused, Refused):
        return None
    if not step.applied or waiver_of(record, refused.clause.key) is None:
        return refused
    return next((each for each in _others(game, step, refused) if waiver_of(record, each.clause.key) is None), None)


def waived_refusals(game: AnyGame, record: Record, step: Step) -> tuple[Refused, ...]:
    """Return the refusals of a ply beside its verdict that house rules of its record bring to light, in order.

    They are those by further waived rules, and the first by one that is not waived. There are none if the verdict is no
    refusal or is not waived, or if the ply could not be applied.
    """
    refused = step.verdict
    if not isinstance(refused, Refused) or not step.applied or waiver_of(record, refused.clause.key) is None:
        return ()
    found: list[Refused] = []
    for each in _others(game, step, refused):
        found.append(each)
        if waiver_of(record, each.clause.key) is None:
            break
    return tuple(found)


def _others(game: AnyGame, step: Step, refused: Refused) -> Iterator[Refused]:
    """Yield the refusals of a ply by other rules than ``refused``; none of a call or where the state is not known."""
    if not isinstance(step.move, Call) and type(step.state) not in GAPS:
        yield from other_refusals(game.rules, step.state, own_move(step.move), refused)


def describe_house_rule(house: HouseRule) -> str:
    """Return what a house rule decides, as a list shows it: ``waives mygame.follow-suit``, or ``option ecart=fft``.

    One that only makes a breach a remark ``remarks on`` the rule, and one that is kept in words alone is ``in words``.
    """
    if not house.rule:
        return "in words" if house.decision == WORDS else house.decision
    return f"{'waives' if house.decision == WAIVER else 'remarks on'} {house.rule}"


def cite(house: HouseRule) -> str:
    """Return how a finding cites a house rule: ``house rule H1: its words (the club, 2026-11-01)``.

    Words and deciders that an export withholds are left out.
    """
    by = f"{house.by}, " if house.by != WITHHELD else ""
    words = f": {house.words}" if house.words != WITHHELD else ""
    return f"house rule {house.key}{words} ({by}{house.date})"


def without_deciders(text: str) -> str:
    """Return the value of a tag HouseRules with ``?`` for who decided and for the words, which may hold names.

    Raises:
        ValueError: If the tag cannot be read.
    """
    return write_house_rules(replace(rule, by=WITHHELD, words=WITHHELD) for rule in read_house_rules(text))


def house_fault(record: Record, keys: Collection[str]) -> str:
    """Return what is wrong with the tag HouseRules of a record, empty for nothing.

    Args:
        record: The record.
        keys: The keys of the game's rules.
    """
    try:
        rules = read_house_rules(record.tag(TAG))
    except ValueError as fault:
        return str(fault)
    names, about = [rule.key for rule in rules], [rule.rule for rule in rules if rule.rule]
    for key in (*names, *about):
        if names.count(key) > 1 or about.count(key) > 1:
            return f"found {key} twice in the house rules, expected it once"
    for key in about:
        if key not in keys:
            near = near_names(key, keys)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            return f"found the rule {key!r}, expected a key that `rules` lists{meant}"
    return ""


def with_house_rules(findings: Iterable[Finding], rules: Mapping[str, HouseRule], plies: int) -> list[Finding]:
    """Return findings of which those under a house rule cite it; those under a waived rule are remarks.

    No house rule waives a fault of the set-up, or makes a ply possible that cannot be applied.

    Args:
        findings: The findings.
        rules: The house rules by the keys of the rules they are about.
        plies: How many plies could be applied.
    """
    return [
        _cited(finding, rules[finding.key]) if finding.key in rules and 0 < finding.ply <= plies else finding
        for finding in findings
    ]


def _cited(finding: Finding, house: HouseRule) -> Finding:
    """Return a finding that cites a house rule after its reason; it is a remark if that rule waives it."""
    because = f"{finding.because}; {cite(house)}"
    return replace(finding, because=because, severity="remark" if house.decision == WAIVER else finding.severity)
