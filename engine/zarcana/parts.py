"""Whether a play's parts are what its power is used with, and what they do at the table where they are not."""

from typing import Any, TypeVar

from cartulary.engine.slots import UNKNOWN
from cartulary.engine.zarcana import clauses
from cartulary.engine.zarcana.clauses import AnyClause
from cartulary.engine.zarcana.draft import Draft
from cartulary.engine.zarcana.moves import (
    Build,
    BuildFrom,
    Clone,
    Create,
    Drawn,
    Go,
    Grow,
    HitMinion,
    HitPlace,
    Play,
    Turn,
)
from cartulary.engine.zarcana.spaces import found

P = TypeVar("P")
_SAID: dict[Any, str] = {
    Grow: "=M",
    Clone: "@S'n",
    Go: ">e1",
    HitMinion: ":p2Se1",
    HitPlace: ":e1",
    Build: "@e1*5C",
    BuildFrom: "@e1=5C",
    Create: "@Sn2'w",
    Turn: "&Mo=n",
}


def shaped(
    t: Draft, power: AnyClause, play: Play, place: int, code: int, most: int, kinds: tuple[type[P], ...]
) -> tuple[P, ...]:
    """Return a play's parts if there are one to ``most`` of these kinds.

    Where there are not, that is refused, under no-effect where there is none at all, the parts are done as they stand,
    and nothing is returned.
    """
    parts: tuple[Any, ...] = play.parts
    if 0 < len(parts) <= most and type(parts[0]) in kinds and all(type(part) in kinds for part in parts[1:]):
        return parts
    subject, are = _subject(power)
    if not parts:
        what = subject.replace("The ", "the ")
        t.refuse(clauses.NO_EFFECT, f"The word does not say what {what} {'do' if are == 'are' else 'does'}")
        return ()
    wanted = " or ".join(_SAID[kind] for kind in kinds if kind in _SAID)
    said = f"such as {wanted}" if wanted else "as its power says"
    parts_said = "one part" if most == 1 else "one or two parts" if most == 2 else "any number of parts"
    t.refuse(power, f"{subject} {are} used with {parts_said} {said}")
    loose(t, play, place, code)
    return ()


_BARE = ("strength", "justice", "death", "temperance", "judgement", "harvest")


def _subject(power: AnyClause) -> tuple[str, str]:
    """Return a power as the beginning of a sentence, and whether it is or they are."""
    key = power.key.partition(".")[2]
    title = key.replace("-", " ").title().replace(" Of ", " of ")
    if key in ("swords", "wands", "cups", "discs"):
        return title, "are"
    return (title, "is") if key in _BARE else (f"The {title}", "are" if key == "lovers" else "is")


def loose(t: Draft, play: Play, place: int, code: int) -> None:
    """Do what the parts of a play say, whatever its power: it was done at the table. code: the user, -1 for nobody"""
    for part in play.parts:
        match part:
            case Grow(size) if code >= 0:
                other = code // 15 * 15 + size * 5 + code % 5
                if other != code and t.has_piece(other):
                    t.become(place, code, other)
                    code = other
            case Clone(man) if code >= 0 and t.has_piece(man):
                t.enter(place, man)
            case Go(to) if code >= 0:
                t.move(place, code, to, code - code % 5)
                t.wither(to)
                place, code = (to, code - code % 5) if to in t.men else (place, -1)
            case HitMinion(ref):
                victim = t.pick(ref)
                if victim >= 0 and (victim, ref.place) != (code, place):
                    t.destroy(ref.place, victim)
            case HitPlace(at, shown) if at in t.cards:
                t.discard(t.leave(at, shown))
            case Build(at, card) if t.available:
                t.lay(at, t.off_deck(bytes((card if card >= 0 else UNKNOWN,)))[0])
            case BuildFrom(at, card):
                t.lay(at, t.from_hand(t.seat, card))
            case Create(man, at) if t.has_piece(man):
                t.enter(at, man)
                t.wither(at)
            case Turn(ref, point):
                here = found(t.men.get(ref.place, b""), ref)
                if here >= 0:
                    t.become(ref.place, here, here - here % 5 + point)
            case Drawn(cards):
                t.draw(t.seat, cards[: t.available])
        if code >= 0 and code not in t.men.get(place, b""):
            code = -1
