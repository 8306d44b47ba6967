"""Logs: every kind of step, what the table looks like after it, and a log as a record of play."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from assistant.formats.positions import ChatLine, Record, RollReport, Throw, count_by_lines
from assistant.formats.vassal.containers import COMMANDS, ModuleData, write_container
from assistant.formats.vassal.logs import _MAX_STAGES, LogLine, _Replay, events, read_chat_line, read_log
from assistant.formats.vassal.pieces import Piece, PieceStack, write_piece_state
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.replay import ReplayedGame, replay
from assistant.formats.vassal.saves import Save, read_save, write_commands, write_save
from assistant.formats.vassal.sequence import fold, join
from assistant.formats.vassal.streams import obfuscate
from assistant.formats.vassal.traits import Trait
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state
from assistant.installed.formats import read_record as read_any
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

from ....cases import examples

HERE, THERE, AWAY = (10, 10), (20, 20), (30, 30)


def piece(id: str, at: tuple[int, int] = HERE, level: int = 1) -> Piece:
    return Piece(id, (Trait("emb2;", str(level)), Trait(f"piece;;;a.png;{id}")), "Map", at)


START = Save(
    about=ModuleData("Game", "1", "3.6.0", ""),
    pieces={one.id: one for one in (*(piece(id) for id in "abc"), piece("d", THERE), piece("lone", AWAY))},
    stacks={"s": PieceStack("s", ("a", "b", "c"), "Map", HERE), "t": PieceStack("t", ("d",), "Map", THERE)},
    properties={("Module", "Weather"): "dry"},
    turns={"Tracker": "0|1;0;false;0"},
)


def after(*steps: str) -> Save:
    return replay(read_save(write_save(Save(**{**fields(START), "steps": steps}))))


def fields(save: Save) -> dict[str, object]:
    return {name: getattr(save, name) for name in save.__struct_fields__}


def stacks(save: Save) -> dict[tuple[int, int], tuple[str, ...]]:
    return {stack.at: stack.pieces for stack in save.stacks.values() if stack.pieces}


def move(id: str, at: tuple[int, int], under: str = "null", map: str = "Map") -> str:
    return f"M/{id}/{map}/{at[0]}/{at[1]}/{under}/Map/10/10/null/me"


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([move("a", THERE, "d")], {HERE: ("b", "c"), THERE: ("d", "a")}),
        ([move("a", THERE)], {HERE: ("b", "c"), THERE: ("a", "d")}),
        ([move("b", HERE, "c")], {HERE: ("a", "c", "b"), THERE: ("d",)}),
        ([move("c", HERE, "a")], {HERE: ("a", "c", "b"), THERE: ("d",)}),
        ([move("d", HERE, "a")], {HERE: ("a", "d", "b", "c")}),
        ([move("c", HERE, "gone")], {HERE: ("a", "b", "c"), THERE: ("d",)}),
        ([move("a", HERE, "d")], {HERE: ("b", "c", "a"), THERE: ("d",)}),
        ([move("d", THERE)], {HERE: ("a", "b", "c"), THERE: ("d",)}),
        ([move("b", AWAY)], {HERE: ("a", "c"), THERE: ("d",), AWAY: ("b",)}),
        ([move("s", THERE)], {THERE: ("d", "a", "b", "c")}),
        ([move("s", (0, 0), map="null"), move("s", AWAY)], {AWAY: ("a", "b", "c"), THERE: ("d",)}),
        ([move("s", (5, 5))], {(5, 5): ("a", "b", "c"), THERE: ("d",)}),
        ([move("s", (5, 5)), move("d", (5, 5), "b")], {(5, 5): ("a", "b", "d", "c")}),
        ([move("a", (0, 0), map="null")], {HERE: ("b", "c"), THERE: ("d",)}),
        (["-/b"], {HERE: ("a", "c"), THERE: ("d",)}),
        (["-/d", "-/t"], {HERE: ("a", "b", "c")}),
        (["D/s/Map;10;10;c;b;a;@@0/Map;10;10;a;b;c;@@0"], {HERE: ("c", "b", "a"), THERE: ("d",)}),
        (["D/s/Map;10;10;c;d;@@0"], {HERE: ("c", "d")}),
        (["+/u/stack/Map;30;30;lone;@@1"], {HERE: ("a", "b", "c"), THERE: ("d",), AWAY: ("lone",)}),
        (
            ["+/u/stack/Map;30;30;lone;@@1", move("a", AWAY, "lone")],
            {HERE: ("b", "c"), THERE: ("d",), AWAY: ("lone", "a")},
        ),
        ([move("gone", HERE), "-/gone", "D/gone/x"], {HERE: ("a", "b", "c"), THERE: ("d",)}),
        # moved to an empty hex, undone, moved again: VASSAL removes the stack that the move made, not the piece in it
        (["+/u/stack/Map;30;30;b", "-/u", move("b", HERE, "a")], {HERE: ("a", "b", "c"), THERE: ("d",)}),
        (
            ["+/u/stack/Map;30;30;b", "-/u", move("b", HERE, "a"), move("b", THERE, "d")],
            {HERE: ("a", "c"), THERE: ("d", "b")},
        ),
        # the only piece of a stack leaves it, and a later step names that stack
        ([move("d", HERE, "c"), "D/t/Map;20;20;d/Map;20;20"], {HERE: ("a", "b", "c"), THERE: ("d",)}),
        ([move("d", HERE, "c"), "+/u/stack/Map;20;20;d", "-/u", move("d", HERE, "c")], {HERE: ("a", "b", "c", "d")}),
        (["-/d", "+/d/piece;;;;d/Map;20;20;;0", "D/t/Map;20;20;d/Map;20;20"], {HERE: ("a", "b", "c"), THERE: ("d",)}),
        ([move("d", HERE, "c"), move("t", AWAY)], {HERE: ("a", "b", "c", "d")}),
        (["D/t/Map;20;20;d;gone/Map;20;20;d"], {HERE: ("a", "b", "c"), THERE: ("d",)}),
    ],
)
def test_steps_and_the_stacks_after_them(steps: list[str], expected: dict[tuple[int, int], tuple[str, ...]]) -> None:
    assert stacks(after(*steps)) == expected


def test_what_moves_lies_there_and_what_is_removed_is_gone() -> None:
    assert (after(move("a", THERE, "d")).pieces["a"].at, after(move("a", (0, 0), map="null")).pieces["a"].map) == (
        THERE,
        "",
    )
    assert "b" not in after("-/b").pieces
    save = after("-/s")
    assert "s" not in save.stacks
    assert {save.pieces[id].map for id in "abc"} == {""}


def test_an_emptied_stack_stays_and_a_piece_that_never_stacks_lies_beside_others() -> None:
    assert after("-/d").stacks["t"] == PieceStack("t", (), "Map", THERE)
    assert after("-/d", move("t", AWAY)).stacks["t"] == PieceStack("t", (), "Map", AWAY)
    lake = "+/" + join(("lake", fold(["immob;n;N;R;", "piece;;;;Lake"]), fold(["", "Map;1;2;;0"])), "/")
    deck = "+/k/deck;a/Map;{};{};false".format(*AWAY)
    save = after(lake, move("lake", THERE), move("a", THERE), deck)
    assert "lake" not in {id for stack in save.stacks.values() for id in stack.pieces}
    assert save.pieces["lake"].at == THERE
    assert after(lake, deck, move("lake", AWAY)).stacks["k"].pieces == ("lake",)


def test_what_changes_comes_or_talks_is_carried_out_read_over_or_kept() -> None:
    changed = write_piece_state(piece("a", HERE, 2))
    save = after(f"D/a/{changed}/old", "+/" + join(("new", "piece;;;;New", "Map;1;2;;0"), "/"))
    assert save.pieces["a"] == piece("a", HERE, 2)
    assert save.pieces["new"] == Piece("new", (Trait("piece;;;;New"),), "Map", (1, 2))
    save = after("null", "CHAThello", "UNDO\ttrue", "* moved", "STRANGE\tx", move("a", (1, 2)))
    assert save.unread == ("STRANGE\tx",)
    assert save.pieces["a"].at == (1, 2)
    save = after(move("a", AWAY))
    assert (save.about, save.steps, save.complete) == (START.about, (), True)
    assert read_save(write_save(save)) == save


def test_properties_the_turn_notes_and_players() -> None:
    save = after(
        "MutableProperty\tWeather\tdry\tmud\tModule",
        "MutableProperty\tLocal\t\t1\tMap",
        "TURNTracker\t0|2;0;false;0",
        "NOTES\tone|two",
        "PNOTES\tthree",
        "PLAYER\tid\tName\tBlue",
    )
    assert save.properties == {("Module", "Weather"): "mud", ("Map", "Local"): "1"}
    assert save.turns == {"Tracker": "0|2;0;false;0"}
    assert (save.notes, save.public_notes, save.players) == ("one\ntwo", "three", (("id", "Name", "Blue"),))
    assert save.unread == ()


@pytest.mark.parametrize("step", ["M/a/Map", "M/a/Map/x/y/null", "M/a/Map/99999999999/1/null", "D/a", "D/a/x", "+/x"])
def test_a_step_that_is_cut_off(step: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        after(step)


STEP = st.one_of(
    st.builds(
        move, st.sampled_from("abcdst"), st.sampled_from([HERE, THERE, AWAY]), st.sampled_from(["null", *"abcd"])
    ),
    st.builds("-/{}".format, st.sampled_from([*"abcdst", "lone"])),
    st.builds(lambda *ids: f"+/u/stack/Map;10;10;{';'.join(dict.fromkeys(ids))}", *[st.sampled_from("abcd")] * 3),
)


@given(st.lists(STEP, max_size=8))
@settings(max_examples=examples(60))
def test_every_piece_is_in_one_stack_at_most_and_lies_where_it_lies(steps: list[str]) -> None:
    save = after(*steps)
    held = [id for stack in save.stacks.values() for id in stack.pieces if id in save.pieces]
    assert len(held) == len(set(held))
    assert save.stacks.keys() >= {"s", "t"} - {step[2:] for step in steps}
    assert save.pieces.keys() >= {*START.pieces} - {step[2:] for step in steps}
    assert all(
        save.pieces[id].at == stack.at for stack in save.stacks.values() for id in stack.pieces if id in save.pieces
    )


SIGNS = st.sampled_from([*"\x1b\t/;\\'|-9", "M/", "D/", "null", "a", "s", "TURN", "MutableProperty\t"])


@given(st.lists(st.tuples(STEP, st.integers(0, 30), st.integers(0, 3), SIGNS), max_size=4))
def test_damaged_steps_are_an_input_error_or_unread(damaged: list[tuple[str, int, int, str]]) -> None:
    steps = [text[:at] + sign + text[at + out :] for text, at, out, sign in damaged]
    stream = "\x1b".join([*write_commands(START), *(f"LOG\t{step}" for step in steps)])
    try:
        assert isinstance(replay(read_save(write_container({COMMANDS: obfuscate(stream)}))), Save)
    except InputError as error:
        assert error.what


def test_a_log_is_replayed_to_any_point_and_step_within_step() -> None:
    """VASSAL logs an undone move as moves back."""
    log = Save(
        **{**fields(START), "steps": (move("d", HERE, "c"), "UNDO\ttrue", move("d", THERE), "UNDO\tfalse", "-/d")}
    )
    found = [stacks(replay(replace(log, steps=log.steps[:until]))) for until in range(6)]
    assert found[0] == found[3] == found[4] == {HERE: ("a", "b", "c"), THERE: ("d",)}
    assert found[1] == found[2] == {HERE: ("a", "b", "c", "d")}
    assert found[5] == stacks(replay(log)) == {HERE: ("a", "b", "c")}
    inner = [f"LOG\t{step}" for step in ("", "D/d/2\tMap;20;20;;0/1\tMap;20;20;;0", move("d", HERE, "c"))]
    start = [*write_commands(START), join(inner, "\x1b")]
    log = read_save(write_container({COMMANDS: obfuscate(join(start, "\x1b"))}))
    found = replay(log)
    assert (found.pieces["d"].traits[0].state, stacks(found)) == ("2", {HERE: ("a", "b", "c", "d")})


DECK = PieceStack("deck", ("b", "a"), "Map", AWAY, None, "deck;true", face_down=True)


@pytest.mark.parametrize(
    ("steps", "cards"),
    [
        (["D/deck/Map;30;30;true;a,b/Map;30;30;true;b,a"], ("a", "b")),  # shuffled
        ([move("a", HERE, "c")], ("b",)),
        ([move("a", HERE), move("b", HERE)], ()),
        ([move("a", HERE), move("b", HERE), move("d", AWAY)], ("d",)),
        ([move("c", AWAY, "a")], ("b", "a", "c")),
    ],
)
def test_cards_are_drawn_from_a_deck_and_put_back(steps: list[str], cards: tuple[str, ...]) -> None:
    """Something may be put on a deck that is empty, unlike a stack."""
    start = Save(
        **{**fields(START), "stacks": {"s": PieceStack("s", ("c",), "Map", HERE), "deck": DECK}, "steps": tuple(steps)}
    )
    found = replay(start)
    assert found.stacks["deck"] == DECK._replace(pieces=cards)
    assert all(found.pieces[card].at == AWAY for card in cards)


def test_stacks_and_decks_that_moves_make_or_leave() -> None:
    found = after(move("a", AWAY), move("b", AWAY, "a"), move("a", (5, 5)), move("b", (6, 6)))
    assert stacks(found) == {HERE: ("c",), THERE: ("d",), (5, 5): ("a",), (6, 6): ("b",)}
    held = after(move("a", AWAY), move("b", AWAY, "a"), move("a", (5, 5)))
    assert stacks(held) == {HERE: ("c",), THERE: ("d",), AWAY: ("b",), (5, 5): ("a",)}
    deck = PieceStack("d", (), "Field", (9, 9), None, "deck")
    table = ReplayedGame(Save(pieces={"1": Piece("1", (), "Field", (5, 5))}, stacks={"d": deck}))
    table.carry_out_all(["-/d", "M/1/Field/9/9/null"])
    saved = table.save()
    assert saved.pieces["1"].at == (9, 9)
    assert [stack.pieces for stack in saved.stacks.values()] == [("1",)]


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


def test_positions_go_from_the_save_to_the_end_and_back_where_taken_back(record: Record) -> None:
    begun, ended = record.at(0).state, record.at(record.steps).state
    assert (begun.units["27/3"].place, ended.units["27/3"].place) == ("40.20", "39.20")
    assert ended == read_vassal(LOG.read_bytes(), "game.vlog", load_game).state
    crt = next(one for one in record.events if isinstance(one, Throw))
    assert record.at(crt.step).state == begun  # dice change nothing
    assert record.at(0).state == begun  # also after going on
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


def test_a_record_is_read_of_logs_alone_and_without_what_was_taken_back() -> None:
    with pytest.raises(InputError, match="it holds no steps"):
        read_log((EXAMPLES / "comprehensive-example.vsav").read_bytes(), "game.vsav", load_game)
    strange = write_container({COMMANDS: obfuscate("begin_save\x1bend_save\x1bLOG\tCHAThello")})
    with pytest.raises(InputError, match="an unknown module"):
        read_log(strange, "game.vlog", load_game)
    with pytest.raises(InputError, match="a .pos file is not a log"):
        read_any(str(EXAMPLES / "battle.pos"), load_game, lambda game, state: state)
    found = read_any(str(LOG), load_game, lambda game, state: state)
    assert found.steps > 0
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
    assert len(replay.stages) <= 1 + _MAX_STAGES
