"""The search for the legal games nearest to one sheet, or to several together, layer by layer of slips.

A node is a position together with how far each sheet has been read. From every node the words are followed as they
stand, as far as they are legal, and one more slip leads to the next layer:

    layer 0   A B         C is not legal here
    layer 1   A B X, …    C was misread, or a word was left out before it, or B stands twice, …

Invariant: a node keeps only the edges that reach it with the fewest slips, so the first layer with an end in it has all
nearest games. A lower bound for the slips of the rest (``LowerBound``) keeps hopeless nodes out of the layers.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from msgspec import Struct

from cartulary.engine import Calls, Refused
from cartulary.engine.calls import NO_CALLS, Call, after_move
from cartulary.engine.contract import PlayResult, Unclear
from cartulary.notation.arbiter.boards import take_board
from cartulary.notation.arbiter.gap_play import GapPlay
from cartulary.notation.arbiter.replay import read_word, step_of
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.contract import AnyGame
from cartulary.notation.restore.evidence import MENDING, LowerBound, Option, SheetEvidence, SheetWords

ReachedNodes = dict[Any, tuple[Any, Calls]]
"""Moves, each with the state and the calls after it."""


class Edge(Struct, frozen=True, eq=False):
    """A move that leads to a node, with the slip that explains it in each sheet, empty for none."""

    before: "Node"
    move: Any
    kinds: tuple[str, ...]


class Node(Struct, eq=False):
    """A position, how far each sheet is read there, and the moves that lead to it with the fewest slips.

    ``lost_words`` is the least number of words after it that can never be legal any more.
    """

    places: tuple[int, ...]
    state: Any
    calls: Calls
    slips: int
    lost_words: int
    edges: list[Edge]


class Spent(Exception):
    """Raised when the budget is spent."""


class Search:
    """The legal games that lie near to sheets of one game."""

    def __init__(
        self,
        game: AnyGame,
        start: Any,
        sheets: Sequence[SheetEvidence],
        seats: int,
        budget: int,
        from_boards: bool = False,
    ) -> None:
        """Prepare a search from the state before the first word, which may judge ``budget`` words.

        With ``from_boards``, play goes on from a stated board even if no moves lead to it.
        """
        self.game, self.start, self.seats, self.budget = game, start, seats, budget
        self.sheets = tuple(SheetWords(game, start, sheet, seats, len(sheets) == 1) for sheet in sheets)
        self.bounds = tuple(LowerBound(game, start, sheet, seats) for sheet in self.sheets)
        self.ends = tuple(sheet.end for sheet in self.sheets)
        self.words_judged = 0
        self._same = GapPlay(game).same
        self._from_boards, self._boards = from_boards, any(sheet.boards.texts for sheet in sheets)
        self._lenient = any(sheet.irregular_plies for sheet in sheets)
        self._by_turns = self.bounds[0].by_turns
        self._nodes: dict[Any, Node] = {}
        self._layers: list[list[Node]] = []

    def within(self, most: int) -> list[Node]:
        """Return the ends of all legal games of exactly so many slips of the pen; there must be none with fewer.

        An end is a node at which every sheet is read to its end; its edges lead back through the games. Empty if there
        is no such game.

        Raises:
            Spent: If that takes more judged words than the budget allows, over all calls.
        """
        root = Node((0,) * len(self.sheets), self.start, NO_CALLS, 0, 0, [])
        self._nodes, self._layers = {}, [[] for _ in range(most + 1)]
        ends: list[Node] = []
        mover = self.game.turns.first(self.start)
        if self._least(root.places, mover) <= most:
            self._layers[0].append(root)
        for slips, layer in enumerate(self._layers):
            while layer:
                node = layer.pop()
                if node.places == self.ends:
                    ends.append(node)
                elif node.slips == slips:
                    self._expand(node, most)
        return [node for node in ends if self._holds(node)]

    def _holds(self, end: Node) -> bool:
        """Say whether the end of a game proves no breach of a single ply in it.

        It always does if a sheet marks irregular plies.
        """
        pending = self.game.hidden.pending
        return self._lenient or not any(len(breach.plies) == 1 for breach in pending(end.state).breaches)

    def _least(self, places: tuple[int, ...], mover: int) -> int:
        """Return a number of slips of the pen that the rest of all sheets needs at least, if ``mover`` speaks next.

        ``places`` has the place in each sheet, which is twice the number of words before it.
        """
        bounds = self.bounds
        if len(bounds) == 1:
            return bounds[0].least(places[0], mover)
        return sum(bound.least(place, mover) for bound, place in zip(bounds, places, strict=True))

    # --- from one node ---

    def _expand(self, node: Node, most: int) -> None:
        """Add the nodes that follow a node, by every move that the sheets may hold with the slips that are left.

        ``most`` is the largest number of slips of the whole game.
        """
        reached: ReachedNodes = {}
        exact: list[ReachedNodes] = []
        turned: list[ReachedNodes] = []
        for sheet, place in zip(self.sheets, node.places, strict=True):
            exact.append(self._meanings(sheet, sheet.exact_at(place), node))
            turned.append(self._meanings(sheet, sheet.turned_at(place), node) if node.slips < most else {})
            reached |= exact[-1] | turned[-1]
        moves = list(reached)
        if self._lists(node, most):
            moves += (move for move in self._legal(node) if move not in reached)
        words, first = self.game.words, self.game.turns.first
        other = 3 - first(node.state) if self._by_turns else 0
        for move in moves:
            called = type(move) is Call
            text = "" if called else words.bare(words.write(move, node.state, None))
            mover = first(reached[move][0]) if called else other
            readings = zip(self.sheets, node.places, exact, turned, strict=True)
            choices = [sheet.options(place, move, text, *meanings) for sheet, place, *meanings in readings]
            self._go(node, move, mover, product(*choices), reached, most)

    def _go(
        self, node: Node, move: Any, mover: int, choices: Iterable[tuple[Option, ...]], reached: ReachedNodes, most: int
    ) -> None:
        """Add the nodes to which a move leads, one for each way in which the sheets may hold it.

        Args:
            node: The node before the move.
            move: The move.
            mover: The seat that speaks after it.
            choices: For each way, one option a sheet.
            reached: The states after moves, which are worked out once.
            most: The largest number of slips.
        """
        for options in choices:
            slips = node.slips + sum(option[1] for option in options)
            places = tuple(option[0] for option in options)
            gone = max(0, node.lost_words - sum(option[2] in MENDING for option in options))
            if slips + gone > most or slips + self._least(places, mover) > most:
                continue
            if move not in reached:
                after = self._after(node.state, move)
                if after is None:
                    return
                reached[move] = after, after_move(node.calls, move.seat)
            state, calls = reached[move]
            if self._boards:
                state = self._on_board(node.places, places, state)
            if state is not None:
                edge = Edge(node, move, tuple(option[2] for option in options))
                self._reach(Node(places, state, calls, slips, gone, [edge]), most)

    def _on_board(self, before: tuple[int, ...], places: tuple[int, ...], state: Any) -> Any:
        """Return the state after the boards stated between two places of each sheet; None if a board contradicts it.

        ``before`` and ``places`` have a place for each sheet: twice the number of words before it. If play may go on
        from boards, the state is then that of the board, and never None.
        """
        for sheet, old, new in zip(self.sheets, before, places, strict=True):
            for ply in sheet.boards.texts:
                if old < 2 * ply <= new:
                    taken = take_board(self.game, state, ply, sheet.boards)
                    if taken.after is not state and not self._from_boards:
                        return None
                    state = taken.after
        return state

    def _lists(self, node: Node, most: int) -> bool:
        """Say whether all legal moves are to be tried at a node, because its words may be wrong or missing.

        It is so if every sheet has a gap there or has ended while another goes on, or if one more slip in each other
        sheet is still allowed and may help. ``most`` is the largest number of slips of the whole game.
        """
        places = enumerate(zip(self.sheets, node.places, strict=True))
        written = [at for at, (sheet, place) in places if not (sheet.is_gap(place) or sheet.breaks_off(place))]
        slips = node.slips + len(written)
        if not written or slips > most:
            return not written
        if any(place & 1 for place in node.places) or slips + self._least_after(node) > most:
            return False
        return slips + node.lost_words <= most or any(
            self.bounds[at].is_lost(node.places[at], node.state) for at in written
        )

    def _least_after(self, node: Node) -> int:
        """Return a number of slips needed at least after a word that is left out or differs, over all sheets."""
        other = 3 - self.game.turns.first(node.state) if self._by_turns else 0
        least = 0
        for sheet, bound, place in zip(self.sheets, self.bounds, node.places, strict=True):
            bounds = [] if sheet.is_gap(place) else [bound.least(place, other)]
            least += min(bounds if place == sheet.end else [*bounds, bound.least(place + 2, other)])
        return least

    def _reach(self, new: Node, most: int) -> None:
        """Add a node to its layer, unless its place was reached with fewer slips or cannot be finished within ``most``.

        If the place was reached with as many slips, the node that is there gets the edges of the new one.
        """
        key = new.places, self._same(new.state), new.calls
        node = self._nodes.get(key)
        if node is not None and node.slips <= new.slips:
            if node.slips == new.slips:
                node.edges += new.edges
            return
        # In the last layer the next words tell soon enough; where two speak in turn, whose they are tells before.
        if new.edges[0].before.slips < new.slips and (new.slips < most or not self._by_turns):
            left = most - new.slips
            new.lost_words = sum(
                bound.count_lost(at, new.state, left) for bound, at in zip(self.bounds, new.places, strict=True)
            )
            if new.lost_words > left:
                return
        self._nodes[key] = new
        self._layers[new.slips].append(new)

    # --- what the rules say ---

    def _count(self) -> None:
        """Count one judged word.

        Raises:
            Spent: If there are more than the budget allows.
        """
        self.words_judged += 1
        if self.words_judged > self.budget:
            raise Spent

    def _legal(self, node: Node) -> Iterator[Any]:
        """Yield the moves of a position that no rule refuses, each counted; undecided ones count as legal.

        There are none once a call has ended the game.
        """
        if node.calls.outcome is not None:
            return
        rules, state = self.game.rules, node.state
        judge = rules.judge
        for move in rules.candidates(state):
            self._count()
            verdict = judge(state, move) if judge is not None else rules.play(state, move).verdict
            if type(verdict) is not Refused:
                yield move

    def _after(self, state: Any, move: Any) -> Any:
        """Return the state after a legal move; None if the move proves a breach of a single earlier ply.

        Breaches do not count if a sheet marks irregular plies. A game that can carry a move out (``Rules.carry``) is
        not asked whether it breaks a rule.
        """
        carry = self.game.rules.carry
        if carry is not None:
            return carry(state, move)
        played = self.game.rules.play(state, move)
        return played.after if self._allowed(played, False) else None

    def _allowed(self, played: PlayResult[Any, Any], stands: bool) -> bool:
        """Say whether a played word may stand: it is legal, or marked as irregular (``stands``), and proves no breach.

        A breach counts only if it is of a single ply and no sheet marks irregular plies.
        """
        if played.after is None or (type(played.verdict) is Refused and not stands):
            return False
        return self._lenient or not any(len(breach.plies) == 1 for breach in played.breaches)

    def _meanings(self, sheet: SheetWords, at: int, node: Node) -> ReachedNodes:
        """Return the moves that word ``at`` of a sheet means in a position, each with the state and the calls after it.

        Only moves that are legal, or whose word is marked as irregular, are there. ``at`` counts from 0; with -1 there
        is no word, and no move.
        """
        if at < 0 or node.calls.outcome is not None:
            return {}
        self._count()
        word, stands, state = sheet.words[at], at + 1 in sheet.irregular_plies, node.state
        if sheet.calls[at]:
            step = step_of(self.game, state, word, self.seats, node.calls, 1)
            return {step.move: (step.after, step.calls_after)} if self._allowed(step.result, stands) else {}
        try:
            candidate = read_word(self.game, state, word, self.seats)
        except NotationError:
            return {}
        played = self.game.rules.play(state, candidate)
        outcomes = [played]
        if type(played.verdict) is Unclear:
            outcomes = [self.game.rules.play(state, move) for move in played.verdict.moves]
        return {
            outcome.move: (outcome.after, after_move(node.calls, outcome.move.seat))
            for outcome in outcomes
            if self._allowed(outcome, stands)
        }
