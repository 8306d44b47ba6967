"""Modules: maps with their boards and grids, prototypes, palettes and set-ups, and a module's new game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Annotated, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from ...util.errors import InputError, Where, located, plain
from ...util.limits import Limit, TooMuch
from ...util.notes import note
from ...util.patterns import late_pattern
from ...util.xml_reader import read_xml
from .archives import Archive
from .containers import BUILD_FILES, COMMANDS, MODULE_DATA, ModuleData, read_module_data
from .controls import BUILD_MODULE, Controls, read_controls
from .file_limits import name_limits, name_module_limits
from .grids import LaidBoards, Pixel, PlacedBoard, printed_place, read_grid
from .maps import BoardDrawing, MapWindow, Start, read_size, stack_pixel, starting_stack
from .pieces import Piece, PieceStack, piece_parts, read_added
from .saves import MODULE, Save, boards_of
from .sequence import read_whole, split
from .traits import Trait, with_parameters

_EXTENSION = f"{BUILD_MODULE}ModuleExtension"
"""The root of the build file of an extension."""
_WIDGET = "VASSAL.build.widget."
"""The beginning of the class of a palette's element."""
MAPS = (f"{BUILD_MODULE}Map", f"{BUILD_MODULE}PrivateMap", f"{BUILD_MODULE}PlayerHand")
BOARD = f"{BUILD_MODULE}map.boardPicker.Board"
PICKER = f"{BUILD_MODULE}map.BoardPicker"
PROTOTYPE = f"{BUILD_MODULE}PrototypeDefinition"
SLOTS = (f"{_WIDGET}PieceSlot", f"{_WIDGET}CardSlot")
SETUP = f"{BUILD_MODULE}PredefinedSetup"
STARTS = (f"{BUILD_MODULE}map.SetupStack", f"{BUILD_MODULE}map.DrawPile")
"""Elements of a map with the stacks and decks of a new game."""
EXTENDS = f"{BUILD_MODULE}ExtensionElement"
"""An element of an extension whose contents belong in the element of the module that its target names."""
_PROPERTIES = f"{BUILD_MODULE}properties.GlobalProperties"
_PROPERTY_HOLDERS = (_PROPERTIES, f"{EXTENDS}[@target='{_PROPERTIES}']")
"""The elements with the global properties, in a module's file and in an extension's."""
_OWN_CODE = late_pattern(r"(?!VASSAL\.)\w+(?:\.\w+)+")
"""The class of an element from the module's own code."""


class Slot(NamedTuple):
    """A piece of a palette: the path of tabs and lists to it, its name, its id, and its definition."""

    path: tuple[str, ...]
    name: str
    id: str
    piece: Piece


class Module(msgspec.Struct, frozen=True, kw_only=True):
    """A module, possibly with its extensions."""

    about: ModuleData
    maps: Annotated[Mapping[str, MapWindow], note("the maps, by name")]
    prototypes: Annotated[Mapping[str, tuple[Trait, ...]], note("the traits of each prototype, the outermost first")]
    slots: Annotated[tuple[Slot, ...], note("the pieces of all palettes")]
    setups: Annotated[tuple[tuple[str, str], ...], note("the predefined setups, title and file")]
    unread: Annotated[tuple[str, ...], note("elements with impossible attributes, in words")] = ()
    classes: Annotated[
        Mapping[str, int],
        note("classes of the module's own code, which is never run, with the number of their elements"),
    ] = {}
    starts: Annotated[tuple[Start, ...], note("the stacks and decks of a new game without a set-up")] = ()
    properties: Annotated[Mapping[str, str], note("the module's own global properties at the start of a game")] = {}
    controls: Annotated[Controls, note("sides, turn trackers and dice buttons")] = Controls()
    is_extension: Annotated[bool, note("whether it is an extension, which has the name of its module")] = False

    def locate(self, save: Save, piece: Piece | PieceStack) -> str:
        """Return VASSAL's location of a piece or stack: the name of its deck, or else the printed place.

        For a deck without a board, VASSAL compares positions as if the map had no margins, though the deck is within
        them.
        """
        placed = self.placed(save, piece.map)
        decks = (start for start in self.starts if start.deck and start.map == piece.map)
        names = (deck.name for deck in decks if find_start(deck, placed, (0, 0)) == piece.at)
        return next(names, "") or printed_place(placed, piece.at)

    def printed(self, save: Save, piece: Piece | PieceStack) -> str:
        """Return the printed place of a piece or stack, or "" off the boards or without a grid."""
        return printed_place(self.placed(save, piece.map), piece.at)

    def placed(self, save: Save, map: str) -> list[PlacedBoard]:
        """Return the boards of a map in a save, at their positions."""
        return self.maps[map].placed(save.boards.get(map, ())) if map in self.maps else []

    def expanded(self, traits: tuple[Trait, ...]) -> tuple[Trait, ...]:
        """Return traits with each prototype replaced by its own traits, as in VASSAL for a piece on a map.

        Half of the published modules name prototypes that do not exist. Such a trait is kept: see `missing`.

        Raises InputError if a prototype contains itself, or if there are too many of them.
        """
        return tuple(self._expand(traits, (), count(1)))

    def missing(self, traits: tuple[Trait, ...]) -> list[str]:
        """Return the prototypes named by traits that the module lacks, each once."""
        return list(dict.fromkeys(trait.part(1) for trait in self.expanded(traits) if trait.kind == "prototype"))

    def extended(self, extension: Module) -> Module:
        """Return the module with everything that an extension adds.

        Raises InputError if the extension is the module itself.
        """
        if not extension.is_extension and extension.about.module == self.about.module:
            raise InputError("this is the module itself, not an extension", hint="name it once")
        maps = _join_maps((*self.maps.values(), *extension.maps.values()))
        starts, nowhere = _join_starts(self.starts, extension.starts, maps)
        return msgspec.structs.replace(
            self,
            maps=maps,
            prototypes={**self.prototypes, **extension.prototypes},
            slots=self.slots + extension.slots,
            setups=self.setups + extension.setups,
            starts=starts,
            properties={**self.properties, **extension.properties},
            controls=self.controls.joined(extension.controls),
            unread=(*self.unread, *extension.unread, *map(plain, nowhere)),
            classes=Counter(self.classes) + Counter(extension.classes),
        )

    def _expand(self, traits: tuple[Trait, ...], within: tuple[str, ...], visits: Iterator[int]) -> Iterator[Trait]:
        for trait in traits:
            if trait.kind == "prototype":
                name, *given = split(trait.type, ";")[1:] or [""]
                if name in within:
                    raise InputError(f"prototype {name!r} contains itself")
                Limit.PROTOTYPES.check(next(visits), "a piece has")
                if name in self.prototypes:
                    traits = tuple(with_parameters(inner, *given[:1]) for inner in self.prototypes[name])
                    yield from self._expand(traits, (*within, name), visits)
                else:
                    yield trait
            elif trait.kind != "cmt":
                yield trait


def read_modules(paths: Sequence[Path]) -> Module:
    """Return the module in the first file, with the extensions in the others.

    Raises InputError, with the file, if one is missing, is not a module or is damaged.
    """
    module, *extensions = map(read_module_file, paths)
    for path, extension in zip(paths[1:], extensions, strict=True):
        with located(Where(str(path))):
            module = module.extended(extension)
    return module


def read_module_file(path: Path) -> Module:
    """Return the module or extension in a file.

    Raises InputError, with the file, if it is missing, is not a module or is damaged.
    """
    with located(Where(str(path))):
        if not path.is_file():
            what = "it is a folder" if path.is_dir() else "there is no such file"
            raise InputError(what, hint="name a file that ends in .vmod or .vmdx")
        return read_module(path)


def read_module(source: bytes | Path) -> Module:
    """Return a module from the bytes or path of its file. From a path only needed parts are read.

    Raises InputError if it is not a module or is damaged.
    """
    return name_limits(lambda: _read_source(source), lambda error: name_module_limits(error, source))


def _read_source(source: bytes | Path) -> Module:
    with closing(Archive(source)) as archive:
        build = next((name for name in BUILD_FILES if name in archive), None)
        if build is None:
            played = "this is a save or a log: name its module, which ends in .vmod"
            hint = played if COMMANDS in archive else "this zip file is not a VASSAL module"
            raise InputError(f"{BUILD_FILES[0]} is missing", hint=hint)
        about = archive.read(MODULE_DATA) if MODULE_DATA in archive else b""
        return _ModuleReader(read_xml(archive.read(build), build), about, archive).module()


class _ModuleReader:
    """A module while it is read."""

    def __init__(self, root: Element, about: bytes, archive: Archive) -> None:
        self.root = root
        self.about = about
        self.archive = archive
        self.above = {child: element for element in root.iter() for child in element}
        self.unread: list[str] = []
        self.sizes: dict[str, Pixel | str] = {}  # the size, or the reason why it cannot be read, by image
        self.parts = 0

    def module(self) -> Module:
        about = read_module_data(self.about) if self.about else ModuleData()
        is_extension = self.root.tag == _EXTENSION
        named = {name: self.root.get(name, "") for name in ("name", "module", "version", "VassalVersion")}
        about = about._replace(
            module=named["module"] if is_extension else about.module or named["name"],
            module_version=about.module_version or named["version"],
            vassal_version=about.vassal_version or named["VassalVersion"],
        )
        boards: dict[Element, list[BoardDrawing]] = {element: [] for element in self.root.iter() if _is_map(element)}
        for board in self.root.iter(BOARD):
            if (holder := next((above for above in self.around(board) if above in boards), None)) is not None:
                boards[holder].append(self.board(board))
            else:
                self.unread.append(f"board {board.get('name', '')}: it belongs to no map")
        for element in self.root.iter(EXTENDS):
            for name in (name for kind, name in _read_target(element) if kind == BOARD):
                self.unread.append(f"board {name}: what an extension adds to its grid is left out")
        windows = {map: _read_window(map, drawn, number) for number, (map, drawn) in enumerate(boards.items())}
        prototypes = {
            element.get("name", ""): piece.traits[:-1]
            for element in self.root.iter(PROTOTYPE)
            if (piece := self.piece(element)) is not None
        }
        setups = ((element.get("name", ""), element.get("file", "")) for element in self.root.iter(SETUP))
        return Module(
            about=about,
            maps=_join_maps(windows.values()),
            prototypes=prototypes,
            slots=tuple(self.slots(self.root, (), count(1))),
            starts=tuple(self.starts(windows)),
            properties={
                element.get("name", ""): element.get("initialValue", "")
                for holder in _PROPERTY_HOLDERS
                for element in self.root.iterfind(f"{holder}/{BUILD_MODULE}properties.GlobalProperty")
            },
            setups=tuple(setup for setup in setups if setup[1]),
            unread=tuple(map(plain, self.unread)),
            controls=read_controls(self.root),
            is_extension=is_extension,
            classes=Counter(element.tag for element in self.root.iter() if _OWN_CODE.fullmatch(element.tag)),
        )

    def around(self, element: Element) -> Iterator[Element]:
        """Yield the elements around another one, the nearest first."""
        holder = self.above.get(element)
        while holder is not None:
            yield holder
            holder = self.above.get(holder)

    def board(self, element: Element) -> BoardDrawing:
        name, image = element.get("name", ""), element.get("image", "")
        size = max(read_whole(element.get("width", "0")), 0), max(read_whole(element.get("height", "0")), 0)
        try:
            size = self.image_size(image) if image else size
            return BoardDrawing(name, size, read_grid(element, size), image)
        except (ValueError, OverflowError) as error:
            if isinstance(error, TooMuch) and Limit.CONTAINER in error.over:
                raise
            self.unread.append(f"board {name}: {error.what if isinstance(error, InputError) else error}")
            return BoardDrawing(name, size, None, image)

    def image_size(self, image: str) -> Pixel:
        """Return width and height of an image.

        Raises ValueError if it is missing or unreadable.
        """
        if f"images/{image}" not in self.archive:
            raise ValueError(f"image {image} is missing")
        if image not in self.sizes:
            try:
                self.sizes[image] = read_size(self.archive, f"images/{image}")
            except TooMuch:
                raise
            except ValueError as error:
                self.sizes[image] = error.what if isinstance(error, InputError) else str(error)
        size = self.sizes[image]
        if isinstance(size, str):
            raise ValueError(f"image {image} cannot be read: {size}")
        return size

    def slots(self, element: Element, path: tuple[str, ...], numbers: Iterator[int]) -> Iterator[Slot]:
        """Yield the pieces of all palettes within an element. Pieces in the same list have the same path.

        `path`: the path of the element.
        `numbers`: counts the pieces.
        """
        name = element.get("entryName", "")
        if element.tag in SLOTS:
            Limit.PIECES.check(next(numbers), "the palettes hold")
            if (piece := self.piece(element)) is not None:
                yield Slot(path, name, element.get("gpid", ""), piece)
        elif name and element.tag.startswith(_WIDGET):
            path = (*path, name)
        elif element.tag == STARTS[1] and (deck := element.get("name", "")):
            path = (*path, deck)
        for child in element:
            yield from self.slots(child, path, numbers)

    def starts(self, windows: Mapping[Element, MapWindow]) -> Iterator[Start]:
        """Yield the stacks and decks of a new game."""
        for element in _find_within(self.root, STARTS):
            if not (map := self.map_of(element, windows)):
                self.unread.append(f"{element.get('name', '')}: it lies on no map")
                continue
            pieces = self.pieces(element)
            yield starting_stack(element.attrib, map, pieces, is_deck=element.tag == STARTS[1])

        for element in self.root.iter(EXTENDS):
            kind, name = _read_target(element)[-1]
            if kind in STARTS:
                yield Start(name, self.map_of(element, windows), "", (0, 0), "", self.pieces(element), joins=True)

    def map_of(self, element: Element, windows: Mapping[Element, MapWindow]) -> str:
        """Return the name of an element's map, or "" if it is in none.

        Additions of an extension are within no map. Their target names it, possibly with a class of the module's own.
        """
        for above in (element, *self.around(element)):
            if above in windows:
                return windows[above].name
            if above.tag == EXTENDS:
                maps = (
                    name for kind, name in reversed(_read_target(above)) if kind in MAPS or _OWN_CODE.fullmatch(kind)
                )
                return next(maps, "")
        return ""

    def pieces(self, element: Element) -> tuple[Piece, ...]:
        return tuple(piece for slot in _find_within(element, SLOTS) if (piece := self.piece(slot)) is not None)

    def piece(self, element: Element) -> Piece | None:
        try:
            added = read_added((element.text or "").strip())
            if isinstance(added, Piece):
                Limit.TRAITS.check(len(added.traits), "it has")
        except (ValueError, IndexError) as error:
            what = error.what if isinstance(error, InputError) else error
            self.unread.append(f"{element.get('entryName') or element.get('name')}: {what}")
            return None
        if not isinstance(added, Piece):
            return None
        self.parts += piece_parts(added)
        Limit.PARTS.check(self.parts, "its pieces have")
        return added


def _find_within(element: Element, tags: Collection[str]) -> Iterator[Element]:
    return (inner for inner in element.iter() if inner.tag in tags)


def _is_map(element: Element) -> bool:
    """Return whether an element is a map, even of the module's own class, or an extension's addition to a map."""
    if element.tag == EXTENDS:
        return _find_extended_map(element) is not None
    return element.get("mapName") is not None or element.tag in MAPS or element.find(PICKER) is not None


def _find_extended_map(element: Element) -> str | None:
    """Return the map to whose board picker an extension's element adds boards, or None."""
    *_, (kind, name), (last, _) = [("", ""), ("", ""), *_read_target(element)]
    return name if last == PICKER and kind else None


def _read_target(element: Element) -> list[tuple[str, str]]:
    """Return the path to the target of an extension's element, as class and name of each part."""
    parts = ([*split(part, ":"), ""] for part in split(element.get("target", ""), "/"))
    return [(kind, name) for kind, name, *_ in parts]


def _read_window(element: Element, boards: list[BoardDrawing], number: int) -> MapWindow:
    edge = max(read_whole(element.get("edgeWidth", "0")), 0), max(read_whole(element.get("edgeHeight", "0")), 0)
    name = _find_extended_map(element) if element.tag == EXTENDS else element.get("mapName")
    sides = tuple(side for side in split(element.get("side", ""), ",") if side)
    # the attributes mark a private window even if its class is the module's own
    private = element.tag in MAPS[1:] or element.get("visible") is not None or bool(sides)
    is_open = not private or element.get("visible") == "true"
    drawn = {board.name: board for board in boards}
    return MapWindow(name or f"Map{number}", edge, drawn, sides, is_open, _read_setup(element, boards))


def _join_maps(windows: Iterable[MapWindow]) -> dict[str, MapWindow]:
    """Return maps by name. Of several maps with one name the first gets the boards of all.

    An extension adds each board in a separate element.
    """
    maps: dict[str, MapWindow] = {}
    for window in windows:
        maps[window.name] = maps[window.name].with_boards(window.boards) if window.name in maps else window
    return maps


def _join_starts(
    starts: Sequence[Start], added: Sequence[Start], maps: Mapping[str, MapWindow]
) -> tuple[tuple[Start, ...], list[str]]:
    """Return the stacks and decks of a new game with an extension's additions, and remarks on misplaced ones."""
    joined = [*starts]
    nowhere = list[str]()
    for start in added:
        if start.map not in maps:
            nowhere.append(f"{start.name}: the module has no map {start.map}")
        if not start.joins:
            joined.append(start)
            continue
        same = (n for n, other in enumerate(joined) if (other.map, other.name) == (start.map, start.name))
        if (place := next(same, None)) is not None:
            joined[place] = joined[place]._replace(pieces=joined[place].pieces + start.pieces)
        elif start.map in maps:
            nowhere.append(f"{start.name}: the module has no such stack or deck on {start.map}")
    return tuple(joined), nowhere


def _read_setup(element: Element, boards: list[BoardDrawing]) -> LaidBoards:
    """Return the boards of a new game: those named by the map's picker, or else the first one.

    Without a name VASSAL asks the players.
    """
    _, *words = split(element.findtext(f"{PICKER}/setup", ""), "\t")
    with suppress(ValueError):
        if named := boards_of(words):
            return named
    return tuple((board.name, 0, 0) for board in boards[:1])


def find_start(start: Start, placed: Sequence[PlacedBoard], edge: Pixel) -> Pixel | None:
    """Return the pixel of a stack or deck in a new game, or None if its board is not in play.

    `placed`: the boards of the map.
    `edge`: the margins of the map.
    """
    board = next((placed_board for placed_board in placed if not start.board or placed_board.name == start.board), None)
    if board is None and start.board:
        return None
    printed = stack_pixel(start.location, board.grid) if start.location and board is not None else None
    return start.on(placed, edge, printed)


def set_up_game(module: Module) -> Save:
    """Return a new game: boards, global properties and the module's own set-up, with expanded prototypes.

    Raises InputError if a prototype contains itself.
    """
    pieces: dict[str, Piece] = {}
    stacks: dict[str, PieceStack] = {}
    for number, start in enumerate(module.starts, 1):
        window = None if start.joins else module.maps.get(start.map)
        if window is None:
            continue
        at = find_start(start, window.placed(window.setup), window.edge)
        if at is None:
            continue
        for height, piece in enumerate(start.pieces, 1):
            id = f"{number}.{height}"
            pieces[id] = piece._replace(id=id, traits=module.expanded(piece.traits), map=start.map, at=at)
        ids = tuple(f"{number}.{height}" for height in range(1, len(start.pieces) + 1))
        stacked = ids if start.deck else tuple(id for id in ids if pieces[id].stacks)
        layer = None if start.deck else 0
        stacks[str(number)] = PieceStack(str(number), stacked, start.map, at, layer, start.deck, start.face_down)
    properties = {(MODULE, name): value for name, value in module.properties.items()}
    boards = {name: window.setup for name, window in module.maps.items() if window.setup}
    return Save(about=module.about, boards=boards, pieces=pieces, stacks=stacks, properties=properties)
