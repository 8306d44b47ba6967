"""Whether it is the time for what belongs to a phase of a side's own player turn (6.2)."""

from __future__ import annotations

from assistant.questions import Step, View, step


def out_of_phase(view: View, side: str, phase: str, rule: str) -> list[Step]:
    """That another side's player turn or another phase is stated; nothing where neither is. Rule: 6.2/2a, 6.2/2b"""
    reasons = []
    if (phasing := view.word("phasing")) and side and phasing != side:
        reasons.append(step(rule, "it is the player turn of the {phasing}", phasing=view.game.file.title_of(phasing)))
    if (now := view.word("phase")) and now != phase:
        reasons.append(step(rule, "that is done in the {phase} phase, and it is {now}", phase=phase, now=now))
    return reasons
