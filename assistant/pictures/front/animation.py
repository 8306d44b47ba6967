"""The front of a game as an animation: the maps of a strip one after the other, as a GIF or as an SVG in which counters
move. The first frame tells the game and the turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

from ...drawing.animated_svg import AnimatedScene, Mover, to_animated_svg
from ...drawing.gif import MOST_BYTES, Animation, to_gif
from ...drawing.lettering import base_line, fit, fit_lines, text_width
from ...drawing.scene import Group, Layer, Point, Rectangle, Scene, Shape, Text, enlarge, inset, text_lines
from ...questions.view import View
from ..colours import INK, WHITE
from ..map.survey import Look
from ..style import PAPER, SOFT_INK
from .moment_map import BLOCK, MomentMap, block_shapes, moment_layers
from .strip import Strip, change_words, placed_map

WIDE = 100.0
"""How wide the map of an animation is, in millimetres."""
FIRST, MOVES, AFTER = 3.0, 2.0, 2.5
"""How long frames stand, in seconds: the first one, those that show who is about to move, and those that show where that
has led.
"""
MOVING = 1.2
"""How long counters take to their new places, in seconds."""
MOST_TURNS = 40
"""How many turns an animation has at most: of more it has some, evenly chosen."""
_TURN, _SMALL, _HEADED, _FOOT = 5.0, 3.0, 13.0, 7.5
_EDGE = 4.0


class Frame(NamedTuple):
    """A frame. number: of the turn that it shows; moment: what is drawn of it; standing: whose units are drawn; arrows:
    whether ways are; seconds: how long it stands.
    """

    number: int
    moment: MomentMap
    standing: View
    arrows: bool
    seconds: float


def frames_of(strip: Strip) -> list[Frame]:
    """The frames: the first moment; then for each one who is about to move, and where that has led."""
    first = strip.moments[0]
    frames = [Frame(0, first, first.view, False, FIRST)]
    for number, moment in enumerate(strip.moments[1:], 1):
        before = strip.moments[number - 1]
        if moment.moved or moment.attacked:
            frames.append(
                Frame(
                    number,
                    before._replace(gained={}, moved=moment.moved, attacked=moment.attacked),
                    before.view,
                    True,
                    MOVES,
                )
            )
        frames.append(Frame(number, moment._replace(attacked=()), moment.view, False, AFTER))
    return frames


class _Scenes(Sequence[Scene]):
    """The scenes of the frames, each made when it is asked for."""

    def __init__(self, strip: Strip, title: str, about: str) -> None:
        self.strip, self.title, self.about = strip, title, about
        self.frames = frames_of(strip)

    def __len__(self) -> int:
        return len(self.frames)

    @overload
    def __getitem__(self, at: int) -> Scene: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Scene]: ...
    def __getitem__(self, at: int | slice) -> Scene | Sequence[Scene]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        return frame_scene(self.strip, self.frames[at], self.title, self.about)


def to_animation(strip: Strip, title: str, about: str, *, most: int = MOST_BYTES) -> Animation:
    """The animation as a GIF. title, about: what the first frame tells; most: how large it may be, in bytes."""
    scenes = _Scenes(strip, title, about)
    return to_gif(scenes, [frame.seconds for frame in scenes.frames], most, strip.theatre.key_colours)


def frame_scene(strip: Strip, frame: Frame, title: str, about: str) -> Scene:
    """One frame: the turn and what happens in it above the map, the sides below it."""
    theatre, size = strip.theatre, frame_size(strip)
    layers = moment_layers(theatre, frame.moment, standing=frame.standing, arrows=frame.arrows)
    words = [*heading_shapes(strip, frame.number), *foot_shapes(strip, title)]
    card = title_card(strip, title, about) if frame.number == 0 else ()
    return Scene(
        width=size[0],
        height=size[1],
        title=title,
        layers=(
            Layer("paper", (Rectangle(x=0, y=0, width=size[0], height=size[1], fill=PAPER),)),
            *placed_map(theatre, layers, (_EDGE, _HEADED)),
            Layer("words", (*words, *card)),
        ),
    )


def frame_size(strip: Strip) -> tuple[float, float]:
    """The width and height of a frame, in millimetres."""
    return strip.theatre.wide + 2 * _EDGE, strip.theatre.high + _HEADED + _FOOT


def heading_shapes(strip: Strip, number: int) -> Iterator[Shape]:
    """The turn and its date, and below them what has changed."""
    shot, wide = strip.shots[number], strip.theatre.wide
    turn = fit(shot.title, _TURN, wide * 0.6, least=2.5, bold=True)
    yield Text(x=_EDGE, y=6.2, text=turn.lines[0], size=turn.size, bold=True, fill=INK)
    left = _EDGE + text_width(turn.lines[0], turn.size, bold=True) + 2.5
    if shot.about and (room := _EDGE + wide - left) > 8.0:
        about = fit(shot.about, _SMALL * 1.15, room, least=2.2)
        yield Text(x=left, y=6.2, text=about.lines[0], size=about.size, fill=SOFT_INK)
    changed = fit(change_words(strip, number), _SMALL, wide, least=2.0)
    yield Text(x=_EDGE, y=10.8, text=changed.lines[0], size=changed.size, fill=SOFT_INK)


def foot_shapes(strip: Strip, title: str) -> Iterator[Shape]:
    """The sides by their colours, and the title."""
    theatre, x = strip.theatre, _EDGE
    y = theatre.high + _HEADED + 1.6
    shown = {side for moment in strip.moments for side in moment.held.values()}
    for side in theatre.game.file.sides:
        if side in shown:
            yield inset(x, y, 4.6, 3.4, 0.0, radius=0.4, fill=theatre.survey.palette.side(side).strong)
            words = theatre.game.file.title_of(side)
            yield Text(x=x + 5.8, y=base_line(y + 1.7, 2.7), text=words, size=2.7, fill=INK)
            x += 5.8 + text_width(words, 2.7) + 5.0
    if (room := _EDGE + theatre.wide - x) > 15.0:
        named = fit(title, 2.7, room, least=2.0)
        yield Text(
            x=_EDGE + theatre.wide,
            y=base_line(y + 1.7, named.size),
            text=named.lines[0],
            size=named.size,
            anchor="end",
            fill=SOFT_INK,
        )


def title_card(strip: Strip, title: str, about: str) -> Iterator[Shape]:
    """The title on a card in the middle of the map."""
    theatre = strip.theatre
    inner = theatre.wide * 0.72
    heading = fit_lines(title, 7.0, inner, 22.0, least=3.0, bold=True)
    below = fit_lines(about, 3.8, inner, 12.0, least=2.4) if about else None
    high = (
        len(heading.lines) * heading.size * 1.2 + (len(below.lines) * below.size * 1.35 + 1.5 if below else 0.0) + 7.0
    )
    left, top = _EDGE + (theatre.wide - inner) / 2 - 5.0, _HEADED + (theatre.high - high) / 2
    yield inset(left, top, inner + 10.0, high, 0.0, radius=1.5, fill=WHITE, stroke=INK, stroke_width=0.4, opacity=0.92)
    middle, y = _EDGE + theatre.wide / 2, top + 3.2 + heading.size * 0.85
    yield from text_lines(heading.lines, y, heading.size, 1.2, x=middle, anchor="middle", bold=True, fill=INK)
    if below:
        y += (len(heading.lines) - 1) * heading.size * 1.2 + 2.0 + below.size
        yield from text_lines(below.lines, y, below.size, 1.35, x=middle, anchor="middle", fill=SOFT_INK)


# --- counters that move -----------------------------------------------------------------------------------------------


def to_moving_svg(strip: Strip, title: str, about: str) -> str:
    """The animation as an SVG in which counters move to their places. title, about: what the first frame tells."""
    theatre, (width, height) = strip.theatre, frame_size(strip)
    at, scale = (_EDGE, _HEADED), theatre.scale_on_paper
    below = Scene(
        width=width,
        height=height,
        title=title,
        description=f"{about}." if about else "",
        layers=(
            Layer("paper", (Rectangle(x=0, y=0, width=width, height=height, fill=PAPER),)),
            *placed_map(theatre, [*theatre.base, *theatre.town_layers], at),
        ),
    )
    many = len(strip.moments)
    frames, headings = list[list[Shape]](), list[list[Shape]]()
    for number, moment in enumerate(strip.moments):
        layers = moment_layers(theatre, moment, arrows=False)
        kept = [layer for layer in layers if layer.name in ("ground", "gained", "front")]
        fought = [theatre.place(layer, at) for layer in layers if layer.name == "combats"]
        frames.append(
            [shape for layer in placed_map(theatre, kept, at) if layer.name != "mat" for shape in layer.shapes]
        )
        card = title_card(strip, title, about) if number == 0 else ()
        stars = [shape for layer in fought for shape in layer.shapes]
        headings.append([*stars, *heading_shapes(strip, number), *card])
    written = placed_map(theatre, [*theatre.edge, *theatre.name_layers], at)
    above = [shape for layer in written for shape in layer.shapes]
    return to_animated_svg(
        AnimatedScene(
            below=below,
            frames=frames,
            movers=list(movers_of(strip, at, scale)),
            above=[*above, *foot_shapes(strip, title)],
            headings=headings,
            seconds=[FIRST, *[AFTER + MOVING] * (many - 1)],
            moving=MOVING,
        )
    )


def movers_of(strip: Strip, at: Point, scale: float) -> Iterator[Mover]:
    """The counters of all moments, each with its places; those of a stack lie a little apart. at: where the map lies."""
    theatre = strip.theatre
    looks = [Look(moment.view) for moment in strip.moments]
    places = [dict(_unit_places(strip, look, at, scale)) for look in looks]
    for unit in dict.fromkeys(unit for found in places for unit in found):
        look = next(look for look, found in zip(looks, places, strict=True) if unit in found)
        nation, arm = look.word(look.picture.nation, unit), look.word(look.picture.symbol, unit)
        shapes = _scaled(block_shapes(theatre, (0.0, 0.0), [nation], arm), scale)
        yield Mover((Group(unit, tuple(shapes)),), [found.get(unit) for found in places])


def _unit_places(strip: Strip, look: Look, at: Point, scale: float) -> Iterator[tuple[str, Point]]:
    """Where the counter of each unit lies in a moment, the lowest of a stack first."""
    layout = strip.theatre.layout
    for place in strip.theatre.names:
        stack = look.state.stack(place)
        for depth in range(len(stack) - 1, -1, -1):
            x, y = layout.centre(place)
            off = (min(depth, 3) - (min(len(stack), 4) - 1) / 2) * BLOCK * 0.09
            yield stack[depth].id, (at[0] + (x + off) * scale, at[1] + (y + off) * scale)


def _scaled(shapes: Iterable[Shape], scale: float) -> Sequence[Shape]:
    return enlarge(Layer("unit", tuple(shapes)), scale).shapes
