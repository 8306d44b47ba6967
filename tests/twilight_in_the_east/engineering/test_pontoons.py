"""Pontoon bridges (18.0)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.game.states import apply_changes
from assistant.util.errors import InputError
from twilight_in_the_east.engineering.pontoon_question import Laying

from ...conftest import answered, ruled, told, typed, viewed


@pytest.mark.rule("18.1")
@pytest.mark.parametrize(
    ("unit", "friend"),
    [
        ("german infantry XX A", True),
        ("austro-hungarian cavalry XX A", True),
        *((f"german {arm} - A", False) for arm in ("artillery", "fortress", "fort", "corps-train")),
        *((f"german {arm} - A", False) for arm in ("minor-depot", "major-depot", "dummy")),
        ("russian infantry XX A", False),
    ],
)
def test_which_units_beyond_the_river_cover_it(unit: str, friend: bool) -> None:
    laying = Laying(view=viewed(f"turn=4\n41.19: {unit}"), there="41.19", side="central-powers")
    assert laying.friend_there is friend


@pytest.mark.rule("5.4", "18.0", "18.1", "18.2")
def test_the_phase_is_named_before_the_ground_and_the_train() -> None:
    used = TYPED.replace("major-river", "minor-river").replace("- T ", "- T pontoon-laid ")
    reasons = asked("phase=attack\n" + used, train="T").reasons
    assert [one.rule for one in reasons] == ["18.2", "18.1", "18.2"]
    laid = "a Corps Train lays only one pontoon bridge per phase, and it has laid one"
    assert reasons[2].text == laid
    far = SAN.replace("43.19:", "47.19:").replace("- T range=3", "- T pontoon-laid range=0")
    beyond = "the hex is beyond its Supply Range, and Corps Trains are not extended in this phase"
    assert told(asked(far, train="T"), "Not allowed") == [laid, beyond]


# --- the question -----------------------------------------------------------------------------------------------------

SAN = """turn=4
41.19 control=central-powers
42.19 control=central-powers
41.19|42.19 major-river no-road no-rail no-crossing
43.19: german corps-train - T range=3 extended-range=5
"""
TYPED = SAN + "line way: 43.19 42.19 clear\n43.19|42.19 open no-road no-rail\n"


def asked(text: str = TYPED, **parameters: Any) -> Report[Any]:
    return answered(typed(text), "pontoon", **{"at": "42.19", "to": "41.19"} | parameters)


def changes(report: Report[Any]) -> list[tuple[str, str, object]]:
    return [(one.track, one.subject, one.after) for one in report.changes]


@pytest.mark.rule("18.1", "18.1b", "18.2")
def test_a_train_lays_one() -> None:
    report = asked()
    assert (report.verdict.text, report.result.train) == ("T may lay a pontoon bridge from 42.19 to 41.19", "T")
    assert changes(report) == [
        ("crossing", "41.19|42.19", "pontoon"),
        ("pontoon-of", "41.19|42.19", "german"),
        ("pontoon-laid", "T", True),
    ]
    assert report.result.left == {"german": 4, "austro-hungarian": 6, "russian": 10}
    position = typed(TYPED)
    after = apply_changes(position.game, position.state, report.changes)
    assert after.value("crossing", "41.19|42.19") == "pontoon"


FRIENDLY = "turn=5\n41.19|41.20 major-river no-crossing\n41.19, 41.20 control=central-powers\n"


@pytest.mark.rule("18.2")
@pytest.mark.parametrize(
    ("place", "given", "message"),
    [
        ("70.40", {"train": "T", "in-range": True}, "in-range: 41.19 is beyond the Supply Range of T"),
        ("41.19", {"train": "T", "in-range": False}, "in-range: 41.19 is within the Supply Range of T"),
        ("41.19", {"train": "T", "nation": "russian"}, "nation: T lays no Russian marker"),
        ('"Bukowina Holding Box"', {"train": "T"}, "train: T is not a Corps Train on the map"),
        ("41.19", {"at": None, "to": None, "in-range": True}, "no hexside is named"),
    ],
)
def test_what_cannot_be_is_an_error(place: str, given: dict[str, Any], message: str) -> None:
    position = typed(f"{FRIENDLY}{place}: german corps-train - T range=4 extended-range=6 corps=1")
    with pytest.raises(InputError, match=message) as error:
        answered(position, "pontoon", **{"at": "41.19", "to": "41.20", **given})
    assert len(str(error.value).splitlines()) <= 2


@pytest.mark.rule("18.2", "3.6.1", "22.5.1")
def test_the_range_is_that_of_the_side_that_is_up_a_marker_shortens_it_and_beyond_it_none_is_laid() -> None:
    bare = TYPED.replace(" range=3 extended-range=5", "")
    assert [ask.key for ask in asked(bare).asks if ask.key] == [("range", "T")]
    assert asked(TYPED.replace(" extended-range=5", "")).verdict.kind == "yes"
    shown = bare.replace("- T", "- T extended")
    assert [ask.key for ask in asked(shown).asks if ask.key] == [("extended-range", "T")]
    assert asked(TYPED.replace("- T range=3", "- T extended")).verdict.kind == "yes"
    assert asked(bare.replace("43.19: german", "42.19: german")).verdict.kind == "yes"
    short = TYPED.replace("range=3", "range=1 incomplete=1 incomplete-range=1")
    assert asked(short, **{"in-range": False}).verdict.kind == "no"
    only = TYPED.replace("- T range=3 extended-range=5", '- "KG Train" extended range=1')
    assert asked(only).verdict.kind == "yes"
    position = typed(f"{FRIENDLY}70.40: german corps-train - T range=4 extended-range=6 corps=1")
    assert answered(position, "pontoon", at="41.19", to="41.20", **{"in-range": True}).verdict.kind == "no"


@pytest.mark.rule("18.2")
@pytest.mark.parametrize(
    ("network", "kind"),
    [
        ("43.19:42.19", "yes"),
        ("43.20:43.19", "undecided"),
        ("43.20:43.19\nside central-powers whole-network", "no"),
        ("side central-powers whole-network", "no"),
        ("43.19c/42.19c\nside central-powers whole-network", "yes"),
    ],
)
def test_on_paper_it_may_reach_over_the_typed_network(network: str, kind: str) -> None:
    assert asked(SAN + network).verdict.kind == kind


@pytest.mark.rule("18.1", "18.2")
def test_what_is_refused_anyway_asks_for_no_range() -> None:
    assert told(asked(SAN.replace("41.19 control=central-powers", "41.19 control=russian")), "Not allowed") == [
        "both hexes must be friendly controlled"
    ]
    used = asked(SAN.replace("- T ", "- T pontoon-laid "))
    assert told(used, "Not allowed") == ["a Corps Train lays only one pontoon bridge per phase, and it has laid one"]
    far = asked(SAN.replace("43.19:", "47.19:").replace("range=3", "range=0"))
    assert far.verdict.kind == "no", "six hexes away, whatever lies between"
    other = SAN.replace("- T ", "- T pontoon-laid ") + "42.19: german corps-train - U range=3 extended-range=5\n"
    assert asked(other).result.train == "U"


@pytest.mark.rule("18.2")
def test_it_is_laid_in_the_pontoon_bridge_phase_of_its_side() -> None:
    attack = asked("phase=attack\nphasing=central-powers\n" + TYPED)
    assert told(attack, "Not allowed") == [
        "that is done only in the Pontoon Bridge Phase, and the phase is attack; state phase=pontoon when the Pontoon Bridge Phase begins"
    ]
    theirs = asked("phase=other\nphasing=russian\n" + TYPED, train="T")
    text = "that is done in its side's Pontoon Bridge Phase, but it is the Russian player turn"
    assert told(theirs, "Not allowed") == [text]
    assert asked("phase=other\nphasing=central-powers\n" + TYPED).result.allowed


@pytest.mark.rule("18.2")
def test_a_train_that_has_laid_one_lays_no_other() -> None:
    used = TYPED.replace("- T ", "- T pontoon-laid ")
    assert told(asked(used), "Not allowed") == [
        "a Corps Train lays only one pontoon bridge per phase, and it has laid one"
    ]
    second = (
        used
        + "42.20: german corps-train - U range=3 extended-range=5\nline more: 42.20 42.19 clear\n42.20|42.19 open no-road no-rail"
    )
    assert asked(second).result.train == "U"
    assert asked(second, train="T").verdict.kind == "no"
    assert asked(TYPED.replace("- T ", "- T entrained ")).verdict.kind == "no"


@pytest.mark.rule("18.1")
@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("major-river", "open", "a pontoon bridge crosses only a Major or Grand River hexside"),
        ("major-river", "minor-river", "a pontoon bridge crosses only a Major or Grand River hexside"),
        ("41.19 control=central-powers", "41.19 control=russian", "both hexes must be friendly controlled"),
        ("42.19 control=central-powers", "42.19 control=russian", "both hexes must be friendly controlled"),
        ("no-crossing", "bridge", "a bridge lies there already"),
        ("no-road", "primary-road", "a bridge lies there already"),
    ],
)
def test_where_none_may_lie(before: str, after: str, why: str) -> None:
    report = asked(TYPED.replace(before, after, 1), in_range=True)
    assert told(report, "Not allowed") == [why]
    assert not report.changes
    assert asked(TYPED.replace("major-river", "grand-river")).result.allowed


@pytest.mark.rule("18.1")
def test_into_an_enemy_zone_only_where_a_friend_stands() -> None:
    enemy = TYPED + "40.19: russian infantry XX R\n40.19|41.19 open\n"
    assert told(asked(enemy), "Not allowed") == ["the hex beyond is in an EZOC, and no friendly combat unit is in it"]
    assert asked(enemy + "41.19: german infantry XX G").verdict.kind == "yes"
    assert asked(enemy + "41.19: german artillery - G").verdict.kind == "no"


@pytest.mark.rule("18.0")
def test_no_more_than_the_counters_have() -> None:
    rows = [f"20.{row}|21.{row} pontoon pontoon-of=german\n" for row in range(30, 35)]
    none = asked(TYPED + "".join(rows))
    assert told(none, "Not allowed") == ["German: all 5 markers are on the map"]
    assert none.result.left == {"german": 0, "austro-hungarian": 6, "russian": 10}
    last = asked(TYPED + "".join(rows[1:]))
    assert last.result.left == {"german": 0, "austro-hungarian": 6, "russian": 10}
    assert told(last, "To be laid") == [
        "German: 0 markers of 5",
        "Austro-Hungarian: 6 markers of 6",
        "Russian: 10 markers of 10",
    ]
    assert asked(TYPED + "".join(rows), nation="austro-hungarian").verdict.kind == "yes", "allies may help each other"
    unsaid = asked(TYPED + "".join(rows).replace(" pontoon-of=german", ""))
    assert [ask.key for ask in unsaid.asks] == [("pontoon-of", "20.30|21.30")]
    assert asked(TYPED + rows[0].replace(" pontoon-of=german", "")).verdict.kind == "yes"


@pytest.mark.rule("18.1c")
def test_what_enemies_take_off_in_its_hexes_or_at_its_ends_by_ruling() -> None:
    text = "turn=4\n20.30|21.30 pontoon pontoon-of=german\n20.40|21.40 pontoon pontoon-of=russian\n"
    text += "20.30: russian infantry XX R\n20.40: russian infantry XX S"
    report = answered(typed(text), "pontoon")
    assert [(one.hexside, one.entered) for one in report.result.bridges] == [
        ("20.30|21.30", ("20.30",)),
        ("20.40|21.40", ()),
    ]
    assert changes(report) == [("crossing", "20.30|21.30", None), ("pontoon-of", "20.30|21.30", None)]
    assert report.verdict.text == "2 pontoon bridges on the map, 1 to come off"
    text = "turn=4\n42.19|41.19 pontoon pontoon-of=german\n42.20: russian infantry XX R"
    joined = answered(typed(text), "pontoon")
    assert (joined.result.bridges[0].entered, ruled(joined, "pontoon-next-to")) == ((), "joined")
    plain = [
        answered(typed(text.replace("42.20: russian", f"{hex}: russian")), "pontoon") for hex in ("42.19", "50.50")
    ]
    assert [ruled(report, "pontoon-next-to") for report in plain] == ["", ""], "it matters at the ends alone"
    around = answered(typed(text + "\nruling pontoon-next-to=around"), "pontoon")
    assert around.result.bridges[0].entered == ("42.20",)


@pytest.mark.rule("18.1c")
def test_its_owner_takes_one_up() -> None:
    text = "turn=4\nphasing=central-powers\nphase={}\n42.19|41.19 pontoon pontoon-of=german"
    up = answered(typed(text.format("movement")), "pontoon", at="42.19", to="41.19", remove=True)
    assert (up.result.allowed, up.result.left["german"]) == (True, 5)
    assert changes(up) == [("crossing", "41.19|42.19", None), ("pontoon-of", "41.19|42.19", None)]
    for phase in ("attack", "counter-movement"):
        report = answered(typed(text.format(phase)), "pontoon", at="42.19", to="41.19", remove=True)
        assert (report.result.allowed, report.result.left["german"], report.changes) == (False, 4, ())
    with pytest.raises(InputError, match="no pontoon bridge lies between 42.19 and 43.19"):
        answered(typed(text.format("movement")), "pontoon", at="42.19", to="43.19", remove=True)


@pytest.mark.rule("18.2")
def test_on_the_drawn_board_the_range_is_traced() -> None:
    text = "board east\nturn=4\n52.61 control=russian\n51.60 control=russian\n{}: russian corps-train - T range=2 extended-range=3"
    far = answered(typed(text.format("57.60") + ""), "pontoon", at="52.61", to="51.61")
    assert any("beyond its Supply Range" in one for one in told(far, "Not allowed"))


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"to": None}, "a pontoon bridge lies between two hexes"),
        ({"to": "45.19"}, "42.19 and 45.19 are not adjacent"),
        ({"train": "R"}, "R is not a Corps Train on the map"),
        ({"nation": "russian"}, "no Corps Train that could lay it is stated"),
    ],
)
def test_slips(given: dict[str, Any], error: str) -> None:
    with pytest.raises(InputError, match=error):
        asked(TYPED + "50.50: russian infantry XX R", **given)
