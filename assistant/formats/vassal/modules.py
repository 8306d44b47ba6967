"""Modules: maps with their boards and grids, prototypes and piece palettes, read from a module's file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec
from lxml import etree

from ...util.errors import InputError, Where, located, plain
from ...util.limits import Limit, TooMuch
from ...util.markup import read_xml
from .archives import Archive
from .containers import BUILD_FILES, COMMANDS, MODULE_DATA, ModuleData, read_module_data
from .elements.controls import Controls, controls_of
from .elements.maps import BoardDrawing, MapWindow, Start, size_in, start_of
from .grids import Pixel, PlacedBoard, printed_place, read_grid
from .pieces import Piece, Stack, of_command, parts_of
from .saves import Save, boards_of
from .sequence import split
from .surveys import all_named_of_module
from .traits import Trait, with_parameters

_MODULE, _WIDGET = "VASSAL.build.module.", "VASSAL.build.widget."
MAPS = ("VASSAL.build.module.Map", "VASSAL.build.module.PrivateMap", "VASSAL.build.module.PlayerHand")
BOARD = f"{_MODULE}map.boardPicker.Board"
PICKER = f"{_MODULE}map.BoardPicker"
PROTOTYPE = f"{_MODULE}PrototypeDefinition"
SLOTS = (f"{_WIDGET}PieceSlot", f"{_WIDGET}CardSlot")
SETUP = f"{_MODULE}PredefinedSetup"
PROPERTIES = f"{_MODULE}properties.GlobalProperties/{_MODULE}properties.GlobalProperty"
STARTS = (f"{_MODULE}map.SetupStack", f"{_MODULE}map.DrawPile")
"""Elements of a map that hold what a new game begins with: stacks, and decks of cards."""
EXTENDS = f"{_MODULE}ExtensionElement"
"""An element of an extension: what it holds is added to the element of the module that its target names."""
#: The class of an element that is none of the engine's.
_OWN_CODE = re.compile(r"(?!VASSAL\.)\w+(?:\.\w+)+")


class Slot(NamedTuple):
    """A piece of a palette: the path of tabs and lists to it, its name, its id, and its definition."""

    path: tuple[str, ...]
    name: str
    id: str
    piece: Piece


class Module(msgspec.Struct, frozen=True, kw_only=True):
    """A module.

    about: its name and versions; maps: by name; prototypes: traits by name, outermost first; slots: those of all
    palettes; setups: the predefined setups, title and file; starts: what a new game without one begins with;
    properties: its own global ones, as a new game begins with them; unread: elements with impossible attributes, in
    words; classes: those of the module's own code, which is never run, with how many elements each has; controls:
    sides, turn trackers and dice buttons.
    """

    about: ModuleData
    maps: Mapping[str, MapWindow]
    prototypes: Mapping[str, tuple[Trait, ...]]
    slots: tuple[Slot, ...]
    setups: tuple[tuple[str, str], ...]
    unread: tuple[str, ...] = ()
    classes: Mapping[str, int] = {}
    starts: tuple[Start, ...] = ()
    properties: Mapping[str, str] = {}
    controls: Controls = Controls()

    def locate(self, save: Save, piece: Piece | Stack) -> str:
        """Where VASSAL says that a piece or a stack of a save is: at a deck, else its printed place."""
        placed = self.placed(save, piece.map)
        decks = (start for start in self.starts if start.deck and start.map == piece.map)
        at = (deck.name for deck in decks if deck.on(placed, self.maps[piece.map].edge) == piece.at)
        return next(at, "") or printed_place(placed, piece.at)

    def printed(self, save: Save, piece: Piece | Stack) -> str:
        """The printed place of a piece, a stack or a deck of a save, "" if it is off the boards or the board has no
        grid.
        """
        return printed_place(self.placed(save, piece.map), piece.at)

    def placed(self, save: Save, map: str) -> list[PlacedBoard]:
        """The boards of a map in a save, at their positions."""
        return self.maps[map].placed(save.boards.get(map, ())) if map in self.maps else []

    def expanded(self, traits: tuple[Trait, ...]) -> tuple[Trait, ...]:
        """Traits with each prototype replaced by its own traits, as VASSAL does for a piece on a map.

        Half of the published modules name prototypes that do not exist; such a trait stays as it is: see `missing`.

        Raises InputError for a prototype that contains itself, and for too many of them.
        """
        return tuple(self._expand(traits, (), count(1)))

    def missing(self, traits: tuple[Trait, ...]) -> list[str]:
        """The prototypes that traits name, each once, and the module does not have."""
        return list(dict.fromkeys(_prototype(trait) for trait in self.expanded(traits) if trait.kind == "prototype"))

    def extended(self, extension: Module) -> Module:
        """The module with what an extension adds to it: boards of its maps, maps, prototypes, palettes and set-ups."""
        maps = dict(self.maps)
        for name, window in extension.maps.items():
            known = maps.get(name, window)
            maps[name] = known._replace(boards={**known.boards, **window.boards})
        return msgspec.structs.replace(
            self,
            maps=maps,
            prototypes={**self.prototypes, **extension.prototypes},
            slots=self.slots + extension.slots,
            setups=self.setups + extension.setups,
            starts=self.starts + extension.starts,
            unread=self.unread + extension.unread,
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


def _prototype(trait: Trait) -> str:
    return (*split(trait.type, ";"), "")[1]


def read_modules(paths: Sequence[Path]) -> Module:
    """The module in the first of some files, with the extensions in the others.

    Raises InputError, with the file, if one is missing, is not a module or is damaged.
    """
    module, *extensions = map(read_module_file, paths)
    for extension in extensions:
        module = module.extended(extension)
    return module


def read_module_file(path: Path) -> Module:
    """The module or the extension in a file. Raises InputError, with the file, if it is missing, is not a module or is
    damaged.
    """
    with located(Where(str(path))):
        if not path.is_file():
            raise InputError("there is no such file", hint="name one that ends in .vmod or .vmdx")
        return read_module(path)


def read_module(source: bytes | Path) -> Module:
    """A module from the bytes of its file, or from its path: of a large file only what is needed is read.

    Raises InputError if it is not a module or is damaged.
    """
    try:
        return _read(source)
    except TooMuch as error:
        error.__traceback__ = None  # it holds what was read so far
        too_much = error
    raise all_named_of_module(too_much, source)


def _read(source: bytes | Path) -> Module:
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

    def __init__(self, root: etree._Element, about: bytes, archive: Archive) -> None:
        self.root, self.about, self.archive = root, about, archive
        self.unread: list[str] = []
        self.sizes: dict[str, Pixel | str] = {}  # by image, or why it cannot be read
        self.parts = 0

    def module(self) -> Module:
        about = read_module_data(self.about) if self.about else ModuleData()
        named = {name: self.root.get(name, "") for name in ("name", "version", "VassalVersion")}
        about = about._replace(
            module=about.module or named["name"],
            module_version=about.module_version or named["version"],
            vassal_version=about.vassal_version or named["VassalVersion"],
        )
        elements = [element for element in self.root.iter() if isinstance(element.tag, str)]
        boards: dict[etree._Element, list[BoardDrawing]] = {element: [] for element in elements if _is_map(element)}
        for board in self.root.iter(BOARD):
            if (holder := next((above for above in board.iterancestors() if above in boards), None)) is not None:
                boards[holder].append(self.board(board))
        windows = [_window(element, drawn, number) for number, (element, drawn) in enumerate(boards.items())]
        prototypes = {
            element.get("name", ""): piece.traits[:-1]
            for element in self.root.iter(PROTOTYPE)
            if (piece := self.piece(element)) is not None
        }
        setups = ((element.get("name", ""), element.get("file", "")) for element in self.root.iter(SETUP))
        return Module(
            about=about,
            maps={window.name: window for window in windows},
            prototypes=prototypes,
            slots=tuple(self.slots()),
            starts=tuple(self.starts(windows, list(boards))),
            properties={
                element.get("name", ""): element.get("initialValue", "") for element in self.root.iterfind(PROPERTIES)
            },
            setups=tuple(setup for setup in setups if setup[1]),
            unread=tuple(map(plain, self.unread)),
            controls=controls_of(self.root),
            classes=Counter(tag for tag in map(_tag, elements) if _OWN_CODE.fullmatch(tag)),
        )

    def board(self, element: etree._Element) -> BoardDrawing:
        name, image = element.get("name", ""), element.get("image", "")
        size = _positive(element.get("width", "0")), _positive(element.get("height", "0"))
        try:
            size = self.image_size(image) if image else size
            return BoardDrawing(name, size, read_grid(element, size), image)
        except (ValueError, OverflowError) as error:
            if isinstance(error, TooMuch) and Limit.CONTAINER in error.over:
                raise
            self.unread.append(f"board {name}: {error.what if isinstance(error, InputError) else error}")
            return BoardDrawing(name, size, None, image)

    def image_size(self, image: str) -> Pixel:
        """Width and height of an image. Raises ValueError if it is missing or unreadable."""
        if f"images/{image}" not in self.archive:
            raise ValueError(f"image {image} is missing")
        if image not in self.sizes:
            try:
                self.sizes[image] = size_in(self.archive, f"images/{image}")
            except TooMuch:
                raise
            except ValueError as error:
                self.sizes[image] = error.what if isinstance(error, InputError) else str(error)
        size = self.sizes[image]
        if isinstance(size, str):
            raise ValueError(f"image {image} cannot be read: {size}")
        Limit.PIXELS.check(size[0] * size[1], f"image {image} has")
        return size

    def slots(self) -> Iterator[Slot]:
        """The pieces of all palettes; those in the same list share its path."""
        above: list[str] = []
        path: tuple[str, ...] = ()
        numbers = count(1)
        for event, element in etree.iterwalk(self.root, events=("start", "end")):
            if event == "start" and element.tag in SLOTS:
                Limit.PIECES.check(next(numbers), "the palettes hold")
                piece = self.piece(element)
                if piece is not None:
                    yield Slot(path, element.get("entryName", ""), element.get("gpid", ""), piece)
            elif _is_widget(element) and (name := element.get("entryName", "")):
                if event == "start":
                    above.append(name)
                elif element.tag not in SLOTS:
                    above.pop()
                path = tuple(above)

    def starts(self, windows: list[MapWindow], maps: list[etree._Element]) -> Iterator[Start]:
        """What a new game begins with. maps: the elements of the windows."""
        window_of = dict(zip(maps, windows, strict=True))
        for element in self.root.iter(*STARTS):
            window = next((window_of[above] for above in element.iterancestors() if above in window_of), None)
            if window is None:
                continue
            pieces_of = [self.piece(slot) for slot in element.iter(*SLOTS)]
            pieces = tuple(piece for piece in pieces_of if piece is not None)
            said = {str(name): str(value) for name, value in element.attrib.items()}
            yield start_of(said, window.name, pieces, is_deck=element.tag == STARTS[1])

    def piece(self, element: etree._Element) -> Piece | None:
        """The piece that an element's text defines."""
        try:
            added = of_command((element.text or "").strip())
            if isinstance(added, Piece):
                Limit.TRAITS.check(len(added.traits), "it has")
        except (ValueError, IndexError) as error:
            what = error.what if isinstance(error, InputError) else error
            self.unread.append(f"{element.get('entryName') or element.get('name')}: {what}")
            return None
        if not isinstance(added, Piece):
            return None
        self.parts += parts_of(added)
        Limit.PARTS.check(self.parts, "its pieces have")
        return added


def _tag(element: etree._Element) -> str:
    return str(element.tag)


def _is_map(element: etree._Element) -> bool:
    """Whether an element is a map, be it of a class of the module's own, or what an extension adds to one."""
    if element.tag == EXTENDS:
        return _extend_map(element) is not None
    return element.get("mapName") is not None or element.tag in MAPS or element.find(PICKER) is not None


def _extend_map(element: etree._Element) -> str | None:
    """The map that an element of an extension adds boards to: its target is the path to the map's board picker."""
    *_, above, last = ("", "", *split(element.get("target", ""), "/"))
    kind, _, name = above.partition(":")
    return name if last.startswith(PICKER) and kind else None


def _window(element: etree._Element, boards: list[BoardDrawing], number: int) -> MapWindow:
    edge = _positive(element.get("edgeWidth", "0")), _positive(element.get("edgeHeight", "0"))
    name = _extend_map(element) if element.tag == EXTENDS else element.get("mapName")
    sides = tuple(side for side in split(element.get("side", ""), ",") if side)
    private = element.tag in MAPS[1:] or element.get("visible") is not None or bool(sides)  # also of a class of its own
    is_open = not private or element.get("visible") == "true"
    drawn = {board.name: board for board in boards}
    return MapWindow(name or f"Map{number}", edge, drawn, sides, is_open, _setup(element, boards))


def _setup(element: etree._Element, boards: list[BoardDrawing]) -> tuple[tuple[str, int, int], ...]:
    """The boards of a new game: those that the map's picker names, else the first one, where VASSAL asks the players."""
    _, *words = split(element.findtext(f"{PICKER}/setup", ""), "\t")
    with suppress(ValueError):
        if named := boards_of(words):
            return named
    return tuple((board.name, 0, 0) for board in boards[:1])


def _is_widget(element: etree._Element) -> bool:
    return isinstance(element.tag, str) and element.tag.startswith(_WIDGET)


def _positive(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0
