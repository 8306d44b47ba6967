"""Attacks of *Twilight in the East* with one wrong result: the review finds it, or is undecided with a reason.

The kinds of faults are fixed in `attacks.SEEDS`. Nothing else may be called against a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from assistant.records.review.marks import Mark
from assistant.records.review.review import review_log

from ..comparing.search import Search
from .attacks import SEEDS, TWILIGHT, Habits, Seeded, play_attacks, write_log


class Case(NamedTuple):
    """An attack by its number and seed."""

    number: int
    seed: int


def seed_case(case: Case) -> tuple[Seeded, list[Mark]] | None:
    """Return a seeded fault with the marks of its log, or None if the attack has no place for it."""
    random = Random(f"combat fault {case.seed} {case.number}")
    fought = play_attacks(random, TWILIGHT, 1)
    seeded = SEEDS[case.number % len(SEEDS)](random, fought) if fought is not None else None
    if fought is None or seeded is None:
        return None
    habits = Habits(shuffles=random.random() < 0.5, names_dice=True)
    record = write_log(random, fought, habits, [seeded.deed])
    return seeded, [*review_log(record, "made.vlog").marks]


def find_faults(case: Case, seen: Counter[str]) -> Iterator[str]:
    """Yield each seeded fault that is called lawful, and each accusation of something else."""
    made = seed_case(case)
    if made is None:
        seen["no place for a fault"] += 1
        return
    seeded, marks = made
    deed = seeded.deed
    wrong = [mark for mark in marks if mark.judgement == "against"]
    named = [mark for mark in wrong if deed.subject in mark.what]
    battle = next(mark for mark in marks if mark.cause == "battle")
    own = [mark for mark in marks if mark.what.startswith(deed.subject) and mark.cause in (deed.track, "move")]
    if named:
        is_right = any(mark.rule.startswith(seeded.rules) for mark in named)
        outcome = "found with its rule" if is_right else f"found with rule {named[0].rule}"
    elif battle.judgement == "lawful" and any(mark.judgement == "lawful" for mark in own):
        outcome = "lawful by other choices"  # the review has found a course of the combat with this result
    elif wrong:
        outcome = "found as another unit's"
    else:
        outcome = "undecided" if battle.judgement == "undecided" and battle.why else "silent"
        seen[f"undecided: {battle.why.partition(';')[0][:50]}"] += outcome == "undecided"
    seen[f"{seeded.kind}: {outcome}"] += 1
    seen["found otherwise" if outcome.startswith("found") and outcome != "found with its rule" else outcome] += 1
    seen["faults"] += 1
    if outcome == "silent":
        yield f"{seeded.kind} {deed}: {battle.judgement} {battle.why}"


SEARCH = Search("seeded-combats", Case, find_faults, 800)
