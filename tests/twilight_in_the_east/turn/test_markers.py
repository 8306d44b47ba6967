"""Prepared Attack markers and others, played on phase by phase until their units are free again (8.4, 9.5.1, 10.3)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.formats.positions import Position
from twilight_in_the_east.forces.bars import bars
from twilight_in_the_east.forces.unit import StatusRead

from ...conftest import answered, typed
from ...evenings.turning import follow

HEAD = """trust charts
turn=11 phase={} phasing=central-powers weather=normal
elsewhere clear open no-rail no-road no-crossing no-town no-border control=russian
chart crt summer 3:1 7 = - / -
chart slrt summer Medium 2 = 0 / 0
chart slrt summer Medium 3 = 0 / 0
chart forced-march infantry-large 3 = 1 / 0 / no
"""
DIVISION = 'german infantry XX "{}" (12-12-5-11) army={} corps=none movement=7'
ENEMY = '40.21: russian infantry XX "E" (12-12-0-9) army=First movement=7'


def played_to(position: Position, phasing: str, phase: str) -> Position:
    """The position in the first such phase to come, with what is owed left undone."""
    for _ in range(40):
        step = follow(position)
        assert step is not None
        position = step.position
        if (position.state.value("phasing"), position.state.value("phase")) == (phasing, phase):
            return position
    raise AssertionError(f"{phasing} {phase} does not come")


def places_marker(position: Position, unit: str) -> Report[Any]:
    """The report on a new marker of a unit."""
    return answered(position, "prepared", unit=unit, at="40.21")


def marked(position: Position) -> set[str]:
    """The units with a Prepared Attack marker."""
    return {subject for track, subject in position.state.facts if track == "prepared"}


def answered_to_the_end(position: Position, **parameters: Any) -> Position:
    """The position after the combat at 40.21."""
    given = {"at": "40.21", "attacker_ap": ("none",), "defender_ap": ("none",), "flanked": False, **parameters}
    answers = {"crt": "7", "slrt": "3/3", "ec.40.20": "2", "ec.40.21": "2"}
    report = answered(position, "battle", answers=answers, **given)
    assert not report.asks, [ask.name for ask in report.asks]
    return position.after(report.changes)


def bars_to_spending(position: Position, unit: str) -> set[str]:
    """The rules by which a unit may not spend Movement Points."""
    view = View(position.game, position.state)
    with view.gather() as facts:
        return {bar.rule for bar in bars(StatusRead(facts, view.unit(unit)), "spend")}


@pytest.mark.rule("8.4", "10.1.2a")
def test_artillery_that_could_not_attack_without_an_ammunition_point_is_free_after_the_attack_phase() -> None:
    units = ", ".join(
        (
            f"{DIVISION.format('A', 'Eighth')} prepared=40.21",
            'german artillery - "G" (4-?-4-9) army=Eighth movement=7 prepared=40.21',
            f"{DIVISION.format('B', 'Eighth')} prepared=40.21",
        )
    )
    position = typed(f"{HEAD.format('attack')}40.20: {units}\n{ENEMY}")
    position = answered_to_the_end(position)
    assert marked(position) == {"G"}, "the attack has used the others"
    assert marked(played_to(position, "central-powers", "counter-attack")) == set()
    free = played_to(position, "central-powers", "movement")
    assert free.state.value("turn") == 12
    assert "8.4" not in bars_to_spending(free, "G")
    assert places_marker(free, "A").verdict.kind == "yes"
    assert places_marker(free.after(places_marker(free, "A").changes), "G").verdict.kind == "yes"


@pytest.mark.rule("8.4", "8.3.3")
def test_a_unit_that_its_forced_march_has_demoralized_loses_its_marker_with_the_attack_phase() -> None:
    unit = f"{DIVISION.format('A', 'Eighth')} prepared=40.21 cel=-3 spent=march:5+prepared:3"
    position = typed(f"{HEAD.format('movement')}40.20: {unit}\n{ENEMY}")
    failed = answered(position, "forced-march", unit="A", answers={"ec": "11"})
    position = position.after(failed.changes)
    assert (position.state.value("cel", "A"), marked(position)) == (-4, {"A"}), "only a failure by 4 takes it off"
    position = played_to(position, "central-powers", "attack")
    assert marked(position) == {"A"}
    assert marked(played_to(position, "central-powers", "counter-attack")) == set()
    assert "8.4" not in bars_to_spending(played_to(position, "central-powers", "movement"), "A")


@pytest.mark.rule("10.3", "8.4")
def test_the_army_that_is_withheld_loses_its_markers_with_the_attack_phase() -> None:
    text = (
        f"{HEAD.format('attack')}40.20: {DIVISION.format('A', 'Eighth')} prepared=40.21, "
        f"{DIVISION.format('B', 'Eighth')} prepared=40.21\n"
        f"41.21: {DIVISION.format('C', 'Ninth')} prepared=40.21\n{ENEMY}"
    )
    position = answered_to_the_end(typed(text), withhold=("C",))
    assert marked(position) == {"C"}
    assert marked(played_to(position, "central-powers", "counter-attack")) == set()
    assert places_marker(played_to(position, "central-powers", "movement"), "C").verdict.kind == "yes"


@pytest.mark.rule("8.4")
@pytest.mark.parametrize("before", ["movement", "counter-movement"])
def test_a_marker_lies_until_the_attack_phase_is_over(before: str) -> None:
    position = typed(f"{HEAD.format(before)}40.20: {DIVISION.format('A', 'Eighth')} prepared=40.21\n{ENEMY}")
    position = played_to(position, "central-powers", "attack")
    assert marked(position) == {"A"}
    assert marked(played_to(position, "central-powers", "counter-attack")) == set()


@pytest.mark.rule("5.4.10b", "9.5.1a")
def test_displaced_artillery_of_both_sides_is_free_after_the_player_turn() -> None:
    text = (
        f'{HEAD.format("attack")}40.20: {DIVISION.format("A", "Eighth")}, german artillery - "G" (4-?-4-9) displaced\n'
        '44.25: russian infantry XX "E" (12-12-0-9), russian artillery - "H" (4-?-4-9) displaced'
    )
    position = played_to(typed(text), "central-powers", "post-combat")
    assert {subject for track, subject in position.state.facts if track == "displaced"} == {"G", "H"}
    step = follow(position)
    assert step is not None
    assert "displaced" not in {track for track, _ in step.position.state.facts}


@pytest.mark.rule("22.3.1")
def test_the_allotment_of_the_third_landwehr_corps_ends_with_turn_10() -> None:
    text = (
        "turn=8 phase=post-combat phasing=central-powers weather=normal\n"
        '79.30: german corps-train - "3 LW Train" allotment-spent=1'
    )
    position = played_to(typed(text), "central-powers", "post-combat")
    assert (position.state.value("turn"), position.state.value("allotment-spent", "3 LW Train")) == (9, 1)
    position = played_to(position, "russian", "reinforcement")
    assert (position.state.value("turn"), position.state.value("allotment-spent", "3 LW Train")) == (10, None)
