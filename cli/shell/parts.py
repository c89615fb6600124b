"""Work divided among machines: what is part 3 of 16, what a part says of itself, and whether all parts are there.

A part needs nothing of another. The bytes of all files together are cut into so many equal shares, each moved on to
where a game begins, so every part finds by itself where it begins and ends.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from cartulary.cli.shell.console import fail, say
from cartulary.cli.shell.cuts import next_game
from cartulary.cli.shell.findings import count
from cartulary.cli.shell.options import for_everybody
from cartulary.cli.shell.sources import STDIN, likeness, parse_source

if TYPE_CHECKING:
    from cartulary.cli.shell.cluster import Cluster

MOST_PARTS = 100_000
NAMED = 5
"""So many missing parts are named one by one."""
_PART = re.compile(r"([0-9]{1,9})/([0-9]{1,9})", re.ASCII)


class PartNumber(Struct, frozen=True):
    """Part ``number`` of ``parts``, counted from 1."""

    number: int
    parts: int

    def __str__(self) -> str:
        return f"part {self.number} of {self.parts}"


class Header(Struct, frozen=True):
    """What a part says of itself before all else; all parts of one whole say the same but for their number.

    of: a digest of what was divided; options: how it was asked for; faults: what could not be read at all,
    as sentences, each with the number of its file
    """

    part: int
    parts: int
    command: str
    of: str
    options: dict[str, str]
    faults: tuple[tuple[int, str], ...] = ()


class Share(Struct, frozen=True):
    """What a part has of one file: its number among the files, and bytes that begin with a game or with the file."""

    file: int
    path: str
    start: int
    stop: int


# --- dividing ---


def part_of(text: str) -> PartNumber:
    """Return what ``3/16`` names; ends the program for what names no part."""
    found = _PART.fullmatch(text)
    if not found:
        fail(f"--part {text[:24]!r}: expected K/N such as 3/16, the third of sixteen parts.")
    part = PartNumber(int(found[1]), int(found[2]))
    if not 1 <= part.parts <= MOST_PARTS:
        fail(f"--part {text}: expected 1 to {MOST_PARTS} parts.")
    if not 1 <= part.number <= part.parts:
        fail(f"--part {text}: expected a part from 1 to {part.parts}.")
    return part


def check_divisible(names: Sequence[str], seat: str, command: str, option: str = "--part") -> None:
    """End the program for what cannot be divided. names: what was typed"""
    for_everybody(seat, f"{command} {option}")
    for name in names:
        source = parse_source(name)
        if name == STDIN:
            fail(f"{option} cannot divide standard input, which can be read only once; name files or folders.")
        if source.live or source.game:
            fail(f"{name}: {option} divides whole files; name files or folders.")
        if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
            fail(f"{name} is neither a file nor a folder; {option} needs one of them.")


@contextmanager
def workers_at(cluster: str) -> "Iterator[Cluster | None]":
    """Hold the workers of a scheduler, none for no address; ends the program where they cannot be used."""
    if not cluster:
        yield None
        return
    from cartulary.cli.shell.cluster import Cluster

    with closing(Cluster(cluster)) as workers:
        yield workers


def shares(paths: Sequence[tuple[int, str]], part: PartNumber) -> Iterator[Share]:
    """Yield what a part has of each file in order; together the parts have every byte once, and every empty file.

    paths: with the number of each
    """
    sizes = [os.path.getsize(path) for _, path in paths]
    whole = sum(sizes)
    begin, end = (whole * number // part.parts for number in (part.number - 1, part.number))
    last = part.number == part.parts
    before = 0
    for (file, path), size in zip(paths, sizes, strict=True):
        if size == 0 and (begin <= before < end or (last and before == whole)):
            yield Share(file, path, 0, 0)
        elif before < end and before + size > begin:
            start, stop = (_place(path, size, at - before) for at in (begin, end))
            if start < stop:
                yield Share(file, path, start, stop)
        before += size


def _place(path: str, size: int, at: int) -> int:
    """Return where the first game behind a byte begins, if it is one inside the file."""
    if not 0 < at < size:
        return min(max(at, 0), size)
    with open(path, "rb") as file:
        return next_game(file.seek, file.read, at, size)


def digest_of(paths: Sequence[tuple[int, str]]) -> str:
    """Return a digest of the names, sizes and beginnings of files, in their order."""
    digest = sha256()
    for number, path in paths:
        name = path.encode("utf-8", "surrogateescape")
        size, head = likeness(path)
        digest.update(b"%d %d %s %s\n" % (number, size, head.encode(), name))
    return digest.hexdigest()


# --- putting together ---


def in_order(found: Sequence[tuple[str, Header]], faults: Sequence[str] = ()) -> tuple[tuple[str, Header], ...]:
    """Return the parts of one whole in their order; ends the program, with a sentence for each fault, if they are none.

    found: each with the name of its file; faults: what was found of those that are no whole parts
    """
    told = [*faults, *(tuple(_differing(found)) or _twice(found))]
    if found and not told:
        there, parts = {header.part for _, header in found}, found[0][1].parts
        missing = (number for number in range(1, parts + 1) if number not in there)
        named = [str(number) for number, _ in zip(missing, range(NAMED), strict=False)]
        left = parts - len(there) - len(named)
        more = f" and {left} more" if left else ""
        if named:
            several = "s" * (len(named) > 1)
            told = [f"part{several} {', '.join(named)}{more} of {parts} {'are' if several else 'is'} missing"]
    if told:
        for sentence in told[:-1]:
            say(f"cartulary: {sentence}")
        fail(told[-1])
    return tuple(sorted(found, key=lambda each: each[1].part))


def _differing(found: Sequence[tuple[str, Header]]) -> Iterator[str]:
    if not found:
        return
    first, like = found[0]
    for name, header in found[1:]:
        if header.parts != like.parts:
            yield f"{name} is one of {count(header.parts, 'part')}, and {first} one of {like.parts}"
        elif header.options != like.options:
            other = next(key for key in like.options if header.options.get(key) != like.options[key])
            yield f"{name} was made with a different {other} from {first}"
        elif (header.of, header.faults) != (like.of, like.faults):
            changed = "it was made from other files, or from files that have changed since"
            yield f"{name} does not belong with {first}: {changed}"


def _twice(found: Sequence[tuple[str, Header]]) -> Iterator[str]:
    names: dict[int, str] = {}
    for name, header in found:
        if header.part in names:
            yield f"{names[header.part]} and {name} are both part {header.part}"
        names.setdefault(header.part, name)
