"""What the results of a combat table do to units, which may have steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from ...asking.report import step
from ...asking.view import View, changed, turned_over
from ...game.games import Game
from ...game.rule_results import OPPONENTS, PAY, codes_of, read_result
from ...mechanics.effects import Effects, Fought, Result
from ...state.changes import AnyChange
from ...util.memo import Memo
from ..battle import Fight, Settled
from ..odds_battle import ROLES, Engagement
from .compiled import Rules, rules_of
from .stacking import eliminate_unit

_RESULTS: Memo[None, Mapping[str, Result]] = Memo()
"""The results of a game's combat table by their codes."""


def results_of(game: Game) -> Mapping[str, Result]:
    """Return the results of a game's combat table by their codes.

    Raises InputError for effects that cannot be read.
    """
    battle = rules_of(game).battle
    texts = {code: code for code in codes_of(game.chart(battle.chart))} | battle.results
    return game.memo(_RESULTS, None, lambda: {code: read_result(code, text) for code, text in texts.items()})


def has_exchange(game: Game) -> bool:
    """Return whether a result of the table is an exchange."""
    return any(f"attacker:{PAY}" in result.effects for result in results_of(game).values())


def fight_of(view: View, combat: Engagement) -> Fight:
    """Return the fight of a combat: its results take steps, eliminate units or exchange them."""
    rules = rules_of(view.game)
    battle = rules.battle
    fighters = (*combat.attackers, *combat.defenders)
    with view.gather() as facts:
        reduced = {unit.unit for unit in fighters if battle.steps and facts.flag(battle.steps, unit.unit)}
    steps = {unit.unit: 2 if battle.steps and unit.unit not in reduced else 1 for unit in fighters}
    effects = Effects[str](
        results_of(view.game),
        partial(_list_ways, combat, steps),
        {
            "step": "which unit of the {} loses a step",
            PAY: f"which units the {{}} eliminates, of {combat.due} at least",
        },
        lambda fate: None,
        lambda fought: {},
        battle.rule,
        battle.rule,
        partial(_count_losses, combat),
    )
    return Fight(effects, partial(_settle, view, rules, combat, steps, lambda fought: effects.result(fought.code)))


def _list_ways(
    combat: Engagement, steps: Mapping[str, int], role: str, action: str, fates: Sequence[str]
) -> Mapping[str, tuple[str, ...]]:
    """Return the steps lost by an effect for each choice of the owner, or for "" without a choice.

    A unit is named once for each step that it loses.

    `steps`: the steps of each unit before the combat.
    """
    left = {unit.unit: steps[unit.unit] - fates.count(unit.unit) for unit in combat.units(role)}
    alive = [unit for unit, count in left.items() if count > 0]
    if action == "all":
        return {"": tuple(unit for unit in alive for _ in range(left[unit]))}
    if action == PAY:
        groups = [[unit for unit in group if unit in alive] for group in combat.exchanges]
        return {", ".join(group): tuple(unit for unit in group for _ in range(left[unit])) for group in groups if group}
    return {"" if len(alive) == 1 else unit: (unit,) for unit in alive}


def _count_losses(combat: Engagement, fought: Fought[str]) -> dict[str, int]:
    names = {role: [unit.unit for unit in combat.units(role)] for role in ROLES}
    return {f"{role}.lost": sum(unit in names[role] for unit in fought.fates) for role in ROLES}


def _settle(
    view: View,
    rules: Rules,
    combat: Engagement,
    steps: Mapping[str, int],
    result_of: Callable[[Fought[str]], Result],
    fought: Fought[str],
) -> Settled:
    battle = rules.battle
    result = result_of(fought)
    hit = dict.fromkeys(fought.fates)
    lost = tuple(unit for unit in hit if fought.fates.count(unit) >= steps[unit])
    weakened = tuple(unit for unit in hit if unit not in lost)
    losses = [step(battle.rule, "{unit} is eliminated", unit=unit) for unit in lost]
    losses += [step(battle.rule, "{unit} loses a step", unit=unit) for unit in weakened]
    retreating = tuple(unit.unit for unit in combat.units(result.retreats) if unit.unit not in lost)
    is_cleared = bool(retreating) or all(unit.unit in lost for unit in combat.units(OPPONENTS.get(result.pursues, "")))
    pursues = is_cleared and any(unit.unit not in lost for unit in combat.units(result.pursues))
    return Settled(
        lost,
        losses,
        retreating,
        pursues,
        partial(_list_changes, view, battle.rule, battle.steps, combat, lost, weakened),
    )


def _list_changes(
    view: View, rule: str, flag: str, combat: Engagement, lost: Iterable[str], weakened: Iterable[str]
) -> Iterator[AnyChange]:
    """Yield the changes after a combat: losses, and which units and hexes have fought, if the game records it.

    `flag`: the track of units that have lost a step.
    """
    gone = {*lost}
    for unit in lost:
        yield from eliminate_unit(view, unit, rule)
    for unit in weakened:
        yield from turned_over(view, flag, unit, True, rule)
    fought = (("fought", [unit.unit for unit in combat.attackers]), ("attacked", combat.at))
    for track, subjects in fought:
        if track in view.game.tracks:
            yield from (changed(view, track, subject, True, rule) for subject in subjects if subject not in gone)
