"""``board``: states what lies on the table after the last ply, or prints it."""

import re
from typing import Any

import msgspec

from cartulary.cli.shell.console import fail, put, put_json, say
from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.live import DRY, board_line, open_log, put_findings
from cartulary.cli.shell.options import SeatOf, viewer_of
from cartulary.records import api
from cartulary.records.answers import live_finding_fields

SETTINGS: dict[str, Any] = {"ignore_unknown_options": True}
"""A board may begin with empty squares, which look like an option."""


@from_request(
    api.BoardRequest,
    text=argument(
        typed=tuple[str, ...],
        read=" ".join,
        default=None,
        help="The board, as the set-up tag spells it; without it, or with -, the board is printed.",
    ),
    view=SeatOf,
    dry=option("--dry-run"),
)
def command(typed: "Invocation[api.BoardRequest]") -> None:
    """State as TEXT what lies on the table after the last ply; without TEXT, print it.

    If the position is known, the board checks it, and play goes on from what lay on the table. After a ply nobody wrote
    down, the board rules out the positions that do not match.

    \b
    Example:
      cartulary board evening
      cartulary board evening "$(cartulary board evening)" --by arbiter
    """
    text = typed.typed["text"]
    for word in text or []:
        if re.match(r"--?[a-z]", word):
            fail(f"There is no option {word[:24]}; `board --help` lists them.")
    if text in (None, [], ["-"]):
        with open_log(typed.db) as store:
            _put_present(api.present_board(store, typed.id, viewer_of(typed.typed["seat"])), typed.json)
        return
    answer = typed.ask(api.state_board)
    if typed.json:
        put_json(
            {
                **msgspec.structs.asdict(answer),
                "findings": [live_finding_fields(finding) for finding in answer.findings],
            }
        )
    else:
        put(f"{typed.id}: {board_line(answer)}")
        put_findings(answer.findings)
    if answer.dry:
        say(DRY)


def _put_present(present: "api.PresentBoard", json: bool) -> None:
    """Print the board that the record implies now; say so on standard error if several positions fit."""
    if json:
        put_json(present)
        return
    put(present.text)
    if present.positions > 1:
        say(f"This is one of {present.positions} positions that fit the record.")
