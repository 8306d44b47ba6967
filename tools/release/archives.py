"""An sdist and a wheel with the same bytes wherever they are built: members in order, with fixed times, owners and
modes.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import tarfile
import time
import tomllib
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path

from assistant.util.errors import InputError

_FILE_MODE = 0o644
_PROGRAM_MODE = 0o755
_MIN_ZIP_SECONDS = 315532800
"""The earliest time that a zip file can state: 1980."""


def repack_sdist(data: bytes, seconds: int) -> bytes:
    """Return a .tar.gz with its files in order, without folders or owners, with a time in seconds since 1970.

    Raises InputError for a member that is neither a file nor a folder.
    """
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(data)) as source,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as target,
    ):
        for member in sorted(source.getmembers(), key=lambda member: member.name):
            if member.isdir():
                continue
            if not member.isfile():
                raise InputError(f"{member.name} is a link or a device", hint="an sdist holds files alone")
            plain = tarfile.TarInfo(member.name)
            plain.size, plain.mtime = member.size, seconds
            plain.mode = _PROGRAM_MODE if member.mode & 0o100 else _FILE_MODE
            target.addfile(plain, source.extractfile(member))
    zipped = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=zipped, compresslevel=9, mtime=0) as file:
        file.write(packed.getvalue())
    return zipped.getvalue()


def repack_wheel(data: bytes, seconds: int) -> bytes:
    """Return a wheel with its files in order, its metadata last, with a time in seconds since 1970."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(packed, "w") as target:
        for name in sorted(source.namelist(), key=_wheel_order):
            if not name.endswith("/"):
                _add_file(target, name, source.read(name), seconds)
    return packed.getvalue()


def pack_folder(folder: Path, seconds: int) -> bytes:
    """Return a folder as a zip file, with its files in order and a time in seconds since 1970."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name in files_below(folder):
            _add_file(target, name, (folder / name).read_bytes(), seconds)
    return packed.getvalue()


def _add_file(target: zipfile.ZipFile, name: str, data: bytes, seconds: int) -> None:
    plain = zipfile.ZipInfo(name, time.gmtime(max(seconds, _MIN_ZIP_SECONDS))[:6])
    plain.external_attr = (0o100000 | _FILE_MODE) << 16
    target.writestr(plain, data, zipfile.ZIP_DEFLATED, 9)


def _wheel_order(name: str) -> tuple[bool, bool, str]:
    """Return a sort key that puts code before metadata, and the list of all files last, which installers prefer."""
    metadata = ".dist-info/" in name
    return metadata, metadata and name.endswith("/RECORD"), name


def members(archive: Path) -> list[str]:
    """Return the files in a wheel or an sdist; those of an sdist without its folder."""
    if archive.suffix == ".whl":
        return zipfile.ZipFile(archive).namelist()
    with tarfile.open(archive) as packed:
        return [member.name.partition("/")[2] for member in packed.getmembers() if member.isfile()]


def check_same(archive: Path, again: Path, when: str) -> None:
    """Raise InputError if two archives differ, with the first file that only one of them has.

    `when`: the conditions under which the second was built, as the end of a sentence.
    """
    if archive.read_bytes() == again.read_bytes():
        return
    differing = sorted({*members(archive)} ^ {*members(again)})
    hint = (
        f"only one of them has {differing[0]}"
        if differing
        else "both have the same files: compare them with diffoscope"
    )
    raise InputError(f"{archive.name} has other bytes {when}", hint=hint)


def check_complete(wheel: Path, sdist: Path, folder: Path) -> None:
    """Raise InputError unless the wheel has exactly the packages' files, and the sdist all of the project's.

    `folder`: a clean copy of the commit.
    """
    sources = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-dir"]
    wanted = {f"{package}/{name}" for package, place in sources.items() for name in files_below(folder / place)}
    packed = {name for name in members(wheel) if not re.match(r"[^/]+\.(?:dist-info|data)/", name)}
    _check_has(wheel, wanted - packed, "add it to package-data in pyproject.toml")
    if others := packed - wanted:
        raise InputError(
            f"{wheel.name} has {min(others)}, which no package of the commit has", hint="see pyproject.toml"
        )
    project = {name for name in files_below(folder) if not re.match(r"\.(?:ci/|git)", name)}
    _check_has(sdist, project - {*members(sdist)}, "add it to MANIFEST.in")


def _check_has(archive: Path, lacking: Collection[str], hint: str) -> None:
    if lacking:
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        raise InputError(f"{archive.name} lacks {min(lacking)}{more}", hint=hint)


def files_below(folder: Path) -> list[str]:
    """Return the paths of all files in a folder and below it."""
    return [file.relative_to(folder).as_posix() for file in sorted(folder.rglob("*")) if file.is_file()]


def checksums(files: Mapping[str, bytes]) -> str:
    """Return the lines of SHA256SUMS, in order of the names."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
