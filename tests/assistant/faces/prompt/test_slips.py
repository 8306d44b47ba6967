"""200 slips of the keyboard: none makes a unit or a fact that was not meant without saying so at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state

from ....cases import thorough
from .slips import slips, unsaid

SLIPS, SEED = 200, 1914


@thorough
def test_no_slip_passes_in_silence(twilight: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))

    def session(table: TableState | None) -> Session:
        begun = Session(table or TableState(Position(twilight, build_state(twilight))), 2000)
        begun.begin()
        return begun

    silent, refused, taken = [], 0, 0
    for slip in slips(session, SLIPS, SEED):
        at_table = session(slip.before)
        first = next(iter(at_table.enter(slip.slipped)), "")
        if first.startswith("! "):
            assert at_table.table == slip.before, slip.slipped
            refused += 1
        elif at_table.table != slip.meant:
            taken += 1
            silent += [(slip.slipped, first, text) for text in unsaid(slip, at_table.table, first, twilight)]
    assert silent == []
    assert refused > SLIPS / 3 and taken > SLIPS / 15, "the slips meet both"
