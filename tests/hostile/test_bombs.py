"""No file takes more memory or time than docs/reference/limits.md says; the operating system watches."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from ..cases import thorough
from .inputs.bombs import BOMBS

ROOT = Path(__file__).parents[2]
WATCHED = """
import sys; from pathlib import Path; from tests.hostile.reading import *
environment(); limit_memory(); print(outcome(Path(sys.argv[1]), sys.argv[2]).crash, end="")
"""


OF_PIECES = re.compile("(piece|stack|trait|marker|layer).*[.]v(sav|log)")
"""Those in which a side is kept from seeing something."""


@cache
def bomb(name: str) -> bytes:
    """One of the files, which take longer to make than to read."""
    return BOMBS[name]()


@thorough
@pytest.mark.parametrize(
    ("name", "question"),
    [
        (name, f"check{as_side}")
        for name in BOMBS
        for as_side in (("", " --as russian") if OF_PIECES.search(name) else ("",))
    ],
)
def test_a_file_takes_no_more_memory_or_time_than_any_may(name: str, question: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(bomb(name))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WATCHED, str(tmp_path / name), question]
    done = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
