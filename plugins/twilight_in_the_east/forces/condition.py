"""What being Demoralized or Disordered means for a unit (7.3, 7.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import note


class Effect(msgspec.Struct, frozen=True):
    """Something that a unit's condition brings with it."""

    rule: Annotated[str, note("the rule behind it")]
    what: Annotated[str, note("the condition in words")]


DEMORALIZED = (
    Effect("8.6.1", "it recovers only 5 hexes or more from every enemy"),
    Effect("13.1.2", "it neither builds nor raises an Improved Position"),
    Effect("8.4.1", "it places no Prepared Attack marker"),
    Effect("10.1.2", "it cannot attack"),
    Effect("8.5.1", "it cannot attempt a Repulse"),
    Effect("10.10.3", "when it defends, the attacker's roll for step losses is 3 less"),
    Effect("11.3.2", "a check that it fails after combat costs it hexes and steps, and may Disorder it further"),
    Effect("8.3.3", "levels that a Forced March costs it are steps"),
    Effect("21.1.2", "no Strategic Plan obliges it to move"),
)


def effects(demoralized: bool, disorder: int, *, cavalry: bool, out_of_supply: bool) -> tuple[Effect, ...]:
    """All that being Demoralized means for a unit, and being Disordered, which is that and one thing more.

    demoralized: also if it is Disordered; disorder: the degree; out_of_supply: whether it is marked so.
    Rule: 7.3.1, 7.4.1
    """
    if not demoralized and not disorder:
        return ()
    more = (
        (out_of_supply, "14.6", "if it is Isolated too, it may surrender"),
        (cavalry, "9.2.2", "with an enemy next to it after the combats it has to retire if it can"),
        (cavalry and out_of_supply, "9.1.4", "it cannot make a Cavalry Reaction"),
        (disorder > 0, "7.4.1", "it recovers no levels before it has recovered from Disorder"),
    )
    return (*DEMORALIZED, *(Effect(rule, what) for holds, rule, what in more if holds))
