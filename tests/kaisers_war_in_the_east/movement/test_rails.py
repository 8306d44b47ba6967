"""Movement by rail: supply, capacity, nets, borders, the Serbian transit, armoured trains (18, 21.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.util.errors import InputError

from ..examples import after, ask, reasons

LINE = """
turn=2 scenario=1914
2620: AH-4 movement=3, CP-supply-1 movement=2 radius=2
2620, 2621, 2622, 2623, 2624 country=austria-hungary
2622, 2623, 2624 clear
2620=2621=2622=2623=2624
"""
"""An Austro-Hungarian army with a supply unit on a railroad of five hexes."""
TO_2624 = ("2621", "2622", "2623", "2624")


def rail(position: str, *way: str, unit: str = "AH-4", **parameters: Any) -> Any:
    """The report on a move by rail."""
    return ask(position, "move", unit=unit, way=list(way or TO_2624), by="rail", **parameters)


@pytest.mark.rule("18.0", "18.1", "18.2", "11.1")
def test_a_rail_move_costs_a_point_however_far_it_leads() -> None:
    found = rail(LINE).result
    assert (found.cost, found.entered[-1].hex, found.railed, found.rail_left) == (2, "2624", 3, 6)
    assert after(LINE, "move", unit="AH-4", way=list(TO_2624), by="rail").units["AH-4"].place == "2624"
    broken = LINE.replace("2622=2623", "2622/2623")
    assert "no railroad leads from" in reasons(rail(broken + "side central-powers whole-network\n"))
    assert "2622|2623 assumed to have a railroad" in str(rail(broken))


@pytest.mark.rule("17.6", "18.1", "18.2", "21.4")
def test_a_rail_move_begins_in_general_supply_or_tells_or_asks_why_not() -> None:
    alone = LINE.replace(", CP-supply-1 movement=2 radius=2", "") + "side central-powers whole-network\n"
    assert rail(alone + "2720: CP-supply-1 radius=2 movement=2\n").verdict.kind == "yes"
    assert "AH-4 is not in General Supply in 2620: no supply unit of its side is on the map" in reasons(rail(alone))
    away = LINE.replace("movement=3, CP-supply-1", "movement=3 supply=out\n2640: CP-supply-1")
    away = away.replace("2620=2621=2622=2623=2624\n", "")
    assert "AH-4 is not in General Supply in 2620: as stated" in reasons(rail(away))
    far = LINE.replace(
        "2620: AH-4 movement=3, CP-supply-1 movement=2 radius=2", "2620: AH-4 movement=3\n2640: CP-supply-1 radius=2"
    )
    far = far.replace("2620=2621=2622=2623=2624\n", "")
    assert [one.name for one in rail(far).asks] == ["railroad.AH-4"]
    train = far.replace("AH-4 movement=3", "AH-train-1 movement=5")
    assert rail(train, unit="AH-train-1").asks == ()
    hexes = [f"26{row}" for row in range(21, 29)]
    text = f"turn=2\n2620: AH-4 movement=9\n{', '.join(hexes)} clear\n4040: CP-supply-1 radius=1\n"
    asked = ask(text, "move", unit="AH-4", way=hexes, by="rail", entrain="2626")
    assert [one.name for one in asked.asks] == ["railroad.AH-4"]
    cut = ask(
        text + "side central-powers whole-network\n2620=2621\n",
        "move",
        unit="AH-4",
        way=hexes,
        by="rail",
        entrain="2626",
    )
    assert cut.verdict.kind == "no"


@pytest.mark.rule("18.2")
@pytest.mark.parametrize(("unit", "thirds"), [("AH-4", 3), ("AH-inf-1", 1), ("B-E", 3), ("CP-supply-1", 1)])
def test_three_army_equivalents_move_by_rail_in_a_phase(unit: str, thirds: int) -> None:
    position = LINE.replace("AH-4", f"{unit} movement=3, AH-7" if unit != "CP-supply-1" else "AH-4")
    position = position.replace("AH-7 movement=3", "AH-7")
    found = rail(position, unit=unit).result
    assert (found.railed, found.rail_left) == (thirds, 9 - thirds)
    assert after(position, "move", unit=unit, way=list(TO_2624), by="rail").value("railed", "central-powers") == thirds
    full = position + f"side central-powers railed={10 - thirds}\n"
    assert "exceed the capacity of 9" in reasons(rail(full, unit=unit))
    assert rail(position + f"side central-powers railed={9 - thirds}\n", unit=unit).result.rail_left == 0


@pytest.mark.rule("18.2")
def test_what_an_abteilung_takes_is_a_ruling() -> None:
    german = LINE.replace("AH-4", "Ger-Abt-1")
    assert rail(german, unit="Ger-Abt-1").result.railed == 3
    assert rail("ruling abteilung-rail=other\n" + german, unit="Ger-Abt-1").result.railed == 1


@pytest.mark.rule("18.3", "18.2")
def test_germans_and_supply_units_of_the_central_powers_move_within_germany_at_no_charge() -> None:
    german = LINE.replace("austria-hungary", "germany").replace("AH-4", "Ger-8")
    assert rail(german, unit="Ger-8").result.railed == 0
    assert rail(german, unit="CP-supply-1").result.railed == 0
    assert rail(german.replace("Ger-8", "AH-4")).result.railed == 3
    out = german.replace("2623, 2624 country=germany", "2623 country=germany\n2624 country=austria-hungary")
    assert rail(out, unit="Ger-8").result.railed == 3
    assert rail(out, *TO_2624[:3], unit="Ger-8").result.railed == 0
    walks = rail(out, unit="Ger-8", detrain="2623").result
    assert ([one.how for one in walks.entered], walks.railed, walks.rail_left) == (["rail"] * 3 + ["road"], 0, 9)
    assert rail(german + "side central-powers railed=9\n", unit="Ger-8").verdict.kind == "yes"
    text = LINE.replace("country=austria-hungary", "country=germany control=allies")
    text = text.replace("AH-4 movement=3, CP-supply-1", "Rus-2 movement=3, Allied-supply-1")
    assert rail(text, unit="Rus-2").result.railed == 3
    assert rail(text, unit="Allied-supply-1").result.railed == 1
    ours = LINE.replace("austria-hungary", "germany").replace("CP-supply-1", "austro-hungarian supply - S")
    assert rail(ours, unit="S").result.railed == 0, "supply units of any nation"


@pytest.mark.rule("18.4")
def test_hexes_controlled_since_the_phase_began_are_used_and_the_russian_border_is_not_crossed() -> None:
    assert "does not control 2623" in reasons(rail(LINE + "2623 control=allies\n"))
    assert "has come under control only this phase" in reasons(rail(LINE + "2623 control=central-powers taken\n"))
    captured = LINE.replace(
        "2623, 2624 country=austria-hungary", "2623, 2624 country=austria-hungary control=central-powers"
    )
    assert rail(captured).verdict.kind == "yes"
    unstated = LINE.replace("2620, 2621, 2622, 2623, 2624 country=austria-hungary\n", "")
    assert "under own control since the phase began" in str(rail(unstated))
    abroad = LINE.replace(
        "2623, 2624 country=austria-hungary", "2623 country=austria-hungary\n2624 country=russia control=central-powers"
    )
    assert "may not cross the Russian border" in reasons(rail(abroad))
    assert rail(abroad, *TO_2624[:3]).verdict.kind == "yes"
    inside = LINE.replace("2621, 2622, 2623, 2624 country=austria-hungary", "2619 country=austria-hungary\n")
    inside += "2621, 2622, 2623, 2624 country=russia control=central-powers\n2621 clear\n"
    marched = rail(inside, entrain="2621")
    assert "may not cross the Russian border" in reasons(marched), (
        "only units that start the phase there use rail there"
    )
    begun = (
        inside.replace("2620: AH-4", "2621: AH-4")
        .replace(", CP-supply-1", "\n2721: CP-supply-1")
        .replace("2622, 2623, 2624 clear", "")
    )
    assert rail(begun, *TO_2624[1:]).verdict.kind == "yes"
    text = LINE.replace(
        "2620, 2621, 2622, 2623, 2624 country=austria-hungary\n", "2620, 2624 country=austria-hungary\n"
    )
    assert rail(text).verdict.kind == "yes"
    russian = text.replace("2620, 2624 country=austria-hungary\n", "2620, 2624 country=russia control=central-powers\n")
    assert rail(russian).verdict.kind == "yes"


@pytest.mark.rule("18.5", "18.2", "11.1", "13.4", "13.5", "11.0", "18.1")
def test_rail_and_march_combine_but_do_not_leave_an_enemy_zone() -> None:
    way = ("2620", "2621", "2622", "2722")
    mixed = LINE.replace("2620: AH-4 movement=3,", "2720: AH-4 movement=3\n2620:") + "2620, 2722 clear\n"
    found = rail(mixed, *way, entrain="2620", detrain="2622")
    assert [one.how for one in found.result.entered] == ["land", "rail", "rail", "land"]
    assert found.result.cost == 6
    weak = mixed.replace("AH-4 movement=3", "AH-4 movement=2")
    assert "3 Movement Points are needed" in reasons(rail(weak, *way, entrain="2620", detrain="2622"))
    with pytest.raises(InputError, match="not on the route"):
        rail(mixed, "2620", entrain="2625")
    with pytest.raises(InputError, match="enters no hex"):
        rail(mixed, "2620", "2621", entrain="2621")
    with pytest.raises(InputError, match="by=rail"):
        ask(mixed, "move", unit="AH-4", way=["2620"], entrain="2620")
    enemy = LINE + "2723: Rus-2 movement=3\n2723 control=allies\n"
    near = rail(enemy, "2621", "2622")
    assert near.result.entered[-1].stops and near.verdict.kind == "yes"
    assert "must stop in 2622, in the zone of control of" in reasons(rail(enemy, "2621", "2622", "2623"))
    beside = LINE + "2619: Rus-2 movement=3\n"
    assert rail(beside).result.cost == 4, "1 for the rail move, 1 to disengage"
    assert "enemies stand there" in reasons(
        rail(LINE.replace("2623, 2624 country", "2624 country") + "2623: Rus-2 movement=3\n")
    )
    text = LINE + "2723: Rus-2 movement=3\n2723 control=allies\n2522 clear\n"
    stopped = rail(text, "2621", "2622", "2522", detrain="2622")
    assert "must stop in 2622, in the zone of control of" in reasons(stopped)
    left = ask(LINE + "2520: Rus-2 movement=3\n2721 clear\n", "move", unit="AH-4", way=["2621"])
    assert (left.verdict.kind, left.result.cost) == ("yes", 3), "it leaves the zone where it stands"
    marched = ask(LINE, "move", unit="AH-4", way=["2621"])
    assert (marched.result.by, rail(LINE, "2621").result.by) == ("land", "rail")
    assert (marched.result.railed, marched.result.rail_left) == (0, 9)


@pytest.mark.rule("18.1", "18.4", "18.5", "18.6")
def test_the_serbian_transit_line_is_crossed_whole_by_the_central_powers_from_1916() -> None:
    position = """
turn={turn} scenario=1914
2620: AH-4 movement=3, CP-supply-1 movement=2 radius=2
2620, 2621 country=austria-hungary
2622 country=elsewhere
2623 country=bulgaria control=central-powers
nation bulgarian belligerent
2620=2621=2622=2623
2621 | 2622 serbian-transit
2622 | 2623 serbian-transit
"""
    assert rail(position.format(turn=14), "2621", "2622", "2623").verdict.kind == "yes"
    assert "opens only with the first turn of 1916" in reasons(rail(position.format(turn=13), "2621", "2622", "2623"))
    assert "must end on the other side" in reasons(rail(position.format(turn=14), "2621", "2622"))
    allied = position.replace("AH-4", "Rus-2").replace("CP-supply", "Allied-supply").format(turn=14)
    allied = allied.replace("country=austria-hungary", "country=austria-hungary control=allies")
    assert "may not use" in reasons(
        rail(allied.replace("control=central-powers", "control=allies"), "2621", "2622", "2623", unit="Rus-2")
    )
    text = """
turn=14 scenario=1914
nation bulgarian belligerent
2619: AH-4 movement=3, CP-supply-1 movement=2 radius=2
2619, 2620 country=austria-hungary
2621 country=elsewhere
2622, 2623 country=bulgaria control=central-powers
2619=2620=2621=2622=2623
2620 | 2621 serbian-transit
2621 | 2622 serbian-transit
"""
    assert rail(text, "2620").verdict.kind == "yes", "it does not use the line"
    assert "transit line, not in 2621" in reasons(rail(text, "2620", "2621"))
    unstated = text.replace("2622, 2623 country=bulgaria", "2622, 2623")
    assert [one.key for one in rail(unstated, "2620", "2621", "2622").asks] == [("country", "2622")]


@pytest.mark.rule("21.4", "18.2")
def test_armoured_trains_keep_to_the_net_need_no_supply_and_take_no_capacity() -> None:
    train = LINE.replace("AH-4 movement=3, CP-supply-1 movement=2 radius=2", "AH-train-1 movement=5")
    found = rail(train, unit="AH-train-1")
    assert (found.verdict.kind, found.result.railed) == ("yes", 0)
    abroad = train.replace(
        "2623, 2624 country=austria-hungary", "2623 country=austria-hungary\n2624 country=russia control=central-powers"
    )
    assert rail(abroad, unit="AH-train-1").verdict.kind == "yes"
    assert "does not control 2624" in reasons(
        rail(abroad.replace("control=central-powers", "control=allies"), unit="AH-train-1")
    )
    whole = train + "side central-powers whole-network\n2720 clear\n"
    assert "no railroad leads from" in reasons(ask(whole, "move", unit="AH-train-1", way=["2720"]))
    assert ask(whole, "move", unit="AH-train-1", way=["2621"]).result.cost == 1
    train = LINE.replace("AH-4 movement=3", "AH-train-1 movement=5") + "side central-powers railed=9\n"
    found = rail(train, unit="AH-train-1").result
    assert (found.railed, found.rail_left) == (0, 0)
    reached = ask(train, "reach", unit="AH-train-1", by="rail")
    assert (reached.verdict.kind, len(reached.result.hexes)) == ("figure", 4)
    for railed, unit, text in ((7, "AH-4", 3), (9, "CP-supply-1", 1)):
        full = ask(LINE + f"side central-powers railed={railed}\n", "reach", unit=unit, by="rail")
        over = f"{railed} thirds of an Army Equivalent have moved by rail; {text} more exceed the capacity of 9"
        assert ([one.rule for one in full.parts[0].steps], reasons(full)) == (["18.2"], over)
    just = ask(LINE + "side central-powers railed=6\n", "reach", unit="AH-4", by="rail")
    assert [(one.hex, one.cost, one.left) for one in just.result.hexes] == [(hex, 2, 2) for hex in TO_2624]
    german = train.replace("AH-train-1", "german armoured-train - T").replace(
        "2621, 2622, 2623, 2624 country", "2621, 2622 country"
    )
    german = german.replace("austria-hungary", "germany")
    assert rail(german, unit="T").asks == (), "its country does not matter"


@pytest.mark.rule("18.1", "18.4", "18.2", "21.4", "11.1", "18.5")
def test_reach_by_rail_follows_the_net_and_stops_in_enemy_zones() -> None:
    found = ask(LINE, "reach", unit="AH-4", by="rail").result.hexes
    assert {one.hex: one.cost for one in found} == dict.fromkeys(TO_2624, 2)
    held = LINE + "2623 control=allies\n"
    assert [one.hex for one in ask(held, "reach", unit="AH-4", by="rail").result.hexes] == ["2621", "2622"]
    enemy = LINE + "2723: Rus-2 movement=3\n2723 control=allies\n"
    assert [one.hex for one in ask(enemy, "reach", unit="AH-4", by="rail").result.hexes] == ["2621", "2622"]
    fork = LINE + "2621=2721\n2522: Rus-2 movement=3\n"
    assert [one.hex for one in ask(fork, "reach", unit="AH-4", by="rail").result.hexes] == ["2621"]
    near = LINE.replace("movement=3", "movement=4") + "2520: Rus-2 movement=3\n"
    found = ask(near, "reach", unit="AH-4", by="rail").result.hexes
    assert {one.hex: one.cost for one in found} == dict.fromkeys(TO_2624, 4), "it disengages first"


@pytest.mark.rule("11.1", "11.6", "13.5", "18.1", "18.4", "18.5")
def test_where_all_railroads_are_stated_reach_by_rail_has_no_minimum_move_and_only_they_lead_on() -> None:
    def reached(text: str) -> tuple[dict[str, int], list[tuple[str, ...]], tuple[str, ...]]:
        found = ask(f"{text}side central-powers whole-network\n", "reach", unit="AH-4", by="rail").result
        barred = [(hex.hex, hex.rule, hex.barred) for hex in found.barred]
        return {hex.hex: hex.cost for hex in found.hexes}, barred, found.unknown

    slow, enemy = LINE.replace("AH-4 movement=3", "AH-4 movement=1"), "2520: Rus-2 movement=3\n"
    assert reached(LINE) == reached(slow) == (dict.fromkeys(TO_2624, 2), [], ())
    lost = [("2623", "18.4", "its side does not control 2623")]
    assert reached(f"{LINE}{enemy}2623 control=allies\n") == ({"2621": 4, "2622": 4}, lost, ()), "it disengages first"
    assert reached(slow + enemy) == ({}, [], ()), "that takes two Movement Points"
