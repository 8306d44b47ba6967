"""What the rules refuse on what is stated needs nothing else: a refusal is not put off by questions whose answers cannot change it."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

import twilight_in_the_east

from ..conftest import answered, told, typed

CASES = tomllib.loads((Path(__file__).parent / "refusals.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_a_refusal_asks_for_nothing_that_cannot_change_it(case: dict[str, Any]) -> None:
    name, *given = shlex.split(case["question"])
    report = answered(typed(case["stands"]), name, **dict(one.split("=", 1) for one in given))
    assert [ask.how for ask in report.asks] == []
    assert report.verdict.kind == "no"
    assert any(case["because"] in text for text in (report.verdict.text, *told(report)))


def test_every_question_that_refuses_outright_has_a_case() -> None:
    folder = Path(str(twilight_in_the_east.__file__)).parent
    sources = {
        name: folder / f"{module.replace('.', '/')}.py" for name, module in twilight_in_the_east.QUESTIONS.items()
    }
    refusing = {name for name, source in sources.items() if "refused(" in source.read_text("utf-8")}
    shown = {case["question"].split()[0] for case in CASES}
    assert refusing - shown == {"retreat"}, "a stack that may not retreat as one is judged on all of its units"
