"""A new save or a log that goes on says what the position after an answer says, and everything else in it stays as it was."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings

from assistant.formats.positions import Position
from assistant.formats.vassal import LOG, SAVE
from assistant.formats.vassal.containers import LOGGED, commands_of, read_stream
from assistant.formats.vassal.positions import read
from assistant.formats.vassal.saves import write_save
from assistant.formats.vassal.written.checking import lacking
from assistant.formats.vassal.written.files import carried_out
from assistant.plugins.registry import load_game
from module_builder.vassal.setups import set_up

from ..test_positions import HEXES, SETTING, TWO, positions


def commands(data: bytes) -> list[str]:
    return list(commands_of(read_stream(data)[0]))


def reachable(wanted: Position, here: Position) -> Position:
    """The part of a position that the pieces of another one can show: no unit comes that is not there, and none stands off the module's map."""
    ids = {unit.id for unit in here.state.units.values() if unit.place in HEXES}
    units = {id: one for id, one in wanted.state.units.items() if id in ids and one.place in (None, *HEXES)}
    facts = {
        key: fact for key, fact in wanted.state.facts.items() if TWO.tracks[key[0]].on != "unit" or key[1] in units
    }
    kept: Mapping[str, object] = {name: getattr(wanted.state, name) for name in ("cells", "rulings", "accepts")}
    return Position(TWO, TWO.state(units=units.values(), facts=facts, **kept))


@given(positions(), positions())
@settings(max_examples=60)
def test_a_new_save_gives_the_position_that_was_carried_out(before: Position, after: Position) -> None:
    source = write_save(set_up(SETTING, before, "Notes").save)
    target = reachable(after, before)
    written = carried_out(source, target, SAVE, "done")
    assert [*lacking(read(written, "new.vsav", load_game), target)] == []
    log = carried_out(source, target, LOG, "done")
    assert [*lacking(read(log, "new.vlog", load_game), target)] == []
    assert commands(log)[: len(commands(source))] == commands(source)
    assert all(command.startswith(LOGGED) for command in commands(log)[len(commands(source)) :])
