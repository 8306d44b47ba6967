"""A command in a folder of its own, which runs again and again with other calls that fail (failures.py)."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import msgspec

from .commands import READING, WRITING, Command, Tree, left, prepared, tree
from .interposer import KINDS, Fault, Nursery, Run, calls_of, loaded_by
from .points import Points, located

COMMANDS: dict[str, Command] = WRITING | READING
ERRORS = {
    "reads": (errno.EIO, errno.EACCES),
    "writes": (errno.ENOSPC, errno.EIO, errno.EACCES),
    "input": (errno.EIO,),
    "output": (errno.ENOSPC, errno.EPIPE, errno.EIO),
    "imports": (errno.EIO, errno.EACCES),
    "objects": (errno.ENOMEM,),
    "blocks": (errno.ENOMEM,),
}


class Seen(msgspec.Struct, frozen=True):
    """What a run leaves for its user: its exit code, what it has printed, and the files."""

    code: int
    told: bytes
    complained: bytes
    tree: Tree
    stays: list[str]


class Trial:
    """A command in a folder of its own, tried again and again with other calls that fail.

    template: the folder as it is before the command; calm: what a run without failures leaves, and twice what the next one leaves;
    counts: its calls by kind; calls: those of reads and imports; settled: the files, hidden ones too, before the command and after it,
    from which the next run is known to work.
    """

    def __init__(self, name: str, place: Path, cold: Nursery, warm: Nursery) -> None:
        self.name, self.command, self.place = name, COMMANDS[name], place
        self.cold, self.warm = cold, warm
        self.template, self.folder = place / "template", place / "here"
        if self.command.converses:
            os.mkfifo(f"{self.folder}.typed")
        prepared(self.command, self.template)
        for words in self.command.first:
            run = cold.run(words, self.template, "")
            assert run.code == 0, (words, run, Path(f"{self.template}.complained").read_text("utf-8"))
        self.before = tree(self.template)
        self.counts = dict.fromkeys(KINDS, 0)
        self.settled = [snapshot(self.template)]
        self.again = self.command.again or self.command.words
        calm, after = self._calm(cold)
        self.counts["imports"] = calm.counts["imports"]
        self.calls = [call for call in located(calls_of(self.folder), self.folder) if call.kind == "imports"]
        warm.load(loaded_by(self.folder))
        calm, after = self._calm(warm)
        self.counts |= {kind: count for kind, count in calm.counts.items() if kind != "imports"}
        self.calls += [call for call in located(calls_of(self.folder), self.folder) if call.kind == "reads"]
        self.calm = after
        self.settled.append(snapshot(self.folder))
        next_run = warm.run(self.again, self.folder, self.command.typed, None, self.command.drive)
        self.twice = self.see(next_run)

    @cached_property
    def broken_off(self) -> list[Tree]:
        """What a session without failures leaves if one of its lines is left out or undone, or all from a line on."""
        aside = self.folder.rename(self.place / "aside")  # names of files depend on the folder
        trees = []
        for command in self.command.broken_off():
            self._lay()
            self.warm.run(command.words, self.folder, command.typed, None, command.drive)
            trees.append(of_user(self.folder))
        shutil.rmtree(self.folder)
        aside.rename(self.folder)
        return trees

    def _calm(self, nursery: Nursery) -> tuple[Run, Seen]:
        self._lay()
        run = nursery.run(self.command.words, self.folder, self.command.typed, None, self.command.drive)
        return run, self.see(run)

    def _lay(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)

    def see(self, run: Run) -> Seen:
        shown = "answered" if self.command.drive and not self.command.converses else "told"
        told, complained = (Path(f"{self.folder}.{name}").read_bytes() for name in (shown, "complained"))
        return Seen(run.code, told, complained, of_user(self.folder), left(self.folder))

    def run(self, fault: Fault) -> tuple[Run, Seen]:
        """Run the command with a fault."""
        self._lay()
        nursery = self.cold if fault.kind == "imports" else self.warm
        run = nursery.run(self.command.words, self.folder, self.command.typed, fault, self.command.drive)
        return run, self.see(run)


OF_A_RUN = (".lock", ".sessions.json", ".heard.json", ".said")
"""Endings of files that differ from run to run: locks, who has come to a served table, and what its sides have been told, which is made
up for with the next line. They are whole at any time all the same.
"""


def of_user(folder: Path) -> Tree:
    """The files in a folder but for what the program may keep or not, such as boards read before."""
    files = tree(folder).items()
    return {name: data for name, data in files if not (name.startswith("data/cache/") or name.endswith(OF_A_RUN))}


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files in a folder, hidden ones too."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def faults(kind: str, points: Points) -> Iterator[Fault]:
    """A fault at each point, by turns with another of the errors of its kind."""
    errors = ERRORS[kind]
    for number in points.once:
        yield Fault(kind, number, False, errors[number % len(errors)])
    for number in points.for_good:
        yield Fault(kind, number, True, errors[(number + 1) % len(errors)])
