"""New games of modules that others made: what lies where at the start, by pixel and by printed place, is what the engine sets up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType

from assistant.formats.vassal.grids import read_grid
from assistant.formats.vassal.modules import SLOTS, STARTS, read_module, set_up_game
from assistant.util.xml_reader import read_xml

from ..test_grids import SIZE, element, hexes, module, regions, squares, window, zones

MAPS, STACKS = 36, 12


def slot(name: str) -> str:
    return element(SLOTS[0], f"+/null/piece;;;;{name}/null;0;0;;0", entryName=name, gpid="1")


def starts(dice: Random, number: int, grid: str) -> str:
    """At-start stacks at printed places of a grid, some with the figures of other places, and at pixels."""
    drawn = read_grid(read_xml(f"<Board>{grid}</Board>".encode(), "grid"), SIZE)
    found = []
    for which in range(STACKS):
        at = dice.randrange(SIZE[0]), dice.randrange(SIZE[1])
        printed = drawn.locate(at) if drawn is not None else ""
        location = dice.choice(
            [printed, printed, printed, printed[1:], f"{printed}1", "", "Zone 1", "-1.-1", "Tannenberg"]
        )
        said = {"x": at[0], "y": at[1], "useGridLocation": dice.random() < 0.8, "location": location}
        said |= {"owningBoard": "Board"} if dice.random() < 0.5 else {}
        found.append(element(STARTS[0], slot(f"{number}.{which}"), name=f"S{which}", **said))
    return "".join(found)


def test_stacks_lie_where_the_engine_puts_them(engine: ModuleType, tmp_path: Path) -> None:
    dice = Random(1870)
    makers: list[Callable[[Random], str]] = [hexes, hexes, squares, regions, zones, zones]
    maps = []
    for number in range(MAPS):
        grid, edge = (
            makers[number % len(makers)](dice).replace('Leading="-1"', 'Leading="0"'),
            (dice.randint(0, 30), dice.randint(0, 30)),
        )
        plain = window(f"M{number}", {"Board": grid}, edge)
        maps.append(
            plain.replace("</VASSAL.build.module.Map>", f"{starts(dice, number, grid)}</VASSAL.build.module.Map>")
        )
    file = module(tmp_path / "starts.vmod", "".join(maps))
    outcome = engine.run(file, [{"do": "new"}, {"do": "list", "as": "list"}], check=False)
    read = read_module(file.read_bytes())
    ours = {piece.name: (piece.map, piece.at) for piece in set_up_game(read).pieces.values()}
    theirs = {piece.name: (piece.map, (piece.x, piece.y)) for piece in outcome["list"].pieces}
    assert ours == theirs
    by_pixel = {(start.map, f"{start.map[1:]}.{start.name[1:]}"): start.at for start in read.starts}
    edges = {name: window.edge for name, window in read.maps.items()}
    by_text = [
        name for name, (map, (x, y)) in theirs.items() if (x - edges[map][0], y - edges[map][1]) != by_pixel[map, name]
    ]
    assert len(by_text) > MAPS * STACKS / 4


def test_cards_are_where_the_engine_says(engine: ModuleType, tmp_path: Path) -> None:
    """At decks that stand at pixels and at printed places, on a board and on the map as a whole."""
    dice, maps = Random(1914), []
    for number in range(12):
        grid = hexes(dice).replace('Leading="-1"', 'Leading="0"')
        deck = starts(dice, number, grid).replace(STARTS[0], STARTS[1])
        plain = window(f"M{number}", {"Board": grid}, (number % 3 * 10, number % 2 * 20))
        maps.append(plain.replace("</VASSAL.build.module.Map>", f"{deck}</VASSAL.build.module.Map>"))
    file = module(tmp_path / "decks.vmod", "".join(maps))
    outcome = engine.run(file, [{"do": "new"}, {"do": "list", "as": "list"}], check=False)
    read = read_module(file.read_bytes())
    save = set_up_game(read)
    ours = {piece.name: (piece.map, piece.at, read.locate(save, piece)) for piece in save.pieces.values()}
    theirs = {
        piece.name: (piece.map, (piece.x, piece.y), piece.location.removesuffix("offboard"))
        for piece in outcome["list"].pieces
    }
    assert ours == theirs
