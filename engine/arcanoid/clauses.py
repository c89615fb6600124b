"""Arcanoid's rules: what each says and where it comes from. Which of them a word breaks first is told by ``say``."""

from collections.abc import Callable
from typing import Any

from cartulary.engine.arcanoid.applying import say
from cartulary.engine.arcanoid.moves import Move
from cartulary.engine.arcanoid.setups import SEATED
from cartulary.engine.arcanoid.state import State, who_name
from cartulary.engine.contract import IMPOSSIBLE, Clause, Need, Open, Refused

_TRUMPS = "The effect of the major arcana"
_MOVES = "Making a move"
UNASKED = ("arcanoid.face-down", "arcanoid.fool")
"""The rules about what lies face down: nobody asks before it is turned up."""


def _under(key: str) -> Callable[[State, Move], Refused | Open | None]:
    """Return the answer of one rule: the first fault of the word, if it is this rule's."""

    def check(state: State, move: Move) -> Refused | Open | None:
        _, fault, open_ = say(state, move)
        if fault is not None:
            return Refused(fault.because, fault.blocks) if keyed(fault.key) == key else None
        if open_ is not None and open_[0] == key:
            face_down = key in UNASKED
            what = "what {} committed face down" if face_down else "the hand of {}"
            needs = (Need(what.format(who_name(who)), (), state.ply + 1) for who in open_[1])
            return Open(tuple(needs), asks=not face_down)
        return None

    return check


def keyed(key: str) -> str:
    """Return a rule's whole key."""
    return key if "." in key else f"arcanoid.{key}"


_SAYS = (
    ("refill-vote", "When the deck becomes empty every seat in turn says Yes or No before play goes on.", _MOVES),
    ("turn", "The seats move in turn; a Hermit's player may move three times more, and a finished seat never.", _MOVES),
    ("finished", "Who has committed on all four fields has left the round, and after the last round the game is over.",
     _MOVES),
    ("must-move", "Nobody passes: every turn has a move.", _MOVES),
    ("usa", "The USA discards its oldest card, abdicates in order without cards, and plays nothing else.", "GAZA"),
    ("once-a-round", "A seat commits face down once a round.", "KOBLENZ"),
    ("face-down", "Where the variant allows it, at least one card is committed face down on one field.",
     "KOBLENZ; MALTA"),
    ("committed-already", "A seat commits on each field once a round.", _MOVES),
    ("temperance", "Where Temperance lies others only abdicate or are judged; it needs a deck and an open field.",
     f"{_TRUMPS}; NASSAU"),
    ("temperance-lift", "Temperance is lifted by its own player with a whole move, where the variant has that.",
     "NASSAU"),
    ("discard-one", "One card is discarded in a move.", _MOVES),
    ("numeric", "Numeric cards of the field's own suit are committed together, on one field.", _MOVES),
    ("knave", "A knave is committed on its own field, alone or, where allowed, with an ace.", _MOVES),
    ("knight", "A knight is committed on its own field, alone or, where allowed, with an ace.", _MOVES),
    ("royal-couple", "Queen and king of the field's suit are committed together and without others.", _MOVES),
    ("imperial-couple", "Empress and Emperor stand together without others, on one field or two.", _TRUMPS),
    ("illegitimate-couple", "The Lovers stand with one court of the suit, or the Empress or the Emperor.", _TRUMPS),
    ("transmute", "The Magician lets one numeric card in a commitment be of another suit.", _TRUMPS),
    ("needs-partner", "Empress, Emperor, Lovers, a queen or a king is never committed without a partner.", _TRUMPS),
    ("no-commitment", "The other trumps commit nothing.", _TRUMPS),
    ("world", "The World stands alone, on a field where nobody has committed anything.", _TRUMPS),
    ("abdicate", "Who commits nothing names the one field.", _MOVES),
    ("judgment", "Judgment makes any seat abdicate on one field on which it has not committed.", _TRUMPS),
    ("ace-completion", "An ace committed alone is completed once, by numeric cards, a knave or a knight.", "WORMS"),
    ("fool", "The Fool takes what has just been committed, but no couple, World, abdication or, mostly, ace.", _TRUMPS),
    ("high-priestess", "The High Priestess's player looks at the hand of another seat in play.", _TRUMPS),
    ("hierophant", "Every seat shows all its cards of what the Hierophant names.", _TRUMPS),
    ("chariot", "A reserve takes one or two cards a move, and is committed whole and not empty.", _TRUMPS),
    ("wheel", "The Wheel draws five cards and discards what exceeds the hand.", _TRUMPS),
    ("strength", "Strength gives two visible cards or one hidden card.", _TRUMPS),
    ("hanged-man", "The Hanged Man renews the hand of a seat in play.", _TRUMPS),
    ("tower", "The Tower undoes one commitment of a seat in play, no abdication, Judgment or World.", _TRUMPS),
    ("star", "The Star calls one suit card; who has it hands it over.", _TRUMPS),
    ("moon", "The Moon calls as the Star, and a different card when the first call fails.", _TRUMPS),
    ("sun", "The Sun calls up to three suit cards until one is found, or one major that may be called.", _TRUMPS),
)  # fmt: skip

CLAUSES: tuple[Clause[State, Move], ...] = (
    *(Clause(f"arcanoid.{key}", says, source, _under(f"arcanoid.{key}")) for key, says, source in _SAYS),
    Clause(IMPOSSIBLE.key, IMPOSSIBLE.says, IMPOSSIBLE.source, _under(IMPOSSIBLE.key)),
    Clause(SEATED.key, SEATED.says, SEATED.source),
)

BY_KEY: dict[str, Clause[Any, Any]] = {clause.key: clause for clause in CLAUSES}
