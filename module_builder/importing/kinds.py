"""Turns the pieces of a module into units, markers of hexes, and tracks.

Copies of a counter are one `PieceKind`. Layers and labels that players change become tracks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from heapq import heappush, heapreplace
from itertools import product
from typing import NamedTuple

from assistant.drawing.faces import unit_face_file
from assistant.formats.vassal.adoption.identity import names_for_piece, picture_of, recognise
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
"""The track of counters that are turned over."""
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
"""Names that no track made from a module may have."""
_LastingTrack = partial(Track, lasts=True)
"""A track whose states last until they are changed: a module does not say when one ends."""
_MARKER_WORD = late_pattern(r"\bmarkers?\b", re.IGNORECASE)
_CORNERS = ((0.36, -0.36), (-0.36, -0.36), (0.36, 0.36), (-0.36, 0.36), (0.36, 0.0), (-0.36, 0.0))
"""Offsets of tags without a place of their own from the middle of a counter, as shares of its side."""


NATIONS = ("nation", "nationality", "country")
"""Names of properties with the nation of a piece, the likeliest first."""
SIDES = ("side", "faction", "owner")
"""Names of properties with the side of a piece, which is its nation if it states no other."""
_READ_TRAITS = {"emb2", "label", "mark", "PROP", "prototype", "piece", "basicName", "cmt"}
_BUILDER_TRAITS = {
    "delete",
    "clone",
    "obs",
    "hide",
    "immob",
    "submenu",
    "menuSeparator",
    "markmoved",
    "footprint",
    "report",
}
_UNREPORTED_TRAITS = _READ_TRAITS | _BUILDER_TRAITS | {"deselect", "nonRect", "nonRect2"}
"""Traits that the report does not list: read here, made by the builder itself, or of no meaning to it."""
_TRAIT_TITLES = {
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
"""VASSAL's names of the other traits."""


class _Definition(NamedTuple):
    """The name and traits that copies of a counter share."""

    name: str
    traits: tuple[str | Trait, ...]
    """The type of each trait, or the whole trait if it is a constant or a label: states of others differ between copies."""


class PieceKind:
    """A counter of the module with its copies, and the unit or marker made from it.

    `path`: the titles of the tabs and lists that lead to its slot.
    """

    def __init__(self, piece: ModulePiece, path: tuple[str, ...], name: str) -> None:
        self.piece, self.path, self.name = piece, path, name
        self.mapping_names: list[str] = []
        """Names by which a mapping file may refer to the kind, besides its slots."""
        self.slots: list[str] = []
        """The ids of the slots of all copies. A slot belongs to one kind."""
        self.count = 1
        """The number of copies."""
        self.unit = ""
        """The id of the first copy as a unit, or "" for a marker."""
        self.marker = ""
        """The track of hexes that the marker states, or "" for a unit."""
        self.tracks: dict[tuple[str, int], str] = {}
        """The track of each layer, by the layer's name and the number of earlier layers with that name."""
        self.traits: frozenset[str | Trait] = frozenset()
        """The traits as in `_Definition`."""
        self.owner: tuple[tuple[str, str], ...] = ()
        """The names and values of the constants that state a nation or side."""
        self.definition = _Definition("", ())
        self.place = 0
        """Its place among all kinds."""
        self.called: tuple[str, ...] = ()
        """The names by which pieces are recognised as of this kind, with "" for nameless pieces with its picture."""
        self.picture = ""
        """The file of its picture, as of `identity.picture_of`."""
        self.prototypes: tuple[str, ...] = ()
        """The names of the prototypes of its slots."""
        self.start_names: tuple[str, ...] = ()
        """The names of the stacks, windows and window owners where copies lie at the start."""
        self.marker_stated: bool | None = None
        """Whether the author's table makes it a marker, or None if the table does not say."""
        self.is_stacked = False
        """Whether a set-up has several copies in one place, which is never so for a marker of a hex."""

    @property
    def is_marker(self) -> bool:
        """Whether it is a marker, by the author's table or else by a word such as `markers` in its path or name.

        Without the table, a kind with stacked copies is a unit.
        """
        if self.marker_stated is not None:
            return self.marker_stated
        return not self.is_stacked and any(map(_MARKER_WORD.search, (*self.path, self.name)))


class _NameKey(NamedTuple):
    """The properties that pieces with one name have in common."""

    name: str
    picture: str
    """The picture of the pieces, or "" for any picture."""
    owner: tuple[tuple[str, str], ...] | None
    """The constants that state the pieces' nation or side, as in `PieceKind.owner`, or None for any."""


class UsedKinds:
    """The number of pieces of each kind in a set-up so far."""

    def __init__(self) -> None:
        self._counts: Counter[PieceKind] = Counter()
        self._heaps: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: Counter[Hashable] = Counter()

    def __getitem__(self, kind: PieceKind) -> int:
        return self._counts[kind]

    def add(self, kind: PieceKind) -> None:
        """Count a piece of a kind."""
        self._counts[kind] += 1

    def find_least(self, key: Hashable, kinds: Sequence[PieceKind]) -> PieceKind | None:
        """Return the first of the kinds that are used least, or None if there are none.

        `key`: names the kinds, to which only new ones may have been added since the last call.
        """
        heap = self._heaps[key]
        for place in range(self._lengths[key], len(kinds)):
            heappush(heap, (self._counts[kinds[place]], place))
        self._lengths[key] = len(kinds)
        while heap:
            count, place = heap[0]
            if count == self._counts[kinds[place]]:
                return kinds[place]
            heapreplace(heap, (self._counts[kinds[place]], place))
        return None


class _KindLayer(NamedTuple):
    """A layer of one kind."""

    kind: PieceKind
    key: tuple[str, int]
    """The layer's name and the number of earlier layers with that name."""
    layer: PieceLayer


class _Group(NamedTuple):
    """The properties that decide which layers share a track. Layers that only turn a counter over all share one."""

    name: str
    absent: str
    """The state at the start, or "" for layers that only turn the counter over."""
    turns: bool
    """Whether the layers show the counter's other side."""


class ImportedTrack(NamedTuple):
    """A track made from a layer or a label, and the kinds that have it."""

    track: Track
    kinds: list[tuple[PieceKind, PieceLayer | None]]
    """Each kind with its layer, or None for a label."""


class Pieces:
    """All kinds of pieces in a module.

    Kinds of the palettes come first; a kind that only set-ups have is added when it is met.
    """

    def __init__(self, source: Source, findings: Findings) -> None:
        self._source, self._findings = source, findings
        self.kinds: list[PieceKind] = []
        self._by_slot: dict[str, PieceKind] = {}
        self._by_definition: dict[_Definition, list[PieceKind]] = defaultdict(list)
        self._by_path: dict[tuple[_Definition, tuple[str, ...]], PieceKind] = {}
        self._by_name: dict[_NameKey, list[PieceKind]] = defaultdict(list)
        self.units = Names("unit", lambda name: unit_face_file(name.replace(" ", ""), "front").casefold())
        self.tracks = Names("track", taken=RESERVED, form=WORDS)
        self._titles = Names("status")
        self.statuses: dict[str, ImportedTrack] = {}
        self.texts: dict[str, str] = {}
        """The track of each label that players may write, by the label's name."""
        self.markers: dict[str, tuple[Track, PieceKind]] = {}
        start_names = _find_start_names(source.module)
        pieces = [
            (slot, piece, not slot.path and slot.piece in start_names)
            for slot in source.module.slots
            if not is_display(slot.piece) and (piece := self._expand_prototypes(slot.piece, slot.name)) is not None
        ]
        self._shared_images = _find_shared_images(piece for _, piece, _ in pieces)
        self._report_traits([piece for _, piece, _ in pieces])
        for slot, piece, is_on_map in pieces:
            if not is_on_map:
                self._add_slot(slot, piece)
        # Pieces on maps at the start come last: most are copies of a kind that a palette has.
        used = UsedKinds()
        for slot, piece, is_on_map in pieces:
            if is_on_map:
                kind = self.kind_of(piece, used)
                used.add(kind)
                kind.count = max(kind.count, used[kind])
                kind.start_names += start_names[slot.piece]
                self._record_slot(slot, kind)

    def _record_slot(self, slot: Slot, kind: PieceKind) -> None:
        self._claim_slot(slot.id or slot.piece.slot, kind)
        kind.prototypes += tuple(_list_prototypes(self._source.module, slot.piece))

    def _claim_slot(self, slot_id: str, kind: PieceKind) -> None:
        """Assign a slot to a kind, unless it belongs to another one already."""
        if slot_id and self._by_slot.setdefault(slot_id, kind) is kind and slot_id not in kind.slots:
            kind.slots.append(slot_id)

    def _add_slot(self, slot: Slot, piece: Piece) -> None:
        """Add a slot of a palette: another copy if its list has an equal piece already, else a new kind."""
        path, definition = _clean_path(slot.path), _define_piece(piece)
        kind = self._by_path.get((definition, path))
        if kind is None:
            kind = self._by_path[definition, path] = self._add_kind(piece, definition, path, slot.name)
        else:
            kind.count += 1
        self._record_slot(slot, kind)

    def _report_traits(self, pieces: Sequence[Piece]) -> None:
        """Report the traits that the builder cannot write, each with the number of pieces that have it."""
        counts = Counter(name for piece in pieces for name in {trait.kind for trait in piece.traits})
        for name, count in sorted(counts.items(), key=lambda item: _TRAIT_TITLES.get(item[0], item[0])):
            if name not in _UNREPORTED_TRAITS:
                text = f"{_TRAIT_TITLES.get(name, name)}: {format_count(count, 'piece')}"
                self._findings.left_out("traits that the builder does not have", text)

    def _expand_prototypes(self, piece: Piece, name: str) -> Piece | None:
        try:
            return piece._replace(traits=self._source.module.expanded(piece.traits))
        except InputError as error:
            self._findings.left_out(f"a piece that cannot be read: {error.what}", name)
            return None

    def _add_kind(self, piece: Piece, definition: _Definition, path: tuple[str, ...], slot_name: str) -> PieceKind:
        name = clean_text(definition.name) or clean_text(slot_name)
        kind = PieceKind(self.read(piece), path, name or "unit")
        kind.mapping_names = names_for_piece(piece)
        kind.place = len(self.kinds)
        self.kinds.append(kind)
        for layer in kind.piece.following:
            self._findings.left_out("layers that follow properties: the counter keeps their first state", layer)
        kind.definition, kind.picture = definition, picture_of(piece)
        kind.traits, kind.owner = frozenset(definition.traits), _read_owner(piece)
        kind.called = tuple(dict.fromkeys([*([name] if name else []), *([] if definition.name else [""])]))
        self._by_definition[definition].append(kind)
        for key in product(kind.called, dict.fromkeys(("", kind.picture)), (None, kind.owner)):
            self._by_name[_NameKey(*key)].append(kind)
        return kind

    def read(self, piece: Piece) -> ModulePiece:
        """Read a piece whose prototypes are expanded."""
        return read_piece(piece, self._source, self._shared_images)

    def kind_of(self, piece: Piece, used: UsedKinds) -> PieceKind:
        """Return the kind of a piece in a set-up, or add a new one if no kind matches.

        `piece`: the piece with its prototypes expanded.
        `used`: the number of pieces of each kind in the set-up so far.
        """
        kind = self.find_kind(piece, used) or self._add_kind(piece, _define_piece(piece), (), "")
        self._claim_slot(piece.slot, kind)  # the palettes may have lost the slot, but saves still name it
        return kind

    def find_kind(self, piece: Piece, used: UsedKinds) -> PieceKind | None:
        """Return the kind for which most of a piece's slot, traits, name and picture stand, or None if no kind matches.

        One sign is enough if it is a name that only one kind has. A nameless piece is known by its picture.
        `piece`, `used`: as for `kind_of`.
        """
        definition, picture, owner = _define_piece(piece), picture_of(piece), _read_owner(piece)
        slot_kind = self._by_slot.get(piece.slot) if piece.slot else None
        if slot_kind is not None and slot_kind.definition == definition:
            return slot_kind  # nothing can have more signs
        name, owners = clean_text(definition.name), (owner, ()) if owner else (None,)

        def is_named(kind: PieceKind) -> bool:
            has_name = bool(name) or bool(picture and not definition.name and kind.picture == picture)
            return has_name and name in kind.called and (not owner or kind.owner in owners)

        # Of kinds with the same signs one is enough, the one used least: it spreads the pieces over several lists.
        keys = [_NameKey(name, shown, owned) for shown in dict.fromkeys((picture, "")) for owned in owners]
        least = [
            slot_kind,
            used.find_least(definition, self._by_definition.get(definition, ())),
            *(used.find_least(key, self._by_name.get(key, ())) for key in keys),
        ]
        known = [
            kind
            for kind in dict.fromkeys(least)
            if kind and (kind is slot_kind or kind.definition == definition or is_named(kind))
        ]
        signs = [
            [kind for kind in known if kind is slot_kind],
            [kind for kind in known if kind.definition == definition],
            [kind for kind in known if is_named(kind)],
            [kind for kind in known if picture and kind.picture == picture],
        ]
        found = recognise([*filter(None, signs)]).found
        namesakes = self._by_name.get(_NameKey(name, "" if name else picture, None), ()) if name or picture else ()
        if not found or (
            sum(found[0] in kinds for kinds in signs) == 1 and (found[0] is slot_kind or len(namesakes) > 1)
        ):
            return None
        return min(found, key=lambda kind: (used[kind], kind.place))

    # --- units --------------------------------------------------------------------------------------------------------

    def name_all(self, boxes: Iterable[str]) -> None:
        """Name the units, once the number of their copies is known.

        Kinds with the same name get the text of their labels added. If kinds of several lists still have the same name,
        the later ones get the name of their list added.

        `boxes`: names that no unit gets, as a line of notation could mean either.
        """
        self.units.reserve(boxes)
        lists_by_name: dict[str, set[str]] = defaultdict(set)
        namesakes: dict[str, list[PieceKind]] = defaultdict(list)
        for kind in self.kinds:
            if not kind.is_marker:
                namesakes[kind.name.casefold()].append(kind)
        labels = {kind: label for some in namesakes.values() for kind, label in _choose_labels(some).items()}
        for kind in self.kinds:
            if not kind.is_marker:
                name = clean_text(f"{kind.name} {labels.get(kind, '')}")
                list_title = kind.path[-1] if kind.path else ""
                earlier_lists = lists_by_name[name.casefold()]
                is_namesake = bool(earlier_lists and list_title and list_title not in earlier_lists)
                earlier_lists.add(list_title)
                name = NUMBERED.format(name, list_title) if is_namesake else name
                kind.unit = self.units.give(name, kind.piece.name, kind.count)

    def rename(self, names: Mapping[PieceKind, str]) -> PieceKind | None:
        """Rename kinds, and make those with the name "" markers.

        Returns the first kind whose name is taken, or None if all names are free.
        """
        for kind in names:
            self.units.release(kind.unit, kind.count)
        for kind, name in names.items():
            kind.marker_stated, kind.unit = not name, name
            if name and self.units.give(name, kind.piece.name, kind.count) != name:
                return kind
        return None

    # --- tracks -------------------------------------------------------------------------------------------------------

    def make_tracks(self, counter_px: int) -> None:
        """Turn markers, layers and labels into tracks. Layers with the same name and first state share a track.

        `counter_px`: the side of a counter.
        """
        layers_by_group: dict[_Group, list[_KindLayer]] = defaultdict(list)
        for kind in self.kinds:
            if kind.is_marker:
                self._make_marker(kind)
                continue
            for key, layer in number_layers(kind.piece.layers):
                only_flips = layer.turns and len(layer.values) == 2
                group = _Group(FLIPPED, "", True) if only_flips else _Group(layer.name, layer.absent, layer.turns)
                layers_by_group[group].append(_KindLayer(kind, key, layer))
        self._make_texts()
        for number, (group, layers) in enumerate(layers_by_group.items()):
            track = self._make_track(group, layers, counter_px, _CORNERS[number % len(_CORNERS)])
            for kind, key, _ in layers:
                kind.tracks[key] = track.name
            self.statuses[track.name] = ImportedTrack(track, [(kind, layer) for kind, _, layer in layers])

    def _make_track(
        self, group: _Group, layers: list[_KindLayer], counter_px: int, corner: tuple[float, float]
    ) -> Track:
        """Return the track that the layers of a group share.

        `corner`: the place of the tag if the layers lie in the middle with different pictures.
        """
        name, absent, turns = group
        if turns and not absent:
            module = InModule(menu=("Turn over",), keys=("R",), tag="", flips=True)
            return _LastingTrack(name=FLIPPED, title="turned over", on="unit", kind="flag", absent=False, module=module)
        title = self._titles.give(clean_text(name))
        word = self.tracks.give(slug(name) or "status")
        values = tuple(dict.fromkeys(value for _, _, layer in layers for value in layer.values))
        (x, y), at = layers[0].layer.off, corner
        if (x, y) != (0, 0) or _has_same_pictures(layers):
            at = max(min(x / counter_px, 2.0), -2.0), max(min(y / counter_px, 2.0), -2.0)
        about = InModule(menu=(f"{title}: next", f"{title}: before"), at=at, flips=turns, group="Status")
        if values == (absent,):  # a track of choices needs a second value
            values = (absent, "on")
        if not turns and absent == OFF and len(values) == 2:
            module = InModule(menu=(title,), at=at, tag=title[:12], group="Status")
            return _LastingTrack(name=word, title=title, on="unit", kind="flag", absent=False, module=module)
        return _LastingTrack(
            name=word, title=title, on="unit", kind="choice", values=values, absent=absent, module=about
        )

    def _make_texts(self) -> None:
        """Turn the labels that players may write into tracks."""
        kinds_by_label: dict[str, list[PieceKind]] = defaultdict(list)
        for kind in self.kinds:
            if not kind.is_marker:
                for name in kind.piece.texts:
                    kinds_by_label[name].append(kind)
        for name, kinds in kinds_by_label.items():
            title = self._titles.give(clean_text(name))
            word = self.tracks.give(slug(name) or "text")
            about = InModule(menu=(f"{title}: write",), group="Status")
            track = _LastingTrack(name=word, title=title, on="unit", kind="text", absent="", module=about)
            self.statuses[word] = ImportedTrack(track, [(kind, None) for kind in kinds])
            self.texts[name] = word

    def _make_marker(self, kind: PieceKind) -> None:
        """Turn a marker into a track of hexes. The states of its first layer become the values."""
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


def _choose_labels(namesakes: Sequence[PieceKind]) -> dict[PieceKind, str]:
    """Return the text of the first label that tells kinds of one name apart, or of all labels if none does alone."""
    if len({kind.piece.labels for kind in namesakes}) < 2:
        return {}
    for at in range(min(len(kind.piece.labels) for kind in namesakes)):
        texts = {kind: kind.piece.labels[at] for kind in namesakes}
        if len({*texts.values()}) == len(namesakes) and not any(text.isdecimal() for text in texts.values()):
            return texts
    return {kind: " ".join(kind.piece.labels) for kind in namesakes}


def _has_same_pictures(layers: list[_KindLayer]) -> bool:
    return len({tuple(sorted(layer.images.items())) for _, _, layer in layers}) == 1


def _find_shared_images(pieces: Iterable[Piece]) -> set[tuple[str, ...]]:
    """Return the pictures of each layer that several pieces have."""
    piece_counts: Counter[tuple[str, ...]] = Counter()
    for piece in pieces:
        piece_counts.update({read_layer(trait.type).images for trait in piece.traits if trait.kind == "emb2"})
    return {images for images, count in piece_counts.items() if count > 1}


def _find_start_names(module: Module) -> dict[Piece, tuple[str, ...]]:
    """Return the pieces on maps at the start, each with the names of its stacks, their windows and the windows' sides."""
    start_names: dict[Piece, tuple[str, ...]] = {}
    for start in module.starts:
        window = module.maps.get(start.map)
        names = start.name, start.map, *(window.sides if window else ())
        for piece in start.pieces:
            start_names[piece] = start_names.get(piece, ()) + names
    return start_names


def _list_prototypes(module: Module, piece: Piece) -> list[str]:
    """Return the names of a piece's prototypes, including the prototypes that prototypes name."""
    names: dict[str, None] = {}
    pending = [piece.traits]
    while pending:
        for trait in pending.pop():
            if trait.kind == "prototype" and (name := trait.part(1)) not in names:
                names[name] = None
                pending.append(module.prototypes.get(name, ()))
    return [*names]


def _clean_path(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, map(clean_text, path)))


def _define_piece(piece: Piece) -> _Definition:
    traits = tuple(trait if trait.kind in ("mark", "label") else trait.type for trait in piece.traits)
    return _Definition(basic_name(piece), traits)


def _read_owner(piece: Piece) -> tuple[tuple[str, str], ...]:
    """Return the constants of a piece that state its nation or side: names and values as words."""
    marks = {slug(name): slug(value) for name, value in piece.marks().items()}
    return tuple((name, marks[name]) for name in (*NATIONS, *SIDES) if marks.get(name))


def missing_prototypes(module: Module) -> list[str]:
    """Return the prototypes that pieces name but the module does not define."""
    missing: dict[str, None] = {}
    for slot in module.slots:
        try:
            missing |= dict.fromkeys(module.missing(slot.piece.traits))
        except InputError:
            continue
    return [*missing]
