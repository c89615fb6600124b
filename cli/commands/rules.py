"""``rules``: prints the rules of a game, and what one of its cards does."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cartulary.cli.shell.console import coloured, fail, put, put_bytes, put_json, terminal
from cartulary.cli.shell.destination import check_spare, file_of, write_file
from cartulary.cli.shell.findings import INDENT, wrap
from cartulary.cli.shell.game_page import first_game_picture, page
from cartulary.cli.shell.options import Force, GameName, Json, named_game
from cartulary.cli.shell.positions import picture_lines
from cartulary.engine import Clause
from cartulary.notation import AnyGame, Entry
from cartulary.notation.arbiter.lookup import LookedUp, clauses_of, entry_fields, look_up, rule_fields, shown_by
from cartulary.notation.guide import GuideFault, TableRow
from cartulary.records.commands.new import variant_named
from cartulary.records.sheets.reference_card import reference_card


def command(
    game: GameName,
    word: Annotated[
        str,
        typer.Argument(metavar="[WORD]", help="A rule's key or the start of several; or a card, by its word or name."),
    ] = "",
    json: Json = False,
    variant: Annotated[
        str, typer.Option("--variant", metavar="VARIANT", help="The rules of this variant, with its own sources.")
    ] = "",
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the game's page, as in docs/games.")] = False,
    svg: Annotated[
        bool,
        typer.Option(
            "--svg",
            help='Print the drawing on the game\'s page: the position at the end of the section "A first game".',
        ),
    ] = False,
    card: Annotated[
        bool,
        typer.Option(
            "--card",
            help="Write a reference card as a PDF, with a board to play on if the game has one; needs "
            "cartulary[pictures].",
        ),
    ] = False,
    output: Annotated[str | None, typer.Option("-o", metavar="FILE", help="The file that --card writes to.")] = None,
    force: Force = False,
) -> None:
    """Print the rules of a game, in the order in which they are checked: key, sentence and source. Or print what a
    card does.

    \b
    Example:
      cartulary rules cardmate cardmate.follow-suit
      cartulary rules cardmate 8
      cartulary rules tarot bout --variant fft
      cartulary rules zarcana --card -o card.pdf
    """
    it = named_game(game)
    try:
        it.about.load_guide()
    except GuideFault as fault:
        fail(f"{fault}.")
    if (output is not None or force) and not card:
        fail("-o and --force need --card.")
    if card and (markdown or svg or json or word):
        fail("--card prints all the rules of the game; leave out --markdown, --svg, --json and WORD.")
    if markdown or svg:
        if json or word or variant or (markdown and svg):
            fail("--markdown prints the whole page, --svg its drawing; leave out --json, --variant and WORD.")
        _put_page(it, svg)
        return
    variant = variant_named(it.about, variant) or variant
    if variant and variant not in it.about.variants:
        fail(f"Found the variant {variant!r}, expected one of: {', '.join(it.about.variants)}.")
    if card:
        _put_card(it, variant, output, force)
        return
    answer = look_up(it, word, variant)
    if answer.entry is not None:
        if json:
            put_json(entry_fields(it, answer.entry, answer.clauses))
            return
        for line in entry_lines(it, answer.entry, answer.clauses, coloured()):
            put(line)
        return
    if not answer.clauses:
        fail(_unknown(it, word, variant, answer))
    for clause in answer.clauses:
        if json:
            put_json(rule_fields(clause))
            continue
        for line in rule_lines(clause):
            put(line)


def _put_page(game: AnyGame, as_drawing: bool) -> None:
    """Print the page of a game as Markdown, or the drawing on it as SVG; end the program if there is no drawing."""
    made = first_game_picture(game) if as_drawing else page(game)
    if not made:
        fail(f'The page of {game.about.key} has no drawing, because it has no section "A first game"; leave out --svg.')
    for line in made.removesuffix("\n").split("\n"):
        put(line)


def _put_card(game: AnyGame, variant: str, output: str | None, over: bool) -> None:
    """Write the reference card of a game as PDF to a file, or to standard output.

    The program ends if that is a terminal, or if the file is there and may not be replaced.

    Args:
        game: The game.
        variant: The variant whose rules are printed, empty for all.
        output: What ``-o`` names, None for standard output.
        over: Whether a file that is there may be replaced.
    """
    file = file_of(output)
    if file is None and terminal():
        fail("A PDF cannot be shown on a terminal; write it with -o FILE.")
    if file is None:
        put_bytes(reference_card(game, variant))
        return
    check_spare(file, key=None, over=over)
    write_file(file, [reference_card(game, variant)], over)


def _unknown(game: AnyGame, word: str, variant: str, answer: LookedUp) -> str:
    """Return the sentence for a word that names nothing, with similar words or the entries there are.

    Args:
        game: The game.
        word: What was typed.
        variant: The variant that was typed, empty for all.
        answer: What looking the word up gave, with the words near it.
    """
    lacks = f"{game.about.key} has no rule {word}" + (f" in {variant}" if variant else "")
    if variant and (elsewhere := look_up(game, word).entry):
        return f"{lacks}: {elsewhere.name} belongs to another variant."
    if answer.near:
        return f"{lacks}; did you mean {' or '.join(answer.near)}?"
    entries = game.about.guide.entries
    names = ", ".join(entry.name for entry in entries if clauses_of(game, entry, variant))
    ends = f" It has entries for {names}." if names else ""
    return f"{lacks}; `rules {game.about.key}` lists those it has.{ends}"


# --- entries and clauses as lines ---


def rule_lines(clause: Clause[Any, Any]) -> Iterator[str]:
    """Yield the key of a rule, then its sentence and its source, these indented and folded to the terminal."""
    yield clause.key
    for text in (clause.says, f"source: {clause.source}"):
        yield from wrap(INDENT + text)


def entry_lines(game: AnyGame, entry: Entry, clauses: tuple[Clause[Any, Any], ...], colour: bool) -> Iterator[str]:
    """Yield the lines of an entry: what it does, its table, its rules, and the positions before and after its example.

    Args:
        game: The game.
        entry: The entry of its guide.
        clauses: The rules that belong to the entry.
        colour: Whether to colour the positions.
    """
    title = f"{entry.name} · {' '.join(entry.cards)}" if entry.cards else entry.name
    yield from wrap(title)
    yield from wrap(INDENT + entry.says)
    yield ""
    if entry.table:
        yield from _aligned(entry.table)
        yield ""
    for clause in clauses:
        yield from rule_lines(clause)
    yield ""
    steps = shown_by(game, entry.example)
    yield from wrap(f"example: {' '.join(step.text for step in steps)}")
    yield from wrap(INDENT + entry.example.shows)
    for label, state in (("before", steps[0].state), ("after", steps[-1].after)):
        yield f"{label}:"
        yield from picture_lines(game.words.picture(state, None), colour)


def _aligned(table: tuple[TableRow, ...]) -> Iterator[str]:
    """Yield the rows of a table as lines, with their columns aligned.

    Every row must have as many cells as the first.
    """
    wide = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    for row in table:
        yield INDENT + "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
