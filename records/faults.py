"""What can go wrong with a record, each with a name and a sentence for the person who asked.

Fault
├── Declined            the desk does not do this: the game is closed, there is no such ply …
│   └── Unfit           nobody could: no such game, variant, id, tag, result, glyph
│       └── Uninstalled the record's game, edition or variant is not installed here
├── Unread              the text is no move in this position (where, and what was expected)
└── StoreFault          the database, or what it holds
    ├── UnknownGame     no game with this id
    ├── Conflict        someone wrote first
    ├── Locked          another process is writing and did not finish in time
    ├── ReadOnly        the database may only be read
    ├── Foreign         not a database of ours
    ├── DiskFull        no room for the event; nothing was written
    ├── Unreachable     the file cannot be opened at all
    └── Damaged         what is stored is not what was written
"""

import re


def shown(id: str) -> str:
    """Return an id as a message may show it: one with odd characters in quotes, those escaped."""
    return id if id.isprintable() else ascii(id)


_PLACE = re.compile(r" - at `\$\.?(.*)`$")
_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_SAYS = (
    (re.compile(r"Object missing required field `(.*)`"), "`{place}{0}` is missing"),
    (re.compile(r"Object contains unknown field `(.*)`"), "there is an unknown field `{place}{0}`"),
    (re.compile(r"Expected `(.*)`, got `(.*)`"), "{name} must be {0}, and is {1}"),
    (re.compile(r"Expected `array` of (?:at (?:least|most) )?length (.*)"), "{name} must be a list of length {0}"),
    (re.compile(r"Expected `(.*)` <= (.*)"), "{name} must be {0}, at most {1}"),
    (re.compile(r"Expected `(.*)` >= (.*)"), "{name} must be {0}, at least {1}"),
    (re.compile(r"Invalid (?:enum )?value (.*)"), "{name} cannot be {0}"),
    (re.compile(r"Input data was truncated()"), "it ends in the middle"),
    (re.compile(r"JSON is malformed: (.*)"), "it is not JSON: {0}"),
)
"""What the decoder says of JSON, and what is said to a person. name, place: of the value it is about."""


def decode_fault(fault: Exception) -> str:
    """Return what is wrong with JSON that cannot be decoded, for the person who sent it, without a full stop."""
    place = _PLACE.search(str(fault))
    text, at = (str(fault)[: place.start()], place[1]) if place else (str(fault), "")
    name = f"`{at}`" if at else "it"
    for pattern, says in _SAYS:
        if found := pattern.fullmatch(text):
            kinds = (" or ".join(_KINDS.get(kind, kind) for kind in part.split(" | ")) for part in found.groups())
            return says.format(*kinds, name=name, place=f"{at}." if at else "")
    return text


class Fault(Exception):
    """Anything a record can answer instead of doing what was asked; ``str()`` is the sentence."""


class Declined(Fault):
    """The desk does not do what was asked; nothing was stored."""


class NoResult(Declined):
    """A game is to be closed whose result nobody gave and nothing decides.

    result, termination: what it may be closed with, for example; the termination is empty where none is needed
    """

    def __init__(self, id: str, result: str, termination: str = "") -> None:
        how = f" with the termination {termination}" if termination else ""
        super().__init__(
            f"{id} is not decided by its moves; give its result{how}, or * with a termination such as abandoned."
        )
        self.id, self.result, self.termination = id, result, termination


class Unfit(Declined):
    """What was asked can never be done, whatever the game: no such game, variant, id, tag, result, glyph."""


class WrongAnswer(Unfit):
    """The value given for a tag is impossible."""

    def __init__(self, because: str, tag: str) -> None:
        super().__init__(f"{because[:1].upper()}{because[1:]}.")
        self.tag = tag


class Uninstalled(Unfit):
    """The record's game, edition or variant is not installed here: it is kept, and cannot be judged."""

    def __init__(self, id: str, what: str, unloaded: str = "") -> None:
        """Say so of a game; unloaded: why rules that are installed cannot be loaded, without the full stop."""
        self.id = id
        missing = f"{id} is a game of {what}, which is not installed here."
        super().__init__(f"{id} cannot be judged here. {unloaded}." if unloaded else missing)


class Unread(Fault):
    """The text is no move here.

    column: 1-based in ``text``; 0 where the text as a whole is meant; key: of the rule of reading it breaks
    """

    def __init__(
        self, because: str, text: str = "", column: int = 0, expected: str = "", *, key: str = "cgn.syntax"
    ) -> None:
        self.because, self.text, self.column, self.expected, self.key = because, text, column, expected, key
        super().__init__(because)


class StoreFault(Fault):
    """The database, or what it holds."""


class UnknownGame(StoreFault):
    """There is no game with this id. ``suggestion`` is a question that names similar ids, if there are any."""

    suggestion = ""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(f"There is no game {shown(id)} in this database.")


class Conflict(StoreFault):
    """Someone wrote first. expected, actual: versions, that is numbers of events; opening: a game was to be opened."""

    def __init__(self, id: str, expected: int, actual: int, *, opening: bool = False) -> None:
        self.id, self.expected, self.actual = id, expected, actual
        super().__init__(
            f"There is already a game {id}. Nothing was stored; choose another id."
            if opening
            else f"Someone else wrote to {id} first: expected version {expected}, but the game is at version {actual}. "
            "Nothing was stored; look at the game and try again."
        )


class Locked(StoreFault):
    """Another process is writing and did not finish in time; nothing was stored."""


class ReadOnly(StoreFault):
    """The database may only be read; nothing was stored."""


class Foreign(StoreFault):
    """The file is not an SQLite database, or was made by other software; it was left alone."""


class DiskFull(StoreFault):
    """There is no room for what was to be written; nothing was stored."""


class Unreachable(StoreFault):
    """The file cannot be opened or read at all."""


class Damaged(StoreFault):
    """What is stored is not what was written. id: empty where the file as a whole is meant; version: 0 likewise."""

    def __init__(self, because: str, id: str = "", version: int = 0) -> None:
        self.id, self.version, self.because = id, version, because
        super().__init__(because)
