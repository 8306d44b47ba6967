"""Ersatz replacements: who gives, who receives, how many steps, and what that takes (8.7)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.case import list_bars
from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.forces.markers import Marker, why_task_binds
from twilight_in_the_east.movement.ersatz import (
    Pair,
    Sharing,
    read_member,
)

from ...conftest import answered, carried_on, on_the_map, rulings, told, typed, values, viewed, why_not


def sharing(line: str = "austro-hungarian infantry XX E -2 steps=6 ersatz=front", ground: str = "") -> Sharing:
    """A unit of Ersatz replacements, by a line of notation."""
    return Sharing(view=viewed(f"turn=4\n{ground}\n41.19: {line}"), unit="E", bound=())


def rules(case: Sharing, rule: str) -> list[str]:
    return [bar.rule for bar in list_bars(getattr(case, rule))]


@pytest.mark.rule("3.4.1a", "8.7")
@pytest.mark.parametrize(
    ("ring", "front", "back"),
    [("none", False, False), ("front", True, False), ("back", False, True), ("both", True, True)],
)
def test_a_ring_counts_on_the_side_that_is_up(ring: str, front: bool, back: bool) -> None:
    for side, bears in (("", front), ("reduced", back)):
        case = sharing(f"austro-hungarian infantry XX E ersatz={ring} {side}")
        assert rules(case, "bars_of_giver") == ([] if bears else ["3.4.1a"])


@pytest.mark.rule("8.7")
@pytest.mark.parametrize(
    ("line", "against"),
    [
        ("german infantry", []),
        ("austro-hungarian cavalry", ["8.7", "3.4.1a"]),
        ("russian infantry", ["8.7"]),
        ("russian cavalry", ["8.7", "8.7", "3.4.1a"]),
    ],
)
def test_who_gives(line: str, against: list[str]) -> None:
    assert rules(sharing(f"{line} XX E ersatz=front"), "bars_of_giver") == against


@pytest.mark.rule("8.7", "8.7.2")
@pytest.mark.parametrize(
    ("line", "against", "room"),
    [
        ("infantry XX E steps=6 -2", [], 2),
        ("infantry XX E steps=9 back-steps=4 -7", [], 7),
        ("infantry XX E reduced steps=9 back-steps=4", [], 5),
        ("infantry XX E steps=6", ["8.7.1"], 0),
        ("cavalry XX E steps=6 -1", ["8.7"], 1),
    ],
)
def test_who_receives(line: str, against: list[str], room: int) -> None:
    case = sharing(f"austro-hungarian {line}")
    assert rules(case, "bars_of_receiver") == against
    with case.view.gather() as facts:
        assert read_member(facts, "E", gives=False).room == room


@pytest.mark.rule("8.7")
@pytest.mark.parametrize(
    ("foreign", "there", "reading", "reasons", "named"),
    [
        (False, "41.19", "own", 0, False),
        (False, "42.19", "own", 1, False),
        (True, "41.19", "own", 1, True),
        (True, "41.19", "any", 0, True),
        (True, "42.19", "own", 2, False),
    ],
)
def test_which_units_make_a_pair(foreign: bool, there: str, reading: str, reasons: int, named: bool) -> None:
    view = viewed(f"turn=4\nruling ersatz-nation={reading}")
    pair = Pair(view=view, giver="E", receiver="A", here="41.19", there=there, of_two_nations=foreign)
    assert [bar.rule for bar in list_bars(pair.bars)] == ["8.7"] * reasons
    assert ("ersatz-nation" in view.premises.rulings) is named


BESET = """turn=4 phase=movement phasing=central-powers
trust charts
elsewhere clear open
weather=normal
41.18: russian infantry XX R (6-6-1-9)
41.19: german infantry XX A (12-9-0-10) -3 movement=7 task=ersatz expended=3
41.19: german infantry X E (4-4-0-8) movement=7 ersatz=front task=ersatz expended=3
"""


@pytest.mark.rule("8.7.1")
def test_units_that_have_begun_go_on_when_an_enemy_comes() -> None:
    report = answered(typed(BESET), "ersatz", from_=("E",), to=("A",))
    assert report.verdict.text == "A receives 3 steps from E" and rulings(report) == ["ersatz-beset", "flip-point"]
    fresh = BESET.replace("ersatz=front task=ersatz expended=3", "ersatz=front")
    (why,) = told(answered(typed(fresh), "ersatz", from_=("E",), to=("A",)), "Not allowed")
    assert why == "an enemy is adjacent to E, which is not in an Improved Position of Level 3 or more"


@pytest.mark.rule("8.7.1")
def test_by_a_ruling_they_wait_and_owe_nothing() -> None:
    position = typed(BESET + "ruling ersatz-beset=waits\n")
    assert len(told(answered(position, "ersatz", from_=("E",), to=("A",)), "Not allowed")) == 2
    assert answered(typed(BESET), "next").verdict.kind == "no" and answered(position, "next").verdict.kind == "figure"

    def tasks(text: str, foe: str = "41.18") -> list[Any]:
        beset = BESET.replace("41.18", foe)
        now = answered(typed(f"{beset}ruling ersatz-beset=waits\n{text}"), "turn").shown.now
        return [item for item in now.items if item.name == "tasks"]

    left = tasks("")
    assert [(item.state, item.units) for item in left] == [("impossible", ("A",)), ("impossible", ("E",))]
    for level, foe, state in ((2, "41.18", "impossible"), (3, "41.18", "owed"), (0, "41.17", "owed")):
        assert [item.state for item in tasks(f"41.19 ip={level}", foe)] == [state, state]
    assert left[0].text.endswith("A has begun incorporating Ersatz replacements, but an enemy is adjacent to it")


# --- the question -----------------------------------------------------------------------------------------------------

ERSATZ = """phase={phase} phasing={phasing}
{ground}: austro-hungarian infantry XX E (6-6-0-8) movement=7 back-steps=0 ersatz=front {giver}
{ground}: austro-hungarian infantry XX A (9-9-0-8) movement=7 back-steps=0 -{lost} {receiver}
{more}
"""


def text(**position: Any) -> str:
    usual = {
        "phase": "movement",
        "phasing": "central-powers",
        "ground": "41.19",
        "giver": "",
        "receiver": "",
        "lost": 4,
    }
    return ERSATZ.format(**{**usual, "more": "", **position})


def asked(more: str = "", given: dict[str, Any] | None = None, **position: Any) -> Report[Any]:
    return answered(typed(text(more=more, **position)), "ersatz", **{"from": "E", "to": "A", **(given or {})})


@pytest.mark.rule("8.7.2", "8.7.1")
def test_seven_points_each_take_in_the_steps() -> None:
    report = asked()
    assert report.verdict.text == "A receives 4 steps from E"
    assert [track for track, _ in on_the_map(report)] == ["lost", "lost", "order", "order"]
    assert len(report.changes) == 6
    assert values(report)["order", "A"] == 0, "the larger one now lies on top (4.2.5)"
    assert report.result.allowed and report.result.place == "41.19"
    assert values(report)["lost", "E"] == 4 and values(report)["lost", "A"] == 0
    assert (values(report)["spent", "E"], values(report)["spent", "A"]) == ("ersatz:7", "ersatz:7")
    assert {change.rule for change in report.changes if change.track == "lost"} == {"8.7.2"}
    assert [(share.unit, share.left) for share in report.result.units] == [("E", 2), ("A", 9)]
    assert asked(given={"steps": "3"}).verdict.text == "A receives 3 steps from E"


@pytest.mark.rule("8.7.1", "8.7.2")
@pytest.mark.parametrize(
    ("steps", "why"),
    [("4", ""), ("5", "A lacks 4 steps, but would receive 5"), ("7", "E has 6 steps, but would give 7")],
)
def test_no_more_steps_than_there_are_or_fit(steps: str, why: str) -> None:
    assert (told(asked(given={"steps": steps}), "Not allowed") or [""])[0] == why


@pytest.mark.rule("8.7.1", "8.9")
def test_what_is_missing_is_carried_over_by_both() -> None:
    first = asked(phase="counter-movement", phasing="russian")
    assert first.verdict.text == "E needs 4 more Movement Points; A needs 4 more Movement Points"
    assert not first.result.complete
    assert [(one.track, one.subject, one.after) for one in first.changes] == [
        ("task", "E", "ersatz"),
        ("expended", "E", 3),
        ("spent", "E", "ersatz:3"),
        ("task", "A", "ersatz"),
        ("expended", "A", 3),
        ("spent", "A", "ersatz:3"),
    ]
    marked = {"giver": "task=ersatz expended=3", "receiver": "task=ersatz expended=3"}
    done = asked(**marked)
    assert (done.verdict.kind, done.result.complete) == ("yes", True)
    assert [share.spending.left for share in done.result.units] == [3, 3]
    assert values(done)["task", "A"] is None and values(done)["expended", "E"] is None


@pytest.mark.rule("8.7.1", "8.7.2")
def test_before_it_is_complete_nothing_goes_over_and_nobody_leaves() -> None:
    report = asked(
        "30.19: austro-hungarian infantry XX F spent=march:2",
        receiver="task=ersatz expended=1",
        lost=6,
        giver="task=ersatz expended=7",
        given={"points": 2},
    )
    assert (report.result.complete, told(report, "Absorbed")) == (False, [])
    assert values(report) == {("expended", "A"): 3, ("spent", "A"): "ersatz:2", ("ended", "F"): True}
    assert {change.rule for change in report.changes} == {"8.7.1", "8.1"}


@pytest.mark.rule("8.7.1", "8.9.2")
def test_a_unit_that_has_spent_all_waits_for_the_other() -> None:
    waiting = asked(receiver="spent=march:3")
    assert waiting.verdict.text == "A needs 3 more Movement Points"
    assert (values(waiting)["expended", "E"], values(waiting)["expended", "A"]) == (7, 4)
    after = carried_on(typed(text(receiver="spent=march:3")), waiting)
    position = answered(after, "dig-in", unit="E", points=1)
    assert position.verdict.kind == "no"
    why = "it has begun incorporating Ersatz replacements and waits until the other units have spent theirs"
    assert why_task_binds(Marker("ersatz", 7), "position") == why
    assert why_task_binds(Marker("ersatz", 7), "ersatz") == ""
    later = asked(giver="task=ersatz expended=7", receiver="task=ersatz expended=4")
    assert later.verdict.kind == "yes"
    assert ("spent", "E") not in values(later) and values(later)["spent", "A"] == "ersatz:3"


def test_a_marker_shows_seven_points_only_while_its_unit_waits() -> None:
    with pytest.raises(InputError, match="A has expended=8, but 7 Movement Points complete"):
        asked(receiver="task=ersatz expended=8")


@pytest.mark.rule("8.7.2")
def test_an_ersatz_unit_that_gives_all_leaves_the_map() -> None:
    report = asked(lost=6)
    assert (values(report)["place", "E"], values(report)["lost", "A"]) == (None, 0)
    assert {track for track, subject in values(report) if subject == "E"} == {"place", "departed"}
    assert values(report)["departed", "E"] == "incorporated"
    assert told(report, "Absorbed") == ["E leaves the map with its last step, which does not count as elimination"]
    assert rulings(report) == ["ersatz-absorbed"]
    scored = asked("ruling ersatz-absorbed=eliminated", lost=6)
    assert told(scored, "Victory Points") == ["Russian: 4 Victory Points for E eliminated"]
    assert told(scored, "Absorbed") == [] and told(asked(lost=5), "Absorbed") == []
    two = asked("41.19: austro-hungarian infantry III B (1-1-0-8) movement=7 ersatz=front", {"from": "E,B"}, lost=7)
    assert (rulings(two), len(told(two, "Absorbed"))) == (["ersatz-absorbed"], 1)
    assert "leave the map with their last steps" in told(two, "Absorbed")[0]
    small = asked(lost=6, giver="asset")
    assert rulings(small) == [], "an Asset Unit is worth nothing to the enemy"


@pytest.mark.rule("8.7.2")
def test_several_receive_and_several_give() -> None:
    third = "41.19: austro-hungarian infantry XX B (9-9-0-8) movement=7 back-steps=0 -3 ersatz=none"
    report = asked(third, {"to": "A,B"})
    assert report.verdict.text == "A receives 4 steps from E; B receives 2 steps from E"
    assert (values(report)["place", "E"], values(report)["lost", "B"]) == (None, 1)
    split = asked(third, {"to": "A,B", "steps": "1,3"})
    assert [(one.receiver, one.steps) for one in split.result.transfers] == [("A", 1), ("B", 3)]
    assert values(split)["lost", "E"] == 4
    giver = third.replace("ersatz=none", "ersatz=both")
    both = asked(giver, {"from": "E,B"}, lost=8)
    assert both.verdict.text == "A receives 6 steps from E; A receives 2 steps from B"
    assert told(asked(giver, {"from": "E,B"}), "Not allowed") == ["no step is left for B to give"]
    assert told(asked(third, {"to": "A,B"}, lost=8), "Not allowed") == ["no step is left for B to receive"]
    with pytest.raises(InputError, match="several givers and several receivers"):
        asked(third + ", austro-hungarian infantry XX C", {"from": "E,B", "to": "A,C"})


@pytest.mark.rule("8.7.2")
def test_the_points_of_a_phase_serve_every_unit_that_takes_part_in_it() -> None:
    third = "41.19: austro-hungarian infantry XX B (9-9-0-8) movement=7 back-steps=0 -3"
    position = typed(text(more=third))
    first = answered(position, "ersatz", **{"from": "E", "to": "A"})
    second = answered(carried_on(position, first), "ersatz", **{"from": "E", "to": "B"})
    assert second.verdict.text == "B receives 2 steps from E"
    assert ("spent", "E") not in values(second) and values(second)["spent", "B"] == "ersatz:7"


@pytest.mark.rule("8.7.1")
@pytest.mark.parametrize(("level", "allowed"), [(0, False), (2, False), (3, True), (4, True)])
def test_beside_an_enemy_only_in_a_strong_position(level: int, allowed: bool) -> None:
    report = asked("42.19: russian infantry XX R", ground=f"41.19 ip={level}")
    assert (report.verdict.kind == "yes") is allowed
    assert why_not(report) == ([] if allowed else ["8.7.1", "8.7.1"])


@pytest.mark.rule("8.7.1", "8.3b")
def test_no_forced_march_takes_in_steps() -> None:
    with pytest.raises(
        InputError, match="A has 5 Movement Points left in this phase: no Forced March for incorporating"
    ):
        asked(given={"points": 7}, receiver="spent=march:2")
    assert asked(given={"points": 5}, receiver="spent=march:2").verdict.kind == "figure"


@pytest.mark.rule("8.7.1")
@pytest.mark.parametrize(
    ("status", "rule"),
    [
        ("halted", "8.5.4"),
        ("ended", "8.1"),
        ("prepared=42.19", "8.4"),
        ("half", "8.2.5"),
        ("task=position expended=2", "8.9.2"),
        ("checked", "8.3.2"),
    ],
)
def test_what_keeps_a_unit_from_spending(status: str, rule: str) -> None:
    assert why_not(asked(receiver=status)) == why_not(asked(giver=status)) == [rule]


@pytest.mark.rule("8.7.1")
def test_others_end_their_moves_and_none_that_takes_part() -> None:
    far = "30.19: austro-hungarian infantry XX F spent=march:2"
    report = asked(far, given={"points": 2}, receiver="spent=march:1")
    assert [one.subject for one in report.changes if one.track == "ended"] == ["F"]
    nothing = asked(far, given={"points": 0})
    assert not any(one.track == "ended" for one in nothing.changes)


@pytest.mark.rule("8.7", "8.7.2")
def test_elsewhere_and_in_another_phase() -> None:
    apart = asked("40.19: austro-hungarian infantry XX B (9-9-0-8) movement=7 back-steps=0 -3", {"to": "B"})
    assert told(apart, "Not allowed") == ["E is in 41.19 and B in 40.19; both must be in the same hex"]
    assert why_not(asked(phase="attack")) == ["2.2", "2.2"]
    german = asked("41.19: german infantry XX G (9-9-0-8) movement=7 back-steps=0 -3", {"to": "G"})
    assert told(german, "Not allowed") == ["E and G are not of one nation"]
    assert rulings(german) == ["ersatz-nation"]
    assert told(asked(giver="", lost=0), "Not allowed") == ["A is at its full strength"]
    no_ring = "41.19: austro-hungarian infantry XX B (9-9-0-8) movement=7 ersatz=none"
    assert why_not(asked(no_ring, {"from": "B"})) == ["3.4.1a"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"to": "E"}, "E is named twice"),
        ({"steps": "1,2"}, "steps: 1 whole numbers from 1 are needed"),
        ({"steps": "0"}, "steps: 1 whole numbers from 1 are needed"),
    ],
)
def test_names_and_numbers_that_cannot_be(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked(given=given)


def test_what_is_not_stated_is_asked_for() -> None:
    bare = "41.19: austro-hungarian infantry XX E, austro-hungarian infantry XX A reduced -1 steps=5"
    report = answered(typed(bare), "ersatz", **{"from": "E", "to": "A"})
    assert sorted(ask.how for ask in report.asks) == [
        "A steps=N back-steps=5",
        "E ersatz=none|front|back|both",
        "E steps=N",
    ]
    known = bare.replace("XX E", "XX E (6-6-0-8) ersatz=front").replace("steps=5", "steps=9 back-steps=5")
    report = answered(typed(known), "ersatz", **{"from": "E", "to": "A"})
    assert [ask.how for ask in report.asks] == ["E movement=N", "A movement=N"]


@pytest.mark.rule("8.7.2", "3.4.1a")
def test_a_reduced_unit_gives_and_a_reduced_unit_turns_back() -> None:
    ring = "steps=6 back-steps=3 reduced -1"
    giver = text(lost=0).replace("(6-6-0-8)", "").replace("back-steps=0 ersatz=front", f"ersatz=back {ring}")
    receiver = giver.replace("(9-9-0-8) movement=7 back-steps=0 -0", "steps=9 back-steps=4 reduced -1 movement=7")
    report = answered(typed(receiver), "ersatz", **{"from": "E", "to": "A"})
    assert report.verdict.text == "A receives 2 steps from E"
    assert (values(report)["reduced", "A"], values(report)["lost", "A"]) == (False, 4)
    assert values(report)["place", "E"] is None
