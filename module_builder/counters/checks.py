"""Checks of a game's counters: mistakes in `counters.toml`, and defects of the drawn faces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from assistant.drawing.colours import WHITE
from assistant.drawing.faces import Faces
from assistant.drawing.symbols import Symbols
from assistant.game.games import Game
from assistant.game.lint.faults import format_fault, unknown
from assistant.util.datafiles import find_toml_line
from assistant.util.errors import InputError, Where, similar

from .columns import FIGURES, ILLUSTRATIVE, OPTIONAL, SIGN, UNIT, VALUE, WORD, Columns
from .design import (
    FILE,
    VARIANTS,
    Alternative,
    Choice,
    CountersFile,
    FigureItem,
    MarkerDesign,
    Slot,
    Style,
    read_design,
    read_source,
)
from .expressions import Condition, Pattern, parse_condition, parse_pattern
from .faces import DESIGN_SIDE_MM, FACE_MARGIN_MM, Cut
from .inks import AUTO, plain_inks
from .markings import marker_faults
from .pieces import Workshop, format_troubles
from .trims import parse_cut

_MAX_WORDS_CHECKED = 500
"""Maximum number of words compared with the names of symbols, and of lines about defects."""


def counter_faults(game: Game) -> Iterator[InputError]:
    """Yield the mistakes in a game's `counters.toml`, each with its place, and in its symbols."""
    errors: list[InputError] = []
    made = read_design(game, errors.append)
    yield from errors
    if not errors:
        yield from _Names(game, made.own, made.file).faults()
    yield from symbol_faults(game)


def format_mistakes(game: Game) -> Iterator[str]:
    """Yield one line on the mistakes in a game's `counters.toml` that do not prevent drawing, if there are any."""
    errors = list(counter_faults(game))
    if errors:
        more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
        yield f"{format_fault(errors[0])}{more}; `module-builder check` lists all mistakes"


def symbol_faults(game: Game) -> Iterator[InputError]:
    """Yield the symbols that cannot be drawn, and symbol words that are misspelt names.

    A word without a symbol is written out, so it may be meant. Only the first 500 words are compared with the names.
    """
    track, symbols = game.tracks.get(game.file.picture.symbol), Symbols(game)
    names = symbols.names
    words = [*track.values, *names] if track else names
    for number, word in enumerate(dict.fromkeys(words)):
        try:
            drawn = symbols.symbol(word)
        except InputError as error:
            yield error
            continue
        if drawn is None and number < _MAX_WORDS_CHECKED and (near := similar(word, names, 0.75, 1)):
            what = f"[{game.file.picture.symbol}] unknown symbol {word!r}"
            yield InputError(what, where=Where("tracks.toml"), hint=f"nearest known: {near[0]}")


def counter_remarks(game: Game, faces: Faces | None = None) -> Iterator[str]:
    """Yield a line for each defect of a game's counters.

    Names may be confused, text may not fit, letters may be missing from the typeface, and symbols may not exist.
    The game's files must be free of mistakes.

    `faces`: the game's faces, if the caller has read them.
    """
    yield from _check_names(game)
    yield from _check_backs(game)
    yield from _check_boxes(game)
    workshop = Workshop(game, Cut(), "colour", closely=True, faces=faces)
    yield from format_troubles([*workshop.units_with_alternatives(), *workshop.markers()], _MAX_WORDS_CHECKED)


def _check_boxes(game: Game) -> Iterator[str]:
    """Yield slots whose box reaches over the edge of a counter, or into the margin along the cut."""
    own, text = read_design(game).own, read_source(game)
    heads: list[tuple[tuple[str, ...], Mapping[str, Slot]]] = [((), own.slots)]
    for table in ("nations", "kinds", "units", "alternatives", "styles", "variants"):
        heads += [((table, name), style.slots) for name, style in getattr(own, table).items()]
    for path, slots in heads:
        for name, slot in slots.items():
            if slot.draw in ("ground", "stripe") or slot.box == Slot().box:
                continue
            area = Cut(rounded=False).area(slot.box, with_bleed=False)
            least = min(area.x, area.y, DESIGN_SIDE_MM - area.x - area.width, DESIGN_SIDE_MM - area.y - area.height)
            if least < FACE_MARGIN_MM - 0.01:
                place = Where(FILE, find_toml_line(text, (*path, "slots", name, "box")))
                how = f"reaches {-least:.2g} mm over the edge" if least < 0 else f"lies {least:.2g} mm from the cut"
                fault = f"[{'.'.join((*path, 'slots', name))}] box {how} of a counter of {DESIGN_SIDE_MM:g} mm"
                yield f"{place}: {fault}; keep {FACE_MARGIN_MM:g} mm free on all sides"


def _check_names(game: Game) -> Iterator[str]:
    seen: dict[str, str] = {}
    for unit in game.counters:
        key = "".join(unit.casefold().split())
        if key in seen:
            yield f"counters {seen[key]} and {unit} have names that differ only in case or spaces; rename one"
        seen.setdefault(key, unit)


def _check_backs(game: Game) -> Iterator[str]:
    """Yield counters whose backs lack values, or lack all values although counters of their kind have a back."""
    columns = Columns(game, "", "")
    known = {unit: columns.values(unit) for unit in game.counters}
    turned = {columns.kind(values) for values in known.values() if columns.turned(values) is not None}
    counted = {track.below for track in game.tracks.values()}
    units_of: dict[tuple[str, str], list[str]] = {}
    for unit, values in known.items():
        has_back = columns.turned(values) is not None
        for number, (name, other) in enumerate(columns.back_columns.items()):
            front = values.get(name, "")
            alone = front == "1" and name in counted  # the last step has no reduced side
            wanted = not number and front not in ("", "0") and not alone and columns.kind(values) in turned
            if other not in values and (front not in ("", "0") if has_back else wanted):
                units_of.setdefault((name, other), []).append(unit)
    for (name, other), units in units_of.items():
        others = f" (and {len(units) - 1} more)" if len(units) > 1 else ""
        yield f"counter {units[0]}{others} has {name}, but no {other} for the back; enter it, 0 if there is none"


class _Names:
    """The names in a game's own file, and the names allowed there.

    `whole`: the file merged with the built-in design.
    """

    def __init__(self, game: Game, own: CountersFile, whole: CountersFile) -> None:
        self.game, self.own, self.whole, self.text = game, own, whole, read_source(game)
        columns = Columns(game, whole.formation, whole.stripe)
        self.columns = [*columns.names, *OPTIONAL, ILLUSTRATIVE]
        self.printed = columns.printed

    def faults(self) -> Iterator[InputError]:
        own, picture, tracks = self.own, self.game.file.picture, self.game.tracks
        for spot in ("formation", "stripe"):
            if name := getattr(own, spot):
                yield from self._check_known((spot,), name, self.printed, "printed track")
        for column in own.short:
            yield from self._check_known(("short", column), column, [UNIT, *self.printed], "printed track")
        if self.game.counters:  # without counters, their file is missing or cannot be read
            for unit in own.short.get(UNIT, {}):
                yield from self._check_known(("short", UNIT, unit), unit, self.game.counters, "unit")
        for name, marker in own.markers.items():
            yield from self._check_known(("markers", name), name, tracks, "track")
            if name in tracks:
                for key, fault in marker_faults(tracks[name], marker):
                    yield fault.told_as(f"[markers.{name}] {key}: {fault.what}", self._where("markers", name, key))
        yield from self._check_cuts()
        heads: tuple[tuple[str, Mapping[str, Style], Iterable[str], str], ...] = (
            ("nations", own.nations, self._words(picture.nation), "nation"),
            ("kinds", own.kinds, self._words(picture.symbol), "word of a symbol"),
            ("units", own.units, self.game.counters or own.units, "unit"),
            ("alternatives", own.alternatives, own.alternatives, "counter"),
            ("styles", own.styles, own.styles, "style"),
            ("variants", own.variants, VARIANTS, "variant"),
        )
        for title, explained in own.explained.items():
            if self.game.counters:
                yield from self._check_known(("explained", title, "unit"), explained.unit, self.game.counters, "unit")
        yield from self._check_slots((), own.slots)
        yield from self._check_alternatives(own.alternatives)
        for table, styles, known, what in heads:
            for name, style in styles.items():
                yield from self._check_known((table, name), name, known, what)
                if style.inherits:
                    yield from self._check_known((table, name, "inherits"), style.inherits, self.whole.styles, "style")
                if table == "styles" and (others := self._find_circle(name)):
                    yield InputError(
                        f"[styles.{name}] inherits itself, by way of {', '.join(others)}",
                        where=self._where(table, name, "inherits"),
                        hint="let one of them inherit nothing",
                    )
                extra = (WORD, VALUE, SIGN) if (table, name) == ("styles", "marker") else ()
                yield from self._check_slots((table, name), style.slots, extra)
                yield from self._check_colours((table, name), style.colours)
        yield from self._check_colours((), own.colours)

    def _check_cuts(self) -> Iterator[InputError]:
        """Yield the shapes and sizes that cannot be read."""
        own = self.own
        tables: dict[str, Mapping[str, Style | MarkerDesign]] = {
            "nations": own.nations,
            "kinds": own.kinds,
            "units": own.units,
            "alternatives": own.alternatives,
            "styles": own.styles,
            "markers": own.markers,
        }
        for table, designs in tables.items():
            for name, design in designs.items():
                try:
                    if design.cut:
                        parse_cut(design.cut)
                except InputError as fault:
                    yield fault.told_as(f"[{table}.{name}] cut: {fault.what}", self._where(table, name, "cut"))

    def _check_alternatives(self, others: Mapping[str, Alternative]) -> Iterator[InputError]:
        """Yield alternatives of unknown units, with the name of a unit, or with impossible values."""
        for name, other in others.items():
            where = ("alternatives", name)
            if self.game.counters:
                yield from self._check_known((*where, "of"), other.of, self.game.counters, "unit")
            if name in self.game.roster:
                what = f"[alternatives.{name}] is the name of a unit"
                yield InputError(what, where=self._where(*where), hint="call the other counter something else")
            for column, value in other.values.items():
                yield from self._check_known((*where, "values", column), column, [UNIT, *self.printed], "printed track")
                if column in self.printed:
                    try:
                        self.game.tracks[column].parse(str(value))
                    except InputError as error:
                        what = f"[alternatives.{name}] values: {error.what}"
                        yield error.told_as(what, self._where(*where, "values", column))

    def _find_circle(self, name: str) -> list[str]:
        line = [name]
        while (style := self.whole.styles.get(line[-1])) and style.inherits and style.inherits not in line:
            line.append(style.inherits)
        ends = self.whole.styles.get(line[-1])
        return line[1:] or line if ends and ends.inherits == name else []

    def _words(self, track: str) -> tuple[str, ...]:
        return self.game.tracks[track].values if track in self.game.tracks else ()

    def _check_known(self, path: tuple[str, ...], name: str, known: Iterable[str], what: str) -> Iterator[InputError]:
        if name not in known:
            yield unknown(f"[{'.'.join(path[:2])}]", name, known, what, "").at(self._where(*path))

    def _where(self, *path: str) -> Where:
        return Where(FILE, find_toml_line(self.text, path))

    def _check_slots(
        self, path: tuple[str, ...], slots: Mapping[str, Slot], extra: Iterable[str] = ()
    ) -> Iterator[InputError]:
        for name, slot in slots.items():
            where = (*path, "slots", name)
            for spot, text in _list_texts(slot):
                read: Callable[[str], Condition | Pattern] = parse_condition if spot == "when" else parse_pattern
                yield from self._check_text(where, spot, text, read, extra)
            for spot in ("ink", "fill", "rim"):
                yield from self._check_colour((*where, spot), getattr(slot, spot))
            yield from self._check_box((*where, "box"), slot)

    def _check_text(
        self,
        where: tuple[str, ...],
        spot: str,
        text: str,
        read: Callable[[str], Condition | Pattern],
        extra: Iterable[str],
    ) -> Iterator[InputError]:
        """Yield the fault of an unreadable text or condition, and its unknown columns.

        `read`: the parser.
        `extra`: further allowed names.
        """
        try:
            names: tuple[str, ...] = read(text).names if text != FIGURES else ()
        except ValueError as error:
            yield InputError(f"[{'.'.join(where)}] {spot}: {error}", where=self._where(*where, spot))
            return
        for name in names:
            if name not in self.columns and name not in extra:
                fault = unknown(f"[{'.'.join(where)}] {spot}", name, self.columns, "column", "")
                yield fault.at(self._where(*where, spot))

    def _check_box(self, where: tuple[str, ...], slot: Slot) -> Iterator[InputError]:
        for length in slot.box:
            if isinstance(length, str) and not (length.endswith("%") and length[:-1].replace(".", "", 1).isdecimal()):
                what = f"[{'.'.join(where[:-1])}] box: {length!r} is not a length"
                yield InputError(what, where=self._where(*where), hint='write millimetres, or a share as in "50%"')

    def _check_colours(self, path: tuple[str, ...], colours: Mapping[str, str]) -> Iterator[InputError]:
        for name, words in colours.items():
            yield from self._check_colour((*path, "colours", name), words)

    def _check_colour(self, where: tuple[str, ...], words: str) -> Iterator[InputError]:
        named: dict[str, str] = {}
        for styles in (self.whole.styles, self.whole.nations, self.whole.kinds, self.whole.units, self.whole.variants):
            for style in styles.values():
                named |= style.colours
        named |= self.whole.colours
        try:
            if not words and "colours" in where:
                raise ValueError("'' is not a colour: write #rrggbb, or take the line out")
            if words and words != AUTO:
                plain_inks(WHITE, named).colour(words)
        except ValueError as error:
            yield InputError(f"[{'.'.join(where[:-1])}] {where[-1]}: {error}", where=self._where(*where))


def _list_texts(slot: Slot) -> Iterator[tuple[str, str]]:
    yield "when", slot.when
    yield from _list_choices("text", slot.text)
    for item in slot.items:
        if isinstance(item, FigureItem):
            yield "when", item.when
            yield from _list_choices("items", item.text)
        else:
            yield "items", item


def _list_choices(spot: str, text: str | tuple[Choice | str, ...]) -> Iterator[tuple[str, str]]:
    choices = (text,) if isinstance(text, str) else text
    for choice in choices:
        if isinstance(choice, Choice):
            yield "when", choice.when
            yield spot, choice.text
        else:
            yield spot, choice
