"""Arcanoid's cards, and the sets of them that may stand on a field.

A card is a code of ``engine.cards`` in a deck of swords, staves, cups and coins; a field is the place of its suit. A
set has a kind; a wrong one breaks a rule. Of two sets, one is stronger.
"""

from collections.abc import Iterable
from functools import lru_cache

from cartulary.engine.arcanoid import clauses
from cartulary.engine.arcanoid.state import Options, is_of_mainz
from cartulary.engine.cards.deck import FOOL, names, naming
from cartulary.engine.cards.draft import AnyClause

SUITS = "SWCD"
FIELDS = "swcd"
SUIT_NAMES = ("swords", "staves", "cups", "coins")
NAMES = names(SUITS)
JACK, KNIGHT, QUEEN, KING = 10, 11, 12, 13
MAGICIAN, PRIESTESS, EMPRESS, EMPEROR, HIEROPHANT, LOVERS, CHARIOT, JUSTICE, HERMIT, WHEEL, STRENGTH = range(
    FOOL + 1, FOOL + 12
)
HANGED, DEATH, TEMPERANCE, DEVIL, TOWER, STAR, MOON, SUN, JUDGMENT, WORLD = range(FOOL + 12, FOOL + 22)
name_of, names_of = naming((*NAMES, *"~" * (256 - len(NAMES))))
"""A card's name, ``~`` for one nobody can name, and several as a sentence and a word list them."""

_ORDER = bytes((code + 22 if code < FOOL else code - FOOL) if code < 78 else code for code in range(256))
_BACK = bytes(_ORDER.index(code) for code in range(256))


def in_word_order(cards: Iterable[int]) -> bytes:
    """Return cards, as codes in bytes, in the order in which words list them.

    Trumps come first, from the Fool up, then suit by suit, and unknown ones last.
    """
    zone = bytes(cards)
    return zone if len(zone) < 2 else bytes(sorted(zone.translate(_ORDER))).translate(_BACK)


# --- sets of cards ---


ABDICATED, NUMERIC, KNAVE, KNIGHTED, ILLEGITIMATE, ROYAL, IMPERIAL, WORLDLY, JUDGED = range(9)
COUPLES = (ILLEGITIMATE, ROYAL, IMPERIAL)

PLAIN_COURTS, NO_TRANSMUTING = 1, 2
"""What a variant changes: knave and knight stand alone; nothing is transmuted."""

Wrong = tuple[AnyClause, str]


def law_of(options: Options) -> int:
    """Return what the variant changes about commitments, as ``kind_of`` takes it (``law``).

    It is PLAIN_COURTS and NO_TRANSMUTING as bits, 0 for neither.
    """
    law = PLAIN_COURTS if is_of_mainz(options) else 0
    return law | (NO_TRANSMUTING if options.variant == "malta" else 0)


@lru_cache(maxsize=100_000)
def kind_of(cards: bytes, fields: tuple[int, ...], law: int = 0) -> int | Wrong:
    """Return what kind of commitment some cards are, or the rule they break as a commitment.

    Args:
        cards: The cards as words list them; none are an abdication.
        fields: The one field or two on which they are committed, 0 to 3.
        law: PLAIN_COURTS and NO_TRANSMUTING, as bits.

    Returns:
        The kind (ABDICATED to JUDGED), or the rule and a sentence that says how they break it.
    """
    if not cards:
        return ABDICATED
    if LOVERS in cards:
        return _kind_with_lovers(cards, fields)
    heads = [card for card in cards if card < FOOL and card % 14 >= QUEEN]
    if len(heads) == 1:
        return clauses.NEEDS_PARTNER, f"{name_of(heads[0])} can be committed only with its mate or the Lovers"
    if heads:
        right = len(heads) == len(cards) == 2 and {card // 14 for card in heads} == {fields[0]}
        if right and len(fields) == 1:
            return ROYAL
        return clauses.ROYAL_COUPLE, f"{names_of(cards)} are not the queen and king of {FIELDS[fields[0]]} alone"
    trumps = bytes(card for card in cards if card >= FOOL and card != MAGICIAN)
    if trumps:
        return _kind_with_trumps(cards, trumps, fields)
    return _kind_of_suited(cards, fields, law)


def _kind_with_lovers(cards: bytes, fields: tuple[int, ...]) -> int | Wrong:
    """Return the kind of cards that include the Lovers, or (rule, sentence) if they break one.

    With one court card of the field's suit, or with the Empress or Emperor, they are a couple (ILLEGITIMATE); anything
    else breaks a rule.
    """
    others = [card for card in cards if card != LOVERS]
    dead = next((card for card in others if card >= FOOL and card not in (MAGICIAN, EMPRESS, EMPEROR)), None)
    if not others:
        return clauses.NEEDS_PARTNER, "the Lovers can be committed only with a partner"
    if dead is not None:
        return clauses.NO_COMMITMENT, f"{name_of(dead)} cannot be committed with the Lovers"
    other = others[0]
    court = len(fields) == 1 and other // 14 == fields[0] and other % 14 >= JACK
    if len(others) == 1 and (court or (other in (EMPRESS, EMPEROR) and len(fields) <= 2)):
        return ILLEGITIMATE
    return (
        clauses.ILLEGITIMATE_COUPLE,
        f"{names_of(cards)} are not the Lovers with one partner that may be committed there",
    )


def _kind_with_trumps(cards: bytes, trumps: bytes, fields: tuple[int, ...]) -> int | Wrong:
    """Return the kind of cards that include trumps, or the rule they break.

    Args:
        cards: All cards of the commitment, without the Lovers.
        trumps: Those of them that are trumps, without the Magician; at least one.
        fields: The one field or two on which they are committed, 0 to 3.
    """
    pair = bytes((EMPRESS, EMPEROR))
    if cards == pair and len(fields) <= 2:
        return IMPERIAL
    for card, clause, kind in ((WORLD, clauses.WORLD, WORLDLY), (JUDGMENT, clauses.JUDGMENT, JUDGED)):
        if card in cards:
            if len(cards) == len(fields) == 1:
                return kind
            return clause, f"{name_of(card)} must be committed alone, on one field"
    dead = next((card for card in trumps if card not in pair), None)
    if dead is not None:
        return clauses.NO_COMMITMENT, f"{name_of(dead)} cannot be committed"
    if trumps == pair:
        return (
            clauses.IMPERIAL_COUPLE,
            f"{names_of(cards)} are not the Empress and the Emperor alone, on one field or two",
        )
    return clauses.NEEDS_PARTNER, f"{name_of(trumps[0])} can be committed only with a partner"


def _kind_of_suited(cards: bytes, fields: tuple[int, ...], law: int) -> int | Wrong:
    """Return the kind of suit cards without queen and king (NUMERIC, KNAVE or KNIGHTED), or (rule, sentence) if they
    break one.

    The Magician among them lets one be of another suit. ``law`` is that of ``kind_of``.
    """
    magic = MAGICIAN in cards
    suited = [card for card in cards if card != MAGICIAN]
    foreign = [card for card in suited if card // 14 != fields[0]]
    courts = [card for card in suited if card % 14 >= JACK]
    court = clauses.KNAVE if courts and courts[0] % 14 == JACK else clauses.KNIGHT
    clause = court if courts else clauses.NUMERIC
    if len(fields) != 1:
        return (clauses.TRANSMUTE if magic else clause), f"{names_of(cards)} cannot be committed on two fields"
    if magic:
        why = _transmute_fault(suited, foreign, law)
        if why:
            return clauses.TRANSMUTE, why
    elif foreign:
        return clause, f"{name_of(foreign[0])} is not of the suit of the field {FIELDS[fields[0]]}"
    if not courts:
        return NUMERIC
    rest = [card for card in suited if card != courts[0]]
    if law & PLAIN_COURTS and (rest or magic):
        return clause, f"{name_of(courts[0])} can be committed only alone or with the Lovers in this variant"
    if len(rest) > 1 or any(card % 14 for card in rest):
        others = "one ace, the Magician or both, or with the Lovers"
        return clause, f"{name_of(courts[0])} can be committed only alone, or with {others}"
    return KNAVE if courts[0] % 14 == JACK else KNIGHTED


def _transmute_fault(suited: list[int], foreign: list[int], law: int) -> str:
    """Return why the Magician may not be committed with these suit cards, as a sentence; empty where he may.

    Args:
        suited: The suit cards committed with him.
        foreign: Those of them that are not of the field's suit; he may turn one of them into that suit.
        law: NO_TRANSMUTING if the variant forbids it, as a bit.
    """
    if law & NO_TRANSMUTING:
        return "the Magician transmutes nothing in this variant"
    if not suited:
        return "the Magician can be committed only with other cards"
    if len(foreign) > 1:
        return f"{names_of(bytes(foreign))} are of other suits, but only one card may be transmuted"
    court = next((card for card in foreign if card % 14 >= JACK), None)
    return "" if court is None else f"{name_of(court)} is a court card of another suit"


def strength(kind: int, cards: bytes, field: int, tie: str, time: int) -> tuple[int, ...]:
    """Return a tuple that is greater for the stronger of two commitments on a field.

    Args:
        kind: The kind of the commitment, as ``kind_of`` returns it.
        cards: Its cards.
        field: The field, 0 to 3.
        tie: How equal sums are decided: ``fewer-cards``, ``earlier``, or empty for the highest single cards.
        time: When it was committed; the later of two abdications is the stronger.
    """
    if kind in (ABDICATED, JUDGED):
        return (0, time)
    if kind in (KNAVE, KNIGHTED):
        return (1, 29 if kind == KNAVE else 35)
    if kind != NUMERIC:
        return (kind - ILLEGITIMATE + 2,)
    suited = [card for card in cards if card < FOOL]
    ranks = sorted((card % 14 + 1 for card in suited), reverse=True)
    natural = all(card // 14 == field for card in suited)
    if tie == "earlier":
        return (1, 2 * sum(ranks), -time)
    fewer = -len(suited) if tie == "fewer-cards" else 0
    return (1, 2 * sum(ranks), fewer, *ranks, 0, int(natural))
