"""Which values of an answer a path means."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report, Verdict
from assistant.asking.schemas import any_report_schema
from assistant.records.referee.path_check import check_value_path
from assistant.records.referee.paths import read_value_path, values_at
from assistant.state.changes import Change, Enter, Gain, Leave, Raise
from assistant.util.errors import InputError


class Hex(msgspec.Struct):
    hex: str
    cost: Fraction | None
    units: tuple[str, ...] = ()
    open: bool = True


class Result(msgspec.Struct):
    column: str
    hexes: tuple[Hex, ...]
    chances: dict[str, Fraction]
    best: Hex | None = None


RESULT = Result(
    "2:1",
    (Hex("40.19", Fraction(5, 2), ("b", "a")), Hex("40.20", None, open=False), Hex("41.19", Fraction(3))),
    {"AD": Fraction(1, 6), "DD": Fraction(5, 6)},
)
REPORT: Report[Any] = Report(title="x", verdict=Verdict("figure", "{column}", {"column": "2:1"}), result=RESULT)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("column", ["2:1"]),
        ("hexes.hex", ["40.19", "40.20", "41.19"]),
        ("hexes.cost", ["5/2", "none", "3"]),
        ("hexes{hex=cost}", ["40.19=5/2", "40.20=none", "41.19=3"]),
        ("hexes{hex=units}", ["40.19=a+b", "40.20=none", "41.19=none"]),
        ("hexes[open=yes].hex", ["40.19", "41.19"]),
        ('hexes[open=yes][cost!="3"].hex', ["40.19"]),
        ("hexes[cost=none].hex", ["40.20"]),
        ('hexes[hex="x"].hex', []),
        ("chances", ["AD=1/6", "DD=5/6"]),
        ("chances.DD", ["5/6"]),
        ("best.hex", ["none"]),
        ("verdict", ["figure"]),
        ("figures", ["column=2:1"]),
        ("asks", []),
        ("changes", []),
    ],
)
def test_a_path_goes_through_lists(path: str, values: list[str]) -> None:
    assert values_at(REPORT, read_value_path(path)) == values


@pytest.mark.parametrize("path", ["", "a..b", "a[b]", "a[b=c", "a{b}", "a{b=c}.d", ".a", "a.", "a b"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(InputError, match="is not a path"):
        read_value_path(path)


def test_an_object_is_no_single_value() -> None:
    report = msgspec.structs.replace(REPORT, result={"a": [{"b": {"c": 1}}]})
    with pytest.raises(InputError, match="not a single value") as error:
        values_at(report, read_value_path("a{b=b}"))
    assert error.value.hint == "add a field to the path: c"


def test_figures_in_prose_are_left_out_for_their_wording_may_change() -> None:
    figures = {"why": "its troops stand there", "hexes": ("a", "b"), "share": Fraction(1, 3), "text": "no: it is not"}
    report = msgspec.structs.replace(REPORT, verdict=Verdict("yes", "", figures))
    assert values_at(report, read_value_path("figures")) == ["hexes=a+b", "share=1/3"]


def test_changes_are_named_by_subject_and_track() -> None:
    changes = (
        Change("place", "25/3", "40.20", "41.19", "8.1"),
        Change("phase", "", None, "attack", "5.1"),
        Change("prepared", "25/3", "41.19", None, "8.4"),
        Gain("vp", "russian", 3, "27.2"),
        Raise("level", "russian", 2, "27.2"),
        Enter("new", "new", "40.20", 0, "16.1"),
        Leave("old", "16.2"),
    )
    assert values_at(msgspec.structs.replace(REPORT, changes=changes), read_value_path("changes")) == [
        "25/3.place=41.19",
        "game.phase=attack",
        "25/3.prepared=none",
        "russian.vp=+3",
        "russian.level=2",
        "new.place=40.20",
        "old.place=off",
    ]


def schema() -> dict[str, Any]:
    (report,), components = msgspec.json.schema_components(
        [Result], ref_template="#/$defs/{name}", schema_hook=lambda kind: {"type": "string"}
    )
    whole = any_report_schema()
    whole["properties"]["result"] = report
    return {**whole, "$defs": {**whole["$defs"], **components}}


@pytest.mark.parametrize(
    "path", ["column", "hexes[open=yes].hex", "hexes{hex=cost}", "chances.anything", "best.hex", "changes"]
)
def test_a_path_that_an_answer_can_have_passes(path: str) -> None:
    check_value_path(read_value_path(path), schema())


@pytest.mark.parametrize("path", ["colum", "hexes.hexx", "hexes[opened=yes].hex", "hexes{hex=costs}", "best.column"])
def test_a_path_that_no_answer_can_have_is_refused_even_where_a_list_is_empty(path: str) -> None:
    with pytest.raises(InputError, match="the answer has no"):
        check_value_path(read_value_path(path), schema())


@pytest.mark.parametrize("path", ["verdict.kind", "asks[x=1]", "verdict{a=b}", "figures.column.x", "asks.name"])
def test_what_every_answer_has_is_taken_as_it_is(path: str) -> None:
    with pytest.raises(InputError, match="of an answer has no such parts"):
        check_value_path(read_value_path(path), {"$defs": {}})
    for whole in ("verdict", "asks", "figures", "figures.column", "changes"):
        check_value_path(read_value_path(whole), {"$defs": {}})
