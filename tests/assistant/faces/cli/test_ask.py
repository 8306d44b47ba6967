"""One question about many positions, from the command line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.service import link, parse

from ....cases import few, thorough
from ....commands import run_command

EXAMPLES = Path(__file__).parents[4] / "plugins/twilight_in_the_east/examples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two positions, one of them to be decided by a fact, and a file that holds none."""
    shutil.copy(EXAMPLES / "supply-line.pos", tmp_path / "supply-line.pos")
    supplied = (EXAMPLES / "supplied.pos").read_text("utf-8").replace("turn=5", "turn=5\nown map")
    (tmp_path / "supplied.pos").write_text(supplied, "utf-8")
    (tmp_path / "broken.vsav").write_bytes(b"PK\x03\x04 no save")
    (tmp_path / "notes.txt").write_text("to read first")
    return tmp_path


@thorough
def test_a_folder_stands_for_its_positions_and_one_that_is_broken_ends_nothing(folder: Path) -> None:
    done = run_command(folder, "supply", ".", "--jobs", "2")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["file"] for line in lines] == ["broken.vsav", "supplied.pos", "supply-line.pos"]
    assert [line["report"]["verdict"]["kind"] for line in lines[1:]] == ["undecided", "yes"]
    assert lines[0]["error"]["where"].startswith("broken.vsav")
    assert done.stderr == "3 positions: 1 answered, 1 undecided, 1 not usable\n"
    assert done.returncode == 3


@few(1)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["supply-line.pos", "supplied.pos"], 4),
        (["supply-line.pos", "example:supply-line"], 0),
        (["supply-line.pos", "--jobs", "1"], 0),
        (["supply-line.pos", "gone.pos", "--jobs", "1"], 3),
        (["supply-line.pos", "supplied.pos", "--unit", "no-such-unit"], 3),
    ],
)
def test_the_exit_code_tells_whether_all_are_answered(folder: Path, words: list[str], code: int) -> None:
    done = run_command(folder, "ask", "supply", *words)
    assert done.returncode == code
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == [
        word for word in words if word.endswith(".pos") or ":" in word
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--picture", "out.svg"], "--picture: this is for one position"),
        (["--after", "out.pos"], "--after: this is for one position"),
        (["--answers", "crt=7"], "--answers: this is for one position"),
        (["--map"], "--map: this is for one position"),
        (["--watch"], "--watch: this is for one position"),
        (["--as", "russian", "--umpire"], "--as: an umpire sees all sides"),
        (["--accept", "rumour"], "--accept: unknown source 'rumour'"),
        (["--game", "nowhere"], "unknown game 'nowhere'"),
        (["-"], "-: standard input holds one position"),
    ],
)
def test_what_does_not_go_with_many_is_refused_before_anything_is_asked(
    folder: Path, words: list[str], told: str
) -> None:
    done = run_command(folder, "supply", "supply-line.pos", "supplied.pos", "--jobs", "1", *words)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(f"assistant: {told}")


def test_a_folder_without_positions_is_refused(tmp_path: Path) -> None:
    done = run_command(tmp_path, "supply", ".")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("assistant: .: there is no position in this folder\n")


@thorough
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are UTF-8 there")
def test_a_file_whose_name_is_not_utf_8_ends_nothing(folder: Path) -> None:
    shutil.copy(folder / "supply-line.pos", os.fsencode(folder) + b"/a\xff.pos")
    done = run_command(folder, "supply", ".")
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == [
        "a\ufffd.pos",
        "broken.vsav",
        "supplied.pos",
        "supply-line.pos",
    ]
    assert done.stderr == "4 positions: 2 answered, 1 undecided, 1 not usable\n"


def test_an_empty_word_is_not_the_folder(folder: Path) -> None:
    done = run_command(folder, "supply", "")
    assert (done.returncode, done.stdout) == (3, "")


def test_a_link_without_its_address_may_be_long(folder: Path) -> None:
    more = "".join(f"45.{number} {('clear', 'rough', 'sea')[number * number % 7 % 3]}\n" for number in range(20, 60))
    fragment = link(parse((folder / "supply-line.pos").read_text() + more)).fragment
    assert len(fragment) > 255
    assert run_command(folder, "ask", "supply", fragment).returncode == 0


@thorough
def test_moments_of_journals_are_positions_and_standard_input_is_only_one(folder: Path) -> None:
    journal = EXAMPLES.parents[1] / "der_weltkrieg/examples/books.journal"
    moments = [f"{journal}#1", f"{journal}#2"]
    done = run_command(folder, "ask", "check", *moments)
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == moments
    done = run_command(folder, "supply", "supply-line.pos", "-")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("assistant: -: standard input holds one position\n")


def test_a_slip_after_one_position_is_no_second_one(folder: Path) -> None:
    done = run_command(folder, "supply", "supply-line.pos", "25/3")
    assert (done.returncode, done.stdout) == (2, "")
    assert "25/3 is not there, and several positions are asked about only if all are." in done.stderr


@thorough
@pytest.mark.skipif(sys.platform == "win32", reason="a signal to a group of processes")
def test_ctrl_c_ends_a_run_at_once_and_keeps_each_line_whole(folder: Path) -> None:
    files = ["supply-line.pos"] * 2000
    command = [sys.executable, "-m", "assistant", "supply", *files, "--jobs", "2"]
    printed = folder / "printed"
    with (
        printed.open("w") as out,
        subprocess.Popen(
            command, cwd=folder, stdout=out, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as run,
    ):
        while not printed.stat().st_size:
            time.sleep(0.01)
        os.killpg(run.pid, signal.SIGINT)
        _, told = run.communicate(timeout=60)
    lines = printed.read_text().splitlines()
    assert all(json.loads(line)["file"] == "supply-line.pos" for line in lines)
    assert 0 < len(lines) < len(files)
    assert "Traceback" not in told
    assert run.returncode == 130
