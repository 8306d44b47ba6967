"""Modules made up from a seed, opened by the engine: it calls each place as the reader of the tests does, saves each piece where it lay, and opens
what is built of them with every piece on the same pixel.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from ..importing.comparing import compare_made, explain
from ..importing.making import make
from ..importing.reading import Lying, Module
from .engine import OFF_BOARD

SEEDS = range(40)


def _lie(pieces: list[Lying]) -> list[tuple[str, str, int, int]]:
    return sorted((one.piece.name, one.map, *one.at) for one in pieces)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_agrees(engine: ModuleType, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    made = make(seed, oblique=False)
    outcome = compare_made(made, tmp_path)
    assert [*explain(outcome)] == []
    theirs = Module(made.data)
    for file, module in ((tmp_path / "module.vmod", theirs), (tmp_path / "built.vmod", Module(outcome.built))):
        steps = []
        for number, title in enumerate(made.truth):
            begin = [{"do": "setup", "file": name} for called, name in module.setups if called == title]
            again = tmp_path / f"{file.stem}-{number}.vsav"
            steps += [*(begin or [{"do": "new"}]), {"do": "list", "as": title}, {"do": "save", "file": str(again)}]
        with engine.Session(file) as session:
            played = session.play(steps)
        # The engine stores the pictures that it generates when a module is edited, and this one never was.
        unstored = [fault for fault in played.faults if module is theirs and "Source: drawn " in fault]
        assert played.faults == unstored
        for number, title in enumerate(made.truth):
            names = dict(module.setups)
            read = module.save(module.zip.read(names[title])) if title in names else module.start()
            again = module.save((tmp_path / f"{file.stem}-{number}.vsav").read_bytes())
            assert _lie(again) == _lie(read)
            if module is theirs:
                decked = {one.id for one in again if one.deck}  # the engine calls their place as the deck
                listed = (one for one in played[title].pieces if one.id not in decked)
                said = sorted((one.id, one.map, one.x, one.y, one.location) for one in listed)
                seen = sorted((one.id, one.map, *one.at, one.place or OFF_BOARD) for one in again if not one.deck)
                assert said == seen
