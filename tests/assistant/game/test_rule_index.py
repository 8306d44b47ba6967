"""The rule index: what functions declare, what a game's index lists, and which questions run which code."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from importlib.resources.abc import Traversable
from pathlib import Path
from zlib import crc32

import pytest

from assistant.game import rule_questions
from assistant.game.games import Game, read_game
from assistant.game.rule_faults import rule_remarks
from assistant.game.rule_index import RuleRow, declared_rules, list_files_ending, rule_index, rule_lines
from assistant.game.rule_questions import questions_at, questions_by_place, rules_with_questions
from assistant.installed.registry import load_game, questions_of
from assistant.util.errors import InputError

from ...cases import thorough
from ...folders import written
from ..rules.moor import moor

COMBAT = '''
"""A module may speak of rules.

Rule: 99.9
"""

raise RuntimeError("this module must never be run to be read")


def shift(terrain: str) -> int:
    """Columns of the shift.

    Rule: 10.8a, 10.8b
    """


def odds() -> str:
    """The odds. They follow Rule: 3.1 of another game only in a manner of speaking."""

    def rounded() -> int:
        """Rounded once.

        Rule: 10.7
        """


def helper() -> None:
    pass


class Stack:
    """A stack.

    Rule: 88.8
    """

    @property
    def steps(self) -> int:
        """Steps in it.

        Raises nothing.

        Rule: 3.4.1  10.7
        """
'''


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "combat.py").write_text(COMBAT, "utf-8")
    (tmp_path / "advance.py").write_text('def go() -> None:\n    """Go.\n\n    Rule: 8.1\n    """\n', "utf-8")
    (tmp_path / "notes.txt").write_text('def go() -> None:\n    """Go.\n\n    Rule: 9.1\n    """\n', "utf-8")
    (tmp_path / "game.toml").write_text('title = "Drill"\nabout = "Made up."\n[grid]\n', "utf-8")
    return tmp_path


def test_functions_declare_their_rules_and_are_read_without_being_run(sources: Path) -> None:
    declared = list(declared_rules(sources))
    assert sorted(declared) == [
        ("10.7", "combat.py:20 rounded"),
        ("10.7", "combat.py:38 steps"),
        ("10.8a", "combat.py:10 shift"),
        ("10.8b", "combat.py:10 shift"),
        ("3.4.1", "combat.py:38 steps"),
        ("8.1", "advance.py:1 go"),
    ]
    assert declared[0] == ("8.1", "advance.py:1 go"), "modules in the order of their names"


def test_a_folder_without_code_declares_nothing(tmp_path: Path) -> None:
    (tmp_path / "rules.csv").write_text("rule,kind,title,left_out\n", "utf-8")
    assert list(declared_rules(tmp_path)) == []


def test_many_rules_may_run_over_the_line(tmp_path: Path) -> None:
    text = 'def go() -> None:\n    """Go.\n\n    Rule: 8.1,\n        8.2\n    """\n'
    (tmp_path / "advance.py").write_text(text, "utf-8")
    assert [rule for rule, _ in declared_rules(tmp_path)] == ["8.1", "8.2"]


def test_what_a_rulebook_does_not_number_has_a_name_with_a_stroke(tmp_path: Path) -> None:
    text = 'def go() -> None:\n    """Go. Rule: 14.8/3-edge, CRT-result/AD, Opt/Amph/3"""\n'
    (tmp_path / "combat.py").write_text(text, "utf-8")
    assert [rule for rule, _ in declared_rules(tmp_path)] == ["14.8/3-edge", "CRT-result/AD", "Opt/Amph/3"]


def test_a_range_stands_for_all_rules_whose_last_number_lies_between(tmp_path: Path) -> None:
    text = 'def go() -> None:\n    """Go.\n\n    Rule: 3-14 to 3-16, 4-6, 14.8 to 14.10, 2/rail-German, 28/Italy+0, TEC/clear\n    """\n'
    (tmp_path / "combat.py").write_text(text, "utf-8")
    assert [rule for rule, _ in declared_rules(tmp_path)] == [
        "3-14", "3-15", "3-16", "4-6", "14.8", "14.9", "14.10", "2/rail-German", "28/Italy+0", "TEC/clear",
    ]  # fmt: skip


def test_a_word_that_cannot_be_read_leaves_the_others_readable(tmp_path: Path) -> None:
    (tmp_path / "combat.py").write_text(
        'def go() -> None:\n    """Go.\n\n    Rule: 8.1, eight, 8.2\n    """\n', "utf-8"
    )
    assert [rule for rule, _ in declared_rules(tmp_path)] == ["8.1", "8.2"]
    (line,) = rule_lines(tmp_path)
    assert line.unreadable == "eight"


def test_the_index_gives_each_row_the_code_that_applies_it(sources: Path) -> None:
    (sources / "rules.csv").write_text(
        "rule,kind,title,left_out\n"
        "10.7,compute,Odds,\n"
        '10.8,compute,"Shifts, in columns",not built yet\n'
        "3.4.1,state,Steps,\n",
        "utf-8",
    )
    (sources / "tracks.toml").write_text(
        '[lost]\ntitle = "steps lost"\non = "unit"\nkind = "integer"\nrule = "3.4.1"\n', "utf-8"
    )
    (sources / "tables").mkdir()
    (sources / "tables/limits.csv").write_text("rule,most\n10.7,5\n10.7,6\n10.8,1\n", "utf-8")
    assert rule_index(read_game("drill", sources)) == [
        RuleRow("10.7", "compute", "Odds", "", ("combat.py:20 rounded", "combat.py:38 steps", "tables/limits.csv")),
        RuleRow(
            "10.8", "compute", "Shifts, in columns", "not built yet", ()
        ),  # 10.8a is a rule of its own, and a row alone does nothing
        RuleRow("3.4.1", "state", "Steps", "", ("combat.py:38 steps", "tracks.toml:lost")),
    ]


def test_a_reminder_is_judged_by_nobody_unless_it_is_left_to_the_players(sources: Path) -> None:
    rows = (
        "rule,kind,title,left_out\n10.7,reminder,Odds,\n10.8,reminder,Shifts,nobody says it yet\n10.9,check,Terrain,\n"
    )
    (sources / "rules.csv").write_text(rows, "utf-8")
    said, left, checked = rule_index(read_game("drill", sources))
    assert (said.is_reminder, left.is_reminder, checked.is_reminder) == (True, False, False)
    assert said.left == "a reminder: the program says it at its time and does not judge it"
    assert (left.left, checked.left) == ("left to the players: nobody says it yet", "")


def test_rules_that_are_to_be_computed_and_have_no_code_are_remarked_on(sources: Path) -> None:
    rows = [
        "10.7,compute,Odds,",
        "10.8a,compute,Shift,",
        "11.1,compute,Retreat,left out",
        "11.2,check,Stacking,",
        "12.1,compute,Supply,",
    ]
    sources.joinpath("rules.csv").write_text("\n".join(["rule,kind,title,left_out", *rows, ""]), "utf-8")
    how = "name each in the docstring of its function, `Rule: 12.1`, or say in left_out why none does"
    assert [*rule_remarks(read_game("sources", sources))] == [f"rules.csv: no code applies 12.1; {how}"]
    rows[-1] = "12.1,reminder,Supply,"
    sources.joinpath("rules.csv").write_text("\n".join(["rule,kind,title,left_out", *rows, ""]), "utf-8")
    assert [*rule_remarks(read_game("sources", sources))] == [f"rules.csv: no code applies 12.1; {how}"]
    more = [f"13.{number},compute,Supply," for number in range(20)]
    sources.joinpath("rules.csv").write_text("\n".join(["rule,kind,title,left_out", *more, ""]), "utf-8")
    assert "13.10, 13.11 and 8 more; " in next(rule_remarks(read_game("sources", sources)))


def test_an_index_without_a_column(sources: Path) -> None:
    (sources / "rules.csv").write_text("rule,kind,title\n10.7,compute,Odds\n", "utf-8")
    with pytest.raises(ValueError, match="rules.csv:1: column 'left_out' is missing"):
        rule_index(read_game("drill", sources))


# --- Twilight in the East ---------------------------------------------------------------------------------------------


def test_each_rule_row_and_name_in_data_is_in_the_index_with_code_or_a_reason(twilight: Game) -> None:
    known = {row.rule for row in rule_index(twilight)}
    declared = list(declared_rules(twilight.folder))
    assert [f"{rule} ({where})" for rule, where in declared if rule not in known] == []
    assert len(declared) > 100, "the folder of the game is the one that holds its code"
    unexplained = [row.rule for row in rule_index(twilight) if not row.code and not row.left_out.strip()]
    assert unexplained == []
    applied = {rule for rule, _ in declared_rules(twilight.folder)}
    assert [row.rule for row in rule_index(twilight) if row.rule in applied and row.left_out] == []
    rows = rule_index(twilight)
    assert [rule for rule, times in Counter(row.rule for row in rows).items() if times > 1] == []
    assert {row.kind for row in rows} <= {"compute", "check", "state", "data", "sequence", "physical", "reminder"}
    assert [row.rule for row in rows if not row.title.strip()] == []
    rules = [row.rule for row in rule_index(twilight)]
    named = {f"track {track.name}": track.rule for track in twilight.tracks.values()}
    named |= {f"chart {chart.name}": chart.rule for chart in twilight.charts.values()}
    named |= {f"ruling {ruling.id}": ruling.rule for ruling in twilight.rulings.values()}
    stray = [
        f"{what}: {rule}"
        for what, rule in named.items()
        if not any(re.match(rf"{re.escape(rule)}(?!\d)", known) for known in rules)
    ]
    assert stray == []


def test_only_python_of_the_games_own_folder_is_read(tmp_path: Path) -> None:
    text = 'def go() -> None:\n    """Go.\n\n    Rule: 8.1\n    """\n'
    for folder in ("chapter", ".venv", "elsewhere"):
        (tmp_path / "game" / folder).mkdir(parents=True)
        (tmp_path / "game" / folder / "advance.py").write_text(text, "utf-8")
    (tmp_path / "game" / "elsewhere").rename(tmp_path / "elsewhere")
    (tmp_path / "game" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "game" / "round").symlink_to(tmp_path / "game")
    assert list(declared_rules(tmp_path / "game")) == [("8.1", "chapter/advance.py:1 go")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("x = 1\n" * 100_000, r"advance.py: it holds more than 512 KiB"),
        ("x = 1\ndef\n", r"advance.py:2: this is not valid Python"),
        ("x = " + "-" * 200_000 + "1", "advance.py: this nests too deep for Python"),
        ("x = '\0'", "advance.py.*: this is not valid Python"),
    ],
)
def test_python_that_cannot_be_read_is_named(text: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "advance.py").write_text(text, "utf-8")
    with pytest.raises(InputError, match=what):
        list(declared_rules(tmp_path))


def test_rules_of_play_are_followed_where_the_sequence_of_play_and_the_set_ups_name_them(tmp_path: Path) -> None:
    """What is computed, or left out, is not done by being named."""
    kinds = {"4.0": "sequence", "9.1": "data", "5.1": "compute", "6.0": "sequence"}
    index = "".join(f"{rule},{kind},t,{'no' * (rule == '6.0')}\n" for rule, kind in kinds.items())
    course = '[[phase]]\ntitle = "Move"\nrule = "4.0"\nskipped = [{ turns = "1", rule = "4.0" }]\n'
    course += 'steps = [{ do = "go", rule = "5.1" }, { do = "stop", rule = "6.0" }]\n'
    changes = "scenario,option,unless,track,subject,value,rule,note\nstart,,,,,,9.1,a note\n"
    files = {"rules.csv": "rule,kind,title,left_out\n" + index, "course.toml": course, "setups/changes.csv": changes}
    game = moor(tmp_path, {**files, "setups/start.pos": "game moor\n"})
    code = {row.rule: row.code for row in rule_index(game)}
    assert code == {"4.0": ("course.toml:Move",), "9.1": ("setups/changes.csv:start",), "5.1": (), "6.0": ()}
    asked = questions_by_place(game.folder, questions_of(game).modules)
    assert [questions_at(asked, code[rule][0]) for rule in ("4.0", "9.1")] == [("turn",), ("setup",)]
    assert questions_at(asked, "ground.py:1 near") == ()


ODDS = """from assistant.asking import declare
from .odds import ratio as of_two
from . import zones

TABLE = (of_two,)
DEAD = zones.unused


def answer(view: View, shape: Shape) -> Report:
    from .ground import height
    return TABLE, zones.around(), height()


QUESTION = declare("battle", "who wins", answer)
"""
OTHERS = {
    "odds.py": "def ratio():\n    return _half()\n\n\ndef _half():\n    pass\n",
    "zones.py": "class Zone:\n    def near(self):\n        pass\n\n\ndef around():\n    return Zone()\n\n\ndef unused():\n    pass\n",
    "ground/__init__.py": "def height():\n    pass\n",
    "several.py": "from assistant.asking import declare\ndef one(): ...\ndef two(): ...\nONE = declare('one', '', one)\nTWO = declare(name='two', answer=two)\nQUESTIONS = (ONE, TWO)\n",
}


WON = 'from assistant.asking import declare\n\n\ndef answer():\n    """Rule: 1.1"""\n\n\nQUESTION = declare("battle", "who wins", answer)\n'
GAME = 'title = "Drill"\nabout = "Made up."\n[grid]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"combat.py": ODDS, **OTHERS}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_a_question_runs_what_its_declaration_leads_to_also_through_other_modules(folder: Path) -> None:
    (folder / "ground.py").write_text("def height():\n    pass\n", "utf-8")
    found = questions_by_place(folder, {"battle": "games.drill.combat"})
    names = {place.partition(" ")[2] for place in found}
    assert names == {"answer", "ratio", "_half", "around", "near", "height"}
    assert found["odds.py:1 ratio"] == ("battle",)
    (folder / "ground.py").unlink()
    (folder / "ground" / "__init__.py").write_text("from .hills import height\n", "utf-8")
    (folder / "ground" / "hills.py").write_text(
        "from ..rivers import depth as height\nfrom .valleys import ford\n", "utf-8"
    )
    (folder / "ground" / "valleys.py").write_text("from .hills import ford\n", "utf-8")
    (folder / "rivers.py").write_text("def depth():\n    pass\n", "utf-8")
    (folder / "ask.py").write_text(
        "from assistant.asking import declare\nfrom . import ground\nfrom .ground import height\nfrom .ground.hills import ford\n"
        "QUESTION = declare('ask', '', height, ford, ground.height)\n",
        "utf-8",
    )
    assert questions_by_place(folder, {"ask": "games.drill.ask"}) == {"rivers.py:1 depth": ("ask",)}


@pytest.mark.parametrize(
    ("game", "place", "questions"),
    [
        pytest.param("twilight-in-the-east", "movement/cavalry.py", {"cavalry"}, marks=thorough),
        ("twilight-in-the-east", "entering/consequences.py", {"battle", "retreat", "repulse", "displace"}),
        ("kaisers-war-in-the-east", "retreat.py", {"pursue", "retreat"}),
    ],
)
def test_the_questions_of_the_games(game: str, place: str, questions: set[str]) -> None:
    found = questions_by_place(load_game(game).folder, questions_of(load_game(game)).modules)
    of_place = {name for where, names in found.items() if where.startswith(f"{place}:") for name in names}
    assert questions <= of_place


RULES = """
from assistant.asking import declare
from assistant.rules.retreat import EvasionRules, evasion_question
from assistant.rules.zones import zones_question
def zone(): ...
def rally(): ...
def call(): ...
def evade(): ...
NAME = "rally"
DODGE = EvasionRules("evade", "", evade)
"""
DECLARED = {
    "zones": "zones_question(zone)",
    "rally": 'declare(NAME, "", rally)',
    "call": 'DICE["call"].declare(call)',
    "evade": "evasion_question(DODGE)",
}
"""What declares a question, in one module with others."""
REGISTERS = "@hookimpl\ndef register_questions(game, register):\n    "
NAMED = "".join(f"{name.upper()} = {made}\n" for name, made in DECLARED.items())
LISTED = f"{NAMED}QUESTIONS = ({', '.join(map(str.upper, DECLARED))},)\n"
IN_ONE_MODULE = {
    "one module beside the hook": ({"rules.py": RULES + LISTED}, "heath.rules"),
    "questions that the hook imports": (
        {"rules.py": RULES + LISTED, "__init__.py": f"from .rules import QUESTIONS\n{REGISTERS}[*map(register, QUESTIONS)]\n"},
        "heath",
    ),
    "one file with the hook": ({"__init__.py": f"{RULES}{LISTED}{REGISTERS}[*map(register, QUESTIONS)]\n"}, "heath"),
    "questions declared in the hook": (
        {"__init__.py": RULES + REGISTERS + "\n    ".join(f"register({made})" for made in DECLARED.values()) + "\n"},
        "heath",
    ),
    "unnamed parts of a list": (
        {"rules.py": f"{RULES}{NAMED}QUESTIONS = ({', '.join(DECLARED.values())},)\n"}, "heath.rules",
    ),
}  # fmt: skip


@pytest.mark.parametrize("layout", IN_ONE_MODULE)
def test_questions_of_one_module_run_each_its_own_rules(tmp_path: Path, layout: str) -> None:
    """However its author lays them out; the assistant's own questions run none of them."""
    files, module = IN_ONE_MODULE[layout]
    written(tmp_path, files)
    registered = dict.fromkeys(DECLARED, module) | {"turn": "assistant.rules.turns", "odds": "assistant.builtin"}
    found = questions_by_place(tmp_path, registered)
    rules = {place.partition(" ")[2]: names for place, names in found.items()}
    assert rules == {"zone": ("zones",), "rally": ("rally",), "call": ("call",), "evade": ("evade",)}


@pytest.fixture
def drill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a game with a rule, whose index is kept in a cache of its own."""
    monkeypatch.setenv("FIELD_STAFF_CACHE", str(tmp_path / "cache"))
    game = tmp_path / "drill"
    game.mkdir()
    (game / "game.toml").write_text(GAME, "utf-8")
    (game / "rules.csv").write_text("rule,kind,title,left_out\n1.1,check,Who wins,\n", "utf-8")
    (game / "combat.py").write_text(WON, "utf-8")
    return game


def rules_of(folder: Traversable) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    every = rules_with_questions(read_game("drill", folder), {"battle": "games.drill.combat"})
    return [(row.title, row.code, questions) for row, questions in every]


def refuse(*_: object) -> None:
    raise AssertionError("the code was read")


def test_rules_are_read_of_the_code_once(drill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = rules_of(drill)
    assert first == [("Who wins", ("combat.py:4 answer",), ("battle",))]
    with monkeypatch.context() as patched:
        patched.setattr(rule_questions, "_find_rules", refuse)
        assert rules_of(drill) == first
    (drill / "combat.py").write_text("\n" + WON, "utf-8")
    assert rules_of(drill) == [("Who wins", ("combat.py:5 answer",), ("battle",))]
    (drill / "rules.csv").write_text("rule,kind,title,left_out\n1.1,check,Who loses,\n", "utf-8")
    assert rules_of(drill) == [("Who loses", ("combat.py:5 answer",), ("battle",))]


@pytest.mark.parametrize("spoiled", ["cut", "foreign", "zeros", "of another type", "too deep"])
def test_spoiled_copies_are_made_anew(spoiled: str, drill: Path, tmp_path: Path) -> None:
    first = rules_of(drill)
    (file,) = (tmp_path / "cache" / "rules").iterdir()
    data = file.read_bytes()
    bodies = {"of another type": b"\x91\x01", "too deep": b"\x91" * 100_000 + b"\x90"}
    body = bodies.get(spoiled, b"")
    made_up = data[:32] + crc32(body).to_bytes(4, "big") + body
    file.write_bytes({"cut": data[:-9], "foreign": b"no copy", "zeros": bytes(200)}.get(spoiled, made_up))
    assert rules_of(drill) == first
    assert file.read_bytes() == data


def test_a_copy_of_another_version_is_no_answer(drill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(rule_questions, "mark_code", lambda files: b"older")
        older.setattr(rule_questions, "_find_rules", lambda game, questions: [])
        assert rules_of(drill) == rules_of(drill) == []
    assert rules_of(drill) == [("Who wins", ("combat.py:4 answer",), ("battle",))]


def test_the_rules_of_a_game_in_an_archive_are_those_of_its_folder(drill: Path, tmp_path: Path) -> None:
    """Hidden folders and bytecode are left out of both; no copy is kept of what lies in no file of its own."""
    unread = WON.replace("1.1", "1.2")
    written(drill, {"field/zones.py": 'def near():\n    """Rule: 1.1"""\n', "tables/limits.csv": "rule,most\n1.1,2\n"})
    written(drill, {".old/combat.py": unread, "field/.old/combat.py": unread, "__pycache__/combat.py": unread})
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in drill.rglob("*"):
            packed.write(file, f"games/drill/{file.relative_to(drill)}")
    zipped = zipfile.Path(archive, "games/drill/")
    assert [path for path, _ in list_files_ending(zipped, ".py")] == ["combat.py", "field/zones.py"]
    assert rules_of(zipped) == [
        ("Who wins", ("combat.py:4 answer", "field/zones.py:1 near", "tables/limits.csv"), ("battle",))
    ]
    assert not (tmp_path / "cache" / "rules").exists()
    assert rules_of(zipped) == rules_of(drill)


def test_code_that_is_not_python_is_named_though_a_copy_is_kept(drill: Path) -> None:
    rules_of(drill)
    (drill / "combat.py").write_text("def answer(:\n", "utf-8")
    with pytest.raises(InputError, match="not valid Python"):
        rules_of(drill)
