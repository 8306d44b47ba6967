"""Movement Points saved in the First Movement Phase and used in the second (5.1), and moves that follow each other from position to
position.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.formats.notation import read_on
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.util.errors import InputError

from ..conftest import answered, ruled, typed, values, why_not
from .asking import GAME
from .test_movement import GERMAN, GROUND, RUSSIAN, go, reasons, replaced

GERMANS = GROUND + "turn=5 phasing=german phase=first-movement\n"


def moved(position: Position, units: str, *way: str, **asked: Any) -> Position:
    """The position after a move."""
    report = answered(position, "move", units=units.split(), way=list(way), **asked)
    assert report.verdict.kind == "yes", report
    return Position(position.game, apply_changes(position.game, position.state, report.changes))


def in_phase(position: Position, phase: str) -> Position:
    """The position in another phase, where what ends with a phase has lapsed."""
    return read_on(f"phase={phase}\n", position)


def read(text: str) -> Position:
    """A typed position of the game."""
    return typed(f"game {GAME}\n{text}")


@pytest.mark.rule("5.1/marker", "5.1/use", "5.1/eligibility")
def test_the_example_of_the_rulebook() -> None:
    begun = read(GERMANS + "3015: XVII/36\n3016: I/1\n3013: 8A/1KB\n")
    saved = moved(begun, "XVII/36", "3014", reserve=2)
    assert saved.state.value("reserved", "3014") == 2
    late = answered(saved, "move", units=["I/1"], way=["3015", "3014"])
    assert (late.verdict.kind, why_not(late)) == ("no", ["5.1"])
    assert reasons(late) == "I/1 has 1 Movement Point left, fewer than the 2 of the marker in 3014"
    through = answered(saved, "move", units=["I/1"], way=["3015", "3014", "3013"])
    assert through.verdict.kind == "yes", "it may move through the hex"
    joined = moved(saved, "8A/1KB", "3014")
    second = in_phase(joined, "second-movement")
    allowances = {
        unit: answered(second, "move", units=[unit], way=["3013"]).result.units[0].allowance
        for unit in ("XVII/36", "8A/1KB")
    }
    assert allowances == {"XVII/36": 5, "8A/1KB": 6}, "the cavalry has lost its third point"


@pytest.mark.rule("5.1/marker", "5.1/eligibility")
@pytest.mark.parametrize(("spent", "saved"), [(0, 3), (1, 2), (2, 1)])
def test_a_unit_saves_what_it_has_not_spent(spent: int, saved: int) -> None:
    way = ["3014", "3013"][:spent]
    report = go(GERMAN, *way, reserve=saved)
    assert report.verdict.kind == "yes"
    assert values(report)["reserved", way[-1] if way else "3015"] == saved
    assert f"receives a marker: {saved} Movement Point" in str(report)
    second = in_phase(moved(read(GERMAN), "XVII/36", *way, reserve=saved), "second-movement")
    assert (
        answered(second, "move", units=["XVII/36"], way=["3015" if way else "3014"] if spent < 2 else ["3014"])
        .result.units[0]
        .allowance
        == 3 + saved
    )
    assert set(why_not(go(GERMAN, *way, reserve=saved + 1))) == {"5.1"}


@pytest.mark.rule("5.1/marker", "10.3", "5.1/eligibility")
def test_points_are_saved_in_the_first_movement_phase_and_by_no_forced_march() -> None:
    for old, new in (("first-movement", "second-movement"), ("phasing=german", "phasing=russian")):
        report = go(replaced(GERMAN, old, new), reserve=2)
        assert why_not(report) == ["5.1"]
    assert "First Movement Phase of a side alone" in reasons(
        go(replaced(GERMAN, "first-movement", "second-movement"), reserve=2)
    )
    march = GERMAN + "options=forced-march\n"
    assert why_not(go(march, "3014", forced=True, reserve=1)) == ["10.3"]
    assert why_not(go(march, "3014", "3013", "3012", forced=True, reserve=2)) == ["10.3"]
    assert why_not(go(march + "3014: I/1\n", "3014", forced=True, reserve=1)) == ["10.3"], "the other is not on it"
    assert values(go(march, "3014", forced=True))["mp-left", "XVII/36"] == 0
    marked = march + "3014 reserved=1\n3014: I/1 moved\n"
    assert why_not(go(marked, "3014", forced=True)) == ["10.3"]


@pytest.mark.rule("5.1/limits", "5.1/eligibility")
def test_how_many_stacks_save_points() -> None:
    marked = [
        f"40{row} reserved=1\n40{row}: {unit}\n"
        for row, unit in zip(range(10, 15), ("I/1", "I/2", "XX/37", "XX/41", "8A/3R"), strict=True)
    ]
    four, five = GERMAN + "".join(marked[:4]), GERMAN + "".join(marked)
    assert go(four, "3014", reserve=1).verdict.kind == "yes"
    report = go(five, "3014", reserve=1)
    assert (why_not(report), reasons(report)) == (["5.1"], "5 stacks save Movement Points already")
    assert go(five, "3014").verdict.kind == "yes"
    assert go(five.replace("4014 reserved=1", "4014 reserved=0"), "3014", reserve=1).verdict.kind == "yes"
    own = go(four + "3014 reserved=1\n3014: 8A/Ldw6\n", "3014", reserve=1)
    assert own.verdict.kind == "yes", "the stack itself does not count"
    enemy = go(four + "4014 reserved=1\n4014: III/27\n", "3014", reserve=1)
    assert enemy.verdict.kind == "yes", "a Russian stack does not count"
    other = RUSSIAN + "4010 reserved=1\n4010: {}\n"
    same = go(other.format("XX/28"), "3014", units="III/25", reserve=1)
    assert (why_not(same), reasons(same)) == (["5.1"], "a stack of the same army saves Movement Points in 4010")
    assert go(other.format("VI/16"), "3014", units="III/25", reserve=1).verdict.kind == "yes"
    mixed = go(other.format("VI/16") + "rivalry-ended\n3014: VI/4\n", "3014", units="III/25", reserve=1)
    assert why_not(mixed) == ["5.1"], "the hex has units of both armies"
    pair = other.format("VI/4") + "rivalry-ended\n3015: VI/16\n"
    left = go(
        pair.replace("IC/2GC", "IC/2GC, VI/16").replace("3015: VI/16\n", ""),
        "3014",
        "3013",
        units="IC/2GC VI/16",
        drop=["VI/16@3014"],
        reserve=1,
    )
    assert left.verdict.kind == "yes", "the unit of the other army does not end there"
    german = GERMAN + "4010 reserved=1\n4010: I/1\n"
    assert go(german, "3014", reserve=1).verdict.kind == "yes"


@pytest.mark.rule("5.1/eligibility", "5.0/stacks")
def test_a_marker_counts_for_all_in_its_hex_and_for_those_that_join() -> None:
    beside = GERMAN + "3014: I/1\n"
    assert go(beside, "3014", reserve=2).verdict.kind == "yes"
    assert reasons(go(beside.replace("I/1", "I/1 moved mp-left=1"), "3014", reserve=2)) == (
        "I/1 has 1 Movement Point left, fewer than the 2 of the marker in 3014"
    )
    assert go(beside.replace("I/1", "I/1 moved mp-left=2"), "3014", reserve=2).verdict.kind == "yes"
    asked = go(beside.replace("I/1", "I/1 moved"), "3014", reserve=2).asks
    assert [ask.key for ask in asked] == [("mp-left", "I/1")]
    marked = GERMAN + "3013 reserved=1\n3013: I/1 moved mp-left=1\n"
    assert go(marked, "3014", "3013").verdict.kind == "yes"
    assert why_not(go(marked, "3014", "3013", reserve=2)) == ["5.1", "5.1", "5.1"]
    assert "3013 has a marker already, for 1" in reasons(go(marked, "3014", "3013", reserve=2))
    assert why_not(go(marked.replace("reserved=1", "reserved=2"), "3014", "3013")) == ["5.1"]
    stack = go(
        marked.replace("reserved=1", "reserved=2"),
        "3014",
        "3013",
        "3012",
        units="8A/1KB XVII/36",
        drop=["XVII/36@3013"],
    )
    assert why_not(stack) == ["5.1"], "a unit that is left there too"
    weak = replaced(GERMAN, "XVII/36", "XVII/36 ma=1")
    drops = go(weak, "3014", "3013", units="8A/1KB XVII/36", drop=["XVII/36@3014"], reserve=2)
    assert drops.verdict.kind == "yes", "the marker lies in the last hex alone"
    second = replaced(marked, "first-movement", "second-movement").replace("reserved=1", "reserved=3")
    assert go(second, "3014", "3013").verdict.kind == "yes", "in the second phase nobody joins"
    left = moved(read(GERMAN), "XVII/36 XVII/35", "3014", "3013", drop=["XVII/35@3014"])
    resting = answered(left, "move", units=["XVII/35"], reserve=2)
    assert resting.verdict.kind == "yes"
    assert values(resting) == {("reserved", "3014"): 2}
    assert why_not(answered(left, "move", units=["XVII/35"], reserve=3)) == ["5.1"]
    assert why_not(answered(left, "move", units=["XVII/35"], way=["3013"])) == ["5.0"]


@pytest.mark.rule("5.1/use", "10.3")
def test_units_under_a_marker_use_it_apart_in_the_second_phase_and_it_ends_with_the_player_turn() -> None:
    second = replaced(GERMAN, "first-movement", "second-movement").replace("turn=5", "turn=5 options=forced-march")
    second += "3015 reserved=2\n"
    report = go(second, "3014")
    assert report.result.units[0].allowance == 5
    assert "XVII/36: +2 saved" in str(report)
    assert ("reserved", "3015") not in values(report), "others are still under it"
    gone = values(go(second, "3014", units="XVII/36 XVII/35 8A/1KB"))
    assert gone["reserved", "3015"] is None
    stays = go(second, "3014", units="XVII/36 XVII/35 8A/1KB")
    assert [one.allowance for one in stays.result.units] == [5, 5, 6]
    assert ("mp-left", "XVII/36") not in gone
    unmarked = values(go(second.replace("3015 reserved=2\n", ""), "3014", units="XVII/36 XVII/35 8A/1KB"))
    assert ("reserved", "3015") not in unmarked
    first = GERMAN + "3015 reserved=2\n"
    assert go(first, "3014").result.units[0].allowance == 3
    forced = go(second, "3014", forced=True)
    assert (forced.result.units[0].allowance, ruled(forced, "forced-reserve")) == (6, "saving")
    both = go("ruling forced-reserve=both\n" + second, "3014", forced=True)
    assert both.result.units[0].allowance == 4
    unforced = go("ruling forced-reserve=both\n" + second, "3014")
    assert (unforced.result.units[0].allowance, ruled(unforced, "forced-reserve")) == (5, "")
    unsaved = go(second.replace("3015 reserved=2\n", ""), "3014", forced=True)
    assert (unsaved.result.units[0].allowance, ruled(unsaved, "forced-reserve")) == (4, "")
    unknown = replaced(second, "phase=second-movement", "")
    assert [ask.key for ask in go(unknown, "3014").asks] == [("phase", "")]
    assert go(unknown.replace("3015 reserved=2\n", ""), "3014").verdict.kind == "yes"
    saved = moved(read(GERMAN), "XVII/36", "3014", reserve=2)
    assert read_on("phase=second-movement\n", saved).state.value("reserved", "3014") == 2
    assert read_on("phasing=russian\n", saved).state.value("reserved", "3014") is None


@pytest.mark.parametrize("marker", [-1, 6])
def test_a_marker_shows_five_points_at_most(marker: int) -> None:
    with pytest.raises(InputError, match=f"reserve: there is no marker for {marker}") as refused:
        go(GERMAN, "3014", reserve=marker)
    assert refused.value.hint == "markers show 1 to 5 Movement Points"


def test_a_turn_played_from_position_to_position_equals_the_same_turn_in_one() -> None:
    begun = read(GERMAN + "3019: I/1\n")
    one = moved(moved(begun, "XVII/36", "3014", "3013", reserve=1), "I/1", "3018")
    other = moved(moved(begun, "I/1", "3018"), "XVII/36", "3014", "3013", reserve=1)
    for end in (one, other):
        assert {unit.id: unit.place for unit in end.state.units.values()}["XVII/36"] == "3013"
    assert dict(one.state.facts) == dict(other.state.facts)
    second = in_phase(one, "second-movement")
    typed_at_once = in_phase(
        read(
            GROUND
            + "turn=5 phasing=german phase=first-movement\n3015: XVII/35, 8A/1KB\n3013: XVII/36\n3013 reserved=1\n3018: I/1\n"
        ),
        "second-movement",
    )
    for unit in ("XVII/36", "I/1", "XVII/35"):
        reached = [
            {hex.hex: hex.cost for hex in answered(at, "reach", unit=unit).result.hexes}
            for at in (second, typed_at_once)
        ]
        assert reached[0] == reached[1]
