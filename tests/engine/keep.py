"""Makes with the real engine what the project keeps of it: the save that demo and README read, pictures of the window.

`make engine-docs` runs it; a test finds a kept save that is out of date.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from assistant.plugins.registry import load_game
from assistant.util.saving import write_whole
from module_builder.vassal.module import build, module_grid, wanted_module

from . import engine

ROOT = Path(__file__).parents[2]
SAVE = ROOT / "plugins/twilight_in_the_east/examples/comprehensive-example.vsav"
WINDOW, EXAMPLE = ROOT / "docs/module.png", ROOT / "docs/module-example.png"
ARMIES_SETUP, EXAMPLE_SETUP = "19-August-1914-East-Prussia.vsav", "The-comprehensive-example-of-combat.vsav"


def keep() -> None:
    """Write the save and the pictures anew, all of them or none. Exits with what the engine complained of."""
    game = load_game("twilight-in-the-east")
    hexes = module_grid(game, wanted_module(game)).hexes
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        module, save, window, example = (folder / file for file in ("t.vmod", SAVE.name, WINDOW.name, EXAMPLE.name))
        module.write_bytes(build(game).data)
        steps: list[dict[str, Any]] = [
            {"do": "setup", "file": ARMIES_SETUP},
            {"do": "press", "button": "Counters"},
            {"do": "screenshot", "file": window, "width": 1280, "height": 960, "centre": hexes["43.20"]},
            {"do": "setup", "file": EXAMPLE_SETUP},
            {"do": "save", "file": save},
            {"do": "screenshot", "file": example, "width": 900, "height": 640, "centre": hexes["41.19"], "zoom": 1.0},
        ]
        outcome = engine.run(module, steps)
        if outcome.faults:
            sys.exit("\n".join(outcome.faults))
        for made, kept in ((save, SAVE), (window, WINDOW), (example, EXAMPLE)):
            write_whole(kept, made.read_bytes(), force=True)


if __name__ == "__main__":
    keep()
