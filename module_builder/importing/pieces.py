"""A piece of a module as players see it: its pictures on both sides, its texts, and the layers that players change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, NamedTuple

from assistant.formats.vassal.adoption.legend import list_layer_names
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.properties import BASIC, Carried
from assistant.formats.vassal.sequence import remembered, split
from assistant.formats.vassal.traits import Trait, read_label, read_layer, read_level
from assistant.util.notes import note

from .names import clean_text, slug
from .source import Face, LaidPicture

OFF = "off"
"""The word for a layer that shows nothing."""
_STEPS = (6, 9, 10, 11)
"""Further parts of a layer's type with keys that change it."""
_SCALE = 31  # the part with the size of its pictures, 1 being their own
_SHOWN_BY = 32  # the part with the property by which newer engines show it
_FULL = 0.8  # least part of the front, each way, that the picture of another side covers
_LAYERS = 1024  # of which most pieces have the same few
_CENTRED = 6  # pixels off the middle that it may lie


class PieceLayer(NamedTuple):
    """A layer that players change."""

    name: str
    """As the module calls it."""
    words: Mapping[int, str]
    """Its states, by level, 0 being off."""
    at_first: int
    """Its level on the piece."""
    images: Mapping[str, str]
    """By word."""
    off: Pixel
    """Of its middle from that of the piece."""
    turns: bool
    """Whether it shows another side of the piece."""
    named: tuple[str, ...] = ()
    """How a mapping may name it, the surest name first."""

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
    """A piece of a palette or of a set-up, its prototypes expanded."""

    name: str
    columns: Annotated[Mapping[str, str], note("what is on it as text")]
    texts: Annotated[Mapping[str, str], note("what players may write on it, by the name of the label")]
    layers: Annotated[tuple[PieceLayer, ...], note("those that players change, the outermost first")]
    front: Annotated[Face, note("the picture of a side, like `back`, which is empty if it has none")]
    back: Face
    following: Annotated[tuple[str, ...], note("the names of layers that show what properties say")]


def read_piece(piece: Piece, size: Callable[[str], Pixel], shared: Collection[tuple[str, ...]] = ()) -> ModulePiece:
    """Return a piece with its prototypes expanded. size: of a picture by its name; shared: the pictures of layers whose
    names tell a state.
    """
    carried = Carried(piece.traits)
    layers = [*_read_layers(piece, carried, shared)]
    pictures = [*_read_pictures(piece, layers, carried)]
    turning = _find_turning_layer(layers, pictures, size)
    return ModulePiece(
        carried.expand(carried.values.get(BASIC, "")),
        dict(_read_columns(piece, carried)),
        dict(_read_texts(piece, carried)),
        tuple(changed._replace(turns=changed is turning) for _, changed in layers if changed is not None),
        tuple(picture for picture, _ in pictures if picture.image),
        _read_back(pictures, turning) if turning is not None else (),
        tuple(read_layer(trait.type).name for trait, _ in layers if _follows(trait)),
    )


def basic_picture(piece: Piece) -> str:
    """Return the picture of a piece without its layers, "" if it has none."""
    return piece.traits[-1].part(3)


def _read_pictures(
    piece: Piece, layers: Sequence[tuple[Trait, PieceLayer | None]], carried: Carried
) -> Iterator[tuple[LaidPicture, PieceLayer | None]]:
    """Yield what lies on a piece, the lowest first, each with the layer that players change; such a layer that shows
    nothing is among them.
    """
    if image := basic_picture(piece):
        yield LaidPicture(image), None
    for trait, changed in reversed(layers):
        layer, shown = read_layer(trait.type), 0 if _is_unseen(trait, carried) else carried.level(trait)
        picture = layer.images[shown - 1] if 0 < shown <= len(layer.images) else ""
        if picture:
            yield LaidPicture(picture, (layer.x, layer.y)), changed
        elif changed is not None:
            yield LaidPicture(""), changed


def _find_turning_layer(
    layers: Sequence[tuple[Trait, PieceLayer | None]],
    pictures: Sequence[tuple[LaidPicture, PieceLayer | None]],
    size: Callable[[str], Pixel],
) -> PieceLayer | None:
    """Return the layer that shows another side of the piece, None if none does. A layer with a single picture may be a
    frame around the counter, so that one with a picture for each side is likelier.
    """
    ground = next((size(picture.image) for picture, _ in pictures if picture.image), (0, 0))
    turning: list[PieceLayer] = []
    for trait, changed in layers:
        is_whole = _read_part(trait, _SCALE) in ("", "1", "1.0")
        if changed is not None and is_whole and _is_other_side(changed, ground, size):
            turning.append(changed)
    return min(turning, key=lambda layer: len(layer.images) < 2, default=None)


def _read_back(pictures: Sequence[tuple[LaidPicture, PieceLayer | None]], turning: PieceLayer) -> Face:
    """Return the other side of a piece: the picture that the layer shows there, and what lies above it."""
    at = next(number for number, (_, layer) in enumerate(pictures) if layer is turning)
    behind = (LaidPicture(_picture_of_other(turning), turning.off), *(shown for shown, _ in pictures[at + 1 :]))
    return tuple(picture for picture in behind if picture.image)


def basic_name(piece: Piece) -> str:
    """Return the name of a piece without its statuses."""
    carried = Carried(piece.traits)
    return carried.expand(carried.values.get(BASIC, ""))


def _read_part(trait: Trait, number: int) -> str:
    """Return a part of a layer's type, "" if older engines left it out."""
    return trait.part(number).strip()


def _follows(trait: Trait) -> bool:
    """Return whether a layer shows what a property says instead of what players choose."""
    return bool(read_layer(trait.type).follows or _read_part(trait, _SHOWN_BY))


def _is_unseen(trait: Trait, carried: Carried) -> bool:
    """Return whether the property by which a layer is shown does not hold."""
    shown_by = _read_part(trait, _SHOWN_BY)
    return bool(shown_by) and carried.get(shown_by) != "true"


def _read_layers(
    piece: Piece, carried: Carried, shared: Collection[tuple[str, ...]]
) -> Iterator[tuple[Trait, PieceLayer | None]]:
    """Yield the layers of a piece, the outermost first; None for one that players do not change."""
    for trait in piece.traits:
        if trait.kind != "emb2":
            continue
        layer, (has_switch, has_steps) = read_layer(trait.type), _find_keys(trait.type)
        start = max(carried.level(trait), 0)
        switched = read_level(trait) <= 0 or has_switch
        stepped = len(layer.images) > 1 and (has_steps or any((*layer.up, *layer.down)))
        if _follows(trait) or not (switched or stepped) or not any((*layer.images, *layer.names)):
            yield trait, None
            continue
        words = _name_levels(layer.name, layer.images, layer.names, shared=layer.images in shared)
        if switched:
            words = {**words, 0: OFF}
        images: dict[str, str] = {}
        for number, image in enumerate(layer.images, 1):
            if image and number in words:
                images.setdefault(words[number], image)
        yield (
            trait,
            PieceLayer(layer.name, words, start, images, (layer.x, layer.y), False, tuple(list_layer_names(trait))),
        )


@remembered
def _find_keys(type: str) -> tuple[bool, bool]:
    """Return whether keys switch a layer of this type on or off, and whether further keys change its level."""
    parts = [*split(type, ";"), *[""] * 32]
    return bool(parts[1] or parts[3] or parts[27].strip()), any(parts[number].strip() for number in _STEPS)


@lru_cache(_LAYERS)
def _name_levels(name: str, images: tuple[str, ...], names: tuple[str, ...], *, shared: bool) -> Mapping[int, str]:
    """Return a word for each level of a layer, from 1: what it is called, else its picture if several pieces share it,
    else its number.

    OFF stands for a level that shows nothing.
    """
    words: dict[int, str] = {}
    taken = {OFF, "none"}
    for number, (image, name_of_level) in enumerate(zip(images, names, strict=True), 1):
        called = name_of_level.strip("+ ")
        word = slug(called.removeprefix(f"{name}="))
        if not image and not called:
            words[number] = OFF
            continue
        word = word or (slug(image.rpartition("/")[2].rpartition(".")[0]) if shared else "")
        word = word or (f"level-{number}" if len(images) > 1 else "on")
        while word in taken:
            word = f"{word}-{number}"
        taken.add(word)
        words[number] = word
    return words


def _is_other_side(layer: PieceLayer, ground: Pixel, size: Callable[[str], Pixel]) -> bool:
    """Return whether a layer shows another side of the piece: a picture of about its size, in its middle."""
    other = _picture_of_other(layer)
    if not other or max(map(abs, layer.off)) > _CENTRED or 0 in ground:
        return False
    return all(part >= _FULL * whole for part, whole in zip(size(other), ground, strict=True))


def _picture_of_other(layer: PieceLayer) -> str:
    """Return the picture of the first state of a layer that is not the one on the piece."""
    return layer.images.get(layer.other, "")


def _is_written(trait: Trait) -> bool:
    """Return whether players may write a label."""
    label = read_label(trait.type)
    return bool(label.menu or label.stroke)


def _read_texts(piece: Piece, carried: Carried) -> Iterator[tuple[str, str]]:
    """Yield what stands on the labels that players may write, the innermost first, so that the outermost of one name
    counts.
    """
    for trait in reversed(piece.traits):
        if trait.kind == "label" and _is_written(trait):
            label = read_label(trait.type)
            yield label.name or label.menu or "text", clean_text(carried.text_on(trait))


def _read_columns(piece: Piece, carried: Carried) -> Iterator[tuple[str, str]]:
    """Yield what stands on a piece as text: markers, dynamic properties, texts; the outermost of one name counts."""
    labels = (trait for trait in reversed(piece.traits) if trait.kind == "label")
    texts = {read_label(trait.type).name or "text": carried.text_on(trait) for trait in labels}
    for name, value in {**texts, **carried.values}.items():
        if name and name != BASIC and (text := clean_text(value)):
            yield name, text


def number_layers(layers: tuple[PieceLayer, ...]) -> Iterator[tuple[tuple[str, int], PieceLayer]]:
    """Yield layers, each with its name and how many of that name stand before it."""
    before: Counter[str] = Counter()
    for layer in layers:
        yield (layer.name, before[layer.name]), layer
        before[layer.name] += 1
