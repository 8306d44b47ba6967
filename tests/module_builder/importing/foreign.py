"""A module of another maker, made up for the tests: a map with hexes, a turn track on it, a window with squares, pieces with two sides."""

from __future__ import annotations

import io
from collections.abc import Mapping

from lxml import etree
from PIL import Image

from assistant.formats.vassal.containers import ModuleData, write_container, write_module_data
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.pieces import Piece, PieceStack, write_definition
from assistant.formats.vassal.saves import Save, write_save
from assistant.formats.vassal.traits import LabelTrait, LayerTrait, Trait, keystroke, marker_trait
from module_builder.vassal.elements import MAP, MODULE, WIDGET, add

BOARD = f"{MAP}boardPicker.board."
ABOUT = ModuleData("Marsh & Moor", "2.1", "3.6.0", "Two sides in a marsh.")
LAND = (900, 700)
HEXES = {"x0": "60", "y0": "110", "dx": "69.3", "dy": "80.0", "sideways": "false"}
NUMBERS = {
    "first": "H",
    "sep": ".",
    "hType": "N",
    "vType": "N",
    "hLeading": "1",
    "vLeading": "1",
    "hOff": "11",
    "vOff": "5",
}
NUMBERS |= {"hDescend": "false", "vDescend": "false", "stagger": "false"}

FLIP = LayerTrait("Side", ("", "back.png"), ("", "+ reduced"), ("Flip", keystroke("F")), loop=True)
STEPS = LayerTrait(
    "Steps",
    ("", "two.png", "three.png"),
    ("", "two", "three"),
    ("Lose", keystroke("L")),
    ("Gain", keystroke("G")),
    x=20,
    y=-20,
)
CONTROL = LayerTrait("Holder", ("blue.png", "red.png"), ("Blue", "Red"), ("Next", keystroke("N")), loop=True)
NOTE = LabelTrait("Note", "Write", keystroke("W"))
#: A layer of one level that players switch on and off.
DISRUPTED = (
    "emb2;Disrupt;130;D;;130;;;130;;;;1;false;-20;-20;d.png;disrupted;false;Disrupted;;;false;;1;1;false;68,130;;;;1.0"
)


def picture(size: tuple[int, int] = (50, 50), colour: str = "#336699", kind: str = "PNG") -> bytes:
    """A picture in one colour."""
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()


PICTURES = {
    "land.png": picture(LAND, "#ddeecc"),
    "reserves.png": picture((400, 300), "#eeeeee"),
    "front.png": picture(),
    "other.gif": picture(colour="#aa2222", kind="GIF"),
    "back.png": picture(colour="#cccccc"),
    **{f"{name}.png": picture((16, 16), "#ff0000") for name in ("two", "three", "d")},
    **{f"{name}.png": picture((40, 40), name) for name in ("blue", "red")},
    "crt.png": picture((300, 200)),
}


def unit(name: str, image: str, *, turns: bool = True, **marks: str) -> Piece:
    """A piece of a palette: two sides, what all units have, and constant properties."""
    sides = (Trait(FLIP.type, "1"),) if turns else ()
    traits = (Trait("prototype;Unit"), *sides, marker_trait(marks), Trait(f"piece;;;{image};{name}"))
    return Piece("null", traits)


PALETTES: dict[str, list[Piece]] = {
    "Blue units": [
        unit("1st", "front.png", Strength="4", Arm="infantry"),
        unit("2nd", "front.png", Strength="3", Arm="infantry"),
        unit("Guard/A", "front.png", turns=False, Strength="5", Arm="cavalry"),
    ],
    "Red units": [
        unit("1st", "other.gif", Strength="2", Arm="infantry"),
        unit("Wagon", "nowhere.png", turns=False, Strength="0"),
    ],
    "Markers": [Piece("null", (Trait(CONTROL.type, "1"), Trait("piece;;;;Control")))],
}


def build_file(palettes: Mapping[str, list[Piece]] = PALETTES) -> etree._Element:
    """The module's build file; each piece of the palettes has its place in them as its id."""
    root = etree.Element(
        "VASSAL.build.GameModule", name=ABOUT.module, version=ABOUT.module_version, VassalVersion="3.6.0"
    )
    add(root, MODULE + "BasicCommandEncoder")
    roster = add(root, MODULE + "PlayerRoster")
    for side in ("Blue", "Red", "Umpire"):
        add(roster, "entry", side)
    add(root, MODULE + "GlobalOptions")
    prototypes = add(root, MODULE + "PrototypesContainer")
    shared = (Trait(STEPS.type, "1"), Trait(DISRUPTED, "-1"), Trait(NOTE.type, ""), Trait("piece;;;;"))
    add(prototypes, MODULE + "PrototypeDefinition", write_definition(Piece("null", shared)), name="Unit")
    tabs = add(add(root, MODULE + "PieceWindow", name="Counters"), WIDGET + "TabWidget", entryName="Counters")
    number = 0
    for name, pieces in palettes.items():
        held = add(tabs, WIDGET + "ListWidget", entryName=name)
        for piece in pieces:
            number += 1
            told = {"entryName": piece.name, "gpid": str(number), "width": "50", "height": "50"}
            add(held, WIDGET + "PieceSlot", write_definition(piece._replace(slot=str(number))), **told)
    add(root, MODULE + "DiceButton", name="2d6", nDice="2", nSides="6")
    add(root, MODULE + "SpecialDiceButton", name="Odd dice")
    charts = add(add(root, MODULE + "ChartWindow", name="Charts"), WIDGET + "TabWidget", entryName="Charts")
    add(charts, WIDGET + "Chart", chartName="Results", fileName="crt.png")
    tracker = add(root, MODULE + "turn.TurnTracker", name="Turn", turnFormat="$level1$")
    level = add(tracker, MODULE + "turn.CounterTurnLevel", name="Turn", start="1", incr="1", loop="true", loopLimit="8")
    add(level, MODULE + "turn.ListTurnLevel", name="Player", list="Blue,Red")
    board = add(_picker(root, "Main", "Land"), MAP + "boardPicker.Board", name="Land", image="land.png")
    zoned = add(board, BOARD + "ZonedGrid")
    track = add(
        zoned,
        BOARD + "mapgrid.Zone",
        name="Turn Track",
        locationFormat="$gridLocation$",
        path="0,0;900,0;900,60;0,60",
        useParentGrid="false",
    )
    regions = add(track, BOARD + "RegionGrid")
    for turn in (1, 2, 3):
        add(regions, BOARD + "Region", name=f"Turn {turn}", originx=str(100 * turn), originy="30")
    add(add(zoned, BOARD + "HexGrid", **HEXES), BOARD + "mapgrid.HexGridNumbering", **NUMBERS)
    sheet = add(_picker(root, "Reserves", "Sheet"), MAP + "boardPicker.Board", name="Sheet", image="reserves.png")
    squares = add(sheet, BOARD + "SquareGrid", x0="50", y0="50", dx="100", dy="100")
    add(
        squares,
        BOARD + "mapgrid.SquareGridNumbering",
        first="H",
        sep="",
        hType="A",
        vType="N",
        hOff="0",
        vOff="1",
        vLeading="0",
    )
    secret = add(root, MODULE + "PrivateMap", mapName="Red only", side="Red", visible="false")
    hidden = add(add(secret, MAP + "BoardPicker"), MAP + "boardPicker.Board", name="Hidden", width="200", height="200")
    add(hidden, BOARD + "RegionGrid")
    add(root, MODULE + "PredefinedSetup", name="The start", file="start.vsav", useFile="true")
    return root


def _picker(root: etree._Element, window: str, board: str) -> etree._Element:
    """What chooses the boards of a new map: this one. Stacks and mouse have what VASSAL needs for them."""
    map = add(
        root, MODULE + "Map", mapName=window, edgeWidth="0", edgeHeight="0", allowMultiple="false", markMoved="Never"
    )
    picker = add(map, MAP + "BoardPicker")
    add(picker, "setup", f"{window}BoardPicker\t{board}\t0\t0")
    for part in ("StackMetrics", "ForwardToKeyBuffer", "MenuDisplayer", "PieceMover", "KeyBufferer"):
        add(map, MAP + part)
    return picker


def packed(root: etree._Element, pictures: Mapping[str, bytes] = PICTURES, files: Mapping[str, bytes] = {}) -> bytes:
    """A module's file."""
    images = {f"images/{name}": data for name, data in pictures.items()}
    about = {"moduledata": write_module_data(ABOUT), "buildFile.xml": etree.tostring(root, encoding="UTF-8")}
    return write_container({**about, **images, **files})


HEX_2ND = (129, 230)
HEX_1ST = (198, 190)
HEX_RED = (337, 270)


def placed(module: Module, id: str, slot: str, map: str, at: tuple[int, int], **states: str) -> Piece:
    """A piece of the palettes in play. states: of its layers by name, and of the text `Note`."""
    piece = next(one.piece for one in module.slots if one.id == slot)
    named = {FLIP.type: "Side", STEPS.type: "Steps", DISRUPTED: "Disrupted", CONTROL.type: "Holder", NOTE.type: "Note"}
    traits = (
        Trait(trait.type, states.get(named.get(trait.type, ""), trait.state)) for trait in module.expanded(piece.traits)
    )
    return Piece(id, tuple(traits), map, at, slot)


def start(module: Module) -> Save:
    """The set-up of the module."""
    pieces = [
        placed(module, "a", "1", "Main", HEX_2ND, Side="2", Steps="3"),
        placed(module, "b", "2", "Main", HEX_2ND, Disrupted="1"),
        placed(module, "c", "3", "Main", HEX_1ST, Note="to the left"),
        placed(module, "d", "4", "Main", HEX_RED),
        placed(module, "e", "4", "Reserves", (150, 50)),
        placed(module, "f", "5", "Main", (200, 30)),
        placed(module, "g", "6", "Main", HEX_RED, Holder="2"),
        placed(module, "h", "6", "Main", HEX_1ST),
        placed(module, "i", "5", "Red only", (20, 20)),
    ]
    stacks = [("s", ("a", "b"), "Main", HEX_2ND)]
    stacks += [(f"of {one.id}", (one.id,), one.map, one.at) for one in pieces[2:]]
    return Save(
        about=ABOUT,
        boards={"Main": (("Land", 0, 0),), "Reserves": (("Sheet", 0, 0),), "Red only": (("Hidden", 0, 0),)},
        pieces={piece.id: piece for piece in pieces},
        stacks={id: PieceStack(id, ids, map, at) for id, ids, map, at in stacks},
        turns={"TurnTracker0": "0|3;0;false;8;0\\;0\\;0\\;true,true"},
    )


def foreign() -> bytes:
    """The whole module."""
    bare = packed(build_file())
    return packed(build_file(), files={"start.vsav": write_save(start(read_module(bare)))})
