"""RR lines that are typed, and what a hex that is out of use makes of them (17.1.1, 17.1.5)."""

from __future__ import annotations

import pytest

from ...conftest import answered, typed

PART = "4027c=4026c=4025c=4024c=4023c:4022c:4021c:4020c\n"
LINE = f"{PART}side russian whole-network\n"
DIVISION = "40.20: russian infantry XX 25/3\n"


@pytest.mark.rule("17.1.5", "14.2.3")
@pytest.mark.parametrize("cut", ["operational=none", "operational=central-powers", ": german cavalry XX G"])
def test_what_a_hex_out_of_use_cuts_off_is_not_taken_to_be_operational(cut: str) -> None:
    """As where an enemy stands in it: it is asked whether that end leads on, too, unless all is typed."""
    cut_off = "40.25" + (cut if cut[0] == ":" else f" {cut}") + "\n"
    rest = "40.27 linked=russian\n" + cut_off + DIVISION
    report = answered(typed(PART + rest), "supply", unit="25/3")
    assert report.verdict.kind == "undecided"
    assert any("linked=" in ask.how for ask in report.asks)
    whole = answered(typed(LINE + rest), "supply", unit="25/3")
    assert (whole.result.state, whole.asks) == ("out" if cut[0] == ":" else "low", ())


@pytest.mark.rule("17.1.5")
def test_where_no_end_leads_on_the_rest_of_the_line_serves_from_where_it_still_works() -> None:
    report = answered(
        typed(LINE + "40.27 linked=russian\n40.25 operational=none\n40.24,40.23 linked=none\n" + DIVISION),
        "supply",
        unit="25/3",
    )
    assert report.verdict.text == "25/3 is in Low Supply from the RR line at 40.26, 6 hexes away"
    report = answered(typed(LINE + "40.27 linked=russian\n" + DIVISION), "lifelines", unit=["25/3"])
    losses = {one.where for one in report.result.sides[0].losses if one.kind == "railway"}
    assert losses >= {"40.24", "40.25", "40.26"}


@pytest.mark.rule("17.1.1")
@pytest.mark.parametrize("linked", ["", "40.26 linked=russian\n"])
def test_a_single_hex_of_a_line_works_although_the_next_one_is_out_of_use(linked: str) -> None:
    text = "4026c=4025c:4024c\nside russian whole-network\n40.25 operational=none\n" + linked
    report = answered(typed(text + "40.24: russian infantry XX 25/3\n"), "supply", unit="25/3")
    assert report.verdict.text == "25/3 is In Supply from the RR line at 40.26, 2 hexes away"


@pytest.mark.rule("17.1.1")
def test_a_line_that_ends_at_its_railhead_is_taken_to_lead_on_as_before() -> None:
    report = answered(typed(LINE + "40.24,40.23 operational=none\n" + DIVISION), "supply", unit="25/3")
    assert report.verdict.text == "25/3 is in Low Supply from the RR line at 40.25, 5 hexes away"
    assert report.asks == ()


@pytest.mark.rule("14.1.2")
def test_a_line_and_a_network_say_the_same_of_a_road_through_terrain_that_is_not_stated() -> None:
    """Along a roadway every hex counts as one, so no terrain is asked for."""
    units = '40.23: "3 Train" supply=in range=5 extended-range=8\n40.20: 25/3\n'
    texts = {
        answered(typed(units + way), "supply", unit="25/3").verdict.text
        for way in ('line "3 Train": 40.23 -road- 40.22 -road- 40.21 -road- 40.20\n', "4023:4022:4021:4020\n")
    }
    assert texts == {"25/3 is In Supply from 3 Train, 3 hexes away"}


AT_JAROSLAU = """campaign
turn=10
46.84=45.84=44.84=43.84=42.84=41.84=40.84
42.84|43.84 major-river
"""


@pytest.mark.rule("17.4", "17.1.5")
def test_the_bridge_at_jaroslau_cuts_a_typed_line_while_it_is_down() -> None:
    """Neither end of it is taken to lead on, as with any line that is cut."""
    beyond = AT_JAROSLAU + "40.84: austro-hungarian infantry XX I\n"
    whole = answered(typed(beyond), "supply", unit="I")
    assert whole.verdict.text == "I is In Supply from the RR line at 40.84, 0 hexes away"
    cut = answered(typed(beyond + "jaroslau-blown=8\n"), "supply", unit="I")
    assert [ask.key for ask in cut.asks] == [("linked", "40.84")]
    told_so = answered(typed(beyond + "jaroslau-blown=8\n40.84 linked=central-powers\n"), "supply", unit="I")
    assert told_so.result.state == "in"


@pytest.mark.rule("17.4")
def test_no_supply_line_crosses_there_on_foot_either() -> None:
    text = AT_JAROSLAU.replace("42.84|43.84 major-river\n", "42.84,43.84 clear\n46.84 map-edge=central-powers\n")
    text += "42.84: austro-hungarian infantry XX I other-line=no\njaroslau-blown={}\n"
    found = answered(typed(text.format(8) + "41.84,40.84,42.84 linked=none"), "supply", unit="I")
    assert found.result.state == "out"
    assert answered(typed(text.replace("turn=10", "turn=20").format(8)), "supply", unit="I").result.state == "in"
