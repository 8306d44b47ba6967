"""New proposals, added to a mapping that the player has corrected: what he wrote stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import tomli

from .....util.errors import InputError
from .draft import Draft, entry, map_entry, toml
from .proposal import Proposal

_RENEWED = ("version", "folder")
"""The entries at the head of a mapping that are always the newest: which version was looked at, and where the game is."""


class Amended(NamedTuple):
    """The text of a mapping with what is new, and the new entries by section."""

    text: str
    new: Mapping[str, Sequence[Proposal]]


class _Statement(NamedTuple):
    """A heading, an entry, a comment or an empty line, which may go over several lines: first to last, without the last.

    section: the heading that it stands under; name: of an entry; left: whether it is one in a comment.
    """

    first: int
    last: int
    section: tuple[str, ...]
    name: str = ""
    left: bool = False


def amended(text: str, draft: Draft) -> Amended:
    """A mapping with the entries of a draft that it does not have, and the draft's version and folder. text: that can be read.

    What was left to the player in a comment gives way to an entry that is found now. Other new entries stand at the end of their sections.

    Raises InputError if an entry cannot be added without a change to what is there.
    """
    data, lines = tomli.loads(text), text.split("\n")
    statements = list(_statements(lines))
    left = {(*one.section, one.name): one for one in statements if one.left}
    new = {
        section: [
            one
            for one in proposals
            if one.name not in data.get(section, {}) and (one.sure or (section, one.name) not in left)
        ]
        for section, proposals in draft.sections.items()
    }
    changed: dict[int, list[str]] = {}  # what stands in place of a line
    ends: dict[int, list[str]] = {}  # what stands before one
    behind: list[str] = []
    for section, proposals in new.items():
        added = []
        for one in proposals:
            if section == "maps":
                behind += ["", *map_entry(one)]
            elif (there := left.get((section, one.name))) is not None:
                changed[there.first] = [entry(one)]
            else:
                added.append(entry(one))
        end = max((one.last for one in statements if one.section == (section,)), default=None)
        if added and end is None:
            behind += ["", f"[{section}]", *added]
        elif end is not None:
            ends[end] = added
    heads = {one.name: one for one in statements if not (one.section or one.left)}
    for name in _RENEWED:
        line = f"{name} = {toml(draft.head[name])}"
        if name in heads:
            changed[heads[name].first] = [line]
        elif draft.head[name] and name not in data:
            ends.setdefault(heads["game"].last, []).append(line)
    found = [
        line
        for number, before in enumerate([*lines, None])
        for line in (*ends.get(number, ()), *changed.get(number, [] if before is None else [before]))
    ]
    result = "\n".join([*"\n".join(found).rstrip().split("\n"), *behind]) + "\n"
    _check(result, data, draft, new)
    return Amended(result, {section: proposals for section, proposals in new.items() if proposals})


def _statements(lines: Sequence[str]) -> Iterator[_Statement]:
    """The statements of a file: each is the fewest lines that can be read by themselves. Comments and empty lines stand under no heading."""
    first, section = 0, tuple[str, ...]()
    for last in range(1, len(lines) + 1):
        data = _read("\n".join(lines[first:last]))
        if data is None:
            continue
        line = lines[first].strip()
        if line.startswith("["):
            section = tuple(_keys(data))
            yield _Statement(first, last, section)
        elif data:
            yield _Statement(first, last, section, next(iter(data)))
        elif len(found := _read(line.lstrip("# ")) or {}) == 1 and not line.lstrip("# ").startswith("["):
            yield _Statement(first, last, section, next(iter(found)), left=True)
        first = last


def _read(text: str) -> dict[str, Any] | None:
    try:
        return tomli.loads(text + "\n")
    except ValueError:
        return None


def _keys(data: Mapping[str, Any]) -> Iterator[str]:
    """The parts of a heading."""
    for name, below in data.items():
        yield name
        if isinstance(below, Mapping):
            yield from _keys(below)


def _check(text: str, before: Mapping[str, Any], draft: Draft, new: Mapping[str, Sequence[Proposal]]) -> None:
    """Raise InputError unless a text holds what was there before, and the new entries."""
    wanted: dict[str, Any] = {**before}
    wanted |= {name: draft.head[name] for name in _RENEWED if name in before or draft.head[name]}
    for section, proposals in new.items():
        if found := {one.name: one.value for one in proposals if one.sure or section == "maps"}:
            wanted[section] = {**before.get(section, {}), **tomli.loads(f"_ = {toml(found)}")["_"]}
    has = _read(text)
    if has is None or {name: one for name, one in has.items() if one != {}} != {
        name: one for name, one in wanted.items() if one != {}
    }:
        sections = ", ".join(f"[{section}]" for section, proposals in new.items() if proposals) or "`version`"
        hint = "write each section under one heading, with one entry to a line; or begin anew with --force"
        raise InputError(f"the new entries cannot be added to {sections}", hint=hint)
