"""Lines of a board that end in nothing: railways, rivers and borders that stop in the middle of the land."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ...state.state import hexside
from ...state.tracks import Track, Value
from ..boards import Board, HexChain
from ..boards.features import FLOWING, WATERS
from ..games import Game
from ..hexes import Corner


def lines_that_end(game: Game, board: Board) -> Iterator[str]:
    """Yield where railways, rivers and borders of a drawn board end in nothing.

    Good ends are, for a railway, the map edge or a terminus; for a river, another one, a lake, the sea or the edge, and
    as its source one of the smallest; for a border, another one, water or the edge.
    """
    if board.hexes:
        picture = game.file.picture
        tracks = game.tracks
        water = _Water(board, picture.terrain, [*_find_wet_tracks(tracks.values(), picture.barrier)])
        yield from _find_railway_ends(board, tracks.get(picture.rail))
        yield from _find_river_ends(board, water)
        yield from _find_border_ends(board, tracks.get(picture.border), water)


def _find_railway_ends(board: Board, rail: Track | None) -> Iterator[str]:
    """Yield railways that end where there is no terminus."""
    beyond: dict[str, list[str]] = {}
    for link in _list_drawn(board, rail):
        one, other = link.split("|")
        beyond.setdefault(one, []).append(other)
        beyond.setdefault(other, []).append(one)
    ends = {hex: others[0] for hex, others in beyond.items() if len(others) == 1}
    names = {place.hex: place.name for place in board.places}
    termini = {place.hex: place.name for place in board.places if place.terminus}
    for hex, before in sorted(ends.items()):
        if hex not in termini and len(board.neighbours(hex)) == 6:
            name = f" ({names[hex]})" if names.get(hex) else ""
            yield f"the railway from {before} ends in {hex}{name}, which is not a terminus"
    for hex, name in sorted(termini.items()):
        if rail and hex not in ends:
            yield f"{name} in {hex} is a terminus, but no railway ends there"


def _find_river_ends(board: Board, water: _Water) -> Iterator[str]:
    """Yield rivers that flow into nothing, and those that rise as more than the smallest."""
    chains = [(chain, *flowing) for chain in board.chains if (flowing := water.flowing(chain))]
    words = {(track.name, word) for _, track, word in chains}
    least = {
        track.name: next((word for word in track.values if (track.name, word) in words), "") for track in water.tracks
    }
    sides_at: dict[Corner, set[str]] = {}
    for side in water.wet:
        for corner in _find_ends(board, side):
            sides_at.setdefault(corner, set()).add(side)
    for chain, track, word in chains:
        path = _list_corners(board, chain.path)
        own = {*chain.path}
        first = sides_at.get(path[0], set()) <= own and not water.ends(path[0], chain.path[0])
        last = sides_at.get(path[-1], set()) <= own and not water.ends(path[-1], chain.path[-1])
        name = f'"{chain.name}"' if chain.name else f"the {word}"
        if last and (first or len(chain.path) > 1):  # which end of a single hexside is the mouth is not said
            yield f"{name} flows into nothing at {chain.path[-1]}"
        elif first and len(chain.path) > 1 and least[track.name] not in ("", word):
            yield f"{name} rises as a {word} at {chain.path[0]}"


def _find_border_ends(board: Board, border: Track | None, water: _Water) -> Iterator[str]:
    """Yield borders that end inland, where no other begins."""
    sides_at: dict[Corner, list[str]] = {}
    for side in _list_drawn(board, border):
        for corner in _find_ends(board, side):
            sides_at.setdefault(corner, []).append(side)
    for corner, sides in sides_at.items():
        if len(sides) == 1 and not water.ends(corner, sides[0]):
            yield f"the border ends in nothing at {sides[0]}"


def _find_wet_tracks(tracks: Iterable[Track], barrier: str) -> Iterator[Track]:
    """Yield the tracks of waters on hexsides: the one that is drawn along them, and flags such as `river` and `stream`."""
    for track in tracks:
        is_water = track.on == "hexside" and track.kind == "flag" and _has_part(track.name, FLOWING | WATERS)
        if track.name == barrier or is_water:
            yield track


class _Water:
    """The waters of a board. terrain: the track of its hexes; tracks: of what lies on its hexsides."""

    def __init__(self, board: Board, terrain: str, tracks: Sequence[Track]) -> None:
        self.board = board
        self.terrain = terrain
        self.tracks = tracks

    @property
    def wet(self) -> list[str]:
        """The hexsides with a river, a lake or the sea."""
        values = (
            (side, track, self.board.facts[track.name, side].value)
            for track in self.tracks
            for side in _list_drawn(self.board, track)
        )
        return [
            side
            for side, track, value in values
            if any(_has_part(word, FLOWING | WATERS) for word in _list_words(track, value))
        ]

    def flowing(self, chain: HexChain) -> tuple[Track, str] | None:
        """Return the track and the word of a chain that is a river, None for any other."""
        facts = dict(chain.facts) if chain.along else {}
        words = ((track, word) for track in self.tracks for word in _list_words(track, facts.get(track.name)))
        return next(((track, word) for track, word in words if _has_part(word, FLOWING)), None)

    def ends(self, corner: Corner, side: str) -> bool:
        """Return whether a line may end at a corner of one of its hexsides: at the edge of the map, the sea or a lake."""
        first, second = side.split("|")
        third = _find_third(self.board, corner, first, second)
        if not third:
            return True
        around = (first, second, third)
        grounds = (self.board.fact(self.terrain, hex) for hex in around)
        words = [str(fact.value) for fact in grounds if fact is not None]
        sides = [hexside(*pair) for pair in ((first, second), (first, third), (second, third))]
        for track in self.tracks:
            facts = (self.board.fact(track.name, side) for side in sides)
            words += [word for fact in facts if fact is not None for word in _list_words(track, fact.value)]
        return any(_has_part(word, WATERS) for word in words)


def _list_words(track: Track, value: Value | None) -> Sequence[str]:
    """Return what lies on a hexside in words: a flag is a word itself."""
    if not value:
        return []
    if track.kind == "flag":
        return [track.name]
    return [str(word) for word in value] if isinstance(value, tuple) else [str(value)]


def _has_part(word: str, kinds: frozenset[str]) -> bool:
    return not kinds.isdisjoint(word.split("-"))


def _list_drawn(board: Board, track: Track | None) -> list[str]:
    """Return the hexsides on which a track says that something is there."""
    if track is None:
        return []
    known = ((subject, board.facts[track.name, subject].value) for subject in board.known(track.name))
    return [subject for subject, value in known if value != track.nothing and "|" in subject]


def _find_ends(board: Board, side: str) -> tuple[Corner, Corner]:
    one, other = map(board.grid.parse, side.split("|"))
    return board.grid.corners(one, other)


def _list_corners(board: Board, path: Sequence[str]) -> list[Corner]:
    """Return the corners that a chain of hexsides touches, in its order."""
    ends = [_find_ends(board, side) for side in path]
    if len(ends) == 1:
        return [*ends[0]]
    between = [next(corner for corner in one if corner in other) for one, other in pairwise(ends)]
    (first,) = {*ends[0]} - {between[0]}
    (last,) = {*ends[-1]} - {between[-1]}
    return [first, *between, last]


def _find_third(board: Board, corner: Corner, one: str, other: str) -> str:
    """Return the hex that meets two others at a corner of the hexside between them, "" if that is off the map."""
    grid = board.grid
    beside = board.neighbours(other)
    common = (hex for hex in board.neighbours(one) if hex in beside)
    here = grid.parse(one)
    return next((hex for hex in common if corner in grid.corners(here, grid.parse(hex))), "")
