"""What a seat must not learn, as an attack: two records that look the same to p1 print the same, whatever it types.

The worlds differ in the cards p1 has not seen, and in everything somebody may have written about them: notes, claims,
reasons, tags, who wrote, the ids of commands, words another seat was declined.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from cartulary.cli.app import OVERVIEW, build
from cartulary.engine.play import actors
from cartulary.notation import examine, judged_words, loads
from cartulary.notation.viewer import SPECTATOR
from cartulary.records import api
from cartulary.records.commands.request import write
from cartulary.records.faults import Unfit
from cartulary.records.log.events import StoredFinding, WordDeclined
from cartulary.records.log.store import Store
from cartulary.records.state.games import load
from tests.games.test_tarot_views import World, pair, sheet
from tests.hunts import HUNT, looks
from tests.laws.worlds import GAMES, otherwise

Run = Callable[..., str]
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z|\d{4}-\d\d-\d\d \d\d:\d\d")
IMPORTED = re.compile(r"tarot-[2-9a-z]{10}")
"""The id of an imported sheet is worked out from all of it; docs/evidence.md says what it tells."""
TOLD_NOTHING = {"games", "house", "new-game", "rules", "perft", "samples", "reindex", "backup", "serve", "links"}
"""The commands that print nothing of any game; what `serve` shows, tests/web/test_secrets.py holds."""

MODES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "--seat": (("--seat", "p1"), {}),
    "CARTULARY_SEAT": ((), {"CARTULARY_SEAT": "p1"}),
    "--by": (("--by", "p1"), {}),
    "CARTULARY_QUIET": ((), {"CARTULARY_SEAT": "p1", "CARTULARY_QUIET": "1"}),
}
"""The ways to ask as p1: what is typed behind the command, and what stands in the environment."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that types a command in the folder of a world and returns all that shows."""

    def typed(world: str, *words: str, stdin: str = "", env: dict[str, str] | None = None) -> str:
        folder = tmp_path / world
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        asked = {"CARTULARY_DB": "games.db", "NO_COLOR": "1", "COLUMNS": "80"} | (env or {})
        result = CliRunner().invoke(build(), list(words), input=stdin, env=asked)
        assert "Traceback" not in result.output
        assert result.exit_code != 70, (words, result.output)
        return IMPORTED.sub("ID", TIME.sub("TIME", f"{result.exit_code}\n{result.stdout}\n{result.stderr}"))

    return typed


def p1s_turn(random: Random) -> tuple[World, World, str]:
    """Return two worlds p1 cannot tell apart, in which it is p1's turn, and a card p1 may play."""
    while True:
        one, two = pair(random, "fft", 4, 1)
        [record] = loads(sheet("fft", 4, one.words))
        examined = examine(record)
        game = examined.heading.game
        assert game is not None
        if actors(game, examined.state)[:1] == (1,):
            legal, _ = judged_words(game, examined.state, examined.calls)
            return one, two, sorted(set(legal).intersection(one.hands[0]))[0]


def open_world(
    run: Run, folder: Path, name: str, new: tuple[str, ...], words: tuple[str, ...], secret: str, how: str = "--stands"
) -> bool:
    """Write a world's game ``g``, and in every place where anything may be written what only this world has.

    new: how it is opened; how: its words are written; return whether the words could be written
    """
    mark, kept = secret.replace(" ", "-"), str(len(words))
    written = [
        ("new", *new, "--id", "g", "--tag", f"Comment={secret}"),
        ("move", "g", how, *words, "--by", secret, "--command", mark),
        ("tag", "g", f"Annotator={secret}", "--by", secret),
        ("clock", "g", kept, "0:10:00", "--by", secret, "--reason", secret),
        ("note", "g", kept, secret, "--by", secret),
        ("note", "g", "0", secret),
        ("undo", "g", "1", "--by", secret, "--agreed", f"{secret} too", "--reason", secret),
        ("move", "g", how, words[-1], "--command", f"{mark}-again"),
        ("dispute", "g", kept, "--by", secret, "--claim", secret),
        ("dispute", "g", kept, "--by", "p2", "--claim", secret),
        ("ruling", "g", kept, "--penalty", f"p2={secret}", "--arbiter", "Zoe", "--reason", secret, "--by", secret),
        ("dispute", "g", str(len(words) - 1), "--by", "p1", "--claim", "odd"),
    ]
    for typed in written:
        result = run(name, *typed)
        if typed[0] == "move" and ("cannot be carried out" in result or "cannot be played" in result):
            return False
        assert result[0] == ("1" if "refused but let stand" in result else "0"), (typed, result)
    found = (StoredFinding("error", "a.b", secret),)
    declined = WordDeclined(at="2026-11-22T00:00:00.000Z", seat=2, words=("T01",), findings=found)
    with Store(folder / name / "games.db") as store:
        for _ in range(2 * name.startswith("a")):
            write(store, load(store, "g"), [declined])
    return True


def asked_of(card: str, plies: int, hidden: str) -> list[tuple[str, ...]]:
    """Return what p1 types: every command there is, in ways that work and in ways that fail."""
    ply = str(plies)
    views = [
        words
        for source in ("g", "sheet.cgn")
        for words in (
            ("show", source),
            ("show", source, "--json"),
            ("replay", source),
            ("moves", source),
            ("check", source),
            ("check", source, "--json"),
            ("why", source, ply),
            ("why", source, ply, "--json"),
            ("deal", source),
            ("compare", source, "sheet.cgn"),
            ("compare", "sheet.cgn", source, "--json"),
            ("compare", source, "sheet.cgn", "--restore"),
            ("restore", source),
            ("restore", source, "--json"),
            ("validate", source),
            ("validate", source, "--json"),
            ("fmt", source),
            ("fmt", source, "--check"),
            ("convert", source),
            ("search", "--position", source),
        )
    ]
    return [
        *views,
        ("log", "g"),
        ("log", "g", "--json"),
        ("list",),
        ("list", "--json"),
        ("list", "--verdict", "irregular"),
        ("search", "--player", "ada"),
        ("search", "--text", hidden),
        ("validate", "--json", "sheet.cgn"),
        ("stats",),
        ("standings",),
        ("explore", "tarot"),
        ("people",),
        ("people", "merge", "Ada", "Bela"),
        ("result", "ludo", "-p", "Ada=1", "-p", "Bela=2", "--command", "k", "--id", "r"),
        ("pad", "g", "Taker=p1", "Bid=Garde", "Bouts=1", "Points=40"),
        ("redo", "g"),
        ("evenings",),
        ("csv", "out", "-"),
        ("aside", "g", "--reason", "a slip"),
        ("seat", "g", "p2", "-p", "Fay"),
        ("evening", "Spring"),
        ("duplicates",),
        ("revalidate",),
        ("verify", "g"),
        ("verify", "g", "--json"),
        ("verify", "--all"),
        ("export", "g"),
        ("export", "g", "--log"),
        ("export", "g", "--format", "json", "--log"),
        ("export", "g", "--format", "html"),
        ("export", "--all", "--format", "sqlite", "-o", "out.db"),
        ("import", "sheet.cgn"),
        ("import", "sheet.cgn", "--json"),
        ("new", "tarot", "--id", "g", "--variant", "fft"),
        ("tag", "g", "Event=Club"),
        ("tag", "g", "Event=Club", "--json"),
        ("note", "g", ply, "mine"),
        ("note", "g", ply, "mine", "--json"),
        ("note", "g", ply, f"({hidden})"),
        ("note", "g", "0", "--replace"),
        ("move", "g", "Zebra"),
        ("move", "g", f"p2/{card}"),
        ("move", "g", f"p2/{hidden}"),
        ("move", "g", "--expected", "1", card),
        ("move", "g", card),
        ("undo", "g"),
        ("move", "g", card, "--json"),
        ("undo", "g", "--json"),
        ("undo", "g", "999"),
        ("clock", "g", ply, "0:12:30", "--json"),
        ("board", "g"),
        ("board", "g", hidden),
        ("amend", "g", ply, hidden),
        ("amend", "g", ply, "--remove"),
        ("dispute", "g", ply, "--claim", "odd"),
        ("dispute", "g", ply, "--claim", "odd", "--json"),
        ("dispute", "g", "--withdraw", "99"),
        ("dispute", "g", "--withdraw", "9"),
        ("ruling", "g", ply, "--stands", "--arbiter", "Zoe"),
        ("ruling", "g", ply, "--stands", "--arbiter", "Zoe", "--json"),
        ("ruling", "g", "999", "--stands", "--arbiter", "Zoe"),
        ("ruling", "--dispute", "11", "g", "--penalty", "p2=one", "--arbiter", "Zoe"),
        ("ruling", "g", ply, "--void", "--arbiter", "Zoe"),
        ("ruling", "g", ply, "--amend", hidden, "--arbiter", "Zoe"),
        ("move", "g", card[:1]),
        ("undo", "g"),
        ("move", "g", hidden.lower()),
        ("move", "g", "p1/passe"),
        ("reveal", "g"),
        ("reveal", "g", "--json"),
        ("check", "g"),
        ("close", "g"),
        ("close", "g", "1-0-0-0", "--score", "30:-10:-10:-10"),
        ("agree", "g"),
        ("agree", "g", "--json"),
        ("log", "g", "--json"),
        ("reopen", "g"),
        ("record", "g"),
    ]


TABLE = "help\n{card}\ncheck\nwhy\nmoves\nnote mine\nundo\nclose\nZebra\np2/{card}\nstands {card}\nreveal\nundo\nquit\n"


@pytest.mark.hunt
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", range(HUNT))
def test_whatever_p1_types_two_worlds_it_cannot_tell_apart_print_the_same(
    run: Run, tmp_path: Path, mode: str, number: int
) -> None:
    one, two, card = p1s_turn(Random(f"secrets {mode} {number}"))
    for name, world in (("a", one), ("b", two)):
        new = ("tarot", "--variant", "fft", "--seats", "4", "-p", "Ada", "-p", "Bela", "-p", "Carl", "-p", "Dora")
        how = "--quiet" if "CARTULARY_QUIET" in MODES[mode][1] else "--stands"
        assert open_world(run, tmp_path, name, new, world.words, f"{name} {world.hands[1][0]}", how)
        (tmp_path / name / "sheet.cgn").write_text(sheet("fft", 4, world.words))
    hidden = next(card for card in one.hands[1] if card not in one.said and card not in two.hands[1])
    behind, env = MODES[mode]
    commands = asked_of(card, len(one.words), hidden)
    every = {name for lines in OVERVIEW.values() for name in lines}
    assert {words[0] for words in commands} == every - TOLD_NOTHING
    for words in commands:
        if mode == "--by" and "--by" not in run("a", words[0], "--help"):
            continue
        answers = [run(name, *words, *behind, stdin=TABLE.format(card=card), env=env) for name in ("a", "b")]
        assert answers[0] == answers[1], words
        assert not re.search(rf"\b[ab][ -]{one.hands[1][0]}", answers[0]), words
    for words in (("log", "g"), ("check", "g"), ("why", "g", "2"), ("export", "g", "--log")):
        assert run("a", *words) != run("b", *words), words


READ = ("show", "replay", "moves", "check", "deal", "validate", "fmt", "convert", "log", "list", "verify", "export")


WRITES = (
    ("tag", "g", "Event=Club"),
    ("note", "g", "1", "mine"),
    ("move", "g", "Resign"),
    ("undo", "g"),
    ("clock", "g", "1", "0:12:30"),
    ("board", "g", "8H"),
    ("amend", "g", "1", "--remove"),
    ("dispute", "g", "1", "--claim", "odd"),
    ("ruling", "g", "1", "--stands", "--arbiter", "Zoe"),
    ("close", "g", "*", "--termination", "abandoned"),
    ("agree", "g"),
    ("reopen", "g"),
    ("reveal", "g"),
    ("record", "g", "--plain"),
    ("import", "sheet.cgn"),
)


def worlds_of(run: Run, folder: Path, key: str, seat: int) -> Iterator[tuple[int, dict[str, tuple[str, ...]]]]:
    """Write worlds of a game that look the same to a seat, and yield their plies, and their words by folder."""
    title, play = GAMES[key]
    random = Random(f"secrets of {key} for {seat}")
    for number in range(looks(80)):
        game = play(random)
        one = game.words[: random.randint(2, min(len(game.words), looks(120)))]
        two = otherwise(title, game, one, seat, random)
        new = (key, *(word for name, value in game.tags.items() for word in ("--tag", f"{name}={value}")))
        worlds = {f"a{number}": one, f"b{number}": two}
        if one != two and all(
            open_world(run, folder, name, new, words, f"{name} secret") for name, words in worlds.items()
        ):
            yield len(one), worlds


@pytest.mark.hunt
@pytest.mark.parametrize("key", GAMES)
def test_two_worlds_of_every_game_print_the_same_to_the_rail(run: Run, tmp_path: Path, key: str) -> None:
    compared = 0
    for plies, worlds in worlds_of(run, tmp_path, key, 0):
        for name in worlds:
            run(name, "export", "g", "--log", "-o", "sheet.cgn")
        views = [(word, source) for word in READ[:8] for source in ("g", "sheet.cgn")]
        at, source = str(plies), ("g", "sheet.cgn")
        asked: tuple[tuple[str, ...], ...] = (
            *views,
            *((word, each, "--json") for word in ("show", "replay", "moves", "check", "validate") for each in source),
            *(("why", each, at, *more) for each in source for more in ((), ("--json",))),
            *(("search", "--position", each) for each in source),
            ("compare", *source),
            ("compare", *source, "--json"),
            ("log", "g"),
            ("log", "g", "--json"),
            ("list",),
            ("list", "--json"),
            ("search", "--player", "ada"),
            ("verify", "g"),
            ("verify", "--all", "--json"),
            ("export", "g"),
            ("export", "g", "--format", "html"),
            ("stats",),
            ("standings",),
            ("explore", "tarot"),
            ("people",),
            ("people", "merge", "Ada", "Bela"),
            ("result", "ludo", "-p", "Ada=1", "-p", "Bela=2", "--command", "k", "--id", "r"),
            ("pad", "g", "Taker=p1", "Bid=Garde", "Bouts=1", "Points=40"),
            ("redo", "g"),
            ("evenings",),
            ("aside", "g", "--reason", "a slip"),
            ("seat", "g", "p2", "-p", "Fay"),
            ("evening", "Spring"),
            ("duplicates",),
            ("revalidate",),
        )
        for words in asked:
            answers = [run(name, *words, "--seat", "rail") for name in worlds]
            assert answers[0] == answers[1], (words, worlds)
            assert " secret" not in answers[0], words
        [here, there] = [[run(name, word, "g") for word in READ] for name in worlds]
        compared += here != there
        if compared == HUNT:
            return
    pytest.fail("too few worlds could be written to prove a thing")


def test_every_command_that_writes_refuses_the_rail(run: Run) -> None:
    run("a", "new", "cardmate", "--id", "g")
    run("a", "move", "g", "4Ci3", "4Db6")
    run("a", "export", "g", "-o", "sheet.cgn")
    log = run("a", "log", "g")
    for words in WRITES:
        for answer in (run("a", *words, "--seat", "rail"), run("a", *words, env={"CARTULARY_SEAT": "rail"})):
            assert answer.startswith("2\n"), words
            assert "only watches" in answer, words
    assert run("a", "log", "g") == log


def test_the_desk_takes_no_words_from_the_rail(store: Store) -> None:
    id = api.open_game(store, api.NewRequest("cardmate")).id
    with pytest.raises(Unfit, match="only watches"):
        api.play(store, id, api.WordsRequest(("4Ci3",)), viewer=SPECTATOR)
    with pytest.raises(Unfit, match="only watches"):
        api.judge_words(api.load(store, id), ["4Ci3"], SPECTATOR)
    assert api.load(store, id).plies == 0


def test_the_rail_sees_all_of_an_open_game_and_is_called_by_no_other_name(run: Run) -> None:
    run("a", "new", "cardmate", "--id", "g")
    run("a", "move", "g", "4Ci3", "4Db6")
    for words in (("show", "g"), ("replay", "g"), ("moves", "g"), ("check", "g"), ("why", "g", "1")):
        assert run("a", *words, "--seat", "rail") == run("a", *words)
    for wrong in ("p0", "0", "Rail", "RAIL", " rail", "p"):
        for typed in (("show", "g"), ("log", "g"), ("move", "g", "8Dj2"), ("list",)):
            result = run("a", *typed, "--seat", wrong)
            assert result.startswith("2\n"), (typed, wrong)
            assert "rail" in result.partition(wrong)[2], (typed, wrong)


@pytest.mark.hunt
@pytest.mark.parametrize("key", [key for key in GAMES if key != "tarot"])
def test_two_worlds_of_every_game_print_the_same_to_p1(run: Run, tmp_path: Path, key: str) -> None:
    for compared, (plies, worlds) in enumerate(worlds_of(run, tmp_path, key, 1), 1):
        for words in (
            *((word, *(("--all",) if word == "verify" else ("g",) if word != "list" else ())) for word in READ),
            ("why", "g", str(plies)),
            ("note", "g", "1", "mine", "--json"),
            ("undo", "g", "--json"),
            ("dispute", "g", "1", "--claim", "odd", "--json"),
            ("ruling", "g", "1", "--stands", "--arbiter", "Zoe", "--json"),
            ("amend", "g", "1", "--remove"),
            ("close", "g"),
            ("log", "g", "--json"),
        ):
            answers = [run(name, *words, "--seat", "p1") for name in worlds]
            assert answers[0] == answers[1], (words, worlds)
        if compared == looks(2):
            return
    pytest.fail("too few worlds could be written to prove a thing")
