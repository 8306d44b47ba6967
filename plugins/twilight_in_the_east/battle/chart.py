"""The chart of the chances of a battle."""

from __future__ import annotations

from fractions import Fraction

from assistant.drawing.scene import Scene
from assistant.pictures.chart import Columns, Row, Rows, chart_scene
from assistant.pictures.style import SIDES
from assistant.questions import Report

from .report import BattleResult, ForceChances, may_open_steps, ways_step


def battle_chart(report: Report[BattleResult]) -> Scene | None:
    """The chances of a combat: steps lost by each side, the defender's retreat, and what becomes of each Force. None
    without chances, and where they are but known within bounds.
    """
    result = report.result
    chances = result.chances if result else None
    if result is None or chances is None:
        return None
    blue, orange = SIDES
    attackers = {unit.unit for unit in result.attacker.units}
    columns = [
        Columns("Attacker's losses", on_average(chances.attacker_mean), blue, chances.attacker_steps),
        Columns("Defender's losses", on_average(chances.defender_mean), orange, chances.defender_steps),
        *(
            Columns(f"{whose} retreat", "hexes, by the result", colour, retreat)
            for whose, colour, retreat in (
                ("Attacker's", blue, chances.attacker_retreat),
                ("Defender's", orange, chances.defender_retreat),
            )
            if any(likelihood.value for likelihood in retreat)
        ),
    ]

    def row(force: ForceChances) -> Row:
        shares = (force.passes, 1 - force.passes - force.retreats, force.retreats)
        bad_ends = {"Disordered": force.disordered, "surrenders": force.surrenders}
        words = ", ".join(f"{what} {float(chance):.1%}" for what, chance in bad_ends.items() if chance)
        return Row(force.force, blue if force.force in attackers else orange, shares, words)

    leaves = [Row("defender vacates" + ", at least" * bool(chances.may_open), orange, (chances.vacates,))]
    rows = [
        Rows(
            "Effectiveness Checks",
            ("passed", "failed, or eliminated before its check", "retreats"),
            list(map(row, chances.forces)),
        ),
        Rows("The hex: the attacker may advance if the defender vacates it", (), leaves),
    ]
    attacker, defender = chances.attacker_policy.meaning, chances.defender_policy.meaning
    caption = [f"Choices: {attacker}."]
    if attacker != defender:
        caption = [f"Choices of the attacker: {attacker}.", f"Choices of the defender: {defender}."]
    caption += [
        f"{step.text[:1].upper()}{step.text[1:]}."
        for step in (ways_step(chances), *may_open_steps(chances), *report.cautions)
    ]
    return chart_scene(report.title, [report.verdict.text], columns, rows, caption)


def on_average(steps: Fraction) -> str:
    """Average losses in words."""
    return f"steps, {float(steps):.1f} on average"
