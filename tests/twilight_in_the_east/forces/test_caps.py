"""What keeps units in Low Supply at best: one table, which all read that deal with supply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from assistant.questions import Gather
from assistant.questions.report import Report
from assistant.state.state import Unit
from twilight_in_the_east.forces import reading
from twilight_in_the_east.forces.reading import Cap, cap_on, supply_status
from twilight_in_the_east.supply.side.doubts import SupplyDoubts
from twilight_in_the_east.supply.side.states import side_states

from ...conftest import answered, told, typed, viewed


def is_besieged(facts: Gather, unit: Unit) -> bool:
    return unit.place == "40.22" and facts.word("nation", unit.id) == "russian"


@pytest.fixture
def siege() -> Iterator[None]:
    """A cap that no rule of the game gives."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "CAPS", (*reading.CAPS, Cap("24.9", "rule", "while besieged", is_besieged)))
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


@pytest.mark.usefixtures("siege")
def test_a_unit_under_a_cap_is_told_so_and_others_are_not() -> None:
    report = unit_of(f"{TRAIN}40.22: 25/3\n", "25/3")
    assert report.verdict.text == "25/3 is in Low Supply from 3 Train, 7 hexes away"
    assert told(report, "Cause") == ["while besieged in Low Supply at best (24.9)"]
    assert unit_of(f"{TRAIN}40.23: 25/3\n", "25/3").verdict.kind == "yes"


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


@pytest.mark.rule("24.4")
def test_no_better_line_is_sought_for_a_unit_that_has_the_best_it_can_have() -> None:
    view = viewed("board sample\naccept illustrative\nturn=7\n66.36: 2/23\n")
    states = side_states(view, "russian", causes=False)
    row = states.supply_of(view.unit("2/23"))
    assert (row.could.state, SupplyDoubts(states.side, states.best, [row]).poor) == ("low", [])
