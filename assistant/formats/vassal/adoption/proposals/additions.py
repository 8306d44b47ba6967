"""New proposals for a mapping that the player has corrected. The player's entries stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import tomli
import tomlkit
from tomlkit.items import Comment, Table

from .....util.datafiles import write_toml_value
from .....util.errors import InputError
from .candidates import Proposal
from .draft import MappingDraft, write_map, write_proposal

if TYPE_CHECKING:
    from tomlkit.items import Item, Key

    Body = list[tuple[Key | None, Item]]
    """The entries and comments under a heading, in order."""

_RENEWED = ("version", "game", "folder")
"""Entries at the head of a mapping that are always updated."""

_HINT = "write each section under a single heading, one entry per line; or start over with --force"


def add_proposals(text: str, draft: MappingDraft) -> tuple[str, Mapping[str, Sequence[Proposal]]]:
    """Return a mapping with the entries that only a draft has, and these new entries by section.

    The mapping gets the draft's version and folder.

    A new entry replaces the comment that left it to the player. Others are added at the end of their sections.

    `text`: the mapping as the player has corrected it.

    Raises InputError if an entry cannot be added without other changes.
    """
    line_end = "\r\n" if "\r\n" in text else "\n"
    plain = text.replace("\r\n", "\n")
    try:
        document = tomlkit.parse(plain if plain.endswith("\n") else f"{plain}\n")
    except ValueError as error:
        raise InputError(f"nothing can be added: {error}", hint=_HINT) from None
    new = {section: _find_missing(document.get(section), proposals) for section, proposals in draft.sections.items()}
    appended_lines: list[str] = []
    for section, proposals in new.items():
        table = document.get(section)
        if section == "maps":
            appended_lines += [line for proposal in proposals for line in ("", *write_map(proposal))]
        elif isinstance(table, Table):
            _add(table.value.body, proposals)
        elif proposals:
            appended_lines += ["", f"[{section}]", *map(write_proposal, proposals)]
    missing = [name for name in _RENEWED if name not in document]
    for name in _RENEWED:
        if name not in missing:
            document[name] = draft.head[name]
    for name in missing:  # last, because insertions shift the entries that `document` finds by name
        if draft.head[name]:
            names = [key.key if key else "" for key, _ in document.body]
            place = names.index("game") + 1
            document.body[place:place] = _parse_line(f"{name} = {write_toml_value(draft.head[name])}")
    new = {section: proposals for section, proposals in new.items() if proposals}
    result = "\n".join([document.as_string().rstrip(), *appended_lines]) + "\n"
    try:
        tomli.loads(result)
    except ValueError:
        named = ", ".join(f"[{section}]" for section in new)
        raise InputError(f"the new entries cannot be added to {named}", hint=_HINT) from None
    return result.replace("\n", line_end), new


def _find_missing(table: object, proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return the proposals that a section lacks, except those still left to the player."""
    names_present = set(table) if isinstance(table, Mapping) else set()
    names_in_comments = set(map(_read_left_name, table.value.body)) if isinstance(table, Table) else set()
    return [
        proposal
        for proposal in proposals
        if proposal.name not in names_present and (proposal.sure or proposal.name not in names_in_comments)
    ]


def _add(body: Body, proposals: Iterable[Proposal]) -> None:
    """Add entries to a section: in place of the comments that left them to the player, or after the last entry."""
    places_of_comments = {_read_left_name(item): number for number, item in enumerate(body)}
    end = max((number for number, item in enumerate(body, 1) if item[0] or _read_left_name(item)), default=0)
    added: Body = []
    for proposal in proposals:
        if (place := places_of_comments.get(proposal.name)) is not None:
            body[place : place + 1] = _parse_line(write_proposal(proposal))
        else:
            added += _parse_line(write_proposal(proposal))
    body[end:end] = added


def _read_left_name(item: tuple[Key | None, Item]) -> str:
    """Return the name of the entry in a comment, or "" for anything else."""
    if not isinstance(item[1], Comment):
        return ""
    text = item[1].as_string().lstrip("# ")
    try:
        entries = {} if text.startswith("[") else tomli.loads(text)
    except ValueError:
        return ""
    return next(iter(entries)) if len(entries) == 1 else ""


def _parse_line(line: str) -> Body:
    return tomlkit.parse(f"{line}\n").body
