"""The story of one ply: what the rules said when it was played, what became known later, and the verdict now."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from cartulary.engine import Call, Clause, Need, Open, Refused, Undecided, Verdict
from cartulary.engine.contract import Remedy
from cartulary.engine.play import as_displayed
from cartulary.engine.readings import ONLY_MOVE
from cartulary.notation.arbiter.examine import examine
from cartulary.notation.arbiter.finding import Finding, finding_fields, legal_text, verdict_text
from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.arbiter.house import cite, unwaived_refusal, waiver_of
from cartulary.notation.arbiter.replay import Step, deal_over, own_move, step_of
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.record import NotationError, Record
from cartulary.notation.cgn.signs import count
from cartulary.notation.contract import AnyGame

Part: TypeAlias = tuple[str, str]
"""A label of one or two words, and what it says."""
MOST_LATER_PLIES = 8
"""The largest number of later plies that are named; of more, the first and the last ones are."""


class LaterPly(Struct, frozen=True):
    """A later ply, with what it showed of the cards a question depends on."""

    ply: int
    seat: str
    word: str
    says: str


class Story(Struct, frozen=True):
    """One ply from the moment it was played to the end of the record.

    Its fields are those of the JSON, without ``over`` and with ``then`` for ``later``.

    Attributes:
        verdict: The verdict at that moment: legal, refused, undecided, unjudged, or unreadable. It is legal too if a
            house rule waives the rule that refuses the ply.
        because: The reason of a refusal, why the word could not be read, or what was known then of the cards the ply
            depended on.
        rules: The rules that a refusal or an open question cites; for a legal move, those it could have broken.
        later: The later plies that showed more, in order.
        now: The findings of today, none for a legal move.
        round: The number of the round it belongs to, 0 for none.
        before: The earlier plies of that round, as (seat, word).
        still: What is known of cards it still depends on although no finding says so, because the question of an
            earlier ply implies its own.
        position: The board before a refused ply, as the set-up tag spells it, in a game that offers remedies.
        since: The number of plies made after it.
        earlier: The earlier plies that the same seat was refused and that stood.
        remedies: What the rules offer an arbiter.
        over: How the points come about, for a ply that ended a deal; it is shown to people only.
    """

    ply: int
    word: str
    seat: str
    verdict: str
    because: str
    rules: tuple[Clause[Any, Any], ...]
    later: tuple[LaterPly, ...]
    now: tuple[Finding, ...]
    round: int = 0
    before: tuple[tuple[str, str], ...] = ()
    still: str = ""
    position: str = ""
    since: int = 0
    earlier: tuple[int, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    over: str = ""


def story_fields(account: Story) -> dict[str, object]:
    """Return a story as JSON has it: rules by key, sentence and source, findings as ``finding_fields`` has them.

    The later plies are called ``then``, and what is for people only (``over``) is left out.
    """
    rules = [{"key": rule.key, "says": rule.says, "source": rule.source} for rule in account.rules]
    fields = {"then" if name == "later" else name: value for name, value in asdict(account).items() if name != "over"}
    return fields | {"rules": rules, "now": [finding_fields(finding) for finding in account.now]}


def story(record: Record, ply: int, cached: Walk | None = None) -> Story:
    """Return the story of a ply: what was known when it was played, and what later plies have shown.

    Args:
        record: The record.
        ply: The ply, from 1.
        cached: A walk through the record; with it no ply is judged again.

    Raises:
        NotationError: If the tags set up no game, or the record cannot be followed to this ply. A word that cannot be
            read has a story too, ``unreadable``.
    """
    examined = examine(record, cached=cached)
    heading = examined.heading
    if heading.game is None or heading.sheet is None:
        raise NotationError(heading.because, key="record.tag")
    if examined.walk is None:
        refused = heading.game.rules.setup(heading.sheet)
        raise NotationError(refused.because, key=refused.clause.key)
    line = examined.steps
    if not 1 <= ply <= len(line):
        expected = f"one from 1 to {len(line)}" if line[1:] else "1" if line else "a game with moves"
        raise NotationError(f"there is no ply {ply} that was read, expected {expected}")
    step = line[ply - 1]
    findings = examined.report.findings
    now = tuple(finding for finding in findings if finding.ply == ply or ply in finding.plies)
    seat = f"p{step.move.seat}" if step.move is not None else ""
    if step.error is not None:
        return Story(ply, step.word, seat, "unreadable", unread_because(heading, step), (), (), now)
    verdict = as_displayed(_exactly(heading.game, step, heading.sheet.seats))
    refused = unwaived_refusal(heading.game, record, step) if isinstance(step.verdict, Refused) else None
    verdict = verdict if refused is None or not isinstance(verdict, Refused) else refused
    asked_before = {finding.key for finding in findings if finding.severity == "undecided" and finding.ply < ply}
    opens = _questions(step.verdict)
    questions = tuple(question for question in opens if now or question.asks or question.clause.key in asked_before)
    needs = tuple(need for question in questions for need in question.needs)
    because, rules = _grounds(heading.game, step, verdict, questions)
    later = _with_proof(later_plies(heading.game, line, ply, needs), now, line)
    still = _still(heading.game, line[-1].after, questions)
    rules = tuple(rule.in_variant(heading.variant) for rule in rules)
    counted, before = _round(heading.game, line, ply)
    account = Story(ply, step.text, seat, _word(verdict), because, rules, later, now, counted, before, still)
    account = replace(account, over=deal_over(heading.game, step))
    if isinstance(step.verdict, Refused) and refused is None:
        house = waiver_of(record, step.verdict.clause.key)
        return account if house is None else replace(account, verdict="legal", because=f"{because}; {cite(house)}")
    return account if refused is None else _with_remedies(heading.game, line, account, refused)


def _with_remedies(game: AnyGame, line: Sequence[Step], account: Story, refused: Refused) -> Story:
    """Return the story of a ply that a rule refuses with what an arbiter needs: position, later plies, remedies.

    It is returned as it is in a game that offers nothing, and for a ply after a gap.

    Args:
        game: The game.
        line: All plies that were read.
        account: The story so far.
        refused: The refusal of the ply.
    """
    step, offers = line[account.ply - 1], game.rules.remedies
    if offers is None or type(step.state) in GAPS:
        return account
    seat = step.move.seat
    stood = {
        earlier.ply: earlier.verdict.clause.key
        for earlier in line[: account.ply - 1]
        if isinstance(earlier.verdict, Refused) and earlier.applied and earlier.move.seat == seat
    }
    return replace(
        account,
        position=game.boards.write(step.state),
        since=len(line) - account.ply,
        earlier=tuple(stood),
        remedies=offers(step.state, seat, refused.clause.key, tuple(stood.values())),
    )


def _round(game: AnyGame, line: Sequence[Step], ply: int) -> tuple[int, tuple[tuple[str, str], ...]]:
    """Return the move number of a ply, and (seat, word) of the plies before it with that number, the earliest first.

    It is ``(0, ())`` for a ply without number. A seat is ``p1``.
    """
    counted = game.turns.number(line[ply - 1].state, own_move(line[ply - 1].move))
    if counted is None:
        return 0, ()
    before: list[tuple[str, str]] = []
    for step in reversed(line[: ply - 1]):
        its = game.turns.number(step.state, own_move(step.move))
        if its is None or its[0] != counted[0]:
            break
        before.append((f"p{step.move.seat}", step.text))
    return counted[0], tuple(reversed(before))


def _exactly(game: AnyGame, step: Step, seats: int) -> Verdict:
    """Return the verdict on a ply, worked out from every deal of the hidden cards that fits.

    Of a call it is the verdict that it had.
    """
    if isinstance(step.move, Call):
        return step.verdict
    return step_of(game, step.state, step.word, seats, step.calls, step.ply, exactly=True).verdict


def _word(verdict: Verdict) -> str:
    """Return a verdict in one word: ``legal``, ``refused``, ``undecided``, ``unclear`` or ``unjudged``."""
    return type(verdict).__name__.lower()


def _questions(verdict: Verdict) -> tuple[Open, ...]:
    """Return the questions that a verdict leaves open; none if it is not ``Undecided``."""
    return verdict.opens if isinstance(verdict, Undecided) else ()


def _grounds(
    game: AnyGame, step: Step, verdict: Verdict, opened: tuple[Open, ...]
) -> tuple[str, tuple[Clause[Any, Any], ...]]:
    """Return why a verdict was given, with what was known at that time, and the rules it rests on.

    The reason is empty for a legal ply, whose rules are those it could have broken; a legal call has no rules either.

    Args:
        game: The game.
        step: The ply.
        verdict: The verdict on it.
        opened: The questions that the verdict leaves open.
    """
    if isinstance(verdict, Refused):
        return verdict.because, (verdict.clause,)
    answers = dict.fromkeys(_then_known(game, step, need) for question in opened for need in question.needs)
    if opened:
        return "; ".join(answer for answer in answers if answer), tuple(question.clause for question in opened)
    if isinstance(step.move, Call):
        return "", ()
    return "", game.rules.clauses_for(step.state, step.move)


def _then_known(game: AnyGame, step: Step, need: Need) -> str:
    """Return what was known of the cards when the ply was played; before it, if the ply ended their deal.

    Empty if nothing was known.
    """
    return game.hidden.tell_need(step.after, need) or game.hidden.tell_need(step.state, need)


def later_plies(game: AnyGame, line: Sequence[Step], ply: int, needs: tuple[Need, ...]) -> tuple[LaterPly, ...]:
    """Return the later plies after which more was known of some cards, each with what was known then, in order.

    Args:
        game: The game.
        line: All plies that were read.
        ply: The ply, from 1, whose cards are meant.
        needs: The cards; empty for none, which gives no plies.
    """
    known = {need: _then_known(game, line[ply - 1], need) for need in needs}
    later: list[LaterPly] = []
    for step in line[ply:]:
        answers: list[str] = []
        for need, before in known.items():
            says = game.hidden.tell_need(step.after, need)
            if says and says != before:
                known[need] = says
                answers.append(says)
        if answers:
            seat = f"p{step.move.seat}" if step.move is not None else ""
            later.append(LaterPly(step.ply, seat, step.text, "; ".join(dict.fromkeys(answers))))
    return tuple(later)


def _with_proof(later: tuple[LaterPly, ...], now: tuple[Finding, ...], line: Sequence[Step]) -> tuple[LaterPly, ...]:
    """Return the later plies, and among them each ply that proved a breach without showing a card, in order.

    Such a ply ends a deal, after which nothing more is known of its cards. ``now`` has the findings of today, and
    ``line`` all plies that were read.
    """
    plies = {fact.ply for fact in later}
    late = {finding.decided_by: finding for finding in now if finding.decided_by and not finding.plies}
    missing = [
        LaterPly(ply, f"p{line[ply - 1].move.seat}", line[ply - 1].text, finding.because)
        for ply, finding in late.items()
        if ply not in plies
    ]
    return tuple(sorted((*later, *missing), key=lambda fact: fact.ply))


def _still(game: AnyGame, state: Any, questions: tuple[Open, ...]) -> str:
    """Return what is known today of the questions that are still open, joined by ``; ``; empty for none."""
    sentences: list[str] = []
    for question in questions:
        answer = game.hidden.exact(state, question)
        if isinstance(answer, Open):
            sentences += [game.hidden.tell_need(state, need) for need in answer.needs]
    return "; ".join(dict.fromkeys(sentence for sentence in sentences if sentence))


# --- the story in parts, as a terminal and a page show them ---


def story_parts(story: Story) -> Iterator[Part]:
    """Yield the story of a ply as (label, text), line by line, as ``why`` prints it.

    Labels are ``after`` (the plies of its round before it), ``deal`` (how its points come about), ``then`` (the verdict
    when it was played), ``rule``, ``source``, ``ply 18`` for a later ply, and ``now``, among others. Of more than
    MOST_LATER_PLIES later plies those in the middle are only counted, under ``...``.
    """
    if story.before:
        played = ", ".join(f"{word} by {seat}" for seat, word in story.before)
        yield "after", f"{played} (move {story.round})"
    if story.over:
        yield "deal", story.over
    yield "then", _then_text(story)
    for rule in story.rules if story.verdict != "legal" or _is_waived(story) else ():
        yield "rule", f"{rule.key}: {rule.says}"
        yield "source", rule.source
    yield from _for_the_arbiter(story)
    left = len(story.later) - MOST_LATER_PLIES
    for at, later in enumerate(story.later):
        if left > 0 and MOST_LATER_PLIES // 2 <= at < MOST_LATER_PLIES // 2 + left:
            if at == MOST_LATER_PLIES // 2:
                yield "...", f"{count(left, 'more ply', 'more plies')} added something"
            continue
        yield f"ply {later.ply}", f"{later.word} by {later.seat}: {later.says}"
    yield from _now_parts(story)


def _for_the_arbiter(story: Story) -> Iterator[Part]:
    """Yield (label, text) for what an arbiter needs to rule on a refused ply.

    The labels are ``before`` (the board before it), ``since`` (what followed) and ``may`` (each remedy). Nothing is
    yielded for a ply whose story has neither a position nor remedies.
    """
    if story.position:
        yield "before", story.position
        plies = ", ".join(map(str, story.earlier))
        breach = (
            f"{story.seat} had broken a rule before, at ply {plies}" if plies else f"it is {story.seat}'s first breach"
        )
        yield "since", f"{count(story.since, 'ply has', 'plies have')} followed; {breach}"
    for remedy in story.remedies:
        yield "may", f"{remedy.says} ({remedy.source})"


def _then_text(story: Story) -> str:
    """Return the verdict when the ply was played, with its reason or the rules that it could have broken.

    For example ``legal: no rule forbids it``, or ``refused:`` and the reason.
    """
    if story.verdict == "legal" and not story.later and not _is_waived(story):
        keys = [rule.key for rule in story.rules]
        return f"legal under {_listed(keys)}" if keys else "legal: no rule forbids it"
    if story.verdict == "unjudged":
        return "unjudged: this record is not judged"
    key = story.rules[0].key if story.rules else ""
    if story.verdict == "undecided" and story.because:
        return f"{verdict_text(story.verdict, key)}; {story.because}"
    return f"{story.verdict}: {story.because}" if story.because else verdict_text(story.verdict)


def _is_waived(story: Story) -> bool:
    """Say whether a house rule waives the rule that the ply breaks: a remark of today gives the reason of the story."""
    return any(finding.because == story.because for finding in story.now if finding.severity == "remark")


def _listed(keys: list[str]) -> str:
    """Return keys as a sentence lists them: ``a, b and c``; there must be at least one."""
    return f"{', '.join(keys[:-1])} and {keys[-1]}" if len(keys) > 1 else keys[0]


def _now_parts(story: Story) -> Iterator[Part]:
    """Yield (label, text) for the findings of today; without one, that the ply is legal or still open.

    The labels are ``remark``, ``now`` and, after an error, ``legal`` for the moves that were legal.
    """
    for finding in story.now:
        if finding.severity == "remark" and finding.because == story.because:
            continue
        if finding.severity == "remark":
            yield "remark", f"{finding.key}: {finding.because}"
            continue
        yield "now", _stands(story, finding)
        if finding.severity == "error" and finding.legal:
            yield "legal", legal_text(finding)
    filled = any(finding.key == ONLY_MOVE.key for finding in story.now)
    if all(finding.severity == "remark" for finding in story.now) and not filled:
        if story.still:
            yield "now", f"still open, because an earlier ply is: {story.still}"
        elif story.verdict in ("legal", "unjudged"):
            yield "now", f"still {story.verdict}"
        else:
            yield "now", "legal: the cards have come to light, and no rule was broken"


def _stands(story: Story, finding: Finding) -> str:
    """Return the verdict of today by a finding, without a reason that was given already when the ply was played.

    For example ``irregular under`` a rule with the reason and ``(proved by ply 30)``, or ``still undecided``.
    """
    verdict = story.verdict if story.verdict == "unreadable" else "irregular"
    if finding.severity == "undecided":
        verdict = "undecided"
    if story.because and finding.because.startswith(story.because):
        still = "still " if verdict == story.verdict else ""
        return f"{still}{verdict_text(verdict)}{finding.because.removeprefix(story.because)}"
    if verdict == "undecided":
        return f"{verdict_text(verdict, finding.key)}; {finding.because} ({finding.key})"
    proved = f" (proved by ply {finding.decided_by})" if finding.decided_by else ""
    return f"{verdict} under {finding.key}: {finding.because}{proved}"
