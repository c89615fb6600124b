"""What a word of chess means and what comes of it: which piece is meant, claims, ends, and the moves there are."""

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
from cartulary.engine.chess.squares import BETWEEN, FILES, LAST_RANK, MEN, REACH, VACANT, stood
from cartulary.engine.contract import LEGAL, Clause, Outcome, Played, Refused, Remedy, Unclear, Verdict, within
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


def play(state: State, word: Word, exactly: bool = False) -> Played[State, Word]:
    """Return what comes of a word.

    Of the pieces that may be meant the one moves whose move is legal; where none is, the one that came furthest in the
    clauses (rulebook, "Which piece a word means").
    """
    if state.ended:
        return Played(word, Refused(_BECAUSE[state.ended], True, _ENDS[state.ended]), None)
    if type(word) is Claim:
        return _claimed(state, word)
    if type(word) is San:
        answer = _judge_piece_word(state, word)
    else:
        assert type(word) is Move
        answer = _carried(state, word, judge(state, word))
    if type(answer.verdict) is not Refused:
        return answer
    ended = outcome(state)
    return answer if ended is None else Played(word, Refused(ended.because, True, _ENDS[ended.key]), None)


def judge(state: State, move: Move) -> Verdict:
    """Return what the clauses say of a move; one that would take a king from the board blocks, whatever it breaks."""
    verdict = _judge_clauses(state, move)
    if verdict is not LEGAL and type(verdict) is Refused and takes_king(state, move):
        return Refused(verdict.because, True, verdict.clause)
    return verdict


def _carried(state: State, move: Move, verdict: object) -> Played[State, Word]:
    if verdict is LEGAL:
        return Played(move, LEGAL, apply(state, move))
    assert type(verdict) is Refused
    return Played(move, verdict, None if verdict.blocks else apply(state, move, False))


def _judge_piece_word(state: State, word: San) -> Played[State, Word]:
    """Return what comes of a word that leaves open which piece goes."""
    moves = _moves(state, word)
    if len(moves) == 1:
        [move] = moves
        if _judge_clauses(state, move) is LEGAL:
            return Played(move, LEGAL, apply(state, move))
        return _carried(state, move, judge(state, move))
    if not moves:
        return Played(word, _nobody(state, word), None)
    verdicts = [judge(state, move) for move in moves]
    legal = [move for move, verdict in zip(moves, verdicts, strict=True) if verdict is LEGAL]
    if len(legal) == 1:
        return Played(legal[0], LEGAL, apply(state, legal[0]))
    if legal:
        return Played(word, Unclear(tuple(legal)), None)
    return _furthest(state, word, list(zip(moves, verdicts, strict=True)))


def _moves(state: State, word: San) -> list[Move]:
    """Return what a word may mean: a move of each piece of the kind that its square of departure fits."""
    seat = word.seat
    if word.side:
        rook = castling_rook(state, seat, word.side)
        king = state.kings[seat - 1]
        return [] if rook < 0 else [Move(seat, king, goals(seat, word.side)[0], "", rook)]
    piece, to = MEN[seat]["KQRBNP".index(word.kind)], word.to
    file = _file(word)
    if file >= 0:
        starts = [file + 8 * rank for rank in stood(state.board[file::8], piece)]
    else:
        starts = stood(state.board, piece)
    if word.rank >= 0:
        starts = [start for start in starts if start >> 3 == word.rank]
    if len(starts) > 1 and seat == state.mover:
        reach = REACH[piece]
        starts = [start for start in starts if to in reach[start]] or starts
    return [Move(seat, start, to, word.becomes) for start in starts]


def _file(word: San) -> int:
    """Return the file a piece leaves, as far as it is said; a pawn that is not said to take stays on its own."""
    return word.to & 7 if word.kind == "P" and word.file < 0 and not word.takes else word.file


def _nobody(state: State, word: San) -> Refused:
    """Return the refusal of a word that fits no piece."""
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


def _furthest(state: State, word: San, verdicts: "list[tuple[Move, object]]") -> Played[State, Word]:
    """Return the refusal of the move that came furthest in the clauses; of several a block that names them all."""
    refused = [(move, verdict) for move, verdict in verdicts if isinstance(verdict, Refused)]
    at = max(_place(verdict) for _, verdict in refused)
    last = [(move, verdict) for move, verdict in refused if _place(verdict) == at]
    if len(last) == 1:
        return _carried(state, *last[0])
    first, *rest = dict.fromkeys(verdict.because for _, verdict in last)
    because = "; ".join((first, *map(within, rest)))
    if last[0][1].clause is turn:
        because += ", and " + " or ".join(piece_on(state.board, move.start) for move, _ in last) + " may be meant"
    return Played(word, Refused(because, True, last[0][1].clause), None)


def _place(verdict: Refused) -> int:
    return ORDER.index(verdict.clause)


# --- claims ---


def _claimed(state: State, claim: Claim) -> Played[State, Word]:
    """Return what comes of a claim: a draw, or an offer of one and the duty to make the move intended."""
    clause, after, due = CLAIMS[claim.by], state, None
    if claim.seat != state.mover:
        return Played(claim, Refused(whose_turn(state, claim.seat), True, turn), None)
    if claim.move is not None:
        intended = play(state, claim.move)
        if intended.verdict is LEGAL and intended.after is not None:
            assert type(intended.move) is Move
            due, after = intended.move, intended.after
            claim = replace(claim, move=due)
        else:
            claim = replace(claim, move=intended.move if type(intended.move) is Move else claim.move)
    legal = due is not None or not (claim.move or claim.words)
    if legal and (count_of_position(after) >= 3 if clause is THREEFOLD else after.quiet >= 100):
        return Played(claim, LEGAL, replace(state, ply=state.ply + 1, ended=clause.key))
    wrong = replace(state, ply=state.ply + 1, offer=claim.seat, intended=due)
    return Played(claim, Refused(_why_wrong(clause, after, legal), False, clause), wrong)


def _why_wrong(clause: Clause[State, Move], after: State, legal: bool) -> str:
    if not legal:
        return "The intended move is not legal"
    if clause is FIFTY:
        lasted = how_many(after.quiet, "ply has", "plies have")
        return f"{lasted} been played since the last pawn move or capture, but 100 are needed"
    times = count_of_position(after)
    return f"The position occurs {'once' if times == 1 else 'twice'}, but must occur three times"


def claims(state: State) -> tuple[str, ...]:
    """Return the claims of a draw that hold now, without a move."""
    if state.ended:
        return ()
    return tuple(word for word in CLAIMS if play(state, Claim(state.mover, word)).verdict is LEGAL)


# --- the moves there are, and the end ---


def candidates(state: State) -> Iterator[Move]:
    """Yield every move the ways of moving allow to the seat to move: the king's first, then by square from a1."""
    if state.ended:
        return
    seat, king = state.mover, state.kings[state.mover - 1]
    yield from _leaving(state, king)
    for start, piece in enumerate(state.board):
        if piece in MEN[seat] and start != king:
            yield from _leaving(state, start)
    for rook in state.rights:
        if (rook < 8) == (seat == 1):
            yield Move(seat, king, goals(seat, 1 if rook > king else -1)[0], "", rook)


def _leaving(state: State, start: int) -> Iterator[Move]:
    """Yield the moves of the piece on a square, castling left out."""
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


def every_move_listed(state: State) -> bool:
    """Say that the candidates always hold every legal move."""
    return True


def has_move(state: State) -> bool:
    """Say whether the seat to move could make a legal move, were the game not over."""
    if state.ended:
        state = replace(state, ended="")
    return any(judge(state, move) is LEGAL for move in candidates(state))


def outcome(state: State) -> Outcome | None:
    """Return how the game ended; mate, stalemate and dead positions only where the last ply was legal."""
    claimed = state.ended in (THREEFOLD.key, FIFTY.key)
    if state.regular and not claimed and not has_move(state):
        if state.checked:
            shares = (1, 0) if state.mover == 2 else (0, 1)
            return Outcome(shares, CHECKMATE.key, f"p{state.mover} is checkmated")
        return Outcome((1, 1), STALEMATE.key, f"p{state.mover} is stalemated")
    return Outcome((1, 1), state.ended, _BECAUSE[state.ended]) if state.ended else None


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
    """Return what an arbiter may do about a ply that was refused.

    Args:
        state: the state before the ply.
        seat: the seat that made it.
        key: the clause that it broke.
        earlier: the clauses that earlier plies of the seat broke and that stood.
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
    stood = Remedy(
        f"In rapid or blitz without full supervision: the move stands once p{opponent} has made a move.", "FIDE A.5.2"
    )
    return BACK, again if any(map(illegal, earlier)) else first, stood, LATER
