"""The sequence of play: as a track for a marker, and as checklists of what each side does in a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from string import ascii_uppercase
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT_MM, text_width
from assistant.drawing.scene import Rectangle, Shape, Text
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.course import CourseStep, Phase
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .aid_set import AidSet, is_for
from .flow import (
    COLUMN_GAP_MM,
    GAP_MM,
    LINE_PITCH_FACTOR,
    Block,
    Piece,
    Words,
    balance_columns,
    choose_fewest,
    choose_largest,
    flow_blocks,
    half_of,
    pages_needed,
    set_line,
    set_words,
)
from .page import HEADING_SIZE_MM, LETTER_SIZES_MM, AidStyle, counter_box, draw_bar, draw_box, format_rule

_PHASE_TITLE_SIZE_MM = 11 * POINT_MM
"""The size of the letters of a phase's title."""
_SMALL_SIZE_MM = 8.5 * POINT_MM
"""The size of the letters below the title."""
_ROW_GAP_MM = 1.6
"""The space between two rows of the track."""
_ROW_HEIGHT_FACTORS = (1.5, 1.4, 1.3, 1.2, 1.1, 1.0)
"""Heights of the track's rows to try, as multiples of the side of a counter."""
_RULE_WIDTH_MM = 12.0
"""The width for the number of a rule."""
_TICK_BOX_FACTOR = 0.95
"""The side of a box to tick, as a multiple of the size of letters."""
_ITEM_GAP_MM = 0.9
"""The space between two items of a checklist."""
_CLOSE_PITCH_FACTOR = 1.1
"""The pitch of lines that is tried before a list takes another page."""
_CLOSE_ITEM_GAP_MM = 0.5
"""The space between two items that is tried before a list takes another page."""


def sequence_track(aids: AidSet, area: Box) -> list[list[Piece]]:
    """Return the phases of the player turns side by side, each with a box for a marker: with high rows, and with low ones."""

    def rows(share: float) -> list[Block]:
        return _list_rows(aids, area.width, aids.look.box * share)

    ways = choose_largest(rows, _ROW_HEIGHT_FACTORS, area, above=_ROW_GAP_MM), rows(_ROW_HEIGHT_FACTORS[-1])
    return [[*map(Piece, flow_blocks(blocks, area, above=_ROW_GAP_MM))] for blocks in ways]


def _list_rows(aids: AidSet, width: float, height: float) -> list[Block]:
    before = aids.phases("turn")
    blocks = [_block_of_phase(aids, phase, width, height, ascii_uppercase[n % 26]) for n, phase in enumerate(before)]
    turn, sides = aids.phases("player-turn"), aids.sides
    if turn:
        column_width = (width - GAP_MM * (len(sides) - 1)) / max(len(sides), 1)
        blocks.append(_block_of_sides(aids, column_width))
        own = [aids.phases("player-turn", side) for side in sides]
        blocks += [_block_of_player_turn(aids, phase, n, own, column_width, height) for n, phase in enumerate(turn, 1)]
    between = aids.phases("inter-phase")
    if between:
        blocks.append(_block_of_heading(_between_title(aids), width, aids.look))
        blocks += [_block_of_phase(aids, phase, width, height, f"{number}") for number, phase in enumerate(between, 1)]
    return blocks


def _between_title(aids: AidSet) -> str:
    return next((turn.interphase.text for turn in aids.turns if turn.interphase), "Between turns")


def _block_of_heading(text: str, width: float, style: AidStyle) -> Block:
    height = HEADING_SIZE_MM * LINE_PITCH_FACTOR + 1.6
    return Block(
        height, lambda x, y: draw_bar(style, Box(x, y, width, height), SOFT_INK, text, HEADING_SIZE_MM), tied=True
    )


def _block_of_sides(aids: AidSet, width: float) -> Block:
    height = HEADING_SIZE_MM * LINE_PITCH_FACTOR + 1.6

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, side in enumerate(aids.sides):
            at = Box(x + number * (width + GAP_MM), y, width, height)
            yield from draw_bar(aids.look, at, aids.accent(side), sentence(aids.turn_of(side)), HEADING_SIZE_MM)

    return Block(height, draw, tied=True)


def _block_of_player_turn(
    aids: AidSet, phase: Phase, number: int, own: Sequence[Sequence[Phase]], width: float, height: float
) -> Block:
    """Return one phase in the player turn of each side that has it.

    `own`: the phases in the player turn of each side.
    """

    def draw(x: float, y: float) -> Iterator[Shape]:
        for column, side in enumerate(aids.sides):
            at = Box(x + column * (width + GAP_MM), y, width, height)
            if phase in own[column]:
                yield from _draw_phase(aids.look, phase, str(number), _format_active(aids, phase, side), at)

    return Block(height, draw)


def _block_of_phase(aids: AidSet, phase: Phase, width: float, height: float, number: str) -> Block:
    who = aids.game.file.title_of(phase.who) if phase.who else "all sides"
    aside = ", ".join(filter(None, [who, aids.in_turns(phase.turns)]))
    return Block(height, lambda x, y: _draw_phase(aids.look, phase, number, aside, Box(x, y, width, height)))


def _format_active(aids: AidSet, phase: Phase, side: str) -> str:
    others = [aids.game.file.title_of(other) for other in aids.sides if other != side]
    match phase.active:
        case "phasing":
            return aids.game.file.title_of(side)
        case "other":
            return ", ".join(others)
        case _:
            return "all sides"


def _draw_phase(style: AidStyle, phase: Phase, number: str, who: str, at: Box) -> Iterator[Shape]:
    """Yield a box for a marker, and beside it the phase with its rule and who is active."""
    pale = phase.active == "other"
    yield draw_box(at, fill=style.tint(GRID, 0.22) if pale else WHITE, stroke=GRID, radius=0.8)
    inside = (at.height - style.box) / 2
    yield counter_box(at.left + inside, at.top + inside, style)
    left = at.left + style.box + 2.0 + inside
    room = at.right - left - 1.5
    title = set_words(f"{number}. {phase.title}", _PHASE_TITLE_SIZE_MM, room, bold=True)
    small = " · ".join(filter(None, [who, format_rule(phase.rule)]))
    top = at.top + (at.height - title.height - (_SMALL_SIZE_MM * LINE_PITCH_FACTOR if small else 0)) / 2
    yield from title.at(left, top)
    if small:
        yield set_line(left, top + title.height + _SMALL_SIZE_MM, small, _SMALL_SIZE_MM, room, fill=SOFT_INK)


class ChecklistLine(NamedTuple):
    """A line of a checklist."""

    text: str
    rule: str
    heading: bool = False
    """Whether it begins a phase."""
    part: bool = False
    """Whether it begins a part of the list."""


class _Setting(NamedTuple):
    """The size of a checklist's letters, the pitch of its lines, and the space between two items."""

    size: float
    pitch: float = LINE_PITCH_FACTOR
    above: float = _ITEM_GAP_MM


def checklists(aids: AidSet, sides: Sequence[str], area: Box, head: float) -> list[list[list[Piece]]]:
    """Return the layouts of each side's checklist: in two columns, and in one if it fits.

    All have letters of the same size, the largest in which no list takes a page more than in the smallest. A list is
    set closer before it takes another page.

    `head`: the height of its name on a page that it shares.
    """
    half = half_of(area)
    items = {side: list(_list_items(aids, side)) for side in sides}

    @cache
    def blocks(side: str, setting: _Setting) -> list[Block]:
        return [
            item_block(item, aids.look, setting.size, half.width, aids.accent(side), pitch=setting.pitch)
            for item in items[side]
        ]

    def pages(setting: _Setting) -> int:
        return sum(
            pages_needed(blocks(side, setting), area, columns=2, gap=COLUMN_GAP_MM, above=setting.above)
            for side in sides
        )

    loose = [*map(_Setting, LETTER_SIZES_MM)]
    close = [_Setting(size, pitch=_CLOSE_PITCH_FACTOR, above=_CLOSE_ITEM_GAP_MM) for size in LETTER_SIZES_MM[-3:]]
    setting = choose_fewest(pages, [*loose, *close])
    found = list[list[list[Piece]]]()
    for side in sides:
        made = blocks(side, setting)
        layouts = [[*map(Piece, balance_columns(made, area, setting.above))]]
        if _stacked_height(made, setting.above) <= area.height - head:
            layouts.append([Piece(flow_blocks(made, area, above=setting.above)[0], half=True)])
        found.append(layouts)
    return found


def _stacked_height(blocks: Sequence[Block], above: float) -> float:
    return sum(block.height + above for block in blocks) - above


def _format_turns(aids: AidSet, sides: Sequence[str]) -> str:
    """Return the heading of the player turns of some sides, or "" if the game has none."""
    file = aids.game.file
    if any(map(file.is_country, sides)):
        return f"In the player turn of {' or '.join(map(file.the_side, sides))}"
    names = " or ".join(map(file.title_of, filter(None, sides)))
    return f"In the {names} player turn" if names else "In the player turn"


def _list_items(aids: AidSet, side: str) -> Iterator[ChecklistLine]:
    """Yield what a side does: before the player turns, in its own, in others, in each combat, and between turns."""
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
        (_between_title(aids), aids.phases("inter-phase", side)),
    )
    for title, phases in parts:
        if items := list(_list_steps(aids, phases, nations)):
            yield ChecklistLine(title, "", part=True)
            yield from items


def _list_steps(aids: AidSet, phases: Iterable[Phase], nations: frozenset[str]) -> Iterator[ChecklistLine]:
    """Yield phases with the steps that nations do in them, without phases that only others have steps in."""
    for phase in phases:
        mine = [step for step in phase.steps if is_for(step.who, nations)]
        if mine or not phase.steps:
            when = f" ({aids.in_turns(phase.turns)})" if phase.turns else ""
            yield ChecklistLine(phase.title + when, phase.rule, heading=True)
            yield from (ChecklistLine(_format_step(aids, step), step.rule) for step in mine if _is_usual(aids, step))


def _is_usual(aids: AidSet, step: CourseStep) -> bool:
    """Return whether a step belongs to the usual readings of doubtful rules: `ruling=reading` in its options."""
    usual = {f"{name}={ruling.default}" for name, ruling in aids.game.rulings.items()}
    read = {word for word in step.option.split() if "=" in word}
    return read <= usual and usual.isdisjoint(step.unless.split())


def _format_step(aids: AidSet, step: CourseStep) -> str:
    """Return a step with its nation, turns, optional rules and question.

    The nation is left out if all of a side do it, the optional rules if the step's own words name them.
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
    pitch: float = LINE_PITCH_FACTOR,
) -> Block:
    """Return a line of the checklist: the heading of a part or a phase, or a step.

    `ticked`: whether a step has a box to tick.
    """
    if item.part:
        return _block_of_part(item, style, size, width, accent)
    big = size + 1 * POINT_MM if item.heading else size
    indent = 0.0 if item.heading or not ticked else size * _TICK_BOX_FACTOR + 1.8
    rule = format_rule(item.rule)
    aside = max(_RULE_WIDTH_MM, text_width(rule, size) + _ROW_GAP_MM)
    lines: Words = set_words(item.text, big, width - indent - aside, bold=item.heading, pitch=pitch)
    above = 1.4 if item.heading else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        top = y + above
        yield from lines.at(x + indent, top)
        if ticked and not item.heading:
            yield Rectangle(
                x=x + 0.2,
                y=top + size * 0.16,
                width=size * _TICK_BOX_FACTOR,
                height=size * _TICK_BOX_FACTOR,
                fill=WHITE,
                stroke=INK,
                stroke_width=0.3,
            )
        base = top + big * (pitch - 0.24)
        if rule:
            yield Text(x=x + width - text_width(rule, size), y=base, text=rule, size=size, fill=SOFT_INK)

    return Block(lines.height + above, draw, tied=item.heading)


def _block_of_part(item: ChecklistLine, style: AidStyle, size: float, width: float, accent: str) -> Block:
    big = size + 1.5 * POINT_MM
    height = big * LINE_PITCH_FACTOR + 1.6
    return Block(
        height + 1.2, lambda x, y: draw_bar(style, Box(x, y + 1.2, width, height), accent, item.text, big), tied=True
    )
