"""Zarcana's rules: what each says and where it comes from. They are broken where a word is carried out.

They stand in the order in which they are asked; some are asked at two places, and stand at the first.
"""

from cartulary.engine.cards.draft import AnyClause as AnyClause
from cartulary.engine.cards.draft import clauses_of
from cartulary.engine.zarcana.cards import TITLES

_PAGE = "The Zarcana page"
_LIMITS = "The Zarcana page, its limits"
_OPTIONS = "A. Plotkin's summary of Zarcana, turn options"
_SUITS = "A. Plotkin's summary of Zarcana, suits"
_TITLE = "house ruling, from the title and remark on the Zarcana page"
_RULING = "house ruling"
_rules, _rule = clauses_of("zarcana")

OVER = _rule("over", "After the last turn the only words are those that show the face-down cards.", _PAGE)
TURN = _rule(
    "turn",
    "The seats take turns in order, p1 first; the table speaks before the first turn and after a shuffle.",
    _RULING,
)
IN_HAND = _rule(
    "in-hand", "A card that is played, laid, given or discarded must be in the hand it comes from.", _RULING
)
NO_MINION = _rule(
    "no-minion", "A minion that is named must be there, and one that uses a power must be the mover's own.", _RULING
)
WHEEL = _rule(
    "wheel",
    "The Wheel of Fortune lays the deck's top card face down, unseen, as Discs lay one; a player who wants its"
    " power turns it up and uses it if that is legal; the card is shown only when it is turned up or uncovered.",
    _TITLE,
)
USE_TERRITORY = _rule(
    "use-territory", "A card on the board is used by a minion that is on it, and as the card it is.", _OPTIONS
)
MAGICIAN = _rule("magician", "The Magician is used as any suit, from the hand and on the board.", _PAGE)
WORLD = _rule("world", "The World is used as if it were another trump that lies face up on top of a space.", _TITLE)
ROYALTY = _rule("royalty", "Royalty is used as any suit from the hand, and as its own suit on the board.", _SUITS)
DOPPELGANGER = _rule(
    "doppelganger", "The Doppelganger is used as the top card of the discards, which is named.", _TITLE
)
PLAY_CARD = _rule("play-card", "A card from the hand is played as the card it is, and then discarded.", _OPTIONS)
ORIENTATION = _rule(
    "orientation", "Some powers are used only by a minion that stands, others only by one that lies.", _PAGE
)
ON_CARD = _rule("on-card", "Some powers are used only by a minion on a card.", _PAGE)
PLACE = _rule(
    "place", "A seat with no minions in play puts a small one on a card with fewer than three minions.", _OPTIONS
)
REORIENT = _rule(
    "reorient", "A seat turns any of its own minions, and each of them must change its orientation.", _OPTIONS
)
DRAW = _rule("draw", "A seat draws one to three cards, as long as there are any.", _OPTIONS)
DISCARD_HAND = _rule("discard-hand", "A seat discards its whole hand, which must not be empty.", _OPTIONS)
FINAL = _rule(
    "final",
    "Once the discards have been shuffled into a new deck, a seat may use its turn to declare the last round: every"
    " seat has one more turn, the declarer last, and then the highest score wins.",
    _PAGE,
)
CUPS = _rule("cups", "A minion grows one size, or makes another of its size or smaller in its space.", _SUITS)
WANDS = _rule("wands", "A minion moves into the space it points at, and arrives standing.", _SUITS)
SWORDS = _rule(
    "swords",
    "A minion attacks another in the space it aims at: a larger one shrinks by one size, any other is destroyed;"
    " where there is none, the top card is discarded, but never from under the attacker.",
    _SUITS,
)
DISCS = _rule(
    "discs", "The space aimed at gets the next card of the deck, unless a minion of another seat is in it.", _SUITS
)
FOOL = _rule(
    "fool",
    "The Fool turns up the deck's top card twice; each of the two cards is used as if from the hand, if it can be.",
    _TITLE,
)
HIGH_PRIESTESS = _rule(
    "high-priestess",
    "The High Priestess draws two cards, fewer only if the limit or the cards left allow no more, and gives one more"
    " turn, in which she may not be used again, though a card that copies her may.",
    _TITLE,
)
EMPRESS = _rule("empress", "The Empress works like Cups, without the population limit.", _TITLE)
EMPEROR = _rule(
    "emperor",
    "The Emperor attacks a minion as Swords do; if it is another seat's, that seat must at once give two of its cards,"
    " fewer only if the hands allow no more.",
    _TITLE,
)
HIEROPHANT = _rule(
    "hierophant", "The Hierophant works like Swords, but converts another seat's minion that it would destroy.", _TITLE
)
LOVERS = _rule("lovers", "The Lovers put a small minion into any wasteland space.", _TITLE)
CHARIOT = _rule("chariot", "The Chariot moves a minion once or twice, one space in any direction each time.", _TITLE)
STRENGTH = _rule("strength", "Strength lets a minion grow or make another once or twice.", _TITLE)
HERMIT = _rule("hermit", "The Hermit works like Wands, without the population limit.", _TITLE)
JUSTICE = _rule("justice", "Justice trades hands with another seat, unless both are empty.", _TITLE)
HANGED_MAN = _rule("hanged-man", "The Hanged Man discards the top card of the user's own space.", _TITLE)
DEATH = _rule(
    "death",
    "Death lets a minion attack as Swords do, once or twice, in the space it aims at; if no minion is left there,"
    " the top card is attacked, but never the card under the attacker.",
    _TITLE,
)
TEMPERANCE = _rule("temperance", "Temperance works like Discs, even under other seats' minions.", _TITLE)
DEVIL = _rule(
    "devil",
    "The Devil turns any minions in the user's space and the four adjacent ones, and each of them must change"
    " its orientation.",
    _TITLE,
)
TOWER = _rule(
    "tower", "The Tower discards the top card of the space aimed at, whether or not minions are on it.", _TITLE
)
STAR = _rule("star", "The Star draws exactly four cards, or all that are left if there are fewer.", _TITLE)
MOON = _rule(
    "moon",
    "The Moon takes a space's cards and minions to a space that has neither but touches a card after the move.",
    _TITLE,
)
SUN = _rule("sun", "The Sun lays a card from the hand as Discs lay one from the deck.", _TITLE)
JUDGEMENT = _rule("judgement", "Judgement takes one to three chosen discards into the hand.", _TITLE)
GATEWAY = _rule("gateway", "The Gateway takes a minion to any other card or wasteland space.", _TITLE)
ASSASSIN = _rule("assassin", "The Assassin lets a minion attack in its own space or one beside it.", _TITLE)
EVIL_EYE = _rule("evil-eye", "Under the Evil Eye the top card of the space aimed at counts 0.", _TITLE)
HARVEST = _rule(
    "harvest", "Harvest takes the top card of the space aimed at into the hand, if no minions are there.", _TITLE
)
MISER = _rule("miser", "The Miser discards any cards from the hand.", _TITLE)
PLAGUE = _rule(
    "plague", "The Plague destroys all minions in the space aimed at, then discards the top card there.", _TITLE
)
HOLY_GRAIL = _rule("holy-grail", "The Holy Grail works like Cups, for any minion anywhere.", _TITLE)
WASTELAND = _rule(
    "wasteland", "A space without a card has room for minions only while one of the four beside it has a card.", _PAGE
)
POPULATION = _rule(
    "population", "No minion enters a space that already holds three, unless the power ignores this limit.", _LIMITS
)
STASH = _rule("stash", "Each seat has five minions of each size.", _PAGE)
HAND_LIMIT = _rule(
    "hand-limit", "A seat that holds six cards takes no more, unless the power ignores this limit.", _LIMITS
)
NO_EFFECT = _rule(
    "no-effect",
    "A power needs something to be used on, and every power that draws, except the High Priestess, needs a card to"
    " draw.",
    _RULING,
)
SEAT_COUNT = _rule("seats", "Two to five players take part.", _PAGE)
SETUP = _rule(
    "setup",
    "Nine cards lie face up, each hand has three cards, and the rest is the one deck from which all draw.",
    _PAGE,
)
CARD_TWICE = _rule("card-twice", "Every card is in one place; the deck has one of each.", _RULING)
DECK_ORDER = _rule("deck-order", "If the next card of the deck is known, it is the one that is drawn.", _RULING)
CLAUSES = tuple(_rules)
BY_KEY = {rule.key: rule for rule in CLAUSES}
OF_POWER = tuple(BY_KEY[f"zarcana.{title}"] for title in TITLES)
"""The rule of every power."""
_THE_LESS = ("strength", "justice", "death", "temperance", "judgement", "harvest")


def subject_of(power: AnyClause) -> tuple[str, str]:
    """Return (a power as a sentence names it, its verb), given its rule: ``("the Empress", "is")``, ``("Cups",
    "are")``.
    """
    title = power.key.partition(".")[2]
    name = title.replace("-", " ").title().replace(" Of ", " of ")
    if title in TITLES[:4]:
        return name, "are"
    return name if title in _THE_LESS else f"the {name}", "are" if title == "lovers" else "is"
