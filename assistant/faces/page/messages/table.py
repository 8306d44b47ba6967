"""The messages about a table: its units and facts, the combat, the answer, the asks, and the journal."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....util.notes import note
from .words import Parameter


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="refused"):
    """A refusal with its reason and a remedy; the table has not changed."""

    what: str
    where: str = ""
    hint: str = ""


class Drawn(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="drawn"):
    """A picture."""

    svg: str


class PhaseFound(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="phase"):
    """A phase in which a refused combat would be allowed."""

    title: Annotated[str, note("the phase, or empty if there is none")] = ""
    line: Annotated[str, note("the line that states it")] = ""


class LuckShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="luck"):
    """The luck in a table's battles."""

    lines: Annotated[tuple[str, ...], note("the luck as plain lines")]
    stand_ins: Annotated[str, note("the charts that could stand in for unknown cells, or empty")]


class TableLink(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="link"):
    """A table as a link."""

    fragment: Annotated[str, note("the end of the link after the address of the page, with its #")]
    seen: Annotated[str, note("the viewpoint in words")]
    left_out: Annotated[tuple[str, ...], note("the parts of the table that are not in the link, in words")]
    qr: Annotated[str, note("the link as a QR code in SVG; empty if the page is unknown or the code is impossible")] = (
        ""
    )
    no_qr: Annotated[str, note("the reason why there is no QR code")] = ""


class FactShown(msgspec.Struct, frozen=True, kw_only=True):
    """A fact."""

    track: str
    subject: str
    value: str
    """The value as it is typed, or "" if it is unknown."""
    word: Annotated[str, note("the value in words")]
    how: Annotated[str, note("the source in words")]
    doubtful: bool = False
    """Whether an answer that depends on the fact must say that the fact is doubtful."""


class UnitShown(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on the map or off it."""

    id: str
    place: str | None
    on_map: Annotated[bool, note("whether the place is on the map, not a box or a turn")]
    side: str
    nation: str
    arm: str
    size: str
    facts: tuple[FactShown, ...]
    figures: Annotated[
        tuple[str, ...], note("the figures on its counter in the order of the brackets; ? for an unknown one")
    ]
    state: Annotated[tuple[str, ...], note("the state in words: lost 3, cel -1")]
    look: Annotated[str, note("a digest of its counter's look")]


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """A hex next to the attacked one."""

    hex: str
    angle: int
    """The direction from the attacked hex, in degrees clockwise from the top."""
    side: str
    """The side of the units in the hex, or "" if it has none."""
    attacks: bool
    """Whether the hex is one of the combat's attacking hexes."""
    units: tuple[str, ...]
    between: tuple[FactShown, ...]
    """The facts of the hexside."""
    ground: tuple[FactShown, ...]
    """The facts of the hex."""


class CombatShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="combat"):
    """The open combat, or a hex that may be attacked."""

    target: str
    ground: tuple[FactShown, ...]
    units: tuple[str, ...]
    side: str
    around: tuple[Neighbour, ...]
    withheld: tuple[str, ...]
    parameters: tuple[Parameter, ...]


class MarchShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="march"):
    """The open move, or the question to which hexes units can move."""

    units: tuple[str, ...]
    at: str
    """The hex where the units begin, or "" off the map."""
    way: tuple[str, ...]
    """The hexes that the units enter."""
    parameters: tuple[Parameter, ...]
    """The other parameters of the question."""


class StepShown(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the working."""

    rule: str
    whose: Annotated[str, note("the attacker, the defender or a unit whose chances they are, or empty")] = ""
    text: str
    bars: tuple[tuple[str, float, str], ...] = ()
    """Likelihoods: each a value, the chance from 0 to 1, and the chance in percent as text."""


class PartShown(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the working."""

    title: str
    brief: str
    """The part in brief on one line, or ""."""
    steps: tuple[StepShown, ...]


class ChainShown(msgspec.Struct, frozen=True, kw_only=True):
    """A row of figures with their words, each derived from the previous one."""

    title: str
    links: tuple[tuple[str, str], ...]
    answer: int
    """The index of the link that is the answer."""


class AssumedShown(msgspec.Struct, frozen=True, kw_only=True):
    """An assumption, which `?NUMBER VALUE` changes."""

    number: int
    words: str
    value: str
    after: str
    """The value that follows when the assumption is changed step by step, or "" if there is none."""
    decisive: bool
    """Whether the answer depends on the assumption."""


class AskShown(msgspec.Struct, frozen=True, kw_only=True):
    """The next ask."""

    kind: Literal["fact", "cell", "parameter", "roll", "choice"]
    name: str
    title: str
    rule: str
    how: Annotated[str, note("the form of the answer as it would be typed")]
    takes: Annotated[str, note("the allowed values")] = ""
    line: Annotated[str, note("the line that states a fact or a cell, with {} for its value")] = ""
    of: Annotated[str, note("the track of a fact, or the chart of a cell")] = ""
    unseen: Annotated[str, note("the hex of unseen units that are asked for, or empty")] = ""
    drawn: Annotated[str, note("the value of a fact on a drawn map, which may differ on the printed one")] = ""
    dice: Annotated[tuple[int, int], note("the number of dice and of their sides, 0 for no roll")] = (0, 0)
    options: tuple[str, ...] = ()
    remarks: dict[str, str] = {}
    units: tuple[str, ...] = ()
    hexes: Annotated[bool, note("whether the options are hexes")] = False
    start: Annotated[str, note("the hex beside which all options lie")] = ""
    angles: Annotated[
        dict[str, int], note("the directions of the options from `start`, in degrees clockwise from the top")
    ] = {}
    usual: Annotated[str, note("the option that the chances assume")] = ""
    modifiers: Annotated[dict[str, tuple[str, ...]], note("the DRMs of a roll in words, by what it decides")] = {}


class TrustedShown(msgspec.Struct, frozen=True, kw_only=True):
    """A stand-in for the player's own charts, counters or map, on which an answer rests."""

    kind: Annotated[str, note("the material: map, charts or counters")]
    words: Annotated[str, note("the stand-in in words, such as: drawn map")]
    lines: Annotated[tuple[str, ...], note("the data that was read from it")]
    asks: Annotated[tuple[AskShown, ...], note("for a map, the facts that the owner of the printed one may state")] = ()


class RemedyShown(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter with the value that would make a refused question possible."""

    words: str
    name: str
    value: str
    line: str
    """The line that sets the value for the open question."""


class AnswerShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="answer"):
    """An answer, part by part."""

    question: str
    title: str
    values: Annotated[dict[str, str], note("the parameters with which it was asked, as they are typed")] = {}
    given: Annotated[dict[str, str], note("the dice and choices with which it was asked, by their names")] = {}
    kind: Literal["yes", "no", "figure", "undecided"]
    answers: Annotated[tuple[str, ...], note("the verdict; if something may be hidden, as seen and as a range")]
    sentences: Annotated[
        tuple[str, ...], note("the verdict by sentences, without what it rests on; empty if a range is given")
    ] = ()
    headline: Annotated[
        StepShown | None,
        note("the reason for a refusal, or the missing fact, with its rule; null for any other answer"),
    ] = None
    remedies: tuple[RemedyShown, ...] = ()
    rests_on: tuple[TrustedShown, ...] = ()
    chains: tuple[ChainShown, ...] = ()
    parts: tuple[PartShown, ...] = ()
    cautions: tuple[StepShown, ...] = ()
    asks: tuple[AskShown, ...] = ()
    changes: Annotated[tuple[str, ...], note("the changes on the map, in words")] = ()
    noted: Annotated[
        tuple[str, ...], note("facts noted until the phase or turn ends, which nothing on the map shows")
    ] = ()
    books: Annotated[tuple[str, ...], note("the changes in the accounts of a campaign")] = ()
    drawn: Annotated[tuple[str, ...], note("the kinds of pictures of it: picture, chart")] = ()
    text: Annotated[str, note("the whole report as plain lines for a forum")] = ""


class EntryShown(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the journal, in words."""

    number: int
    turn: str
    text: str
    struck: bool = False
    amount: Annotated[int | None, note("the amount of an event, or null")] = None
    amends: Annotated[bool, note("whether its words may be corrected, as those of an event, a fact or an answer")] = (
        False
    )


class TableShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="table"):
    """A table as its viewpoint sees it, and the response to the last line.

    A `Raw` field is JSON that is written once and reused while it stays the same.
    """

    table: str
    game: str
    title: str
    viewpoint: Annotated[str, note("the viewpoint: a side, umpire, or empty for everything")]
    entry: Annotated[int, note("the number of its last entry")]
    turn: Annotated[str, note("the current turn of its journal")]
    turn_in_words: Annotated[str, note("the month and turn of a game that counts months, or empty")]
    moment: Annotated[
        msgspec.Raw, note("the stated facts of the whole game, such as turn and phase, each a `FactShown`")
    ]
    powers: Annotated[
        msgspec.Raw, note("the stated facts of sides and nations, such as their points, each a `FactShown`")
    ]
    units: Annotated[tuple[msgspec.Raw, ...], note("the units, each a `UnitShown`")]
    ground: Annotated[msgspec.Raw, note("the stated facts of hexes and hexsides, each a `FactShown`")]
    combat: CombatShown | None = None
    march: MarchShown | None = None
    answer: AnswerShown | None = None
    assumed: tuple[AssumedShown, ...] = ()
    pending: AskShown | None = None
    entries: Annotated[tuple[EntryShown, ...], note("the last entries, the newest first")] = ()
    said: Annotated[tuple[str, ...], note("the response to the line")] = ()
    held: Annotated[
        str, note("the question that needs a yes first: the line is carried out when sent again as sure")
    ] = ""
    undo: Annotated[str, note("what `undo` takes back, shortened; empty if there is nothing")] = ""
    wished: Annotated[str, note("what another side wishes to undo, shortened; empty if there is nothing")] = ""
    agrees: Annotated[str, note("the line that agrees to that wish")] = ""
    refused: Refused | None = None
    begun: Annotated[str, note("the suffix of the save or log with which the table began, or empty")] = ""
    has_earlier: Annotated[bool, note("whether its first position is compared with an earlier table")] = False
