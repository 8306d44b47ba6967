"""A pack as one file: the same files give the same bytes, and nothing that is not a pack is taken in."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.game.pack_archive import pack_archive, take_archive
from assistant.game.packs import ChartFact, Doubt, Pack
from assistant.util.errors import InputError

CELL = {("summer", "1:1", 2): "+2 / -"}


@pytest.fixture
def pack(twilight: Game, tmp_path: Path) -> Pack:
    pack = Pack(twilight, tmp_path / "pack")
    pack.enter_cells("crt", CELL)
    pack.enter_all({("25/3", "steps"): "10"}, {("", "41.19", "terrain"): "clear"})
    pack.enter_ruling("flip-point", "half-down")
    return pack


def test_a_pack_is_the_same_elsewhere(pack: Pack, twilight: Game, tmp_path: Path) -> None:
    data = pack_archive(pack)
    assert pack_archive(pack) == data
    there = Pack(twilight, tmp_path / "there")
    assert take_archive(there, data, "mine.zip") == []
    assert {file.name: file.read_bytes() for file in there.files()} == {
        file.name: file.read_bytes() for file in pack.files()
    }


def test_a_file_takes_the_place_of_the_one_that_is_there_and_others_stay(
    pack: Pack, twilight: Game, tmp_path: Path
) -> None:
    there = Pack(twilight, tmp_path / "there")
    there.enter_cells("crt", {("summer", "1:1", 3): "- / -"})
    there.enter_cells("slrt", {("summer", "Small", 1): "1 / 0"})
    take_archive(there, pack_archive(pack), "mine.zip")
    assert [*there.cells("crt")] == [*CELL]
    assert there.cells("slrt")


def test_doubts_are_told(pack: Pack, twilight: Game, tmp_path: Path) -> None:
    fact = ChartFact("crt", "10.9", "nobody loses", firm=False, contradicted=lambda cells: True)
    there = Pack(twilight, tmp_path / "there", (fact,))
    assert take_archive(there, pack_archive(pack), "mine.zip") == [Doubt("10.9", "nobody loses")]


def test_what_contradicts_the_rulebook_is_refused_whole(pack: Pack, twilight: Game, tmp_path: Path) -> None:
    fact = ChartFact("crt", "10.9", "nobody loses", firm=True, contradicted=lambda cells: True)
    there = Pack(twilight, tmp_path / "there", (fact,))
    with pytest.raises(InputError, match="contradicts what the rulebook says") as refused:
        take_archive(there, pack_archive(pack), "mine.zip")
    assert str(refused.value.where) == "mine.zip"
    assert there.files() == []
