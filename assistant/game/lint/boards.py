"""Mistakes on boards: in their numbering and their lines. Remarks on what seems to be missing, and on sources."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import dist
from typing import TypeVar

from ...mechanics.distribution import format_whole_percent
from ...state.state import hexside
from ...state.tracks import SOURCE_RANKS, Source, Track, Value
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
"""Hexsides with their two corners."""

_REGULAR_LINE_SHARE = 3**0.5 / 2
"""The distance between two lines of regular hexes, as a share of the distance between two hexes of a line."""
_MAX_DISTORTION = 1.2
"""The maximum factor between a picture's share and the regular one without a remark."""


def board_faults(game: Game, board: Board) -> Iterator[InputError]:
    """Yield a fault for each chain that runs along hexsides instead of across them, or the reverse."""
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
    """Yield differences between the numbering of a board and that of the printed map in `game.toml`.

    Only the board's `board.toml` is read.
    """
    folder = resolve_within(game.folder, f"boards/{name}")
    printed = game.file.grid
    head = read_board_head(folder, lambda fault: None)
    if head is None or printed == HexGrid() or (head.picture and head.picture.first is None):
        return  # nothing to compare: no stated numbering, or no hexes
    board_grid = head.grid
    for key in NUMBERING:
        here, there = getattr(board_grid, key), getattr(printed, key)
        if here != there:
            hint = "both must number their hexes alike: correct one of them"
            yield InputError(
                f'[grid] {key} is "{here}", but "{there}" in game.toml', where=in_head(folder, "grid", key), hint=hint
            )
    for key, (first, last), (least, most) in (
        ("columns", board_grid.columns, printed.columns),
        ("rows", board_grid.rows, printed.rows),
    ):
        if first < least or last > most:
            hint = "a board is the printed map or a part of it"
            yield InputError(
                f"[grid] {key} {first} to {last} go beyond the {least} to {most} of game.toml",
                where=in_head(folder, "grid", key),
                hint=hint,
            )


def grid_faults(grid: HexGrid) -> Iterator[InputError]:
    """Yield a fault for the first stated corner of a grid whose number is not read as the same hex.

    The fault has no file and line.
    """
    default_grid = HexGrid()
    columns = grid.columns[: 1 if grid.columns == default_grid.columns else 2]
    rows = grid.rows[: 1 if grid.rows == default_grid.rows else 2]
    for at in (Hex(column, row) for column in columns for row in rows):
        if _read_back(grid, at) != at:
            what = f"[grid] column {at.column}, row {at.row}: {grid.name(at)!r} is not read as the number of this hex"
            yield InputError(what, hint="give format a width that holds both, or leave these columns and rows out")
            return


def _read_back(grid: HexGrid, at: Hex) -> Hex | None:
    try:
        return grid.parse(grid.name(at))
    except InputError:
        return None


def board_remarks(game: Game) -> Iterator[str]:
    """Yield the sources of each board, a line for each layer, and signs of anything missing or misplaced."""
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
    """Return the value for hexes where a complete layer shows nothing: the word of a choice, or "none"."""
    value = board.silence[track].value
    return value if isinstance(value, str) and value else "none"


def format_shares(counts: Mapping[Source, int]) -> str:
    """Return a number and the shares of the sources, the strongest first: `412, 97% drawn, 3% rulebook`."""
    total = sum(counts.values())
    if len(counts) == 1:
        return f"{total:,}, {next(iter(counts)).value}"
    parts = sorted(counts.items(), key=lambda item: SOURCE_RANKS[item[0]])
    return f"{total:,}, " + ", ".join(f"{_format_percent(count, total)} {source.value}" for source, count in parts)


def _format_percent(count: int, total: int) -> str:
    return format_whole_percent(Fraction(count, total)).replace("<", "under ").replace(">", "over ")


def _find_unread(game: Game, name: str) -> Iterator[str]:
    """Yield the files in a board's folder that are not read, most likely because of their names.

    Backups and Markdown texts are left out.
    """
    folder = resolve_within(game.folder, f"boards/{name}")
    read = {file.name for file in board_files(folder)}
    if picture := game.board(name).picture:
        read.add(picture.file)
    for file in files_in(folder):
        if file.name not in read and not file.name.endswith(("~", ".md")):
            yield f"{file.name} is not read; a board has {HEAD}, {TERRAIN}, {PLACES}, {LAKES} and files that end in {LINES}"


def _find_picture_faults(board: Board) -> Iterator[str]:
    """Yield faults of the hexes on a board's own picture, if they have no place or are badly distorted."""
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
        usual_step = f"[{regular[0]:.4g}, {regular[1]:.4g}]"
        shape = f"{share:.1f} times as {'wide' if flat else 'high'} as regular ones"
        yield f"the hexes of its picture are {shape}, for which step of [picture] is {usual_step}"


# --- rivers -----------------------------------------------------------------------------------------------------------


def _find_river_faults(board: Board) -> Iterator[str]:
    named: dict[str, dict[str, tuple[Corner, Corner]]] = {}
    sides_at: dict[Corner, set[str]] = {}
    for chain in board.chains:
        if not chain.along:
            continue
        for side in chain.path:
            ends = _find_corners(board, side)
            for end in ends:
                sides_at.setdefault(end, set()).add(side)
            if chain.name:
                named.setdefault(chain.name, {})[side] = ends
    for name, sides in named.items():
        parts = find_components(sides)
        for part in parts:
            if side := _find_loop(sides, part):
                yield f'"{name}" runs in a loop at {side}'
        for gap in _find_gaps(board, sides, parts, sides_at):
            yield f'"{name}" has a gap {gap}'


def find_components(edges: Mapping[str, Iterable[Node]]) -> list[list[str]]:
    """Return the connected parts of a graph as lists of edges, the largest part first."""
    edges_at: dict[Node, list[str]] = {}
    for name, nodes in edges.items():
        for node in nodes:
            edges_at.setdefault(node, []).append(name)
    parts = []
    seen = set[str]()
    for begin in edges:
        if begin in seen:
            continue
        seen.add(begin)
        part = [begin]
        for name in part:  # `part` grows during the loop
            for node in edges[name]:
                new_edges = [other for other in edges_at[node] if other not in seen]
                seen.update(new_edges)
                part += new_edges
        parts.append(part)
    return sorted(parts, key=len, reverse=True)


def _group_at_corners(sides: Sides, part: Sequence[str]) -> dict[Corner, list[str]]:
    sides_at: dict[Corner, list[str]] = {}
    for side in part:
        for end in sides[side]:
            sides_at.setdefault(end, []).append(side)
    return sides_at


def _find_loop(sides: Sides, part: Sequence[str]) -> str:
    """Return a hexside at which a part of a river runs in a loop, or "" if there is none.

    A closed line such as a shore is not a loop.
    """
    sides_at = _group_at_corners(sides, part)
    if len(part) < len(sides_at) or all(len(here) == 2 for here in sides_at.values()):
        return ""
    forks = [min(here) for here in sides_at.values() if len(here) > 2]
    return min(forks)


def _find_gaps(
    board: Board, sides: Sides, parts: Sequence[Sequence[str]], sides_at: Mapping[Corner, set[str]]
) -> Iterator[str]:
    """Yield the narrowest gap between each part of a river and the parts before it.

    A gap is yielded as `between 0404|0504 and 0505|0604`. It is left out if the river may continue unseen there, or
    between other ends hardly farther apart.

    `parts`: the connected parts of the river, the largest first.
    """
    earlier_ends: list[tuple[Corner, str]] = []
    for part in parts:
        ends = _find_ends(sides, part)
        pairs = sorted(
            (dist(board.grid.point(corner), board.grid.point(other)), here, there, corner, other)
            for corner, here in ends
            for other, there in earlier_ends
        )
        earlier_ends += ends
        near = [pair for pair in pairs if pair[0] <= pairs[0][0] + _UNSEEN_GAP_HEXES]
        if pairs and not any(_may_go_on(board, sides, sides_at, pair) for pair in near):
            _, here, there, *_ = pairs[0]
            yield f"between {there} and {here}"


_UNSEEN_GAP_HEXES = 2.0
"""The maximum extra distance, beyond that of the nearest ends, at which another pair of ends may explain a gap."""


def _find_ends(sides: Sides, part: Sequence[str]) -> list[tuple[Corner, str]]:
    """Return the corners at which a part of a river ends, each with its hexside.

    Returns all corners of a closed line.
    """
    sides_at = _group_at_corners(sides, part)
    return [(end, here[0]) for end, here in sides_at.items() if len(here) == 1] or [
        (end, sides_at[end][0]) for end in sides_at
    ]


def _may_go_on(
    board: Board, sides: Sides, sides_at: Mapping[Corner, set[str]], pair: tuple[float, str, str, Corner, Corner]
) -> bool:
    """Return whether a river may go on unseen between two ends.

    Either both ends lie at the edge of the map, or other chains of hexsides meet both.
    """
    _, here, there, corner, other = pair
    if all(any(side not in sides for side in sides_at[end]) for end in (corner, other)):
        return True
    return _is_at_edge(board, corner, here) and _is_at_edge(board, other, there)


def _is_at_edge(board: Board, corner: Corner, side: str) -> bool:
    one, other = map(board.grid.parse, side.split("|"))
    common = {*board.grid.around(other).values()}
    for third in board.grid.around(one).values():
        if third in common and corner in board.grid.corners(one, third):
            return not board.grid.holds(third) or bool(board.hexes and board.grid.name(third) not in board.hexes)
    return True


# --- railways and crossings -------------------------------------------------------------------------------------------


def _find_apart(board: Board, rail: Track | None) -> Iterator[str]:
    if rail is None:
        return
    links = {link: link.split("|") for link, _ in _list_things(board, rail)}
    for part in find_components(links)[1:]:
        hexes = sorted({hex for link in part for hex in links[link]})
        if all(len(board.neighbours(hex)) == 6 for hex in hexes):
            yield f"the railway through {hexes[0]} ({len(hexes)} hexes) connects to no other"


def _find_lost_crossings(board: Board, crossing: Track | None, barrier: Track | None) -> Iterator[str]:
    if crossing is None or barrier is None:
        return
    for side, value in _list_things(board, crossing):
        below = board.fact(barrier.name, side)
        if below is not None and below.value == barrier.nothing:
            yield f"{crossing.write(value)} on {side}, where there is nothing to cross"


def _list_things(board: Board, track: Track) -> Iterator[tuple[str, Value]]:
    for subject in board.known(track.name):
        value = board.facts[track.name, subject].value
        if value != track.nothing:
            yield subject, value


# --- ends of lines ------------------------------------------------------------------------------------------------------


def find_loose_ends(game: Game, board: Board) -> Iterator[str]:
    """Yield the loose ends of railways, rivers and borders on a drawn board.

    A railway may end at the map edge or a terminus. A river may flow into another one, a lake, the sea or the edge, and
    begin as one of the smallest. A border may end at another one, at water or at the edge.
    """
    if board.hexes:
        picture = game.file.picture
        tracks = game.tracks
        water = _Water(board, picture.terrain, [*_find_wet_tracks(tracks.values(), picture.barrier)])
        yield from _find_railway_ends(board, tracks.get(picture.rail))
        yield from _find_river_ends(board, water)
        yield from _find_border_ends(board, tracks.get(picture.border), water)


def _find_railway_ends(board: Board, rail: Track | None) -> Iterator[str]:
    neighbours: dict[str, list[str]] = {}
    for link in _list_drawn(board, rail):
        one, other = link.split("|")
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    ends = {hex: others[0] for hex, others in neighbours.items() if len(others) == 1}
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
    """Yield rivers that flow into nothing or begin larger than the smallest kind."""
    chains = [(chain, *flowing) for chain in board.chains if (flowing := water.flowing(chain))]
    words = {(track.name, word) for _, track, word in chains}
    smallest = {
        track.name: next((word for word in track.values if (track.name, word) in words), "") for track in water.tracks
    }
    sides_at: dict[Corner, set[str]] = {}
    for side in water.wet:
        for corner in _find_corners(board, side):
            sides_at.setdefault(corner, set()).add(side)
    for chain, track, word in chains:
        path = _list_corners(board, chain.path)
        own_sides = {*chain.path}
        is_source_loose = sides_at.get(path[0], set()) <= own_sides and not water.ends(path[0], chain.path[0])
        is_mouth_loose = sides_at.get(path[-1], set()) <= own_sides and not water.ends(path[-1], chain.path[-1])
        name = f'"{chain.name}"' if chain.name else f"the {word}"
        # either end of a single hexside may be the mouth
        if is_mouth_loose and (is_source_loose or len(chain.path) > 1):
            yield f"{name} flows into nothing at {chain.path[-1]}"
        elif is_source_loose and len(chain.path) > 1 and smallest[track.name] not in ("", word):
            yield f"{name} rises as a {word} at {chain.path[0]}"


def _find_border_ends(board: Board, border: Track | None, water: _Water) -> Iterator[str]:
    sides_at: dict[Corner, list[str]] = {}
    for side in _list_drawn(board, border):
        for corner in _find_corners(board, side):
            sides_at.setdefault(corner, []).append(side)
    for corner, sides in sides_at.items():
        if len(sides) == 1 and not water.ends(corner, sides[0]):
            yield f"the border ends in nothing at {sides[0]}"


def _find_wet_tracks(tracks: Iterable[Track], barrier: str) -> Iterator[Track]:
    """Yield the tracks of waters on hexsides: the barrier drawn, and flags such as `river` and `stream`."""
    for track in tracks:
        is_water = track.on == "hexside" and track.kind == "flag" and _has_part(track.name, FLOWING | WATERS)
        if track.name == barrier or is_water:
            yield track


class _Water:
    """The waters of a board."""

    def __init__(self, board: Board, terrain: str, tracks: Sequence[Track]) -> None:
        self.board = board
        self.terrain = terrain
        self.tracks = tracks

    @property
    def wet(self) -> list[str]:
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
        facts = dict(chain.facts) if chain.along else {}
        words = ((track, word) for track in self.tracks for word in _list_words(track, facts.get(track.name)))
        return next(((track, word) for track, word in words if _has_part(word, FLOWING)), None)

    def ends(self, corner: Corner, side: str) -> bool:
        """Return whether a line may end at a corner of its hexside: at the map edge, the sea or a lake."""
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
    """Return the words for the features on a hexside; a flag's own name is its word."""
    if not value:
        return []
    if track.kind == "flag":
        return [track.name]
    return [str(word) for word in value] if isinstance(value, tuple) else [str(value)]


def _has_part(word: str, kinds: frozenset[str]) -> bool:
    return not kinds.isdisjoint(word.split("-"))


def _list_drawn(board: Board, track: Track | None) -> list[str]:
    return [subject for subject, _ in _list_things(board, track) if "|" in subject] if track else []


def _find_corners(board: Board, side: str) -> tuple[Corner, Corner]:
    one, other = map(board.grid.parse, side.split("|"))
    return board.grid.corners(one, other)


def _list_corners(board: Board, path: Sequence[str]) -> list[Corner]:
    ends = [_find_corners(board, side) for side in path]
    if len(ends) == 1:
        return [*ends[0]]
    between = [next(corner for corner in one if corner in other) for one, other in pairwise(ends)]
    (first,) = {*ends[0]} - {between[0]}
    (last,) = {*ends[-1]} - {between[-1]}
    return [first, *between, last]


def _find_third(board: Board, corner: Corner, one: str, other: str) -> str:
    """Return the third hex at a corner of the hexside between two hexes, or "" if that hex is off the map."""
    grid = board.grid
    beside = board.neighbours(other)
    common = (hex for hex in board.neighbours(one) if hex in beside)
    here = grid.parse(one)
    return next((hex for hex in common if corner in grid.corners(here, grid.parse(hex))), "")
