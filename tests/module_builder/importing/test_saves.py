"""A save of an imported module is read as its set-ups are imported: the same units, by the same names, in the same places
and states.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant import Position, read
from assistant.faces.cli.main import cli as assistant
from assistant.formats.notation import read_notation
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.saves import write_save
from assistant.game.games import read_game
from assistant.state.state import FactKey
from module_builder.cli import cli

from .foreign import foreign, start


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def both(data: bytes, save: bytes) -> tuple[Position, Position]:
    """The first set-up of a module as it is imported, and as its save is read by the mapping that the import writes."""
    Path("theirs.vmod").write_bytes(data)
    Path("theirs.vsav").write_bytes(save)
    done = CliRunner().invoke(cli, ["import", "theirs.vmod", "-o", "ours"])
    assert done.exit_code == 0, done.output
    game = read_game("ours", Path("ours"))
    file = sorted(Path("ours/setups").iterdir())[0]
    done = CliRunner().invoke(assistant, ["adopt", "theirs.vmod", "--game", "ours"])
    assert done.exit_code == 0, done.output
    return read_notation(file.read_bytes(), file.name, lambda id: game), read("theirs.vsav")


def test_a_save_is_read_as_the_set_up() -> None:
    imported, adopted = both(foreign(), write_save(start(read_module(foreign()))))
    assert adopted.state.units == imported.state.units
    assert changed(adopted) == changed(imported) != {}


def changed(position: Position) -> dict[FactKey, object]:
    """The facts but for those that are printed on counters."""
    facts = position.state.facts.items()
    return {key: fact.value for key, fact in facts if position.game.tracks[key[0]].printed != "counter"}
