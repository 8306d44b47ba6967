"""Every command with calls that fail: the n-th by which it reads, writes or allocates, for every n, once and for good.

Each time it says so in a line or two and ends with the fitting exit code, nothing is lost and nothing half written, and the next run
works and gives what a run without failures gives. `make failures` does this for all commands and writes docs/maintaining/failures.md.
"""

from __future__ import annotations

import argparse
import errno
import os
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import msgspec

from .commands import READING, WRITING, Command, Tree, left, prepared, tree
from .interposer import KINDS, MEMORY, Fault, Nursery, Run, build_interposer, loaded_by

COMMANDS: dict[str, Command] = WRITING | READING
UNUSABLE, ABORTED = 3, -6
ERRORS = {
    "reads": (errno.EIO, errno.EACCES),
    "writes": (errno.ENOSPC, errno.EIO, errno.EACCES),
    "input": (errno.EIO,),
    "output": (errno.ENOSPC, errno.EPIPE, errno.EIO),
    "imports": (errno.EIO, errno.EACCES),
    "objects": (errno.ENOMEM,),
    "blocks": (errno.ENOMEM,),
}
SEED = 1914


class Seen(msgspec.Struct, frozen=True):
    """What a run leaves for its user: its exit code, what it has printed, and the files."""

    code: int
    told: bytes
    complained: bytes
    tree: Tree
    stays: list[str]


class Failure(Exception):
    """A run that did not do what it should have done."""


class Trial:
    """A command in a folder of its own, tried again and again with other calls that fail.

    template: the folder as it is before the command; calm: what a run without failures leaves; counts: its calls by kind.
    """

    def __init__(self, name: str, place: Path, cold: Nursery, warm: Nursery) -> None:
        self.name, self.command, self.place = name, COMMANDS[name], place
        self.cold, self.warm = cold, warm
        self.template, self.folder = place / "template", place / "here"
        prepared(self.command, self.template)
        for words in self.command.first:
            run = cold.run(words, self.template, "")
            assert run.code == 0, (words, run, Path(f"{self.template}.complained").read_text("utf-8"))
        self.before = tree(self.template)
        self.counts = dict.fromkeys(KINDS, 0)
        self.again = self.command.again or self.command.words
        calm, after = self._calm(cold)
        self.counts["imports"] = calm.counts["imports"]
        warm.load(loaded_by(self.folder))
        calm, after = self._calm(warm)
        self.counts |= {kind: count for kind, count in calm.counts.items() if kind != "imports"}
        self.calm = after
        warm.run(self.again, self.folder, self.command.typed)
        self.twice = self._see(calm)

    def _calm(self, nursery: Nursery) -> tuple[Run, Seen]:
        self._lay()
        run = nursery.run(self.command.words, self.folder, self.command.typed)
        return run, self._see(run)

    def _lay(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)

    def _see(self, run: Run) -> Seen:
        told, complained = (Path(f"{self.folder}.{name}").read_bytes() for name in ("told", "complained"))
        return Seen(run.code, told, complained, of_user(self.folder), left(self.folder))

    def run(self, fault: Fault) -> tuple[Run, Seen]:
        """Run the command with a fault."""
        self._lay()
        nursery = self.cold if fault.kind == "imports" else self.warm
        run = nursery.run(self.command.words, self.folder, self.command.typed, fault)
        return run, self._see(run)


def of_user(folder: Path) -> Tree:
    """The files in a folder but for what the program may keep or not, such as boards read before."""
    return {name: data for name, data in tree(folder).items() if not name.startswith("data/cache/")}


def points(count: int, most: int) -> list[int]:
    """Numbers of calls from 1 to `count`, all if there are no more than `most`, else one by chance out of each of as many parts."""
    if count <= most:
        return list(range(1, count + 1))
    chance = random.Random(f"{SEED} {count} {most}")
    bounds = [part * count // most for part in range(most + 1)]
    return [chance.randint(low + 1, high) for low, high in zip(bounds, bounds[1:], strict=False)]


def faults(kind: str, numbers: Iterable[int]) -> Iterator[Fault]:
    """A fault at each number, once and for good, each time with another of the errors of its kind."""
    errors = ERRORS[kind]
    for number in numbers:
        yield Fault(kind, number, False, errors[number % len(errors)])
        yield Fault(kind, number, True, errors[(number + 1) % len(errors)])


if __name__ == "__main__":
    import sys

    out = Counter()
    example = {}
    library = build_interposer()
    name, kinds, most = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as f, Nursery(library) as warm, Nursery(library, cold=True) as cold:
        t = Trial(name, Path(f), cold, warm)
        print(t.counts, t.calm.code, t.calm.complained)
        import time
        b = time.time(); n = 0
        for kind in kinds:
            for fault in faults(kind, points(t.counts[kind], most)):
                n += 1
                run, seen = t.run(fault)
                same = (seen.told == t.calm.told, seen.complained == t.calm.complained, seen.tree == t.calm.tree, seen.tree == t.before, len(seen.stays))
                text = re.sub(r"[0-9a-f]{12}", "HEX", seen.complained.decode().replace(str(t.folder), "F"))
                if seen.code not in (0,) and len(text) > 600: text = text[:200] + "...." + text[-400:]
                base = run.path.replace(str(t.folder), "F").replace("/work/h7/.venv/lib/python3.11/site-packages", "SP").replace("/root/.pyenv/versions/3.11.7/lib/python3.11","LIB")
                base = re.sub(r"[0-9a-f]{12}", "HEX", base)
                key = (kind, fault.for_good, seen.code, same, text.replace(base, "PATH").replace(os.path.basename(base), "NAME") if base else text)
                out[key] += 1
                example.setdefault(key, (fault.at, errno.errorcode[fault.error], run.call, base, seen.told[-200:] if not same[0] else ""))
        print(n, "runs", time.time() - b)
    for key, count in out.most_common():
        print(count, *key[:4], example[key]); print("      ", key[4].replace("\n", "\n       "))
