"""The name of a table that its players have not named: its game, date and place."""

from __future__ import annotations

import re

from ...drawing.map.towns import KINDS_BY_SIZE, town_kind
from ...formats.positions import Position
from ...game.boards import Board
from ...game.calendar import MonthCalendar
from ...game.course import course_file
from ...game.games import Game
from ...game.turn_record import read_calendar, turns
from ...util.errors import InputError
from ...util.typesetting import with_spaces

_MAX_HEXES_TO_PLACE = 3
"""The maximum distance of the place in a table's name from the combat, or from the middle of the units."""
_MAX_FRONT_HEXES = 15
"""The maximum distance between two units of a table that is called after one place."""
_DAY = re.compile(r"(?P<day>[0-9]{1,2} )?(?P<month>[A-Z][a-z]{2})[a-z]* (?P<year>[0-9]{4})")


def is_numbered(table: str, game: Game) -> bool:
    """Return whether the page made the name of a table: a game with a number, a table of the prompt, or a link."""
    return re.fullmatch(rf"(prompt-)?{re.escape(game.id)}(-[0-9]+)?|link-[a-z0-9]+", table) is not None


def name_by_game(position: Position, target: str = "") -> str:
    """Return the game, date and place of a table, without what is not known.

    `target`: the hex of the open combat, or "".
    """
    return ", ".join(filter(None, (short_title(position.game), _find_date(position), _find_place(position, target))))


def short_title(game: Game) -> str:
    """Return the longest short name of a game that its title contains, as the title spells it, or else the title."""
    for alias in sorted(map(with_spaces, game.file.aliases), key=len, reverse=True):
        at = game.title.casefold().find(alias.casefold())
        if at >= 0:
            return game.title[at : at + len(alias)]
    return game.title


def _find_date(position: Position) -> str:
    """Return the date of the stated turn: a day without its year, or a month, or else the turn; "" if none is stated."""
    game = position.game
    try:
        track = course_file(game).turns.track
        fact = position.state.facts.get((track, ""))
        if fact is None:
            return ""
        calendar = read_calendar(game)
        number = calendar.number(str(fact.value))
        date = next((turn.date.text for turn in turns(game) if turn.number == number and turn.date), "")
    except InputError:  # the game counts no turns, or the stated one is not one of them
        return ""
    if isinstance(calendar, MonthCalendar):
        date = calendar.month(number).in_words
    if found := _DAY.search(date):
        return f"{found['day']}{found['month']}" if found["day"] else f"{found['month']} {found['year']}"
    return date or f"turn {fact.value}"


def _find_place(position: Position, target: str) -> str:
    """Return the largest named place near the open combat, or else near the middle of units that are close together.

    A table without a board, as beside a paper map, takes the names from the game's only one.
    """
    game = position.game
    board = game.board(position.state.board)
    names = game.board_names
    named = game.board(names[0]) if not position.state.board and len(names) == 1 else board
    at = target if target and board.has(target) and board.is_hex(target) else _find_middle(position, board)
    if not at:
        return ""
    ranked = [
        (KINDS_BY_SIZE.index(town_kind(place.kind)), distance, place.name)
        for place in named.places
        if board.has(place.hex)
        and board.is_hex(place.hex)
        and (distance := board.distance(at, place.hex)) <= _MAX_HEXES_TO_PLACE
    ]
    return min(ranked)[-1] if ranked else ""


def _find_middle(position: Position, board: Board) -> str:
    """Return the hex with units nearest to the middle of all, or "" if there are none, or two far from each other."""
    places = sorted({unit.place for unit in position.state.units.values() if unit.place})
    hexes = [at for at in places if board.shows(at) and board.is_hex(at)]
    if not hexes:
        return ""
    centres = [board.centre(at) for at in hexes]
    x = sum(x for x, _ in centres) / len(hexes)
    y = sum(y for _, y in centres) / len(hexes)
    middle = min(zip(hexes, centres, strict=True), key=lambda each: (each[1][0] - x) ** 2 + (each[1][1] - y) ** 2)[0]
    is_near = all(board.distance(middle, at) <= _MAX_FRONT_HEXES for at in hexes)
    return middle if is_near else ""
