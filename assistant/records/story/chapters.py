"""The story of a game in chapters: one a turn, each in sections, one a phase, of what the record shows to have
happened.

A section consists of stretches: each combat, and all that happens between two combats. What moved in a stretch is what
is elsewhere at its end than at its beginning.
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


class StorySection(NamedTuple):
    """What is told together."""

    passages: Sequence[Passage]
    """Passages of the record, at least one."""
    combat: bool
    """Whether it is one combat."""
    changed: Differences
    """What differs between its beginning and its end."""

    @property
    def before(self) -> Position:
        """The position in which it begins."""
        return self.passages[0].before

    @property
    def after(self) -> Position:
        """The position in which it ends."""
        return self.passages[-1].after


class Section(NamedTuple):
    """A phase, or what a record without phases shows of a turn."""

    when: PlayedMoment
    """The phase, and whose player turn it is."""
    stretches: Sequence[StorySection]


class StoryTurn(NamedTuple):
    """A turn."""

    label: str
    """As the game writes it, "" where the record names none."""
    title: str
    """In words."""
    date: str
    """In words."""
    begins: int
    """The step of a log after which it begins, or the number of its first entry in a journal."""
    ends: int
    """The last step of a log, or the number of the last entry in a journal."""
    sections: Sequence[Section]

    @property
    def before(self) -> Position:
        """The position in which it begins."""
        return self.sections[0].stretches[0].before

    @property
    def after(self) -> Position:
        """The position in which it ends."""
        return self.sections[-1].stretches[-1].after

    @property
    def stretches(self) -> Iterator[StorySection]:
        """All that is told of it, in order."""
        return (stretch for section in self.sections for stretch in section.stretches)

    @property
    def attacked(self) -> frozenset[str]:
        """The hexes that were attacked."""
        combats = (stretch.passages[0] for stretch in self.stretches if stretch.combat)
        return frozenset(hex for combat in combats if (hex := attacked_hex(combat)))


def story_turns(record: PlayedRecord, chosen: Collection[str] = ()) -> list[StoryTurn]:
    """Return the turns of a record, in order. chosen: the labels of those that are told, all by default."""
    grouped = list[tuple[str, list[Passage]]]()
    for passage in record:
        label = passage.when.turn
        if not grouped or (label and grouped[-1][0] != label):
            grouped.append((label, []))
        grouped[-1][1].append(passage)
    return [_make_turn(record.game, label, passages) for label, passages in grouped if not chosen or label in chosen]


def _make_turn(game: Game, label: str, passages: Sequence[Passage]) -> StoryTurn:
    sections = list[tuple[PlayedMoment, list[Passage]]]()
    for passage in passages:
        if not sections or sections[-1][0] != passage.when:
            sections.append((passage.when, []))
        sections[-1][1].append(passage)
    title, date = _format_turn(game, label)
    parts = [Section(when, tuple(_split_section(game, part))) for when, part in sections]
    return StoryTurn(label, title, date, passages[0].number, passages[-1].last, parts)


def _split_section(game: Game, passages: Iterable[Passage]) -> Iterator[StorySection]:
    """Yield the passages of a section in stretches."""
    parts = list[tuple[bool, list[Passage]]]()
    for passage in passages:
        combat = _is_combat(game, passage)
        if combat or not parts or parts[-1][0]:
            parts.append((combat, []))
        parts[-1][1].append(passage)
    for combat, part in parts:
        changed = find_differences(part[0].before.state, part[-1].after.state, game.tracks)
        yield StorySection(tuple(part), combat, changed)


def _is_combat(game: Game, passage: Passage) -> bool:
    """Return whether a passage is a combat of the kind that the game's table prompt takes on one line."""
    ask = game.file.prompt.ask or ("odds" if game.file.combat else "")
    return bool(ask) and passage.asked == ask


def attacked_hex(passage: Passage) -> str:
    """Return the hex that a combat attacks, by its regular name; "" if the record does not name one."""
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
    """Return the hexes from which a combat is made, by their regular names: those that the record names, or else those
    from which its answer says that units attack.
    """
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
    """Return the units that the record keeps out of a combat, by their ids."""
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
    """Return the values of a parameter that takes several, as they are given: in one text or one by one."""
    given = asked.parameters.get(parameter) or ()
    values = given.split(",") if isinstance(given, str) else given
    return [str(value).strip() for value in values]


def _format_turn(game: Game, label: str) -> tuple[str, str]:
    """Return what a turn is called, such as `GT 3` or `March 1916, turn 5`, and its date as far as the game tells
    it.
    """
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
    """Return the labels of turns that are named one by one or as `3-5`, in order. Raises InputError for what is not a
    turn.
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
    """Return for each turn of a record the step of the log after which it begins, or the number of its first entry."""
    first = dict[str, int]()
    for passage in record:
        if passage.when.turn:
            first.setdefault(passage.when.turn, passage.number)
    return first
