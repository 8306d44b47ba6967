"""Reads a piece of a module as players see it: pictures of both sides, texts, and the layers that players change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, NamedTuple

from assistant.formats.vassal.adoption.identity import picture_of
from assistant.formats.vassal.adoption.legend import list_layer_names
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.properties import BASIC, Carried
from assistant.formats.vassal.sequence import remembered, split
from assistant.formats.vassal.traits import LabelTrait, Trait, read_label, read_layer, read_level
from assistant.util.limits import Limit
from assistant.util.notes import note

from .generated import parse_colour, read_font, read_text
from .names import clean_text, slug
from .painting import Label
from .source import Face, LaidPicture, Source

OFF = "off"
"""The word for a layer that shows nothing."""
# Fields of a layer's type, by number
_LEVEL_KEY_FIELDS = (6, 9, 10, 11)  # keys that change the level
_SCALE_FIELD = 31  # scale of the pictures
_SHOWN_BY_FIELD = 32  # the property by which newer engines show the layer

_MIN_BACK_SHARE = 0.8
"""The minimum width and height of a back's picture, as a share of the front's."""
_MAX_BACK_OFFSET_PX = 6
"""The maximum distance of a back's picture from the middle of the piece."""
_HTML = "<" + "html>"
"""The beginning of a text in HTML."""
_MAX_LABEL_CHARS = 100
"""The maximum length of a label that is drawn."""
_MAX_CACHED_LAYERS = 1024  # most pieces share a few layers


class PieceLayer(NamedTuple):
    """A layer that players change."""

    name: str
    words: Mapping[int, str]
    """The word for the state at each level; level 0 is off."""
    at_first: int
    """The level at the start."""
    images: Mapping[str, str]
    """The picture of each state, by its word."""
    off: Pixel
    """The offset of the layer's middle from the middle of the piece."""
    turns: bool
    """Whether the layer shows the other side of the piece."""
    mapping_names: tuple[str, ...] = ()
    """Names by which a mapping file may refer to the layer, the surest first."""

    @property
    def absent(self) -> str:
        """The word for the state at the start."""
        return self.words.get(self.at_first, OFF)

    @property
    def other(self) -> str:
        """The first state with a picture that is not the one at the start, or "" if there is none."""
        return next((word for word in self.images if word != self.absent), "")

    @property
    def values(self) -> tuple[str, ...]:
        """The words for all states, beginning with the one at the start."""
        return tuple(dict.fromkeys((self.absent, *self.words.values())))


class ModulePiece(NamedTuple):
    """A piece of a palette or of a set-up, its prototypes expanded."""

    name: str
    columns: Annotated[Mapping[str, str], note("the texts and constants, by name")]
    texts: Annotated[Mapping[str, str], note("the text of each label that players may write, by the label's name")]
    layers: Annotated[tuple[PieceLayer, ...], note("layers that players change, the outermost first")]
    front: Annotated[Face, note("the pictures of the front, the lowest first")]
    back: Annotated[Face, note("the pictures of the back, none if no layer turns the piece over")]
    labels: Annotated[tuple[str, ...], note("the texts that its labels show, the innermost first")]
    following: Annotated[tuple[str, ...], note("the names of layers that follow a property instead of a player")]


def read_piece(piece: Piece, source: Source, shared: Collection[tuple[str, ...]] = ()) -> ModulePiece:
    """Read a piece whose prototypes are expanded.

    `source`: the module with the pictures.
    `shared`: the pictures of each layer that several pieces have; their file names then name the states.
    """
    carried = Carried(piece.traits)
    layers = [*_read_layers(piece, carried, shared)]
    pictures = [*_read_pictures(piece, layers, carried, source)]
    turning = _find_turning_layer(layers, pictures, source.size)
    labels = (_read_shown(trait, carried) for trait in reversed(piece.traits) if trait.kind == "label")
    return ModulePiece(
        carried.expand(carried.values.get(BASIC, "")),
        {**_clean_facts(source.list_facts(picture_of(piece))), **dict(_read_columns(piece, carried))},
        dict(_read_texts(piece, carried)),
        tuple(layer._replace(turns=layer is turning) for _, layer in layers if layer is not None),
        tuple(picture for picture, _ in pictures if picture.image),
        _read_back(pictures, turning) if turning is not None else (),
        tuple(dict.fromkeys(filter(None, map(clean_text, labels)))),
        tuple(read_layer(trait.type).name for trait, _ in layers if _follows(trait)),
    )


def _clean_facts(facts: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, value in facts.items() if (text := clean_text(value))}


def basic_picture(piece: Piece) -> str:
    """Return the picture of a piece without its layers, or "" if it has none."""
    return piece.traits[-1].part(3)


def _read_pictures(
    piece: Piece, layers: Sequence[tuple[Trait, PieceLayer | None]], carried: Carried, source: Source
) -> Iterator[tuple[LaidPicture, PieceLayer | None]]:
    """Yield the visible pictures and labels of a piece, the lowest first, each with its layer, or None if it is of none.

    A layer that players change is yielded even if it shows nothing, as its place among the pictures matters.
    """
    shape = Shape()
    if image := basic_picture(piece):
        yield LaidPicture(image), None
        shape.add_picture((0, 0), source.size(image))
    unread = [*layers]
    for trait in reversed(piece.traits):
        if trait.kind == "label" and (laid := _lay_label(trait, carried, source, shape)):
            yield laid, None
        if trait.kind != "emb2":
            continue
        _, changeable = unread.pop()
        layer, level = read_layer(trait.type), 0 if _is_unseen(trait, carried) else carried.level(trait)
        picture = layer.images[level - 1] if 0 < level <= len(layer.images) else ""
        if picture:
            yield LaidPicture(picture, (layer.x, layer.y)), changeable
            shape.add_picture((layer.x, layer.y), source.size(picture))
        elif changeable is not None:
            yield LaidPicture(""), changeable


class Shape:
    """The rectangle around the pictures of a piece so far, from the middle of the piece. Labels are placed on it."""

    def __init__(self) -> None:
        self.left = self.top = self.right = self.bottom = 0

    def add_picture(self, middle: Pixel, size: Pixel) -> None:
        """Add a picture of a size, by its middle."""
        self.add((middle[0] - size[0] // 2, middle[1] - size[1] // 2), size)

    def add(self, corner: Pixel, size: Pixel) -> None:
        """Add a rectangle of a size, by its upper left corner."""
        self.left, self.top = min(self.left, corner[0]), min(self.top, corner[1])
        self.right, self.bottom = max(self.right, corner[0] + size[0]), max(self.bottom, corner[1] + size[1])

    def place_label(self, trait: LabelTrait, size: Pixel) -> Pixel:
        """Return the upper left corner of a label of a size."""
        down, y, across, x = trait.place
        x += {"l": self.left, "r": self.right}.get(across, 0)
        y += {"t": self.top, "b": self.bottom}.get(down, 0)
        upper, left = trait.justified
        x -= {"c": size[0] // 2, "r": size[0]}.get(left, 0)
        y -= {"c": size[1] // 2, "b": size[1]}.get(upper, 0)
        return x, y


def _read_shown(trait: Trait, carried: Carried) -> str:
    """Return the text that a label shows, without HTML, in one line."""
    text = carried.text_on(trait)
    return " ".join(read_text(text, is_html=text.casefold().startswith(_HTML)).split())


def _lay_label(trait: Trait, carried: Carried, source: Source, shape: Shape) -> LaidPicture | None:
    """Return the picture of a label, or None if it shows nothing or would be too large."""
    kind = read_label(trait.type)
    text = _read_shown(trait, carried)[:_MAX_LABEL_CHARS]
    if not text or kind.size <= 0:
        return None
    font = read_font(kind.style, kind.size)
    label = Label(text, font, parse_colour(kind.foreground), parse_colour(kind.background), kind.degrees)
    if label.pixels > Limit.ART_PIXELS.most:
        return None
    corner = shape.place_label(kind, label.size)
    if not kind.stroke:  # as in VASSAL, a text that players may write does not widen the piece
        shape.add(corner, label.size)
    return source.lay_label(label, corner)


def _find_turning_layer(
    layers: Sequence[tuple[Trait, PieceLayer | None]],
    pictures: Sequence[tuple[LaidPicture, PieceLayer | None]],
    size: Callable[[str], Pixel],
) -> PieceLayer | None:
    """Return the layer that shows the other side of the piece, or None if no layer does."""
    front_size = next((size(picture.image) for picture, _ in pictures if picture.image), (0, 0))
    candidates: list[PieceLayer] = []
    for trait, layer in layers:
        is_full_size = _read_field(trait, _SCALE_FIELD) in ("", "1", "1.0")
        if layer is not None and is_full_size and _shows_other_side(layer, front_size, size):
            candidates.append(layer)
    # Prefer the first layer with two pictures: one with a single picture may be a frame around the counter.
    return min(candidates, key=lambda layer: len(layer.images) < 2, default=None)


def _read_back(pictures: Sequence[tuple[LaidPicture, PieceLayer | None]], turning: PieceLayer) -> Face:
    """Return the pictures of the back: the one of the turning layer, and all pictures above it."""
    turning_index = next(number for number, (_, layer) in enumerate(pictures) if layer is turning)
    above = (picture for picture, _ in pictures[turning_index + 1 :])
    back = (LaidPicture(_picture_of_other(turning), turning.off), *above)
    return tuple(picture for picture in back if picture.image)


def basic_name(piece: Piece) -> str:
    """Return the name of a piece without its statuses."""
    carried = Carried(piece.traits)
    return carried.expand(carried.values.get(BASIC, ""))


def _read_field(trait: Trait, number: int) -> str:
    """Return a field of a layer's type, or "" if an older engine left it out."""
    return trait.part(number).strip()


def _follows(trait: Trait) -> bool:
    """Return whether a layer follows a property instead of a player."""
    return bool(read_layer(trait.type).follows or _read_field(trait, _SHOWN_BY_FIELD))


def _is_unseen(trait: Trait, carried: Carried) -> bool:
    """Return whether a property hides a layer."""
    shown_by = _read_field(trait, _SHOWN_BY_FIELD)
    return bool(shown_by) and carried.get(shown_by) != "true"


def _read_layers(
    piece: Piece, carried: Carried, shared: Collection[tuple[str, ...]]
) -> Iterator[tuple[Trait, PieceLayer | None]]:
    """Yield the layers of a piece, the outermost first, each as a `PieceLayer`, or None if players do not change it."""
    for trait in piece.traits:
        if trait.kind != "emb2":
            continue
        layer, (has_switch_key, has_level_key) = read_layer(trait.type), _find_keys(trait.type)
        start_level = max(carried.level(trait), 0)
        can_be_off = read_level(trait) <= 0 or has_switch_key
        has_steps = len(layer.images) > 1 and (has_level_key or any((*layer.up, *layer.down)))
        if _follows(trait) or not (can_be_off or has_steps) or not any((*layer.images, *layer.names)):
            yield trait, None
            continue
        words = _name_levels(layer.name, layer.images, layer.names, shared=layer.images in shared)
        if can_be_off:
            words = {**words, 0: OFF}
        images: dict[str, str] = {}
        for number, image in enumerate(layer.images, 1):
            if image and number in words:
                images.setdefault(words[number], image)
        yield (
            trait,
            PieceLayer(
                layer.name, words, start_level, images, (layer.x, layer.y), False, tuple(list_layer_names(trait))
            ),
        )


@remembered
def _find_keys(type: str) -> tuple[bool, bool]:
    """Return whether keys switch a layer of this type on or off, and whether other keys change its level."""
    fields = [*split(type, ";"), *[""] * 32]
    switches = bool(fields[1] or fields[3] or fields[27].strip())
    return switches, any(fields[number].strip() for number in _LEVEL_KEY_FIELDS)


@lru_cache(_MAX_CACHED_LAYERS)
def _name_levels(name: str, images: tuple[str, ...], names: tuple[str, ...], *, shared: bool) -> Mapping[int, str]:
    """Return a word for each level of a layer, counted from 1.

    The word is the level's name, or else the picture's file name if several pieces share the layer, or else a number
    such as `level-2`. A level that shows nothing is OFF.
    """
    words: dict[int, str] = {}
    taken = {OFF, "none"}
    for number, (image, raw_name) in enumerate(zip(images, names, strict=True), 1):
        level_name = raw_name.strip("+ ")
        word = slug(level_name.removeprefix(f"{name}="))
        if not image and not level_name:
            words[number] = OFF
            continue
        word = word or (slug(image.rpartition("/")[2].rpartition(".")[0]) if shared else "")
        word = word or (f"level-{number}" if len(images) > 1 else "on")
        while word in taken:
            word = f"{word}-{number}"
        taken.add(word)
        words[number] = word
    return words


def _shows_other_side(layer: PieceLayer, front_size: Pixel, size: Callable[[str], Pixel]) -> bool:
    """Return whether a layer has another picture in the middle of the piece that covers most of the front."""
    other = _picture_of_other(layer)
    if not other or max(map(abs, layer.off)) > _MAX_BACK_OFFSET_PX or 0 in front_size:
        return False
    return all(length >= _MIN_BACK_SHARE * front for length, front in zip(size(other), front_size, strict=True))


def _picture_of_other(layer: PieceLayer) -> str:
    return layer.images.get(layer.other, "")


def _is_written(trait: Trait) -> bool:
    """Return whether players may write a label."""
    label = read_label(trait.type)
    return bool(label.menu or label.stroke)


def _read_texts(piece: Piece, carried: Carried) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each label that players may write.

    The outermost comes last, so that it wins over others of its name in a dictionary.
    """
    for trait in reversed(piece.traits):
        if trait.kind == "label" and _is_written(trait):
            label = read_label(trait.type)
            yield label.name or label.menu or "text", clean_text(_read_shown(trait, carried))


def _read_columns(piece: Piece, carried: Carried) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each label, constant and dynamic property; of equal names the outermost counts."""
    labels = (trait for trait in reversed(piece.traits) if trait.kind == "label")
    texts = {read_label(trait.type).name or "text": _read_shown(trait, carried) for trait in labels}
    for name, value in {**texts, **carried.values}.items():
        if name and name != BASIC and (text := clean_text(value)):
            yield name, text


def number_layers(layers: tuple[PieceLayer, ...]) -> Iterator[tuple[tuple[str, int], PieceLayer]]:
    """Yield layers, each with its name and the number of earlier layers with that name."""
    counts: Counter[str] = Counter()
    for layer in layers:
        yield (layer.name, counts[layer.name]), layer
        counts[layer.name] += 1
