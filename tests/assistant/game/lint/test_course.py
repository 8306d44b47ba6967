"""What `course.toml`, tables and charts may not say: each fault in its own words, and alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.lint.course import find_course_faults, find_set_up_faults
from assistant.game.lint.faults import format_fault
from assistant.game.lint.tables import chart_remarks, find_table_faults
from assistant.installed.registry import load_game, named_game
from assistant.util.errors import InputError
from module_builder.new import new_game

from ....folders import game_of
from ...records.journal.small import small_game
from ..test_course import GAME, HEAD, TRACKS

PHASES = '[phase]\ntitle = "phase"\non = "game"\nkind = "choice"\nvalues = ["march", "fire"]\n'
PHASES += '[options]\ntitle = "options"\non = "game"\nkind = "choices"\nvalues = ["beer"]\n'
PHASES += '[arm]\ntitle = "arm"\non = "unit"\nkind = "choice"\nvalues = ["foot", "horse"]\nprinted = "counter"\n'
RULINGS = "id,rule,doubt,readings,default,authority\nfog,1.1,how thick,thick: it is; thin: it is not,thick,sense\n"
LIMIT = '[limit]\ntitle = "limit"\non = "army"\nkind = "integer"\n'
COURSE = """
[turns]
tag = "Turn {}"
order = ["red", "blue"]
options = ["options", "phase"]
figures = [{ name = "rail", title = "Rail Points", who = "azure", turns = "2 4" }]

[[phase]]
title = "March"
word = "march"
turns = "1-3"
skipped = [{ turns = "3", who = "blue", unless = "beer" }]
steps = [{ do = "March", who = "red", turns = "2" }, { do = "Drink", option = "beer fog=thin", unless = "fire" }]

[[optional]]
option = "beer"
units = { arm = "horse" }

[organisation]
statuses = ["0", "-1"]
limit = "limit"

[[army]]
name = "First"
nation = "red"
limit = 3
boxes = [{ only = "KG" }]

[[record]]
title = "Points"
who = ["red", "azure"]
"""


def faults(folder: Path, course: str, tracks: str = TRACKS + PHASES + LIMIT) -> list[str]:
    files = {"game.toml": GAME, "tracks.toml": tracks, "course.toml": course, "turns.csv": HEAD, "rulings.csv": RULINGS}
    found: list[InputError] = []
    find_course_faults(game_of(folder, files, "heath"), found.append)
    return [format_fault(fault) for fault in found]


def test_a_sound_course_has_no_faults_and_one_without_turns_has_one(tmp_path: Path) -> None:
    assert faults(tmp_path, COURSE) == []
    found = faults(tmp_path / "2", COURSE, PHASES + LIMIT)
    assert found
    assert all("'turn' is not a number about the game with `least` and `most`" in fault for fault in found)


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('"Turn {}"', '"Turn"', "[turns] tag 'Turn' has no place for the number; write {} there"),
        ('["red", "blue"]', '["red", "bleu"]', "[turns] order: unknown side 'bleu'; nearest known: blue"),
        ('name = "rail"', 'name = "date"', "[turns] figures: 'date' has two meanings; give it another name"),
        ('turns = "2 4"', 'turns = "2 5"', "[turns] figures rail: there is no turn 5; the game has turns 1 to 4"),
        ('who = "azure", turns', 'who = "azur", turns', "figures rail who: unknown side or nation 'azur'; nearest"),
        ('word = "march"', 'word = "mach"', "[[phase]] March: unknown phase 'mach'; nearest known: march"),
        ('turns = "1-3"', 'turns = "0-3"', "[[phase]] March: there is no turn 0-3; the game has turns 1 to 4"),
        ('turns = "2" }', 'turns = "7" }', "[[phase]] March: there is no turn 7; the game has turns 1 to 4"),
        ('nation = "red"', 'nation = "rd"', "[[army]] First nation: unknown nation 'rd'; nearest known: red"),
        ("limit = 3", "limit = 0", "[[army]] First has 1 box but a limit of 0; raise limit"),
        ('limit = "limit"', 'limit = "limt"', "[organisation] limit: unknown track of armies 'limt'; nearest known"),
        ('statuses = ["0", "-1"]', "", "[organisation] has no statuses for the tracks of armies; write: statuses"),
        ('who = ["red", "azure"]', "least = 9\nmost = 1", "[[record]] Points runs from 9 to 1; swap least and most"),
        ('who = ["red", "azure"]', 'who = ["rod"]', "[[record]] Points who: unknown side or nation 'rod'"),
        ("[[record]]", '[[army]]\nname = "First"\nnation = "red"\n[[record]]', "[[army]] red First is listed twice"),
        ('"phase"]', '"phase", "phse"]', "[turns] options: unknown choice about the game 'phse'; nearest known: phase"),
        ('"beer fog', '"bear fog', "[[phase]] March option: unknown optional rule 'bear'; nearest known: beer"),
        ("fog=thin", "fog=thn", "[[phase]] March option: unknown optional rule 'fog=thn'; nearest known: fog"),
        ('unless = "fire"', 'unless = "fir"', "[[phase]] March unless: unknown optional rule 'fir'"),
        ('turns = "3", who', 'turns = "5", who', "[[phase]] March skipped: there is no turn 5"),
        ('who = "blue"', 'who = "bleu"', "[[phase]] March skipped who: unknown side or nation 'bleu'"),
        ('option = "beer"\n', 'option = "bear"\n', "[[optional]] 1 option: unknown optional rule 'bear'"),
        ('{ arm = "horse" }', '{ arn = "horse" }', "[[optional]] 1 units: unknown track of units 'arn'"),
        ('{ arm = "horse" }', '{ arm = "hose" }', "[[optional]] 1 units arm: "),
        ('unless = "beer"', 'unless = "bear"', "skipped unless: unknown optional rule 'bear'; nearest known: beer"),
        ("[turns]", 'costs = ["tec"]\n[turns]', "costs: unknown chart 'tec'"),
        ("[[record]]", '[scenario]\ngame = ["phse"]\n[[record]]', "[scenario] game: unknown track of the game"),
        ("[[record]]", "[scenario.sets.colour]\n[[record]]", "[scenario] sets: unknown track of units 'colour'"),
        ("[[record]]", "[[recrod]]", "recrod: unknown key; nearest known: record"),
    ],
)
def test_each_fault_is_named_alone(before: str, after: str, fault: str, tmp_path: Path) -> None:
    (found,) = faults(tmp_path, COURSE.replace(before, after, 1))
    assert found.startswith("course.toml")
    assert fault in found


CHANGES = "scenario,option,unless,track,subject,value,rule,note\n"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("star,,,,,,,read", "scenario: unknown set-up 'star'; nearest known: start"),
        (",bear,,,,,,read", "option: unknown optional rule 'bear'; nearest known: beer"),
        (",,fog=thn,,,,,read", "unless: unknown optional rule 'fog=thn'; nearest known: fog"),
        ("start,,,trn,,2,,", "track: unknown track 'trn'; nearest known: turn"),
        ("start,,,turn,,soon,,", "turn: 'soon' is not allowed; allowed: a whole number from 1 to 4"),
        ("start,beer,,turn,,2,1.1,", ""),
        ("start,,beer,leave,1st,,1.1,", ""),
        (",,,place,1st,0404,,", ""),
    ],
)
def test_what_changes_set_ups_names_what_there_is(row: str, fault: str, tmp_path: Path) -> None:
    files = {"game.toml": GAME, "tracks.toml": TRACKS + PHASES + LIMIT, "course.toml": COURSE, "rulings.csv": RULINGS}
    files |= {"setups/start.pos": "game heath\n", "setups/changes.csv": f"{CHANGES}{row}\n"}
    found: list[InputError] = []
    find_set_up_faults(game_of(tmp_path, files, "heath"), found.append)
    told = [format_fault(one) for one in found]
    assert [one.startswith(f"setups/changes.csv:2: {fault}") for one in told] == ([True] if fault else []), told


def test_a_row_of_a_schedule_names_optional_rules_that_there_are(tmp_path: Path) -> None:
    rows = "rule,item,at,option,unless\n1,guns,2,beer,march\n2,guns,3,bear,\n3,guns,3,,fog=thin\n"
    files = {"game.toml": GAME, "tracks.toml": TRACKS + PHASES, "schedules/all.csv": rows}
    files["course.toml"] = '[turns]\noptions = ["options", "phase"]\n'
    found: list[InputError] = []
    find_course_faults(game_of(tmp_path, files, "heath"), found.append)
    assert [format_fault(fault).partition(";")[0] for fault in found] == [
        "schedules/all.csv:3: option: unknown optional rule 'bear'",
        "schedules/all.csv:4: unless: unknown optional rule 'fog=thin'",
    ]


def test_a_fault_has_the_line_of_the_longest_name(tmp_path: Path) -> None:
    combat = '[[phase]]\ntitle = "Combat"\n[[phase]]\npart = "player-turn"\ntitle = "Combat Supply"\nturns = "9"\n[organisation]'
    course = COURSE.replace("[organisation]", combat)
    (fault,) = faults(tmp_path, course)
    line = course[: course.index('title = "Combat Supply"')].count("\n") + 1
    assert fault.startswith(f"course.toml:{line}: [[phase]] Combat Supply: there is no turn 9")


def test_a_printed_table_without_its_file_or_a_column_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "gas.csv").write_text("who,text\nred,wind\n", "utf-8")
    table = '\n[[table]]\ntitle = "gas"\nfile = "{}"\ncolumns = [{{ name = "{}", title = "Who" }}]\n'
    assert faults(tmp_path, COURSE + table.format("gas", "who")) == []
    (missing,) = faults(tmp_path, COURSE + table.format("gaz", "who"))
    assert "[[table]] gas file" in missing and "gas" in missing.partition("nearest")[2]
    (column,) = faults(tmp_path, COURSE + table.format("gas", "whose"))
    assert "tables/gas.csv" in column and "whose" in column


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("rust,A1,0101,aug14/1,dec14,1", ""),
        ("rust,A1,0101,shaken,,1", ""),
        (",,,,,", ""),
        ("rusty,,,,,", "who: unknown side or nation 'rusty'; nearest known: rust"),
        ("rust,A9,,,,", "unit: unknown unit of the roster 'A9'; nearest known: A1, A2"),
        ("rust,,9901,,,", "hex 9901 is off the map"),
        ("rust,,,agu14,,", "'agu14' is neither a turn nor counted from a fact that is one"),
        ("rust,,,shakn,,", "'shakn' is neither a turn nor counted from a fact that is one; nearest known: shaken"),
        ("rust,,,aug14/9,,", "aug14 has no turn 9"),
        ("rust,,,dec14/3,dec14,", ""),
        ("rust,,,dec14,nov14,", "the row ends before it begins; exchange its dates"),
        ("rust,,,dec14,aug14/2,", "the row ends before it begins; exchange its dates"),
    ],
)
def test_each_cell_names_what_there_is(tmp_path: Path, row: str, fault: str) -> None:
    game = small_game(tmp_path)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/limits.csv").write_text(f"who,unit,hex,from,until,most\n{row}\n")
    found: list[InputError] = []
    find_table_faults(game, found.append)
    assert [format_fault(one).startswith(f"tables/limits.csv:2: {fault}") for one in found] == (
        [True] if fault else []
    ), found


HEATH = 'title = "Heath"\nabout = "Made up for the tests."\n'
CHART = """[crt]
title = "Results"
keys = [{ name = "odds", values = ["1:1", "2:1"] }, { name = "roll", least = 1, most = 6 }]
fields = [{ name = "result", values = ["NE", "DE"] }]
file = "crt.csv"
"""
ROWS = [f"{odds},{roll},NE,rulebook" for odds in ("1:1", "2:1") for roll in range(1, 7)]


def remarks(folder: Path, rows: list[str], chart: str = CHART) -> list[str]:
    cells = "\n".join(["odds,roll,result,source", *rows, ""])
    return [*chart_remarks(game_of(folder, {"game.toml": HEATH, "charts.toml": chart, "crt.csv": cells}, "heath"))]


def test_missing_cells_and_ends_of_a_chart_are_named(tmp_path: Path) -> None:
    assert remarks(tmp_path / "a", ROWS) == []
    said = remarks(tmp_path / "b", [*ROWS[:8], *ROWS[9:11]])
    assert said == ["chart crt: 10 of 12 cells; crt.csv lacks 2:1, 3, 6"]
    ends = CHART.replace('values = ["1:1", "2:1"]', "odds = true, open = true")
    said = remarks(tmp_path / "c", [row.replace("2:1", "2:1+").replace("1:1", "1:1-") for row in ROWS[:-1]], ends)
    assert said == ["chart crt: 11 of 12 cells; crt.csv lacks 2:1+ 6"]
    ends = CHART.replace('values = ["1:1", "2:1"]', "odds = true")
    assert remarks(tmp_path / "a", ROWS, ends) == [
        "chart crt: crt.csv does not say where odds ends: write 1:1- and 2:1+ there"
    ]
    rows = [row.replace("2:1", "2:1+") for row in ROWS]
    assert remarks(tmp_path / "b", rows, ends) == ["chart crt: crt.csv does not say where odds ends: write 1:1- there"]
    assert remarks(tmp_path / "c", [row.replace("1:1", "1:1-") for row in rows], ends) == []


@pytest.mark.parametrize("rows", [ROWS[:8], [*ROWS[:10], "2:1,5,NE,reconstruction"], []])
def test_a_chart_that_waits_for_its_owner_is_none(rows: list[str], tmp_path: Path) -> None:
    assert remarks(tmp_path, rows) == []


def test_neither_the_installed_games_nor_a_new_one_lack_a_cell(tmp_path: Path) -> None:
    for game in ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914"):
        assert [*chart_remarks(load_game(game))] == []
    new_game(tmp_path / "heath")
    assert [*chart_remarks(named_game(str(tmp_path / "heath")))] == []
