"""What the page asks and what it is answered, as plain JSON: a request has its kind in `do`, and what cannot be done is
answered by `Refused`.

A table is a journal. What is entered there is a line as it is typed at the table prompt, so that the page has no grammar of
its own.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ..questions.parameters import Field, Takes
from ..util.notes import note
from .forms import FieldShown

Json = Any
"""A value of JSON."""


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """A request of the page; `do` is its kind."""


class AtTable(Request, frozen=True, kw_only=True):
    """A request about a table."""

    table: Annotated[str, note("the name of the table: letters, figures, hyphens")]


class ListGames(Request, frozen=True, tag="games"):
    """Which games are installed, and which tables there are."""


class Words(Request, frozen=True, kw_only=True, tag="words"):
    """What a game's facts, questions, units and charts are called, from which the page draws its buttons and forms."""

    game: str
    known: Annotated[
        str, note("the mark of the words that the page has kept; answered by `SameWords` if they hold")
    ] = ""


class Begin(AtTable, frozen=True, kw_only=True, tag="begin"):
    """Begin a table of a game, empty or with a position."""

    game: str
    position: Annotated[str, note("position notation with which it begins")] = ""


class Look(AtTable, frozen=True, kw_only=True, tag="look"):
    """The table as it stands."""


class Enter(AtTable, frozen=True, kw_only=True, tag="enter"):
    """A line, as it is typed at the table prompt. A tap that is sent again, as its answer got lost, counts once."""

    line: str
    tap: Annotated[str, note("which tap it is: any word that no other tap has")] = ""
    sure: Annotated[bool, note("whether what the line asks first is answered with yes")] = False


class AskAbout(AtTable, frozen=True, kw_only=True, tag="ask"):
    """A question, which changes nothing at the table."""

    question: str
    parameters: dict[str, str] = {}
    answers: Annotated[dict[str, str], note("dice and choices by their names")] = {}


class Draw(AtTable, frozen=True, kw_only=True, tag="draw"):
    """The picture of an answer as SVG: of the question that is open at the table, or of another one."""

    what: Literal["picture", "chart"] = "picture"
    question: str = ""
    parameters: dict[str, str] = {}
    answers: dict[str, str] = {}


class Counter(AtTable, frozen=True, kw_only=True, tag="counter"):
    """The counter of a unit as it lies on the table, as SVG."""

    unit: str


class Meaning(AtTable, frozen=True, kw_only=True, tag="meaning"):
    """What a word, a unit or a rule number means, in the lines of `help WORD`."""

    word: str
    computed: Annotated[
        bool, note("whether it is told which questions carry a rule out: all code of the game is read for that")
    ] = False


class AtHex(AtTable, frozen=True, kw_only=True, tag="hex"):
    """What is known of a hex: its units, zones, ground and hexsides, each fact with its source."""

    hex: str


class Around(AtTable, frozen=True, kw_only=True, tag="around"):
    """A hex that may be attacked, with the six around it, as an open combat shows them."""

    hex: str


class BoardShape(AtTable, frozen=True, kw_only=True, tag="board"):
    """The board: where the middle of each hex lies, and how large it is; for a table without one, the hexes that matter."""

    also: Annotated[tuple[str, ...], note("hexes that matter too")] = ()
    have: Annotated[str, note("the key of the field that the asker has, which is not sent again")] = ""


class Tile(AtTable, frozen=True, kw_only=True, tag="tile"):
    """A part of the board as SVG, without units. level: how much of it, from 0, the nearest."""

    level: int
    column: int
    row: int
    also: tuple[str, ...] = ()


class Stack(AtTable, frozen=True, kw_only=True, tag="stack"):
    """The counters in a hex as they lie there, as SVG, with one for those that are not seen."""

    hex: str


class ChartCells(AtTable, frozen=True, kw_only=True, tag="chart"):
    """A chart as it is printed: its heads, rows and cells, with what is known of each."""

    chart: str
    ends: Annotated[
        dict[str, tuple[str, str]],
        note("the first and the last row or column by the name of its key, as far as only the owner knows them"),
    ] = {}


class KeepCells(AtTable, frozen=True, kw_only=True, tag="cells"):
    """Cells of a chart that the owner has typed, for his pack; "" takes one out."""

    chart: str
    cells: Annotated[dict[str, str], note("texts of cells by their keys, joined by commas")]
    ends: dict[str, tuple[str, str]] = {}


class CounterList(AtTable, frozen=True, kw_only=True, tag="counters"):
    """The counters of the game, formation by formation, with how much of each is known."""


class CounterForm(AtTable, frozen=True, kw_only=True, tag="form"):
    """What is printed on a counter, as a form."""

    unit: str


class KeepCounter(AtTable, frozen=True, kw_only=True, tag="printed"):
    """What the owner has typed from a counter, for his pack. values: texts by track; of a counter that the game does not
    list, also what it is.
    """

    unit: str
    values: dict[str, str]


class PackOut(AtTable, frozen=True, kw_only=True, tag="pack"):
    """The owner's pack as one zip file, as `assistant pack export` writes it."""


class PackIn(AtTable, frozen=True, kw_only=True, tag="take-pack"):
    """Take the files of a pack from a zip file in; what they hold replaces what the pack holds. data: the file in base64."""

    data: str


class Share(AtTable, frozen=True, kw_only=True, tag="share"):
    """The table as a link's fragment: what its viewpoint may know, and no cell of the owner's charts."""

    page: Annotated[str, note("the address of the page that the link opens, for the QR code")] = ""


class Follow(AtTable, frozen=True, kw_only=True, tag="follow"):
    """Begin a table with the position in a link's fragment, and ask its question; the table of that name is opened if it
    began so.
    """

    fragment: Annotated[str, note("from the # on, or the whole link")]


AnyRequest = (
    ListGames
    | Words
    | Begin
    | Look
    | Enter
    | AskAbout
    | Draw
    | Counter
    | Meaning
    | AtHex
    | Around
    | BoardShape
    | Tile
    | Stack
    | ChartCells
    | KeepCells
    | CounterList
    | CounterForm
    | KeepCounter
    | PackOut
    | PackIn
    | Share
    | Follow
)


# --- what is answered -------------------------------------------------------------------------------------------------


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="refused"):
    """What cannot be done, and what to do instead; nothing has changed."""

    what: str
    where: str = ""
    hint: str = ""


class GameListed(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is installed."""

    id: str
    title: str


class GamesListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="games"):
    """The games that are installed, and the names of the tables."""

    games: tuple[GameListed, ...]
    tables: tuple[str, ...]


class Drawn(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="drawn"):
    """A picture."""

    svg: str


class RuleShown(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of the game's index. asked: the questions that carry it out; left: why none does; both empty until asked for."""

    rule: str
    title: str
    asked: tuple[str, ...] = ()
    left: str = ""


class MeaningShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="meaning"):
    """What a word, a unit or a rule number means. lines: as `help WORD` says it; rules: those under that number."""

    word: str
    lines: tuple[str, ...]
    rules: tuple[RuleShown, ...] = ()


class Shared(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="shared"):
    """A table as a link."""

    fragment: Annotated[str, note("what stands behind the address of a page, with its #")]
    seen: Annotated[str, note("whose knowledge it is, in words")]
    left_out: Annotated[tuple[str, ...], note("what of the table is not in it, in words")]
    qr: Annotated[str, note("the link as a QR code in SVG; empty if the page is not known or there can be none")] = ""
    no_qr: Annotated[str, note("why there is no QR code")] = ""


class FactShown(msgspec.Struct, frozen=True, kw_only=True):
    """A fact as it is shown. value: as it is typed; source: where it is from; doubtful: whether an answer that depends on
    it must say so.
    """

    track: str
    subject: str
    value: str
    word: Annotated[str, note("the value in words")]
    source: str
    doubtful: bool = False


class UnitShown(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on the table, or one of those off the map."""

    id: str
    place: str | None
    side: str
    nation: str
    arm: str
    size: str
    facts: tuple[FactShown, ...]
    figures: Annotated[tuple[str, ...], note("what its counter shows, in the order of the brackets; ? for unknown")]
    state: Annotated[tuple[str, ...], note("what has become of it, in words: lost 3, cel -1")]
    look: Annotated[str, note("changes when its counter looks different")]


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """A hex beside the attacked one. angle: where it lies, in degrees clockwise from the top; side: of its units, "" for
    none; attacks: whether the combat has it; between: the facts of the hexside; ground: those of the hex.
    """

    hex: str
    angle: int
    side: str
    attacks: bool
    units: tuple[str, ...]
    between: tuple[FactShown, ...]
    ground: tuple[FactShown, ...]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a question: from it a form has a button, a list or a field."""

    name: str
    meaning: str
    takes: Annotated[Takes, note("what it is chosen from")]
    many: bool = False
    needed: bool = False
    words: tuple[str, ...] = ()
    value: Annotated[str, note("as it is now")] = ""

    @classmethod
    def of(cls, field: Field, value: str = "") -> Parameter:
        """A parameter as a form asks for it. value: as it is now."""
        return cls(**field._asdict(), value=value)


class NationListed(msgspec.Struct, frozen=True, kw_only=True):
    """A nation. tint, ink: of its counters, as #rrggbb."""

    id: str
    title: str
    tint: str
    ink: str


class SideListed(msgspec.Struct, frozen=True, kw_only=True):
    """A side. tint: for grounds; strong: for lines and markers, as #rrggbb."""

    id: str
    title: str
    tint: str
    strong: str
    nations: tuple[NationListed, ...]


class TrackListed(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of fact. values: those that can be listed, as they are typed and in words, what silence means first; silent:
    what silence means, "" if unknown; printed: where it is printed, counter or map; below: the track whose number it stays
    below; arms: the words of the arms that have it.
    """

    name: str
    title: str
    note: str
    rule: str
    on: str
    kind: Literal["flag", "integer", "choice", "choices", "text"]
    values: tuple[tuple[str, str], ...]
    silent: str
    printed: str
    least: int | None
    most: int | None
    below: str
    arms: tuple[str, ...]
    names: str


class QuestionListed(msgspec.Struct, frozen=True, kw_only=True):
    """A question. drawn: how its answers can be drawn; rolls: whether it may ask for dice and choices; wishes: what a player
    may wish to know, in his words, that it answers.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    drawn: tuple[str, ...]
    rolls: bool
    wishes: tuple[str, ...]


class UnitListed(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the roster. groups: such as its army and corps; figures: in the order of the brackets, "" for unknown;
    states: what it is, in the words of a line, as far as the roster only takes it as an example.
    """

    id: str
    side: str
    nation: str
    arm: str
    size: str
    groups: tuple[str, ...]
    figures: tuple[str, ...]
    states: str = ""


class ChartListed(msgspec.Struct, frozen=True, kw_only=True):
    """A chart. fields: of each of its cells; codes: what the codes in its cells mean."""

    name: str
    title: str
    rule: str
    fields: tuple[FieldShown, ...] = ()
    codes: dict[str, str] = {}


class PhaseListed(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of the sequence of play. word: of the track `phase`, "" for one without; part: of the turn, of each player turn,
    of the inter-phase or of each combat; active: whose it is in a player turn; who: the side that it concerns, "" for all.
    """

    title: str
    word: str
    part: str
    active: str
    who: str
    rule: str


class CourseListed(msgspec.Struct, frozen=True, kw_only=True):
    """The course of play. track: the fact that counts the turns; turns: how each is typed; order: the sides in the order of
    their player turns.
    """

    track: str
    turns: tuple[str, ...]
    order: tuple[str, ...]
    phases: tuple[PhaseListed, ...]


class SetupListed(msgspec.Struct, frozen=True, kw_only=True):
    """A position with which a table may begin. text: its notation."""

    name: str
    title: str
    text: str


class WordsListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="words"):
    """The words of a game. brackets: the tracks of the figures on a counter; identity: what an unknown unit must have; less:
    the track of steps lost; nation, terrain, barrier: tracks; ground: those of a hex that a combat turns on; usual: what is taken for granted, by track or parameter; combat:
    the question of the line with `<`, also: further ones about it, along: the one behind a chain of hexes; when: the track
    that dates the journal; short: short names of parameters; digits: how many the shortest number
    of a hex has, 0 for numbers with letters; longer: those of so many digits that more may follow.
    """

    game: str
    title: str
    sides: tuple[SideListed, ...]
    brackets: tuple[str, ...]
    identity: tuple[str, ...]
    less: str
    nation: str
    terrain: str
    barrier: str
    ground: tuple[str, ...]
    tracks: tuple[TrackListed, ...]
    usual: dict[str, tuple[str, ...]]
    combat: str
    also: tuple[str, ...]
    along: str
    when: str
    short: dict[str, str]
    questions: tuple[QuestionListed, ...]
    units: tuple[UnitListed, ...]
    charts: tuple[ChartListed, ...]
    groups: Annotated[tuple[str, ...], note("the tracks of the groups of units, in their order")]
    course: CourseListed | None
    boards: tuple[str, ...]
    setups: tuple[SetupListed, ...]
    digits: int
    longer: tuple[str, ...]
    mark: Annotated[str, note("changes when any of it does")] = ""


class SameWords(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="same"):
    """The words that the page has kept hold."""

    game: str


class CombatShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="combat"):
    """The combat that is open, or a hex that may be attacked."""

    target: str
    ground: tuple[FactShown, ...]
    units: tuple[str, ...]
    side: str
    around: tuple[Neighbour, ...]
    withheld: tuple[str, ...]
    parameters: tuple[Parameter, ...]


class StepShown(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the working. bars: likelihoods, each a value and its chance from 0 to 1."""

    rule: str
    text: str
    bars: tuple[tuple[str, float], ...] = ()


class PartShown(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the working. brief: its gist in one line, "" for none."""

    title: str
    brief: str
    steps: tuple[StepShown, ...]


class ChainShown(msgspec.Struct, frozen=True, kw_only=True):
    """Figures in a row, each with the word for it, that lead from one to the next. answer: which is the answer, from 0."""

    title: str
    links: tuple[tuple[str, str], ...]
    answer: int


class AssumedShown(msgspec.Struct, frozen=True, kw_only=True):
    """What is taken for granted: `?NUMBER VALUE` changes it. after: the value that comes next, "" for none; decisive: whether
    the answer depends on it.
    """

    number: int
    words: str
    value: str
    after: str
    decisive: bool


class AskShown(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for next."""

    kind: Literal["fact", "cell", "parameter", "roll", "choice"]
    name: str
    title: str
    rule: str
    how: Annotated[str, note("what would be typed")]
    takes: Annotated[str, note("the allowed values")] = ""
    line: Annotated[str, note("the line that states a fact or a cell, with {} for its value")] = ""
    of: Annotated[str, note("the track of a fact, or the chart of a cell")] = ""
    dice: Annotated[tuple[int, int], note("how many dice are thrown, and their sides; 0 for no roll")] = (0, 0)
    options: tuple[str, ...] = ()
    remarks: dict[str, str] = {}
    units: tuple[str, ...] = ()
    hexes: Annotated[bool, note("whether the options are hexes")] = False
    start: Annotated[str, note("the hex beside which all options lie")] = ""
    angles: Annotated[dict[str, int], note("where the options lie from there, in degrees clockwise from the top")] = {}
    usual: Annotated[str, note("the option that the chances assume")] = ""
    modifiers: Annotated[dict[str, tuple[str, ...]], note("the DRMs of a roll in words, by what it decides")] = {}


class AnswerShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="answer"):
    """An answer, part by part."""

    question: str
    title: str
    kind: Literal["yes", "no", "figure", "undecided"]
    answers: Annotated[tuple[str, ...], note("the verdict; where something may be hidden, as seen and as a range")]
    chains: tuple[ChainShown, ...] = ()
    parts: tuple[PartShown, ...] = ()
    cautions: tuple[StepShown, ...] = ()
    asks: tuple[AskShown, ...] = ()
    changes: Annotated[tuple[str, ...], note("what changes on the map, in words")] = ()
    noted: Annotated[
        tuple[str, ...], note("what is noted until the phase or turn ends, and nothing on the map shows")
    ] = ()
    books: Annotated[tuple[str, ...], note("what changes in the books of a campaign")] = ()
    drawn: Annotated[tuple[str, ...], note("how it can be drawn: picture, chart")] = ()
    text: Annotated[str, note("the whole report as plain lines for a forum")] = ""


class EntryShown(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the journal in words."""

    number: int
    turn: str
    text: str
    struck: bool = False


class TableShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="table"):
    """A table as its viewpoint sees it, and what the last line said."""

    table: str
    game: str
    title: str
    viewpoint: Annotated[str, note("whose knowledge it is: a side, umpire, or empty for everything")]
    entry: Annotated[int, note("the number of its last entry")]
    turn: Annotated[str, note("the turn in which its journal stands, in words")]
    moment: Annotated[
        tuple[FactShown, ...], note("the facts of the whole game that are stated, such as turn and phase")
    ]
    powers: Annotated[tuple[FactShown, ...], note("what is stated of sides and nations, such as their points")]
    units: tuple[UnitShown, ...]
    ground: Annotated[tuple[FactShown, ...], note("what is stated of hexes and hexsides")]
    combat: CombatShown | None = None
    answer: AnswerShown | None = None
    assumed: tuple[AssumedShown, ...] = ()
    pending: AskShown | None = None
    entries: Annotated[tuple[EntryShown, ...], note("the last ones, the newest first")] = ()
    said: Annotated[tuple[str, ...], note("what the line said")] = ()
    held: Annotated[str, note("what is asked first: the line is carried out when sent again as sure")] = ""
    undo: Annotated[str, note("what `undo` takes back, in few words; empty if there is nothing")] = ""
    refused: Refused | None = None


# --- the board --------------------------------------------------------------------------------------------------------


class LevelShown(msgspec.Struct, frozen=True, kw_only=True):
    """The tiles of a board in one size. least: the least height of a hex, in pixels, for which they are drawn; width, height:
    of a tile; bleed: how far its picture reaches beyond its box; tiles: column and row of each, and a key that changes when it looks different.
    """

    least: int
    width: float
    height: float
    bleed: float
    tiles: tuple[tuple[int, int, str], ...]


class MarkerShown(msgspec.Struct, frozen=True, kw_only=True):
    """The markers in a hex, as an SVG of the hex's size."""

    hex: str
    svg: str


class BoardShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="board"):
    """The board. Lengths are those of pictures, from a corner that stays where it is. hex: the height of one, flat side to
    flat side; flat: whether hexes stand on a flat side; counter: the side of a counter; field: the key of its hexes; hexes: each with its middle, none if the asker has them; unseen: the hexes where
    units stand that are not seen; known: how it is known, in words; blank: whether no board is drawn.
    """

    board: str
    title: str
    known: str
    blank: bool
    flat: bool
    hex: float
    counter: float
    field: str
    hexes: tuple[tuple[str, float, float], ...]
    places: Annotated[tuple[tuple[str, str], ...], note("named places: the hex and the name")]
    levels: tuple[LevelShown, ...]
    markers: tuple[MarkerShown, ...]
    unseen: tuple[str, ...]
    boards: Annotated[
        tuple[tuple[str, str], ...], note("the drawn boards that may take the place of a blank field")
    ] = ()


class TileShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="tile"):
    """A tile: its ground, of which only the box counts, and the names over it, which may reach beyond the box."""

    key: str
    ground: str
    names: str


class GroundKnown(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a hex or a hexside. how: in words; value: "" while it is unknown."""

    track: str
    title: str
    subject: str
    value: str
    word: str
    how: str
    doubtful: bool


class SideOfHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hexside: the hex beyond it, in which direction, in degrees clockwise from the top, and what is known of it."""

    hex: str
    angle: int
    known: tuple[GroundKnown, ...]


class ZoneOfHex(msgspec.Struct, frozen=True, kw_only=True):
    """Whose zones of control reach a hex, and of which units and places."""

    side: str
    title: str
    of: tuple[str, ...]


class HexShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="hex"):
    """What is known of a hex. units: from the top; unseen: the nation of those that are not seen, "" for none; zones_owed: why
    zones of control are not told, "" if they are.
    """

    hex: str
    name: str
    side: str
    units: tuple[str, ...]
    unseen: str
    zones: tuple[ZoneOfHex, ...]
    zones_owed: str
    ground: tuple[GroundKnown, ...]
    sides: tuple[SideOfHex, ...]
