"""What bars a step: enemies, water and what leads over it, garrisons, markers, provinces and areas (8.0, 8.1.5, 8.1.6, 23.3)."""

from __future__ import annotations

import pytest

from assistant.installed.registry import load_game
from assistant.state.changes import Change
from assistant.state.state import hexside
from twilight_in_the_east.ground.hexsides import is_outside_bukowina

from ....conftest import answered, ruled, told, typed, why_not
from .ground import CHART, COUNTER, ENEMY_TURN, NOW, changes_of, german, moved, reached, russian, text_of


@pytest.mark.rule("8.0")
def test_no_unit_enters_a_hex_with_enemies_whatever_they_are() -> None:
    for enemy in (german("G"), "german minor-depot - G", "german fort - G", german("G", "entrained")):
        assert why_not(moved(f"30.20: {russian('R')}\n30.19: {enemy}", "R", "30.19")) == ["4.2"]
    assert why_not(moved(f"30.20: {russian('R')}\n30.19: {russian('S')}", "R", "30.19")) == []


@pytest.mark.rule("4.1.1a", "6.3.1b")
def test_artillery_of_its_own_side_leaves_no_hex_to_who_comes() -> None:
    area = 'army "russian First" area="30.20 30.19"'
    report = moved(f"30.20: {russian('R', 'army=First')}\n30.19: russian artillery - A\n{area}", "R", "30.19")
    assert why_not(report) == []


@pytest.mark.rule("8.0", "8.1.6", "4.1.1a")
def test_who_leaves_a_hex_first_is_told_before_what_else_closes_it() -> None:
    """Artillery at the other end of a causeway, in Romania: as long as it stands there, nothing else is said."""
    text = "30.20|30.19 {}\n30.20: {}\n30.19 country={}\n{}"
    guns = "30.19: german artillery - A"
    for over, country, there, rules in (
        ("open", "romanian", guns, ["9.5.1"]),
        ("open", "romanian", "", ["1.2.2"]),
        ("causeway", "russian", guns, ["9.5.1"]),
        ("causeway", "russian", "30.19 control=central-powers", ["8.1.6"]),
        ("causeway", "russian", "30.19 control=russian", []),
        ("lake", "russian", "", ["8.1.1"]),
        ("lake", "russian", guns, ["4.2"]),
    ):
        position = text.format(over, russian("R"), country, there)
        assert why_not(moved(position, "R", "30.19")) == rules, (over, country, there)


@pytest.mark.rule("4.1.1a")
@pytest.mark.parametrize(
    ("mover", "enemies", "river", "rule"),
    [
        ("infantry", "german artillery - A", "major-river no-crossing", "4.1.1a"),
        ("cavalry", "german artillery - A, german corps-train - T", "grand-river ferry", "4.1.1a"),
        ("infantry", "german artillery - A, german infantry XX G", "major-river no-crossing", "4.2"),
        ("infantry", "german minor-depot - D", "major-river no-crossing", "4.2"),
        ("infantry", "german artillery - A", "lake", "4.2"),
        ("artillery", "german artillery - A", "open", "4.2"),
        ("infantry", "german artillery - A", "open", "9.5.1"),
        ("infantry", "german corps-train - T", "minor-river", "9.8.1"),
        ("infantry", 'german corps-train - "KG Train"', "open", "4.2"),
        ("infantry", 'german artillery - A, german corps-train - "KG Train"', "open", "4.2"),
    ],
)
def test_artillery_and_trains_make_room_for_who_crosses_a_great_river(
    mover: str, enemies: str, river: str, rule: str
) -> None:
    size = "-" if mover == "artillery" else "XX"
    text = f"30.20: russian {mover} {size} R (9-9-0-9) movement=9\n30.19: {enemies}\n30.20|30.19 {river}"
    report = moved(text, "R", "30.19")
    assert why_not(report) == [rule]
    assert ("A must first leave the hex" in report.verdict.text) is (rule in ("4.1.1a", "9.5.1") and "T" not in enemies)


GUNS = "30.20: russian infantry XX R (9-9-0-9) movement={}\n30.19: german artillery - A\n30.20|30.19 {}"


@pytest.mark.rule("4.1.1a")
@pytest.mark.parametrize(
    ("movement", "river", "rule"),
    [
        (2, "major-river no-crossing", "8.3"),
        (3, "major-river no-crossing", "4.1.1a"),
        (9, "lake", "4.2"),
        (9, "grand-river no-crossing", "8.1.1"),
    ],
)
def test_artillery_stays_where_a_crossing_cannot_be_paid_for(movement: int, river: str, rule: str) -> None:
    text = f"chart terrain-cost summer grand-river = prohibited\n{GUNS.format(movement, river)}"
    report = moved(text, "R", "30.19")
    assert why_not(report) == [rule]
    assert ("A must first leave" in report.verdict.text) is (rule == "4.1.1a")
    if rule != "4.2":
        barred = {hex.hex: hex.rule for hex in reached(text, "R").result.barred}
        assert barred["30.19"] == {"8.3": "4.2"}.get(rule, rule)


@pytest.mark.rule("4.1.1a")
def test_who_makes_no_forced_march_cannot_pay_for_a_crossing_with_one() -> None:
    text = GUNS.format(5, "major-river no-crossing")
    assert why_not(moved(text, "R", "30.19", forced=False)) == ["8.3"]
    assert why_not(moved(text, "R", "30.19")) == ["4.1.1a"]
    ends = {hex.hex: hex.rule for hex in reached(text, "R", forced=False).result.barred}
    assert ends["30.19"] == "4.2"
    later = GUNS.format(5, "major-river no-crossing").replace("30.20:", "30.21:")
    assert why_not(moved(later, "R", "30.20,30.19")) == ["4.1.1a"]
    assert why_not(moved(later, "R", "30.20,30.19", ground=[3, 6])) == ["8.3"]
    text = GUNS.format(2, "major-river no-crossing").replace("artillery - A", "artillery - A, german infantry XX G")
    assert why_not(moved(text, "R", "30.19")) == ["4.2"]


def bar_of_artillery(start: str, movement: int, more: str) -> str:
    """What bars the artillery to R, which can come to it over one river alone: all its other hexsides are lakes."""
    around = [hex for hex in load_game("twilight-in-the-east").board("").neighbours("30.19") if hex != "30.20"]
    lakes = "\n".join(f"{hexside('30.19', hex)} lake" for hex in around)
    text = GUNS.format(movement, "major-river no-crossing").replace("30.20:", f"{start}:")
    barred = reached(f"{text}\n{lakes}\n{more}", "R").result.barred
    return {hex.hex: hex.rule for hex in barred}["30.19"]


@pytest.mark.rule("4.1.1a")
@pytest.mark.parametrize(
    ("start", "spent", "enough"),
    [("30.20", "", 3), ("30.20", "R spent=march:0.5", 4), ("30.20", "R spent=march:1", 4), ("30.21", "", 5)],
)
def test_a_crossing_is_within_reach_of_who_can_pay_the_whole_way(start: str, spent: str, enough: int) -> None:
    assert bar_of_artillery(start, enough, spent) == "4.1.1a"
    assert bar_of_artillery(start, enough - 1, spent) == "4.2"


@pytest.mark.rule("4.1.1a")
@pytest.mark.parametrize(
    ("start", "spent", "ruling", "enough"),
    [
        ("31.20", "", "each", 7),
        ("31.20", "", "once", 6),
        ("30.20", "", "once", 4),
        ("30.20", "R spent=march:1", "once", 5),
        ("30.20", 'R spent=march:2+zones:1 passed="31.20 30.20"', "each", 7),
        ("30.20", 'R spent=march:2+zones:1 passed="31.20 30.20"', "once", 6),
    ],
)
def test_a_crossing_out_of_a_zone_is_paid_for_as_any_step(start: str, spent: str, ruling: str, enough: int) -> None:
    zone = f"29.20: german infantry XX G\n31.19|31.20 lake\nruling ezoc-leaving={ruling}\n{spent}"
    assert bar_of_artillery(start, enough, zone) == "4.1.1a"
    assert bar_of_artillery(start, enough - 1, zone) == "4.2"


@pytest.mark.rule("4.1.1a")
@pytest.mark.parametrize(("movement", "rule"), [(3, "4.1.1a"), (2, "4.2")])
def test_of_all_ways_over_a_river_the_cheapest_is_enough(movement: int, rule: str) -> None:
    rivers = "\n".join(f"30.19|{hex} major-river no-crossing" for hex in ("31.19", "29.19", "30.18"))
    barred = reached(f"{GUNS.format(movement, 'major-river no-crossing')}\n{rivers}", "R").result.barred
    assert {hex.hex: hex.rule for hex in barred}["30.19"] == rule


@pytest.mark.rule("4.1.1a")
def test_what_a_crossing_costs_is_asked_for_before_artillery_leaves() -> None:
    text = GUNS.format(5, "major-river no-crossing")
    report = moved(text, "R", "30.19", without="30.19")
    assert [ask.key for ask in report.asks] == [("terrain", "30.19")]


@pytest.mark.rule("8.1.1b", "8.1.4")
@pytest.mark.parametrize(
    ("units", "alone"), [("R,S", "to units that move together: each alone may use the road"), ("R", "")]
)
def test_a_stack_learns_that_each_of_its_units_may_use_the_road(units: str, alone: str) -> None:
    text = f"30.20: {russian('R')}, {russian('S')}\n30.19 high-mountain\n30.19|30.20 primary-road"
    report = moved(text, units, "30.19", without="30.19")
    assert report.verdict.text.endswith(alone)
    assert why_not(report) == (["8.1.1"] if alone else [])


@pytest.mark.rule("8.1.1b")
def test_what_the_chart_prohibits_is_closed_to_all_and_said_of_nobody_alone() -> None:
    why = "the Terrain Effects Chart prohibits the move there, or the move back"
    report = moved(f"30.20: {russian('R')}, {russian('S')}\n30.19 high-mountain", "R,S", "30.19", without="30.19")
    assert report.verdict.text == f"R, S cannot go to 30.19: {why}"
    text = text_of(f"30.20: {russian('R')}\n30.19 high-mountain", without="30.19")
    assert "30.19" not in {place.hex for place in answered(typed(text), "reach", units="R").result.hexes}
    (hex,) = answered(typed(text.replace("30.19 high-mountain", "")), "ezoc", units="R", way="30.19").result.hexes
    assert (hex.barred, hex.extra) == ("", 0)


@pytest.mark.rule("11.2.4a")
def test_the_sea_is_a_hex_that_no_unit_enters() -> None:
    report = moved(f"30.20: {russian('R')}\n30.19 sea", "R", "30.19", without="30.19")
    assert report.verdict.text == "R cannot go to 30.19: it is a sea hex"
    across = moved(f"30.20: {russian('R')}\n30.19|30.20 sea", "R", "30.19")
    assert across.verdict.text == "R cannot go to 30.19: the hexside cannot be crossed: sea"


@pytest.mark.rule("8.4.2")
@pytest.mark.parametrize(
    ("now", "rules"), [(NOW, []), (COUNTER, ["8.4.2"]), (ENEMY_TURN, ["5.4"])], ids=["movement", "counter", "enemy"]
)
def test_a_marker_pins_a_unit_in_its_counter_movement_phase(now: str, rules: list[str]) -> None:
    text = f"30.20: {russian('R')}\n31.20: {german('G', 'prepared=30.20')}"
    assert why_not(moved(text, "R", "30.21", now)) == rules
    assert (reached(text, "R", now).verdict.kind == "figure") is not (now == ENEMY_TURN)
    if now == COUNTER:
        assert reached(text, "R", now).result.hexes == ()


@pytest.mark.rule("8.4.2")
def test_who_enters_a_hex_at_which_a_marker_points_stops_there() -> None:
    text = f"30.21: russian cavalry XX R (9-9-0-9) movement=20\n31.20: {german('G', 'prepared=30.20')}\n30.20: {russian('F')}"
    assert why_not(moved(text, "R", "30.20", COUNTER)) == []
    report = moved(text, "R", "30.20,30.19", COUNTER)
    assert why_not(report) == ["8.4.2"]
    assert (
        report.verdict.text == "R cannot go to 30.19: R may not leave 30.20: Prepared Attack markers of G point at it"
    )


CAUSEWAY = "49.29 clear\n48.29 clear\n48.29|49.29 lake causeway\n"


def crossing(units: str, more: str = "", now: str = NOW, names: str = "R") -> list[str]:
    """The rules against the way of units over the causeway from 48.29 to 49.29."""
    text = f"{CHART}{now}{CAUSEWAY}48.29: {units}\n{more}"
    return why_not(answered(typed(text), "move", units=names, way="49.29"))


FREE = "49.29 control=russian"


@pytest.mark.rule("8.1.6")
def test_a_causeway_is_crossed_between_hexes_that_the_side_controls() -> None:
    assert crossing(russian("R"), FREE) == []
    assert crossing(russian("R"), "49.29 control=central-powers") == ["8.1.6"]
    assert crossing(russian("R"), "49.29: russian infantry III F") == []
    assert crossing(russian("R"), f"{FREE}\n48.29|49.29 crossed=assets:1") == []
    assert crossing(russian("R"), f"49.29: {german('G')}") == ["4.2"]
    assert crossing(russian("R"), f"{FREE}\n48.29 control=central-powers") == [], "troops control the hex they are in"
    text = f"{CHART}{NOW}{CAUSEWAY}48.29: {russian('R')}"
    assert [ask.key for ask in answered(typed(text), "move", units="R", way="49.29").asks] == [("control", "49.29")]
    without = typed(f"{CHART}{NOW}{CAUSEWAY.replace(' causeway', '')}{FREE}\n48.29: {russian('R')}")
    assert why_not(answered(without, "move", units="R", way="49.29")) == ["8.1.1"]


@pytest.mark.rule("8.1.6")
@pytest.mark.parametrize(
    ("units", "names", "crossed", "rules"),
    [
        ("russian infantry XX R", "R", "divisions:1", ["8.1.6"]),
        ("russian infantry XX R", "R", "brigades:1", ["8.1.6"]),
        ("russian infantry X R", "R", "brigades:1", []),
        ("russian infantry X R", "R", "assets:2", []),
        ("russian infantry X R", "R", "assets:3", ["8.1.6"]),
        ("russian infantry X R", "R", "brigades:2", ["8.1.6"]),
        ("russian infantry III R", "R", "assets:3", []),
        ("russian infantry III R", "R", "assets:4", ["8.1.6"]),
        ("russian infantry III R", "R", "divisions:1", []),
        ("russian infantry III R", "R", "divisions:1+assets:1", ["8.1.6"]),
        ("russian artillery - R", "R", "assets:4", ["8.1.6"]),
        ("russian corps-train - R", "R", "assets:4", ["8.1.6"]),
        ("russian cavalry XX R asset", "R", "divisions:1", []),
        ("russian cavalry XX R", "R", "divisions:1", ["8.1.6"]),
        ("russian infantry XX R, russian infantry III S", "R,S", "assets:1", ["8.1.6"]),
        ("russian infantry XX R, russian infantry III S", "R,S", "", []),
    ],
)
def test_how_many_cross_a_causeway_in_a_phase(units: str, names: str, crossed: str, rules: list[str]) -> None:
    more = f"{FREE}\n48.29|49.29 crossed={crossed}" if crossed else FREE
    assert crossing(units, more, names=names) == rules


@pytest.mark.rule("8.1.6")
def test_what_a_corps_train_counts_for_at_a_causeway_is_a_ruling() -> None:
    train = "russian corps-train - R movement=7"
    assert crossing(train, f"{FREE}\n48.29|49.29 crossed=assets:4\nruling causeway-trains=free") == []
    text = f"{CHART}{NOW}{CAUSEWAY}{FREE}\n48.29: {train}"
    report = answered(typed(text), "move", units="R", way="49.29")
    assert ruled(report, "causeway-trains") == "assets"
    assert changes_of(report, "crossed") == {("crossed", "48.29|49.29"): "assets:1"}
    besides = answered(typed(text.replace(train, russian("R"))), "move", units="R", way="49.29")
    assert ruled(besides, "causeway-trains") == ""


@pytest.mark.rule("8.1.6")
def test_a_unit_counts_once_however_often_it_crosses_a_causeway() -> None:
    text = f"{CHART}{NOW}{CAUSEWAY}{FREE}\n48.29: {russian('R')}"
    report = answered(typed(text), "move", units="R", way="49.29,48.29,49.29")
    crossed = [change for change in report.changes if isinstance(change, Change) and change.track == "crossed"]
    assert [change.after for change in crossed] == ["divisions:1"]
    again = (
        text.replace("48.29: ", "48.29 control=russian\n48.29|49.29 crossed=divisions:1\n49.29: ")
        + ' spent=march:2 passed="48.29 49.29"'
    )
    report = answered(typed(again), "move", units="R", way="48.29")
    assert report.result.moves[0].end == "48.29"
    assert changes_of(report, "crossed") in ({}, {("crossed", "48.29|49.29"): "divisions:1"})
    elsewhere = again.replace('48.29 49.29"', '50.29 49.29"')
    assert why_not(answered(typed(elsewhere), "move", units="R", way="48.29")) == ["8.1.6"]


@pytest.mark.rule("8.1c", "8.1.6")
def test_who_has_crossed_a_causeway_is_recorded() -> None:
    text = f"{CHART}{NOW}{CAUSEWAY}{FREE}\n48.29|49.29 crossed=assets:1\n48.29: {russian('R')}"
    report = answered(typed(text), "move", units="R", way="49.29")
    assert changes_of(report, "crossed") == {("crossed", "48.29|49.29"): "divisions:1+assets:1"}
    assert report.result.moves[0].points * 2 == 3
    assert ruled(report, "causeway-cost") == "instead"
    longer = text.replace("48.29: ", "47.29 clear\n47.29: ")
    assert changes_of(answered(typed(longer), "move", units="R", way="48.29,49.29"), "crossed") == {
        ("crossed", "48.29|49.29"): "divisions:1+assets:1"
    }
    assert changes_of(moved(f"30.20: {russian('R')}", "R", "30.19"), "crossed") == {}


PILLAU = f"{CHART}turn=5 phase=movement phasing=central-powers\n66.18 clear\n67.18 clear\n66.18|67.18 sea\n"


@pytest.mark.rule("8.1.5")
@pytest.mark.parametrize(
    ("unit", "control", "rules"),
    [
        (german("G"), "central-powers", []),
        (german("G"), "russian", ["8.1.1"]),
        ("austro-hungarian infantry XX G (9-9-0-9) movement=7", "central-powers", ["8.1.1"]),
    ],
)
def test_germans_cross_the_strait_at_pillau(unit: str, control: str, rules: list[str]) -> None:
    text = f"{PILLAU}66.18 control={control}\n67.18: {unit}"
    assert why_not(answered(typed(text), "move", units="G", way="66.18")) == rules
    hexes = [place.hex for place in answered(typed(text), "reach", units="G").result.hexes]
    assert ("66.18" in hexes) is not rules or ("66.18" in hexes) is (not rules)


@pytest.mark.rule("8.1.5")
def test_who_controls_pillau_is_asked_for() -> None:
    report = answered(typed(f"{PILLAU}67.18: {german('G')}"), "move", units="G", way="66.18")
    assert [ask.key for ask in report.asks] == [("control", "66.18")]
    there = typed(f"{PILLAU}66.18: {german('G')}")
    assert answered(there, "move", units="G", way="67.18").result.moves[0].points == 2


@pytest.mark.rule("23.3", "1.2.2")
def test_the_units_of_fischer_stay_in_bukowina() -> None:
    assert not is_outside_bukowina("bukowina")
    assert not is_outside_bukowina(""), "as far as is stated"
    assert is_outside_bukowina("none")
    text = "20.20 clear\n20.19 clear{}\n20.20: austro-hungarian infantry II {} asset movement=7\n"
    now = "turn=5 phase=movement phasing=central-powers\n"
    for name, province, rules in (
        ("Fischer", " province=bukowina", []),
        ("Fischer", " province=none", ["23.3"]),
        ("Other", " province=none", []),
        ("Other", "", []),
    ):
        position = typed(f"{CHART}{now}{text.format(province, name)}")
        assert why_not(answered(position, "move", units=name, way="20.19")) == rules
    asked = answered(typed(f"{CHART}{now}{text.format('', 'Fischer')}"), "move", units="Fischer", way="20.19")
    assert [ask.key for ask in asked.asks] == [("province", "20.19")]
    text = "20.20: austro-hungarian infantry II Fischer asset movement=7\n20.20 clear\n20.19 clear country=romanian"
    now = "turn=5 phase=movement phasing=central-powers\n"
    report = answered(typed(f"{CHART}{now}{text}\nruling off-map-move=removed"), "move", units="Fischer", way="20.19")
    assert (why_not(report), report.asks) == ([], ())


@pytest.mark.rule("1.2.2")
def test_romania_is_off_the_map() -> None:
    report = moved(f"30.20: {russian('R')}\n30.19 country=romanian", "R", "30.19")
    assert (why_not(report), ruled(report, "off-map-move")) == (["1.2.2"], "refused")
    assert "30.19: it lies in Romania, which is off the map" in report.verdict.text + " ".join(
        told(report, "Not allowed")
    )
    removed = moved(f"ruling off-map-move=removed\n30.20: {russian('R')}\n30.19 country=romanian", "R", "30.19")
    assert (why_not(removed), ruled(removed, "off-map-move")) == ([], "removed")
    assert why_not(moved(f"30.20: {russian('R')}\n30.19 country=russian", "R", "30.19")) == []


@pytest.mark.rule("6.3.1b")
def test_the_area_of_its_army_binds_a_unit_next_to_enemies() -> None:
    text = f'30.20: {russian("R", "army=First")}\n30.17: {german("G")}\narmy "russian First" area="{{}}"'
    assert why_not(moved(text.format("30.20 30.19"), "R", "30.19,30.18")) == ["6.3.1"]
    assert why_not(moved(text.format("30.20 30.18"), "R", "30.19,30.18")) == [], "an area binds only next to enemies"
    report = reached(text.format("30.20 30.19"), "R")
    assert {"30.18"} == {option.hex for option in report.result.barred} & {"30.18", "30.19"}


@pytest.mark.rule("12.4.1")
def test_a_fortress_garrison_stays_with_its_fortress() -> None:
    text = "30.20: russian fortress - F complex=K, {}\n30.19: russian fort - H complex={}"
    same, other = (text.format(russian("R", "garrison"), name) for name in ("K", "L"))
    assert why_not(moved(same, "R", "30.19")) == []
    assert why_not(moved(other, "R", "30.19")) == ["12.4.1"]
    assert [place.hex for place in reached(same, "R").result.hexes] == ["30.19"]


@pytest.mark.rule("8.1.4a")
def test_friends_in_the_way_crowd_the_road_but_not_those_in_rail_mode() -> None:
    road = "30.20|30.19 primary-road\n30.20: " + russian("R")
    for friend, points in (
        ("", "3/2"),
        (russian("F"), "2"),
        (russian("F", "entrained"), "3/2"),
        (russian("F", "reduced"), "2"),
        ("russian cavalry XX F", "2"),
        ("russian infantry III F", "3/2"),
        ("russian fort - F", "3/2"),
    ):
        there = f"\n30.19: {friend}" if friend else ""
        assert str(moved(f"{road}{there}", "R", "30.19").result.moves[0].points) == points
    position = typed(text_of(f"{road}\n30.19 rough\n30.19: {russian('F')}", without="30.19"))
    assert str(answered(position, "move", units="R", way="30.19").result.moves[0].points) == "5/2"


@pytest.mark.rule("8.1.4a")
@pytest.mark.parametrize(("reading", "points", "added"), [("left-out", "3/2", 0), ("counted", "5/2", 1)])
def test_whether_friends_in_rail_mode_crowd_the_road_is_a_ruling(reading: str, points: str, added: int) -> None:
    text = f"ruling rail-mode-road={reading}\n30.20|30.19 primary-road\n30.19 rough\n30.20: {russian('R')}\n30.19: "
    entrained = text_of(f"{text}{russian('F', 'entrained')}", without="30.19")
    report = answered(typed(entrained), "move", units="R", way="30.19")
    assert (str(report.result.moves[0].points), ruled(report, "rail-mode-road")) == (points, reading)
    (place,) = [place for place in answered(typed(entrained), "reach", units="R").result.hexes if place.hex == "30.19"]
    assert str(place.points) == points
    looked = answered(typed(entrained), "ezoc", units="R", way="30.19")
    assert sum("by road" in line for line in told(looked, "Assumed")) == added
    for friend in (russian("F"), "russian infantry III F entrained", german("F", "entrained")):
        other = answered(typed(text_of(f"{text}{friend}", without="30.19")), "move", units="R", way="30.19")
        assert ruled(other, "rail-mode-road") == ""


@pytest.mark.rule("4.2b", "23.4.1")
def test_ground_closes_a_hex_by_the_chart_that_is_read_or_by_what_is_known_of_it() -> None:
    """A Grand River without crossing is closed to `ezoc`, which prices nothing; to `move` the chart says whether it is."""
    text = text_of(
        f"30.20: {russian('R')}\n30.20|30.19 grand-river no-crossing\nchart terrain-cost summer grand-river = 5"
    )
    looked = answered(typed(text), "ezoc", units="R", way="30.19")
    assert looked.result.hexes[0].barred == "the hexside cannot be crossed: a Grand River without bridge or ferry"
    assert moved(f"30.20: {russian('R')}\n30.20|30.19 lake", "R", "30.19").verdict.kind == "no"
    assert answered(typed(text), "move", units="R", way="30.19").result.moves[0].points == 7


@pytest.mark.parametrize(
    ("over", "terrain", "asked"),
    [
        ("major-river", "30.19 clear", {"crossing"}),
        ("escarpment", "30.19 clear", {"escarpment"}),
        ("major-river", "", {"crossing", "terrain"}),
    ],
)
def test_what_is_stated_of_a_hex_is_not_asked_for_once_more(over: str, terrain: str, asked: set[str]) -> None:
    text = f"30.20: {russian('R')}\n30.20|30.19 {over}\n{terrain}"
    assert {ask.key[0] for ask in moved(text, "R", "30.19", without="30.19").asks} == asked


def test_what_is_not_stated_of_a_way_is_asked_for_at_once() -> None:
    text = f"{CHART}{NOW}30.20: {russian('R')}\n30.18 clear\n30.17|30.16 major-river"
    report = answered(typed(text), "move", units="R", way="30.19,30.18,30.17,30.16")
    assert {ask.key for ask in report.asks} == {
        ("terrain", "30.19"),
        ("terrain", "30.17"),
        ("terrain", "30.16"),
        ("crossing", "30.16|30.17"),
    }
