"""Where a picture shows the column shifts of a combat: each at its cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.asking.sketch import Remark
from assistant.mechanics.procedure import Modifier

_SHORT = (
    "attackers of ",
    " or independent stacks",
    " terrain",
    "across ",
    "defender ",
    " artillery",
    " Improved Position",
)
"""What is left out of the reason of a shift in the hex where its cause lies: the sum below has it whole."""


def shift_remarks(at: str, shifts: Sequence[Modifier], causes: Sequence[Sequence[str]]) -> Iterator[Remark]:
    """Yield each shift where its cause lies: one that is due to several hexsides or attackers counts at the first of
    them, and is named at the others. at: the hex that is attacked, for a shift without a place; causes: the places of
    each shift.
    """
    for shift, places in zip(shifts, causes, strict=True):
        why = shift.why
        for word in _SHORT:
            why = why.replace(word, "")
        first, *others = places or (at,)
        yield Remark(where=first, text=f"{shift.amount:+}: {why.replace('-', ' ')}")
        if "|" in first:
            for other in others:
                yield Remark(where=other, text=f"({why.replace('-', ' ')})")
