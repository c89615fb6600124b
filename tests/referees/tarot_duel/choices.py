"""Random choices for a Major of Tarot duel: what its word may say in a game the second referee follows."""

from random import Random

from tests.referees.tarot_duel.places import COPIES, Laid, Side, in_order, is_major, listed
from tests.referees.tarot_duel.play import Referee


def takable(game: Referee, side: Side, foe: Side) -> list[str]:
    """Return the cards of an area a challenge may name, as the word has them.

    No blind one where it might end the game, and no Empress beside another of other name.
    """
    up = [f"a={laid.card}" for laid in foe.up if plain(foe, laid)]
    safe = not side.suits() and (not game.total or side.points() + 10 < game.total)
    return up + ([f"a{place}" for place in range(1, len(foe.down) + 1)] if safe else [])


def plain(side: Side, laid: Laid) -> bool:
    """Say whether a card of the area is the only one of its name that counts as something else."""
    same = {one for one in (*side.up, *side.down) if one.card == laid.card}
    return len(same) == 1 and (laid.card not in COPIES or [one.card for one in side.up].count(laid.card) == 1)


def major_word(rng: Random, game: Referee, side: Side, cards: list[str], card: str) -> str:
    """Return the word that uses this Major of these cards, without a prefix; "" where it cannot be used now."""
    cards.remove(card)
    word = _word(rng, game, side, card)
    cards.append(card)
    return word


def _word(rng: Random, game: Referee, side: Side, card: str) -> str:
    if card not in COPIES:
        rest = _rest(rng, game, side, card)
        return "" if rest is None else card + rest
    names = [name for name in dict.fromkeys(side.tag) if is_major(name) and name not in (*COPIES, "T15")]
    if not names:
        return ""
    name = rng.choice(names)
    rest = _rest(rng, game, side, name)
    return "" if rest is None else f"{card}={name}{rest}"


def _rest(rng: Random, game: Referee, side: Side, name: str, only: int = 0) -> str | None:
    """Return what stands behind the Major's name, None where nothing fits. only: the one opponent allowed."""
    foe = only or rng.choice(game.others(side.number))
    at = f">p{foe}" if len(game.sides) > 2 else ""
    if name in ("T01", "T11", "T13", "T18", "T20", "T16"):
        return _aimed(rng, side, game.sides[foe], name, at)
    if name == "T21":
        return _judgment(rng, game, side)
    if name == "T07":
        return _swap(rng, side, game.sides[foe])
    if name == "T22" and rng.random() < 0.5:
        return None
    if name == "T12" and side.ready:
        return None
    if name in ("T06", "T08", "T10", "T17", "T19"):
        return _own(rng, side, name)
    return ""


def _aimed(rng: Random, side: Side, foe: Side, name: str, at: str) -> str | None:
    if (name == "T18" and not foe.hand) or (name == "T20" and not foe.down):
        return None
    if name == "T16":
        most = min(len(foe.hand), len(side.deck.cards) // 2)
        return f"{at}={rng.randrange(most) + 1}" if most else None
    return at


def _own(rng: Random, side: Side, name: str) -> str | None:
    if name in ("T06", "T08"):
        cards = side.pile if name == "T06" else side.deck.cards
        return f"={rng.choice(cards)}" if cards else None
    if name == "T10":
        return _exchange(rng, side)
    fit = [card for card in side.pile if not is_major(card)]
    if name == "T19":
        fit = [laid.card for laid in side.up if plain(side, laid)]
        if len(side.down) > 1 and rng.random() < 0.3:
            return ""
    cards = rng.sample(fit, rng.randrange(len(fit)) + 1) if fit else []
    return f"={listed(in_order(cards))}" if cards else None


def _mine(side: Side) -> list[str]:
    """Return the own cards that may be exchanged."""
    up = [f">a={laid.card}" for laid in side.up if plain(side, laid)]
    return [*(f"={card}" for card in side.hand), *up, *(f">a{place}" for place in range(1, len(side.down) + 1))]


def _swap(rng: Random, side: Side, foe: Side) -> str | None:
    mine = _mine(side)
    if not mine:
        return None
    own = rng.choice(mine)
    face_up, hand = own[:3] == ">a=", own[0] == "="
    theirs = [f"a={laid.card}" for laid in foe.up if plain(foe, laid)] if face_up or hand else []
    if not face_up:
        theirs += [f"a{place}" for place in range(1, len(foe.down) + 1)]
    if face_up or hand:
        theirs += ["h"] * min(2, len(foe.hand))
    return f"{own}>p{foe.number}{rng.choice(theirs)}" if theirs else None


def _exchange(rng: Random, side: Side) -> str | None:
    mine = _mine(side)
    if not mine:
        return None
    own = rng.choice(mine)
    other = [f"x={card}" for card in side.pile] + [f"d={card}" for card in side.deck.cards[:4]]
    if own[0] == "=":
        other += [f"a={laid.card}" for laid in side.up if plain(side, laid)]
        other += [f"a{place}" for place in range(1, len(side.down) + 1)]
    else:
        other += [f"h={one[1:]}" for one in mine if one[0] == "="]
    return f"{own}>{rng.choice(other)}" if other else None


def _judgment(rng: Random, game: Referee, side: Side) -> str | None:
    if side.last is None or side.last[2] or side.last[1] not in game.others(side.number):
        return None
    name, foe, _ = side.last
    if name == ":":
        cards = takable(game, side, game.sides[foe])
        return f":p{foe}{rng.choice(cards)}" if cards else None
    rest = _rest(rng, game, side, name, foe)
    return None if rest is None else f"={name}{rest}"
