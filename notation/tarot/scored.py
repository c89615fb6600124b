"""A deal that was only scored, as the tags of a record without words tell it.

Laxer than the standard: ``45,5`` and ``45½`` are read for ``45.5``, blanks for the commas of Most, the name of a player
for the seat, values in capitals or small letters, with accents or without, and the bids by their common words, such as
``petite`` or ``small`` for Prise and ``sans`` for GardeSans.
Source: rulebook of Tarot, "A deal that was only scored" (``tarot.settlement``).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from cartulary.engine.numbers import SEAT, seat_number
from cartulary.engine.tarot import BIDS, State
from cartulary.engine.tarot.playing import poignee_value
from cartulary.engine.tarot.score import PlayedDeal
from cartulary.engine.tarot.settlement import SETTLEMENT, impossible, score_text, with_scored_deal
from cartulary.engine.tarot.state import POIGNEES, Options, ScoredDeal
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.signs import Misread, cut
from cartulary.notation.contract import RoundField, TagAsked, TagScore
from cartulary.notation.guide import loosely

ALL_PASSED = "-"
ALONE = "-"
"""What may be answered for the partner of a taker who played alone."""
CHELEMS = {"announced": (True, 0), "made": (False, 1), "announced-made": (True, 1), "defence": (False, -1)}
"""By what the tag says: whether it was announced, and who won every trick, +1 the taker's side."""
LAST_WON = {"taker": 1, "defence": -1}
TRUMPS_SHOWN = 22
"""How many trumps all poignées of a deal can show together, the fool counted."""


class _Tag(NamedTuple):
    """One of the tags. read(text, options): its value; asks(options): the question, empty if the table has none. The
    question has ``{players}`` where the players are listed, and ``{player}`` where one stands as an example.
    """

    read: Callable[[str, Options], Any]
    asks: Callable[[Options], str]
    needed: bool = False


class _Expected(ValueError):
    """Raised for a tag whose value cannot be read; its text says what was expected."""


# --- values ---


def _seat(text: str, options: Options) -> int:
    """Return the seat that a tag names: ``p2 -> 2``.

    Raises:
        _Expected: If the text is no seat of the game; every reader of a value here raises it with what was expected.
    """
    match = re.fullmatch(SEAT, text)
    if match is None or int(match[1]) > options.seats:
        raise _Expected(f"a seat p1 to p{options.seats} or the name of a player")
    return int(match[1])


def _taker(text: str, options: Options) -> int:
    """Return the taker's seat; 0 for ``-``, if all passed.

    Raises:
        _Expected: If the text is neither a seat nor ``-``.
    """
    try:
        return 0 if text == ALL_PASSED else _seat(text, options)
    except _Expected as fault:
        raise _Expected(f"{fault}, or {ALL_PASSED} if all passed") from None


def _bid(text: str, options: Options) -> tuple[str, int]:
    """Return the name of a bid and its stake, 1 if none is written: ``Garde=5`` -> ``("Garde", 5)``.

    Raises:
        _Expected: If the text names no bid, or a stake that cannot be.
    """
    name, sign, stake = text.partition("=")
    staked = options.variant == "dementlieu" and re.fullmatch(r"[1-9][0-9]{0,8}", stake)
    if name not in BIDS[1:] or (sign and not staked):
        one_of = f"one of {', '.join(BIDS[1:])}"
        raise _Expected(f"{one_of}, followed by a stake such as =5" if options.variant == "dementlieu" else one_of)
    return name, int(stake or 1)


def _bouts(text: str, options: Options) -> int:
    """Return the number of bouts, from 0 to 3; raise _Expected for any other text."""
    if text not in ("0", "1", "2", "3"):
        raise _Expected("a number of bouts from 0 to 3")
    return int(text)


def _points(text: str, options: Options) -> int:
    """Return card points in halves: ``45.5`` -> 91.

    Raises:
        _Expected: If the text is no number of points, or too high.
    """
    match = re.fullmatch(r"([0-9]{1,2})([.,]0|[.,]5|½)?", text)
    halves = 2 * int(match[1]) + ((match[2] or "0")[-1] in "5½") if match is not None else 999
    most = 90 if options.variant == "dementlieu" else 91
    if halves > 2 * most:
        raise _Expected(f"card points from 0 to {most}, such as 45 or 45.5")
    return halves


def _poignees(text: str, options: Options) -> tuple[int, ...]:
    """Return the points that each poignée shown is worth, in the order written: ``p1:10 p3:13`` has two.

    A part names a seat and the number of trumps it showed.

    Raises:
        _Expected: If a seat, a number of trumps or their sum cannot be, or a seat stands twice.
    """
    shown = [re.fullmatch(f"{SEAT}:([0-9]{{1,2}})", part) for part in text.split()]
    sizes = POIGNEES[options.seats]
    seats = {match[1] for match in shown if match and int(match[1]) <= options.seats and int(match[2]) in sizes}
    if not shown or len(seats) < len(shown):
        several = f"{', '.join(map(str, sizes[:-1]))} or {sizes[-1]} trumps"
        raise _Expected(f"a seat and how many it showed ({several}), such as p1:{sizes[0]}, each seat once")
    counts = [int(match[2]) for match in shown if match]
    if sum(counts) > TRUMPS_SHOWN:
        raise _Expected(f"poignées with at most {TRUMPS_SHOWN} trumps in all")
    return tuple(poignee_value(options.seats, count) for count in counts)


def _one_of(values: Mapping[str, Any]) -> Callable[[str, Options], Any]:
    """Return a reader for tags that have one of these words as value; it returns what stands beside the word.

    The reader raises _Expected for any other word.
    """

    def read(text: str, options: Options) -> Any:
        """Return what a word means.

        Raises:
            _Expected: If the word is none of those.
        """
        if text not in values:
            raise _Expected(f"one of {', '.join(values)}")
        return values[text]

    return read


def _stakes(text: str, options: Options) -> tuple[int, ...]:
    """Return the stake of each seat in seat order: ``5:1:0:2``.

    Raises:
        _Expected: If there is not one stake a seat.
    """
    if not re.fullmatch(r"[0-9]{1,9}(:[0-9]{1,9})*", text) or text.count(":") + 1 != options.seats:
        raise _Expected(
            f"{options.seats} stakes in the order of the seats, such as {':'.join('5012'[: options.seats])}"
        )
    return tuple(map(int, text.split(":")))


def _most(text: str, options: Options) -> tuple[int, ...]:
    """Return the seats with the most card points: ``p1,p4`` -> ``(1, 4)``.

    Raises:
        _Expected: If a seat cannot be, or stands twice.
    """
    seats = tuple(_seat(name, options) for name in re.split(r"\s*,\s*|\s+", text))
    if len(set(seats)) < len(seats):
        raise _Expected("each seat once")
    return tuple(sorted(seats))


# --- tags ---


def _always(question: str) -> Callable[[Options], str]:
    """Return a function of the options that returns this question at every table."""
    return lambda options: question


def _in(variant: str, question: str) -> Callable[[Options], str]:
    """Return a function of the options that returns this question in one variant, and ``""`` in others."""
    return lambda options: question if options.variant == variant else ""


TAGS = {
    "Taker": _Tag(_taker, _always("Who was the taker: {players} (- if all passed)?"), True),
    "Partner": _Tag(
        _seat,
        lambda options: "Who was the partner: {players} (Enter: the taker played alone)?" if options.seats == 5 else "",
    ),
    "Bid": _Tag(
        _bid,
        lambda options: (
            f"What was bid ({', '.join(BIDS[1:])}"
            f"{', with the stake: Garde=5' if options.variant == 'dementlieu' else ''})?"
        ),
        True,
    ),
    "Bouts": _Tag(_bouts, _always("How many bouts did the taker's side have at the end (0 to 3)?"), True),
    "Points": _Tag(_points, _always("How many card points, such as 45 or 45.5?"), True),
    "Poignee": _Tag(
        _poignees, _in("fft", "Who showed a poignée, and of how many trumps, such as {player}:10 (Enter: nobody)?")
    ),
    "Petit": _Tag(
        _one_of(LAST_WON), _in("fft", "Who won the last trick with the petit: taker, defence (Enter: nobody)?")
    ),
    "Chelem": _Tag(_one_of(CHELEMS), _in("fft", f"Was there a chelem: {', '.join(CHELEMS)} (Enter: none)?")),
    "Stakes": _Tag(
        _stakes,
        _in("dementlieu", "What did each seat put into the pot, in seat order, such as 5:1:0:2 (Enter: not known)?"),
    ),
    "Most": _Tag(
        _most,
        _in(
            "dementlieu",
            "Who had the most card points, such as {player} or several, joined by commas (Enter: not known)?",
        ),
    ),
}


def _read(name: str, text: str, options: Options) -> Any:
    """Return the value of a tag, in the form that its reader in TAGS gives it.

    Raises:
        NotationError: If the tag cannot have this value, or has no meaning in this variant or with so many seats; its
            key
        is ``tarot.settlement``.
    """
    tag = TAGS[name]
    if not tag.asks(options):
        raise _fault(name, f"the tag {name} has no meaning in a deal of {options.variant} with {options.seats} seats")
    try:
        return tag.read(text.strip(), options)
    except _Expected as fault:
        raise _fault(name, f"the {name} tag says {cut(text)}, expected {fault}") from None


def _fault(tag: str, because: str) -> NotationError:
    """Return (not raise) the error that a tag is at fault; its key is ``tarot.settlement``."""
    return NotationError(because, key=SETTLEMENT.key, tag=tag)


# --- spelling ---


def spell(tags: Mapping[str, str], state: State) -> dict[str, str]:
    """Return those tags that describe a scored deal, by name, as they are stored: ``p2`` for the name of a player.

    ``tags`` has all tags of the record, because the names of players are read as seats. A value that cannot be read
    stays as it is.
    """
    options = state.options
    players = {seat: tags.get(f"Seat{seat}", "") for seat in range(1, options.seats + 1)}
    spelled = {}
    for name in TAGS:
        if name in tags:
            spelled[name] = _SPELLED[name](tags[name].strip(), players) if name in _SPELLED else tags[name]
    return spelled


_Spelling: TypeAlias = Callable[[str, Mapping[int, str]], str]


def _spelled_seat(text: str, players: Mapping[int, str]) -> str:
    """Return the seat that a text names, as ``p2``, by its number or by the player who alone bears that name.

    Case, accents and blanks of a name do not count. The text is returned as it is if it names no seat or several.
    """
    if seat := seat_number(re.sub(r"^(.)\s", r"\1", text)):
        return f"p{seat}"
    wanted = loosely(text)
    named = [seat for seat, player in players.items() if wanted and loosely(player) == wanted]
    return f"p{named[0]}" if len(named) == 1 else text


def _spelled_taker(text: str, players: Mapping[int, str]) -> str:
    """Return the taker's seat as ``_spelled_seat`` does; ``-`` for words such as ``all passed``.

    A player who bears such a word as name counts first. Any other text is returned as it is.
    """
    seat = _spelled_seat(text, players)
    return ALL_PASSED if seat == text and loosely(text) in _ALL_PASSED_WORDS else seat


def _spelled_seats(text: str, players: Mapping[int, str]) -> str:
    """Return a list of seats or players, joined by commas or blanks, as ``p1,p4``; the text if one is neither."""
    for parts in (re.split(r"\s*,\s*", text), text.split()):
        seats = [_spelled_seat(part, players) for part in parts]
        if all(re.fullmatch(SEAT, seat) for seat in seats):
            return ",".join(seats)
    return text


def _spelled_poignees(text: str, players: Mapping[int, str]) -> str:
    """Return poignées as ``p1:10 p3:13``, with names of players as seats; the text itself if it has another form."""
    shown = re.findall(r"\s*([^:]+?)\s*:\s*([0-9]{1,2})(?:[\s,;]+|$)", text)
    spelled = " ".join(f"{_spelled_seat(seat, players)}:{count}" for seat, count in shown)
    return spelled if re.fullmatch(r"(?:[^:]+:[^:]+)+", text) and len(shown) == text.count(":") else text


def _spelled_bid(text: str, players: Mapping[int, str]) -> str:
    """Return a bid in its usual spelling, with its stake: ``petite=5 -> Prise=5``; an unknown name stays."""
    name, sign, stake = text.partition("=")
    return _BID_NAMES.get(loosely(name), name.strip()) + sign + stake.strip()


def _spelled_word(words: Iterable[str], also: dict[str, str]) -> _Spelling:
    """Return a function (text, players) that spells one of these words as it is stored, and any other text as it is.

    ``also`` has other names for the words, in the form that ``loosely`` gives, with the word for each.
    """
    known = {loosely(word): word for word in words} | also
    return lambda text, players: known.get(loosely(text), text)


_COMMON_BIDS = {
    "Prise": ("petite", "take", "small", "smalltake"),
    "Garde": ("guard",),
    "GardeSans": ("sans", "gardesanslechien", "gardesanschien", "guardwithout", "guardwithoutthekitty"),
    "GardeContre": ("contre", "gardecontrelechien", "gardecontrechien", "guardagainst", "guardagainstthekitty"),
}
"""What players call the bids, French and English, as ``loosely`` writes it."""

_BID_NAMES = {loosely(bid): bid for bid in BIDS} | {word: bid for bid, words in _COMMON_BIDS.items() for word in words}
_ALL_PASSED_WORDS = frozenset(map(loosely, ("all passed", "all pass", "passed", "pass", "passe", "nobody", "personne")))
_BID_LABELS = {"GardeSans": "Garde sans", "GardeContre": "Garde contre"}
_SPELLED: dict[str, _Spelling] = {
    "Taker": _spelled_taker,
    "Partner": _spelled_seat,
    "Bid": _spelled_bid,
    "Poignee": _spelled_poignees,
    "Petit": _spelled_word(LAST_WON, {"defense": "defence", "preneur": "taker"}),
    "Chelem": _spelled_word(CHELEMS, {"defense": "defence"}),
    "Most": _spelled_seats,
}
"""By tag, what spells its value; the others are kept as they are written."""


def ask(tags: Mapping[str, str], state: State) -> TagAsked | None:
    """Return the next question about a deal that was only scored, None if nothing is missing.

    Args:
        tags: The answers so far, with empty ones, and the names of the players.
        state: The first state of the record.

    Raises:
        NotationError: A value cannot be; the error names its tag.
    """
    players, tags = tags, spell(tags, state)
    options, taken = state.options, tags.get("Taker") != ALL_PASSED
    for name, tag in TAGS.items():
        question = tag.asks(options)
        if name not in tags and question and taken:
            return TagAsked(name, _with_players(question, players, options.seats), tag.needed)
        if tags.get(name) or (name in tags and tag.needed):
            _read(name, tags[name], options)
    _deal({name: text for name, text in tags.items() if text}, options)
    return None


def _with_players(question: str, tags: Mapping[str, str], seats: int) -> str:
    """Return a question with ``{players}`` replaced by all players, and ``{player}`` by the first.

    Names are taken from the tags ``Seat1`` and so on; a player without one is called ``p2``.
    """
    names = [tags.get(f"Seat{seat}", "") for seat in range(1, seats + 1)]
    players = [name if name not in ("", "?") else f"p{seat}" for seat, name in enumerate(names, 1)]
    listed = f"{', '.join(players[:-1])} or {players[-1]}"
    return question.replace("{players}", listed).replace("{player}", players[0])


def _deal(tags: Mapping[str, str], options: Options) -> ScoredDeal:
    """Return the deal that the tags, without empty ones, describe.

    Raises:
        NotationError: If tags are missing, cannot be read or contradict each other, or if the deal is impossible; its
            key
        is ``tarot.settlement``.
    """
    scored = _described_deal(tags, options)
    if scored.deal is None:
        return scored
    of, because = impossible(options.variant, scored.deal, scored.most, restricted=options.ecart)
    if of:
        statement = f"says {cut(tags[of])}" if of in tags else "is missing"
        raise _fault(of, f"the {of} tag {statement}, but {because}")
    return scored


def _described_deal(tags: Mapping[str, str], options: Options) -> ScoredDeal:
    """Return the deal that the tags describe, possible or not; the deal of ``ScoredDeal`` is None if all passed.

    Raises:
        NotationError: If tags are missing, cannot be read, or contradict each other; its key is ``tarot.settlement``.
    """
    values = {name: _read(name, tags[name], options) for name in TAGS if name in tags}
    for name, tag in TAGS.items():
        if tag.needed and name not in values and values.get("Taker") != 0:
            raise _fault(name, f"a deal that was only scored is judged from its tags, but {name} is missing")
    taker = values["Taker"]
    if not taker:
        for name in values.keys() - {"Taker"}:
            raise _fault(name, f"all passed, but the {name} tag describes a deal that was played")
        return ScoredDeal(None)
    partner, (bid, stake), stakes = values.get("Partner", 0), values["Bid"], values.get("Stakes")
    if partner == taker:
        raise _fault(
            "Partner", f"the Partner tag says p{taker}, who is the taker; leave the tag out if the taker played alone"
        )
    if stakes is not None and stakes[taker - 1] != stake:
        raise _fault("Stakes", f"the Stakes tag says {stakes[taker - 1]} for p{taker}, but the Bid tag says {stake}")
    announced, swept = values.get("Chelem", (False, 0))
    petit, poignees, most = values.get("Petit", 0), values.get("Poignee", ()), values.get("Most")
    bouts, points = values["Bouts"], values["Points"]
    deal = PlayedDeal(options.seats, taker, partner, bid, bouts, points, petit, poignees, announced, swept)
    return ScoredDeal(deal, stake, stakes, most)


# --- a deal as one word ---


def round_fields(state: State) -> tuple[RoundField, ...]:
    """Return what is entered about a deal of which only the score is kept, field by field.

    Empty once cards of the deal have been written, or the draw for the deal, or bids.
    """
    options, start = state.options, state.round
    if state.phase != "deal" or start.last >= 0 or start.shows:
        return ()
    seats = tuple((f"p{seat}", f"p{seat}") for seat in range(1, options.seats + 1))
    bids = tuple((bid, _BID_LABELS.get(bid, bid)) for bid in BIDS[1:])
    yes = RoundField("Taker", "Taker", "seat", (*seats, (ALL_PASSED, "All passed")), needed=True, final=ALL_PASSED)
    bid = RoundField("Bid", "Bid", "choice", bids, needed=True)
    bouts = RoundField(
        "Bouts", "Bouts", "choice", tuple((str(number), str(number)) for number in range(4)), needed=True
    )
    if options.variant == "dementlieu":
        points = RoundField("Points", "Taker's points", "number", most=90, needed=True, halves=True)
        return (
            yes,
            bid,
            bouts,
            points,
            RoundField("Stakes", "Stakes", "numbers"),
            RoundField("Most", "Most points", "seats", seats),
        )
    # Four players win and put away cards in even numbers, so that they have whole points.
    points = RoundField("Points", "Taker's points", "number", most=91, needed=True, halves=options.seats != 4)
    sizes = zip(POIGNEES[options.seats], ("single", "double", "triple"), strict=True)
    sides = (("taker", "Taker"), ("defence", "Defence"))
    chelems = (("announced", "Announced, missed"), ("made", "Made"), ("announced-made", "Announced and made"))
    return (
        yes,
        *((RoundField("Partner", "Partner", "seat", seats),) if options.seats == 5 else ()),
        bid,
        bouts,
        points,
        RoundField("Petit", "Petit in the last trick", "choice", sides),
        RoundField("Poignee", "Poignée", "pairs", tuple((str(size), f"{size} ({name})") for size, name in sizes)),
        RoundField("Chelem", "Chelem", "choice", (*chelems, ("defence", "By the defence"))),
    )


def round_word(answers: Mapping[str, str], state: State) -> str:
    """Return the word of a deal from answers to ``round_fields``, with its prefix: ``p0/Taker=p2&Bid=Garde&…``.

    A seat may be the name of a player. Empty answers count as none.

    Raises:
        NotationError: If an answer cannot be, or a needed one is missing; its tag is the name of the field.
    """
    tags = {name: value.strip() for name, value in answers.items() if value.strip()}
    tags = spell(tags, state)
    if tags.get("Taker") == ALL_PASSED:
        tags = {"Taker": ALL_PASSED}
    if tags.get("Partner") == ALONE:
        del tags["Partner"]
    for name, tag in TAGS.items():
        if tag.needed and name not in tags and tags.get("Taker") != ALL_PASSED:
            question = _with_players(tag.asks(state.options), answers, state.options.seats)
            raise _fault(name, f"found nothing for {name}, expected an answer to: {question.rstrip('?')}")
    _described_deal(tags, state.options)
    return "p0/" + write_scored_deal(ScoredDeal(None, text=tuple((name, tags[name]) for name in TAGS if name in tags)))


def round_answers(move: object) -> dict[str, str]:
    """Return the answers that a deal was described by, by the names of the fields; empty for any other move."""
    return dict(move.text) if isinstance(move, ScoredDeal) else {}


def read_scored_deal(signs: str, options: Options) -> ScoredDeal:
    """Return the deal that a word of the table describes: ``Taker=p2&Bid=Garde&Bouts=3&Points=54``.

    The names are those of the tags; blanks in a value are written as ``+``. Whether the deal is possible is not judged.

    Raises:
        NotationError: If a name or a value cannot be read, a name stands twice, or a needed one is missing.
    """
    pairs: dict[str, str] = {}
    for part in signs.split("&"):
        name, sign, value = part.partition("=")
        at = signs.index(part)
        if name not in TAGS or not sign:
            raise Misread(signs, at, f"a name and a value, joined by =; the names are {', '.join(TAGS)}")
        if name in pairs:
            raise NotationError(f"found {name} twice, expected it once", at + 1)
        pairs[name] = value.replace("+", " ")
    spelled = {name: _SPELLED[name](value, {}) if name in _SPELLED else value for name, value in pairs.items()}
    try:
        deal = _described_deal(spelled, options)
    except NotationError as fault:
        raise NotationError(re.sub(r"the tag (\w+)|the (\w+) tag", r"\1\2", fault.because)) from None
    return replace(deal, text=tuple((name, spelled[name]) for name in TAGS if name in spelled))


def write_scored_deal(deal: ScoredDeal) -> str:
    """Return a deal as the word that ``read_scored_deal`` reads, without a prefix: ``Taker=p2&Bid=Garde&Points=54``.

    Blanks in a value become ``+``.
    """
    return "&".join(f"{name}={value.replace(' ', '+')}" for name, value in deal.text)


def from_tags(tags: Mapping[str, str], state: State) -> TagScore[State] | None:
    """Return the score that the tags of a scored deal give; None if there are no such tags.

    If they are at fault, the score says so and the deal counts as not scored.

    Args:
        tags: The tags of the record.
        state: The first state of the record.
    """
    if "Taker" not in tags and "Bouts" not in tags:
        return None
    try:
        deal = _deal(spell(tags, state), state.options)
    except NotationError as fault:
        past = replace(state.round.past, unscored_deals=1, unshared=True)
        unscored = replace(state, round=replace(state.round, past=past))
        return TagScore(state=unscored, faults=((fault.tag, fault.key, fault.because),))
    return TagScore(state=with_scored_deal(state, deal), how=score_text(state.options.variant, deal))
