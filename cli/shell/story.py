"""The story of one ply, as it is printed."""

from collections.abc import Iterator

from cartulary.cli.shell.findings import INDENT, count, legal_text, wrapped
from cartulary.engine.readings import FILLED
from cartulary.notation import Story

SHOWN = 8
"""Up to how many plies that told more are printed; of more, the first and the last ones."""


def story_lines(name: str, told: Story) -> Iterator[str]:
    """Yield the story of a ply as `why` prints it, folded to the terminal. name: of the record"""
    by = f" by {told.seat}" if told.seat not in ("", "p0") and not told.word.startswith("p") else ""
    yield from wrapped(f"{name}, ply {told.ply}: {told.word}{by}")
    if told.before:
        played = ", ".join(f"{word} by {seat}" for seat, word in told.before)
        yield from part_lines("after", f"{played} (move {told.round})")
    yield from part_lines("then", _then(told))
    for rule in told.rules if told.verdict != "legal" else ():
        yield from part_lines("rule", f"{rule.key}: {rule.says}")
        yield from part_lines("source", rule.source)
    yield from _for_the_arbiter(told)
    later = told.then
    left = len(later) - SHOWN
    for at, one in enumerate(later):
        if left > 0 and SHOWN // 2 <= at < SHOWN // 2 + left:
            if at == SHOWN // 2:
                yield from part_lines("...", f"{count(left, 'more ply', 'more plies')} told something")
            continue
        yield from part_lines(f"ply {one.ply}", f"{one.word} by {one.seat}: {one.says}")
    yield from _now(told)


def _for_the_arbiter(told: Story) -> Iterator[str]:
    if told.position:
        yield from part_lines("before", told.position)
        plies = ", ".join(map(str, told.earlier))
        which = f"{told.seat} broke a rule before at ply {plies}" if plies else f"it is {told.seat}'s first"
        yield from part_lines("since", f"{count(told.since, 'ply', 'plies')}; {which}")
    for one in told.remedies:
        yield from part_lines("may", f"{one.says} ({one.source})")


def _then(told: Story) -> str:
    if told.verdict == "legal" and not told.then:
        asked = f"; asked were {', '.join(rule.key for rule in told.rules)}" if told.rules else ""
        return f"legal: no rule speaks against it{asked}"
    if told.verdict == "unjudged":
        return "unjudged: nobody judges it"
    return f"{told.verdict}: {told.because}" if told.because else told.verdict


def _now(told: Story) -> Iterator[str]:
    for finding in told.now:
        if finding.severity == "remark":
            yield from part_lines("remark", f"{finding.key}: {finding.because}")
        elif finding.severity == "undecided":
            yield from part_lines("now", f"undecided, {finding.key}: {finding.because}")
        else:
            proved = f" (proved by ply {finding.decided_by})" if finding.decided_by else ""
            yield from part_lines("now", f"irregular, {finding.key}: {finding.because}{proved}")
            if finding.legal:
                yield from part_lines("legal", legal_text(finding))
    filled = any(finding.key == FILLED.key for finding in told.now)
    if all(finding.severity == "remark" for finding in told.now) and not filled:
        if told.still:
            yield from part_lines("now", f"open, as an earlier ply is: {told.still}")
        elif told.verdict in ("legal", "unjudged"):
            yield from part_lines("now", told.verdict)
        else:
            yield from part_lines("now", "legal: its cards have been seen, and none was against it")


def part_lines(label: str, text: str) -> list[str]:
    """Return one part of a story behind its label, folded to the terminal."""
    return wrapped(f"{INDENT}{label:<8}{text}", INDENT + " " * 8)
