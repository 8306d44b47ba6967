"""The board as the page shows it: tiles and counters, the facts of a hex, and the hexes that units can reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ...asking.parameters import list_form_fields
from ...asking.placeholders import Placeholder, merge_placeholders
from ...asking.view import View
from ...drawing.counters import draw_stack, face_of_unit, unseen_face
from ...drawing.geometry import PageBox
from ...drawing.layout import Layout
from ...drawing.map.survey import SurveyReader
from ...drawing.scene import Layer, Scene, Shape
from ...drawing.situation import LABEL_HEIGHT_MM, NAME_HEIGHT_MM, counters_of, marker_layer, named_places
from ...drawing.style import COUNTER_MM, HEX_MM, RADIUS
from ...drawing.svg import to_svg
from ...drawing.symbols import Symbols
from ...game.boards import Board
from ...game.games import Game
from ...installed.registry import question_of, questions_of
from ...rules.field.movement import Reach
from ...rules.zones import Zones
from ...service import over_map
from ...state.points import format_points
from ...state.state import hexside
from ...state.tracks import Source
from ...util.errors import InputError, MachineError
from ..prompt.combats import combat_hexes
from ..prompt.surroundings import name_of_hex
from .desk import StandingTable
from .messages.board import (
    AnswerOnMap,
    BoardShown,
    HexShown,
    LevelShown,
    MarkerShown,
    ReachedHex,
    ReachShown,
    SideOfHex,
    StackShown,
    StacksShown,
    TileShown,
    ZoneOfHex,
)
from .messages.requests import (
    BoardRequest,
    CounterRequest,
    HexRequest,
    OnMapRequest,
    ReachRequest,
    StackRequest,
    StacksRequest,
    TileRequest,
)
from .messages.table import Drawn
from .photos import hexes_in_photo
from .table_view import angle_to, reach_question, show_answer, show_subject, show_trusted
from .tiles import LEVELS, BoardPicture

_COUNTER_MARGIN_MM = 0.5
"""The width of the margin around a counter, for its outline and shadow."""


def answer_board(table: StandingTable, request: BoardRequest) -> BoardShown:
    """Return the board of a table."""
    view = _make_view(table)
    board = view.board
    picture = _find_picture(table, view, request.also, request.photo)
    field = picture.field
    is_drawn = any(fact.source is Source.DRAWN for fact in board.facts.known)
    is_known = request.have == field.key
    return BoardShown(
        board=board.name,
        title=board.title,
        known="drawn from geography, not the printed map" if is_drawn else "",
        blank=not board.name,
        flat=field.flat,
        size=field.whole,
        hex=HEX_MM,
        counter=COUNTER_MM,
        field=field.key,
        hexes=() if is_known else field.rounded_centres,
        places=() if is_known else picture.places,
        levels=tuple(_list_levels(picture)),
        markers=tuple(MarkerShown(hex=at, svg=svg) for at, svg in _draw_markers(view)),
        unseen=tuple(at for at in view.unseen if board.shows(at)),
        boards=() if board.name else tuple(_list_drawn_boards(view.game)),
    )


def _list_levels(picture: BoardPicture) -> Iterator[LevelShown]:
    for number, (level, tiles) in enumerate(zip(LEVELS, picture.tiles, strict=True)):
        width, height = picture.field.size(number)
        placed = tuple((column, row, key) for (column, row), key in tiles.items())
        yield LevelShown(least=level.least, width=width, height=height, bleed=level.bleed, tiles=placed)


def _draw_markers(view: View) -> Iterator[tuple[str, str]]:
    shown = view.game.file.picture.markers
    reader = SurveyReader(view)
    symbols = Symbols(view.game)
    for place in dict.fromkeys(at for name, at in view.stated if name in shown and view.board.shows(at)):
        layout = _lay_out_hex(view.board, place)
        _, boxes, _ = counters_of(layout, reader, symbols, (), {})
        if markers := marker_layer(layout, reader, symbols, (), boxes).shapes:
            yield place, _write_counters(layout.width, layout.height, "", *markers)


def _list_drawn_boards(game: Game) -> Iterator[tuple[str, str]]:
    for board in map(game.board, game.board_names):
        if game.has_printed_numbers(board):
            yield board.name, board.title


def answer_tile(table: StandingTable, request: TileRequest) -> TileShown:
    """Return a tile of the board.

    Raises InputError if the board has no such tile.
    """
    picture = _find_picture(table, _make_view(table), request.also, request.photo)
    tile = picture.draw(request.level, request.column, request.row)
    if tile is None:
        raise InputError("the board has no such tile")
    return TileShown(
        key=picture.tiles[request.level][request.column, request.row], ground=tile.ground, names=tile.names
    )


def answer_on_map(table: StandingTable, request: OnMapRequest) -> AnswerOnMap:
    """Return the answer to a question, with its picture on the board if it has one."""
    asked = table.ask(request.question, request.parameters, request.answers)
    answer = show_answer(asked.position, asked.report)
    drawn = over_map(asked.position, asked.report) if "picture" in answer.drawn else None
    if drawn is None:
        return AnswerOnMap(answer=answer)
    layout = drawn.layout
    field = _find_picture(table, _make_view(table), ()).field
    x, y = field.centre(layout.names[0])
    map_x, map_y = layout.centre(layout.names[0])
    centres = [layout.centre(name) for name in layout.names]
    width = max(x for x, _ in centres) + HEX_MM
    height = max(y for _, y in centres) + HEX_MM

    def svg(layers: tuple[Layer, ...]) -> str:
        return to_svg(Scene(width=width / drawn.unit, height=height / drawn.unit, title="", layers=layers))

    box = (x - map_x, y - map_y, width, height)
    return AnswerOnMap(answer=answer, below=svg(drawn.below), above=svg(drawn.above), box=box, hexes=drawn.hexes)


def _make_view(table: StandingTable) -> View:
    return View(table.game, table.position.state)


def _find_picture(table: StandingTable, view: View, also: tuple[str, ...], photo: str = "") -> BoardPicture:
    """Return the picture of a table's board.

    `also`: further hexes that the picture must show.
    `photo`: a photo of the printed map, whose hexes the picture must show too, or "".
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
    """Return the known facts of a hex.

    Raises InputError if the map has no such hex.
    """
    view = _make_view(table)
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
    """Return the sides whose zones of control reach a hex, and the reason if they are unknown, or ""."""
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


def answer_reach(table: StandingTable, request: ReachRequest) -> ReachShown:
    """Return the hexes that all named units can reach, or none if the game has no question about it.

    If one of the units may not move, or facts about it are missing, the answer for that unit is added.

    Raises InputError if no unit is named, or one is not on the map.
    """
    if not request.units:
        raise InputError("no unit is named", hint="choose the units that march")
    name = reach_question(table.game)
    if not name:
        return ReachShown(hexes=())
    parameter = list_form_fields(question_of(table.game, name), table.game)[0]
    asked = [",".join(request.units)] if parameter.many else request.units
    reaches = list[Reach]()
    says = list[str]()
    rests_on = tuple[Placeholder, ...]()
    owing = None
    for units in asked:
        answer = table.ask(name, {parameter.name: units}, {})
        report = answer.report
        if report.result is None or report.verdict.kind == "no":
            return ReachShown(hexes=(), answer=show_answer(answer.position, report))
        reaches.append(report.result)
        says += report.answers_on(())
        if report.mark:
            rests_on = merge_placeholders(rests_on, report.rests_on)
        if report.asks and owing is None:
            owing = show_answer(answer.position, report)
    # if a hex is barred for several reasons, the first reason of the last unit is shown
    barred = {option.hex: option.barred for reach in reaches for option in reversed(reach.barred)}
    return ReachShown(
        hexes=tuple(_intersect_hexes(reaches)),
        barred=tuple(barred.items()),
        says=tuple(says),
        rests_on=show_trusted(table.position, rests_on),
        answer=owing,
    )


def _intersect_hexes(reaches: Sequence[Reach]) -> Iterable[ReachedHex]:
    """Yield the hexes that all units reach, each with the way and points of the unit with the fewest points left."""
    reached = [{place.hex: place for place in reach.hexes} for reach in reaches]
    for at in reached[0]:
        if all(at in places for places in reached):
            place = min((places[at] for places in reached), key=lambda place: (place.left, -place.beyond))
            beyond = format_points(place.beyond) if place.beyond else ""
            yield ReachedHex(hex=at, left=format_points(place.left), beyond=beyond, way=place.way)


def answer_counter(table: StandingTable, request: CounterRequest) -> Drawn:
    """Return the counter of a unit on the table.

    Raises InputError if there is no such unit.
    """
    view = _make_view(table)
    unit = view.unit(request.unit)
    reader = SurveyReader(view)
    unseen = next((at for at, stand_in in view.unseen.items() if stand_in.id == unit.id), None)
    if unseen is None:
        shown = face_of_unit(unit, reader)
    else:
        shown = unseen_face(reader.unseen_nation(unseen) or "", reader.palette)
    end = _COUNTER_MARGIN_MM + COUNTER_MM
    groups, _ = draw_stack([shown], PageBox(_COUNTER_MARGIN_MM, _COUNTER_MARGIN_MM, end, end), Symbols(view.game))
    side = COUNTER_MM + 2 * _COUNTER_MARGIN_MM
    return Drawn(svg=_write_counters(side, side, shown.title, *groups))


def answer_stack(table: StandingTable, request: StackRequest) -> Drawn:
    """Return a picture of the counters in a hex as they lie there.

    On request it also shows the ground, and the counters and markers of the adjacent hexes, in a box of three by three
    hexes. Names are left out, because the page writes its own text in each hex. On a board of areas the request has no
    effect.
    """
    view = _make_view(table)
    at = view.board.place(request.hex)
    if not request.around or view.board.is_of_areas:
        return Drawn(svg=_draw_stack(view, at, SurveyReader(view), Symbols(view.game), _find_named_hexes(view)))
    picture = _find_picture(table, view, (at,))
    x, y = picture.field.centre(at)
    wide = 2.5 * RADIUS
    high = 1.5 * HEX_MM
    if not picture.field.flat:
        wide, high = high, wide
    box = PageBox(x - wide, y - high, x + wide, y + high)
    survey, drawn = picture.draw_box(box, named=False)
    hexes = [at, *view.board.neighbours(at)]
    x, y = survey.layout.centre(at)
    bare_x, bare_y = Layout(view.board, hexes).centre(at)
    layers = (*drawn.all, *_lay_counters(view, Layout(view.board, hexes, (x - bare_x, y - bare_y))))
    return Drawn(svg=to_svg(Scene(width=2 * wide, height=2 * high, title="", layers=layers)))


def answer_stacks(table: StandingTable, request: StacksRequest) -> StacksShown:
    """Return a picture of the counters in each of several hexes, as `answer_stack` draws one."""
    view = _make_view(table)
    reader = SurveyReader(view)
    symbols = Symbols(view.game)
    named = _find_named_hexes(view)

    def draw(place: str) -> str:
        try:
            return _draw_stack(view, view.board.place(place), reader, symbols, named)
        except MachineError:
            raise
        except InputError:
            return ""

    return StacksShown(stacks=tuple(StackShown(hex=place, svg=draw(place)) for place in request.hexes))


def _find_named_hexes(view: View) -> set[str]:
    return {place.hex for place in named_places(view)}


def _draw_stack(view: View, place: str, reader: SurveyReader, symbols: Symbols, named: Collection[str]) -> str:
    """Return the counters of a hex, which leave room for its name if it is one of the hexes with names."""
    layout = _lay_out_hex(view.board, place)
    room = {place: NAME_HEIGHT_MM} if place in named and not view.board.is_of_areas else {}
    counters, _, faces = counters_of(layout, reader, symbols, (), room)
    if not counters.shapes:
        raise InputError(f"no unit stands in {place}")
    title = f"{place}: {'; '.join(shown.title for shown in faces[place])}"
    return _write_counters(layout.width, layout.height, title, *counters.shapes)


def _lay_counters(view: View, layout: Layout) -> tuple[Layer, Layer]:
    reader = SurveyReader(view)
    symbols = Symbols(view.game)
    counters, boxes, _ = counters_of(layout, reader, symbols, (), dict.fromkeys(layout.names, LABEL_HEIGHT_MM))
    return counters, marker_layer(layout, reader, symbols, (), boxes)


def _lay_out_hex(board: Board, place: str) -> Layout:
    if not board.shows(place):
        raise InputError(f"{place} is not a hex of the map")
    return Layout(board, [place])


def _write_counters(width: float, height: float, title: str, *shapes: Shape) -> str:
    return to_svg(Scene(width=width, height=height, title=title, layers=(Layer("counters", shapes),)))
