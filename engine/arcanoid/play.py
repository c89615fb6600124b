"""The entrance to the rules: a word is judged and carried out in one pass, on every reading of what was before.

First comes whose word it is and whether it is that seat's turn, then the word itself, and last how a move ends.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from msgspec.structs import replace

from cartulary.engine.arcanoid import clauses, commit, dues, round, trumps
from cartulary.engine.arcanoid.clauses import CLAUSES
from cartulary.engine.arcanoid.draft import Draft
from cartulary.engine.arcanoid.dues import WORDS_DUE, settle, settle_draft
from cartulary.engine.arcanoid.moves import DAEMON, ROW, Move
from cartulary.engine.arcanoid.readings import has_lost, merge_readings, with_loss
from cartulary.engine.arcanoid.round import check_discarded, check_usa, check_voted, discard_excess, late_discard
from cartulary.engine.arcanoid.state import Due, State, side_of, who_name
from cartulary.engine.cards.deck import FOOL
from cartulary.engine.cards.draft import BlockedError
from cartulary.engine.contract import IMPOSSIBLE, PlayResult
from cartulary.engine.numbers import how_many
from cartulary.engine.readings import skip, states_of, try_in_all, with_gap

# --- whose turn it is ---


def next_speaker(now: Draft | State) -> tuple[int, bool]:
    """Return who is to speak next, and whether that is in a Hermit's extra move.

    Args:
        now: The draft or state, settled.

    Returns:
        The seat or daemon that votes, discards for the Wheel, plays on or has the turn; then whether the Hermit gave
            it.
    """
    dues: Sequence[Due] = now.dues
    if dues and dues[0].what in ("vote", "away"):
        return dues[0].who, dues[0].what == "away" and bool(dues[0].count)
    return (now.mover, now.extra) if now.mover else (now.turn, False)


def with_speaker(now: Draft, before: State, word: Move) -> Move:
    """Return a word with the seat or daemon that says it, the shortest prefix that names it, and its lap.

    Args:
        now: The draft of what is settled before the word.
        before: The state before the word, where a Fool may still come.
        word: The word as it was read.
    """
    first, by_hermit = next_speaker(now)
    if word.what == "vote" and not (now.dues and now.dues[0].what == "vote"):
        # A vote that comes late is that of the seat whose vote was skipped, whoever is to move by now.
        first = next((due.who for due in before.skipped_dues if due.what == "vote"), first)
    who, extra = (first, by_hermit) if not word.prefix else _resolve_prefix(now, before, word, first, by_hermit)
    seat, what = who % DAEMON, word.what
    is_move = what not in ("fool", "reveal", "vote")
    if what == "vote":
        who, first = DAEMON + seat if word.prefix.endswith("d/") else seat, first % DAEMON
    extra = extra and is_move
    prefix = ""
    if extra or who != first or what in ("fool", "reveal"):
        bare = who > DAEMON and (_has_fool(before, who) if what == "fool" else extra)
        prefix = f"p{seat}/" if bare else f"{who_name(who)}/"
    target = 0 if word.fields and word.target == who else word.target
    lap = (now.lap, not now.lap_begun) if is_move and not extra and not now.mover else None
    return replace(word, seat=seat, who=who, target=target, extra=extra, prefix=prefix, lap=lap)


def _resolve_prefix(now: Draft, before: State, word: Move, first: int, by_hermit: bool) -> tuple[int, bool]:
    """Return who says a word with a prefix, and whether by leave of the Hermit.

    ``p2d/`` is the daemon of p2. ``p2/`` is p2, or its daemon if that plays on, has the Fool, or has the only Hermit.
    """
    seat, daemon = word.seat, DAEMON + word.seat
    for who in (daemon,) if word.prefix.endswith("d/") else (seat, daemon):
        due = late_discard(now, who, word)
        if due is not None and (who == seat or due.count or word.prefix.endswith("d/")):
            return who, bool(due.count)
    hermits = [who for who in (seat, daemon) if now.peek(who).hermit]
    named = [daemon] if word.prefix.endswith("d/") else [seat, *([first] if by_hermit else hermits)]
    plays_on = now.mover or (now.dues and now.dues[0].what == "away")
    if first in named and first % DAEMON == seat and plays_on:
        return first, by_hermit
    if word.prefix.endswith("d/"):
        return daemon, daemon in hermits
    if word.what == "fool":
        return daemon if _has_fool(before, daemon) else seat, False
    if word.what == "reveal" or now.mover or not hermits:
        return seat, False
    return hermits[0], True


def _has_fool(before: State, daemon: int) -> bool:
    """Say whether a daemon has the Fool in its hand or among its open cards, as far as the record knows."""
    side = side_of(before, daemon)
    return FOOL in side.hand + side.open


def _face_down_owners(state: State) -> tuple[int, ...]:
    """Return the seats that may speak while face-down cards can be turned up, those with such cards first.

    The table is among them as 0. There are none if no card lies face down.
    """
    seats = state.options.seats
    lying = {who % DAEMON for who, _ in commit.face_down_commitments(Draft(state))}
    return (*sorted(lying), 0, *(seat for seat in range(1, seats + 1) if seat not in lying)) if lying else ()


def actors(state: State) -> tuple[int, ...]:
    """Return every seat that may speak now, and 0 for the table; the one whose words have no prefix is first.

    A seat whose vote or discard was left out may still say it until the next move. After the end of the game it is (),
    or the seats that may turn up face-down cards before the end counts.
    """
    now = settle(state)
    if now.outcome is not None:
        return _face_down_owners(state) if state.outcome is None else ()
    first = next_speaker(now)[0] % DAEMON
    seats = range(1, state.options.seats + 1)
    late = dict.fromkeys(due.who % DAEMON for due in now.skipped_dues if due.who % DAEMON != first)
    if now.dues and now.dues[0].what in WORDS_DUE:
        return (first, *late)
    table = [0] if state.dues else []
    others = [seat for seat in seats if seat != first]
    fool = bool(state.dues) and state.dues[0].what == "settle"
    ready = [seat for seat in others if fool or (not now.mover and now.sides[seat - 1].hermit)]
    return (first, *table, *ready, *(seat for seat in late if seat not in ready))


def check_turn(draft: Draft, move: Move) -> bool:
    """Note on the draft the refusal of a move out of turn.

    Returns:
        True if the turn stays where it was: after a move out of turn, and after a Hermit's extra one.

    Raises:
        BlockedError: The seat or daemon that moves is not in play.
    """
    who = move.who
    mover = draft.mover or draft.turn
    if not draft.in_play(who):
        draft.block(clauses.TURN, draft.why_not_in_play(who))
    if draft.mover:
        if who != mover:
            draft.refuse(clauses.TURN, f"{who_name(mover)} is to play again first")
        return who != mover or draft.extra
    if move.extra:
        if not draft.peek(who).hermit:
            draft.refuse(clauses.TURN, f"no Hermit of {who_name(who)} lies on the table")
        return True
    if who != mover:
        draft.refuse(clauses.TURN, f"it is {who_name(mover)}'s turn")
    return who != mover


def refuse_pass(draft: Draft, move: Move) -> None:
    """Note on the draft the refusal of the word Pass, which is no move in Arcanoid. The word may stand."""
    draft.refuse(clauses.MUST_MOVE, f"{who_name(move.who)} makes no move")


@cache
def dues_after_move(who: int, out: bool, again: bool, row: bool) -> tuple[Due, ...]:
    """Return what is due once a move has been made, in order.

    Args:
        who: The seat or daemon that made it.
        out: True if the turn stays where it was, as ``check_turn`` says.
        again: True if the trump it played gives its player another move.
        row: True if the Justice row lies on the table.
    """
    draws = (Due("fill", who), Due("fill", ROW)) if row else (Due("fill", who),)
    if again:
        return (*draws, Due("again", who, int(out)))
    if not out:
        return (*draws, Due("next", who))
    return (*draws, Due("hermit", who), Due("stay", who))


# --- a word ---


Candidate: TypeAlias = tuple[Draft, Move, State | None]
"""A word carried out on one reading: the draft, whose word it is there, and the state after it if it can have been."""


def play(state: State, word: Move, exactly: bool = False, /) -> PlayResult[State, Move]:
    """Judge a word and carry it out, on the readings that it fits best.

    Args:
        state: The record before the word.
        word: The word as it was read.
        exactly: Ignored, as only a later word can answer a question.

    Returns:
        The word with whose it is, the verdict, the state after it (None if it cannot have happened), and the breaches
            that it proves.
    """
    if state.others or has_lost(state):
        return _play_all_readings(state, word)
    draft, move, after = _carry_out(state, word)
    if draft.doubtful:
        return _play_all_readings(state, word)
    if after is None or after.breaches is state.breaches:
        return PlayResult(move, draft.verdict(CLAUSES), after)
    return PlayResult(move, draft.verdict(CLAUSES), after, after.breaches[len(state.breaches) :])


def _play_all_readings(state: State, word: Move) -> PlayResult[State, Move]:
    """Carry a word out on every reading of the state, keep the readings it fits best, and return the result.

    The state in the result stands for all that are kept; the move and the verdict are those of one reading.
    """
    # What the table names, a vote, the Fool and cards turned up meet the dues as they are. A move comes after all that
    # needs no word, so the readings are settled first, and some of them become one there.
    before = state if word.what in _OTHER_WORDS else settle(state)
    tried = list(try_in_all(states_of(before), lambda reading: _carry_out_variants(reading, word)))
    ranks = [_unfitness(reading, candidate) for reading, candidate in tried]
    fitting = [
        (reading, candidate) for (reading, candidate), rank in zip(tried, ranks, strict=True) if rank == min(ranks)
    ]
    first, (draft, _, after) = fitting[0]
    move, verdict, has_gap = tried[0][1][1], draft.verdict(CLAUSES), has_lost(state)
    if after is None:
        return (
            PlayResult(move, with_gap(verdict), with_loss(skip(state))) if has_gap else PlayResult(move, verdict, None)
        )
    breaches = () if has_gap else after.breaches[len(first.breaches) :]
    readings = [
        replace(reading, breaches=state.breaches + breaches) for _, (_, _, reading) in fitting if reading is not None
    ]
    after = merge_readings(list(map(with_loss, readings)) if has_gap else readings)
    return PlayResult(move, with_gap(verdict) if has_lost(after) else verdict, after, breaches)


def _carry_out_variants(state: State, word: Move) -> Iterator[Candidate]:
    """Yield what a word does on one reading: with none of the doubtful cards taken from the row, then with one, with
    two …

    The last one has all of them from there. A word without such cards is yielded once.
    """
    # Nobody knows how many of the cards that a word names come from the row, so none, one, two ... are tried. How many
    # there are is known only once the word was carried out: ``doubtful`` counts them on the way.
    from_row, doubtful = 0, 0
    while from_row <= doubtful:
        candidate = _carry_out(state, word, from_row)
        yield candidate
        from_row, doubtful = from_row + 1, candidate[0].doubtful


def _carry_out(state: State, word: Move, from_row: int = 0) -> Candidate:
    """Return (draft, word, state after it) of a word carried out on one reading; the state is None if the word is
    blocked.

    ``from_row`` is how many of the cards that may come from a hand or the Justice row are taken from the row.
    """
    draft = Draft(state, from_row)
    draft.ply += 1
    if word.what == "table":
        move = word
    elif word.what in _OTHER_WORDS:
        move = with_speaker(settle_draft(state), state, word)
    else:
        if draft.dues:
            dues.pass_over(draft)
        move = with_speaker(draft, state, word)
    try:
        _OTHER_WORDS.get(move.what, _make_move)(draft, move)
    except BlockedError:
        return draft, move, None
    return draft, move, draft.frozen()


def _unfitness(before: State, candidate: Candidate) -> int:
    """Return how badly a word fits a reading, to be compared: 0 well, 1 it proves a breach, 2 it breaks a rule, 3 it
    cannot be.
    """
    draft, _, after = candidate
    if after is None:
        return 3
    return 2 if draft.refusals else int(len(after.breaches) > len(before.breaches))


# --- the table ---


def _carry_table_word(draft: Draft, move: Move) -> None:
    """Carry out cards named by the table: a deal, a new deck or a draw. Dues that come before it are passed over.

    Raises:
        BlockedError: The game has ended, or no cards are to be named now.
    """
    who = move.who
    while True:
        dues.advance(draft)
        round.check_ended(draft, draft.outcome)
        due = draft.dues[0] if draft.dues else None
        if due is None or due.what in dues.WORDS_DUE:
            check_voted(draft)
            check_discarded(draft)
            draft.block(IMPOSSIBLE, "nothing is to be drawn now")
        if due.what == "deal":
            return round.note_deal(draft, who, move.cards)
        if due.what == "deck" and who == 0:
            return round.reshuffle(draft, move.cards)
        if due.what in dues.DRAWS and due.who == who:
            return _serve_draws(draft, who, move.cards)
        dues.skip_first(draft)


def _serve_draws(draft: Draft, who: int, cards: bytes) -> None:
    """Draw these cards for a seat, a daemon or the row that has draws due first.

    Args:
        draft: The draft, which changes.
        who: The number of the seat or daemon, or ROW.
        cards: The cards, UNKNOWN for those not named.

    Raises:
        BlockedError: The word names more cards than can be drawn, or one that cannot lie there.
    """
    over = dues.serve(draft, who, cards)
    if over:
        draft.block(IMPOSSIBLE, f"the word names {how_many(len(cards))}, but only {len(cards) - over} can be drawn")


# --- out of turn ---


def _play_fool(draft: Draft, move: Move) -> None:
    """Carry out a Fool, who may come as long as no later word has closed the window of the commitment.

    Raises:
        BlockedError: The game has ended, or the Fool cannot be played so.
    """
    dues.advance(draft)
    if not draft.dues or draft.dues[0].what != "settle":
        dues.pass_over(draft)
    round.check_ended(draft, draft.outcome)
    commit.play_fool(draft, move)
    _serve_written_draws(draft, move)


def _turn_up_card(draft: Draft, move: Move) -> None:
    """Carry out the word that turns up a face-down commitment; a vote or discard that is due first is noted as a
    refusal.

    Raises:
        BlockedError: No such commitment lies there.
    """
    dues.pass_over(draft, ("turned", *dues.WORDS_DUE, "deal"))
    check_voted(draft)
    check_discarded(draft)
    commit.turn_up(draft, move)
    dues.advance(draft)


def _cast_vote(draft: Draft, move: Move) -> None:
    """Carry out a vote, or accept the late No of a seat whose vote was left out, which changes nothing.

    Raises:
        BlockedError: The game has ended.
    """
    now = settle_draft(draft.frozen())
    if round.may_vote(now, draft, move.who, move.yes):
        dues.pass_over(draft)
        round.count_vote(draft, move.who, move.yes)
        dues.advance(draft)


# --- moves ---


def _make_move(draft: Draft, move: Move) -> None:
    """Carry out a move of any kind in ``_MOVES`` with the draw that is written after it.

    A vote or a Wheel's discard that is left out before it is noted as a refusal, and may come late.

    Raises:
        BlockedError: The game has ended, the mover is not in play, or a card cannot be where the word says.
    """
    round.check_ended(draft, draft.outcome)
    if late_discard(draft, move.who, move) is not None:
        draft.dues.insert(0, round.pop_skipped(draft, "away"))
        discard_excess(draft, move.who, move.cards)
        return dues.advance(draft)
    draft.skipped_dues = ()
    if draft.dues and draft.dues[0].what == "vote":
        check_voted(draft)
        draft.skipped_dues += (draft.dues[0],)
        round.count_vote(draft, draft.dues[0].who, False)
        dues.pass_over(draft)
    if draft.dues and draft.dues[0].what == "away":
        if move.what == "discard" and move.who == draft.dues[0].who:
            discard_excess(draft, move.who, move.cards)
            return dues.advance(draft)
        check_discarded(draft)
        draft.skipped_dues += (draft.dues.pop(0),)
        dues.pass_over(draft)
    out = check_turn(draft, move)
    if move.who == draft.options.usa:
        check_usa(draft, move)
    draft.lap_begun = draft.lap_begun or not out
    draft.mover, draft.extra = 0, False
    _MOVES[move.what](draft, move)
    draft.dues += dues_after_move(move.who, out, move.what == "use" and trumps.plays_again(move), draft.row is not None)
    _serve_written_draws(draft, move)
    return None


def _serve_written_draws(draft: Draft, move: Move) -> None:
    """Draw the cards written after a move, then make the Wheel's discard that is written after them.

    Nothing is drawn if the word has no such cards.

    Raises:
        BlockedError: Another draws first, the cards are too many or cannot lie there, or a vote is due before the
            discard.
    """
    if move.new_cards is not None and draft.dues and draft.dues[0].what == "settle":
        dues.close_window(draft)
    dues.advance(draft)
    if move.new_cards is not None:
        if move.new_cards and not (draft.dues and draft.dues[0].what in dues.DRAWS and draft.dues[0].who == move.who):
            draft.block(IMPOSSIBLE, f"{who_name(move.who)} is not the first to draw now")
        _serve_draws(draft, move.who, move.new_cards)
    if move.away is not None:
        if draft.dues and draft.dues[0].what in dues.DRAWS:
            dues.pass_over(draft)
        round.check_vote_first(draft)
        discard_excess(draft, move.who, move.away)
        dues.advance(draft)


_OTHER_WORDS: dict[str, Callable[[Draft, Move], None]] = {
    "table": _carry_table_word,
    "fool": _play_fool,
    "reveal": _turn_up_card,
    "vote": _cast_vote,
}
_MOVES: dict[str, Callable[[Draft, Move], None]] = {
    "discard": commit.discard,
    "commit": commit.commit,
    "spend": commit.commit,
    "use": trumps.play_trump,
    "stand": trumps.lay_chariot,
    "add": trumps.add_to_reserve,
    "drop": trumps.drop_reserve,
    "pass": refuse_pass,
}
