"""The arbiter's desk: a player disputes, an arbiter rules; the log keeps all of it, and the game stands as ruled."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.contract import IMPOSSIBLE
from cartulary.engine.play import CALL_CLAUSES
from cartulary.notation import find_game
from cartulary.notation.cgn.result import result_fault
from cartulary.notation.cgn.signs import cut
from cartulary.records.answers import Amended
from cartulary.records.commands.amend import answered, applied
from cartulary.records.commands.request import after, begin, readable, repeated, write
from cartulary.records.faults import Declined, Unfit
from cartulary.records.log.events import DisputeRaised, DisputeWithdrawn, MovesAmended, RulingGiven
from cartulary.records.log.store import Store
from cartulary.records.state.fold import LiveGame
from cartulary.records.state.ruling_values import Dispute, Ruling, disputes_of, rulings_of
from cartulary.records.state.seat_view import (
    for_everybody,
    players,
    seen_dispute,
    seen_game,
    seen_ruling,
    seen_version,
    told_number,
    viewer,
)
from cartulary.records.texts import keepable, now

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


class DisputeAnswer(Struct, frozen=True):
    """A dispute was raised, or withdrawn. version: of the game now"""

    id: str
    version: int
    dispute: Dispute


class RulingAnswer(Struct, frozen=True):
    """A ruling was given. tail: what it did to the plies behind those it voids or amends, None for any other

    result, termination: of the game now; empty while it is open
    stored: false where it was only asked what would change
    """

    id: str
    version: int
    ruling: Ruling
    tail: Amended | None
    result: str
    termination: str
    stored: bool = True


# --- disputes ---


def dispute(
    store: Store,
    id: str,
    ply: int,
    *,
    by: str,
    claim: str,
    command: str = "",
    expected: int | None = None,
    seat: int = 0,
) -> DisputeAnswer:
    """Dispute a ply, or the game as a whole (ply 0), in a closed game too; nothing changes until somebody rules.

    seat: from whose view it is answered
    by: who disputes it, ``p2`` or a name; claim: what is wrong, in their words
    Raises Declined for a ply that is not there, Unfit where nobody or nothing is named.
    """

    def draft(game: LiveGame) -> tuple[DisputeRaised]:
        _there(game, (ply,) if ply else ())
        event, word = game.book.ref(ply)
        who = _seated(game, _name(by, "who disputes it, such as p2"))
        what = _said(claim, "what is claimed")
        return (DisputeRaised(at=now(), by=who, command=command, event=event, word=word, claim=what),)

    game, done = begin(store, id, expected, command, DisputeRaised, seat=seat)
    if done is not None:
        repeated(done, command, draft)
    else:
        done = write(store, game, draft(game))
    raised = disputes_of(done)[-1]
    return _disputing(done, raised, seat, claim=raised.claim)


def withdraw(
    store: Store,
    id: str,
    number: int,
    *,
    by: str,
    reason: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int = 0,
) -> DisputeAnswer:
    """Withdraw a dispute. number: the event that raised it, as the seat counts it

    seat: from whose view it is answered
    by: who raised it, or somebody who is no other player
    Raises Declined where there is no such open dispute, or it is another player's.
    """

    def draft(game: LiveGame) -> tuple[DisputeWithdrawn]:
        raised = _open_dispute(game, number, viewer(game, seat))
        owner = _seat_of(game, raised.by)
        who = _seated(game, _name(by, "who withdraws it, such as p2"))
        if _is_seat(owner) and _is_seat(_seat_of(game, who)) and _seat_of(game, who) != owner:
            raise Declined(f"Dispute {number} of {game.id} was raised by {owner}, and {who} cannot withdraw it.")
        return (DisputeWithdrawn(at=now(), by=who, command=command, event=raised.number, reason=_text(reason)),)

    game, done = begin(store, id, expected, command, DisputeWithdrawn, seat=seat)
    if done is not None:
        repeated(done, command, draft)
    else:
        done = write(store, game, draft(game))
    event = done.recorded[-1].event
    assert isinstance(event, DisputeWithdrawn)
    about = next(one for one in disputes_of(done) if one.number == event.event)
    return _disputing(done, about, seat, reason=about.reason)


def _disputing(game: LiveGame, about: Dispute, seat: int, *, claim: str = "", reason: str = "") -> DisputeAnswer:
    """Return the answer to a seat. claim, reason: what it wrote itself"""
    seat = viewer(game, seat)
    if seat:
        told = seen_dispute(about, players(game.record), game.recorded)
        word = "".join(seen_game(game, seat).words[about.ply - 1 : about.ply]) if about.ply else told.word
        about = replace(told, word=word, claim=claim or told.claim, reason=reason or told.reason)
    return DisputeAnswer(game.id, seen_version(game, seat), about)


def _open_dispute(game: LiveGame, number: int, seat: int) -> Dispute:
    """Return the open dispute the seat knows by a number."""
    found = {told_number(game, seat, one.number): one for one in disputes_of(game)}
    one = found.get(number)
    if one is None:
        there = ", ".join(str(at) for at, each in found.items() if each.status == "open")
        raise Declined(f"{game.id} has no dispute {number}; {f'open are: {there}' if there else 'none is open'}.")
    if one.status == "withdrawn":
        raise Declined(f"Dispute {number} of {game.id} was withdrawn already.")
    if one.status == "ruled":
        rulings = [each for each in rulings_of(game) if each.dispute == one.number or one.then in each.then]
        by = f", by {rulings[-1].arbiter} in ruling {told_number(game, seat, rulings[-1].number)}" if rulings else ""
        raise Declined(f"Dispute {number} of {game.id} was ruled on already{by}. A new ruling names the ply itself.")
    return one


# --- rulings ---


def rule(
    store: Store,
    id: str,
    plies: Sequence[int] = (),
    *,
    arbiter: str,
    decision: str,
    words: Sequence[str] = (),
    penalties: Mapping[int, str] | None = None,
    result: str = "",
    keys: Sequence[str] = (),
    reason: str = "",
    dispute: int = 0,
    rest: bool = False,
    by: str = "",
    command: str = "",
    expected: int | None = None,
    seat: int = 0,
    dry: bool = False,
) -> RulingAnswer:
    """Rule on plies that follow one another, or on the game as a whole (no ply), in a closed game too.

    The log is added to and never changed; how the game stands changes: plies that *stand* are no breach any more,
    *void* ones are taken out and *amended* ones give way to ``words``, the tail kept and judged again as ``amend``
    does; a *penalty* is noted, and a *result* closes the game, as adjudicated. A penalty can go with every decision.
    dispute: the one it answers; without plies it is on the disputed one. A ruling that names none answers every open
    dispute of its plies
    keys: the clauses cited; rest: all plies behind are void too; by: who writes it down, by default the arbiter
    seat: from whose view it is answered; it voids and amends nothing where the game holds cards it has not seen
    dry: nothing is stored, and the answer is what it would be
    Raises Unfit for a key that is none, a result or seat the game cannot have, and a decision that does not fit what
    was given with it; Declined for plies that are not there, a dispute that is not open, a ply that cannot be applied
    and so cannot stand, and amended words that the rules refuse; Unread for words that are no moves.
    """
    _fitting(decision, words, penalties, result, rest)

    def draft(game: LiveGame) -> tuple[RulingGiven]:
        whose = viewer(game, seat)
        if decision in ("void", "amended"):
            for_everybody(game, whose, "A ruling that voids or amends plies")
        game = seen_game(game, whose)
        answers = _open_dispute(game, dispute, whose) if dispute else None
        on = _on(game, plies, answers, dispute, decision, rest)
        name = _name(arbiter, "who rules")
        event = RulingGiven(
            at=now(),
            by=_text(keepable(by, "The name")) or name,
            command=command,
            plies=tuple(game.book.ref(ply) for ply in on),
            arbiter=name,
            decision=decision,
            words=tuple(words),
            penalties=_penalties(game, penalties or {}),
            result=_result(game, result),
            keys=_keys(game, keys),
            dispute=answers.number if answers else 0,
            reason=_text(reason),
        )
        return (_spelled(game, event, on),)

    game, done = begin(store, id, expected, command, RulingGiven, seat=seat)
    whose = viewer(game, seat)
    if done is not None:
        game, dry = repeated(done, command, draft), False
    else:
        done = write(store, game, draft(game), dry=dry)
    event = done.recorded[-1].event
    assert isinstance(event, RulingGiven)
    changed = event.decision in ("void", "amended")
    tail = answered(game, done, _correction(event), stored=True, seat=whose) if changed else None
    tail = replace(tail, dry=dry) if tail is not None else None
    given = rulings_of(done)[-1]
    told = seen_ruling(given, done.recorded) if whose else given
    return RulingAnswer(id, seen_version(done, whose), told, tail, done.book.result, done.book.termination, not dry)


def _fitting(decision: str, words: Sequence[str], penalties: Mapping[int, str] | None, result: str, rest: bool) -> None:
    """Raise Unfit where a decision lacks what it needs, or is given what belongs to another."""
    if decision not in ("stands", "void", "amended", "penalty", "result"):
        raise Unfit(f"{decision!r} is no decision; expected stands, void, amended, penalty or result.")
    given = {"amended": bool(words), "result": bool(result)}
    for name, what in (("amended", "words"), ("result", "a result")):
        if given[name] != (decision == name):
            verb = "needs" if decision == name else "goes without"
            raise Unfit(f"The decision {decision} {verb} {what}.")
    if decision == "penalty" and not penalties:
        raise Unfit("The decision penalty needs a seat and what it costs.")
    if rest and decision != "void":
        raise Unfit(f"The decision {decision} takes only the plies it names, not the rest.")


def _on(
    game: LiveGame, plies: Sequence[int], answers: Dispute | None, dispute: int, decision: str, rest: bool
) -> tuple[int, ...]:
    """Return the plies a ruling is on, in order. answers: the dispute it answers, by the number that was given"""
    on = tuple(sorted(set(plies)))
    if answers is not None:
        disputed = answers.ply
        if on and disputed not in on:
            raise Declined(f"Dispute {dispute} of {game.id} is not about ply {on[0]}.")
        on = on or ((disputed,) if disputed else ())
    _there(game, on)
    if rest and on:
        on = tuple(range(on[0], game.plies + 1))
    if decision in ("stands", "void", "amended") and not on:
        raise Unfit(f"The decision {decision} is on a ply; name it.")
    if on and on[-1] - on[0] >= len(on):
        raise Unfit("A ruling is on plies that follow one another; give one for each run of them.")
    if decision == "stands" and on[-1] > game.reached:
        word = "".join(f", {word}," for word in game.words[on[-1] - 1 : on[-1]])
        raise Declined(
            f"Ply {on[-1]} of {game.id}{word} cannot be applied, so it cannot stand; amend it, or make it void."
        )
    return on


def _spelled(game: LiveGame, event: RulingGiven, on: tuple[int, ...]) -> RulingGiven:
    """Return a ruling with amended words in canonical spelling. Raises Declined where the rules refuse one."""
    if event.decision != "amended":
        return event
    readable(game, on[0])
    new = after(game, [event])
    last = on[0] + len(event.words) - 1
    legible = applied(new, on[0], len(event.words))
    for found in new.findings(on[0], last):
        if found.severity == "error" or not legible:
            raise Declined(
                f"{found.move} is refused ({found.key}): {found.because}. Nothing was stored; what was played all the "
                "same is corrected with `amend --stands`, and then ruled to stand."
            )
    return replace(event, words=new.words[on[0] - 1 : last])


def _correction(event: RulingGiven) -> MovesAmended:
    """Return the correction a ruling amounts to that voids or amends plies."""
    first, word = event.plies[0]
    return MovesAmended(
        at=event.at,
        event=first,
        word=word,
        replaced=len(event.plies),
        words=event.words,
        reason=event.reason,
        findings=((),) * len(event.words),
        stands=False,
    )


def consent(game: LiveGame, agreed: str, by: str) -> str:
    """Return who agreed to a take-back. Raises Declined for who takes back, Unfit for a seat that is none."""
    if agreed and by and _seat_of(game, agreed) == _seat_of(game, " ".join(by.split())):
        raise Declined(f"{agreed} takes back, so the consent is another seat's to give.")
    return _seated(game, agreed) if agreed else ""


def _is_seat(who: str) -> bool:
    return who[:1] == "p" and who[1:].isascii() and who[1:].isdecimal()


def _seat_of(game: LiveGame, who: str) -> str:
    """Return the seat of a player's name, capitals or not; what is no player's name comes back in small letters."""
    tags = find_game(game.book.game).script.seat_tags(game.book.seats)
    names = dict(game.book.tags)
    seats = (f"p{seat}" for seat, tag in enumerate(tags, 1) if names.get(tag, "?").lower() == who.lower())
    return next(seats, who.lower())


# --- what was given ---


def _there(game: LiveGame, plies: Sequence[int]) -> None:
    for ply in plies:
        if not 1 <= ply <= game.plies:
            raise Declined(f"There is no ply {ply} in {game.id}: its plies are 0, the game itself, to {game.plies}.")


def _text(text: str) -> str:
    """Return a text with single blanks. Raises Unfit for what ``keepable`` refuses."""
    return keepable(" ".join(text.split()), "The text")


def _name(text: str, what: str) -> str:
    """Return who it is. Raises Unfit for what ``keepable`` refuses, and where nobody is named."""
    return _said(keepable(text, "The name"), what)


def _said(text: str, what: str) -> str:
    said = _text(text)
    if not said:
        raise Unfit(f"It is not said {what}.")
    return said


def _seated(game: LiveGame, who: str) -> str:
    """Return who it was. Raises Unfit for a seat the game has not."""
    if _is_seat(who) and who[1:].lstrip("0") not in map(str, range(1, game.book.seats + 1)):
        raise Unfit(f"{cut(who)} is no seat of {game.id}: its seats are p1 to p{game.book.seats}.")
    return who


def _penalties(game: LiveGame, penalties: Mapping[int, str]) -> tuple[tuple[int, str], ...]:
    for seat in penalties:
        _seated(game, f"p{seat}")
    return tuple((seat, _said(penalties[seat], f"what p{seat} is to pay")) for seat in sorted(penalties))


def _result(game: LiveGame, result: str) -> str:
    fault = result_fault(result, game.book.seats) if result else ""
    if fault or result == "*":
        raise Unfit(f"The result cannot be given: {fault or '* is none'}.")
    return result


def _keys(game: LiveGame, keys: Sequence[str]) -> tuple[str, ...]:
    """Return the keys, each once. Raises Unfit, with those near it, for one that no rule has."""
    rules = find_game(game.book.game).rules
    known = [*(clause.key for clause in (*rules.CLAUSES, *CALL_CLAUSES)), *GENERAL]
    for key in keys:
        if key not in known:
            raise Unfit(f"There is no rule {key!r} in {rules.TITLE}{_near(key, known)}.")
    return tuple(dict.fromkeys(keys))


def _near(key: str, known: Sequence[str]) -> str:
    part, ends = key.rpartition(".")[2], {one.rpartition(".")[2]: one for one in reversed(known)}
    alike = [one for one in known if part and part in one]
    near = list(dict.fromkeys((*alike, *(ends[end] for end in get_close_matches(part, ends, 3, 0.6)))))[:3]
    return f"; near it: {', '.join(near)}" if near else "; `rules` lists them"
