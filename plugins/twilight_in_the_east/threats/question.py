"""The question `threat`: the other side's possible moves, attacks, and threats to supply (8.1, 10.0, 14)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from assistant.asking import MissingFacts, View, note
from assistant.asking.parameters import read_parameters
from assistant.installed.registry import questions_of
from assistant.mechanics.chances import Chances, mean_of
from assistant.mechanics.odds import Odds
from assistant.rules.field.movement import Reach
from assistant.rules.threats import (
    Attacker,
    Check,
    Danger,
    Phases,
    PossibleAttack,
    PossibleAttacks,
    SupplyState,
    ThreatAsked,
    ThreatNumbers,
    ThreatRules,
    threat_question,
)
from assistant.rules.threats.usual import posed_report

from ..battle.chances import chance_to_vacate, check_chances, checking_forces, play_out, prepare_combat
from ..combat.before_dice import Combat
from ..combat.legality import out_of_turn_steps, refusals
from ..combat.setup import Setup
from ..displacement.reaction import EITHER_WAY
from ..entering.obligations import has_to_leave
from ..forces.unit import fighting_units, gather_unit
from ..forces.units import SIDES, stack_excess
from ..ground.calendar import ORDER
from ..ground.chart import format_halves
from ..ground.hexsides import between
from ..results.retreats import may_open
from ..supply.lifelines.report import SupplyHeld
from ..supply.lifelines.search import LifelineSearch, Passed
from ..supply.side.states import side_states
from ..terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS, SUPPLY_ARMS

Allocated = Annotated[
    Literal["all", "none"], note("all: each Artillery Ammunition Point that helps, as for `attacks`; none")
]


class ThreatParameters(ThreatAsked, frozen=True, rename="kebab"):
    """Parameters of the question `threat`."""

    forced: Annotated[bool, note("whether enemies may make a Forced March")] = True
    attacker_ap: Allocated = "all"
    defender_ap: Allocated = "all"


class Threats(ThreatRules):
    """Threats by the rules of movement, combat and supply."""

    asked = ThreatParameters
    phases = Phases(ORDER, moves=("movement",), attacks=("attack",))
    numbers = ThreatNumbers(attack="10.7", march="8.1", supply="14.1", checks="11.3", stacking="4.2.1")

    def find_reaches(self, attacker: Attacker, units: Sequence[str]) -> Iterable[Reach]:
        """Return the hexes that units can reach, as `reach` does.

        Raises MissingFacts as `reach` does.
        """
        who = {"units": units} if len(units) == 1 else {"side": attacker.side}
        report = posed_report(attacker.view, "reach", briefly=True, forced=attacker.asked.forced, **who)
        reaches = report.result.each or [report.result] if report.result else []
        return [reach for reach in reaches if reach.unit in units]

    def list_attacks(self, attacker: Attacker, at: str) -> PossibleAttacks:
        """Return the largest attack on a hex, and the smallest one on the column farthest to the right.

        Raises MissingFacts as `attacks` does.
        """
        view, asked = attacker.view, attacker.asked
        report = posed_report(
            view,
            "attacks",
            side=attacker.side,
            at=[at],
            attacker_ap=asked.attacker_ap,
            defender_ap=asked.defender_ap,
        )
        if report.asks:
            raise MissingFacts(report.asks)
        if not report.result or not report.result.targets:
            return PossibleAttacks(())
        target = report.result.targets[0]
        ways = dict[tuple[str, ...], Any]()
        if target.largest:
            ways[target.largest.units] = target.largest
        if target.farthest:
            ways[target.farthest.attack.units] = target.farthest.attack
        smallest = [column.attack for column in target.columns if column.attack.column == column.column]
        describe = partial(_describe_attack, view, target)
        return PossibleAttacks([*map(describe, ways.values())], lambda: map(describe, smallest), target.barred)

    def measure_danger(self, attacker: Attacker, attack: PossibleAttack) -> Danger | None:
        """Return the chances of an attack, or None if it is not allowed or a chart is not known.

        Raises MissingFacts as `battle` does.
        """
        view = attacker.view
        parameters = read_parameters(questions_of(view.game)["battle"], view, attack.battle)
        engagement, parameters, _ = Setup(view, parameters).engage_obliged()
        if refusals(engagement) or out_of_turn_steps(engagement):
            return None
        _, combat = prepare_combat(view, engagement, parameters)
        played = play_out(view, combat, {})
        return _read_danger(combat, played.chances) if played.chances else None

    def trace_supply(
        self, view: View, side: str, units: Sequence[str]
    ) -> Callable[[View | None], Mapping[str, SupplyState]]:
        """Return a function that returns the supply of units, with the hexes of their lines, as in `lifelines`.

        On a drawn board the supply of the whole side is traced once for all questions about the position. If any fact
        is assumed, supply is traced for each question, so that its answer names only the facts that it needs.

        Raises MissingFacts if a fact that decides the places of units is not stated.
        """
        is_drawn = bool(view.board.hexes)  # on a paper map the side's other units may need facts that are not stated
        is_sure = not any(fact.assumed for fact in view.stated.values())
        traced = view.part(("supply", side), partial(_trace_side, side=side)) if is_drawn and is_sure else view

        def search_lines() -> tuple[LifelineSearch, Mapping[str, Passed]]:
            states = side_states(traced, side, causes=False)
            search = LifelineSearch(traced, states.answer(units), units, zone=False)
            return search, search.find_passages()

        (search, passages), noted = traced.premises.note(search_lines)
        view.premises.note_again(noted)

        def supplied(other: View | None) -> dict[str, SupplyState]:
            then = search.now if other is None else search.find_supplies_in(other.state)
            units = (other or view).state.units
            return {
                name: _find_supply_state(str(units[name].place), held, passages[name]) for name, held in then.items()
            }

        return supplied

    def may_stack(self, view: View, units: Sequence[str]) -> bool:
        """Return whether units may end a Movement Phase in one hex (4.2.1)."""
        with view.gather() as facts:
            supply = [name for name in units if facts.word("arm", name) in SUPPLY_ARMS]
            counted = [gather_unit(facts, view.unit(name), None) for name in units if name not in supply]
            return not any(stack_excess(counted, sum(not facts.flag("entrained", name) for name in supply)))

    def measure_weight(self, view: View, unit: str) -> int:
        """Return the steps left of a combat unit, or 1 if they are unknown, or 0 for other units (3.4.1)."""
        if view.word("arm", unit) not in ("", *COMBAT_ARMS):
            return 0
        try:
            with view.gather() as facts:
                return max(gather_unit(facts, view.unit(unit), None).left, 1)
        except MissingFacts:
            return 1

    def measure_crossing(self, view: View, place: str, at: str) -> int:
        """Return 1 if an attack crosses a Major or Grand River, which halves it, or else 0."""
        return int(bool(GREAT_RIVERS & between(view, place, at).lies))

    def format_points(self, points: int) -> str:
        return format_halves(points)

    def find_leaving(self, view: View, at: str) -> Mapping[str, str]:
        """Return the artillery, Corps Trains and depots that must leave, each with the rule (9.5.1, 9.8.1, 9.9)."""
        with view.gather() as facts:
            units = [unit.id for unit in view.stack(at) if has_to_leave(facts, unit)]
            return {name: EITHER_WAY.get(facts.word("arm", name), "9.9") for name in units}


def _trace_side(view: View, side: str) -> View:
    """Return the view after tracing the supply of all units of a side, which caches the result."""
    side_states(view, side, causes=False).answer()
    return view


def _describe_attack(view: View, target: Any, attack: Any) -> PossibleAttack:
    """Return an attack of the ranking, with the parameters of `battle` for it.

    `target`: the hex in the ranking.
    """
    with view.gather() as facts:
        there = [unit.id for place in attack.places for unit in fighting_units(facts, place)]
        staying = [name for name in there if name not in attack.units and facts.word("arm", name) not in FORTRESSES]
    battle = {
        "at": target.at,
        "from": list(attack.places),
        "withhold": [*staying, *target.withheld],
        "attacker-ap": list(attack.points) or ["none"],
        "defender-ap": list(target.defender_points) or ["none"],
    }
    return PossibleAttack(
        attackers=attack.units,
        places=attack.places,
        attack=attack.strength,
        defence=target.defence,
        column=attack.column,
        rank=Odds.parse(attack.column).columns,
        battle=battle,
    )


def _read_danger(combat: Combat, chances: Chances) -> Danger:
    """Return the chances of an attack that `threat` shows."""
    checks = list[Check]()
    for role, force in checking_forces(combat):
        if role == "defender":
            passes, retreats, unchecked = check_chances(chances, force.name)
            fails = 1 - passes - unchecked
            checks.append(Check(unit=force.name, fails=fails, retreats=retreats, unchecked=unchecked))
    steps = {role: chances.likelihoods(f"{role}.steps") for role in SIDES}
    return Danger(
        lost=chance_to_vacate(chances),
        at_least=bool(may_open(combat)),
        defender_mean=mean_of(steps["defender"]),
        attacker_mean=mean_of(steps["attacker"]),
        defender_losses=steps["defender"],
        attacker_losses=steps["attacker"],
        checks=tuple(checks),
    )


def _find_supply_state(place: str, held: SupplyHeld, passed: Passed) -> SupplyState:
    """Return the supply of a unit with the hexes of its supply line."""
    rank = -1 if held.state is None else held.worth
    return SupplyState(place, rank, held.now, frozenset(loss.where for loss in passed if loss.kind == "hex"))


QUESTION = threat_question(Threats())
