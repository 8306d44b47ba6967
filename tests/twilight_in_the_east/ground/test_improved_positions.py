"""Improved Positions on the map: the level that holds, when one comes off, printed ones and their ruins (13.0, 13.4, 13.5)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from twilight_in_the_east.ground.works import find_fate

from ...conftest import answered, carried_out, rulings, typed


def stack(turn: int, ground: str) -> tuple[str, ...]:
    text = f"turn={turn}\n41.19 {ground}: german cavalry XX C (3-3-1-10), german infantry XX A (9-9-0-9)"
    order: tuple[str, ...] = answered(typed(text), "stack", at="41.19").result.order
    return order


@pytest.mark.rule("13.0")
@pytest.mark.parametrize(
    ("ground", "dug_in"),
    [
        ("", False),
        ("ip=1", True),
        ("printed-ip=russian", False),  # it lies in ruins since they came
        ("printed-ip=central-powers", True),
        ("printed-ip=central-powers ruined", False),
        ("printed-ip=central-powers ruined ip=3", True),
    ],
)
def test_any_position_puts_the_infantry_on_top(ground: str, dug_in: bool) -> None:
    assert stack(3, ground) == (("A", "C") if dug_in else ("C", "A"))


BATTLE = """turn={turn}
trust charts
40.20 {behind}: russian infantry XX R (12-?-0-9)
41.18: russian infantry XX S (12-?-0-9)
41.19 clear {ground}: german infantry XX A (12-14-0-10)
41.19|40.20,41.18 open
"""


def battle(turn: int, ground: str, behind: str = "", come_from: str = "40.20") -> Report[Any]:
    position = typed(BATTLE.format(turn=turn, ground=ground, behind=behind))
    return answered(position, "battle", at="41.19", flanked="no", **{"from": come_from})


@pytest.mark.rule("13.0", "13.5")
@pytest.mark.parametrize(
    ("turn", "ground", "level"),
    [
        (3, "ip=2", 2),
        (19, "printed-ip=central-powers", 3),
        (20, "printed-ip=central-powers", 4),
        (19, "printed-ip=central-powers ip=4", 4),
        (20, "printed-ip=central-powers ruined", 0),
        (20, "printed-ip=central-powers ruined ip=3", 3),
    ],
)
def test_the_level_in_a_combat_from_whichever_side(turn: int, ground: str, level: int) -> None:
    assert [battle(turn, ground, come_from=hex).result.position for hex in ("40.20", "41.18")] == [level, level]


@pytest.mark.rule("13.0", "13.5")
@pytest.mark.parametrize(
    ("turn", "rule", "level"),
    [
        (20, "", 4),
        (20, "ruling printed-level-4=after", 3),
        (21, "ruling printed-level-4=after", 4),
    ],
)
def test_whether_it_has_risen_in_gt_20_itself_is_a_ruling(turn: int, rule: str, level: int) -> None:
    report = battle(turn, f"printed-ip=central-powers\n{rule}\n41.19")
    assert (report.result.position, "printed-level-4" in rulings(report)) == (level, turn == 20)


@pytest.mark.rule("13.0", "13.5")
@pytest.mark.parametrize(
    ("turn", "ground"),
    [(20, "printed-ip=central-powers ip=4"), (20, "printed-ip=central-powers ruined"), (19, "printed-ip=russian")],
)
def test_the_turn_of_the_rise_matters_only_then_and_where_such_a_position_stands(turn: int, ground: str) -> None:
    assert "printed-level-4" not in rulings(battle(turn, ground))


RETREAT = """turn={turn}
41.19 clear {left}: german infantry XX A (12-14-0-10) owes=1{more}
42.19 clear {there}
40.20: 25/3
41.19|42.19 open
"""


def retreat(
    left: str = "", there: str = "", more: str = "", turn: int = 3, **given: Any
) -> dict[tuple[str, str], object]:
    position = typed(RETREAT.format(left=left, there=there, more=more, turn=turn))
    report = answered(position, "retreat", at="41.19", hexes=1, way="42.19", **given)
    return {(one.track, one.subject): one.after for one in report.changes if one.track in ("ip", "ruined")}


@pytest.mark.rule("13.4")
@pytest.mark.parametrize(
    ("left", "more", "units", "off"),
    [
        ("ip=2", "", "A", True),
        ("ip=3", "", "A", True),
        ("printed-ip=none ip=3", "", "A", True),
        ("ip=2", ", german infantry XX B (9-9-0-9) owes=0", "A", False),
        ("ip=2", ', "German 1 Train"', "A", False),
        ("", "", "A", False),
        ("printed-ip=central-powers", "", "A", False),
        ("printed-ip=central-powers ruined ip=3", "", "A", False),
        ("printed-ip=central-powers ruined ip=1", "", "A", True),
        ("printed-ip=russian ruined ip=3", "", "A", True),  # their own, on the ruins of an enemy's
    ],
)
def test_a_position_comes_off_when_the_last_friend_has_left(left: str, more: str, units: str, off: bool) -> None:
    assert (("ip", "41.19") in retreat(left, more=more, units=units)) is off


@pytest.mark.rule("13.4")
@pytest.mark.parametrize(
    ("more", "rule", "off"),
    [
        (', "German 1 Train"', "", False),
        (', "German 1 Train"', "position-keeper=combat", True),
        (", german cavalry XX B (3-3-0-9)", "position-keeper=combat", False),
    ],
)
def test_who_keeps_a_position_is_a_ruling(more: str, rule: str, off: bool) -> None:
    agreed = f"{more}\nruling {rule}" if rule else more
    assert (("ip", "41.19") in retreat("ip=2", more=agreed, units="A")) is off


@pytest.mark.rule("13.4")
@pytest.mark.parametrize(
    ("left", "more", "named"),
    [
        ("ip=2", ', "German 1 Train"', True),
        ("ip=2", ', "German 1 Train", german infantry XX B (9-9-0-9)', False),
        ("ip=2", "", False),
        ("", ', "German 1 Train"', False),
    ],
)
def test_who_keeps_a_position_matters_where_no_combat_unit_stays(left: str, more: str, named: bool) -> None:
    text = RETREAT.format(left=left, there="", more=more, turn=3)
    report = answered(typed(text), "retreat", at="41.19", hexes=1, way="42.19", units="A")
    assert ("position-keeper" in rulings(report)) is named


@pytest.mark.rule("13.4")
def test_it_comes_off_when_a_combat_leaves_nobody() -> None:
    text = BATTLE.format(turn=3, ground="ip=1", behind="").replace("(12-14-0-10)", "(1-1-0-10)")
    text += "ask battle at=41.19 from=40.20 flanked=no\nanswers crt=7 slrt=1/1 ec.40.20=2\n"
    text += "\n".join(f"chart slrt summer Medium {n} = 1 / 0" for n in range(-2, 9))
    report = carried_out(text, advance="none")
    assert [
        (c.track, c.after) for c in report.changes if c.rule in ("11.1", "13.4") and c.subject in ("A", "41.19")
    ] == [
        ("place", None),
        ("ip", None),
    ]


@pytest.mark.rule("13.4", "13.5.1")
def test_an_enemy_who_enters_ruins_what_the_map_shows() -> None:
    assert retreat(there="printed-ip=russian") == {("ruined", "42.19"): True}
    assert retreat(there="printed-ip=central-powers") == {}
    assert retreat(there="printed-ip=russian ruined") == {}
    friend = "\n42.19: german infantry XX B (9-9-0-9) owes=0"
    assert retreat(there="printed-ip=russian ruined ip=1", more=friend) == {}, "what they have built there stays"
    rebuilt = retreat(there="printed-ip=russian ruined ip=3", turn=25)
    assert rebuilt == {("ip", "42.19"): None}, "it lies in ruins again"


@pytest.mark.rule("13.5.1")
@pytest.mark.parametrize(
    ("event", "friendly", "turn", "then"),
    [
        ("entered", False, 3, (True, 0)),
        ("entered", True, 3, None),
        ("rebuilt", True, 19, (False, 0)),
        ("rebuilt", True, 20, (True, 3)),
        ("rebuilt", False, 3, None),
    ],
)
def test_what_becomes_of_it(event: Any, friendly: bool, turn: int, then: tuple[bool, int] | None) -> None:
    assert find_fate(event, turn, friendly=friendly) == then
