"""What an answer says of a paper map: how much of it is stated at once, and which drawn one there is in its place."""

from __future__ import annotations

from collections.abc import Iterable

from .report import Step
from .view import View

PAPER_MAP = "Paper map"
"""The title of the part of a report that says so."""
_SEVERAL = 3
"""How many facts of the ground are missing before a report says how one line states them for all hexes."""


def state_at_once(view: View, asked: Iterable[object]) -> tuple[Step, ...]:
    """Return how one line states what all hexes of a paper map not otherwise known have, if much is asked for; nothing
    on a drawn board. asked: the tracks of the facts that are asked for, each as often as it is.
    """
    tracks = [view.game.tracks[str(name)] for name in asked if name in view.game.tracks]
    terrain = view.game.file.picture.terrain
    ground = [
        track
        for track in tracks
        if track.may_hold_elsewhere and track.name not in view.state.elsewhere
        if track.on == "hexside" or track.kind == "flag" or track.name == terrain  # of others no value is the usual one
    ]
    if view.board.hexes or len(ground) < _SEVERAL:
        return ()
    each = {track.name: track for track in ground}.values()
    usual = [track.word(track.parse(track.values[0]) if track.values else False) for track in each]
    line = " ".join(["elsewhere", *usual])
    text = "one line, such as `{line}`, states what your map shows on all other hexes"
    return (Step("", text, {"line": line}),)


def find_board_line(view: View) -> str:
    """Return the line that reads a drawn map in place of a paper one, such as `board east`.

    Of several maps the first counts that has the hexes of all units; "" if there is none, or a board is in use.
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
