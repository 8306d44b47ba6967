"""The questions `plans` and `abandon`, and what `turn` and `next` make of plans (21.0, 27.2)."""

from __future__ import annotations

from typing import Any

import pytest

import assistant
from assistant.asking.report import Report
from assistant.game.viewpoint import reduce_state
from assistant.state.changes import Gain
from assistant.util.errors import InputError
from twilight_in_the_east.entering.arrival import March
from twilight_in_the_east.entering.consequences import find_consequences

from ...conftest import answered, carried_on, ruled, told, typed, values, viewed
from ..turn.listing import followed, listed

BOTH = 'army "russian First" plan\narmy "russian Second" plan\n'
UNITS = """45.19: russian infantry XX A (9-9-0-9) army=First
45.25: russian infantry XX B (9-9-0-9) army=First, russian cavalry XX C (5-5-0-9) army=First
61.35: russian infantry XX D (9-9-0-9) army=Second
61.32: russian artillery - E army=Second, russian infantry III F (1-1-0-9) army=Second
"""
"""A is three hexes from Insterburg and eight from Lötzen, B four from Lötzen, D five from Allenstein."""
ATTACHMENT = "turn=6 phase=attachment phasing=russian\n"


def asked(text: str, question: str = "plans", **parameters: Any) -> Report[Any]:
    return answered(typed(text), question, **parameters)


def plan_of(report: Report[Any], force: str) -> Any:
    (plan,) = [plan for plan in report.result.plans if plan.force == force]
    return plan


def nearest(report: Report[Any], force: str) -> list[tuple[str, str, int | None]]:
    return [(each.name, each.nearest, each.distance) for each in plan_of(report, force).objectives]


@pytest.mark.rule("21.0", "21.1b", "21.2", "27.2.2a", "27.2.2b", "27.2.2c")
def test_the_nearest_infantry_formation_of_an_army_counts() -> None:
    report = asked(ATTACHMENT + BOTH + UNITS)
    assert report.verdict.text == "under a Strategic Plan: the Russian First Army, the Russian Second Army"
    assert nearest(report, "russian First") == [("Insterburg", "A", 3), ("Lötzen", "B", 4)]
    assert [each[1:] for each in nearest(report, "russian Second")] == [("D", 7), ("D", 5), ("D", 9)]
    first, second = plan_of(report, "russian First"), plan_of(report, "russian Second")
    assert (first.bound, first.gain, first.cost, first.since) == (True, 7, 7, None)
    assert (second.bound, second.gain, second.cost) == (True, 7, 10)
    assert told(report, "Russian First Army")[2:] == [
        "if achieved in GT 6, it brings 7 Victory Points",
        "if abandoned in the Attachment Phase, it costs 7 Victory Points as its units stand",
    ]
    early = asked((ATTACHMENT + BOTH + UNITS).replace("turn=6", "turn=4"))
    assert told(early, "Russian First Army")[-1].startswith(
        "if abandoned in the Attachment Phase from GT 5 on, it costs 7"
    )


def test_units_of_other_armies_and_sides_do_not_count() -> None:
    more = "48.20: russian infantry XX G (9-9-0-9) army=Second\n49.26: german infantry XX H (9-9-0-9) army=Eighth\n"
    report = asked(ATTACHMENT + BOTH + UNITS + more)
    assert nearest(report, "russian First") == [("Insterburg", "A", 3), ("Lötzen", "B", 4)]


@pytest.mark.parametrize(
    ("side", "words", "seen"),
    [
        ("", "infantry has entered it", ("central-powers", "russian")),
        ("russian", "infantry has entered it", ("russian",)),
        ("central-powers", "no infantry is known to have entered it", ("central-powers",)),
    ],
)
def test_the_enemy_is_not_told_what_has_entered_an_objective_hidden(
    side: str, words: str, seen: tuple[str, ...]
) -> None:
    entered = "hidden-units=caps\n42.88 reached-by=central-powers+russian capped: russian infantry XX A (9-9-0-9)"
    position = typed(f'{ATTACHMENT}{entered}\narmy "russian Fourth" plan')
    position = position.with_state(reduce_state(position.game, position.state, side))
    assert position.state.value("reached-by", "42.88") == seen
    lines = str(answered(position, "plans"))
    assert f"; {words};" in " ".join(lines.split())


def test_the_enemy_is_told_nothing_of_an_objective_that_only_its_owner_has_entered() -> None:
    for entered in ("", "42.88 reached-by=russian\n"):
        position = typed(f'{ATTACHMENT}{entered}army "russian Fourth" plan')
        seen = reduce_state(position.game, position.state, "central-powers")
        assert seen.value("reached-by", "42.88") is None
        assert reduce_state(position.game, position.state, "russian").value("reached-by", "42.88") == (
            ("russian",) if entered else None
        )


@pytest.mark.rule("21.4.1", "21.6.1", "27.2.2c")
def test_corps_with_plans_of_their_own() -> None:
    text = (
        'army "russian 2 Corps" plan\narmy "german 3 LW Corps" plan\n'
        "43.33: russian infantry XX 26/2 (9-9-0-9) army=First\n43.31: russian infantry XX 27/3 (9-9-0-9) army=First\n"
    )
    report = asked(ATTACHMENT + text)
    assert nearest(report, "russian 2 Corps") == [("Lyck", "26/2", 3)]
    corps, landwehr = plan_of(report, "russian 2 Corps"), plan_of(report, "central-powers 3 LW Corps")
    assert (corps.gain, corps.cost, corps.then) == (0, 5, "")
    assert (landwehr.cost, landwehr.then) == (5, "central-powers First")
    assert "its objective brings no Victory Points" in told(report, "2 Corps")
    assert "once it has captured that, it pursues the objectives of the Austro-Hungarian First Army" in told(report)


def test_abandon_and_plans_of_one_army_or_one_side() -> None:
    text = ATTACHMENT + BOTH + UNITS + 'army "central-powers First" plan\n'
    assert [plan.force for plan in asked(text, side="central-powers").result.plans] == ["central-powers First"]
    assert [plan.force for plan in asked(text, army="russian second").result.plans] == ["russian Second"]
    lone = asked(text, army="german 3 LW Corps")
    assert lone.verdict.text == "no Strategic Plan is in force; 1 army or corps not stated"
    assert told(lone, "Not stated") == ['army "central-powers 3 LW Corps" plan']
    with pytest.raises(InputError, match="has no Operational Objectives") as slip:
        asked(text, army="russian Tenth")
    assert "russian" in (slip.value.hint or "")
    with pytest.raises(InputError, match="army and side are both given"):
        asked(text, army="russian First", side="russian")
    (ask,) = answered(typed(ATTACHMENT + BOTH + 'army "russian Fifth" plan=no\n'), "abandon").asks
    assert (ask.name, ask.options) == ("army", ("russian First", "russian Second"))
    shown = typed(ATTACHMENT + BOTH)
    shown = shown.with_state(reduce_state(shown.game, shown.state, "central-powers"))
    assert answered(shown, "abandon").asks[0].options == ()


@pytest.mark.rule("21.0", "21.1b", "27.2.2c")
def test_what_is_not_stated_and_what_has_ended() -> None:
    report = asked("turn=6")
    assert report.verdict.text == "no Strategic Plan is stated"
    assert told(report) == [
        'the scenario names the armies and corps that a plan binds; state each: army "central-powers 3 LW Corps" plan'
    ]
    text = 'turn=6\narmy "russian First" plan=no plan-outcome=achieved plan-turn=3\narmy "russian Fifth" plan=no'
    assert plan_of(asked(text), "russian First").since == 3
    assert plan_of(asked(text), "russian First").bound is False
    assert told(asked(text), "Ended") == [
        "the Russian First Army: achieved in GT 3",
        "without a plan: the Russian Fifth Army",
    ]
    with pytest.raises(InputError, match="plan: russian Tenth has no Operational Objectives"):
        asked('turn=6\narmy "russian Tenth" plan')
    assert [ask.key[0] for ask in asked(BOTH).asks] == ["turn"]


def test_the_enemy_does_not_see_how_near_the_units_are() -> None:
    text = ATTACHMENT + BOTH + UNITS
    position = typed(text)
    german = position.with_state(reduce_state(position.game, position.state, "central-powers"))
    report = answered(german, "plans")
    assert {each.nearest for each in plan_of(report, "russian First").objectives} == {""}
    assert "only the enemy's displays show how near its units are" in told(report, "Russian First Army")
    with pytest.raises(InputError, match="the Russian First Army is the enemy's"):
        answered(german, "abandon", army="russian First")
    apart = typed(text.replace("B (9-9-0-9) army=First", "B (9-9-0-9) army=Second"))
    other = apart.with_state(reduce_state(apart.game, apart.state, "central-powers"))
    assert str(answered(other, "plans")) == str(report)


# --- abandoned --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("21.3", "21.1b", "27.2.2b")
def test_an_army_abandons_its_plan_and_is_free_at_once() -> None:
    position = typed(ATTACHMENT + BOTH + UNITS)
    report = answered(position, "abandon", army="russian Second")
    assert (report.verdict.kind, report.result.allowed) == ("yes", True)
    assert (
        report.verdict.text == "the Russian Second Army may abandon its Strategic Plan, which costs 10 Victory Points"
    )
    assert (report.result.distance, report.result.nearest) == (5, "D")
    assert told(report) == [f"D is 5 hexes from {report.result.objective}: 10 Victory Points"]
    assert values(report) == {
        ("plan", "russian Second"): False,
        ("plan-outcome", "russian Second"): "abandoned",
        ("plan-turn", "russian Second"): 6,
        ("vp-plans", "russian"): -10,
    }
    then = answered(carried_on(position, report), "plans")
    assert then.verdict.text == "under a Strategic Plan: the Russian First Army"
    assert "the Russian Second Army: abandoned in GT 6" in told(then, "Ended")
    again = answered(carried_on(position, report), "abandon", army="russian Second")
    assert told(again) == ["its plan has been abandoned"]


@pytest.mark.rule("27.2.2c")
def test_a_corps_abandons_its_plan_for_five_points() -> None:
    report = asked(ATTACHMENT + 'army "russian 2 Corps" plan', "abandon", army="russian 2 Corps")
    assert values(report)["vp-plans", "russian"] == -5
    assert told(report) == ["the plan of a corps costs 5 Victory Points, whatever the distance"]


@pytest.mark.rule("27.2.2b")
@pytest.mark.parametrize(("distance", "points"), [(0, -4), (1, -4), (5, -10), (8, -16)])
def test_the_distance_may_be_given(distance: int, points: int) -> None:
    report = asked(ATTACHMENT + BOTH, "abandon", army="russian First", distance=distance)
    assert values(report)["vp-plans", "russian"] == points


def test_a_distance_that_is_not_known_is_asked_for() -> None:
    report = asked(ATTACHMENT + BOTH, "abandon", army="russian First")
    assert [ask.how for ask in report.asks] == ["distance=N"]
    assert [ask.how for ask in asked(ATTACHMENT, "abandon", army="russian First").asks] == ['army "russian First" plan']


@pytest.mark.rule("21.3")
@pytest.mark.parametrize(
    ("now", "reasons"),
    [
        ("turn=5 phase=attachment phasing=russian", []),
        ("turn=4 phase=attachment phasing=russian", ["21.3"]),
        ("turn=6 phase=movement phasing=russian", ["21.3"]),
        ("turn=6 phase=attachment phasing=central-powers", ["21.3"]),
        ("turn=6", []),
    ],
)
def test_when_a_plan_may_be_abandoned(now: str, reasons: list[str]) -> None:
    report = asked(f"{now}\n{BOTH}{UNITS}", "abandon", army="russian First")
    assert [step.rule for part in report.parts if part.title == "Not allowed" for step in part.steps] == reasons
    assert report.result.allowed == (not reasons)
    assert bool(report.changes) == (not reasons)


@pytest.mark.rule("21.3")
def test_turn_lists_the_plans_that_may_be_abandoned_each_by_its_army() -> None:
    text = 'army "central-powers First" plan\narmy "central-powers Fourth" plan\n'
    now = ATTACHMENT.replace("russian", "central-powers")
    report = asked(now + text, "abandon", army="austro-hungarian First", distance=3)
    assert {subject for _, subject in values(report)} == {"central-powers First", "central-powers"}
    first, second = listed(BOTH + UNITS, "attachment", "abandonment")
    assert (first.state, first.ask) == ("possible", 'abandon army="russian First"')
    assert "the Russian First Army, which costs 7 Victory Points" in first.text
    assert "the Russian Second Army, which costs 10 Victory Points" in second.text
    (unknown,) = listed('army "russian First" plan', "attachment", "abandonment")
    assert unknown.text == "Abandon Strategic Plans, if wished: the Russian First Army"
    for text in ("", 'army "central-powers First" plan', 'army "russian First" plan plan-outcome=achieved'):
        items = listed(text, "attachment", "abandonment")
        assert [item.state for item in items] == ([] if "outcome" in text else ["impossible"])


# --- captured and achieved --------------------------------------------------------------------------------------------


def end(text: str, side: str = "russian", turn: int = 6) -> Report[Any]:
    """What the end of a Player Turn brings."""
    return followed(text, "post-combat", side, turn)


def outcome(report: Report[Any], force: str) -> tuple[object, ...]:
    made = values(report)
    return tuple(made.get((track, force)) for track in ("plan", "plan-outcome", "plan-turn"))


PLAN = 'army "russian First" plan\n'


@pytest.mark.rule("21.1", "21.2", "27.2.2a", "27.2.2c")
@pytest.mark.parametrize(
    ("stands", "achieved"),
    [
        pytest.param("48.19: russian infantry XX A army=First", True, id="a division stands there"),
        pytest.param("48.19: russian infantry X A army=First", True, id="a brigade"),
        pytest.param("48.19: russian infantry XX A army=Second", True, id="of another army of its side"),
        pytest.param("49.27: russian infantry XX A army=First", True, id="in its second objective"),
        pytest.param("48.20: russian infantry XX A army=First", False, id="beside it"),
        pytest.param("48.19: russian infantry III A army=First", False, id="a detachment"),
        pytest.param("48.19: russian cavalry XX A army=First", False, id="cavalry"),
        pytest.param("48.19 reached-by=russian control=russian", True, id="marched through and held"),
        pytest.param("48.19 reached-by=russian control=central-powers", False, id="marched through and lost"),
        pytest.param("48.19 control=russian", False, id="held and never entered"),
        pytest.param("48.19 reached-by=russian: russian cavalry XX A", True, id="held by cavalry later"),
        pytest.param("48.19 reached-by=russian control=russian: german cavalry XX A", False, id="the enemy is there"),
        pytest.param("48.19 reached-by=central-powers control=russian", False, id="the enemy has entered it"),
        pytest.param(
            "48.19 reached-by=russian control=russian: german corps-train - A", True, id="a supply unit holds nothing"
        ),
    ],
)
def test_a_plan_is_achieved_by_capturing_one_objective(stands: str, achieved: bool) -> None:
    for side in ("russian", "central-powers"):
        report = end(PLAN + stands, side)
        assert outcome(report, "russian First") == ((False, "achieved", 6) if achieved else (None, None, None))
        gains = [change for change in report.changes if isinstance(change, Gain)]
        assert gains == ([Gain("vp-plans", "russian", 7, "27.2.2")] if achieved else [])


@pytest.mark.rule("21.2")
def test_control_that_is_not_known_is_asked_for() -> None:
    report = end(PLAN + "48.19 reached-by=russian")
    assert report.verdict.kind == "undecided"
    assert [ask.how for ask in report.asks] == ["48.19 control=central-powers|russian"]
    settled = end(PLAN + "48.19 reached-by=russian\n49.27: russian infantry XX A")
    assert outcome(settled, "russian First") == (False, "achieved", 6)
    assert [ask.name for ask in asked("turn=6\n" + PLAN + "48.19 reached-by=russian").asks]


@pytest.mark.rule("21.1", "21.4.1", "27.2.2a", "27.2.2c")
def test_each_army_and_corps_that_seeks_the_objective_achieves_its_plan() -> None:
    text = 'army "central-powers First" plan\narmy "central-powers Fourth" plan\narmy "german 3 LW Corps" plan\n'
    report = end(text + "43.66: austro-hungarian infantry XX A army=First\n58.64: german infantry XX B", turn=3)
    assert {force: outcome(report, f"central-powers {force}")[1] for force in ("First", "Fourth", "3 LW Corps")} == {
        "First": "achieved",
        "Fourth": "achieved",
        "3 LW Corps": "achieved",
    }
    gains = [change for change in report.changes if isinstance(change, Gain)]
    assert [(gain.subject, gain.amount) for gain in gains] == [("central-powers", 14)] * 2


@pytest.mark.rule("21.1", "27.2.2a")
@pytest.mark.parametrize(
    ("stands", "reading", "achieved"),
    [
        pytest.param("russian cavalry XX A army=Second", "captured", False, id="cavalry of another army"),
        pytest.param("russian cavalry XX A army=Second", "troops", True, id="by ruling"),
        pytest.param("russian infantry III A army=Second", "troops", True, id="a regiment of another army"),
    ],
)
def test_what_holds_an_objective_for_another_army(stands: str, reading: str, achieved: bool) -> None:
    report = end(f"{PLAN}48.19: {stands}\nruling held-objective={reading}")
    assert outcome(report, "russian First")[1] == ("achieved" if achieved else None)
    assert values(report).get(("vp-plans", "russian")) == (7 if achieved else None)
    assert ruled(report, "held-objective") == reading


@pytest.mark.rule("21.1")
@pytest.mark.parametrize(
    "stands",
    [
        pytest.param("48.19: russian cavalry XX A army=First", id="its own cavalry"),
        pytest.param("48.19: russian cavalry XX A", id="of an army that is not known"),
        pytest.param("48.19: russian artillery - A army=Second", id="artillery"),
        pytest.param("48.19 control=russian", id="nobody"),
        pytest.param("48.19 control=russian: german cavalry XX A army=Second", id="the enemy"),
        pytest.param("48.20: russian cavalry XX A army=Second", id="beside it"),
        pytest.param('48.19: russian cavalry XX A army=Second\narmy "russian First" plan=no', id="without a plan"),
    ],
)
def test_what_does_not_hold_it_by_either_reading(stands: str) -> None:
    plan = "" if "plan" in stands else PLAN
    report = end(f"{plan}{stands}\nruling held-objective=troops")
    assert outcome(report, "russian First")[1] is None
    assert ruled(report, "held-objective") == ""


@pytest.mark.rule("27.2.2a")
@pytest.mark.parametrize(
    ("stands", "named", "points"),
    [
        pytest.param("XX A army=First", True, 14, id="of the First Army"),
        pytest.param("X A army=First, austro-hungarian infantry X B army=Fourth", False, 28, id="of both armies"),
        pytest.param("XX A", False, 28, id="of an army that is not known"),
        pytest.param("XX A army=Third", True, None, id="of a third army"),
    ],
)
def test_by_the_other_reading_only_an_army_in_the_objective_scores(
    stands: str, named: bool, points: int | None
) -> None:
    text = 'army "central-powers First" plan\narmy "central-powers Fourth" plan\n'
    for reading in ("each", "captor"):
        held = f"{text}43.66: austro-hungarian infantry {stands}\nruling shared-objective={reading}"
        report = end(held, turn=3)
        assert {outcome(report, f"central-powers {army}")[1] for army in ("First", "Fourth")} == {"achieved"}
        gained = sum(change.amount for change in report.changes if isinstance(change, Gain)) or None
        assert gained == (28 if reading == "each" else points)
        assert ruled(report, "shared-objective") == (reading if named else "")
    marched = end(
        f"{text}43.66 reached-by=central-powers control=central-powers\nruling shared-objective=captor", turn=3
    )
    assert sum(change.amount for change in marched.changes if isinstance(change, Gain)) == 28


@pytest.mark.rule("27.2.2a")
def test_an_army_is_told_that_another_holds_its_objective() -> None:
    held = 'army "central-powers First" plan\narmy "central-powers Fourth" plan\nturn=3\n43.66 control=central-powers\n'
    held += "43.66: austro-hungarian infantry XX A army=First\nruling shared-objective={}\n"
    why = "another army holds its objective"
    for reading, forestalled in (("each", False), ("captor", True)):
        text = held.format(reading)
        fourth, first = (told(asked(text), f"Austro-Hungarian {army} Army") for army in ("Fourth", "First"))
        assert (f"{why}, so it brings no Victory Points" in fourth) is forestalled
        assert not any(why in line for line in first)
        line = next(line for line in told(asked(text, "victory"), "Strategic Plans") if "Fourth" in line)
        assert (f"nothing if achieved, as {why};" in line) is forestalled


@pytest.mark.rule("27.2.2a")
def test_an_army_scores_once() -> None:
    held = "48.19: russian infantry XX A\n49.27: russian infantry XX B\n"
    report = end(PLAN + held)
    assert [change.amount for change in report.changes if isinstance(change, Gain)] == [7]
    scored = carried_on(typed(f"turn=6\nphase=post-combat\nphasing=russian\n{PLAN}{held}"), report)
    assert scored.state.value("plan", "russian First") is False
    later = answered(assistant.parse("phase=post-combat phasing=central-powers", scored), "next")
    assert not any(isinstance(change, Gain) for change in later.changes)


@pytest.mark.rule("21.1")
def test_by_the_other_reading_an_army_is_free_from_its_own_next_player_turn_on() -> None:
    held = PLAN + "48.19: russian infantry XX A\nruling freed-from=own\n"
    first = end(held)
    assert outcome(first, "russian First") == (None, "achieved", 6)
    assert ruled(first, "freed-from") == "own"
    waiting = held.replace("plan\n", "plan plan-outcome=achieved plan-turn=6\n")
    assert outcome(end(waiting, "russian"), "russian First") == (None, None, None)
    (item,) = listed(waiting, "post-combat", "plans")
    assert (item.state, "binds it until its side's next Player Turn" in item.text) == ("done", True)
    assert ruled(end(held, "central-powers"), "freed-from") == "", "it is the same by both readings"
    freed = end(waiting, "central-powers")
    assert outcome(freed, "russian First") == (False, None, None)
    assert not any(isinstance(change, Gain) for change in freed.changes)
    shown = told(asked("turn=6\n" + waiting), "Russian First Army")
    assert shown[-1] == "achieved in GT 6; it binds until the Player Turn of its side begins"


def test_a_plan_is_achieved_as_the_last_player_turn_of_the_game_ends() -> None:
    report = end(PLAN + "48.19: russian infantry XX A", "central-powers", turn=47)
    assert (report.verdict.kind, report.verdict.text) == ("figure", "the game is over")
    assert outcome(report, "russian First") == (False, "achieved", 47)
    assert told(report)[-1] == "turn 47 is the last"
    nothing = end(PLAN, "central-powers", turn=47)
    assert (nothing.verdict.kind, nothing.changes) == ("no", ())


def test_what_turn_says_as_a_player_turn_ends() -> None:
    (item,) = listed(PLAN + "48.19: russian infantry XX A", "post-combat", "plans")
    assert (item.state, item.places, item.carried_out) == ("owed", ("48.19",), True)
    assert "the Russian First Army has captured 48.19: its plan is achieved, 10 Victory Points" in item.text
    (item,) = listed('army "russian 2 Corps" plan\n43.30: russian infantry XX A', "post-combat", "plans")
    assert item.text.endswith("its plan is achieved")
    (item,) = listed(BOTH, "post-combat", "plans")
    assert (item.state, "the Russian First Army, the Russian Second Army" in item.text) == ("impossible", True)
    assert listed("", "post-combat", "plans") == []


@pytest.mark.rule("27.2.2a", "27.2.2b")
def test_the_example_of_the_rulebook_with_its_turn() -> None:
    """Second Army abandons its plan at five hexes in GT 6, and First Army achieves its own: -3 in all."""
    text = BOTH + UNITS + "48.19: russian infantry XX H army=First\n"
    position = typed(ATTACHMENT + text)
    abandoned = carried_on(position, answered(position, "abandon", army="russian Second"))
    later = carried_on(
        typed(f"turn=6\nphase=post-combat\nphasing=russian\n{text}"),
        answered(position, "abandon", army="russian Second"),
    )
    assert abandoned.state.value("vp-plans", "russian") == -10
    done = carried_on(later, answered(later, "next"))
    assert done.state.value("vp-plans", "russian") == -3
    assert done.state.value("plan-outcome", "russian First") == "achieved"


# --- entered ----------------------------------------------------------------------------------------------------------


def recorded(text: str, *marches: March) -> dict[str, object]:
    """The objectives of which is recorded who has been there."""
    made = find_consequences(viewed(text), marches).changes
    return {change.subject: change.after for change in made if change.track == "reached-by"}


UNIT = "48.20: russian {} R (9-9-0-9) army=First\n"


@pytest.mark.rule("21.2")
@pytest.mark.parametrize(
    ("kind", "way", "hexes"),
    [
        pytest.param("infantry XX", ("48.19",), ["48.19"], id="ends there"),
        pytest.param("infantry X", ("48.19", "48.18"), ["48.19"], id="passes"),
        pytest.param("infantry XX", ("49.19",), [], id="beside it"),
        pytest.param("infantry III", ("48.19",), [], id="a detachment"),
        pytest.param("cavalry XX", ("48.19",), [], id="cavalry"),
    ],
)
def test_infantry_that_enters_an_objective_is_recorded(kind: str, way: tuple[str, ...], hexes: list[str]) -> None:
    text = PLAN + UNIT.format(kind)
    assert recorded(text, March(("R",), way)) == dict.fromkeys(hexes, ("russian",))


@pytest.mark.rule("21.0", "21.1b", "21.2")
def test_what_is_recorded_of_objectives() -> None:
    go = March(("R",), ("48.19",))
    unit = UNIT.format("infantry XX")
    assert recorded(unit, go) == {}, "no plan is in force"
    assert recorded(unit + 'army "russian First" plan=no', go) == {}
    assert recorded(unit + 'army "russian Second" plan', go) == {}, "it is no objective of that army"
    assert recorded(PLAN + unit + "48.19 reached-by=russian", go) == {}, "recorded before"
    both = recorded(PLAN + unit + "48.19 reached-by=central-powers", go)
    assert both == {"48.19": ("central-powers", "russian")}
    standing = PLAN + unit.replace("48.20", "48.19")
    assert recorded(standing, March(("R",), ("48.20",))) == {"48.19": ("russian",)}, "it stood there before"
    enemy = PLAN + unit.replace("russian infantry", "german infantry")
    assert recorded(enemy, go) == {}


@pytest.mark.rule("21.2")
def test_a_division_marches_through_and_the_objective_is_captured_as_the_player_turn_ends() -> None:
    unit = "48.18: russian infantry XX R (9-9-0-9) movement=7 army=First\n"
    position = typed(f"turn=6\nphase=movement\nphasing=russian\n{PLAN}{unit}48.19 control=central-powers")
    report = answered(position, "move", units="R", way="48.19,48.20", ground=[1, 1])
    assert values(report)["reached-by", "48.19"] == ("russian",)
    then = carried_on(position, report)
    assert then.state.value("control", "48.19") == "russian"
    done = answered(assistant.parse("phase=post-combat", then), "next")
    assert outcome(done, "russian First") == (False, "achieved", 6)


def test_an_army_needs_neither_its_name_nor_its_side_where_only_one_is_meant() -> None:
    def shown(army: str, more: str = "") -> list[str]:
        return [plan.force for plan in asked(f"{ATTACHMENT}{more}{UNITS}", army=army).result.plans]

    assert shown("Second") == shown("second") == ["russian Second"]
    assert shown("First", 'army "russian First" plan\n') == ["russian First"]
    assert shown("central-powers", 'army "central-powers First" plan\narmy "russian First" plan\n') == [
        "central-powers First"
    ]
    with pytest.raises(InputError, match="army 'First' does not begin with its side"):
        shown("First")


def test_a_plan_that_may_not_be_abandoned_yet_is_told_with_what_that_would_cost() -> None:
    early = ATTACHMENT.replace("turn=6", "turn=4") + BOTH + UNITS
    report = asked(early, "abandon", army="russian Second")
    assert told(report, "Not allowed") == ["a plan may be abandoned from GT 5 on"] and report.changes == ()
    cost = asked(ATTACHMENT + BOTH + UNITS, "abandon", army="russian Second").result
    (said,) = told(report, "Victory Points")
    start = f"as its units stand, that would cost {cost.cost} Victory Points, as {cost.nearest} is "
    assert said == f"{start}{cost.distance} hexes from {cost.objective}" and report.result.cost is None
    corps = asked(early + 'army "russian 2 Corps" plan', "abandon", army="russian 2 Corps")
    assert told(corps, "Victory Points") == ["as its units stand, that would cost 5 Victory Points"]
    free = asked(early.replace("plan", "plan=no"), "abandon", army="russian Second")
    assert told(free, "Victory Points") == []
