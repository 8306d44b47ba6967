"""Pieces of made-up modules: in palettes whose nations are said in every way, with prototypes and layers."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

from .elements import Drawn, M, W, element, fold, join, png
from .reading import Point

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
WITHIN = {
    "Blue": (("Britain", "France"), ("Avalon", "Lyonesse")),
    "Red": (("Germany", "Italy"), ("Ruritania", "Borduria")),
}
"""The nations within the tab of each side, those of history and invented ones."""
GROUPS = {
    "nation: tabs in corps": ("1st Corps", "2nd Corps"),
    "nation: tabs in fronts": ("Western Front", "Eastern Front"),
}
"""By the way in which nations are said, the tabs between those of sides and nations."""
ARMS = ("Infantry", "Artillery")
BRIGADES = ("Adler", "Berg", "Cohn")
"""The texts of labels on one blank picture."""
SYMBOLS = ("Infantry", "Cavalry/Recon", "Artillery", "Engineers")
SIZES = ("Division", "Brigade", "Corps")
_G = M + "gamepieceimage."


class Kind(NamedTuple):
    """A piece of the palettes."""

    name: str
    nation: str
    said: bool
    """Whether its own property says its nation."""
    image: str
    traits: tuple[tuple[str, str], ...]
    """As a slot has them, without the basic piece."""
    gpid: int
    path: tuple[str, ...]
    """The tabs that it lies in."""
    label: str = ""
    """The text of a label that is fixed."""
    drawn: tuple[str, str, str] = ("", "", "")
    """Symbol, size and figures, if the engine draws the picture."""


_LABEL = ["label", *[""] * 2, "10", "0,0,0", "255,255,255", "b", "0", "c", "0", "b", "c"]
_LABEL += ["$pieceName$ ($label$)", "Dialog", "0", "0"]
"""The parts of a label's type before its name."""


def _nest(listed: list[tuple[tuple[str, ...], str]]) -> str:
    """Return tabs with their lists. listed: slots, each with the tabs that it lies in."""
    tabs: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for path, slot in listed:
        tabs.setdefault(path[0], []).append((path[1:], slot))
    found = ""
    for tab, held in tabs.items():
        if held[0][0]:
            found += element(W + "TabWidget", _nest(held), entryName=tab)
            continue
        within = "".join(slot for _, slot in held)
        found += element(W + "ListWidget", within, entryName=tab, divider=150, height=300, width=300, scale="1.0")
    return found


class Pieces(Drawn):
    """Makes pieces."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.prototypes: dict[str, tuple[tuple[str, str], ...]] = {}
        self.drawn: dict[str, tuple[str, str, str]] = {}
        """Symbol, size and figures of each picture that the engine draws."""
        self.gpid = 0

    def pieces(self) -> list[Kind]:
        """Return the pieces of the palettes."""
        way = self.note(
            self.dice.choice(
                (
                    "nation: tabs",
                    "nation: property",
                    "nation: property against tabs",
                    "nation: property of few",
                    "nation: property of few alone",
                    "nation: prototype",
                    "nation: none",
                    "nation: tabs in a tab",
                    *GROUPS,
                )
            )
        )
        key = self.dice.choice(("Nation", "nation", "Side", "country", "Faction"))
        nations = NATIONS[: 2 if way in GROUPS else self.dice.choice((2, 2, 3))]
        are_known = self.chance(0.5)
        has_labels = self.chance(0.3) and bool(self.note("labels"))
        has_drawn = self.chance(0.3) and bool(self.note("generated pictures"))
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
            said = way in ("nation: property", "nation: property against tabs") or (
                way.startswith("nation: property of few") and number < 2
            )
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
            label, drawn, image = "", ("", "", ""), f"p{number}.png"
            if has_labels and number < len(BRIGADES):
                name, image, label = "Brigade", "blank.png", BRIGADES[number]
                traits.append((join([*_LABEL, "TextLabel", "Chief", "false"], ";"), label))
            elif has_drawn and self.chance(0.6):
                figures = "-".join(str(self.dice.randint(1, 9)) for _ in range(3))
                image, drawn = f"drawn {number}", (self.dice.choice(SYMBOLS), self.dice.choice(SIZES), figures)
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
                        join([*_LABEL, "TextLabel", "", "false"], ";"),
                        "5-6",
                    )
                )
            if self.chance(0.15):
                traits.append(("obs;77,130;back.png;Mask;B;?;player:", "null;;"))
            if any(drawn):
                self.drawn[image] = drawn
            else:
                colour = (9, 9, 9) if image == "blank.png" else (20 * number, 60, 200)
                self.files[f"images/{image}"] = png((50, 50), colour)
            self.gpid += 1
            path: tuple[str, ...] = (nation,) if way in ("nation: tabs", "nation: property of few") else ("Pieces",)
            if way == "nation: property against tabs":  # some pieces have been filed with those of an enemy
                path = (nations[0] if number < 3 else nation,)
            owned = nation if said or way in ("nation: tabs", "nation: prototype") or path == (nation,) else ""
            if way == "nation: tabs in a tab":
                path, owned = ("Units", nation), nation
            if way in GROUPS:
                place = number // 2
                owned = WITHIN[nation][0 if are_known else 1][place // 2 % 2]
                path = (nation, GROUPS[way][place % 2], owned)
                path += (self.dice.choice(ARMS),) if way == "nation: tabs in fronts" else ()
            found.append(Kind(name, owned, said, image, tuple(traits), self.gpid, path, label, drawn))
        self.files["images/back.png"] = png((50, 50), (99, 99, 99))
        return found

    def expand(self, traits: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
        """Return traits with what prototypes stand for."""
        found = []
        for type, state in traits:
            known = self.prototypes.get(type.removeprefix("prototype;")) if type.startswith("prototype;") else None
            found += [(type, state)] if known is None else self.expand(known)
        return found

    def definition(self, kind: Kind, gpid: int, id: str = "null", map: str = "null", at: Point = (0, 0)) -> str:
        """Return a piece as a command: of a slot, or in play."""
        traits = self.expand(kind.traits) if id != "null" else [*kind.traits]
        basic = join(["piece", "", "", kind.image, kind.name], ";")
        types, states = [one for one, _ in traits] + [basic], [state for _, state in traits]
        states.append(join([map, str(at[0]), str(at[1]), str(gpid), "0"], ";"))
        return "+/" + join([id, fold(types), fold(states)], "/")

    def slot(self, kind: Kind, gpid: int, tag: str = "PieceSlot") -> str:
        """Return a piece as an element."""
        text = escape(self.definition(kind, gpid))
        return element(W + tag, text, entryName=kind.name, gpid=gpid, width=50, height=50)

    def palettes(self, kinds: list[Kind]) -> str:
        """Return the palettes."""
        listed = [(kind.path, self.slot(kind, kind.gpid)) for kind in kinds]
        if self.chance(0.3):
            self.note("markers")
            for name in MARKERS:
                self.gpid += 1
                marker = Kind(name, "", False, "back.png", (("prototype;Plain", ""),), self.gpid, ("Markers",))
                listed.append((marker.path, self.slot(marker, self.gpid)))
        within = element(W + "TabWidget", _nest(listed), entryName="All")
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

    def draw_pictures(self) -> str:
        """Return what the engine draws its pictures by, "" if it draws none."""
        if not self.drawn:
            return ""
        layout = "Symbol;27;21;1.0|Symbol;Center;0;-2;0;true,"
        layout += "Text;Default;Specified in individual images;;;;;;false|Stats;Bottom;0;0;0;true"
        images = ""
        for name, (symbol, size, figures) in self.drawn.items():
            props = (
                f"Symbol;Symbol;Center;BLACK;CLEAR;{size};{symbol};None;BLACK,Text;Stats;Bottom;BLACK;CLEAR;{figures};"
            )
            images += element(_G + "GamePieceImage", name=name, bgColor="PINK", props=props)
        drawn = {"width": 60, "height": 60, "border": "None", "layout": layout}
        layouts = element(_G + "GamePieceLayout", images, name="Plain", **drawn)
        managers = element(_G + "ColorManager") + element(_G + "FontManager")  # the engine opens no module without them
        container = element(_G + "GamePieceLayoutsContainer", layouts)
        return element(_G + "GamePieceImageDefinitions", managers + container)

    def next_slot(self) -> int:
        """Return a slot that no piece has."""
        self.gpid += 1
        return self.gpid
