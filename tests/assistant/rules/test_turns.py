"""The question `turn` of a game that only states its course: phases, whose they are, options, who arrives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.asking.permission import DieRow
from assistant.asking.question import Question, answer_question, report_missing
from assistant.asking.report import MissingFacts, Report
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.rules import turns
from assistant.rules.next_phase import Next, answer_next
from assistant.rules.phase_now import Duty, PlayerTurn, StepFinding
from assistant.state.changes import Change
from assistant.util.errors import InputError

from ...conftest import told
from .moor import FILES, moor, seen

COURSE = """
[turns]
order = ["red", "blue"]
arrives = "arrives"
options = ["options", "scenario"]
figures = [{ name = "tide", title = "Tide", who = "blue", rule = "1.1" }]

[[phase]]
title = "Weather"
part = "turn"
who = "red"
rule = "2.1"

[[phase]]
title = "Movement"
word = "move"
skipped = [{ turns = "1", who = "red", unless = "early" }]
steps = [
    { do = "enter", rule = "3.1", arrives = true },
    { do = "call up", option = "militia fog=thick" },
    { do = "wade", who = "marsh" },
]

[[phase]]
title = "Watch"
active = "other"
turns = "2-8"

[[phase]]
title = "Truce"
active = "both"
turns = "2"

[[phase]]
title = "End"
part = "inter-phase"
steps = [{ do = "count", turns = "8" }]
"""
TURNS = """turns,kind,text,who,rule,source
2,date,3 May,,,rulebook
2,season,Spring,,1.2,rulebook
2,tide,high,blue,,rulebook
2,event,the ford opens,red,1.3,rulebook
2,weather,fair,,,reconstruction
"""
RULINGS = "id,rule,doubt,readings,default,authority\nfog,9.1,how thick,thick: thick; thin: thin,thick,sense\n"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return moor(tmp_path, {"course.toml": COURSE, "turns.csv": TURNS, "rulings.csv": RULINGS})


def turn(game: Game, text: str, *, whole: bool = False) -> Report[turns.GameTurn]:
    return answer_question(turns.QUESTION, seen(game, text), turns.QUESTION.parameters(whole=whole), {})


IN_MOVEMENT = "turn=2\noptions=militia\nscenario=early\nphasing=blue\nphase=move\nBattery arrives=2"


def test_a_turn_tells_its_record_its_phases_and_whose_they_are(game: Game) -> None:
    report = turn(game, IN_MOVEMENT, whole=True)
    assert (report.title, report.verdict.text) == (
        "Turn 2, 3 May",
        "turn 2, player turns: Red, Blue; now Movement of the Blue side",
    )
    assert told(report, "Before the player turns") == [
        "Weather (Red)",
        "season: Spring",
        "weather: about fair",
        "Tide (Blue): high",
        "Red: the ford opens",
        "played with: early, militia",
    ]
    assert told(report, "First Player Turn: Red") == [
        "Movement: enter (no unit is stated to arrive)",
        "Movement: call up",
        "Watch (the other side)",
        "Truce (both sides)",
    ]
    assert told(report, "Second Player Turn: Blue") == [
        "Movement: enter: Battery",
        "Movement: call up",
        "Movement (Marsh): wade",
        "Watch (the other side)",
        "Truce (both sides)",
    ]
    assert [part.title for part in report.parts][:4] == [
        "Movement of the Blue side: possible", "Before the player turns", "First Player Turn: Red", "Second Player Turn: Blue",
    ]  # fmt: skip
    assert told(report, "Movement of the Blue side: possible") == [
        "enter: Battery",
        "call up",
        "Movement (Marsh): wade",
    ]
    assert report.result is not None
    assert report.result.players[1] == PlayerTurn(
        side="blue", units=("Battery",), phases=("Movement", "Watch", "Truce")
    )
    assert report.result.options == ("early", "militia")


def test_behind_the_checklist_of_a_phase_the_turn_has_a_line_for_each_phase_and_without_one_for_each_step(
    game: Game,
) -> None:
    report, whole = turn(game, IN_MOVEMENT), turn(game, IN_MOVEMENT, whole=True)
    assert [part.title for part in report.parts] == [part.title for part in whole.parts]
    checklist = "Movement of the Blue side: possible"
    assert report.parts[0].title == checklist
    assert told(report, checklist) == told(whole, checklist)
    assert told(report, "Before the player turns") == told(whole, "Before the player turns")
    assert told(report, "First Player Turn: Red") == ["Movement", "Watch (the other side)", "Truce (both sides)"]
    assert told(report, "Second Player Turn: Blue") == [
        "Movement: Battery",
        "Watch (the other side)",
        "Truce (both sides)",
    ]
    assert (report.verdict, report.result) == (whole.verdict, whole.result)
    text = IN_MOVEMENT.replace("phase=move", "")
    assert turn(game, text) == turn(game, text, whole=True)
    assert told(turn(game, text), "First Player Turn: Red")[:2] == [
        "Movement: enter (no unit is stated to arrive)",
        "Movement: call up",
    ]


def test_a_side_without_a_phase_has_no_player_turn(game: Game) -> None:
    first = turn(game, "turn=1\nscenario=late")
    assert first.result is not None
    assert [player.side for player in first.result.players] == ["blue"]
    assert first.verdict.text == "turn 1, player turns: Blue"
    early = turn(game, "turn=1\nscenario=early").result
    assert early is not None
    assert [player.side for player in early.players] == ["red", "blue"]


def test_a_step_may_take_an_option_and_a_reading_at_once(game: Game) -> None:
    def called(text: str) -> bool:
        return "Movement: call up" in told(turn(game, f"turn=3\nscenario=late\n{text}"), "First Player Turn: Red")

    assert called("options=militia")
    assert not called("options=militia\nruling fog = thin")
    assert not called("")


def test_a_scenario_is_asked_for_only_where_a_phase_turns_on_it(game: Game) -> None:
    assert [one.key for one in turn(game, "turn=1").asks] == [("scenario", "")]
    assert turn(game, "turn=2").asks == ()


def test_units_arrive_in_the_turn_that_they_state_and_only_from_off_the_map(game: Game) -> None:
    there = turn(game, "turn=2\n0101: Battery arrives=2").result
    assert there is not None
    assert [player.units for player in there.players] == [(), ()]
    last = turn(game, "turn=8\nBattery arrives=7")
    assert last.result is not None
    assert [player.units for player in last.result.players] == [(), ()]
    assert told(last, "After them") == ["End: count"]
    assert told(turn(game, "turn=7"), "After them") == []


def test_without_an_order_the_sides_move_as_the_game_names_them_and_without_turns_none_does(tmp_path: Path) -> None:
    game = moor(tmp_path, {"course.toml": '[[phase]]\ntitle = "Move"\n'})
    found = turn(game, "turn=1")
    assert found.result is not None
    assert [player.side for player in found.result.players] == ["blue", "red"]
    assert (found.title, found.result.date) == ("Turn 1", "")
    game = moor(tmp_path / "days", {"course.toml": '[turns]\ntrack = "day"\n[[phase]]\ntitle = "Move"\n'})
    with pytest.raises(InputError, match="Moor has no track 'day'"):
        turn(game, "turn=1")


def test_the_turn_itself_is_asked_for(game: Game) -> None:
    assert [one.key for one in turn(game, "scenario=late").asks] == [("turn", "")]
    with pytest.raises(MissingFacts):
        turns.answer_turn(seen(game, "scenario=late"))
    assert report_missing(turns.QUESTION, View(game, build_state(game)), MissingFacts([])).asks == ()


# --- the next phase ---------------------------------------------------------------------------------------------------

MARCH = """
[turns]
order = ["red", "blue"]
[[phase]]
title = "Move"
word = "move"
skipped = [{ turns = "1", who = "red" }]
[[phase]]
title = "Look"
[[phase]]
title = "Fight"
word = "fight"
"""
TRUCE = MARCH.replace("word =", 'turns = "1-3 6-8"\nword =')
LASTING = """
[moved]
title = "moved"
on = "unit"
kind = "flag"
ends_with = ["phase"]
[spent]
title = "spent"
on = "side"
kind = "flag"
ends_with = ["turn"]
[tired]
title = "tired"
on = "unit"
kind = "flag"
ends_with = ["turn", "phasing"]
"""


def following(folder: Path, turn: int, side: str, phase: str, course: str = MARCH) -> Report[Next]:
    game = moor(folder, {"course.toml": course, "tracks.toml": FILES["tracks.toml"] + LASTING})
    text = f"turn={turn}\nphasing={side}\nphase={phase}\nside red spent\n0101: 1st moved tired"
    question = turns.QUESTIONS[1]
    return answer_question(question, seen(game, text), question.parameters(), {})


@pytest.mark.parametrize(
    ("now", "then", "ended"),
    [
        ((2, "red", "move"), (2, "red", "fight"), ["moved"]),
        ((2, "red", "fight"), (2, "blue", "move"), ["moved", "tired"]),
        ((2, "blue", "fight"), (3, "red", "move"), ["spent", "moved", "tired"]),
        ((1, "red", "fight"), (1, "blue", "move"), ["moved", "tired"]),
    ],
)
def test_the_next_phase_is_stated_and_what_ends_is_forgotten(
    now: tuple[int, str, str], then: tuple[int, str, str], ended: list[str], tmp_path: Path
) -> None:
    report = following(tmp_path, *now)
    assert report.result is not None
    assert (report.result.turn, report.result.side, report.result.phase, report.result.ended) == (*then, len(ended))
    stated = {one.track: one.after for one in report.changes if isinstance(one, Change)}
    known = zip(("turn", "phasing", "phase"), now, then, strict=True)
    assert stated == {name: after for name, before, after in known if before != after} | dict.fromkeys(ended)
    titles = {"move": "Move", "fight": "Fight"}
    assert report.verdict.text == f"turn {then[0]}: {titles[then[2]]} of the {then[1].title()} side"


def test_a_turn_without_phases_is_passed_over_and_after_the_last_the_game_is_over(tmp_path: Path) -> None:
    report = following(tmp_path, 3, "blue", "fight", TRUCE)
    assert report.result is not None
    assert (report.result.turn, report.result.side, report.result.phase) == (6, "red", "move")
    report = following(tmp_path, 8, "blue", "fight")
    assert (report.verdict.kind, report.changes) == ("no", ())


def test_a_phase_that_a_turn_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="turn 1 has no phase move of the side red") as fault:
        following(tmp_path, 1, "red", "move")
    assert "it has: red fight, blue move, blue fight" in str(fault.value)


@pytest.mark.parametrize(
    ("stated", "allowed"), [("extras=militia", True), ("turn=1", False), ("options=militia", False)]
)
def test_a_die_belongs_to_an_optional_rule_as_a_phase_does(stated: str, allowed: bool, tmp_path: Path) -> None:

    extras = '[extras]\ntitle = "extras"\non = "game"\nkind = "choices"\nabsent = []\nvalues = ["militia"]\n'
    game = moor(
        tmp_path, {"course.toml": '[turns]\noptions = ["extras"]\n', "tracks.toml": FILES["tracks.toml"] + extras}
    )
    words = dict.fromkeys(("title", "means", "roll", "forbidden", "yes"), "call")
    row = DieRow(question="call", die="call", rule="1.1", due="on {faces}", option="militia", faces="6", **words)
    assert (row.settle(seen(game, stated), "Call", [], {}).verdict.kind == "figure") is allowed


# --- what a game judges -----------------------------------------------------------------------------------------------

JUDGED = """
[turns]
order = ["red", "blue"]
[[phase]]
title = "Dawn"
part = "turn"
word = "dawn"
turns = "2-8"
steps = [{ do = "Roll for fog", name = "fog", ask = "odds", rule = "1.1" }]
[[phase]]
title = "Move"
word = "move"
steps = [
    { do = "Move tired units", name = "tired", ask = "odds", rule = "2.1" },
    { do = "Rest", name = "rest", ask = "odds", rule = "2.2" },
    { do = "Look around", ask = "check", rule = "2.3" },
]
[[phase]]
title = "Fight"
word = "fight"
name = "fight"
ask = "odds"
rule = "3.1"
steps = [{ do = "attack" }, { do = "advance" }]
[[phase]]
title = "Dusk"
part = "inter-phase"
word = "dusk"
turns = "2 4"
"""


def judge_fog(view: View, duty: Duty) -> list[StepFinding]:
    with view.gather() as facts:
        facts.flag("fog")
        facts.flag("rain")
    return [turns.finding("done", "", "it is known")]


def judge_tired(view: View, duty: Duty) -> list[StepFinding]:
    tired = [unit.id for unit in view.units() if view.flag("tired", unit.id) and view.side_of(unit.id) == duty.side]
    found = [turns.finding("owed", "2.1/a", "{units} in {places}", units=[unit], places=["0101"]) for unit in tired]
    return found or [turns.finding("impossible", "", "none is tired in turn {turn}", turn=duty.turn)]


def judge_rest(view: View, duty: Duty) -> list[StepFinding]:
    moved = [unit.id for unit in view.units() if view.flag("moved", unit.id)]
    off = [Change("moved", unit, True, None, "2.2") for unit in moved]
    rests = turns.finding("possible", "", "any may rest", ask="check")
    return [turns.finding("owed", "", "{units} rest", units=moved, changes=off)] if off else [rests]


def judge_fight(view: View, duty: Duty) -> list[StepFinding]:
    return [turns.finding("possible", "", "{title}: {side} attacks", title=duty.phase.title, side=duty.side)]


JUDGES = {"fog": judge_fog, "tired": judge_tired, "rest": judge_rest, "fight": judge_fight}
FACTS = """
[fog]
title = "fog"
on = "game"
kind = "flag"
[rain]
title = "rain"
on = "game"
kind = "flag"
"""


def judged(folder: Path, text: str, question: str = "turn", leave: tuple[str, ...] = ()) -> Report[Any]:
    tracks = FILES["tracks.toml"].replace('["move", "fight"]', '["move", "fight", "dawn", "dusk"]')
    lasting = LASTING.replace('ends_with = ["phase"]\n', "").replace('"flag"', '"flag"\nabsent = false')
    game = moor(folder, {"course.toml": JUDGED, "tracks.toml": tracks + lasting + FACTS})
    asked: Question[Any, Any] = turns.turn_questions(JUDGES)[question == "next"]
    parameters = asked.parameters(leave=leave) if leave else asked.parameters()
    return answer_question(asked, seen(game, text), parameters, {})


def test_what_is_carried_out_lapses_as_the_phase_ends(tmp_path: Path) -> None:
    def tire(view: View, duty: Duty) -> list[StepFinding]:
        return [turns.finding("owed", "", "tires", changes=[Change("tired", "1st", None, True, "2.2")])]

    game = moor(tmp_path, {"course.toml": JUDGED, "tracks.toml": FILES["tracks.toml"] + LASTING})
    view = seen(game, "turn=1\nphasing=red\nphase=fight\n0101: 1st")
    changes = answer_next(view, judges={"fight": tire}).changes
    tired = [change.after for change in changes if isinstance(change, Change) and change.track == "tired"]
    assert tired == [True, None]
    assert not view.after(changes).flag("tired", "1st")


RED = "turn=2\nphasing=red\nphase=move\n"


def test_the_phase_comes_first_with_what_is_owed_possible_and_done(tmp_path: Path) -> None:
    report = judged(tmp_path, f"{RED}0101: Raiders tired moved")
    assert [part.title for part in report.parts][:2] == ["Move of the Red side: owed", "Move of the Red side: possible"]
    assert told(report, "Move of the Red side: owed") == [
        "Move tired units: Raiders in 0101 (ask odds)",
        "Rest: Raiders rest (next carries it out)",
    ]
    assert told(report, "Move of the Red side: possible") == ["Look around (ask check)"]
    assert report.verdict.text.endswith("now Move of the Red side, 2 steps owed")
    items = report.shown.now.items
    assert (report.shown.now.phase, report.shown.now.side) == ("Move", "red")
    assert [
        (item.name, item.state, item.rule, item.units, item.places, item.ask, item.carried_out) for item in items
    ] == [
        ("tired", "owed", "2.1/a", ("Raiders",), ("0101",), "odds", False),
        ("rest", "owed", "2.2", ("Raiders",), (), "odds", True),
        ("", "possible", "2.3", (), (), "check", False),
    ]
    report = judged(tmp_path, RED)
    assert told(report, "Move of the Red side: possible") == [
        "Rest: any may rest (ask check)",
        "Look around (ask check)",
    ]
    assert told(report, "Move of the Red side: steps with nothing to do") == [
        "Move tired units: none is tired in turn 2"
    ]
    assert report.verdict.text.endswith("now Move of the Red side")


def test_a_phase_that_one_question_carries_out_is_one_step(tmp_path: Path) -> None:
    report = judged(tmp_path, "turn=2\nphasing=blue\nphase=fight")
    assert told(report, "Fight of the Blue side: possible") == ["Fight: Fight: blue attacks (ask odds)"]
    assert report.shown.now.items[0].rule == "3.1"


def test_missing_facts_leave_a_step_undecided_and_are_asked_for(tmp_path: Path) -> None:
    report = judged(tmp_path, "turn=2\nphase=dawn\nphasing=blue")
    assert told(report, "Dawn: not judged, as facts are missing") == [
        "Roll for fog: state fog and 1 fact more (ask odds)"
    ]
    assert [asked.key for asked in report.asks] == [("fog", ""), ("rain", "")]
    assert report.shown.now.side == ""
    assert report.verdict.text.endswith("now Dawn, 1 step not judged, as facts are missing")
    known = judged(tmp_path, "turn=2\nphase=dawn\nfog=no\nrain=no")
    assert told(known, "Dawn: done") == ["Roll for fog: it is known"]
    one = judged(tmp_path, "turn=2\nphase=dawn\nfog=no")
    assert told(one, "Dawn: not judged, as facts are missing") == ["Roll for fog: state rain (ask odds)"]
    refused = judged(tmp_path, "turn=2\nphase=dawn", "next")
    assert (refused.verdict.kind, [asked.key for asked in refused.asks]) == ("undecided", [("fog", ""), ("rain", "")])
    assert refused.verdict.text == "undecided whether Dawn is over: 1 step not judged, as facts are missing"
    assert told(refused, "To go on") == ["to leave this undone, type: next leave=fog"]


def test_a_phase_that_the_turn_does_not_have_has_no_checklist(tmp_path: Path) -> None:
    for text in ("turn=1\nphase=dawn", "turn=2", "turn=2\nphase=move"):
        assert judged(tmp_path, text).shown.now is None


def test_next_waits_for_what_is_owed_unless_a_player_leaves_it_undone(tmp_path: Path) -> None:
    report = judged(tmp_path, f"{RED}0101: Raiders tired moved", "next")
    assert (report.verdict.kind, report.verdict.text) == ("no", "Move of the Red side is not over: 1 step owed")
    assert told(report, "Owed") == ["Move tired units: Raiders in 0101 (ask odds)"]
    assert told(report, "To go on") == ["to leave this undone, type: next leave=tired"]
    assert (report.changes, report.result) == ((), None)
    report = judged(tmp_path, f"{RED}0101: Raiders tired moved", "next", ("tired",))
    assert report.verdict.text == "turn 2: Fight of the Red side"
    assert told(report, "Left undone") == ["Move tired units: Raiders in 0101 (ask odds)"]
    assert told(report, "Carried out as the phase ends") == ["Rest: Raiders rest"]
    assert [item.name for item in (*report.shown.left, *report.shown.carried_out)] == ["tired", "rest"]
    assert [(change.track, change.after) for change in report.changes if isinstance(change, Change)] == [
        ("moved", None),
        ("phase", "fight"),
    ]
    report = judged(tmp_path, f"{RED}0101: Raiders moved", "next", ("rest",))
    assert told(report, "Left undone") == ["Rest: Raiders rest (next carries it out)"]
    assert [change.track for change in report.changes if isinstance(change, Change)] == ["phase"]
    report = judged(tmp_path, RED, "next")
    assert told(report, "Not done, or not shown by the position") == ["Rest: any may rest (ask check)"]
    with pytest.raises(InputError, match="leave: no step of this phase is named 'tird'") as fault:
        judged(tmp_path, RED, "next", ("tird",))
    assert "tired" in str(fault.value)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("turn=1\nphasing=blue\nphase=fight", (2, "", "dawn")),
        ("turn=2\nphase=dawn\nfog=no\nrain=no", (2, "red", "move")),
        ("turn=2\nphasing=blue\nphase=fight", (2, "", "dusk")),
        ("turn=2\nphasing=blue\nphase=dusk", (3, "", "dawn")),
        ("turn=3\nphasing=blue\nphase=fight", (4, "", "dawn")),
    ],
)
def test_next_goes_through_what_lies_outside_player_turns(now: str, then: tuple[int, str, str], tmp_path: Path) -> None:
    report = judged(tmp_path, now, "next")
    assert (report.shown.turn, report.shown.side, report.shown.phase) == then
    stated = {change.track: change.after for change in report.changes if isinstance(change, Change)}
    assert stated["phase"] == then[2]
    assert stated.get("phasing", "") == (then[1] or (None if "phasing" in now else ""))


def test_without_a_phase_the_phase_and_the_side_are_asked_for(tmp_path: Path) -> None:
    assert [asked.key for asked in judged(tmp_path, "turn=2", "next").asks] == [("phase", ""), ("phasing", "")]
    with pytest.raises(InputError, match="turn 1 has no phase dawn"):
        judged(tmp_path, "turn=1\nphase=dawn", "next")
