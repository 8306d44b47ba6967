"""The pieces of a module as they become units of a roster, markers of hexes, and tracks of what players change."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from assistant.drawing.faces import unit_face_file
from assistant.formats.vassal.adoption.legend import names_for_piece, picture_of
from assistant.formats.vassal.legends import is_display
from assistant.formats.vassal.modules import Module, Slot
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.traits import Trait, read_layer
from assistant.game.roster import COUNT, NUMBERED
from assistant.state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN
from assistant.state.tracks import InModule, Track
from assistant.util.console import format_count
from assistant.util.errors import InputError
from assistant.util.patterns import late_pattern

from .findings import Findings
from .names import WORDS, Names, clean_text, slug
from .pieces import OFF, ModulePiece, PieceLayer, basic_name, number_layers, read_piece
from .source import Source

FLIPPED = "flipped"
"""The track of counters that show their other side."""
RESERVED = (
    HIDDEN,
    INVISIBLE,
    MASKED,
    UNSEEN,
    FLIPPED,
    "unit",
    COUNT,
    "source",
    "nation",
    "tab",
    "list",
    "turn",
    "place",
    "order",
)
"""Names that no track of a module gets."""
_LastingTrack = partial(Track, lasts=True)
"""A track of what players change: a module does not say when that ends."""
_MARKERS = late_pattern(r"\bmarkers?\b", re.IGNORECASE)
_CORNERS = ((0.36, -0.36), (-0.36, -0.36), (0.36, 0.36), (-0.36, 0.36), (0.36, 0.0), (-0.36, 0.0))
"""Where tags lie that have no place of their own, as shares of a counter's side from its middle."""


NATIONS = ("nation", "nationality", "country")
"""The names of properties that say the nation of a piece, the likeliest first."""
SIDES = ("side", "faction", "owner")
"""The same of its side, which is its nation where nothing else is."""
_READ = {"emb2", "label", "mark", "PROP", "prototype", "piece", "basicName", "cmt"}
_MADE = {"delete", "clone", "obs", "hide", "immob", "submenu", "menuSeparator", "markmoved", "footprint", "report"}
_TAKEN = _READ | _MADE | {"deselect", "nonRect", "nonRect2"}
"""The traits that the import reads, those that the builder makes itself, and those that mean nothing to it."""
_CALLED = {
    "AreaOfEffect": "Area of Effect",
    "button": "Action Button",
    "calcProp": "Calculated Property",
    "globalhotkey": "Global Hotkey",
    "globalkey": "Global Key Command",
    "hideCmd": "Restrict Commands",
    "locCommand": "Multi-Location Command",
    "locmsg": "Translatable Message",
    "macro": "Trigger Action",
    "mat": "Mat",
    "matPiece": "Mat Cargo",
    "pivot": "Can Pivot",
    "placemark": "Place Marker",
    "playSound": "Play Sound",
    "propertysheet": "Property Sheet",
    "replace": "Replace With Other",
    "restrict": "Restricted Access",
    "return": "Return to Deck",
    "rotate": "Can Rotate",
    "sendto": "Send to Location",
    "setpieceprop": "Set Piece Property",
    "setprop": "Set Global Property",
    "table": "Spreadsheet",
    "translate": "Move Fixed Distance",
}
"""What VASSAL calls the other traits."""


class _Definition(NamedTuple):
    """What copies of a counter have in common."""

    name: str
    traits: tuple[str | Trait, ...]
    """What they are, with the constants among them."""


class PieceKind:
    """A counter of the module with its copies: what is seen of it, the path of tabs and lists to it, and what it became
    here.
    """

    def __init__(self, piece: ModulePiece, path: tuple[str, ...], name: str) -> None:
        self.piece, self.path, self.name = piece, path, name
        self.named: list[str] = []
        """How a mapping may name it, beside its slots."""
        self.slots: list[str] = []
        """Its slots and those of its copies, each of them in no other kind."""
        self.count = 1
        """How many there are of it."""
        self.unit = ""
        """What the first of them is called, "" for a marker."""
        self.marker = ""
        """The track of hexes that it states instead, "" for none."""
        self.tracks: dict[tuple[str, int], str] = {}
        """Of layers, by name and number of that name, "" for none."""
        self.traits: frozenset[str | Trait] = frozenset()
        """What its traits are, with the constants among them."""
        self.owner: tuple[tuple[str, str], ...] = ()
        """Its constants that say whose it is."""
        self.prototypes: tuple[str, ...] = ()
        """The names of those that its slot has."""
        self.starts: tuple[str, ...] = ()
        """The names of stacks, windows and their owners where it lies at the start."""
        self.stated: bool | None = None
        """Whether it is a marker, as the table of its author says; None if that says nothing."""

        self.is_stacked = False
        """Whether several of it lie in one place of a set-up, which a marker of a hex never does."""

    @property
    def is_marker(self) -> bool:
        """Whether the module sorts it among the markers, and it can be one."""
        if self.stated is not None:
            return self.stated
        return not self.is_stacked and any(map(_MARKERS.search, (*self.path, self.name)))


class _Layered(NamedTuple):
    """A layer of a piece."""

    kind: PieceKind
    key: tuple[str, int]
    """Its name, and how many of that name stand before it."""
    layer: PieceLayer


class _Group(NamedTuple):
    """What layers have in common that share a track: their name, and the state in which they begin, "" if they only
    turn a counter over; turns: whether they show its other side.
    """

    name: str
    absent: str
    turns: bool


class ImportedTrack(NamedTuple):
    """A layer or a label of many pieces as a track."""

    track: Track
    kinds: list[tuple[PieceKind, PieceLayer | None]]
    """The pieces that have it, each with its layer, None for a label."""


class Pieces:
    """All pieces of a module. The ones of the palettes come first; those that only set-ups have are added as they are
    met.
    """

    def __init__(self, source: Source, findings: Findings) -> None:
        self._source, self._findings = source, findings
        self.kinds: list[PieceKind] = []
        self._by_slot: dict[str, PieceKind] = {}
        self._defined: dict[_Definition, list[PieceKind]] = defaultdict(list)
        self._alike: dict[tuple[str, str], list[PieceKind]] = defaultdict(list)
        self._named: dict[str, list[PieceKind]] = defaultdict(list)
        self.units = Names("unit", lambda name: unit_face_file(name.replace(" ", ""), "front").casefold())
        self.tracks = Names("track", taken=RESERVED, form=WORDS)
        self._titles = Names("status")
        self.statuses: dict[str, ImportedTrack] = {}
        self.texts: dict[str, str] = {}
        """The tracks of labels by their names."""
        self.markers: dict[str, tuple[Track, PieceKind]] = {}
        begun = _list_begun(source.module)
        pieces = [
            (slot, piece, not slot.path and slot.piece in begun)
            for slot in source.module.slots
            if not is_display(slot.piece) and (piece := self._expand_prototypes(slot.piece, slot.name)) is not None
        ]
        self.shared = _find_shared_layers(piece for _, piece, _ in pieces)
        self._note_traits([piece for _, piece, _ in pieces])
        for slot, piece, is_begun in pieces:
            if not is_begun:
                self._add_slot(slot, piece)
        used = Counter[PieceKind]()
        for slot, piece, is_begun in pieces:  # what lies on maps at the start: copies, and what no palette has
            if is_begun:
                kind = self.kind_of(piece, used)
                used[kind] += 1
                kind.count = max(kind.count, used[kind])
                kind.starts += begun[slot.piece]
                self._note_slot(slot, kind)

    def _note_slot(self, slot: Slot, kind: PieceKind) -> None:
        """Note which kind the piece of a slot is."""
        self._take_slot(slot.id or slot.piece.slot, kind)
        kind.prototypes += tuple(_list_prototypes(self._source.module, slot.piece))

    def _take_slot(self, name: str, kind: PieceKind) -> None:
        """Note that pieces of a slot are of a kind, unless they are of another one already."""
        if name and self._by_slot.setdefault(name, kind) is kind and name not in kind.slots:
            kind.slots.append(name)

    def _add_slot(self, slot: Slot, piece: Piece) -> None:
        """Add a slot of a palette, of which its list may have a copy already. piece: its prototypes are expanded."""
        path, definition = _clean_path(slot.path), _define_piece(piece)
        kind = next((kind for kind in self._defined.get(definition, ()) if kind.path == path), None)
        if kind is None:
            kind = self._add_kind(piece, definition, path, slot.name)
        else:
            kind.count += 1
        self._note_slot(slot, kind)

    def _note_traits(self, pieces: Sequence[Piece]) -> None:
        """Note what pieces have that has no place in the builder's files."""
        kinds = Counter(kind for piece in pieces for kind in {trait.kind for trait in piece.traits})
        for kind, count in sorted(kinds.items(), key=lambda one: _CALLED.get(one[0], one[0])):
            if kind not in _TAKEN:
                named = f"{_CALLED.get(kind, kind)}: {format_count(count, 'piece')}"
                self._findings.left_out("traits that the builder does not have", named)

    def _expand_prototypes(self, piece: Piece, name: str) -> Piece | None:
        try:
            return piece._replace(traits=self._source.module.expanded(piece.traits))
        except InputError as error:
            self._findings.left_out(f"a piece that cannot be read: {error.what}", name)
            return None

    def _add_kind(self, piece: Piece, definition: _Definition, path: tuple[str, ...], called: str) -> PieceKind:
        name = clean_text(definition.name) or clean_text(called)
        kind = PieceKind(self.read(piece), path, name or "unit")
        kind.named = names_for_piece(piece)
        self.kinds.append(kind)
        for layer in kind.piece.following:
            self._findings.left_out("layers that follow properties: the counter keeps their first state", layer)
        kind.traits, kind.owner = frozenset(definition.traits), _read_owner(piece)
        self._defined[definition].append(kind)
        self._alike[_likeness_of(piece)].append(kind)
        if name:
            self._named[name].append(kind)
        return kind

    def read(self, piece: Piece) -> ModulePiece:
        """Return a piece whose prototypes are expanded."""
        return read_piece(piece, self._source.size, self.shared)

    def kind_of(self, piece: Piece, used: Mapping[PieceKind, int]) -> PieceKind:
        """Return the kind of a piece of a set-up, whose prototypes are expanded, a new one if none is like it. used:
        those met before in it.
        """
        kind = self.find_kind(piece, used) or self._add_kind(piece, _define_piece(piece), (), "")
        self._take_slot(piece.slot, kind)  # one that the palettes may no longer have: saves know its pieces by it
        return kind

    def find_kind(self, piece: Piece, used: Mapping[PieceKind, int]) -> PieceKind | None:
        """Return the kind of a piece, None for a new one. piece, used: as for `kind_of`."""
        definition, likeness = _define_piece(piece), _likeness_of(piece)
        alike, name = self._alike.get(likeness, []), clean_text(definition.name)
        of_slot = self._by_slot.get(piece.slot) if piece.slot else None
        if of_slot is not None and (of_slot in alike or of_slot.name == name):
            return of_slot
        if not (alike and any(likeness)):
            alike = named if len(named := self._named.get(name, [])) == 1 else []
        owner = _read_owner(piece)
        fitting = self._defined.get(definition) or [kind for kind in alike if not owner or kind.owner in ((), owner)]
        return min(fitting, key=lambda kind: used.get(kind, 0)) if fitting else None

    # --- units --------------------------------------------------------------------------------------------------------

    def name_all(self, boxes: Iterable[str]) -> None:
        """Give every kind that is no marker a name, once it is known how many there are of it: of several kinds of one
        name the later ones have that of their list behind it. boxes: what no unit is called, or a line of notation
        could mean either.
        """
        self.units.reserve(boxes)
        lists: dict[str, set[str]] = defaultdict(set)
        for kind in self.kinds:
            if not kind.is_marker:
                listed = kind.path[-1] if kind.path else ""
                known = lists[kind.name.casefold()]
                is_namesake = bool(known and listed and listed not in known)
                known.add(listed)
                name = NUMBERED.format(kind.name, listed) if is_namesake else kind.name
                kind.unit = self.units.give(name, kind.piece.name, kind.count)

    def rename(self, names: Mapping[PieceKind, str]) -> PieceKind | None:
        """Give kinds these names, "" for a marker. Returns the first whose name another one has, None if there is none."""
        for kind in names:
            self.units.release(kind.unit, kind.count)
        for kind, name in names.items():
            kind.stated, kind.unit = not name, name
            if name and self.units.give(name, kind.piece.name, kind.count) != name:
                return kind
        return None

    # --- tracks -------------------------------------------------------------------------------------------------------

    def make_tracks(self, side: int) -> None:
        """Turn layers into tracks: pieces whose layers have the same name and begin alike share one. side: of a
        counter, in pixels.
        """
        groups: dict[_Group, list[_Layered]] = defaultdict(list)
        for kind in self.kinds:
            if kind.is_marker:
                self._make_marker(kind)
                continue
            for key, layer in number_layers(kind.piece.layers):
                flips = layer.turns and len(layer.values) == 2
                group = _Group(FLIPPED, "", True) if flips else _Group(layer.name, layer.absent, layer.turns)
                groups[group].append(_Layered(kind, key, layer))
        self._make_texts()
        for number, (group, members) in enumerate(groups.items()):
            track = self._make_track(group, members, side, _CORNERS[number % len(_CORNERS)])
            for kind, key, _ in members:
                kind.tracks[key] = track.name
            self.statuses[track.name] = ImportedTrack(track, [(kind, layer) for kind, _, layer in members])

    def _make_track(self, group: _Group, members: list[_Layered], side: int, corner: tuple[float, float]) -> Track:
        """Return the track of layers that begin alike. corner: where its tag lies if the layers have no place of their
        own.
        """
        name, absent, turns = group
        if turns and not absent:
            module = InModule(menu=("Turn over",), keys=("R",), tag="", flips=True)
            return _LastingTrack(name=FLIPPED, title="turned over", on="unit", kind="flag", absent=False, module=module)
        title = self._titles.give(clean_text(name))
        word = self.tracks.give(slug(name) or "status")
        values = tuple(dict.fromkeys(value for _, _, layer in members for value in layer.values))
        (x, y), at = members[0].layer.off, corner
        if (x, y) != (0, 0) or _has_same_pictures(members):
            at = max(min(x / side, 2.0), -2.0), max(min(y / side, 2.0), -2.0)
        about = InModule(menu=(f"{title}: next", f"{title}: before"), at=at, flips=turns, group="Status")
        if values == (absent,):
            values = (absent, "on")
        if not turns and absent == OFF and len(values) == 2:
            module = InModule(menu=(title,), at=at, tag=title[:12], group="Status")
            return _LastingTrack(name=word, title=title, on="unit", kind="flag", absent=False, module=module)
        return _LastingTrack(
            name=word, title=title, on="unit", kind="choice", values=values, absent=absent, module=about
        )

    def _make_texts(self) -> None:
        """Turn the labels that players may write into tracks."""
        named: dict[str, list[PieceKind]] = defaultdict(list)
        for kind in self.kinds:
            if not kind.is_marker:
                for name in kind.piece.texts:
                    named[name].append(kind)
        for name, kinds in named.items():
            title = self._titles.give(clean_text(name))
            word = self.tracks.give(slug(name) or "text")
            about = InModule(menu=(f"{title}: write",), group="Status")
            track = _LastingTrack(name=word, title=title, on="unit", kind="text", absent="", module=about)
            self.statuses[word] = ImportedTrack(track, [(kind, None) for kind in kinds])
            self.texts[name] = word

    def _make_marker(self, kind: PieceKind) -> None:
        """Turn a marker into a track of hexes, of which its first layer states the value."""
        for other in kind.piece.layers[1:]:
            self._findings.left_out("layers of markers besides the first", f"{kind.name}: {other.name}")
        for text in kind.piece.texts:
            self._findings.left_out("texts that players write on markers", f"{kind.name}: {text}")
        layer = kind.piece.layers[0] if kind.piece.layers else None
        word = self.tracks.give(slug(kind.name) or "marker")
        about = InModule(menu=(f"{kind.name}: next" if layer else kind.name,))
        if layer is None:
            about = InModule(menu=(kind.name,), tag=kind.name[:12])
            track = _LastingTrack(name=word, title=kind.name, on="hex", kind="flag", absent=False, module=about)
        else:
            values = tuple(dict.fromkeys((OFF, *layer.values)))
            track = _LastingTrack(
                name=word, title=kind.name, on="hex", kind="choice", values=values, absent=OFF, module=about
            )
        kind.marker = word
        self.markers[word] = track, kind


def _has_same_pictures(members: list[_Layered]) -> bool:
    """Return whether a layer has the same pictures on all pieces."""
    return len({tuple(sorted(layer.images.items())) for _, _, layer in members}) == 1


def _find_shared_layers(pieces: Iterable[Piece]) -> set[tuple[str, ...]]:
    """Return the pictures of layers that several pieces have, layer by layer."""
    counter: Counter[tuple[str, ...]] = Counter()
    for piece in pieces:
        counter.update({read_layer(trait.type).images for trait in piece.traits if trait.kind == "emb2"})
    return {images for images, count in counter.items() if count > 1}


def _list_begun(module: Module) -> dict[Piece, tuple[str, ...]]:
    """Return the pieces that lie on maps at the start, each with the names of its stacks, of their windows and of those
    whose windows they are.
    """
    begun: dict[Piece, tuple[str, ...]] = {}
    for start in module.starts:
        window = module.maps.get(start.map)
        names = start.name, start.map, *(window.sides if window else ())
        for piece in start.pieces:
            begun[piece] = begun.get(piece, ()) + names
    return begun


def _list_prototypes(module: Module, piece: Piece) -> list[str]:
    """Return the names of the prototypes that a piece has, and of those that these have."""
    names: dict[str, None] = {}
    todo = [piece.traits]
    while todo:
        for trait in todo.pop():
            if trait.kind == "prototype" and (name := trait.part(1)) not in names:
                names[name] = None
                todo.append(module.prototypes.get(name, ()))
    return [*names]


def _clean_path(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, map(clean_text, path)))


def _define_piece(piece: Piece) -> _Definition:
    """Return what copies of a counter have in common."""
    traits = tuple(trait if trait.kind == "mark" else trait.type for trait in piece.traits)
    return _Definition(basic_name(piece), traits)


def _read_owner(piece: Piece) -> tuple[tuple[str, str], ...]:
    """Return the constants of a piece that say whose it is, as words."""
    marks = {slug(name): slug(value) for name, value in piece.marks().items()}
    return tuple((name, marks[name]) for name in (*NATIONS, *SIDES) if marks.get(name))


def _likeness_of(piece: Piece) -> tuple[str, str]:
    """Return what two pieces of a kind have in common: name and picture, which may be that of a layer."""
    return basic_name(piece), picture_of(piece)


def missing_prototypes(module: Module) -> list[str]:
    """Return the prototypes that pieces name and the module does not have."""
    missing: dict[str, None] = {}
    for slot in module.slots:
        try:
            missing |= dict.fromkeys(module.missing(slot.piece.traits))
        except InputError:
            continue
    return [*missing]
