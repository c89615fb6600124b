"""A season of a club, typed as its people would type it; the standings equal sums worked out beside the program."""

import csv
import io
import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from tests.cli.test_live import Run
from tests.cli.test_live import run as run

PEOPLE = ("Ann", "Bea", "Cy", "Di", "Eve", "Fay", "Gus", "Hal", "Ida")
NEEDED = (56, 51, 41, 36)
MISSPELT = {2: ("Ann", "ann"), 5: ("Gus", "Guss")}
"""By the number of an evening: a person, and how his name was typed."""
LEAVES, COMES = 7, "Jo"
"""The tarot evening of which somebody leaves after two deals, and who plays on."""
PAIR = ("Ann", "Bea", "Jo")
"""Two who play a game of chess, and who plays on for the second."""
TIMES = {"Prise": 1, "Garde": 2, "GardeSans": 4, "GardeContre": 6}
Sums = dict[str, dict[str, Fraction]]


class Season:
    """Twelve evenings, typed; beside them, by game and person, the points or shares that a spreadsheet would hold."""

    def __init__(self, run: Run, rng: Random) -> None:
        self.run, self.rng = run, rng
        self.sums: Sums = defaultdict(lambda: defaultdict(Fraction))
        self.wins: dict[str, Fraction] = defaultdict(Fraction)
        self.seats: dict[str, list[str]] = {}
        self.totals: dict[str, dict[str, Fraction]] = {}

    def type(self) -> None:
        """Type the season."""
        for number in range(12):
            date = f"2026.{number + 1:02}.15"
            self.tarot(date, number)
            self.result("chess", date, self.rng.sample(PEOPLE, 2), shares=True)
            self.result("cardmate", date, self.rng.sample(PEOPLE, 2), shares=True)
            self.result("Catan", date, self.rng.sample(PEOPLE, self.rng.choice((3, 4))))
            self.result("Canasta", date, self.rng.sample(PEOPLE, 4))
        self.long_game("2026.06.15", *PAIR)

    def tarot(self, date: str, number: int) -> None:
        """Type a tarot evening of four, three to six deals on the pad; two people are misspelt at one of them."""
        names, id = self.rng.sample(PEOPLE, 4), f"tarot-{number}"
        if (misspelt := MISSPELT.get(number)) and misspelt[0] not in names:
            names[0] = misspelt[0]
        typed = [misspelt[1] if misspelt and name == misspelt[0] else name for name in names]
        players = [word for name in typed for word in ("-p", name)]
        self.run("new", "tarot", "--variant", "fft", "--id", id, "--date", date, *players)
        totals: dict[str, Fraction] = dict.fromkeys(names, Fraction(0))
        deals = self.rng.randint(3, 6)
        before = None
        for deal in range(deals):
            if number == LEAVES and deal == 2:
                self.run("seat", id, "p4", "-p", COMES)
                before, typed[3] = totals[names[3]], COMES
            taker, bid, bouts = self.rng.randrange(4), self.rng.choice(list(TIMES)), self.rng.randrange(4)
            points = self.rng.randint(20, 60)
            petit = self.rng.choice(("", "taker", "defence")) if 0 < bouts < 3 else ""
            shown = self.rng.random() < 0.2
            answers = [f"Taker={typed[taker]}", f"Bid={bid}", f"Bouts={bouts}", f"Points={points}"]
            answers += [f"Petit={petit}"] * bool(petit) + ["Poignee=p1:10"] * shown
            self.run("pad", id, *answers)
            margin = points - NEEDED[bouts]
            sign = 1 if margin >= 0 else -1
            each = sign * (25 + abs(margin)) * TIMES[bid] + sign * 20 * shown
            each += {"": 0, "taker": 10, "defence": -10}[petit] * TIMES[bid]
            for seat, name in enumerate(names):
                totals[name] += 3 * each if seat == taker else -each
        self.run("close", id)
        self.seats[id], self.totals[id] = names, totals
        self.add("tarot", totals)
        if before is not None:
            best = [name for name, total in totals.items() if total == max(totals.values())]
            won = Fraction(names[3] in best, len(best)) * Fraction(deals - 2, deals)
            self.hand_over(names[3], won, {"tarot": totals[names[3]] - before})

    def long_game(self, date: str, first: str, second: str, substitute: str) -> None:
        """Type a game of chess of six plies that the second seat wins; somebody else plays its last two plies."""
        self.run("new", "chess", "--id", "long", "--date", date, "-p", first, "-p", second)
        self.run("move", "long", "e4", "e5", "Nf3", "Nc6")
        self.run("seat", "long", "p2", "-p", substitute, "--from", "5")
        self.run("move", "long", "Bb5", "a6")
        self.run("close", "long", "0-1", "--termination", "resignation")
        self.wins[first] += 0
        self.wins[second] += 1
        self.hand_over(second, Fraction(2, 6), {})

    def hand_over(self, name: str, won: Fraction, points: dict[str, Fraction]) -> None:
        """Give a part of what somebody won to the substitute."""
        self.wins[name] -= won
        self.wins[COMES] += won
        for game, part in points.items():
            self.sums[game][name] -= part
            self.sums[game][COMES] += part

    def result(self, game: str, date: str, names: list[str], *, shares: bool = False) -> None:
        """Type a result: points, or a win, a loss or a draw."""
        if shares:
            first = self.rng.choice((Fraction(0), Fraction(1, 2), Fraction(1)))
            numbers = dict(zip(names, (first, 1 - first), strict=True))
        else:
            numbers = {name: Fraction(self.rng.randint(-50, 500)) for name in names}
        players = [word for name, number in numbers.items() for word in ("-p", f"{name}={number}")]
        self.run("result", game, "--date", date, *players)
        if shares:
            for name, number in numbers.items():
                self.wins[name] += number
        else:
            self.add(game, numbers)

    def add(self, game: str, totals: dict[str, Fraction]) -> None:
        """Add a game to the sums."""
        for name, total in totals.items():
            self.sums[game][name] += total
        self.count(totals, 1)

    def count(self, totals: dict[str, Fraction], games: int) -> None:
        """Add the shares of a game to the wins, or with -1 take them away."""
        best = [name for name, total in totals.items() if total == max(totals.values())]
        for name in best:
            self.wins[name] += Fraction(games, len(best))
        for name in totals:
            self.wins[name] += 0

    def rule(self, id: str, name: str, points: Fraction) -> None:
        """Let a ruling change the points of a person in a game."""
        self.count(self.totals[id], -1)
        self.totals[id][name] += points
        self.sums["tarot"][name] += points
        self.count(self.totals[id], 1)


def points(run: Run, game: str) -> dict[str, Fraction]:
    """Return the points of everybody in a game, as the CSV of the standings has them."""
    rows = csv.DictReader(io.StringIO(run("standings", game, "--season", "2026", "--csv", "-").stdout))
    return {row["player"]: Fraction(row["points"]) for row in rows}


def wins(run: Run) -> dict[str, Fraction]:
    """Return the games won by everybody, in all games together, shared wins in parts."""
    answer = json.loads(run("standings", "--season", "2026", "--by", "wins", "--json").stdout)
    return {row["name"]: Fraction(str(row["wins"])) for row in answer["rows"]}


def renamed(sums: dict[str, Fraction]) -> dict[str, Fraction]:
    return {"Cyril" if name == "Cy" else name: total for name, total in sums.items()}


@pytest.fixture
def season(run: Run) -> Season:
    season = Season(run, Random("a season"))
    season.type()
    return season


def test_a_season_equals_a_spreadsheet_kept_beside_it(
    run: Run, season: Season, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {"ann", "Guss"} < set(points(run, "tarot"))
    run("people", "merge", "ann", "Ann")
    run("people", "merge", "Guss", "Gus")
    run("people", "rename", "Cy", "Cyril")
    first = season.seats["tarot-3"][0]
    run("ruling", "tarot-3", "0", "--penalty", "p1=50", "--arbiter", "C. Umpire", "--reason", "late")
    season.rule("tarot-3", first, Fraction(-50))
    twice = ("result", "Catan", "--date", "2026.12.15", "-p", "Ann=9", "-p", "Bea=7")
    season.add("Catan", {"Ann": Fraction(9), "Bea": Fraction(7)})
    run(*twice, "--id", "entered")
    run(*twice, "--id", "entered-twice")
    assert points(run, "Catan")["Ann"] == season.sums["Catan"]["Ann"] + 9
    assert "entered-twice" in run("duplicates", code=1).stdout
    run("aside", "entered-twice", "--reason", "entered twice")
    for game in ("tarot", "Catan", "Canasta"):
        assert points(run, game) == renamed(season.sums[game])
    assert wins(run) == renamed(season.wins)

    run("export", "--all", "--log", "--format", "json", "-o", str(tmp_path / "season.json"))
    here = [points(run, game) for game in ("tarot", "Catan", "Canasta")], wins(run)
    monkeypatch.setenv("CARTULARY_DB", str(tmp_path / "elsewhere.db"))
    run("import", "-q", str(tmp_path / "season.json"))
    assert ([points(run, game) for game in ("tarot", "Catan", "Canasta")], wins(run)) == here
