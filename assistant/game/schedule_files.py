"""The schedules of a game, read from its own and its owner's files."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

import msgspec

from ..util.datafiles import read_rows
from ..util.errors import InputError, OnFault, Where, format_suggestion, reporting, stop
from ..util.memo import Memo
from .calendar import Calendar
from .course import CourseFile, course_file
from .games import SCHEDULES, Game, GameData
from .schedule_rows import (
    REQUIRED_COLUMNS,
    ScheduleRow,
    check_cells,
    complete_cells,
    find_absent_faults,
    find_circle_faults,
    find_twice_faults,
    row_of,
)
from .schedules import CompiledRow, RotationStep, Schedules, compile_row, sort_by_turn
from .turn_record import list_people, read_calendar

ENDING = ".csv"
ROTATIONS = "rotations.csv"
"""The file with the steps of rotations: a column `rotation`, and the columns of a row that a step overrides."""


_SCHEDULES: Memo[None, Schedules] = Memo()
"""The cached schedules of a game."""


def read_schedules(game: Game, on_fault: OnFault = stop, course: CourseFile | None = None) -> Schedules:
    """Return the schedules of a game, or empty ones if it has none.

    `on_fault`: receives each fault; without it, the first one is raised as InputError.
    `course`: the course of the game, if it has been read.
    """

    def read() -> Schedules:
        return _read_files(game, course or course_file(game), on_fault)

    return game.memo(_SCHEDULES, None, read) if on_fault is stop else read()


class _Rows:
    """The rows of a game's schedules, and the faults that made rows or steps unusable."""

    def __init__(self, files: Mapping[str, GameData], on_fault: OnFault) -> None:
        self.files = files
        self.on_fault = on_fault
        self.columns = {field.encode_name: field.name for field in msgspec.structs.fields(ScheduleRow)}
        self.lost: list[InputError] = []

    def lose(self, fault: InputError) -> None:
        self.lost.append(fault)
        self.on_fault(fault)

    def of(self, name: str, required: Sequence[str]) -> Iterator[tuple[dict[str, str], Where]]:
        unknown: list[str] | None = None  # None until the first row is read
        file, called, _ = self.files[name]
        for cells, where in read_rows(file, required, called, self.lose):
            if unknown is None:
                unknown = [column for column in cells if column not in self.columns]
                for column in unknown:
                    hint = format_suggestion(column, self.columns)
                    self.lose(InputError(f"unknown column {column!r}", where=where._replace(line=1), hint=hint))
            if not unknown:
                yield cells, where

    def rotations(self) -> tuple[dict[str, list[RotationStep]], dict[str, int]]:
        rotations = dict[str, list[RotationStep]]()
        first_lines = dict[str, int]()
        for cells, where in self.of(ROTATIONS, ["rotation"]):
            with reporting(self.lose, where):
                if not (name := cells.pop("rotation")):
                    raise InputError("the step belongs to no rotation", hint="name it in `rotation`")
                first_lines.setdefault(name, where.line)
                steps = rotations.setdefault(name, [])
                row = row_of(cells)
                given = {column: cell for column, cell in cells.items() if cell}
                steps.append(RotationStep(given, row, tuple(self.columns[column] for column in given), where))
        return rotations, first_lines


def _read_files(game: Game, course: CourseFile, on_fault: OnFault) -> Schedules:
    files = game.data_files(SCHEDULES, ENDING)
    if not files:
        return Schedules(game, Calendar(0, 0), (), {})
    try:
        calendar = read_calendar(game, course)
    except InputError as error:
        on_fault(error)
        return Schedules(game, Calendar(0, 0), (), {})

    rows_of_files = _Rows(files, on_fault)
    rotations, lines_of_rotations = rows_of_files.rotations() if ROTATIONS in files else ({}, {})
    lost_rows = rows_of_files.lost
    faults_in_steps = len(lost_rows)
    faulty: set[tuple[Where, str]] = set()
    all_cells = list[dict[str, str]]()
    rows = list[CompiledRow]()
    for name, file in files.items():
        stem = name.removesuffix(ENDING)
        scenario = stem if stem in game.setups else ""
        if name == ROTATIONS:
            continue
        for cells, where in rows_of_files.of(name, () if file.is_owners else REQUIRED_COLUMNS):
            all_cells.append(cells)
            with reporting(on_fault, where):
                if file.is_owners:
                    cells.update(complete_cells(game, course, cells))
                cells["scenario"] = cells.get("scenario") or scenario
                row = row_of(cells)
                rotation = cells.get("rotation", "")
                if rotation in rotations:
                    _check_steps(game, course, cells, rotations[rotation], faulty, on_fault)
                else:
                    check_cells(game, course, cells)
                    if rotation and not faults_in_steps:  # otherwise the rotation may be among the lost ones
                        raise InputError(f"unknown rotation {rotation!r}", hint=format_suggestion(rotation, rotations))
                rows.append(compile_row(game, calendar, row, where))
    owners = {file.called for file in files.values() if file.is_owners}
    owner_rows = sort_by_turn(row for row in rows if row.where.file in owners)
    for fault in (*find_twice_faults(owner_rows), *find_absent_faults(owner_rows), *find_circle_faults(owner_rows)):
        on_fault(fault)
    schedules = Schedules(game, calendar, rows, rotations)
    if len(lost_rows) > faults_in_steps or any(_is_misnamed(game, course, cells, rotations) for cells in all_cells):
        return schedules  # further faults may be mere consequences of the faults found
    if not lost_rows:
        for fault in _find_instead_faults(rows, all_cells, rotations):
            on_fault(fault)
    used = {cells.get("rotation", "") for cells in all_cells}
    for name in rotations.keys() - used:
        where = Where(files[ROTATIONS].called, lines_of_rotations[name])
        on_fault(InputError(f"no row goes by the rotation {name!r}", where=where, hint=format_suggestion(name, used)))
    return schedules


def _is_misnamed(game: Game, course: CourseFile, cells: Mapping[str, str], rotations: Container[str]) -> bool:
    """Return whether a row has an unknown nation, item or rotation, so that another row may miss it."""
    who = cells.get("who")
    item = cells.get("item")
    rotation = cells.get("rotation")
    return (
        bool(rotation and rotation not in rotations)
        or bool(who and who not in list_people(game))
        or bool(item and item not in course.schedules.get("item", (item,)))
    )


def _find_instead_faults(
    rows: Iterable[CompiledRow], all_cells: Iterable[Mapping[str, str]], rotations: Mapping[str, Sequence[RotationStep]]
) -> Iterator[InputError]:
    """Yield the rows that replace an item which no row brings.

    `all_cells`: the cells of all rows, also of those with mistakes.
    """
    brought = set[tuple[str, str]]()
    for cells in all_cells:
        steps = rotations.get(cells.get("rotation", ""), ())
        for each in [{**cells, **step.cells} for step in steps] or [{**cells}]:
            brought.add((each.get("who", ""), each["item"]))
    for compiled in rows:
        row = compiled.row
        if row.instead and (row.who, row.instead) not in brought:
            items = [item for who, item in brought if who == row.who]
            what = f"instead: no row brings {row.instead!r}"
            yield InputError(what, where=compiled.where, hint=format_suggestion(row.instead, items))


def _check_steps(
    game: Game,
    course: CourseFile,
    cells: Mapping[str, str],
    steps: Iterable[RotationStep],
    faulty: set[tuple[Where, str]],
    on_fault: OnFault,
) -> None:
    """Report the fault of a row combined with each step of its rotation, at the step and once for all rows."""
    row_fault = _find_row_fault(game, course, cells)
    for step in steps:
        step_fault = _find_row_fault(game, course, {**cells, **step.cells})
        if step_fault is not None and row_fault is not None and step_fault.what == row_fault.what:
            raise row_fault
        if step_fault is not None and (step.where, step_fault.what) not in faulty:
            faulty.add((step.where, step_fault.what))
            on_fault(step_fault.at(step.where))


def _find_row_fault(game: Game, course: CourseFile, cells: Mapping[str, str]) -> InputError | None:
    try:
        check_cells(game, course, cells)
    except InputError as error:
        return error
    return None
