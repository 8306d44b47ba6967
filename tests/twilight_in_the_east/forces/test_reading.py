"""A unit as the rules reckon with it, read from a position; and steps lost, as changes to it (3.3, 3.4, 11.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.questions.report import MissingFacts
from assistant.questions.view import End, View
from assistant.util.errors import InputError
from twilight_in_the_east.forces.armies import corps_and_army
from twilight_in_the_east.forces.reading import (
    at_best,
    back_steps,
    corps_under,
    fighting,
    gather_unit,
    is_demoralized,
    low_supply,
)
from twilight_in_the_east.forces.step_changes import step_losses
from twilight_in_the_east.forces.units import CombatUnit, Role

from ...conftest import typed

DIVISION = "german infantry XX A (12-16-7-11) back-steps=6 back-defence=8 back-artillery=3"


def view_of(text: str) -> View:
    position = typed(text)
    return View(position.game, position.state)


def read(unit: str, role: Role | None = "defender", more: str = "") -> CombatUnit:
    view = view_of(f"41.19: {unit}\n{more}")
    with view.gather() as facts:
        return gather_unit(facts, view, view.unit("A"), role)


@pytest.mark.rule("3.3.1", "3.3.2", "3.4.1", "3.4.2", "3.4.3", "3.8.2")
def test_the_front_of_a_counter() -> None:
    unit = read(f"{DIVISION} army=Eighth")
    assert (unit.nation, unit.arm, unit.size, unit.formation, unit.army) == ("german", "infantry", "XX", True, "Eighth")
    assert (unit.steps, unit.defence, unit.artillery, unit.effectiveness) == (12, 16, 7, 11)
    assert (unit.lost, unit.reduced, unit.back_steps) == (0, False, 6)


@pytest.mark.rule("3.4.1", "3.4.1b", "3.4.2", "3.4.3")
def test_the_back_of_a_counter() -> None:
    for turned in (read(f"{DIVISION} -7"), read(f"{DIVISION} reduced lost=1")):
        assert (turned.steps, turned.lost, turned.reduced, turned.back_steps) == (6, 1, True, 0)
        assert (turned.defence, turned.artillery) == (8, 3)
    whole = read(f"{DIVISION} -5")
    assert (whole.steps, whole.lost, whole.reduced, whole.defence, whole.artillery) == (12, 5, False, 16, 7)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3")
def test_one_value_that_is_stated_is_that_of_the_side_that_is_up() -> None:
    unit = read("german infantry XX A (6-8-3-11) reduced")
    assert (unit.steps, unit.defence, unit.artillery) == (6, 8, 3)


@pytest.mark.rule("3.3.2", "3.4.1", "3.4.2", "3.4.3", "3.8.2")
def test_what_does_not_matter_is_not_read() -> None:
    assert (read(DIVISION, "attacker").defence, read(DIVISION, "attacker").artillery) == (0, 7)
    idle = read(DIVISION, None)
    assert (idle.steps, idle.defence, idle.artillery, idle.effectiveness) == (12, 0, 0, 0)
    guns = read("german artillery - A artillery=9")
    assert (guns.steps, guns.defence, guns.artillery, guns.formation) == (1, 0, 9, False)
    assert not read("german infantry III A (4-4-0-8)").formation
    assert not read("german infantry XX A (4-4-0-8) asset").formation
    assert read("german infantry X A (4-4-0-8)").formation


@pytest.mark.rule("3.4.1b")
@pytest.mark.parametrize(("reading", "halves"), [("half-up", [6, 5, 2]), ("half-down", [6, 4, 1])])
def test_a_back_that_is_not_stated_has_half_of_the_steps(reading: str, halves: list[int]) -> None:
    view = view_of(f"41.19: german infantry XX A\nruling flip-point={reading}")
    assert [back_steps(view, "A", steps) for steps in (12, 9, 3)] == halves
    assert back_steps(view_of("41.19: german infantry XX A back-steps=4"), "A", 9) == 4


@pytest.mark.rule("3.4.1")
def test_a_unit_has_not_lost_all_its_steps() -> None:
    with pytest.raises(InputError, match="A has lost 6 of 6 steps"):
        read(f"{DIVISION} reduced lost=6")


@pytest.mark.rule("3.3.2", "3.4.1", "3.4.2", "3.4.3", "3.8.2")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
def test_a_fortress_unit_has_steps_and_a_modifier_and_no_other_rating(arm: str) -> None:
    unit = read(f"german {arm} - A steps=4 fssm=2 -3")
    assert (unit.steps, unit.lost, unit.fssm, unit.reduced, unit.back_steps) == (4, 3, 2, False, 0)
    assert (unit.formation, unit.defence, unit.artillery, unit.effectiveness) == (False, 0, 0, 0)
    assert read(f"german {arm} - A steps=4", None).fssm == 0
    assert read(DIVISION).fssm == 0


@pytest.mark.rule("3.4.1", "3.4.1b")
def test_an_asset_unit_never_turns() -> None:
    unit = read("german infantry III A (4-4-0-8) -3")
    assert (unit.steps, unit.lost, unit.reduced, unit.back_steps) == (4, 3, False, 0)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3")
def test_a_printed_counter_has_a_value_on_each_side() -> None:
    def steps(status: str) -> int:
        view = view_of(f"accept illustrative\n41.19: 1/1 {status}")
        with view.gather() as facts:
            return gather_unit(facts, view, view.unit("1/1"), None).steps

    assert 0 < steps("reduced") < steps("")


@pytest.mark.rule("3.3.1", "3.8.2")
def test_the_place_and_the_status_of_a_unit() -> None:
    unit = read(f"{DIVISION} cel=-2 D1 corps=20")
    assert (unit.place, unit.levels, unit.disorder, unit.corps) == ("41.19", 2, 1, "20")


@pytest.mark.rule("2.1d", "3.3.1")
def test_the_chain_of_command_of_a_unit() -> None:
    view = view_of("41.19: german infantry XX 1/17 army=Eighth, german infantry XX 2/17 corps=20, german infantry XX 3")
    assert [corps_and_army(view, name) for name in ("1/17", "2/17", "3")] == [("17", "Eighth"), ("20", ""), ("", "")]


@pytest.mark.rule("3.3.1", "6.4.1b")
@pytest.mark.parametrize(
    ("units", "corps", "asks"),
    [
        ("41.20: german infantry XX 1/17 army=Eighth", "17", 0),
        ("41.20: german infantry XX 1/17", "17", 0),
        ("41.20: german infantry XX 1/17, german infantry XX 2/17", "17", 0),
        ("41.20: german infantry XX 1/17, german infantry XX 2/20", "17", 1),
        ("41.20: german infantry XX 1/17, german infantry XX 2/20, german infantry XX 3/1", "17", 1),
        ("40.30: russian infantry XX 1/17", "", 0),
    ],
)
def test_a_lone_asset_unit_fights_under_the_corps_of_the_nearest_formation(units: str, corps: str, asks: int) -> None:
    def found(guns: str) -> tuple[str, int]:
        view = view_of(f"41.19: {guns}\n{units}")
        try:
            with view.gather() as facts:
                return corps_under(facts, view.unit("guns/9"), asset=True), 0
        except MissingFacts as missing:
            return corps, len(missing.asks)

    lone = "german artillery - guns/9 army=Eighth"
    assert found(lone) == (corps, asks)
    assert found(f"{lone} corps=3") == ("3", 0)
    assert found(f"german infantry XX 9/8, {lone}") == ("9", 0), "that of its ID where a formation stands with it"


@pytest.mark.rule("3.3.1")
def test_a_formation_and_an_asset_unit_of_no_corps_fight_under_none() -> None:
    """The nearest formation is that of another corps; it lends it to Asset Units alone."""
    near = "41.20: german infantry XX 9/8"
    assert read("german infantry XX A (12-16-7-11)", more=near).corps == ""
    assert read("german infantry III A (4-4-0-9) asset", more=near).corps == "8"


@pytest.mark.rule("3.4.1", "3.4.1b")
@pytest.mark.parametrize(
    ("end", "unit", "found"),
    [
        pytest.param("weakest", DIVISION, (12, 5, False), id="its losses do not show, but it has not turned"),
        pytest.param("strongest", DIVISION, (12, 0, False), id="perhaps none"),
        pytest.param("weakest", "german infantry III A (4-4-0-8) asset", (4, 3, False), id="one that cannot turn"),
    ],
)
def test_a_counter_that_shows_its_front_has_not_lost_enough_to_turn(
    end: End, unit: str, found: tuple[int, int, bool]
) -> None:
    position = typed(f"41.19: {unit} hidden=lost")
    view = View(position.game, position.state, end)
    with view.gather() as facts:
        gathered = gather_unit(facts, view, view.unit("A"), None)
    assert (gathered.steps, gathered.lost, gathered.reduced) == found


@pytest.mark.rule("3.4.1")
def test_steps_that_are_not_stated_are_asked_for() -> None:
    with pytest.raises(MissingFacts) as missing:
        read("german infantry XX A", None)
    assert [ask.key for ask in missing.value.asks] == [("steps", "A")]


@pytest.mark.rule("24.4")
def test_the_2nd_division_is_never_better_than_low_up_to_gt_7() -> None:
    def at(turn: int, status: str, nation: str = "russian", name: str = "2/23") -> str:
        view = view_of(f"turn={turn}\n41.19: {nation} infantry XX {name}")
        with view.gather() as facts:
            return at_best(facts, name, status)

    assert [at(7, status) for status in ("in", "low", "out")] == ["low", "low", "out"]
    assert [at(8, "in"), at(7, "in", "german"), at(7, "in", name="3/23")] == ["in", "in", "in"]


@pytest.mark.rule("2.1b", "3.6.3", "11.3b")
def test_supply_units_do_not_fight() -> None:
    text = "german infantry XX A, german artillery - G, german fortress - F, german cavalry XX C, german fort - redoubt"
    view = view_of(f"41.19: {text}, german corps-train - T, german major-depot - D")
    with view.gather() as facts:
        assert [unit.id for unit in fighting(facts, view, "41.19")] == ["A", "G", "F", "C", "redoubt"]


@pytest.mark.rule("11.3.1d")
def test_what_counts_as_low_supply_in_a_check() -> None:
    as_low, letter = view_of("ruling out-of-supply-ec=as-low"), view_of("ruling out-of-supply-ec=none")
    assert [low_supply(status, as_low) for status in ("in", "low", "out")] == [False, True, True]
    assert [low_supply(status, letter) for status in ("in", "low", "out")] == [False, True, False]


def test_who_counts_as_demoralized() -> None:
    def demoralized(status: str) -> bool:
        view = view_of(f"41.19: german infantry XX A {status}")
        with view.gather() as facts:
            return is_demoralized(facts, view.unit("A"))

    assert [demoralized(status) for status in ("cel=-3", "cel=-4", "D1", "cel=-4 asset")] == [False, True, True, False]


# --- steps lost -------------------------------------------------------------------------------------------------------


def changes(unit: str, steps: int) -> dict[str, Any]:
    view = view_of(f"41.19: {unit}")
    with view.gather() as facts:
        found = gather_unit(facts, view, view.unit("A"), None)
    return {change.track: change.after for change in step_losses(view, found, steps)}


@pytest.mark.rule("3.4.1b", "11.1")
def test_losses_are_marked_until_the_counter_is_turned_over() -> None:
    assert changes(DIVISION, 5) == {"lost": 5}
    turned = {"reduced": True, "steps": 6, "defence": 8, "artillery": 3}
    assert changes(DIVISION, 6) == turned
    assert changes(DIVISION, 7) == {**turned, "lost": 1}
    assert changes(DIVISION, 11) == {**turned, "lost": 5}
    assert changes(DIVISION, 12) == {"place": None}
    assert changes(f"{DIVISION} -3", 2) == {"lost": 5}
    assert changes(f"{DIVISION} -3", 3) == {**turned, "lost": 0}
    assert changes(f"{DIVISION} -7", 1) == {**turned, "lost": 2}, "it was not turned over when it should have been"


@pytest.mark.rule("3.4.1b", "11.1")
def test_on_the_reduced_side_losses_count_anew() -> None:
    reduced = f"{DIVISION} reduced"
    assert changes(reduced, 5) == {"lost": 5}
    assert changes(f"{reduced} -2", 1) == {"lost": 3}
    assert changes(reduced, 6) == {"place": None}


@pytest.mark.rule("3.4.1b")
def test_three_steps_turn_after_the_first_loss() -> None:
    horse = "german cavalry XX A (3-3-1-10) back-steps=2 back-defence=2 back-artillery=0"
    assert changes(horse, 1) == {"reduced": True, "steps": 2, "defence": 2, "artillery": 0}
    assert changes("german cavalry XX A (3-3-1-10)", 1)["reduced"] is True, "by the ruling flip-point too"


@pytest.mark.rule("3.4.1b", "11.1")
def test_ratings_of_a_back_that_is_not_stated_are_no_longer_those_of_the_front() -> None:
    assert changes("german infantry XX A (12-16-7-11)", 6) == {
        "reduced": True,
        "steps": 6,
        "defence": None,
        "artillery": None,
    }


@pytest.mark.rule("3.4.1b")
def test_a_rating_that_is_the_same_on_both_sides_or_only_printed_stays() -> None:
    assert changes(DIVISION.replace("back-artillery=3", "back-artillery=7"), 6) == {
        "reduced": True,
        "steps": 6,
        "defence": 8,
    }
    view = view_of("accept illustrative\n41.19: 1/1")
    with view.gather() as facts:
        found = gather_unit(facts, view, view.unit("1/1"), None)
    turned = {change.track: change.after for change in step_losses(view, found, found.steps - found.back_steps)}
    assert turned == {"reduced": True, "steps": found.back_steps}


@pytest.mark.rule("11.1")
def test_an_asset_unit_has_no_back() -> None:
    detachment = "german infantry III A (4-4-0-8) asset"
    assert changes(detachment, 3) == {"lost": 3}
    assert changes(detachment, 4) == {"place": None}
