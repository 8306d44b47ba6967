"""The retreats and the advance of a combat in words (11.2, 11.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from assistant.mechanics.procedure import Choice, Node, Resolution
from assistant.questions import Part, Step, View, step
from assistant.state.state import hexside
from assistant.util.numbers import natural

from ..results.combat import Combat
from ..results.displacing import in_the_way
from ..results.outcome_report import BattleOutcome, RepulseTried, Withdrawal
from ..results.retreating.situations import Retreats
from ..results.retreating.stacks import withheld
from ..results.retreating.walking import hexes_around
from ..retreat.displacing import eliminated
from ..retreat.passing import passed, passing_step
from ..retreat.pieces import Piece
from ..retreat.report import options_part, priority_step
from ..retreat.words import charge_step, force_step


def retreat_parts(combat: Combat, after: BattleOutcome, resolved: Resolution) -> list[Part]:
    """The retreats that were carried out, the hexes open next to a stack on its way, and who has advanced."""
    parts = [Part("Repulses", tuple(map(repulse_step, after.repulses)))]
    out = withheld(combat)
    steps = [line for one in after.retreats for line in retreat_steps(one, out)]
    text = "{force} ends farther from supply: {levels:#level}, {steps:#step}"
    steps += [step("11.2.3", text, one) for one in after.farther]
    parts.append(Part("Retreats", tuple(steps)))
    order = tuple(priority_step(one.hex, one.better, one.why) for one in after.passed_over)
    parts.append(Part("Priorities", order))
    parts.append(Part("Displacement", tuple(displacement_steps(combat, after))))
    if after.advanced:
        text = "advance into {at}: {units}"
        parts.append(Part("Advance", (step("11.4", text, combat.engagement, units=list(after.advanced)),)))
    for situation, node, answer in resolved.trace:
        if answer is None and isinstance(situation, Retreats) and node in resolved.pending and offers_hexes(node):
            parts.append(options_part(hexes_around(combat, situation)))
    return parts


def offers_hexes(node: Node) -> bool:
    """Whether a choice is that of the next hex of a retreat, and not of who takes its losses, goes on, or tries a Repulse."""
    return isinstance(node, Choice) and natural(node.name.rpartition(".")[2]) is not None


def assume_ways(view: View, after: BattleOutcome) -> None:
    """Note the hexsides on the ways back that were taken to be open, as nothing is stated of them."""
    for one in after.retreats:
        for here, there in pairwise((one.start, *(hex for hex in one.way if view.board.is_hex(hex)))):
            view.granted("barrier", hexside(here, there), (), "11.2.4", "{hexsides} can be crossed (not stated)")


def repulse_step(one: RepulseTried) -> Step:
    """A Repulse that a stack has tried in its retreat."""
    rolled = " by {crt}" if one.crt else ""
    if not one.repulsed:
        return step("8.5.4", "{force} in {here} cannot push the stack in {at} away: odds of {odds}" + rolled, one)
    failed = "; failed checks: {failed}" if one.failed else ""
    text = "{force} in {here} pushes the stack in {at} away: odds of {odds}" + rolled + failed
    return step("8.5.3", text, one, failed=list(one.failed))


def retreat_steps(one: Withdrawal, withheld: Collection[str] = ()) -> Iterator[Step]:
    """One retreat: its way, what that costs, what becomes of each Force. withheld: the units that were withheld from the combat."""
    if one.way:
        by_check = "by check from {here} to {hexes}: {forces}"
        text = by_check if one.cause == "check" else "the stack of {place} retreats to {hexes}"
        yield step("11.2.1", text, one, here=one.start, hexes=list(one.way), forces=list(one.ends))
    if len(set(one.ends.values())) > 1:
        yield step("11.2.1", "where they end: {ends}", ends=[f"{name} in {hex}" for name, hex in one.ends.items()])
    if one.beyond:
        text = "{forces} had to go farther than {owed:#hex}, as the hex before could not hold all"
        yield step("4.2.3", text, one, forces=list(one.beyond))
    for force in one.forces:
        if force.force in withheld and one.way:
            text = "{force} was withheld and goes with the others: {owed:#hex}, the least of them"
            yield step("10.1.5", text, one, force=force.force)
    if one.surrendered:
        yield step(
            "11.2.6",
            "no hex is open from {place}; surrendered, and permanently eliminated: {forces}",
            one,
            forces=list(one.surrendered),
        )
    yield from map(charge_step, one.charges)
    for force in one.forces:
        if force.force not in one.surrendered and (force.eliminated or force.levels or force.steps or force.guns):
            yield force_step(force)


def displacement_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    """The units that had to make room for the enemy, and those that the question `displace` decides about."""
    for one in after.displaced:
        yield step(one.rule, "{unit} goes from {place} to {hex}: {why}" if one.hex else eliminated(one.unit), one)
    for hex, going in passed_in_retreats(combat, after):
        yield passing_step(hex, going)
    staying = in_the_way(combat, after.unsettled, after.places) if after.vacated else ()
    for unit in dict.fromkeys((*after.unsettled, *staying)):
        text = "{unit} may have to leave its hex: the question displace decides it"
        text += ", and nobody advances before" if unit in staying else ""
        yield step("9.5", text, unit=unit)


def passed_in_retreats(combat: Combat, after: BattleOutcome) -> Iterator[tuple[str, list[Piece]]]:
    """The units that retreating stacks make leave their hexes on the way, for as long as they pass; those that have to go where the
    retreats end are displaced. Each with the hex that is entered then.
    """
    done = {*(one.unit for one in after.displaced), *after.unsettled}
    if combat.pieces is None:
        return
    for one in after.retreats:
        names = [force.force for force in one.forces if not force.eliminated]
        for hex, going in passed(combat.pieces, names, one.way[:-1]):
            if left := [piece for piece in going if piece.id not in done and after.places.get(piece.id, piece.place)]:
                yield hex, left
