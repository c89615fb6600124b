"""A game while it is played: the page that writes it, and all that is written at a table."""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.deadline import DeadlineExceeded, check_deadline
from cartulary.notation import Finding, draw
from cartulary.notation.cgn.result import TERMINATIONS
from cartulary.notation.contract import Touched
from cartulary.notation.picture import plain
from cartulary.records import api
from cartulary.records.answers import found_fields
from cartulary.records.commands.annotation import Noting
from cartulary.records.faults import Fault, Unread
from cartulary.records.state.seen_game import dispute_text, ruling_text
from cartulary.records.table.at_table import Offer, judged
from cartulary.records.table.sayings import last_line, unread_line, verdict_line
from cartulary.web.asked import Inquiry, Wrong, checked
from cartulary.web.deeds import Deed, Done, deed_of, write
from cartulary.web.following import happened
from cartulary.web.pages import drawn, in_lines, title_of
from cartulary.web.rates import WHILE_TYPING, limited
from cartulary.web.who import DESK, RULES, SEAT, WRITES, Visitor

COLUMNS = 60
"""How wide the line of the last plies is at most, in characters."""
TOLD = 8
"""How many of the last events are told on a table's page."""
KEEPS = (DESK, "scribe")
"""Who may write what belongs to the whole table."""
AGREES = ("scribe", SEAT)
"""Who may agree with a record, where it is a seat's link."""
MOST_FOUND = 3
"""How many findings stand on the page of a table."""
MOST_OFFERS = 3000
"""Up to how many moves are offered to be tapped."""


class Foretold(Struct, frozen=True):
    """What Enter would come to. says: a sentence; kind: legal, undecided, error or empty

    stands: whether it can be let stand where it is refused
    """

    says: str
    kind: str
    stands: bool = False


class TrialRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that is being typed; nothing is stored."""

    words: str


# --- reading ---


def _live(asked: Inquiry) -> "api.LiveGame":
    return api.load(asked.store, checked(asked, asked.names["id"]))


def view_of(asked: Inquiry) -> "api.View":
    """Return the game as whoever asks has it before them."""
    return api.view_of(_live(asked), asked.viewer)


def offers(view: "api.View", visitor: Visitor) -> tuple[Offer, ...]:
    """Return the moves that may be tapped: none where the view is muted, or where it is not a seat's own turn.

    Nor are there any where it takes too long to say which.
    """
    if view.closed or (visitor.own and visitor.seat not in view.actors):
        return ()
    try:
        with limited(WHILE_TYPING):
            moves = judged(view)
    except DeadlineExceeded:
        check_deadline()  # who has gone away, or has waited too long for the page itself, is answered nothing
        return ()
    return moves if len(moves) <= MOST_OFFERS else ()


def touched(view: "api.View", visitor: Visitor) -> Touched:
    """Return what may be touched to write a word by whoever is told nothing of what is legal, at its turn."""
    seat = visitor.seat if visitor.own else next(iter(view.actors), 0)
    if not view.quietly or not view.viewer.seat or not seat or seat not in view.actors:
        return Touched()
    return view.found.game.words.touched(view.found.state, seat)


def table_fields(asked: Inquiry) -> dict[str, object]:
    """Return how a table stands: what its page shows, and what it offers."""
    game = _live(asked)
    view = api.view_of(game, asked.viewer)
    return {
        "id": asked.names["id"],
        "version": view.version,
        "ply": view.found.ply,
        "turn": view.turn_by(view.players),
        "due": view.due,
        "news": [[news.version, news.says, news.kind] for _, news in happened(game, view, -TOLD)],
        "last": last_line(view.found, view.walked, COLUMNS, view.signs),
        "closed": view.closed,
        "agreed": [msgspec.to_builtins(each) for each in view.agreements],
        "quiet": view.quietly,
        "offers": [[offer.word, offer.says] for offer in offers(view, asked.visitor)],
        "touched": msgspec.to_builtins(touched(view, asked.visitor)),
    }


def table(asked: Inquiry) -> dict[str, Any]:
    """Return what the page of a table shows."""
    id, view = asked.names["id"], view_of(asked)
    found, game = view.found, view.found.game
    names = view.players
    fields = table_fields(asked)
    about = game.about
    return fields | {
        "title": title_of(names, id),
        "game": about.title,
        "offers": fields["offers"],
        "drawing": drawn(
            draw(game.words, found.drawn, view.picture_seat), f"{about.title} after ply {found.ply}", names
        ),
        "picture": in_lines(plain(game.words.picture(found.drawn, view.picture_seat))),
        "moves": [(step.ply, step.text) for step in view.walked],
        "keeps": asked.visitor.may(KEEPS),
        "seats": [(f"p{seat}", name) for seat, name in enumerate(names, 1)],
        "board": game.boards.tag,
        "terminations": TERMINATIONS,
        "found": _found(view),
        "docket": _docket(view, asked.visitor),
        "stated": _stated(asked, view) if asked.visitor.may(KEEPS) and game.boards.tag else "",
        "may_agree": _may_agree(fields, asked),
    }


def _found(view: "api.View") -> list[Finding]:
    """Return what was found last, the newest ply first; nothing for whoever is told nothing of it."""
    found = () if view.muted or view.closed else view.findings
    return sorted((one for one in found if one.severity != "remark"), key=lambda one: -one.ply)[:MOST_FOUND]


def _docket(view: "api.View", visitor: Visitor) -> list[tuple[str, int]]:
    """Return the open disputes, each with its number where whoever asks raised it, and the rulings in force."""
    disputes = [one for one in view.docket.disputes if one.status == "open"]
    own = [one.number if one.by == visitor.by else 0 for one in disputes]
    disputes_open = [(dispute_text(one), number) for one, number in zip(disputes, own, strict=True)]
    return disputes_open + [(ruling_text(one), 0) for one in view.docket.rulings if one.holds]


def _stated(asked: Inquiry, view: "api.View") -> str:
    """Return what lies on the table as its tag spells it, to be mended; empty where the record cannot say."""
    if view.viewer.seat is not None or view.quietly:
        return ""
    try:
        return api.present_board(asked.store, view.id).text
    except Fault:
        return ""


def _may_agree(told: dict[str, Any], asked: Inquiry) -> bool:
    """Say whether whoever asks may agree with the record: as a seat that has not agreed with it as it stands."""
    standing = {each["seat"] for each in told["agreed"] if not each["since"]}
    return told["closed"] and asked.visitor.may(AGREES) and bool(asked.seat) and asked.seat not in standing


# --- writing ---


def try_words(asked: Inquiry, request: TrialRequest) -> Done:
    """Say what a line would come to, from what whoever types it may know; nothing is stored."""
    try:
        with limited(WHILE_TYPING):
            return Done(_tried(asked, request))
    except DeadlineExceeded:
        check_deadline()
        return Done(Foretold("not judged while it is typed, because that would take too long", ""))


def _tried(asked: Inquiry, request: TrialRequest) -> Foretold:
    game = _live(asked)
    view = api.view_of(game, asked.viewer)
    try:
        writer = replace(asked.writer, quiet=view.quietly)
        words = api.typed_words(game, request.words, writer)
        if not words.words:
            return Foretold(view.turn_by(view.players), "")
        answers = api.judge_words(game, words, writer, own=asked.visitor.own)
        says, kind = verdict_line(answers, request.words)
        refused = answers[-1].verdict == "refused"
        return Foretold(says, kind, refused and not answers[-1].blocks)
    except Unread as fault:
        return Foretold(unread_line(request.words, fault), "error")
    except Fault as fault:
        return Foretold(str(fault), "error")


def take_back(asked: Inquiry, request: "api.UndoRequest") -> Done:
    """Take the last plies back: a seat from a ply of its own on, which another seat agrees to."""
    return Done(api.take_back(asked.store, asked.names["id"], request, asked.writer, own=asked.visitor.own))


def annotate(asked: Inquiry, request: "api.NoteRequest") -> Done:
    """Annotate a ply."""
    if request.noting == Noting():
        raise Wrong("There is nothing to note; expected words, a glyph such as ! or a variation in parentheses.")
    return Done(api.annotate(asked.store, asked.names["id"], request, asked.writer))


def state_board(asked: Inquiry, request: "api.BoardRequest") -> Done:
    """State what lies on the table."""
    answer = api.state_board(asked.store, asked.names["id"], request, asked.writer)
    return Done({"version": answer.version, "findings": [found_fields(found) for found in answer.findings]})


def agree(asked: Inquiry, request: "api.AgreeRequest") -> Done:
    """Agree with a closed record, as the seat whose link it is. Raises Wrong for who has no seat."""
    if not asked.seat:
        raise Wrong("Only a seat can agree with a record; use a link of somebody who played.")
    return Done(api.agree(asked.store, asked.names["id"], request, asked.writer))


AT_TABLE = (
    Deed("/games/{id}/trial", "Say what the verdict on words would be.", WRITES, TrialRequest, try_words, stores=False),
    deed_of("/games/{id}/undo", "Take back the last plies.", WRITES, api.UndoRequest, take_back),
    deed_of(
        "/games/{id}/note",
        "Annotate a ply.",
        KEEPS,
        api.NoteRequest,
        annotate,
        without=("dry", "comment", "glyphs", "variations", "replace", "within"),
        needs=("command", "text"),
    ),
    deed_of(
        "/games/{id}/clock",
        "Write the time left after a ply.",
        KEEPS,
        api.ClockRequest,
        write(api.set_clock),
        without=("dry", "reason"),
    ),
    deed_of("/games/{id}/board", "State what lies on the table.", KEEPS, api.BoardRequest, state_board),
    deed_of("/games/{id}/close", "Close the game.", KEEPS, api.CloseRequest, write(api.close)),
    deed_of("/games/{id}/agree", "Agree with the closed record, as a seat.", AGREES, api.AgreeRequest, agree),
    deed_of("/games/{id}/reveal", "Reveal a quiet record.", RULES, api.RevealRequest, write(api.reveal)),
)
"""What is written at a table beside words."""
