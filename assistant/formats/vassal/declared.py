"""What the global properties of one of the builder's modules declare: the game, its board, its windows, and the lists
that its turn tracker goes through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from ...game.games import Game
from ...state.tracks import Track
from ...util.errors import InputError
from ...util.limits import Limit
from .grids import Drawn, Hexes, Pixel, Regions
from .sequence import flag, join, split

#: Global properties of a module: the game's id, the board's name, and the grid of a map as JSON, its name at the end.
GAME, BOARD, GRID = "FieldStaffGame", "FieldStaffBoard", "FieldStaffGrid"
ARRIVALS = "FieldStaffArrivals"
"""A global property for the window with a box for each turn: units in one come into play then."""
PRIVATE = "FieldStaffPrivate"
"""A global property for each private window of a side: what lies in it is not in play."""
ASIDE = "FieldStaffAside"
"""A global property for each window whose pieces everybody sees, but which are not in play."""
REPORT = "** $name$: $result$"
"""What a dice button of our modules writes; VASSAL puts a star before it, the total of several dice behind it, and last
the player.
"""
TOTAL, PLAYER = " = $numericalTotal$", " <$PlayerName$>"
HEADING = "Field Staff"
"""The line of the public notes above the position notation."""
UNIT, MARKER = "unit", "marker"
"""The markers of a piece that name its type in the roster, or the track of hexes that it states."""
SEEN = "{} seen"
"""What the layer or the text is called that shows a track, `{}`, to the players of the counter's own side alone."""


class Window(msgspec.Struct, frozen=True, omit_defaults=True):
    """A map of a module: its grid, and the first and the last column and row of the board that are drawn.

    size: of a sheet with boxes, beyond which nothing lies in one; None for a board, whose hexes tell, and in saves of
    older modules.
    """

    grid: Drawn
    columns: tuple[int, int]
    rows: tuple[int, int]
    size: Pixel | None = None

    @property
    def extent(self) -> Pixel:
        """Width and height of the sheet or the board."""
        return self.size or (self.grid.size if isinstance(self.grid, Hexes) else (0, 0))

    def locate(self, at: Pixel) -> str:
        """The printed place at a pixel, "" off the sheet."""
        on_sheet = self.size is None or (0 <= at[0] < self.size[0] and 0 <= at[1] < self.size[1])
        return self.grid.locate(at) if on_sheet else ""


class TurnBoxes(msgspec.Struct, frozen=True):
    """A window with boxes that are called by the numbers of turns. track: the one that states in which turn a unit
    comes into play.
    """

    track: str
    grid: Regions


def tracker(game: Game) -> Track | None:
    """The track that the module's turn tracker shows: the first number among those of the game itself."""
    return next((track for track in game_tracks(game) if track.kind == "integer"), None)


def game_tracks(game: Game) -> list[Track]:
    """The tracks of the game itself that a module shows, on its turn tracker or by buttons."""
    return [track for track in game.tracks.values() if track.on == "game" and track.module is not None]


Declared = TypeVar("Declared", Window, TurnBoxes)


def declared_windows(properties: Mapping[str, str]) -> dict[str, Window]:
    """The maps by name that a module's own global properties declare. Raises InputError for an invalid property."""
    return _declared(properties, GRID, Window)


def declared_arrivals(properties: Mapping[str, str]) -> dict[str, TurnBoxes]:
    """The windows with boxes of turns by name that a module's own global properties declare. Raises InputError for an
    invalid property.
    """
    return _declared(properties, ARRIVALS, TurnBoxes)


def _declared(properties: Mapping[str, str], kind: str, type: type[Declared]) -> dict[str, Declared]:
    """What global properties of a kind declare of windows, by their names. Raises InputError for an invalid one."""
    declared = {}
    for name, text in properties.items():
        if name.startswith(f"{kind} "):
            Limit.GRID.check(len(text), f"{name} has")
            try:
                declared[name.removeprefix(f"{kind} ")] = msgspec.json.decode(text, type=type)
            except (msgspec.DecodeError, RecursionError) as error:
                raise InputError(f"{name} cannot be read: {error}", hint="the save is damaged") from None
    return declared


# --- turn trackers ----------------------------------------------------------------------------------------------------

# A save holds numbers only: turns that are counted, and in each one lists to go through, such as player turns and their
# phases. What the numbers stand for is declared in a global property.

STEPS = "FieldStaffSteps"
"""The global property with the lists of a module's turn tracker, as JSON."""


class Steps(msgspec.Struct, frozen=True):
    """A list that is gone through within a turn, or within each entry of another list.

    words: the fact that each entry states, as position notation, "" for none; below: the lists within each entry, one
    after another.
    """

    words: tuple[str, ...]
    below: tuple[Steps, ...] = ()


def read_steps(text: str) -> tuple[Steps, ...]:
    """The lists that a module declares, none for an empty text. Raises ValueError for a text that declares none."""
    return msgspec.json.decode(text or "[]", type=tuple[Steps, ...])


def tracker_state(turn: int, steps: Sequence[Steps], words: Sequence[str] = ()) -> str:
    """The state of a tracker at a turn, and at the first entry that states these facts; at the very first if none does."""
    at, below = _path(steps, frozenset(words)) or (0, [_list_state(step, ()) for step in steps])
    level = join((str(turn), str(at), flag(False), "-1", *below), ";")
    return join(("0", level), "|")


def can_show(steps: Sequence[Steps], words: Sequence[str]) -> bool:
    """Whether some entry states exactly these facts, with those of the entries that it is within."""
    return _path(steps, frozenset(words)) is not None


def shown(state: str, steps: Sequence[Steps]) -> tuple[str, list[str]]:
    """The turn that a state counts, and the facts that its entry states.

    Raises ValueError or IndexError for a state of other lists.
    """
    _, level, *_ = (*split(state, "|"), "")
    turn, *more = split(level, ";")
    words: list[str] = []
    if steps and len(more) > 3:
        _collect(more[0], more[3:], steps, words)
    return turn, [word for word in words if word]


def _collect(at: str, states: Sequence[str], steps: Sequence[Steps], words: list[str]) -> None:
    """Add what the list at a number states, and those within its entry."""
    if len(states) != len(steps):
        raise ValueError(f"{len(states)} lists instead of {len(steps)}")
    chosen = _index(at, len(steps))
    entry, below, _, _, *more = split(states[chosen], ";")
    words.append(steps[chosen].words[_index(entry, len(steps[chosen].words))])
    if steps[chosen].below:
        _collect(below, more, steps[chosen].below, words)


def _index(text: str, count: int) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) < count):
        raise ValueError(f"entry {text[:20]!r} of {count}")
    return int(text)


def _path(steps: Sequence[Steps], words: frozenset[str]) -> tuple[int, list[str]] | None:
    """The number of the list with the first entry that states these facts, and the states of all lists then; None if
    none does.
    """
    for number, steps_below in enumerate(steps):
        if (way := next(_entries(steps_below, words), None)) is not None:
            return number, [_list_state(other, way if other is steps_below else ()) for other in steps]
    return None


def _entries(steps: Steps, words: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """The ways through a list to entries that state exactly these facts: an entry, then the list within it and its
    entry, and so on.
    """
    for entry, word in enumerate(steps.words):
        if word and word not in words:
            continue
        left = words - {word}
        if not steps.below and not left:
            yield (entry,)
        for number, inner in enumerate(steps.below):
            for way in _entries(inner, left):
                yield entry, number, *way


def _list_state(steps: Steps, way: Sequence[int]) -> str:
    """The state of a list with an entry chosen in it, and in the lists within; the first ones by default."""
    entry, at, *rest = (*way, 0, 0)[: max(len(way), 2)]
    active = ",".join([flag(True)] * len(steps.words))
    below = [_list_state(inner, rest if number == at else ()) for number, inner in enumerate(steps.below)]
    return join((str(entry), str(at), "0", active, *below), ";")
