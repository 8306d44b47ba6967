"""Modules of VASSAL made up from a seed, written as plain XML by code of their own: boards with hexes numbered in every way, palettes, properties,
prototypes, copies, decks, private windows; beside each what is true of every piece in play.
"""

from __future__ import annotations

import io
import zipfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple
from xml.sax.saxutils import escape

from .elements import M, element, fold, join
from .making_boards import Board, Boards
from .making_pieces import NATIONS, Kind, Pieces
from .reading import Point


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
    pieces: the palettes' pieces but for markers; kinds: in words, what it is like
    """

    data: bytes
    saves: dict[str, bytes]
    truth: dict[str, list[Truth]]
    pieces: list[Kind]
    kinds: list[str]


class _Laid(NamedTuple):
    """A board as it lies on a map. corner: its upper left one there."""

    map: str
    board: Board
    corner: Point = (0, 0)
    turned: bool = False

    def on_map(self, at: Point) -> Point:
        """Return the pixel of the map at one of the board."""
        x, y = self.turn(at)
        return self.corner[0] + x, self.corner[1] + y

    def turn(self, at: Point) -> Point:
        """Return a pixel of the board as it lies."""
        return (self.board.size[0] - at[0], self.board.size[1] - at[1]) if self.turned else at


class _Lying(NamedTuple):
    """A piece where it lies. at: its pixel on the board."""

    kind: Kind
    on: _Laid
    at: Point


class _Window(NamedTuple):
    """A map. picker: the boards that are chosen at the start."""

    name: str
    picker: str
    boards: list[Board]
    tag: str = "Map"
    given: Mapping[str, object] = {}


_DECK = "deck;false;51,51,51;50;50;Always;Always;false;false;false;;;;Deck;$commandName$;;;false;false;;;10;;false"
_PARTS = (
    "StackMetrics",
    "ForwardToKeyBuffer",
    "MenuDisplayer",
    "MapCenterer",
    "StackExpander",
    "PieceMover",
    "KeyBufferer",
    "Scroller",
)


class Maker(Boards, Pieces):
    """Makes a module. oblique: whether its numbers may be of a class that only the newest engine has."""

    def __init__(self, seed: int, *, oblique: bool = True) -> None:
        super().__init__(seed, oblique=oblique)
        self.name = f"Made-up module {seed}"
        self.ids = 1_600_000_000_000 + seed * 10_000
        self.windows: list[_Window] = []
        self.within: dict[str, str] = defaultdict(str)
        """What each map holds beside its boards."""
        self.cards: list[Kind] = []

    def made(self) -> Made:
        """Return the module."""
        on = [*self._lay_boards(), *self._add_areas()]
        kinds = self.pieces()
        palettes = self.palettes(kinds)
        way = self.note(self.dice.choice(("set-up: at start", "set-up: saves", "set-up: saves")))
        at_start = way == "set-up: at start"
        deck = self._add_deck(on[0])
        hand = self._add_hand(kinds)
        titles = ["At start"] if at_start else ["The start", "Later: day 2"][: self.dice.choice((1, 2))]
        copies = self.chance(0.6) and bool(self.note("copies"))
        truth: dict[str, list[Truth]] = {}
        saves: dict[str, bytes] = {}
        setups = ""
        for title in titles:
            laid = self._lay(kinds, on, copies)
            if at_start:
                laid += hand
                saves[title] = self._begin(laid)
            else:
                name = f"setup{len(truth)}.vsav"
                laid, gpids = self._contradict(laid, kinds)
                laid += hand
                self.files[name] = self._save(laid, [*gpids, *(one.kind.gpid for one in hand)])
                given = {"useFile": "true", "isMenu": "false", "description": ""}
                setups += element(M + "PredefinedSetup", name=title, file=name, **given)
            lying = [(one.kind.nation, one, one in hand) for one in laid] + [("", card, True) for card in deck]
            truth[title] = [
                Truth(one.kind.name, nation, one.on.map, one.on.board.name, one.at, aside)
                for nation, one, aside in lying
            ]
        data = self._write(palettes, setups)
        return Made(data, saves, truth, kinds, self.kinds)

    # --- maps -------------------------------------------------------------------------------------------------------------

    def _lay_boards(self) -> list[_Laid]:
        """Return the boards of hexes as they lie on their map."""
        first, grid, numbering = self.hexes("West")
        edge = self.dice.choice((0, 0, 0, 40))
        ways = ("one", "one", "beside", "below", "go on", "turned")
        way = self.note(self.dice.choice([f"boards: {way}" for way in ways])).removeprefix("boards: ")
        boards, cell = [first], (1, 0)
        if way == "go on":
            boards.append(self.go_on(first, grid, numbering))
        elif way in ("beside", "below"):
            boards.append(self.hexes("East", like=(grid, numbering) if self.chance(0.5) else None)[0])
            cell = (1, 0) if way == "beside" else (0, 1)
        is_turned, picker, laid = way == "turned", ["MainBoardPicker"], list[_Laid]()
        for board, (column, row) in zip(boards, ((0, 0), cell), strict=False):
            picker += [board.name + ("/rev" if is_turned else ""), str(column), str(row)]
            corner = column * first.size[0] + edge, row * first.size[1] + edge
            laid.append(_Laid("Main", board, corner, is_turned))
        self.windows.append(_Window("Main", "\t".join(picker), boards, given={"edgeWidth": edge, "edgeHeight": edge}))
        return laid

    def _add_areas(self) -> list[_Laid]:
        """Add a map without hexes, perhaps."""
        if not self.chance(0.4):
            return []
        self.note("areas")
        board = self.dice.choice((self.areas, self.squares, self.zones))("Chart")
        self.windows.append(_Window("Areas", "AreasBoardPicker\tChart\t0\t0", [board]))
        return [_Laid("Areas", board)]

    def _add_deck(self, on: _Laid) -> list[_Lying]:
        """Add a deck, perhaps. Returns its cards."""
        if not self.chance(0.3):
            return []
        self.note("deck")
        cards = [
            Kind(f"Card {n}", "", False, "back.png", (("prototype;Plain", ""),), self.next_slot(), ()) for n in range(4)
        ]
        within = "".join(self.slot(card, card.gpid, "CardSlot") for card in cards)
        given = {"width": 50, "height": 50, "faceDown": "Always", "shuffle": "Always", "draw": "true"}
        given |= {"useGridLocation": "false", "color": "51,51,51", "reversible": "false"}
        self.within["Main"] += element(
            M + "map.DrawPile", within, name="Cards", owningBoard="West", x=20, y=20, **given
        )
        self.cards = cards
        return [_Lying(card, on, on.turn((20, 20))) for card in cards]

    def _add_hand(self, kinds: list[Kind]) -> list[_Lying]:
        """Add a window of a side's own, perhaps. Returns the piece in it."""
        if not self.chance(0.3):
            return []
        self.note("private window")
        drawn = element(M + "map.boardPicker.Board", name="Hand", width=200, height=100, image="", reversible="false")
        board = Board("Hand", (200, 100), drawn, [(50, 50)])
        given = {"side": "Blue", "visible": "false", "useBoards": ""}
        self.windows.append(_Window("Blue hand", "Blue handBoardPicker\tHand\t0\t0", [board], "PrivateMap", given))
        return [_Lying(self.dice.choice(kinds), _Laid("Blue hand", board), (50, 50))]

    # --- what is in play --------------------------------------------------------------------------------------------------

    def _lay(self, kinds: list[Kind], boards: list[_Laid], copies: bool) -> list[_Lying]:
        """Return pieces where they lie."""
        found = []
        for kind in kinds:
            for _ in range(self.dice.choice((1, 1, 2, 3)) if copies else 1):
                if self.chance(0.8):
                    on = self.dice.choice(boards)
                    found.append(_Lying(kind, on, self.dice.choice(on.board.cells)))
        return found

    def _contradict(self, laid: list[_Lying], kinds: list[Kind]) -> tuple[list[_Lying], list[int]]:
        """Return pieces and their slots; slot, name and picture of some contradict each other, of which two are right."""
        found, gpids = [*laid], [one.kind.gpid for one in laid]
        names, images = (Counter(getattr(kind, of) for kind in kinds) for of in ("name", "image"))
        alone = [kind for kind in kinds if names[kind.name] == images[kind.image] == 1]
        if len(alone) < 2 or not self.chance(0.5):
            return found, gpids
        for number, one in enumerate(laid):
            if one.kind not in alone or not self.chance(0.3):
                continue
            other = self.dice.choice([kind for kind in alone if kind is not one.kind])
            way = self.note(
                self.dice.choice(("slot of another", "unknown name", "name of another", "picture of another"))
            )
            match way:
                case "slot of another":
                    gpids[number] = other.gpid
                case "unknown name":
                    found[number] = one._replace(kind=one.kind._replace(name=f"{one.kind.name} bis"))
                case "name of another":
                    found[number] = one._replace(kind=one.kind._replace(name=other.name))
                case _:
                    found[number] = one._replace(kind=one.kind._replace(image=other.image))
        return found, gpids

    def _begin(self, laid: list[_Lying]) -> bytes:
        """Put pieces on the maps, where each has a slot of its own. Returns the save of the game that begins so."""
        order = [window.name for window in self.windows]
        laid.sort(key=lambda one: order.index(one.on.map))  # the engine puts them there map by map
        gpids = [self.next_slot() for _ in laid]
        for number, ((kind, on, at), gpid) in enumerate(zip(laid, gpids, strict=True)):
            x, y = on.turn(at)
            given = {"name": f"Stack {number}", "owningBoard": on.board.name, "x": x, "y": y}
            within = self.slot(kind, gpid)
            self.within[on.map] += element(M + "map.SetupStack", within, **given, useGridLocation="false", location="")
        return self._save(laid, gpids)

    def _id(self) -> str:
        """Return an id that no piece has."""
        self.ids += 1
        return str(self.ids)

    def _save(self, laid: list[_Lying], gpids: list[int]) -> bytes:
        """Return a save. gpids: the slots of the pieces."""
        commands = ["begin_save", *(window.picker for window in self.windows)]
        stacks = dict[tuple[str, Point], list[str]]()
        for (kind, on, at), gpid in zip(laid, gpids, strict=True):
            id, there = self._id(), on.on_map(at)
            commands.append(self.definition(kind, gpid, id, on.map, there))
            stacks.setdefault((on.map, there), []).append(id)
        if self.cards:
            x, y = (20 + int(str(self.windows[0].given[key])) for key in ("edgeWidth", "edgeHeight"))
            ids = [self._id() for _ in self.cards]
            cards = zip(ids, self.cards, strict=True)
            commands += [self.definition(card, card.gpid, id, "Main", (x, y)) for id, card in cards]
            commands.append("+/" + join([self._id(), _DECK, f"Main;{x};{y};false;{','.join(ids)}"], "/"))
        for (map, at), ids in stacks.items():
            commands.append("+/" + join([self._id(), "stack", f"{map};{at[0]};{at[1]};{';'.join(ids)};@@0"], "/"))
        commands += ["SETUP_STACK\t", "end_save"]
        text = join(commands, "\x1b").encode()
        key = self.dice.randrange(256)
        savedata = "<version>1</version><VassalVersion>3.6.0</VassalVersion><dateSaved>1</dateSaved><description/>"
        return _pack(
            {
                "savedGame": f"!VCSK{key:02x}" + bytes(byte ^ key for byte in text).hex(),
                "moduledata": self.moduledata(),
                "savedata": f'<data version="1">{savedata}</data>',
            }
        )

    # --- its file ---------------------------------------------------------------------------------------------------------

    def moduledata(self) -> str:
        """Return the data by which a module's saves name it."""
        head = '<data version="1"><version>1.0</version><extra1/><extra2/><VassalVersion>3.6.0</VassalVersion><dateSaved>1600000000000</dateSaved><description/>'
        return f"{head}<name>{escape(self.name)}</name></data>"

    def _draw(self, window: _Window) -> str:
        """Return a map with its boards; its boards are chosen at the start."""
        chosen = element("setup", escape(window.picker))
        boards = "".join(board.xml for board in window.boards)
        picked = element(M + "map.BoardPicker", chosen + boards, title="Choose boards")
        parts = "".join(element(M + f"map.{part}") for part in _PARTS)
        given = {"edgeWidth": 0, "edgeHeight": 0, "launch": "false", "allowMultiple": "false"}
        given |= {"markMoved": "Never", "moveToFormat": "", **window.given}
        within = picked + parts + self.within[window.name]
        return element(M + window.tag, within, mapName=window.name, **given)

    def _prototype(self, name: str) -> str:
        traits = [*self.prototypes[name], ("piece;;;;", "null;0;0;;0")]
        text = "+/" + join(["null", fold([one for one, _ in traits]), fold([state for _, state in traits])], "/")
        return element(M + "PrototypeDefinition", escape(text), name=name, description="")

    def _write(self, palettes: str, setups: str) -> bytes:
        """Return the module's file."""
        sides = "".join(element("entry", nation) for nation in NATIONS[:2])
        parts = [
            element(M + "BasicCommandEncoder"),
            element(M + "PlayerRoster", sides, buttonText="Retire"),
            element(M + "GlobalOptions", autoReport="Never", promptString=""),
            element(M + "PrototypesContainer", "".join(self._prototype(name) for name in self.prototypes)),
            palettes,
            self.draw_pictures(),
            *map(self._draw, self.windows),
            setups,
        ]
        about = {"name": self.name, "version": "1.0", "VassalVersion": "3.6.0", "description": ""}
        root = element(M[:-7] + "GameModule", "".join(parts), **about, nextPieceSlotId=self.gpid + 1)
        build = '<?xml version="1.0" encoding="UTF-8"?>\n' + root
        return _pack({"buildFile.xml": build, "moduledata": self.moduledata(), **self.files})


def _pack(files: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)  # without the time of day
    return file.getvalue()


def make(seed: int, *, oblique: bool = True) -> Made:
    """Return the module of a seed."""
    return Maker(seed, oblique=oblique).made()
