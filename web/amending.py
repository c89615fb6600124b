"""Correcting one ply on the page of a table: what is tapped in its place, and what becomes of the plies after it."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation.arbiter.replay import Step, own_move
from cartulary.notation.contract import AnyGame
from cartulary.notation.seat_names import SHORTEST_NAME, name_seats, seat_name
from cartulary.records import api
from cartulary.records.answers import amended_fields, tail_lines
from cartulary.records.faults import Unread
from cartulary.records.state.event_words import display_name
from cartulary.records.table.sayings import unread_line
from cartulary.web.inquiry import Inquiry, RequestFault
from cartulary.web.visitors import KEEPS

MOST_IN_RANK = 2
"""How many characters a rank has at most; a longer label of a key, such as ``Fool``, is the name of a card."""


class PlacedWord(Struct, frozen=True):
    """A word of a record with its place, as a person names it.

    Attributes:
        ply: The number of the ply.
        text: The word.
        says: What people call it, such as ``♥7``; the word itself if they call it as it is written.
        seat: The seat that played it, 0 for the table and if nobody knows.
        place: Where it stands: ``trick 7``, or ``ply 27`` in a game that numbers nothing.
    """

    ply: int
    text: str
    says: str
    seat: int
    place: str


def card_name(game: AnyGame, state: Any, word: str) -> str:
    """Return what stands on the keys of a card: suit and rank, such as ``♠10``; what people call any other word."""
    for suit in game.words.touch.keypad(state, 0).suits:
        for card, label in suit.keys:
            if card == word and len(suit.sign) == 1:
                return f"{suit.sign}{label}" if len(label) <= MOST_IN_RANK else label
    return game.words.common_name(word) or word


def placed_word(game: AnyGame, step: Step) -> PlacedWord:
    """Return the word of a step with its place in the record."""
    move = own_move(step.move)
    number = game.turns.number(step.state, move) if step.move is not None else None
    return PlacedWord(
        step.ply,
        step.text,
        card_name(game, step.state, step.text),
        step.move.seat if step.move is not None else 0,
        f"{game.words.touch.unit} {number[0]}" if number else f"ply {step.ply}",
    )


def places_of(game: AnyGame, steps: Iterable[Step]) -> str:
    """Return the number that a game gives to each ply, such as that of its trick, in as few characters as possible.

    For each ply there is ``.`` if the number is that of the ply before, ``+`` if it is one more, and else the number in
    parentheses, ``(1)``; it is 0 for a ply without number.
    """
    signs, last = [], 0
    for step in steps:
        counted = game.turns.number(step.state, own_move(step.move)) if step.move is not None else None
        number = counted[0] if counted else 0
        signs.append("." if number == last else "+" if number == last + 1 else f"({number})")
        last = number
    return "".join(signs)


def ply_to_correct(inquiry: Inquiry, view: "api.View") -> int:
    """Return the ply that the address names to be corrected; 0 if it names none.

    Raises:
        RequestFault: The record has no such ply, or the visitor may correct none.
    """
    ply = inquiry.number("correct", 0) or 0
    if ply and not inquiry.visitor.may(KEEPS):
        raise RequestFault("Whoever records the game corrects it; ask them.")
    if ply > len(view.steps):
        raise RequestFault(f"There is no ply {ply} to correct; expected one from 1 to {len(view.steps)}.")
    return ply


def before_ply(view: "api.View", ply: int) -> "api.View":
    """Return a table as it stood before a ply, so that another word can be tapped in its place.

    It counts as open, for a closed record is corrected too.

    Args:
        view: The table as it stands now.
        ply: The ply, from 1; it must be one that the record can be followed to.
    """
    return replace(view, position=view.at(ply - 1), closed=False)


def correct_ply(inquiry: Inquiry, request: "api.AmendRequest") -> tuple[dict[str, object], bool]:
    """Correct a ply, and return what it did as JSON: the fields of the correction, and sentences for a person.

    The second value is False if the new words are refused. ``says`` has the sentences, ``kind`` the verdict on the new
    words: ``legal``, ``undecided`` or ``error``. With ``dry`` nothing is stored, and a word that cannot be read is an
    answer too.
    """
    view = api.view_of(api.load(inquiry.store, inquiry.id), inquiry.viewer, inquiry.people)
    names = view.players
    try:
        answer = api.amend(inquiry.store, inquiry.id, request, inquiry.writer)
    except Unread as fault:
        if not request.dry:
            raise
        typed = request.words if isinstance(request.words, str) else " ".join(request.words)
        return {"says": [name_seats(unread_line(typed, fault), names)], "kind": "error", "stands": False}, True
    says, kind = amended_lines(answer, view)
    fields = {"says": says, "kind": kind, "stands": not answer.stored and not answer.blocks}
    return amended_fields(answer) | fields, answer.stored or request.dry


def amended_lines(answer: "api.AmendAnswer", view: "api.View") -> tuple[list[str], str]:
    """Return sentences on what a correction did, or would do, to the record, and the verdict on the new words.

    Args:
        answer: The answer to the correction.
        view: The table before it, as the visitor has it.
    """
    game, state, names = view.position.game, view.position.state, view.players
    errors = [finding for finding in answer.findings if finding.severity == "error"]
    open_findings = [finding for finding in answer.findings if finding.severity == "undecided"]
    kind = "error" if errors else "undecided" if open_findings else "legal"
    old, new = (" ".join(card_name(game, state, word) for word in words) for words in (answer.old, answer.words))
    verb = "would be" if answer.dry or not answer.stored else "is now"
    says = [f"{old} {verb} {new}" if new else f"{old} {'would be taken out' if answer.dry else 'was taken out'}"]
    says += [f"refused: {finding.because} ({finding.key})" for finding in errors]
    says += [f"undecided: {finding.because} ({finding.key})" for finding in open_findings]
    if answer.stored:
        says += tail_lines(answer)
        says += [f"ply {found.ply}, {found.move}, breaks {found.key}: {found.because}" for found in answer.conflicts]
    return [name_seats(_sentence(text), names) for text in says], kind


def _sentence(text: str) -> str:
    """Return a text with a capital letter where it begins with a word, and a full stop."""
    begins = text.startswith(("ply ", "plies ", "first ", "refused", "undecided"))
    return f"{text[:1].upper() if begins else text[:1]}{text[1:]}."


def corrected_title(word: PlacedWord, names: Sequence[str]) -> str:
    """Return what is being corrected, as a heading: ``Correct ♥7: Bruno, trick 7``.

    Args:
        word: The word that is to be corrected.
        names: The names of the players, by seat.
    """
    name = seat_name(word.seat, names, SHORTEST_NAME) if word.seat else display_name("p0", names)
    return f"Correct {word.says}: {name}, {word.place}"
