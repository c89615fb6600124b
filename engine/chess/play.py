"""Playing a word of chess: which piece is meant, claims, candidates, ends, and remedies for an arbiter."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from cartulary.engine.chess.clauses import (
    KINDS,
    ORDER,
    OVER,
    castling_rights,
    clauses_for,
    illegal,
    own_piece,
    piece_on,
    takes_king,
    turn,
    whose_turn,
)
from cartulary.engine.chess.position import (
    DEAD,
    FIVEFOLD,
    PROMOTION_PIECES,
    SEVENTY_FIVE,
    Claim,
    Move,
    San,
    State,
    Word,
    apply,
    cannot_win,
    castling_rook,
    count_of_position,
    goals,
)
from cartulary.engine.chess.squares import BETWEEN, FILES, LAST_RANK, MEN, REACH, VACANT, squares_with
from cartulary.engine.contract import LEGAL, Clause, Outcome, PlayResult, Refused, Remedy, Unclear, Verdict, within
from cartulary.engine.numbers import how_many
from cartulary.engine.parts import by_clauses

# --- moves and claims ---


_, _judge_clauses = by_clauses(ORDER, apply, clauses_for=clauses_for)

CHECKMATE: Clause[State, Move] = Clause(
    "chess.checkmate", "A player who is in check and has no legal move has lost.", "FIDE 5.1.1"
)
STALEMATE: Clause[State, Move] = Clause(
    "chess.stalemate", "The game is drawn when the player to move is not in check and has no legal move.", "FIDE 5.2.1"
)
DEAD_POSITION: Clause[State, Move] = Clause(
    DEAD,
    "The game is drawn when neither side can mate with the men that are left: bare kings, one extra knight, or"
    " bishops on squares of one colour.",
    "FIDE 5.2.2, 1.5",
)
FIVE_TIMES: Clause[State, Move] = Clause(
    FIVEFOLD, "The game is drawn when a position occurs for the fifth time.", "FIDE 9.6.1"
)
SEVENTY_FIVE_MOVES: Clause[State, Move] = Clause(
    SEVENTY_FIVE,
    "The game is drawn when each player's last 75 moves were made without a pawn move or a capture.",
    "FIDE 9.6.2",
)
THREEFOLD: Clause[State, Move] = Clause(
    "chess.threefold",
    "A claim, written Threefold or with the move intended Threefold=Nf3, holds when the position, or the one after that"
    " legal move, occurs for at least the third time.",
    "FIDE 9.2",
)
FIFTY: Clause[State, Move] = Clause(
    "chess.fifty",
    "A claim, written Fifty or with the move intended Fifty=Kb2, holds when each player's last 50 moves, that legal one"
    " included, were made without a pawn move or a capture.",
    "FIDE 9.3",
)
CLAIMS = {"Threefold": THREEFOLD, "Fifty": FIFTY}
_ENDS = {rule.key: rule for rule in (CHECKMATE, STALEMATE, DEAD_POSITION, FIVE_TIMES, SEVENTY_FIVE_MOVES)}
_ENDS |= dict.fromkeys((THREEFOLD.key, FIFTY.key), OVER)
_BECAUSE = {
    DEAD: "Neither side can mate with the men that are left",
    FIVEFOLD: "The position has occurred for the fifth time",
    SEVENTY_FIVE: "The last 75 moves by each player were made without a pawn move or a capture",
    THREEFOLD.key: "A draw was claimed for a position that occurs for at least the third time",
    FIFTY.key: "A draw was claimed after at least 50 moves by each player without a pawn move or a capture",
}

# --- a word ---


def play(state: State, word: Word, exactly: bool = False) -> PlayResult[State, Word]:
    """Judge a word and carry it out. Every word is refused once the game has ended.

    If several pieces may be meant, the one whose move is legal goes. If no move is legal, the word means the one that
    passes the most clauses (rulebook, "Which piece a word means"). Two legal moves make the verdict Unclear.
    ``exactly`` has no effect, as nothing is hidden.
    """
    if state.end_key:
        return PlayResult(word, Refused(_BECAUSE[state.end_key], True, _ENDS[state.end_key]), None)
    if type(word) is Claim:
        return _play_claim(state, word)
    if type(word) is San:
        answer = _play_san(state, word)
    else:
        assert type(word) is Move
        answer = _carry_out(state, word, judge(state, word))
    if type(answer.verdict) is not Refused:
        return answer
    end = outcome(state)
    return answer if end is None else PlayResult(word, Refused(end.because, True, _ENDS[end.key]), None)


def judge(state: State, move: Move) -> Verdict:
    """Return the verdict on a move, LEGAL or a Refused with the first clause that it breaks.

    If a king would be captured, the refusal blocks, whatever clause the move breaks.
    """
    verdict = _judge_clauses(state, move)
    if verdict is not LEGAL and type(verdict) is Refused and takes_king(state, move):
        return Refused(verdict.because, True, verdict.clause)
    return verdict


def _carry_out(state: State, move: Move, verdict: object) -> PlayResult[State, Word]:
    """Return a move with its verdict, LEGAL or a Refused, and the state after it.

    The state is None if the verdict blocks; after a refused move it says that the last ply was irregular.
    """
    if verdict is LEGAL:
        return PlayResult(move, LEGAL, apply(state, move))
    assert type(verdict) is Refused
    return PlayResult(move, verdict, None if verdict.blocks else apply(state, move, False))


def _play_san(state: State, word: San) -> PlayResult[State, Word]:
    """Judge and carry out a word that does not say which piece of its kind goes.

    The one legal move is played, or else the one that passes the most clauses. The word stays as it is, with no state
    after it, if no piece fits, if several moves are legal (Unclear), or if several fail at the same clause.
    """
    moves = _moves_of_san(state, word)
    if len(moves) == 1:
        [move] = moves
        if _judge_clauses(state, move) is LEGAL:
            return PlayResult(move, LEGAL, apply(state, move))
        return _carry_out(state, move, judge(state, move))
    if not moves:
        return PlayResult(word, _no_such_piece(state, word), None)
    verdicts = [judge(state, move) for move in moves]
    legal = [move for move, verdict in zip(moves, verdicts, strict=True) if verdict is LEGAL]
    if len(legal) == 1:
        return PlayResult(legal[0], LEGAL, apply(state, legal[0]))
    if legal:
        return PlayResult(word, Unclear(tuple(legal)), None)
    return _refuse_by_furthest(state, word, list(zip(moves, verdicts, strict=True)))


def _moves_of_san(state: State, word: San) -> list[Move]:
    """Return the moves that a word may mean, one for each piece that fits its letters; none if no piece does.

    Of several pieces of the seat to move, those that reach the square on an empty board count, if there are any.
    """
    seat = word.seat
    if word.side:
        rook = castling_rook(state, seat, word.side)
        king = state.kings[seat - 1]
        return [] if rook < 0 else [Move(seat, king, goals(seat, word.side)[0], "", rook)]
    piece, to = MEN[seat]["KQRBNP".index(word.kind)], word.to
    file = _start_file(word)
    if file >= 0:
        starts = [file + 8 * rank for rank in squares_with(state.board[file::8], piece)]
    else:
        starts = squares_with(state.board, piece)
    if word.rank >= 0:
        starts = [start for start in starts if start >> 3 == word.rank]
    if len(starts) > 1 and seat == state.mover:
        reach = REACH[piece]
        starts = [start for start in starts if to in reach[start]] or starts
    return [Move(seat, start, to, word.becomes) for start in starts]


def _start_file(word: San) -> int:
    """Return the file (0 to 7) that a piece leaves, -1 if the word does not say; a pawn that does not capture stays on
    its own.
    """
    return word.to & 7 if word.kind == "P" and word.file < 0 and not word.takes else word.file


def _no_such_piece(state: State, word: San) -> Refused:
    """Return the refusal of a word that no piece of its seat fits, which blocks.

    Of castling out of turn the reason is the turn, else that king or rook is missing: ``p1 has no bishop on the
    c-file``.
    """
    if word.side and word.seat != state.mover:
        return Refused(whose_turn(state, word.seat), True, turn)
    if word.side:
        where = "the king" if word.side > 0 else "the queen"
        because = f"p{word.seat} has no king on its first rank with a rook on {where}'s side"
        return Refused(because, True, castling_rights)
    where = FILES[word.file] if word.file >= 0 else FILES[word.to & 7] if word.kind == "P" and not word.takes else ""
    where += str(word.rank + 1) if word.rank >= 0 else ""
    on = (
        f" on {where}"
        if len(where) > 1
        else f" on the {where}-file"
        if where.isalpha()
        else f" on rank {where}"
        if where
        else ""
    )
    return Refused(f"p{word.seat} has no {KINDS[word.kind]}{on}", True, own_piece)


def _refuse_by_furthest(state: State, word: San, verdicts: "list[tuple[Move, object]]") -> PlayResult[State, Word]:
    """Return the refusal of the move that passes the most clauses, carried out unless the refusal blocks.

    If several pass as many, nothing is carried out, and the refusal gives the reasons of all. ``verdicts`` has (move,
    verdict) of each move that the word may mean, none of them legal.
    """
    refused = [(move, verdict) for move, verdict in verdicts if isinstance(verdict, Refused)]
    at = max(_clause_index(verdict) for _, verdict in refused)
    last = [(move, verdict) for move, verdict in refused if _clause_index(verdict) == at]
    if len(last) == 1:
        return _carry_out(state, *last[0])
    first, *rest = dict.fromkeys(verdict.because for _, verdict in last)
    because = "; ".join((first, *map(within, rest)))
    if last[0][1].clause is turn:
        because += ", and " + " or ".join(piece_on(state.board, move.start) for move, _ in last) + " may be meant"
    return PlayResult(word, Refused(because, True, last[0][1].clause), None)


def _clause_index(verdict: Refused) -> int:
    """Return the index of the clause that a refusal names in ``ORDER``; the higher, the more clauses the move has
    passed.
    """
    return ORDER.index(verdict.clause)


# --- claims ---


def _play_claim(state: State, claim: Claim) -> PlayResult[State, Word]:
    """Judge a claim of a draw and carry it out.

    A right claim ends the game. A wrong one is refused and stands: it is an offer of a draw, and the move it names must
    be made, if it is legal. A claim of the seat that is not to move is refused, with no state after it.
    """
    clause, after, due = CLAIMS[claim.by], state, None
    if claim.seat != state.mover:
        return PlayResult(claim, Refused(whose_turn(state, claim.seat), True, turn), None)
    if claim.move is not None:
        attempt = play(state, claim.move)
        if attempt.verdict is LEGAL and attempt.after is not None:
            assert type(attempt.move) is Move
            due, after = attempt.move, attempt.after
            claim = replace(claim, move=due)
        else:
            claim = replace(claim, move=attempt.move if type(attempt.move) is Move else claim.move)
    legal = due is not None or not (claim.move or claim.words)
    if legal and (count_of_position(after) >= 3 if clause is THREEFOLD else after.quiet >= 100):
        return PlayResult(claim, LEGAL, replace(state, ply=state.ply + 1, end_key=clause.key))
    wrong = replace(state, ply=state.ply + 1, offer=claim.seat, owed_move=due)
    return PlayResult(claim, Refused(_claim_fault(clause, after, legal), False, clause), wrong)


def _claim_fault(clause: Clause[State, Move], after: State, legal: bool) -> str:
    """Return why a claim of a draw does not hold, as a sentence.

    Args:
        clause: THREEFOLD or FIFTY.
        after: The position in which it would hold, after the intended move if there is a legal one.
        legal: False if the intended move is not legal, which is then the reason.
    """
    if not legal:
        return "The intended move is not legal"
    if clause is FIFTY:
        lasted = how_many(after.quiet, "ply has", "plies have")
        return f"{lasted} been played since the last pawn move or capture, but 100 are needed"
    times = count_of_position(after)
    return f"The position occurs {'once' if times == 1 else 'twice'}, but must occur three times"


def claims(state: State) -> tuple[str, ...]:
    """Return the words with which the seat to move may claim a draw now, without a move: some of ``Threefold`` and
    ``Fifty``.

    () after the end.
    """
    if state.end_key:
        return ()
    return tuple(word for word in CLAIMS if play(state, Claim(state.mover, word)).verdict is LEGAL)


# --- the moves there are, and the end ---


def candidates(state: State) -> Iterator[Move]:
    """Yield every move of the seat to move, unjudged: the king's first, then by square from a1, castling last.

    There are none once the game has ended, except after mate and stalemate, where none of them is legal.
    """
    if state.end_key:
        return
    seat, king = state.mover, state.kings[state.mover - 1]
    yield from _piece_moves(state, king)
    for start, piece in enumerate(state.board):
        if piece in MEN[seat] and start != king:
            yield from _piece_moves(state, start)
    for rook in state.rights:
        if (rook < 8) == (seat == 1):
            yield Move(seat, king, goals(seat, 1 if rook > king else -1)[0], "", rook)


def _piece_moves(state: State, start: int) -> Iterator[Move]:
    """Yield the moves of a piece of the seat to move that nothing blocks, without castling.

    ``start`` is its square. Moves that leave the king attacked are among them.
    """
    board, seat, lines = state.board, state.mover, BETWEEN[start]
    piece, own = board[start], MEN[state.mover]
    pawn = piece == own[5]
    for to in REACH[piece][start]:
        if board[to] in own or (to in lines and board[lines[to]].strip(b".")):
            continue
        if pawn and to in LAST_RANK[seat]:
            yield from (Move(seat, start, to, becomes) for becomes in PROMOTION_PIECES)
        elif not pawn or (board[to] == VACANT) == ((to - start) % 8 == 0) or to == state.passant:
            yield Move(seat, start, to)


def has_move(state: State) -> bool:
    """Say whether the seat to move has a legal move; if a position or claim has ended the game, whether it would have
    one.
    """
    if state.end_key:
        state = replace(state, end_key="")
    return any(judge(state, move) is LEGAL for move in candidates(state))


def outcome(state: State) -> Outcome | None:
    """Return how the position or a claim ended the game, None while it goes on; a call such as Resign is not seen here.

    There is no mate or stalemate after an illegal ply.
    """
    claimed = state.end_key in (THREEFOLD.key, FIFTY.key)
    if state.regular and not claimed and not has_move(state):
        if state.checked:
            shares = (1, 0) if state.mover == 2 else (0, 1)
            return Outcome(shares, CHECKMATE.key, f"p{state.mover} is checkmated")
        return Outcome((1, 1), STALEMATE.key, f"p{state.mover} is stalemated")
    return Outcome((1, 1), state.end_key, _BECAUSE[state.end_key]) if state.end_key else None


# --- what the Laws offer an arbiter who finds an irregular move or claim ---


BACK = Remedy(
    "If it is found during the game, the position before the illegal move is set up again. The piece moved must then"
    " make a legal move, if it has one.",
    "FIDE 7.5.1, 4.3",
)
LATER = Remedy(
    "If it is found after the game: the result that was signed stands unless the arbiter decides otherwise.", "FIDE 8.7"
)


def remedies(state: State, seat: int, key: str, earlier: Sequence[str]) -> tuple[Remedy, ...]:
    """Return what the Laws offer an arbiter after a ply that broke a clause.

    Args:
        state: the state before the ply.
        seat: the seat that made it.
        key: the key of the clause that it broke.
        earlier: the keys of the clauses that earlier plies of the seat broke and that stood.

    Returns:
        The remedies, one sentence each; none for a clause that is not about an illegal move or a claim.
    """
    opponent = 3 - seat
    if key in (THREEFOLD.key, FIFTY.key):
        return (Remedy(f"p{opponent} gets two more minutes; in rapid and blitz one.", "FIDE 9.5.3, A.3, B.3"),)
    if not illegal(key):
        return ()
    first = Remedy(
        f"If it is the seat's first: p{opponent} gets two more minutes; in rapid and blitz one.", "FIDE 7.5.5, A.3, B.3"
    )
    ends = (
        f"drawn, since no series of moves lets p{opponent} mate"
        if cannot_win(state.board, opponent)
        else f"won by p{opponent}"
    )
    again = Remedy(f"If it is not the seat's first: the game is {ends}.", "FIDE 7.5.5")
    stands = Remedy(
        f"In rapid or blitz without full supervision: the move stands once p{opponent} has made a move.", "FIDE A.5.2"
    )
    return BACK, again if any(map(illegal, earlier)) else first, stands, LATER
