"""Arcanoid's rules: what each says and where it comes from. A file that carries one out takes it from here."""

from cartulary.engine.cards.draft import clauses_of
from cartulary.engine.contract import IMPOSSIBLE

_TRUMPS = "The effect of the major arcana"
_MOVES = "Making a move"
_MOVES_BOTH = f"{_MOVES}; house ruling"
_rules, _rule = clauses_of("arcanoid")

REFILL_VOTE = _rule(
    "refill-vote", "When the deck becomes empty every seat in turn says Yes or No before play goes on.", _MOVES
)
TURN = _rule(
    "turn", "The seats move in turn; a Hermit's player may move three times more, and a finished seat never.", _MOVES
)
FINISHED = _rule(
    "finished",
    "Who has committed on all four fields has left the round, and after the last round the game is over.",
    _MOVES,
)
MUST_MOVE = _rule("must-move", "Nobody passes: every turn has a move.", _MOVES)
USA = _rule(
    "usa", "The USA discards its oldest card, abdicates in order without cards, and plays nothing else.", "GAZA"
)
ONCE_A_ROUND = _rule("once-a-round", "A seat commits face down once a round.", "KOBLENZ")
FACE_DOWN = _rule(
    "face-down", "Where the variant allows it, at least one card is committed face down on one field.", "KOBLENZ; MALTA"
)
COMMITTED_ALREADY = _rule("committed-already", "A seat commits on each field once a round.", _MOVES)
TEMPERANCE = _rule(
    "temperance",
    "Where Temperance lies others only abdicate or are judged; it needs a deck and an open field.",
    f"{_TRUMPS}; NASSAU",
)
TEMPERANCE_LIFT = _rule(
    "temperance-lift", "Temperance is lifted by its own player with a whole move, where the variant has that.", "NASSAU"
)
DISCARD_ONE = _rule("discard-one", "One card is discarded in a move.", _MOVES)
NUMERIC = _rule("numeric", "Numeric cards of the field's own suit are committed together, on one field.", _MOVES)
KNAVE = _rule("knave", "A knave is committed on its own field, alone or, where allowed, with an ace.", _MOVES_BOTH)
KNIGHT = _rule("knight", "A knight is committed on its own field, alone or, where allowed, with an ace.", _MOVES_BOTH)
ROYAL_COUPLE = _rule(
    "royal-couple", "Queen and king of the field's suit are committed together and without others.", _MOVES
)
IMPERIAL_COUPLE = _rule(
    "imperial-couple", "Empress and Emperor stand together without others, on one field or two.", _TRUMPS
)
ILLEGITIMATE_COUPLE = _rule(
    "illegitimate-couple", "The Lovers stand with one court of the suit, or the Empress or the Emperor.", _TRUMPS
)
TRANSMUTE = _rule("transmute", "The Magician lets one numeric card in a commitment be of another suit.", _TRUMPS)
NEEDS_PARTNER = _rule(
    "needs-partner", "Empress, Emperor, Lovers, a queen or a king is never committed without a partner.", _TRUMPS
)
NO_COMMITMENT = _rule("no-commitment", "The other trumps commit nothing.", _TRUMPS)
WORLD = _rule("world", "The World stands alone, on a field where nobody has committed anything.", _TRUMPS)
ABDICATE = _rule("abdicate", "Who commits nothing names the one field.", _MOVES)
JUDGMENT = _rule("judgment", "Judgment makes any seat abdicate on one field on which it has not committed.", _TRUMPS)
ACE_COMPLETION = _rule(
    "ace-completion", "An ace committed alone is completed once, by numeric cards, a knave or a knight.", "WORMS"
)
FOOL = _rule(
    "fool",
    "The Fool takes what has just been committed, but no couple, World, abdication or, mostly, ace.",
    f"{_TRUMPS}; house ruling",
)
HIGH_PRIESTESS = _rule(
    "high-priestess", "The High Priestess's player looks at the hand of another seat in play.", _TRUMPS
)
HIEROPHANT = _rule("hierophant", "Every seat shows all its cards of what the Hierophant names.", _TRUMPS)
CHARIOT = _rule("chariot", "A reserve takes one or two cards a move, and is committed whole and not empty.", _TRUMPS)
WHEEL = _rule("wheel", "The Wheel draws five cards and discards what exceeds the hand.", _TRUMPS)
STRENGTH = _rule("strength", "Strength gives two visible cards or one hidden card.", _TRUMPS)
HANGED_MAN = _rule("hanged-man", "The Hanged Man renews the hand of a seat in play.", _TRUMPS)
TOWER = _rule("tower", "The Tower undoes one commitment of a seat in play, no abdication, Judgment or World.", _TRUMPS)
STAR = _rule("star", "The Star calls one suit card; who has it hands it over.", _TRUMPS)
MOON = _rule("moon", "The Moon calls as the Star, and a different card when the first call fails.", _TRUMPS)
SUN = _rule("sun", "The Sun calls up to three suit cards until one is found, or one major that may be called.", _TRUMPS)
SEATED = _rule(
    "seats",
    "Two to ten play, besides the USA; one of them begins the first round.",
    "Principles of the game; house ruling",
)

CLAUSES = (*_rules[:-1], IMPOSSIBLE, SEATED)
"""All rules, in the order in which they are told."""
