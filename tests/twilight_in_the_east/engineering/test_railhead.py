"""The question `railhead`: conversion in the RR Engineering Phase (17.1.2, 17.1.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.game.states import apply_changes
from assistant.game.turn_record import Turn, TurnFact
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from twilight_in_the_east.ground import calendar

from ...conftest import answered, ruled, told, typed

SOLDAU = "board east\nturn=12\nphasing=central-powers\n"
"""The German Railhead is in 64.39; the broad line of Mlawa and Warsaw begins in 63.39 and is Russian."""
TAKEN = SOLDAU + "\n".join(
    f"{hex} control=central-powers operational=none" for hex in ("63.39", "63.40", "62.41", "62.42")
)


def asked(text: str = TAKEN, **parameters: Any) -> Report[Any]:
    return answered(typed(text), "railhead", **parameters)


@pytest.mark.rule("17.1.2", "17.1.2b")
@pytest.mark.parametrize("hexes", ["", "63.39"])
def test_it_is_done_in_the_rr_engineering_phase_of_its_side(hexes: str) -> None:
    given = {"hexes": hexes, "german": 1, "side": "central-powers"} if hexes else {"side": "central-powers"}
    late = asked(f"{TAKEN}\nphase=attack", **given)
    assert told(late, "Not allowed") == [
        "that is done only in the RR Engineering Phase, and the phase is attack; state phase=engineering when the RR Engineering Phase begins"
    ]
    theirs = asked(TAKEN.replace("phasing=central-powers", "phasing=russian"), **given)
    text = "that is done in its side's RR Engineering Phase, but it is the Russian player turn"
    assert told(theirs, "Not allowed") == [text]


def test_control_and_points_are_asked_for_only_where_nothing_else_bars() -> None:
    text = "turn=5\nphasing=russian\n40.20|40.21 rail1\n40.20 operational=russian\n"
    assert [ask.name for ask in asked(text, hexes="40.21", russian=1).asks] == ["40.21 control=central-powers|russian"]
    late = asked(text + "phase=attack", hexes="40.21", russian=1)
    assert (late.verdict.kind, late.result.hexes) == ("no", ("40.21",))
    text = "turn=5\nphasing=russian\n40.23=40.22=40.21=40.20\n40.23 operational=russian map-edge=russian\n"
    report = asked(text, hexes="40.22,40.21", russian=2)
    assert [ask.key for ask in report.asks] == [("control", "40.22"), ("control", "40.21")]
    assert asked(text, hexes="40.21", russian=2).asks == (), "no Railhead comes there alone"
    assert asked(text, hexes="40.22,50.28", russian=2).verdict.kind == "no"


def test_points_of_the_other_side_are_refused() -> None:
    with pytest.raises(InputError, match="russian: the central-powers side has no such points"):
        asked(hexes="63.39", german=1, russian=5)
    for name in ("german", "home", "austro-hungarian"):
        with pytest.raises(InputError, match=f"{name}: the russian side has no such points"):
            asked(SOLDAU, side="russian", **{name: 1})


@pytest.mark.rule("17.1.2", "17.1.3")
def test_the_hexes_within_reach_of_the_railheads() -> None:
    report = asked()
    assert [(one.hex, one.hexes, one.railhead) for one in report.result.within_reach] == [
        ("63.39", 1, "64.39"),
        ("63.40", 2, "64.39"),
        ("62.41", 3, "64.39"),
        ("62.42", 4, "64.39"),
    ]
    assert asked(SOLDAU).result.within_reach == ()


@pytest.mark.rule("17.1.2b", "17.1.3")
@pytest.mark.parametrize(
    ("points", "within", "by"),
    [
        ({}, 4, {"german": 4, "austro-hungarian": 4}),
        ({"german": 3, "home": 2, "austro-hungarian": 0}, 3, {"german": 3, "austro-hungarian": 0}),
        ({"german": 1, "home": 2, "austro-hungarian": 1}, 2, {"german": 1, "austro-hungarian": 1}),
        ({"german": 0, "home": 9, "austro-hungarian": 0}, 0, {"german": 0, "austro-hungarian": 0}),
    ],
)
def test_only_what_the_engineers_of_each_nation_can_convert_is_within_reach(
    points: dict[str, int], within: int, by: dict[str, int]
) -> None:
    report = asked(**points)
    assert (len(report.result.within_reach), report.result.by_nation) == (within, by)
    assert report.verdict.text == f"{within} hex{'' if within == 1 else 'es'} could be converted now"
    unknown = "the RR Engineer points of the turn are not stated, so no hex is left out for lack of them"
    assert any(unknown in text for text in told(report)) is (not points)


@pytest.mark.rule("17.1.2b", "17.1.3")
def test_german_engineers_come_to_no_hex_in_austria_hungary_nor_beyond_it() -> None:
    text = "turn=12\nphasing=central-powers\nline one: 40.23 -rail2- 40.22 -rail2- 40.21 -rail2- 40.20\n"
    text += "40.23 map-edge=central-powers operational=central-powers\n40.22 country=russian\n"
    text += "40.21 country=austro-hungarian\n40.20 country=russian\n"
    text += "\n".join(f"{hex} control=central-powers operational=none" for hex in ("40.22", "40.21", "40.20"))
    points = {"german": 3, "austro-hungarian": 1}
    report = asked(text, **points)
    assert report.result.by_nation == {"german": 1, "austro-hungarian": 1}
    assert [one.hex for one in report.result.within_reach] == ["40.22", "40.21", "40.20"]
    alone = asked(text, **{**points, "austro-hungarian": 0})
    assert [one.hex for one in alone.result.within_reach] == ["40.22"]


@pytest.mark.rule("17.1.2")
def test_a_conversion_changes_each_hex_and_moves_the_railhead() -> None:
    report = asked(hexes="63.40,63.39", german=1, **{"austro-hungarian": 1})
    assert report.verdict.text == "63.39, 63.40 may be converted"
    assert report.result.linked == ("63.39", "63.40")
    assert told(report, "Conversion") == [
        "RR Engineer points of the turn: 1 German, 1 Austro-Hungarian used, none left"
    ]
    assert [(one.track, one.subject, one.after) for one in report.changes] == [
        ("operational", "63.39", "central-powers"),
        ("converted", "63.39", True),
        ("operational", "63.40", "central-powers"),
        ("converted", "63.40", True),
    ]
    position = typed(TAKEN)
    after = apply_changes(position.game, position.state, report.changes)
    assert after.value("operational", "63.40") == "central-powers"


@pytest.mark.rule("17.1.2b", "17.1.3", "17.1.2")
def test_points_are_asked_for_where_they_may_serve() -> None:
    missing = asked(hexes="63.39")
    assert [ask.name for ask in missing.asks] == ["german", "austro-hungarian"]
    short = asked(hexes="63.39,63.40", german=1, home=5, **{"austro-hungarian": 0})
    assert short.result.short == {"abroad": 1}
    assert [step.rule for step in short.parts[0].steps] == ["17.1.2"], "any of their points would do"
    home = TAKEN + "\n64.39 operational=none\n64.38 operational=central-powers"
    in_germany = asked(home, hexes="64.39", home=1)
    assert (in_germany.verdict.kind, in_germany.result.points.home) == ("yes", 1)
    assert [ask.name for ask in asked(home, hexes="64.39").asks] == ["german"]
    both = {"hexes": "64.39,63.39", "home": 1, "austro-hungarian": 0}
    assert [ask.name for ask in asked(home, **both).asks] == ["german"]
    assert asked(home, **both, german=0).result.short == {"abroad": 1}
    assert "63.39" in [reach.hex for reach in asked(home, home=1).result.within_reach]


@pytest.mark.rule("17.1.2", "17.1.2b", "17.1.3")
def test_what_was_converted_in_this_turn_counts_to_the_five() -> None:
    before = TAKEN.replace(
        "63.39 control=central-powers operational=none",
        "63.39 control=central-powers operational=central-powers converted",
    )
    within = asked(before).result.within_reach
    assert [(one.hex, one.hexes) for one in within] == [("63.40", 2), ("62.41", 3), ("62.42", 4)]
    report = asked(before, hexes="63.40", german=1, **{"austro-hungarian": 0})
    assert report.result.short == {"abroad": 1}, "the point of the hex converted before is spent"
    farther = asked(before, german=2, **{"austro-hungarian": 0})
    assert [one.hex for one in farther.result.within_reach] == ["63.40"]
    earlier = asked(before.replace(" converted", " converted=no")).result.within_reach
    assert [(one.hex, one.hexes) for one in earlier] == [("63.40", 1), ("62.41", 2), ("62.42", 3)]


@pytest.mark.rule("17.1.2")
def test_a_hex_that_was_converted_in_this_turn_and_taken_since_carries_no_railhead() -> None:
    taken = TAKEN.replace("63.39 control=central-powers", "63.39 converted") + "\n63.39: russian infantry XX R"
    assert asked(taken).result.within_reach == ()
    report = asked(taken, hexes="63.40", german=5, **{"austro-hungarian": 0})
    assert told(report, "Not allowed") == ["no Railhead can reach 63.40 within 5 hexes of a line this turn"]


@pytest.mark.rule("17.1", "17.1.1", "17.1.3", "17.1.4")
@pytest.mark.parametrize(
    ("hexes", "why"),
    [
        ("62.41", "no Railhead can reach 62.41 within 5 hexes of a line this turn"),
        ("60.45", "60.45 is not in friendly controlled territory"),
        ("60.17", "60.17 is on an RR line that the side has already converted"),
        ("50.28", "no RR line leads through 50.28"),
        ("63.39", "an enemy stands in 63.39"),
    ],
)
def test_what_cannot_be_converted(hexes: str, why: str) -> None:
    text = f"{TAKEN}\n63.39: russian artillery - G" if "enemy" in why else TAKEN
    report = asked(text, hexes=hexes, german=9, **{"austro-hungarian": 0})
    assert (report.verdict.kind, told(report, "Not allowed")[:1]) == ("no", [why])
    assert not report.changes


@pytest.mark.rule("17.1.2", "17.1.3")
def test_no_railhead_comes_past_a_hex_that_its_side_does_not_control() -> None:
    theirs = TAKEN.replace("63.39 control=central-powers", "63.39 control=russian")
    report = asked(theirs, hexes="63.39,63.40", german=9, **{"austro-hungarian": 0})
    assert told(report, "Not allowed") == [
        "63.39 is not in friendly controlled territory",
        "no Railhead can reach 63.40 within 5 hexes of a line this turn",
    ]


@pytest.mark.rule("17.1.2b")
@pytest.mark.parametrize(
    ("stated", "german", "home", "austro_hungarian", "short"),
    [
        ("", 1, 0, 1, None),
        ("", 1, 0, 0, {"": 1}),
        ("", 0, 1, 0, {"": 1}),
        ("40.23 country=german\n", 0, 1, 0, {"": 1}),
        ("40.23 country=german\n", 0, 2, 0, None),
        ("40.23 country=austro-hungarian\n", 5, 1, 0, {"": 1}),
    ],
)
def test_countries_are_asked_for_only_where_the_points_might_be_enough(
    stated: str, german: int, home: int, austro_hungarian: int, short: dict[str, int] | None
) -> None:
    text = "turn=3\nphasing=central-powers\nline a: 40.24 -rail2- 40.23 -rail2- 40.22\n"
    text += "40.24 map-edge=central-powers operational=central-powers\n"
    text += f"40.23,40.22 control=central-powers operational=none\n{stated}"
    points = {"german": german, "home": home, "austro-hungarian": austro_hungarian}
    report = asked(text, hexes="40.23,40.22", **points)
    assert (report.result.short if report.result else None) == short
    unstated = ["40.22"] if stated else ["40.22", "40.23"]
    assert [ask.key for ask in report.asks] == ([] if short else [("country", hex) for hex in unstated])


@pytest.mark.rule("17.1.2", "17.1.2b", "17.1.5")
def test_russian_points_and_a_stretch_that_stays_cut_off() -> None:
    text = "turn=3\nphasing=russian\n40.23|40.22 rail2\n40.22|40.21 rail1\n40.22 operational=russian\n40.21 control=russian"
    granted = answered(typed(text), "railhead", hexes="40.21", russian=1)
    unstated = "nothing is stated about the RR line in {}, so it does not count as operational ({} operational=SIDE)"
    links = "an operational RR line links 40.21 to a friendly map edge"
    assert granted.result.linked == ("40.21",)
    assert told(granted, "Assumed") == [unstated.format("40.21, 40.23", "40.21"), links]
    stated = answered(typed(f"{text}\n40.23 linked=russian"), "railhead", hexes="40.21", russian=1)
    assert stated.result.linked == ("40.21",)
    assert told(stated, "Assumed") == [unstated.format("40.21", "40.21")]
    report = answered(
        typed(f"{text}\n40.23,40.22 linked=none\n40.23,40.21 operational=none"), "railhead", hexes="40.21", russian=1
    )
    assert (report.verdict.kind, report.result.linked) == ("yes", ())
    assert told(report, "Conversion")[1] == "40.21: non-operational, as no line links them to a friendly map edge"
    assert answered(typed(text), "railhead", hexes="40.21", russian=0).result.short == {"": 1}
    more = answered(typed(text), "railhead", hexes="40.21", russian=3)
    assert told(more, "Conversion")[0] == "RR Engineer points of the turn: 1 Russian used, 2 Russian left"
    assert [
        [reach.hex for reach in answered(typed(text), "railhead", russian=points).result.within_reach]
        for points in (0, 1)
    ] == [[], ["40.21"]]
    unknown = answered(typed(text.replace("\n40.21 control=russian", "")), "railhead", hexes="40.21", russian=1)
    assert [ask.key for ask in unknown.asks] == [("control", "40.21")]


Record = Callable[..., None]


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> Record:
    """State the figures of the owner's turn record, the same in each turn."""

    def state(german: str | None = None, home: str | None = None, allied: str | None = None) -> None:
        entries = {"german-engineers": german, "german-home-engineers": home, "austro-hungarian-engineers": allied}
        figures = {name: TurnFact(text, source=Source.PRINTED) for name, text in entries.items() if text is not None}
        monkeypatch.setattr(calendar, "turns", lambda game: [Turn(number=n, figures=figures) for n in range(1, 48)])

    return state


@pytest.mark.rule("17.1.2b")
def test_the_points_of_the_owner_s_turn_record(record: Record) -> None:
    record("0 (4)", allied="1")
    assert asked(hexes="63.39").result.points.austro_hungarian == 1
    assert asked(hexes="63.39,63.40").result.short == {"abroad": 1}
    assert asked(hexes="63.39,63.40", german=1).verdict.kind == "yes"
    for name, figures in (("german-engineers", ("many", None, "1")), ("german-home-engineers", (None, "many"))):
        record(*figures)
        with pytest.raises(InputError, match=f"{name} of turn 12: 'many'"):
            asked(hexes="63.39")


@pytest.mark.rule("17.1.2b")
@pytest.mark.parametrize(
    ("german", "entry", "given", "paid", "left"),
    [
        ("1", "2", {}, "2 German home", "1 German"),
        ("1 (9)", "(1)", {}, "1 German, 1 German home", "none"),
        ("1 (2)", None, {}, "2 German home", "1 German"),
        (None, "2", {}, "2 German home", "none"),
        ("2", "2", {"home": 0}, "2 German", "none"),
        ("0", "1", {"german": 1}, "1 German, 1 German home", "none"),
        ("1", "0", {}, "", ""),
    ],
)
def test_the_record_shows_the_points_for_germany_alone_under_a_name_of_their_own(
    record: Record, german: str | None, entry: str | None, given: dict[str, int], paid: str, left: str
) -> None:
    record(german, entry)
    in_germany = f"{SOLDAU}64.39 operational=none\n64.38 operational=none\n64.37 operational=central-powers"
    report = asked(in_germany, hexes="64.38,64.39", **given)
    if not paid:
        assert report.result.short == {"german": 1}
        assert [step.rule for step in report.parts[0].steps] == ["17.1.3"], "Austro-Hungarian points would not do"
    else:
        assert told(report, "Conversion")[0] == f"RR Engineer points of the turn: {paid} used, {left} left"


@pytest.mark.rule("17.1.2b")
def test_the_points_for_germany_alone_are_no_austro_hungarian_ones(record: Record) -> None:
    record(home="2", allied="2")
    assert asked(hexes="63.39,63.40").result.points.austro_hungarian == 2
    assert [ask.name for ask in asked(hexes="63.39,63.40,62.41").asks] == ["german"]
    record(home="2")
    assert [ask.name for ask in asked(hexes="63.39").asks] == ["austro-hungarian"]


@pytest.mark.rule("17.1.2")
def test_whose_railheads_is_asked() -> None:
    with pytest.raises(InputError, match="the side is not stated"):
        answered(typed("board east"), "railhead")
    assert answered(typed("board east"), "railhead", side="russian").result.side == "russian"


@pytest.mark.rule("17.1.3", "17.1.2")
def test_branches_by_ruling() -> None:
    text = "turn=3\nphasing=russian\n" + "\n".join(
        [
            "line one: 40.23 -rail2- 40.22 -rail2- 40.21 -rail2- 40.20 -rail2- 40.19 -rail2- 40.18",
            "line two: 40.22 -rail2- 39.21 -rail2- 38.21",
            "40.23 map-edge=russian",
            *(f"{hex} control=russian" for hex in ("40.22", "40.21", "40.20", "40.19", "40.18", "39.21")),
        ]
    )
    hexes = "40.22,40.21,40.20,40.19,40.18,39.21"
    free = answered(typed(text), "railhead", hexes=hexes, russian=6)
    assert (free.verdict.kind, ruled(free, "railhead-line")) == ("yes", "branch")
    bound = answered(typed(text + "\nruling railhead-line=stretch"), "railhead", hexes=hexes, russian=6)
    assert told(bound, "Not allowed") == ["more than 5 hexes beyond the Railhead in 40.23 are converted this turn"]


@pytest.mark.rule("17.1.1", "17.1.2")
def test_a_converted_line_carries_supply_and_a_broken_one_does_not() -> None:
    """German cavalry rides from Soldau towards Warsaw: its Railhead follows, and a raid behind it cuts the line."""
    hexes = ("63.39", "63.40", "62.41", "62.42")
    text = TAKEN + '\n60.45: german cavalry XX "1 c" army=Eighth'
    before = answered(typed(text), "supply", unit="1 c").result
    position = typed(text)
    report = answered(position, "railhead", hexes=",".join(hexes), german=4, **{"austro-hungarian": 0})
    after = msgspec.structs.replace(position, state=apply_changes(position.game, position.state, report.changes))
    found = answered(after, "supply", unit="1 c").result
    assert (before.state, found.state, found.source) == ("out", "low", "the RR line at 62.42")
    cut = typed(text + '\n64.38: russian cavalry XX "1 d"')
    cut = msgspec.structs.replace(cut, state=apply_changes(cut.game, cut.state, report.changes))
    assert answered(cut, "supply", unit="1 c").result.state == "out", "what is cut off is non-operational"
    railways = answered(cut, "railways", side="central-powers").result.sides[0]
    assert [(one.hexes, one.broken) for one in railways.stretches if not one.linked] == [
        (tuple(sorted((*hexes, "64.39"))), ("64.38",))
    ]
