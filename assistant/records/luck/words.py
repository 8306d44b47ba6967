"""Luck in words: a report for a terminal or a mail, plain lines for a forum, and table rows for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import NamedTuple

import msgspec

from ...asking.report import format_viewpoint_lines
from ...asking.schemas import json_exact
from ...asking.wrapping import wrap_text
from ...mechanics.distribution import round_percent
from ...util.console import encode_json, format_count
from ...util.errors import plain
from .evening import BattleLuck, ChoiceLuck, Evening, KindTotal, OtherRolls, SideTotal, ThrownDice

METHOD = (
    "A percentile is the chance, of 100, of a worse result, and half the chance of an equal one. "
    "A swing is what the enemy loses less what one's own side loses, in a battle that of the attacker. "
    "The luck of a roll is by how much it moved the expected swing, for the side that threw. "
    "Choices show what was known before and after them; they are not judged."
)
"""The explanation of the figures, at the end of a report."""
WIDTH = 100
"""The number of columns of a report."""
# The headings of the columns, by kind of row.
OUTCOME_HEAD = ("expected", "actual", "percentile")
TURN_HEAD = ("dice", "percentile", "swing", "luck")
SINGLE_ROLL_HEAD = ("dice", "percentile")
SIDE_HEAD = ("expected", "actual", "difference", "percentile")
KIND_HEAD = ("rolls", "totals (mean)", "luck (spread)", "passed (expected)", "percentile")


class LuckRow(NamedTuple):
    """A row of a table."""

    label: str
    cells: tuple[str, ...]


def format_text(evening: Evening) -> str:
    """Return the luck of a record as text, 100 columns wide."""
    before, after = format_viewpoint_lines(evening.viewpoint, evening.viewpoint_title, evening.game, WIDTH)
    lines = [*format_verdict(evening), *before, title_of(evening)]
    for mark, text in format_left_out(evening):
        lines += wrap_text(text, WIDTH, mark)
    for battle in evening.battles:
        lines += ["", *_format_battle(evening, battle)]
    for other in evening.others:
        lines += ["", *wrap_text(f"{plain(other.title)} ({format_place(evening, other)})", WIDTH)]
        lines += _format_table(list_single_rows(evening, other.rolls), SINGLE_ROLL_HEAD, "  ")
    if evening.sides:
        lines += ["", "All battles together"]
        for side in evening.sides:
            title = f"{side.title}, {format_count(side.battles, 'battle')}"
            lines += _format_table(list_side_rows(evening, side), SIDE_HEAD, "  ", title)
            lines.append(f"  {side.title}: {format_swing_parts(side)}")
    if evening.kinds:
        lines += ["", "All rolls by kind", *_format_table(list_kind_rows(evening), KIND_HEAD, "  ")]
    for line in format_method(evening):
        lines += ["", *wrap_text(line, WIDTH)]
    return "\n".join([*lines, *after]) + "\n"


def _format_battle(evening: Evening, battle: BattleLuck) -> Iterator[str]:
    yield from wrap_text(f"{battle.number}. {plain(battle.title)} ({format_place(evening, battle)})", WIDTH)
    yield from _format_table(list_outcome_rows(evening, battle), OUTCOME_HEAD, "   ")
    yield from _format_table(list_turn_rows(evening, battle), TURN_HEAD, "   ")
    if battle.besides:
        yield from _format_table(
            list_single_rows(evening, battle.besides), SINGLE_ROLL_HEAD, "   ", "besides, without a swing"
        )
    for source in battle.rests_on:
        for line in wrap_text(f"Rests on {source}", WIDTH - 3):
            yield f"   {line}"


def _format_table(rows: Iterable[LuckRow], head: Sequence[str], indent: str, title: str = "") -> Iterator[str]:
    listed = list(rows)
    if not listed:
        return
    columns = list(zip(*(row.cells for row in listed), strict=True))
    filled = [at for at, cells in enumerate(columns) if any(cells)]
    widths = [max(len(head[at]), *map(len, columns[at])) for at in filled]
    max_label_width = WIDTH - len(indent) - sum(widths) - 2 * len(widths)
    room = min(max(len(title), *(len(row.label) for row in listed)), max_label_width)

    def align(cells: Sequence[str]) -> str:
        return "  ".join(f"{cells[at]:>{width}}" for at, width in zip(filled, widths, strict=True))

    yield f"{indent}{title:<{room}}  {align(head)}"
    for row in listed:
        label, *more_lines = wrap(row.label, room, subsequent_indent="  ") or [""]
        yield f"{indent}{label:<{room}}  {align(row.cells)}".rstrip()
        for line in more_lines:
            yield f"{indent}{line}"


def format_forum(evening: Evening) -> str:
    """Return the luck of a record as plain lines for a forum, without columns.

    Each roll has its dice, percentile and luck.
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
    expected, actual, place = cells
    return _format_named(actual, expected=expected, percentile=place)


def _format_named(first: str, **cells: str) -> str:
    return ", ".join([first, *(f"{name} {cell}" for name, cell in cells.items() if cell)])


def luck_json(evening: Evening) -> str:
    """Return the luck of a record as JSON, with exact fractions."""
    return encode_json(msgspec.to_builtins(evening, enc_hook=json_exact, str_keys=True)).decode()


def _format_dice(roll: ThrownDice) -> str:
    return f"{roll.shown} = {roll.natural}" if "+" in roll.shown else f"{roll.natural}"


def list_outcome_rows(evening: Evening, battle: BattleLuck) -> Iterator[LuckRow]:
    """Yield the losses of each side in a battle, then its swing, as rows: expected, actual, percentile."""
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
    """Yield each roll and choice of a battle as a row: dice, percentile, expected swing before and after, luck."""
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
    return f"{label} ({who})" if who else label


def _format_label(roll: ThrownDice) -> str:
    title = plain(roll.title)
    if roll.passed is None:
        return title
    if roll.checks == 1:
        return f"{title}: {'passed' if roll.passed else 'failed'}"
    return f"{title}: {roll.passed} of {roll.checks} passed"


def list_single_rows(evening: Evening, rolls: Iterable[ThrownDice]) -> Iterator[LuckRow]:
    """Yield rolls that affect no swing, with their side or player, as rows: dice, percentile."""
    for roll in rolls:
        who = format_side(evening, roll.side) or plain(roll.player)
        yield LuckRow(_format_owner(_format_label(roll), who), (_format_dice(roll), percentile(roll.percentile)))


def list_side_rows(evening: Evening, side: SideTotal) -> Iterator[LuckRow]:
    """Yield the losses, gains and swing of all battles of a side as rows: expected, actual, difference, percentile."""
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
    """Return a text with the parts of the difference between a side's swing and the expected one."""
    own = amount(side.own_luck, signed=True)
    enemy = amount(side.enemy_luck, signed=True)
    choices = amount(side.choices, signed=True)
    return f"own rolls {own}, enemy rolls {enemy}, choices of both sides {choices}"


def list_kind_rows(evening: Evening) -> Iterator[LuckRow]:
    """Yield the rolls of each kind and side as a row: number, sum (and mean), luck (and spread), checks, percentile."""
    for total in evening.kinds:
        luck = ""
        if total.luck is not None and total.spread is not None:
            luck = f"{amount(total.luck, signed=True)} ({total.spread:.2f})"
        sums = f"{total.natural} ({amount(total.mean)})"
        label = _format_owner(plain(total.kind), format_side(evening, total.side))
        yield LuckRow(label, (f"{total.rolls}", sums, luck, _format_checks(total), percentile(total.percentile)))


def _format_checks(total: KindTotal) -> str:
    if total.passed is None or total.expected is None:
        return ""
    return f"{total.passed} of {total.checks} ({amount(total.expected)})"


def amount(value: Fraction | float | int, *, signed: bool = False) -> str:
    """Return a number with two decimals, or an int as it is.

    `signed`: whether to show a plus sign, as for a difference.
    """
    if isinstance(value, int):
        return f"{value:+}" if signed and value else f"{value}"
    text = f"{float(value):+.2f}" if signed else f"{float(value):.2f}"
    return text.lstrip("+-") if float(text) == 0 else text


def percentile(value: Fraction | None) -> str:
    """Return a percentile as a whole number, or "" for None.

    0 and 100 appear only if they are exact.
    """
    if value is None:
        return ""
    if value in (0, 1):
        return f"{int(value * 100)}"
    return f"{min(max(round_percent(value), 1), 99)}"


def format_side(evening: Evening, side: str) -> str:
    """Return the title of a side, or "" for no side."""
    return evening.titles.get(side, side)


def format_place(evening: Evening, part: BattleLuck | OtherRolls) -> str:
    """Return the turn and the steps or entry of a battle or question: `turn 1, steps 2 to 8`."""
    if not evening.is_log:
        span = f"entry {part.step}"
    elif part.last <= part.step + 1:
        span = f"step {part.last}"
    else:
        span = f"steps {part.step + 1} to {part.last}"
    return ", ".join(filter(None, (part.when, span)))


def format_verdict(evening: Evening) -> Iterator[str]:
    """Yield a sentence on which side was luckier, or nothing if no battle counts."""
    if not evening.sides:
        return
    luckier = max(evening.sides, key=lambda side: side.percentile)
    if all(side.percentile == Fraction(1, 2) for side in evening.sides):
        yield "The dice favoured no player."
    else:
        only = "only " if luckier.percentile < Fraction(1, 2) else ""
        place = f"{only}{percentile(luckier.percentile)} of 100 such"
        among = f"on {place} evenings" if luckier.battles > 1 else f"in {place} battles"
        yield f"The {luckier.title} player was luckier than {among}."


def title_of(evening: Evening) -> str:
    """Return the title of a report, with the numbers of battles and other rolls."""
    others = sum(len(part.rolls) for part in evening.others) + sum(len(battle.besides) for battle in evening.battles)
    counted = [format_count(len(evening.battles), "battle")]
    if others:
        counted.append(format_count(others, "other roll"))
    return f"Luck in {plain(evening.file)}: {', '.join(counted)}"


def format_left_out(evening: Evening) -> Iterator[tuple[str, str]]:
    """Yield lines on battles left out, and on unexplained throws: the mark before each line, and its text."""
    if evening.left_out:
        all_battles = len(evening.left_out) + len(evening.battles)
        yield "", f"{len(evening.left_out)} of {format_count(all_battles, 'battle')} left out:"
        for battle in evening.left_out:
            when = f" ({battle.when})" if battle.when else ""
            yield "- ", f"{battle.number}. {plain(battle.title)}{when}: {plain(battle.why)}"
    if evening.unexplained:
        yield "", f"{format_count(evening.unexplained, 'throw')} left out, matched to no roll: see `assistant explain`"


def format_method(evening: Evening) -> Iterator[str]:
    """Yield the explanation of the figures, or nothing if there are no figures."""
    if evening.battles or evening.others:
        yield METHOD
