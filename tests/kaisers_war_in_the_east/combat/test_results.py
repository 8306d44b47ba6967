"""What multiplies a factor, the percentage column, and what results do to the units of a combat, choice by choice (14.8 to 16.3)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from assistant.mechanics.effects import Fought
from assistant.mechanics.procedure import Situation
from kaisers_war_in_the_east.combat.engagement import (
    COLUMNS,
    count_multiple,
    defence_multiple,
    find_column,
    measure_percentage,
)
from kaisers_war_in_the_east.combat.results import (
    Fate,
    Forces,
    effects_of,
    find_pursuers,
    find_survivors,
    may_pursue,
)
from kaisers_war_in_the_east.forces import Formation


def unit(name: str, size: str = "XXX", **values: Any) -> Formation:
    """A unit that can move and attack unless it is told otherwise."""
    told = {"nation": "russian", "arm": "infantry", "place": "2620", "attack": 2, "defence": 2, "movement": 3}
    return Formation(id=name, size=size, **(told | values))


CORPS, ARMY, SECOND = unit("Corps"), unit("Army", "XXXX"), unit("Second", "XXXX")
CAVALRY = unit("Horse", "XXXX", arm="cavalry")
SHOCK = unit("Shock", arm="shock")
THREE = dict.fromkeys(("Army", "Second", "Horse"), ("russian",) * 3)


def at_hand(infantry: int = 9) -> dict[tuple[str, str], tuple[str, ...]]:
    """The corps off the map: so many Russian infantry corps, and enough of everybody else."""
    corps = {(nation, arm): 9 for nation in ("russian", "german") for arm in ("infantry", "shock", "cavalry")}
    numbers = corps | {("russian", "infantry"): infantry}
    return {kind: tuple(f"{'-'.join(kind)}-{one}" for one in range(1, most + 1)) for kind, most in numbers.items()}


ENOUGH = at_hand()


def carry_on(forces: Forces, fought: Fought[Fate]) -> tuple[Fought[Fate], dict[str, Situation]]:
    """A result up to the next choice, and what may be chosen."""
    return effects_of(forces).carry_on(fought)


def fates(forces: Forces, code: str, *chosen: str) -> list[tuple[str, bool, int, int]]:
    """What becomes of units by a result: id, whether it breaks down, corps that are left of it, corps lost."""
    fought, options = carry_on(forces, Fought(code))
    for name in chosen:
        fought, options = carry_on(forces, options[name])  # type: ignore[arg-type]  # situations of a combat
    assert not options
    return [(one.unit.id, one.breaks, len(one.left), one.corps_lost) for one in fought.fates]


def choices(forces: Forces, code: str) -> list[str]:
    """What the owner whose choice comes first may choose."""
    return [*carry_on(forces, Fought(code))[1]]


@pytest.mark.rule("14.14", "14.15", "CRT-result/BB")
def test_an_effect_that_concerns_nobody_does_not_stop_those_after_it() -> None:
    forces = Forces((unit("Ours"),), (CORPS,))
    assert fates(forces, "BB") == [("Corps", False, 0, 0), ("Ours", False, 0, 0)]


@pytest.mark.rule("14.15", "14.15/4", "CRT-result/MD")
def test_a_mobile_defence_costs_a_shock_unit_whichever_its_owner_chooses() -> None:
    army = unit("Assault", "XXXX", arm="shock")
    forces = Forces(
        (SHOCK, unit("Tank", arm="tank"), CORPS, army),
        (unit("Fort", movement=0), ARMY),
        {"Assault": ("german",) * 2},
        at_hand=ENOUGH,
    )
    assert choices(forces, "MD") == ["Shock", "Tank", "Assault", "Assault:corps"]
    assert fates(forces, "MD", "Tank") == [("Fort", False, 0, 0), ("Tank", False, 0, 0)]
    assert fates(forces, "MD", "Assault:corps")[-1] == ("Assault", True, 1, 1)


@pytest.mark.rule("14.15", "21.1")
def test_of_the_sud_army_its_owner_chooses_which_nations_corps_is_lost() -> None:
    sud = unit("Sud", "abteilung", nation="german")
    both = {("german", "infantry"): ("Ger-inf-1",), ("austro-hungarian", "infantry"): ("AH-inf-1",)}
    forces = Forces((sud,), (unit("Theirs"),), {"Sud": ("german", "austro-hungarian")}, at_hand=both)
    fought = effects_of(forces).carry_on(Fought("ST"))[1]["Theirs"]
    assert [*carry_on(forces, fought)[1]] == ["Sud", "Sud:german", "Sud:austro-hungarian"]  # type: ignore[arg-type]
    for nation, lost, left in (("german", "Ger-inf-1", "AH-inf-1"), ("austro-hungarian", "AH-inf-1", "Ger-inf-1")):
        after = carry_on(forces, carry_on(forces, fought)[1][f"Sud:{nation}"])[0]  # type: ignore[arg-type]
        assert [[corps.id for corps in fate] for fate in (after.fates[-1].gone, after.fates[-1].left)] == [
            [lost],
            [left],
        ]
    one = forces._replace(at_hand={("austro-hungarian", "infantry"): ("AH-inf-1",)})
    assert [*carry_on(one, fought)[1]] == ["Sud", "Sud:corps"]  # type: ignore[arg-type]


@pytest.mark.rule("14.16", "10.6", "14.15", "CRT-result/ST")
def test_armies_break_down_into_the_corps_that_are_available() -> None:
    forces = Forces((), (ARMY, SECOND), THREE, at_hand=at_hand(4))
    assert fates(forces, "DD") == [("Army", True, 3, 0), ("Second", True, 1, 0)]
    assert fates(forces._replace(at_hand=at_hand(0)), "DD") == [("Army", True, 0, 0), ("Second", True, 0, 0)]
    assert fates(forces._replace(at_hand=ENOUGH), "DD") == [("Army", True, 3, 0), ("Second", True, 3, 0)]
    alone = Forces((), (unit("Rom", "XXXX", nation="romanian"),), at_hand={("romanian", "infantry"): ("Rom-inf-1",)})
    assert fates(alone, "DD") == [("Rom", False, 0, 0)]
    forces = Forces((), (CAVALRY, ARMY), THREE, at_hand=at_hand(2))
    assert fates(forces, "DD") == [("Horse", True, 3, 0), ("Army", True, 2, 0)]
    forces = Forces((unit("Ours"),), (ARMY,), THREE)
    assert choices(forces._replace(at_hand=at_hand(0)), "ST") == ["Army"]
    assert choices(forces._replace(at_hand=at_hand(1)), "ST") == ["Army", "Army:corps"]
    assert choices(Forces((unit("Ours"),), (unit("Rom", "XXXX", nation="romanian"),)), "ST") == ["Rom"]
    unknown = Forces((unit("Ours"),), (ARMY,), {}, {"Army": ("reorganization", ("russian", "infantry-army"))})
    assert choices(unknown, "ST") == ["Army", "Army:corps"]


@pytest.mark.rule("14.15", "14.16")
def test_survivors_are_the_units_that_are_left_and_the_corps_of_broken_armies() -> None:
    forces = Forces((unit("Ours"),), (CORPS, ARMY, SECOND), THREE, at_hand=at_hand(2))
    fought, options = carry_on(forces, Fought("BB"))
    fought, _ = carry_on(forces, options["Second"])  # type: ignore[arg-type]  # a situation of a combat
    assert find_survivors(forces, fought, "defender") == ("Army", "russian-infantry-1", "russian-infantry-2")
    assert find_survivors(forces, fought, "attacker") == find_survivors(forces, fought, "") == ()


@pytest.mark.rule("16.3")
@pytest.mark.parametrize(
    ("values", "may"),
    [
        ({}, True),
        ({"movement": 1, "attack": 1}, True),
        ({"movement": 0}, False),
        ({"attack": 0}, False),
        ({"support": True}, False),
    ],
)
def test_who_pursues_can_move_and_attack(values: dict[str, Any], may: bool) -> None:
    assert may_pursue(unit("Corps", **values)) is may


@pytest.mark.rule("16.1", "16.4")
def test_who_pursues_is_left_and_able_and_the_hex_is_cleared() -> None:
    fort = unit("Fort", movement=0)

    def by(code: str, attackers: tuple[Formation, ...], defenders: tuple[Formation, ...]) -> bool:
        forces = Forces(attackers, defenders, THREE, at_hand=ENOUGH)
        return bool(find_pursuers(forces, carry_on(forces, Fought(code))[0]))

    assert by("DD", (fort, SHOCK), (CORPS,))
    assert not by("DD", (fort,), (CORPS,))
    assert by("AZ", (SHOCK,), (CORPS,))
    assert not by("AZ", (SHOCK,), (fort,))
    assert not by("AD", (SHOCK,), (CORPS,))
    assert not by("BB", (SHOCK,), (CORPS,))  # the attacker is gone too
    attackers = (unit("Ours", "XXXX"), unit("Third", "XXXX"))
    forces = Forces(attackers, (ARMY,), THREE | {"Ours": ("german",), "Third": ("german",)})
    for corps, may in ((0, True), (3, False)):
        here = forces._replace(at_hand=at_hand(corps))
        fought = Fought("BB")
        for name in ("Army", "Ours"):
            fought = carry_on(here, carry_on(here, fought)[1][name])[0]  # type: ignore[arg-type]  # situations of a combat
        assert find_pursuers(here, fought) == (("german-infantry-1", "Third") if may else ())


@pytest.mark.rule("14.8/2", "14.8/3", "14.9", "21.3", "CRT/modifiers")
def test_one_bonus_doubles_and_more_triple() -> None:
    for supplied, concentric, alpine in product((False, True), repeat=3):
        multiple = count_multiple(supplied=supplied, concentric=concentric, alpine=alpine)
        assert multiple == {0: 1, 1: 2, 2: 3, 3: 3}[supplied + concentric + alpine]


@pytest.mark.rule("14.11/1", "14.11/2", "CRT/modifiers")
@pytest.mark.parametrize(
    ("terrain", "water", "entrenched", "times"),
    [
        (False, False, False, 1),
        (True, False, False, 2),
        (False, True, False, 2),
        (True, True, False, 2),
        (False, False, True, 2),
        (True, False, True, 3),
        (False, True, True, 3),
        (True, True, True, 3),
    ],
)
def test_a_defence_is_doubled_once_and_entrenching_adds_to_it(
    terrain: bool, water: bool, entrenched: bool, times: int
) -> None:
    assert defence_multiple(terrain=terrain, all_across_water=water, entrenched=entrenched) == times


@pytest.mark.rule("14.3/4")
@pytest.mark.parametrize(
    ("attack", "defence", "down", "up"),
    [(20, 12, 166, 167), (10, 12, 83, 84), (12, 12, 100, 100), (5, 1, 500, 500), (5, 0, 500, 500), (0, 3, 0, 0)],
)
def test_a_fraction_of_a_percent_is_dropped_or_counts_as_a_whole_one(
    attack: int, defence: int, down: int, up: int
) -> None:
    assert (measure_percentage(attack, defence, up=False), measure_percentage(attack, defence, up=True)) == (down, up)


@pytest.mark.rule("14.3/5", "14.13")
@pytest.mark.parametrize(
    ("percent", "found"),
    [
        (0, "<=49"),
        (49, "<=49"),
        (50, "50-99"),
        (99, "50-99"),
        (100, "100-149"),
        (149, "100-149"),
        (150, "150-199"),
        (199, "150-199"),
        (200, "200-299"),
        (299, "200-299"),
        (300, "300-399"),
        (399, "300-399"),
        (400, "400-499"),
        (499, "400-499"),
        (500, "500-599"),
        (599, "500-599"),
        (600, ">=600"),
        (1000, ">=600"),
    ],
)
def test_columns_begin_where_the_tables_say(percent: int, found: str) -> None:
    assert find_column(percent) == found


def test_columns_rank_from_the_left() -> None:
    assert [COLUMNS.rank(name) for name in ("<=49", "50-99", ">=600")] == [0, 1, 8]
