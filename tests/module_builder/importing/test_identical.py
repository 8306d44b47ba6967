"""A module of identical counters, imported as a game and adopted for it: every counter is a unit, and stays the same
one wherever it goes.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from assistant.faces.cli.main import cli as assistant
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.saves import read_save, write_save
from assistant.formats.vassal.traits import Trait
from assistant.formats.vassal.written.files import carry_on
from assistant.game.games import Game, read_game
from assistant.installed.registry import load_game, named_game
from assistant.service import read
from assistant.state.changes import Enter
from assistant.util.errors import InputError
from module_builder.cli import cli as builder
from module_builder.importing.findings import Findings
from module_builder.importing.game import import_module
from module_builder.importing.setups import read_saves
from module_builder.importing.source import open_source
from module_builder.vassal.module import build_module

from ...cases import thorough
from . import identical
from .identical import DEAD, Lying, lying, module, pixel, save

CHART = """
[crt]
title = "Combat Results Table"
keys = [
    { name = "odds", values = ["1:1", "2:1", "3:1"] },
    { name = "roll", least = 1, most = 6, open = true },
]
fields = [{ name = "result", values = ["AE", "NE", "DE"] }]
file = "charts/crt.csv"
"""
COMBAT = """
[combat]
attack = "attack"
defence = "defence"
rounding = "down"
chart = "crt"
dice = [1, 6]
"""


class Table:
    """A folder in which a player has imported the module as a game, given it a combat, and adopted the module for it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "valleys.vmod"
        self.file.write_bytes(module())
        run(builder, "import", str(self.file), "-o", str(folder / "valleys"))
        here = folder / "valleys"
        with (here / "game.toml").open("a", encoding="utf-8") as file:
            file.write(COMBAT)
        (here / "charts").mkdir(exist_ok=True)
        (here / "charts.toml").write_text(CHART, "utf-8")
        rows = [
            f"{odds},{roll},{'DE' if roll > 4 else 'NE'},rulebook"
            for odds in ("1:1", "2:1", "3:1")
            for roll in range(1, 7)
        ]
        (here / "charts" / "crt.csv").write_text("odds,roll,result,source\n" + "\n".join(rows) + "\n", "utf-8")
        self.said = run(assistant, "adopt", str(self.file), "--game", str(here)).output

    @property
    def game(self) -> Game:
        return named_game(str(self.folder / "valleys"))

    def saved(self, counters: list[Lying], notes: str = "") -> str:
        file = self.folder / "game.vsav"
        file.write_bytes(save(counters, notes))
        return str(file)

    def position(self, counters: list[Lying], side: str = "") -> Position:
        return read(self.saved(counters), side=side)


def run(command: Callable[..., object], *words: str) -> Result:
    done = CliRunner().invoke(command, words, env={"COLUMNS": "100"})  # type: ignore[arg-type]
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("valleys")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", str(folder / "data"))
        return Table(folder)


@pytest.fixture
def table(laid: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(laid.folder / "data"))
    return laid


def places(position: Position) -> dict[str, str | None]:
    return {unit.id: unit.place for unit in position.state.units.values()}


def test_every_counter_is_a_unit_called_as_in_the_imported_set_up(table: Table) -> None:
    assert "- units: 10 of 10 found (10 sure)" in table.said
    said = run(assistant, "check", table.saved(lying())).output
    assert "36 of 36 pieces in play: 36 units" in said
    assert "36 of 36 units and markers in places the game knows" in said
    start = table.folder / "valleys/setups/the-start-0.pos"
    imported = read_notation(start.read_bytes(), start.name, lambda _: table.game)
    assert places(table.position(lying())) == places(imported)
    said = run(assistant, "check", table.saved(lying()), "--as", "Blue").output
    assert "Position of Two Valleys" in said
    assert table.position(lying(), "Blue").state.seen_by == "blue"
    words = ("--at", "0502", "--from", "0401,0402", "--answers", "roll=6")
    said = run(assistant, "odds", table.saved(lying()), *words).output
    assert "= DE" in said and "12 against 9 is 1:1" in said


def test_a_counter_that_moves_or_is_lost_stays_the_same_unit(table: Table) -> None:
    before = places(table.position(lying()))
    first, *others = lying()
    moved = places(table.position([*others, first._replace(at=pixel("0606"))]))
    assert {unit: place for unit, place in moved.items() if before[unit] != place} == {"Infantry": "0606"}
    lost = places(table.position([*others, first._replace(map=DEAD, at=(20, 20))]))
    assert {unit: place for unit, place in lost.items() if before[unit] != place} == {"Infantry": None}


def test_more_counters_than_units_are_told_and_the_others_are_read(table: Table) -> None:
    expected = places(table.position(lying()))
    position = table.position([*lying(), lying()[0]._replace(id="1900000000000", at=pixel("0707"))])
    assert places(position) == expected
    assert [one.what for one in position.state.unread] == [
        "piece Infantry at 0707: another counter in play is already Infantry (8)"
    ]
    said = run(assistant, "check", str(table.folder / "game.vsav")).output
    command = f"module-builder count {table.game.home} SAVE"
    assert f"{command} makes a unit of each Cautions" in said.replace("\n    ", " ").replace("\n\n", " ")


def test_the_counts_of_a_save_are_written_and_then_all_of_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    table = Table(tmp_path)
    more = [lying()[0]._replace(id=f"190000000000{n}", at=pixel("0707")) for n in range(3)]
    file = table.folder / "more.vsav"
    file.write_bytes(save([*lying(), *more]))
    before = Path(table.game.home, "roster.csv").read_text("utf-8")
    assert run(builder, "count", table.game.home, str(file)).output == "Infantry: 11 counters\n"
    after = Path(table.game.home, "roster.csv").read_text("utf-8")
    assert after == before.replace("Infantry,8,", "Infantry,11,")
    position = read(file, game=read_game("valleys", Path(table.game.home), home=table.game.home))  # as it is now
    assert not position.state.unread
    assert sum(place == "0707" for place in places(position).values()) == 3


def test_the_roster_of_an_installed_game_is_not_written(tmp_path: Path) -> None:
    refused = CliRunner().invoke(builder, ["count", "twilight-in-the-east", str(tmp_path / "any.vsav")])
    assert refused.exit_code == 3
    assert "an installed game, whose roster is not yours to change" in refused.output


@pytest.mark.parametrize("trait", ["obs;77,130;back.png;Mask;B;?;side:", "hide;73,130;Hide;255,255,255;side:"])
def test_a_counter_that_is_hidden_stays_the_same_unit_and_so_do_the_others(table: Table, trait: str) -> None:
    before = places(table.position(lying(), "Red"))
    start = read_save(save(lying()))
    file = table.folder / "hidden.vsav"
    alike = {key: piece for key, piece in start.pieces.items() if piece.name == "Cavalry"}
    for key, piece in alike.items():
        hidden = piece._replace(traits=(Trait(trait, "Blue"), *piece.traits))
        file.write_bytes(write_save(replace(start, pieces={**start.pieces, key: hidden})))
        seen, whole = places(read(file, side="Red")), places(read(file))
        assert whole == before
        (gone,) = before.keys() - seen.keys()
        assert seen == {unit: place for unit, place in before.items() if unit != gone}
    assert len(alike) == 4


def test_a_folder_that_was_moved_is_found_where_the_module_is_adopted_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    table = Table(tmp_path)
    moved = (tmp_path / "valleys").rename(tmp_path / "elsewhere") and tmp_path / "elsewhere"
    (moved / "game.toml").write_text('id = "valleys"\n' + (moved / "game.toml").read_text("utf-8"), "utf-8")
    with pytest.raises(InputError, match="unknown game 'valleys'"):
        table.position(lying())
    run(assistant, "adopt", str(table.file), "--game", str(moved))
    assert len(table.position(lying()).state.units) == 36


def test_a_kept_mapping_of_an_earlier_import_says_how_to_take_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    table = Table(tmp_path)
    (kept,) = (tmp_path / "data/modules/valleys").glob("*.toml")
    now, words = kept.read_text("utf-8"), ("adopt", str(table.file), "--game", str(tmp_path / "valleys"))
    assert "differ" not in run(assistant, *words).output
    kept.write_text(now.replace("at = [0, 0]", "at = [5, 0]", 1), "utf-8")
    said = " ".join(run(assistant, *words).output.split())
    assert "! 1 entry differs from the mapping in the game's folder: --force takes that one" in said
    kept.write_text(now.replace('"Cavalry" =', '"Horse" ='), "utf-8")
    for again in (words, ("check", table.saved(lying()))):
        failed = CliRunner().invoke(assistant, again, env={"COLUMNS": "200"})
        assert failed.exit_code == 3
        assert "unknown unit 'Horse'" in failed.stderr
        assert "assistant adopt MODULE --game GAME --force" in failed.stderr
    run(assistant, *words, "--force")
    assert kept.read_text("utf-8") == now


def test_a_save_that_does_not_name_its_module_is_one_of_the_only_module_of_the_chosen_game(table: Table) -> None:
    start = read_save(save(lying()))
    file = table.folder / "unnamed.vsav"
    file.write_bytes(write_save(replace(start, about=start.about._replace(module="", module_version=""))))
    assert not read_save(file.read_bytes()).about.module
    said = run(assistant, "check", str(file), "--game", str(table.folder / "valleys")).output
    assert "36 of 36 pieces in play: 36 units" in said
    failed = CliRunner().invoke(assistant, ("convert", str(file), "--notation"), env={"COLUMNS": "200"})
    assert failed.exit_code == 3 and "it does not name its module: --game GAME reads it" in failed.stderr


def test_pieces_of_one_name_that_nothing_tells_apart_are_units_in_the_order_of_the_palettes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    slots = [identical.Slot("Blue", "Infantry", f"{name}.png", 4, 4, ("0202", "0204")) for name in "abc"]
    monkeypatch.setattr(identical, "SLOTS", (*slots, identical.Slot("Red", "Guns", "g.png", 4, 1, ("0502",))))
    table = Table(tmp_path)
    assert "- units: 4 of 4 found (4 sure)" in table.said
    start = tmp_path / "valleys/setups/the-start-0.pos"
    imported = read_notation(start.read_bytes(), start.name, lambda _: table.game)
    assert places(table.position(lying())) == places(imported)


@thorough
def test_of_each_set_up_only_what_is_imported_stays_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "valleys.vmod"
    file.write_bytes(module(setups=3, empty=20_000))
    with open_source(file) as source:
        tracemalloc.start()
        try:
            begun = read_saves(source, Findings())
            held, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert [len(one.pieces) for one in begun] == [36, 36, 36]
    assert held < most / 10


def test_a_counter_that_comes_into_play_is_the_unit_that_was_missing(table: Table) -> None:
    cavalry = sorted((one for one in lying() if one.slot.name == "Cavalry"), key=lambda one: int(one.id))
    source = Path(table.saved([one for one in lying() if one != cavalry[-1]]))
    position = read(source)
    assert "Cavalry (4)" not in position.state.units
    enters = position.after([Enter("Cavalry (4)", "Cavalry (4)", "0606", 0, "")])
    carried = carry_on(source.read_bytes(), enters, ".vsav", "", lambda: read_module(table.file))
    (table.folder / "new.vsav").write_bytes(carried.data)
    assert carried.left == () and places(read(table.folder / "new.vsav")) == {**places(position), "Cavalry (4)": "0606"}


@thorough
def test_what_a_module_of_ours_shows_by_itself_becomes_no_unit(tmp_path: Path) -> None:
    """The frame around the current turn, the markers on record tracks, what shows supply."""
    file = tmp_path / "war.vmod"
    game = load_game("kaisers-war-in-the-east")
    file.write_bytes(build_module(game).data)
    files, _ = import_module(file, tmp_path / "again")
    rows = files["roster.csv"].decode().splitlines()[1:]
    assert len(rows) == 88 and not [row for row in rows if row.startswith(("Victory Points", "The current turn"))]
