"""The requests of the page."""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated, Literal

import msgspec

from ....game.photos import Tap
from ....util.errors import InputError
from ....util.notes import note

MAX_STACK_HEXES = 100
"""The maximum number of hexes in one request for stacks."""
MAX_CARRY_HEXES = 100
"""The maximum number of hexes in one request about carried units."""


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """A request of the page; `do` is its kind."""


class AtTable(Request, frozen=True, kw_only=True):
    """A request about a table."""

    table: Annotated[str, note("the name of the table: letters, figures, hyphens")]


class AtPassage(AtTable, frozen=True, kw_only=True):
    """A request about a table as it is now, or as it was after one of its passages."""

    passage: Annotated[int | None, note("the number of the passage, 0 for the start; null for the table now")] = None
    log: Annotated[bool, note("whether the passage is one of the log with which the table began")] = False
    earlier: Annotated[bool, note("whether it is one of the changes since the earlier table of `begin-from`")] = False


def decoded(data: str) -> bytes:
    """Return the bytes of a file in a request.

    Raises InputError if the text is not base64.
    """
    try:
        return b64decode(data, validate=True)
    except ValueError:
        raise InputError("the file did not arrive whole", hint="choose it again") from None


class ListGamesRequest(Request, frozen=True, tag="games"):
    """Request for the installed games and the tables."""


class WordsRequest(Request, frozen=True, kw_only=True, tag="words"):
    """Request for the words of a game, from which the page draws its buttons and forms."""

    game: str
    known: Annotated[
        str, note("the mark of the words that the page has stored; answered by `SameWords` if they hold")
    ] = ""


class ListLessonsRequest(Request, frozen=True, kw_only=True, tag="lessons"):
    """Request for the lessons of a game."""

    game: str


class LessonRequest(Request, frozen=True, kw_only=True, tag="lesson"):
    """Request for a lesson."""

    game: str
    number: Annotated[str, note("the number of its example, such as 11.4/1")]


class BeginRequest(AtTable, frozen=True, kw_only=True, tag="begin"):
    """Request to begin a table of a game, empty or with a position."""

    game: str
    position: Annotated[str, note("the position with which it begins, in notation")] = ""
    title: Annotated[str, note("the title")] = ""


class DeleteRequest(AtTable, frozen=True, kw_only=True, tag="delete"):
    """Request to delete a table with its journal; answered with the remaining tables."""


class ListTableRequest(AtTable, frozen=True, kw_only=True, tag="about"):
    """Request for the entry of a table in a list of tables."""


class RenameRequest(AtTable, frozen=True, kw_only=True, tag="rename"):
    """Request to change a table's title; answered with its new entry in a list."""

    title: Annotated[str, note("the title in one line; empty removes it")]


class ShowTableRequest(AtTable, frozen=True, kw_only=True, tag="look"):
    """Request for the table."""


class EnterRequest(AtTable, frozen=True, kw_only=True, tag="enter"):
    """A line as typed at the table prompt, which counts once even if its tap is sent again."""

    line: str
    tap: Annotated[str, note("the mark of the tap: any word that no other tap has")] = ""
    sure: Annotated[bool, note("whether the question that the line may ask first is answered with yes")] = False


class AccountRequest(AtTable, frozen=True, kw_only=True, tag="account"):
    """Request for an account of the table's journal, with its postings."""

    account: Annotated[str, note("the track of the account")]
    who: Annotated[str, note("the nation or side, or empty for the game")] = ""


class AskRequest(AtTable, frozen=True, kw_only=True, tag="ask"):
    """A question, which changes nothing at the table."""

    question: str
    parameters: dict[str, str] = {}
    answers: Annotated[dict[str, str], note("dice and choices by their names")] = {}


class PhaseRequest(AtTable, frozen=True, kw_only=True, tag="phase-for"):
    """Request for the next phase in which a refused combat would be allowed."""

    question: str
    parameters: dict[str, str] = {}


class DrawRequest(AtTable, frozen=True, kw_only=True, tag="draw"):
    """Request for the picture of the answer to the open question, or to another one, as SVG."""

    what: Literal["picture", "chart"] = "picture"
    question: str = ""
    parameters: dict[str, str] = {}
    answers: dict[str, str] = {}


class OnMapRequest(AtTable, frozen=True, kw_only=True, tag="on-map"):
    """Request for the answer to a question with its picture, to be drawn over the board."""

    question: str
    parameters: dict[str, str] = {}
    answers: dict[str, str] = {}


class CounterRequest(AtTable, frozen=True, kw_only=True, tag="counter"):
    """Request for the counter of a unit on the table, as SVG."""

    unit: str


class MeaningRequest(AtTable, frozen=True, kw_only=True, tag="meaning"):
    """Request for the meaning of a word, a unit or a rule number, in the lines of `help WORD`."""

    word: str
    computed: Annotated[
        bool,
        note("whether the answer names the questions that carry a rule out; this reads all code of the game"),
    ] = False


class SearchRequest(AtTable, frozen=True, kw_only=True, tag="search"):
    """Request for the questions, rules and words that fit what a player typed."""

    typed: str


class HexRequest(AtTable, frozen=True, kw_only=True, tag="hex"):
    """Request for the facts of a hex, each with its source."""

    hex: str


class ReachRequest(AtTable, frozen=True, kw_only=True, tag="reach"):
    """Request for the hexes that units can reach together, with the cheapest ways."""

    units: tuple[str, ...]


class CarryRequest(AtTable, frozen=True, kw_only=True, tag="carry"):
    """Request for what would hold in hexes if units stood there: the stacking limits, and their supply."""

    units: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    hexes: Annotated[tuple[str, ...], note("at most 100 hexes"), msgspec.Meta(max_length=MAX_CARRY_HEXES)]


class DangerRequest(AtTable, frozen=True, kw_only=True, tag="danger"):
    """Request for the worst attack that the enemy can bring next on a hex if units stood there."""

    units: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    hex: str


class AroundRequest(AtTable, frozen=True, kw_only=True, tag="around"):
    """Request for a hex that may be attacked, with its neighbours."""

    hex: str


class BoardRequest(AtPassage, frozen=True, kw_only=True, tag="board"):
    """Request for the centres and the size of the board's hexes; without a board, of the hexes that matter."""

    also: Annotated[tuple[str, ...], note("further hexes that matter")] = ()
    have: Annotated[str, note("the key of the hexes that the page has; these are not sent again")] = ""
    photo: Annotated[str, note("a photo whose hexes matter too if no board is drawn")] = ""


class TileRequest(AtPassage, frozen=True, kw_only=True, tag="tile"):
    """Request for a part of the board as SVG, without units."""

    level: int
    """The zoom level, from 0, the nearest."""
    column: int
    row: int
    also: tuple[str, ...] = ()
    photo: str = ""


class StackRequest(AtTable, frozen=True, kw_only=True, tag="stack"):
    """Request for the counters in a hex as they lie there, as SVG, with one counter for unseen units."""

    hex: str
    around: Annotated[
        bool, note("whether the picture has the hex's ground and markers, and the six hexes around it")
    ] = False


class StacksRequest(AtPassage, frozen=True, kw_only=True, tag="stacks"):
    """Request for the counters in several hexes, each as in the response to a `stack` request."""

    hexes: Annotated[tuple[str, ...], note("at most 100 hexes"), msgspec.Meta(max_length=MAX_STACK_HEXES)]


class PassageRequest(AtPassage, frozen=True, kw_only=True, tag="passage"):
    """Request for what a passage has changed at the table, in words and for the map."""


class CountPassagesRequest(AtTable, frozen=True, kw_only=True, tag="passages"):
    """Request for the number of passages that the table's viewpoint has seen."""

    log: Annotated[bool, note("whether those of the log with which the table began are counted")] = False
    earlier: Annotated[bool, note("whether the changes since the earlier table of `begin-from` are counted")] = False


class ChartCellsRequest(AtTable, frozen=True, kw_only=True, tag="chart"):
    """Request for a chart as it is printed, with the known values."""

    chart: str
    ends: Annotated[
        dict[str, tuple[str, str]],
        note("the first and last row or column by the name of its key, where only the owner knows them"),
    ] = {}


class ReadTableRequest(AtTable, frozen=True, kw_only=True, tag="paste"):
    """Request for the ways to read a text as a table of a chart; nothing is saved."""

    chart: str
    text: Annotated[str, note("a table from a spreadsheet or a text, in either orientation")]
    ends: dict[str, tuple[str, str]] = {}


class WriteCellsRequest(AtTable, frozen=True, kw_only=True, tag="cells"):
    """Cells of a chart for the owner's pack; "" removes a cell."""

    chart: str
    cells: Annotated[dict[str, str], note("texts of cells by their keys, joined by commas")]
    ends: dict[str, tuple[str, str]] = {}


class CounterListRequest(AtTable, frozen=True, kw_only=True, tag="counters"):
    """Request for the counters of the game by formation."""


class CounterFormRequest(AtTable, frozen=True, kw_only=True, tag="form"):
    """Request for the printed values of a counter, as a form."""

    unit: str


class WriteCounterRequest(AtTable, frozen=True, kw_only=True, tag="printed"):
    """Values that the owner has typed from a counter, for the pack."""

    unit: str
    values: dict[str, str]
    """Texts by track, and for a counter that the game does not list also the facts that identify it."""


class PackOutRequest(AtTable, frozen=True, kw_only=True, tag="pack"):
    """Request for the owner's pack as one zip file."""


class PackInRequest(AtTable, frozen=True, kw_only=True, tag="take-pack"):
    """Request to replace files of the pack by those in a zip file."""

    data: str
    """The file in base64."""


class ShareRequest(AtTable, frozen=True, kw_only=True, tag="share"):
    """Request for the table as a link's fragment, without cells of the owner's charts."""

    page: Annotated[str, note("the address of the page that the link opens, for the QR code")] = ""


class OpenLinkRequest(AtTable, frozen=True, kw_only=True, tag="open-link"):
    """Request to begin a table with the position and question in a link's fragment.

    An existing table with this name is opened if it began with the same position.
    """

    fragment: Annotated[str, note("the fragment with its #, or the whole link")]


class LuckRequest(AtTable, frozen=True, kw_only=True, tag="luck"):
    """Request for the luck in the table's battles."""

    trusts_charts: Annotated[bool, note("whether rebuilt charts stand in for unknown cells")] = False


class ListPromptRequest(Request, frozen=True, kw_only=True, tag="about-prompt"):
    """Request for the entry in a list of the table that the prompt has saved on this machine."""

    game: str


class PictureGameRequest(Request, frozen=True, kw_only=True, tag="picture-game"):
    """Request for the picture of an installed game in the list of new tables."""

    game: str


class OpenPromptRequest(Request, frozen=True, kw_only=True, tag="open-prompt"):
    """Request to begin a table with the one that the prompt has saved on this machine."""

    game: str


class ReadSaveRequest(Request, frozen=True, kw_only=True, tag="look-into"):
    """Request for the contents of a VASSAL save or log that the player has chosen.

    The adoption of a published module is saved at once, unless it would replace another one.
    """

    name: Annotated[str, note("the name of the file, with its suffix")]
    data: Annotated[str, note("the file in base64")]
    replace: Annotated[bool, note("whether an adoption may replace another one of its module")] = False


class BeginFromRequest(AtTable, frozen=True, kw_only=True, tag="begin-from"):
    """Request to begin a table with the position in a save or log, and to ask the position's first question.

    Without a side, the file is stored beside the journal.
    """

    name: str
    data: str
    side: Annotated[str, note("the side whose knowledge the table is to hold, empty for everything")] = ""
    earlier: Annotated[str, note("the table whose position is compared with that of the file, or empty")] = ""


class GiveSaveRequest(AtTable, frozen=True, kw_only=True, tag="give-save"):
    """Request for the table's first save or log with the changes since, or for the clicks in VASSAL instead."""


class ListPhotosRequest(AtTable, frozen=True, kw_only=True, tag="photos"):
    """Request for the photos of the owner's printed map."""


class MeasurePictureRequest(AtTable, frozen=True, kw_only=True, tag="measure"):
    """Request for the size of a picture before it is decoded."""

    head: str
    """The beginning of the picture's file in base64."""
    size: Annotated[int, note("the size of the whole file, in bytes")]


class PutPhotoRequest(AtTable, frozen=True, kw_only=True, tag="put-photo"):
    """A part of a photo, to be saved beside the owner's pack."""

    photo: str
    """Any new word of 8 to 32 small letters and figures."""
    title: str
    width: Annotated[int, msgspec.Meta(ge=1)]
    height: Annotated[int, msgspec.Meta(ge=1)]
    part: int
    """The index of the part."""
    parts: int
    data: str
    """The bytes of the part in base64."""


class GetPhotoRequest(AtTable, frozen=True, kw_only=True, tag="photo"):
    """Request for a photo with its fit."""

    photo: str


class DeletePhotoRequest(AtTable, frozen=True, kw_only=True, tag="delete-photo"):
    """Request to delete a photo and its fit, but not the facts painted from it."""

    photo: str


class FitPhotoRequest(AtTable, frozen=True, kw_only=True, tag="fit"):
    """Request to fit the grid to a photo."""

    photo: str
    taps: tuple[Tap, ...]
    """Hexes with their points in the photo."""
    places: tuple[Tap, ...] = ()
    """Hexes at which the player has confirmed or corrected the fit."""
    skip: tuple[str, ...] = ()
    """Hexes that the player cannot find."""
    keep: bool = False
    """Whether the fit is saved, which needs enough places."""


class GroundRequest(AtTable, frozen=True, kw_only=True, tag="ground"):
    """Request for the pack's facts about the map, and the brushes to paint it."""


class PaintRequest(AtTable, frozen=True, kw_only=True, tag="paint"):
    """A stroke over the map, for the owner's pack."""

    brush: Literal["word", "shown", "nothing", "remove"]
    """The effect: a word of a track, what the board shows, nothing in place of unknown facts, or removal from the pack."""
    subjects: tuple[str, ...]
    """The hexes or hexsides of a word, or else hexes with all their hexsides."""
    track: str = ""
    value: str = ""
    adds: Annotated[bool, note("whether the word is added to those that are there")] = False


class RestoreRequest(AtTable, frozen=True, kw_only=True, tag="restore"):
    """Request to undo a stroke, or to do it again."""

    changes: tuple[tuple[str, str, str | None, str | None], ...]
    """Each change: track, hex or hexside, current value and new value (None: no value).

    A value that another page has changed since stays.
    """


Reading = (
    AskRequest
    | PhaseRequest
    | DrawRequest
    | OnMapRequest
    | CounterRequest
    | MeaningRequest
    | SearchRequest
    | HexRequest
    | ReachRequest
    | CarryRequest
    | DangerRequest
    | AroundRequest
    | BoardRequest
    | TileRequest
    | StackRequest
    | StacksRequest
    | PassageRequest
    | ChartCellsRequest
    | ReadTableRequest
    | CounterListRequest
    | CounterFormRequest
    | ShareRequest
)
"""Requests that are answered from a state of a table and change nothing."""
AnyRequest = (
    Reading
    | ListGamesRequest
    | ListLessonsRequest
    | LessonRequest
    | WordsRequest
    | BeginRequest
    | DeleteRequest
    | ListTableRequest
    | RenameRequest
    | ShowTableRequest
    | EnterRequest
    | AccountRequest
    | CountPassagesRequest
    | WriteCellsRequest
    | WriteCounterRequest
    | PackOutRequest
    | PackInRequest
    | OpenLinkRequest
    | LuckRequest
    | ListPromptRequest
    | PictureGameRequest
    | OpenPromptRequest
    | ReadSaveRequest
    | BeginFromRequest
    | GiveSaveRequest
    | ListPhotosRequest
    | MeasurePictureRequest
    | PutPhotoRequest
    | GetPhotoRequest
    | DeletePhotoRequest
    | FitPhotoRequest
    | GroundRequest
    | PaintRequest
    | RestoreRequest
)
