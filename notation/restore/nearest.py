"""The legal games nearest to a sheet: how many there are, where they fork, and what is changed in each.

The search gives a graph and not a list of games: a node is a position together with how far each sheet is read, and
several edges may lead to it. One game can be read from the sheets in several ways, which must count once. So nodes are
followed in groups: all nodes that the same moves lead to form one group, and paths of groups are games.

    nodes   A B C read to word 3, and A B C read to word 4      two explanations of the sheet by the same moves
    group   both of them, because the moves A B C lead to both
    games   one, although two paths of nodes lead through the group

Invariant: a sequence of moves leads to exactly one group. So counting the sequences that reach a group with an end in
it counts games. Several sequences may lead to one group; then their numbers add up.

Source: notation.md, "What nobody wrote".
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine import Refused
from cartulary.engine.calls import Call
from cartulary.engine.play import actors
from cartulary.notation.arbiter.boards import start_of
from cartulary.notation.arbiter.canonical import canonical
from cartulary.notation.arbiter.gapped import own_game
from cartulary.notation.arbiter.heading import read_heading
from cartulary.notation.arbiter.replay import write_word
from cartulary.notation.cgn.commands import format_command, quote_text
from cartulary.notation.cgn.record import Line, NotationError, Note, Record
from cartulary.notation.contract import AnyGame
from cartulary.notation.restore.evidence import LEFT_OUT, SWAPPED, TWICE, SheetEvidence, evidence_of
from cartulary.notation.restore.search import Edge, Node, Search, Spent
from cartulary.notation.unjudged import nobody_judges

MOST_SHOWN = 8
"""The number of games that are listed."""
SLIPS = 3
BUDGET = 300_000
"""The largest number of words that are judged."""


class Change(Struct, frozen=True):
    """A word that is different in the sheet and in the game.

    Attributes:
        kind: The slip: gap, misread, signs, left-out, twice or swapped.
        ply: The ply in the sheet; for a word that was left out, the ply before which it is missing.
        at: The ply in the game; for a word that was written twice, the one it repeats.
        was: The word in the sheet; None if it was left out.
        now: The word in the game; None if the sheet has it twice.
    """

    kind: str
    ply: int
    at: int
    was: str | None
    now: str | None


class NearGame(Struct, frozen=True):
    """A legal game near to some sheets.

    Attributes:
        words: Its words, in canonical spelling.
        changes: For each sheet, what is different in it, in order.
    """

    words: tuple[str, ...]
    changes: tuple[tuple[Change, ...], ...]


Answer: TypeAlias = Literal["legal", "one", "several", "none", "budget"]


class Nearest(Struct, frozen=True):
    """The legal games nearest to some sheets.

    Attributes:
        answer: ``legal`` if nothing needs restoring, ``one`` or ``several`` games, ``none`` within the slips allowed,
            or ``budget`` if the search was given up.
        slips: The number of slips; None if no game was found.
        count: The number of games.
        games: The first eight games.
        fork: The ply at which the games fork, 0 for none.
        forks: The words they have there.
        words_judged: The number of words that were judged.
    """

    answer: Answer
    slips: int | None = None
    count: int = 0
    games: tuple[NearGame, ...] = ()
    fork: int = 0
    forks: tuple[str, ...] = ()
    words_judged: int = 0


def nearest(
    game: AnyGame,
    start: Any,
    sheets: Sequence[SheetEvidence],
    seats: int,
    slips: int = SLIPS,
    budget: int = BUDGET,
    limit: int = MOST_SHOWN,
) -> Nearest:
    """Find the legal games nearest to all sheets of one game together.

    A move that hidden cards leave undecided counts as legal. If a game lists only a sample of its moves, only those are
    tried. If no game leads to a stated board, the search is made again, and play goes on from the board.

    Args:
        game: The game.
        start: The state before the first word.
        sheets: What the sheets say.
        seats: The number of seats.
        slips: The largest number of slips in all sheets together.
        budget: The largest number of words to judge.
        limit: The largest number of games to list.
    """
    answer = _searched(Search(own_game(game), start, sheets, seats, budget), slips, limit)
    if answer.answer in ("none", "budget") and any(sheet.boards.texts for sheet in sheets):
        answer = _searched(Search(own_game(game), start, sheets, seats, budget, from_boards=True), slips, limit)
    return answer


def _searched(search: Search, slips: int, limit: int) -> Nearest:
    """Return the games with the fewest slips, allowing 0, 1, 2 … up to ``slips``.

    The answer is ``budget`` if too many words had to be judged, and ``none`` if no game was found. ``limit`` is the
    largest number of games to list.
    """
    try:
        for most in range(slips + 1):
            if ends := search.within(most):
                return _answer(search, ends, most, limit)
    except Spent:
        return Nearest("budget", words_judged=search.words_judged)
    return Nearest("none", words_judged=search.words_judged)


Several: TypeAlias = tuple[Node, ...]
"""The nodes to which the same moves lead: one position, with the different ways to read the sheets so far."""


class _Chain(Struct, frozen=True, eq=False):
    """Moves from the beginning on as a linked list: the nodes they lead to, the last move, and the chain before it."""

    nodes: Several
    move: Any = None
    before: "_Chain | None" = None


def _answer(search: Search, ends: list[Node], slips: int, limit: int) -> Nearest:
    """Return the answer of a search that ended at these nodes, at least one, with so many slips of the pen.

    It counts the games, lists at most ``limit`` of them, and says at which ply they fork.
    """
    onward, root = _onward(ends)
    final = frozenset(id(node) for node in ends)
    count, fork = _counted(onward, root, final)
    chains, parted = _chains(onward, root, final, fork, limit)
    games = tuple(_near(search, chain, final) for chain in chains)
    forks = tuple(dict.fromkeys(_spelled(search.game, _edge(chain), chain.nodes[0]) for chain in parted))
    changed = slips or any(any(game.changes) for game in games)
    answer: Answer = "several" if count > 1 else "one" if changed else "legal"
    return Nearest(answer, slips, count, games, fork, forks, search.words_judged)


def _counted(onward: "Onward", root: Node, final: frozenset[int]) -> tuple[int, int]:
    """Return the number of games, however many ways there are to read each, and the ply at which they fork.

    The ply is 0 if there is one game.
    """
    level: dict[tuple[int, ...], tuple[Several, int]] = {(id(root),): ((root,), 1)}
    count = parts = ply = 0
    while level:
        ply += 1
        next_level: dict[tuple[int, ...], tuple[Several, int]] = {}
        branches = 0
        for key, (nodes, sequences) in level.items():
            if not final.isdisjoint(key):
                count += sequences
                branches += 1
            for after in _branches(onward, nodes).values():
                branches += 1
                new = tuple(sorted(map(id, after)))
                next_level[new] = after, sequences + (next_level[new][1] if new in next_level else 0)
        if not parts and branches > 1:
            parts = ply
        level = next_level
    return count, parts


def _chains(
    onward: "Onward", root: Node, final: frozenset[int], fork: int, limit: int
) -> tuple[list[_Chain], list[_Chain]]:
    """Return the first games, at most ``limit``, as chains of moves, and the chains up to where the games fork.

    The second are empty if ``fork``, the ply, is 0. A chain is a linked list of moves, the last one first.

    Args:
        onward: The moves that lead on from each node, by its id.
        root: The node of the first position.
        final: The ids of the nodes that end a game.
        fork: The ply at which the games fork; 0 if there is one game.
        limit: The largest number of games.
    """
    chains, games, parted, ply = [_Chain((root,))], list[_Chain](), list[_Chain](), 0
    while chains:
        games += (chain for chain in chains if any(id(node) in final for node in chain.nodes))
        ply += 1
        chains = [
            _Chain(after, move, chain) for chain in chains for move, after in _branches(onward, chain.nodes).items()
        ]
        if ply == fork:
            parted = list(chains)
        del chains[limit:]
    return games[:limit], parted


Onward: TypeAlias = dict[int, list[tuple[Any, Node]]]


def _onward(ends: Iterable[Node]) -> tuple[Onward, Node]:
    """Return the moves that lead on from each node towards an end, and the root, the node of the first position.

    The moves are kept by the id of the node, each with the node it leads to. Edges point back to the node before, so
    only nodes from which an end is reached are visited.
    """
    edges: Onward = {}
    waiting = list(ends)
    visited = set(map(id, waiting))
    root = waiting[0]
    while waiting:
        node = waiting.pop()
        if not node.edges:
            root = node
        for edge in node.edges:
            edges.setdefault(id(edge.before), []).append((edge.move, node))
            if id(edge.before) not in visited:
                visited.add(id(edge.before))
                waiting.append(edge.before)
    return edges, root


def _branches(onward: Onward, nodes: Several) -> dict[Any, Several]:
    """Return by move the nodes to which it leads from a group of nodes, each node once; empty at the end of all games.

    A group has all nodes that the same moves lead to; ``onward`` has the moves that lead on from each node.
    """
    by_move: dict[Any, dict[int, Node]] = {}
    for node in nodes:
        for move, after in onward.get(id(node), ()):
            by_move.setdefault(move, {})[id(after)] = after
    return {move: tuple(after.values()) for move, after in by_move.items()}


def _edge(chain: _Chain, node: Node | None = None) -> Edge:
    """Return the edge of a chain's last move: to ``node``, by default the first of its nodes.

    The chain must have a move.
    """
    assert chain.before is not None
    before = set(map(id, chain.before.nodes))
    edges = (node or chain.nodes[0]).edges
    return next(edge for edge in edges if id(edge.before) in before and edge.move == chain.move)


def _near(search: Search, chain: _Chain, final: frozenset[int]) -> NearGame:
    """Return the game of a chain of moves: its words, and what it changes in each sheet.

    ``final`` has the ids of the nodes that end a game; the chain must lead to one of them.
    """
    node = next(node for node in chain.nodes if id(node) in final)
    edges: list[tuple[Edge, Node]] = []
    while chain.before is not None:
        edge = _edge(chain, node)
        edges.append((edge, node))
        chain, node = chain.before, edge.before
    edges.reverse()
    words = tuple(_spelled(search.game, edge, after) for edge, after in edges)
    changes = tuple(
        tuple(_changes(sheet.words, [(edge.before.places[at], edge.kinds[at]) for edge, _ in edges], words))
        for at, sheet in enumerate(search.sheets)
    )
    return NearGame(words, changes)


def _spelled(game: AnyGame, edge: Edge, after: Node) -> str:
    """Return the move of an edge in canonical spelling, with its prefix if it needs one.

    ``after`` is the node to which it leads.
    """
    move, state = edge.move, edge.before.state
    if type(move) is not Call:
        return write_word(game, move, state, after.state)
    return move.word if move.seat == next(iter(actors(game, state)), 1) else f"p{move.seat}/{move.word}"


def _changes(sheet: Sequence[str], slips: Iterable[tuple[int, str]], words: Sequence[str]) -> Iterator[Change]:
    """Yield where a sheet differs from a game.

    Args:
        sheet: The words of the sheet.
        slips: For each word of the game its place in the sheet and the slip there, empty for none.
        words: The words of the game.
    """
    for at, (place, kind) in enumerate(slips, 1):
        ply, now = (place >> 1) + 1, words[at - 1]
        if kind == LEFT_OUT:
            yield Change(kind, ply, at, None, now)
        elif kind == TWICE:
            yield Change(kind, ply + 1, at, sheet[ply], None)
        elif kind == SWAPPED:
            yield Change(kind, ply, at, f"{sheet[ply - 1]} {sheet[ply]}", f"{now} {words[at]}")
        elif kind:
            yield Change(kind, ply, at, sheet[ply - 1], now)


def restore(record: Record, *others: Record, slips: int = SLIPS, budget: int = BUDGET) -> Nearest:
    """Find the legal games that differ least from a record.

    A record of a game that nobody judges is its own nearest game.

    Args:
        record: The record; words may be missing (``~``), misread, swapped, left out or written twice.
        others: Further sheets of the same game, which count together with it.
        slips: The largest number of slips of the pen to assume, on average over the sheets.
        budget: The largest number of words to judge before giving up.

    Returns:
        How many games are nearest, the first of them, and where they differ.

    Raises:
        NotationError: If the tags set up no game.

    Source: notation.md, "What nobody wrote".
    """
    heading = read_heading(record)
    if heading.game is None or heading.sheet is None:
        raise NotationError(heading.because, key="record.tag", tag=heading.fault)
    if nobody_judges(heading.game):
        return Nearest("legal", 0, 1, (NearGame(record.line.words, ((),) * (1 + len(others))),))
    start = start_of(record, heading)
    if isinstance(start, Refused):
        raise NotationError(start.because, key=start.clause.key, tag=heading.game.setup_tag)
    sheets = tuple(evidence_of(sheet, read_heading(sheet)) for sheet in (record, *others))
    return nearest(heading.game, start.state, sheets, heading.sheet.seats, slips * len(sheets), budget)


def restored_record(record: Record, game: NearGame) -> Record:
    """Return a record with the words of a near game, each changed word marked ``[%restored "old"]``.

    Comments and variations stay with their words; those of a word that was written twice go to the word it repeats.

    Args:
        record: The record as written.
        game: One of the games that ``restore`` has found for it.

    Returns:
        The restored record, in canonical spelling.
    """
    changes = game.changes[0]
    notes: dict[int, Note] = {}
    for ply, note in record.line.notes.items():
        at = _moved(ply, changes)
        old = notes.get(at, Note())
        notes[at] = Note((*old.glyphs, *note.glyphs), (*old.items, *note.items))
    for at, was in marks(changes).items():
        old = notes.get(at, Note())
        notes[at] = Note(old.glyphs, (*old.items, format_command("restored", quote_text(was))))
    line = Line(game.words, notes, {}, record.line.result)
    return canonical(replace(record, line=line))


def marks(changes: Sequence[Change]) -> dict[int, str]:
    """Return what the sheet had in place of each changed word, by ply of the game.

    It is empty for a word that the sheet left out; words that it has twice are not in the answer.
    """
    words: dict[int, str] = {}
    for change in changes:
        if change.kind == SWAPPED:
            assert change.was is not None
            words[change.at], words[change.at + 1] = change.was.split()
        elif change.kind != TWICE:
            words[change.at] = change.was or ""
    return words


def _moved(ply: int, changes: Sequence[Change]) -> int:
    """Return the ply of the game at which a ply of the sheet stands.

    It is later by each word that the sheet left out up to there, and earlier by each that it has twice.
    """
    before = [change.kind for change in changes if change.ply <= ply]
    return ply + before.count(LEFT_OUT) - before.count(TWICE)
