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
from .colours import APART, INK, SIGHTS, WHITE, darken, difference, ink_on, mix, simulate_sight
from .palettes import choose_grounds, choose_nations, kind_of_nation, side_colours, strong_tone
from .scene import Rectangle, Shape

if TYPE_CHECKING:
    from ..game.gamefile import PictureTracks
    from ..game.games import Game
    from ..state.tracks import Track, Value

HEX = 34.0  # mm, the height of a hex, flat side to flat side
RADIUS = HEX / sqrt(3)  # mm, from the centre of a hex to a corner
COUNTER = 17.0  # mm, the side of a counter
MARGIN = 7.0  # mm round a picture

PAPER = "#fdfbf5"
PLAIN = "#fbf8ef"  # of a ground whose terrain is not known
SOFT_INK = "#4a443a"
GRID = "#a79f8c"
RIVER = "#3676ab"
TEETH = "#6a3c1a"  # of ridges and slopes
LAKE = "#1d4e73"
CLOSED = "#35322d"
SEASONS = ("#e9d9a6", "#b9c9d3", "#d8e4ea", "#cfdcb4")
"""The grounds of the seasons, in the order in which they come."""
ROAD = "#ba8d50"
UNKNOWN = "#d4d0c8"  # of a nation that is not known
MARKER = "#57534b"
"""The colour of a marker of a track without one."""

HexsideKind = Literal["river", "teeth", "hachures", "lake", "closed", "line"]


class HexsideStyle(msgspec.Struct, frozen=True):
    """The style of a word on a hexside."""

    kind: HexsideKind
    colour: str
    width: float
    """In millimetres."""


class Inks(msgspec.Struct, frozen=True):
    """The colours of a nation's counters, or those of a side."""

    ground: str
    """Of the counter."""
    ink: str
    """What is written on its ground."""
    frame: str
    """Of its edge."""
    strong: str
    """The ground of what stands for the nation or side from afar, as control markers do."""
    strong_ink: str
    """What is written on that."""


Pattern = Literal["plain", "line", "dashes", "lines", "dots"]
_PATTERNS: tuple[Pattern, ...] = ("plain", "line", "dashes", "lines", "dots")


class Stripe(msgspec.Struct, frozen=True):
    """The stripe of a formation."""

    colour: str
    ink: str
    """For letters on it and for its pattern, which stands at its ends."""
    pattern: Pattern


_PALE_SIDE = 0.52
"""The share of white in the tint of a side."""
NO_STRIPE = Stripe("", INK, "plain")
"""The stripe of a counter without a formation, or of an unknown one: no colour, for any could be read as that of a
formation.
"""
_END = 0.16
"""How wide the pattern at an end of a stripe is, as a share of its height."""
_DASHES = 2  # at an end of a stripe, one below the other
_DOTS = 4  # the same


def check_colour(name: str, colour: str) -> None:
    """Raise InputError for a colour that is not written #rrggbb. name: of what has it."""
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise InputError(f"{colour!r} is not a colour (for {name})", hint="write it as #rrggbb")


class Palette:
    """The colours of one game; raises InputError for a colour that is not written #rrggbb.

    colours: by nation, terrain or hexside word; nations, grounds, countries: all words of these tracks, which get a
    distinct colour if they have none; sides: their nations, the leading one first; low_ink: counters on white ground,
    with coloured frames and stripes.
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
        """Return the tint of a nation."""
        return self._nations[name].tint if name in self._nations else self._stated.get(name, UNKNOWN)

    def mark(self, nation: str) -> str:
        """Return the symbol of a nation's sign, "" for a word that names no nation of the game."""
        return self._nations[nation].mark if nation in self._nations else ""

    def inks(self, nation: str) -> Inks:
        """Return the colours of a nation's counters."""
        tint = self.nation(nation)
        strong = self._nations[nation].strong if nation in self._nations else strong_tone(tint)
        if self._low_ink:
            return Inks(WHITE, INK, strong, strong, ink_on(strong))
        return Inks(tint, ink_on(tint), darken(tint), strong, ink_on(strong))

    def side(self, side: str) -> Inks:
        """Return the colours of a side, wherever it is shown: a tint for grounds and what lies face down, and the
        strong colour of markers, lines and columns. A word that names no side has those of that nation.
        """
        if side not in self._sides:
            return self.inks(side)
        strong = self._sides[side]
        tint = mix(strong, WHITE, _PALE_SIDE)
        return Inks(tint, ink_on(tint), strong, strong, ink_on(strong))

    def is_side(self, word: str) -> bool:
        """Return whether a word names a side of the game."""
        return word in self._sides

    def country(self, word: str) -> str:
        """Return the colour of a country along its borders: what the game states, else that of the nation that its word
        names, or of the side whose leading nation that is; "" if nothing is known of it.

        One that would look like a river is nearer to indigo; one that would look like another country has another.
        """
        if word not in self._tints:
            nation = self._nation_of(word)
            colour = self._colour_of_country(word, nation)
            own = move_off_water(colour) if colour else ""
            fixed = not own or nation in self._leaders or (word in self._stated and not nation)
            self._tints[word] = own if fixed else self._choose_apart(word, own)
        return self._tints[word]

    def _choose_apart(self, word: str, own: str) -> str:
        """Return the colour of a country: its own, or one of ours where the tint of that would look like the tint of a
        side or of a country before it.
        """
        before = self._countries[: self._countries.index(word)] if word in self._countries else self._countries
        others = [*map(move_off_water, self._sides.values()), *filter(None, map(self.country, before))]
        taken = [border_tint(other) for other in others]

        def apart(colour: str) -> float:
            return min((difference(border_tint(colour), other) for other in taken), default=_COUNTRIES_APART)

        choice = (own, *_SPARE)
        return next((colour for colour in choice if apart(colour) >= _COUNTRIES_APART), max(choice, key=apart))

    @property
    def _leaders(self) -> Mapping[str, str]:
        """By the nation that leads a side, that side."""
        return {members[0]: side for side, members in self._members.items() if members}

    def _nation_of(self, word: str) -> str:
        """Return the nation of the game that the word for a country names, "" for none."""
        kind = kind_of_nation(word)
        return next((name for name in self._nations if name == word or (kind and kind_of_nation(name) == kind)), "")

    def _colour_of_country(self, word: str, nation: str) -> str:
        """Return the colour of a country before it keeps off others. nation: that it names."""
        if word in self._stated and word not in self._nations:
            return self._stated[word]
        if nation in self._leaders:
            return self._sides[self._leaders[nation]]
        if nation:
            return self._nations[nation].strong
        kind = kind_of_nation(word)
        return choose_nations([kind], {})[kind].strong if kind else ""

    def stripe(self, nation: str, number: int) -> Stripe:
        """Return the stripe of a nation's formation by its place in their order, from 0; no other nation has it, and an
        unknown one none.

        The first six differ in colour and lightness, the next six have these colours with a pattern, and so on.
        """
        if nation not in self._nations:
            return NO_STRIPE
        family = self._nations[nation].stripes
        colour = family[number % len(family)]
        return Stripe(colour, ink_on(colour), _PATTERNS[number // len(family) % len(_PATTERNS)])

    def ground(self, name: str) -> str:
        """Return the colour of a terrain."""
        return self._grounds.get(name, PLAIN)

    def hexside(self, word: str) -> HexsideStyle | None:
        """Return the style of a word on a hexside: a plain line if it is not one of the common words, None if it means
        that nothing is there.
        """
        parts = set(word.casefold().split("-"))
        for kind, words, colour, width in HEXSIDES:
            if parts & words:
                if kind == "river":
                    width = next((width_of_size for sizes, width_of_size in _RIVERS if parts & sizes), width)
                return HexsideStyle(kind, self._stated.get(word, colour), width)
        return HexsideStyle("line", self._stated.get(word, SOFT_INK), 1.2) if not parts & _NOTHING else None

    def link(self, word: str, usual: str) -> str:
        """Return the colour of a road or railway; usual: if the game states none for its word."""
        return self._stated.get(word, usual)


BORDER_TINT = 0.42
"""The opacity of the tint along a border, where it is strongest."""
_INDIGO = "#14148c"  # the blue that no river has, which a tint takes the more of, the more it looks like water
_SHADES = 20  # in how many steps
_SPARE = ("#7a1030", "#3f6b1a", "#8c7a00")  # colours of countries that would look like others
_COUNTRIES_APART = 12.0  # how far the tints of two must be apart, CIEDE2000


def border_tint(colour: str) -> str:
    """Return the tint of a colour along a border, where it is strongest."""
    return mix(PLAIN, colour, BORDER_TINT)


@cache
def move_off_water(colour: str) -> str:
    """Return a colour whose tint along a border no sight takes for a river, or for a paler one: the colour itself, or
    else as little nearer to indigo as will do.
    """
    shades = (mix(colour, _INDIGO, number / _SHADES) for number in range(_SHADES))
    return next((shade for shade in shades if all(far >= APART for far in distances_from_rivers(shade))), _INDIGO)


def distances_from_rivers(colour: str) -> Iterator[float]:
    """Yield how far the tint of a colour along a border is from a river and from one that is as pale as the tint, for
    each sight, CIEDE2000.
    """
    tint = border_tint(colour)
    for water in (RIVER, mix(PLAIN, RIVER, BORDER_TINT)):
        yield difference(tint, water)
        yield from (difference(simulate_sight(tint, sight), simulate_sight(water, sight)) for sight in SIGHTS)


HEXSIDES: tuple[tuple[HexsideKind, frozenset[str], str, float], ...] = (
    ("river", FLOWING, RIVER, 1.3),
    ("teeth", frozenset({"ridge", "crest"}), TEETH, 0.7),
    ("hachures", frozenset({"escarpment", "cliff", "slope"}), TEETH, 0.7),
    ("lake", WATERS, LAKE, 3.2),
    ("closed", frozenset({"impassable", "prohibited", "closed"}), CLOSED, 3.2),
)
"""How words on hexsides are drawn: the kind of line, the words, any of which may be a part of a longer one, colour and
width.
"""
_NOTHING = frozenset({"open", "none", "no", "nothing", "clear"})
_RIVERS = (
    (frozenset({"minor", "small"}), 0.8),
    (frozenset({"major", "large"}), 1.7),
    (frozenset({"grand", "great"}), 2.8),
)


def palette_of(game: Game, *, low_ink: bool = False) -> Palette:
    """Return the colours of a game: of its nations, sides, grounds and what lies on hexsides. Raises InputError for one
    that is not #rrggbb. low_ink: as `Palette` has it.
    """
    return palette_from(game.file.picture, game.tracks, game.file.sides, low_ink=low_ink)


def marker_colour(track: Track, value: Value, palette: Palette) -> str:
    """Return the colour of what states a value, such as a marker: of the side that it names, else that of the track."""
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
    """Return the colours that a game chooses, for the words of its tracks. sides: their nations; low_ink: as `Palette`
    has it.
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
    """Return a stripe as a box, in millimetres, with its pattern at the left end, or at both."""
    shapes: list[Shape] = [Rectangle(x=x, y=y, width=width, height=height, fill=stripe.colour)]
    thick = height * _END
    if stripe.pattern in ("line", "lines"):
        shapes.append(Rectangle(x=x, y=y, width=thick, height=height, fill=stripe.ink))
        if stripe.pattern == "lines":
            shapes.append(Rectangle(x=x + width - thick, y=y, width=thick, height=height, fill=stripe.ink))
    elif stripe.pattern != "plain":
        many = _DASHES if stripe.pattern == "dashes" else _DOTS
        step = height / many
        for number in range(many):
            shapes.append(Rectangle(x=x, y=y + (number + 0.25) * step, width=thick, height=step / 2, fill=stripe.ink))
    return shapes
