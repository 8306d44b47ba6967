"""Which sources serve whom: attachment, markers, Fortresses with a supply symbol, Boyen."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.rules.field import LineSource, Range
from twilight_in_the_east.forces.armies import may_draw
from twilight_in_the_east.supply.sources import always_supplied, bars_of_attachment, fortress_source

from ...cases import few
from ...conftest import answered, told, typed, viewed

LINE = """
40.23: {source} range=5 extended-range=7
40.20: {unit}
line here: 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough
ask supply unit={name} line=here
"""


def along_line(source: str, unit: str = "25/3 army=First", name: str = "25/3") -> Report[Any]:
    return answered(typed(LINE.format(source=source, unit=unit, name=name)))


@pytest.mark.rule("14.2", "14.7")
def test_a_source_reaches_as_far_as_its_widest_range_and_a_rr_line_any_distance() -> None:
    def limit(*hexes: int | None) -> int | None:
        return LineSource("S", "corps-train", "40.20", tuple(Range(one, "in", "") for one in hexes)).limit

    assert (limit(5, 8), limit(), limit(3, None), limit(None)) == (8, 0, None, None)
    near = LineSource("S", "RR line", "40.20", (Range(3, "in", ""), Range(None, "low", "")))
    assert [near.at(lambda hexes, far=far: far <= hexes) for far in (3, 4)] == list(near.ranges)


@pytest.mark.rule("14.2", "14.2.1", "10.5.2b")
@pytest.mark.parametrize("marker", ["relocating", "consolidating"])
def test_a_depot_that_moved_far_gives_nothing(marker: str) -> None:
    depot = '"Russian FIRST Major Depot" army=First'
    assert along_line(f"{depot} supply=in").result.state == "in"
    moved = along_line(f"{depot} relocation={marker}")
    assert moved.result.tried[0].why_not == f"marked {marker.capitalize()} (8.2.7)"


@pytest.mark.rule("6.3.2", "6.3.3", "6.3.3b", "14.3.1b")
@pytest.mark.parametrize(
    ("unit", "state"),
    [
        ('cavalry XX "9 c" army=First', None),
        ('cavalry XX "9 c" army=First corps="1 C"', "in"),
        ('cavalry XX "9 c" army=First corps=1C', "in"),
        ('cavalry XX "9 c" army=First corps="3 C"', None),
        ('infantry XX "9 c" army=First corps="1 C"', None),
        ('infantry III "9 c" army=First', None),
    ],
)
@pytest.mark.parametrize("train", ['"1 C Train"', 'russian corps-train - "U" corps="1 C" cavalry-corps'])
def test_the_train_of_a_cavalry_corps_serves_attached_cavalry_only(unit: str, state: str | None, train: str) -> None:
    found = along_line(f"{train} army=First", f'russian {unit}\n41.20: russian cavalry XX near corps="1 C"', '"9 c"')
    assert found.result.state == state


@pytest.mark.rule("12.1", "14.2", "8.2.4", "3.6.1", "14.2.1", "22.3.1")
def test_two_trains_are_in_supply_without_a_line_and_one_has_no_extended_side() -> None:
    """That of Königsberg always (22.5.1), and that of 3 LW Corps up to GT 9 (22.3.1)."""
    unasked = LINE.replace(" range=5 extended-range=7", "{own}").format
    served = unasked(source='"KG Train"', own=" range=5", unit="german infantry XX 1/KG", name="1/KG")
    assert answered(typed(served)).result.tried[0].extended_range == 0
    assert answered(typed('60.17: "KG Train"'), "supply", unit="KG Train").verdict.kind == "yes"
    assert [
        answered(typed(f'turn={turn}\n60.17: "3 LW Train"'), "supply", unit="3 LW Train").verdict.kind
        for turn in (9, 10)
    ] == ["yes", "undecided"]


@few(2)
@pytest.mark.rule("24.4")
@pytest.mark.parametrize(
    ("unit", "turn", "state"),
    [("2/23", 7, "low"), ("2/23", 8, "in"), ("3/23", 7, "in"), ('"det 5"', 7, "low")],
)
def test_the_2nd_division_is_in_low_supply_at_best_up_to_gt_7(unit: str, turn: int, state: str) -> None:
    division = (
        "russian infantry XX 3/23" if unit == "3/23" else 'russian infantry XX 2/23, russian infantry III "det 5"'
    )
    train = f"turn={turn}\n40.23: russian corps-train - T corps=23 range=5 extended-range=7"
    report = answered(
        typed(LINE.replace("40.23: {source} range=5 extended-range=7", train).format(unit=division, name=unit))
    )
    assert (report.result.state, report.verdict.kind) == (state, "yes" if state == "in" else "figure")
    if state == "low":
        named = "2/23" if unit == "2/23" else "det 5 (attached to 2/23)"
        assert report.verdict.text == f"{named} is in Low Supply from T, 1 1/2 hexes away"
        assert "up to GT 7 in Low Supply at best (24.4)" in told(report, "Cause")


@pytest.mark.rule("14.2.1")
def test_a_depot_draws_on_no_other_supply_unit() -> None:
    depot = '"Russian FIRST Minor Depot" army=First'
    found = along_line('"Russian FIRST Major Depot" army=First', depot, '"Russian FIRST Minor Depot"')
    assert [(one.kind, one.why_not) for one in found.result.tried] == [("RR line", "no LOC (14.2.1)")]


@pytest.mark.rule("24.3.1", "3.6.1")
def test_an_incomplete_train_reaches_less_far() -> None:
    assert along_line('"3 Train"').result.tried[0].range == 5
    found = along_line('"3 Train" incomplete=1 incomplete-range=4').result
    assert (found.tried[0].range, found.tried[0].extended_range, found.state) == (1, 3, "low")
    asked = along_line('"3 Train" incomplete=2')
    assert [ask.how for ask in asked.asks] == ['"3 Train" incomplete-range=N']


AT_FORTRESS = """
{place}: russian {arm} "9 r"
40.20: russian fortress - Osoviets supply-symbol={symbol}
ask supply unit="9 r"
"""


@pytest.mark.rule("12.1.1", "14.2.4", "12.1", "3.7.3")
@pytest.mark.parametrize(
    ("place", "arm", "symbol", "supplied"),
    [
        ("40.20", "infantry XX", "yes", True),
        ("41.20", "artillery -", "yes", True),
        ("42.21", "infantry XX", "yes", False),
        ("41.20", "infantry XX", "no", False),
        ("41.20", "corps-train -", "yes", False),
        ("41.20", "cavalry XX", "yes", True),
        ("41.20", "minor-depot -", "yes", False),
    ],
)
def test_a_fortress_with_a_symbol_supplies_those_on_it_and_next_to_it(
    place: str, arm: str, symbol: str, supplied: bool
) -> None:
    report = answered(typed(AT_FORTRESS.format(place=place, arm=arm, symbol=symbol)))
    text = "9 r is In Supply: it stands in or adjacent to Osoviets, which has a supply symbol (14.2.4)"
    assert (report.verdict.text == text) is supplied


@pytest.mark.rule("12.1.1", "14.2.4", "12.1", "3.7.3")
def test_a_fort_or_an_enemy_fortress_supplies_nobody_and_the_symbol_is_asked_for() -> None:
    text = AT_FORTRESS.format(place="41.20", arm="infantry XX", symbol="yes")
    for other in (
        text.replace("russian fortress", "russian fort"),
        text.replace("russian fortress", "german fortress"),
    ):
        assert answered(typed(other)).verdict.kind == "undecided"
    asked = answered(typed(text.replace(" supply-symbol=yes", "")))
    assert [(ask.how, ask.takes) for ask in asked.asks] == [("Osoviets supply-symbol", "yes or no")]


BOYEN = """
49.27: Boyen
{place}: german infantry X {name} army=Eighth
line here: 49.27 50.27 {ground} 51.27 clear
ask supply unit={name}
"""


@pytest.mark.rule("14.2.4b", "22.6")
@pytest.mark.parametrize(
    ("name", "ground", "state"),
    [
        ("Lötzen", "clear", "in"),
        ("Masurian", "rough", "in"),
        ("Bacmeister", "mountain", "in"),
        ("Tilsit", "clear", None),
    ],
)
def test_boyen_supplies_three_units_along_a_line(name: str, ground: str, state: str | None) -> None:
    report = answered(typed(BOYEN.format(place="51.27", name=name, ground=ground)))
    assert (report.result.state if report.result else None) == state


@pytest.mark.rule("14.2.4b")
def test_boyen_reaches_three_hexes_and_serves_a_formation_of_any_size() -> None:
    found = answered(
        typed(BOYEN.format(place="51.27", name="Lötzen", ground="mountain").replace("51.27 clear", "51.27 rough"))
    )
    assert (found.verdict.kind, found.result.tried[0].why_not) == ("undecided", "no typed line within its range")
    report = answered(typed(BOYEN.format(place="51.27", name="Lötzen", ground="clear").replace(" X ", " ")))
    assert (report.verdict.kind, report.result.source) == ("yes", "Boyen")


@pytest.mark.rule("14.2.4b")
def test_boyen_over_a_drawn_map() -> None:
    text = (
        "board sample\ntrust counters\nturn=5\n71.33: Boyen\n{}: german infantry X {} army=Eighth\nask supply unit={}"
    )
    found = answered(typed(text.format("70.34", "Lötzen", "Lötzen"))).result
    assert found.tried[0].source == "Boyen"
    others = answered(typed(text.format("70.34", "Tilsit", "Tilsit"))).result
    assert "Boyen" not in [source.source for source in others.tried]


@pytest.mark.rule("12.1", "8.2.4", "23.4")
def test_who_needs_no_line() -> None:
    def why(unit: str, place: str = "40.20") -> str:
        view = viewed(f"{place}: {unit} F")
        with view.gather() as facts:
            return always_supplied(facts, view.unit("F"))

    assert why("german fort -") == "a fortress unit is always In Supply (12.1)"
    for others in ("cavalry XX", "artillery -", "minor-depot -", "major-depot -", "dummy -", "infantry XX"):
        assert why(f"german {others}") == ""
    box = '"Bukowina Holding Box"'
    assert why("austro-hungarian infantry XX", box) == "a unit in the Bukowina Holding Box is In Supply (23.4)"


@pytest.mark.rule("12.1.1", "14.2.4", "14.2.4b", "3.7.3")
def test_boyen_supplies_no_other_units_and_no_other_fortress_supplies_its_own_at_a_distance() -> None:
    boyen = answered(typed("40.20: german infantry XX A\n40.21: Boyen supply-symbol"), "supply", unit="A")
    assert boyen.result.state is None, "a line is asked for"
    line = "line here: 40.22 40.21 clear 40.20 clear\n40.22 operational=central-powers\n"
    other = f"{line}40.20: german infantry XX Bacmeister\n40.22: german fortress - Thorn supply-symbol"
    assert answered(typed(other), "supply", unit="Bacmeister").result.source == "the RR line at 40.22"


@pytest.mark.rule("12.1.1", "14.2.4", "3.7.3")
def test_no_fortress_serves_a_unit_that_is_off_the_map() -> None:
    view = viewed("40.20: german infantry XX A\n40.21: german fortress - Thorn supply-symbol")
    with view.gather() as facts:
        assert fortress_source(facts, view.unit("A")) == "Thorn"
        assert fortress_source(facts, msgspec.structs.replace(view.unit("A"), place=None)) == ""


FED = """board sample
trust counters
turn=5
66.35: 22/1 army=Second
66.36: "Russian 1 Train" army=Second
{}"""
DEPOT = '65.37: "Russian SECOND Major Depot" range={} extended-range={} army={}'


@pytest.mark.rule("14.2.2")
@pytest.mark.parametrize(
    ("depot", "why_not"),
    [
        ("", "itself Out of Supply (14.2.2)"),
        (DEPOT.format(4, 6, "Second"), ""),
        (DEPOT.format(0, 1, "Second"), "itself Out of Supply (14.2.2)"),
        (DEPOT.format(4, 6, "First"), "itself Out of Supply (14.2.2)"),
        (DEPOT.format(4, 6, "Second relocation=relocating"), "itself Out of Supply (14.2.2)"),
        (
            f"{DEPOT.format(4, 6, 'Second')}\n{DEPOT.format(0, 1, 'Second').replace('65.37', '64.37').replace('Major', 'Minor')}",
            "",
        ),
    ],
)
def test_a_train_is_fed_by_a_depot_over_the_map(depot: str, why_not: str) -> None:
    found = answered(typed(FED.format(depot)), "supply", unit="22/1").result
    assert {one.source: one.why_not for one in found.tried}["Russian 1 Train"] == why_not


@pytest.mark.rule("14.2.2")
def test_a_train_that_needs_no_depot_serves_over_the_map() -> None:
    text = 'board sample\ntrust counters\nturn=5\n66.35: german infantry XX 1/KG army=Eighth\n66.36: "KG Train" army=Eighth'
    found = answered(typed(text), "supply", unit="1/KG").result
    assert {one.source: one.why_not for one in found.tried}["KG Train"] == ""


@pytest.mark.rule("6.3.1a", "6.3.2", "6.3.3", "6.3.3b", "14.3.1b", "22.5.1b")
@pytest.mark.parametrize(
    ("unit", "source", "why_not"),
    [
        ("russian infantry XX A corps=3", '"3 Train"', ""),
        ("russian infantry XX A corps=3 army=First", '"3 Train" army=First', ""),
        ("russian infantry XX A corps=3 army=Second", '"3 Train" army=First', "of another army (6.3.1)"),
        ("russian infantry XX A corps=20 army=First", '"3 Train" army=First', "of another corps (14.3.1)"),
        ("russian infantry XX A army=First", '"3 Train" army=First', "of another corps (14.3.1)"),
        ("russian cavalry XX A army=First", '"3 Train" army=First', ""),
        ("russian cavalry XX A army=Second", '"3 Train" army=First', "of another corps (14.3.1)"),
        ("russian cavalry XX A army=none", '"3 Train" army=none', "of another corps (14.3.1)"),
        ("russian cavalry XX A corps=20 army=First", '"3 Train" army=First', "of another corps (14.3.1)"),
        ("russian cavalry XX A corps=3", '"3 Train"', ""),
        ("austro-hungarian infantry XX A corps=1", '"German 1 Train"', "of another corps (14.3.1)"),
        ("austro-hungarian infantry XX A corps=1 army=Eighth", '"German 1 Train" army=Ninth', "of another corps (14.3.1)"),
        ("russian infantry XX A army=First", 'russian minor-depot - D army=First supply=in', ""),
        ("russian infantry XX A corps=3 army=Second", 'russian minor-depot - D corps=3 army=First', "of another army (14.3.2)"),
        ("russian infantry XX A army=First", 'russian corps-train - U army=First', "of another corps (14.3.1)"),
        ("german cavalry XX A army=Eighth", '"KG Train" army=Eighth', "of another corps (14.3.1)"),
        ("russian infantry III A asset army=First\n41.20: russian infantry XX B corps=3 army=First", '"3 Train" army=First', ""),
        ("russian infantry III A asset army=First\n41.20: russian cavalry XX B army=First", '"3 Train" army=First', "of another corps (14.3.1)"),
    ],
)  # fmt: skip
def test_whom_attachment_lets_draw_on_whom(unit: str, source: str, why_not: str) -> None:
    report = along_line(source, unit, "A")
    assert report.result.tried[0].why_not == why_not


@pytest.mark.rule("3.3.1", "14.3.1")
@pytest.mark.parametrize(
    ("unit", "source", "why_not"),
    [
        ("german infantry XX 35/17", '"17 Train"', ""),
        ("german infantry XX 1/1", '"German 1 Train"', ""),
        ("german infantry XX 1/1", '"17 Train"', "of another corps (14.3.1)"),
        ("german infantry XX 1/1", '"German 1 Train" corps=17', "of another corps (14.3.1)"),
        ("german infantry XX 3/1R", '"1R Train"', ""),
        ("german cavalry XX 1c/2C", '"2C Train"', ""),
        ("german infantry XX 35/17", '"17 Train" corps=none', "of another corps (14.3.1)"),
    ],
)
def test_the_name_of_a_corps_train_says_its_corps(unit: str, source: str, why_not: str) -> None:
    report = along_line(f"german corps-train - {source}", unit, unit.split()[-1])
    assert report.result.tried[0].why_not == why_not


@pytest.mark.rule("6.3.1a", "6.3.2", "6.3.3", "6.3.3b", "14.3.1b", "22.5.1b")
@pytest.mark.parametrize(
    ("corps", "army", "rules"),
    [("3", "First", []), ("3", "Second", ["6.3.1"]), ("20", "First", ["14.3.1"]), ("20", "Second", ["14.3.1"])],
)
def test_a_train_of_another_corps_is_not_also_one_of_another_army(corps: str, army: str, rules: list[str]) -> None:
    view = viewed(f'40.20: russian infantry XX A corps={corps} army={army}\n40.23: "3 Train" army=First')
    with view.gather() as facts:
        bars = [*bars_of_attachment(facts, view.unit("A"), view.unit("3 Train"))]
    assert [rule for holds, rule, _ in bars if holds] == rules


@pytest.mark.rule("3.3.1", "14.3.1", "6.3.2", "6.3.3b")
@pytest.mark.parametrize(
    ("unit", "asked"),
    [
        ("russian infantry XX A corps=3", ["U corps=..."]),
        ("russian infantry XX A", []),
        ("russian cavalry XX A army=First", ["U corps=..."]),
    ],
)
def test_the_corps_of_a_train_is_asked_for_where_nothing_says_it(unit: str, asked: list[str]) -> None:
    report = along_line("russian corps-train - U army=First", unit, "A")
    assert [ask.how for ask in report.asks if "corps" in ask.how] == asked


@pytest.mark.rule("6.3.1a", "6.3.2", "6.3.3", "6.3.3b")
@pytest.mark.parametrize(
    ("unit", "source", "asked"),
    [
        ("russian infantry XX A corps=3", "russian minor-depot - D", ["A army=...", "D army=..."]),
        ("russian cavalry XX A", '"3 Train"', ["A army=...", '"3 Train" army=...']),
        ("russian cavalry XX A corps=3", '"3 Train"', []),
        ("russian infantry XX A", '"3 Train"', []),
    ],
)
def test_the_army_is_asked_for_where_it_decides(unit: str, source: str, asked: list[str]) -> None:
    assert [ask.how for ask in along_line(source, unit, "A").asks if "army" in ask.how] == asked


@pytest.mark.rule("14.2.1", "14.2.2b")
def test_a_train_that_is_always_in_supply_serves_even_if_marked() -> None:
    marked = along_line('"KG Train" supply=out', "german infantry XX 1/KG", "1/KG")
    assert marked.result.state == "in"
    assert along_line('"3 Train" army=First supply=out').result.tried[0].why_not == "itself Out of Supply (14.2)"


@pytest.mark.rule("3.6.1")
def test_an_incomplete_marker_shortens_both_ranges_but_not_below_nothing() -> None:
    def ranges(more: str, name: str = '"3 Train"', unit: str = "25/3 army=First") -> tuple[int, int]:
        tried = along_line(f"{name} {more}", unit, unit.split(" army")[0].split()[-1]).result.tried[0]
        return tried.range, tried.extended_range

    assert ranges("army=First") == (5, 7)
    assert ranges("army=First incomplete=1 incomplete-range=2") == (3, 5)
    assert ranges("army=First incomplete=1 incomplete-range=6") == (0, 1)
    assert ranges("army=First incomplete=1 incomplete-range=9") == (0, 0)
    assert ranges("", '"KG Train"', "german infantry XX 1/KG")[1] == 0


@pytest.mark.rule("14.2.1", "14.2.2b")
def test_a_line_named_after_a_unit_that_supplies_nobody() -> None:
    text = LINE.format(source="29/20", unit="25/3 army=First", name="25/3")
    report = answered(typed(text.replace("line here", "line 29/20").replace("line=here", "line=29/20")))
    assert report.result.tried[0].why_not == "not a supply unit"


GARRISON = """turn=3
campaign
58.53 clear: {unit}
58.54 clear{source}
line there: 58.54 -road- 58.53
"""
RIFLES = '"1st Rifle" army="Warsaw Garrison"'
DIVISION = 'russian infantry XX "59th Reserve" army="Warsaw Garrison" corps=27'
FORTRESS = ": russian fortress - {} complex={} supply-symbol"


@pytest.mark.rule("24.1.2b")
@pytest.mark.parametrize(
    ("unit", "source", "state"),
    [
        pytest.param(RIFLES, " operational=russian", "in", id="a RR line"),
        pytest.param(
            DIVISION,
            ': russian corps-train - "27 Train" corps=27 army="Warsaw Garrison" range=6 extended-range=9 supply=in',
            None,
            id="its own train",
        ),
        pytest.param(
            RIFLES,
            ': russian minor-depot - D army="Warsaw Garrison" range=6 extended-range=9 supply=in',
            None,
            id="a depot",
        ),
    ],
)
def test_units_of_the_warsaw_garrison_trace_from_railways_alone(unit: str, source: str, state: str | None) -> None:
    text = GARRISON.format(unit=unit, source=source)
    named = "1st Rifle" if unit == RIFLES else "59th Reserve"
    found = answered(typed(text), "supply", unit=named)
    assert found.result.state == state
    if state is None:
        why = "units of the Warsaw Garrison trace supply only from an RR line or Novo-Georgievsk (24.1.2)"
        assert found.result.tried[0].why_not == why
        assert answered(typed(text.replace("campaign\n", "")), "supply", unit=named).result.state == "in"
        assert answered(typed(text.replace('"Warsaw Garrison"', "Second")), "supply", unit=named).result.state == "in"


@pytest.mark.rule("24.1.2b", "14.2.4", "3.7.3")
@pytest.mark.parametrize(
    ("place", "complex", "serves"),
    [
        pytest.param("61.48", "Novo-Georgievsk", True, id="Novo-Georgievsk itself"),
        pytest.param("60.48", "Novo-Georgievsk", True, id="another of its complex"),
        pytest.param("60.48", "Zegrze", False, id="another complex"),
    ],
)
def test_of_the_fortresses_only_novo_georgievsk_supplies_the_warsaw_garrison(
    place: str, complex: str, serves: bool
) -> None:
    text = f"campaign\n60.47: {RIFLES}\n61.48" + FORTRESS.format("N1", "Novo-Georgievsk")
    if place == "61.48":
        text = text.replace(" complex=Novo-Georgievsk", "")
    text += "" if place == "61.48" else f"\n{place}" + FORTRESS.format("N2", complex)
    text = text.replace("60.47:", "59.48:") if place == "60.48" else text.replace("60.47:", "60.48:")
    found = answered(typed(text), "supply", unit="1st Rifle")
    assert (found.result.state == "in") == serves
    if not serves:
        assert found.asks[0].title.endswith(" within 6 hexes of an operational RR line by another way")
        other = typed(text.replace("Warsaw Garrison", "Second"))
        assert answered(other, "supply", unit="1st Rifle").result.state == "in", "for that garrison only"


@pytest.mark.rule("24.1.2b")
@pytest.mark.parametrize(
    "there", ["", '\n61.48: russian infantry XX "26/15" corps=15 army=Second'], ids=["nobody", "a division"]
)
def test_without_a_fortress_unit_in_novo_georgievsk_nobody_asks_for_the_complex_of_another(there: str) -> None:
    text = f"campaign\n59.48: {RIFLES}\n60.48" + FORTRESS.format("N2", "Zegrze").replace(" complex=Zegrze", "") + there
    found = answered(typed(text), "supply", unit="1st Rifle")
    assert [ask.title.partition(" within")[0] for ask in found.asks] == ["is 1st Rifle"]


@pytest.mark.rule("24.5.1")
def test_praga_has_no_extended_range() -> None:
    text = '60.46 station: russian major-depot - "PRAGA (Tannenberg)" supply=in army=Second range=3\n60.47 clear: 25/3 army=Second\n'
    position = typed(text + 'line "PRAGA (Tannenberg)": 60.46 -road- 60.47')
    found = answered(position, "supply", unit="25/3")
    assert (found.result.state, found.result.tried[0].extended_range) == ("in", 0)


@pytest.mark.rule("14.3.2")
def test_an_army_is_the_same_however_it_is_capitalised() -> None:
    text = "turn=5\n40.25: russian major-depot - M army=First range=5 extended-range=7\n40.25 station\n"
    text += "4026=4025:4024:4023:4022:4021:4020:4019:4018\n40.26 map-edge=russian\nside russian whole-network\n"
    text += "40.18: russian infantry XX 25/3 army={}\n"
    found = {
        army: answered(typed(text.format(army)), "supply", unit="25/3").result.state for army in ("first", "Second")
    }
    assert found == {"first": "in", "Second": "out"}


@pytest.mark.rule("6.3.1a", "6.3.2", "6.3.3", "6.3.3b")
def test_another_army_and_no_corps_bar_a_train() -> None:
    assert may_draw("3", "First", "corps-train", "3", "First")
    assert may_draw("3", "", "corps-train", "3", "First")
    assert may_draw("3", "First", "corps-train", "3", "")
    assert not may_draw("3", "Second", "corps-train", "3", "First")
    assert not may_draw("3", "Second", "minor-depot", "", "First")
    assert not may_draw("", "First", "corps-train", "3", "First")
    assert may_draw("", "First", "minor-depot", "", "First")


@pytest.mark.rule("6.3.1a")
def test_the_train_of_its_corps_in_another_army_does_not_serve() -> None:
    report = along_line('"3 Train" army=Second')
    assert report.result.tried[0].why_not == "of another army (6.3.1)"
    assert along_line('"3 Train" army=First').result.state == "in"
