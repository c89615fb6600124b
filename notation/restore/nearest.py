"""The legal games that lie nearest to a sheet: how many, where they fork, and what was changed in each.

Source: notation.md, "What nobody wrote".
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from cartulary.engine.calls import Call
from cartulary.engine.play import actors
from cartulary.notation.arbiter.gapped import own_game
from cartulary.notation.arbiter.replay import write_word
from cartulary.notation.contract import AnyGame
from cartulary.notation.restore.evidence import LEFT_OUT, SWAPPED, TWICE, SheetEvidence
from cartulary.notation.restore.search import Edge, Node, Search, Spent

SHOWN = 8
"""How many games are told."""
SLIPS = 3
BUDGET = 300_000
"""How many words are judged at most."""


class Change(Struct, frozen=True):
    """A word of a sheet that is another in the game.

    kind: gap, misread, signs, left-out, twice or swapped; ply: in the sheet, of a word left out the one behind it
    at: in the game, of a word written twice the one it repeats
    was, now: None where a word was left out, and where one was written twice
    """

    kind: str
    ply: int
    at: int
    was: str | None
    now: str | None


class NearGame(Struct, frozen=True):
    """A legal game near to sheets. words: in canonical spelling; changes: for each sheet, in order"""

    words: tuple[str, ...]
    changes: tuple[tuple[Change, ...], ...]


Answer: TypeAlias = Literal["legal", "one", "several", "none", "budget"]


class Nearest(Struct, frozen=True):
    """The legal games that lie nearest to sheets.

    answer: ``legal``, nothing is to be restored; ``one``, ``several`` lie nearest; ``none`` within the slips allowed;
        ``budget``, the search was given up
    slips: how many, None where no game was found; count: of the games; games: the first eight
    fork: the ply at which they part, 0 for none, and the words they have there
    judged: how many words were judged
    """

    answer: Answer
    slips: int | None = None
    count: int = 0
    games: tuple[NearGame, ...] = ()
    fork: int = 0
    forks: tuple[str, ...] = ()
    judged: int = 0


def nearest(
    game: AnyGame,
    start: Any,
    sheets: Sequence[SheetEvidence],
    seats: int,
    slips: int = SLIPS,
    budget: int = BUDGET,
    shown: int = SHOWN,
) -> Nearest:
    """Return the legal games that lie nearest to sheets of one game, all of them weighed together.

    start: the state before the first word; slips: at most so many in all; budget: words judged at most; shown: games
    told at most
    What hidden cards leave undecided counts as legal. Of a game that lists a sample of its moves those are tried. Where
    no game leads to a board that was stated, play goes on from it.
    """
    answer = _searched(Search(own_game(game), start, sheets, seats, budget), slips, shown)
    if answer.answer in ("none", "budget") and any(sheet.boards.texts for sheet in sheets):
        answer = _searched(Search(own_game(game), start, sheets, seats, budget, anew=True), slips, shown)
    return answer


def _searched(search: Search, slips: int, shown: int) -> Nearest:
    try:
        for most in range(slips + 1):
            if ends := search.within(most):
                return _answer(search, ends, most, shown)
    except Spent:
        return Nearest("budget", judged=search.judged)
    return Nearest("none", judged=search.judged)


Several: TypeAlias = tuple[Node, ...]
"""The nodes to which the same words lead; one position, and other ways to read the sheets."""


class _Chain(Struct, frozen=True, eq=False):
    """Words from the beginning on, one behind the other. nodes: where they lead; before: all but the last of them"""

    nodes: Several
    move: Any = None
    before: "_Chain | None" = None


def _answer(search: Search, ends: list[Node], slips: int, shown: int) -> Nearest:
    onward, root = _onward(ends)
    final = frozenset(id(node) for node in ends)
    count, fork = _counted(onward, root, final)
    chains, parted = _chains(onward, root, final, fork, shown)
    games = tuple(_near(search, chain, final) for chain in chains)
    forks = tuple(dict.fromkeys(_spelled(search.game, _edge(chain), chain.nodes[0]) for chain in parted))
    changed = slips or any(any(game.changes) for game in games)
    answer: Answer = "several" if count > 1 else "one" if changed else "legal"
    return Nearest(answer, slips, count, games, fork, forks, search.judged)


def _counted(onward: "Onward", root: Node, final: frozenset[int]) -> tuple[int, int]:
    """Return how many games there are, each once however it can be read, and the ply at which they part."""
    level: dict[tuple[int, ...], tuple[Several, int]] = {(id(root),): ((root,), 1)}
    count = parts = ply = 0
    while level:
        ply += 1
        next_level: dict[tuple[int, ...], tuple[Several, int]] = {}
        branches = 0
        for key, (nodes, ways) in level.items():
            if not final.isdisjoint(key):
                count += ways
                branches += 1
            for after in _branches(onward, nodes).values():
                branches += 1
                new = tuple(sorted(map(id, after)))
                next_level[new] = after, ways + (next_level[new][1] if new in next_level else 0)
        if not parts and branches > 1:
            parts = ply
        level = next_level
    return count, parts


def _chains(
    onward: "Onward", root: Node, final: frozenset[int], fork: int, shown: int
) -> tuple[list[_Chain], list[_Chain]]:
    """Return the first games, and how all begin up to the ply at which they part."""
    chains, games, parted, ply = [_Chain((root,))], list[_Chain](), list[_Chain](), 0
    while chains:
        games += (chain for chain in chains if any(id(node) in final for node in chain.nodes))
        ply += 1
        chains = [
            _Chain(after, move, chain) for chain in chains for move, after in _branches(onward, chain.nodes).items()
        ]
        if ply == fork:
            parted = list(chains)
        del chains[shown:]
    return games[:shown], parted


Onward: TypeAlias = dict[int, list[tuple[Any, Node]]]


def _onward(ends: Iterable[Node]) -> tuple[Onward, Node]:
    """Return the moves that lead on from each node towards an end, and the node before the first."""
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
    """Return by move the nodes to which it leads."""
    by_move: dict[Any, dict[int, Node]] = {}
    for node in nodes:
        for move, after in onward.get(id(node), ()):
            by_move.setdefault(move, {})[id(after)] = after
    return {move: tuple(after.values()) for move, after in by_move.items()}


def _edge(chain: _Chain, node: Node | None = None) -> Edge:
    """Return the last move of a chain with one way in which it stands in the sheets. node: where it leads"""
    assert chain.before is not None
    before = set(map(id, chain.before.nodes))
    edges = (node or chain.nodes[0]).edges
    return next(edge for edge in edges if id(edge.before) in before and edge.move == chain.move)


def _near(search: Search, chain: _Chain, final: frozenset[int]) -> NearGame:
    """Return a game with its words and what it changes."""
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
    """Return a move in its one spelling."""
    move, state = edge.move, edge.before.state
    if type(move) is not Call:
        return write_word(game, move, state, after.state)
    return move.word if move.seat == next(iter(actors(game, state)), 1) else f"p{move.seat}/{move.word}"


def _changes(sheet: Sequence[str], read: Iterable[tuple[int, str]], words: Sequence[str]) -> Iterator[Change]:
    """Yield what of a sheet is another in the game. read: for each of its words the place in the sheet, and the slip"""
    for at, (place, kind) in enumerate(read, 1):
        ply, now = (place >> 1) + 1, words[at - 1]
        if kind == LEFT_OUT:
            yield Change(kind, ply, at, None, now)
        elif kind == TWICE:
            yield Change(kind, ply + 1, at, sheet[ply], None)
        elif kind == SWAPPED:
            yield Change(kind, ply, at, f"{sheet[ply - 1]} {sheet[ply]}", f"{now} {words[at]}")
        elif kind:
            yield Change(kind, ply, at, sheet[ply - 1], now)
