"""How the work of adopting grows: ten times as many counters of one name take ten times the work."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from assistant.formats.vassal.adoption.proposals.candidates import find_candidates
from assistant.formats.vassal.adoption.proposals.units import propose_units
from assistant.formats.vassal.modules import read_module
from assistant.game.games import read_game
from module_builder.importing.game import import_module
from tests.growth import grows_evenly
from tests.module_builder.importing import identical


def test_of_one_name_with_many_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()

    def make(size: int) -> Callable[[], object]:
        slots = (
            identical.Slot("Red" if number % 2 else "Blue", "Infantry", f"{number}.png", 4, 4, ("0202",))
            for number in range(size)
        )
        monkeypatch.setattr(identical, "SLOTS", tuple(slots))
        file, folder = tmp_path / "m.vmod", tmp_path / f"game{next(numbers)}"
        file.write_bytes(identical.module())
        import_module(file, folder)
        game, module = read_game(folder.name, folder), read_module(file)
        assert len({one.value for one in propose_units(game, find_candidates(module), {})}) == size
        return lambda: propose_units(game, find_candidates(module), {})

    assert grows_evenly(make)
