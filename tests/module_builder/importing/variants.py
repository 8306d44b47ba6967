"""Modules of other makers, each the made-up one (foreign.py) but for one thing: `tests/kept/foreign.md` shows what an import makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lxml import etree

from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.saves import write_save
from assistant.formats.vassal.traits import LabelTrait, LayerTrait, Trait, keystroke, marker_trait
from module_builder.vassal.elements import MAP, MODULE, add

from .foreign import (
    BOARD,
    DISRUPTED,
    FLIP,
    PALETTES,
    PICTURES,
    STEPS,
    build_file,
    foreign,
    packed,
    picture,
    start,
    unit,
)

Change = Callable[[etree._Element], None]


def _with_start(root: etree._Element, pictures: Mapping[str, bytes] = PICTURES) -> bytes:
    """A module with its set-up, the pieces of which lie where they lie in the plain one."""
    return packed(root, pictures, {"start.vsav": write_save(start(read_module(packed(root, pictures))))})


def _changed(change: Change) -> Callable[[], bytes]:
    """A module whose build file differs."""

    def module() -> bytes:
        root = build_file()
        change(root)
        return _with_start(root)

    return module


def _numbered(**numbers: str) -> Callable[[], bytes]:
    """A module whose hexes are numbered otherwise."""
    return _changed(lambda root: next(root.iter(BOARD + "mapgrid.HexGridNumbering")).attrib.update(numbers))


def _laid(**grid: str) -> Callable[[], bytes]:
    """A module whose hexes lie otherwise."""
    return _changed(lambda root: next(root.iter(BOARD + "HexGrid")).attrib.update(grid))


def _made_of(**pieces: Piece) -> Callable[[], bytes]:
    """A module with other pieces in the palettes of both sides, one of which is the plain first."""
    return lambda: packed(
        build_file({**PALETTES, "Blue units": [PALETTES["Blue units"][0], *pieces.values()]}),
        PICTURES | {"wide.png": picture((80, 40), "#008000")},
    )


def _piece(name: str, *traits: Trait, image: str = "front.png") -> Piece:
    return Piece("null", (*traits, Trait(f"piece;;;{image};{name}")))


def _turns(root: etree._Element) -> None:
    """Turns of months within years, an impulse below, and another tracker beside them."""
    tracker = next(root.iter(MODULE + "turn.TurnTracker"))
    for level in [*tracker]:
        tracker.remove(level)
    years = add(tracker, MODULE + "turn.ListTurnLevel", name="Year", list="1914,1915")
    months = add(years, MODULE + "turn.ListTurnLevel", name="Month", list="August,September,,October")
    add(months, MODULE + "turn.CounterTurnLevel", name="Impulse", start="1", incr="2", loop="true", loopLimit="7")
    other = add(root, MODULE + "turn.TurnTracker", name="Weather")
    add(other, MODULE + "turn.ListTurnLevel", name="Sky", list="Dry,Wet")


def _dice_and_charts(root: etree._Element) -> None:
    for dice, faces in (("1", "10"), ("2", "6"), ("0", "6"), ("3", "0"), ("40", "6"), ("1", "2000")):
        add(root, MODULE + "DiceButton", name=f"{dice}d{faces}", nDice=dice, nSides=faces, reportTotal="true")
    charts = add(add(root, MODULE + "ChartWindow", name="More"), "VASSAL.build.widget.TabWidget", entryName="More")
    for title, file in (("Results", "blue.png"), ("", "red.png"), ("Lost", "nowhere.png"), ("Text", "text.html")):
        add(charts, "VASSAL.build.widget.Chart", chartName=title, fileName=file)
    add(charts, "VASSAL.build.widget.HtmlChart", chartName="Page", fileName="text.html")


def _sides(root: etree._Element) -> None:
    roster = next(root.iter(MODULE + "PlayerRoster"))
    for side in ("red", "<observer>", "Blue & Red", "", "Neutral"):
        add(roster, "entry", side)


def _regions(root: etree._Element) -> None:
    """Regions in the place of hexes, two of them of one name, one without, one where pieces lie."""
    zoned = next(root.iter(BOARD + "ZonedGrid"))
    zoned.remove(next(root.iter(BOARD + "HexGrid")))
    regions = add(zoned, BOARD + "RegionGrid")
    for name, x, y in (("Fen", 130, 230), ("Hill", 200, 190), ("Fen", 340, 270), ("", 500, 500), ("Turn 1", 700, 600)):
        add(regions, BOARD + "Region", name=name, originx=str(x), originy=str(y))


def _squares(root: etree._Element) -> None:
    zoned = next(root.iter(BOARD + "ZonedGrid"))
    zoned.remove(next(root.iter(BOARD + "HexGrid")))
    squares = add(zoned, BOARD + "SquareGrid", x0="50", y0="50", dx="100", dy="80")
    add(squares, BOARD + "mapgrid.SquareGridNumbering", first="V", sep="-", hType="A", vType="N", hOff="2", vOff="1", vLeading="1", vDescend="true")  # fmt: skip


def _zones(root: etree._Element) -> None:
    """Zones with grids of their own, with names alone, with a path of two corners, and one over another."""
    zoned = next(root.iter(BOARD + "ZonedGrid"))
    for name, path, shown in (
        ("Off map", "0,600;900,600;900,700;0,700", "$name$"),
        ("Corner", "0,600;100,600;100,700;0,700", "$name$ $gridLocation$"),
        ("Line", "5,5;9,9", "$name$"),
        ("Fen", "100,200;160,200;160,260;100,260", "the $name$"),
    ):
        zone = add(zoned, BOARD + "mapgrid.Zone", name=name, locationFormat=shown, path=path, useParentGrid="false")
        if name == "Corner":
            add(zone, BOARD + "SquareGrid", x0="10", y0="610", dx="40", dy="40")
    add(zoned, BOARD + "mapgrid.Zone", name="Parent", locationFormat="$gridLocation$", path="400,300;900,300;900,600;400,600", useParentGrid="true")  # fmt: skip


def _boards(root: etree._Element) -> None:
    """A second board in the window of the map, a turned one, and a window whose board has no picture."""
    main = next(map for map in root.iter(MODULE + "Map") if map.get("mapName") == "Main")
    picker = next(main.iter(MAP + "BoardPicker"))
    board = add(picker, MAP + "boardPicker.Board", name="South", image="crt.png", reversible="true")
    add(board, BOARD + "HexGrid", x0="20", y0="20", dx="40", dy="46")
    next(picker.iter("setup")).text = "MainBoardPicker\tLand\t0\t0\tSouth\t0\t1"
    bare = add(root, MODULE + "Map", mapName="Bare")
    add(add(bare, MAP + "BoardPicker"), MAP + "boardPicker.Board", name="Bare", width="100", height="80")


def _starts(root: etree._Element) -> None:
    """Stacks and a deck with which a new game begins, and no set-up of its own."""
    root.remove(next(root.iter(MODULE + "PredefinedSetup")))
    main = next(map for map in root.iter(MODULE + "Map") if map.get("mapName") == "Main")
    stack = add(main, MODULE + "map.SetupStack", name="First", owningBoard="Land", x="129", y="230", useGridLocation="false")  # fmt: skip
    slot = next(root.iter("VASSAL.build.widget.PieceSlot"))
    add(stack, slot.tag, slot.text or "", **{str(name): str(value) for name, value in slot.attrib.items()})
    deck = add(main, MODULE + "map.DrawPile", name="Cards", owningBoard="Land", x="600", y="400", faceDown="Always", maxStack="5")  # fmt: skip
    add(deck, "VASSAL.build.widget.CardSlot", slot.text or "", entryName="Card", gpid="77")


_MANY = LayerTrait(
    "Turn", ("two.png", "", "three.png"), ("+ two", "", "Turn=3"), ("Up", keystroke("U")), ("Down", keystroke("J"))
)
_FRAME = LayerTrait("Frame", ("blue.png",), ("",), ("Frame", keystroke("M")), x=0, y=0)
_OTHER_SIDE = LayerTrait("Face", ("front.png", "back.png"), ("", "worn"), ("Flip", keystroke("F")), loop=True)

VARIANTS: dict[str, Callable[[], bytes]] = {
    "marsh": foreign,
    "sideways": _laid(sideways="true"),
    "wide-hexes": _laid(x0="-20", y0="10", dx="90.5", dy="60"),
    "no-hexes": _laid(dx="0"),
    "descending": _numbered(hDescend="true", vDescend="true", stagger="true", sep=""),
    "letters": _numbered(hType="A", hOff="1", sep="", vLeading="0"),
    "negative": _numbered(hOff="-5", vOff="-3"),
    "turns": _changed(_turns),
    "dice": _changed(_dice_and_charts),
    "sides": _changed(_sides),
    "regions": _changed(_regions),
    "squares": _changed(_squares),
    "zones": _changed(_zones),
    "boards": _changed(_boards),
    "starts": _changed(_starts),
    "pieces": _made_of(
        worn=_piece("Worn", Trait(_OTHER_SIDE.type, "2")),
        framed=_piece(
            "Framed", Trait(_FRAME.type, "1"), Trait(FLIP.type, "2"), marker_trait({"Strength": "7", "Arm": "cavalry"})
        ),
        counted=_piece("Counted", Trait(_MANY.type, "1"), Trait(STEPS.type, "2"), marker_trait({"Strength": "x"})),
        named=_piece("1st", Trait(DISRUPTED, "1"), marker_trait({"Strength": "4", "Arm": "infantry"})),
        wide=_piece("Wide", Trait(FLIP.type, "1"), image="wide.png"),
        empty=_piece("", marker_trait({"Strength": "2"}), image=""),
        noted=_piece(
            "Noted",
            Trait(LabelTrait("Orders", "Order", keystroke("O")).type, "march"),
            Trait(LabelTrait("Plain", "", "").type, "x"),
        ),
        dynamic=_piece("Dynamic", Trait("PROP;Morale;true,0,9,true;:Up:85\\,130:I,1", "5")),
        twin=unit("Twin", "front.png", Strength="4", Arm="infantry"),
        other_twin=unit("Twin", "front.png", Strength="4", Arm="infantry"),
        third_twin=unit("Twin", "front.png", Strength="5", Arm="infantry"),
    ),
    "names": lambda: packed(
        build_file(
            {
                "Blue units": [
                    unit(name, "front.png", Strength="1")
                    for name in ('Say "hi"', "A|B=C", "1ST", "1st", "blue", "disrupted", "0101", "Turn 1", "x" * 90)
                ],
                "blue units": [unit("II/3 \u0141\u00f3d\u017a", "other.gif", Strength="2", Nation="Blue", Source="me")],
                "Control": PALETTES["Markers"],
            }
        )
    ),
}
"""The modules by the names of their files."""
