"""The counters of a game: one for each unit of its roster, and its markers."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated, Literal, NamedTuple

from assistant.drawing.faces import FACES, Faces
from assistant.drawing.scene import Bitmap, Scene, Symbol
from assistant.drawing.style import NO_STRIPE, palette_of
from assistant.drawing.symbols import Symbols
from assistant.game.games import Game
from assistant.state.tracks import Track, Value
from assistant.util.errors import InputError, Where, format_suggestion, plain
from assistant.util.notes import note

from .columns import FORMATION, ILLUSTRATIVE, NATION, SIGN, STRIPE, UNIT, VALUE, WORD, Columns, figure_columns
from .design import FILE, CounterDesign, Side, Variant, read_design
from .faces import DESIGN_SIDE_MM, Composer, CounterPart, Cut, Layout, Trouble
from .inks import Inks, plain_inks, stripe_places
from .markings import Face, Marking, markings, stated_face
from .trims import Trim, parse_cut


class Counter(NamedTuple):
    """A counter. Lengths are in mm, and its scenes are `side + 2 * bleed` wide and high."""

    unit: Annotated[str, note("the type in the roster")]
    title: Annotated[str, note("all that is printed on it, in words")]
    front: Scene
    back: Scene | None
    doubtful: Annotated[tuple[str, ...], note("the tracks whose shown value is made up or assumed")]
    side: Annotated[float, note("the counter's side when cut")]
    bleed: Annotated[float, note("width of the ground beyond each edge of the counter")]
    formation: Annotated[str, note('name of the formation in the roster, "" if unknown')]
    nation: str
    ground: Annotated[str, note("the colour at its edges, as #rrggbb")]
    count: int = 1  # type: ignore[assignment]  # a field, as in a list of pieces
    is_marker: bool = False
    is_plain_behind: Annotated[bool, note("whether the back shows no values")] = False
    troubles: Annotated[tuple[Trouble, ...], note("faults of the design that showed when the counter was drawn")] = ()
    name: Annotated[str, note("name of the unit, or the words on a marker")] = ""
    trim: Annotated[Trim | None, note("its shape and size when cut, None for the square of its side")] = None


class _Reading(NamedTuple):
    """The values and the look of a unit's counter."""

    values: Mapping[str, str]
    turned: Mapping[str, str] | None
    """The values of the back, or None if it has none."""
    layout: Layout
    inks: Inks
    doubtful: tuple[str, ...]
    """The tracks whose value on the front is made up or assumed."""
    doubtful_behind: tuple[str, ...]
    cut: str
    """The shape and size that the design states, or ""."""

    @property
    def front(self) -> Mapping[str, str]:
        """The values of the front, and whether one of them is made up or assumed."""
        return {ILLUSTRATIVE: "yes", **self.values} if self.doubtful else self.values

    @property
    def behind(self) -> Mapping[str, str]:
        values = self.turned or self.values
        return {ILLUSTRATIVE: "yes", **values} if self.doubtful_behind else values

    @property
    def back_side(self) -> Side:
        return "back" if self.turned else "plain"


class Workshop:
    """Makes the counters of a game on one die.

    `open_backs`: whether backs that would hide their unit show its values.
    `faces`: the game's whole faces, if the caller has read them.
    `trims`: whether counters with a shape and size of their own in `counters.toml` get them.

    Raises InputError for the first mistake in its `counters.toml`.
    """

    trim: Trim | None = None
    """The shape and size of its counters, or None for squares."""

    def __init__(
        self,
        game: Game,
        cut: Cut,
        variant: Variant,
        *,
        open_backs: bool = False,
        closely: bool = False,
        faces: Faces | None = None,
        trims: bool = False,
    ) -> None:
        self.game, self.cut, self.variant = game, cut, variant
        self._trims, self._open_backs, self._others = trims, open_backs, dict[str, Workshop]()
        self.design = read_design(game)
        file = self.design.file
        self._shows_same = file.backs == "same" or (file.backs == "anonymous" and open_backs)
        self.columns = Columns(game, file.formation, file.stripe)
        self.palette = palette_of(game)
        self.stripes = stripe_places(game, file.stripe)
        self.composer = Composer(Symbols(game), self.palette, cut, self.columns.aliases, closely=closely)
        self._faces = faces or Faces(game)
        self._figures = figure_columns(game)
        self._known = frozenset((UNIT, ILLUSTRATIVE, WORD, VALUE, SIGN, *self.columns.printed, *self.columns.aliases))
        self._layouts: dict[int, Layout] = {}
        self._inks: dict[tuple[str, str, int], Inks] = {}

    def _workshop_for(self, cut: str) -> Workshop:
        """Return the workshop for counters of a cut, this one for "".

        Raises InputError if the cut cannot be read.
        """
        if not (self._trims and cut):
            return self
        if cut not in self._others:
            try:
                trim = parse_cut(cut)
            except InputError as error:
                raise error.told_as(f"cut: {error.what}", Where(FILE)) from None
            side = trim.design_side
            own = Cut(side, (max(trim.width, trim.height) - side) / 2 + self.cut.bleed, False)
            other = Workshop(self.game, own, self.variant, open_backs=self._open_backs, faces=self._faces)
            other.trim = trim
            self._others[cut] = other
        return self._others[cut]

    def layout(self, look: CounterDesign) -> Layout:
        if id(look) not in self._layouts:
            self._layouts[id(look)] = Layout(look, self.cut, self._figures, self._known)
        return self._layouts[id(look)]

    def inks(self, nation: str, formation: str, look: CounterDesign) -> Inks:
        key = (nation, formation, id(look))
        if key not in self._inks:
            number = self.stripes.get((nation, formation))
            stripe = NO_STRIPE if number is None else self.palette.stripe(nation, number)
            strong = self.palette.inks(nation).strong
            self._inks[key] = Inks(self.palette.nation(nation), strong, stripe, look.colours)
        return self._inks[key]

    def units(self) -> Iterator[Counter]:
        for unit in self.game.counters:
            yield self.counter(unit)

    def units_with_alternatives(self) -> Iterator[Counter]:
        """Yield a counter for every unit type, each followed by its alternatives in `[alternatives]`."""
        others: dict[str, list[str]] = {}
        for name, other in self.design.file.alternatives.items():
            if other.of not in self.game.counters:
                hint = format_suggestion(other.of, self.game.counters)
                raise InputError(f"[alternatives.{name}] of: unknown unit {other.of!r}", where=Where(FILE), hint=hint)
            others.setdefault(other.of, []).append(name)
        for unit in self.game.counters:
            yield self.counter(unit)
            for name in others.get(unit, ()):
                yield self.counter(unit, name)

    def counter(self, unit: str, alternative: str = "") -> Counter:
        """Return the counter of a unit type. `alternative`: the name of another counter of it, or "" for its own."""
        read = self._read(unit, alternative)
        if (other := self._workshop_for(read.cut)) is not self:
            return other.counter(unit, alternative)
        values, turned, layout, inks, cut = read.values, read.turned, read.layout, read.inks, self.cut
        named = alternative or unit
        title = self.columns.title(values, back=False)
        edge = self.composer.edge_colour(layout, values, inks)
        own_front, own_back = self._read_own_face(named, "front"), self._read_own_face(named, "back")
        back_title = (
            self.columns.title(turned, back=True) if turned else f"{named}: {'back' if own_back else 'plain back'}"
        )
        if own_front:
            front = self.composer.draw_own_face(own_front, edge, title)
        else:
            shown = read.front
            front = self.composer.draw_face(layout, "front", shown, self._shorten(shown), inks, title)
        if own_back:
            back = self.composer.draw_own_face(own_back, edge, back_title)
        else:
            behind = read.behind
            back = self.composer.draw_face(layout, read.back_side, behind, self._shorten(behind), inks, back_title)
        return Counter(
            named,
            title,
            front,
            back,
            tuple(dict.fromkeys((*read.doubtful, *read.doubtful_behind))),
            cut.side,
            cut.bleed,
            values.get(FORMATION, ""),
            values.get(NATION, ""),
            edge,
            count=self.game.counters[unit],
            is_plain_behind=turned is None and own_back is None,
            troubles=self.composer.take_troubles(),
            name=named,
            trim=self.trim,
        )

    def parts(self, unit: str, side: Literal["front", "back"]) -> list[CounterPart]:
        """Return what a reader sees on one side of a unit's counter, or nothing if an author has drawn the face."""
        if self._read_own_face(unit, side):
            return []
        read = self._read(unit)
        shown, drawn = (read.front, side) if side == "front" else (read.behind, read.back_side)
        aliases = self.columns.aliases
        return [
            part._replace(names=tuple(dict.fromkeys(aliases.get(name, name) for name in part.names)))
            for part in self.composer.list_parts(read.layout, drawn, shown, self._shorten(shown), read.inks)
        ]

    def _read(self, unit: str, alternative: str = "") -> _Reading:
        other = self.design.file.alternatives.get(alternative)
        changed = {name: str(value) for name, value in other.values.items()} if other else {}
        values = self.columns.replaced(self.columns.values(unit), changed)
        nation = values.get(NATION, "")
        look = self.design.look(nation, self.columns.kind(values), unit, self.variant, alternative)
        layout = self.layout(look)
        turned = self._values_behind(values)
        return _Reading(
            values,
            turned,
            layout,
            self.inks(nation, values.get(STRIPE, ""), look),
            self.columns.doubtful(unit, layout.names - changed.keys()),
            self.columns.doubtful(unit, self._names_behind(layout) - changed.keys()) if turned else (),
            look.cut,
        )

    def _values_behind(self, values: Mapping[str, str]) -> Mapping[str, str] | None:
        if self._shows_same:
            return values
        return None if self.design.file.backs == "anonymous" else self.columns.turned(values)

    def _names_behind(self, layout: Layout) -> frozenset[str]:
        if self._shows_same:
            return layout.names
        return frozenset(self.columns.back_columns.get(name, name) for name in layout.names)

    def _read_own_face(self, unit: str, side: Literal["front", "back"]) -> Symbol | Bitmap | None:
        try:
            return self._faces.face(unit, side)
        except InputError as error:
            raise error.told_as(f"{error.what} (counter {unit}, its {side})", error.where or Where(FACES)) from None

    def _shorten(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Return the values of a counter with short forms of their words, by every name of each column."""
        short = self.design.file.short
        changed: dict[str, str] = {}
        for name, table in short.items():
            word = values.get(name)
            if word and word in table:
                changed[name] = table[word]
        if not changed:
            return values
        for alias, track in self.columns.aliases.items():
            if track in changed:
                changed.setdefault(alias, changed[track])
            elif alias in changed:
                changed.setdefault(track, changed[alias])
        return {**values, **changed}

    def markers(self) -> Iterator[Counter]:
        for marking in markings(self.game, self.design, self.palette):
            yield self._make_marker(marking)

    def _make_marker(self, marking: Marking) -> Counter:
        look = self.design.named("marker", self.variant)
        if (other := self._workshop_for(marking.cut or look.cut)) is not self:
            return other._make_marker(marking)
        layout, cut = self.layout(look), self.cut
        scenes = [self._draw_marker_face(look, layout, face) for face in (marking.front, marking.back)]
        title = " / ".join(dict.fromkeys(scene.title for scene in scenes))
        inks = plain_inks(marking.front.colour, look.colours)
        return Counter(
            marking.name,
            title,
            scenes[0],
            scenes[1],
            (),
            cut.side,
            cut.bleed,
            "",
            marking.nation,
            self.composer.edge_colour(layout, {}, inks),
            count=marking.count,
            is_marker=True,
            troubles=self.composer.take_troubles(),
            name=marking.in_words,
            trim=self.trim,
        )

    def _draw_marker_face(self, look: CounterDesign, layout: Layout, face: Face) -> Scene:
        if own := self._read_own_face(face.name, "front"):
            return self.composer.draw_own_face(own, face.colour, face.title)
        values = {UNIT: face.name, WORD: face.word, VALUE: face.text, SIGN: face.sign}
        inks = plain_inks(face.colour, look.colours)
        return self.composer.draw_face(layout, "front", values, values, inks, face.title)

    def marker_face(self, track: Track, value: Value) -> Scene:
        look = self.design.named("marker", self.variant)
        face = stated_face(self.game, self.palette, track, self.design.file.markers.get(track.name), value)
        return self._draw_marker_face(look, self.layout(look), face)


def marker_faces(game: Game, stated: Iterable[tuple[Track, Value]]) -> list[Scene]:
    """Return the faces of the printed markers that state these values, with round corners.

    Raises InputError as `design_counters` does.
    """
    workshop = Workshop(game, Cut(DESIGN_SIDE_MM, 0.0, True), "colour")
    return [workshop.marker_face(track, value) for track, value in stated]


def design_counters(
    game: Game,
    *,
    side: float = DESIGN_SIDE_MM,
    bleed: float = 0.0,
    variant: Variant = "colour",
    rounded: bool = True,
    open_backs: bool = False,
    faces: Faces | None = None,
) -> list[Counter]:
    """Return a counter for every unit type of a game's roster, in order.

    `side`: side of a counter when cut, in mm.
    `bleed`: width of the ground beyond each edge, in mm.
    `rounded`: whether corners are round.
    `open_backs`: whether backs that would hide their unit show its values.
    `faces`: the game's whole faces, if the caller has read them.

    Raises InputError for a mistake in `counters.toml`.
    """
    return _make(Workshop(game, Cut(side, bleed, rounded), variant, open_backs=open_backs, faces=faces).units())


def _make(pieces: Iterable[Counter]) -> list[Counter]:
    """Return counters made one by one. Raises InputError for a part of a design that cannot be read."""
    try:
        return list(pieces)
    except InputError:
        raise
    except ValueError as error:
        hint = "`module-builder check` lists all mistakes"
        raise InputError(str(error), where=Where(FILE), hint=hint) from None


def counters_and_markers(game: Game, cut: Cut, variant: Variant, *, open_backs: bool = False) -> list[Counter]:
    """Return the counters of a game, then its markers, in the shapes and sizes that its `counters.toml` states.

    `open_backs`: whether backs that would hide their unit show its values.

    Raises InputError as `design_counters` does, and for open backs of a game whose backs hide nothing.
    """
    workshop = Workshop(game, cut, variant, open_backs=open_backs, trims=True)
    if open_backs and workshop.design.file.backs != "anonymous":
        hint = f'leave it out; {FILE} of a game that hides units has backs = "anonymous"'
        raise InputError(f"the backs of {game.title} hide no unit", where=Where("--open-backs"), hint=hint)
    return _make(chain(workshop.units_with_alternatives(), workshop.markers()))


def choose_counters(counters: Sequence[Counter], only: Sequence[str]) -> list[Counter]:
    """Return the named counters, once for each time they are named: units, or markers by words, track or name.

    Raises InputError for an unknown name.
    """
    picked: list[Counter] = []
    for name, times in Counts(only).items():
        some = [counter for counter in counters if name in (counter.unit, counter.name)]
        some = some or [counter for counter in counters if counter.is_marker and counter.unit.partition(" ")[0] == name]
        if not some:
            known = dict.fromkeys(word for counter in counters for word in (counter.unit, counter.name) if word)
            raise InputError(f"unknown counter {name!r}", where=Where("--only"), hint=format_suggestion(name, known))
        picked += [counter._replace(count=times) for counter in some]
    order = {counter.unit: number for number, counter in enumerate(counters)}
    return sorted(picked, key=lambda counter: order[counter.unit])


def format_troubles(counters: Iterable[Counter], max_lines: int = 10) -> Iterator[str]:
    """Yield a line for each defect of these counters: the counter, the slot, the remedy.

    After `max_lines` lines one more line counts the rest.
    """
    units_with: dict[Trouble, list[str]] = {}
    for counter in counters:
        for trouble in counter.troubles:
            units_with.setdefault(trouble, []).append(counter.unit)
    for number, ((slot, what, hint), units) in enumerate(units_with.items()):
        if number == max_lines:
            yield f"and {len(units_with) - max_lines} more of this kind; `module-builder check` names them"
            return
        others = f" (and {len(units) - 1} more)" if len(units) > 1 else ""
        yield plain(f"counter {units[0]}{others}, slot {slot}: {what}; {hint}")
