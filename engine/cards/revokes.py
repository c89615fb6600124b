"""What plies owed to hidden cards: questions raised, and when later cards answer them; above all revokes.

A game raises a question when a rule turns on a hidden card, and asks ``judge`` which questions are answered by now. An
``Evidence`` names the ply that was illegal, the ply that proves it, and the cards that show it. At the end of a record
``pending`` returns what is still open. This module knows no game: a rule is its key. For example::

    ply 5: p2 discards a club on a heart   -> question: no heart was with p2 at ply 5
    ply 9: p2 plays 4H                     -> answered badly: ply 5 was a revoke, decided by ply 9
    p1 is seen with all hearts             -> answered well: it is open no more

Counting answers most questions. Whether a layout fits (``layouts``) is asked once counting has closed a question, to
find the ply that decided it, and by the functions that say they are exact. In a deal with unnamed cards it is asked
always; with more than MOST_UNNAMED of them every question counts as open, and nothing is proved.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from cartulary.engine.cards.deck import cards_of
from cartulary.engine.cards.hands import Evidence, H, Hands, homes_by_counting, is_all_known, possible_cards
from cartulary.engine.cards.layouts import (
    MOST_UNNAMED,
    Question,
    answer,
    deciding_ply,
    homes_of,
    minimal_clash,
    misfit,
    places_since,
    proves_breach,
    with_unnamed,
    without,
)
from cartulary.engine.contract import Open

# --- questions ---


def add_questions(hands: H, questions: Sequence[Question]) -> H:
    """Return the hands with further questions after those that they have; the same object if there are none.

    The card of the ply that raises them must have been played already.
    """
    return replace(hands, questions=(*hands.questions, *questions)) if questions else hands


def follow_questions(
    hands: Hands, ply: int, key: str, place: int, suits: Sequence[int], lead: int, card: int
) -> tuple[Question, ...]:
    """Return the conditions for a card to be no revoke, empty if it surely follows suit.

    Args:
        hands: the hands with the card played already.
        ply: the ply of the card.
        key: the rule that suit must be followed.
        place: the hand from which the card came.
        suits: the suits, as sets of cards: a card of one must be followed by another card of it.
        lead: the card that was led, ``~n`` for the unnamed one with that number.
        card: the card that follows, ``~n`` for the unnamed one with that number.
    """
    questions: list[Question] = []
    for suit in suits:
        if possible_cards(hands, lead) & suit and possible_cards(hands, card) & ~suit:
            debt = suit & ~hands.played_cards & hands.can[place]
            # If the led card is unnamed, the rule binds only if it was of this suit; if the follower is, only if it
            # was of another one.
            conditions = [(~lead, suit)] if lead < 0 else []
            if card < 0:
                conditions.append((~card, hands.places.cards & ~suit))
            if debt:
                questions.append(Question(ply, key, place, debt, False, tuple(conditions)))
    return tuple(questions)


def is_covered(hands: Hands, place: int, cards: int) -> bool:
    """Say whether open questions already ask for all of some cards in a place, so that a new one need not be shown.

    Questions with conditions, questions of refused plies and those of plies with evidence do not count.

    Args:
        hands: the hands.
        place: the place.
        cards: the cards, as bits.
    """
    earlier, settled_plies = 0, [evidence.plies[0] for evidence in hands.evidence]
    for question in hands.questions:
        if (
            question.place == place
            and not question.conditions
            and not question.refused
            and question.ply not in settled_plies
        ):
            earlier |= question.cards
    return not cards & ~earlier


def verdict(hands: Hands, questions: Sequence[Question], *, exactly: bool = False) -> bool | None:
    """Return whether the questions of a move are answered badly.

    Args:
        hands: the hands with the card of the move played already.
        questions: the questions.
        exactly: True to try every layout, False to count cards. With unnamed cards layouts are tried in any case.

    Returns:
        True if they surely are, False if they surely are not or if there are none, None if it is open, if no layout
        fits, or if there are more than MOST_UNNAMED unnamed cards.
    """
    if not questions:
        return False
    if not hands.unnamed_cards:
        if any(hands.sure[question.place] & question.cards for question in questions):
            return True
        if not exactly:
            return None
    if len(hands.unnamed_cards) > MOST_UNNAMED:
        return None
    homes = homes_by_counting(hands)
    if misfit(with_unnamed(hands.places, hands.unnamed_cards), homes):
        return None
    return answer(hands.places, homes, questions, hands.unnamed_cards)


def still_open(hands: Hands, ply: int, key: str) -> bool:
    """Say whether the questions of a ply under one rule (``key``) may still have either answer, by every deal that
    fits.

    With more than MOST_UNNAMED unnamed cards, and if no layout fits, they count as open; False if there is no such
    question.
    """
    questions = [question for question in hands.questions if question.ply == ply and question.key == key]
    return bool(questions) and verdict(hands, questions, exactly=True) is None


def asks_about(questions: Sequence[Question], place: int, cards: int) -> bool:
    """Say whether one of some questions asks for one of some cards (bits) in a place, so that seeing them there answers
    it.
    """
    for question in questions:  # noqa: SIM110 - a generator costs more than the search
        if question.cards & cards and question.place == place:
            return True
    return False


# --- what is answered by now ---


def store_questions(
    hands: H, questions: Sequence[Question], opens: Sequence[Open], place: int, card: int, ply: int, *, ends: bool
) -> tuple[H, tuple[Evidence, ...]]:
    """Store the questions that a card leaves open, and return the hands and what the card proves.

    Args:
        hands: the hands with the card played already.
        questions: all questions that the rules ask about the card.
        opens: the questions that the verdict left open; the others are answered already and not stored.
        place: the hand from which the card came.
        card: the card as the trick has it, ``~n`` for an unnamed one.
        ply: the ply of the card.
        ends: True if the card is the last of its trick.
    """
    refused_by_key = {question.clause.key: question.refused for question in opens}
    hands = add_questions(
        hands,
        tuple(
            replace(question, refused=refused_by_key[question.key])
            for question in questions
            if question.key in refused_by_key
        ),
    )
    if hands.questions and (ends or card < 0 or asks_about(hands.questions, place, 1 << card)):
        return judge(hands, ply)
    return hands, ()


def judge(hands: H, ply: int) -> tuple[H, tuple[Evidence, ...]]:
    """Return the hands without the questions that can change no more, and the evidence of those answered badly.

    It is called when a question may have been answered: after a card that a question asks for (``asks_about``) or that
    nobody wrote down, and at the end of every trick, when counting may have closed one. A question is kept while its
    hand is not completely known. New evidence about a ply replaces the earlier one.

    Args:
        hands: the hands.
        ply: the last ply.
    """
    # A ply may break several rules, and later cards may prove a later rule of it first. Then the ply is reported under
    # that rule, and its evidence stays in ``evidence`` until the hand is completely known. It gives way to that of an
    # earlier rule as soon as that is proved (``_comes_first``), and the ply is reported again under that one::
    #
    #     ply 5 raises follow-suit and must-trump    questions: both
    #     ply 9 shows a trump                        evidence: ply 5, must-trump; follow-suit is still open
    #     the last card shows the suit as well       evidence again: ply 5, follow-suit
    #
    # The invariant is that a ply has at most one rule in ``evidence``, and that what it has was proved.
    answers: list[bool | None] = []
    if hands.unnamed_cards:
        if len(hands.unnamed_cards) > MOST_UNNAMED:
            return hands, ()
        answers = _answers(hands)
    evidence = {item.plies[0]: item for item in hands.evidence}
    proved: list[Evidence] = []
    for at, question in enumerate(hands.questions):
        first = evidence.get(question.ply)
        if (first is None or _comes_first(hands, question, first)) and (
            answers[at] if answers else _answered_badly(hands, question)
        ):
            by = _proof_ply(hands, question, ply, alone=first is not None)
            evidence[question.ply] = _evidence(hands, question, by)
            proved.append(evidence[question.ply])
    complete = is_all_known(hands)
    if not evidence and not complete and not hands.unnamed_cards:
        return hands, ()
    open_questions: list[Question] = []
    over: set[int] = set()
    for at, (question, still) in enumerate(zip(hands.questions, _must_keep(hands, answers), strict=True)):
        if still:
            open_questions.append(question)
        elif (
            question.ply in evidence
            and question.ply not in over
            and (answers[at] if answers else _answered_badly(hands, question))
        ):
            over.add(question.ply)
            first = evidence[question.ply]
            if question.key != first.key:
                proved.append(_evidence(hands, question, first.decided_by))
    if complete and not hands.unnamed_cards:
        return replace(hands, facts=(), questions=(), evidence=()), tuple(proved)
    unsettled = tuple(item for at, item in evidence.items() if at not in over)
    still_open = tuple(question for question in open_questions if question.ply not in over)
    return replace(hands, questions=still_open, evidence=unsettled), tuple(proved)


def _comes_first(hands: Hands, question: Question, evidence: Evidence) -> bool:
    """Say whether a question's rule comes before that of the evidence about its ply, and may replace it.

    That is so only if the evidence was certain at the ply itself.
    """
    if evidence.decided_by != question.ply or evidence.key == question.key:
        return False
    keys = [other.key for other in hands.questions if other.ply == question.ply]
    return evidence.key in keys[keys.index(question.key) :]


def _answers(hands: Hands) -> list[bool | None]:
    """Return the exact answer to every question, for a deal with unnamed cards.

    True is badly, False well, and None open; all are None if no layout fits the facts.
    """
    homes = homes_of(hands.places, hands.facts, None, hands.unnamed_cards)
    if misfit(with_unnamed(hands.places, hands.unnamed_cards), homes):
        return [None] * len(hands.questions)
    return [answer(hands.places, homes, [question], hands.unnamed_cards) for question in hands.questions]


def _must_keep(hands: Hands, answers: list[bool | None]) -> list[bool]:
    """Return for every question whether it must be kept.

    It must be while its hand is not completely known; in a deal with unnamed cards, while its ply has an open question.
    """
    if not hands.unnamed_cards:
        sizes = hands.places.sizes
        return [hands.sure[question.place].bit_count() < sizes[question.place] for question in hands.questions]
    plies = {question.ply for question, answer in zip(hands.questions, answers, strict=True) if answer is None}
    return [question.ply in plies for question in hands.questions]


def _answered_badly(hands: Hands, question: Question) -> bool:
    """Say whether one of the cards of a question must have lain in its place; for a deal without unnamed cards.

    False also if it is not certain, and if no layout of the cards fits.
    """
    place = question.place
    if hands.sure[place] & question.cards:
        return True
    if (hands.can[place] & ~question.cards).bit_count() >= hands.places.sizes[place]:
        return False
    # A wrong number of cards that was let stand leaves no layout at all, and proves nothing of a card.
    return not misfit(hands.places, homes_by_counting(hands))


def _proof_ply(hands: Hands, question: Question, ply: int, *, alone: bool = False) -> int:
    """Return the ply by which it is proved that a question is answered badly; ``ply`` if no earlier one proves it.

    Unless ``alone``, the other questions of its ply are asked with it: one of them is answered badly.
    """
    alike = [question] if alone else [other for other in hands.questions if other.ply == question.ply]
    return deciding_ply(hands.places, hands.facts, alike, hands.unnamed_cards) or ply


def _evidence(hands: Hands, question: Question, decided_by: int) -> Evidence:
    """Return the evidence that a question is answered badly, as decided by the ply ``decided_by``.

    It has the cards that surely lay there, or else those of which one did (``seen`` is False then).
    """
    certain = hands.sure[question.place] & question.cards
    if hands.unnamed_cards and certain:
        homes = homes_of(hands.places, hands.facts, None, hands.unnamed_cards)
        homes_then = places_since(hands.places, hands.unnamed_cards, question.place, question.ply)
        certain = sum(1 << card for card in cards_of(certain) if not homes[card] & ~homes_then)
    cards = certain or _cornered(hands, question)
    return Evidence((question.ply,), question.key, decided_by, question.place, cards, bool(certain))


def _cornered(hands: Hands, question: Question) -> int:
    """Return the cards of a question, as bits, of which at least one lay in its place because they lack room elsewhere.

    If no smaller set shows that, it is all its cards that may lie there.
    """
    may = question.cards & hands.can[question.place]
    homes = homes_of(hands.places, hands.facts, None, hands.unnamed_cards)
    homes_then = places_since(hands.places, hands.unnamed_cards, question.place, question.ply)
    overflow = misfit(with_unnamed(hands.places, hands.unnamed_cards), without(homes, question.cards, homes_then))
    return (overflow.cards & may if overflow else 0) or may


# --- the end of a record ---


def pending(hands: Hands, ply: int) -> tuple[tuple[tuple[int, str], ...], tuple[Evidence, ...]]:
    """Return the questions that are open at the end of a record, and what all its facts together prove.

    The answer is exact: what counting did not show is proved here. With more than MOST_UNNAMED unnamed cards every
    question is open, and nothing is proved.

    Args:
        hands: the hands at the end.
        ply: the last ply.

    Returns:
        (ply, key) of every open question that no earlier ones imply, and the evidence. Plies that cannot all have been
        legal, although each alone could, come last.
    """
    if not hands.questions:
        return (), ()
    if len(hands.unnamed_cards) > MOST_UNNAMED:
        return tuple(
            dict.fromkeys((question.ply, question.key) for question in hands.questions if not question.refused)
        ), ()
    late = _late_evidence(hands)
    plies = {evidence.plies[0] for evidence in (*hands.evidence, *late)}
    return _open_questions(hands, plies), (*late, *_clashes(hands, plies, ply))


def _open_questions(hands: Hands, proved_plies: set[int]) -> tuple[tuple[int, str], ...]:
    """Return (ply, key) of the questions that are still open, in order and without repetition.

    Left out are those of plies in ``proved_plies``, those of refused plies, and those that earlier ones imply.
    """
    homes = homes_of(hands.places, hands.facts, None, hands.unnamed_cards)
    fits = not misfit(with_unnamed(hands.places, hands.unnamed_cards), homes)
    still: list[tuple[int, str]] = []
    implied: dict[int, int] = {}
    for question in hands.questions:
        if question.ply in proved_plies or question.refused:
            continue
        new = question.cards & ~implied.get(question.place, 0)
        badly = answer(hands.places, homes, [question], hands.unnamed_cards) if fits else None
        if new and badly is None and question.cards & hands.can[question.place]:
            still.append((question.ply, question.key))
        if not question.conditions:
            implied[question.place] = implied.get(question.place, 0) | question.cards
    return tuple(dict.fromkeys(still))


def _clashes(hands: Hands, proved_plies: set[int], ply: int) -> tuple[Evidence, ...]:
    """Return evidence of open plies that cannot all have been legal, although each alone could; () if they can.

    There is at most one such answer. ``ply`` is named as the deciding one if no other ply decides it.
    """
    questions = tuple(
        question for question in hands.questions if not question.refused and question.ply not in proved_plies
    )
    clash = minimal_clash(hands.places, hands.facts, questions, hands.unnamed_cards) if questions else ()
    plies = tuple(sorted({question.ply for question in clash}))
    if len(plies) < 2:
        return ()
    minimal = minimal_clash(hands.places, hands.facts, clash, hands.unnamed_cards, lambda question: question)
    by = deciding_ply(hands.places, hands.facts, sorted(clash, key=lambda question: -question.ply), hands.unnamed_cards)
    return (Evidence(plies, minimal[0].key, by or ply),)


def _late_evidence(hands: Hands) -> tuple[Evidence, ...]:
    """Return evidence of plies that no layout leaves legal although counting saw no breach.

    Each has the rule that it surely broke; if only one of several is sure, the first of them, with ``either`` True.
    """
    proved_plies = {evidence.plies[0] for evidence in hands.evidence}
    late: list[Evidence] = []
    for at in dict.fromkeys(question.ply for question in hands.questions if question.ply not in proved_plies):
        questions = [question for question in hands.questions if question.ply == at]
        by = deciding_ply(hands.places, hands.facts, questions, hands.unnamed_cards)
        if by is None:
            continue
        alone = next(
            (
                question
                for question in questions
                if proves_breach(hands.places, hands.facts, [question], None, hands.unnamed_cards)
            ),
            None,
        )
        # It may be certain that a ply broke one of two rules and open which: p2, who played a club, held "a heart or a
        # trump". Then the evidence names the first of them and says ``either``.
        if alone is not None:
            late.append(_evidence(hands, alone, by))
        elif not questions[0].refused:
            cards = 0
            for question in questions:
                cards |= question.cards & hands.can[question.place]
            late.append(Evidence((at,), questions[0].key, by, questions[0].place, cards, either=True))
    return tuple(late)


def clash_text(plies: Sequence[int]) -> str:
    """Return the sentence that several plies (two or more) cannot all have been legal.

    ``no deal makes plies 5 and 9 both legal, though each of them alone may have been legal``.
    """
    listed, both = ", ".join(map(str, plies[:-1])), "both" if len(plies) == 2 else "all"
    return f"no deal makes plies {listed} and {plies[-1]} {both} legal, though each of them alone may have been legal"
