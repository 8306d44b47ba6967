"""The responses to requests of the page, in a browser as well as over HTTP."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from ...asking.recent_answers import keeping_answers
from ...game.examples import has_examples
from ...game.games import Game
from ...installed.registry import installed_games, make_game_loader, named_game
from ...service import chart, picture
from ...util.background import NotYet
from ...util.datafiles import read_text
from ...util.errors import InputError, word_loading_error, word_machine_error
from .board import (
    answer_board,
    answer_counter,
    answer_hex,
    answer_on_map,
    answer_reach,
    answer_stack,
    answer_stacks,
    answer_tile,
)
from .books import show_account
from .carrying import answer_carry, answer_danger
from .desk import StandingTable
from .links import open_link, share_table
from .messages.passages import PassagesCounted
from .messages.requests import (
    AccountRequest,
    AnyRequest,
    AroundRequest,
    AskRequest,
    BeginFromRequest,
    BeginRequest,
    BoardRequest,
    CarryRequest,
    ChartCellsRequest,
    CounterFormRequest,
    CounterListRequest,
    CounterRequest,
    CountPassagesRequest,
    DangerRequest,
    DeletePhotoRequest,
    DeleteRequest,
    DrawRequest,
    EnterRequest,
    FitPhotoRequest,
    GetPhotoRequest,
    GiveSaveRequest,
    GroundRequest,
    HexRequest,
    LessonRequest,
    ListGamesRequest,
    ListLessonsRequest,
    ListPhotosRequest,
    ListPromptRequest,
    ListTableRequest,
    LuckRequest,
    MeaningRequest,
    MeasurePictureRequest,
    OnMapRequest,
    OpenLinkRequest,
    OpenPromptRequest,
    PackInRequest,
    PackOutRequest,
    PaintRequest,
    PassageRequest,
    PhaseRequest,
    PictureGameRequest,
    PutPhotoRequest,
    ReachRequest,
    Reading,
    ReadSaveRequest,
    ReadTableRequest,
    RenameRequest,
    RestoreRequest,
    SearchRequest,
    ShareRequest,
    ShowTableRequest,
    StackRequest,
    StacksRequest,
    TileRequest,
    WordsRequest,
    WriteCellsRequest,
    WriteCounterRequest,
)
from .messages.table import Drawn, Refused
from .messages.words import GameListed, GamePictured, GamesListed, StartListed
from .pack import (
    give_pack,
    keep_cells,
    keep_counter,
    list_counters,
    show_chart,
    show_counter,
    show_pasted_table,
    take_pack,
)
from .painting import paint_stroke, restore_stroke, show_ground
from .phases import find_phase
from .photos import answer_photos
from .prompt_tables import describe_prompt, list_prompts, open_prompt
from .table_sketch import sketch_game
from .table_view import show_answer, show_around, show_error
from .tables import OpenTables, check_title, describe_table
from .vassal import begin_from_file, describe_file, give_save
from .words import search_words, title_of_setup, word_meaning, words_of_game

MAX_REQUEST_BYTES = 1_000_000
"""The maximum number of bytes of a request over a network."""
_MAX_LOCAL_REQUEST_BYTES = 24_000_000
"""The maximum number of bytes of a request within a browser: the largest file of VASSAL in base64."""
_decoder: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)


def respond(tables: OpenTables, request: bytes) -> bytes:
    """Return the response to a request within a browser, both as JSON; every error becomes a `Refused`."""
    return reply(tables, read_request(request, _MAX_LOCAL_REQUEST_BYTES))


def read_request(request: bytes, max_bytes: int = MAX_REQUEST_BYTES) -> AnyRequest | Refused:
    """Return a decoded request, or the refusal of one that cannot be read."""
    if len(request) > max_bytes:
        return Refused(what="the request is too long", hint=f"at most {max_bytes} bytes")
    try:
        return _decoder.decode(request)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Refused(what=f"this is not a request of the page: {str(error)[:200]}")
    except InputError as error:
        return show_error(error)


def reply(tables: OpenTables, request: AnyRequest | Refused) -> bytes:
    """Return the response to a request as JSON; every error becomes a `Refused`."""
    return reply_safely(request, lambda: _answer_request(tables, request))


def reply_safely(request: AnyRequest | Refused, answer: Callable[[], msgspec.Struct]) -> bytes:
    """Return the result of a function as JSON, or the error that it raises.

    `request`: the request, for the log.
    """
    try:
        return msgspec.json.encode(answer())
    except Exception as error:
        return msgspec.json.encode(show_error(failure_of(error, type(request).__name__)))


def failure_of(error: Exception, doing: str) -> InputError:
    """Return the error to show for a failure.

    An error of the program is shown too, so that waiting requests continue. Its traceback is logged.

    `doing`: the failed work, for the log.
    """
    match error:
        case InputError():
            return error
        case MemoryError() | OSError():
            return word_machine_error(error)
        case ImportError():
            return word_loading_error(error)
        case NotYet():
            return InputError("the table changed while this was worked out; enter it again")
    logging.getLogger(__name__).error("%s failed", doing, exc_info=error)
    hint = "the terminal of the server, or the console of the browser, says where"
    return InputError("the program failed at this", hint=hint)


def _answer_request(tables: OpenTables, request: AnyRequest | Refused) -> msgspec.Struct:
    if isinstance(request, Reading):
        return answer_reading(tables.desk(request.table).standing_at(request), request)
    match request:
        case Refused():
            return request
        case ListGamesRequest():
            return _list_games(tables)
        case DeleteRequest(table=name):
            tables.delete(name)
            return _list_games(tables)
        case BeginRequest(table=name, game=game, position=position, title=title):
            check_title(title)  # checked before the table is made
            desk = tables.begin(name, game, position)
            tables.rename(name, title)
            return desk.show()
        case RenameRequest(table=name, title=title):
            tables.rename(name, title)
            return describe_table(tables, name)
        case ListTableRequest(table=name):
            return describe_table(tables, name)
        case ShowTableRequest(table=name):
            return tables.desk(name).show()
        case EnterRequest(table=name):
            return tables.desk(name).enter(request)
        case AccountRequest(table=name):
            return show_account(tables.desk(name).books.journal, request)
        case CountPassagesRequest(table=name):
            return PassagesCounted(count=tables.desk(name).count_passages(request))
        case WordsRequest(game=game, known=known):
            return words_of_game(tables.game(game), known)
        case ListLessonsRequest(game=game):
            from .lessons import list_chapters  # loaded late: a page that teaches nothing starts without it

            return list_chapters(_load_published(tables, game))
        case LessonRequest(game=game, number=number):
            from .lessons import show_lesson  # loaded late, as above

            return show_lesson(_load_published(tables, game), number)
        case OpenLinkRequest():
            return open_link(tables, request)
        case LuckRequest(table=name):
            from .luck import show_luck  # loaded late, as above

            return show_luck(tables.desk(name).books.journal, request)
        case ListPromptRequest(game=game):
            return describe_prompt(tables, game)
        case PictureGameRequest(game=game):
            return GamePictured(sketch=sketch_game(_load_published(tables, game)))
        case OpenPromptRequest(game=game):
            return open_prompt(tables, game)
        case ReadSaveRequest() | BeginFromRequest() | GiveSaveRequest():
            return _answer_about_file(tables, request)
        case WriteCellsRequest(table=name):
            doubts = keep_cells(tables.desk(name).game, request.chart, request.cells, request.ends)
            return show_chart(tables.desk(name).game, request.chart, request.ends, doubts)
        case WriteCounterRequest(table=name, unit=unit, values=values):
            keep_counter(tables.desk(name).game, unit, values)
            return show_counter(tables.desk(name).game, unit)
        case PackOutRequest(table=name):
            return give_pack(tables.desk(name).game)
        case PackInRequest(table=name, data=data):
            return take_pack(tables.desk(name).game, data)
        case (
            ListPhotosRequest()
            | MeasurePictureRequest()
            | PutPhotoRequest()
            | GetPhotoRequest()
            | DeletePhotoRequest()
            | FitPhotoRequest()
        ):
            return answer_photos(tables.desk(request.table).standing, request)
        case GroundRequest(table=name):
            return show_ground(tables.desk(name))
        case PaintRequest(table=name):
            return paint_stroke(tables.desk(name), request)
        case RestoreRequest(table=name):
            return restore_stroke(tables.desk(name), request)
    raise InputError(f"this host does not answer {type(request).__name__}")


def answer_reading(table: StandingTable, request: Reading) -> msgspec.Struct:
    """Return the answer to a request that only reads a table.

    Raises InputError if the request cannot be answered.
    """
    with keeping_answers(table.recent):
        return _answer_reading(table, request)


def _answer_reading(table: StandingTable, request: Reading) -> msgspec.Struct:
    match request:
        case AskRequest():
            answer = table.ask(request.question, request.parameters, request.answers)
            return show_answer(answer.position, answer.report)
        case PhaseRequest():
            return find_phase(table, request)
        case DrawRequest():
            return _draw_answer(table, request)
        case OnMapRequest():
            return answer_on_map(table, request)
        case CounterRequest():
            return answer_counter(table, request)
        case MeaningRequest():
            return word_meaning(table.position, request)
        case SearchRequest(typed=typed):
            return search_words(table.game, typed)
        case HexRequest():
            return answer_hex(table, request)
        case ReachRequest():
            return answer_reach(table, request)
        case CarryRequest():
            return answer_carry(table, request)
        case DangerRequest():
            return answer_danger(table, request)
        case AroundRequest(hex=place):
            return show_around(table.position, place)
        case BoardRequest():
            return answer_board(table, request)
        case TileRequest():
            return answer_tile(table, request)
        case StackRequest():
            return answer_stack(table, request)
        case StacksRequest():
            return answer_stacks(table, request)
        case PassageRequest():
            from .passage_view import show_passage  # loaded late: few tables are stepped through

            return show_passage(table)
        case ChartCellsRequest(chart=name, ends=ends):
            return show_chart(table.game, name, ends)
        case ReadTableRequest(chart=name, text=text, ends=ends):
            return show_pasted_table(table.game, name, text, ends)
        case CounterListRequest():
            return list_counters(table.game)
        case CounterFormRequest(unit=unit):
            return show_counter(table.game, unit)
        case ShareRequest():
            return share_table(table, request)


def _list_games(tables: OpenTables) -> GamesListed:
    games = tuple(map(_list_game, sorted(installed_games())))
    return GamesListed(games=games, tables=tuple(tables.names()), prompts=list_prompts())


def _load_published(tables: OpenTables, id: str) -> Game:
    """Return a game without its owner's pack.

    `id`: the id of the game, never a folder, as the request may come from another machine.
    """
    return make_game_loader(tables.game(id), pack="none")(id)


def _list_game(id: str) -> GameListed:
    game = named_game(id)
    start = game.file.start
    without_start = GameListed(id=id, title=game.title, has_lessons=has_examples(game))
    if start is None:
        return without_start
    try:
        file, called, _ = game.set_up(start.setup)
        text = read_text(file, called)
    except InputError:  # in this case the page begins with the list of games
        return without_start
    position = "\n".join([text, *(f"trust {kind}" for kind in start.trusts)])
    title = title_of_setup(game, start.setup)
    listed = StartListed(title=title, position=position, shows=start.shows, says=start.says)
    return replace(without_start, start=listed)


def _answer_about_file(
    tables: OpenTables, request: ReadSaveRequest | BeginFromRequest | GiveSaveRequest
) -> msgspec.Struct:
    match request:
        case ReadSaveRequest():
            return describe_file(tables, request)
        case BeginFromRequest():
            return begin_from_file(tables, request)
        case GiveSaveRequest(table=name):
            return give_save(tables.desk(name))


def _draw_answer(table: StandingTable, request: DrawRequest) -> Drawn:
    answer = table.ask(request.question, request.parameters, request.answers) if request.question else table.answer
    if answer is None:
        raise InputError("no question is open", hint="ask one, and then draw its answer")
    draw = picture if request.what == "picture" else chart
    return Drawn(svg=draw(answer.position, answer.report, ".svg").decode())
