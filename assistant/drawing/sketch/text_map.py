"""A sketch as text for a terminal: hexes with units, roles and labels, ways, zones of control, remarks and results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from ...asking.sketch import UNKNOWN, Arrow, FateKind, FigureChain, FigureTable, Remark, Role, Sketch, Spot
from ...asking.view import View
from ...util.typesetting import set_in_type
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
from .below_map import format_zone
from .fates import FATE_WORDS, LEFT_WORDS, arrived_units
from .scene import frame_hexes

SIGNS: Mapping[Role, str] = {
    "start": "[ ]",
    "target": "> <",
    "passed": "",
    "end": "( )",
    "open": "+",
    "reached": "",
    "beyond": "!",
    "barred": "x",
    "unknown": "",
    "shaded": "",
    "weakest": "{ }",
    "cut": "x",
}
"""The sign of a hex's role, round its number or before its label."""
_TONES: Mapping[Role, Tone] = {
    "start": "",
    "target": "break",
    "passed": "",
    "end": "full",
    "open": "full",
    "reached": "full",
    "beyond": "break",
    "barred": "none",
    "unknown": "faint",
    "shaded": "faint",
    "weakest": "break",
    "cut": "none",
}
_CHOICE = "?"
"""The sign of an open choice."""
_RESULT = "->"
"""The sign before a result of the answer."""
_ONWARD = "*"
"""The sign on a way that will be open later."""
_MOVED_SIGN = "~"
"""The sign before a unit that leaves its hex."""
FATE_MARKS: Mapping[FateKind, str] = {"lost": "\u2020", "broken": "\u2021"}
"""The sign before a unit that leaves play, by its fate."""
_ROWS_PER_HEX = 6, 5
"""The rows of text for flat and pointed hexes: the number, two for units, the label, and those between hexes."""


def sketch_map(view: View, sketch: Sketch, width: int) -> Rows:
    """Return the picture of a sketch as rows of text.

    Raises InputError if there are no hexes to show, or if they do not fit the width.
    """
    sketch, hexes = frame_hexes(view.board, sketch)
    pitch = pitch_for(view.board, hexes, width, (*HEX_WIDTHS_CHARS, *SMALL_HEX_WIDTHS_CHARS))
    sheet = _SketchMap(view.board, hexes, pitch, width, _ROWS_PER_HEX)
    sheet.draw(view, sketch)
    return (*sheet.rows(), (), *_format_key(view, sketch, sheet), *_format_below(sketch, width))


def _zone_letters(view: View, sketch: Sketch) -> dict[str, str]:
    """Return a letter for the zones of each side: the first of its name that no other side uses."""
    letters = dict[str, str]()
    for zone in sketch.zones:
        name = view.title_of(zone.side).lower() + "abcdefghijklmnopqrstuvwxyz"
        letters[zone.side] = next(letter for letter in name if letter.isalpha() and letter not in letters.values())
    return letters


class _SketchMap(Sheet):
    def draw(self, view: View, sketch: Sketch) -> None:
        for arrow in sketch.arrows:
            if arrow.kind in ("way", "support"):
                for one, other in pairwise(arrow.hexes):
                    self.line(one, other)
        parts = {spot.hex: spot for spot in reversed(sketch.spots)}
        letters, arrived = _zone_letters(view, sketch), arrived_units(view, sketch)
        come = {unit.id for units in arrived.values() for unit in units}
        self.moved = False
        for name in self.hexes:
            zones = "".join(letters[zone.side] for zone in sketch.zones if name in zone.hexes)
            spot = parts.get(name)
            self.number(name, _format_number(name, spot, zones), _TONES[spot.role] if spot else "faint")
            units = [f"{_mark_unit(sketch, unit.id, come)}{unit.id}" for unit in view.stack(name)]
            self.moved |= any(unit.startswith(_MOVED_SIGN) for unit in units)
            units += [unit.id for unit in arrived.get(name, ())]
            self._write_units(units, name, spot)
            if spot:
                self._write_label(sketch, spot, len(units))
            self._write_figures(name, sketch.remarks)
        for arrow in sketch.arrows:
            self._write_head(arrow)
        for remark in sketch.remarks:
            self._write_remark(remark)

    def _write_units(self, stack: Sequence[str], name: str, spot: Spot | None) -> None:
        tone = _TONES[spot.role] if spot else ""
        if stack:
            others = TextRun(f"+{len(stack) - 1} more", tone)
            self.stack(name, stack, lambda unit: TextRun(format_unit(unit, self.room), tone), others, "o")

    def _write_label(self, sketch: Sketch, spot: Spot, units: int) -> None:
        """Write the label of a hex below its units, cut if too long. The key has the whole label."""
        (row, at), text, tone = self.at[spot.hex], _format_label(sketch, spot), _TONES[spot.role]
        if self.few:
            within = spot.role in ("reached", "beyond")
            short = spot.label if within else SIGNS[spot.role].strip() or spot.label
            self.put(row, at, short[: self.pitch - 1] or "o", tone)
        elif text:
            self.put(
                row + min(units, 2),
                at,
                text if len(text) <= self._max_label_length else cut_text(text, self._max_label_length),
                tone,
            )

    @property
    def _max_label_length(self) -> int:
        return 2 * self.pitch - 8 if self.flat else self.pitch - 1

    def _write_head(self, arrow: Arrow) -> None:
        """Write the head of an arrow, or the sign of a choice, on the hexside before the arrow's last hex."""
        one, other = arrow.hexes[-2:]
        if one not in self.at or other not in self.at:
            return
        (row, at), (last, end) = self.at[one], self.at[other]
        is_beside = end != at if self.flat else last == row
        backwards, onwards = "<>" if is_beside else "^v"
        goes_on = end > at if is_beside else last > row
        sign = onwards if goes_on else backwards
        signs = {"choice": _CHOICE, "onward": _ONWARD}
        self.put(*self.between(one, other), signs.get(arrow.kind, sign), "full")

    def _write_remark(self, remark: Remark) -> None:
        """Write the figure of a remark, explained in the key, on a hexside, near the arrow if there is room."""
        one, _, other = remark.where.partition("|")
        if not self.few and one in self.at and other in self.at:
            (row, at), figure = self.between(one, other), _format_figure(remark)
            places = ((row + down, at + aside) for aside in (0, -2, 2, -4, 4) for down in (1, -1, 2, -2))
            if place := next((place for place in places if self.has_room(*place, figure)), None):
                self.put(*place, figure, "break")

    def _write_figures(self, name: str, remarks: Sequence[Remark]) -> None:
        figures = " ".join(_format_figure(remark) for remark in remarks if remark.where == name)
        if figures and not self.few:
            row, at = self.at[name]
            self.put(row + 3, at, figures, "break")


def _mark_unit(sketch: Sketch, unit: str, come: Collection[str]) -> str:
    if unit in sketch.removed:
        return FATE_MARKS[sketch.removed[unit]]
    return _MOVED_SIGN if unit in come else ""


def _format_figure(remark: Remark) -> str:
    return set_in_type(remark.text, curly=False).split()[0].rstrip(":")


def _format_number(name: str, spot: Spot | None, zones: str) -> str:
    before, after = SIGNS[spot.role].split() if spot and " " in SIGNS[spot.role] else ("", "")
    return f"{before}{name}{after}{' ' if zones else ''}{zones}"


def _format_label(sketch: Sketch, spot: Spot) -> str:
    sign = SIGNS[spot.role] if spot.role in ("open", "beyond", "barred", "cut") else ""
    place = f"{spot.place}." if spot.place else ""
    return " ".join(filter(None, (sign, place, set_in_type(sketch.text(spot), curly=False))))


def _format_key(view: View, sketch: Sketch, sheet: _SketchMap) -> Iterator[tuple[TextRun, ...]]:
    roles = {spot.role for spot in sketch.spots} - {"passed", "shaded"}
    entries: list[TextRun] = []
    for role in SIGNS:
        if role in roles:
            sign = UNKNOWN if role == "unknown" else SIGNS[role]
            entries.append(TextRun(f"{sign} {sketch.word(role)}".strip(), _TONES[role]))
    kinds = {arrow.kind for arrow in sketch.arrows}
    ways = " / ".join(sketch.word(kind) for kind in ("way", "support") if kind in kinds)
    if ways:
        entries.append(TextRun(f"{'/ |' if sheet.flat else '- /'} \\ {ways}"))
    if "choice" in kinds:
        entries.append(TextRun(f"{_CHOICE} {sketch.word('choice')}", "full"))
    if "onward" in kinds:
        entries.append(TextRun(f"{_ONWARD} {sketch.word('onward')}", "full"))
    fates = dict.fromkeys(sketch.removed.values())
    entries += [TextRun(f"{FATE_MARKS[kind]} {FATE_WORDS[kind]}", "none") for kind in fates]
    if sheet.moved:
        entries.append(TextRun(f"{_MOVED_SIGN} {LEFT_WORDS}", "faint"))
    if "attack" in kinds:
        entries.append(TextRun(f"> {sketch.word('attack')}", "full"))
    letters = _zone_letters(view, sketch)
    entries += [TextRun(f"{letters[zone.side]} {format_zone(view, zone)}", "faint") for zone in sketch.zones]
    yield from fill_rows(entries, sheet.width)


def _format_below(sketch: Sketch, width: int) -> Iterator[tuple[TextRun, ...]]:
    for text in (*map(_format_chain, sketch.chains), *(fate.line for fate in sketch.fates)):
        yield from wrap_runs(set_in_type(text, curly=False), width)
    for text, tone in (
        *_format_labels(sketch),
        *_format_onward(sketch),
        *_format_goals(sketch),
        *_format_remarks(sketch),
    ):
        yield from wrap_runs(set_in_type(text, curly=False), width, tone)
    for table in sketch.tables:
        yield ()
        yield from _format_table(table)
    for sign, lines in ((_RESULT, sketch.results), (_CHOICE, sketch.owed)):
        for text in lines:
            yield from wrap_runs(
                f"{sign} {set_in_type(text, curly=False)}", width, "unknown" if sign == _CHOICE else ""
            )


def _format_chain(chain: FigureChain) -> str:
    return f"{chain.title}: {' > '.join(map(' '.join, chain.links))}"


def _format_onward(sketch: Sketch) -> Iterator[tuple[str, Tone]]:
    ways = dict[str, list[str]]()
    for arrow in sketch.arrows:
        if arrow.kind == "onward":
            ways.setdefault(arrow.hexes[-2], []).append(f"{arrow.hexes[-1]} {arrow.label}".strip())
    for hex, others in ways.items():
        yield f"from {hex} {sketch.word('onward')}: {', '.join(others)}", "full"


def _format_labels(sketch: Sketch) -> Iterator[tuple[str, Tone]]:
    alike = dict[tuple[str, str], list[Spot]]()
    for spot in sketch.spots:
        if _format_label(sketch, spot):
            alike.setdefault((_format_label(sketch, spot), spot.why), []).append(spot)
    for (label, why), spots in alike.items():
        hexes = ", ".join(spot.hex for spot in spots)
        yield f"{label}: {hexes}{': ' if why else ''}{why}", _TONES[spots[0].role]


def _format_goals(sketch: Sketch) -> Iterator[tuple[str, Tone]]:
    """Yield the ranks of the hexes to which units of a hex go, unless a remark there says them."""
    goals, said = dict[str, list[str]](), {remark.where for remark in sketch.remarks}
    for arrow in sketch.arrows:
        if arrow.goal and arrow.name and arrow.hexes[0] not in said:
            goals.setdefault(arrow.hexes[0], []).append(str(arrow.goal))
    for hex, numbers in goals.items():
        yield f"{hex}: to {' and '.join(dict.fromkeys(numbers))}", "full"


def _format_remarks(sketch: Sketch) -> Iterator[tuple[str, Tone]]:
    for remark in sketch.remarks:
        yield f"{remark.where}: {remark.text}", "break"


def _format_table(table: FigureTable) -> Iterator[tuple[TextRun, ...]]:
    rows: Sequence[Sequence[str]] = [*filter(None, (table.heads,)), *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        # `set_in_type` keeps the columns in line: it replaces a hyphen by one character
        text = set_in_type("  ".join(cells).rstrip(), curly=False)
        yield (TextRun(text, "faint" if table.heads and number == 0 else ""),)
