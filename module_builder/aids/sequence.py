"""The sequence of play as a track for a marker, and as a checklist of one player turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Rectangle, Shape, Text
from assistant.game.course import CourseFile, Part, Phase, Step
from assistant.game.games import Game
from assistant.pictures.colours import INK, WHITE
from assistant.pictures.style import GRID, SOFT_INK, Palette

from ..course import title_of
from ..sheets.sizes import Box
from .page import (
    GAP,
    PITCH,
    SIZES,
    Block,
    Look,
    Words,
    accent_of,
    bar,
    box,
    concerns,
    counter_box,
    flow,
    one_line,
    sentence,
    words,
)

_HEADING, _PHASE, _SMALL = 12 * POINT, 11 * POINT, 8.5 * POINT
_BETWEEN, _RULES, _TICK = 1.6, 12.0, 0.95


class Course(NamedTuple):
    """The sequence of play of a game for some sides. between: what is called what comes between turns."""

    game: Game
    course: CourseFile
    people: frozenset[str]
    palette: Palette
    between: str = "Between turns"

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides in the order of their player turns; one without a name in a game that has none."""
        return self.course.turns.order or tuple(self.game.file.sides) or ("",)

    def turn_of(self, side: str) -> str:
        """What the player turn of a side is called."""
        return f"{title_of(self.game, side)} player turn" if side else "player turn"

    def of(self, part: Part) -> list[Phase]:
        """The phases of a part of the sequence."""
        return [phase for phase in self.course.phase if phase.part == part]

    def accent(self, side: str) -> str:
        """The colour that stands for a side."""
        return accent_of(self.game, side, self.palette)


# --- the track --------------------------------------------------------------------------------------------------------


def sequence_track(of: Course, look: Look, area: Box) -> list[list[Shape]]:
    """The shapes of each page: the phases of each player turn side by side, each with a box for a marker."""
    letters = (chr(ord("A") + number % 26) for number in range(len(of.course.phase)))
    blocks = [_row(look, phase, area.width, of, letter) for phase, letter in zip(of.of("turn"), letters, strict=False)]
    turn, sides = of.of("player-turn"), of.sides
    if turn:
        wide = (area.width - GAP * (len(sides) - 1)) / max(len(sides), 1)
        blocks.append(_side_heads(of, look, wide))
        blocks += [_across(look, phase, n, wide, of) for n, phase in enumerate(turn, 1)]
    between = of.of("inter-phase")
    if between:
        blocks.append(_heading(of.between, area.width, look))
        blocks += [_row(look, phase, area.width, of, f"{number}") for number, phase in enumerate(between, 1)]
    return flow(blocks, area, above=_BETWEEN)


def _heading(text: str, wide: float, look: Look) -> Block:
    """A heading in the whole width, which stays with what follows it."""
    high = _HEADING * PITCH + 1.6
    return Block(high, lambda x, y: bar(look, Box(x, y, wide, high), SOFT_INK, text, _HEADING), tied=True)


def _side_heads(of: Course, look: Look, wide: float) -> Block:
    """The names of the sides over the columns of their player turns."""
    high = _HEADING * PITCH + 1.6

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, side in enumerate(of.sides):
            at = Box(x + number * (wide + GAP), y, wide, high)
            yield from bar(look, at, of.accent(side), sentence(of.turn_of(side)), _HEADING)

    return Block(high, draw, tied=True)


def _across(look: Look, phase: Phase, number: int, wide: float, of: Course) -> Block:
    """One phase in the player turn of each side."""

    def draw(x: float, y: float) -> Iterator[Shape]:
        for column, side in enumerate(of.sides):
            yield from _phase(look, phase, str(number), _active(of, phase, side), x + column * (wide + GAP), y, wide)

    return Block(look.box, draw)


def _row(look: Look, phase: Phase, wide: float, of: Course, number: str) -> Block:
    """A phase that does not belong to one side's turn, in the whole width."""
    who = title_of(of.game, phase.who) if phase.who else "all sides"
    when = f"turns {phase.turns.replace(' ', ', ')}" if phase.turns else ""
    said = ", ".join(filter(None, [who, when]))
    return Block(look.box, lambda x, y: _phase(look, phase, number, said, x, y, wide))


def _active(of: Course, phase: Phase, side: str) -> str:
    """Who is active in a phase of a side's turn, in words."""
    others = [title_of(of.game, other) for other in of.sides if other != side]
    match phase.active:
        case "phasing":
            return title_of(of.game, side)
        case "other":
            return ", ".join(others)
        case _:
            return "all sides"


def _phase(look: Look, phase: Phase, number: str, who: str, x: float, y: float, wide: float) -> Iterator[Shape]:
    """A box for a marker and, beside it, the phase with who is active in it and its rule."""
    high = look.box
    pale = phase.active == "other"
    yield box(Box(x, y, wide, high), fill=look.tint(GRID, 0.22) if pale else WHITE, stroke=GRID, radius=0.8)
    yield counter_box(x, y, look)
    left, room = x + look.box + 2.0, wide - look.box - 3.5
    title = words(f"{number}. {phase.title}", _PHASE, room, bold=True)
    small = " · ".join(filter(None, [who, phase.rule]))
    top = y + (high - title.height - (_SMALL * PITCH if small else 0)) / 2
    yield from title.at(left, top)
    if small:
        yield one_line(left, top + title.height + _SMALL, small, _SMALL, room, fill=SOFT_INK)


# --- the checklist ----------------------------------------------------------------------------------------------------


class Item(NamedTuple):
    """A line of a checklist with its rule. heading: whether it begins a phase; part: whether it begins a part of the
    list.
    """

    text: str
    rule: str
    heading: bool = False
    part: bool = False


def checklist(of: Course, side: str, look: Look, area: Box) -> list[list[Shape]]:
    """The shapes of each page of a side's checklist, in letters as large as have room on one page."""
    items = list(_items(of, side))
    wide = (area.width - 2 * GAP) / 2
    accent = of.accent(side)
    for size in SIZES:
        blocks = [_item(item, look, size, wide, accent) for item in items]
        pages = flow(blocks, area, columns=2, gap=2 * GAP, above=0.9)
        if len(pages) == 1:
            break
    return pages


def _items(of: Course, side: str) -> Iterator[Item]:
    """What a side does in a turn: before the player turns, in its own, in that of another, in each combat, and between
    turns.
    """
    nations = frozenset({side, *of.game.file.sides.get(side, ())}) & of.people
    if before := list(_steps(of, [p for p in of.of("turn") if concerns(p.who, nations)], nations)):
        yield Item("Before the player turns", "", part=True)
        yield from before
    turn = of.of("player-turn")
    own = [phase for phase in turn if phase.active != "other"]
    others = [phase for phase in turn if phase.active != "phasing"]
    if own:
        yield Item(f"In the {of.turn_of(side)}", "", part=True)
        yield from _steps(of, own, nations)
    if others and len(of.sides) > 1:
        names = [title_of(of.game, other) for other in of.sides if other != side]
        yield Item(f"In the {' or '.join(names)} player turn", "", part=True)
        yield from _steps(of, others, nations)
    if fight := list(_steps(of, of.of("combat"), nations)):
        yield Item("In each combat", "", part=True)
        yield from fight
    if between := list(_steps(of, of.of("inter-phase"), nations)):
        yield Item(of.between, "", part=True)
        yield from between


def _steps(of: Course, phases: Iterable[Phase], nations: frozenset[str]) -> Iterator[Item]:
    for phase in phases:
        yield Item(phase.title, phase.rule, heading=True)
        for step in phase.steps:
            if concerns(step.who, nations):
                yield Item(_step(of, step), step.rule)


def _step(of: Course, step: Step) -> str:
    """A step with the nation that it concerns, unless all of a side do, and the turns in which it comes up."""
    alone = any(step.who in nations and len(nations) > 1 for nations in of.game.file.sides.values())
    notes = [title_of(of.game, step.who)] if alone else []
    notes += [of.course.turns.tag.format(step.turns.replace(" ", ", "))] if step.turns else []
    return f"{step.do} ({', '.join(notes)})" if notes else step.do


def _item(item: Item, look: Look, size: float, wide: float, accent: str) -> Block:
    if item.part:
        return _part(item, look, size, wide, accent)
    big = size + 1 * POINT if item.heading else size
    rule = f"{item.rule}"
    indent = 0.0 if item.heading else size * _TICK + 1.8
    lines: Words = words(item.text, big, wide - indent - _RULES, bold=item.heading)
    above = 1.4 if item.heading else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        top = y + above
        yield from lines.at(x + indent, top)
        if not item.heading:
            yield Rectangle(
                x=x + 0.2, y=top + size * 0.16, width=size * _TICK, height=size * _TICK, fill=WHITE, stroke=INK, stroke_width=0.3
            )  # fmt: skip
        base = top + big * (PITCH - 0.24)
        room = text_width(rule, size) if rule else 0
        if rule:
            yield Text(x=x + wide - room, y=base, text=rule, size=size, fill=SOFT_INK)

    return Block(lines.height + above, draw, tied=item.heading)


def _part(item: Item, look: Look, size: float, wide: float, accent: str) -> Block:
    """The heading of a part of the checklist."""
    big = size + 1.5 * POINT
    high = big * PITCH + 1.6
    return Block(high + 1.2, lambda x, y: bar(look, Box(x, y + 1.2, wide, high), accent, item.text, big), tied=True)
