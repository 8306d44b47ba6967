"""The traits of pieces: each has two lines of text, its type and its state.

Layers, markers, text labels and hiding traits are parsed and built here. Of other traits only the kind is known, and
their text stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, NamedTuple

import msgspec

from ...util.limits import Limit
from ...util.notes import note
from .sequence import join, read_whole, remembered, split, write_flag

KINDS = dict.fromkeys(
    split(
        "emb2 mark PROP calcProp report label prototype delete clone rotate obs hide immob submenu markmoved "
        "footprint macro globalkey sendto replace placemark restrict hideCmd setprop setpieceprop translate return "
        "button nonRect nonRect2 pivot AreaOfEffect playSound globalhotkey propertysheet table menuSeparator "
        "locCommand locmsg deselect mat matPiece basicName cmt piece",
        " ",
    )
)
"""The known kinds of traits: the text before the first semicolon of their type."""
CONTROL = 130
"""VASSAL's number of the Ctrl key in a keystroke."""
CONTROL_SHIFT = 195


class Trait(msgspec.Struct, frozen=True, gc=False):
    """A trait of a piece."""

    type: str
    state: str = ""

    @property
    def kind(self) -> str:
        """The beginning of the type, such as "emb2" for a layer."""
        return self.type.partition(";")[0]

    def part(self, place: int) -> str:
        """Return the type's field at `place`, or "" past its end."""
        parts = split(self.type, ";")
        return parts[place] if place < len(parts) else ""


def split_type(type: str, count: int, usual: Mapping[int, str] = {}) -> list[str]:
    """Return at least `count` fields of a type. Older engines omit fields at the end.

    `usual`: the default of an omitted field, by its place, if it is not "".
    """
    parts = split(type, ";")
    return parts + [usual.get(place, "") for place in range(len(parts), count)]


def write_type(kind: str, last: int, parts: Mapping[int, str]) -> str:
    """Return the type of a trait or deck with fields at these places. Other fields are empty."""
    return join((kind, *(parts.get(place, "") for place in range(1, last + 1))), ";")


def keystroke(letter: str, modifiers: int = CONTROL) -> str:
    """Return a letter's keystroke as traits write it, or "" if `letter` is ""."""
    return f"{ord(letter.upper())},{modifiers}" if letter else ""


class LayerTrait(NamedTuple):
    """A trait that shows one of several images, its levels, on the piece.

    VASSAL does not show the text after a second plus in a level's name, as in "++ -3". There this text is the level's
    value.
    """

    name: str
    images: Annotated[tuple[str, ...], note('the image of each level, or ""')]
    names: Annotated[tuple[str, ...], note('the name of each level; "+ reduced" is added to the piece\'s name')]
    up: Annotated[
        tuple[str, str], note("the menu command and keystroke for the next level; `down` for the previous one")
    ] = ("", "")
    down: tuple[str, str] = ("", "")
    x: Annotated[int, note("the offset from the centre of the piece in pixels, as is `y`")] = 0
    y: int = 0
    loop: Annotated[bool, note("whether the last level is followed by the first")] = False
    reset: Annotated[str, note("the keystroke for the first level")] = ""
    follows: Annotated[str, note("the property with the number of the level, if players do not choose it")] = ""
    first: int = 1

    @property
    def type(self) -> str:
        """The trait's type; the layer is always active."""
        control = str(CONTROL)
        follows = write_flag(bool(self.follows))
        images, names = join(self.images, ","), join(self.names, ",")
        menus = {2: control, 4: self.up[0], 5: control, 7: self.down[0], 8: control, 11: self.reset, 12: "1"}
        drawn = {
            13: "false",
            14: str(self.x),
            15: str(self.y),
            16: images,
            17: names,
            18: write_flag(self.loop),
            19: self.name,
        }
        more = {
            22: follows,
            23: self.follows,
            24: str(self.first),
            25: "1",
            26: "true",
            28: self.up[1],
            29: self.down[1],
        }
        return write_type("emb2", 31, menus | drawn | more | {30: self.name, 31: "1.0"})

    def added(self, level: int) -> str:
        """Return the text that a level, from 1, adds to the piece's name, even if VASSAL does not show it.

        The result is "" if the level adds nothing or replaces the name.
        """
        name = self.names[level - 1] if 1 <= level <= len(self.names) else ""
        return name[1:].removeprefix("+").strip() if name.startswith("+") else ""


@remembered
def read_layer(type: str) -> LayerTrait:
    """Return the layer with a type that begins with emb2."""
    part = split_type(type, 32)
    images, names = tuple(split(part[16], ",")), tuple(split(part[17], ","))
    count = max(len(images), len(names))
    images += ("",) * (count - len(images))
    names += ("",) * (count - len(names))
    up = (part[4], part[28])
    down = (part[7], part[29])
    follows = part[23] if part[22] == "true" else ""
    first = read_whole(part[24] or "1")
    place = read_whole(part[14]), read_whole(part[15])
    return LayerTrait(part[19], images, names, up, down, *place, part[18] == "true", follows=follows, first=first)


def with_parameters(trait: Trait, given: str | None = None) -> Trait:
    """Return a prototype's trait with a piece's parameters, such as `Strength=5,Kind=Foot`.

    Other names between dollar signs lose the signs. Without parameters (None) the trait stays as it is.

    Raises InputError if the trait gets too long.
    """
    if given is None:
        return trait
    pairs = [split(pair, "=") for pair in split(given, ",")]
    values = {pair[0]: pair[1] for pair in pairs if len(pair) > 1}
    text = trait.type + trait.state
    Limit.COMMAND.check(len(text) + text.count("$") * len(given), "a prototype with parameters has")

    def value(match: re.Match[str]) -> str:
        return values.get(match[1], match[1])

    return Trait(re.sub(r"\$([^$]+)\$", value, trait.type), re.sub(r"\$([^$]+)\$", value, trait.state))


def read_level(trait: Trait) -> int:
    """Return the level of a layer, from 1, negative if it is inactive, or 0 if the state has none."""
    return read_whole(trait.state.partition(";")[0])


def marker_trait(values: Mapping[str, str]) -> Trait:
    """Return a trait that gives the piece constant properties."""
    return Trait(f"mark;{join(values, ',')}", join(values.values(), ","))


def read_marker(trait: Trait) -> dict[str, str]:
    """Return the properties of a marker, with "" for one without a value."""
    names = split(trait.type.partition(";")[2], ",")
    values = split(trait.state, ",")
    return dict(zip(names, values + [""] * (len(names) - len(values)), strict=False))


class LabelTrait(NamedTuple):
    """A trait that shows a text, which players may change."""

    name: str
    """The description of the label."""
    menu: str
    """The menu command."""
    stroke: str = ""
    """The keystroke of the menu command."""
    written: str = "$pieceName$ ($label$)"
    """The piece's name together with the label, used if there is a text, or always."""
    size: int = 10
    foreground: str = "0,0,0"
    background: str = "255,255,255"
    place: tuple[str, int, str, int] = ("b", 0, "c", 0)
    kept_in: str = "TextLabel"
    """The property that contains the text."""
    always: bool = False
    justified: tuple[str, str] = ("t", "c")
    """Which edge of the text lies in its place: t, c or b for top, middle or bottom, and l, c or r for left to right."""
    style: int = 1
    """Java's number: 1 for bold, 2 for italic, 3 for both."""
    degrees: int = 0
    """The clockwise rotation around the middle of the piece."""

    @property
    def type(self) -> str:
        """The trait's type."""
        vertical, down, horizontal, across = self.place
        names = {
            1: self.stroke,
            2: self.menu,
            12: self.written,
            16: self.kept_in,
            17: self.name,
            18: write_flag(self.always),
        }
        looks = {3: str(self.size), 4: self.background, 5: self.foreground, 13: "Dialog", 14: str(self.style)}
        place = {6: vertical, 7: str(down), 8: horizontal, 9: str(across), 15: str(self.degrees)}
        justified = {10: self.justified[0], 11: self.justified[1]}
        return write_type("label", 18, names | looks | place | justified)


@remembered
def read_label(type: str) -> LabelTrait:
    """Return the label with a type that begins with label."""
    usual = {3: "10", 5: "0,0,0", 6: "t", 8: "c", 10: "b", 11: "c", 12: "$pieceName$ ($label$)", 16: "TextLabel"}
    part = split_type(type, 19, usual)
    return LabelTrait(
        name=part[17],
        menu=part[2],
        stroke=part[1],
        written=part[12],
        size=read_whole(part[3]),
        foreground=part[5],
        background=part[4],
        place=(part[6], read_whole(part[7]), part[8], read_whole(part[9])),
        kept_in=part[16],
        always=part[18] == "true",
        justified=(part[10], part[11]),
        style=read_whole(part[14]),
        degrees=read_whole(part[15]),
    )


MASK = "obs"
"""The kind of trait that hides the front of a piece from other players."""
INVISIBLE = "hide"
"""The kind of trait that hides a piece altogether from other players."""
_ACCESS_OF_SIDE = "side:"
"""The beginning of the access of a trait that the owner's side may use."""
_ACCESS_OF_SIDES = "sides:"
"""The beginning of the access of a trait that several named sides may use."""


def mask_type(menu: str, stroke: str, image: str, name: str, laid_over: str = "") -> str:
    """Return the type of a trait that shows others an image and a name instead of the piece.

    `laid_over`: the image that the owner sees on the piece. If it is "", the owner sees the others' image inset.
    """
    shown = f"G{laid_over}" if laid_over else "I"
    return join([MASK, stroke, image, menu, shown, name, _ACCESS_OF_SIDE, "", menu, "false", "", ""], ";")


def invisible_type(menu: str, stroke: str) -> str:
    """Return the type of a trait that hides the piece and its moves from others. Its owner sees the piece faintly."""
    return join([INVISIBLE, stroke, menu, "", _ACCESS_OF_SIDE, "0.5", menu, "true"], ";")


def hidden_by(type: str, owner: str) -> Trait:
    """Return a hiding trait with its owner, or with no owner ("") so that the piece is visible."""
    by = owner or "null"
    return Trait(type, join([by, ""], ";") if type.startswith(f"{MASK};") else join([by], ";"))


def hidden_name(type: str) -> str:
    """Return the text that a hiding trait adds to the piece's name."""
    part = split_type(type, 6)
    return part[5] if type.startswith(f"{MASK};") else part[2]


def shared_by(type: str) -> tuple[str, ...] | None:
    """Return the sides that share a hiding trait, each of which may hide the piece for all of them.

    The result is empty if a single side owns the trait, or None if a single player does.
    """
    part = split_type(type, 7)
    access = part[6] if type.startswith(f"{MASK};") else part[4]
    if access == _ACCESS_OF_SIDE:
        return ()
    return tuple(split(access.removeprefix(_ACCESS_OF_SIDES), ":")) if access.startswith(_ACCESS_OF_SIDES) else None
