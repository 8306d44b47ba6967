"""Threats asked about again: every figure of `threat` against what `battle`, `supply` and `stack` say by themselves of the
position that it supposes, which is built here by moving the units and setting the phase, one fact at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import msgspec

from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.game.course import course_file
from assistant.game.states import apply_changes
from assistant.rules.supply_lines import SEEN_SUPPLY
from assistant.service import ask
from assistant.state.changes import Change
from assistant.state.state import GameState
from assistant.state.tracks import Fact
from assistant.util.errors import InputError


def threats(position: Position, side: str = "", **more: Any) -> Any:
    """The result of the question; None where facts are missing for all of it."""
    asked = {"side": side, **more} if side else more
    return ask(msgspec.structs.replace(position, asks=()), "threat", **asked).result


def moved(position: Position, places: dict[str, str]) -> GameState:
    """The state with units elsewhere, as players move them one after the other."""
    units = position.state.units
    changes = [Change("place", unit, units[unit].place, place, "") for unit, place in places.items()]
    return apply_changes(position.game, position.state, changes)


def at_attack(position: Position, result: Any, assault: Any, phase: str) -> Position:
    """The position in which an attack is made: units supposed elsewhere, those that have come, and the enemy's phase, with
    what ends as a phase does. assault: None for one from where units stand; phase: the word of that phase.
    """
    places = {move.subject: move.after for move in result.supposed}
    places |= {approach.unit: approach.to for approach in assault.approaches} if assault else {}
    state, tracks = moved(position, places), position.game.tracks
    facts = dict(state.facts)
    if became := _find_moment(position, result.enemy, phase):
        ended = {key for key in facts if key[0] != SEEN_SUPPLY and tracks[key[0]].ends_as(became)}
        stated = {(name, ""): Fact(value) for name, value in became.items() if (name, "") in facts}
        facts = {key: fact for key, fact in facts.items() if key not in ended} | stated
    return msgspec.structs.replace(
        position, state=msgspec.structs.replace(state, facts=MappingProxyType(facts)), asks=()
    )


def _find_moment(position: Position, enemy: str, phase: str) -> dict[str, Any]:
    """Return what differs of turn, side and phase once an enemy attacks next.

    Without a phase and a side nothing does, unless the position holds what has happened in a phase: that is over then.
    """
    tracks, facts = position.game.tracks, position.state.facts
    now = {name: facts[name, ""].value for name in ("phase", "phasing", "turn") if (name, "") in facts}
    then: dict[str, Any] = {"phasing": enemy, "phase": phase}
    if not {"phase", "phasing"} & now.keys():
        return then if any(tracks[name].is_passing for name, _ in facts) else {}
    if not {"phase", "phasing", "turn"} <= now.keys():
        return {name: value for name, value in then.items() if now.get(name) != value}
    phases, order = [*tracks["phase"].values], course_file(position.game).turns.order
    is_over = phases.index(now["phase"]) > phases.index(phase)
    if is_over if now["phasing"] == enemy else order.index(enemy) < order.index(now["phasing"]):
        with suppress(InputError):  # no turn follows the last one
            then["turn"] = tracks["turn"].check(now["turn"] + 1)
    return {name: value for name, value in then.items() if now[name] != value}


def assaults(result: Any) -> Iterator[tuple[Any, Any]]:
    """Each attack of a result with its hex."""
    for threat in result.hexes:
        yield from ((threat, assault) for assault in (threat.standing, threat.coming) if assault)


def prove_by_dice(position: Position, result: Any, phase: str) -> int:
    """Compare each attack with `battle`, die by die, in a game whose battles are one die; how many were compared."""
    count = 0
    for threat, assault in assaults(result):
        there = at_attack(position, result, assault, phase)
        report = ask(there, "battle", **assault.battle)
        combat = report.result.combat
        assert (combat.column, combat.attack, combat.defence) == (assault.column, assault.attack, assault.defence)
        attackers = [getattr(unit.unit, "id", unit.unit) for unit in combat.attackers]
        assert sorted(attackers) == sorted(assault.attackers)
        count += 1
        if not report.result.chances:
            assert assault.chances is None
            continue
        lost, gone = Fraction(0), Counter[str]()
        dice = [played(there, assault.battle, die) for die in range(1, 7)]
        if any(each.kind in ("cell", "fact") for report in dice for each in report.asks):
            assert assault.chances is None
            continue
        for result_of_die in (report.result for report in dice):
            names = [getattr(unit, "unit", unit) for unit in result_of_die.lost if not getattr(unit, "corps", 0)]
            own = [name for name in names if name in threat.units]
            lost += Fraction(result_of_die.retreats == "defender" or set(own) >= set(threat.units), 6)
            gone["defender"] += len(own)
            gone["attacker"] += len(names) - len(own)
        assert assault.chances.lost == lost
        broken = [
            any(getattr(unit, "breaks", False) and unit.unit in threat.units for unit in report.result.lost)
            for report in dice
        ]
        assert assault.chances.breaks in (None, Fraction(sum(broken), 6))
        assert assault.chances.defender_mean == Fraction(gone["defender"], 6)
        assert assault.chances.attacker_mean == Fraction(gone["attacker"], 6)
    return count


def prove_columns(position: Position, result: Any, phase: str) -> int:
    """Compare the smallest attack in each column with `battle`, `need` and `attacks`; how many were compared. phase: as for `at_attack`."""
    count = 0
    for threat in result.hexes:
        there = at_attack(position, result, None, phase)
        assert bool(threat.columns) is bool(threat.standing)
        ranks = [reached.column for reached in threat.columns]
        assert len(ranks) == len({*ranks})
        for reached in threat.columns:
            combat = ask(there, "battle", **reached.battle).result.combat
            assert combat.column == reached.column
            attackers = [getattr(unit.unit, "id", unit.unit) for unit in combat.attackers]
            assert sorted(attackers) == sorted(reached.attackers)
            plan = ask(there, "need", at=threat.at, column=reached.column).result.plan
            assert (plan.column, plan.attackers) == (reached.column, reached.attackers)
            assert (*plan.support, *plan.expended) == reached.support
            count += 1
        if threat.standing:
            assert threat.standing.column in ranks
        if threat.missing:
            continue
        ranked = ask(there, "attacks", side=result.enemy, at=[threat.at]).result.targets
        (target,) = ranked or (None,)
        attackers = {name for plan in target.plans for name in plan.attackers} if target else set()
        assert bool(attackers) is bool(threat.standing)
        for unit in {name for reached in threat.columns for name in reached.attackers}:
            assert unit in attackers
        if not attackers:
            assert _refuses(there, threat.at)
    return count


def _refuses(position: Position, at: str) -> bool:
    """Whether `battle` and `need` allow no attack on a hex either."""
    column = "100" if position.game.id == "kaisers-war-in-the-east" else "1:1"
    allowed = list[str]()
    for question, more in (("battle", {}), ("need", {"column": column})):
        try:
            allowed.append(ask(position, question, at=at, **more).verdict.kind)
        except InputError:
            continue
    return not {"figure", "yes"}.intersection(allowed)


def played(position: Position, asked: Any, die: int) -> Report[Any]:
    """A battle with a die, each choice taken as it is listed first, other dice as ones."""
    answers = {"die": str(die)}
    while True:
        report = ask(position, "battle", answers=answers, **asked)
        due = {
            each.name: each.options[0] if each.kind == "choice" else "1"
            for each in report.asks
            if each.kind in ("choice", "roll")
        }
        if not due:
            return report
        answers |= due


def prove_supply(position: Position, result: Any, supplied: Any) -> int:
    """Compare each cut with `supply` about the position with the unit there; how many were compared. supplied: by unit what a
    report says of it.
    """
    before = supplied(ask(msgspec.structs.replace(position, asks=()), "supply", side=result.side))
    for cut in result.cuts:
        state = moved(position, {cut.unit: cut.at})
        then = supplied(ask(msgspec.structs.replace(position, state=state, asks=()), "supply", side=result.side))
        worse = {unit.unit: (unit.before, unit.after) for unit in cut.worse}
        assert worse == {name: (now, then[name]) for name, now in before.items() if then[name] != now}
    return len(result.cuts)
