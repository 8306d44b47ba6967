"""The retreats of a combat in words: who goes where, who clears a way, who makes room."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from assistant.asking import Part, Step, View, step
from assistant.mechanics.procedure import Choice, Node, Resolution
from assistant.state.state import hexside
from assistant.util.texts import natural

from ..combat.before_dice import Combat
from ..combat.pieces import Piece
from ..displacement.in_combat import (
    DEPARTS,
    ELIMINATED,
    Displaced,
    find_units_in_way,
    is_mobile,
    passing_step,
    units_passed_by,
)
from ..results.outcome import BattleOutcome, RepulseTried, Withdrawal
from ..results.retreats import Retreats, hexes_around, withheld_units
from ..retreat.words import charge_step, force_step, options_part, priority_step
from ..terms import DISPLACING, OFF_MAP


def retreat_parts(combat: Combat, after: BattleOutcome, resolved: Resolution) -> list[Part]:
    """Return the retreats that were carried out, the hexes open adjacent to a stack on its way, and who has
    advanced.
    """
    parts = [Part("Repulses", tuple(map(_repulse_step, after.repulses)))]
    out = withheld_units(combat)
    steps = [line for retreat in after.retreats for line in _retreat_steps(retreat, out)]
    text = "{force} ends farther from supply: {levels:#level}, {steps:#step}"
    steps += [step("11.2.3", text, retreat) for retreat in after.farther]
    parts.append(Part("Retreats", tuple(steps)))
    order = tuple(priority_step(over.hex, over.better, over.why) for over in after.passed_over)
    parts.append(Part("Priorities", order))
    parts.append(Part("Displacement", tuple(_displacement_steps(combat, after))))
    if after.advanced:
        text = "advance into {at}: {units}"
        parts.append(Part("Advance", (step("11.4", text, combat.engagement, units=list(after.advanced)),)))
    for situation, node, answer in resolved.trace:
        if answer is None and isinstance(situation, Retreats) and node in resolved.pending and _is_next_hex(node):
            parts.append(options_part(hexes_around(combat, situation)))
    return parts


def _is_next_hex(node: Node) -> bool:
    """Return whether a choice is that of the next hex of a retreat, and not of who takes its losses, goes on, or tries
    a Repulse.
    """
    return isinstance(node, Choice) and natural(node.name.rpartition(".")[2]) is not None


def assume_ways(view: View, after: BattleOutcome) -> None:
    """Note the hexsides on the ways back that were taken to be open, as nothing is stated of them."""
    for retreat in after.retreats:
        entered = (hex for hex in retreat.way if hex != OFF_MAP and view.board.is_hex(hex))
        for here, there in pairwise((retreat.start, *entered)):
            view.granted("barrier", hexside(here, there), (), "11.2.4", "{hexsides} can be crossed (not stated)")


def _repulse_step(tried: RepulseTried) -> Step:
    """Return a Repulse that a stack has tried in its retreat."""
    if not tried.repulsed:
        text = "{force} in {here} cannot push the stack in {at} away: odds of {odds}[crt: by {crt}]"
        return step("8.5.4", text, tried)
    text = (
        "{force} in {here} pushes the stack in {at} away: odds of {odds}[crt: by {crt}]"
        "[failed:; failed checks: {failed}]"
    )
    return step("8.5.3", text, tried, failed=list(tried.failed))


def _retreat_steps(withdrawal: Withdrawal, withheld: Collection[str] = ()) -> Iterator[Step]:
    """Yield one retreat: its way, what that costs, what becomes of each Force. withheld: the units that were withheld
    from the combat.
    """
    if on_map := [hex for hex in withdrawal.way if hex != OFF_MAP]:
        text = "[by_check:by check from {here} to {hexes}: {forces}|the stack of {place} retreats to {hexes}]"
        by_check = withdrawal.cause == "check"
        forces = list(withdrawal.ends)
        yield step("11.2.1", text, withdrawal, by_check=by_check, here=withdrawal.start, hexes=on_map, forces=forces)
    if len(set(withdrawal.ends.values())) > 1:
        places = {name: "off the map" for name, hex in withdrawal.ends.items() if hex == OFF_MAP}
        ends = [f"{name} {places.get(name, f'in {hex}')}" for name, hex in withdrawal.ends.items()]
        yield step("11.2.1", "where they end: {ends}", ends=ends)
    if withdrawal.trains:
        yield step(
            "11.2.1",
            "{trains} [several:retreat|retreats] with the stack",
            withdrawal,
            several=len(withdrawal.trains) > 1,
        )
    if withdrawal.beyond:
        text = (
            "{forces} had to retreat farther than {owed:#hex}, as the hex where they should have stopped could not "
            "hold all units"
        )
        yield step("4.2.3", text, withdrawal, forces=list(withdrawal.beyond))
    for force in withdrawal.forces:
        if force.force in withheld and withdrawal.way:
            text = "{force} was withheld and retreats with the others: {owed:#hex}, the fewest that any of them must"
            yield step("10.1.5", text, withdrawal, force=force.force)
    if withdrawal.departed:
        text = "off the map for good, removed from the game and not eliminated: {departed}"
        yield step("1.2.2", text, withdrawal, departed=list(withdrawal.departed))
    if withdrawal.surrendered:
        yield step(
            "11.2.6",
            "no hex is open from {place}; surrendered, and permanently eliminated: {forces}",
            withdrawal,
            forces=list(withdrawal.surrendered),
        )
    yield from map(charge_step, withdrawal.charges)
    for force in withdrawal.forces:
        if force.force not in withdrawal.surrendered and (
            force.eliminated or force.levels or force.steps or force.guns or force.destroyed
        ):
            yield force_step(force)


def _displacement_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    """Yield the units that had to make room for the enemy, and those that the question `displace` decides about."""
    yield from map(_displaced_step, after.displaced)
    for hex, going in _list_units_passed(combat, after):
        yield passing_step(hex, going)
    staying = find_units_in_way(combat, after.unsettled, after.places) if after.vacated else ()
    for unit in dict.fromkeys((*after.unsettled, *staying)):
        text = "{unit} may have to leave its hex (ask displace)[staying:; no unit advances before that]"
        arm = combat.standing.view.word("arm", unit) if unit in combat.standing.pieces else ""
        _, rule, _ = DISPLACING.get(arm, ("", "9.5", ""))
        yield step(rule, text, unit=unit, staying=unit in staying)


def _displaced_step(displaced: Displaced) -> Step:
    """Return what became of a unit that had to leave its hex."""
    if not displaced.hex:
        return step(displaced.rule, ELIMINATED, displaced, mobile=is_mobile(displaced.unit))
    text = DEPARTS if displaced.hex == OFF_MAP else "{unit} goes from {place} to {hex}: {why}"
    return step(displaced.rule, text, displaced)


def _list_units_passed(combat: Combat, after: BattleOutcome) -> Iterator[tuple[str, list[Piece]]]:
    """Yield the hexes that retreating stacks enter, each with the units that leave it while they pass.

    Units that must go from the hex where a retreat ends are displaced instead.
    """
    done = {*(displaced.unit for displaced in after.displaced), *after.unsettled}
    if combat.pieces is None:
        return
    for retreat in after.retreats:
        names = [force.force for force in retreat.forces if not force.eliminated]
        for hex, going in units_passed_by(combat.pieces, names, retreat.way[:-1]):
            if left := [piece for piece in going if piece.id not in done and after.places.get(piece.id, piece.place)]:
                yield hex, left
