"""Luck in rows: tables that a report, a forum and a page have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...util.errors import plain
from .evening import BattleLuck, ChoiceLuck, Evening, KindTotal, SideTotal, ThrownDice
from .words import amount, format_side, percentile


class LuckRow(NamedTuple):
    """A line of a table: its label, and its cells, numbers among them."""

    label: str
    cells: tuple[str, ...]


def _format_dice(roll: ThrownDice) -> str:
    """Return the dice of a roll: `2+5 = 7`, or the total alone."""
    return f"{roll.shown} = {roll.natural}" if "+" in roll.shown else f"{roll.natural}"


def list_outcome_rows(evening: Evening, battle: BattleLuck) -> Iterator[LuckRow]:
    """Yield what a battle cost each side, and its swing: expected, actual, percentile."""
    for side in battle.sides:
        label = f"{format_side(evening, side.side)} ({side.role}): {evening.unit}s lost"
        yield LuckRow(label, (amount(side.expected), amount(side.lost), percentile(side.percentile)))
        if side.afterwards:
            yield LuckRow(
                f"  and afterwards, no part of the swing ({format_side(evening, side.side)})",
                ("", f"{side.afterwards}", ""),
            )
    label = f"swing ({format_side(evening, battle.attacker)})"
    cells = amount(battle.expected, signed=True), amount(battle.swing, signed=True), percentile(battle.percentile)
    yield LuckRow(label, cells)


def list_turn_rows(evening: Evening, battle: BattleLuck) -> Iterator[LuckRow]:
    """Yield each roll and choice of a battle, with its side: dice, percentile, the attacker's swing expected before and
    after it, and for a roll its luck for who threw.
    """
    for turn in battle.turns:
        sign = -1 if turn.side and turn.side != battle.attacker else 1
        before = turn.before
        after = turn.after
        moved = ""
        if before is not None and after is not None:
            moved = f"{amount(before * sign, signed=True)} -> {amount(after * sign, signed=True)}"
        who = format_side(evening, turn.side)
        if isinstance(turn, ChoiceLuck):
            label = f"choice, {plain(turn.title)}: {plain(turn.taken)}"
            yield LuckRow(_format_owner(label, who), ("", "", moved, ""))
        else:
            luck = amount(turn.luck, signed=True) if turn.luck is not None else ""
            yield LuckRow(
                _format_owner(_format_label(turn), who), (_format_dice(turn), percentile(turn.percentile), moved, luck)
            )


def _format_owner(label: str, who: str) -> str:
    """Return a label with its owner, if it has one."""
    return f"{label} ({who})" if who else label


def _format_label(roll: ThrownDice) -> str:
    """Return a roll as a line names it, with the check that it passes or fails."""
    title = plain(roll.title)
    if roll.passed is None:
        return title
    if roll.checks == 1:
        return f"{title}: {'passed' if roll.passed else 'failed'}"
    return f"{title}: {roll.passed} of {roll.checks} passed"


def list_single_rows(evening: Evening, rolls: Iterable[ThrownDice]) -> Iterator[LuckRow]:
    """Yield rolls on which no swing depends, with their side or player: dice, percentile."""
    for roll in rolls:
        who = format_side(evening, roll.side) or plain(roll.player)
        yield LuckRow(_format_owner(_format_label(roll), who), (_format_dice(roll), percentile(roll.percentile)))


def list_side_rows(evening: Evening, side: SideTotal) -> Iterator[LuckRow]:
    """Yield all battles of a side: expected, actual, what came beyond it, percentile."""
    unit = evening.unit
    for label, expected, actual in (
        (f"{unit}s lost", side.lost_expected, side.lost),
        (f"{unit}s taken", side.taken_expected, side.taken),
        ("swing", side.expected, side.swing),
    ):
        signed = label == "swing"
        cells = amount(expected, signed=signed), amount(actual, signed=signed), amount(actual - expected, signed=True)
        yield LuckRow(label, (*cells, percentile(side.percentile) if signed else ""))


def format_swing_parts(side: SideTotal) -> str:
    """Return of what the difference of a side's swing is made."""
    own = amount(side.own_luck, signed=True)
    enemy = amount(side.enemy_luck, signed=True)
    choices = amount(side.choices, signed=True)
    return f"own rolls {own}, enemy rolls {enemy}, choices of both sides {choices}"


def list_kind_rows(evening: Evening) -> Iterator[LuckRow]:
    """Yield all rolls of each kind, with their side: how many, totals and their mean, luck with its spread, checks
    passed, percentile.
    """
    for total in evening.kinds:
        luck = ""
        if total.luck is not None and total.spread is not None:
            luck = f"{amount(total.luck, signed=True)} ({total.spread:.2f})"
        sums = f"{total.natural} ({amount(total.mean)})"
        label = _format_owner(plain(total.kind), format_side(evening, total.side))
        yield LuckRow(label, (f"{total.rolls}", sums, luck, _format_checks(total), percentile(total.percentile)))


def _format_checks(total: KindTotal) -> str:
    """Return the checks passed, of how many, and how many were expected; "" for rolls that are no checks."""
    if total.passed is None or total.expected is None:
        return ""
    return f"{total.passed} of {total.checks} ({amount(total.expected)})"


# What stands above the columns of each kind of row.
OUTCOME_HEAD = ("expected", "actual", "percentile")
TURN_HEAD = ("dice", "percentile", "swing", "luck")
SINGLE_HEAD = ("dice", "percentile")
SIDE_HEAD = ("expected", "actual", "difference", "percentile")
KIND_HEAD = ("rolls", "totals (mean)", "luck (spread)", "passed (expected)", "percentile")
