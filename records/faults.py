"""What can go wrong with a record, each with a name and a sentence for the person who asked.

Fault
├── Declined            the request is declined: the game is closed, there is no such ply …
│   └── Unfit           nobody could: no such game, variant, id, tag, result, glyph
│       └── UninstalledGame  the record's game, edition or variant is not installed here
├── Unread              the text is no move in this position (where, and what was expected)
└── StoreFault          the database, or what it holds
    ├── UnknownGame     no game with this id
    ├── Conflict        someone wrote first
    ├── LockedDatabase  another process is writing and did not finish in time
    ├── ReadOnly        the database may only be read
    ├── Foreign         not a database of ours
    ├── DiskFull        no room for the event; nothing was written
    ├── Unreachable     the file cannot be opened at all
    └── Damaged         what is stored is not what was written
"""

import re


def printable_id(id: str) -> str:
    """Return an id for a message: as it is, or quoted and escaped if it has unprintable characters."""
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
"""Messages of the decoder, and what a person is shown instead, with the name and the place of the value."""


def decode_fault(fault: Exception) -> str:
    """Return why JSON or TOML cannot be decoded, in words for the person who sent it, without a full stop.

    ``fault`` is what msgspec raised, or a UnicodeDecodeError. A fault that is not known keeps its own words, but not
    the place in the data, which msgspec puts after them.
    """
    place = _PLACE.search(str(fault))
    text, at = (str(fault)[: place.start()], place[1]) if place else (str(fault), "")
    name = f"`{at}`" if at else "it"
    for pattern, says in _SAYS:
        if match := pattern.fullmatch(text):
            kinds = (" or ".join(_KINDS.get(kind, kind) for kind in part.split(" | ")) for part in match.groups())
            return says.format(*kinds, name=name, place=f"{at}." if at else "")
    return text


class Fault(Exception):
    """Why something was not done; ``str()`` is a sentence for the person who asked."""


class Declined(Fault):
    """What was asked is not done, and nothing was stored."""


class NoResult(Declined):
    """A game cannot be closed, because its moves do not decide it and nobody gave a result.

    Attributes:
        id: The id of the game.
        result: A result with which it may be closed, as an example.
        termination: The termination that is needed with it, empty for none.
    """

    def __init__(self, id: str, result: str, termination: str = "") -> None:
        how = f" with the termination {termination}" if termination else ""
        super().__init__(
            f"{id} is not decided by its moves; give its result{how}, or * with a termination such as abandoned."
        )
        self.id, self.result, self.termination = id, result, termination


class Unfit(Declined):
    """What was asked can never be done, whatever the game: no such game, variant, id, tag, result, glyph."""


class NoFinishedGame(Unfit):
    """No finished game matches what was asked."""


class WrongAnswer(Unfit):
    """The value given for a tag is impossible."""

    def __init__(self, because: str, tag: str) -> None:
        super().__init__(f"{because[:1].upper()}{because[1:]}.")
        self.tag = tag


class UninstalledGame(Unfit):
    """The game, edition or variant of a record is not installed here, so that it cannot be judged."""

    def __init__(self, id: str, what: str, load_fault: str = "") -> None:
        """Make the fault of a record.

        Args:
            id: The id of the record.
            what: The name of its game.
            load_fault: Why the installed rules cannot be loaded, without a full stop; empty if none are installed.
        """
        self.id = id
        missing = f"{id} is a game of {what}, which is not installed here."
        super().__init__(f"{id} cannot be judged here. {load_fault}." if load_fault else missing)


class Unread(Fault):
    """A text cannot be read as a move in this position.

    Attributes:
        because: Why not.
        text: The text.
        column: The column in the text, from 1; 0 for the text as a whole.
        expected: What was expected there.
        key: The key of the rule about writing that it breaks.
    """

    def __init__(
        self, because: str, text: str = "", column: int = 0, expected: str = "", *, key: str = "cgn.syntax"
    ) -> None:
        self.because, self.text, self.column, self.expected, self.key = because, text, column, expected, key
        super().__init__(because)


class StoreFault(Fault):
    """Something is wrong with the database or with what it holds."""


class UnknownGame(StoreFault):
    """There is no game with this id. ``suggestion`` is a question that names similar ids, if there are any."""

    suggestion = ""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(f"There is no game {printable_id(id)} in this database.")


class Conflict(StoreFault):
    """Somebody else wrote first.

    Attributes:
        id: The id of the game.
        expected: The version that the writer had seen.
        actual: The version of the game now.
    """

    def __init__(self, id: str, expected: int, actual: int, *, opening: bool = False) -> None:
        self.id, self.expected, self.actual = id, expected, actual
        super().__init__(
            f"There is already a game {id}. Nothing was stored; choose another id."
            if opening
            else f"Someone else wrote to {id} first: expected version {expected}, but the game is at version {actual}. "
            "Nothing was stored; look at the game and try again."
        )


class LockedDatabase(StoreFault):
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
    """What is stored is not what was written.

    Attributes:
        because: What is wrong, as a sentence.
        id: The id of the game, empty for the file as a whole.
        version: The version of the first event at fault, 0 for the file as a whole.
    """

    def __init__(self, because: str, id: str = "", version: int = 0) -> None:
        self.id, self.version, self.because = id, version, because
        super().__init__(because)
