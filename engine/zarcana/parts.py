"""Whether a play's parts are what its power is used with, and what they do at the table where they are not."""

from collections.abc import Callable
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
    Part,
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
    """Do what the parts of a play say, whatever its power: it was done at the table."""
    for part in play.parts:
        act = _ACTS.get(type(part))
        if act is not None:
            place, code = act(t, part, place, code)
            if code >= 0 and code not in t.men.get(place, b""):
                code = -1


def _grow(t: Draft, part: Grow, place: int, code: int) -> tuple[int, int]:
    other = code // 15 * 15 + part.size * 5 + code % 5
    if code < 0 or other == code or not t.has_piece(other):
        return place, code
    t.become(place, code, other)
    return place, other


def _clone(t: Draft, part: Clone, place: int, code: int) -> tuple[int, int]:
    if code >= 0 and t.has_piece(part.man):
        t.enter(place, part.man)
    return place, code


def _go(t: Draft, part: Go, place: int, code: int) -> tuple[int, int]:
    if code < 0:
        return place, code
    other = code - code % 5
    t.move(place, code, part.place, other)
    t.wither(part.place)
    return (part.place, other) if part.place in t.men else (place, -1)


def _hit_minion(t: Draft, part: HitMinion, place: int, code: int) -> tuple[int, int]:
    victim = t.pick(part.ref)
    if victim < 0 or (victim == code and part.ref.place == place):
        return place, code
    t.destroy(part.ref.place, victim)
    return place, code


def _hit_place(t: Draft, part: HitPlace, place: int, code: int) -> tuple[int, int]:
    if part.place in t.cards:
        t.discard(t.leave(part.place, part.shown))
    return place, code


def _build(t: Draft, part: Build, place: int, code: int) -> tuple[int, int]:
    if t.available:
        t.lay(part.place, t.off_deck(bytes((part.card if part.card >= 0 else UNKNOWN,)))[0])
    return place, code


def _build_from(t: Draft, part: BuildFrom, place: int, code: int) -> tuple[int, int]:
    t.lay(part.place, t.from_hand(t.seat, part.card))
    return place, code


def _create(t: Draft, part: Create, place: int, code: int) -> tuple[int, int]:
    if t.has_piece(part.man):
        t.enter(part.place, part.man)
        t.wither(part.place)
    return place, code


def _turn(t: Draft, part: Turn, place: int, code: int) -> tuple[int, int]:
    here = found(t.men.get(part.ref.place, b""), part.ref)
    if here >= 0:
        t.become(part.ref.place, here, here - here % 5 + part.point)
    return place, code


def _draw(t: Draft, part: Drawn, place: int, code: int) -> tuple[int, int]:
    t.draw(t.seat, part.cards[: t.available])
    return place, code


_ACTS: dict[type[Part], Callable[[Draft, Any, int, int], tuple[int, int]]] = {
    Grow: _grow,
    Clone: _clone,
    Go: _go,
    HitMinion: _hit_minion,
    HitPlace: _hit_place,
    Build: _build,
    BuildFrom: _build_from,
    Create: _create,
    Turn: _turn,
    Drawn: _draw,
}
