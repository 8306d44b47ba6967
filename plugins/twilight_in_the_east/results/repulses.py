"""The Repulse that a stuck stack tries in its retreat, and what follows each situation of a retreat (8.5, 11.2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, MissingFacts
from assistant.asking.wording import fill
from assistant.mechanics.procedure import Apart, Choice, Done, Node, Quantity, Roll, Situation

from ..combat.before_dice import Combat
from ..combat.pieces import unit_of
from ..forces.falling import find_falling
from ..forces.units import OPPONENTS, Role
from ..leaders.command import leader_named
from ..leaders.facts import count_uses_of
from ..repulse.rules import (
    HEXES,
    Rolled,
    defending_forces,
    engage_in_retreat,
    failure_cost,
    losing_in_vain,
    may_be_cleared,
    may_try,
    needs,
    position_now,
    repulse_procedure,
    units_taking_part,
)
from ..terms import SUPPLY_ARMS
from .retreats import (
    PUSHED,
    TRIES,
    Halted,
    Retreated,
    Retreats,
    StackRetreat,
    StepsDue,
    arrive,
    find_first_walking,
    list_next_hexes,
    retreat_on,
    whole_forces,
)


class Trying(msgspec.Struct, frozen=True):
    """A Repulse that a Force tries on the first stack's retreat."""

    retreats: Retreats
    force: str
    at: str
    """The hex to be cleared."""
    so_far: Situation = None
    """What its own procedure has come to."""
    crt: str = ""
    """The cell rolled."""

    @property
    def name(self) -> str:
        """As answers name it."""
        return f"{TRIES[self.retreats.cause]}.{self.retreats.todo[0].name}"


class TriedRepulse(msgspec.Struct, frozen=True):
    """A Repulse that has been tried."""

    trying: Trying
    odds: str
    """The final ones."""
    repulsed: bool
    failed: tuple[str, ...]
    """The Forces that fail their checks."""
    next: Retreats
    leaders: tuple[str, ...] = ()
    """Those who applied in it."""


class Repulses(msgspec.Struct, frozen=True):
    """The Repulses that stacks try in the retreats of a combat."""

    combat: Combat

    def follow(self, situation: Situation) -> Node:
        """Return what follows a situation of a retreat, whatever has caused it."""
        match situation:
            case Retreats():
                return retreat_on(self.combat, situation)
            case Halted():
                return self.offer_repulse(situation)
            case Retreated():
                return arrive(situation)
            case Trying():
                return self.try_repulse(situation)
        assert isinstance(situation, TriedRepulse)
        return Apart({"": situation.next})

    def offer_repulse(self, at: Halted) -> Node:
        """Return the one Repulse that a stack may try in its retreat when no hex is open to it, or last resorts alone:
        the hexes that a Force of it could clear, and first none at all. A stack that a Repulse pushes away tries none.
        Rule: 8.5.1c
        """
        retreats = at.retreats
        walking = find_first_walking(self.combat, retreats)
        moving, layout, here = walking.moving, walking.layout, retreats.here
        able = [force.name for force in walking.going if may_try(force)]
        tried = (replace(moving, tried=True), *retreats.todo[1:])
        held = [
            hex for hex in layout.pieces.terrain.neighbours(here) if may_be_cleared(layout, walking.ground, here, hex)
        ]
        on_its_way = replace(retreats, todo=tried, entered=walking.entered)
        if retreats.cause == "repulse":
            return Apart({"": on_its_way})
        tries = dict[str, Trying]()
        for hex in held:
            for name in able:
                tries[hex if len(able) == 1 else f"{hex},{name}"] = Trying(on_its_way, name, hex)
        text = "a Repulse from {here}, where no hex[others: on the map] is open to the stack"
        title = fill(text, {"here": here, "others": list_next_hexes(walking)})
        options: dict[str, Situation] = {"none": on_its_way, **tries}
        choice = f"{TRIES[retreats.cause]}.{moving.name}"
        return Choice(choice, "8.5", title, moving.role, options, remarks=partial(self._format_odds, tries))

    def _format_odds(self, tries: Mapping[str, Trying]) -> dict[str, str]:
        """Return what each Repulse promises: its odds, and whether it cannot succeed or does so by itself; nothing
        where a fact is missing for that (8.5.2).
        """
        odds = dict[str, str]()
        for name, trying in tries.items():
            try:
                final = self._engage_repulse(trying, quiet=True).odds
            except (InputError, MissingFacts):
                continue
            text = "odds of {final}[vain:: it cannot succeed][certain:: it succeeds]"
            promise = needs(final)
            figures = {"final": f"{final}", "vain": promise == "hopeless", "certain": promise == "automatic"}
            odds[name] = fill(text, figures)
        return odds

    def try_repulse(self, trying: Trying) -> Node:
        """Return the next roll of a Repulse in a retreat, named after that retreat, or what follows. Rule: 8.5"""
        attempt = self._engage_repulse(trying)
        node = repulse_procedure(attempt, self.combat.standing.view.cell)(trying.so_far)
        notes = {f"{trying.name}.{name}": value for name, value in node.notes.items()}
        if isinstance(node, Done):
            return Apart({"": self.end_repulse(attempt, trying, node.notes)}, notes)
        if not isinstance(node, Roll):
            return node
        rolled = node

        def then(natural: int) -> Situation:
            so_far = rolled.then(natural)
            return replace(trying, so_far=so_far, crt=so_far.crt if isinstance(so_far, Rolled) else trying.crt)

        side = node.side if trying.retreats.todo[0].role == "attacker" else OPPONENTS.get(node.side, "")
        return replace(node, name=f"{trying.name}.{node.name.partition('.')[0]}", notes=notes, then=then, side=side)

    def _engage_repulse(self, trying: Trying, *, quiet: bool = False) -> Combat:
        """Return the Repulse as a combat, with all where they stand by now. quiet: whether it is only compared, and no
        doubt of the report.

        Raises MissingFacts for what it needs and is not stated.
        """
        retreats = trying.retreats
        stack = find_first_walking(self.combat, retreats).stack
        standing = {unit.id: retreats.here for force in stack.values() for unit in force.units}
        now = position_now(self.combat.standing, retreats.toll, standing, quiet=quiet)
        effective = [leader for leader, _ in self.combat.engagement.telling()]
        before = [leader_named(name) for name, uses in retreats.toll.led for _ in range(uses)]
        now = now.after([*count_uses_of(now, (*effective, *before))])
        return engage_in_retreat(now, trying.at, retreats.here, {unit.id for unit in stack[trying.force].units})

    def end_repulse(self, attempt: Combat, trying: Trying, notes: Mapping[str, Quantity]) -> TriedRepulse:
        """Return what comes of a Repulse: steps of those who have tried in vain, or checks and a retreat of two hexes
        of the stack that is pushed away; then the retreat goes on. Rule: 8.5.3, 8.5.4b
        """
        final = str(attempt.odds)
        leaders = tuple(leader.leader for leader, _ in attempt.engagement.telling())
        retreats = replace(trying.retreats, toll=trying.retreats.toll.and_led(leaders))
        if notes.get("repulsed") is False:
            onward = self.end_in_vain(attempt, replace(trying, retreats=retreats))
            return TriedRepulse(trying, final, repulsed=False, failed=(), next=onward, leaders=leaders)
        pieces = self.combat.standing
        role: Role = "defender" if retreats.todo[0].role == "attacker" else "attacker"
        pushed = pieces.after(retreats.toll).forces_at(trying.at)
        toll = retreats.toll
        due = list[StepsDue]()
        failed = []
        for force in defending_forces(attempt):
            if not notes[f"{force.name}.failed_by"]:
                continue
            failed.append(force.name)
            levels, steps = failure_cost(force, pieces.view.ruling)
            toll = toll.and_levels({force.name: levels})
            whole = next(candidate for candidate in pushed if any(unit.id == force.name for unit in candidate.units))
            if steps:
                due.append(StepsDue(role, whole, steps, TRIES[retreats.cause], "8.5.3"))
        stands = [unit_of(pieces.view, piece.id) for piece in pieces.after(toll).at(trying.at)]
        falling = find_falling(unit.id for unit in stands if unit.arm in SUPPLY_ARMS)
        toll = toll.and_eliminated({unit.id: unit.left for unit in stands if unit.id in falling})
        owed = tuple((force.name, HEXES) for force in pushed)
        named = f"{PUSHED[retreats.cause]}.{retreats.todo[0].name}"
        moving = StackRetreat(role, trying.at, trying.at, owed, forces=pushed, named=named)
        after = Retreats("repulse", (moving,), toll, retreats, due=tuple(due))
        return TriedRepulse(trying, final, repulsed=True, failed=tuple(failed), next=after, leaders=leaders)

    def end_in_vain(self, attempt: Combat, trying: Trying) -> Retreats:
        """Return the retreat after a Repulse in vain, with the steps that this costs. Rule: 8.5.4b"""
        retreats = trying.retreats
        attempting = units_taking_part(attempt.engagement)
        who = self.combat.standing.view.ruling("repulse-step", len(attempting) > 1)
        if who == "force":
            moving = retreats.todo[0]
            force = whole_forces(self.combat, moving)[trying.force]
            return replace(retreats, due=(StepsDue(moving.role, force, 1, TRIES[retreats.cause], "8.5.4"),))
        losing = losing_in_vain(attempting, who)
        dead = {unit.id: "" for unit in losing if unit.left == 1}
        toll = retreats.toll.and_steps(dict.fromkeys((unit.id for unit in losing), 1)).and_moved(dead)
        return replace(retreats, toll=toll)
