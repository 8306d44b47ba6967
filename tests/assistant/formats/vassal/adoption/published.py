"""A module as others make them, for *Twilight in the East*: with names, layers, numbers and markers that are not ours.

Its hexes are written without a dot, its steps are a layer of pictures, its strengths stand in pictures only, some of its units are named by the
picture alone, and two Corps Trains have the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

import msgspec

from assistant.formats.vassal.containers import write_container
from assistant.formats.vassal.grids import HEXES, NUMBERED_HEXES, ZONES
from assistant.formats.vassal.maps import stack_pixel
from assistant.formats.vassal.modules import BOARD, PICKER, PROTOTYPE, SLOTS, Module, read_module, set_up_game
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.saves import Save, write_save
from assistant.formats.vassal.sequence import fold, join
from assistant.formats.vassal.traits import LayerTrait, Trait

NAME, VERSION = "The Eastern Front", "1.2"
MAP, DEAD, CHART = "Main Map", "Dead Pile", "Order of Battle"
_MODULE, _WIDGET = "VASSAL.build.module.", "VASSAL.build.widget."
_ZONE = "VASSAL.build.module.map.boardPicker.board.mapgrid.Zone"

#: Hexes in columns 70 to 28 from the west, rows 12 to 42, with the numbers of four digits; the odd columns lie half a hex lower.
_GRID = (
    f'<{HEXES} x0="40" y0="40" dx="52" dy="60"><{NUMBERED_HEXES} first="H" sep="" hType="N" vType="N" hLeading="1" '
    'vLeading="1" hOff="{h_off}" vOff="12" hDescend="true" vDescend="false" stagger="false"/></{hexes}>'
)
SIZE = (2260, 1900)
GRID = _GRID.format(h_off=70 - int(SIZE[0] / 60 + 0.5), hexes=HEXES)
_HOLDING = (
    f'<{_ZONE} name="Bukowina Holding Area" locationFormat="$name$" path="2100,1700;2250,1700;2250,1890;2100,1890"/>'
)

LOSSES = LayerTrait("Step Losses", ("hits1.png", "hits2.png", "hits3.png", "hits4.png"), ("", "", "", ""))
SUPPLY = LayerTrait("Supply", ("", "low.png", "oos.png"), ("", "+ (Low Supply)", "+ (Out of Supply)"))
EFFECT = "PROP;CEL lost;true,0,4,false;"
LEVEL = LayerTrait("Level", ("ip1.png", "ip2.png", "ip3.png"), ("+ 1", "+ 2", "+ 3"))


class Counter(NamedTuple):
    """A counter of the module: its tabs, its name, its picture; prototypes: those that it has."""

    path: tuple[str, ...]
    name: str
    image: str
    prototypes: tuple[str, ...] = ("Combat unit",)
    traits: tuple[Trait, ...] = ()


RUSSIAN, GERMAN = ("Units", "Russian"), ("Units", "German")
COUNTERS = (
    Counter((*RUSSIAN, "III Corps"), "25th Inf Div", "r025.png"),
    Counter((*RUSSIAN, "III Corps"), "27th Inf Div", "r027.png"),
    Counter((*RUSSIAN, "III Corps"), "Corps Train", "r-iii-train.png", ("Supply unit",)),
    Counter((*RUSSIAN, "XX Corps"), "28th Inf Div", "r028.png"),
    Counter((*RUSSIAN, "XX Corps"), "29th Inf Div", "r029.png"),
    Counter((*RUSSIAN, "XX Corps"), "Corps Train", "r-xx-train.png", ("Supply unit",)),
    Counter((*GERMAN, "I Corps"), "1st Inf Div", "g001.png"),
    Counter((*GERMAN, "I Corps"), "2nd Inf Div", "g002.png"),
    Counter((*GERMAN, "XVII Corps"), "35th Inf Div", "g035.png"),
    Counter((*GERMAN, "XVII Corps"), "36th Inf Div", "g036.png"),
    Counter((*GERMAN,), "3rd Res Div", "g003r.png"),
    Counter(("Markers",), "Improved Position", "ip1.png", (), (Trait(LEVEL.type, "1"),)),
    Counter(("Markers",), "Out of Supply", "oos.png", ()),
    Counter(("Markers",), "Victory Points", "vp.png", ()),
)
PROTOTYPES = {
    "Combat unit": (Trait(EFFECT, "0"), Trait("prototype;Loses steps"), Trait(SUPPLY.type, "1")),
    "Loses steps": (Trait(LOSSES.type.replace("true;", "false;", 0), "-1"),),
    "Supply unit": (Trait("mark;Class", "Supply"),),
}


def build(
    counters: Sequence[Counter] = COUNTERS,
    version: str = VERSION,
    grid: str = GRID,
    map: str = MAP,
    words: Sequence[tuple[str, str]] = (),
) -> bytes:
    """The module's file. words: those of the build file that give way to others."""
    zones = f"<{ZONES}>{_HOLDING}{grid}</{ZONES}>"
    inner = [
        f"<{_MODULE}PlayerRoster><entry>German Player</entry><entry>Russian</entry><entry>Umpire</entry></{_MODULE}PlayerRoster>",
        f'<{_MODULE}turn.TurnTracker name="Turn"><{_MODULE}turn.CounterTurnLevel property="Turn" start="1">'
        f'<{_MODULE}turn.ListTurnLevel property="Step" list="Movement,Attack,Supply"/></{_MODULE}turn.CounterTurnLevel></{_MODULE}turn.TurnTracker>',
        f'<{_MODULE}DiceButton name="Combat" nDice="2" nSides="6" reportFormat="** $name$ = $result$ *** &lt;$PlayerName$&gt;"/>',
        f'<{_MODULE}DiceButton name="Step losses" nDice="1" nSides="6"/>',
        _map(map, "East", SIZE, zones),
        _map(DEAD, "Box", (400, 300), ""),
        _map(CHART, "Chart", (800, 600), ""),
        f"<{_MODULE}PrototypesContainer>{''.join(_prototype(*one) for one in PROTOTYPES.items())}</{_MODULE}PrototypesContainer>",
        *_palette(counters),
    ]
    text = f'<{_MODULE.replace("module.", "")}GameModule name="{NAME}" version="{version}" VassalVersion="3.6.7">{"".join(inner)}</VASSAL.build.GameModule>'
    for old, new in words:
        assert old in text, old
        text = text.replace(old, new)
    return write_container({"buildFile.xml": text.encode()})


def _map(name: str, board: str, size: tuple[int, int], grid: str) -> str:
    said = f'name="{board}" width="{size[0]}" height="{size[1]}"'
    return f'<{_MODULE}Map mapName="{name}"><{PICKER}><{BOARD} {said}>{grid}</{BOARD}></{PICKER}></{_MODULE}Map>'


def _prototype(name: str, traits: tuple[Trait, ...]) -> str:
    types, states = (
        fold([*(one.type for one in traits), "piece;;;;"]),
        fold([*(one.state for one in traits), "null;0;0;;0"]),
    )
    return f'<{PROTOTYPE} name="{name}">{escape("+/" + join(("null", types, states), "/"))}</{PROTOTYPE}>'


def _palette(counters: Iterable[Counter]) -> list[str]:
    found = []
    for number, counter in enumerate(counters, 1):
        within = _slot(counter, number)
        for tab in reversed(counter.path):
            within = f"<{_WIDGET}TabWidget entryName={quoteattr(tab)}>{within}</{_WIDGET}TabWidget>"
        found.append(f"<{_MODULE}PieceWindow>{within}</{_MODULE}PieceWindow>")
    return found


def _slot(counter: Counter, number: int) -> str:
    traits = [*counter.traits, *(Trait(f"prototype;{name}") for name in counter.prototypes)]
    types = fold([*(one.type for one in traits), f"piece;;;{counter.image};{counter.name}"])
    states = fold([*(one.state for one in traits), f"null;0;0;{number};0"])
    text = "+/" + join(("null", types, states), "/")
    return f'<{SLOTS[0]} entryName={quoteattr(counter.name)} gpid="{number}">{escape(text)}</{SLOTS[0]}>'


class Put(NamedTuple):
    """A piece of a save: its picture, and the states of its traits by the beginning of their types."""

    image: str
    states: dict[str, str] = {}


def saved(module: Module, stacks: dict[str, Sequence[Put]], turn: str = "", aside: Sequence[Put] = ()) -> Save:
    """A save of the module: at each printed hex a stack, the top piece first; aside: in the dead pile."""
    slots = {one.image: slot for one, slot in zip(COUNTERS, module.slots, strict=False)}
    drawing = module.maps[MAP].boards["East"]
    pieces: dict[str, Piece] = {}
    piled: dict[str, PieceStack] = {}
    for name, puts in {**stacks, "": aside}.items():
        map, at = (MAP, stack_pixel(name, drawing.grid)) if name else (DEAD, (100, 100))
        assert at is not None
        ids = []
        for number, put in enumerate(puts):
            slot = slots[put.image]
            traits = tuple(_in_state(trait, put.states) for trait in module.expanded(slot.piece.traits))
            id = f"{name}.{number}"
            pieces[id] = slot.piece._replace(id=id, traits=traits, map=map, at=at, slot=slot.id)
            ids.append(id)
        if ids:
            piled[f"stack{name}"] = PieceStack(f"stack{name}", tuple(reversed(ids)), map, at)
    turns = {"TurnTracker0": turn} if turn else {}
    save = set_up_game(module)
    return msgspec.structs.replace(save, pieces=pieces, stacks=piled, turns=turns)


def _in_state(trait: Trait, states: dict[str, str]) -> Trait:
    said = next((state for name, state in states.items() if name in trait.type), None)
    return trait if said is None else Trait(trait.type, said)


def example(module: Module) -> Save:
    """The comprehensive example of combat, as a player of this module has it on his map."""
    stacks = {
        "4020": [Put("r025.png"), Put("r027.png")],
        "4019": [Put("r029.png", {"Step Losses": "3"})],
        "4119": [Put("g001.png")],
        "3619": [Put("r-iii-train.png")],
    }
    notes = "\n".join(
        [
            "Field Staff",
            "25/3 (10-?-5-10)",
            "27/3 (10-?-5-10)",
            "29/20 (10-?-5-10)",
            "1/1 (12?-16-7-11)",
            "41.19 clear",
            '"3 Train" range=5 extended-range=8',
            "41.19|40.19,40.20 open",
            "ask battle at=41.19 attacker-ap=3,20 defender-ap=1",
        ]
    )
    save = saved(module, stacks, turn=r"0|1;0;false;-1;1\;0\;0\;true,true,true")
    return msgspec.structs.replace(save, public_notes=notes)


def written(folder: Path) -> tuple[Path, Path]:
    """The files of the module and of the example in a folder."""
    file, save = folder / "eastern-front.vmod", folder / "game.vsav"
    file.write_bytes(build())
    save.write_bytes(write_save(example(read_module(file))))
    return file, save
