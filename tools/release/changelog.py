"""The sections of CHANGELOG.md: `## 1.2.0 - 2027-03-01`, and above them `## Unreleased`."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import NamedTuple

from assistant.util.errors import InputError

CHANGELOG = Path(__file__).parent.parent.parent / "CHANGELOG.md"
_ANY_HEAD = re.compile(r"^## .*$", re.MULTILINE)
_HEAD = re.compile(r"## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})")
_UNRELEASED = "## Unreleased"
_LINK = re.compile(r"(?<!!)\[([^]]*)\]\((?!https?:)[^)]*\)")
"""A link to a file of the project."""


class Section(NamedTuple):
    """The part of the changelog about a version.

    `version`: the number of a release, or "" for what is unreleased.
    `date`: the day of the release, or "".
    `text`: everything below its heading.
    """

    version: str
    date: str
    text: str

    @property
    def number(self) -> tuple[int, ...]:
        return number_of(self.version)


def number_of(version: str) -> tuple[int, ...]:
    """Return the numbers of a version such as 1.10.0."""
    return tuple(map(int, version.split(".")))


def read_changelog(file: Path = CHANGELOG) -> list[Section]:
    """Return the sections of a changelog, the newest first. Raises InputError for an invalid heading."""
    return sections_of(file.read_text("utf-8"))


def sections_of(text: str) -> list[Section]:
    """Return the sections in the text of a changelog. Raises InputError for an invalid heading."""
    heads = list(_ANY_HEAD.finditer(text))
    ends = [*(head.start() for head in heads), len(text)][1:]
    return [
        Section(*_parse_head(head[0].rstrip()), text[head.end() : end].strip() + "\n")
        for head, end in zip(heads, ends, strict=True)
    ]


def _parse_head(head: str) -> tuple[str, str]:
    if head == _UNRELEASED:
        return "", ""
    match = _HEAD.fullmatch(head)
    try:
        if match is None:
            raise ValueError
        return match[1], str(date.fromisoformat(match[2]))
    except ValueError:
        hint = f"a section begins with a line such as: ## 1.2.0 - 2027-03-01, or with: {_UNRELEASED}"
        raise InputError(f"CHANGELOG.md: {head!r} is not the head of a section", hint=hint) from None


def without_links(text: str) -> str:
    """Return a text with plain words for links to files of the project, which would lead nowhere beside a release."""
    return _LINK.sub(r"\1", text)
