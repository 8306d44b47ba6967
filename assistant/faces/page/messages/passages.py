"""The passages of a table: what each has changed, in words and for the map, and the luck of its battle."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ....util.notes import note
from .table import ChainShown


class PassagesCounted(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="passages"):
    """The number of passages that a table's viewpoint has seen."""

    count: int


class SentenceShown(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of a passage."""

    kind: Annotated[str, note("the kind: fought, decided, moved, entered, left, came to, books, entry")]
    text: str
    head: Annotated[str, note("the emphasized beginning, such as an army, or empty")] = ""


class MoveShown(msgspec.Struct, frozen=True, kw_only=True):
    """Units that have moved from one place of the map to another."""

    start: str
    end: str
    side: Annotated[str, note("the side of the units, or empty if it is not known")]
    units: tuple[str, ...]
    way: Annotated[
        tuple[str, ...], note("the hexes entered, the last one the end, or empty if they are not known")
    ] = ()


class OutcomeShown(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of a battle beside the one expected before the dice."""

    title: str
    expected: str
    actual: str
    percentile: Annotated[str, note("the chance, of 100, of a worse result, and half the chance of an equal one")]


class RollShown(msgspec.Struct, frozen=True, kw_only=True):
    """A roll or choice of a battle."""

    title: str
    dice: Annotated[str, note("the dice, or empty for a choice")]
    percentile: str
    swing: Annotated[str, note("the expected swing before and after it")]
    luck: Annotated[str, note("the change of the expected swing, for the side of the roll")]


class FoughtShown(msgspec.Struct, frozen=True, kw_only=True):
    """A battle, with its odds and its luck."""

    at: Annotated[str, note("the hex attacked, or empty if it is not named")]
    attacks: Annotated[tuple[str, ...], note("the attacking hexes")]
    odds: Annotated[tuple[ChainShown, ...], note("the figures, the column among them")]
    verdict: Annotated[str, note("which side was luckier, in words; empty without luck")]
    luck: Annotated[tuple[OutcomeShown, ...], note("the losses of each side, then the swing of the attacker")]
    rolls: tuple[RollShown, ...]
    rests_on: Annotated[tuple[str, ...], note("sources that are not printed, and what else it rests on")]
    why_not: Annotated[str, note("the reason why its luck is left out, or empty")] = ""


class PassageShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="passage"):
    """What a passage has changed at a table, as the table's viewpoint has seen it."""

    number: Annotated[int, note("the number of the passage, 0 for the start")]
    count: Annotated[int, note("the number of passages")]
    turn: Annotated[str, note("the turn and the phase in words, or empty")]
    sentences: tuple[SentenceShown, ...]
    is_correction: Annotated[bool, note("whether it corrects earlier entries; always false for a side")] = False
    moves: tuple[MoveShown, ...] = ()
    entered: Annotated[tuple[str, ...], note("hexes in which units have come into play or into sight")] = ()
    left: Annotated[tuple[str, ...], note("hexes in which units have left play or dropped out of sight")] = ()
    changed: Annotated[tuple[str, ...], note("hexes with another change")] = ()
    battle: FoughtShown | None = None
    stacks: Annotated[dict[str, str], note("a digest of the counters in each place of the map, after the passage")] = {}
