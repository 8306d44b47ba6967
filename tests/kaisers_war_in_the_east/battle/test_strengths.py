"""Strengths and the column: bonuses of the attack, and what doubles a defence (14.3 to 14.11, 19, 20, 21.3)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.util.errors import InputError

from ..examples import DRY, DUEL, ask, reasons

pytestmark = pytest.mark.rule("14.3/1", "14.11/2", "14.8/3")
"""Every combat here is declared in full, with what covers and what lies around the defender."""

CENTRE = "turn=1\n2620 clear: Rus-2 (10-12-4)\n"
ALL_OPEN = "".join(f"2620 | {hex} open\n" for hex in ("2619", "2720", "2721", "2621", "2521", "2520"))
TRIANGLE = "2619: Ger-8 (5-5-4)\n2721: Ger-9 (6-6-4)\n2521: Ger-10 (7-7-4)\n"


def combat(position: str, **parameters: Any) -> Any:
    """The combat in 2620."""
    return ask(position, "battle", at="2620", **parameters).result.combat


@pytest.mark.rule("14.3/1", "14.3/2", "14.3/3", "14.3/4", "14.3/5", "14.5", "14.7", "15.3")
def test_units_of_a_hex_add_up_and_those_that_retreated_into_it() -> None:
    found = combat(DUEL.replace("Rus-2 (10-12-4)", "Rus-2 (10-12-4), Rus-inf-1 (4-5-3)"))
    assert (found.attack, found.defence, found.percent, found.column) == (16, 17, 94, "50-99")
    assert [one.strength for one in found.defenders] == [12, 5]


@pytest.mark.rule("14.3/4", "14.13")
@pytest.mark.parametrize(
    ("attack", "percent", "column"),
    [
        (20, 166, "150-199"),
        (10, 83, "50-99"),
        (5, 41, "<=49"),
        (6, 50, "50-99"),
        (12, 100, "100-149"),
        (72, 600, ">=600"),
    ],
)
def test_a_percentage_finds_its_column(attack: int, percent: int, column: str) -> None:
    # The first two are the rulebook's examples; it prints the first as 20/13 = 153, which stands in the same column.
    units = [f"AH-4 ({min(attack, 40)}-1-1)", *([f"AH-3 ({attack - 40}-1-1)"] if attack > 40 else [])]
    found = combat(f"turn=1\n2620 clear: Rus-2 (9-12-4)\n2621: {', '.join(units)}\n" + DRY)
    assert (found.percent, found.column) == (percent, column)


@pytest.mark.rule("14.13", "14.3/1", "14.3/4")
def test_players_may_agree_to_count_a_fraction_as_a_whole_percent() -> None:
    position = "turn=1\n2620 clear: Rus-2 (9-37-4)\n2621: AH-4 (37-1-1), AH-3 (18-1-1)\n" + DRY
    assert (combat(position).percent, combat(position).column) == (148, "100-149")
    short = position.replace("(18-1-1)", "(18-1-1), AH-inf-1 (39-1-1)").replace("(9-37-4)", "(9-40-4), Rus-3 (9-23-4)")
    assert (combat(short).percent, combat(short).column) == (149, "100-149")  # 94 against 63 is 149.2
    up = combat("ruling percent-rounding=up\n" + short)
    assert (up.percent, up.column) == (150, "150-199")
    decided = ask(DUEL.replace("(12-12-4)", "(16-12-4)"), "battle", at="2620")  # 20 against 12
    assert "percent-rounding" not in str(decided)


@pytest.mark.rule("14.8/1", "14.8/HQ-supply", "19.0", "19.1", "19.4", "21.3")
def test_a_headquarters_adds_its_strength_and_supply_doubles_it_but_not_on_clear_ground() -> None:
    led = DUEL + "2622: AH-1 (1-1-1)\n2623: austro-hungarian headquarters XXXXX B (5-1-2) radius=2\n"
    assert combat(led, hq="B").attack == 21
    supplied = led + "2722 clear: CP-supply-1 radius=3\n"
    found = combat(supplied, hq="B", supply=["CP-supply-1"])
    assert [one.supplied for one in found.support] == ["CP-supply-1"]
    assert found.attack == 2 * 21
    found = combat(RIDGE.replace("2620 rough", "2620 clear") + ALL_OPEN, hq="B", supply=HEADQUARTERS_ALONE)
    attacking = {one.unit.id: (one.multiple, one.alpine) for one in (*found.attackers, *found.support)}
    assert attacking == {"AK": (2, False), "Ger-9": (2, False), "B": (3, False)}


RIDGE = """turn=1
chart terrain-defence summer rough = 2
2620 rough: Rus-2 (10-12-4)
2619: german alpine XXX AK (5-3-4)
2621: Ger-9 (6-6-4)
2623: german headquarters XXXXX B (5-1-2) radius=2
2624: CP-supply-1 radius=1
2622: CP-supply-2 radius=1
2618: CP-supply-3 radius=1
"""
"""A concentric attack into a rough hex: the first supply unit reaches the Headquarters alone, the second that too and Ger-9."""
HEADQUARTERS_ALONE, EVERYBODY = ["CP-supply-1"], ["CP-supply-2", "CP-supply-3"]


@pytest.mark.rule("19.4", "14.8/1", "14.8/HQ-supply", "14.9", "17.13", "21.3")
@pytest.mark.parametrize(
    ("supply", "changes", "agreed", "alpine", "infantry", "headquarters"),
    [
        ([], {}, "", 3, 2, 2),
        ([], {}, "ruling bonuses=all", 3, 2, 2),
        (HEADQUARTERS_ALONE, {}, "", 3, 2, 3),
        (HEADQUARTERS_ALONE, {}, "ruling bonuses=all", 3, 3, 3),
        (HEADQUARTERS_ALONE, {"withhold": ["AK"]}, "ruling bonuses=all", None, 1, 2),
        (EVERYBODY, {}, "", 3, 3, 3),
    ],
)
def test_a_headquarters_is_supplied_and_gains_as_the_units_that_attack(
    supply: list[str], changes: dict[str, Any], agreed: str, alpine: int | None, infantry: int | None, headquarters: int
) -> None:
    report = ask(f"{agreed}\n{RIDGE}{ALL_OPEN}", "battle", at="2620", hq="B", supply=supply, **changes)
    found = report.result.combat
    attacking = {one.unit.id: (one.multiple, one.alpine) for one in (*found.attackers, *found.support)}
    expected = {"AK": (alpine, True), "Ger-9": (infantry, False), "B": (headquarters, False)}
    assert attacking == {name: gained for name, gained in expected.items() if gained[0]}
    assert ("bonuses" in str(report)) == (supply == HEADQUARTERS_ALONE and not changes)


@pytest.mark.rule("17.13", "14.8/2", "17.9/2", "14.3/2")
def test_units_with_and_without_supply_attack_together() -> None:
    position = DUEL + "2520: AH-3 (9-9-4)\n2620 | 2520 open\n2622: CP-supply-1 radius=1\n"
    found = combat(position, supply=["CP-supply-1"])
    assert {one.unit.id: one.multiple for one in found.attackers} == {"AH-3": 1, "AH-4": 2, "AH-inf-1": 2}
    assert found.attack == 9 + 2 * 16


@pytest.mark.rule("14.8/3", "13.2", "14.8/3-edge")
def test_units_that_attack_from_all_sides_attack_concentrically_but_for_fortresses_and_the_sea() -> None:
    found = combat(CENTRE + ALL_OPEN + TRIANGLE)
    assert (found.concentric, found.covered, found.attack) == (True, 6, 36)
    found = combat(CENTRE + ALL_OPEN + TRIANGLE, withhold=["Ger-10"])
    assert (found.concentric, found.covered, found.attack) == (False, 5, 11)
    beside = CENTRE + ALL_OPEN + TRIANGLE + "2720: russian fortress - Warsaw (?-4-?)\n"
    assert not combat(beside).concentric
    lone = CENTRE + ALL_OPEN + "2619 all-sea\n2721: Ger-9 (6-6-4)\n2521: Ger-10 (7-7-4)\n"
    assert combat(lone).covered == 5
    assert not combat(lone).concentric
    assert combat("ruling concentric-edge=free\n" + lone).concentric
    near = CENTRE + ALL_OPEN + TRIANGLE + "2720 all-sea\n2619 | 2720 all-sea\n2720 | 2721 all-sea\n"
    assert combat(near).concentric


@pytest.mark.rule("14.8/3-fort", "19.5", "20.0", "20.2", "14.5", "14.7", "14.3/1")
def test_a_fortress_is_attacked_concentrically_only_with_siege_guns() -> None:
    fort = CENTRE.replace("Rus-2 (10-12-4)", "russian fortress - Warsaw (?-6-?)") + ALL_OPEN + TRIANGLE
    fort += "2723: Ober-Ost (4-1-2) radius=2\n"
    assert combat(fort).attack == 18
    assert combat(fort, hq="Ober-Ost").attack == 2 * (18 + 4)
    mixed = CENTRE.replace("Rus-2 (10-12-4)", "Rus-2 (10-12-4), russian fortress - Warsaw (?-6-?)")
    assert not combat(mixed + ALL_OPEN + TRIANGLE).concentric
    air = "options=air-units\n" + fort + "2723: german airbase - KFO (3-1-2) radius=4\n"
    assert combat(air, airbase="KFO").attack == 18 + 3


@pytest.mark.rule("14.9", "CRT/modifiers", "17.13", "14.8/HQ-supply")
def test_supply_and_a_concentric_attack_triple_by_ruling_for_all() -> None:
    position = CENTRE + ALL_OPEN + TRIANGLE + "2722: CP-supply-1 radius=1\n"
    found = combat(position, supply=["CP-supply-1"])
    assert {one.unit.id: one.multiple for one in found.attackers} == {"Ger-8": 2, "Ger-9": 3, "Ger-10": 2}
    assert found.attack == 10 + 18 + 14
    assert combat("ruling bonuses=all\n" + position, supply=["CP-supply-1"]).attack == 3 * 18
    agreed, supplied = "ruling bonuses=all\n", "2622: CP-supply-1 radius=1\n"
    plain, concentric = around("2621", "2521"), around("2619", "2621")
    assert combat(agreed + concentric).attack == 20
    assert combat(agreed + plain + supplied, supply=["CP-supply-1"]).attack == 15
    both = concentric + supplied + "2618: CP-supply-2 radius=1\n"
    assert "bonuses" not in str(ask(both, "battle", at="2620", supply=["CP-supply-1", "CP-supply-2"]))


@pytest.mark.rule("21.3", "14.8/1")
def test_alpine_units_alone_double_against_rough() -> None:
    chart = "chart terrain-defence summer rough = 2\n"
    position = chart + "turn=1\n2620 rough: Rus-2 (10-12-4)\n2621: german alpine XXX AK (5-3-4)\n" + DRY
    found = combat(position)
    assert (found.attack, found.defence, found.terrain) == (10, 24, "rough")
    assert combat(position + "2622: CP-supply-1 radius=1\n", supply=["CP-supply-1"]).attack == 15
    assert combat(position.replace("2620 rough", "2620 clear")).attack == 5
    found = combat(position.replace("2621: german alpine XXX AK", "2621: AH-4 (9-9-4), austro-hungarian alpine XXX AK"))
    assert {one.unit.id: (one.alpine, one.multiple) for one in found.attackers} == {"AK": (True, 2), "AH-4": (False, 1)}


@pytest.mark.rule("14.11/1")
def test_terrain_and_a_city_double_once_by_the_chart() -> None:
    chart = "chart terrain-defence summer city = 2\nchart terrain-defence summer mountain = 2\n"
    assert combat(chart + DUEL + "2620 city\n").terrain == "city"
    both = combat(chart + DUEL.replace("clear", "mountain") + "2620 city\n")
    assert (both.terrain, both.defence) == ("mountain", 24)
    chart = "chart terrain-defence summer city = 1\n"
    assert combat(chart + DUEL + "2620 city\n").terrain == ""
    assert combat(DUEL.replace("2620 clear:", "2620 all-sea:")).terrain == ""
    unknown = ask(DUEL.replace("2620 clear:", "2620:"), "battle", at="2620")
    assert [one.key for one in unknown.asks] == [("terrain", "2620")]
    assert "city" not in str(unknown)


@pytest.mark.rule("14.11/1", "22.2")
def test_a_thaw_is_winter_in_russia_alone() -> None:
    chart = (
        "chart turn-record 6 = thaw\nchart terrain-defence winter forest = 2\nchart terrain-defence summer forest = 1\n"
    )
    position = chart + DUEL.replace("clear", "forest").replace("turn=1", "turn=6")
    assert combat(position + "2620 country=russia\n").defence == 24
    assert combat(position + "2620 country=germany\n").defence == 12


@pytest.mark.rule("14.11/2", "14.3/3", "22.1/3")
def test_water_doubles_if_all_attackers_cross_it_and_nothing_else_doubles() -> None:
    river = DUEL.replace(DRY, "2620 | 2621 river\n")
    assert (combat(river).across_water, combat(river).defence) == (True, 24)
    hill = "chart terrain-defence summer mountain = 2\n" + river.replace("clear", "mountain")
    assert (combat(hill).across_water, combat(hill).defence) == (False, 24)
    river = DUEL.replace(DRY, "2620 | 2621 lake\n").replace("turn=1", "turn=4")
    assert combat("chart turn-record 4 = winter\n" + river).defence == 12
    assert combat(DUEL + "2520: AH-3 (9-9-4)\n").defence == 12
    report = ask(DUEL.replace(DRY, ""), "battle", at="2620")
    assert [one.name for one in report.asks] == ["2620|2621 open|river|lake|all-sea|impassable"]
    assert combat(DUEL.replace(DRY, "2620 | 2621 river impassable\n")).defence == 24
    position = DUEL.replace(DRY, "2620 | 2621 river\n") + "2520: AH-3 (9-9-4)\n2620 | 2520 lake\n"
    assert combat("chart terrain-defence summer lake = 1\n" + position).defence == 12
    assert combat("chart terrain-defence summer river = 1\n" + position).defence == 12


@pytest.mark.rule("14.11/1")
def test_facts_that_do_not_matter_are_not_asked_for_and_who_attacks_nobody_is_refused() -> None:
    bare = "2620 clear: Rus-2 (?-12-4)\n2621: AH-4 (12-?-4)\n" + DRY
    assert ask(bare, "battle", at="2620").verdict.kind == "figure"
    with pytest.raises(InputError, match="nothing defends 2520"):
        ask(DUEL, "battle", at="2520")
    with pytest.raises(InputError, match="nothing attacks 2620"):
        ask("turn=1\n2620 clear: Rus-2 (10-12-4)\n2621: CP-supply-1 radius=1\n", "battle", at="2620")


def test_what_would_help_is_told() -> None:
    report = ask(DUEL + "2622: CP-supply-1 radius=1\n2723: CP-supply-2 radius=1\n", "battle", at="2620")
    assert [(one.unit, one.attack, one.column) for one in report.result.helps] == [("CP-supply-1", 32, "200-299")]
    assert report.result.near.column == "150-199"
    assert report.result.near.more == 2
    assert report.result.without == {"AH-4": "<=49", "AH-inf-1": "100-149"}


@pytest.mark.rule("21.7", "Opt/Air/1", "Opt/Air/2", "Opt/Air/3")
def test_an_airbase_adds_its_strength_by_the_optional_rule() -> None:
    air = DUEL + "2622: german airbase - KFO (3-1-2) radius=2\n2623: CP-supply-1 radius=1\n"
    assert "optional rule" in reasons(ask(air, "battle", at="2620", airbase="KFO"))
    air = "options=air-units\n" + air
    assert combat(air, airbase="KFO").attack == 19
    assert combat(air, airbase="KFO", supply=["CP-supply-1"]).support[0].multiple == 2
    far = air.replace("radius=2", "radius=1")
    assert "not within the range of KFO" in reasons(ask(far, "battle", at="2620", airbase="KFO"))
    used = air.replace("(3-1-2)", "(3-1-2) fought")
    assert "has already supported an attack" in reasons(ask(used, "battle", at="2620", airbase="KFO"))


@pytest.mark.rule("21.7", "Opt/Entrench/1", "Opt/Entrench/2", "CRT/modifiers")
def test_an_entrenched_supply_unit_raises_the_defence_of_infantry_and_shock_troops() -> None:
    dug = DUEL + "2619: Allied-supply-1 radius=1 entrenched\n"
    assert "optional rule" in reasons(ask(dug, "battle", at="2620", entrench="Allied-supply-1"))
    dug = "options=entrenching\n" + dug
    assert combat(dug, entrench="Allied-supply-1").defence == 24
    river = dug.replace(DRY, "2620 | 2621 river\n")
    assert combat(river, entrench="Allied-supply-1").defence == 36
    cavalry = dug.replace("Rus-2 (10-12-4)", "Rus-cav-1 (2-3-5)")
    assert combat(cavalry, entrench="Allied-supply-1").defence == 3
    idle = dug.replace(" entrenched", "")
    assert "not turned over" in reasons(ask(idle, "battle", at="2620", entrench="Allied-supply-1"))
    far = dug.replace("2619:", "2617:")
    assert "does not reach 2620" in reasons(ask(far, "battle", at="2620", entrench="Allied-supply-1"))
    dug = "options=entrenching\n" + DUEL + "2618: Allied-supply-1 radius=2 entrenched\n"
    shock = dug.replace("Rus-2 (10-12-4)", "russian shock XXX Guard (5-6-4), Rus-cav-1 (2-3-5)")
    found = combat(shock, entrench="Allied-supply-1")
    assert [one.strength for one in found.defenders] == [12, 3]
    assert "2619 assumed to be neither marsh" in str(ask(dug, "battle", at="2620", entrench="Allied-supply-1")).replace(
        "2619, 2620", "2619"
    )


@pytest.mark.rule("14.11/2", "22.1/3")
@pytest.mark.parametrize(
    ("one", "other", "defence"),
    [
        ("river", "lake", 24),
        ("lake", "lake", 24),
        ("river", "open", 12),
        ("open", "river", 12),
        ("all-sea", "river", 12),
    ],
)
def test_each_attacker_has_to_cross_water(one: str, other: str, defence: int) -> None:
    position = DUEL.replace(DRY, f"2620 | 2621 {one}\n") + f"2520: AH-3 (9-9-4)\n2620 | 2520 {other}\n"
    assert combat(position).defence == defence


@pytest.mark.rule("14.8/3")
def test_what_a_concentric_attack_takes_for_granted_is_said() -> None:
    bare = ask(CENTRE + ALL_OPEN + TRIANGLE.replace("(5-5-4)", "(5-?-?)"), "battle", at="2620")
    assert bare.result.combat.concentric
    assert "assumed not to be all-sea" in str(bare)
    assert "Ger-8 assumed to have a zone of control" in str(bare)
    lone = ask(DUEL, "battle", at="2620")
    assert "all-sea" not in str(lone)


def around(*covering: str) -> str:
    """An attack on 2620 out of some hexes, a German army in each."""
    return CENTRE + ALL_OPEN + "".join(f"{hex}: Ger-{number} (5-5-4)\n" for number, hex in enumerate(covering, 8))


@pytest.mark.rule("14.8/3", "14.8/3-edge")
def test_zones_cover_all_six_hexes_but_not_those_of_units_that_cannot_move() -> None:
    report = ask(around("2619", "2621"), "battle", at="2620")
    assert report.result.combat.covered == 6
    assert "hq-zones" not in str(report)
    assert "concentric-edge" not in str(report)
    still = around("2619", "2621").replace("Ger-8 (5-5-4)", "Ger-8 (5-5-0)")
    assert combat(still).covered == 4
    assert combat("ruling hq-zones=yes\n" + still).covered == 6
    assert "ruling hq-zones=no" in str(ask(still, "battle", at="2620"))


@pytest.mark.rule("Opt/Entrench/1")
@pytest.mark.parametrize(("supply", "strength"), [("(?-4-3) entrenched", 1), ("(?-?-3) entrenched", 1), ("(?-4-3)", 4)])
def test_a_supply_unit_that_is_turned_over_defends_with_one(supply: str, strength: int) -> None:
    position = DUEL.replace("Rus-2 (10-12-4)", f"Rus-2 (10-12-4), Allied-supply-1 {supply}")
    assert combat("options=entrenching\n" + position).defence == 12 + strength


@pytest.mark.rule("Opt/Artillery", "20.1", "20.2", "14.8/3-fort")
def test_by_an_option_russian_fortresses_prevent_no_concentric_attack_and_keep_no_zones_out() -> None:
    option = "options=modern-artillery\n"
    fort = CENTRE.replace("Rus-2 (10-12-4)", "russian fortress - Warsaw (?-6-?)") + ALL_OPEN + TRIANGLE
    assert [combat(text + fort).attack for text in ("", option)] == [18, 36]
    beside = CENTRE + ALL_OPEN + TRIANGLE + "2720: russian fortress - Warsaw (?-4-?)\n"
    assert [combat(text + beside).covered for text in ("", option)] == [5, 6]
    attackers = "2619: Rus-2 (5-5-4)\n2721: Rus-3 (6-6-4)\n2521: Rus-4 (7-7-4)\n"
    german = "turn=1\n2620 clear: german fortress - Posen (?-6-?)\n" + ALL_OPEN + attackers
    assert combat(option + german).attack == 18
