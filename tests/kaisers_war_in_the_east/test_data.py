"""The game's tables and set-ups against a second transcription, made from the rulebook alone and laid out as it prints them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.plugins.registry import load_game
from assistant.state.sources import Source

FOLDER = Path(__file__).parents[2] / "plugins" / "kaisers_war_in_the_east"
COLUMNS = ("<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600")

#: A row for each die, a result for each column.
STANDARD = """
AZ AZ AD AD AD ST BB BB BB
AZ AD AD AD ST BB BB DD DD
AD AD AD ST BB BB DD DD DD
AD AD ST ST DD DD DD DD DZ
AD ST ST DD DD DD DD DZ DZ
AD DD DD DD DD DD DZ DZ DZ
"""
SHOCK = """
AZ AD AD AD AD MD MD MD MD
AD AD AD AD MD MD MD DP DP
AD AD MD MD DP DP DP DP DP
AD AD MD DP DP DP DP DP BT
AD MD DP DP DP DP BT BT BT
AD DP DP DP BT BT BT BT BT
"""


@pytest.fixture(scope="module")
def war() -> Game:
    return load_game("kaisers-war-in-the-east")


def cells(game: Game, chart: str) -> dict[tuple[object, ...], tuple[object, ...]]:
    """The cells of a chart, each as the tuple of its fields."""
    return {key: tuple(cell.values.values()) for key, cell in game.charts[chart].cells.items()}


@pytest.mark.parametrize(("name", "printed"), [("standard", STANDARD), ("shock", SHOCK)])
def test_the_combat_results_tables(war: Game, name: str, printed: str) -> None:
    rows = [line.split() for line in printed.split("\n") if line]
    expected = {(COLUMNS[at], die): (code,) for die, row in enumerate(rows, 1) for at, code in enumerate(row)}
    assert cells(war, name) == expected
    assert len(expected) == 54


def test_the_mobilization_chart(war: Game) -> None:
    """VP, delay, years, and how many a turn for each country."""
    assert cells(war, "mobilization") == {
        ("infantry-corps",): (4, 0, 1914, 1918, "any"),
        ("cavalry-corps",): (5, 0, 1914, 1918, "any"),
        ("supply",): (10, 0, 1914, 1918, "any"),
        ("fortress",): (3, 0, 1914, 1918, "any"),
        ("armoured-train",): (10, 1, 1914, 1918, "any"),
        ("marine-corps",): (9, 1, 1915, 1918, "one"),
        ("alpine-corps",): (6, 1, 1915, 1918, "one"),
        ("shock-corps",): (8, 2, 1916, 1918, "one"),
        ("airbase",): (10, 1, 1916, 1918, "any"),
        ("headquarters",): (5, 0, 1916, 1918, "one"),
    }


def test_the_victory_points_chart(war: Game) -> None:
    """What the enemy gains and the owner loses; a fortress counts once for each point of its defence factor."""
    both = {
        ("objective",): (5, 10),
        ("headquarters",): (0, 6),
        ("army",): (0, 6),
        ("corps",): (0, 2),
        ("fortress",): (1, 1),
        ("other",): (0, 0),
    }
    west = {**both, ("headquarters",): (0, 9), ("army",): (0, 9), ("abteilung",): (0, 6), ("corps",): (0, 3)}
    expected = {
        **{(*event, "allies"): points for event, points in both.items()},
        ("bolshevik", "allies"): (0, 1),
        **{(*event, "central-powers"): points for event, points in both.items()},
        ("abteilung", "central-powers"): (0, 4),
        **{(*event, "central-powers-west"): points for event, points in west.items()},
    }
    assert cells(war, "victory") == expected


def test_the_landing_table(war: Game) -> None:
    faces = ["eliminated", "fails", "fails", "lands", "lands", "lands"]
    assert cells(war, "landing") == {(die,): (result,) for die, result in enumerate(faces, 1)}


def test_the_main_efforts_that_scenarios_name(war: Game) -> None:
    """26.3, 27.3, 28.3; the other years stand on the map."""
    assert cells(war, "main-effort") == {(1914,): ("west",), (1915,): ("east",), (1916,): ("west",)}


def test_what_the_text_says_of_the_turn_record(war: Game) -> None:
    """One turn a month in summer, and two months in winter and thaw (2.9): five years from August 1914 to 1918 have 40 turns."""
    rows = list(csv.DictReader((FOLDER / "turns.csv").read_text("utf-8").splitlines()))
    dates = {int(row["turns"]): row["text"] for row in rows if row["kind"] == "date"}
    months = [
        "January-February",
        "March-April",
        *["May", "June", "July", "August", "September", "October"],
        "November-December",
    ]
    every = [f"{month} {year}" for year in range(1914, 1919) for month in months]
    assert [dates[turn] for turn in sorted(dates)] == every[every.index("August 1914") :]
    supply = cells(war, "scheduled-supply")
    assert supply == {
        ("allies", turn): (1,) for turn in range(1, 14)
    }  # "instead of one", 1914 and 1915, under Artillery


def test_no_cell_claims_more_than_the_rulebook_says(war: Game) -> None:
    for chart in war.charts.values():
        assert {cell.source for cell in chart.cells.values()} <= {Source.RULEBOOK, Source.RECONSTRUCTION}, chart


# --- set-ups ----------------------------------------------------------------------------------------------------------

#: By scenario and side: where, and who. `R` or `r` behind a unit: on its reverse side. + takes the row itself in.
SET_UPS = {
    ("1914", "allies"): """
        russia north Warsaw+: Rus-W, Allied-supply
        russia south Warsaw: Rus-SW, Allied-supply
        Kovno: Rus-1
        Grodno: Rus-2
        Dubno: Rus-3
        Ivangorod: Rus-4
        mobilization 5: Rus-5
        mobilization 8: Rus-8
        Warsaw: Rus-inf
        Petrograd: Rus-inf
        Odessa: Rus-inf
        the city of its name: every fortress: russian
        Bucharest: Rom-1
        Ploesti: Rom-2
        Turtukaia: Rom-3, Turtukaia""",
    ("1914", "central-powers"): """
        Königsberg: Ger-8
        the city of its name: every fortress: german
        Krakow: AH-1
        Lemberg: AH-3
        Przemysl: AH-4
        austria-hungary any city: AH-inf
        the city of its name: every fortress: austro-hungarian
        germany: CP-supply
        austria-hungary: CP-supply, CP-supply
        Sofia: Bul-3
        Varna: Varna""",
    ("1915", "allies"): """
        russia north Minsk+: Rus-NW
        russia south Minsk: Rus-SW
        north Minsk+: Rus-1, Rus-2, Rus-5, Rus-10, Rus-12
        south Minsk+: Rus-3, Rus-4, Rus-8, Rus-11
        Petrograd: Rus-inf
        Kiev: Rus-inf
        russia: Rus-cav, Rus-cav, Allied-supply
        the city of its name: every fortress: russian
        Bucharest: Rom-1
        Ploesti: Rom-2
        Turtukaia: Rom-3, Turtukaia""",
    ("1915", "central-powers"): """
        Königsberg: Ober-Ost
        north Lodz+: H-L, Ger-8, Ger-9, Ger-10, Ger-Abt, Ger-cav, CP-supply, CP-supply, CP-supply
        south Lodz: Mackensen, Sud, AH-1, AH-2, AH-3, AH-4, AH-cav, CP-supply
        Krakow within 1: Ger-11
        Posen: Ger-inf
        the city of its name: every fortress: german
        austria-hungary: AH-inf
        Vienna: Vienna
        Komarom: Komarom
        Budapest: Budapest
        Krakow: Krakow
        Karlsburg: Karlsburg
        Sofia: Bul-3
        Varna: Varna""",
    ("1916", "central-powers"): """
        Königsberg: Ober-Ost R
        Kovno: Eichhorn R
        Grodno: Leopold
        Brest-Litovsk: Linsingen
        Lemberg: Ger-8
        north Brest-Litovsk+: Ger-10, Ger-12
        Grodno within 2: Ger-9
        south Lemberg+: Sud, AH-2, AH-7, CP-supply
        north Lemberg: Ger-Abt, Ger-Abt, Ger-inf, Ger-cav, CP-supply
        Warsaw: Ger-inf
        the city of its name: every fortress: german
        Przemysl: B-E
        mobilization 5 within 1: AH-1, AH-4
        Brest-Litovsk within 1: AH-inf, AH-cav
        austria-hungary any rail hex: AH-train
        Vienna: Vienna
        Komarom: Komarom
        Budapest: Budapest
        Krakow: Krakow
        Karlsburg: Karlsburg
        Sofia: Bul-3
        Varna: Varna""",
    ("1916", "allies"): """
        north Dvinsk+: Rus-N, Rus-5, Rus-12
        Minsk: Rus-NW
        south Kiev+: Rus-SW R
        north Dubno south Dvinsk: Rus-1, Rus-2, Rus-3, Rus-4, Rus-10
        south Dubno+: Rus-7, Rus-8, Rus-9, Rus-11
        Petrograd: Rus-inf
        russia or romania: Rus-inf, Rus-inf, Rus-cav, Rus-cav
        russia or romania any rail hex: Rus-train, Rus-train
        the city of its name: every fortress: russian
        russia: Allied-supply, Allied-supply, Allied-supply, Allied-supply
        Bucharest: Rom-1
        Ploesti: Rom-2
        Turtukaia: Rom-3, Turtukaia""",
}


def instruction(row: dict[str, str]) -> tuple[str, str]:
    """Where a row of order-of-battle.csv puts its unit, in the words used above; and the unit, of its kind alone."""
    within = f"within {row['within']}" if row["within"] not in ("", "0") else ""
    north, south = (row[key] and f"{key[:5]} {row[key]}" for key in ("north_of", "south_of"))
    where = " ".join(word for word in (row["country"], row["at"], within, north, south) if word)
    kind = row["unit"]
    if any(f"-{arm}-" in kind for arm in ("inf", "cav", "train", "supply", "Abt")):
        kind = kind.rpartition("-")[0]
    return where, f"{kind} R" if row["reversed"] else kind


@pytest.mark.parametrize(("scenario", "side"), SET_UPS)
def test_each_unit_of_a_set_up(scenario: str, side: str) -> None:
    rows = list(csv.DictReader((FOLDER / "scenarios" / "order-of-battle.csv").read_text("utf-8").splitlines()))
    found = sorted(
        instruction(row) for row in rows if (row["scenario"], row["side"], row["option"]) == (scenario, side, "")
    )
    expected = []
    for line in SET_UPS[scenario, side].strip().split("\n"):
        where, _, units = line.strip().partition(": ")
        expected += [(where, unit) for unit in units.split(", ")]
    assert found == sorted(expected)


def test_what_options_set_up_besides() -> None:
    """Scenario Options: the Moltke Plan, the plans R and G, Better Cavalry Doctrine, all for 1914."""
    rows = list(csv.DictReader((FOLDER / "scenarios" / "order-of-battle.csv").read_text("utf-8").splitlines()))
    found = sorted((row["option"], row["side"], *instruction(row)) for row in rows if row["option"])
    assert found == sorted(
        [
            *(("moltke-plan", "central-powers", "germany", unit) for unit in ("Ober-Ost", "Ger-9", "Ger-10", "Ger-11")),
            ("plan-r", "central-powers", "Drohobyz-Boryslaw", "AH-2"),
            ("plan-g", "allies", "Dvinsk", "Rus-4"),
            ("better-cavalry", "allies", "russia", "Rus-cav"),
            ("better-cavalry", "allies", "russia", "Rus-cav"),
            ("better-cavalry", "central-powers", "germany", "Ger-cav"),
            ("better-cavalry", "central-powers", "austria-hungary", "AH-cav"),
        ]
    )
    assert {row["scenario"] for row in rows if row["option"]} == {"1914"}


def test_what_else_the_scenarios_state() -> None:
    """26.1 to 26.6, 27.1 to 27.6, 28.1 to 28.6. The last turns are those of November-December, from the year that may end it."""
    rows = csv.DictReader((FOLDER / "scenarios" / "scenarios.csv").read_text("utf-8").splitlines())
    assert [tuple(row.values())[:-1] for row in rows] == [
        ("1914", "1", "4 13 22 31", "65", "80", "west", "allies", "allies", "4", ""),
        ("1915", "7", "13 22 31", "75", "70", "east", "central-powers", "allies", "2", "Rus-9"),
        ("1916", "17", "22 31", "80", "65", "west", "allies", "central-powers", "1", "Ger-11 AH-3 Rus-6"),
    ]


def test_the_roster_has_each_unit_that_a_set_up_names(war: Game) -> None:
    rows = csv.DictReader((FOLDER / "scenarios" / "order-of-battle.csv").read_text("utf-8").splitlines())
    assert {row["unit"] for row in rows if not row["unit"].startswith("every ")} <= {*war.roster}


def test_each_row_of_the_rule_index_has_a_title_of_its_own() -> None:
    rows = list(csv.DictReader((FOLDER / "rules.csv").read_text("utf-8").splitlines()))
    assert len({row["title"] for row in rows}) == len(rows)
