"""An evening in which every event has a field ``private`` that nothing declares, and what everybody gets of it.

``python -m tests.laws.planted FOLDER`` reads the modules of events with that field put into each class, plays the
evening, asks for it in every way, and prints the answers as JSON, by what was asked. Each event's field holds a text of
its own, so that a leak names the event.
"""

import ast
import json
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from cartulary.notation.viewer import Seat

PLANTED = ("events", "aside_events")
MARK = "planted-in-"


def plant() -> None:
    """Let the modules of events be read with a field more in every event; none of them may have been read before."""
    read = SourceFileLoader.get_code

    def get_code(self: Any, fullname: str) -> CodeType | None:
        if fullname.rpartition("records.log.")[2] not in PLANTED:
            return read(self, fullname)
        tree = ast.parse(self.get_data(self.path))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and "Event" in map(ast.unparse, node.bases):
                node.body += ast.parse(f"private: str = '{MARK}{node.name}'").body
        return compile(tree, self.path, "exec")

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def evening(db: Path) -> None:
    """Write a game in which everything happens, and take in one that hides cards and one of another format."""
    from cartulary.notation import load
    from cartulary.records import api
    from cartulary.records.commands.request import write
    from cartulary.records.log.events import StoredFinding, WordDeclined
    from cartulary.records.log.store import Store
    from tests.places import SAMPLES

    db.with_name("other.pgn").write_text('[White "Ada"]\n[Black "Bela"]\n[Result "*"]\n\n1. d4 d5 *\n')
    with Store(db) as store:
        id = api.open_game(store, api.NewRequest("chess", id="g", players=("Ada", "Bela"))).id
        api.play(store, id, api.WordsRequest(("e4", "e5", "Nf3")))
        api.change_tags(store, id, api.TagRequest({"Variant": "chess960"}, reason="drawn by lot"))
        api.change_tags(store, id, api.TagRequest({"Variant": "standard"}))
        api.state_board(store, id, api.BoardRequest(api.present_board(store, id).text))
        api.take_back(store, id, api.UndoRequest(by="p1"))
        api.redo(store, id, api.RedoRequest(by="p1"))
        api.take_back(store, id, api.UndoRequest(by="p1"))
        api.amend(store, id, api.AmendRequest(2, ("d5",)))
        api.annotate(store, id, api.NoteRequest(1, "a word"))
        api.set_clock(store, id, api.ClockRequest(1, "0:12:30"))
        api.seat_player(store, id, api.SeatRequest(place="p2", player="Fay", ply=2))
        raised = api.dispute(store, id, api.DisputeRequest(1, by="p2", claim="odd"))
        api.withdraw(store, id, api.WithdrawRequest(raised.version, by="p2"))
        api.make_links(store, id, api.LinksRequest(("p1",)))  # which makes it quiet
        api.set_aside(store, id, api.AsideRequest(reason="twice"))
        api.reveal(store, id, api.RevealRequest())
        api.keep_sheet(store, id, api.export_cgn(store, id, headed=False), path="other.cgn")
        api.close(store, id, api.CloseRequest("1-0", termination="abandoned"))
        api.agree(store, id, api.AgreeRequest(), Seat(1))
        api.reopen(store, id, api.ReopenRequest())
        api.rule(store, id, api.RulingRequest((1,), arbiter="Dora", decision="stands", penalties={"p1": "warned"}))
        found = (StoredFinding("error", "a.b", "c"),)
        declined = WordDeclined(at="2026-11-22T00:00:00.000Z", seat=2, words=("Qh5",), findings=found)
        write(store, api.load(store, id), [declined])
        for path in (db.with_name("other.pgn"), SAMPLES / "tarot" / "games" / "table-revoke.cgn"):
            [taken] = api.import_records(store, load(str(path)), path=str(path))
            assert taken.status == "new", taken


def answers(db: Path) -> Iterator[tuple[str, str]]:
    """Yield what is asked and everything that is answered: as a seat, as the rail, without names; and as everybody."""
    from typer.testing import CliRunner

    from cartulary.cli.app import build
    from cartulary.notation.viewer import Seat
    from cartulary.records import api
    from cartulary.records.exchange.nameless import Nameless
    from cartulary.records.log.store import Store
    from cartulary.records.state.links import as_of
    from cartulary.web.following import events_since
    from cartulary.web.pages import Pages
    from cartulary.web.visitors import Visitor, bystander
    from tests.web.served import addresses, by_link, serving

    def typed(*words: str) -> tuple[str, str]:
        done = CliRunner().invoke(build(), [*words, "--db", str(db)], env={"NO_COLOR": "1", "COLUMNS": "80"})
        return " ".join(words), f"{done.exit_code}\n{done.stdout}\n{done.stderr}\n{done.exception!r}"

    with Store(db) as store:
        ids = list(store.ids())
        secrets = {
            link.link.role: link.secret
            for link in api.make_links(store, "g", api.LinksRequest(("p1", "rail"), verdicts=True))
        }
    for id in ids:
        yield typed("log", id, "--json")
        for seat in ("p1", "rail"):
            asked = [("log", id), ("log", id, "--json"), ("show", id), ("show", id, "--json"), ("check", id, "--json")]
            asked += [("why", id, "1", "--json"), ("replay", id), ("list", "--json"), ("validate", id, "--json")]
            asked += [("export", id, *more) for more in ((), ("--log",), ("--format", "html"))]
            for words in asked:
                yield typed(*words, "--seat", seat)
        for redact in ("names", "texts", "Ada"):
            for form in ("cgn", "html", "json"):
                yield typed("export", id, "--format", form, "--log", "--redact", redact)
        with Store(db) as store:
            sheet = Nameless(store).stream(id)
            yield f"what a sheet without names of {id} is made of", repr([each.event for each in sheet])
        with Store(db) as store:
            for visitor in (Visitor("p1", Seat(1), "p1", id, 1), bystander(0)):
                sent = events_since(Pages(True), as_of(api.load(store, id), visitor.delay), visitor, 0)
                yield f"the stream of {id} for {visitor.seat}", "\n".join(each.data.decode() for each in sent)
    with serving(db, key=None, writes=True) as server:
        for role, secret in secrets.items():
            browser = by_link(server, secret)
            for address in addresses(True, id="g", ply="1", game="chess", key="x"):
                yield f"{role} {address}", browser.get(address).text


def main() -> None:
    """Plant the field, and print every answer as JSON."""
    plant()
    db = Path(sys.argv[1]) / "games.db"
    evening(db)
    print(json.dumps(dict(answers(db))))


if __name__ == "__main__":
    main()
