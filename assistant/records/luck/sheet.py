"""Luck for a spreadsheet: a row for each roll."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ..journal.sheets import as_text
from .evening import BattleLuck, Evening, OtherRolls, ThrownDice

COLUMNS = (
    *("battle", "step", "when", "question", "title", "roll", "kind", "side", "player", "dice", "shown", "natural"),
    *("percentile", "before", "after", "luck", "passed", "checks", "expected"),
)


def write_rolls(evening: Evening) -> str:
    """Return the rolls as CSV, with the expected swing before and after each, and its luck for the side that threw.

    These columns are empty for rolls of battles that are left out.
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows((COLUMNS, *_list_rows(evening)))
    return out.getvalue()


def _list_rows(evening: Evening) -> Iterator[tuple[object, ...]]:
    played: list[BattleLuck | OtherRolls] = [*evening.battles, *evening.others]
    for part in sorted(played, key=lambda part: part.step):
        number: int | str = ""
        rolls: Iterable[ThrownDice]
        if isinstance(part, BattleLuck):
            number = part.number
            rolls = (*part.rolls, *part.besides)
        else:
            rolls = part.rolls
        for roll in rolls:
            head = number, part.step, part.when, part.question, part.title
            yield tuple(map(_write_cell, (*head, *_list_cells(roll))))


def _list_cells(roll: ThrownDice) -> tuple[object, ...]:
    made = roll.name, roll.kind, roll.side, roll.player, roll.dice, roll.shown, roll.natural
    worth = roll.percentile, roll.before, roll.after, roll.luck
    return (*made, *worth, roll.passed, roll.checks or None, roll.expected)


def _write_cell(value: object) -> object:
    if isinstance(value, Fraction):
        return f"{float(value):.6f}"
    if isinstance(value, str):
        return as_text(value)
    return "" if value is None else value
