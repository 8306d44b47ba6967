"""What the page shows of the board: its shape and its tiles, what lies on it, and what is known of a hex and how."""

from __future__ import annotations

from collections.abc import Iterator

from ...asking.view import View
from ...drawing.geometry import PageBox
from ...drawing.layout import Layout
from ...drawing.map.survey import SurveyReader
from ...drawing.scene import Layer, Scene
from ...drawing.style import COUNTER, HEX, RADIUS
from ...drawing.svg import to_svg
from ...game.games import Game
from ...installed.registry import questions_of
from ...rules.zones import Zones
from ...service import over_map
from ...state.state import hexside
from ...state.tracks import Source
from ...util.errors import InputError
from ..prompt.combats import combat_hexes
from ..prompt.surroundings import name_of_hex
from .answer_view import show_answer
from .counters import counter_layers, draw_counter, draw_markers, draw_stack_at
from .desk import StandingTable
from .messages.board import AnswerOnMap, BoardShown, HexShown, LevelShown, MarkerShown, SideOfHex, TileShown, ZoneOfHex
from .messages.requests import BoardRequest, CounterRequest, HexRequest, OnMapRequest, StackRequest, TileRequest
from .messages.table import Drawn
from .photos import hexes_in_photo
from .table_view import angle_to, show_subject
from .tiles import LEVELS, BoardPicture


def answer_board(table: StandingTable, request: BoardRequest) -> BoardShown:
    """Return the board of a table."""
    view = _view(table)
    board = view.board
    picture = _picture(table, view, request.also, request.photo)
    field = picture.field
    is_drawn = any(fact.source is Source.DRAWN for fact in board.facts.known)
    hexes = [(name, round(x, 1), round(y, 1)) for name, (x, y) in field.centres.items()]
    has_field = request.have == field.key
    return BoardShown(
        board=board.name,
        title=board.title,
        known="drawn from geography, not the printed map" if is_drawn else "",
        blank=not board.name,
        flat=field.flat,
        size=field.whole,
        hex=HEX,
        counter=COUNTER,
        field=field.key,
        hexes=() if has_field else tuple(hexes),
        places=() if has_field else picture.places,
        levels=tuple(_list_levels(picture)),
        markers=tuple(MarkerShown(hex=at, svg=svg) for at, svg in draw_markers(view)),
        unseen=tuple(at for at in view.unseen if board.shows(at)),
        boards=() if board.name else tuple(_list_drawn_boards(view.game)),
    )


def _list_levels(picture: BoardPicture) -> Iterator[LevelShown]:
    """Yield the sizes in which a board is drawn, each with its tiles."""
    for number, (level, tiles) in enumerate(zip(LEVELS, picture.tiles, strict=True)):
        width, height = picture.field.size(number)
        placed = tuple((column, row, key) for (column, row), key in tiles.items())
        yield LevelShown(least=level.least, width=width, height=height, bleed=level.bleed, tiles=placed)


def _list_drawn_boards(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the drawn boards of a game that have the numbers of the printed map, each with its title."""
    for board in map(game.board, game.board_names):
        if game.has_printed_numbers(board):
            yield board.name, board.title


def answer_tile(table: StandingTable, request: TileRequest) -> TileShown:
    """Return a tile of the board. Raises InputError where it has none."""
    picture = _picture(table, _view(table), request.also, request.photo)
    tile = picture.draw(request.level, request.column, request.row)
    if tile is None:
        raise InputError("the board has no such tile")
    return TileShown(
        key=picture.tiles[request.level][request.column, request.row], ground=tile.ground, names=tile.names
    )


def answer_counter(table: StandingTable, request: CounterRequest) -> Drawn:
    """Return the counter of a unit as it lies on the table."""
    return Drawn(svg=draw_counter(_view(table), request.unit))


def answer_stack(table: StandingTable, request: StackRequest) -> Drawn:
    """Return the counters in a hex as they lie there; with what lies around it, in a box of three hexes by three,
    unnamed, for the page writes in each hex.
    """
    view = _view(table)
    at = view.board.place(request.hex)
    if not request.around or view.board.is_of_areas:
        return Drawn(svg=draw_stack_at(view, at))
    picture = _picture(table, view, (at,))
    x, y = picture.field.centre(at)
    wide = 2.5 * RADIUS
    high = 1.5 * HEX
    if not picture.field.flat:
        wide, high = high, wide
    box = PageBox(x - wide, y - high, x + wide, y + high)
    survey, drawn = picture.draw_box(box, named=False)
    hexes = [at, *view.board.neighbours(at)]
    x, y = survey.layout.centre(at)
    bare_x, bare_y = Layout(view.board, hexes).centre(at)
    layers = (*drawn.all, *counter_layers(view, Layout(view.board, hexes, (x - bare_x, y - bare_y))))
    return Drawn(svg=to_svg(Scene(width=2 * wide, height=2 * high, title="", layers=layers)))


def answer_on_map(table: StandingTable, request: OnMapRequest) -> AnswerOnMap:
    """Return the answer to a question with its picture as it lies on the board."""
    asked = table.ask(request.question, request.parameters, {})
    answer = show_answer(asked.position, asked.report)
    drawn = over_map(asked.position, asked.report) if "picture" in answer.drawn else None
    if drawn is None:
        return AnswerOnMap(answer=answer)
    layout = drawn.layout
    field = _picture(table, _view(table), ()).field
    x, y = field.centre(layout.names[0])
    map_x, map_y = layout.centre(layout.names[0])
    centres = [layout.centre(name) for name in layout.names]
    width = max(x for x, _ in centres) + HEX
    height = max(y for _, y in centres) + HEX

    def svg(layers: tuple[Layer, ...]) -> str:
        return to_svg(Scene(width=width / drawn.unit, height=height / drawn.unit, title="", layers=layers))

    box = (x - map_x, y - map_y, width, height)
    return AnswerOnMap(answer=answer, below=svg(drawn.below), above=svg(drawn.above), box=box, hexes=drawn.hexes)


def _view(table: StandingTable) -> View:
    return View(table.game, table.position.state)


def _picture(table: StandingTable, view: View, also: tuple[str, ...], photo: str = "") -> BoardPicture:
    """Return the picture of a table's board. also: hexes that matter besides those where something is stated; photo:
    one of the printed map whose hexes matter too.
    """
    board = view.board
    position = table.position
    places = [unit.place for unit in position.state.units.values() if unit.place]
    places += view.unseen
    for _, subject in (*view.stated, *board.facts.over):
        places += subject.split("|")
    for line in position.state.lines.values():
        places += line
    targets, attackers = combat_hexes(position, position.asks[0] if position.asks else None)
    places += [*targets, *attackers, *also]
    if photo and not board.name:
        places += hexes_in_photo(table, photo)
    return table.pictures.of(view, {board.place(name) for name in places if board.has(name)})


def answer_hex(table: StandingTable, request: HexRequest) -> HexShown:
    """Return what is known of a hex. Raises InputError for what is not a hex."""
    view = _view(table)
    at = view.board.place(request.hex)
    reader = SurveyReader(view)
    stack = view.state.stack(at)
    zones, asked = _find_zones(table, view, at)
    picture = view.game.file.picture
    around = view.board.neighbours(at) if view.board.is_hex(at) else ()
    nation = reader.unseen_nation(at)
    return HexShown(
        hex=at,
        name=name_of_hex(view, at),
        side=next((view.side_of(unit.id) for unit in view.stack(at)), ""),
        units=tuple(unit.id for unit in stack),
        unseen="" if nation is None else view.title_of(nation) or "unknown",
        zones=tuple(zones),
        zones_owed=asked,
        ground=show_subject(view, at, "hex", picture.terrain),
        sides=tuple(
            SideOfHex(
                hex=other,
                angle=angle_to(view.board, at, other),
                known=show_subject(view, hexside(at, other), "hexside", picture.barrier),
            )
            for other in around
        ),
    )


def _find_zones(table: StandingTable, view: View, at: str) -> tuple[list[ZoneOfHex], str]:
    """Return whose zones of control reach a hex, by the question of the game that tells it; and why that cannot be
    told, "" if it can.
    """
    name = next((name for name, question in questions_of(view.game).items() if question.result is Zones), "")
    if not name or not view.state.units:
        return [], ""
    try:
        report = table.ask(name, {"at": at}, {}).report
    except InputError as error:
        return [], error.what
    if report.drawable is None:
        return [], "; ".join(dict.fromkeys(ask.title for ask in report.asks)) or report.verdict.text
    exerting = (zone for zone in report.shown.hexes if zone.exerting)
    return [ZoneOfHex(side=zone.side, title=view.title_of(zone.side), of=zone.exerting) for zone in exerting], ""
