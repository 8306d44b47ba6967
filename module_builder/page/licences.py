"""The licences of what is in a folder that is passed on, which must go wherever it goes: the page, and the program for those without Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from .parts import Parts

_LICENCE = re.compile(r"[^/]+\.dist-info/(?:licenses/.+|[^/]*(?:LICEN[SC]E|COPYING|NOTICE)[^/]*)", re.IGNORECASE)
_ELSEWHERE = """Pyodide, in the folder program, is under the Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/); its source is at
https://github.com/pyodide/pyodide. The Python within it is under the PSF License (https://docs.python.org/3/license.html).
"""

Licences = Iterator[tuple[str, str]]
"""Licences, each with its title."""


def licences(parts: Parts) -> bytes:
    """The licences of all that is in the folder of the page, each below its title."""
    return join_licences(_texts(parts))


def join_licences(texts: Iterable[tuple[str, str]]) -> bytes:
    """One text of licences, each below its title."""
    return "\n\n".join(f"{title}\n{'=' * len(title)}\n\n{text.strip()}\n" for title, text in texts).encode()


def own_licences() -> Licences:
    """The licences of the program itself and of its face."""
    for name, title in (("LICENSE", "Field Staff"), ("images/fonts/OFL.txt", "The fonts of Field Staff")):
        if text := _own(name):
            yield title, text


def installed_licences(package: Distribution) -> Licences:
    """The licences that an installed package has beside its metadata."""
    for file in package.files or ():
        if _LICENCE.fullmatch(file.as_posix()):
            yield package.name, Path(str(package.locate_file(file))).read_text("utf-8", "replace")


def _texts(parts: Parts) -> Licences:
    yield from own_licences()
    yield "Pyodide and Python", _ELSEWHERE
    for package, wheel in sorted(parts.wheels.items()):
        for path in wheel.namelist():
            if _LICENCE.fullmatch(path):
                yield package, wheel.read(path).decode("utf-8", "replace")


def _own(name: str) -> str | None:
    """A licence of ours, None if it is not there, as where the program runs from a folder that is not installed."""
    try:
        own = distribution("field-staff")
    except PackageNotFoundError:
        return None
    # a checkout that is worked in has them beside the code
    beside = Path(str(own.locate_file(name)))
    return own.read_text(f"licenses/{name}") or (beside.read_text("utf-8") if beside.is_file() else None)
