"""What is at fault in the lettering of a picture, by its own boxes: letters on letters, plates, rings or counters, and names
outside their hexes without a leader. Random pictures of random positions, and a command that draws many:

    python -m tests.assistant.drawing.lettering 200 1914
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, combinations
from typing import Any, NamedTuple

from assistant.asking.line_sketch import STATUSES, Break, LineSketch, LineWords, Marked, Origin, Strand
from assistant.asking.report import MissingFacts
from assistant.asking.sketch import Arrow, Remark, Role, Sketch, Spot, ZoneHexes
from assistant.asking.view import View
from assistant.drawing.geometry import PageBox, boxes_along
from assistant.drawing.hex_sets import hexes_around
from assistant.drawing.layout import Layout
from assistant.drawing.lines.scene import _LineSigns as _LinesSigns
from assistant.drawing.lines.scene import lines_scene
from assistant.drawing.map.arcs import letter_box, text_box
from assistant.drawing.scene import Circle, Group, Layer, Path, Point, Polyline, Rectangle, Scene, Shape, Text
from assistant.drawing.sketch.scene import _SketchSigns, sketch_scene
from assistant.drawing.style import HEX_MM
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.boards import Board
from assistant.installed.registry import load_game, question_of
from assistant.service import ask

BOARDS = {
    "twilight-in-the-east": "east",
    "kaisers-war-in-the-east": "map",
    "world-undone-east-prussia-1914": "east-prussia",
    "der-weltkrieg": "map-6-4",
}
"""The games, each with a board."""
_TOUCH = 0.04
"""How many square millimetres two boxes may share: rounding."""
WRITTEN = ("numbers", "names", "labels", "feet", "remarks", "plates", "places", "breaks", "waters")
"""The layers with what is written over a map."""


class Lettered(NamedTuple):
    """Something written. title: what it is; letters: the boxes of its letters; plate: the box behind these, if it has one."""

    layer: str
    title: str
    letters: Sequence[PageBox]
    plate: PageBox | None


def shapes_in(shapes: Sequence[Shape]) -> Iterator[Shape]:
    for shape in shapes:
        yield from shapes_in(shape.shapes) if isinstance(shape, Group) else (shape,)


def _layer(scene: Scene, name: str) -> Layer:
    return next((layer for layer in scene.layers if layer.name == name), Layer(name, ()))


def _box(shape: Shape) -> PageBox:
    if isinstance(shape, Circle):
        return PageBox(shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius)
    assert isinstance(shape, Rectangle)
    return PageBox(shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)


def _letters(text: Text) -> PageBox:
    if text.turn:
        return letter_box(text)
    box = text_box(text)
    return box._replace(bottom=text.y) if text.text.replace(".", "").isdigit() else box


def written_in(scene: Scene) -> list[Lettered]:
    """All that is written over the map of a picture; numbers once where they are raised."""
    raised = {shape.title for shape in _layer(scene, "plates").shapes if isinstance(shape, Group)}
    found = list[Lettered]()
    for name in WRITTEN:
        for shape in _layer(scene, name).shapes:
            parts = [*shapes_in((shape,))]
            texts = [part for part in parts if isinstance(part, Text)]
            title = shape.title if isinstance(shape, Group) else texts[0].text
            if not texts or (name == "numbers" and title in raised):
                continue
            plates = [_box(part) for part in parts if isinstance(part, Rectangle | Circle)]
            holding = [box for box in plates if any(box.overlap(_letters(text)) > 0 for text in texts)]
            plate = max(holding, key=lambda box: (box.right - box.left) * (box.bottom - box.top), default=None)
            found.append(Lettered(name, title, [*map(_letters, texts)], plate if name != "names" else None))
    return found


def counters_in(scene: Scene) -> list[tuple[str, PageBox]]:
    """The boxes of counters."""
    found = list[tuple[str, PageBox]]()
    for group in _layer(scene, "units").shapes:
        assert isinstance(group, Group)
        boxes = [_box(shape) for shape in shapes_in(group.shapes) if isinstance(shape, Rectangle)]
        if boxes:
            found.append((group.title, max(boxes, key=lambda box: (box.right - box.left) * (box.bottom - box.top))))
    return found


def rings_in(scene: Scene) -> Iterator[tuple[str, PageBox]]:
    """Bits of the outlines of hexes and of sources."""
    for group in chain(_layer(scene, "parts").shapes, _layer(scene, "sources").shapes):
        assert isinstance(group, Group)
        for shape in shapes_in(group.shapes):
            if isinstance(shape, Path) and shape.stroke:
                for line in shape.lines:
                    closed = (*line, line[0]) if shape.closed else line
                    for box in boxes_along(closed, max(shape.width / 2, 0.1)):
                        yield group.title, box


def _inside(point: Point, centre: Point, *, flat: bool) -> bool:
    x, y = abs(point[0] - centre[0]), abs(point[1] - centre[1])
    x, y = (x, y) if flat else (y, x)
    return y <= HEX_MM / 2 + 0.01 and x * 0.75**0.5 + y / 2 <= HEX_MM / 2 + 0.01


def faults_of(picture: Picture) -> list[str]:
    """What is at fault, a line each."""
    scene = picture.scene
    written, counters, rings = written_in(scene), counters_in(scene), [*rings_in(scene)]
    faults = list[str]()
    for one, other in combinations(written, 2):
        for a in (*one.letters, *filter(None, [one.plate])):
            for b in (*other.letters, *filter(None, [other.plate])):
                if a.overlap(b) > _TOUCH:
                    faults.append(f"{one.layer} {one.title} on {other.layer} {other.title}")
                    break
            else:
                continue
            break
    for mark in written:
        boxes = (*mark.letters, *filter(None, [mark.plate]))
        faults += [
            f"{mark.layer} {mark.title} on the counter {title}"
            for title, box in counters
            if any(box.overlap(own) > _TOUCH for own in boxes)
        ]
        if mark.plate is None and any(box.overlap(own) > _TOUCH for _, box in rings for own in mark.letters):
            faults.append(f"{mark.layer} {mark.title} on a ring")
    return faults if picture.small else [*faults, *_astray(picture)]


def _astray(picture: Picture) -> Iterator[str]:
    """Names outside their hexes that no leader leads there, and numbers outside theirs."""
    scene, layout, unit = picture.scene, picture.layout, picture.unit

    def inside(point: Point, at: str) -> bool:
        return _inside((point[0] * unit, point[1] * unit), layout.centre(at), flat=layout.flat)

    leaders = [shape.points for shape in _layer(scene, "leaders").shapes if isinstance(shape, Polyline)]
    for mark in written_in(scene):
        if mark.layer not in ("names", "numbers"):
            continue
        at = mark.title.partition(":")[0]
        corners = [corner for box in mark.letters for corner in box.corners]
        if all(inside(corner, at) for corner in corners):
            continue
        led = any(
            inside(points[-1], at)
            and any(
                box.left - 1 <= points[0][0] <= box.right + 1 and box.top - 1.5 <= points[0][1] <= box.bottom + 1.5
                for box in mark.letters
            )
            for points in leaders
        )
        if not led:
            yield f"{mark.layer} {mark.title} outside its hex"


_WORDS = LineWords(statuses={"full": "In Supply", "low": "in Low Supply", "none": "Out of Supply", "cut-off": "Isolated", "unknown": "?"})  # fmt: skip
_LABELS = (
    "attack 19",
    "defence 17",
    "1",
    "4",
    "2 levels, 1 step",
    "1 level",
    "5:1 95% check 86%",
    "cuts 30/4",
    "has to leave",
)
_REMARKS = ("+1: Prepared Attack", "+1: forest", "−1: 2 corps", "+2 steps, guns", "river: ½", "36/17, 35/17 to 1 and 3")  # noqa: RUF001


@cache
def _units(game: str) -> Sequence[str]:
    return sorted(load_game(game).roster)


@cache
def _near_towns(game: str) -> tuple[Board, Sequence[str]]:
    position = read_notation(_head(game).encode(), "r.pos", load_game)
    board = View(position.game, position.state).board
    drawn = board.hexes
    return board, sorted({place.hex for place in board.places if not drawn or place.hex in drawn}) or sorted(drawn)


def _head(game: str) -> str:
    return f"game {game}\n" + (f"board {BOARDS[game]}\n" if BOARDS[game] else "")


class Picture(NamedTuple):
    """A picture and where its hexes lie. unit: by how much lengths of the layout are larger than those of the picture; small:
    whether it is too small for counters, so that names may reach over the sides of hexes.
    """

    scene: Scene
    layout: Layout
    unit: float = 1.0
    small: bool = False


def random_view(game: str, dice: random.Random) -> tuple[View, list[str]]:
    """A random position, and the hexes in which units stand."""
    board, towns = _near_towns(game)
    middle = dice.choice(towns)
    near = sorted(hexes_around(board, hexes_around(board, [middle])))
    near = [at for at in near if not board.hexes or at in board.hexes]
    units = dice.sample(_units(game), min(dice.randint(3, 9), len(_units(game))))
    stacks = dict[str, list[str]]()
    for unit in units:
        at = dice.choice([middle, *near])
        sides = {_side(game, other) for other in [*stacks.get(at, ()), unit]}
        if len(sides) == 1 and len(stacks.get(at, ())) < 3:
            stacks.setdefault(at, []).append(unit)
    lines = [f"{at}: " + ", ".join(f'"{unit}"' for unit in stack) for at, stack in stacks.items()]
    position = read_notation((_head(game) + "\n".join(lines) + "\n").encode(), "r.pos", load_game)
    return View(position.game, position.state), [*stacks]


@cache
def _side(game: str, unit: str) -> str:
    """The side of a unit."""
    loaded = load_game(game)
    facts = loaded.roster[unit].get(loaded.file.picture.nation, ())
    return loaded.side_of(str(facts[0].value)) if facts else ""


def random_sketch(view: View, stacks: Sequence[str], dice: random.Random) -> Sketch:
    """A sketch with parts, arrows, labels and remarks as answers have them."""
    board, sides = view.board, [*view.game.file.sides] or [""]
    at = dice.choice(stacks)
    beside = [name for name in board.neighbours(at) if board.is_hex(name)]
    roles: list[Role] = ["open", "barred", "target", "start", "end"]
    spots = [Spot(hex=at, role="start", side=sides[0], label=dice.choice(_LABELS[:6]))]
    arrows, remarks = list[Arrow](), list[Remark]()
    for name in beside:
        if dice.random() < 0.6:
            label = dice.choice(_LABELS) if dice.random() < 0.7 else ""
            why = dice.choice(("an enemy zone", "enemies stand there", ""))
            spots.append(Spot(hex=name, role=dice.choice(roles), side=dice.choice(sides), label=label, why=why))
        if dice.random() < 0.5:
            arrows.append(
                Arrow(
                    hexes=dice.choice([(name, at), (at, name)]),
                    kind=dice.choice(["attack", "choice", "way"]),
                    side=sides[-1],
                )
            )
        if dice.random() < 0.3:
            remarks.append(Remark(where="|".join(sorted((at, name))), text=dice.choice(_REMARKS)))
    if dice.random() < 0.5:
        remarks.append(Remark(where=dice.choice([at, *stacks]), text=dice.choice(_REMARKS)))
    zones = (
        (ZoneHexes(side=sides[-1], hexes=frozenset(dice.sample(beside, min(3, len(beside))))),)
        if dice.random() < 0.5
        else ()
    )
    return Sketch(
        title="random", side=sides[0], spots=tuple(spots), arrows=tuple(arrows), remarks=tuple(remarks), zones=zones
    )


def random_lines(view: View, stacks: Sequence[str], dice: random.Random) -> LineSketch:
    """Lines of supply from one hex to others, with what breaks one."""
    board, sides = view.board, tuple(view.game.file.sides) or ("",)
    source, marks, strands = dice.choice(stacks), list[Marked](), list[Strand]()
    breaks = list[Break]()
    for at in stacks:
        way = _way(board, source, at, dice)
        for unit in view.state.stack(at):
            status = dice.choice(STATUSES)
            marks.append(
                Marked(unit=unit.id, place=at, side=sides[0], status=status, more=dice.choice(["", "2 hexes away"]))
            )
            if len(way) > 1 and status in ("full", "low"):
                strands.append(Strand(unit=unit.id, side=sides[0], hexes=tuple(way), full=status == "full"))
            elif len(way) > 1 and dice.random() < 0.5:
                breaks.append(
                    Break(
                        where=dice.choice(["|".join(sorted(way[:2])), way[1]]),
                        side=sides[0],
                        why=dice.choice(["EZOC", "no ferry", "unknown terrain"]),
                    )
                )
    origin = Origin(
        name="source",
        place=source,
        side=sides[0],
        unit=view.state.stack(source)[0].id,
        mode=dice.choice(["", "range 6"]),
    )
    return LineSketch(
        title="random",
        words=_WORDS,
        sides=sides[:1],
        units=tuple(marks),
        strands=tuple(strands),
        origins=(origin,),
        breaks=tuple(breaks[:2]),
        answer="a line",
    )


def _way(board: Board, start: str, end: str, dice: random.Random) -> list[str]:
    way = [start]
    while way[-1] != end and len(way) < 8:
        near = [
            name
            for name in board.neighbours(way[-1])
            if board.is_hex(name) and (not board.hexes or name in board.hexes)
        ]
        least = min(board.distance(name, end) for name in near)
        way.append(dice.choice([name for name in near if board.distance(name, end) == least]))
    return way


def random_picture(game: str, seed: int) -> Picture:
    """A random picture of a random position: a sketch or lines of supply."""
    dice = random.Random(f"{game} {seed}")
    view, stacks = random_view(game, dice)
    if dice.random() < 0.65:
        return picture_of(view, random_sketch(view, stacks, dice))
    return picture_of(view, random_lines(view, stacks, dice))


def picture_of(view: View, shown: Sketch | LineSketch) -> Picture:
    """The picture of an answer."""
    if isinstance(shown, Sketch):
        layout = _SketchSigns.of(view, shown).frame.layout
        return Picture(sketch_scene(view, shown), layout)
    signs = _LinesSigns.of(view, shown)
    return Picture(lines_scene(view, shown), signs.survey.layout, signs.size.unit, signs.size.listed)


def answered_pictures() -> Iterator[tuple[str, Callable[[], Picture | None]]]:
    """The pictures of all answers in the examples of all games that have one."""
    for game in BOARDS:
        for file in sorted(load_game(game).folder.joinpath("examples").iterdir(), key=lambda file: file.name):
            if not file.name.endswith(".pos"):
                continue
            position = read_notation(file.read_bytes(), file.name, load_game)
            for number, asked in enumerate(position.asks):
                question = question_of(position.game, asked.question)
                name = f"{game} {file.name} {number} {asked.question}"
                if "map" in question.drawn_as:
                    yield name, partial(_answered, position, asked)


def _answered(position: Position, asked: Any) -> Picture | None:
    try:
        report = ask(position, asked)
    except MissingFacts:
        return None
    question = question_of(position.game, asked.question)
    if report.drawable is None:
        return None
    view = View(position.game, position.state)
    return picture_of(view, question.draw("map", view, report))


def main(seeds: int, start: int) -> None:
    """Draw pictures and print how many are at fault, and how."""
    drawn = at_fault = 0
    pictures = chain(
        answered_pictures(),
        (
            (f"{game} {seed}", partial(random_picture, game, seed))
            for seed in range(start, start + seeds // len(BOARDS))
            for game in BOARDS
        ),
    )
    for name, draw in pictures:
        if (picture := draw()) is None:
            continue
        drawn += 1
        if faults := faults_of(picture):
            at_fault += 1
            print(f"{name}: {'; '.join(faults)}")
    print(f"{drawn} pictures drawn, {at_fault} at fault")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 1914)
