"""Movement hex by hex: what it costs, what bars it, who may move, stacks, and what changes hands (3.3, 5.0, 5.3, 7.2, 10.2.3 to
10.4, 10.6).
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.service import picture
from assistant.state.changes import Change
from assistant.util.errors import InputError

from ..conftest import answered, ruled, typed, values, why_not
from ..lacking.checking import Removal, without
from .asking import GAME, undone

COLUMN = [f"30{row:02}" for row in range(10, 21)]
GROUND = f"""
scenario=historical
3009 map-edge=west+east
{"-".join(COLUMN)}
{chr(10).join(f"{at} clear town=none country=germany" for at in COLUMN)}
chart terrain-cost clear = 0
"""
"""A column of open hexes without rivers in Germany, which the chart prices at one Movement Point; at its end a map edge, so that
lines of supply are short."""


def replaced(position: str, *pairs: str) -> str:
    """A position with some words in place of others."""
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in position, old
        position = position.replace(old, new)
    return position


def ground(position: str, at: str, words: str) -> str:
    """A position where something else lies in one of these hexes."""
    return replaced(position, f"{at} clear town=none", f"{at} {words}")


GERMAN = GROUND + "turn=5 phasing=german phase=first-movement\n3015: XVII/36, XVII/35, 8A/1KB\n"
RUSSIAN = GROUND + "turn=5 phasing=russian phase=first-movement\n3015: III/25, III/27, IC/2GC\n"


def go(position: str, *way: str, units: str = "XVII/36", **asked: Any) -> Report[Any]:
    """The report on a move along a way."""
    return undone(position, "move", units=units.split(), way=list(way), **asked)


def cost(position: str, *way: str, **asked: Any) -> int:
    """What a move costs the first of its units."""
    report = go(position, *way, **asked)
    assert report.verdict.kind == "yes", report
    return int(report.result.units[0].cost)


def reasons(report: Report[Any]) -> str:
    """Why something is not allowed."""
    return " ".join(step.text for part in report.parts if part.title == "Not allowed" for step in part.steps)


RING = "2914: IV/40\n2917: IV/30\n3114: XX/28\n3117: XX/29\n"
"""Russians whose zones close all hexes around 3015."""


# --- costs -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.0/cost", "5.0/minimum")
def test_each_hex_costs_a_point_and_what_the_chart_adds_or_is_closed_by_it() -> None:
    assert cost(GERMAN, "3014") == 1
    assert cost(GERMAN, "3014", "3013", "3012") == 3
    dear = GERMAN + "chart terrain-cost forest = 1\nchart terrain-cost river = 2\nchart terrain-cost town = 1\n"
    assert cost(replaced(dear, "3014-3015", "3014~3015"), "3014") == 3
    assert cost(ground(dear, "3014", "forest town=none"), "3014") == 2
    assert cost(ground(dear, "3014", "forest town=none"), "3014", "3013") == 3
    assert cost(ground(dear, "3014", "forest town=town"), "3014") == 3
    report = go(GERMAN, "3014", "3013", "3012", "3011")
    assert reasons(report) == "3011: 4 Movement Points are needed, but XVII/36 has 3"
    assert why_not(report) == ["5.0"]
    lake = ground(GERMAN, "3014", "swamp town=none") + "chart terrain-cost swamp = prohibited\n"
    report = go(lake, "3014")
    assert (reasons(report), why_not(report)) == ("3014: the Terrain Effects Chart prohibits it", ["5.0"])


@pytest.mark.rule("5.0/cost")
def test_of_the_chart_only_those_cells_are_asked_for_that_a_way_needs() -> None:
    bare = replaced(GERMAN, "chart terrain-cost clear = 0\n", "")
    assert [ask.name for ask in go(bare, "3014").asks] == ["chart terrain-cost clear = cost"]
    beside = replaced(ground(bare, "3014", "swamp town=none"), "3013-3014", "3013~3014")
    asked = {ask.name for ask in go(beside, "3014", "3013").asks}
    assert asked == {f"chart terrain-cost {feature} = cost" for feature in ("swamp", "river", "clear")}


@pytest.mark.rule("5.0/cost", "5.0/minimum")
def test_ground_that_is_not_stated_is_asked_for_unless_it_makes_no_difference() -> None:
    asked = {ask.key for ask in go(GERMAN, "2915").asks}
    assert asked == {("terrain", "2915"), ("town", "2915"), ("barrier", "2915|3015")}
    features = ("clear", "forest", "swamp", "town", "city", "river", "lake", "sea")
    bare = replaced(GERMAN, "chart terrain-cost clear = 0\n", "")
    level = bare + "".join(f"chart terrain-cost {feature} = 0\n" for feature in features)
    assert cost(level, "2915") == 1
    assert {ask.key for ask in go(replaced(level, "town = 0", "town = 1"), "2915").asks} == {("town", "2915")}
    dear = level
    for feature in ("clear", "forest", "swamp", "sea"):
        dear = replaced(dear, f"cost {feature} = 0", f"cost {feature} = 1")
    assert cost(dear + "2915-3015\n", "2915") == 2
    shut = bare + "".join(f"chart terrain-cost {feature} = prohibited\n" for feature in features)
    assert {ask.key for ask in go(shut, "2915").asks} == {("town", "2915"), ("barrier", "2915|3015")}


@pytest.mark.rule("5.0/minimum", "5.0/cost")
def test_one_hex_is_always_allowed_for_all_that_a_unit_has() -> None:
    slow = replaced(GERMAN, "XVII/36", "XVII/36 ma=1") + RING
    crawls = go(slow, "3014").result.units[0]
    assert (crawls.allowance, crawls.cost, crawls.minimum) == (0, 0, True)
    weaker = go(slow.replace("ma=1", "ma=0"), "3014").result.units[0]
    assert (weaker.allowance, weaker.minimum) == (0, True)
    works = replaced(GERMAN, "XVII/36", "XVII/36 ma=1") + "3014 rail-cut\n"
    assert why_not(go(works, "3014", repair=["3014"])) == ["5.0"], "that is for a march alone"
    rides = replaced(GERMAN, "XVII/36", "XVII/36 ma=0 entrained") + "3015=3014\n"
    assert why_not(go(rides, "3014")) == ["5.0"]
    dear = ground(GERMAN, "3014", "forest town=none") + "chart terrain-cost forest = 4\n"
    found = go(dear, "3014")
    assert found.result.units[0].minimum
    assert (found.result.units[0].cost, found.result.units[0].left) == (3, 0)
    assert reasons(go(dear, "3014", "3013")) == "3014: 5 Movement Points are needed, but XVII/36 has 3"
    assert reasons(go(dear, "3016", "3015", "3014")).startswith("3014: 7")
    assert why_not(go(dear + "3014 fortress=3\n", "3014")) == [], "a fortress is closed to Russians alone"
    zones = dear + "3012: IV/40\n"
    assert go(zones, "3014").result.units[0].minimum


# --- zones of control, fortresses, enemies ------------------------------------------------------------------------------


ENEMY = GERMAN + "3012: IV/40\n"
"""A Russian division three hexes to the north."""


@pytest.mark.rule("3.3/movement", "5.0/minimum")
def test_a_unit_stops_in_enemy_zones_and_leaves_one_but_not_straight_into_another_without_a_friend() -> None:
    assert go(ENEMY, "3014", "3013").verdict.kind == "yes"
    far = replaced(ENEMY, "3012: IV/40", "3013: IV/40")
    report = go(far, "3014", "3015")
    assert reasons(report) == "3015: the unit must stop in 3014, in an enemy zone of control"
    assert why_not(report) == ["3.3"]
    near = GERMAN + "3014: IV/40\n3115, 2915 clear town=none\n3015-3115\n3015-2915\n"
    assert go(near, "3016", "3017").verdict.kind == "yes"
    report = go(near, "3115")
    assert reasons(report) == "3115: it leads from 3015 in an enemy zone of control into another"
    assert why_not(report) == ["3.3"]
    held = near + "3115: I/1\n3114 clear town=none\n3114-3115\n3116 clear town=none\n3115-3116\n"
    assert go(held, "3115").verdict.kind == "yes"
    assert "must stop in 3115" in reasons(go(held, "3115", "3116")), "a friend does not cancel the stop"
    river = replaced(near, "3014: IV/40", "3014: IV/40\n3014~3115")
    assert go(river, "3115").verdict.kind == "yes", "no zone crosses the river"
    report = go(GERMAN + "3113: IV/40\n", "3014", "3013")
    assert any("3013|3113 assumed to have no river" in step.text for part in report.parts for step in part.steps)


@pytest.mark.rule("3.3/fort-entry", "5.0/cost", "3.3/movement")
def test_enemies_and_to_russians_a_fortress_that_stands_bar_their_hex() -> None:
    fort = RUSSIAN + "3014 fortress=4\n"
    report = go(fort, "3014", units="III/25")
    assert why_not(report) == ["3.3"] and "fortress in 3014" in reasons(report)
    assert go(fort + "3014 destroyed\n", "3014", units="III/25").verdict.kind == "yes"
    assert reasons(go(replaced(ENEMY, "3012:", "3014:"), "3014")) == "3014: enemies stand there"


# --- who may move -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.5", "5.0/mover")
def test_units_of_the_phasing_side_move_once_in_each_of_two_phases_unless_disrupted() -> None:
    assert values(go(GERMAN, "3014"))["moved", "XVII/36"] is True
    assert "has already moved this phase" in reasons(go(GERMAN + "XVII/36 moved\n", "3014"))
    assert reasons(go(GERMAN + "XVII/36 disrupted\n", "3014")) == "XVII/36 is disrupted"
    assert why_not(go(GERMAN + "XVII/36 disrupted\n", "3014")) == ["3.5"]
    second = replaced(GERMAN, "first-movement", "second-movement")
    assert cost(second, "3014") == 1
    assert ("mp-left", "XVII/36") not in values(go(second, "3014"))
    for phase in ("first-combat", "second-combat"):
        assert why_not(go(replaced(GERMAN, "first-movement", phase), "3014")) == ["5.0"]
    assert (
        reasons(go(replaced(GERMAN, "phasing=german", "phasing=russian"), "3014"))
        == "it is the player turn of the Russian side"
    )


@pytest.mark.rule("9.4/41KB")
def test_a_fixed_unit_stays_until_a_russian_moves_next_to_it() -> None:
    fixed = GERMAN + "8A/1KB fixed\n"
    report = go(fixed, "3014", units="8A/1KB")
    assert (why_not(report), reasons(report)) == (["9.4"], "8A/1KB is fixed until it is released")
    east = RUSSIAN + "3012: 8A/41KB fixed\n"
    assert ("fixed", "8A/41KB") not in values(go(east, "3014", units="III/25"))
    assert values(go(east, "3014", "3013", units="III/25"))["fixed", "8A/41KB"] is False
    passed = RUSSIAN + "2914: 8A/41KB fixed\n3014~2914\n3013~2914\n3013~2913\n"
    assert values(go(passed, "3014", "3013", units="III/25"))["fixed", "8A/41KB"] is False
    beside = values(go(passed + "3114: 8A/2KB\n3014~3114\n3013~3114\n", "3014", units="III/25"))
    assert ("fixed", "8A/2KB") not in beside and beside["fixed", "8A/41KB"] is False
    own = GERMAN + "3013: 8A/41KB fixed\n"
    assert ("fixed", "8A/41KB") not in values(go(own, "3014"))


@pytest.mark.rule("10.6.2/effects")
def test_an_army_that_has_lost_its_headquarters_stays_for_three_turns_unless_its_die_releases_it() -> None:
    lost = RUSSIAN + 'options=russian-headquarters\narmy "russian first" headquarters-lost={}\n'
    for turn, kind in ((5, "no"), (4, "undecided"), (3, "undecided"), (2, "yes")):
        assert go(lost.format(turn), "3014", units="III/25").verdict.kind == kind, turn
    asked = go(lost.format(4), "3014", units="III/25").asks
    assert [ask.key for ask in asked] == [("released", "russian first")]
    for word, kind in (("yes", "yes"), ("no", "no")):
        rolled = lost.format(3) + f'army "russian first" released={word}\n'
        assert go(rolled, "3014", units="III/25").verdict.kind == kind
    assert why_not(go(lost.format(5), "3014", units="III/25")) == ["10.6.2"]
    other = lost.replace("russian first", "russian second").format(5)
    assert go(other, "3014", units="III/25").verdict.kind == "yes"
    assert (
        go(lost.format(5).replace("options=russian-headquarters\n", ""), "3014", units="III/25").verdict.kind == "yes"
    )


SECOND = replaced(RUSSIAN, "III/25, III/27, IC/2GC", "VI/16, 2A/4C")


@pytest.mark.rule("10.6.2.1/dies", "7.2", "10.6.2.1/survives")
def test_if_samsonov_survives_or_not_his_army_moves_otherwise_for_two_turns() -> None:
    dead = SECOND + "options=samsonov\nsamsonov=dies\nsamsonov-turn={}\n"
    for turn, kind in ((5, "yes"), (4, "no"), (3, "yes")):
        assert go(dead.format(turn), "3014", units="VI/16").verdict.kind == kind, turn
    assert why_not(go(dead.format(4), "3014", units="VI/16")) == ["10.6.2.1"]
    near = "3011: III/25\n"
    assert why_not(go(dead.format(5) + near, "3014", units="VI/16")) == ["7.2"]
    assert go(dead.format(3) + near, "3014", units="VI/16").verdict.kind == "yes"
    assert go(dead.format(2) + near, "3014", units="VI/16").verdict.kind == "yes"
    first = replaced(RUSSIAN, "scenario", "options=samsonov\nsamsonov=dies\nsamsonov-turn=4\nscenario")
    assert go(first, "3014", units="III/25").verdict.kind == "yes"
    near = RUSSIAN + "3011: VI/16\noptions=samsonov\nsamsonov={}\nsamsonov-turn={}\n"
    for word, turn, kind in (("dies", 4, "no"), ("dies", 3, "yes"), ("survives", 3, "no")):
        assert go(near.format(word, turn), "3014", units="III/25").verdict.kind == kind, (word, turn)
    assert go(SECOND, "3014", units="VI/16").asks == ()
    alive = SECOND + "options=samsonov\nsamsonov=survives\nsamsonov-turn=4\n"
    assert go(alive, "3014", units="VI/16").verdict.kind == "yes"
    dies, survives = (SECOND + f"samsonov={fate}\nsamsonov-turn=4\n" for fate in ("dies", "survives"))
    assert go(dies, "3014", units="VI/16").verdict.kind == "yes"
    assert go(survives, "3014", units="VI/16").result.units[0].allowance == 2
    alive = SECOND + "options=samsonov\nsamsonov=survives\nsamsonov-turn={}\n"
    for turn, allowance in ((5, 3), (4, 3), (3, 2)):
        assert go(alive.format(turn), "3014", units="VI/16").result.units[0].allowance == allowance, turn
    assert "VI/16: +1 Samsonov survives" in str(go(alive.format(5), "3014", units="VI/16"))
    first = RUSSIAN + "options=samsonov\nsamsonov=survives\nsamsonov-turn=5\n"
    assert go(first, "3014", units="III/25").result.units[0].allowance == 2
    assert go(alive.format(5) + "3011: III/25\n", "3014", units="VI/16").verdict.kind == "no", "7.2 stays in force"


# --- allowance ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.4/movement")
def test_without_a_line_of_supply_a_unit_has_a_point_less() -> None:
    cut_off = go(GERMAN + RING, "3014")
    assert [one.allowance for one in cut_off.result.units] == [2]
    assert "XVII/36: \u22121 without a line of supply" in str(cut_off)
    assert go(GERMAN + RING.replace("2914: IV/40\n", ""), "3014").result.units[0].allowance == 3
    assert "without a line" not in str(go(GERMAN, "3014"))


@pytest.mark.rule("5.0/cost")
def test_the_doubtful_allowance_of_the_fourth_division_is_a_ruling() -> None:
    doubtful = RUSSIAN.replace("III/25", "VI/4").replace(", III/27, IC/2GC", "")
    report = go(doubtful, "3014", units="VI/4")
    assert (report.result.units[0].allowance, ruled(report, "fourth-division")) == (1, "printed")
    inferred = go("ruling fourth-division=inferred\n" + doubtful, "3014", units="VI/4")
    assert inferred.result.units[0].allowance == 2
    stated = go("ruling fourth-division=inferred\n" + doubtful + "VI/4 ma=2\n", "3014", units="VI/4")
    assert (stated.result.units[0].allowance, ruled(stated, "fourth-division")) == (2, "")
    other = go("ruling fourth-division=inferred\n" + RUSSIAN.replace("III/25", "III/25 ma=1"), "3014", units="III/25")
    assert (other.result.units[0].allowance, ruled(other, "fourth-division")) == (1, "")


@pytest.mark.rule("10.3")
def test_a_forced_march_is_a_point_longer_and_keeps_clear_of_enemies() -> None:
    march = GERMAN + "options=forced-march\n"
    assert cost(march, "3014", "3013", "3012", "3011", forced=True) == 4
    assert "XVII/36: +1 forced march" in str(go(march, "3014", forced=True))
    assert why_not(go(GERMAN, "3014", forced=True)) == ["10.3"]
    assert reasons(go(GERMAN, "3014", forced=True)) == "the option forced-march is not in use"
    enemy = march + "3012: IV/40\n"
    assert why_not(go(enemy, "3014", "3013", forced=True)) == ["10.3"]
    assert go(enemy, "3014", forced=True).verdict.kind == "yes"
    river = replaced(enemy, "3012-3013", "3012~3013")
    assert "neither next to an enemy" in reasons(go(river, "3014", "3013", forced=True)), "the zone does not reach it"
    fort = replaced(RUSSIAN, "turn=5", "turn=5 options=forced-march") + "3012 fortress=3\n"
    assert why_not(go(fort, "3014", "3013", units="III/25", forced=True)) == ["10.3"], "a zone without an enemy unit"


# --- stacks -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.0/stacks")
def test_a_stack_leaves_units_on_its_way_and_picks_up_nobody() -> None:
    report = go(
        GERMAN, "3014", "3013", "3012", "3011", units="8A/1KB XVII/36 XVII/35", drop=["XVII/36@3012", "XVII/35@3014"]
    )
    changes = values(report)
    assert [(one.unit, one.end, one.cost, one.left) for one in report.result.units] == [
        ("8A/1KB", "3011", 4, 0),
        ("XVII/36", "3012", 3, 0),
        ("XVII/35", "3014", 1, 2),
    ]
    for unit, place, left in (("8A/1KB", "3011", 0), ("XVII/36", "3012", 0), ("XVII/35", "3014", 2)):
        assert changes["place", unit] == place
        assert changes["moved", unit] is True, "it can move no farther"
        assert changes["mp-left", unit] == left
    together = go(GERMAN, "3014", "3013", "3012", "3011", units="8A/1KB XVII/36")
    assert reasons(together) == "3011: 4 Movement Points are needed, but XVII/36 has 3"
    with pytest.raises(InputError, match="units: I/1 does not begin in 3015 with XVII/36") as refused:
        go(GERMAN + "3014: I/1\n", "3014", "3013", units="XVII/36 I/1")
    assert refused.value.hint == "a moving stack picks up no units: ask for its move apart"
    for text in ("XVII/35@3011", "I/1@3014", "XVII/35", "XVII/35@3015"):
        with pytest.raises(InputError, match="drop: ") as refused:
            go(GERMAN, "3014", "3013", units="XVII/36 XVII/35", drop=[text])
        assert refused.value.hint == "type it so: XVII/35@3013"


@pytest.mark.rule("3.2")
def test_what_is_then_over_the_stacking_limits_is_told() -> None:
    full = GERMAN + "3014: I/1, I/2, 8A/3R\n"
    assert go(full, "3014").result.over == ("3014",)
    assert go(full, "3014", "3013").result.over == ()
    assert go(full, "3014", "3013", units="XVII/36 XVII/35", drop=["XVII/35@3014"]).result.over == ("3014",)


@pytest.mark.rule("5.0/mover", "5.3/entry")
def test_a_way_is_a_chain_of_hexes_and_a_unit_is_on_the_map() -> None:
    with pytest.raises(InputError, match="way: 3013 is not adjacent to 3015") as skipped:
        go(GERMAN, "3013")
    assert skipped.value.hint == "name every hex entered, in order"
    with pytest.raises(InputError, match="way: it must enter at least one hex"):
        go(GERMAN)
    gone = typed(f"game {GAME}\n{GERMAN}")
    state = apply_changes(gone.game, gone.state, [Change("place", "XVII/36", "3015", None, "6.4")])
    for question, asked in (("move", {"units": ["XVII/36"], "way": ["0115"]}), ("reach", {"unit": "XVII/36"})):
        with pytest.raises(InputError, match="XVII/36 is not on the map") as away:
            answered(Position(gone.game, state), question, **asked)
        assert away.value.hint == "state its hex, or the turn in which it arrives: XVII/36 arrives=5"


# --- the two Russian armies -----------------------------------------------------------------------------------------------


@pytest.mark.rule("7.2")
def test_three_hexes_lie_between_the_two_russian_armies_without_their_dummies() -> None:
    apart = RUSSIAN + "3010: VI/16\n"
    assert go(apart, "3014", units="III/25").verdict.kind == "yes"
    report = go(apart, "3014", "3013", units="III/25")
    assert (why_not(report), ruled(report, "rivalry-distance")) == (["7.2"], "four")
    assert reasons(report) == "3013: the First and the Second Army keep three hexes free between them"
    three = "ruling rivalry-distance=three\n" + apart
    assert go(three, "3014", "3013", units="III/25").verdict.kind == "yes"
    assert why_not(go(three + "3011: 2A/4C\n", "3014", "3013", units="III/25")) == ["7.2"]
    assert go(apart + "rivalry-ended\n", "3014", "3013", units="III/25").verdict.kind == "yes"
    assert go(replaced(apart, "VI/16", "XX/28"), "3014", "3013", units="III/25").verdict.kind == "yes"
    both = replaced(SECOND, "3015:", "3010: III/25\n3015:")
    assert why_not(go(both, "3014", "3013", units="VI/16")) == ["7.2"], "of either army"
    assert go(GERMAN + "3010: VI/16\n", "3014", "3013").verdict.kind == "yes", "Germans keep no distance"
    near = replaced(RUSSIAN, "III/25, III/27, IC/2GC", "Dummy/R1") + "3011: VI/16\n2712: II/26\n"
    assert go(near, "3014", "3013", units="Dummy/R1").verdict.kind == "yes"
    assert go(f"{RUSSIAN}3011: Dummy/R1\n", "3014", "3013", units="III/25").verdict.kind == "yes"


@pytest.mark.rule("7.2")
def test_an_army_that_is_not_stated_is_asked_for_while_the_armies_keep_apart() -> None:
    def asked_for(text: str, unit: str) -> list[tuple[str | int, ...]]:
        unknown = without(typed(f"game {GAME}\n{text}"), Removal("its army", {("army", "R1")}))
        return [each.key for each in answered(unknown, "move", units=[unit], way=["3014"]).asks]

    near, mover = "3010: russian infantry second R1 (4-4)\n", "3015: russian infantry first R1 (4-4)\n"
    assert asked_for(RUSSIAN + near, "III/25") == asked_for(RUSSIAN + mover, "R1") == [("army", "R1")]
    assert asked_for(f"{RUSSIAN}{near}rivalry-ended\n", "III/25") == []
    assert asked_for(GERMAN + "3010: german infantry 8th R1 (4-4)\n", "XVII/36") == []


# --- control --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2.0/Control", "10.2.3")
def test_hexes_that_units_pass_come_under_control_of_cavalry_for_a_point_by_option() -> None:
    assert {subject for track, subject in values(go(GERMAN, "3014", "3013")) if track == "control"} == set()
    taken = values(go(RUSSIAN, "3014", "3013", units="III/25"))
    assert {key: value for key, value in taken.items() if key[0] == "control"} == {
        ("control", at): "russian" for at in ("3015", "3014", "3013")
    }
    back = values(go(GERMAN + "3014 control=russian\n", "3014"))
    assert back["control", "3014"] == "german"
    rides = RUSSIAN + "options=cavalry-control\n"
    plain = values(go(RUSSIAN, "3014", units="IC/2GC"))
    assert plain["control", "3014"] == "russian"
    assert not [key for key in values(go(rides, "3014", "3013", units="IC/2GC")) if key[0] == "control"]
    held = go(rides, "3014", "3013", units="IC/2GC", hold=["3014"])
    assert (held.result.units[0].cost, values(held)["control", "3014"]) == (3, "russian")
    assert ("control", "3013") not in values(held)
    assert reasons(go(rides, "3014", "3013", "3012", units="IC/2GC", hold=["3014"])).startswith(
        "3012: 4 Movement Points"
    )
    assert why_not(go(rides, "3014", units="III/25", hold=["3014"])) == ["10.2.3"]
    assert why_not(go(RUSSIAN, "3014", units="IC/2GC", hold=["3014"])) == ["10.2.3"]
    here = go(rides, units="IC/2GC", hold=["3015"])
    assert (here.result.units[0].left, values(here)["control", "3015"]) == (2, "russian")
    mixed = values(go(rides, "3014", "3013", units="III/25 IC/2GC", drop=["III/25@3014"]))
    assert mixed["control", "3014"] == "russian" and ("control", "3013") not in mixed


# --- refugees --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.4")
@pytest.mark.parametrize(
    ("turn", "town", "points"), [(4, "town", 2), (4, "city", 2), (5, "town", 1), (4, "none", 1), (1, "city", 2)]
)
def test_refugees_fill_towns_and_cities_on_the_first_four_turns(turn: int, town: str, points: int) -> None:
    crowded = replaced(GERMAN, "turn=5", f"turn={turn} options=refugees")
    crowded = (
        ground(crowded, "3014", f"clear town={town}") + "chart terrain-cost town = 0\nchart terrain-cost city = 0\n"
    )
    assert cost(crowded, "3014") == points
    assert cost(crowded.replace(" options=refugees", ""), "3014") == 1


# --- reinforcements ----------------------------------------------------------------------------------------------------------

ENTRY = (
    GROUND
    + """
turn=5 phasing=german phase=first-movement
I/1 arrives=5
0115 forest town=none map-edge=west
0215 clear town=none map-edge=none
0115-0215
chart terrain-cost forest = 1
"""
)


@pytest.mark.rule("5.3/entry", "5.0/minimum", "5.0/cost", "3.4/movement", "3.4/trace")
def test_reinforcements_enter_by_their_edge_on_their_turn_and_so_begins_their_reach() -> None:
    found = go(ENTRY, "0115", units="I/1")
    assert (found.result.units[0].cost, values(found)["place", "I/1"]) == (2, "0115")
    assert cost(ENTRY, "0115", "0215", units="I/1") == 3
    assert why_not(go(ENTRY, "0215", units="I/1")) == ["5.3"]
    for old, new in (("arrives=5", "arrives=6"), ("arrives=5", "arrives=4"), ("first-movement", "second-movement")):
        assert why_not(go(replaced(ENTRY, old, new), "0115", units="I/1")) == ["5.3"]
    east = replaced(ENTRY, "phasing=german", "phasing=russian", "I/1", "XX/28")
    assert "the eastern edge" in reasons(go(east, "0115", units="XX/28"))
    at_east = replaced(east, "0115 forest town=none map-edge=west", "0115 forest town=none map-edge=east")
    assert cost(at_east, "0115", units="XX/28") == 2
    report = undone(ENTRY, "reach", unit="I/1")
    found = report.result.hexes
    assert (report.result.at, report.result.allowance) == ("", 3), "off the map it is in supply"
    assert {one.hex: (one.cost, one.way) for one in found} == {"0115": (2, ("0115",)), "0215": (3, ("0115", "0215"))}


@pytest.mark.rule("5.0/minimum", "5.0/cost")
def test_on_unknown_ground_it_is_not_known_where_a_unit_can_move() -> None:
    text = "turn=2 phase=first-movement phasing=german\n{}3014: XVII/36 supply=in\n"
    report = undone(text.format(""), "reach", unit="XVII/36")
    assert report.verdict.text == "undecided: too little is stated of the ground of 6 hexes"
    assert report.result.unknown == ("2914", "2915", "3013", "3015", "3114", "3115")
    assert ("terrain", "3015") in [ask.key for ask in report.asks]
    ground = (
        "".join(f"chart terrain-cost {name} = 0\n" for name in ("clear", "town"))
        + "3015 clear town=none\n3014|3015 open\n"
    )
    some = undone(text.format(ground), "reach", unit="XVII/36")
    assert some.verdict.text == "XVII/36 can move to at least 1 hex; too little is stated of the ground of 8 hexes"
    assert (some.asks, "3016" in some.result.unknown) == ((), True)


@pytest.mark.rule("5.0/minimum", "5.0/cost")
def test_a_hex_may_be_reached_for_less_over_a_hexside_that_is_not_stated() -> None:
    """For 1 Movement Point at least: that is less than 2 by another way, and no less than 2 after one that costs 1."""
    text = ground(GERMAN, "3014", "clear town=none") + "chart terrain-cost forest = 1\n3115 forest town=none\n"
    near = replaced(text, "3115 forest", "3115 clear") + "3014|3115 open\n"
    assert (ways_of(reached(near))["3115"], "3115" in reached(near).result.unknown) == ((2, 1, False), True)
    dear = text + "3015|3115 open\n"
    assert (ways_of(reached(dear))["3115"], "3115" in reached(dear).result.unknown) == ((2, 1, False), False)


def reached(position: str, **asked: Any) -> Report[Any]:
    """The report on the reach of the division in 3015."""
    return undone(position, "reach", unit="XVII/36", **asked)


def ways_of(report: Report[Any]) -> dict[str, tuple[int, int, bool]]:
    """What the hexes within reach cost, what is left there, and whether only the minimum move leads there."""
    return {one.hex: (one.cost, int(one.left), one.minimum) for one in report.result.hexes}


LAKES = ("2915", "2916", "3115", "3116")
"""The hexes beside 3015 that are not in the column."""


@pytest.mark.rule("5.0/minimum", "5.0/cost")
def test_reach_has_each_hex_with_its_way_and_what_bars_the_others() -> None:
    report = reached(ENEMY)
    assert [(one.hex, one.cost, one.way, one.left) for one in report.result.hexes] == [
        ("3014", 1, ("3014",), 2),
        ("3016", 1, ("3016",), 2),
        ("3013", 2, ("3014", "3013"), 1),
        ("3017", 2, ("3016", "3017"), 1),
        ("3018", 3, ("3016", "3017", "3018"), 0),
    ]
    stop = ("3.3", "the unit must stop in 3013, in an enemy zone of control")
    assert {one.hex: (one.rule, one.barred) for one in report.result.barred} == {
        "2913": stop,
        "3012": ("5.0", "enemies stand there"),
        "3113": stop,
    }
    assert report.result.unknown == tuple(f"{column}{row}" for column in (29, 31) for row in range(14, 19))
    assert (report.result.unit, report.result.at, report.result.allowance, report.asks) == ("XVII/36", "3015", 3, ())
    assert report.verdict.text == (
        "XVII/36 can move to at least 5 hexes; too little is stated of the ground of 10 hexes"
    )
    assert not any(one.minimum for one in report.result.hexes)


@pytest.mark.rule("5.0/minimum", "5.0/cost")
def test_the_reach_of_a_slow_unit_is_one_hex_and_is_known_where_all_ground_is() -> None:
    dear = ground(GERMAN, "3014", "forest town=none") + "chart terrain-cost forest = 4\n"
    assert ways_of(reached(dear)) == {
        "3016": (1, 2, False),
        "3017": (2, 1, False),
        "3014": (3, 0, True),
        "3018": (3, 0, False),
    }
    (hexes,) = (part.steps for part in reached(dear).parts if part.title == "Hexes")
    assert [one.text for one in hexes][2] == "3014: 3 by 3014"
    slow = reached(replaced(GERMAN, "XVII/36", "XVII/36 ma=1") + RING)
    assert ways_of(slow) == {"3014": (0, 0, True), "3016": (0, 0, True)}
    stop = "the unit must stop in {}, in an enemy zone of control"
    assert {one.hex: one.barred for one in slow.result.barred} == {
        **dict.fromkeys(("2914", "2917", "3114", "3117"), "enemies stand there"),
        "3013": stop.format("3014"),
        "3017": stop.format("3016"),
    }
    assert slow.result.unknown == ("2915", "2916", "3115", "3116"), "it has nothing left for a second hex"
    rides = replaced(GERMAN, "XVII/36", "XVII/36 ma=0 entrained") + "3015=3014\n"
    assert ways_of(reached(rides, by="rail")) == {}, "that is for a march alone"
    lakes = GERMAN + "chart terrain-cost sea = prohibited\n"
    lakes += "".join(f"{at} sea town=none\n3015 | {at} open\n" for at in LAKES)
    slow = reached(replaced(lakes, "XVII/36", "XVII/36 ma=1"))
    assert slow.verdict.text == "XVII/36 can move to 2 hexes"
    why = "the Terrain Effects Chart prohibits it"
    assert [(one.hex, one.rule, one.barred) for one in slow.result.barred] == [(at, "5.0", why) for at in LAKES]
    assert (slow.result.unknown, [part.title for part in slow.parts if part.title == "Left out"]) == ((), [])


@pytest.mark.rule("3.4/movement", "5.0/minimum", "5.2/cost")
def test_reach_by_rail_pays_to_entrain_and_once_for_all_hexes() -> None:
    line = "3015=3014=3013=3012\n"
    entrains = reached(GERMAN + line, by="rail")
    assert ways_of(entrains) == {"3012": (2, 1, False), "3013": (2, 1, False), "3014": (2, 1, False)}
    away = reached(replaced(GERMAN, "XVII/36", "XVII/36 supply=out") + line, by="rail")
    assert ways_of(away) == {"3012": (2, 0, False), "3013": (2, 0, False), "3014": (2, 0, False)}
    rides = reached(replaced(GERMAN, "XVII/36", "XVII/36 entrained") + line, by="rail")
    assert ways_of(rides) == {"3012": (1, 2, False), "3013": (1, 2, False), "3014": (1, 2, False)}
    assert [one.way for one in rides.result.hexes] == [
        ("3014", "3013", "3012"),
        ("3014", "3013"),
        ("3014",),
    ]


@pytest.mark.rule("5.0/minimum", "5.0/cost", "5.0/mover", "5.0/stacks")
def test_reach_asks_for_what_is_missing_and_a_refused_move_tells_what_each_unit_can() -> None:
    crowded = replaced(GERMAN, "turn=5", "options=refugees")
    report = reached(crowded)
    assert (report.asks[0].key, report.result) == (("turn", ""), None)
    nothing_known = "options=refugees phase=first-movement phasing=german\n3014: XVII/36 supply=in\n"
    charts = "".join(f"chart terrain-cost {name} = 0\n" for name in ("clear", "forest", "swamp", "town"))
    both = reached(nothing_known + charts + "3015 clear town=town\n")
    assert (both.result, ("turn", "") in [ask.key for ask in both.asks]) == (None, True)
    stays = reached(GERMAN + "XVII/36 moved\n")
    assert (stays.verdict.text, stays.result.hexes) == ("XVII/36 cannot move (1 reason)", ())
    report = go(ENEMY, "3014", "3013", "3012", units="XVII/36 8A/1KB")
    assert reasons(report) == "3012: enemies stand there 3012: enemies stand there"
    assert [(one.unit, one.at, one.end, one.cost, one.allowance) for one in report.result.units] == [
        ("XVII/36", "3015", "3013", 2, 3),
        ("8A/1KB", "3015", "3013", 2, 4),
    ]
    none = go(replaced(GERMAN, "XVII/36", "XVII/36 ma=1") + RING, "3014", "3013")
    assert (reasons(none), why_not(none)) == ("XVII/36 has no Movement Points left", ["5.0"])
    one = go(replaced(GERMAN, "XVII/36", "XVII/36 ma=1"), "3014", "3013")
    assert reasons(one) == "3013: 2 Movement Points are needed, but XVII/36 has 1"


def test_the_picture_of_the_reach_shows_the_points_left_in_each_hex() -> None:
    position = typed(f"game {GAME}\n{GERMAN}")
    drawn = picture(position, answered(position, "reach", unit="XVII/36")).decode()
    assert "3014: within reach, with the points left there, 2" in drawn
    assert "3012: within reach, with the points left there, 0" in drawn
    assert "3020" not in drawn, "nothing beyond"
