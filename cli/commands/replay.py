"""``replay``: prints the position after every ply."""

from cartulary.cli.shell.console import coloured, put, put_json
from cartulary.cli.shell.findings import finding_lines, wrapped
from cartulary.cli.shell.options import Db, Json, Name, Plain, Quiet, SeatOf
from cartulary.cli.shell.positions import board_lines, note_text, numbered, ply_fields, positions
from cartulary.cli.shell.sources import STDIN, parse_source, quiet_text
from cartulary.cli.shell.views import all_shown
from cartulary.notation import Finding


def command(
    name: Name = STDIN,
    seat: SeatOf = "",
    quiet: Quiet = False,
    no_color: Plain = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Print the position after every ply, with what the arbiter says of it.

    \b
    Example:
      cartulary replay "$(cartulary samples cardmate)/page-1.cgn"
    """
    colour = coloured(no_color)
    path = parse_source(name).name
    for label, asked in all_shown(name, db, seat, quiet):
        record, whose, docket = asked.record, asked.whose, asked.docket
        examined = docket.examine(record, asked.kept)
        findings = () if asked.quiet else examined.report.findings
        for found in positions(record, label, docket, examined.walk):
            if found.last is None:
                continue
            if json:
                put_json(ply_fields(found, whose, record.index, asked.quiet) | docket.on(found.ply).fields())
                continue
            for line in wrapped(f"{label} ply {found.ply}: {numbered(found.game, found.last)}{note_text(found)}"):
                put(line)
            for finding in findings:
                if finding.ply == found.ply:
                    _put_finding(path, finding)
            docket.on(found.ply).put()
            if found.last.applied:
                for line in board_lines(found, whose, colour):
                    put(line)
            put("")
        if not json:
            docket.on(0).put()
            if asked.quiet:
                put(quiet_text(path))


def _put_finding(path: str, finding: Finding) -> None:
    for line in finding_lines(path, finding):
        put(line)
