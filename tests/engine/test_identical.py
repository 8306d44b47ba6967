"""A published module of identical counters, imported and adopted: what is carried out in its saves is opened by the engine."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from assistant import read
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.saves import read_save
from assistant.formats.vassal.written.files import carry_on
from assistant.state.changes import Change

from ..module_builder.importing.identical import DEAD, MAP, lying
from ..module_builder.importing.test_identical import Table
from .agreement import differences


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    return Table(tmp_path)


def test_the_engine_opens_the_module_and_a_save_in_which_an_answer_is_carried_out(
    engine: ModuleType, table: Table
) -> None:
    source = Path(table.saved(lying()))
    position = read(source)
    changes = (
        Change("place", "Infantry (3)", position.state.units["Infantry (3)"].place, "0601", ""),
        Change("steps", "Guns", None, "lost-2", ""),
        Change("place", "Militia", "0806", None, ""),
    )
    carried = carry_on(
        source.read_bytes(), position.after(changes), ".vsav", "* done *", lambda: read_module(table.file)
    )
    new = table.folder / "new.vsav"
    new.write_bytes(carried.data)
    steps = [
        {"do": "load", "file": new},
        {"do": "list", "as": "new"},
        {"do": "save", "file": table.folder / "again.vsav"},
    ]
    outcome = engine.run(table.file, steps)
    assert outcome.faults == [] and carried.left == ()
    assert differences(read_save(carried.data), read_module(table.file), outcome["new"]) == []
    assert [piece.location for piece in outcome["new"].pieces if piece.map == MAP].count("0601") == 1
    assert [piece.name for piece in outcome["new"].pieces if piece.map == DEAD] == ["Militia"]
    assert [piece.name for piece in outcome["new"].pieces if "lost" in piece.name] == ["Guns lost 2"]
    again = read(table.folder / "again.vsav").state
    assert (again.units, again.facts) == (read(new).state.units, read(new).state.facts)
