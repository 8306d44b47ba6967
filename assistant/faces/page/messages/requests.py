"""What the page asks."""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated, Literal

import msgspec

from ....game.photos import Tap
from ....util.errors import InputError
from ....util.notes import note


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """A request of the page; `do` is its kind."""


class AtTable(Request, frozen=True, kw_only=True):
    """A request about a table."""

    table: Annotated[str, note("the name of the table: letters, figures, hyphens")]


def decoded(data: str) -> bytes:
    """Return the bytes of a file in a request. Raises InputError if they are not base64."""
    try:
        return b64decode(data, validate=True)
    except ValueError:
        raise InputError("the file did not arrive whole", hint="choose it again") from None


class ListGamesRequest(Request, frozen=True, tag="games"):
    """Which games are installed, and which tables there are."""


class WordsRequest(Request, frozen=True, kw_only=True, tag="words"):
    """What a game's facts, questions, units and charts are called, from which the page draws its buttons and forms."""

    game: str
    known: Annotated[
        str, note("the mark of the words that the page has stored; answered by `SameWords` if they hold")
    ] = ""


class BeginRequest(AtTable, frozen=True, kw_only=True, tag="begin"):
    """Begin a table of a game, empty or with a position."""

    game: str
    position: Annotated[str, note("position notation with which it begins")] = ""
    title: Annotated[str, note("what it is called")] = ""


class DeleteRequest(AtTable, frozen=True, kw_only=True, tag="delete"):
    """Delete a table with its journal. The answer is which tables are left."""


class ListTableRequest(AtTable, frozen=True, kw_only=True, tag="about"):
    """What a list of tables says of a table."""


class RenameRequest(AtTable, frozen=True, kw_only=True, tag="rename"):
    """Call a table otherwise; its name stays. The answer is what a list says of it then."""

    title: Annotated[str, note("one line; empty takes the title away")]


class ShowTableRequest(AtTable, frozen=True, kw_only=True, tag="look"):
    """The table as it stands."""


class EnterRequest(AtTable, frozen=True, kw_only=True, tag="enter"):
    """A line, as it is typed at the table prompt. A tap that is sent again, as its answer got lost, counts once."""

    line: str
    tap: Annotated[str, note("which tap it is: any word that no other tap has")] = ""
    sure: Annotated[bool, note("whether what the line asks first is answered with yes")] = False


class AskRequest(AtTable, frozen=True, kw_only=True, tag="ask"):
    """A question, which changes nothing at the table."""

    question: str
    parameters: dict[str, str] = {}
    answers: Annotated[dict[str, str], note("dice and choices by their names")] = {}


class DrawRequest(AtTable, frozen=True, kw_only=True, tag="draw"):
    """The picture of an answer as SVG: of the question that is open at the table, or of another one."""

    what: Literal["picture", "chart"] = "picture"
    question: str = ""
    parameters: dict[str, str] = {}
    answers: dict[str, str] = {}


class OnMapRequest(AtTable, frozen=True, kw_only=True, tag="on-map"):
    """The answer to a question with its picture, to lie on the board."""

    question: str
    parameters: dict[str, str] = {}


class CounterRequest(AtTable, frozen=True, kw_only=True, tag="counter"):
    """The counter of a unit as it lies on the table, as SVG."""

    unit: str


class MeaningRequest(AtTable, frozen=True, kw_only=True, tag="meaning"):
    """What a word, a unit or a rule number means, in the lines of `help WORD`."""

    word: str
    computed: Annotated[
        bool,
        note("whether the answer names the questions that carry a rule out: all code of the game is read for that"),
    ] = False


class HexRequest(AtTable, frozen=True, kw_only=True, tag="hex"):
    """What is known of a hex: its units, zones, ground and hexsides, each fact with its source."""

    hex: str


class ReachRequest(AtTable, frozen=True, kw_only=True, tag="reach"):
    """Which hexes units that begin a march together can reach, the cheapest way to each, and what is left there."""

    units: tuple[str, ...]


class AroundRequest(AtTable, frozen=True, kw_only=True, tag="around"):
    """A hex that may be attacked, with the six around it, as an open combat shows them."""

    hex: str


class BoardRequest(AtTable, frozen=True, kw_only=True, tag="board"):
    """The board: where the middle of each hex lies, and how large it is; for a table without one, the hexes that
    matter.
    """

    also: Annotated[tuple[str, ...], note("hexes that matter too")] = ()
    have: Annotated[str, note("the key of the field that the asker has, which is not sent again")] = ""
    photo: Annotated[str, note("the photo whose hexes matter too where no board is drawn")] = ""


class TileRequest(AtTable, frozen=True, kw_only=True, tag="tile"):
    """A part of the board as SVG, without units."""

    level: int
    """How much of the board a tile shows, from 0, the nearest."""
    column: int
    row: int
    also: tuple[str, ...] = ()
    photo: str = ""


class StackRequest(AtTable, frozen=True, kw_only=True, tag="stack"):
    """The counters in a hex as they lie there, as SVG, with one for those that are not seen."""

    hex: str
    around: Annotated[bool, note("whether with its ground and markers, and the six hexes around it")] = False


class ChartCellsRequest(AtTable, frozen=True, kw_only=True, tag="chart"):
    """A chart as it is printed: its heads, rows and cells, with what is known of each."""

    chart: str
    ends: Annotated[
        dict[str, tuple[str, str]],
        note("the first and the last row or column by the name of its key, as far as only the owner knows them"),
    ] = {}


class ReadTableRequest(AtTable, frozen=True, kw_only=True, tag="paste"):
    """How a text is read as a whole table of a chart; nothing is kept of it."""

    chart: str
    text: Annotated[str, note("a table from a spreadsheet or a text, whichever way it lies")]
    ends: dict[str, tuple[str, str]] = {}


class WriteCellsRequest(AtTable, frozen=True, kw_only=True, tag="cells"):
    """Cells of a chart that the owner has typed, for his pack; "" takes one out."""

    chart: str
    cells: Annotated[dict[str, str], note("texts of cells by their keys, joined by commas")]
    ends: dict[str, tuple[str, str]] = {}


class CounterListRequest(AtTable, frozen=True, kw_only=True, tag="counters"):
    """The counters of the game, formation by formation, with how much of each is known."""


class CounterFormRequest(AtTable, frozen=True, kw_only=True, tag="form"):
    """What is printed on a counter, as a form."""

    unit: str


class WriteCounterRequest(AtTable, frozen=True, kw_only=True, tag="printed"):
    """What the owner has typed from a counter, for his pack."""

    unit: str
    values: dict[str, str]
    """Texts by track. For a counter that the game does not list, also what it is."""


class PackOutRequest(AtTable, frozen=True, kw_only=True, tag="pack"):
    """The owner's pack as one zip file, as `assistant pack export` writes it."""


class PackInRequest(AtTable, frozen=True, kw_only=True, tag="take-pack"):
    """Take the files of a pack from a zip file in; what they hold replaces what the pack holds."""

    data: str
    """The file in base64."""


class ShareRequest(AtTable, frozen=True, kw_only=True, tag="share"):
    """The table as a link's fragment: what its viewpoint may know, and no cell of the owner's charts."""

    page: Annotated[str, note("the address of the page that the link opens, for the QR code")] = ""


class OpenLinkRequest(AtTable, frozen=True, kw_only=True, tag="open-link"):
    """Begin a table with the position in a link's fragment, and ask its question; the table of that name is opened if
    it began so.
    """

    fragment: Annotated[str, note("from the # on, or the whole link")]


class ReadSaveRequest(Request, frozen=True, kw_only=True, tag="look-into"):
    """What is in a save or a log of VASSAL that the player has chosen. The adoption of a published module is taken in
    at once, unless it would replace another one.
    """

    name: Annotated[str, note("of the file, with its ending")]
    data: Annotated[str, note("the file in base64")]
    replace: Annotated[bool, note("whether an adoption takes the place of another one of its module")] = False


class BeginFromRequest(AtTable, frozen=True, kw_only=True, tag="begin-from"):
    """Begin a table with the position in a save or a log, whose first question is asked. Without a side the file stays
    beside the journal.
    """

    name: str
    data: str
    side: Annotated[str, note("whose knowledge the table is to hold, empty for everything")] = ""


class GiveSaveRequest(AtTable, frozen=True, kw_only=True, tag="give-save"):
    """The save or the log with which the table began, carried on to where it stands, and what to click in VASSAL
    instead.
    """


class ListPhotosRequest(AtTable, frozen=True, kw_only=True, tag="photos"):
    """The photos of the owner's printed map."""


class MeasurePictureRequest(AtTable, frozen=True, kw_only=True, tag="measure"):
    """How large a picture is that the owner has chosen, before it is decoded."""

    head: str
    """The beginning of the picture's file in base64."""
    size: Annotated[int, note("bytes of the whole file")]


class PutPhotoRequest(AtTable, frozen=True, kw_only=True, tag="put-photo"):
    """A part of a photo that the owner has chosen: it is kept beside his pack."""

    photo: str
    """Any new word of 8 to 32 small letters and figures."""
    title: str
    width: Annotated[int, msgspec.Meta(ge=1)]
    height: Annotated[int, msgspec.Meta(ge=1)]
    part: int
    """Which of the `parts`, from 0."""
    parts: int
    data: str
    """The bytes of the part in base64."""


class GetPhotoRequest(AtTable, frozen=True, kw_only=True, tag="photo"):
    """A photo with its fit."""

    photo: str


class DeletePhotoRequest(AtTable, frozen=True, kw_only=True, tag="delete-photo"):
    """Delete a photo and its fit. What was painted from it stays."""

    photo: str


class FitPhotoRequest(AtTable, frozen=True, kw_only=True, tag="fit"):
    """Fit the grid to a photo."""

    photo: str
    taps: tuple[Tap, ...]
    """Hexes, and where the photo shows them."""
    places: tuple[Tap, ...] = ()
    """Those at which the player has found the fit right, or has put it right."""
    skip: tuple[str, ...] = ()
    """Hexes that the player cannot find."""
    keep: bool = False
    """Whether the fit is kept, which it is only with enough places."""


class GroundRequest(AtTable, frozen=True, kw_only=True, tag="ground"):
    """What the owner's pack has of the map, and with what it can be painted."""


class PaintRequest(AtTable, frozen=True, kw_only=True, tag="paint"):
    """A stroke over the map, for the owner's pack."""

    brush: Literal["word", "shown", "nothing", "remove"]
    """A word of a track, what the board shows there, nothing on all that is not known, or the removal of what the pack
    has.
    """
    subjects: tuple[str, ...]
    """The hexes or hexsides of a word, else hexes, with all their hexsides."""
    track: str = ""
    value: str = ""
    adds: Annotated[bool, note("whether the word comes to those that lie there")] = False


class RestoreRequest(AtTable, frozen=True, kw_only=True, tag="restore"):
    """Take back a stroke, or do it again."""

    changes: tuple[tuple[str, str, str | None, str | None], ...]
    """Track, hex or hexside, the value that is there now and the one to which it changes, None for none. What another
    page has changed since stays.
    """


Reading = (
    AskRequest
    | DrawRequest
    | OnMapRequest
    | CounterRequest
    | MeaningRequest
    | HexRequest
    | ReachRequest
    | AroundRequest
    | BoardRequest
    | TileRequest
    | StackRequest
    | ChartCellsRequest
    | ReadTableRequest
    | CounterListRequest
    | CounterFormRequest
    | ShareRequest
)
"""What is answered from the table as it stands, and changes nothing."""
AnyRequest = (
    Reading
    | ListGamesRequest
    | WordsRequest
    | BeginRequest
    | DeleteRequest
    | ListTableRequest
    | RenameRequest
    | ShowTableRequest
    | EnterRequest
    | WriteCellsRequest
    | WriteCounterRequest
    | PackOutRequest
    | PackInRequest
    | OpenLinkRequest
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
