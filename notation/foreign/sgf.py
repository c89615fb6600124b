"""SGF, Smart Game Format: the tree of a game of any kind, its markup and its properties.

A node that makes a move is a word; the properties beside it are commands in its comment, ``[%sgf TR "aa" "bb"]``, and a
node without a move begins with ``[%sgf]``. Properties of the root are tags under their own names, but for those CGN has
names for; XGAME, XTAG and XNAG hold what SGF has no property for. Written once, a file comes back byte for byte.

Source: SGF FF[4], red-bean.com/sgf.
"""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote, unquote

from msgspec import Struct, field
from msgspec.structs import replace

from cartulary.engine.numbers import SEAT
from cartulary.notation.cgn.commands import commands_in, format_command, quote_text
from cartulary.notation.cgn.record import Line, NotationError, Note, Problem, Record
from cartulary.notation.cgn.scanner import MAX_DEPTH, Source
from cartulary.notation.cgn.signs import PREFIX
from cartulary.notation.foreign.contract import OtherFormat

GAMES = {
    "1": "Go",
    "2": "Othello",
    "3": "Chess in SGF",
    "4": "Gomoku",
    "5": "Nine Men's Morris in SGF",
    "6": "Backgammon",
    "7": "Chinese chess",
    "8": "Shogi",
    "9": "Lines of Action",
    "10": "Ataxx",
    "11": "Hex",
}
"""What the property GM says."""
PASS = "pass"
_TAGS = {"EV": "Event", "PC": "Site", "RO": "Round", "AN": "Annotator", "DT": "Date"}
_NAMES = {name: ident for ident, name in _TAGS.items()}
_OWN = ("GM", "FF", "CA")
_COLOURS = "BW"
"""The colours of the two seats in their order, unless the first of them plays White."""
_SEATS_TAG = "Seats"
"""The tag, in XTAG alone, that names the tags of a game's seats, such as ``White Black``."""
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_IDENT = re.compile("[A-Z]+")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_PREFIX = re.compile(f"{SEAT}/(.*)", re.DOTALL)
_NO_WORD = re.compile(r"[\s{}();$%~]")
"""What no word of CGN may hold; it is written as in addresses of the web, a blank as %20."""
_WIDTH = 78
Property = tuple[str, tuple[str, ...]]
"""An identifier and its values, with their escapes as written."""


class TreeNode(Struct):
    """A node of the tree; the first of its children continues the main line."""

    properties: list[Property] = field(default_factory=list)
    children: "list[TreeNode]" = field(default_factory=list)

    def value(self, ident: str) -> str | None:
        """Return the first value of a property, as written with its escapes.

        None if the node does not have the property, or if that has no value.
        """
        return next((values[0] for name, values in self.properties if name == ident and values), None)


# --- text to trees ---


def opens(head: bytes) -> bool:
    """Say whether a file, of which ``head`` has the first bytes, begins as SGF does, with ``(;`` and a property."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*\(\s*;\s*[A-Za-z]", head) is not None


def _trees(text: str) -> Iterator[tuple[TreeNode, int, int, list[int]]]:
    """Yield each game of a collection: (root, begin, end, offsets of nodes after a variation).

    Its text begins and ends at these offsets. SGF allows no node after a variation; it is read as one more variation.

    Raises:
        NotationError: If the text cannot be read as SGF; games before that have been yielded.
    """
    at, stack, begins = 0, [TreeNode()], 0
    behind: list[int] = []
    current: TreeNode = stack[0]
    while match := _TOKEN.match(text, at):
        sign, ident, value = match.groups()
        if sign == "(":
            begins = begins if len(stack) > 1 else match.start(1)
            stack.append(current)
        elif sign == ")":
            if len(stack) == 1:
                raise unread(text, match.start(1), "( before )")
            current = stack.pop()
            if len(stack) == 1:
                yield from ((root, begins, match.end(), behind) for root in current.children[-1:])
                current = stack[0] = TreeNode()
                behind = []
        elif len(stack) == 1:
            break
        elif sign == ";":
            if current.children and text[:at].rstrip().endswith(")"):
                behind.append(match.start(1))
            current.children.append(TreeNode())
            current = current.children[-1]
        elif ident is not None:
            current.properties.append(("".join(filter(str.isupper, ident)) or ident.upper(), ()))
        elif current.properties:
            name, values = current.properties[-1]
            current.properties[-1] = (name, (*values, value))
        else:
            raise unread(text, match.start(), "a property such as B before its value")
        at = match.end()
    if len(stack) > 1:
        raise unread(text, at, "a property, a node or ) before the end")


def unread(text: str, at: int, expected: str) -> NotationError:
    """Return (not raise) the error that something else was expected at an offset of a text; it quotes 12 characters."""
    line = text.count("\n", 0, at) + 1
    excerpt = text[at : at + 12].strip() or "the end of the text"
    return NotationError(f"found {excerpt!r}, expected {expected}", at - text.rfind("\n", 0, at), line=line)


def _decoded(data: bytes) -> str:
    """Return the text of a file with plain line ends: in UTF-8, else as its property CA says, else in Windows-1252.

    If that fails too it is read as Latin-1, so that nothing raises.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        named = re.search(rb"CA\[([\w.:-]{1,20})\]", data)
        try:
            text = data.decode(named[1].decode() if named else "cp1252")
        except (LookupError, UnicodeDecodeError):
            text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def records(data: bytes) -> Iterator[Record]:
    """Yield the games of a collection; if it cannot be read to its end, the rest is a record with an error.

    Nothing is raised. A node after a variation, which SGF does not allow, is a remark in its record.
    """
    text = _decoded(data)
    index, end = 0, 0
    try:
        for index, (root, begin, end, behind) in enumerate(_trees(text), 1):
            record = _record(root, text[begin:end], text.count("\n", 0, begin) + 1, index)
            faults = tuple(unread(text, at, ") after variations; read as one variation more") for at in behind)
            remarks = (Problem(fault.line, fault.column, fault.because, severity="remark") for fault in faults)
            yield replace(record, problems=(*record.problems, *remarks))
    except NotationError as fault:
        rest = Source(text[end:], text.count("\n", 0, end) + 1, len(text) - end, format=SGF.name)
        problem = Problem(fault.line, fault.column, fault.because)
        tags = (("Game", GAMES["1"]), ("Rules", "none"))
        yield Record(tags, Line(), tail=text[end:].strip(), problems=(problem,), index=index + 1, source=rest)


# --- trees to records ---


def _plain(value: str) -> str:
    """Return a value without escapes, with each run of white space as one blank and none at its ends."""
    return " ".join(re.sub(r"\\(\n|.)", lambda sign: sign[1].strip("\n"), value, flags=re.DOTALL).split())


def _raw(text: str) -> str:
    """Return a text as a value, with a backslash before each backslash and closing bracket."""
    return re.sub(r"[\\\]]", r"\\\g<0>", text)


def _record(root: TreeNode, text: str, line: int, index: int) -> Record:
    """Return the record of a game.

    Args:
        root: The root of its tree, which keeps only the properties that are no tags.
        text: Its text.
        line: The line at which that begins, from 1.
        index: Its number in the collection, from 1.
    """
    number = (root.value("GM") or "1").strip()
    own = _plain(root.value("XGAME") or "")
    tags = [("Game", own)] if own else [("Game", GAMES.get(number, f"the game {number} of SGF")), ("Rules", "none")]
    listed = (values for ident, values in root.properties if ident == "XTAG")
    more = {name: value for values in listed for name, _, value in (_plain(pair).partition(":") for pair in values)}
    seats = more.pop(_SEATS_TAG, "Seat1 Seat2").split()
    colours = _colours(seats)
    players = {f"P{colour}": seat for colour, seat in zip(colours, seats, strict=False)}
    here = []
    for ident, values in root.properties:
        if ident in (*_OWN, "XGAME", "XTAG") or (own and ident == "RE") or not values:
            continue
        if ident in ("C", "B", "W", "XNAG"):
            here.append((ident, values))
        elif ident in players:
            tags.append((players[ident], _plain(values[0])))
        elif ident in _TAGS:
            tags.append((_TAGS[ident], _DATE.sub(r"\1.\2.\3", _plain(values[0]))))
        else:
            tags.append((ident, _plain(values[0]) if len(values) == 1 else "".join(f"[{value}]" for value in values)))
    tags += more.items()
    stated = _plain(root.value("RE") or "")
    result = _result(stated, colours)
    if stated:
        tags.append(("Result", result))
    root.properties = here
    words, notes = _line(root, 0, colours)
    source = Source(text, line, len(text), format=SGF.name)
    return Record(tuple(tags), Line(words, notes, {}, result), index=index, source=source)


def _colours(seats: Sequence[str]) -> str:
    """Return the letters of the two seats' colours in seat order: ``WB`` if the first tag is White, else ``BW``.

    ``seats`` has the tags that name the players.
    """
    return _COLOURS[::-1] if seats[:1] == ["White"] else _COLOURS


def _result(text: str, colours: str) -> str:
    """Return a property RE as a result: ``B+3.5`` -> ``1-0`` if Black is the first seat; ``*`` if it says nothing."""
    if text[:2] in ("B+", "W+"):
        return "1-0" if text[0] == colours[0] else "0-1"
    return "1/2-1/2" if text.lower() in ("0", "draw", "jigo") else "*"


def _line(node: TreeNode, spoke: int, colours: str, depth: int = 0) -> tuple[tuple[str, ...], dict[int, Note]]:
    """Return the words and notes of the main line from a node on.

    Args:
        node: The first node of the line.
        spoke: The seat that made the move before it, 0 for none.
        colours: The letters of the seats' colours, in seat order.
        depth: How many variations the line is nested in.

    Raises:
        NotationError: Variations are nested too deeply, or a move is none.
    """
    if depth > MAX_DEPTH:
        raise NotationError(f"found variations nested too deeply, expected at most {MAX_DEPTH} levels")
    words: list[str] = []
    notes: dict[int, list[str | Line]] = {}
    glyphs: dict[int, tuple[int, ...]] = {}
    siblings: list[TreeNode] = []
    root = not depth
    while True:
        before = spoke
        moves = [(ident, values) for ident, values in node.properties if ident in tuple(colours)]
        move = moves[0] if len(moves) == 1 and len(moves[0][1]) == 1 else None
        if move is not None:
            seat = colours.index(move[0]) + 1
            prefix = "" if seat == (spoke % 2) + 1 else f"p{seat}/"
            words.append(prefix + _word(move[1][0]))
            spoke = seat
        note = notes.setdefault(len(words), [])
        if move is None and not root:
            note.append("[%sgf]")
        for ident, values in node.properties:
            if (ident, values) == move:
                continue
            if ident == "XNAG":
                glyphs[len(words)] = tuple(int(value) for value in values if value.isdecimal() and len(value) < 4)
                continue
            plain = _plain(values[0]) if values else ""
            if ident == "C" and "}" not in plain and not plain.startswith("[%sgf"):
                note += [plain] if plain else []
            else:
                note.append(format_command("sgf", ident, *map(quote_text, map(_one_line, values))))
        note += [Line(*_line(sibling, before, colours, depth + 1)) for sibling in siblings]
        if not node.children:
            break
        node, siblings, root = node.children[0], node.children[1:], False
    noted = {at: Note(glyphs.get(at, ()), tuple(items)) for at, items in notes.items()}
    return tuple(words), {at: note for at, note in noted.items() if note.glyphs or note.items}


def _one_line(value: str) -> str:
    """Return a value with each run of white space as one blank; escapes stay."""
    return " ".join(value.split())


def _word(value: str) -> str:
    """Return the word for a move's value; an empty one and ``tt`` are ``pass``.

    Characters that no word of CGN may hold are written as in addresses of the web: a blank is ``%20``.
    """
    value = _plain(value)
    return _NO_WORD.sub(lambda sign: quote(sign[0], safe=""), value) if value not in ("", "tt") else PASS


# --- records to text ---


def write(record: Record) -> str:
    """Return one game as a tree of SGF; its words are moves of two seats, and each begins with ``;`` and a colour.

    Players, event and the like become properties; tags that SGF has no property for are kept in XTAG.

    Raises:
        NotationError: A word is that of a third seat, or a move that nobody wrote.
    """
    title = record.tag("Game")
    number = next((number for number, name in GAMES.items() if name == title), "")
    head = [("GM", number)] if number else [("GM", "0"), ("XGAME", _raw(title))]
    head += [("FF", "4"), ("CA", "UTF-8")]
    properties = "".join(f"{ident}[{value}]" for ident, value in head)
    seats = record.tag(_SEATS_TAG, "Seat1 Seat2").split()
    colours, more = _colours(seats), ""
    idents = _NAMES | {f"Seat{seat}": f"P{colour}" for seat, colour in enumerate(colours, 1)}
    for name, value in sorted(record.tags):
        ident = idents.get(name, name)
        if name in ("Game", "Result") or (name == "Rules" and number):
            continue
        if not _IDENT.fullmatch(ident):
            more += f"[{name}:{_raw(value)}]"
            continue
        if ident == "DT":
            value = re.sub(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})", r"\1-\2-\3", value)
        listed = re.fullmatch(r"(?:\[(?:[^\]\\]|\\.)*\])+", value)
        properties += f"{ident}{value if listed else f'[{_raw(value)}]'}"
    results = {"1-0": f"{colours[0]}+", "0-1": f"{colours[1]}+", "1/2-1/2": "Draw"}
    if not record.tag("RE") and (stated := results.get(record.result)):
        properties += f"RE[{stated}]"
    properties += f"XTAG{more}" if more else ""
    return _wrapped([f"(;{properties}", *_nodes(record.line, 0, colours, root=True), ")"])


def _nodes(line: Line, spoke: int, colours: str, root: bool = False) -> Iterator[str]:
    """Yield the nodes of a line in order, each variation after the line it branches from.

    Args:
        line: The line.
        spoke: The seat that moved before it, 0 for none.
        colours: The letters of the seats' colours, in seat order.
        root: Whether the first properties belong to the root, which has been written already.
    """
    branches: list[tuple[list[Line], int]] = []
    for at in range(len(line.words) + 1):
        before = spoke
        node = ""
        if at:
            spoke, move = _move(line.words[at - 1], spoke, colours)
            node = f";{move}"
        for place, (properties, variations) in enumerate(_grouped(line.notes.get(at, Note()))):
            text = "".join(properties)
            if place or not (at or root):
                node = f";{text}" if place else ""
            else:
                node += text
            if variations:
                yield "("
                branches.append((variations, spoke if place else before))
            if node:
                yield node
    for variations, before in reversed(branches):
        yield ")"
        for variation in variations:
            yield "("
            yield from _nodes(variation, before, colours)
            yield ")"


def _move(word: str, spoke: int, colours: str) -> tuple[int, str]:
    """Return the seat of a word and the property of its move: ``p2/dd`` -> ``(2, "W[dd]")``.

    ``spoke`` is the seat of the word before, 0 for none.

    Raises:
        NotationError: If SGF has no move for the word.
    """
    prefixed = _PREFIX.fullmatch(word)
    seat, bare = (int(prefixed[1]), prefixed[2]) if prefixed else (spoke % 2 + 1, word)
    if seat > len(_COLOURS) or bare == "~" or PREFIX.match(bare):
        raise NotationError(f"SGF has no word for {word!r}; use CGN, which has one")
    return seat, f"{colours[seat - 1]}[{'' if bare == PASS else _raw(unquote(bare))}]"


def _grouped(note: Note) -> Iterator[tuple[list[str], list[Line]]]:
    """Yield (properties, variations) for each node that a note holds: first the node of the word itself.

    ``[%sgf]`` begins the next node. Glyphs become ``XNAG``, and comments ``C``.
    """
    own = ["XNAG" + "".join(f"[{code}]" for code in note.glyphs)] if note.glyphs else []
    variations: list[Line] = []
    for item in note.items:
        if isinstance(item, Line):
            variations.append(item)
            continue
        command = next(commands_in(item), None) if item.startswith("[%sgf") else None
        if command is None:
            own.append(f"C[{_raw(item)}]")
        elif not command.words:
            yield own, variations
            own, variations = [], []
        else:
            own.append(command.words[0] + "".join(f"[{value}]" for value in command.texts))
    yield own, variations


def _wrapped(parts: list[str]) -> str:
    """Return the parts of a text in lines of at most 78 characters, each ended by a line break.

    No part is divided, so a longer one makes a longer line.
    """
    lines, current = [], ""
    for part in parts:
        if current and len(current) + len(part) > _WIDTH:
            lines.append(current)
            current = ""
        current += part
    return "\n".join((*lines, current)) + "\n"


SGF = OtherFormat(
    "sgf",
    "SGF",
    (),
    (".sgf",),
    is_move=lambda word: False,
    shows=lambda tags, word: False,
    read=lambda record: record,
    write=write,
    opens=opens,
    records=records,
)
