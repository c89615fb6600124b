"""The story of a ply in parts, each with a label, as a terminal and a page show them."""

from collections.abc import Iterator
from typing import TypeAlias

from cartulary.engine.readings import FILLED
from cartulary.notation import Story
from cartulary.notation.arbiter.finding import Finding, legal_text
from cartulary.notation.cgn.signs import count

Part: TypeAlias = tuple[str, str]
"""A label of one or two words, and what it says."""
SHOWN = 8
"""The largest number of later plies that are named; of more, the first and the last ones are."""


def story_parts(told: Story) -> Iterator[Part]:
    """Yield the story of a ply: what was played before, what was said then, the rules, what came after, what is now."""
    if told.before:
        played = ", ".join(f"{word} by {seat}" for seat, word in told.before)
        yield "after", f"{played} (move {told.round})"
    if told.over:
        yield "deal", told.over
    yield "then", _then(told)
    for rule in told.rules if told.verdict != "legal" else ():
        yield "rule", f"{rule.key}: {rule.says}"
        yield "source", rule.source
    yield from _for_the_arbiter(told)
    left = len(told.then) - SHOWN
    for at, one in enumerate(told.then):
        if left > 0 and SHOWN // 2 <= at < SHOWN // 2 + left:
            if at == SHOWN // 2:
                yield "...", f"{count(left, 'more ply', 'more plies')} added something"
            continue
        yield f"ply {one.ply}", f"{one.word} by {one.seat}: {one.says}"
    yield from _now(told)


def _for_the_arbiter(told: Story) -> Iterator[Part]:
    if told.position:
        yield "before", told.position
        plies = ", ".join(map(str, told.earlier))
        breach = (
            f"{told.seat} had broken a rule before, at ply {plies}" if plies else f"it is {told.seat}'s first breach"
        )
        yield "since", f"{count(told.since, 'ply has', 'plies have')} followed; {breach}"
    for one in told.remedies:
        yield "may", f"{one.says} ({one.source})"


def _then(told: Story) -> str:
    if told.verdict == "legal" and not told.then:
        keys = [rule.key for rule in told.rules]
        return f"legal under {_listed(keys)}" if keys else "legal: no rule forbids it"
    if told.verdict == "unjudged":
        return "unjudged: this record is not judged"
    return f"{told.verdict}: {told.because}" if told.because else told.verdict


def _listed(keys: list[str]) -> str:
    return f"{', '.join(keys[:-1])} and {keys[-1]}" if len(keys) > 1 else keys[0]


def _now(told: Story) -> Iterator[Part]:
    for finding in told.now:
        if finding.severity == "remark":
            yield "remark", f"{finding.key}: {finding.because}"
            continue
        yield "now", _stands(told, finding)
        if finding.severity == "error" and finding.legal:
            yield "legal", legal_text(finding)
    filled = any(finding.key == FILLED.key for finding in told.now)
    if all(finding.severity == "remark" for finding in told.now) and not filled:
        if told.still:
            yield "now", f"still open, because an earlier ply is: {told.still}"
        elif told.verdict in ("legal", "unjudged"):
            yield "now", f"still {told.verdict}"
        else:
            yield "now", "legal: the cards have come to light, and no rule was broken"


def _stands(told: Story, finding: Finding) -> str:
    """Return how a ply stands by what is found on it now, without what was said of it when it was played."""
    verdict = told.verdict if told.verdict == "unreadable" else "irregular"
    if finding.severity == "undecided":
        verdict = "undecided"
    if told.because and finding.because.startswith(told.because):
        still = "still " if verdict == told.verdict else ""
        return f"{still}{verdict}{finding.because.removeprefix(told.because)}"
    if verdict == "undecided":
        return f"still undecided under {finding.key}: {finding.because}"
    proved = f" (proved by ply {finding.decided_by})" if finding.decided_by else ""
    return f"{verdict} under {finding.key}: {finding.because}{proved}"
