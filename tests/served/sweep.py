"""Each line of a scene on a disk that fails at one of its calls, against a twin on a sound disk.

Once the program runs again, and the tap is sent again, each seat shows what the twin shows: also after another new
start, and after the next line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from random import Random
from shutil import copytree, rmtree
from typing import NamedTuple

from .disk import FULL, LOST, WAYS, Crash, Disk
from .scenes import Scene
from .seats import LAPTOP, LINK, Answer, Looks, Seats, begin_table, find_differences, find_sides


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
    """A scene as its twin plays it, and the points at which a disk can fail in it.

    `seeds`: of the losses of power at each call, which leave different remains.
    """

    def __init__(self, scene: Scene, folder: Path, seeds: range = range(1)) -> None:
        self.scene, self.folder, self.seeds = scene, folder, seeds
        self.sides = find_sides(scene.game)
        self.starts: list[Path] = []  # the folder before each line, and at the end
        self.calls: list[list[str]] = []
        self.expected: list[Looks] = []
        self._found: dict[object, list[str]] = {}  # by the files that were judged
        twin = folder / "twin"
        begin_table(twin, scene.game, scene.position)
        seats = Seats(twin, self.sides)
        for at in range(len(scene.lines)):
            self.starts.append(copytree(twin, folder / str(at)))
            disk = Disk(twin)
            with disk.hooked():
                self._enter(seats, at)
            self.calls.append(disk.calls)
            self.expected.append(seats.looks())
        self.starts.append(twin)

    def find_faults_of_twin(self) -> Iterator[str]:
        """Yield what the twin shows otherwise once it is served anew, and what its laptop shows beside the journal."""
        for at, looks in enumerate(self.expected):
            with self._copy(self.starts[at + 1], "started") as folder:
                found = find_differences(looks, Seats(folder, self.sides).looks())
            agreed = {part: looks[LAPTOP][part] for part in ("wished", "agrees")}
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
            for seed in (self.seeds if way == LOST else range(1))
        ]

    def try_points(self, points: list[Point]) -> Iterator[Fault]:
        """Yield the faults at points."""
        for point in points:
            if differences := self._try(point):
                calls = [*self.calls[point.line], "the answer"]
                yield Fault(point, calls[point.call - 1], tuple(differences))

    def _try(self, point: Point) -> list[str]:
        """Return what differs after a failure."""
        at, chance, is_answered = point.line, Random(repr(point)), False
        with self._copy(self.starts[at], "failing") as folder:
            seats = Seats(folder, self.sides)
            disk = Disk(folder, point.call, chance.randint(1, 8) if point.way == FULL else 0)
            with suppress(Crash), disk.hooked():
                answer = self._enter(seats, at)
                is_answered = answer["is"] == "table" and not (answer["refused"] or answer["held"])
            if point.way == FULL:
                return (is_answered and self._once(self._judge_start, at, folder, True)) or self._judge(
                    at, folder, seats
                )
            left = self.folder / "left"
            disk.survive(left, chance if point.way == LOST else None)
        found = self._once(self._judge_start, at, left, is_answered)
        rmtree(left)
        return found

    def _judge_start(self, at: int, left: Path, is_answered: bool) -> list[str]:
        """Return what differs after a new start on what is left. `is_answered`: whether the line counts already."""
        with self._copy(left, "started") as folder:
            seats = Seats(folder, self.sides)
            if is_answered and (found := find_differences(self.expected[at], seats.looks())):
                return [f"answered, {each}" for each in found]
            return self._judge(at, folder, seats)

    def _judge(self, at: int, folder: Path, seats: Seats) -> list[str]:
        """Return what differs once the tap of a line is sent again, and later."""
        self._enter(seats, at)
        found = find_differences(self.expected[at], seats.looks())
        return found or self._once(self._judge_later, at, folder)

    def _judge_later(self, at: int, folder: Path) -> list[str]:
        """Return what differs after another new start, when the tap is sent once more, and after the next line."""
        seats = Seats(folder, self.sides)
        if found := find_differences(self.expected[at], seats.looks()):
            return [f"served anew, {each}" for each in found]
        self._enter(seats, at)
        if at + 1 == len(self.expected) or (found := find_differences(self.expected[at], seats.looks())):
            return [f"sent once more, {each}" for each in found]
        self._enter(seats, at + 1)
        return [f"after the next line, {each}" for each in find_differences(self.expected[at + 1], seats.looks())]

    def _once(self, judge: Callable[..., list[str]], at: int, folder: Path, *more: bool) -> list[str]:
        """Judge a folder unless one with the very same files has been judged at this line."""
        key = (judge.__name__, at, _read_files(folder), more)
        if key not in self._found:
            self._found[key] = judge(at, folder, *more)
        return self._found[key]

    def _enter(self, seats: Seats, at: int) -> Answer:
        seat, line = self.scene.lines[at]
        return seats.enter(seat, line, f"tap {at}")

    @contextmanager
    def _copy(self, source: Path, name: str) -> Iterator[Path]:
        """Yield a copy of a folder, and remove it after the block."""
        yield copytree(source, self.folder / name)
        rmtree(self.folder / name)


def _read_files(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """Return the files of a folder; parts without the random half of their names."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return tuple(
        sorted((re.sub(r"-[0-9a-f]{12}\.", ".", str(path.relative_to(folder))), path.read_bytes()) for path in files)
    )
