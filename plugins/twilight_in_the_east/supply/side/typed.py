"""A line that a player has typed for a unit, with the source at its beginning (14.1)."""

from __future__ import annotations

from typing import NamedTuple

from assistant.field import side_of
from assistant.questions import InputError, View
from assistant.state.state import Unit
from assistant.util.errors import suggested

from ...terms import BOYEN, BOYEN_SERVES, SUPPLY_ARMS


class TypedLine(NamedTuple):
    """A line as a player typed it for a unit, on which it alone is judged.

    source: the supply unit or the Fortress at its beginning, "" for a RR line; barred: why that serves nobody of this side.
    """

    name: str
    unit: str
    hexes: tuple[str, ...]
    source: str = ""
    barred: str = ""


def only_line(view: View, place: str) -> str:
    """The typed line that ends in a hex, "" for none, and for several without a drawn board, for then all that is typed is traced
    over. Raises InputError for several on a drawn board."""
    ending = [name for name, line in view.state.lines.items() if line[-1] == place]
    if len(ending) > 1 and view.board.hexes:
        raise InputError(f"several lines end in {place}: {', '.join(ending)}", hint="name one: ask supply line=NAME")
    return ending[0] if len(ending) == 1 else ""


def typed_line(view: View, unit: Unit, name: str) -> TypedLine:
    """A typed line that ends at a unit, with its source: the supply unit of that name, or the only one in its first hex, or Boyen, or else
    the RR line there. Raises InputError for a line that is not typed or ends elsewhere, for a source that is elsewhere, and for one among several
    in the first hex."""
    if name not in view.state.lines:
        raise InputError(f"no line {name!r} in this position", hint=suggested(name, view.state.lines))
    hexes = view.state.lines[name]
    if hexes[-1] != unit.place:
        raise InputError(f"the line {name!r} ends in {hexes[-1]}, but {unit.id} is in {unit.place}")
    place = hexes[0]
    with view.gather() as facts:
        side, there = side_of(facts, unit), view.stack(place)
        suppliers = [other for other in there if facts.word("arm", other.id) in SUPPLY_ARMS]
        named = view.state.units.get(name)
        if named and named.place != place:
            raise InputError(f"{name} is in {named.place}, but its line begins in {place}")
        serves = unit.id in BOYEN_SERVES and BOYEN in {other.id for other in there}
        if serves and (name == BOYEN or not suppliers):
            return TypedLine(name, unit.id, hexes, BOYEN)
        if not named and len(suppliers) > 1:
            what = f"{place} holds {' and '.join(other.id for other in suppliers)}"
            raise InputError(what, hint="name the line after one of them")
        source = named or next(iter(suppliers), None)
        if source is None:
            return TypedLine(name, unit.id, hexes)
        is_supply_unit = facts.word("arm", source.id) in SUPPLY_ARMS
        ours = side_of(facts, source) in ("", side)
        barred = "" if is_supply_unit and ours else "an enemy unit" if is_supply_unit else "not a supply unit"
        return TypedLine(name, unit.id, hexes, source.id, barred)
