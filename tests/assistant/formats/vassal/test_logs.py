"""Logs: every kind of step, and what the table looks like after it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from assistant.formats.vassal.containers import COMMANDS, ModuleData, write_container
from assistant.formats.vassal.pieces import Piece, PieceStack, write_piece_state
from assistant.formats.vassal.replay import ReplayedGame, replay
from assistant.formats.vassal.saves import Save, read_save, write_commands, write_save
from assistant.formats.vassal.sequence import fold, join
from assistant.formats.vassal.streams import obfuscate
from assistant.formats.vassal.traits import Trait
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


def test_an_emptied_stack_stays() -> None:
    assert after("-/d").stacks["t"] == PieceStack("t", (), "Map", THERE)
    assert after("-/d", move("t", AWAY)).stacks["t"] == PieceStack("t", (), "Map", AWAY)


def test_a_piece_that_never_stacks_lies_beside_the_others_but_in_a_deck() -> None:
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


def test_a_log_is_replayed_to_any_point_also_to_one_that_was_undone() -> None:
    """VASSAL logs an undone move as moves back."""
    log = Save(
        **{**fields(START), "steps": (move("d", HERE, "c"), "UNDO\ttrue", move("d", THERE), "UNDO\tfalse", "-/d")}
    )
    found = [stacks(replay(replace(log, steps=log.steps[:until]))) for until in range(6)]
    assert found[0] == found[3] == found[4] == {HERE: ("a", "b", "c"), THERE: ("d",)}
    assert found[1] == found[2] == {HERE: ("a", "b", "c", "d")}
    assert found[5] == stacks(replay(log)) == {HERE: ("a", "b", "c")}


def test_steps_within_a_step_are_carried_out_in_order() -> None:
    """What one click does, VASSAL logs as one step with others in it."""
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


def test_the_stack_that_a_move_makes_takes_no_others_away() -> None:
    found = after(move("a", AWAY), move("b", AWAY, "a"), move("a", (5, 5)), move("b", (6, 6)))
    assert stacks(found) == {HERE: ("c",), THERE: ("d",), (5, 5): ("a",), (6, 6): ("b",)}
    held = after(move("a", AWAY), move("b", AWAY, "a"), move("a", (5, 5)))
    assert stacks(held) == {HERE: ("c",), THERE: ("d",), AWAY: ("b",), (5, 5): ("a",)}


def test_a_piece_moves_to_where_a_deck_was_removed() -> None:
    deck = PieceStack("d", (), "Field", (9, 9), None, "deck")
    table = ReplayedGame(Save(pieces={"1": Piece("1", (), "Field", (5, 5))}, stacks={"d": deck}))
    table.carry_out_all(["-/d", "M/1/Field/9/9/null"])
    after = table.save()
    assert after.pieces["1"].at == (9, 9)
    assert [stack.pieces for stack in after.stacks.values()] == [("1",)]
