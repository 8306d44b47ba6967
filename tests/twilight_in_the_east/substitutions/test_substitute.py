"""Units that take the place of others (16.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from assistant.asking import View
from assistant.asking.report import Report
from assistant.game.states import apply_changes
from assistant.game.viewpoint import reduce_state
from assistant.rules.arrivals import Coming
from assistant.state.changes import Change, Enter, Gain
from assistant.util.errors import InputError
from twilight_in_the_east.substitutions import facts
from twilight_in_the_east.substitutions.facts import ready_turn
from twilight_in_the_east.substitutions.rules import EIGHTH, FROMMEL, NINTH, THIRD_C

from ...conftest import answered, carried_on, ruled, told, typed, values, viewed
from ..turn.listing import listed, states

pytestmark = pytest.mark.rule("16.2", "16.2.1", "16.2.2", "16.2.2b", "16.2.3", "16.2.3a")
"""One procedure, of which each row is a clause."""
NOW = "turn=7\nphase=reinforcement\nphasing=russian\n"
OLD = "41.19: russian infantry X B (6-5-0-9) -4 cel=-2 army=First"
NEW = "A russian infantry XX arrives={} substitute-for=B steps=12 back-steps=6 lost={} defence=9 artillery=0 effectiveness=9"


def placed(old: str = OLD, new: str = NEW.format(7, 4), now: str = NOW, **given: Any) -> Report[Any]:
    return answered(typed(f"{now}{old}\n{new}"), "substitute", **{"unit": "A", **given})


def test_the_example() -> None:
    """Brigade B has 2 steps and status -2: division A is stronger by 2 steps, and its status is -1."""
    report = placed()
    assert report.verdict.text == "A takes the place of B in 41.19: 10 steps, status -1"
    assert values(report) == {
        ("place", "A"): "41.19",
        ("arrives", "A"): None,
        ("army", "A"): "First",
        ("place", "B"): None,
        ("departed", "B"): "exchanged",
        ("lost", "A"): 2,
        ("cel", "A"): -1,
    }
    assert {change.rule for change in report.changes} == {"16.2.1"}
    assert {line.rule for line in report.parts[0].steps} == {"16.2.1"}
    assert (report.result.steps, report.result.status, report.result.place) == (10, -1, "41.19")


def test_a_unit_that_is_exchanged_is_not_eliminated_so_that_nobody_scores_for_it() -> None:
    report = placed(OLD.replace("infantry X B", "infantry XX B"))
    assert (told(report, "Victory Points"), [each for each in report.changes if isinstance(each, Gain)]) == ([], [])
    position = typed(f"{NOW}{OLD}\n{NEW.format(7, 4)}")
    assert carried_on(position, placed()).state.units["B"].place is None


def test_its_status_is_not_better_than_none_and_markers_go_over() -> None:
    report = placed(OLD.replace("cel=-2", "cel=-1 supply=low D1") + "\n41.21: russian artillery - G with=B")
    changes = values(report)
    assert ("cel", "A") not in changes
    assert (changes["supply", "A"], changes["disorder", "A"], changes["with", "G"]) == ("low", 1, "A")
    assert ("lost", "B") not in changes
    other = placed(OLD + "\n41.21: russian artillery - G with=H, russian infantry XX H")
    assert ("with", "G") not in values(other)


def test_steps_for_which_the_counter_has_no_room_are_added_by_a_ruling() -> None:
    report = placed(new=NEW.format(7, 1))
    assert (report.result.steps, report.result.lost) == (13, 0)
    assert (values(report)["steps", "A"], values(report)["lost", "A"]) == (13, 0)
    assert {change.rule for change in report.changes} == {"16.2.1"}
    assert ruled(report, "substitute-room") == "added"
    other = placed(new=NEW.format(7, 1) + "\nruling substitute-room=lost")
    assert (other.result.steps, other.result.lost) == (12, 1)
    assert ("steps", "A") not in values(other)
    assert "1 step lost, for which the counter of A has no room" in told(other, "Substitution")


def test_a_reduced_substitute_turns_to_its_full_side() -> None:
    new = "A russian infantry XX arrives=7 substitute-for=B reduced steps=12 back-steps=6 lost=1"
    assert values(placed(new=new)) | {("reduced", "A"): False, ("lost", "A"): 5} == values(placed(new=new))


@pytest.mark.parametrize(
    ("old", "now", "why"),
    [
        (f"{OLD} supply=out", NOW, "B is Out of Supply; the substitution waits until it is In Supply or in Low Supply"),
        (OLD, NOW.replace("turn=7", "turn=6"), "the substitution is ready in GT 7"),
        (
            OLD,
            NOW.replace("phase=reinforcement", "phase=movement"),
            "that is done only in the Reinforcement Phase, and the phase is movement; state phase=reinforcement when the Reinforcement Phase begins",
        ),
    ],
)
def test_when_it_is_not_made(old: str, now: str, why: str) -> None:
    report = placed(old, now=now)
    assert (told(report, "Not allowed"), report.changes) == ([why], ())
    assert report.result.allowed is False


def test_it_may_be_made_later_and_states_no_entry_hex_any_more() -> None:
    assert values(placed(new=f"{NEW.format(7, 4)} entry=85.27"))["entry", "A"] is None
    assert placed(now=NOW.replace("turn=7", "turn=9")).result.allowed


def test_a_destroyed_unit_and_a_division_that_is_never_formed_are_owed_too() -> None:
    position = typed(f"{NOW}{OLD}\n{NEW.format(7, 4)}")
    gone = position.with_state(
        apply_changes(position.game, position.state, [Change("place", "B", "41.19", None, "11.1")])
    )
    items = [item for item in answered(gone, "turn").shown.now.items if item.name == "substitutions"]
    assert [(item.state, item.text.rpartition(": ")[2]) for item in items] == [
        ("owed", "A enters as a reinforcement, as B has been destroyed")
    ]


def test_several_reasons_are_told_and_the_first_in_the_checklist() -> None:
    apart = PAIR.format("41.19").replace(", russian infantry X D", "\n41.20: russian infantry X D")
    report = answered(typed(apart.replace("turn=7", "turn=6")), "substitute", unit="12/12")
    assert [line.rule for line in report.parts[0].steps] == ["16.2", "16.2.2"]


def test_a_substitute_of_a_destroyed_unit_is_a_reinforcement() -> None:
    report = placed("", destroyed=("B",), now=NOW.replace("turn=7", "turn=8"))
    assert report.verdict.text == "A enters as a reinforcement"
    assert values(report) == {("substitute-for", "A"): "", ("arrives", "A"): 8}
    assert {change.rule for change in report.changes} == {"16.2.1"}
    named = placed("", "A russian infantry XX arrives=6", exchanged=("B",), destroyed=("B",))
    assert values(named) == {("arrives", "A"): 7}
    same = placed("", destroyed=("B",))
    assert values(same) == {("substitute-for", "A"): ""}
    position = typed(f"{NOW}{OLD}\n{NEW.format(7, 4)}")
    gone = position.with_state(
        apply_changes(position.game, position.state, [Change("place", "B", "41.19", None, "11.1")])
    )
    assert answered(gone, "substitute", unit="A").result.kind == "reinforcement"


PAIR = """turn=7
phase=reinforcement
phasing=russian
{}: russian infantry X C (6-5-0-9) -2 cel=-2, russian infantry X D (6-5-0-9) -1 cel=-1
12/12 arrives=7 substitute-for="C,D" steps=12 back-steps=6 defence=9 artillery=0 effectiveness=9
"""


def formed(text: str = PAIR.format("41.19"), **given: Any) -> Report[Any]:
    return answered(typed(text), "substitute", unit="12/12", **given)


def test_two_brigades_form_a_division() -> None:
    report = formed()
    assert report.verdict.text == "12/12 takes the place of C, D in 41.19: 9 steps, status -1"
    assert values(report) == {
        ("place", "12/12"): "41.19",
        ("arrives", "12/12"): None,
        ("place", "C"): None,
        ("departed", "C"): "exchanged",
        ("place", "D"): None,
        ("departed", "D"): "exchanged",
        ("lost", "12/12"): 3,
        ("cel", "12/12"): -1,
    }
    assert {change.rule for change in report.changes} == {"16.2.2"}
    assert {line.rule for line in report.parts[0].steps} == {"16.2.2"}


def test_it_is_reduced_if_the_brigades_are_weak_and_takes_the_worse_disorder() -> None:
    weak = PAIR.format("41.19").replace("-2 cel=-2", "-4 cel=-4 D2").replace("-1 cel=-1", "-4 cel=-4 D1")
    assert formed(weak).result.lost == 0
    changes = values(formed(weak))
    assert (changes["reduced", "12/12"], changes["lost", "12/12"], changes["cel", "12/12"]) == (True, 2, -4)
    assert changes["disorder", "12/12"] == 2


def test_the_army_of_the_first_and_a_division_as_strong_as_its_counter() -> None:
    text = PAIR.format("41.19").replace("-2 cel=-2", "cel=-2 army=First").replace("-1 cel=-1", "army=Second cel=-1")
    changes = values(formed(text))
    assert changes["army", "12/12"] == "First"
    assert ("lost", "12/12") not in changes
    assert ("lost", "12/12") not in values(formed(f"{text}\nruling substitute-room=lost"))
    recorded = values(formed(text + "12/12 army=Third\n"))
    assert ("army", "12/12") not in recorded
    large = formed(text.replace("(6-5-0-9) cel=-2", "(8-5-0-9) cel=-2"))
    assert (large.result.steps, large.result.lost, values(large)["steps", "12/12"]) == (14, 0, 14)
    lost = formed(text.replace("(6-5-0-9) cel=-2", "(8-5-0-9) cel=-2") + "ruling substitute-room=lost\n")
    assert (lost.result.steps, lost.result.lost) == (12, 2)


def test_brigades_apart_wait() -> None:
    apart = PAIR.format("41.19").replace(", russian infantry X D", "\n41.20: russian infantry X D")
    (why,) = told(formed(apart), "Not allowed")
    assert why.endswith("must be stacked together in the Reinforcement Phase")
    assert formed(PAIR.format("41.19").replace("cel=-2", "cel=-2 supply=out")).result.allowed


def test_one_brigade_that_is_left_is_exchanged_alone_and_of_two_lost_none_is_formed() -> None:
    alone = PAIR.format("41.19").replace("russian infantry X C (6-5-0-9) -2 cel=-2, ", "")
    report = formed(alone, destroyed=("C",))
    assert report.verdict.text == "12/12 takes the place of D in 41.19: 5 steps, status 0"
    assert {change.rule for change in report.changes if change.track == "place"} == {"16.2.1"}
    assert ruled(report, "lone-brigade") == "remaining"
    whole = formed(f"{alone}ruling lone-brigade=whole\n", destroyed=("C",))
    assert whole.result.steps == 17
    assert formed(alone.replace("cel=-1", "cel=-1 supply=out"), destroyed=("C",)).result.allowed is False
    gone = "\n".join(line for line in PAIR.splitlines() if not line.startswith("{}"))
    report = formed(gone, destroyed=("C", "D"))
    assert report.verdict.text == "12/12 is never formed"
    assert values(report) == {("arrives", "12/12"): None, ("departed", "12/12"): "never-formed"}
    assert {change.rule for change in report.changes} == {"16.2.2"}


DEPOTS = f"""turn=12
phase=movement
phasing=central-powers
41.19: "{EIGHTH}" supply=low ap-spent=1
"{NINTH}" arrives=10
"""


def test_two_depots_take_the_place_of_each_other_as_often_as_their_player_wishes() -> None:
    position = typed(DEPOTS)
    first = answered(position, "substitute", unit=NINTH)
    assert first.verdict.text == f"{NINTH} takes the place of {EIGHTH} in 41.19"
    assert values(first) == {
        ("place", NINTH): "41.19",
        ("arrives", NINTH): None,
        ("supply", NINTH): "low",
        ("ap-spent", NINTH): 1,
        ("supply", EIGHTH): None,
        ("ap-spent", EIGHTH): None,
        ("place", EIGHTH): None,
        ("departed", EIGHTH): "exchanged",
    }
    assert {change.rule for change in first.changes} == {"16.2.3"}
    then = carried_on(position, first)
    second = answered(then, "substitute", unit=EIGHTH)
    assert values(second)["departed", EIGHTH] is None
    assert values(second)["departed", NINTH] == "exchanged"
    third = answered(carried_on(then, second), "substitute", unit=NINTH)
    assert third.result.allowed


def test_a_voluntary_substitution_is_made_in_any_phase_but_not_before_its_turn() -> None:
    early = answered(typed(DEPOTS.replace("turn=12", "turn=9")), "substitute", unit=NINTH)
    assert told(early, "Not allowed") == ["the substitution is ready in GT 10"]
    out = answered(typed(DEPOTS.replace("supply=low", "supply=out")), "substitute", unit=NINTH)
    assert "is Out of Supply" in told(out, "Not allowed")[0]
    marked = NEW.format(7, 4) + " voluntary"
    assert placed(new=marked, now=NOW.replace("reinforcement", "movement")).result.allowed


def test_the_train_of_3_c_stays() -> None:
    position = typed(f'turn=12\n41.19: "{FROMMEL}" army=Eighth\n"{THIRD_C}" arrives=11')
    report = answered(position, "substitute", unit=THIRD_C)
    assert values(report)["army", THIRD_C] == "Eighth"
    then = carried_on(position, report)
    back = answered(then, "substitute", unit=FROMMEL, exchanged=(THIRD_C,))
    assert told(back, "Not allowed") == ["3 C stays in the place of FR for good"]
    stated = typed(f'turn=12\n41.19: "{THIRD_C}"\n"{FROMMEL}" arrives=11 substitute-for="{THIRD_C}"')
    assert told(answered(stated, "substitute", unit=FROMMEL), "Not allowed") == told(back, "Not allowed")


def test_karpaten_takes_the_place_of_a_depot_in_hungary() -> None:
    text = 'turn=20\n41.110: "A-H THIRD Minor Depot"\nKarpaten arrives=16\n'
    unstated = answered(typed(text), "substitute", unit="Karpaten", exchanged=("A-H THIRD Minor Depot",))
    assert [ask.how for ask in unstated.asks] == ["41.110 province=none|bukowina|hungary"]
    inside = text + "41.110 province=hungary"
    report = answered(typed(inside), "substitute", unit="Karpaten", exchanged=("A-H THIRD Minor Depot",))
    assert report.result.allowed
    assert ("army", "Karpaten") not in values(report)
    away = text + "41.110 province=none"
    refused = answered(typed(away), "substitute", unit="Karpaten", exchanged=("A-H THIRD Minor Depot",))
    assert told(refused, "Not allowed") == ["A-H THIRD Minor Depot is not inside Hungary"]
    drawn = "board east\n" + text.replace("41.110", "48.101")
    assert answered(typed(drawn), "substitute", unit="Karpaten", exchanged=("A-H THIRD Minor Depot",)).result.allowed
    assert any("announce its army" in line for line in told(report, "Substitution"))
    with pytest.raises(InputError, match="nothing says whose place Karpaten takes"):
        answered(typed(inside), "substitute", unit="Karpaten")


@pytest.mark.parametrize(
    ("text", "given", "why"),
    [
        (f"{OLD}\n41.20: russian infantry XX A", {}, "A is on the map, in 41.20"),
        (NEW.format(7, 0), {}, "B is not in this position"),
        (f"{OLD}\nA russian infantry XX arrives=7", {}, "nothing says whose place A takes"),
        (f"{OLD}\n{NEW.format(7, 0)}", {"exchanged": ("B", "A")}, "A takes the place of one unit, and 2 are named"),
        (f"{OLD}\n{NEW.format(7, 0)}", {"destroyed": ("C",)}, "C is not exchanged for A"),
        (
            f"{NEW.format(7, 0)}\nB russian infantry X arrives=9",
            {},
            "B is not on the map before GT 9",
        ),
        (
            f"{NEW.format(7, 0)}\nB russian infantry X arrives=9 substitute-for=A",
            {},
            "substitutions go round in a circle: A for B for A",
        ),
        (
            f"{OLD}\n{NEW.format(7, 0)}\nC russian infantry XX arrives=9 substitute-for=B",
            {},
            "A and C are both substitutes for B",
        ),
        (f"{OLD}\n{NEW.format(7, 0)}".replace("=B", '="B,D"'), {}, "A is a substitute for 2 units"),
    ],
)
def test_slips(text: str, given: Mapping[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        answered(typed(NOW + text), "substitute", unit="A", **given)


def test_two_units_may_be_marked_to_take_the_place_of_one_when_their_owner_wishes() -> None:
    marked = NEW.format(7, 4) + " voluntary\nC russian infantry XX arrives=9 substitute-for=B voluntary"
    assert placed(new=marked).result.allowed
    case = f'{DEPOTS}"{NINTH}" substitute-for="{EIGHTH}"\nC german minor-depot - arrives=9 substitute-for="{EIGHTH}"'
    assert answered(typed(case), "substitute", unit=NINTH).result.allowed


def test_who_is_not_exchanged() -> None:
    position = typed(f"{NOW}{OLD}\n{NEW.format(7, 0)}")
    changes = [Change("place", "B", "41.19", None, "1.2.2"), Change("departed", "B", None, "off-map", "1.2.2")]
    with pytest.raises(InputError, match="B has left the map for good"):
        answered(position.with_state(apply_changes(position.game, position.state, changes)), "substitute", unit="A")
    other = answered(typed(f"{DEPOTS}41.25: german minor-depot - Y\n"), "substitute", unit=NINTH, exchanged=("Y",))
    assert told(other, "Not allowed") == [f"{NINTH} takes only the place of {EIGHTH}"]
    assert other.result.kind == "exchange"


def test_who_waits() -> None:
    others = '41.25: "3 C Train"\nC russian infantry XX arrives=8\nD german infantry X arrives=9 substitute-for=E'
    text = f"{NOW}{OLD}\n{NEW.format(9, 0)}"
    report = answered(typed(text), "substitute")
    assert report.result.waiting == ("A",)
    shown = typed(f"{text}\n{others}")
    shown = shown.with_state(reduce_state(shown.game, shown.state, "russian"))
    assert answered(shown, "substitute").result.waiting == ("A",)
    then = carried_on(
        typed(DEPOTS + NEW.format(13, 0)), answered(typed(DEPOTS + NEW.format(13, 0)), "substitute", unit=NINTH)
    )
    assert answered(then, "substitute").result.waiting == (EIGHTH, "A")
    train = typed(f'turn=12\n41.19: "{FROMMEL}"\n"{THIRD_C}" arrives=11')
    gone = carried_on(train, answered(train, "substitute", unit=THIRD_C))
    assert answered(gone, "substitute").result.waiting == ()
    assert report.verdict.text == "A off the map, to take the place of others"
    assert told(report, "Waiting") == ["A, from GT 9: takes the place of B (ask substitute unit=A)"]
    assert answered(typed(f"{NOW}{OLD}"), "substitute").verdict.text == "no substitute waits off the map"


def test_substitutions_are_owed_in_their_phase() -> None:
    text = f"{OLD} substituted\n{NEW.format(5, 0)}"
    (item,) = listed(text, "reinforcement", "substitutions")
    assert (item.state, item.units, item.ask) == ("owed", ("A",), "substitute unit=A")
    assert item.text.endswith("A takes the place of B")
    assert states(listed(text, "reinforcement", "reinforcements")) == [("impossible", ())], "it is none"
    waits = listed(text.replace("army=First", "supply=out"), "reinforcement", "substitutions")
    assert states(waits) == [("impossible", ("A",))]
    assert states(listed(text, "reinforcement", "substitutions", turn=4)) == [("possible", ("B",))]
    assert states(listed(text, "reinforcement", "substitutions", "central-powers")) == [("impossible", ())]
    others = f"{text}\n41.20: russian infantry X C, russian infantry X D arrives=5\nE russian infantry X arrives=5 substituted"
    assert states(listed(others, "reinforcement", "substitutions")) == [("owed", ("A",))], "no others are substitutes"
    assert states(listed(others, "reinforcement", "reinforcements")) == [("owed", ("E",)), ("done", ("D",))]


def test_voluntary_substitutions_are_possible_in_their_phase() -> None:
    text = DEPOTS.split("central-powers\n")[1]
    assert states(listed(text, "reinforcement", "substitutions", "central-powers", turn=12)) == [("possible", (NINTH,))]
    (item,) = listed(text, "reinforcement", "substitutions", "central-powers", turn=12)
    assert (item.rule, item.ask) == ("16.2.3", f'substitute unit="{NINTH}"')
    assert item.text.endswith(f"{NINTH} is ready")
    assert states(listed(text, "reinforcement", "substitutions", "central-powers", turn=9)) == [("impossible", ())]
    stated = text.replace("arrives=10", f'arrives=10 substitute-for="{EIGHTH}"')
    (item,) = listed(stated, "reinforcement", "substitutions", "central-powers", turn=12)
    assert item.text.endswith(f"{NINTH} takes the place of {EIGHTH}")
    marked = f"{OLD}\n{NEW.format(5, 0)} voluntary"
    assert states(listed(marked, "reinforcement", "substitutions")) == [("possible", ("A",))]


def test_a_substitute_that_a_schedule_brings_enters_play(monkeypatch: pytest.MonkeyPatch) -> None:
    coming = Coming(unit=THIRD_C, side="central-powers", turn=7, rule="16.0")
    monkeypatch.setattr(facts, "coming_units", lambda view, side: (coming,) if side == coming.side else ())
    text = f'turn={{}}\nphase=reinforcement\nphasing=central-powers\n41.19: "{FROMMEL}"'
    report = answered(typed(text.format(7)), "substitute", unit=THIRD_C)
    assert isinstance(report.changes[0], Enter)
    assert values(report)["place", THIRD_C] == "41.19"
    assert answered(typed(text.format(7)), "substitute").result.waiting == (THIRD_C,)
    assert told(answered(typed(text.format(6)), "substitute", unit=THIRD_C), "Not allowed") == [
        "the substitution is ready in GT 7"
    ]
    items = [item for item in answered(typed(text.format(8)), "turn").shown.now.items if item.name == "substitutions"]
    assert states(items) == [("possible", (THIRD_C,))]


def test_a_unit_that_is_neither_in_the_position_nor_in_the_roster() -> None:
    with pytest.raises(InputError, match="Z"):
        answered(typed(NOW + OLD), "substitute", unit="Z")


def test_from_when_a_substitute_is_ready() -> None:
    gone = [("place", FROMMEL), ("place", NINTH), ("place", "B")]
    position = typed(
        f'turn=12\n41.19: "{FROMMEL}"\n41.20: "{NINTH}"\n41.21: german infantry X B, german infantry X D\nA german infantry XX arrives=7\nC german infantry XX arrives=9'
    )
    changes = [Change(track, unit, str(position.state.units[unit].place), None, "16.2") for track, unit in gone]
    changes += [Change("departed", unit, None, "exchanged", "16.2") for _, unit in gone]
    view = View(position.game, apply_changes(position.game, position.state, changes))
    assert [ready_turn(view, unit) for unit in ("A", "C", NINTH, FROMMEL, "B", "D")] == [7, 9, 1, 0, 0, 0]
    assert ready_turn(viewed("41.21: german infantry X D"), "D") == 0
    left = view.after([Change("departed", NINTH, "exchanged", "off-map", "1.2.2")])
    assert ready_turn(left, NINTH) == 0, "it has not been exchanged"
