"""What only looks at a file writes nothing, but for a cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ....cases import thorough
from ....commands import run_command

EXAMPLES = Path(__file__).parents[4] / "plugins" / "twilight_in_the_east" / "examples"
ANSWERED = "journal twilight-in-the-east 1\n1 2 fact 40.20: 25/3\n2 2 answer turn |  | turn - 2 -> 2 5.4.4\n"


@thorough
@pytest.mark.parametrize("command", [["check"], ["answer"], ["journal", "check"]], ids=" ".join)
def test_nothing_is_written_beside_a_file_that_is_looked_at(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATA", "CACHE"):
        monkeypatch.setenv(f"FIELD_STAFF_{name}", str(tmp_path / name))
    (tmp_path / "games").mkdir()
    shutil.copy(EXAMPLES / "questions.pos", tmp_path / "games")
    (tmp_path / "games" / "answered.journal").write_text(ANSWERED, "utf-8")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    for file in (tmp_path / "games").iterdir():
        run_command(tmp_path, *command, str(file))
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if tmp_path / "CACHE" not in path.parents}
    assert after.keys() - {tmp_path / "CACHE"} == before.keys()
    assert all(after[path] == when for path, when in before.items())
