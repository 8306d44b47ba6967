"""When a Repulse may be tried, and its price in Movement Points (8.5.1)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Literal

from assistant.mechanics.odds import Odds
from assistant.questions import Step, holding

from ...ground.phases import MOVEMENT_PHASES, AttackPhase
from ...results.repulse import CERTAIN, LEAST
from .report import RepulseParameters

COST = 1
"""Movement Points for an attempt in movement (8.5.1)."""
FROM_ONE = "a stack that retreats because of a Repulse may not attempt one"
ANOTHER = "a stack may attempt only one Repulse during a retreat, and this one already has"


def untimely(now: AttackPhase, parameters: RepulseParameters) -> list[Step]:
    """What forbids a Repulse now: in movement it takes the Movement or Counter Movement Phase, the active side and a Movement Point; a
    retreating stack tries one only, and none while it retreats from one.

    now: the phase, as far as it is stated. Rule: 8.5, 8.5.1b, 8.5.1c
    """
    movement, points = parameters.during == "movement", parameters.points
    price = SimpleNamespace(cost=cost(parameters.during), points=points)
    wrong_phase = movement and now.phase not in ("", *MOVEMENT_PHASES)
    others = movement and not wrong_phase and now.active not in ("", now.attacking)
    reasons = (
        (wrong_phase, "8.5", "a Repulse is attempted in movement phases or in a retreat: phase={phase}"),
        (others, "5.4", "it is the {title} side that moves in this phase"),
        (not movement and parameters.cause == "repulse", "8.5.1", FROM_ONE),
        (not movement and parameters.tried, "8.5.1", ANOTHER),
        (
            points is not None and points < price.cost,
            "8.5.1",
            "an attempt costs {cost:#Movement Point}, and {points} are left",
        ),
    )
    return holding(reasons, now, price)


def needs(odds: Odds) -> Literal["hopeless", "roll", "automatic"]:
    """What a Repulse at these odds, shifts included, needs to succeed. Rule: 8.5.2"""
    return "hopeless" if odds < LEAST else "automatic" if odds >= CERTAIN else "roll"


def cost(during: str) -> int:
    """The Movement Points that an attempt costs a Force: one in movement, none in a retreat. Rule: 8.5.1b"""
    return COST if during == "movement" else 0
