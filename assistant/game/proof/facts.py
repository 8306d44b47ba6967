"""What a game's files say for its rules, in lines for proof sheets.

The files are the tracks, the course of play, the schedules, the events, the changes of set-ups and the tables. A rule
index names the places; these lines say what stands there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...state.tracks import Track
from ...util.datafiles import read_rows, resolve_within
from ...util.errors import ignore
from ...util.patterns import late_pattern
from ..course import COURSE, Phase, course_file
from ..events import EVENTS, AccountLevel, DebtRow, EventBar, Events, Kind, read_events
from ..games import Game
from ..rule_index import RuleRow, read_rules

MAX_ROWS_SHOWN = 4
"""The maximum number of rows of one file that a sheet shows for a rule."""
MAX_STEPS_SHOWN = 12
"""The maximum number of steps of one phase that a sheet shows."""
MAX_VALUES_SHOWN = 12
"""The maximum number of values of one track that a sheet shows."""
RULE = "rule"
_TRACKS = "tracks.toml"
_DATES = ("from", "until", "at")
"""The columns of schedules with dates."""
_STEP = late_pattern(r"\+([0-9]+)(fm|m|)")
_UNITS = {"fm": "full months", "m": "months", "": "turns"}
_BY_RULING = late_pattern(r"\[([^]=]+)=([^]]+)\]")

_Cells = Mapping[str, str]


def read_facts(game: Game, rows: Iterable[RuleRow]) -> dict[str, list[str]]:
    """Return what the files of a game say for each rule that the rule index finds in them.

    Raises InputError if a file is faulty.
    """
    places = {row.rule: [place for place in row.code if ".py:" not in place] for row in rows}
    tables = _Tables(game)
    return {rule: [*_say_places(game, tables, rule, found)] for rule, found in places.items() if found}


class _Tables:
    """The rows of a game's CSV files by the rules that they name."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._files = dict[str, dict[str, list[_Cells]]]()

    def by_rule(self, path: str) -> Mapping[str, Sequence[_Cells]]:
        """Return the rows of a file by the rules that they name."""
        if path not in self._files:
            named = self._files[path] = {}
            owned = Path(path)  # a place in the owner's own files is absolute
            file = owned if owned.is_absolute() else resolve_within(self._game.folder, path)
            for cells, _ in read_rows(file, [], path, ignore):
                for rule in dict.fromkeys(read_rules(cells.get(RULE, ""))[0]):
                    named.setdefault(rule, []).append(cells)
        return self._files[path]


def _say_places(game: Game, tables: _Tables, rule: str, places: Iterable[str]) -> Iterator[str]:
    """Yield what stands in some places for a rule; each CSV file once."""
    files = dict.fromkeys(place.partition(".csv")[0] + ".csv" for place in places if ".csv" in place)
    for place in places:
        file, _, name = place.partition(":")
        if file == _TRACKS:
            yield f"{file}: {_describe_track(game.tracks[name])}"
        elif file == COURSE:
            yield from (f"{file}: {text}" for text in dict.fromkeys(_say_course(game, rule, name)))
        elif file == EVENTS:
            yield from (f"{file}: {text}" for text in _say_event(read_events(game), rule, name))
    for path in files:
        yield from _say_rows(path, rule, tables.by_rule(path))


# --- tracks -----------------------------------------------------------------------------------------------------------


def _describe_track(track: Track) -> str:
    """Return a track in words: what it is a fact of, and its values."""
    if track.values:
        shown = ", ".join(track.values[:MAX_VALUES_SHOWN])
        more = len(track.values) - MAX_VALUES_SHOWN
        values = f": {shown}{f' and {more} more' if more > 0 else ''}"
    elif track.least is not None or track.most is not None:
        bounds = [f"at least {track.least}"] if track.least is not None else []
        bounds += [f"at most {track.most}"] if track.most is not None else []
        values = f": {', '.join(bounds)}"
    else:
        values = ""
    note = f" ({track.note})" if track.note else ""
    return f"{track.title}, a fact of the {track.on}{values}{note}"


# --- course of play ---------------------------------------------------------------------------------------------------


def _say_course(game: Game, rule: str, title: str) -> Iterator[str]:
    """Yield what the course of play says for a rule: of one phase, or of the order of all."""
    course = course_file(game)
    phases = [phase for phase in course.phase if phase.title == title]
    if not phases:
        yield f"order of the sides: {', '.join(course.turns.order) or 'not fixed'}"
        for part in dict.fromkeys(phase.part for phase in course.phase):
            titles = [phase.title for phase in course.phase if phase.part == part]
            yield f"{part.replace('-', ' ')}: {', '.join(titles)}"
    for phase in phases:
        yield from _say_phase(phase, rule)


def _say_phase(phase: Phase, rule: str) -> Iterator[str]:
    """Yield what a phase says for a rule: all its steps if the phase is the rule's, or the steps and gaps that are."""
    for skip in phase.skipped:
        if skip.rule == rule:
            yield f"{phase.title} is left out{_say_conditions(skip)}"
    if phase.rule == rule:
        steps = [f"{step.do}{_say_conditions(step)}" for step in phase.steps]
        more = f"; and {len(steps) - MAX_STEPS_SHOWN} more" if len(steps) > MAX_STEPS_SHOWN else ""
        done = "; ".join(steps[:MAX_STEPS_SHOWN]) or "no steps are listed"
        yield f"{phase.title}{_say_conditions(phase)}: {done}{more}"
        return
    for step in phase.steps:
        if step.rule == rule:
            yield f"{phase.title}: {step.do}{_say_conditions(step)}"


def _say_conditions(entry: Any) -> str:
    """Return the conditions of a phase, a step or a gap in brackets, or "" if it has none."""
    conditions = [
        entry.who,
        entry.turns and f"turn{'' if entry.turns.isdecimal() else 's'} {entry.turns}",
        (option := getattr(entry, "option", "")) and f"with {option}",
        (unless := getattr(entry, "unless", "")) and f"unless {unless}",
    ]
    return f" ({', '.join(filter(None, conditions))})" if any(conditions) else ""


# --- events -----------------------------------------------------------------------------------------------------------


def _say_event(events: Events, rule: str, title: str) -> Iterator[str]:
    """Yield what an event, a level, a debt or a bar of a game says for a rule."""
    named: list[tuple[str, Kind | AccountLevel | DebtRow | EventBar]] = [
        (word, kind) for word, event in events.event.items() for kind in (event, *event.kinds.values())
    ]
    named += [(part.title, part) for parts in (events.level, events.debt, events.barred) for part in parts]
    for word, said in named:
        if word == title and rule in read_rules(said.rule)[0]:
            fields = {name: value for name, value in msgspec.to_builtins(said).items() if name not in (RULE, "kinds")}
            yield f"{word}: {'; '.join(f'{name}: {_say_value(value)}' for name, value in fields.items() if value)}"


def _say_value(value: object) -> str:
    """Return a value of a TOML file in words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_say_value(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_say_value, value))
    return str(value)


# --- rows of tables ---------------------------------------------------------------------------------------------------


def _say_rows(path: str, rule: str, by_rule: Mapping[str, Sequence[_Cells]]) -> Iterator[str]:
    """Yield the rows of a file for a rule: their number, then the first few with their column titles.

    Where they are the first rows of another rule as well, as a schedule with a section of its own has them, that rule
    is named.
    """
    rows = by_rule.get(rule, ())
    shared = [
        other for other, others in by_rule.items() if len(others) > len(rows) and all(row in others for row in rows)
    ]
    if rows and shared:
        yield f"{path}: the {len(by_rule[shared[0]])} rows of {shared[0]}, which begin"
    elif len(rows) > 1:
        yield f"{path}: {len(rows)} rows{', which begin' if len(rows) > MAX_ROWS_SHOWN else ''}"
    for cells in rows[:MAX_ROWS_SHOWN]:
        said = [f"{column}: {_say_cell(column, cell)}" for column, cell in cells.items() if cell and column != RULE]
        yield f"  {'; '.join(said)}" if shared or len(rows) > 1 else f"{path}: {'; '.join(said)}"


def _say_cell(column: str, cell: str) -> str:
    """Return a cell as a player reads it: in columns with dates the steps from one in words, and the ruling behind one."""
    if column not in _DATES:
        return cell
    cell = _STEP.sub(lambda step: f" plus {step[1]} {_UNITS[step[2]]}", cell)
    return _BY_RULING.sub(r" (by the ruling \1: \2)", cell)
