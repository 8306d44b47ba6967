"""The words of a game, from which the page draws buttons and forms, and what they mean."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....asking.parameters import FormField, Takes
from ....util.notes import note
from .entry import FieldShown


class StartListed(msgspec.Struct, frozen=True, kw_only=True):
    """With what the page begins on a first visit."""

    title: str
    """That of the set-up."""
    position: Annotated[str, note("position notation with which the table begins")]
    shows: tuple[str, ...]
    """The hexes in the middle of the map."""
    says: str
    """The sentence at the foot of the map."""


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
    """A rule of the game's index."""

    rule: str
    title: str
    asked: tuple[str, ...] = ()
    """The questions that carry it out, empty until asked for."""
    left: str = ""
    """Why none does, empty until asked for."""


class MeaningShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="meaning"):
    """What a word, a unit or a rule number means."""

    word: str
    lines: tuple[str, ...]
    """As `help WORD` says it."""
    rules: tuple[RuleShown, ...] = ()
    """The rules under that number."""


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
    """That of its counters, as #rrggbb."""
    ink: str
    """That of its counters, as #rrggbb."""


class SideListed(msgspec.Struct, frozen=True, kw_only=True):
    """A side."""

    id: str
    title: str
    tint: str
    """For grounds, as #rrggbb."""
    strong: str
    """For lines and markers, as #rrggbb."""
    nations: tuple[NationListed, ...]


class TrackListed(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of fact."""

    name: str
    title: str
    note: str
    rule: str
    on: str
    kind: Literal["flag", "integer", "choice", "choices", "text"]
    values: tuple[tuple[str, str], ...]
    """Those that can be listed, as they are typed and in words, what silence means first."""
    silent: str
    """What silence means, "" if unknown."""
    printed: str
    """Where it is printed: on the counter or on the map."""
    least: int | None
    most: int | None
    below: str
    """The track whose number it stays below."""
    arms: tuple[str, ...]
    """The words of the arms that have it."""
    names: str


class QuestionListed(msgspec.Struct, frozen=True, kw_only=True):
    """A question."""

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    drawn: tuple[str, ...]
    """How its answers can be drawn."""
    rolls: bool
    """Whether it may ask for dice and choices."""
    wishes: tuple[str, ...]
    """What a player may wish to know, in his words, that it answers."""


class UnitListed(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the roster."""

    id: str
    side: str
    nation: str
    arm: str
    size: str
    groups: tuple[str, ...]
    """Such as its army and its corps."""
    figures: tuple[str, ...]
    """In the order of the brackets, "" for unknown."""
    states: str = ""
    """What the unit is, in the words of a line, as far as the roster only takes it as an example."""


class ChartListed(msgspec.Struct, frozen=True, kw_only=True):
    """A chart."""

    name: str
    title: str
    rule: str
    fields: tuple[FieldShown, ...] = ()
    """Those of each of its cells."""
    codes: dict[str, str] = {}
    """What the codes in its cells mean."""
    stand_ins: str = ""
    """What stands in for its cells, such as "made-up charts", or "" if nothing does."""


class PhaseListed(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of the sequence of play."""

    title: str
    word: str
    """The value of the track `phase`, "" for a phase without one."""
    part: str
    """Of what it is a part: the turn, each player turn, the inter-phase or each combat."""
    active: str
    """Whose phase it is in a player turn."""
    who: str
    """The side that it concerns, "" for all."""
    rule: str


class CourseListed(msgspec.Struct, frozen=True, kw_only=True):
    """The course of play."""

    track: str
    """The fact that counts the turns."""
    turns: tuple[str, ...]
    """How each turn is typed."""
    order: tuple[str, ...]
    """The sides in the order of their player turns."""
    phases: tuple[PhaseListed, ...]


class SetupListed(msgspec.Struct, frozen=True, kw_only=True):
    """A position with which a table may begin."""

    name: str
    title: str
    text: str
    """The position in notation."""


class LayerListed(msgspec.Struct, frozen=True, kw_only=True):
    """A question whose answer is laid over the map for the units that are chosen there."""

    title: str
    question: str
    parameter: str
    """The one that takes the units or their hex."""
    takes: Literal["hex", "unit"]
    many: bool
    """Whether the question takes several units."""
    marches: bool = False
    """Whether its hexes are those to which the units can march."""


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
