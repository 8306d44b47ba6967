"""The picture of lines as text for a terminal: staggered rows of hexes, units with status signs, and lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ...asking.line_sketch import STATUSES, Break, LineSketch, Status, find_worst_status, weigh_hexsides
from ...asking.view import View
from ...util.errors import InputError
from ..hex_sets import hexes_around, keep_on_map
from ..letters import (
    HEX_WIDTHS_CHARS,
    SMALL_HEX_WIDTHS_CHARS,
    Sheet,
    cut_text,
    fill_rows,
    format_unit,
    pitch_for,
    wrap_runs,
)
from ..scene import Rows, TextRun, Tone
from .units import plates_of

SIGNS: Mapping[Status, str] = {"full": "+", "low": "~", "none": "x", "cut-off": "#", "unknown": "?"}
"""The signs of statuses, distinct without colours too."""
_WAYS = {False: "[=]", True: "="}
"""The sign of ways as a source, by whether hexes are too small for names."""

LEFT_SIGN = "(.)"
"""The sign of a hex left to a unit that is cut off."""
CLOSED_SIGN = "%%%"
"""The sign of a hex that the enemy closes."""
FAILING_SIGN = "*"
"""The sign on a way that fails."""
LIMIT_SIGN = "|"
"""The sign for the end of a range."""


def lines_map(view: View, shown: LineSketch, width: int) -> Rows:
    """Return the picture of lines as rows of text.

    Raises InputError if there are no hexes to show, or if they do not fit the width.
    """
    hexes = sorted(hexes_around(view.board, keep_on_map(view.board, shown.hexes)))
    if not hexes:
        raise InputError("no hex to show", hint=f"name hexes of the map {view.board.title}")
    pitch = pitch_for(view.board, hexes, width, (*HEX_WIDTHS_CHARS, *SMALL_HEX_WIDTHS_CHARS))
    sheet = _LinesMap(view.board, hexes, pitch, width)
    sheet.draw(view, shown)
    signed = {*shown.marks, *(origin.unit for origin in shown.origins)}
    others = any(unit.id not in signed for name in hexes for unit in view.state.stack(name))
    return (*sheet.rows(), (), *_format_key(shown, sheet, others=others))


class _LinesMap(Sheet):
    def draw(self, view: View, shown: LineSketch) -> None:
        for side in shown.sides:
            for name, weight in weigh_hexsides(shown.strands, side).items():
                one, _, other = name.partition("|")
                self.line(one, other, "" if weight.full else ":")
        for way in shown.failing:
            for one, other in pairwise(way.hexes):
                self._write_failing(one, other)
        for name in self.hexes:
            self.number(name)
        for origin in shown.origins:
            if origin.ways and origin.place in self.at:
                row, at = self.at[origin.place]
                self.put(row, at, _WAYS[self.few])
        for name in self.hexes:
            self._write_ring(name, shown)
        self._write_units(view, shown)
        for fault in shown.breaks:
            self._write_break(fault)

    def _write_failing(self, one: str, other: str) -> None:
        if one in self.at and other in self.at:
            self.put(*self.between(one, other), FAILING_SIGN, "break")

    def _write_ring(self, name: str, shown: LineSketch) -> None:
        left = shown.cordon is not None and name in shown.cordon.left
        if left or any(name in area.hexes for area in shown.closed):
            row, at = self.at[name]
            sign = LEFT_SIGN if left else CLOSED_SIGN
            self.put(row, at, sign[1] if self.few else sign, "" if sign == LEFT_SIGN else "break")

    def _write_units(self, view: View, shown: LineSketch) -> None:
        """Write the units of each hex: one or two by name, or of more the first and the numbers of others by status."""
        marks, extended = shown.marks, {origin.unit: origin.extended for origin in shown.origins if origin.unit}

        def format_unit(unit: str) -> TextRun:
            status = marks[unit].status if unit in marks else None
            return TextRun(self._format_unit(unit, status, extended.get(unit)), status or "faint")

        for name in self.hexes:
            stack = [unit.id for unit in view.state.stack(name)]
            if not stack:
                continue
            statuses = [marks[unit].status for unit in stack if unit in marks]
            tone: Tone = find_worst_status(statuses) if statuses else "faint"
            rest = Counter(SIGNS[marks[unit].status] if unit in marks else "o" for unit in stack[1:])
            others = TextRun(" ".join(f"{many}{sign}" for sign, many in rest.items()), tone)
            sign = self._format_stack(statuses, len(stack), is_source=not extended.keys().isdisjoint(stack))
            self.stack(name, stack, format_unit, others, sign)

    def _format_stack(self, statuses: Sequence[Status], many: int, *, is_source: bool) -> str:
        """Return a stack as text for a hex too small for names.

        It is the sign of the worst status, in brackets for a source, or else with the number of units.
        """
        sign = SIGNS[find_worst_status(statuses)] if statuses else "o"
        counted = f"{sign}{many}" if many > 1 else sign
        text = f"[{sign}]" if is_source else counted
        return text if len(text) < self.pitch else sign

    def _format_unit(self, unit: str, status: Status | None, extended: bool | None) -> str:
        """Return a unit as text: `41/20` without a status, `22/1 ~` with one, `[1 Train]` for a source.

        A source in its far-reaching mode is `[[1 Train]]`. The sign > replaces letters that do not fit.
        """
        before, after = {None: ("", ""), False: ("[", "]"), True: ("[[", "]]")}[extended]
        return format_unit(unit, self.room, before, after, SIGNS[status] if status else "")

    def _write_break(self, fault: Break) -> None:
        ends = [self.at[name] for name in fault.where.split("|") if name in self.at]
        if not ends:
            return
        row, at = round(sum(one for one, _ in ends) / len(ends)), round(sum(one for _, one in ends) / len(ends))
        beside = len(ends) == 1 and not self.few
        sign = LIMIT_SIGN if fault.limit else "!"
        self.put(
            row + 1 if beside else row, at, sign if self.few else cut_text(f"{sign}{fault.why}", self.pitch), "break"
        )


def _format_key(shown: LineSketch, sheet: _LinesMap, *, others: bool) -> Iterator[tuple[TextRun, ...]]:
    words, statuses = shown.words, {unit.status for unit in shown.units}
    entries = [
        TextRun(f"{SIGNS[status]} {words.statuses[status]}", status) for status in STATUSES if status in statuses
    ]
    sources = [origin for origin in shown.origins if origin.unit]
    if sheet.pitch > len("[+]") and any(sheet.few or not source.extended for source in sources):
        entries.append(TextRun(f"[ ] {words.source}"))
    if any(source.extended for source in sources) and not sheet.few:
        entries.append(TextRun(f"[[ ]] {words.extended}"))
    covered = shown.covered
    if any(origin.ways and origin.place not in covered for origin in shown.origins):
        entries.append(TextRun(f"{_WAYS[sheet.few]} {words.ways}"))
    if any(strand.full for strand in shown.strands):
        entries.append(TextRun(f"{'/ |' if sheet.flat else '- /'} \\ {words.line}"))
    if any(not strand.full for strand in shown.strands):
        entries.append(TextRun(f": {words.low_line}"))
    if others:
        entries.append(TextRun("o other units" if sheet.few else "no symbol: other units", "faint"))
    if shown.cordon:
        entries.append(TextRun(f"{LEFT_SIGN[1:2] if sheet.few else LEFT_SIGN} {words.left}"))
    if shown.failing:
        entries.append(TextRun(f"{FAILING_SIGN} {words.failing}", "break"))
    few = slice(1, 2) if sheet.few else slice(None)
    entries += [
        TextRun(f"{CLOSED_SIGN[few]} {area.text}", "break") for area in shown.closed if area.hexes & sheet.at.keys()
    ]
    if any(not fault.limit for fault in shown.breaks):
        entries.append(TextRun(f"! {words.breaks}", "break"))
    if any(fault.limit for fault in shown.breaks):
        entries.append(TextRun(f"{LIMIT_SIGN} {words.limit}", "break"))
    yield from fill_rows(entries, sheet.width)
    yield from _format_notes(shown, sheet.width)


def _format_notes(shown: LineSketch, width: int) -> Iterator[tuple[TextRun, ...]]:
    for place, plate in plates_of(shown).items():
        units = ", ".join(mark.unit for mark in shown.units if mark.place == place)
        yield from wrap_runs(f"{units}: {', '.join(filter(None, (plate.text, plate.more)))}", width, plate.status)
    for way in shown.failing:
        yield from wrap_runs(f"{way.ends}: {way.text}", width, "break")
