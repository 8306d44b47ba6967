"""Modules of VASSAL made up from a seed, written as plain XML by code of their own: boards with hexes numbered in every way, palettes, properties,
prototypes, copies, decks, private windows; beside each what is true of every piece in play.
"""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from .reading import Grid, Point

M = "VASSAL.build.module."
W = "VASSAL.build.widget."
B = M + "map.boardPicker.board."
NATIONS = ("Blue", "Red", "Green")
ODD = (
    "1/12 Inf",
    "Ünité d'élan",
    "A;B",
    "x, y",
    "a|b",
    "12=3",
    '"Quoted"',
    "No. 5 (r)",
    "<b>&amp;",
    "第三",
    "0304",
    "12",
    "Red",
    "unit",
    "back\\slash",
    "$name$",
)
MARKERS = ("Trench marker", "Fire marker")


class Truth(NamedTuple):
    """What is true of a piece in play. at: its pixel on its board; nation: "" for none; aside: whether it is in a deck or a private window."""

    name: str
    nation: str
    map: str
    board: str
    at: Point
    aside: bool


class Made(NamedTuple):
    """A module that is made up.

    saves: what is not in it, by the title of the set-up that it is; truth: by title of the set-up, its pieces
    units: the names of the palettes' pieces but for markers; kinds: in words, what it is like
    """

    data: bytes
    saves: dict[str, bytes]
    truth: dict[str, list[Truth]]
    units: list[str]
    kinds: list[str]


class _Board(NamedTuple):
    name: str
    size: Point
    xml: str
    cells: list[Point]
    """Where a piece may lie."""


class _Kind(NamedTuple):
    """A piece of the palettes."""

    name: str
    nation: str
    said: bool
    """Whether its own property says its nation."""
    image: str
    traits: tuple[tuple[str, str], ...]
    """As a slot has them, without the basic piece."""
    gpid: int
    tab: str


def join(parts: list[str], sign: str) -> str:
    """Return a sequence of parts."""
    shown = (part.replace(sign, f"\\{sign}") for part in parts)
    return sign.join(f"'{part}'" if part[:1] == "\\" or (part[:1] == "'" == part[-1:]) else part for part in shown)


def fold(parts: list[str]) -> str:
    """Return traits folded into one another, the outermost given first."""
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        whole = join([part, whole], "\t")
    return whole


def png(size: Point, colour: tuple[int, int, int]) -> bytes:
    """Return a picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(size[0])) * size[1]
    head = struct.pack(">IIBBBBB", *size, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (chunk(b"IHDR", head), chunk(b"PLTE", bytes(colour)), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    )


def element(tag: str, within: str = "", /, **attributes: object) -> str:
    """Return an element of XML."""
    given = "".join(f" {name.rstrip('_')}={quoteattr(str(value))}" for name, value in attributes.items())
    return f"<{tag}{given}>{within}</{tag}>"


def _flag(value: bool) -> str:
    return "true" if value else "false"


class Maker:
    """Makes a module. oblique: whether its numbers may be of a class that only the newest engine has."""

    def __init__(self, seed: int, *, oblique: bool = True) -> None:
        self.dice = random.Random(seed)
        self.name = f"Made-up module {seed}"
        self.oblique = oblique
        self.files: dict[str, bytes] = {}
        self.kinds: list[str] = []
        self.prototypes: dict[str, tuple[tuple[str, str], ...]] = {}
        self.gpid = 0
        self.ids = 1_600_000_000_000 + seed * 10_000

    def chance(self, share: float) -> bool:
        """Return whether something happens."""
        return self.dice.random() < share

    def note(self, kind: str) -> str:
        """Note what the module is like."""
        self.kinds.append(kind)
        return kind

    # --- boards -----------------------------------------------------------------------------------------------------------

    def numbering(self, columns: int) -> str:
        """Return the numbers of a grid of hexes, none for a board without."""
        way = self.dice.choice(("plain", "plain", "letters", "zero", "descending", "format", "none", "oblique"))
        if way == "oblique" and not self.oblique:
            way = "plain"
        self.note(f"numbers: {way}")
        if way == "none":
            return ""
        given: dict[str, object] = {
            "first": self.dice.choice("HHV"),
            "sep": self.dice.choice(("", "", ".", "-")),
            "hType": "N",
            "vType": "N",
            "hLeading": 1,
            "vLeading": 1,
            "hOff": self.dice.choice((1, 1, 10)),
            "vOff": self.dice.choice((1, 1, 20)),
            "hDescend": "false",
            "vDescend": "false",
            "stagger": _flag(self.chance(0.5)),
        }
        if way == "letters":
            given[self.dice.choice(("hType", "vType"))] = "A"
            given |= {"hOff": self.dice.choice((0, 0, 24)), "vOff": self.dice.choice((0, 1))}
        elif way == "zero":
            given |= {"hOff": 0, "vOff": 0}
        elif way == "descending":
            given |= {
                "hDescend": _flag(self.chance(0.6)),
                "vDescend": _flag(self.chance(0.6)),
                "hOff": self.dice.choice((0, 1, 5)),
            }
        elif way == "format":
            given["locationFormat"] = self.dice.choice(("Hex $gridLocation$", "$column$/$row$", "$row$ $column$"))
        tag = B + ("mapgrid.ObliqueHexGridNumbering" if way == "oblique" else "mapgrid.HexGridNumbering")
        return element(tag, **given)

    def hexes(
        self, name: str, *, like: tuple[dict[str, object], str] | None = None
    ) -> tuple[_Board, dict[str, object], str]:
        """Return a board of hexes, with the attributes of its grid and its numbering. like: those of the board beside it."""
        columns, rows = self.dice.randint(4, 9), self.dice.randint(4, 8)
        if like is not None:
            grid, numbering = like
        else:
            dy = self.dice.choice((40.0, 51.3, 60.0, 64.8))
            dx = self.dice.choice((dy * 0.866, dy * 0.866, round(dy * 0.9, 1)))
            sideways = self.chance(0.25)
            if sideways:
                self.note("sideways")
            x0, y0 = self.dice.choice(((0, 0), (int(dx * 0.6), int(dy / 2)), (30, 25)))
            grid = {
                "dx": dx,
                "dy": dy,
                "x0": x0,
                "y0": y0,
                "sideways": _flag(sideways),
                "snapTo": "true",
                "visible": "false",
            }
            grid |= {"edgesLegal": "false", "cornersLegal": "false", "dotsVisible": "false", "color": "0,0,0"}
            numbering = self.numbering(columns)
        wide, high = int(float(str(grid["dx"])) * columns), int(float(str(grid["dy"])) * rows)
        size = (high, wide) if grid["sideways"] == "true" else (wide, high)
        return self._board(name, size, grid, numbering), grid, numbering

    def _board(
        self, name: str, size: Point, grid: dict[str, object], numbering: str, *, reversible: bool = True
    ) -> _Board:
        from lxml import etree

        drawn = element(B + "HexGrid", numbering, **grid)
        read = Grid(etree.fromstring(drawn), size)
        cells = [read.centre((column, row)) for column in range(-1, 40) for row in range(-1, 40)]
        inside = [(x, y) for x, y in cells if 2 < x < size[0] - 2 and 2 < y < size[1] - 2]
        self.files[f"images/{name}.png"] = png(size, (200, 220, 180))
        return _Board(
            name,
            size,
            element(M + "map.boardPicker.Board", drawn, name=name, image=f"{name}.png", reversible="true"),
            inside,
        )

    def areas(self, name: str) -> _Board:
        """Return a board of named areas."""
        size, points = (300, 200), [(50 + 90 * n, 60 + 40 * (n % 2)) for n in range(3)]
        names = self.dice.sample(("North", "South & West", "Pool", "Dead pile", "Turn 1", "Rhône", "East"), 3)
        regions = "".join(
            element(B + "Region", name=one, originx=x, originy=y) for one, (x, y) in zip(names, points, strict=True)
        )
        self.files[f"images/{name}.png"] = png(size, (220, 200, 180))
        drawn = element(B + "RegionGrid", regions, snapto="true", visible="false")
        return _Board(
            name,
            size,
            element(M + "map.boardPicker.Board", drawn, name=name, image=f"{name}.png", reversible="false"),
            points,
        )

    def squares(self, name: str) -> _Board:
        """Return a board of squares with numbers."""
        size = (240, 180)
        given = {
            "first": "H",
            "sep": self.dice.choice(("", ".")),
            "hType": self.dice.choice("NA"),
            "vType": "N",
            "hOff": 1,
            "vOff": 1,
        }
        given |= {"hLeading": 0, "vLeading": 0, "hDescend": "false", "vDescend": _flag(self.chance(0.3))}
        numbered = element(B + "mapgrid.SquareGridNumbering", **given)
        drawn = element(
            B + "SquareGrid", numbered, dx=60.0, dy=60.0, x0=30, y0=30, snapTo="true", visible="false", range="Metric"
        )
        self.files[f"images/{name}.png"] = png(size, (220, 220, 180))
        points = [(30 + 60 * column, 30 + 60 * row) for column in range(4) for row in range(3)]
        board = element(M + "map.boardPicker.Board", drawn, name=name, image=f"{name}.png", reversible="false")
        return _Board(name, size, board, points)

    def zones(self, name: str) -> _Board:
        """Return a board of zones, one with areas of its own, one that is a single place."""
        size, points = (300, 200), [(40, 40), (100, 150), (225, 100)]
        regions = "".join(
            element(B + "Region", name=one, originx=x, originy=y)
            for one, (x, y) in zip(("Camp", "Fort é"), points, strict=False)
        )
        own = element(B + "RegionGrid", regions, snapto="true", visible="false")
        zones = element(
            B + "mapgrid.Zone",
            own,
            name="Left",
            locationFormat="$gridLocation$",
            path="0,0;150,0;150,200;0,200",
            useParentGrid="false",
        )
        zones += element(
            B + "mapgrid.Zone",
            name="Right",
            locationFormat="$name$",
            path="150,0;300,0;300,200;150,200",
            useParentGrid="false",
        )
        self.files[f"images/{name}.png"] = png(size, (180, 200, 180))
        drawn = element(B + "ZonedGrid", zones)
        return _Board(
            name,
            size,
            element(M + "map.boardPicker.Board", drawn, name=name, image=f"{name}.png", reversible="false"),
            points,
        )

    # --- pieces -----------------------------------------------------------------------------------------------------------

    def pieces(self) -> list[_Kind]:
        """Return the pieces of the palettes."""
        way = self.note(
            self.dice.choice(
                (
                    "nation: tabs",
                    "nation: property",
                    "nation: property of few",
                    "nation: property of few alone",
                    "nation: prototype",
                    "nation: none",
                )
            )
        )
        key = self.dice.choice(("Nation", "nation", "Side", "country", "Faction"))
        nations = NATIONS[: self.dice.choice((2, 2, 3))]
        if way == "nation: prototype":
            self.prototypes |= {
                f"Of {nation}": ((f"mark;{key}", nation), ("delete;Delete;68,130;", "")) for nation in nations
            }
        self.prototypes["Plain"] = (("clone;Clone;67,130;", ""), ("delete;Delete;68,130;", ""))
        names = [f"{n}. Regiment" for n in range(1, 9)] + self.dice.sample(ODD, 3)
        if self.chance(0.3):
            names += [self.note("names alike") and "Militia"] * 3
        found = []
        for number, name in enumerate(self.dice.sample(names, min(len(names), self.dice.randint(4, 11)))):
            nation = nations[number % len(nations)]
            said = way == "nation: property" or (way.startswith("nation: property of few") and number < 2)
            traits: list[tuple[str, str]] = [("prototype;Plain", "")] if self.chance(0.7) else []
            if said:
                traits.append((join(["mark", key], ";"), nation))
            if way == "nation: prototype":
                traits.append((f"prototype;Of {nation}", ""))
            if self.chance(0.4):
                traits.append(
                    (
                        join(["mark", join(["Attack", "Move"], ",")], ";"),
                        f"{self.dice.randint(1, 9)},{self.dice.randint(2, 6)}",
                    )
                )
            image = f"p{number}.png"
            if self.chance(0.4):
                back = f"p{number}b.png"
                self.files[f"images/{back}"] = png((50, 50), (90, 90, 10 * number))
                parts = [
                    "emb2",
                    "",
                    "128",
                    "",
                    "Flip",
                    "128",
                    "F",
                    "",
                    "128",
                    "",
                    "",
                    "",
                    "1",
                    "false",
                    "0",
                    "0",
                    f"{image},{back}",
                    ",",
                    "true",
                    "Flip",
                ]
                parts += ["", "", "false", "", "1", "1", "true", "", "70,130", "", "", "1.0"]
                traits.append((join(parts, ";"), self.dice.choice("12")))
            if self.chance(0.15):
                traits.append((join(["PROP", "Strength", "true,0,9,false", ""], ";"), str(self.dice.randint(1, 8))))
            if self.chance(0.15):
                traits.append(
                    (
                        join(
                            [
                                "label",
                                "",
                                "",
                                "10",
                                "0,0,0",
                                "255,255,255",
                                "b",
                                "0",
                                "c",
                                "0",
                                "b",
                                "c",
                                "$pieceName$ ($label$)",
                                "Dialog",
                                "0",
                                "0",
                                "TextLabel",
                                "",
                                "false",
                            ],
                            ";",
                        ),
                        "5-6",
                    )
                )
            if self.chance(0.15):
                traits.append(("obs;77,130;back.png;Mask;B;?;player:", "null;;"))
            self.files[f"images/{image}"] = png((50, 50), (20 * number, 60, 200))
            self.gpid += 1
            tab = nation if way in ("nation: tabs", "nation: property of few") else "Pieces"
            owned = nation if said or way in ("nation: tabs", "nation: prototype") or tab == nation else ""
            found.append(_Kind(name, owned, said, image, tuple(traits), self.gpid, tab))
        self.files["images/back.png"] = png((50, 50), (99, 99, 99))
        return found

    def expand(self, traits: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
        """Return traits with what prototypes stand for."""
        found = []
        for type, state in traits:
            known = self.prototypes.get(type.removeprefix("prototype;")) if type.startswith("prototype;") else None
            found += [(type, state)] if known is None else self.expand(known)
        return found

    def definition(self, kind: _Kind, gpid: int, id: str = "null", map: str = "null", at: Point = (0, 0)) -> str:
        """Return a piece as a command: of a slot, or in play."""
        traits = self.expand(kind.traits) if id != "null" else [*kind.traits]
        basic = join(["piece", "", "", kind.image, kind.name], ";")
        types, states = [one for one, _ in traits] + [basic], [state for _, state in traits]
        states.append(join([map, str(at[0]), str(at[1]), str(gpid), "0"], ";"))
        return "+/" + join([id, fold(types), fold(states)], "/")

    def slot(self, kind: _Kind, gpid: int, tag: str = "PieceSlot") -> str:
        """Return a piece as an element."""
        text = escape(self.definition(kind, gpid))
        return element(W + tag, text, entryName=kind.name, gpid=gpid, width=50, height=50)

    def palettes(self, kinds: list[_Kind]) -> str:
        """Return the palettes."""
        tabs: dict[str, str] = {}
        for kind in kinds:
            tabs[kind.tab] = tabs.get(kind.tab, "") + self.slot(kind, kind.gpid)
        if self.chance(0.3):
            self.note("markers")
            for name in MARKERS:
                self.gpid += 1
                marker = _Kind(name, "", False, "back.png", (("prototype;Plain", ""),), self.gpid, "Markers")
                tabs["Markers"] = tabs.get("Markers", "") + self.slot(marker, self.gpid)
        lists = "".join(
            element(W + "ListWidget", within, entryName=tab, divider=150, height=300, width=300, scale="1.0")
            for tab, within in tabs.items()
        )
        within = element(W + "TabWidget", lists, entryName="All")
        if self.chance(0.3):
            within = element(W + self.note("PanelWidget"), within, entryName="Every piece")
        return element(
            M + "PieceWindow",
            within,
            name="Pieces",
            text="Pieces",
            hidden="false",
            scale="1.0",
            hotkey="",
            icon="",
        )

    # --- what is in play --------------------------------------------------------------------------------------------------

    def lay(
        self, kinds: list[_Kind], boards: list[tuple[str, _Board, Point, bool]], copies: bool
    ) -> list[tuple[_Kind, str, _Board, Point, Point]]:
        """Return pieces where they lie: map, board, pixel on the board, and on the map. boards: each with its map, its corner and whether it is turned."""
        found = []
        for kind in kinds:
            for _ in range(self.dice.choice((1, 1, 2, 3)) if copies else 1):
                if self.chance(0.8):
                    map, board, (x, y), turned = self.dice.choice(boards)
                    at = self.dice.choice(board.cells)
                    here = (board.size[0] - at[0], board.size[1] - at[1]) if turned else at
                    found.append((kind, map, board, at, (x + here[0], y + here[1])))
        return found

    def id(self) -> str:
        """Return an id that no piece has."""
        self.ids += 1
        return str(self.ids)

    def save(
        self,
        pickers: list[str],
        laid: list[tuple[_Kind, int, str, Point]],
        decks: list[tuple[str, Point, list[tuple[_Kind, int]]]],
    ) -> bytes:
        """Return a save. laid: pieces with gpid, map and pixel; decks: each with its map, its pixel and its cards."""
        commands, stacks = ["begin_save", *pickers], dict[tuple[str, Point], list[str]]()
        for kind, gpid, map, at in laid:
            id = self.id()
            commands.append(self.definition(kind, gpid, id, map, at))
            stacks.setdefault((map, at), []).append(id)
        for map, at, cards in decks:
            ids = [self.id() for _ in cards]
            commands += [self.definition(kind, gpid, id, map, at) for id, (kind, gpid) in zip(ids, cards, strict=True)]
            type = "deck;false;51,51,51;50;50;Always;Always;false;false;false;;;;Deck;$commandName$;;;false;false;;;10;;false"
            commands.append("+/" + join([self.id(), type, f"{map};{at[0]};{at[1]};false;{','.join(ids)}"], "/"))
        for (map, at), ids in stacks.items():
            commands.append("+/" + join([self.id(), "stack", f"{map};{at[0]};{at[1]};{';'.join(ids)};@@0"], "/"))
        commands += ["SETUP_STACK\t", "end_save"]
        text = join(commands, "\x1b").encode()
        key = self.dice.randrange(256)
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("savedGame", f"!VCSK{key:02x}" + bytes(byte ^ key for byte in text).hex())
            archive.writestr("moduledata", self.moduledata())
            archive.writestr(
                "savedata",
                '<data version="1"><version>1</version><VassalVersion>3.6.0</VassalVersion><dateSaved>1</dateSaved><description/></data>',
            )
        return file.getvalue()

    def moduledata(self) -> str:
        """Return the data by which a module's saves name it."""
        head = '<data version="1"><version>1.0</version><extra1/><extra2/><VassalVersion>3.6.0</VassalVersion><dateSaved>1600000000000</dateSaved><description/>'
        return f"{head}<name>{escape(self.name)}</name></data>"

    def map(
        self, name: str, picker: str, boards: list[_Board], extra: str = "", tag: str = "Map", **more: object
    ) -> str:
        """Return a map with its boards; its boards are chosen at the start."""
        chosen = element("setup", escape(picker))
        picked = element(M + "map.BoardPicker", chosen + "".join(board.xml for board in boards), title="Choose boards")
        parts = "".join(
            element(M + f"map.{part}")
            for part in (
                "StackMetrics",
                "ForwardToKeyBuffer",
                "MenuDisplayer",
                "MapCenterer",
                "StackExpander",
                "PieceMover",
                "KeyBufferer",
                "Scroller",
            )
        )
        given = {
            "mapName": name,
            "edgeWidth": 0,
            "edgeHeight": 0,
            "launch": "false",
            "allowMultiple": "false",
            "markMoved": "Never",
            "moveToFormat": "",
        }
        return element(M + tag, picked + parts + extra, **{**given, **more})

    def made(self) -> Made:
        """Return the module."""
        first, grid, numbering = self.hexes("West")
        fields = [(first, (0, 0), False)]
        edge = self.dice.choice((0, 0, 0, 40))
        way = self.note(
            self.dice.choice(
                ("boards: one", "boards: one", "boards: beside", "boards: below", "boards: go on", "boards: turned")
            )
        )
        if way == "boards: go on":
            fields.append((self._continue(first, grid, numbering), (first.size[0], 0), False))
        elif way in ("boards: beside", "boards: below"):
            second, *_ = self.hexes("East", like=(grid, numbering) if self.chance(0.5) else None)
            fields.append((second, (first.size[0], 0) if way == "boards: beside" else (0, first.size[1]), False))
        elif way == "boards: turned":
            fields = [(first, (0, 0), True)]
        cells = [(0, 0), (0, 1) if way == "boards: below" else (1, 0)]
        picker = ["MainBoardPicker"]
        for (board, _, turned), (column, row) in zip(fields, cells, strict=False):
            picker += [board.name + ("/rev" if turned else ""), str(column), str(row)]
        pickers = ["\t".join(picker)]
        on = [("Main", board, (x + edge, y + edge), turned) for board, (x, y), turned in fields]
        maps: list[tuple[str, str, list[_Board], str, str, dict[str, object]]] = []
        if self.chance(0.4):
            self.note("areas")
            areas = self.dice.choice((self.areas, self.squares, self.zones))("Chart")
            pickers.append("AreasBoardPicker\tChart\t0\t0")
            on.append(("Areas", areas, (0, 0), False))
            maps.append(("Areas", pickers[-1], [areas], "", "Map", {}))
        kinds = self.pieces()
        palettes = self.palettes(kinds)
        at_start = (
            self.note(self.dice.choice(("set-up: at start", "set-up: saves", "set-up: saves"))) == "set-up: at start"
        )
        decks: list[tuple[str, Point, list[tuple[_Kind, int]]]] = []
        extra = ""
        if self.chance(0.3):
            self.note("deck")
            cards = [
                (_Kind(f"Card {n}", "", False, "back.png", (("prototype;Plain", ""),), 0, ""), self._next())
                for n in range(4)
            ]
            decks.append(("Main", (20 + edge, 20 + edge), cards))
            within = "".join(self.slot(kind, gpid, "CardSlot") for kind, gpid in cards)
            extra += element(
                M + "map.DrawPile",
                within,
                name="Cards",
                owningBoard="West",
                x=20,
                y=20,
                width=50,
                height=50,
                faceDown="Always",
                shuffle="Always",
                draw="true",
                useGridLocation="false",
                color="51,51,51",
                reversible="false",
            )
        deck_at = (first.size[0] - 20, first.size[1] - 20) if way == "boards: turned" else (20, 20)
        hand = []
        if self.chance(0.3):
            self.note("private window")
            own = _Board(
                "Hand",
                (200, 100),
                element(M + "map.boardPicker.Board", name="Hand", width=200, height=100, image="", reversible="false"),
                [(50, 50)],
            )
            pickers.append("Blue handBoardPicker\tHand\t0\t0")
            maps.append(
                (
                    "Blue hand",
                    pickers[-1],
                    [own],
                    "",
                    "PrivateMap",
                    {"side": "Blue", "visible": "false", "useBoards": ""},
                )
            )
            hand = [(self.dice.choice(kinds), "Blue hand", own, (50, 50), (50, 50))]
        truth: dict[str, list[Truth]] = {}
        saves: dict[str, bytes] = {}
        setups = ""
        titles = ["At start"] if at_start else ["The start", "Later: day 2"][: self.dice.choice((1, 2))]
        copies = self.chance(0.6) and bool(self.note("copies"))
        for title in titles:
            laid = self.lay(kinds, on, copies) + hand
            order = ["Main", *(name for name, *_ in maps)]
            if at_start:  # the engine puts them there map by map
                laid.sort(key=lambda one: order.index(one[1]))
            gpids = [kind.gpid for kind, *_ in laid]
            if at_start:
                gpids = [self._next() for _ in laid]  # a copy in a stack of the map has a slot of its own
                for number, ((kind, map, board, (x, y), _), gpid) in enumerate(zip(laid, gpids, strict=True)):
                    if map == "Main":
                        turned = next(turned for one, _, turned in fields if one is board)
                        sx, sy = (board.size[0] - x, board.size[1] - y) if turned else (x, y)
                        extra += self._stack(f"Stack {number}", board.name, (sx, sy), self.slot(kind, gpid))
                    else:
                        maps = [
                            (
                                *one[:3],
                                one[3] + self._stack(f"Stack {number}", board.name, (x, y), self.slot(kind, gpid)),
                                *one[4:],
                            )
                            if one[0] == map
                            else one
                            for one in maps
                        ]
            data = self.save(
                pickers, [(kind, gpid, map, at) for (kind, map, _, _, at), gpid in zip(laid, gpids, strict=True)], decks
            )
            if at_start:
                saves[title] = data
            else:
                name = f"setup{len(truth)}.vsav"
                self.files[name] = data
                setups += element(
                    M + "PredefinedSetup", name=title, file=name, useFile="true", isMenu="false", description=""
                )
            truth[title] = [
                Truth(kind.name, kind.nation, map, board.name, at, map == "Blue hand")
                for kind, map, board, at, _ in laid
            ]
            truth[title] += [
                Truth(kind.name, "", map, "West", deck_at, True) for map, _, cards in decks for kind, _ in cards
            ]
        windows = self.map("Main", pickers[0], [board for board, *_ in fields], extra, edgeWidth=edge, edgeHeight=edge)
        windows += "".join(
            self.map(name, chosen, boards, more, tag, **given) for name, chosen, boards, more, tag, given in maps
        )
        parts = [
            element(M + "BasicCommandEncoder"),
            element(
                M + "PlayerRoster", "".join(element("entry", nation) for nation in NATIONS[:2]), buttonText="Retire"
            ),
            element(M + "GlobalOptions", autoReport="Never", promptString=""),
            element(M + "PrototypesContainer", "".join(self._prototype(name) for name in self.prototypes)),
            palettes,
            windows,
            setups,
        ]
        root = element(
            M[:-7] + "GameModule",
            "".join(parts),
            name=self.name,
            version="1.0",
            VassalVersion="3.6.0",
            description="",
            nextPieceSlotId=self.gpid + 1,
        )
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("buildFile.xml", '<?xml version="1.0" encoding="UTF-8"?>\n' + root)
            archive.writestr("moduledata", self.moduledata())
            for name, data in self.files.items():
                archive.writestr(name, data)
        return Made(file.getvalue(), saves, truth, [kind.name for kind in kinds], self.kinds)

    def _next(self) -> int:
        self.gpid += 1
        return self.gpid

    def _stack(self, name: str, board: str, at: Point, within: str) -> str:
        return element(
            M + "map.SetupStack",
            within,
            name=name,
            owningBoard=board,
            x=at[0],
            y=at[1],
            useGridLocation="false",
            location="",
        )

    def _prototype(self, name: str) -> str:
        traits = [*self.prototypes[name], ("piece;;;;", "null;0;0;;0")]
        text = "+/" + join(["null", fold([one for one, _ in traits]), fold([state for _, state in traits])], "/")
        return element(M + "PrototypeDefinition", escape(text), name=name, description="")

    def _continue(self, first: _Board, grid: dict[str, object], numbering: str) -> _Board:
        """Return a board to the right of another on which its hexes and their numbers go on."""
        import re

        across = float(str(grid["dy" if grid["sideways"] == "true" else "dx"]))
        columns = round(first.size[0] / across)
        more = columns + columns % 2  # an even number of columns, so that the field goes on
        key = "vOff" if False else "hOff"
        if grid["sideways"] == "true":
            key = "vOff"
        moved = re.sub(rf'{key}="(-?\d+)"', lambda found: f'{key}="{int(found[1]) + more}"', numbering)
        shift = round(more * across - first.size[0])
        origin = "y0" if grid["sideways"] == "true" else "x0"
        return self._board("East", first.size, {**grid, origin: int(str(grid[origin])) + shift}, moved)


def make(seed: int, *, oblique: bool = True) -> Made:
    """Return the module of a seed."""
    return Maker(seed, oblique=oblique).made()
