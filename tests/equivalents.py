"""The faults that no test can notice, since they change nothing that anyone could observe: equivalent_mutants.toml lists them, each with
its reason. `[[mutant]]` is one that `make rules` puts in, `[[fault]]` one of `make faults`."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from .credited import Function
from .mutants import Mutant

LISTED = Path(__file__).parent / "equivalent_mutants.toml"


class Equivalents:
    """Those that a file lists."""

    def __init__(self, file: Path) -> None:
        self._listed = {
            kind: {(entry["function"], entry["before"], entry["after"]) for entry in entries}
            for kind, entries in tomllib.loads(file.read_text("utf-8")).items()
        }
        self._met: set[tuple[str, str, str]] = set()
        self.names = {name for listed in self._listed.values() for name, _, _ in listed}
        """The names of their functions."""

    def has(self, function: Function, mutant: Mutant) -> bool:
        """Whether a fault is listed; by the name of the function alone, which may move to another module."""
        key = (function.name, mutant.before, mutant.after)
        self._met.add(key)
        return any(key in listed for listed in self._listed.values())

    def lost(self, functions: Iterable[Function]) -> list[str]:
        """Those listed whose function, or what it would change there, is no longer among some functions."""
        every = sorted(key for listed in self._listed.values() for key in listed)
        texts: dict[str, str] = {}
        for function in (function for function in functions if function.name in self.names):
            lines = ast.unparse(function.tree).splitlines()
            texts[function.name] = f"{texts.get(function.name, '')} {' '.join(line.strip() for line in lines)}"

        def is_there(name: str, before: str) -> bool:
            constant = re.match(r"(?:\w+\.)?([A-Z_]+): ", before)
            return (constant[1] if constant else before) in texts.get(name, "")

        return [f"{name}: {before}" for name, before, _ in every if not is_there(name, before)]

    def stale(self, kind: Literal["mutant", "fault"]) -> list[str]:
        """Those of a kind that were not met, among the functions that were gone through."""
        left = sorted(self._listed.get(kind, set()) - self._met)
        return [f"{name}: {before} -> {after}" for name, before, after in left]
