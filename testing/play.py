"""Laws of play: in random games words, states and ends stay in order, and no mangled text raises an exception."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.engine import LEGAL, Legal, Refused, legal_moves, play
from cartulary.engine.calls import NO_CALLS
from cartulary.engine.numbers import SEAT
from cartulary.engine.parts import no_moves, no_number
from cartulary.engine.play import actors
from cartulary.engine.readings import ONLY_MOVE
from cartulary.notation import (
    Examination,
    NotationError,
    as_seen,
    canonical,
    dumps,
    examine,
    judged_words,
    loads,
    replay,
    steps,
    story,
)
from cartulary.notation.arbiter.gaps import MissedPly, UnknownState, fits
from cartulary.notation.arbiter.replay import read_word, step_of, write_word
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.picture import plain
from cartulary.notation.restore.evidence import by_turns
from cartulary.testing import tables
from cartulary.testing.game import WIDTH, HeldGame, PlayedMove, cached, long_search, looks, only_for, wander

STRANGE = ("Draw", "Agree", "Resign", "p2/Timeout", "p1/Pass", "~", "End", "Pass", "p0/p1*~", "p3/")
SEAT_PREFIX = re.compile(f"{SEAT}/")
SIGNS = "0123456789XJNQKACDHSTEMSpabcdefghij:=@-*>^&'+×x#~,/é "


def random_games(case: type[HeldGame], games: int, plies: int) -> tuple[tuple[PlayedMove, ...], ...]:
    """Return random games from the first set-up. They are the same ones in every run.

    Args:
        case: The class of the game.
        games: How many games.
        plies: How many plies each has at most.
    """
    return tuple(_random_game(case, seed, plies) for seed in range(games))


def _random_game(case: type[HeldGame], seed: int, plies: int) -> tuple[PlayedMove, ...]:
    """Return the first plies of the random game with this seed; the same seed gives the same game.

    There are fewer if the game ends before. Plies that an earlier law has played are not played again.
    """
    plies_so_far, rng = _plies_so_far(case, seed), Random(f"{case.key} {seed}")
    choices = [rng.randrange(1 << 30) for _ in range(plies)]
    state = plies_so_far[-1].after if plies_so_far else case().first_state({})[0]
    plies_so_far += wander(case.game(), state, iter(choices[len(plies_so_far) :]))
    return tuple(plies_so_far[:plies])


@cached
def _plies_so_far(case: type[HeldGame], seed: int) -> list[PlayedMove]:
    """Return the list of plies that the random game with this seed has so far; the caller adds to it.

    It is kept for the whole run and empty at first.
    """
    return []


def mutate(rng: Random, words: tuple[str, ...]) -> list[str]:
    """Return the first words of a game, with one to six changes made at random.

    A change puts another word in place of one, adds one, leaves one out, or misspells one by a letter.
    """
    changed = list(words[: rng.randint(1, len(words))])
    for _ in range(rng.randint(1, 6)):
        at, how = rng.randrange(len(changed) + 1), rng.random()
        other = rng.choice((*STRANGE, rng.choice(words)))
        if how < 0.4:
            changed[at : at + 1] = [other]
        elif how < 0.7:
            changed.insert(at, other)
        elif how < 0.85:
            del changed[at : at + 1]
        elif at < len(changed):
            place = rng.randrange(len(changed[at]))
            word = changed[at]
            changed[at] = word[:place] + rng.choice("~=>@:*-^&'abp123TKSW,/") + word[place + rng.randint(0, 1) :]
    return changed


def missing(word: str, named: bool) -> str:
    """Return what stands for a word nobody wrote: ``~``, or ``p2/~`` if its seat has a prefix and is to be named."""
    seat = SEAT_PREFIX.match(word)
    return f"{seat[0]}{MISSING_WORD}" if seat and named else MISSING_WORD


def may_have_been(record: Examination, ply: int, word: str) -> bool:
    """Say whether a record allows that a word was played in a ply that nobody wrote down.

    Args:
        record: The record with the gap, examined.
        ply: The ply, from 1.
        word: The word that was really played.

    Returns:
        True if the word is among those found possible. If nothing could be judged after the gap, it is true unless the
        record already has a finding.
    """
    game, state = record.heading.game, record.state
    assert game is not None
    if type(state) is UnknownState:
        return not state.has_finding
    filled = [each.because for each in record.report.findings if (each.ply, each.key) == (ply, ONLY_MOVE.key)]
    words = fits(game, state, ply) or tuple(" ".join(filled).replace(", unless", " ").split())
    signs = word.rpartition("/")[2]
    return word in words or any(
        re.fullmatch(_pattern(each), text) for each in words if MISSING_WORD in each for text in (word, signs)
    )


def _pattern(word: str) -> str:
    """Return a regular expression for all words that a word with unknown parts, each written ``~``, may stand for.

    The part after ``=`` may also be missing, so that ``8C=~`` stands for ``8C=9C`` and for ``8C``.
    """
    return re.escape(word).replace("=\\~", "(=.+)?").replace("\\~", ".+")


class WordLaws(HeldGame):
    """What a word says, whoever writes it."""

    def positions(self) -> Iterator[tuple[Any, int]]:
        """Yield every third state of some random games, each with the number of seats."""
        seats = self.first_state({})[1]
        for plies in random_games(type(self), looks(8), 120):
            yield from ((ply.before, seats) for ply in plies[::3])

    @long_search
    def test_a_candidate_is_what_its_word_says(self) -> None:
        """Check that the word of a candidate, read and played, is that candidate again, and is written as before."""
        game = self.game()
        for state, seats in self.positions():
            for move in game.rules.candidates(state):
                text = write_word(game, move, state)
                played = play(game, state, read_word(game, state, text, seats))
                assert played.move == move, text
                if game.rules.carry is not None and isinstance(played.verdict, Legal):
                    assert game.rules.carry(state, played.move) == played.after, text
                assert write_word(game, played.move, state, played.after) == text

    @long_search
    @only_for(lambda game: game.rules.judge is not None)
    def test_lists_judge_a_candidate_as_play_does(self) -> None:
        """Check that ``Rules.judge`` has the same verdict on a candidate as ``Rules.play``."""
        rules = self.game().rules
        assert rules.judge is not None
        for state, _ in self.positions():
            for move in rules.candidates(state):
                assert rules.judge(state, move) == rules.play(state, move).verdict, f"{move} in {state}"

    @long_search
    def test_a_word_that_is_said_later_may_be_said_later(self) -> None:
        """Check that ``Rules.later`` allows every word that random games say later, among moves of one kind.

        In a game by turns, no seat moves twice running.
        """
        game = self.game()
        for plies in random_games(type(self), looks(8), 120):
            seats = [ply.move.seat for ply in plies]
            if by_turns(game):
                assert all(one != other for one, other in pairwise(seats)), "a seat speaks twice running"
            for at in range(0, len(plies), 5):
                for ply in plies[at:]:
                    if type(ply.move) is not type(plies[at].move):
                        break
                    assert game.rules.later(plies[at].before, ply.move), f"{ply.move} is said later"

    @long_search
    def test_any_word_is_a_move_or_an_error_with_a_column_inside_it(self) -> None:
        """Check that a text of random signs is a word whose spelling is stable, or an error with a reason and a column
        in it."""
        game, (state, seats) = self.game(), self.first_state({})

        @settings(max_examples=looks(200), deadline=None)
        @given(text=st.text(SIGNS, min_size=1, max_size=12))
        def case(text: str) -> None:
            """Assert that one text, as the first word of a game, can be read as a move or gives an error.

            The spelling of such a move must be read as itself. The error must have a reason, and a column within the
            text.
            """
            step = step_of(game, state, text, seats, NO_CALLS, 1)
            if step.error is None:
                assert step_of(game, state, step.text, seats, NO_CALLS, 1).text == step.text
            else:
                assert 1 <= step.error.column <= len(text)
                assert step.error.because

        case()

    @long_search
    def test_a_record_with_words_mangled_is_judged_spelled_seen_drawn_and_told(self) -> None:
        """Check that a record with mangled words raises nothing when it is examined, written, viewed, drawn and
        explained.

        Every finding has a reason, and the canonical text is stable.
        """
        rng = Random(f"mutations of {self.key}")
        for _ in range(looks(40)):
            tags, words = self.random_game(rng)
            if not words:
                continue
            text = tables.sheet(self.game().about.title, tags, " ".join(mutate(rng, words)))
            [record] = loads(text)
            examined = examine(record)
            game = examined.heading.game or self.game()
            assert [found for found in examined.report.findings if not found.because] == [], text
            spelled = dumps(canonical(record))
            assert dumps(canonical(loads(spelled)[0])) == spelled, text
            seats = self.first_state(tags)[1]
            examine(as_seen(record, rng.randint(1, seats)))
            drawn = plain(game.words.picture(examined.state, rng.randint(0, seats)))
            assert max(map(len, drawn.split("\n"))) <= WIDTH, text
            game.hidden.whereabouts(examined.state)
            judged_words(game, examined.state, examined.calls)
            with suppress(NotationError):
                story(record, rng.randint(1, 200))


class StateLaws(HeldGame):
    """What a state keeps, and how it is found again."""

    @long_search
    def test_a_state_is_a_value_that_can_be_hashed(self) -> None:
        """Check that a state has one hash, and that every ply of a random game changes the state."""
        for plies in random_games(type(self), looks(6), 120):
            for ply in plies:
                assert hash(ply.after) == hash(ply.after)
                assert ply.after != ply.before, f"{ply.move} leaves no trace"

    @long_search
    def test_a_move_does_the_same_whenever_it_is_played(self) -> None:
        """Check that a ply played again, in reverse order, has the same verdict and the same state after it."""
        for plies in random_games(type(self), looks(6), 120):
            for ply in reversed(plies):
                again = play(self.game(), ply.before, ply.move)
                assert (again.verdict, again.after) == (ply.verdict, ply.after)
                assert hash(again.after) == hash(ply.after)

    @long_search
    def test_what_is_played_is_kept(self) -> None:
        """Most legal moves of a position leave a state no other one leaves."""
        game, moves, states = self.game(), 0, 0
        for plies in random_games(type(self), looks(6), 120):
            for ply in plies[::4]:
                legal = list(legal_moves(game, ply.before))
                moves += len(legal)
                states += len({play(game, ply.before, move).after for move in legal})
        assert states > moves / 2, f"{moves} moves left {states} states: what was played is forgotten"

    def check_text(self, plies: tuple[PlayedMove, ...]) -> None:
        """Assert that the text of a game, written and read again, gives the same states, moves and verdicts.

        A game of legal moves only must be judged legal, without a finding except that its result is missing.
        """
        game = self.game()
        words = " ".join(write_word(game, ply.move, ply.before, ply.after) for ply in plies)
        record = self.read({}, words)
        again = list(replay(loads(dumps(record))[0]))
        assert [(state, move, verdict) for state, move, verdict, _ in again] == [
            (ply.before, ply.move, ply.verdict) for ply in plies
        ]
        assert [hash(state) for state, *_ in again] == [hash(ply.before) for ply in plies]
        report = examine(record).report
        assert report.plies == len(plies)
        if all(ply.verdict is LEGAL for ply in plies):
            open_end = [
                found for found in report.findings if (found.key, found.severity) != ("record.result", "remark")
            ]
            assert (report.verdict, open_end) == ("legal", [])

    @long_search
    def test_a_game_is_rebuilt_from_its_text(self) -> None:
        """Hold random games to ``check_text``."""
        for plies in random_games(type(self), looks(8), 150):
            self.check_text(plies)

    @long_search
    def test_any_choice_of_legal_moves_is_rebuilt_from_its_text(self) -> None:
        """Hold games of any legal moves to ``check_text``, and check that the candidates at their end are what their
        words say."""
        game, (state, seats) = self.game(), self.first_state({})

        @settings(max_examples=looks(24), deadline=None)
        @given(choices=st.lists(st.integers(0, 1 << 16), min_size=1, max_size=40))
        def case(choices: list[int]) -> None:
            """Assert that the game of legal moves which some numbers choose is rebuilt from its text.

            So is every candidate in its last state.
            """
            plies = tuple(wander(game, state, iter(choices)))
            self.check_text(plies)
            last = plies[-1].after if plies else state
            for move in game.rules.candidates(last):
                assert play(game, last, read_word(game, last, write_word(game, move, last), seats)).move == move

        case()

    @long_search
    def test_what_nobody_wrote_contradicts_nothing(self) -> None:
        """Of a game in which no rule is broken, words made ``~`` break none, and what was played stays possible.

        A seat that speaks without a prefix may be another one then than in the whole record. Of words with a prefix
        half keep it: ``p2/~``.
        """
        rng, title = Random(f"gaps of {self.key}"), self.game().about.title
        for _ in range(looks(24)):
            tags, words = self.random_game(rng)
            written = [at for at, word in enumerate(words) if not self.announces(word)]
            prefixed = [at for at in written if SEAT_PREFIX.match(words[at])]
            choices = prefixed if prefixed and rng.random() < 0.5 else written
            gaps = rng.sample(choices, min(len(choices), rng.choice((1, 1, 2))))
            withheld = [missing(word, rng.random() < 0.5) if at in gaps else word for at, word in enumerate(words)]
            [record] = loads(tables.sheet(title, tags, " ".join(withheld)))
            examined = examine(record)
            missed = [step for step in examined.steps if step.word in withheld and step.word.endswith(MISSING_WORD)]
            games_own = any(
                type(step.move) is not MissedPly for step in missed if SEAT_PREFIX.sub("", step.word) == MISSING_WORD
            )
            assert [found for found in examined.report.findings if found.severity == "error"] == [], record
            assert examined.plies_reached == len(words), record
            for at in gaps if not games_own or self.game().hidden.may_have_been is not no_moves else ():
                assert may_have_been(examined, at + 1, words[at]), (words[at], at + 1, record)

    @long_search
    def test_a_due_word_that_is_said_late_is_not_refused_for_that(self) -> None:
        """Of two words that change places, the first was refused for it; the one that was due breaks nothing."""
        game, rng = self.game(), Random(f"late words of {self.key}")
        order = {f"{self.key}.{name}" for name in self.order}
        for _ in range(looks(24)):
            tags, words = self.random_game(rng)
            state, seats = self.first_state(tags)
            for due, early in pairwise(steps(game, state, words, seats)):
                if not self.has_due_word(due.state):
                    continue
                first = play(game, due.state, early.move)
                if not isinstance(first.verdict, Refused) or first.verdict.clause.key not in order:
                    continue
                if first.after is None or self.has_due_word(first.after):
                    continue
                late = play(game, first.after, due.move).verdict
                because = f"{due.text}, said after {early.text} in {' '.join(words)}"
                assert not isinstance(late, Refused) or late.clause.key not in order, f"{because}: {late.because}"

    @long_search
    @only_for(lambda game: game.turns.number is not no_number)
    def test_move_numbers_go_up_one_by_one(self) -> None:
        """Check that ``Turns.number`` of each ply is that of the ply before or one more, and which ply is its first.

        Numbers may begin again with 1, as those of tricks do in a new deal.
        """
        game = self.game()
        for plies in random_games(type(self), looks(6), 120):
            last = 0
            for ply in plies:
                numbered = game.turns.number(ply.before, ply.move)
                if numbered is None:
                    continue
                number, first = numbered
                assert number in (last, last + 1, 1) or not last, f"{ply.move} is number {number}, after {last}"
                assert first or number == last or not last, f"{ply.move} begins number {number}"
                assert not first or number != last or number == 1, f"{ply.move} begins number {number} once more"
                last = number

    @long_search
    def test_a_seat_may_speak_exactly_while_the_game_goes_on(self) -> None:
        """Check that before every ply somebody may speak, and nobody once the game has ended, when no move is legal.

        At least one random game must end, unless the game counts points without ever ending.
        """
        game = self.game()
        ended, goes_on = 0, False
        for plies in random_games(type(self), looks(6), 400):
            for ply in plies:
                assert game.rules.outcome(ply.before) is None
                assert actors(game, ply.before)
            last = plies[-1].after
            goes_on = goes_on or game.points.shares(last, "") is not None
            if game.rules.outcome(game.turns.settle(last)) is not None:
                ended += 1
                assert actors(game, last) == ()
                assert list(legal_moves(game, last)) == []
        assert ended or goes_on, "no random game ended; play longer ones"
