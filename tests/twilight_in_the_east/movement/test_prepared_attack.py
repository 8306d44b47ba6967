"""Prepared Attack markers: where they may lie, who has to attack, who is pinned (8.4, 10.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.util.errors import InputError
from twilight_in_the_east.forces.movement_points import pinning_enemies
from twilight_in_the_east.movement.prepared_attack import PlacedMarker

from ...conftest import answered, carried_on, on_the_map, rulings, told, typed, values

TARGET = "41.19: russian infantry XX R"


def markers(text: str, target: str = TARGET) -> dict[str, PlacedMarker]:
    found = answered(typed(f"{target}\n{text}"), "prepared").result.markers
    return {marker.unit: marker for marker in found}


@pytest.mark.parametrize("status", ["entrained", "half", "defence-only", "cel=-4", "displaced"])
def test_who_cannot_attack_is_not_obliged_to_and_yet_pins(status: str) -> None:
    text = f"40.20: german infantry XX A prepared=41.19 {status}"
    found = markers(text)["A"]
    assert (found.must_attack, bool(found.idle), found.pins) == (False, True, ("R",))
    report = answered(typed(f"{TARGET}\n{text}"), "prepared")
    assert report.parts[0].steps[-1].text.startswith("R may not leave 41.19 in the Counter Movement Phase")


@pytest.mark.rule("8.4b")
@pytest.mark.parametrize(
    ("side", "obliged"),
    [
        ("open", True),
        ("lake", False),
        ("impassable", False),
        ("grand-river crossing=no-crossing", False),
        ("grand-river crossing=ferry", True),
        ("grand-river crossing=no-crossing rail1", True),
    ],
)
def test_nobody_is_obliged_to_attack_where_nobody_may(side: str, obliged: bool) -> None:
    found = markers(f"40.20: german infantry XX A prepared=41.19\n40.20|41.19 {side}")["A"]
    assert (found.must_attack, bool(found.idle)) == (obliged, not obliged)


@pytest.mark.rule("8.4", "8.4.1")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("40.20: german infantry XX A prepared=43.19", "8.4"),
        ("40.20: german cavalry XX A prepared=41.19", "8.4.1"),
        ("40.20: german cavalry XX A prepared=41.19, german infantry XX B prepared=41.19", "8.4.1"),
        ("40.20: german infantry XX A prepared=41.19 D1", "8.4.1"),
        ("40.20: german infantry XX A prepared=41.19 cel=-4", "8.4.1"),
        ("40.20: german artillery - A prepared=41.19", "8.4.1"),
        ("40.20: german artillery - A prepared=41.19, german infantry XX B prepared=40.19", "8.4.1"),
        ("40.20: german artillery - A prepared=41.19\n40.19: german infantry XX B prepared=41.19", ""),
        ("40.20: german infantry XX A prepared=41.19 cel=-3", ""),
        ("40.20: german infantry XX A prepared=40.19, german infantry XX B prepared=41.19", ""),
    ],
)
def test_where_a_marker_may_lie(text: str, rule: str) -> None:
    assert markers(text)["A"].rule == rule


@pytest.mark.rule("8.4.2", "8.4.2b", "6.4.4")
def test_enemies_there_are_pinned_but_for_three_detachments() -> None:
    text = "40.20: german infantry XX A prepared=41.19"
    assert markers(text)["A"].pins == ("R",)
    assert markers(text, "41.19: german infantry XX F")["A"].pins == ()
    other_way = "40.20: russian infantry XX A prepared=41.19"
    detachment = '41.19: austro-hungarian infantry III "2-det 11" asset, austro-hungarian infantry XX F'
    assert markers(other_way, detachment)["A"].pins == ("F",)
    report = answered(typed(f"{TARGET}\n{text}"), "prepared")
    assert (
        "may not leave 41.19 in the Counter Movement Phase except by Cavalry Reaction" in report.parts[0].steps[1].text
    )
    position = typed(
        "41.19: russian infantry XX R\n40.20: german infantry XX A prepared=41.19\n41.18: russian infantry XX S prepared=41.19\n"
        "40.19: german infantry XX B prepared=40.18, german infantry XX C\n38.19: german infantry XX D prepared=41.19"
    )
    with View(position.game, position.state).gather() as facts:
        assert pinning_enemies(facts, facts.view.unit("R"), "41.19") == ["A"]


@pytest.mark.rule("10.3")
def test_units_of_two_armies_at_one_hex() -> None:
    text = "40.20: german infantry XX A army=8 prepared=41.19\n40.19: german infantry XX B army=9 prepared=41.19"
    assert markers(text)["A"].armies == ("8", "9")
    assert markers(text.replace("army=9", "army=8"))["A"].armies == ()
    assert markers(text.replace("army=9", ""))["A"].armies == (), "an army that is not stated is no other one"
    assert markers(text.replace("army=9 prepared=41.19", "army=9 prepared=40.20"))["A"].armies == ()


@pytest.mark.rule("10.1.2a")
def test_only_who_points_at_enemies_and_has_not_fought_is_obliged_to_attack() -> None:
    text = (
        "40.20: german infantry XX A prepared=41.19, german infantry XX B prepared=41.19 fought, german infantry XX C"
    )
    report = answered(typed(f"{TARGET}\n{text}"), "prepared")
    assert [marker.unit for marker in report.result.markers if marker.must_attack] == ["A"]
    assert report.verdict.text == "2 markers; 1 unit must attack"
    report = answered(typed(TARGET), "prepared")
    assert (report.result.markers, report.verdict.text) == ((), "no unit has a marker")


MUST = [("8.4", "A must attack 41.19")]
PINS = (
    "8.4.2",
    "R may not leave 41.19 in the Counter Movement Phase except by Cavalry Reaction; "
    "while there they may only work on an Improved Position, attempt a Repulse or incorporate Ersatz",
)
GONE = "no enemy is there. If none arrives, the marker is removed in the Attack Phase: the unit may then attack any adjacent hex (not as a Prepared Attack) and "
WRONG = "could not legally be placed there now: "


@pytest.mark.rule("8.4b", "8.4.2b", "10.1.2a", "10.3", "10.3b")
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("A prepared=41.19", [*MUST, PINS]),
        (
            "A prepared=41.19 half",
            [("10.1.2", "A on 41.19: it bears a 1/2 marker, and so cannot attack"), PINS],
        ),
        (
            "A prepared=41.19 D1",
            [
                ("8.4.1", f"A on 41.19: {WRONG}it is Demoralized"),
                ("10.1.2", "A on 41.19: it is Demoralized, and so cannot attack"),
                PINS,
            ],
        ),
        (
            "A prepared=40.19",
            [("10.3", f"A on 40.19: {GONE}may advance after that combat, but not into 40.19")],
        ),
        (
            "A prepared=40.19\nruling vacant-hex=any",
            [("10.3", f"A on 40.19: {GONE}may not advance after that combat")],
        ),
        ("A prepared=40.19 half", [("10.1.2", "A on 40.19: it bears a 1/2 marker, and so cannot attack")]),
        (
            "A prepared=40.21\n40.21: german infantry XX F",
            [("10.3", f"A on 40.21: {GONE}may advance after that combat, but not into 40.21")],
        ),
        ("A prepared=43.19", [("8.4", f"A on 43.19: {WRONG}43.19 is not adjacent to 40.20")]),
        ("A prepared=43.19 half", [("8.4", f"A on 43.19: {WRONG}43.19 is not adjacent to 40.20")]),
        (
            "A prepared=41.19 army=8\n41.20: german infantry XX B prepared=41.19 army=9 half",
            [
                *MUST,
                ("10.3", "units of several armies (8, 9) have markers on 41.19: one army attacks, the others are withheld"),
                PINS,
                ("10.1.2", "B on 41.19: it bears a 1/2 marker, and so cannot attack"),
                PINS,
            ],
        ),
    ],
)  # fmt: skip
def test_what_each_marker_means(text: str, lines: list[tuple[str, str]]) -> None:
    report = answered(typed(f"{TARGET}\n40.20: german infantry XX {text}"), "prepared")
    assert [(step.rule, step.text) for step in report.parts[0].steps] == lines
    assert rulings(report) == ["vacant-hex"] * any(GONE in line for _, line in lines)
    assert report.changes == ()


# --- placing one ------------------------------------------------------------------------------------------------------


def placing(
    status: str = "", at: str = "41.19", game: str = "phase=movement", more: str = TARGET, **given: Any
) -> Report[Any]:
    text = f"{game}\n{more}\n40.20: german infantry XX A {status}, german infantry XX B prepared=40.19"
    return answered(typed(text), "prepared", **{"unit": "A", "at": at, "points": 3, **given})


@pytest.mark.rule("8.4")
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, ""),
        ({"at": "40.19"}, ""),
        ({"more": ""}, ""),
        ({"points": 0}, ""),  # by a Forced March
        (
            {"game": "phase=counter-movement"},
            "markers are placed only in the Movement Phase, and the phase is counter-movement",
        ),
        (
            {"status": "prepared=41.20"},
            "it already has a marker on 41.20 and spends no more Movement Points in this phase",
        ),
        (
            {"status": "prepared=41.20", "game": ""},
            "it bears a Prepared Attack marker and spends no more Movement Points in this phase",
        ),
        ({"at": "43.19"}, "43.19 is not adjacent to 40.20"),
        ({"status": "cel=-4"}, "it is Demoralized"),
        ({"status": "half"}, "it bears a 1/2 marker and spends no Movement Points"),
        ({"status": "entrained"}, "it is in Rail Mode and moves only by rail until it detrains"),
        ({"game": "phase=movement phasing=central-powers"}, ""),
        ({"game": "phase=movement phasing=russian"}, "the Russian side moves in this phase"),
    ],
)
def test_placing_a_marker(given: dict[str, Any], why: str) -> None:
    report = placing(**given)
    assert report.verdict.kind == ("no" if why else "yes")
    if why:
        assert report.verdict.figures["why"] == why
        assert (report.changes, report.result.placed) == ((), None)
    else:
        at = given.get("at", "41.19")
        assert on_the_map(report) == [("prepared", at)]
        assert report.result.placed.must_attack is ("more" not in given and at == "41.19")


@pytest.mark.rule("8.3", "8.4")
@pytest.mark.parametrize(
    ("given", "march"),
    [
        ({"points": 3}, 0),
        ({"points": 2.5}, 1),
        ({"points": 0}, 3),
        ({"points": None, "spent": 4, "status": "movement=7"}, 0),
        ({"points": None, "spent": 5.5, "status": "movement=7"}, 2),
        ({"points": None, "spent": 7, "status": "movement=7"}, 3),
        ({"points": 1, "status": "movement=7"}, 2),
    ],
)
def test_what_is_missing_for_a_marker_is_gained_by_a_forced_march(given: dict[str, Any], march: int) -> None:
    report = placing(**given)
    assert (report.verdict.kind, report.result.spending.march) == ("yes", march)
    assert report.verdict.text == "A places a Prepared Attack marker on 41.19" + (" by a Forced March" if march else "")
    assert ("a check that fails by 4 or more removes the marker" in told(report)) is (march > 0)


@pytest.mark.rule("8.3", "8.3.1")
def test_a_forced_march_has_its_limit_and_artillery_makes_none() -> None:
    far = placing("movement=7", points=None, spent=8)
    assert far.verdict.figures["why"] == "4 points beyond the allowance exceed the limit of 3 for infantry"
    text = f"phase=movement\n{TARGET}\n40.20: german infantry XX A prepared=41.19, german artillery - G"
    guns = answered(typed(text), "prepared", unit="G", at="41.19", points=2)
    assert guns.verdict.figures["why"] == "artillery makes no Forced March"
    with pytest.raises(InputError, match="points or spent: give one of the two"):
        placing(spent=2)
    with pytest.raises(InputError, match="A has 7 Movement Points in this phase"):
        placing("movement=7", points=8)


@pytest.mark.rule("8.3.2")
def test_the_chance_to_pass_the_check_is_told_where_the_unit_is_known() -> None:
    """Two points beyond the allowance add 2, so that 10 is passed with 8 or less: 26 of 36."""
    report = placing("(7-7-0-10) movement=7", points=None, spent=6)
    assert report.result.spending.passes == Fraction(26, 36)
    assert (
        "A: 9 Movement Points spent in this phase, 2 beyond its allowance of 7 by Forced March; 72.2% chance to pass its check"
        in told(report)
    )


@pytest.mark.rule("8.4")
@pytest.mark.parametrize(
    ("account", "march", "allowed"),
    [("", 0, True), ("spent=march:4", 0, True), ("spent=march:4.5", 1, True), ("spent=march:7.75", 0, False)],
)
def test_what_a_marker_takes_by_the_account_of_its_unit(account: str, march: int, allowed: bool) -> None:
    report = placing(f"movement=7 {account}", points=None)
    assert (report.verdict.kind == "yes") is allowed
    assert not allowed or report.result.spending.march == march
    spent = values(report).get(("spent", "A"), "")
    assert spent == ("+".join(filter(None, [account.removeprefix("spent="), "prepared:3"])) if allowed else "")


@pytest.mark.rule("8.4")
def test_who_has_placed_a_marker_spends_nothing_more() -> None:
    position = typed("phase=movement phasing=central-powers\n40.20: german infantry XX A movement=7\n41.19: 25/3")
    marked = carried_on(position, answered(position, "prepared", unit="A", at="41.19"))
    for question, given in (("dig-in", {}), ("recover", {"points": 1}), ("forced-march", {"points": 1})):
        report = answered(marked, question, unit="A", **given)
        assert report.verdict.kind == "no"
        assert any("bears a Prepared Attack marker" in text for text in told(report)) or "marker" in report.verdict.text
    ended = "it has ended its move in this phase and spends no more Movement Points"
    how = "it does that before another unit moves: undo that move, or state A ended=no"
    assert placing(status="ended").verdict.figures["why"] == f"{ended}; {how}"
    assert placing(status="ended=no").verdict.kind == "yes"


def test_what_placing_a_marker_asks_for() -> None:
    report = placing(game="", points=None)
    assert [ask.name for ask in report.asks] == [
        "phase=reinforcement|attachment|pontoon|supply|engineering|movement|counter-movement|attack|counter-attack|post-combat|weather|administrative|replacements|other",
        "points",
    ]
    with pytest.raises(InputError, match="unit: the unit that places the marker is not stated"):
        placing(unit=None)
    with pytest.raises(InputError, match="unit: the unit that places the marker is not stated"):
        answered(typed("40.20: german infantry XX A"), "prepared", points=3)
    with pytest.raises(InputError, match="at: the hex that the unit is to attack is not stated"):
        placing(at=None)


@pytest.mark.rule("9.5.1a")
def test_displaced_guns_place_none() -> None:
    text = "phase=movement\n41.19: 25/3\n40.20: german infantry XX A prepared=41.19, german artillery - G {}"
    given = {"unit": "G", "at": "41.19", "points": 3}
    assert answered(typed(text.format("")), "prepared", **given).verdict.kind == "yes"
    barred = answered(typed(text.format("displaced")), "prepared", **given)
    assert barred.verdict.figures["why"] == "it is marked Displaced and spends no Movement Points"


@pytest.mark.rule("8.4")
@pytest.mark.parametrize("reading", ["placed", "refused"])
def test_whether_a_marker_points_at_a_hex_of_friends_is_a_ruling(reading: str) -> None:
    text = f"turn=5 phase=movement phasing=central-powers\nruling marker-at-friends={reading}\n41.19: {{}}\n"
    text += "40.20: german infantry XX A (9-9-0-9) movement=7"
    friends = answered(typed(text.format("german infantry XX B")), "prepared", unit="A", at="41.19")
    assert friends.verdict.kind == ("yes" if reading == "placed" else "no")
    assert rulings(friends) == ["marker-at-friends"]
    if reading == "refused":
        assert told(friends, "Not allowed") == ["friendly units hold 41.19: B"]
    for others in ("25/3", "-"):
        report = answered(typed(text.format(others).replace("41.19: -\n", "")), "prepared", unit="A", at="41.19")
        assert (report.verdict.kind, rulings(report)) == ("yes", [])


@pytest.mark.rule("8.4")
@pytest.mark.parametrize(("over", "why"), [("lake", "no unit may attack across or into lake"), ("open", "")])
@pytest.mark.parametrize("reading", ["placed", "refused"])
def test_whether_a_marker_points_where_no_attack_is_possible_is_a_ruling(over: str, why: str, reading: str) -> None:
    text = f"turn=5 phase=movement phasing=central-powers\nruling marker-without-attack={reading}\n40.20|41.19 {over}\n{TARGET}"
    report = answered(
        typed(f"{text}\n40.20: german infantry XX A (9-9-0-9) movement=7"), "prepared", unit="A", at="41.19"
    )
    assert report.verdict.kind == ("no" if why and reading == "refused" else "yes")
    assert rulings(report) == (["marker-without-attack"] if why else [])
    due = "it must then attack 41.19 in the Attack Phase if enemies are there"
    if report.verdict.kind == "yes":
        assert (due in told(report), f"{why}, and so it need not attack 41.19" in told(report)) == (not why, bool(why))
    else:
        assert told(report, "Not allowed") == [f"{why}, and so it cannot attack 41.19"]
