"""Laws of hidden cards: games that look alike to somebody are shown alike, and what nobody has seen decides nothing.

Two *games that look alike* to a seat, or to the bystander, are made by giving two cards that it has not seen each
other's names, in every word. Which those are, its own record says: they stand in the words as written and not in the
words as it has seen them. So a view that shows one of them, in whatever way, tells the two games apart. In a game that
shows everything there are no two such games, and that is a fault too.
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
from cartulary.testing.game import WIDTH, HeldGame, Sheet, long_search, looks, only_for, remembered

GAMES = looks(10)
"""How many games are played for each law."""
NAME = re.compile(r"[0-9A-Za-z]+")
"""A piece of a word that may be the name of a card."""

Anything = TypeVar("Anything")
Other = tuple[tuple[str, str], "Followed", "Followed"]

hides = only_for(lambda game: not game.hidden.face_up)


class Followed(Struct, frozen=True):
    """A game as far as its words can be applied."""

    tags: dict[str, str]
    steps: tuple[Step, ...]
    seats: int


class Alike(Struct, frozen=True):
    """Two games that look alike to ``seat``; ``named`` has the cards that have changed places between them."""

    seat: int
    named: tuple[str, str]
    tags: dict[str, str]
    plies: tuple[tuple[Step, Step], ...]


def kind(verdict: Verdict) -> tuple[str, str]:
    """Return what a verdict comes to: its kind, and the clause that refuses."""
    return type(verdict).__name__, verdict.clause.key if isinstance(verdict, Refused) else ""


def followed(held: HeldGame, sheet: Sheet) -> Followed:
    """Return a game as far as its words can be applied."""
    tags, written = sheet
    state, seats = held.started(tags)
    [record] = loads(tables.sheet(held.game().about.title, tags, " ".join(written)))
    done = tuple(step for step in steps(held.game(), state, record.line.words, seats) if step.applied)
    return Followed(tags, done, seats)


def renamed(words: tuple[str, ...], one: str, two: str) -> tuple[str, ...]:
    """Return the words with two names in each other's place."""
    names = {one: two, two: one}
    return tuple(NAME.sub(lambda found: names.get(found[0], found[0]), word) for word in words)


def names(words: tuple[str, ...]) -> set[str]:
    """Return all that may be a card's name."""
    return {name for word in words for name in NAME.findall(word)}


def seen_words(game: AnyGame, played: Followed, seat: int) -> tuple[str, ...]:
    """Return the words of a game as a seat, or 0 the bystander, has seen them."""
    return tuple(seen_word(game, step, seat) for step in played.steps)


def unseen(held: HeldGame, played: Followed, seat: int) -> list[list[str]]:
    """Return the names in the words as written that are not in them as a seat has seen them, in groups: of a group it
    has been shown all or none in each word that ``unsaid`` names."""
    game, alike = held.game(), defaultdict[tuple[int, ...], list[str]](list)
    told = [(step.ply, held.unsaid(step, seat)) for step in played.steps]
    for name in sorted(names(tuple(step.text for step in played.steps)) - names(seen_words(game, played, seat))):
        alike[tuple(ply for ply, cards in told if name in cards)].append(name)
    return list(alike.values())


@remembered
def played_games(held: type[HeldGame]) -> tuple[Followed, ...]:
    """Return games played by chance, the same ones at every run."""
    random = Random(f"hidden cards of {held.key}")
    return tuple(followed(held(), held().played(random)) for _ in range(GAMES))


def cut(one: Followed, random: Random) -> Followed:
    """Return the game as it stood at some time: at its end little may be left unseen."""
    return Followed(one.tags, one.steps[: random.randint(min(1, len(one.steps)), len(one.steps))], one.seats)


def others(held: type[HeldGame], whole: Followed, random: Random, times: int, *seats: int) -> Iterator[Other]:
    """Yield two names one of the seats cannot tell apart, a game as it stood, and with these in each other's place."""
    for _ in range(times):
        one = cut(whole, random)
        hidden = [alike for seat in seats for alike in unseen(held(), one, seat) if len(alike) > 1]
        if hidden:
            first, second = random.sample(random.choice(hidden), 2)
            words = renamed(tuple(step.text for step in one.steps), first, second)
            yield (first, second), one, followed(held(), (one.tags, words))


@remembered
def alike(held: type[HeldGame], by_seats: bool) -> tuple[Alike, ...]:
    """Return pairs of games that look alike to a seat, or to the bystander.

    They end where a word of others is judged otherwise, which may be what shows, or at words that say too little.
    """
    random, found = Random(f"games alike {held.key}"), []
    for whole in played_games(held):
        for seat in range(1, whole.seats + 1) if by_seats else (0,):
            for named, one, two in others(held, whole, random, 4, seat):
                plies = tuple(_while_alike(held, one, two, seat))
                found.append(Alike(seat, named, one.tags, plies))
    return tuple(found)


def _while_alike(held: type[HeldGame], one: Followed, two: Followed, seat: int) -> Iterator[tuple[Step, Step]]:
    game = held.game()
    for step, other in zip(one.steps, two.steps, strict=False):
        if seen_word(game, step, seat) != seen_word(game, other, seat):
            return
        if step.move.seat != seat and kind(step.verdict) != kind(other.verdict):
            return
        yield step, other


def dealt_alike(held: HeldGame, deal: Followed) -> list[list[str]]:
    """Return the cards of a deal, those together that can change places without a trace."""
    written = tuple(step.text for step in deal.steps)
    lie: list[list[str]] = []
    hidden = {name for seat in range(deal.seats + 1) for alike in unseen(held, deal, seat) for name in alike}
    for name in sorted(hidden):
        for alike in lie:
            swapped = followed(held, (deal.tags, renamed(written, name, alike[0])))
            if len(swapped.steps) == len(written) and swapped.steps[-1].after == deal.steps[-1].after:
                alike.append(name)
                break
        else:
            lie.append([name])
    return lie


def spread(plies: tuple[Anything, ...]) -> tuple[Anything, ...]:
    """Return a few of the plies, from the last back."""
    return plies[:: -max(1, len(plies) // 12)]


def turns(game: AnyGame, played: Followed) -> tuple[tuple[Any, int], ...]:
    """Return the states in which a seat spoke, or comes to speak at the end, each with the seat."""
    spoken = [(step.state, step.move.seat) for step in played.steps if step.move.seat]
    last = played.steps[-1] if played.steps else None
    if last is not None and last.calls_after.ended is None and (last.move.seat or game.hidden.deal is not no_deal):
        spoken += [(last.after, seat) for seat in actors(game, last.after)[:1] if seat]
    return tuple(spoken)


def check_verdicts(word: str, whole: Verdict, part: Verdict) -> None:
    """Check that a verdict given without the hidden cards is not another one with them."""
    assert not {type(whole), type(part)} >= {Legal, Refused}, f"{word}: {whole}; without the hidden cards {part}"


def own_words(game: AnyGame, state: Any, seat: int, but: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Return the candidates of a seat as words it can read, each with what they are judged; ``but``: none of these."""
    found = {}
    for move in game.rules.candidates(state):
        if move.seat == seat:
            word = write_word(game, game.hidden.view_move(state, move, seat), state)
            if names((word,)).isdisjoint(but):
                found[word] = kind(game.rules.play(state, move).verdict)
    return found


class HiddenLaws(HeldGame):
    """What a seat and a bystander are shown, and what they are not."""

    def check_alike(self, seats: bool) -> None:
        """Check that two games that look alike are shown alike, and that there are such."""
        game, differing = self.game(), Counter[int]()
        for pair in alike(type(self), seats):
            seat = pair.seat
            for one, two in pair.plies:
                differing[seat] += one.after != two.after
                for show in (game.hidden.view, game.words.picture, game.words.drawing):
                    if show is not None:
                        shown = show(one.after, seat), show(two.after, seat)
                        said = f"{pair.named} show to {seat or 'the bystander'} behind {one.text}: {shown}"
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
        self.check_alike(seats=True)

    @hides
    @long_search
    def test_games_that_look_alike_to_the_bystander_are_shown_alike_to_it(self) -> None:
        self.check_alike(seats=False)

    @hides
    @long_search
    def test_a_view_holds_no_more_than_itself_and_the_picture_is_drawn_from_it(self) -> None:
        game = self.game()
        for played in played_games(type(self)):
            for step, seat in product(spread(played.steps), range(played.seats + 1)):
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
        game, random = self.game(), Random(f"dealt alike {self.key}")
        for _ in range(looks(4)):
            deal = followed(self, ({}, tuple(game.hidden.deal(random))))
            lie = dealt_alike(self, deal)
            for seat in range(deal.seats + 1):
                seen = names(seen_words(game, deal, seat))
                some = [sorted(seen & {*cards}) for cards in lie if 0 < len(seen & {*cards}) < len(cards)]
                assert some == [], f"{seat or 'the bystander'} is shown {some} and not what is dealt with them"

    @hides
    @long_search
    def test_what_a_seat_may_do_does_not_depend_on_cards_it_has_not_seen(self) -> None:
        game = self.game()
        for pair in alike(type(self), True):
            for one, two in spread(pair.plies):
                if pair.seat in actors(game, one.after)[:1] and one.calls_after.ended is None:
                    may = [own_words(game, step.after, pair.seat, pair.named) for step in (one, two)]
                    differ = {word: [own.get(word) for own in may] for word in {*may[0], *may[1]}}
                    differ = {word: said for word, said in differ.items() if said[0] != said[1]}
                    assert differ == {}, f"{pair.named} decide what p{pair.seat} may do behind {one.text}"

    @hides
    @long_search
    def test_a_verdict_without_the_hidden_cards_holds_with_them(self) -> None:
        game = self.game()
        for played in played_games(type(self)):
            sheet = read_heading(self.read(played.tags, "")).sheet
            assert sheet is not None
            for seat in range(played.seats + 1):
                state = game.rules.setup(game.hidden.view_sheet(sheet, seat))
                seen = steps(game, state, seen_words(game, played, seat), played.seats)
                for whole, part in zip(played.steps, seen, strict=False):
                    assert part.error is None, f"{whole.text} is seen as {part.word}: {part.error}"
                    check_verdicts(whole.text, whole.verdict, part.verdict)
            for state, seat in spread(turns(game, played)):
                view = game.hidden.view(state, seat)
                there = {write_word(game, move, state) for move in game.rules.candidates(state)}
                for move in game.rules.candidates(view):
                    if move.seat == seat:
                        word = write_word(game, move, view)
                        seen_so = game.rules.play(view, move).verdict
                        if word in there or type(seen_so) is not Legal or not self.took_unnamed(state, seat):
                            judged = game.rules.play(state, read_word(game, state, word, played.seats))
                            check_verdicts(word, judged.verdict, seen_so)

    @hides
    @long_search
    def test_what_is_dealt_is_kept(self) -> None:
        """Two games with two cards in each other's place stay two, until a word names one of them, or a new deal."""
        random, apart, lost = Random(f"kept {self.key}"), 0, 0
        for whole in played_games(type(self)):
            for _, one, two in others(type(self), whole, random, 6, *range(whole.seats + 1)):
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
        game = self.game()
        for pair in (*alike(type(self), True), *alike(type(self), False)):
            both = ([one for one, _ in pair.plies], [two for _, two in pair.plies])
            texts = [tables.sheet(game.about.title, pair.tags, " ".join(s.text for s in each)) for each in both]
            seen = [as_seen(loads(text)[0], pair.seat) for text in texts]
            assert dumps(seen[0]) == dumps(seen[1]), pair.named
            report = examine(seen[0]).report
            assert report.plies == len(pair.plies)
            if not any(isinstance(step.verdict, Refused) for step in both[0]):
                assert [found for found in report.findings if found.severity == "error"] == []
