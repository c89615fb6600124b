"""A walk through a record that is kept and gone on from finds what a walk from the start finds, in every game."""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.notation import Examination, Finding, Line, Note, Record, Source, as_seen, examine, loads, read_heading
from cartulary.notation.arbiter import seen as seeing
from cartulary.notation.arbiter import walk as walking
from cartulary.notation.arbiter.compare import compare
from cartulary.notation.arbiter.gaps import GAPS
from cartulary.notation.arbiter.seen import SeenRecord, see
from cartulary.notation.arbiter.walk import Walk
from cartulary.notation.roster import GAMES
from cartulary.testing import Laws, tables
from cartulary.testing.game import golden_record, golden_rows
from tests.hunts import looks
from tests.laws.test_all_games import HELD

TITLES = {held.key: held.game().about.title for held in HELD}


def drawn(held: type[Laws], random: Random) -> Record:
    """Return a game as somebody wrote it down: cards hidden from a seat, broken rules, wrong marks, notes."""
    tags, words = held().random_game(random)
    [record] = loads(tables.sheet(TITLES[held.key], tags, " ".join(words)))
    seat = random.choice((None, None, 0, 1, 2))
    written = list(as_seen(record, seat).line.words)
    strange = ("Draw", "Agree", "p1/Pass", "x", *("~",) * bool(held.game().boards.tag))
    for at in random.sample(range(len(written)), min(len(written), random.choice((0, 1, 3)))):
        written[at] = random.choice((random.choice(words), written[at] + "+", *strange))
    behind = {at: noted(random, written[at - 1 :]) for at in range(1, len(written) + 1) if random.random() < 0.2}
    [record] = loads(tables.sheet(TITLES[held.key], tags, " ".join(written)))
    numbers = {at: (random.randint(1, 9), 1) for at in range(len(written)) if random.random() < 0.1}
    behind |= {at: Note((), (f"[%board {text}]",)) for at, text in boards_of(record, random)}
    return replace(record, line=replace(record.line, notes=behind, numbers=numbers))


def boards_of(record: Record, random: Random) -> Iterator[tuple[int, str]]:
    """Yield boards for some plies of a record, 0 among them: the true one, that of another ply, or none at all."""
    examined = examine(record)
    assert examined.heading.game is not None
    write = examined.heading.game.boards.write
    states = [step.state for step in examined.steps if type(step.state) not in GAPS]
    if not examined.heading.game.boards.tag or not states:
        return
    plies = random.sample(range(len(record.line.words) + 1), random.choice((0, 0, 1, 3)) % (len(states) + 1))
    for at in {*plies, *(0,) * (random.random() < 0.3)}:
        yield at, random.choice((write(states[min(at, len(states) - 1)]), write(random.choice(states)), "8H"))


def noted(random: Random, words: list[str]) -> Note:
    """Return a note behind a ply: what is said of it, or what might have been played instead."""
    text = random.choice(("late", "[%clk 0:01:00]", "[%ruling 1 stands arbiter=Eva]", "[%irregular x]"))
    return Note((), (text,) if random.random() < 0.6 else (Line(tuple(random.sample(words, min(len(words), 2)))), text))


def until(record: Record, ply: int) -> Record:
    """Return the record as it was after so many plies."""
    line = record.line
    notes = {at: note for at, note in line.notes.items() if at <= ply}
    numbers = {at: number for at, number in line.numbers.items() if at < ply}
    return replace(record, line=replace(line, words=line.words[:ply], notes=notes, numbers=numbers))


def found(examined: Examination) -> Iterator[object]:
    """Yield all that a walk has found."""
    yield examined.report
    yield from (
        examined.state,
        examined.calls,
        examined.words,
        examined.outcome,
        examined.plies_reached,
        examined.spoke,
    )
    for step in examined.steps:
        yield step.ply, step.word, step.text, step.calls, step.calls_after, step.verdict, step.breaches, str(step.error)
    yield [step.after for step in examined.steps]


def resumed_alike(record: Record, random: Random) -> None:
    """Add words one or two at a time, and hold what is found with the walk so far to what is found from the start.

    Of a long record a third of the walks is held to it, and the last.
    """
    kept: Walk | None = None
    ply, plies = 0, len(record.line.words)
    rulings = random.random() < 0.3
    while True:
        now = until(record, ply)
        resumed = examine(now, accept_rulings=rulings, cached=kept)
        if ply < 20 or ply == plies or random.random() < 1 / 3:
            assert list(found(resumed)) == list(found(examine(now, accept_rulings=rulings))), (ply, record.line.words)
        if ply == plies:
            return
        kept, ply = resumed.walk, min(plies, ply + random.choice((1, 1, 2)))


def records(held: type[Laws], seeds: int) -> Iterator[tuple[Record, Random]]:
    """Yield the golden games, and so many drawn by chance, each with the chance to walk it by."""
    for seed, row in enumerate(golden_rows(held)):
        yield golden_record(held, row), Random(seed)
    for seed in range(seeds):
        random = Random(f"resumed {held.key} {seed}")
        yield drawn(held, random), random


def all_resumed_alike(walked: Iterable[tuple[Record, Random]]) -> None:
    for record, random in walked:
        resumed_alike(record, random)


@pytest.mark.hunt
@pytest.mark.parametrize("held", HELD)
def test_adding_words_to_a_walk_finds_what_walking_anew_finds(held: type[Laws]) -> None:
    all_resumed_alike(records(held, looks(6)))


@pytest.mark.hunt
@pytest.mark.parametrize("held", HELD)
def test_a_walk_changed_anywhere_finds_what_walking_anew_finds(held: type[Laws]) -> None:
    """Words are taken back, corrected and put in, notes are written: the walk of what was there is of use still."""
    for seed in range(looks(12)):
        random = Random(f"changed {held.key} {seed}")
        before, now = drawn(held, random), drawn(held, random)
        at = random.randint(0, len(before.line.words))
        words = (*before.line.words[:at], *now.line.words[random.randint(0, len(now.line.words)) :])
        notes = before.line.notes if random.random() < 0.5 else now.line.notes
        after = replace(before, line=replace(before.line, words=words, notes=notes, numbers={}))
        assert list(found(examine(after, cached=examine(before).walk))) == list(found(examine(after)))


def forget(what: str) -> Callable[..., Walk]:
    """Return a walk's own going on with one thing forgotten of what was kept."""
    through = walking._Walking.through

    def forgetful(self: walking._Walking, start: Any, already: Any = ()) -> Walk:
        if self.results:
            setattr(self.findings, what, type(getattr(self.findings, what))())
        return through(self, start, already)

    return forgetful


@pytest.mark.parametrize(
    ("what", "soonest"),
    [("questions", "tarot"), ("refusals", "cardmate"), ("proofs", "tarot"), ("final", "cardmate"), ("shift", "chess")],
)
def test_a_walk_that_forgets_what_was_open_is_found_out(
    what: str, soonest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walking._Walking, "through", forget(what))
    walked = (each for held in sorted(HELD, key=lambda held: held.key != soonest) for each in records(held, 4))
    with pytest.raises(AssertionError):
        all_resumed_alike(walked)


# --- what a seat has seen ---

HIDING = [held for held in HELD if not held.game().hidden.face_up]


def dealt(held: type[Laws], random: Random) -> Record:
    """Return a game with its cards open, which seats see less of; now and then a word of it breaks a rule."""
    tags, words = held().random_game(random)
    written = list(words)
    if random.random() < 0.5:
        written[random.randrange(len(written))] = random.choice(words)
    [record] = loads(tables.sheet(TITLES[held.key], tags, " ".join(written)))
    return replace(record, source=Source(""))


def corrected(record: Record, random: Random) -> Record:
    """Return the record with another of its words in one place."""
    words = list(record.line.words)
    words[random.randrange(len(words))] = random.choice(words)
    return replace(record, line=replace(record.line, words=tuple(words)))


def seen_alike(record: Record, seat: int, random: Random) -> None:
    """Add words, now and then take some back or correct one, and hold what a seat has seen on from what it had seen to
    what it has seen of the whole at once.
    """
    whole: Walk | None = None
    kept: SeenRecord | None = None
    ply, plies = 0, len(record.line.words)
    while True:
        now = until(corrected(record, random) if random.random() < 0.1 else record, ply)
        whole = examine(now, cached=whole).walk
        assert whole is not None
        resumed, anew = see(now, seat, whole, kept), see(now, seat, whole)
        assert resumed.record == anew.record, (seat, ply)
        assert list(found(resumed.examination)) == list(found(anew.examination)), (seat, ply, record.line.words)
        if ply == plies:
            return
        kept, ply = resumed, min(plies, ply + random.choice((1, 1, 2, 5)))
        if random.random() < 0.05:
            ply = random.randint(0, ply)


def all_seen_alike(dealt: Iterable[tuple[Record, Random]]) -> None:
    for record, random in dealt:
        seats = read_heading(record).sheet
        assert seats is not None
        for seat in {0, *random.sample(range(1, seats.seats + 1), 2)}:
            seen_alike(record, seat, random)


def deals(held: type[Laws], seeds: int) -> Iterator[tuple[Record, Random]]:
    for seed in range(seeds):
        random = Random(f"seen {held.key} {seed}")
        yield dealt(held, random), random


@pytest.mark.hunt
@pytest.mark.parametrize("held", HIDING)
def test_what_a_seat_has_seen_is_gone_on_from(held: type[Laws]) -> None:
    all_seen_alike(deals(held, looks(2)))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without their places in a file, which decide their order in a report, ply by ply."""
    placeless = [replace(each, line=0, column=0) for each in findings]
    return sorted(placeless, key=lambda each: (each.ply, each.severity, each.key, each.because))


@pytest.mark.hunt
@pytest.mark.parametrize("held", HIDING)
def test_what_a_seat_has_seen_of_a_walk_is_the_record_as_it_has_seen_it(held: type[Laws]) -> None:
    for record, random in deals(held, looks(6)):
        whole = examine(record).walk
        assert whole is not None
        for seat in (0, random.randint(1, 2)):
            written = as_seen(record, seat)
            seen = see(record, seat, whole)
            line = replace(written.line, numbers={})
            assert (seen.record.tags, replace(seen.record.line, at=line.at)) == (written.tags, line)
            assert [each.because for each in seen.record.problems] == [each.because for each in written.problems]
            assert in_order(seen.examination.report.findings) == in_order(examine(written).report.findings)


def test_a_seat_that_keeps_the_words_of_a_corrected_record_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(whole: Walk, kept: SeenRecord | None) -> list[str]:
        return list(kept.record.line.words[: len(whole.results)]) if kept else []

    played = [each for held in HIDING for each in deals(held, 2)]
    monkeypatch.setattr(seeing, "_cached_words", keep)
    with pytest.raises(AssertionError):
        all_seen_alike(played)


def test_a_seat_whose_open_questions_are_forgotten_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    played = [each for held in HIDING for each in deals(held, 2)]
    monkeypatch.setattr(walking._Walking, "through", forget("questions"))
    with pytest.raises(AssertionError):
        all_seen_alike(played)


# --- how much is judged ---


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the words that are judged, filled in as they are."""
    words: list[str] = []
    for key, game in GAMES.items():

        def read(signs: str, seat: int, state: object, read: object = game.words.read) -> object:
            words.append(signs)
            return read(signs, seat, state)  # type: ignore[operator]

        monkeypatch.setitem(GAMES, key, replace(game, words=replace(game.words, read=read)))
    return words


PLAYED = ["4Ci3", "4Db6", "8Dj2", "8Ca7", "8Dh3", "8Cc6"]


def sheet(*words: str) -> Record:
    return Record((("Game", "Cardmate"),), Line(words, result="*"))


def test_of_a_walk_that_is_kept_only_what_is_new_is_judged(judged: list[str]) -> None:
    kept = examine(sheet(*PLAYED[:4])).walk
    del judged[:]
    examined = examine(sheet(*PLAYED), cached=kept)
    assert judged == PLAYED[4:]
    assert examined.report.plies == examined.plies_reached == len(PLAYED)
    del judged[:]
    assert examine(sheet(*PLAYED), cached=examined.walk).walk is examined.walk
    assert examine(sheet(*PLAYED[:3]), cached=examined.walk).plies_reached == 3
    assert judged == []


def test_of_a_record_nobody_judges_only_what_is_new_is_read() -> None:
    record = replace(sheet("a", "b"), tags=(("Game", "Chess"), ("Rules", "none")))
    kept = examine(record).walk
    assert kept is not None
    more = examine(replace(record, line=replace(record.line, words=("a", "b", "c"))), cached=kept).walk
    assert more is not None
    assert [now is before for now, before in zip(more.results, kept.results, strict=False)] == [True, True]


def test_a_walk_that_is_gone_on_from_has_the_tags_of_the_new_record() -> None:
    before, after = (
        loads(f'[Game "Cardmate"]\n[Event "{event}"]\n\n1. 4Ci3 4Db6 *\n')[0] for event in ("Old club", "New club")
    )
    after = replace(after, source=before.source)
    walked = examine(before).walk
    again = examine(after, cached=walked).walk
    assert isinstance(again, Walk)
    assert again.record.by_name["Event"] == "New club"
    compared = compare(examine(before), examine(after, cached=walked))
    assert compared.tags == (("Event", "Old club", "New club"),)
