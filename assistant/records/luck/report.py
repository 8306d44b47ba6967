"""Luck as a report for a terminal or a mail, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

import msgspec

from ...asking.report import format_viewpoint_lines
from ...asking.schemas import json_exact
from ...asking.wrapping import wrap_text
from ...util.console import encode_json, format_count
from ...util.errors import plain
from .evening import BattleLuck, Evening
from .rows import (
    KIND_HEAD,
    OUTCOME_HEAD,
    SIDE_HEAD,
    SINGLE_HEAD,
    TURN_HEAD,
    LuckRow,
    format_swing_parts,
    list_kind_rows,
    list_outcome_rows,
    list_side_rows,
    list_single_rows,
    list_turn_rows,
)
from .words import format_left_out, format_method, format_place, format_verdict, title_of

WIDTH = 100
"""The columns of a report."""


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
        lines += _format_table(list_single_rows(evening, other.rolls), SINGLE_HEAD, "  ")
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
            list_single_rows(evening, battle.besides), SINGLE_HEAD, "   ", "besides, without a swing"
        )
    for source in battle.rests_on:
        for line in wrap_text(f"Rests on {source}", WIDTH - 3):
            yield f"   {line}"


def _format_table(rows: Iterable[LuckRow], head: Sequence[str], indent: str, title: str = "") -> Iterator[str]:
    """Yield rows in columns, with what stands above them; labels that are too long go on in a line below."""
    listed = list(rows)
    if not listed:
        return
    columns = list(zip(*(row.cells for row in listed), strict=True))
    filled = [at for at, cells in enumerate(columns) if any(cells)]
    wide = [max(len(head[at]), *map(len, columns[at])) for at in filled]
    most = WIDTH - len(indent) - sum(wide) - 2 * len(wide)
    room = min(max(len(title), *(len(row.label) for row in listed)), most)

    def align(cells: Sequence[str]) -> str:
        return "  ".join(f"{cells[at]:>{width}}" for at, width in zip(filled, wide, strict=True))

    yield f"{indent}{title:<{room}}  {align(head)}"
    for row in listed:
        label, *more = wrap(row.label, room, subsequent_indent="  ") or [""]
        yield f"{indent}{label:<{room}}  {align(row.cells)}".rstrip()
        for line in more:
            yield f"{indent}{line}"


def luck_json(evening: Evening) -> str:
    """Return all of it as JSON, every fraction exact."""
    return encode_json(msgspec.to_builtins(evening, enc_hook=json_exact, str_keys=True)).decode()
