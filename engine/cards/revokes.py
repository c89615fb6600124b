"""What plies owed to hidden cards: questions raised, and when later cards answer them; above all revokes.

A game raises a question where a rule turns on a hidden card, and asks ``judge`` what is answered by now: ``Evidence``
says which ply, by which ply, and the cards that show it. At the end of a record ``pending`` says what is still open. It
knows no game: a rule is its key.

Counting answers most questions; whether a layout fits (``layouts``) is asked once counting has closed one, to find the
ply that decided it, and by the functions that say they are exact.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.hands import Evidence, H, Hands, lying, may_be, settled
from cartulary.engine.cards.layouts import (
    MOST_UNNAMED,
    Question,
    answer,
    apart,
    broken,
    deciding_ply,
    misfit,
    readings,
    spots,
    together,
    without,
)
from cartulary.engine.contract import Open

# --- questions ---


def raised(hands: H, questions: Sequence[Question]) -> H:
    """Return the hands with questions that a ply leaves open; called with the ply's card played already."""
    return replace(hands, questions=(*hands.questions, *questions)) if questions else hands


def following(
    hands: Hands, ply: int, key: str, place: int, suits: Sequence[int], led: int, card: int
) -> tuple[Question, ...]:
    """Return what must be true for a card to be no revoke; nothing where it surely follows suit. It is played already.

    suits: the sets of cards of which one is to be followed by its own
    led, card: cards of the trick, ``~n`` the unnamed one with that number
    """
    asked: list[Question] = []
    for suit in suits:
        if may_be(hands, led) & suit and may_be(hands, card) & ~suit:
            owed = suit & ~hands.played & hands.can[place]
            given = [(~led, suit)] if led < 0 else []
            if card < 0:
                given.append((~card, hands.places.cards & ~suit))
            if owed:
                asked.append(Question(ply, key, place, owed, False, tuple(given)))
    return tuple(asked)


def covered(hands: Hands, place: int, cards: int) -> bool:
    """Say whether open questions imply that a place holds none of these cards; then a new one need not be told."""
    earlier, found = 0, [one.plies[0] for one in hands.found]
    for asked in hands.questions:
        if asked.place == place and not asked.given and not asked.refused and asked.ply not in found:
            earlier |= asked.cards
    return not cards & ~earlier


def verdict(hands: Hands, questions: Sequence[Question], *, exactly: bool = False) -> bool | None:
    """Say at once whether questions are answered badly: True for sure, False surely not, None where it is open.

    exactly: every layout is weighed; otherwise cards are counted, but for those with an unnamed card in question
    """
    if not questions:
        return False
    if not hands.unnamed:
        if any(hands.sure[asked.place] & asked.cards for asked in questions):
            return True
        if not exactly:
            return None
    if len(hands.unnamed) > MOST_UNNAMED:
        return None
    read = lying(hands)
    if misfit(apart(hands.places, hands.unnamed), read):
        return None
    return answer(hands.places, read, questions, hands.unnamed)


def still_open(hands: Hands, ply: int, key: str) -> bool:
    """Say whether what a ply has raised under a rule has both answers by now; exact, called where somebody asks."""
    asked = [one for one in hands.questions if one.ply == ply and one.key == key]
    return bool(asked) and verdict(hands, asked, exactly=True) is None


def caught(questions: Sequence[Question], place: int, cards: int) -> bool:
    """Say whether cards a place is seen to hold answer one of its questions."""
    for asked in questions:  # noqa: SIM110 - a generator costs more than the search
        if asked.cards & cards and asked.place == place:
            return True
    return False


# --- what is answered by now ---


def followed(
    hands: H, asked: Sequence[Question], opens: Sequence[Open], place: int, card: int, ply: int, *, ends: bool
) -> tuple[H, tuple[Evidence, ...]]:
    """Return the hands with the questions that a card leaves open, and what the card proves.

    asked: whatever its rules ask; opens: what the verdict left open, all else is answered already
    card: as the trick has it, played already; ends: it is the last of its trick
    """
    left = {one.clause.key: one.refused for one in opens}
    hands = raised(hands, tuple(replace(one, refused=left[one.key]) for one in asked if one.key in left))
    if hands.questions and (ends or card < 0 or caught(hands.questions, place, 1 << card)):
        return judge(hands, ply)
    return hands, ()


def judge(hands: H, ply: int) -> tuple[H, tuple[Evidence, ...]]:
    """Return the hands without the questions that are answered, and the evidence of those answered badly.

    Called when a question may have been answered: after a card that a question asked for (``caught``), and at the end
    of every trick, where counting may have closed one. Evidence of a ply that was proved before takes its place.
    The clause that cards seen later prove first stands until the whole hand is known, before that of a refusal at once
    or of what was certain at once; then the breach is told anew under the first clause in order that it breaks.
    ply: the last one
    """
    answers: list[bool | None] = []
    if hands.unnamed:
        if len(hands.unnamed) > MOST_UNNAMED:
            return hands, ()
        answers = _answers(hands)
    known = {one.plies[0]: one for one in hands.found}
    proved: list[Evidence] = []
    for at, asked in enumerate(hands.questions):
        first = known.get(asked.ply)
        if (first is None or _before(hands, asked, first)) and (
            answers[at] if answers else _answered_badly(hands, asked)
        ):
            by = _decided_by(hands, asked, ply, alone=first is not None)
            known[asked.ply] = _evidence(hands, asked, by)
            proved.append(known[asked.ply])
    whole = settled(hands)
    if not known and not whole and not hands.unnamed:
        return hands, ()
    left: list[Question] = []
    over: set[int] = set()
    for at, (asked, still) in enumerate(zip(hands.questions, _open(hands, answers), strict=True)):
        if still:
            left.append(asked)
        elif (
            asked.ply in known and asked.ply not in over and (answers[at] if answers else _answered_badly(hands, asked))
        ):
            over.add(asked.ply)
            first = known[asked.ply]
            if asked.key != first.key:
                proved.append(_evidence(hands, asked, first.decided_by))
    if whole and not hands.unnamed:
        return replace(hands, facts=(), questions=(), found=()), tuple(proved)
    found = tuple(one for at, one in known.items() if at not in over)
    still_open = tuple(asked for asked in left if asked.ply not in over)
    return replace(hands, questions=still_open, found=found), tuple(proved)


def _before(hands: Hands, asked: Question, found: Evidence) -> bool:
    """Say whether a question of the ply is asked before the clause that was certain at once."""
    if found.decided_by != asked.ply or found.key == asked.key:
        return False
    keys = [other.key for other in hands.questions if other.ply == asked.ply]
    return found.key in keys[keys.index(asked.key) :]


def _answers(hands: Hands) -> list[bool | None]:
    """Return how every question is answered, exactly, where a card is unnamed."""
    read = readings(hands.places, hands.facts, None, hands.unnamed)
    if misfit(apart(hands.places, hands.unnamed), read):
        return [None] * len(hands.questions)
    return [answer(hands.places, read, [asked], hands.unnamed) for asked in hands.questions]


def _open(hands: Hands, answers: list[bool | None]) -> list[bool]:
    """Return of every question whether its hand is not known whole; of unnamed cards, whether its ply is open."""
    if not hands.unnamed:
        sizes = hands.places.sizes
        return [hands.sure[asked.place].bit_count() < sizes[asked.place] for asked in hands.questions]
    plies = {asked.ply for asked, answered in zip(hands.questions, answers, strict=True) if answered is None}
    return [asked.ply in plies for asked in hands.questions]


def _answered_badly(hands: Hands, asked: Question) -> bool:
    """Say whether a question is answered badly, where no card is unnamed."""
    place = asked.place
    if hands.sure[place] & asked.cards:
        return True
    if (hands.can[place] & ~asked.cards).bit_count() >= hands.places.sizes[place]:
        return False
    # A wrong number of cards that was let stand leaves no layout at all, and proves nothing of a card.
    return not misfit(hands.places, lying(hands))


def _decided_by(hands: Hands, asked: Question, ply: int, *, alone: bool = False) -> int:
    """Return the ply by which a question is answered badly, all its ply's questions together unless ``alone``."""
    alike = [asked] if alone else [other for other in hands.questions if other.ply == asked.ply]
    return deciding_ply(hands.places, hands.facts, alike, hands.unnamed) or ply


def _evidence(hands: Hands, asked: Question, decided_by: int) -> Evidence:
    """Return what shows that a question is answered badly, from what is known now."""
    seen = hands.sure[asked.place] & asked.cards
    if hands.unnamed and seen:
        read = readings(hands.places, hands.facts, None, hands.unnamed)
        held = spots(hands.places, hands.unnamed, asked.place, asked.ply)
        seen = sum(1 << card for card in cards_of(seen) if not read[card] & ~held)
    cards = seen or _cornered(hands, asked)
    return Evidence((asked.ply,), asked.key, decided_by, asked.place, cards, bool(seen))


def _cornered(hands: Hands, asked: Question) -> int:
    """Return the cards of a question that have too little room elsewhere."""
    may = asked.cards & hands.can[asked.place]
    read = readings(hands.places, hands.facts, None, hands.unnamed)
    held = spots(hands.places, hands.unnamed, asked.place, asked.ply)
    why = misfit(apart(hands.places, hands.unnamed), without(read, asked.cards, held))
    return (why.cards & may if why else 0) or may


# --- the end of a record ---


def pending(hands: Hands, ply: int) -> tuple[tuple[tuple[int, str], ...], tuple[Evidence, ...]]:
    """Return (ply, key) of every question left open, but for those another implies, and what all facts together prove.

    Called where a record ends. Exact: what counting did not show is proved here; last come the plies that cannot all
    have been legal though each alone could. ply: the last one
    """
    if not hands.questions:
        return (), ()
    if len(hands.unnamed) > MOST_UNNAMED:
        return tuple(dict.fromkeys((asked.ply, asked.key) for asked in hands.questions if not asked.refused)), ()
    late = _settled_late(hands)
    found = {one.plies[0] for one in (*hands.found, *late)}
    return _open_questions(hands, found), (*late, *_clashes(hands, found, ply))


def _open_questions(hands: Hands, found: set[int]) -> tuple[tuple[int, str], ...]:
    read = readings(hands.places, hands.facts, None, hands.unnamed)
    fits = not misfit(apart(hands.places, hands.unnamed), read)
    still: list[tuple[int, str]] = []
    implied: dict[int, int] = {}
    for asked in hands.questions:
        if asked.ply in found or asked.refused:
            continue
        new = asked.cards & ~implied.get(asked.place, 0)
        badly = answer(hands.places, read, [asked], hands.unnamed) if fits else None
        if new and badly is None and asked.cards & hands.can[asked.place]:
            still.append((asked.ply, asked.key))
        if not asked.given:
            implied[asked.place] = implied.get(asked.place, 0) | asked.cards
    return tuple(dict.fromkeys(still))


def _clashes(hands: Hands, found: set[int], ply: int) -> tuple[Evidence, ...]:
    """Return the open plies that cannot all have been legal though each alone could; nothing is decided of one."""
    asked = tuple(one for one in hands.questions if not one.refused and one.ply not in found)
    clash = together(hands.places, hands.facts, asked, hands.unnamed) if asked else ()
    plies = tuple(sorted({one.ply for one in clash}))
    if len(plies) < 2:
        return ()
    needed = together(hands.places, hands.facts, clash, hands.unnamed, lambda one: one)
    by = deciding_ply(hands.places, hands.facts, sorted(clash, key=lambda one: -one.ply), hands.unnamed)
    return (Evidence(plies, needed[0].key, by or ply),)


def _settled_late(hands: Hands) -> tuple[Evidence, ...]:
    """Return the plies that no layout leaves legal, though counting has not shown it; under their first broken rule."""
    found = {one.plies[0] for one in hands.found}
    late: list[Evidence] = []
    for at in dict.fromkeys(asked.ply for asked in hands.questions if asked.ply not in found):
        asked = [one for one in hands.questions if one.ply == at]
        by = deciding_ply(hands.places, hands.facts, asked, hands.unnamed)
        if by is None:
            continue
        alone = next((one for one in asked if broken(hands.places, hands.facts, [one], None, hands.unnamed)), None)
        if alone is not None:
            late.append(_evidence(hands, alone, by))
        elif not asked[0].refused:
            cards = 0
            for one in asked:
                cards |= one.cards & hands.can[one.place]
            late.append(Evidence((at,), asked[0].key, by, asked[0].place, cards, either=True))
    return tuple(late)


def all_legal(plies: Sequence[int]) -> str:
    """Return the sentence that says of several plies that they cannot all have been legal."""
    listed, both = ", ".join(map(str, plies[:-1])), "both" if len(plies) == 2 else "all"
    return f"no deal makes plies {listed} and {plies[-1]} {both} legal, though each of them alone may have been legal"
