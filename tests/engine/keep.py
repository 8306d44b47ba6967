"""Makes with the real engine what the project keeps of it: the save that demo and README read, pictures of the window.

`make engine-docs` runs it; a test finds a kept save that is out of date.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from assistant.registry import load_game
from module_builder.vassal.module import build, module_grid, wanted_module
from tests.engine import engine

ROOT = Path(__file__).parents[2]
SAVE = ROOT / "plugins/twilight_in_the_east/examples/comprehensive-example.vsav"
WINDOW, EXAMPLE = ROOT / "docs/module.png", ROOT / "docs/module-example.png"
ARMIES_SETUP, EXAMPLE_SETUP = "19-August-1914-East-Prussia.vsav", "The-comprehensive-example-of-combat.vsav"


def keep() -> None:
    """Write the save and the pictures anew."""
    game = load_game("twilight-in-the-east")
    hexes = module_grid(game, wanted_module(game)).hexes
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "twilight.vmod"
        module.write_bytes(build(game).data)
        steps: list[dict[str, Any]] = [
            {"do": "setup", "file": ARMIES_SETUP},
            {"do": "press", "button": "Counters"},
            {"do": "screenshot", "file": WINDOW, "width": 1280, "height": 960, "centre": hexes["43.20"]},
            {"do": "setup", "file": EXAMPLE_SETUP},
            {"do": "save", "file": SAVE},
            {"do": "screenshot", "file": EXAMPLE, "width": 900, "height": 640, "centre": hexes["41.19"], "zoom": 1.0},
        ]
        outcome = engine.run(module, steps)
    for fault in outcome.faults:
        print(fault)


if __name__ == "__main__":
    keep()
