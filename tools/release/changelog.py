"""The sections of CHANGELOG.md: `## 1.2.0 - 2027-03-01`, or `## 1.2.0 - unreleased`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

CHANGELOG = Path(__file__).parent.parent.parent / "CHANGELOG.md"
_HEAD = re.compile(r"^## (\d+\.\d+\.\d+) - (unreleased|\d{4}-\d{2}-\d{2})$", re.MULTILINE)


class Section(NamedTuple):
    """What the changelog says of a version. date: of its release, "" before it; text: all that stands below its head."""

    version: str
    date: str
    text: str


def read_changelog(file: Path = CHANGELOG) -> list[Section]:
    """The sections of a changelog, the newest first."""
    return sections_of(file.read_text("utf-8"))


def sections_of(text: str) -> list[Section]:
    """The sections in the text of a changelog."""
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return [
        Section(head[1], "" if head[2] == "unreleased" else head[2], text[head.end() : end].strip() + "\n")
        for head, end in zip(heads, ends, strict=True)
    ]
