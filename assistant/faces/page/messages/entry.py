"""What the page is shown of what the owner of a game types from his own copy: charts, counters, the pack that holds
them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

At = Literal["front-foot", "front", "back-foot", "back"]
"""Where a value is printed on a counter: among the figures on the foot of its front or back, or elsewhere on either."""


class FieldShown(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a cell."""

    name: str
    title: str
    words: tuple[str, ...]
    """The words that it allows."""
    several: bool
    """Whether several of them may stand there."""
    least: int | None
    most: int | None
    note: str
    """What else to know of it."""


class GridShown(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a chart."""

    title: str
    down: str
    """What its rows are."""
    across: str
    """What its columns are."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    """The keys of its cells, row by row, as `ChartShown.cells` has them."""


class CellShown(msgspec.Struct, frozen=True, kw_only=True):
    """A cell."""

    values: tuple[str, ...]
    """By field."""
    source: str
    """Where the cell is from."""


class EndShown(msgspec.Struct, frozen=True, kw_only=True):
    """A row or column whose ends only the owner knows."""

    key: str
    title: str
    first: str
    """As far as it is known, "" if it is not."""
    last: str
    """As far as it is known, "" if it is not."""
    examples: tuple[str, str]
    """What may be typed."""


class DoubtShown(msgspec.Struct, frozen=True, kw_only=True):
    """A reading of the rulebook that a cell as typed contradicts."""

    rule: str
    text: str


class ChartShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="chart"):
    """A chart as it is printed."""

    chart: str
    title: str
    rule: str
    remark: str
    unread: str
    """What of the chart no rule reads yet."""
    fields: tuple[FieldShown, ...]
    ends: tuple[EndShown, ...]
    grids: tuple[GridShown, ...]
    """None while the ends of the chart are not known."""
    cells: dict[str, CellShown]
    """The known ones, by key."""
    codes: dict[str, str]
    """What the codes in its cells mean."""
    missing: int
    """How many cells the owner has not typed and the rulebook does not state."""
    doubts: tuple[DoubtShown, ...] = ()


class WayShown(msgspec.Struct, frozen=True, kw_only=True):
    """A way to read a table that was pasted."""

    said: tuple[str, ...]
    """How it lies and what is wrong with it."""
    grids: tuple[GridShown, ...]
    """The tables that it holds."""
    cells: dict[str, str]
    """By key, as they would be kept."""


class TableRead(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="read"):
    """How a table that was pasted may be read: in one way, or in several between which only the owner can decide."""

    ways: tuple[WayShown, ...]


class CounterListed(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A counter of a formation."""

    unit: str
    missing: int
    """How many of its values nobody has stated."""


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
    """Where on the counter."""
    takes: str
    words: tuple[str, ...]
    value: str
    """As it is typed, "" for what nobody has stated."""
    source: str
    """Where it is from."""
    own: bool
    """Whether the owner typed it."""


class CounterShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="form"):
    """A counter as a form."""

    unit: str
    formation: str
    face: str
    """The counter without its figures, as SVG."""
    values: tuple[ValueShown, ...]
    next: str
    """The next counter of its formation that lacks values."""


class PackShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="pack"):
    """The owner's pack."""

    name: str
    files: tuple[str, ...]
    """Their names."""
    data: str = ""
    """The files in one zip file, in base64."""
    doubts: tuple[DoubtShown, ...] = ()
    """Readings of the rulebook that it contradicts."""
