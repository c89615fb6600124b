"""Laws of records as a seat has seen them: they show what the seat sees, and keep questions open.

``Hidden.view`` hides cards of a state and ``Hidden.view_move`` those of a word. Together they must hide the same.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from cartulary.engine import Call, Refused, Undecided, judge, play
from cartulary.engine.parts import no_text
from cartulary.notation import AnyGame, Step, as_seen, examine, loads, read_heading, steps
from cartulary.notation.arbiter.replay import step_of, write_word
from cartulary.notation.picture import plain
from cartulary.testing import tables
from cartulary.testing.game import LENGTH, HeldGame, Sheet, cached, long_search, looks
from cartulary.testing.hidden import AppliedGame, few_of, hides, names, played_games, seen_words
from cartulary.testing.play import random_games
from cartulary.testing.positions import sample_games

BREACHES = 2
"""How many moves against a rule a random game has at most."""


def exactly_open(step: Step, game: AnyGame, seats: int) -> bool:
    """Say whether a word leaves a question open that is asked, also if every deal that fits is tried."""
    exact = step_of(game, step.state, step.text, seats, step.calls, step.ply, exactly=True).verdict
    return isinstance(exact, Undecided) and any(question.asks for question in exact.opens)


def irregular_sheet(case: HeldGame, sample: AppliedGame, random: Random) -> Sheet | None:
    """Return a game in which one or two candidates are played that a rule refuses and that are let stand.

    Args:
        case: The game's tests.
        sample: The game with which it begins, cut at random in its second half.
        random: The source of all chance.

    Returns:
        The tags and the words, or None if no such candidate was found.
    """
    game, breaches, words = case.game(), 0, list[str]()
    state = case.first_state(sample.tags)[0]
    for step in sample.steps[: random.randint(len(sample.steps) // 2, len(sample.steps))]:
        if isinstance(step.move, Call) or isinstance(step.verdict, Refused):
            return None
        words.append(step.text)
        state = step.after
    for _ in range(LENGTH):
        moves = list(game.rules.candidates(state))
        verdicts = [(move, judge(game, state, move)) for move in random.sample(moves, min(len(moves), 10))]
        legal = [move for move, verdict in verdicts if not isinstance(verdict, Refused)]
        against = [move for move, verdict in verdicts if isinstance(verdict, Refused) and not verdict.blocks]
        breaks = bool(against) and breaches < BREACHES and random.random() < 0.4
        move = next(iter(against if breaks else legal), None)
        after = play(game, state, move).after if move is not None else None
        if move is None or after is None:
            break
        breaches += breaks
        words.append(write_word(game, move, state, after))
        state = after
    return (sample.tags, tuple(words)) if breaches else None


@cached
def seen_steps(case: type[HeldGame]) -> tuple[tuple[int, Step, Step], ...]:
    """Return for each seat some words of ``played_games``, in the whole record and as it has seen them.

    They end at a word that shows the seat cards which its record cannot name (``unnamed_cards``). Asserts that the seen
    words can be applied.
    """
    game, triples = case.game(), list[tuple[int, Step, Step]]()
    for sample in played_games(case):
        sheet = read_heading(case().read(sample.tags, "")).sheet
        assert sheet is not None
        for seat in range(sample.seats + 1):
            pairs = list[tuple[Step, Step]]()
            state = game.rules.setup(game.hidden.view_sheet(sheet, seat))
            seen = steps(game, state, seen_words(game, sample, seat), sample.seats)
            for whole, part in zip(sample.steps, seen, strict=False):
                if case().unnamed_cards(whole, seat):
                    break
                assert part.applied, f"{whole.text} is seen as {part.word}: {part.error or part.verdict}"
                pairs.append((whole, part))
            triples += ((seat, whole, part) for whole, part in few_of(tuple(pairs)))
    return tuple(triples)


def revealing_words(game: AnyGame, sample: AppliedGame) -> dict[str, str]:
    """Return an example of each kind of word that shows a viewer a card which somebody else plays later in the deal.

    A card is what some word hides from somebody. Left out are words of the table that everybody sees as they are, such
    as the card turned up for trumps, and what a seat sees of its own words.

    Returns:
        By the class of the move, such as ``Pass``, the word as the viewer sees it.
    """
    seen = [seen_words(game, sample, seat) for seat in range(sample.seats + 1)]
    cards = {
        name
        for words in seen
        for step, word in zip(sample.steps, words, strict=True)
        for name in hidden_names(step, word)
    }
    closed = {
        type(step.move)
        for words in seen
        for step, word in zip(sample.steps, words, strict=True)
        if hidden_names(step, word)
    }
    found, begun = dict[str, str](), 0
    for end, step in enumerate(sample.steps, 1):
        call = isinstance(step.move, Call)
        if end < len(sample.steps) and (call or not game.points.came_to(step.state, step.move, step.after)):
            continue
        deal = sample.steps[begun:end]
        for viewer, words in enumerate(seen):
            known = set[str]()
            for at, (one, word) in enumerate(zip(deal, words[begun:end], strict=True)):
                new = (names((word,)) - known) & cards
                known |= new
                public = not one.move.seat and type(one.move) not in closed
                if public or (viewer and viewer == one.move.seat):
                    continue
                after = [other for other in deal[at + 1 :] if other.move.seat not in (0, viewer)]
                own = names(tuple(other.text for other in deal[at + 1 :] if viewer and other.move.seat == viewer))
                if new & names(tuple(other.text for other in after)) - own:
                    found.setdefault(type(one.move).__name__, f"{word}, as {viewer or 'the bystander'} sees it")
        begun = end
    return found


def hidden_names(step: Step, word: str) -> set[str]:
    """Return the names in a word that are not in the word as somebody has seen it."""
    return names((step.text,)) - names((word,))


class SeenLaws(HeldGame):
    """What the record that a seat has seen shows, and what stays open in it.

    Attributes:
        reveals: The kinds of words, by the class of the move, that show others a card which can still be played: each
            with the reason as a sentence.
    """

    reveals: ClassVar[Mapping[str, str]] = {}

    @hides
    @long_search
    def test_a_card_in_a_hand_is_shown_only_by_words_that_may_show_it(self) -> None:
        """Check that a word which shows a viewer a card that somebody else plays later is of a kind in ``reveals``.

        Without this law a word that shows too much is not found if the view shows as much.
        """
        game, found = self.game(), dict[str, str]()
        for sample in played_games(type(self)):
            found |= revealing_words(game, sample)
        assert {kind: word for kind, word in found.items() if kind not in self.reveals} == {}
        assert [reason for reason in self.reveals.values() if not reason.endswith(".")] == []

    @hides
    @long_search
    def test_a_seats_picture_of_the_whole_record_is_that_of_the_record_it_has_seen(self) -> None:
        """Check that a seat is shown the same picture of the whole record and of the record as it has seen it."""
        game = self.game()
        for seat, whole, part in seen_steps(type(self)):
            pictures = [plain(game.words.picture(step.after, seat)) for step in (whole, part)]
            assert pictures[0] == pictures[1], f"p{seat} after {whole.text}, which it sees as {part.word}"

    @hides
    @long_search
    def test_the_record_a_seat_has_seen_shows_no_more_than_the_seat_sees(self) -> None:
        """Check that nothing more can be read from the record a seat has seen than what its view of the whole shows.

        So a card that ``view`` hides is not shown by ``view_move``. Games whose views leave out what everybody could
        remember or work out break this law, and say so in ``exempt``.
        """
        game = self.game()
        for seat, whole, part in seen_steps(type(self)):
            view = plain(game.words.picture(game.hidden.view(whole.after, seat), None))
            record = plain(game.words.picture(part.after, None))
            assert record == view, f"p{seat} after {whole.text}, which it sees as {part.word}"

    @hides
    @long_search
    def test_what_a_rule_refuses_is_found_or_open_in_the_record_a_seat_has_seen(self) -> None:
        """Check that a ply that breaks a rule in the whole record is found, or open, at the end of what a seat saw.

        A ply right after one that was found and let stand is left out: what came of that one may have been unseen.
        """
        game, random = self.game(), Random(f"irregular {self.key}")
        for sample in played_games(type(self)):
            sheet = irregular_sheet(self, sample, random)
            if sheet is None:
                continue
            [record] = loads(tables.sheet(game.about.title, sheet[0], " ".join(sheet[1])))
            errors = [each for each in examine(record).report.findings if each.severity == "error" and each.ply]
            seat = random.randint(0, sample.seats)
            report = examine(as_seen(record, seat)).report
            found = {ply for each in report.findings for ply in (each.ply, *each.plies)}
            lost = [(each.ply, each.move, each.key) for each in errors if found.isdisjoint((each.ply, each.ply - 1))]
            assert lost == [], f"nothing is found for p{seat} of {' '.join(sheet[1])}"

    @hides
    @long_search
    def test_a_question_that_a_word_leaves_open_is_pending(self) -> None:
        """Check that ``Hidden.pending`` has a question after a word that leaves one open, and no other ones.

        ``Hidden.tell_need`` must say something of the cards on which one of them turns.
        """
        game, said, asked, lost = self.game(), False, list[str](), list[str]()
        for sample in sample_games(type(self)):
            opened = set[tuple[int, str]]()
            for step in sample.steps:
                if not isinstance(step.verdict, Undecided):
                    continue
                opened |= {(step.ply, question.clause.key) for question in step.verdict.opens}
                left = game.hidden.pending(game.turns.settle(step.after))
                pending = {*left.open}
                assert pending <= opened, f"{pending - opened} are open after {step.text}, and no word left them open"
                proved = any(step.ply in breach.plies for breach in left.breaches)
                if proved or not any(question.asks for question in step.verdict.opens):
                    continue
                asked.append(step.text)
                lost += [] if pending else [step.text]
                assert pending or not exactly_open(step, game, sample.seats), f"nothing is pending after {step.text}"
                needs = [need for question in step.verdict.opens for need in question.needs]
                said = said or any(game.hidden.tell_need(step.after, need) for need in needs)
        assert len(lost) <= len(asked) / 2, f"questions are open, and nothing is pending, after {lost}"
        assert said or not asked, f"nothing is ever said of the cards on which words such as {asked[0]} turn"

    @hides
    @long_search
    def test_what_is_said_of_an_earlier_deal_stays_as_it_is(self) -> None:
        """Check that what ``Hidden.tell_need`` says of a question never changes once the deal it is about has ended."""
        game = self.game()
        lines = [
            [
                (step.state, step.move, step.after, step.verdict)
                for step in sample.steps
                if not isinstance(step.move, Call)
            ]
            for sample in sample_games(type(self))
        ]
        lines += [
            [(ply.before, ply.move, ply.after, ply.verdict) for ply in plies]
            for plies in random_games(type(self), looks(4), 120)
        ]
        for line in lines if game.hidden.tell_need is not no_text else ():
            asked, said = set[Any](), dict[Any, str]()
            for before, move, after, verdict in line:
                if isinstance(verdict, Undecided):
                    asked |= {need for question in verdict.opens for need in question.needs}
                if asked and game.points.came_to(before, move, after):
                    said |= {need: game.hidden.tell_need(after, need) for need in asked}
                    asked = set()
                for need, text in said.items():
                    now = game.hidden.tell_need(after, need)
                    assert now == text, (
                        f"of ply {need.ply}, in an earlier deal, {now!r} is said after {move}, not {text!r}"
                    )
