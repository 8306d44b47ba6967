"""The chart of the chances of a battle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from assistant.asking import Report, Step
from assistant.asking.report import fill_from
from assistant.asking.sketch import Chart, Columns, Fighting, Row, Rows
from assistant.mechanics.chances import Likelihood
from assistant.mechanics.distribution import format_percent

from .chances import BattleChances, BattleResult, ForceChances
from .report import may_open_steps, ways_step


def battle_chart(report: Report[BattleResult]) -> Chart | None:
    """Return the chances of a combat: steps lost, the defender's retreat, and what becomes of each
    Force. None without chances, and where they are but known within bounds.
    """
    result = report.result
    chances = result.chances if result else None
    if result is None or chances is None:
        return None
    attackers = [unit.unit for unit in result.attacker.units]
    defenders = [unit.unit for unit in result.defender.units]
    retreats: dict[Fighting, tuple[Likelihood, ...]] = {
        "attacker": chances.attacker_retreat,
        "defender": chances.defender_retreat,
    }
    columns = [
        Columns("Attacker's losses", _format_average(chances.attacker_mean), "attacker", chances.attacker_steps),
        Columns("Defender's losses", _format_average(chances.defender_mean), "defender", chances.defender_steps),
    ]
    for whose, retreat in retreats.items():
        if any(likelihood.value for likelihood in retreat):
            columns.append(Columns(f"{whose.capitalize()}'s retreat", "hexes, by the result", whose, retreat))

    leaves = [Row(fill_from("defender vacates[may_open:, at least]", chances), "defender", (chances.vacates,))]
    rows = [
        Rows(
            "Effectiveness Checks",
            ("passed", "failed, or eliminated before its check", "retreats"),
            [_row_of(force, "attacker" if force.force in attackers else "defender") for force in chances.forces],
        ),
        Rows("The hex: the attacker may advance if the defender vacates it", (), leaves),
    ]
    return Chart(
        title=report.title,
        lines=[report.headline],
        columns=columns,
        rows=rows,
        caption=list(_list_captions(chances, report.cautions)),
        attackers=attackers,
        defenders=defenders,
    )


def _row_of(force: ForceChances, side: Fighting) -> Row:
    """Return the row of a Force: how likely it passes its check, fails it and retreats, and what else may become of
    it.
    """
    shares = (force.passes, 1 - force.passes - force.retreats, force.retreats)
    bad_ends = {"Disordered": force.disordered, "surrenders": force.surrenders}
    words = ", ".join(f"{what} {format_percent(chance)}" for what, chance in bad_ends.items() if chance)
    return Row(force.force, side, shares, words)


def _list_captions(chances: BattleChances, cautions: Iterable[Step]) -> Iterator[str]:
    """Yield by which choices the chances come about, and what they leave out."""
    attacker = chances.attacker_policy.meaning
    defender = chances.defender_policy.meaning
    if attacker == defender:
        yield f"Choices: {attacker}."
    else:
        yield f"Choices of the attacker: {attacker}."
        yield f"Choices of the defender: {defender}."
    for step in (ways_step(chances), *may_open_steps(chances), *cautions):
        yield f"{step.text[:1].upper()}{step.text[1:]}."


def _format_average(steps: Fraction) -> str:
    """Return average losses in words."""
    return f"steps, {float(steps):.1f} on average"
