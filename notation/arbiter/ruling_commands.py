"""Disputes and rulings as a score sheet tells them: commands in its comments, read and written."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from cartulary.engine.numbers import SEAT
from cartulary.notation.cgn.commands import Command, bare, commands_in, format_command, quote_text
from cartulary.notation.cgn.record import Line, Note

DECISIONS = ("stands", "void", "amended", "penalty", "score", "result", "revoked")
_SHORT = re.compile(r'([\w-]+)\s*(?:,\s*(?:arbiter\b:?\s*)?("(?:\\.|[^"\\])*"|.*))?')
_PLIES = re.compile(r"[0-9]{1,9}(?:,[0-9]{1,9})*")
_SEAT = re.compile(SEAT)
_CHANGE = re.compile(r"[+-][0-9]{1,9}(?:/[1-9][0-9]{0,8})?")
_PLAIN_NAME = re.compile(r"[^\s\x00-\x1f\x7f\\\"\[\]{},;:]+(?: [^\s\x00-\x1f\x7f\\\"\[\]{},;:]+)*")


class Dispute(Struct, frozen=True, kw_only=True):
    """What somebody says is wrong with a ply or the game, wherever it stands: on a sheet, in an event, on the docket.

    Attributes:
        by: Who says so.
        claim: What is wrong, in free words.
        cites: The numbers of the sheets that are to show it.
    """

    by: str = ""
    claim: str = ""
    cites: tuple[int, ...] = ()


class Ruling(Struct, frozen=True, kw_only=True):
    """What an arbiter decides, wherever it stands: on a sheet, in an event, on the docket.

    Attributes:
        arbiter: Who decided.
        decision: One of DECISIONS.
        words: The words of amended plies now.
        penalties: Pairs of a seat and its penalty, in words.
        result: The result, in the spelling of the tag Result.
        keys: The clauses it cites.
        reason: The reason, in free words.
        points: Pairs of a seat and the change of its score, ``-88``.
        score: The score that it sets, in the spelling of the tag Score.
        cites: The numbers of the sheets it rests on.
    """

    arbiter: str = ""
    decision: str
    words: tuple[str, ...] = ()
    penalties: tuple[tuple[int, str], ...] = ()
    result: str = ""
    keys: tuple[str, ...] = ()
    reason: str = ""
    points: tuple[tuple[int, str], ...] = ()
    score: str = ""
    cites: tuple[int, ...] = ()


def fields_in(kind: type[Dispute | Ruling], holder: Any) -> dict[str, Any]:
    """Return the fields of a dispute or ruling by name, taken from a value that holds them under the same names.

    Args:
        kind: Which of the two is held.
        holder: An event, a command or an entry of the docket.
    """
    return {name: getattr(holder, name) for name in kind.__struct_fields__}


class DisputeCommand(Dispute, frozen=True, kw_only=True):
    """A dispute as a command in a comment has it.

    Attributes:
        ply: The ply, 0 for the game.
        withdrawn: The reason for which it was withdrawn; None while it stands.
        label: The number by which a ruling of the same sheet names it; 0 if none has to.
        ruled: Whether it was answered, if the sheet has to say so.
        gone: Whether its ply is gone, if the sheet has to say so.
    """

    ply: int
    withdrawn: str | None = None
    label: int = 0
    ruled: bool = False
    gone: bool = False


class RulingCommand(Ruling, frozen=True, kw_only=True):
    """A ruling as a command in a comment has it.

    Attributes:
        plies: The plies it is about; empty for the game.
        old: The words of plies that are void or amended, or that were let stand and corrected since.
        dispute: The label of the dispute it answers; 0 for all that are open about its plies.
        gone: Whether none of its plies is left, if the sheet has to say so.
        kept: Whether some of its plies are left, if the sheet has to say so.
        past: Whether a later ruling has set the score.
        revoked: Whether a later ruling took it back.
        after: The number of plies there were when it set the score; None for all of the record.
    """

    plies: tuple[int, ...] = ()
    old: tuple[str, ...] = ()
    dispute: int = 0
    gone: bool = False
    kept: bool = False
    past: bool = False
    revoked: bool = False
    after: int | None = None

    @property
    def scores(self) -> bool:
        """Whether it counts in the score: it changes or sets points, and was neither revoked nor replaced."""
        return bool(self.points or self.score) and not (self.past or self.revoked)


class CitedCommand(Struct, frozen=True):
    """A dispute or ruling in the comment of a ply.

    Attributes:
        ply: The ply whose comment it is in.
        what: The dispute or the ruling.
        removal: Which take-back or void ruling of the comment, from 1, took its ply out; 0 while it stands.
        source: The command as it is written there.
    """

    ply: int
    what: DisputeCommand | RulingCommand
    removal: int
    source: str


def ruling_says(ruling: Any) -> str:
    """Return everything a ruling decided as text: ``stands``, or ``amended to 9Cb1, p1 two points, p2 -88``.

    Arbiter, plies, rules and reason are not in it. ``ruling`` may be a command, or anything with its fields, such as an
    event.
    """
    decisions = {"amended": f"amended to {' '.join(ruling.words)}", "result": f"result {ruling.result}", "score": ""}
    costs = (f"p{seat} {cost}" for seat, cost in (*ruling.penalties, *ruling.points))
    score = f"score {ruling.score}" if ruling.score else ""
    return ", ".join(part for part in (decisions.get(ruling.decision, ruling.decision), *costs, score) if part)


# --- writing ---


def format_dispute(dispute: DisputeCommand) -> str:
    """Return a dispute as a command in a comment: ``[%dispute 17 by=p1 "p3 had a spade"]``; ply 0 is the game."""
    given_up = "" if dispute.withdrawn is None else f"withdrawn={quote_text(dispute.withdrawn)}"
    by = f"by={bare(dispute.by)}" if dispute.by else ""
    label = f"n={dispute.label}" if dispute.label else ""
    signs = ("ruled" * dispute.ruled, "gone" * dispute.gone)
    cites = f"cites={_listed(dispute.cites)}" if dispute.cites else ""
    return format_command("dispute", str(dispute.ply), *signs, by, label, cites, quote_text(dispute.claim), given_up)


def _listed(numbers: Sequence[int]) -> str:
    """Return numbers as a command lists them: ``(1, 2, 3) -> "1,2,3"``; empty for none."""
    return ",".join(map(str, numbers))


def format_ruling(ruling: RulingCommand) -> str:
    """Return a ruling as a command in a comment, with all that was decided: ``[%ruling 17 penalty p3=-88]``.

    Plies are joined by commas, and 0 stands for the game. Fields that are empty are left out, and ``after`` is too if
    the ruling sets no score.
    """
    named = {
        "arbiter": ruling.arbiter,
        "keys": ",".join(ruling.keys),
        "was": " ".join(ruling.old),
        "words": " ".join(ruling.words),
        "after": "" if ruling.after is None or not ruling.score else str(ruling.after),
        "score": ruling.score,
        "result": ruling.result,
        "dispute": str(ruling.dispute or ""),
        "cites": _listed(ruling.cites),
    }
    plies = ",".join(map(str, ruling.plies)) or "0"
    pairs = [f"{key}={bare(value)}" for key, value in named.items() if value]
    costs = [f"p{seat}={quote_text(cost)}" for seat, cost in ruling.penalties]
    costs += [f"p{seat}={change}" for seat, change in ruling.points]
    reason = quote_text(ruling.reason) if ruling.reason else ""
    signs = ("gone" * ruling.gone, "kept" * ruling.kept, "past" * ruling.past, "revoked" * ruling.revoked)
    return format_command("ruling", plies, ruling.decision, *signs, *pairs, *costs, reason)


def format_short(ruling: RulingCommand) -> str:
    """Return a ruling as the short mark ``[%ruling stands, arbiter: C. Umpire]``, with decision and arbiter only.

    A name that could not be read back is put in quotation marks.
    """
    name = ruling.arbiter
    shown = name if _PLAIN_NAME.fullmatch(name) else quote_text(name)
    return f"[%ruling {ruling.decision}, arbiter: {shown}]"


def format_scoring(ruling: RulingCommand) -> str:
    """Return a ruling as a command ``[%ruling 0 score …]`` that keeps only the arbiter and the effect on the score."""
    fields = {name: getattr(ruling, name) for name in ("arbiter", "points", "score", "after")}
    return format_ruling(RulingCommand(decision="score", **fields))


# --- reading ---

_CITING = re.compile(r"\[%\s*(?:takeback|dispute|ruling)\b")
"""How the commands begin that are read here."""


def cited_in(line: Line) -> Iterator[CitedCommand]:
    """Yield the disputes and rulings in the comments of a main line, in the order of its text.

    Commands before a take-back or a void ruling in the same comment are about plies that are gone, by the numbers those
    had at the time.
    """
    for at in sorted(line.notes):
        # Nearly every comment is a clock time or words: only these three commands are looked for.
        comments = [text for text in line.notes[at].comments if _CITING.search(text)]
        if not comments:
            continue
        commands = [command for comment in comments for command in commands_in(comment)]
        removals = [i for i, command in enumerate(commands) if _removes(command, read_command(command, at))]
        for i, command in enumerate(commands):
            before = bisect_left(removals, i)
            gone = before + 1 if before < len(removals) else 0
            what = read_command(command, at, None if gone else len(line.words))
            if what is not None:
                lasting = not _about_plies(what) or (isinstance(what, RulingCommand) and what.kept)
                yield CitedCommand(at, what, 0 if lasting else gone, command.source)


def _removes(command: Command, what: DisputeCommand | RulingCommand | None) -> bool:
    """Say whether a command takes plies out of the record: a take-back, or a ruling that a ply is void.

    ``what`` is what ``read_command`` made of the command.
    """
    return command.name == "takeback" or (isinstance(what, RulingCommand) and what.decision == "void")


def _about_plies(what: DisputeCommand | RulingCommand) -> bool:
    """Say whether a dispute or ruling is about plies and not about the whole game."""
    return bool(what.ply if isinstance(what, DisputeCommand) else what.plies)


def withdrawn_in(source: str) -> str | None:
    """Return the reason with which the command of a dispute says it was withdrawn, ``""`` for none given.

    None if it was not withdrawn. Of several commands in the text the first counts.
    """
    return next((dict(command.pairs).get("withdrawn") for command in commands_in(source)), None)


def read_command(command: Command, ply: int, plies: int | None = None) -> DisputeCommand | RulingCommand | None:
    """Return the dispute or ruling that a command describes; None if it describes neither.

    Args:
        command: The command.
        ply: The ply of its comment, which it is about if it names a ply that cannot be.
        plies: The number of plies of the record; None if the command may be about plies that are gone.
    """
    if command.name == "dispute" and command.words:
        at = _plies(command.words[0], ply, None if "gone" in command.words[1:] else plies)
        if at is not None:
            given_up = dict(command.pairs).get("withdrawn")
            label, claim = _number(command.value("n")), " ".join(command.texts)
            ruled, gone = ("ruled" in command.words[1:]), ("gone" in command.words[1:])
            cites = _numbers(command.value("cites"))
            return DisputeCommand(
                ply=at[0] if at else 0,
                by=command.value("by"),
                claim=claim,
                withdrawn=given_up,
                label=label,
                ruled=ruled,
                gone=gone,
                cites=cites,
            )
    if command.name == "ruling" and command.words:
        at = _plies(command.words[0], ply, None if "gone" in command.words[2:] else plies)
        return _short(command.rest, ply) if at is None else _long(command, at)
    return None


def _plies(text: str, ply: int, plies: int | None) -> tuple[int, ...] | None:
    """Return the plies that a command names: ``17,40 -> (17, 40)``, ``0 -> ()`` for the game; None if it lists none.

    Args:
        text: The first word of the command.
        ply: The ply of the comment, which is meant if one of the named plies cannot be.
        plies: The number of plies of the record, which the next ply may exceed by one; None if any number may be.
    """
    if not _PLIES.fullmatch(text):
        return None
    named = tuple(int(number) for number in text.split(","))
    if named == (0,):
        return ()
    possible = all(number >= 1 and (plies is None or number <= plies + 1) for number in named)
    return named if possible else (ply,) if ply else ()


def _long(command: Command, plies: tuple[int, ...]) -> RulingCommand | None:
    """Return the ruling of a command with plies and decision, as ``format_ruling`` writes it.

    None if its second word is not one of DECISIONS. ``p3=-88`` changes points, ``p3="two points"`` is a penalty in
    words. Fields that cannot be read are empty. ``plies`` is what ``_plies`` made of the first word.
    """
    decision = command.words[1] if len(command.words) > 1 else ""
    if decision not in DECISIONS:
        return None
    seats = [(int(seat[1]), value) for key, value in command.pairs if (seat := _SEAT.fullmatch(key))]
    return RulingCommand(
        plies=plies,
        decision=decision,
        arbiter=command.value("arbiter"),
        keys=tuple(key for key in command.value("keys").split(",") if key),
        reason=" ".join(command.texts),
        old=tuple(command.value("was").split()),
        words=tuple(command.value("words").split()),
        penalties=tuple((seat, value) for seat, value in seats if not _CHANGE.fullmatch(value)),
        result=command.value("result"),
        dispute=_number(command.value("dispute")),
        gone="gone" in command.words[2:],
        kept="kept" in command.words[2:],
        points=tuple((seat, value) for seat, value in seats if _CHANGE.fullmatch(value)),
        score=command.value("score"),
        past="past" in command.words[2:],
        revoked="revoked" in command.words[2:],
        cites=_numbers(command.value("cites")),
        after=_after(command.value("after")) if command.value("score") else None,
    )


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a list: ``"3,x,5" -> (3, 5)``; zeros and parts that are no numbers are left out."""
    return tuple(filter(None, map(_number, text.split(","))))


def _after(text: str) -> int | None:
    """Return the number of plies after which a score was set, 0 or more; None if the text is no such number."""
    number = _number(text)
    return number if number or text == "0" else None


def _number(text: str) -> int:
    """Return a whole number of at most nine digits; 0 for any other text, such as ``-3`` or an empty one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _short(text: str, ply: int) -> RulingCommand | None:
    """Return the ruling of a short mark such as ``stands, arbiter: C. Umpire``; None if the text is none.

    It is about ``ply``, that of its comment, or about the game if that is 0. The arbiter may be missing or in quotation
    marks.
    """
    match = _SHORT.fullmatch(text)
    if match is None or match[1] not in DECISIONS:
        return None
    name = match[2] or ""
    texts = [command.texts for command in commands_in(f"[%x {name}]")] if name.startswith('"') else []
    name = texts[0][0] if texts and texts[0] else name
    return RulingCommand(plies=(ply,) if ply else (), decision=match[1], arbiter=name)


def docketed_in(comment: str) -> Iterator[str]:
    """Yield the dispute and ruling commands of a comment, each with its brackets, as it is written.

    Commands of these names that describe neither are left out.
    """
    return (command.source for command in commands_in(comment) if read_command(command, 1) is not None)


def follows(comment: str) -> bool:
    """Say whether a comment has a dispute, ruling or take-back, so that new ones must be written after it."""
    return any(command.name == "takeback" or read_command(command, 1) is not None for command in commands_in(comment))


def about_gone(commands: Sequence[str]) -> int:
    """Return the number of the last command that takes plies out of the record, counted from 1; 0 if none does.

    That command and those before it are about plies by numbers they had then. Each text holds one command.
    """
    read = [next(commands_in(comment), None) for comment in commands]
    removals = (at for at, command in enumerate(read, 1) if command and _removes(command, read_command(command, 1)))
    return max(removals, default=0)


# --- what a ruling does to findings and to the score ---


def scoring(line: Line) -> tuple[RulingCommand, ...]:
    """Return the rulings in a line that count in its score, those that set the whole score first.

    Otherwise they are in the order of the text. Revoked rulings, and those that a later score has replaced, do not
    count.
    """
    rulings = (cited.what for cited in cited_in(line) if isinstance(cited.what, RulingCommand))
    return tuple(sorted((ruling for ruling in rulings if ruling.scores), key=lambda ruling: not ruling.score))


def result_by(line: Line) -> str | None:
    """Return the arbiter who gave a line its result by a ruling in a comment; None if no ruling did.

    The arbiter is ``""`` if the ruling names none. Of several such rulings the first counts.
    """
    rulings = (cited.what for cited in cited_in(line) if isinstance(cited.what, RulingCommand))
    return next((ruling.arbiter for ruling in rulings if decides(ruling, line.result)), None)


def decides(ruling: RulingCommand, result: str) -> bool:
    """Say whether a ruling gave a sheet its result: it is a result, not revoked, and names this result or none.

    No ruling gives the results ``""`` and ``*``, which say that there is none.
    """
    same = result not in ("", "*") and ruling.result in ("", result)
    return same and ruling.decision == "result" and not ruling.revoked


def lets_stand(ruling: RulingCommand) -> bool:
    """Say whether a ruling lets its plies stand and is in force: they were not corrected, nor was it revoked."""
    return ruling.decision == "stands" and not ruling.old and not ruling.revoked


def standing_by(note: Note | None, ply: int) -> str | None:
    """Return the arbiter whose ruling, in the note of a ply, lets that ply stand; None if no ruling does.

    The arbiter is ``""`` if the ruling names none. ``note`` is None for a ply without a note.
    """
    for comment in filter(_CITING.search, note.comments if note else ()):
        for command in commands_in(comment):
            what = read_command(command, ply, ply)
            if isinstance(what, RulingCommand) and lets_stand(what):
                return what.arbiter
    return None


def stands_by(arbiter: str) -> str:
    """Return the end of a sentence that names the arbiter who let something stand.

    For example ``; let stand by a ruling of C. Umpire``; without a name it is ``the arbiter``.
    """
    return f"; let stand by a ruling of {arbiter or 'the arbiter'}"
