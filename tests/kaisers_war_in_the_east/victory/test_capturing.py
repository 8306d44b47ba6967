"""Strategic Objectives that change hands as units enter them, and games that end by that or by losses (4.1, 5.3, 7.3)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.state.changes import Enter, Gain
from kaisers_war_in_the_east.victory.points import end_game

from ...conftest import answered, told, typed, values
from ...owing import left_out
from ..asking import kaiser

POINTS = "turn=10 scenario=1915 main-effort=east\nside allies vp={allies}\nside central-powers vp={powers}\n"
GROUND = """
2621 clear: AH-4 (12-12-4)
2620 clear objective country=russia control=allies
2619 clear
2620 | 2621 open
"""
ANOTHER = "3030 objective country=russia control=allies\n"
"""An objective that the Allies keep."""
WAYS: dict[str, dict[str, Any]] = {
    "capture": {"at": "2620", "side": "central-powers"},
    "move": {"unit": "AH-4", "way": ["2620"]},
    "pursue": {"units": ["AH-4"], "at": "2620", "result": "DD"},
    "retreat": {"units": ["AH-4"], "way": ["2620"]},
}
"""How a side comes to hold an objective, each with what is asked."""


def position(more: str = "", *, allies: int = 40, powers: int = 60) -> Position:
    """An army beside the objective."""
    text = POINTS.format(allies=allies, powers=powers) + GROUND + more
    return typed(f"game kaisers-war-in-the-east\n{text}")


def taken(way: str, more: str = "", *, allies: int = 40, powers: int = 60) -> Any:
    """The report on a way into the objective."""
    return answered(position(more, allies=allies, powers=powers), way, **WAYS[way])


def ended(before: Position, report: Any) -> list[str]:
    """How an answer ends the game: the track and the side of each fact that is owed by it, said in every form."""
    assert list(left_out(before, report)) == []
    ways = [consequence.owed for consequence in report.follows]
    return [f"{owed.track} {owed.subject}" for owed in ways if owed.track in ("overthrown", "holds-objectives")]


@pytest.mark.rule("5.0", "5.3", "7.3/2", "VP-table/capture")
@pytest.mark.parametrize("way", WAYS)
def test_an_objective_is_captured_however_units_enter_it(way: str) -> None:
    report = taken(way)
    changed = values(report)
    assert changed["control", "2620"] == "central-powers"
    assert (changed["vp", "central-powers"], changed["vp", "allies"]) == (5, -10)
    assert "2620 is a Strategic Objective: 5 Victory Points more for Central Powers, 10 less for Allies" in told(report)


@pytest.mark.rule("5.0", "5.3")
@pytest.mark.parametrize("way", WAYS)
def test_points_that_the_position_does_not_count_are_not_made_up(way: str) -> None:
    report = kaiser("turn=10 scenario=1915\n" + GROUND, way, **WAYS[way])
    assert not [track for track, _ in values(report) if track == "vp"]


@pytest.mark.rule("5.3", "7.3/2")
@pytest.mark.parametrize("way", ["move", "pursue", "retreat"])
def test_an_objective_that_may_have_been_ones_own_is_left_to_its_owner(way: str) -> None:
    report = kaiser("turn=10\n" + GROUND.replace("control=allies", ""), way, **WAYS[way])
    assert ("control", "2620") not in values(report)
    assert values(report)["capture-open", "2620"] == "central-powers"
    assert "2620 is a Strategic Objective: its capture scores Victory Points (ask capture)." in report.headline
    (consequence,) = report.follows
    assert consequence.ask == "capture at=2620 side=central-powers"


@pytest.mark.rule("5.3", "5.6", "7.3/2")
@pytest.mark.parametrize("way", WAYS)
def test_a_capture_scores_as_far_as_the_track_goes(way: str) -> None:
    changed = values(taken(way, powers=97))
    assert (changed["control", "2620"], changed["vp", "central-powers"]) == ("central-powers", 2)


@pytest.mark.rule("5.3", "7.3/2", "18.4")
@pytest.mark.parametrize(
    ("more", "verdict", "reasons", "tracks"),
    [
        ("", "the Central Powers score 5 Victory Points, the Allies lose 10", [], {"control", "vp"}),
        ("phase=movement\n", "the Central Powers score 5 Victory Points, the Allies lose 10", [], {"control", "vp", "taken"}),
        ("2620: Rus-2 (1-4-4)\n", "the Central Powers cannot take 2620 yet (1 reason)", ["enemy units are in 2620"], set()),
        ("2620 control=central-powers\n", "the Central Powers control 2620 already (1 reason)", ["the Central Powers control 2620 already"], set()),
    ],
)  # fmt: skip
def test_what_a_capture_changes_or_what_bars_it(more: str, verdict: str, reasons: list[str], tracks: set[str]) -> None:
    ground = GROUND.replace(" control=allies", "") if "control" in more else GROUND
    report = kaiser(POINTS.format(allies=40, powers=60) + ground + ANOTHER + more, "capture", **WAYS["capture"])
    assert report.verdict.text == verdict
    assert told(report, "Not allowed") == reasons
    assert {track for track, _ in values(report)} == tracks


@pytest.mark.rule("5.3", "5.6", "7.3/2")
def test_two_objectives_of_one_way_bring_no_more_than_the_track_holds() -> None:
    position = POINTS.format(allies=40, powers=92) + GROUND + "2619 objective control=allies\n2619|2620 open\n"
    report = kaiser(position, "pursue", units=["AH-4"], at="2620", result="BT", way=["2619"])
    assert [one for one in report.changes if getattr(one, "amount", 1) == 0] == []
    gains = [one.amount for one in report.changes if getattr(one, "track", "") == "vp"]
    assert gains == [5, -10, 2, -10]
    assert {hex for track, hex in values(report) if track == "control"} == {"2619", "2620"}


@pytest.mark.rule("4.1/1", "4.1/1b", "5.6")
@pytest.mark.parametrize("way", WAYS)
def test_a_capture_that_leaves_a_side_without_points_ends_the_game(way: str) -> None:
    for powers, total, level in ((60, 90, "Imperial Victory"), (10, 40, "Marginal Victory")):
        text = position(ANOTHER, allies=10, powers=powers)
        report = taken(way, ANOTHER, allies=10, powers=powers)
        assert ended(text, report) == ["overthrown allies"]
        assert "The Allies have no Victory Points left: the game ends at once (ask victory)." in report.headline
        won = answered(text.after(report.changes), "victory")
        assert won.verdict.text == f"Sudden Death: {level} of the Central Powers"
        assert won.result.lead == total
    assert ended(position(ANOTHER, allies=11), taken(way, ANOTHER, allies=11)) == []


@pytest.mark.rule("4.1/1", "4.1/1b")
def test_the_next_phase_waits_for_players_to_see_that_the_game_has_ended() -> None:
    more = f"{ANOTHER}phasing=central-powers phase=movement\n"
    after = position(more, allies=10).after(taken("move", more, allies=10).changes)
    (owed,) = (item for item in answered(after, "turn").result.now.items if item.name == "overthrown")
    assert (owed.state, owed.units, owed.places, owed.ask) == ("owed", (), (), "victory")
    assert owed.text == "the Allies have no Victory Points left: the game ends at once"
    assert answered(after, "next").verdict.kind == "no"
    onward = answered(after, "next", leave=("overthrown",))
    assert onward.verdict.kind == "figure"
    assert after.after(onward.changes).state.value("overthrown", "allies") is None


@pytest.mark.rule("Opt/Rev2")
def test_allied_points_that_fall_to_10_with_the_first_revolution_in_effect_bring_the_second() -> None:
    def due(allies: int, more: str = "options=revolutions revolution=1\n") -> list[str]:
        report = taken("move", ANOTHER + more, allies=allies)
        assert list(left_out(position(ANOTHER + more, allies=allies), report)) == []
        return [consequence.ask for consequence in report.follows if consequence.owed.track == "second-revolution"]

    assert due(20) == due(11) == ["revolution"]
    assert due(21) == due(10) == due(20, "revolution=1\n") == due(20, "options=revolutions revolution=0\n") == []
    assert due(20, "options=revolutions revolution=2\n") == []
    text = "options=revolutions revolution=1\n"
    after = position(ANOTHER + text, allies=20).after(taken("move", ANOTHER + text, allies=20).changes)
    settled = after.after(answered(after, "revolution").changes)
    assert (settled.state.value("revolution", ""), settled.state.value("second-revolution", "")) == (2, None)


@pytest.mark.rule("4.1/2")
@pytest.mark.parametrize("way", WAYS)
def test_the_last_objective_may_end_the_game(way: str) -> None:
    last = ANOTHER.replace("=allies", "=central-powers")
    report = taken(way, last)
    assert ended(position(last), report) == ["holds-objectives central-powers"]
    text = (
        "The Central Powers control every Strategic Objective stated: the game ends at once, if the map has no others"
    )
    assert f"{text} (ask victory)." in report.headline
    assert ended(position(ANOTHER), taken(way, ANOTHER)) == []


BATTLE = "2620 clear: Rus-2 (1-4-4)\n2621: AH-4 (2-2-4)\n2620|2621 open\nchart reorganization austro-hungarian infantry-army = 3\n"


def fought(allies: int, powers: int, die: int, **answers: str) -> list[str]:
    """How a battle ends the game: 50 to 99 per cent."""
    given = {"die": str(die)} | {name.replace("_", "."): value for name, value in answers.items()}
    before = typed(f"game kaisers-war-in-the-east\n{POINTS.format(allies=allies, powers=powers)}{BATTLE}")
    return ended(before, answered(before, "battle", at="2620", answers=given))


@pytest.mark.rule("4.1/1", "4.1/1b", "5.1", "5.6", "4.1/2")
def test_a_battle_ends_the_game_by_points_as_far_as_they_are_counted_and_by_no_objective() -> None:
    assert fought(40, 6, 1) == ["overthrown central-powers"]
    assert fought(40, 7, 1) == []
    both = {"attacker_one": "AH-4", "defender_one": "Rus-2"}
    for powers in (6, 4):
        assert sorted(fought(6, powers, 5, **both)) == ["overthrown allies", "overthrown central-powers"]
    assert fought(0, 7, 1) == [], "what was over before does not end again"

    def ends(side: str, points: int) -> list[str]:
        text = f"turn=10 scenario=1915 main-effort=east\nside {side} vp={points}\n{BATTLE}"
        before = typed(f"game kaisers-war-in-the-east\n{text}")
        return ended(before, answered(before, "battle", at="2620", answers={"die": "1"}))

    for points in (1, 6):
        assert ends("central-powers", points) == ["overthrown central-powers"], "the other side's are not stated"
    assert ends("allies", 6) == []
    held = "3030 objective country=russia control=allies\n2620 objective country=russia control=allies\n"
    for die in ("1", "6"):  # the attacker is lost, or the defender breaks down
        text = POINTS.format(allies=40, powers=40) + BATTLE + held
        report = kaiser(text, "battle", at="2620", answers={"die": die})
        assert report.changes
        assert "holds-objectives" not in {track for track, _ in values(report)}


@pytest.mark.rule("5.3", "7.3/2", "VP-table/capture", "4.1/2")
@pytest.mark.parametrize("way", WAYS)
def test_a_hex_that_is_no_objective_brings_control_alone_and_ends_no_game(way: str) -> None:
    plain = POINTS.format(allies=40, powers=60) + GROUND.replace("objective", "objective=no")
    report = kaiser(plain, way, **WAYS[way])
    assert {track for track, _ in values(report)} >= {"control"}
    assert "vp" not in {track for track, _ in values(report)}
    assert "Strategic Objective" not in " ".join(told(report))
    more = "3030 objective country=russia control=allies\n"
    report = kaiser(plain + more, way, **WAYS[way])
    assert "holds-objectives" not in {track for track, _ in values(report)}
    if way != "capture":
        assert "the Central Powers take control of 2620" in told(report)


@pytest.mark.rule("5.3", "7.3/2")
@pytest.mark.parametrize("way", ["move", "pursue", "retreat"])
@pytest.mark.parametrize("more", ["", "scenario=1914\n", "2620 country=russia\n"])
def test_of_a_hex_of_which_it_is_not_known_whose_it_is_nothing_is_said(way: str, more: str) -> None:
    ground = GROUND.replace(" objective country=russia control=allies", "")
    report = kaiser("turn=10\n" + ground + more, way, **WAYS[way])
    assert "control" not in {track for track, _ in values(report)}
    assert "Strategic Objective" not in " ".join(told(report))


SHIP = "turn=2 scenario=1914\nside allies vp={}\nside central-powers vp=60\n2620: german marine XXX 1M movement=3 attack=2 defence=2\n"
PORTS = "2620 port=baltic country=germany\n2610 port=baltic country=russia control=allies objective\n"


@pytest.mark.rule("5.3", "7.3/2", "18.4", "21.6", "4.1/1")
def test_an_objective_is_captured_from_the_sea_too() -> None:
    report = kaiser(SHIP.format(10) + PORTS, "move", unit="1M", way=["2610"], by="sea")
    changed = values(report)
    assert (changed["control", "2610"], changed["taken", "2610"]) == ("central-powers", True)
    assert (changed["vp", "central-powers"], changed["vp", "allies"]) == (5, -10)
    assert "2610 is a Strategic Objective: 5 Victory Points more for Central Powers, 10 less for Allies" in told(report)
    assert changed["overthrown", "allies"] is True


@pytest.mark.rule("18.4")
@pytest.mark.parametrize(
    ("way", "phase", "useless"),
    [
        ("capture", "", False),
        ("capture", "phase=movement", True),
        ("capture", "phase=first-combat", False),
        ("move", "phase=movement", True),
        ("pursue", "phase=first-combat", False),
        ("retreat", "phase=first-combat", False),
    ],
)
def test_railroads_that_a_movement_phase_brings_are_of_no_use_in_it(way: str, phase: str, useless: bool) -> None:
    changed = values(taken(way, f"{phase}\nphasing=central-powers\n"))
    assert changed.get(("taken", "2620"), False) is useless


@pytest.mark.rule("4.1/1", "15.2/none", "4.1/1b", "4.1/2")
def test_a_game_ends_by_points_whatever_takes_them() -> None:
    """Attrition costs points by a ruling."""
    text = (
        "game kaisers-war-in-the-east\ntrust charts\nruling attrition-points=lost\nturn=4 main-effort=east phasing=allies phase=attrition\n"
        "side allies vp=1\nchart terrain-attrition winter clear = yes\nelsewhere no-rail open country=russia\n"
        "2620 clear city=no: Rus-inf-1 supply=out\n"
    )
    before = typed(text)
    report = answered(before, "attrition", answers={"attrition.Rus-inf-1": "1"})
    assert ended(before, report) == ["overthrown allies"]
    ring = "".join(
        f"{hex} clear: Rus-{number} (1-1-4)\n"
        for number, hex in enumerate(("2520", "2521", "2619", "2621", "2720", "2721"), 1)
        if number != 6
    )
    text = POINTS.format(allies=40, powers=2) + ring + "2620 clear: AH-inf-1 (1-1-4)\n"
    before = typed(f"game kaisers-war-in-the-east\n{text}")
    report = answered(before, "retreat", units=["AH-inf-1"])
    assert report.result.eliminated == ("AH-inf-1",)
    assert ended(before, report) == ["overthrown central-powers"]
    before = position(ANOTHER)
    now = View(before.game, before.state)
    spent = Gain("vp", "allies", -40, "9.3")
    enters = Enter(unit="Rus-2", type="", place="2620", order=0, rule="9.3")
    found = [(change.track, change.subject) for change in end_game(now, now.after([spent]), [enters, spent])]
    assert found == [("overthrown", "allies")]
