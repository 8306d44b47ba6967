"""What a module's pieces are made of: statuses, which show tracks value by value as the levels of a layer, and other
traits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from assistant.drawing.scene import Scene
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.legends import PRIVATE, SEEN
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import (
    CONTROL,
    CONTROL_SHIFT,
    Label,
    LayerTrait,
    Trait,
    hidden_by,
    invisible,
    key,
    marker,
    mask,
)
from assistant.game.games import Game
from assistant.state.state import INVISIBLE, MASKED
from assistant.state.tracks import InModule, Track, Value

from ...counters.columns import printed_fact
from ...counters.design import nation_palette
from ...counters.markings import face_down
from ..elements import ALT

#: The highest value of a number without a printed bound.
MOST = 20
LAPSE = "57344,0,Lapse {}"
"""The keystroke that takes statuses off, for the button that ends what they last for; `{}` stands for the words of the
button.
"""


class Level(NamedTuple):
    """A level of a layer: the value it stands for, None if that is unknown; the picture of its tag, "" for none; the
    name that it adds to the piece's.
    """

    value: Value | None
    image: str = ""
    name: str = ""


class Status(NamedTuple):
    """A track as counters of one kind, or the markers of hexes, show it.

    owners: whether only the players of the counter's own side see it.
    """

    track: Track
    shown: InModule
    levels: tuple[Level, ...]
    owners: bool = False

    @property
    def values(self) -> list[Value | None]:
        """What can be shown, level by level."""
        return [level.value for level in self.levels]

    @property
    def next_stroke(self) -> str:
        """The keystroke that leads to the next level."""
        return _strokes(self.shown)[0][1]

    def turned_to(self, back: str) -> Status:
        """The same with the counter's other side as its picture, if that is what shows it."""
        if not (self.shown.flips and back):
            return self
        return self._replace(levels=tuple(level._replace(image=level.image and back) for level in self.levels))

    def trait(self, value: Value | None, side: int) -> Trait:
        """The layer at a value; on its first level for a value that it does not show. side: of the counter, in pixels."""
        return Trait(self.type(side), self.state(value))

    def state(self, value: Value | None) -> str:
        """The state of the layer at a value."""
        return str(self.values.index(value) + 1 if value in self.values else 1)

    def type(self, side: int) -> str:
        """The type of the layer that players change. If only owners see the status, this layer shows nothing itself."""
        up, down = [*_strokes(self.shown), ("", "")][:2]
        return LayerTrait(
            self.track.name,
            tuple("" if self.owners else level.image for level in self.levels),
            tuple(f"+{level.name}" if self.owners and level.name else level.name for level in self.levels),
            up,
            down,
            *self._place(side),
            loop=not down[0],  # a single line of the menu leads through all of them
            reset=LAPSE.format(ending(self.track)) if self.track.ends_with else "",
        ).type

    def seen(self, side: int, follows: str) -> str:
        """The type of the layer that shows to owners what players have chosen. follows: the property that knows it."""
        images = tuple(level.image for level in self.levels)
        nothing = ("",) * len(images)
        return LayerTrait(
            SEEN.format(self.track.name), images, nothing, ("", ""), ("", ""), *self._place(side), follows=follows
        ).type

    def _place(self, side: int) -> tuple[int, int]:
        """Where its tag lies, in pixels from the middle of the counter."""
        return round(self.shown.at[0] * side), round(self.shown.at[1] * side)


def _strokes(shown: InModule) -> list[tuple[str, str]]:
    """The lines of a menu with their keystrokes; a line without a key has a keystroke of its own name."""
    keys = [*shown.keys, *[""] * len(shown.menu)]
    return [
        (menu, key(letter) if letter else f"57344,0,{menu}") for menu, letter in zip(shown.menu, keys, strict=False)
    ]


def ending(track: Track) -> str:
    """The words of the button that takes a status off."""
    return "End of phase" if "phase" in track.ends_with else f"End of {track.ends_with[0]}"


def strokes_of(tracks: Iterable[Track]) -> list[str]:
    """All keystrokes that change these tracks on counters, each once."""
    shown = (track.module for track in tracks if track.module is not None and track.on in ("unit", "hex"))
    return list(dict.fromkeys(stroke for module in shown for _, stroke in _strokes(module)))


def is_owners(game: Game, track: Track) -> bool:
    """Whether counters show a track to the players of their own side alone, as the game's intelligence has it."""
    return track.hidden and track.on == "unit" and bool(game.file.sides) and game.file.intelligence is not None


class Statuses:
    """What the counters of a game show of its tracks; units that show the same share it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        shown = [track for track in game.tracks.values() if track.on == "unit" and track.module is not None]
        self._texts = [track for track in shown if track.kind == "text"]
        self._layers = [track for track in shown if track.kind != "text"]
        self._needs = {_needed_fact(track) for track in shown}
        self._made: dict[str, Status | None] = {}

    def shown(self, unit: str) -> tuple[tuple[Status, ...], tuple[Track, ...]]:
        """The tracks that the counter of a unit shows as layers, and those that it shows as texts. The first level of a
        layer shows nothing, which says what silence means.
        """
        facts = {needed: printed_fact(self.game, unit, needed) for needed in self._needs if needed}
        has = {"", *(needed for needed, fact in facts.items() if fact and fact.value)}
        statuses = (self._layer(track) for track in self._layers if _needed_fact(track) in has)
        texts = tuple(track for track in self._texts if _needed_fact(track) in has)
        return tuple(status for status in statuses if status is not None), texts

    def _layer(self, track: Track) -> Status | None:
        """A track as a layer. It is the same on all counters, whatever bounds it there: where a value of a counter has
        become known since, VASSAL then keeps what players have chosen when it refreshes an older save.
        """
        if track.name not in self._made:
            values, shown = _loud(track, MOST), track.module
            made = Status(track, shown, (Level(track.absent), *values), is_owners(self.game, track)) if shown else None
            self._made[track.name] = made if values else None
        return self._made[track.name]


def _needed_fact(track: Track) -> str:
    """The fact that must be printed on a counter that shows a track, "" for none."""
    return track.module.needs if track.module else ""


def hex_statuses(game: Game) -> list[Status]:
    """The tracks of hexes that markers show; a hex without a marker says what silence means."""
    shown = ((track, track.module) for track in game.tracks.values() if track.on == "hex")
    return [Status(track, module, _loud(track)) for track, module in shown if module is not None]


def _loud(track: Track, most: int | None = None) -> tuple[Level, ...]:
    """A level for every value but the one that silence means."""
    values = (value for value in track.in_turn(most) if track.absent is None or value != track.absent)
    return tuple(Level(value, tag_image(track, value), f"+ {track.word(value)}") for value in values)


def tag_image(track: Track, value: Value) -> str:
    """The file of the tag that shows a value; the same value has the same file in every build."""
    return f"tag-{track.name}-{file_word(track.write(value))}.png"


def ratings_property(track: str) -> str:
    """The property of a counter with what it prints of a track: a name that VASSAL's expressions can use."""
    return track.replace("-", "_")


def file_word(text: str) -> str:
    """A text as part of a file's name, on any disk; two texts never give the same word, even ignoring case."""
    if re.fullmatch("[a-z0-9]{1,40}", text):
        return text
    return f"{re.sub('[^A-Za-z0-9]', '_', text)[:40]}-{sha256(text.encode()).hexdigest()[:8]}"


def label(track: Track, *, owners: bool = False, seen: bool = False) -> Label:
    """The text that a counter shows of a track. owners: it is typed, and shown to nobody; seen: it shows owners what
    was typed.
    """
    shown = track.module or InModule(menu=(track.title,))
    (menu, stroke), *_ = _strokes(shown)
    if seen:
        kept = SEEN.format(track.name)
        return Label(kept, "", "", "$pieceName$", kept_in=kept)
    if owners:
        return Label(track.name, menu, stroke, "$pieceName$", size=0, kept_in=track.name)
    return Label(track.name, menu, stroke, f"$pieceName$ {track.name}=$label$", kept_in=track.name)


# --- lines of text ----------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line of a counter's menu, and the key that does the same."""

    menu: str
    letter: str
    modifiers: int = CONTROL

    @property
    def stroke(self) -> str:
        """The keystroke as traits write it."""
        return key(self.letter, self.modifiers)


OUT_OF_PLAY, RETURN = Line("Out of play", "D"), Line("Back where it stood", "D", ALT)
"""The lines of a counter's menu that take it off the map and bring it back."""
MOVED, TRAIL = Line("Moved", "M", ALT), Line("Trail", "T", ALT)
"""Those that mark it as moved and show its way."""

_HERE = "COUNTER|false|MAP|||||0|0||false|||EQUALS"
"""Where VASSAL looks for the pieces of a command: on the map at hand."""


def report(strokes: Iterable[str], text: str) -> Trait:
    """Write a text into the chat at these keystrokes."""
    return Trait(join(["report", join(strokes, ","), text, "", "", "Tell all players", "false"], ";"), "-1")


def submenu(name: str, lines: Iterable[str]) -> Trait:
    """Gather lines of the menu under a name."""
    return Trait(join(["submenu", name, join(lines, ","), name], ";"))


def delete(menu: str, stroke: str) -> Trait:
    """Take the piece out of the game for good."""
    return Trait(join(["delete", menu, stroke, menu], ";"))


def send(map: str, board: str, at: Pixel) -> Trait:
    """Send the piece to a place of another window, and back to where it came from."""
    there, back = ((line.menu, line.stroke) for line in (OUT_OF_PLAY, RETURN))
    return Trait(
        join(
            ["sendto", *there, map, board, *map_numbers(at), *back, "0", "0", "0", "0", there[0], "L", *[""] * 4], ";"
        ),
        ";;",
    )


def map_numbers(at: Pixel) -> tuple[str, str]:
    """A place in pixels as texts."""
    return str(at[0]), str(at[1])


def mark_moved(image: str, at: Pixel) -> Trait:
    """Show a picture on the piece once it has moved. at: from the middle of the piece, in pixels."""
    return Trait(
        join(["markmoved", image, *map_numbers(at), MOVED.menu, MOVED.stroke, MOVED.menu, "true"], ";"), "false"
    )


def trail() -> Trait:
    """Show, on request, the way that the piece has gone since its trail was last cleared."""
    looks = ["false", "false", "8", "255,250,240", "179,32,42", "100", "40", "20", "60", "2.0"]
    return Trait(join(["footprint", TRAIL.stroke, TRAIL.menu, *looks, "", "", "", TRAIL.menu], ";"), "false;;0")


def in_place(menu: str, stroke: str, sent: str, filter: str) -> Trait:
    """Press a key on all pieces in the same place that a filter lets through."""
    return Trait(
        join(["globalkey", menu, stroke, sent, filter, "true", "0", "true", "true", "", menu, "-1", _HERE], ";")
    )


def computed(name: str, expression: str) -> Trait:
    """A property that VASSAL works out from an expression."""
    return Trait(join(["calcProp", name, f"{{{expression}}}", name], ";"))


def level_of(layer: str) -> str:
    """An expression of VASSAL: the number of the level that a layer shows. A hyphen in a plain name would be a minus."""
    return f'GetProperty("{layer}_Level")' if "-" in layer else f"{layer}_Level"


def bounded(layer: str, most: str, stroke: str) -> Trait:
    """Disable the command that leads a layer on once it has so many levels as a property says, the first of which shows
    nothing.
    """
    expression = f'{{{most}!="" && {level_of(layer)}>={most}}}'
    return Trait(join(["hideCmd", f"{layer} below {most}", "Disable", expression, join([stroke], ",")], ";"))


def does_not_stack(note: str) -> Trait:
    """Never stack with other pieces."""
    return Trait(join(["immob", "", "N", "R", note], ";"))


FACE_DOWN, OUT_OF_SIGHT = Line("Face down", "B"), Line("Out of sight", "N")
"""The lines of a counter's menu that hide it."""
WHOLE_STACK = Line("Face down: the whole stack", "B", CONTROL_SHIFT)
"""The line that turns all counters of its stack face down."""
SIDE = "Side"
"""The property that names the side of a counter."""
_UNKNOWN = "?"
"""The name of a counter that is face down."""


Values = Mapping[str, Value]
"""What a position says of a unit, by track."""


class Part(NamedTuple):
    """A trait of a prototype: its type, and its state for the values of a unit."""

    type: str
    state: Callable[[Values], str]

    @classmethod
    def fixed(cls, trait: Trait) -> Part:
        """One that says nothing of a unit."""
        return cls(trait.type, lambda values: trait.state)

    @classmethod
    def of(cls, status: Status, type: str) -> Part:
        """A layer at the value of its track."""
        states = {level.value: str(number) for number, level in reversed([*enumerate(status.levels, 1)])}
        return cls(type, lambda values: states.get(values.get(status.track.name), "1"))

    @classmethod
    def text(cls, track: Track, *, owners: bool = False) -> Part:
        """A label with the text of its track. owners: as `label` has it."""
        return cls(label(track, owners=owners).type, lambda values: str(values.get(track.name, "")))

    @classmethod
    def hidden(cls, track: str, type: str) -> Part:
        """A trait that hides the counter from all but the side that a track names."""
        return cls(type, lambda values: hidden_by(type, str(values.get(track, ""))).state)


def covers(side: str) -> Iterator[Part]:
    """The traits with which the players of a side keep its counters from the others, outermost first."""
    lines = [line.menu for line in (FACE_DOWN, WHOLE_STACK, OUT_OF_SIGHT)]
    others = f'{{{SIDE}=="{side}" && ObscuredToOthers==false}}'
    yield Part.fixed(submenu("Hide", lines))
    yield Part.fixed(in_place(WHOLE_STACK.menu, WHOLE_STACK.stroke, FACE_DOWN.stroke, others))
    yield Part.hidden(INVISIBLE, invisible(OUT_OF_SIGHT.menu, OUT_OF_SIGHT.stroke))
    yield Part.hidden(MASKED, mask(FACE_DOWN.menu, FACE_DOWN.stroke, face_down_image(side), _UNKNOWN))
    yield Part.fixed(marker(**{SIDE: side}))


def is_seen(shown: str, hidden: str) -> str:
    """An expression of VASSAL. shown: what the owner of a counter and observers see; hidden: what the others see."""
    return f'PlayerSide=="" || PlayerSide=="<observer>" || PlayerSide=={SIDE} ? {shown} : {hidden}'


def side_of(game: Game, unit: str) -> str:
    """The side of a unit's nation, "" if it is unknown."""
    nation = printed_fact(game, unit, game.file.picture.nation)
    return game.side_of(str(nation.value)) if nation and game.file.sides else ""


def face_down_image(side: str) -> str:
    """The file with what all counters of a side look like from behind."""
    return f"face-down-{file_word(side)}.png"


def pictures(game: Game) -> dict[str, Scene]:
    """What the counters of each side look like face down, by the names of their files: in the colour of its first
    nation.
    """
    palette = nation_palette(game)
    return {face_down_image(side): face_down(palette.nation(nations[0])) for side, nations in game.file.sides.items()}


def private_window(side: str) -> str:
    """The name of the window that only a side sees."""
    return f"Private: {side}"


def properties(game: Game) -> dict[str, str]:
    """The global properties by which the assistant knows these windows."""
    return {f"{PRIVATE} {private_window(side)}": side for side in game.file.sides}
