"""Pictures of a battle, of its chances, of a retreat and of a supply line."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from assistant.chances import Likelihood
from assistant.pictures.chart import Columns, Row, Rows, chart_scene
from assistant.pictures.scene import Scene
from assistant.pictures.situation import situation_scene
from assistant.pictures.style import SIDES
from assistant.pictures.svg import to_svg
from assistant.report import Report
from assistant.view import View

from .battle_result import BattleResult
from .retreat_result import RetreatResult
from .supply_result import SupplyResult

CAPTION = 78
"""Letters to a line of a caption."""


def battle_picture(view: View, report: Report[BattleResult]) -> str:
    """The hexes of a combat, with an arrow from each attacking stack, as SVG. Raises ValueError without a result."""
    found = report.drawable
    if found is None:
        raise ValueError("a report without a result has nothing to draw")
    places = list(dict.fromkeys(unit.place for unit in found.attacker.units))
    scene = situation_scene(
        view,
        [found.at, *places],
        title=report.title,
        arrows=[(place, found.at) for place in places],
        caption=textwrap.wrap(report.verdict.text, CAPTION),
    )
    return to_svg(scene)


def battle_chart(report: Report[BattleResult]) -> Scene | None:
    """The chances of a combat: steps lost by each side, the defender's retreat, and what becomes of each Force. None without
    chances, and where they are but known within bounds."""
    result = report.result
    found = result.chances if result else None
    if result is None or found is None:
        return None
    blue, orange = SIDES
    attackers = {unit.unit for unit in result.attacker.units}
    mean = "on average {:.1f}"
    columns = [
        Columns("Attacker's step losses", mean.format(_mean(found.attacker_steps)), blue, found.attacker_steps),
        Columns("Defender's step losses", mean.format(_mean(found.defender_steps)), orange, found.defender_steps),
        Columns("Defender's retreat", "hexes, by the result", orange, found.defender_retreat),
    ]
    checks = [
        Row(
            force.force,
            blue if force.force in attackers else orange,
            (force.passes, 1 - force.passes - force.retreats, force.retreats),
            f"Disordered {float(force.disordered):.1%}" if force.disordered else "",
        )
        for force in found.forces
    ]
    leaves = [Row("defender leaves", orange, (found.vacates,))]
    rows = [
        Rows("Checks of the Forces", ("passed", "failed, or lost before it", "retreats"), checks),
        Rows("The hex: the attacker may advance if the defender leaves it", (), leaves),
    ]
    attacker, defender = found.attacker_policy.meaning, found.defender_policy.meaning
    caption = [f"Choices: {attacker}."]
    if attacker != defender:
        caption = [f"Choices of the attacker: {attacker}.", f"Choices of the defender: {defender}."]
    caption += [f"{step.text[:1].upper()}{step.text[1:]}." for step in report.cautions]
    return chart_scene(report.title, [report.verdict.text], columns, rows, caption)


def _mean(likelihoods: Sequence[Likelihood]) -> float:
    return float(sum(int(one.value) * one.chance for one in likelihoods))


def retreat_picture(view: View, report: Report[RetreatResult]) -> str:
    """The hexes of a retreat and those around, as SVG. Raises ValueError without a result."""
    found = report.drawable
    if found is None:
        raise ValueError("a report without a result has nothing to draw")
    scene = situation_scene(
        view,
        [found.at, *found.way],
        title=report.title,
        lines=[[found.at, *found.way]] if found.way else (),
        caption=textwrap.wrap(report.verdict.text, CAPTION),
    )
    return to_svg(scene)


def supply_picture(view: View, report: Report[SupplyResult]) -> str:
    """A unit and its supply line, each hex with the cost up to it, as SVG. Raises ValueError without a result."""
    found = report.drawable
    if found is None:
        raise ValueError("a report without a result has nothing to draw")
    serving = [source.place for source in found.tried if source.source == found.source or len(found.tried) == 1]
    line = [*serving[:1], *(step.hex for step in found.line)]
    sums = {step.hex: _mixed(step.sum.numerator, step.sum.denominator) for step in found.line}
    near = [
        unit.place
        for unit in view.state.units.values()
        if unit.place and any(view.board.distance(unit.place, at) <= 2 for at in (*line, found.place))
    ]
    shown = list(dict.fromkeys([*line, found.place, *(source.place for source in found.tried), *near]))
    scene = situation_scene(
        view,
        shown,
        title=report.title,
        lines=[line] if found.line else (),
        labels=sums,
        caption=textwrap.wrap(report.verdict.text, CAPTION),
    )
    return to_svg(scene)


def _mixed(numerator: int, denominator: int) -> str:
    """A fraction as players write it: 3 1/2."""
    whole, rest = divmod(numerator, denominator)
    return " ".join([*([str(whole)] if whole or not rest else []), *([f"{rest}/{denominator}"] if rest else [])])
