"""The chart of the chances of a battle."""

from __future__ import annotations

from fractions import Fraction

from assistant.drawing.scene import Scene
from assistant.pictures.chart import Columns, Row, Rows, chart_scene, opponents
from assistant.questions import Report, View

from .report import BattleResult, ForceChances, may_open_steps, ways_step


def battle_chart(view: View, report: Report[BattleResult]) -> Scene | None:
    """The chances of a combat, each side in its colour: steps lost, the defender's retreat, and what becomes of each
    Force. None without chances, and where they are but known within bounds.
    """
    result = report.result
    chances = result.chances if result else None
    if result is None or chances is None:
        return None
    attackers = [unit.unit for unit in result.attacker.units]
    defenders = [unit.unit for unit in result.defender.units]
    attacking, defending = opponents(view, attackers, defenders)
    columns = [
        Columns("Attacker's losses", on_average(chances.attacker_mean), attacking, chances.attacker_steps),
        Columns("Defender's losses", on_average(chances.defender_mean), defending, chances.defender_steps),
        *(
            Columns(f"{whose} retreat", "hexes, by the result", colour, retreat)
            for whose, colour, retreat in (
                ("Attacker's", attacking, chances.attacker_retreat),
                ("Defender's", defending, chances.defender_retreat),
            )
            if any(likelihood.value for likelihood in retreat)
        ),
    ]

    def row(force: ForceChances) -> Row:
        shares = (force.passes, 1 - force.passes - force.retreats, force.retreats)
        bad_ends = {"Disordered": force.disordered, "surrenders": force.surrenders}
        words = ", ".join(f"{what} {float(chance):.1%}" for what, chance in bad_ends.items() if chance)
        return Row(force.force, attacking if force.force in attackers else defending, shares, words)

    leaves = [Row("defender vacates" + ", at least" * bool(chances.may_open), defending, (chances.vacates,))]
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
    return chart_scene(report.title, [report.headline], columns, rows, caption)


def on_average(steps: Fraction) -> str:
    """Average losses in words."""
    return f"steps, {float(steps):.1f} on average"
