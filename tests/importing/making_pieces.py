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
    tab: str


class Pieces(Drawn):
    """Makes pieces."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.prototypes: dict[str, tuple[tuple[str, str], ...]] = {}
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
            if way == "nation: property against tabs":  # some pieces have been filed with those of an enemy
                tab = nations[0] if number < 3 else nation
            owned = nation if said or way in ("nation: tabs", "nation: prototype") or tab == nation else ""
            found.append(Kind(name, owned, said, image, tuple(traits), self.gpid, tab))
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
        tabs: dict[str, str] = {}
        for kind in kinds:
            tabs[kind.tab] = tabs.get(kind.tab, "") + self.slot(kind, kind.gpid)
        if self.chance(0.3):
            self.note("markers")
            for name in MARKERS:
                self.gpid += 1
                marker = Kind(name, "", False, "back.png", (("prototype;Plain", ""),), self.gpid, "Markers")
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

    def next_slot(self) -> int:
        """Return a slot that no piece has."""
        self.gpid += 1
        return self.gpid
