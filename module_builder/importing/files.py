"""The files of an imported game, by their paths in its folder, and the roster of its pieces."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from statistics import median_low
from typing import Literal, NamedTuple

import msgspec

from assistant.drawing.faces import ENDINGS, FACES, PictureFile, Side, unit_face_file
from assistant.formats.vassal.containers import ModuleData
from assistant.game.boards.map_picture import MapPicture
from assistant.game.gamefile import VassalModule
from assistant.game.hexes import Hex, HexGrid
from assistant.game.roster import COUNT
from assistant.state.tracks import InModule, Track
from assistant.util.datafiles import write_toml_key, write_toml_lines
from assistant.util.errors import InputError
from assistant.util.limits import Limit
from assistant.util.patterns import late_pattern

from ..vassal.extras import check_file
from ..vassal.pieces.statuses import tag_image
from .controls import DEFAULT_TURNS, Turns
from .fields import NO_HEXES
from .findings import Findings
from .kinds import FLIPPED, PieceKind, Pieces
from .maps import ImportedBoard
from .names import clean_text, slug
from .nations import Owners, Sides
from .source import Face, Source, Studio, open_picture, shrink, write_png

UNIT = "unit"
NATION = "nation"
TAB = "tab"
LIST = "list"
_MAX_COLUMNS = 30
"""The maximum number of texts on pieces that become columns of the roster."""
_NO_PALETTE = "Not in the palettes"
"""The list of pieces that only set-ups have."""
_WHOLE_NUMBER = late_pattern("-?(?:0|[1-9][0-9]{0,8})")
"""A whole number; one with zeros before it is a text, because these would be lost."""
STATUS_PICTURES_FOLDER = "module"
"""The folder with the module's pictures of statuses, which replace the builder's own."""
_COUNTER_SIDES_PX = range(16, 601)
"""The possible sides of counters."""
_DEFAULT_SIDE_PX = 75
"""The side of counters if no piece's side is known."""
_MAX_TAGS = 1500
"""The maximum number of pictures of statuses."""
MAX_DESCRIPTION_CHARS = 400
"""The maximum length of a game's description."""
_MAX_FILE_SHARE = 0.8
"""The share of a file's maximum size that is used."""
_STATUS_COLUMN_TRACK_BYTES = 200
"""The approximate size, in `tracks.toml`, of the track for the column with the units of a status."""
_MISSING = "pictures that are missing from the module, or cannot be used"
_NOT_LAID = "pictures that cannot be laid over others: drawings (SVG), or layers that are too large"
_IN_WORDS = (
    "pictures of states other than a counter's front and back, and pictures that differ from counter to counter: shown "
    "as words instead"
)


class Roster:
    """The columns of a roster."""

    def __init__(self, pieces: Pieces, owners: Owners, findings: Findings) -> None:
        self._kinds = [kind for kind in pieces.kinds if kind.unit]
        self._findings, self._names = findings, pieces.tracks
        self.tracks: dict[str, Track] = {}
        """The printed tracks, by name."""
        self.rows: dict[str, dict[str, str]] = {kind.unit: {} for kind in self._kinds}
        """The values by unit and track."""
        self.nations = owners.titles
        """The title of each nation, by its word."""
        self.needs: dict[str, str] = {}
        """The column with the units of a status, by the status's track."""
        self.printed: dict[str, str] = {}
        """The column of each text on pieces, by its name."""
        self._properties = owners.properties  # properties that the column of nations replaces
        self._add_nations(owners)
        self._add_palettes()
        self._add_texts()
        self._add_needs(pieces)

    def _add_column(self, track: Track, values: Mapping[PieceKind, str]) -> None:
        self.tracks[track.name] = track
        for kind, value in values.items():
            self.rows[kind.unit][track.name] = value

    def _add_nations(self, owners: Owners) -> None:
        if self.nations:
            track = _printed_track(NATION, "nation", "choice", tuple(self.nations))
            self._add_column(track, owners.nations)

    def _add_palettes(self) -> None:
        """Add the list that each piece is in, and the tabs above it that not all share."""
        shared = _count_shared_tabs([kind.path for kind in self._kinds if kind.path])
        above = {kind: " / ".join(kind.path[shared:-1]) for kind in self._kinds if len(kind.path) > 1}
        if any(above.values()):
            self._add_column(
                _printed_track(TAB, "tab", "text"), {kind: clean_text(tab) for kind, tab in above.items() if tab}
            )
        lists = {kind: kind.path[-1] if kind.path else _NO_PALETTE for kind in self._kinds}
        self._add_column(_printed_track(LIST, "list", "text"), lists)

    def _add_texts(self) -> None:
        """Add the most frequent texts on pieces."""
        columns: dict[str, dict[PieceKind, str]] = {}
        for kind in self._kinds:
            for name, value in kind.piece.columns.items():
                columns.setdefault(name, {})[kind] = value
        telling: dict[str, dict[PieceKind, str]] = {}
        for name, texts in columns.items():
            is_name = all(text == kind.name for kind, text in texts.items())
            if not is_name and slug(name) not in self._properties:
                telling[name] = texts
        often = sorted(telling, key=lambda name: (-len(telling[name]), name))
        for name in often[_MAX_COLUMNS:]:
            self._findings.left_out(f"texts on pieces, beyond the {_MAX_COLUMNS} most frequent", name)
        for name in [column for column in telling if column in often[:_MAX_COLUMNS]]:
            texts = telling[name]
            kind_of: Literal["integer", "text"] = (
                "integer" if all(map(_WHOLE_NUMBER.fullmatch, texts.values())) else "text"
            )
            word = self._names.give(slug(name) or "text")
            self._add_column(_printed_track(word, clean_text(name) or word, kind_of), texts)
            self.printed[name] = word

    def _add_needs(self, pieces: Pieces) -> None:
        """Add a column for each status that only some units have."""
        for name, status in pieces.statuses.items():
            having = {kind for kind, _ in status.kinds}
            shown = status.track.module
            if shown is None or len(having) == len(self._kinds):
                continue
            word = self._names.give(f"has-{name}")
            self._add_column(
                _printed_track(word, f"has the status {status.track.title}", "flag"), dict.fromkeys(having, "yes")
            )
            self.needs[name] = word

    def table(self) -> Iterator[dict[str, str]]:
        for kind in self._kinds:
            counted = {COUNT: str(kind.count)} if kind.count > 1 else {}
            yield {UNIT: kind.unit, **counted, **self.rows[kind.unit]}

    @property
    def columns(self) -> Iterator[str]:
        yield from (UNIT, COUNT, *self.tracks)


def _count_shared_tabs(paths: list[tuple[str, ...]]) -> int:
    """Return the number of first tabs that all paths share."""
    levels = enumerate(zip(*paths, strict=False))
    return next((level for level, some in levels if len({*some}) > 1), min(map(len, paths), default=0))


def _printed_track(
    name: str, title: str, kind: Literal["integer", "text", "choice", "flag"], values: tuple[str, ...] = ()
) -> Track:
    return Track(name=name, title=title, on="unit", kind=kind, values=values, printed="counter")


def _list_fields(struct: msgspec.Struct, *without: str) -> dict[str, object]:
    """Return the fields of a structure that differ from their defaults, without the named ones."""
    fields: dict[str, object] = {}
    for field in _fields_of(type(struct)):
        value = getattr(struct, field.name)
        if field.name not in without and value not in (field.default, {}):
            fields[field.name] = _list_fields(value) if isinstance(value, msgspec.Struct) else value
    return fields


@cache
def _fields_of(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


# --- files ------------------------------------------------------------------------------------------------------------


class Board(NamedTuple):
    """A board as written."""

    name: str
    """The name of its folder."""
    taken: ImportedBoard
    picture: MapPicture | None
    """The places on its picture, or None if it has no usable picture."""
    factor: int = 1
    """The pixels of the module's picture for one of the board's, each way."""


def counter_side(pieces: Pieces, source: Source) -> int:
    """Return the median side of the module's pieces in pixels."""
    sides = [max(source.size(kind.piece.front[0].image)) for kind in pieces.kinds if kind.piece.front]
    known = [side for side in sides if side]
    return min(max(median_low(known) if known else _DEFAULT_SIDE_PX, _COUNTER_SIDES_PX[0]), _COUNTER_SIDES_PX[-1])


COUNTERS = b"""# How the counters look: their faces are the pictures in the folder faces; "Counters" in the handbook of Field Staff explains every key.

# A plain back bears the sign of its nation alone.
[slots.band]
on = ["front", "back"]

[slots.name]
on = ["front", "back"]

[slots.formation]
on = ["front", "back"]

[slots.plain-name]
on = []
"""
"""The file `counters.toml`."""


def board_files(board: Board, source: Source) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a board with their paths."""
    folder, taken = f"boards/{board.name}", board.taken
    head = f"{write_toml_lines({'title': taken.title, 'source': 'printed'})}\n[grid]\n{write_toml_lines(_list_fields(taken.grid))}"
    if (picture := board.picture) is not None:
        head += f"\n[picture]\n{write_toml_lines(_list_fields(picture, 'areas', 'boxes'))}"
        if picture.boxes:
            head += f"\n[picture.boxes]\n{write_toml_lines(picture.boxes)}"
        for area in picture.areas:
            head += f"\n[[picture.areas]]\n{write_toml_lines({'path': area.path, 'boxes': area.boxes})}"
        if shown := source.scan(taken.image).picture:
            yield f"{folder}/{picture.file}", shown.data
    yield f"{folder}/board.toml", head.encode()
    if taken.numbered is not None and (letters := _write_letters(taken.grid, set(taken.numbered.names.values()))):
        yield f"{folder}/terrain.txt", letters.encode()


def _write_letters(grid: HexGrid, hexes: set[str]) -> str:
    """Return the hexes of a map that lacks some of its columns and rows, or "" if none is missing."""
    (first, last), (top, bottom) = grid.columns, grid.rows
    if len(hexes) == (last - first + 1) * (bottom - top + 1):
        return ""
    width = len(str(last))
    rows = [" ".join([" " * len(str(bottom)), *(f"{column:0{width}}" for column in range(first, last + 1))])]
    for row in range(top, bottom + 1):
        signs = ("?" if grid.name(Hex(column, row)) in hexes else "." for column in range(first, last + 1))
        rows.append(" ".join([f"{row:0{len(str(bottom))}}", *(sign.rjust(width) for sign in signs)]))
    return "\n".join(rows) + "\n"


def roster_files(roster: Roster) -> dict[str, bytes]:
    """Return the roster in as many files as it needs, each with the columns that its units use."""
    parts, columns = [list[dict[str, str]]()], [*roster.columns]
    most, size = Limit.DATA.most * _MAX_FILE_SHARE, 0
    for row in roster.table():
        length = len(columns) + sum(len(cell.encode()) + 2 for cell in row.values())
        if parts[-1] and size + length > most:
            parts.append([])
            size = 0
        parts[-1].append(row)
        size += length
    return {_name_part(number): _write_part(part, columns) for number, part in enumerate(parts) if part}


def _write_part(rows: Sequence[Mapping[str, str]], columns: Sequence[str]) -> bytes:
    """Return a part of the roster.

    `columns`: the columns of the whole roster.
    """
    filled = {column for row in rows for column, cell in row.items() if cell}
    head = [column for column in columns if column in filled]
    return write_csv([head, *([row.get(column, "") for column in head] for row in rows)])


def _name_part(number: int) -> str:
    return f"roster-{number + 1}.csv" if number else "roster.csv"


def write_csv(rows: Sequence[Sequence[str]]) -> bytes:
    """Return a table, its head first."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def tracks_file(pieces: Pieces, roster: Roster, turns: Turns | None) -> bytes:
    """Return the file `tracks.toml`."""
    tracks = [*roster.tracks.values()]
    for name, status in pieces.statuses.items():
        shown = status.track.module or InModule(menu=(name,))
        needed = msgspec.structs.replace(shown, needs=roster.needs.get(name, ""))
        tracks.append(msgspec.structs.replace(status.track, module=needed))
    tracks += [track for track, _ in pieces.markers.values()]
    # Players count turns even without a tracker.
    least, most = (turns.least, turns.most) if turns else (1, DEFAULT_TURNS)
    module = InModule(menu=("Next turn", "Turn before")) if turns else None
    tracks.append(Track(name="turn", title="turn", on="game", kind="integer", least=least, most=most, module=module))
    return "\n".join(map(_write_track, tracks)).encode()


def _write_track(track: Track) -> str:
    return f"[{write_toml_key(track.name)}]\n{write_toml_lines(_list_fields(track, 'name'))}"


def drop_rare_statuses(pieces: Pieces, findings: Findings) -> None:
    """Leave out the statuses of the fewest pieces for which `tracks.toml` has no room."""
    room = Limit.DATA.most * _MAX_FILE_SHARE - sum(
        len(_write_track(track).encode()) for track, _ in pieces.markers.values()
    )
    for name, status in sorted(pieces.statuses.items(), key=lambda named: -len(named[1].kinds)):
        room -= len(_write_track(status.track).encode()) + _STATUS_COLUMN_TRACK_BYTES
        if room < 0:
            findings.left_out("statuses beyond what a file may hold", status.track.title)
            del pieces.statuses[name]
    pieces.texts = {text: track for text, track in pieces.texts.items() if track in pieces.statuses}


def game_file(
    data: ModuleData,
    boards: Sequence[Board],
    boxes: Sequence[str],
    roster: Roster,
    files: Iterable[str],
    sides: Sides,
    module: VassalModule,
) -> bytes:
    """Return the content of `game.toml`.

    `files`: names of the game's files; those that begin with `roster` are listed as rosters.
    """
    title = clean_text(data.module) or "Imported game"
    head: dict[str, object] = {"title": title}
    if description := clean_text(data.description, MAX_DESCRIPTION_CHARS):
        head["about"] = description
    if boxes:
        head["boxes"] = [*boxes]
    titles = {word: title for word, title in {**roster.nations, **sides.titles}.items() if word != title}
    figures = [name for name, track in roster.tracks.items() if track.kind == "integer"][:2]
    parts = [
        write_toml_lines(head),
        f"[grid]\n{write_toml_lines(_list_fields(boards[0].taken.grid if boards else NO_HEXES))}",
        f"[sides]\n{write_toml_lines(sides.nations)}" if sides.nations else "",
        f"[titles]\n{write_toml_lines(titles)}" if titles else "",
        *(f'[[roster]]\nfile = "{name}"\nsource = "printed"\n' for name in files if name.startswith("roster")),
        f"[picture]\n{write_toml_lines({'figures': figures})}",
        f"[module]\n{write_toml_lines(_list_fields(module))}",
    ]
    return "\n".join(filter(None, parts)).encode()


def course_files(turns: Turns | None, sides: Sides) -> dict[str, bytes]:
    """Return the sequence of play and the turns, as far as the turn tracker shows them."""
    if turns is None:
        return {}
    called = {slug(title): side for side, title in sides.titles.items()} | {side: side for side in sides.nations}
    orders = [
        [called[slug(word)] for word in some] for some in turns.lists if some and {*map(slug, some)} <= called.keys()
    ]
    phases = [word for some in turns.lists if not some or not {*map(slug, some)} <= called.keys() for word in some]
    head: dict[str, object] = {"tag": "Turn {}"}
    if orders:
        head["order"] = [*dict.fromkeys(orders[0])]
    course = f"[turns]\n{write_toml_lines(head)}"
    part = {} if orders else {"part": "turn"}
    for title in dict.fromkeys(phases):
        course += f"\n[[phase]]\n{write_toml_lines({'title': title, **part})}"
    files = {"course.toml": course.encode()}
    if turns.names:
        rows = [(str(number), "date", name, "", "", "printed") for number, name in turns.names.items()]
        files["turns.csv"] = write_csv([("turns", "kind", "text", "who", "rule", "source"), *rows])
    return files


def face_files(pieces: Pieces, studio: Studio, findings: Findings) -> Iterator[tuple[str, bytes]]:
    """Yield the faces of the counters: the module's own pictures."""
    for kind in pieces.kinds:
        if kind.marker:
            continue
        sides: tuple[tuple[Side, Face], ...] = (("front", kind.piece.front), ("back", kind.piece.back))
        for name in dict.fromkeys((*studio.missing(kind.piece.front), *studio.missing(kind.piece.back))):
            findings.left_out(_MISSING, name)
        for name in dict.fromkeys((*studio.not_laid(kind.piece.front), *studio.not_laid(kind.piece.back))):
            findings.left_out(_NOT_LAID, name)
        for side, face in sides:
            if picture := studio.face(face):
                yield f"{FACES}/{unit_face_file(kind.unit, side, picture.ending)}", picture.data


def tag_files(pieces: Pieces, source: Source, factor: int, findings: Findings) -> dict[str, bytes]:
    """Return the pictures of statuses and markers, which the builder shows instead of drawn tags.

    `factor`: the factor of reduction, each way.
    """
    files, held, room = dict[str, bytes](), set[bytes](), Limit.CONTAINER.most
    for track, value, image in _list_tags(pieces, findings):
        picture = source.picture(image)
        data = _convert_to_png(shrink(picture, factor)) if picture else None
        name = f"{STATUS_PICTURES_FOLDER}/images/{tag_image(track, value)}"
        if data is None or not _is_within(name, data):
            findings.left_out(_MISSING, image)
        elif len(files) >= _MAX_TAGS or (data not in held and len(data) > room):
            findings.left_out("pictures of statuses beyond what a folder may hold: shown as words instead", image)
        else:
            files[name] = data
            room -= 0 if data in held else len(data)
            held.add(data)
    return files


def _is_within(name: str, data: bytes) -> bool:
    """Return whether a module may hold a picture."""
    try:
        return bool(check_file(name, data))
    except InputError:
        return False


def _list_tags(pieces: Pieces, findings: Findings) -> Iterator[tuple[Track, str | bool, str]]:
    """Yield the pictures of markers and statuses, with track and value."""
    for track, kind in pieces.markers.values():
        if track.kind == "flag":
            if kind.piece.front:
                yield track, True, kind.piece.front[-1].image
            continue
        for word, image in kind.piece.layers[0].images.items():
            yield track, word, image
    for status in pieces.statuses.values():
        if status.track.module is None or status.track.name == FLIPPED:
            continue
        images: dict[str, dict[str, None]] = {}
        for layer in (layer for _, layer in status.kinds if layer is not None):
            for word, image in layer.images.items():
                if not (layer.turns and word == layer.other):  # the back of the counter shows the other level
                    images.setdefault(word, {})[image] = None
        for word, some in images.items():
            if word == status.track.absent:
                continue
            if len(some) == 1 and not status.track.module.flips:
                yield status.track, True if status.track.kind == "flag" else word, next(iter(some))
            else:
                findings.left_out(_IN_WORDS, f"{status.track.title}: {word}")


def _convert_to_png(picture: PictureFile) -> bytes | None:
    if picture.ending == "png":
        return picture.data
    opened = open_picture(picture) if picture.ending in ENDINGS[1:] else None
    return write_png(opened) if opened is not None else None
