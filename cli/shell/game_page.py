"""A game as a page of the documentation: what a beginner is taught first, then every rule with its source."""

import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from cartulary.cli.shell.options import seat_words
from cartulary.engine import Clause
from cartulary.engine.calls import CALL_CLAUSES, WORDS
from cartulary.notation import AnyGame
from cartulary.notation.arbiter.finding import record_clauses
from cartulary.notation.arbiter.lookup import walked_to
from cartulary.notation.drawing import draw
from cartulary.notation.guide import Entry, FirstGame, TableRow
from cartulary.notation.picture import plain
from cartulary.notation.svg import svg

_FEW = 2
"""Rows of an entry's table, the headings among them, that say no more than its sentence."""


def page(game: AnyGame) -> str:
    """Return the page about a game as Markdown, as docs/games has it: from how it is played to its rules."""
    it = game.about
    lines = [f"# {it.title}", "", f"{it.says[:1].upper()}{it.says[1:]}", ""]
    for part in (_course, _entries, _first_game, _words, _variants, _heading, _sources, _rules):
        lines += part(game)
    return "\n".join(lines)


def first_game_picture(game: AnyGame) -> str:
    """Return the position at the end of the first game, which the guide lets a newcomer try, as SVG.

    The text is empty if the game has no first game.
    """
    first = game.about.guide.primer.first_game
    if first is None:
        return ""
    return svg(draw(game.words, walked_to(game, first.example())[-1].after, None), first.shows)


def _course(game: AnyGame) -> Iterator[str]:
    """Yield the lines of the section on how the game is played, a paragraph each; nothing if the guide has none."""
    if game.about.guide.primer.course:
        yield from ("## How it is played", "")
        for paragraph in game.about.guide.primer.course:
            yield from (paragraph, "")


def _entries(game: AnyGame) -> Iterator[str]:
    """Yield the lines of the section on cards, pieces and terms; nothing if the guide has no entries.

    It has a table of what each does, then the tables of the entries that have a longer one of their own.
    """
    entries = game.about.guide.entries
    if not entries:
        return
    yield from ("## Cards, pieces and terms", "")
    yield f"`cartulary rules {game.about.key} WORD` shows the entry that WORD names, with its rules and an example."
    yield ""
    yield from _table(("name", "what it does"), [(entry.name, entry.says) for entry in entries])
    for group in _shared_tables(entries):
        yield from (f"{', '.join(entry.name for entry in group)}:", "")
        yield from _table(group[0].table[0], group[0].table[1:])


def _shared_tables(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return the entries whose tables have more than ``_FEW`` rows, in groups; those of a group have the same table."""
    shared: dict[tuple[TableRow, ...], list[Entry]] = {}
    for entry in entries:
        if len(entry.table) > _FEW:
            shared.setdefault(entry.table, []).append(entry)
    return list(shared.values())


def _first_game(game: AnyGame) -> Iterator[str]:
    """Yield the lines of the section on a first game to try; nothing if the guide has none.

    It has the commands, the words with what happens, and the picture of the last position.
    """
    first = game.about.guide.primer.first_game
    if first is None:
        return
    yield from ("## A first game", "")
    yield "Open a record, then type the words listed below, pressing Enter after each. A *word* is one move as it is"
    yield "written, with no blank inside it."
    yield from ("", "```sh", _opening(game, first), f"cartulary record {_id(game)}", "```", "")
    yield from ("Before the first word:", "")
    yield from ("```text", plain(game.words.picture(walked_to(game, first.example())[0].state, None)), "```", "")
    yield from _table(("word", "what happens"), [(f"`{word}`", says) for word, says in first.words])
    yield from (f"![{first.shows}]({game.about.key}.svg)", "")
    yield "Go on as you like. At the same prompt, `legal` lists what may be played, `undo` takes a word back, and"
    yield "`help` lists all commands. A refused word is not recorded unless you type `stands`; the rule it breaks is"
    yield "named. `close` ends the record with the result of the moves; `close * abandoned` ends a game that is not"
    yield "decided yet."
    yield ""


def _id(game: AnyGame) -> str:
    """Return the id of the record of the first game: ``first-`` and the key of the game."""
    return f"first-{game.about.key}"


def _opening(game: AnyGame, first: FirstGame) -> str:
    """Return the command that opens a record with the tags of the first game: ``cartulary new mygame --id first``.

    The variant and the number of seats are named only if they are not the usual ones.
    """
    about, tags = game.about, first.tags
    words = ["cartulary", "new", about.key, "--id", _id(game)]
    if tags.get("Variant", about.variants[0]) != about.variants[0]:
        words += ["--variant", tags["Variant"]]
    seats = [name for name in tags if name.startswith("Seat")]
    if seats and len(seats) != about.seats[0]:
        words += ["--seats", str(len(seats))]
    own = [name for name in tags if name not in ("Variant", *seats)]
    return " ".join([*words, *(f"-t {name}={shlex.quote(tags[name])}" for name in own)])


def _words(game: AnyGame) -> Iterator[str]:
    """Yield the lines of the section on the words that moves are written with: a table, if the guide has words."""
    words = game.about.guide.primer.words
    yield from ("## Its words", "")
    if words:
        yield from _table(("written", "means"), [(f"`{word}`", means) for word, means in words])
    yield from ("[The notation](../notation.md) has all of them, and the words that every game shares.", "")


def _variants(game: AnyGame) -> Iterator[str]:
    """Yield the lines of the section on the variants; nothing if the guide says nothing of any."""
    variants = game.about.guide.primer.variants
    if variants:
        yield from ("## Its variants", "")
        yield from _table(("variant", "what differs"), [(f"`{name}`", says) for name, says in variants])


def _heading(game: AnyGame) -> Iterator[str]:
    """Yield the lines of the section on how a record names the game.

    They give its title and key, the edition of the rules, seats, variants, options and tags.
    """
    it = game.about
    yield from ("## In a record", "")
    yield f'- Named `[Game "{it.title}"]` on a sheet, `{it.key}` on the command line.'
    yield f"- Edition of the rules: `{it.edition}`."
    more = " and so on" if len(it.seats) > 1 else ""
    seats = ", ".join(filter(None, (seat_words(it.seats), it.guide.primer.seats)))
    yield f"- Seats: {seats}; their tags are {_code_list(it.seat_tags(it.seats[0]))}{more}."
    if len(it.variants) > 1:
        yield f"- Variants (the first, unless `Variant` says otherwise): {_code_list(it.variants)}."
    else:
        yield f"- Variant: {_code_list(it.variants)}, the only one."
    for option in it.options:
        yield f"- Option `{option.text()}`: {option.says}"
    own = _code_list((*game.sheet.names, *(name for name in game.points.tags if name != "Score")))
    scored = f"if only the score was kept, {_code_list(game.points.told_by)}" if game.points.told_by else ""
    if own or scored:
        yield f"- Tags of its own: {'; and, '.join(filter(None, (own, scored)))}."
    yield ""


def _sources(game: AnyGame) -> Iterator[str]:
    """Yield the lines on how to replay the sample games, and on the sources of the rules.

    Each only if there are any.
    """
    primer = game.about.guide.primer
    if primer.sample:
        folder = f"$(cartulary samples {game.about.key})"
        yield from ("## Sample games", "")
        yield "Step through one with the arrow keys, or have all of them judged:"
        yield from ("", "```", f'cartulary replay -i "{folder}/{primer.sample}.cgn"')
        yield from (f'cartulary validate --accept-rulings "{folder}"', "```", "")
        yield "If a sample breaks a rule or leaves a question open, it does so on purpose, to show what the verdict"
        yield "then looks like."
        yield ""
    if primer.sources:
        yield from ("## Sources", "")
        yield from (f"- {source}" for source in primer.sources)
        yield ""


def _rules(game: AnyGame) -> Iterator[str]:
    """Yield the lines of the section on rules: the tables of the game's rules, of calls and of records."""
    it = game.about
    yield from ("## Rules", "")
    yield f"These are the rules, in the order in which they are checked. `cartulary rules {it.key} KEY` prints one, and"
    yield "a verdict names the key of its rule."
    if any(clause.variants for clause in game.rules.clauses):
        last = it.variants[-1]
        yield f"A sentence that names a variant holds only there; `--variant {last}` prints the rules of `{last}`."
    yield ""
    yield from _clauses(game.rules.clauses)
    yield from ("## Calls", "")
    calls = f"{_code_list(WORDS[:-1])} and {_code_list(WORDS[-1:])}"
    yield f"These are about the calls {calls}. They are the same in all games,"
    yield from ("unless a rule above says otherwise.", "")
    yield from _clauses(CALL_CLAUSES)
    yield from ("## Records", "", "These are about what is written down. They are the same in all games.", "")
    yield from _clauses(record_clauses(game))


def _clauses(clauses: tuple[Clause[Any, Any], ...]) -> Iterator[str]:
    """Yield the lines of a Markdown table of rules, with the key, the sentence and the source of each."""
    return _table(("key", "rule", "source"), [(f"`{clause.key}`", clause.says, clause.source) for clause in clauses])


def _code_list(words: tuple[str, ...]) -> str:
    """Return words in code marks, with commas between them: ``a`` and ``b`` in backquotes and joined by ``, ``."""
    return ", ".join(f"`{word}`" for word in words)


def _table(heads: TableRow, rows: Iterable[TableRow]) -> Iterator[str]:
    """Yield the lines of a Markdown table, and a blank line after it.

    Args:
        heads: The heads of the columns.
        rows: The cells of each row, as many as there are heads.
    """
    yield _row(heads)
    yield "|" + "---|" * len(heads)
    yield from map(_row, rows)
    yield ""


def _row(cells: TableRow) -> str:
    """Return a row of a Markdown table; a vertical bar in a cell is escaped."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
