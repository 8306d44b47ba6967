"""A counter with copies is one row of the roster: the units are called 1st, 1st (2), and so on, wherever they stand."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from assistant.faces.cli.main import cli as assistant
from assistant.formats.json_state import read_json, write_json
from assistant.formats.notation import read_notation
from assistant.formats.notation_writer import write_notation
from assistant.formats.positions import Position
from assistant.formats.vassal.legends import UNIT, name_unit
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.formats.vassal.written.files import carry_on
from assistant.game.games import Game, read_game
from assistant.game.states import Stated, build_state
from assistant.state.changes import Change, Enter, Leave
from assistant.state.state import Unit
from assistant.util.errors import InputError
from module_builder.cli import cli as builder
from module_builder.counters.pieces import design_counters
from module_builder.new import new_game
from module_builder.vassal.module import build_module
from tests.cases import examples, thorough
from tests.saves import read_container

COUNTS = {"1st": 3, "Lancers": 2, "10th": 4}
UNITS = ("1st", "1st (2)", "1st (3)", "2nd", "Lancers", "Lancers (2)", "10th", "10th (2)", "10th (3)", "10th (4)")
BLUE = ("0402", "0503", "0603")
RED = ("0504", "0405", "0605")


def with_counts(folder: Path) -> Path:
    new_game(folder)
    rows = (folder / "roster.csv").read_text("utf-8").splitlines()
    counts = {"unit": "count", **{unit: str(count) for unit, count in COUNTS.items()}}
    text = "".join(f"{row},{counts.get(row.partition(',')[0], '')}\n" for row in rows)
    (folder / "roster.csv").write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return read_game("drill", with_counts(tmp_path_factory.mktemp("copies") / "drill"))


def placed(game: Game, places: dict[str, str | None]) -> Position:
    """A position with these units; the later ones of a place lie below."""
    orders: dict[str | None, Iterator[int]] = {}
    units = [
        Unit(unit, unit, at, 0 if at is None else next(orders.setdefault(at, iter(range(99)))))
        for unit, at in places.items()
    ]
    return Position(game, build_state(game, Stated(board="field", units=units)))


def places(position: Position) -> dict[str, str | None]:
    return {unit.id: unit.place for unit in position.state.units.values()}


PLACES = st.dictionaries(st.sampled_from(UNITS), st.integers(0, 2), min_size=1).map(
    lambda chosen: {unit: (RED if unit.startswith("10th") else BLUE)[number] for unit, number in chosen.items()}
)


def test_copies_have_what_is_printed_on_the_first_and_no_more_than_there_are(game: Game) -> None:
    assert dict(game.counters) == {unit: COUNTS.get(unit, 1) for unit in game.counters} and len(game.counters) == 10
    assert len(game.roster) == 16 and game.roster["1st (3)"] == game.roster["1st"]
    assert game.copies("1st") == ("1st", "1st (2)", "1st (3)") and game.copies("1st (2)") == ()
    assert [game.type_of(name) for name in ("1st (2)", "1st", "1st (4)")] == ["1st", "1st", "1st (4)"]
    state = placed(game, {"1st (2)": "0402", "1st": None}).state
    assert [unit.type for unit in state.units.values()] == ["1st", "1st"]
    with pytest.raises(InputError) as caught:
        read_notation(b'game drill\nboard field\n0402: "1st (4)"\n', "a.pos", lambda _: game)
    assert "1st (4)" in caught.value.what and "the roster has 3 counters of 1st" in str(caught.value.hint)


def test_a_copy_is_typed_without_quotes_too(game: Game) -> None:
    text = b"game drill\nboard field\n0402: 1ST (2) (4-4), 1st\n0403: 1st (3)\n1st (3) attack=3\n"
    position = read_notation(text, "a.pos", lambda _: game)
    assert places(position) == {"1st (2)": "0402", "1st": "0402", "1st (3)": "0403"}
    assert {key: fact.value for key, fact in position.state.facts.items()} == {
        ("attack", "1st (2)"): 4,
        ("defence", "1st (2)"): 4,
        ("attack", "1st (3)"): 3,
    }


def test_a_single_rating_is_not_the_number_of_a_copy(tmp_path: Path) -> None:
    head = with_counts(tmp_path / "drill") / "game.toml"
    head.write_text(
        head.read_text("utf-8").replace('brackets = ["attack", "defence"]', 'brackets = ["attack"]'), "utf-8"
    )
    game = read_game("drill", head.parent)
    for text, unit in (('"1st" (2)', "1st"), ('"1st (2)" (2)', "1st (2)"), ("1st (2) (2)", "1st (2)")):
        position = read_notation(f"game drill\nboard field\n0402: {text}\n".encode(), "a.pos", lambda _: game)
        again = read_notation(write_notation(position).encode(), "b.pos", lambda _: game)
        assert places(again) == places(position) == {unit: "0402"}
        assert {key: fact.value for key, fact in again.state.facts.items()} == {("attack", unit): 2}


@given(placing=PLACES)
def test_notation_and_json_have_every_copy(game: Game, placing: dict[str, str | None]) -> None:
    position = placed(game, placing)
    text, data = write_notation(position), write_json(position)
    again = read_notation(text.encode(), "a.pos", lambda _: game), read_json(data, "a.json", lambda _: game)
    assert [one.state.units for one in again] == [position.state.units] * 2


def test_changes_move_bring_and_take_copies(game: Game) -> None:
    position = placed(game, {"1st (2)": "0402"})
    after = position.after(
        [
            Enter("1st", "1st", "0402", 0, ""),
            Enter("1st (3)", "1st (3)", "0503", 0, ""),
            Change("place", "1st (2)", "0402", "0603", ""),
            Leave("1st", ""),
        ]
    )
    assert places(after) == {"1st (2)": "0603", "1st (3)": "0503"}
    assert {unit.type for unit in after.state.units.values()} == {"1st"}


def test_every_counter_is_printed_as_often_as_it_is_there(game: Game) -> None:
    made = design_counters(game)
    assert {counter.unit: counter.count for counter in made} == dict(game.counters)


# --- modules ----------------------------------------------------------------------------------------------------------


def saved(folder: Path, position: Position) -> tuple[bytes, Save]:
    """The module of a game with a position as its set-up, and that set-up."""
    (folder / "setups/start.pos").write_text(write_notation(position), "utf-8")
    data = build_module(read_game("drill", folder)).data
    return data, read_save(read_container(data)[read_module(data).setups[0][1]])


def read_again(game: Game, save: Save) -> dict[str, str | None]:
    return places(read_vassal(write_save(save), "a.vsav", lambda _: game))


@thorough
@settings(max_examples=examples(5))
@given(placing=PLACES)
def test_a_set_up_of_the_module_is_read_as_it_was(placing: dict[str, str | None]) -> None:
    with tempfile.TemporaryDirectory() as held:
        folder = with_counts(Path(held) / "drill")
        game = read_game("drill", folder)
        module, save = saved(folder, placed(game, placing))
        assert read_again(game, save) == placing
        slots = [slot for slot in read_module(module).slots if UNIT in slot.piece.marks()]
        assert len(slots) == len(game.counters)


@pytest.fixture
def start(tmp_path: Path) -> tuple[Game, bytes, Save]:
    folder = with_counts(tmp_path / "drill")
    game = read_game("drill", folder)
    return game, *saved(folder, placed(game, {"1st (2)": "0402", "10th": "0405", "10th (2)": "0504"}))


def test_counters_out_of_the_palette_are_the_units_that_are_left(start: tuple[Game, bytes, Save]) -> None:
    game, _, save = start
    (known,) = (piece for piece in save.pieces.values() if piece.marks().get(UNIT) == "1st (2)")
    first = name_unit(known, "1st")
    more = {str(900 + number): first._replace(id=str(900 + number)) for number in (1, 2)}
    assert read_again(game, replace(save, pieces=save.pieces | more)) == {
        "1st (2)": "0402",
        "1st": "0402",
        "1st (3)": "0402",
        "10th": "0405",
        "10th (2)": "0504",
    }
    copied = {"901": known._replace(id="901")}  # as VASSAL duplicates it
    assert read_again(game, replace(save, pieces=save.pieces | copied)).keys() >= {"1st", "1st (2)"}
    more["903"] = first._replace(id="903")
    with pytest.raises(InputError, match="unit 1st is in the save twice"):
        read_again(game, replace(save, pieces=save.pieces | more))


def test_a_copy_that_comes_into_play_is_the_one_that_it_is(start: tuple[Game, bytes, Save]) -> None:
    game, module, save = start
    data = write_save(save)
    before = read_vassal(data, "a.vsav", lambda _: game)
    after = before.after([Enter("1st (3)", "1st", "0503", 0, ""), Change("place", "10th", "0405", "0605", "")])
    carried = carry_on(data, after, ".vsav", "", lambda: read_module(module))
    assert carried.left == ()
    assert places(read_vassal(carried.data, "b.vsav", lambda _: game)) == places(after)


def test_commands_name_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    folder = with_counts(tmp_path / "drill")
    (tmp_path / "a.pos").write_text('game drill\nboard field\n0402: "1st (2)", 1st\n0403: "10th (4)"\n', "utf-8")
    run = CliRunner().invoke
    checked = run(builder, ["check", str(folder)])
    assert checked.exit_code == 0 and "10 unit types, 16 counters" in checked.output
    read = run(assistant, ["check", str(tmp_path / "a.pos"), "--game", str(folder)])
    assert "1st (2) in 0402: nation blue, arm infantry, attack 4" in read.output
    odds = run(assistant, ["odds", str(tmp_path / "a.pos"), "--game", str(folder), "--at", "0403", "--from", "0402"])
    assert "1st (2)" in odds.output, odds.output
