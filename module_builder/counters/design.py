"""The design of counters: the contents of `counters.toml`, the built-in design, and the look of each kind of counter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypedDict, cast

import msgspec

from assistant.drawing.lettering import MIN_READABLE_POINTS
from assistant.game.games import Game
from assistant.util.datafiles import read_table, read_text, read_toml, resolve_within
from assistant.util.errors import OnFault, stop
from assistant.util.files import package_folder
from assistant.util.notes import note

Variant = Literal["colour", "low-ink"]
"""A print that commands make."""
VARIANTS = ("low-ink",)
"""The variants that a file may change."""
FILE = "counters.toml"
"""The file of a game's folder that says how its counters look."""
Side = Literal["front", "back", "plain"]
"""A side of a counter: the front, the back with other values, the back of a counter that has none."""
Length = float | str
"""A length: in millimetres on a die of 5/8 inch, or as a share of the side: "50%"."""
Points = Annotated[float, msgspec.Meta(ge=1, le=200)]
Thin = Annotated[float, msgspec.Meta(ge=0, le=10)]
"""Width of a line or gap, in mm."""


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text with its condition."""

    text: str
    when: str = ""


class FigureItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the figures in a row."""

    text: str | tuple[Choice | str, ...]
    when: str = ""
    empty: str = ""
    """Text for an unknown value."""
    size: Annotated[float, msgspec.Meta(gt=0, le=2)] = 1.0
    """Size of the letters, as a share of the row's."""
    means: str = ""
    """Explanation on the aid "How to read a counter"."""


class Slot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place on a counter and its content; the handbook describes each key."""

    draw: Annotated[
        Literal["ground", "stripe", "text", "row", "symbol", "echelon", "mark", "signs", "pips"],
        note('"signs" are names joined by +, "pips" a number'),
    ] = "text"
    box: Annotated[tuple[Length, Length, Length, Length], note("x, y, width and height from the upper left corner")] = (
        0.0,
        0.0,
        "100%",
        "100%",
    )
    on: Annotated[tuple[Side, ...], note("the sides that have the slot")] = ("front", "back")
    when: Annotated[str, note("the condition under which these sides have the slot")] = ""
    text: Annotated[
        str | tuple[Choice | str, ...], note("what it says, of several the first that is known and has room")
    ] = ""
    items: Annotated[tuple[FigureItem | str, ...], note("the figures of a row")] = ()
    separator: Annotated[str, note("between the figures of a row")] = ""
    prefix: Annotated[str, note("prefix of the names of symbols")] = ""
    empty: Annotated[str, note('what is there, pale, where the value is unknown ("[]": a blank box to write in)')] = ""
    align: Literal["left", "centre", "right"] = "centre"
    valign: Literal["top", "middle", "bottom", "base"] = "middle"
    size: Annotated[Points, note("size of the letters in points, on a die of 5/8 inch")] = 7.0
    floor: Annotated[Points, note("the smallest size in points on any die")] = MIN_READABLE_POINTS
    lines: Annotated[int, msgspec.Meta(ge=1, le=2), note("maximum number of lines")] = 1
    bold: bool = True
    weight: Annotated[
        float, msgspec.Meta(ge=0, le=0.1), note("extra weight of strokes beyond bold, as a share of the size")
    ] = 0.0
    ink: Annotated[str, note('the colour of what is drawn ("auto": legible on its ground)')] = "auto"
    fill: Annotated[str, note("colour of a ground, a chip or a symbol's frame")] = ""
    rim: Annotated[str, note("colour of an outline")] = ""
    rim_width: Annotated[Thin, note("width of the outline in millimetres")] = 0.2
    chip: Annotated[Literal["", "disc", "box", "plate"], note("a shape behind a text")] = ""
    gap: Annotated[Thin, note("between items, in millimetres")] = 0.5
    order: Annotated[int, note("what is drawn later is on top, grounds always below the rest")] = 0
    means: Annotated[str, note('explanation on the aid "How to read a counter", "-" for none')] = ""


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The differences of some counters: slots, key by key, and colours."""

    inherits: str = ""
    """Name of the style that this style changes further."""
    slots: dict[str, Slot] = {}
    colours: dict[str, str] = {}
    cut: Annotated[str, note('shape and size on sheets, such as "circle 19mm", "" for the square of the die')] = ""


class Alternative(Style, frozen=True, forbid_unknown_fields=True):
    """Another counter of a unit, beside its own."""

    of: str = ""
    values: dict[str, str | int] = {}
    """Printed values that differ from the unit's, by column."""


class MarkerDesign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The markers of a track."""

    word: Annotated[str, note("the word above the value")] = ""
    text: Annotated[str, note("the value, `{}` standing for it")] = ""
    symbol: Annotated[str, note("the name of the symbol, `{}` standing for the value")] = ""
    symbols: Annotated[dict[str, str], note("the name of the symbol by value")] = {}
    count: Annotated[int, msgspec.Meta(ge=1, le=500), note("number of each marker")] = 1
    pairs: Annotated[tuple[tuple[str | int, ...], ...], note("the values on the front and on the back")] = ()
    shows: Annotated[dict[str, str], note("the text by value")] = {}
    colour: Annotated[str, note('#rrggbb, "" for that of its tag in a module or of a side')] = ""
    cut: Annotated[str, note('shape and size on sheets, such as "circle 19mm", "" for the square of the die')] = ""
    left_out: Annotated[bool, note("whether the game has no such markers")] = False


class Explained(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A counter of the aid "How to read a counter"."""

    unit: str
    back: Annotated[str, note("the meaning of its back")] = ""


class CountersFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `counters.toml`. Styles of nations, kinds and units apply in this order."""

    formation: Annotated[str, note("the column that a counter belongs to")] = ""
    stripe: Annotated[str, note("the column that the colour of the band distinguishes")] = ""
    backs: Annotated[
        Literal["other", "same", "anonymous"],
        note("other values, the same ones, or only the nation's sign, which hides the unit"),
    ] = "other"
    slots: Annotated[dict[str, Slot], note("the slots of every counter")] = {}
    colours: dict[str, str] = {}
    short: Annotated[
        dict[str, dict[str, str]], note("by column, the short form of its words (under `unit`, of the names)")
    ] = {}
    styles: Annotated[dict[str, Style], note("the styles by name")] = {}
    nations: dict[str, Style] = {}
    kinds: Annotated[dict[str, Style], note("the styles by words of the symbol")] = {}
    units: dict[str, Style] = {}
    alternatives: Annotated[dict[str, Alternative], note("further counters of units, by name")] = {}
    variants: Annotated[dict[str, Style], note('such as "low-ink"')] = {}
    markers: Annotated[dict[str, MarkerDesign], note("by track")] = {}
    explained: Annotated[dict[str, Explained], note("the counters that the aid explains, by title")] = {}


class CounterDesign(msgspec.Struct, frozen=True):
    """The slots, in the order in which they are drawn, and the colours of one kind of counter."""

    slots: dict[str, Slot]
    colours: dict[str, str]
    cut: str = ""


class _StyleTable(TypedDict, total=False):
    inherits: str
    cut: str
    slots: dict[str, dict[str, object]]
    colours: dict[str, str]


_StyleKind = Literal["nations", "kinds", "units", "alternatives", "variants"]


class _DesignTables(TypedDict, total=False):
    slots: dict[str, dict[str, object]]
    colours: dict[str, str]
    styles: dict[str, _StyleTable]
    nations: dict[str, _StyleTable]
    kinds: dict[str, _StyleTable]
    units: dict[str, _StyleTable]
    alternatives: dict[str, _StyleTable]
    variants: dict[str, _StyleTable]


class Design:
    """The design of a game's counters: the built-in one, changed by the game's own file."""

    def __init__(self, file: CountersFile, tables: _DesignTables, own: CountersFile) -> None:
        self.file, self.own, self._tables = file, own, tables
        self._looks: dict[tuple[str, ...], CounterDesign] = {}
        self._named: dict[tuple[str, Variant], CounterDesign] = {}

    def look(self, nation: str, kind: str, unit: str, variant: Variant, alternative: str = "") -> CounterDesign:
        """Return the look of a counter by its nation, the word of its symbol, its name, and the variant.

        `alternative`: the name of another counter of the unit, or "" for its own.
        """
        key = (
            nation if nation in self.file.nations else "",
            kind if kind in self.file.kinds else "",
            unit if unit in self.file.units else "",
            alternative if alternative in self.file.alternatives else "",
            variant if variant in self.file.variants else "",
        )
        if key not in self._looks:
            self._looks[key] = self._make_look(*key)
        return self._looks[key]

    def _make_look(self, nation: str, kind: str, unit: str, alternative: str, variant: str) -> CounterDesign:
        whole: dict[str, object] = {"slots": self._tables.get("slots", {}), "colours": self._tables.get("colours", {})}
        spots: tuple[tuple[_StyleKind, str], ...] = (
            ("nations", nation),
            ("kinds", kind),
            ("units", unit),
            ("alternatives", alternative),
            ("variants", variant),
        )
        for table, name in spots:
            if name:
                for part in self._list_inherited(self._tables[table][name]):
                    whole = _merge_tables(whole, part)
        return msgspec.convert(whole, CounterDesign)

    def named(self, style: str, variant: Variant) -> CounterDesign:
        """Return the look of a style by itself, such as that of markers."""
        key = (style, variant)
        if key not in self._named:
            whole: dict[str, object] = {"slots": {}, "colours": {}}
            for part in self._list_inherited(self._tables.get("styles", {}).get(style, {})):
                whole = _merge_tables(whole, part)
            changed = self._tables.get("variants", {}).get(variant, {}).get("colours", {})
            self._named[key] = msgspec.convert(_merge_tables(whole, {"colours": changed}), CounterDesign)
        return self._named[key]

    def _list_inherited(self, style: _StyleTable) -> Iterator[dict[str, object]]:
        """Yield a style after those that it inherits from."""
        line, seen = [style], set[str]()
        while (name := line[-1].get("inherits", "")) and name not in seen and name in self.file.styles:
            seen.add(name)
            line.append(self._tables["styles"][name])
        for table in reversed(line):
            yield {key: value for key, value in table.items() if key != "inherits"}


def _merge_tables(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, object]:
    merged = dict(one)
    for key, value in other.items():
        old = merged.get(key)
        merged[key] = _merge_tables(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


@cache
def read_standard() -> tuple[CountersFile, dict[str, Any]]:
    """Return the built-in design, and its tables as written."""
    file = resolve_within(package_folder("module_builder.counters"), "standard.toml")
    tables = read_toml(file, dict[str, Any])
    return read_table(tables, CountersFile, file), tables


def read_design(game: Game, on_fault: OnFault = stop) -> Design:
    """Return the design of a game's counters. Each fault of its file goes to `on_fault` with its place."""
    ours, tables = read_standard()
    file = resolve_within(game.folder, FILE)
    if not file.is_file():
        return Design(ours, cast(_DesignTables, tables), CountersFile())
    own = read_toml(file, dict[str, Any], on_fault)
    checked = read_table(own, CountersFile, file, on_fault)
    merged: dict[str, object] = tables
    # Unless the file says otherwise, the stripe replaces the band and gives the formation's tab its colour.
    if checked.stripe:
        merged = _merge_tables(merged, {"slots": {"band": {"draw": "stripe"}, "formation": {"fill": "stripe"}}})
    if checked.backs == "anonymous":
        merged = _merge_tables(merged, tables["styles"]["anonymous"])
    merged = _merge_tables(merged, msgspec.to_builtins(own))
    return Design(read_table(merged, CountersFile, file, lambda _: None), cast(_DesignTables, merged), checked)


def read_source(game: Game) -> str:
    """Return the text of a game's own file, or "" if there is none."""
    file = resolve_within(game.folder, FILE)
    return read_text(file) if file.is_file() else ""
