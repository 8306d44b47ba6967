"""The pieces of a module: what is seen of each, and what they become as units of a roster, markers of hexes, tracks and
columns.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.modules import Module
from assistant.formats.vassal.pieces import BASIC, Carried, Piece, Trait, level, read_label, read_layer
from assistant.formats.vassal.sequence import split
from assistant.pictures.symbols import face_file
from assistant.state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN
from assistant.state.tracks import InModule, Track
from assistant.util.errors import InputError

from .findings import Findings
from .naming import WORDS, Names, clean, slug
from .source import Face, LaidPicture, Source

OFF = "off"
"""The word for a layer that shows nothing."""
_STEPS = (6, 9, 10, 11)
"""Further parts of a layer's type with keys that change it."""
_SCALE, _SHOWN_BY = 31, 32
"""The parts with the size of its pictures, 1 being their own, and with the property by which newer engines show it."""
_FULL = 0.8
"""The least part of the front, each way, that the picture of another side covers."""
_CENTRED = 6
"""How far off the middle it may lie, in pixels."""


class PieceLayer(NamedTuple):
    """A layer that players change. name: as the module calls it; words: its states, by level, 0 being off; at_first:
    its level on the piece;

    images: by word; off: of its middle from that of the piece; turns: whether it shows another side of the piece.
    """

    name: str
    words: Mapping[int, str]
    at_first: int
    images: Mapping[str, str]
    off: Pixel
    turns: bool

    @property
    def absent(self) -> str:
        """The word of its state on the piece."""
        return self.words.get(self.at_first, OFF)

    @property
    def other(self) -> str:
        """The first of its states that has a picture and is not the one on the piece, "" if there is none."""
        return next((word for word in self.images if word != self.absent), "")

    @property
    def values(self) -> tuple[str, ...]:
        """Its words, that of its first state first."""
        return tuple(dict.fromkeys((self.absent, *self.words.values())))


class ModulePiece(NamedTuple):
    """A piece of a palette or of a set-up, its prototypes expanded.

    columns: what stands on it as text; texts: what players may write on it, by the name of the label; layers: those
    that players change, the outermost first; front, back: the pictures of its sides, back being empty if it has none;
    following: the names of layers that show what properties say.
    """

    name: str
    columns: Mapping[str, str]
    texts: Mapping[str, str]
    layers: tuple[PieceLayer, ...]
    front: Face
    back: Face
    following: tuple[str, ...]


def read_piece(piece: Piece, size: Callable[[str], Pixel], shared: Collection[tuple[str, ...]] = ()) -> ModulePiece:
    """A piece with its prototypes expanded. size: of a picture by its name; shared: the pictures of layers whose names
    tell a state.
    """
    basic = split(piece.traits[-1].type, ";")
    image = (*basic, "", "", "", "")[3]
    carried = Carried(piece.traits)
    layers = [*_layers(piece, carried, shared)]
    plain: list[tuple[LaidPicture, PieceLayer | None]] = [(LaidPicture(image), None)] if image else []
    for trait, changed in reversed(layers):
        layer, shown = read_layer(trait.type), 0 if _is_unseen(trait, carried) else carried.level(trait)
        picture = layer.images[shown - 1] if 0 < shown <= len(layer.images) else ""
        if picture:
            plain.append((LaidPicture(picture, (layer.x, layer.y)), changed))
        elif changed is not None:
            plain.append((LaidPicture(""), changed))
    ground = next((size(laid.image) for laid, _ in plain if laid.image), (0, 0))
    whole = [
        whole_layer
        for trait, whole_layer in layers
        if whole_layer is not None and _part(trait, _SCALE) in ("", "1", "1.0")
    ]
    turning = next(
        iter(sorted((whole_layer for whole_layer in whole if _turns(whole_layer, ground, size)), key=_likely)), None
    )
    front = tuple(laid for laid, _ in plain if laid.image)
    back: Face = ()
    if turning is not None:
        other = _other_side(turning)
        laid = [
            LaidPicture(other, turning.off) if picture_layer is turning else shown for shown, picture_layer in plain
        ]
        covering = next(number for number, (_, picture_layer) in enumerate(plain) if picture_layer is turning)
        back = tuple(picture for picture in laid[covering:] if picture.image)
    changing = tuple(
        picture_layer._replace(turns=picture_layer is turning)
        for _, picture_layer in layers
        if picture_layer is not None
    )
    return ModulePiece(
        basic_name(piece),
        dict(_columns(piece, carried)),
        dict(_texts(piece, carried)),
        changing,
        front,
        back,
        tuple(read_layer(trait.type).name for trait, _ in layers if _follows(trait)),
    )


def basic_name(piece: Piece) -> str:
    """The name of a piece without its statuses."""
    carried = Carried(piece.traits)
    return carried.expand(carried.values.get(BASIC, ""))


def _part(trait: Trait, number: int) -> str:
    """A part of a layer's type, "" if older engines left it out."""
    return ([*split(trait.type, ";")[number:], ""])[0].strip()


def _follows(trait: Trait) -> bool:
    """Whether a layer shows what a property says instead of what players choose."""
    return bool(read_layer(trait.type).follows or _part(trait, _SHOWN_BY))


def _is_unseen(trait: Trait, carried: Carried) -> bool:
    """Whether the property by which a layer is shown does not hold."""
    shown_by = _part(trait, _SHOWN_BY)
    return bool(shown_by) and carried.get(shown_by) != "true"


def _layers(
    piece: Piece, carried: Carried, shared: Collection[tuple[str, ...]]
) -> Iterator[tuple[Trait, PieceLayer | None]]:
    """The layers of a piece, the outermost first; None for one that players do not change."""
    for trait in piece.traits:
        if trait.kind != "emb2":
            continue
        layer, parts = read_layer(trait.type), [*split(trait.type, ";"), *[""] * 32]
        start = max(carried.level(trait), 0)
        switched = level(trait) <= 0 or bool(parts[1] or parts[3] or parts[27].strip())
        stepped = len(layer.images) > 1 and any((*layer.up, *layer.down, *(parts[number].strip() for number in _STEPS)))
        if _follows(trait) or not (switched or stepped) or not any((*layer.images, *layer.names)):
            yield trait, None
            continue
        words = dict(_words(layer.name, layer.images, layer.names, layer.images in shared))
        if switched:
            words[0] = OFF
        images: dict[str, str] = {}
        for number, image in enumerate(layer.images, 1):
            if image and number in words:
                images.setdefault(words[number], image)
        yield trait, PieceLayer(layer.name, words, start, images, (layer.x, layer.y), False)


def _words(name: str, images: tuple[str, ...], names: tuple[str, ...], shared: bool) -> Iterator[tuple[int, str]]:
    """A word for each level of a layer, from 1: what it is called, else its picture if several pieces share it, else
    its number.

    OFF stands for a level that shows nothing.
    """
    taken: dict[str, int] = {OFF: 0, "none": 0}
    for number, (image, said) in enumerate(zip(images, names, strict=True), 1):
        called = said.strip("+ ")
        word = slug(called.removeprefix(f"{name}="))
        if not image and not called:
            yield number, OFF
            continue
        word = word or (slug(image.rpartition("/")[2].rpartition(".")[0]) if shared else "")
        word = word or (f"level-{number}" if len(images) > 1 else "on")
        if word in taken:
            word = f"{word}-{number}"
        taken[word] = number
        yield number, word


def _turns(layer: PieceLayer, ground: Pixel, size: Callable[[str], Pixel]) -> bool:
    """Whether a layer shows another side of the piece: a picture of about its size, in its middle."""
    other = _other_side(layer)
    if not other or max(map(abs, layer.off)) > _CENTRED or 0 in ground:
        return False
    return all(part >= _FULL * whole for part, whole in zip(size(other), ground, strict=True))


def _likely(layer: PieceLayer) -> bool:
    """Sorts layers with a picture for each side before those with a single one, which may be a frame around the
    counter.
    """
    return len(layer.images) < 2


def _other_side(layer: PieceLayer) -> str:
    """The picture of the first state of a layer that is not the one on the piece."""
    return layer.images.get(layer.other, "")


def _is_written(trait: Trait) -> bool:
    """Whether players may write a label."""
    label = read_label(trait.type)
    return bool(label.menu or label.stroke)


def _texts(piece: Piece, carried: Carried) -> Iterator[tuple[str, str]]:
    """What stands on the labels that players may write, the innermost first, so that the outermost of one name counts."""
    for trait in reversed(piece.traits):
        if trait.kind == "label" and _is_written(trait):
            label = read_label(trait.type)
            yield label.name or label.menu or "text", clean(carried.text_on(trait))


def _columns(piece: Piece, carried: Carried) -> Iterator[tuple[str, str]]:
    """What stands on a piece as text: markers, dynamic properties, texts; the outermost of one name counts."""
    labels = (trait for trait in reversed(piece.traits) if trait.kind == "label")
    texts = {read_label(trait.type).name or "text": carried.text_on(trait) for trait in labels}
    for name, value in {**texts, **carried.values}.items():
        if name and name != BASIC and (said := clean(value)):
            yield name, said


# --- what pieces become -----------------------------------------------------------------------------------------------

FLIPPED = "flipped"
"""The track of counters that show their other side."""
RESERVED = (
    HIDDEN,
    INVISIBLE,
    MASKED,
    UNSEEN,
    FLIPPED,
    "unit",
    "source",
    "nation",
    "tab",
    "list",
    "turn",
    "place",
    "order",
)
"""Names that no track of a module gets."""
_MARKERS = re.compile(r"\bmarkers?\b", re.IGNORECASE)
_CORNERS = ((0.36, -0.36), (-0.36, -0.36), (0.36, 0.36), (-0.36, 0.36), (0.36, 0.0), (-0.36, 0.0))
"""Where tags lie that have no place of their own, as shares of a counter's side from its middle."""


class Kind:
    """A piece of the module: what is seen of it, the path of tabs and lists to it, and what it became here.

    units: the names of its counters, of which there are as many as a set-up needs; marker: the track of hexes that it
    states instead, "" for none; tracks: of its layers, by name and how many of that name stand before it; "" for one
    that became none.
    """

    def __init__(self, piece: ModulePiece, path: tuple[str, ...], name: str) -> None:
        self.piece, self.path, self.name = piece, path, name
        self.units: list[str] = []
        self.marker = ""
        self.tracks: dict[tuple[str, int], str] = {}

    @property
    def is_marker(self) -> bool:
        """Whether the module sorts it among the markers."""
        return any(map(_MARKERS.search, (*self.path, self.name)))


class Status(NamedTuple):
    """A layer or a label of many pieces as a track. kinds: the pieces that have it, each with its layer, None for a
    label.
    """

    track: Track
    kinds: list[tuple[Kind, PieceLayer | None]]


class Pieces:
    """All pieces of a module. The ones of the palettes come first; those that only set-ups have are added as they are
    met.
    """

    def __init__(self, source: Source, findings: Findings) -> None:
        self._source, self._findings = source, findings
        self.kinds: list[Kind] = []
        self._by_slot: dict[str, Kind] = {}
        self._alike: dict[tuple[str, str], list[Kind]] = defaultdict(list)
        self._named: dict[str, list[Kind]] = defaultdict(list)
        self.units = Names("unit", lambda name: face_file(name.replace(" ", ""), "front").casefold())
        self.tracks = Names("track", taken=RESERVED, form=WORDS)
        self._titles = Names("status")
        self.statuses: dict[str, Status] = {}
        self.texts: dict[str, str] = {}
        """The tracks of labels by their names."""
        self.markers: dict[str, tuple[Track, Kind]] = {}
        pieces = [(slot, self._expand(slot.piece, slot.name)) for slot in source.module.slots]
        self.shared = _find_shared_layers(piece for _, piece in pieces if piece is not None)
        for slot, piece in pieces:
            if piece is not None:
                kind = self._add(piece, slot.path, slot.name)
                self._by_slot.setdefault(slot.id or slot.piece.slot, kind)

    def _expand(self, piece: Piece, name: str) -> Piece | None:
        try:
            return piece._replace(traits=self._source.module.expanded(piece.traits))
        except InputError as error:
            self._findings.left_out(f"a piece that cannot be read: {error.what}", name)
            return None

    def _add(self, piece: Piece, path: tuple[str, ...], called: str) -> Kind:
        name = clean(basic_name(piece)) or clean(called)
        kind = Kind(self.read(piece), tuple(filter(None, map(clean, path))), name or "unit")
        self.kinds.append(kind)
        for layer in kind.piece.following:
            self._findings.left_out("layers that follow properties: the counter keeps their first state", layer)
        self._alike[_likeness(piece)].append(kind)
        if name:
            self._named[name].append(kind)
        return kind

    def read(self, piece: Piece) -> ModulePiece:
        """A piece whose prototypes are expanded."""
        return read_piece(piece, self._source.size, self.shared)

    def of(self, piece: Piece, used: Mapping[Kind, int]) -> Kind:
        """The kind of a piece of a set-up, whose prototypes are expanded. used: those met before in it."""
        alike = self._alike.get(_likeness(piece), [])
        if not alike and len(named := self._named.get(clean(basic_name(piece)), [])) == 1:
            alike = named
        kind = self._by_slot.get(piece.slot) if piece.slot else None
        if kind is not None and (kind in alike or kind.name == clean(basic_name(piece))):
            return kind
        return min(alike, key=lambda alike_kind: used.get(alike_kind, 0)) if alike else self._add(piece, (), "")

    # --- units --------------------------------------------------------------------------------------------------------

    def unit(self, kind: Kind, number: int) -> str:
        """The name of one of the counters of a kind, counted from 0; there are as many as were asked for."""
        while len(kind.units) <= number:
            again = bool(kind.units)
            kind.units.append(self.units.give(kind.name, "" if again else kind.piece.name))
        return kind.units[number]

    def name_all(self, boxes: Iterable[str]) -> None:
        """Give every kind that is no marker a unit at least. boxes: what no unit is called, or a line of notation could
        mean either.
        """
        self.units.reserve(boxes)
        for kind in self.kinds:
            if not kind.is_marker:
                self.unit(kind, 0)

    # --- tracks -------------------------------------------------------------------------------------------------------

    def make_tracks(self, side: int) -> None:
        """Turn layers into tracks: pieces whose layers have the same name and begin alike share one. side: of a
        counter, in pixels.
        """
        groups: dict[tuple[str, str, bool], list[tuple[Kind, tuple[str, int], PieceLayer]]] = defaultdict(list)
        for kind in self.kinds:
            if kind.is_marker:
                self._marker(kind)
                continue
            for key, layer in number_layers(kind.piece.layers):
                flag = layer.turns and len(layer.values) == 2
                groups[FLIPPED if flag else layer.name, "" if flag else layer.absent, layer.turns].append(
                    (kind, key, layer)
                )
        self._texts()
        for number, ((name, absent, turns), members) in enumerate(groups.items()):
            track = self._track(name, absent, turns, members, side, number)
            for kind, key, _ in members:
                kind.tracks[key] = track.name
            self.statuses[track.name] = Status(track, [(kind, layer) for kind, _, layer in members])

    def _track(
        self,
        name: str,
        absent: str,
        turns: bool,
        members: list[tuple[Kind, tuple[str, int], PieceLayer]],
        side: int,
        number: int,
    ) -> Track:
        if turns and not absent:
            module = InModule(menu=("Turn over",), keys=("F",), tag="", flips=True)
            return Track(name=FLIPPED, title="turned over", on="unit", kind="flag", absent=False, module=module)
        title = self._titles.give(clean(name))
        word = self.tracks.give(slug(name) or "status")
        values = tuple(dict.fromkeys(value for _, _, layer in members for value in layer.values))
        (x, y), at = members[0][2].off, _CORNERS[number % len(_CORNERS)]
        if (x, y) != (0, 0) or _alike(members):
            at = max(min(x / side, 2.0), -2.0), max(min(y / side, 2.0), -2.0)
        about = InModule(menu=(f"{title}: next", f"{title}: before"), at=at, flips=turns, group="Status")
        if values == (absent,):
            values = (absent, "on")
        if not turns and absent == OFF and len(values) == 2:
            module = InModule(menu=(title,), at=at, tag=title[:12], group="Status")
            return Track(name=word, title=title, on="unit", kind="flag", absent=False, module=module)
        return Track(name=word, title=title, on="unit", kind="choice", values=values, absent=absent, module=about)

    def _texts(self) -> None:
        """Turn the labels that players may write into tracks."""
        named: dict[str, list[Kind]] = defaultdict(list)
        for kind in self.kinds:
            for name in kind.piece.texts if not kind.is_marker else ():
                named[name].append(kind)
        for name, kinds in named.items():
            title = self._titles.give(clean(name))
            word = self.tracks.give(slug(name) or "text")
            about = InModule(menu=(f"{title}: write",), group="Status")
            track = Track(name=word, title=title, on="unit", kind="text", absent="", module=about)
            self.statuses[word] = Status(track, [(kind, None) for kind in kinds])
            self.texts[name] = word

    def _marker(self, kind: Kind) -> None:
        layer = kind.piece.layers[0] if kind.piece.layers else None
        word = self.tracks.give(slug(kind.name) or "marker")
        about = InModule(menu=(f"{kind.name}: next" if layer else kind.name,))
        if layer is None:
            about = InModule(menu=(kind.name,), tag=kind.name[:12])
            track = Track(name=word, title=kind.name, on="hex", kind="flag", absent=False, module=about)
        else:
            values = tuple(dict.fromkeys((OFF, *layer.values)))
            track = Track(name=word, title=kind.name, on="hex", kind="choice", values=values, absent=OFF, module=about)
        kind.marker = word
        self.markers[word] = track, kind


def _alike(members: list[tuple[Kind, tuple[str, int], PieceLayer]]) -> bool:
    """Whether a layer has the same pictures on all pieces."""
    return len({tuple(sorted(layer.images.items())) for _, _, layer in members}) == 1


def _find_shared_layers(pieces: Iterable[Piece]) -> set[tuple[str, ...]]:
    """The pictures of layers that several pieces have, layer by layer."""
    counter: Counter[tuple[str, ...]] = Counter()
    for piece in pieces:
        counter.update({read_layer(trait.type).images for trait in piece.traits if trait.kind == "emb2"})
    return {images for images, count in counter.items() if count > 1}


def number_layers(layers: tuple[PieceLayer, ...]) -> Iterator[tuple[tuple[str, int], PieceLayer]]:
    """Layers, each with its name and how many of that name stand before it."""
    before: Counter[str] = Counter()
    for layer in layers:
        yield (layer.name, before[layer.name]), layer
        before[layer.name] += 1


def _likeness(piece: Piece) -> tuple[str, str]:
    """What two pieces of a kind have in common: name and picture."""
    return basic_name(piece), (*split(piece.traits[-1].type, ";"), "", "", "", "")[3]


def missing_prototypes(module: Module) -> list[str]:
    """The prototypes that pieces name and the module does not have."""
    missing: dict[str, None] = {}
    for slot in module.slots:
        try:
            missing |= dict.fromkeys(module.missing(slot.piece.traits))
        except InputError:
            continue
    return [*missing]


# --- the columns of the roster ----------------------------------------------------------------------------------------

NATION, TAB, LIST = "nation", "tab", "list"
_NATIONS = ("nation", "nationality", "country", "side", "faction", "owner")
"""The names of properties that tell a piece's nation, the likeliest first."""
_MOST_NATIONS, _MOST_COLUMNS = 40, 30
_OTHERS = "Not in the palettes"
"""The list of pieces that only set-ups have."""
_COMMON = ("units", "counters", "pieces", "forces", "troops", "the")
"""Words of a tab that tell no nation."""
_WHOLE = re.compile("-?[0-9]{1,9}")


class Roster:
    """The columns of a roster. tracks: what is printed, by name; rows: by unit, the values by track; nations: their
    words, each with its title; needs: by the track of a status, the column of the units that have it; printed: by what
    stands on pieces as text, its column.
    """

    def __init__(self, pieces: Pieces, findings: Findings) -> None:
        self._kinds = [kind for kind in pieces.kinds if kind.units]
        self._findings, self._names = findings, pieces.tracks
        self.tracks: dict[str, Track] = {}
        self.rows: dict[str, dict[str, str]] = {unit: {} for kind in self._kinds for unit in kind.units}
        self.nations: dict[str, str] = {}
        self.needs: dict[str, str] = {}
        self.printed: dict[str, str] = {}
        self._told: set[str] = set()  # the columns that the nations came from
        self._nations()
        self._palettes()
        self._texts()
        self._needs(pieces)

    def _put(self, track: Track, values: Mapping[Kind, str]) -> None:
        """Add a column. values: by piece."""
        self.tracks[track.name] = track
        for kind, value in values.items():
            for unit in kind.units:
                self.rows[unit][track.name] = value

    def _nations(self) -> None:
        said = self._by_property() or self._by_palette()
        words = Names("nation", form=WORDS)
        given: dict[str, str] = {}
        for title in dict.fromkeys(said.values()):
            word = "-".join(part for part in slug(title).split("-") if part not in _COMMON)
            given[title] = words.give(word or slug(title) or "nation")
            self.nations[given[title]] = title
        if self.nations:
            track = _print(NATION, "nation", "choice", tuple(self.nations))
            self._put(track, {kind: given[title] for kind, title in said.items()})

    def _by_property(self) -> dict[Kind, str]:
        for name in _NATIONS:
            said = {
                kind: value
                for kind in self._kinds
                for column, value in kind.piece.columns.items()
                if slug(column) == name
            }
            if 2 * len(said) > len(self._kinds) and 1 < len(set(said.values())) <= _MOST_NATIONS:
                self._told.add(name)
                return said
        return {}

    def _by_palette(self) -> dict[Kind, str]:
        """The tab of each piece at the first level of the palettes that has several."""
        for depth in range(max((len(kind.path) for kind in self._kinds), default=0)):
            said = {kind: kind.path[depth] for kind in self._kinds if len(kind.path) > depth}
            if 1 < len(set(said.values())) <= _MOST_NATIONS:
                return said
        return {}

    def _palettes(self) -> None:
        shared = _count_shared_tabs([kind.path for kind in self._kinds if kind.path])
        above = {kind: " / ".join(kind.path[shared:-1]) for kind in self._kinds if len(kind.path) > 1}
        if any(above.values()):
            self._put(_print(TAB, "tab", "text"), {kind: clean(tab) for kind, tab in above.items() if tab})
        self._put(
            _print(LIST, "list", "text"), {kind: (*kind.path, _OTHERS)[-1 - bool(kind.path)] for kind in self._kinds}
        )

    def _texts(self) -> None:
        columns: dict[str, dict[Kind, str]] = {}
        for kind in self._kinds:
            for name, value in kind.piece.columns.items():
                columns.setdefault(name, {})[kind] = value
        telling = {
            name: said
            for name, said in columns.items()
            if slug(name) not in self._told and any(text != unit_kind.name for unit_kind, text in said.items())
        }
        often = sorted(telling, key=lambda name: (-len(telling[name]), name))
        for name in often[_MOST_COLUMNS:]:
            self._findings.left_out(f"texts on pieces, beyond the {_MOST_COLUMNS} most frequent", name)
        for name in [column for column in telling if column in often[:_MOST_COLUMNS]]:
            said = telling[name]
            of: Literal["integer", "text"] = "integer" if all(map(_WHOLE.fullmatch, said.values())) else "text"
            word = self._names.give(slug(name) or "text")
            self._put(_print(word, clean(name) or word, of), said)
            self.printed[name] = word

    def _needs(self, pieces: Pieces) -> None:
        """For each status that not all units have, a column that says which do."""
        for name, status in pieces.statuses.items():
            having = {kind for kind, _ in status.kinds}
            shown = status.track.module
            if shown is None or len(having) == len(self._kinds):
                continue
            word = self._names.give(f"has-{name}")
            self._put(_print(word, f"has the status {status.track.title}", "flag"), dict.fromkeys(having, "yes"))
            self.needs[name] = word

    def rows_of(self) -> Iterator[tuple[str, ...]]:
        """The rows of the roster, below its heading."""
        for unit, values in self.rows.items():
            yield unit, *(values.get(name, "") for name in self.tracks)


def _count_shared_tabs(paths: list[tuple[str, ...]]) -> int:
    """How many tabs all paths have in common at their beginning."""
    levels = enumerate(zip(*paths, strict=False))
    return next((level for level, some in levels if len({*some}) > 1), min(map(len, paths), default=0))


def _print(
    name: str, title: str, kind: Literal["integer", "text", "choice", "flag"], values: tuple[str, ...] = ()
) -> Track:
    return Track(name=name, title=title, on="unit", kind=kind, values=values, printed="counter")


def sides_of(roster: Roster, named: list[str], findings: Findings) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """The sides of the module with their nations, and what each is called; none if some nation belongs to no side.

    named: the sides as the module names them. A nation belongs to a side that is called like it, or that its pieces
    name.
    """
    words = Names("side", taken=("umpire", "nobody", "somebody", "none"), form=WORDS)
    given = {side: words.give(slug(side) or "side") for side in dict.fromkeys(filter(None, named))}
    nations_of: dict[str, list[str]] = {side: [] for side in given}
    for nation, title in roster.nations.items():
        side = _side(nation, title, given, roster)
        if side:
            nations_of[side].append(nation)
        elif given:
            findings.left_out(
                "the sides, as the side of these pieces is not known: write [sides] into game.toml", title
            )
    if sum(map(len, nations_of.values())) < len(roster.nations) or not roster.nations:
        return {}, {}
    for side, nations in nations_of.items():
        if not nations:
            findings.left_out("a side that has no pieces of its own", side)
    sides = {given[side]: tuple(nations) for side, nations in nations_of.items() if nations}
    return sides, {given[side]: clean(side) for side, nations in nations_of.items() if nations}


def _side(nation: str, title: str, sides: Mapping[str, str], roster: Roster) -> str:
    """The side of a nation, "" if it is not known."""
    for side, word in sides.items():
        if slug(title) == word:
            return side
    votes: Counter[str] = Counter()
    for values in roster.rows.values():
        if values.get(NATION) == nation:
            votes.update(side for side in sides if side in values.values())
    if votes:
        return votes.most_common(1)[0][0]
    near = [side for side, word in sides.items() if _shares(slug(title), word)]
    return near[0] if len(near) == 1 else ""


def _shares(one: str, other: str) -> bool:
    """Whether a name has all words of another one, or the beginning of one in common with it: `german-units` and
    `germany`.
    """
    words, others = one.split("-"), other.split("-")
    alike = (a.startswith(b[:5]) or b.startswith(a[:5]) for a in words for b in others if min(len(a), len(b)) > 3)
    return {*others} <= {*words} or any(alike)
