"""The duel judged word by word: random games told openly, as the table saw them, and as each seat saw them."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from cartulary.engine import Refused, Undecided, tarot_duel
from cartulary.engine.contract import Breach, Need, Open
from cartulary.engine.slots import is_slot
from cartulary.engine.tarot_duel import State
from cartulary.engine.tarot_duel.cards import ITSELF
from cartulary.engine.tarot_duel.views import view, view_move, view_sheet
from cartulary.notation import Step, steps
from cartulary.notation.arbiter.replay import read_word, write_word
from cartulary.notation.picture import plain
from cartulary.notation.roster import GAMES
from cartulary.notation.tarot_duel import read_sheet, write_sheet
from cartulary.notation.tarot_duel.picture import picture
from tests.hunts import looks
from tests.referees.tarot_duel import table as duel_table

GAME = GAMES["tarot-duel"]
SEATED = (2, 3, 4, 10)
DECK1 = "1D 2D 3D 4D 5D 6D 7D 8D 9D XD JD ND T01 T17 T03 T15"
DECK2 = "1C 2C 3C 4C 5C 6C 7C 8C 9C XC JC NC T09 T12 T15 T21"
STRANGE = (
    *("End", "*7C", "p2/*7C", "*7C,8C", "7C@a", "T01", "T13>p2", "p2/T15", "T15", "p1/T12=T13", "7C-", "*7C-", "~-"),
    *(":p2a=7C^9S^4D", ":p2a1^~^~", "p2/^7C", "7C,8C>d", "7C,8C>a", "p0/=H", "p0/=3", "p0/p2=7C", "p0/p1*7C", "Yes"),
    *("p2/Pass", ":p2h", "T04=KD@a", "T05=KD", "T19", "T21:p2a=7C", "^9S^4D", "7C-*8C", "T16=2", "T07=7C>p2h", "T22"),
)


def started(tags: dict[str, str], seats: int = 2) -> State:
    state = GAME.rules.setup(read_sheet(tags, "standard", {}, seats))
    assert isinstance(state, State), state
    return state


def told(tags: dict[str, str], words: tuple[str, ...], seats: int = 2) -> list[Step]:
    """Return the steps of a record whose words can all be read."""
    done = list(steps(GAME, started(tags, seats), words, seats))
    for step in done:
        assert step.error is None, f"{step.word}: {step.error}"
    return done


def found(done: list[Step]) -> list[tuple[str, str]]:
    """Return every word that is refused, with the key, or proves something, or is not spelled as it should be."""
    faults = [(step.word, step.verdict.clause.key) for step in done if isinstance(step.verdict, Refused)]
    faults += [(step.word, breach.key) for step in done for breach in step.breaches]
    return faults + [(step.word, "cgn.mark") for step in done if step.text != step.word]


def games(seats: int, count: int) -> Iterator[duel_table.Game]:
    # A game of ten seats is as long as many a game of two.
    for number in range(looks(count) // (seats // 5 * 2 or 1)):
        yield duel_table.record(Random(f"engine {seats} {number}"), seats)


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_a_random_game_told_openly_is_legal_word_by_word_and_ends_as_by_hand(seats: int) -> None:
    for game in games(seats, 20):
        done = told(game.tags, game.words, seats)
        assert found(done) == []
        last = GAME.turns.settle(done[-1].after)
        assert last.outcome is not None
        assert last.outcome.key == f"tarot-duel.{game.key}"
        assert GAME.points.write(last) == {"Score": game.score}
        assert last.turns == game.turns


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_the_same_game_as_the_table_saw_it_has_no_finding_and_the_same_end(seats: int) -> None:
    for game in games(seats, 20):
        done = told(game.tags, game.table, seats)
        assert found(done) == []
        last = GAME.turns.settle(done[-1].after)
        assert last.outcome is not None
        assert last.outcome.key == f"tarot-duel.{game.key}"


def cards_of(state: State) -> Counter[int]:
    """Return every card of an open record, wherever it is; those of a deck nobody told lie in a pool."""
    zones = b"".join(side.deck + side.hand + side.area + side.row + side.pile for side in state.sides)
    aside = b"".join((*state.marks.ready, *state.marks.out_of_play))
    on_table = bytes(card for _, card in state.act.table)
    named = bytes(code for code in zones + aside + on_table if not is_slot(code))
    return Counter((named + b"".join(state.unseen.slots.pools)).translate(ITSELF))


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_no_card_is_ever_lost_or_doubled(seats: int) -> None:
    for game in games(seats, 8):
        whole = Counter(b"".join(started(game.tags, seats).options.decks))
        for step in told(game.tags, game.words, seats):
            assert cards_of(step.after) == whole, step.word
            if step.after.if_unanswered is not None:
                assert cards_of(step.after.if_unanswered) == whole, step.word


# --- views ---


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_a_record_as_a_seat_saw_it_reads_on_without_a_finding(seats: int) -> None:
    for game in games(seats, 4):
        sheet = read_sheet(game.tags, "standard", {}, seats)
        done = told(game.tags, game.words, seats)
        for seat in range(seats + 1):
            tags = write_sheet(view_sheet(sheet, seat))
            seen = tuple(write_word(GAME, view_move(step.state, step.move, seat), step.state) for step in done)
            assert found(told(tags, seen, seats)) == [], f"p{seat}"


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_a_view_holds_no_more_than_itself_and_is_drawn_within_the_width(seats: int) -> None:
    for game in games(seats, 3):
        for step in told(game.tags, game.words, seats)[::3]:
            for seat in range(seats + 1):
                seen = view(step.after, seat)
                assert view(seen, seat) == seen
                assert hash(seen) == hash(view(step.after, seat))
                drawn = plain(picture(seen, seat))
                assert max(map(len, drawn.split("\n"))) <= 80
                assert drawn == plain(picture(step.after, seat))


def other_world(words: tuple[str, ...], seat: int, state: State) -> tuple[str, ...] | None:
    """Return the words up to the second time a seat's deck is told, its last two cards of the first time changed."""
    told_at = [at for at, word in enumerate(words) if word.startswith(f"p0/p{seat}*")]
    end = told_at[1] if len(told_at) > 1 else len(words)
    cards = words[told_at[0]].split("*")[1].split(",")
    drawn = sum(word.count(",") + 1 for word in words[:end] if "*" in word)
    if cards[-1] == cards[-2] or drawn > len(cards) * len(state.sides):
        return None
    cards[-2:] = cards[:-3:-1]
    return (*words[: told_at[0]], f"p0/p{seat}*{','.join(cards)}", *words[told_at[0] + 1 : end])


@pytest.mark.hunt
@pytest.mark.parametrize("seats", SEATED)
def test_two_worlds_alike_to_a_seat_give_it_equal_views(seats: int) -> None:
    compared = 0
    for game in games(seats, 24):
        for owner in range(1, seats + 1):
            words = other_world(game.words, owner, started(game.tags, seats))
            if words is None:
                continue
            for one, two in zip(told(game.tags, game.words, seats), told(game.tags, words, seats), strict=False):
                if isinstance(two.verdict, (Refused, Undecided)) or two.after.if_unanswered is not None:
                    break
                for seat in range(seats + 1):
                    if view_move(one.state, one.move, seat) == view_move(two.state, two.move, seat):
                        assert view(one.after, seat) == view(two.after, seat), one.word
                        compared += 1
    assert compared > 100


def test_what_the_star_shows_only_its_player_and_the_victim_see() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T18"), "Deck2": DECK2, "Deck3": DECK2}
    words = ("p0/p1*T18,7D", "p0/p2*4C,5C", "p0/p3*6C,7C", "*8D", "T18>p2", "p0/p2=5C")
    after = told(tags, words, 3)[-1].after
    hands = [plain(picture(after, seat)) for seat in (1, 2, 3)]
    assert "5C  1 unknown" in hands[0]
    assert "4C  5C" in hands[1]
    assert "5C" not in hands[2]


def test_what_the_chariot_fetches_all_see_and_a_card_the_lovers_give_only_two() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T08").replace("T17", "T07"), "Deck2": DECK2, "Deck3": DECK2}
    start = ("p0/p1*T08,T07", "p0/p2*4C,5C", "p0/p3*6C,7C", "*8D", "T08=9D")
    shown = told(tags, start, 3)[-1].after
    assert all("9D" in plain(picture(GAME.turns.settle(shown), seat)) for seat in (1, 2, 3))
    given = ("End", "*~", "End", "*~", "End", "*~", "T07=8D>p2h", "p0/p2=4C")
    after = told(tags, (*start, *given), 3)[-1].after
    assert "4C" in plain(picture(after, 2))
    assert "8D" in plain(picture(after, 1)).split("p2  ")[1]
    drawn = plain(picture(after, 3))
    assert "4C" not in drawn
    assert "8D" not in drawn


def test_who_knew_a_card_of_a_hand_cannot_follow_it_when_one_is_given_away_unseen() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T07"), "Deck2": DECK2.replace("T12", "T18"), "Deck3": DECK2}
    words = ("p0/p1*T07,7D", "p0/p2*T18,5C", "p0/p3*6C,7C", "*8D", "End", "*~", "T18>p1", "p0/p1=7D,8D", "End")
    knows = told(tags, words, 3)[-1].after
    assert "7D  8D" in plain(picture(knows, 2))
    given = told(tags, (*words, "*~", "End", "*9D", "T07=7D>p3h", "p0/p3=6C"), 3)[-1].after
    drawn = plain(picture(given, 2))
    assert "7D" not in drawn
    assert "8D" not in drawn


def test_the_sun_shows_a_row_and_the_moon_hides_it_again() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T20"), "Deck2": DECK2.replace("T12", "T19").replace("T21", "1S")}
    words = ("p0/p1*T20,7D", "p0/p2*4C,T19", "*8D", "End", "*6C", "4C,6C@a", "T19=4C,6C", "6C,4C>a", "End", "*~")
    done = told(tags, (*words, "T20", "End"))
    before, after = plain(picture(done[-3].after, 1)), plain(picture(done[-1].after, 1))
    assert "a1 ~  a2 ~" in before
    assert "a1 6C  a2 4C" in after
    assert "points 10" in before


# --- hidden records ---


def test_a_card_played_that_lies_elsewhere_is_refused_at_its_ply() -> None:
    tags = {"Deck1": DECK1, "Deck2": DECK2}
    done = told(tags, ("*~", "7D@a", "End", "*~", "End", "*~", "7D@a"))
    assert found(done) == [("7D@a", "tarot-duel.in-hand")]
    assert done[-1].ply == 7
    assert not done[-1].applied


def test_a_card_of_the_other_deck_is_refused_though_it_is_nowhere_to_be_seen() -> None:
    done = told({"Deck1": DECK1, "Deck2": DECK2}, ("*~", "7C@a"))
    assert found(done) == [("7C@a", "tarot-duel.in-hand")]


def test_a_card_that_came_back_to_the_deck_cannot_be_played_before_the_next_draw() -> None:
    tags = {"Deck1": DECK1, "Deck2": DECK2}
    words = ("*~", "T03", "7D,8D-*~,~", "End", "*~", "End", "*~", "T17=7D", "End", "*~", "End")
    assert found(told(tags, (*words, "*~", "7D@a"))) == []
    before = told(tags, (*words[:8], "7D@a"))
    assert found(before) == [("7D@a", "tarot-duel.in-hand")]


def test_a_broken_hand_limit_is_found_in_a_record_that_knows_no_card() -> None:
    tags = {"Deck1": "~x16", "Deck2": "~x16"}
    words = tuple(word for _ in range(4) for word in ("*~", "End", "*~", "End"))
    done = told(tags, words)
    assert found(done) == [("End", "tarot-duel.hand-limit")] * 2
    assert [step.ply for step in done if isinstance(step.verdict, Refused)] == [14, 16]


def test_a_discard_of_the_fool_that_was_not_in_the_hand_is_refused() -> None:
    tags = {"Deck1": DECK1, "Deck2": DECK2}
    words = ("*~", "End", "*~", "7C@a", "End", "*~", "T01", "p0/=H", ":p2h", "p0/p2=7C")
    assert found(told(tags, words)) == [("p0/p2=7C", "tarot-duel.in-hand")]


def test_a_fault_of_an_unknown_deck_is_proved_at_the_ply_that_shows_it() -> None:
    done = told({"Deck1": "~x16", "Deck2": DECK2}, ("*~", "T01", "p0/=H", "*~", "End", "*~", "End", "*~", "T01"))
    proved = [breach for step in done for breach in step.breaches]
    assert proved == [Breach((0,), "tarot-duel.deck-majors", "Deck1 has T01 more than once", 9)]


def test_a_name_of_the_empress_is_a_breach_once_no_card_of_the_deck_can_be_it() -> None:
    deck = DECK1.replace("T03", "T04").replace("ND", "~")
    done = told({"Deck1": deck, "Deck2": DECK2}, ("p0/p1*T04,7D", "*8D", "T04=KD@a", "End", "*~", "End", "*QD"))
    assert isinstance(done[2].verdict, Undecided)
    assert tarot_duel.pending(done[5].after).open == ((3, "tarot-duel.effect"),)
    assert [(breach.plies, breach.decided_by) for breach in done[-1].breaches] == [((3,), 7)]
    assert tarot_duel.pending(done[-1].after).open == ()


def test_what_is_not_known_stays_legal_and_the_opening_word_may_be_left_out() -> None:
    done = told({"Deck1": DECK1, "Deck2": DECK2}, ("p0/p2*~,~,4C", "*~", "1D,7D@a", "End", "*4C", "End"))
    assert found(done) == []
    places = {place for _, place in tarot_duel.whereabouts(done[-1].after)}
    assert places == {"with p1 or in p1's deck", "with p2 or in p2's deck"}


def test_a_stake_nobody_wrote_down_leaves_the_winner_to_the_next_word() -> None:
    tags = {"Deck1": DECK1, "Deck2": DECK2}
    start = ("*~", "7D@a", "End", "*~", ":p1a=7D^~^~")
    won = told(tags, (*start, "p1/1D,2D,3D,4D-", "~,~,~,~>d", "End"))
    lost = told(tags, (*start, "1C,2C,3C,4C-", "p1/~,~,~,~>d", "End"))
    even = told(tags, (*start, "End"))
    assert [found(done) for done in (won, lost, even)] == [[], [], []]
    assert [len(done[-1].after.sides[1].area) for done in (won, lost, even)] == [1, 0, 0]


# --- words ---


@pytest.mark.hunt
def test_any_word_in_any_state_gives_a_verdict_and_stands_or_blocks() -> None:
    for seats in SEATED:
        for game in games(seats, 2):
            for step in told(game.tags, game.words, seats)[::4]:
                for word in STRANGE:
                    (strange,) = steps(GAME, step.state, (word,), seats, first=step.ply)
                    if strange.error is None:
                        assert read_word(GAME, step.state, strange.text, seats) == strange.move, word
                        assert strange.applied or isinstance(strange.verdict, Refused)


def test_a_score_that_contradicts_the_areas_is_named_and_one_that_may_be_true_is_not() -> None:
    state = told({"Deck1": DECK1, "Deck2": DECK2}, ("*~", "7D@a"))[-1].after
    assert GAME.points.tag_faults({"Score": "7:0"}, "*", state, "") == ()
    assert [tag for tag, *_ in GAME.points.tag_faults({"Score": "8:0"}, "*", state, "")] == ["Score"]
    assert [tag for tag, *_ in GAME.points.tag_faults({"Score": "seven"}, "*", state, "")] == ["Score"]


def test_rounds_of_the_table_are_numbered_and_opening_words_are_not() -> None:
    done = told({"Deck1": DECK1, "Deck2": DECK2}, ("p0/p1*7D,1D", "*~", "7D@a", "End", "*~", "End", "*~"))
    numbers = [tarot_duel.number_round(step.state, step.move) for step in done]
    assert numbers == [None, (1, True), (1, False), (1, False), (1, False), (1, False), (2, True)]


def test_after_the_end_every_word_is_refused_under_the_rule_that_ended_the_game() -> None:
    tags = {"Deck1": DECK1, "Deck2": DECK2, "PointTotal": "7"}
    state = told(tags, ("*~", "7D@a"))[-1].after
    assert state.outcome is not None
    assert tarot_duel.actors(state) == ()
    for word in ("End", "p2/*~", "p0/p1*~", "p2/T15"):
        verdict = GAME.rules.play(state, read_word(GAME, state, word, 2)).verdict
        assert isinstance(verdict, Refused)
        assert verdict.clause.key == "tarot-duel.point-win"


def test_a_question_about_an_unknown_card_says_what_it_turns_on() -> None:
    deck = DECK1.replace("T03", "T04").replace("ND", "~")
    step = told({"Deck1": deck, "Deck2": DECK2}, ("p0/p1*T04,7D", "*8D", "T04=KD@a"))[-1]
    assert isinstance(step.verdict, Undecided)
    (question,) = step.verdict.opens
    assert GAME.hidden.exact(step.state, question) == question
    assert "p1's deck" in tarot_duel.describe_need(step.after, Need("p1's deck", (13,), 3))
    assert isinstance(question, Open)


def test_a_world_lovers_gave_away_takes_its_card_from_the_deck_it_came_from() -> None:
    tags = {"Deck1": DECK1.replace("T03", "T07"), "Deck2": DECK2.replace("T12", "T22")}
    words = ("p0/p1*T07,7D", "p0/p2*T22,5C", "*8D", "T07=8D>p2h", "p0/p2=T22", "End", "*~", "End", "*~", "T22")
    after = GAME.turns.settle(told(tags, (*words, "p0/p1*7D,8D", "p0/p2*4C,5C"))[-1].after)
    assert [len(side.deck) + len(side.hand) for side in after.sides] == [16, 15]


def test_a_justice_that_used_the_world_lies_in_its_deck_again() -> None:
    tags = {"Deck1": DECK1, "Deck2": DECK2.replace("T21", "T22").replace("T09", "T03")}
    start = ("p0/p1*7D,8D", "p0/p2*T03,T22", "*~", "End", "*5C", "T03", "5C,T22-*4C,T12", "End", "*~", "End", "*~")
    used = ("4C@a", "T12", "End", "*~", "7D@a", "T01", "p0/=T", "p2/*~", "p2/T12=T22")
    done = told(tags, (*start, *used))
    assert found(done) == []
    after = GAME.turns.settle(done[-1].after)
    held = [len(after.sides[1].pile), len(after.sides[1].hand), len(after.sides[1].deck)]
    assert (GAME.points.write(after)["Score"], held) == ("0:0", [0, 2, 13])
