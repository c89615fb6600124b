"""``move``: writes moves, and prints what the rules say of each."""

from msgspec.structs import replace

from cartulary.cli.shell.console import FINDINGS, coloured, leave, put, put_json, say
from cartulary.cli.shell.findings import paint
from cartulary.cli.shell.invocation import Invocation, argument, from_request
from cartulary.cli.shell.live import not_stored, open_log, put_findings
from cartulary.cli.shell.options import Quiet
from cartulary.notation.arbiter.finding import verdict_text
from cartulary.records import api
from cartulary.records.answers import word_fields


@from_request(
    api.WordsRequest,
    words=argument(typed=tuple[str, ...], read=" ".join),
    order=("id", "words", "stands", "quiet", "clock"),
)
def command(typed: "Invocation[api.WordsRequest]", quiet: Quiet = False) -> None:
    """Write moves, all or none, with the verdict on each.

    Exits with 1 when a move is refused; --stands keeps it all the same.
    With --quiet the moves are only confirmed, or refused as impossible; so are a seat's moves once the record is quiet.
    Draw, Agree, Resign and Timeout are calls by the seat to move; p2/Draw is a call by p2.
    For a move nobody wrote down give '~', with the quotes; without them the shell would replace it.

    \b
    Example:
      cartulary move evening 4Ci3 4Db6
    """
    with open_log(typed.db) as store:
        answers = api.play(store, typed.id, typed.request, replace(typed.viewer, quiet=quiet))
        last = answers[-1]
        keepable = last.stored or last.blocks or api.would_stand(store, typed.id, typed.request.words, typed.viewer)
    for answer in answers:
        if typed.json:
            put_json(word_fields(answer))
        else:
            _put_played(answer)
    if not answers[-1].stored:
        say(not_stored(answers[-1].blocks, len(answers), "--stands" if keepable else ""))
    leave(FINDINGS if any(answer.verdict == "refused" for answer in answers) else 0)


def _put_played(answer: "api.WordAnswer") -> None:
    """Print the verdict on a move and the findings that may be shown; on a quiet record only that it was written."""
    if answer.verdict == "quiet":
        put(f"{answer.id}: ply {answer.ply}, {answer.text}: written")
        return
    verdict = verdict_text(answer.verdict) + (" but let stand" if answer.stored and answer.verdict == "refused" else "")
    kind = "error" if answer.verdict == "refused" else answer.verdict
    put(f"{answer.id}: ply {answer.ply}, {answer.quotation}: {paint(verdict, kind, coloured())}")
    put_findings(answer.shown_findings)
