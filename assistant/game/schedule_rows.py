"""The rows of schedules: their columns, cells that an owner's row may leave out, and mistakes.

A row is an arrival for a nation or side in some turns, or units that leave or are absent.
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

REQUIRED_COLUMNS = ("rule", "item")
"""The columns that no row may leave empty."""
ARRIVAL_ACTIONS = ("", "arrive", "substitute")
"""The actions by which units come."""
DEPARTURE_ACTIONS = ("withdraw",)
"""The actions by which units leave."""
ABSENT = "absent"
"""The action of units, or of all other units of an army, that take no part in a scenario; such a row has no turn."""
ARMY = "army"
"""The track with the army of each unit."""
FORMATION_ITEMS = ("corps", "army")
"""The items of rows about a corps or an army as such."""
NUMBER_COLUMNS = ("count", "amount", "every")
"""The columns of a schedule whose cells are whole numbers."""


_READING = late_pattern(r"\[([^]=]*)=([^]]*)\]$")
_PLACE_SEPARATOR = late_pattern(r"[\s,;/]+")


class Reading(NamedTuple):
    """A ruling, and its reading on which a cell depends."""

    ruling: str
    reading: str


class ScheduleRow(msgspec.Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A row of a schedule: an item, its turns and its conditions."""

    rule: str
    item: str
    """The word for the item, such as `sp` or `corps`."""
    who: Annotated[str, meaning('the nation or side, or "" if all')] = ""
    from_: Annotated[
        str, meaning("the first turn or month, or the turn after something has happened; of several the latest")
    ] = ""
    until: Annotated[
        str, meaning("the last turn or month, or that of something that happens; of several the earliest")
    ] = ""
    at: Annotated[str, meaning("the turns in which it comes")] = ""
    months: Annotated[str, meaning("odd, even or names")] = ""
    turns: Annotated[str, meaning("the turns of the month")] = ""
    when: Annotated[str, meaning("facts that must hold")] = ""
    option: str = ""
    """The optional rules that it requires."""
    unless: str = ""
    """The optional rules that exclude it."""
    action: str = ""
    """The action: a word in `ARRIVAL_ACTIONS` or `DEPARTURE_ACTIONS`, `ABSENT`, or another word of the game."""
    count: int = 1
    """The number of items."""
    units: str = ""
    """The names of units of the roster, with commas between."""
    account: Annotated[str, meaning("the account to which `amount` is added")] = ""
    amount: int = 0
    instead: Annotated[str, meaning("the item that it replaces")] = ""
    every: Annotated[int, meaning("the number of those items of which it replaces one")] = 0
    counter: Annotated[str, meaning("the account that counts the items, or the steps of the rotation")] = ""
    rotation: Annotated[str, meaning("the list of steps")] = ""
    queue: Annotated[str, meaning("the account of how many come in a year, one a month")] = ""
    place: str = ""
    """The place of entry: hexes, or words."""
    map: str = ""
    text: str = ""
    """The item in words, in place of a text made of the other columns."""
    note: str = ""
    # The columns from `unit` to `size` describe in words a unit that the roster need not have.
    unit: str = ""
    strength: str = ""
    move: str = ""
    branch: str = ""
    size: str = ""
    scenario: Annotated[str, meaning('the scenario of the row, or "" if all')] = ""
    army: str = ""
    """The army of the units, or the one that comes, by side and name, such as `red First`."""
    corps: str = ""
    """The corps of the units, or the one that comes."""
    replaces: Annotated[str, meaning("the units that the units replace")] = ""
    voluntary: Annotated[str, meaning("whether the player may decline")] = ""

    @property
    def named_units(self) -> tuple[str, ...]:
        """The names in the column `units`."""
        return cell_names(self.units)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The names in the column `replaces`."""
        return cell_names(self.replaces)

    @property
    def in_words(self) -> str:
        """The item in words: `text`, or such as `A, B, XX Corps for C`, or `15 sp` if the row names nothing."""
        corps = self.corps and f"{self.corps} Corps"
        army = "" if self.units else self.army
        names = [*self.named_units, *filter(None, (corps, army))]
        replaced = f" for {', '.join(self.replaced)}" if self.replaces else ""
        return self.text or f"{', '.join(names) or f'{self.count} {self.item}'}{replaced}"


def places_in(cell: str) -> tuple[str, ...]:
    """Return the hexes and words of a cell with places of entry."""
    return tuple(filter(None, _PLACE_SEPARATOR.split(cell)))


def hexes_in(board: Board, cell: str) -> tuple[str, ...]:
    """Return the different hexes in a cell of places, as the board prints them; other words are left out."""
    hexes = dict[str, None]()
    for word in filter(is_hex_number, places_in(cell)):
        with suppress(InputError):
            hexes[board.place(word)] = None
    return tuple(hexes)


def cell_names(cell: str) -> tuple[str, ...]:
    """Return the names in a cell, which has commas between them."""
    return tuple(filter(None, map(str.strip, cell.split(","))))


def row_of(cells: Mapping[str, str]) -> ScheduleRow:
    """Return the row with these cells, or raise InputError if a column of numbers holds something else."""
    numbers = {column: whole(cells[column]) for column in NUMBER_COLUMNS if cells.get(column)}
    for column, number in numbers.items():
        if number is None:
            raise InputError(f"{column}: {cells[column][:20]!r} is not a number")
    given = {column: cell for column, cell in cells.items() if cell}
    return msgspec.convert({**dict.fromkeys(REQUIRED_COLUMNS, ""), **given, **numbers}, ScheduleRow)


def check_cells(game: Game, course: CourseFile, cells: Mapping[str, str]) -> None:
    """Raise InputError if a row lacks something, names anything unknown to the game, or contradicts itself.

    `cells`: a row of a schedule, or one combined with a step of its rotation.
    """
    row = row_of(cells)
    _check_absent(row)
    if not (row.rule and row.item):
        raise InputError("a row needs a rule and an item", hint="name both, if only in a word")
    if bool(cells.get("account")) != bool(cells.get("amount")):
        raise InputError("account and amount go together", hint="write both, or neither")
    people = list_people(game)
    if row.who and row.who not in people:
        raise InputError(f"{row.who!r} is neither a side nor a nation", hint=format_suggestion(row.who, people))
    _check_accounts(game, row)
    _check_words(course, row)
    if (row.rotation or row.every or row.queue) and not row.counter:
        raise InputError(
            "a rotation, every or a queue needs a counter", hint="name the account that counts in `counter`"
        )
    if _lacks_turn(game, course, row):
        raise InputError("the row has no turn", hint="write it in `at`: units come in one turn, not in a period")
    _check_nations(game, row)
    _check_army(game, course, row)
    _check_scenario(game, row.scenario)
    if row.voluntary not in ("", "yes", "no"):
        raise InputError(f"voluntary: {row.voluntary[:20]!r} is not allowed", hint="write yes, or leave it empty")
    _check_hexes(game, row)
    unit_count = len(row.named_units)
    if unit_count > 1 and row.count != unit_count:
        raise InputError(f"count: {row.count} is not the number of units, {unit_count}")


def _check_absent(row: ScheduleRow) -> None:
    if row.action != ABSENT:
        return
    if row.at or row.from_ or row.until or row.place:
        raise InputError("units that take no part have neither a turn nor a place", hint=f"write: {ABSENT}: UNIT, UNIT")
    if not (row.units or row.army):
        raise InputError("the row names no unit", hint=f"write: {ABSENT}: UNIT, UNIT, or {ABSENT}: army=ARMY")


def _check_accounts(game: Game, row: ScheduleRow) -> None:
    for name in filter(None, (row.account, with_reading(game, row.counter)[0], row.queue)):
        track = game.tracks.get(name)
        if track is None or track.kind != "integer":
            integers = [name for name, track in game.tracks.items() if track.kind == "integer"]
            raise InputError(f"{name!r} is not an account", hint=format_suggestion(name, integers))


def _check_words(course: CourseFile, row: ScheduleRow) -> None:
    for column, words in course.schedules.items():
        if (cell := getattr(row, column, "")) and cell not in words:
            raise InputError(f"{column}: unknown word {cell!r}", hint=format_suggestion(cell, words))


def _lacks_turn(game: Game, course: CourseFile, row: ScheduleRow) -> bool:
    """Return whether a row needs a turn in `at`, or a rotation, and has neither.

    If units state their turns, a row that names units, a corps or an army needs one, because each comes or leaves once.
    """
    names_units = bool(row.units) or row.item in FORMATION_ITEMS
    has_turn = bool(row.at or row.rotation)
    return names_units and row.action != ABSENT and not has_turn and bool(arrival_track(game, course))


def _check_nations(game: Game, row: ScheduleRow) -> None:
    units = row.named_units
    for name in (*units, *row.replaced):
        nation = _find_nation(game, name)
        if nation and row.who and nation not in (row.who, *game.file.sides.get(row.who, ())):
            column = "units" if name in units else "replaces"
            raise InputError(f"{name!r} is {nation}, not {row.who}", hint=f"correct `who` or `{column}`")


def _check_army(game: Game, course: CourseFile, row: ScheduleRow) -> None:
    if not row.army:
        return
    armies = known_armies(game, course)
    if row.army not in armies:
        raise InputError(f"unknown army {row.army!r}", hint=format_suggestion(row.army, armies))
    if row.who and row.army.partition(" ")[0] not in _list_sides(game, row.who):
        raise InputError(f"{row.army} is not an army of {row.who}", hint="correct `who` or `army`")


def _check_scenario(game: Game, scenario: str) -> None:
    if not scenario:
        return
    if SCENARIO not in game.tracks:
        raise InputError(f"{game.title} has no scenarios", hint="leave the column `scenario` out")
    if scenario not in game.setups:
        raise InputError(f"unknown scenario {scenario!r}", hint=format_suggestion(scenario, game.setups))
    game.tracks[SCENARIO].parse(scenario)


def _check_hexes(game: Game, row: ScheduleRow) -> None:
    words = places_in(row.place)
    if all(map(is_hex_number, words)):
        for word in words:
            game.file.grid.parse(word)


def absent_names(rows: Iterable[ScheduleRow]) -> frozenset[str]:
    """Return the names of absent units, and of armies whose other units are absent."""
    return frozenset(name for row in rows if row.action == ABSENT for name in row.named_units or (row.army,))


def is_hex_number(word: str) -> bool:
    """Return whether a word has the form of a hex number, such as `4023` or `40.23`."""
    return natural(word.replace(".", "", 1)) is not None


def _find_nation(game: Game, unit: str) -> str:
    if unit not in game.roster:
        raise InputError(f"{unit!r} is not in the roster", hint=format_suggestion(unit, game.roster))
    return game.printed_nation(unit)


def _list_sides(game: Game, who: str) -> tuple[str, ...]:
    if who in game.file.sides:
        return (who,)
    return tuple(side for side, nations in game.file.sides.items() if who in nations)


def known_armies(game: Game, course: CourseFile) -> list[str]:
    """Return the armies by side and name, those with a display first."""
    with_display = [f"{game.side_of(army.nation)} {army.name}" for army in course.army]
    return [*dict.fromkeys([*with_display, *sorted(game.armies)])]


def complete_cells(game: Game, course: CourseFile, cells: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of an owner's row that follow from its other cells, with units as in the roster.

    They are nation or side, units, number, item, rule and army.

    Raises InputError if the units are of several sides, or if the row has no turn.
    """
    row = row_of({**cells, "count": ""})  # a count is checked once the row is complete
    _check_words(course, row)
    if not (row.at or row.from_ or row.action == ABSENT):
        raise InputError("the row has no turn", hint="write the turn in `at`")
    units = tuple(game.spell_unit(name) for name in row.named_units)
    nations = {*filter(None, (_find_nation(game, name) for name in units))}
    sides = {side for nation in nations for side in _list_sides(game, nation)}
    who = row.who or (nations.pop() if len(nations) == 1 else "")
    if not who and len(sides) > 1:
        raise InputError(f"units of both sides: {row.units}", hint="write a row for each side")
    completed = {"who": who or (sides.pop() if sides else ""), "units": ",".join(units)}
    completed["replaces"] = ",".join(map(game.spell_unit, row.replaced))
    completed["item"] = row.item or ("unit" if units else "army" if row.army else "corps" if row.corps else "")
    completed["rule"] = row.rule or course.scheduled.get(row.action or "arrive", "")
    completed["count"] = cells.get("count") or (str(len(units)) if len(units) > 1 else "")
    if row.army:
        completed["army"] = _spell_army(game, row.army, completed["who"])
        completed["who"] = completed["who"] or completed["army"].partition(" ")[0]
    return completed


def _spell_army(game: Game, army: str, who: str) -> str:
    """Return an army by side and name, such as `red First` for `First`."""
    sides = _list_sides(game, who)
    try:
        return regular_army(army, game.file.sides, game.armies)
    except InputError:
        if len(sides) == 1:
            return f"{sides[0]} {army}"
        raise


def find_twice_faults(rows: Iterable[tuple[ScheduleRow, Where]]) -> Iterator[InputError]:
    """Yield a fault for each unit that comes twice in one scenario.

    Rows with conditions or options do not count, because the unit may come by another row. Voluntary rows, which may be
    repeated, do not count either. A unit that has been withdrawn may come again.
    """
    arrivals = dict[tuple[str, str], tuple[ScheduleRow, Where]]()  # by unit and scenario, "" for all scenarios
    for row, where in rows:
        is_conditional = bool(row.when or row.option or row.unless or row.voluntary == "yes")
        for unit in row.named_units:
            if row.action in DEPARTURE_ACTIONS:
                arrivals = {key: arrival for key, arrival in arrivals.items() if key[0] != unit}
            elif row.action in ARRIVAL_ACTIONS and not is_conditional:
                scenarios = (
                    {row.scenario, ""} if row.scenario else {scenario for name, scenario in arrivals if name == unit}
                )
                earlier = next(
                    (arrivals[unit, scenario] for scenario in scenarios if (unit, scenario) in arrivals), None
                )
                if earlier:
                    earlier_row, earlier_where = earlier
                    what = (
                        f"{unit!r} arrives twice: in turn {row.at}, and in turn {earlier_row.at} by line"
                        f" {earlier_where.line}"
                    )
                    yield InputError(what, where=where, hint="leave one of the two out")
                arrivals.setdefault((unit, row.scenario), (row, where))


def find_absent_faults(rows: Iterable[tuple[ScheduleRow, Where]]) -> Iterator[InputError]:
    """Yield a fault for each unit that comes in a scenario by one row and takes no part in it by another."""
    listed = [*rows]
    arrivals = {
        (unit, row.scenario): row for row, _ in listed if row.action in ARRIVAL_ACTIONS for unit in row.named_units
    }
    for row, where in listed:
        if row.action != ABSENT:
            continue
        for unit in row.named_units:
            if arrival := arrivals.get((unit, row.scenario)):
                what = f"{unit!r} takes no part but arrives in turn {arrival.at or arrival.from_}"
                yield InputError(what, where=where, hint="leave one of the two out")


def find_circle_faults(rows: Iterable[tuple[ScheduleRow, Where]]) -> Iterator[InputError]:
    """Yield a fault if substitutions lead back to their first unit, such as A for B and B for A.

    Voluntary substitutions do not count, as a player may repeat them.
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
    """Return the first cycle of substitutions, such as `("A", "B", "A")`, or () if there is none."""
    try:
        TopologicalSorter(replaced).prepare()
    except CycleError as error:
        return tuple(reversed(error.args[1]))
    return ()


def with_reading(game: Game, text: str) -> tuple[str, Reading | None]:
    """Split a cell such as `shaken[british-rows=end]` into its text and its reading, or None.

    Raises InputError if the game does not have the ruling or the reading.
    """
    suffix = _READING.search(text)
    if suffix is None:
        return text, None
    name, reading = suffix.groups()
    if name not in game.rulings:
        raise InputError(f"unknown ruling {name!r}", hint=format_suggestion(name, game.rulings))
    return text[: suffix.start()], Reading(name, game.rulings[name].check(reading))
