"""Combats whose retreats lead off the map: who has departed takes no further part and scores nothing (1.2.2, 27.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.state.changes import Change

from ...conftest import answered, ruled, told, typed

COLUMNS = ("1:4", "1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1")
AROUND = ("01.49", "01.51", "02.50", "02.51")
OPEN = "\n".join(f"{hex} clear\n01.50|{hex} open" for hex in AROUND)


def end(answers: str, *, cell: str = "- / W2", defenders: str = "", held: int = 4, more: str = "") -> Report[Any]:
    """A combat for 01.50 at the western edge, with an enemy in each of the first hexes around; each side loses a step."""
    attacking = "russian" if "austro" in defenders else "german"
    attackers = "\n".join(
        f"{hex}: {attacking} infantry XX G{number} (12-12-0-10)" for number, hex in enumerate(AROUND[:held])
    )
    units = defenders or "russian infantry XX R (6-6-0-9)"
    charts = [f"chart crt summer {column} 7 = {cell}" for column in COLUMNS]
    charts += [
        f"chart slrt summer {size} {n} = 1 / 0"
        for size in ("Small", "Medium", "Large", "Massive")
        for n in range(-2, 15)
    ]
    text = "\n".join(
        ["turn=1", attackers, f"01.50: {units}", "01.50 clear", OPEN, *charts, more, f"answers crt=7 {answers}"]
    )
    given = {"at": "01.50", "attacker_ap": ("none",), "defender_ap": ("none",), "flanked": False}
    return answered(typed(text), "battle", from_=("01.49",), **given)


def made(report: Report[Any]) -> list[Change]:
    return [change for change in report.changes if isinstance(change, Change)]


def changes_of(report: Report[Any], *tracks: str) -> dict[tuple[str, str], Any]:
    return {(change.track, change.subject): change.after for change in made(report) if change.track in tracks}


DONE = "repulse.01.50=none retreat.01.50=off-map slrt.attacker=3 losses.attacker=G0 ec.01.49=2 advance=none"


@pytest.mark.rule("1.2.2b", "8.5.1c", "11.2.1")
def test_a_defender_with_no_other_hex_retreats_off_the_map() -> None:
    """It has a Repulse first; then it is gone: it takes no step loss and makes no check."""
    report = end("")
    assert report.asks[0].name.startswith("repulse.01.50")
    assert "no hex on the map is open" in report.asks[0].title
    report = end(DONE)
    assert not report.asks, report.asks
    assert changes_of(report, "departed") == {("departed", "R"): "off-map"}
    assert changes_of(report, "place")["place", "R"] is None
    assert not [one for one in made(report) if one.subject == "R" and one.track not in ("place", "departed")]
    (withdrawal,) = report.result.outcome.retreats
    assert (withdrawal.departed, withdrawal.surrendered, withdrawal.ends) == (("R",), (), {"R": "off-map"})
    assert not any(check.force == "R" for check in report.result.outcome.checks)
    assert (report.result.outcome.attacker_points, report.result.outcome.defender_steps) == (0, 0)
    assert any("off the map for good, removed from the game and not eliminated: R" in line for line in told(report))


@pytest.mark.rule("1.2.2b", "10.1b")
def test_a_check_drives_off_the_map_too() -> None:
    answers = "repulse.01.50=none slrt=3/3 losses.attacker=G0 losses.defender=R ec.01.49=2 ec.01.50=11 "
    report = end(answers + "onward-repulse.01.50=none onward.01.50=off-map advance=none", cell="- / -")
    assert not report.asks, report.asks
    assert changes_of(report, "departed") == {("departed", "R"): "off-map"}
    assert [change.after for change in made(report) if (change.track, change.subject) == ("place", "R")] == [None]
    assert not changes_of(report, "lost", "cel", "retreated", "fought").keys() & {
        ("lost", "R"), ("cel", "R"), ("retreated", "R"), ("fought", "R"),
    }  # fmt: skip


@pytest.mark.rule("1.2.2b")
def test_while_a_hex_is_open_a_defender_stays_on_the_map() -> None:
    report = end("", held=3)
    assert report.result.outcome.retreats == () and report.asks[0].name == "retreat.01.50.2"
    report = end("", held=3, more="ruling off-map-retreat=choice")
    assert report.asks[0].name == "retreat.01.50.1"
    assert set(report.asks[0].options) == {"02.51", "off-map"}


@pytest.mark.rule("1.2.2b", "8.5.1c")
def test_a_demoralized_defender_goes_at_once_as_it_may_try_no_repulse() -> None:
    report = end("", defenders="russian infantry XX R (6-6-0-9) cel=-4")
    assert report.result.outcome.retreats[0].way == ("off-map",)


FISCHER = "austro-hungarian infantry XX Fischer (6-6-0-9)"
BUKOWINA = "\n".join(["01.50 province=bukowina", *(f"{hex} province=none" for hex in AROUND)])


@pytest.mark.rule("23.3")
def test_units_of_fischer_driven_out_of_bukowina_are_destroyed() -> None:
    answers = "slrt.attacker=3 losses.attacker=G0 ec.01.49=2 advance=none"
    report = end(answers, defenders=FISCHER, held=3, more=BUKOWINA)
    assert changes_of(report, "departed") == {}
    assert changes_of(report, "place")["place", "Fischer"] is None
    assert report.result.outcome.attacker_points == 4
    (force,) = report.result.outcome.retreats[0].forces
    assert (force.destroyed, force.eliminated) == (("Fischer",), True)


# --- for want of room -------------------------------------------------------------------------------------------------

CROWD = ", ".join(f"russian infantry XX F{number} (6-6-0-9)" for number in (1, 2, 3))
BEHIND = ("01.49", "01.51", "02.49", "02.51", "03.49", "03.50")
"""Enemies around 02.50 and 01.50, but in these two."""


def crowded(answers: str = "", *, crowd: str = CROWD, held: tuple[str, ...] = BEHIND, more: str = "") -> Report[Any]:
    """A combat for 02.50, whose defender retreats a hex into 01.50 at the western edge, where three divisions stand."""
    attackers = "\n".join(f"{hex}: german infantry XX G{number} (12-12-0-10)" for number, hex in enumerate(held))
    ground = [f"{hex} clear" for hex in (*BEHIND, "01.50")]
    ground += [f"02.50|{hex} open" for hex in ("01.49", "01.50", "02.49", "02.51", "03.49", "03.50")]
    ground += [f"01.50|{hex} open" for hex in AROUND if hex != "02.50"]
    charts = [f"chart crt summer {column} 7 = - / W1" for column in COLUMNS]
    charts += [f"chart slrt summer {size} {n} = 0 / 0" for size in ("Small", "Medium", "Large") for n in range(-2, 15)]
    rolls = "repulse.02.50=none slrt=3/3 ec.03.49=2 ec.02.50=2 advance=none"
    units = [attackers, f"01.50: {crowd}", "02.50: russian infantry XX R (6-6-0-9)", "02.50 clear"]
    text = "\n".join(["turn=1", *units, *ground, *charts, more, f"answers crt=7 {rolls} {answers}"])
    given = {"at": "02.50", "attacker_ap": ("none",), "defender_ap": ("none",), "flanked": False}
    return answered(typed(text), "battle", from_=("03.49",), **given)


@pytest.mark.rule("4.2.3b", "1.2.2b")
def test_units_too_many_at_the_edge_stay_or_leave_by_a_ruling() -> None:
    report = crowded("retreat.02.50=01.50")
    assert not report.asks, report.asks
    assert changes_of(report, "place", "departed") == {("place", "R"): "01.50"}
    assert ruled(report, "excess-off-map") == "stays"
    roomy = crowded("retreat.02.50=01.50", crowd=CROWD.rpartition(", ")[0])
    assert (changes_of(roomy, "place"), ruled(roomy, "excess-off-map")) == ({("place", "R"): "01.50"}, "")
    report = crowded("retreat.02.50=01.50,off-map", more=LEAVE)
    assert not report.asks, report.asks
    assert changes_of(report, "place", "departed") == {("place", "R"): None, ("departed", "R"): "off-map"}
    roomy = crowded("retreat.02.50=01.50", crowd=CROWD.rpartition(", ")[0], more=LEAVE)
    assert changes_of(roomy, "departed") == {}


LEAVE = "\nruling excess-off-map=leaves"


@pytest.mark.rule("4.2.3b", "1.2.2b")
@pytest.mark.parametrize("more", ["", LEAVE, f"{LEAVE}\nruling off-map-retreat=choice"])
def test_a_hex_of_the_map_with_room_comes_first(more: str) -> None:
    """01.51 is free: the division comes there by 01.50."""
    report = crowded("retreat.02.50=01.50,01.51", held=tuple(hex for hex in BEHIND if hex != "01.51"), more=more)
    assert not report.asks, report.asks
    assert changes_of(report, "place", "departed") == {("place", "R"): "01.51"}
    assert ruled(report, "excess-off-map") == ""
