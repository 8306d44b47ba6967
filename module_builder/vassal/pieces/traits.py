"""The traits of a module's pieces: reports, movement, menus, and what hides them from the other side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from assistant.drawing.scene import Scene
from assistant.drawing.style import palette_of
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.hidden_facts import KEPT_FACTS, make_keeping_trait
from assistant.formats.vassal.legends import PRIVATE
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import (
    CONTROL,
    CONTROL_SHIFT,
    Trait,
    hidden_by,
    invisible_type,
    marker_trait,
    mask_type,
)
from assistant.game.games import Game
from assistant.state.state import INVISIBLE, MASKED
from assistant.state.tracks import Track, Value

from ...counters.columns import printed_fact
from ...counters.markings import crest_up, face_down, face_down_mark
from ...counters.picture_names import file_word
from ..elements import Hotkey
from .statuses import Status, label, strokes_of


class Line(NamedTuple):
    """A line of a counter's menu with its key."""

    menu: str
    key: Hotkey

    @property
    def stroke(self) -> str:
        """The keystroke in the form of traits."""
        return self.key.stroke


OUT_OF_PLAY = Line("Out of play", Hotkey("D", CONTROL_SHIFT))  # the line of a counter's menu that takes it off the map
RETURN = Line("Back where it stood", Hotkey("D"))  # the line that brings it back
MARK_MOVED = Line("Moved", Hotkey("M"))
TRAIL = Line("Trail", Hotkey("R"))  # the line that shows its trail of movement

_ON_THIS_MAP = "COUNTER|false|MAP|||||0|0||false|||EQUALS"
"""The scope of a command: pieces on the same map."""


def report(strokes: Iterable[str], text: str) -> Trait:
    """Write a text into the chat at these keystrokes."""
    return Trait(join(["report", join(strokes, ","), text, "", "", "Tell all players", "false"], ";"), "-1")


def submenu(name: str, lines: Iterable[str]) -> Trait:
    """Group lines of the menu under a name."""
    return Trait(join(["submenu", name, join(lines, ","), name], ";"))


def delete(menu: str, stroke: str) -> Trait:
    """Take the piece out of the game for good."""
    return Trait(join(["delete", menu, stroke, menu], ";"))


def send(window: str, board: str, at: Pixel) -> Trait:
    """Send the piece to a place in another window, and back."""
    menu = OUT_OF_PLAY.menu
    there, back = (menu, OUT_OF_PLAY.stroke), (RETURN.menu, RETURN.stroke)
    parts = ["sendto", *there, window, board, *_write_spot(at), *back, "0", "0", "0", "0", menu, "L", *[""] * 4]
    return Trait(join(parts, ";"), ";;")


def _write_spot(at: Pixel) -> tuple[str, str]:
    return str(at[0]), str(at[1])


def mark_moved(image: str, at: Pixel) -> Trait:
    """Show a picture on the piece once it has moved. `at`: offset from the centre of the piece, in pixels."""
    return Trait(
        join(["markmoved", image, *_write_spot(at), MARK_MOVED.menu, MARK_MOVED.stroke, MARK_MOVED.menu, "true"], ";"),
        "false",
    )


def trail() -> Trait:
    """Show, on request, the piece's route since its trail was last cleared."""
    looks = ["false", "false", "8", "255,250,240", "179,32,42", "100", "40", "20", "60", "2.0"]
    return Trait(join(["footprint", TRAIL.stroke, TRAIL.menu, *looks, "", "", "", TRAIL.menu], ";"), "false;;0")


def _press_key_in_place(menu: str, stroke: str, sent: str, chosen: str) -> Trait:
    """Press a key on pieces in the same place.

    `sent`: the key.
    `chosen`: the condition that selects the pieces.
    """
    return Trait(
        join(["globalkey", menu, stroke, sent, chosen, "true", "0", "true", "true", "", menu, "-1", _ON_THIS_MAP], ";")
    )


def computed(name: str, expression: str) -> Trait:
    """Return a property that VASSAL computes from an expression."""
    return Trait(join(["calcProp", name, f"{{{expression}}}", name], ";"))


def write_worded(text: str, tag: str) -> str:
    """Return a VASSAL expression: the text in a property in a tag's words, `{}` standing for the text, or "".

    VASSAL reads 44.20 as the number 44.2, except where it is used as text.
    """
    value, (before, _, after) = f'GetProperty("{text}")', tag.partition("{}")
    typed = f"{text}.trim()" if text.isidentifier() else value
    return f'({value}=="" ? "" : "{before}"+{typed}+"{after}")'


def level_of(layer: str) -> str:
    """Return a VASSAL expression: the number of a layer's level. A hyphen in a plain name would be a minus."""
    return f'GetProperty("{layer}_Level")' if "-" in layer else f"{layer}_Level"


def bound_level(layer: str, maximum: str, stroke: str) -> Trait:
    """Disable the command for the next level at the maximum that a property has. The first level shows nothing."""
    return _bar_commands(f"{layer} below {maximum}", [stroke], f'{maximum}!="" && {level_of(layer)}>={maximum}')


def _bar_commands(note: str, strokes: Iterable[str], when: str) -> Trait:
    """Disable commands while a condition holds. `note`: the purpose of the trait."""
    return Trait(join(["hideCmd", note, "Disable", f"{{{when}}}", join(strokes, ",")], ";"))


def does_not_stack() -> Trait:
    """Never stack with other pieces."""
    return Trait(join(["immob", "", "N", "R", "lies below the counters"], ";"))


def immovable(*, on_grid: bool) -> Trait:
    """Keep the piece in its place and out of stacks: only Shift selects it.

    `on_grid`: whether it snaps to the centre of hexes when it is put down.
    """
    return Trait(join(["immob", "iZ" if on_grid else "igZ", "I", "R", "shows supply, below all else"], ";"))


FACE_DOWN = Line("Face down", Hotkey("B", CONTROL))  # the line of a counter's menu that turns it face down
OUT_OF_SIGHT = Line("Out of sight", Hotkey("H", CONTROL_SHIFT))  # the line that hides it
WHOLE_STACK = Line("Face down: the whole stack", Hotkey("B", CONTROL_SHIFT))
"""The line that turns all counters of its stack face down."""
LAYER = "Layer"
"""The property by which one piece lies above another."""
SIDE = "Side"
"""The property that names the side of a counter."""
_UNKNOWN = "?"
"""The name of a counter that is face down."""


Values = Mapping[str, Value]
"""Stated values of a unit by track."""


class PrototypeTrait(NamedTuple):
    """A trait of a prototype: its type, and its state for the values of a unit."""

    type: str
    state: Callable[[Values], str]

    @classmethod
    def fixed(cls, trait: Trait) -> PrototypeTrait:
        """Return a trait that is the same for all units."""
        return cls(trait.type, lambda values: trait.state)

    @classmethod
    def status(cls, status: Status, type: str) -> PrototypeTrait:
        states = {level.value: str(number) for number, level in reversed([*enumerate(status.levels, 1)])}
        return cls(type, lambda values: states.get(values.get(status.track.name), "1"))

    @classmethod
    def text(cls, track: Track, *, owners: bool = False) -> PrototypeTrait:
        """Return a label with the text of its track. `owners`: as in `label`."""
        return cls(label(track, owners=owners).type, lambda values: str(values.get(track.name, "")))

    @classmethod
    def hidden(cls, track: str, type: str) -> PrototypeTrait:
        """Return a trait that hides the counter from every side except the one that a track names."""
        return cls(type, lambda values: hidden_by(type, str(values.get(track, ""))).state)


def cover_traits(side: str, behind: str = "", *, keeping: bool = False) -> Iterator[PrototypeTrait]:
    """Yield the traits, outermost first, with which the players of a side alone hide its counters from others.

    `behind`: the nation that they show face down, or "" for the side.
    `keeping`: whether hidden counters store the levels that they do not show.
    """
    lines = FACE_DOWN, WHOLE_STACK, OUT_OF_SIGHT
    others = f'{{{SIDE}=="{side}" && ObscuredToOthers==false}}'
    not_its_own = f'PlayerSide!="{side}"'
    yield PrototypeTrait.fixed(marker_trait({LAYER: side}))  # outermost: what hides a counter does not hide its layer
    yield PrototypeTrait.fixed(submenu("Hide", [line.menu for line in lines]))
    yield PrototypeTrait.fixed(
        _bar_commands("hidden by its own side alone", [line.stroke for line in lines], not_its_own)
    )
    yield PrototypeTrait.fixed(_press_key_in_place(WHOLE_STACK.menu, WHOLE_STACK.stroke, FACE_DOWN.stroke, others))
    yield PrototypeTrait.hidden(INVISIBLE, invisible_type(OUT_OF_SIGHT.menu, OUT_OF_SIGHT.stroke))
    images = face_down_image(behind or side), _face_down_mark_image(side)
    yield PrototypeTrait.hidden(
        MASKED, mask_type(FACE_DOWN.menu, FACE_DOWN.stroke, images[0], _UNKNOWN, laid_over=images[1])
    )
    if keeping:
        yield PrototypeTrait(
            make_keeping_trait("").type, lambda values: make_keeping_trait(str(values.get(KEPT_FACTS, ""))).state
        )
    yield PrototypeTrait.fixed(marker_trait({SIDE: side}))


COVER = "Cover the stack"  # the line of a cap's menu that keeps the counters of its stack out of the other sides' sight
UNCOVER = "Show the stack"  # the line that shows them again


def cap_traits(side: str) -> Iterator[Trait]:
    """Yield the traits of a marker that covers a stack of a side, outermost first.

    It is one of the side's counters, moves with them, and hides the counters below it.
    """
    yield marker_trait({LAYER: side})
    strokes = {line: f"57344,0,{line}" for line in (COVER, UNCOVER)}
    yield _bar_commands(
        "covered by its own side alone", [*strokes.values(), OUT_OF_PLAY.stroke], f'PlayerSide!="{side}"'
    )
    for line, hidden in ((COVER, "false"), (UNCOVER, "true")):
        chosen = f'{{{SIDE}=="{side}" && InvisibleToOthers=={hidden}}}'
        yield _press_key_in_place(line, strokes[line], OUT_OF_SIGHT.stroke, chosen)
    yield delete("Remove", OUT_OF_PLAY.stroke)


_OWNERS = f'PlayerSide=="" || PlayerSide=="<observer>" || PlayerSide=={SIDE}'
"""A condition of VASSAL: the player is of the counter's own side, or of none."""


def is_seen(shown: str, hidden: str) -> str:
    """Return a VASSAL expression.

    `shown`: the value for the owner of a counter and for observers.
    `hidden`: the value for others.
    """
    return f"{_OWNERS} ? {shown} : {hidden}"


def bar_others(track: Track) -> Trait:
    """Disable the commands that change a hidden value for players who do not see it.

    For them these menu lines look the same, whatever the value is.
    """
    return _bar_commands(f"{track.title} by who sees it", strokes_of([track]), f"!({_OWNERS})")


def nation_behind(game: Game, unit: str) -> str:
    """Return the nation that a unit's counter shows face down, or "" if it shows only its side.

    It shows only its side if no units lie back side up by the rules. The first nation of a side is shown as the side,
    as older saves know it.
    """
    nation = printed_fact(game, unit, game.file.picture.nation)
    shown = str(nation.value) if nation and shows_crests(game) else ""
    return "" if shown in (nations[0] for nations in game.file.sides.values()) else shown


def shows_crests(game: Game) -> bool:
    """Return whether units of the game may lie back side up by its rules."""
    return game.file.intelligence is not None and bool(game.file.intelligence.conceals_with)


def side_of(game: Game, unit: str) -> str:
    """Return the side of a unit's nation, or "" if it is unknown."""
    nation = printed_fact(game, unit, game.file.picture.nation)
    return game.side_of(str(nation.value)) if nation and game.file.sides else ""


def face_down_image(side: str) -> str:
    """Return the file name of the back of a side's or nation's counters."""
    return f"face-down-{file_word(side)}.png"


def _face_down_mark_image(side: str) -> str:
    return f"face-down-mark-{file_word(side)}.png"


def mask_pictures(game: Game) -> dict[str, Scene]:
    """Return by file name the backs of each side's counters, and the sign on them for its own players, in the side's
    colour.

    If units may lie back side up by the rules, the backs of each nation have its sign.
    """
    tints = {side: palette_of(game).side(side).ground for side in game.file.sides}
    drawn = {face_down_image(side): face_down(tint) for side, tint in tints.items()}
    if shows_crests(game):
        for side, nations in game.file.sides.items():
            for nation in nations:
                drawn[face_down_image(side if nation == nations[0] else nation)] = crest_up(game, nation)
    return drawn | {_face_down_mark_image(side): face_down_mark(tint) for side, tint in tints.items()}


def private_window(side: str) -> str:
    """Return the name of the window that only one side sees."""
    return f"Private: {side}"


def properties(game: Game) -> dict[str, str]:
    """Return the global properties by which the assistant recognizes these windows."""
    return {f"{PRIVATE} {private_window(side)}": side for side in game.file.sides}
