"""A format: what tells it from CGN, what of a record it says otherwise, and how it lays a game out."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from cartulary.notation.cgn.door import Door
from cartulary.notation.cgn.record import Line, Note, Problem, Record
from cartulary.notation.cgn.result import TERMINATIONS, format_result
from cartulary.notation.cgn.scanner import PLAIN, RESULT_TOKEN, TAG, TOKEN, WORD, only_a_word, read_token
from cartulary.notation.cgn.writer import CODES, format_game

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags both formats begin with, in the order of PGN's export format."""
_UNKNOWN = {"Date": "????.??.??", "Result": "*"}
_OURS = ("Game", "Edition", "Options", "Rules")
HALF = {"1/2": format_result((1, 1))}
"""A draw as it is often written."""


class OtherFormat(Struct, frozen=True, eq=False):
    """Another format of score sheets.

    name: as typed after ``--format``; title: as people call it
    games: that it is for, as in the tag Game; a record that does not say which is of the first
    endings: of its files, which say nothing of what stands in one
    door: what CGN's reader is told
    sniff(text): whether a text is in this format, by the beginning of its content; never asked of CGN
    read(record): what CGN's reader found, with what the format says otherwise put as CGN has it. What CGN cannot say is
        kept, with a remark; called once a game
    write(record): the text of one game, whose calls are comments. Raises NotationError
    """

    name: str
    title: str
    games: tuple[str, ...]
    endings: tuple[str, ...]
    door: Door
    sniff: Callable[[str], bool]
    read: Callable[[Record], Record]
    write: Callable[[Record], str]


# --- knowing a text ---


def opening(text: str) -> tuple[dict[str, str], str]:
    """Return the tags a text begins with, and the first word of its moves; empty where there is none."""
    tags: dict[str, str] = {}
    at = 0
    while at < len(text):
        if match := TAG.match(text, at):
            tags.setdefault(match[1], match[2])
            at = match.end()
            continue
        end = text.find("\n", at) + 1 or len(text)
        if text[at] != "%" and text[at:end].strip():
            break
        at = end
    for match in TOKEN.finditer(text, at):
        kind, word, *_ = read_token(match[0])
        if kind in (PLAIN, WORD) or (kind == RESULT_TOKEN and only_a_word(word)):
            return tags, word
        if kind == RESULT_TOKEN:
            break
    return tags, ""


# --- reading ---


def of_game(record: Record, game: str) -> Record:
    """Return the record with its tag Game, which the format need not say."""
    return replace(record, tags=(("Game", game), *record.tags))


def unjudged(record: Record, game: str) -> Record:
    """Return the record with the tag Game of one whose rules nobody here knows."""
    return replace(record, tags=(("Game", game), ("Rules", "none"), *record.tags))


def remark(record: Record, because: str, tag: str = "", ply: int = 0) -> Record:
    """Return the record with a remark at a tag, or at a ply."""
    line, column = record.place_of_tag(tag) if tag else record.place(ply)
    problem = Problem(line, column, because, "record.tag" if tag else "cgn.mark", "remark", ply)
    return replace(record, problems=(*record.problems, problem))


def with_termination(record: Record) -> Record:
    """Return the record with its tag Termination in small letters where it is one of those there are."""
    tags = tuple((name, _termination(value) if name == "Termination" else value) for name, value in record.tags)
    return record if tags == record.tags else replace(record, tags=tags)


def _termination(text: str) -> str:
    return text.lower() if text.lower() in TERMINATIONS else text


def with_results(record: Record, results: Mapping[str, str]) -> Record:
    """Return the record with its result, in the tag and after the moves, as CGN has it; remarks say what was found.

    results: by what is written; what looks like a word to CGN's reader is the last one of the line
    """
    written = record.tag("Result")
    if written in results:
        record = remark(record, f"found the result {written}, read as {results[written]}", "Result")
        tags = ((name, results[written] if name == "Result" else value) for name, value in record.tags)
        record = replace(record, tags=tuple(tags))
    line = record.line
    last = line.words[-1] if line.words and not line.result else ""
    if last not in results:
        return record
    ply = len(line.words)
    found = remark(record, f"found the result {last}, read as {results[last]}", ply=ply)
    return replace(found, line=replace(line, words=line.words[:-1], result=results[last]))


def each_line(line: Line, change: Callable[[Line], Line]) -> Line:
    """Return a line and every variation in it, each changed."""
    notes = {}
    for at, note in line.notes.items():
        then = tuple(item if isinstance(item, str) else each_line(item, change) for item in note.then)
        notes[at] = Note(note.glyphs, then)
    return change(replace(line, notes=notes))


# --- writing ---


def export_text(record: Record, more: Iterable[tuple[str, str]] = (), first: tuple[str, ...] = ()) -> str:
    """Return a game in export format: the roster, ``first``, the other tags by name, moves under 80 columns.

    more: tags the format needs and CGN has not
    """
    own = dict(more)
    tags = dict(tag for tag in record.tags if tag[0] not in _OURS and tag[0] not in own)
    result = {"Result": record.result} if record.result else {}
    roster = {name: _UNKNOWN.get(name, "?") for name in ROSTER} | result
    order = {name: at for at, name in enumerate((*ROSTER, *first))}
    again = [tag for at, tag in enumerate(record.tags) if tag[0] in dict(record.tags[:at])]
    return format_game(
        replace(record, tags=(*(roster | tags | own).items(), *again)),
        lambda tag: (0, order[tag[0]], "") if tag[0] in order else (1, 0, tag[0]),
        CODES,
    )
