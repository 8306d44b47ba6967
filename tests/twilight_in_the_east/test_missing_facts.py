"""Questions about supply and railways whose position is wrong or says too little: each names what is wrong, asks for what it needs, or
says what it takes for granted. No guess passes as a fact."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ..cases import few
from ..conftest import answered, told, typed

DATA = tomllib.loads((Path(__file__).parent / "missing-facts.toml").read_text("utf-8"))
EVERY = [
    pytest.param(case, question, id=f"{case['title']}: {question}")
    for case in DATA["case"]
    for question in case["questions"]
]


def asked(case: dict[str, Any], question: str) -> Report[Any]:
    name, *given = shlex.split(question)
    parameters = dict(one.split("=", 1) for one in given)
    return answered(typed(f"{DATA['positions'][case['on']]}\n{case.get('with', '')}\n"), name, **parameters)


@few(1)
@pytest.mark.parametrize(("case", "question"), EVERY)
def test_what_is_missing_is_named(case: dict[str, Any], question: str) -> None:
    if "refused" in case:
        with pytest.raises(InputError) as refused:
            asked(case, question)
        assert case["refused"] in str(refused.value)
        assert len(str(refused.value).splitlines()) <= 2
        return
    report = asked(case, question)
    if "asks" in case:
        assert [ask.how.removeprefix("ask ... ") for ask in report.asks] == case["asks"]
        assert report.changes == (), "nothing changes before it is known"
    else:
        assert case["grants"] in told(report, "Assumed")
