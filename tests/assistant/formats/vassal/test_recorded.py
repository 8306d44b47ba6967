"""A log as a record of play: the one that the engine wrote of the comprehensive example."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.formats.positions import ChatLine, Record, RollReport, Throw, count_by_lines
from assistant.formats.vassal.containers import COMMANDS, write_container
from assistant.formats.vassal.logs import _MOST_KEPT, LogLine, _Replay, events, read_chat_line, read_log
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.replay import ReplayedGame
from assistant.formats.vassal.saves import Save
from assistant.formats.vassal.streams import obfuscate
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state
from assistant.installed.formats import read_record as read_any
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

EXAMPLES = Path(__file__).parents[4] / "plugins/twilight_in_the_east/examples"
LOG = EXAMPLES / "comprehensive-example.vlog"


@pytest.fixture(scope="module")
def record() -> Record:
    return read_log(LOG.read_bytes(), "game.vlog", load_game)


def test_throws_and_typed_lines_in_their_order_without_those_taken_back(record: Record) -> None:
    told = [str(one) if isinstance(one, Throw) else one.text for one in record.events]
    assert told == [
        *("Good luck & have fun", "2d6 2+5 = 7", "1d6 3", "1d6 4", "1/1 checks", "2d6 2+4 = 6"),
        *("ec.29/20", "2d6 1+4 = 5", "2d6 6+6 = 12"),
    ]
    assert {one.player for one in record.events} == {"Tester"}


def test_positions_go_from_the_save_to_what_the_log_ends_with(record: Record) -> None:
    begun, ended = record.at(0).state, record.at(record.steps).state
    assert (begun.units["27/3"].place, ended.units["27/3"].place) == ("40.20", "39.20")
    assert ended == read_vassal(LOG.read_bytes(), "game.vlog", load_game).state
    crt = next(one for one in record.events if isinstance(one, Throw))
    assert record.at(crt.step).state == begun  # dice change nothing
    assert record.at(0).state == begun  # also after going on


def test_what_was_taken_back_is_as_before(record: Record) -> None:
    lost = [record.at(step).state.value("lost", "1/1") for step in record.moments]
    steps = list(dict.fromkeys(lost))
    assert steps == [None, 1, 2] or steps == [0, 1, 2]
    back = lost.index(1) + 1
    assert lost[back] == lost[0]


def test_positions_are_the_same_in_whatever_order_they_are_asked_for() -> None:
    forward = read_log(LOG.read_bytes(), "game.vlog", load_game)
    backward = read_log(LOG.read_bytes(), "game.vlog", load_game)
    states = [forward.at(step).state for step in forward.moments]
    assert [backward.at(step).state for step in reversed(backward.moments)] == states[::-1]


def test_steps_that_only_talk_change_nothing_and_the_ends_are_not_carried_out_again(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not {one.step for one in record.events} & set(record.moments)
    record = read_log(LOG.read_bytes(), "game.vlog", load_game)
    carried_out = []
    monkeypatch.setattr(ReplayedGame, "carry_out", lambda table, command: carried_out.append(command))
    record.at(0)
    record.at(record.steps)
    assert not carried_out


def test_by_lines_each_step_is_a_throw_or_a_typed_line(record: Record) -> None:
    told = count_by_lines(record)
    assert (told.steps, told.by_lines, [one.step for one in told.events]) == (9, True, list(range(1, 10)))
    assert told.at(9).state == record.at(record.steps).state
    before_checks = record.at(record.events[4].step - 1)
    assert told.at(4).state == before_checks.state


def test_a_side_sees_what_it_may_of_every_position(twilight: Game) -> None:
    seen = read_log(LOG.read_bytes(), "game.vlog", load_game, lambda game, state: reduce_state(game, state, "russian"))
    assert all(seen.at(step).state.seen_by == "russian" for step in seen.moments)
    assert all(seen.at(step).state.value("lost", "1/1") is None for step in seen.moments)
    assert isinstance(seen.events[0], ChatLine)


def test_only_logs_can_be_read_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it holds no steps"):
        read_log((EXAMPLES / "comprehensive-example.vsav").read_bytes(), "game.vsav", load_game)
    strange = write_container({COMMANDS: obfuscate("begin_save\x1bend_save\x1bLOG\tCHAThello")})
    with pytest.raises(InputError, match="an unknown module"):
        read_log(strange, "game.vlog", load_game)
    with pytest.raises(InputError, match="a .pos file is not a log"):
        read_any(str(EXAMPLES / "battle.pos"), load_game, lambda game, state: state)
    found = read_any(str(LOG), load_game, lambda game, state: state)
    assert found.steps > 0


def test_a_report_that_is_taken_back_is_left_out() -> None:
    lines = ("** Rolls = 5 *** <Ann>", "** Rolls = 5 *** <Bob>", " UNDO: *** Rolls = 5 *** <Ann>")
    assert [*events([(f"CHAT*{line}",) for line in lines])] == [RollReport(2, "Rolls = 5", "Bob")]


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("CHAT*** 2d6: 2,5 = 7 <Tester>", LogLine(Throw(1, "2d6", (2, 5), "Tester"))),
        ("CHAT*** 1d6: 3 <A <b> c>", LogLine(Throw(1, "1d6", (3,), "A <b> c"))),
        ("CHAT* UNDO: *** 2d6: 6,6 = 12 <Tester>", LogLine(Throw(1, "2d6", (6, 6), "Tester"), undone=True)),
        ("CHAT&lt;Tester&gt; - ec.29/20", LogLine(ChatLine(1, "ec.29/20", "Tester"))),
        ("CHAT<Tester> - two - lines", LogLine(ChatLine(1, "two - lines", "Tester"))),
        (
            "CHAT&lt;Tester&gt; - *** 2d6: 6,6 = 12 &lt;Tester&gt;",
            LogLine(ChatLine(1, "*** 2d6: 6,6 = 12 <Tester>", "Tester")),
        ),
        ("CHAT*** Rolls = 5 *** <Ann>", LogLine(RollReport(1, "Rolls = 5", "Ann"))),
        ("CHAT*** Combat: 2,5 = 7 <Ann>", LogLine(RollReport(1, "Combat: 2,5 = 7", "Ann"))),
        ("CHAT** Rolls = 5 <Ann>", LogLine(RollReport(1, "Rolls = 5", "Ann"))),
        ("CHAT* UNDO: *** Rolls = 5 *** <Ann>", LogLine(RollReport(1, "Rolls = 5", "Ann"), undone=True)),
        ("CHAT*** Rolls = 5 *** <>", None),
        ("CHAT** Turn 3: 1914 <>", None),
        ("CHAT*** Turn 3: 1914 <Ann>", None),
        ("CHAT** Reinforcements due turn: 12 <x>", None),
        ("CHAT* 27/3 moves 40.20 -> 39.20 *", None),
        ("CHAT* 40.20: steps lost of a unit: changed, seen by its own side", None),
        ("CHAT*** 2d6: 9,9 = 18 <Tester>", None),
        ("CHAT*** 2d6: 3 = 3 <Tester>", None),
        ("CHAT*** 1d6: 0 <Tester>", None),
        ("CHAT- Logfile written.", None),
        ("MutableProperty\t2d6_result\t1\t2,5\tModule", None),
    ],
)
def test_throws_and_typed_lines_are_told_apart(command: str, line: LogLine | None) -> None:
    """Nobody can type what counts as a throw: the engine puts the player before it."""
    assert read_chat_line(command, 1) == line


@pytest.mark.parametrize("steps", [0, 1, 32, 33, 63, 64, 1000])
def test_no_more_stages_of_a_log_are_kept_than_stated(steps: int) -> None:
    replay = _Replay(Save(), [("CHATx",)] * steps)
    assert replay.moments() == (0,)
    assert len(replay.kept) <= 1 + _MOST_KEPT
