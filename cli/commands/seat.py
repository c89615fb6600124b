"""``seat``: writes who sits at a seat from a ply on."""

from msgspec.structs import replace

from cartulary.cli.shell.invocation import Invocation, argument, from_request, option
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.spellings import ask_spellings, say_similar
from cartulary.notation.cgn.controls import isolate
from cartulary.notation.seatings import sitters_text
from cartulary.records import api
from cartulary.records.texts import one_spelling


@from_request(
    api.SeatRequest,
    view=None,
    place=argument(),
    player=option("-p", "--player"),
    ply=option("--from", min=1),
    dry=option("--dry-run"),
)
def command(typed: "Invocation[api.SeatRequest]") -> None:
    """Write that somebody else sits down at a seat and plays on, even in a closed game.

    Without --from it holds from the next ply on. `tag` corrects the name of who sat there first. To take a substitution
    back, name at the same ply who sat there before.

    \b
    Example:
      cartulary seat evening p2 --from 3 -p Fay
    """
    request = typed.request
    with open_log(typed.db) as store:
        settled, similar = ask_spellings(store, (request.player,))
    answer = typed.ask(api.seat_player, replace(request, player=settled.get(request.player, request.player)))
    typed.put(answer, f"p{answer.seat}: {sitters_text(answer.sat)}")
    for name, known_name in similar.items():
        say_similar(one_spelling(name), known_name, f"name {isolate(known_name)} at that ply")
