"""What a player does first, done with the commands of an installation, in another folder and for a user whose home cannot be written to."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

BATTLE = "t=2\ntrust charts\n2213 rough ru 9/X 14-12-6-8 < 2214mi a-h 3/XIV 12-?-4-9\n7\n"
FIRST = [
    (("assistant", "demo"), "", "field-staff\n"),
    (("assistant", "battle", "example:battle"), "", "column 1:1 (42 against 23"),
    (("assistant", "--version"), "", "twilight-in-the-east (field-staff "),
    (("assistant", "games"), "", "twilight-in-the-east: 1914, Twilight in the East"),
    (("assistant", "rules", "twilight", "10.8a"), "", "combat/engagement.py:"),
    (("assistant", "table", "twilight"), BATTLE, "Combat Results Table, summer, 1:3 (2d6)> 7"),
    (("assistant", "supply", "example:supplied", "--accept", "drawn", "--picture", "made.png"), "", "In Supply"),
    (("module-builder", "module", "twilight", "-o", "made.vmod"), "", "made.vmod: 111 counters"),
    (("module-builder", "sheets", "twilight", "-o", "made.pdf"), "", "made.pdf: 338 counters"),
    (("module-builder", "board", "twilight", "-o", "made.png", "--px", "8"), "", "made.png: 9442 hexes"),
    (("module-builder", "aids", "twilight", "-o", "made.pdf"), "", "made.pdf: turn-track"),
    (("module-builder", "page", "-o", "made", "--parts", "parts"), "", "made: "),
]
"""Commands with what is typed and what they then say; what they make is called `made`, and `parts` holds those of the page."""


def plays(commands: Path, folder: Path, *words: str, typed: str = "", code: int = 0) -> str:
    """What a command says in a folder. commands: the folder of commands, and no other program is in sight; code: its exit code."""
    done = subprocess.run(
        [str(commands / words[0]), *words[1:]],
        cwd=folder,
        env=_without_home(commands, folder),
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def _without_home(commands: Path, folder: Path) -> dict[str, str]:
    """The environment of a user whose home cannot be made: not even root can make a folder below a file."""
    (folder / "a file").touch()
    return {"HOME": str(folder / "a file" / "home"), "PATH": str(commands), "LANG": "C.UTF-8"}


def check_made(folder: Path) -> None:
    """That a command has written what it said, and nothing else."""
    made = [path for path in folder.iterdir() if path.name not in ("a file", "parts")]
    assert all(path.name.startswith("made") for path in made)
    assert all(path.stat().st_size > 10_000 for path in made if path.is_file())
    assert all((path / "index.html").is_file() for path in made if path.is_dir())


def link_of_served(commands: Path, folder: Path, *words: str) -> str:
    """The first link that a command prints which serves the table page, before it is stopped. Where it keeps its tables is in that folder."""
    environment = _without_home(commands, folder) | {"FIELD_STAFF_DATA": str(folder / "data")}
    with subprocess.Popen(
        [str(commands / words[0]), *words[1:]],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout
        try:
            return next(link[0] for line in run.stdout if (link := re.search(r"http://127\.0\.0\.1:\d+/0/#\S+", line)))
        finally:
            run.terminate()
