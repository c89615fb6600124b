"""The tables of an exported database, and how they are described to its readers.

Each ply, finding, ruling and comment is a row. Every table except those that games share has the id of the game in its
column ``game``.
"""

from typing import Any

_GAME = {"game": str}

TABLES: dict[str, tuple[dict[str, type], tuple[str, ...], dict[str, str]]] = {
    "games": (
        {
            "id": str,
            "title": str,
            "event": str,
            "date": str,
            "round": str,
            "site": str,
            "players": str,
            "result": str,
            "termination": str,
            "plies": int,
            "verdict": str,
            "variant": str,
            "edition": str,
        },
        ("id",),
        {},
    ),
    "sheets": ({**_GAME, "head": str, "cgn": str}, ("game",), {}),
    "players": ({"id": int, "name": str, "games": int}, ("id",), {}),
    "seats": ({**_GAME, "seat": int, "player": int, "share": str}, ("game", "seat"), {"player": "players"}),
    "moves": (
        {
            **_GAME,
            "ply": int,
            "number": int,
            "seat": int,
            "word": str,
            "verdict": str,
            "rules": str,
            "clock": str,
            "comment": str,
        },
        ("game", "ply"),
        {},
    ),
    "rules": ({"key": str, "of": str, "says": str, "source": str}, ("key",), {}),
    "findings": (
        {
            "id": int,
            **_GAME,
            "ply": int,
            "move": str,
            "seat": str,
            "severity": str,
            "rule": str,
            "because": str,
            "decided_by": int,
        },
        ("id",),
        {"rule": "rules"},
    ),
    "disputes": (
        {**_GAME, "number": int, "ply": int, "word": str, "by": str, "claim": str, "status": str, "at": str},
        ("game", "number"),
        {},
    ),
    "rulings": (
        {
            **_GAME,
            "number": int,
            "plies": str,
            "arbiter": str,
            "decision": str,
            "words": str,
            "penalties": str,
            "points": str,
            "score": str,
            "result": str,
            "rules": str,
            "reason": str,
            "at": str,
        },
        ("game", "number"),
        {},
    ),
    "comments": ({"id": int, **_GAME, "ply": int, "text": str}, ("id",), {}),
    "tags": ({**_GAME, "name": str, "value": str}, ("game", "name"), {}),
    "log": (
        {
            **_GAME,
            "version": int,
            "at": str,
            "by": str,
            "kind": str,
            "says": str,
            "topic": str,
            "body": str,
            "digest": str,
        },
        ("game", "version"),
        {},
    ),
}
"""By table: its columns, its primary key, and the columns, other than ``game``, that refer to another table."""

INDEXED_COLUMNS = (
    ("games", "date"),
    ("games", "title"),
    ("games", "verdict"),
    ("seats", "player"),
    ("findings", "game"),
    ("findings", "rule"),
    ("comments", "game"),
)

VIEWS = {
    "games_of_players": "SELECT players.name AS player, games.date, games.title, seats.seat, seats.share, "
    "games.result, games.players, seats.game FROM seats JOIN players ON players.id = seats.player "
    "JOIN games ON games.id = seats.game ORDER BY players.name, games.date",
    "rules_broken": "SELECT rules.key, rules.says, COUNT(*) AS findings, COUNT(DISTINCT findings.game) AS games "
    "FROM findings JOIN rules ON rules.key = findings.rule WHERE findings.severity = 'error' GROUP BY rules.key "
    "ORDER BY findings DESC, rules.key",
}

# --- what Datasette says of them ---

_DESCRIPTIONS = {
    "games": "One row for each game, as it is now. Its moves, findings, rulings and comments are linked from its own "
    "page. Dates are in ISO 8601, as far as they are known.",
    "sheets": "Each game as a score sheet in CGN. The head is the number of events in its log and the digest of the "
    "last one; anyone who noted it can prove that the log is still the same.",
    "players": "Everybody who sat at a table, by name, with the number of their games.",
    "seats": "Who sat where. The share is what the seat won, as in the result.",
    "moves": "One row for each ply. The number is the move number; seat 0 is the table (dealer, deck, dice). The "
    "verdict is what the rules say today: legal, refused, undecided if it depends on cards nobody saw, unread, or"
    " stands: against a rule, but let stand by a ruling.",
    "rules": "Every rule a finding cites: what it says, and its source.",
    "findings": "What the arbiter has to say: an error breaks a rule; an undecided finding depends on cards nobody"
    " saw; a remark is about the writing, or rests on a ruling. A finding that a later ply proved is"
    " decided by that ply.",
    "disputes": "What players claimed against a ply. A negative number is that of a claim on an imported sheet.",
    "rulings": "What an arbiter decided, with the rules cited and the reason. A ruling changes no log.",
    "comments": "What was written beside the moves; ply 0 is the game as a whole.",
    "tags": "The tags of the score sheets.",
    "log": "Everything that was ever written, in order, byte for byte. Each digest covers the one before it.",
    "about": "What this file is.",
}
_FACETS = {
    "games": ["title", "verdict", "result"],
    "moves": ["verdict"],
    "findings": ["severity", "rule"],
    "rulings": ["decision"],
    "log": ["kind"],
}
_ORDER = {"games": "date", "players": "games", "moves": "ply", "log": "version"}
_LABELS = {"games": "id", "players": "name", "rules": "key"}


def datasette_metadata(name: str, title: str = "The club's games") -> dict[str, Any]:
    """Return the metadata of an exported database, for ``datasette --metadata``.

    Args:
        name: The name of the file, without its ending.
        title: The title of the page.
    """
    tables: dict[str, dict[str, Any]] = {}
    for table, description in _DESCRIPTIONS.items():
        metadata: dict[str, Any] = {"description": description}
        if table in _FACETS:
            metadata["facets"] = _FACETS[table]
        if table in _ORDER:
            metadata["sort_desc" if table in ("games", "players") else "sort"] = _ORDER[table]
        if table in _LABELS:
            metadata["label_column"] = _LABELS[table]
        tables[table] = metadata
    about = (
        "Games as they are in the log. Verdicts are those of the rules installed when this was written. "
        "The file holds every card on record, even those that a player has not seen."
    )
    return {"title": title, "description": about, "databases": {name: {"tables": tables}}}
