"""The story of a game in chapters: turns, divided into phases, and these into stretches.

A stretch is a combat, or everything between two combats. A unit has moved in a stretch if it is in another place at the
end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from ...asking.view import View
from ...formats.positions import Asked, Position
from ...game.course import course_file
from ...game.games import Game
from ...game.turn_record import read_calendar, turns
from ...service import sketch
from ...state.differences import Differences, find_differences
from ...util.errors import InputError, MachineError
from ..explaining.played import Passage, PlayedMoment, PlayedRecord


class StoryStretch(NamedTuple):
    """A combat, or the passages between two combats."""

    passages: Sequence[Passage]
    """The passages of the record, at least one."""
    combat: bool
    """Whether the stretch is a combat."""
    changed: Differences
    """The differences between its beginning and its end."""

    @property
    def before(self) -> Position:
        return self.passages[0].before

    @property
    def after(self) -> Position:
        return self.passages[-1].after


class StoryPhase(NamedTuple):
    """A phase of a turn, or the whole turn if the record has no phases."""

    when: PlayedMoment
    """The moment of the phase, with the side whose player turn it is."""
    stretches: Sequence[StoryStretch]


class StoryTurn(NamedTuple):
    """A turn, divided into phases."""

    label: str
    """The turn in the game's own form, or "" if the record names none."""
    title: str
    """The turn in words."""
    date: str
    """The date in words."""
    begins: int
    """The step of a log before the turn's first step, or the number of its first entry in a journal."""
    ends: int
    """The turn's last step in a log, or the number of its last entry in a journal."""
    phases: Sequence[StoryPhase]

    @property
    def before(self) -> Position:
        return self.phases[0].stretches[0].before

    @property
    def after(self) -> Position:
        return self.phases[-1].stretches[-1].after

    @property
    def stretches(self) -> Iterator[StoryStretch]:
        return (stretch for phase in self.phases for stretch in phase.stretches)

    @property
    def attacked(self) -> frozenset[str]:
        combats = (stretch.passages[0] for stretch in self.stretches if stretch.combat)
        return frozenset(hex for combat in combats if (hex := attacked_hex(combat)))


def story_turns(record: PlayedRecord, chosen: Collection[str] = ()) -> list[StoryTurn]:
    """Return the turns of a record in order.

    `chosen`: the labels of the turns to return, or none for all.
    """
    grouped = list[tuple[str, list[Passage]]]()
    for passage in record:
        label = passage.when.turn
        if not grouped or (label and grouped[-1][0] != label):
            grouped.append((label, []))
        grouped[-1][1].append(passage)
    return [_make_turn(record.game, label, passages) for label, passages in grouped if not chosen or label in chosen]


def _make_turn(game: Game, label: str, passages: Sequence[Passage]) -> StoryTurn:
    phases = list[tuple[PlayedMoment, list[Passage]]]()
    for passage in passages:
        if not phases or phases[-1][0] != passage.when:
            phases.append((passage.when, []))
        phases[-1][1].append(passage)
    title, date = _format_turn(game, label)
    parts = [StoryPhase(when, tuple(split_stretches(game, part))) for when, part in phases]
    return StoryTurn(label, title, date, passages[0].number, passages[-1].last, parts)


def split_stretches(game: Game, passages: Iterable[Passage]) -> Iterator[StoryStretch]:
    """Yield the stretches of successive passages of one phase."""
    parts = list[tuple[bool, list[Passage]]]()
    for passage in passages:
        combat = _is_combat(game, passage)
        if combat or not parts or parts[-1][0]:
            parts.append((combat, []))
        parts[-1][1].append(passage)
    for combat, part in parts:
        changed = find_differences(part[0].before.state, part[-1].after.state, game.tracks)
        yield StoryStretch(tuple(part), combat, changed)


def _is_combat(game: Game, passage: Passage) -> bool:
    ask = game.file.prompt.ask or ("odds" if game.file.combat else "")
    return bool(ask) and passage.asked == ask


def attacked_hex(passage: Passage) -> str:
    """Return the regular name of the hex attacked in a combat, or "" if the record does not name it."""
    question = passage.question
    position = passage.before
    if question is None:
        return ""
    named = question.asked.parameters.get(position.game.file.prompt.target or "at", "")
    try:
        return View(position.game, position.state).board.place(str(named)) if named else ""
    except MachineError:
        raise
    except InputError:
        return ""


def attacked_from(passage: Passage) -> list[str]:
    """Return the regular names of the attacking hexes, from the record or else from the answer."""
    question = passage.question
    position = passage.before
    if question is None:
        return []
    board = View(position.game, position.state).board
    places = list[str]()
    for text in _list_given(question.asked, position.game.file.prompt.attackers or "from"):
        with suppress(InputError):
            places.append(board.place(text))
    if not places and question.report is not None:
        drawn = sketch(position, question.report)
        arrows = drawn.arrows if drawn is not None else ()
        places = [arrow.hexes[0] for arrow in arrows if arrow.kind == "attack"]
    return sorted(set(places))


def withheld_from(passage: Passage) -> frozenset[str]:
    """Return the ids of units withheld from a combat by their player."""
    if passage.question is None:
        return frozenset()
    position = passage.before
    view = View(position.game, position.state)
    units = set[str]()
    for text in _list_given(passage.question.asked, "withhold"):
        with suppress(InputError):
            units.add(view.unit(text).id)
    return frozenset(units)


def _list_given(asked: Asked, parameter: str) -> list[str]:
    given = asked.parameters.get(parameter) or ()
    values = given.split(",") if isinstance(given, str) else given
    return [str(value).strip() for value in values]


def _format_turn(game: Game, label: str) -> tuple[str, str]:
    """Return the title of a turn, such as `GT 3` or `March 1916, turn 5`, and its date, or "" for an unknown one."""
    if not label:
        return "", ""
    course = course_file(game)
    calendar = read_calendar(game)
    number = calendar.number(label)
    if calendar.months:
        turn = calendar.turn_of_month(number)
        return label, f"{calendar.month(number).in_words}, {f'turn {turn}' if turn else 'special turn'}"
    tag = course.turns.tag
    title = tag.format(label) if tag != "{}" else f"Turn {label}"
    dates = {turn.number: turn.date for turn in turns(game)}
    date = dates.get(number)
    return title, date.in_words if date else ""


def chosen_turns(game: Game, wanted: Sequence[str]) -> list[str]:
    """Return the labels of turns that are named singly or as `3-5`, in order.

    Raises InputError if a text names no turn.
    """
    calendar = read_calendar(game)
    numbers = set[int]()
    for text in wanted:
        try:
            numbers.add(calendar.number(text))
        except InputError:
            first, dash, last = text.partition("-")
            if not dash:
                raise
            begin = calendar.number(first)
            end = calendar.number(last)
            if end < begin:
                raise InputError(f"{last} comes before {first}", hint=f"write {last}-{first}") from None
            numbers.update(range(begin, end + 1))
    return [calendar.label(number) for number in sorted(numbers)]


def bookmarks(record: PlayedRecord) -> Mapping[str, int]:
    """Return the step of a log before each turn, or the number of the turn's first entry in a journal, by label."""
    first = dict[str, int]()
    for passage in record:
        if passage.when.turn:
            first.setdefault(passage.when.turn, passage.number)
    return first
