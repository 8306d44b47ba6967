"""The style of pictures: the colours of a game, the common colours, and the sizes in millimetres."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Literal

import msgspec

from ..game.boards.features import FLOWING, WATERS
from ..util.errors import InputError
from .colours import INK, MIN_DIFFERENCE, SIGHTS, WHITE, darken, difference, ink_on, mix, simulate_sight
from .palettes import choose_grounds, choose_nations, kind_of_nation, side_colours, strong_tone
from .scene import Rectangle, Shape

if TYPE_CHECKING:
    from ..game.gamefile import PictureTracks
    from ..game.games import Game
    from ..state.tracks import Track, Value

HEX_MM = 34.0
"""The distance between opposite sides of a hex."""
RADIUS = HEX_MM / sqrt(3)
"""The distance from the centre of a hex to a corner, in mm."""
COUNTER_MM = 17.0
"""The length of a counter's side."""
MARGIN = 7.0
"""The width of the margin around a picture, in mm."""
TARGET_RIM_MM = 3.0
"""The width of the white rim below the outline of an attacked hex, in mm."""

PAPER = "#fdfbf5"
UNKNOWN_GROUND = "#fbf8ef"
"""The colour of a ground whose terrain is unknown."""
SOFT_INK = "#4a443a"
GRID = "#a79f8c"
"""The colour of thin lines between cells."""
RIVER = "#3676ab"
TEETH = "#6a3c1a"
"""The colour of ridges and slopes."""
LAKE = "#1d4e73"
CLOSED_COLOUR = "#35322d"
"""The colour of hexsides that no unit may cross."""
SEASONS = ("#e9d9a6", "#b9c9d3", "#d8e4ea", "#cfdcb4")
"""The ground colours of the seasons, in order."""
ROAD = "#ba8d50"
UNKNOWN = "#d4d0c8"
"""The colour of the counters of an unknown nation."""
MARKER = "#57534b"
"""The colour of a marker whose track has no colour."""

HexsideKind = Literal["river", "teeth", "hachures", "lake", "closed", "line"]


class HexsideStyle(msgspec.Struct, frozen=True):
    """The style of a hexside feature, such as a river."""

    kind: HexsideKind
    colour: str
    width: float
    """The width of the line, in millimetres."""


class Inks(msgspec.Struct, frozen=True):
    """The colours of things of a nation or a side."""

    ground: str
    """The ground of its counters."""
    ink: str
    """The colour of letters on that ground."""
    frame: str
    """The colour of the edges of its counters."""
    strong: str
    """The ground of markers and other things that should be recognised from afar."""
    strong_ink: str
    """The colour of letters on the strong ground."""


Pattern = Literal["plain", "line", "dashes", "lines", "dots"]
_PATTERNS: tuple[Pattern, ...] = ("plain", "line", "dashes", "lines", "dots")


class Stripe(msgspec.Struct, frozen=True):
    """The stripe of a formation."""

    colour: str
    ink: str
    """The colour of letters on the stripe, and of the pattern at its ends."""
    pattern: Pattern


_SIDE_TINT_WHITE_SHARE = 0.52
"""The share of white in the tint of a side."""
NO_STRIPE = Stripe("", INK, "plain")
"""The stripe of a counter without a known formation, without colour so that it cannot be mistaken."""
_PATTERN_WIDTH_FACTOR = 0.16
"""The width of the pattern at an end of a stripe; 1 is the stripe's height."""
_DASHES_AT_END = 2
_DOTS_AT_END = 4


def check_colour(name: str, colour: str) -> None:
    """Raise InputError if a colour is not written #rrggbb.

    `name`: the thing that has this colour, for the message.
    """
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise InputError(f"{colour!r} is not a colour (for {name})", hint="write it as #rrggbb")


class Palette:
    """The colours of one game.

    `colours`: the colours that the game states, by the word of a nation, terrain or hexside.
    `nations`, `grounds`, `countries`: all words of these tracks. Those without a stated colour get a distinct one.
    `sides`: the nations of each side, the leading nation first.
    `of_sides`: the colours that the game states for sides.
    `low_ink`: whether counters have a white ground, with coloured frames and stripes.

    Raises InputError if a colour is not written #rrggbb.
    """

    def __init__(
        self,
        colours: Mapping[str, str],
        nations: Sequence[str] = (),
        grounds: Sequence[str] = (),
        *,
        sides: Mapping[str, Sequence[str]] = {},
        of_sides: Mapping[str, str] = {},
        countries: Sequence[str] = (),
        low_ink: bool = False,
    ) -> None:
        for name, colour in (*colours.items(), *of_sides.items()):
            check_colour(name, colour)
        self._stated, self._low_ink = dict(colours), low_ink
        self._nations = choose_nations(nations, colours)
        self._grounds = choose_grounds(grounds, colours) | self._stated
        self._members = {side: tuple(members) for side, members in sides.items()}
        self._countries, self._tints = tuple(countries), dict[str, str]()
        self._sides = side_colours(sides, self._nations, of_sides)

    def nation(self, name: str) -> str:
        return self._nations[name].tint if name in self._nations else self._stated.get(name, UNKNOWN)

    def mark(self, nation: str) -> str:
        """Return the name of the symbol that is a nation's sign, or "" if the word is not a nation of the game."""
        return self._nations[nation].mark if nation in self._nations else ""

    def inks(self, nation: str) -> Inks:
        tint = self.nation(nation)
        strong = self._nations[nation].strong if nation in self._nations else strong_tone(tint)
        if self._low_ink:
            return Inks(WHITE, INK, strong, strong, ink_on(strong))
        return Inks(tint, ink_on(tint), darken(tint), strong, ink_on(strong))

    def side(self, side: str) -> Inks:
        """Return the colours of a side, or those of a nation if the word is not a side.

        The ground is a tint, for areas and face-down counters; markers, lines and columns have the strong colour.
        """
        if side not in self._sides:
            return self.inks(side)
        strong = self._sides[side]
        tint = mix(strong, WHITE, _SIDE_TINT_WHITE_SHARE)
        return Inks(tint, ink_on(tint), strong, strong, ink_on(strong))

    def is_side(self, word: str) -> bool:
        return word in self._sides

    def country(self, word: str) -> str:
        """Return the colour of a country along its borders, or "" if nothing is known of it.

        It is the stated colour, or else that of the country's nation, or of the side led by this nation. A colour too
        similar to a river is moved towards indigo. A colour too similar to that of a side or an earlier country is
        replaced, except colours of sides and stated colours of countries that are no nation.
        """
        if word not in self._tints:
            nation = self._nation_of(word)
            colour = self._first_colour_of_country(word, nation)
            own_colour = move_off_water(colour) if colour else ""
            is_fixed = not own_colour or nation in self._side_by_leader or (word in self._stated and not nation)
            self._tints[word] = own_colour if is_fixed else self._choose_distinct(word, own_colour)
        return self._tints[word]

    def _choose_distinct(self, word: str, own_colour: str) -> str:
        """Return a country's own colour, or a spare one if its tint is too similar to a side's or other country's."""
        before = self._countries[: self._countries.index(word)] if word in self._countries else self._countries
        others = [*map(move_off_water, self._sides.values()), *filter(None, map(self.country, before))]
        other_tints = [border_tint(other) for other in others]

        def least_difference(colour: str) -> float:
            tint = border_tint(colour)
            return min((difference(tint, other) for other in other_tints), default=_MIN_COUNTRY_DIFFERENCE)

        choice = (own_colour, *_SPARE_COUNTRY_COLOURS)
        distinct = (colour for colour in choice if least_difference(colour) >= _MIN_COUNTRY_DIFFERENCE)
        return next(distinct, max(choice, key=least_difference))

    @property
    def _side_by_leader(self) -> Mapping[str, str]:
        return {members[0]: side for side, members in self._members.items() if members}

    def _nation_of(self, word: str) -> str:
        """Return the game's nation that has the word for a country, or is of its kind, or "" if there is none."""
        kind = kind_of_nation(word)
        return next((name for name in self._nations if name == word or (kind and kind_of_nation(name) == kind)), "")

    def _first_colour_of_country(self, word: str, nation: str) -> str:
        """Return the colour of a country before it is compared with others, or "" if nothing is known of it."""
        if word in self._stated and word not in self._nations:
            return self._stated[word]
        if nation in self._side_by_leader:
            return self._sides[self._side_by_leader[nation]]
        if nation:
            return self._nations[nation].strong
        kind = kind_of_nation(word)
        return choose_nations([kind], {})[kind].strong if kind else ""

    def stripe(self, nation: str, number: int) -> Stripe:
        """Return the stripe of a nation's formation, or `NO_STRIPE` if the nation is unknown.

        The first six formations differ in colour and lightness, the next six have these colours with a pattern, and so
        on. No two nations have the same stripe.

        `number`: the index of the formation in the order of the nation's formations.
        """
        if nation not in self._nations:
            return NO_STRIPE
        family = self._nations[nation].stripes
        colour = family[number % len(family)]
        return Stripe(colour, ink_on(colour), _PATTERNS[number // len(family) % len(_PATTERNS)])

    def ground(self, name: str) -> str:
        return self._grounds.get(name, UNKNOWN_GROUND)

    def hexside(self, word: str) -> HexsideStyle | None:
        """Return the style of a word on a hexside, or None if the word means that nothing is there, such as `open`.

        An unknown word is a plain line.
        """
        parts = set(word.casefold().split("-"))
        for kind, words, colour, width in HEXSIDES:
            if parts & words:
                if kind == "river":
                    width = next((width_of_size for sizes, width_of_size in _RIVER_WIDTHS_MM if parts & sizes), width)
                return HexsideStyle(kind, self._stated.get(word, colour), width)
        return HexsideStyle("line", self._stated.get(word, SOFT_INK), 1.2) if not parts & _WORDS_FOR_NOTHING else None

    def link(self, word: str, usual: str) -> str:
        return self._stated.get(word, usual)


BORDER_TINT = 0.42
"""The opacity of the tint along a border where it is strongest."""
_INDIGO = "#14148c"
"""A blue unlike any river, mixed with colours that look like water."""
_STEPS_TO_INDIGO = 20
_SPARE_COUNTRY_COLOURS = ("#7a1030", "#3f6b1a", "#8c7a00")
_MIN_COUNTRY_DIFFERENCE = 12.0
"""The minimum CIEDE2000 difference between the tints of two countries."""


def border_tint(colour: str) -> str:
    """Return the strongest tint that a colour gives beside a border."""
    return mix(UNKNOWN_GROUND, colour, BORDER_TINT)


@cache
def move_off_water(colour: str) -> str:
    """Return the colour, mixed with indigo until its tint on a border differs from rivers for every kind of sight."""
    shades = (mix(colour, _INDIGO, number / _STEPS_TO_INDIGO) for number in range(_STEPS_TO_INDIGO))
    return next(
        (shade for shade in shades if all(far >= MIN_DIFFERENCE for far in distances_from_rivers(shade))), _INDIGO
    )


def distances_from_rivers(colour: str) -> Iterator[float]:
    """Yield the CIEDE2000 differences of the colour's tint along a border from rivers, for each kind of sight.

    The tint is compared with a river, and with a river as pale as the tint.
    """
    tint = border_tint(colour)
    for water in (RIVER, mix(UNKNOWN_GROUND, RIVER, BORDER_TINT)):
        yield difference(tint, water)
        yield from (difference(simulate_sight(tint, sight), simulate_sight(water, sight)) for sight in SIGHTS)


HEXSIDES: tuple[tuple[HexsideKind, frozenset[str], str, float], ...] = (
    ("river", FLOWING, RIVER, 1.3),
    ("teeth", frozenset({"ridge", "crest"}), TEETH, 0.7),
    ("hachures", frozenset({"escarpment", "cliff", "slope"}), TEETH, 0.7),
    ("lake", WATERS, LAKE, 3.2),
    ("closed", frozenset({"impassable", "prohibited", "closed"}), CLOSED_COLOUR, 3.2),
)
"""The styles of hexside words: the kind, the words, the colour and the width in mm.

A word may be part of a longer one: `minor-river` is a river.
"""
_WORDS_FOR_NOTHING = frozenset({"open", "none", "no", "nothing", "clear"})
_RIVER_WIDTHS_MM = (
    (frozenset({"minor", "small"}), 0.8),
    (frozenset({"major", "large"}), 1.7),
    (frozenset({"grand", "great"}), 2.8),
)


def palette_of(game: Game, *, low_ink: bool = False) -> Palette:
    """Return the palette of a game.

    Raises InputError if a colour of the game is not written #rrggbb.
    """
    return palette_from(game.file.picture, game.tracks, game.file.sides, low_ink=low_ink)


def marker_colour(track: Track, value: Value, palette: Palette) -> str:
    """Return the colour of a marker that shows a value: of the side that the value names, or else of the track."""
    if track.kind == "choice" and palette.is_side(str(value)):
        return palette.side(str(value)).strong
    return track.module.colour if track.module else MARKER


def palette_from(
    picture: PictureTracks,
    tracks: Mapping[str, Track],
    sides: Mapping[str, Sequence[str]] = {},
    *,
    low_ink: bool = False,
) -> Palette:
    """Return the palette of the tracks' words, with the colours that a game chooses for them.

    `sides`: the nations of each side.
    """

    def values(name: str) -> tuple[str, ...]:
        return tracks[name].values if name in tracks else ()

    nations = [*values(picture.nation), *(nation for members in sides.values() for nation in members)]
    return Palette(
        picture.colours,
        list(dict.fromkeys(filter(None, nations))),
        values(picture.terrain),
        sides=sides,
        of_sides=picture.sides,
        countries=values(picture.country),
        low_ink=low_ink,
    )


def stripe_shapes(stripe: Stripe, x: float, y: float, width: float, height: float) -> list[Shape]:
    """Return a stripe as a box, in millimetres, with its pattern at the left end, or at both ends for `lines`."""
    shapes: list[Shape] = [Rectangle(x=x, y=y, width=width, height=height, fill=stripe.colour)]
    pattern_width = height * _PATTERN_WIDTH_FACTOR
    if stripe.pattern in ("line", "lines"):
        shapes.append(Rectangle(x=x, y=y, width=pattern_width, height=height, fill=stripe.ink))
        if stripe.pattern == "lines":
            right = x + width - pattern_width
            shapes.append(Rectangle(x=right, y=y, width=pattern_width, height=height, fill=stripe.ink))
    elif stripe.pattern != "plain":
        count = _DASHES_AT_END if stripe.pattern == "dashes" else _DOTS_AT_END
        step = height / count
        for number in range(count):
            top = y + (number + 0.25) * step
            shapes.append(Rectangle(x=x, y=top, width=pattern_width, height=step / 2, fill=stripe.ink))
    return shapes
