"""The tag Score of games in which seats win points: one number a seat, and whether it contradicts the moves."""

from collections.abc import Iterable, Mapping, Sequence


def score(points: Iterable[int]) -> dict[str, str]:
    """Return the tag, of the points of each seat."""
    return {"Score": ":".join(map(str, points))}


def misstated_score(
    tags: Mapping[str, str], right: Mapping[str, str], comes_to: str, bounds: Sequence[tuple[float, float]] = ()
) -> tuple[tuple[str, str, str], ...]:
    """Return the tag, its key and the reason if it is another than the right one, and nothing the bounds let it be.

    comes_to: how a sentence says what is right, ``the areas come to``; bounds: by seat, the least and the most
    """
    due = right["Score"]
    text = tags.get("Score", due)
    stated = [float(part) for part in text.split(":") if part.isascii() and part.strip().isdecimal() and len(part) < 9]
    may_be = len(stated) == len(bounds) == text.count(":") + 1 and all(
        least <= said <= most for said, (least, most) in zip(stated, bounds, strict=True)
    )
    because = f"the Score tag says {text[:24]}, and {comes_to} {due}"
    return () if text == due or may_be else (("Score", "record.tag", because),)
