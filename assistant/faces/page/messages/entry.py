"""What the page is shown of what the owner of a game types from his own copy: charts, counters, the pack that holds them."""

from __future__ import annotations

from typing import Literal

import msgspec

At = Literal["front-foot", "front", "back-foot", "back"]
"""Where a value is printed on a counter: among the figures on the foot of its front or back, or elsewhere on either."""


class FieldShown(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a cell. words: those that it allows; several: whether several of them may stand there; note: what else to
    know of it.
    """

    name: str
    title: str
    words: tuple[str, ...]
    several: bool
    least: int | None
    most: int | None
    note: str


class GridShown(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a chart. down, across: what its rows and columns are; keys: of its cells, row by row, as `ChartShown.cells`
    has them.
    """

    title: str
    down: str
    across: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]


class CellShown(msgspec.Struct, frozen=True, kw_only=True):
    """A cell. values: of its fields; source: where it is from."""

    values: tuple[str, ...]
    source: str


class EndShown(msgspec.Struct, frozen=True, kw_only=True):
    """A row or column whose ends only the owner knows. first, last: as far as they are known, "" for one that is not; examples: what may be
    typed.
    """

    key: str
    title: str
    first: str
    last: str
    examples: tuple[str, str]


class DoubtShown(msgspec.Struct, frozen=True, kw_only=True):
    """A reading of the rulebook that a cell as typed contradicts."""

    rule: str
    text: str


class ChartShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="chart"):
    """A chart as it is printed. grids: none while its ends are not known; cells: by key, those that are known; codes: what the
    codes in its cells mean; unread: what of it no rule reads yet; missing: how many cells the owner has not typed and the rulebook does not state.
    """

    chart: str
    title: str
    rule: str
    remark: str
    unread: str
    fields: tuple[FieldShown, ...]
    ends: tuple[EndShown, ...]
    grids: tuple[GridShown, ...]
    cells: dict[str, CellShown]
    codes: dict[str, str]
    missing: int
    doubts: tuple[DoubtShown, ...] = ()


class WayShown(msgspec.Struct, frozen=True, kw_only=True):
    """A way to read a table that was pasted. said: how it lies and what is wrong with it; grids: the tables that it holds; cells: by
    key, as they would be kept.
    """

    said: tuple[str, ...]
    grids: tuple[GridShown, ...]
    cells: dict[str, str]


class TableRead(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="read"):
    """How a table that was pasted may be read: in one way, or in several between which only the owner can decide."""

    ways: tuple[WayShown, ...]


class CounterListed(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A counter of a formation. missing: how many of its values nobody has stated."""

    unit: str
    missing: int


class FormationShown(msgspec.Struct, frozen=True, kw_only=True):
    """The counters of a formation."""

    title: str
    units: tuple[CounterListed, ...]


class CountersShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="counters"):
    """The counters of the game, formation by formation."""

    formations: tuple[FormationShown, ...]


class ValueShown(msgspec.Struct, frozen=True, kw_only=True):
    """A value that is printed on a counter. at: where; value: as it is typed, "" for what nobody has stated; source: where it is from; own: whether the owner typed it."""

    name: str
    title: str
    at: At
    takes: str
    words: tuple[str, ...]
    value: str
    source: str
    own: bool


class CounterShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="form"):
    """A counter as a form. face: it without its figures, as SVG; next: the counter of the next one that lacks values."""

    unit: str
    formation: str
    face: str
    values: tuple[ValueShown, ...]
    next: str


class PackShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="pack"):
    """The owner's pack. data: its files in one zip file, in base64; files: their names; doubts: readings of the rulebook that it
    contradicts.
    """

    name: str
    files: tuple[str, ...]
    data: str = ""
    doubts: tuple[DoubtShown, ...] = ()
