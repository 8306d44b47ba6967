"""The question `railways`: what is operational, what is broken, what enemies take (17.1, 17.4, 17.5.3)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.game.states import apply_changes
from assistant.util.errors import InputError

from ...conftest import answered, told, typed, values

LINE = """turn=5
line main: 40.23 -rail2- 40.22 -rail2- 40.21 -rail1- 40.20 -rail1- 40.19
40.23 map-edge=russian operational=russian
40.22 operational=russian
40.21 operational=russian
40.20 operational=russian
"""

STATED = LINE + "40.19 operational=none\n"
"""The same with all of it stated."""


def asked(text: str = LINE, **parameters: Any) -> Report[Any]:
    return answered(typed(text), "railways", **parameters)


def changes(report: Report[Any]) -> list[tuple[str, str, object, str]]:
    return [(one.track, one.subject, one.after, one.rule) for one in report.changes]


@pytest.mark.rule("17.1.1")
def test_an_operational_line_and_its_railhead() -> None:
    report = asked(STATED, side="russian")
    (side,) = report.result.sides
    (stretch,) = side.stretches
    assert (stretch.linked, stretch.railheads, stretch.broken) == (True, ("40.20",), ())
    assert told(report, "The Russian side") == ["4 hexes operational, Railheads in 40.20"]
    both = asked(STATED, at="40.20,40.19,50.50")
    states = [(one.hex, one.side, one.state) for one in both.result.hexes]
    assert states[:3] == [
        ("40.20", "central-powers", "non-friendly"),
        ("40.19", "central-powers", "non-friendly"),
        ("50.50", "central-powers", ""),
    ]
    assert states[3] == ("40.20", "russian", "operational")
    assert "no RR line is typed" in told(both)
    assert told(both, "Asked about").count("50.50: no RR line is typed") == 1


UNTYPED = "RR lines that are not typed are not known"
WHOLE = "side russian whole-network\n"


@pytest.mark.parametrize(
    ("line", "parameters", "text", "whole"),
    [
        ("", {}, f"undecided: {UNTYPED}", "0 stretches cut off, 0 hexes lost to the enemy"),
        (
            STATED,
            {},
            f"0 stretches cut off, 0 hexes lost to the enemy; {UNTYPED}",
            "0 stretches cut off, 0 hexes lost to the enemy",
        ),
        (STATED, {"at": "50.50"}, "50.50: no RR line is typed", "50.50: no RR line"),
        (STATED, {"at": "40.20"}, "40.20: operational", "40.20: operational"),
    ],
)
def test_on_a_paper_map_other_lines_are_not_known_unless_all_are_typed(
    line: str, parameters: dict[str, str], text: str, whole: str
) -> None:
    report = asked(f"turn=5\n{line}", side="russian", **parameters)
    assert report.verdict.text == text
    assert (report.verdict.kind == "undecided") == (line == "" or "is typed" in text)
    assert asked(f"turn=5\n{line}{WHOLE}", side="russian", **parameters).verdict.text == whole


@pytest.mark.parametrize(
    ("line", "text"), [("", f"undecided: {UNTYPED}"), (STATED, "at least 1 hex could be converted")]
)
def test_where_a_railhead_may_go_is_a_bound_on_a_paper_map(line: str, text: str) -> None:
    now = "turn=5 phase=engineering phasing=russian\n40.19 control=russian\n"
    position = now + line.removeprefix("turn=5\n")
    assert answered(typed(position), "railhead", russian=3).verdict.text.startswith(text)
    assert UNTYPED not in answered(typed(position + WHOLE), "railhead", russian=3).verdict.text


@pytest.mark.rule("17.1.1", "17.1.5")
def test_what_is_typed_counts_as_it_does_in_supply() -> None:
    """Operational and linked unless something says otherwise, and that is said."""
    position = "turn=5\n4023=4022=4021:4020\n40.20: russian infantry XX 1/1\n{}"
    operational, links = "the RR line is operational in {} (not stated)", "line links {} to a friendly map edge"
    granted = [operational.format("40.21, 40.22, 40.23"), f"an operational RR {links.format('40.21')}"]
    cut = [f"no {links.format(hex)}, as far as is stated ({hex} linked=SIDE)" for hex in ("40.21", "40.23")]
    field = '40.28 built-line="40.28 40.27" built-kind=field built-by=russian built-turn=4\n4028:4027\n'
    for more, linked, said in (
        ("", True, granted),
        ("40.23 map-edge=russian\n", True, granted[:1]),
        ("40.23 control=central-powers\n", True, [operational.format("40.21, 40.22"), granted[1]]),
        ("40.22: german infantry XX G\n", False, [operational.format("40.21, 40.23"), *cut]),
        (field, True, granted),
        (
            "40.23 map-edge=russian\n40.23: german artillery - G\n",
            False,
            [
                operational.format("40.21, 40.22"),
                f"no {links.format('40.21, 40.22')}, as far as is stated (40.21 linked=SIDE)",
            ],
        ),
    ):
        text = position.format(more)
        report = asked(text, side="russian")
        stretches = report.result.sides[0].stretches
        assert {one.linked for one in stretches} == {linked}, more
        assert {hex for one in stretches for hex in one.hexes} <= {"40.21", "40.22", "40.23"}, "the typed line alone"
        assert told(report, "Assumed") == said, more
        supplied = answered(typed(text), "supply", unit="1/1").result.state
        assert (supplied == "in") == linked


@pytest.mark.rule("17.1.1", "17.1.5")
def test_a_line_that_is_stated_to_lead_on_to_the_map_edge_is_operational() -> None:
    """As supply over a typed network has it."""
    (russian,) = asked(STATED.replace("map-edge=russian", "linked=russian"), side="russian").result.sides
    assert [(one.linked, len(one.hexes)) for one in russian.stretches] == [(True, 4)]
    (russian,) = asked(
        STATED.replace("map-edge=russian", "linked=none") + "40.20 linked=none", side="russian"
    ).result.sides
    assert [(one.linked, len(one.hexes)) for one in russian.stretches] == [(False, 4)]


@pytest.mark.rule("17.1.4", "17.1.5")
def test_an_enemy_on_the_line_breaks_it() -> None:
    """Only the hex in which he stands becomes non-friendly; what he cuts off is non-operational until the gap is mended."""
    report = asked(STATED + "40.21: german cavalry XX C")
    russian = report.result.sides[1]
    linked, cut = russian.stretches
    assert (linked.hexes, cut.hexes, cut.broken) == (("40.22", "40.23"), ("40.20",), ("40.21",))
    assert [(one.hex, one.why) for one in russian.taken] == [("40.21", "enemy units stand there")]
    assert changes(report) == [("operational", "40.21", "none", "17.1.4")]
    assert report.verdict.text == f"at least 1 stretch cut off, at least 1 hex lost to the enemy; {UNTYPED}"
    position = typed(STATED + "40.21: german cavalry XX C")
    gone = typed(STATED)
    after = apply_changes(position.game, gone.state, report.changes)
    assert after.value("operational", "40.21") == "none"
    one = asked(STATED + "40.21: german cavalry XX C", side="russian", at="40.20")
    assert one.verdict.text == "40.20: non-operational"


@pytest.mark.rule("17.1.4", "17.1.5")
def test_an_enemy_who_passes_breaks_it_too() -> None:
    report = asked(side="russian", passed="40.22")
    assert [(one.hex, one.why) for one in report.result.sides[0].taken] == [
        ("40.22", "enemy units have passed through it")
    ]
    with pytest.raises(InputError, match="passed: the side is not given"):
        asked(passed="40.22")
    friend = asked(LINE + "40.21: russian cavalry XX C", side="russian")
    assert friend.result.sides[0].taken == ()


@pytest.mark.rule("17.1.4")
def test_what_lies_behind_an_agreed_front_line_is_lost() -> None:
    front = LINE + "\n".join(
        [
            *(f"{hex}: german infantry XX G{hex[:2]} army=Eighth" for hex in ("38.21", "39.22", "41.22", "42.21")),
            "40.18: german corps-train - T army=Eighth",
            "40.24: russian infantry XX R army=First",
        ]
    )
    assert asked(front, side="russian").result.sides[0].taken == (), "a proposal takes nothing"
    agreed = asked(front + '\narmy "central-powers Eighth" front="38.21 39.22 40.22 41.22 42.21"', side="russian")
    taken = {one.hex: one.why for one in agreed.result.sides[0].taken}
    assert set(taken) == {"40.20", "40.21"}
    assert taken["40.20"] == "it lies behind the Front Line of central-powers Eighth"


@pytest.mark.rule("17.1.1b")
def test_the_railheads_with_which_a_scenario_begins() -> None:
    text = "board east\n57.52 operational=none\n58.52 operational=none"
    report = answered(typed(text), "railways", side="russian", railheads="63.39")
    assert {(one.subject, one.after) for one in report.changes} == {("57.52", "russian"), ("58.52", "russian")}
    bare = "turn=1\nline main: 40.23 -rail2- 40.22 -rail2- 40.21 -rail1- 40.20\n40.23 map-edge=russian"
    bare += "".join(f"\n40.{row} control=russian" for row in (23, 22, 21, 20))
    begun = answered(typed(bare), "railways", side="russian", railheads="40.21")
    assert [(one.subject, one.after) for one in begun.changes] == [
        ("40.21", "russian"),
        ("40.22", "russian"),
        ("40.20", "none"),
    ], "beyond the Railhead none is operational, though it is typed"
    assert begun.result.sides[0].stretches[0].railheads == ("40.21",)
    raided = answered(typed(f"{bare}\n40.23: german artillery - G"), "railways", side="russian", railheads="40.21")
    assert [taken.hex for taken in raided.result.sides[0].taken] == ["40.23"], "it was at the map edge"


@pytest.mark.rule("17.4")
def test_the_bridge_at_jaroslau_is_shown_while_it_is_down() -> None:
    report = asked("campaign\njaroslau-blown=7\n" + LINE.replace("turn=5", "turn=9"))
    assert (report.result.repaired, told(report, "Jaroslau")) == (
        19,
        ["the RR bridge 42.84|43.84 is demolished until GT 19"],
    )
    assert asked().result.repaired is None


@pytest.mark.rule("17.1")
def test_depots_do_not_go_along_narrow_track_nor_over_a_bridge_that_is_down() -> None:
    text = """turn=5
campaign
43.84: austro-hungarian minor-depot - D range=3 extended-range=4
44.84: russian infantry XX R
42.84 operational=central-powers
43.84 operational=central-powers
42.84|43.84 major-river {} no-road
"""
    refuges = {}
    for rail in ("rail1", "rail1 narrow", "rail1 \njaroslau-blown=3\n42.83|42.84"):
        report = answered(typed(text.format(rail)), "displace", unit="D")
        refuges[rail] = [one.hex for one in report.result.refuges] if report.result else None
    assert list(refuges.values()) == [["42.84"], None, None]


FIELD = LINE + '40.21 built-line="40.21 41.21 41.22" built-kind=field built-by=russian built-turn=3\n'


@pytest.mark.rule("17.5.3", "17.5.3b", "17.1.4", "17.1.5")
def test_field_railways_as_enemies_leave_them() -> None:
    whole = asked(FIELD, side="russian")
    assert [(one.hexes, one.operational) for one in whole.result.sides[0].built] == [
        (("40.21", "41.21", "41.22"), True)
    ]
    assert "Field Railway from 40.21 to 41.22: operational" in told(whole)
    shorter = asked(FIELD + "41.22: german infantry XX G", side="russian")
    assert changes(shorter) == [("built-line", "40.21", "40.21 41.21", "17.5.3")]
    lost = asked(FIELD + "40.21: german infantry XX G", side="russian")
    gone = {
        (track, after) for track, subject, after, _ in changes(lost) if subject == "40.21" and track.startswith("built")
    }
    assert gone == {("built-line", None), ("built-kind", None), ("built-by", None), ("built-turn", None)}
    cut = asked(FIELD + "40.22: german infantry XX G", side="russian")
    assert [one.operational for one in cut.result.sides[0].built] == [False], (
        "its DEPLOYED marker is on a stretch cut off"
    )
    assert lost.result.sides[0].built == ()
    both = asked(FIELD + "40.22: german infantry XX G\n41.22: german infantry XX H", side="russian")
    assert [(one.hexes, one.operational) for one in both.result.sides[0].built] == [(("40.21", "41.21"), False)]


@pytest.mark.rule("17.5.3b", "17.5.3")
def test_enemies_take_no_hex_of_a_narrow_gauge_line_as_of_a_field_railway() -> None:
    kept = FIELD.replace("built-kind=field", "built-kind=narrow-gauge")
    for text in (kept + "41.22: german infantry XX G", FIELD):
        assert "built-line" not in {track for track, *_ in changes(asked(text, side="russian"))}


@pytest.mark.rule("17.7")
def test_a_new_line_is_given_up_when_the_enemy_comes_before_it_is_complete() -> None:
    new = LINE + '40.21 built-line="40.21 41.21" built-kind=railroad built-by=russian built-turn=3 built-to=43.22\n'
    new += "40.21|41.21 rail1 broad\n41.21 operational=russian\n"
    stands = asked(new, side="russian")
    assert [(one.kind, one.operational) for one in stands.result.sides[0].built] == [("railroad", True)]
    over = asked(new + "41.21 control=central-powers", side="russian")
    assert {(track, subject) for track, subject, after, _ in changes(over) if after is None} == {
        ("built-line", "40.21"),
        ("built-kind", "40.21"),
        ("built-by", "40.21"),
        ("built-turn", "40.21"),
        ("built-to", "40.21"),
        ("rail", "40.21|41.21"),
        ("gauge", "40.21|41.21"),
    }
    assert over.result.sides[0].built == ()


@pytest.mark.rule("17.7")
def test_what_was_there_before_a_new_line_stays_when_that_is_given_up() -> None:
    """A line of the other gauge beside it keeps its own, and a platform of the new line is gone."""
    hexes = ["40.21", "41.21", "42.22", "43.21", "43.22", "43.23", "43.24"]
    new = LINE + f'40.21 built-line="{" ".join(hexes)}" built-kind=railroad built-by=russian built-gauge=russian\n'
    new += "40.21|41.21 rail1 gauge=both\n41.21|42.22 rail1 broad\n43.23 station\n40.21 built-to=43.30\n"
    over = {
        (track, subject): after
        for track, subject, after, _ in changes(asked(new + "41.21 control=central-powers", side="russian"))
    }
    assert over["gauge", "40.21|41.21"] == "standard"
    assert ("rail", "40.21|41.21") not in over
    assert over["rail", "41.21|42.22"] is over["gauge", "41.21|42.22"] is over["station", "43.23"] is None


@pytest.mark.rule("17.1.4", "17.1.5", "17.5.3", "17.5.3b")
def test_an_enemy_at_the_map_edge_cuts_off_the_whole_line_and_what_is_built_on_it() -> None:
    for kind in ("field", "narrow-gauge"):
        edge = FIELD.replace("built-kind=field", f"built-kind={kind}") + "40.23: german cavalry XX C\n"
        report = asked(edge, side="russian")
        (russian,) = report.result.sides
        hexes = ("40.19", "40.20", "40.21", "40.22")
        assert [(one.linked, one.hexes, one.broken) for one in russian.stretches] == [(False, hexes, ())]
        assert [(one.hex, one.why) for one in russian.taken] == [("40.23", "enemy units stand there")]
        assert [(one.kind, one.hexes, one.operational) for one in russian.built] == [
            (kind, ("40.21", "41.21", "41.22"), False)
        ]
        assert changes(report) == [("operational", "40.23", "none", "17.1.4")]
        assert told(report, "Assumed") == [
            "the RR line is operational in 40.19 (not stated)",
            f"no line links {', '.join(hexes)} to a friendly map edge, as far as is stated (40.19 linked=SIDE)",
        ]


def test_a_line_that_an_enemy_passes_while_a_railhead_restores_it_is_lost() -> None:
    """Its state changes once, so that what follows can be carried out."""
    text = """turn=3
phase=engineering
phasing=russian
line one: 40.23 -rail2- 40.22 -rail2- 40.21
40.23 map-edge=russian
40.23,40.22,40.21 control=russian
"""
    report = answered(typed(text), "railways", side="russian", railheads="40.22", passed="40.22")
    assert values(report)["operational", "40.22"] == "none"
