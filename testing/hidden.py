"""Laws of hidden cards: games that look alike to somebody are shown alike, and what nobody has seen decides nothing.

Two *games that look alike* to a seat, or to the bystander, are made by swapping the names of two cards that it has not
seen, in every word. Its own record says which cards those are: they are in the words as written, but not in the words
as it has seen them. A view that shows one of them in any way then differs between the two games. In a game that shows
everything there are no two such games, and that is a fault too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, TypeVar

from msgspec import Struct

from cartulary.engine import Call, Legal, Refused, Verdict
from cartulary.engine.parts import no_deal
from cartulary.engine.play import actors
from cartulary.notation import AnyGame, Step, as_seen, dumps, examine, loads, read_heading, steps
from cartulary.notation.arbiter.replay import read_word, write_word
from cartulary.notation.arbiter.seen import seen_word
from cartulary.notation.picture import plain
from cartulary.testing import tables
from cartulary.testing.game import WIDTH, HeldGame, Sheet, cached, long_search, looks, only_for

GAMES = looks(10)
"""How many games are played for each law."""
NAME = re.compile(r"[0-9A-Za-z]+")
"""A piece of a word that may be the name of a card."""

Anything = TypeVar("Anything")
Other = tuple[tuple[str, str], "AppliedGame", "AppliedGame"]

hides = only_for(lambda game: not game.hidden.face_up)


class AppliedGame(Struct, frozen=True):
    """A game as far as its words can be applied."""

    tags: dict[str, str]
    steps: tuple[Step, ...]
    seats: int


class Alike(Struct, frozen=True):
    """Two games that look alike to ``seat``; ``names`` has the cards that have changed places between them."""

    seat: int
    names: tuple[str, str]
    tags: dict[str, str]
    plies: tuple[tuple[Step, Step], ...]


def kind(verdict: Verdict) -> tuple[str, str]:
    """Return the name of a verdict's class and the key of the rule that it breaks: ``("Refused", "turn")``.

    The key is empty for a verdict that refuses nothing.
    """
    return type(verdict).__name__, verdict.clause.key if isinstance(verdict, Refused) else ""


def apply_words(case: HeldGame, sheet: Sheet) -> AppliedGame:
    """Return a game with the steps of its words up to the first that cannot be read or applied.

    That word and all after it are left out.

    Args:
        case: The game's tests.
        sheet: The tags and the words.
    """
    tags, words = sheet
    state, seats = case.first_state(tags)
    [record] = loads(tables.sheet(case.game().about.title, tags, " ".join(words)))
    applied = tuple(step for step in steps(case.game(), state, record.line.words, seats) if step.applied)
    return AppliedGame(tags, applied, seats)


def swap_names(words: tuple[str, ...], first: str, second: str) -> tuple[str, ...]:
    """Return words in which two names of cards have changed places.

    With the names ``8C`` and ``9C``, the word ``8C=9C`` becomes ``9C=8C``.
    """
    names = {first: second, second: first}
    return tuple(NAME.sub(lambda match: names.get(match[0], match[0]), word) for word in words)


def names(words: tuple[str, ...]) -> set[str]:
    """Return every piece of some words that may be the name of a card: each run of letters and digits."""
    return {name for word in words for name in NAME.findall(word)}


def seen_words(game: AnyGame, sample: AppliedGame, seat: int) -> tuple[str, ...]:
    """Return the words of a game as a seat has seen them; seat 0 is the bystander, who sees only what lies open."""
    return tuple(seen_word(game, step, seat) for step in sample.steps)


def unseen_names(case: HeldGame, sample: AppliedGame, seat: int) -> list[list[str]]:
    """Return the names in a game's words that a seat has not seen, in groups, each sorted.

    Two cards are in one group if every word for which ``unnamed_cards`` returns cards has shown the seat both or
    neither. Seat 0 is the bystander, who sees only what lies open.
    """
    game, groups = case.game(), defaultdict[tuple[int, ...], list[str]](list)
    unnamed = [(step.ply, case.unnamed_cards(step, seat)) for step in sample.steps]
    for name in sorted(names(tuple(step.text for step in sample.steps)) - names(seen_words(game, sample, seat))):
        groups[tuple(ply for ply, cards in unnamed if name in cards)].append(name)
    return list(groups.values())


@cached
def played_games(case: type[HeldGame]) -> tuple[AppliedGame, ...]:
    """Return ``GAMES`` random games of a class. They are the same ones in every run."""
    random = Random(f"hidden cards of {case.key}")
    return tuple(apply_words(case(), case().random_game(random)) for _ in range(GAMES))


def cut_at_random(game: AppliedGame, random: Random) -> AppliedGame:
    """Return a game up to a random ply, at least the first, because few cards may still be unseen at its end."""
    return AppliedGame(game.tags, game.steps[: random.randint(min(1, len(game.steps)), len(game.steps))], game.seats)


def swapped_games(
    case: type[HeldGame], sample: AppliedGame, random: Random, times: int, *seats: int
) -> Iterator[Other]:
    """Yield pairs of games that differ in two names which a seat cannot tell apart.

    Args:
        case: The class of the game.
        sample: The game of which both are made.
        random: The source of all chance.
        times: How many pairs at most.
        *seats: The seats of which one is chosen for each pair; 0 is the bystander.

    Yields:
        The two names, the game up to some ply, and that game with the names swapped.
    """
    for _ in range(times):
        part = cut_at_random(sample, random)
        hidden = [group for seat in seats for group in unseen_names(case(), part, seat) if len(group) > 1]
        if hidden:
            first, second = random.sample(random.choice(hidden), 2)
            words = swap_names(tuple(step.text for step in part.steps), first, second)
            yield (first, second), part, apply_words(case(), (part.tags, words))


@cached
def alike(case: type[HeldGame], by_seats: bool) -> tuple[Alike, ...]:
    """Return pairs of games that look alike to a seat, or to the bystander, who sees only what lies open.

    They end before a word of somebody else that is judged differently in the two, since that may show the difference,
    and before words that differ as the seat has seen them.

    Args:
        case: The class of the game's tests.
        by_seats: Whether to look as each seat; if false, as the bystander.
    """
    random, pairs = Random(f"games alike {case.key}"), []
    for sample in played_games(case):
        for seat in range(1, sample.seats + 1) if by_seats else (0,):
            for swapped_names, game, swapped in swapped_games(case, sample, random, 4, seat):
                plies = tuple(_while_alike(case, game, swapped, seat))
                pairs.append(Alike(seat, swapped_names, game.tags, plies))
    return tuple(pairs)


def _while_alike(case: type[HeldGame], one: AppliedGame, two: AppliedGame, seat: int) -> Iterator[tuple[Step, Step]]:
    """Yield the steps of two games in pairs, ply by ply, until the seat can tell the games apart.

    It can once a word looks different to it, or once a word of somebody else is judged differently.
    """
    game = case.game()
    for step, other in zip(one.steps, two.steps, strict=False):
        if seen_word(game, step, seat) != seen_word(game, other, seat):
            return
        if step.move.seat != seat and kind(step.verdict) != kind(other.verdict):
            return
        yield step, other


def interchangeable_cards(case: HeldGame, deal: AppliedGame) -> list[list[str]]:
    """Return the names of the hidden cards of a deal in groups, sorted.

    Swapping two cards of a group leaves the same state. A card is hidden if some seat, or the bystander, has not seen
    it.
    """
    words = tuple(step.text for step in deal.steps)
    groups: list[list[str]] = []
    hidden = {name for seat in range(deal.seats + 1) for group in unseen_names(case, deal, seat) for name in group}
    for name in sorted(hidden):
        for group in groups:
            swapped = apply_words(case, (deal.tags, swap_names(words, name, group[0])))
            if len(swapped.steps) == len(words) and swapped.steps[-1].after == deal.steps[-1].after:
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def few_of(plies: tuple[Anything, ...]) -> tuple[Anything, ...]:
    """Return the plies, the last one first; from 24 plies on only every so many-th, so that 12 to 18 are left."""
    return plies[:: -max(1, len(plies) // 12)]


def turns(game: AnyGame, sample: AppliedGame) -> tuple[tuple[Any, int], ...]:
    """Return pairs of a state and the seat that moved in it, in the order of play.

    At the end of a game that can go on, the last state with the seat that may move is added.
    """
    seats_on_turn = [(step.state, step.move.seat) for step in sample.steps if step.move.seat]
    last = sample.steps[-1] if sample.steps else None
    if last is not None and last.calls_after.outcome is None and (last.move.seat or game.hidden.deal is not no_deal):
        seats_on_turn += [(last.after, seat) for seat in actors(game, last.after)[:1] if seat]
    return tuple(seats_on_turn)


def check_verdicts(word: str, full: Verdict, partial: Verdict) -> None:
    """Assert that two verdicts on a word do not contradict each other: not one legal and the other refused.

    Args:
        word: The word.
        full: The verdict of the whole record.
        partial: The verdict without the hidden cards. Where it is undecided, any other agrees with it.
    """
    assert not {type(full), type(partial)} >= {Legal, Refused}, f"{word}: {full}; without the hidden cards {partial}"


def own_words(game: AnyGame, state: Any, seat: int, left_out: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Return the candidates of a seat, moves that are worth judging, as words that it can read, with their verdicts.

    A verdict is that of ``kind``.

    Args:
        game: The game.
        state: The state.
        seat: The seat.
        left_out: Names. Words that hold one of them are left out.
    """
    verdicts = {}
    for move in game.rules.candidates(state):
        if move.seat == seat:
            word = write_word(game, game.hidden.view_move(state, move, seat), state)
            if names((word,)).isdisjoint(left_out):
                verdicts[word] = kind(game.rules.play(state, move).verdict)
    return verdicts


class HiddenLaws(HeldGame):
    """What a seat and a bystander are shown, and what they are not."""

    def check_alike(self, seats: bool) -> None:
        """Assert that two games that look alike are shown alike, in view, picture and drawing.

        Asserts too that there are such games; without them the law would prove nothing.

        Args:
            seats: Whether to compare what the seats are shown; if false, what the bystander is shown.
        """
        game, differing = self.game(), Counter[int]()
        for pair in alike(type(self), seats):
            seat = pair.seat
            for one, two in pair.plies:
                differing[seat] += one.after != two.after
                for show in (game.hidden.view, game.words.picture, game.words.drawing):
                    if show is not None:
                        shown = show(one.after, seat), show(two.after, seat)
                        said = f"{pair.names} show to {seat or 'the bystander'} behind {one.text}: {shown}"
                        assert shown[0] == shown[1], said
        wanted = range(1, game.about.seats[0] + 1) if seats else (0,)
        open_to = [f"p{seat}" if seat else "the bystander" for seat in wanted if not differing[seat]]
        open_to = [name for name in open_to if name not in {f"p{seat}" for seat in self.sees_all}]
        assert open_to == [], (
            "no two games look alike to these: their views hide nothing, or nothing hidden is written in the games the "
            "law plays; then give Hidden.deal, or a golden game whose cards are told"
        )

    @hides
    @long_search
    def test_games_that_look_alike_to_a_seat_are_shown_alike_to_it(self) -> None:
        """Hold pairs of games that look alike to a seat to ``check_alike``."""
        self.check_alike(seats=True)

    @hides
    @long_search
    def test_games_that_look_alike_to_the_bystander_are_shown_alike_to_it(self) -> None:
        """Hold pairs of games that look alike to the bystander to ``check_alike``."""
        self.check_alike(seats=False)

    @hides
    @long_search
    def test_a_view_holds_no_more_than_itself_and_the_picture_is_drawn_from_it(self) -> None:
        """Check that a view of a view is that view, and that a picture for a seat is the one of its view.

        A picture has at most WIDTH columns, and a word as a seat sees it is still of the seat that said it.
        """
        game = self.game()
        for sample in played_games(type(self)):
            for step, seat in product(few_of(sample.steps), range(sample.seats + 1)):
                seen = game.hidden.view(step.after, seat)
                assert game.hidden.view(seen, seat) == seen
                assert hash(seen) == hash(game.hidden.view(step.after, seat))
                drawn = plain(game.words.picture(step.after, seat))
                assert drawn == plain(game.words.picture(seen, seat))
                assert max(map(len, drawn.split("\n"))) <= WIDTH
                if not isinstance(step.move, Call):
                    assert game.hidden.view_move(step.state, step.move, seat).seat == step.move.seat

    @only_for(lambda game: not game.hidden.face_up and game.hidden.deal is not no_deal)
    @long_search
    def test_of_cards_dealt_alike_a_seat_sees_all_or_none(self) -> None:
        """Check that of cards which a deal does not tell apart, no seat is shown some and not the others."""
        game, random = self.game(), Random(f"dealt alike {self.key}")
        for _ in range(looks(4)):
            deal = apply_words(self, ({}, tuple(game.hidden.deal(random))))
            groups = interchangeable_cards(self, deal)
            for seat in range(deal.seats + 1):
                seen = names(seen_words(game, deal, seat))
                some = [sorted(seen & {*cards}) for cards in groups if 0 < len(seen & {*cards}) < len(cards)]
                assert some == [], f"{seat or 'the bystander'} is shown {some} and not what is dealt with them"

    @hides
    @long_search
    def test_what_a_seat_may_do_does_not_depend_on_cards_it_has_not_seen(self) -> None:
        """Check that in games that look alike to a seat its own candidates have the same verdicts."""
        game = self.game()
        for pair in alike(type(self), True):
            for one, two in few_of(pair.plies):
                if pair.seat in actors(game, one.after)[:1] and one.calls_after.outcome is None:
                    may = [own_words(game, step.after, pair.seat, pair.names) for step in (one, two)]
                    differ = {word: [own.get(word) for own in may] for word in {*may[0], *may[1]}}
                    differ = {word: said for word, said in differ.items() if said[0] != said[1]}
                    assert differ == {}, f"{pair.names} decide what p{pair.seat} may do behind {one.text}"

    @hides
    @long_search
    def test_a_verdict_without_the_hidden_cards_holds_with_them(self) -> None:
        """Check that what is legal or refused in the record as a seat has seen it is not the opposite in the whole
        record.

        The words of random games are judged so, and the candidates of the seat in turn.
        """
        game = self.game()
        for sample in played_games(type(self)):
            sheet = read_heading(self.read(sample.tags, "")).sheet
            assert sheet is not None
            for seat in range(sample.seats + 1):
                state = game.rules.setup(game.hidden.view_sheet(sheet, seat))
                seen = steps(game, state, seen_words(game, sample, seat), sample.seats)
                for whole, part in zip(sample.steps, seen, strict=False):
                    assert part.error is None, f"{whole.text} is seen as {part.word}: {part.error}"
                    check_verdicts(whole.text, whole.verdict, part.verdict)
            for state, seat in few_of(turns(game, sample)):
                view = game.hidden.view(state, seat)
                there = {write_word(game, move, state) for move in game.rules.candidates(state)}
                for move in game.rules.candidates(view):
                    if move.seat == seat:
                        word = write_word(game, move, view)
                        seen_so = game.rules.play(view, move).verdict
                        if word in there or type(seen_so) is not Legal or not self.took_unnamed(state, seat):
                            judged = game.rules.play(state, read_word(game, state, word, sample.seats))
                            check_verdicts(word, judged.verdict, seen_so)

    @hides
    @long_search
    def test_what_is_dealt_is_kept(self) -> None:
        """Two games with two cards in each other's place stay two, until a word names one of them, or a new deal."""
        random, apart, lost = Random(f"kept {self.key}"), 0, 0
        for whole in played_games(type(self)):
            for _, one, two in swapped_games(type(self), whole, random, 6, *range(whole.seats + 1)):
                both = [(a, b) for a, b in zip(one.steps, two.steps, strict=False) if a.state != b.state]
                apart += bool(both)
                lost += any(a.after == b.after and a.text == b.text for a, b in both)
        assert apart, "no card is told in the games the law plays: give Hidden.deal, or a golden game with its cards"
        assert lost <= apart / 2, (
            f"of {apart} pairs of games {lost} became one by a word that names none of their cards"
        )

    @hides
    @long_search
    def test_the_record_a_seat_has_seen_is_the_same_of_games_that_look_alike_and_has_no_fault(self) -> None:
        """Check that games that look alike give a seat the same record, byte for byte.

        Every ply of it can be read, and it has no error unless a ply of the whole game was refused.
        """
        game = self.game()
        for pair in (*alike(type(self), True), *alike(type(self), False)):
            both = ([one for one, _ in pair.plies], [two for _, two in pair.plies])
            texts = [tables.sheet(game.about.title, pair.tags, " ".join(s.text for s in each)) for each in both]
            seen = [as_seen(loads(text)[0], pair.seat) for text in texts]
            assert dumps(seen[0]) == dumps(seen[1]), pair.names
            report = examine(seen[0]).report
            assert report.plies == len(pair.plies)
            if not any(isinstance(step.verdict, Refused) for step in both[0]):
                assert [found for found in report.findings if found.severity == "error"] == []
