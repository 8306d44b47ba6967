"""Which calls of a command fail (failures.py): all of those that touch what is the user's, and a share of those that every command makes.

The program's own files, and those of Python, are read by many commands in the same way. So each call at each of them fails in a few of
the commands that make it, which are drawn by chance and the same each time.
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
SAMPLES = {"objects": 20, "blocks": 10}
"""How many of the calls for memory fail, one out of each of as many equal parts of a run."""
IMPORTS_FOR_GOOD = 4
"""How many of the imports of a command fail with all after them."""
COMMANDS_EACH = 2
"""In how many commands a call at a file of the program fails."""
SEED = 1914
_MADE_UP = re.compile(r"\.field-staff-[0-9a-f]+")
"""Names that differ from run to run."""


class Points(msgspec.Struct, frozen=True):
    """The numbers of the calls of a kind that fail: once, and with all after them."""

    once: list[int]
    for_good: list[int]


class Share(NamedTuple):
    """Which calls at the program's own files fail in a command, each as its name and file: the first of them there, the last, the first
    with all after it; and of which files an import fails.
    """

    first: frozenset[tuple[str, str]]
    last: frozenset[tuple[str, str]]
    for_good: frozenset[str]
    imports: frozenset[str]


def is_of_user(call: Call) -> bool:
    """Whether the file of a call is the user's: in the folder of the run."""
    return not call.path.startswith("/")


def located(calls: Iterable[Call], folder: Path) -> list[Call]:
    """Calls with their files named alike in each run and each place. folder: of the run."""
    named = ((call, call.path.replace(str(folder), FOLDER).replace(str(ROOT), "/ROOT")) for call in calls)
    return [call._replace(path=_MADE_UP.sub(".field-staff-", path)) for call, path in named]


def share_out(calls: Mapping[str, Sequence[Call]]) -> dict[str, Share]:
    """The share of each command. calls: those of reads and imports of each.

    Each call at each file of the program falls to `COMMANDS_EACH` of the commands that make it: in one its first fails, in the other its
    last, and both in the same where only one makes it. Each file falls to one command to fail for good, and to one to fail as an import.
    """
    makers: dict[tuple[str, str, str], list[str]] = {}
    for name, made in calls.items():
        for call in made:
            if not is_of_user(call):
                keys = (call.kind, call.name, call.path), (call.kind, "", call.path)
                for key in keys:
                    if name not in (known := makers.setdefault(key, [])):
                        known.append(name)
    first, last = ({name: set[tuple[str, str]]() for name in calls} for _ in range(2))
    for_good, imports = ({name: set[str]() for name in calls} for _ in range(2))
    for (kind, call, path), names in makers.items():
        drawn = sorted(names, key=lambda name: crc32(f"{kind} {call} {path} {name}".encode()))[:COMMANDS_EACH]
        if kind == "imports":
            if not call:
                imports[drawn[0]].add(path)
        elif call:
            first[drawn[0]].add((call, path))
            last[drawn[-1]].add((call, path))
        else:
            for_good[drawn[0]].add(path)
    return {
        name: Share(frozenset(first[name]), frozenset(last[name]), frozenset(for_good[name]), frozenset(imports[name]))
        for name in calls
    }


def points_of(kind: str, count: int, calls: Sequence[Call], share: Share | None = None, most: int = IN_FULL) -> Points:
    """Which of the calls of a kind fail. count: how many there are; calls: those of reads and imports; share: that of the command in
    those at the program's own files, None for all; most: at most so many.

    Of reads every one at the user's files, and with all after it the first of each call at each; of imports one at each file, by turns
    its first, its second and so on; of memory one out of each of as many parts as `SAMPLES` says; all of the others.
    """
    if kind == "reads":
        return _points_of_reads(calls, share, most)
    if kind == "imports":
        by_file = group(calls, lambda call: call.path)
        once = sorted(
            numbers[crc32(path.encode()) % len(numbers)]
            for path, numbers in by_file.items()
            if share is None or path in share.imports
        )
        all_files = sorted(numbers[0] for numbers in by_file.values())
        return Points(sampled(once, most), sampled(all_files, min(most, IMPORTS_FOR_GOOD)))
    numbers = sampled(range(1, count + 1), min(most, SAMPLES.get(kind, IN_FULL)))
    return Points(numbers, numbers)


def _points_of_reads(calls: Sequence[Call], share: Share | None, most: int) -> Points:
    of_user = [call for call in calls if is_of_user(call)]
    own = [call for call in calls if not is_of_user(call)]
    once = {call.number for call in of_user}
    for_good = {numbers[0] for numbers in group(of_user, lambda call: (call.name, call.path)).values()}
    for key, numbers in group(own, lambda call: (call.name, call.path)).items():
        once |= {numbers[0]} if share is None or key in share.first else set()
        once |= {numbers[-1]} if share is None or key in share.last else set()
    for path, numbers in group(own, lambda call: call.path).items():
        for_good |= {numbers[0]} if share is None or path in share.for_good else set()
    return Points(sampled(sorted(once), most), sampled(sorted(for_good), most))


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
