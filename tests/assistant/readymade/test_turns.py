"""The question `turn` of a game that only states its course: phases, whose they are, options, who arrives."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.formats.notation import read
from assistant.game.games import Game
from assistant.questions.permission import DieRow
from assistant.questions.question import ask, report_missing
from assistant.questions.report import MissingFacts, Report
from assistant.questions.view import View
from assistant.readymade import turns
from assistant.state.changes import Change
from assistant.util.errors import InputError

from ...conftest import told
from .moor import FILES, moor

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


def turn(game: Game, text: str) -> Report[turns.GameTurn]:
    state = read(f"game moor\n{text}".encode(), "t.pos", lambda name: game).state
    return ask(turns.QUESTION, View(game, state), turns.QUESTION.parameters(), {})


def test_a_turn_tells_its_record_its_phases_and_whose_they_are(game: Game) -> None:
    report = turn(game, "turn=2\noptions=militia\nscenario=early\nphasing=blue\nphase=move\nBattery arrives=2")
    assert (report.title, report.verdict.text) == (
        "Turn 2, 3 May",
        "turn 2, player turns: Red, Blue; now Movement of Blue",
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
        "Movement of Blue: possible", "Before the player turns", "First Player Turn: Red", "Second Player Turn: Blue",
    ]  # fmt: skip
    assert told(report, "Movement of Blue: possible") == ["enter: Battery", "call up", "Movement (Marsh): wade"]
    assert report.result is not None
    assert report.result.players[1] == turns.PlayerTurn(
        side="blue", units=("Battery",), phases=("Movement", "Watch", "Truce")
    )
    assert report.result.options == ("early", "militia")


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


def test_who_is_on_the_map_arrives_no_more(game: Game) -> None:
    there = turn(game, "turn=2\n0101: Battery arrives=2").result
    assert there is not None
    assert [player.units for player in there.players] == [(), ()]


def test_a_unit_of_another_turn_does_not_arrive_and_the_last_turn_counts(game: Game) -> None:
    last = turn(game, "turn=8\nBattery arrives=7")
    assert last.result is not None
    assert [player.units for player in last.result.players] == [(), ()]
    assert told(last, "After them") == ["End: count"]
    assert told(turn(game, "turn=7"), "After them") == []


def test_without_an_order_the_sides_move_as_the_game_names_them(tmp_path: Path) -> None:
    game = moor(tmp_path, {"course.toml": '[[phase]]\ntitle = "Move"\n'})
    found = turn(game, "turn=1")
    assert found.result is not None
    assert [player.side for player in found.result.players] == ["blue", "red"]
    assert (found.title, found.result.date) == ("Turn 1", "")


def test_a_game_that_counts_no_turns_says_so(tmp_path: Path) -> None:
    game = moor(tmp_path, {"course.toml": '[turns]\ntrack = "day"\n[[phase]]\ntitle = "Move"\n'})
    with pytest.raises(InputError, match="Moor has no track 'day'"):
        turn(game, "turn=1")


def test_the_turn_itself_is_asked_for(game: Game) -> None:
    assert [one.key for one in turn(game, "scenario=late").asks] == [("turn", "")]
    with pytest.raises(MissingFacts):
        turns.answer_turn(View(game, read(b"game moor\nscenario=late", "t.pos", lambda name: game).state))
    assert report_missing(turns.QUESTION, View(game, game.state()), MissingFacts([])).asks == ()


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


def following(folder: Path, turn: int, side: str, phase: str, course: str = MARCH) -> Report[turns.Next]:
    game = moor(folder, {"course.toml": course, "tracks.toml": FILES["tracks.toml"] + LASTING})
    text = f"game moor\nturn={turn}\nphasing={side}\nphase={phase}\nside red spent\n0101: 1st moved tired"
    question = turns.QUESTIONS[1]
    state = read(text.encode(), "t.pos", lambda name: game).state
    return ask(question, View(game, state), question.parameters(), {})


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
    assert report.verdict.text == f"turn {then[0]}: {titles[then[2]]} of {then[1].title()}"


def test_a_turn_without_phases_is_passed_over(tmp_path: Path) -> None:
    report = following(tmp_path, 3, "blue", "fight", TRUCE)
    assert report.result is not None
    assert (report.result.turn, report.result.side, report.result.phase) == (6, "red", "move")


def test_after_the_last_phase_the_game_is_over(tmp_path: Path) -> None:
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
    state = read(f"game moor\n{stated}\n".encode(), "t.pos", lambda name: game).state
    row = DieRow(
        question="call",
        title="the call",
        die="call",
        means="the die",
        rule="1.1",
        roll="the call",
        forbidden="no",
        due="on {faces}",
        yes="yes",
        option="militia",
        faces="6",
    )
    assert (row.settle(View(game, state), "Call", [], {}).verdict.kind == "figure") is allowed
