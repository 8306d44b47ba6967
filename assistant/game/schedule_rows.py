"""The rows of schedules as their cells stand: what a row may say, what the owner of a game may leave out in his own,
and what is wrong with a row or with several together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, NamedTuple

import msgspec

from ..util.errors import InputError, Where, format_suggestion
from ..util.notes import note as meaning
from ..util.patterns import late_pattern
from ..util.texts import natural, whole
from .boards import Board
from .course import SCENARIO, CourseFile, arrival_track
from .games import Game
from .names import regular_army
from .turn_record import list_people

REQUIRED = ("rule", "item")
COMING = ("", "arrive", "substitute")
LEAVING = ("withdraw",)
"""The actions by which units come, and by which they leave."""
ABSENT = "absent"
"""The action of a row, which has no turn, that names units that take no part in a scenario, or an army whose other
units do not.
"""
ARMY = "army"
"""The track of units with the army of each."""
FORMATIONS = ("corps", "army")
"""The items of rows that name a corps or an army as such."""
NUMBERS = ("count", "amount", "every")
"""The columns with numbers."""


_READING = late_pattern(r"\[([^]=]*)=([^]]*)\]$")
_BETWEEN_PLACES = late_pattern(r"[\s,;/]+")


class Reading(NamedTuple):
    """The reading of a ruling to which something belongs."""

    ruling: str
    reading: str


class ScheduleRow(msgspec.Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A row of a schedule: what comes, when, and under which conditions."""

    rule: str
    item: str
    who: Annotated[str, meaning('the nation or side, "" for all')] = ""
    from_: Annotated[
        str, meaning("the first turn or month, or the turn after something has happened; of several the latest")
    ] = ""
    until: Annotated[
        str, meaning("the last turn or month, or that of something that happens; of several the earliest")
    ] = ""
    at: Annotated[str, meaning("the turns in which it comes")] = ""
    months: Annotated[str, meaning("odd, even or names")] = ""
    turns: Annotated[str, meaning("of the month")] = ""
    when: Annotated[str, meaning("facts that must hold")] = ""
    option: str = ""
    unless: str = ""
    action: str = ""
    count: int = 1
    units: str = ""
    account: Annotated[str, meaning("what `amount` adds to")] = ""
    amount: int = 0
    instead: Annotated[str, meaning("the item in whose place it comes")] = ""
    every: Annotated[int, meaning("of how many of that item it replaces one")] = 0
    counter: Annotated[str, meaning("the account that counts them, or the steps of its rotation")] = ""
    rotation: Annotated[str, meaning("the list of steps")] = ""
    queue: Annotated[str, meaning("the account of how many come in a year, one a month")] = ""
    place: str = ""
    map: str = ""
    text: str = ""
    note: str = ""
    unit: str = ""
    strength: str = ""
    move: str = ""
    branch: str = ""
    size: str = ""
    scenario: Annotated[str, meaning('the one in which it counts, "" for all')] = ""
    army: str = ""
    corps: str = ""
    replaces: Annotated[str, meaning("the units whose place the units take")] = ""
    voluntary: Annotated[str, meaning("whether the player may leave that")] = ""

    @property
    def named_units(self) -> tuple[str, ...]:
        """The units that it names."""
        return cell_names(self.units)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The units whose place they take, by name."""
        return cell_names(self.replaces)

    @property
    def in_words(self) -> str:
        """What comes, in words."""
        named = [
            *self.named_units,
            *filter(None, (self.corps and f"{self.corps} Corps", "" if self.units else self.army)),
        ]
        instead = f" for {', '.join(self.replaced)}" if self.replaces else ""
        return self.text or f"{', '.join(named) or f'{self.count} {self.item}'}{instead}"


def places_in(cell: str) -> tuple[str, ...]:
    """Return the places, or the words, of a cell that says where something comes."""
    return tuple(filter(None, _BETWEEN_PLACES.split(cell)))


def hexes_in(board: Board, cell: str) -> tuple[str, ...]:
    """Return the hexes that a cell of places names, as the board prints them, each once and in order; words that are
    not a hex are left out.
    """
    hexes = dict[str, None]()
    for word in filter(is_hex_number, places_in(cell)):
        with suppress(InputError):
            hexes[board.place(word)] = None
    return tuple(hexes)


def cell_names(cell: str) -> tuple[str, ...]:
    """Return the names in a cell with commas between them."""
    return tuple(filter(None, map(str.strip, cell.split(","))))


def row_of(cells: Mapping[str, str]) -> ScheduleRow:
    """Return the row with these cells. Raises InputError for one that is not a number where one is wanted."""
    numbers = {column: whole(cells[column]) for column in NUMBERS if cells.get(column)}
    for column, number in numbers.items():
        if number is None:
            raise InputError(f"{column}: {cells[column][:20]!r} is not a number")
    given = {column: cell for column, cell in cells.items() if cell}
    return msgspec.convert({**dict.fromkeys(REQUIRED, ""), **given, **numbers}, ScheduleRow)


def check_cells(game: Game, course: CourseFile, cells: Mapping[str, str]) -> None:
    """Raise InputError for a row, or one as a step of its rotation makes it, that lacks something, names what the game
    does not have, or contradicts itself.
    """
    row = row_of(cells)
    _check_absent(row)
    if not (row.rule and row.item):
        raise InputError("a row needs a rule and an item", hint="name both, if only in a word")
    if bool(cells.get("account")) != bool(cells.get("amount")):
        raise InputError("account and amount go together", hint="write both, or neither")
    concerned = list_people(game)
    if row.who and row.who not in concerned:
        raise InputError(f"{row.who!r} is neither a side nor a nation", hint=format_suggestion(row.who, concerned))
    for name in filter(None, (row.account, with_reading(game, row.counter)[0], row.queue)):
        track = game.tracks.get(name)
        if track is None or track.kind != "integer":
            integers = [name for name, track in game.tracks.items() if track.kind == "integer"]
            raise InputError(f"{name!r} is not an account", hint=format_suggestion(name, integers))
    _check_words(course, row)
    if (row.rotation or row.every or row.queue) and not row.counter:
        raise InputError(
            "a rotation, every or a queue needs a counter", hint="name the account that counts in `counter`"
        )
    units = row.named_units
    if _is_never_dated(game, course, row):
        raise InputError("the row has no turn", hint="write it in `at`: units come in one turn, not in a period")
    for name in (*units, *row.replaced):
        nation = _find_nation(game, name)
        if nation and row.who and nation not in (row.who, *game.file.sides.get(row.who, ())):
            wrong = "units" if name in units else "replaces"
            raise InputError(f"{name!r} is {nation}, not {row.who}", hint=f"correct `who` or `{wrong}`")
    if row.army:
        known = known_armies(game, course)
        if row.army not in known:
            raise InputError(f"unknown army {row.army!r}", hint=format_suggestion(row.army, known))
        if row.who and row.army.partition(" ")[0] not in _list_sides(game, row.who):
            raise InputError(f"{row.army} is not an army of {row.who}", hint="correct `who` or `army`")
    _check_scenario(game, row.scenario)
    if row.voluntary not in ("", "yes", "no"):
        raise InputError(f"voluntary: {row.voluntary[:20]!r} is not allowed", hint="write yes, or leave it empty")
    entries = places_in(row.place)
    if all(map(is_hex_number, entries)):
        for word in entries:
            game.file.grid.parse(word)
    if len(units) > 1 and row.count != len(units):
        raise InputError(f"count: {row.count} is not the number of units, {len(units)}")


def _is_never_dated(game: Game, course: CourseFile, row: ScheduleRow) -> bool:
    """Return whether a row names units, or a corps or an army as such, and no turn for them in a game whose units state
    when they come: each comes, leaves or is activated once, not in every turn of a period.
    """
    names_units = bool(row.units) or row.item in FORMATIONS
    is_dated = bool(row.at or row.rotation)
    return names_units and row.action != ABSENT and not is_dated and bool(arrival_track(game, course))


def _check_absent(row: ScheduleRow) -> None:
    """Raise InputError for a row of what takes no part that has a turn or a place, or that names nothing."""
    if row.action != ABSENT:
        return
    if row.at or row.from_ or row.until or row.place:
        raise InputError("units that take no part have neither a turn nor a place", hint=f"write: {ABSENT}: UNIT, UNIT")
    if not (row.units or row.army):
        raise InputError("the row names no unit", hint=f"write: {ABSENT}: UNIT, UNIT, or {ABSENT}: army=ARMY")


def absent_names(rows: Iterable[ScheduleRow]) -> frozenset[str]:
    """Return the units that take no part in a scenario by its rows, and the armies, by side and name, whose other units
    take none.
    """
    return frozenset(name for row in rows if row.action == ABSENT for name in row.named_units or (row.army,))


def _check_words(course: CourseFile, row: ScheduleRow) -> None:
    """Raise InputError for a word of a row that its column does not take."""
    for column, words in course.schedules.items():
        if (cell := getattr(row, column, "")) and cell not in words:
            raise InputError(f"{column}: unknown word {cell!r}", hint=format_suggestion(cell, words))


def is_hex_number(word: str) -> bool:
    """Return whether a word has the form of the number of a hex."""
    return natural(word.replace(".", "", 1)) is not None


def _find_nation(game: Game, unit: str) -> str:
    """Return the nation of a unit of the roster, "" where it states none. Raises InputError for one that is not in it."""
    if unit not in game.roster:
        raise InputError(f"{unit!r} is not in the roster", hint=format_suggestion(unit, game.roster))
    return game.printed_nation(unit)


def _list_sides(game: Game, who: str) -> tuple[str, ...]:
    """Return the sides that a name means: a side itself, or those of a nation."""
    return (who,) if who in game.file.sides else tuple(side for side, of in game.file.sides.items() if who in of)


def known_armies(game: Game, course: CourseFile) -> list[str]:
    """Return the armies of a game by side and name: those with a display, and those that counters name."""
    return [
        *dict.fromkeys([*(f"{game.side_of(army.nation)} {army.name}" for army in course.army), *sorted(game.armies)])
    ]


def _check_scenario(game: Game, scenario: str) -> None:
    """Raise InputError for a scenario of which the game, or its owner, has no set-up, or that no position can state."""
    if not scenario:
        return
    if SCENARIO not in game.tracks:
        raise InputError(f"{game.title} has no scenarios", hint="leave the column `scenario` out")
    if scenario not in game.setups:
        raise InputError(f"unknown scenario {scenario!r}", hint=format_suggestion(scenario, game.setups))
    game.tracks[SCENARIO].parse(scenario)


def complete_cells(game: Game, course: CourseFile, cells: Mapping[str, str]) -> dict[str, str]:
    """Return what the cells of a row of the owner's leave out because other cells say it: the nation or side of its
    units, how many they are, its item, the rule of its action, and the side of its army. Raises InputError for units of
    several sides, and for a row without a turn.
    """
    row = row_of({**cells, "count": ""})
    _check_words(course, row)
    if not (row.at or row.from_ or row.action == ABSENT):
        raise InputError("the row has no turn", hint="write the turn in `at`")
    units = tuple(game.spell_unit(name) for name in row.named_units)
    nations = {*filter(None, (_find_nation(game, name) for name in units))}
    sides = {side for nation in nations for side in _list_sides(game, nation)}
    who = row.who or (nations.pop() if len(nations) == 1 else "")
    if not who and len(sides) > 1:
        raise InputError(f"units of both sides: {row.units}", hint="write a row for each side")
    more = {"who": who or (sides.pop() if sides else ""), "units": ",".join(units)}
    more["replaces"] = ",".join(map(game.spell_unit, row.replaced))
    more["item"] = row.item or ("unit" if units else "army" if row.army else "corps" if row.corps else "")
    more["rule"] = row.rule or course.scheduled.get(row.action or "arrive", "")
    more["count"] = cells.get("count") or (str(len(units)) if len(units) > 1 else "")
    if row.army:
        more["army"] = _spell_army(game, row.army, more["who"])
        more["who"] = more["who"] or more["army"].partition(" ")[0]
    return more


def _spell_army(game: Game, army: str, who: str) -> str:
    """Return an army by its side and name. who: whose it is where it is named without a side. Raises InputError where
    that is open.
    """
    sides = _list_sides(game, who)
    try:
        return regular_army(army, game.file.sides, game.armies)
    except InputError:
        if len(sides) == 1:
            return f"{sides[0]} {army}"
        raise


def find_twice_faults(rows: Iterable[tuple[ScheduleRow, Where]]) -> Iterator[InputError]:
    """Yield the units that come twice in one scenario. rows: turn by turn. What comes only with an option or a fact may
    come otherwise too, what may be left may be done again, and what has been withdrawn may come again.
    """
    come = dict[tuple[str, str], tuple[ScheduleRow, Where]]()
    for row, where in rows:
        for unit in row.named_units:
            if row.action in LEAVING:
                come = {key: before for key, before in come.items() if key[0] != unit}
            elif row.action in COMING and not (row.when or row.option or row.unless or row.voluntary == "yes"):
                scenarios = (
                    {row.scenario, ""} if row.scenario else {scenario for name, scenario in come if name == unit}
                )
                if before := next((come[unit, scenario] for scenario in scenarios if (unit, scenario) in come), None):
                    what = (
                        f"{unit!r} arrives twice: in turn {row.at}, and in turn {before[0].at} by line {before[1].line}"
                    )
                    yield InputError(what, where=where, hint="leave one of the two out")
                come.setdefault((unit, row.scenario), (row, where))


def find_absent_faults(rows: Iterable[tuple[ScheduleRow, Where]]) -> Iterator[InputError]:
    """Yield the units that come in a scenario, and take no part in it by another row."""
    kept = [*rows]
    come = {(unit, row.scenario): row for row, _ in kept if row.action in COMING for unit in row.named_units}
    for row, where in kept:
        if row.action != ABSENT:
            continue
        for unit in row.named_units:
            if arrives := come.get((unit, row.scenario)):
                what = f"{unit!r} takes no part but arrives in turn {arrives.at or arrives.from_}"
                yield InputError(what, where=where, hint="leave one of the two out")


def find_circle_faults(rows: Iterable[tuple[ScheduleRow, Where]]) -> Iterator[InputError]:
    """Yield the first substitutions that lead back to the unit with which they begin; voluntary ones may be made again
    and again.
    """
    replaced = dict[str, list[str]]()
    places = dict[str, Where]()
    for row, where in rows:
        if row.voluntary == "yes":
            continue
        for unit in row.named_units:
            replaced.setdefault(unit, []).extend(row.replaced)
            places[unit] = where
    if circle := first_circle(replaced):
        what = f"substitutions go round in a circle: {' for '.join(circle)}"
        yield InputError(what, where=places[circle[0]], hint="correct `replaces`, or write voluntary=yes")


def first_circle(replaced: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the first circle among substitutions, from a unit back to itself; empty if there is none. replaced: the
    units whose place each takes.
    """
    try:
        TopologicalSorter(replaced).prepare()
    except CycleError as error:
        return tuple(reversed(error.args[1]))
    return ()


def with_reading(game: Game, text: str) -> tuple[str, Reading | None]:
    """Return a cell without `[RULING=READING]` at its end, and that reading. Raises InputError for one that the game
    does not have.
    """
    end = _READING.search(text)
    if end is None:
        return text, None
    name, reading = end.groups()
    if name not in game.rulings:
        raise InputError(f"unknown ruling {name!r}", hint=format_suggestion(name, game.rulings))
    return text[: end.start()], Reading(name, game.rulings[name].check(reading))
