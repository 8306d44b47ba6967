"""Railways: entraining, riding and detraining, the limits of a turn, rail lines cut and repaired (5.2, 5.2.1, 5.3, 10.6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ..conftest import ruled, values, why_not
from .asking import undone
from .test_movement import GERMAN, RING, RUSSIAN, go, reasons, replaced

TRACK = ["3020", "3021", "3022", "3023", "3024"]
LINE = f"""
scenario=historical
3028 map-edge=west+east
turn=5 phasing=german phase=first-movement
{"=".join(TRACK)}
{chr(10).join(f"{at} clear town=none country=germany" for at in TRACK)}
3019 clear town=none country=germany
3019-3020
3025 clear town=none country=germany
3024-3025
chart terrain-cost clear = 0
3020: XVII/36, XVII/35, 8A/1KB
"""
"""Three German units on a railway of five hexes."""


def rail(
    position: str = LINE, *way: str, units: str = "XVII/36", entrain: str | None = "3020", **asked: Any
) -> Report[Any]:
    """The report on a move by rail."""
    return go(position, *(way or TRACK[1:]), units=units, entrain=entrain, **asked)


@pytest.mark.rule("10.3")
def test_a_forced_march_keeps_clear_of_enemies_beyond_a_river_too_and_cuts_nothing() -> None:
    beyond = LINE + "options=forced-march\n3122: III/25\n3021|3122, 3022|3122 river\n"
    assert rail(beyond, detrain="3024").verdict.kind == "yes", "no zone reaches the railway"
    assert why_not(rail(beyond, detrain="3024", forced=True)) == ["10.3"]
    assert rail(beyond, "3021", detrain="3021").verdict.kind == "yes"
    assert rail(LINE + "options=forced-march\n", detrain="3024", forced=True).verdict.kind == "yes"
    march = EAST + "options=forced-march\n"
    assert why_not(go(march, units="III/25", cut=["3020"], forced=True)) == ["10.3"]


@pytest.mark.rule("5.2/cost")
def test_a_point_to_entrain_to_ride_and_to_detrain_with_marches_before_and_after() -> None:
    whole = rail(detrain="3024")
    assert [(one.how, one.cost) for one in whole.result.units[0].entered] == [
        ("rail", 2),
        ("rail", 0),
        ("rail", 0),
        ("rail", 1),
    ]
    assert whole.result.units[0].cost == 3
    assert ("entrained", "XVII/36") not in values(whole)
    aboard = rail()
    assert (aboard.result.units[0].cost, values(aboard)["entrained", "XVII/36"]) == (2, True)
    riding = LINE + "XVII/36 entrained\n"
    on = rail(riding, entrain=None)
    assert (on.result.units[0].cost, ("entrained", "XVII/36") in values(on)) == (1, False)
    off = rail(riding, entrain=None, detrain="3024")
    assert (off.result.units[0].cost, values(off)["entrained", "XVII/36"]) == (2, False)
    here = go(riding, detrain="3020")
    assert (here.result.units[0].cost, values(here)["entrained", "XVII/36"]) == (1, False)
    waits = go(LINE, entrain="3020")
    assert (waits.result.units[0].cost, values(waits)["entrained", "XVII/36"]) == (1, True)
    walks = replaced(LINE, "3020: XVII/36, XVII/35, 8A/1KB", "3019: 8A/1KB")
    found = go(walks, *TRACK, units="8A/1KB", entrain="3020", detrain="3024")
    assert [one.how for one in found.result.units[0].entered] == ["march", *["rail"] * 4]
    assert found.result.units[0].cost == 4
    assert "3025: 5 Movement Points" in reasons(
        go(walks, *TRACK, "3025", units="8A/1KB", entrain="3020", detrain="3024")
    )
    rides = replaced(LINE, "8A/1KB", "8A/1KB entrained")
    left = go(rides, *TRACK[1:], "3025", units="8A/1KB", detrain="3024")
    assert [one.how for one in left.result.units[0].entered] == [*["rail"] * 4, "march"]
    assert left.result.units[0].cost == 3
    stop = go(rides, "3021", "3020", "3019", units="8A/1KB", detrain="3020")
    assert stop.verdict.kind == "yes"
    onward = go(rides, *TRACK[1:], "3025", units="8A/1KB")
    assert "no railway leads there from 3024" in reasons(onward) or onward.asks


@pytest.mark.rule("5.2/cost")
def test_the_railway_is_connected_uncut_and_under_control() -> None:
    assert why_not(rail(LINE + "3022 rail-cut\n")) == ["5.2"]
    assert reasons(rail(LINE + "3022 rail-cut\n")) == "3022: the rail line is cut in 3022"
    assert "cut in 3020" in reasons(rail(LINE + "3020 rail-cut\n"))
    assert reasons(rail(LINE + "3022 control=russian\n")) == "3022: its side does not control 3022"
    assert (
        rail(replaced(LINE, "3022 clear town=none country=germany", "3022 clear town=none country=russia")).verdict.kind
        == "no"
    )
    assert rail(LINE + "3022 control=german\n").verdict.kind == "yes"
    broken = replaced(LINE, "3021=3022", "3021\n3021 | 3022 no-rail\n3022")
    assert reasons(rail(broken)) == "3022: no railway leads there from 3021"
    unknown = replaced(LINE, "3021=3022", "3021\n3022")
    assert [ask.key for ask in rail(unknown).asks] == [("rail", "3021|3022")]
    nowhere = replaced(LINE, "3022 clear town=none country=germany", "3022 clear town=none")
    assert [ask.key for ask in rail(nowhere).asks] == [("country", "3022")]
    bare = "3015: I/1\n3016 clear town=none\n" + "".join(
        f"3015 | {at} no-rail\n" for at in ("3014", "3016", "2915", "2916", "3115", "3116")
    )
    assert "5.2" in why_not(go(LINE + bare, entrain="3015", units="I/1"))


@pytest.mark.rule("5.2/zoc")
def test_nobody_entrains_detrains_or_rides_in_an_enemy_zone() -> None:
    for enemy, at in (("2920", "3020"), ("2922", "3022"), ("2924", "3024")):
        report = rail(replaced(LINE, "3020: XVII", f"{enemy}: IV/40\n3020: XVII"), detrain="3024")
        assert set(why_not(report)) == {"5.2"}, at
        assert "is in an enemy zone of control: no rail movement" in reasons(report)
    held = LINE + "2922: IV/40\n3022: I/1\n"
    assert why_not(rail(held)) == ["5.2"], "a friend does not cancel the zone"
    stuck = replaced(LINE, "8A/1KB", "8A/1KB entrained") + "2920: IV/40\n"
    assert set(why_not(go(stuck, units="8A/1KB", detrain="3020"))) == {"5.2"}
    assert why_not(go(LINE + "2920: IV/40\n", entrain="3020")) == ["5.2"]


@pytest.mark.rule("5.2/limits")
@pytest.mark.parametrize(("turn", "most"), [(1, 2), (2, 2), (3, 5), (4, 5), (26, 5)])
def test_two_units_entrain_in_a_turn_and_five_from_turn_3(turn: int, most: int) -> None:
    at = replaced(LINE, "turn=5", f"turn={turn}")
    for used, kind in ((most - 1, "yes"), (most, "no")):
        report = rail(at + f"side german entrained-units={used}\n")
        assert report.verdict.kind == kind
        assert (ruled(report, "rail-turn-3") == "five") == (turn == 3)
    assert values(rail(at))["entrained-units", "german"] == 1
    full = at + f"side german entrained-units={most}\n8A/1KB entrained\n"
    assert rail(full, units="8A/1KB", entrain=None).verdict.kind == "yes", "those on the train do not count again"
    assert ("entrained-units", "german") not in values(rail(full, units="8A/1KB", entrain=None))
    two = "ruling rail-turn-3=two\n" + at + "side german entrained-units=2\n"
    assert rail(two).verdict.kind == ("yes" if turn > 3 else "no")


@pytest.mark.rule("5.2/limits")
def test_each_unit_of_a_stack_that_entrains_counts() -> None:
    early = replaced(LINE, "turn=5", "turn=2")
    pair = rail(early, units="XVII/36 XVII/35")
    assert values(pair)["entrained-units", "german"] == 2
    report = rail(early, units="XVII/36 XVII/35 8A/1KB")
    assert (why_not(report), reasons(report)) == (
        ["5.2"],
        "0 units have entrained this turn; 3 more exceed the limit of 2",
    )


@pytest.mark.rule("5.2/cost", "10.6.1/rail")
def test_only_germans_go_by_rail_and_not_while_prittwitz_commands() -> None:
    russian = replaced(LINE, "phasing=german", "phasing=russian", "XVII/36, XVII/35, 8A/1KB", "III/25")
    russian = russian.replace("country=germany", "country=russia")
    report = rail(russian, units="III/25")
    assert set(why_not(report)) == {"5.2"} and "only German units move by rail" in reasons(report)
    for turn, kind in ((1, "no"), (2, "no"), (3, "yes")):
        at = replaced(LINE, "turn=5", f"turn={turn} options=german-headquarters")
        report = rail(at)
        assert report.verdict.kind == kind
        assert ("10.6.1" in why_not(report)) == (kind == "no")
        assert rail(at.replace(" options=german-headquarters", "")).verdict.kind == "yes"


ENTRY = LINE + "I/1 arrives=5\n3020 map-edge=west\n"


@pytest.mark.rule("5.3/rail", "5.2/limits")
def test_german_reinforcements_may_enter_entrained_and_count_but_pay_nothing_for_that() -> None:
    found = rail(ENTRY, *TRACK, units="I/1")
    assert (found.result.units[0].cost, values(found)["entrained", "I/1"]) == (1, True)
    assert values(found)["entrained-units", "german"] == 1
    off = rail(ENTRY, *TRACK, units="I/1", detrain="3024")
    assert (off.result.units[0].cost, ("entrained", "I/1") in values(off)) == (2, False)
    assert rail(ENTRY, "3020", units="I/1").result.units[0].cost == 1
    full = ENTRY + "side german entrained-units=5\n"
    assert why_not(rail(full, *TRACK, units="I/1")) == ["5.2"]
    later = go(ENTRY, "3020", units="I/1", entrain=None)
    assert later.result.units[0].cost == 1


# --- cut and repaired ------------------------------------------------------------------------------------------------------

EAST = replaced(LINE, "phasing=german", "phasing=russian", "XVII/36, XVII/35, 8A/1KB", "III/25, IC/2GC")


@pytest.mark.rule("5.2.1/cut")
def test_russian_infantry_alone_cuts_a_rail_line_for_a_point_in_supply_or_not() -> None:
    here = go(EAST, units="III/25", cut=["3020"])
    assert (here.result.units[0].left, values(here)["rail-cut", "3020"]) == (1, True)
    there = replaced(EAST, "3020=3021", "3020-3021\n3020=3021")
    found = go(there, "3021", units="III/25", cut=["3021"])
    assert (found.result.units[0].cost, values(found)["rail-cut", "3021"]) == (2, True)
    assert why_not(go(EAST, units="IC/2GC", cut=["3020"])) == ["5.2.1"]
    assert why_not(go(LINE, cut=["3020"])) == ["5.2.1"]
    assert reasons(go(EAST + "3020 rail-cut\n", units="III/25", cut=["3020"])) == "the rail line in 3020 is cut already"
    assert go(EAST + "2920: I/1\n", units="III/25", cut=["3020"]).verdict.kind == "yes", "enemy zones do not matter"
    off = EAST.replace("3020: III/25, IC/2GC", "3015: III/25")
    assert {ask.key[0] for ask in go(off, units="III/25", cut=["3015"]).asks} == {"rail"}
    without = "".join(f"3015 | {at} no-rail\n" for at in ("3014", "3016", "2915", "2916", "3115", "3116"))
    assert reasons(go(off + without, units="III/25", cut=["3015"])) == "no railway leads into 3015"
    ring = EAST.replace("3020: III/25, IC/2GC", "3015: III/25\n3015=3016\n") + RING.replace("IV/40", "I/1").replace(
        "IV/30", "I/2"
    ).replace("XX/28", "XX/37").replace("XX/29", "XX/41")
    found = go(ring, units="III/25", cut=["3015"])
    assert (found.verdict.kind, found.result.units[0].allowance) == ("yes", 1)
    twice = replaced(EAST, "3020=3021", "3020-3021-3022\n3020=3021")
    assert (
        reasons(go(twice, "3021", "3022", units="III/25", cut=["3022"]))
        == "3022: 3 Movement Points are needed, but III/25 has 2"
    )
    cut = go(GERMAN, "3014", units="XVII/36", cut=["3014"])
    assert (reasons(cut), cut.asks) == ("only Russian infantry cuts rail lines", ())
    assert go(RUSSIAN, "3014", units="III/25", cut=["3014"]).asks


@pytest.mark.rule("5.2.1/repair")
def test_german_infantry_repairs_a_rail_line_for_a_point_where_it_is_in_supply() -> None:
    cut = LINE + "3020 rail-cut\n"
    found = go(cut, repair=["3020"])
    assert (found.result.units[0].left, values(found)["rail-cut", "3020"]) == (2, False)
    assert why_not(go(cut, units="8A/1KB", repair=["3020"])) == ["5.2.1"]
    assert reasons(go(LINE, repair=["3020"])) == "the rail line in 3020 is not cut"
    assert go(cut.replace("8A/1KB", "8A/G-Boyn"), units="8A/G-Boyn", repair=["3020"]).verdict.kind == "yes"
    russian = EAST + "3020 rail-cut\n"
    assert why_not(go(russian, units="III/25", repair=["3020"])) == ["5.2.1"]
    assert go(cut + "2920: IV/40\n", repair=["3020"]).verdict.kind == "yes", "enemy zones do not matter"
    rides = rail(cut, "3021", repair=["3020"])
    assert (rides.verdict.kind, rides.result.units[0].cost) == ("yes", 3), "and goes on by rail"
    ring = LINE + "3015 town=none rail-cut: I/1\n" + RING
    report = go(ring, units="I/1", repair=["3015"])
    assert (why_not(report), reasons(report)) == (["5.2.1"], "I/1 has no line of supply in 3015")
    marched = LINE + "3019 rail-cut\n"
    assert go(marched, "3019", repair=["3019"]).verdict.kind == "yes"
    alone = (
        LINE.replace("XVII/36, XVII/35, 8A/1KB", "XVII/36")
        + "3019 rail-cut\n2918: IV/40\n3118: XX/28\n2921: IV/30\n3121: XX/29\n"
    )
    assert "no line of supply in 3019" in reasons(go(alone, "3019", repair=["3019"]))


# --- what makes no sense ------------------------------------------------------------------------------------------------------


def test_what_is_out_of_order_is_told_with_what_to_type() -> None:
    for asked, what, hint in (
        ({"entrain": "3025"}, "entrain: 3025 is not on the route", "name a hex on the route"),
        (
            {"entrain": "3022", "detrain": "3021"},
            "detrain: the units do not entrain before 3021",
            "name a hex beyond 3022 on the route",
        ),
        (
            {"entrain": None, "detrain": "3021"},
            "detrain: the units do not entrain before 3021",
            "name where they do: entrain=",
        ),
    ):
        with pytest.raises(InputError, match=what) as refused:
            rail(LINE, **asked)
        assert refused.value.hint == hint
    with pytest.raises(InputError, match="entrain: XVII/36 is entrained already"):
        rail(LINE + "XVII/36 entrained\n")
    with pytest.raises(InputError, match="units: not all of them are entrained"):
        rail(LINE + "XVII/36 entrained\n", units="XVII/36 XVII/35")
    with pytest.raises(InputError, match="^[a-z]+: the work of one unit"):
        go(LINE + "3020 rail-cut\n", units="XVII/36 XVII/35", repair=["3020"])


@pytest.mark.rule("5.2/cost", "5.2/zoc")
def test_the_reach_by_rail() -> None:
    found = undone(LINE, "reach", unit="XVII/36", by="rail").result.hexes
    assert {one.hex: one.cost for one in found} == dict.fromkeys(TRACK[1:], 2)
    cut = undone(LINE + "3023 rail-cut\n", "reach", unit="XVII/36", by="rail").result.hexes
    assert [one.hex for one in cut] == ["3021", "3022"]
    riding = undone(LINE + "XVII/36 entrained\n", "reach", unit="XVII/36", by="rail").result.hexes
    assert {one.cost for one in riding} == {1}
    zone = undone(LINE + "2920: IV/40\n", "reach", unit="XVII/36", by="rail")
    assert why_not(zone) == ["5.2"]
    enters = undone(ENTRY, "reach", unit="I/1", by="rail").result.hexes
    assert {one.hex: one.cost for one in enters} == dict.fromkeys(TRACK, 1)


@pytest.mark.rule("5.2/cost")
def test_nothing_is_asked_about_hexes_into_which_no_railway_leads() -> None:
    """Whose country the Haff is, the board does not say: railways run along its coast, none across it."""
    drawn = "board east-prussia\nscenario=historical turn=5 phasing=german phase=first-movement\n"
    along = undone(drawn + "2412: XX/37\n", "reach", unit="XX/37", by="rail")
    assert not along.asks
    assert {"2314", "2512", "2712"} <= {one.hex for one in along.result.hexes}
    assert not {"2411", "2511"} & {one.hex for one in along.result.hexes}
