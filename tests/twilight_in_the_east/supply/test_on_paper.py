"""Supply over the network that a player has typed of his paper map: what is certain, and the question that decides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report, step
from twilight_in_the_east.supply.report import Totals, write_counts

from ...conftest import answered, told, typed

UNITS = '40.20: 25/3\n40.23: "3 Train" supply=in range=2 extended-range=4\n'
"""The unit three hexes from its train."""
MOUNTAINS = UNITS + "4023m/4022m/4021m/4020m\n"
"""The only way that is typed is too long for the train."""


def supply(text: str, unit: str = "25/3", **more: Any) -> Report[Any]:
    return answered(typed(text), "supply", unit=unit, **more)


def asked(report: Report[Any]) -> list[str]:
    return [ask.title for ask in report.asks]


# --- typed ways -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.1", "14.1.2a", "14.1.2b", "14.2")
@pytest.mark.parametrize(
    ("network", "source", "cost"),
    [
        pytest.param("4023=4022=4021:4020", "the RR line at 40.21", 1, id="off a railway"),
        pytest.param("4023=4022=4021-4020r", "the RR line at 40.20", 0, id="on a railway"),
        pytest.param("4023:4022/4021c", "", None, id="not as far as the unit"),
        pytest.param("4023:4022:4021:4020 4022c/4121c", "3 Train", 3, id="the cheapest of several"),
        pytest.param("4023:4022~:4021^:4020", "3 Train", 3, id="roads over ridge and river"),
    ],
)
def test_a_line_is_traced_over_what_is_typed(network: str, source: str, cost: int | None) -> None:
    text = UNITS.replace("range=2", "range=3") + network
    found = supply(text).result
    assert (found.source, found.cost) == (source, None if cost is None else Fraction(cost))


def test_a_network_has_any_number_of_pieces_and_sources() -> None:
    """Each unit is served by what is nearest; a piece that leads to it later is used at once."""
    text = UNITS + '42.20: 27/3\n42.23: "Russian FIRST Minor Depot" supply=in army=First range=4 extended-range=4\n'
    text += "4023:4022:4021:4020\n4223:4222\n25/3 army=First\n27/3 army=First"
    assert supply(text, "25/3").result.source == "3 Train"
    assert supply(text, "27/3").result.state is None
    assert supply(f"{text}\n4222:4221:4220", "27/3").result.source == "Russian FIRST Minor Depot"


def test_what_is_not_named_is_not_there() -> None:
    """A Major River without a bridge bars the way, and so does what is not typed at all."""
    assert supply(UNITS + "4023:4022:4021:4020").result.state is None
    assert supply(UNITS.replace("=2", "=3") + "4023:4022:4021c~4020c").result.state is None
    assert supply(UNITS.replace("=2", "=3") + "4023:4022:4021c~+4020c").result.state == "in"


def test_terrain_is_asked_for_where_a_line_turns_on_it() -> None:
    text = UNITS.replace("=2", "=3") + "4023:4022:4021/4020"
    assert [ask.key for ask in supply(text).asks] == [("terrain", "40.20")]
    assert supply(f"{text}\n40.20 clear").result.state == "in"
    assert supply(f"{text}\n4021:4020").result.state == "in", "by road it does not matter"
    text = UNITS.replace("=2", "=3") + "4023:4022:4021/4020c?\n25/3 other-line=no"
    found = supply(text)
    assert (found.verdict.kind, found.result.state) == ("undecided", "in")
    assert found.verdict.text.endswith("(if 40.20 is clear)")


@pytest.mark.rule("14.1", "4.1.2")
def test_enemies_and_their_zones_close_typed_ways() -> None:
    text = UNITS.replace("=2", "=3") + "4023:4022:4021:4020\n"
    assert supply(text).result.state == "in"
    assert supply(f"{text}40.21: 1/1").result.state is None
    assert supply(f"{text}39.21: 1/1").result.state is None
    assert supply(f"{text}39.21: 1/1\n40.21: 27/3\n40.22: 29/20").result.state == "in", "friends negate them"


CUT = "4023=4022/4021c/4020c/4019c/4018c\n40.18: 25/3\n41.19: 1/1"
GUEST = """4020c/4019c/4018c
40.20: german corps-train - T17 corps=17 army=Eighth range=5 extended-range=8 supply=in
40.18: german infantry XX A corps=1 army=Eighth"""
FAR = "4023=4022/4021c/4020c/4019c/4018c/4017c/4016c/4015c\n40.15: 25/3"


@pytest.mark.rule("14.1.1", "14.2.3", "14.3.1")
@pytest.mark.parametrize(
    ("text", "unit", "cause"),
    [
        (
            CUT,
            "25/3",
            "on the line from the RR line at 40.22, 40.19 is in the EZOC of 1/1; 40.20 is in the EZOC of 1/1",
        ),
        (GUEST, "A", "T17 is of another corps (14.3.1)"),
        (FAR, "25/3", "the RR line at 40.22 is 1 hex too far: 7 hexes away, range 6"),
    ],
)
def test_what_keeps_a_unit_from_the_nearest_typed_source_is_told_though_others_are_possible(
    text: str, unit: str, cause: str
) -> None:
    alone, among = supply(text, unit), answered(typed(text), "supply")
    assert alone.verdict.text == f"undecided: nothing typed supplies {unit}"
    assert told(alone, "Cause") == [cause]
    (listed,) = (line for line in told(among) if line.startswith(f"{unit} in "))
    assert f": undecided: {cause}; state {unit} other-line=no" in listed
    assert told(supply(f"{text}\n{unit} other-line=no", unit), "Cause") == [cause]


def test_where_what_is_not_stated_may_serve_a_unit_no_cause_is_told() -> None:
    assert told(supply("4023=4022/4021/4020\n40.20: 25/3"), "Cause") == []
    assert told(supply("40.20: 25/3"), "Cause") == []


def test_typed_ground_wins_over_a_drawn_board() -> None:
    text = 'board sample\ntrust counters\nturn=5\n66.37: 22/1\n65.37: "Russian 1 Train"\n'
    over = "6537-no-rail--no-road-^6637"
    assert supply(text, "22/1").result.cost < supply(f"{text}{over}", "22/1").result.cost


# --- RR lines ---------------------------------------------------------------------------------------------------------

LINKED = "an operational RR line links 40.21 to a friendly map edge"


@pytest.mark.rule("14.2.3", "14.2.1a")
def test_that_a_typed_railway_reaches_the_map_edge_is_taken_for_granted_aloud() -> None:
    text = UNITS + "4023=4022=4021:4020"
    assert LINKED in told(supply(text), "Assumed")
    for stated in ("40.23 linked=russian", "40.23 map-edge=russian"):
        found = supply(f"{text}\n{stated}")
        assert (found.result.state, LINKED in told(found)) == ("in", False)
    no_link = "\n40.23 linked=none\n40.21 linked=none"
    assert supply(f"{text}{no_link}").result.state is None


@pytest.mark.rule("14.2.3")
def test_of_a_railway_that_is_cut_it_is_asked_which_end_leads_to_the_map_edge() -> None:
    text = UNITS.replace("supply=in", "supply=out") + "4026=4025=4024=4023=4022=4021:4020\n40.24: 1/1\n"
    found = supply(text)
    assert [ask.key for ask in found.asks] == [("linked", "40.21")]
    assert asked(found) == ["does the RR line at 40.21, cut off as it is, lead on to a friendly map edge"]
    assert supply(f"{text}40.21 linked=russian").result.state == "in"
    assert supply(f"{text}40.26 linked=russian\n25/3 other-line=no\n40.21 linked=none").result.state == "out"


@pytest.mark.rule("17.1.1")
@pytest.mark.parametrize("side", ["none", "central-powers"])
def test_a_railway_of_another_side_or_out_of_use_counts_for_nothing(side: str) -> None:
    text = UNITS + "4023=4022=4021=4020r\n" + "".join(f"40.2{n} operational={side}\n" for n in range(4))
    assert supply(text).result.state is None


def test_of_a_supply_unit_it_is_asked_whether_a_railway_is_there() -> None:
    depot = '40.23: "Russian FIRST Major Depot" army=First\n40.25: "3 Train" army=First'
    edge = "does an operational RR line lead from 40.23 to a friendly map edge"
    assert asked(supply(depot, "Russian FIRST Major Depot")) == [edge]
    fed = depot.replace("army=First\n", "army=First range=4 extended-range=6\n")
    assert asked(supply(fed, "3 Train")) == [
        "is 3 Train within 6 hexes of Russian FIRST Major Depot by another way, or does an operational RR line lead "
        "from 40.25 to a friendly map edge"
    ]


# --- no other way -----------------------------------------------------------------------------------------------------


def test_without_a_word_on_other_ways_the_answer_stays_open_and_asks_what_decides() -> None:
    found = supply(MOUNTAINS)
    assert (found.verdict.kind, found.result.state) == ("undecided", None)
    assert asked(found) == [
        "is 25/3 within 4 hexes of 3 Train, or within 6 hexes of an operational RR line by another way"
    ]
    low = supply(UNITS.replace("=2", "=1").replace("=4", "=6") + "4023:4022:4021:4020")
    assert low.verdict.text == "undecided: along the lines typed, 25/3 is in Low Supply from 3 Train"
    assert asked(low) == ["is 25/3 within 1 hex of 3 Train, or within 3 hexes of an operational RR line by another way"]
    found = supply(f"{MOUNTAINS}25/3 other-line=yes")
    assert (found.verdict.kind, [ask.how for ask in found.asks]) == ("undecided", ["type it, as 40.19-40.20"])


@pytest.mark.rule("14.4c", "14.4d", "14.4.1")
def test_the_answers_settle_it_and_are_kept() -> None:
    assert supply(f"{MOUNTAINS}25/3 other-line=no").result.state == "out"
    answers = f"{MOUNTAINS}25/3 other-line=no way-out="
    assert supply(f"{answers}no").verdict.text == "25/3 is Out of Supply and Isolated"
    assert supply(f"{answers}yes").verdict.text == "25/3 is Out of Supply, but not Isolated"
    low = UNITS.replace("=2", "=1").replace("=4", "=6") + "4023:4022:4021:4020\n25/3 other-line=no"
    assert supply(low).verdict.text == "25/3 is in Low Supply from 3 Train in Extended Mode, 3 hexes away"


@pytest.mark.rule("14.4c", "14.4d")
def test_a_side_counts_units_of_which_it_is_not_known_whether_they_are_isolated() -> None:
    def of_side(text: str) -> tuple[str, bool]:
        report = answered(typed(text), "supply", side="russian")
        return report.verdict.text.partition("Out of Supply")[2], any(
            "Out of Supply, perhaps Isolated" in line.text for part in report.parts for line in part.steps
        )

    cut_off = f"{MOUNTAINS}25/3 other-line=no"
    assert of_side(f"{cut_off} way-out=no") == (" (1 Isolated)", False)
    assert of_side(f"{cut_off} way-out=yes") == ("", False)
    assert of_side(cut_off) == (" (not known whether 1 Isolated)", True)


@pytest.mark.parametrize(
    ("isolated", "unknown", "words"),
    [
        (0, 0, ""),
        (2, 0, " (2 Isolated)"),
        (0, 2, " (not known whether 2 Isolated)"),
        (1, 2, " (at least 1 Isolated; not known whether 2 Isolated)"),
    ],
)
def test_how_many_are_isolated_is_a_bound_where_that_is_not_known(isolated: int, unknown: int, words: str) -> None:
    counted = Totals(out=3, isolated=isolated, perhaps_isolated=unknown)
    assert step("14.4", write_counts(counted), counted).text == f"0 In Supply, 0 in Low Supply, 3 Out of Supply{words}"


def test_the_whole_network_of_a_side_can_be_typed() -> None:
    whole = f"{MOUNTAINS}side russian whole-network\n"
    assert supply(whole).verdict.text == "25/3 is Out of Supply and Isolated"
    assert supply(f"{whole}4025=4024/4023").verdict.text == "25/3 is Out of Supply, but not Isolated"
    other = MOUNTAINS + "side central-powers whole-network"
    assert supply(other).verdict.kind == "undecided", "that of the other side"


@pytest.mark.parametrize("asked_with", [{"unit": "25/3"}, {"unit": "25/3", "line": "way"}, {"side": "russian"}])
def test_where_all_is_typed_no_line_begins_at_a_railway_that_is_not(asked_with: dict[str, str]) -> None:
    line = UNITS.splitlines()[0] + '\nline "way": 40.23c -road- 40.22c -road- 40.21c -road- 40.20c\n'
    part = answered(typed(line), "supply", **asked_with)
    assert [ask.key for ask in part.asks] == [("operational", "40.23")]
    whole = answered(typed(f"{line}side russian whole-network"), "supply", **asked_with)
    assert (whole.result.units[0].could.state, whole.result.units[0].isolated, whole.asks) == ("out", True, ())


def test_hexes_into_which_every_way_is_typed() -> None:
    """The railway may still run through an open hex, if that is near enough."""
    assert " of 3 Train" in asked(supply(f"{MOUNTAINS}40.20 complete"))[0]
    some = f"{MOUNTAINS}40.20 complete\n40.21 complete\n40.22 complete\n"
    assert asked(supply(some)) == ["is 25/3 within 6 hexes of an operational RR line by another way"]
    assert supply(f"{some}40.23 complete").verdict.text == "25/3 is Out of Supply and Isolated"


@pytest.mark.rule("14.4.1", "4.1.3")
def test_of_a_unit_that_enemies_surround_it_is_asked_whether_a_railway_is_there() -> None:
    """The rulebook's example of isolation on paper. No line leads to 22/1, but a RR line may run under it."""
    text = "trust counters\n68.35: 22/1\n68.36: 41/20\n66.35: 37/20\n68.33: 35/17\n70.35: 36/17\n"
    text += '65.37: "Russian 1 Train"\n'
    assert asked(supply(text, "22/1")) == ["is 22/1 within 6 hexes of an operational RR line by another way"]
    none = f"{text}22/1 other-line=no\n"
    assert asked(supply(none, "22/1")) == [
        "is there a route from 68.35 of at most 6 enemy hexes to an operational RR line"
        ", avoiding enemy units, High Mountain and any EZOC not covered by your own units or ZOCs"
    ]
    for answer in (f"{none}22/1 way-out=no", f"{text}68.35 complete"):
        assert supply(answer, "22/1").verdict.text == "22/1 is Out of Supply and Isolated"


@pytest.mark.rule("14.4.1")
def test_a_typed_way_to_a_railway_keeps_a_unit_from_being_isolated() -> None:
    way = "4030=4029:4028:4027:4026:4025:4024:4023:4022:4021:4020\n40.20: 25/3\n25/3 other-line=no\n"
    unsaid = supply(way)
    assert unsaid.result.isolated is None
    friendly = "".join(f"40.{row} control=russian\n" for row in range(21, 24))
    found = supply(f"{way}{friendly}")
    assert found.result.isolated is False
    assert "an operational RR line links 40.29 to a friendly map edge" in told(found, "Assumed")


@pytest.mark.rule("14.4.1")
def test_a_way_to_a_stretch_of_railway_that_is_cut_off_turns_on_whether_that_leads_on() -> None:
    """The line is out of use in 40.32. Once the way leads on beyond, the hexes on it matter, whose control is not stated."""
    hexes = ":".join(f"40{row}" for row in range(20, 31))
    text = f"side russian whole-network\n{hexes}=4031=4032=4033=4133\n40.32 operational=none\n"
    text += "40.30=39.30\n40.20: 25/3\n"
    assert [ask.key for ask in supply(text).asks] == [("linked", "39.30")]
    for more in ("40.31 linked=none", "41.33 linked=russian"):
        assert [ask.key for ask in supply(f"{text}{more}").asks] == [("way-out", "25/3")]


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("supply=out way-out=no", "25/3 is Out of Supply (as stated) and Isolated"),
        ("supply=low", "25/3 is in Low Supply (as stated)"),
        ("supply=in", "25/3 is In Supply (as stated)"),
    ],
)
def test_what_is_stated_of_its_supply_is_believed_where_tracing_leaves_it_open(stated: str, verdict: str) -> None:
    assert supply(f"{MOUNTAINS}25/3 {stated}").verdict.text == verdict
    assert supply(f"40.20: 25/3\n25/3 {stated}").verdict.text == verdict, "nothing need be typed"


def test_what_tracing_finds_holds_over_what_was_stated_before() -> None:
    assert supply(UNITS + "4023=4022=4021-4020r\n25/3 supply=out").result.state == "in"
    assert supply(f"{MOUNTAINS}side russian whole-network\n25/3 supply=in").result.state == "out"


def test_a_typed_line_that_does_not_serve_may_end_in_out() -> None:
    line = UNITS + 'line "3 Train": 4023m 4022m 4021m 4020m\n'
    assert (supply(line).verdict.kind, len(supply(line).asks)) == ("undecided", 1)
    assert supply(f"{line}25/3 other-line=no way-out=no").verdict.text == "25/3 is Out of Supply and Isolated"
    assert supply(line, line="3 Train").verdict.kind == "undecided", "a line that is named is judged alone"
    assert supply(f"{line}25/3 other-line=no", line="3 Train").result.state == "out", "unless there is no other"


# --- a whole side -----------------------------------------------------------------------------------------------------

SIDE = """phasing=russian
40.23: "3 Train" range=3 extended-range=6
40.20: 25/3
42.20: 27/3
4023m/4022c/4021r/4020m
4221=4220
"""


def test_the_whole_side_is_asked_for_in_one_word() -> None:
    found = answered(typed(SIDE), "supply")
    (side,) = found.result.sides
    assert {unit.unit: unit.could.state for unit in side.units} == {"25/3": None, "3 Train": None, "27/3": "in"}
    assert [ask.key for ask in found.asks] == [("other-line", "3 Train"), ("other-line", "25/3")]
    settled = answered(typed(f"{SIDE}side russian whole-network"), "supply").result.sides[0]
    assert {unit.unit: unit.could.state for unit in settled.units} == {"25/3": "out", "3 Train": "out", "27/3": "in"}


@pytest.mark.rule("14.2.2")
def test_a_train_that_is_out_of_supply_for_certain_serves_nobody() -> None:
    open_still = supply(f"{SIDE}25/3 other-line=no")
    assert (open_still.result.state, [ask.key for ask in open_still.asks]) == (None, [("other-line", "3 Train")])
    assert supply(f'{SIDE}25/3 other-line=no\n"3 Train" supply=in').result.state == "low"
    assert supply(f'{SIDE}25/3 other-line=no\n"3 Train" other-line=no').result.state == "out"
    fed = '40.24: "Russian FIRST Major Depot" supply=in army=First range=3 extended-range=3\n4024:4023\n"3 Train" army=First\n'
    fed += "25/3 army=First\n"
    assert supply(f'{SIDE}{fed}25/3 other-line=no\n"3 Train" other-line=no').result.state == "low"


def test_of_an_enemy_whose_sources_are_unseen_what_its_owner_tells_is_believed() -> None:
    text = MOUNTAINS + "40.17: 1/1\n40.22 unseen=russian\n"
    assert supply(text).verdict.kind == "undecided"
    assert supply(f"{text}25/3 supply=out").verdict.text == "25/3 is Out of Supply (as stated)"


@pytest.mark.rule("17.1.1")
def test_a_hex_of_which_it_is_stated_that_its_line_is_operational_is_one_of_a_line() -> None:
    text = "turn=5\nside russian whole-network\n4020:4021\n40.21: 25/3\n"
    states = [
        answered(typed(text + more), "supply", unit="25/3").result.state for more in ("", "40.20 operational=russian\n")
    ]
    assert states == ["out", "in"]


@pytest.mark.rule("14.1.2d", "14.1.2f")
@pytest.mark.parametrize(
    ("now", "ground", "cost"),
    [
        ("turn=36 weather=normal", "40.22 wetlands", 3),
        ("turn=36 weather=freeze", "40.22 wetlands", 2),
        ("turn=16", "40.22 clear\n40.22|40.23 major-river bridge", 2),
        ("turn=17", "40.22 clear\n40.22|40.23 major-river bridge", 3),
        ("turn=36", "40.22 wetlands", None),
        ("turn=36", "40.22 clear", 2),
    ],
)
def test_the_weather_counts_on_a_network_with_wetlands_or_great_rivers(now: str, ground: str, cost: int | None) -> None:
    text = f"campaign {now}\nside russian whole-network\n40.25 map-edge=russian\n4025=4024:4023/4022\n40.22: 25/3\n{ground}"
    report = answered(typed(text), "supply", unit="25/3")
    assert (report.result and report.result.cost) == cost
    assert [ask.name for ask in report.asks] == ([] if cost else ["weather=normal|freeze"])
