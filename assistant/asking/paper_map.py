"""Hints for players of a paper map: state the ground of all other hexes in one line, or use a drawn map."""

from __future__ import annotations

from collections.abc import Iterable

from .report import Step
from .view import View

PAPER_MAP = "Paper map"
"""The title of the part of a report with hints for players of a paper map."""
_MIN_MISSING_FACTS = 3
"""The number of missing ground facts from which a report gives the hint."""


def state_at_once(view: View, asked: Iterable[object]) -> tuple[Step, ...]:
    """Return a hint to state the usual ground of a paper map in one line, for all hexes without their own.

    Returns () on a drawn board, and if few such facts are missing.

    `asked`: the tracks of the missing facts, one entry for each fact.
    """
    tracks = [view.game.tracks[str(name)] for name in asked if name in view.game.tracks]
    terrain = view.game.file.picture.terrain
    ground = [
        track
        for track in tracks
        if track.may_hold_elsewhere and track.name not in view.state.elsewhere
        if track.on == "hexside" or track.kind == "flag" or track.name == terrain  # other tracks have no usual value
    ]
    if view.board.hexes or len(ground) < _MIN_MISSING_FACTS:
        return ()
    distinct = {track.name: track for track in ground}.values()
    usual_words = [track.word(track.parse(track.values[0]) if track.values else False) for track in distinct]
    line = " ".join(["elsewhere", *usual_words])
    text = "one line, such as `{line}`, states what your map shows on all other hexes"
    return (Step("", text, {"line": line}),)


def find_board_line(view: View) -> str:
    """Return the line that reads a drawn map in place of a paper one, such as `board east`.

    The map is the first one with the hexes of all units. Returns "" if there is none, or if a board is in use.
    """
    if view.state.board:
        return ""
    game = view.game
    hexes = {unit.place for unit in view.units() if unit.place and view.board.is_hex(unit.place)}
    for name in game.board_names:
        board = game.board(name)
        if board.is_map and all(map(board.has, hexes)):
            return f"board {name}"
    return ""
