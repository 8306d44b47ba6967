"""Standard streams that are closed, full or in another encoding; faults of the program itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.faces.cli.group import UNUSABLE_EXIT_CODE

from ..cases import few, thorough
from .inputs.seeds import FOLDER, GAME

BATTLE = str(FOLDER / "examples/battle.pos")


def shell(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "FIELD_STAFF_DATA": str(folder), "A": f"{sys.executable} -m assistant", "B": BATTLE, "G": GAME}
    env["M"] = f"{sys.executable} -m module_builder"
    return subprocess.run(
        ["sh", "-c", words], cwd=folder, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


CLOSED = "assistant: standard output: it is closed\n"
FULL = "assistant: standard output: No space left on device\n"
NO_INPUT = "assistant: standard input: it cannot be read\n  type into a terminal, a file or a pipe\n"


@few(3)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("$A check $B >&-", CLOSED),
        ("$A --help >&-", CLOSED),
        ("$M check $G >&-", CLOSED.replace("assistant", "module-builder")),
        ("$A check $B >&- 2>&-", ""),
        ("$A check nowhere.pos 2>/dev/full", ""),
        ("$A check nowhere.pos 2>&-", ""),
        ("$A check $B >/dev/full", FULL),
        ("$A battle $B --json >/dev/full", FULL),
        ("$A --help >/dev/full", FULL),
        ("echo help | $A table $G >/dev/full", FULL),
        ("$A table $G <&- >/dev/null", NO_INPUT),
        ("$A pack enter $G crt <&- >/dev/null", NO_INPUT),
        ("mkdir gone && cd gone && rmdir ../gone && $A check ./nowhere", "assistant: "),
    ],
)
def test_streams_that_cannot_be_used(words: str, said: str, tmp_path: Path) -> None:
    done = shell(words, tmp_path)
    assert done.returncode == UNUSABLE_EXIT_CODE
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) <= 2


@few(1)
@pytest.mark.parametrize(
    "words", ["$A reference $G | head -1", "$A battle $B --json | head -1", "echo help | $A table $G | head -1"]
)
def test_a_reader_that_goes_away_is_no_fault(words: str, tmp_path: Path) -> None:
    done = shell(words, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@thorough
def test_lines_of_any_bytes_are_read(tmp_path: Path) -> None:
    done = shell(
        r"printf '?\302\262\n?99999\n\377\376\n\000\n?'$(printf '9%.0s' $(seq 4000))'\n' | $A table $G", tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "! there is no assumption ?\u00b2" in done.stdout
    done = shell(r"printf '\377\376\n\n.' | $A pack enter $G crt", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 cells saved" in done.stdout


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    done = shell("head -c 10000000 /dev/zero | tr '\\000' x | $A table $G >/dev/null", tmp_path)
    assert done.returncode == UNUSABLE_EXIT_CODE
    assert "standard input: the line holds more than 4K letters" in done.stderr


def test_a_fault_of_the_program_is_told_in_two_lines(tmp_path: Path) -> None:
    code = "import assistant.service as s; s.read_position = s.notation = None\nfrom assistant.faces.cli.main import main\nimport sys\n"
    code += f"import assistant.installed.formats as r; r.read_position = lambda *_: 1 / 0; sys.argv = ['x', 'check', {BATTLE!r}]"
    for more, lines in (("", 2), (" + ['--debug']", 3)):
        done = subprocess.run(
            [sys.executable, "-c", f"{code}{more}; main()"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (len(done.stderr.splitlines()) > 2) == (lines > 2)
        assert "ZeroDivisionError" in done.stderr
