"""The story of one ply, as it is printed."""

from collections.abc import Iterator

from cartulary.cli.shell.findings import INDENT, wrapped
from cartulary.notation import Story
from cartulary.records import desk


def story_lines(name: str, told: Story) -> Iterator[str]:
    """Yield the story of a ply as `why` prints it, folded to the terminal. name: of the record"""
    by = f" by {told.seat}" if told.seat not in ("", "p0") and not told.word.startswith("p") else ""
    yield from wrapped(f"{name}, ply {told.ply}: {told.word}{by}")
    for label, text in desk.story_parts(told):
        yield from part_lines(label, text)


def part_lines(label: str, text: str) -> list[str]:
    """Return one part of a story behind its label, folded to the terminal."""
    return wrapped(f"{INDENT}{label:<8}{text}", INDENT + " " * 8)
