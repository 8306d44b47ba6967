"""What a piece of a module is: its name, its faces, what stands on it as text, and the statuses that players give it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.sequence import split
from assistant.formats.vassal.traits import BASIC, Carried, Trait, level, read_label, read_layer

from .names import clean, slug
from .source import Face, LaidPicture

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


class LayerSeen(NamedTuple):
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


class PieceSeen(NamedTuple):
    """A piece of a palette or of a set-up, its prototypes expanded.

    columns: what stands on it as text; texts: what players may write on it, by the name of the label; layers: those
    that players change, the outermost first; front, back: the pictures of its sides, back being empty if it has none;
    following: the names of layers that show what properties say.
    """

    name: str
    columns: Mapping[str, str]
    texts: Mapping[str, str]
    layers: tuple[LayerSeen, ...]
    front: Face
    back: Face
    following: tuple[str, ...]


def read_piece(piece: Piece, size: Callable[[str], Pixel], shared: Collection[tuple[str, ...]] = ()) -> PieceSeen:
    """A piece with its prototypes expanded. size: of a picture by its name; shared: the pictures of layers whose names
    tell a state.
    """
    basic = split(piece.traits[-1].type, ";")
    image = (*basic, "", "", "", "")[3]
    carried = Carried(piece.traits)
    layers = [*_layers(piece, carried, shared)]
    plain: list[tuple[LaidPicture, LayerSeen | None]] = [(LaidPicture(image), None)] if image else []
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
    return PieceSeen(
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
) -> Iterator[tuple[Trait, LayerSeen | None]]:
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
        yield trait, LayerSeen(layer.name, words, start, images, (layer.x, layer.y), False)


def _words(name: str, images: tuple[str, ...], names: tuple[str, ...], shared: bool) -> Iterator[tuple[int, str]]:
    """A word for each level of a layer, from 1: what it is called, else its picture if several pieces share it, else
    its number.

    OFF stands for one that shows nothing.
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


def _turns(layer: LayerSeen, ground: Pixel, size: Callable[[str], Pixel]) -> bool:
    """Whether a layer shows another side of the piece: a picture of about its size, in its middle."""
    other = _other_side(layer)
    if not other or max(map(abs, layer.off)) > _CENTRED or 0 in ground:
        return False
    return all(part >= _FULL * whole for part, whole in zip(size(other), ground, strict=True))


def _likely(layer: LayerSeen) -> bool:
    """Sorts layers with a picture for each side before those with a single one, which may be a frame around the
    counter.
    """
    return len(layer.images) < 2


def _other_side(layer: LayerSeen) -> str:
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
