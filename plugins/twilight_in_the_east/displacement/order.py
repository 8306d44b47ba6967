"""In which order a move goes on that makes units displace and lets cavalry react (9.1.2, 9.5.1, 9.8.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from assistant.asking import Step, step

from ..terms import DEPOTS

EITHER_WAY = {"artillery": "9.5.1", "corps-train": "9.8.1"}
"""The arms of units that go before or after a reaction of cavalry, as their owner chooses, each with its rule."""


def order_steps(hex: str, cavalry: Collection[str], displacing: Mapping[str, str]) -> Iterator[Step]:
    """Yield the order in which a move goes on once units have entered a hex: reactions are announced and made, and
    units leave their hexes, before it does; artillery and Corps Trains leave before or after the reaction, as their
    owner chooses.

    `cavalry`: the enemy cavalry units that may react.

    `displacing`: the units that leave, with their arms.

    Rule: 9.1.2, 9.5.1b, 9.8.1c
    """
    if cavalry:
        text = (
            "{hex}: stop here and announce that a unit is adjacent to {cavalry}; its owner says at once whether it "
            "reacts, and it moves its one hex before the move goes on"
        )
        yield step("9.1.2", text, hex=hex, cavalry=list(cavalry))
    for arm, rule in (*EITHER_WAY.items(), *((depot, "9.9") for depot in DEPOTS)):
        units = [unit for unit, its_arm in displacing.items() if its_arm == arm]
        text = (
            "{hex}: {units} [several:leave their hexes|leaves its hex] before the move goes on"
            "[either_way:, and before or after the reaction of {cavalry}, as the owner chooses]"
        )
        either_way = cavalry and arm in EITHER_WAY
        if units:
            yield step(
                rule, text, hex=hex, units=units, cavalry=list(cavalry), several=len(units) > 1, either_way=either_way
            )
