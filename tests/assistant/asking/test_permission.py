"""What may be done: reasons that forbid it, or yes with the working and the changes, which nobody works out in vain."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant.asking import (
    DieRow,
    Gather,
    InputError,
    MissingFacts,
    OneDie,
    Report,
    Step,
    holding,
    if_known,
    permission,
    read_unless,
    step,
)
from assistant.state.changes import AnyChange, Change, Enter, Gain

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


def test_what_nothing_forbids_is_allowed_and_each_reason_that_does_is_named() -> None:
    report = crossing()
    assert (report.title, report.verdict.kind, report.verdict.text) == (
        "The ford",
        "yes",
        "Oder may be crossed with 2 guides",
    )
    assert report.result == FORD
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


def test_facts_that_are_missing_matter_only_where_nothing_forbids_it_already_or_all_know_them() -> None:
    def depth() -> int:
        raise MissingFacts([])

    assert read_unless([DEEP], depth) is None
    assert read_unless([DEEP], lambda: 9) == read_unless([], lambda: 9) == 9
    with pytest.raises(MissingFacts):
        read_unless([], depth)
    assert if_known(viewed("turn=3\n"), turns_left) == 24
    assert if_known(viewed("41.19 clear\n"), turns_left) is None


def turns_left(facts: Gather) -> int:
    return 27 - facts.integer("turn")


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


# --- a die with all that it takes -------------------------------------------------------------------------------------

ROW = msgspec.structs.replace(
    DIE,
    due="open on {faces} ({chance:%})",
    yes="open to {who} on {die}",
    faces="1: 6; 2-3: 4-6; 4-: 1-6",
    yes_changes="arrives 1/1 = {turn}+2",
    no_changes="entrained 1/1 = yes",
)


def settled(row: DieRow, text: str = "30.20: 1/1\n", **given: Any) -> Report[OneDie]:
    reasons, answers = given.pop("reasons", []), given.pop("answers", {})
    return row.settle(viewed(text), "The ford", reasons, answers, who="us", turn=3, **given)


@pytest.mark.parametrize(
    ("number", "faces"), [(0, ()), (1, (6,)), (2, (4, 5, 6)), (3, (4, 5, 6)), (9, (1, 2, 3, 4, 5, 6))]
)
def test_the_faces_may_depend_on_a_number(number: int, faces: tuple[int, ...]) -> None:
    assert ROW.faces_for(number) == faces
    assert msgspec.structs.replace(ROW, faces="2").faces_for(number) == (2,)


@pytest.mark.parametrize(
    ("faces", "why"),
    [
        *((faces, "is not a number") for faces in ("a", "1-x", "x: 2", "-3")),
        *((faces, "no die shows") for faces in ("5-8", "6-5", "0-3", "1: 7")),
    ],
)
def test_faces_that_no_die_shows_are_refused(faces: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        msgspec.structs.replace(ROW, faces=faces).faces_for(1)


def test_a_die_of_a_table_writes_what_it_changes() -> None:
    row = msgspec.structs.replace(
        ROW, yes="open to {who} on {die}", yes_changes="arrives 1/1 = {turn}+2; entrained 1/1 = no"
    )
    yes = settled(row, number=1, answers={"water": "6"})
    assert (yes.verdict.kind, yes.verdict.text) == ("yes", "open to us on yes")
    assert yes.changes == (Change("arrives", "1/1", None, 5, "3.4"), Change("entrained", "1/1", None, False, "3.4"))
    no = settled(row, number=1, answers={"water": "5"})
    assert (no.verdict.kind, no.result.came) == ("no", False)  # type: ignore[union-attr]
    assert no.changes == (Change("entrained", "1/1", None, True, "3.4"),)


def test_a_die_of_a_table_says_its_faces_before_it_is_thrown_unless_something_forbids_it() -> None:
    report = settled(ROW, number=2)
    assert (report.verdict.kind, report.verdict.text) == ("figure", "open on 4-6 (50.0%)")
    assert (report.result, report.changes) == (OneDie(came=None, faces=(4, 5, 6), chance=Fraction(1, 2)), ())
    report = settled(ROW, number=2, reasons=[DEEP])
    assert (report.verdict.kind, report.changes, report.asks) == ("no", (), ())
    assert report.result is not None
    assert report.result.came is None


def test_what_is_certain_needs_no_die_and_takes_none() -> None:
    plain = msgspec.structs.replace(ROW, yes_changes="", yes="open")
    assert (settled(plain, number=4).verdict.kind, settled(plain, number=4).asks) == ("yes", ())
    assert settled(plain, number=1, settled=True).verdict.kind == "yes"
    assert settled(plain, number=1, settled=False).verdict.kind == "no"
    for given in ({"number": 4}, {"number": 1, "settled": True}, {"number": 1, "reasons": [DEEP]}):
        with pytest.raises(InputError, match="no roll"):
            settled(plain, answers={"water": "6"}, **given)


def test_a_die_that_is_a_number_is_a_figure() -> None:
    row = msgspec.structs.replace(ROW, faces="", yes="{die} feet", yes_changes="arrives 1/1 = {turn}+{die}")
    report = settled(row, answers={"water": "4"})
    assert (report.verdict.kind, report.verdict.text) == ("figure", "4 feet")
    assert report.changes == (Change("arrives", "1/1", None, 7, "3.4"),)
    assert report.result == OneDie(came=4, faces=(), chance=None)


def test_a_unit_out_of_play_comes_off_the_map_first_and_once() -> None:
    row = msgspec.structs.replace(ROW, faces="1-6", yes="open", yes_changes="arrives 36/17 = 4")
    assert settled(row).changes == (Enter("36/17", "36/17", None, 0, "3.4"), Change("arrives", "36/17", None, 4, "3.4"))
    row = msgspec.structs.replace(
        ROW, faces="1-6", yes="open", yes_changes="arrives 36/17 = 4; entrained 36/17 = yes; entrained 37/17 = no"
    )
    assert [one.unit for one in settled(row).changes if isinstance(one, Enter)] == ["36/17", "37/17"]


@pytest.mark.parametrize("value", ["soon", "{turn}+soon", "", "4+"])
def test_a_change_to_what_is_no_number_is_refused(value: str) -> None:
    row = msgspec.structs.replace(ROW, faces="1-6", yes="open", yes_changes=f"arrives 1/1 = {value}")
    with pytest.raises(InputError, match="is not allowed"):
        settled(row)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("phasing=russian\nphase=movement\n", []),
        ("", []),
        ("phasing=central-powers\n", ["it is rolled in the player turn of the Russian side"]),
        ("phase=attack\n", ["it is rolled in the phase movement"]),
    ],
)
def test_a_die_may_belong_to_a_phase_of_a_side(text: str, said: list[str]) -> None:
    row = msgspec.structs.replace(ROW, faces="6", yes_changes="", no_changes="", side="russian", phase="movement")
    report = settled(row, text)
    assert [one.text for part in report.parts for one in part.steps] == said
    assert bool(report.asks) == (not said)
    assert settled(row, text, settled=True).verdict.kind == "yes"
