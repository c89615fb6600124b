"""An arbiter rules on plies, a dispute or a result. The log keeps everything, and the game stands as ruled."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict, replace

from cartulary.engine.calls import CALL_CLAUSES
from cartulary.engine.contract import IMPOSSIBLE
from cartulary.engine.numbers import seat_number
from cartulary.notation.arbiter.ruling_commands import DECISIONS
from cartulary.notation.arbiter.score_in_force import ScoreLine
from cartulary.notation.cgn.result import points_fault, result_fault
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records.answers import AmendAnswer, amended_fields
from cartulary.records.commands.amend import amended_answer, applied
from cartulary.records.commands.dispute import open_dispute
from cartulary.records.commands.request import (
    Cites,
    GameRequest,
    Plan,
    Reason,
    after,
    check_there,
    execute,
    field,
    not_muted,
    readable,
    words_in,
)
from cartulary.records.commands.seats import canonical_who
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.contract import Log
from cartulary.records.log.events import MovesAmended, RulingGiven
from cartulary.records.state.disputes_and_rulings import rulings_of
from cartulary.records.state.docket import PlacedDispute, PlacedRuling
from cartulary.records.state.fold import LiveGame, played_game, result_of
from cartulary.records.state.seat_view import for_everybody, hidden_from, seen_game, seen_version, told_number
from cartulary.records.state.seen_game import score_text
from cartulary.records.state.showing import cited_sheets, seen_ruling
from cartulary.records.texts import canonical_name, needed_name, needed_text, now, single_spaced

_NUMBER = re.compile(r"[0-9]{1,9}(?:/[1-9][0-9]{0,8})?")

GENERAL = (
    "cgn.syntax",
    "cgn.ambiguous",
    "cgn.mark",
    "cgn.number",
    IMPOSSIBLE.key,
    "record.result",
    "record.tag",
)
"""The keys that are no game's own."""


class RulingAnswer(Struct, frozen=True):
    """A ruling, and how the game stands after it.

    If nothing was stored, this is how it would stand; if the command was repeated, how it stood the first time.

    Attributes:
        id: The id of the game.
        version: The version of the game after the ruling, as the viewer counts it.
        ruling: The ruling.
        tail: What it did to the plies after those it voids or amends; None for any other ruling.
        result: The result after the ruling, empty while the game is open.
        termination: How the game ended, as it stands after the ruling; empty while it is open.
        stored: False if it was only asked what would change.
        score: How the score in force comes about, if rulings have changed it; empty otherwise.
    """

    id: str
    version: int
    ruling: PlacedRuling
    tail: AmendAnswer | None
    result: str
    termination: str
    stored: bool = True
    score: tuple[ScoreLine, ...] = ()


def ruling_fields(answer: RulingAnswer) -> dict[str, object]:
    """Return the fields of a ruling's answer for JSON, by name.

    ``tail``, the correction that the ruling amounts to, is a dict of fields too, or None.
    """
    return asdict(answer) | {"tail": amended_fields(answer.tail) if answer.tail is not None else None}


def outcome_lines(answer: RulingAnswer) -> Iterator[str]:
    """Yield what a ruling makes of the score and of the result, or would make, as clauses for a person.

    An example is ``closed, 1-0, adjudication``. Nothing is yielded if the ruling touches neither.
    """
    if answer.ruling.points or answer.ruling.score or answer.ruling.decision == "revoked":
        score = score_text(answer.score) if answer.score else "what the rules make it"
        yield f"the score {'is' if answer.stored else 'would be'} {score}"
    if answer.ruling.decision == "result":
        yield f"{'' if answer.stored else 'would be '}closed, {answer.result}, {answer.termination}"


class RulingRequest(GameRequest, frozen=True):
    """A ruling on consecutive plies, on the disputed ply, or on the game as a whole (no ply, or 0).

    A penalty that is a number is subtracted from the score of its seat; any other is only noted. Penalties, points and
    the score go with every decision, or alone, as a *penalty* or a *score*. A ruling that names no dispute answers all
    open disputes about its plies.

    Attributes:
        plies: The plies.
        decision: *stands*: the plies are no breach any more. *void*: they are removed. *amended*: ``words`` replace
            them, and the plies after them are kept and judged again, as ``amend`` does. *result*: the game is closed,
            as adjudicated. *revoked*: the ruling ``revokes`` counts no more. Or *penalty*, or *score*.
        arbiter: Who rules.
        dispute: The dispute that it answers, 0 to name none.
        rest: Whether all later plies are void too.
        words: What was played instead, one word a ply, or as a text.
        penalties: What each seat pays, by the seat: ``p2``.
        gives: The points that each seat is given, by the seat.
        score: The score that it sets.
        revokes: The ruling that it takes back, 0 for none.
        result: The result that it gives.
        keys: The clauses that it cites.
        cites: The kept sheets that it rests on, by their numbers.
        reason: Why.
    """

    plies: Annotated[
        tuple[int, ...], field("The plies ruled on, counted from 1; 0 is the game as a whole.", "PLY…")
    ] = ()
    decision: Annotated[str, field(f"What is decided: {', '.join(DECISIONS)}.")] = ""
    arbiter: Annotated[str, field("Who rules.", "NAME")] = ""
    dispute: Annotated[int, field("Answer dispute N, ruling on the disputed ply.", "N")] = 0
    rest: Annotated[bool, field("With --void: void every later ply too.")] = False
    words: Annotated[
        str | tuple[str, ...],
        field("What was played instead; words beyond the number of plies are inserted.", "TEXT"),
    ] = ""
    penalties: Annotated[
        Mapping[str, str], field("A seat's penalty, in points or in words; alone or with another decision.", "p2=88")
    ] = {}
    gives: Annotated[
        Mapping[str, str], field("The points a seat is given; alone or with another decision.", "p1=88")
    ] = {}
    score: Annotated[str, field("What the score is; alone or with another decision.", "176:-88:-88")] = ""
    revokes: Annotated[int, field("Revoke ruling N.", "N")] = 0
    result: Annotated[str, field("Decide the game with this result, and close it.", "1-0")] = ""
    keys: Annotated[tuple[str, ...], field("The key of a rule you cite; see `rules`.", "KEY")] = ()
    cites: Cites = ()
    reason: Reason = ""


def rule(store: Log, id: str, request: RulingRequest, viewer: Viewer = EVERYTHING) -> RulingAnswer:
    """Rule on plies, on a dispute or on the game, in a closed game too.

    The log is added to and never changed; how the game stands changes.

    Args:
        store: Where the game is kept.
        id: The game.
        request: What is decided; by who writes it down, by default the arbiter.
        viewer: From whose view it is answered; it voids and amends nothing where the game holds cards it has not seen.

    Returns:
        The ruling as the viewer may see it; the correction that it amounts to if it voids or amends plies, else None;
        and score and result as they are then. With ``dry``, nothing is stored.

    Raises:
        Unfit: A key is none, the game cannot have the result, the score or the seat, a penalty has + or -, points are
            no number, nobody is named as the arbiter, the plies do not follow one another, or the decision does not fit
            what was given with it.
        Declined: The plies are not there, the dispute is not open or about another ply, a ply cannot be applied and so
            cannot stand, the rules refuse amended words, there is no such ruling to revoke or it cannot be revoked,
            verdicts are withheld from the viewer, or a seat voids or amends plies of a game with cards that it has not
            seen.
        Unread: Words are no moves.
        Fault: As ``execute`` says.
    """
    decision, dispute = request.decision, request.dispute

    def check(game: LiveGame) -> None:
        not_muted(game, viewer, "A ruling")
        _check_fitting(request, words_in(request.words, game.record.tags))

    def decide(game: LiveGame) -> Plan[None]:
        played = words_in(request.words, game.record.tags)
        penalties, gives = _by_seat(request.penalties), _by_seat(request.gives)
        paid, points = _split_penalties(penalties, gives, request.score)
        seat = hidden_from(game, viewer)
        if decision in ("void", "amended"):
            for_everybody(game, seat, "A ruling that voids or amends plies")
        game = seen_game(game, seat)
        answers = open_dispute(game, dispute, seat) if dispute else None
        on = _plies_ruled_on(game, request.plies, answers, dispute, decision, request.rest)
        for paying_seat in (*penalties, *gives):
            canonical_who(game, f"p{paying_seat}")
        wrong = points_fault(request.score, game.book.seats) if request.score else ""
        if wrong:
            raise Unfit(f"The score cannot be kept: {wrong}.")
        name = needed_name(request.arbiter, "who rules")
        event = RulingGiven(
            at=now(),
            by=canonical_name(request.by) or name,
            command=request.command,
            plies=tuple(game.book.ref(ply) for ply in on),
            arbiter=name,
            decision=decision,
            words=played,
            penalties=paid,
            result=_checked_result(game, request.result),
            keys=_checked_keys(game, request.keys),
            dispute=answers.number if answers else 0,
            reason=single_spaced(request.reason),
            points=points,
            score=request.score,
            cites=cited_sheets(game, request.cites, seat),
            revokes=_ruling_to_revoke(game, request.revokes, seat).number if request.revokes else 0,
        )
        return Plan((_with_canonical_words(game, event, on),), None)

    game, done, _, repeated = execute(store, id, request, viewer, decide, RulingGiven, check=check)
    dry, seat = request.dry and not repeated, hidden_from(game, viewer)
    event = done.recorded[-1].event
    assert isinstance(event, RulingGiven)
    changed = event.decision in ("void", "amended")
    tail = amended_answer(game, done, _as_amendment(event), stored=True, seat=seat) if changed else None
    tail = replace(tail, dry=dry) if tail is not None else None
    placed = rulings_of(done)[-1]
    shown = seen_ruling(placed, done.recorded) if seat is not None else placed
    score_now = seen_game(done, seat).examined.score
    now_is = result_of(done) if done.book.closed else ""
    return RulingAnswer(id, seen_version(done, seat), shown, tail, now_is, done.book.termination, not dry, score_now)


_NEEDS = {"amended": "words", "result": "a result", "revoked": "a ruling to revoke"}


def _check_fitting(request: RulingRequest, played: Sequence[str]) -> None:
    """Raise Unfit if a decision is none, lacks what it needs, or has what belongs to another.

    Args:
        request: The ruling.
        played: The new words that it gives, already split.
    """
    decision = request.decision
    if decision not in DECISIONS:
        raise Unfit(f"{decision!r} is not a decision; expected {', '.join(DECISIONS[:-1])} or {DECISIONS[-1]}.")
    has = {"words": bool(played), "a result": bool(request.result), "a ruling to revoke": bool(request.revokes)}
    for name, what in _NEEDS.items():
        if has[what] != (decision == name):
            verb = "needs" if decision == name else "does not take"
            raise Unfit(f"The decision {decision!r} {verb} {what}.")
    if request.rest and decision != "void":
        raise Unfit(
            f"The decision {decision!r} covers only the plies it names; leave out `rest`, which goes only with void."
        )
    penalties = _by_seat(request.penalties)
    _, points = _split_penalties(penalties, _by_seat(request.gives), request.score)
    if decision == "penalty" and not penalties:
        raise Unfit("The decision 'penalty' needs a seat and what the penalty costs it.")
    if decision == "score" and not (points or request.score):
        raise Unfit("The decision 'score' needs a score, or a seat and what it is given.")


def _plies_ruled_on(
    game: LiveGame, plies: Sequence[int], answers: PlacedDispute | None, dispute: int, decision: str, rest: bool
) -> tuple[int, ...]:
    """Return the plies that a ruling is on, in order, and check that they are there.

    Args:
        game: The game.
        plies: The plies that were named; 0 is the game as a whole.
        answers: The dispute that it answers, None if it names none.
        dispute: The number by which that dispute was named.
        decision: What is decided.
        rest: Whether it is on all later plies too.

    Returns:
        The plies, each once; empty for the game as a whole.

    Raises:
        Declined: A ply is not there or not the disputed one, or a ply that cannot be applied is to stand.
        Unfit: The plies do not follow one another, or the decision needs a ply.
    """
    on = () if set(plies) == {0} else tuple(sorted(set(plies)))
    if 0 in on:
        raise Unfit("0 is the game as a whole; give it alone.")
    if answers is not None:
        disputed = answers.ply
        if on and disputed not in on:
            raise Declined(f"Dispute {dispute} of {game.id} is not about ply {on[0]}.")
        on = on or ((disputed,) if disputed else ())
    check_there(game, on)
    if rest and on:
        on = tuple(range(on[0], game.plies + 1))
    if decision in ("stands", "void", "amended") and not on:
        raise Unfit(f"The decision {decision!r} must be on a ply; name it.")
    if on and on[-1] - on[0] >= len(on):
        raise Unfit("A ruling is on one ply or on several in a row; give a separate ruling for each run of plies.")
    if decision == "stands" and on[-1] > game.plies_reached:
        word = "".join(f", {word}," for word in game.words[on[-1] - 1 : on[-1]])
        raise Declined(
            f"Ply {on[-1]} of {game.id}{word} cannot be carried out, so it cannot stand; amend it, or void it."
        )
    return on


def _with_canonical_words(game: LiveGame, event: RulingGiven, on: tuple[int, ...]) -> RulingGiven:
    """Return a ruling with its new words in canonical spelling.

    Any ruling that does not amend plies is returned as it is.

    Args:
        game: The game before.
        event: The ruling.
        on: The plies that it is on, in order.

    Raises:
        Declined: The rules refuse a word, or a ply before these cannot be applied.
        Unread: A word is no move there.
    """
    if event.decision != "amended":
        return event
    readable(game.id, game.examined, on[0])
    new = after(game, [event])
    last = on[0] + len(event.words) - 1
    legible = applied(new, on[0], len(event.words))
    for finding in new.findings(on[0], last):
        if finding.severity == "error" or not legible:
            stands = "; if it was played all the same, use `amend --stands` and then a ruling that lets it stand"
            raise Declined(
                f"{finding.move} is refused ({finding.key}): {finding.because}. Nothing was stored{stands * legible}."
            )
    return replace(event, words=new.words[on[0] - 1 : last])


def _as_amendment(event: RulingGiven) -> MovesAmended:
    """Return the correction that a ruling which voids or amends plies amounts to.

    It replaces the plies of the ruling by its words, of which a ruling that voids has none. It is never stored.
    """
    first, word = event.plies[0]
    return MovesAmended(
        at=event.at,
        event=first,
        word=word,
        plies=len(event.plies),
        words=event.words,
        reason=event.reason,
        findings=((),) * len(event.words),
        stands=False,
    )


# --- what was given ---


def _by_seat(text_by_name: Mapping[str, str]) -> dict[int, str]:
    """Return texts by the numbers of seats: ``{"p2": "88"}`` -> ``{2: "88"}``.

    Raises:
        Unfit: A name has not the form of a seat, or two name the same seat. Whether the game has the seat is not
            checked.
    """
    wrong = next((seat for seat in text_by_name if not seat_number(seat)), None)
    if wrong is not None:
        raise Unfit(f"{wrong[:24]!r} is not a seat; expected one such as p2.")
    seats = {seat_number(seat): text for seat, text in text_by_name.items()}
    if len(seats) < len(text_by_name):
        raise Unfit("A seat is named twice; name each once.")
    return seats


def _split_penalties(
    penalties: Mapping[int, str], gives: Mapping[int, str], score: str
) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]]:
    """Return the penalties that are words, and the changes of scores, each as pairs of seat and text in seat order.

    A penalty that is a number becomes a subtraction: ``{1: "88", 2: "two points"}`` gives ``((2, "two points"),)`` and
    ``((1, "-88"),)``. Points that are given become ``+88``, after the penalties.

    Args:
        penalties: What each seat pays, a number or words.
        gives: The points that each seat is given.
        score: The score that the ruling sets, empty for none.

    Raises:
        Unfit: A text is empty, a number has + or -, what is given is no number, or points stand beside a score.
    """
    words: list[tuple[int, str]] = []
    points: list[tuple[int, str]] = []
    for seat in sorted(penalties):
        text = needed_text(penalties[seat], f"what p{seat} is to pay")
        if _NUMBER.fullmatch(text):
            points.append((seat, f"-{text}"))
        elif _NUMBER.fullmatch(text.lstrip("+-")):
            raise Unfit(f"{text!r} is not a penalty; expected a number without + or -, such as 88, to be subtracted.")
        else:
            words.append((seat, text))
    for seat in sorted(gives):
        text = needed_text(gives[seat], f"what p{seat} is given")
        if not _NUMBER.fullmatch(text):
            raise Unfit(f"{text!r} cannot be added to a score; expected a number without + or -, such as 88.")
        points.append((seat, f"+{text}"))
    if score and points:
        raise Unfit("A ruling either sets the score or changes it by points; give two rulings to do both.")
    return tuple(words), tuple(points)


def _ruling_to_revoke(game: LiveGame, number: int, seat: int | None) -> PlacedRuling:
    """Return the ruling that a seat knows by this number, after checking that it can be revoked.

    Args:
        game: The game.
        number: The number: that of the event of the ruling, as the seat counts events.
        seat: The seat that asks; None for whoever sees everything.

    Raises:
        Declined: There is no such ruling, it changed plies or revoked another one, or it has been revoked already.
    """
    rulings = [entry for entry in rulings_of(game) if told_number(game, seat, entry.number) == number]
    if not rulings:
        numbers = ", ".join(str(told_number(game, seat, entry.number)) for entry in rulings_of(game))
        raise Declined(
            f"{game.id} has no ruling {number}; {f'rulings given: {numbers}' if numbers else 'none was given'}."
        )
    [ruling] = rulings
    if ruling.decision in ("void", "amended", "revoked"):
        what = (
            "revoked another ruling" if ruling.decision == "revoked" else "changed plies. Use `amend` to put words back"
        )
        raise Declined(f"Ruling {number} of {game.id} cannot be revoked: it {what}.")
    if any(
        recorded.event.revokes == ruling.number for recorded in game.recorded if isinstance(recorded.event, RulingGiven)
    ):
        raise Declined(f"Ruling {number} of {game.id} has already been revoked.")
    return ruling


def _checked_result(game: LiveGame, result: str) -> str:
    """Return a result that the game can have, as it is. An empty one, for no result, stays empty.

    Raises:
        Unfit: The result cannot be, has not a share for each seat, or is ``*``.
    """
    fault = result_fault(result, game.book.seats) if result else ""
    if fault or result == "*":
        raise Unfit(f"The result cannot be given: {fault or '* is not a result'}.")
    return result


def citable(game: LiveGame) -> tuple[str, ...]:
    """Return the keys of all rules that a ruling on a game may cite.

    First come the rules of the game, then those of calls such as resigning, then those that hold for every game.
    """
    rules = played_game(game).rules.clauses
    return (*(clause.key for clause in (*rules, *CALL_CLAUSES)), *GENERAL)


def _checked_keys(game: LiveGame, keys: Sequence[str]) -> tuple[str, ...]:
    """Return keys of rules in their order, each once.

    Raises:
        Unfit: No rule has the key. The sentence names similar ones.
    """
    known = citable(game)
    for key in keys:
        if key not in known:
            raise Unfit(f"There is no rule {key!r} in {played_game(game).about.title}{_similar_keys_text(key, known)}.")
    return tuple(dict.fromkeys(keys))


def _similar_keys_text(key: str, known: Sequence[str]) -> str:
    """Return the end of a sentence about a key that no rule has.

    It is ``; similar keys: …`` with up to three keys, or points to the command ``rules`` if none is similar.
    """
    part, ends = key.rpartition(".")[2], {known_key.rpartition(".")[2]: known_key for known_key in reversed(known)}
    alike = [known_key for known_key in known if part and part in known_key]
    near = list(dict.fromkeys((*alike, *(ends[end] for end in get_close_matches(part, ends, 3, 0.6)))))[:3]
    return f"; similar keys: {', '.join(near)}" if near else "; `rules` lists them all"
