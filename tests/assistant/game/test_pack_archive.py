"""A pack as one file: the same files give the same bytes, and nothing that is not a pack is taken in."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.game.pack_archive import pack_archive, take_archive
from assistant.game.pack_charts import ChartFact, Doubt
from assistant.game.packs import Pack
from assistant.util.errors import InputError

CELL = {("summer", "1:1", 2): "+2 / -"}


@pytest.fixture
def pack(twilight: Game, tmp_path: Path) -> Pack:
    pack = Pack(twilight, tmp_path / "pack")
    pack.charts.enter_cells("crt", CELL)
    pack.enter_all({("25/3", "steps"): "10"}, {("", "41.19", "terrain"): "clear"})
    pack.enter_ruling("flip-point", "half-down")
    return pack


def test_a_pack_is_the_same_elsewhere_where_other_files_stay(pack: Pack, twilight: Game, tmp_path: Path) -> None:
    data = pack_archive(pack)
    assert pack_archive(pack) == data
    there = Pack(twilight, tmp_path / "there")
    assert take_archive(there, data, "mine.zip") == []
    assert {file.name: file.read_bytes() for file in there.files.list_existing()} == {
        file.name: file.read_bytes() for file in pack.files.list_existing()
    }
    there = Pack(twilight, tmp_path / "2" / "there")
    there.charts.enter_cells("crt", {("summer", "1:1", 3): "- / -"})
    there.charts.enter_cells("slrt", {("summer", "Small", 1): "1 / 0"})
    take_archive(there, pack_archive(pack), "mine.zip")
    assert [*there.charts.cells("crt")] == [*CELL]
    assert there.charts.cells("slrt")


def test_doubts_are_told_and_what_contradicts_the_rulebook_is_refused_whole(
    pack: Pack, twilight: Game, tmp_path: Path
) -> None:
    fact = ChartFact("crt", "10.9", "nobody loses", firm=True, contradicted=lambda cells: True)
    there = Pack(twilight, tmp_path / "there", (fact,))
    with pytest.raises(InputError, match="contradicts what the rulebook says") as refused:
        take_archive(there, pack_archive(pack), "mine.zip")
    assert str(refused.value.where) == "mine.zip"
    assert there.files.list_existing() == []
    fact = ChartFact("crt", "10.9", "nobody loses", firm=False, contradicted=lambda cells: True)
    there = Pack(twilight, tmp_path / "there", (fact,))
    assert take_archive(there, pack_archive(pack), "mine.zip") == [Doubt("10.9", "nobody loses")]


@pytest.mark.parametrize("names", [("counters.csv", "strange.csv"), ("counters.csv", "counters.csv")])
def test_a_strange_or_second_file_is_refused_before_anything_is_unpacked(
    names: tuple[str, ...], twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as container, pytest.MonkeyPatch.context() as quiet:
        quiet.setattr("warnings.warn", lambda *_, **__: None)
        for name in names:
            container.writestr(name, "id\n")
    monkeypatch.setattr("zipfile.ZipFile.open", None)
    with pytest.raises(InputError, match="is not a file of a pack"):
        take_archive(Pack(twilight, tmp_path / "there"), made.getvalue(), "mine.zip")


def test_all_files_together_unpack_to_no_more_than_a_file_may_have(
    twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as container:
        for name in ("counters.csv", "charts/crt.csv"):
            container.writestr(name, "x" * 3000)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_FILE", "4K")
    with pytest.raises(InputError, match="mine.zip unpacks to more than 4 KiB"):
        take_archive(Pack(twilight, tmp_path / "there"), made.getvalue(), "mine.zip")


def test_a_fault_in_a_file_is_told_without_the_folder_of_the_trial(
    pack: Pack, twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "linked"))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as container:
        container.writestr("charts/crt.csv", "season\n")
    with pytest.raises(InputError) as refused:
        take_archive(Pack(twilight, tmp_path / "there"), made.getvalue(), "mine.zip")
    assert str(tmp_path) not in str(refused.value)
