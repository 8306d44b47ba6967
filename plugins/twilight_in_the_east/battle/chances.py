"""A combat made ready for its dice, played, and its chances: what `battle` tells of one attack and `need` of several."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from assistant.mechanics.chances import Chances
from assistant.questions import Answers, View
from assistant.questions.play import Aliases, Play, play
from assistant.state.state import hexside

from ..combat.engagement import BattleParameters, Engagement
from ..combat.setup import agreed
from ..forces.units import SIDES, Force
from ..results.combat import Combat, on_the_dice
from ..results.policies import policies
from ..results.resolution import resolution
from ..results.retreating.walking import may_open
from ..results.states import Start
from ..retreat.pieces import Pieces
from .reckoning import weigh
from .result import BattleChances, BattleResult, ForceChances, NamedPolicy


def before_the_dice(
    view: View, engagement: Engagement, parameters: BattleParameters, *, dice: bool = False
) -> tuple[Engagement, BattleResult, Combat]:
    """A combat with the readings that matter for its dice, all that is certain of it, and what the dice need. dice: whether any are given, so
    that ways back are walked whatever is known of the ground. Raises InputError for a policy that is none."""
    _, combat = weigh(engagement)
    pieces = Pieces(view) if dice or ground_known(view, engagement) else None
    engagement = replace(engagement, readings=agreed(view, engagement.readings, on_the_dice(combat)))
    battle, combat = weigh(engagement)
    return engagement, battle, replace(combat, policies=policies(engagement, parameters), pieces=pieces)


def ground_known(view: View, engagement: Engagement) -> bool:
    """Whether anything is stated of the ground around the defender, and not assumed alone, so that its way back can be looked at before
    the dice."""
    places = {unit.place for unit in engagement.attackers}
    around = [hex for hex in view.board.neighbours(engagement.at) if hex not in places]
    known = (view.fact(*key) for hex in around for key in (("terrain", hex), ("barrier", hexside(engagement.at, hex))))
    return any(fact is not None and not fact.assumed for fact in known)


def played_out(view: View, combat: Combat, answers: Answers, aliases: Aliases | None = None) -> Play:
    """A combat played as far as these dice and choices lead. aliases: the names that they may have."""
    return play(view, resolution(combat, view.cell), Start(), answers, aliases=aliases)


def battle_chances(combat: Combat, every: Chances) -> BattleChances:
    """The chances that players ask for, out of all that can come of a combat."""

    def of_force(force: Force) -> ForceChances:
        before, name = max(unit.disorder for unit in force.units), force.name
        return ForceChances(
            force=name,
            passes=every.probability(lambda passes: passes is True, f"{name}.passes"),
            retreats=every.probability(bool, f"{name}.retreat"),
            disordered=every.probability(lambda degree: (degree or 0) > before, f"{name}.disorder"),
            surrenders=every.probability(bool, f"{name}.surrenders"),
        )

    forces = [force for role in SIDES for stack in combat.forces[role].values() for force in stack]
    checking = [force for force in forces if any(unit.arm != "artillery" for unit in force.units)]
    listed = [f"{role}.{what}" for what in ("losses", "steps", "retreat") for role in SIDES]
    figures: dict[str, Any] = {name.replace(".", "_"): every.likelihoods(name) for name in listed}
    figures |= {f"{role}_mean": every.mean(f"{role}.steps") for role in SIDES}
    figures |= {f"{role}_policy": NamedPolicy(*combat.policies[role][:2]) for role in SIDES}
    return BattleChances(
        crt=tuple(sorted(every.likelihoods("crt"), key=lambda one: -one.chance)),
        vacates=every.probability(lambda leaves: leaves is True, "defender.vacates"),
        forces=tuple(map(of_force, checking)),
        may_open=may_open(combat),
        situations=every.situations,
        ways=combat.policies["attacker"].way if combat.pieces else "",
        **figures,
    )
