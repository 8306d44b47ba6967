"""Starred towns: who scores for them, and when (27.2.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.owing import word_consequences
from assistant.state.changes import Gain
from twilight_in_the_east.entering.arrival import March
from twilight_in_the_east.entering.consequences import Following, find_consequences
from twilight_in_the_east.scoring.points import star_holder

from ...conftest import answered, typed, values, viewed, why_not

UNITS = """trust charts
40.20: russian infantry XX R (9-9-0-9)
40.18: russian artillery - Guns, russian corps-train - Train, russian cavalry XX Horse (3-3-0-8)
44.20: german infantry XX G (9-9-0-9)
"""


def scored(following: Following) -> list[tuple[str, int, str]]:
    return [(award.side, award.points, award.of) for award in following.awards]


def entered(town: str, *marches: March, more: str = "") -> Following:
    """What follows as units enter 40.19, or go through it. town: what is stated of it."""
    return find_consequences(viewed(f"{UNITS}40.19 {town}\n{more}"), marches or [March(("R",), ("40.19",))])


def holder(following: Following) -> Any:
    changes = [each for each in following.changes if not isinstance(each, Gain) and each.track == "star-holder"]
    return [(each.subject, each.before, each.after) for each in changes]


@pytest.mark.rule("27.2.4", "27.1")
@pytest.mark.parametrize(
    ("town", "points", "taken"),
    [
        ("star=3 country=german", 3, [("40.19", None, "russian")]),
        ("star=2 country=austro-hungarian", 2, [("40.19", None, "russian")]),
        ("star=3 country=russian", 0, []),
        ("star=3 country=russian star-holder=central-powers", 3, [("40.19", "central-powers", "russian")]),
        ("star=3 country=german star-holder=russian", 0, []),
        ("country=german", 0, []),
    ],
)
def test_the_enemy_of_its_owner_scores_first_then_who_recaptures_it(town: str, points: int, taken: Any) -> None:
    following = entered(town)
    assert scored(following) == ([("russian", points, "40.19")] if points else [])
    assert holder(following) == taken
    gained = [change for change in following.changes if isinstance(change, Gain)]
    assert gained == ([Gain("vp-towns", "russian", points, "27.2.4")] if points else [])


@pytest.mark.rule("27.2.4")
def test_points_are_earned_again_by_who_recaptures_it_and_not_by_who_joins_friends() -> None:
    there, away = March(("R",), ("40.19",)), March(("R",), ("40.20",))
    back = March(("G",), ("43.20", "42.19", "41.19", "40.19"))
    following = entered("star=3 country=german", there, away, there, away, back)
    assert scored(following) == [("russian", 3, "40.19"), ("central-powers", 3, "40.19")]
    assert holder(following) == [("40.19", None, "central-powers")]
    assert entered("star=3 country=german", more="40.19: russian infantry XX F (9-9-0-9)").awards == ()
    beside = entered("star=3 country=german", more="40.19: russian corps-train - F")
    assert scored(beside) == [("russian", 3, "40.19")]


@pytest.mark.rule("27.2.4")
@pytest.mark.parametrize(
    ("units", "reading", "points"),
    [
        (("Train",), "troops", 0),
        (("Guns",), "troops", 3),
        (("Guns",), "combat", 0),
        (("Guns", "Horse"), "combat", 3),
        (("Horse", "Train"), "combat", 3),
    ],
)
def test_troops_occupy_it_and_supply_units_do_not(units: tuple[str, ...], reading: str, points: int) -> None:
    following = entered("star=3 country=german", March(units, ("40.19",)), more=f"ruling star-troops={reading}")
    assert sum(award.points for award in following.awards) == points
    assert bool(holder(following)) == bool(points)


@pytest.mark.rule("27.2.4")
def test_troops_that_have_stood_there_since_the_set_up_hold_it_when_they_have_left_too() -> None:
    stand = "40.19: german infantry XX F (9-9-0-9)"
    away, gone, comes = March(("F",), ("39.19",)), March(("F",)), March(("R",), ("40.19",))
    foreign = "star=3 country=russian"
    assert holder(entered(foreign, away, more=stand)) == [("40.19", None, "central-powers")]
    assert holder(entered("star=3 country=german", away, more=stand)) == []
    assert holder(entered("country=russian", away, more=stand)) == []
    train = "40.19: german corps-train - F"
    assert holder(entered("star=3", away, more=train)) == [], "nobody is known to hold it"
    assert holder(entered("star=3", away, more=stand)) == [("40.19", None, "central-powers")]
    assert scored(entered(foreign, away, comes, more=stand)) == [("russian", 3, "40.19")]
    lost = entered(foreign, gone, comes, more=stand)
    assert scored(lost) == [("russian", 4, "F"), ("russian", 3, "40.19")]
    two = f"{stand}\n40.19: german infantry XX H (9-9-0-9)"
    assert holder(entered(foreign, away, more=two)) == []


@pytest.mark.rule("27.2.4")
@pytest.mark.parametrize("unit", ["R", "Train", "D"])
def test_with_hidden_units_the_record_of_a_town_does_not_tell_what_has_left_it(unit: str) -> None:
    def left(town: str, option: str) -> Any:
        stand = f"hidden-units={option}\n40.18 {town}\n40.20 {town}\n40.20: russian dummy - D movement=6"
        there = "40.18" if unit == "Train" else "40.20"
        changes = holder(entered("clear", March((unit,), ("39.18",)), more=stand))
        return [(before, after) for hex, before, after in changes if hex == there]

    for option in ("caps", "concealment"):
        assert left("star=2 country=russian", option) == [(None, "russian")]
        assert left("star=2 country=german star-holder=russian", option) == []
        assert left("star=2 country=german star-holder=central-powers", option) == []
    assert left("star=2 country=russian", "none") == []


@pytest.mark.rule("27.2.4")
@pytest.mark.parametrize(("reading", "points"), [("passing", 3), ("end", 0)])
def test_who_only_passes_scores_by_a_ruling(reading: str, points: int) -> None:
    through = March(("R",), ("40.19", "41.19"))
    following = entered("star=3 country=german", through, more=f"ruling star-passage={reading}")
    assert sum(award.points for award in following.awards) == points
    ends = entered("star=3 country=german", March(("R",), ("41.19", "40.19")), more="ruling star-passage=end")
    assert sum(award.points for award in ends.awards) == 3


@pytest.mark.rule("27.2.4")
def test_whose_it_is_is_asked_for_where_nothing_tells() -> None:
    following = entered("star=3")
    assert (following.awards, holder(following)) == ((), [])
    (owed,) = following.owed
    assert (owed.track, owed.subject, owed.after) == ("town-open", "40.19", "russian")
    (consequence,) = word_consequences(viewed("40.19 star=3"), [owed])
    assert consequence.step.text == "40.19: 3 Victory Points if the other side held this starred town"
    assert consequence.ask == "town at=40.19"
    assert entered("star=3 country=german").unsettled == ()


@pytest.mark.rule("27.2.4")
def test_who_holds_a_town_is_who_was_last_there_or_whose_country_it_is() -> None:
    view = viewed("40.19 star=3 country=german\n41.19 star=1 country=russian star-holder=central-powers\n42.20 star=2")
    assert [star_holder(view, hex) for hex in ("40.19", "41.19", "42.20")] == ["central-powers", "central-powers", ""]
    assert star_holder(viewed("30.20 star=1 country=romanian"), "30.20") == ""
    there = "{0} star=1 country=german {1}: {2}"
    for stated, units, side in (
        ("", "russian infantry XX R", "russian"),
        ("", "russian artillery - R", "russian"),
        ("", "russian corps-train - R", "central-powers"),
        ("", "russian corps-train - T, russian infantry X R", "russian"),
        (
            "",
            "russian fort - F, russian fortress - C, russian minor-depot - N, russian major-depot - M",
            "central-powers",
        ),
        ("star-holder=central-powers", "russian infantry XX R", "central-powers"),
    ):
        assert star_holder(viewed(there.format("40.19", stated, units)), "40.19") == side


OPEN = "40.19 star=3 town-open=russian"


@pytest.mark.rule("27.2.4", "27.1")
@pytest.mark.parametrize(("held", "points"), [("central-powers", 3), ("russian", 0)])
def test_a_town_is_scored_once_it_is_said_who_held_it(held: str, points: int) -> None:
    report = answered(typed(OPEN), "town", at="40.19", held=held)
    assert (report.result.side, report.result.points) == ("russian", points)
    assert values(report) == {
        **({("vp-towns", "russian"): points} if points else {}),
        ("star-holder", "40.19"): "russian",
        ("town-open", "40.19"): None,
    }
    assert report.verdict.text == f"the Russian side scores {points} Victory Points for 40.19"


@pytest.mark.rule("27.2.4")
def test_who_held_a_town_and_its_star_are_asked_for() -> None:
    asked = answered(typed(OPEN), "town", at="40.19")
    assert [(ask.how, ask.options) for ask in asked.asks] == [
        ("held=central-powers|russian", ("central-powers", "russian"))
    ]
    unknown = answered(typed("40.19 town-open=russian"), "town", at="40.19", held="russian")
    assert [ask.key for ask in unknown.asks] == [("star", "40.19")]


@pytest.mark.rule("27.2.4")
def test_a_town_that_nobody_has_entered_scores_nothing() -> None:
    report = answered(typed("40.19 star=3"), "town", at="40.19", held="central-powers")
    assert (report.verdict.kind, report.changes) == ("no", ())
    assert why_not(report) == ["27.2.4"]
