"""A plain folder is a game wherever a command names it, and its code runs only then."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import assistant
from assistant.faces.cli.main import cli
from assistant.installed.registry import game_folder, load_game, named_game, questions_of
from assistant.util.errors import InputError
from module_builder.cli import cli as builder

from ...cases import few

GAME = 'title = "Heath"\nabout = "Made up for the tests."\n\n[grid]\ncolumns = [1, 9]\nrows = [1, 9]\n'
COUNT = '''
"""How many units there are; a mark is left wherever this runs."""
from pathlib import Path
from assistant import hookimpl
from assistant.asking.question import Question
from assistant.asking.report import Report, Verdict
import msgspec
from .words import HOW_MANY

Path(__file__).with_name("ran").touch()

class Nothing(msgspec.Struct):
    """Nothing has to be said."""

def answer(view, parameters, answers):
    count = 12 // len(view.state.units)
    return Report(game=view.game.id, question="share", title=HOW_MANY, verdict=Verdict("figure", "{units}", {"units": count}))

def draw(view, report):
    raise LookupError("no ink")

@hookimpl
def register_questions(game, register):
    if game.id == "heath":
        register(Question(name="share", title="a share", parameters=Nothing, result=Nothing, answer=answer))
'''


@pytest.fixture
def heath(tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a game with a question of its own, seen from the folder above."""
    folder = tmp_path / "heath"
    folder.mkdir()
    folder.joinpath("game.toml").write_text(GAME, "utf-8")
    folder.joinpath("__init__.py").write_text(COUNT, "utf-8")
    folder.joinpath("words.py").write_text('HOW_MANY = "How many"\n', "utf-8")
    folder.joinpath("start.pos").write_text("game heath\n0101: X\n0102: Y\n", "utf-8")
    folder.joinpath("empty.pos").write_text("game heath\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words])


@pytest.mark.parametrize("named", ["heath", "./heath", "heath/"])
def test_a_folder_is_named_where_an_id_is(heath: Path, named: str) -> None:
    assert (game_folder(named).id, game_folder(named).home) == ("heath", str(heath))
    assert {"check", "share"} == set(questions_of(named_game(named)))
    assert "share  a share" in run("questions", named).output
    assert CliRunner().invoke(builder, ["check", named]).output.startswith("Heath: ")


def test_a_question_of_a_folder_answers(heath: Path) -> None:
    said = run("ask", "share", "heath/start.pos", "--game", "heath")
    assert (said.exit_code, said.stdout) == (0, "How many\n= 6\n")


@pytest.mark.parametrize("line", ["game heath", "game ./heath", "game {heath}"])
def test_a_position_never_runs_the_code_of_a_folder(heath: Path, line: str) -> None:
    heath.joinpath("start.pos").write_text(line.format(heath=heath) + "\n", "utf-8")
    for command in (["check"], ["ask", "share"], ["convert"], ["answer"]):
        said = run(*command, "heath/start.pos")
        assert said.exit_code == 3 and "unknown game" in said.stderr
    named = run("check", "heath/start.pos", "--game", "twilight-in-the-east")
    assert named.exit_code == 3 and not heath.joinpath("ran").exists()


def test_only_the_named_folder_counts_for_a_position(heath: Path) -> None:
    said = run("check", "heath/start.pos", "--game", str(heath))
    assert said.exit_code == 0 and heath.joinpath("ran").exists()


def test_a_position_of_another_game_than_the_folder_is_told_the_id(heath: Path) -> None:
    heath.joinpath("start.pos").write_text("game heth\n", "utf-8")
    said = run("check", "heath/start.pos", "--game", "heath")
    expected = "assistant: heath/start.pos:1:1: the position is for heth, but --game names heath\n"
    hint = 'write: game heath; or if this is a copy of heth, id = "heth" in its game.toml'
    assert (said.exit_code, said.stderr) == (3, f"{expected}  {hint}\n")


INSTALLED = "twilight-in-the-east"


@pytest.mark.parametrize(
    "words",
    ["ask share FILE", "check FILE", "supply FILE", "convert FILE", "answer FILE", "link FILE", "compare FILE FILE", "table heath FILE --new",
     "journal new heath x.journal --from FILE", "ask check FILE FILE --jobs 1"],
)  # fmt: skip
def test_a_position_of_an_installed_game_is_not_answered_by_it_where_a_folder_is_named(heath: Path, words: str) -> None:
    """Who edits a copy of an installed game would be answered by rules that he has not written."""
    heath.joinpath("start.pos").write_text(f"game {INSTALLED}\nask check\n", "utf-8")
    command = words.replace("FILE", "heath/start.pos").split()
    said = run(*command, *(() if "heath" in command else ("--game", "heath")))
    assert said.exit_code == 3
    assert f"the position is for {INSTALLED}, but --game names heath" in said.output


def test_a_position_of_another_installed_game_than_the_one_named_is_refused(heath: Path) -> None:
    Path("x.pos").write_text(f"game {INSTALLED}\n", "utf-8")
    said = run("check", "x.pos", "--game", "der-weltkrieg")
    expected = f"assistant: x.pos:1:1: the position is for {INSTALLED}, not for der-weltkrieg\n"
    assert (said.exit_code, said.stderr) == (3, f"{expected}  name {INSTALLED} instead\n")


def test_a_program_that_names_a_folder_reads_no_position_of_another_game(heath: Path) -> None:
    heath.joinpath("start.pos").write_text(f"game {INSTALLED}\n", "utf-8")
    with pytest.raises(InputError, match=f"the position is for {INSTALLED}"):
        assistant.read("heath/start.pos", game=named_game("heath"))
    with pytest.raises(InputError, match=f"the position is for {INSTALLED}"):
        assistant.parse(f"game {INSTALLED}\n", game=named_game("heath"))


def test_a_folder_with_the_name_of_an_installed_game_is_told(heath: Path) -> None:
    heath.rename(INSTALLED)
    note = f"note: {INSTALLED} is the installed game; ./{INSTALLED} is the folder here\n"
    assert run("questions", INSTALLED).stderr == note
    assert run("questions", f"./{INSTALLED}").stderr == ""
    Path("x.pos").write_text(f"game {INSTALLED}\n", "utf-8")
    assert run("check", "x.pos", "--game", INSTALLED).stderr == note
    assert run("check", "x.pos").stderr == ""


def test_the_folder_of_the_installed_game_itself_is_no_other(heath: Path) -> None:
    heath.parent.joinpath(INSTALLED).symlink_to(str(load_game(INSTALLED).folder))
    assert run("questions", INSTALLED).stderr == ""


def test_a_copy_says_whose_positions_it_shares(heath: Path) -> None:
    copy = heath.rename(heath.parent / "heath-v2")
    assert game_folder("heath-v2").id == "heath-v2"
    assert CliRunner().invoke(builder, ["check", "heath-v2"]).exit_code == 1
    file = copy / "game.toml"
    file.write_text('id = "heath"\n' + file.read_text("utf-8"), "utf-8")
    assert game_folder("heath-v2").id == "heath"
    assert CliRunner().invoke(builder, ["check", "heath-v2"]).exit_code == 0
    assert run("ask", "share", "heath-v2/start.pos", "--game", "heath-v2").exit_code == 0


@pytest.mark.parametrize("id", ["Heath", "../heath", "", " ", "con", "com1"])
def test_an_id_that_cannot_be_is_refused_and_none_is_the_folder_s(heath: Path, id: str) -> None:
    file = heath / "game.toml"
    file.write_text(f'id = "{id}"\n' + file.read_text("utf-8"), "utf-8")
    if not id:
        assert game_folder("heath").id == "heath"
        return
    said = CliRunner().invoke(builder, ["check", "heath"])
    assert said.exit_code == 3
    assert said.stderr.startswith(f"module-builder: game.toml: {id!r} is not a valid game id")


def test_a_misspelt_folder_is_looked_for_here(heath: Path) -> None:
    said = run("check", "heath/start.pos", "--game", "heth")
    assert f"no folder of that name in {heath.parent}\n  nearest known: heath\n" in said.stderr


def test_a_folder_without_code_has_the_common_questions(heath: Path) -> None:
    plain = heath.rename(heath.parent / "plain")
    plain.joinpath("__init__.py").unlink()
    assert set(questions_of(named_game("plain"))) == {"check"}


@pytest.mark.parametrize(
    ("folder", "says"),
    [("none", "unknown game 'none'"), ("empty", "no game.toml"), ("My Game", "'My Game' is not a valid game id")],
)
def test_what_is_not_a_game(heath: Path, folder: str, says: str) -> None:
    heath.with_name("empty").mkdir()
    heath.rename(heath.with_name("My Game"))
    with pytest.raises(InputError, match=says):
        game_folder(folder)


# --- faults in its code -----------------------------------------------------------------------------------------------


def test_code_that_fails_is_one_line_that_names_it_and_debug_shows_where(heath: Path) -> None:
    words = ["ask", "share", "heath/empty.pos", "--game", "heath"]
    said = run(*words)
    assert (said.exit_code, said.stdout) == (3, "")
    assert "plugin heath in heath failed to answer share: __init__.py:16: ZeroDivisionError" in said.stderr
    assert "Traceback" not in said.stderr
    for debugged in (["--debug", *words], [*words, "--debug"]):
        said = run(*debugged)
        assert said.exit_code == 3
        assert "count = 12 // len(view.state.units)" in said.stderr
        assert said.stderr.splitlines()[-2].startswith("assistant: plugin heath in heath failed")


def test_a_folder_that_fails_on_import_is_named(heath: Path) -> None:
    broken = heath.rename(heath.parent / "burnt")
    broken.joinpath("__init__.py").write_text('raise RuntimeError("the mill has burnt down")\n', "utf-8")
    said = CliRunner().invoke(builder, ["counters", "burnt"])
    assert said.exit_code == 3
    assert (
        "module-builder: plugin burnt in burnt failed: __init__.py:1: RuntimeError: the mill has burnt down"
        in said.stderr
    )


@pytest.mark.parametrize(
    ("file", "id", "says"),
    [
        ("__init__.py", "heath", "the folder's __init__.py registered no question for the game 'moor'"),
        ("init.py", "moor", "the folder has code, but no __init__.py to register its questions"),
    ],
)
def test_code_that_registers_nothing_is_told(heath: Path, file: str, id: str, says: str) -> None:
    moor = heath.rename(heath.parent / "moor")
    moor.joinpath("__init__.py").rename(moor / file)
    moor.joinpath(file).write_text(COUNT.replace('"heath"', f'"{id}"'), "utf-8")
    moor.joinpath("start.pos").write_text("game moor\n0101: X\n", "utf-8")
    said = run("ask", "share", "moor/start.pos", "--game", "moor")
    assert said.exit_code == 3 and said.stderr == f"assistant: unknown question 'share'\n  {says}\n"


NAMED = "class QUESTION:\n    name = 'fodder'\n"
FAULTY = [
    ("QUESTION =", "supply.py:1: SyntaxError: invalid syntax"),
    ("X = 1\n  Y = 2\n", "supply.py:2: IndentationError: unexpected indent"),
    ("\nfrom assistant.rules.field import nothing\n", "supply.py:2: ImportError: cannot import name 'nothing'"),
    (NAMED, "supply.py: ValueError: its QUESTION has the name 'fodder', but is registered as 'supply'"),
    (f"{NAMED}QUESTIONS = (QUESTION, QUESTION)\n", "supply.py: ValueError: its QUESTION has the name 'fodder', but is"),
    ("X = 1\n", "supply.py: AttributeError: supply has no QUESTION"),
    ("", "__init__.py:5: ModuleNotFoundError: No module named 'supply'"),
]


def test_a_module_may_hold_several_questions(heath: Path) -> None:
    both = heath.rename(heath.parent / "both")
    both.joinpath("__init__.py").write_text(
        "from assistant import hookimpl\n@hookimpl\ndef register_questions(game, register):\n"
        '    if game.id == "both":\n        for name in ("fodder", "remounts"):\n'
        '            register(name, f"{__name__}.horses")\n',
        "utf-8",
    )
    both.joinpath("horses.py").write_text(
        "from assistant.asking import Report, Verdict, View, declare\n"
        "def told(view: View) -> Report[int]:\n    return Report(title='t', verdict=Verdict('yes', 'plenty'))\n"
        "QUESTIONS = (declare('fodder', 'hay', told), declare('remounts', 'horses', told))\n",
        "utf-8",
    )
    both.joinpath("start.pos").write_text("game both\n0101: X\n", "utf-8")
    for name in ("fodder", "remounts"):
        assert "= plenty" in run("ask", name, "both/start.pos", "--game", "both").stdout


@few(7)
@pytest.mark.parametrize(("code", "says"), FAULTY)
@pytest.mark.parametrize("words", ["questions NAME", "ask supply NAME/start.pos --game NAME", "table NAME --new"])
def test_a_question_that_cannot_be_loaded_is_one_line(heath: Path, code: str, says: str, words: str) -> None:
    name = f"mill{FAULTY.index((code, says))}{words[0]}"
    faulty = heath.rename(heath.parent / name)
    faulty.joinpath("__init__.py").write_text(
        "from assistant import hookimpl\n@hookimpl\ndef register_questions(game, register):\n"
        f'    if game.id == "{name}":\n        register("supply", f"{{__name__}}.supply")\n',
        "utf-8",
    )
    faulty.joinpath("start.pos").write_text(f"game {name}\n0101: X\n", "utf-8")
    if code:
        faulty.joinpath("supply.py").write_text(code, "utf-8")
    typed = words.replace("NAME", name).split()
    said = CliRunner().invoke(cli, typed, input="supply\nposition\nquit\n")
    line = f"plugin {name} in {name} failed to load the question supply: {says}"
    assert "Traceback" not in said.stderr
    if typed[0] == "table":  # the prompt goes on after the message
        assert said.exit_code == 0 and f"! {line}"[:60] in said.output and f"game {name}" in said.output
    else:
        assert said.exit_code == 3 and line in said.stderr
        assert "Traceback" in CliRunner().invoke(cli, [*typed, "--debug"]).stderr
    checked = CliRunner().invoke(builder, ["check", name])
    place, kind, *why = says.split(": ", 2)
    if kind in ("SyntaxError", "IndentationError"):  # named by its file, however many questions need it
        line = f"{place}: this is not valid Python: {why[0]}"
    assert checked.exit_code == 1 and line in checked.stderr


def test_a_picture_that_fails_names_the_game(heath: Path) -> None:
    drawing = heath.rename(heath.parent / "drawing")
    code = COUNT.replace('"heath"', '"drawing"').replace("answer=answer", "answer=answer, sketch=draw")
    code = code.replace('{"units": count})', '{"units": count}), result=Nothing()')
    drawing.joinpath("__init__.py").write_text(code, "utf-8")
    drawing.joinpath("start.pos").write_text("game drawing\n0101: X\n", "utf-8")
    said = run("ask", "share", "drawing/start.pos", "--game", "drawing", "--picture", "x.svg")
    assert said.exit_code == 3
    assert "plugin drawing in drawing failed to draw its answer: __init__.py:20: LookupError: no ink" in said.stderr


def test_two_folders_have_their_own_code(heath: Path) -> None:
    for name, title in (("a-b", "one"), ("a_b", "two")):
        folder = heath.with_name(name)
        folder.mkdir()
        folder.joinpath("game.toml").write_text(GAME, "utf-8")
        folder.joinpath("words.py").write_text('HOW_MANY = ""\n', "utf-8")
        code = COUNT.replace('"heath"', f'"{name}"').replace('title="a share"', f'title="{title}"')
        folder.joinpath("__init__.py").write_text(code, "utf-8")
    assert [questions_of(named_game(name))["share"].title for name in ("a-b", "a_b")] == ["one", "two"]


@pytest.mark.parametrize(("program", "name", "code"), [(cli, "questions", 3), (builder, "check", 1)])
def test_a_hook_with_wrong_parameters_is_the_fault_of_its_author(
    heath: Path, program: click.Group, name: str, code: int
) -> None:
    hook = "from assistant import hookimpl\n\n@hookimpl\ndef register_questions(game, reg): pass\n"
    heath.joinpath("__init__.py").write_text(hook, "utf-8")
    done = CliRunner().invoke(program, [name, "heath"])
    assert done.exit_code == code
    assert "plugin heath in heath failed to register its hooks: PluginValidationError" in done.output
    assert "reg" in done.output
    assert not isinstance(done.exception, TypeError)


def test_a_question_may_be_registered_by_keywords(heath: Path) -> None:
    code = "from assistant import hookimpl\n\n@hookimpl\ndef register_questions(game, register):\n"
    code += "    register(question='check2', module='assistant.asking.builtin.check')\n"
    heath.joinpath("__init__.py").write_text(code, "utf-8")
    done = CliRunner().invoke(builder, ["check", "heath"])
    assert "TypeError" not in f"{done.output}{done.exception}"


def test_parameters_are_listed_as_they_are_typed(heath: Path) -> None:
    code = COUNT.replace(
        """    \"\"\"Nothing has to be said.\"\"\"
""",
        '    from_hex: str = ""\n',
    )
    heath.joinpath("__init__.py").write_text(code, "utf-8")
    listed = run("questions", "heath", "share")
    assert "--from-hex (optional)" in listed.output
    assert run("reference", "heath").exit_code == 0, "a struct without a docstring"


@pytest.mark.parametrize("id", ["{folder}", "../../heath", "HEATH", ""])
def test_what_a_file_calls_its_game_is_never_a_path(heath: Path, id: str) -> None:
    """Not even where a mapping lies in the folder that it names, which tells of a folder with a game."""
    heath.joinpath("any.toml").write_text(f'module = "x"\nfolder = "{heath}"\n', "utf-8")
    heath.joinpath("__init__.py").write_text('from pathlib import Path\nPath(__file__).with_name("ran").touch()\n')
    heath.parent.joinpath("data", "modules").mkdir(parents=True)
    with pytest.raises(InputError, match="unknown game"):
        load_game(id.format(folder=heath))
    assert not heath.joinpath("ran").exists()


def test_a_question_that_returns_nothing_is_told_with_its_line(heath: Path) -> None:
    code = "from assistant import hookimpl\nfrom assistant.asking import Report, View, declare\n\n"
    code += "def share(view: View, *, many: int = 1) -> Report[int]:\n    many + 1\n\n"
    code += '@hookimpl\ndef register_questions(game, register):\n    register(declare("share", "a share", share))\n'
    mute = heath.parent / "mute"
    mute.mkdir()
    mute.joinpath("game.toml").write_text(GAME, "utf-8")
    mute.joinpath("__init__.py").write_text(code, "utf-8")
    mute.joinpath("start.pos").write_text("game mute\n", "utf-8")
    said = run("ask", "share", "mute/start.pos", "--game", "mute")
    fault = "assistant: plugin mute in mute failed to answer share: __init__.py:4: TypeError: its answer is None, not a Report"
    assert said.exit_code == 3 and said.stderr.startswith(fault)
