"""The phase in which a combat is fought: which it is, who is active in it, and whether the hex was attacked in it already (5.4, 10.0)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec

from assistant.questions import Step, View, note, step

MOVEMENT_PHASES = ("movement", "counter-movement")
ATTACK_PHASES = ("attack", "counter-attack")
COUNTERS = ("counter-movement", "counter-attack")
"""The phases in which the side is active whose player turn it is not."""


class AttackPhase(msgspec.Struct, frozen=True):
    """The phase in which a combat is fought.

    phase: its name, "" if it is not stated; active, attacking: the side whose phase it is, "" likewise, and the side that
    attacks in the combat; attacked: whether the defending hex has been attacked in it already; title: what the side whose phase it is
    is called.
    """

    phase: str = ""
    active: str = ""
    attacking: str = ""
    attacked: bool = False
    title: str = ""


Counter = Annotated[bool | None, note("whether it is the Counter Movement Phase; as the position says if left out")]
"""A parameter of questions about moves."""


def is_counter(view: View, stated: bool | None) -> bool:
    """Whether it is the Counter Movement Phase, as the position says if it is not stated."""
    return phase_of(view) == "counter-movement" if stated is None else stated


def phase_of(view: View) -> str:
    """The phase of the player turn, "" if it is not stated."""
    return view.word("phase")


def attack_phase(view: View, at: str, attacking: str) -> AttackPhase:
    """The phase of a combat, as far as it is known. at: the defending hex; attacking: the side that attacks it."""
    active = active_now(view)
    return AttackPhase(phase_of(view), active, attacking, view.flag("attacked", at), view.game.file.title_of(active))


def phase_against(view: View, at: str) -> AttackPhase:
    """The phase of a combat whose defenders stand in a hex, as far as it is known: the other side attacks."""
    defending = next(filter(None, (view.side_of(unit.id) for unit in view.stack(at))), "")
    attacking = next((side for side in view.game.file.sides if defending and side != defending), "")
    return attack_phase(view, at, attacking or active_now(view))


def active_now(view: View, phase: str | None = None) -> str:
    """The side that is active now, or would be in another phase; "" if that is not known."""
    phasing, phase = view.word("phasing"), phase_of(view) if phase is None else phase
    return active_side(phase, phasing, tuple(view.game.file.sides)) if phasing else ""


def active_side(phase: str, phasing: str, sides: Collection[str]) -> str:
    """The side that is active in a phase, which is the attacker in each of its combats; "" while the phase is not known.

    phasing: the side whose player turn it is; sides: both. Rule: 5.4, 10.0
    """
    if not phase:
        return ""
    return next(side for side in sides if (side == phasing) != (phase in COUNTERS))


def not_now(view: View, side: str, counter: bool | None = None) -> tuple[str, str]:
    """Why a side spends no Movement Points in this phase, the rule and why; two empty texts if it may, as far as is stated.

    counter: whether to suppose the Counter Movement Phase or the Movement Phase, None for the phase of the position.
    """
    phase = phase_of(view) if counter is None else MOVEMENT_PHASES[counter]
    active = active_now(view, phase)
    if phase and phase not in MOVEMENT_PHASES:
        return "2.2", f"Movement Points are spent in movement phases: phase={phase}"
    other = f"it is the {view.game.file.title_of(active)} side that moves in this phase"
    return ("5.4", other) if active not in ("", side) else ("", "")


def not_among_others(view: View, side: str, rule: str, phase: str) -> list[Step]:
    """Why a side does not do now what belongs into a phase of its player turn in which neither side moves or attacks, as far as is stated.
    side: "" if it is not known; phase: what that is called, such as "Pontoon Bridge Phase".
    """
    now, phasing = phase_of(view), view.word("phasing")
    if now not in ("", "other"):
        return [step(rule, "that is done in the {name}: phase={phase}", name=phase, phase=now)]
    if side and phasing not in ("", side):
        text = "that is done in the {name} of its side, and it is the {title} player turn"
        return [step(rule, text, name=phase, title=view.game.file.title_of(phasing))]
    return []
