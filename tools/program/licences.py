"""The licences in the program for machines without Python: of each package, of Python, and of each system library."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

from assistant.util.licences import installed_licences, join_licences, own_licences

ABSENT = {"field-staff", "pip", "setuptools"}
"""Packages of the build environment that are not in the program, and our own, whose licences come first."""


def program_licences(libraries: Iterable[Path]) -> bytes:
    """Return all licences, each below its title.

    `libraries`: the shared libraries that are copied, by their paths on this machine.

    Names on the error stream each package and library whose licence is not found.
    """
    return join_licences(_list_texts(libraries))


def _list_texts(libraries: Iterable[Path]) -> Iterator[tuple[str, str]]:
    yield from own_licences()
    yield "Python", _find_python_licence()
    packages = {package.name: package for package in distributions() if package.name not in ABSENT}
    for name, package in sorted(packages.items()):
        texts = list(installed_licences(package))
        yield from texts
        if not texts:
            _warn(name)
    for library in sorted({*libraries}):
        if not library.is_relative_to(sys.prefix) and not library.is_relative_to(sysconfig.get_path("stdlib")):
            if text := system_licence(library):
                yield library.name, text
            elif not library.is_relative_to(sys.base_prefix):  # libraries of Python are under its licence
                _warn(str(library))


def _find_python_licence() -> str:
    library = Path(sysconfig.get_path("stdlib"))
    beside = (library / "LICENSE.txt", Path(sys.base_prefix, "LICENSE.txt"), Path(sys.base_prefix, "LICENSE"))
    file = next((file for file in beside if file.is_file()), None)
    text = file.read_text("utf-8") if file else system_licence(library / "os.py")
    return text or "See https://docs.python.org/3/license.html."


def system_licence(file: Path) -> str:
    """Return the licence of a file by Debian's package of it, or "" if there is none."""
    paths = (file, file.resolve())
    # Debian may know a file by its path without /usr
    short = (Path(f"/{path.relative_to('/usr')}") for path in paths if path.is_relative_to("/usr"))
    for path in dict.fromkeys((*paths, *short)):
        try:
            asked = subprocess.run(["dpkg", "--search", str(path)], check=False, capture_output=True, text=True)
        except OSError:
            return ""
        package = asked.stdout.partition(":")[0].partition(",")[0]
        copyright_file = Path("/usr/share/doc", package, "copyright")
        if asked.returncode == 0 and copyright_file.is_file():
            return copyright_file.read_text("utf-8", "replace")
    return ""


def _warn(name: str) -> None:
    print(f"licences.txt lacks the licence of {name}: add it before you pass the program on", file=sys.stderr)
