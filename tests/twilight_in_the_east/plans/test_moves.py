"""Infantry under a Strategic Plan ends its moves closer to an objective, in every question that lets it move (21.1.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report

from ...conftest import answered, told, typed
from ..movement.march.ground import COUNTER, NOW, german, moved, reached, russian, text_of
from ..turn.listing import listed

PLAN = 'army "russian First" plan\n'
UNIT = f"30.20: {russian('R', 'army=First')}\n{PLAN}"
"""Its objectives lie west, in columns 48 and 49: 31.20 is closer, 30.19 and 29.20 are not."""
AGAINST = (
    "R would end the phase no closer to Insterburg or Lötzen, against the Strategic Plan of the Russian First Army"
)


def kind(report: Report[Any]) -> str:
    return report.verdict.kind


@pytest.mark.rule("21.1.4")
@pytest.mark.parametrize(
    ("now", "way", "allowed"),
    [
        pytest.param(NOW, "31.20", True, id="closer"),
        pytest.param(NOW, "30.19", False, id="sideways"),
        pytest.param(NOW, "29.20", False, id="back"),
        pytest.param(NOW, "30.21,31.21", True, id="sideways and then closer"),
        pytest.param(NOW, "31.20,30.20", False, id="closer and back to where it began"),
        pytest.param(COUNTER, "31.20", True, id="closer in the Counter Movement Phase"),
        pytest.param(COUNTER, "30.19", False, id="sideways in the Counter Movement Phase"),
    ],
)
def test_a_move_ends_closer_than_it_began(now: str, way: str, allowed: bool) -> None:
    report = moved(UNIT, "R", way, now)
    assert kind(report) == ("figure" if allowed else "no")
    assert told(report, "Not allowed") == ([] if allowed else [AGAINST])
    assert bool(report.changes) == allowed


@pytest.mark.rule("21.1.4")
def test_what_counts_is_where_the_unit_began_the_phase_and_where_it_ends_it() -> None:
    gone = UNIT.replace("army=First", 'army=First passed="32.20 31.20 30.20" spent=march:2')
    assert kind(moved(gone, "R", "31.20")) == "no"
    assert kind(moved(gone.replace("32.20 31.20", "30.21 29.20"), "R", "31.20")) == "figure"
    report = moved(UNIT, "R", "30.19", goes_on=True)
    assert kind(report) == "figure"
    then = typed(text_of(UNIT)).after(report.changes)
    assert kind(answered(then, "move", units="R", way="31.18")) == "figure"


@pytest.mark.rule("21.1.4")
@pytest.mark.parametrize(
    "unit",
    [
        pytest.param("russian cavalry XX R (9-9-0-9) movement=7 army=First", id="cavalry"),
        pytest.param(f"{russian('R', 'army=First')} cel=-4", id="Demoralized"),
        pytest.param(f"{russian('R', 'army=First')} D1", id="Disordered"),
        pytest.param(russian("R", "army=Second"), id="of an army without a plan"),
        pytest.param(german("R", "army=Eighth"), id="of the other side"),
    ],
)
def test_who_is_not_bound_goes_where_he_likes(unit: str) -> None:
    now = NOW.replace("russian", "central-powers") if unit.startswith("german") else NOW
    assert kind(moved(f"30.20: {unit}\n{PLAN}", "R", "29.20", now)) == "figure"


@pytest.mark.rule("21.1.4", "21.1b")
@pytest.mark.parametrize("plan", ["plan=no", "plan plan-outcome=abandoned", "plan-outcome=achieved"])
def test_a_plan_that_is_over_binds_nobody(plan: str) -> None:
    assert kind(moved(UNIT.replace("plan", plan), "R", "29.20")) == "figure"


@pytest.mark.rule("21.1.4")
def test_of_a_unit_whose_army_is_not_stated_it_is_said_that_no_plan_binds_it() -> None:
    report = moved(UNIT.replace("army=First", ""), "R", "29.20")
    assert kind(report) == "figure"
    assert "no Strategic Plan binds R (its army is not stated)" in told(report, "Assumed")
    for free in (
        UNIT.replace("army=First", "").replace(PLAN, ""),
        UNIT.replace("army=First", "").replace("infantry", "cavalry"),
    ):
        assert "Strategic Plan" not in str(moved(free, "R", "29.20"))


@pytest.mark.rule("21.1.4")
@pytest.mark.parametrize(
    ("army", "stated", "assumed"),
    [
        ("Second", "russian First", True),
        ("Second", "central-powers First", True),
        ("Second", "russian Second", False),
        ("Tenth", "russian First", False),
    ],
)
def test_an_army_whose_plan_is_not_stated_where_others_are_is_named(army: str, stated: str, assumed: bool) -> None:
    """The Tenth Army has no objectives, so no plan can bind it."""
    plan = f'army "{stated}" plan=no\n'
    text = UNIT.replace("army=First", f"army={army}").replace(PLAN, plan)
    line = f"no Strategic Plan binds the Russian {army} Army (not stated)"
    for report in (moved(text, "R", "29.20"), reached(text, "R")):
        assert (line in told(report, "Assumed")) == assumed
    assert "Strategic Plan" not in str(moved(text.replace(plan, ""), "R", "29.20"))


@pytest.mark.rule("21.1.4", "6.1.1")
def test_a_unit_in_the_area_of_an_army_pursues_its_objectives() -> None:
    text = UNIT.replace("army=First", "") + 'army "russian First" area=30.18-30.22\n'
    assert kind(moved(text, "R", "29.20")) == "no"
    assert kind(moved(text, "R", "31.20")) == "figure"


@pytest.mark.rule("21.1.4", "21.4.1")
def test_the_landwehr_then_pursues_the_objectives_of_the_first_army() -> None:
    """Radom, 58.64, Lublin, 43.66, and Ivangorod, 50.62, all lie west and south; 30.19 is closer to none."""
    landwehr = 'corps="3 LW" army=Fourth'
    unit = f"30.20: {german('R', landwehr)}\n"
    now = NOW.replace("phasing=russian", "phasing=central-powers")
    plans = 'army "german 3 LW Corps" {}\narmy "central-powers First" plan\n'
    for plan, force in (
        ("plan", "the 3 LW Corps"),
        ("plan=no plan-outcome=achieved", "the Austro-Hungarian First Army"),
        ("plan=no plan-outcome=abandoned", ""),
    ):
        report = moved(unit + plans.format(plan), "R", "30.19", now)
        against = told(report, "Not allowed")
        assert [line.rpartition(" of ")[2] for line in against] == ([force] if force else [])


@pytest.mark.rule("21.1.4", "21.6.1")
def test_a_corps_with_its_own_plan_pursues_that_and_then_its_armys() -> None:
    corps = UNIT.replace("army=First", "army=First corps=2") + 'army "russian 2 Corps" {}\n'
    south = "30.21"  # Lyck, 43.30, lies west and south
    assert kind(moved(corps.format("plan"), "R", "31.20")) == "figure"
    assert told(moved(corps.format("plan"), "R", "30.19"), "Not allowed") == [
        "R would end the phase no closer to Lyck, against the Strategic Plan of the 2 Corps"
    ]
    assert told(moved(corps.format("plan=no plan-outcome=achieved"), "R", south), "Not allowed") == [AGAINST]


@pytest.mark.rule("21.1.4")
def test_an_asset_unit_goes_with_its_formation_or_the_nearest() -> None:
    asset = "russian infantry III A (1-1-0-9) movement=7"
    together = f"30.20: {russian('R', 'army=First')}, {asset}\n{PLAN}"
    assert kind(moved(together, "A", "29.20")) == "no"
    assert kind(moved(together.replace("army=First", "army=First cel=-4"), "A", "29.20")) == "figure"
    assert kind(moved(together.replace("army=First", "army=Second"), "A", "29.20")) == "figure"
    asset = "30.20: russian infantry III A (1-1-0-9) movement=7 army=First"
    text = f"{asset}\n30.22: {russian('R', 'army=First {}')}\n{PLAN}"
    assert kind(moved(text.format(""), "A", "29.20")) == "no"
    assert kind(moved(text.format("cel=-4"), "A", "29.20")) == "figure"


@pytest.mark.rule("21.1.4")
def test_each_unit_of_a_stack_is_bound_where_it_ends() -> None:
    text = f"30.20: {russian('R', 'army=First')}, {russian('S', 'army=First')}\n{PLAN}"
    report = moved(text, "R,S", "30.21,31.21", drop="S@30.21")
    assert told(report, "Not allowed") == [AGAINST.replace("R would", "S would")]
    both = told(moved(text, "R,S", "30.21"), "Not allowed")
    assert both == [AGAINST.replace("R would", "R, S would")]


@pytest.mark.rule("21.1.4")
def test_reach_shows_ends_that_are_closer_and_ways_that_need_not_be() -> None:
    report = reached(UNIT, "R", forced=False)
    columns = {place.hex: place.way for place in report.result.hexes}
    assert {hex[:2] for hex in columns} == {"31", "32", "33"}
    assert "30.19" not in columns
    why = "no closer to Insterburg or Lötzen: infantry under the Strategic Plan of the Russian First Army may pass through but not end there"
    assert [option.barred for option in report.result.barred if option.hex == "30.19"] == [why]
    assert report.verdict.text.startswith(f"R can move to {len(columns)} hexes")
    free = reached(UNIT.replace("plan", "plan=no"), "R", forced=False)
    assert len(free.result.hexes) == 36
    assert {place.hex for place in free.result.hexes} - {*columns} == {
        option.hex for option in report.result.barred if option.rule == "21.1.4"
    }


@pytest.mark.rule("21.1.4")
def test_each_unit_of_a_side_reaches_what_its_own_plan_allows() -> None:
    text = f"{UNIT}30.22: {russian('S', 'army=Second')}\n"
    each = {unit.unit: {place.hex for place in unit.hexes} for unit in reached(text, "", side="russian").result.each}
    assert "29.20" not in each["R"]
    assert "29.21" in each["S"]


@pytest.mark.rule("21.1.4")
@pytest.mark.parametrize(("to", "until", "comes"), [("33.20", 5, True), ("30.18", 5, False), ("25.20", 7, False)])
def test_a_meeting_is_reached_by_phases_that_each_end_closer(to: str, until: int, comes: bool) -> None:
    report = reached(UNIT, "R", to=to, until=until, forced=False)
    assert report.result.coming[0].arrives is comes


@pytest.mark.rule("21.1.4")
def test_a_meeting_may_need_a_step_aside_first() -> None:
    """From 30.20 32.14 is seven hexes off: the first phase ends in column 31 at the least, the next one in 32."""
    report = reached(UNIT, "R", to="32.15", until=6, forced=False)
    columns = [leg.way[-1][:2] for leg in report.result.coming[0].legs]
    assert report.result.coming[0].arrives
    assert columns == sorted(set(columns))


@pytest.mark.rule("21.1.4")
def test_in_each_phase_of_a_meeting_it_counts_where_that_phase_began() -> None:
    """31.23 is closer than 30.20, and four hexes off; but from no hex of the first phase is it closer still."""
    assert not reached(UNIT, "R", to="31.23", until=5, forced=False).result.coming[0].arrives
    assert reached(UNIT.replace("plan", "plan=no"), "R", to="31.23", until=5, forced=False).result.coming[0].arrives
    gone = UNIT.replace("army=First", 'army=First passed="31.20 30.20" spent=march:1')
    assert not reached(gone, "R", COUNTER, to="31.20", until=5).result.coming[0].arrives
    assert (
        reached(gone.replace("31.20 30.20", "29.20 30.20"), "R", COUNTER, to="31.20", until=5).result.coming[0].arrives
    )


LINE = "30.24=30.23=30.22=30.21=30.20\n30.20 station\n30.24 station\n"


@pytest.mark.rule("21.1.4")
@pytest.mark.parametrize(("army", "kind"), [("First", "no"), ("Second", "yes")])
def test_units_by_rail_end_the_phase_closer_too(army: str, kind: str) -> None:
    unit = f"30.24: russian infantry XX R (9-9-0-9) movement=7 rail-cost=4 army={army} entrained destination=30.20\n"
    text = f"turn=5 phase=movement phasing=russian\n{LINE}{PLAN}{unit}nation russian rail-points=10\n"
    report = answered(typed(text), "rail", units=("R",), rate=12)
    assert told(report, "Not allowed") == ([AGAINST] if kind == "no" else [])


BOX = "Bukowina Holding Box"
AUSTRIAN = 'army "central-powers First" plan\n'


@pytest.mark.rule("21.1.4")
@pytest.mark.parametrize(
    ("place", "to", "kind"),
    [
        pytest.param("32.114", "31.114", "no", id="sideways into the half-hex"),
        pytest.param("31.113", "31.114", "no", id="away from the objectives"),
        pytest.param("31.114", None, "no", id="off the map"),
        pytest.param(BOX, "31.114", "yes", id="out of the Box, which is no hex"),
    ],
)
def test_the_holding_box_is_no_closer(place: str, to: str | None, kind: str) -> None:
    unit = "austro-hungarian infantry XX R (9-9-0-9) movement=7 army=First"
    text = f'turn=5 phase=movement phasing=central-powers\n{AUSTRIAN}"{place}": {unit} box-entered=4'
    report = answered(typed(text), "holding-box", unit="R", **({"to": to} if to else {}))
    assert report.verdict.kind == kind
    free = answered(typed(text.replace("plan", "plan=no")), "holding-box", unit="R", **({"to": to} if to else {}))
    assert free.verdict.kind == "yes"


@pytest.mark.rule("21.1.4")
def test_turn_owes_units_that_end_the_phase_no_closer() -> None:
    text = UNIT.replace("army=First", 'army=First passed="{} 30.20" spent=march:2')
    for phase, side in (("movement", "russian"), ("counter-movement", "central-powers")):
        (item,) = listed(text.format("31.20"), phase, "plan-moves", side=side)
        assert (item.state, item.units, item.places) == ("owed", ("R",), ("30.20",))
        assert "R began in 31.20 and is no closer to Insterburg or Lötzen" in item.text
        assert item.ask == "reach units=R"
        other = "30.22: " + russian("S", 'army=Second passed="30.21 30.22" spent=march:2') + "\n"
        still = "30.23: " + russian("T", 'army=First passed=""') + "\n"
        (item,) = listed(text.format("29.20") + other + still, phase, "plan-moves", side=side)
        assert item.state == "done"
    assert listed(text.format("31.20").replace(PLAN, ""), "movement", "plan-moves") == []
    assert listed(text.format("31.20"), "movement", "plan-moves", side="central-powers") == []
