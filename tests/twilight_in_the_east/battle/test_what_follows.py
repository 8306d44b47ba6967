"""What a combat leaves behind once stacks have retreated and advanced: positions, control, railways, bridges, markers (4.3 to 22.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from twilight_in_the_east.ground.works import level_in

from ...conftest import carried_out, rulings, told, typed

COMBAT = """turn=3
trust charts
40.20: russian infantry XX R (30-?-0-10){marker}
41.19 clear: german infantry XX A (9-5-0-10)
41.19|40.20 open
{ground}
ask battle at=41.19 flanked=no
{crt}
{slrt}
answers crt=7 slrt=1/1 ec.40.20=2 ec.41.19=2 retreat.41.19=42.19
"""
CRT = "\n".join(f"chart crt summer {odds} 7 = - / W1" for odds in ("2:1", "3:1", "4:1", "5:1", "6:1"))
SLRT = "\n".join(f"chart slrt summer {size} {n} = 0 / 0" for size in ("Small", "Medium") for n in range(-2, 9))


def fought(ground: str, advance: str = "R", marker: str = "") -> Report[Any]:
    return carried_out(COMBAT.format(ground=ground, crt=CRT, slrt=SLRT, marker=marker), advance=advance)


def left(report: Report[Any], *tracks: str) -> dict[tuple[str, str], object]:
    """What has become of some tracks."""
    return {(one.track, one.subject): one.after for one in report.changes if one.track in tracks}


@pytest.mark.rule("13.5.1")
def test_who_advances_ruins_the_position_that_the_map_shows() -> None:
    position = typed(COMBAT.format(ground="41.19 printed-ip=central-powers", crt=CRT, slrt=SLRT, marker=""))
    report = fought("41.19 printed-ip=central-powers")
    assert left(report, "ruined", "ip") == {("ruined", "41.19"): True}
    then = position.after(report.changes)
    with View(then.game, then.state).gather() as facts:
        assert level_in(facts, "41.19") == 0
    assert left(fought("41.19 printed-ip=central-powers", advance="none"), "ruined") == {}


@pytest.mark.rule("4.3")
def test_a_control_that_was_typed_goes_with_who_advances() -> None:
    assert left(fought("41.19 control=central-powers"), "control")["control", "41.19"] == "russian"
    assert ("control", "41.19") not in left(fought("41.19 control=central-powers", "none"), "control")


@pytest.mark.rule("18.1c")
def test_a_pontoon_bridge_beside_the_hex_comes_off() -> None:
    bridge = "41.19|42.19 major-river pontoon pontoon-of=german"
    assert left(fought(bridge), "crossing", "pontoon-of") == {
        ("crossing", "41.19|42.19"): None,
        ("pontoon-of", "41.19|42.19"): None,
    }
    assert left(fought(bridge, "none"), "crossing") == {}
    unknown = fought("41.19|42.19 major-river pontoon")
    assert left(unknown, "crossing") == {}
    assert "41.19|42.19" in unknown.result.outcome.unsettled
    assert any("41.19|42.19" in text for text in told(unknown, "What follows"))


@pytest.mark.rule("12.5.1")
def test_the_die_for_a_bridgehead_beside_who_advances_is_named() -> None:
    fort = "42.20: austro-hungarian fort - F (2-0-0-9) fssm=1 abandonment=3"
    report = fought(fort)
    assert "F" in report.result.outcome.unsettled
    assert [text for text in told(report, "What follows") if "bridgehead" in text]
    assert "F" not in fought(fort, advance="none").result.outcome.unsettled


@pytest.mark.rule("8.4", "10.3b")
@pytest.mark.parametrize(("rule", "off"), [("", True), ("\nruling prepared-spent=stays", False)])
def test_a_prepared_attack_marker_is_spent_by_its_attack(rule: str, off: bool) -> None:
    report = fought(rule, marker=" prepared=41.19")
    assert (left(report, "prepared") == {("prepared", "R"): None}) is off
    assert "prepared-spent" in rulings(report)
    assert "prepared-spent" not in rulings(fought(""))
