"""The open combat: the current question, or a question set aside by another one with its dice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

from ...formats.positions import Asked, Position
from ...state.state import FactKey
from ...util.errors import InputError, quoted

COMBAT_FORM = "HEX UNIT ... < HEX UNIT ..., the attacked hex first"
"""The form of a typed combat, for hints and `help`."""


class OpenCombat(msgspec.Struct, frozen=True):
    """A combat that is open, or that was open when another question set it aside."""

    asked: Asked
    """The question about the combat."""
    answers: Mapping[str, str] = {}
    """The dice and choices of the question."""
    chosen: Mapping[FactKey, str] = {}
    """The assumed values of parameters that differ from the usual ones."""
    numbered: tuple[FactKey, ...] = ()
    """The assumptions of the question in the order of their numbers."""
    number: int = 0
    """The number of the question."""
    stacks: Mapping[str, tuple[str, ...]] = {}
    """The units in the combat's hexes, from the top."""

    @property
    def words(self) -> str:
        values = {**self.asked.parameters, **self.answers}
        return " ".join([self.asked.question, *(f"{name}={value}" for name, value in values.items())])


def stacks_of(position: Position, asked: Asked | None) -> dict[str, tuple[str, ...]]:
    """Return the units in each hex of a combat, from the top, or {} if the question is not about a combat."""
    targets, attackers = combat_hexes(position, asked)
    places = [*targets, *attackers] if targets else []
    return {place: tuple(unit.id for unit in position.state.stack(place)) for place in places}


def combat_hexes(position: Position, asked: Asked | None) -> tuple[list[str], list[str]]:
    """Return the attacked and the attacking hexes, both empty if the question is not about a combat.

    The attacking hexes are the named ones, or else all hexes with enemies that are adjacent to every attacked hex.
    """
    prompt = position.game.file.prompt
    if asked is None or asked.question != prompt.ask:
        return [], []
    targets = list_named(asked, prompt.target)
    if not targets:
        return [], []
    return targets, list_named(asked, prompt.attackers) or _find_enemies_around(position, targets)


def list_named(asked: Asked, parameter: str) -> list[str]:
    """Return the hexes or units in a parameter of a question."""
    return [name for name in str(asked.parameters.get(parameter, "")).split(",") if name]


def _find_enemies_around(position: Position, targets: Collection[str]) -> list[str]:
    """Return the hexes with enemies that are adjacent to all targets, or none if a target is not a hex of the map."""
    game = position.game
    state = position.state
    board = game.board(state.board)
    try:
        around = [board.neighbours(target) if board.is_hex(target) else () for target in targets]
    except InputError:
        return []
    sides = {game.side_of_unit(unit, state.facts) for target in targets for unit in state.stack(target)}
    found = []
    for place in around[0]:
        has_enemy = any(game.side_of_unit(unit, state.facts) not in sides for unit in state.stack(place))
        if has_enemy and all(place in others for others in around):
            found.append(place)
    return found


def check_sides(position: Position, asked: Asked | None) -> None:
    """Raise InputError if a unit in an attacking hex is on the defender's side; assumed nations are ignored."""
    targets, attackers = combat_hexes(position, asked)
    if not targets:
        return
    game = position.game
    state = position.state
    known = {key: fact for key, fact in state.facts.items() if not fact.assumed}
    defending = {game.side_of_unit(unit, known) for target in targets for unit in state.stack(target)} - {""}
    for place in attackers:
        for unit in state.stack(place):
            if game.side_of_unit(unit, known) in defending:
                hint = "leave its hex out after the <"
                raise InputError(f"{unit.id} in {place} is on the defender's side", hint=hint)


def same_hexes(position: Position, asked: Asked | None, other: Asked | None) -> bool:
    """Return whether two questions are about a combat over the same hexes."""
    targets, attackers = combat_hexes(position, asked)
    its_targets, its_attackers = combat_hexes(position, other)
    return bool(targets) and targets == its_targets and set(attackers) == set(its_attackers)


def same_target(position: Position, asked: Asked | None, other: Asked | None) -> bool:
    """Return whether two questions are about a combat against the same hex or hexes."""
    targets, _ = combat_hexes(position, asked)
    return bool(targets) and targets == combat_hexes(position, other)[0]


def take_parameters(position: Position, asked: Asked, combat: Asked) -> Asked:
    """Return a question about the open combat's target with the parameters of the open combat added.

    If other hexes attack now, parameters that depend on the hexes are left out. Withheld units stay if they are still
    there.

    `combat`: the question of the open combat.
    """
    prompt = position.game.file.prompt
    if not same_target(position, asked, combat):
        return asked
    left_out = () if same_hexes(position, asked, combat) else (prompt.target, prompt.attackers, *prompt.around)
    taken = {name: value for name, value in combat.parameters.items() if name not in left_out}
    units_now = {unit for units in stacks_of(position, asked).values() for unit in units}
    taken.pop(prompt.without, "")
    if withheld := [name for name in list_named(combat, prompt.without) if name in units_now]:
        taken[prompt.without] = ",".join(withheld)
    return msgspec.structs.replace(asked, parameters={**taken, **asked.parameters})


def with_units_again(parameters: Mapping[str, str], without: str, units: Collection[str]) -> dict[str, str]:
    """Return the parameters of a combat after some units have returned to it.

    `without`: the name of the parameter that lists the withheld units.
    `units`: the units that return.
    """
    withheld = [name for name in parameters.get(without, "").split(",") if name and name not in units]
    changed = dict(parameters)
    if withheld:
        changed[without] = ",".join(withheld)
    else:
        changed.pop(without, None)
    return changed


def find_units_back(before: Position, now: Position, combat: Asked, asked: Asked) -> set[str]:
    """Return the withheld units of a combat that a line brings back into play.

    The line has moved them or taken them off the map, their hex no longer attacks, or the phase or turn has changed.

    `combat`: the question before the line.
    `asked`: the question after it.
    """
    names = {*list_named(combat, now.game.file.prompt.without)}
    if leaves_moment(before, now):
        return names
    stacks = stacks_of(now, asked)
    units_now = {unit for units in stacks.values() for unit in units}
    units_dropped = {unit for units in stacks_of(before, combat).values() for unit in units} - units_now

    def place(position: Position, name: str) -> str | None:
        return position.state.units[name].place if name in position.state.units else None

    return {name for name in names if place(before, name) != place(now, name) or (stacks and name in units_dropped)}


def leaves_moment(before: Position, now: Position, *, stated: bool = True) -> bool:
    """Return whether the value of a track that ends facts of a phase or a turn has changed.

    `stated`: whether only a change from a stated value counts.
    """
    ends = {name.partition("=")[0] for track in now.game.tracks.values() for name in track.ends_with}
    moments = [(before.state.value(name), now.state.value(name)) for name in ends]
    return any(was != is_now and not (stated and was is None) for was, is_now in moments)


def format_units_dropped(before: Position, now: Position, asked: Asked | None) -> Iterator[str]:
    """Yield the units that a line has moved out of the attacking hexes of a combat, and how each can attack again.

    `asked`: the question about the combat before the line.
    """
    targets, attackers = combat_hexes(before, asked)
    if asked is None or not targets:
        return
    without = list_named(asked, before.game.file.prompt.without)
    board = now.game.board(now.state.board)
    _, attackers_now = combat_hexes(now, asked)
    for name, unit in before.state.units.items():
        place = now.state.units[name].place if name in now.state.units else None
        if unit.place in attackers and place and place not in (*targets, *attackers_now) and name not in without:
            is_adjacent = all(place in board.neighbours(target) for target in targets)
            again = f"; `<{board.grid.bare(place)} {quoted(name)}` adds it" if is_adjacent else ""
            yield f"{name} no longer attacks {' and '.join(targets)}{again}"
