"""What answers say, as a table that a person can read: `messages.toml` of a game, or of the kit."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from ..util.datafiles import read_toml
from ..util.errors import CodeError, nearest
from .report import Step, step

FILE = "messages.toml"


def read_messages(folder: Traversable) -> dict[str, str]:
    """The templates of a table by chapter and name, none without one. Raises InputError for a file that cannot be read."""
    file = folder / FILE
    table = read_toml(file, dict[str, dict[str, str]]) if file.is_file() else {}
    return {f"{chapter}.{name}": text for chapter, said in table.items() for name, text in said.items()}


class Messages:
    """The messages of one table, each a template by its chapter and name: `battle.combat`. They are read when the first is said.

    package: the one beside whose modules the file lies.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    @cached_property
    def templates(self) -> dict[str, str]:
        """The templates by chapter and name. Raises InputError for a file that cannot be read."""
        return read_messages(files(self.package))

    def __call__(self, rule: str, name: str, *holders: object, **figures: object) -> Step:
        """A step that says a message; its figures are looked up as those of `step`. Raises CodeError for an unknown message."""
        if (template := self.templates.get(name)) is None:
            raise CodeError(f"{FILE} of {self.package} has no message {name!r}", nearest(name, [*self.templates]))
        return step(rule, template, *holders, **figures)
