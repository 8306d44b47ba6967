"""The charts of the luck of an evening: the swing of a battle, and how it ran from battle to battle."""

from __future__ import annotations

from fractions import Fraction

from ...drawing.luck import RunningChart, RunningCurve, SwingChart
from ...drawing.style import palette_of
from ...game.games import Game
from ...util.errors import plain
from . import words
from .evening import BattleLuck, Evening

_NOBODY = "#6f6a60"
"""The colour of rolls of nobody."""


def _find_colour(game: Game, side: str) -> str:
    """Return the colour of a side; grey for nobody."""
    palette = palette_of(game)
    return palette.side(side).strong if palette.is_side(side) else _NOBODY


def swing_chart(evening: Evening, game: Game, battle: BattleLuck) -> SwingChart:
    """Return a battle among what it might have come to, as its attacker sees it."""
    lost = ", ".join(
        f"{words.format_side(evening, side.side)} {side.lost} ({words.amount(side.expected)})" for side in battle.sides
    )
    attacker = words.format_side(evening, battle.attacker)
    return SwingChart(
        title=f"{battle.number}. {plain(battle.title)}",
        lines=[f"lost (expected): {lost}", f"percentile {words.percentile(battle.percentile)} ({attacker})"],
        axis=f"swing of {evening.unit}s ({attacker}); dashed: expected",
        colour=_find_colour(game, battle.attacker),
        chances=tuple(battle.chances.items()),
        came=battle.swing,
        expected=battle.expected,
    )


def running_chart(evening: Evening, game: Game) -> RunningChart | None:
    """Return the running luck of the own rolls of each side, over all rolls of all battles; None without any."""
    sides = [total.side for total in evening.sides]
    points = {side: [(0, Fraction(0))] for side in sides}
    count = 0
    marks = list[tuple[int, str]]()
    for battle in evening.battles:
        for roll in battle.rolls:
            count += 1
            thrower = roll.side or battle.attacker
            for side in sides:
                luck = roll.luck if side == thrower and roll.luck is not None else Fraction(0)
                points[side].append((count, points[side][-1][1] + luck))
        marks.append((count, f"{battle.number}"))
    if not count:
        return None
    lines = [RunningCurve(words.format_side(evening, side), _find_colour(game, side), points[side]) for side in sides]
    note = f"by how much the own rolls of each side moved the swing that was expected for it, in {evening.unit}s"
    return RunningChart("Running luck", lines, marks, note)
