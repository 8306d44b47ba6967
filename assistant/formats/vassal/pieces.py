"""Pieces and stacks of pieces, the traits that pieces consist of, and the commands that add them to a game.

A trait is a line of text, its type, and another one, its state. Layers, markers, text labels and hiding traits are
parsed and built here; of the other kinds only the name is known, and their text is kept unchanged. What traits carry
are properties: markers, dynamic and calculated ones, levels and names of layers, texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from sys import intern
from typing import NamedTuple

import msgspec

from ...util.limits import Limit
from .beanshell import Unsolved, worked_out
from .grids import LONGEST, REACH, Pixel
from .sequence import flag, fold, join, remembered, split, unfold, whole

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
CONTROL, CONTROL_SHIFT = 130, 195


class Trait(msgspec.Struct, frozen=True, gc=False):
    """A trait of a piece."""

    type: str
    state: str = ""

    @property
    def kind(self) -> str:
        """The beginning of its type: "emb2" for a layer."""
        return self.type.partition(";")[0]

    def part(self, place: int) -> str:
        """What its type says in a place, "" if it ends before."""
        parts = split(self.type, ";")
        return parts[place] if place < len(parts) else ""


def split_type(type: str, count: int, usual: Mapping[int, str] = {}) -> list[str]:
    """What a type says in each place, at least so many; older engines omit places at the end. usual: what an omitted
    place stands for, if not for nothing.
    """
    parts = split(type, ";")
    return parts + [usual.get(place, "") for place in range(len(parts), count)]


def write_type(kind: str, last: int, parts: Mapping[int, str]) -> str:
    """The type of a trait or a deck with the parts in their places, up to the last place; other places are empty."""
    return join((kind, *(parts.get(place, "") for place in range(1, last + 1))), ";")


def key(letter: str, modifiers: int = CONTROL) -> str:
    """The keystroke of a letter as traits write it; "" for no letter."""
    return f"{ord(letter.upper())},{modifiers}" if letter else ""


class LayerTrait(NamedTuple):
    """A trait that shows one of several images, its levels, on the piece.

    name: of the layer; images, names: by level, "" for none; a name "+ reduced" is added to the piece's name; up, down:
    the menu command and keystroke for the next and previous level; x, y: from the centre of the piece, in pixels; loop:
    whether the last level is followed by the first; reset: the keystroke that leads back to the first level; follows:
    the property that holds the number of the level, if players do not choose it.

    What follows a second plus in a name, "++ -3", is not shown by VASSAL, but says which value the level stands for.
    """

    name: str
    images: tuple[str, ...]
    names: tuple[str, ...]
    up: tuple[str, str] = ("", "")
    down: tuple[str, str] = ("", "")
    x: int = 0
    y: int = 0
    loop: bool = False
    reset: str = ""
    follows: str = ""
    first: int = 1

    @property
    def type(self) -> str:
        """The trait's type; the layer is always active."""
        control, follows = str(CONTROL), flag(bool(self.follows))
        images, names = join(self.images, ","), join(self.names, ",")
        menus = {2: control, 4: self.up[0], 5: control, 7: self.down[0], 8: control, 11: self.reset, 12: "1"}
        drawn = {
            13: "false",
            14: str(self.x),
            15: str(self.y),
            16: images,
            17: names,
            18: flag(self.loop),
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
        """What a level, from 1, adds to the piece's name, seen or unseen; "" if nothing, or if it replaces the name."""
        name = self.names[level - 1] if 1 <= level <= len(self.names) else ""
        return name[1:].removeprefix("+").strip() if name.startswith("+") else ""


@remembered
def read_layer(type: str) -> LayerTrait:
    """The layer described by a type that begins with emb2."""
    part = split_type(type, 32)
    images, names = tuple(split(part[16], ",")), tuple(split(part[17], ","))
    count = max(len(images), len(names))
    images, names = ((*words, *[""] * (count - len(words))) for words in (images, names))
    up, down = (part[4], part[28]), (part[7], part[29])
    follows, first = part[23] if part[22] == "true" else "", whole(part[24] or "1")
    place = whole(part[14]), whole(part[15])
    return LayerTrait(part[19], images, names, up, down, *place, part[18] == "true", follows=follows, first=first)


def with_parameters(trait: Trait, given: str | None = None) -> Trait:
    """A trait of a prototype with the parameters that a piece gives it, `Strength=5,Kind=Foot`; other names between
    dollar signs lose them.

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


def level(trait: Trait) -> int:
    """The level of a layer, from 1; negative while it is inactive, 0 if the state has none."""
    return whole(trait.state.partition(";")[0])


def marker(**values: str) -> Trait:
    """A trait that gives the piece constant properties."""
    return Trait(f"mark;{join(values, ',')}", join(values.values(), ","))


def read_marker(trait: Trait) -> dict[str, str]:
    """The properties of a marker; one without a value is empty."""
    names = split(trait.type.partition(";")[2], ",")
    values = split(trait.state, ",")
    return dict(zip(names, values + [""] * (len(names) - len(values)), strict=False))


class Label(NamedTuple):
    """A trait that shows a text which players may change.

    name: its description; menu, stroke: the menu command and its keystroke; written: how it appears in the piece's
    name, if there is a text, or always; kept_in: the property that holds the text.
    """

    name: str
    menu: str
    stroke: str = ""
    written: str = "$pieceName$ ($label$)"
    size: int = 10
    foreground: str = "0,0,0"
    background: str = "255,255,255"
    place: tuple[str, int, str, int] = ("b", 0, "c", 0)
    kept_in: str = "TextLabel"
    always: bool = False

    @property
    def type(self) -> str:
        """The trait's type."""
        vertical, down, horizontal, across = self.place
        names = {1: self.stroke, 2: self.menu, 12: self.written, 16: self.kept_in, 17: self.name, 18: flag(self.always)}
        looks = {3: str(self.size), 4: self.background, 5: self.foreground, 10: "t", 11: "c"}
        place = {6: vertical, 7: str(down), 8: horizontal, 9: str(across)}
        return write_type("label", 18, names | looks | place | {13: "Dialog", 14: "1", 15: "0"})


@remembered
def read_label(type: str) -> Label:
    """The label described by a type that begins with label."""
    part = split_type(type, 19, {3: "10", 12: "$pieceName$ ($label$)", 16: "TextLabel"})
    place = (part[6], whole(part[7]), part[8], whole(part[9]))
    kept_in, always = part[16], part[18] == "true"
    return Label(part[17], part[2], part[1], part[12], whole(part[3]), part[5], part[4], place, kept_in, always)


MASK, INVISIBLE = "obs", "hide"
"""The kinds of traits that hide a piece from other players: its front only, or all of it."""
_OF_A_SIDE, _OF_SIDES = "side:", "sides:"
"""What begins the access of a trait that hides a piece for all players of the side, or of any of the sides named then."""


def mask(menu: str, stroke: str, image: str, name: str) -> str:
    """The type of a trait that shows others an image and a name instead of the piece; its owner sees the image inset."""
    return join([MASK, stroke, image, menu, "I", name, _OF_A_SIDE, "", menu, "false", "", ""], ";")


def invisible(menu: str, stroke: str) -> str:
    """The type of a trait that makes the piece invisible to others; its owner sees it faintly."""
    return join([INVISIBLE, stroke, menu, "", _OF_A_SIDE, "0.5", menu, "false"], ";")


def hidden_by(type: str, owner: str) -> Trait:
    """A hiding trait with its owner; "" for a piece that is not hidden."""
    by = owner or "null"
    return Trait(type, join([by, ""], ";") if type.startswith(f"{MASK};") else join([by], ";"))


def hidden_name(type: str) -> str:
    """What a hiding trait adds to the name of a piece that it hides."""
    part = split_type(type, 6)
    return part[5] if type.startswith(f"{MASK};") else part[2]


def shared_by(type: str) -> tuple[str, ...] | None:
    """Who sees a piece that a hiding trait hides, beside who hid it: the sides of which each may hide it for all; none
    of them for a single side, or None for a single player.
    """
    part = split_type(type, 7)
    access = part[6] if type.startswith(f"{MASK};") else part[4]
    if access == _OF_A_SIDE:
        return ()
    return tuple(split(access.removeprefix(_OF_SIDES), ":")) if access.startswith(_OF_SIDES) else None


# --- the properties that traits carry ---------------------------------------------------------------------------------

_DEEPEST = 10
"""How many properties may rest on each other."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
"""A whole number as VASSAL reads it from a property."""
BASIC = "BasicName"
"""The property that holds the name of a piece without what its traits add."""
_OF_LAYER = re.compile("(.*)_(Level|Name|Active)", re.DOTALL)


class Carried:
    """The properties of a piece, by name; of several with one name the outermost counts.

    traits: the outermost first; shared: the global properties that the piece may name too.
    """

    def __init__(self, traits: tuple[Trait, ...], shared: Mapping[str, str] | None = None) -> None:
        self.shared = shared or {}
        self.values: dict[str, str] = {}  # as they stand in the traits
        self.expressions: dict[str, str] = {}
        self.texts: dict[str, Trait] = {}
        self.layers: dict[str, Trait] = {}
        self.worked_out: dict[str, str | None] = {}  # what was worked out so far
        self.asked: list[str] = []  # what is being worked out
        self.kept: dict[str, None] = {}  # texts that could not be worked out
        self.name: str | None = None
        known: set[str] = set()
        for trait in traits:
            kind = trait.kind
            for name, value in _carry(trait, kind):
                if name not in known:
                    self.values[name] = value
                    known.add(name)
            if kind == "emb2":
                self.layers.setdefault(read_layer(trait.type).name, trait)
            elif kind == "calcProp" and (name := trait.part(1)) not in known:
                self.expressions[name] = trait.part(2)
                known.add(name)
            elif kind == "label" and (name := read_label(trait.type).kept_in) not in known:
                self.texts[name] = trait
                known.add(name)

    def get(self, name: str) -> str | None:
        """The value of a property; None if the piece has none that can be worked out, and no global one has the name."""
        if name in self.values:
            return self.values[name]
        if name in self.expressions or name in self.texts:
            return self._work_out(name)
        if (of_layer := _OF_LAYER.fullmatch(name)) and of_layer[1] in self.layers:
            return self._of_layer(self.layers[of_layer[1]], of_layer[2])
        return self.name if name == "PieceName" else self.shared.get(name)

    def called(self, name: str) -> None:
        """Take down the name of the piece, which its properties may name in turn."""
        self.name = name
        self.worked_out.clear()

    @property
    def unsolved(self) -> list[str]:
        """What stays as it is written, since it cannot be worked out."""
        names = (f"calculated property {name}" for name in self.expressions if self.get(name) is None)
        return [*names, *(f"text {text[:60]}" for text in self.kept)]

    def level(self, trait: Trait) -> int:
        """The level of one of its layers, from 1; negative while it is inactive. A layer may follow a property of the
        piece.
        """
        layer, stated = read_layer(trait.type), level(trait)
        at, last = abs(stated), max(len(layer.images), 1)
        if layer.follows and (value := self.get(layer.follows)) is not None:
            if not value:
                at = 1
            elif _WHOLE.fullmatch(value):  # by any other text VASSAL leaves the level as it is
                at = max(int(value) - layer.first + 1, 1)
        return min(at, last) * (1 if stated > 0 else -1)

    def text_on(self, trait: Trait) -> str:
        """The text that a label shows."""
        text = written_on(trait)
        return str(int(text)) if _WHOLE.fullmatch(text) else self.expand(text)

    def expand(self, text: str, **own: str) -> str:
        """A text with the properties that it names between dollar signs, or worked out if it is an expression; what is
        not known stays as it is written. own: properties that count before those of the piece.
        """
        if text.startswith("{") and text.endswith("}"):
            worked = self._value_of(text, own)
            if worked is None:
                self.kept[text] = None
            return text[:LONGEST] if worked is None else worked[:LONGEST]

        def value(name: re.Match[str]) -> str:
            given = own[name[1]] if name[1] in own else self.get(name[1])
            return name[0] if given is None else given[:LONGEST]

        return re.sub(r"\$([^$]+)\$", value, text[:LONGEST])[:LONGEST] if "$" in text else text[:LONGEST]

    def _work_out(self, name: str) -> str | None:
        """The value of a calculated property or of a text, None if it cannot be worked out, be it that it rests on
        itself.
        """
        if name not in self.worked_out:
            if name in self.asked or len(self.asked) == _DEEPEST:
                return None
            self.asked.append(name)
            expression = self.expressions.get(name)
            value = self.text_on(self.texts[name]) if expression is None else self._value_of(expression, {})
            self.asked.pop()
            self.worked_out[name] = value
        return self.worked_out[name]

    def _value_of(self, expression: str, own: Mapping[str, str]) -> str | None:
        """The value of an expression, None if it cannot be worked out."""
        try:
            return worked_out(expression, lambda name: own[name] if name in own else self.get(name))
        except Unsolved:
            return None

    def _of_layer(self, trait: Trait, what: str) -> str:
        """A property of a layer: the number of its level, that level's name, or whether it is active."""
        at, names = self.level(trait), read_layer(trait.type).names
        if what == "Level":
            return str(at)
        if what == "Active":
            return str(at > 0).lower()
        name = names[at - 1] if 0 < at <= len(names) else ""
        return name[1:] if name.startswith("+") else name.removesuffix("+")


def written_on(trait: Trait) -> str:
    """The text of a label as players wrote it; it cannot name itself."""
    return trait.state.strip().replace(f"${read_label(trait.type).kept_in}$", "")


def _carry(trait: Trait, kind: str) -> list[tuple[str, str]]:
    """The properties that a trait of some kind carries as they stand in it."""
    match kind:
        case "mark":
            return [*read_marker(trait).items()]
        case "PROP":
            return [(trait.part(1), trait.state)]
        case "locmsg":  # a message that may be translated
            return [(trait.part(1), trait.part(3))]
        case "basicName":
            return [(BASIC, trait.part(1))]
        case "piece":
            return [(BASIC, trait.part(4))]
    return []


# --- pieces and stacks ------------------------------------------------------------------------------------------------

NOWHERE = "null"
ADD = "+/"
"""Begins the command that adds a piece, a stack or a deck."""
_STACK, _DECK = "stack", "deck;"
#: What a trait says of a piece that stacks with others.
_WITH_OTHERS = "L"
_PICKED, _DECK_NAME, _SHOWN, _KEPT = 8, 13, 21, 48
"""Places in the type of a deck: whether players pick cards out of it, its name, how many cards it shows at most,
whether only some sides may touch it. The sides follow.
"""
_SHOWN_AT_MOST = 10  # cards of a deck that says nothing else
_LAYER = "@@"
"""Begins the layer of a stack, behind its pieces."""


class Piece(NamedTuple):
    """A piece.

    id: unique in this game; traits: outermost first, the basic piece last, whose state is left empty because the other
    fields are that state; map: "" for a piece off all maps; at: its position on the map in pixels; slot: the id of the
    palette's slot it came from; properties: those that VASSAL keeps with it.
    """

    id: str
    traits: tuple[Trait, ...]
    map: str = ""
    at: Pixel = (0, 0)
    slot: str = ""
    properties: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """Its name in VASSAL, including what layers and labels add."""
        return self.named(Carried(self.traits))

    def named(self, carried: Carried) -> str:
        """Its name as its properties make it."""
        full = carried.values.get(BASIC, "")
        for trait in reversed(self.traits):
            full = _rename(full, trait, carried)
        return full

    @property
    def stacks(self) -> bool:
        """Whether it may lie in a stack. One that never does lies beside others; the outermost trait that says so
        decides.
        """
        said = next((trait for trait in self.traits if trait.kind == "immob"), None)
        return said is None or _WITH_OTHERS in said.part(3)

    def owner(self, trait: Trait) -> str:
        """Who masks the piece or makes it invisible by one of its traits, "" if nobody does."""
        return _owner(trait) if trait.kind in (MASK, INVISIBLE) else ""

    def owners(self) -> dict[str, str]:
        """Who masked it or made it invisible, by the kind of trait: a player's id or a side's name."""
        covers = [trait for trait in self.traits if trait.type.startswith((f"{MASK};", f"{INVISIBLE};"))]
        return {trait.kind: owner for trait in covers if (owner := _owner(trait))}

    def marks(self) -> dict[str, str]:
        """The properties of all its markers, the outermost first."""
        values: dict[str, str] = {}
        for trait in self.traits:
            if trait.type.startswith("mark;"):
                for name, value in read_marker(trait).items():
                    values.setdefault(name, value)
        return values


def _rename(name: str, trait: Trait, carried: Carried) -> str:
    """The name of a piece as changed by one more of its traits."""
    if trait.kind == "emb2":
        layer, at = read_layer(trait.type), carried.level(trait)
        first, *more = split(layer.names[at - 1] if 0 < at <= len(layer.names) else "", "+")
        return (first + name if first else name + more[0]) if more else first or name
    if trait.kind == "label":
        label = read_label(trait.type)
        if written_on(trait) or label.always:
            return carried.expand(label.written, pieceName=name, label=carried.text_on(trait))
    if trait.kind in (MASK, INVISIBLE) and _owner(trait):
        return f"{name}({hidden_name(trait.type)})"  # for its owner; for others it is that name alone, or nothing
    return name


def _owner(trait: Trait) -> str:
    """Who hides a piece by a trait, "" if it is not hidden."""
    owner = split(trait.state, ";")[0]
    return "" if owner == NOWHERE else owner


class Stack(NamedTuple):
    """A stack of pieces, or a deck of cards.

    pieces: their ids, bottom first; layer: of its map, above or below other stacks, None in saves of old engines; deck:
    the type of a deck as VASSAL writes it, "" for a stack; face_down: whether the cards of a deck lie face down.
    """

    id: str
    pieces: tuple[str, ...]
    map: str = ""
    at: Pixel = (0, 0)
    layer: int | None = 0
    deck: str = ""
    face_down: bool = False

    @property
    def name(self) -> str:
        """The name of a deck, "" for a stack."""
        return self._part_of_type(_DECK_NAME)

    @property
    def shows(self) -> int:
        """How many cards of a deck are drawn at most: whether there are more is not seen."""
        number = self._part_of_type(_SHOWN)
        return int(number) if re.fullmatch("[0-9]{1,6}", number) else _SHOWN_AT_MOST

    def opens_to(self, side: str) -> bool:
        """Whether players of a side pick cards out of a deck, so that they see those that lie face up."""
        kept = self._part_of_type(_KEPT) == flag(True)
        return self._part_of_type(_PICKED) == flag(True) and (
            not kept or side in split(self._part_of_type(_KEPT + 1), ",")
        )

    def _part_of_type(self, place: int) -> str:
        """What the type of a deck says in a place, "" if nothing."""
        return split_type(self.deck, place + 1)[place]


def deck_type(name: str, picked: bool, shows: str, owners: str | None) -> str:
    """The type of a deck as far as it is read. owners: the sides that may touch it, with commas; None if all may.

    Backslashes at the end of a text, which a sequence cannot hold, are left out.
    """
    settings = {
        _PICKED: flag(picked),
        _DECK_NAME: name,
        _SHOWN: shows,
        _KEPT: flag(owners is not None),
        _KEPT + 1: owners or "",
    }
    parts = {place: text.rstrip("\\") for place, text in settings.items()}
    return write_type(_DECK.removesuffix(";"), _KEPT + 1, parts)


def parts_of(piece: Piece) -> int:
    """What a piece consists of: its traits and properties, counted."""
    return len(piece.traits) + len(piece.properties)


def read_added(command: str) -> Piece | Stack:
    """The piece, stack or deck that a command adds. Raises ValueError if it is incomplete."""
    id, type, state = split(command[len(ADD) :], "/")
    if type == _STACK or type.startswith(_DECK):
        return stack_of_state(id, state, "" if type == _STACK else type)
    return _piece(id, _types(type), state)


def with_state(piece: Piece, state: str) -> Piece:
    """A piece with another state. Raises ValueError for a state of another kind of piece."""
    return _piece(piece.id, tuple(trait.type for trait in piece.traits), state)


@remembered
def _types(type: str) -> tuple[str, ...]:
    return tuple(map(intern, unfold(type)))  # pieces share most of their traits


def _piece(id: str, types: tuple[str, ...], state: str) -> Piece:
    states = unfold(state, len(types))
    if len(states) != len(types):
        raise ValueError(f"{len(types)} traits with {len(states)} states")
    *states, place = states
    window, x, y, *more = split(place, ";")
    properties = more[2:]
    return Piece(
        id,
        tuple(map(Trait, types, (*states, ""))),
        "" if window == NOWHERE else intern(window),
        pixel(x, y),
        more[0] if more else "",
        tuple(zip(properties[::2], properties[1::2], strict=False)),
    )


def stack_of_state(id: str, state: str, deck: str = "") -> Stack:
    """The stack with a state, or the deck of a type. Raises ValueError if the state is incomplete."""
    map, x, y, *more = split(state, ";")
    window = "" if map == NOWHERE else intern(map)  # of tens of thousands of empty stacks
    if deck:
        cards = tuple(split(more[1], ",")) if more[1:] and more[1] else ()
        return Stack(id, cards, window, pixel(x, y), None, deck, more[:1] == [flag(True)])
    ids, layer = [], None
    for token in more:
        if not token.startswith(_LAYER):
            ids.append(token)
        elif layer is None:
            layer = int(token[len(_LAYER) :])
    return Stack(id, tuple(ids), window, pixel(x, y), layer)


def pixel(x: str, y: str) -> Pixel:
    """A position on a map. Raises ValueError for other texts."""
    across, down = int(x), int(y)
    if not (-REACH < across < REACH and -REACH < down < REACH):
        raise ValueError(f"{x[:20]},{y[:20]} is beyond any map")
    return across, down


def definition(piece: Piece) -> str:
    """A piece as the command that adds it, which is also how a module's file holds it."""
    return ADD + join((piece.id, type_of(piece), state_of(piece)), "/")


def type_of(piece: Piece) -> str:
    """A piece's type, with those of all its traits nested."""
    return fold(trait.type for trait in piece.traits)


def state_of(piece: Piece) -> str:
    """A piece's state, with those of all its traits nested."""
    return fold(trait.state for trait in (*piece.traits[:-1], Trait("", basic_state(piece))))


def basic_state(piece: Piece) -> str:
    """The state of a piece without its traits: its place, its slot, its properties."""
    noted = [word for pair in piece.properties for word in pair]
    place = [piece.map or NOWHERE, *map(str, piece.at), piece.slot, str(len(piece.properties)), *noted]
    return join(place, ";")


def stack_state(stack: Stack) -> str:
    """A stack's state: its position, its pieces, bottom first, and its layer if it is known; for a deck its position
    and its cards.
    """
    place = (stack.map or NOWHERE, *map(str, stack.at))
    if stack.deck:
        cards = (join(stack.pieces, ","),) if stack.pieces else ()
        return join((*place, flag(stack.face_down), *cards), ";")
    layer = () if stack.layer is None else (f"{_LAYER}{stack.layer}",)
    return join((*place, *stack.pieces, *layer), ";")


def stack_definition(stack: Stack) -> str:
    """A stack or a deck as the command that adds it."""
    return ADD + join((stack.id, stack.deck or _STACK, stack_state(stack)), "/")


def unknown_kinds(piece: Piece) -> list[str]:
    """Kinds of traits of a piece that are not understood, each once."""
    return list(dict.fromkeys(trait.kind for trait in piece.traits if trait.kind not in KINDS))
