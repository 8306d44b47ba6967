"""What a model asks and is answered, without the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import msgspec
import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.faces.mcp import tools
from assistant.faces.mcp.access import Access, check_roots
from assistant.faces.mcp.tools import TOOLS, Reply, answer, describe_tools
from assistant.installed.formats import examples_of
from assistant.installed.registry import load_game, questions_of
from assistant.util.errors import MAX_FAULTS, InputError

from ....cases import few, seeds
from ....conftest import GAME
from .conftest import BATTLE, OF_BATTLE

Tell = Callable[..., Reply]
EXAMPLES = [file for file in examples_of(load_game(GAME)) if file.suffix != ".vlog"]


def command(*words: str, typed: str | None = None) -> tuple[int, str, str]:
    """What a command of the command line tells: its exit code, and what it prints."""
    done = CliRunner().invoke(cli, words, input=typed, prog_name="assistant")
    return done.exit_code, done.stdout.rstrip("\n"), done.stderr.rstrip("\n")


# --- as the command line ----------------------------------------------------------------------------------------------


def test_the_battle_of_the_rulebook_has_its_column_with_the_rules_behind_it(tell: Tell) -> None:
    reply = tell("ask", position=BATTLE, question="battle", parameters=OF_BATTLE)
    assert reply.structured is not None
    assert reply.structured["verdict"]["text"] == "column 1:1, Large; roll 2d6"
    assert "- 42:23 rounds to 2:1 [4.4.1]" in reply.text
    assert {"rule": "4.4.1", "text": "42:23 rounds to 2:1"}.items() <= reply.structured["parts"][1]["steps"][0].items()
    given = {"position": BATTLE, "question": "battle", "parameters": OF_BATTLE}
    reply = tell("ask", **given, answers={"crt": 7, "slrt": "3/4"})
    assert reply.structured is not None
    assert reply.structured["asks"][0]["options"] == ["25/3,27/3", "29/20,25/3", "29/20,27/3"]


CASES = [(file, question) for file in EXAMPLES for question in questions_of(load_game(GAME))]


@few(6)
@pytest.mark.parametrize(("file", "question"), CASES, ids=[f"{file.name} {question}" for file, question in CASES])
def test_every_example_is_answered_as_the_command_line_answers_it(file: Path, question: str) -> None:
    access, given = Access(check_roots((file,))), {"position": file.name, "question": question}
    code, out, err = command("ask", question, str(file), "--forum")
    out = out.partition("\n\nIn VASSAL\n")[0]  # what to click is for whoever sits there
    reply = answer(access, "ask", given)
    assert reply.text == (err.removeprefix("assistant: ").replace(str(file), file.name) if code == 3 else out)
    assert reply.is_refused == (code == 3)
    if reply.structured is not None:
        assert (reply.structured["verdict"]["kind"] == "undecided") == (code == 4)
        in_json = msgspec.json.decode(command("ask", question, str(file), "--json")[1])
        assert in_json.pop("basis")
        assert in_json == reply.structured


@few(1)
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_every_example_is_checked_as_the_command_line_checks_it(file: Path) -> None:
    reply = answer(Access(check_roots((file,))), "check_position", {"position": file.name})
    assert reply.text == command("check", str(file), "--forum")[1]


def test_two_positions_are_compared(tell: Tell) -> None:
    reply = tell("compare_positions", before=BATTLE, after=BATTLE.replace("40.19: 29/20", "40.18: 29/20"))
    assert "29/20: 40.19 to 40.18" in reply.text.replace("place ", "")


REFUSED: dict[str, tuple[str, str, dict[str, str]]] = {
    "a hex off the map": (BATTLE, "battle", {"at": "99.99"}),
    "an unknown question": (BATTLE, "batle", {"at": "41.19"}),
    "an unknown parameter": (BATTLE, "battle", {"att": "41.19"}),
    "a unit that is not there": (BATTLE, "battle", {"at": "41.19", "withhold": "30/4"}),
    "a die that cannot be": (
        BATTLE + "answers crt=13\n",
        "battle",
        {"at": "41.19", "attacker-ap": "3,20", "defender-ap": "1"},
    ),
    "an answer that is not asked for": (BATTLE + "answers crd=7\n", "battle", {"at": "41.19"}),
    "an unknown word": (BATTLE + "41.19 ruogh\n", "battle", {"at": "41.19"}),
    "an unknown game": (BATTLE.replace("east", "west"), "battle", {"at": "41.19"}),
    "an unknown unit": (BATTLE + "41.18: nobody\n", "battle", {"at": "41.19"}),
    "a hexside between hexes that are not adjacent": (BATTLE + "41.19|45.19 open\n", "battle", {"at": "41.19"}),
    "an empty hex": (BATTLE, "battle", {"at": "41.18"}),
    "nothing asked": (BATTLE, "", {}),
}


@pytest.mark.parametrize(("position", "question", "parameters"), REFUSED.values(), ids=list(REFUSED))
def test_what_the_command_line_refuses_is_refused_in_the_same_words(
    position: str, question: str, parameters: dict[str, str], tell: Tell
) -> None:
    options = [word for name, value in parameters.items() for word in (f"--{name}", value)]
    words = ("ask", question, "-", *options) if question else ("answer", "-")
    code, _, said = command(*words, "--forum", typed=position)
    reply = tell("ask", position=position, question=question, parameters=parameters)
    assert reply.is_refused
    assert reply.structured is None
    if code == 2:  # click's own words, for an option
        assert parameters.keys() <= {*re.findall(r"[a-z-]+", reply.text)}
        return
    assert code == 3
    assert reply.text.split("\n")[0].removeprefix("position.pos") == said.split("\n")[0].removeprefix(
        "assistant: "
    ).removeprefix("standard input.pos").removeprefix("-: ")


def test_what_is_undecided_names_the_facts_that_are_missing(tell: Tell) -> None:
    reply = tell("ask", position=BATTLE.replace(" clear", ""), question="battle", parameters=OF_BATTLE)
    assert reply.structured is not None
    assert not reply.is_refused
    assert reply.structured["verdict"]["kind"] == "undecided"
    assert [ask["how"] for ask in reply.structured["asks"]] == ["41.19 clear|rough|wetlands|mountain|high-mountain|sea"]
    mended = tell(
        "ask", position=BATTLE.replace(" clear", ""), question="battle", parameters=OF_BATTLE, lines="41.19 clear"
    )
    assert mended == tell("ask", position=BATTLE, question="battle", parameters=OF_BATTLE)


# --- what there is ----------------------------------------------------------------------------------------------------


def test_games_files_and_eyes_are_listed(access: Access) -> None:
    reply = answer(access._replace(side="russian"), "list_games", {})
    assert reply.structured is not None
    assert {
        "game": GAME,
        "title": "1914, Twilight in the East",
        "sides": ["central-powers", "russian"],
    } in reply.structured["games"]
    assert reply.structured["files"] == ["saves/1914/battle.pos"]
    assert reply.text.endswith("Seen: what the side russian may know")


def test_the_users_own_setting_is_named() -> None:
    reply = answer(Access(settings={GAME: "russian"}), "list_games", {})
    assert reply.text.endswith(f"Seen: what the side russian may know of {GAME}; everything of other games")


def test_questions_are_listed_with_what_players_wish_to_know(tell: Tell) -> None:
    text = tell("list_questions", game=GAME).text
    assert (
        "- stack: what a hex holds, whether that is too much, and which unit lies on top (for: is the hex over-stacked)"
        in text
    )
    assert len(text.splitlines()) == len(questions_of(load_game(GAME)))


def test_a_question_has_its_parameters_as_a_schema(tell: Tell) -> None:
    reply = tell("list_questions", game=GAME, question="battle")
    assert reply.structured is not None
    schema = reply.structured["parameters"]
    assert schema["required"] == ["at"]
    assert schema["properties"]["at"]["description"] == "the defending hex"
    assert "    parameter at: the defending hex" in reply.text.splitlines()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"at": "41.19", "attacker-ap": ["3", "20"]}, schema)


def test_a_rule_is_looked_up_with_its_questions_or_why_it_is_left_to_the_players(tell: Tell) -> None:
    game = "world-undone-east-prussia-1914"
    reply = tell("look_up", game=game, word="6.3/river")
    assert reply.structured is not None
    assert "battle" in reply.structured["rules"][0]["questions"]
    assert reply.text == command("rules", game, "6.3/river")[1]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("25/3", "effectiveness=10 (rulebook)"),
        ("ip", "level of the Improved Position"),
        ("crt", "Combat Results Table"),
    ],
)
def test_a_word_is_looked_up_as_help_does(word: str, said: str, tell: Tell) -> None:
    assert said in tell("look_up", game=GAME, word=word).text


# --- as it is called --------------------------------------------------------------------------------------------------


def test_every_tool_and_parameter_is_described() -> None:
    for tool in describe_tools():
        jsonschema.Draft202012Validator.check_schema(tool.parameters)
        assert tool.description
        assert tool.parameters["type"] == "object"
        assert not tool.parameters["additionalProperties"]
        assert all(field["description"] for field in tool.parameters["properties"].values()), tool.name
    assert [tool.name for tool in describe_tools()] == [*TOOLS]


def test_reports_have_the_published_shape(tell: Tell) -> None:
    shape = {tool.name: tool.result for tool in describe_tools()}
    for name, given in {
        "ask": {"position": BATTLE, "question": "battle", "parameters": OF_BATTLE},
        "check_position": {"position": BATTLE},
        "compare_positions": {"before": BATTLE, "after": BATTLE},
    }.items():
        expected = shape[name]
        assert expected is not None
        jsonschema.Draft202012Validator.check_schema(expected)
        jsonschema.validate(tell(name, **given).structured, expected)


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("aks", {}, "there is no tool 'aks'\n  nearest known: ask"),
        ("ask", {"positon": BATTLE}, "`positon`"),
        ("ask", {"position": 7}, "Expected `str`, got `int` - at `$.position`"),
        ("ask", {}, "missing required field `position`"),
        ("ask", {"position": BATTLE, "parameters": {"at": {"hex": 1}}}, "$.parameters"),
        ("look_up", {"game": GAME}, "missing required field `word`"),
        *(("look_up", {"game": GAME, "word": word}, "there is no word to look up\n") for word in ("", " ", '""')),
        ("look_up", {"game": GAME, "word": "blitzkrieg"}, "there is no help on 'blitzkrieg'"),
        ("list_questions", {"game": "../../etc"}, "unknown game '../../etc'"),
    ],
)
def test_a_wrong_call_is_refused_in_a_line_or_two(tool: str, given: dict[str, Any], said: str, tell: Tell) -> None:
    reply = tell(tool, **given)
    assert said in reply.text
    assert reply.is_refused
    assert not reply.log
    assert len(reply.text.splitlines()) <= 2


def test_a_mistake_of_the_program_is_logged_without_its_words(monkeypatch: pytest.MonkeyPatch, tell: Tell) -> None:
    def fail(*_: object) -> None:
        raise ValueError("29/20 is under 41.19")

    monkeypatch.setattr(tools, "check_position", fail)
    reply = tell("check_position", position=BATTLE)
    assert reply.is_refused
    assert reply.text.startswith("the program failed at this\n")
    assert "check_position failed: ValueError, at\n" in reply.log
    assert "29/20" not in reply.log + reply.text


@pytest.mark.parametrize("raised", [SystemExit("29/20"), KeyboardInterrupt(), GeneratorExit(), RecursionError()])
def test_whatever_the_code_of_a_game_raises_is_answered(
    raised: BaseException, monkeypatch: pytest.MonkeyPatch, tell: Tell
) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr(tools, "check_position", fail)
    reply = tell("check_position", position=BATTLE)
    assert reply.is_refused
    assert f"check_position failed: {type(raised).__name__}, at\n" in reply.log
    assert "29/20" not in reply.log


def test_signs_that_would_steer_a_terminal_are_written_out(tell: Tell) -> None:
    reply = tell("check_position", position=BATTLE + '40.18: german infantry XX "\x1b[2J" (1-1-1-1)\n')
    assert "\x1b" not in reply.text


def test_the_limits_hold(monkeypatch: pytest.MonkeyPatch, tell: Tell) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_NOTATION", "100")
    assert "more than 100 letters" in tell("check_position", position=BATTLE).text


def test_no_tool_writes(access: Access, saves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise InputError("something is written")

    monkeypatch.setattr("assistant.util.writing.write_whole", refuse)
    before = sorted(saves.parent.rglob("*"))
    for name, given in {
        "ask": {"question": "battle", "parameters": OF_BATTLE, "answers": {"crt": 7}},
        "check_position": {},
    }.items():
        assert not answer(access, name, {"position": "saves/1914/battle.pos", **given}).is_refused
    assert sorted(saves.parent.rglob("*")) == before


# --- as it is abused --------------------------------------------------------------------------------------------------

VALUES = [
    None, True, -1, 10**30, 1.5, "", "41.19", "x" * 10_000, "\0", [], ["40.19", "40.20"], [1, 2], {"at": 1}, "all",
]  # fmt: skip
SPOILS = [
    "", "\0", "\n", "|", "=", "é", "\ud800", "{", "#", "?", "-", "(", ")", ",", ":", "\x1b[2J", "9" * 30, "\u202e",
]  # fmt: skip


def spoiled(random: Random, text: str) -> str:
    """A text with some letters lost, or taken by others."""
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(SPOILS) + text[at + random.randint(0, 4) :]
    return text


@few(1)
@pytest.mark.parametrize("seed", seeds(20))
def test_no_spoiled_call_makes_the_program_fail(seed: int) -> None:
    random = Random(seed)
    sound = {"position": BATTLE, "lines": "41.19 clear\n25/3 -1", "question": "battle", "game": GAME, "word": "terrain"}
    sound |= {"before": BATTLE, "after": BATTLE}
    for _ in range(40):
        name = random.choice([*TOOLS])
        given: dict[str, Any] = {}
        for field in TOOLS[name].__struct_fields__:
            usual: Any = sound.get(field) or {random.choice(["at", "from", "shift", "crt"]): random.choice(VALUES)}
            spoilt = spoiled(random, usual) if isinstance(usual, str) else usual
            given[field] = random.choice([usual, usual, spoilt, spoilt, random.choice(VALUES)])
        reply = answer(Access(side=random.choice(["", "russian", "umpire"])), name, given)
        assert not reply.log, given
        assert not reply.is_refused or len(reply.text.splitlines()) <= 2 * (MAX_FAULTS + 1), given


def test_memory_that_runs_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Reply:
        raise MemoryError

    monkeypatch.setattr(TOOLS["list_games"], "answer", fail)
    reply = answer(Access(), "list_games", {})
    assert reply == Reply("not enough memory\n  close other programs, or ask for less at once", is_refused=True)
