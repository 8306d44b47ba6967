"""What a unit suffers that its last Supply Phase found in Low Supply or Out of Supply, until the next one (14.5): one table for all who ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

What = Literal["check", "position", "recovery", "reaction"]


class Hardship(msgspec.Struct, frozen=True):
    """An effect of a supply state. what: whom it concerns; states: those that bring it, each with its rule; words: what it means."""

    what: What
    states: tuple[tuple[str, str], ...]
    words: str

    def rule(self, state: str) -> str:
        """The rule by which a supply state brings it, "" if it does not."""
        return dict(self.states).get(state, "")


HARDSHIPS = (
    Hardship("check", (("low", "14.5.1"),), "its checks after combat and of Forced Marches have DRM +1"),
    Hardship("position", (("low", "14.5.1"), ("out", "14.5.2")), "it raises no Improved Position to Level 3 or 4"),
    Hardship("recovery", (("out", "14.5.2"),), "it recovers neither levels nor from Disorder"),
    Hardship("reaction", (("out", "14.5.2"),), "as Demoralized cavalry it makes no Cavalry Reaction"),
)


def suffers(state: str, what: What) -> bool:
    """Whether a combat unit suffers a hardship. state: in, low or out; "reaction" is that of Demoralized cavalry alone.
    Rule: 14.5.1, 14.5.2
    """
    return any(hardship.what == what and hardship.rule(state) for hardship in HARDSHIPS)


def hardships(state: str, *, demoralized_cavalry: bool) -> Iterator[tuple[str, str]]:
    """All that a supply state brings a combat unit, each with its rule (14.5.1, 14.5.2)."""
    for hardship in HARDSHIPS:
        if hardship.rule(state) and (demoralized_cavalry or hardship.what != "reaction"):
            yield hardship.rule(state), hardship.words
