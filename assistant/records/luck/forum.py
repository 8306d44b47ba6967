"""Luck as plain lines for a forum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...asking.report import format_viewpoint_lines
from ...util.console import format_count
from ...util.errors import plain
from .evening import Evening, ThrownDice
from .rows import (
    format_swing_parts,
    list_kind_rows,
    list_outcome_rows,
    list_side_rows,
    list_single_rows,
    list_turn_rows,
)
from .words import format_left_out, format_method, format_place, format_verdict, title_of


def format_forum(evening: Evening) -> str:
    """Return the same as plain lines that survive a forum: no columns, no wrapping; of each roll its dice, percentile
    and luck.
    """
    before, after = format_viewpoint_lines(evening.viewpoint, evening.viewpoint_title, evening.game, 10**6)
    lines = [*format_verdict(evening), *before, title_of(evening), *map("".join, format_left_out(evening))]
    for battle in evening.battles:
        lines += ["", f"{battle.number}. {plain(battle.title)} ({format_place(evening, battle)})"]
        lines += [f"{row.label.strip()} {_format_luck(row.cells)}" for row in list_outcome_rows(evening, battle)]
        for row in list_turn_rows(evening, battle):
            dice, place, moved, luck = row.cells
            lines.append(f"- {row.label}: {_format_named(dice, percentile=place, swing=moved, luck=luck)}")
        lines += _format_forum_singles(evening, battle.besides)
        lines += [f"Rests on {source}" for source in battle.rests_on]
    for other in evening.others:
        lines += ["", f"{plain(other.title)} ({format_place(evening, other)})"]
        lines += _format_forum_singles(evening, other.rolls)
    if evening.sides:
        lines += ["", "All battles together"]
        for side in evening.sides:
            lines.append(f"{side.title}, {format_count(side.battles, 'battle')}: {format_swing_parts(side)}")
            for row in list_side_rows(evening, side):
                expected, actual, _, place = row.cells
                lines.append(f"- {row.label} {_format_luck((expected, actual, place))}")
    if evening.kinds:
        lines += ["", "All rolls by kind"]
        for row in list_kind_rows(evening):
            rolls, sums, luck, checks, place = row.cells
            named = _format_named(
                format_count(int(rolls), "roll"), totals=sums, luck=luck, passed=checks, percentile=place
            )
            lines.append(f"- {row.label}: {named}")
    for line in format_method(evening):
        lines += ["", line]
    return "\n".join([*lines, *after]) + "\n"


def _format_forum_singles(evening: Evening, rolls: Iterable[ThrownDice]) -> Iterator[str]:
    for row in list_single_rows(evening, rolls):
        dice, place = row.cells
        yield f"- {row.label}: {_format_named(dice, percentile=place)}"


def _format_luck(cells: tuple[str, ...]) -> str:
    """Return expected, actual and percentile in words."""
    expected, actual, place = cells
    return _format_named(actual, expected=expected, percentile=place)


def _format_named(first: str, **cells: str) -> str:
    """Return cells in a line, each but the first behind its name; empty ones are left out."""
    return ", ".join([first, *(f"{name} {cell}" for name, cell in cells.items() if cell)])
