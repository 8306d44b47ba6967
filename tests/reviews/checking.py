"""Phases played by chance and reviewed: no lawful move is called against a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from assistant.records.review.review import review_log

from ..comparing.search import Search
from .playing import GAMES, Played, make_start, play, play_settings, write_down


class Case(NamedTuple):
    """A phase by its game, number and seed."""

    game: str
    number: int
    seed: int


def make_case(number: int, seed: int) -> Case:
    """Make a case of each game in turn."""
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
    """Yield each lawful move that is called against a rule."""
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


SEARCH = Search("reviews", make_case, find_faults, 2000)
