"""`assistant pack`: a chart typed at a terminal, broken off and gone on with; what then rests on it."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from assistant.game.charts import Chart, Keys
from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.game.printed_charts import grids_of

from ....cases import few, thorough
from ....commands import Done, run_command
from ....folders import written
from ....terminal import at_a_terminal
from ...asking.test_placeholders import GAME as GAME_OF_MILL
from ...asking.test_placeholders import HEAD, LETTERS, TRACKS

GAME = "twilight-in-the-east"
UNDONE = "world-undone-east-prussia-1914"
PROMPT = "\x1b[?2004h"
"""What the terminal is told whenever a line may be typed: that pasted text comes marked."""
BATTLE = """game twilight-in-the-east
turn=1
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12-16-7-11)
41.19|40.19,40.20 open
ask battle at=41.19 attacker-ap=3,20 defender-ap=1
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def run(data: Path, *words: str, typed: str = "") -> Done:
    return run_command(data.parent, *words, typed=typed, data=data)


@thorough
def test_a_chart_typed_at_a_terminal_broken_off_and_gone_on_with(data: Path, twilight: Game) -> None:
    chart = twilight.chart("crt")
    keys = list_keys(chart)
    texts = [chart.write(key, chart.cells[key]).partition(" = ")[2] for key in keys]
    first = at_a_terminal(data, ["pack", "enter", GAME, "crt"], texts[:70], awaits=PROMPT, then=b"\x03", enter="\r")
    assert "198 cells to type" in first
    kept = (data / "packs" / GAME / "charts" / "crt.csv").read_text().splitlines()
    assert len(kept) == 1 + 70
    wrong = ["+9 / -", *texts[70:]]
    second = at_a_terminal(data, ["pack", "enter", GAME, "crt"], wrong, awaits=PROMPT, then=b".\r", enter="\r")
    assert "128 cells to type" in second
    assert "attacker: '+9' is not allowed" in second
    assert "the chart is complete" in second
    run(data, "pack", "take", GAME, "slrt", str(_slrt(data.parent, twilight)))
    (data.parent / "battle.pos").write_text(BATTLE)
    answer = run(data, "battle", "battle.pos", "--full")
    assert "reconstruction" not in answer.stdout
    assert "hexes the defender retreats by the CRT result" in answer.stdout


def _slrt(folder: Path, game: Game) -> Path:
    chart = game.chart("slrt")
    rows = [",".join(map(str, (*key, *cell.values.values()))) for key, cell in chart.cells.items()]
    file = folder / "slrt.csv"
    file.write_text("\n".join(["season,magnitude,roll,steps,ec", *rows]) + "\n")
    return file


def test_a_cell_that_contradicts_the_rulebook_is_refused_with_that_fact(data: Path) -> None:
    done = run(data, "pack", "set", GAME, "chart", "crt", "summer", "1:1", "7", "=", "+2", "/", "-")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[1] == "  by rule 10.9: chart crt summer 1:1 7 = +1 / -"
    assert not list(data.rglob("*.csv"))


def test_just_the_cells_that_an_answer_needs_are_asked_for(data: Path) -> None:
    data.parent.joinpath("battle.pos").write_text(BATTLE)
    done = run(data, "pack", "complete", "battle.pos", typed="+1 / -\n.\n")
    assert "crt summer 1:1 2 (attacker / defender)> " in done.stdout
    assert "1:2" not in done.stdout
    assert "1 of 198 cells of crt" in run(data, "pack", "list").stdout


def test_facts_that_a_position_states_come_first_and_are_shown_as_they_are_written(data: Path) -> None:
    data.parent.joinpath("battle.pos").write_text(BATTLE.replace("40.19,40.20 open", "40.19 open"))
    *_, line, last = run(data, "pack", "complete", "battle.pos").stdout.splitlines()
    assert line.startswith("state in the position: rivers and ridges")
    assert last == ("battle: write each into battle.pos, such as `40.20|41.19 open`, and type the same command again")


def test_a_row_that_is_named_is_typed_anew_once_all_of_it_is_kept_and_has_no_word_behind_its_key(data: Path) -> None:
    enter = ("pack", "enter", GAME, "slrt", "summer", "Large", "5")
    done = run(data, *enter, typed="1/0\n")
    assert done.stdout.endswith(f"1 cell saved; 135 are missing: `assistant pack enter {GAME} slrt` continues\n")
    done = run(data, *enter, "6")
    assert (done.returncode, "'6' comes after the last part of the key of a cell of slrt" in done.stderr) == (3, True)
    left = run(data, *enter, typed="\n").stdout
    assert "1 cell to type again, each as steps / ec; an empty line keeps what you have" in left
    assert left.endswith(f"0 cells saved; 135 are missing: `assistant pack enter {GAME} slrt` continues\n")
    again = run(data, *enter, typed="2/0\n").stdout
    assert f"1 cell saved; 135 are missing: `assistant pack enter {GAME} slrt` continues\n" in again
    assert ",2,0" in (data / "packs" / GAME / "charts" / "slrt.csv").read_text()


def test_a_cell_may_begin_with_a_minus_sign_and_be_written_short(data: Path) -> None:
    where = (GAME, "chart", "crt", "autumn", "3:1", "12")
    for cell in ("-2*/+2w1", "-2 * / +2 W1"):
        assert run(data, "pack", "set", *where, "=", cell).stdout == "saved\n"
        assert "autumn,3:1,12,-2 *,+2 W1" in (data / "packs" / GAME / "charts" / "crt.csv").read_text()
        run(data, "pack", "unset", *where)
    assert run(data, "pack", "set", GAME, "--cart", "crt").returncode != 0


def test_a_chart_named_without_the_word_chart_is_shown_with_it(data: Path) -> None:
    for command, ending in (("set", " = CELL"), ("unset", "")):
        done = run(data, "pack", command, GAME, "crt", "autumn", "3:1")
        assert done.stderr.endswith(f"write: pack {command} {GAME} chart crt SEASON ODDS ROLL{ending}\n")


def test_single_facts_and_what_they_stand_instead_of(data: Path) -> None:
    for words in (["unit", "25/3", "defence", "13"], ["ground", "41.19", "terrain", "high-mountain"], ["ruling", "flip-point", "half-down"]):  # fmt: skip
        assert run(data, "pack", "set", GAME, *words).stdout == "saved\n"
    unit, ground = run(data, "pack", "diff", GAME).stdout.splitlines()
    assert unit == "25/3 defence=13   instead of 12 (illustrative)"
    assert ground.startswith("41.19 high-mountain   instead of ") and ground.endswith(" (drawn) on board east")
    checked = run(data, "pack", "check", GAME).stdout
    assert checked.startswith(f"{GAME}: 1 counter, 1 fact of the map, 1 ruling\ncounters: 5 of 144 complete\n")
    assert "is not a fact for a pack" in run(data, "pack", "set", GAME, "units", "25/3").stderr
    assert (
        "write: pack set twilight-in-the-east ruling RULING READING" in run(data, "pack", "set", GAME, "ruling").stderr
    )


SINGLE = {
    "unit 25/3 defence": "12",
    "ground 40.20|41.19 barrier": "minor-river",
    "ruling flip-point": "half-up",
    "turn 1 date": "17 August 1914",
    "army german|Eighth attachment-limit": "5",
    "chart crt summer 1:1 9": "= +1 / -",
}


@few(1)
@pytest.mark.parametrize("what", SINGLE)
def test_what_was_set_is_taken_out_again(what: str, data: Path) -> None:
    words = [word.replace("german|", "german ") for word in what.split()]
    value = SINGLE[what].split() if what.startswith("chart") else [SINGLE[what]]
    lacking = run(data, "pack", "unset", GAME, *words)
    assert (lacking.returncode, "your pack has no entry for" in lacking.stderr) == (3, True)
    assert run(data, "pack", "set", GAME, *words, *value).stdout == "saved\n"
    assert f"{GAME}: nothing entered" not in run(data, "pack", "list").stdout
    assert run(data, "pack", "unset", GAME, *words).stdout == "taken out\n"
    assert f"{GAME}: nothing entered" in run(data, "pack", "list").stdout


def test_all_that_was_set_of_a_unit_is_taken_out_and_nothing_else(data: Path) -> None:
    run(data, "pack", "set", GAME, "unit", "25/3", "defence", "12")
    run(data, "pack", "set", GAME, "unit", "27/3", "defence", "11")
    run(data, "pack", "set", GAME, "unit", "Reserve", "nation=german", "arm=infantry", "size=XX", "defence=9")
    assert run(data, "pack", "unset", GAME, "unit", "25/3").stdout == "taken out\n"
    assert run(data, "pack", "unset", GAME, "unit", "Reserve", "nation").returncode == 3
    left = run(data, "pack", "diff", GAME).stdout
    assert "27/3 defence=11" in left and "Reserve nation=german" in left and "25/3" not in left
    assert run(data, "pack", "unset", GAME, "unit", "Reserve").stdout == "taken out\n"


def test_what_cannot_be_taken_out_is_refused(data: Path) -> None:
    run(data, "pack", "set", GAME, "ground", "41.19", "terrain", "clear")
    file = data / "packs" / GAME / "map.lines"
    file.write_text("41.19, 41.20 clear\n")
    refused = run(data, "pack", "unset", GAME, "ground", "41.19", "terrain")
    assert refused.stderr.endswith("the entry says more than this: change it there\n")
    assert file.read_text() == "41.19, 41.20 clear\n"
    hint = f"write: pack unset {GAME} ground HEX TRACK"
    assert run(data, "pack", "unset", GAME, "ground", "41.19").stderr.endswith(f"{hint}\n")
    assert "unit" in run(data, "pack", "unset", GAME, "units", "25/3").stderr
    for command, *text in (["set", "17 August 1914"], ["unset"]):
        assert "'x' is not a turn number" in run(data, "pack", command, GAME, "turn", "x", "date", *text).stderr


def test_a_file_with_another_name_than_a_pack_has_is_named(data: Path) -> None:
    run(data, "pack", "set", GAME, "ruling", "flip-point", "half-down")
    (pack,) = (data / "packs").iterdir()
    (pack / "boards").mkdir()
    for name in ("maps.lines", "boards/esat.lines", "map.lines~", ".map.lines"):
        (pack / name).write_text("41.19 clear\n", "utf-8")
    said = run(data, "pack", "check", GAME).stdout.splitlines()
    assert [line.split(" ")[0] for line in said if "is not read" in line] == [
        str(pack / "boards" / "esat.lines"),
        str(pack / "maps.lines"),
    ]


def test_the_map_of_a_pack_is_named_with_its_folder(data: Path) -> None:
    run(data, "pack", "set", GAME, "ruling", "flip-point", "half-down")
    (pack,) = (data / "packs").iterdir()
    (pack / "map.lines").write_bytes("41.19 clear  # Łomża\n".encode("iso8859-2"))
    assert run(data, "pack", "check", GAME).stderr.startswith(
        f"assistant: {pack / 'map.lines'}:1: the text is not UTF-8"
    )
    (pack / "map.lines").unlink()
    (pack / "map.lines").mkdir()
    said = run(data, "pack", "check", GAME).stderr
    assert said.startswith(f"assistant: {pack / 'map.lines'}: Is a directory\n  put a file in place of this folder")


def test_a_pack_is_exported_whole_and_imported_on_another_machine(data: Path) -> None:
    run(data, "pack", "set", GAME, "unit", "25/3", "defence", "13")
    assert run(data, "pack", "export", GAME, "mine.zip").returncode == 0
    with zipfile.ZipFile(data.parent / "mine.zip") as container:
        assert container.namelist() == ["counters.csv"]
    assert run(data, "pack", "export", GAME, "mine.zip").returncode == 3
    there = data.parent / "there"
    assert run_command(data.parent, "pack", "import", GAME, "mine.zip", data=there).returncode == 0
    assert (there / "packs" / GAME / "counters.csv").read_text() == "unit,defence\n25/3,13\n"
    wrong = run_command(data.parent, "pack", "import", "kaisers-war-in-the-east", "mine.zip", data=there)
    assert (wrong.returncode, "mine.zip" in wrong.stderr) == (3, True)


def test_a_pack_spoilt_by_hand_is_told(data: Path) -> None:
    run(data, "pack", "set", GAME, "chart", "crt", "summer", "1:1", "2", "=", "-", "/", "-")
    file = data / "packs" / GAME / "charts" / "crt.csv"
    file.write_text(file.read_text() + "summer,1:1,7,-,-\n")
    done = run(data, "pack", "check", GAME)
    assert done.returncode == 1
    assert "contradicts the rulebook" in done.stderr


def test_a_pack_that_is_no_plain_file_or_no_text_is_refused_with_its_name(data: Path) -> None:
    folder = data / "packs" / GAME
    folder.mkdir(parents=True)
    os.mkfifo(folder / "counters.csv")
    data.parent.joinpath("battle.pos").write_text(BATTLE)
    assert "not a regular file" in run(data, "battle", "battle.pos").stderr
    (folder / "counters.csv").unlink()
    (folder / "counters.csv").write_bytes(b"unit,defence\n25/3,\xff\n")
    done = run(data, "battle", "battle.pos")
    assert (done.returncode, done.stdout) == (3, "")
    assert "the text is not UTF-8" in done.stderr


def test_what_was_kept_of_a_unit_that_left_the_roster_is_still_told(data: Path) -> None:
    file = data / "packs" / GAME / "counters.csv"
    file.parent.mkdir(parents=True)
    file.write_text("unit,defence\nGone,7\n")
    done = run(data, "pack", "diff", GAME)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Gone defence=7   instead of nothing: the roster has no such unit\n"


MARCH = '''"""Whether a hex can be marched through."""

import msgspec

from assistant.asking.question import PlaceName, Question
from assistant.asking.report import Report, Verdict


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """at: the hex."""

    at: PlaceName


def answer(view, parameters, answers):
    with view.gather() as facts:
        terrain = facts.word("terrain", parameters.at)
    return Report(title="March", verdict=Verdict("no" if terrain == "wood" else "yes", "{terrain}", {"terrain": terrain}))


QUESTION = Question(name="march", title="march", parameters=Parameters, result=type(None), answer=answer, answers={})
'''
REGISTERED = """from assistant import hookimpl


@hookimpl
def register_questions(game, register):
    register("march", f"{__name__}.march")
"""


def test_facts_of_a_drawn_map_are_asked_for_and_kept(data: Path) -> None:
    folder = data.parent / "mill"
    files = {
        "game.toml": GAME_OF_MILL,
        "tracks.toml": TRACKS,
        "boards/valley/board.toml": HEAD,
        "boards/valley/terrain.txt": LETTERS,
        "__init__.py": REGISTERED,
        "march.py": MARCH,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (data.parent / "march.pos").write_text("game mill\nboard valley\nask march at=0101\n", "utf-8")
    words = ("pack", "complete", "march.pos", "--question", "march", "--game", "mill")
    left = run(data, *words, typed="\n")
    assert (left.returncode, left.stdout) == (
        0,
        "the valley: = is as drawn, an empty line leaves a fact out, a dot stops\n"
        "terrain of 0101, drawn as clear (0101 clear|swamp|wood)>\nmarch: some of what it needs was left out\n",
    ), left.stderr
    wrong = run(data, *words, typed="forest\n=\n")
    assert "terrain: 'forest' is not allowed" in wrong.stdout
    assert wrong.stdout.endswith("march: all that it needs is known\n")
    assert (data / "packs" / "mill" / "map.lines").read_text("utf-8") == "0101 clear\n"
    assert run(data, "pack", "diff", "mill").stdout == "1 fact of the map is as it was drawn\n"
    settled = run(data, "ask", "march", "march.pos", "--game", "mill")
    assert (settled.returncode, "= clear" in settled.stdout, "drawn" in settled.stdout) == (0, True, False)


CHART_UNREAD = """[cost]
title = "costs"
rule = "8.1"
unread = "so far, no rule reads them"
keys = [{ name = "feature", values = ["clear", "wood"] }]
fields = [{ name = "cost", least = 0, most = 9 }]

[odds]
title = "odds"
rule = "9.1"
keys = [{ name = "roll", least = 1, most = 2 }]
fields = [{ name = "cost", least = 0, most = 9 }]
"""


def test_a_chart_that_no_rule_reads_yet_says_so_when_it_is_entered(data: Path) -> None:
    written(data.parent / "mill", {"game.toml": GAME_OF_MILL, "tracks.toml": TRACKS, "charts.toml": CHART_UNREAD})
    said = "cost: so far, no rule reads them"
    assert said in run(data, "pack", "enter", "mill", "cost", typed=".\n").stderr
    assert said in run(data, "pack", "set", "mill", "chart", "cost", "wood", "=", "2").stderr
    assert run(data, "pack", "enter", "mill", "odds", typed=".\n").stderr == ""


def test_where_a_chart_ends_is_asked_first_if_only_its_owner_knows(data: Path) -> None:
    enter = ("pack", "enter", UNDONE, "german-table")
    typed = "6:1\n1:2 2:1\n3 1\n0 2\nAE A1 D1\nAE D1 D2\n.\n"
    first = run(data, *enter, typed=typed).stdout
    assert "the first and the last odds printed> " in first
    assert "'6:1' is not the first and the last odds" in first
    assert "die ends at 1+, but there is also 3-" in first
    assert "9 cells to type" in first
    assert "german-table 1:2-, 0-, 1, 2+ (result)> " in first.replace("0-, 1 to 2+", "0-, 1, 2+")
    kept = (data / "packs" / UNDONE / "charts" / "german-table.csv").read_text().splitlines()
    assert kept[1:] == ["1:2-,0-,AE", "1:2-,1,A1", "1:2-,2+,D1", "1:1,0-,AE", "1:1,1,D1", "1:1,2+,D2"]
    second = run(data, *enter, typed="2:1\nD1 D2 DE\n").stdout
    assert second.startswith("german-table: the last odds printed> ")
    assert "the chart is complete" in second
    assert "9 of 9 cells of german-table" in run(data, "pack", "list").stdout


def test_ends_are_asked_for_with_a_hint_of_their_kind_and_a_column_beyond_one_is_that_of_the_end(data: Path) -> None:
    enter = ("pack", "enter", UNDONE, "german-table")
    done = run(data, *enter, typed="\n")
    assert "where the Combat Results Table, Germans attacking ends is not known" in done.stderr
    told = run(data, *enter, typed="1:2- 2:1+\n0\n0 2\n.\n").stdout
    assert "type 0 7 or the like" in told
    assert "german-table 1:2-, 0-, 1, 2+ (result)> " in told.replace("0-, 1 to 2+", "0-, 1, 2+")
    for column in ("2:1", "3:1", "2:1+"):
        told = run(data, *enter, column, typed="1:2 2:1\n0 2\n.\n").stdout
        assert "3 cells to type" in told
        assert "german-table 2:1+, 0-, 1 to 2+ (result)> " in told


EAST = f"game {UNDONE}\nphase=first-combat\n5320|5420 open\n5320: I/2 supply=in\n5420 swamp: III/25 supply=in\n"


def test_completing_asks_for_each_cell_once_and_for_ends_once_unless_the_position_states_them(data: Path) -> None:
    stated = "chart german-table 1:3- 1- = AE\nchart german-table 3:1+ 5+ = DE\n"
    (data.parent / "stated.pos").write_text(f"{EAST}{stated}ask battle at=5420\n")
    done = run(data, "pack", "complete", "stated.pos", typed="EX\nD1\nDE\n")
    assert "printed" not in done.stdout
    assert "all that it needs is known" in done.stdout
    shutil.rmtree(data)
    (data.parent / "east.pos").write_text(f"{EAST}ask battle at=5420\n")
    done = run(data, "pack", "complete", "east.pos", typed="1:2 3:1\n1 5\nEX\nD1\nDE\n")
    assert done.stdout.count("german-table 1:1") == 3  # 3, 4, and all from 5 on
    assert "all that it needs is known" in done.stdout
    answer = run(data, "ask", "battle", "east.pos").stdout
    assert "DE (66.7%)" in answer


# --- scenarios --------------------------------------------------------------------------------------------------------


@thorough
def test_a_scenario_is_typed_line_by_line_and_each_is_checked(data: Path) -> None:
    lines = "board east\ntrust counters\nturn=1\n42.19: 25/33\n42.19: 25/3\n42.20: 27/3\nback\n"
    typed = run(data, "pack", "enter", GAME, "setups", "dawn", typed=lines)
    assert "unknown unit '25/33'" in typed.stdout and "nearest known: " in typed.stdout
    assert "4 lines saved" in typed.stdout and "scenario dawn: the set-up does not state: last-turn" in typed.stdout
    folder = data / "packs" / GAME
    assert (folder / "setups" / "dawn.pos").read_text().endswith("turn=1\n42.19: 25/3\n")
    rows = "2 42.30: 2 c, 3 c army=First\n48: 27/3\n3 42.30: 25/3\n3 42.300: 27/3\n3 42.30: 27/3\nback\n\n.\n4: 4/6\n"
    typed = run(data, "pack", "enter", GAME, "schedules", "dawn", typed=rows)
    assert "48 is outside the game" in typed.stdout and "its turns are 1 to 47" in typed.stdout
    assert "'25/3' is set up in 42.19 but arrives in turn 3" in typed.stdout
    assert "hex 42.300 is off the map" in typed.stdout
    assert "1 line saved" in typed.stdout
    assert (folder / "schedules" / "dawn.csv").read_text() == 'at,units,place,army\n2,"2 c, 3 c",42.30,First\n'
    assert "name the scenario" in run(data, "pack", "enter", GAME, "schedules").stderr
    assert "1 scenario" in run(data, "pack", "list").stdout


def test_a_scenario_is_taken_from_files_checked_exported_and_imported(data: Path) -> None:
    texts = {
        "dawn.pos": f"game {GAME}\nscenario=dawn\nturn=1\n42.19: 25/3\n",
        "dawn.csv": "at,units\n2,27/3\n",
        "dusk.csv": "at,units\n2,27/3\n0,29/20\n",
    }
    written(data.parent, texts)
    assert "setups of the scenario dawn saved" in run(data, "pack", "take", GAME, "setups", "dawn.pos").stdout
    assert "schedules of the scenario dawn saved" in run(data, "pack", "take", GAME, "schedules", "dawn.csv").stdout
    refused = run(data, "pack", "take", GAME, "schedules", "dusk.csv").stderr
    assert "dusk.csv:3: 0 is outside the game" in refused
    run(data, "pack", "export", GAME, "mine.zip")
    there = data.parent / "there"
    run_command(data.parent, "pack", "import", GAME, "mine.zip", data=there)
    assert (there / "packs" / GAME / "schedules" / "dawn.csv").read_text() == texts["dawn.csv"]
    checked = run_command(data.parent, "pack", "check", GAME, data=there).stdout
    assert "scenario dawn: Strategic Plan in force not stated for: russian First" in checked
    (there / "packs" / GAME / "schedules" / "dawn.csv").write_text("at,units\n2,25/3\n")
    wrong = run_command(data.parent, "pack", "check", GAME, data=there)
    assert wrong.returncode == 1 and "dawn.csv:2: '25/3' is set up in 42.19 but arrives in turn 2" in wrong.stderr


# --- whole tables -----------------------------------------------------------------------------------------------------


def table_of(chart: Chart, keys: Iterable[Keys]) -> str:
    """The tables of a chart as a spreadsheet gives them, each below its title."""
    lines = []
    for grid in grids_of(chart, keys):
        lines += [grid.title] if grid.title else []
        lines.append("\t".join(["", *grid.column_heads]))
        for row, head in enumerate(grid.row_heads):
            cells = (chart.cells[grid.key(row, column)] for column in range(len(grid.columns)))
            lines.append("\t".join([head, *map(chart.write_cell, cells)]))
    return "\n".join(lines)


def thirteen_by_eleven() -> dict[Keys, str]:
    """A made-up chart of 13 odds columns and 11 rolls, of which only its owner knows where it ends."""
    odds = ["1:5-", "1:4", "1:3", "1:2", "1:1", *(f"{attack}:1" for attack in range(2, 9)), "9:1+"]
    die = ["2-", *range(3, 12), "12+"]
    results = ["AE", "A4", "A3", "A2", "A1", "EX", "-", "D1", "D2", "D3", "D4", "DE"]
    return {
        (column, row): results[min((across + down) // 2, 11)]
        for across, column in enumerate(odds)
        for down, row in enumerate(die)
    }


def test_a_chart_of_13_by_11_cells_is_pasted_in_three_minutes(data: Path) -> None:
    """At 2.5 keys a second, with a minute for each of going to the spreadsheet and looking at what was read."""
    cells = thirteen_by_eleven()
    odds, die = (list(dict.fromkeys(key[place] for key in cells)) for place in (0, 1))
    lines = ["\t".join(["", *(str(part).rstrip("-+") for part in odds)])]
    lines += [
        "\t".join([str(row).rstrip("-+"), *(cells[column, row].replace("-", "\u2013") for column in odds)])
        for row in die
    ]
    said = run(data, "pack", "enter", UNDONE, "german-table", typed="\n".join([*lines, "", "y", ""])).stdout
    assert "143 cells saved; the chart is complete" in said
    shown = said.partition("\n|\n")[2].partition("read as")[0]
    assert 70 < max(map(len, shown.splitlines())) <= 80
    kept = (data / "packs" / UNDONE / "charts" / "german-table.csv").read_text().splitlines()
    assert kept[1:] == [",".join(map(str, (*key, cells[key]))) for key in cells]
    keys = len("assistant pack enter world german-table\n") + 2 + len("\ny\n")  # two for the paste
    assert 60 + 60 + keys / 2.5 < 180


def test_a_chart_of_13_by_11_cells_is_typed_in_eight_minutes(data: Path) -> None:
    """A row of the printed chart on a line, behind its roll, each confirmed: at 2.5 keys a second."""
    cells = thirteen_by_eleven()
    odds, die = (list(dict.fromkeys(key[place] for key in cells)) for place in (0, 1))
    lines = ["1:5 9:1", "2 12"]
    for row in die:
        typed = " ".join(cells[column, row].lower() for column in odds)
        lines += [f"{str(row).rstrip('-+')}: {typed}", "y"]
    said = run(data, "pack", "enter", UNDONE, "german-table", typed="\n".join([*lines, ""])).stdout
    assert "143 cells saved; the chart is complete" in said
    keys = sum(len(line) + 1 for line in ["assistant pack enter world german-table", *lines])
    assert keys / 2.5 < 8 * 60, keys


def test_both_tables_of_the_chart_are_pasted_at_once_and_shown_before_they_are_kept(data: Path, twilight: Game) -> None:
    chart = twilight.chart("crt")
    text = table_of(chart, list_keys(chart))
    shown = run(data, "pack", "enter", GAME, "crt", typed=f"{text}\n\nn\n.\n").stdout
    assert "save 198 cells? (y or n)> n" in shown and "nothing of it is saved" in shown
    assert not (data / "packs" / GAME / "charts").exists()
    shown = run(data, "pack", "enter", GAME, "crt", typed=f"{text}\n\ny\n").stdout
    assert "198 cells saved; the chart is complete" in shown
    assert shown.index("2d6    1:4") < shown.index("read as: rows are roll 2 to 12, by their headings")
    assert "198 of 198 cells of crt" in run(data, "pack", "list").stdout


def test_a_file_with_nothing_to_guess_is_taken_at_once_and_others_after_a_yes(data: Path, twilight: Game) -> None:
    chart = twilight.chart("crt")
    summer = [key for key in list_keys(chart) if key[0] == "summer"]
    file = data.parent / "crt.txt"
    take = ("pack", "take", GAME, "crt", "crt.txt")
    file.write_text(table_of(chart, summer), "utf-8")
    assert run(data, *take).stdout == "99 cells of crt saved\n"
    file.write_text(table_of(chart, summer).partition("\n")[2], "utf-8")  # which no longer says that it is of summer
    refused = run(data, *take)
    assert (refused.returncode, "nothing is saved" in refused.stderr) == (3, True)
    assert "season summer, which nothing names" in refused.stdout and "way 1 of 2" in refused.stdout
    assert run(data, *take, typed="y\n").stdout.endswith("99 cells of crt saved\n")
    assert run(data, *take, typed="n\ny\n").returncode == 3, "autumn has fewer retreats than summer"


def test_all_mistakes_of_a_file_are_named_and_the_rest_is_kept_if_that_is_confirmed(data: Path) -> None:
    file = data.parent / "mine.csv"
    file.write_text(
        "season,odds,roll,attacker,defender\nsummer,1:1,2,-,-\nsummer,1:1,3,-,Q\nsummer,1:1,7,-,-\nsummer,1:1,8,-,-\n"
    )
    take = ("pack", "take", GAME, "crt", "mine.csv")
    refused = run(data, *take)
    assert (refused.returncode, (data / "packs" / GAME / "charts").exists()) == (3, False)
    assert "season summer, odds 1:1, roll 3: defender: 'Q' is not allowed" in refused.stdout
    assert "roll 7: - / - contradicts the rulebook by rule 10.9: +1 / -" in refused.stdout.replace("\n  ", " ")
    assert "save 2 cells, without what is wrong? (y or n)" in refused.stdout
    assert run(data, *take, typed="y\n").stdout.endswith("2 cells of crt saved\n")
    file.write_text("nothing of that kind\n")
    wrong = run(data, *take)
    assert wrong.stderr.startswith("assistant: mine.csv: this is not a table of crt\n  it has 11 (2d6) by 9 ")


def test_a_row_of_the_chart_is_typed_behind_its_heading(data: Path) -> None:
    enter = ("pack", "enter", GAME, "crt", "autumn")
    typed = "2: +3xw2/-2 +3xw1/-2 = +3xb1/-1 = +2x +1 == =\ny\n2: +3xw2/-2 +3xw1/-2 = +3xb1/-1 = +2x +1 ==\ny\n.\n"
    said = run(data, *enter, typed=typed).stdout
    assert "this is not a table of crt" in said, "ten cells are no row of nine columns"
    assert "9 cells saved; 189 are missing" in said
    assert "autumn,6:1,2,+1,-" in (data / "packs" / GAME / "charts" / "crt.csv").read_text()
    assert "autumn 1:4, 3 to 12 (attacker" in said


# --- what is foretold -------------------------------------------------------------------------------------------------

SUMMER = "2 3 4 5 6 2 3 prohibited 1 2 2 2 3 1.5 2 2 2"


@thorough
def test_a_row_that_the_rulebook_leaves_no_choice_is_foretold_and_kept_once_all_is_confirmed(data: Path) -> None:
    enter = ("pack", "enter", GAME, "terrain-cost")
    shown = run(data, *enter, typed=f"{SUMMER}\n~\n.\nn\n").stdout
    assert "clear: ~2 [20.1], rough: ~3 [20.1]" in shown, "High Water changes rivers and what crosses them alone"
    assert "save 13 cells that your copy shows as foretold (~)? (y or n)> n" in shown
    kept = data / "packs" / GAME / "charts" / "terrain-cost.csv"
    assert len(kept.read_text().splitlines()) == 1 + 17, "what is foretold is not kept before that"
    shown = run(data, *enter, typed="~ ~ ~ ~ ~ ~ 4 ~ ~ ~ 3 3 ~2 ~ ~ ~ ~\n? 4 ==\n.\ny\n").stdout
    assert "ferry: ~2 is not foretold" in shown
    shown = run(data, *enter, typed="~2 ~ ~ ~ ~ ~ 4 ~ ~ ~ 3 = 4 ~ ~ ~ ~\n.\ny\n").stdout
    assert "17 cells saved; 34 are missing" in shown
    assert "high-water,ferry,4" in kept.read_text() and "high-water,clear,2" in kept.read_text()


@thorough
def test_a_row_is_offered_at_a_terminal_so_that_enter_takes_it(data: Path) -> None:
    keys = [f"{SUMMER}\r", "\r", ".\r", "y\r"]
    shown = at_a_terminal(data, ["pack", "enter", GAME, "terrain-cost"], keys, awaits=PROMPT, then=b".\r", enter="")
    assert "30 cells saved; 38 are missing" in shown


def test_what_the_rulebook_states_is_foretold_and_no_other_cell_of_its_row(data: Path) -> None:
    shown = run(data, "pack", "enter", GAME, "crt", "summer", "1:1", typed="~\ny\n").stdout
    assert "foretold: 7: ~+1 / - [10.9]" in shown
    assert "1 cell saved; 197 are missing" in shown
    assert "foretold" not in run(data, "pack", "enter", GAME, "crt", "autumn", typed=".\n").stdout
