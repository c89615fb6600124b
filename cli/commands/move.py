"""``move``: writes moves, and prints what the rules say of each."""

from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, coloured, leave, put, put_json, say
from cartulary.cli.shell.findings import paint
from cartulary.cli.shell.live import not_stored, opened, put_findings
from cartulary.cli.shell.options import By, Command, Db, Expected, Id, Json, Quiet, SeatOf, Stands, asker
from cartulary.records import desk


def command(
    id: Id,
    text: Annotated[list[str], typer.Argument(metavar="TEXT…", help="Moves as on a score sheet, numbers or not.")],
    stands: Stands = False,
    quiet: Quiet = False,
    clock: Annotated[str, typer.Option("--clock", metavar="H:MM:SS", help="Time left after the last move.")] = "",
    seat: SeatOf = "",
    by: By = "",
    command: Command = "",
    expected: Expected = None,
    json: Json = False,
    db: Db = None,
) -> None:
    """Write moves, all or none, and say what the rules say of each.

    Ends with 1 when a move is refused; with --stands it is kept all the same.
    With --quiet it only says that they were written, and refuses the impossible; a seat's moves in a record that is
    quiet already are written so too.
    Draw, Agree, Resign and Timeout are calls of the seat to move; p2/Draw is p2's.
    A move nobody wrote down is '~', in quotes, for the shell has a use of its own for it.

    \b
    Example:
      cartulary move evening 4Ci3 4Db6
    """
    whose, by = asker(seat, by)
    with opened(db) as store:
        answers = desk.play(
            store,
            id,
            " ".join(text),
            by=by,
            command=command,
            expected=expected,
            stands=stands,
            clock=clock,
            seat=whose,
            quiet=quiet,
        )
    for answer in answers:
        if json:
            put_json(desk.word_fields(answer))
        else:
            _put_played(answer)
    if not answers[-1].stored:
        say(not_stored(answers[-1].blocks, len(answers)))
    leave(FINDINGS if any(answer.verdict == "refused" for answer in answers) else 0)


def _put_played(answer: "desk.WordAnswer") -> None:
    if answer.verdict == "quiet":
        put(f"{answer.id}: ply {answer.ply}, {answer.text}: written")
        return
    verdict = answer.verdict + (" but stands" if answer.stored and answer.verdict == "refused" else "")
    kind = "error" if answer.verdict == "refused" else answer.verdict
    put(f"{answer.id}: ply {answer.ply}, {answer.text}: {paint(verdict, kind, coloured())}")
    put_findings(answer.findings)
