"""A unit as the rules reckon with it, read from a position; and steps lost, as changes to it (3.3, 3.4, 11.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import MissingFacts
from assistant.asking.view import End, View
from assistant.util.errors import InputError
from twilight_in_the_east.forces.armies import corps_and_army
from twilight_in_the_east.forces.losses import step_losses
from twilight_in_the_east.forces.unit import (
    back_steps,
    corps_under,
    fighting_units,
    gather_unit,
    is_unit_demoralized,
    low_supply,
)
from twilight_in_the_east.forces.units import CombatUnit, Role

from ...conftest import typed

DIVISION = "german infantry XX A (12-16-7-11) back-steps=6 back-defence=8 back-artillery=3"


def view_of(text: str) -> View:
    position = typed(text)
    return View(position.game, position.state)


def read(unit: str, role: Role | None = "defender", more: str = "") -> CombatUnit:
    view = view_of(f"41.19: {unit}\n{more}")
    with view.gather() as facts:
        return gather_unit(facts, view.unit("A"), role)


def ratings(unit: CombatUnit) -> tuple[int, ...]:
    """Steps, steps lost, steps of the back, defence, artillery, effectiveness, multiplier."""
    return (unit.steps, unit.lost, unit.back_steps, unit.defence, unit.artillery, unit.effectiveness, unit.fssm)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3", "3.3.2")
@pytest.mark.parametrize(
    ("role", "found"),
    [
        pytest.param("defender", (12, 0, 6, 16, 7, 11, 0), id="a defender's all"),
        pytest.param("attacker", (12, 0, 6, 0, 7, 11, 0), id="an attacker needs no defence"),
        pytest.param(None, (12, 0, 6, 0, 0, 0, 0), id="one who does not fight his steps only"),
    ],
)
def test_a_divisions_ratings(role: Role | None, found: tuple[int, ...]) -> None:
    unit = read(DIVISION, role)
    assert (ratings(unit), unit.formation, unit.reduced) == (found, True, False)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3", "3.3.2")
@pytest.mark.parametrize("role", ["defender", "attacker"])
def test_an_artillery_units_ratings(role: Role) -> None:
    unit = read("german artillery - A artillery=3", role)
    assert (ratings(unit), unit.formation) == ((1, 0, 0, 0, 3, 0, 0), False)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3", "3.3.2")
@pytest.mark.parametrize("arm", ["fort", "fortress"])
@pytest.mark.parametrize(("role", "multiplier"), [("defender", 2), ("attacker", 2), (None, 0)])
def test_a_fortress_units_ratings(arm: str, role: Role | None, multiplier: int) -> None:
    unit = read(f"german {arm} - A fssm=2 steps=4 lost=1", role)
    assert (ratings(unit), unit.formation) == ((4, 1, 0, 0, 0, 0, multiplier), False)


@pytest.mark.rule("3.3.1", "3.3.2", "3.8.2")
@pytest.mark.parametrize(("role", "defence"), [("defender", 2), (None, 0)])
def test_a_trains_ratings(role: Role | None, defence: int) -> None:
    """It has a single step, no effectiveness and, if it may defend at all, as that of Königsberg does, no more than its defence."""
    unit = read("german corps-train - A defence=2", role)
    assert (ratings(unit), unit.formation) == ((1, 0, 0, defence, 0, 0, 0), False)


@pytest.mark.rule("3.4.1", "3.3.2", "3.4.1b")
def test_asset_units_are_no_formations_and_have_no_reduced_side() -> None:
    unit = read("german infantry III A (4-3-0-10) lost=3")
    assert (ratings(unit), unit.formation) == ((4, 3, 0, 3, 0, 10, 0), False)
    assert not read("german infantry III A (4-4-0-8)").formation
    assert not read("german infantry XX A (4-4-0-8) asset").formation
    assert read("german infantry X A (4-4-0-8)").formation


@pytest.mark.rule("3.4.1", "3.4.1b", "3.4.2", "3.4.3")
@pytest.mark.parametrize(
    ("facts", "found", "reduced"),
    [
        pytest.param("lost=5", (12, 5, 6, 16, 7, 11, 0), False, id="its front"),
        pytest.param("lost=6", (6, 0, 0, 8, 3, 11, 0), True, id="so many lost that it has turned"),
        pytest.param("lost=8", (6, 2, 0, 8, 3, 11, 0), True, id="and more"),
        pytest.param("reduced", (6, 0, 0, 8, 3, 11, 0), True, id="said to show its back"),
        pytest.param("reduced lost=2", (6, 2, 0, 8, 3, 11, 0), True, id="and to have lost of its back"),
    ],
)
def test_the_side_that_a_unit_shows(facts: str, found: tuple[int, ...], reduced: bool) -> None:
    unit = read(f"{DIVISION} {facts}")
    assert (ratings(unit), unit.reduced) == (found, reduced)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3")
def test_a_value_that_stands_alone_is_of_the_side_in_use() -> None:
    unit = read("german infantry XX A (4-3-2-10) reduced")
    assert (ratings(unit), unit.reduced) == ((4, 0, 0, 3, 2, 10, 0), True)


@pytest.mark.rule("3.4.1")
def test_nobody_has_lost_all_the_steps_of_his_reduced_side() -> None:
    line = f"{DIVISION} reduced"
    assert read(f"{line} lost=5").left == 1
    for lost in (6, 7):
        with pytest.raises(InputError, match=f"A has lost {lost} of 6 steps"):
            read(f"{line} lost={lost}")


@pytest.mark.rule("3.3.2", "3.3.1", "3.8.2", "3.4.1")
def test_what_else_is_read() -> None:
    unit = read(f"{DIVISION} corps=1 army=Eighth cel=-2 disorder=1 half prepared=40.20")
    assert (unit.nation, unit.arm, unit.size, unit.place) == ("german", "infantry", "XX", "41.19")
    assert (unit.corps, unit.army, unit.levels, unit.disorder) == ("1", "Eighth", 2, 1)
    assert (unit.half, unit.prepared) == (True, "40.20")
    sound = read(DIVISION)
    assert (sound.corps, sound.army, sound.levels, sound.disorder, sound.half, sound.prepared) == (
        "",
        "",
        0,
        0,
        False,
        "",
    )


@pytest.mark.rule("3.4.1b")
@pytest.mark.parametrize(("reading", "halves"), [("half-up", [6, 5, 2]), ("half-down", [6, 4, 1])])
def test_a_back_that_is_not_stated_has_half_of_the_steps(reading: str, halves: list[int]) -> None:
    view = view_of(f"41.19: german infantry XX A\nruling flip-point={reading}")
    assert [back_steps(view, "A", steps) for steps in (12, 9, 3)] == halves
    assert back_steps(view_of("41.19: german infantry XX A back-steps=4"), "A", 9) == 4


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3")
def test_a_printed_counter_has_a_value_on_each_side() -> None:
    def steps(status: str) -> int:
        view = view_of(f"trust counters\n41.19: 1/1 {status}")
        with view.gather() as facts:
            return gather_unit(facts, view.unit("1/1"), None).steps

    assert 0 < steps("reduced") < steps("")


@pytest.mark.rule("2.1d", "3.3.1", "2.1c")
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


@pytest.mark.rule("3.3.1", "6.4.1b")
def test_a_formation_and_an_asset_unit_of_no_corps_fight_under_none() -> None:
    """The nearest formation is that of another corps; it lends it to Asset Units alone."""
    near = "41.20: german infantry XX 9/8"
    assert read("german infantry XX A (12-16-7-11)", more=near).corps == ""
    assets = ("infantry III A (4-4-0-9)", "artillery - A (2-2-4-8)", "infantry XX A (12-16-7-11) asset")
    assert [read(f"german {asset}", more=near).corps for asset in assets] == ["8"] * 3
    assert read("german fort - A fssm=1 steps=2", more=near).corps == ""
    view = view_of("41.19: german infantry XX 1/17\n" + near)
    with view.gather() as facts:
        assert corps_under(facts, view.unit("1/17"), asset=False) == "17", "a formation under that of its ID"
    view = view_of('41.19: "17 Train"\n' + near)
    with view.gather() as facts:
        assert corps_under(facts, view.unit("17 Train"), asset=False) == "17", (
            "a Corps Train is attached to none either"
        )


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
        gathered = gather_unit(facts, view.unit("A"), None)
    assert (gathered.steps, gathered.lost, gathered.reduced) == found


@pytest.mark.rule("3.4.1")
def test_steps_that_are_not_stated_are_asked_for() -> None:
    with pytest.raises(MissingFacts) as missing:
        read("german infantry XX A", None)
    assert [ask.key for ask in missing.value.asks] == [("steps", "A")]


@pytest.mark.rule("2.1b", "3.6.3", "11.3b")
def test_supply_units_do_not_fight() -> None:
    text = "german infantry XX A, german artillery - G, german fortress - F, german cavalry XX C, german fort - redoubt"
    view = view_of(f"41.19: {text}, german corps-train - T, german major-depot - D")
    with view.gather() as facts:
        assert [unit.id for unit in fighting_units(facts, "41.19")] == ["A", "G", "F", "C", "redoubt"]


@pytest.mark.rule("11.3.1d")
def test_what_counts_as_low_supply_in_a_check() -> None:
    as_low, letter = view_of("ruling out-of-supply-ec=as-low"), view_of("ruling out-of-supply-ec=none")
    assert [low_supply(status, as_low) for status in ("in", "low", "out")] == [False, True, True]
    assert [low_supply(status, letter) for status in ("in", "low", "out")] == [False, True, False]


def test_who_counts_as_demoralized() -> None:
    def demoralized(status: str) -> bool:
        view = view_of(f"41.19: german infantry XX A {status}")
        with view.gather() as facts:
            return is_unit_demoralized(facts, view.unit("A"))

    assert [demoralized(status) for status in ("cel=-3", "cel=-4", "D1", "cel=-4 asset")] == [False, True, True, False]


# --- steps lost -------------------------------------------------------------------------------------------------------


def changes(unit: str, steps: int) -> dict[str, Any]:
    view = view_of(f"41.19: {unit}")
    with view.gather() as facts:
        found = gather_unit(facts, view.unit("A"), None)
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
    reduced = f"{DIVISION} reduced"
    assert changes(reduced, 5) == {"lost": 5}
    assert changes(f"{reduced} -2", 1) == {"lost": 3}
    assert changes(reduced, 6) == {"place": None}
    horse = "german cavalry XX A (3-3-1-10) back-steps=2 back-defence=2 back-artillery=0"
    assert changes(horse, 1) == {"reduced": True, "steps": 2, "defence": 2, "artillery": 0}
    assert changes("german cavalry XX A (3-3-1-10)", 1)["reduced"] is True, "by the ruling flip-point too"
    detachment = "german infantry III A (4-4-0-8) asset"
    assert changes(detachment, 3) == {"lost": 3}
    assert changes(detachment, 4) == {"place": None}


@pytest.mark.rule("3.4.1b", "11.1")
def test_which_ratings_of_the_back_are_stated_as_a_unit_turns() -> None:
    assert changes("german infantry XX A (12-16-7-11)", 6) == {
        "reduced": True,
        "steps": 6,
        "defence": None,
        "artillery": None,
    }
    assert changes(DIVISION.replace("back-artillery=3", "back-artillery=7"), 6) == {
        "reduced": True,
        "steps": 6,
        "defence": 8,
    }
    view = view_of("trust counters\n41.19: 1/1")
    with view.gather() as facts:
        found = gather_unit(facts, view.unit("1/1"), None)
    turned = {change.track: change.after for change in step_losses(view, found, found.steps - found.back_steps)}
    assert turned == {"reduced": True}, "a made-up value does not become a stated one"


@pytest.mark.rule("3.4.1")
def test_steps_that_nobody_asks_for_outlast_any_loss() -> None:
    view = view_of("41.19: german infantry XX A")
    with view.gather() as facts:
        found = gather_unit(facts, view.unit("A"), None, steps=False)
    assert (found.lost, found.reduced) == (0, False)
    assert found.steps > 1000


@pytest.mark.rule("3.4.1")
@pytest.mark.parametrize("more", ["steps=4 lost=1", "steps=4 lost=1 back-steps=0"])
def test_steps_that_are_stated_count_though_nobody_asks_for_them(more: str) -> None:
    view = view_of(f"41.19: german infantry XX A {more}")
    with view.gather() as facts:
        found = gather_unit(facts, view.unit("A"), None, steps=False)
    assert (found.steps, found.lost) == (4, 1)


@pytest.mark.rule("3.3.1", "3.4.1")
def test_a_division_beside_a_corps_is_of_none_and_has_no_check_that_nobody_makes() -> None:
    view = view_of("41.19: german infantry XX A (12-16-7-?) supply=in\n41.20: 1/1")
    with view.gather() as facts:
        found = gather_unit(facts, view.unit("A"), "defender", checks=False)
    assert (found.corps, found.effectiveness, found.ap) == ("", 0, False)


@pytest.mark.rule("3.4.1")
def test_a_unit_off_the_map_stands_nowhere() -> None:
    view = view_of("off-map: german infantry XX A (12-16-7-11)")
    with view.gather() as facts:
        found = gather_unit(facts, view.unit("A"), None)
    assert found.place == ""
