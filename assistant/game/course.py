"""The course of play: turns with date, season, weather and events, the sequence of play, armies and record tracks."""

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
"""The file of the course of play."""
TABLES = "tables"
"""The folder of the tables of a game's own."""
GAME = "game"
"""Who something of the game itself concerns."""
Boxes = Annotated[int, msgspec.Meta(ge=-999, le=999)]
Part = Literal["turn", "player-turn", "inter-phase", "combat"]


class Figure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure that the printed turn record shows for each turn, such as Rail Points."""

    name: Annotated[str, meaning("the kind of its rows in `turns.csv`")]
    title: str
    who: Annotated[str, meaning('the side or nation that it concerns, "" for all')] = ""
    rule: str = ""
    turns: Annotated[str, meaning('the turns that have one, such as `3 6 9` or `37-47`, "" for all')] = ""
    after: Annotated[
        bool, meaning("whether it counts once its turn is over, so that the last turn of a scenario needs none")
    ] = False


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How turns are counted and called."""

    track: Annotated[str, meaning("the track of the game whose `least` and `most` are the first and the last turn")] = (
        "turn"
    )
    arrives: Annotated[str, meaning("the track of units with the turn in which one comes into play")] = ""
    options: Annotated[
        tuple[str, ...], meaning("the tracks of the game whose words are optional rules, scenarios and the like")
    ] = ("options",)
    tag: Annotated[str, meaning("what a turn is called in short, `{}` standing for its number")] = "{}"
    order: Annotated[tuple[str, ...], meaning("the sides in the order of their player turns")] = ()
    figures: Annotated[tuple[Figure, ...], meaning("what else the printed record shows")] = ()
    rule: Annotated[str, meaning("the rules of the order of play, which those of phases and steps add to")] = ""


class CourseStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to do in a phase, in the game's own terms."""

    do: Annotated[str, meaning("what is done")]
    name: Annotated[str, meaning("what it is called where the game judges it, and where a player leaves it undone")] = (
        ""
    )
    ask: Annotated[str, meaning("the question that answers it, with parameters such as `stack ended=yes`")] = ""
    rule: str = ""
    who: Annotated[str, meaning('the side or nation that does it, "" for all')] = ""
    turns: Annotated[str, meaning('the turns in which it comes up, "" for all')] = ""
    option: Annotated[str, meaning('the optional rule that it belongs to, "" for none')] = ""
    unless: Annotated[str, meaning("the optional rule without which it is done")] = ""
    arrives: Annotated[bool, meaning("whether it brings the units that arrive this turn")] = False


class Skip(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a phase is left out: the turns, the side or nation, the optional rule with which, and the one without which."""

    turns: str = ""
    who: str = ""
    option: str = ""
    unless: str = ""
    rule: str = ""


class Phase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phase of the sequence of play."""

    title: str
    name: Annotated[str, meaning("as that of a step, where one question carries out all of the phase")] = ""
    ask: Annotated[str, meaning("that question")] = ""
    part: Annotated[
        Part,
        meaning("whether it belongs to the game turn, a player turn, the inter-phase between turns, or each combat"),
    ] = "player-turn"
    rule: str = ""
    word: Annotated[str, meaning("the word of the track `phase` for it")] = ""
    active: Annotated[Literal["phasing", "other", "both"], meaning("whose phase of a player turn it is")] = "phasing"
    who: str = ""
    turns: str = ""
    skipped: Annotated[tuple[Skip, ...], meaning("when it is left out")] = ()
    steps: tuple[CourseStep, ...] = ()


class CorpsBox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corps track of an army's display that only one corps or kind of corps may use."""

    only: str
    rule: str = ""


class Army(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army with a display of its own."""

    name: Annotated[str, meaning("without its nation, as counters name it")]
    nation: str
    title: Annotated[str, meaning("of its display, where it is not that of all")] = ""
    limit: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=30)] | None,
        meaning("how many corps it takes, left out where only the owner of the game knows"),
    ] = None
    boxes: Annotated[tuple[CorpsBox, ...], meaning("tracks that take only a certain corps")] = ()
    turns: Annotated[str, meaning('when it may be in play, "" for always')] = ""
    note: str = ""
    rule: str = ""


class Organisation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the displays of armies look."""

    title: Annotated[str, meaning("of a display, `{}` standing for the army")] = "{}"
    statuses: Annotated[tuple[str, ...], meaning("the boxes of each track, from best to worst")] = ()
    status: str = ""
    independent: Annotated[str, meaning("what that kind of tracks is called, `corps` likewise")] = ""
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
    """The sides or nations that have one each, none where all share it."""
    tens: bool = False
    """Whether a second marker counts tens."""
    track: str = ""
    """The facts of sides or nations with the values that set-ups begin with."""
    note: str = ""
    """How it is used."""
    rule: str = ""


class ListingColumn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column of a printed table."""

    name: str
    """Its heading in the file."""
    title: str
    """The head that is printed."""
    values: dict[str, str] = {}
    """What is printed for some of its values."""
    empty: str = "\u2013"
    """What is printed for none."""
    dates: bool = False
    """Whether months and turns stand in it."""


class PrintedTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the folder `tables/` that is printed as a player aid."""

    title: str
    file: str
    """Its name without ending."""
    columns: tuple[ListingColumn, ...]
    """From left to right."""
    remark: str = ""
    """What stands below it."""
    rule: str = ""


def listing_rows(game: Game, listing: PrintedTable, on_fault: OnFault = stop) -> list[Mapping[str, str]]:
    """Return the rows of a printed table. Each fault goes to `on_fault`: a file or a column that is not there."""
    file = f"{TABLES}/{listing.file}.csv"
    names = [column.name for column in listing.columns]
    return [row for row, _ in read_rows(resolve_within(game.folder, file), names, file, on_fault)]


class ScenarioFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a set-up of the owner's has to state."""

    game: Annotated[tuple[str, ...], meaning("tracks of the game")] = ()
    last: Annotated[str, meaning('the track of the game with its last turn, "" for none')] = ""
    entry: Annotated[
        str, meaning('the track of units with the hexes where they enter, "" where rows need not say that')
    ] = ""
    anywhere: Annotated[
        dict[str, tuple[str, ...]], meaning("tracks of units with the values of those that need no such hex")
    ] = {}
    armies: Annotated[
        dict[str, tuple[str, ...]],
        meaning("tracks of armies, each with those that must state it if they have units, none for all"),
    ] = {}
    sets: Annotated[
        dict[str, dict[str, str]], meaning("tracks of units with the set of every scenario that has one alone")
    ] = {}


SCENARIO = "scenario"
"""The track of the game that names the scenario which is played."""


class OptionalUnits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units that take part only with an optional rule."""

    units: dict[str, str]
    """What makes them such, by track."""
    option: str = ""
    """The word of the optional rule, "" for whichever is in force."""
    rule: str = ""


class CourseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `course.toml` may say."""

    turns: TurnRecord = TurnRecord()
    calendar: Annotated[CalendarFile | None, meaning("the dates of the turns, None where they are numbered")] = None
    schedules: Annotated[
        dict[Literal["item", "action", "map", "branch", "size"], tuple[str, ...]],
        meaning("the words that columns of schedules take"),
    ] = {}
    scheduled: Annotated[
        dict[str, str], meaning("the rule of a row of the owner's that names none, by its action")
    ] = {}
    scenario: Annotated[ScenarioFacts, meaning("what every scenario of the owner's states")] = ScenarioFacts()
    phase: tuple[Phase, ...] = ()
    optional: Annotated[tuple[OptionalUnits, ...], meaning("the units of optional rules")] = ()
    organisation: Organisation = Organisation()
    army: tuple[Army, ...] = ()
    record: tuple[RecordTrack, ...] = ()
    costs: Annotated[tuple[str, ...], meaning("the charts whose cells belong to the terrain key")] = ()
    table: Annotated[tuple[PrintedTable, ...], meaning("the tables that are printed beside the charts")] = ()


def arrival_track(game: Game, course: CourseFile | None = None) -> str:
    """Return the track of units with the turn in which each comes into play, "" if the game has none. course: the
    game's, if it has been read.

    Raises InputError as `course_file`.
    """
    name = (course or course_file(game)).turns.arrives
    return name if name in game.tracks and game.tracks[name].on == "unit" else ""


_COURSES: Memo[None, CourseFile] = Memo()
"""What the game's `course.toml` says."""


def course_file(game: Game, on_fault: OnFault = stop) -> CourseFile:
    """Return what a game's `course.toml` says, nothing if it has none. Raises InputError for a fault in it, or gives
    each to `on_fault`.
    """

    def read() -> CourseFile:
        file = resolve_within(game.folder, COURSE)
        return read_toml(file, CourseFile, on_fault) if file.is_file() else CourseFile()

    return game.memo(_COURSES, None, read) if on_fault is stop else read()


def active_sides(game: Game, facts: Mapping[FactKey, Fact]) -> frozenset[str]:
    """Return the sides that are active in the phase that facts state by the tracks `phase` and `phasing`; none if it is
    not stated.
    """
    word = facts.get(("phase", ""))
    phasing = facts.get(("phasing", ""))
    if not (word and phasing):
        return frozenset()
    phase = next((phase for phase in course_file(game).phase if word.value and phase.word == word.value), None)
    if phase is None:
        return frozenset()
    return frozenset(
        side for side in game.file.sides if phase.active in ("both", "phasing" if side == phasing.value else "other")
    )
