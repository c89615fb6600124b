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


def story_parts(story: Story) -> Iterator[Part]:
    """Yield the story of a ply: what was played before, what was said then, the rules, what came after, what is now."""
    if story.before:
        played = ", ".join(f"{word} by {seat}" for seat, word in story.before)
        yield "after", f"{played} (move {story.round})"
    if story.over:
        yield "deal", story.over
    yield "then", _then(story)
    for rule in story.rules if story.verdict != "legal" else ():
        yield "rule", f"{rule.key}: {rule.says}"
        yield "source", rule.source
    yield from _for_the_arbiter(story)
    left = len(story.then) - SHOWN
    for at, one in enumerate(story.then):
        if left > 0 and SHOWN // 2 <= at < SHOWN // 2 + left:
            if at == SHOWN // 2:
                yield "...", f"{count(left, 'more ply', 'more plies')} added something"
            continue
        yield f"ply {one.ply}", f"{one.word} by {one.seat}: {one.says}"
    yield from _now(story)


def _for_the_arbiter(story: Story) -> Iterator[Part]:
    if story.position:
        yield "before", story.position
        plies = ", ".join(map(str, story.earlier))
        breach = (
            f"{story.seat} had broken a rule before, at ply {plies}" if plies else f"it is {story.seat}'s first breach"
        )
        yield "since", f"{count(story.since, 'ply has', 'plies have')} followed; {breach}"
    for one in story.remedies:
        yield "may", f"{one.says} ({one.source})"


def _then(story: Story) -> str:
    if story.verdict == "legal" and not story.then:
        keys = [rule.key for rule in story.rules]
        return f"legal under {_listed(keys)}" if keys else "legal: no rule forbids it"
    if story.verdict == "unjudged":
        return "unjudged: this record is not judged"
    return f"{story.verdict}: {story.because}" if story.because else story.verdict


def _listed(keys: list[str]) -> str:
    return f"{', '.join(keys[:-1])} and {keys[-1]}" if len(keys) > 1 else keys[0]


def _now(story: Story) -> Iterator[Part]:
    for finding in story.now:
        if finding.severity == "remark":
            yield "remark", f"{finding.key}: {finding.because}"
            continue
        yield "now", _stands(story, finding)
        if finding.severity == "error" and finding.legal:
            yield "legal", legal_text(finding)
    filled = any(finding.key == FILLED.key for finding in story.now)
    if all(finding.severity == "remark" for finding in story.now) and not filled:
        if story.still:
            yield "now", f"still open, because an earlier ply is: {story.still}"
        elif story.verdict in ("legal", "unjudged"):
            yield "now", f"still {story.verdict}"
        else:
            yield "now", "legal: the cards have come to light, and no rule was broken"


def _stands(story: Story, finding: Finding) -> str:
    """Return how a ply stands by what is found on it now, without what was said of it when it was played."""
    verdict = story.verdict if story.verdict == "unreadable" else "irregular"
    if finding.severity == "undecided":
        verdict = "undecided"
    if story.because and finding.because.startswith(story.because):
        still = "still " if verdict == story.verdict else ""
        return f"{still}{verdict}{finding.because.removeprefix(story.because)}"
    if verdict == "undecided":
        return f"still undecided under {finding.key}: {finding.because}"
    proved = f" (proved by ply {finding.decided_by})" if finding.decided_by else ""
    return f"{verdict} under {finding.key}: {finding.because}{proved}"
