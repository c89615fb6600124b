"""Tarot's words: the deal, bids, chien, discards, announcements and cards; the Dealer tag; the table drawn.

Cards of one word are written suit by suit, C D H S, each from 1 to K, then T00 to T21, and unknown ones at the end;
packets and shown cards are left as they came.
Laxer than the standard: commas between cards may be left out, cards of a word may stand in any order, ``p0/Maldonne``
is read, and so is a prefix of the seat to act.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec.structs import replace

from cartulary.engine import Sheet
from cartulary.engine.cards.deck import CARDS
from cartulary.engine.numbers import is_numbered, seat_number
from cartulary.engine.tarot import (
    BIDS,
    HIDDEN,
    NAMES,
    OPTIONS,
    PLACE,
    RULES,
    SEATS,
    TURNS,
    UNKNOWN,
    VARIANTS,
    Bid,
    CallKing,
    Chelem,
    Deal,
    Discard,
    Maldonne,
    Move,
    PetitSec,
    Play,
    Poignee,
    Reveal,
    ScoredDeal,
    Show,
    State,
    Unseen,
)
from cartulary.engine.tarot.score import in_points
from cartulary.engine.tarot.settlement import (
    SETTLEMENT,
    piles,
    score_of_deal,
    shares_by_score,
    with_last_card,
    won_so_far,
)
from cartulary.engine.tarot.state import NOTHING_LED, Options
from cartulary.notation.card_spellings import CardSpelling
from cartulary.notation.cgn.record import NotationError
from cartulary.notation.cgn.result import format_result, points_in
from cartulary.notation.cgn.signs import Misread, cut, read_cards
from cartulary.notation.contract import (
    About,
    Game,
    Points,
    Rounds,
    SheetTags,
    Words,
)
from cartulary.notation.guide import guide_beside
from cartulary.notation.score import score
from cartulary.notation.tarot.picture import drawing, end_drawing, picture
from cartulary.notation.tarot.scored import (
    TAGS,
    ask,
    from_tags,
    read_scored_deal,
    round_answers,
    round_fields,
    round_word,
    spell,
    write_scored_deal,
)
from cartulary.notation.tarot.tapping import TOUCH

_CARD = re.compile(r"[1-9XJNQK][CDHS]|T[01][0-9]|T2[01]|~")
_WRITTEN = (*NAMES, "~")
"""By number, UNKNOWN at the end."""

_NAMED = {name: card for card, name in enumerate(NAMES)}
_NUMBER = _NAMED | {"~": UNKNOWN}
_PLAYS: tuple[dict[str, Play], ...] = ({}, *({NAMES[card]: Play(seat, card) for card in CARDS} for seat in range(1, 6)))
_DEALT_TO = {"c": 0} | {f"p{seat}": seat for seat in range(1, 6)}
_CALLS: dict[str, Callable[[int], Move]] = {"PetitSec": PetitSec, "Chelem": Chelem}
_A_CARD = "a card such as 7C, KH or T05"
_SPELLING = CardSpelling(
    "123456789XJNQK", "CDHS", last_trump=21, also={"A": "1", "V": "J", "C": "N", "D": "Q", "R": "K"}
)
_SPOKEN = {"excuse": "T00", "fool": "T00", "petit": "T01", "passe": "Pass", "petite": "Prise"}
"""What players say for a word, in small letters."""
_A_TRUMP = "a trump by its name, such as T05"


# --- words in ---


def read(signs: str, seat: int, state: State) -> Move:
    """Return the move a word means, given without its prefix; ``seat`` is 0 for the table.

    Raises:
        NotationError: If the word has no meaning, with the column of the first character that fits nothing.
    """
    played = _PLAYS[seat].get(signs)
    if played is not None:
        return played
    if signs == "~" and seat and state.phase == "play":
        return Unseen(seat)
    if signs == "Maldonne":
        return Maldonne(0)
    return _spoken(signs, seat, state) if seat else _table(signs, state.options)


def _table(signs: str, options: Options) -> Move:
    """Return what the table does: cards dealt (``p2*7C,8C``), the chien shown (``^7C``), a deal as its score.

    ``c*7C`` deals to the chien, which is the seat 0 of a ``Deal``. A score begins with ``Taker=``.

    Raises:
        NotationError: If the word is none of these, or deals to a seat that the game does not have.
    """
    if signs.startswith("^"):
        return Reveal(0, _cards(signs, 1, "the cards of the chien"))
    if signs.startswith("Taker="):
        return read_scored_deal(signs, options)
    head, dealt, _ = signs.partition("*")
    to = _DEALT_TO.get(head, 9) if dealt else 9
    seats = options.seats
    if to > seats:
        known = dealt and is_numbered(head)
        deals = "a deal such as p2*7C,8C,9C or c*T05, the chien shown, as in ^7C, or Maldonne"
        raise Misread(signs, 0, f"a seat p1 to p{seats} or c, the chien" if known else deals)
    cards = _cards(signs, len(head) + 1, "the cards dealt")
    return Deal(0, to, _ordered(cards) if _is_hand(to, cards) else cards)


def _is_hand(to: int, cards: tuple[int, ...]) -> bool:
    """Say whether a deal gives a whole hand or chien, whose cards are put in order, and not one packet.

    It does from five cards on for a seat, and from two on for the chien, for which ``to`` is 0.
    """
    return len(cards) > (4 if to else 1)


def _spoken(signs: str, seat: int, state: State) -> Move:
    """Return what a seat says or does, other than playing a card: a bid, a call, an announcement, a discard.

    For example ``Garde=5``, ``Call=KH``, ``Poignee=T05,T06``, ``^7C`` and ``7C,8C-``. Whether the seat may do so is not
    judged here; the state only tells whether bids have stakes.

    Raises:
        NotationError: If the word is none of these, or gives a stake to a bid that has none.
    """
    name, sign, value = signs.partition("=")
    if name in BIDS:
        return Bid(seat, BIDS.index(name), _stake(signs, name, value, state) if sign else 0)
    if signs in _CALLS:
        return _CALLS[signs](seat)
    if signs.startswith("^"):
        return Show(seat, _card(signs, 1))
    if name == "Call" and sign:
        return CallKing(seat, _card(signs, 5))
    if name == "Poignee" and sign:
        return Poignee(seat, _ordered(read_cards(signs, 8, _NAMED, f"{_A_TRUMP}: a poignée is shown to all", _A_TRUMP)))
    if signs.endswith("-") and len(signs) > 1:
        return Discard(seat, _ordered(_cards(signs[:-1], 0, "the cards put away")))
    raise _guess(signs)


def _stake(signs: str, name: str, value: str, state: State) -> int:
    """Return the stake of a bid such as ``Garde=5``: a whole number from 1; UNKNOWN for ``~``.

    ``name`` and ``value`` are the parts of the word ``signs`` before and after ``=``.

    Raises:
        NotationError: If the bid has no stake, or the text is none.
    """
    at = len(name) + 1
    if name == "Pass" or state.options.variant == "fft":
        why = "Pass puts nothing at stake" if name == "Pass" else "bids have no stakes in fft"
        raise NotationError(f"found a stake in {cut(signs)}, expected none: {why}", at)
    if value == "~":
        return UNKNOWN
    if not re.fullmatch(r"[1-9][0-9]{0,8}", value):
        raise Misread(signs, at, "a stake, a whole number of tokens from 1 to 999999999")
    return int(value)


def _card(signs: str, at: int) -> int:
    """Return the number of the card whose name is the rest of a word from the index ``at``.

    Raises:
        NotationError: If it is none; ``~`` is none here.
    """
    card = _NUMBER.get(signs[at:], UNKNOWN)
    if card == UNKNOWN:
        raise Misread(signs, at, _A_CARD)
    return card


def _cards(signs: str, at: int, what: str) -> tuple[int, ...]:
    """Return the numbers of the cards from the index ``at`` of a word to its end, in the order written.

    ``~`` is UNKNOWN, and commas may be missing. ``what`` names the cards in the error.

    Raises:
        NotationError: If the text is not such a list.
    """
    return read_cards(signs, at, _NUMBER, f"{what}, each {_A_CARD}, or ~", _A_CARD)


def _ordered(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of cards in rising order, but unknown ones, which are negative, last."""
    known, unknown = sorted(cards), cards.count(UNKNOWN)
    return (*known[unknown:], *known[:unknown])


def _guess(signs: str) -> NotationError:
    """Return (not raise) the error for a word that is none, at the place where it stops being one."""
    match = _CARD.match(signs)
    if match is not None and match[0] == "~":
        return Misread(signs, 0, "a word: ~ is a word of its own only in a trick")
    if match is not None:
        return Misread(signs, match.end(), "the end of the word, or - after cards put away")
    expected = f"{_A_CARD}, a bid ({', '.join(BIDS)}), Call=, Poignee=, Chelem, PetitSec, Maldonne, or the table's p0/"
    return Misread(signs, 0, expected)


def spellings(typed: str) -> tuple[str, ...]:
    """Return the words that a text typed at a table may mean; empty if it may be none.

    Known are cards as ``t9``, ``10s``, ``♥R`` or ``excuse``, and what players say, such as ``passe``. They need not be
    legal.
    """
    spoken = _SPOKEN.get(typed.lower())
    return (spoken,) if spoken else _SPELLING.words(typed)


def common_name(signs: str) -> str:
    """Return how players call a card: ``♠10``, ``trump 9``, ``the fool``; empty for any other word."""
    return "the fool" if signs == "T00" else _SPELLING.common_name(signs)


# --- words out ---


def write(move: Move, state: State, after: State | None = None) -> str:
    """Return the canonical word of a move, without the prefix of its seat; the states do not matter.

    Examples are ``7C``, ``p2*7C,8C``, ``Garde=5``, ``^7C``, ``7C,8C-``, ``Poignee=T05`` and ``Call=KH``.
    """
    if type(move) is Play or type(move) is Unseen:
        return _WRITTEN[move.card]
    if isinstance(move, Deal):
        cards = _ordered(move.cards) if _is_hand(move.to, move.cards) else move.cards
        return f"{f'p{move.to}' if move.to else 'c'}*{_listed(cards)}"
    if isinstance(move, Bid):
        stake = "~" if move.stake == UNKNOWN else move.stake
        return f"{BIDS[move.bid]}={stake}" if stake else BIDS[move.bid]
    if isinstance(move, ScoredDeal):
        return write_scored_deal(move)
    if isinstance(move, Reveal):
        return f"^{_listed(move.cards)}"
    if isinstance(move, Discard):
        return f"{_listed(_ordered(move.cards))}-"
    if isinstance(move, Poignee):
        return f"Poignee={_listed(_ordered(move.cards))}"
    if isinstance(move, CallKing):
        return f"Call={NAMES[move.card]}"
    if isinstance(move, Show):
        return f"^{NAMES[move.card]}"
    return type(move).__name__


def prefixed(move: Move, state: State) -> bool:
    """Say whether a word has the prefix of its seat: if it is not the seat to act, or shows a card or a petit sec.

    ``Maldonne`` never has one.
    """
    if type(move) is Play:
        return move.seat != state.turn
    return not isinstance(move, Maldonne) and (move.seat != state.turn or isinstance(move, (Show, PetitSec)))


def _listed(cards: tuple[int, ...]) -> str:
    """Return the numbers of cards as a word lists them: ``7C,KD,~``; in the order given."""
    return ",".join(map(_WRITTEN.__getitem__, cards))


def suit_led(state: State) -> str:
    """Return the suit led in the current trick: C, D, H, S, or T for trumps; empty before its first card."""
    return "" if state.led_suit == NOTHING_LED else "CDHST"[state.led_suit]


# --- the sheet ---


def read_sheet(tags: Mapping[str, str], variant: str, options: dict[str, str], seats: int) -> Sheet[int]:
    """Return the sheet from which the rules set up the game; the tag ``Dealer``, such as ``p3``, says who deals first.

    Without the tag the sheet names no dealer.

    Raises:
        NotationError: If the tag names no seat of the game; its key is ``record.tag``.
    """
    text = tags.get("Dealer")
    if text is None:
        return Sheet(variant, options, seats)
    dealer = seat_number(text) if is_numbered(text) else 0
    if not 1 <= dealer <= seats:
        raise NotationError(
            f"found the dealer {cut(text)!r}, expected a seat p1 to p{seats}", key="record.tag", tag="Dealer"
        )
    return Sheet(variant, options, seats, dealer)


def write_sheet(sheet: Sheet[int]) -> dict[str, str]:
    """Return the tag Dealer of a sheet as ``{"Dealer": "p3"}``; empty if it names nobody."""
    return {} if sheet.own is None else {"Dealer": f"p{sheet.own}"}


# --- points ---


def came_of(before: State, move: Move, after: State) -> str:
    """Return what came of a card: who took the trick and that seat's points so far, ``p1 takes the trick: 3½``.

    For the last card of a deal it is who took the trick, how the deal was scored, and the running score; if a card of
    the deal is not written down, only that the deal is over, and the running score. For a deal that is written as its
    score it is how that comes about, and the running score. Empty while a trick goes on, and for any other word.
    """
    if isinstance(move, ScoredDeal):
        return f"{score_of_deal(before, move, after)}; {_running_score(after)}"
    if not isinstance(move, Play) or after.trick_cards:
        return ""
    if len(after.tricks) > len(before.tricks):
        won = f"p{after.turn} takes the trick: {in_points(won_so_far(after)[after.turn - 1])}"
        return f"{won}, not counting what nobody wrote down" if after.unnamed_cards else won
    won = score_of_deal(before, move, after)
    if not before.unnamed_cards and move.card >= 0:
        won = f"p{piles(with_last_card(before, move)).winners[-1]} takes the trick; {won}"
    return f"{won}; {_running_score(after)}"


def _running_score(state: State) -> str:
    """Return the running score as a note says it: ``score 88:-44:-44``, in dementlieu with the pot: ``; pot 12``.

    It is ``score not known`` if a deal could not be scored.
    """
    tags = scores(state)
    pot = f"; pot {tags['Pot']}" if "Pot" in tags else ""
    return f"score {tags.get('Score', 'not known')}{pot}"


def scores(state: State) -> dict[str, str]:
    """Return the tags Score and, in dementlieu, Pot as the deals make them.

    A tag that a deal leaves open is left out, so the answer may be empty.
    """
    past = state.round.past
    shared = state.options.variant == "dementlieu" and not past.unshared
    pot = {"Pot": ":".join(map(str, state.pot))} if shared else {}
    return pot if past.unscored_deals else score(state.totals) | pot


def misstated_tags(
    tags: Mapping[str, str], result: str, state: State, ruled_score: str = ""
) -> tuple[tuple[str, str, str], ...]:
    """Return (tag, key, reason) for each of Score, Pot and the result that contradicts the deals; empty if none does.

    Args:
        tags: The tags of the record by name.
        result: The result as stated, ``*`` for none.
        state: The settled state after the last word.
        ruled_score: The score in force if rulings have changed it, such as ``88:-44:-44``; empty otherwise.
    """
    faults: list[tuple[str, str]] = []
    for name, right in (scores(state) | ({"Score": ruled_score} if ruled_score else {})).items():
        if name in tags and not _same_points(tags[name], right):
            comes_to = "with the rulings it is" if right == ruled_score else "the deals on record come to"
            faults.append((name, f"the {name} tag says {cut(tags[name])}, but {comes_to} {right}"))
    if "Pot" in tags and state.options.variant == "fft":
        faults.append(("Pot", "the Pot tag says what was won from a pot, but in fft there is no pot"))
    total = ruled_score or scores(state).get("Score", "")
    if not total:
        result = "*"
    right = (
        "*"
        if result == "*"
        else format_result(shares_by_score(points_in(ruled_score) if ruled_score else state.totals))
    )
    if result != "*" and not _same_result(result, right):
        faults.append(("Result", f"the result says {cut(result)}, but by the score {total} it is {right}"))
    return tuple((name, SETTLEMENT.key, because) for name, because in faults)


def shares(state: State, ruled_score: str = "") -> tuple[int, ...] | None:
    """Return each seat's share if the record were closed now; None if no deal has ended or the score is not known.

    ``ruled_score`` is the score in force if rulings have changed it, and otherwise empty.
    """
    if state.round.first or (state.round.past.unscored_deals and not ruled_score):
        return None
    return shares_by_score(points_in(ruled_score) if ruled_score else state.totals)


def points_gained(before: State, after: State) -> tuple[Fraction, ...] | None:
    """Return what each seat has won between two states, in seat order; None if a deal between could not be scored."""
    if after.round.past.unscored_deals > before.round.past.unscored_deals:
        return None
    return tuple(Fraction(now - earlier) for earlier, now in zip(before.totals, after.totals, strict=True))


def with_score(state: State, points: tuple[Fraction, ...]) -> State:
    """Return the state with these points, one for each seat, as its running score, as it is then drawn.

    The score then counts as known, even if deals could not be scored.
    """
    past = replace(state.round.past, unscored_deals=0)
    return replace(state, totals=points, round=replace(state.round, past=past))


def _same_points(stated: str, right: str) -> bool:
    """Say whether two scores are equal as numbers, so that ``2/2:0`` equals ``1:0``.

    A text that is no score equals none. ``right`` must be a score.
    """
    parts, due = stated.split(":"), [Fraction(value) for value in right.split(":")]
    if len(parts) != len(due) or not all(
        re.fullmatch(r"\s*[+-]?[0-9]{1,9}(/[1-9][0-9]{0,8})?\s*", part) for part in parts
    ):
        return False
    return [Fraction(part.strip()) for part in parts] == due


def _same_result(stated: str, right: str) -> bool:
    """Say whether two results are equal as numbers, so that ``1/2-1/2`` equals ``2/4-1/2``; both must be results."""
    return [Fraction(part) for part in stated.split("-")] == [Fraction(part) for part in right.split("-")]


# --- the game ---

GAME = Game(
    about=About(
        key="tarot",
        title="Tarot",
        edition="tarot-2026",
        seats=SEATS,
        says="a trick-taking game with 78 cards for three, four or five seats, in two variants, with hidden hands.",
        variants=VARIANTS,
        usual=False,
        options=OPTIONS,
        load_guide=guide_beside(__file__, NAMES),
        also=("French Tarot", "Tarot français", "Jeu de tarot", "Französisches Tarot"),
    ),
    rules=RULES,
    words=Words(
        read=read,
        write=write,
        picture=picture,
        drawing=drawing,
        end_drawing=end_drawing,
        came_of=came_of,
        needs_prefix=prefixed,
        suit_led=suit_led,
        spellings=spellings,
        common_name=common_name,
        touch=TOUCH,
    ),
    turns=TURNS,
    sheet=SheetTags(names=("Dealer",), read=read_sheet, write=write_sheet),
    points=Points(
        tags=("Score", "Pot"),
        write=scores,
        tag_faults=misstated_tags,
        shares=shares,
        told_by=tuple(TAGS),
        from_tags=from_tags,
        ask=ask,
        came_to=score_of_deal,
        gains=points_gained,
        with_score=with_score,
        spell=spell,
    ),
    hidden=HIDDEN,
    place=PLACE,
    rounds=Rounds(fields=round_fields, word=round_word, answers=round_answers, unit="deal"),
)
