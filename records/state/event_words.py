"""What is said of an event, in one module: as a line of the log, a sentence at a table, on the docket, on a sheet."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cartulary.engine.numbers import seat_number
from cartulary.notation.arbiter.finding import TAIL_SHOWN, Finding, verdict_text
from cartulary.notation.arbiter.ruling_commands import ruling_says
from cartulary.notation.cgn.controls import isolate
from cartulary.notation.cgn.record import MISSING_WORD
from cartulary.notation.cgn.signs import PREFIX, count
from cartulary.notation.seat_names import name_seats, seat_name
from cartulary.records.log.events import (
    BoardStated,
    ClockCorrected,
    DisputeRaised,
    DisputeWithdrawn,
    Event,
    GameClosed,
    GameImported,
    GameOpened,
    GameReopened,
    GameSetAside,
    MadeQuiet,
    MovePlayed,
    MovesAmended,
    MovesRedone,
    MoveTakenBack,
    NoteReplaced,
    PlayerSeated,
    RecordAgreed,
    RecordRevealed,
    RulingGiven,
    SetupCorrected,
    SheetKept,
    SourceKept,
    StoredFinding,
    TagsChanged,
    Withheld,
    WordDeclined,
)
from cartulary.records.log.fields import UNTOLD
from cartulary.records.state.book import Agreement, Book
from cartulary.records.state.docket import PlacedDispute, PlacedRuling, Ref, TimeCorrection, cites_text
from cartulary.records.state.masks import ROLES

LETTERS = 160
"""The largest number of characters shown of a text that somebody wrote, in a sentence."""
R = TypeVar("R")
_OWN_WORDS = ("claim", "reason")
"""The fields of a dispute or ruling that somebody wrote in free words."""
_PRIVATE = 0xE000
"""The first of Unicode's characters for private use; some stand for free words while a sentence is put together."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


class Form(Struct, Generic[R], frozen=True, eq=False, kw_only=True):
    """A form in which an event is said, as text or as the cells of a row."""

    name: str


LINE: Form[str] = Form(name="line")
"""A line of the log, which names other events by their numbers."""
ENTRY: Form[str] = Form(name="entry")
"""A line of the docket, about a dispute, a ruling or a corrected time."""
ROW: Form[tuple[str, str]] = Form(name="row")
"""A row of a score sheet about one of these or an agreement: what it is about, and what it says."""


class Sentence(Form[str], frozen=True, eq=False, kw_only=True):
    """The form in which an event is said to those who follow a table: by names, plies and words.

    Attributes:
        names: The names of the players, by seat.
        before: The record before the event.
        ply: How many plies there were after it.
        word_at: Return the word at a place of the log, as the viewer may read it; empty if there is none.
        quiet: Whether what the rules say is left out.
        unjudged: Whether nobody judges the game.
        findings: The findings on the record now that the viewer may read.
        common_name: Return how people call a word; empty if they call it as it is written.
    """

    name: str = "sentence"
    names: Sequence[str]
    before: Book
    ply: int
    word_at: Callable[[Ref], str]
    quiet: bool = False
    unjudged: bool = False
    findings: Sequence[Finding] = ()
    common_name: Callable[[str], str] = lambda word: ""

    def word(self, word: str, most: int = 24) -> str:
        """Return a word as people call it, with the word itself after it: ``♠10 (XS)``; a word without such a name
        alone.

        Args:
            word: The word; the seat before it, ``p2/``, is left out when its name is looked up.
            most: The largest number of characters shown of the word itself; a longer one ends in ``…``.
        """
        spoken = self.common_name(PREFIX.sub("", word))
        return f"{spoken} ({short(word, most)})" if spoken else short(word, most)

    def plies(self, refs: Sequence[Ref]) -> str:
        """Return plies by their numbers and words: ``ply 6, 9Hb6`` or ``plies 6–8, 9Hb6 Pass 8Dj2``.

        Args:
            refs: Where each ply was written: the number of its event and the place of the word in that, from 0.

        Returns:
            The text. Words that are withheld from the viewer are left out, and the words are cut after 60 characters.
            Plies that the record before the event does not hold are not counted; if none is left, ``the game``.
        """
        at = {entry.ref: number for number, entry in enumerate(self.before.plies, 1)}
        numbers = [at[ref] for ref in refs if ref in at]
        if not numbers:
            return "the game"
        words = " ".join(word for ref in refs if (word := self.word_at(ref)))
        many = len(numbers) > 1
        place = f"plies {numbers[0]}–{numbers[-1]}" if many else f"ply {numbers[0]}"
        named = short(words, 60) if many else self.word(words, 60)
        return f"{place}{f', {named}' if words else ''}"

    def plies_from(self, first: Ref, many: int) -> str:
        """Return ``many`` plies as ``plies`` does, beginning with the one at ``first``; fewer if the record ends
        before.

        Raises:
            StopIteration: The record before the event has no ply with the reference ``first``.
        """
        at = next(at for at, entry in enumerate(self.before.plies) if entry.ref == first)
        return self.plies([entry.ref for entry in self.before.plies[at : at + many]])

    def who(self, name: str) -> str:
        """Return what somebody is called in a sentence, as ``display_name`` does: ``p1`` -> ``Ada``, ``arbiter`` ->
        ``the arbiter``.
        """
        return display_name(name, self.names)


DocketThing: TypeAlias = PlacedDispute | PlacedRuling | TimeCorrection


def say(event: Event | DocketThing | Agreement, how: Form[R], names: Sequence[str] = ()) -> R:
    """Return what an event says in one of the forms: one text, or for ``ROW`` a pair of a heading and a text.

    Args:
        event: The event; for ``ENTRY`` and ``ROW`` the dispute, ruling, corrected time or agreement as the docket has
            it. The docket is the list of all disputes and rulings of a game.
        how: The form: ``LINE`` for the log, ``ENTRY`` for the docket, ``ROW`` for a score sheet, or a ``Sentence`` for
            those at the table. An event that has no sentence of its own is said as a line of the log.
        names: The names of the players, by seat, if ``ENTRY`` and ``ROW`` are to call them so instead of ``p1``. Seats
            in a claim or reason that somebody wrote in free words are not replaced.

    Raises:
        KeyError: The type of the event is not known here.
        TypeError: The event is never said in this form, such as a move as an ``ENTRY``.
    """
    sayings = _SAYINGS[type(event)]
    text: Any
    if isinstance(how, Sentence):
        text = sayings.line(event) if sayings.sentence is None else sayings.sentence(event, how)
        return text  # type: ignore[no-any-return]
    says = getattr(sayings, how.name)
    if not names or how is LINE:
        return says(event)  # type: ignore[no-any-return]
    own_words = {field: getattr(event, field) for field in _OWN_WORDS if getattr(event, field, "")}
    signs = {field: chr(_PRIVATE + at) for at, field in enumerate(own_words)}
    text = says(replace(event, **signs) if signs else event)
    pieces = (text,) if isinstance(text, str) else text
    restore = {ord(signs[field]): own_words[field] for field in signs}
    named = tuple(name_seats(piece, names).translate(restore) for piece in pieces)
    return named[0] if isinstance(text, str) else named  # type: ignore[return-value]


# --- what people, plies and times are called ---


def short(word: str, most: int = 24) -> str:
    """Return a word of up to ``most`` characters as it is; a longer one cut to ``most`` characters, the last of them
    ``…``.
    """
    return word if len(word) <= most else word[: most - 1] + "…"


def display_name(who: str, names: Sequence[str] = ()) -> str:
    """Return what somebody is called in a sentence.

    Args:
        who: Who it is, as events have it: a seat such as ``p1``, ``p0`` for the table, a role such as ``arbiter``, or a
            name.
        names: The names of the players, by seat.

    Returns:
        For a seat the name of its player, or the seat itself if nobody is known there; ``the table`` for ``p0`` if
        there are names; ``the arbiter`` for a role; ``somebody`` for an empty text and for ``~``, a name that is
        withheld. Any other name is returned as it is, but protected so that a name written from right to left turns
        nothing around it.
    """
    if seat := seat_number(who):
        return seat_name(seat, names)
    if who == "p0" and names:
        return "the table"
    return f"the {who}" if who in ROLES else "somebody" if who in ("", "~") else isolate(who)


def closed_line(result: str, names: Sequence[str] = ()) -> str:
    """Return how a closed game ended: ``closed, 1-0: Ada won``.

    Args:
        result: The result: the share of each seat, by seat, with hyphens between, such as ``1/2-1/2``.
        names: The names of the players, by seat; without a name the winner is ``p1``.

    Returns:
        The sentence. A winner is named only if one seat has 1 and every other 0.
    """
    shares = result.split("-")
    won = [f"p{seat}" for seat, share in enumerate(shares, 1) if share == "1"]
    known = len(won) == 1 and all(share == "0" for share in shares if share != "1")
    return f"closed, {result}" + (f": {display_name(won[0], names)} won" if known else "")


def result_text(result: str, names: Sequence[str] = ()) -> str:
    """Return who won as a clause for a person: ``Ann, Cyril and Dora beat Bela``; ``a draw`` begins with a capital.

    With one winner among several players only the winner is named. Shares that are neither all of the gain nor none of
    it are listed: ``Ann 1/2, Bela 1/4, Cyril 1/4``.

    Args:
        result: The result: the share of each seat, by seat, with hyphens between; ``*`` if it is not known.
        names: The names of the players, by seat; those without one are ``p1`` and so on.
    """
    shares = result.split("-")
    if result in ("", "*"):
        return "Closed without a result"
    winners = [seat for seat, share in enumerate(shares, 1) if share != "0"]
    losers = [seat for seat, share in enumerate(shares, 1) if share == "0"]
    if len({shares[seat - 1] for seat in winners}) > 1:
        return ", ".join(f"{seat_name(seat, names)} {share}" for seat, share in enumerate(shares, 1))
    if not winners:
        return "Nobody won"
    if not losers and len(shares) > 1:
        return "A draw"
    won = _joined([seat_name(seat, names) for seat in winners])
    if len(winners) == 1 and len(losers) != 1:
        return f"{won} won"
    return f"{won} beat {_joined([seat_name(seat, names) for seat in losers])}"


def _joined(names: Sequence[str]) -> str:
    """Return names as a person lists them: ``Ann, Cyril and Dora``."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def proofs(findings: Iterable[Finding]) -> str:
    """Return the end of a sentence that names earlier plies as irregular: ``; proves that ply 3, 8Dj2, broke
    follow.suit``.

    Args:
        findings: The findings on those plies.

    Returns:
        One such part for each ply and rule, without repetitions, by the number of the ply; empty if there are no
        findings.
    """
    proved = {(found.ply, found.move, found.key) for found in findings}
    return "".join(f"; proves that ply {ply}, {word}, broke {key}" for ply, word, key in sorted(proved))


def plies_text(plies: Sequence[int]) -> str:
    """Return the numbers of plies in the given order: ``ply 3`` for one, ``plies 3, 4`` for several."""
    return f"{'ply' if len(plies) == 1 else 'plies'} {', '.join(map(str, plies))}"


def moment(at: str) -> str:
    """Return a time of the log as people read it, to the minute: ``2026-11-22T20:15:09.123Z`` -> ``2026-11-22 20:15
    UTC``.

    A text that is not in that form is returned as it is, as in a log that another program wrote.
    """
    return f"{at[:10]} {at[11:16]} UTC" if _TIME.fullmatch(at) else at


def worst(findings: Sequence[StoredFinding]) -> StoredFinding | None:
    """Return the worst finding on a word: the first ``error`` (a breach), otherwise the first ``undecided`` (a
    question).

    None if there is neither; remarks are passed over.
    """
    serious = [each for each in findings if each.severity in ("error", "undecided")]
    return min(serious, key=lambda each: each.severity != "error", default=None)


def readable(text: str) -> str:
    """Return a text as it is; empty for ``~``, which stands for a text that is withheld from the reader."""
    return "" if text == UNTOLD else text


def _because(reason: str) -> str:
    """Return a reason as the end of a sentence, after a colon and a blank: ``: misheard``; empty for no reason."""
    return f": {reason}" if reason else ""


def _shown_because(text: str) -> str:
    """Return a reason as ``_because`` does for those at a table: cut to ``LETTERS`` characters, and empty if it is
    withheld.
    """
    return _because(short(readable(text), LETTERS))


def _stream_place(event: int, word: int) -> str:
    """Return a place of the log: ``(5, 0)`` -> ``event 5``; ``(5, 1)`` -> ``event 5 word 2``, since ``word`` counts
    from 0.
    """
    return f"event {event}" + (f" word {word + 1}" if word else "")


def _stream_plies(event: MovesAmended | MoveTakenBack, many: int) -> str:
    """Return plies by the place in the log where an event begins to change them.

    ``the ply of event 5`` if ``many`` is 1; otherwise ``3 plies from event 5 on``, and ``0 plies from …`` for none.
    """
    place = _stream_place(event.event, event.word)
    return f"the ply of {place}" if many == 1 else f"{many} plies from {place} on"


def _docket_place(then: tuple[int, ...], now: tuple[int, ...], words: tuple[str, ...]) -> str:
    """Return which plies an entry of the docket is about: ``ply 21, XSa5``, ``plies 3, 4, …`` or for three and more
    ``plies 3–7, …``.

    Args:
        then: The numbers of the plies when the entry was made; empty if it is about the whole game.
        now: Their numbers now; empty if they are gone. Then the old numbers are given, with ``, which is gone``.
        words: The words of the plies. Withheld ones (``~``) are left out, and so are all after the twelfth.

    Returns:
        The text; ``the game`` if there are neither old nor new numbers.
    """
    if not then and not now:
        return "the game"
    plies = now or then
    numbers = ", ".join(map(str, plies)) if len(plies) < 3 else f"{plies[0]}–{plies[-1]}"
    seen = [word for word in words if word and word != UNTOLD]
    words_shown = f"{' '.join(seen[:TAIL_SHOWN])}{' …' if len(seen) > TAIL_SHOWN else ''}"
    there = "" if now else ", which is gone" if len(plies) == 1 else ", which are gone"
    return f"{'ply' if len(plies) == 1 else 'plies'} {numbers}{f', {words_shown}' if words_shown else ''}{there}"


def _about(event: Any, how: Sentence) -> str:
    """Return the ply that an event is about, with its word: ``ply 6, 9Hb6``.

    ``the game`` if the event names no ply, or one that the record before the event does not hold.
    """
    return how.plies([(event.event, event.word)] if event.event else [])


# --- the record as a whole ---


def _game_opened(event: GameOpened) -> str:
    """Return the line for an opened game: ``opened mygame, first, standard``; edition, variant and options if they are
    not empty.
    """
    parts = [f"opened {event.game}", event.edition, event.variant, event.options]
    return ", ".join(part for part in parts if part)


def _tags_changed(event: TagsChanged) -> str:
    """Return the line for changed tags: ``tags: Event "Club", Round dropped``.

    The new values come first, each group in the order of the event; ``tags: none`` if nothing changed.
    """
    parts = [f'{name} "{isolate(value)}"' for name, value in event.put] + [
        f"{name} dropped" for name in event.dropped_tags
    ]
    return "tags: " + (", ".join(parts) or "none")


def _setup_corrected(event: SetupCorrected) -> str:
    """Return the line for a corrected set-up: ``set-up: Variant "fft", Dealer dropped: misread``.

    The tags stand in the order of the event; one with an empty value was dropped. The reason is left out if it is
    empty.
    """
    parts = [f'{name} "{isolate(value)}"' if value else f"{name} dropped" for name, value in event.put]
    return f"set-up: {', '.join(parts)}{_because(event.reason)}"


def _setup_corrected_sentence(event: SetupCorrected, how: Sentence) -> str:
    """Return the sentence on a corrected set-up, with the names of the tags but no values, which may be hidden from a
    seat.

    ``the set-up was corrected (Variant, Dealer); all plies were judged again``
    """
    return f"the set-up was corrected ({', '.join(name for name, _ in event.put)}); all plies were judged again"


def _game_imported(event: GameImported) -> str:
    """Return the line for an imported sheet: ``imported mygame from club.cgn: 42 plies, 1-0, legal``.

    The game is named by its key; the file is left out if its name is not known. The last word is the verdict of the
    rules.
    """
    source = f" from {event.source}" if event.source else ""
    return f"imported {event.game}{source}: {count(event.plies, 'ply', 'plies')}, {event.result}, {event.verdict}"


# --- plies, and what changes them ---


def _move_played(event: MovePlayed) -> str:
    """Return the line for a move: ``p1 played 8Dj2, clock 0:12:30, quiet (follow.suit let stand)``.

    The clock, ``quiet`` (the writer was not shown verdicts) and the keys of the rules with findings are there if there
    are any; ``let stand`` says that the rules refused the word and it was written nevertheless. Seat ``p0`` is the
    table.
    """
    clock = f", clock {event.clock}" if event.clock else ""
    keys = ", ".join(finding.key for finding in event.findings)
    stands = " let stand" if event.stands else ""
    quiet = ", quiet" if event.quiet else ""
    return f"p{event.seat} played {event.text}{clock}{quiet}" + (f" ({keys}{stands})" if keys else "")


def _move_played_sentence(event: MovePlayed, how: Sentence) -> str:
    """Return the sentence on a move: who played it, its ply, and the verdict: ``Ada played 9Hb6, ply 6: legal``.

    The verdict is ``written`` if the reader is shown none or nobody judges the game. Otherwise it is ``legal``,
    ``cannot be known yet …``, ``irregular under KEY: …`` or ``let stand although it breaks KEY: …``, followed by the
    earlier plies that the move proves irregular. A ply that was not written down has a sentence of its own, without a
    verdict.
    """
    if event.text == MISSING_WORD:
        return f"ply {how.ply} was played but not written down"
    who = how.who(f"p{event.seat}") if event.seat else "the table"
    sentence = f"{who} played {how.word(event.text)}, ply {how.ply}"
    if how.quiet or how.unjudged:
        return f"{sentence}: written"
    found = worst(event.findings)
    proved = proofs(each for each in how.findings if each.decided_by == how.ply and each.ply < how.ply)
    if found is None:
        return f"{sentence}: legal{proved}"
    because = f"{found.key}{_because(name_seats(found.because, how.names))}{proved}"
    if found.severity == "undecided":
        says = name_seats(found.because, how.names)
        return f"{sentence}: {verdict_text('undecided', found.key)}; {says} ({found.key}){proved}"
    verdict = "irregular under" if event.quiet or not event.stands else "let stand although it breaks"
    return f"{sentence}: {verdict} {because}"


def _moves_amended(event: MovesAmended) -> str:
    """Return the line for a correction, with the reason if there is one.

    Words put in: ``put 8Dj2 before event 5`` or ``put 8Dj2 at the end``; plies replaced: ``corrected the ply of event
    5, to 8Dj2``; plies taken out: ``removed 2 plies from event 5 on: misheard``.
    """
    words = " ".join(event.words)
    plies = _stream_plies(event, event.plies)
    if not event.plies:
        place = f"before {_stream_place(event.event, event.word)}" if event.event else "at the end"
        statement = f"put {words} {place}"
    elif words:
        statement = f"corrected {plies}, to {words}"
    else:
        statement = f"removed {plies}"
    return statement + _because(event.reason)


def _moves_amended_sentence(event: MovesAmended, how: Sentence) -> str:
    """Return the sentence on a correction: ``Ada corrected ply 6, 9Hb6, to 8Hb6: misheard``.

    As in ``_moves_amended`` words are put in, corrected or removed. A word that is withheld from the reader is ``a
    ply``, and each word is cut after 24 characters.
    """
    words = " ".join(short(readable(word) or "a ply") for word in event.words)
    who, first = how.who(event.by), (event.event, event.word)
    if not event.plies:
        place = f"before {how.plies_from(first, 1)}" if event.event else "at the end"
        return f"{who} put {words} {place}{_shown_because(event.reason)}"
    plies = how.plies_from(first, event.plies)
    done = f"corrected {plies}, to {words}" if words else f"removed {plies}"
    return f"{who} {done}{_shown_because(event.reason)}"


def _move_taken_back(event: MoveTakenBack) -> str:
    """Return the line for plies taken back: ``took back 2 plies from event 5 on, Bela agreed: misheard``.

    Who agreed and the reason are left out if they are empty.
    """
    agreed = f", {isolate(event.agreed_by)} agreed" if event.agreed_by else ""
    return f"took back {_stream_plies(event, event.plies)}{agreed}" + _because(event.reason)


def _move_taken_back_sentence(event: MoveTakenBack, how: Sentence) -> str:
    """Return the sentence on plies taken back: ``Ada took back ply 6, 9Hb6; Bela agreed: misheard``.

    If nobody agreed, it says ``nobody was asked``.
    """
    plies = how.plies([entry.ref for entry in how.before.plies[-event.plies :]])
    agreed = f"{how.who(event.agreed_by)} agreed" if event.agreed_by else "nobody was asked"
    return f"{how.who(event.by)} took back {plies}; {agreed}{_shown_because(event.reason)}"


def _moves_redone(event: MovesRedone) -> str:
    """Return the line for plies that were played again after an undo: ``played 3 plies again that event 17 took back``.

    Who agreed and the reason follow, ``, Bela agreed: misheard``, if there are any.
    """
    agreed = f", {isolate(event.agreed_by)} agreed" if event.agreed_by else ""
    plies = count(event.plies, "ply", "plies")
    return f"played {plies} again that event {event.event} took back{agreed}" + _because(event.reason)


def _moves_redone_sentence(event: MovesRedone, how: Sentence) -> str:
    """Return the sentence on plies played again after an undo: ``Ada played ply 6, 9Hb6, again; Bela agreed:
    misheard``.

    The plies are those of the last undo before the event. Withheld words are left out, and so is who agreed if nobody
    did.

    Raises:
        IndexError: The record before the event has no undo that can be reversed.
    """
    plies = how.before.undos[-1].plies
    first = len(how.before.plies) + 1
    many = f"plies {first}–{first + len(plies) - 1}" if len(plies) > 1 else f"ply {first}"
    words = " ".join(word for entry in plies if (word := how.word_at(entry.ref)))
    agreed = f"; {how.who(event.agreed_by)} agreed" if event.agreed_by else ""
    who = how.who(event.by)
    return f"{who} played {many}{f', {short(words, 60)},' if words else ''} again{agreed}{_shown_because(event.reason)}"


def _note(event: NoteReplaced) -> str:
    """Return the line for a note: ``noted on event 5: a text on one line`` or ``removed the note on the game``.

    An empty text is a removed note; a note on no event is one on the game.
    """
    place = f"event {event.event}" if event.event else "the game"
    return f"noted on {place}: {' '.join(event.text.split())}" if event.text else f"removed the note on {place}"


def _note_sentence(event: NoteReplaced, how: Sentence) -> str:
    """Return the sentence on a note: ``a note on ply 6, 9Hb6: a text`` or ``the note was removed from the game``.

    The text is on one line, cut after 160 characters, and left out if it is withheld from the reader.
    """
    text = readable(" ".join(event.text.split()))
    return f"{'a note on' if event.text else 'the note was removed from'} {_about(event, how)}{_shown_because(text)}"


def _clock_corrected(event: ClockCorrected) -> str:
    """Return the line for a corrected clock: ``0:12:30 left after event 5: misread``; a reason only if there is one."""
    return f"{event.clock} left after {_stream_place(event.event, event.word)}" + _because(event.reason)


def _clock_corrected_sentence(event: ClockCorrected, how: Sentence) -> str:
    """Return the sentence on a corrected clock: ``0:12:30 left after ply 6, 9Hb6: misread``; the reason only if it is
    readable.
    """
    return f"{event.clock} left after {how.plies([(event.event, event.word)])}{_shown_because(event.reason)}"


def _time_entry(time: TimeCorrection) -> str:
    """Return a corrected time: ``time 12 on ply 3, 8Dj2: 0:12:30, was 0:21:30, by p1: misread``.

    12 is the number of the event. Who corrected it and the reason are left out if they are empty.
    """
    by = f", by {time.by}" if time.by else ""
    place = _docket_place((), (time.ply,), (time.word,))
    return f"time {time.number} on {place}: {time.time_left}, was {time.was}{by}{_because(time.reason)}"


def _time_row(time: TimeCorrection) -> tuple[str, str]:
    """Return a corrected time as a heading, ``ply 3, 8Dj2``, and a text, ``0:12:30, was 0:21:30 by p1: misread``."""
    by = f" by {isolate(time.by)}" if time.by else ""
    return f"ply {time.ply}, {time.word}", f"{time.time_left}, was {time.was}{by}{_because(time.reason)}"


def _board_stated(event: BoardStated) -> str:
    """Return the line for a board that somebody stated: ``stated the board after event 5: TEXT``.

    TEXT is the position as the set-up tag of the game spells it. A board of event 0 is one ``before the first ply``.
    """
    place = f"after {_stream_place(event.event, event.word)}" if event.event else "before the first ply"
    return f"stated the board {place}: {event.text}"


def _board_stated_sentence(event: BoardStated, how: Sentence) -> str:
    """Return the sentence on a stated board: ``Ada stated the board after ply 6, 9Hb6: WRONG; WRONG``.

    What does not agree with the moves on record is left out if the reader is not shown verdicts; the board itself
    always is.
    """
    found = "" if how.quiet else "; ".join(each.because for each in event.findings)
    place = f"after {how.plies([(event.event, event.word)])}" if event.event else "before the first ply"
    return f"{how.who(event.by)} stated the board {place}{_because(found)}"


def _player_seated(event: PlayerSeated) -> str:
    """Return the line for a substitution: ``p2: Fay sat down after event 5``, or ``… before the first ply``."""
    place = f"after {_stream_place(event.event, event.word)}" if event.event else "before the first ply"
    return f"p{event.seat}: {_who_sat_down(event)} {place}"


def _player_seated_sentence(event: PlayerSeated, how: Sentence) -> str:
    """Return the sentence on a substitution: ``p2: Fay sat down after ply 6, 9Hb6``, or ``… before the first ply``."""
    place = f"after {how.plies([(event.event, event.word)])}" if event.event else "before the first ply"
    return f"p{event.seat}: {_who_sat_down(event)} {place}"


def _who_sat_down(event: PlayerSeated) -> str:
    """Return a part of a sentence: ``Ada sat down``, or ``? sat down`` if nobody knows who.

    An empty name takes a substitution back: ``nobody else sat down``.
    """
    return f"{isolate(event.name)} sat down" if event.name else "nobody else sat down"


# --- how the record is kept ---


def _made_quiet(event: MadeQuiet) -> str:
    """Return the line for a record that was made quiet: no seat is shown verdicts until it is revealed or closed."""
    return "made quiet"


def _revealed(event: RecordRevealed) -> str:
    """Return the line for a revealed record: ``revealed what the rules say``; verdicts are shown to seats again."""
    return "revealed what the rules say"


def _game_closed(event: GameClosed) -> str:
    """Return the line for a closed game: ``closed 1-0, adjudication``; how it ended is left out if it is empty."""
    return f"closed {event.result}" + (f", {event.termination}" if event.termination else "")


def _game_closed_sentence(event: GameClosed, how: Sentence) -> str:
    """Return the sentence on a closed game: ``closed, 1-0: Ada won (adjudication)``; without brackets if no termination
    is known.
    """
    return closed_line(event.result, how.names) + (f" ({event.termination})" if event.termination else "")


def _game_reopened(event: GameReopened) -> str:
    """Return the line for a reopened game: ``reopened: misread``; without a reason ``reopened``."""
    return "reopened" + _because(event.reason)


def _game_set_aside(event: GameSetAside) -> str:
    """Return the line for a game that lists and standings leave out from now on: ``set aside: a duplicate``.

    ``counted again`` stands in place of ``set aside`` if they count it again. The reason is there only if there is one.
    """
    return ("counted again" if event.counts else "set aside") + _because(event.reason)


def _game_set_aside_sentence(event: GameSetAside, how: Sentence) -> str:
    """Return the sentence ``Ada set the game aside: a duplicate``, or ``Ada counted the game again: …``."""
    done = "counted the game again" if event.counts else "set the game aside"
    return f"{how.who(event.by)} {done}{_shown_because(event.reason)}"


def _record_agreed(event: RecordAgreed) -> str:
    """Return the line for a seat's agreement: ``p1 agreed with this record, head 17:3fa…``.

    The head is the number of the last event then and the digest of that; it is left out where it is withheld.
    """
    return f"p{event.seat} agreed with this record" + (f", head {event.head}" if event.head else "")


def _record_agreed_sentence(event: RecordAgreed, how: Sentence) -> str:
    """Return the sentence on a seat's agreement with the closed record: ``Ada agrees with this record``."""
    return f"{how.who(f'p{event.seat}')} agrees with this record"


def _agreement_row(agreement: Agreement) -> tuple[str, str]:
    """Return an agreement as a heading, ``p1``, and a text: ``agreed with this record, 2026-11-22 20:15 UTC. …``.

    The text goes on with the head of the log then (number and digest of the last event), if it is not withheld, and
    with the first event that changed the record since, if there is one.
    """
    head = f" Head of the log then: {agreement.head}." if agreement.head else ""
    past = f" Event {agreement.since} was written after that." if agreement.since else ""
    return f"p{agreement.seat}", f"agreed with this record, {moment(agreement.at)}.{head}{past}"


def _sheet_kept(event: SheetKept) -> str:
    """Return the line for another sheet stored with the game: ``kept another sheet, table-b.cgn``; the file only if
    known.
    """
    return f"kept another sheet{f', {event.source}' if event.source else ''}"


def _source_kept(event: SourceKept) -> str:
    """Return the line for the stored text of an imported game, with its format: ``kept the text it was read from,
    PGN``.
    """
    return f"kept the text it was read from, {event.format.upper()}"


# --- disputes and rulings ---


def _dispute_raised(event: DisputeRaised) -> str:
    """Return the line for a dispute: ``disputed event 5, citing sheets 9, 12: p3 had a spade``.

    ``event 5`` is the place of the ply in the log; it is ``the game`` if the event names none.
    """
    place = _stream_place(event.event, event.word) if event.event else "the game"
    return f"disputed {place}{cites_text(event.cites)}: {event.claim}"


def _dispute_raised_sentence(event: DisputeRaised, how: Sentence) -> str:
    """Return the sentence on a dispute: ``Ada disputes ply 6, 9Hb6: p3 had a spade``; the claim only if it is not
    withheld.
    """
    return f"{how.who(event.by)} disputes {_about(event, how)}{_shown_because(event.claim)}"


def _dispute_entry(dispute: PlacedDispute) -> str:
    """Return a dispute: ``dispute 24 by p2 on ply 21, XSa5, open, citing sheet 9: p3 had a spade``.

    ``open`` may also be ``ruled`` or ``withdrawn (reason)``. Who raised it is left out if that is empty.
    """
    then, now = ((ply,) if ply else () for ply in (dispute.ply_then, dispute.ply))
    place = _docket_place(then, now, (dispute.word,))
    reason = f" ({dispute.reason})" if dispute.reason else ""
    by = f" by {isolate(dispute.by)}" if dispute.by else ""
    cites = cites_text(dispute.cites)
    return f"dispute {dispute.number}{by} on {place}, {dispute.status}{reason}{cites}: {dispute.claim}"


def _dispute_row(dispute: PlacedDispute) -> tuple[str, str]:
    """Return a dispute as a heading, ``ply 21, XSa5``, and a text, ``2026-11-22 20:15 UTC, p2: p3 had a spade. Open.``

    The heading has the ply's old number and ``(gone)`` if the ply is gone, and is ``the game`` if there never was one.
    The text has no time if none is known, and ``somebody`` for an empty name; its last sentence is the status and the
    reason of a withdrawal.
    """
    ply = dispute.ply or dispute.ply_then
    gone = " (gone)" if dispute.ply_then and not dispute.ply else ""
    where = f"ply {ply}{f', {dispute.word}' if dispute.word else ''}{gone}" if ply else "the game"
    given = f" ({dispute.reason})" if dispute.reason else ""
    when = f"{moment(dispute.at)}, " if dispute.at else ""
    statement = f"{dispute.claim}{cites_text(dispute.cites)}. {dispute.status.capitalize()}{given}."
    return where, f"{when}{isolate(dispute.by) or 'somebody'}: {statement}"


def _dispute_withdrawn(event: DisputeWithdrawn) -> str:
    """Return the line for a withdrawn dispute: ``withdrew dispute 24: misread``; 24 is the event that raised it."""
    return f"withdrew dispute {event.event}" + _because(event.reason)


def _dispute_withdrawn_sentence(event: DisputeWithdrawn, how: Sentence) -> str:
    """Return the sentence on a withdrawn dispute: ``Ada withdrew dispute 24: misread``; the reason only if it is
    readable.
    """
    return f"{how.who(event.by)} withdrew dispute {event.event}{_shown_because(event.reason)}"


def _ruling_given(event: RulingGiven) -> str:
    """Return the line for a ruling: ``A. Person ruled on event 5 for dispute 24: stands (call.seat), citing sheet 9:
    reason``.

    The plies are given by their places in the log; ``the game`` if there are none, and ``ruling 25`` if the event takes
    that ruling back. The dispute, the keys of the rules, the sheets and the reason are there if there are any.
    """
    place = ", ".join(_stream_place(*ref) for ref in event.plies) or "the game"
    answer = f" for dispute {event.dispute}" if event.dispute else ""
    place = f"ruling {event.revokes}" if event.revokes else place
    decision = ruling_says(event)
    keys = f" ({', '.join(event.keys)})" if event.keys else ""
    cites = cites_text(event.cites)
    return f"{isolate(event.arbiter)} ruled on {place}{answer}: {decision}{keys}{cites}" + _because(event.reason)


def _ruling_given_sentence(event: RulingGiven, how: Sentence) -> str:
    """Return the sentence on a ruling: ``A. Person ruled on ply 6, 9Hb6: stands (call.seat): reason``.

    ``ruling 25`` stands in place of the plies if the event takes that ruling back, and ``the game`` if it names none.
    The keys of the rules and the reason are there if there are any and the reason is not withheld.
    """
    place = f"ruling {event.revokes}" if event.revokes else how.plies(event.plies)
    keys = f" ({', '.join(event.keys)})" if event.keys else ""
    says = name_seats(ruling_says(event), how.names)
    return f"{how.who(event.arbiter)} ruled on {place}: {says}{keys}{_shown_because(event.reason)}"


def _ruling_entry(ruling: PlacedRuling) -> str:
    """Return a ruling: ``ruling 25 by A. Person on ply 21, Pass: stands, no longer in force (call.seat): reason``.

    Who ruled, ``no longer in force``, the keys of the rules, the cited sheets and the reason are there if they apply. A
    ruling that takes another back is ``on ruling 25``, one about no ply ``on the game``.
    """
    place = f"ruling {ruling.revokes}" if ruling.revokes else _docket_place(ruling.plies_then, ruling.plies, ruling.old)
    past = "" if ruling.holds else ", no longer in force"
    keys = f" ({', '.join(ruling.keys)})" if ruling.keys else ""
    cites, reason = cites_text(ruling.cites), _because(ruling.reason)
    arbiter = f" by {isolate(ruling.arbiter)}" if ruling.arbiter else ""
    return f"ruling {ruling.number}{arbiter} on {place}: {ruling_says(ruling)}{past}{keys}{cites}{reason}"


def _ruling_row(ruling: PlacedRuling) -> tuple[str, str]:
    """Return a ruling as a heading, ``ply 21, Pass``, and a text, ``2026-11-22 20:15 UTC, A. Person: stands. Cited:
    call.seat.``

    The heading has the old numbers and ``(gone)`` if the plies are gone; it is ``ruling 25`` if that is taken back, and
    otherwise ``the game`` if there are no plies. The text goes on with the reason, and with ``Later events overtook
    it.`` if the ruling is not in force.
    """
    plies = ruling.plies or ruling.plies_then
    words = " ".join(word for word in ruling.old if word not in ("", UNTOLD))
    gone = " (gone)" if ruling.plies_then and not ruling.plies else ""
    where = f"{plies_text(plies)}{f', {words}' if words else ''}{gone}" if plies else "the game"
    where = f"ruling {ruling.revokes}" if ruling.revokes else where
    cited = f" Cited: {', '.join(ruling.keys)}." if ruling.keys else ""
    reason = f" Reason: {ruling.reason}." if ruling.reason else ""
    past = "" if ruling.holds else " Later events overtook it."
    when = f"{moment(ruling.at)}, " if ruling.at else ""
    who = isolate(ruling.arbiter) or "the arbiter"
    return where, f"{when}{who}: {ruling_says(ruling)}{cites_text(ruling.cites)}.{cited}{reason}{past}"


def _word_declined(event: WordDeclined) -> str:
    """Return the line for words that were not stored: ``declined p2's 8Dj2 (follow.suit: …)``.

    What the seat has seen allows them, but the whole record forbids the last one. All findings on it are named, each by
    its key and what it found.
    """
    why = "; ".join(f"{finding.key}: {finding.because}" for finding in event.findings)
    return f"declined p{event.seat}'s {' '.join(event.words)} ({why})"


def _withheld(event: Withheld) -> str:
    """Return the line for an event whose body an export left out, by its kind: ``left out of the export:
    tags-changed``.
    """
    return f"left out of the export: {event.kind}"


class _Sayings(NamedTuple):
    """What says one type of event, by form; None for a form in which it is never said."""

    line: Any = None
    sentence: Callable[[Any, Sentence], str] | None = None
    entry: Callable[[Any], str] | None = None
    row: Callable[[Any], tuple[str, str]] | None = None


_SAYINGS: Mapping[type, _Sayings] = {
    GameOpened: _Sayings(_game_opened),
    TagsChanged: _Sayings(_tags_changed),
    SetupCorrected: _Sayings(_setup_corrected, _setup_corrected_sentence),
    GameImported: _Sayings(_game_imported),
    MovePlayed: _Sayings(_move_played, _move_played_sentence),
    MovesAmended: _Sayings(_moves_amended, _moves_amended_sentence),
    MoveTakenBack: _Sayings(_move_taken_back, _move_taken_back_sentence),
    MovesRedone: _Sayings(_moves_redone, _moves_redone_sentence),
    NoteReplaced: _Sayings(_note, _note_sentence),
    ClockCorrected: _Sayings(_clock_corrected, _clock_corrected_sentence),
    TimeCorrection: _Sayings(entry=_time_entry, row=_time_row),
    BoardStated: _Sayings(_board_stated, _board_stated_sentence),
    PlayerSeated: _Sayings(_player_seated, _player_seated_sentence),
    MadeQuiet: _Sayings(_made_quiet),
    RecordRevealed: _Sayings(_revealed),
    GameClosed: _Sayings(_game_closed, _game_closed_sentence),
    GameReopened: _Sayings(_game_reopened),
    GameSetAside: _Sayings(_game_set_aside, _game_set_aside_sentence),
    RecordAgreed: _Sayings(_record_agreed, _record_agreed_sentence),
    Agreement: _Sayings(row=_agreement_row),
    SheetKept: _Sayings(_sheet_kept),
    SourceKept: _Sayings(_source_kept),
    DisputeRaised: _Sayings(_dispute_raised, _dispute_raised_sentence),
    DisputeWithdrawn: _Sayings(_dispute_withdrawn, _dispute_withdrawn_sentence),
    PlacedDispute: _Sayings(entry=_dispute_entry, row=_dispute_row),
    RulingGiven: _Sayings(_ruling_given, _ruling_given_sentence),
    PlacedRuling: _Sayings(entry=_ruling_entry, row=_ruling_row),
    WordDeclined: _Sayings(_word_declined),
    Withheld: _Sayings(_withheld),
}
