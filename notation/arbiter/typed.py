"""Words as they are typed at a table, read more leniently than words in a file: what was meant is written out.

A word that reads as it stands is left alone. One that does not may be in small letters (``4db6``, ``garde``), or in a
trick name the rank alone (``JS K 3``): it is of the suit led, whoever holds it. Or it is spelled in another way that
its game knows (``10s``, ``11×15``), or commas join it to others (``e4, c5``). Cards that are one word together
may be typed one by one. Nothing here looks into a hand.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

from msgspec import Struct

from cartulary.engine import Call, Calls, Refused, judge
from cartulary.engine.calls import NO_CALLS
from cartulary.notation.arbiter.gapped import after_gaps, own_game
from cartulary.notation.arbiter.gaps import MissedPly
from cartulary.notation.arbiter.heading import Heading
from cartulary.notation.arbiter.replay import LONGEST_WORD, Step, read_word, step_of, write_word
from cartulary.notation.arbiter.typed_lists import listed_cards
from cartulary.notation.cgn.record import MISSING_WORD, SPELLING, NotationError
from cartulary.notation.cgn.scanner import NUMBER, PLAIN, TOKEN, WORD, kind_in, read_token
from cartulary.notation.cgn.signs import PREFIX, Misread
from cartulary.notation.contract import AnyGame

RANKS = "123456789XJNQKA"
TRIALS = 400
"""How many spellings of a word are tried at most."""
ALIKE = 0.7
MOST_CANDIDATES = 3
"""Up to how many words are offered for one that cannot be read."""


class TypedWords(Struct, frozen=True):
    """Typed words as they are to be written.

    ``words`` has each word as it was resolved; those after a fault or an unplayable move stand as typed. ``fault`` says
    why the word at ``index`` cannot be read, with a column inside that word, and is None if all can. ``beginning`` is
    that word with the capitals with which it begins a longer one, and what is missing then. ``steps`` has what the
    rules say of each word before a fault, up to one that cannot be applied.
    """

    words: tuple[str, ...]
    index: int = 0
    fault: NotationError | None = None
    beginning: tuple[str, NotationError] | None = None
    steps: tuple[Step, ...] = ()


def read_typed(game: AnyGame, state: Any, calls: Calls, seats: int, text: str, first: int = 1) -> TypedWords:
    """Read what was typed after a position, and judge each word once.

    Args:
        game: The game.
        state: The state before the first word.
        calls: The calls before it.
        seats: The number of seats.
        text: Words and move numbers, nothing else.
        first: The ply of the first word.
    """
    typed = list(_tokens(game, text))
    words: list[str] = []
    steps: list[Step] = []
    while typed:
        game = after_gaps(own_game(game), (), state)
        led = game.words.suit_led(state)
        word = typed.pop(0)
        ply = first + len(words)
        if word.isdigit() and not led and not _may_be_played(game, state, seats, word, calls, ply):
            continue
        step, fault = _read_or_fault(game, state, seats, word, led, calls, ply)
        if step is None or type(step.verdict) is Refused:
            listed, number = listed_cards(game, state, (word, *typed))
            if listed:
                typed = typed[number - 1 :]
                step, fault = _read_or_fault(
                    game, state, seats, _canonical(game, state, seats, listed), led, calls, ply
                )
        if step is None and (parts := _parts(word)):
            apart = read_typed(game, state, calls, seats, " ".join(parts), ply)
            if len(parts) == 1 or (apart.fault is None and len(apart.steps) == len(apart.words)):
                typed = [*parts, *typed]
                continue
        if step is None:
            begun = _begun(game, state, seats, word)
            return TypedWords((*words, word, *_words(typed)), len(words), fault, begun, tuple(steps))
        words.append(step.word)
        steps.append(step)
        if not step.applied:
            return TypedWords((*words, *_words(typed)), steps=tuple(steps))
        state, calls = step.after, step.calls_after
    return TypedWords(tuple(words), steps=tuple(steps))


def _read_or_fault(
    game: AnyGame, state: Any, seats: int, word: str, led: str, calls: Calls, ply: int
) -> tuple[Step | None, NotationError | None]:
    """Return the step of a typed word, or why it cannot be read; the other of the two is None.

    Args:
        game: The game.
        state: The state before the word.
        seats: The number of seats.
        word: The word as typed.
        led: The suit led, of which a rank alone is a card; empty for none.
        calls: The calls before the word.
        ply: The number of its ply.
    """
    try:
        step = _step(game, state, seats, word, led, calls, ply)
    except NotationError as error:
        return None, error.at_rest()
    return (step, None) if step.error is None else (None, step.error)


def _may_be_played(game: AnyGame, state: Any, seats: int, word: str, calls: Calls, ply: int) -> bool:
    """Say whether a number is a word in a spelling of the game that no rule refuses, such as a bid; else it is a move
    number.

    The arguments are those of ``_spelled``.
    """
    return any(type(step.verdict) is not Refused for step in _spelled(game, state, seats, word, calls, ply).values())


def _canonical(game: AnyGame, state: Any, seats: int, word: str) -> str:
    """Return a word in canonical spelling; one that cannot be read is returned as it is."""
    return _read(game, state, seats, word)[0] or word


def _parts(word: str) -> tuple[str, ...]:
    """Return the pieces of a word that commas join: ``e4,c5 -> ("e4", "c5")``, ``e4, -> ("e4",)``.

    Empty if it has no comma.
    """
    return tuple(piece for piece in word.split(",") if piece) if "," in word else ()


def _tokens(game: AnyGame, text: str) -> Iterator[str]:
    """Yield the words of a typed line in order, and its numbers without a dot, which may be ranks; nothing else.

    Comments, glyphs, results and move numbers with a dot are left out.
    """
    for token in TOKEN.findall(text):
        read = read_token(token)
        kind = kind_in(token, read, game.words.odd)
        if kind in (PLAIN, WORD) or (kind == NUMBER and token.isdigit()):
            yield read[1]


def _words(typed: Sequence[str]) -> Iterator[str]:
    """Yield what was typed in its order, without bare numbers, which are move numbers."""
    return (word for word in typed if not word.isdigit())


# --- one word ---


def _step(game: AnyGame, state: Any, seats: int, word: str, led: str, calls: Calls, ply: int) -> Step:
    """Return the step of a typed word, in the spelling in which it can be read; arguments are those of ``_resolve``.

    Raises:
        NotationError: As ``_resolve`` does.
    """
    # After the end every word is refused and none is unclear, so what a word means is asked as if nobody had called.
    ended = calls.outcome is not None
    spelling, step = _resolve(game, state, seats, word, led, NO_CALLS if ended else calls, ply)
    return step if step is not None and not ended else step_of(game, state, spelling, seats, calls, ply)


def _resolve(
    game: AnyGame, state: Any, seats: int, word: str, led: str, calls: Calls = NO_CALLS, ply: int = 1
) -> tuple[str, Step | None]:
    """Return the spelling in which a typed word can be read, and its step, None if that has to be worked out.

    ``js`` -> ``JS``, and ``K`` -> ``KS`` if spades are led. A word that reads as typed, or not at all, is returned as
    it is.

    Args:
        game: The game.
        state: The state before the word.
        seats: The number of seats.
        word: The word as typed.
        led: The suit led, of which a rank alone is a card; empty for none.
        calls: The calls before the word.
        ply: The number of its ply.

    Raises:
        NotationError: For a number that is no rank of the suit led, and for small letters that may be two words.
    """
    spelled, _, step = _read(game, state, seats, word, calls, ply)
    if spelled:
        return word, step
    if led and (word.isdigit() or word.upper() in RANKS):
        card = _card(word.upper(), led)
        spelled, _, step = _read(game, state, seats, card, calls, ply) if card else ("", None, step)
        if not spelled:
            raise NotationError(f"found {word}, expected a card: {word} is not a rank of the suit led", 1)
        return card, step
    raised = _raised(game, state, seats, word, calls, ply) if word != word.upper() else ()
    candidates = {spelled: step for spelled, _, step in raised if spelled}
    candidates = candidates or _spelled(game, state, seats, word, calls, ply)
    if len(candidates) > 1:
        raise NotationError(f"found {word}, which may be {' or '.join(candidates)}", 1, key="cgn.ambiguous")
    for spelled, step in candidates.items():
        return (step.word, step) if step.word == game.words.bare(spelled) else (spelled, None)
    return word, None


def _spelled(game: AnyGame, state: Any, seats: int, word: str, calls: Calls, ply: int) -> dict[str, Step]:
    """Return the words that a typed word may be in other spellings that the game knows, each with its step.

    Empty for none, and for a word longer than LONGEST_WORD.
    """
    if len(word) > LONGEST_WORD:
        return {}
    prefix = "" if (match := PREFIX.match(word)) is None else match[0]
    meant: dict[str, Step] = {}
    for spelling in game.words.spellings(word[len(prefix) :]):
        for spelled, _, step in _raised(game, state, seats, prefix + spelling, calls, ply):
            if spelled:
                meant.setdefault(spelled, step)
    return meant


def _card(rank: str, led: str) -> str:
    """Return the card of a rank in the suit led: ``K`` of S -> ``KS``, ``5`` of T -> ``T05``; empty for none."""
    if led == "T":
        return f"T{int(rank):02}" if rank.isdigit() and len(rank) < 3 else ""
    return f"{rank}{led}" if rank in RANKS else f"X{led}" if rank == "10" else ""


def _read(
    game: AnyGame, state: Any, seats: int, word: str, calls: Calls = NO_CALLS, ply: int = 1
) -> tuple[str, NotationError | None, Step]:
    """Return the canonical spelling of a word, why it cannot be read, and its step.

    The spelling is empty if it cannot be read, and the reason is None if it can. A word with ``~`` that only the rules
    of gaps can read counts as unreadable.
    """
    step = step_of(game, state, word, seats, calls, ply)
    if step.error is not None:
        return "", step.error, step
    if type(step.move) is MissedPly and step.move.signs != MISSING_WORD:
        try:
            read_word(game, state, word, seats)
        except NotationError as fault:
            return "", fault.at_rest(), step
    return word if isinstance(step.move, Call) else step.text, None, step


def _raised(
    game: AnyGame, state: Any, seats: int, word: str, calls: Calls = NO_CALLS, ply: int = 1
) -> Iterator[tuple[str, NotationError | None, Step]]:
    """Yield what ``_read`` says of a word with more and more of its small letters as capitals: ``ks`` -> ``KS``.

    A capital is tried where reading stops, and reading must not stop earlier then. At most TRIALS spellings are tried,
    and none of a word that is too long.
    """
    trying, tried = [(word, 0)] if len(word) <= LONGEST_WORD else [], {word}
    while trying and len(tried) < TRIALS:
        text, least = trying.pop()
        spelled, fault, step = _read(game, state, seats, text, calls, ply)
        yield spelled, fault, step
        stop = max(fault.column - 1, 0) if fault is not None else -1
        if stop >= least:
            new = (spelling for spelling in _with_capitals(text, stop) if spelling not in tried)
            more = list(islice(new, TRIALS - len(tried)))
            tried.update(more)
            trying += [(spelling, stop) for spelling in reversed(more)]


def _with_capitals(text: str, stop: int) -> Iterator[str]:
    """Yield a word with one more capital, at small letters near the index ``stop`` where reading stopped.

    A run of more than three small letters is also tried as a call: ``gardesans`` -> ``GardeSans``.
    """
    at = next((i for i in range(stop, len(text)) if text[i].islower()), -1)
    end = at
    while 0 <= end < len(text) and text[end].islower():
        end += 1
    for i in (at, at + 1, stop - 1, stop - 2):
        if 0 <= i < len(text) and text[i].islower():
            yield text[:i] + text[i].upper() + text[i + 1 :]
    if end - at > 3:
        called = text[:at] + text[at:end].capitalize() + text[end:]
        yield from (called[:i] + called[i].upper() + called[i + 1 :] for i in range(at + 1, end))


# --- did you mean ---


def _begun(game: AnyGame, state: Any, seats: int, word: str) -> tuple[str, NotationError] | None:
    """Return a word in the capitals with which it begins a longer word, and what is missing, as an error.

    None if it begins no longer word, or has no small letters. ``state`` is the state before the word.
    """
    raised = _raised(game, state, seats, word) if word != word.upper() else ()
    short = ((step.word, fault) for _, fault, step in raised if isinstance(fault, Misread) and fault.short)
    return next((begun for begun in short if begun[0] != word), None)


def did_you_mean(candidates: Sequence[str], because: str) -> str:
    """Return the sentence why a word cannot be read, after ``did you mean …?`` with the words that are like it.

    It is ``because`` alone if there are no candidates, or if it names them already.
    """
    if not candidates:
        return because
    named = " or ".join((", ".join(candidates[:-1]), candidates[-1]) if candidates[1:] else candidates)
    if because.endswith(f"which may be {named}"):
        return because
    return f"did you mean {named}? {because[:1].upper()}{because[1:]}"


def unread_because(heading: Heading, step: Step) -> str:
    """Return why the word of a ply cannot be read, with a word that was probably meant if only capitals are missing.

    The step must have an error.
    """
    assert step.error is not None
    if step.error.key != SPELLING or heading.game is None or heading.sheet is None:
        return step.error.because
    game, seats = after_gaps(own_game(heading.game), (), step.state), heading.sheet.seats
    try:
        candidate, _ = _resolve(game, step.state, seats, step.word, "")
    except NotationError as fault:
        return fault.because
    if candidate != step.word:
        return did_you_mean((candidate,), step.error.because)
    begun = _begun(game, step.state, seats, step.word)
    return did_you_mean((begun[0],), begun[1].because) if begun else step.error.because


def offered_words(game: AnyGame, state: Any, calls: Calls) -> Iterator[str]:
    """Yield in canonical spelling every move that no rule refuses, and then the calls of the game.

    Moves that the game does not list are left out, and all moves are once a call has ended the game.
    """
    for move in () if calls.outcome else game.rules.candidates(state):
        if type(judge(game, state, move, calls)) is not Refused:
            yield write_word(game, move, state)
    yield from game.turns.calls


def alike(word: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return up to three of some words that are like one that cannot be read, the likest first.

    If none is like it, they are those that begin with it, in their order; none if more than three do.
    """
    matcher = SequenceMatcher(b=word.lower(), autojunk=False)
    ranked: list[tuple[float, str]] = []
    words = tuple(dict.fromkeys(candidates))
    for candidate in words:
        matcher.set_seq1(candidate.lower())
        if matcher.real_quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE:
            ranked.append((-matcher.ratio(), candidate))
    if ranked:
        return tuple(candidate for _, candidate in sorted(ranked, key=lambda row: row[0])[:MOST_CANDIDATES])
    longer = tuple(candidate for candidate in words if candidate.lower().startswith(word.lower()))
    return longer if len(longer) <= MOST_CANDIDATES else ()
