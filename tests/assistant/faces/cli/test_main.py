"""The command line: exit codes, formats, options, and output that is whole or not there."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click import Context
from click.testing import CliRunner, Result

from assistant.asking.reference import FIGURES
from assistant.asking.report import to_forum, to_text
from assistant.faces.cli.group import Program
from assistant.faces.cli.main import COMMANDS as ASSISTANT
from assistant.faces.cli.main import cli
from assistant.faces.cli.output import shows_bars
from assistant.game.games import Game
from assistant.installed.registry import load_game, questions_of
from assistant.util.typesetting import set_in_type
from module_builder.cli import COMMANDS as BUILDER
from module_builder.cli import cli as builder

from ....cases import few, thorough
from ....conftest import answered, typed

EXAMPLES = Path(__file__).parents[4] / "plugins" / "twilight_in_the_east" / "examples"
BATTLE, BEFORE, SUPPLIED = (str(EXAMPLES / f"{name}.pos") for name in ("battle", "battle-before", "supplied"))


def run(*words: str, input: str | None = None) -> Result:
    return CliRunner().invoke(cli, words, input=input, prog_name="assistant")


def test_a_space_in_a_list_is_told() -> None:
    said = run("battle", BATTLE, "--from", "40.19,", "40.20")
    assert said.exit_code == 2 and "Write no space after the comma: 40.19,40.20." in said.stderr
    said = run("battle", BATTLE, "--answers", "crt=7", "slrt=3/4")
    assert said.exit_code == 2 and 'in quotes: --answers "... slrt=3/4".' in said.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--at", "41.19", "--at", "40.20"], 2, "--at is given twice; a list has commas between its values"),
        (["--answers", '{"crt": null}'], 3, "--answers: crt: None is not an answer"),
        (["--answers", '{"crt": [2, 5]}'], 3, "--answers: crt: [2, 5] is not an answer"),
        (["--picture", "a.svg", "--chart", "a.svg"], 3, "--chart: a picture and a chart need two files"),
    ],
)
def test_what_would_be_left_out_silently_is_refused(words: list[str], code: int, message: str) -> None:
    done = run("battle", BATTLE, *words)
    assert (done.exit_code, message in done.stderr) == (code, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tabel twilight-in-the-east", "No such command 'tabel'. Did you mean table?"),
        ("tabel", "No such command 'tabel'. Did you mean table?"),
        ("batle nowhere.pos", "No such command 'batle'. Did you mean battle?"),
        ("battel nowhere.pos", "No such command 'battel'. Did you mean battle?"),
        ("battle", "No such command 'battle', or no position to ask about."),
        ("unheard-of", "No such command 'unheard-of', or no position to ask about."),
        ("supply nowhere.pos", ""),
        ("unheard-of nowhere.pos", ""),
    ],
)
def test_a_command_that_does_not_exist_is_named_with_what_is_like_it_or_else_the_file(words: str, said: str) -> None:
    done = run(*words.split())
    if said:
        assert (done.exit_code, done.stderr.splitlines()[-1]) == (2, f"Error: {said}")
    else:
        assert (done.exit_code, done.stderr.splitlines()[0]) == (3, "assistant: nowhere.pos: No such file or directory")


def test_the_words_of_a_name_with_spaces_are_too_many() -> None:
    done = run("table", "twilight", "in", "the", "east")
    hint = "A name with spaces goes in quotes; the names that `assistant games` lists have none."
    assert done.stderr.endswith(f"Error: Got unexpected extra arguments (the east). {hint}\n")


def test_answers_go_to_the_questions_of_a_position_that_wait_for_them(tmp_path: Path) -> None:
    file = tmp_path / "two.pos"
    file.write_text(Path(BATTLE).read_text("utf-8").partition("answers")[0] + "ask supply unit=1/1\n")
    both = run("answer", str(file), "--answers", "crt=2+5", "--json").stdout
    assert [report["question"] for report in json.loads(both)] == ["battle", "supply"]
    assert run("answer", str(file), "--answers", "bogus=2+5").stderr.startswith("assistant: bogus: ")


def test_a_question_with_the_name_of_another_command_says_how_it_is_asked() -> None:
    how = "The question `convert` of der-weltkrieg is asked by `assistant ask convert`."
    assert run("convert", "--help").stdout.rstrip().endswith(how)
    assert run("convert", BATTLE, "--unit", "GE 26R").stderr.endswith(f"Error: No such option '--unit'. {how}\n")
    assert how.partition(" of ")[0] not in run("check", "--help").stdout, "the command asks that question"
    said = "Asked by `assistant ask convert`; `assistant convert` does something else"
    assert said in run("questions", "der-weltkrieg", "convert").stdout
    reference = run("reference", "der-weltkrieg").stdout
    assert reference.count(said) == reference.count("Asked by") == 1


def test_answers_without_a_name_are_told_the_names_of_the_question(tmp_path: Path) -> None:
    assert CliRunner().invoke(builder, ["new", str(tmp_path / "heath")]).exit_code == 0
    heath = str(tmp_path / "heath")
    said = run("ask", "odds", f"{heath}/examples/attack.pos", "--game", heath, "--answers", "4")
    assert said.stderr == "assistant: --answers: '4' is not NAME=VALUE\n  write: roll=4\n"
    assert "write: NAME=VALUE with a NAME of crt, slrt" in run("battle", BATTLE, "--answers", "4").stderr
    assert "crt is given twice\n  leave out one" in run("battle", BATTLE, "--answers", "crt=4 crt=5").stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--help"], 0),
        (["--version"], 0),
        (["battle", BATTLE], 0),
        (["check", BATTLE], 0),
        (["nonsense"], 2),
        (["battle", BATTLE, "--att", "41.19"], 2),
        (["battle", BATTLE, "--at"], 2),
        (["battle", BATTLE, "--at", "41.119"], 3),
        (["battle", "nowhere.pos"], 3),
        (["ask", "butter", BATTLE], 3),
        (["questions", "nothing"], 3),
        (["battle", BATTLE, "--answers", "crt=13"], 3),
        (["battle", BATTLE, "--answers", "crt"], 3),
        (["ask", "battle", BATTLE, "--params", "{"], 3),
        (["battle", BATTLE, "--accept", "hearsay"], 3),
        (["battle", BATTLE, "--answers", "crt=9"], 4),
        (["battle", BATTLE, "--at", "40.20", "--attacker-ap", "1", "--defender-ap", "3"], 4),
    ],
)
def test_exit_codes(words: list[str], code: int) -> None:
    done = run(*words)
    assert done.exit_code == code, done.output
    if code == 3:
        assert len(done.stderr.strip().splitlines()) <= 2
        assert done.stderr.startswith("assistant: ")
        assert done.stdout == ""


NEEDLESS = {
    "it is served nowhere": "anyio asyncio h11 http.client segno selectors socket ssl starlette uvicorn webbrowser",
    "entry points are read without it": "email importlib.metadata",
    "nothing is drawn": "PIL pypdfium2 reportlab",
    "nothing of VASSAL is read": "assistant.formats.vassal.saves lxml",
    "nobody types": "prompt_toolkit readline",
    "no other process begins": "multiprocessing subprocess",
}
"""What no command below loads, and why not."""
NO_GAME = "assistant.formats.positions assistant.game.games assistant.installed.registry msgspec twilight_in_the_east"
NO_OTHER_GAME = "der_weltkrieg kaisers_war_in_the_east world_undone_east_prussia"
NO_OPENSSL = "_hashlib"
NO_PICTURE = "assistant.drawing.scene assistant.rules.sketches"
NO_LINES = "twilight_in_the_east.displacement.rules twilight_in_the_east.supply.ground"
NO_OTHER_FILE = (
    "assistant.formats.links assistant.formats.json_state assistant.game.schedules assistant.records.mailing"
)


@few(5)
@pytest.mark.parametrize(
    ("words", "more"),
    [
        (["--help"], f"{NO_GAME} {NO_OPENSSL}"),
        (["serve", "--help"], ""),
        (["battle", BATTLE], f"{NO_OTHER_GAME} {NO_OPENSSL} {NO_PICTURE} {NO_LINES} {NO_OTHER_FILE}"),
        (["supply", SUPPLIED], f"{NO_OTHER_GAME} {NO_OPENSSL} {NO_OTHER_FILE}"),
        (["rules", "twilight-in-the-east", "10.8a"], f"{NO_OTHER_GAME} {NO_OPENSSL}"),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_a_command_loads_nothing_that_it_does_not_need(words: list[str], more: str) -> None:
    asked = f"import sys; from assistant.faces.cli.main import cli; cli({words!r}, standalone_mode=False); print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    loaded = {*printed.splitlines()[-1].split()}
    assert ("assistant.faces.cli.serve" in loaded) == ("serve" in words)
    needless = NEEDLESS | {"it has another task": more}
    assert not {why: found for why, names in needless.items() if (found := loaded.intersection(names.split()))}


@pytest.mark.parametrize("program", [cli, builder], ids=lambda program: str(program.name))
def test_summaries_are_those_of_the_commands(program: Program) -> None:
    context = Context(program)
    for name, (_, summary) in {cli: ASSISTANT, builder: BUILDER}[program].items():
        command = program.get_command(context, name)
        assert command is not None
        assert (command.name, command.get_short_help_str(1000)) == (name, summary)


def test_an_error_names_its_place_in_the_file_unless_an_option_is_wrong() -> None:
    text = Path(BATTLE).read_text("utf-8").replace("crt=2+5", "crt=7+7")
    done = run("battle", "-", input=text)
    assert done.stderr.startswith("assistant: standard input.pos:9:9: crt: 7 is impossible on a d6")
    done = run("battle", "-", input=text.replace("at=41.19", "at=41.119"))
    assert "standard input.pos:8:12: at: hex 41.119 is off the map" in done.stderr
    assert run("battle", BATTLE, "--at", "41.119").stderr.startswith("assistant: at: hex 41.119")
    assert run("battle", BATTLE, "--answers", "crt=13").stderr.startswith("assistant: crt: 13 is impossible")


def test_parameters_come_from_the_file_then_json_then_options() -> None:
    def commands(*words: str) -> list[str]:
        result = json.loads(run("ask", "battle", BATTLE, "--json", *words).stdout)["result"]
        return [unit["unit"] for unit in result["attacker"]["units"] if unit["ap"]]

    assert commands() == ["29/20", "25/3", "27/3"]
    assert commands("--params", '{"attacker-ap": ["20"]}') == ["29/20"]
    assert commands("--params", '{"attacker-ap": ["20"]}', "--attacker-ap", "3") == ["25/3", "27/3"]
    assert commands("--params", '{"attacker_ap": "none"}') == []


def test_the_position_schema_describes_a_converted_position() -> None:
    jsonschema.validate(json.loads(run("convert", BATTLE).stdout), json.loads(run("schema").stdout))


REPORTS = [
    "battle battle.pos",
    "battle battle-before.pos",
    "battle battle.pos --answers crt=9",
    "battle battle.pos --at 40.20 --attacker-ap 1 --defender-ap 3",
    "supply supply-line.pos",
    "supply supplied.pos",
    "supply isolated.pos",
    "check battle.pos",
    "ask retreat retreat.pos",
    "ask repulse repulse.pos",
    "ask forced-march battle.pos --unit 25/3 --points 2",
    "ask forced-march battle.pos --unit 25/3 --points 2 --answers ec=12 --reconstruction",
    "ask cavalry cavalry.pos",
    "ask displace retreat.pos --unit '4 FA'",
    "ask prepared battle.pos",
    "ask attacks comprehensive-example.vsav --side russian --attacker-ap all --defender-ap all",
    "ask attacks battle-before.pos --side russian --attacker-ap all --defender-ap all",
    "battle battle-before.pos --attacker-policy weakest",
    "ask dig-in battle.pos --unit 1/1",
    "ask stack battle.pos --at 40.20",
    "ask attachment comprehensive-example.vsav",
    "ask attach battle.pos --unit 1/1 --corps none --attachment-phase yes",
    "ask control comprehensive-example.vsav --at 40.20,60.20",
    "ask retreat retreat.pos --way 42.19,43.18",
    "check comprehensive-example.vsav --as central-powers",
    "battle comprehensive-example.vsav --as russian",
    "supply comprehensive-example.vsav --as russian",
]


def reported(words: str) -> dict[str, Any]:
    """The answer to a question about an example, as JSON."""
    listed = [str(EXAMPLES / word) if word.endswith((".pos", ".vsav")) else word for word in shlex.split(words)]
    return json.loads(run(*listed, "--json").stdout)


@few(1)
@pytest.mark.parametrize("words", REPORTS)
def test_json_validates_against_the_published_schema(words: str) -> None:
    schemas = {entry["name"]: entry for entry in json.loads(run("questions", "twilight-in-the-east", "--json").stdout)}
    name = words.removeprefix("ask ").split()[0]
    jsonschema.validate(reported(words), schemas[name]["report"])
    jsonschema.Draft202012Validator.check_schema(schemas[name]["parameters"])


@few(2)
@pytest.mark.parametrize("words", REPORTS)
def test_every_figure_of_the_text_is_in_the_json_under_a_documented_name(words: str, twilight: Game) -> None:
    document = reported(words)
    steps = (
        [step for part in document["parts"] for step in part["steps"]] + document["cautions"] + [document["verdict"]]
    )
    for step in steps:
        bare = step["template"]
        for name in step["figures"]:
            bare = bare.replace("{" + name, "")
        assert not any(letter.isdigit() for letter in bare.replace("14.2", "")), step
        assert set(step["figures"]) <= set(FIGURES) | set(twilight.file.figures), step


@few(1)
@pytest.mark.parametrize("game", ["twilight-in-the-east", "kaisers-war-in-the-east"])
def test_every_field_of_a_schema_says_what_it_means(game: str) -> None:
    for entry in json.loads(run("questions", game, "--json").stdout):
        for kind in ("parameters", "report"):
            for name, definition in entry[kind]["$defs"].items():
                for field, schema in definition.get("properties", {}).items():
                    if field != "how":  # the tag that tells changes apart
                        assert schema.get("description"), f"{entry['name']} {name}.{field}"


def test_narrow_text_fits_a_phone_forum_text_is_plain_and_wide_text_alone_has_bars() -> None:
    assert "72.2%  █" in run("battle", BEFORE, "--full").stdout
    for form in ("--narrow", "--forum"):
        assert "█" not in run("battle", BEFORE, "--full", form).stdout
    narrow = run("battle", BATTLE, "--narrow").stdout
    assert max(map(len, narrow.splitlines())) <= 40
    forum = run("battle", BATTLE, "--forum").stdout
    assert forum.isascii()
    assert not any(line.startswith(" ") for line in forum.splitlines())


@few(2)
@pytest.mark.parametrize(("encoding", "minus"), [("utf-8", "\u2212"), ("cp1252", "-"), ("cp437", "-")])
def test_a_minus_sign_is_a_hyphen_where_the_terminal_has_none(encoding: str, minus: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "assistant", "battle", BATTLE, "--umpire"]
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert f"shifted {minus}1 for" in done.stdout.decode(encoding)


def test_all_texts_say_the_same_steps() -> None:
    report = answered(typed(Path(BATTLE).read_text("utf-8")))
    steps = [step.text for part in report.parts for step in part.steps]
    assert all(step in to_forum(report) for step in steps)
    for width in (40, 60, 100):
        joined = " ".join(to_text(report, width).split())
        assert all(
            " ".join(set_in_type(step, curly=False).split()) in joined for step in steps if width > 40 or len(step) < 30
        )


def test_a_picture_is_written_whole_and_never_over_another(tmp_path: Path) -> None:
    target = tmp_path / "battle.svg"
    assert run("battle", BATTLE, "--picture", str(target)).exit_code == 0
    drawn = target.read_text("utf-8")
    assert drawn.startswith("<svg") and drawn.rstrip().endswith("</svg>")
    target.write_text("mine", "utf-8")
    again = run("battle", BATTLE, "--picture", str(target))
    assert (again.exit_code, target.read_text("utf-8")) == (3, "mine")
    assert "--force overwrites it" in again.stderr
    assert run("battle", BATTLE, "--picture", str(target), "--force").exit_code == 0
    assert target.read_text("utf-8") == drawn
    assert [file.name for file in tmp_path.iterdir()] == ["battle.svg"]


def test_an_error_of_one_ask_among_several_has_its_own_line(tmp_path: Path) -> None:
    text = Path(BATTLE).read_text("utf-8").replace("answers", "#")
    good, bad = "ask battle at=41.19", "ask battle at=99.99"
    for lines, line in (((good, bad), 11), ((bad, good), 10)):
        (tmp_path / "two.pos").write_text(
            text.replace("ask battle", "# ask").rstrip() + "\n".join(("", *lines)), "utf-8"
        )
        for command in ("check", "answer"):
            done = run(command, str(tmp_path / "two.pos"), *(["--json"] if command == "answer" else []))
            assert done.exit_code == 3 and (done.stdout == "") is (command == "check")
            assert f"two.pos:{line}:12: at: hex 99.99 is off the map" in done.stderr


@pytest.mark.parametrize("asked", ["at=41.19 attacker-ap=9", "at=40.21", "at=41.19 withhold=1/1"])
def test_a_combat_that_cannot_be_is_placed_at_its_ask(asked: str) -> None:
    text = Path(BATTLE).read_text("utf-8")
    done = run("battle", "-", input=text[: text.index("ask ")] + f"ask battle {asked}")
    assert done.stderr.startswith("assistant: standard input.pos:8:5: "), done.stderr


def test_a_parameter_may_be_typed_with_an_underscore() -> None:
    text = Path(BATTLE).read_text("utf-8").replace("attacker-ap", "attacker_ap")
    assert run("battle", "-", input=text).stdout == run("battle", BATTLE).stdout
    done = run("battle", "-", input=text.replace("ask battle", "ask battle attacker_drm=x"))
    assert done.stderr.startswith("assistant: standard input.pos:8:12: attacker-drm: 'x' is not allowed")


def test_names_with_spaces_are_answered_in_quotes() -> None:
    text = Path(BATTLE).read_text("utf-8").replace("29/20 ", 'russian infantry XX "2 rf/20" ')
    text = text.replace("losses=29/20,27/3", 'losses="2 rf/20",27/3').replace("ec.29/20=5", 'ec."2 rf/20"=5')
    assert run("battle", "-", input=text).exit_code == 0
    typed_there = next(line for line in text.splitlines() if line.startswith("answers")).removeprefix("answers ")
    without = "\n".join(line for line in text.splitlines() if not line.startswith("answers"))
    assert run("battle", "-", "--answers", typed_there, input=without).exit_code == 0


def test_the_answers_of_a_file_are_to_what_it_asks() -> None:
    done = run("ask", "forced-march", BATTLE, "--unit", "25/3", "--points", "2")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "chance to pass its check" in done.stdout


def test_answering_all_that_a_file_asks(tmp_path: Path) -> None:
    file = tmp_path / "two.pos"
    file.write_text(Path(BATTLE).read_text("utf-8") + "ask check\n", "utf-8")
    done = run("answer", str(file))
    assert done.exit_code == 0
    assert "1/1 at 41.19: column 1:1" in done.stdout and "4 units, 18 facts stated" in done.stdout
    file.write_text(Path(BATTLE).read_text("utf-8") + "ask condition unit=1/1\n", "utf-8")
    done = run("answer", str(file))
    assert (done.exit_code, done.stderr) == (0, ""), "the answers are to the battle"
    file.write_text("game twilight-in-the-east\n", "utf-8")
    assert "this position asks no question" in run("answer", str(file)).stderr


TWO_BATTLES = """ask battle at=41.19 from=40.19 attacker-ap=none defender-ap=none
answers crt=2+5
ask battle at=41.19 from=40.20 attacker-ap=none defender-ap=none
answers crt=6+5
ask condition unit=1/1
"""


def test_each_of_two_battles_in_a_file_has_its_dice(tmp_path: Path) -> None:
    file, one = tmp_path / "two.pos", tmp_path / "one.pos"
    ground = Path(BATTLE).read_text("utf-8").partition("ask ")[0]
    file.write_text(ground + TWO_BATTLES, "utf-8")
    answers = json.loads(run("answer", str(file), "--json").stdout)
    assert [answer["question"] for answer in answers] == ["battle", "battle", "condition"]
    for number, answer in enumerate(answers[:2]):
        one.write_text(ground + "\n".join(TWO_BATTLES.splitlines()[2 * number :][:2]), "utf-8")
        assert answer == json.loads(run("battle", str(one), "--json").stdout)
    assert answers[0]["verdict"] != answers[1]["verdict"]
    assert json.loads(run("battle", str(file), "--json").stdout) == answers[0], "the first is asked, with its dice"
    thrown = [
        json.loads(run(*command, str(file), "--answers", "crt=1+1", "--json").stdout)
        for command in (["answer"], ["battle"])
    ]
    assert thrown[0][0] == thrown[1] != answers[0] and thrown[0][1] != answers[1], "what is typed is for each"
    (tmp_path / "two.json").write_text(run("convert", str(file)).stdout, "utf-8")
    assert json.loads(run("answer", str(tmp_path / "two.json"), "--json").stdout) == answers
    file.write_text(ground + TWO_BATTLES.replace("6+5", "7+5"), "utf-8")
    assert f"{file}:11:9: crt: " in run("answer", str(file)).stderr, "the place of its own dice"


def test_a_line_that_cannot_be_asked_leaves_the_answers_to_the_others(tmp_path: Path) -> None:
    file = tmp_path / "four.pos"
    wrong = "ask condition unit=9/9\nask chekc\n"
    file.write_text("game twilight-in-the-east\n41.19: 1/1\nask check\n" + wrong + "ask check\n", "utf-8")
    done = run("answer", str(file))
    assert done.exit_code == 3
    assert done.stdout.count("1 unit") == 2
    first, last = (line for line in done.stderr.splitlines() if line.startswith("assistant: "))
    assert first.startswith(f"assistant: {file}:4:") and "unknown unit '9/9'" in first
    assert last.startswith(f"assistant: {file}:5:") and "unknown question 'chekc'" in last
    said = [
        answer.get("error", {"what": ""})["what"] for answer in json.loads(run("answer", str(file), "--json").stdout)
    ]
    assert said == ["", "unit: unknown unit '9/9' in this position", "unknown question 'chekc'", ""], (
        "each has the place of its line"
    )
    file.write_text("game twilight-in-the-east\n" + wrong, "utf-8")
    first, _ = json.loads(run("answer", str(file), "--json").stdout)
    assert first["question"] == "condition" and first["error"]["where"] == f"{file}:2:15"
    assert run("answer", str(file)).stdout == ""


def test_what_a_file_asks_of_hidden_units_is_not_checked_for_a_side(tmp_path: Path) -> None:
    file = tmp_path / "secret.pos"
    file.write_text("game twilight-in-the-east\n40.20: 25/3\n54.33: 2/1, 1/1\nask forced-march unit=1/1 points=2\n")
    checked = run("check", str(file), "--as", "russian")
    assert (checked.exit_code, "1/1" in checked.output) == (0, False)


def test_an_answer_to_a_question_that_waits_for_none_is_refused() -> None:
    done = run("ask", "condition", BATTLE, "--unit", "1/1", "--answers", "crt=7")
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr == "assistant: crt: condition does not ask for it\n"


@thorough
def test_the_rule_index_by_number() -> None:
    lines = run("rules", "twilight-in-the-east", "10.8").stdout.splitlines()
    assert any(line.startswith("10.8c") and "combat/" in line and "shift_for_corps" in line for line in lines)
    assert all(line.startswith("10.8") for line in lines)
    assert run("rules", "twilight-in-the-east", "99").exit_code == 3


def test_questions_have_a_line_each_and_one_names_its_parameters() -> None:
    *lines, more = run("questions", "twilight-in-the-east").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [*questions_of(load_game("twilight-in-the-east"))]
    assert more == "`assistant questions twilight-in-the-east NAME` shows what one takes"
    text = run("questions", "twilight-in-the-east", "battle").stdout
    assert "battle: " in text and "    --at: the defending hex" in text and "--withhold (optional): " in text
    assert "unknown question 'batle'" in run("questions", "twilight-in-the-east", "batle").stderr


@few(2)
@pytest.mark.parametrize("drawing", ["chart", "picture"])
@pytest.mark.parametrize(("ending", "start"), [(".svg", b"<svg"), (".PDF", b"%PDF"), (".png", b"\x89PNG")])
def test_a_battle_and_its_chances_are_drawn_in_the_format_of_the_file(
    tmp_path: Path, drawing: str, ending: str, start: bytes
) -> None:
    target = tmp_path / f"drawn{ending}"
    done = run("battle", BEFORE, f"--{drawing}", str(target))
    assert (done.exit_code, done.stderr) == (0, f"{drawing} written: {target}\n")
    assert target.read_bytes().startswith(start)
    assert "already exists" in run("battle", BEFORE, f"--{drawing}", str(target)).stderr
    assert run("battle", BEFORE, f"--{drawing}", str(target), "--force").exit_code == 0


def test_without_chances_no_chart_is_written(tmp_path: Path) -> None:
    for words, why in (
        (["battle", BATTLE], "there is nothing to draw as a chart in this answer to battle"),
        (["supply", str(EXAMPLES / "supplied.pos")], "supply has no chart\n  it has --picture and --map"),
    ):
        done = run(*words, "--chart", str(tmp_path / "chances.svg"))
        assert (done.exit_code, list(tmp_path.iterdir()), done.stdout) == (3, [], "")
        assert why in done.stderr
    done = run("battle", BEFORE, "--chart", str(tmp_path / "chances.gif"))
    assert "is not a picture file" in done.stderr
    assert "NAME.svg, NAME.pdf, NAME.png" in done.stderr


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("battle", {"picture", "chart", "map"}),
        ("retreat", {"picture", "map"}),
        ("need", {"chart"}),
        ("condition", set()),
    ],
)
def test_help_offers_the_pictures_that_a_question_has_and_all_others_are_refused(
    question: str, offered: set[str], tmp_path: Path
) -> None:
    said = run(question, "--help").stdout
    assert {what for what in ("picture", "chart", "map") if f"--{what} " in said} == offered
    for what in {"picture", "chart", "map"} - offered:
        target = [] if what == "map" else [str(tmp_path / "x.svg")]
        done = run(question, BEFORE, f"--{what}", *target)
        assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (3, "", 2)
        assert f"--{what}: {question} has no" in done.stderr


def test_nothing_is_printed_before_a_picture_is_refused(tmp_path: Path) -> None:
    """Facts are missing, so that there is no result to draw."""
    position = tmp_path / "bare.pos"
    position.write_text("game twilight-in-the-east\nturn=1\n40.20: 25/3\n41.19: 1/1\nask battle at=41.19\n", "utf-8")
    for option in (["--picture", str(tmp_path / "x.svg")], ["--chart", str(tmp_path / "x.svg")], ["--map"]):
        done = run("battle", str(position), *option)
        assert (done.exit_code, done.stdout) == (3, "")
        assert f"state what is missing, which the answer without {option[0]} lists" in done.stderr
    assert not (tmp_path / "x.svg").exists()


@pytest.mark.parametrize(
    ("encoding", "shown"), [("utf-8", True), ("cp437", False), ("latin-1", False), ("no-such", False)]
)
def test_a_terminal_that_cannot_show_bars_gets_words(encoding: str, shown: bool) -> None:
    assert shows_bars(encoding) is shown


@thorough
def test_a_part_of_a_front_is_drawn_on_a_page_and_all_are_listed(tmp_path: Path) -> None:
    setup, picture = str(EXAMPLES.parent / "setups/19-august-1914.pos"), tmp_path / "part.svg"
    ask = ("supply", setup, "--umpire", "--side", "russian", "--picture", str(picture))
    whole = run(*ask)
    assert "its 5 parts, each on a page of text with --part N:" in whole.stderr
    assert "  5 Russian Second Army, 51.35 to 51.40" in whole.stderr.splitlines()
    drawn = run(*ask, "--part", "5", "--force")
    assert drawn.exit_code == 0 and "part 5 of 5: Russian Second Army, 51.35 to 51.40" in drawn.stderr
    assert 'width="190mm"' in picture.read_text("utf-8")
    refused = run(*ask, "--part", "6", "--force")
    assert refused.exit_code == 3 and "--part: there is no part 6" in refused.stderr
    assert "the parts are 1 to 5: 1 Russian First Army 1, " in refused.stderr
    assert run("supply", setup, "--umpire", "--part", "1").exit_code == 3
    other = run("battle", BATTLE, "--umpire", "--picture", str(tmp_path / "battle.svg"), "--part", "1")
    assert (other.exit_code, other.stdout) == (3, "") and "this picture has no parts" in other.stderr
