"""The messages of answers, from the `messages.toml` of a game, or from the one beside this module for all games."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated

import msgspec

from ..util.datafiles import read_toml
from ..util.errors import CodeError, nearest
from ..util.files import package_folder
from ..util.notes import note
from .report import Step, Verdict, VerdictKind, step

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FILE = "messages.toml"
"""The name of a file of messages."""


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message with two wordings."""

    full: Annotated[str, note("the wording in the working")]
    brief: Annotated[str, note("the wording in a list or within another message")]


def read_messages(folder: Traversable) -> dict[str, str]:
    """Return the templates of the messages in a folder by `CHAPTER.NAME`, brief ones by `CHAPTER.NAME.brief`.

    Returns an empty dictionary if the folder has no messages. Raises InputError if their file is faulty.
    """
    file = folder / FILE
    table = read_toml(file, dict[str, dict[str, str | Wording]]) if file.is_file() else {}
    wordings = {
        f"{chapter}.{name}": wording for chapter, messages in table.items() for name, wording in messages.items()
    }
    brief = {f"{name}.brief": wording.brief for name, wording in wordings.items() if isinstance(wording, Wording)}
    return {name: wording if isinstance(wording, str) else wording.full for name, wording in wordings.items()} | brief


class Messages:
    """The messages of one table, read at the first use: templates by chapter and name, `battle.combat`."""

    def __init__(self, package: str) -> None:
        self.package = package

    @cached_property
    def templates(self) -> dict[str, str]:
        """The templates by chapter and name. Raises InputError if the file is faulty."""
        return read_messages(package_folder(self.package))

    def __call__(self, rule: str, name: str, *holders: object, **figures: object) -> Step:
        """Return a step with a message; its figures are as in `step`. Raises CodeError for an unknown message."""
        if (template := self.templates.get(name)) is None:
            raise CodeError(f"{FILE} of {self.package} has no message {name!r}", nearest(name, [*self.templates]))
        return step(rule, template, *holders, **figures)

    def verdict(self, kind: VerdictKind, name: str, *holders: object, **figures: object) -> Verdict:
        """Return a verdict with a message. Raises CodeError if there is no such message."""
        message = self("", name, *holders, **figures)
        return Verdict(kind, message.template, message.figures)

    def brief(self, name: str, *holders: object, **figures: object) -> str:
        """Return the brief wording of a message, for a list. Raises CodeError if there is none."""
        return self("", f"{name}.brief", *holders, **figures).text


SAY = Messages(__package__)
"""The messages of answers that all games share."""
