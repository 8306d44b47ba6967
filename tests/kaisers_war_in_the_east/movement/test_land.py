"""Movement by land: costs, zones of control, what bars a hex, Forced March (11, 13.4, 13.5, 22)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.util.errors import InputError

from ..examples import after, ask, game, reasons

PLAIN = """
turn=2
2620: Ger-8 movement=4
2621, 2622, 2623, 2624, 2625 clear
2721 forest
2720 rough
chart terrain-cost summer rough = 3
chart terrain-cost winter rough = 3
chart terrain-cost summer river = 1
"""
"""A German army with open country to the south, a forest and a hill to the southeast."""
SEASONS = {"winter": "turn=4\nchart turn-record 4 = winter", "thaw": "turn=6\nchart turn-record 6 = thaw"}
WINTER = PLAIN.replace("turn=2", SEASONS["winter"])
THAW = PLAIN.replace("turn=2", SEASONS["thaw"])
ENEMY = PLAIN + "2623: Rus-2 movement=3\n"
"""The same, with a Russian army three hexes to the south."""


def move(position: str, *way: str, unit: str = "Ger-8", **parameters: Any) -> Any:
    """The report on a move."""
    return ask(position, "move", unit=unit, way=list(way), **parameters)


def cost(position: str, *way: str, **parameters: Any) -> int:
    """What a move costs, in halves of a Movement Point."""
    return int(move(position, *way, **parameters).result.cost)


@pytest.mark.rule("11.0", "11.1", "11.4", "11.6")
def test_a_move_costs_what_each_hex_and_hexside_costs_and_says_what_stops_it() -> None:
    assert cost(PLAIN, "2621") == 2
    assert cost(PLAIN, "2720") == 6
    assert cost(PLAIN, "2621", "2622") == 4
    assert cost(PLAIN + "2620 | 2621 river\n", "2621") == 4
    assert move(PLAIN, "2621", "2622").verdict.text == "Ger-8 may move to 2622: 2 of 4 Movement Points"
    found = move(PLAIN, "2621", "2622")
    assert [(one.hex, one.cost, one.how) for one in found.result.entered] == [("2621", 2, "land"), ("2622", 2, "land")]
    assert (found.result.cost, found.result.allowance, found.result.left, found.result.minimum) == (4, 8, 4, False)
    stopped = move(ENEMY, "2621", "2622", "2623")
    assert ([one.hex for one in stopped.result.entered], reasons(stopped)) == (
        ["2621", "2622"],
        "2623: enemies stand there",
    )
    dear = move(PLAIN.replace("movement=4", "movement=3"), "2721", "2720")
    assert (dear.result.cost, [one.hex for one in dear.result.entered]) == (2, ["2721"])
    assert reasons(dear) == "2720: 4 Movement Points are needed, but Ger-8 has 3"
    assert [one.rule for one in dear.parts[0].steps] == ["11.1"]
    none = reasons(move(PLAIN.replace("movement=4", "movement=0"), "2621"))
    assert none == "Ger-8 has no movement factor; Ger-8 has no Movement Points left"
    slow = move(PLAIN.replace("movement=4", "movement=1"), "2720")
    assert (slow.result.cost, slow.result.left, slow.result.minimum) == (2, 0, True)
    assert [(one.hex, one.cost) for one in slow.result.entered] == [("2720", 6)]


@pytest.mark.rule("11.2", "11.1", "11.3", "11.6")
def test_each_unit_moves_once_in_its_own_movement_phase_if_it_can_move() -> None:
    assert after(PLAIN, "move", unit="Ger-8", way=["2621"]).value("moved", "Ger-8") is True
    assert "has already moved" in reasons(move(PLAIN.replace("movement=4", "movement=4 moved"), "2621"))
    assert "but this is first-combat" in reasons(move(PLAIN + "phase=first-combat\n", "2621"))
    assert "player turn of the Allies" in reasons(move(PLAIN + "phasing=allies\n", "2621"))
    assert move(PLAIN + "phase=movement phasing=central-powers\n", "2621").verdict.kind == "yes"
    fortress = "turn=2\n2620: Krakow\n2621 clear\n"
    assert "no movement factor" in reasons(move(fortress, "2621", unit="Krakow"))
    supply = "turn=2\n2620: CP-supply-1 movement=2 radius=2 entrenched\n2621 clear\n"
    assert "turned over to entrench" in reasons(move(supply, "2621", unit="CP-supply-1"))


@pytest.mark.rule("11.5/1", "11.5/2", "11.5/3")
def test_a_railroad_is_a_road_whatever_else_lies_there() -> None:
    road = PLAIN + "2620 | 2720 river rail\n2720 | 2721 rail\n"
    assert cost(road, "2720") == 1
    assert cost(road, "2720", "2721") == 2
    assert cost(road + "2720 control=allies\n", "2720") == 1
    assert [one.how for one in move(road, "2720", "2721").result.entered] == ["road", "road"]
    assert move(road, "2720").verdict.text.endswith("0.5 of 4 Movement Points")
    lake = PLAIN + "chart terrain-cost summer lake = prohibited\n2620 | 2720 lake"
    assert move(f"{lake} rail\n", "2720").result.cost == 1
    assert "the Terrain Effects Chart prohibits it" in reasons(move(f"{lake}\n", "2720"))


@pytest.mark.rule("11.6", "11.1")
def test_one_hex_may_be_entered_for_all_movement_points_by_land() -> None:
    slow = PLAIN.replace("movement=4", "movement=1")
    assert "3 Movement Points are needed" in reasons(move(slow, "2720", "2721"))
    assert "4 Movement Points are needed" in reasons(move(slow.replace("movement=1", "movement=3"), "2721", "2720"))
    assert not move(PLAIN, "2720").result.minimum
    assert not move(slow, "2621").result.minimum
    assert move(PLAIN.replace("movement=4", "movement=3"), "2720").result.minimum is False, "it costs just what it has"
    near = slow + "2619: Rus-2 movement=3\n2620=2621\nscenario=1914\n2620, 2621 country=germany\n"
    near += "2620: CP-supply-1 radius=2\n"
    assert "2 Movement Points are needed" in reasons(move(near, "2621", by="rail"))
    none = PLAIN.replace("movement=4", "movement=0")
    assert not ask(none, "move", unit="Ger-8", way=["2720"]).result.minimum


@pytest.mark.rule("11.7", "12.4", "11.1", "11.8", "23.0/2", "23.3")
def test_enemies_sea_prohibited_terrain_and_neutral_countries_are_not_entered() -> None:
    assert "all-sea" in reasons(move(PLAIN.replace("2721 forest", "2721 all-sea"), "2720", "2721"))
    shut = PLAIN.replace("summer rough = 3", "summer rough = prohibited")
    assert "rough is prohibited" in reasons(move(shut, "2720"))
    border = PLAIN + "2621 country=romania\n"
    assert "11.8" in str(move(border, "2621")) and "neutral" in reasons(move(border, "2621"))
    assert move(border.replace("turn=2", "turn=19"), "2621").verdict.kind == "yes"
    romanian = "2620: Rom-1 movement=3\n2621 clear {}\n"
    assert "neutral" in reasons(move("turn=2\n" + romanian.format("country=romania"), "2621", unit="Rom-1"))
    asked = move("turn=20\n" + romanian.format(""), "2621", unit="Rom-1").asks
    assert [one.name for one in asked] == ["2621 country=germany|austria-hungary|bulgaria|russia|romania|elsewhere"]


@pytest.mark.rule("11.9", "17.9/1", "17.12", "11.2", "11.3", "17.14")
def test_a_supply_unit_doubles_the_movement_of_all_units_in_its_radius() -> None:
    march = PLAIN + "2619: CP-supply-1 radius=2 movement=2\n2619 clear\n2625 country=germany\n"
    far = ["2621", "2622", "2623", "2624", "2625"]
    assert cost(march, *far, forced="CP-supply-1") == 10
    state = after(march, "move", unit="Ger-8", way=far, forced="CP-supply-1")
    assert state.units["CP-supply-1"].place == "Available"
    assert state.value("marching", "Ger-8") is True
    assert cost(PLAIN.replace("movement=4", "movement=4 marching"), *far) == 10
    late = march.replace("radius=2", "radius=2 moved")
    assert "it has moved" in reasons(move(late, "2621", forced="CP-supply-1"))
    away = march.replace("2619: CP", "2612: CP")
    assert "not within the radius" in reasons(move(away, "2621", forced="CP-supply-1"))
    own = "turn=2\n2619: CP-supply-1 radius=2 movement=2\n2620 clear\n"
    assert "its own Forced March" in reasons(move(own, "2620", unit="CP-supply-1", forced="CP-supply-1"))
    assert "not a supply unit of its side" in reasons(
        move(ENEMY + "2618: Allied-supply-1 radius=4\n", "2621", forced="Allied-supply-1")
    )
    supply = "2619: CP-supply-1 radius=2 movement=2\n"
    still = PLAIN.replace("movement=4", "movement=0") + supply
    assert "Ger-8 has no movement factor" in reasons(move(still, "2621", forced="CP-supply-1"))
    neutral = f"turn=2\n2620: Rom-1 movement=3\n2621 clear country=romania\n{supply}"
    assert "neutral and do not move" in reasons(move(neutral, "2621", unit="Rom-1", forced="CP-supply-1"))
    text = PLAIN + "2619: AH-4 movement=3 radius=2\n2619 clear\n"
    assert "AH-4 is not a supply unit of its side" in reasons(move(text, "2621", forced="AH-4"))
    assert move(PLAIN.replace("movement=4", "movement=4 marching"), "2621").result.allowance == 16


@pytest.mark.rule("13.4", "11.1", "13.5", "11.7")
def test_a_unit_stops_in_the_first_enemy_zone_and_leaves_one_for_a_point() -> None:
    assert "must stop in 2622, in the zone of control of" in reasons(move(ENEMY, "2621", "2622", "2621"))
    near = PLAIN.replace("2620: Ger-8", "2622: Ger-8") + "2623: Rus-2 movement=3\n2620 clear\n"
    left = move(near, "2621").result
    assert (left.cost, left.disengages) == (4, True)
    again = move(near, "2621", "2622")
    assert again.result.cost == 6, "it may enter another hex of an enemy zone later"
    ring = (
        PLAIN.replace("2620: Ger-8", "2622: Ger-8")
        + "2623: Rus-2 movement=3\n2721: Rus-3 movement=3\n2621: Rus-5 movement=3\n"
    )
    assert "it leads out of the zone of control of" in reasons(
        move(ring.replace("movement=4", "movement=1"), "2722", "2723")
    )
    entered = move(ENEMY, "2621", "2622").result.entered
    assert [one.stops for one in entered] == [False, True]
    assert [one.disengages for one in entered] == [False, False]
    near = PLAIN + "2619: Rus-2 movement=3\n"
    left = move(near, "2621", "2622").result
    assert [(one.cost, one.disengages, one.stops) for one in left.entered] == [(4, True, False), (2, False, False)]


@pytest.mark.rule("12.1/1", "12.1/2", "12.1/3", "12.1/4", "12.2", "12.3", "11.1")
def test_units_that_stand_together_when_the_phase_ends_are_told_and_none_twice() -> None:
    assert move(PLAIN + "2621: AH-4\n", "2621").result.over_stacked
    assert not move(PLAIN + "2621: AH-4\n", "2621", "2622").result.over_stacked, "units pass through friends"
    assert not move(PLAIN + "2621: CP-supply-1\n", "2621").result.over_stacked
    assert "over the stacking limits" in str(move(PLAIN + "2621: AH-4\n", "2621"))
    assert not move(PLAIN + "2620 clear\n", "2621", "2620").result.over_stacked


@pytest.mark.rule("22.0", "22.1/2", "22.1/3", "22.2", "11.4")
def test_seasons_change_what_forests_rivers_and_lakes_cost() -> None:
    assert cost(PLAIN, "2720", "2721") == 8
    wood = PLAIN.replace("2621,", "2521,").replace("2721 forest", "2621 forest")
    assert cost(wood, "2621") == 2
    assert cost(wood.replace("turn=2", SEASONS["winter"]), "2621") == 4
    thaw = wood.replace("turn=2", SEASONS["thaw"])
    assert cost(thaw + "2621 country=russia\n", "2621") == 4
    assert cost(thaw + "2621 country=germany\n", "2621") == 2
    river = "2620 | 2621 river\n"
    assert cost(WINTER + river, "2621") == 2
    assert cost(THAW + river + "2621 country=russia\n", "2621") == 4
    lake = PLAIN + "chart terrain-cost summer lake = 2\n2620 | 2621 lake\n"
    assert cost(lake, "2621") == 6
    assert cost(lake + "2620 | 2621 lake river\n", "2621") == 8
    assert cost(lake.replace("turn=2", SEASONS["winter"]), "2621") == 2
    shut = lake.replace("lake = 2", "lake = prohibited") + "2620 | 2621 lake river\n"
    assert "the Terrain Effects Chart prohibits it" in reasons(move(shut, "2621"))


@pytest.mark.rule("7.3/2", "17.1")
def test_hexes_entered_come_under_control_if_they_are_known_to_be_the_enemys() -> None:
    held = PLAIN + "2621 control=allies\n"
    state = after(held, "move", unit="Ger-8", way=["2621", "2622"])
    assert (state.value("control", "2621"), state.value("taken", "2621")) == ("central-powers", True)
    assert ("control", "2622") not in state.facts
    for there, over in (("2622: AH-4", True), ("2621: AH-4", False)):
        found = move(f"{held}{there}\n", "2621", "2622").result
        assert (found.over_stacked, found.railed, found.rail_left) == (over, 0, 9), there

    def taken(line: str) -> set[str]:
        found = move(PLAIN + line, "2621", "2622")
        assert found.verdict.kind == "yes", found
        return {one.subject for one in found.changes if one.track == "taken"}

    assert taken("2621, 2622 control=allies\n") == {"2621", "2622"}
    assert taken("2621 control=central-powers\n") == set()
    assert taken("scenario=1914\n2621 country=russia\n2622 country=germany\n") == {"2621"}
    assert taken("2621 country=russia\n") == set(), "the front line of the scenario is not known"
    assert taken("scenario=1914\n") == set(), "its country is not known"
    assert taken("turn=2 scenario=1914\n2621 control=allies objective\n") == {"2621"}
    assert taken("2621: AH-4\n2621 control=allies\n") == set(), "a friend holds it"


@pytest.mark.rule("11.1")
def test_a_way_is_a_chain_of_hexes_of_the_map() -> None:
    with pytest.raises(InputError, match="not adjacent to"):
        move(PLAIN, "2622")
    with pytest.raises(InputError, match="not on the map"):
        move(PLAIN + "AH-4 movement=3\n", "2621", unit="AH-4")


@pytest.mark.rule("11.1", "11.6")
def test_reach_lists_the_hexes_within_the_allowance_with_their_costs() -> None:
    assert "no movement" in reasons(ask(PLAIN.replace("movement=4", "movement=0"), "reach", unit="Ger-8"))
    slow = ask(PLAIN.replace("movement=4", "movement=1"), "reach", unit="Ger-8")
    assert [(one.hex, one.cost, one.left, one.minimum) for one in slow.result.hexes] == [
        ("2621", 2, 0, False),
        ("2720", 2, 0, True),
        ("2721", 2, 0, False),
    ]
    (hexes,) = (part.steps for part in slow.parts if part.title == "Hexes")
    assert [(one.rule, one.text) for one in hexes] == [
        ("11.1", "2621: 1 by 2621"),
        ("11.6", "2720: 1 by 2720"),
        ("11.1", "2721: 1 by 2721"),
    ]
    stays = ask(PLAIN + "phase=first-combat\n", "reach", unit="Ger-8")
    assert (stays.verdict.text, stays.result.hexes, stays.result.unknown) == ("Ger-8 cannot move (1 reason)", (), ())
    known = PLAIN + "".join(f"{hex} all-sea\n" for hex in ("2520", "2521", "2619"))
    clear = ask(known.replace("movement=4", "movement=1"), "reach", unit="Ger-8")
    assert (clear.verdict.text, left_out(clear)) == ("Ger-8 can move to 3 hexes", [])


def left_out(report: Any) -> list[tuple[str, str]]:
    """What a report on reach says of ground that is not stated."""
    return [(one.rule, one.text) for part in report.parts if part.title == "Left out" for one in part.steps]


STOPS = "13.4", "the unit must stop in 2622, in the zone of control of Rus-2"
BEYOND = {"2523": STOPS, "2623": ("12.4", "enemies stand there")}


@pytest.mark.rule("11.1", "11.6")
@pytest.mark.parametrize(
    ("points", "more", "besides", "barred", "unknown"),
    [
        (4, "", {}, BEYOND | {"2723": STOPS}, "2719 2722 2819 2820 2821"),
        (4, "2722 clear", {"2722": (4, ("2621", "2722"), 2)}, BEYOND, "2719 2723 2819 2820 2821 2822"),
        (3, "2722 rough", {}, BEYOND | {"2723": STOPS}, "2820 2821"),
    ],
)
def test_reach_by_land_has_the_cheapest_way_to_each_hex_and_what_is_left_there(
    points: int, more: str, besides: dict[str, Any], barred: dict[str, Any], unknown: str
) -> None:
    """An enemy zone bars hexes beyond it, but none to which another way leads or may lead, nor one that is too dear."""
    report = ask(f"{ENEMY}{more}\n".replace("Ger-8 movement=4", f"Ger-8 movement={points}"), "reach", unit="Ger-8")
    ways = {"2621": (2, ("2621",), points - 1), "2721": (2, ("2721",), points - 1)}
    ways |= {"2622": (4, ("2621", "2622"), points - 2), **besides, "2720": (6, ("2720",), points - 3)}
    found = report.result
    assert [(one.hex, (one.cost, one.way, one.left)) for one in found.hexes] == [*ways.items()], "the cheapest first"
    assert {one.hex: (one.rule, one.barred) for one in found.barred} == barred
    assert found.unknown == ("2520", "2521", "2522", "2619", *unknown.split())
    said = f"the ground of {', '.join(found.unknown)} is not stated, or what lies on the way into them"
    assert left_out(report) == [("11.1", said)]
    assert (found.unit, found.at, found.allowance, report.asks) == ("Ger-8", "2620", 2 * points, ())
    assert not any(one.minimum for one in found.hexes)


@pytest.mark.rule("11.1", "11.6")
def test_a_hex_may_be_reached_more_cheaply_over_ground_that_is_not_stated() -> None:
    """By road to 2721 and 2522 for a point; half a point might do for the first, but not for the other."""
    text = "turn=2\n2620: Ger-8 movement=2\n2620=2720=2721\n2620=2521=2522\n2620=2621\n"
    report = ask(f"{text}2621, 2720, 2521 clear\n2619 all-sea\n", "reach", unit="Ger-8")
    assert [(one.hex, one.cost, one.left) for one in report.result.hexes] == [
        ("2521", 1, 1.5),
        ("2621", 1, 1.5),
        ("2720", 1, 1.5),
        ("2522", 2, 1),
        ("2721", 2, 1),
    ]
    assert [(one.hex, one.rule, one.barred) for one in report.result.barred] == [("2619", "11.7", "all-sea")]
    assert ("2721" in report.result.unknown, "2522" in report.result.unknown) == (True, False)
    assert report.verdict.text == ("Ger-8 can move to at least 5 hexes; too little is stated of the ground of 12 hexes")


@pytest.mark.rule("11.1", "11.6")
def test_reach_asks_for_what_is_missing_where_it_is_not_ground_alone() -> None:
    season = ask(PLAIN.replace("turn=2", ""), "reach", unit="Ger-8")
    assert ([one.key for one in season.asks], season.result) == ([("turn", "")], None)
    wild = "".join(f"{hex} rough\n" for hex in ("2520", "2521", "2619", "2621", "2720", "2721"))
    both = ask(f"2620: Ger-8 movement=1\n{wild}chart terrain-cost summer rough = 3\n", "reach", unit="Ger-8")
    assert (both.result, ("turn", "") in [fact.key for fact in both.asks]) == (None, True)
    bare = ask("turn=2\n2620: Ger-8 movement=1\n", "reach", unit="Ger-8")
    around = ("2520", "2521", "2619", "2621", "2720", "2721")
    assert (bare.verdict.kind, bare.verdict.text) == (
        "undecided",
        "undecided: too little is stated of the ground of 6 hexes",
    )
    assert ([one.key for one in bare.asks], bare.result.unknown) == ([("terrain", hex) for hex in around], around)
    one = ask("turn=2\n2620: Ger-8 movement=1\n2621 clear\n", "reach", unit="Ger-8")
    assert ([each.hex for each in one.result.hexes], one.asks) == (["2621"], ())
    assert one.result.unknown == ("2520", "2521", "2619", "2720", "2721"), "it has nothing left for a second hex"


@pytest.mark.rule("11.4", "22.1/2", "22.2", "11.1")
def test_what_no_chart_prices_is_asked_for_and_unstated_ground_is_asked_for_too() -> None:
    bare = "turn=2\n2620: Ger-8 movement=4\n"
    assert [one.key for one in move(bare, "2621").asks] == [("terrain", "2621")]
    assert [one.key for one in move(bare, "2621", "2622").asks] == [("terrain", "2621"), ("terrain", "2622")]
    assert ("terrain-cost", "summer", "marsh") in [one.key for one in move(bare + "2621 marsh\n", "2621").asks]
    thaw = bare.replace("turn=2", SEASONS["thaw"]) + "2621 forest\n"
    assert [one.key for one in move(thaw, "2621").asks] == [("country", "2621")]
    assert [one.key for one in move(thaw.replace("forest", "clear"), "2621").asks] == []


@pytest.mark.rule("11.6")
@pytest.mark.parametrize(("reading", "kind"), [("yes", "yes"), ("no", "no")])
def test_the_ruling_matters_only_for_a_unit_with_no_more_than_the_point_of_its_disengagement(
    reading: str, kind: str
) -> None:
    near = PLAIN.replace("turn=2", f"turn=2\nruling minimum-disengage={reading}") + "2520: Rus-2 movement=3\n"
    one, two = (near.replace("movement=4", f"movement={points}") for points in (1, 2))
    assert move(one, "2720").verdict.kind == kind
    found = move(two, "2720")
    assert (found.verdict.kind, found.result.minimum) == ("yes", True), "it has a point besides"
    free = PLAIN.replace("turn=2", f"turn=2\nruling minimum-disengage={reading}").replace("movement=4", "movement=1")
    assert move(free, "2720").verdict.kind == "yes", "it does not disengage"


@pytest.mark.rule("11.7", "11.8", "23.3")
@pytest.mark.parametrize(
    ("unit", "into"),
    [
        ("Rom-1", ("austria-hungary", "bulgaria", "romania", "russia")),
        ("Bul-3", ("bulgaria", "romania")),
    ],
)
def test_romanians_and_bulgarians_do_not_leave_the_balkans(unit: str, into: tuple[str, ...]) -> None:
    text = f"turn=20\n2620: {unit} movement=3\n2620 | 2621 open\n2621 clear country="
    for country in ("austria-hungary", "bulgaria", "germany", "romania", "russia"):
        found = move(f"{text}{country}\n", "2621", unit=unit)
        assert [one.key for one in move(text.replace(" country=", "\n"), "2621", unit=unit).asks] == [
            ("country", "2621")
        ]
        assert found.verdict.kind == ("yes" if country in into else "no"), country
        if found.verdict.kind == "no":
            assert [one.rule for one in found.parts[0].steps] == ["23.3"]


@pytest.mark.rule("11.1", "11.2", "11.3", "11.6", "11.9", "17.9/1", "17.12")
def test_reach_in_a_forced_march() -> None:
    march = PLAIN + "2619: CP-supply-1 radius=2 movement=2\n2619 clear\n2625 country=germany\n"
    near = {"2619": 2, "2621": 2, "2721": 2, "2622": 4, "2623": 6, "2720": 6, "2624": 8}

    def reached(text: str, supply: str = "") -> tuple[int, dict[str, int], str]:
        found = ask(text, "reach", unit="Ger-8", **({"forced": supply} if supply else {}))
        costs = {hex.hex: hex.cost for hex in found.result.hexes}
        return found.result.allowance, costs, "" if found.verdict.kind == "figure" else reasons(found)

    assert reached(march) == (8, near, "")
    assert reached(march, "CP-supply-1") == (16, near | {"2625": 10}, "")
    far = reached(march.replace("2619: CP", "2612: CP"), "CP-supply-1")
    beyond = "2620 is 8 hexes from CP-supply-1, whose radius is 2"
    assert far == (16, {}, f"Ger-8 is not within the radius of CP-supply-1, 2 hexes: {beyond}")
    fights = reached(march + "phase=first-combat\n")
    assert fights == (8, {}, "units move only in the Movement Phase, but this is first-combat")


@pytest.mark.rule("17.1", "17.9/1")
def test_what_a_move_changes_and_marks() -> None:
    state = after(PLAIN, "move", unit="Ger-8", way=["2621", "2622"])
    assert (state.units["Ger-8"].place, state.value("moved", "Ger-8")) == ("2622", True)
    assert ("railed", "central-powers") not in state.facts
    supply = "turn=2 phasing=central-powers\n2620: CP-supply-1 movement=2 radius=2\n2621 clear\n"
    assert move(supply, "2621", unit="CP-supply-1").result.cost == 2
    assert after(supply, "move", unit="CP-supply-1", way=["2621"]).value("moved", "CP-supply-1") is True
    assert game().track("moved").ends_with == ("turn", "phasing")
