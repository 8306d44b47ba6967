"""Retreats: what bars a hex, what a way costs, hexes that cannot be had, and the way home (11.2)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.mechanics.procedure import AnswerError
from assistant.util.errors import InputError
from twilight_in_the_east.forces.units import CombatUnit, Force, forces
from twilight_in_the_east.retreat.ways import (
    PRIORITIES,
    ForceRetreat,
    RetreatHex,
    Unable,
    apply_charges,
    best_first,
    charges,
    charges_of_withheld,
    hex_passed_over,
    unable_to_retreat,
)
from twilight_in_the_east.retreat.words import options_part
from twilight_in_the_east.terms import BUKOWINA_BOX

from ...conftest import answered, ruled, settings_of, told, typed


def unit(id: str, arm: str = "infantry", size: str = "XX", *, formation: bool = True, **more: Any) -> CombatUnit:
    return CombatUnit(id, "german", arm, size, formation, "41.19", **{"steps": 10, **more})


def force(*units: CombatUnit) -> Force:
    (one,) = forces(units)
    return one


def zones(*entered: bool) -> list[RetreatHex]:
    """A way through hexes of which some are unoccupied hexes in an EZOC."""
    return [RetreatHex(f"4{n}.20", zone=is_zone) for n, is_zone in enumerate(entered)]


def costs_of(lost: ForceRetreat) -> tuple[int, int]:
    return lost.levels, lost.steps


# --- what a way costs -------------------------------------------------------------------------------------------------


@pytest.mark.rule("11.2.5b", "11.2.5c", "11.2.5d")
def test_each_further_unoccupied_hex_in_an_ezoc_costs_more() -> None:
    found = charges(zones(True, False, True, True, True, True))
    assert [(charge.levels, charge.steps, charge.guns) for charge in found] == [
        (1, 0, False),
        (1, 1, True),
        (1, 1, False),
        (0, 1, False),
        (0, 1, False),
    ]


@pytest.mark.rule("11.2.5d")
@pytest.mark.parametrize(("ruling", "levels"), [("one", [1, 1, 1, 0, 0]), ("each", [1, 1, 1, 1, 1])])
def test_how_many_levels_the_third_hex_and_all_further_ones_cost_is_a_ruling(ruling: str, levels: list[int]) -> None:
    assert [charge.levels for charge in charges(zones(*[True] * 5), ruling)] == levels


@pytest.mark.rule("11.2.5c")
def test_the_example_of_11_2_5() -> None:
    """An infantry division with its Asset Unit, a cavalry division and two artillery units, through two EZOCs."""
    asset, guns = unit("asset", size="X", formation=False), unit("guns", "artillery", "-", formation=False, steps=1)
    stack = forces(
        [
            unit("foot"),
            asset,
            unit("horse", "cavalry"),
            guns,
            msgspec.structs.replace(guns, id="more guns", with_="horse"),
        ]
    )
    costs = charges(zones(True, True))
    lost = [apply_charges(one, costs) for one in stack]
    assert [(one.force, one.levels, one.steps, one.guns) for one in lost] == [
        ("foot", 2, 1, ("guns",)),
        ("horse", 2, 1, ("more guns",)),
    ]


@pytest.mark.rule("11.2.5a")
@pytest.mark.parametrize(("hexes", "levels", "steps"), [(1, 1, 0), (2, 1, 2), (3, 1, 4)])
def test_the_example_of_11_2_5a(hexes: int, levels: int, steps: int) -> None:
    """A unit at -3 is Demoralized by the first EZOC; the second and the third cost it two steps each."""
    lost = apply_charges(force(unit("A", levels=3)), charges(zones(*[True] * hexes)))
    assert (lost.levels, lost.steps) == (levels, steps)


@pytest.mark.rule("11.2.5a", "6.4.2")
def test_levels_that_disordered_and_lone_asset_units_lose_are_steps() -> None:
    for one in (unit("A", disorder=1), unit("A", levels=4), unit("A", size="X", formation=False)):
        assert costs_of(apply_charges(force(one), charges(zones(True)))) == (0, 1)


@pytest.mark.rule("11.2.4b", "11.2.4c")
def test_rivers_and_mountains() -> None:
    guns = unit("guns", "artillery", "-", formation=False, steps=1)
    stack = force(unit("A"), guns)
    over_a_river = apply_charges(stack, charges([RetreatHex("40.20", river=True)]))
    assert (over_a_river.levels, over_a_river.steps, over_a_river.guns) == (1, 0, ("guns",))
    over_mountains = apply_charges(stack, charges([RetreatHex("40.20", mountains=True)]))
    assert (over_mountains.levels, over_mountains.steps, over_mountains.guns) == (0, 0, ("guns",))
    stack = force(unit("A"), unit("GAR.8", "artillery", "-", formation=False, steps=1))
    ways = ([RetreatHex("40.20", mountains=True)], [RetreatHex("40.20", river=True, mountains=True)], zones(True, True))
    assert [apply_charges(stack, charges(way)).guns for way in ways] == [(), ("GAR.8",), ("GAR.8",)]


@pytest.mark.rule("11.2.4c")
@pytest.mark.parametrize("gun", ["GAR.3", "GAR.8", "GAR.14"])
def test_three_artillery_units_go_over_mountains(gun: str) -> None:
    guns = [unit(name, "artillery", "-", formation=False, steps=1) for name in (gun, "GAR.4")]
    assert apply_charges(force(unit("A"), *guns), charges([RetreatHex("40.20", mountains=True)])).guns == ("GAR.4",)


@pytest.mark.rule("11.2.5a", "6.4.2")
@pytest.mark.parametrize(("steps", "eliminated"), [(3, False), (2, True), (1, True)])
def test_a_force_without_steps_is_eliminated(steps: int, eliminated: bool) -> None:
    lost = apply_charges(force(unit("A", levels=4, steps=steps)), charges(zones(True, True))[1:])
    assert (lost.steps, lost.eliminated) == (min(2, steps), eliminated)
    assert not apply_charges(force(unit("A", steps=1)), ()).eliminated


@pytest.mark.rule("11.2.4c")
@pytest.mark.parametrize(
    ("here", "there", "side", "lost"),
    [
        ("clear", "mountain", "open", True),
        ("mountain", "clear", "open", True),
        ("clear", "clear", "ridge", True),
        ("clear", "high-mountain", "open", True),
        ("clear", "rough", "open", False),
        ("mountain", "mountain", "ridge road", False),
        ("clear", "mountain", "open rail1", False),
    ],
)
def test_artillery_is_lost_in_mountains_but_along_a_road(here: str, there: str, side: str, lost: bool) -> None:
    text = (
        GROUND.replace("41.19|42.19,", "41.19|")
        .replace("42.19 clear\n", "")
        .format(STACK.replace("41.19 clear", f"41.19 {here}"))
    )
    more = "" if "r" in side.replace("ridge", "").replace("open", "") else " no-road no-rail"
    chart = "\nchart terrain-cost summer high-mountain = 7"
    position = typed(f"{text}42.19 {there}\n41.19|42.19 {side}{more}{chart}")
    report = answered(position, "retreat", at="41.19", hexes=1, way="42.19")
    assert report.result.forces[0].guns == (("G",) if lost else ())


@pytest.mark.rule("11.2.6a", "11.2.6b")
def test_hexes_that_cannot_be_had() -> None:
    one_hex, two = (tuple(zones(*[False] * hexes)) for hexes in (1, 2))
    assert unable_to_retreat(2, (), "crt") == Unable(surrenders=True)
    assert unable_to_retreat(0, (), "crt") == unable_to_retreat(2, two, "crt") == Unable()
    assert not unable_to_retreat(1, (), "check").surrenders
    again = unable_to_retreat(2, (), "crt", before=1)
    assert (again.surrenders, again.costs[0].levels, again.costs[0].steps) == (False, 2, 2)
    (short,) = unable_to_retreat(3, one_hex, "crt").costs
    assert (short.levels, short.steps) == (2, 2)
    assert costs_of(apply_charges(force(unit("A", levels=3)), [short])) == (1, 3)
    assert apply_charges(force(unit("A", steps=4)), unable_to_retreat(4, (), "check").costs).eliminated
    for way in ([RetreatHex(BUKOWINA_BOX)], [RetreatHex("17.114"), RetreatHex(BUKOWINA_BOX)]):
        assert unable_to_retreat(3, way, "crt") == Unable()


# --- the question -----------------------------------------------------------------------------------------------------

GROUND = """turn=1
{}
41.18 clear
42.19 clear
42.18 clear
43.18 clear
41.19|42.19,41.18,42.20 open
42.19|43.18,42.18 open
42.18|43.18 open
"""
STACK = "41.19 clear: german infantry XX A (12-16-7-11), german artillery - G\n40.20: 25/3\n40.19: 29/20\n42.20: 27/3"


def asked(text: str, **more: Any) -> Report[Any]:
    return answered(typed(GROUND.format(text)), "retreat", at="41.19", **{"hexes": 2, **more})


@pytest.mark.parametrize(
    ("guns", "price"),
    [
        ("", ""),
        (", austro-hungarian artillery - GAR.3 (?-?-3-?)", ""),
        (", austro-hungarian artillery - G (?-?-3-?)", "through mountains: costs all artillery"),
        (
            ", austro-hungarian artillery - GAR.3 (?-?-3-?), austro-hungarian artillery - G (?-?-3-?)",
            "through mountains: costs G",
        ),
    ],
)
def test_mountains_cost_only_the_artillery_that_is_lost_there(guns: str, price: str) -> None:
    text = (
        f"41.19 mountain: austro-hungarian infantry XX A (12-16-7-11){guns}\n42.19 clear\n41.19|42.19 no-road no-rail"
    )
    (ask,) = asked(text, hexes=1, cause="check").asks
    assert ask.remarks.get("42.19", "") == price


@pytest.mark.rule("11.2.2a", "11.2.4a", "4.2b")
def test_the_hexes_around_the_open_ones_first_each_other_with_what_bars_it() -> None:
    options = asked(STACK).result.options
    assert [(one.hex, one.rule) for one in options if one.barred] == [
        ("42.20", "4.2"),
        ("40.19", "4.2"),
        ("40.20", "4.2"),
    ]
    assert {one.hex: one.zone for one in options if not one.barred} == {"41.18": True, "41.20": True, "42.19": True}
    assert next(one for one in options if one.hex == "41.20").unsaid == ("terrain of 41.20", "hexside 41.19|41.20")


@pytest.mark.rule("11.2.5", "11.2.5a", "6.4.2")
@pytest.mark.parametrize(
    ("who", "price"),
    [
        ("german infantry XX A (12-16-7-11)", "enemy ZOC: costs 1 level"),
        ("german infantry XX A (12-16-7-11) cel=-4", "enemy ZOC: costs 1 step"),
        ("german infantry III A (1-2-0-8) asset", "enemy ZOC: costs 1 step; eliminates A"),
        (
            "german infantry XX A (12-16-7-11), german cavalry XX B (4-4-1-8) cel=-4",
            "enemy ZOC: costs 1 level for A; enemy ZOC: costs 1 step for B",
        ),
    ],
)
def test_the_hexes_to_choose_from_say_what_they_cost_the_forces_that_enter_them(who: str, price: str) -> None:
    (ask,) = asked(f"41.19 clear: {who}\n40.20: 25/3", hexes=1, cause="check").asks
    assert dict(ask.remarks) == {"40.19": price, "41.20": price}


@pytest.mark.rule("11.2.2")
def test_the_farthest_hex_first_then_the_armys_area_then_control_then_supply() -> None:
    def first(text: str, way: str = "42.19") -> tuple[str, bool | None]:
        option = asked(text, way=way).result.options[0]
        return option.hex, option.in_area

    lone = "41.19 clear: german infantry XX A (12-16-7-11) army=Eighth"
    area = 'army "central-powers Eighth" area="{}"'
    assert first(lone) == ("42.18", None)
    assert first(f"{lone}\n{area.format('43.19')}") == ("43.19", True)
    assert first(f"{lone}\n{area.format('41.19')}") == ("42.18", False)
    assert first(f"{lone}, german infantry III G asset (2-2-0-8)\n{area.format('43.19')}") == ("43.19", True)
    control = "43.19 control=russian\n43.18 control=central-powers"
    assert first(f"{lone}\n{control}") == ("43.18", None)
    assert first(f"{lone}\n{control}\n{area.format('43.19')}") == ("43.19", True)


@pytest.mark.rule("11.2.2")
def test_a_hex_where_friends_stand_is_under_control_whatever_is_recorded() -> None:
    text = "41.19 clear: german infantry XX A (12-16-7-11)\n42.19 control=russian: german infantry XX B (12-16-7-11)\n41.18 control=russian"
    options = {option.hex: option.friendly for option in asked(text).result.options}
    assert (options["42.19"], options["41.18"]) == (True, False)


@pytest.mark.rule("11.2.2")
def test_a_later_retreat_leads_away_from_the_hex_of_the_combat_too() -> None:
    lone = "41.19 clear: german infantry XX A (12-16-7-11)"
    options = asked(lone, hexes=1, cause="check", first="42.19", before=1).result.options
    distances = {option.hex: option.distance for option in options}
    assert (distances["42.19"], distances["41.18"], distances["40.20"]) == (0, 1, 2)
    assert options[0].distance == 2


@pytest.mark.rule("11.2.2")
def test_an_area_that_is_not_stated_is_left_to_the_players() -> None:
    lone = "41.19 clear: german infantry XX A (12-16-7-11) army=Eighth"
    steps = told(asked(lone, way="42.19"))
    assert any(
        text.endswith("no Area of Attachment is stated, so that priority is left to the players") for text in steps
    )
    stated = asked(f'{lone}\narmy "central-powers Eighth" area="43.19"', way="42.19")
    texts = told(stated)
    assert any(text.startswith("43.19: open, 2 hexes from the combat; in the army's area") for text in texts)
    assert not any("left to the players" in text for text in texts)


@pytest.mark.rule("4.3b")
def test_a_hex_that_a_retreat_leaves_stays_with_its_side() -> None:
    def recorded(text: str, **more: Any) -> list[tuple[str, object]]:
        changes = asked(text, hexes=1, way="42.19", **more).changes
        return [(change.subject, change.after) for change in changes if change.track == "control"]

    lone = "41.19 clear: german infantry XX A (12-16-7-11)"
    assert recorded(lone) == [("41.19", "central-powers")]
    assert recorded(lone.replace("41.19 clear", "41.19 clear control=russian")) == [("41.19", "central-powers")]
    assert recorded(lone.replace("41.19 clear", "41.19 clear control=central-powers")) == []
    assert recorded(f"{lone}, german infantry XX B (12-16-7-11)", units="A") == []
    surrounded = "\n".join(
        f"{hex}: russian infantry XX E{n}"
        for n, hex in enumerate(("40.19", "40.20", "41.18", "41.20", "42.19", "42.20"), 2)
    )
    assert not [one for one in asked(f"{lone}\n{surrounded}", hexes=1, cause="check").changes if one.track == "control"]


def test_a_way_with_what_it_costs_and_what_to_do_on_the_map() -> None:
    report = asked(STACK.replace("(12-16-7-11)", "(12-16-7-11) cel=-3"), way="42.19,43.18")
    assert report.verdict.text == (
        "retreats 2 of 2 hexes to 43.18; levels lost: A 1; steps lost: none; artillery lost: none"
    )
    changes = [(change.track, change.subject, change.after) for change in report.changes]
    assert changes == [
        ("place", "A", "43.18"),
        ("cel", "A", -4),
        ("retreated", "A", True),
        ("place", "G", "43.18"),
        ("retreated", "G", True),
        ("control", "41.19", "central-powers"),
        ("control", "42.19", "central-powers"),
    ]


@pytest.mark.rule("11.2.5d")
def test_the_ruling_on_levels_is_named_from_the_fourth_hex_in_an_ezoc_on() -> None:
    """Up the column past three divisions, whose zones all its hexes are in."""
    column = [f"41.{row}" for row in range(19, 14, -1)]
    ground = "".join(f"{hex} clear\n" for hex in column) + "".join(f"{a}|{b} open\n" for a, b in pairwise(column))
    enemies = "".join(f"40.{row}: russian infantry XX E{row}\n" for row in (20, 18, 16))
    text = f"turn=1\n41.19: german infantry XX A (12-16-7-11)\n{ground}{enemies}"

    def past(hexes: int, ruling: str = "") -> tuple[str, int]:
        way = ",".join(column[1 : hexes + 1])
        report = answered(typed(text + ruling), "retreat", at="41.19", hexes=hexes, way=way)
        return ruled(report, "ezoc-levels"), report.result.forces[0].levels

    assert past(3) == ("", 3)
    assert past(4) == ("one", 3)
    assert past(4, "ruling ezoc-levels=each") == ("each", 4)


@pytest.mark.rule("11.2.5c")
@pytest.mark.parametrize(("ruling", "costs"), [("", (1, 1)), ("\nruling ezoc-count=each", (1, 0))])
def test_hexes_in_zones_entered_before_in_the_combat_count(ruling: str, costs: tuple[int, int]) -> None:
    text = (
        "turn=1\n41.19 clear: german infantry XX A (12-16-7-11)\n41.18 clear\n41.18|41.19,40.18 open\n"
        "40.18: russian infantry XX E"
    )
    report = answered(typed(text + ruling), "retreat", at="41.19", hexes=1, way="41.18", cause="check", zones=1)
    (lost,) = report.result.forces
    assert (lost.levels, lost.steps, lost.zones) == (*costs, 1)


@pytest.mark.rule("11.2.5")
def test_a_friend_in_the_hex_takes_the_ezoc_away() -> None:
    text = STACK + "\n42.19: german infantry XX B (12-16-7-11)"
    assert asked(text, way="42.19,43.18").result.forces[0].levels == 0
    assert asked(STACK, way="42.19,43.18").result.forces[0].levels == 1


@pytest.mark.rule("11.2.4a")
@pytest.mark.parametrize(
    ("side", "hex", "why"),
    [
        ("lake", "clear", "the hexside cannot be crossed: lake"),
        ("sea", "clear", "the hexside cannot be crossed: sea"),
        ("impassable", "clear", "the hexside cannot be crossed: impassable"),
        ("open", "sea", "it is a sea hex"),
        ("minor-river", "clear", ""),
        ("open", "wetlands", ""),
    ],
)
def test_what_cannot_be_entered(side: str, hex: str, why: str) -> None:
    text = GROUND.replace("41.19|42.19,", "41.19|").replace("42.19 clear\n", "").format(STACK)
    position = typed(f"{text}42.19 {hex}\n41.19|42.19 {side}")
    report = answered(position, "retreat", at="41.19", hexes=1, way="42.19")
    assert (report.verdict.kind, report.result.way) == (("no", ()) if why else ("figure", ("42.19",)))
    assert report.verdict.text.endswith(f"42.19 cannot be entered: {why}" if why else "artillery lost: none")
    (option,) = [one for one in asked(f"{STACK}\n41.19|41.20 {side}\n41.20 {hex}").result.options if one.hex == "41.20"]
    assert (option.barred, option.rule) == (why, "11.2.4" if why else "")


@pytest.mark.rule("11.2.4b")
def test_a_river_without_a_bridge() -> None:
    text = GROUND.replace("41.19|42.19,", "41.19|").format(STACK) + "41.19|42.19 major-river {}"
    lost = {
        crossing: answered(typed(text.format(crossing)), "retreat", at="41.19", hexes=1, way="42.19")
        .result.forces[0]
        .guns
        for crossing in ("no-crossing", "ferry", "pontoon", "bridge", "road")
    }
    assert lost == {"no-crossing": ("G",), "ferry": ("G",), "pontoon": (), "bridge": (), "road": ()}
    report = answered(typed(text.format("")), "retreat", at="41.19", hexes=1, way="42.19")
    assert [ask.title for ask in report.asks] == ["pontoon bridge or ferry of 41.19|42.19"]


@pytest.mark.rule("11.2.2b", "11.2.6a")
def test_a_hex_that_an_enemy_has_left_is_open_only_if_nothing_else_is() -> None:
    barred = asked(STACK, hexes=1, way="42.19", abandoned="42.19")
    assert barred.verdict.kind == "no"
    surrounded = STACK + "\n41.18: russian infantry XX 28/20\n41.20: russian infantry XX 40/4"
    assert asked(surrounded, hexes=1, way="42.19", abandoned="42.19").verdict.kind == "figure"
    surrounded = STACK + "\n41.18: russian infantry XX 28/20\n41.20: russian infantry XX 40/4"
    report = asked(surrounded, hexes=1, abandoned="42.19")
    assert not report.result.surrenders
    assert [one.hex for one in report.result.options if not one.barred] == ["42.19"]


@pytest.mark.rule("11.2.6a", "11.2.6b")
def test_a_stack_that_cannot_retreat() -> None:
    surrounded = (
        STACK + "\n41.18: russian infantry XX 28/20\n41.20: russian infantry XX 40/4\n42.19: russian infantry XX 43/2"
    )
    gone = asked(surrounded)
    assert gone.result.surrenders
    assert [(change.subject, change.after) for change in settings_of(gone)] == [
        ("A", None),
        ("G", None),
        ("41.19", "central-powers"),
    ]
    stays = asked(surrounded, cause="check", hexes=1)
    assert (stays.result.surrenders, stays.result.forces[0].levels, stays.result.forces[0].steps) == (False, 1, 1)


ENCIRCLED = """turn=1
41.19 clear: german infantry XX G1 (12-16-7-11) {}
40.20: 25/3
40.19: 29/20
42.20: 27/3
41.20: russian infantry XX 40/4
42.19: russian infantry XX 43/2
41.18: russian infantry III asset K (1-1-0-8)
41.19|40.20,40.19,42.20,41.20,42.19,41.18 open
"""


def offered(more: str = "", status: str = "cel=-2", position: str = ENCIRCLED, **given: Any) -> list[dict[str, Any]]:
    report = answered(
        typed(position.format(status) + more), "retreat", at="41.19", **{"hexes": 2, "cause": "check", **given}
    )
    return [dict(one.figures) for part in report.parts if part.title == "Repulse" for one in part.steps]


@pytest.mark.rule("8.5.1", "8.5.1c")
def test_before_a_stack_pays_for_hexes_that_it_lacks_it_may_attempt_a_repulse() -> None:
    every = ["40.19", "40.20", "41.18", "41.20", "42.19", "42.20"]
    for cause in ("check", "crt"):
        (one,) = offered(cause=cause)
        assert (one["forces"], sorted(one["hexes"])) == (("G1",), every)
    assert offered(cause="repulse") == [], "a stack that retreats from one attempts none"
    assert offered(status="cel=-4") == [] == offered(status="cel=-4", cause="crt"), "nor does one that is Demoralized"
    assert offered(status="disorder=1") == []
    assert offered(withheld=True) == [], "it pays for no hexes that it lacks"


@pytest.mark.rule("8.5.1")
def test_it_may_clear_no_fortress_and_nothing_beyond_a_great_river() -> None:
    river = ENCIRCLED.replace("42.20,41.20", "41.20") + "41.19|42.20 major-river bridge\n"
    (one,) = offered("41.18: russian fort - F fssm=2 steps=2", position=river)
    assert sorted(one["hexes"]) == ["40.19", "40.20", "41.20", "42.19"]


@pytest.mark.rule("8.5.1")
@pytest.mark.parametrize(("cel", "able"), [(-2, True), (-3, False)])
def test_whom_the_way_has_made_demoralized_attempts_no_repulse(cel: int, able: bool) -> None:
    """It enters an unoccupied hex in an EZOC, which costs a level, and can go no farther."""
    beyond = "42.18: russian infantry XX 30/4\n43.18: russian infantry XX 45/2\n43.19: russian infantry XX 46/2\n"
    position = ENCIRCLED.replace("42.19: russian infantry XX 43/2", f"42.19 clear\n{beyond}")
    position += "42.19|42.18,43.18,43.19,41.18,42.20 open\n"
    found = offered(status=f"cel={cel}", position=position, way="42.19")
    assert [one["forces"] for one in found] == ([("G1",)] if able else [])


@pytest.mark.rule("8.5.1")
def test_nothing_of_a_force_that_its_way_has_eliminated_attempts_a_repulse() -> None:
    """The regiment j beside G1, of another nation and so a Force of its own, has no level to lose and pays with its last step."""
    beyond = "42.18: russian infantry XX 30/4\n43.18: russian infantry XX 45/2\n43.19: russian infantry XX 46/2\n"
    stack = "austro-hungarian infantry III asset j (1-1-0-8), german infantry XX G1"
    position = ENCIRCLED.replace("42.19: russian infantry XX 43/2", f"42.19 clear\n{beyond}")
    position = position.replace("german infantry XX G1", stack) + "42.19|42.18,43.18,43.19,41.18,42.20 open\n"
    assert [one["forces"] for one in offered(position=position, way="42.19")] == [("G1",)]


@pytest.mark.rule("11.2.6a", "11.2.6b")
@pytest.mark.parametrize("said", ["before", "position"])
def test_a_stack_that_has_left_its_hex_does_not_surrender_any_more(said: str) -> None:
    """It pays for each hex that lacks, whether the player or the position says that it has retreated before."""
    text = (
        STACK + "\n41.18: russian infantry XX 28/20\n41.20: russian infantry XX 40/4\n42.19: russian infantry XX 43/2"
    )
    given = {"before": 1} if said == "before" else {}
    text += "\nA retreated=yes\nG retreated=yes" if said == "position" else ""
    report = asked(text, hexes=2, cause="crt", **given)
    assert not report.result.surrenders
    assert (report.result.forces[0].levels, report.result.forces[0].steps) == (2, 2)
    assert asked(text, hexes=2, cause="crt", withheld=True, **given).result.surrenders == (said == "position")


@pytest.mark.rule("11.2.4c")
def test_with_artillery_roads_over_mountains_are_asked_for() -> None:
    text = STACK.replace("41.19 clear", "41.19 mountain")
    asks = [ask.title for ask in asked(text, hexes=1, way="42.19").asks]
    assert asks == ["roadway of 41.19|42.19", "RR line of 41.19|42.19"]
    lost = asked(text + "\n41.19|42.19 no-road no-rail", hexes=1, way="42.19").result.forces[0].guns
    kept = asked(text + "\n41.19|42.19 road", hexes=1, way="42.19").result.forces[0].guns
    assert (lost, kept) == (("G",), ())


@pytest.mark.rule("6.4.2")
def test_guns_of_a_lone_asset_unit_that_is_lost_go_on() -> None:
    text = STACK.replace("german infantry XX A (12-16-7-11)", "german infantry X A asset (1-2-0-11)")
    changes = [(change.subject, change.after) for change in asked(text, hexes=1, way="42.19").changes]
    assert changes == [("A", None), ("G", "42.19"), ("G", True), ("41.19", "central-powers"), ("G", "42.19")]
    # alone next to an enemy, they have to leave that hex too


@pytest.mark.rule("11.2.3")
@pytest.mark.parametrize(
    ("second", "rule", "ruling", "levels"),
    [
        ("37.18", "", "", 2),
        ("47.16", "", "every", 1),
        ("47.16", "ruling away-from-supply=nearest", "nearest", 2),
        ("44.18", "ruling away-from-supply=nearest", "", 1),
    ],
)
def test_the_ruling_on_sources_is_named_if_only_the_nearest_is_farther(
    second: str, rule: str, ruling: str, levels: int
) -> None:
    """Away from the Train of its corps, with another one of it on the near side, far ahead, or close ahead."""
    text = STACK.replace("XX A", "XX A corps=1") + '\n38.18: "German 1 Train" corps=1'
    text += f"\n{second}: german corps-train - T corps=1\n{rule}"
    report = asked(text, cause="check", way="42.19,43.18")
    assert (ruled(report, "away-from-supply"), report.result.forces[0].levels) == (ruling, levels)


@pytest.mark.rule("11.2.3")
@pytest.mark.parametrize(
    ("train", "cause", "rule", "ruling", "levels"),
    [
        ("38.18", "repulse", "", "charged", 2),
        ("38.18", "repulse", "ruling repulsed-from-supply=spared", "spared", 1),
        ("38.18", "check", "ruling repulsed-from-supply=spared", "", 2),
        ("45.17", "repulse", "ruling repulsed-from-supply=spared", "", 1),
    ],
)
def test_whether_a_repulse_away_from_supply_costs_a_level_is_a_ruling(
    train: str, cause: str, rule: str, ruling: str, levels: int
) -> None:
    text = STACK.replace("XX A", "XX A corps=1") + f'\n{train}: "German 1 Train" corps=1\n{rule}'
    report = asked(text, cause=cause, way="42.19,43.18")
    assert (ruled(report, "repulsed-from-supply"), report.result.forces[0].levels) == (ruling, levels)


@pytest.mark.rule("11.2.3")
def test_the_distance_from_its_train_is_judged_of_each_force_once_at_the_end() -> None:
    text = STACK.replace("XX A", "XX A corps=1") + '\n38.18: "German 1 Train" corps=1'
    by_crt = asked(text, way="42.19,43.18")
    assert by_crt.result.forces[0].levels == 1
    assert any("judged after its remaining checks" in text for text in told(by_crt))
    after = asked(text, hexes=1, cause="check", way="42.19", first="40.18", before=1)
    assert after.result.forces[0].levels == 2
    text = STACK.replace("XX A (12-16-7-11)", "XX A corps=1 (12-16-7-11), german infantry XX B corps=2 (12-16-7-11)")
    text = text.replace(", german artillery - G", "")
    trains = '\n38.18: "German 1 Train" corps=1\n45.17: german corps-train - T corps=2'
    levels = {one.force: one.levels for one in asked(text + trains, cause="check", way="42.19,43.18").result.forces}
    assert levels == {"A": 2, "B": 1}
    text = STACK.replace("XX A", "XX A corps=1") + '\n{}: "German 1 Train" corps=1'
    first = [asked(text.format(train)).result.options[0].hex for train in ("45.18", "41.15")]
    assert first == ["42.19", "41.18"]


FOUR = """41.19 clear: german infantry XX A (12-16-7-11), german infantry XX B (12-16-7-11)
40.20: 25/3
43.18: german infantry XX C (12-16-7-11), german infantry XX D (12-16-7-11)
"""
"""Two divisions that retreat to a hex with two."""


@pytest.mark.rule("4.2.3b")
def test_the_owner_chooses_who_goes_on_from_a_hex_that_cannot_hold_all() -> None:
    report = asked(FOUR, way="42.19,43.18")
    assert report.result.over_stacked
    (over,) = (part.steps[0].figures for part in report.parts if part.title == "Over-stacked")
    assert (over["divisions"], over["guns"]) == (1, 0)
    assert [(ask.name, ask.rule, ask.options) for ask in report.asks] == [("hex.3.who", "4.2.3", ("B", "A"))]
    assert report.changes == ()
    for going, staying in ("A", "B"), ("B", "A"):
        end = asked(f"{FOUR}answers hex.3.who={going}", way="42.19,43.18")
        assert (end.result.units, end.result.over_stacked) == ((staying,), False)
        assert ("place", staying, "43.18") in {(each.track, each.subject, each.after) for each in end.changes}
        (line,) = (part.steps[-1].text for part in end.parts if part.title == "Over-stacked")
        assert f"units={going} way=42.19,43.18,HEX" in line


@pytest.mark.rule("4.2.3b")
def test_nobody_chooses_among_forces_that_must_all_go_on() -> None:
    full = FOUR.replace("43.18: ", "43.18: german infantry XX E (12-16-7-11), ")
    report = asked(full, way="42.19,43.18")
    assert (report.result.over_stacked, report.asks) == (True, ())
    with pytest.raises(AnswerError):
        asked(f"{full}answers hex.3.who=A", way="42.19,43.18")
    train = FOUR.replace("XX B (12-16-7-11)", "XX B (12-16-7-11), german corps-train - T")
    report = asked(train, way="42.19,43.18")
    assert (report.result.over_stacked, report.asks) == (True, ()), "with the train in it, three divisions are too many"


def test_a_stack_that_need_not_retreat_chooses_nobody() -> None:
    four = FOUR.replace(
        "41.19 clear: ", "41.19 clear: german infantry XX E (9-9-0-9), german infantry XX F (9-9-0-9), "
    )
    assert asked(four, hexes=0).asks == ()


@pytest.mark.rule("4.2.3b")
@pytest.mark.parametrize(
    ("there", "divisions"),
    [
        ("german infantry XX C (12-16-7-11)", 0),
        ("german infantry XX C (12-16-7-11), german corps-train - T", Fraction(1, 2)),
        ("german infantry XX C (12-16-7-11), german corps-train - T entrained", 0),
    ],
)
def test_what_the_last_hex_holds_with_the_stack(there: str, divisions: Fraction) -> None:
    text = f"41.19 clear: german infantry XX A (12-16-7-11), german infantry XX B (12-16-7-11)\n43.18: {there}"
    report = asked(text, way="42.19,43.18")
    assert report.result.over_stacked is bool(divisions)
    found = [part.steps[0].figures["divisions"] for part in report.parts if part.title == "Over-stacked"]
    assert found == ([divisions] if divisions else [])


@pytest.mark.rule("4.2.3b")
def test_who_comes_back_to_his_hex_is_counted_once() -> None:
    text = "41.19 clear: german infantry XX A (12-16-7-11), german infantry XX B (12-16-7-11)"
    assert not asked(f"{text}\n41.20 clear\nruling way-back=yes", way="42.19,41.19").result.over_stacked


@pytest.mark.rule("8.4.3")
@pytest.mark.parametrize(("cause", "off"), [("crt", False), ("check", False), ("repulse", True)])
def test_a_prepared_attack_is_off_after_a_repulse_alone(cause: str, off: bool) -> None:
    report = asked(STACK.replace("(12-16-7-11)", "(12-16-7-11) prepared=40.20"), cause=cause, way="42.19,43.18")
    assert [change.after for change in report.changes if change.track == "prepared"] == [None] * off


@pytest.mark.rule("11.2.1a")
def test_an_asset_unit_retreats_with_its_formation() -> None:
    with pytest.raises(InputError, match="A and the Asset Units attached to it retreat together"):
        asked(STACK, units="A")
    with pytest.raises(InputError, match="A and the Asset Units attached to it retreat together"):
        asked(STACK, units="G")
    assert asked(STACK, units="A,G").verdict.kind == "figure"
    two = STACK.replace("german artillery - G", "german infantry XX B (12-16-7-11)")
    assert asked(two, units="A", hexes=1).verdict.kind == "figure", "formations are attached to none"
    text = "41.19 clear: german artillery - G, german artillery - H"
    assert asked(text, units="G", hexes=1).verdict.kind == "figure"


@pytest.mark.rule("11.2.1a")
@pytest.mark.parametrize(
    ("status", "there", "recorded"),
    [
        ("", "german infantry XX C (12-16-7-11)", [("G", None, "A")]),
        ("with=A", "german infantry XX C (12-16-7-11)", []),
        ("", "austro-hungarian infantry XX C (12-16-7-11)", []),
        ("", "german infantry X C asset (6-6-0-11)", []),
        ("", "german artillery - C", []),
    ],
)
def test_guns_stay_with_the_formation_that_they_retreat_with(status: str, there: str, recorded: list[Any]) -> None:
    """Beside another formation the one that an Asset Unit joins would be the first in the hex."""
    text = STACK.replace("- G", f"- G {status}") + f"\n43.18: {there}"
    changes = asked(text, way="42.19,43.18").changes
    assert [(one.subject, one.before, one.after) for one in changes if one.track == "with"] == recorded


@pytest.mark.rule("11.2.1a")
def test_of_two_forces_that_retreat_together_each_keeps_its_guns() -> None:
    text = STACK.replace(
        "german artillery - G", "german infantry XX B (12-16-7-11), german artillery - G with=B, german artillery - H"
    )
    changes = asked(text, way="42.19,43.18").changes
    assert [(one.subject, one.after) for one in changes if one.track == "with"] == [("H", "A")]
    there = "43.18: german infantry XX B (12-16-7-11), german infantry XX C (12-16-7-11)"
    changes = asked(f"41.19 clear: german artillery - G\n{there}", way="42.19,43.18").changes
    assert [one.track for one in changes if one.track == "with"] == []


@pytest.mark.rule("11.2.2", "11.2.2a")
@pytest.mark.parametrize(
    ("entered", "others", "passed"),
    [
        ({"distance": 2}, {"distance": 1, "in_area": True, "friendly": True}, None),
        ({"distance": 1, "in_area": True, "friendly": True}, {"distance": 2, "in_area": False, "to_supply": 9}, 0),
        ({"in_area": False, "friendly": True}, {"in_area": True, "to_supply": 9}, 1),
        ({"in_area": False}, {"in_area": None}, 1),
        ({"in_area": None}, {"in_area": True}, None),
        ({"friendly": False}, {"friendly": True, "to_supply": 9}, 2),
        ({"friendly": None}, {"friendly": True}, None),
        ({"friendly": False}, {"friendly": None}, None),
        ({"to_supply": 4}, {"to_supply": 3}, 3),
        ({"to_supply": 3}, {"to_supply": 3}, None),
        ({"to_supply": 4}, {"to_supply": 3, "zone": True}, None),
        ({"to_supply": 4, "zone": True}, {"to_supply": 3, "zone": True}, 3),
        ({"zone": True}, {}, None),
        ({"to_supply": 4}, {"to_supply": 3, "barred": "enemies stand there"}, None),
    ],
)
def test_which_hex_the_priorities_put_first(
    entered: dict[str, Any], others: dict[str, Any], passed: int | None
) -> None:
    """The distance, the area, control, supply, in this order; and an EZOC may be avoided, or not, as the owner likes."""
    taken, other = RetreatHex("41.20", **entered), RetreatHex("42.19", **others)
    found = hex_passed_over(taken, [taken, other])
    assert found == (None if passed is None else ("42.19", PRIORITIES[passed]))


@pytest.mark.rule("11.2.2", "11.2.2a", "23.4.1")
def test_the_priorities_are_about_hexes_of_the_map_and_not_about_the_box() -> None:
    """Who may enter the Holding Box does so as he likes, be other hexes farther from the combat or not."""
    box, near, far = (
        RetreatHex(BUKOWINA_BOX, distance=2),
        RetreatHex("42.19", distance=1),
        RetreatHex("42.18", distance=3),
    )
    assert hex_passed_over(box, [box, far]) is None
    assert hex_passed_over(near, [near, box]) is None
    assert hex_passed_over(near, [near, far]) == ("42.18", PRIORITIES[0])


@pytest.mark.rule("11.2.2a")
def test_of_hexes_alike_the_one_outside_an_ezoc_comes_first_and_of_others_the_priorities_decide() -> None:
    zone, free = RetreatHex("41.20", zone=True), RetreatHex("42.19")
    assert sorted([zone, free], key=best_first) == [free, zone]
    nearer = RetreatHex("42.19", to_supply=3)
    assert sorted([nearer, zone], key=best_first) == [zone, nearer]


@pytest.mark.rule("11.2.2", "11.2.2a")
def test_a_way_against_the_priorities_is_told_and_allowed() -> None:
    lone = "41.19 clear: german infantry XX A (12-16-7-11)\n42.20 clear\n42.19|42.20 open"
    report = asked(lone, way="42.19,42.20")
    assert report.result.passed_over == {"42.20": "42.18"}
    (part,) = [part for part in report.parts if part.title == "Priorities"]
    assert [step.text for step in part.steps] == ["the priorities put 42.18 before 42.20: farther from the combat"]
    assert asked(lone, way="42.19,43.18").result.passed_over == {}


def test_who_takes_the_steps_is_the_owners_choice() -> None:
    text = STACK.replace("german artillery - G", "german infantry X B (6-6-0-11) asset")
    asks = asked(text + "\n42.17: russian infantry XX 28/20", way="42.19,42.18").asks
    assert [(ask.name, ask.options) for ask in asks] == [("losses.A", ("A", "B"))]
    position = typed(GROUND.format(text) + "42.17: russian infantry XX 28/20\nanswers losses.A=B")
    report = answered(position, "retreat", at="41.19", hexes=2, way="42.19,42.18")
    assert ("lost", "B", 1) in [(change.track, change.subject, change.after) for change in report.changes]
    with pytest.raises(InputError, match=r"losses\.B: no roll or choice of that name is due"):
        typed_losses = typed(GROUND.format(text) + "answers losses.B=B")
        answered(typed_losses, "retreat", at="41.19", hexes=2, way="42.19,42.18")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"way": "45.19"}, "way: 45.19 is not adjacent to 41.19"),
        ({"hexes": -1}, "hexes: nothing retreats -1 hexes"),
        ({"units": "25/3"}, "units: 25/3 is not in 41.19"),
        ({"at": "45.20"}, "no unit in 45.20 can retreat"),
        ({"before": -1}, "before: -1 hexes are not possible"),
        ({"zones": -1}, "zones: -1 hexes are not possible"),
    ],
)
def test_a_retreat_that_cannot_be(more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        answered(typed(GROUND.format(STACK)), "retreat", **{"at": "41.19", "hexes": 2, **more})


# --- as a stack -------------------------------------------------------------------------------------------------------

TWO = "41.19 clear: german infantry XX A (12-16-7-11) {a}, german infantry XX B (12-16-7-11) {b}\n40.20: 25/3\n"


@pytest.mark.rule("11.2.1")
@pytest.mark.parametrize(
    ("a", "b", "units", "hexes", "reasons"),
    [
        ("owes=2", "owes=2", "A,B", 2, []),
        ("owes=2", "owes=3", "A,B", 2, []),
        ("owes=2", "owes=2", "A", 2, ["B still owes 2 hexes and retreats with the others"]),
        ("owes=2", "owes=1", "A,B", 2, ["B owes only 1 hex"]),
        ("owes=0", "owes=1", "B", 1, []),
        ("owes=0", "owes=1", "A,B", 1, ["A owes only 0 hexes"]),
        ("", "", "A", 2, []),
    ],
)
def test_a_stack_parts_where_its_units_owe_different_numbers_of_hexes(
    a: str, b: str, units: str, hexes: int, reasons: list[str]
) -> None:
    way = "42.19,43.18" if hexes == 2 else "42.19"
    report = asked(TWO.format(a=a, b=b), units=units, hexes=hexes, way=way)
    assert told(report, "Not allowed") == reasons
    granted = [
        step.text for part in report.parts for step in part.steps if "units of a stack separate only" in step.text
    ]
    assert bool(granted) is (a == "" and units == "A"), "what nobody states is taken for granted"


@pytest.mark.rule("11.2.1")
def test_only_those_go_on_that_are_too_many_in_the_last_hex() -> None:
    """Two divisions retreat on two divisions: one stays, the other goes on."""
    there = "43.18: german infantry XX C (12-16-7-11), german infantry XX D (12-16-7-11)\n43.17 clear\n43.18|43.17 open"
    both = TWO.format(a="owes=2", b="owes=2") + there
    with pytest.raises(InputError, match=r"way: A may stay in 43\.18"):
        asked(both, way="42.19,43.18,43.17")
    one = both.replace(
        "41.19 clear: german infantry XX A (12-16-7-11) owes=2, ",
        "43.18: german infantry XX A (12-16-7-11)\n41.19 clear: ",
    )
    report = asked(one, way="42.19,43.18,43.17")
    assert (report.result.end, report.result.over_stacked) == ("43.17", False)
    with pytest.raises(InputError, match=r"way: the route continues beyond 43\.18"):
        asked(one.replace("german infantry XX D (12-16-7-11)", "german artillery - G"), way="42.19,43.18,43.17")
    with pytest.raises(InputError, match=r"way: the route continues beyond 42\.19"):
        asked(one.replace(" owes=2", ""), hexes=0, way="42.19")
    with pytest.raises(InputError, match=r"way: the route continues beyond 42\.19"):
        asked(one.replace(" owes=2", ""), hexes=1, way="42.19,43.18")


@pytest.mark.rule("11.2.4a")
@pytest.mark.parametrize(("cost", "barred"), [("prohibited", True), ("7", False)])
def test_the_chart_says_whether_high_mountains_can_be_retreated_into(cost: str, barred: bool) -> None:
    text = f"{STACK}\n41.20 high-mountain\n41.19|41.20 open no-road no-rail\nchart terrain-cost summer high-mountain = {cost}"
    option = next(one for one in asked(text).result.options if one.hex == "41.20")
    assert (bool(option.barred), option.rule) == (barred, "11.2.4" if barred else "")
    by_road = text.replace("no-road", "road")
    assert not next(one for one in asked(by_road).result.options if one.hex == "41.20").barred
    unknown = text[: text.index("chart")]
    option = next(one for one in asked(unknown).result.options if one.hex == "41.20")
    assert "the movement cost of high-mountain" in option.unsaid
    assert "chart terrain-cost summer high-mountain = cost" in [ask.name for ask in asked(unknown, way="41.20").asks]


@pytest.mark.rule("8.1.1b", "11.2.4a")
@pytest.mark.parametrize(("cost", "barred"), [("prohibited", True), ("7", False)])
def test_nobody_leaves_high_mountains_that_he_could_not_enter(cost: str, barred: bool) -> None:
    """A move must be possible the other way too."""
    high = (
        STACK.replace("41.19 clear", "41.19 high-mountain")
        + "\n41.19|41.20 open no-road no-rail\n41.19|41.18 road\n41.20 clear"
    )
    text = f"{high}\nchart terrain-cost summer high-mountain = {cost}"
    options = {one.hex: (one.barred, one.rule) for one in asked(text).result.options}
    assert options["41.20"] == (("units cannot enter it: High Mountain", "11.2.4") if barred else ("", ""))
    by_road = asked(text.replace("no-road", "road")).result.options
    known = next(one for one in by_road if one.hex == "41.20")
    assert (known.barred, known.unsaid) == ("", ())
    assert "chart terrain-cost summer high-mountain = cost" in [ask.name for ask in asked(high, way="41.20").asks]
    option = next(one for one in asked(high).result.options if one.hex == "41.20")
    assert "the movement cost of high-mountain" in option.unsaid


@pytest.mark.rule("10.1.5f")
@pytest.mark.parametrize(("withheld", "levels", "guns"), [("no", 1, ("G",)), ("yes", 0, ())])
def test_withheld_units_lose_nothing_by_rivers(withheld: str, levels: int, guns: tuple[str, ...]) -> None:
    text = GROUND.replace("41.19|42.19,", "41.19|").format(STACK) + "41.19|42.19 major-river no-crossing\n"
    text = text.replace("40.20: 25/3\n40.19: 29/20\n42.20: 27/3", "39.19: 25/3")
    report = answered(typed(text), "retreat", at="41.19", hexes=1, way="42.19", withheld=withheld)
    assert [(force.levels, force.guns) for force in report.result.forces] == [(levels, guns)]


@pytest.mark.rule("10.1.5f")
def test_withheld_units_lose_by_ezocs_alone() -> None:
    every = (
        *charges([RetreatHex("1", river=True, mountains=True), *zones(True, True)]),
        *unable_to_retreat(4, zones(*[False] * 1), "check").costs,
    )
    assert [(charge.rule, charge.levels, charge.steps) for charge in charges_of_withheld(every)] == [
        ("11.2.5", 1, 0),
        ("11.2.5", 1, 1),
    ]
    train = STACK.replace("XX A", "XX A corps=1") + '\n38.18: "German 1 Train" corps=1'
    levels = [
        asked(train, cause="check", way="42.19,43.18", withheld=withheld).result.forces[0].levels
        for withheld in ("no", "yes")
    ]
    assert levels == [2, 1], "nor do they by ending farther from supply"


@pytest.mark.rule("9.5.1a")
def test_displaced_guns_retreat_with_others_only() -> None:
    alone = "41.19 clear: german artillery - G displaced\n40.20: 25/3"
    with pytest.raises(InputError, match="G: it is marked Displaced and retreats only with others"):
        asked(alone)
    assert asked(STACK.replace("- G", "- G displaced"), way="42.19,43.18").result.complete


def test_a_way_that_is_barred_leads_no_further() -> None:
    """What is open next is open from the last hex that could be entered."""
    text = """turn=5
41.19 clear: german infantry XX D corps=1 (12-16-7-11)
40.20: russian infantry XX A corps=3 (10-12-5-10)
41.18 clear
41.19|41.18 lake"""
    report = answered(typed(text), "retreat", at="41.19", hexes=1, cause="check", way="41.18")
    assert report.verdict.text.startswith("41.18 cannot be entered")
    hexes = [step.text.partition(":")[0] for step in report.parts[0].steps if ": " in step.text]
    assert set(hexes[:6]) <= {"40.19", "41.18", "42.19", "42.20", "41.20", "40.20"}


@pytest.mark.rule("11.2.1")
def test_what_a_stack_still_owes_need_not_be_said_again() -> None:
    owing = typed(GROUND.format(STACK + "\nA owes=2\nG owes=1"))
    report = answered(owing, "retreat", at="41.19", cause="check", way="42.19")
    assert report.verdict.text.startswith("retreats 1 of 1 hex")
    two = STACK.replace("german artillery - G", "german infantry XX B (12-16-7-11)") + "\nB owes=1"
    assert answered(typed(GROUND.format(two)), "retreat", at="41.19", cause="check").title == "Retreat of B from 41.19"
    missing = answered(typed(GROUND.format(STACK)), "retreat", at="41.19", cause="check")
    assert [ask.how for ask in missing.asks] == ["hexes=N, or UNIT owes=N"]


@pytest.mark.parametrize("friend_first", [True, False])
def test_a_stack_arrives_as_it_lay_below_who_is_there(friend_first: bool) -> None:
    friend = "42.19: german infantry XX F (12-16-7-11)"
    stack = ", ".join(
        [
            "41.19: german infantry XX A (12-16-7-11)",
            "german infantry XX B (12-16-7-11)",
            "german infantry III G asset (2-2-0-8) with=A",
        ]
    )
    lines = [friend, stack] if friend_first else [stack, friend]
    position = typed(GROUND.format("\n".join(["41.19 clear", *lines])))
    report = answered(position, "retreat", at="41.19", hexes=1, way="42.19")
    after = position.after(report.changes).state
    assert [unit.id for unit in after.stack("42.19")] == ["F", "A", "B", "G"]


@pytest.mark.rule("11.2.2")
def test_the_hex_just_left_is_not_open_by_the_usual_reading() -> None:
    text = "41.19 clear: german infantry XX A (12-16-7-11)\n41.20 clear"
    assert asked(text, way="42.19,41.19").verdict.kind == "no"
    assert asked(f"{text}\nruling way-back=yes", way="42.19,41.19").verdict.kind == "figure"
    assert "41.19" in [hex.hex for hex in asked(text, way="42.19").result.options if hex.barred]


@pytest.mark.parametrize("zone", [True, False])
def test_the_hexes_around_come_with_the_price_of_an_ezoc(zone: bool) -> None:
    told = [step.text for step in options_part([RetreatHex("41.20", zone=zone, river=True)]).steps]
    assert any(text.startswith("the first EZOC on the route costs each Force a level") for text in told) == zone
    assert "over an un-bridged river, a level and all artillery" in told[0]


# --- hex by hex -------------------------------------------------------------------------------------------------------

OWING = """turn=1
40.20: russian infantry XX R (10-10-5-10)
41.19 clear: german infantry XX G (8-9-4-11) -2 {}
41.19|40.20,41.20,42.20,41.18,40.19,42.19 open
41.18|41.17,42.18,40.18,42.19,40.19 open
41.18 clear
41.17 clear
"""


def walked(answers: str = "", text: str = OWING.format(""), **parameters: Any) -> Report[Any]:
    given = {"at": "41.19", **parameters}
    return answered(typed(text + (f"answers {answers}" if answers else "")), "retreat", **given)


@pytest.mark.rule("11.2.2a")
def test_the_owner_walks_hex_by_hex() -> None:
    first = walked(hexes=2)
    (ask,) = first.asks
    assert (ask.kind, ask.name, ask.title) == ("choice", "hex.1", "hex 1 of 2 of the retreat from 41.19")
    assert list(ask.options) == [option.hex for option in first.result.options if not option.barred]
    assert "40.20" not in ask.options, "enemies stand there"
    assert first.changes == ()
    second = walked("hex.1=41.18", hexes=2)
    assert ([ask.name for ask in second.asks], second.result.way) == (["hex.2"], ("41.18",))
    over = walked("hex.1=41.18 hex.2=41.17", hexes=2)
    assert (over.asks, over.result.complete, over.result.way) == ((), True, ("41.18", "41.17"))
    assert over.changes == walked(hexes=2, way=["41.18", "41.17"]).changes
    begun = walked("hex.2=41.17", hexes=2, way=["41.18"])
    assert (begun.result.way, begun.asks) == (("41.18", "41.17"), ())


@pytest.mark.rule("11.2.2a")
@pytest.mark.parametrize("answers", ["hex.2=41.17", "hex.1=41.18 hex.3=41.16"])
def test_no_hex_is_chosen_before_those_on_the_way_to_it(answers: str) -> None:
    with pytest.raises(InputError, match="no roll or choice of that name is due"):
        walked(answers, hexes=3)


@pytest.mark.rule("11.2.1", "8.4.3")
def test_what_is_owed_and_why_is_read_from_the_position_and_paid() -> None:
    text = OWING.format("owes=2 retreat-cause=repulse prepared=40.20")
    report = walked("hex.1=41.18 hex.2=41.17", text)
    assert report.result.owed == 2
    found = {change.track: change.after for change in report.changes if change.subject == "G"}
    assert found["owes"] == 0
    assert found["retreat-cause"] is found["prepared"] is None
    assert "retreated" not in found, "a Repulse is tried in movement"
    assert "prepared" not in {change.track for change in walked("hex.1=41.18 hex.2=41.17", text, cause="crt").changes}
    part = {change.track: change.after for change in walked("hex.1=41.18", text, hexes=1).changes}
    assert (part["owes"], part.get("retreat-cause", "kept")) == (1, "kept")


@pytest.mark.rule("11.2.6b")
def test_hexes_that_cannot_be_retreated_are_paid_for_and_owed_no_more() -> None:
    shut = OWING.replace("41.20,42.20,41.18,40.19,42.19 open", "41.20,42.20,41.18,40.19,42.19 lake")
    text = shut.format("owes=2 retreat-cause=check").replace("41.19|40.20,41.20", "41.19|41.20")
    report = walked(text=text)
    found = {change.track: change.after for change in report.changes if change.subject == "G"}
    assert (found["owes"], found["retreat-cause"], found["cel"]) == (0, None, -2)
    unrecorded = walked(text=text.replace(" retreat-cause=check", ""), cause="check")
    assert "retreat-cause" not in {change.track for change in unrecorded.changes}
    assert "11.2" in {change.rule for change in report.changes if change.track == "cel"}


@pytest.mark.rule("11.2.1a")
def test_asset_units_go_with_the_formation_that_owes() -> None:
    text = OWING.format("owes=1, german infantry III As with=G (2-2-0-9)")
    assert walked("hex.1=41.18", text).result.units == ("G", "As")
    with pytest.raises(InputError, match="retreat together"):
        walked("hex.1=41.18", text, units=["G"])


@pytest.mark.rule("11.2.3", "12.1.1")
def test_a_fortress_where_the_retreat_ends_needs_no_steps() -> None:
    text = OWING.format("") + "41.17: german fortress - Fo\n"
    assert walked("hex.1=41.18 hex.2=41.17", text, hexes=2).verdict.kind == "figure"


@pytest.mark.rule("12.2.1")
def test_beside_a_fortress_unit_the_hexes_are_taken_as_what_is_left_of_the_result() -> None:
    said = "has already taken its step losses"
    fort = walked(text=OWING.format(", german fortress - Fo steps=3"), hexes=1)
    assert any(said in line for line in told(fort, "Assumed"))
    assert not any(said in line for line in told(walked(hexes=1), "Assumed"))


@pytest.mark.rule("11.2.2")
def test_an_area_stated_for_another_army_is_not_dropped_without_a_word() -> None:
    text = OWING.format("army=Eighth owes=1") + 'army "central-powers {}" area="41.18 41.20"\n'
    said = (
        'the Area of Attachment of central-powers Eighth is not stated (army "central-powers Eighth" '
        'area="44.18-44.22 45.19"), only that of central-powers Eigth'
    )
    assert said in told(walked(text=text.format("Eigth")), "Assumed")
    assert not any("Area of" in line for line in told(walked(text=text.format("Eighth")), "Assumed"))
    with pytest.raises(InputError, match="does not begin with its side"):
        walked(text=text.format("Eighth").replace("central-powers ", ""))


@pytest.mark.rule("11.2.5c")
@pytest.mark.parametrize(("name", "said"), [("2 M", True), ("2", False)])
def test_a_way_back_on_its_own_leaves_it_to_the_owner_whether_it_follows_an_attack(name: str, said: bool) -> None:
    """Only the battle knows whether these attacked, and whether they have lost a step before (23.8)."""
    text = "41.19 clear: austro-hungarian infantry XX A (12-16-7-11), austro-hungarian infantry III {name} (2-2-0-9)\n"
    text += "40.18: russian infantry XX R (9-9-0-9)\n41.18|40.18,41.17 open\n41.17 clear\n41.17|40.18 open"
    text = text.replace("{name}", f'"{name}"')
    report = asked(text, way=("41.18", "41.17"), cause="crt", last=True)
    assert [ask.name for ask in report.asks] == ["losses.A"]
    assert any("Marsch" in line for line in told(report)) == said


@pytest.mark.rule("11.2.6b")
def test_a_stack_that_is_stuck_is_told_what_bars_each_hex_and_one_that_is_not_is_told_nothing() -> None:
    board = typed("turn=3").game.board("")
    lakes = "\n".join(f"41.19|{hex} lake" for hex in board.neighbours("41.19") if hex != "41.18")
    text = f"turn=3\n41.18 clear{{enemy}}\n41.19 clear: german infantry XX A (10-10-0-9)\n41.19|41.18 open\n{lakes}"
    stuck = answered(typed(text.format(enemy=": russian infantry XX R (4-4-0-9)")), "retreat", at="41.19", hexes=1)
    assert told(stuck, "Next hex")[0] == "41.18: enemies stand there"
    assert len(told(stuck, "Next hex")) == len(board.neighbours("41.19"))
    through = answered(typed(text.format(enemy="")), "retreat", at="41.19", hexes=1, way=("41.18",))
    assert told(through, "Next hex") == []


@pytest.mark.rule("11.2.5", "11.2.5a", "11.2.6b")
@pytest.mark.parametrize(
    ("status", "more", "parameters", "asked"),
    [
        ("", "", {}, []),
        ("", "39.19: german infantry XX F", {"way": ["40.20"]}, []),
        ("", "40.20: german infantry XX F, german infantry XX H", {"way": ["40.20"]}, []),
        ("", "39.20: russian infantry XX S", {}, []),
        (" cel=-4", "39.20: russian infantry XX S", {}, ["A"]),
        (" cel=-4", "39.20: russian infantry XX S", {"way": ["41.20"]}, []),
        (" cel=-4", "39.20: russian infantry XX S", {"way": ["40.20"]}, ["A"]),
        ("", "39.20: russian infantry XX S", {"hexes": 2}, ["A"]),
        ("", "39.20: russian infantry XX S", {"hexes": 2, "cause": "check", "way": ["41.20"]}, []),
    ],
)
def test_a_retreat_asks_for_steps_only_where_some_may_be_lost(
    status: str, more: str, parameters: dict[str, Any], asked: list[str]
) -> None:
    text = f"elsewhere clear open\n41.19: german infantry XX A{status}\n42.19: russian infantry XX R\n{more}"
    report = answered(typed(text), "retreat", **{"at": "41.19", "hexes": 1, **parameters})
    assert [ask.key[1] for ask in report.asks if ask.kind == "fact"] == asked
    for steps in (1, 2, 12) if not asked else ():
        known = answered(
            typed(text.replace("XX A", f"XX A steps={steps}")), "retreat", **{"at": "41.19", "hexes": 1, **parameters}
        )
        assert (known.result, known.changes) == (report.result, report.changes)
