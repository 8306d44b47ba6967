"""Each line of a scene on a disk that fails at one of its calls, against a twin on a sound disk.

Once the program runs again, and the tap is sent again, each seat shows what the twin shows: also after another new
start, and after the next line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import count
from pathlib import Path
from random import Random
from shutil import copytree
from typing import NamedTuple

from .disk import FULL, LOST, WAYS, Crash, Disk
from .scenes import GAME, Scene
from .seats import LAPTOP, LINK, Looks, Seats, begin_table, find_differences, find_sides

SEEDS = 2
"""How often the power is lost at a call, each time with other remains."""


class Point(NamedTuple):
    """A call of a line that fails."""

    line: int
    way: str
    call: int
    """The number of the call, one more than the last for a failure after the answer."""
    seed: int


class Fault(NamedTuple):
    """A point after which seats show something else than the twin's."""

    point: Point
    where: str
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.point.way} at {self.point.call} ({self.where}), seed {self.point.seed}: {'; '.join(self.differences)}"


class Sweep:
    """The twin of a scene, and the points at which the disk of the scene can fail."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        self.scene, self.folder = scene, folder
        self.sides = find_sides(GAME)
        self._numbers = count()
        self._found: dict[object, list[str]] = {}  # by what a crash has left
        self.expected: list[Looks] = []
        self.calls: list[list[str]] = []
        twin = self._take_place()
        begin_table(twin, GAME, self.scene.position)
        seats = Seats(twin, self.sides)
        self.starts: list[Path] = []
        for at in range(len(self.scene.lines)):
            self.starts.append(self._copy(twin))
            disk = Disk(twin)
            with disk.hooked():
                self._enter(seats, at)
            self.calls.append(disk.calls)
            self.expected.append(seats.looks())
        self.starts.append(self._copy(twin))

    def find_faults_of_twin(self) -> Iterator[str]:
        """Yield what the twin shows otherwise once it is served anew, and what its laptop shows beside the journal."""
        for at, looks in enumerate(self.expected):
            found = find_differences(looks, Seats(self._copy(self.starts[at + 1]), self.sides).looks())
            agreed = {"wished": looks[LAPTOP]["wished"], "agrees": looks[LAPTOP]["agrees"]}
            found += find_differences({LAPTOP: looks[LINK] | agreed}, looks)
            yield from (f"after {self.scene.lines[at]}, served anew: {each}" for each in found)

    @cached_property
    def points(self) -> list[Point]:
        """All points of the scene."""
        return [
            Point(at, way, call, seed)
            for at, calls in enumerate(self.calls)
            for way in WAYS
            for call in range(1, len(calls) + (1 if way == FULL else 2))
            for seed in range(SEEDS if way == LOST else 1)
        ]

    def try_points(self, points: list[Point]) -> Iterator[Fault]:
        """Yield the faults at points."""
        for point in points:
            if differences := self._try(point):
                calls = [*self.calls[point.line], "the answer"]
                yield Fault(point, calls[point.call - 1], tuple(differences))

    def _try(self, point: Point) -> list[str]:
        """Return what differs after a failure."""
        folder, chance = self._copy(self.starts[point.line]), Random(repr(point))
        seats = Seats(folder, self.sides)
        disk = Disk(folder, point.call, chance.randint(1, 8) if point.way == FULL else 0)
        is_answered = False
        try:
            with disk.hooked():
                self._enter(seats, point.line)
            is_answered = point.call > len(disk.calls)
        except Crash:
            pass
        if point.way == FULL:
            return self._judge(point.line, folder, seats, is_answered=False)
        folder = self._take_place()
        disk.survive(folder, chance if point.way == LOST else None)
        left = (point.line, is_answered, _read_files(folder))
        if left not in self._found:
            self._found[left] = self._judge(point.line, folder, Seats(folder, self.sides), is_answered=is_answered)
        return self._found[left]

    def _judge(self, at: int, folder: Path, seats: Seats, *, is_answered: bool) -> list[str]:
        """Return what seats show otherwise than the twin's once the tap of a line is sent again, and later.

        `is_answered`: whether the tap counts already, without being sent again.
        """
        expected = self.expected[at]
        if is_answered and (found := find_differences(expected, seats.looks())):
            return [f"answered, {each}" for each in found]
        self._enter(seats, at)
        found = find_differences(expected, seats.looks())
        seats = Seats(self._copy(folder), self.sides)
        found += [f"served anew, {each}" for each in find_differences(expected, seats.looks()) if each not in found]
        if found:
            return found
        self._enter(seats, at)
        if at + 1 == len(self.expected) or (found := find_differences(expected, seats.looks())):
            return [f"sent once more, {each}" for each in found]
        self._enter(seats, at + 1)
        return [f"after the next line, {each}" for each in find_differences(self.expected[at + 1], seats.looks())]

    def _enter(self, seats: Seats, at: int) -> None:
        seat, line = self.scene.lines[at]
        seats.enter(seat, line, f"tap {at}")

    def _take_place(self) -> Path:
        return self.folder / str(next(self._numbers))

    def _copy(self, folder: Path) -> Path:
        return copytree(folder, self._take_place())


def _read_files(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """Return the files of a folder; parts without the random half of their names."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return tuple(
        sorted((re.sub(r"-[0-9a-f]{12}\.", ".", str(path.relative_to(folder))), path.read_bytes()) for path in files)
    )
