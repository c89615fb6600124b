"""Laws of the guide: it can be read, and every card has an entry, which names its rules and has a legal example."""

import re

from cartulary.engine import Legal, Refused
from cartulary.notation import Entry
from cartulary.notation.arbiter.lookup import clauses_of, look_up, shown_by, walked_to
from cartulary.notation.guide import names
from cartulary.testing.game import HeldGame, guide_of, only_for

SAYS = 340
"""The most characters in which an entry says what a card does."""


has_entries = only_for(lambda game: bool(guide_of(game).entries))


class GuideLaws(HeldGame):
    """What people read about a game: its cards and pieces, and the page for beginners."""

    def test_the_guide_can_be_read(self) -> None:
        """Check that the guide of the game can be read; a fault in it is raised."""
        assert self.game().about.guide is not None

    @has_entries
    def test_the_rules_an_entry_names_are_the_games(self) -> None:
        """Check that every entry names at least one rule, and only rules of the game."""
        known = {clause.key for clause in self.game().rules.clauses}
        for entry in self.game().about.guide.entries:
            lacking = [key for key in entry.clauses if f"{self.key}.{key}" not in known]
            assert lacking == [], f"{entry.name} names rules the game has not: {lacking}"
            assert clauses_of(self.game(), entry), f"{entry.name} names no rule"

    @has_entries
    def test_every_card_is_found_by_its_word_and_every_name_finds_its_entry(self) -> None:
        """Check that every card of the guide has an entry, that entries name only such cards, and that each name finds
        its own."""
        game = self.game()
        guide = game.about.guide
        lost = [card for card in guide.cards if look_up(game, card).entry is None]
        assert lost == [], f"no entry tells of {lost}"
        for entry in guide.entries:
            strange = [card for card in entry.cards if card not in guide.cards]
            assert strange == [], f"{entry.name} tells of {strange}, which the game has not"
            for name in names(entry):
                found = look_up(game, name)
                assert found.entry == entry, f"{name} finds {found.entry and found.entry.name}, not {entry.name}"

    @has_entries
    def test_the_example_of_an_entry_is_legal_where_it_stands(self) -> None:
        """Hold the example of every entry to ``_check_example``."""
        for entry in self.game().about.guide.entries:
            self._check_example(entry)

    def _check_example(self, entry: Entry) -> None:
        """Assert that the example of an entry is explained, can be played, and shows the word that it names.

        No word of it may be refused, and the last one must be legal.
        """
        assert entry.example.shows.endswith("."), f"{entry.name} does not say what its example shows"
        done = walked_to(self.game(), entry.example)
        for step in done:
            assert step.error is None, f"{step.word} of {entry.name}: {step.error}"
            assert not isinstance(step.verdict, Refused), f"{step.word} of {entry.name}: {step.verdict}"
        assert isinstance(done[-1].verdict, Legal), f"{entry.name}: {done[-1].verdict}"
        assert shown_by(self.game(), entry.example)[0].word == entry.example.word

    @has_entries
    def test_an_entry_is_short(self) -> None:
        """Check that what an entry says has one or two sentences and at most SAYS characters, and that its table is
        even."""
        for entry in self.game().about.guide.entries:
            assert entry.says.endswith("."), f"{entry.name} has no full stop"
            assert len(re.findall(r"[.?!](?= [A-Z]|$)", entry.says)) <= 2, f"{entry.name}: one sentence or two"
            assert len(entry.says) <= SAYS, f"{entry.name} takes {len(entry.says)} characters, expected {SAYS} at most"
            assert {len(row) for row in entry.table[1:]} <= {len(entry.table[0]) if entry.table else 0}, entry.table

    @only_for(lambda game: guide_of(game).primer.first_game is not None)
    def test_the_first_game_of_its_page_is_legal_and_says_what_happens(self) -> None:
        """Check that no rule refuses a word of the beginners' first game, and that each has a sentence beside it."""
        first = self.game().about.guide.primer.first_game
        assert first is not None
        done = walked_to(self.game(), first.example())
        assert [step.word for step in done] == [word for word, _ in first.words]
        refused = [(step.word, step.error or step.verdict) for step in done if isinstance(step.verdict, Refused | None)]
        assert refused == []
        assert isinstance(done[-1].verdict, Legal), done[-1].verdict
        assert [says for says in (first.shows, *(says for _, says in first.words)) if not says.endswith(".")] == []

    @only_for(lambda game: bool(guide_of(game).primer.course))
    def test_its_page_tells_of_every_variant_and_of_no_other(self) -> None:
        """Check that the page for beginners has every variant in order (one alone may be left out), words and full
        sentences."""
        about = self.game().about
        told = tuple(name for name, _ in about.guide.primer.variants)
        assert told in (about.variants, () if len(about.variants) == 1 else about.variants)
        assert about.guide.primer.words, "no word is explained"
        assert [paragraph for paragraph in about.guide.primer.course if not paragraph.endswith(".")] == []
