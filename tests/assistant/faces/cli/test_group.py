"""A command on a game without its name, and what a shell completes."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.installed import registry
from assistant.installed.registry import installed_games

from ....cases import few, thorough
from ....conftest import GAME


def said(*words: str) -> str:
    done = CliRunner().invoke(cli, words, standalone_mode=False)
    if done.exception:
        raise done.exception
    return done.output


@pytest.fixture
def one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    only = installed_games()[GAME]
    monkeypatch.setattr(registry, "entry_points", lambda group: [only])


@pytest.mark.usefixtures("one_game")
@pytest.mark.parametrize("words", [["questions"], ["questions", "twi"], ["questions", GAME]])
def test_one_game_needs_no_name_and_any_beginning_is_enough(words: list[str]) -> None:
    assert said(*words).startswith("battle  ")


@thorough
@pytest.mark.usefixtures("one_game")
def test_what_stands_behind_the_game_may_stand_alone() -> None:
    assert said("rules", "10.8a") == said("rules", GAME, "10.8a")
    assert said("rules", GAME, "10.8a").startswith("10.8a")


@pytest.mark.parametrize("name", ["mine.pos", "mine.json"])
def test_a_table_begins_with_a_position_without_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    (tmp_path / "mine.pos").write_text(f"game {GAME}\nturn=7\n")
    (tmp_path / "mine.json").write_text(said("convert", str(tmp_path / "mine.pos"), "--umpire"))
    done = CliRunner().invoke(cli, ["table", "--umpire", str(tmp_path / name)], input="position\n")
    assert "turn=7" in done.output


@pytest.mark.usefixtures("one_game")
def test_a_table_begins_empty_without_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    done = CliRunner().invoke(cli, ["table", "--as", "german", "--new"], input="t=1\n")
    assert "You see what the Central Powers side knows." in done.output


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [*installed_games().values(), installed_games()[GAME]._replace(name="twilight-in-the-west")]
    monkeypatch.setattr(registry, "entry_points", lambda group: games)


@pytest.mark.usefixtures("two_games")
def test_with_two_games_the_name_is_needed() -> None:
    with pytest.raises(registry.InputError) as error:
        registry.game_folder("twi")
    assert str(error.value).startswith("'twi' may mean twilight-in-the-east or twilight-in-the-west")
    with pytest.raises(registry.InputError, match="several games are installed"):
        registry.game_folder("")
    assert registry.game_folder("twilight-in-the-e").id == GAME


@pytest.mark.usefixtures("two_games")
def test_with_two_games_a_rule_alone_is_told_what_to_put_before_it() -> None:
    done = CliRunner().invoke(cli, ["rules", "10.8"])
    games = list(registry.installed_games())
    hint = f"write: assistant rules {games[0]} 10.8; installed: {', '.join(games)}"
    assert (done.exit_code, done.stderr.splitlines()) == (
        3,
        ["assistant: 10.8 is a rule number, but no game is named", f"  {hint}"],
    )


@few(2)
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("assistant rules tw", [GAME]),
        ("assistant forc", ["forced-march"]),
        ("assistant ask disp", ["displace"]),
        (f"assistant pack enter {GAME} cr", ["crt"]),
        (f"assistant pack enter {GAME} cou", ["counters"]),
        (f"assistant pack set {GAME} a", ["army"]),
        (f"assistant pack set {GAME} unit 25/3 artillery", ["artillery", "artillery-class"]),
        (f"assistant pack set {GAME} ground 41.19 terr", ["terrain"]),
    ],
)
def test_a_shell_completes_games_questions_charts_and_tracks(line: str, completed: list[str], tmp_path: Path) -> None:
    shell = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), "_ASSISTANT_COMPLETE": "bash_complete"}
    environment = os.environ | shell | {"FIELD_STAFF_DATA": str(tmp_path)}
    command = [sys.executable, "-m", "assistant"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == [f"plain,{word}" for word in completed]


@pytest.mark.usefixtures("one_game")
@pytest.mark.parametrize("words", [["crt", "-"], [GAME, "crt", "-"]])
def test_standard_input_is_a_word_and_no_game(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    done = CliRunner().invoke(cli, ["pack", "take", *words], input="")
    assert done.exit_code == 3, done.output
    assert "unexpected extra argument" not in done.output


# --- what the machine refuses -----------------------------------------------------------------------------------------


def ended(fails: str, *words: str, out: int | None = subprocess.PIPE) -> tuple[int, str]:
    """The exit code of a command in a process in which something fails first, and what it says on standard error."""
    begun = [sys.executable, "-c", f"{fails}\nfrom assistant.faces.cli.main import main; main()", *words]
    done = subprocess.run(begun, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


NO_MEMORY = "assistant: not enough memory\n  close other programs, or ask for less at once\n"
UNLOADED = "assistant: a part of the program could not be loaded: "
UNTIDY = """
class Untidy:
    def __del__(self): raise MemoryError
installed = registry.installed_games
def fail():
    Untidy()
    return installed()"""
"""Memory that is not there to tidy up."""


@pytest.mark.parametrize(
    ("fails", "code", "says"),
    [
        ("def fail(): raise MemoryError", 3, NO_MEMORY),
        (UNTIDY, 0, NO_MEMORY),
        ("import unread\nfail = lambda: unread.games", 3, f"{UNLOADED}module 'unread' has no attribute 'games'"),
        ("def fail(): import lacking", 3, f"{UNLOADED}No module named 'os.nothing'; 'os' is not a package"),
        ("def fail(): import broken", 3, f"{UNLOADED}'NoneType' object has no attribute 'place'"),
        ("fail = lambda: b'x'.decode('unread')", 3, f"{UNLOADED}unknown encoding: unread"),
    ],
)
def test_what_the_machine_lacks_is_said_in_two_lines(tmp_path: Path, fails: str, code: int, says: str) -> None:
    """As a package that Python could not read, a module that does not come to its end."""
    (tmp_path / "unread").mkdir()
    (tmp_path / "lacking.py").write_text("import os.nothing", "utf-8")
    (tmp_path / "broken.py").write_text("None.place", "utf-8")
    before = f"import sys\nfrom assistant.installed import registry\nsys.path.append({str(tmp_path)!r})"
    ended_with, said = ended(f"{before}\n{fails}\nregistry.installed_games = fail", "games")
    remedy = "" if says == NO_MEMORY else "\n  check the disk with Field Staff on it, or install it again\n"
    assert (ended_with, said) == (code, says + remedy)


@thorough
def test_a_part_of_the_program_that_cannot_be_loaded_is_named() -> None:
    code, said = ended("import sys; sys.modules['assistant.game.games'] = None", "questions", GAME)
    assert code == 3
    assert said.startswith(
        "assistant: a part of the program could not be loaded: import of assistant.game.games halted"
    )
    assert said.splitlines()[1:] == ["  check the disk with Field Staff on it, or install it again"]


def test_a_disk_that_fails_is_not_taken_for_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system names no file either, as where a read breaks off."""

    def fail(group: str) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    cli.list_commands(Context(cli))  # with those of plugins, which are found the same way
    monkeypatch.setattr(registry, "entry_points", fail)
    done = CliRunner().invoke(cli, ["games"], prog_name="assistant")
    assert (done.exit_code, done.stderr) == (3, "assistant: Input/output error\n  check that disk\n")


def test_the_code_of_a_game_is_not_blamed_for_a_disk_or_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (MemoryError(), OSError(errno.EIO, "Input/output error", "odd.csv")):

        def fail(**_: object) -> None:
            raise error  # noqa: B023  # called at once

        monkeypatch.setattr(registry, "_find_hook", lambda *_, fail=fail: fail)
        with pytest.raises(type(error)):
            registry.pack_of(registry.load_game(GAME))
