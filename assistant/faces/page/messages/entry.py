"""The data that the owner of a game copies from its components: charts, counters and the pack."""

from __future__ import annotations

from typing import Literal

import msgspec

At = Literal["front-foot", "front", "back-foot", "back"]
"""The place of a value on a counter: among the figures at the foot of the front or back, or elsewhere on that face."""


class FieldShown(msgspec.Struct, frozen=True, kw_only=True):
    """A value that each cell of a chart has."""

    name: str
    title: str
    words: tuple[str, ...]
    """The words allowed as the value."""
    several: bool
    """Whether a cell may have several of the words."""
    least: int | None
    most: int | None
    note: str
    """A further explanation of the value, or ""."""


class GridShown(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a chart."""

    title: str
    down: str
    """The meaning of the rows."""
    across: str
    """The meaning of the columns."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    """The keys of the table's cells, row by row, in the form of `ChartShown.cells`."""


class CellShown(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of a chart."""

    values: tuple[str, ...]
    """The values in the order of the fields."""
    source: str
    """The source of the values."""


class EndShown(msgspec.Struct, frozen=True, kw_only=True):
    """A row or column whose ends can be read only from the printed game."""

    key: str
    title: str
    first: str
    """The first value of the row or column, or "" if it is not known."""
    last: str
    """The last value of the row or column, or "" if it is not known."""
    examples: tuple[str, str]
    """Two examples of an end as it may be typed."""


class DoubtShown(msgspec.Struct, frozen=True, kw_only=True):
    """A reading of the rulebook that a typed cell contradicts."""

    rule: str
    text: str


class ChartShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="chart"):
    """A chart as it is printed."""

    chart: str
    title: str
    rule: str
    remark: str
    unread: str
    """A note on the parts of the chart that no rule reads yet."""
    fields: tuple[FieldShown, ...]
    ends: tuple[EndShown, ...]
    grids: tuple[GridShown, ...]
    """The tables of the chart, empty while its ends are not known."""
    cells: dict[str, CellShown]
    """The known cells, by key."""
    codes: dict[str, str]
    """The meanings of the codes in its cells."""
    missing: int
    """The number of cells that neither the owner has typed nor the rulebook states."""
    doubts: tuple[DoubtShown, ...] = ()


class WayShown(msgspec.Struct, frozen=True, kw_only=True):
    """A way to read a pasted table."""

    said: tuple[str, ...]
    """The orientation of the table and its mistakes, in words."""
    grids: tuple[GridShown, ...]
    """The tables that the pasted text contains."""
    cells: dict[str, str]
    """The cells by key, as they would be saved."""


class TableRead(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="read"):
    """The possible readings of a pasted table; only the owner can decide between several."""

    ways: tuple[WayShown, ...]


class CounterListed(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A counter of a formation."""

    unit: str
    missing: int
    """The number of its values that are not stated."""


class FormationShown(msgspec.Struct, frozen=True, kw_only=True):
    """The counters of a formation."""

    title: str
    units: tuple[CounterListed, ...]


class CountersShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="counters"):
    """The counters of the game, formation by formation."""

    formations: tuple[FormationShown, ...]


class ValueShown(msgspec.Struct, frozen=True, kw_only=True):
    """A value that is printed on a counter."""

    name: str
    title: str
    at: At
    """The place of the value on the counter."""
    takes: str
    words: tuple[str, ...]
    value: str
    """The value as it is typed, or "" if it is not stated."""
    source: str
    """The source of the value."""
    own: bool
    """Whether the owner of the game typed the value."""


class CounterShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="form"):
    """A counter as a form."""

    unit: str
    formation: str
    face: str
    """The counter without its figures, as SVG."""
    values: tuple[ValueShown, ...]
    next: str
    """The next counter of the formation that lacks values, or ""."""


class PackShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="pack"):
    """The owner's pack."""

    name: str
    files: tuple[str, ...]
    """The names of the files in the pack."""
    data: str = ""
    """The files as a zip file in base64, or ""."""
    doubts: tuple[DoubtShown, ...] = ()
    """The readings of the rulebook that the pack contradicts."""
