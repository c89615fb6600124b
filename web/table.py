"""A game while it is played: the page of its table, and the actions at it."""

from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.deadline import DeadlineExceeded, check_deadline
from cartulary.engine.numbers import seat_number
from cartulary.notation import Finding
from cartulary.notation.arbiter.positions import clocks_text
from cartulary.notation.cgn.result import TERMINATIONS
from cartulary.notation.picture import plain
from cartulary.notation.seat_names import name_seats
from cartulary.notation.seatings import Tenure
from cartulary.notation.unjudged import scored_by_rounds
from cartulary.records import api
from cartulary.records.answers import live_finding_fields
from cartulary.records.commands.annotation import Noting
from cartulary.records.commands.deal_tags import names_in_tags
from cartulary.records.faults import Fault, Unread
from cartulary.records.log.events import TagsChanged
from cartulary.records.state.event_words import ENTRY, display_name, say
from cartulary.records.state.seat_view import players
from cartulary.records.table.sayings import last_line, unread_line, verdict_line
from cartulary.records.texts import clean_name
from cartulary.web.actions import Action, ActionResult, action_of, write
from cartulary.web.amending import (
    before_ply,
    card_name,
    correct_ply,
    corrected_title,
    placed_word,
    places_of,
    ply_to_correct,
)
from cartulary.web.following import news_since
from cartulary.web.headline import headline, names_are_drawn
from cartulary.web.inquiry import Inquiry, RequestFault, check_viewer
from cartulary.web.names_offered import NewNames, check_spellings, has_written
from cartulary.web.pages import deal_values, drawn_position, game_link_for, lines_markup, link, title_of
from cartulary.web.position import captured_men, men_of_keys, seat_to_turn_to, surface
from cartulary.web.rates import WHILE_TYPING, time_limit
from cartulary.web.visitors import KEEPS, OPERATOR, RULES, SEAT, WRITES, Visitor

COLUMNS = 60
"""How wide the line of the last plies is at most, in characters."""
NEWS_LINES = 8
"""How many of the last events the page of a table lists."""
AGREES = ("scribe", SEAT)
"""The roles that may agree with a record; a scribe only if the scribe plays too."""
MOST_IN_EXAMPLE = 6
"""How many characters a word has at most that the line for typing shows as an example."""
MOST_FINDINGS = 20
"""How many findings the page of a table shows at most."""


class Preview(Struct, frozen=True):
    """What would happen to a line if it were sent.

    Attributes:
        says: A sentence.
        kind: The verdict: ``legal``, ``undecided`` or ``error``; empty if nothing was judged.
        stands: Whether a refused move can be kept in spite of the rules.
    """

    says: str
    kind: str
    stands: bool = False


class TrialRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that is being typed; it is judged and never stored."""

    words: str


# --- reading ---


def _live(inquiry: Inquiry) -> "api.LiveGame":
    """Return the whole game that the path names, hidden cards too, after a check that it has the visitor's seat."""
    return api.load(inquiry.store, check_viewer(inquiry, inquiry.id))


def table_fields(inquiry: Inquiry) -> dict[str, object]:
    """Return the state of a table as JSON, as the visitor may see it.

    It says whose turn it is, which events came last, which moves can be tapped, and who agreed with the record.
    """
    game = _live(inquiry)
    view = api.view_of(game, inquiry.viewer, inquiry.people)
    shown = surface(view, inquiry.visitor)
    return {
        "id": inquiry.id,
        "version": view.version,
        "ply": view.position.ply,
        "turn": view.turn_by(view.players),
        "due": view.due,
        "news": [[news.version, news.says, news.kind] for _, news in news_since(game, view, -NEWS_LINES)],
        "last": last_line(view.position, view.steps, COLUMNS, view.signs),
        "closed": view.closed,
        "agreed": [msgspec.to_builtins(agreement) for agreement in view.agreements],
        "quiet": view.quietly,
        "offers": [[offer.word, offer.says] for offer in shown.offers],
        "surface": msgspec.to_builtins(shown),
    }


def table(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values of the page of a table, on which a game is played and recorded, as the visitor may see it.

    If the parameter ``correct`` names a ply, it is the page on which that ply is corrected: the table as it stood
    before. Raises RequestFault if there is no such ply to correct, and if ``below`` names no seat of a board.
    """
    id, view = inquiry.id, api.view_of(_live(inquiry), inquiry.viewer, inquiry.people)
    now, correct = view, ply_to_correct(inquiry, view)
    if correct:
        view = before_ply(now, correct)
    position, game = view.position, view.position.game
    names = view.players
    below = _side_below(inquiry)
    turned = seat_to_turn_to(view, below)
    fields = table_fields(inquiry)
    if correct:
        shown = msgspec.to_builtins(replace(surface(view, inquiry.visitor), calls=()))
        fields |= {"surface": shown, "closed": False, "ply": position.ply, "news": []}
    last = last_line(position, view.steps, COLUMNS, view.signs, lambda step: card_name(game, step.state, step.text))
    fields["last"] = last.partition(": ")[2] or "Nothing is written yet"
    if game.words.touch.task(position.state, 0):
        fields["due"] = ""
    about = game.about
    corrected = placed_word(game, now.steps[correct - 1]) if correct else None
    variant = _variant(now)
    return (
        fields
        | deal_values(view)
        | {
            "title": title_of(names, id),
            "heading": f"{about.title}{variant and f' {variant}'}" if names_are_drawn(view) else title_of(names, id),
            "about": " · ".join(filter(None, _about(now, variant))),
            "headline": corrected_title(corrected, names) if corrected else headline(view, inquiry.visitor),
            "clocks": name_seats(clocks_text(now.clocks), names),
            "has_draws": len(names) == 2,
            "example": _example(fields),
            "men": men_of_keys(surface(view, inquiry.visitor)),
            "ended": view.ended and not view.quietly,
            "agreed_by": [
                display_name(f"p{agreement.seat}", names) for agreement in now.agreements if not agreement.since
            ],
            "drawing": drawn_position(view, below),
            "captured": captured_men(view),
            "turned": link(game_link_for(inquiry.visitor, id, "table"), (("below", f"p{turned}"),)) if turned else "",
            "picture": lines_markup(plain(view.picture_of(position))),
            "correct": correct,
            "moves": [step.text for step in now.steps],
            "seats_of_plies": "".join(str(step.move.seat) if step.move is not None else "0" for step in now.steps),
            "places": places_of(game, now.steps),
            "unit": game.words.touch.unit,
            "names": [display_name(f"p{seat}", names) for seat in range(len(names) + 1)],
            "undoes": " ".join(card_name(game, step.state, step.text) for step in view.steps[-1:]),
            "again": " ".join(_redoable_words(inquiry)),
            "keeps": inquiry.visitor.may(KEEPS),
            "seats": [(f"p{seat}", name) for seat, name in enumerate(names, 1)],
            "board": game.boards.tag,
            "has_pad": inquiry.visitor.may(KEEPS) and scored_by_rounds(game, position.state),
            "terminations": TERMINATIONS,
            "found": [
                replace(finding, because=name_seats(finding.because, names)) for finding in _newest_findings(view)
            ],
            "docket": _docket(view, inquiry.visitor),
            "stated": _stated(inquiry, view) if inquiry.visitor.may(KEEPS) and game.boards.tag else "",
            "may_agree": _may_agree(fields, inquiry),
        }
    )


def _variant(view: "api.View") -> str:
    """Return the variant of a game; empty if it is the one that everybody means by the name of the game."""
    about, variant = view.position.game.about, view.record.tag("Variant")
    return "" if about.usual and variant == about.variants[0] else variant.upper() if len(variant) < 4 else variant


def _about(view: "api.View", variant: str) -> tuple[str, ...]:
    """Return what is said of a game beside its heading: its event or id, or for two players the game itself.

    Args:
        view: The table.
        variant: The variant of the game, empty if it has only one.
    """
    title = view.position.game.about.title
    quiet = "quiet" if view.quiet else ""
    if not names_are_drawn(view):
        return (f"{title}{variant and f' {variant}'}", quiet)
    event = view.record.tag("Event")
    return (event if event not in ("", "?") else "", quiet)


def _example(fields: dict[str, Any]) -> str:
    """Return a short word that may be played now, to show how words are typed; empty if none may.

    Args:
        fields: The fields of ``table_fields``.
    """
    words = (offer["word"] for offer in fields["surface"]["offers"])
    return next((word for word in words if len(word) <= MOST_IN_EXAMPLE), "")


def _side_below(inquiry: Inquiry) -> int:
    """Return the seat whose side of a board is to be drawn below; 0 if the address does not say.

    Raises:
        RequestFault: It names no seat of a board.
    """
    text = inquiry.value("below")
    if text not in ("", "p1", "p2"):
        raise RequestFault(f"Found below={text}; expected p1 or p2, whose side is drawn below.")
    return int(text[1:] or 0)


def _redoable_words(inquiry: Inquiry) -> tuple[str, ...]:
    """Return the words of the last undo; none if there is nothing to play again.

    A seat gets ``…`` for each, as it may not know them.
    """
    undos = _live(inquiry).book.undos
    if not undos:
        return ()
    words = tuple(ply.text for ply in undos[-1].plies)
    return words if inquiry.viewer.seat is None else ("…",) * len(words)


def _newest_findings(view: "api.View") -> list[Finding]:
    """Return at most ``MOST_FINDINGS`` errors and open questions, those on the latest plies first.

    There are none if the view is muted or the game closed.
    """
    findings = () if view.muted or view.closed else view.findings
    problems = (finding for finding in findings if finding.severity != "remark")
    return sorted(problems, key=lambda finding: -finding.ply)[:MOST_FINDINGS]


def _docket(view: "api.View", visitor: Visitor) -> list[tuple[str, int]]:
    """Return a sentence for each open dispute, then for each ruling in force, each with a number.

    The number is that of a dispute which the visitor raised and may withdraw, else 0.
    """
    disputes = [
        (say(dispute, ENTRY, view.players), dispute.number if dispute.by == visitor.by else 0)
        for dispute in view.docket.disputes
        if dispute.status == "open"
    ]
    return disputes + [(say(ruling, ENTRY, view.players), 0) for ruling in view.docket.rulings if ruling.holds]


def _stated(inquiry: Inquiry, view: "api.View") -> str:
    """Return the present board as its tag spells it, to be corrected in a form.

    The text is empty if the record cannot say it, while verdicts are kept back, and for a visitor who does not see
    everything.
    """
    if view.viewer.seat is not None or view.quietly:
        return ""
    try:
        return api.present_board(inquiry.store, view.id).text
    except Fault:
        return ""


def _may_agree(fields: dict[str, Any], inquiry: Inquiry) -> bool:
    """Say whether the visitor may agree with the closed record: a seat that has not agreed since it last changed.

    Args:
        fields: The fields of ``table_fields``.
        inquiry: The request.
    """
    standing = {agreement["seat"] for agreement in fields["agreed"] if not agreement["since"]}
    return fields["closed"] and inquiry.visitor.may(AGREES) and bool(inquiry.seat) and inquiry.seat not in standing


# --- writing ---


def try_words(inquiry: Inquiry, request: TrialRequest) -> ActionResult:
    """Answer what would happen to a line if it were sent, judged from what its writer may know; nothing is stored.

    If that takes longer than ``WHILE_TYPING`` the answer says so.
    """
    try:
        with time_limit(WHILE_TYPING):
            return ActionResult(_preview(inquiry, request))
    except DeadlineExceeded:
        check_deadline()
        return ActionResult(Preview("not judged while it is typed, because that would take too long", ""))


def _preview(inquiry: Inquiry, request: TrialRequest) -> Preview:
    """Return the verdict on a line as the writer may know it, or whose turn it is if the line is empty.

    What cannot be read or played is a preview too, of the kind ``error``; no Fault is raised.
    """
    game = _live(inquiry)
    view = api.view_of(game, inquiry.viewer, inquiry.people)
    try:
        writer = replace(inquiry.writer, quiet=view.quietly)
        words = api.typed_words(game, request.words, writer)
        if not words.words:
            return Preview(view.turn_by(view.players), "")
        answers = api.judge_words(game, words, writer, own=inquiry.visitor.own)
        says, kind = verdict_line(answers, request.words)
        says = name_seats(says, view.players)
        refused = answers[-1].verdict == "refused"
        return Preview(says, kind, refused and not answers[-1].blocks)
    except Unread as fault:
        return Preview(name_seats(unread_line(request.words, fault), view.players), "error")
    except Fault as fault:
        return Preview(str(fault), "error")


def take_back(inquiry: Inquiry, request: "api.UndoRequest") -> ActionResult:
    """Take back the last plies, and answer with their words.

    A seat may begin only with a ply of its own, and names who agreed to it.
    """
    return ActionResult(api.take_back(inquiry.store, inquiry.id, request, inquiry.writer, own=inquiry.visitor.own))


def redo(inquiry: Inquiry, request: "api.RedoRequest") -> ActionResult:
    """Play the plies again that the last undo took back, and answer with their words. A seat names who agreed to it."""
    return ActionResult(api.redo(inquiry.store, inquiry.id, request, inquiry.writer, own=inquiry.visitor.own))


def amend(inquiry: Inquiry, request: "api.AmendRequest") -> ActionResult:
    """Correct a ply, and answer what became of the plies after it; with ``dry`` nothing is stored."""
    return ActionResult(*correct_ply(inquiry, request))


def annotate(inquiry: Inquiry, request: "api.NoteRequest") -> ActionResult:
    """Annotate a ply, or the game, and answer with what is noted there now.

    Raises:
        RequestFault: The request holds nothing to note.
    """
    if request.noting == Noting():
        raise RequestFault("There is nothing to note; expected words, a glyph such as ! or a variation in parentheses.")
    return ActionResult(api.annotate(inquiry.store, inquiry.id, request, inquiry.writer))


def state_board(inquiry: Inquiry, request: "api.BoardRequest") -> ActionResult:
    """State what lies on the table, and answer with the new version and the findings that this makes."""
    answer = api.state_board(inquiry.store, inquiry.id, request, inquiry.writer)
    return ActionResult(
        {"version": answer.version, "findings": [live_finding_fields(finding) for finding in answer.findings]}
    )


class SittingRequest(api.SeatRequest, frozen=True):
    """A request to write who sits at a seat from a ply on."""

    new_names: NewNames = ()


class NamesRequest(api.TagRequest, frozen=True):
    """A request to correct names and other tags."""

    new_names: NewNames = ()


def seat_player(inquiry: Inquiry, request: SittingRequest) -> ActionResult:
    """Write who sits at a seat from a ply on, and answer with who has sat there.

    Before the first ply, change the seat's tag. A scribe is asked nothing about spellings: the question would show
    names of other games.

    Raises:
        RequestFault: The player's name may be another spelling of a known one. The status is 409.
    """
    if inquiry.visitor.role == OPERATOR:
        _check_names(inquiry, (request.player,), request)
    store, id = inquiry.store, inquiry.id
    if not _sits_from_the_start(api.load(store, id), request):
        return ActionResult(api.seat_player(store, id, request, inquiry.writer))
    tags = api.TagRequest(
        tags={request.place: request.player},
        by=request.by,
        command=request.command,
        expected=request.expected,
        dry=request.dry,
    )
    answer = api.change_tags(store, id, tags, inquiry.writer)
    if not request.dry:
        api.record_arrival(store, api.load(store, id), request.player, request)
    return ActionResult(
        api.SeatAnswer(id, answer.version, seat_number(request.place), (Tenure(0, clean_name(request.player)),))
    )


def _sits_from_the_start(game: "api.LiveGame", request: SittingRequest) -> bool:
    """Say whether the request seats somebody before the first ply: nobody has played yet.

    It is true as well for a request that was carried out then and is sent again. It is false for a seat that the game
    does not have, and for a blank name.
    """
    if seat_number(request.place) not in range(1, game.book.seats + 1) or not clean_name(request.player):
        return False
    written = game.book.commands.get(request.command) if request.command else None
    if written is not None:
        return isinstance(game.recorded[written[0] - 1].event, TagsChanged)
    return not game.plies and request.ply <= 1


def change_tags(inquiry: Inquiry, request: NamesRequest) -> ActionResult:
    """Correct players' names and other tags, and answer with what was changed.

    Raises:
        RequestFault: A player's name may be another spelling of a known one. The status is 409.
    """
    game = api.load(inquiry.store, inquiry.id)
    names = names_in_tags(game.examined.heading.game, request.tags)
    sat = players(game.record)
    old_names = [
        sat[seat - 1] if 0 < (seat := seat_number(name)) <= len(sat) else game.record.tag(name) for name in names
    ]
    _check_names(inquiry, names.values(), request, inquiry.people.display_names(old_names))
    return ActionResult(api.change_tags(inquiry.store, inquiry.id, request, inquiry.writer))


def _check_names(
    inquiry: Inquiry, names: Iterable[str], request: SittingRequest | NamesRequest, old_names: Collection[str] = ()
) -> None:
    """Raise RequestFault for a name that may be another spelling of a known one.

    No question is asked about names that the request confirms, nor if the request was carried out before.

    Args:
        inquiry: The request.
        names: The names that are written.
        request: The body, whose ``new_names`` are those confirmed.
        old_names: Names that are replaced; a name that only corrects a slip in one of them is not asked about.
    """
    check_spellings(
        inquiry.store,
        names,
        request.new_names,
        is_repeated=lambda: has_written(inquiry.store, inquiry.id, request.command),
        old_names=old_names,
    )


def agree(inquiry: Inquiry, request: "api.AgreeRequest") -> ActionResult:
    """Agree with a closed record, as the seat of the link.

    Raises:
        RequestFault: The visitor has no seat.
    """
    if not inquiry.seat:
        raise RequestFault("Only a seat can agree with a record; use a link of somebody who played.")
    return ActionResult(api.agree(inquiry.store, inquiry.id, request, inquiry.writer))


AT_TABLE = (
    Action(
        "/games/{id}/trial", "Say what the verdict on words would be.", WRITES, TrialRequest, try_words, stores=False
    ),
    action_of("/games/{id}/undo", "Take back the last plies.", WRITES, api.UndoRequest, take_back),
    action_of("/games/{id}/redo", "Play the plies of the last undo again.", WRITES, api.RedoRequest, redo),
    action_of(
        "/games/{id}/note",
        "Annotate a ply.",
        KEEPS,
        api.NoteRequest,
        annotate,
        omit=("dry", "comment", "glyphs", "variations", "replace", "within"),
        required_fields=("command", "text"),
    ),
    action_of(
        "/games/{id}/clock",
        "Write the time left after a ply.",
        KEEPS,
        api.ClockRequest,
        write(api.set_clock),
        omit=("dry", "reason"),
    ),
    action_of(
        "/games/{id}/seat",
        "Write who sits at a seat from a ply on.",
        KEEPS,
        SittingRequest,
        seat_player,
    ),
    action_of(
        "/games/{id}/amend",
        "Correct a ply; those after it are kept and judged again.",
        KEEPS,
        api.AmendRequest,
        amend,
        omit=(),
        required_fields=("command", "ply"),
    ),
    action_of("/games/{id}/board", "State what lies on the table.", KEEPS, api.BoardRequest, state_board),
    action_of("/games/{id}/close", "Close the game.", KEEPS, api.CloseRequest, write(api.close)),
    action_of("/games/{id}/reopen", "Open a closed game again.", (OPERATOR,), api.ReopenRequest, write(api.reopen)),
    action_of(
        "/games/{id}/tags",
        "Correct names and other tags that the rules do not read.",
        (OPERATOR,),
        NamesRequest,
        change_tags,
        required_fields=("command", "tags"),
    ),
    action_of("/games/{id}/agree", "Agree with the closed record, as a seat.", AGREES, api.AgreeRequest, agree),
    action_of("/games/{id}/reveal", "Reveal a quiet record.", RULES, api.RevealRequest, write(api.reveal)),
)
"""The actions at a table besides playing words."""
