"""What a game's files state of its rules, in lines for a proof sheet: facts, steps of a turn, rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from ...state.tracks import Track
from ...util.datafiles import read_rows
from ...util.errors import ignore
from ...util.patterns import late_pattern
from ..course import CourseStep, Skip, course_file
from ..events import EVENTS, Kind, read_events
from ..games import Game
from ..rule_index import INDEX, list_files_ending, read_rules
from ..rulings import Ruling
from .phrases import listed

MAX_ROWS_SHOWN = 15
"""The maximum number of rows of a file that are shown for one rule."""
MAX_VALUES_SHOWN = 12
"""The maximum number of values of one track that are shown."""
_RULINGS = "rulings.csv"
_DATES = ("from", "until", "at")
"""The columns of schedules with dates."""
_STEP = late_pattern(r"\+([0-9]+)(fm|m|)")
_UNITS = {"fm": "full month", "m": "month", "": "turn"}
_BY_RULING = late_pattern(r"\[([^]=]+)=([^]]+)\]")


class StatedRow(NamedTuple):
    """A row of a file that states a rule."""

    line: int
    text: str
    others: tuple[str, ...]
    """The other rules that the row states."""


class Stated(NamedTuple):
    """What the files of a game state of its rules."""

    facts: Mapping[str, list[str]]
    """The facts of a position, steps and events of each rule, in words."""
    rows: Mapping[str, Mapping[str, list[StatedRow]]]
    """The rows of each rule, by file."""

    def write(self, rule: str) -> Iterator[str]:
        """Yield the lines of a rule."""
        yield from (f"  {line}" for line in self.facts.get(rule, ()))
        for path, rows in self.rows.get(rule, {}).items():
            yield f"  in the file {path}:"
            for row in rows[:MAX_ROWS_SHOWN]:
                yield f"    line {row.line}: {row.text}{self._say_others(path, row)}"
            if len(rows) > MAX_ROWS_SHOWN:
                yield f"    and {len(rows) - MAX_ROWS_SHOWN} more, to line {rows[-1].line}"

    def _say_others(self, path: str, row: StatedRow) -> str:
        """Return how many rows the other rules of a row have in its file, "" if the row has no other rules."""
        counts = [(rule, len(self.rows[rule][path])) for rule in row.others]
        several = [f"{rule}, which has {count} rows here" for rule, count in counts if count > 1]
        return f" (also for {listed(several)})" if several else ""


def read_stated(game: Game) -> Stated:
    """Return what the files of a game state of its rules. Raises InputError for a faulty file."""
    facts = dict[str, list[str]]()
    for rule, text in [
        *_list_facts(game.tracks),
        *_list_rulings(game.rulings),
        *_list_steps(game),
        *_list_events(game),
    ]:
        for each in read_rules(rule)[0]:
            facts.setdefault(each, []).append(text)
    return Stated({rule: [*dict.fromkeys(lines)] for rule, lines in facts.items()}, _read_rows(game))


def say_ruling(ruling: Ruling) -> str:
    """Return the doubt and the readings of a ruling, with the one taken."""
    known = "; ".join(f"{reading}: {meaning}" for reading, meaning in ruling.readings.items())
    return f"{ruling.doubt.rstrip('?')}? Readings: {known}. Taken: {ruling.default}"


def _list_facts(tracks: Mapping[str, Track]) -> Iterator[tuple[str, str]]:
    for track in tracks.values():
        note = f" ({track.note})" if track.note else ""
        yield track.rule, f'a position may state "{track.title}" of the {track.on}{_say_values(track)}{note}'


def _say_values(track: Track) -> str:
    """Return the values of a track, or its bounds, "" if it has neither."""
    bounds = [f"at least {track.least}"] if track.least is not None else []
    bounds += [f"at most {track.most}"] if track.most is not None else []
    if track.values:
        said = listed([*track.values[:MAX_VALUES_SHOWN]], "or")
        more = len(track.values) - MAX_VALUES_SHOWN
        return f": {said}{f', and {more} more' if more > 0 else ''}"
    return f": {' and '.join(bounds)}" if bounds else ""


def _list_rulings(rulings: Mapping[str, Ruling]) -> Iterator[tuple[str, str]]:
    yield from ((ruling.rule, f"ruling {ruling.id}: {say_ruling(ruling)}") for ruling in rulings.values())


def _list_steps(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the phases and steps of a turn by their rules."""
    course = course_file(game)
    if course.turns.order:
        yield course.turns.rule, f"the sides follow in this order: {listed([*course.turns.order])}"
    for part in dict.fromkeys(phase.part for phase in course.phase):
        titles = [phase.title for phase in course.phase if phase.part == part]
        yield course.turns.rule, f"the phases of the part {part.replace('-', ' ')} are: {listed(titles)}"
    for phase in course.phase:
        limits = f" ({'; '.join(parts)})" if (parts := [*_say_limits(phase.turns, phase.who)]) else ""
        yield phase.rule, f"a phase of the turn is {phase.title}{limits}"
        for skip in phase.skipped:
            yield skip.rule, f"{phase.title} is left out{_say_when(skip)}"
        for step in phase.steps:
            yield step.rule, f"a step of {phase.title} is: {step.do}{_say_when(step)}"


def _say_when(part: CourseStep | Skip) -> str:
    """Return when a step is done, or a phase left out, "" if always."""
    parts = [*_say_limits(part.turns, part.who)]
    parts += [f"with {_say_options(part.option)}"] if part.option else []
    parts += [f"without {_say_options(part.unless)}"] if part.unless else []
    return f" ({'; '.join(parts)})" if parts else ""


def _say_limits(turns: str, who: str) -> Iterator[str]:
    if turns:
        yield f"{'turn' if turns.isdecimal() else 'turns'} {turns}"
    if who:
        yield f"of {who}"


def _say_options(options: str) -> str:
    words = options.split()
    return f"the option{'s' if len(words) > 1 else ''} {listed(words)}"


def _list_events(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the events and levels of a campaign by their rules."""
    events = read_events(game)
    for word, event in events.event.items():
        yield event.rule, f"an event of the journal is {word}{_say_fields(event)}"
        for name, kind in event.kinds.items():
            yield kind.rule, f"a kind of the event {word} is {name}{_say_fields(kind)}"
    for parts in (events.level, events.debt, events.barred, events.ceiling):
        for part in parts:
            yield part.rule, f"the file {EVENTS} states: {part.title}{_say_fields(part)}"


def _say_fields(entry: msgspec.Struct) -> str:
    """Return the title of an event in words, and what else is stated of it, without what is usual."""
    usual = {field.encode_name: field.default for field in msgspec.structs.fields(entry)}
    fields = {
        name: value
        for name, value in msgspec.to_builtins(entry).items()
        if value and name not in ("title", "rule", "kinds") and value != usual[name]
    }
    title = getattr(entry, "title", "")
    said = f": {title}" if title and isinstance(entry, Kind) else ""
    return said + (
        f" ({'; '.join(f'{name}: {_say_field(value)}' for name, value in fields.items())})" if fields else ""
    )


def _say_field(value: object) -> str:
    """Return what an event states in one field."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_say_field(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_say_field, value))
    return "yes" if value is True else str(value)


def _read_rows(game: Game) -> dict[str, dict[str, list[StatedRow]]]:
    """Return the rows of the game's tables that name rules, by rule and file."""
    found = dict[str, dict[str, list[StatedRow]]]()
    for path, file in list_files_ending(game.folder, ".csv"):
        if path in (INDEX, _RULINGS):
            continue
        for row, where in read_rows(file, [], path, ignore):
            rules = read_rules(row.get("rule", ""))[0]
            text = _say_row(row)
            for rule in rules:
                others = tuple(other for other in rules if other != rule)
                found.setdefault(rule, {}).setdefault(path, []).append(StatedRow(where.line, text, others))
    return found


def _say_row(row: Mapping[str, str]) -> str:
    """Return the cells of a row with their heads, without the empty ones."""
    if row.get("each") and row.get("text"):
        return _fill_each(row["text"], row["each"])
    cells: Iterable[tuple[str, str]] = ((head, cell) for head, cell in row.items() if cell and head != "rule")
    return "; ".join(f"{head.replace('_', ' ')}: {_say_cell(head, cell)}" for head, cell in cells)


def _say_cell(head: str, cell: str) -> str:
    """Return a cell, with the steps from a date in words, and the ruling behind one."""
    if head not in _DATES:
        return cell
    cell = _STEP.sub(_say_step, cell)
    return _BY_RULING.sub(r" (by the ruling \1: \2)", cell)


def _say_step(step: re.Match[str]) -> str:
    return f" plus {step[1]} {_UNITS[step[2]]}{'' if step[1] == '1' else 's'}"


def _fill_each(text: str, each: str) -> str:
    """Return a text about each of several things, with their names in its places: `{0}` for the first ones."""
    for number, names in enumerate(each.split()):
        text = text.replace(f"{{{number}}}", listed(names.split("|"), "or"))
    return text
