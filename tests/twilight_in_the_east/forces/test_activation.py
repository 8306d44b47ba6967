"""Units that the scenario activates in a later turn, or releases from their dot (3.3.5, 28.3). The rows are made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.formats.positions import Position
from twilight_in_the_east.forces.activation import ActivationOrder, Belongings, dot_until_activation, ordered_turn

from ...conftest import answered
from ..owned import stated, with_pack
from ..turn.listing import states

UNIT = Belongings("25/3", "russian", "russian", "3", "russian First")


def order(turn: int, *units: str, who: str = "russian", corps: str = "", army: str = "") -> ActivationOrder:
    return ActivationOrder(who, units, corps, army, turn)


@pytest.mark.rule("28.3")
@pytest.mark.parametrize(
    ("orders", "turn"),
    [
        ((), None),
        ((order(4, "27/3"),), None),
        ((order(4, "27/3", "25/3"),), 4),
        ((order(4, corps="3"),), 4),
        ((order(4, corps="20"),), None),
        ((order(4, corps="3", who="german"),), None),
        ((order(4, corps="3", who="central-powers"),), None),
        ((order(4, army="russian First"),), 4),
        ((order(4, army="russian Second"),), None),
        ((order(4, army="central-powers First", who="central-powers"),), None),
        ((order(4, corps="20", army="russian First"),), None),
        ((order(4, corps="3", army="russian First"),), 4),
        ((order(2, army="russian First"), order(4, corps="3"), order(6, "25/3")), 6),
        ((order(2, army="russian First"), order(4, corps="3")), 4),
        ((order(6, "25/3"), order(4, "25/3"), order(9, "25/3")), 4),
        ((order(0, "25/3"), order(4, "25/3")), 4),
        ((order(0, "25/3"),), 0),
        ((order(0, "25/3"), order(3, army="russian First")), 0),
    ],
)
def test_what_names_the_unit_goes_before_its_corps_and_its_army(
    orders: tuple[ActivationOrder, ...], turn: int | None
) -> None:
    assert ordered_turn(orders, UNIT) == turn


@pytest.mark.rule("28.3")
def test_a_corps_is_that_of_the_nation_or_of_the_side() -> None:
    german = Belongings("1/1", "german", "central-powers", "1", "central-powers Eighth")
    for who, turn in (("german", 4), ("central-powers", 4), ("austro-hungarian", None), ("russian", None)):
        assert ordered_turn([order(4, corps="1", who=who)], german) == turn
    independent = Belongings("5 rf", "russian", "russian", "", "")
    assert ordered_turn([order(4, army="russian First"), order(4, corps="3"), order(5, "27/3")], independent) is None


@pytest.mark.rule("28.3")
@pytest.mark.parametrize(
    ("dot", "released", "activated", "result"),
    [
        ("none", 0, None, ("none", 0)),
        ("immobile", 6, None, ("immobile", 6)),
        ("none", 0, 4, ("immobile", 4)),
        ("none", 0, 0, ("immobile", 0)),
        ("immobile", 6, 4, ("immobile", 4)),
        ("immobile", 4, 6, ("immobile", 4)),
        ("immobile", 0, 4, ("immobile", 4)),
        ("immobile", 6, 0, ("immobile", 6)),
        ("immobile", 0, 0, ("immobile", 0)),
        ("city", 0, 4, ("city", 4)),
        ("fortress", 0, 4, ("fortress", 0)),
        ("fortress", 6, 4, ("fortress", 6)),
    ],
)
def test_an_activation_is_a_dot_and_releases_from_one(
    dot: str, released: int, activated: int | None, result: tuple[str, int]
) -> None:
    assert dot_until_activation(dot, released, activated) == result


ROWS = """action,at,units,corps,army,who
activate,5,,,russian First,
activate,7,,3,,russian
activate,7,28/20,,,
activate,5,1/1,,,
release,6,2 lw,,,
"""
PLAY = """scenario=moor turn={} phase={} phasing={}
40.20 clear: 29/20 army=First corps=20
41.19 clear: 25/3 army=First corps=3
42.19 clear: 28/20 army=First corps=20
44.19 clear: "2 lw" army=Eighth restriction=immobile
45.19 clear: 1/1 army=Eighth
trust counters
"""


def moor(folder: Path, turn: int, side: str = "russian", more: str = "", phase: str = "movement") -> Position:
    files = {"setups/moor.pos": "game twilight-in-the-east\nscenario=moor\n", "schedules/moor.csv": ROWS}
    return stated(with_pack(folder, files), PLAY.format(turn, phase, side) + more)


def reasons(position: Position, unit: str, way: str) -> set[str]:
    report = answered(position, "move", units=unit, way=way)
    return {step.rule for part in report.parts for step in part.steps if step.rule in ("28.3", "3.3.5")}


@pytest.mark.rule("28.3")
def test_an_army_that_is_not_active_yet_does_not_move(tmp_path: Path) -> None:
    assert reasons(moor(tmp_path, 4), "29/20", "40.21") == {"28.3"}
    assert reasons(moor(tmp_path, 5), "29/20", "40.21") == set()
    assert reasons(moor(tmp_path, 6), "25/3", "41.20") == {"28.3"}
    assert reasons(moor(tmp_path, 7), "25/3", "41.20") == set()
    assert reasons(moor(tmp_path, 4, "central-powers"), "1/1", "45.20") == {"28.3"}
    assert reasons(moor(tmp_path, 5, "central-powers"), "1/1", "45.20") == set()
    assert reasons(moor(tmp_path, 4, more="ruling inactive-units=free\n"), "29/20", "40.21") == set()


@pytest.mark.rule("3.3.5", "28.3")
def test_a_row_releases_from_a_dot_without_a_number(tmp_path: Path) -> None:
    assert reasons(moor(tmp_path, 5, "central-powers"), "2 lw", "44.20") == {"3.3.5"}
    assert reasons(moor(tmp_path, 6, "central-powers"), "2 lw", "44.20") == set()
    more = '46.19 clear: "5 lw" army=Eighth restriction=immobile\n47.19 clear: "6 lw" restriction=immobile release=5\n'
    assert reasons(moor(tmp_path, 6, "central-powers", more), "5 lw", "46.20") == {"3.3.5"}
    assert reasons(moor(tmp_path, 5, "central-powers", more), "6 lw", "47.20") == set()
    assert reasons(moor(tmp_path, 4, "central-powers", more), "6 lw", "47.20") == {"3.3.5"}


@pytest.mark.rule("28.3")
def test_the_turn_names_what_is_activated_and_released(tmp_path: Path) -> None:
    def items(turn: int, side: str, name: str) -> list[tuple[str, tuple[str, ...]]]:
        now = answered(moor(tmp_path, turn, side, phase="reinforcement"), "turn").shown.now
        return states([item for item in now.items if item.name == name])

    assert items(5, "russian", "activation") == [("done", ("29/20",))]
    assert items(7, "russian", "activation") == [("done", ("25/3",)), ("done", ("28/20",))]
    assert items(5, "central-powers", "activation") == [("done", ("1/1",))]
    assert items(6, "russian", "activation") == items(7, "central-powers", "activation") == [("possible", ())]
    assert items(6, "central-powers", "releases") == [("done", ("2 lw",))]
    assert items(7, "central-powers", "releases") == [("impossible", ())]
