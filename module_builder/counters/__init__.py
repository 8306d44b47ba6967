"""Counter art of our own: two-sided counters from a game's roster, badges over them, markers for hexes.

What stands where is data: the table [counter] of the game's `game.toml`; `faces.py` draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from assistant.drawing.lettering import fit_lines, text_width
from assistant.drawing.pdf import Page, PlacedScene
from assistant.drawing.png import page_to_png, to_png
from assistant.drawing.scene import Layer, Rectangle, Scene, enlarged, inset
from assistant.game.faults import in_a_line
from assistant.game.gamefile import CounterLayout, CounterStyle
from assistant.game.games import Game
from assistant.game.lint import counter_faults
from assistant.pictures.counters import centred
from assistant.pictures.style import PAPER, Palette, ink_on
from assistant.pictures.symbols import Symbols
from assistant.state.sources import Fact
from assistant.util.errors import InputError, Where, similar

from .faces import LEAST, PIXEL, SIDE, Face, Figure, draw_face

__all__ = [
    "MARKER",
    "SIDE",
    "Counter",
    "Variant",
    "badge",
    "counters",
    "face_down",
    "marker",
    "markers",
    "overview",
    "pictures",
    "sides",
]

MARKER = 60 * PIXEL
"""The side of a marker, in millimetres."""
#: Armies by their order within a nation: deep colours, on which white letters stand.
_STRIPES = (
    "#2b5c8a",
    "#8c2f39",
    "#356b46",
    "#6a4785",
    "#95591c",
    "#1f7270",
    "#6d6a1f",
    "#4d5560",
    "#a0416f",
    "#3c4a2a",
)
_NO_STRIPE = "#57534b"
#: Of the overview: counters in a line, and the room between them.
_ABREAST, _GAP = 12, 1.5
_COMPARED = 500


class Counter(NamedTuple):
    """A counter. unit: its type in the roster; title: all that is printed on it, in words; back: None if it has none.

    doubtful: the tracks whose shown value is made up or assumed; side: the counter's side when cut, in millimetres; bleed: how
    far its ground runs on beyond each edge, in millimetres (the scenes are `side + 2 * bleed` wide and high); formation,
    nation: as the roster names them, "" if unknown; ground: the colour at its edges, as #rrggbb; count: how many of it the
    game has; is_marker: whether it is a marker instead of a unit.
    """

    unit: str
    title: str
    front: Scene
    back: Scene | None
    doubtful: tuple[str, ...]
    side: float
    bleed: float
    formation: str
    nation: str
    ground: str
    count: int = 1  # type: ignore[assignment]  # a field, as in a list of pieces
    is_marker: bool = False


Variant = Literal["colour", "low-ink"]


def counters(
    game: Game, *, side: float = SIDE, bleed: float = 0.0, variant: Variant = "colour", rounded: bool = True
) -> list[Counter]:
    """A counter for every unit type of a game's roster, in its order.

    side: of a counter when cut, in millimetres; bleed: how far grounds run on beyond each edge, in millimetres; rounded: whether
    its corners are round, as on a screen, instead of square, as for a sheet that is cut.

    Raises InputError for a track in [counter] that the game does not have, or a colour that is not one.
    """
    layout, palette = _checked(game), nation_palette(game)
    stripes = _stripes(game, layout.stripe)
    symbols = Symbols(game)
    found = []
    for unit in game.roster:
        printed = _Print(game, layout, unit)
        front, back = (printed.face(palette, stripes, reduced=reduced) for reduced in (False, True))
        sides = [front, *([back] if printed.has_back else [])]
        drawn = [_cut(draw_face(face, symbols), face.tint, side, bleed, rounded) for face in sides]
        words = (front.formation, printed.nation, front.tint)
        found.append(
            Counter(unit, front.title, drawn[0], drawn[1] if drawn[1:] else None, printed.doubtful, side, bleed, *words)
        )
    return found


def markers(
    game: Game, *, side: float = SIDE, bleed: float = 0.0, variant: Variant = "colour", rounded: bool = True
) -> list[Counter]:
    """A counter for every marker of a game. The arguments are those of `counters`."""
    return []


def _cut(scene: Scene, ground: str, side: float, bleed: float, rounded: bool) -> Scene:
    """A face at another size, with its ground beyond its edges."""
    whole = side + 2 * bleed
    if rounded and not bleed and side == SIDE:
        return scene
    (layer,) = (enlarged(layer, side / SIDE) for layer in scene.layers)
    shapes = tuple(_moved(shape, bleed) for shape in layer.shapes)
    under = () if rounded else (Rectangle(x=0, y=0, width=whole, height=whole, fill=ground),)
    return msgspec.structs.replace(scene, width=whole, height=whole, layers=(Layer(layer.name, under + shapes),))


def _moved(shape: Any, by: float) -> Any:
    return msgspec.structs.replace(shape, x=shape.x + by, y=shape.y + by)


def nation_palette(game: Game) -> Palette:
    """The tints of a game's nations. Raises InputError for a colour that is not #rrggbb."""
    track = game.tracks.get(game.file.picture.nation)
    return Palette(game.file.picture.colours, track.values if track else ())


def sides(made: Sequence[Counter]) -> dict[tuple[str, str], Scene]:
    """The drawing of each side of counters, by unit and "front" or "back"."""
    fronts = {(counter.unit, "front"): counter.front for counter in made}
    return fronts | {(counter.unit, "back"): counter.back for counter in made if counter.back}


def pictures(made: Sequence[Counter], dpi: float) -> dict[tuple[str, str], bytes]:
    """A PNG of each side of counters, by unit and "front" or "back". dpi: pixels to the inch."""
    scenes = sides(made)
    return dict(zip(scenes, to_png(list(scenes.values()), dpi / 25.4), strict=True))


def overview(made: Sequence[Counter], dpi: float) -> bytes:
    """One PNG with all counters, each front with its back beside it. dpi: pixels to the inch."""
    pairs = [(counter.front, *([counter.back] if counter.back else [])) for counter in made]
    lines: list[list[Scene]] = [[]]
    for sides in pairs:
        if len(lines[-1]) + len(sides) > _ABREAST:
            lines.append([])
        lines[-1] += sides
    step = SIDE + _GAP
    width, height = _GAP + step * max(map(len, lines)), _GAP + step * len(lines)
    paper = Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)
    ground = Scene(width=width, height=height, title="", layers=(Layer("paper", (paper,)),))
    placed = [
        PlacedScene(side, _GAP + column * step, _GAP + row * step, SIDE, SIDE)
        for row, line in enumerate(lines)
        for column, side in enumerate(line)
    ]
    return page_to_png(Page(width, height, (PlacedScene(ground, 0, 0, width, height), *placed)), dpi / 25.4)


def symbol_faults(game: Game) -> Iterator[InputError]:
    """Symbols that cannot be drawn, and symbol words that are misspelt names.

    A word without a symbol is written out, so it may be meant. Only the first 500 words are compared with the names.
    """
    track, symbols = game.tracks.get(game.file.picture.symbol), Symbols(game)
    names = symbols.names
    for number, word in enumerate(dict.fromkeys([*(track.values if track else ()), *names])):
        try:
            drawn = symbols.symbol(word)
        except InputError as error:
            yield error
            continue
        if drawn is None and number < _COMPARED and (near := similar(word, names, 0.75, 1)):
            what = f"[{game.file.picture.symbol}] unknown symbol {word!r}"
            yield InputError(what, where=Where("tracks.toml"), hint=f"nearest known: {near[0]}")


def _checked(game: Game) -> CounterLayout:
    """The layout of a game's counters with what it leaves out filled in. Raises InputError for the first mistake in it."""
    for fault in counter_faults(game):
        raise InputError(in_a_line(fault), hint="`module-builder check` lists all mistakes")
    layout = game.file.counter
    known = [name for name, track in game.tracks.items() if track.on == "unit"]
    if layout.foot:
        return layout
    # by default the figures of its pictures, or the ratings of its notation
    figures = game.file.picture.figures
    if not set(figures) <= set(known):
        figures = tuple(name for name in game.file.notation.brackets if name in known)
    return msgspec.structs.replace(layout, foot={"unit": figures})


def _stripes(game: Game, track: str) -> dict[tuple[str, str], str]:
    """The colour of each army, by nation and army; every nation begins with the first colour."""
    found: dict[str, dict[str, None]] = {}
    for unit in game.roster:
        nation, army = (word_of(game, unit, name) for name in (game.file.picture.nation, track))
        if army:
            found.setdefault(nation, {})[army] = None
    return {
        (nation, army): _STRIPES[number % len(_STRIPES)]
        for nation, armies in found.items()
        for number, army in enumerate(armies)
    }


def print_of(game: Game, unit: str, track: str) -> Fact | None:
    """A fact of a unit type, None if it is unknown."""
    return next(iter(game.roster[unit].get(track, ())), None)


def word_of(game: Game, unit: str, track: str) -> str:
    """The same in words; "" if it is unknown."""
    fact = print_of(game, unit, track)
    return "" if fact is None else game.tracks[track].write(fact.value)


class _Print:
    """What is printed on the counter of one unit type."""

    def __init__(self, game: Game, layout: CounterLayout, unit: str) -> None:
        self.game, self.layout, self.unit = game, layout, unit
        picture = game.file.picture
        self.arm, self.nation, size = (self._word(track) for track in (picture.symbol, picture.nation, picture.size))
        self.size = size if any(letter.isalnum() for letter in size) else ""
        self.style: CounterStyle = layout.styles.get(self.arm, "unit")

    def _word(self, track: str) -> str:
        return word_of(self.game, self.unit, track)

    def _flag(self, track: str) -> bool:
        fact = print_of(self.game, self.unit, track)
        return fact is not None and fact.value is True

    @property
    def has_back(self) -> bool:
        """Whether there is a reduced side."""
        return bool(self.layout.back) and self._word(next(iter(self.layout.back.values()))) not in ("", "0")

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The tracks whose shown value is doubtful, on either side."""
        layout, picture = self.layout, self.game.file.picture
        shown = [track for spot in (layout.foot, layout.left, layout.right) for track in spot.get(self.style, ())]
        shown += [other for pair in (layout.signs, layout.brackets) for track, other in pair.items() if track in shown]
        if self.has_back:
            shown += [other for track, other in layout.back.items() if track in shown]
        words = (picture.nation, picture.symbol, picture.size, layout.formation, layout.stripe, layout.light)
        facts = {track: print_of(self.game, self.unit, track) for track in (*words, *shown)}
        return tuple(track for track, fact in facts.items() if fact is not None and fact.doubtful)

    def face(self, palette: Palette, stripes: Mapping[tuple[str, str], str], *, reduced: bool) -> Face:
        """What stands on one of its sides."""
        layout, army = self.layout, self._word(self.layout.stripe)
        foot = [self._figure(track, reduced) for track in layout.foot.get(self.style, ())]
        return Face(
            title=self._title(reduced),
            style=self.style,
            name=self.unit,
            arm=self.arm if self.game.file.picture.symbol in self.game.tracks else None,
            size=self.size,
            formation=self._word(layout.formation),
            army=army,
            foot=_with_gaps(foot) if self.style == "unit" else tuple(filter(None, foot)),
            left=tuple(self._known(layout.left, reduced)),
            right=tuple(self._known(layout.right, reduced)),
            tint=palette.nation(self.nation),
            stripe=stripes.get((self.nation, army), _NO_STRIPE),
            light=self._flag(layout.light),
            reduced=reduced,
        )

    def _known(self, spot: Mapping[CounterStyle, tuple[str, ...]], reduced: bool) -> Iterator[Figure]:
        for track in spot.get(self.style, ()):
            figure = self._figure(track, reduced)
            if figure:
                yield figure

    def _figure(self, track: str, reduced: bool) -> Figure | None:
        """A figure of one of the sides, None where it is unknown."""
        layout = self.layout
        text = self._word(layout.back.get(track, track) if reduced else track)
        if not text:
            return None
        text = layout.written.get(track, "{}").replace("{}", text)
        text = f"({text})" if self._flag(layout.brackets.get(track, "")) else text
        signs = print_of(self.game, self.unit, layout.signs.get(track, ""))
        return Figure(text, signs.value if signs is not None and isinstance(signs.value, tuple) else ())

    def _title(self, reduced: bool) -> str:
        picture, tracks = self.game.file.picture, self.game.tracks
        first = [(picture.nation, self.nation), (picture.symbol, self.arm), (picture.size, self.size)]
        known = [word or f"{tracks[track].title} unknown" for track, word in first[:2] if track in tracks] + [self.size]
        shown_already = {track for track, _ in first}
        known += [
            f"{track.title} {self._word(name)}"
            for name, track in tracks.items()
            if name in self.game.roster[self.unit] and name not in shown_already
        ]
        side = ", reduced side" if reduced else ""
        return f"{self.unit}{side}: {', '.join(word for word in known if word)}"


def _with_gaps(figures: Sequence[Figure | None]) -> tuple[Figure, ...]:
    """Figures that are known by their place, so an unknown one is "?"; none at all if none is known."""
    return tuple(figure or Figure("?") for figure in figures) if any(figures) else ()


# --- badges and markers -----------------------------------------------------------------------------------------------


def badge(text: str, colour: str) -> Scene:
    """A small tag over a counter for its status, as wide as its text: "-3", "D1", "LOW".

    colour: #rrggbb. Raises InputError for another one.
    """
    Palette({"badge": colour})
    high, size = 19 * PIXEL, 13.5 * PIXEL
    wide = max(text_width(text, size, bold=True) + 1.6, high)
    wide = round(wide / PIXEL) * PIXEL
    rim = 1.4 * PIXEL
    ink = ink_on(colour)
    body = inset(0, 0, wide, high, rim / 2, radius=1.0, fill=colour, stroke=ink, stroke_width=rim)
    words = centred(text, wide / 2, high / 2 + size * 0.365, size, ink)
    return Scene(width=wide, height=high, title=text, layers=(Layer("badge", (body, words)),))


def face_down(tint: str) -> Scene:
    """A counter face down: its tint and a question mark. tint: #rrggbb."""
    ink, rim = ink_on(tint), 2 * PIXEL
    whole = Rectangle(x=0, y=0, width=SIDE, height=SIDE, radius=1.3, fill=tint)
    frame = inset(0, 0, SIDE, SIDE, rim, radius=0.9, stroke=ink, stroke_width=rim)
    sign = centred("?", SIDE / 2, SIDE / 2 + 3.65, 10.0, ink)
    return Scene(width=SIDE, height=SIDE, title="face down", layers=(Layer("counter", (whole, frame, sign)),))


def marker(title: str, text: str, colour: str) -> Scene:
    """A marker for a hex, smaller than a counter: a few letters in a frame.

    title: what it is, in words. colour: #rrggbb. Raises InputError for another one.
    """
    Palette({"marker": colour})
    side, ink = MARKER, ink_on(colour)
    frame = 3 * PIXEL
    outer = Rectangle(x=0, y=0, width=side, height=side, radius=2.2, fill=colour)
    inner = inset(0, 0, side, side, frame, radius=1.6, stroke=ink, stroke_width=1.2 * PIXEL)
    room = side - 2 * frame - 1.6
    words = fit_lines(text, 19 * PIXEL, room, room, least=LEAST, bold=True)
    base = side / 2 + words.size * 0.365 - words.size * 1.05 * (len(words.lines) - 1) / 2
    lines = (
        centred(line, side / 2, base + n * words.size * 1.05, words.size, ink) for n, line in enumerate(words.lines)
    )
    return Scene(width=side, height=side, title=title, layers=(Layer("marker", (outer, inner, *lines)),))
