"""A whole VASSAL module from a game's data files: counters with pictures, board, palettes, set-ups, help pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

import msgspec
from lxml import etree

from assistant.drawing.faces import FaceFile, Faces
from assistant.drawing.png import to_png
from assistant.drawing.scene import Scene
from assistant.drawing.style import palette_of
from assistant.formats.vassal.board_grids import BoardGrid, board_grid, has_hexes, table_grid
from assistant.formats.vassal.containers import BUILD_FILES, MODULE_DATA, ModuleData, write_container, write_module_data
from assistant.formats.vassal.legends import turn_track
from assistant.formats.vassal.maps import read_picture_size
from assistant.formats.vassal.modules import Module, Slot
from assistant.formats.vassal.saves import write_save
from assistant.game.boards import Board
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.game.lint.course import find_course_faults
from assistant.game.lint.faults import format_fault
from assistant.game.lint.files import faults
from assistant.game.roster import list_rows
from assistant.installed.formats import read_position
from assistant.util.console import format_count
from assistant.util.datafiles import read_data, read_rows, resolve_within
from assistant.util.errors import InputError, Where, is_want_of_memory, located, word_machine_error

from ..counters.faces import DESIGN_SIDE_MM
from ..counters.markings import badge, crest_up, tag_colour
from ..counters.picture_names import face_picture, picture_words
from ..counters.pictures import side_scenes
from ..counters.pieces import Counter, design_counters, format_troubles, marker_faces
from .boards import bare_table, board_scene, map_grid, own_faces, own_map, picture_windows
from .build_file import BOARD_PICTURE, HELP, KEYS, VASSAL_VERSION, build_file, write_buildfile
from .charts import GameCharts, chart_files, chart_pictures
from .extras import Extras, add_elements, check_pieces, missing_files, read_extras
from .icons import draw_icons
from .keys import help_page, key_page
from .module_setting import MAP, ModuleSetting
from .overlay import OverlayPiece, overlay_names, overlay_pieces
from .pieces import traits
from .pieces.maker import Art, Maker, marker_image, marker_slot
from .pieces.prototypes import MOVED_IMAGE
from .pieces.traits import private_window
from .records import RECORDS, RecordSheet
from .setups import write_set_up
from .sheets import OUT_WINDOW
from .turn_track import TURNS, frame_pieces, make_timeline, now_image, take_off_map
from .windows import BOXES, list_displays, sheet_image

_DRAWN_SUFFIX = "png"
"""The file extension of drawn pictures, without the dot."""
_MOVED_COLOUR = "#35322d"
"""The colour of the tag on a counter that has moved."""


class BuiltModule(NamedTuple):
    """A module with the figures that the command reports."""

    data: bytes
    """The bytes of its file."""
    counters: int
    """Number of counters."""
    doubtful: int
    """Number of counters with made-up values."""
    setups: Mapping[str, tuple[str, ...]]
    """Units off the board, by title of the set-up."""
    troubles: tuple[str, ...] = ()
    """Lines on the defects of counters."""
    absent: Mapping[str, int] = {}
    """Number of counters that are in no palette, by the file of the roster that has them."""

    @property
    def in_words(self) -> str:
        """The contents of the module in words."""
        some = "all" if self.doubtful == self.counters else f"{self.doubtful} of them"
        made_up = f", {some} with illustrative values," if self.doubtful else ""
        return f"{format_count(self.counters, 'counter')}{made_up} and {format_count(len(self.setups), 'set-up')}"


def build_module(game: Game) -> BuiltModule:
    """Return the module of a game. The same files give the same bytes on one installation.

    Raises InputError if the game's file has no [module], or if a file of the module has a fault.
    """
    wanted = wanted_module(game)
    for fault in faults(game):
        hint = f"`module-builder check {game.id}` lists what is wrong in the game's files"
        raise InputError(format_fault(fault), hint=hint)
    with _report_unholdable():
        return _build(game, wanted)


@contextmanager
def _report_unholdable() -> Iterator[None]:
    """Raise InputError for a text that VASSAL's files cannot contain."""
    try:
        yield
    except InputError:
        raise
    except ValueError as error:
        if is_want_of_memory(error):
            raise word_machine_error(error) from None
        raise InputError(str(error), hint="change that text in the game's files") from None


class _Plan(NamedTuple):
    """A module before its pictures are rendered."""

    setting: ModuleSetting
    counters: Sequence[Counter]
    """All counters of the module."""
    board: Board
    """The part of the board that the module shows."""
    own: Extras
    """Elements and files that an author adds."""
    root: etree._Element
    """The root of the build file."""
    small: Mapping[str, Scene]
    """Drawings by the names of their files, in millimetres."""
    large: Mapping[str, Scene]
    """Drawings by the names of their files, in pixels."""
    faces: Mapping[str, FaceFile]
    """The files of faces that are pictures of an author's own, by their paths in the module."""
    files: Mapping[str, bytes]
    """All other files except set-ups and help."""

    @property
    def names(self) -> set[str]:
        """The paths of all files."""
        setups = self.setting.game.file.module.setups if self.setting.game.file.module else ()
        drawn = (f"images/{name}" for name in (*self.small, *self.large))
        return {*drawn, *self.faces, *self.files, *(f"{make_slug(title)}.vsav" for _, title in setups), HELP}


def make_palettes(game: Game) -> Module:
    """Return the pieces of a game's module as in its palettes, without pictures or boards.

    Raises InputError as `build_module` does.
    """
    wanted = wanted_module(game)
    board, grid, faces = shown_board(game, wanted), module_grid(game, wanted), Faces(game, drawn=False)
    others = _list_other_slots(game, wanted, board, grid)
    _, maker, _ = _make_counters(game, wanted, _design_counters(game, faces), faces, others)
    pieces = {unit: maker.unit(unit) for unit in maker.art}
    pieces |= {marker_slot(*marked): maker.marker(*marked) for marked in maker.marked}
    track, turn = make_timeline(game, wanted.counter).track, turn_track(game)
    if track is not None and turn is not None:
        pieces |= {frame.id: take_off_map(frame) for frame in frame_pieces(track, turn, maker.slots)}
    records = RecordSheet(game, wanted.counter)
    pieces |= {piece.id: take_off_map(piece) for piece in records.pieces(maker.slots)}
    pieces |= {made.image: made.piece for made in _make_overlay(game, wanted, board, grid, maker)}
    return Module(
        about=ModuleData(wanted.name, wanted.version, VASSAL_VERSION, wanted.about),
        maps={},
        prototypes=maker.named,
        slots=tuple(Slot((), name, piece.slot, piece) for name, piece in pieces.items()),
        setups=(),
    )


def _list_other_slots(game: Game, wanted: VassalModule, board: Board, grid: BoardGrid) -> list[str]:
    """Return the slot names of markers on record tracks and of pieces that show supply."""
    records = [marker.slot for marker in RecordSheet(game, wanted.counter).markers]
    return [*records, *overlay_names(game, board, grid)] if wanted.supply else records


def _make_overlay(
    game: Game, wanted: VassalModule, board: Board, grid: BoardGrid, maker: Maker
) -> tuple[OverlayPiece, ...]:
    """Return the pieces that show supply, or none if the module has none."""
    return tuple(overlay_pieces(game, board, grid, maker.slots)) if wanted.supply else ()


def _design_counters(game: Game, faces: Faces) -> list[Counter]:
    """Return the counters of all units, with open backs: in a module, hidden units are masked."""
    return design_counters(game, open_backs=True, faces=faces)


def _make_counters(
    game: Game, wanted: VassalModule, drawn: Sequence[Counter], whole: Faces, others: Sequence[str]
) -> tuple[list[Counter], Maker, dict[str, FaceFile]]:
    """Return the module's counters, the maker of its pieces, and the faces that are an author's own pictures.

    These faces are by the names of the drawn ones.

    `drawn`: the counters of all units.
    `whole`: the faces of all units.
    `others`: the names of further slots.
    """
    of_unit = {counter.unit: counter for counter in drawn}
    counters = [of_unit[unit] for unit in list_units(game, wanted)]
    named = _picture_names(game)
    faces = {named(unit, side): file for unit, side, file in own_faces(whole, counters)}
    maker = Maker(
        game, {counter.unit: _choose_art(counter, named, faces) for counter in counters}, wanted.counter, others
    )
    return counters, maker, faces


def _make_plan(game: Game, wanted: VassalModule, drawn: Sequence[Counter], whole: Faces) -> _Plan:
    """Return a module without its pictures, set-ups and help.

    `drawn`: the counters of all units.
    `whole`: the whole faces of all units.
    """
    grid = module_grid(game, wanted)
    board = shown_board(game, wanted)
    counters, maker, faces = _make_counters(game, wanted, drawn, whole, _list_other_slots(game, wanted, board, grid))
    overlay = _make_overlay(game, wanted, board, grid, maker)
    about = ModuleData(wanted.name, wanted.version, VASSAL_VERSION, wanted.about)
    track, listed = make_timeline(game, wanted.counter)
    windows = picture_windows(
        game, wanted, {MAP, BOXES, OUT_WINDOW, TURNS, RECORDS, *map(private_window, game.file.sides)}
    )
    pictured = {*grid.boxes, *(box for window in windows.values() for box in window.grid.boxes)}
    boxes = tuple(box for box in game.board(wanted.board).boxes if box not in pictured and box != wanted.dead_pile)
    sheets = list_displays(game, boxes, list(maker.art), wanted.counter)
    record_sheet = RecordSheet(game, wanted.counter)
    records = record_sheet if record_sheet.tracks else None
    setting = ModuleSetting(
        game, maker, board.title, board.grid, grid, about, track, listed, windows, sheets, overlay, records
    )
    own, picture = read_extras(game, wanted.extra), own_map(game, board)
    image = f"{BOARD_PICTURE}.{picture.ending if picture else _DRAWN_SUFFIX}"
    setups = [(title, f"{make_slug(title)}.vsav") for _, title in wanted.setups]
    charts = GameCharts(game)
    root = build_file(setting, wanted, image, setups, charts)
    add_elements(root, own, _extra_file_of(wanted))
    _check_board(own.files, image, grid)
    large = {} if picture else {image: _draw_board(game, wanted, grid)}
    large |= _draw_large(setting, root)
    large |= chart_pictures(charts)
    large |= {shown.image: shown.scene for shown in overlay}
    own_pictures = {f"images/{_change_ending(name, face.ending)}": face for name, face in faces.items()}
    pictures = {window.image: window.data for window in windows.values()}
    if picture:
        pictures[image] = picture.data
    files = {f"images/{name}": data for name, data in pictures.items()}
    files |= {
        **chart_files(game, wanted, charts, {KEYS: "the page of keys", HELP: "the page of help"}),
        KEYS: key_page(game, wanted, root).encode(),
        **own.files,
    }
    small = {name: scene for name, scene in _draw_small(game, counters, maker).items() if name not in faces}
    return _Plan(setting, counters, board, own, root, small, large, own_pictures, files)


def _draw_large(setting: ModuleSetting, root: etree._Element) -> dict[str, Scene]:
    """Return the drawings of sheets and icons, in pixels."""
    drawn = {sheet_image(name): display.scene for name, display in setting.displays.items()}
    named = {value for element in root.iter() for value in element.attrib.values()}
    drawn |= {name: icon for name, icon in draw_icons(setting.game).items() if name in named}
    if setting.track is not None:
        drawn[sheet_image(TURNS)] = setting.track.scene
        drawn |= {now_image(column): frame for column, frame in enumerate(setting.track.frames, 1)}
    if setting.records is not None:
        drawn |= {sheet_image(RECORDS): setting.records.scene, **setting.records.pictures}
    return drawn


def _extra_file_of(wanted: VassalModule) -> str:
    return f"{wanted.extra}/{BUILD_FILES[0]}"


def module_faults(game: Game, faces: Faces | None = None) -> Iterator[InputError]:
    """Yield the mistakes in an author's additions to the module, once the game's own files are correct.

    `faces`: the game's whole faces, if the caller has read them.
    """
    whole = faces or Faces(game, drawn=False)
    wanted = game.file.module
    others: list[InputError] = [*faults(game)]
    find_course_faults(game, others.append)
    if wanted is None or others or _lacks_picture(game, wanted):  # reported with the game and its boards
        return
    try:
        drawn = _design_counters(game, whole)
    except ValueError:  # reported with the counters
        return
    try:
        with _report_unholdable():
            plan = _make_plan(game, wanted, drawn, whole)
    except InputError as error:
        yield error
    else:
        yield from _find_faults(plan, wanted)


def _lacks_picture(game: Game, wanted: VassalModule) -> bool:
    """Return whether the board names a picture whose file is missing."""
    picture, name = game.board(wanted.board).picture, game.board(wanted.board).name
    return picture is not None and not resolve_within(game.folder, f"boards/{name}/{picture.file}").is_file()


def _find_faults(plan: _Plan, wanted: VassalModule) -> Iterator[InputError]:
    """Yield files that the module names but lacks, and pieces that VASSAL could not read."""
    yield from check_pieces(plan.own.elements, _extra_file_of(wanted), plan.names)
    for missing in missing_files(plan.root, plan.names):
        hint = f"put it into {wanted.extra or 'the folder that [module] extra names'}"
        what = f"the module names the file {missing} but does not have it"
        yield InputError(what, where=Where("game.toml"), hint=hint)


def _render(plan: _Plan, side: float) -> dict[str, bytes]:
    """Return the drawings as PNG by path. `side`: the side of a counter, in pixels."""
    small, large = to_png(list(plan.small.values()), side / DESIGN_SIDE_MM), to_png(list(plan.large.values()), 1)
    return {f"images/{name}": data for name, data in zip((*plan.small, *plan.large), (*small, *large), strict=True)}


def _read_faces(plan: _Plan) -> dict[str, bytes]:
    """Return the pictures of own faces by path. Equal pictures share their bytes."""
    held: dict[bytes, bytes] = {}
    read = ((path, face.read().data) for path, face in plan.faces.items())
    return {path: held.setdefault(data, data) for path, data in read}


def _build(game: Game, wanted: VassalModule) -> BuiltModule:
    faces = Faces(game, drawn=False)
    plan = _make_plan(game, wanted, _design_counters(game, faces), faces)
    for fault in _find_faults(plan, wanted):
        raise fault
    files = {**_render(plan, wanted.counter), **_read_faces(plan), **plan.files}
    version = f"{wanted.version}-{_make_mark(game, wanted, plan.root, files)}"
    setting = plan.setting._replace(about=plan.setting.about._replace(module_version=version))
    setups = {title: _write_set_up(setting, file, title) for file, title in wanted.setups}
    left_out = {title: unplaced for title, (_, unplaced) in setups.items()}
    files |= {f"{make_slug(title)}.vsav": save for title, (save, _) in setups.items()}
    files[HELP] = help_page(game, wanted, plan.board, plan.counters, left_out).encode()
    data = write_container(
        {MODULE_DATA: write_module_data(setting.about), BUILD_FILES[0]: write_buildfile(plan.root, version), **files}
    )
    doubtful = sum(bool(counter.doubtful) for counter in plan.counters)
    return BuiltModule(
        data,
        len(plan.counters),
        doubtful,
        left_out,
        troubles=tuple(format_troubles(plan.counters)),
        absent=_count_absent(game, {counter.unit for counter in plan.counters}),
    )


def _count_absent(game: Game, present: Set[str]) -> dict[str, int]:
    """Return the number of counters of each file of the roster that are not present, without files that lack none."""
    left = {*game.counters} - present
    counts = dict[str, int]()
    for roster in game.file.roster:
        absent = left & {*list_rows(resolve_within(game.folder, roster.file))}
        left -= absent
        if absent:
            counts[roster.file] = len(absent)
    return counts


def _make_mark(game: Game, wanted: VassalModule, root: etree._Element, files: Mapping[str, bytes]) -> str:
    """Return a short mark of a module's contents, equal for equal contents."""
    digest = sha256("".join(_write_canonical(root)).encode())
    for name, data in sorted(files.items()):
        digest.update(name.encode() + sha256(data).digest())
    for file, _ in wanted.setups:
        digest.update(read_data(resolve_within(game.folder, file)))
    return digest.hexdigest()[:8]


_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;"})
_IN_ATTRIBUTE = str.maketrans({"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#x9;", "\n": "&#xA;", "\r": "&#xD;"})


def _write_canonical(element: etree._Element) -> Iterator[str]:
    """Yield an element without namespaces as Canonical XML.

    The function in lxml silently drops parts when memory is short.
    """
    name = str(element.tag)
    yield f"<{name}"
    for key, value in sorted(element.items()):
        yield f' {key}="{str(value).translate(_IN_ATTRIBUTE)}"'
    yield f">{(element.text or '').translate(_IN_TEXT)}"
    for inner_element in element:
        yield from _write_canonical(inner_element)
        yield (inner_element.tail or "").translate(_IN_TEXT)
    yield f"</{name}>"


def _check_board(files: Mapping[str, bytes], image: str, grid: BoardGrid) -> None:
    """Raise InputError if an author's picture of the board, `image`, does not fit its hexes."""
    board = files.get(f"images/{image}")
    if board is not None and (size := read_picture_size(board)) != grid.size:
        what = f"the picture of the board measures {size[0]} by {size[1]} pixels, not {grid.size[0]} by {grid.size[1]}"
        raise InputError(what, where=Where(f"images/{image}"), hint="the hexes would not lie on it: scale it")


def make_slug(title: str) -> str:
    """Return a title as a file name: letters and figures, with hyphens between words."""
    return "-".join(re.findall(r"\w+", title))


def wanted_module(game: Game) -> VassalModule:
    """Return the [module] of the game's file.

    Raises InputError if there is none.
    """
    if game.file.module is None:
        raise InputError(f"{game.title} has no [module]", where=Where("game.toml"), hint="add that table to game.toml")
    return game.file.module


def module_grid(game: Game, wanted: VassalModule) -> BoardGrid:
    """Return the hexes that the module shows, and the boxes on its picture."""
    board = shown_board(game, wanted)
    if board.picture:
        return map_grid(game, board)
    return board_grid(board.grid, wanted.hex) if has_hexes(board.grid) else table_grid()


def shown_board(game: Game, wanted: VassalModule) -> Board:
    """Return the board with only the hexes that the module shows.

    Boxes beside the map are only in modules of the whole map.
    """
    board = game.board(wanted.board)
    columns, rows = wanted.columns or board.grid.columns, wanted.rows or board.grid.rows
    grid = msgspec.structs.replace(board.grid, columns=columns, rows=rows)
    hexes = frozenset(name for name in board.hexes if grid.holds(board.grid.parse(name)))
    boxes = () if wanted.columns or wanted.rows else board.boxes
    return msgspec.structs.replace(board, grid=grid, hexes=hexes, boxes=boxes)


def list_units(game: Game, wanted: VassalModule) -> list[str]:
    """Return the units with a counter in the module."""
    if not wanted.unit_files:
        return list(game.counters)
    return [unit for file in wanted.unit_files for unit in list_rows(resolve_within(game.folder, file))]


def _write_set_up(setting: ModuleSetting, file: str, title: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a set-up as the bytes of a save, and the units off its board.

    Raises InputError if the set-up cannot be used or belongs to another game.
    """
    path = resolve_within(setting.game.folder, file)

    def this_game(id: str) -> Game:
        if id != setting.game.id:
            hint = f'write: game {setting.game.id}; or name the game in game.toml: id = "{id}"'
            raise InputError(f"a position of the game {id}", hint=hint)
        return setting.game

    with located(Where(file)), _report_unholdable():
        made = write_set_up(setting, read_position(file, read_data(path), this_game), title)
        return write_save(made.save), made.left_out


def _choose_art(counter: Counter, named: Callable[[str, str], str], faces: Mapping[str, FaceFile]) -> Art:
    """Return the pictures of a counter. `faces`: the faces that are an author's own."""

    def picture(side: str) -> str:
        name = named(counter.unit, side)
        return _change_ending(name, faces[name].ending) if name in faces else name

    return Art(picture("front"), "" if counter.back is None or counter.is_plain_behind else picture("back"))


def _change_ending(name: str, ending: str) -> str:
    """Return the name of a drawn picture with the suffix of the author's picture that replaces it."""
    return f"{name.removesuffix(_DRAWN_SUFFIX)}{ending}"


def _picture_names(game: Game) -> Callable[[str, str], str]:
    """Return the word that names the picture of each face. A renamed unit has its old name, which saves contain."""
    renamed = game.file.module.renamed if game.file.module else {}
    words = picture_words(renamed.get(unit, unit) for unit in game.counters)
    return lambda unit, face: face_picture(words[renamed.get(unit, unit)], face)


# --- pictures ---------------------------------------------------------------------------------------------------------


def _draw_small(game: Game, counters: Sequence[Counter], maker: Maker) -> dict[str, Scene]:
    """Return the drawings of counter size by file name: counters, tags, markers and backs."""
    named = _picture_names(game)
    scenes = {named(*side): scene for side, scene in side_scenes(counters, plain=False).items()}
    return scenes | {
        **traits.mask_pictures(game),
        **_draw_tags(maker),
        **_draw_markers(maker),
        MOVED_IMAGE: badge("M", _MOVED_COLOUR),
    }


def _draw_board(game: Game, wanted: VassalModule, grid: BoardGrid) -> Scene:
    """Return the board in pixels, or a bare table without hexes. Lines run off the edge of the shown part."""
    if not grid.hexes:
        return bare_table(grid.size)
    board = game.board(wanted.board)
    named = {hex: name for hex, name in read_places(game, wanted).items() if hex in grid.hexes}
    hexes = tuple(hex for hex in grid.hexes if not board.hexes or hex in board.hexes)
    centre = grid.hexes.__getitem__
    return board_scene(board, centre, wanted.hex, grid.size, named, game=game, hexes=hexes, counter=wanted.counter)


def _draw_tags(maker: Maker) -> dict[str, Scene]:
    """Return the tags on counters, and those of markers beside them."""
    scenes, palette = dict[str, Scene](), palette_of(maker.game)
    for status in maker.tagged.values():
        if status.track.on == "hex" and not any(status.shown.at):
            continue  # the printed marker itself lies on the hex
        for level in status.levels:
            if level.image and level.image not in scenes and level.value is not None:
                colour = tag_colour(status.track, level.value, palette)
                scenes[level.image] = badge(status.track.tag(level.value), colour)
    return scenes


def _draw_markers(maker: Maker) -> dict[str, Scene]:
    stated = [(status, value) for status, value in maker.marked if value is not None and not status.nation]
    faces = marker_faces(maker.game, ((status.track, value) for status, value in stated))
    caps = {
        marker_image(*marked): crest_up(maker.game, marked[0].nation) for marked in maker.marked if marked[0].nation
    }
    return caps | {marker_image(*marked): face for marked, face in zip(stated, faces, strict=True)}


def read_places(game: Game, wanted: VassalModule) -> dict[str, str]:
    """Return the named places of the board by hex.

    Raises InputError, with file and line, if a hex is off the map.
    """
    if not wanted.places:
        return {}
    board = game.board(wanted.board)
    names = {}
    for row, where in read_rows(resolve_within(game.folder, wanted.places), ["hex", "name"]):
        with located(where):
            names[board.place(row["hex"])] = row["name"]
    return names
