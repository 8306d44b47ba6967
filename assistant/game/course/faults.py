"""Mistakes in `course.toml` and `turns.csv`: what cannot be read, turns that do not exist, unknown names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from ...state.tracks import Track
from ...util.datafiles import inner
from ...util.errors import InputError, OnFault, Where, suggested
from ..games import Game
from .file import COURSE, CourseFile, Figure, Phase, Step, course_file
from .turns import KINDS, TURNS, numbers_of, people, read_turns, turn_numbers

T = TypeVar("T", bound=Hashable)
PHASE = "phase"
"""The track of the game whose words stand for phases."""


def find_course_faults(game: Game, on_fault: OnFault) -> None:
    """Give every mistake of a game's `course.toml` and `turns.csv` to `on_fault`."""
    if not any(inner(game.folder, name).is_file() for name in (COURSE, TURNS)):
        return
    course = course_file(game, on_fault)
    read_turns(game, course, on_fault)
    for fault in course_faults(game, course):
        on_fault(fault)


def course_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Unknown names in `course.toml`, turns that do not exist, and what is declared twice."""
    yield from _turn_faults(game, course)
    yield from _who_faults(game, course)
    for side in course.turns.order:
        if side not in game.file.sides:
            yield _unknown("[turns] order", side, game.file.sides, "side")
    arrives = course.turns.arrives
    if arrives and arrives not in (known := [name for name, track in game.tracks.items() if _counts_turns(track)]):
        yield _unknown("[turns] arrives", arrives, known, "number of units")
    words = game.tracks[PHASE].values if PHASE in game.tracks else ()
    for phase in course.phase:
        if phase.word and phase.word not in words:
            yield _unknown(f"[[phase]] {phase.title}", phase.word, words, "phase")
    for chart in course.costs:
        if chart not in game.charts:
            yield _unknown("costs", chart, game.charts, "chart")
    yield from _army_faults(game, course)
    for record in course.record:
        if record.least > record.most:
            yield _fault(f"[[record]] {record.title} runs from {record.least} to {record.most}", "swap least and most")


def _counts_turns(track: Track) -> bool:
    return track.on == "unit" and track.kind == "integer"


def _parts(course: CourseFile) -> Iterator[tuple[str, Figure | Phase | Step]]:
    """What concerns somebody in some turns, and where it stands: figures, phases and their steps."""
    yield from ((f"[turns] figures {figure.name}", figure) for figure in course.turns.figures)
    for phase in course.phase:
        yield f"[[phase]] {phase.title}", phase
        yield from ((f"[[phase]] {phase.title}", step) for step in phase.steps)


def _turn_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Turns that the game does not have, and figures with the name of something else."""
    named = [(spot, part.turns) for spot, part in _parts(course)]
    named += [(f"[[army]] {army.name}", army.turns) for army in course.army]
    dated = [(spot, text) for spot, text in named if text]
    uncounted: list[InputError] = []
    numbers = turn_numbers(game, course, uncounted.append)
    if not numbers and (dated or course.turns.figures):
        yield from uncounted
        return
    for spot, text in dated:
        try:
            numbers_of(text, numbers)
        except InputError as fault:
            yield fault.told_as(f"{spot}: {fault.what}", Where(COURSE))
    for name in _twice([*KINDS, *(figure.name for figure in course.turns.figures)]):
        yield _fault(f"[turns] figures: {name!r} has two meanings", "give it another name")
    if "{}" not in course.turns.tag:
        yield _fault(f"[turns] tag {course.turns.tag!r} has no place for the number", "write {} there")


def _who_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Those concerned who are neither a side nor a nation."""
    known = people(game)
    named = [(spot, part.who) for spot, part in _parts(course)]
    named += [(f"[[record]] {record.title}", who) for record in course.record for who in record.who]
    for spot, who in named:
        if who and who not in known:
            yield _unknown(f"{spot} who", who, known, "side or nation")


def _army_faults(game: Game, course: CourseFile) -> Iterator[InputError]:
    """Armies of an unknown nation, twice the same one, and displays without statuses or with an unknown limit."""
    nations = [nation for of in game.file.sides.values() for nation in of]
    for army in course.army:
        if army.nation not in nations:
            yield _unknown(f"[[army]] {army.name} nation", army.nation, nations, "nation")
        if army.limit is not None and army.limit < len(army.boxes):
            yield _fault(f"[[army]] {army.name} has {len(army.boxes)} boxes for a limit of {army.limit}", "raise limit")
    for nation, name in _twice([(army.nation, army.name) for army in course.army]):
        yield _fault(f"[[army]] {nation} {name} is there twice", "leave one out")
    of_armies = [name for name, track in game.tracks.items() if track.on == "army"]
    for spot, name in (("limit", course.organisation.limit), ("cavalry", course.organisation.cavalry)):
        if name and name not in of_armies:
            yield _unknown(f"[organisation] {spot}", name, of_armies, "track of armies")
    if course.army and not course.organisation.statuses:
        yield _fault("[organisation] has no statuses for the tracks of armies", "write: statuses = [...]")


def _twice(names: Sequence[T]) -> list[T]:
    """What stands in a list more than once, each named once."""
    return [name for name, count in Counter(names).items() if count > 1]


def _fault(what: str, hint: str) -> InputError:
    return InputError(what, where=Where(COURSE), hint=hint)


def _unknown(spot: str, name: str, known: Iterable[str], what: str) -> InputError:
    return InputError(f"{spot}: unknown {what} {name!r}", where=Where(COURSE), hint=suggested(name, known))
