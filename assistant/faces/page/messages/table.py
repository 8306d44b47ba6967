"""A table: its units and facts, the combat, the answer with its working, what is asked for, and the journal."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....util.notes import note
from .words import Parameter


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="refused"):
    """What cannot be done, and what to do instead; nothing has changed."""

    what: str
    where: str = ""
    hint: str = ""


class Drawn(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="drawn"):
    """A picture."""

    svg: str


class TableLink(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="link"):
    """A table as a link."""

    fragment: Annotated[str, note("what stands after the address of a page, with its #")]
    seen: Annotated[str, note("whose knowledge it is, in words")]
    left_out: Annotated[tuple[str, ...], note("what of the table is not in it, in words")]
    qr: Annotated[str, note("the link as a QR code in SVG; empty if the page is not known or there can be none")] = ""
    no_qr: Annotated[str, note("why there is no QR code")] = ""


class FactShown(msgspec.Struct, frozen=True, kw_only=True):
    """A fact as it is shown."""

    track: str
    subject: str
    value: str
    """As it is typed, "" while it is unknown."""
    word: Annotated[str, note("the value in words")]
    how: Annotated[str, note("how it is known, in words")]
    doubtful: bool = False
    """Whether an answer that depends on it must say so."""


class UnitShown(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on the table, or one of those off the map."""

    id: str
    place: str | None
    on_map: Annotated[bool, note("whether that is on the map, and no box or turn")]
    side: str
    nation: str
    arm: str
    size: str
    facts: tuple[FactShown, ...]
    figures: Annotated[tuple[str, ...], note("what its counter shows, in the order of the brackets; ? for unknown")]
    state: Annotated[tuple[str, ...], note("what has become of it, in words: lost 3, cel -1")]
    look: Annotated[str, note("changes when its counter looks different")]


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """A hex beside the attacked one."""

    hex: str
    angle: int
    """Where it lies, in degrees clockwise from the top."""
    side: str
    """That of its units, "" for none."""
    attacks: bool
    """Whether the combat has it."""
    units: tuple[str, ...]
    between: tuple[FactShown, ...]
    """The facts of the hexside."""
    ground: tuple[FactShown, ...]
    """The facts of the hex."""


class CombatShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="combat"):
    """The combat that is open, or a hex that may be attacked."""

    target: str
    ground: tuple[FactShown, ...]
    units: tuple[str, ...]
    side: str
    around: tuple[Neighbour, ...]
    withheld: tuple[str, ...]
    parameters: tuple[Parameter, ...]


class MarchShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="march"):
    """The move that is open, or the question where units can go."""

    units: tuple[str, ...]
    at: str
    """The hex where the units begin, "" off the map."""
    way: tuple[str, ...]
    """The hexes that the units enter."""
    parameters: tuple[Parameter, ...]
    """The other parameters of the question."""


class StepShown(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the working."""

    rule: str
    whose: Annotated[str, note("whose chances they are: attacker, defender or a unit; empty for none")] = ""
    text: str
    bars: tuple[tuple[str, float, str], ...] = ()
    """Likelihoods: each a value, its chance from 0 to 1, and that in percent."""


class PartShown(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the working."""

    title: str
    brief: str
    """The gist of it in one line, "" for none."""
    steps: tuple[StepShown, ...]


class ChainShown(msgspec.Struct, frozen=True, kw_only=True):
    """Figures in a row, each with the word for it, that lead from one to the next."""

    title: str
    links: tuple[tuple[str, str], ...]
    answer: int
    """Which of them is the answer, from 0."""


class AssumedShown(msgspec.Struct, frozen=True, kw_only=True):
    """What is taken for granted: `?NUMBER VALUE` changes it."""

    number: int
    words: str
    value: str
    after: str
    """The value that comes next, "" for none."""
    decisive: bool
    """Whether the answer depends on it."""


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
    drawn: Annotated[str, note("the value of a fact on a drawn map, which may differ on the printed one")] = ""
    dice: Annotated[tuple[int, int], note("how many dice are thrown, and their sides; 0 for no roll")] = (0, 0)
    options: tuple[str, ...] = ()
    remarks: dict[str, str] = {}
    units: tuple[str, ...] = ()
    hexes: Annotated[bool, note("whether the options are hexes")] = False
    start: Annotated[str, note("the hex beside which all options lie")] = ""
    angles: Annotated[dict[str, int], note("where the options lie from there, in degrees clockwise from the top")] = {}
    usual: Annotated[str, note("the option that the chances assume")] = ""
    modifiers: Annotated[dict[str, tuple[str, ...]], note("the DRMs of a roll in words, by what it decides")] = {}


class TrustedShown(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer rests on that is not the player's own."""

    kind: Annotated[str, note("what stands in for it: map, charts or counters")]
    words: Annotated[str, note("what it is called, such as: drawn map")]
    lines: Annotated[tuple[str, ...], note("what was read of it")]
    asks: Annotated[tuple[AskShown, ...], note("of a map, what the owner of the printed one may state")] = ()


class RemedyShown(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter that, chosen so, makes possible what is refused."""

    words: str
    name: str
    value: str
    line: str
    """The line that chooses it for the question that is open."""


class AnswerShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="answer"):
    """An answer, part by part."""

    question: str
    title: str
    values: Annotated[dict[str, str], note("the parameters with which it was asked, as they are typed")] = {}
    given: Annotated[dict[str, str], note("the dice and choices with which it was asked, by their names")] = {}
    kind: Literal["yes", "no", "figure", "undecided"]
    answers: Annotated[tuple[str, ...], note("the verdict; where something may be hidden, as seen and as a range")]
    sentences: Annotated[
        tuple[str, ...], note("the verdict sentence by sentence, without what it rests on; none where a range is given")
    ] = ()
    headline: Annotated[
        StepShown | None,
        note("why something is not allowed, or what is missing, with its rule; null for another answer"),
    ] = None
    remedies: tuple[RemedyShown, ...] = ()
    rests_on: tuple[TrustedShown, ...] = ()
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
    """A table as its viewpoint sees it, and what the last line said. What is `Raw` is written once, as long as it stays
    the same.
    """

    table: str
    game: str
    title: str
    viewpoint: Annotated[str, note("whose knowledge it is: a side, umpire, or empty for everything")]
    entry: Annotated[int, note("the number of its last entry")]
    turn: Annotated[str, note("the turn in which its journal stands, in words")]
    moment: Annotated[
        msgspec.Raw, note("the facts of the whole game that are stated, such as turn and phase, each a `FactShown`")
    ]
    powers: Annotated[
        msgspec.Raw, note("what is stated of sides and nations, such as their points, each a `FactShown`")
    ]
    units: Annotated[tuple[msgspec.Raw, ...], note("each a `UnitShown`")]
    ground: Annotated[msgspec.Raw, note("what is stated of hexes and hexsides, each a `FactShown`")]
    combat: CombatShown | None = None
    march: MarchShown | None = None
    answer: AnswerShown | None = None
    assumed: tuple[AssumedShown, ...] = ()
    pending: AskShown | None = None
    entries: Annotated[tuple[EntryShown, ...], note("the last ones, the newest first")] = ()
    said: Annotated[tuple[str, ...], note("what the line said")] = ()
    held: Annotated[str, note("what is asked first: the line is carried out when sent again as sure")] = ""
    undo: Annotated[str, note("what `undo` takes back, in few words; empty if there is nothing")] = ""
    wished: Annotated[str, note("what another side wishes to undo, in few words; empty if there is nothing")] = ""
    agrees: Annotated[str, note("the line that agrees to just that")] = ""
    refused: Refused | None = None
    begun: Annotated[str, note("the ending of the save or log with which it began, empty for none")] = ""
