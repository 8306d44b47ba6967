"""A module of VASSAL and its saves read by code of their own, which shares nothing with the program's: what each piece is called, where it comes
from, whose it is, on which pixel it lies, and what the engine calls that place.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from math import floor
from pathlib import Path
from typing import NamedTuple

from lxml import etree
from PIL import Image

BOARD = "VASSAL.build.module.map.boardPicker.board."
ESCAPE = "\x1b"
NATIONS = ("nation", "nationality", "country", "side", "faction", "owner")
"""The properties that say whose a piece is, the likeliest first."""
MARKER = re.compile(r"\bmarkers?\b", re.IGNORECASE)
"""What the tabs and the names of markers have in them."""
FORMATION = re.compile(r"\b(Corps|Front)$")
"""The end of the titles of tabs that are formations."""
Point = tuple[int, int]


def split(text: str, sign: str) -> list[str]:
    """Return the parts of a sequence; a sign behind a backslash divides nothing."""
    parts = [part.replace(f"\\{sign}", sign) for part in re.split(rf"(?<!\\){re.escape(sign)}", text)]
    return [one[1:-1] if len(one) > 1 and one[0] == one[-1] == "'" else one for one in parts]


def unfold(text: str) -> list[str]:
    """Return the traits that are folded into one another, the outermost first."""
    found = []
    while True:
        first, *rest = split(text, "\t")
        found.append(first)
        if not rest:
            return found
        text = rest[0]


class Definition(NamedTuple):
    """What a piece is: its traits, the outermost first, each a type with its state."""

    traits: tuple[tuple[str, str], ...]

    @property
    def basic(self) -> list[str]:
        """The parts of the basic piece."""
        return [*split(self.traits[-1][0], ";"), *[""] * 5]

    @property
    def image(self) -> str:
        """The picture of the basic piece, or else the first one in the layers around it."""
        layers = (split(type, ";") for type, _ in reversed(self.traits) if type.startswith("emb2;"))
        in_layers = (image for parts in layers for image in split((parts + [""] * 32)[16], ",") if image)
        return self.basic[3] or next(in_layers, "")

    @property
    def name(self) -> str:
        """What it is called, "" if it has no name."""
        renamed = (split(type, ";")[1] for type, _ in self.traits if type.startswith("basicName;"))
        return next(filter(None, renamed), "") or self.basic[4]

    @property
    def gpid(self) -> str:
        """The slot that it comes from."""
        return [*split(self.traits[-1][1], ";"), *[""] * 4][3]

    @property
    def properties(self) -> dict[str, str]:
        """Its markers and dynamic properties; the outermost of one name counts."""
        found: dict[str, str] = {}
        for type, state in reversed(self.traits):
            if type.startswith("mark;"):
                found |= dict(zip(split(type[5:], ","), split(state, ","), strict=False))
            elif type.startswith("PROP;"):
                found[split(type, ";")[1]] = state
        return found

    @property
    def kinds(self) -> tuple[str, ...]:
        """The types of its traits but for the basic piece, of labels with their texts."""
        return tuple(type + state * type.startswith("label;") for type, state in self.traits[:-1])

    def settled(self, name: str, image: str) -> Definition:
        """Return the piece with another name and picture of the basic piece."""
        (_, state), basic = self.traits[-1], self.basic
        parts = [*basic[:3], image, name]
        return Definition((*self.traits[:-1], (";".join(part.replace(";", "\\;") for part in parts), state)))


class Slot(NamedTuple):
    """A piece of the palettes. path: the names of what it lies in, the outermost first."""

    gpid: str
    name: str
    path: tuple[str, ...]
    piece: Definition
    width: int
    height: int


class Lying(NamedTuple):
    """A piece in play.

    map: its name; at: its pixel there; board: the one below it, with its pixel on that; place: what the engine calls it
    corner: the board's upper left corner on the map, without the edge; deck: whether it is in a deck
    """

    id: str
    piece: Definition
    map: str
    at: Point
    board: str
    on_board: Point
    place: str
    corner: Point
    deck: bool


class Board(NamedTuple):
    """A board of a map."""

    name: str
    size: Point
    element: etree._Element


class PlacedBoard(NamedTuple):
    """A board where it lies on a map, with its upper left corner."""

    board: Board
    corner: Point
    turned: bool


# --- grids --------------------------------------------------------------------------------------------------------------


def _figure(number: int, kind: str, leading: int) -> str:
    size = abs(number)
    text = chr(ord("A") + size % 26) * (size // 26 + 1) if kind == "A" else str(size).rjust(max(leading, 0) + 1, "0")
    return f"-{text}" if number < 0 else text


def _cut_half(number: int) -> int:
    """Return a half as Java divides, towards zero."""
    return -(-number // 2) if number < 0 else number // 2


class Grid:
    """A grid of hexes or of squares. size: of what it covers."""

    def __init__(self, element: etree._Element, size: Point) -> None:
        self.hexes = element.tag == BOARD + "HexGrid"
        self.x0, self.y0 = (int(float(element.get(key, "0"))) for key in ("x0", "y0"))
        self.dx, self.dy = (float(element.get(key, "0")) for key in ("dx", "dy"))
        self.sideways = self.hexes and element.get("sideways") == "true"
        self.numbering = next((child for child in element if str(child.tag).endswith("GridNumbering")), None)
        self.size = size

    def cell(self, at: Point) -> Point:
        """Return the line and the place in it at a pixel, counted from the first hex."""
        x, y = reversed(at) if self.sideways else at
        column = floor((x - self.x0) / self.dx + 0.5)
        if not self.hexes:
            return column, int((y - self.y0) / self.dy + 0.5)
        return column, floor((y - self.y0 - (self.dy / 2 if column % 2 else 0)) / self.dy + 0.5)

    def centre(self, cell: Point) -> Point:
        """Return the pixel in the middle of a cell."""
        column, row = cell
        x = int(self.dx * column + self.x0)
        y = int(self.dy * row + self.y0) + (int(self.dy / 2) if self.hexes and column % 2 else 0)
        return (y, x) if self.sideways else (x, y)

    def name(self, at: Point) -> str:
        """Return what is printed at a pixel, "" without numbers."""
        given = self.numbering
        if given is None:
            return ""

        def is_set(key: str, default: str = "false") -> bool:
            return given.get(key, default) == "true"

        column, row = raw, _ = self.cell(at)
        if self.hexes:
            rows, columns = floor(self.size[1] / self.dx + 0.5), floor(self.size[0] / self.dy + 0.5)
        else:
            columns, rows = floor(self.size[0] / self.dx + 0.5), floor(self.size[1] / self.dy + 0.5)
        line, place = ("vDescend", "hDescend") if self.sideways else ("hDescend", "vDescend")
        column = (rows if self.sideways else columns) - column if is_set(line) else column
        row = (columns if self.sideways else rows) - row if is_set(place) else row
        staggered = self.hexes and is_set("stagger", "true")
        if staggered and raw % 2:
            row += -1 if is_set(place) else 1
        if str(given.tag).endswith("ObliqueHexGridNumbering"):
            row = row + _cut_half(column) if staggered else row - _cut_half(column) + 1
        across = _figure(column + int(given.get("hOff", "1")), given.get("hType", "N"), int(given.get("hLeading", "1")))
        down = _figure(row + int(given.get("vOff", "1")), given.get("vType", "N"), int(given.get("vLeading", "1")))
        pair = (across, down) if given.get("first", "H") == "H" else (down, across)
        values = {"gridLocation": given.get("sep", "").join(pair), "column": across, "row": down}
        return _fill(given.get("locationFormat", "$gridLocation$"), values)


def _fill(format: str, values: dict[str, str]) -> str:
    return re.sub(r"\$(\w+)\$", lambda match: values.get(match[1], ""), format)


def _holds(path: list[Point], at: Point) -> bool:
    """Return whether a pixel lies in a polygon."""
    inside = False
    for (x1, y1), (x2, y2) in zip(path, (*path[1:], path[0]), strict=True):
        if (y1 <= at[1]) != (y2 <= at[1]) and at[0] < x1 + (at[1] - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside


def _regions(element: etree._Element) -> list[tuple[Point, str]]:
    named = {
        (int(child.get("originx", "0")), int(child.get("originy", "0"))): child.get("name", "")
        for child in element
        if str(child.tag).endswith("Region")
    }
    return [*named.items()]


def _name_plain(element: etree._Element, size: Point, at: Point) -> str:
    """Return what is printed at a pixel of a grid of hexes, squares or regions."""
    if not element.tag.endswith("RegionGrid"):
        return Grid(element, size).name(at)
    points = _regions(element)
    return min(points, key=lambda one: (one[0][0] - at[0]) ** 2 + (one[0][1] - at[1]) ** 2)[1] if points else ""


_PLAIN = {BOARD + "HexGrid", BOARD + "SquareGrid", BOARD + "RegionGrid"}


def grid_at(
    element: etree._Element, size: Point, at: Point
) -> tuple[etree._Element | None, Point, etree._Element | None]:
    """Return the grid at a pixel of a board, what it covers, and the zone that holds the pixel."""
    for grid in element:
        if grid.tag in _PLAIN:
            return grid, size, None
        if grid.tag == BOARD + "ZonedGrid":
            background = next((child for child in grid if child.tag in _PLAIN), None)
            for zone in grid:
                if str(zone.tag).endswith("mapgrid.Zone"):
                    path = [(int(x), int(y)) for x, y in (p.split(",") for p in zone.get("path", "").split(";") if p)]
                    if path and _holds(path, at):
                        if zone.get("useParentGrid") == "true":
                            return background, size, zone
                        xs, ys = zip(*path, strict=True)
                        own = next((child for child in zone if child.tag in _PLAIN), None)
                        return own, (max(xs) - min(xs), max(ys) - min(ys)), zone
            return background, size, None
    return None, size, None


def name_place(element: etree._Element, size: Point, at: Point) -> str:
    """Return what the engine calls a pixel of a board."""
    grid, covered, zone = grid_at(element, size, at)
    within = _name_plain(grid, covered, at) if grid is not None else ""
    if zone is None:
        return within
    return _fill(zone.get("locationFormat", "$name$"), {"name": zone.get("name", ""), "gridLocation": within})


# --- the module ---------------------------------------------------------------------------------------------------------


class Module:
    """A module's file."""

    def __init__(self, data: bytes | Path) -> None:
        self.zip = zipfile.ZipFile(io.BytesIO(data) if isinstance(data, bytes) else data)
        self._names = {*self.zip.namelist()}
        build = "buildFile.xml" if "buildFile.xml" in self._names else "buildFile"
        self.root = etree.fromstring(self.zip.read(build), etree.XMLParser(huge_tree=True))
        self.sides = [entry.text or "" for entry in self.root.findall("VASSAL.build.module.PlayerRoster/entry")]
        self.prototypes = {
            one.get("name", ""): self._text(one) for one in self.root.iter("VASSAL.build.module.PrototypeDefinition")
        }
        self.maps = self._read_maps()
        self._boards: dict[str, dict[str, Board]] = {}
        self.slots = [*self._read_slots()]

    def _text(self, element: etree._Element) -> Definition:
        return read_definition("".join(element.itertext()).strip())

    def _read_maps(self) -> dict[str, etree._Element]:
        found: dict[str, etree._Element] = {}
        for element in self.root.iter(etree.Element):
            if any(str(child.tag).endswith("BoardPicker") for child in element):
                found[element.get("mapName", "") or f"Map{len(found)}"] = element
        return found

    def _read_slots(self) -> Iterator[Slot]:
        def walk(element: etree._Element, path: tuple[str, ...]) -> Iterator[Slot]:
            for child in element:
                tag = str(child.tag)
                if tag.endswith(("PieceSlot", "CardSlot")):
                    size = (int(child.get(key) or "0") for key in ("width", "height"))
                    yield Slot(child.get("gpid", ""), child.get("entryName", ""), path, self._text(child), *size)
                elif not tag.endswith((".Map", ".PrivateMap", ".PlayerHand", ".WidgetMap")) and isinstance(
                    child.tag, str
                ):
                    called = child.get("entryName") or child.get("name") or ""
                    yield from walk(child, (*path, called))

        for window in self.root.iter("VASSAL.build.module.PieceWindow"):
            yield from walk(window, (window.get("name", ""),))

    def expanded(self, piece: Definition, depth: int = 0) -> Definition:
        """Return a piece with what its prototypes stand for."""
        traits: list[tuple[str, str]] = []
        for type, state in piece.traits:
            kind, _, name = type.partition(";")
            if kind == "prototype" and depth < 20:
                known = self.prototypes.get(split(f"x;{name}", ";")[1])
                traits += self.expanded(known, depth + 1).traits[:-1] if known else ()
            else:
                traits.append((type, state))
        return Definition(tuple(traits))

    def boards(self, map: str) -> dict[str, Board]:
        """Return the boards of a map by name."""
        if map not in self._boards:
            found = (
                Board(one.get("name", ""), self._size(one), one) for one in self.maps[map].iter(BOARD[:-6] + "Board")
            )
            self._boards[map] = {board.name: board for board in found}
        return self._boards[map]

    def names(self) -> dict[str, str]:
        """Return what the slots of the whole module are called, those on the maps too, by their ids."""
        slots = (one for one in self.root.iter(etree.Element) if str(one.tag).endswith(("PieceSlot", "CardSlot")))
        return {one.get("gpid", ""): one.get("entryName", "") for one in slots if one.get("gpid")}

    def _size(self, board: etree._Element) -> Point:
        image = f"images/{board.get('image')}"
        for name in (image, f"{image}.gif"):
            if board.get("image") and name in self._names:
                if name.endswith(".svg"):
                    drawing = etree.fromstring(self.zip.read(name)).attrib
                    width, height = (
                        int(float(re.sub("[a-z]+$", "", drawing.get(key, "0")))) for key in ("width", "height")
                    )
                    return width, height
                try:
                    with Image.open(io.BytesIO(self.zip.read(name))) as picture:
                        return picture.size
                except OSError:
                    return 0, 0
        return int(board.get("width") or "0"), int(board.get("height") or "0")

    def placed(self, map: str, chosen: list[str]) -> list[PlacedBoard]:
        """Return the boards of a map as they are chosen: name, column and row, over and over."""
        element, boards = self.maps[map], self.boards(map)
        cells = [(chosen[n], int(chosen[n + 1]), int(chosen[n + 2])) for n in range(0, len(chosen) - 2, 3)]
        found = []
        for called, column, row in cells:
            board = boards.get(called.removesuffix("/rev"))
            if board is None:
                continue
            size = {
                (c, r): boards[n.removesuffix("/rev")].size for n, c, r in cells if n.removesuffix("/rev") in boards
            }
            x = int(element.get("edgeWidth") or "0") + sum(
                w for (c, r), (w, _) in size.items() if r == row and c < column
            )
            y = int(element.get("edgeHeight") or "0") + sum(
                h for (c, r), (_, h) in size.items() if c == column and r < row
            )
            found.append(PlacedBoard(board, (x, y), called.endswith("/rev")))
        return found

    def at_start(self) -> dict[str, list[str]]:
        """Return the boards that the module itself chooses, by map."""
        setups = {name: element.find(".//setup") for name, element in self.maps.items()}
        return {name: split(one.text, "\t")[1:] for name, one in setups.items() if one is not None and one.text}

    def locate(self, map: str, at: Point, chosen: dict[str, list[str]]) -> tuple[str, Point, str, Point]:
        """Return the board at a pixel of a map, the pixel on it, and what the engine calls the place."""
        if map not in self.maps:
            return "", at, "", (0, 0)
        for board, (x, y), turned in self.placed(map, chosen.get(map, [])):
            if 0 <= at[0] - x < board.size[0] and 0 <= at[1] - y < board.size[1]:
                here = at[0] - x, at[1] - y
                here = (board.size[0] - here[0], board.size[1] - here[1]) if turned else here
                edge = (int(self.maps[map].get(key) or "0") for key in ("edgeWidth", "edgeHeight"))
                corner = x - next(edge), y - next(edge)
                return board.name, here, name_place(board.element, board.size, here), corner
        return "", at, "", (0, 0)

    @property
    def setups(self) -> list[tuple[str, str]]:
        """The predefined set-ups that are files, with their titles."""
        found = self.root.iter("VASSAL.build.module.PredefinedSetup")
        return [
            (one.get("name", ""), one.get("file", ""))
            for one in found
            if one.get("file") and one.get("useFile", "true") == "true"
        ]

    def save(self, data: bytes) -> list[Lying]:
        """Return what is in play in a save."""
        if data.startswith(b"PK"):  # old saves are no archives
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                data = archive.read("savedGame")
        commands = [*_commands(_plain(data).decode("utf-8", "replace"))]
        chosen = {}
        for command in commands:
            head, *rest = split(command, "\t")
            if head.endswith("BoardPicker") and len(rest) > 2:
                chosen[head.removesuffix("BoardPicker")] = rest
        pieces: dict[str, tuple[Definition, str, Point]] = {}
        stacked: dict[str, tuple[str, Point, bool]] = {}
        for command in commands:
            if not command.startswith("+/"):
                continue
            _, id, type, state = split(command, "/")[:4]
            if type == "stack" or type.startswith("deck;") or type == "deck":
                map, x, y, *within = split(state, ";")
                within = within if type == "stack" else split(",".join(within[1:]), ",")
                stacked |= {one: (map, (int(x), int(y)), type != "stack") for one in within}
            else:
                piece = _zip_definition(type, state)
                map, x, y, *_ = split(piece.traits[-1][1], ";")
                pieces[id] = piece, map, (int(x), int(y))
        found = []
        for id, (piece, map, at) in pieces.items():
            map, at, deck = stacked.get(id, (map, at, False))
            found.append(Lying(id, piece, map, at, *self.locate(map, at, chosen), deck))
        return found

    def start(self) -> list[Lying]:
        """Return what the module itself puts on its maps."""
        chosen, found = self.at_start(), []
        for map, element in self.maps.items():
            for stack in element:
                deck = str(stack.tag).endswith("DrawPile")
                if not deck and not str(stack.tag).endswith("SetupStack"):
                    continue
                placed = self.placed(map, chosen.get(map, []))
                owner = stack.get("owningBoard") or ""
                on = next(
                    (one for one in placed if one.board.name == owner), placed[0] if placed and not owner else None
                )
                if on is None:
                    continue
                at = int(stack.get("x") or "0") + on.corner[0], int(stack.get("y") or "0") + on.corner[1]
                for number, slot in enumerate(one for one in stack if str(one.tag).endswith(("PieceSlot", "CardSlot"))):
                    piece = self.expanded(self._text(slot))
                    id = f"{stack.get('name')}.{number}"
                    found.append(Lying(id, piece, map, at, *self.locate(map, at, chosen), deck))
        return found


def read_definition(text: str) -> Definition:
    """Return the piece that a slot or a prototype defines."""
    parts = split(text, "/")
    return (
        _zip_definition(parts[2], parts[3] if len(parts) > 3 else "")
        if len(parts) > 2
        else Definition((("piece;;;;", ""),))
    )


def _zip_definition(type: str, state: str) -> Definition:
    types, states = unfold(type), unfold(state)
    return Definition(tuple(zip(types, [*states, *[""] * len(types)], strict=False)))


def _plain(data: bytes) -> bytes:
    """Return a saved game without its obfuscation."""
    if not data.startswith(b"!VCSK"):
        return data
    key, code = int(data[5:7], 16), bytes.fromhex(data[7:].decode("ascii"))
    return bytes(byte ^ key for byte in code)


def _commands(text: str) -> Iterator[str]:
    """Yield the commands of a stream, also those that lie within others."""
    parts = split(text, ESCAPE)
    if len(parts) == 1:
        yield text
        return
    for part in parts:
        if part:
            yield from _commands(part)


# --- whose it is --------------------------------------------------------------------------------------------------------


def _own_nation(piece: Definition) -> str:
    given = {name.strip().casefold(): value.strip() for name, value in piece.properties.items()}
    return next((given[name] for name in NATIONS if given.get(name)), "")


def settle(module: Module, piece: Definition) -> Definition:
    """Return a piece with the name and picture of the palettes' piece for which two of slot, name and picture stand."""
    signs = (piece.gpid, piece.name, piece.image)
    counts = [
        (sum(map(str.__eq__, signs, (slot.gpid, slot.piece.name, slot.piece.image))), slot)
        for slot in module.slots
        if piece.name and piece.image
    ]
    agreed = [slot for count, slot in counts if count == 2]
    if len(agreed) != 1 or any(count == 3 for count, _ in counts):
        return piece
    return piece.settled(agreed[0].piece.name, agreed[0].piece.image)


def _find_depth(module: Module, slots: list[Slot]) -> int | None:
    """Return the level of the palettes at which they divide into nations, below that of sides and of formations."""
    levels = [{slot.path[n] for slot in slots if len(slot.path) > n} for n in range(8)]
    divided = [n for n, titles in enumerate(levels) if 1 < len(titles) <= 40]
    below = [n for n in divided if not levels[n] <= {*module.sides} and not any(map(FORMATION.search, levels[n]))]
    if divided and levels[divided[0]] == {*module.sides} and below:
        return below[0]
    return divided[0] if divided else None


def find_nations(module: Module, lying: list[Lying]) -> dict[str, str]:
    """Return the nation of each piece in play by its id, "" where nothing says it.

    As its own property says; else the palette's piece of the same definition, then the one with its picture and traits; else the level of tabs
    under which these lie at which the palettes divide first, or that of the nations of sides.
    """
    slots = [
        (slot, module.expanded(slot.piece))
        for slot in module.slots
        if not any(map(MARKER.search, (*slot.path, slot.name)))
    ]
    depth = _find_depth(module, [slot for slot, _ in slots])

    def nation_of(slot: Slot, piece: Definition) -> str:
        tab = slot.path[depth] if depth is not None and len(slot.path) > depth else ""
        return _own_nation(piece) or tab

    by_definition: dict[tuple[str, str, tuple[str, ...]], Counter[str]] = {}
    by_picture: dict[tuple[str, ...], Counter[str]] = {}
    by_image: dict[str, Counter[str]] = {}
    for slot, piece in slots:
        nation = nation_of(slot, piece)
        by_definition.setdefault((piece.name, piece.image, piece.kinds), Counter())[nation] += 1
        by_picture.setdefault((piece.image, *piece.kinds), Counter())[nation] += 1
        by_image.setdefault(piece.image, Counter())[nation] += 1
    found = {}
    for one in lying:
        piece = settle(module, one.piece)
        alike = (
            by_definition.get((piece.name, piece.image, piece.kinds)),
            by_picture.get((piece.image, *piece.kinds)),
            by_image.get(piece.image),
        )
        agreed = (next(iter(nations)) for nations in alike if nations and len(nations) == 1)
        found[one.id] = _own_nation(piece) or next(filter(None, agreed), "")
    return found
