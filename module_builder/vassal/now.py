"""The frame around the current turn on the turn track: pieces that nobody moves, which follow the turn tracker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lxml import etree

from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.legends import DISPLAY
from assistant.formats.vassal.pieces import Piece, write_definition
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import LayerTrait, Trait, marker_trait
from assistant.state.tracks import Track

from .elements import MAP, MODULE, WIDGET, add
from .pieces.maker import frame_slot
from .pieces.traits import computed
from .sheets import SHEET
from .turn_track import TURNS, TurnTrack, now_image

_CHANGED = "57344,0,The turn has changed"  # the keystroke that the tracker fires at each new turn
_LOOK = "57344,0,Look at the turn"  # the keystroke that has the frames drawn anew
_FOLLOWS = "turn_now"
_SHOWS = "turn"


def frame_pieces(track: TurnTrack, turn: Track, slots: Mapping[str, str]) -> Iterator[Piece]:
    """Yield the frames as they lie on the track, one for each row, each with its id. slots: the ids of slots by their
    names.
    """
    images = ("", *(now_image(column) for column in range(1, len(track.rows[0]) + 1)))
    for number, (row, at) in enumerate(track.heads, 1):
        cases = "".join(f'GetProperty("{turn.name}")=={turn_} ? {level} : ' for level, turn_ in enumerate(row, 2))
        traits = (
            Trait(join(["immob", "ng", "V", "R", "part of the turn track"], ";")),
            Trait(LayerTrait("now", images, ("",) * len(images), x=track.frames_right, follows=_FOLLOWS).type, "1"),
            computed(_FOLLOWS, f"{cases}1"),
            marker_trait({DISPLAY: _SHOWS}),
            Trait(join(("piece", "", "", "", "The current turn"), ";")),
        )
        yield Piece(f"now {number}", traits, TURNS, at, slots[frame_slot(number)])


def add_frames(tracker: etree._Element, window: etree._Element, pieces: Iterator[Piece]) -> None:
    """Put the frames onto the track of every new game, and have them drawn anew when the turn changes.

    tracker: the turn tracker; window: that of the track.
    """
    add(
        tracker,
        MODULE + "turn.TurnGlobalHotkey",
        name="The turn has changed",
        hotkey=_CHANGED,
        match="",
        reportFormat="",
    )
    add(
        window,
        MAP + "MassKeyCommand",
        name="Look at the turn",
        buttonText="",
        tooltip="",
        icon="",
        buttonHotkey=_CHANGED,
        hotkey=_LOOK,
        filter=f'{{{DISPLAY}=="{_SHOWS}"}}',
        reportSingle="true",
        reportFormat="",
        singleMap="true",
        deckCount="0",
        suppressSounds="true",
    )
    put_pieces(window, pieces)


def put_pieces(window: etree._Element, pieces: Iterator[Piece]) -> None:
    """Put pieces onto the sheet of a window in every new game; those at one spot as a stack."""
    for at, pile in group_by_place(pieces).items():
        _put_pile(window, at, pile)


def group_by_place(pieces: Iterable[Piece]) -> dict[Pixel, list[Piece]]:
    """Return pieces by where they lie."""
    by_spot: dict[Pixel, list[Piece]] = {}
    for piece in pieces:
        by_spot.setdefault(piece.at, []).append(piece)
    return by_spot


def take_off_map(piece: Piece) -> Piece:
    """Return the piece as the module holds it, on no map yet."""
    return Piece("null", piece.traits, slot=piece.slot)


def _put_pile(window: etree._Element, at: Pixel, pile: Sequence[Piece]) -> None:
    stack = add(
        window,
        MAP + "SetupStack",
        name=f"Put {pile[0].id}",
        owningBoard=SHEET,
        useGridLocation="false",
        location="",
        x=str(at[0]),
        y=str(at[1]),
    )
    for piece in pile:
        held = write_definition(take_off_map(piece))
        add(stack, WIDGET + "PieceSlot", held, entryName=f"Put {piece.id}", gpid=piece.slot, width="0", height="0")
