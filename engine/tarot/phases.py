"""The phases of a deal of Tarot, and which word belongs to which: draw, deal, bids, call, chien, discards, tricks."""

from cartulary.engine.contract import Refused, clause
from cartulary.engine.tarot.dealing import result_of_draw
from cartulary.engine.tarot.knowledge import owes_call, owes_discards, takes_chien
from cartulary.engine.tarot.state import (
    Bid,
    CallKing,
    Chelem,
    Deal,
    Discard,
    Maldonne,
    Move,
    PetitSec,
    Play,
    Poignee,
    Reveal,
    ScoredDeal,
    Show,
    State,
    on_page,
)

_SAMPLE = ("7C", "8C", "9C", "1D", "2D", "3D")
"""Cards for the examples in messages about the chien and the discards."""


def due(state: State) -> str:
    """Return what is to be written next, and how, as part of a sentence: ``first write the card p2 calls, as Call=KH``.

    It is for a draw for the deal, and for what comes between the bids and the first card; "" in other phases.
    """
    if state.phase == "deal" and state.round.shows and state.round.last < 0:
        waiting, _ = result_of_draw(state.options, state.round.shows)
        return f"first write the card p{min(waiting)} draws, as p{min(waiting)}/^7C" if waiting else ""
    taker, count = f"p{state.round.taker}", state.options.chien
    cards, unknown_cards = ",".join(_SAMPLE[:count]), f"{','.join('~' * count)}-"
    return {
        "call": f"first write the card {taker} calls, as Call=KH",
        "chien": f"first write what the chien shows, as p0/^{cards}, or leave it out; then what {taker} puts away,"
        f" as {unknown_cards}",
        "discard": f"first write what {taker} puts away, as {cards}- or, if nobody else saw it, {unknown_cards}",
    }.get(state.phase, "")


def _too_early_text(state: State) -> str:
    """Return the end of a sentence about a word that comes too early.

    It says what is to be written first, or that the bidding has not begun or goes on.
    """
    if hint := due(state):
        return f"; {hint}"
    return ", but the bidding " + {"deal": "has not begun", "bid": "goes on"}[state.phase]


def _phase_fault(state: State, move: Move) -> str:
    """Return why a word does not belong to this phase, to this seat or to the variant, in a sentence; empty if it does.

    Only calls, discards, poignées and chelems are asked whose they are.
    """
    phase, start, fft = state.phase, state.round, state.options.variant == "fft"
    seat, fault = f"p{move.seat}", ""
    if isinstance(move, Show):
        begun = phase != "deal" or start.last >= 0
        fault = f"{seat} shows a card after the deal has begun" if begun else ""
        if not begun and not start.first:
            fault = f"{seat} shows a card, but the draw is for the first deal only"
    elif isinstance(move, ScoredDeal):
        begun = phase != "deal" or start.last >= 0 or bool(start.shows)
        fault = "A deal is written as its score, but this one has begun on record" if begun else ""
    elif isinstance(move, Deal):
        fault = "" if phase == "deal" else "Cards are dealt, but in this deal the bidding has already begun"
    elif isinstance(move, (Maldonne, PetitSec, Bid)):
        doings = {Maldonne: "A deal is called off", PetitSec: f"{seat} announces a petit sec", Bid: f"{seat} bids"}
        fault = "" if phase in ("deal", "bid") else f"{doings[type(move)]}, but the bidding is over"
    elif isinstance(move, CallKing):
        if not fft or state.options.seats != 5:
            fault = "A card is called only under the rules of the FFT with five seats"
        elif not owes_call(state):
            is_early = phase in ("deal", "bid")
            fault = f"{seat} calls a card{_too_early_text(state) if is_early else ', but that is over in this deal'}"
    elif isinstance(move, Reveal):
        fault = "" if phase == "chien" else f"The chien is shown{_chien_fault(state)}"
    elif isinstance(move, Discard):
        fault = "" if owes_discards(state) else f"{seat} puts cards away{_chien_fault(state)}"
    else:
        return _play_fault(state, move)
    if not fault and isinstance(move, (CallKing, Discard)) and move.seat != start.taker:
        fault = f"{seat} does what only p{start.taker}, the taker, may do"
    return fault


def _chien_fault(state: State) -> str:
    """Return the end of a sentence about a chien or discards written at the wrong time: ``, but it has been shown
    already``.
    """
    if state.phase in ("deal", "bid", "call"):
        return _too_early_text(state)
    if state.phase == "discard":
        return ", but it has been shown already"
    return ", but " + ("that is over" if takes_chien(state.round) else "nobody takes up the chien") + " in this deal"


def _play_fault(state: State, move: Move) -> str:
    """Return why a card, poignée or chelem comes at the wrong time, twice, from the wrong seat, or in dementlieu.

    The text is a sentence, empty if nothing is wrong. Whose turn a card is does not count here.
    """
    seat, taker = f"p{move.seat}", state.round.taker
    if not isinstance(move, Play) and state.options.variant != "fft":
        return (
            f"{'A poignée' if isinstance(move, Poignee) else 'A chelem'} is announced only under the rules of the FFT"
        )
    if isinstance(move, Chelem) and state.phase not in ("deal", "bid") and move.seat != taker:
        return f"{seat} announces a chelem, but p{taker} is the taker"
    if state.phase != "play":
        doing = {Poignee: "shows a poignée", Chelem: "announces a chelem", Play: "plays a card"}[type(move)]
        return f"{seat} {doing}{_too_early_text(state)}"
    if isinstance(move, Play):
        return ""
    if isinstance(move, Chelem):
        if state.trick_seats or state.tricks:
            return f"{seat} announces a chelem, but a card has already been played"
        return f"{seat} has announced a chelem already" if state.round.chelem else ""
    if state.tricks or move.seat in state.trick_seats:
        return f"{seat} shows a poignée after its first card"
    if move.seat != state.turn:
        return f"{seat} shows a poignée, but it is p{state.turn}'s turn"
    twice = any(seat == move.seat for seat, _ in state.round.poignees)
    return f"{seat} has shown a poignée already" if twice else ""


@clause(
    "tarot.phase",
    {
        "dementlieu": (
            "Every word belongs to one part of the deal and is said only there; the parts are draw, dealing, bids,"
            " chien, discards and tricks, and no others."
        ),
        "fft": (
            "Every word belongs to one part of the deal and is said only there; the parts are draw, dealing, bids,"
            " call, chien, discards, announcements and tricks."
        ),
    },
    on_page("Les enchères; Le Chien et l'Ecart; La Poignée; Le chelem; Le jeu de la carte"),
)
def phase(state: State, move: Move) -> Refused | None:
    """Return the refusal of a word that belongs to another phase of the deal, to another seat or to the other variant.

    None for any other. The refusal of a deal word, bid or scored deal blocks, and that of a card before the bidding is
    over; all others may stand.
    """
    fault = _phase_fault(state, move)
    if not fault:
        return None
    fixed = state.phase not in ("call", "chien", "discard") and isinstance(move, Play)
    return Refused(fault, blocks=fixed or isinstance(move, (Deal, Bid, ScoredDeal)))
