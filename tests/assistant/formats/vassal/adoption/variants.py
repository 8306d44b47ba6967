"""Published modules of *Twilight in the East*, each with other ways of naming and counting (see published.py): `tests/kept/adopted.md` shows
what is proposed for them, and what is understood of a save."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from assistant.formats.vassal.grids import HEXES
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.saves import write_save
from assistant.formats.vassal.traits import LabelTrait, LayerTrait, Trait, keystroke

from .published import COUNTERS, GERMAN, GRID, LEVEL, NAME, RUSSIAN, SUPPLY, Counter, Put, build, saved

_BATTALION = Trait("mark;Morale", "7")


def _units(path: tuple[str, ...], *names: str, traits: tuple[Trait, ...] = ()) -> list[Counter]:
    """Counters of one tab, their pictures numbered."""
    return [
        Counter(path, name, f"{path[-1][:3].lower()}{number}.png", traits=traits) for number, name in enumerate(names)
    ]


def _layer(name: str, *names: str, images: Sequence[str] = ()) -> Trait:
    pictures = tuple(images) or tuple(f"{name}{number}.png" for number in range(len(names)))
    return Trait(LayerTrait(name, pictures, names, ("Next", keystroke("N"))).type, "1")


OTHER_NAMES = [
    *_units((*RUSSIAN, "2 Army"), "8/XV", "3 Gds ID", "ru cav 1", "1st Gd. Cav. Div.", "det 22+24", "79R", "6/15 ID"),
    *_units((*RUSSIAN, "Supply"), "2nd Army Major Depot", "First Army Minor Depot", "Train 3", "KG Train", "EIGHTH Major"),
    *_units((*GERMAN, "Eighth Army"), "41. ID", "6 Ldw", "6. Landwehr", "Tilsit", "D. Eylau", "I Res. Train", "3r", "35r", "36r"),
    *_units(("Units", "A-H"), "1st Army Depot (Major)", "A-H 4 Major Depot", "3 Det", "11/3 Inf", "XI Korps"),
    *_units(("Leaders", "Fortresses"), "Zegrze", "Osowiec", "L\u00f6tzen", "Koenigsberg", "Warsaw"),
]  # fmt: skip
"""Units by numerals, abbreviations and letters, some of which fit several counters or none."""
OTHER_STATES = [
    *_units((*RUSSIAN, "III Corps"), "25 ID", traits=(_layer("Status", "", "+ Disordered 1", "+ Disordered 2"),)),
    *_units((*RUSSIAN, "IV Corps"), "27 ID", traits=(_layer("CEL", "", "-1", "-2"), Trait("mark;Defense", "10"))),
    *_units((*RUSSIAN, "V Corps"), "29 ID", traits=(_layer("", "", "+ (reduced)"), Trait("mark;Supply", "OOS"))),
    *_units((*GERMAN, "I Corps"), "1 ID", traits=(Trait(LabelTrait("Army", "Set army").type, "First"), _BATTALION)),
    *_units((*GERMAN, "II Corps"), "2 ID", traits=(_layer("Hits", "", "", "", images=("h0.png", "h1.png", "h2.png")),)),
    *_units((*GERMAN, "XVII Corps"), "35 ID", traits=(_layer("Colour", "Red", "Blue"), Trait("own.Code;x", ""))),
    *_units(("Markers",), "IP 1", "IP 2", "Entrenchment", "Destroyed Bridge", "Russian Control", "German Control", "GT 5"),
    *_units(("Markers",), "Low Supply", "Disorder 2", "Railhead", "Ruined", traits=(Trait(SUPPLY.type, "2"), Trait(LEVEL.type, "2"))),
]  # fmt: skip
"""Units whose losses, levels and supply stand in layers, texts and properties of other names, and markers of the same."""


def _variant(
    name: str, *words: tuple[str, str], counters: Sequence[Counter] = COUNTERS, grid: str = GRID
) -> Callable[[], bytes]:
    """A module of its own name, with other counters, another grid, or other words in its build file."""
    return lambda: build(counters, grid=grid, words=[(f'name="{NAME}"', f'name="{name}"'), *words])


VARIANTS = {
    name: _variant(name, *words)
    for name, words in {
        "front-dotted": [('sep=""', 'sep="."')],
        "front-turns": [
            ('property="Turn" start="1"', 'property="Game Turn" start="0"'),
            ('list="Movement,Attack,Supply"', 'list="Movement Phase,Combat,Isolation,End"'),
            ('property="Step"', 'property="Weather"'),
        ],
        "front-sides": [
            ("<entry>German Player</entry>", "<entry>The Central Powers</entry><entry>Austria-Hungary</entry>"),
            ("<entry>Russian</entry>", "<entry>Tsar</entry><entry>German or Russian</entry>"),
        ],
        "front-dice": [('name="Combat" nDice="2"', 'name="2d6" nDice="2"'), ('name="Step losses"', 'name="Check"')],
        "front-maps": [
            ('mapName="Dead Pile"', 'mapName="Eliminated"'),
            ('mapName="Main Map"', 'mapName="East"'),
            ("Bukowina Holding Area", "Bukovina"),
        ],
    }.items()
} | {
    "front-bare": _variant("front-bare", grid=f'<{HEXES} x0="40" y0="40" dx="52" dy="60"/>'),
    "front-names": _variant("front-names", counters=OTHER_NAMES),
    "front-states": _variant("front-states", counters=OTHER_STATES),
    "front-everything": _variant("front-everything", counters=[*COUNTERS, *OTHER_NAMES, *OTHER_STATES]),
}
"""The modules by the names of their files."""


def save_of(name: str) -> bytes:
    """A save of a module whose counters are those of the plain one, with units in every state."""
    module = read_module(VARIANTS[name]())
    stacks = {
        "4020": [Put("r025.png", {"Step Losses": "2", "Supply": "2"}), Put("r027.png", {"CEL lost": "3"})],
        "4019": [Put("r029.png", {"Step Losses": "4", "Supply": "3"}), Put("oos.png")],
        "4119": [Put("ip1.png", {"Level": "3"}), Put("g001.png", {"CEL lost": "1"})],
        "3619": [Put("r-iii-train.png"), Put("r-xx-train.png")],
    }
    save = saved(module, stacks, turn=r"0|4;0;false;-1;2\;0\;0\;true,true,true", aside=[Put("g002.png"), Put("vp.png")])
    return write_save(msgspec.structs.replace(save, public_notes="Field Staff\n41.19 clear\nask supply unit=25/3\n"))  # fmt: skip
