"""Checklists: what each side does in a turn, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Rectangle, Shape, Text
from assistant.drawing.style import SOFT_INK
from assistant.game.course import CourseStep, Phase

from ..sheets.sizes import Box
from .aid_set import AidSet, is_for
from .flow import BETWEEN, Block, Piece, balance, choose_fewest, flow_blocks, half_of, pages_needed
from .page import EASY, SIZES, AidStyle, draw_bar, format_rule
from .sequence import BETWEEN_ITEMS, between_title
from .words import PITCH, Words, set_words

_RULES = 12.0  # mm for the number of a rule
_TICK = 0.95  # the side of a box to tick, as a multiple of the size of letters
_LARGE = tuple(points * POINT for points in (13.0, 12.5, 12.0, 11.5))
"""Letters of a short checklist."""
_ABOVE = 0.9  # mm between two items
_CLOSE_PITCH = 1.1
"""The pitch of lines before a list takes another page."""
_CLOSE_ABOVE = 0.5
"""Mm between two items before a list takes another page."""


class ChecklistLine(NamedTuple):
    """A line of a checklist with its rule."""

    text: str
    rule: str
    heading: bool = False
    """Whether it begins a phase."""
    part: bool = False
    """Whether it begins a part of the list."""


class _Setting(NamedTuple):
    """How a checklist is set: the size of its letters, the pitch of its lines, and what lies between two items."""

    size: float
    pitch: float = PITCH
    above: float = _ABOVE


def checklist(aids: AidSet, side: str, area: Box, head: float) -> list[list[Piece]]:
    """Return a side's checklist in two columns, in letters as large as have room on one page, set closer before it
    takes another; in one column, and in two of smaller letters, where these are read with ease. head: what its name
    takes on a page that it shares.
    """
    items, accent, half = list(_list_items(aids, side)), aids.accent(side), half_of(area)

    @cache
    def blocks(setting: _Setting) -> list[Block]:
        return [item_block(item, aids.look, setting.size, half.width, accent, pitch=setting.pitch) for item in items]

    def pages(setting: _Setting) -> int:
        return pages_needed(blocks(setting), area, columns=2, gap=BETWEEN, above=setting.above)

    def in_two(setting: _Setting) -> list[Piece]:
        return [*map(Piece, balance(blocks(setting), area, setting.above))]

    loose = [*map(_Setting, (*_LARGE, *SIZES))]
    close = [_Setting(size, pitch=_CLOSE_PITCH, above=_CLOSE_ABOVE) for size in SIZES[-3:]]
    largest = choose_fewest(pages, [*loose, *close])
    layouts = [in_two(largest)]
    if largest.size > EASY:
        easy = [_Setting(size) for size in SIZES if EASY <= size < largest.size]
        room = area.height - head
        column = choose_fewest(lambda one: int(_stacked_height(blocks(one), one.above) > room), easy)
        if _stacked_height(blocks(column), column.above) <= room:
            layouts.append([Piece(flow_blocks(blocks(column), area, above=column.above)[0], half=True)])
        layouts.append(in_two(easy[-1]))
    return layouts


def _stacked_height(blocks: Sequence[Block], above: float) -> float:
    """Return how high blocks are below one another."""
    return sum(block.height + above for block in blocks) - above


def _format_turns(aids: AidSet, sides: Sequence[str]) -> str:
    """Return the heading over what is done in the player turns of some sides, "" for a side of a game without any."""
    file = aids.game.file
    if any(map(file.is_country, sides)):
        return f"In the player turn of {' or '.join(map(file.the_side, sides))}"
    names = " or ".join(map(file.title_of, filter(None, sides)))
    return f"In the {names} player turn" if names else "In the player turn"


def _list_items(aids: AidSet, side: str) -> Iterator[ChecklistLine]:
    """Yield what a side does in a turn: before the player turns, in its own, in that of another, in each combat, and
    between turns.
    """
    nations = frozenset({side, *aids.game.file.sides.get(side, ())}) & aids.people
    own = [phase for phase in aids.phases("player-turn", side) if phase.active != "other"]
    enemies = [other for other in aids.sides if other != side]
    theirs = [phase for other in enemies for phase in aids.phases("player-turn", other)]
    others = [phase for phase in aids.phases("player-turn") if phase.active != "phasing" and phase in theirs]
    parts = (
        ("Before the player turns", aids.phases("turn", side)),
        (_format_turns(aids, [side]), own),
        (_format_turns(aids, enemies), others),
        ("In each combat", aids.phases("combat", side)),
        (between_title(aids), aids.phases("inter-phase", side)),
    )
    for title, phases in parts:
        if items := list(_list_steps(aids, phases, nations)):
            yield ChecklistLine(title, "", part=True)
            yield from items


def _list_steps(aids: AidSet, phases: Iterable[Phase], nations: frozenset[str]) -> Iterator[ChecklistLine]:
    """Yield the phases with the steps that nations do in them; none of a phase whose steps others do."""
    for phase in phases:
        mine = [step for step in phase.steps if is_for(step.who, nations)]
        if mine or not phase.steps:
            when = f" ({aids.in_turns(phase.turns)})" if phase.turns else ""
            yield ChecklistLine(phase.title + when, phase.rule, heading=True)
            yield from (ChecklistLine(_format_step(aids, step), step.rule) for step in mine if _is_usual(aids, step))


def _is_usual(aids: AidSet, step: CourseStep) -> bool:
    """Return whether a step is done by the usual readings of doubtful rules: `ruling=reading` among the words of its
    options.
    """
    usual = {f"{name}={ruling.default}" for name, ruling in aids.game.rulings.items()}
    read = {word for word in step.option.split() if "=" in word}
    return read <= usual and usual.isdisjoint(step.unless.split())


def _format_step(aids: AidSet, step: CourseStep) -> str:
    """Return a step with the nation that it concerns, unless all of a side do, the turns in which it comes up, the
    optional rules with and without which it does, unless its own words say that it is optional, and the question that
    answers it.
    """
    alone = any(step.who in nations and len(nations) > 1 for nations in aids.game.file.sides.values())
    notes = [aids.game.file.title_of(step.who)] if alone else []
    if step.turns:
        notes.append(aids.in_turns(step.turns))
    if "(optional)" not in step.do:
        for kind, options in (("with", step.option), ("without", step.unless)):
            notes += [f"{kind} {aids.game.file.title_of(word)}" for word in options.split() if "=" not in word]
    if step.ask:
        notes.append(f"ask {step.ask}")
    return f"{step.do} ({', '.join(notes)})" if notes else step.do


def item_block(
    item: ChecklistLine,
    style: AidStyle,
    size: float,
    width: float,
    accent: str,
    *,
    ticked: bool = True,
    pitch: float = PITCH,
) -> Block:
    """Return a line of the checklist: the heading of a part, that of a phase, or a step. ticked: whether a step has a
    box to tick; pitch: of its lines.
    """
    if item.part:
        return _block_of_part(item, style, size, width, accent)
    big = size + 1 * POINT if item.heading else size
    indent = 0.0 if item.heading or not ticked else size * _TICK + 1.8
    rule = format_rule(item.rule)
    aside = max(_RULES, text_width(rule, size) + BETWEEN_ITEMS)
    lines: Words = set_words(item.text, big, width - indent - aside, bold=item.heading, pitch=pitch)
    above = 1.4 if item.heading else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        top = y + above
        yield from lines.at(x + indent, top)
        if ticked and not item.heading:
            yield Rectangle(
                x=x + 0.2,
                y=top + size * 0.16,
                width=size * _TICK,
                height=size * _TICK,
                fill=WHITE,
                stroke=INK,
                stroke_width=0.3,
            )
        base = top + big * (pitch - 0.24)
        if rule:
            yield Text(x=x + width - text_width(rule, size), y=base, text=rule, size=size, fill=SOFT_INK)

    return Block(lines.height + above, draw, tied=item.heading)


def _block_of_part(item: ChecklistLine, style: AidStyle, size: float, width: float, accent: str) -> Block:
    """Return the heading of a part of the checklist."""
    big = size + 1.5 * POINT
    height = big * PITCH + 1.6
    return Block(
        height + 1.2, lambda x, y: draw_bar(style, Box(x, y + 1.2, width, height), accent, item.text, big), tied=True
    )
