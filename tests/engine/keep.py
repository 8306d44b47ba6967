"""Makes with the real engine what the project keeps of it: the save that demo and docs read, pictures of the window.

`make engine-docs` runs it; a test finds a kept save that is out of date.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from assistant.faces.vassal.plugin import command_of_this_program, make_plugin
from assistant.formats.vassal.saves import read_save
from assistant.installed.registry import load_game
from assistant.records.mailing import carry_out
from assistant.service import ask, read
from assistant.util.writing import write_whole
from module_builder.vassal.module import build_module, module_grid, wanted_module
from tests.saves import read_container

from . import engine

ROOT = Path(__file__).parents[2]
SAVE = ROOT / "plugins/twilight_in_the_east/examples/comprehensive-example.vsav"
LOG = SAVE.with_suffix(".vlog")
WINDOW, EXAMPLE, STACK = (ROOT / f"docs/pictures/module{name}.png" for name in ("", "-example", "-stack"))
MENU, ANSWER = (ROOT / f"docs/pictures/vassal-{name}.png" for name in ("menu", "answer"))
LINE_SETUP = "A-supply-line-over-the-board.vsav"
TURNS, SUPPLIED = ROOT / "docs/pictures/turns.png", ROOT / "docs/pictures/module-supply.png"
ARMIES_SETUP, EXAMPLE_SETUP = "19-August-1914-East-Prussia.vsav", "The-comprehensive-example-of-combat.vsav"


def ids_in(module: bytes, setup: str) -> dict[str, str]:
    """The pieces of a set-up of a module, by their units."""
    pieces = read_save(read_container(module)[setup]).pieces.values()
    return {piece.marks().get("unit", ""): piece.id for piece in pieces}


def played_battle(ids: dict[str, str], retreat: tuple[int, int], log: Path) -> list[dict[str, Any]]:
    """The example of combat as players would play it, into a log: a throw and a move are taken back, and one result is
    forgotten.

    ids: of the pieces by their units; retreat: where the hex lies to which 27/3 retreats.
    """

    def on(unit: str, item: str) -> dict[str, Any]:
        return {"do": "menu", "piece": ids[unit], "item": item}

    def throw(button: str) -> dict[str, Any]:
        return {"do": "press", "button": button}

    back = {"do": "move", "piece": ids["27/3"], **dict(zip("xy", retreat, strict=True))}
    return [
        {"do": "dice", "faces": [6, 6, 2, 5, 3, 4, 2, 4, 1, 4, 6, 6]},
        {"do": "log_begin", "file": log},
        {"do": "say", "text": "Good luck & have fun"},
        *(throw("2d6"), {"do": "undo"}, throw("2d6"), throw("1d6"), throw("1d6")),
        *(on("29/20", "Lose a step"), on("27/3", "Lose a step")),
        *(on("1/1", "Lose a step"), {"do": "undo"}, on("1/1", "Lose a step"), on("1/1", "Lose a step")),
        *({"do": "say", "text": "1/1 checks"}, throw("2d6")),
        *({"do": "say", "text": "ec.29/20"}, throw("2d6"), throw("2d6")),
        *[on("27/3", "Lose a Combat Effectiveness Level")] * 2,
        *(back, {"do": "undo"}, back, on("27/3", "Has retreated")),
        on("25/3", "Supply: in, low, out"),
        {"do": "log_end"},
    ]


def show_supply(module: bytes, file: Path) -> None:
    """Write the set-up of the armies with the supply of all units on its map."""
    before = file.with_name(ARMIES_SETUP)
    before.write_bytes(read_container(module)[ARMIES_SETUP])
    position = read(before)
    carry_out(position, ask(position, "supply"), before, file)


def ask_in_vassal(module: Path, folder: Path) -> list[tuple[Path, Path]]:
    """Ask by the plugin's button about the supply of a division, and draw the menu and the answer.

    Returns the pictures and where they are kept. Exits with what the engine complained of.
    """
    plugin = folder / "field-staff.vmdx"
    plugin.write_bytes(make_plugin(command_of_this_program()))
    menu, answer = folder / MENU.name, folder / ANSWER.name
    view = {"map": "Map", "width": 1000, "height": 700, "zoom": 0.6}
    with engine.Session(module, plugin=plugin) as session:
        begun = session.play([{"do": "setup", "file": LINE_SETUP}, {"do": "list", "as": "all"}])
        unit = begun["all"].piece("22/1")
        steps = [
            {"do": "select", "pieces": [unit.id]},
            {"do": "screenshot", "file": menu, "centre": [unit.x + 500, unit.y], **view},
            {"do": "press", "button": "Ask"},
            {"do": "offers"},
            {"do": "screenshot", "file": menu, **view},
            {"do": "choose", "item": "supply:"},
            {"do": "reply"},
            {"do": "screenshot", "file": answer, **view},
        ]
        outcome = session.play(steps)
    if outcome.faults:
        sys.exit("\n".join(outcome.faults))
    return [(menu, MENU), (answer, ANSWER)]


def keep() -> None:
    """Write the save and the pictures anew, all of them or none. Exits with what the engine complained of."""
    game = load_game("twilight-in-the-east")
    hexes = module_grid(game, wanted_module(game)).hexes
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        module, save, log = folder / "t.vmod", folder / SAVE.name, folder / LOG.name
        window, example, stack, turns = (folder / file.name for file in (WINDOW, EXAMPLE, STACK, TURNS))
        data = build_module(game).data
        module.write_bytes(data)
        shown, supplied = folder / "supplied.vsav", folder / SUPPLIED.name
        show_supply(data, shown)
        ids = ids_in(data, ARMIES_SETUP)
        example_ids = ids_in(data, EXAMPLE_SETUP)
        to = dict(zip("xy", hexes["42.19"], strict=True))
        steps: list[dict[str, Any]] = [
            {"do": "setup", "file": ARMIES_SETUP},
            {"do": "screenshot", "file": window, "width": 1280, "height": 960, "centre": hexes["43.20"]},
            {"do": "setup", "file": EXAMPLE_SETUP},
            {"do": "save", "file": save},
            *played_battle(example_ids, hexes["39.20"], log),
            {"do": "setup", "file": EXAMPLE_SETUP},
            {"do": "screenshot", "file": example, "width": 900, "height": 640, "centre": hexes["41.19"], "zoom": 1.0},
            {"do": "setup", "file": ARMIES_SETUP},
            {"do": "menu", "piece": ids["25/3"], "item": "Lose a step"},
            {"do": "menu", "piece": ids["25/3"], "item": "Disorder further"},
            *({"do": "move", "piece": ids[unit], **to} for unit in ("29/20", "27/3")),
            {"do": "screenshot", "file": stack, "width": 900, "height": 560, "centre": hexes["42.20"], "zoom": 0.85},
            {"do": "hover", "map": "Map", "at": hexes["42.19"]},
            {"do": "screenshot", "file": stack, "width": 900, "height": 560},
            {"do": "load", "file": shown},
            {"do": "screenshot", "file": supplied, "width": 1000, "height": 700, "centre": hexes["43.20"], "zoom": 0.7},
            {"do": "press", "button": "Turns"},
            {"do": "screenshot", "file": turns, "map": "Turns", "width": 1000, "height": 560, "zoom": 0.7},
        ]
        outcome = engine.run(module, steps)
        if outcome.faults:
            sys.exit("\n".join(outcome.faults))
        for made, kept in (
            (save, SAVE),
            (log, LOG),
            (window, WINDOW),
            (example, EXAMPLE),
            (stack, STACK),
            (turns, TURNS),
            (supplied, SUPPLIED),
            *ask_in_vassal(module, folder),
        ):
            write_whole(kept, made.read_bytes(), force=True)


if __name__ == "__main__":
    keep()
