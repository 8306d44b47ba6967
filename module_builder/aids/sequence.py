"""The sequence of play as a track for a marker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from assistant.drawing.colours import WHITE
from assistant.drawing.lettering import POINT
from assistant.drawing.scene import Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.course import Phase
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .aid_set import AidSet
from .flow import GAP, Block, Piece, choose_largest, flow_blocks
from .page import HEADING, AidStyle, counter_box, draw_bar, draw_box, format_rule
from .words import PITCH, set_line, set_words

_PHASE = 11 * POINT  # size of the title of a phase, mm
_SMALL = 8.5 * POINT  # size of what stands below it, mm
BETWEEN_ITEMS = 1.6  # mm between two rows
_TALLER = (1.5, 1.4, 1.3, 1.2, 1.1, 1.0)
"""How much higher than a counter the rows of the track may be."""


def sequence_track(aids: AidSet, area: Box) -> list[list[Piece]]:
    """Return the phases of each player turn side by side, each with a box for a marker: as high as they have room on as
    few pages as they need, and as low as a marker allows.
    """

    def rows(share: float) -> list[Block]:
        return _list_rows(aids, area.width, aids.look.box * share)

    ways = choose_largest(rows, _TALLER, area, above=BETWEEN_ITEMS), rows(_TALLER[-1])
    return [[*map(Piece, flow_blocks(blocks, area, above=BETWEEN_ITEMS))] for blocks in ways]


def _list_rows(aids: AidSet, width: float, height: float) -> list[Block]:
    """Return the phases, in rows of this height."""
    before = aids.phases("turn")
    blocks = [_block_of_phase(aids, phase, width, height, ascii_uppercase[n % 26]) for n, phase in enumerate(before)]
    turn, sides = aids.phases("player-turn"), aids.sides
    if turn:
        column_width = (width - GAP * (len(sides) - 1)) / max(len(sides), 1)
        blocks.append(_block_of_sides(aids, column_width))
        own = [aids.phases("player-turn", side) for side in sides]
        blocks += [_block_of_player_turn(aids, phase, n, own, column_width, height) for n, phase in enumerate(turn, 1)]
    between = aids.phases("inter-phase")
    if between:
        blocks.append(_block_of_heading(between_title(aids), width, aids.look))
        blocks += [_block_of_phase(aids, phase, width, height, f"{number}") for number, phase in enumerate(between, 1)]
    return blocks


def between_title(aids: AidSet) -> str:
    """Return what is called what comes between turns."""
    return next((turn.interphase.text for turn in aids.turns if turn.interphase), "Between turns")


def _block_of_heading(text: str, width: float, style: AidStyle) -> Block:
    """Return a heading in the whole width, which stays with what follows it."""
    height = HEADING * PITCH + 1.6
    return Block(height, lambda x, y: draw_bar(style, Box(x, y, width, height), SOFT_INK, text, HEADING), tied=True)


def _block_of_sides(aids: AidSet, width: float) -> Block:
    """Return the names of the sides over the columns of their player turns."""
    height = HEADING * PITCH + 1.6

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, side in enumerate(aids.sides):
            at = Box(x + number * (width + GAP), y, width, height)
            yield from draw_bar(aids.look, at, aids.accent(side), sentence(aids.turn_of(side)), HEADING)

    return Block(height, draw, tied=True)


def _block_of_player_turn(
    aids: AidSet, phase: Phase, number: int, own: Sequence[Sequence[Phase]], width: float, height: float
) -> Block:
    """Return one phase in the player turn of each side that has it. own: the phases in the player turn of each side."""

    def draw(x: float, y: float) -> Iterator[Shape]:
        for column, side in enumerate(aids.sides):
            at = Box(x + column * (width + GAP), y, width, height)
            if phase in own[column]:
                yield from _draw_phase(aids.look, phase, str(number), _format_active(aids, phase, side), at)

    return Block(height, draw)


def _block_of_phase(aids: AidSet, phase: Phase, width: float, height: float, number: str) -> Block:
    """Return a phase that does not belong to one side's turn, in the whole width."""
    who = aids.game.file.title_of(phase.who) if phase.who else "all sides"
    aside = ", ".join(filter(None, [who, aids.in_turns(phase.turns)]))
    return Block(height, lambda x, y: _draw_phase(aids.look, phase, number, aside, Box(x, y, width, height)))


def _format_active(aids: AidSet, phase: Phase, side: str) -> str:
    """Return who is active in a phase of a side's turn, in words."""
    others = [aids.game.file.title_of(other) for other in aids.sides if other != side]
    match phase.active:
        case "phasing":
            return aids.game.file.title_of(side)
        case "other":
            return ", ".join(others)
        case _:
            return "all sides"


def _draw_phase(style: AidStyle, phase: Phase, number: str, who: str, at: Box) -> Iterator[Shape]:
    """Yield a box for a marker and, beside it, the phase with who is active in it and its rule."""
    pale = phase.active == "other"
    yield draw_box(at, fill=style.tint(GRID, 0.22) if pale else WHITE, stroke=GRID, radius=0.8)
    inside = (at.height - style.box) / 2
    yield counter_box(at.left + inside, at.top + inside, style)
    left = at.left + style.box + 2.0 + inside
    room = at.right - left - 1.5
    title = set_words(f"{number}. {phase.title}", _PHASE, room, bold=True)
    small = " · ".join(filter(None, [who, format_rule(phase.rule)]))
    top = at.top + (at.height - title.height - (_SMALL * PITCH if small else 0)) / 2
    yield from title.at(left, top)
    if small:
        yield set_line(left, top + title.height + _SMALL, small, _SMALL, room, fill=SOFT_INK)
