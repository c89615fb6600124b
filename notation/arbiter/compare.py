"""Two sheets of one game laid side by side: which words are the same, and where they first differ."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import partial

from msgspec import Struct

from cartulary.notation.arbiter.examine import Examination
from cartulary.notation.cgn.signs import PREFIX
from cartulary.notation.contract import AnyGame

_NOT_KNOWN = "?.*"
"""What tags are made of that say nothing."""


class Alignment(Struct, frozen=True):
    """One row of two sheets: the words of both and their plies, None where a sheet has none, and if they are alike."""

    a: str | None
    b: str | None
    ply_a: int | None
    ply_b: int | None
    alike: bool


class Comparison(Struct, frozen=True):
    """Two sheets, word by word.

    ``first`` is the ply of the first difference, 0 for none. ``tags`` has the name and both values of each tag that
    differs.
    """

    words: tuple[Alignment, ...]
    first: int
    tags: tuple[tuple[str, str, str], ...]

    @property
    def same(self) -> bool:
        """Whether no word differs; tags may differ all the same."""
        return self.first == 0


def plain_word(game: AnyGame, word: str) -> str:
    """Return a word without seat prefix and the game's optional marks: ``p2/9Cb1+`` -> ``9Cb1``.

    A word of the table, ``p0/``, stays as it is.
    """
    return game.words.bare(PREFIX.sub("", word)) if not word.startswith("p0/") else word


def different_games(a: Examination, b: Examination) -> str:
    """Return why two sheets cannot be of one game, as part of a sentence; empty if they can be.

    Game, variant, number of seats, options and set-up are compared, in that order. Both sheets must have been set up.
    """
    first, other = a.heading, b.heading
    assert first.sheet is not None
    assert other.sheet is not None
    for what, own, others in (
        ("game", a.report.game, b.report.game),
        ("variant", first.variant, other.variant),
        ("number of seats", first.sheet.seats, other.sheet.seats),
        ("options", first.sheet.options, other.sheet.options),
    ):
        if own != others:
            return f"the {what} of one is {own or 'none'}, that of the other {others or 'none'}"
    return "" if first.sheet == other.sheet else "they are set up differently"


def compare(a: Examination, b: Examination) -> Comparison:
    """Lay two sheets of one game side by side, so that as many words as possible stand beside their like.

    Two words are alike if they are equal as written or in canonical spelling, without prefixes and marks. Move numbers,
    glyphs and comments are not compared.

    Args:
        a: The examination of one sheet, which could be set up, as the viewer may see it.
        b: That of the other.
    """
    assert a.heading.game is not None
    plain = partial(plain_word, a.heading.game)
    keys = [plain(word) for word in a.words]
    written = dict(zip(map(plain, a.line.words), keys, strict=True))
    spelled = zip(map(plain, b.words), map(plain, b.line.words), strict=True)
    known = set(keys)
    candidates = [word if word in known else written.get(text, word) for word, text in spelled]
    words = tuple(_aligned(a.words, b.words, keys, candidates))
    first = next((at for at, pair in enumerate(words, 1) if not pair.alike), 0)
    return Comparison(words, first, tuple(_tags(a, b)))


def _aligned(a: Sequence[str], b: Sequence[str], in_a: list[str], in_b: list[str]) -> Iterator[Alignment]:
    """Yield one row after the other: equal words side by side, others in pairs, surplus words alone.

    ``in_a`` and ``in_b`` have what each word of ``a`` and ``b`` is compared by.
    """
    matcher = SequenceMatcher(None, in_a, in_b, autojunk=False)
    for kind, begin_a, end_a, begin_b, end_b in matcher.get_opcodes():
        for at in range(max(end_a - begin_a, end_b - begin_b)):
            ply_a, ply_b = begin_a + at + 1, begin_b + at + 1
            has_a, has_b = ply_a <= end_a, ply_b <= end_b
            yield Alignment(
                a[ply_a - 1] if has_a else None,
                b[ply_b - 1] if has_b else None,
                ply_a if has_a else None,
                ply_b if has_b else None,
                kind == "equal",
            )


def _tags(a: Examination, b: Examination) -> Iterator[tuple[str, str, str]]:
    """Yield (name, value in a, value in b) for the tags that both sheets have with different values.

    There are none if a sheet could not be set up. Values such as ``?`` that say nothing are left out.
    The results compared are those of the reports.
    """
    if a.walk is None or b.walk is None:  # a sheet kept long ago, of rules that are not installed any more
        return
    first, other = a.walk.record.by_name, b.walk.record.by_name
    stated = {name: (first[name], other[name]) for name in first if name in other and name != "Result"}
    for name, (own, others) in (*stated.items(), ("Result", (a.report.result, b.report.result))):
        if own != others and own.strip(_NOT_KNOWN) and others.strip(_NOT_KNOWN):
            yield name, own, others
