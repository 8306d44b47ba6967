"""The course of play: turns, the sequence of play, armies and record tracks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from ..state.state import FactKey
from ..state.tracks import Fact
from ..util.datafiles import read_rows, read_toml, resolve_within
from ..util.errors import OnFault, stop
from ..util.memo import Memo
from ..util.notes import note as meaning
from .calendar import CalendarFile
from .games import Game

COURSE = "course.toml"
"""The file with the course of play."""
TABLES = "tables"
"""The folder with a game's own tables."""
GAME = "game"
"""The word for the game in a place that otherwise names a side or nation."""
Boxes = Annotated[int, msgspec.Meta(ge=-999, le=999)]
Part = Literal["turn", "player-turn", "inter-phase", "combat"]


class Figure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that the printed turn record shows for each turn, such as Rail Points."""

    name: Annotated[str, meaning("the kind of its rows in `turns.csv`")]
    title: str
    who: Annotated[str, meaning('the side or nation that it concerns, or "" if all')] = ""
    rule: str = ""
    turns: Annotated[str, meaning('the turns that have one, such as `3 6 9` or `37-47`, or "" if all do')] = ""
    after: Annotated[
        bool, meaning("whether it takes effect after its turn, so that the last turn of a scenario needs none")
    ] = False


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The numbering and the names of turns."""

    track: Annotated[str, meaning("the track of the game whose `least` and `most` are the first and the last turn")] = (
        "turn"
    )
    arrives: Annotated[str, meaning("the track of units with the turn in which one comes into play")] = ""
    options: Annotated[
        tuple[str, ...], meaning("the tracks of the game whose words are optional rules, scenarios or other agreements")
    ] = ("options",)
    tag: Annotated[str, meaning("the short name of a turn, with `{}` for its number")] = "{}"
    order: Annotated[tuple[str, ...], meaning("the sides in the order of their player turns")] = ()
    figures: Annotated[tuple[Figure, ...], meaning("the other numbers that the printed record shows")] = ()
    rule: Annotated[str, meaning("the rules of the order of play, to which phases and steps add theirs")] = ""


class CourseStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to do in a phase, in the game's own terms."""

    do: Annotated[str, meaning("the thing to do")]
    name: Annotated[str, meaning("the name by which the game judges it, and a player leaves it undone")] = ""
    ask: Annotated[str, meaning("the question that answers it, with parameters such as `stack ended=yes`")] = ""
    rule: str = ""
    who: Annotated[str, meaning('the side or nation that does it, or "" if all do')] = ""
    turns: Annotated[str, meaning('the turns in which it comes up, or "" if all')] = ""
    option: Annotated[str, meaning('the optional rule that it belongs to, or "" if none')] = ""
    unless: Annotated[str, meaning("the optional rule without which it is done")] = ""
    arrives: Annotated[bool, meaning("whether it brings the units that arrive this turn")] = False


class Skip(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The conditions under which a phase is skipped: turns, side or nation, and optional rules in force."""

    turns: str = ""
    who: str = ""
    option: str = ""
    unless: str = ""
    rule: str = ""


class Phase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phase of the sequence of play."""

    title: str
    name: Annotated[str, meaning("the name, like that of a step, if one question carries out the whole phase")] = ""
    ask: Annotated[str, meaning("the question that carries out the whole phase")] = ""
    part: Annotated[
        Part,
        meaning("the part of the game that has it: game turn, player turn, inter-phase between turns, or each combat"),
    ] = "player-turn"
    rule: str = ""
    word: Annotated[str, meaning("the word for it in the track `phase`")] = ""
    active: Annotated[Literal["phasing", "other", "both"], meaning("the side that acts in it during a player turn")] = (
        "phasing"
    )
    who: str = ""
    turns: str = ""
    skipped: Annotated[tuple[Skip, ...], meaning("the conditions under which it is skipped")] = ()
    steps: tuple[CourseStep, ...] = ()


class CorpsBox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corps track of an army's display that only one corps or kind of corps may use."""

    only: str
    rule: str = ""


class Army(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army with a display of its own."""

    name: Annotated[str, meaning("the name on counters, without the nation")]
    nation: str
    title: Annotated[str, meaning("the title of its display, if it differs from that of other armies")] = ""
    limit: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=30)] | None,
        meaning("the number of corps that it takes, or None if only the owner of the game knows it"),
    ] = None
    boxes: Annotated[tuple[CorpsBox, ...], meaning("the tracks that take only a certain corps")] = ()
    turns: Annotated[str, meaning('the turns in which it may be in play, or "" if all')] = ""
    note: str = ""
    rule: str = ""


class Organisation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The look of the displays of armies."""

    title: Annotated[str, meaning("the title of a display, with `{}` for the army")] = "{}"
    statuses: Annotated[tuple[str, ...], meaning("the boxes of each track, from best to worst")] = ()
    status: str = ""
    independent: Annotated[
        str, meaning("the name of tracks for independent units; `corps` is that of tracks for corps")
    ] = ""
    corps: str = ""
    limit: Annotated[str, meaning("the track of armies with the number of their corps")] = ""
    cavalry: Annotated[str, meaning("the track of armies that adds a track for cavalry corps only")] = ""
    rule: str = ""


class RecordTrack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A track of numbered boxes, from `least` to `most`."""

    title: str
    least: Boxes = 0
    most: Boxes = 9
    who: tuple[str, ...] = ()
    """The sides or nations with a track of their own, or none if all share one."""
    tens: bool = False
    """Whether a second marker counts tens."""
    track: str = ""
    """The track of sides or nations with the values at set-up."""
    note: str = ""
    """Remarks on its use."""
    rule: str = ""


class Tally(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Boxes in each row of the roster sheet."""

    track: Annotated[str, meaning("the track of units with the number to record")]
    title: str
    printed: Annotated[
        str,
        meaning(
            "the printed track that says how many boxes a unit has, by default the one that the number stays below"
        ),
    ] = ""
    levels: Annotated[bool, meaning("whether there is a box for each level, for units that have `printed`")] = False
    rule: str = ""


class ListingColumn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column of a printed table."""

    name: str
    """The heading in the file."""
    title: str
    """The printed heading."""
    values: dict[str, str] = {}
    """Printed texts by value, for values whose printed text differs."""
    empty: str = "\u2013"
    """The printed text for an empty cell."""
    dates: bool = False
    """Whether the column holds months and turns."""


class PrintedTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table in `tables/` that is printed as a player aid."""

    title: str
    file: str
    """The name of the table's file without the suffix."""
    columns: tuple[ListingColumn, ...]
    """The columns from left to right."""
    remark: str = ""
    """The text below the table."""
    rule: str = ""


def listing_rows(game: Game, listing: PrintedTable, on_fault: OnFault = stop) -> list[Mapping[str, str]]:
    """Return the rows of a printed table.

    `on_fault`: receives the fault of a missing file or column.
    """
    file = f"{TABLES}/{listing.file}.csv"
    names = [column.name for column in listing.columns]
    return [row for row, _ in read_rows(resolve_within(game.folder, file), names, file, on_fault)]


class ScenarioFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts that an owner's set-up has to state."""

    game: Annotated[tuple[str, ...], meaning("tracks of the game")] = ()
    last: Annotated[str, meaning('the track of the game with its last turn, or "" if none')] = ""
    entry: Annotated[
        str, meaning('the track of units with the hexes where they enter, or "" if rows need not state them')
    ] = ""
    anywhere: Annotated[dict[str, tuple[str, ...]], meaning("the values of units that need no such hex, by track")] = {}
    armies: Annotated[
        dict[str, tuple[str, ...]],
        meaning("the armies that must state a track if they have units, by track; none means all armies"),
    ] = {}
    sets: Annotated[
        dict[str, dict[str, str]], meaning("the set of units of each scenario with only one, by track of units")
    ] = {}


SCENARIO = "scenario"
"""The track of the game that names the scenario."""


class OptionalUnits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units that take part only with an optional rule."""

    units: dict[str, str]
    """The values that identify these units, by track."""
    option: str = ""
    """The word of the optional rule, or "" if any optional rule in force will do."""
    rule: str = ""


class CourseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of `course.toml`."""

    turns: TurnRecord = TurnRecord()
    calendar: Annotated[CalendarFile | None, meaning("the dates of the turns, or None if turns are numbered")] = None
    schedules: Annotated[
        dict[Literal["item", "action", "map", "branch", "size"], tuple[str, ...]],
        meaning("the words allowed in columns of schedules, by column"),
    ] = {}
    scheduled: Annotated[dict[str, str], meaning("the rules of an owner's rows that name none, by action")] = {}
    scenario: Annotated[ScenarioFacts, meaning("the facts that every scenario of the owner states")] = ScenarioFacts()
    phase: tuple[Phase, ...] = ()
    optional: Annotated[tuple[OptionalUnits, ...], meaning("the units of optional rules")] = ()
    organisation: Organisation = Organisation()
    army: tuple[Army, ...] = ()
    record: tuple[RecordTrack, ...] = ()
    tally: Annotated[tuple[Tally, ...], meaning("the boxes in a row of the roster sheet")] = ()
    costs: Annotated[tuple[str, ...], meaning("the charts whose cells belong to the terrain key")] = ()
    table: Annotated[tuple[PrintedTable, ...], meaning("the tables that are printed beside the charts")] = ()


def arrival_track(game: Game, course: CourseFile | None = None) -> str:
    """Return the track of units with the turns in which the units come into play, or "" if there is none.

    Raises InputError as `course_file` does.
    """
    name = (course or course_file(game)).turns.arrives
    return name if name in game.tracks and game.tracks[name].on == "unit" else ""


_COURSES: Memo[None, CourseFile] = Memo()
"""The cached contents of `course.toml`."""


def course_file(game: Game, on_fault: OnFault = stop) -> CourseFile:
    """Return the contents of a game's `course.toml`, or an empty course if it has none.

    `on_fault`: receives each fault; without it, the first one is raised as InputError.
    """

    def read() -> CourseFile:
        file = resolve_within(game.folder, COURSE)
        return read_toml(file, CourseFile, on_fault) if file.is_file() else CourseFile()

    return game.memo(_COURSES, None, read) if on_fault is stop else read()


def clock_tracks(game: Game) -> tuple[str, ...]:
    """Return the tracks that state the turn, the phase, and the side whose player turn it is."""
    return course_file(game).turns.track, "phase", "phasing"


def stated_phase(game: Game, facts: Mapping[FactKey, Fact]) -> Phase | None:
    """Return the phase that the facts of a state name, or None if they name no phase of the game."""
    word = facts.get(("phase", ""))
    return next((phase for phase in course_file(game).phase if word and word.value and phase.word == word.value), None)


def active_sides(game: Game, facts: Mapping[FactKey, Fact]) -> frozenset[str]:
    """Return the sides that act in the phase stated by `phase` and `phasing`, or none if no phase is stated."""
    phasing = facts.get(("phasing", ""))
    phase = stated_phase(game, facts) if phasing else None
    if phasing is None or phase is None:
        return frozenset()
    return frozenset(
        side for side in game.file.sides if phase.active in ("both", "phasing" if side == phasing.value else "other")
    )
