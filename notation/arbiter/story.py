"""The story of one ply: what the rules said when it was played, what became known later, and the verdict now."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from cartulary.engine import Call, Clause, Need, Open, Refused, Undecided, Verdict
from cartulary.engine.contract import Remedy
from cartulary.engine.play import shown
from cartulary.notation.arbiter.examine import examine
from cartulary.notation.arbiter.finding import Finding, finding_fields
from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.arbiter.replay import Step, deal_over, own_move, step_of
from cartulary.notation.arbiter.typed import unread_because
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.cgn.record import NotationError, Record
from cartulary.notation.contract import AnyGame


class Told(Struct, frozen=True):
    """What a later ply told of the cards a question turns on."""

    ply: int
    seat: str
    word: str
    says: str


class Story(Struct, frozen=True):
    """One ply from the moment it was played to the end of the record.

    verdict: what could be said at that moment: legal, refused, undecided, unjudged, or unreadable
    because: of a refusal, or what was known then of the cards it turned on
    rules: those a refusal or an open question cites; of a legal move those it could have broken
    round: the move number it belongs to, 0 for none; before: the plies of the same round before it, as (seat, word)
    then: the plies that told more, in order
    now: what the arbiter finds today; nothing where the move is legal
    position: of a refused ply of a game with remedies, what lay on the table before it, as the set-up tag spells it
    since: the plies made after it; earlier: those before it that the same seat was refused and that stood
    remedies: what the rules offer an arbiter
    over: of a ply that ended a deal how its points come about; it is told to people, and no field of the JSON
    still: what is known of cards it still turns on though no finding says so, because an earlier question implies it
    """

    ply: int
    word: str
    seat: str
    verdict: str
    because: str
    rules: tuple[Clause[Any, Any], ...]
    then: tuple[Told, ...]
    now: tuple[Finding, ...]
    round: int = 0
    before: tuple[tuple[str, str], ...] = ()
    still: str = ""
    position: str = ""
    since: int = 0
    earlier: tuple[int, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    over: str = ""


def story_fields(told: Story) -> dict[str, object]:
    """Return a story as JSON has it: rules by key, sentence and source, findings as ``finding_fields`` has them."""
    rules = [{"key": rule.key, "says": rule.says, "source": rule.source} for rule in told.rules]
    fields = asdict(told)
    del fields["over"]
    return fields | {"rules": rules, "now": [finding_fields(finding) for finding in told.now]}


def story(record: Record, ply: int, kept: Walk | None = None) -> Story:
    """Return the story of a ply. kept: a walk through the record

    Raises NotationError where there is no such ply that can be read.
    """
    examined = examine(record, kept=kept)
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
    now = tuple(found for found in findings if found.ply == ply or ply in found.plies)
    seat = f"p{step.move.seat}" if step.move is not None else ""
    if step.error is not None:
        return Story(ply, step.word, seat, "unreadable", unread_because(heading, step), (), (), now)
    verdict = shown(_exactly(heading.game, step, heading.sheet.seats))
    asked_before = {found.key for found in findings if found.severity == "undecided" and found.ply < ply}
    opens = _questions(step.verdict)
    questions = tuple(asked for asked in opens if now or asked.asks or asked.clause.key in asked_before)
    needs = tuple(need for asked in questions for need in asked.needs)
    because, rules = _said(heading.game, step, verdict, questions)
    then = _with_proof(later_told(heading.game, line, ply, needs), now, line)
    still = _still(heading.game, line[-1].after, questions)
    rules = tuple(rule.in_variant(heading.variant) for rule in rules)
    counted, before = _round(heading.game, line, ply)
    told = Story(ply, step.text, seat, _word(verdict), because, rules, then, now, counted, before, still)
    told = replace(told, over=deal_over(heading.game, step))
    return _with_remedies(heading.game, line, told) if isinstance(step.verdict, Refused) else told


def _with_remedies(game: AnyGame, line: Sequence[Step], told: Story) -> Story:
    """Return the story of a refused ply with what an arbiter needs; as it is in a game that offers nothing."""
    step, offers = line[told.ply - 1], game.rules.remedies
    if offers is None or type(step.state) in GAPS or not isinstance(step.verdict, Refused):
        return told
    seat = step.move.seat
    stood = {
        each.ply: each.verdict.clause.key
        for each in line[: told.ply - 1]
        if isinstance(each.verdict, Refused) and each.applied and each.move.seat == seat
    }
    return replace(
        told,
        position=game.boards.write(step.state),
        since=len(line) - told.ply,
        earlier=tuple(stood),
        remedies=offers(step.state, seat, step.verdict.clause.key, tuple(stood.values())),
    )


def _round(game: AnyGame, line: Sequence[Step], ply: int) -> tuple[int, tuple[tuple[str, str], ...]]:
    """Return the move number of a ply and what was played in the same round before it."""
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
    if isinstance(step.move, Call):
        return step.verdict
    return step_of(game, step.state, step.word, seats, step.calls, step.ply, exactly=True).verdict


def _word(verdict: Verdict) -> str:
    return type(verdict).__name__.lower()


def _questions(verdict: Verdict) -> tuple[Open, ...]:
    return verdict.opens if isinstance(verdict, Undecided) else ()


def _said(
    game: AnyGame, step: Step, verdict: Verdict, opened: tuple[Open, ...]
) -> tuple[str, tuple[Clause[Any, Any], ...]]:
    """Return why the verdict was so, and the rules it rests on."""
    if isinstance(verdict, Refused):
        return verdict.because, (verdict.clause,)
    told = dict.fromkeys(_then_known(game, step, need) for asked in opened for need in asked.needs)
    if opened:
        return "; ".join(said for said in told if said), tuple(asked.clause for asked in opened)
    if isinstance(step.move, Call):
        return "", ()
    return "", game.rules.clauses_for(step.state, step.move)


def _then_known(game: AnyGame, step: Step, need: Need) -> str:
    """Return what was known of the cards when the ply was played; before it, where the ply ended their deal."""
    return game.hidden.tell_need(step.after, need) or game.hidden.tell_need(step.state, need)


def later_told(game: AnyGame, line: Sequence[Step], ply: int, needs: tuple[Need, ...]) -> tuple[Told, ...]:
    """Return the plies after which more was known of the cards, each with what was."""
    said = {need: _then_known(game, line[ply - 1], need) for need in needs}
    then: list[Told] = []
    for step in line[ply:]:
        news: list[str] = []
        for need, before in said.items():
            says = game.hidden.tell_need(step.after, need)
            if says and says != before:
                said[need] = says
                news.append(says)
        if news:
            seat = f"p{step.move.seat}" if step.move is not None else ""
            then.append(Told(step.ply, seat, step.text, "; ".join(dict.fromkeys(news))))
    return tuple(then)


def _with_proof(then: tuple[Told, ...], now: tuple[Finding, ...], line: Sequence[Step]) -> tuple[Told, ...]:
    """Return the story with the ply that proved the breach, where the end of its deal has swallowed it."""
    told = {one.ply for one in then}
    late = {found.decided_by: found for found in now if found.decided_by and not found.plies}
    missing = [
        Told(ply, f"p{line[ply - 1].move.seat}", line[ply - 1].text, found.because)
        for ply, found in late.items()
        if ply not in told
    ]
    return tuple(sorted((*then, *missing), key=lambda one: one.ply))


def _still(game: AnyGame, state: Any, questions: tuple[Open, ...]) -> str:
    """Return what is open of questions no finding names, because another open one implies them; empty for nothing."""
    said: list[str] = []
    for asked in questions:
        answer = game.hidden.exact(state, asked)
        if isinstance(answer, Open):
            said += [game.hidden.tell_need(state, need) for need in answer.needs]
    return "; ".join(dict.fromkeys(sentence for sentence in said if sentence))
