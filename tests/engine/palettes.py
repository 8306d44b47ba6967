"""What the real engine shows of the palettes of a module."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from .engine import Outcome


def seen_in(engine: ModuleType, folder: Path, name: str, module: bytes) -> Outcome:
    """A module with the windows of its palettes open. The result `seen` has each piece there, `windows` the windows."""
    file = folder / f"{name}.vmod"
    file.write_bytes(module)
    with engine.Session(file) as session:
        bar = session.play([{"do": "new"}, {"do": "toolbar", "as": "bar"}])["bar"]
        pressed = [{"do": "press", "button": one.text} for one in bar if one.text in ("Counters", "Markers")]
        outcome: Outcome = session.play(
            [*pressed, {"do": "windows", "as": "windows"}, {"do": "open_palettes", "as": "seen"}]
        )
        return outcome
