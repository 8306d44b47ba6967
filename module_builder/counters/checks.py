"""What is wrong with how a game looks: mistakes in `counters.toml`, what could not be drawn as it is meant, sides that
cannot be told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources.abc import Traversable
from itertools import combinations

from assistant.game.games import Game
from assistant.game.lint.faults import in_a_line, unknown
from assistant.game.packs import pack_folder
from assistant.pictures.colours import WHITE, too_close
from assistant.pictures.faces import ENDINGS, FACES, face_file, read_face
from assistant.pictures.style import Palette
from assistant.pictures.symbols import FOLDER, Symbols
from assistant.util.datafiles import inner, line_of
from assistant.util.errors import InputError, Where, similar
from assistant.util.texts import compose_accents

from .columns import FIGURES, OPTIONAL, SIGN, SYMBOL, UNIT, VALUE, WORD, Columns
from .design import AUTO, FILE, VARIANTS, Choice, CountersFile, Item, Slot, Style, design, plain_inks, source
from .expressions import Condition, Pattern, condition, pattern
from .faces import MARGIN, SIDE, Cut
from .markings import marker_faults
from .pieces import Workshop, trouble_lines

_COMPARED = 500


def counter_faults(game: Game) -> Iterator[InputError]:
    """The mistakes in a game's `counters.toml`, each with its place, and in its symbols."""
    errors: list[InputError] = []
    made = design(game, errors.append)
    yield from errors
    if not errors:
        yield from _Names(game, made.own, made.file).faults()
    yield from symbol_faults(game)


def mistake_line(game: Game) -> Iterator[str]:
    """A line on the mistakes in a game's `counters.toml`, if it has any that do not keep counters from being drawn."""
    errors = list(counter_faults(game))
    if errors:
        more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
        yield f"{in_a_line(errors[0])}{more}; `module-builder check` lists all mistakes"


def symbol_faults(game: Game) -> Iterator[InputError]:
    """Symbols that cannot be drawn, and symbol words that are misspelt names.

    A word without a symbol is written out, so it may be meant. Only the first 500 words are compared with the names.
    """
    track, symbols = game.tracks.get(game.file.picture.symbol), Symbols(game)
    names = symbols.names
    for number, word in enumerate(dict.fromkeys([*(track.values if track else ()), *names])):
        try:
            drawn = symbols.symbol(word)
        except InputError as error:
            yield error
            continue
        if drawn is None and number < _COMPARED and (near := similar(word, names, 0.75, 1)):
            what = f"[{game.file.picture.symbol}] unknown symbol {word!r}"
            yield InputError(what, where=Where("tracks.toml"), hint=f"nearest known: {near[0]}")


def remarks(game: Game) -> Iterator[str]:
    """What of a game's counters is not drawn as it is meant, a line each: names that could be mixed up, text that has
    no room, letters that the face lacks, symbols that do not exist. Its files must be free of mistakes.
    """
    yield from _alike(game)
    yield from _lacking(game)
    yield from _off_the_counter(game)
    workshop = Workshop(game, Cut(), "colour", closely=True)
    yield from trouble_lines([*workshop.units(), *workshop.markers()], _COMPARED)


def _off_the_counter(game: Game) -> Iterator[str]:
    """Slots whose box reaches over the edge of a counter, or into the margin along the cut."""
    own, text = design(game).own, source(game)
    heads: list[tuple[tuple[str, ...], Mapping[str, Slot]]] = [((), own.slots)]
    for table in ("nations", "kinds", "units", "styles"):
        heads += [((table, name), style.slots) for name, style in getattr(own, table).items()]
    for path, slots in heads:
        for name, slot in slots.items():
            if slot.draw in ("ground", "stripe") or slot.box == Slot().box:
                continue
            area = Cut(rounded=False).area(slot.box, False)
            least = min(area.x, area.y, SIDE - area.x - area.width, SIDE - area.y - area.height)
            if least < MARGIN - 0.01:
                place = Where(FILE, line_of(text, (*path, "slots", name, "box")))
                how = f"reaches {-least:.2g} mm over the edge" if least < 0 else f"lies {least:.2g} mm from the cut"
                fault = f"[{'.'.join((*path, 'slots', name))}] box {how} of a counter of {SIDE:g} mm"
                yield f"{place}: {fault}; keep {MARGIN:g} mm free on all sides"


def _alike(game: Game) -> Iterator[str]:
    """Units whose names are the same but for case and spaces."""
    seen: dict[str, str] = {}
    for unit in game.roster:
        key = "".join(unit.casefold().split())
        if key in seen:
            yield f"counters {seen[key]} and {unit} have names that differ only in case or spaces; rename one"
        seen.setdefault(key, unit)


def _lacking(game: Game) -> Iterator[str]:
    """Counters that lack values on the back: some of them, or all though other counters of their kind have a back."""
    columns = Columns(game, "", "")
    known = {unit: columns.values(unit) for unit in game.roster}
    turned = {values.get(SYMBOL, "") for values in known.values() if columns.turned(values) is not None}
    counted = {track.below for track in game.tracks.values()}
    units_of: dict[tuple[str, str], list[str]] = {}
    for unit, values in known.items():
        has_back = columns.turned(values) is not None
        for number, (name, other) in enumerate(columns.behind.items()):
            front = values.get(name, "")
            alone = front == "1" and name in counted  # the last step has no reduced side
            wanted = not number and front not in ("", "0") and not alone and values.get(SYMBOL, "") in turned
            if other not in values and (front not in ("", "0") if has_back else wanted):
                units_of.setdefault((name, other), []).append(unit)
    for (name, other), units in units_of.items():
        others = f" (and {len(units) - 1} more)" if len(units) > 1 else ""
        yield f"counter {units[0]}{others} has {name}, but no {other} for the back; enter it, 0 if there is none"


class _Names:
    """The names in a game's own file, and what they may be. whole: the file merged with the built-in design."""

    def __init__(self, game: Game, own: CountersFile, whole: CountersFile) -> None:
        self.game, self.own, self.whole, self.text = game, own, whole, source(game)
        columns = Columns(game, whole.formation, whole.stripe)
        self.columns = [*columns.names, *OPTIONAL]
        self.printed = columns.printed

    def faults(self) -> Iterator[InputError]:
        """Every name that is unknown, every text, condition and colour that cannot be read."""
        own, picture, tracks = self.own, self.game.file.picture, self.game.tracks
        for spot in ("formation", "stripe"):
            if name := getattr(own, spot):
                yield from self._unknown((spot,), name, self.printed, "track printed on counters")
        for column in own.short:
            yield from self._unknown(("short", column), column, [UNIT, *self.printed], "track printed on counters")
        for unit in (
            own.short.get(UNIT, {}) if self.game.roster else ()
        ):  # without a roster, or with one that cannot be read
            yield from self._unknown(("short", UNIT, unit), unit, self.game.roster, "unit")
        for name, marker in own.markers.items():
            yield from self._unknown(("markers", name), name, tracks, "track")
            for key, fault in marker_faults(tracks[name], marker) if name in tracks else ():
                yield fault.told_as(f"[markers.{name}] {key}: {fault.what}", self._at("markers", name, key))
        heads: tuple[tuple[str, Mapping[str, Style], Iterable[str], str], ...] = (
            ("nations", own.nations, self._words(picture.nation), "nation"),
            ("kinds", own.kinds, self._words(picture.symbol), "word of a symbol"),
            ("units", own.units, self.game.roster or own.units, "unit"),
            ("styles", own.styles, own.styles, "style"),
            ("variants", own.variants, VARIANTS, "variant"),
        )
        yield from self._slots((), own.slots)
        for table, styles, known, what in heads:
            for name, style in styles.items():
                yield from self._unknown((table, name), name, known, what)
                if style.inherits:
                    yield from self._unknown((table, name, "inherits"), style.inherits, self.whole.styles, "style")
                if table == "styles" and (others := self._back_to(name)):
                    what = f"[styles.{name}] inherits itself, by way of {', '.join(others)}"
                    yield InputError(
                        what, where=self._at(table, name, "inherits"), hint="let one of them inherit nothing"
                    )
                extra = (WORD, VALUE, SIGN) if (table, name) == ("styles", "marker") else ()
                yield from self._slots((table, name), style.slots, extra)
                yield from self._colours((table, name), style.colours)
        yield from self._colours((), own.colours)

    def _back_to(self, name: str) -> list[str]:
        """The styles through which a style inherits itself."""
        line = [name]
        while (style := self.whole.styles.get(line[-1])) and style.inherits and style.inherits not in line:
            line.append(style.inherits)
        ends = self.whole.styles.get(line[-1])
        return line[1:] or line if ends and ends.inherits == name else []

    def _words(self, track: str) -> tuple[str, ...]:
        return self.game.tracks[track].values if track in self.game.tracks else ()

    def _unknown(self, path: tuple[str, ...], name: str, known: Iterable[str], what: str) -> Iterator[InputError]:
        if name not in known:
            yield unknown(f"[{'.'.join(path[:2])}]", name, known, what, "").at(self._at(*path))

    def _at(self, *path: str) -> Where:
        return Where(FILE, line_of(self.text, path))

    def _slots(
        self, path: tuple[str, ...], slots: Mapping[str, Slot], extra: Iterable[str] = ()
    ) -> Iterator[InputError]:
        for name, slot in slots.items():
            where = (*path, "slots", name)
            for spot, text in _texts(slot):
                read: Callable[[str], Condition | Pattern] = condition if spot == "when" else pattern
                yield from self._names_in(where, spot, text, read, extra)
            for spot in ("ink", "fill", "rim"):
                yield from self._colour((*where, spot), getattr(slot, spot))
            yield from self._box((*where, "box"), slot)

    def _names_in(
        self,
        where: tuple[str, ...],
        spot: str,
        text: str,
        read: Callable[[str], Condition | Pattern],
        extra: Iterable[str],
    ) -> Iterator[InputError]:
        try:
            names: tuple[str, ...] = read(text).names if text != FIGURES else ()
        except ValueError as error:
            yield InputError(f"[{'.'.join(where)}] {spot}: {error}", where=self._at(*where, spot))
            return
        for name in names:
            if name not in self.columns and name not in extra:
                fault = unknown(f"[{'.'.join(where)}] {spot}", name, self.columns, "column", "")
                yield fault.at(self._at(*where, spot))

    def _box(self, where: tuple[str, ...], slot: Slot) -> Iterator[InputError]:
        for length in slot.box:
            if isinstance(length, str) and not (length.endswith("%") and length[:-1].replace(".", "", 1).isdecimal()):
                what = f"[{'.'.join(where[:-1])}] box: {length!r} is not a length"
                yield InputError(what, where=self._at(*where), hint='write millimetres, or a share as in "50%"')

    def _colours(self, path: tuple[str, ...], colours: Mapping[str, str]) -> Iterator[InputError]:
        for name, words in colours.items():
            yield from self._colour((*path, "colours", name), words)

    def _colour(self, where: tuple[str, ...], words: str) -> Iterator[InputError]:
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
            yield InputError(f"[{'.'.join(where[:-1])}] {where[-1]}: {error}", where=self._at(*where))


def _texts(slot: Slot) -> Iterator[tuple[str, str]]:
    """The texts and conditions of a slot, each with the key that states it."""
    yield "when", slot.when
    yield from _choices("text", slot.text)
    for item in slot.items:
        if isinstance(item, Item):
            yield "when", item.when
            yield from _choices("items", item.text)
        else:
            yield "items", item


def _choices(spot: str, text: str | tuple[Choice | str, ...]) -> Iterator[tuple[str, str]]:
    for choice in (text,) if isinstance(text, str) else text:
        if isinstance(choice, Choice):
            yield "when", choice.when
            yield spot, choice.text
        else:
            yield spot, choice


# --- how a game looks -------------------------------------------------------------------------------------------------

_ALIKE = 5.0
"""Colours of allies may be as close as this, CIEDE2000."""
_LISTED = 5
_ASPECTS = {"nation": 1.0, "terrain": 0.0, "echelon": 0.0}
"""How wide own symbols are by the first word of their names, 60 to 40 for others; 0: as they like."""


def look_faults(game: Game) -> Iterator[InputError]:
    """Whole faces that cannot be drawn as they are meant, in the game's folder and in the owner's pack."""
    for file in filter(_is_face, _drawings(game, FACES)):
        try:
            read_face(file)
        except InputError as error:
            yield error


def _drawings(game: Game, name: str) -> Iterator[Traversable]:
    """The files of a folder of this name in the owner's pack, and in the game's own."""
    for home in (pack_folder(game.id), game.folder):
        folder = inner(home, name)
        names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else ()
        yield from (inner(folder, file) for file in names)


def _is_face(file: Traversable) -> bool:
    """Whether a file is a drawing or a picture of pixels by its name."""
    return file.name.rpartition(".")[2] in ENDINGS and not file.name.startswith(".")


def look_remarks(game: Game) -> Iterator[str]:
    """What may not be meant, a line each. The game's files must be free of mistakes."""
    yield from _close_sides(game)
    yield from _without_symbols(game)
    yield from _strange_faces(game)
    yield from _not_drawings(game)
    yield from _out_of_sight(game)


def _close_sides(game: Game) -> Iterator[str]:
    """Nations of two sides whose counters a player may mix up, and allies whose counters look the same."""
    track = game.tracks.get(game.file.picture.nation)
    nations = [nation for nation in (track.values if track else ()) if nation]
    palette = Palette(game.file.picture.colours, nations)
    side_of = {nation: side for side, members in game.file.sides.items() for nation in members}
    for one, other in combinations(nations, 2):
        allied = side_of.get(one, one) == side_of.get(other, other)
        colours = {one: palette.nation(one), other: palette.nation(other)}
        least = {"least": _ALIKE, "least_in_grey": 0.0} if allied else {}
        for close in too_close(colours, **least):
            named = " and ".join(f"{nation} {colour}" for nation, colour in colours.items())
            yield f"{named} are hard to tell apart {close.why}; choose other colours in [picture.colours] of game.toml"


def _without_symbols(game: Game) -> Iterator[str]:
    picture, symbols = game.file.picture, Symbols(game)
    track = game.tracks.get(picture.symbol)
    lacking = [word for word in (track.values if track else ()) if word and symbols.symbol(word) is None]
    if lacking:
        more = f" and {len(lacking) - _LISTED} more" if len(lacking) > _LISTED else ""
        words = ", ".join(lacking[:_LISTED]) + more
        hint = f"draw symbols/{lacking[0]}.svg, or see `module-builder symbols` for ours"
        yield f"no symbol for {words}: counters show the word; {hint}"


def _strange_faces(game: Game) -> Iterator[str]:
    """Files of faces that belong to no unit, and units whose names give the same file."""
    files: dict[str, str] = {}
    for unit in game.roster:
        for side in ("front", "back"):
            name = _stem(face_file(unit, side))
            if files.setdefault(name, unit) != unit:
                files[name] = f"{files[name]} and {unit}"
    for file in (face.name for face in _drawings(game, FACES) if _is_face(face)):
        stem = _stem(file)
        if stem not in files:
            near = similar(stem, files, 0.6, 1)
            ending = compose_accents(file).removeprefix(stem)
            yield f"{FACES}/{file} is the face of no unit" + (f"; nearest: {near[0]}{ending}" if near else "")
        elif " and " in files[stem] and files[stem] not in game.roster:
            yield f"{FACES}/{file} is the face of both {files[stem]}; rename a unit"


def _stem(file: str) -> str:
    """The name of a file without its ending, however a system writes its accents."""
    return compose_accents(file).rpartition(".")[0]


def _not_drawings(game: Game) -> Iterator[str]:
    """Files in the folders of drawings that cannot be drawn, and so are never shown."""
    for name, what in (
        (FOLDER, "drawings are, saved as {0}.svg"),
        (FACES, "drawings and pictures are, saved as {0}.svg or {0}.png"),
    ):
        for file in _drawings(game, name):
            is_used = file.name.endswith(".svg") or (name == FACES and _is_face(file))
            if not is_used and not file.name.startswith("."):
                yield f"{name}/{file.name} is not used: only {what.format(_stem(file.name) or file.name)}"


def _out_of_sight(game: Game) -> Iterator[str]:
    """Symbols of the game's own of which nothing lies within the viewBox."""
    from fontTools.pens.boundsPen import ControlBoundsPen
    from fontTools.svgLib.path.parser import parse_path

    symbols = Symbols(game)
    for name in symbols.own_names:
        symbol = symbols.symbol(name)
        pen = ControlBoundsPen(None)
        for path in symbol.paths if symbol else ():
            parse_path(path.data, pen)
        if symbol is None or pen.bounds is None:
            continue
        (x, y, width, height), (left, top, right, bottom) = symbol.view_box, pen.bounds
        wanted = _ASPECTS.get(name.partition("-")[0], 60 / 40)
        if wanted and not 0.8 < width / height / wanted < 1.25:
            side = f"{40 * wanted:g}"
            what = f"has a viewBox of {width:g} by {height:g}, which fills little of its place"
            yield f"{FOLDER}/{name}.svg {what}; one of {side} by 40 does"
        if right <= x or left >= x + width or bottom <= y or top >= y + height:
            yield f"{FOLDER}/{name}.svg shows nothing: all of it lies outside its viewBox; move it, or change the viewBox"
