"""Arcanoid's rules: what each says and where it comes from. A file that carries one out takes it from here."""

from cartulary.engine.cards.draft import clauses_of
from cartulary.engine.contract import IMPOSSIBLE

_TRUMPS = "The Arcanoid page, The effect of the major arcana"
_MOVES = "The Arcanoid page, Making a move"
_MOVES_BOTH = f"{_MOVES}; house ruling"
_rules, _rule = clauses_of("arcanoid")

REFILL_VOTE = _rule(
    "refill-vote",
    "When the deck runs out and there are discards, play stops while the seats say Yes or No in turn; the first No ends"
    " the vote.",
    _MOVES,
)
TURN = _rule(
    "turn",
    "The seats move in turn; a seat that played the Hermit may make three more moves, and a seat that has"
    " finished makes none; a No or a discard of the Wheel that a move left out may come late, until the next move.",
    _MOVES_BOTH,
)
NO_MORE_MOVES = _rule(
    "finished",
    "A seat that has committed or abdicated on all four fields has left the round, and after the last round the game is"
    " over.",
    _MOVES,
)
MUST_MOVE = _rule("must-move", "Nobody passes: every turn is a move.", _MOVES)
USA = _rule(
    "usa",
    "The USA discards its oldest card, abdicates on the fields in order once it has no cards, and does nothing else.",
    "The Arcanoid page, GAZA",
)
ONCE_A_ROUND = _rule(
    "once-a-round", "In koblenz a seat commits face down only once in a round.", "The Arcanoid page, KOBLENZ"
)
FACE_DOWN = _rule(
    "face-down",
    "A face-down commitment, if the variant allows one, has at least one card and is on one field.",
    "The Arcanoid page, KOBLENZ; MALTA",
)
COMMITTED_ALREADY = _rule("committed-already", "A seat commits on each field only once in a round.", _MOVES)
TEMPERANCE = _rule(
    "temperance",
    "Where Temperance lies, a seat can only abdicate, of its own accord or by Judgment, but Temperance's player may"
    " commit there in dresden; playing Temperance needs a deck and a field where its player has committed no card.",
    f"{_TRUMPS}; NASSAU",
)
TEMPERANCE_LIFT = _rule(
    "temperance-lift",
    "If the variant allows it, the seat that played Temperance may lift it, which takes a whole move.",
    "The Arcanoid page, NASSAU",
)
DISCARD_ONE = _rule("discard-one", "A discard is one card, and a whole move.", _MOVES)
NUMERIC = _rule(
    "numeric",
    "Unless the Magician is committed with them, numeric cards are committed only on the field of their own suit.",
    _MOVES,
)
KNAVE = _rule("knave", "A knave is committed on its own field, alone or, where allowed, with its ace.", _MOVES_BOTH)
KNIGHT = _rule("knight", "A knight is committed on its own field, alone or, where allowed, with its ace.", _MOVES_BOTH)
ROYAL_COUPLE = _rule(
    "royal-couple", "The queen and king of the field's suit are committed together, and without other cards.", _MOVES
)
IMPERIAL_COUPLE = _rule(
    "imperial-couple",
    "The Empress and the Emperor are committed together, without other cards, on one field or two.",
    _TRUMPS,
)
ILLEGITIMATE_COUPLE = _rule(
    "illegitimate-couple",
    "The Lovers are committed with one court card of the suit, or with the Empress or the Emperor.",
    _TRUMPS,
)
TRANSMUTE = _rule("transmute", "The Magician lets one numeric card of a commitment be of another suit.", _TRUMPS)
NEEDS_PARTNER = _rule(
    "needs-partner",
    "The Empress, the Emperor, the Lovers, a queen or a king is never committed without a partner.",
    _TRUMPS,
)
NO_COMMITMENT = _rule(
    "no-commitment",
    "Of the trumps, only the Empress, the Emperor, the Lovers, the World and, except in malta, the Magician can be"
    " committed.",
    _TRUMPS,
)
WORLD = _rule("world", "The World is committed alone, on a field where nobody has committed or abdicated.", _TRUMPS)
ABDICATE = _rule("abdicate", "A seat that commits nothing names the one field on which it abdicates.", _MOVES)
JUDGMENT = _rule(
    "judgment", "Judgment makes any seat abdicate on one field where that seat has not committed.", _TRUMPS
)
ACE_COMPLETION = _rule(
    "ace-completion",
    "In worms an ace committed alone may be completed once, with numeric cards, a knave or a knight.",
    "The Arcanoid page, WORMS",
)
FOOL = _rule(
    "fool",
    "The Fool takes what has just been committed, but never a couple, the World or an abdication; it"
    " takes a commitment with an ace only in mainz, malta and worms.",
    f"{_TRUMPS}; house ruling",
)
HIGH_PRIESTESS = _rule(
    "high-priestess", "The High Priestess's player looks at the hand of another seat in play.", _TRUMPS
)
HIEROPHANT = _rule("hierophant", "Every seat shows all its cards of the kind that the Hierophant names.", _TRUMPS)
CHARIOT = _rule(
    "chariot",
    "Once the Chariot is laid, a move may add one or two cards to its reserve, which is committed whole and not empty.",
    _TRUMPS,
)
WHEEL = _rule("wheel", "The Wheel draws five cards and then discards down to a full hand.", _TRUMPS)
STRENGTH = _rule("strength", "Strength gives its player two visible cards or one hidden card.", _TRUMPS)
HANGED_MAN = _rule("hanged-man", "The Hanged Man replaces the hand of a seat in play.", _TRUMPS)
TOWER = _rule(
    "tower", "The Tower undoes one commitment of a seat in play, but no abdication, Judgment or World.", _TRUMPS
)
STAR = _rule("star", "The Star calls one suit card, and whoever has it hands it over.", _TRUMPS)
MOON = _rule("moon", "The Moon calls as the Star does, and may call a different card if the first call fails.", _TRUMPS)
SUN = _rule("sun", "The Sun calls up to three suit cards until one is found, or one trump that may be called.", _TRUMPS)
SEAT_COUNT = _rule(
    "seats",
    "There are two to ten players, not counting the USA, and one of them begins the first round.",
    "The Arcanoid page, Principles of the game; house ruling",
)

CLAUSES = (*_rules[:-1], IMPOSSIBLE, SEAT_COUNT)
"""All rules, in the order in which they are listed."""
