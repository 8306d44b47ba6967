"""The licences of packages, as one text for a folder that is passed on: the page, or the bundled program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from .patterns import late_pattern

_LICENCE = late_pattern(r"[^/]+\.dist-info/(?:licenses/.+|[^/]*(?:LICEN[SC]E|COPYING|NOTICE)[^/]*)", re.IGNORECASE)

Licences = Iterator[tuple[str, str]]
"""Licences, each with its title."""


def join_licences(texts: Iterable[tuple[str, str]]) -> bytes:
    """Return one text of licences, each below its title."""
    return "\n\n".join(f"{title}\n{'=' * len(title)}\n\n{text.strip()}\n" for title, text in texts).encode()


def is_licence(path: str) -> bool:
    """Return whether a file of a wheel is a licence or part of one.

    `path`: the path in the wheel.
    """
    return _LICENCE.fullmatch(path) is not None


def own_licences() -> Licences:
    """Yield the licences of Field Staff and of its fonts."""
    for name, title in (("LICENSE", "Field Staff"), ("images/fonts/OFL.txt", "The fonts of Field Staff")):
        if text := _read_own(name):
            yield title, text


def installed_licences(package: Distribution) -> Licences:
    """Yield the licences in an installed package's metadata."""
    for file in package.files or ():
        if is_licence(file.as_posix()):
            yield package.name, Path(str(package.locate_file(file))).read_text("utf-8", "replace")


def _read_own(name: str) -> str | None:
    try:
        package = distribution("field-staff")
    except PackageNotFoundError:
        return None
    # in a checkout the licences are beside the code
    source_file = Path(str(package.locate_file(name)))
    return package.read_text(f"licenses/{name}") or (source_file.read_text("utf-8") if source_file.is_file() else None)
