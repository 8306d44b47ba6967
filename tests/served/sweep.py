"""Each line of a scene on a disk that fails at one of the line's calls, compared with a twin on a sound disk.

Once the program runs again and the tap is sent again, each seat must show what the twin shows. It must do so after
another new start, too, and after the next line.
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
    """A failing call of a line."""

    line: int
    way: str
    call: int
    """The number of the call; one more than the line has calls for a failure after the answer."""
    seed: int


class Fault(NamedTuple):
    """A point after which seats show something else than those of the twin."""

    point: Point
    where: str
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.point.way} at {self.point.call} ({self.where}), seed {self.point.seed}: {'; '.join(self.differences)}"


class Sweep:
    """A scene as its twin has played it, and the points at which a disk can fail.

    `seeds`: one for each loss of power that is tried at a call, as each leaves something else of the files.
    """

    def __init__(self, scene: Scene, folder: Path, seeds: range = range(1)) -> None:
        self.scene, self.folder, self.seeds = scene, folder, seeds
        self.sides = find_sides(scene.game)
        self.starts: list[Path] = []  # copies of the folder before each line, and the folder after the last
        self.calls: list[list[str]] = []
        self.expected: list[Looks] = []
        self._found: dict[object, list[str]] = {}  # the differences that were found, by the files with which they were
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
        """Yield what the twin shows otherwise once it is served anew, and where laptop and open link differ."""
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
        """Yield the faults at some points."""
        for point in points:
            if differences := self._try(point):
                calls = [*self.calls[point.line], "the answer"]
                yield Fault(point, calls[point.call - 1], tuple(differences))

    def _try(self, point: Point) -> list[str]:
        """Return what differs after the failure at a point."""
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
        """Return what differs after a new start with the files that are left.

        `is_answered`: whether the line was acknowledged, so that it must count before its tap is sent again.
        """
        with self._copy(left, "started") as folder:
            seats = Seats(folder, self.sides)
            if is_answered and (found := find_differences(self.expected[at], seats.looks())):
                return [f"answered, {each}" for each in found]
            return self._judge(at, folder, seats)

    def _judge(self, at: int, folder: Path, seats: Seats) -> list[str]:
        """Return what differs once the tap of a line has been sent again, and later."""
        self._enter(seats, at)
        found = find_differences(self.expected[at], seats.looks())
        return found or self._once(self._judge_later, at, folder)

    def _judge_later(self, at: int, folder: Path) -> list[str]:
        """Return what differs after another new start, after the tap is sent once more, or after the next line."""
        seats = Seats(folder, self.sides)
        if found := find_differences(self.expected[at], seats.looks()):
            return [f"served anew, {each}" for each in found]
        self._enter(seats, at)
        if at + 1 == len(self.expected) or (found := find_differences(self.expected[at], seats.looks())):
            return [f"sent once more, {each}" for each in found]
        self._enter(seats, at + 1)
        return [f"after the next line, {each}" for each in find_differences(self.expected[at + 1], seats.looks())]

    def _once(self, judge: Callable[..., list[str]], at: int, folder: Path, *more: bool) -> list[str]:
        """Return what a judge finds in a folder, from memory for a folder with the very same files at the same line."""
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
    """Return the files of a folder. Random parts of their names are left out."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return tuple(
        sorted((re.sub(r"-[0-9a-f]{12}\.", ".", str(path.relative_to(folder))), path.read_bytes()) for path in files)
    )
