"""Hex grids and the hex numbers of a map: names, neighbours, distances, centres.

Only `HexGrid` knows the shape of the grid and the form of printed numbers; all other code names hexes by printed
number.
"""

from __future__ import annotations

import re
from functools import cached_property, partial
from math import sqrt
from typing import Annotated, Literal, NamedTuple, cast

import msgspec

from ..util.errors import InputError
from ..util.notes import note
from ..util.patterns import late_pattern
from ..util.texts import natural


class Hex(NamedTuple):
    """A hex by its printed column and row."""

    column: int
    row: int


class Corner(NamedTuple):
    """A point where three hexes meet, in sixths of a hex along the grid; `HexGrid.point` converts it."""

    x: int
    y: int


_corner = partial(tuple.__new__, Corner)  # faster than the constructor: a picture of a front has 60,000 corners
_Number = Annotated[int, msgspec.Meta(ge=-9999, le=9999)]
_FIELD = late_pattern(r"\{(column|row)(?::(?=[A0eo])(?:(AB?)|(?:0([1-9]))?(odd|even)?))?\}")
"""A field of a format: column or row, its letters, its width in digits, and whether it counts by twos."""
_MAX_FORMAT_LETTERS = 40
"""The maximum length of a format, which bounds that of each hex number."""
_MAX_LETTERS = 2
"""The maximum number of letters for a column or a row."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FLAT = (("N", 0, -2), ("NE", 1, -1), ("SE", 1, 1), ("S", 0, 2), ("SW", -1, 1), ("NW", -1, -1))
"""The six neighbours of a hex on a flat side, clockwise: compass name, and steps along x and y in half hexes."""
_POINTY = (("NE", 1, -1), ("E", 2, 0), ("SE", 1, 1), ("SW", -1, 1), ("W", -2, 0), ("NW", -1, -1))
"""The six neighbours of a hex on a point, in the same form."""
_FLAT_STEPS = [(dx, dy) for _, dx, dy in _FLAT]
_POINTY_STEPS = [(dx, dy) for _, dx, dy in _POINTY]
_CORNERS = {
    orientation: [(x0 + x1, y0 + y1) for (x0, y0), (x1, y1) in zip(steps, [steps[-1], *steps[:-1]], strict=True)]
    for orientation, steps in (("flat", _FLAT_STEPS), ("pointy", _POINTY_STEPS))
}
"""Steps from the centre of a hex to its corners in sixths, each between two neighbours."""
NUMBERING = ("orientation", "shifted", "columns_from", "rows_from", "format")
"""The fields of a grid that decide the number of each hex."""


_Form = Literal["", "A", "AB", "odd", "even"]
"""The form of a printed column or row: its number, letters (AA, BB; AA, AB), or numbers by twos (1, 3, 5; 2, 4, 6)."""
_AS_NUMBERS = ((0, ""), (1, ""))
"""The fields of a format with the column before the row, both as numbers: index in a hex, and form."""


class HexGrid(msgspec.Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """The grid of one map.

    Cached values depend only on the fields. They are not fields, and so not compared, written or copied.
    """

    orientation: Annotated[
        Literal["flat", "pointy"],
        note('"flat" for hexes on a flat side, in columns; "pointy" for hexes on a point, in rows'),
    ] = "flat"
    shifted: Annotated[
        Literal["odd", "even", "onward", "back"],
        note(
            "the columns (or rows) that are half a hex further south (or east), by printed number; "
            '"onward" if each is further than the one before, "back" if each is less far'
        ),
    ] = "even"
    columns_from: Annotated[Literal["west", "east"], note("the map edge from which columns count")] = "west"
    rows_from: Annotated[Literal["north", "south"], note("the map edge from which rows count")] = "north"
    format: Annotated[
        str,
        note(
            "the printed number; {column:02} pads with zeros, {column:A} is A to Z, then AA, BB, {column:AB} AA, AB; {column:odd} is 1, 3, 5, {column:even} 2, 4, 6"
        ),
    ] = "{column:02}{row:02}"
    columns: Annotated[tuple[_Number, _Number], note("the first and last printed numbers")] = (1, 99)
    rows: Annotated[tuple[_Number, _Number], note("the first and last printed numbers")] = (1, 99)
    dots: Annotated[bool, note("whether a dot is drawn in the middle of each hex")] = False

    def numbers_as(self, other: HexGrid) -> bool:
        """Return whether another grid numbers hexes alike, whatever its size."""
        return all(getattr(self, name) == getattr(other, name) for name in NUMBERING)

    def check(self) -> None:
        """Raise InputError if the format is too long or lacks column or row, or if ends are in the wrong order."""
        self._pattern  # noqa: B018
        for what, (first, last) in (("columns", self.columns), ("rows", self.rows)):
            if first > last:
                raise InputError(f"{what} run from {first} to {last}", hint="swap the two")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        if len(self.format) > _MAX_FORMAT_LETTERS:
            hint = "write no more than the printed number"
            raise InputError(f"hex number format has more than {_MAX_FORMAT_LETTERS} characters", hint=hint)
        if sorted(field[1] for field in _FIELD.finditer(self.format)) != ["column", "row"]:
            raise InputError(f"hex number format {self.format!r} must hold {{column}} and {{row}} once each")
        return _compile_format(self.format, signed=self._is_signed)

    @cached_property
    def _bare_pattern(self) -> re.Pattern[str]:
        return _compile_format("".join(re.findall(r"\{[^{}]*\}|\w+", self.format)), signed=self._is_signed)

    @cached_property
    def _is_signed(self) -> bool:
        return min(self.columns[0], self.rows[0]) < 0

    def punctuated(self, text: str) -> str:
        """Return a hex number with its punctuation, `41.19` for `4119`, or another text unchanged."""
        first = next(_FIELD.finditer(self.format))
        match = self._bare_pattern.fullmatch(text) if first[2] or first[3] else None
        return _FIELD.sub(lambda field: match[field[1]], self.format) if match else text

    def bare(self, name: str) -> str:
        """Return a hex number without its punctuation if `punctuated` restores it, or else unchanged."""
        plain = "".join(sign for sign in name if sign.isalnum())
        return plain if self.punctuated(plain) == name else name

    def begun(self, text: str, at: int = 0) -> str:
        """Return the hex number that begins at an index of a text, or "" if none does.

        The number may lack its punctuation.
        """
        match = self._pattern.match(text, at)
        first = next(_FIELD.finditer(self.format))
        if not match and (first[2] or first[3]):
            match = self._bare_pattern.match(text, at)
        return match[0] if match else ""

    def parse(self, text: str) -> Hex:
        """Return the hex with a printed number, with or without its punctuation.

        Raises InputError if the text is not a hex number, or if the hex is off the map.
        """
        if text in self._hexes_by_name:
            return self._hexes_by_name[text]
        match = self._pattern.fullmatch(text) or self._pattern.fullmatch(self.punctuated(text))
        if not match:
            example = self.name(self.middle)
            written = f'"{example}"' if "," in example or " " in example else example
            raise InputError(f"{text!r} is not a hex number", hint=f"hexes of this map are written like {written}")
        at = Hex(self._read("column", match["column"]), self._read("row", match["row"]))
        if not self.holds(at):
            raise InputError(f"hex {text} is off the map", hint=self.extent)
        if self.name(at) == text:  # only regular numbers are cached, so that the map bounds the cache
            self._hexes_by_name[text] = at
        return at

    @cached_property
    def _hexes_by_name(self) -> dict[str, Hex]:
        return {}

    @property
    def middle(self) -> Hex:
        """The hex in the middle of the map."""
        return Hex(sum(self.columns) // 2, sum(self.rows) // 2)

    def name(self, at: Hex) -> str:
        """Return the printed number of a hex."""
        template, fields = self._template
        if self._is_signed and min(at) <= 0:
            return _FIELD.sub(lambda field: _write_field(field, getattr(at, field[1])), self.format)
        if fields == _AS_NUMBERS:
            return template % at
        return template % tuple(_write_form(at[index], form) if form else at[index] for index, form in fields)

    @cached_property
    def _template(self) -> tuple[str, tuple[tuple[int, _Form], ...]]:
        """The %-format of a hex number, and for each field the index of its coordinate in `Hex` and its form."""
        parts = list[str]()
        field_end = 0
        fields = list[tuple[int, _Form]]()
        for field in _FIELD.finditer(self.format):
            parts.append(self.format[field_end : field.start()].replace("%", "%%"))
            parts.append("%s" if field[2] else f"%0{field[3] or 1}d")
            fields.append((Hex._fields.index(field[1]), _form_of(field)))
            field_end = field.end()
        return "".join([*parts, self.format[field_end:].replace("%", "%%")]), tuple(fields)

    @cached_property
    def extent(self) -> str:
        """The ranges of the printed columns and rows, in words."""
        first, last = (self.printed("column", number) for number in self.columns)
        top, bottom = (self.printed("row", number) for number in self.rows)
        return f"columns run from {first} to {last}, rows from {top} to {bottom}"

    def printed(self, part: str, number: int) -> str:
        """Return a column or a row as the map prints it, without leading zeros.

        `part`: "column" or "row".
        """
        return str(_write_form(number, self.forms[part]))

    def number(self, part: str, text: str) -> int | None:
        """Return the number of a typed column or row, or None if the text is neither a number nor allowed letters."""
        form = self.forms[part]
        if text.isascii() and text.isalpha() and len(text) <= _MAX_LETTERS and form in ("A", "AB"):
            return _read_letters(text, form)
        is_below = self._is_signed and text.startswith("-")
        printed = natural(text[1:] if is_below else text)
        return None if printed is None else _read_printed(-printed if is_below else printed, form)

    @cached_property
    def forms(self) -> dict[str, _Form]:
        """The form of columns and rows."""
        return {Hex._fields[index]: form for index, form in self._template[1]}

    def _read(self, part: str, text: str) -> int:
        """Return the number of a printed column or row.

        Raises InputError if the map prints no such number.
        """
        form = self.forms[part]
        if text.isalpha():
            return _read_letters(text, form)
        number = _read_printed(int(text), form)
        if number is None:
            raise InputError(f"{text!r} is not a {part}", hint=f"{part}s of this map have {form} numbers")
        return number

    def holds(self, at: Hex) -> bool:
        """Return whether a hex is within the columns and rows of the map."""
        return self.columns[0] <= at.column <= self.columns[1] and self.rows[0] <= at.row <= self.rows[1]

    def _find_shift(self, number: int) -> int:
        """Return the number of half hexes by which a column (or row) is shifted south (or east)."""
        if self.shifted in ("onward", "back"):
            return number if self.shifted == "onward" else -number
        return int(number % 2 == (self.shifted == "odd"))

    def _measure_half_hexes(self, at: Hex) -> tuple[int, int]:
        """Return the centre of a hex in half hexes, to the east and to the south.

        The columns of a flat grid are 1 apart.
        """
        x = -at.column if self.columns_from == "east" else at.column
        y = -at.row if self.rows_from == "south" else at.row
        if self.orientation == "flat":
            return x, 2 * y + self._find_shift(at.column)
        return 2 * x + self._find_shift(at.row), y

    def _find_at_half_hexes(self, x: int, y: int) -> Hex:
        def row_or_column(position: int, across: int) -> int:  # the coordinate along which lines are shifted
            return (position - self._find_shift(across)) // 2

        if self.orientation == "flat":
            column = -x if self.columns_from == "east" else x
            row = row_or_column(y, column)
            return Hex(column, -row if self.rows_from == "south" else row)
        row = -y if self.rows_from == "south" else y
        column = row_or_column(x, row)
        return Hex(-column if self.columns_from == "east" else column, row)

    def around(self, at: Hex) -> dict[str, Hex]:
        """Return the six adjacent hexes by compass direction, clockwise from the north, even those off the map."""
        column, row = at
        return {name: Hex(column + across, row + down) for name, across, down in self.steps(at)}

    def steps(self, at: Hex) -> tuple[tuple[str, int, int], ...]:
        """Return the steps to the six adjacent hexes: compass direction, columns and rows."""
        return self._steps[self._find_shift(at.column if self.orientation == "flat" else at.row) % 2]

    @cached_property
    def _steps(self) -> tuple[tuple[tuple[str, int, int], ...], ...]:
        """The steps to the adjacent hexes for the two kinds of hexes, those with an even shift first."""
        ways = []
        for at in sorted((Hex(number, number) for number in (0, 1)), key=lambda at: self._find_shift(at.row) % 2):
            x, y = self._measure_half_hexes(at)
            steps = _FLAT if self.orientation == "flat" else _POINTY
            others = ((name, self._find_at_half_hexes(x + dx, y + dy)) for name, dx, dy in steps)
            ways.append(tuple((name, other.column - at.column, other.row - at.row) for name, other in others))
        return tuple(ways)

    def adjacent(self, name: str) -> list[str]:
        """Return the printed numbers of the adjacent hexes on the map, clockwise from the north.

        Raises InputError as `parse` does.
        """
        at = self.parse(name)
        column, row = at
        names = self._names
        numbers = list[str]()
        for _, across, down in self.steps(at):
            neighbour = column + across, row + down
            number = names.get(neighbour)
            if number is None:
                number = self._find_name(Hex(*neighbour))
            if number:
                numbers.append(number)
        return numbers

    def _find_name(self, at: Hex) -> str:
        self._names[at] = name = self.name(at) if self.holds(at) else ""
        if name:
            self._hexes_by_name[name] = at
        return name

    @cached_property
    def _names(self) -> dict[tuple[int, int], str]:
        """The cache of printed numbers by column and row, "" off the map."""
        return {}

    def neighbours(self, at: Hex) -> dict[str, Hex]:
        """Return the adjacent hexes on the map by compass direction, clockwise from the north."""
        return {name: other for name, other in self.around(at).items() if self.holds(other)}

    def corners(self, here: Hex, other: Hex) -> tuple[Corner, Corner]:
        """Return the two ends of the hexside between two hexes. Hexsides that meet have an end in common.

        Raises ValueError if the hexes are not adjacent.
        """
        (x, y) = self._measure_half_hexes(here)
        (there_x, there_y) = self._measure_half_hexes(other)
        steps = _FLAT_STEPS if self.orientation == "flat" else _POINTY_STEPS
        dx, dy = there_x - x, there_y - y
        to = steps.index((dx, dy))
        (left_x, left_y) = steps[to - 1]
        (right_x, right_y) = steps[(to + 1) % 6]
        # a corner is the mean of its three hexes' centres: the sum in half hexes is the mean in sixths
        return (
            Corner(3 * x + dx + left_x, 3 * y + dy + left_y),
            Corner(3 * x + dx + right_x, 3 * y + dy + right_y),
        )

    def outline(self, at: Hex) -> tuple[Corner, ...]:
        """Return the six corners of a hex, clockwise.

        The side between the first two corners faces the first hex of `around`.
        """
        x, y = self._measure_half_hexes(at)
        x, y = 3 * x, 3 * y
        return tuple([_corner((x + dx, y + dy)) for dx, dy in _CORNERS[self.orientation]])

    def point(self, corner: Corner) -> tuple[float, float]:
        """Return the position of a corner, in the units of `centre`."""
        x, y = corner
        return (x * sqrt(3) / 6, y / 6) if self.orientation == "flat" else (x / 6, y * sqrt(3) / 6)

    def distance(self, start: Hex, other: Hex) -> int:
        """Return the distance between two hexes in hexes, 1 if they are adjacent."""
        return _count_steps(self._measure_across(start), self._measure_across(other))

    def distance_of(self, start: str, other: str) -> int:
        """Return the distance between two hexes by printed number, in hexes.

        Raises InputError as `parse` does.
        """
        known = self._spots
        return _count_steps(known.get(start) or self._find_spot(start), known.get(other) or self._find_spot(other))

    def _find_spot(self, text: str) -> tuple[int, int]:
        spot = self._measure_across(self.parse(text))
        if text in self._hexes_by_name:
            self._spots[text] = spot
        return spot

    @cached_property
    def _spots(self) -> dict[str, tuple[int, int]]:
        return {}

    def _measure_across(self, at: Hex) -> tuple[int, int]:
        """Return the centre of a hex in half hexes.

        The first number is across the columns of a flat grid, or across the rows of others.
        """
        x, y = self._measure_half_hexes(at)
        return (x, y) if self.orientation == "flat" else (y, x)

    def centre(self, at: Hex) -> tuple[float, float]:
        """Return the centre of a hex, to the east and to the south, in widths of a hex from side to side."""
        x, y = self._measure_half_hexes(at)
        return (x * sqrt(3) / 2, y / 2) if self.orientation == "flat" else (x / 2, y * sqrt(3) / 2)


def _compile_format(format: str, *, signed: bool) -> re.Pattern[str]:
    """Return the pattern of hex numbers in a format. A number directly before another one has a fixed width."""
    sign = "-?" if signed else ""
    parts = []
    end = 0
    for field in _FIELD.finditer(format):
        parts.append(re.escape(format[end : field.start()]))
        longer = "" if format.startswith("{", field.end()) else ",9"
        body = "[A-Za-z]{1,2}" if field[2] else rf"{sign}[0-9]{{{field[3] or 1}{longer}}}"
        parts.append(f"(?P<{field[1]}>{body})")
        end = field.end()
    return re.compile("".join(parts) + re.escape(format[end:]))


def _count_steps(start: tuple[int, int], other: tuple[int, int]) -> int:
    across = abs(start[0] - other[0])
    along = abs(start[1] - other[1])
    return across + (along - across) // 2 if along > across else across


def _form_of(field: re.Match[str]) -> _Form:
    return cast(_Form, field[2] or field[4] or "")


def _write_field(field: re.Match[str], number: int) -> str:
    printed = _write_form(number, _form_of(field))
    if isinstance(printed, str):
        return printed
    return f"{'-' if printed < 0 else ''}{abs(printed):0{field[3] or 1}d}"


def _write_form(number: int, form: _Form) -> int | str:
    """Return the printed form of a column or a row."""
    match form:
        case "":
            return number
        case "odd":
            return 2 * number - 1
        case "even":
            return 2 * number
        case _:
            return _write_letters(number, form)


def _read_printed(printed: int, form: _Form) -> int | None:
    """Return the column or row of a printed number, or None if the map prints no such number."""
    if form not in ("odd", "even"):
        return printed
    number, rest = divmod(printed + (form == "odd"), 2)
    return None if rest else number


def _read_letters(text: str, form: _Form) -> int:
    """Parse the letters of wargame maps: A is 1, Z 26; AA is 27, and then BB or AB 28."""
    first, *second = [_LETTERS.index(letter) for letter in text.upper()]
    if form == "AB":
        return 26 * (first + 1) + second[0] + 1 if second else first + 1
    if second and second[0] != first:
        raise InputError(f"{text!r} is not a column", hint="after Z come AA, BB, CC")
    return first + 1 + 26 * len(second)


def _write_letters(number: int, form: _Form) -> str:
    rounds, letter = divmod(number - 1, 26)
    if form == "AB" and 0 < rounds <= 26:
        return _LETTERS[rounds - 1] + _LETTERS[letter]
    return _LETTERS[letter] * (rounds + 1)
