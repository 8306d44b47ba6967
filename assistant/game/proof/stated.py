"""What a game's files state of its rules, in lines for a proof sheet: facts, steps of a turn, rows of tables."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...state.tracks import Track
from ...util.datafiles import read_rows
from ...util.errors import ignore
from ...util.patterns import late_pattern
from ..course import CourseStep, Skip, course_file
from ..events import read_events
from ..games import CLAUSES, Game
from ..rule_index import INDEX, list_files_ending, read_rules
from ..rulings import Ruling
from .clauses import show_figures
from .examples import Table, read_tables, read_words
from .phrases import join_words

MAX_ROWS_SHOWN = 40
"""The maximum number of rows of a file that are shown for one rule."""
MAX_VALUES_SHOWN = 12
"""The maximum number of values of one track that are shown."""
_RULINGS = "rulings.csv"
_DATES = ("from", "until", "at", "latest", "full")
"""The columns with dates, or with facts whose values are turns."""
_END_DATES = {"from": "the latest of", "until": "the earliest of"}
_TEXTS = ("text", "note")
_MONTHS = {name[:3].lower(): name for name in month_name if name}
_DATE = late_pattern(rf"\b({'|'.join(_MONTHS)})([0-9]{{2}})(?:/([0-9]))?\b")
_FACT = late_pattern(r"^[a-z][a-z.-]*(?![a-z0-9.-])")
"""A fact whose value is a turn."""
_STEP = late_pattern(r"\+([0-9]+)(fm|m|)")
_UNITS = {"fm": "full month", "m": "month", "": "turn"}
_CHOICE = late_pattern(r"\[([^]]*)\]")
"""A part in brackets of a row's words: text that is left out if its cells are empty, or alternatives."""
_CELL = late_pattern(r"\{(\w+)\}")
_BY_RULING = late_pattern(r"\[([^]=]+)=([^]]+)\]")


class StatedRow(NamedTuple):
    """A row of a file that states a rule."""

    line: int
    text: str
    others: tuple[str, ...]
    """The other rules that the row states."""


class Stated(NamedTuple):
    """The statements of a game's files about its rules."""

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
        counts = [(rule, len(self.rows[rule][path])) for rule in row.others]
        several = [f"{rule}, which has {count} rows here" for rule, count in counts if count > 1]
        return f" (also for {join_words(several)})" if several else ""


def read_stated(game: Game) -> Stated:
    """Return the statements of a game's files about its rules. Raises InputError for a faulty file."""
    facts = dict[str, list[str]]()
    for rule, text in [
        *_list_facts(game.tracks),
        *_list_rulings(game.rulings),
        *_list_steps(game),
        *_list_events(game),
        *_list_clauses(game),
    ]:
        for each in read_rules(rule)[0]:
            facts.setdefault(each, []).append(text)
    unique_lines = {rule: [*dict.fromkeys(lines)] for rule, lines in facts.items()}
    return Stated(unique_lines, _read_rows(game))


def say_ruling(ruling: Ruling) -> str:
    """Return the doubt and the readings of a ruling, with the one taken."""
    known = "; ".join(f"{reading}: {meaning}" for reading, meaning in ruling.readings.items())
    return f"in doubt is {ruling.doubt[0].lower()}{ruling.doubt[1:]}. Readings: {known}. Taken: {ruling.default}"


def _list_facts(tracks: Mapping[str, Track]) -> Iterator[tuple[str, str]]:
    for track in tracks.values():
        note = f" ({track.note})" if track.note else ""
        yield track.rule, f'a position may state "{track.title}" of the {track.on}{_say_values(track)}{note}'


def _say_values(track: Track) -> str:
    bounds = [f"at least {track.least}"] if track.least is not None else []
    bounds += [f"at most {track.most}"] if track.most is not None else []
    if track.values:
        said = join_words([*track.values[:MAX_VALUES_SHOWN]], "or")
        more = len(track.values) - MAX_VALUES_SHOWN
        return f": {said}{f', and {more} more' if more > 0 else ''}"
    return f": {' and '.join(bounds)}" if bounds else ""


def _list_rulings(rulings: Mapping[str, Ruling]) -> Iterator[tuple[str, str]]:
    yield from ((ruling.rule, f"ruling {ruling.id}: {say_ruling(ruling)}") for ruling in rulings.values())


def _list_steps(game: Game) -> Iterator[tuple[str, str]]:
    course = course_file(game)
    if course.turns.order:
        yield course.turns.rule, f"the sides follow in this order: {join_words([*map(_say_side, course.turns.order)])}"
    for part in dict.fromkeys(phase.part for phase in course.phase):
        titles = [phase.title for phase in course.phase if phase.part == part]
        yield course.turns.rule, f"the phases of the part {part.replace('-', ' ')} are: {join_words(titles)}"
    for phase in course.phase:
        limits = f" ({'; '.join(parts)})" if (parts := [*_say_limits(phase.turns, phase.who)]) else ""
        yield phase.rule, f"a phase of the turn is {phase.title}{limits}"
        for skip in phase.skipped:
            yield skip.rule, f"{phase.title} is left out{_say_when(skip)}"

    phases = dict[tuple[str, str], list[str]]()
    for phase in course.phase:
        for step in phase.steps:
            phases.setdefault((step.rule, f"{step.do}{_say_when(step)}"), []).append(phase.title)
    for (rule, does), titles in phases.items():
        yield rule, f"a step of {join_words([*dict.fromkeys(titles)])} is: {does}"


def _list_clauses(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the rules of sections, clauses and rows of terrain of `rules.toml`, each with its effect and conditions."""
    if not game.has_file(CLAUSES):
        return
    from ..rule_file import list_rules, read_rule_file  # imported late, as few games have the file

    for named in list_rules(read_rule_file(game)):
        yield named.text, f"{CLAUSES}, {named.place}: {named.statement}"


def _say_when(part: CourseStep | Skip) -> str:
    parts = [*_say_limits(part.turns, part.who)]
    parts += [f"with {_say_options(part.option)}"] if part.option else []
    parts += [f"without {_say_options(part.unless)}"] if part.unless else []
    return f" ({'; '.join(parts)})" if parts else ""


def _say_limits(turns: str, who: str) -> Iterator[str]:
    if turns:
        yield f"{'turn' if turns.isdecimal() else 'turns'} {join_words(turns.split())}"
    if who:
        yield f"of the {_say_side(who)} side"


def _say_side(side: str) -> str:
    return side.replace("-", " ").title()


def _say_options(options: str) -> str:
    words = options.split()
    return f"the option{'s' if len(words) > 1 else ''} {join_words(words)}"


def _list_events(game: Game) -> Iterator[tuple[str, str]]:
    events = read_events(game)
    words = read_words(game)
    for event in events.event.values():
        yield event.rule, f"the journal of a campaign may record: {event.title}{_say_who(event.only, words)}"
        for name, kind in event.kinds.items():
            title = kind.title or name.replace("-", " ")
            yield kind.rule, f"the journal may record of {event.title}: {title}{_say_who(kind.only, words)}"
    for level in events.level:
        account = words.get(level.account, level.account)
        yield level.rule, f"{level.title}: at {level.at} {account}{_say_who([level.who], words)}"
    for debt in events.debt:
        yield debt.rule, f"what a campaign keeps account of: {debt.title}"
    for bar in events.barred:
        yield (
            bar.rule,
            f"the journal records no losses and no spending of a nation that is not in play: {bar.title}{_say_who(bar.who, words)}",
        )
    for ceiling in events.ceiling:
        account = words.get(ceiling.account, ceiling.account)
        limit = f"at most {ceiling.most} {account} as {_say_cell('at', ceiling.at, words)} begins"
        yield ceiling.rule, f"{limit}{_say_who([ceiling.who], words)}: {ceiling.title}"


def _say_who(who: Sequence[str], words: Mapping[str, str]) -> str:
    named = [words.get(each, each) for each in who if each]
    return f" ({join_words(named)})" if named else ""


def _read_rows(game: Game) -> dict[str, dict[str, list[StatedRow]]]:
    rows_by_rule = dict[str, dict[str, list[StatedRow]]]()
    tables = read_tables(game)
    for path, file in list_files_ending(game.folder, ".csv"):
        if path in (INDEX, _RULINGS):
            continue
        table = tables.get(path)
        for row, where in read_rows(file, [], path, ignore):
            rules = read_rules(row.get("rule", ""))[0]
            text = _say_row(row, table)
            for rule in rules:
                others = tuple(other for other in rules if other != rule)
                rows_by_rule.setdefault(rule, {}).setdefault(path, []).append(StatedRow(where.line, text, others))
    return rows_by_rule


def _say_row(row: Mapping[str, str], table: Table | None = None) -> str:
    """Return a row in the words of its table, or else its cells with their heads, without the empty ones."""
    if row.get("each") and row.get("text"):
        return _fill_each(row["text"], row["each"])
    given = {head: cell for head, cell in row.items() if cell and head != "rule"}
    if table is None and {"hex", "name"} <= given.keys():
        return f"{given['name']} lies in hex {given['hex']}"
    if table is None:
        return "; ".join(f"{head.replace('_', ' ')}: {_say_cell(head, cell, {})}" for head, cell in given.items())
    cells = {
        head: table.words.get(f"{head}={cell}") or table.words.get(cell) or _say_cell(head, cell, table.words)
        for head, cell in given.items()
    }
    said = _CHOICE.sub(lambda match: _choose_text(match[1].split("|"), cells), table.row)
    return show_figures(_fill_cells(said, cells))


def _choose_text(texts: Iterable[str], cells: Mapping[str, str]) -> str:
    """Return the first of some texts whose cells all exist, filled in, or "" if every text lacks a cell."""
    return next((_fill_cells(text, cells) for text in texts if {*_CELL.findall(text)} <= cells.keys()), "")


def _fill_cells(text: str, cells: Mapping[str, str]) -> str:
    return _CELL.sub(lambda match: cells.get(match[1], ""), text)


def _say_cell(head: str, cell: str, known: Mapping[str, str]) -> str:
    """Return a cell in words: its dates, the steps counted from a date, and the ruling behind a date."""
    if head in _TEXTS:
        return cell
    words = cell.split()
    if all(word in _MONTHS for word in words):
        return join_words([_MONTHS[word] for word in words])
    if head == "turns":
        return join_words(words)
    if head in _DATES:
        words = [_FACT.sub(lambda match: known.get(match[0], match[0]), word, count=1) for word in words]
        words = [_BY_RULING.sub(r" (by the ruling \1: \2)", _STEP.sub(_say_step, word)) for word in words]
        if len(words) > 1 and head in _END_DATES:
            return _DATE.sub(_say_date, f"{_END_DATES[head]} {join_words(words)}")
        cell = " ".join(words)
    return _DATE.sub(_say_date, cell)


def _say_date(date: re.Match[str]) -> str:
    """Return a month, or a turn of a month, in words: `aug14/5` is turn 5 of August 1914."""
    month = f"{_MONTHS[date[1]]} 19{date[2]}"
    return month if not date[3] else f"turn {date[3]} of {month}" if date[3] != "0" else f"the special turn of {month}"


def _say_step(step: re.Match[str]) -> str:
    return f" plus {step[1]} {_UNITS[step[2]]}{'' if step[1] == '1' else 's'}"


def _fill_each(text: str, each: str) -> str:
    """Return a text about each of several things, with their names in place of `{0}` and so on."""
    for number, names in enumerate(each.split()):
        text = text.replace(f"{{{number}}}", join_words(names.split("|"), "or"))
    return text
