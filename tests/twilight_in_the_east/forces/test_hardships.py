"""SupplyEffect a unit suffers in Low Supply and Out of Supply (14.5), and that all who ask look into one table."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from assistant.asking.permission import holding
from twilight_in_the_east.forces.unit import SupplyEffect, hardships, suffers

from ...conftest import answered, told, typed

SUFFERED = {
    "low": {"check", "position"},
    "out": {"position", "recovery", "reaction"},
    "in": set[str](),
}


@pytest.mark.rule("14.5.1", "14.5.2")
@pytest.mark.parametrize("state", SUFFERED)
def test_what_each_state_brings(state: str) -> None:
    effects: tuple[SupplyEffect, ...] = get_args(SupplyEffect)
    assert {what for what in effects if suffers(state, what)} == SUFFERED[state]
    everything = holding(hardships(state, *effects))
    assert len(everything) == len(SUFFERED[state])
    assert {bar.rule for bar in everything} == (
        {"14.5.1"} if state == "low" else {"14.5.2"} if state == "out" else set()
    )


def asked(question: str, status: str, **parameters: Any) -> str:
    unit = f"41.19: german infantry XX A (9-9-0-11) movement=6 {status}\n41.23: russian infantry XX R\nturn=20\n"
    return "\n".join(told(answered(typed(unit), question, unit="A", **parameters)))


@pytest.mark.rule("14.5.1", "14.5.2")
@pytest.mark.parametrize("state", ["in", "low", "out"])
def test_recovery_and_condition_say_so(state: str) -> None:
    recovery = asked("recover", f"cel=-2 supply={state}", points=4)
    assert ("it is Out of Supply" in recovery) is suffers(state, "recovery")
    condition = asked("condition", f"supply={state}")
    assert ("Improved Position" in condition) is suffers(state, "position")
    assert ("DRM of +1" in condition) is suffers(state, "check")
