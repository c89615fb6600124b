"""Cards laid in the own area: suit cards, and the Empress or the Emperor standing for one."""

from cartulary.engine.tarot_duel.cards import COPIES, MAJOR, NAMES, standing
from cartulary.engine.tarot_duel.clauses import EFFECT, LAY_DOWN
from cartulary.engine.tarot_duel.draft import Draft
from cartulary.engine.tarot_duel.empress_emperor import ask_copy
from cartulary.engine.tarot_duel.ends import aim
from cartulary.engine.tarot_duel.moves import Lay, Stand


def say_lay(draft: Draft, move: Lay) -> None:
    """Carry out the word."""
    if max(move.cards) >= MAJOR:
        wrong = next(card for card in move.cards if card >= MAJOR)
        major = "is a Major, and of these only T04 and T05 can be laid, each as a suit card"
        draft.refuse(LAY_DOWN, f"{NAMES[wrong]} {'can be laid only as a suit card' if wrong in COPIES else major}")
    draft.from_hand(move.seat, move.cards)
    draft.lay(move.seat, move.cards)
    aim(draft)


def say_stand(draft: Draft, move: Stand) -> None:
    """Carry out the word that lays the Empress or the Emperor, standing for a card."""
    if move.card not in COPIES:
        draft.refuse(LAY_DOWN, f"{NAMES[move.card]} stands for no other card")
    elif move.name >= MAJOR:
        draft.refuse(LAY_DOWN, f"{NAMES[move.name]} is a Major, but {NAMES[move.card]} can be laid only as a suit card")
    wrong = ask_copy(draft, move.seat, move.card, move.name)
    draft.from_hand(move.seat, bytes((move.card,)))
    if wrong:
        draft.refuse(EFFECT, wrong)
    code = standing(move.card, move.name) if move.name < MAJOR else move.card
    draft.lay(move.seat, bytes((code,)))
    aim(draft)
