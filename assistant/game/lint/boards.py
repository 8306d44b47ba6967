"""Boards: mistakes in their numbering, lines that end nowhere, what seems to be missing, and how much is known from where."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import dist
from typing import TypeVar

from ...mechanics.distribution import format_whole_percent
from ...state.state import hexside
from ...state.tracks import STRENGTH, Source, Track, Value
from ...util.datafiles import files_in, resolve_within
from ...util.errors import InputError
from ..boards import Board, HexChain
from ..boards.features import FLOWING, WATERS
from ..boards.folder import HEAD, LAKES, LINES, PLACES, TERRAIN, board_files, in_boards
from ..boards.head import in_head, read_board_head
from ..games import Game
from ..hexes import NUMBERING, Corner, Hex, HexGrid

Node = TypeVar("Node", bound=Hashable)
Sides = Mapping[str, tuple[Corner, Corner]]
"""Hexsides with their ends."""

_REGULAR_LINE_SHARE = 3**0.5 / 2
"""The distance from one line of regular hexes to the next, as a share of the distance between two hexes of a line."""
_MAX_DISTORTION = 1.2
"""The factor by which that share may differ before it is remarked on."""


def board_faults(game: Game, board: Board) -> Iterator[InputError]:
    """Yield chains of a board that run the wrong way."""
    picture = game.file.picture
    for chain in board.chains:
        stated = {track for track, _ in chain.facts}
        name = f'"{chain.name}"' if chain.name else "this"
        if chain.along and (links := stated & {picture.rail, picture.road}):
            what = f"{name} runs along hexsides, but {min(links)} leads across them"
            hint = "write: HEX HEX ..."
            yield InputError(what, where=chain.where, hint=hint)
        elif not chain.along and picture.barrier in stated:
            what = f"{name} runs from hex to hex, but {picture.barrier} lies along hexsides"
            hint = "HEX|NEXT,NEXT ..."
            yield InputError(what, where=chain.where, hint=f"write: {hint}")


def numbering_faults(game: Game, name: str) -> Iterator[InputError]:
    """Yield where the numbering of a board is not that of the printed map in `game.toml`. name: of the board; only its
    head is read.
    """
    folder = resolve_within(game.folder, f"boards/{name}")
    printed = game.file.grid
    head = read_board_head(folder, lambda fault: None)
    if head is None or printed == HexGrid() or (head.picture and head.picture.first is None):
        return  # the board or the game does not say how its map is numbered, or the board has no hexes
    own = head.grid
    for key in NUMBERING:
        here, there = getattr(own, key), getattr(printed, key)
        if here != there:
            hint = "both must number their hexes alike: correct one of them"
            yield InputError(
                f'[grid] {key} is "{here}", but "{there}" in game.toml', where=in_head(folder, "grid", key), hint=hint
            )
    for key, (first, last), (least, most) in (
        ("columns", own.columns, printed.columns),
        ("rows", own.rows, printed.rows),
    ):
        if first < least or last > most:
            hint = "a board is the printed map or a part of it"
            yield InputError(
                f"[grid] {key} {first} to {last} go beyond the {least} to {most} of game.toml",
                where=in_head(folder, "grid", key),
                hint=hint,
            )


def grid_faults(grid: HexGrid) -> Iterator[InputError]:
    """Yield columns and rows that are stated and whose hexes nobody can name, as their number is not read as that of
    the hex; without their place.
    """
    usual = HexGrid()
    columns = grid.columns[: 1 if grid.columns == usual.columns else 2]
    rows = grid.rows[: 1 if grid.rows == usual.rows else 2]
    for at in (Hex(column, row) for column in columns for row in rows):
        if _read_back(grid, at) != at:
            what = f"[grid] column {at.column}, row {at.row}: {grid.name(at)!r} is not read as the number of this hex"
            yield InputError(what, hint="give format a width that holds both, or leave these columns and rows out")
            return


def _read_back(grid: HexGrid, at: Hex) -> Hex | None:
    """Return the hex that the number of a hex is read as, None if it is not read at all."""
    try:
        return grid.parse(grid.name(at))
    except InputError:
        return None


def board_remarks(game: Game) -> Iterator[str]:
    """Yield what is known of each board, a line a layer, and what looks as if something were missing or in the wrong
    place.
    """
    picture = game.file.picture
    for file in in_boards(game.folder):
        if not file.is_dir() and not file.name.endswith("~"):
            yield f"boards/{file.name} is not read; each board needs a folder, boards/NAME"
    for name in game.board_names:
        board = game.board(name)
        yield from _format_shares(board)
        for remark in (
            *_find_unread(game, name),
            *_find_picture_faults(board),
            *_find_river_faults(board),
            *find_loose_ends(game, board),
            *_find_apart(board, game.tracks.get(picture.rail)),
            *_find_lost_crossings(board, game.tracks.get(picture.crossing), game.tracks.get(picture.barrier)),
        ):
            yield f"board {name}: {remark}"


def _format_shares(board: Board) -> Iterator[str]:
    """Yield how much of each layer of a board is known from which source, a line each."""
    edge = f"; its edge is {board.drawn.edge.source.value}" if board.drawn.edge else ""
    hexes = (
        f"{len(board.hexes):,} hex{'es' if len(board.hexes) > 1 else ''}" if board.hexes else "all hexes of its grid"
    )
    if board.picture is not None and board.picture.first is None:
        hexes = "a picture without hexes"
    yield f"board {board.name}: {hexes}{edge}"
    for track, counts in sorted(board.sources.items()):
        silence = f", {_describe_silence(board, track)} elsewhere" if track in board.silence else ""
        yield f"  {track}: {format_shares(counts)}{silence}"
    known: dict[Source, int] = {}
    for basis in (*(place.basis for place in board.places), *(label.basis for label in board.labels)):
        known[basis.source] = known.get(basis.source, 0) + 1
    if known:
        yield f"  places and labels: {format_shares(known)}"


def _describe_silence(board: Board, track: str) -> str:
    """Return what holds where a complete layer shows nothing: of a choice, its first word."""
    value = board.silence[track].value
    return value if isinstance(value, str) and value else "none"


def format_shares(counts: Mapping[Source, int]) -> str:
    """Return how many of something, and how many of them are known from which source, the strongest first: `412, 97%
    drawn, 3% rulebook`.
    """
    total = sum(counts.values())
    if len(counts) == 1:
        return f"{total:,}, {next(iter(counts)).value}"
    parts = sorted(counts.items(), key=lambda item: STRENGTH[item[0]])
    return f"{total:,}, " + ", ".join(f"{_format_percent(count, total)} {source.value}" for source, count in parts)


def _format_percent(count: int, total: int) -> str:
    """Return a share, never rounded to nothing or all."""
    return format_whole_percent(Fraction(count, total)).replace("<", "under ").replace(">", "over ")


def _find_unread(game: Game, name: str) -> Iterator[str]:
    """Yield what lies in a board's folder and is not read, most likely for its name; a text for people is meant so."""
    folder = resolve_within(game.folder, f"boards/{name}")
    read = {file.name for file in board_files(folder)}
    if picture := game.board(name).picture:
        read.add(picture.file)
    for file in files_in(folder):
        if file.name not in read and not file.name.endswith(("~", ".md")):
            yield f"{file.name} is not read; a board has {HEAD}, {TERRAIN}, {PLACES}, {LAKES} and files that end in {LINES}"


def _find_picture_faults(board: Board) -> Iterator[str]:
    """Yield what looks wrong about the hexes of a board's own picture: none of them placed, or of another shape than
    hexes have.
    """
    if (picture := board.picture) is None:
        return
    if picture.first is None:
        if board.hexes:
            yield "its hexes have no place on its picture: state first and step under [picture]"
        return
    flat = board.grid.orientation == "flat"
    along, across = picture.step if flat else picture.step[::-1]
    share = along / across / _REGULAR_LINE_SHARE
    if not 1 / _MAX_DISTORTION < share < _MAX_DISTORTION:
        regular = (across * _REGULAR_LINE_SHARE, across)[:: 1 if flat else -1]
        usual = f"[{regular[0]:.4g}, {regular[1]:.4g}]"
        shape = f"{share:.1f} times as {'wide' if flat else 'high'} as regular ones"
        yield f"the hexes of its picture are {shape}, for which step of [picture] is {usual}"


# --- rivers -----------------------------------------------------------------------------------------------------------


def _find_river_faults(board: Board) -> Iterator[str]:
    """Yield gaps and loops of what runs along hexsides under one name."""
    named: dict[str, dict[str, tuple[Corner, Corner]]] = {}
    every: dict[Corner, set[str]] = {}
    for chain in board.chains:
        if not chain.along:
            continue
        for side in chain.path:
            ends = _find_corners(board, side)
            for end in ends:
                every.setdefault(end, set()).add(side)
            if chain.name:
                named.setdefault(chain.name, {})[side] = ends
    for name, sides in named.items():
        parts = find_components(sides)
        for part in parts:
            if side := _find_loop(sides, part):
                yield f'"{name}" runs in a loop at {side}'
        for gap in _find_gaps(board, sides, parts, every):
            yield f'"{name}" has a gap {gap}'


def find_components(edges: Mapping[str, Iterable[Node]]) -> list[list[str]]:
    """Return the edges of a graph by the parts of it that hang together, the largest part first. edges: by name, the
    nodes they join.
    """
    at: dict[Node, list[str]] = {}
    for name, nodes in edges.items():
        for node in nodes:
            at.setdefault(node, []).append(name)
    parts = []
    seen = set[str]()
    for begin in edges:
        if begin in seen:
            continue
        seen.add(begin)
        part = [begin]
        for name in part:  # which grows meanwhile
            for node in edges[name]:
                new = [other for other in at[node] if other not in seen]
                seen.update(new)
                part += new
        parts.append(part)
    return sorted(parts, key=len, reverse=True)


def _group_at_corners(sides: Sides, part: Sequence[str]) -> dict[Corner, list[str]]:
    """Return the hexsides of a part of a river that meet at each corner."""
    at: dict[Corner, list[str]] = {}
    for side in part:
        for end in sides[side]:
            at.setdefault(end, []).append(side)
    return at


def _find_loop(sides: Sides, part: Sequence[str]) -> str:
    """Return a hexside at which a part of a river runs in a loop, "" if it does not. A closed line, such as a shore, is
    no loop.
    """
    at = _group_at_corners(sides, part)
    if len(part) < len(at) or all(len(here) == 2 for here in at.values()):
        return ""
    forks = [min(here) for here in at.values() if len(here) > 2]
    return min(forks)


def _find_gaps(
    board: Board, sides: Sides, parts: Sequence[Sequence[str]], every: Mapping[Corner, set[str]]
) -> Iterator[str]:
    """Yield where the parts of a river lie nearest to each other, unless it may leave the map or run through something
    else there.
    """
    joined: list[tuple[Corner, str]] = []
    for part in parts:
        ends = _find_ends(sides, part)
        pairs = sorted(
            (dist(board.grid.point(corner), board.grid.point(other)), here, there, corner, other)
            for corner, here in ends
            for other, there in joined
        )
        joined += ends
        near = [pair for pair in pairs if pair[0] <= pairs[0][0] + _UNSEEN_GAP_HEXES]
        if pairs and not any(_may_go_on(board, sides, every, pair) for pair in near):
            _, here, there, *_ = pairs[0]
            yield f"between {there} and {here}"


_UNSEEN_GAP_HEXES = 2.0
"""The maximum distance by which ends of two parts may be farther apart than the nearest ones, where a river may go on
unseen.
"""


def _find_ends(sides: Sides, part: Sequence[str]) -> list[tuple[Corner, str]]:
    """Return the corners at which a part of a river ends, with its hexsides there; of a closed line, all."""
    at = _group_at_corners(sides, part)
    return [(end, here[0]) for end, here in at.items() if len(here) == 1] or [(end, at[end][0]) for end in at]


def _may_go_on(
    board: Board, sides: Sides, every: Mapping[Corner, set[str]], pair: tuple[float, str, str, Corner, Corner]
) -> bool:
    """Return whether a river may go on between two ends: both lie at the edge of the map, or something else along
    hexsides meets both.
    """
    _, here, there, corner, other = pair
    if all(any(side not in sides for side in every[end]) for end in (corner, other)):
        return True
    return _is_at_edge(board, corner, here) and _is_at_edge(board, other, there)


def _is_at_edge(board: Board, corner: Corner, side: str) -> bool:
    """Return whether a corner of a hexside lies at the edge of the map: one of the three hexes there is off it."""
    one, other = map(board.grid.parse, side.split("|"))
    beyond = {*board.grid.around(other).values()}
    for third in board.grid.around(one).values():
        if third in beyond and corner in board.grid.corners(one, third):
            return not board.grid.holds(third) or bool(board.hexes and board.grid.name(third) not in board.hexes)
    return True


# --- railways and crossings -------------------------------------------------------------------------------------------


def _find_apart(board: Board, rail: Track | None) -> Iterator[str]:
    """Yield railways that are joined neither to the others nor to the edge of the map."""
    if rail is None:
        return
    links = {link: link.split("|") for link, _ in _list_things(board, rail)}
    for part in find_components(links)[1:]:
        hexes = sorted({hex for link in part for hex in links[link]})
        if all(len(board.neighbours(hex)) == 6 for hex in hexes):
            yield f"the railway through {hexes[0]} ({len(hexes)} hexes) connects to no other"


def _find_lost_crossings(board: Board, crossing: Track | None, barrier: Track | None) -> Iterator[str]:
    """Yield bridges and ferries on hexsides on which nothing lies that they could cross."""
    if crossing is None or barrier is None:
        return
    for side, value in _list_things(board, crossing):
        below = board.fact(barrier.name, side)
        if below is not None and below.value == barrier.nothing:
            yield f"{crossing.write(value)} on {side}, where there is nothing to cross"


def _list_things(board: Board, track: Track) -> Iterator[tuple[str, Value]]:
    """Yield the subjects on which a track says that something is there, each with what."""
    for subject in board.known(track.name):
        value = board.facts[track.name, subject].value
        if value != track.nothing:
            yield subject, value


# --- ends of lines ------------------------------------------------------------------------------------------------------


def find_loose_ends(game: Game, board: Board) -> Iterator[str]:
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
        for corner in _find_corners(board, side):
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
        for corner in _find_corners(board, side):
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
    return [subject for subject, _ in _list_things(board, track) if "|" in subject] if track else []


def _find_corners(board: Board, side: str) -> tuple[Corner, Corner]:
    one, other = map(board.grid.parse, side.split("|"))
    return board.grid.corners(one, other)


def _list_corners(board: Board, path: Sequence[str]) -> list[Corner]:
    """Return the corners that a chain of hexsides touches, in its order."""
    ends = [_find_corners(board, side) for side in path]
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
