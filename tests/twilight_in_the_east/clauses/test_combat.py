"""Strengths, odds and column shifts, clause by clause (3.4, 10.4 to 10.8)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.questions.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.combat import allocation, legality, strength
from twilight_in_the_east.combat.engagement import Engagement, Readings, Ring
from twilight_in_the_east.combat.odds import final_odds
from twilight_in_the_east.combat.setup import surrounded
from twilight_in_the_east.forces.units import CombatUnit

from ...conftest import answered, typed


def division(name: str, place: str = "40.20", **more: Any) -> CombatUnit:
    """A sound Russian infantry division with ten steps and five artillery points."""
    unit = CombatUnit(name, "russian", "infantry", "XX", True, place, steps=10, defence=10, artillery=5)
    return unit._replace(**more)


def fort(arm: str) -> CombatUnit:
    return CombatUnit("Boyen", "german", arm, "-", False, "49.27", steps=5, lost=2, fssm=3)


GUNS = CombatUnit("8 h", "russian", "artillery", "-", False, "40.20", steps=1, artillery=3, ap=True)

POSITION = """turn=1
accept reconstruction
40.20: 25/3 (10-8-5-10), 27/3 (10-8-5-10)
41.19 clear: 1/1 (12-16-7-11)
41.19|40.20 {barrier}
{more}
"""


def battle(more: str = "", barrier: str = "open", **parameters: Any) -> Report[Any]:
    """Two Russian divisions of one corps against a German one, none of them with an AP unless the parameters give it one."""
    text = POSITION.format(more=more, barrier=barrier)
    given = {"at": "41.19", "attacker_ap": ("none",), "defender_ap": ("none",), **parameters}
    return answered(typed(text), "battle", **given)


# --- strengths --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.4.3", "10.5a")
@pytest.mark.parametrize(
    ("more", "across", "value"),
    [
        pytest.param({"ap": True}, set(), 5, id="with an AP"),
        pytest.param({}, set(), 0, id="without one"),
        pytest.param({"ap": True, "half": True}, set(), 0, id="silent under a 1/2 marker"),
        pytest.param({"ap": True}, {"minor-river"}, 5, id="whole over a Minor River"),
        pytest.param({"ap": True}, {"major-river"}, Fraction(5, 2), id="halved over a Major River"),
        pytest.param({"ap": True}, {"grand-river", "ridge"}, Fraction(5, 2), id="halved over a Grand River"),
    ],
)
def test_the_artillery_that_a_division_brings_to_bear(more: dict[str, Any], across: set[str], value: Fraction) -> None:
    assert strength.artillery_value(division("A", **more), across) == value


@pytest.mark.rule("3.7.2", "12.2", "3.4.3")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
def test_fortresses_and_forts_fight_with_their_product_half_of_it_artillery(arm: str) -> None:
    assert (strength.defence_strength(fort(arm)), strength.artillery_value(fort(arm))) == (9, Fraction(9, 2))


@pytest.mark.rule("3.4.1", "3.4.2")
def test_the_step_of_an_artillery_unit_adds_nothing() -> None:
    assert (strength.attack_strength(GUNS), strength.defence_strength(GUNS._replace(defence=4))) == (3, 3)


@pytest.mark.rule("3.4.2", "12.2", "10.6.2")
@pytest.mark.parametrize(("defence", "lost", "left"), [(10, 3, 7), (2, 2, 0), (2, 3, 0), (2, 1, 1)])
def test_lost_steps_lower_the_defence_to_nothing_at_least(defence: int, lost: int, left: int) -> None:
    assert strength.defence_strength(division("A", defence=defence, lost=lost)) == left


@pytest.mark.rule("10.6.2", "12.2", "3.4.2")
@pytest.mark.parametrize(("half", "found"), [(False, 15), (True, 5)])
def test_a_half_marker_halves_the_defence_and_silences_the_artillery(half: bool, found: int) -> None:
    assert strength.defence_strength(division("A", ap=True, half=half)) == found


@pytest.mark.rule("10.6.1", "3.4.1")
@pytest.mark.parametrize(
    ("across", "found"),
    [({"open"}, 15), ({"minor-river"}, 15), ({"major-river"}, Fraction(15, 2)), ({"grand-river"}, Fraction(15, 2))],
)
def test_great_rivers_halve_an_attacker(across: set[str], found: Fraction) -> None:
    assert strength.attack_strength(division("A", ap=True), across) == found


@pytest.mark.rule("10.6.1", "10.1.3a", "4.5c")
@pytest.mark.parametrize("river", ["major-river", "grand-river"])
def test_the_report_tells_each_strength_and_its_artillery_apart(river: str) -> None:
    result = battle(barrier=f"{river}\n41.19|40.20 bridge", attacker_ap=("3",), defender_ap=("1",)).result
    attacker, defender = result.attacker.units[0], result.defender.units[0]
    assert (attacker.base, attacker.artillery, attacker.strength, attacker.halved) == (
        5,
        Fraction(5, 2),
        Fraction(15, 2),
        True,
    )
    assert (defender.base, defender.artillery, defender.strength, defender.halved) == (16, 7, 23, False)
    assert (result.attacker.total, result.defender.total) == (15, 23)


@pytest.mark.rule("10.1.3a", "4.5c", "10.6.1")
def test_a_fortress_unit_has_no_artillery_apart_in_the_report() -> None:
    text = "turn=1\n40.20: 25/3 (10-8-5-10)\n41.19 clear: german fort - F fssm=2 steps=3\n41.19|40.20 open"
    (unit,) = answered(typed(text), "battle", at="41.19", attacker_ap=("none",)).result.defender.units
    assert (unit.base, unit.artillery, unit.strength, unit.halved) == (6, 0, 6, False)


@pytest.mark.rule("10.6.1", "10.1.3a", "4.5c")
def test_the_report_tells_whom_a_half_marker_halves() -> None:
    (unit,) = battle("1/1 half").result.defender.units
    assert (unit.strength, unit.halved) == (8, True)


# --- odds -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.7", "4.4.1")
@pytest.mark.parametrize(
    ("attack", "defence", "odds"),
    [(0, 3, "1:4"), (1, 3, "1:3"), (3, 0, "6:1"), (3, 1, "3:1"), (1, 1, "1:1"), (0, 0, "6:1")],
)
def test_where_there_is_a_ratio_it_is_taken_and_else_an_end_of_the_chart(attack: int, defence: int, odds: str) -> None:
    assert str(strength.initial_odds(attack, defence)) == odds


@pytest.mark.rule("10.7")
@pytest.mark.parametrize(
    ("attack", "defence", "net", "odds"), [(2, 1, 2, "4:1"), (1, 1, 2, "3:1"), (0, 3, 0, "1:4"), (3, 0, 0, "6:1")]
)
def test_nothing_shifts_where_there_is_no_ratio(attack: int, defence: int, net: int, odds: str) -> None:
    found = final_odds(attack, defence, strength.shift_for_flank(True))
    assert (found[0], str(found[1])) == (net, odds)


# --- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.4.1a")
def test_corps_of_one_number_are_told_apart_by_nation_and_independents_by_hex() -> None:
    russian, german = division("A", corps="1"), division("B", corps="1", nation="german")
    lone, other = division("C"), division("D", nation="german")
    assert strength.command_of(russian, [russian, german]) == "russian 1"
    assert strength.command_of(russian, [russian, german._replace(corps="2")]) == "1"
    assert strength.command_of(lone, [lone, other]) == "40.20"


# --- shifts -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.8d", "13.3.1b")
@pytest.mark.parametrize(
    ("level", "more", "amounts"),
    [
        pytest.param(2, {"ap": True}, [-2, 1], id="heavy artillery with an AP"),
        pytest.param(2, {}, [-2], id="no AP"),
        pytest.param(2, {"ap": True, "artillery": 0}, [-2], id="no artillery left"),
        pytest.param(2, {"ap": True, "half": True}, [-2], id="silent under a 1/2 marker"),
        pytest.param(2, {"ap": True, "classes": frozenset({"field"})}, [-2], id="of another kind"),
        pytest.param(3, {"ap": True, "classes": frozenset({"heavy", "high-trajectory"})}, [-3, 2], id="of both kinds"),
        pytest.param(1, {"ap": True, "classes": frozenset({"heavy", "high-trajectory"})}, [-1, 1], id="Level 1"),
        pytest.param(0, {"ap": True}, [], id="no position"),
    ],
)
def test_what_negates_an_improved_position(level: int, more: dict[str, Any], amounts: list[int]) -> None:
    attackers = [division("A", **{"classes": frozenset({"heavy"}), **more})]
    assert [shift.amount for shift in strength.shift_for_position(level, attackers)] == amounts


SHIFTS = {"clear": 0, "rough": -1, "minor-river": -1, "grand-river": -2, "road": 0}


@pytest.mark.rule("10.8a")
@pytest.mark.parametrize(
    ("terrain", "crossed", "reading", "told"),
    [
        pytest.param("clear", [], "all", [], id="nothing crossed"),
        pytest.param("clear", [], "any", [], id="nothing crossed, any"),
        pytest.param("clear", [{"road"}], "all", [], id="nothing that shifts"),
        pytest.param("clear", [{"road"}], "any", [], id="nothing that shifts, any"),
        pytest.param("rough", [{"road"}], "all", [("rough terrain", -1)], id="terrain alone"),
        pytest.param(
            "clear",
            [{"minor-river", "grand-river", "road"}],
            "all",
            [("across grand-river and minor-river", -2)],
            id="the worst",
        ),
        pytest.param("clear", [{"minor-river"}, {"road"}], "all", [], id="not all cross"),
        pytest.param("clear", [{"minor-river"}, {"road"}], "any", [("across minor-river", -1)], id="any crosses"),
        pytest.param(
            "clear", [{"minor-river"}, {"unknown"}], "any", [("across minor-river", -1)], id="not in the chart"
        ),
    ],
)
def test_what_the_ground_shifts(
    terrain: str, crossed: list[set[str]], reading: str, told: list[tuple[str, int]]
) -> None:
    found = strength.shift_for_terrain(terrain, crossed, SHIFTS, reading)
    assert [(shift.why, shift.amount) for shift in found] == told


# --- who takes part ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.1.4c")
@pytest.mark.parametrize(
    ("guns", "other", "idle"),
    [
        pytest.param(GUNS, division("A"), False, id="with infantry and an AP"),
        pytest.param(GUNS, division("A", arm="cavalry"), False, id="with cavalry"),
        pytest.param(GUNS._replace(ap=False), division("A"), True, id="without an AP"),
        pytest.param(GUNS._replace(displaced=True), division("A"), True, id="Displaced"),
        pytest.param(GUNS, division("A", place="40.19"), True, id="its division in another hex"),
        pytest.param(GUNS, GUNS._replace(id="9 h"), True, id="with other artillery alone"),
        pytest.param(division("B"), GUNS, False, id="a division is never idle"),
    ],
)
def test_which_artillery_stands_idle(guns: CombatUnit, other: CombatUnit, idle: bool) -> None:
    assert allocation.stands_idle(guns, [guns, other]) is idle


@pytest.mark.rule("4.2.2")
@pytest.mark.parametrize(
    ("stack", "more"),
    [
        ([division("A"), division("B")], False),
        ([division("A"), division("B"), division("C", size="X")], True),
        ([division("A"), GUNS], False),
        ([division("A"), GUNS, GUNS._replace(id="9 h")], True),
    ],
)
def test_two_divisions_and_one_artillery_unit_fight_from_a_hex(stack: list[CombatUnit], more: bool) -> None:
    assert legality.too_many(stack) is more


# --- who fights, and who is flanked -----------------------------------------------------------------------------------

AROUND = ("40.19", "40.20", "41.20", "42.20", "42.19", "41.18")


def german(name: str = "D", **more: Any) -> CombatUnit:
    return division(name, "41.19", nation="german")._replace(**more)


def engaged(attackers: list[CombatUnit], defenders: list[CombatUnit], **more: Any) -> Engagement:
    """A combat at 41.19 in the open, on GT 1."""
    given = {"turn": 1, "terrain": "clear", "crossed": {}, "position": 0, "positions": {}, **more}
    return Engagement("41.19", tuple(attackers), tuple(defenders), **given)


def ring(occupied: int, **reach: tuple[str, ...]) -> Ring:
    """Enemies in so many of the hexes around; reach: those in the zone of the attackers in 40.19 and 40.20."""
    zones = {place: frozenset(reach.get(name, ())) for place, name in (("40.19", "first"), ("40.20", "second"))}
    return Ring(tuple((place, frozenset()) for place in AROUND), frozenset(AROUND[:occupied]), zones)


PAIR = [division("A", "40.19"), division("B", "40.20")]


@pytest.mark.rule("10.4.1")
@pytest.mark.parametrize(
    ("attackers", "ring", "found"),
    [
        pytest.param(PAIR, ring(4), (4, False), id="four are too few"),
        pytest.param(PAIR, ring(5), (5, True), id="five flank it"),
        pytest.param(PAIR, ring(2, first=AROUND[1:5]), (5, True), id="zones count"),
        pytest.param([PAIR[0], GUNS], ring(2, second=AROUND[1:5]), (2, False), id="not those of artillery"),
        pytest.param(
            [PAIR[0], PAIR[1]._replace(arm="cavalry")], ring(2, second=AROUND[1:5]), (5, True), id="cavalry's"
        ),
    ],
)
def test_a_defender_is_flanked_with_five_hexes_around_in_enemy_hands(
    attackers: list[CombatUnit], ring: Ring, found: tuple[int, bool]
) -> None:
    around = surrounded(engaged(attackers, [german()], ring=ring))
    assert (around.held_around, around.flanked) == found


@pytest.mark.rule("10.4.1")
@pytest.mark.parametrize(("occupied", "said", "flanked"), [(0, True, True), (6, False, False), (6, None, True)])
def test_what_players_say_of_flanks_goes_before_what_the_position_shows(
    occupied: int, said: bool | None, flanked: bool
) -> None:
    assert surrounded(engaged(PAIR, [german()], ring=ring(occupied), said_flanked=said)).flanked is flanked


@pytest.mark.rule("10.4.2")
@pytest.mark.parametrize(
    ("attackers", "withheld", "ring", "flanked"),
    [
        pytest.param(PAIR, [], ring(2, first=AROUND[2:3]), True, id="three hexes are enough"),
        pytest.param(PAIR, [], ring(2), False, id="two are not"),
        pytest.param(PAIR, [german("W")], ring(2, first=AROUND[2:3]), False, id="a formation that is withheld helps"),
        pytest.param(
            [PAIR[0], PAIR[1]._replace(formation=False, size="III")],
            [],
            ring(2, second=AROUND[2:3]),
            False,
            id="formations alone count",
        ),
        pytest.param(PAIR, [], ring(4), False, id="who does not attack does not"),
    ],
)
def test_asset_units_alone_are_flanked_by_formations_in_three_hexes(
    attackers: list[CombatUnit], withheld: list[CombatUnit], ring: Ring, flanked: bool
) -> None:
    defenders = [german("a", formation=False, size="III")]
    assert surrounded(engaged(attackers, defenders, ring=ring, withheld=tuple(withheld))).flanked is flanked


@pytest.mark.rule("10.4.5")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
def test_a_hex_with_a_fortress_unit_is_never_flanked(arm: str) -> None:
    for defenders in ([fort(arm)], [german(), fort(arm)]):
        around = surrounded(engaged(PAIR, defenders, ring=ring(6)))
        assert (around.held_around, around.flanked) == (0, False)
        with pytest.raises(InputError, match="a hex with a fortress unit cannot be flank attacked"):
            surrounded(engaged(PAIR, defenders, ring=ring(6), said_flanked=True))


@pytest.mark.rule("10.1.5d", "10.3")
@pytest.mark.parametrize(
    ("attacker", "left_out", "is_bound"),
    [
        pytest.param({}, {"prepared": "41.19"}, True, id="its marker binds it"),
        pytest.param({}, {"prepared": "42.20"}, False, id="one on another hex does not"),
        pytest.param(
            {"army": "2", "prepared": "41.19"}, {"army": "1", "prepared": "41.19"}, False, id="another army has it"
        ),
        pytest.param({"army": "2"}, {"army": "1", "prepared": "41.19"}, True, id="but not for that"),
        pytest.param({"prepared": "41.19"}, {"army": "1", "prepared": "41.19"}, True, id="nor one not stated"),
        pytest.param({"army": "2", "prepared": "41.19"}, {"prepared": "41.19"}, True, id="nor where its own is not"),
    ],
)
def test_whom_a_prepared_attack_marker_binds(
    attacker: dict[str, Any], left_out: dict[str, Any], is_bound: bool
) -> None:
    out = division("B", "40.19", **left_out)
    assert bool(list(legality.bound(engaged([division("A", **attacker)], [german()], left_out=(out,))))) is is_bound


@pytest.mark.rule("10.1.3b", "10.1.2c", "10.1.5b")
@pytest.mark.parametrize(
    ("stack", "withheld", "reading", "allowed"),
    [
        pytest.param({"D": {}}, "", "stack", True, id="nobody"),
        pytest.param({"D": {}, "C": {}}, "C", "stack", True, id="one below"),
        pytest.param({"C": {}, "D": {}}, "C", "stack", False, id="the top one"),
        pytest.param({"R": {"retreated": True}, "D": {}}, "R", "stack", True, id="the top one after its retreat"),
        pytest.param({"R": {"retreated": True}, "C": {}, "D": {}}, "RC", "stack", False, id="and not the next one"),
        pytest.param(
            {"R": {"retreated": True, "levels": 4}, "D": {"levels": 4}}, "R", "stack", True, id="be all Demoralized"
        ),
        pytest.param({"D": {"levels": 4}, "C": {"levels": 4}}, "C", "stack", False, id="else not then"),
        pytest.param(
            {"R": {"retreated": True}, "H": {"arm": "cavalry"}, "K": {"arm": "cavalry"}},
            "RH",
            "stack",
            False,
            id="no choice",
        ),
        pytest.param({"D": {}, "C": {}}, "C", "defending", True, id="a sound one defends"),
        pytest.param({"D": {"levels": 4}, "C": {}}, "C", "defending", False, id="the only sound one"),
    ],
)
def test_which_defenders_may_be_withheld(
    stack: dict[str, dict[str, Any]], withheld: str, reading: str, allowed: bool
) -> None:
    units = {name: german(name, **more) for name, more in stack.items()}
    fight = engaged(
        [division("A")],
        [unit for name, unit in units.items() if name not in withheld],
        withheld=tuple(units[name] for name in withheld),
        stack=tuple(units),
        readings=Readings(sound_formation=reading),
    )
    assert (not legality.withholding(fight)) is allowed


@pytest.mark.rule("10.1.2d", "10.1.2e")
def test_ground_over_which_nobody_moves_bars_attacks() -> None:
    fight = engaged(PAIR, [german()], unbridged=("40.19",), prohibited=("40.20",))
    assert [step.rule for step in legality.barred_ground(fight)] == ["10.1.2", "10.1.2"]
    assert not list(legality.barred_ground(engaged(PAIR, [german()])))
