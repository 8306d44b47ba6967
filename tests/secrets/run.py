"""Pairs of positions that differ only in what is hidden from a side: it gets the same of both, byte for byte.

That is what is printed on both streams, the exit code and every file that is written.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..comparing.search import Row, Search
from . import telling
from .telling import Told


class Made(NamedTuple):
    """A pair, and how much of each kind is hidden in it."""

    pair: Any
    kinds: Counter[str]


Teller = Callable[[Any, int, Path], list[Told]]
"""Runs the commands of a pair on one of its positions, in a folder."""


def make_search(
    name: str, make: Callable[[int, int], tuple[Any, Counter[str]]], told: Teller, row: str, cases: int = 1000
) -> Search:
    """Return the search with the pairs of `make`. `row`: the run as which its figures are recorded."""

    def find_faults(made: Made, seen: Counter[str]) -> Iterator[str]:
        both = made.pair
        with tempfile.TemporaryDirectory() as folder:
            one, other = (told(both, which, Path(folder, "mail")) for which in (0, 1))
        seen.update({f"pairs {both.ending}": 1, "commands": 2 * len(both.commands)})
        seen["pairs that differ"] += both.files[0] != both.files[1]
        seen["with limits"] += bool(getattr(both, "limits", {}))
        seen["refused"] += 2 * sum(done.exit == 3 for done in one)
        seen["files written"] += 2 * sum(len(done.files) for done in one)
        seen.update({f"hidden: {kind}": count for kind, count in made.kinds.items()})
        for command, here, there in zip(both.commands, one, other, strict=True):
            if here != there:
                yield f"{command[0]} tells a different byte: {' '.join(command)}, {both.ending}\n{first_difference(here, there)}"

    recorded = Row(row, "{cases:,} pairs, {commands:,} commands", "{faults} differed in a byte", cases)
    return Search(name, lambda number, seed: Made(*make(number, seed)), find_faults, cases, row=recorded, chunk=50)


def first_difference(one: Told, other: Told) -> str:
    """Return the first line that differs, or the names of the files that do."""
    for name in ("exit", "out", "err"):
        here, there = str(getattr(one, name)).split("\n"), str(getattr(other, name)).split("\n")
        for line, beside in zip([*here, ""], [*there, ""], strict=False):
            if line != beside:
                return f"{name}: {line}\n{name}: {beside}"
    named = [name for name in {**one.files, **other.files} if one.files.get(name) != other.files.get(name)]
    return f"files: {', '.join(named)}"


def make_pair(number: int, seed: int) -> tuple[telling.Pair, Counter[str]]:
    """Make a pair of Twilight in the East."""
    pair = telling.pair(number, seed)
    return pair, sum((Counter(world.kinds) for world in pair.worlds), Counter({"by settings": pair.settings}))


SEARCH = make_search("secrets", make_pair, telling.told, "Secrets", 5000)
