"""The desk against a list: whatever is asked in whatever order, the record holds what a plain list would."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from cartulary.notation import dumps, legal_words, loads
from cartulary.records import api
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.hunts import looks


class Evening(RuleBasedStateMachine):
    """One live record beside the list of words and notes it should hold."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "games.db"
        self.store = Store(self.path)
        api.open_game(self.store, api.NewRequest("cardmate", id="g"))
        self.words: list[str] = []
        self.notes: dict[int, str] = {}
        self.events = 2

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    @rule(choice=st.integers(0, 10_000), twice=st.booleans())
    def play(self, choice: int, twice: bool) -> None:
        examined = load(self.store, "g").examined
        assert examined.heading.game is not None
        legal = legal_words(examined.heading.game, examined.state, examined.calls)
        if not legal:
            return
        word = legal[choice % len(legal)]
        for _ in range(1 + twice):
            [answer] = api.play(self.store, "g", api.WordsRequest((word,), command=f"c{self.events}"))
            assert (answer.verdict, answer.ply) == ("legal", len(self.words) + 1)
        self.words.append(word)
        self.events += 1

    @precondition(lambda self: self.words)
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(1, len(self.words)))
        left = len(self.words) - count
        assert api.take_back(self.store, "g", api.UndoRequest(count)).words == tuple(self.words[left:])
        del self.words[left:]
        self.notes = {ply: text for ply, text in self.notes.items() if ply <= left}
        self.events += 1

    @rule(data=st.data(), text=st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="}[")))
    def annotate(self, data: st.DataObject, text: str) -> None:
        ply = data.draw(st.integers(0, len(self.words)))
        api.annotate(self.store, "g", api.NoteRequest(ply, text, replace=True))
        self.notes[ply] = " ".join(text.split())
        self.events += 1

    @precondition(lambda self: self.words)
    @rule()
    def amend_the_last_ply_to_what_it_is(self) -> None:
        answer = api.amend(self.store, "g", api.AmendRequest(len(self.words), tuple(self.words[-1:])))
        assert (answer.stored, answer.conflict) == (True, 0)
        self.events += 1

    @rule()
    def open_the_file_again(self) -> None:
        self.store.close()
        self.store = Store(self.path)

    @invariant()
    def the_record_holds_what_the_list_holds(self) -> None:
        game = load(self.store, "g")
        assert game.words == tuple(self.words)
        assert game.report.verdict == "legal"
        assert game.head.version == self.events
        notes = {0: game.book.preface} | {ply: entry.note for ply, entry in enumerate(game.book.plies, 1)}
        kept = {ply: note.comments[0] for ply, note in notes.items() if note.comments}
        assert kept == {ply: text for ply, text in self.notes.items() if text}

    @invariant()
    def its_sheet_reads_back_and_its_chain_is_sound(self) -> None:
        text = dumps(api.export_cgn(self.store, "g", log=True))
        [record] = loads(text)
        assert (record.line.words, record.problems) == (tuple(self.words), ())
        assert api.verify(self.store, "g").fault == ""
        assert [listed.version for listed in api.games(self.store)] == [self.events]


TestEvening = pytest.mark.hunt(Evening.TestCase)
TestEvening.settings = settings(
    settings.get_profile("hunt"),
    max_examples=looks(30),
    stateful_step_count=20,
    suppress_health_check=list(HealthCheck),
)
