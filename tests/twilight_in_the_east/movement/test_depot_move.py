"""Depots that go along the railway (8.2.7)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.movement.depot_move import gauges_for
from twilight_in_the_east.railways.routes import is_of

from ...conftest import answered, on_the_map, told, typed, values, why_not

LINE = "4023=4022=4021=4020-4019-4018\n"
DEPOT = '40.23: german major-depot - "D" {}\n'
"""Its allowance is not stated, for it is the same on all depots."""


def asked(to: str, more: str = "", depot: str = "", unit: str = "D", **given: Any) -> Report[Any]:
    return answered(typed(f"turn=5\n{LINE}{DEPOT.format(depot)}{more}"), "move-depot", unit=unit, to=to, **given)


def made(report: Report[Any]) -> dict[str, object]:
    return dict(on_the_map(report))


@pytest.mark.rule("8.2.7", "8.2.7a")
def test_one_point_leaves_it_in_use_and_more_relocates_it() -> None:
    near = asked("40.20", rate=3)
    assert (near.result.allowed, near.result.points, near.result.relocates) == (True, 1, False)
    assert made(near) == {"place": "40.20"}
    assert near.result.hexes == ("40.22", "40.21", "40.20")
    assert asked("40.20", rate=3, depot="rail-allowance=2").result.allowance == 8, "as the position has it"
    far = asked("40.19", rate=3)
    assert (far.result.points, far.result.allowance) == (Fraction(5, 3), 7)
    assert made(far) == {"place": "40.19", "relocation": "relocating"}
    assert made(asked("40.19", rate=3, depot="relocation=consolidating"))["relocation"] == "relocating"
    assert made(asked("40.19", rate=3, depot="relocation=relocating")) == {"place": "40.19"}
    assert made(asked("40.22", rate=3, spent=1)) == {"place": "40.22", "relocation": "relocating"}
    assert told(far, "The route")[0] == (
        "by 40.22, 40.21, 40.20, 40.19: 5 hexes, single track counted twice, at 3 per Movement Point"
    )


@pytest.mark.rule("14.2.1")
def test_a_depot_without_an_rr_station_will_be_out_of_supply() -> None:
    line = "40.20 has no RR Station: a depot there is Out of Supply"
    for words, out in {"station": False, "": False, "station=no": True, "no-town": True}.items():
        report = asked("40.20", f"40.20 {words}\n" if words else "", rate=3)
        assert (report.verdict.kind, line in told(report, "The route")) == ("yes", out)
        assert report.verdict.text.endswith("; it will be Out of Supply there") is out
    through = asked("40.20", "40.21 station=no\n", rate=3)
    assert line.replace("40.20", "40.21") not in told(through, "The route")


@pytest.mark.rule("8.2.7", "8.2.7a")
def test_how_far_it_may_go() -> None:
    assert asked("40.18", rate=1).result.allowed, "seven points"
    assert told(asked("40.18", rate=1, spent=1), "Not allowed") == [
        "it would spend 8 Movement Points, but has 7 in this phase"
    ]
    assert asked("40.22", rate=2, counter=True).result.allowed
    assert not asked("40.21", rate=2, counter=True).result.allowed
    assert not asked("40.22", "phase=attack", rate=9).result.allowed
    assert [ask.name for ask in asked("40.22").asks] == ["rate"]


@pytest.mark.rule("8.2.7")
@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("40.21 operational=russian", "no friendly operational RR line leads there"),
        ("40.21 control=russian", "no friendly operational RR line leads there"),
        ("40.21|40.22 narrow", "no friendly operational RR line leads there"),
        ("40.22: russian infantry XX R", "no friendly operational RR line leads there"),
        ("41.20: russian infantry XX R", "40.20 is adjacent to an enemy, where a depot may never be"),
    ],
)
def test_what_bars_the_line(more: str, why: str) -> None:
    assert told(asked("40.20", more, rate=9), "Not allowed") == [why]


@pytest.mark.rule("8.2.7")
def test_over_a_drawn_map_only_linked_lines_are_operational() -> None:
    text = (
        "board east\nturn=5\n64.38 operational=russian\n65.37 operational=russian\n"
        '64.38: russian major-depot - "D" rail-allowance=1\n64.39 operational={}'
    )

    def moved(between: str) -> Report[Any]:
        return answered(typed(text.format(between)), "move-depot", unit="D", to="65.37", rate=12)

    assert moved("russian").result.points == Fraction(1, 12)
    assert told(moved("none"), "Not allowed")[0].startswith("no friendly operational RR line")


@pytest.mark.rule("17.2.3")
def test_a_russian_depot_keeps_to_one_gauge_in_a_phase() -> None:
    text = (
        "turn=5\n" + LINE + '40.23: russian major-depot - "D" rail-allowance=1\n'
        "40.22|40.23,40.21|40.22 gauge={}\n40.20|40.21,40.19|40.20 gauge={}\n"
    )

    def allowed(first: str, then: str, to: str) -> bool:
        found = answered(typed(text.format(first, then)), "move-depot", unit="D", to=to, rate=9)
        return bool(found.result.allowed)

    assert allowed("broad", "broad", "40.19")
    assert allowed("standard", "both", "40.19")
    assert allowed("broad", "standard", "40.21")
    assert not allowed("broad", "standard", "40.20")
    refused = answered(typed(text.format("broad", "standard")), "move-depot", unit="D", to="40.20", rate=9)
    assert told(refused, "Not allowed") == [
        "no friendly operational RR line of one gauge leads there; a depot changes gauge between two phases"
    ]
    lines = text.format("broad", "standard").replace("40.23: r", "{0}: r") + 'D spent=rail:1/9 passed="{1} {0}"'
    for before, start, to, goes in (
        ("40.21", "40.20", "40.19", True),
        ("40.21", "40.22", "40.23", True),
        ("40.20", "40.21", "40.22", False),
    ):
        onward = answered(typed(lines.format(start, before)), "move-depot", unit="D", to=to, rate=9)
        assert onward.result.allowed == goes
    assert gauges_for((), lambda over: "broad") == ("broad", "standard")
    assert gauges_for(("40.21", "40.22"), lambda over: "both") == ("broad", "standard")
    assert [is_of("broad", gauge) for gauge in ("broad", "standard", "")] == [True, False, True]
    assert is_of("both", "standard") and is_of("", "broad"), "not stated"
    german = text.format("broad", "standard").replace("russian", "german")
    assert answered(typed(german), "move-depot", unit="D", to="40.20", rate=9).result.allowed


def test_what_never_moves_and_slips() -> None:
    praga = f"turn=5\n{LINE}40.23: russian major-depot - PRAGA\n"
    found = answered(typed(praga), "move-depot", unit="PRAGA", to="40.22", rate=9)
    assert told(found, "Not allowed") == ["it never moves"]
    with pytest.raises(InputError, match="D is already in 40.23"):
        asked("40.23", rate=3)
    with pytest.raises(InputError, match="T is not a depot"):
        asked("40.23", '40.22: german corps-train - "T"', unit="T", rate=3)


@pytest.mark.rule("8.2.7")
def test_what_its_account_has_and_what_is_added_to_it() -> None:
    moved = asked("40.20", rate=3)
    spent = {track: after for (track, unit), after in values(moved).items() if unit == "D"}
    assert (spent["spent"], spent["passed"]) == ("rail:1", "40.23 40.22 40.21 40.20")
    later = "spent=rail:6"
    assert asked("40.20", rate=3, depot=later).verdict.kind == "yes"
    assert asked("40.19", rate=3, depot=later).verdict.kind == "no"
    assert asked("40.19", rate=3, depot=later, spent=0).verdict.kind == "yes", "what the player says counts"
    assert why_not(asked("40.20", rate=3, depot=f"{later} ended")) == ["8.1"]
