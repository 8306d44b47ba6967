"""What keeps units in Low Supply at best: one table, which all read that deal with supply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from assistant.asking import Gather
from assistant.asking.report import Report
from assistant.asking.view import changed
from assistant.state.state import Unit
from twilight_in_the_east.forces import unit as unit_module
from twilight_in_the_east.forces.unit import Cap, cap_on, supply_status
from twilight_in_the_east.supply.side.states import side_states

from ...conftest import answered, told, typed, viewed


def is_besieged(facts: Gather, unit: Unit) -> bool:
    return unit.place == "40.22" and facts.word("nation", unit.id) == "russian"


@pytest.fixture
def siege() -> Iterator[None]:
    """A cap that no rule of the game gives."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            unit_module, "SUPPLY_CAPS", (*unit_module.SUPPLY_CAPS, Cap("24.9", "rule", "while besieged", is_besieged))
        )
        yield


ROAD = "4030=4029:4028:4027:4026:4025:4024:4023:4022\nside russian whole-network\n"
TRAIN = f'turn=9\n{ROAD}40.29: "3 Train" range=8 extended-range=8\n'


def unit_of(text: str, name: str) -> Report[Any]:
    return answered(typed(text), "supply", unit=name)


@pytest.mark.rule("24.4")
@pytest.mark.parametrize(
    ("nation", "name", "turn", "low"),
    [
        ("russian", "2/23", 7, True),
        ("russian", "2/23", 8, False),
        ("german", "2/23", 7, False),
        ("russian", "3/23", 7, False),
    ],
)
def test_the_2nd_division_lacks_services_up_to_gt_7(nation: str, name: str, turn: int, low: bool) -> None:
    view = viewed(f"turn={turn}\n41.19: {nation} infantry XX {name} supply=in")
    with view.gather() as facts:
        cap = cap_on(facts, view.unit(name))
        assert (supply_status(facts, view.unit(name)), cap is not None) == ("low" if low else "in", low)
        out = view.after([changed(view, "supply", name, "out", "")])
    with out.gather() as facts:
        assert supply_status(facts, out.unit(name)) == "out"


@pytest.mark.usefixtures("siege")
def test_a_unit_under_a_cap_is_told_so_and_others_are_not() -> None:
    report = unit_of(f"{TRAIN}40.22: 25/3\n", "25/3")
    assert report.verdict.text == "25/3 is in Low Supply from 3 Train, 7 hexes away"
    assert told(report, "Cause") == ["while besieged in Low Supply at best (24.9)"]
    assert unit_of(f"{TRAIN}40.23: 25/3\n", "25/3").verdict.kind == "yes"


@pytest.mark.rule("24.4", "8.2.4")
def test_a_cap_on_a_unit_in_rail_mode_is_said_with_what_it_holds_against() -> None:
    text = "turn={}\n55.53: 2/23 entrained"
    low = unit_of(text.format(7), "2/23").verdict.text
    assert low == (
        "2/23 is in Low Supply: a unit in Rail Mode is In Supply (8.2.4), but up to GT 7 it is in Low Supply at best (24.4)"
    )
    assert unit_of(text.format(8), "2/23").verdict.text == "2/23 is In Supply: a unit in Rail Mode is In Supply (8.2.4)"


@pytest.mark.usefixtures("siege")
def test_no_supply_unit_is_in_low_supply() -> None:
    text = f'turn=9\n{ROAD}40.22: "3 Train" range=8 extended-range=8 supply=in\n'
    view = viewed(text)
    with view.gather() as facts:
        assert supply_status(facts, view.unit("3 Train")) == "in"


@pytest.mark.rule("13.1.2", "24.4")
@pytest.mark.parametrize(("turn", "barred"), [(7, True), (8, False)])
def test_a_unit_in_low_supply_at_best_builds_no_upper_level(turn: int, barred: bool) -> None:
    text = f"turn={turn}\n41.19 clear ip=2: russian infantry XX 2/23 (6-6-0-9) supply=in\n"
    text += "41.20 clear: german infantry XX G (6-6-0-9)\n41.19|41.20 open"
    report = answered(typed(text), "dig-in", unit="2/23")
    assert ("only a unit that is In Supply may build Level 3" in told(report, "Not allowed")) == barred


# --- Asset Units that share a formation's supply ---------------------------------------------------------------------


def is_worn(facts: Gather, unit: Unit) -> bool:
    return unit.id in ("98", "2 Train")


@pytest.fixture
def worn() -> Iterator[None]:
    """A cap that holds for an Asset Unit, and for no formation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            unit_module, "SUPPLY_CAPS", (*unit_module.SUPPLY_CAPS, Cap("24.9", "rule", "while worn", is_worn))
        )
        yield


def stacked(*formations: str, turn: int = 9, place: str = "40.23", asset: str = "98") -> str:
    """An Asset Unit in a stack, within reach of a train of 3 Corps."""
    units = "".join(f"{place}: {unit}\n" for unit in (*formations, f"russian infantry III {asset} (1-1-0-9) army=2"))
    return TRAIN.replace("turn=9", f"turn={turn}") + units


def of_side(text: str, name: str) -> tuple[str | None, str | None, str | None, str]:
    """As it could be and as it stands among its side, alone, and why it is no better."""
    view = viewed(text)
    row = side_states(view, "russian", causes=True).supply_of(view.unit(name))
    return row.could.state, row.stands.state, row.alone, row.cause.text if row.cause else ""


@pytest.mark.rule("6.4.1a")
@pytest.mark.usefixtures("worn")
def test_an_asset_unit_under_a_cap_is_in_low_supply_though_its_formation_is_not() -> None:
    text = stacked("25/3")
    why = "while worn in Low Supply at best (24.9)"
    assert of_side(text, "25/3") == ("in", "in", "in", "")
    assert of_side(text, "98") == ("low", "low", "low", why)
    report = unit_of(text, "98")
    assert report.verdict.text == "98 (attached to 25/3) is in Low Supply from 3 Train, 6 hexes away"
    assert report.verdict.kind == "figure"
    assert (report.result.state, report.result.stands, report.result.through) == ("low", "low", "25/3")
    assert told(report, "Cause") == [why]
    assert unit_of(text, "25/3").verdict.kind == "yes"
    assert unit_of(stacked("25/3", asset="97"), "97").verdict.kind == "yes"
    with (view := viewed(f"{text}98 supply=in\n25/3 supply=in")).gather() as facts:
        assert [supply_status(facts, view.unit(name)) for name in ("98", "25/3")] == ["low", "in"]


@pytest.mark.rule("6.4.1a")
@pytest.mark.usefixtures("worn")
def test_out_of_supply_it_is_told_what_keeps_its_formation_from_any() -> None:
    text = stacked("25/3", place="50.23")
    assert of_side(text, "98") == of_side(text, "25/3")
    assert unit_of(text, "98").result.state == unit_of(text, "25/3").result.state != "low"


@pytest.mark.rule("6.4.1a", "24.4")
@pytest.mark.parametrize(
    ("formations", "chosen", "turn", "status"),
    [
        (["2/23"], "", 7, "low"),
        (["2/23"], "", 8, "in"),
        (["25/3"], "", 7, "in"),
        (["25/3", "2/23"], "", 7, "in"),
        (["25/3", "2/23"], "2/23", 7, "low"),
        (["2/23", "25/3"], "25/3", 7, "in"),
    ],
)
def test_an_asset_unit_shares_the_cap_of_the_formation_that_it_belongs_to(
    formations: list[str], chosen: str, turn: int, status: str
) -> None:
    text = stacked(*formations, turn=turn) + "98 supply=in" + (f" with={chosen}" if chosen else "")
    with (view := viewed(text)).gather() as facts:
        assert supply_status(facts, view.unit("98")) == status


@pytest.mark.rule("24.4")
def test_another_formation_in_the_stack_shares_no_cap() -> None:
    with (view := viewed(stacked("2/23", "25/3", turn=7) + "25/3 supply=in")).gather() as facts:
        assert supply_status(facts, view.unit("25/3")) == "in"


@pytest.mark.rule("6.4.1a", "24.4")
def test_what_a_formation_under_a_cap_may_still_lack_its_asset_unit_is_not_asked_for() -> None:
    view = viewed(stacked("2/23 corps=3", turn=7))
    states = side_states(view, "russian", causes=False)
    assert [states.asks_of(name) for name in ("2/23", "98")] == [(), ()]
    assert of_side(stacked("2/23 corps=3", turn=7), "98")[0] == "low"
