"""Field Railways, narrow-gauge lines and new RR lines: where they begin, how they grow, when they are lost (17.5 to 17.7)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.asking import View
from assistant.asking.case import list_bars
from assistant.asking.report import MissingFacts, Report
from assistant.util.errors import InputError
from twilight_in_the_east.engineering.build_question import KINDS, Beginning, Extension, extend_line, join_rail_net
from twilight_in_the_east.railways.built_lines import (
    BuiltLine,
    Kind,
    field_hexes,
    is_abandoned,
    is_complete,
    left_of_field_railway,
    platforms,
)

from ...conftest import answered, ruled, told, typed, viewed
from ..railways.test_network import line

Facts = dict[str, bool]
STATION: Facts = {
    "lines_allowed": True,
    "marker_left": True,
    "at_station": True,
    "is_friendly": True,
    "at_home": True,
    "in_mountains": False,
    "near_objective": False,
}
ROAD: Facts = {
    "complete": False,
    "worked_on": False,
    "deployed_counts": False,
    "roadway": True,
    "in_mountains": False,
    "enemy_there": False,
    "in_enemy_zone": False,
    "is_friendly": True,
    "over_river": False,
    "has_bridge": False,
    "has_ferry": False,
    "has_pontoon": False,
    "pontoon_serves": True,
    "comes_nearer": True,
    "must_come_nearer": True,
}


def begins(kind: Kind, nation: str, site: Facts = STATION, gauge: str = "", **more: bool) -> list[str]:
    line = BuiltLine(kind=kind, nation=nation, hexes=("a",), gauge=gauge)
    beginning = Beginning(line=line, nation=nation, rule=KINDS[kind].rule, **site | more)
    return [one.rule for one in list_bars(beginning.bars_of_line)]


def goes_on(kind: Kind, length: int = 3, leg: Facts = ROAD, **more: bool) -> list[str]:
    line = BuiltLine(kind=kind, nation="", hexes=("a",) * length)
    case = Extension(line=line, rule=KINDS[kind].rule, **leg | more)
    return [one.rule for one in list_bars(case.bars_of_line)]


def but(leg: Facts, **more: bool) -> Facts:
    return leg | more


# --- rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.5.1")
def test_where_a_field_railway_begins_and_how_it_grows() -> None:
    """At a friendly controlled RR Station, by Austro-Hungarians or Russians, in any scenario."""
    assert begins("field", "austro-hungarian", lines_allowed=False) == []
    assert begins("field", "russian") == []
    assert begins("field", "german") == ["17.5.1"]
    assert begins("field", "russian", but(STATION, at_station=False)) == ["17.5.1"]
    assert begins("field", "russian", but(STATION, is_friendly=False)) == ["17.5.1"]
    assert begins("field", "russian", but(STATION, in_mountains=True)) == ["17.5.2"]
    assert goes_on("field", worked_on=True) == ["17.5.1"]
    assert (goes_on("field", 13), goes_on("field", 14)) == ([], ["17.5.1"])
    assert (goes_on("field", 12, deployed_counts=True), goes_on("field", 13, deployed_counts=True)) == ([], ["17.5.1"])
    one = BuiltLine(kind="field", nation="russian", hexes=("a", "b"), turn=4)
    assert extend_line(one, "c", 5, parallel=False) == BuiltLine(
        kind="field", nation="russian", hexes=("a", "b", "c"), turn=5
    )


@pytest.mark.rule("17.5.2")
def test_the_route_of_a_field_railway() -> None:
    """Along roads, not into mountains or an EZOC, over rivers by bridge, ferry or pontoon bridge."""
    assert goes_on("field") == []
    assert goes_on("field", leg=but(ROAD, roadway=False)) == ["17.5.2"]
    assert goes_on("field", leg=but(ROAD, in_mountains=True)) == ["17.5.2"]
    assert goes_on("field", leg=but(ROAD, in_enemy_zone=True)) == ["17.5.2"]
    assert goes_on("field", leg=but(ROAD, enemy_there=True)) == ["17.5.3"], "guns have no zone, but take the hex"
    assert goes_on("field", leg=but(ROAD, is_friendly=False)) == []
    river = but(ROAD, over_river=True)
    assert goes_on("field", leg=river) == ["17.5.2"]
    for way in (but(river, has_bridge=True), but(river, has_ferry=True), but(river, has_pontoon=True)):
        assert goes_on("field", leg=way) == []


@pytest.mark.rule("17.6", "17.6.1", "17.6.2")
def test_a_german_narrow_gauge_line() -> None:
    home = but(STATION, is_friendly=False)
    assert begins("narrow-gauge", "german", home) == []
    assert begins("narrow-gauge", "german", but(home, in_mountains=True), marker_left=False) == []
    assert begins("narrow-gauge", "german", home, lines_allowed=False) == ["17.6"]
    assert begins("narrow-gauge", "russian", home) == ["17.6.1"]
    assert begins("narrow-gauge", "german", but(home, at_home=False)) == ["17.6.2"]
    assert begins("narrow-gauge", "german", but(home, at_station=False)) == ["17.6.1"]
    assert goes_on("narrow-gauge", 40) == [], "it has no greatest length"
    assert goes_on("narrow-gauge", leg=but(ROAD, is_friendly=False)) == ["17.6.1"]
    assert goes_on("narrow-gauge", leg=but(ROAD, roadway=False, in_mountains=True, in_enemy_zone=True)) == []
    assert goes_on("narrow-gauge", worked_on=True) == ["17.6.1"]
    assert goes_on("narrow-gauge", complete=True) == ["17.6.1"]
    river = but(ROAD, over_river=True)
    assert goes_on("narrow-gauge", leg=but(river, has_bridge=True)) == []
    assert goes_on("narrow-gauge", leg=but(river, has_bridge=True, roadway=False)) == ["17.6.2"]
    assert goes_on("narrow-gauge", leg=but(river, has_ferry=True)) == ["17.6.2"]
    assert goes_on("narrow-gauge", leg=but(river, has_pontoon=True, roadway=False)) == ["17.6.2"]


@pytest.mark.rule("17.6.1", "17.7.1")
def test_a_narrow_gauge_line_ends_at_another_rr_line_and_no_other_does() -> None:
    one = BuiltLine(kind="narrow-gauge", nation="german", hexes=("a", "b", "c"))
    assert not is_complete(one, line("x a b c"))
    assert is_complete(one, line("a b c", "y c z"))
    assert is_complete(msgspec.structs.replace(one, hexes=("a", "b")), line("a b", "y b z"))
    assert not is_complete(msgspec.structs.replace(one, hexes=("a",)), line("x a"))
    for kind in ("field", "railroad"):
        other = msgspec.structs.replace(one, kind=kind, objective="z")
        assert not is_complete(other, line("a b c", "y c z"))


@pytest.mark.rule("17.7", "17.7.1", "17.7.2")
def test_a_new_russian_line() -> None:
    home = but(STATION, is_friendly=False, near_objective=True)
    assert begins("railroad", "russian", home, "russian") == []
    assert begins("railroad", "german", home, "russian") == ["17.7.1"]
    assert begins("railroad", "russian", home, "russian", lines_allowed=False) == ["17.7"]
    assert begins("railroad", "russian", but(home, at_home=False), "russian") == ["17.7.2"]
    assert begins("railroad", "russian", but(home, at_station=False), "russian") == ["17.7.1"]
    assert begins("railroad", "russian", home) == ["17.7"]
    assert begins("railroad", "russian", but(home, near_objective=False), "russian") == ["17.7.1"]
    assert goes_on("railroad") == []
    assert goes_on("railroad", leg=but(ROAD, is_friendly=False)) == ["17.7.1"]
    assert goes_on("railroad", leg=but(ROAD, comes_nearer=False)) == ["17.7.1"]
    assert goes_on("railroad", leg=but(ROAD, comes_nearer=False), must_come_nearer=False) == []
    assert goes_on("railroad", worked_on=True) == ["17.7.1"]
    assert goes_on("railroad", complete=True) == ["17.7.1"]


@pytest.mark.rule("17.7.2", "18.1b")
def test_pontoon_bridges_serve_field_railways_and_no_new_line() -> None:
    river = but(ROAD, over_river=True)
    by = {
        "bridge": but(river, has_bridge=True),
        "ferry": but(river, has_ferry=True),
        "pontoon": but(river, has_pontoon=True),
    }
    assert [way for way, leg in by.items() if not goes_on("railroad", leg=leg)] == ["bridge", "ferry"]
    assert [way for way, leg in by.items() if not goes_on("field", leg=leg)] == ["bridge", "ferry", "pontoon"]
    assert goes_on("railroad", leg=by["pontoon"]) == ["17.7.2"]


@pytest.mark.rule("17.5.1", "17.6.1", "17.7.1", "17.7")
def test_a_new_line_grows_by_halves_but_beside_another_gauge_and_is_given_up_before_it_is_complete() -> None:
    one = BuiltLine(kind="railroad", nation="russian", hexes=("a",), turn=3, objective="c", gauge="european")
    half = extend_line(one, "b", 4, parallel=False)
    assert (half.hexes, half.half, half.whole) == (("a", "b"), True, ("a",))
    whole = extend_line(half, "b", 5, parallel=False)
    assert (whole.hexes, whole.half, whole.turn) == (("a", "b"), False, 5)
    beside = extend_line(whole, "c", 6, parallel=True)
    assert (beside.hexes, beside.half) == (("a", "b", "c"), False)
    for kind in ("field", "narrow-gauge"):
        assert not extend_line(msgspec.structs.replace(one, kind=kind), "b", 4, parallel=False).half
    assert [is_complete(state, {}) for state in (one, half, whole, beside)] == [False, False, False, True]
    assert not is_complete(extend_line(whole, "c", 6, parallel=False), {}), "half of the objective is not the objective"
    one = BuiltLine(kind="railroad", nation="russian", hexes=("a", "b"), objective="c")
    assert is_abandoned(one, {"b"}, {})
    assert not is_abandoned(one, {"c"}, {})
    assert not is_abandoned(msgspec.structs.replace(one, objective="b"), {"b"}, {})
    for kind in ("field", "narrow-gauge"):
        assert not is_abandoned(msgspec.structs.replace(one, kind=kind), {"b"}, {})


@pytest.mark.rule("17.7")
def test_every_sixth_hex_has_a_platform() -> None:
    assert platforms(tuple("abcdefghijklm")) == ("f", "l")


@pytest.mark.rule("17.5.3b", "17.5.3")
def test_what_enemies_leave_of_a_field_railway_and_where_it_is_joined() -> None:
    assert left_of_field_railway(tuple("abcd"), {"c"}) == ("a", "b")
    assert left_of_field_railway(tuple("abcd"), {"b", "d"}) == ("a",)
    assert left_of_field_railway(tuple("abcd"), {"a"}) == ()
    assert left_of_field_railway(tuple("abcd"), {"x"}) == tuple("abcd")
    one = BuiltLine(kind="field", nation="russian", hexes=tuple("abc"))
    assert field_hexes(one, {"a"}, ()) == tuple("abc")
    assert field_hexes(one, {"b", "c"}, ()) == ()
    assert field_hexes(one, {"a"}, {"c"}) == ("a", "b")
    assert field_hexes(msgspec.structs.replace(one, kind="railroad"), {"a"}, ()) == ()


# --- facts of a position ----------------------------------------------------------------------------------------------


def leg(kind: Kind, between: str = "open", more: str = "", turn: int = 6, worked: int = 0) -> Extension:
    """The next hex of a line from 49.75, over what lies between."""
    view = viewed(f"turn={turn}\n49.75|48.75 {between}\n{more}")
    line = BuiltLine(kind=kind, nation="austro-hungarian", hexes=("49.75",), turn=worked)
    about = {"here": "49.75", "hex": "48.75", "side": "central-powers", "nation": "", "rule": ""}
    return Extension(view=view, line=line, **about)


CROSSINGS = ("over_river", "has_bridge", "has_ferry", "has_pontoon")


@pytest.mark.rule("17.5.1", "17.5.2", "17.6.1", "17.6.2", "17.7.1", "17.7.2", "18.1b")
@pytest.mark.parametrize("river", ["open", "minor-river", "major-river", "grand-river"])
@pytest.mark.parametrize(
    ("way", "crossing"),
    [
        ("no-road no-rail no-crossing", ""),
        ("no-road no-rail bridge", "has_bridge"),
        ("no-road no-rail ferry", "has_ferry"),
        ("no-road no-rail pontoon", "has_pontoon"),
        ("secondary-road", "has_bridge"),
        ("road ferry", "has_ferry"),
        ("primary-road pontoon", "has_pontoon"),
        ("primary-road no-crossing", "has_bridge"),
        ("no-road rail1", "has_bridge"),
    ],
)
def test_what_crosses_a_river(river: str, way: str, crossing: str) -> None:
    """A road or an RR line has a bridge where no ferry or pontoon bridge is stated."""
    for kind in KINDS:
        case = leg(kind, f"{river} {way}")
        crossed = {"over_river"} if river != "open" else set()
        assert {name for name in CROSSINGS if getattr(case, name)} == crossed | ({crossing} - {""})
        assert case.roadway is (way.split()[0] in ("road", "primary-road", "secondary-road"))


@pytest.mark.rule("17.5.1", "17.5.2", "17.6.1", "17.6.2", "17.7.1", "17.7.2")
def test_what_is_asked_where_a_line_comes_to_a_river() -> None:
    """The road that leads a line has a bridge, and where none leads a crossing changes nothing; a new RR line follows no
    road.
    """
    for kind, track in (("field", "road"), ("narrow-gauge", "road"), ("railroad", "crossing")):
        case = leg(kind, "major-river", "48.75 clear control=central-powers")
        with pytest.raises(MissingFacts) as missing:
            list_bars(case.bars_of_line)
        assert [ask.key for ask in missing.value.asks] == [(track, "48.75|49.75")]
    with pytest.raises(MissingFacts):
        _ = leg("field", "major-river no-road").has_bridge
    stated = leg("narrow-gauge", "major-river no-crossing", "48.75 control=central-powers")
    assert [bar.rule for bar in list_bars(stated.bars_of_line)] == ["17.6.2"]


@pytest.mark.rule("17.5.2", "17.5.1")
@pytest.mark.parametrize(
    ("unit", "there", "zone"),
    [
        ("", False, False),
        ("48.75: russian infantry XX R", True, False),
        ("48.75: russian artillery - R", True, False),
        ("47.74: russian infantry XX R\n47.74|48.75 open", False, True),
        ("47.74: russian artillery - R\n47.74|48.75 open", False, False),
        ("47.74: german infantry XX G\n47.74|48.75 open", False, False),
    ],
)
def test_which_enemies_stop_a_field_railway(unit: str, there: bool, zone: bool) -> None:
    case = leg("field", more=unit)
    assert (case.enemy_there, case.in_enemy_zone) == (there, zone)


def begun(kind: Kind, nation: str, text: str) -> Beginning:
    line = BuiltLine(kind=kind, nation=nation, hexes=("49.75",))
    about = {"side": "", "nation": "", "rule": "", "hex": "49.75"}
    return Beginning(view=viewed(text), line=line, **about)


@pytest.mark.rule("17.5.1", "17.6", "17.6.1", "17.6.2", "17.7", "17.7.1", "17.7.2")
@pytest.mark.parametrize(("station", "at_station"), [("station", True), ("station=no", False)])
@pytest.mark.parametrize("country", ["german", "russian", "austro-hungarian"])
@pytest.mark.parametrize("options", [(), ("campaign",), ("new-railways",), ("campaign", "new-railways")])
def test_where_permanent_lines_begin(options: tuple[str, ...], country: str, station: str, at_station: bool) -> None:
    """At an RR Station of their home country, in the Grand Campaign with the optional rule."""
    text = "\n".join((*options, f"49.75 {station} country={country}"))
    for kind, home in (("narrow-gauge", "german"), ("railroad", "russian")):
        case = begun(kind, home, text)
        assert case.lines_allowed is (len(options) == 2)
        assert (case.at_home, case.at_station) == (country == home, at_station)
    assert begun("field", "russian", text).at_station is at_station


@pytest.mark.rule("17.7.1", "17.7")
@pytest.mark.parametrize(("objective", "near"), [("", False), ("49.76", True), ("49.92", True), ("49.93", False)])
def test_how_far_the_objective_of_a_new_line_may_be(objective: str, near: bool) -> None:
    """Seventeen hexes."""
    case = begun("railroad", "russian", "turn=6")
    line = msgspec.structs.replace(case.line, objective=objective)
    assert Beginning(view=case.view, hex="49.75", line=line, side="", nation="", rule="").near_objective is near


@pytest.mark.rule("17.5.1", "17.6.1", "17.7.1")
@pytest.mark.parametrize(
    ("beside", "halved"),
    [
        ("no-rail", True),
        ("rail1 broad", True),
        ("rail1 standard", False),
        ("rail1 gauge=both", True),
        ("no-rail standard", True),
    ],
)
def test_a_line_after_a_phase(beside: str, halved: bool) -> None:
    """A new RR line is built by half, but not beside a line of another gauge."""
    for kind in KINDS:
        case = leg(kind, f"open {beside}")
        case.line = msgspec.structs.replace(case.line, gauge="russian", turn=5)
        assert (case.after.hexes, case.after.turn) == (("49.75", "48.75"), 6)
        assert case.after.half is (halved and kind == "railroad")


# --- the question -----------------------------------------------------------------------------------------------------

ROZWADOW = """turn=6
49.75 station clear control=central-powers
48.75 clear
49.75|48.75 major-river ferry secondary-road
"""
"""Rozwadów of the design note, where a Field Railway began."""
BEGUN = ROZWADOW + '49.75 built-line="49.75" built-kind=field built-by=austro-hungarian built-turn=5\n'


def asked(text: str, **parameters: Any) -> Report[Any]:
    return answered(typed(text), "build-line", **parameters)


def made(report: Report[Any]) -> dict[tuple[str, str], object]:
    return {(one.track, one.subject): one.after for one in report.changes}


@pytest.mark.rule("17.5.1", "17.5.3b")
def test_a_field_railway_from_rozwadow() -> None:
    report = asked(ROZWADOW, at="49.75", kind="field", nation="austro-hungarian")
    assert report.verdict.kind == "yes"
    assert made(report) == {
        ("built-kind", "49.75"): "field",
        ("built-by", "49.75"): "austro-hungarian",
        ("built-line", "49.75"): "49.75",
        ("built-turn", "49.75"): 6,
    }
    counted = asked(
        ROZWADOW + "nation austro-hungarian field-railways=1", at="49.75", kind="field", nation="austro-hungarian"
    )
    assert made(counted)["field-railways", "austro-hungarian"] == 0
    none = asked(
        ROZWADOW + "nation austro-hungarian field-railways=0", at="49.75", kind="field", nation="austro-hungarian"
    )
    assert told(none, "Not allowed") == ["no Austro-Hungarian Field Railway marker is left"]


@pytest.mark.rule("17.5.2")
@pytest.mark.parametrize(("terrain", "allowed"), [("clear", True), ("mountain", False), ("high-mountain", False)])
def test_a_field_railway_is_laid_in_no_mountain_hex(terrain: str, allowed: bool) -> None:
    begun = ROZWADOW.replace("station clear", f"station {terrain}")
    assert asked(begun, at="49.75", kind="field", nation="austro-hungarian").result.allowed is allowed
    grown = BEGUN.replace("48.75 clear", f"48.75 {terrain}")
    assert asked(grown, at="49.75", to="48.75").result.allowed is allowed


def test_what_its_record_needs_is_asked_for_with_the_rest() -> None:
    bare = ROZWADOW.replace("turn=6\n", "").replace("station ", "")
    begun = asked(bare, at="49.75", kind="field", nation="austro-hungarian")
    assert [ask.key for ask in begun.asks] == [("station", "49.75"), ("turn", "")]
    beside = LUBLIN.replace("44.67 control=russian\n", "").replace("44.67 open", "44.67 open rail2")
    grown = asked(beside + LUBLIN_LINE.format("", ""), at="43.66", to="44.67")
    assert [ask.key for ask in grown.asks] == [("control", "44.67"), ("gauge", "43.66|44.67")]


def test_what_a_line_is_not_is_refused() -> None:
    for name, value in (("objective", "48.75"), ("gauge", "russian")):
        with pytest.raises(InputError, match=f"{name}: a Field Railway has none"):
            asked(ROZWADOW, at="49.75", kind="field", nation="russian", **{name: value})
    with pytest.raises(InputError, match=r"kind: narrow-gauge is given, but that of the line from 49\.75 is field"):
        asked(BEGUN, at="49.75", to="48.75", kind="narrow-gauge")
    with pytest.raises(InputError, match="gauge: russian is given, but none is recorded"):
        asked(BEGUN, at="49.75", to="48.75", gauge="russian")
    assert asked(BEGUN, at="49.75", to="48.75", kind="field", nation="austro-hungarian").verdict.kind == "yes"


@pytest.mark.rule("17.5.1", "17.5.2")
def test_it_grows_along_the_road_over_the_ferry() -> None:
    report = asked(BEGUN, at="49.75", to="48.75")
    assert (report.verdict.text, report.result.hexes) == ("48.75 is built", ("49.75", "48.75"))
    assert made(report) == {("built-line", "49.75"): "49.75 48.75", ("built-turn", "49.75"): 6}
    now = asked(BEGUN.replace("built-turn=5", "built-turn=6"), at="49.75", to="48.75")
    assert told(now, "Not allowed") == ["it was already worked on this turn: it grows in a later RR Engineering Phase"]
    pathless = asked(BEGUN.replace("secondary-road", "no-road no-rail"), at="49.75", to="48.75")
    assert told(pathless, "Not allowed") == ["no primary or secondary road leads there"]
    zone = asked(BEGUN + "47.74: russian infantry XX R", at="49.75", to="48.75")
    assert told(zone, "Not allowed") == ["it may not be laid into an EZOC"]
    guns = asked(BEGUN + "48.75: russian artillery - R", at="49.75", to="48.75")
    assert told(guns, "Not allowed") == ["enemy units in the hex would take a Field Railway at once"]


@pytest.mark.rule("17.5.1")
def test_it_is_built_in_the_rr_engineering_phase_of_its_side() -> None:
    late = asked("phase=movement\n" + BEGUN, at="49.75", to="48.75")
    assert told(late, "Not allowed") == [
        "that is done only in the RR Engineering Phase, and the phase is movement; state phase=engineering when the RR Engineering Phase begins"
    ]
    begun = asked("phasing=russian\n" + ROZWADOW, at="49.75", kind="field", nation="austro-hungarian")
    text = "that is done in its side's RR Engineering Phase, but it is the Russian player turn"
    assert told(begun, "Not allowed") == [text]


@pytest.mark.rule("17.5.1")
def test_how_thirteen_hexes_are_counted() -> None:
    hexes = " ".join(["49.75", *(f"49.{row}" for row in range(76, 88))])
    text = f'{ROZWADOW}49.75 built-line="{hexes}" built-kind=field built-by=austro-hungarian built-turn=5\n'
    text += "49.88 clear\n49.87|49.88 open secondary-road"
    last = asked(text, at="49.75", to="49.88")
    assert (last.verdict.kind, len(last.result.hexes), ruled(last, "field-railway-length")) == ("yes", 14, "beyond")
    assert asked(text + "\nruling field-railway-length=all", at="49.75", to="49.88").verdict.kind == "no"


MONTWY = """campaign
new-railways
turn=8
84.43 station country=german
84.43|83.43 open road
83.43 control=central-powers
"""


MONTWY_LINE = '84.43 built-line="84.43{}" built-kind=narrow-gauge built-by=german built-turn=7\n'


@pytest.mark.rule("17.6", "17.6.1", "17.6.2")
def test_the_narrow_gauge_line_from_montwy() -> None:
    begun = asked(MONTWY, at="84.43", kind="narrow-gauge")
    assert (begun.verdict.kind, begun.result.nation) == ("yes", "german")
    record = MONTWY_LINE.format("")
    grown = asked(MONTWY + record, at="84.43", to="83.43")
    assert made(grown) == {
        ("built-line", "84.43"): "84.43 83.43",
        ("built-turn", "84.43"): 8,
        ("rail", "83.43|84.43"): "rail1",
        ("narrow", "83.43|84.43"): True,
        ("gauge", "83.43|84.43"): "standard",
        ("operational", "83.43"): "central-powers",
    }
    assert not grown.result.complete
    meets = asked(MONTWY + record + "83.43|83.44 rail2", at="84.43", to="83.43")
    assert meets.result.complete
    done = (
        record.replace('"84.43"', '"84.43 83.43"')
        + "83.43|83.44 rail2\n83.43|82.43 open\n82.43 control=central-powers\n"
    )
    done += "83.43|84.43 rail1 narrow\n82.43|83.43 road"
    assert told(asked(MONTWY + done, at="84.43", to="82.43"), "Not allowed") == ["it is complete"]


@pytest.mark.rule("17.6.1", "17.6.2", "18.1b")
@pytest.mark.parametrize(
    ("way", "rule", "allowed", "ruling"),
    [
        ("road", "", True, "bridge"),
        ("road", "ruling narrow-gauge-pontoon=printed", False, "printed"),
        ("no-road", "", False, ""),
    ],
)
def test_a_pontoon_bridge_on_a_roadway_carries_a_narrow_gauge_line_by_a_ruling(
    way: str, rule: str, allowed: bool, ruling: str
) -> None:
    over = MONTWY.replace("84.43|83.43 open road", f"84.43|83.43 major-river {way} pontoon")
    report = asked(over + MONTWY_LINE.format("") + rule, at="84.43", to="83.43")
    assert (report.result.allowed, ruled(report, "narrow-gauge-pontoon")) == (allowed, ruling)


LUBLIN = """campaign
new-railways
turn=8
43.66 station country=russian control=russian
44.67 control=russian
45.67 control=russian
43.66|44.67 open
44.67|45.67 open
"""
LUBLIN_LINE = '43.66 built-line="43.66{}" built-kind=railroad built-by=russian built-turn=7 built-to=49.75 built-gauge=russian{}\n'


@pytest.mark.rule("17.7", "17.7.1", "17.7.2")
def test_the_line_from_lublin_to_rozwadow() -> None:
    begun = asked(LUBLIN, at="43.66", kind="railroad", objective="49.75", gauge="russian")
    assert begun.verdict.kind == "yes"
    assert made(begun)["built-to", "43.66"] == "49.75"
    half = asked(LUBLIN + LUBLIN_LINE.format("", ""), at="43.66", to="44.67")
    assert half.verdict.text == "half of 44.67 is built"
    assert made(half) == {
        ("built-line", "43.66"): "43.66 44.67",
        ("built-turn", "43.66"): 8,
        ("built-half", "43.66"): True,
    }
    whole = asked(LUBLIN + LUBLIN_LINE.format(" 44.67", " built-half"), at="43.66", to="44.67")
    assert made(whole) == {
        ("built-turn", "43.66"): 8,
        ("built-half", "43.66"): None,
        ("rail", "43.66|44.67"): "rail1",
        ("gauge", "43.66|44.67"): "broad",
        ("operational", "44.67"): "russian",
    }
    away = LUBLIN + LUBLIN_LINE.format(" 44.67", "") + "43.67|44.67 open\n43.67 control=russian\n"
    back = asked(away, at="43.66", to="43.67")
    assert "the hex is no nearer to the objective" in told(back, "Not allowed")
    free = asked(away + "ruling new-line-toward=free", at="43.66", to="43.67")
    assert free.verdict.kind == "yes"


@pytest.mark.rule("17.7", "17.7.1")
def test_beside_a_line_of_another_gauge_a_whole_hex_is_built() -> None:
    beside = LUBLIN + LUBLIN_LINE.format("", "") + "43.66|44.67 rail2 standard"
    whole = asked(beside, at="43.66", to="44.67")
    assert (whole.result.half, made(whole)["gauge", "43.66|44.67"]) == (False, "both")
    assert ("rail", "43.66|44.67") not in made(whole)
    same = asked(beside.replace("standard", "broad"), at="43.66", to="44.67")
    assert same.result.half
    unknown = asked(beside.replace(" standard", ""), at="43.66", to="44.67")
    assert [ask.key for ask in unknown.asks] == [("gauge", "43.66|44.67")], "a line of unknown gauge is named"


@pytest.mark.rule("17.6")
def test_a_narrow_gauge_line_along_a_rr_line_leaves_that_as_it_is() -> None:
    """What is operational already needs no word either."""
    along = MONTWY.replace("open road", "open road rail2 standard") + "83.43 operational=central-powers\n"
    grown = asked(along + MONTWY_LINE.format(""), at="84.43", to="83.43")
    assert made(grown) == {("built-line", "84.43"): "84.43 83.43", ("built-turn", "84.43"): 8}


@pytest.mark.rule("17.6", "17.7")
def test_the_sixth_hex_becomes_a_station_but_not_of_a_narrow_gauge_line() -> None:
    text = (
        MONTWY
        + MONTWY_LINE.format(" 83.43 82.43 81.42 80.42")
        + "79.41 control=central-powers\n79.41|80.42 open road\n"
    )
    grown = asked(text, at="84.43", to="79.41")
    assert len(grown.result.hexes) == 6
    assert "station" not in {track for track, _ in made(grown)}
    hexes = " 44.67 45.67 46.68 47.68 48.69"
    text = LUBLIN + LUBLIN_LINE.format(hexes, " built-half") + "48.69 control=russian\n47.68|48.69 open"
    assert made(asked(text, at="43.66", to="48.69"))["station", "48.69"] is True


@pytest.mark.parametrize(
    ("text", "given", "error"),
    [
        (BEGUN, {}, "a line is already being built from 49.75"),
        (ROZWADOW, {"to": "48.75"}, "no line is being built from 49.75"),
        (ROZWADOW, {}, "the kind of line is not given"),
        (ROZWADOW, {"kind": "field"}, "who builds the Field Railway is not given"),
        (BEGUN, {"to": "45.75"}, "49.75 and 45.75 are not adjacent"),
        (BEGUN, {"to": "49.75"}, "49.75 is already on the line"),
        (BEGUN.replace('"49.75"', '"48.75"'), {"to": "48.75"}, "it begins in 48.75"),
        (BEGUN.replace('"49.75"', '"49.75 60.60"'), {"to": "48.75"}, "built-line of 49.75: 49.75 and 60.60 are not adjacent"),
        (BEGUN.replace("built-kind=field ", ""), {"to": "48.75"}, "its kind or its builder is not stated"),
    ],
)  # fmt: skip
def test_slips(text: str, given: dict[str, str], error: str) -> None:
    with pytest.raises(InputError, match=error):
        asked(text, at="49.75", **given)


def test_the_hex_that_is_built_by_half_comes_first() -> None:
    with pytest.raises(InputError, match="44.67 is half built"):
        asked(LUBLIN + LUBLIN_LINE.format(" 44.67", " built-half"), at="43.66", to="45.67")


@pytest.mark.rule("17.6", "17.7")
@pytest.mark.parametrize(("ground", "made"), [("no-rail broad", True), ("rail1 broad", False)])
def test_a_line_that_grows_lays_the_rail_where_there_is_none(ground: str, made: bool) -> None:
    position = typed(f"40.20|40.21 {ground}")
    view = View(position.game, position.state)
    line = BuiltLine(kind="narrow-gauge", nation="german", hexes=("40.20", "40.21"))
    rails = [one.after for one in join_rail_net(view, line, "central-powers") if one.track == "rail"]
    assert rails == (["rail1"] if made else [])
