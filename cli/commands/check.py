"""``check``: lists what is open and what is wrong in a record."""

from collections.abc import Iterator

from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, leave, put, put_json
from cartulary.cli.shell.findings import count, finding_lines, put_docket, wrap
from cartulary.cli.shell.options import Db, Json, Name, Quiet, SeatOf
from cartulary.cli.shell.places import next_command
from cartulary.cli.shell.sources import STDIN, parse_source
from cartulary.cli.shell.views import view_game
from cartulary.engine.readings import ONLY_MOVE
from cartulary.notation.arbiter.finding import finding_fields
from cartulary.notation.arbiter.house import WAIVER, house_rules_of
from cartulary.records import api
from cartulary.records.texts import quiet_text


def command(name: Name = STDIN, seat: SeatOf = "", quiet: Quiet = False, json: Json = False, db: Db = None) -> None:
    """List what is open and what is wrong in a record: questions nobody can answer yet, breaches, disputes, rulings.

    A ply nobody wrote down is listed too if only one move fits, and so is one that a house rule lets stand.

    Exits with 1 when a breach is found that no ruling lets stand, or when a dispute is open.

    \b
    Example:
      cartulary check "$(cartulary samples tarot)/table-open.cgn"
    """
    path = parse_source(name).name
    game = view_game(name, db, seat, quiet)
    docket = game.docket
    report = docket.examine(game.record, game.walk).report
    waived = {key for key, rule in house_rules_of(game.record).items() if rule.decision == WAIVER}
    # A ply that only one move fits is a remark, and so is one that a house rule lets stand; both are listed.
    findings = [
        finding
        for finding in report.findings
        if (finding.severity != "remark" or finding.key in {ONLY_MOVE.key, *waived}) and not game.quiet
    ]
    problems = [finding for finding in findings if finding.severity != "remark"]
    for finding in findings:
        if json:
            put_json(finding_fields(finding))
            continue
        for line in finding_lines(path, finding):
            put(line)
    if game.quiet and json:
        put_json({"quiet": True})
    for fields in _docket_fields(docket) if json else ():
        put_json(fields)
    errors = sum(finding.severity == "error" for finding in problems)
    disputed = sum(finding.status == "open" for finding in docket.disputes)
    if not json:
        put_docket(replace(docket, times=()), f"{path}: ")
        if game.quiet:
            put(quiet_text(path, next_command("reveal", path, db=db)))
            leave(FINDINGS if disputed else 0)
            return
        totals = [count(len(problems) - errors, "open question"), count(errors, "breach", "breaches")]
        plies = {finding.ply for finding in findings if finding.severity == "remark" and finding.key in waived}
        totals += [count(len(plies), "ply under a house rule", "plies under a house rule")] if plies else []
        totals += [count(disputed, "open dispute")] if docket.disputes else []
        totals += [count(len(docket.rulings), "ruling")] if docket.rulings else []
        for line in wrap(f"{path}#{report.index}: {', '.join(totals)}"):
            put(line)
    unreadable = report.verdict == "unreadable" and not game.quiet
    leave(FINDINGS if errors or disputed or unreadable else 0)


def _docket_fields(docket: "api.DocketText") -> Iterator[dict[str, object]]:
    """Yield each dispute and then each ruling as an object of JSON: ``{"dispute": …}``, ``{"ruling": …}``."""
    for dispute in docket.disputes:
        yield {"dispute": dispute}
    for ruling in docket.rulings:
        yield {"ruling": ruling}
