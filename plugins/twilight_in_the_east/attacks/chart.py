"""The chart of what a column takes: the strength of the cheapest attack for each column, and the chance that the defender
leaves his hex.
"""

from __future__ import annotations

from assistant.drawing.scene import Scene
from assistant.mechanics.odds import Odds
from assistant.pictures.chart import Ladder, Row, Rows, Rung, chart_scene, opponents
from assistant.questions import Report, View

from .need_question import NeedResult
from .search import RankedAttack


def need_chart(view: View, report: Report[NeedResult]) -> Scene | None:
    """What each column within reach takes, the best on top, and one that is out of reach with what it lacks; with the chance
    that the defender vacates his hex. None where nothing can attack it.
    """
    result = report.result
    if result is None or not (result.columns or result.nearest):
        return None
    attack = result.attack or result.nearest
    attacking, defending = opponents(view, attack.units if attack else (), result.defenders)
    reached = result.attack.column if result.attack else ""
    rungs = [
        Rung(column.column, column.attack.total, _who(column.attack), wanted=column.column == reached)
        for column in reversed(result.columns)
    ]
    if result.nearest:
        lacking = Rung(result.column, result.nearest.total + result.missing, "", lacking=result.missing, wanted=True)
        above = [rung for rung in rungs if Odds.parse(rung.label) > Odds.parse(result.column)]
        rungs = [*above, lacking, *rungs[len(above) :]]
    leaves = [
        Row(column.column, defending, (column.chances.vacates,), "at least" * bool(column.chances.may_open))
        for column in reversed(result.columns)
        if column.chances
    ]
    rows = [Rows("The chance that the defender vacates the hex", (), leaves)] if leaves else []
    title = f"What columns take against {result.defence} points in {result.at}"
    ladder = Ladder(title, "points", attacking, rungs)
    caption = [f"{caution.text[:1].upper()}{caution.text[1:]}." for caution in report.cautions]
    return chart_scene(report.title, [report.verdict.text], [], rows, caption, ladder)


def _who(attack: RankedAttack) -> str:
    """The units of an attack, with the commands that get an Artillery Ammunition Point."""
    points = f" with AP to {', '.join(attack.points)}" if attack.points else " without an AP"
    return f"{', '.join(attack.units)}{points}; {attack.magnitude}"
