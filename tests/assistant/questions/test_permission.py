"""What may be done: reasons that forbid it, or yes with the working and the changes, which nobody works out in vain."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from assistant.questions import (
    DieRow,
    Gather,
    MissingFacts,
    Report,
    Step,
    certain,
    holding,
    if_known,
    permission,
    read_unless,
    step,
)
from assistant.state.changes import AnyChange, Gain

from ...conftest import viewed


class Crossing(msgspec.Struct, frozen=True):
    """Whether a ford is crossed."""

    ford: str
    depth: int
    allowed: bool = True


DEEP = step("3.1", "it is {depth} feet deep", depth=9)
FORD = Crossing("Oder", 9)


def crossing(*reasons: Step, result: object = FORD) -> Report[object]:
    templates = ("{ford} may be crossed with {guides:#guide}", "{ford} may not be crossed")
    return permission("The ford", templates, reasons, result, ford="Oder", guides=2)


def test_the_clauses_that_hold_are_steps_in_their_order_with_figures_from_holders() -> None:
    found = holding(
        [
            (FORD.depth > 5, "3.1", "{ford} is {depth} feet deep"),
            (FORD.depth > 20, "3.2", "nobody has ever crossed {ford}"),
            (["Vistula"], "3.3", "{other} is nearer"),
        ],
        FORD,
        other="Vistula",
    )
    assert [(one.rule, one.text) for one in found] == [("3.1", "Oder is 9 feet deep"), ("3.3", "Vistula is nearer")]
    assert [one.figures for one in found] == [{"ford": "Oder", "depth": 9}, {"other": "Vistula"}]


def test_what_nothing_forbids_is_allowed() -> None:
    report = crossing()
    assert (report.title, report.verdict.kind, report.verdict.text) == (
        "The ford",
        "yes",
        "Oder may be crossed with 2 guides",
    )
    assert report.result == FORD


def test_what_is_forbidden_names_each_reason_and_its_result_says_so() -> None:
    report = crossing(DEEP, step("3.2", "it is dark"))
    assert (report.verdict.kind, report.verdict.text) == ("no", "Oder may not be crossed (2 reasons)")
    assert [(one.title, [line.text for line in one.steps]) for one in report.parts] == [
        ("Not allowed", ["it is 9 feet deep", "it is dark"])
    ]
    assert report.result == Crossing("Oder", 9, allowed=False)


@pytest.mark.parametrize("reasons", [(), (DEEP,)])
def test_a_result_that_does_not_say_whether_it_is_allowed_stays_as_it_is(reasons: tuple[Step, ...]) -> None:
    assert crossing(*reasons, result="the ford").result == "the ford"


def test_a_verdict_may_be_a_figure_and_name_the_first_reason() -> None:
    forbidden = permission("t", ("", "no: {why}"), [DEEP], None)
    assert forbidden.verdict.text == "no: it is 9 feet deep"
    assert permission("t", ("{depth} feet", ""), [], FORD, kind="figure").verdict.kind == "figure"


def effects() -> Iterator[AnyChange]:
    """Changes that are made as they are asked for, and that nobody may ask for where the thing is not allowed."""
    yield Gain("vp", "allies", 1, "3.4")


def working() -> Iterator[Step]:
    yield step("3.4", "a guide is paid")


def test_working_and_changes_are_asked_for_only_if_it_is_allowed() -> None:
    made, told = effects(), working()
    forbidden = permission("t", ("", "no"), [DEEP], FORD, working={"Crossing": told}, changes=made)
    assert (forbidden.changes, [part.title for part in forbidden.parts]) == ((), ["Not allowed"])
    allowed = permission("t", ("", "no"), [], FORD, working={"Crossing": told}, changes=made)
    assert allowed.changes == (Gain("vp", "allies", 1, "3.4"),)
    assert [(part.title, [line.text for line in part.steps]) for part in allowed.parts] == [
        ("Crossing", ["a guide is paid"])
    ]


def test_facts_that_are_missing_matter_only_where_nothing_forbids_it_already() -> None:
    def depth() -> int:
        raise MissingFacts([])

    assert read_unless([DEEP], depth) is None
    assert read_unless([DEEP], lambda: 9) == read_unless([], lambda: 9) == 9
    with pytest.raises(MissingFacts):
        read_unless([], depth)


def turns_left(facts: Gather) -> int:
    return 27 - facts.integer("turn")


def test_a_result_or_none_where_a_fact_is_missing() -> None:
    assert if_known(viewed("turn=3\n"), turns_left) == 24
    assert if_known(viewed("41.19 clear\n"), turns_left) is None


DIE = DieRow(
    question="ford",
    title="whether the ford is open",
    die="water",
    means="the die of the water",
    rule="3.4",
    roll="Water",
    forbidden="nobody goes near it",
    due="open on {most} or less",
    yes="open",
    no="flooded",
)


@pytest.mark.parametrize(
    ("answers", "reasons", "verdict"),
    [
        ({}, [], ("figure", "open on 2 or less")),
        ({"water": "2"}, [], ("yes", "open")),
        ({"water": "3"}, [], ("no", "flooded")),
        ({}, [DEEP], ("no", "nobody goes near it (1 reason)")),
    ],
)
def test_a_row_has_a_verdict_for_each_thing_that_comes_of_its_die(
    answers: dict[str, str], reasons: list[Step], verdict: tuple[str, str]
) -> None:
    thrown = DIE.throw(lambda die: die <= 2, answers)
    report = DIE.report("The ford", reasons, thrown, FORD, most=2)
    assert (report.verdict.kind, report.verdict.text) == verdict
    assert [ask.name for ask in report.asks] == (["water"] if not (answers or reasons) else [])


def test_a_number_that_comes_of_a_die_is_a_figure_and_what_is_certain_needs_none() -> None:
    assert DIE.report("The ford", [], DIE.throw(int, {"water": "1"}), FORD).verdict.kind == "figure"
    assert DIE.report("The ford", [], certain(True), FORD).verdict.kind == "yes"
