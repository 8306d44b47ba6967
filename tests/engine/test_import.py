"""A module of another maker, imported and built again: the engine opens it, and says of each piece that it lies where it lay."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from assistant.game.games import read_game
from module_builder.importing.game import import_module
from module_builder.vassal.module import build, file_slug

from ..module_builder.importing.foreign import foreign


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The module, and what is built of it."""
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    theirs, ours = tmp_path / "theirs.vmod", tmp_path / "ours.vmod"
    theirs.write_bytes(foreign())
    import_module(theirs, tmp_path / "marsh")
    ours.write_bytes(build(read_game("marsh", tmp_path / "marsh")).data)
    return theirs, ours


def test_pieces_lie_where_they_lay(engine: ModuleType, modules: tuple[Path, Path]) -> None:
    told = []
    for file, setup in zip(modules, ("start.vsav", f"{file_slug('The start')}.vsav"), strict=True):
        outcome = engine.run(file, [{"do": "setup", "file": setup}, {"do": "list", "as": "start"}])
        told.append(outcome)
    theirs, ours = (
        sorted((piece.location, piece.x, piece.y) for piece in outcome["start"].pieces if piece.map != "Red only")
        for outcome in told
    )
    assert ours == theirs
    assert told[1].faults == [] and not told[1]["start"].off_board


def test_the_engine_prints_the_numbers_of_the_module(engine: ModuleType, modules: tuple[Path, Path]) -> None:
    points = [(x, y) for x in range(5, 900, 37) for y in range(75, 690, 31)]
    names = []
    for file, map in zip(modules, ("Main", "Map"), strict=True):
        outcome = engine.run(file, [{"do": "new"}, {"do": "locate", "map": map, "points": points, "as": "names"}])
        names.append([place.name for place in outcome["names"]])
    assert names[0] == names[1]
