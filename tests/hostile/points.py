"""Which calls of a command fail (failures.py): all of those that touch what is the user's, and a share of those that every command makes.

The program's own files, and those of Python, are read by many commands in the same way. So each call at each of them fails in one of
the commands that make it, which is drawn by chance and the same each time.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar
from zlib import crc32

import msgspec

from .interposer import Call

Key = TypeVar("Key")

ROOT = Path(__file__).parents[2]
FOLDER = "FOLDER"
"""What the folder of a run is called in the list of its calls."""
IN_FULL = 1_000_000
SAMPLES = {"objects": 10, "blocks": 5}
"""How many of the calls for memory fail, one out of each of as many equal parts of a run: once, and with all after them."""
MOST_SHARED = 80
"""How many calls of a kind at the program's own files fail in a command at most."""
MOST_IN_FULL, OF_MORE = 250, 100
"""If a command writes more often, one call out of each of as many equal parts fails, once and with all after it."""
FOR_GOOD = {"reads": 6, "imports": 3}
"""How many calls by which a command reads or imports fail with all after them."""
SEED = 1914
_MADE_UP = re.compile(r"\.field-staff-[0-9a-f]+")
"""Names that differ from run to run."""
_NEW_GAME = f"{FOLDER}/heath"
"""The game that `module-builder new` makes, which is the same in each command."""
_OF_A_MODULE = re.compile(r"(__pycache__/)?([^/.]*)[^/]*$")
"""The files of a module have the same name up to the first point."""


class Points(msgspec.Struct, frozen=True):
    """The numbers of the calls of a kind that fail: once, and with all after them."""

    once: list[int]
    for_good: list[int]


class Share(NamedTuple):
    """Which calls at the program's own files fail in a command, each as its name and file, and which modules fail to load."""

    reads: frozenset[tuple[str, str]] = frozenset()
    imports: frozenset[str] = frozenset()


def is_of_user(call: Call) -> bool:
    """Whether the file of a call is the user's: in the folder of the run, and none of a new game."""
    return not call.path.startswith(("/", _NEW_GAME, _NEW_GAME.removeprefix(f"{FOLDER}/")))


def module_of(call: Call) -> str:
    """The module that a call seeks or loads: its path without the ending."""
    return _OF_A_MODULE.sub(r"\2", call.path)


def located(calls: Iterable[Call], folder: Path) -> list[Call]:
    """Calls with their files named alike in each run and each place. folder: of the run."""
    named = ((call, call.path.replace(str(folder), FOLDER).replace(str(ROOT), "/ROOT")) for call in calls)
    return [call._replace(path=_MADE_UP.sub(".field-staff-", path)) for call, path in named]


def share_out(calls: Mapping[str, Sequence[Call]]) -> dict[str, Share]:
    """The share of each command: each call at each file of the program, and each module, falls to one of the commands that read or load
    it. calls: those of reads and imports of each command.
    """
    reads, imports = dict[tuple[str, str], dict[str, None]](), dict[str, dict[str, None]]()
    for name, made in calls.items():
        for call in made:
            if call.kind == "imports":
                imports.setdefault(module_of(call), {})[name] = None
            elif not is_of_user(call):
                reads.setdefault((call.name, call.path), {})[name] = None
    of_reads = {key: _drawn(str(key), names) for key, names in reads.items()}
    of_imports = {key: _drawn(key, names) for key, names in imports.items()}
    return {
        name: Share(
            frozenset(key for key, drawn in of_reads.items() if drawn == name),
            frozenset(key for key, drawn in of_imports.items() if drawn == name),
        )
        for name in calls
    }


def _drawn(key: str, names: Iterable[str]) -> str:
    """The command to which something falls, the same each time."""
    return min(names, key=lambda name: crc32(f"{key} {name}".encode()))


def points_of(kind: str, count: int, calls: Sequence[Call], share: Share | None = None, most: int = IN_FULL) -> Points:
    """Which of the calls of a kind fail. count: how many there are; calls: those of reads and imports; share: that of the command in
    those at the program's own files, None for all; most: at most so many.

    Of reads the first and the last of each call at each file of the user, and the first or the last of each that falls to the command;
    of imports one of the calls by which each module is sought and loaded that falls to it; of memory one out of each of as many parts as
    `SAMPLES` says; of the others all, or one out of each of `OF_MORE` parts if they are more than `MOST_IN_FULL`.
    """
    if kind == "reads":
        once = sorted({*_at_files_of_user(calls), *sampled(_at_own_files(calls, share), MOST_SHARED)})
        firsts = sorted(numbers[0] for numbers in group(calls, lambda call: call.path).values())
    elif kind == "imports":
        once = sampled(_at_modules(calls, share), MOST_SHARED)
        firsts = sorted(numbers[0] for numbers in group(calls, module_of).values())
    else:
        once = firsts = sampled(range(1, count + 1), SAMPLES.get(kind, IN_FULL if count <= MOST_IN_FULL else OF_MORE))
    return Points(sampled(once, most), sampled(firsts, min(most, FOR_GOOD.get(kind, IN_FULL))))


def _at_files_of_user(calls: Sequence[Call]) -> list[int]:
    at_files = group(filter(is_of_user, calls), lambda call: (call.name, call.path))
    return [number for numbers in at_files.values() for number in {numbers[0], numbers[-1]}]


def _at_own_files(calls: Sequence[Call], share: Share | None) -> list[int]:
    """The first or the last of each call at each file of the program that falls to a command, by chance."""
    own = group((call for call in calls if not is_of_user(call)), lambda call: (call.name, call.path))
    return sorted(
        numbers[-(crc32(str(key).encode()) % 2)] for key, numbers in own.items() if share is None or key in share.reads
    )


def _at_modules(calls: Sequence[Call], share: Share | None) -> list[int]:
    """One of the calls at each module that falls to a command, by chance."""
    modules = group(calls, module_of)
    return sorted(
        numbers[crc32(module.encode()) % len(numbers)]
        for module, numbers in modules.items()
        if share is None or module in share.imports
    )


def group(calls: Iterable[Call], key: Callable[[Call], Key]) -> dict[Key, list[int]]:
    """The numbers of calls that have something in common, by it, in the order of the first of each."""
    groups: dict[Key, list[int]] = {}
    for call in calls:
        groups.setdefault(key(call), []).append(call.number)
    return groups


def sampled(numbers: Sequence[int], most: int) -> list[int]:
    """All of some numbers if there are no more than `most`, else one by chance out of each of as many parts."""
    if len(numbers) <= most:
        return list(numbers)
    chance = random.Random(f"{SEED} {len(numbers)} {most}")
    bounds = [part * len(numbers) // most for part in range(most + 1)]
    return [numbers[chance.randrange(low, high)] for low, high in pairwise(bounds)]
