"""The words of board games: ``@a1`` puts a man, ``a1-a4`` moves one, ``a1xc3`` jumps over one and takes it.

Men that are taken by choice stand at the end, ``a1-a4xd7``; a pass is ``Pass``. Positions are in the tag Setup:
the ranks from the last one down, digits for vacant places, the seat to move, the men in hand.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from cartulary.engine import Sheet
from cartulary.engine.boards import BoardGame, Layout, Move, State
from cartulary.engine.grid import differences
from cartulary.notation.boards.picture import BoardPicture
from cartulary.notation.boards.tapping import BoardTaps
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.signs import Signs, cut, plain_signs
from cartulary.notation.contract import About, Boards, Difference, Game, SheetTags, Words
from cartulary.notation.guide import guide_beside

PASS = "Pass"
_NAME = re.compile("[a-z][0-9]*")
_RUN = re.compile("[0-9]+|.")
_HANDS = re.compile("([0-9]{1,3}):([0-9]{1,3})")


class BoardWords(Struct, frozen=True, eq=False):
    """The words of one board game.

    Attributes:
        rules: The rules of the game.
    """

    rules: BoardGame

    def read(self, signs: str, seat: int, state: State) -> Move:
        """Return what a word says, given without its prefix; it need not be legal.

        ``-``, ``x`` and ``:`` between places are read alike, unless men are taken by choice: then those after ``x`` or
        ``:`` are.

        Raises:
            NotationError: If the word has no meaning, with the column of the first character that fits nothing.
        """
        game, word = self.rules.game, Signs(signs, 2)
        if signs == PASS and game.passes != "never":
            return Move(seat, ())
        by_choice = game.removal is not None
        if game.hand and word.has("@"):
            path = [self._place(word)]
        elif game.moves_men:
            path = [self._place(word)]
            while word.rest and not (by_choice and len(path) > 1):
                word.letter("-" if by_choice else "-x:", "- and a place" if by_choice else "-, x or : and a place")
                path.append(self._place(word))
            if len(path) < 2:
                raise word.unread("- and the place it goes to, as in " + self._example())
        else:
            raise word.unread("@ and a place, as in " + self._example())
        takes = set[int]()
        if by_choice and word.rest:
            word.letter("x:", "x and the place of a man")
            takes.add(self._place(word))
            while word.has(","):
                takes.add(self._place(word))
        word.end()
        return Move(seat, tuple(path), tuple(sorted(takes)))

    def _place(self, word: Signs) -> int:
        """Read a place and return its number.

        Raises:
            NotationError: If no place of the board comes next.
        """
        match = _NAME.match(word.text, word.at)
        place = self.rules.game.board.place(match[0]) if match else -1
        if match is None or place < 0:
            raise word.unread(f"a place of the board such as {self.rules.game.board.names[0]}")
        word.at = match.end()
        return place

    def _example(self) -> str:
        """Return a word as an example: ``a1-a4``; ``@a1`` in games whose men do not move."""
        board = self.rules.game.board
        row = board.rows[0]
        names = [board.names[place] for place in row[:2]]
        return "-".join(names) if self.rules.game.moves_men else f"@{names[0]}"

    def write(self, move: Move, state: State, after: State | None) -> str:
        """Return the canonical word of a move, without its seat, such as ``@a1xd7``, ``a1-a4`` or ``a1xc3xe5``.

        ``state`` is the state before the move; ``after`` does not matter.
        """
        board = self.rules.game.board
        names = [board.names[place] for place in move.path]
        if not names:
            return PASS
        joined = "x" if self.rules.game.removal is None and self.rules.takes_on_its_way(state, move) else "-"
        takes = ",".join(board.names[place] for place in move.takes)
        return ("@" * (len(names) == 1) + joined.join(names)) + (f"x{takes}" if takes else "")

    def spellings(self, typed: str) -> tuple[str, ...]:
        """Return the words that a text typed at a table may mean: ``a1–a4`` is ``a1-a4``, ``a1`` is ``@a1``."""
        (text,) = plain_signs(typed) or (typed,)
        if self.rules.game.hand and self.rules.game.board.place(re.split("[x:]", text)[0]) >= 0:
            return (f"@{text}",)
        return (text,) if text != typed else ()

    # --- positions ---

    def read_sheet(self, tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[Layout]:
        """Return the sheet from which the rules set up the game; the tag Setup, such as ``3/XO1 p2 8:8``, states the
        position.

        Raises:
            NotationError: If the tag cannot be read; its key is ``record.tag``.
        """
        text = tags.get("Setup")
        if text is None:
            return Sheet(variant, options, seats)
        layout = self._layout(text)
        spelled = self._spell(layout)
        remarks = (("Setup", "record.tag", f"the set-up is written as {spelled}"),) if spelled != text else ()
        return Sheet(variant, options, seats, layout, remarks)

    def _layout(self, text: str) -> Layout:
        """Return the position that a tag Setup states.

        Raises:
            NotationError: If it cannot be read; its key is ``record.tag``.
        """
        ranks, *others = text.split() or [""]
        places, rows = self._ranks(), ranks.split("/")
        if len(rows) != len(places):
            raise _fault(f"found {len(rows)} ranks, expected {len(places)}, from the last one down, separated by /")
        signs = {sign: (seat, kind) for kind, man in enumerate(self._men()) for seat, sign in enumerate(man, 1)}
        board = [(0, 0)] * len(self.rules.game.board.names)
        for row, rank in zip(rows, places, strict=True):
            cells = list[tuple[int, int]]()
            for run in _RUN.findall(row):
                if not run.isdecimal() and run not in signs:
                    raise _fault(
                        f"found {cut(run)} in the rank {cut(row)}, expected a number or one of {''.join(signs)}"
                    )
                cells += [(0, 0)] * min(int(run), 99) if run.isdecimal() else [signs[run]]
            if len(cells) != len(rank):
                raise _fault(f"found {len(cells)} places in the rank {cut(row)}, expected {len(rank)}")
            for place, cell in zip(rank, cells, strict=True):
                board[place] = cell
        mover, hands = 0, (0, 0)
        for other in others:
            match = _HANDS.fullmatch(other)
            if match is not None and self.rules.game.hand:
                hands = int(match[1]), int(match[2])
            elif other in ("p1", "p2"):
                mover = int(other[1])
            else:
                raise _fault(f"found {cut(other)} after the board, expected p1 or p2, and the men in hand as in 9:9")
        return Layout(tuple(board), mover, hands)

    def _ranks(self) -> list[list[int]]:
        """Return the places of each rank by files, the last rank first; ranks without places are left out."""
        points = self.rules.game.board.points
        ranks = sorted({rank for _, rank in points}, reverse=True)
        return [[place for place, (_, at) in enumerate(points) if at == rank] for rank in ranks]

    def _men(self) -> list[str]:
        """Return the letters of each kind of men, for either seat."""
        return [man.letters for man in self.rules.game.men]

    def _spell(self, layout: Layout) -> str:
        """Return a position as the tag Setup has it, ``3/XO1 p2 8:8``.

        The men in hand are left out in games without, and so is the seat to move if nobody says which.
        """
        men = self._men()
        ranks = []
        for rank in self._ranks():
            signs = "".join(men[kind][seat - 1] if seat else "." for seat, kind in (layout.board[at] for at in rank))
            ranks.append(re.sub(r"\.+", lambda run: str(len(run[0])), signs))
        hands = f" {layout.hands[0]}:{layout.hands[1]}" if self.rules.game.hand else ""
        return "/".join(ranks) + (f" p{layout.mover}" if layout.mover else "") + hands

    def write_sheet(self, sheet: Sheet[Layout]) -> dict[str, str]:
        """Return the tag Setup of a sheet; empty if the game begins as usual."""
        return {} if sheet.own is None else {"Setup": self._spell(sheet.own)}

    def write_position(self, state: State) -> str:
        """Return a position as the tag Setup has it."""
        return self._spell(_layout_of(state))

    def differ(self, state: State, sheet: Sheet[Layout]) -> tuple[Difference, ...]:
        """Return where a stated board differs from the position: the hands, then the places, then the turn."""
        stated, own = sheet.own or self.rules.first_layout, _layout_of(state)
        hands = [
            (f"p{seat}'s hand", str(there), str(here))
            for seat, (there, here) in enumerate(zip(stated.hands, own.hands, strict=True), 1)
            if there != here
        ]
        names, movers = self.rules.game.board.names, (stated.mover, own.mover)
        return (*hands, *differences(names, stated.board, own.board, self._what, movers))

    def _what(self, man: tuple[int, int]) -> str:
        """Return in words what stands on a place, given as its seat and kind: ``p1's man``, ``nothing``."""
        return f"p{man[0]}'s {self.rules.game.men[man[1]].name}" if man[0] else "nothing"


def _layout_of(state: State) -> Layout:
    """Return a position as a sheet would state it."""
    owners = enumerate(map(state.owner, range(len(state.ids))))
    return Layout(tuple((owner, state.kind(at) if owner else 0) for at, owner in owners), state.mover, state.hands)


def _fault(because: str) -> NotationError:
    """Return (not raise) the error of a tag Setup that cannot be read."""
    return NotationError(because, key="record.tag", tag="Setup")


def board_game(
    rules: BoardGame,
    file: str,
    title: str,
    edition: str,
    says: str | None,
    seat_names: tuple[str, str] = ("White", "Black"),
    **about: Any,
) -> Game[State, Move, Move, Layout]:
    """Return the game whose rules a ``Description`` gives, with its words, set-ups, drawing and taps.

    Args:
        rules: The rules.
        file: The module of the game, ``__file__``; its guide lies beside it.
        title: The title, which is the value of the tag Game.
        edition: The edition of the rules.
        says: The docstring of the module, which says of the game ``Title: two seats, …``.
        seat_names: What the seats are called, which are the tags that name the players too.
        about: Further fields of ``About``, such as ``also``.
    """
    words, drawn = BoardWords(rules), BoardPicture(rules, seat_names)
    fields: dict[str, Any] = {
        "seats": (2,),
        "says": (says or "").partition(": ")[2],
        "seat_tags": lambda seats: seat_names,
    }
    fields["options"] = tuple(choice.option for choice in rules.game.choices)
    return Game(
        about=About(
            key=rules.game.key,
            title=title,
            edition=edition,
            **(fields | {"load_guide": guide_beside(file)} | about),
        ),
        rules=rules.rules,
        words=Words(
            read=words.read,
            write=words.write,
            picture=drawn.picture,
            drawing=drawn.drawing,
            spellings=words.spellings,
            touch=BoardTaps(rules).touch(),
        ),
        turns=rules.turns,
        sheet=SheetTags(names=("Setup",), read=words.read_sheet, write=words.write_sheet),
        place=rules.place,
        boards=Boards(tag="Setup", taken_up=rules.resume, differ=words.differ, write=words.write_position),
    )
