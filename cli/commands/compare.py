"""``compare``: two sheets of one game side by side."""

from collections.abc import Iterator
from typing import Annotated

import typer

from cartulary.cli.shell.console import FINDINGS, USAGE, coloured, fail, leave, put, put_json
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.findings import count, finding_lines, paint, wrap
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.nearest import nearest_to_both, put_nearest
from cartulary.cli.shell.options import Db, Force, Json, SeatOf, viewer_of
from cartulary.cli.shell.sources import parse_source
from cartulary.cli.shell.views import record_for, view_game
from cartulary.notation import Examination, Record, examine, format_record, restore, restored_record
from cartulary.notation.arbiter.compare import Alignment, Comparison, compare, different_games
from cartulary.notation.cgn.writer import HEADER
from cartulary.notation.restore.nearest import SLIPS
from cartulary.records import api

AROUND = 2
"""How many words that are the same are shown before and after one that differs."""
WIDEST = 28
"""How many characters of a word are shown in its column."""

_WHAT = "A file, FILE#2 for its second game, the id of a stored game, or - ."


def command(
    a: Annotated[str, typer.Argument(metavar="A", help=_WHAT)],
    b: Annotated[
        str, typer.Argument(metavar="[B]", help="The other sheet, likewise; by default a sheet kept with game A.")
    ] = "",
    sheet: Annotated[
        int | None, typer.Option("--sheet", metavar="N", help="The number of the kept sheet; by default the last.")
    ] = None,
    restored_too: Annotated[
        bool, typer.Option("--restore", help="Find the legal games nearest to both sheets together.")
    ] = False,
    write: Annotated[
        str | None,
        typer.Option(
            "--write", metavar="OUT.cgn", help="With --restore: write the game found to this file, laid out as A is."
        ),
    ] = None,
    force: Force = False,
    seat: SeatOf = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Lay two sheets of one game side by side, word by word; show where they first differ, and the verdict on each.

    Prefixes, numbers, marks, glyphs, comments and clocks are not compared. Exits with 1 when a word differs.

    \b
    Example:
      cartulary compare "$(cartulary samples cardmate)/page-1.cgn" "$(cartulary samples cardmate)/page-1.cgn"
    """
    if (sheet is not None and b) or (not b and not parse_source(a).live):
        fail("Give two sheets, or the id of a game that a sheet is kept with; --sheet N picks one of several.")
    out = file_of(write)
    if out is not None and not restored_too:
        fail("--write OUT.cgn needs --restore, which finds the game to write.")
    if out is not None:
        check_spare(out, key=None, over=force)
    first_sheet = _examined(a, db, seat)
    second_sheet, b = (_examined(b, db, seat), b) if b else _kept_sheet(a, sheet, db, seat)
    because = different_games(first_sheet, second_sheet)
    if because:
        fail(f"{a} and {b} are not sheets of one game: {because}.", USAGE)
    compared = compare(first_sheet, second_sheet)
    near = restore(_record(first_sheet), _record(second_sheet)) if restored_too else None
    if json:
        verdicts = (first_sheet.report.verdict, second_sheet.report.verdict)
        fields = {"same": compared.same, "first": compared.first or None, **_rest(compared), "verdicts": verdicts}
        put_json(fields if near is None else {**fields, "nearest": nearest_to_both(near)})
    else:
        _put(a, b, first_sheet, second_sheet, compared)
        if near is not None:
            put_nearest("Nearest to both", near, 2 * SLIPS, ("A, ", "B, "))
    if out is not None and near is not None:
        if near.answer != "one":
            fail(f"Nothing was written to {out}: expected a single game nearest to both sheets.", FINDINGS)
        write_file(
            out, [(HEADER + format_record(restored_record(_record(first_sheet), near.games[0]))).encode()], force
        )
    leave(0 if compared.same else FINDINGS)


def _examined(name: str, db: str | None, seat: str) -> Examination:
    """Return a sheet, judged, as a seat has it; end the program if its tags set up no game.

    Args:
        name: A file, a game of a file, or the id of a stored game.
        db: The database of a stored game, None for the default one.
        seat: As which seat to look; empty for everything.
    """
    game = view_game(name, db, seat)
    examined = game.docket.examine(game.record, game.walk)
    if examined.walk is None:
        errors = [finding for finding in examined.report.findings if finding.severity == "error"]
        fail(f"{name} cannot be compared: {errors[0].because if errors else 'it cannot be set up'}.", USAGE)
    return examined


def _record(examined: Examination) -> Record:
    """Return the record that was judged; it must have been set up as a game."""
    assert examined.walk is not None
    return examined.walk.record


def _kept_sheet(id: str, number: int | None, db: str | None, seat: str) -> tuple[Examination, str]:
    """Return the second sheet kept with a stored game, judged, and its name.

    A fault is raised if there is no such game or no such sheet.

    Args:
        id: The game.
        number: The number of the sheet; None for the last.
        db: The database, as it was typed.
        seat: Who looks, as it was typed; empty for everything.
    """
    with open_log(db) as store:
        sheet = api.kept_sheet(store, parse_source(id).name, number, viewer_of(seat))
    examined = examine(record_for(sheet.record, sheet.name, seat))
    return examined, sheet.name


def _rest(compared: Comparison) -> dict[str, object]:
    """Return the aligned words and the differing tags as the JSON fields ``words`` and ``tags``.

    A word that only one sheet has is null for the other.
    """
    words = [{"a": pair.a, "b": pair.b, "ply_a": pair.ply_a, "ply_b": pair.ply_b} for pair in compared.words]
    return {"words": words, "tags": compared.tags}


def _put(a: str, b: str, first_sheet: Examination, second_sheet: Examination, compared: Comparison) -> None:
    """Print the verdict on both sheets, the table of differing words, and the worst finding on each sheet.

    Args:
        a: The name of the first sheet.
        b: The name of the second one.
        first_sheet: The first sheet, judged.
        second_sheet: The second one.
        compared: How they differ.
    """
    for label, name, examined in (("A", a, first_sheet), ("B", b, second_sheet)):
        report = examined.report
        for line in wrap(f"{label}  {name}: {report.verdict}, {count(report.plies, 'ply', 'plies')}, {report.result}"):
            put(line)
    for line in (*_table(compared), *_differences(compared)):
        put(line)
    for label, examined in (("A", first_sheet), ("B", second_sheet)):
        wrong = [finding for finding in examined.report.findings if finding.severity != "remark"]
        worst = min(wrong, key=lambda finding: (finding.severity != "error", finding.ply), default=None)
        for line in finding_lines(label, worst, full=False) if worst is not None else ():
            put(line)
        if wrong[1:]:
            put(f"{label}: and {len(wrong) - 1} more; `validate` lists them all for a file")


def _differences(compared: Comparison) -> Iterator[str]:
    """Yield sentences, one for each tag that differs and one on how many words differ or are on one sheet only."""
    for name, value_a, value_b in compared.tags:
        yield from wrap(f"{name}: A has {value_a}, B has {value_b}")
    if compared.same:
        yield "No word differs."
        return
    other = sum(pair.a is not None and pair.b is not None and not pair.alike for pair in compared.words)
    alone = [sum(pair.b is None for pair in compared.words), sum(pair.a is None for pair in compared.words)]
    parts = [f"{count(other, 'word')} {'differs' if other == 1 else 'differ'}"] * (other > 0)
    parts += [f"{many} only in {label}" for label, many in zip("AB", alone, strict=True) if many]
    yield f"First difference: ply {compared.first}. {', '.join(parts)}."


def _table(compared: Comparison) -> Iterator[str]:
    """Yield the rows of words that differ, with ``AROUND`` rows before and after; ``...`` stands for rows left out."""
    near = {
        at + step for at, pair in enumerate(compared.words) if not pair.alike for step in range(-AROUND, AROUND + 1)
    }
    rows = [(at, pair) for at, pair in enumerate(compared.words) if at in near]
    wide = max((len(_cut(pair.a)) for _, pair in rows), default=0)
    before = -1
    for at, pair in rows:
        if at != before + 1:
            yield "   ..."
        before = at
        yield _row(pair, max(wide, 4))


def _row(pair: Alignment, wide: int) -> str:
    """Return a row of the table: ply and word of sheet A, then those of sheet B, with ≠ between words that differ.

    Such a row is coloured where colours are shown. ``wide`` is the width of the column of sheet A.
    """
    left, right = f"{pair.ply_a or '':>6}  {_cut(pair.a):<{wide}}", f"{pair.ply_b or '':>6}  {_cut(pair.b)}"
    return f"{left}   {right}" if pair.alike else paint(f"{left} ≠ {right}", "error", coloured())


def _cut(word: str | None) -> str:
    """Return a word shortened to ``WIDEST`` characters, the last three being ``...``; ``-`` for None."""
    if word is None:
        return "-"
    return word if len(word) <= WIDEST else f"{word[: WIDEST - 3]}..."
