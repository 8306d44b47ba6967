"""Modules whose counters VASSAL draws itself, by seed: layouts with any values that its editor offers, and labels."""

from __future__ import annotations

import random

from lxml import etree

from assistant.formats.vassal.pieces import Piece, write_definition
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import LabelTrait, Trait
from module_builder.vassal.elements import MODULE, WIDGET, add

from .foreign import packed, picture

GENERATED = MODULE + "gamepieceimage."
COLOURS = (
    "WHITE",
    "GRAY",
    "BLACK",
    "CLEAR",
    "RED",
    "GREEN",
    "BLUE",
    "ORANGE",
    "PINK",
    "CYAN",
    "YELLOW",
    "DARK GRAY",
    "sand",
)
PLACES = ("Center", "Top", "Bottom", "Left", "Right", "Top Left", "Top Right", "Bottom Left", "Bottom Right")
BORDERS = ("Plain", "Fancy", "3D", "None")
SYMBOLS = (
    "None", "Infantry", "Cavalry/Recon", "Armored", "Artillery", "Engineers", "Airborne", "Air Defence", "Air Force",
    "Anti Tank", "Army Aviation", "Commando", "Glider-Borne", "Guerrilla", "Mountain", "",
)  # fmt: skip
SIZES = (
    "None", "Installation", "Team", "Squad", "Section", "Echelon", "Company", "Battalion", "Regiment",
    "Brigade", "Division", "Corps", "Army", "Army Group", "Region",
)  # fmt: skip
SHAPES = ("Rectangle", "Rounded Rectangle", "Oval")
TEXTS = ("4-6-5", "12", "Adler", "7", "XX", "3rd", "2-1-9")
PICTURES = {"front.png": picture((50, 50)), "sign.png": picture((12, 10), "#aa2200")}


class Maker:
    """Makes counters. `turned`: whether items may be rotated."""

    def __init__(self, seed: int, *, turned: bool = True) -> None:
        self._random = random.Random(seed)
        self._turned = turned

    def colour(self, *, clear: bool = True) -> str:
        """Return the name of a colour. `clear`: whether it may be transparent."""
        colour = self._random.choice(COLOURS)
        return colour if clear or colour != "CLEAR" else "BLACK"

    def whole(self, least: int, most: int) -> str:
        return str(self._random.randint(least, most))

    def spot(self, name: str) -> str:
        """Return the place of an item, as a layout writes it."""
        degrees = self._random.choice(("0", "0", "0", "90", "30")) if self._turned else "0"
        place = self._random.choice(PLACES)
        return join((name, place, self.whole(-6, 6), self.whole(-6, 6), degrees, "true"), ";")

    def item(self, kind: str, name: str) -> tuple[str, str]:
        """Return an item of a layout, and its values on a counter."""
        match kind:
            case "Symbol":
                head = join(
                    ("Symbol", self.whole(15, 40), self.whole(12, 30), self._random.choice(("1.0", "2.0"))), ";"
                )
                signs = [self._random.choice(some) for some in (SIZES, SYMBOLS, SYMBOLS)]
                colours = self.colour(clear=False), self.colour(), *signs, self.colour(clear=False)
                value = join(("Symbol", name, "Center", *colours), ";")
            case "Text":
                style = self._random.choice(("Default", "large", "outlined"))
                head = join(("Text", style, "Specified in individual images", "", "", "", "", "", "false"), ";")
                colours = self.colour(clear=False), self.colour()
                value = join(("Text", name, "Center", *colours, self._random.choice(TEXTS), self.colour()), ";")
            case "Box":
                shape = self._random.choice(SHAPES)
                head = join(("Box", self.whole(6, 40), self.whole(6, 40), shape, self.whole(1, 9)), ";")
                value = join(("Box", name, "Center", self.colour(), self.colour()), ";")
            case _:
                head = join(("Image", "sign.png", "Fixed for this layout"), ";")
                value = join(("Image", name, "Center", "sign.png"), ";")
        spot = self.spot(name)
        if kind in ("Box", "Image"):
            spot = spot.replace(";90;", ";0;").replace(";30;", ";0;")  # the editor does not offer to turn these
        return join((head, spot), "|"), value

    def layout(self, root: etree._Element, number: int) -> Piece:
        """Add a layout with one counter, and return a piece with its picture."""
        kinds = self._random.choices(("Symbol", "Text", "Box", "Image"), (3, 3, 2, 1), k=self._random.randint(1, 4))
        items = [self.item(kind, f"{kind} {place}") for place, kind in enumerate(kinds)]
        layout = add(
            root,
            GENERATED + "GamePieceLayout",
            name=f"Layout {number}",
            width=self.whole(40, 75),
            height=self.whole(40, 75),
            border=self._random.choice(BORDERS),
            layout=join((item for item, _ in items), ","),
        )
        add(
            layout,
            GENERATED + "GamePieceImage",
            name=f"drawn-{number}",
            bgColor=self.colour(clear=False),
            borderColor=self.colour(clear=False),
            props=join((value for _, value in items), ","),
        )
        return Piece("", (Trait(f"piece;;;drawn-{number};Unit {number}"),))

    def labelled(self, number: int) -> Piece:
        """Return a piece with a picture and a label."""
        place = (
            self._random.choice("tcb"),
            self._random.randint(-9, 9),
            self._random.choice("lcr"),
            self._random.randint(-9, 9),
        )
        label = LabelTrait(
            "Name",
            "",
            size=self._random.randint(8, 14),
            foreground=self._random.choice(("0,0,0", "200,0,0")),
            background=self._random.choice(("", "255,255,255", "250,240,100")),
            place=place,
            justified=(self._random.choice("tcb"), self._random.choice("lcr")),
            style=self._random.choice((0, 1)),
            degrees=self._random.choice((0, 0, 90)) if self._turned else 0,
        )
        text = Trait(label.type, self._random.choice(TEXTS))
        return Piece("", (text, Trait(f"piece;;;front.png;Unit {number}")))


def module_of(pieces: int, seed: int, *, turned: bool = True) -> bytes:
    """Return a module. Slot N is a generated counter if N is even, otherwise a picture with a label."""
    maker = Maker(seed, turned=turned)
    root = etree.Element("VASSAL.build.GameModule", name="Drawn Counters", version="1.0", VassalVersion="3.7.0")
    add(root, MODULE + "BasicCommandEncoder")
    definitions = add(root, GENERATED + "GamePieceImageDefinitions")
    add(add(definitions, GENERATED + "ColorManager"), GENERATED + "ColorSwatch", name="sand", color="220,200,150")
    fonts = add(definitions, GENERATED + "FontManager")
    add(fonts, GENERATED + "FontStyle", name="large", style="Dialog,1,16,false")
    add(fonts, GENERATED + "FontStyle", name="outlined", style="Dialog,1,12,true")
    layouts = add(definitions, GENERATED + "GamePieceLayoutsContainer")
    window = add(root, MODULE + "PieceWindow", name="Counters")
    listed = add(add(window, WIDGET + "TabWidget", entryName="All"), WIDGET + "ListWidget", entryName="Drawn")
    for number in range(pieces):
        piece = maker.labelled(number) if number % 2 else maker.layout(layouts, number)
        slot = add(listed, WIDGET + "PieceSlot", entryName=f"Unit {number}", gpid=str(number), width="60", height="60")
        slot.text = write_definition(piece._replace(slot=str(number)))
    return packed(root, PICTURES)
