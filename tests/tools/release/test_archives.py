"""An archive is the same bytes in whatever order, at whatever time and by whomever its files were packed."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from assistant.util.errors import InputError
from tools.release.archives import (
    check_complete,
    check_same,
    checksums,
    members,
    pack_folder,
    repack_sdist,
    repack_wheel,
)

SECONDS = 1_798_761_600
"""The first of January 2027."""
FILES = ("field_staff-1.0.0/README.md", "field_staff-1.0.0/assistant/service.py", "field_staff-1.0.0/setup.py")


def sdist(names: Sequence[str], *, seconds: int, owner: str, mode: int) -> bytes:
    """An sdist with files of these names, as somebody has packed it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        folder = tarfile.TarInfo("field_staff-1.0.0")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name in names:
            member = tarfile.TarInfo(name)
            member.mtime, member.uname, member.uid = seconds, owner, len(owner)
            member.mode, member.size = mode, len(name)
            archive.addfile(member, io.BytesIO(name.encode()))
    return packed.getvalue()


def test_a_folder_becomes_the_same_zip_whenever_it_was_written(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "index.html").write_text("page")
        (tmp_path / name / "inner/rules.zip").write_bytes(b"rules" * 9)
    os.utime(tmp_path / "two/index.html", (0, 0))
    packed = pack_folder(tmp_path / "one", 1_800_000_000)
    assert packed == pack_folder(tmp_path / "two", 1_800_000_000)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["index.html", "inner/rules.zip"]
        assert archive.read("inner/rules.zip") == b"rules" * 9


def test_a_packed_sdist_shows_neither_who_packed_it_nor_when() -> None:
    one = sdist(FILES, seconds=1, owner="ann", mode=0o644)
    other = sdist(FILES[::-1], seconds=99, owner="robert", mode=0o600)
    assert one != other
    assert repack_sdist(one, SECONDS) == repack_sdist(other, SECONDS)
    packed = repack_sdist(sdist(FILES, seconds=1, owner="ann", mode=0o644), SECONDS)
    assert packed[3] == 0, "no name"
    assert packed[4:8] == bytes(4), "no time"
    assert b"README" in gzip.decompress(packed)


def test_an_sdist_keeps_every_file_and_whether_it_runs() -> None:
    packed = repack_sdist(sdist(FILES[::-1], seconds=1, owner="ann", mode=0o700), SECONDS)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        found = archive.getmembers()
        assert [member.name for member in found] == list(FILES)
        assert {(member.mtime, member.uid, member.uname, member.mode) for member in found} == {(SECONDS, 0, "", 0o755)}
        assert [archive.extractfile(member).read().decode() for member in found] == list(FILES)  # type: ignore[union-attr]


def test_a_link_in_an_sdist_is_refused() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        link = tarfile.TarInfo("field_staff-1.0.0/README.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(InputError, match="README.md is a link"):
        repack_sdist(packed.getvalue(), SECONDS)


IN_WHEEL = (
    "assistant/service.py",
    "field_staff-1.0.0.dist-info/METADATA",
    "field_staff-1.0.0.dist-info/RECORD",
    "zones.py",
)


def wheel(names: Sequence[str], year: int, mode: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            member = zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0))
            member.external_attr = mode << 16
            archive.writestr(member, name)
    return packed.getvalue()


def test_a_wheel_does_not_show_when_it_was_packed_and_has_its_record_last() -> None:
    one, other = wheel(IN_WHEEL, 2001, 0o644), wheel(IN_WHEEL[::-1], 2026, 0o600)
    packed = repack_wheel(one, SECONDS)
    assert packed == repack_wheel(other, SECONDS)
    archive = zipfile.ZipFile(io.BytesIO(packed))
    assert archive.namelist() == [IN_WHEEL[0], "zones.py", *IN_WHEEL[1:3]]
    assert {member.date_time for member in archive.infolist()} == {(2027, 1, 1, 0, 0, 0)}
    assert [archive.read(name).decode() for name in archive.namelist()] == archive.namelist()


def test_two_archives_that_differ_are_refused_with_what_one_lacks(tmp_path: Path) -> None:
    one, other = tmp_path / "a.whl", tmp_path / "b.whl"
    one.write_bytes(wheel(IN_WHEEL, 2001, 0o644))
    other.write_bytes(one.read_bytes())
    check_same(one, other, "when it is built again")
    other.write_bytes(wheel(IN_WHEEL[:3], 2001, 0o644))
    with pytest.raises(
        InputError, match=r"a.whl has other bytes when it is built again\n +only one of them has zones.py"
    ):
        check_same(one, other, "when it is built again")
    other.write_bytes(wheel(IN_WHEEL, 2002, 0o644))
    with pytest.raises(InputError, match="both have the same files"):
        check_same(one, other, "when it is built again")


def test_the_files_of_an_sdist_are_named_without_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "field_staff-1.0.0.tar.gz"
    file.write_bytes(sdist(FILES, seconds=1, owner="ann", mode=0o644))
    assert members(file) == ["README.md", "assistant/service.py", "setup.py"]


@pytest.fixture
def archives(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A wheel and an sdist with each file of a commit, and a copy of that."""
    copy = tmp_path / "copy"
    files = {
        "pyproject.toml": '[tool.setuptools.package-dir]\nassistant = "assistant"\nheath = "plugins/heath"\n',
        "assistant/service.py": "",
        "plugins/heath/game.toml": "",
        "plugins/heath/setups/first.pos": "",
        "tests/test_heath.py": "",
        ".gitignore": "",
        ".ci/run": "",
    }
    for name, text in files.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text)
    built, packed = tmp_path / "x.whl", tmp_path / "x.tar.gz"
    in_wheel = ["assistant/service.py", "heath/game.toml", "heath/setups/first.pos", "x-1.dist-info/RECORD"]
    built.write_bytes(wheel([*in_wheel, "x-1.data/data/share/man/man1/x.1"], 2001, 0o644))
    in_sdist = [name for name in files if not name.startswith((".git", ".ci"))]
    packed.write_bytes(sdist([f"x-1/{name}" for name in (*in_sdist, "PKG-INFO")], seconds=1, owner="x", mode=0o644))
    return built, packed, copy


def test_archives_with_each_file_are_complete(archives: tuple[Path, Path, Path]) -> None:
    check_complete(*archives)


def test_a_wheel_without_a_data_file_is_refused(archives: tuple[Path, Path, Path]) -> None:
    built, _, copy = archives
    (copy / "plugins/heath/setups/second.pos").write_text("")
    with pytest.raises(InputError, match=r"x.whl lacks heath/setups/second.pos\n +add it to package-data"):
        check_complete(*archives)
    (copy / "plugins/heath/setups/second.pos").unlink()
    built.write_bytes(wheel(["assistant/service.py"], 2001, 0o644))
    with pytest.raises(InputError, match="x.whl lacks heath/game.toml and 1 more"):
        check_complete(*archives)


def test_a_wheel_with_the_tests_is_refused(archives: tuple[Path, Path, Path]) -> None:
    with zipfile.ZipFile(archives[0], "a") as packed:
        packed.writestr("tests/test_heath.py", "")
    with pytest.raises(InputError, match="x.whl has tests/test_heath.py, which no package"):
        check_complete(*archives)


def test_an_sdist_without_a_file_of_the_project_is_refused(archives: tuple[Path, Path, Path]) -> None:
    (archives[2] / "CONTRIBUTING.md").write_text("")
    with pytest.raises(InputError, match=r"x.tar.gz lacks CONTRIBUTING.md\n +add it to MANIFEST.in"):
        check_complete(*archives)


def test_checksums_are_those_that_sha256sum_checks() -> None:
    files = {name: name.encode() for name in ("b.whl", "a.tar.gz")}
    sums = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("a.tar.gz", "b.whl")}
    assert checksums(files) == f"{sums['a.tar.gz']}  a.tar.gz\n{sums['b.whl']}  b.whl\n"
