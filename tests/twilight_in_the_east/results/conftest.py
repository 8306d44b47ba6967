"""Units that the tests of what dice lead to are made of."""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.mechanics.procedure import Modifier
from twilight_in_the_east.forces.units import CombatUnit


def division(name: str = "A", **more: Any) -> CombatUnit:
    """A sound German infantry division with ten steps, five of them on its front."""
    unit = CombatUnit(name, "german", "infantry", "XX", True, "41.19", steps=10, back_steps=5, artillery=5)
    return msgspec.structs.replace(unit, **more)


def asset(name: str, size: str = "III", **more: Any) -> CombatUnit:
    return msgspec.structs.replace(
        division(name, size=size, formation=False, steps=2, back_steps=0, artillery=0), **more
    )


GUNS = asset("guns", "-", arm="artillery", steps=1, artillery=3)


def amounts(modifiers: tuple[Modifier, ...]) -> list[int]:
    return [modifier.amount for modifier in modifiers]
