"""Phases played by chance and reviewed: no lawful move is called against a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from assistant.records.review.review import review_log

from ..comparing.search import Search
from .attacks import ATTACKED, draw_habits, play_attacks, write_log
from .playing import GAMES, Played, make_start, play, play_settings, write_down

ATTACKS = 5
"""The number of phases of which one has attacks instead of moves."""


class Case(NamedTuple):
    """A phase by its game, number and seed."""

    game: str
    number: int
    seed: int
    has_attacks: bool = False


def make_case(number: int, seed: int) -> Case:
    """Make a case of each game in turn."""
    if number % ATTACKS == ATTACKS - 1:
        return Case(ATTACKED[number // ATTACKS % len(ATTACKED)], number, seed, has_attacks=True)
    return Case(GAMES[number % len(GAMES)], number, seed)


def play_case(case: Case) -> tuple[Random, Played] | None:
    """Return the phase of a case, or None if its position cannot be read or nothing moved."""
    random = Random(f"review {case.game} {case.seed} {case.number}")
    start = make_start(random, case.game)
    if start is None:
        return None
    played = play(random, start)
    return (random, play_settings(random, played)) if played.units else None


def find_faults(case: Case, seen: Counter[str]) -> Iterator[str]:
    """Yield each lawful move or attack that is called against a rule."""
    if case.has_attacks:
        yield from find_faults_of_attacks(case, seen)
        return
    made = play_case(case)
    if made is None:
        seen["nothing played"] += 1
        return
    random, played = made
    shuffled = random.random() < 0.6
    record = write_down(random, played, shuffled=shuffled)
    review = review_log(record, "made.vlog")
    seen[f"phases of {case.game}"] += 1
    seen.update(f"move by {kind}" for kind in played.kinds)
    for mark in review.marks:
        seen[f"{mark.cause if mark.cause == 'move' else 'fact'} {mark.judgement}"] += 1
        if mark.cause != "move":
            seen[f"{mark.cause} {mark.judgement}"] += 1
        if mark.judgement == "undecided" and mark.cause == "move":
            seen[f"undecided: {mark.why[:40]}"] += 1
        if mark.judgement == "against":
            yield f"{case.game} {'shuffled' if shuffled else 'in order'}: {mark.what}: {mark.why} [{mark.rule}] (moved: {played.units})"


def find_faults_of_attacks(case: Case, seen: Counter[str]) -> Iterator[str]:
    """Yield each lawful attack, or result of one, that is called against a rule."""
    random = Random(f"attacks {case.game} {case.seed} {case.number}")
    fought = play_attacks(random, case.game)
    if fought is None:
        seen["no attack"] += 1
        return
    habits = draw_habits(random)
    review = review_log(write_log(random, fought, habits), "made.vlog")
    seen[f"attacks in {case.game}"] += len(fought.attacks)
    is_told = habits.declares and habits.throws
    for mark in review.marks:
        kind = mark.cause if mark.cause in ("battle", "phase", "owed") else "result"
        seen[f"{kind} {mark.judgement}{', declared with dice' if is_told else ''}"] += 1
        if mark.judgement == "undecided" and (kind != "result" or not is_told):
            seen[f"undecided {kind}: {tell_cause(mark.why)}"] += 1
        if mark.judgement == "against":
            yield f"{case.game} {habits}: {mark.what}: {mark.why} [{mark.rule}]"


def tell_cause(why: str) -> str:
    """Return the kind of fact that is missing, without the names in it."""
    first = why.partition(";")[0]
    return " ".join(word for word in first.split() if not any(letter in "0123456789/=" for letter in word))[:50]


SEARCH = Search("reviews", make_case, find_faults, 2000)
