"""The marks of a review: what it says of each step of a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from ...util.notes import note

Judgement = Literal["lawful", "against", "undecided", "aside", "agreed"]
"""The judgement on a step; `aside` is what is not a matter of rules, `agreed` what both players let stand."""
JUDGEMENTS: Mapping[Judgement, str] = {
    "lawful": "lawful",
    "against": "against a rule",
    "undecided": "undecided",
    "aside": "not a matter of rules",
    "agreed": "agreed",
}
"""The judgements in words, in the order in which they are counted."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """The judgement on one thing that a step of a record did."""

    step: Annotated[int, note("the step of a log, or the number of a journal's entry")]
    judgement: Annotated[
        Judgement,
        note("lawful, against, undecided, aside if it is not a matter of rules, or agreed if both let it stand"),
    ]
    what: Annotated[str, note("what was done")]
    rule: Annotated[str, note("the rule that it is against, or '' if there is none")] = ""
    why: Annotated[str, note("what is wrong, or the fact that is missing, or why it is lawful; may be empty")] = ""
    remedy: Annotated[str, note("what puts it right, or ''")] = ""
    way: Annotated[tuple[str, ...], note("the hexes of a lawful move, with the first one")] = ()
    cause: Annotated[str, note("the kind of thing that was done, by which marks are counted")] = ""
    when: Annotated[str, note("the turn and phase, or '' if the record states neither")] = ""
    rests_on: Annotated[
        tuple[str, ...], note("what stands in for the owner's own map, charts and counters, such as `drawn map`")
    ] = ()


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A record of play reviewed."""

    file: Annotated[str, note("the file of the record")]
    game: Annotated[str, note("the game's id")]
    steps: Annotated[int, note("the number of steps of the record")]
    marks: Annotated[tuple[Mark, ...], note("the judgements in the order of the steps")] = ()
    viewpoint: Annotated[str, note("the side to whose knowledge it is limited, `umpire`, `everything`, or ''")] = ""
    viewpoint_title: Annotated[str, note("the name of that side")] = ""

    @property
    def counts(self) -> Mapping[Judgement, int]:
        """The number of marks of each judgement."""
        counted = Counter(mark.judgement for mark in self.marks)
        return {judgement: counted[judgement] for judgement in JUDGEMENTS}

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What stands in for the owner's own map, charts and counters in any of the marks."""
        return tuple(dict.fromkeys(name for mark in self.marks for name in mark.rests_on))

    @property
    def exit_code(self) -> int:
        """The code with which the command ends: 1 if a step is against a rule, else 4 if one is undecided, else 0."""
        counts = self.counts
        return 1 if counts["against"] else 4 if counts["undecided"] else 0


def write_value(value: object) -> str:
    """Return a value of a fact or a parameter as a mark words it, such as `yes`, or `none` for none."""
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
