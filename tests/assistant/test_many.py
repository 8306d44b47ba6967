"""One question about many positions, as a program asks it."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import assistant
from assistant.asking.schemas import schemas
from assistant.faces.cli.ask import write_line
from assistant.installed.registry import load_game, questions_of
from assistant.many import Answered, ask_many, in_processes, try_answer
from assistant.util.errors import InputError, Where, format_suggestion

from ..cases import thorough

EXAMPLES = Path(__file__).parents[2] / "plugins/twilight_in_the_east/examples"
LINE = str(EXAMPLES / "supply-line.pos")


def _ask(file: str) -> Any:
    return assistant.ask(assistant.read(file), "supply")


def _fail(file: str) -> Any:
    raise ZeroDivisionError("by nothing")


@thorough
def test_each_file_has_its_report_or_its_error_in_the_order_of_the_files(tmp_path: Path) -> None:
    spoiled = tmp_path / "spoiled.pos"
    spoiled.write_text("game twilight-in-the-east\n41.19 clera\n")
    answers = [*ask_many([EXAMPLES / "supply-line.pos", spoiled, EXAMPLES / "supplied.pos"], "supply", jobs=2)]
    assert [answered.file for answered in answers] == [LINE, str(spoiled), str(EXAMPLES / "supplied.pos")]
    assert answers[0].report == _ask(LINE)
    assert answers[0].error is None
    assert answers[1].report is None
    assert str(answers[1].error) == f"{spoiled}:2:7: 'clera' is not a fact about a hex\n  nearest known: clear"
    assert answers[2].report == _ask(str(EXAMPLES / "supplied.pos"))


@thorough
def test_parameters_viewpoint_and_game_go_with_the_question(tmp_path: Path) -> None:
    save = EXAMPLES / "comprehensive-example.vsav"
    seen, unknown = (
        next(ask_many([save], "supply", seen_by="russian", unit=unit)).report for unit in ("25/3", "no such unit")
    )
    assert seen == assistant.ask(assistant.read(save, side="russian"), "supply", unit="25/3")
    assert unknown is None
    with pytest.raises(InputError, match="unknown game"):
        ask_many([save], "supply", game=str(tmp_path / "nowhere"))
    with pytest.raises(ValueError, match="0 jobs"):
        ask_many([save], "supply", jobs=0)


def test_what_goes_wrong_inside_is_told_of_the_file_and_ends_nothing() -> None:
    assert str(try_answer(_fail, "a.pos").error) == "a.pos: internal error: ZeroDivisionError: by nothing"


def test_an_error_goes_from_one_process_to_another_with_its_place_and_remedy() -> None:
    def refuse(file: str) -> Any:
        raise InputError("no unit", where=Where(file, 3), hint=format_suggestion("25/4", {"25/3": 1}.keys()))

    error = try_answer(refuse, "a.pos").error
    assert str(pickle.loads(pickle.dumps(error))) == "a.pos:3: no unit\n  nearest known: 25/3"


def test_every_line_is_as_its_schema_has_it() -> None:
    schema = schemas(questions_of(load_game("twilight-in-the-east"))["supply"])
    told, failed = write_line(try_answer(_ask, LINE)), write_line(try_answer(_fail, "a\u202eb.pos"))
    assert (told.kind, failed.kind) == ("yes", "")
    for written in told, failed:
        assert "\n" not in written.line
        assert written.line.isprintable()
        Draft202012Validator(schema["line"]).validate(json.loads(written.line))
    line = json.loads(told.line)
    assert line["file"] == LINE
    assert line["report"] == json.loads(assistant.to_json(_ask(LINE)))
    Draft202012Validator(schema["report"]).validate(line["report"])
    assert json.loads(failed.line)["error"]["what"] == "internal error: ZeroDivisionError: by nothing"


def _end(file: str) -> Any:
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)


@thorough
def test_a_file_that_ends_its_process_is_named() -> None:
    def text(answered: Answered) -> str:
        return str(answered.error)

    assert [*in_processes(_end, ["a.pos"], 1, text)] == [
        "a.pos: the process that read it has ended (SIGKILL)\n"
        "  memory may have run out: ask about this file alone, or in fewer processes at once"
    ]


@thorough
def test_the_example_with_dask_tallies_the_verdicts(tmp_path: Path) -> None:
    pytest.importorskip("dask.distributed")
    page = (Path(__file__).parents[2] / "docs/making/many-positions.md").read_text("utf-8")
    script = tmp_path / "tally.py"
    script.write_text(page.partition("```python\n")[2].partition("```")[0], "utf-8")
    saves = tmp_path / "saves"
    saves.mkdir()
    for number in range(60):
        shutil.copy(EXAMPLES / "comprehensive-example.vsav", saves / f"{number}.vsav")
    (saves / "broken.vsav").write_bytes(b"PK")
    done = subprocess.run([sys.executable, script, saves], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()[:2]
    assert first.startswith("60 25/3 is ")
    assert second.startswith(f"1 not usable: {saves / 'broken.vsav'}: ")


def _run_out(_: str) -> Any:
    raise MemoryError


def test_memory_that_runs_out_is_told_of_the_file() -> None:
    answered = try_answer(_run_out, LINE)
    assert answered.error is not None
    assert str(answered.error) == f"{LINE}: not enough memory\n  close other programs, or ask for less at once"
