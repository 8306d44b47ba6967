"""What a module shows of the course of play: the turn track, and the tracker that goes through turns and phases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.legends import turn_track
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.turn_lists import TurnList
from assistant.game.course import CourseFile, Phase, arrival_track, course_file
from assistant.game.games import Game
from assistant.game.turn_record import Turn, list_people, numbers_of, read_turns
from assistant.state.tracks import Track

from .elements import LAST_TURN, MODULE, NEXT_TURN, TURN, add
from .icons import TURN as ICON
from .icons import icon_file
from .turn_track import TurnTrack

MOST_BOXES = 200
"""How many turns a track has at most."""


class TrackerList(NamedTuple):
    """A list of the tracker."""

    title: str
    entries: tuple[tuple[str, str], ...]
    """Each with what is shown and the fact that it states."""
    below: tuple[TrackerList, ...] = ()
    """The lists within each entry."""

    @property
    def steps(self) -> TurnList:
        """What it states."""
        return TurnList(tuple(fact for _, fact in self.entries), tuple(inner.steps for inner in self.below))


class Timeline(NamedTuple):
    """What the module shows of the course of play."""

    track: TurnTrack | None
    """None if the number of turns is not stated."""
    lists: tuple[TrackerList, ...]
    """What its tracker goes through within a turn."""


def make_timeline(game: Game, counter: int) -> Timeline:
    """Return the course of play of a game. counter: the side of one in pixels. Raises InputError for a mistake in the
    files that describe it.
    """
    course = course_file(game)
    known = read_turns(game, course)
    lists = _list_parts(game, course, known) if turn_track(game) else ()  # without a tracker nothing goes through them
    return Timeline(_make_turn_track(game, course, known, counter), lists)


def _make_turn_track(game: Game, course: CourseFile, turns: Sequence[Turn], counter: int) -> TurnTrack | None:
    track = turn_track(game)
    if track is None or track.least is None or track.most is None or track.most - track.least >= MOST_BOXES:
        return None
    known = {turn.number: turn for turn in turns} if course.turns.track == track.name else {}
    called = {who: game.file.title_of(who) for who in list_people(game)}
    name = track.title.partition(":")[0]  # what follows explains it
    title, numbers = name[:1].upper() + name[1:], range(track.least, track.most + 1)
    tag, arrives = _choose_tag(track, course), arrival_track(game, course)
    return TurnTrack(f"{title}s", numbers, known, tag, counter, arrives, called)


def _choose_tag(track: Track, course: CourseFile) -> str:
    if course.turns.track == track.name and course.turns.tag != "{}":
        return course.turns.tag
    return track.module.tag if track.module else "{}"


def _list_parts(game: Game, course: CourseFile, turns: Sequence[Turn]) -> tuple[TrackerList, ...]:
    """Return what a turn consists of: its beginning, the player turns with their phases, and what follows them; nothing
    if no phases are known.
    """
    if not course.phase:
        return ()
    own = [phase for phase in course.phase if phase.part == "player-turn"]
    begins = [name for name, _ in _list_entries(game, course, turns, "turn")] or ["Start"]
    first = tuple((name, "") for name in begins)  # where a tracker begins, no phase is stated
    levels = [TrackerList("Turn", first)]
    named = [f"{phase.title} ({game.file.title_of(phase.who)})" if phase.who else phase.title for phase in own]
    facts = [_write_fact(game, "phase", phase.word) for phase in own]
    phases = TrackerList("Phase", tuple(zip(named, facts, strict=True)))
    if own and course.turns.order:
        sides = tuple((game.file.title_of(side), _write_fact(game, "phasing", side)) for side in course.turns.order)
        levels.append(TrackerList("Player turn", sides, (phases,)))
    elif own:
        levels.append(phases)
    last = _list_entries(game, course, turns, "inter-phase")
    if last:
        levels.append(TrackerList("Inter-phase", last))
    return tuple(levels)


def _list_entries(game: Game, course: CourseFile, turns: Sequence[Turn], part: str) -> tuple[tuple[str, str], ...]:
    """Return the phases of a part of the turn, those that do not come up every turn with their turns."""
    phases = [phase for phase in course.phase if phase.part == part]
    return tuple(
        (_format_phase(game, course, turns, phase), _write_fact(game, "phase", phase.word)) for phase in phases
    )


def _format_phase(game: Game, course: CourseFile, turns: Sequence[Turn], phase: Phase) -> str:
    track = turn_track(game)
    number = range(track.least or 0, (track.most or 0) + 1) if track else range(0)
    between = [turn.number for turn in turns if turn.interphase] if phase.part == "inter-phase" else []
    if between and len(between) < len(number):
        return f"{phase.title} (if due)"
    if phase.turns and course.turns.track == (track.name if track else ""):
        due = numbers_of(phase.turns, number)
        if len(due) < len(number):
            return f"{phase.title} ({course.turns.tag.replace('{}', phase.turns.replace(' ', ', '))})"
    return phase.title


def _write_fact(game: Game, name: str, word: str) -> str:
    """Return the fact that the track of this name has a value, as position notation; "" if the game has no such track
    or value.
    """
    track = game.tracks.get(name)
    return track.word(word) if track and track.on == "game" and word in track.values else ""


def add_turn_tracker(root: etree._Element, track: Track, within: Sequence[TrackerList]) -> etree._Element:
    """Return the tracker of turns and of the lists within each, added to the build file."""
    tag = (track.module.tag if track.module else "{}").replace("{}", "$level1$")
    element = add(
        root,
        MODULE + "turn.TurnTracker",
        name=track.title.capitalize(),
        turnFormat=f"{tag}, $level2$ $level3$" if within else tag,
        buttonText="Turn",
        reportFormat="Now $newTurn$",
        icon=icon_file(ICON),
        hotkey=TURN.stroke,
        nexthotkey=NEXT_TURN.stroke,
        prevhotkey=LAST_TURN.stroke,
    )
    counter = add(
        element,
        MODULE + "turn.CounterTurnLevel",
        name=track.title,
        property=track.name,
        start=str(1 if track.least is None else track.least),
        incr="1",
        loop="false",  # after the last turn there is none: the first would pass unnoticed
        loopLimit="-1",
        turnFormat="$value$",
    )
    for listed in within:
        _add_list(counter, listed)
    return element


def _add_list(parent: etree._Element, listed: TrackerList) -> None:
    """Add a list of the tracker, with those within its entries."""
    element = add(
        parent,
        MODULE + "turn.ListTurnLevel",
        name=listed.title,
        property=listed.title.replace(" ", ""),
        list=join([shown for shown, _ in listed.entries], ","),
        turnFormat="$value$",
        configList="false",
        configFirst="false",
        prompt="",
    )
    for inner in listed.below:
        _add_list(element, inner)
