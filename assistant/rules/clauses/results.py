"""The results of a combat table in the usual notation, and what they do to units with steps.

`A1` and `D2` are lost steps, `AE` and `DE` eliminations, `AR` and `DR2` retreats; `EX` eliminates the defenders, and the
attacker as many strength points. `A1/D1` joins several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from ...asking.report import step
from ...asking.view import View, changed, turned_over
from ...game.charts import Chart
from ...game.games import Game
from ...mechanics.effects import Effects, Fought, Result
from ...state.changes import AnyChange
from ...util.errors import InputError
from ...util.memo import Memo
from ...util.patterns import late_pattern
from ..battle import Fight, Settled
from ..odds_battle import ROLES, Engagement
from .compiled import Rules, rules_of
from .stacking import eliminate_unit

_EFFECT = late_pattern(r"([AD])(E|[1-9]|R([1-9]?))")
_SIDES = {"A": "attacker", "D": "defender"}
_OPPONENTS = {"attacker": "defender", "defender": "attacker"}
NO_EFFECT = ("NE", "-", "")
"""The codes of a result without effect."""
EXCHANGE = "EX"
PAY = "pay"
"""The effect by which the attacker of an exchange eliminates units of his choice."""


def read_result(code: str, text: str) -> Result:
    """Return the result of a code from its effects in the usual notation.

    Raises InputError for an effect that is not known, or if both sides retreat.
    """
    effects, said = list[str](), list[str]()
    retreats, hexes = "", 1
    for word in re.split(r"[\s/,]+", text.strip()):
        if word.upper() in NO_EFFECT:
            continue
        if word.upper() == EXCHANGE:
            effects += ["defender:all", f"attacker:{PAY}"]
            said.append("an exchange")
            continue
        found = _EFFECT.fullmatch(word.upper())
        if not found:
            hint = "write effects as A1, D2, AE, DE, AR, DR2, EX or NE, with blanks between"
            raise InputError(f"{word!r} of the result {code} is not an effect", hint=hint)
        side, does = _SIDES[found[1]], found[2]
        if does == "E":
            effects.append(f"{side}:all")
            said.append(f"the {side} is eliminated")
        elif does.startswith("R"):
            if retreats:
                raise InputError(f"the result {code} has two retreats", hint="name one: AR or DR2")
            retreats, hexes = side, int(found[3] or 1)
            said.append(f"the {side} retreats")
        else:
            effects += [f"{side}:step"] * int(does)
            said.append(f"the {side} loses {'a step' if does == '1' else f'{does} steps'}")
    eliminated = next((effect.partition(":")[0] for effect in effects if effect.endswith(":all")), "")
    pursues = "" if f"attacker:{PAY}" in effects else _OPPONENTS.get(retreats or eliminated, "")
    return Result(
        code=code,
        meaning=", ".join(said) or "no effect",
        effects=tuple(effects),
        retreats=retreats,  # type: ignore[arg-type]  # a value of `_SIDES`, or ""
        pursues=pursues,  # type: ignore[arg-type]  # a key of `_OPPONENTS`, or ""
        hexes=hexes,
    )


def codes_of(chart: Chart) -> tuple[str, ...]:
    """Return the results that a chart of a combat may give: the values of its field, or those in its cells."""
    field = next((field for field in chart.fields if field.name == "result"), None)
    listed = field.values if field else ()
    return tuple(listed or dict.fromkeys(str(cell.values.get("result", "")) for cell in chart.cells.values()))


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
    is_cleared = bool(retreating) or all(unit.unit in lost for unit in combat.units(_OPPONENTS.get(result.pursues, "")))
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
