"""The licences of what is in the folder, which must go wherever it goes."""

from __future__ import annotations

from assistant.util.licences import Licences, is_licence, join_licences, own_licences

from .parts import PageParts

_ELSEWHERE = """Pyodide, in the folder program, is under the Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/); its source is at
https://github.com/pyodide/pyodide. The Python within it is under the PSF License (https://docs.python.org/3/license.html).
"""


def licences(parts: PageParts) -> bytes:
    """Return the licences of all that is in the folder, each below its title."""
    return join_licences(_list_texts(parts))


def _list_texts(parts: PageParts) -> Licences:
    yield from own_licences()
    yield "Pyodide and Python", _ELSEWHERE
    for package, wheel in sorted(parts.wheels.items()):
        for path in wheel.namelist():
            if is_licence(path):
                yield package, wheel.read(path).decode("utf-8", "replace")
