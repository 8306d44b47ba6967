"""Which questions run which code of a game, read from its source."""

from __future__ import annotations

import zipfile
from importlib.resources.abc import Traversable
from pathlib import Path
from zlib import crc32

import pytest

from assistant.game import rule_index, rule_questions
from assistant.game.games import read_game
from assistant.game.rule_questions import questions_by_place, rules_with_questions
from assistant.installed.registry import load_game, questions_of
from assistant.util.errors import InputError

from ...cases import thorough
from ...folders import written

COMBAT = """from assistant.asking import declare
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
    "several.py": "def one(): ...\ndef two(): ...\nONE = declare('one', '', one)\nTWO = declare(name='two', answer=two)\nQUESTIONS = (ONE, TWO)\n",
}


WON = 'def answer():\n    """Rule: 1.1"""\n\n\nQUESTION = declare("battle", "who wins", answer)\n'
GAME = 'title = "Drill"\nabout = "Made up."\n[grid]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"combat.py": COMBAT, **OTHERS}.items():
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
        "from . import ground\nfrom .ground import height\nfrom .ground.hills import ford\n"
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
    assert first == [("Who wins", ("combat.py:1 answer",), ("battle",))]
    with monkeypatch.context() as patched:
        patched.setattr(rule_questions, "_find_rules", refuse)
        assert rules_of(drill) == first
    (drill / "combat.py").write_text("\n" + WON, "utf-8")
    assert rules_of(drill) == [("Who wins", ("combat.py:2 answer",), ("battle",))]
    (drill / "rules.csv").write_text("rule,kind,title,left_out\n1.1,check,Who loses,\n", "utf-8")
    assert rules_of(drill) == [("Who loses", ("combat.py:2 answer",), ("battle",))]


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
    assert rules_of(drill) == [("Who wins", ("combat.py:1 answer",), ("battle",))]


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
    assert [path for path, _ in rule_index.list_files_ending(zipped, ".py")] == ["combat.py", "field/zones.py"]
    assert rules_of(zipped) == [
        ("Who wins", ("combat.py:1 answer", "field/zones.py:1 near", "tables/limits.csv"), ("battle",))
    ]
    assert not (tmp_path / "cache" / "rules").exists()
    assert rules_of(zipped) == rules_of(drill)


def test_code_that_is_not_python_is_named_though_a_copy_is_kept(drill: Path) -> None:
    rules_of(drill)
    (drill / "combat.py").write_text("def answer(:\n", "utf-8")
    with pytest.raises(InputError, match="not valid Python"):
        rules_of(drill)
