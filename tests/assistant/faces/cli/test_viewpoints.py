"""What a side asks about an example file is answered, or refused in words; and what only looks at a file writes nothing, but for a cache."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant.asking.report import Part, Report, Step, Verdict
from assistant.records.explaining.account import MAX_LINES, format_question_briefly
from assistant.records.explaining.explanation import ExplainedQuestion

from ....cases import few, seeds, thorough
from ....commands import run_command
from ....comparing.search import tried
from .viewpoints import SEARCH


@few(2)
@pytest.mark.parametrize("seed", seeds(20))
def test_no_command_ends_in_an_internal_error(seed: int) -> None:
    assert tried(SEARCH, range(3), seed).wrong == []


def test_a_part_without_steps_is_a_heading() -> None:
    """Such as `With what is hidden at its weakest`, above the parts of that end of a range."""
    steps = tuple(Step("10.9", "a step of the working") for _ in range(60))
    parts = (Part("With all at its weakest", ()), Part("Odds", steps))
    report: Report[None] = Report(title="Battle", verdict=Verdict("yes", "1/1 holds"), parts=parts)
    asked = ExplainedQuestion(question="battle", parameters={}, opened="by chat", first=1, last=2, report=report)
    lines = format_question_briefly(asked, 1)
    assert len(lines) <= MAX_LINES
    assert lines[lines.index("With all at its weakest:") + 1].startswith("Odds: ")


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
