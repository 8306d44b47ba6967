"""The words of a game and their meanings, from which the page draws its buttons and forms."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....asking.parameters import FormField, Takes
from ....util.notes import note
from .books import BooksListed
from .entry import FieldShown


class StartListed(msgspec.Struct, frozen=True, kw_only=True):
    """The set-up that the page opens on a first visit."""

    title: str
    """The title of the set-up."""
    position: Annotated[str, note("the position with which the table begins, in notation")]
    shows: tuple[str, ...]
    """The hexes to be shown in the middle of the map."""
    says: str
    """The sentence shown below the map."""


class GameListed(msgspec.Struct, frozen=True, kw_only=True):
    """An installed game."""

    id: str
    title: str
    has_lessons: bool = False
    start: StartListed | None = None


class GamesListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="games"):
    """The installed games and the names of the tables."""

    games: tuple[GameListed, ...]
    tables: tuple[str, ...]
    prompts: Annotated[tuple[str, ...], note("the games whose table at the prompt is saved on this machine")] = ()


class GamePictured(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="pictured"):
    """The picture of a game in the list of new tables."""

    sketch: Annotated[str, note("a small picture of its set-up or its map as SVG, or empty if it has neither")]


class TableListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="listed"):
    """A table in a list, as seen by the player who asks."""

    table: str
    title: Annotated[str, note("the title that its players gave it, or empty")]
    called: Annotated[
        str, note("the game, date and place, as far as they are known; empty if a player named the table")
    ]
    game: Annotated[str, note("the title of its game")]
    written: Annotated[int, note("the time of its last entry, in milliseconds since 1970")]
    stands: Annotated[str, note("the turn and open question, in words")]
    sketch: Annotated[str, note("a small picture of its units on the map as SVG, or empty if there are none")]


class RuleShown(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of the game's index."""

    rule: str
    title: str
    asked: tuple[str, ...] = ()
    """The questions that carry out the rule, empty until asked for."""
    left: str = ""
    """The reason if no question carries it out, empty until asked for."""


class MeaningShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="meaning"):
    """The meaning of a word, a unit or a rule number."""

    word: str
    lines: tuple[str, ...]
    """The lines of `help WORD`."""
    rules: tuple[RuleShown, ...] = ()
    """The rules with the number, if the word is one."""


class HitShown(msgspec.Struct, frozen=True, kw_only=True):
    """A question, a rule or a word that fits what a player typed."""

    kind: Literal["question", "rule", "word"]
    name: str
    title: str


class HitsShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="hits"):
    """What a search has found, the best first."""

    hits: tuple[HitShown, ...]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a question, shown as a button, a list or a field of a form."""

    name: str
    meaning: str
    takes: Annotated[Takes, note("the kind of its values")]
    many: bool = False
    needed: bool = False
    words: tuple[str, ...] = ()
    value: Annotated[str, note("the current value")] = ""

    @classmethod
    def of(cls, field: FormField, value: str = "") -> Parameter:
        return cls(
            name=field.name,
            meaning=field.meaning,
            takes=field.takes,
            many=field.many,
            needed=field.needed,
            words=field.words,
            value=value,
        )


class NationListed(msgspec.Struct, frozen=True, kw_only=True):
    """A nation."""

    id: str
    title: str
    tint: str
    """The background colour of the nation's counters, as #rrggbb."""
    ink: str
    """The colour of the figures on the nation's counters, as #rrggbb."""


class SideListed(msgspec.Struct, frozen=True, kw_only=True):
    """A side."""

    id: str
    title: str
    tint: str
    """The colour of the side's backgrounds, as #rrggbb."""
    strong: str
    """The colour of the side's lines and markers, as #rrggbb."""
    nations: tuple[NationListed, ...]


class TrackListed(msgspec.Struct, frozen=True, kw_only=True):
    """A track: a kind of fact."""

    name: str
    title: str
    note: str
    rule: str
    on: str
    kind: Literal["flag", "integer", "choice", "choices", "text"]
    values: tuple[tuple[str, str], ...]
    """The values that can be listed, each as typed and in words; the default is the first."""
    silent: str
    """The default value, or "" if it is unknown."""
    printed: str
    """The component on which the fact is printed: the counter or the map."""
    least: int | None
    most: int | None
    below: str
    """The track whose number must be larger, or ""."""
    arms: tuple[str, ...]
    """The arms of the units that have the track."""
    names: str


class QuestionListed(msgspec.Struct, frozen=True, kw_only=True):
    """A question."""

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    drawn: tuple[str, ...]
    """The kinds of pictures of the question's answers."""
    rolls: bool
    """Whether the question may ask for dice and choices."""


class UnitListed(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the roster."""

    id: str
    side: str
    nation: str
    arm: str
    size: str
    groups: tuple[str, ...]
    """The formations of the unit, such as its army and its corps."""
    figures: tuple[str, ...]
    """The figures on the counter in the order of `brackets`, or "" where one is unknown."""
    states: str = ""
    """The facts of the unit in the words of a line, or "" if the roster has it not only as an example."""


class ChartListed(msgspec.Struct, frozen=True, kw_only=True):
    """A chart."""

    name: str
    title: str
    rule: str
    fields: tuple[FieldShown, ...] = ()
    """The values of each cell."""
    codes: dict[str, str] = {}
    """The meanings of the codes in its cells."""
    stand_ins: str = ""
    """The stand-ins for its cells, such as "made-up charts", or ""."""


class PhaseListed(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of the sequence of play."""

    title: str
    word: str
    """The value of the track `phase`, or "" if the phase has none."""
    part: str
    """The part of the sequence that has the phase: the turn, each player turn, the inter-phase or each combat."""
    active: str
    """The player whose phase it is in a player turn."""
    who: str
    """The side that the phase concerns, or "" for all sides."""
    rule: str


class CourseListed(msgspec.Struct, frozen=True, kw_only=True):
    """The course of play."""

    track: str
    """The name of the track that counts the turns."""
    turns: tuple[str, ...]
    """Each turn as it is typed."""
    order: tuple[str, ...]
    """The sides in the order of their player turns."""
    phases: tuple[PhaseListed, ...]


class SetupListed(msgspec.Struct, frozen=True, kw_only=True):
    """A position with which a table can begin."""

    name: str
    title: str
    text: str
    """The position in notation."""


class LayerListed(msgspec.Struct, frozen=True, kw_only=True):
    """A question whose answer can be drawn over the map for the selected units."""

    title: str
    question: str
    parameter: str
    """The parameter for the units or their hex."""
    takes: Literal["hex", "unit"]
    many: bool
    """Whether the question takes several units."""
    marches: bool = False
    """Whether the hexes are those to which the units can march."""


class WordsListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="words"):
    """The words of a game and their meanings."""

    game: str
    title: str
    sides: tuple[SideListed, ...]
    brackets: Annotated[tuple[str, ...], note("the tracks of the figures on a counter")]
    identity: Annotated[tuple[str, ...], note("the tracks of which a new unit must have a value")]
    less: Annotated[str, note("the track of steps lost")]
    nation: Annotated[str, note("the track of a unit's nation; `terrain` and `barrier` are tracks too")]
    terrain: str
    barrier: str
    ground: Annotated[tuple[str, ...], note("the tracks of a hex that affect a combat")]
    tracks: tuple[TrackListed, ...]
    usual: Annotated[dict[str, tuple[str, ...]], note("the usual values, which are assumed, by track or parameter")]
    combat: Annotated[str, note("the question of the line with `<`")]
    also: Annotated[tuple[str, ...], note("further questions about a combat")]
    along: Annotated[str, note("the question that a chain of hexes asks")]
    march: Annotated[str, note("the question of the line with `>`")]
    layers: Annotated[tuple[LayerListed, ...], note("the layers that the map can show for chosen units, in order")]
    when: Annotated[str, note("the track that dates the journal")]
    short: Annotated[dict[str, str], note("short names of parameters")]
    called: Annotated[dict[str, str], note("players' words for parameters and facts")]
    questions: tuple[QuestionListed, ...]
    units: tuple[UnitListed, ...]
    charts: tuple[ChartListed, ...]
    groups: Annotated[tuple[str, ...], note("the tracks of the groups of units, in their order")]
    course: CourseListed | None
    books: Annotated[BooksListed | None, note("the events and levels of a game that keeps books, or null")]
    boards: tuple[str, ...]
    setups: tuple[SetupListed, ...]
    digits: Annotated[int, note("the length of the shortest hex number, or 0 for numbers with letters")]
    longer: Annotated[tuple[str, ...], note("numbers of that length that also begin longer ones")]
    mark: Annotated[str, note("a mark that changes when these words may have changed")] = ""


class SameWords(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="same"):
    """The answer that the words stored by the page are still valid."""

    game: str
