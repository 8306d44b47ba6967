"""What the rules refuse on what is stated needs nothing else: a refusal is not put off by questions whose answers cannot change it."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

import twilight_in_the_east
from assistant.asking.question import RULINGS
from assistant.util.errors import InputError

from ..conftest import answered, told, typed

CASES = tomllib.loads((Path(__file__).parent / "refusals.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_a_refusal_asks_for_nothing_that_cannot_change_it(case: dict[str, Any]) -> None:
    name, *given = shlex.split(case["question"])
    report = answered(typed(case["stands"]), name, **dict(one.split("=", 1) for one in given))
    assert [ask.how for ask in report.asks] == []
    assert report.verdict.kind == "no"
    assert any(case["because"] in text for text in (report.verdict.text, *told(report)))
    assert [part.title for part in report.parts if part.title == RULINGS] == [], "no doubtful reading has a part in it"


COMBATS = [case for case in CASES if case["question"].startswith(("battle", "repulse"))]
GROUND = "turn=5\n41.19 clear\n"
RATINGS = {
    **dict.fromkeys(("A", "Elbing"), "steps=7 artillery=1 effectiveness=9"),
    **dict.fromkeys(("B", "C"), "steps=2 artillery=0 effectiveness=9"),
    "D": "steps=4 artillery=1 defence=4 effectiveness=9",
    "F": "steps=4 fssm=2",
}


@pytest.mark.parametrize("case", COMBATS, ids=[case["title"] for case in COMBATS])
def test_what_is_refused_early_is_refused_when_all_is_stated(case: dict[str, Any]) -> None:
    name, *given = shlex.split(case["question"])
    stands = str(case["stands"])
    ratings = "".join(f"{unit} {all_of_it}\n" for unit, all_of_it in RATINGS.items() if f" {unit}" in stands)
    ground = GROUND if "40.20|41.19" in stands else GROUND + "40.20|41.19 open\n"
    points = {"attacker_ap": ("none",), "defender_ap": ("none",)} if name == "battle" else {}
    given_too = dict(one.split("=", 1) for one in given)
    report = answered(typed(stands + ground + ratings), name, flanked=False, **points, **given_too)
    assert [ask.how for ask in report.asks] == []
    assert report.verdict.kind == "no"
    assert any(case["because"] in text for text in (report.verdict.text, *told(report)))


@pytest.mark.parametrize("question", ["battle at=41.19", "repulse at=41.19 from=40.20"])
def test_a_combat_over_a_lake_is_an_error_before_facts_are_asked_for(question: str) -> None:
    name, *given = question.split()
    position = typed("41.19: russian infantry XX D\n40.20: german infantry XX A\n40.20|41.19 lake")
    with pytest.raises(InputError, match=r"41\.19 cannot be attacked"):
        answered(position, name, **dict(one.split("=", 1) for one in given))


def test_every_question_that_refuses_outright_has_a_case() -> None:
    folder = Path(str(twilight_in_the_east.__file__)).parent
    sources = {
        name: folder / f"{module.replace('.', '/')}.py" for name, module in twilight_in_the_east.QUESTIONS.items()
    }
    refusing = {name for name, source in sources.items() if "refused(" in source.read_text("utf-8")}
    shown = {case["question"].split()[0] for case in CASES}
    assert refusing - shown == {"retreat"}, "a stack that may not retreat as one is judged on all of its units"
