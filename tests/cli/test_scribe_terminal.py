"""The scribe's screen in a real terminal: whole games typed with mistakes, killed in the middle, and gone on with."""

import re
import signal
from pathlib import Path

import pytest

from cartulary.records import api
from cartulary.records.log.store import Store
from tests.cli import scribe_tables
from tests.cli.scribe_tables import ONE_OF_EACH, named, stored
from tests.cli.scribe_terminal import CTRL_C, CTRL_D, CTRL_U, ENTER, TAB, Terminal
from tests.places import SAMPLES

CARDMATE = SAMPLES / "cardmate" / "games" / "page-1.cgn"
TAROT = SAMPLES / "tarot" / "games" / "table-revoke.cgn"
OPEN = SAMPLES / "tarot" / "games" / "dementlieu-open.cgn"
COLOURED = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d)(?:;\d+)*m")


class Typist:
    """Somebody who types a record and keeps a list of what was acknowledged."""

    def __init__(self, db: Path, store: Store, id: str) -> None:
        self.db, self.store, self.id = db, store, id
        self.acknowledged: list[str] = []
        self.terminal = Terminal(db, id)
        self.terminal.until(r"^(?:.+ \()?p\d+\)?> ?$")

    def writes(self, *words: str) -> None:
        """Type a line, and wait until its last word is acknowledged."""
        self.terminal.type(" ".join(words) + ENTER)
        last = len(self.acknowledged) + len(words)
        self.terminal.until(rf"^(ply {last}, |plies \d+–{last}, )", r"^(?:(?:.+ \()?p\d+\)?|end)> ?$")
        self.acknowledged += words

    def says(self, line: str, *answers: str) -> None:
        """Type a line that writes no word, and wait for what must be answered."""
        self.terminal.type(line + ENTER)
        self.terminal.until(*answers)

    def undoes(self) -> None:
        """Take a ply back."""
        self.says("undo", rf"^took back {re.escape(self.acknowledged.pop())};")
        self.agrees()

    def agrees(self) -> None:
        """Fail unless the record holds what was acknowledged and nothing else."""
        assert list(stored(self.store, self.id)) == self.acknowledged

    def is_killed_while_it_writes(self, word: str) -> None:
        """Kill the program in the moment a word is sent off; the word may be stored; whatever was acknowledged is."""
        self.terminal.type(word + ENTER)
        self.terminal.kill()
        kept = list(stored(self.store, self.id))
        assert kept in (self.acknowledged, [*self.acknowledged, word])
        self.acknowledged = kept
        self.terminal = Terminal(self.db, self.id)
        self.terminal.until(rf"^ply {len(kept)}: ", r"^(?:.+ \()?p\d+\)?> ?$")


def test_a_whole_game_of_cardmate_is_typed_with_mistakes_and_a_kill(db: Path, store: Store) -> None:
    words = scribe_tables.lay_out(store, CARDMATE, "evening")
    typist = Typist(db, store, "evening")
    while len(typist.acknowledged) < len(words):
        at = len(typist.acknowledged)
        if at == 4:
            typist.says("8Dz9", r"^unreadable at column 3: ", r"^(?:.+ \()?p1\)?> 8Dz9$")
            typist.agrees()
            typist.terminal.type(CTRL_U)
        if at == 10:
            typist.says("8He5", r"^Nothing was stored. With `stands` the move is kept", r"^ply 11, 8He5: refused")
            typist.agrees()
            typist.says("stands", r"^ply 11, 8He5: refused but let stand")
            typist.acknowledged.append("8He5")
            typist.undoes()
        if at == 14:
            typist.writes(words[at])
            typist.undoes()
            typist.says("note taken back and played again", r"^ply 14: {taken back and played again}")
        if at == 20:
            typist.is_killed_while_it_writes(words[at])
            at = len(typist.acknowledged)
        typist.writes(*words[at : at + 2 - at % 2])
    typist.says("close", r"^closed, 0-1, normal", r"^closed> ?$")
    typist.terminal.type("quit" + ENTER)
    assert typist.terminal.ended() == 0
    assert stored(store, "evening") == words
    assert api.verify(store, "evening").fault == ""
    answers = [line.says for line in api.log(store, "evening")]
    assert sum("took back the ply" in line for line in answers) == 2
    assert sum("let stand" in line for line in answers) == 1


def test_a_whole_deal_of_tarot_with_hidden_hands_is_typed_and_a_revoke_comes_to_light(db: Path, store: Store) -> None:
    words = scribe_tables.lay_out(store, TAROT, "deal")
    typist = Typist(db, store, "deal")
    typist.writes(*words[:6])
    typist.says("note Ada deals", r"^ply 6: {Ada deals}")
    while len(typist.acknowledged) < len(words):
        at = len(typist.acknowledged)
        if at == 14:
            typist.says("JS KX", r"^unreadable at column 4: ", r"^(?:.+ \()?p1\)?> JS KX$")
            typist.terminal.type(CTRL_U)
        if at == 16:
            typist.terminal.type(words[16])
            typist.terminal.until(r"^cannot be known yet: cards are hidden; p3 may have held")
            typist.terminal.type(CTRL_U)
        if at == 34:
            typist.is_killed_while_it_writes(words[at])
            typist.agrees()
        if at == 38:
            typist.writes(words[38])
            typist.terminal.type(words[39])
            typist.terminal.until(r"proves that ply 17, T03, broke ")
            typist.terminal.type(CTRL_U)
            typist.writes(words[39])
            typist.says("why 17", r"now +irregular under tarot.follow-suit", r"proved by ply 40")
        at = len(typist.acknowledged)
        typist.writes(*words[at : at + 4 - (at + 2) % 4])
        if at == 54:
            typist.undoes()
    typist.terminal.type("quit" + ENTER)
    assert typist.terminal.ended() == 1
    assert stored(store, "deal") == words
    assert api.verify(store, "deal").fault == ""


def test_a_refused_card_of_an_open_deal_is_let_stand_and_the_deal_goes_on(db: Path, store: Store) -> None:
    words = scribe_tables.lay_out(store, OPEN, "g", 36)
    typist = Typist(db, store, "g")
    typist.acknowledged += words[:36]
    typist.writes("JC")
    typist.says("5D T03", "^Nothing was stored. With `stands` the move is kept and marked. T03 was not", r"follow-suit")
    typist.agrees()
    typist.says("stands", r"^ply 38, 5D: refused but let stand", r"^(?:.+ \()?p3\)?> T03$")
    typist.acknowledged.append("5D")
    typist.agrees()
    typist.terminal.type(CTRL_U)
    typist.writes("T03", "T08")
    typist.terminal.type(CTRL_D)
    assert typist.terminal.ended() == 1
    typist.agrees()
    assert "tarot.follow-suit let stand" in api.log(store, "g")[-3].says


def test_what_a_second_writer_wrote_is_shown_and_the_line_is_kept(db: Path, store: Store) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening")
    with Terminal(db, "evening") as terminal:
        terminal.until(r"^(?:.+ \()?p1\)?> ?$")
        api.play(store, "evening", api.WordsRequest(("4Ci3",)))
        terminal.type("3Cd3" + ENTER)
        terminal.until(
            r"^Someone else wrote to evening first; one entry is new", r"^(?:.+ \()?p2\)?> 3Cd3$", r"^ply 1: 1. 4Ci3$"
        )
        terminal.type(CTRL_U + "4Db6" + ENTER)
        terminal.until(r"^ply 2, 4Db6: legal", r"^(?:.+ \()?p1\)?> ?$")
    assert stored(store, "evening") == ("4Ci3", "4Db6")


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=named)
def test_the_screen_shows_position_last_plies_and_turn_at_80_by_24_without_colour(
    db: Path, store: Store, path: Path
) -> None:
    words = scribe_tables.lay_out(store, path, "g")
    scribe_tables.lay_out(store, path, "h", len(words) // 2)
    with Terminal(db, "h", NO_COLOR="1") as terminal:
        shown = terminal.until(r"^(?:.+ \()?p\d+\)?> ?$", r" to move", rf"^ply {len(words) // 2}: ").split("\n")
        assert len(shown) == 24
        assert len([line for line in shown if line]) >= 10
        terminal.type("zz")
        terminal.until(r"^unreadable at column 1: ", r"^(?:.+ \()?p\d+\)?> zz$")
        terminal.type(CTRL_U + "help" + ENTER)
        terminal.until(r"^  undo \[N\]", r"^  quit ", r"^(?:.+ \()?p\d+\)?> ?$")
        terminal.type(CTRL_C)
        assert terminal.ended() == 130
        assert not COLOURED.search(terminal.raw)
    assert stored(store, "h") == words[: len(words) // 2]


def test_colour_is_used_where_nobody_forbids_it(db: Path, store: Store) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening")
    with Terminal(db, "evening") as terminal:
        terminal.until(r"^(?:.+ \()?p1\)?> ?$")
        assert COLOURED.search(terminal.raw)


def test_what_is_typed_takes_the_place_of_a_line_that_came_back_and_an_edit_mends_it(db: Path, store: Store) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening")
    with Terminal(db, "evening") as terminal:
        terminal.until(r"^(?:.+ \()?p1\)?> ?$")
        terminal.type("8Dz9" + ENTER)
        terminal.until(r"^unreadable at column 3: ", r"^(?:.+ \()?p1\)?> 8Dz9$")
        terminal.type("4ci3")
        terminal.until(r"^(?:.+ \()?p1\)?> 4ci3$", r"^legal, will be written as 4Ci3$")
        terminal.type(ENTER)
        terminal.until(r"^ply 1, 4Ci3: legal", r"^(?:.+ \()?p2\)?> ?$")
        terminal.type("4Dbb6" + ENTER)
        terminal.until(r"^unreadable at column \d: ", r"^(?:.+ \()?p2\)?> 4Dbb6$")
        terminal.type("\x1b[H4")
        terminal.until(r"^(?:.+ \()?p2\)?> 44Dbb6$")
        terminal.type("\x7f\x1b[F\x7f\x7f6")
        terminal.until(r"^(?:.+ \()?p2\)?> 4Db6$", r"^legal$")
        terminal.type(ENTER)
        terminal.until(r"^ply 2, 4Db6: legal", r"^(?:.+ \()?p1\)?> ?$")
    assert stored(store, "evening") == ("4Ci3", "4Db6")


def test_the_screen_shows_an_earlier_position_and_asks_before_it_closes(db: Path, store: Store) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening", 2)
    with Terminal(db, "evening") as terminal:
        terminal.until(r"^(?:.+ \()?p1\)?> ?$", r"^ply 2: 1. 4Ci3 4Db6$")
        terminal.type("show 1" + ENTER)
        terminal.until(r"^ply 1: 1. 4Ci3$", r"^This is the position after ply 1; ")
        terminal.type("show" + ENTER)
        terminal.until(r"^ply 2: 1. 4Ci3 4Db6$")
        terminal.type("legal 4C" + ENTER)
        terminal.until(r"^4Ch3 4Cj3 4Ch4 4Cj4$")
        terminal.type("close 1-0" + ENTER)
        terminal.until(r"^y closes evening, 1-0; anything else leaves it open$", r"^close\? \[y/n\] ?$")
        terminal.type(ENTER)
        terminal.until(r"^evening is left open\.$", r"^(?:.+ \()?p1\)?> ?$")
        terminal.type("close 1-0" + ENTER)
        terminal.until(r"^close\? \[y/n\] ?$")
        terminal.type("yes" + ENTER)
        terminal.until(r"^closed, 1-0", r"^closed> ?$")
        terminal.type("reopen too early" + ENTER)
        terminal.until(r"^reopened", r"^(?:.+ \()?p1\)?> ?$")


@pytest.mark.smoke
def test_tab_completes_and_enter_takes_what_is_chosen_before_it_writes(db: Path, store: Store) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening")
    with Terminal(db, "evening") as terminal:
        terminal.until(r"^(?:.+ \()?p1\)?> ?$")
        terminal.type("4C" + TAB)
        terminal.until(r"^(?:.+ \()?p1\)?> 4Ci3$", r"^legal$")
        terminal.type(CTRL_U + "3" + TAB)
        terminal.until(r"3C\w\d *$", r"3S\w\d *$")
        terminal.type(TAB)
        chosen = re.search(r"^(?:.+ \()?p1\)?> (\w{4})$", terminal.until(r"^(?:.+ \()?p1\)?> 3\w{3}$"), re.MULTILINE)
        assert chosen is not None
        terminal.type(ENTER + ENTER)
        terminal.until(rf"^ply 1, {chosen[1]}: legal", r"^(?:.+ \()?p2\)?> ?$")
        terminal.type("\x1b[A")
        terminal.until(rf"^(?:.+ \()?p2\)?> {chosen[1]}$", r"^refused, ")
    assert stored(store, "evening") == (chosen[1],)


def test_a_terminal_that_shrinks_and_grows_keeps_line_and_verdict(db: Path, store: Store) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening")
    with Terminal(db, "evening") as terminal:
        terminal.until(r"^(?:.+ \()?p1\)?> ?$")
        terminal.type("4Ci3")
        terminal.until(r"^legal$")
        for rows, columns, wanted in ((8, 40, "PageDown"), (30, 100, "^evening  Cardmate")):
            terminal.screen.reset()
            terminal.screen.resize(rows, columns)
            terminal.child.setwinsize(rows, columns)
            terminal.until(r"^legal$", r"^(?:.+ \()?p1\)?> 4Ci3$", wanted)
        terminal.type(ENTER)
        terminal.until(r"^ply 1, 4Ci3: legal")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGHUP, 129), (signal.SIGTERM, 143)])
def test_a_program_told_to_end_puts_the_screen_away_and_has_lost_nothing(
    db: Path, store: Store, number: int, code: int
) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening")
    with Terminal(db, "evening") as terminal:
        terminal.until(r"^(?:.+ \()?p1\)?> ?$")
        terminal.type("4Ci3 4Db6" + ENTER)
        terminal.until(r"^plies 1–2, 4Ci3 4Db6: legal")
        terminal.type("8Dj2")
        terminal.child.kill(number)
        assert terminal.ended() == code
        assert terminal.child.signalstatus is None
        assert b"\x1b[?1049l" in terminal.raw
    assert stored(store, "evening") == ("4Ci3", "4Db6")


def test_a_terminal_that_is_closed_ends_the_program_and_has_lost_nothing(db: Path, store: Store) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening")
    terminal = Terminal(db, "evening")
    terminal.until(r"^(?:.+ \()?p1\)?> ?$")
    terminal.type("4Ci3 4Db6" + ENTER)
    terminal.until(r"^plies 1–2, 4Ci3 4Db6: legal")
    terminal.child.ptyproc.fileobj.close()
    terminal.child.ptyproc.wait()
    assert (terminal.child.ptyproc.exitstatus, terminal.child.ptyproc.signalstatus) == (129, None)
    assert stored(store, "evening") == ("4Ci3", "4Db6")


def test_a_terminal_that_cannot_be_drawn_on_gets_plain_lines(db: Path, store: Store) -> None:
    scribe_tables.lay_out(store, CARDMATE, "evening")
    with Terminal(db, "evening", TERM="dumb") as terminal:
        terminal.until(r"to move, 38 legal moves", r"^(?:.+ \()?p1\)?> ?$")
        terminal.type("4Ci3\n")
        terminal.until(r"^ply 1, 4Ci3: legal", r"^(?:.+ \()?p2\)?> ?$")
        terminal.type("8He5\n")
        terminal.until(r"^Nothing was stored. With `stands` the move is kept")
        terminal.type(CTRL_D)
        assert terminal.ended() == 1
        assert b"\x1b" not in terminal.raw
    with Terminal(db, "evening", "--plain") as terminal:
        terminal.until(r"^(?:.+ \()?p2\)?> ?$")
        terminal.type(CTRL_C)
        assert terminal.ended() == 130
    assert stored(store, "evening") == ("4Ci3",)


def test_the_prompt_is_there_again_after_a_line_longer_than_the_screen(db: Path, store: Store) -> None:
    api.open_game(store, api.NewRequest("cardmate", id="evening"))
    with Terminal(db, "evening", columns=60) as terminal:
        terminal.until(r"^(?:.+ \()?p1\)?> ?$")
        terminal.type("note " + "so long a line " * 6 + "ends")
        terminal.until(r"so long a line ends$")
        terminal.type(CTRL_U + "8Dh3")
        terminal.until(r"^(?:.+ \()?p1\)?> 8Dh3$")
