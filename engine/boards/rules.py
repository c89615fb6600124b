"""The rules that board games for two seats share, worked out from a ``Description``: where men go, and the ends."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations, pairwise
from typing import Any, TypeAlias

from msgspec.structs import replace

from cartulary.engine.boards.description import Choice, Description, no_goal
from cartulary.engine.boards.state import Layout, Move, State, key, mark, names_in
from cartulary.engine.contract import LEGAL, Clause, Open, Outcome, PlayResult, Refused, Sheet, Unclear, no_check
from cartulary.engine.numbers import how_many
from cartulary.engine.occurrences import times, with_one_more
from cartulary.engine.once import once_each
from cartulary.engine.parts import Place, Rules, Turns, always_complete, by_clauses, number_pairs
from cartulary.engine.sets import members

Check: TypeAlias = Callable[[State, Move], Refused | None]
Rays: TypeAlias = tuple[tuple[int, ...], ...]
_ENDS = ("row", "goal", "bare", "passed", "quiet", "repetition")
"""The rules by which a move ends the game, in the order in which they are looked at."""


class BoardGame:
    """The rules of one board game.

    Attributes:
        game: What the game is made of.
    """

    def __init__(self, game: Description, options: tuple[str, ...] = (), names: frozenset[str] = frozenset()) -> None:
        """Work the rules out.

        Args:
            game: What the game is made of.
            options: The options that are played in it, as ``key`` or ``key=value``.
            names: The names of rules that the game has only with other options.
        """
        self.game, self._chosen, self._names = game, options, names | _names(game)
        board = game.board
        every = [tuple(board.rays(place)) for place in range(len(board.names))]
        self._rays: dict[tuple[int, int], tuple[Rays, ...]] = {}
        self._strikes: dict[tuple[int, int], tuple[Rays, ...]] = {}
        for kind, man in enumerate(game.men):
            for seat in (1, 2):
                for table, ways in ((self._rays, man.ways), (self._strikes, man.strikes)):
                    turned = {(right, up if seat == 1 else -up) for right, up in ways}
                    table[seat, kind] = tuple(tuple(ray for way, ray in rays if way in turned) for rays in every)
        self._over = {(place, ray[1]): ray[0] for place, rays in enumerate(every) for _, ray in rays if len(ray) > 1}
        self._runs = board.runs(game.row_wins) if game.row_wins else ()
        self._with_options: dict[tuple[str, ...], BoardGame] = {}
        self._play, self._judge = by_clauses(self._own_clauses, self.apply)

    # --- the parts of the contract ---

    @once_each
    def clauses(self) -> tuple[Clause[State, Move], ...]:
        """The rules in the order in which a move is checked against them, those of set-ups and ends last; a property,
        computed once.

        They are those that the description calls for, with its options too, and are asked with those of the position.

        Raises:
            KeyError: The description has no sentence for one of them.
        """
        if not self.game.choices:
            return self._own_clauses

        def check(at: int, state: State, move: Move) -> Refused | None:
            """Return what the rule with this number says by the options of the position."""
            answer = self._for(state)._own_clauses[at].check(state, move)
            assert not isinstance(answer, Open)
            return answer

        return tuple(
            Clause(clause.key, clause.says, clause.source, partial(check, at))
            for at, clause in enumerate(self._own_clauses)
        )

    @once_each
    def _own_clauses(self) -> tuple[Clause[State, Move], ...]:
        """The rules, asked without a look at the options of the position."""
        checks: dict[str, Check] = {name: self._ended_by(name) for name in _ENDS} | {"vacant": self._vacant}
        checks |= {"own-man": self._own_man, "hand": self._hand, "turn": self._turn, "order": self._order}
        checks |= {"pass": self._pass, "crown": self._crown, "step": self._step, "must-take": self._must_take}
        checks |= {"finish": self._finish, "removal": self._removal, "protected": self._protected}
        checks |= {"setup": no_check, "blocked": no_check}
        return tuple(
            Clause(self._key(name), *self.game.rules[name], check)
            for name, check in checks.items()
            if name in self._names
        )

    @once_each
    def rules(self) -> Rules[State, Move, Move, Layout]:
        """The part ``Rules`` of the game (see ``engine.parts``), made of the methods below; a property."""

        def play(state: State, word: Move, exactly: bool = False, /) -> PlayResult[State, Move]:
            """Judge a move by the rules with the options of the game, and carry it out.

            Of several jumps the first and the last place are enough if only one path leads there, or only one legal
            path. If several remain, the verdict is Unclear.
            """
            rules = self._for(state)
            fits = rules.longer_paths(state, word)
            legal = [move for move in fits if rules._judge(state, move) is LEGAL]
            if len(legal or fits) > 1:
                return PlayResult(word, Unclear(tuple(legal or fits)), None)
            return rules._play(state, (legal or fits or [word])[0], exactly)

        return Rules(
            setup=self.setup,
            play=play,
            clauses=self.clauses,
            judge=lambda state, move: self._for(state)._judge(state, move),
            candidates=lambda state: self._for(state).candidates(state),
            complete=always_complete,
            outcome=lambda state: self._for(state).outcome(state),
            carry=lambda state, move: self._for(state).apply(state, move),
        )

    @once_each
    def turns(self) -> Turns[State, Move]:
        """The part ``Turns`` of the game (see ``engine.parts``): the seats move in turn; a property, computed once."""
        return Turns(number=number_pairs)

    @once_each
    def place(self) -> Place[State]:
        """The part ``Place`` of the game (see ``engine.parts``): the identity of positions; a property."""
        return Place(key=key)

    def with_options(self, options: tuple[str, ...]) -> "BoardGame":
        """Return the rules with some options, each as ``key`` or ``key=value``.

        Options that the game does not have change nothing.
        """
        if options == self._chosen:
            return self
        if options not in self._with_options:
            changes: dict[str, Any] = {}
            for choice in self.game.choices:
                for value, change in choice.changes.items():
                    changes |= change if _text(choice, value) in options else {}
            rules = BoardGame(replace(self.game, choices=(), **changes), options, self._names)
            self._with_options[options] = rules
        return self._with_options[options]

    def _for(self, state: State) -> "BoardGame":
        """Return the rules with the options of a position."""
        return self.with_options(state.options)

    def _key(self, name: str) -> str:
        """Return the key of a rule by its name."""
        return f"{self.game.key}.{name}"

    # --- set-ups ---

    def setup(self, sheet: Sheet[Layout]) -> State | Refused:
        """Return the first position of a sheet, or the refusal of a set-up that cannot be one.

        Args:
            sheet: The options, and as ``own`` the position; without one the game begins as usual.
        """
        return self.resume(sheet, 1, 1)

    def resume(self, sheet: Sheet[Layout], mover: int, number: int) -> State | Refused:
        """Return the position of a board that a sheet states, or its refusal.

        Args:
            sheet: The sheet.
            mover: The seat to move if the sheet does not say.
            number: The number of its move.
        """
        options = tuple(f"{name}={value}" if value else name for name, value in sorted(sheet.options.items()))
        rules, start = self.with_options(options), sheet.own
        layout = start or rules.first_layout
        state = state_of(layout, len(self.game.men), layout.mover or mover, number, options)
        fault = rules.setup_fault(state) if start else ""
        if fault:
            return Refused(fault, True, next(clause for clause in self.clauses if clause.key == self._key("setup")))
        return replace(state, occurrences=(mark(state),)) if rules.game.repetition else state

    @once_each
    def first_layout(self) -> Layout:
        """The position at the start, with the first seat to move; a property, computed once.

        Raises:
            ValueError: ``Description.first`` names a place or a letter that there is not.
        """
        game, board = self.game, [(0, 0)] * len(self.game.board.names)
        letters = {
            letter: (seat, kind) for kind, man in enumerate(game.men) for seat, letter in enumerate(man.letters, 1)
        }
        for letter, names in game.first.items():
            for place in members(game.board.set_of(names)):
                if letter not in letters:
                    raise ValueError(f"found the letter {letter}, expected one of {', '.join(letters)}")
                board[place] = letters[letter]
        return Layout(tuple(board), 1, (game.hand, game.hand))

    def setup_fault(self, state: State) -> str:
        """Return why a stated position cannot be one, as a sentence without a full stop; empty if it can."""
        first = state_of(self.first_layout, len(self.game.men), 1, 1, ())
        for seat in (1, 2):
            men, most = state.men_left(seat), first.men_left(seat)
            if men > most:
                return f"p{seat} has {how_many(men, 'man', 'men')}, expected {most} at most"
            if state.hands[seat - 1] > self.game.hand:
                return f"p{seat} has {state.hands[seat - 1]} in hand, expected {self.game.hand} at most"
        name, _ = next(self._reasons(state, None), ("", ""))
        return f"The game is over: {self._because(name, state)}" if name else ""

    # --- the checks ---

    def _ended_by(self, name: str) -> Check:
        """Return the check that refuses every move once the rule with this name has ended the game."""
        rule = self._key(name)

        def check(state: State, move: Move) -> Refused | None:
            """Return the refusal of any move after the end, which blocks; None before it."""
            return Refused(self._because(name, state), True) if state.end_key == rule else None

        return check

    def _vacant(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a move to an occupied place, which blocks; None if it is vacant, or may be taken."""
        start = move.path[0] if len(move.path) > 1 else -1
        for place in move.path[len(move.path) > 1 :]:
            owner = state.owner(place)
            if owner and place != start and not (owner != move.seat and place in self._struck(state, move)):
                return Refused(f"{self._name(place)} has p{owner}'s man", True)
        return None

    def _own_man(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a move of what is no man of the seat, which blocks; None for any other."""
        if len(move.path) < 2 or state.owner(move.path[0]) == move.seat:
            return None
        return Refused(f"p{move.seat} has no man on {self._name(move.path[0])}", True)

    def _hand(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a man put on the board by a seat with none in hand, which blocks; None for any other
        move.
        """
        if len(move.path) != 1 or state.hands[move.seat - 1]:
            return None
        return Refused(f"p{move.seat} has no man in hand", True)

    def _turn(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a move of the seat that is not to move; None for any other."""
        return None if move.seat == state.mover else Refused(f"It is p{state.mover}'s turn, not p{move.seat}'s")

    def _order(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a move on the board by a seat that must put its men there first; None for any other."""
        left = state.hands[move.seat - 1]
        if len(move.path) < 2 or not left or not self.game.drops_first:
            return None
        return Refused(f"p{move.seat} has {how_many(left, 'man', 'men')} to put on the board")

    def _pass(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a pass that is not allowed; None for one that is, and for any other move."""
        if move.path or self.game.passes == "always":
            return None
        legal = (way for way in self.moves(state, move.seat) if self._judge(state, way) is LEGAL)
        way = next(legal, None)
        return None if way is None else Refused(f"p{move.seat} can move to {self._name(way.path[-1])}")

    def _step(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a path that no man of the kind can take on this board; None for any other.

        What must be taken is not looked at.
        """
        if len(move.path) < 2 or move.path in self.paths(state, move.seat, move.path[0]):
            return None
        names = [self._name(place) for place in move.path]
        return Refused(f"p{move.seat}'s man on {names[0]} cannot go to {', then to '.join(names[1:])}")

    def _crown(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a move that goes on after a man was changed into another kind; None for any other."""
        if len(move.path) < 3 or self.game.men[state.kind(move.path[0])].becomes < 0:
            return None
        last = self.game.crowning[move.seat - 1]
        to = next((place for place in move.path[1:-1] if last >> place & 1), None)
        return None if to is None else Refused(f"The man is changed on {self._name(to)}, which ends its move")

    def _must_take(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of a move that jumps over nobody while the seat can take a man so; None for any other."""
        if not self.game.must_take or self._jumps_over(state, move):
            return None
        for start in members(state.men[move.seat - 1]):
            for _, to in self._jumps(state, move.seat, state.kind(start), start):
                return Refused(f"p{move.seat} can take from {self._name(start)} to {self._name(to)}")
        return None

    def _finish(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of jumps that stop where the same man can take one man more; None for any other move."""
        if not self.game.must_take or not self._jumps_over(state, move):
            return None
        longer = (path for path in self.paths(state, move.seat, move.path[0]) if path[:-1] == move.path)
        further = next(longer, None)
        return (
            None
            if further is None
            else Refused(f"From {self._name(move.path[-1])} the man goes on to {self._name(further[-1])}")
        )

    def _removal(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of men taken off that are not due, or not taken though due; None for any other move.

        It blocks if there is no man to be taken.
        """
        for place in move.takes:
            if state.owner(place) != 3 - move.seat:
                return Refused(f"p{3 - move.seat} has no man on {self._name(place)}", True)
        due = self.due(state, move)
        if len(move.takes) == due:
            return None
        taken = how_many(len(move.takes), "man", "men") if move.takes else "no man"
        return Refused(f"The move takes {taken}, expected {due or 'none'}")

    def _protected(self, state: State, move: Move) -> Refused | None:
        """Return the refusal of taking a protected man; None for any other move."""
        removal = self.game.removal
        if removal is None or not move.takes:
            return None
        free = removal.free(self.put(state, move), 3 - move.seat)
        safe = [self._name(place) for place in move.takes if not free >> place & 1]
        if not safe:
            return None
        return Refused(f"The man on {safe[0]} is protected, unlike those on {names_in(self.game.board, free)}")

    def _name(self, place: int) -> str:
        """Return the name of a place."""
        return self.game.board.names[place]

    # --- where men go ---

    def due(self, state: State, move: Move) -> int:
        """Return how many men a move takes by choice, no more than there are; ``state`` is the one before it."""
        removal = self.game.removal
        if removal is None or not move.path:
            return 0
        after = self.put(state, move)
        return min(removal.due(after, move), after.men[2 - move.seat].bit_count())

    def _struck(self, state: State, move: Move) -> tuple[int, ...]:
        """Return the places with a man of the other seat to which the man of a single step could go to take it."""
        if len(move.path) != 2:
            return ()
        start = move.path[0]
        return tuple(self._strikes_of(state, move.seat, state.kind(start), start))

    def _strikes_of(self, state: State, seat: int, kind: int, start: int) -> Iterator[int]:
        """Yield the places of the other seat's men that a man takes by going there."""
        reach, enemy = self.game.men[kind].reach, state.men[2 - seat]
        for ray in self._strikes[seat, kind][start]:
            to = next((place for place in ray[:reach] if state.occupancy >> place & 1), None)
            if to is not None and enemy >> to & 1:
                yield to

    def _steps(self, state: State, seat: int, kind: int, start: int) -> Iterator[int]:
        """Yield the places to which a man goes in one step without a jump, those of men it takes there too."""
        occupancy, reach = state.occupancy, self.game.men[kind].reach
        if state.men_left(seat) <= self.game.flies_with:
            yield from (place for place in range(len(state.ids)) if not occupancy >> place & 1)
            return
        for ray in self._rays[seat, kind][start]:
            for to in ray[:reach]:
                if occupancy >> to & 1:
                    break
                yield to
        yield from self._strikes_of(state, seat, kind, start)

    def _jumps(self, state: State, seat: int, kind: int, start: int) -> Iterator[tuple[int, int]]:
        """Yield (place jumped over, place reached) for each jump of a man."""
        jumps, occupancy = self.game.men[kind].jumps, state.occupancy
        if not jumps:
            return
        over = state.men[2 - seat] if jumps == "enemy" else occupancy
        for ray in self._rays[seat, kind][start]:
            if len(ray) > 1 and over >> ray[0] & 1 and not occupancy >> ray[1] & 1:
                yield ray[0], ray[1]

    def paths(self, state: State, seat: int, start: int) -> Iterator[tuple[int, ...]]:
        """Yield every path of the man on a place: steps, and jumps of every length, those broken off too early too.

        A path has the place itself first. What must be taken is not looked at.
        """
        kind = state.kind(start)
        yield from ((start, to) for to in self._steps(state, seat, kind, start))
        yield from self._chains(state, seat, (start,))

    def _chains(self, state: State, seat: int, path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield every way to go on from a path by jumps, with all places from the start.

        ``state`` is the one with the man on the last place. A man that does not take comes to no place twice.
        """
        at = path[-1]
        kind = state.kind(at)
        man, last = self.game.men[kind], self.game.crowning[seat - 1]
        for _, to in self._jumps(state, seat, kind, at):
            if man.jumps == "any" and to in path:
                continue
            further = (*path, to)
            yield further
            if man.becomes < 0 or not last >> to & 1:
                yield from self._chains(self.put(state, Move(seat, (at, to))), seat, further)

    def longer_paths(self, state: State, move: Move) -> list[Move]:
        """Return the moves of several jumps that a move may mean which names only their first and last places.

        There are none if the move itself is possible, so that it means itself.
        """
        if len(move.path) != 2 or not self.game.men[state.kind(move.path[0])].jumps:
            return []
        start, to = move.path
        if state.owner(start) != move.seat:
            return []
        paths = list(self.paths(state, move.seat, start))
        longer = dict.fromkeys(path for path in paths if path[-1] == to) if move.path not in paths else ()
        return [Move(move.seat, path, move.takes) for path in longer]

    def moves(self, state: State, seat: int) -> Iterator[Move]:
        """Yield every way to put a man or to move one that the rest of the rules then judge, without passes.

        With each come the ways to take off as many men as are due.
        """
        game, paths = self.game, list[tuple[int, ...]]()
        if state.hands[seat - 1]:
            paths += ((place,) for place in range(len(state.ids)) if not state.occupancy >> place & 1)
        if not (state.hands[seat - 1] and game.drops_first):
            for start in members(state.men[seat - 1]):
                paths += self.paths(state, seat, start)
        for path in paths:
            move = Move(seat, path)
            if game.removal is None:
                yield move
                continue
            due = self.due(state, move)
            free = game.removal.free(self.put(state, move), 3 - seat) if due else 0
            yield from (Move(seat, path, takes) for takes in combinations(members(free), due))

    def candidates(self, state: State) -> Iterator[Move]:
        """Yield the moves worth judging of the seat to move: men put or moved, with what they take, and a pass.

        There are none after the end.
        """
        if state.end_key:
            return
        yield from self.moves(state, state.mover)
        if self.game.passes != "never":
            yield Move(state.mover, ())

    # --- carrying a move out ---

    def _jumps_over(self, state: State, move: Move) -> int:
        """Return the places of the other seat's men that a move jumps over, as a set; 0 if its man takes none."""
        if len(move.path) < 2 or self.game.men[state.kind(move.path[0])].jumps != "enemy":
            return 0
        jumped = {self._over[hop] for hop in pairwise(move.path) if hop in self._over}
        return sum(1 << place for place in jumped) & state.men[2 - move.seat]

    def takes_on_its_way(self, state: State, move: Move) -> bool:
        """Say whether a move jumps over men that it takes or goes to the place of one; removals do not count."""
        struck = len(move.path) > 1 and state.owner(move.path[-1]) == 3 - move.seat
        return struck or bool(self._jumps_over(state, move))

    def put(self, state: State, move: Move) -> State:
        """Return the board after a man was put or moved, with those gone that it jumped over or went to; nothing else
        is changed.
        """
        if not move.path:
            return state
        own, enemy = move.seat - 1, 2 - move.seat
        to, ids, men, kinds = move.path[-1], list(state.ids), list(state.men), list(state.kinds)
        if len(move.path) == 1:
            ids[to] = len(ids) + 2 * state.hands[own] + own
            men[own] |= 1 << to
        else:
            start = move.path[0]
            kind, gone = state.kind(start), self._jumps_over(state, move) | (1 << to & men[enemy])
            man, ids[start] = ids[start], 0
            for place in members(gone):
                ids[place] = 0
            ids[to] = man
            men[own], men[enemy] = men[own] & ~(1 << start) | 1 << to, men[enemy] & ~gone
            if kinds:
                kinds = [places & ~(gone | 1 << start | 1 << to) for places in kinds]
                becomes = self.game.men[kind].becomes
                kind = becomes if becomes >= 0 and self.game.crowning[own] >> to & 1 else kind
                if kind:
                    kinds[kind - 1] |= 1 << to
        hands = list(state.hands)
        hands[own] -= len(move.path) == 1
        return replace(
            state,
            men=(men[0], men[1]),
            kinds=tuple(kinds),
            hands=(max(hands[0], 0), max(hands[1], 0)),
            ids=tuple(ids),
        )

    def apply(self, state: State, move: Move) -> State:
        """Return the position after a move, legal or not; it may end the game."""
        game, after = self.game, self.put(state, move)
        gone = sum(1 << place for place in move.takes) | (game.captures(after, move) if move.path else 0)
        if gone:
            ids = tuple(0 if gone >> place & 1 else man for place, man in enumerate(after.ids))
            first, second = (places & ~gone for places in after.men)
            after = replace(after, men=(first, second), kinds=tuple(kind & ~gone for kind in after.kinds), ids=ids)
        counts = [[places.bit_count() for places in (*position.men, *position.kinds)] for position in (state, after)]
        after = replace(
            after,
            mover=3 - move.seat,
            round=state.round + move.seat - 1,
            quiet=state.quiet + 1 if counts[0] == counts[1] else 0,
            passes=0 if move.path else state.passes + 1,
        )
        if game.repetition:
            before = state.occurrences if after.quiet else ()
            after = replace(after, occurrences=with_one_more(before, mark(after), game.repetition))
        name, shares = next(self._reasons(after, move), ("", ()))
        return replace(after, end_key=self._key(name), shares=shares) if name else after

    # --- the ends ---

    def _reasons(self, state: State, move: Move | None) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield (name of the rule, result) for each way in which a position is the end of the game.

        ``move`` has led to it; None for a set-up, which only rows, goals and too few men end.
        """
        game, seats = self.game, (3 - state.mover, state.mover)
        for seat in seats:
            if any(run & state.men[seat - 1] == run for run in self._runs):
                yield "row", _won(seat)
        for seat in seats:
            if game.goal is not no_goal and game.goal(state, seat):
                yield "goal", _won(seat)
        for seat in (1, 2):
            if state.men_left(seat) < game.fewest:
                yield "bare", _won(3 - seat)
        if move is None:
            return
        if state.passes > 1:
            yield "passed", game.shares(state)
        if game.quiet and state.quiet >= game.quiet:
            yield "quiet", (1, 1)
        if game.repetition and times(state.occurrences, mark(state)) >= game.repetition:
            yield "repetition", (1, 1)

    def _because(self, name: str, state: State) -> str:
        """Return why the rule with this name ends the game in a position, as a sentence without a full stop."""
        results = dict(self._reasons(state, None))
        winner = results[name].index(1) + 1 if name in results else 0
        if name == "row":
            return f"p{winner} has {self.game.row_wins} in a row"
        if name == "goal":
            return self.game.goal(state, winner)
        if name == "bare":
            left = state.men_left(3 - winner)
            return (
                f"p{3 - winner} has {how_many(left, 'man', 'men')} left" if left else f"p{3 - winner} has no man left"
            )
        return {
            "passed": "Both players have passed",
            "quiet": f"{state.quiet} moves were made without a man put on the board or taken",
            "repetition": f"The position has occurred {self.game.repetition} times",
        }[name]

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended, None while it goes on.

        If no rule has ended it, a move of the seat to move is looked for.
        """
        if state.end_key:
            name = state.end_key.removeprefix(f"{self.game.key}.")
            return Outcome(state.shares, state.end_key, self._because(name, state))
        if any(self._judge(state, move) is LEGAL for move in self.candidates(state)):
            return None
        shares = _won(3 - state.mover) if self.game.when_blocked == "loses" else self.game.shares(state)
        return Outcome(shares, self._key("blocked"), f"p{state.mover} cannot move")


def state_of(layout: Layout, kinds: int, mover: int, number: int, options: tuple[str, ...]) -> State:
    """Return the state of a layout.

    Args:
        layout: The layout.
        kinds: How many kinds of men there are.
        mover: The seat to move.
        number: The number of its move.
        options: The options that are played.
    """
    places = list(enumerate(layout.board))
    first, second = (sum(1 << place for place, (owner, _) in places if owner == seat) for seat in (1, 2))
    return State(
        (first, second),
        tuple(sum(1 << place for place, (_, each) in places if each == kind) for kind in range(1, kinds)),
        layout.hands,
        tuple(place + 1 if owner else 0 for place, (owner, _) in places),
        mover,
        number,
        options,
    )


def _won(seat: int) -> tuple[int, int]:
    """Return the result of a game that a seat has won."""
    return int(seat == 1), int(seat == 2)


def _text(choice: Choice, value: str) -> str:
    """Return an option with its value as ``key=value``; ``key`` if it is bare."""
    return f"{choice.option.key}={value}" if value else choice.option.key


def _names(game: Description) -> frozenset[str]:
    """Return the names of the rules that a game has, with whatever options."""
    changes = (change for choice in game.choices for change in choice.changes.values())
    games = (game, *(replace(game, **change) for change in changes))
    return frozenset(name for each in games for name, needed in _needs(each).items() if needed)


def _needs(game: Description) -> Mapping[str, bool]:
    """Return by the name of a rule whether a game has it."""
    takes, moves = game.must_take and any(man.jumps == "enemy" for man in game.men), game.moves_men
    return {
        "setup": True,
        "vacant": True,
        "own-man": moves,
        "hand": game.hand > 0,
        "turn": True,
        "order": game.drops_first and game.hand > 0 and moves,
        "step": moves,
        "must-take": takes,
        "finish": takes,
        "crown": any(man.becomes >= 0 and man.jumps for man in game.men),
        "removal": game.removal is not None,
        "protected": game.removal is not None,
        "pass": game.passes == "blocked",
        "row": game.row_wins > 0,
        "goal": game.goal is not no_goal,
        "bare": game.fewest > 0,
        "blocked": game.passes == "never",
        "quiet": game.quiet > 0,
        "repetition": game.repetition > 0,
        "passed": game.passes != "never",
    }
