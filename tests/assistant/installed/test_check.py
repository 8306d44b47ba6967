"""`check` tells every mistake of a game at once, a line each: file, place, what is wrong, what to do."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from assistant.installed.check import examine_game

from ...cases import few, seeds
from ...reloading import forget_code

GAME = """
title = "Heath"
about = "Made up for the tests."

[grid]
columns = [1, 9]
rows = [1, 9]

[sides]
red = ["red"]
blue = ["blue"]

[notation]
brackets = ["attack", "defence"]
identity = ["nation"]

[[roster]]
file = "roster.csv"
source = "printed"

[combat]
attack = "attack"
defence = "defence"
rounding = "down"
chart = "crt"
dice = [1, 6]

[figures]
sheep = "how many sheep were lost"

[picture]
figures = ["attack", "defence"]

[picture.colours]
red = "#aa0000"

[table]
ask = "odds"
target = "defenders"
attackers = "attackers"

[table.short]
s = "shift"

[table.usual]
nation = "red"
"""
TRACKS = """
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["red", "blue"]
printed = "counter"

[arm]
title = "arm"
on = "unit"
kind = "choice"
values = ["infantry", "sheep"]
printed = "counter"

[attack]
title = "attack"
on = "unit"
kind = "integer"
least = 0
printed = "counter"

[defence]
title = "defence"
on = "unit"
kind = "integer"
least = 0
printed = "counter"
"""
CHARTS = """
[crt]
title = "Combat Results Table"
keys = [{ name = "odds", values = ["1:1", "2:1"] }, { name = "roll", least = 1, most = 6 }]
fields = [{ name = "result", values = ["retreat", "stand"] }]
"""
FILES = {
    "game.toml": GAME,
    "tracks.toml": TRACKS,
    "charts.toml": CHARTS,
    "roster.csv": "unit,nation,arm,attack,defence\nRams,red,infantry,3,4\nWolves,blue,infantry,2,2\n",
    "examples/first.pos": "game heath\n0101: Rams\n0102: Wolves\nask odds attackers=Rams defenders=Wolves\n",
}


def mistakes(folder: Path, file: str = "game.toml", line: str = "", instead: str = "") -> list[str]:
    """What a check says of the game with one line of one file changed."""
    heath = folder / "heath"
    for name, text in FILES.items():
        heath.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        assert name != file or line in text
        heath.joinpath(name).write_text(text.replace(line, instead, 1) if name == file else text, "utf-8")
    return examine_game(str(heath)).faults.lines


def test_a_game_without_mistakes_needs_no_rule_numbers_and_of_its_examples_only_positions_are_read(
    tmp_path: Path,
) -> None:
    notes = tmp_path / "heath" / "examples" / "notes.txt"
    notes.parent.mkdir(parents=True)
    notes.write_text("what the examples show", "utf-8")
    assert mistakes(tmp_path) == []
    notes.rename(notes.with_suffix(".pos"))
    assert any("examples/notes.pos:1" in line for line in mistakes(tmp_path))


@pytest.mark.parametrize(
    ("file", "line", "instead", "says"),
    [
        ("game.toml", "[combat]", "[combta]", "game.toml:21: combta: unknown key; nearest known: combat"),
        ("game.toml", '"down"', '"up"', "game.toml:24: [combat] rounding: 'up' is not allowed; known: bands, down, midpoint"),
        ("game.toml", '"crt"', '"ctr"', "game.toml: [combat] chart: unknown chart 'ctr'; nearest known: crt"),
        (
            "game.toml",
            'attack = "attack"',
            'attack = "atack"',
            "game.toml: [combat] attack: unknown printed number 'atack'; nearest known: attack",
        ),
        ("game.toml", '"how many sheep were lost"', '""', "[figures] sheep has no meaning"),
        ("game.toml", "#aa0000", "#aa000", "[picture.colours] red: '#aa000' is not a colour; write it as #rrggbb"),
        ("game.toml", 'red = "#aa0000"', 'rde = "#aa0000"', "unknown nation, country, terrain or word of a hexside 'rde'; nearest known: red"),
        ("game.toml", 'blue = ["blue"]', "blue = []", "[sides] 'blue' is on no side; add it to one of red, blue"),
        ("game.toml", 'blue = ["blue"]', 'blue = ["bleu"]', "[sides] blue: unknown nation 'bleu'; nearest known: blue"),
        ("game.toml", "target =", "targte =", "[table] targte: unknown key; nearest known: target"),
        ("game.toml", '"odds"', '"ods"', "game.toml: [table] ask: unknown question 'ods'; nearest known: odds"),
        ("game.toml", "target =", 'march = "mvoe"\ntarget =', "game.toml: [table] march: unknown question 'mvoe'"),
        ("game.toml", "target =", 'march = "odds"\ntarget =', "game.toml: [table] march: unknown parameter of odds 'way'"),
        ("game.toml", "target =", 'mistaken = { rail1 = "road" }\ntarget =', "game.toml: [table] mistaken: unknown word that has a sign 'rail1'"),
        ("game.toml", "target =", 'along = "suply"\ntarget =', "game.toml: [table] along: unknown question 'suply'"),
        ("game.toml", '"defenders"', '"defender"', "[table] target: unknown parameter of odds 'defender'"),
        ("game.toml", "target =", 'also = { ods = "at" }\ntarget =', "[table] also: unknown question 'ods'; nearest known: odds"),
        ("game.toml", "target =", 'also = { odds = "att" }\ntarget =', "[table] also odds: unknown parameter of odds 'att'"),
        ("game.toml", "target =", 'around = ["flanked"]\ntarget =', "[table] around: unknown parameter of odds 'flanked'"),
        ("game.toml", "target =", 'aims = ["aim"]\ntarget =', "[table] aims: unknown fact of a unit 'aim'"),
        ("game.toml", "target =", 'ground = ["mud"]\ntarget =', "[table] ground: unknown fact of a hex 'mud'"),
        ("game.toml", "target =", 'pair = ["atack"]\ntarget =', "[table] pair: unknown fact of a unit 'atack'; nearest known: attack"),
        ("game.toml", "[picture]", '[wishes]\n"who wins" = "ods: verdict"\n[picture]', "[wishes] 'who wins': unknown question 'ods'; nearest known: odds"),
        ("game.toml", 's = "shift"', 's = "shfit"', "[table] short s: unknown parameter of odds 'shfit'; nearest known: sh"),
        ("game.toml", 'nation = "red"\n', 'natoin = "red"\n', "[table.usual]: unknown track or parameter 'natoin'"),
        ("game.toml", 'nation = "red"\n', 'nation = "rde"\n', "[table.usual] nation: nation: 'rde' is not allowed; nearest known"),
        ("tracks.toml", "printed", "prnited", "tracks.toml:7: [nation] prnited: unknown key; nearest known: printed"),
        ("tracks.toml", '"integer"', '"number"', "tracks.toml:19: [attack] kind: 'number' is not allowed; known: choice,"),
        ("tracks.toml", 'kind = "choice"\n', "", "tracks.toml:2: [nation] kind: missing; write: kind = "),
        ("tracks.toml", 'values = ["red", "blue"]', 'values = "red"', "'red' is not allowed; allowed: a list: [...]"),
        ("charts.toml", "fields", "field", "charts.toml:5: [crt] field: unknown key; nearest known: fields"),
        ("charts.toml", "title", "title = ", "charts.toml:3:10: Invalid value; check quotes, brackets and doubled names"),
        ("roster.csv", "attack", "atack", "roster.csv:1: unknown track 'atack' of a counter; nearest known: attack"),
        ("roster.csv", "3,4", "three,4", "roster.csv:2: attack: 'three' is not allowed; allowed: a whole number of at least 0"),
        ("examples/first.pos", "ask odds", "ask ods", "unknown question 'ods'; nearest known: odds"),
        ("examples/first.pos", "0101: Rams", "0101: Ram", "examples/first.pos:2:7: unknown unit 'Ram'; nearest known: Rams"),
    ],
)  # fmt: skip
def test_a_typo_is_named_with_its_place_and_the_remedy(
    tmp_path: Path, file: str, line: str, instead: str, says: str
) -> None:
    found = mistakes(tmp_path, file, line, instead)
    assert any(says in one for one in found), found
    assert len(found) <= 5  # what follows from it may be told too


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    mistakes(tmp_path)
    heath = tmp_path / "heath"
    heath.joinpath("game.toml").write_text(
        GAME.replace("rounding", "roundign").replace("#aa0000", "#aa000").replace('"shift"', '"shfit"'), "utf-8"
    )
    heath.joinpath("tracks.toml").write_text(TRACKS.replace("least = 0", 'least = "0"'), "utf-8")
    heath.joinpath("roster.csv").write_text("unit,nation,armm,attack\nRams,rde,infantry,3\nRams,red,x\n", "utf-8")
    found = examine_game(str(heath)).faults.lines
    files = [line.partition(":")[0] for line in found]
    assert files == ["game.toml"] + ["tracks.toml"] * 2 + ["roster.csv"] * 3 + ["game.toml"] * 2


def test_every_bad_unit_and_parameter_of_a_position_is_named(tmp_path: Path) -> None:
    line = "0101: Rams\n"
    found = mistakes(tmp_path, "examples/first.pos", line, "0101: Ramms, Rams\n0102: Wolfes\n")
    assert [line.partition("; ")[0] for line in found] == [
        "examples/first.pos:2:7: unknown unit 'Ramms'",
        "examples/first.pos:3:7: unknown unit 'Wolfes'",
    ]
    (off,) = mistakes(tmp_path, "examples/first.pos", "attackers=Rams", "at=9999")
    assert off.startswith("examples/first.pos:4:10: at: hex 9999 is off the map")


def test_a_misspelt_key_or_parameter_is_one_mistake_that_names_its_file_once(tmp_path: Path) -> None:
    (line,) = mistakes(tmp_path, "game.toml", "rounding", "roundign")
    assert line == "game.toml:24: [combat] roundign: unknown key; nearest known: rounding"
    (line,) = mistakes(tmp_path, "game.toml", 'target = "defenders"', 'target = "where"')
    assert line.startswith("game.toml: [table] target: unknown parameter of odds 'where'")


def test_a_name_with_a_space_belongs_in_quotes(tmp_path: Path) -> None:
    heath = tmp_path / "heath"
    mistakes(tmp_path)
    with heath.joinpath("roster.csv").open("a", encoding="utf-8") as roster:
        roster.write("Reeve's Horse,red,infantry,1,1\n")
    heath.joinpath("examples/first.pos").write_text("game heath\n0101: Reeve's Horse\n", "utf-8")
    (line,) = examine_game(str(heath)).faults.lines
    assert line.endswith('unknown unit "Reeve\'s"; put a name with a space in quotes: "Reeve\'s Horse"')


def test_a_missing_chart_is_named_with_its_folder(tmp_path: Path) -> None:
    found = mistakes(tmp_path, "charts.toml", "fields = ", 'file = "charts/crt.csv"\nfields = ')
    assert any(line.startswith("charts/crt.csv: No such file") for line in found)


def test_positions_of_another_game_are_one_mistake_that_is_told_by_its_line(tmp_path: Path) -> None:
    mistakes(tmp_path)
    heath = tmp_path / "heath"
    for name in ("first.pos", "second.pos", "third.pos"):
        heath.joinpath("examples", name).write_text("game old\n", "utf-8")
    assert examine_game(str(heath)).faults.lines == [
        "examples/first.pos:1:1: the position is for old; write: game heath; or if this is a copy of old, "
        'id = "old" in its game.toml'
    ]


def test_a_game_of_counters_alone_needs_no_more_than_a_title(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    folder.joinpath("game.toml").write_text('title = "Plain"\n', "utf-8")
    checked = examine_game(str(folder))
    assert (checked.title, checked.faults.lines) == ("Plain", [])


def test_terrain_letters_without_a_map_are_a_mistake(tmp_path: Path) -> None:
    mistakes(tmp_path)
    folder = tmp_path / "heath/boards/field"
    folder.mkdir(parents=True)
    grid = "[grid]\ncolumns = [1, 9]\nrows = [1, 9]\n"
    head = f'title = "Field"\nsource = "rulebook"\n{grid}[terrain]\nc = "clear"\n'
    folder.joinpath("board.toml").write_text(head, "utf-8")
    tracks = tmp_path / "heath/tracks.toml"
    terrain = '\n[terrain]\ntitle = "terrain"\non = "hex"\nkind = "choice"\nvalues = ["clear"]\nprinted = "map"\n'
    tracks.write_text(tracks.read_text("utf-8") + terrain, "utf-8")
    (missing,) = examine_game(str(tmp_path / "heath")).faults.lines
    assert missing.startswith("field/terrain.txt: the file is missing")
    folder.joinpath("terrain.txt").write_text("    01 02\n01  c  x\n", "utf-8")
    folder.joinpath("hexes.lines").write_text("0201 terrain=clear\n", "utf-8")
    (letter,) = examine_game(str(tmp_path / "heath")).faults.lines
    assert letter.startswith("field/terrain.txt:2:8: unknown terrain letter 'x'")


def test_a_question_of_an_example_must_have_an_answer(tmp_path: Path) -> None:
    asked = "ask odds attackers=Rams defenders=Wolves"
    (empty,) = mistakes(tmp_path, "examples/first.pos", asked, "ask odds at=0201 from=0101")
    assert empty == "examples/first.pos:4:5: at: no units in 0201; place units there: 0201: UNIT"
    (seven,) = mistakes(tmp_path, "examples/first.pos", asked, f"{asked}\nanswers roll=7")
    assert seven.startswith("examples/first.pos:5:9: ")
    assert mistakes(tmp_path, "examples/first.pos", asked, "ask odds at=0101") == []  # what is not stated is no mistake


@pytest.mark.parametrize("file", ["game.toml", "tracks.toml", "charts.toml"])
def test_of_a_file_that_cannot_be_parsed_only_that_is_told(tmp_path: Path, file: str) -> None:
    (line,) = mistakes(tmp_path, file, 'title = "', "title = ")
    assert line.startswith(f"{file}:{2 if file == 'game.toml' else 3}:") and "check quotes" in line


SUPPLY = '''
import msgspec
from assistant.asking.question import Question
from assistant.asking.report import Report, verdict

class Nothing(msgspec.Struct):
    """Nothing has to be said."""

def answer(view, parameters, answers):
    return Report(title="Supply", verdict=verdict("figure", "{sheep} sheep", sheep=3))

QUESTION = Question(name="supply", title="supply", parameters=Nothing, result=Nothing, answer=answer, answers={})
'''
REGISTERS = """from assistant import hookimpl

@hookimpl
def register_questions(game, register):
    register("supply", f"{__name__}.supply")
"""


def with_code(folder: Path, start: str | None, called: str = "__init__.py") -> list[str]:
    """What a check says of the game with a question in code. start: the file that registers it."""
    mistakes(folder)
    if start is not None:
        folder.joinpath("heath", called).write_text(start, "utf-8")
    folder.joinpath("heath/supply.py").write_text(SUPPLY, "utf-8")
    folder.joinpath("heath/test_heath.py").write_text("", "utf-8")
    return examine_game(str(folder / "heath")).faults.lines


NOT_REGISTERED = [
    (None, "", "the folder has code, but no __init__.py to register its questions"),
    (REGISTERS, "init.py", "the folder has code, but no __init__.py to register its questions"),
    (REGISTERS.replace("@hookimpl\n", ""), "__init__.py", "__init__.py: write @hookimpl above register_questions"),
    (
        REGISTERS.replace("register_questions", "register_question"),
        "__init__.py",
        "__init__.py: unknown hook 'register_question'; nearest known: register_consequences, register_palettes, register_questions",
    ),
    ("", "__init__.py", "the folder's __init__.py registered no question for the game 'heath'"),
    (
        REGISTERS.replace('"supply"', '"supplies"'),
        "__init__.py",
        "failed to load the question supplies: supply.py: ValueError: its QUESTION has the name 'supply', but",
    ),
]


@pytest.mark.parametrize(("start", "called", "says"), NOT_REGISTERED)
def test_code_that_adds_no_question_is_a_mistake(tmp_path: Path, start: str | None, called: str, says: str) -> None:
    (line,) = with_code(tmp_path, start, called)
    assert says in line


def test_a_game_needs_no_look_at_its_own_id_and_an_empty_start_makes_data_a_package(tmp_path: Path) -> None:
    assert with_code(tmp_path / "a", REGISTERS) == []
    mistakes(tmp_path)
    tmp_path.joinpath("heath/__init__.py").write_text('"""Heath."""\n', "utf-8")
    assert examine_game(str(tmp_path / "heath")).faults.lines == []


def in_supply(folder: Path, line: str, instead: str, **files: str) -> list[str]:
    """What a check says of the game with one line of its question changed. files: others, by name."""
    with_code(folder, REGISTERS)
    heath = folder / "heath"
    heath.joinpath("supply.py").write_text(SUPPLY.replace(line, instead), "utf-8")
    for name, text in files.items():
        heath.joinpath(name.replace("_", ".")).write_text(text, "utf-8")
    return examine_game(str(heath)).faults.lines


def test_a_figure_without_a_meaning_is_a_mistake_at_its_line_even_where_no_example_asks(tmp_path: Path) -> None:
    (line,) = in_supply(tmp_path, '"{sheep} sheep", sheep=3', '"{trucks} trucks", trucks=3')
    what = "supply.py:10: figure 'trucks' in '{trucks} trucks' has no meaning; add it to [figures] of game.toml"
    assert line == what
    (line,) = in_supply(tmp_path, '"{sheep} sheep", sheep=3', 'f"{{trucks}} {1 + 1}", trucks=3')
    assert "figure 'trucks' in '{trucks} '" in line


def test_a_figure_whose_template_no_call_holds_is_found_by_an_example(tmp_path: Path) -> None:
    mistakes(tmp_path)
    heath = tmp_path / "heath"
    heath.joinpath("__init__.py").write_text(REGISTERS, "utf-8")
    text = SUPPLY.replace("def answer(", 'TEXT = "{trucks} trucks"\n\ndef answer(')
    heath.joinpath("supply.py").write_text(text.replace('"{sheep} sheep", sheep=3', "TEXT, trucks=3"), "utf-8")
    heath.joinpath("examples/second.pos").write_text("game heath\nask supply\n", "utf-8")
    (line,) = examine_game(str(heath)).faults.lines
    assert line == "game.toml: figure 'trucks' in the answer to supply has no meaning; add it to [figures]"


def test_other_functions_of_that_name_and_imports_that_the_assistant_lacks_do_not_stop_the_check(
    tmp_path: Path,
) -> None:
    unused = "\ndef unused():\n    from assistant.nothing import changed\n    return changed\n\ndef answer"
    assert in_supply(tmp_path / "a", "def answer", unused) == []
    own = "def step(rule, template): ...\n\nQUESTION = "
    assert in_supply(tmp_path, "QUESTION = ", own.replace("...", 'step("1", "{trucks}")')) == []


INDEX = "rule,kind,title,left_out\n6.4,compute,Results,\n6.4/A1,compute,Attackers retreat,\n"
RULE_LINES = [
    ('"""Go. Rule: 6.4, 6.4/A1"""', ""),
    ('"""Go by a `Rule: 9.9` of another game."""', ""),
    ('"""Go. Rule: 6.4/A2"""', "supply.py:9: answer: Rule: 6.4/A2 is not in rules.csv; nearest known: 6.4, 6.4/A1"),
    (
        '"""Go. Rule: 6.4, 6.4/A#"""',
        "supply.py:9: answer: the Rule: line cannot be read at '6.4/A#'; name rules as 10.8a, 14.8/3-edge or CRT/shock, separated by "
        "commas, with nothing after them",
    ),
    (
        '"""Go.\n\n    Rule: 6.4\n\n    Raises nothing."""',
        "supply.py:9: answer: the Rule: line cannot be read at 'Raises'; name",
    ),
]


@pytest.mark.parametrize(("says", "fault"), RULE_LINES)
def test_a_rule_line_names_rules_of_the_index(tmp_path: Path, says: str, fault: str) -> None:
    named = f"answers):\n    {says}"
    assert in_supply(tmp_path, "answers):", named) == []  # without an index nothing is lost
    found = in_supply(tmp_path, "answers):", named, rules_csv=INDEX)
    assert len(found) == bool(fault) and all(line.startswith(fault) for line in found), found


def on_an_example(folder: Path, line: str, instead: str, *imports: str) -> list[str]:
    """What a check says of the game with one line of its question changed, which an example asks. imports: further ones."""
    mistakes(folder)
    texts = {
        "__init__.py": REGISTERS,
        "supply.py": "\n".join(
            [*imports, SUPPLY.replace(line, instead).replace("Report(title", "Report(result=Nothing(), title")]
        ),
        "rules.csv": INDEX,
        "examples/second.pos": "game heath\nask supply\n",
    }
    for name, text in texts.items():
        folder.joinpath("heath", name).write_text(text, "utf-8")
    return examine_game(str(folder / "heath")).faults.lines


@pytest.mark.parametrize(
    ("rule", "fault"), [("6.4/A1", ""), ("6", ""), ("7.44", "rule 7.44, which is not in rules.csv")]
)
def test_a_step_of_an_example_names_rules_of_the_index(tmp_path: Path, rule: str, fault: str) -> None:
    steps = f'parts=(Part("Sheep", (step("{rule}", "grass"),)),), verdict='
    found = on_an_example(tmp_path, "verdict=", steps, "from assistant.asking import Part, step")
    expected = f"examples/second.pos:2:5: the answer to supply names {fault}"
    assert [line.partition("; ")[0] for line in found] == [expected] * bool(fault)


def test_a_sketch_that_fails_on_an_example_is_a_mistake(tmp_path: Path) -> None:
    (line,) = on_an_example(tmp_path / "a", "answers={})", "answers={}, sketch=lambda view, report: 1 // 0)")
    assert "failed to draw its answer: supply.py:12: ZeroDivisionError" in line
    lacking = "def lacking(view, report):\n    raise MissingFacts([])\n\nQUESTION = Question(sketch=lacking, "
    (line,) = on_an_example(
        tmp_path / "c", "QUESTION = Question(", lacking, "from assistant.asking import MissingFacts"
    )
    assert "failed to draw its answer: supply.py:14: MissingFacts" in line
    empty = "def empty(view, report):\n    raise InputError('nothing to draw')\n\nQUESTION = Question(sketch=empty, "
    assert on_an_example(tmp_path / "b", "QUESTION = Question(", empty, "from assistant.asking import InputError") == []


def test_a_rule_line_of_a_class_is_not_read(tmp_path: Path) -> None:
    (line,) = in_supply(tmp_path, "has to be said.", "has to be said. Rule: 6.4", rules_csv=INDEX)
    assert line == (
        "supply.py:6: Nothing: the Rule: line of a class is not read; write it in the docstring of the function that applies the rule"
    )


def test_a_game_that_names_chapters_names_those_of_all_its_rules(tmp_path: Path) -> None:
    with_code(tmp_path, REGISTERS)
    heath = tmp_path / "heath"
    heath.joinpath("rules.csv").write_text(INDEX, "utf-8")
    assert examine_game(str(heath)).faults.lines == []
    with heath.joinpath("game.toml").open("a", encoding="utf-8") as file:
        file.write('\n[chapters]\n4 = "Movement"\n')
    (line,) = examine_game(str(heath)).faults.lines
    assert line == 'game.toml: [chapters] has no \'6\'; write: "6" = "its heading"'


TWICE = REGISTERS.replace('register("supply", ', 'for name in ("battle", "need"):\n        register(name, ').replace(
    ".supply", ".battle"
)


@pytest.mark.parametrize(
    ("file", "text", "start", "fault"),
    [
        ("later.py", "def rally(:\n", REGISTERS, "later.py:1: this is not valid Python"),  # which no question needs
        ("battle.py", "QUESTIONS =\n", TWICE, "battle.py:1: this is not valid Python"),  # which two questions need
        ("__init__.py", "1 / 0\n", None, "plugin heath in .*ZeroDivisionError"),
    ],
)
def test_a_module_that_is_not_python_or_fails_is_one_mistake(
    tmp_path: Path, file: str, text: str, start: str | None, fault: str
) -> None:
    with_code(tmp_path, start)
    tmp_path.joinpath("heath", file).write_text(text, "utf-8")
    (line,) = examine_game(str(tmp_path / "heath")).faults.lines
    assert re.match(fault, line)


def test_the_questions_that_no_example_asks_are_named(tmp_path: Path) -> None:
    with_code(tmp_path, REGISTERS)
    assert examine_game(str(tmp_path / "heath")).unasked == ("supply",)  # odds and check are not the game's own
    tmp_path.joinpath("heath/examples/second.pos").write_text("game heath\nask supply\n", "utf-8")
    assert examine_game(str(tmp_path / "heath")).unasked == ()


@few(1)
@pytest.mark.parametrize("game", ["kaisers-war-in-the-east", "twilight-in-the-east"])
def test_the_installed_games_have_no_mistakes_and_an_example_of_each_question(game: str) -> None:
    checked = examine_game(game)
    assert (checked.faults.lines, checked.unasked) == ([], ())


# --- spoiled files ----------------------------------------------------------------------------------------------------

STRANGE = [3, -1, 2.5, True, "", "../x", "{", "\x1b[2J", [], ["a"], [1, 2], [[1]], {}, {"a": 1}, 10**12]


def as_toml(value: Any) -> str:
    """A value on one line of TOML."""
    match value:
        case dict():
            return "{ " + ", ".join(f"{json.dumps(key)} = {as_toml(one)}" for key, one in value.items()) + " }"
        case list():
            return f"[{', '.join(map(as_toml, value))}]"
    return json.dumps(value)


def spoil(value: Any, random: Random) -> Any:
    """The same data with a key misspelt, a key left out or a strange value somewhere."""
    if not value or not isinstance(value, dict | list) or random.random() < 0.2:
        return random.choice(STRANGE)
    if isinstance(value, list):
        at = random.randrange(len(value))
        return [spoil(one, random) if number == at else one for number, one in enumerate(value)]
    key = random.choice(list(value))
    rest = {name: one for name, one in value.items() if name != key}
    return random.choice([rest, {**rest, f"{key}x": value[key]}, *[{**rest, key: spoil(value[key], random)}] * 6])


@few(3)
@pytest.mark.parametrize("seed", seeds(120))
def test_spoiled_files_are_mistakes_and_never_a_crash(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    mistakes(tmp_path)
    file = tmp_path / "heath" / random.choice(["game.toml", "tracks.toml", "charts.toml"])
    spoiled = spoil(tomllib.loads(file.read_text("utf-8")), random)
    tables = spoiled if isinstance(spoiled, dict) else {}
    file.write_text("".join(f"{json.dumps(key)} = {as_toml(one)}\n" for key, one in tables.items()), "utf-8")
    assert all(line.isprintable() for line in examine_game(str(tmp_path / "heath")).faults.lines)


LIMITS = """
import msgspec


class Limit(msgspec.Struct):
    most: int


def limits(rows):
    return rows("limits", Limit)
"""


@pytest.mark.parametrize("file", ["__init__.py", "supply.py", "rules/__init__.py"])
def test_a_table_is_what_the_code_reads_in_it(tmp_path: Path, file: str) -> None:
    mistakes(tmp_path)
    files = {"__init__.py": REGISTERS, "supply.py": SUPPLY, "tables/limits.csv": "most\nmany\n"}
    files["__init__.py"] += "from . import rules\n" if "/" in file else ""
    files[file] = files.get(file, "") + LIMITS
    for name, text in files.items():
        (tmp_path / "heath" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "heath" / name).write_text(text, "utf-8")
    (line,) = examine_game(str(tmp_path / "heath")).faults.lines
    assert line.startswith("tables/limits.csv:2: most: 'many'")


# --- slips of a stranger's code ---------------------------------------------------------------------------------------

USES = "from assistant.asking import Change, Gain, changed, turned_over, verdict as said\nfrom assistant.mechanics.effects import Result\n"
SLIPS = [
    ('view.integer("atack", "Rams")', "unknown track 'atack'; nearest known: attack"),
    ('facts.view.word("amr", "Rams")', "unknown track 'amr'; nearest known: arm"),
    ('over.word("strem")', "unknown track 'strem'; nearest known: arm"),
    ('view.granted("defense", "Rams", 1)', "unknown track 'defense'; nearest known: defence"),
    ('facts.cell("ctr", "1:1", 3)', "unknown chart 'ctr'; nearest known: crt"),
    ('facts.cell("crt", "1:1")', "the chart crt has 2 keys, not 1; they are: odds, roll"),
    ('view.ruling("mill")', "unknown ruling 'mill'"),
    ('changed(view, "atack", "Rams", 1, "")', "unknown track 'atack'; nearest known: attack"),
    ('turned_over(view, "flipped", "Rams", True, "")', "unknown track 'flipped'; known: "),
    ('Gain("point", "red", 1, "")', "unknown track 'point'; known: "),
    ('Change("place", "Rams", "0101", None, "")', ""),
    ('said("yess", "it is")', "said: unknown word 'yess'; nearest known: yes"),
    ('Result("AR", "repulsed", retreats="atacker")', "Result: unknown word 'atacker'; nearest known: attacker"),
    ('Result("AR", "repulsed", (), "deffender")', "Result: unknown word 'deffender'; nearest known: defender"),
    ('Result("AR", "repulsed", retreats="")', ""),
    ('{"atack": 1}.get("atack")', ""),
]


@pytest.mark.parametrize(("call", "fault"), SLIPS)
def test_a_word_of_a_call_that_stands_for_nothing_is_found_where_no_example_comes_that_way(
    tmp_path: Path, call: str, fault: str
) -> None:
    """Each would fail at its first use only, or never and do nothing."""
    unused = f"{USES}\ndef unused(view, facts, over):\n    return {call}\n\n"
    found = in_supply(tmp_path, "def answer", f"{unused}def answer")
    assert len(found) == bool(fault) and all(line.startswith(f"supply.py:13: {fault}") for line in found), found


RETURNS = 'return Report(title="Supply", verdict=verdict("figure", "{sheep} sheep", sheep=3))'
RUN = [
    ('view.integer("atta" + "k", "Rams")', "supply.py:{}: unknown track 'attak'; nearest known: attack"),
    ('view.cell("crt", "1:1", 3).values["reslt"]', "supply.py:{}: the chart has no field 'reslt'; nearest known: result"),
    ('{"retreat": 1}["stand"]', "supply.py:{}: KeyError: 'stand'; what is looked up there has no entry 'stand': add it, or do not look it up"),
    ('view.words("attack", "Rams")', "supply.py:{}: 'attack' is not a track of several words; read it with"),
]  # fmt: skip


@pytest.mark.parametrize(("slip", "fault"), RUN)
def test_a_slip_of_code_is_blamed_on_its_line_and_not_on_the_example(tmp_path: Path, slip: str, fault: str) -> None:
    example = "game heath\n0101: Rams\nchart crt 1:1 3 = stand\nask supply\n"
    on_an_example(tmp_path, RETURNS.partition("Report")[0], f"{slip}\n    return ")
    tmp_path.joinpath("heath/examples/second.pos").write_text(example, "utf-8")
    (line,) = examine_game(str(tmp_path / "heath")).faults.lines
    assert line.startswith("plugin heath in ")
    assert f"failed to answer supply: {fault.format(10)}" in line


def test_an_example_that_leaves_out_what_has_to_be_named_is_a_mistake(tmp_path: Path) -> None:
    (line,) = mistakes(tmp_path, "examples/first.pos", "ask odds attackers=Rams", "ask inspect")
    assert "unknown ask 'inspect'" in line or "ask" in line
    needs = "class Nothing(msgspec.Struct, forbid_unknown_fields=True):\n    unit: str\n"
    (line,) = on_an_example(tmp_path, "class Nothing(msgspec.Struct):", needs)
    assert line.startswith("examples/second.pos:2:5: supply cannot be asked: unit is missing; ")


def test_a_change_that_cannot_be_made_is_a_mistake_at_its_question(tmp_path: Path) -> None:
    made = 'changes=(Change("attack", "Rams", 9, 1, ""),), verdict='
    (line,) = on_an_example(tmp_path, "verdict=", made, "from assistant.asking import Change")
    assert line.startswith(
        "examples/second.pos:2:5: the changes of supply cannot be made: Rams is in the roster, but not in"
    )


def test_each_face_of_a_die_is_tried_and_the_answers_name_the_die(tmp_path: Path) -> None:
    """What its code makes of a face fails at that face alone: here a result that the chart has and a table of the code lacks."""
    dice = 'asks=throw("lose", "", "losses", lambda total: {1: "a", 2: "b", 4: "d", 5: "e", 6: "f"}[total] if answers else total, answers).asks, verdict='
    (line,) = on_an_example(tmp_path, "verdict=", dice, "from assistant.asking import throw")
    why = r"failed to answer supply: supply\.py:\d+: it asks for 'lose', which its answers do not name"
    assert re.search(why, line)
    supply = tmp_path / "heath/supply.py"
    forget_code()
    supply.write_text(supply.read_text("utf-8").replace("answers={})", 'answers={"lose": "losses"})'), "utf-8")
    (line,) = examine_game(str(tmp_path / "heath")).faults.lines
    assert "failed to answer supply: supply.py:" in line and "KeyError: 3" in line
