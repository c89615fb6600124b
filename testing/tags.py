"""Laws of tags: set-ups, stated boards, scores and rounds are read as they are written, and what is wrong is found."""

import re
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

from cartulary.engine import Refused
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.parts import no_draw_words
from cartulary.notation import Heading, NotationError, read_heading
from cartulary.notation.arbiter.replay import step_of
from cartulary.notation.contract import RoundField, no_round_fields, only_the_end
from cartulary.notation.picture import plain
from cartulary.testing.game import (
    HeldGame,
    count_rows,
    golden_record,
    golden_rows,
    long_search,
    looks,
    only_for,
    rule_rows,
)
from cartulary.testing.hidden import AppliedGame
from cartulary.testing.play import random_games
from cartulary.testing.positions import key_of, sample_games, sample_positions, some

TAGS = 160
"""How many sets of tags are read and written."""
MORE = 9997
"""By how much a score is made wrong, which is more than hidden cards may leave open."""


def _every_tags(case: type[HeldGame]) -> Iterator[dict[str, str]]:
    """Yield the tags of every row, count and golden game."""
    table = rule_rows(case)
    yield from (row.tags for row in table.move)
    yield from (row.tags for row in table.setup)
    yield from (row.tags for row in table.ending)
    yield from (row.tags for row in count_rows(case))
    for golden in golden_rows(case):
        yield {name: value for name, value in golden_record(case, golden).tags if name != "Game"}


def other_values(value: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of values that a tag with a score might have instead: one of its numbers is MORE greater, or 1 less.

    Unknown cards may allow one of the two.
    """
    for number in re.finditer("-?[0-9]+", value):
        before, after = value[: number.start()], value[number.end() :]
        yield f"{before}{int(number[0]) + MORE}{after}", f"{before}{int(number[0]) - 1}{after}"


def answer_to(field: RoundField, seats: int, random: Random) -> str:
    """Return a random answer to a field of a round, in the form that its kind has; it need not be possible."""
    chosen = random.choice(field.choices)[0] if field.choices else f"p{random.randint(1, seats)}"
    if field.kind in ("seat", "choice", "seats"):
        return chosen
    if field.kind == "pairs":
        return f"p{random.randint(1, seats)}:{chosen}"
    if field.kind == "number":
        return str(random.randint(0, field.most or 20))
    return ":".join(str(random.randint(0, field.most or 20)) for _ in range(seats))


class TagLaws(HeldGame):
    """What the tags of a game say, and the functions that write them."""

    def heading_of(self, tags: dict[str, str]) -> Heading:
        """Return the heading that tags make; its ``sheet`` is None if they are refused."""
        return read_heading(self.read(tags, ""))

    @long_search
    @only_for(lambda game: bool(game.sheet.names))
    def test_the_tags_of_a_set_up_are_written_as_they_were_read(self) -> None:
        """Check that the tags that ``SheetTags.write`` gives for a set-up of the samples make the same set-up.

        Each tag of the game must be in the samples, in a set-up that is accepted.
        """
        game, accepted = self.game(), set[str]()
        every = {tuple(sorted(tags.items())): tags for tags in _every_tags(type(self))}
        for tags in some(list(every.values()), Random(f"tags of {self.key}"), looks(2 * TAGS)):
            sheet = self.heading_of(tags).sheet
            state = game.rules.setup(sheet) if sheet is not None else None
            if sheet is None or state is None or isinstance(state, Refused):
                continue
            accepted |= tags.keys()
            written = game.sheet.write(sheet)
            again = self.heading_of({name: tags[name] for name in tags if name not in game.sheet.names} | written).sheet
            assert again is not None, f"{tags} are written {written}, which is refused"
            other = game.rules.setup(again)
            assert not isinstance(other, Refused), f"{tags} are written {written}: {other}"
            assert key_of(game, other) == key_of(game, state), f"{tags} are written {written}, another position"
            pictures = [plain(game.words.picture(each, None)) for each in (state, other)]
            assert pictures[0] == pictures[1], f"{tags} are written {written}, which is drawn {pictures[1]}"
            assert game.sheet.write(again) == written
        assert {*game.sheet.names} <= accepted, f"write rows with {sorted({*game.sheet.names} - accepted)}"

    def board_of(self, sample: AppliedGame, state: Any) -> Any:
        """Return the sheet of a stated board that is the position of a state in a game of the samples."""
        game = self.game()
        sheet = self.heading_of(sample.tags).sheet
        assert sheet is not None
        text = game.boards.write(state)
        try:
            return game.sheet.read({game.boards.tag: text}, sheet.variant, sheet.options, sheet.seats)
        except NotationError as fault:
            raise AssertionError(f"the position is written {text}, which cannot be read: {fault}") from fault

    @long_search
    @only_for(lambda game: bool(game.boards.tag))
    def test_a_position_that_is_written_is_read_and_taken_up_again(self) -> None:
        """Check that a position as ``Boards.write`` spells it is spelled so again by ``SheetTags.write``, differs
        nowhere from the position, and is taken up as one with the same key.
        """
        game, tag = self.game(), self.game().boards.tag
        for sample in some(sample_games(type(self)), Random(f"boards of {self.key}"), looks(120)):
            for step in sample.steps[-1:]:
                state = game.turns.settle(step.after)
                if game.rules.outcome(state) is not None:
                    continue
                sheet, text = self.board_of(sample, state), game.boards.write(state)
                assert game.sheet.write(sheet).get(tag) == text, f"{text} is written {game.sheet.write(sheet)}"
                assert game.boards.differ(state, sheet) == (), f"{text} differs from its own position"
                taken_up = game.boards.taken_up(sheet, state.mover, 1)
                assert not isinstance(taken_up, Refused), f"{text}: {taken_up}"
                if game.rules.outcome(taken_up) is not None:
                    continue  # a counter ends it, and did not where a move that breaks a rule was let stand
                assert key_of(game, taken_up) == key_of(game, state), f"{text} is taken up as {taken_up}"
                assert game.boards.write(taken_up).split()[0] == text.split()[0]

    @long_search
    @only_for(lambda game: bool(game.boards.tag))
    def test_a_board_of_another_ply_differs_in_places_that_are_named(self) -> None:
        """Check that ``Boards.differ`` names places for the board of the ply before, and the same places the other way
        round.
        """
        game, times = self.game(), 0
        for sample in some(sample_games(type(self)), Random(f"boards that differ {self.key}"), looks(120)):
            for step in sample.steps[-2:]:
                if game.boards.write(step.state) == game.boards.write(step.after):
                    continue
                times += 1
                found = game.boards.differ(step.after, self.board_of(sample, step.state))
                back = game.boards.differ(step.state, self.board_of(sample, step.after))
                assert found, f"the board before {step.text} differs nowhere from that after it"
                assert all(board != moves for _, board, moves in found), found
                again = {place: (moves, board) for place, board, moves in back}
                both = [(again[place], (board, moves)) for place, board, moves in found if place in again]
                assert both, f"other places differ if {step.text} is taken back: {found} and {back}"
                assert all(one == other for one, other in both), f"{found} and {back}"
        assert times, "no move of the samples changes the board"

    def scored_states(self) -> Iterator[tuple[Any, Any]]:
        """Yield pairs of the first state and a later one, settled, of the samples and of random games."""
        game = self.game()
        for sample in sample_games(type(self)):
            if sample.steps:
                yield sample.steps[0].state, game.turns.settle(sample.steps[-1].after)
        for plies in random_games(type(self), looks(4), 400):
            if plies:
                yield plies[0].before, game.turns.settle(plies[-1].after)

    @long_search
    @only_for(lambda game: bool(game.points.tags))
    def test_a_tag_with_another_score_is_found(self) -> None:
        """Check that the tags that ``Points.write`` gives have no fault, and that one with another number has.

        What ``Points.gains`` gives for the whole game must be the Score, if both are known.
        """
        game, found = self.game(), set[str]()
        for first, state in self.scored_states():
            tags = game.points.write(state)
            assert game.points.tag_faults(tags, "*", state, "") == (), tags
            gains = game.points.gains(first, state) if "Score" in tags and not game.points.write(first) else None
            if gains:
                assert [Fraction(gain) for gain in gains] == points_of(tags["Score"]), f"{tags} after gains of {gains}"
            for tag in game.points.tags:
                for values in other_values(tags.get(tag, "")):
                    faults = [game.points.tag_faults(tags | {tag: value}, "*", state, "") for value in values]
                    names = [{name for name, *_ in each} for each in faults]
                    assert {tag} in names, f"{tag} {values} is not found, expected {tags[tag]}"
                    found.add(tag)
        assert {*game.points.tags} <= found, f"no game of the samples gives {sorted({*game.points.tags} - found)}"

    @long_search
    @only_for(lambda game: game.points.shares is not only_the_end)
    def test_an_ended_game_is_closed_with_the_shares_of_its_end(self) -> None:
        """Check that ``Points.shares`` of a game that has ended are those of its outcome."""
        game, closed = self.game(), 0
        for _, state in self.scored_states():
            shares, outcome = game.points.shares(state, ""), game.rules.outcome(state)
            closed += shares is not None
            if shares is not None and outcome is not None:
                assert shares == outcome.shares, f"{outcome} is closed with {shares}"
        assert closed, "no game of the samples can be closed with its score"

    @long_search
    @only_for(lambda game: game.turns.claims is not no_draw_words)
    def test_a_word_for_a_draw_is_legal(self) -> None:
        """Check that no rule refuses the words of ``Turns.claims`` where they are offered, and that some are."""
        game, claims = self.game(), 0
        for state, seats in sample_positions(type(self)).items():
            for word in game.turns.claims(state):
                claims += 1
                step = step_of(game, state, word, seats, NO_CALLS, 1)
                assert step.error is None, f"{word} is offered: {step.error}"
                assert not isinstance(step.verdict, Refused), f"{word} is offered: {step.verdict}"
        assert claims, "nothing can be claimed in the samples"

    @long_search
    @only_for(lambda game: game.rounds.fields is not no_round_fields)
    def test_a_round_is_read_as_it_was_entered(self) -> None:
        """Check that the word that ``Rounds.word`` makes of answers is read as a move with the same answers.

        The answers are random ones. Some must make a word that can be applied.
        """
        game, random, entered = self.game(), Random(f"rounds of {self.key}"), 0
        state, seats = self.first_state({})
        fields = game.rounds.fields(state)
        assert fields, "nothing can be entered before the first word"
        for _ in range(looks(160)):
            given = {
                field.name: answer_to(field, seats, random) for field in fields if field.needed or random.random() < 0.3
            }
            with suppress(NotationError):
                word = game.rounds.word(given, state)
                step = step_of(game, state, word, seats, NO_CALLS, 1)
                assert step.error is None, f"{given} makes {word}: {step.error}"
                answers = game.rounds.answers(step.move)
                assert answers, f"{given} makes {word}, which has no answers"
                final = any(field.final and given.get(field.name) == field.final for field in fields)
                asked = given if not final else {}
                differ = {
                    name: (value, answers.get(name)) for name, value in asked.items() if answers.get(name) != value
                }
                assert differ == {}, f"{given} makes {word}, which answers {answers}"
                assert game.rounds.word(answers, state) == word
                entered += step.applied
        assert entered, "no round that is entered can be applied"


def points_of(score: str) -> list[Fraction]:
    """Return the numbers of a Score, such as ``3:-3.5``, in order."""
    return [Fraction(number) for number in score.split(":")]
