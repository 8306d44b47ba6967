"""What the changelog must say of verdicts that have changed since the newest release (docs/maintaining/versions.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..released import PROMISE
from .recording import ENDING, changes_of, without_verdicts, worded

HEADING = "### Changed verdicts"
_SIGNED = re.compile(r"`([\w-]+/[\w-]+)`, lines? ([\d, and]+)")


def signed(section: str) -> set[tuple[str, int]]:
    """The verdicts that a section of the changelog names, by evening and line: "`game/evening`, lines 12 and 30: ..."."""
    _, _, below = section.partition(HEADING)
    below = below.partition("\n### ")[0]
    return {(match[1], int(line)) for match in _SIGNED.finditer(below) for line in re.findall(r"\d+", match[2])}


def unsigned(before: Mapping[str, str], now: Mapping[str, str], section: str) -> Iterator[str]:
    """What is wrong with the evenings of a release, as they are now. before, now: the text of each file of `tests/promise`, by its path;
    section: of the changelog.
    """
    known = signed(section)
    for path, text in before.items():
        if not path.endswith(ENDING):
            continue
        name = path.removeprefix("evenings/").removesuffix(ENDING)
        if path not in now:
            yield f"{name} is gone: bring it back"
        elif without_verdicts(now[path]) != without_verdicts(text):
            yield f"{name}: what was asked in it has changed: type it as it was, and the new one into a file of its own"
        else:
            for old, new in changes_of(text, now[path]):
                if (name, new.line) not in known:
                    yield f"CHANGELOG.md does not name under {HEADING!r}: {worded(name, old, new)}"


def kept() -> dict[str, str]:
    """The evenings as they are here."""
    files = PROMISE.rglob(f"*{ENDING}")
    return {file.relative_to(PROMISE).as_posix(): file.read_text("utf-8") for file in sorted(files)}
