"""The words of a game, from which the page draws buttons and forms, and what they mean."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....asking.parameters import FormField, Takes
from ....util.notes import note
from .entry import FieldShown


class StartListed(msgspec.Struct, frozen=True, kw_only=True):
    """With what the page begins on a first visit. title: of the set-up; shows: the hexes in the middle of the map; says: the sentence at its foot."""

    title: str
    position: Annotated[str, note("position notation with which the table begins")]
    shows: tuple[str, ...]
    says: str


class GameListed(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is installed."""

    id: str
    title: str
    start: StartListed | None = None


class GamesListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="games"):
    """The games that are installed, and the names of the tables."""

    games: tuple[GameListed, ...]
    tables: tuple[str, ...]


class TableListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="listed"):
    """A table among others, as whoever asks sees it."""

    table: str
    title: Annotated[str, note("what its players call it, empty for nothing else than its name")]
    game: Annotated[str, note("the title of its game")]
    written: Annotated[int, note("when its last entry was written, in milliseconds since 1970")]
    stands: Annotated[str, note("where it stands, in words: turn and open question")]
    sketch: Annotated[str, note("a small picture of where its units stand, as SVG; empty if none does")]


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
    def of(cls, field: FormField, value: str = "") -> Parameter:
        """Return a parameter as a form asks for it. value: as it is now."""
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


class LayerListed(msgspec.Struct, frozen=True, kw_only=True):
    """A question whose answer is laid over the map for the units that are chosen there. parameter: takes the units or their hex;
    many: whether it takes several units; marches: whether its hexes are those to which the units can march.
    """

    title: str
    question: str
    parameter: str
    takes: Literal["hex", "unit"]
    many: bool
    marches: bool = False


class WordsListed(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="words"):
    """The words of a game."""

    game: str
    title: str
    sides: tuple[SideListed, ...]
    brackets: Annotated[tuple[str, ...], note("the tracks of the figures on a counter")]
    identity: Annotated[tuple[str, ...], note("what an unknown unit must have")]
    less: Annotated[str, note("the track of steps lost")]
    nation: Annotated[str, note("its track, like `terrain` and `barrier`")]
    terrain: str
    barrier: str
    ground: Annotated[tuple[str, ...], note("the tracks of a hex that a combat turns on")]
    tracks: tuple[TrackListed, ...]
    usual: Annotated[dict[str, tuple[str, ...]], note("what is taken for granted, by track or parameter")]
    combat: Annotated[str, note("the question of the line with `<`")]
    also: Annotated[tuple[str, ...], note("further questions about a combat")]
    along: Annotated[str, note("the question behind a chain of hexes")]
    march: Annotated[str, note("the question of the line with `>`")]
    layers: Annotated[tuple[LayerListed, ...], note("what the map shows of the units that are chosen, in its order")]
    when: Annotated[str, note("the track that dates the journal")]
    short: Annotated[dict[str, str], note("short names of parameters")]
    called: Annotated[dict[str, str], note("what players call parameters and facts")]
    questions: tuple[QuestionListed, ...]
    units: tuple[UnitListed, ...]
    charts: tuple[ChartListed, ...]
    groups: Annotated[tuple[str, ...], note("the tracks of the groups of units, in their order")]
    course: CourseListed | None
    boards: tuple[str, ...]
    setups: tuple[SetupListed, ...]
    digits: Annotated[int, note("of the shortest number of a hex, 0 for numbers with letters")]
    longer: Annotated[tuple[str, ...], note("numbers of that length that more digits may follow")]
    mark: Annotated[str, note("changes when any of it does")] = ""


class SameWords(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="same"):
    """The words that the page has kept have not changed."""

    game: str
