"""The licences of what is in the folder, which must go wherever it goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from .parts import Parts

_LICENCE = re.compile(r"[^/]+\.dist-info/(licenses/.*)?[^/]*(LICEN[SC]E|COPYING|NOTICE)[^/]*", re.IGNORECASE)
_ELSEWHERE = """Pyodide, in the folder program, is under the Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/); its source is at
https://github.com/pyodide/pyodide. The Python within it is under the PSF License (https://docs.python.org/3/license.html).
"""


def licences(parts: Parts) -> bytes:
    """The licences of all that is in the folder, each below its title."""
    return "\n\n".join(f"{title}\n{'=' * len(title)}\n\n{text.strip()}\n" for title, text in _texts(parts)).encode()


def _texts(parts: Parts) -> Iterator[tuple[str, str]]:
    """The licences, each with its title."""
    for name, title in (("LICENSE", "Field Staff"), ("images/fonts/OFL.txt", "The fonts of Field Staff")):
        if text := _own(name):
            yield title, text
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
