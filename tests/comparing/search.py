"""Cases of a search tried one after the other, or in several processes, with one report of what is wrong with them."""

from __future__ import annotations

import os
import re
import sys
import time
import tomllib
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib import import_module
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

from ..making.shrinking import shrink
from ..runs import ROOT, keep_tables, record
from . import SEARCHES

KEPT = ROOT / "build"
ALLOWED = Path(__file__).parent / "allowed.toml"
MAX_COUNTS = 60
"""The number of things seen that the table of a run lists."""
EXAMPLE_CHARS = 1500
"""The length at which the example of a kind of faults is cut."""


class Row(NamedTuple):
    """The row of a search in docs/maintaining/runs.md.

    `tried`, `found`: texts in which `{cases}`, `{faults}` and what was seen stand for their numbers.
    """

    name: str
    tried: str
    found: str
    least: int = 1000
    """The number of cases from which on a run is recorded."""


class Search(NamedTuple):
    """Made-up cases, and what must hold of each."""

    name: str
    make: Callable[[int, int], Any]
    """Makes the case of a number and a seed, the same each time."""
    find_faults: Callable[[Any, Counter[str]], Iterable[str]]
    """Yields what is wrong with a case, and counts what it has seen."""
    cases: int
    seed: int = 1914
    write: Callable[[Any], str] = str
    """Returns a case as a text that is kept if something is wrong with it: notation, if it is a position."""
    smaller: Callable[[Any], Iterable[Any]] | None = None
    """Yields a case without one thing each, or None if cases are not made smaller."""
    row: Row | None = None
    chunk: int = 10
    """The number of cases that a process tries at a time."""


class Allowed(NamedTuple):
    """A fault that is meant. `pattern`: found in its words."""

    search: str
    pattern: str
    reason: str


class Tried(NamedTuple):
    """What was seen in some cases, what is wrong with them, and which allowed faults occurred."""

    seen: Counter[str]
    wrong: list[str]
    allowed: Counter[Allowed]


def find_search(name: str) -> Search:
    """Return a search by its name. Raises KeyError if there is none."""
    search: Search = import_module(SEARCHES[name].module).SEARCH
    return search


@cache
def read_allowed() -> tuple[Allowed, ...]:
    """Return the table of allowed faults."""
    rows = tomllib.loads(ALLOWED.read_text("utf-8"))
    return tuple(Allowed(search, **row) for search, entries in rows.items() for row in entries)


def tried(search: Search, numbers: Iterable[int], seed: int | None = None, *, keeps: bool = False) -> Tried:
    """Try the cases with some numbers. `seed`: or None for that of the search. `keeps`: whether those at fault are kept in `build`."""
    seed = search.seed if seed is None else seed
    found = Tried(Counter(), [], Counter())
    for number in numbers:
        case = None
        try:
            case = search.make(number, seed)
            faults = list(search.find_faults(case, found.seen))
        except Exception as error:  # whatever the program does, the case is kept
            faults = [f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-3)}"]
        found.seen["cases"] += 1
        known = {fault: next(_list_allowed(search, fault), None) for fault in faults}
        found.allowed.update(entry for entry in known.values() if entry)
        wrong = [fault for fault, entry in known.items() if entry is None]
        found.wrong.extend(f"{search.name} {number}: {fault}" for fault in wrong)
        if wrong:
            found.seen["cases at fault"] += 1
        if wrong and keeps and case is not None:
            keep(search, f"{seed}-{number}", case, wrong)
    return found


def _list_allowed(search: Search, fault: str) -> Iterator[Allowed]:
    return (entry for entry in read_allowed() if entry.search == search.name and re.search(entry.pattern, fault))


def kind_of(fault: str) -> str:
    """Return the kind of a fault: its first words without names and numbers."""
    return re.sub(r"[\"'(\[{]?\S*\d\S*", "#", fault.partition("\n")[0])[:80]


def keep(search: Search, name: str, case: Any, faults: list[str]) -> None:
    """Write a case at fault into `build/NAME`, and beside it the smallest one that still has its first fault."""
    kept = {name: (case, faults)}
    if search.smaller:
        kind = kind_of(faults[0])

        def fails(one: Any) -> bool:
            try:
                return any(kind_of(fault) == kind for fault in search.find_faults(one, Counter()))
            except Exception as error:
                return kind_of(f"{type(error).__name__}: {error}") == kind

        kept[f"{name}-small"] = shrink(case, search.smaller, fails), faults[:1]
    folder = KEPT / search.name
    folder.mkdir(parents=True, exist_ok=True)
    for file, (one, found) in kept.items():
        comments = "".join(f"# {line}\n" for fault in found for line in fault.splitlines())
        (folder / f"{file}.pos").write_text(comments + search.write(one), "utf-8")


def _try_chunk(name: str, numbers: range, seed: int) -> Tried:
    """Try some cases without the data that the user of this machine keeps."""
    with TemporaryDirectory() as folder, patch.dict(os.environ, FIELD_STAFF_DATA=folder):
        return tried(find_search(name), numbers, seed, keeps=True)


def run(name: str, count: int | None = None, seed: int | None = None, first: int = 0) -> int:
    """Try the cases of a search in several processes, print and record what was found. Returns 1 if anything is wrong, else 0.

    `count`, `seed`: or None for those of the search. `first`: the number of the first case.
    """
    search = find_search(name)
    count, seed = (own if each is None else each for own, each in ((search.cases, count), (search.seed, seed)))
    chunks = [range(at, min(at + search.chunk, first + count)) for at in range(first, first + count, search.chunk)]
    seen, wrong, allowed, begun = Counter[str](), list[str](), Counter[Allowed](), time.monotonic()
    with ProcessPoolExecutor() as pool:
        for found in pool.map(_try_chunk, repeat(name), chunks, repeat(seed)):
            seen += found.seen
            wrong += found.wrong
            allowed += found.allowed
            print(*found.wrong, sep="\n", end="\n" if found.wrong else "", flush=True)
    text = write_report(seen, wrong, allowed)
    print(text, f"{time.monotonic() - begun:.0f} s", sep="\n")
    keep_tables(name, text)
    if count >= search.cases and not first:
        unused = [entry for entry in read_allowed() if entry.search == name and not allowed[entry]]
        print(*(f"allowed in vain: {entry.pattern} ({entry.reason})" for entry in unused), sep="\n")
    if search.row and count >= search.row.least and not first:
        figures: Mapping[str, object] = {**seen, "faults": len(wrong)}
        made, found_in_it = (each.format_map(_Figures(figures)) for each in (search.row.tried, search.row.found))
        record(search.row.name, made, found_in_it, f"make explore WHAT={name} COUNT={count} SEED={seed}")
    return int(bool(wrong))


class _Figures(dict[str, object]):
    """What was seen, 0 of what was not."""

    def __missing__(self, key: str) -> int:
        return 0


def write_report(seen: Counter[str], wrong: list[str], allowed: Counter[Allowed]) -> str:
    """Return the tables of a run: what was seen, and the faults by kind with an example of each."""
    often = seen.most_common(MAX_COUNTS)
    lines = ["| | |", "| --- | ---: |", *(f"| {name} | {many:,} |" for name, many in often)]
    if others := seen.total() - sum(many for _, many in often):
        lines.append(f"| {len(seen) - MAX_COUNTS} others | {others:,} |")
    lines += [f"| allowed: {entry.reason} | {many:,} |" for entry, many in allowed.items()]
    lines.append(f"| faults | {len(wrong)} |")
    kinds = defaultdict[str, list[str]](list)
    for fault in wrong:
        kinds[kind_of(fault.partition(": ")[2])].append(fault)
    for kind, examples in sorted(kinds.items(), key=lambda item: -len(item[1])):
        lines += ["", f"{len(examples)}: {kind}", f"    {examples[0][:EXAMPLE_CHARS]}"]
    return "\n".join([*lines, ""])


def main(words: list[str]) -> int:
    """Run a search by the words of a command, `-` for a number of its own. Returns 3 for a wrong name."""
    if not words or words[0] not in SEARCHES:
        print(f"python -m tests.comparing NAME [COUNT] [SEED] [FIRST], NAME of: {', '.join(SEARCHES)}", file=sys.stderr)
        return 3
    count, seed, first = (None if word == "-" else int(word) for word in [*words[1:], "-", "-", "-"][:3])
    return run(words[0], count, seed, first or 0)
