"""The traits that pieces consist of: a line of text, the type, and another one, the state.

Layers, markers, text labels and hiding traits are parsed and built here; of the other kinds only the name is known, and
their text is kept unchanged.
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
"""The known kinds of traits, by the beginning of their type."""
CONTROL = 130
CONTROL_SHIFT = 195


class Trait(msgspec.Struct, frozen=True, gc=False):
    """A trait of a piece."""

    type: str
    state: str = ""

    @property
    def kind(self) -> str:
        """The beginning of its type: "emb2" for a layer."""
        return self.type.partition(";")[0]

    def part(self, place: int) -> str:
        """Return what its type says in a place, "" if it ends before."""
        parts = split(self.type, ";")
        return parts[place] if place < len(parts) else ""


def split_type(type: str, count: int, usual: Mapping[int, str] = {}) -> list[str]:
    """Return what a type says in each place, at least so many; older engines omit places at the end. usual: what an
    omitted place stands for, if not for nothing.
    """
    parts = split(type, ";")
    return parts + [usual.get(place, "") for place in range(len(parts), count)]


def write_type(kind: str, last: int, parts: Mapping[int, str]) -> str:
    """Return the type of a trait or a deck with the parts in their places, up to the last place; other places are
    empty.
    """
    return join((kind, *(parts.get(place, "") for place in range(1, last + 1))), ";")


def keystroke(letter: str, modifiers: int = CONTROL) -> str:
    """Return the keystroke of a letter as traits write it; "" for no letter."""
    return f"{ord(letter.upper())},{modifiers}" if letter else ""


class LayerTrait(NamedTuple):
    """A trait that shows one of several images, its levels, on the piece.

    What follows a second plus in a name, "++ -3", is not shown by VASSAL, but says which value the level means.
    """

    name: str
    images: Annotated[tuple[str, ...], note('by level, "" for none')]
    names: Annotated[tuple[str, ...], note('by level; "+ reduced" is added to the piece\'s name')]
    up: Annotated[
        tuple[str, str], note("the menu command and keystroke for the next level; `down` for the previous one")
    ] = ("", "")
    down: tuple[str, str] = ("", "")
    x: Annotated[int, note("with `y` from the centre of the piece, in pixels")] = 0
    y: int = 0
    loop: Annotated[bool, note("whether the last level is followed by the first")] = False
    reset: Annotated[str, note("the keystroke that leads back to the first level")] = ""
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
        """Return what a level, from 1, adds to the piece's name, seen or unseen; "" if nothing, or if it replaces the
        name.
        """
        name = self.names[level - 1] if 1 <= level <= len(self.names) else ""
        return name[1:].removeprefix("+").strip() if name.startswith("+") else ""


@remembered
def read_layer(type: str) -> LayerTrait:
    """Return the layer described by a type that begins with emb2."""
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
    """Return a trait of a prototype with the parameters that a piece gives it, `Strength=5,Kind=Foot`; other names
    between dollar signs lose them.

    given: None for no parameters, which leave it as it is. Raises InputError if it gets too long.
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
    """Return the level of a layer, from 1; negative while it is inactive, 0 if the state has none."""
    return read_whole(trait.state.partition(";")[0])


def marker_trait(values: Mapping[str, str]) -> Trait:
    """Return a trait that gives the piece constant properties."""
    return Trait(f"mark;{join(values, ',')}", join(values.values(), ","))


def read_marker(trait: Trait) -> dict[str, str]:
    """Return the properties of a marker; one without a value is empty."""
    names = split(trait.type.partition(";")[2], ",")
    values = split(trait.state, ",")
    return dict(zip(names, values + [""] * (len(names) - len(values)), strict=False))


class LabelTrait(NamedTuple):
    """A trait that shows a text which players may change."""

    name: str
    """Its description."""
    menu: str
    """The menu command."""
    stroke: str = ""
    """Its keystroke."""
    written: str = "$pieceName$ ($label$)"
    """How it appears in the piece's name, if there is a text, or always."""
    size: int = 10
    foreground: str = "0,0,0"
    background: str = "255,255,255"
    place: tuple[str, int, str, int] = ("b", 0, "c", 0)
    kept_in: str = "TextLabel"
    """The property that holds the text."""
    always: bool = False

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
        looks = {3: str(self.size), 4: self.background, 5: self.foreground, 10: "t", 11: "c"}
        place = {6: vertical, 7: str(down), 8: horizontal, 9: str(across)}
        return write_type("label", 18, names | looks | place | {13: "Dialog", 14: "1", 15: "0"})


@remembered
def read_label(type: str) -> LabelTrait:
    """Return the label described by a type that begins with label."""
    part = split_type(type, 19, {3: "10", 12: "$pieceName$ ($label$)", 16: "TextLabel"})
    place = (part[6], read_whole(part[7]), part[8], read_whole(part[9]))
    kept_in = part[16]
    always = part[18] == "true"
    return LabelTrait(
        part[17], part[2], part[1], part[12], read_whole(part[3]), part[5], part[4], place, kept_in, always
    )


MASK = "obs"
INVISIBLE = "hide"
"""The kinds of traits that hide a piece from other players: its front only, or all of it."""
_ACCESS_OF_SIDE = "side:"
_ACCESS_OF_SIDES = "sides:"
"""What begins the access of a trait that hides a piece for all players of the side, or of any of the sides named then.
"""


def mask_type(menu: str, stroke: str, image: str, name: str, laid_over: str = "") -> str:
    """Return the type of a trait that shows others an image and a name instead of the piece. laid_over: the image that
    its owner sees on the piece; without one he sees the others' image inset.
    """
    shown = f"G{laid_over}" if laid_over else "I"
    return join([MASK, stroke, image, menu, shown, name, _ACCESS_OF_SIDE, "", menu, "false", "", ""], ";")


def invisible_type(menu: str, stroke: str) -> str:
    """Return the type of a trait that makes the piece invisible to others, who are not told its moves; its owner sees
    it faintly.
    """
    return join([INVISIBLE, stroke, menu, "", _ACCESS_OF_SIDE, "0.5", menu, "true"], ";")


def hidden_by(type: str, owner: str) -> Trait:
    """Return a hiding trait with its owner; "" for a piece that is not hidden."""
    by = owner or "null"
    return Trait(type, join([by, ""], ";") if type.startswith(f"{MASK};") else join([by], ";"))


def hidden_name(type: str) -> str:
    """Return what a hiding trait adds to the name of a piece that it hides."""
    part = split_type(type, 6)
    return part[5] if type.startswith(f"{MASK};") else part[2]


def shared_by(type: str) -> tuple[str, ...] | None:
    """Return who sees a piece that a hiding trait hides, beside who hid it: the sides of which each may hide it for
    all; none of them for a single side, or None for a single player.
    """
    part = split_type(type, 7)
    access = part[6] if type.startswith(f"{MASK};") else part[4]
    if access == _ACCESS_OF_SIDE:
        return ()
    return tuple(split(access.removeprefix(_ACCESS_OF_SIDES), ":")) if access.startswith(_ACCESS_OF_SIDES) else None
