"""One unit is a side of one: what is asked about it alone is what its side is told, or the report says what others need more."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from assistant.asking.report import Report
from assistant.game.games import Game
from assistant.state.tracks import Source

from ....cases import thorough
from ....conftest import answered, told, typed
from .test_sides import units


def alone(text: str, unit: str, **more: Any) -> Report[Any]:
    return answered(typed(text), "supply", unit=unit, **more)


def of_side(text: str, side: str = "russian") -> Report[Any]:
    return answered(typed(text), "supply", side=side)


def asked(report: Report[Any]) -> list[str]:
    return [ask.how for ask in report.asks]


# --- a source that is open itself -------------------------------------------------------------------------------------

CUT = """turn=5 weather=normal
30.20=30.21=30.22=30.23=30.24:30.25:30.26:30.27:30.28
30.22: german cavalry XX G (5-5-0-10)
30.24: "3 Train" range=5 extended-range=8
30.28: 25/3
"""
"""A Train on a stub of a RR line, behind an enemy."""
LINK = "30.24 linked=none|central-powers|russian"


@pytest.mark.rule("14.2.2", "17.1.5")
def test_what_hangs_on_a_train_behind_a_cut_is_undecided_until_the_stub_is_known() -> None:
    for report in (alone(CUT, "25/3"), alone(CUT, "3 Train"), of_side(CUT)):
        assert (report.verdict.kind, asked(report)) == ("undecided", [LINK])
    linked = CUT + "30.24 linked=russian\n"
    assert alone(linked, "25/3").result.state == units(of_side(linked))["25/3"].could.state == "in"


WHOLE = CUT + "side russian whole-network\n"


@pytest.mark.rule("14.2.2", "17.1.5")
@pytest.mark.parametrize("more", ["", "30.20 map-edge=russian\n", "30.20 linked=russian\n", "30.24 linked=none\n"])
@pytest.mark.parametrize("cut", ["30.22: german cavalry XX G (5-5-0-10)\n", "30.22 operational=none\n"])
def test_what_is_cut_off_in_a_whole_network_leads_on_nowhere_else(more: str, cut: str) -> None:
    """Its line comes from the map edge at 30.20, from where no other way leads on, be that stated or not."""
    text = WHOLE.replace("30.22: german cavalry XX G (5-5-0-10)\n", cut) + more + "30.21: 27/3\n"
    report, is_enemy = of_side(text), "cavalry" in cut
    assert {name: (row.could.state, row.isolated) for name, row in units(report).items()} == {
        "3 Train": ("out", is_enemy),
        "25/3": ("out", is_enemy),
        "27/3": ("in", None),
    }
    lone = alone(text, "25/3")
    assert (lone.result.state, lone.result.isolated, report.asks) == ("out", is_enemy, ())
    phase = answered(typed(text), "supply-phase", side="russian")
    assert {row.unit for row in phase.result.units if row.now == "out"} == {"3 Train", "25/3"}
    uncut = typed(text.replace(cut, ""))
    supposed = answered(
        uncut, "lifelines", side="russian", if_=cut.replace(": german cavalry XX G (5-5-0-10)", " enemy").strip()
    )
    assert {row.unit for row in supposed.result.sides[0].worse} == {"3 Train", "25/3"}


@pytest.mark.rule("17.1.1", "17.1.5")
def test_where_the_map_edge_is_lost_nothing_behind_it_is_linked_in_a_whole_network() -> None:
    text = WHOLE.replace("30.22: german cavalry XX G (5-5-0-10)\n", "")
    assert alone(text, "25/3").result.state == "in"
    for lost in (
        "30.20: german cavalry XX G (5-5-0-10)",
        "30.20 operational=none",
        "30.20 map-edge=russian operational=none",
    ):
        assert alone(f"{text}{lost}\n", "25/3").result.state == "out"


@pytest.mark.rule("1.2.1", "14.2.2", "17.1.1")
@pytest.mark.parametrize("end", ["map-edge=central-powers", "linked=none"])
def test_a_whole_network_leads_on_nowhere_if_its_free_end_is_stated_not_to(end: str) -> None:
    """At the other end a road goes on, so that the RR line does not lead on there either."""
    text = WHOLE.replace("30.22: german cavalry XX G (5-5-0-10)\n", "") + f"30.20 {end}\n"
    report = of_side(text)
    assert {row.could.state for row in units(report).values()} == {"out"} and not report.asks
    assert alone(text, "25/3").result.state == alone(text, "3 Train").result.state == "out"


@pytest.mark.rule("14.2.2", "17.1.5")
def test_of_two_ends_that_may_lead_on_one_word_on_its_link_settles_a_stub_in_a_whole_network() -> None:
    whole = WHOLE + "30.24=31.24=32.24\n"
    (link,) = asked(of_side(whole))
    assert asked(alone(whole, "25/3")) == [link]
    settled = f"{whole}{link.split('=')[0]}=none\n"
    for unit in ("25/3", "3 Train"):
        assert (alone(settled, unit).result.state, units(of_side(settled))[unit].could.state) == ("out", "out")
    assert not of_side(settled).asks


@pytest.mark.rule("14.2.1a", "14.2.1", "17.1.1")
def test_a_loc_that_crosses_an_empty_ezoc_hex_is_open() -> None:
    text = "turn=5\n30.20c=30.21c=30.22c=30.23c=30.24c:30.25c:30.26c\n30.24 station\n31.21: german infantry II H\n"
    text += '30.24: "Russian FIRST Major Depot" army=First range=4 extended-range=5\n30.26: russian infantry XX A corps=9 army=First\n'
    text += "30.24 operational=russian\n"
    depot = alone(text, "Russian FIRST Major Depot")
    assert (depot.verdict.kind, asked(depot)) == ("undecided", [LINK])
    assert depot.asks[0].title == "does the RR line at 30.24 lead on to a friendly map edge other than through an EZOC"
    assert units(of_side(text))["Russian FIRST Major Depot"].could.state is None
    text += "side russian whole-network\n"
    for edge in ("", "30.20 map-edge=russian\n"):
        assert [(name, row.could.state) for name, row in units(of_side(text + edge)).items()] == [
            ("Russian FIRST Major Depot", "out"),
            ("A", "in"),
        ]
        assert alone(text + edge, "Russian FIRST Major Depot").result.state == "out"
    friends = text + "30.21: russian infantry II f1\n30.22: russian infantry II f2\n"
    assert alone(friends, "Russian FIRST Major Depot").result.state == "in", "friends open it"


@pytest.mark.rule("14.2.1")
@pytest.mark.parametrize(("station", "why"), [("30.24 station=no", "no RR Station in 30.24 (14.2.1)"), ("", "")])
def test_a_depot_without_a_station_is_told_so(station: str, why: str) -> None:
    text = '30.22=30.23=30.24:30.25:30.26\n30.24: "Russian FIRST Major Depot" army=First range=4 extended-range=5\n'
    text += f"30.26: russian infantry XX 25/3 army=First\nside russian whole-network\n{station}\n"
    tried = {one.source: one.why_not for one in alone(text, "25/3").result.tried}
    open_still = "whether Russian FIRST Major Depot is itself In Supply is undecided (14.2)"
    assert tried["Russian FIRST Major Depot"] == (why or open_still)
    assert [one.why_not for one in alone(text, "Russian FIRST Major Depot").result.tried] == [why] if why else True


@pytest.mark.rule("14.2.1a", "17.1.5", "17.1.1")
def test_of_a_rr_line_that_leads_nowhere_no_part_beyond_an_ezoc_may_lead_on() -> None:
    """An EZOC bars a LOC and does not cut the line, so that one word on its link settles both parts."""
    text = "turn=5 weather=normal\nside central-powers whole-network\n37.20 linked=none\n36.21 operational=none\n"
    text += "36.20=37.20 36.20=36.21=36.22 36.20=35.20=35.21=35.22=36.23\n34.20: russian infantry XX E\n"
    text += '36.23: german major-depot - "Major" army=First range=4 extended-range=5\n36.23 station\n'
    report = alone(text, "Major")
    assert (report.result.state, asked(report)) == ("out", [])


# --- what is not needed is not asked ----------------------------------------------------------------------------------


@pytest.mark.rule("6.4.1b", "14.2.3")
def test_a_lone_asset_unit_by_a_railway_is_not_asked_which_formation_it_joins() -> None:
    text = "turn=5\nside russian whole-network\n30.25=30.26 30.26:31.26:32.26\n30.26: russian artillery - g army=First asset\n"
    text += "31.26: russian infantry XX A corps=1 army=First\n29.25: russian infantry XX B corps=2 army=First\n"
    report = alone(text, "g")
    assert (report.result.state, report.asks) == ("in", ())
    assert units(of_side(text))["g"].could.state == "in"


@pytest.mark.rule("14.3.1", "6.4.1b")
def test_an_asset_unit_attached_to_independent_cavalry_draws_on_no_corps_train() -> None:
    """Two cavalry formations from outside may, and Asset Units of the corps."""
    text = "turn=5\nside russian whole-network\n40.30=40.29 40.29:40.28:40.27:40.26:40.25:40.24:40.23:40.22\n"
    text += '40.29: "3 Train" range=9 extended-range=9 army=First\n40.23: russian cavalry XX c army=First\n'
    text += "40.22: russian infantry III a asset army=First\n"
    assert (alone(text, "c").result.state, alone(text, "a").result.state) == ("in", "out")
    assert units(of_side(text))["a"].could.state == "out"


@pytest.mark.rule("6.4.1b", "14.3.1")
def test_a_lone_asset_unit_is_asked_which_formation_it_joins_only_where_it_matters() -> None:
    way = "turn=5\nside russian whole-network\n30.20=30.21:30.22:30.23:30.24:30.25:30.26:30.27:30.28:30.29\n"
    forces = "30.28: russian artillery - g army=First asset\n30.27: russian infantry XX A corps=1 army=First\n"
    forces += "30.29: russian infantry XX B corps={} army=First\n"
    train = '30.21: russian corps-train - "1 Train" corps=1 army=First range=8 extended-range=8\n'
    for text, ask in (
        (way + train + forces.format(2), ["g with=..."]),
        (way + train + forces.format(1), []),
        (way + forces.format(2), []),
    ):
        assert (asked(alone(text, "g")), asked(of_side(text))) == (ask, ask)


@pytest.mark.rule("6.4.1b", "14.2.3")
def test_a_typed_line_that_leaves_open_which_formation_it_serves_is_not_the_last_word() -> None:
    """Whatever formation the Asset Unit joins, the RR line that the train's line passes supplies it."""
    text = "turn=5 weather=normal\n33.28 rough\n34.28 clear\n"
    text += 'line "2 Train": 33.24-33.25=34.26-34.27/34.28/33.28\n'
    text += '33.24: russian corps-train - "2 Train" army=First range=2 extended-range=4 corps=2\n'
    text += "34.28: russian infantry XX B army=First corps=1, russian infantry X A army=First corps=3\n"
    text += "33.28: russian infantry III asset0 army=First asset\n"
    assert (alone(text, "asset0").result.state, asked(alone(text, "asset0"))) == ("in", [])
    assert units(of_side(text))["asset0"].could.state == "in"


@pytest.mark.rule("14.2.3")
@pytest.mark.parametrize(
    ("way", "near"), [("31.24:32.24:32.23:33.23:34.23", True), ("31.24:32.24:32.23:33.23:34.23:35.23:36.24", False)]
)
def test_whether_a_rr_line_passes_the_first_hex_of_a_line_is_asked_only_where_it_is_near_enough(
    way: str, near: bool
) -> None:
    text = f'turn=12 weather=normal\nline "way": 30.23-rail1-30.24:{way}\n30.24 clear\n30.23 control=russian\n'
    text += f"30.24,31.24 operational=none\n{way[-5:]}: german infantry XX A army=Second other-line=no\n"
    operational = "30.23 operational=none|central-powers|russian"
    assert (operational in asked(alone(text, "A"))) is near


@pytest.mark.rule("14.1", "14.4")
def test_where_there_is_no_other_line_one_that_does_not_serve_leaves_a_unit_out_of_supply() -> None:
    text = '40.23: "3 Train" supply=in range=2 extended-range=4\n40.20: 25/3\nline "3 Train": 4023m 4022m 4021m 4020m\n'
    named = alone(text, "25/3", line="3 Train")
    assert (
        "this line does not supply 25/3: 3 Train has a range of 2, or 4 extended; another one may" in named.verdict.text
    )
    last = alone(f"{text}25/3 other-line=no way-out=no", "25/3", line="3 Train")
    assert last.verdict.text == "25/3 is Out of Supply and Isolated"


@pytest.mark.rule("14.4.1", "14.1.1")
def test_isolation_takes_for_granted_of_terrain_what_supply_does() -> None:
    way = "4020/4021/4022/4023/4024/4025/4026/4027=4028\n40.20: 25/3\n25/3 other-line=no\n"
    text = way + "40.21,40.22,40.23,40.24,40.25,40.26,40.27 control=russian\n"
    report = alone(text, "25/3")
    assert (report.result.state, report.result.isolated) == ("out", False)
    assert "no High Mountain in 40.21, 40.22, 40.23, 40.24, 40.25, 40.26, 40.27" in told(report, "Assumed")
    assert alone(text + "40.24 high-mountain\n", "25/3").result.isolated is None


# --- what others need more --------------------------------------------------------------------------------------------

ROAD = "4032=4031:4030:4029:4028:4027:4026:4025:4024:4023:4022\nside russian whole-network\n"
TRAIN = '40.31: "3 Train" range=6 extended-range=9 army=First\n'


@pytest.mark.rule("14.2b", "14.4d")
def test_both_answers_name_a_mode_that_serves_others_better() -> None:
    text = ROAD + TRAIN + "40.22: 25/3, 27/3\n40.25: russian infantry XX 26/3\n"
    report, among = alone(text, "26/3"), units(of_side(text))["26/3"]
    assert (report.result.state, report.result.among, among.could.state, among.alone) == ("in", "low", "low", "in")
    others = "3 Train is in Extended Mode for 25/3, 27/3, not in Normal Mode (14.2)"
    assert told(report, "Modes") == [f"with sources allotted as best serves its side, 26/3 is in Low Supply: {others}"]
    assert among.cause.text == others
    assert alone(text, "25/3").result.among is None
    along = alone(text + 'line "3 Train": 4031:4030:4029:4028:4027:4026:4025\n', "26/3", line="3 Train")
    assert (along.result.state, along.result.among, told(along, "Modes")) == ("in", None, []), "of that line alone"


@pytest.mark.rule("14.3.1")
def test_both_answers_name_who_has_the_places_of_a_train() -> None:
    text = ROAD + TRAIN + "40.25: " + ", ".join(f"russian cavalry XX {name} army=First" for name in "ABC") + "\n"
    side = units(of_side(text))
    (last,) = [name for name in "ABC" if side[name].could.state != "in"]
    report = alone(text, last)
    assert (report.result.state, report.result.among) == ("in", side[last].could.state)
    taken = f"3 Train serves {' and '.join(sorted({*'ABC'} - {last}))}, and may serve no more than two from outside its corps (14.3.1)"
    assert taken in told(report, "Modes")[-1]
    assert side[last].cause.text == taken


@thorough
@pytest.mark.rule("6.4.1b", "14.2.3", "14.4c")
def test_every_unit_of_a_set_up_has_alone_what_it_has_among_its_side_or_says_why_not(twilight: Game) -> None:
    text = twilight.folder.joinpath("setups/19-august-1914.pos").read_text("utf-8")
    position = typed(text.replace("game twilight-in-the-east\n", ""))
    position = replace(position, state=replace(position.state, accepts=frozenset({Source.DRAWN, Source.ILLUSTRATIVE})))
    for side in ("russian", "central-powers"):
        for name, among in units(answered(position, "supply", side=side)).items():
            report = answered(position, "supply", unit=name)
            contested = report.result.among
            assert (contested or report.result.state) == among.could.state, name
            assert report.result.state == among.alone, name


# --- what a line or a place has to do with it -------------------------------------------------------------------------


@pytest.mark.rule("14.2.2", "8.2.4", "12.1")
def test_two_lines_to_a_hex_do_not_matter_to_who_needs_none() -> None:
    text = "board east\ntrust counters\nturn=5\n64.39 operational=russian control=russian\n"
    text += (
        '64.38,65.37 operational=russian control=russian\n65.37: "Russian 1 Train", russian fort - F, 22/1 entrained\n'
    )
    text += "line one: 64.38 -rail2- 65.37\nline two: 66.37 -rail1- 65.37\n"
    for unit in ("Russian 1 Train", "F", "22/1"):
        assert alone(text, unit).result.state == "in"


@pytest.mark.rule("23.4")
@pytest.mark.parametrize("board", ["", "board east\n"])
def test_a_unit_that_may_not_be_in_the_holding_box_leaves_its_side_an_answer(board: str) -> None:
    text = f'{board}turn=12\n"Bukowina Holding Box": german infantry XX G\n40.20: german infantry XX H\n'
    assert set(units(of_side(text, "central-powers"))) == {"H"}
    assert (alone(text, "G").verdict.kind, asked(alone(text, "G"))) == ("undecided", ["G supply=in|low|out"])


@pytest.mark.rule("14.2.2", "14.2.3")
def test_of_two_lines_that_are_open_the_one_that_turns_on_fewer_facts_is_asked_for() -> None:
    """The Train needs one word on terrain; a nearer RR line is cut off besides."""
    text = "turn=5\nside russian whole-network\n40.24=40.25 40.25 linked=russian\n40.24:40.23/39.22 40.23 clear\n"
    text += '40.24: "3 Train" range=5 extended-range=8\n39.22: 25/3\n'
    text += "39.25=39.24=39.23/39.22\n39.25: german infantry XX G\n"
    assert asked(alone(text, "25/3")) == ["39.22 clear|rough|wetlands|mountain|high-mountain|sea"]
