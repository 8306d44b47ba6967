"""What `course.toml` may say: the turn record, the sequence of play, the armies and their displays, the record tracks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ...util.datafiles import inner, read_toml
from ...util.errors import OnFault, stop
from ..games import Game

COURSE = "course.toml"
Boxes = Annotated[int, msgspec.Meta(ge=-999, le=999)]
Part = Literal["turn", "player-turn", "inter-phase", "combat"]


class Figure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure that the printed turn record shows for each turn, such as Rail Points.

    name: the kind of its rows in `turns.csv`; title: its name; who: the side or nation that it concerns, "" for all;
    rule: its rule; turns: the turns that have one, such as `3 6 9` or `37-47`, "" for all.
    """

    name: str
    title: str
    who: str = ""
    rule: str = ""
    turns: str = ""


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How turns are counted and called.

    track: the track of the game whose `least` and `most` are the first and the last turn; arrives: the track of units
    with the turn in which one comes into play; tag: what a turn is called in short, `{}` standing for its number;
    order: the sides in the order of their player turns; figures: what else the printed record shows.
    """

    track: str = "turn"
    arrives: str = ""
    tag: str = "{}"
    order: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to do in a phase, in the game's own terms.

    do: what; rule: its rule; who: the side or nation that does it, "" for all; turns: the turns in which it comes up,
    "" for all; option: the optional rule that it belongs to, "" for none.
    """

    do: str
    rule: str = ""
    who: str = ""
    turns: str = ""
    option: str = ""


class Phase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phase of the sequence of play.

    part: whether it belongs to the game turn, to each player turn, to the inter-phase between turns, or to each combat;
    word: the word of the track `phase` that stands for it; active: whose phase of a player turn it is.
    """

    title: str
    part: Part = "player-turn"
    rule: str = ""
    word: str = ""
    active: Literal["phasing", "other", "both"] = "phasing"
    who: str = ""
    turns: str = ""
    steps: tuple[Step, ...] = ()


class CorpsBox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corps track of an army's display that only one corps or kind of corps may use."""

    only: str
    rule: str = ""


class Army(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army with a display of its own.

    name: without its nation, as counters name it; nation: its nation; title: of its display, where it is another than
    that of all; limit: how many corps it takes, left out where only the owner of the game knows; boxes: tracks that
    take only a certain corps; turns: when it may be in play, "" for always; note: a word on it.
    """

    name: str
    nation: str
    title: str = ""
    limit: Annotated[int, msgspec.Meta(ge=0, le=30)] | None = None
    boxes: tuple[CorpsBox, ...] = ()
    turns: str = ""
    note: str = ""
    rule: str = ""


class Organisation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the displays of armies look.

    title: of a display, `{}` standing for the army; statuses: the boxes of each track, from best to worst; independent,
    corps: what the two kinds of tracks are called; limit: the track of armies with the number of their corps; cavalry:
    the one that says whether there is a further track, for cavalry corps only.
    """

    title: str = "{}"
    statuses: tuple[str, ...] = ()
    status: str = ""
    independent: str = ""
    corps: str = ""
    limit: str = ""
    cavalry: str = ""
    rule: str = ""


class RecordTrack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A track of numbered boxes, from `least` to `most`.

    title: its name; who: the sides or nations that have one each, none for one that all share; note: how it is used;
    rule: its rule.
    """

    title: str
    least: Boxes = 0
    most: Boxes = 9
    who: tuple[str, ...] = ()
    note: str = ""
    rule: str = ""


class CourseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `course.toml` may say. costs: the charts whose cells belong to the terrain key."""

    turns: TurnRecord = TurnRecord()
    phase: tuple[Phase, ...] = ()
    organisation: Organisation = Organisation()
    army: tuple[Army, ...] = ()
    record: tuple[RecordTrack, ...] = ()
    costs: tuple[str, ...] = ()


def arrival_track(game: Game, course: CourseFile | None = None) -> str:
    """The track of units with the turn in which one comes into play, "" if the game has none. course: the game's, if it
    has been read.

    Raises InputError as `course_file`.
    """
    name = (course or course_file(game)).turns.arrives
    return name if name in game.tracks and game.tracks[name].on == "unit" else ""


def course_file(game: Game, on_fault: OnFault = stop) -> CourseFile:
    """What a game's `course.toml` says, nothing if it has none. Raises InputError for a fault in it, or gives each to
    `on_fault`.
    """
    file = inner(game.folder, COURSE)
    return read_toml(file, CourseFile, on_fault) if file.is_file() else CourseFile()
