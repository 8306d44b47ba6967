"""The entry points of installed packages, beside what `importlib.metadata` finds."""

from __future__ import annotations

import errno
import importlib.metadata
import os
import zipfile
from pathlib import Path

import pytest

from assistant.installed.entry_points import EntryPoint, entry_points

GAMES = "field_staff.games"


def games() -> dict[str, EntryPoint]:
    """The first of each name."""
    return {entry.name: entry for entry in reversed(entry_points(GAMES))}


def package(folder: Path, name: str, version: str, games: str, metadata: str = "METADATA") -> Path:
    about = folder / f"{name}-{version}.dist-info"
    about.mkdir(parents=True)
    about.joinpath(metadata).write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: of the readme\n"
    )
    about.joinpath("entry_points.txt").write_text(f"[console_scripts]\nx = y:z\n\n[{GAMES}]\n{games}\n")
    return folder


@pytest.mark.parametrize("group", [GAMES, "field_staff.plugins"])
def test_the_installed_packages_have_those_that_python_finds(group: str) -> None:
    known = {entry.name: entry for entry in importlib.metadata.entry_points(group=group)}
    found = {entry.name: entry for entry in entry_points(group)}
    assert found
    assert {name: entry.value for name, entry in found.items()} == {name: entry.value for name, entry in known.items()}
    for name, entry in known.items():
        assert entry.dist is not None
        assert found[name].made_by == f" of {entry.dist.name} {entry.dist.version}"
        assert found[name].load() is entry.load()


def test_a_package_on_the_path_is_found_with_its_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(
        package(tmp_path, "Mill.Creek", "1.0", "# not yet: odd = odd\ncreek = mill.creek:GAME [maps]")
    )
    assert games()["creek"] == EntryPoint(GAMES, "creek", "mill.creek:GAME [maps]", "Mill.Creek 1.0")
    assert "# not yet: odd" not in games()
    package(tmp_path, "later", "2.0", "fort = fort", metadata="PKG-INFO")
    assert games()["fort"].made_by == " of later 2.0"
    assert EntryPoint(GAMES, "fort", "fort", "").plugin == "fort"


def test_the_package_that_is_first_on_the_path_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(package(tmp_path / "old", "creek_game", "1.0", "creek = old\nbrook = brook"))
    monkeypatch.syspath_prepend(package(tmp_path / "new", "Creek_Game", "2.0", "creek = new"))
    monkeypatch.syspath_prepend(package(tmp_path / "other", "ford", "2.0", "ford = ford"))
    assert games()["creek"].value == "new"
    assert "brook" not in games()
    monkeypatch.syspath_prepend(package(tmp_path / "another", "second_creek", "2.0", "creek = abc"))
    assert games()["creek"].value == "abc"
    assert [entry.name for entry in entry_points(GAMES)] == sorted(entry.name for entry in entry_points(GAMES))
    assert [entry.value for entry in entry_points(GAMES) if entry.name == "creek"] == ["abc", "new"]


def test_an_attribute_of_a_module_can_be_an_entry_point() -> None:
    assert EntryPoint("", "", "pathlib:Path.home [extra]", "").load() == Path.home


def test_packages_in_an_archive_are_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = package(tmp_path / "in", "creek", "1.0", "creek = creek")
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted(folder.rglob("*")):
            packed.write(file, file.relative_to(folder))
    monkeypatch.syspath_prepend(archive)
    found = games()
    assert found["creek"].made_by == " of creek 1.0"
    assert "twilight-in-the-east" in found


def test_a_folder_that_is_missing_or_cannot_be_listed_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("empty-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "missing")
    monkeypatch.syspath_prepend(tmp_path)
    assert "twilight-in-the-east" in games()
    monkeypatch.setattr("os.listdir", lambda folder: (_ for _ in ()).throw(PermissionError(folder)))
    tmp_path.joinpath("new").mkdir()  # the folder has changed, so it is listed anew
    assert entry_points(GAMES) == []


@pytest.mark.parametrize("call", ["stat", "listdir"])
def test_a_disk_that_fails_is_not_taken_for_a_folder_without_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.syspath_prepend(package(tmp_path / "site", "heath", "1.0", "heath = heath:game"))
    usual = getattr(os, call)

    def fail(path: str, *rest: object) -> object:
        if str(path) == str(tmp_path / "site"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return usual(path, *rest)

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="Input/output error"):
        entry_points(GAMES)


def test_metadata_that_break_off_name_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(package(tmp_path / "site", "heath", "1.0", "heath = heath:game"))
    monkeypatch.setattr("builtins.open", lambda *_, **__: Broken())
    with pytest.raises(OSError, match="Input/output error") as raised:
        entry_points(GAMES)
    assert Path(raised.value.filename).name == "entry_points.txt"


class Broken:
    """A file that opens, but cannot be read."""

    def __enter__(self) -> Broken:
        return self

    def __exit__(self, *_: object) -> None: ...

    def read(self) -> str:
        raise OSError(errno.EIO, os.strerror(errno.EIO))
