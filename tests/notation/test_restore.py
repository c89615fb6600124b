"""The legal games nearest to a sheet: those that brute force finds, and no other."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cartulary.engine import legal_moves, play
from cartulary.notation import (
    GAMES,
    Examination,
    Nearest,
    NotationError,
    Record,
    canonical,
    dumps,
    examine,
    judged_words,
    load,
    loads,
    read_heading,
    restore,
    restored_record,
)
from cartulary.notation.arbiter.replay import read_word
from cartulary.notation.cardmate import format_layout
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.restore import evidence
from cartulary.notation.restore.evidence import SIGNS, LowerBound
from cartulary.testing import Laws, tables
from tests.hunts import looks
from tests.notation.slips import listed, slipped, written
from tests.notation.test_gaps import LISTED, by_substitution, withheld
from tests.places import SAMPLES

GOLDENS = sorted(SAMPLES.glob("*/games/*.cgn"))


def read(words: str, tags: str = "", game: str = "Cardmate") -> Record:
    [record] = loads(f'[Game "{game}"]\n{tags}\n{words} *\n')
    return record


def with_words(record: Record, words: tuple[str, ...]) -> Record:
    return replace(record, line=replace(record.line, words=words, numbers={}))


def legal(examined: Examination) -> bool:
    return all(found.severity != "error" for found in examined.report.findings if found.key != "record.tag")


# --- brute force ---


def apart_by_a_sign(one: str, other: str) -> bool:
    """Say whether one character differs, or two neighbours stand the other way round."""
    turned = (one[:at] + one[at + 1] + one[at] + one[at + 2 :] for at in range(len(one) - 1))
    return len(one) == len(other) and (sum(a != b for a, b in zip(one, other, strict=True)) == 1 or other in turned)


def by_brute_force(record: Record) -> set[tuple[str, ...]]:
    """Return the legal games one slip away, every one judged to its end."""
    words = record.line.words
    tried: set[tuple[str, ...]] = set()
    for at in range(len(words) + 1):
        before = examine(with_words(record, words[:at]))
        if not legal(before):
            break
        game = before.heading.game
        assert game is not None
        bare = game.words.bare
        for word in judged_words(game, before.state, before.calls)[0]:
            tried.add((*words[:at], word, *words[at:]))
            if at < len(words) and apart_by_a_sign(bare(word), bare(words[at])):
                tried.add((*words[:at], word, *words[at + 1 :]))
        if at and at < len(words) and words[at] == words[at - 1]:
            tried.add((*words[:at], *words[at + 1 :]))
        if at + 1 < len(words):
            tried.add((*words[:at], words[at + 1], words[at], *words[at + 2 :]))
    found = (examine(with_words(record, each)) for each in tried)
    return {each.words for each in found if legal(each)}


def with_a_slip(held: type[Laws], seed: int) -> tuple[Record, tuple[str, ...]]:
    """Return a small game with a slip in it, and its words."""
    random = Random(f"slip {held.key} {seed}")
    tags, words = held().random_game(random)
    [record] = loads(tables.sheet(held.game().about.title, tags, " ".join(words[: random.randint(2, 7)])))
    words, where = listed(record)
    return with_words(record, written(words, slipped(random, held.game(), words, where, 1))), words


def agrees(held: type[Laws], seed: int) -> bool:
    record, words = with_a_slip(held, seed)
    found = restore(record, slips=1)
    if found.answer == "legal":
        return legal(examine(record))
    games, answer = by_brute_force(record), {game.words for game in found.games}
    return (
        words in games
        and (found.slips, found.count) == (1, len(games))
        and answer <= games
        and len(answer) == min(8, len(games))
        and found.answer == ("one" if len(games) == 1 else "several")
    )


@pytest.mark.hunt
@pytest.mark.parametrize("held", LISTED)
def test_the_games_one_slip_away_are_those_of_brute_force(held: type[Laws]) -> None:
    assert [seed for seed in range(looks(60)) if not agrees(held, seed)] == []


def too_much(self: LowerBound, place: int, mover: int, least: Any = LowerBound.least) -> int:
    return int(least(self, place, mover)) + (place == 4)


def test_a_bound_that_says_too_much_and_a_slip_that_is_not_known_are_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(LowerBound, "least", too_much)
        assert not all(agrees(LISTED[0], seed) for seed in range(20))
    slip_between = evidence.slip_between
    monkeypatch.setattr(
        evidence, "slip_between", lambda *words: slip.replace(SIGNS, "") if (slip := slip_between(*words)) else ""
    )
    assert not all(agrees(LISTED[0], seed) for seed in range(20))


@pytest.mark.hunt
@pytest.mark.parametrize("held", LISTED)
def test_a_gap_is_filled_by_the_words_of_brute_force(held: type[Laws]) -> None:
    for seed in range(looks(150)):
        record, words, at = withheld(held, Random(f"restored {held.key} {seed}"), 12)
        found = restore(record, slips=0)
        fit = by_substitution(record, at)
        assert (found.slips, found.count) == (0, len(fit)), record
        assert found.answer == ("one" if len(fit) == 1 else "several")
        statements = {game.words[at].rstrip("+×#") for game in found.games}
        assert statements <= fit
        if len(fit) <= 8:
            assert words[at].rstrip("+×#") in statements
        changes = [change for game in found.games for change in game.changes[0]]
        assert {(change.kind, change.ply, change.was) for change in changes} == {("gap", at + 1, MISSING_WORD)}


# --- what is answered ---


def first_page(change: str = "", to: str = "") -> Record:
    [record] = load(SAMPLES / "cardmate" / "games" / "page-1.cgn")
    words = " ".join(record.line.words)
    assert change in words
    return with_words(record, tuple(words.replace(change, to, 1).split()))


WORDS = first_page().line.words
SLIPS = (
    ("8Dh3", "8Dh9", [("misread", 5, 5, "8Dh9", "8Dh3")]),
    ("8Dh3", "8hD3", [("signs", 5, 5, "8hD3", "8Dh3")]),
    (" 8Dh3 ", " ", [("left-out", 5, 5, None, "8Dh3")]),
    ("8Dh3", "8Dh3 8Dh3", [("twice", 6, 5, "8Dh3", None)]),
    ("8Dh3 8Cc6", "8Cc6 8Dh3", [("swapped", 5, 5, "8Cc6 8Dh3", "8Dh3 8Cc6")]),
    ("8Dh3", "~", [("gap", 5, 5, "~", "8Dh3")]),
    ("8Dh3", "~h3", [("gap", 5, 5, "~h3", "8Dh3")]),
)


@pytest.mark.parametrize(("change", "to", "changes"), SLIPS, ids=[changes[0][0] for _, _, changes in SLIPS])
def test_each_slip_is_told_with_its_ply_and_what_stood_there(
    change: str, to: str, changes: list[tuple[object, ...]]
) -> None:
    record = first_page(change, to)
    found = restore(record)
    assert (found.answer, found.count, found.slips) == ("one", 1, 0 if "~" in to else 1)
    assert found.games[0].words == WORDS
    assert [(one.kind, one.ply, one.at, one.was, one.now) for one in found.games[0].changes[0]] == changes
    whole = restored_record(record, found.games[0])
    assert whole.line.words == WORDS
    assert legal(examine(whole))
    assert dumps(canonical(loads(dumps(whole))[0])) == dumps(whole)
    marked = {ply: note.comments[-1] for ply, note in whole.line.notes.items() if "restored" in str(note.comments)}
    assert bool(marked) == (changes[0][0] != "twice")


def test_what_stands_behind_a_word_stays_with_it() -> None:
    words = " ".join(WORDS)
    twice = read(words.replace("8Dj2 8Ca7 8Dh3", "8Dj2! 8Ca7 {b} 8Ca7 {c} 8Dh3 {d}"))
    left_out = read(words.replace("8Dj2 8Ca7 8Dh3 8Cc6", "8Dj2! 8Ca7 {b} {c} 8Cc6 {e}"))
    for record in (twice, left_out):
        found = restore(record)
        assert found.answer == "one"
        whole = restored_record(record, found.games[0])
        by_name = {whole.line.words[ply - 1]: note for ply, note in whole.line.notes.items()}
        assert by_name["8Dj2"].glyphs == (1,)
        assert by_name["8Ca7"].comments == ("b", "c")
    assert by_name["8Dh3"].comments == ('[%restored ""]',)
    assert by_name["8Cc6"].comments == ("e",)


def test_a_legal_sheet_has_nothing_to_restore() -> None:
    found = restore(first_page())
    assert (found.answer, found.slips, found.count) == ("legal", 0, 1)
    assert found.games[0].words == WORDS
    assert found.games[0].changes == ((),)


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_a_golden_game_is_legal_where_no_rule_was_broken_unmarked(path: Any) -> None:
    for record in load(path):
        judged = legal(examine(record, accept_rulings=True))
        assert restore(record, slips=0).answer == ("legal" if judged else "none")


def test_marks_numbers_and_the_result_are_no_evidence() -> None:
    sloppy = first_page("8D:h8", "8Dh8+#")
    sloppy = replace(sloppy, line=replace(sloppy.line, numbers={3: (77, 1)}, result="1-0"))
    assert restore(sloppy).answer == "legal"


def test_a_slip_is_one_beside_marks_that_are_left_out() -> None:
    bare = tuple(word.replace(":", "").rstrip("+×#") for word in WORDS)
    at = WORDS.index("9H:c5")
    found = restore(with_words(first_page(), (*bare[:at], "9Hc8", *bare[at + 1 :])))
    assert (found.answer, found.slips) == ("one", 1)
    assert found.games[0].words == WORDS


def test_a_mark_is_no_slip_in_any_game() -> None:
    assert GAMES["draughts"].words.bare("11x18:+#") == "11x18"


def test_several_games_are_counted_and_where_they_part_is_told() -> None:
    found = restore(read("4Ci3 ~ 8Dj2"))
    fit = by_substitution(read("4Ci3 ~ 8Dj2"), 1)
    assert (found.answer, found.slips, found.count, found.fork) == ("several", 0, len(fit), 2)
    assert len(found.games) == 8
    assert {fork.rstrip("+×#") for fork in found.forks} == fit


def test_a_ply_marked_as_irregular_stays_as_it_is() -> None:
    words = "4Ci3 4Db6 8Dj2 8Ca7 9Hc5 {[%irregular cardmate.path]} 4D:c5"
    assert restore(read(words)).answer == "legal"
    assert restore(read(words.replace("{[%irregular cardmate.path]} ", ""))).answer != "legal"


def test_more_slips_than_are_allowed_are_none() -> None:
    twice = first_page("8Dh3", "8Dh9")
    words = tuple("7xxx" if at in (10, 20) else word for at, word in enumerate(twice.line.words))
    assert restore(with_words(twice, words), slips=2).answer == "none"


def test_noise_is_none_at_once() -> None:
    found = restore(read(" ".join(["Zebra", "Okapi"] * 40)))
    assert (found.answer, found.slips, found.count, found.games) == ("none", None, 0, ())
    assert found.words_judged == 0


def test_a_sheet_of_another_game_is_none() -> None:
    [tarot] = load(SAMPLES / "tarot" / "games" / "fft-garde.cgn")
    assert restore(read(" ".join(tarot.line.words))).answer == "none"


def long_game(plies: int) -> tuple[str, ...]:
    """Return a game of so many random moves, none of which ends it."""
    heading, random, words = read_heading(read("")), Random("long"), list[str]()
    assert heading.game is not None
    assert heading.sheet is not None
    game, state = heading.game, heading.game.rules.setup(heading.sheet)
    while len(words) < plies:
        legal = list(legal_moves(game, state))
        random.shuffle(legal)
        reached = ((move, play(game, state, move).after) for move in legal)
        move, after = next((move, after) for move, after in reached if game.rules.outcome(after) is None)
        words.append(game.words.write(move, state, after))
        state = after
    return tuple(words)


def test_ten_thousand_plies_are_read_or_given_up_within_the_budget() -> None:
    words = long_game(10_000)
    assert restore(with_words(read(""), words)).answer == "legal"
    found = restore(with_words(read(""), (*words[:-1], words[-1][:-1] + "z")), budget=50_000)
    assert found.slips == 1
    assert words in {each.words for each in found.games}
    given_up = restore(with_words(read(""), words), budget=5_000)
    assert (given_up.answer, given_up.slips, given_up.games, given_up.words_judged) == ("budget", None, (), 5_001)


def test_tags_that_set_up_no_game_are_an_error() -> None:
    with pytest.raises(NotationError, match="expected one of"):
        restore(read("a", game="Nonesuch"))
    with pytest.raises(NotationError):
        restore(read("4Ci3", '[Setup "-- / --"]'))


def test_a_record_nobody_judges_is_legal() -> None:
    assert restore(read("any words ~", '[Rules "none"]', "Mah-Jongg")).answer == "legal"


# --- words that can never be legal any more ---


def may_come(record: Record, words: int, word: str) -> bool:
    """Say whether a word may be legal behind so many words of a record."""
    examined = examine(with_words(record, record.line.words[:words]))
    assert examined.heading.game is not None
    answer = read_word(examined.heading.game, examined.state, word, 2)
    return bool(examined.heading.game.rules.later(examined.state, answer))


def test_a_card_is_gone_once_it_is_taken_and_an_ace_may_yet_come() -> None:
    taken = WORDS.index("9S:c5")
    assert may_come(first_page(), taken, "p1/9Hc6")
    assert not may_come(first_page(), taken + 1, "p1/9Hc6")
    assert may_come(first_page(), taken + 1, "p1/ACc5")


def test_a_card_of_the_chien_may_be_played_until_it_is_put_away_and_any_card_once() -> None:
    [deal] = load(SAMPLES / "tarot" / "games" / "fft-garde.cgn")
    words = deal.line.words
    bid, led = words.index("Prise"), words.index("2H")
    assert may_come(deal, bid, "2D")
    assert may_come(deal, led, "2D")
    assert not may_come(deal, led, "QC")
    assert may_come(deal, led, "2H")
    assert not may_come(deal, led + 1, "2H")


# --- boards ---


def board_after(words: str) -> str:
    state = examine(read(words)).state
    return f"{{[%board {format_layout(state.board, state.mover)}]}}"


def test_a_board_says_what_nobody_wrote() -> None:
    assert restore(read("4Ci3 ~ 8Dj2")).answer == "several"
    found = restore(read(f"4Ci3 ~ {board_after('4Ci3 4Db6')} 8Dj2"))
    assert (found.answer, found.slips) == ("one", 0)
    assert found.games[0].words == ("4Ci3", "4Db6", "8Dj2")


def test_a_board_tells_of_a_slip_that_left_a_legal_game() -> None:
    board = board_after("4Ci3 4Db6 8Dj2")
    assert restore(read("4Ci3 3Dh6 8Dj2")).answer == "legal"
    found = restore(read(f"4Ci3 4Db7 8Dj2 {board}"))
    assert (found.answer, found.slips) == ("one", 1)
    assert found.games[0].words == ("4Ci3", "4Db6", "8Dj2")


def test_play_goes_on_from_a_board_to_which_no_moves_lead() -> None:
    adjourned = f"{' '.join(WORDS[:4])} {board_after(' '.join(WORDS[:20]))} {' '.join(WORDS[20:])}"
    assert restore(read(adjourned)).answer == "legal"
    assert restore(read(f"{board_after(' '.join(WORDS[:20]))} {' '.join(WORDS[20:])}")).answer == "legal"
    slip = restore(read(adjourned.replace("8D:h8", "8D:h9")))
    assert (slip.answer, slip.slips) == ("one", 1)


# --- open deals ---


@pytest.mark.hunt
def test_a_slip_in_an_open_deal_is_found() -> None:
    right = total = 0
    for name in ("fft-garde", "fft-three", "dementlieu-open"):
        [record] = load(SAMPLES / "tarot" / "games" / f"{name}.cgn")
        words, where = listed(record)
        game = read_heading(record).game
        assert game is not None
        for seed in range(looks(12)):
            sheet = written(words, slipped(Random(f"deal {name} {seed}"), game, words, where, 1))
            found: Nearest = restore(with_words(record, sheet))
            assert found.answer in ("legal", "one", "several")
            assert found.count > 8 or found.answer == "legal" or words in {each.words for each in found.games}
            total += found.answer != "legal"
            right += found.answer == "one"
    assert right >= 0.8 * total > 0


def test_two_sheets_are_weighed_together() -> None:
    first, second = first_page("8Dh3", "~"), first_page("8Cc6", "8Cc9")
    found = restore(first, second)
    assert (found.answer, found.slips) == ("one", 1)
    assert found.games[0].words == WORDS
    assert [[change.kind for change in each] for each in found.games[0].changes] == [["gap"], ["misread"]]


def test_a_word_one_sheet_lacks_is_that_of_the_other() -> None:
    first, second = first_page(" 8Dh3 ", " "), first_page("JSf3", "JSf9")
    found = restore(first, second)
    assert (found.answer, found.slips) == ("one", 2)
    assert found.games[0].words == WORDS
