"""Topics: the name of each kind of event in a log, its body as JSON, and how bodies of older schemas are read."""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from cartulary.notation.cgn.controls import visible, visible_lines
from cartulary.records.faults import decode_fault
from cartulary.records.log.aside_events import (
    ByeSet,
    EntrantsNumbered,
    EveningLinkMade,
    EveningOpened,
    GameDescribed,
    HouseRuleAdded,
    HouseRuleWithdrawn,
    LinkMade,
    LinkRevoked,
    LinkTaken,
    PartNoted,
    PeopleMerged,
    PersonCame,
    PersonLeft,
    PersonSplit,
    TableSet,
    TournamentStated,
)
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
    TagsChanged,
    WordDeclined,
)

Body: TypeAlias = dict[str, Any]

# --- upcasting ---


def _played_1_to_2(body: Body) -> Body:
    """Return the body of a played move of schema 1 in schema 2.

    Schema 1 had no clocks, and of findings only the keys; so the clock is empty, and each key becomes an error without
    a reason.
    """
    findings = [{"severity": "error", "key": key, "because": ""} for key in body["findings"]]
    return {**body, "clock": "", "findings": findings}


def _without_optional_fields(body: Body) -> Body:
    """Return a body of a schema that only lacked optional fields, with an empty salt if it has none.

    The other fields (the points that a ruling moves, the sheets that are cited) get their defaults when the body is
    decoded. Without a salt a body can be guessed from its digest.
    """
    return {"salt": "", **body}


# --- topics ---

TOPICS: dict[type[Event], str] = {
    GameOpened: "game-opened/2",
    TagsChanged: "tags-changed/2",
    GameImported: "game-imported/2",
    MovePlayed: "move-played/4",
    MovesAmended: "moves-amended/2",
    MoveTakenBack: "move-taken-back/2",
    MovesRedone: "moves-redone/1",
    NoteReplaced: "annotated/2",
    ClockCorrected: "clock-corrected/1",
    BoardStated: "board-stated/1",
    PlayerSeated: "player-seated/1",
    SetupCorrected: "setup-corrected/1",
    MadeQuiet: "made-quiet/1",
    RecordRevealed: "revealed/1",
    GameClosed: "game-closed/2",
    GameReopened: "game-reopened/2",
    GameSetAside: "game-set-aside/1",
    RecordAgreed: "record-agreed/1",
    SheetKept: "sheet-kept/1",
    SourceKept: "source-kept/1",
    DisputeRaised: "dispute-raised/3",
    DisputeWithdrawn: "dispute-withdrawn/2",
    RulingGiven: "ruling-given/3",
    WordDeclined: "word-declined/1",
    LinkMade: "link-made/1",
    LinkTaken: "link-taken/1",
    LinkRevoked: "link-revoked/1",
    PartNoted: "part-noted/1",
    GameDescribed: "game-described/1",
    HouseRuleAdded: "house-rule-added/1",
    HouseRuleWithdrawn: "house-rule-withdrawn/1",
    PeopleMerged: "people-merged/1",
    PersonSplit: "person-split/1",
    EveningOpened: "evening-opened/1",
    EveningLinkMade: "evening-link-made/1",
    TableSet: "table-set/1",
    PersonCame: "person-came/1",
    PersonLeft: "person-left/1",
    ByeSet: "bye-set/1",
    EntrantsNumbered: "entrants-numbered/1",
    TournamentStated: "tournament-stated/1",
}

_FIRST_WITHOUT_SALT = (
    *("game-opened", "tags-changed", "game-imported", "moves-amended", "move-taken-back", "annotated", "game-closed"),
    *("game-reopened", "dispute-withdrawn"),
)

UPCASTS: dict[str, tuple[str, Callable[[Body], Body]]] = {
    "move-played/1": ("move-played/2", _played_1_to_2),
    "move-played/2": ("move-played/4", _without_optional_fields),
    "move-played/3": ("move-played/4", _without_optional_fields),
    "dispute-raised/1": ("dispute-raised/3", _without_optional_fields),
    "dispute-raised/2": ("dispute-raised/3", _without_optional_fields),
    "ruling-given/1": ("ruling-given/3", _without_optional_fields),
    "ruling-given/2": ("ruling-given/3", _without_optional_fields),
    **{f"{kind}/1": (f"{kind}/2", _without_optional_fields) for kind in _FIRST_WITHOUT_SALT},
}

_encode = msgspec.json.Encoder().encode
_types = {topic: type_ for type_, topic in TOPICS.items()}
_decoders: dict[str, Callable[[bytes], Any]] = {
    topic: msgspec.json.Decoder(type_).decode for type_, topic in TOPICS.items()
}
# Old schemas that only lack optional fields need no upcast; defaults fill them. So the bytes are decoded at once, as
# those of today's schema are, instead of into a dict first.
_decoders |= {topic: _decoders[now] for topic, (now, change) in UPCASTS.items() if change is _without_optional_fields}


def encode(event: Event) -> tuple[str, bytes]:
    """Return the topic of an event, such as ``move-played/4``, and its body as JSON, without a digest."""
    return TOPICS[type(event)], _encode(event)


def decode(topic: str, body: bytes) -> Event:
    """Return the event that a body says; a body of an older schema is brought up to date first.

    Reading is more lenient than the schema: unknown fields are ignored, and control characters, which older versions
    stored, are made visible.

    Args:
        topic: The kind of the event and the number of its schema, such as ``move-played/4``.
        body: Its JSON, sealed or not.

    Raises:
        ValueError: The topic is unknown, or the bytes are not such a body. The text is a sentence without a full stop.
    """
    decoder = _decoders.get(topic)
    try:
        if decoder is not None:
            event: Event = decoder(body)
            return event if _printable(body) else _event_with_visible_controls(event)
        if topic in UPCASTS:
            return _event_with_visible_controls(_upcast(topic, body))
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as fault:
        raise ValueError(f"The event is not a readable {topic}: {decode_fault(fault)}") from None
    raise ValueError(f"The event is a {topic!r}, which this version does not know")


def _upcast(topic: str, body: bytes) -> Event:
    """Return the event of a body of an older schema, brought up to date one schema at a time (``UPCASTS``).

    Raises:
        msgspec.MsgspecError, KeyError or TypeError: The body is not of that schema.
    """
    values = msgspec.json.decode(body, type=dict[str, Any])
    while topic in UPCASTS:
        topic, change = UPCASTS[topic]
        values = change(values)
    event: Event = msgspec.convert(values, _types[topic])
    return event


_LINES: dict[type[Event], str] = {GameImported: "cgn", NoteReplaced: "text", SheetKept: "cgn", SourceKept: "text"}
"""The fields whose texts are CGN and have several lines."""


def _printable(body: bytes) -> bool:
    """Say whether it is certain, without decoding, that no text of a body holds a control character.

    False means that one may be there. JSON escapes them with a backslash, all but DEL and those beyond ASCII.
    """
    return body.isascii() and b"\\" not in body and b"\x7f" not in body


def _event_with_visible_controls(event: Event) -> Event:
    """Return an event with the control characters of its texts made visible, that is, replaced by printable ones.

    The texts that are CGN keep their line breaks (``_LINES``).
    """
    lines = _LINES.get(type(event), "")
    shown = {
        name: visible_lines(text) if name == lines else _with_visible_controls(text)
        for name, text in asdict(event).items()
    }
    return replace(event, **shown)


def _with_visible_controls(value: Any) -> Any:
    """Return a value of an event with the control characters of every text in it made visible.

    Tuples and Structs are gone through; numbers and the like are returned as they are.
    """
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, tuple):
        return tuple(map(_with_visible_controls, value))
    if isinstance(value, Struct):
        return replace(value, **{name: _with_visible_controls(each) for name, each in asdict(value).items()})
    return value
