"""The facts from which a board is drawn: its hexes and their neighbours, terrain and lines, and the room for names.

Reading a fact only to draw it causes no cautions in a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import dist, sqrt
from typing import NamedTuple

from ...asking.view import View
from ...game.boards import Board, NamedPlace
from ...game.counter_names import counter_names
from ...game.covers import is_capped
from ...game.gamefile import PictureTracks
from ...game.games import Game
from ...game.hexes import Corner
from ...game.unit_symbols import name_symbol
from ...state.state import hexside
from ...state.tracks import Fact, Track
from ..geometry import PageBox, middle_of, move_towards
from ..layout import Layout
from ..palettes import is_water
from ..scene import Point
from ..style import HEX_MM, RADIUS, UNKNOWN_GROUND, Palette, palette_from
from ..symbols import Symbols
from .countries import frontier_among, tint_countries


class MapReader:
    """A reader of a printed map. A track that the game does not have is unknown everywhere.

    `sides`: the nations of each side.
    """

    def __init__(
        self,
        board: Board,
        tracks: Mapping[str, Track],
        picture: PictureTracks,
        sides: Mapping[str, Sequence[str]] = {},
    ) -> None:
        self.board, self.picture, self.tracks, self._sides = board, picture, tracks, sides

    @cached_property
    def palette(self) -> Palette:
        """The colours of the game.

        Raises InputError if a colour is invalid.
        """
        return palette_from(self.picture, self.tracks, self._sides)

    def fact(self, track: str, subject: str) -> Fact | None:
        return self.board.fact(track, subject) if track in self.tracks else None

    def states(self, track: str) -> bool:
        return track in self._stated

    def stated(self, track: str, subjects: Sequence[str]) -> Sequence[str]:
        """Return the subjects about which the map states a fact."""
        known = self._stated.get(track, ())
        return [subject for subject in subjects if subject in known]

    @cached_property
    def _stated(self) -> Mapping[str, set[str]]:
        subjects: dict[str, set[str]] = {}
        for track, subject in self.board.facts:
            subjects.setdefault(track, set()).add(subject)
        return subjects

    @cached_property
    def flags(self) -> tuple[str, ...]:
        """The flags of hexes that are drawn as signs."""
        names = self.picture.flags
        if names is None:
            names = tuple(name for name, track in self.tracks.items() if track.on == "hex" and track.printed == "map")
        return tuple(name for name in names if self.tracks[name].kind == "flag")

    def words(self, track: str, subject: str) -> tuple[str, ...]:
        """Return the words of a fact, or none if it is unknown or not a word."""
        return _words_of(self.fact(track, subject))

    def word(self, track: str, subject: str) -> str:
        return next(iter(self.words(track, subject)), "")

    def words_on_map(self, track: str, hexes: Iterable[str]) -> Mapping[str, str]:
        fact_of = self._facts_of(track)
        return {name: next(iter(_words_of(fact_of(name))), "") for name in hexes}

    def _facts_of(self, track: str) -> Callable[[str], Fact | None]:
        return partial(self.fact, track)

    def lying(self, track: str, subject: str) -> tuple[str, ...]:
        """Return the words for features on or across a hexside, or none if they are unknown.

        For a flag that is set, the word is the flag's own.
        """
        return self._list_lying(track, self.fact(track, subject))

    def lying_on(self, track: str, subjects: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the words for features on or across hexsides, without hexsides that have none."""
        fact_of = self._facts_of(track)
        return {name: words for name in subjects if (words := self._list_lying(track, fact_of(name)))}

    def _list_lying(self, track: str, fact: Fact | None) -> tuple[str, ...]:
        if fact is None:
            return ()
        if fact.value is True:
            return (track,)
        nothing = self.tracks[track].nothing
        return tuple([word for word in _words_of(fact) if word != nothing])

    def link(self, track: str, subject: str) -> str:
        """Return the word for a road or railway across a hexside, or "" if there is none or it is unknown."""
        return next(iter(self.lying(track, subject)), "")

    def title_of(self, nation: str) -> str:
        """Return the name of a nation in the key; without units it is just the nation's word."""
        return nation

    def restates(self, *tracks: str) -> bool:
        return False

    def values(self, track: str) -> tuple[str, ...]:
        return self.tracks[track].values if track in self.tracks else ()


class SurveyReader(MapReader):
    """A reader of a view's facts for a picture."""

    def __init__(self, view: View) -> None:
        super().__init__(view.board, view.game.tracks, view.game.file.picture, view.game.file.sides)
        self._view = View(view.game, view.state)  # a separate view: facts read only to be drawn decide nothing
        self.game, self.state = view.game, view.state
        self._known: dict[str, set[str]] = {}

    @cached_property
    def counter_names(self) -> Mapping[str, str]:
        """The names printed on counters that are shorter than those of their units."""
        return counter_names(self.game)

    def title_of(self, nation: str) -> str:
        return self.game.file.title_of(nation)

    def states(self, track: str) -> bool:
        return track in self.tracks

    def stated(self, track: str, subjects: Sequence[str]) -> Sequence[str]:
        """Return the subjects with a fact on the map or in the position, or all if an unstated fact has a meaning."""
        if track not in self.tracks or _says_something(self.tracks[track]):
            return subjects
        if track not in self._known:
            in_position = {subject for name, subject in self._view.stated if name == track}
            self._known[track] = in_position.union(self.board.known(track))
        known = self._known[track]
        return [subject for subject in subjects if subject in known]

    def restates(self, *tracks: str) -> bool:
        """Return whether the position states anything of the tracks."""
        return any(name in tracks for name, _ in self._view.stated)

    def side_among(self, units: Iterable[str]) -> str:
        """Return the side of the first unit with a known nation, or "" if there is none."""
        nations = (self.word(self.picture.nation, unit) for unit in units)
        return next((self.game.side_of(nation) for nation in nations if nation and self.game.file.sides), "")

    def unseen_nation(self, place: str) -> str | None:
        """Return the nation of the unseen units at a place, or None if there are none."""
        unit = self._view.unseen.get(place)
        return None if unit is None else self.word(self.picture.nation, unit.id)

    def is_capped(self, place: str) -> bool:
        return is_capped(self.game.hiding.limits(self.state.facts), place, self.state.facts)

    def is_back_up(self, unit: str) -> bool:
        limits = self.game.hiding.limits(self.state.facts)
        lying = self.fact(limits.conceals, unit) if limits and limits.conceals else None
        return lying is not None and bool(lying.value)

    def fact(self, track: str, subject: str) -> Fact | None:
        return self._view.fact(track, subject) if track in self.game.tracks else None

    def _facts_of(self, track: str) -> Callable[[str], Fact | None]:
        return self._view.facts_of(track) if track in self.game.tracks else super()._facts_of(track)

    def symbol(self, unit: str) -> str:
        """Return the name of the symbol of a unit, or "" if its word is unknown."""

        def written(track: str) -> str:
            fact = self.fact(track, unit)
            return self.game.tracks[track].write(fact.value) if fact else ""

        return name_symbol(self.picture, unit, self.word(self.picture.symbol, unit), written)

    def figures(self, unit: str) -> tuple[str, ...]:
        """Return the figures of a unit as its counter shows them, or none if all are unknown.

        Reductions (steps lost) are subtracted. An assumed figure is followed by "?", and "?" alone is an unknown
        figure.
        """
        shown = [self._figure(track, unit) for track in self.picture.figures]
        return tuple(figure or "?" for figure in shown) if any(shown) else ()

    def _figure(self, name: str, unit: str) -> str:
        fact = self.fact(name, unit)
        if fact is None:
            return self.picture.instead.get(self.word(self.picture.symbol, unit), {}).get(name, "")
        if not isinstance(fact.value, int) or isinstance(fact.value, bool):
            return self.game.tracks[name].write(fact.value)
        value, assumed = fact.value, fact.assumed
        losses = self.fact(self.picture.less, unit) if self.picture.less else None
        if losses is not None and self._view.is_hidden(self.picture.less, unit):
            assumed = True  # the hidden losses may be larger
        elif losses is not None and isinstance(losses.value, int):
            value, assumed = max(value - losses.value, 0), assumed or losses.assumed
        return f"{value}?" if assumed else str(value)


def _words_of(fact: Fact | None) -> tuple[str, ...]:
    if fact is None or isinstance(fact.value, bool | int):
        return ()
    return (fact.value,) if isinstance(fact.value, str) else fact.value


def _says_something(track: Track) -> bool:
    """Return whether an unstated fact of the track means more than that nothing is there."""
    absent = track.absent
    words = absent if isinstance(absent, tuple) else (absent,)
    return any(word not in (None, False, track.nothing) for word in words)


# --- hexes and hexsides -----------------------------------------------------------------------------------------------

_EDGE_OVERLAP_MM = HEX_MM * 0.35
"""The distance by which areas reach beyond the hexes of the survey."""


class Side(NamedTuple):
    """A hexside: its name, the hexes on both sides, and its ends."""

    name: str
    one: str
    other: str
    start: Corner
    end: Corner


class Scale(NamedTuple):
    """The enlargement of lines and letters, for the size at which a map will be seen."""

    lines: float = 1.0
    """The enlargement of lines compared with a hex of full size, at least 1."""
    letters: float = 1.0
    """The enlargement of letters, at least 1."""

    @property
    def signs(self) -> float:
        """The enlargement of town signs, which follows that of lines, and in part that of letters."""
        return max(self.lines, sqrt(self.letters))

    @property
    def small(self) -> bool:
        """Whether hexes, and with them small details, are too small to draw."""
        return self.lines > 1.4


FULL_SCALE = Scale()


class Survey:
    """The hexes of a layout and a ring of hexes round them, so that lines cross the edge of a picture smoothly.

    `doubts`: whether facts drawn from geography are shown as doubtful.
    `places`: the named places, or None for the board's.
    `frame`: the box for names and towns, or None for one round all hexes.
    `tints`: returns known tints by hex, or None if they must be computed.
    """

    def __init__(
        self,
        layout: Layout,
        reader: MapReader,
        symbols: Symbols,
        *,
        doubts: bool = False,
        scale: Scale = FULL_SCALE,
        places: Sequence[NamedPlace] | None = None,
        frame: PageBox | None = None,
        tints: Callable[[], Mapping[str, str] | None] = lambda: None,
    ) -> None:
        self.layout, self.look, self.palette, self.symbols, self.doubts = (
            layout,
            reader,
            reader.palette,
            symbols,
            doubts,
        )
        self.scale = scale
        self.places = layout.board.places if places is None else places
        self._frame, self._known_tints = frame, tints
        self.board, self.picture = layout.board, reader.picture
        grid, drawn = self.board.grid, self.board.hexes
        self._at = {name: grid.parse(name) for name in layout.names}
        self._beyond = {name: tuple(grid.around(at).values()) for name, at in self._at.items()}
        drawn_places = set(self._at.values())
        for place in dict.fromkeys([place for around in self._beyond.values() for place in around]):
            name = grid.name(place) if place not in drawn_places and grid.holds(place) else ""
            if name and (not drawn or name in drawn):
                self._at[name] = place
                self._beyond[name] = tuple(grid.around(place).values())
        self.hexes = tuple(self._at)
        self._points: dict[Corner, Point] = {}

    @cached_property
    def around(self) -> Mapping[str, tuple[tuple[str, Corner, Corner], ...]]:
        """The hexsides of each hex, clockwise: the hex beyond, or "" if it is not in the survey, and both ends."""
        names = {place: name for name, place in self._at.items()}
        hexsides = {}
        for name, place in self._at.items():
            corners = self.board.grid.outline(place)
            beyond = [names.get(other, "") for other in self._beyond[name]]
            hexsides[name] = tuple(zip(beyond, corners, (*corners[1:], corners[0]), strict=True))
        return hexsides

    @cached_property
    def sides(self) -> Mapping[str, Side]:
        sides_by_name = {}
        for one, sides in self.around.items():
            for other, start, end in sides:
                if other and one < other:
                    name = hexside(one, other)
                    sides_by_name[name] = Side(name, one, other, start, end)
        return sides_by_name

    @cached_property
    def shown(self) -> tuple[str, ...]:
        draws = self.layout.draws
        return tuple([name for name, side in self.sides.items() if draws(side.one) or draws(side.other)])

    def point(self, corner: Corner) -> Point:
        if corner not in self._points:
            self._points[corner] = self.layout.place(*self.board.grid.point(corner))
        return self._points[corner]

    @cached_property
    def edge(self) -> Mapping[Corner, Point]:
        """The corners at the edge of the survey, moved outwards, so that an area that continues there has no rim."""
        inward: dict[Corner, list[Point]] = {}
        for name, sides in self.around.items():
            for beyond, start, end in sides:
                if not beyond:
                    for corner in (start, end):
                        inward.setdefault(corner, []).append(self.layout.centre(name))
        return {
            corner: move_towards(self.point(corner), middle_of(centres), -_EDGE_OVERLAP_MM)
            for corner, centres in inward.items()
        }

    @cached_property
    def frame(self) -> PageBox:
        """The box that names must not leave; by default it reaches half a hex beyond the centres of the drawn hexes."""
        if self._frame is not None:
            return self._frame
        xs, ys = zip(*map(self.layout.centre, self.layout.names), strict=True)
        return PageBox(min(xs) - HEX_MM / 2, min(ys) - HEX_MM / 2, max(xs) + HEX_MM / 2, max(ys) + HEX_MM / 2)

    @property
    def sheet(self) -> PageBox:
        layout = self.layout
        xs, ys = zip(*(corner for name in layout.names for corner in layout.corners(name)), strict=True)
        return PageBox(min(xs), min(ys), max(xs), max(ys))

    def hex_at(self, point: Point) -> str:
        """Return the drawn hex at a point, or "" outside the drawn hexes."""
        nearest = min(self.layout.names, key=lambda name: dist(self.layout.centre(name), point))
        return nearest if dist(self.layout.centre(nearest), point) < RADIUS else ""

    def holds(self, point: Point) -> bool:
        left, top, right, bottom = self.frame
        return left <= point[0] < right and top <= point[1] < bottom

    def frames(self, box: PageBox, inward: float = 0.0) -> bool:
        """Return whether a box is within the frame.

        `inward`: the distance by which the frame is reduced on each side.
        """
        left, top, right, bottom = self.frame
        return (
            left + inward < box.left
            and box.right < right - inward
            and top + inward < box.top
            and box.bottom < bottom - inward
        )

    @cached_property
    def terrain(self) -> Mapping[str, str]:
        """The terrain of each hex, or "" where it is unknown."""
        return self.look.words_on_map(self.picture.terrain, self.hexes)

    def ground(self, name: str) -> str:
        """The terrain of each hex, or "" if unknown."""
        terrain = self.terrain[name]
        return self.palette.ground(terrain) if terrain else UNKNOWN_GROUND

    def lying(self, track: str) -> dict[str, tuple[str, ...]]:
        """Return the words for features on or across hexsides, by hexside."""
        reader = self.look
        if not reader.states(track):
            return {}
        return reader.lying_on(track, reader.stated(track, self.shown))

    @cached_property
    def barriers(self) -> Mapping[str, tuple[str, ...]]:
        return self.lying(self.picture.barrier)

    @cached_property
    def rails(self) -> Mapping[str, str]:
        return {name: words[0] for name, words in self.lying(self.picture.rail).items()}

    @cached_property
    def roads(self) -> Mapping[str, str]:
        return {name: words[0] for name, words in self.lying(self.picture.road).items()}

    @cached_property
    def crossings(self) -> Mapping[str, str]:
        lying = {**self.lying(self.picture.crossing), **self.lying(self.picture.causeway)}
        return {name: words[0] for name, words in lying.items()}

    @cached_property
    def gauges(self) -> Mapping[str, str]:
        return {name: words[0] for name, words in self.lying(self.picture.gauge).items()}

    @cached_property
    def borders(self) -> Mapping[str, str]:
        return {name: words[0] for name, words in self.lying(self.picture.border).items()}

    @cached_property
    def flags(self) -> Mapping[str, tuple[str, ...]]:
        reader, flags = self.look, dict[str, tuple[str, ...]]()
        for flag in reader.flags:
            for name in reader.lying_on(flag, reader.stated(flag, self.layout.names)):
                flags[name] = (*flags.get(name, ()), flag)
        return flags

    @cached_property
    def frontier(self) -> str:
        """The game's word for a border between states."""
        return frontier_among(self.look.values(self.picture.border), set(self.borders.values()))

    def tint(self, name: str) -> str:
        """Return the tint of a hex's country, or "" for water and on a map without borders.

        It is the tint of the country's word on a printed map, or else comes from the frontiers.
        """
        if not self.borders or is_water(self.terrain[name]):
            return ""
        word = self.look.word(self.picture.country, name) if self._is_as_printed else ""
        return (word and self.palette.country(word)) or self.tints.get(name, "")

    @cached_property
    def _is_as_printed(self) -> bool:
        return self.board.is_map and not self.look.restates(self.picture.border, self.picture.country)

    @cached_property
    def tints(self) -> Mapping[str, str]:
        """The tint of each hex, from the frontiers of the whole board."""
        if (known_tints := self._known_tints()) is not None:
            return known_tints
        track = self.picture.border
        stated = self.board.known(track)
        frontiers = {name for name in (*stated, *self.borders) if self.look.link(track, name) == self.frontier}
        terrain = self.look.words_on_map(self.picture.terrain, self.board.hexes or self.hexes)
        country = partial(self.look.word, self.picture.country)
        return tint_countries(self.palette, self.board.grid, terrain, frontiers, country)

    def doubtful(self, track: str, subject: str) -> bool:
        fact = self.look.fact(track, subject) if self.doubts else None
        return fact is not None and fact.doubtful

    def is_town(self, name: str) -> bool:
        return name in self._towns

    @cached_property
    def _towns(self) -> frozenset[str]:
        return frozenset(place.hex for place in self.places)


def survey_of(layout: Layout, game: Game | None, *, doubts: bool = False, scale: Scale = FULL_SCALE) -> Survey:
    """Return the survey of a game's board, or of a blank map without a game."""
    picture, tracks, sides = (game.file.picture, game.tracks, game.file.sides) if game else (PictureTracks(), {}, {})
    map_look = MapReader(layout.board, tracks, picture, sides)
    return Survey(layout, map_look, Symbols(game), doubts=doubts, scale=scale)
