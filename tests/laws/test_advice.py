"""The law of advice: a command that an answer tells somebody to type is taken, whatever record it is told of.

Records of every game are brought into every state there is: new, half played, ended, closed, quiet, unreadable, only
scored. Whatever is typed then, each command in the answer is typed on a copy of the database as it stands.
"""

import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import build
from cartulary.cli.scribe.scribe import Scribe
from cartulary.notation import load
from cartulary.notation.viewer import Everything
from cartulary.records import api
from cartulary.records.commands.close import closing
from cartulary.records.faults import Declined
from cartulary.records.log.store import Store
from tests.hunts import HUNT
from tests.places import SAMPLES

QUOTED = re.compile(r"`([^`]+)`")
READ_ONLY = ("check", "show", "why", "rules", "games", "list", "log", "compare", "board")
"""Commands that may end with 1 though they were carried out: something is wrong with the record they are about."""
SHEETS = {
    "cardmate": "page-1",
    "chess": "immortal",
    "draughts": "tinsley-long",
    "tarot": "table-revoke",
    "tarot-duel": "table",
    "zarcana": "table",
    "arcanoid": "table",
}
STATES = ("new", "half", "whole", "closed", "abandoned", "ruled", "quiet", "broken", "offered", "gap")
WORLDS = [(key, state) for key in SHEETS for state in STATES]
LOOKED_AT = WORLDS if HUNT > 1 else WORLDS[::7]
"""By default every game and every state once or twice, and not each in each."""
SCORED = ("-t", "Taker=p2", "-t", "Bid=Garde", "-t", "Bouts=2", "-t", "Points=49")


class Desk(NamedTuple):
    """A database, and whether ``--db`` names it; else the environment does."""

    path: Path
    named: bool

    def type(self, words: Sequence[str]) -> tuple[int, str]:
        """Return the exit code and all that was answered, in one line."""
        env = {"NO_COLOR": "1", "COLUMNS": "200", "CARTULARY_DB": "" if self.named else str(self.path)}
        db = ("--db", str(self.path)) if self.named and "--db" not in words else ()
        done = CliRunner().invoke(build(), [*words, *db], env=env)
        assert "Traceback" not in done.output, (words, done.output)
        return done.exit_code, " ".join(f"{done.stdout} {done.stderr}".split())

    def copied(self, path: Path) -> "Desk":
        """Return a copy of it, in the place of the one before."""
        shutil.copyfile(self.path, path)
        return Desk(path, self.named)


def opened(store: Store, key: str) -> tuple[str, ...]:
    """Open a game as its sample was, under the id ``g``, and return the words of that."""
    [record] = load(str(SAMPLES / key / "games" / f"{SHEETS[key]}.cgn"))
    kept = {"Edition", "Variant", "Options", "Dealer", "Setup"} | {name for name, _ in record.tags if "Deck" in name}
    seats = {name: value for name, value in record.tags if name.startswith("Seat")}
    tags = {name: value for name, value in record.tags if name in kept - {"Edition"}} | seats
    api.open_game(store, api.NewRequest(key, id="g", tags=tags))
    return record.line.words


def brought(store: Store, key: str, state: str) -> bool:
    """Bring a new game into a state; say whether it can be."""
    words = opened(store, key)
    half = words[: len(words) // 2]
    if state == "new":
        return True
    if state == "gap":
        api.play(store, "g", api.WordsRequest((*words[:6], "~", *words[7:9]), stands=True))
        return True
    if state == "quiet":
        api.play(store, "g", api.WordsRequest(half), viewer=Everything(quiet=True))
        return True
    api.play(
        store,
        "g",
        api.WordsRequest(half if state in ("half", "abandoned", "broken", "offered") else words, stands=True),
    )
    if state == "abandoned":
        api.close(store, "g", api.CloseRequest("*", termination="abandoned"))
    elif state == "closed":
        ending = api.CloseRequest() if decided(store) else api.CloseRequest("*", termination="abandoned")
        api.close(store, "g", ending)
    elif state == "ruled":
        api.rule(
            store,
            "g",
            api.RulingRequest(arbiter="A", decision="result", result="-".join(("1", *"0" * (seats_of(store) - 1)))),
        )
    elif state == "offered":
        api.play(store, "g", api.WordsRequest(("Draw",)))
    elif state == "broken":
        # A correction of an early ply may leave later ones that cannot be carried out.
        api.amend(store, "g", api.AmendRequest(3, (), plies=1, reason="never played"))
    return True


def decided(store: Store) -> bool:
    try:
        closing(api.load(store, "g"), "", "")
    except Declined:
        return False
    return True


def seats_of(store: Store) -> int:
    return api.load(store, "g").book.seats


def actions(key: str, last: int) -> Iterator[tuple[str, ...]]:
    """Yield what is typed at a record, sensible or not. last: its last ply"""
    word = {"chess": "Qxh9", "draughts": "1-32"}.get(key, "Nonsense")
    bad = {"chess": "Ke5", "draughts": "32-28", "cardmate": "KDe9"}.get(key, "T21")
    for seat in ((), ("--seat", "p1"), ("--seat", "p2")):
        yield ("move", "g", bad, *seat)
        yield ("move", "g", bad, word, *seat)
        yield ("move", "g", "Agree", *seat)
        yield ("show", "g", *seat)
        yield ("check", "g", *seat)
        yield ("moves", "g", *seat)
        yield ("amend", "g", str(max(last, 1)), bad, *seat)
        yield ("board", "g", *seat)
        yield ("undo", "g", str(last + 1), *seat)
        yield ("close", "g", *seat)
    yield ("move", "g", word)
    yield ("why", "g", str(max(last, 1)))
    yield ("amend", "g", "1", bad, "--insert")
    yield ("ruling", "g", str(max(last, 1)), "--amend", bad, "--arbiter", "A")
    yield ("ruling", "g", str(max(last, 1)), "--stands", "--arbiter", "A")
    yield ("ruling", "g", "--revoke", "99", "--arbiter", "A")
    yield ("close", "g", "1-0")
    yield ("close", "g", "1-0-0-0")
    yield ("close", "g", "--score", "1:2:3:4")
    yield ("agree", "g", "--seat", "p1")
    yield ("reveal", "g")
    yield ("reopen", "g")
    yield ("export", "g", "--log", "--quiet")
    yield ("record", "absent")
    yield ("record", "no id!")
    yield ("compare", "g", "--sheet", "9")


def advised(action: Sequence[str], said: str) -> Iterator[tuple[str, ...]]:
    """Yield the commands an answer tells somebody to type, as they are typed; what they are to hold is filled in."""
    for text in QUOTED.findall(said):
        words = shlex.split(text)
        if words[0] == "cartulary":
            yield tuple("chess" if word == "GAME" else word for word in words[1:])
        elif words[0] in ("reopen", "close", "undo", "reveal") and len(words) == 1:
            yield (words[0], "g")
        elif text == "amend --stands":
            at = action.index("--amend")
            yield ("amend", "g", action[2], action[at + 1], "--stands")
    if "With --stands" in said:
        yield (*action, "--stands")
    if (call := re.search(r"play the word (\S+Agree)", said)) is not None:
        yield ("move", "g", call[1])
    if "as the termination" in said and "--termination" not in action:
        for how in ("adjudication", "rules infraction"):
            yield (*action, "--termination", how)


def taken(at: Desk, words: tuple[str, ...]) -> tuple[bool, str]:
    """Say whether a command is carried out. A word that stands may break a rule, and a ply behind a correction too."""
    before = versions(at)
    code, answer = at.type(words)
    if words[0] in READ_ONLY:
        return code in (0, 1), answer
    return code in (0, 1) and versions(at) != before, answer


def in_place_of(one: Desk, other: Desk, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command about a database as it is typed for its copy."""
    return tuple(str(other.path) if word == str(one.path) else word for word in words)


def versions(at: Desk) -> dict[str, str]:
    with Store(at.path) as store:
        return {id: str(store.head(id)) for id in store.ids()}


def hold(at: Desk, typed: Sequence[tuple[str, ...]], tmp_path: Path) -> int:
    """Type all of it, each on a copy, and hold every command in the answers to being taken; return how many were."""
    tried = 0
    for action in typed:
        spare = at.copied(tmp_path / "spare.db")
        _, reply = spare.type(action)
        for words in dict.fromkeys(advised(action, reply)):
            # What was typed may have changed the record: the advice is for the record as it stands then.
            there = spare.copied(tmp_path / "advised.db")
            done, answer = taken(there, in_place_of(spare, there, words))
            assert done, f"{' '.join(action)}\n  says: {reply}\n  {' '.join(words)}\n  says: {answer}"
            tried += 1
    return tried


@pytest.mark.hunt
@pytest.mark.parametrize(("key", "state"), LOOKED_AT)
def test_what_is_advised_is_taken(key: str, state: str, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as store:
        try:
            brought(store, key, state)
        except Declined as fault:
            pytest.skip(f"{key} cannot be {state}: {fault}")
        last = api.load(store, "g").plies
    at = Desk(path, named=STATES.index(state) % 2 == 0)
    assert hold(at, tuple(actions(key, last)), tmp_path)


@pytest.mark.parametrize("named", [False, True])
def test_what_is_advised_of_a_deal_that_was_only_scored_is_taken(tmp_path: Path, named: bool) -> None:
    at = Desk(tmp_path / "games.db", named)
    new = ("new", "tarot", "--scored", "--variant", "fft", "--seats", "4", *SCORED, "--id", "g")
    code, answer = at.type(new)
    assert code == 0, answer
    for words in advised(new, answer):
        there = at.copied(tmp_path / "advised.db")
        assert taken(there, in_place_of(at, there, words))[0]
    assert hold(at, tuple(actions("tarot", 0)), tmp_path)
    at.type(("close", "g"))
    assert hold(at, tuple(actions("tarot", 0)), tmp_path)


@pytest.mark.parametrize("key", SHEETS)
def test_what_a_scribe_is_advised_is_taken(key: str, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as store:
        opened(store, key)
        scribe = Scribe(store, "g")
        answer = scribe.enter("close")
        assert "is not decided by its moves" in answer.remark
        for line in QUOTED.findall(answer.remark):
            assert scribe.enter(line).lines[0].startswith("closed"), line
            assert scribe.enter("reopen").done
