"""`assistant table`: where it begins, what it keeps, what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import GAME

TYPED = "t=1\n4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10\n"
SAVED = """game twilight-in-the-east
turn=1
40.20: 25/3 (10-?-5-10)
41.19 clear: 1/1 (12-16-7-11)
41.19|40.20 open
ask battle at=41.19
"""


def table(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"FIELD_STAFF_DATA": str(folder / "data"), "COLUMNS": "100"}
    command = [sys.executable, "-m", "assistant", "table", *words]
    return subprocess.run(
        command, input=typed, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )


def test_it_goes_on_where_it_was_left_even_if_it_was_cut_off(tmp_path: Path) -> None:
    assert "= column 1:2, Medium" in table(tmp_path, GAME, typed=TYPED).stdout
    again = table(tmp_path, GAME, typed="-25/3\n").stdout
    assert "Going on with 2 units of before" in again
    assert "= column 1:2, Medium" in again
    assert "Going on" not in table(tmp_path, GAME, "--new").stdout
    assert (tmp_path / "data" / "table" / f"{GAME}.before.json").exists()


def test_it_begins_with_a_position(tmp_path: Path) -> None:
    (tmp_path / "mine.pos").write_text(SAVED)
    done = table(tmp_path, GAME, "mine.pos", typed="7\n")
    assert "Battle at 41.19, attacked from 40.20, GT 1" in done.stdout
    assert "chart cells missing: chart crt summer 1:2 7 = attacker / defender" in done.stdout
    assert (tmp_path / "mine.pos").read_text() == SAVED


def test_what_cannot_be_used_is_refused(tmp_path: Path) -> None:
    assert "unknown game 'chess'" in table(tmp_path, "chess").stderr
    assert "no.pos: No such file or directory" in table(tmp_path, GAME, "no.pos").stderr
    table(tmp_path, GAME, typed=TYPED)
    file = tmp_path / "data" / "table" / f"{GAME}.json"
    file.write_text('{"position": {"game": "chess"}}')
    done = table(tmp_path, GAME, typed=TYPED)
    assert done.returncode == 3
    assert f"{file}: unknown game 'chess'" in done.stderr
    assert "move that file away" in done.stderr


def test_an_empty_input_ends_it() -> None:
    done = subprocess.run([sys.executable, "-m", "assistant", "table", GAME], input="", capture_output=True, text=True)
    assert done.returncode == 0
