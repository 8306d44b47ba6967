"""A module with maps of all sorts, decks, hands and nested prototypes: a new game, and play across its maps, are read as the engine has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from assistant.formats.vassal.modules import PICKER, PROTOTYPE, SLOTS, STARTS, Module, read_module
from assistant.formats.vassal.others.opening import opening
from assistant.formats.vassal.saves import Save, read_save
from assistant.formats.vassal.sequence import fold

from ..agreement import differences, same_types
from ..engine import Listing, Outcome
from ..test_grids import element, hexes, regions, squares, zones
from ..test_harness import DATA, MAP, MODULE, TAB, WIDGET, png, zipped
from .pieces import LAYER, PICTURE

SIZES = {"North": (400, 300), "South": (310, 260), "East": (200, 410), "Tray": (400, 300)}
#: Prototypes within prototypes; one of those named is not there.
PROTOTYPES = {
    "Counter": (("prototype;Moving", ""), ("prototype;Nobody", ""), ("delete;Delete;68,130;", "")),
    "Moving": (("mark;Kind", "Foot"), ("markmoved;pawn.png;0;0;Mark moved;77,130;;true;;;;;", "false")),
    "Unit": (("prototype;Counter", ""), ("mark;Army,Strength", "$Army$,$Strength$"), (LAYER, "1")),
    "Fixed": (("immob;n;N;R;", ""), ("prototype;Counter", "")),
}


def command(name: str, *traits: tuple[str, str]) -> str:
    """A piece as a palette, a prototype or an at-start stack has it."""
    types, states = zip(*traits, (f"piece;;;{PICTURE if name else ''};{name}", "null;0;0;;0"), strict=True)
    return f"+/null/{fold(types)}/{fold(states)}"


def slots(*names: str) -> str:
    """Pieces of several kinds, each with a name and an id of its own."""
    kinds = ("prototype;Unit;Army=8,Strength=3", "prototype;Counter", "prototype;Fixed")
    return "".join(
        element(SLOTS[0], command(name, (kinds[hash_of(name) % 3], "")), entryName=name, gpid=str(hash_of(name)))
        for name in names
    )


def hash_of(name: str) -> int:
    return sum(map(ord, name))


def boards(setup: str, *grids: tuple[str, str]) -> str:
    """A board picker. setup: the boards of a new game, "" for the only one."""
    drawn = [
        element(f"{MAP}boardPicker.Board", grid, name=name, width=SIZES[name][0], height=SIZES[name][1], color="9,9,9")
        for name, grid in grids
    ]
    return element(PICKER, (f"<setup>{setup}</setup>" if setup else "") + "".join(drawn))


def at_start(name: str, pieces: str, x: int, y: int, **said: object) -> str:
    return element(STARTS[0], pieces, name=name, x=x, y=y, **said)


def deck(name: str, cards: str, x: int, y: int, **said: object) -> str:
    return element(STARTS[1], cards, name=name, x=x, y=y, width=60, height=80, shuffle="Never", **said)


WORKS = "".join(
    f"<{MAP}{name}/>"
    for name in ("StackMetrics", "ForwardToKeyBuffer", "MenuDisplayer", "PieceMover", "KeyBufferer", "StackExpander")
)


def elements(dice: Random) -> Iterator[str]:
    """What the module consists of."""
    yield f"<{MODULE}BasicCommandEncoder/><{MODULE}GlobalOptions/>"
    yield f"<{MODULE}PlayerRoster><entry>Red</entry><entry>Blue</entry></{MODULE}PlayerRoster>"
    written = (element(PROTOTYPE, command("", *traits), name=name) for name, traits in PROTOTYPES.items())
    yield element(f"{MODULE}PrototypesContainer", "".join(written))
    setup = TAB.join(("TheaterBoardPicker", "North", "0", "0", "South", "1", "0", "East", "0", "1"))
    grids = (("North", hexes(dice)), ("South", zones(dice)), ("East", squares(dice)), ("Tray", regions(dice)))
    starts = [
        at_start("First", slots("Guards", "Line", "Landwehr", "Depot"), 33, 44, owningBoard="North"),
        at_start("Second", slots("Lancers", "Uhlans"), 133, 144, owningBoard="South"),
        at_start("Same place", slots("Rifles"), 133, 144, owningBoard="South"),
        at_start("Third", slots("Hussars", "Dragoons", "Bridge"), 50, 300, owningBoard="East"),
        at_start("No board", slots("Cossacks"), 500, 111),
        at_start("Not in play", slots("Fleet"), 10, 10, owningBoard="Tray"),
        deck("Events", slots("Rain", "Snow", "Mud", "Sun"), 60, 200, owningBoard="North"),
        deck("Spent", "", 160, 200, owningBoard="North", faceDown="Never"),
    ]
    yield element(
        f"{MODULE}Map", boards(setup, *grids) + WORKS + "".join(starts), mapName="Theater", edgeWidth=20, edgeHeight=7
    )
    plans = boards("", ("Tray", zones(dice))) + WORKS + at_start("Plan", slots("Red plan"), 90, 90)
    yield element(f"{MODULE}PrivateMap", plans, mapName="Red plans", side="Red", visible="false")
    hand = boards("", ("Tray", regions(dice))) + WORKS + at_start("Hand", slots("Card one", "Card two"), 90, 90)
    yield element(f"{MODULE}PlayerHand", hand, mapName="Blue hand", side="Blue", visible="true")
    track = boards("", ("South", squares(dice))) + WORKS + at_start("Turn", slots("Turn marker"), 90, 90)
    window = element(f"{WIDGET}WidgetMap", track, mapName="Track")
    yield element(
        f"{MODULE}ChartWindow", element(f"{WIDGET}TabWidget", window, entryName="All"), name="Charts", text="Charts"
    )
    yield element(
        f"{MODULE}Map", boards("", ("East", hexes(dice))) + WORKS + at_start("Box", slots("Airship"), 9, 9), mapName=""
    )


class Played:
    """A module, what the engine made of it, and the module and the saves as the assistant reads them."""

    def __init__(self, outcome: Outcome, module: Module, folder: Path) -> None:
        self.outcome, self.module, self.folder = outcome, module, folder

    def listing(self, name: str) -> Listing:
        found: Listing = self.outcome[name]
        return found

    def save(self, name: str) -> Save:
        return read_save((self.folder / name).read_bytes())


@pytest.fixture(scope="module")
def played(engine: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("maps")
    text = "".join(elements(Random(1812)))
    text = f'<VASSAL.build.GameModule name="Maps" version="1" VassalVersion="3.6.0">{text}</VASSAL.build.GameModule>'
    file = zipped(folder / "maps.vmod", {"buildFile.xml": text, "moduledata": DATA, f"images/{PICTURE}": png(20, 20)})
    steps: list[dict[str, Any]] = [
        {"do": "new", "side": "Red"},
        {"do": "list", "as": "new"},
        {"do": "save", "file": folder / "new.vsav"},
    ]
    outcome = engine.run(file, steps)
    return Played(outcome, read_module(file.read_bytes()), folder)


def test_a_new_game_is_what_the_module_says(played: Played) -> None:
    ours, theirs = opening(played.module), played.listing("new")
    by_name = {piece.name: piece for piece in ours.pieces.values()}
    assert {name: (piece.map, piece.at) for name, piece in by_name.items()} == {
        piece.name: (piece.map, (piece.x, piece.y)) for piece in theirs.pieces
    }
    assert "Fleet" not in by_name
    for piece in theirs.pieces:
        known = [trait.type for trait in by_name[piece.name].traits if trait.type != "prototype;Nobody"]
        assert same_types(known, [trait.type for trait in piece.traits]), piece.name


def test_it_is_read_as_the_engine_saved_it(played: Played) -> None:
    assert differences(played.save("new.vsav"), played.module, played.listing("new")) == []
