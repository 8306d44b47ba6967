"""The game's tables and set-ups against a second transcription, which a reader made who had the rulebook alone.

Its files, in `transcription/`, are laid out and worded as that reader chose; what is read from them here is every cell of the tables, every unit of
a set-up and where it goes, every price and every arrival.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.tracks import Source

FOLDER = Path(__file__).parents[2] / "plugins" / "kaisers_war_in_the_east"
SECOND = Path(__file__).parent / "transcription"
SIDES = {"Allies": "allies", "Central Powers": "central-powers"}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def war() -> Game:
    return load_game("kaisers-war-in-the-east")


def cells(game: Game, chart: str) -> dict[tuple[object, ...], tuple[object, ...]]:
    """The cells of a chart, each as the tuple of its fields."""
    return {key: tuple(cell.values.values()) for key, cell in game.charts[chart].cells.items()}


# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["standard", "shock"])
def test_the_combat_results_tables(war: Game, name: str) -> None:
    signs = str.maketrans({"≤": "<=", "≥": ">=", " ": None, "%": None})
    expected = {
        (row["percent"].translate(signs), int(row["die"])): (row["result"],) for row in rows(SECOND / f"{name}.csv")
    }
    assert cells(war, name) == expected
    assert len(expected) == 54


UNITS = {
    "Infantry Corps": "infantry-corps",
    "Cavalry Corps": "cavalry-corps",
    "Supply Unit": "supply",
    "Fortified Zone": "fortress",
    "Armored Train": "armoured-train",
    "Amphibious Corps": "marine-corps",
    "Alpine Corps": "alpine-corps",
    "Shock Corps": "shock-corps",
    "Air Command (optional rules)": "airbase",
    "HQ conversion (also expends a supply unit in radius)": "headquarters",
}


def test_the_mobilization_chart(war: Game) -> None:
    """VP, delay, years, and how many a turn for each country; the price of a Fortified Zone is that of a defence factor."""
    expected = {}
    for row in rows(SECOND / "mobilization.csv"):
        if row["unit"] in UNITS:
            vp = re.match("[0-9]+", row["vp"])
            assert vp
            years = int(row["first_year"] or 1914), int(row["last_year"] or 1918)
            expected[UNITS[row["unit"]],] = (int(vp[0]), int(row["delay"]), *years, row["per_turn"].split()[0])
    assert cells(war, "mobilization") == expected
    assert len(expected) == len(UNITS)


EVENTS = {
    "Strategic Objective hex captured or recaptured by enemy": ("objective",),
    "HQ or army eliminated in combat": ("headquarters", "army"),
    "Army abteilung eliminated in combat": ("abteilung",),
    "Corps eliminated in combat": ("corps",),
    "Fortress eliminated in combat": ("fortress",),
    "Bolshevik unit eliminated in combat": ("bolshevik",),
    "Other unit type eliminated (e.g. armored train)": ("other",),
}
WEST = ", CP Main Effort West turn"


def factor(words: str) -> int:
    """Points as that reader wrote them: with the side that they are for, or as many as a fortress defends with."""
    return int(words.replace("fort defense factor", "1").split()[-1])


def test_the_victory_points_chart(war: Game) -> None:
    """What the enemy gains and the owner loses; a fortress counts once for each point of its defence factor."""
    expected: dict[tuple[object, ...], tuple[object, ...]] = {}
    of = {"allies": "allied-", "central-powers": "central-"}
    for row in rows(SECOND / "victory.csv"):
        event, side = row["event"].removesuffix(WEST), SIDES[row["of"]]
        for kind in EVENTS.get(event, ()):
            gain, loss = (factor(row[name]) for name in ("gain", "loss"))
            whose = "west-" if event != row["event"] else of[side]
            name = kind if kind in ("objective", "bolshevik", "other") else f"{whose}{kind}"
            assert expected.setdefault((name,), (gain, loss)) == (gain, loss)
    assert cells(war, "victory") == expected


def test_the_victory_points_chart_asks_for_nothing_that_cannot_be(war: Game) -> None:
    chart = war.chart("victory")
    assert {key for (key,) in chart.cells} == {*chart.keys[0].values}


def test_the_landing_table(war: Game) -> None:
    words = {"Unit eliminated": "eliminated", "Move fails": "fails", "Unit lands": "lands"}
    expected = {}
    for row in rows(SECOND / "landing.csv"):
        first, _, last = row["die"].partition("-")
        faces = range(int(first), int(last or first) + 1)
        expected |= {(die,): (words[row["result"].partition(" (")[0]],) for die in faces}
    assert cells(war, "landing") == expected


def test_the_main_efforts_that_scenarios_name(war: Game) -> None:
    """26.3, 27.3, 28.3; the other years stand on the map."""
    expected = {(int(row["scenario"]),): (row["main_effort"].lower(),) for row in rows(SECOND / "scenarios.csv")}
    assert cells(war, "main-effort") == expected


MONTHS = (
    *("January-February", "March-April", "May", "June", "July", "August", "September", "October"),
    "November-December",
)
TURNS = [f"{month} {year}" for year in range(1914, 1919) for month in MONTHS][5:]


def test_what_the_text_says_of_the_turn_record(war: Game) -> None:
    """One turn a month in summer, and two months in winter and thaw (2.9): five years from August 1914 to 1918 have 40 turns."""
    dates = {int(row["turns"]): row["text"] for row in rows(FOLDER / "turns.csv") if row["kind"] == "date"}
    assert [dates[turn] for turn in sorted(dates)] == TURNS
    # "instead of one", 1914 and 1915, under Artillery
    assert cells(war, "scheduled-supply") == {("allies", turn): (1,) for turn in range(1, 14)}


def test_no_cell_claims_more_than_the_rulebook_says(war: Game) -> None:
    for chart in war.charts.values():
        assert {cell.source for cell in chart.cells.values()} <= {Source.RULEBOOK, Source.RECONSTRUCTION}, chart


# --- units and where they go --------------------------------------------------------------------------------------------

NATIONS = {"Russian": "Rus", "German": "Ger", "Austro-Hungarian": "AH", "Romanian": "Rom", "Bulgarian": "Bul"}
ADJECTIVES = {"Russian": "russian", "German": "german", "Austro-Hungarian": "austro-hungarian"}
ARMS = {"Infantry Corps": "inf", "Cavalry Corps": "cav", "Armored Train": "train", "Army Abteilung": "Abt"}
HEADQUARTERS = {
    "Russian West Army (W)": "Rus-W",
    "Russian Southwest Army (SW)": "Rus-SW",
    "Russian Northwest Front (NW)": "Rus-NW",
    "Russian Southwest Front (SW)": "Rus-SW",
    "Russian North (N)": "Rus-N",
    "Russian Northwest (NW)": "Rus-NW",
    "Russian Southwest (SW)": "Rus-SW",
    "German Ober Ost": "Ober-Ost",
    "German H-L": "H-L",
    "German Mackensen": "Mackensen",
    "German Eichorn": "Eichhorn",
    "German Leopold": "Leopold",
    "German Linsingen": "Linsingen",
    "Austro-Hungarian Bohm-Ermolli": "B-E",
}
PLACES = {"Ivanogrod": "Ivangorod", "Konigsberg": "Königsberg", "Przemsyl": "Przemysl", "Kormarom": "Komarom"}
"""Spelled otherwise where the text prints them."""


def kind_of(unit: str, place: str) -> str:
    """Who a unit is, of its kind alone where several are alike; a fortress has the name of its city."""
    if unit.endswith(" HQ"):
        return HEADQUARTERS[unit.removesuffix(" HQ")]
    if "Fortress units" in unit:
        return f"every fortress: {ADJECTIVES[unit.partition(' Fortress')[0]]}"
    if unit.endswith("Fortress"):
        return place
    if unit == "Sud Army Abteilung":
        return "Sud"
    if unit.endswith("Supply Unit"):
        return "Allied-supply" if unit.startswith("Allied") else "CP-supply"
    nation, _, name = unit.partition(" ")
    if army := re.fullmatch("([0-9]+)(?:st|nd|rd|th) Army", name):
        return f"{NATIONS[nation]}-{army[1]}"
    return f"{NATIONS[nation]}-{ARMS[name]}"


def where_of(words: str) -> str:
    """Where a unit goes, in the words of order-of-battle.csv."""
    words = re.sub(r", (east|west) of .*|,? ?(east|west) of Front Line only| \(.*? neutral\)| \([0-9]{4}\)", "", words)
    if re.match("one (each )?per city of same name", words):
        return "the city of its name"
    words = re.sub(
        r'"?"?([0-9])"?"? Army mobilization hex|Russian Mobilization hex ([0-9])',
        lambda m: f"mobilization {m[1] or m[2]}",
        words,
    )
    found = []
    for pattern, said in (
        ("any one (.*?)n? city", lambda m: f"{countries(m[1])} any city"),
        (r"any rail hex(?:es)? in (.*)", lambda m: f"{countries(m[1])} any rail hex"),
        ("on or adjacent to (.*)", lambda m: f"{m[1]} within 1"),
        ("within two hexes of (.*)", lambda m: f"{m[1]} within 2"),
    ):
        if one := re.fullmatch(pattern, words):
            return said(one)
    if one := re.match("anywhere in ([A-Z].*?)(?= north| south|$)", words):
        found.append(countries(one[1]))
    for way in ("north", "south"):
        if one := re.search(rf"{way} of (.*?) \((inclusive|exclusive)\)", words):
            found.append(f"{way} {one[1]}" + "+" * (one[2] == "inclusive"))
    return " ".join(found) or PLACES.get(words, words)


def countries(words: str) -> str:
    """Countries as order-of-battle.csv names them."""
    return (
        re.sub(" and/or | or ", " or ", words)
        .lower()
        .replace("austro-hungary", "austria-hungary")
        .replace("hungaria", "hungary")
    )


def second(scenario: str, side: str) -> list[tuple[str, str]]:
    """Where each unit of a set-up goes, and who it is, by the second transcription."""
    found = []
    for row in rows(SECOND / "order-of-battle.csv"):
        if (row["scenario"], SIDES[row["side"]]) != (scenario, side) or re.match("available|\\(not", row["where"]):
            continue
        unit, _, count = row["unit"].partition(" x")
        where = where_of(row["where"])
        kind = kind_of(unit, where) + " R" * (row["reversed"] == "yes")
        found += [(where, kind)] * int(count or 1)
    return sorted(found)


def ours(row: dict[str, str]) -> tuple[str, str]:
    """The same of a row of order-of-battle.csv."""
    within = f"within {row['within']}" if row["within"] not in ("", "0") else ""
    north, south = (row[key] and f"{key[:5]} {row[key]}" for key in ("north_of", "south_of"))
    where = " ".join(word for word in (row["country"], row["at"], within, north, south) if word)
    kind = row["unit"]
    if any(f"-{arm}-" in kind for arm in ("inf", "cav", "train", "supply", "Abt")):
        kind = kind.rpartition("-")[0]
    return where, f"{kind} R" if row["reversed"] else kind


@pytest.mark.parametrize("scenario", ["1914", "1915", "1916"])
@pytest.mark.parametrize("side", ["allies", "central-powers"])
def test_each_unit_of_a_set_up(scenario: str, side: str) -> None:
    found = sorted(
        ours(row)
        for row in rows(FOLDER / "scenarios" / "order-of-battle.csv")
        if (row["scenario"], row["option"], row["side"]) == (scenario, "", side)
    )
    assert found == second(scenario, side)
    assert len(found) > 11


OPTIONS = {
    "Moltke Plan East": "moltke-plan",
    "Plan R": "plan-r",
    "Plan G": "plan-g",
    "Better Cavalry Doctrine": "better-cavalry",
}


def test_what_options_set_up_besides() -> None:
    """Scenario Options, all for 1914; where the text names no hex the unit may go anywhere on its own side of the front line (7.1)."""
    expected = []
    for row in rows(SECOND / "order-of-battle.csv"):
        scenario, _, option = row["scenario"].partition(" + option ")
        unit, _, count = row["unit"].partition(" x")
        if option:
            where = where_of(row["where"])
            expected += [(scenario, OPTIONS[option], SIDES[row["side"]], where, kind_of(unit, where))] * int(count or 1)
    optional = [row for row in rows(FOLDER / "scenarios" / "order-of-battle.csv") if row["option"]]
    found = [(row["scenario"], row["option"], row["side"], *ours(row)) for row in optional]
    assert sorted(found) == sorted(expected)
    assert len(found) == 10


def test_what_else_the_scenarios_state() -> None:
    """26.1 to 26.6, 27.1 to 27.6, 28.1 to 28.6. The last turns are those of November-December, from the year that may end it."""
    boxes = {
        row["scenario"]: row["unit"]
        for row in rows(SECOND / "order-of-battle.csv")
        if row["where"].startswith("available box")
    }
    rebuilt = [
        (row["scenario"], row["unit"]) for row in rows(SECOND / "order-of-battle.csv") if "rebuilding" in row["where"]
    ]
    expected = []
    for row in rows(SECOND / "scenarios.csv"):
        name = row["scenario"]
        last = " ".join(
            str(TURNS.index(f"November-December {year}") + 1) for year in re.findall("19[0-9]{2}", row["last_turns"])
        )
        points = row["vp_central_powers"], row["vp_allies"]
        first = *(SIDES[row[key]] for key in ("first_player", "deploys_first")), boxes[name].partition(" x")[2] or "1"
        again = " ".join(kind_of(unit, "") for scenario, unit in rebuilt if scenario == name)
        expected.append(
            (name, str(TURNS.index(row["first_turn"]) + 1), last, *points, row["main_effort"].lower(), *first, again)
        )
    assert [tuple(row.values())[:-1] for row in rows(FOLDER / "scenarios" / "scenarios.csv")] == expected


ARRIVE = {
    "Russian 9th Army": "Rus-9",
    "German 10th Army": "Ger-10",
    "Turkish corps (in Bulgaria, south map edge)": "Turk-1",
    "Russian 6th Army": "Rus-6",
    "Russian 7th Army": "Rus-7",
    "Romanian 4th Army": "Rom-4",
    "Russian Romanian Front HQ": "Romanian-Front",
    "German 14th Army": "Ger-14",
    "Austro-Hungarian 5th Army": "AH-5",
}


def test_the_arrivals_that_the_text_dates() -> None:
    """A turn or a date; or turns after Romania's entry. Mackensen's turn is that of the Turkish corps, with which he comes (21.5, 23.2)."""
    expected = set()
    for row in rows(SECOND / "arrivals.csv"):
        turn, entry = re.fullmatch(r"turn ([0-9]+) .*", row["turn"]), re.match("([0-9]+) turn|(turn) of", row["entry"])
        if row["unit"] in ARRIVE and row["turn"] in TURNS:
            expected.add((ARRIVE[row["unit"]], str(TURNS.index(row["turn"]) + 1), ""))
        elif row["unit"] in ARRIVE and turn:
            expected.add((ARRIVE[row["unit"]], turn[1], ""))
        elif row["unit"] in ARRIVE and entry:
            expected.add((ARRIVE[row["unit"]], "", entry[1] or "0"))
    found = set()
    for row in rows(FOLDER / "schedules" / "arrivals.csv"):
        entry, _, turns = row["at"].partition("+")
        is_counted = entry == "romania-enters"
        found.add((row["units"], "" if is_counted else entry, (turns or "0") if is_counted else ""))
    assert found - {("Mackensen", "", "0")} == expected
    assert len(expected) == 9


def test_the_roster_has_each_unit_that_a_set_up_names(war: Game) -> None:
    units = {row["unit"] for row in rows(FOLDER / "scenarios" / "order-of-battle.csv")}
    assert {unit for unit in units if not unit.startswith("every ")} <= {*war.roster}


def test_each_row_of_the_rule_index_has_a_title_of_its_own() -> None:
    found = rows(FOLDER / "rules.csv")
    assert len({row["title"] for row in found}) == len(found)
