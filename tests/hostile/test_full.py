"""Full disks and closed streams: a message and exit code 3, and nothing half written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..cases import few, thorough
from ..conftest import GAME

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and devices of Linux")

PROGRAMS = {"assistant": "assistant.faces.cli.main", "module-builder": "module_builder.cli"}
EXAMPLE = Path(__file__).parents[2] / "plugins" / "twilight_in_the_east" / "examples" / "battle.pos"
MOST = 3_000
"""Bytes that a file may have where disks are full."""


def run(folder: Path, shell: str, program: str, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that first limits or closes something: `ulimit` before, or redirections after it."""
    before, _, after = shell.partition("|")
    command = [sys.executable, "-c", f"from {PROGRAMS[program]} import main; main()", *words]
    return subprocess.run(
        ["bash", "-c", f'{before} "$@" {after}', "bash", *command],
        cwd=folder,
        env=os.environ | {"FIELD_STAFF_DATA": str(folder / "data")},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def files(folder: Path) -> dict[str, bytes]:
    """All files but locks, hidden ones too."""
    found = (file for file in folder.rglob("*") if file.is_file() and file.name != ".lock")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


@thorough
@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("module-builder", ("module", GAME, "--out", "old", "--force")),
        ("module-builder", ("counters", GAME)),
        ("module-builder", ("counters", GAME, "--overview", "all.png")),
        ("module-builder", ("sheets", GAME)),
        ("module-builder", ("sheets", GAME, "--svg", "pages")),
        ("module-builder", ("aids", GAME)),
        ("assistant", ("battle", "battle.pos", "--picture", "new.svg")),
        ("assistant", ("pack", "take", GAME, "crt", "mine.csv")),
    ],
)
def test_a_file_that_does_not_fit(tmp_path: Path, program: str, words: tuple[str, ...]) -> None:
    if words[0] == "module":
        words = tuple(word.replace("old", "old.vmod") for word in words)
    rows = [
        f"{season},{odds},{roll},+1,-" for season in ("summer", "autumn") for odds in ("1:1",) for roll in range(2, 13)
    ]
    (tmp_path / "mine.csv").write_text("season,odds,roll,attacker,defender\n" + "\n".join(rows) + "\n")
    (tmp_path / "battle.pos").write_bytes(EXAMPLE.read_bytes())
    (tmp_path / "old.vmod").write_bytes(b"old")
    before = files(tmp_path)
    most = 100 if words[0] == "pack" else MOST
    small = f"resource.RLIMIT_FSIZE, ({most}, {most})"
    command = f"import resource; resource.setrlimit({small}); from {PROGRAMS[program]} import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, *words],
        cwd=tmp_path,
        env=os.environ | {"FIELD_STAFF_DATA": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done
    assert "File too large" in done.stderr and len(done.stderr.splitlines()) <= 2
    assert files(tmp_path) == before


@few(1)
@pytest.mark.parametrize("shell", ["|>/dev/full", "|>/dev/full 2>&-", "|>/dev/full 2>/dev/full"])
def test_standard_output_that_is_full(tmp_path: Path, shell: str) -> None:
    done = run(tmp_path, shell, "assistant", "pack", "set", GAME, "unit", "25/3", "defence", "13")
    assert done.returncode == 3
    assert done.stderr == (
        "assistant: standard output: No space left on device\n  make room on that disk\n"
        if shell == "|>/dev/full"
        else ""
    )
    assert files(tmp_path).keys() == {f"data/packs/{GAME}/counters.csv"}, "kept, but nobody could be told"
