"""Small phases with one unit brought to a hex by chance: the review and a naive judge agree on it.

If the naive judge finds the move unlawful, the review finds the fault at its step, or is undecided; it never calls a
lawful move a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from assistant.asking.report import MissingFacts
from assistant.formats.positions import Position
from assistant.game.course import active_sides
from assistant.records.review.deeds import carry_out
from assistant.records.review.review import review_log
from assistant.state.changes import Change

from ..comparing.search import Search
from ..making.maker import around
from . import naive
from .checking import Case, make_case
from .playing import Played, make_start, play, write_down

FEW = 3
"""The number of lawful moves beside the one that is seeded."""
FAR = 3
"""How far the unit is brought, in hexes."""


def seed_jump(random: Random, start: Position) -> Played | None:
    """Return a phase in which some units move and another is brought to a hex by chance, or None if none can be."""
    facts = start.state.facts
    sides = {unit.id: start.game.side_of_unit(unit, facts) for unit in start.state.units.values()}
    active = active_sides(start.game, facts)
    board = start.game.board_of(start.state)
    own = [unit for unit in start.state.units.values() if sides[unit.id] in active and board.is_hex(unit.place)]
    if not own:
        return None
    unit = random.choice(own)
    at = str(unit.place)
    enemies = {str(other.place) for other in start.state.units.values() if sides[other.id] not in active}
    target = random.choice(sorted({*around(board, at, FAR)} - {at, *enemies}))
    played = play(random, start, random.randint(0, FEW), unit.id)
    jump = (Change("place", unit.id, at, target, ""),)
    state = carry_out(played.states[-1], jump, start.game.tracks)
    return played._replace(
        states=[*played.states, state],
        units=[*played.units, unit.id],
        kinds=[*played.kinds, "jump"],
        changes=[*played.changes, jump],
    )


def find_faults(case: Case, seen: Counter[str]) -> Iterator[str]:
    """Yield a disagreement of the review with the naive judge."""
    random = Random(f"jump {case.game} {case.seed} {case.number}")
    start = make_start(random, case.game, small=True)
    jumped = seed_jump(random, start) if start is not None else None
    if jumped is None:
        seen["nothing to bring"] += 1
        return
    unit = jumped.units[-1]
    target = str(jumped.states[-1].units[unit].place)
    others = jumped.changes[:-1]
    try:
        lawful = naive.is_lawful(jumped.start, others, unit, target)
    except (naive.TooLarge, MissingFacts):
        seen["too large"] += 1
        return
    shuffled = random.random() < 0.5
    review = review_log(write_down(random, jumped, shuffled=shuffled), "made.vlog")
    mark = next(mark for mark in review.marks if mark.what.startswith(f"{unit} from "))
    seen[f"{'lawful' if lawful else 'unlawful'}: {mark.judgement}"] += 1
    if mark.judgement == "undecided":
        seen[f"undecided: {mark.why[:50]}"] += 1
    if mark.judgement == "against":
        seen[f"rule {mark.rule}"] += 1
    wrong = [other for other in review.marks if other.judgement == "against" and other is not mark]
    if wrong:
        yield f"accused: {wrong[0].what}: {wrong[0].why} [{wrong[0].rule}]"
    if lawful and mark.judgement == "against":
        yield f"{case.game}: {mark.what} is lawful, but: {mark.why} [{mark.rule}]"
    if not lawful and mark.judgement == "lawful":
        yield f"{case.game}: {mark.what} is not lawful, but the review has the way {mark.way} {mark.why}"


MARKER_FAULTS = ("far marker", "enemy marker")
"""Kinds of unlawful markers in *Twilight in the East*."""


def seed_marker(random: Random, played: Played, kind: str) -> tuple[Played, Change] | None:
    """Set an unlawful marker at the end of a phase. Return both, or None if no unit can have such a marker."""
    start, last = played.start, played.states[-1]
    board = start.game.board_of(last)
    active = active_sides(start.game, start.state.facts)
    stood = {unit: {str(state.units[unit].place) for state in (start.state, last)} for unit in last.units}
    placed = [unit for unit in last.units if all(place in board.hexes for place in stood[unit])]
    is_active = {unit: start.game.side_of_unit(last.units[unit], last.facts) in active for unit in placed}
    units = [unit for unit in placed if is_active[unit] == (kind == "far marker")]
    units = [unit for unit in units if ("prepared", unit) not in last.facts]
    if not units:
        return None
    unit = random.choice(units)
    at = str(last.units[unit].place)
    far = [hex for hex in board.hexes if 2 <= min(board.distance(hex, place) for place in stood[unit]) <= 4]
    hexes = sorted(far if kind == "far marker" else board.neighbours(at))
    marker = Change("prepared", unit, None, random.choice(hexes), "")
    state = carry_out(last, (marker,), start.game.tracks)
    return played._replace(states=[*played.states, state], changes=[*played.changes, (marker,)]), marker


SEARCH = Search("seeded-moves", make_case, find_faults, 1000)
