"""Nothing in a picture hides more than a twentieth of the ink of a name, a figure or a label, as measured in the written PNG."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from assistant.asking.view import View
from assistant.drawing.answer import draw_scene
from assistant.drawing.map.arcs import text_box
from assistant.drawing.png import to_png
from assistant.drawing.scene import Group, Layer, Rectangle, Scene, Shape, Text
from assistant.drawing.situation import named_places
from assistant.drawing.sketch.fates import LEFT_WORDS
from assistant.drawing.sketch.scene import standing_scene
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.service import ask, drawable, parts, read
from assistant.testing import typed

from ...cases import few, seeds

ROOT = Path(__file__).parents[3]
FILES = sorted(ROOT.glob("plugins/*/examples/*.pos"))
WRITTEN = (
    *("names", "waters", "units", "figures", "labels", "signs", "plates", "feet"),
    *("reasons", "remarks", "places", "answer", "breaks"),
)
"""The layers whose texts are measured: all on the map but the numbers of hexes, which stand on plates again where it matters."""
COLOURS = ("#ff0000", "#00ff00", "#0000ff")
SET_UPS = sorted(file for file in ROOT.glob("plugins/*/setups/*.pos") if file.stem != "1915")
"""The set-ups with units on the map, which that of 1915 has not."""
MAX_HIDDEN_SHARE = 0.05
PIXELS_PER_MM = 6.0
MAX_FINE_MM2 = 60_000
FRONT = "plugins/twilight_in_the_east/setups/19-august-1914.pos"
GAMES = {
    "twilight-in-the-east": ("board east\n", FRONT),
    "world-undone-east-prussia-1914": (
        "board east-prussia\n",
        "plugins/world_undone_east_prussia/setups/historical.pos",
    ),
    "kaisers-war-in-the-east": ("2622 named=Lemberg\n", "plugins/kaisers_war_in_the_east/setups/1914.pos"),
}


def hidden_shares(scene: Scene) -> dict[str, float]:
    """The share of the ink of each name, figure and label that the picture hides.

    The ink is what differs when texts are written in another colour: in the picture, and by themselves on bare paper. Texts take turns in
    three colours, so that one text also hides another.
    """
    scene = replace(scene, layers=tuple(map(_without_veils, scene.layers)))
    texts = [
        (layer.name, text) for layer in scene.layers if layer.name in WRITTEN for text in _find_texts(layer.shapes)
    ]
    if not texts:
        return {}
    fineness = PIXELS_PER_MM if scene.width * scene.height < MAX_FINE_MM2 else PIXELS_PER_MM / 2
    black, bright = (
        replace(scene, layers=tuple(replace(layer, shapes=shapes) for layer, shapes in _colour_texts(scene, fills)))
        for fills in (("#000000",) * 3, COLOURS)
    )
    paper = Rectangle(x=0, y=0, width=scene.width, height=scene.height, fill="#ffffff")
    alone = [
        replace(
            scene,
            layers=(Layer("alone", (paper, *(replace(text, fill="#000000", halo="") for _, text in texts[turn::3]))),),
        )
        for turn in range(3)
    ]
    pictures = [Image.open(BytesIO(png)).convert("RGB") for png in to_png([black, bright, *alone], fineness)]
    seen = ImageChops.difference(*pictures[:2]).split()
    whole = [ImageChops.invert(picture.getchannel("G")) for picture in pictures[2:]]

    def measure(picture: Image.Image, text: Text) -> float:
        left, top, right, bottom = (edge * fineness for edge in text_box(text))
        area = picture.crop((left, top, right, bottom))
        return float(ImageStat.Stat(area).sum[0])

    return {
        f"{number} {name} {text.text}": 1 - measure(seen[number % 3], text) / ink
        for number, (name, text) in enumerate(texts)
        if (ink := measure(whole[number % 3], text))
    }


def _without_veils(layer: Layer) -> Layer:
    """The layer without the veils over units that have moved on, which are meant to be pale."""
    kept = (shape for shape in layer.shapes if not (isinstance(shape, Group) and shape.title.endswith(LEFT_WORDS)))
    return replace(layer, shapes=tuple(kept)) if layer.name == "fates" else layer


def _find_texts(shapes: Iterable[Shape]) -> Iterator[Text]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _find_texts(shape.shapes)
        elif isinstance(shape, Text):
            yield shape


def _colour_texts(scene: Scene, fills: Sequence[str]) -> Iterator[tuple[Layer, tuple[Shape, ...]]]:
    """Yield each layer with its shapes, in which the texts to be measured have colours in turn."""
    turns = cycle(fills)

    def coloured(shape: Shape) -> Shape:
        if isinstance(shape, Group):
            return Group(shape.title, tuple(map(coloured, shape.shapes)))
        return replace(shape, fill=next(turns)) if isinstance(shape, Text) else shape

    for layer in scene.layers:
        yield layer, tuple(map(coloured, layer.shapes)) if layer.name in WRITTEN else layer.shapes


def check(scene: Scene) -> int:
    """Return the number of texts in a picture."""
    shares = hidden_shares(scene)
    assert {name: share for name, share in shares.items() if share > MAX_HIDDEN_SHARE} == {}
    return len(shares)


@few(6)
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
def test_of_the_answers_of_each_example(file: Path) -> None:
    position = read(file)
    for posed in position.asks:
        report = ask(
            position if len(position.asks) == 1 else msgspec.structs.replace(position, asks=(posed,), answers={})
        )
        if (drawn := drawable(position, report)) is not None:
            check(draw_scene(View(position.game, position.state), drawn))


@few(3)
@pytest.mark.parametrize(
    ("side", "part"), [("russian", part) for part in range(1, 6)] + [("", part) for part in range(1, 10)]
)
def test_of_each_part_of_the_supply_of_a_side(side: str, part: int) -> None:
    position = read(ROOT / FRONT)
    asked: dict[str, Any] = {"side": side} if side else {}
    report = ask(position, "supply", **asked)
    drawn = drawable(position, report)
    assert drawn is not None and part <= len(parts(position, report))
    assert check(draw_scene(View(position.game, position.state), drawn, part))


@few(2)
@pytest.mark.parametrize("file", SET_UPS, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
def test_of_each_set_up(file: Path) -> None:
    position = read(file)
    check(standing_scene(View(position.game, position.state)))


def made_up(game: str, seed: int) -> Position:
    """Units of a set-up in hexes round a place with a name."""
    dice, (head, file) = random.Random(seed), GAMES[game]
    empty = typed(f"game {game}\n{head}", load_game(game))
    view = View(empty.game, empty.state)
    place = dice.choice(sorted(place.hex for place in named_places(view)))
    around = sorted({place, *(hex for near in view.board.neighbours(place) for hex in view.board.neighbours(near))})
    setup = read(ROOT / file)
    known, stacks = View(setup.game, setup.state), dict[str, list[str]]()
    sides = dict[str, str]()
    for number, unit in enumerate(dice.sample(sorted(setup.state.units), 10)):
        hex = dice.choice(around) if number else place
        if sides.setdefault(hex, known.side_of(unit)) == known.side_of(unit):
            stacks.setdefault(hex, []).append(f'"{unit}"')
    lines = [f"{hex}: {', '.join(stack)}\n" for hex, stack in stacks.items()]
    return typed(f"game {game}\n{head}{''.join(lines)}", empty.game)


@few(9)
@pytest.mark.parametrize("seed", seeds(200))
@pytest.mark.parametrize("game", GAMES)
def test_of_made_up_positions(game: str, seed: int) -> None:
    position = made_up(game, seed)
    assert check(standing_scene(View(position.game, position.state)))
