"""The counters of a game, one for each unit of its roster, and its markers; many in one picture, and each as a file."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from assistant.drawing.lettering import FIGURE_HEIGHT as CAP
from assistant.drawing.lettering import POINT, READABLE, fit_lines, text_width
from assistant.drawing.scene import Bitmap, Layer, Rectangle, Scene, Symbol, Text, inset
from assistant.game.games import Game, read_game
from assistant.game.lint.files import COLOUR
from assistant.pictures.colours import ink_on
from assistant.pictures.style import NO_STRIPE, PAPER, Palette
from assistant.pictures.symbols import FACES, Faces, Symbols
from assistant.state.tracks import NONE, Track, Value
from assistant.util.console import count_text
from assistant.util.errors import InputError, Where, plain, suggested
from assistant.util.files import saves
from assistant.util.saving import write_all, write_whole

from .design import FILE, Design, Inks, Look, MarkerDesign, Side, design, nation_palette, plain_inks, stripe_places
from .expressions import FORMATION, NATION, SIGN, STRIPE, SYMBOL, UNIT, VALUE, WORD, Columns, figures
from .faces import SIDE, Composer, Cut, Layout, Trouble

if TYPE_CHECKING:
    from assistant.drawing.pdf import Page


_MOST = 20
_PLAIN = "#57534b"


class Face(NamedTuple):
    """One side of a marker. word: above the text, "" for none; sign: its symbol, "" for none; title: what it states, in
    words; colour: #rrggbb.
    """

    word: str
    text: str
    sign: str
    title: str
    colour: str


class Marking(NamedTuple):
    """A marker: its sides, how many there are, and the nation that it belongs to, "" for none."""

    name: str
    front: Face
    back: Face
    count: int  # type: ignore[assignment]  # a field, as in a list of pieces
    nation: str

    @property
    def in_words(self) -> str:
        """The words on the marker, such as "Steps lost -1 / -2"; without any, its title and its texts."""
        texts = dict.fromkeys(face.text for face in (self.front, self.back))
        what = self.front.word or self.front.title.partition(":")[0]
        return f"{what} {' / '.join(texts)}"


def marker_colour(game: Game, track: Track, value: Value, palette: Palette | None = None) -> str:
    """The colour of the tag or marker that states a value: of the side that it names, else that of the track."""
    members = game.file.sides.get(str(value)) if track.kind == "choice" else None
    if members:
        return (palette or nation_palette(game)).inks(members[0]).strong
    colour = track.module.colour if track.module else _PLAIN
    if not COLOUR.fullmatch(colour):
        what = f"[{track.name}.module] colour {colour!r} is not a colour"
        raise InputError(what, where=Where("tracks.toml"), hint="write it as #rrggbb")
    return colour


def marker_faults(track: Track, wanted: MarkerDesign) -> Iterator[tuple[str, InputError]]:
    """What is wrong in `[markers.TRACK]`, each with the key that states it."""
    if wanted.colour and not COLOUR.fullmatch(wanted.colour):
        yield "colour", InputError(f"{wanted.colour!r} is not a colour", hint="write it as #rrggbb")
    for pair in wanted.pairs:
        if not 1 <= len(pair) <= 2:
            hint = "write [FRONT, BACK], or [FRONT] for both sides"
            yield "pairs", InputError(f"a marker shows one value or two, not {len(pair)}", hint=hint)
        yield from (("pairs", fault) for value in pair for fault in _no_value(track, str(value)))
    for key, values in (("shows", wanted.shows), ("symbols", wanted.symbols)):
        yield from ((key, fault) for value in values for fault in _no_value(track, value))


def _no_value(track: Track, written: str) -> Iterator[InputError]:
    try:
        if written != NONE:
            track.parse(written)
    except InputError as error:
        yield error


def markings(game: Game, design: Design, palette: Palette) -> Iterator[Marking]:
    """The markers of a game, in the order of its tracks. Raises InputError for the first mistake in `[markers]`, or in
    a colour.
    """
    stated = design.file.markers
    for track in game.tracks.values():
        wanted = stated.get(track.name)
        for key, fault in marker_faults(track, wanted) if wanted else ():
            raise fault.told_as(f"[markers.{track.name}] {key}: {fault.what}", Where(FILE))
        shown = track.module is not None and track.kind != "text" and not track.module.flips and bool(track.module.tag)
        if (wanted is None and not (shown and track.on in ("unit", "hex"))) or (wanted and wanted.left_out):
            continue
        yield from _of_track(game, palette, track, wanted or MarkerDesign())


def _of_track(game: Game, palette: Palette, track: Track, wanted: MarkerDesign) -> Iterator[Marking]:
    for pair in _pairs(track, wanted):
        faces = [_face(game, palette, track, wanted, value) for value in pair]
        name = f"{track.name} {'/'.join(track.write(value) for value in pair)}"
        nation = next((game.file.sides[str(value)][0] for value in pair if str(value) in game.file.sides), "")
        yield Marking(name, faces[0], faces[-1], wanted.count, nation)


def _pairs(track: Track, wanted: MarkerDesign) -> Sequence[Sequence[Value]]:
    if wanted.pairs:
        return [[track.parse(str(value)) for value in pair] for pair in wanted.pairs]
    loud = [value for value in track.in_turn(_MOST) if track.absent is None or value != track.absent]
    return [loud[at : at + 2] for at in range(0, len(loud), 2)]


def _face(game: Game, palette: Palette, track: Track, wanted: MarkerDesign, value: Value) -> Face:
    written = track.write(value)
    text = wanted.shows.get(written) or (wanted.text.replace("{}", written) if wanted.text else track.tag(value))
    colour = wanted.colour or marker_colour(game, track, value, palette)
    symbol = wanted.symbol or game.file.picture.markers.get(track.name, "")
    sign = wanted.symbols.get(written) or symbol.replace("{}", written)
    return Face(wanted.word, text, sign, f"{track.title}: {written}", colour)


MARKER = 12.8
"""The side of a marker, in millimetres."""
_PIXEL = SIDE / 75
_LEAST = READABLE * POINT


def _centre(text: str, x: float, base: float, size: float, fill: str) -> Text:
    return Text(x=x, y=base, text=text, size=size, anchor="middle", bold=True, fill=fill)


def badge(text: str, colour: str) -> Scene:
    """A small tag over a counter for its status, as wide as its text: "-3", "D1", "LOW".

    colour: #rrggbb. Raises InputError for another one.
    """
    Palette({"badge": colour})
    high, size = 14 * _PIXEL, 11 * _PIXEL
    wide = max(text_width(text, size, bold=True) + 1.2, high)
    wide = round(wide / _PIXEL) * _PIXEL
    rim = 0.9 * _PIXEL
    ink = ink_on(colour)
    body = inset(0, 0, wide, high, rim / 2, radius=0.6, fill=colour, stroke=ink, stroke_width=rim)
    words = _centre(text, wide / 2, high / 2 + size * CAP / 2, size, ink)
    return Scene(width=wide, height=high, title=text, layers=(Layer("badge", (body, words)),))


def face_down(tint: str) -> Scene:
    """A counter face down: its tint and a question mark. tint: #rrggbb."""
    ink, rim = ink_on(tint), 2 * _PIXEL
    whole = Rectangle(x=0, y=0, width=SIDE, height=SIDE, radius=1.3, fill=tint)
    frame = inset(0, 0, SIDE, SIDE, rim, radius=0.9, stroke=ink, stroke_width=rim)
    sign = _centre("?", SIDE / 2, SIDE / 2 + 10.0 * CAP / 2, 10.0, ink)
    return Scene(width=SIDE, height=SIDE, title="face down", layers=(Layer("counter", (whole, frame, sign)),))


def marker(title: str, text: str, colour: str) -> Scene:
    """A marker for a hex, smaller than a counter: a few letters in a frame.

    title: what it is, in words. colour: #rrggbb. Raises InputError for another one.
    """
    Palette({"marker": colour})
    side, ink = MARKER, ink_on(colour)
    frame = 3 * _PIXEL
    outer = Rectangle(x=0, y=0, width=side, height=side, radius=2.2, fill=colour)
    inner = inset(0, 0, side, side, frame, radius=1.6, stroke=ink, stroke_width=1.2 * _PIXEL)
    room = side - 2 * frame - 1.6
    words = fit_lines(text, 19 * _PIXEL, room, room, least=_LEAST, bold=True)
    base = side / 2 + words.size * CAP / 2 - words.size * 1.05 * (len(words.lines) - 1) / 2
    lines = (
        _centre(line, side / 2, base + n * words.size * 1.05, words.size, ink) for n, line in enumerate(words.lines)
    )
    return Scene(width=side, height=side, title=title, layers=(Layer("marker", (outer, inner, *lines)),))


# --- counters ---------------------------------------------------------------------------------------------------------

Variant = Literal["colour", "low-ink"]


class Counter(NamedTuple):
    """A counter. unit: its type in the roster; title: all that is printed on it, in words; back: None if it has none.

    doubtful: the tracks whose shown value is made up or assumed; side: the counter's side when cut, in millimetres;
    bleed: how far its ground runs on beyond each edge, in millimetres (the scenes are `side + 2 * bleed` wide and
    high); formation, nation: as the roster names them, "" if unknown; ground: the colour at its edges, as #rrggbb;
    count: how many of it the game has; is_marker: whether it is a marker instead of a unit; is_plain_behind: whether
    the back shows no values; troubles: what of it could not be drawn as it is meant; name: what people call it, the
    words on it for a marker.
    """

    unit: str
    title: str
    front: Scene
    back: Scene | None
    doubtful: tuple[str, ...]
    side: float
    bleed: float
    formation: str
    nation: str
    ground: str
    count: int = 1  # type: ignore[assignment]  # a field, as in a list of pieces
    is_marker: bool = False
    is_plain_behind: bool = False
    troubles: tuple[Trouble, ...] = ()
    name: str = ""


class Workshop:
    """Makes the counters of a game on one die. Raises InputError for the first mistake in its `counters.toml`."""

    def __init__(self, game: Game, cut: Cut, variant: str, *, closely: bool = False) -> None:
        self.game, self.cut, self.variant = game, cut, variant
        self.design = design(game)
        file = self.design.file
        self.columns = Columns(game, file.formation, file.stripe)
        self.palette = nation_palette(game)
        self.stripes = stripe_places(game, file.stripe)
        self.composer = Composer(Symbols(game), self.palette, cut, self.columns.aliases, closely=closely)
        self._faces = Faces(game)
        self._figures = figures(game)
        self._known = frozenset((UNIT, WORD, VALUE, SIGN, *self.columns.printed, *self.columns.aliases))
        self._layouts: dict[int, Layout] = {}
        self._inks: dict[tuple[str, str, int], Inks] = {}

    def layout(self, look: Look) -> Layout:
        """A look laid out on the die."""
        if id(look) not in self._layouts:
            self._layouts[id(look)] = Layout(look, self.cut, self._figures, self._known)
        return self._layouts[id(look)]

    def inks(self, nation: str, formation: str, look: Look) -> Inks:
        """The colours of a counter of a formation of a nation."""
        key = (nation, formation, id(look))
        if key not in self._inks:
            number = self.stripes.get((nation, formation))
            stripe = NO_STRIPE if number is None else self.palette.stripe(nation, number)
            strong = self.palette.inks(nation).strong
            self._inks[key] = Inks(self.palette.nation(nation), strong, stripe, look.colours)
        return self._inks[key]

    def units(self) -> Iterator[Counter]:
        """A counter for every unit type of the roster, in its order."""
        for unit in self.game.roster:
            yield self.counter(unit)

    def counter(self, unit: str) -> Counter:
        """The counter of a unit type."""
        values = self.columns.values(unit)
        nation, cut = values.get(NATION, ""), self.cut
        look = self.design.look(nation, values.get(SYMBOL, ""), unit, self.variant)
        layout = self.layout(look)
        inks = self.inks(nation, values.get(STRIPE, ""), look)
        turned = self.columns.turned(values)
        title = self.columns.title(values, False)
        title_behind = self.columns.title(turned, True) if turned else f"{unit}: plain back"
        edge = self.composer.edge(layout, values, inks)

        own_front, own_back = self._own_face(unit, "front"), self._own_face(unit, "back")
        if own_front:
            front = self.composer.whole(own_front, edge, title)
        else:
            front = self.composer.face(layout, "front", values, self._short(values), inks, title)
        if own_back:
            back = self.composer.whole(own_back, edge, title_behind)
        else:
            behind = turned or values
            side: Side = "back" if turned else "plain"
            back = self.composer.face(layout, side, behind, self._short(behind), inks, title_behind)
        names = layout.names | ({self.columns.behind.get(name, name) for name in layout.names} if turned else set())
        return Counter(
            unit,
            title,
            front,
            back,
            self.columns.doubtful(unit, names),
            cut.side,
            cut.bleed,
            values.get(FORMATION, ""),
            nation,
            edge,
            count=look.count or 1,
            is_plain_behind=turned is None and own_back is None,
            troubles=self.composer.take_troubles(),
            name=unit,
        )

    def _own_face(self, unit: str, side: Literal["front", "back"]) -> Symbol | Bitmap | None:
        try:
            return self._faces.face(unit, side)
        except InputError as error:
            raise error.told_as(f"{error.what} (counter {unit}, its {side})", error.where or Where(FACES)) from None

    def _short(self, values: Mapping[str, str]) -> Mapping[str, str]:
        short = self.design.file.short
        changed = {
            name: table[word] for name, table in short.items() if (word := values.get(name, "")) and word in table
        }
        if not changed:
            return values
        for alias, track in self.columns.aliases.items():
            if track in changed:
                changed.setdefault(alias, changed[track])
            elif alias in changed:
                changed.setdefault(track, changed[alias])
        return {**values, **changed}

    def markers(self) -> Iterator[Counter]:
        """The markers of the game, a counter for every front with its back."""
        for marking in markings(self.game, self.design, self.palette):
            yield self._marker(marking)

    def _marker(self, marking: Marking) -> Counter:
        look = self.design.named("marker", self.variant)
        layout, cut = self.layout(look), self.cut
        scenes = []
        for face in (marking.front, marking.back):
            values = {UNIT: marking.name, WORD: face.word, VALUE: face.text, SIGN: face.sign}
            inks = plain_inks(face.colour, look.colours)
            scenes.append(self.composer.face(layout, "front", values, values, inks, face.title))
        title = " / ".join(dict.fromkeys(scene.title for scene in scenes))
        inks = plain_inks(marking.front.colour, look.colours)
        words = "", marking.nation, self.composer.edge(layout, {}, inks)
        return Counter(
            marking.name,
            title,
            scenes[0],
            scenes[1],
            (),
            cut.side,
            cut.bleed,
            *words,
            count=marking.count,
            is_marker=True,
            troubles=self.composer.take_troubles(),
            name=marking.in_words,
        )


def counters(
    game: Game, *, side: float = SIDE, bleed: float = 0.0, variant: Variant = "colour", rounded: bool = True
) -> list[Counter]:
    """A counter for every unit type of a game's roster, in its order.

    side: of a counter when cut, in millimetres; bleed: how far grounds run on beyond each edge, in millimetres;
    variant: of its design; rounded: whether its corners are round, as on a screen, instead of square, as on a sheet
    that is cut.

    Raises InputError for a mistake in `counters.toml`, or a colour that is not one.
    """
    return _units(Workshop(game, Cut(side, bleed, rounded), variant))


def _units(workshop: Workshop) -> list[Counter]:
    try:
        return list(workshop.units())
    except InputError:
        raise
    except ValueError as error:
        hint = "`module-builder check` lists all mistakes"
        raise InputError(str(error), where=Where(FILE), hint=hint) from None


def markers(
    game: Game, *, side: float = SIDE, bleed: float = 0.0, variant: Variant = "colour", rounded: bool = True
) -> list[Counter]:
    """The markers of a game, each front with its back. The arguments are those of `counters`."""
    return list(Workshop(game, Cut(side, bleed, rounded), variant).markers())


def counters_and_markers(game: Game, cut: Cut, variant: Variant) -> list[Counter]:
    """The counters of a game, then its markers. Raises InputError as `counters` does."""
    workshop = Workshop(game, cut, variant)
    return [*_units(workshop), *workshop.markers()]


def choose_counters(made: Sequence[Counter], only: Sequence[str]) -> list[Counter]:
    """The counters of these names, each as often as it is named: units, or markers by their words, track or name.

    Raises InputError for a name that none has.
    """
    picked: list[Counter] = []
    for name, times in Counts(only).items():
        some = [counter for counter in made if name in (counter.unit, counter.name)]
        some = some or [counter for counter in made if counter.is_marker and counter.unit.partition(" ")[0] == name]
        if not some:
            known = dict.fromkeys(word for counter in made for word in (counter.unit, counter.name) if word)
            raise InputError(f"unknown counter {name!r}", where=Where("--only"), hint=suggested(name, known))
        picked += [counter._replace(count=times) for counter in some]
    order = {counter.unit: number for number, counter in enumerate(made)}
    return sorted(picked, key=lambda counter: order[counter.unit])


def trouble_lines(made: Iterable[Counter], most: int = 10) -> Iterator[str]:
    """What of these counters could not be drawn as it is meant, in at most so many lines: which counter, which slot,
    what to do.
    """
    units_with: dict[Trouble, list[str]] = {}
    for counter in made:
        for trouble in counter.troubles:
            units_with.setdefault(trouble, []).append(counter.unit)
    for number, ((slot, what, hint), units) in enumerate(units_with.items()):
        if number == most:
            yield f"and {len(units_with) - most} more of this kind; `module-builder check` names them"
            return
        others = f" (and {len(units) - 1} more)" if len(units) > 1 else ""
        yield plain(f"counter {units[0]}{others}, slot {slot}: {what}; {hint}")


# --- pictures of many -------------------------------------------------------------------------------------------------

#: Faces in a line, of a few and of many, and the room between them.
_FEW, _ABREAST, _GAP = 8, 14, 1.5


def sides(made: Sequence[Counter], *, plain: bool = True) -> dict[tuple[str, str], Scene]:
    """The drawing of each side of counters, by unit and "front" or "back". plain: whether backs without values are
    among them.
    """
    fronts = {(counter.unit, "front"): counter.front for counter in made}
    backs = (counter for counter in made if plain or not counter.is_plain_behind)
    return fronts | {(counter.unit, "back"): counter.back for counter in backs if counter.back}


def pictures(made: Sequence[Counter], dpi: float) -> dict[tuple[str, str], bytes]:
    """A PNG of each side of counters, by unit and "front" or "back". dpi: pixels to the inch."""
    from assistant.drawing.png import to_png

    scenes = sides(made)
    return dict(zip(scenes, to_png(list(scenes.values()), dpi / 25.4), strict=True))


def page(made: Sequence[Counter]) -> Page:
    """All counters on one page, each front with its back beside it."""
    from assistant.drawing.pdf import Page, PlacedScene

    lines: list[list[Scene]] = [[]]
    pairs = [[face for face in (counter.front, counter.back) if face] for counter in made]
    abreast = _FEW if len(pairs) <= _FEW else _ABREAST
    for pair in pairs:
        if len(lines[-1]) + len(pair) > abreast:
            lines.append([])
        lines[-1] += pair
    side = max((counter.front.width for counter in made), default=0.0)
    step = side + _GAP
    width, height = _GAP + step * max(map(len, lines)), _GAP + step * len(lines)
    paper = Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)
    ground = Scene(width=width, height=height, title="", layers=(Layer("paper", (paper,)),))
    placed = [
        PlacedScene(scene, _GAP + column * step, _GAP + number * step, side, side)
        for number, line in enumerate(lines)
        for column, scene in enumerate(line)
    ]
    return Page(width, height, (PlacedScene(ground, 0, 0, width, height), *placed))


def overview(made: Sequence[Counter], dpi: float) -> bytes:
    """One PNG with all counters, each front with its back beside it. dpi: pixels to the inch."""
    from assistant.drawing.png import page_to_png

    return page_to_png(page(made), dpi / 25.4)


class Wish(NamedTuple):
    """How counters are wanted. only: these units and markers, () for all; markers: none but markers; dpi: pixels to the
    inch; side, bleed: in millimetres.
    """

    only: tuple[str, ...]
    markers: bool
    dpi: int
    side: float
    bleed: float
    variant: Variant
    rounded: bool


def wanted_counters(game: Game, wish: Wish) -> list[Counter]:
    """The counters and markers that are wanted. Raises InputError for an unknown one."""
    made = counters_and_markers(game, Cut(wish.side, wish.bleed, wish.rounded), wish.variant)
    some = choose_counters(made, wish.only) if wish.only else made
    return [counter for counter in some if counter.is_marker or not wish.markers]


def _in_words(made: Iterable[Counter]) -> str:
    flags = [counter.is_marker for counter in made]
    parts = (
        (count_text(flags.count(False), "counter"), flags.count(False)),
        (count_text(sum(flags), "marker"), sum(flags)),
    )
    return " and ".join(words for words, count in parts if count) or "no counter"


def draw_files(
    game: Game, wish: Wish, folder: Path, named: Callable[[str, str], str], *, svg: bool, force: bool
) -> list[str]:
    """Write a picture of each side into a folder. named: the name of the PNG file of a side.

    The line that says so comes after those that say what spoils them.
    """
    from assistant.drawing.png import with_resolution

    made = wanted_counters(game, wish)
    files: dict[str, bytes] = {}
    if svg:
        from assistant.drawing.svg import to_svg

        for (unit, side), scene in sides(made).items():
            files[named(unit, side).replace(".png", ".svg")] = to_svg(scene).encode()
    else:
        for (unit, side), data in pictures(made, wish.dpi).items():
            files[named(unit, side)] = with_resolution(data, wish.dpi / 25.4)
    write_all(folder, files, force=force)
    others = [] if wish.only or wish.markers else strangers(folder, files)
    return [*trouble_lines(made), *others, f"{folder}: {count_text(len(files), 'picture')} of {_in_words(made)}"]


def strangers(folder: Path, files: Container[str]) -> list[str]:
    """A line on the pictures in a folder that are none of these files, such as those of units that have another name
    now.
    """
    others = sorted(
        file.name for file in folder.iterdir() if file.suffix in (".png", ".svg") and file.name not in files
    )
    if not others:
        return []
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    return [f"{folder} also holds {others[0]}{more}, not made by this run; delete what an earlier run left"]


def draw_overview(game: Game, wish: Wish, file: Path, *, force: bool) -> list[str]:
    """Write one picture of all counters. The line that says so comes after those that say what spoils them."""
    from assistant.drawing.png import with_resolution

    made = wanted_counters(game, wish)
    write_whole(file, with_resolution(overview(made, wish.dpi), wish.dpi / 25.4), force=force)
    return [*trouble_lines(made), f"{file}: {_in_words(made)}"]


def watch_drawing(game: Game, wish: Wish, file: Path) -> Iterator[str]:
    """Draw the overview anew each time a file of the game's folder is saved, and say so; a mistake in the files is said
    instead.
    """
    for _ in saves(Path(str(game.folder)), file):
        try:
            now = read_game(game.id, game.folder, game.made_by, game.home).under(game.overlay)
            yield from draw_overview(now, wish, file, force=True)
        except InputError as error:
            yield str(error)
