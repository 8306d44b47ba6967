"""Random combats played through the library to their end: each pending roll and choice is answered at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec

import assistant
from assistant.asking import play as playing
from assistant.asking.report import MissingFacts, Report
from assistant.formats.positions import Position
from assistant.mechanics.chances import UnknownCells, chances
from assistant.mechanics.procedure import Choice
from twilight_in_the_east.battle import question
from twilight_in_the_east.entering.consequences import find_consequences

from ..comparing.search import Row, Search
from ..owing import left_out
from .entering import FOLLOW, wrongly_left
from .faults import LONGEST, Fault, thrown, with_stated
from .holding import broken
from .otherwise import asking, differences
from .retreating import retreat
from .worlds import World, world

AT_ONCE = 0.6
"""How often all that is pending is answered at once."""
OTHERWISE, RETREATS = 0.05, 0.1
"""The shares of combats that are fought by the command line and at the table too, and after which a stack retreats by `retreat`."""


class Told(msgspec.Struct):
    """A combat as it was played. dice: every answer in order; seen: what occurred in it; fault: what went wrong, "" for nothing;
    left: hexes that stacks have left or crossed; displaced: units that had to make room, or may have to."""

    world: World
    dice: dict[str, str]
    seen: Counter[str]
    before: Position | None = None
    after: Position | None = None
    fault: str = ""
    left: tuple[str, ...] = ()
    displaced: tuple[str, ...] = ()


def told(number: int, seed: int) -> Told:
    """A combat by its number, the same in any run with this seed, with the fault that it showed."""
    return played(world(Random(f"{seed} {number}")), Random(f"{seed} {number} dice"))


def played(given: World, random: Random) -> Told:
    """A combat played with random dice and choices, and all that must hold of it looked at."""
    one = Told(given, {}, Counter())
    try:
        fight(one, random)
        one.fault = (
            "; ".join(broken(one.before, one.after, one.left, one.displaced)) if one.before and one.after else ""
        )
        if one.after and not one.fault and random.random() < RETREATS:
            one.fault = "; ".join(retreat(one.after, random, one.seen))
    except Fault as fault:
        one.fault = str(fault)
    except Exception as error:
        one.fault = f"{type(error).__name__}: {error}"
    return one


def fight(one: Told, random: Random) -> None:
    """Play the combat itself until it asks for nothing more, and carry out what it changes."""
    one.before = position = assistant.parse(one.world.text)
    try:
        report = asked(one, position)
    except assistant.InputError as error:
        one.seen[f"refused: {error.what[:40]}"] += 1
        one.seen["refused"] += 1
        return
    if report.verdict.kind == "no":
        one.seen["refused"] += 1
        return
    if report.verdict.kind == "undecided":
        text = with_stated(one.world.text, report.asks)
        one.world = msgspec.structs.replace(one.world, text=text)
        fight(one, random)
        return
    caught: list[Mapping[str, Any]] = []
    for _ in range(LONGEST):
        if not report.asks:
            break
        due = report.asks if random.random() < AT_ONCE else [random.choice(report.asks)]
        for ask in due:
            if ask.kind == "choice" and random.random() < 0.15:
                for option in ask.options:
                    asked(one, position, {**one.dice, ask.name: option})
        one.dice |= {ask.name: thrown(ask, random) for ask in due}
        caught.clear()
        report = asked(one, position, one.dice, caught)
        if report.verdict.kind == "undecided" and report.result is None:  # a Repulse in a retreat asks for more
            text = with_stated(one.world.text, report.asks)
            one.world, one.dice = msgspec.structs.replace(one.world, text=text), {}
            fight(one, random)
            return
        if report.verdict.kind == "undecided":
            raise Fault(f"undecided after {one.dice}: {[due.how for due in report.asks]}")
    else:
        raise Fault(f"no end after {one.dice}")
    for part in caught:
        if "procedure" in part:
            possible(part, one.dice)
    unpaid(report)
    one.left = tuple(hex for leg in report.result.outcome.retreats for hex in (leg.place, *leg.way))
    outcome = report.result.outcome
    one.displaced = (*(unit.unit for unit in outcome.displaced), *outcome.unsettled)
    one.after = position.after(report.changes)
    if unsaid := list(left_out(msgspec.structs.replace(position, asks=()), report)):
        raise Fault("; ".join(unsaid))
    one.seen["with something owed afterwards"] += bool(report.follows)
    moves = next((part["marches"] for part in reversed(caught) if "marches" in part), ())
    if wrong := list(wrongly_left(position, one.after, moves, outcome.unsettled)):
        raise Fault("; ".join(wrong))
    one.seen["hexes entered one by one"] += sum(len(march.way) for march in moves)
    one.seen["facts that follow from moves"] += sum(change.track in FOLLOW for change in report.changes)
    if random.random() < OTHERWISE and (wrong := differences(one.world, one.dice, one.after)):
        raise Fault("; ".join(wrong))
    count(one.seen, report, one.dice)
    one.seen["combats"] += 1


def asked(
    one: Told,
    position: Position,
    answers: Mapping[str, str] | None = None,
    caught: list[Mapping[str, Any]] | None = None,
) -> Report[Any]:
    """The question `battle` with these answers. caught: gets the procedures that it plays, and the moves of it."""

    def play(view: Any, procedure: Any, start: Any, *rest: Any, **more: Any) -> Any:
        found = playing.play_procedure(view, procedure, start, *rest, **more)
        if caught is not None:
            caught.append({"procedure": procedure, "start": start, "settled": found})
        return found

    def follow(view: Any, marches: Any) -> Any:
        moves = tuple(marches)
        if caught is not None:
            caught.append({"marches": moves})
        return find_consequences(view, moves)

    spied = {"play_procedure": play, "find_consequences": follow}
    with patch("twilight_in_the_east.battle.chances.play_procedure", play), patch.multiple(question, **spied):
        report = assistant.ask(position, "battle", answers or {}, at=one.world.at, **one.world.asked)
        if report.verdict.kind == "no":  # two Artillery Ammunition Points serve two commands at most
            one.world.asked.update(attacker_ap="none", defender_ap="none")
            report = assistant.ask(position, "battle", answers or {}, at=one.world.at, **one.world.asked)
    return report


def possible(caught: Mapping[str, Any], dice: Mapping[str, str]) -> None:
    """Raise Fault if what came of the combat has no chance before the dice under a policy that makes the same choices."""

    def policy(choice: Choice) -> str:
        answer = dice.get(choice.name, "")
        return answer if answer in choice.options else next(iter(choice.options))

    settled = caught["settled"].settled
    try:
        every = chances(caught["procedure"], caught["start"], policy)
    except (UnknownCells, MissingFacts):  # what another roll would have had to know
        return
    for name, value in settled.items():
        if not every.marginal(name).get(value):
            raise Fault(f"{name} = {value} had no chance beforehand")
    sums = [name for name in ("crt", "attacker.steps", "defender.steps", "defender.vacates") if name in settled]
    if not every.joint(*sums).get(tuple(settled[name] for name in sums)):
        raise Fault(f"{[settled[name] for name in sums]} of {sums} had no chance together")


def unpaid(report: Report[Any]) -> None:
    """Raise Fault if a Force has not gone as far as it had to, and nobody was charged for that or is gone."""
    after = report.result.outcome
    gone = {change.subject for change in report.changes if change.track == "place" and change.after is None}
    for duty in after.obligations:
        legs = [leg for leg in after.retreats if duty.force in {force.force for force in leg.forces}]
        charged = any(charge.rule == "11.2.6" for leg in legs for charge in leg.charges)
        if sum(len(leg.way) for leg in legs) < duty.hexes and not charged and duty.force not in gone:
            raise Fault(f"{duty.force} owes {duty.hexes} and has gone by {[leg.way for leg in legs]} without a charge")


def count(seen: Counter[str], report: Report[Any], dice: Mapping[str, str]) -> None:
    """What occurred in a combat."""
    after = report.result.outcome
    legs = after.retreats
    seen["retreats by the result"] += sum(leg.cause == "crt" for leg in legs)
    seen["retreats by checks"] += sum(leg.cause != "crt" for leg in legs)
    seen["retreats of attackers"] += sum(leg.side == "attacker" for leg in legs)
    seen["hexes retreated"] += sum(len(leg.way) for leg in legs)
    seen["Forces that surrendered"] += sum(len(leg.surrendered) for leg in legs)
    seen["Forces charged for hexes not retreated"] += sum(
        charge.rule == "11.2.6" for leg in legs for charge in leg.charges
    )
    seen["Repulses tried"] += len(after.repulses)
    seen["Repulses that succeeded"] += sum(one.repulsed for one in after.repulses)
    seen["units displaced by their owner's choice of a hex"] += sum(name.startswith("to.") for name in dice)
    seen["units displaced in a combat"] += sum(bool(one.hex) for one in after.displaced)
    seen["units eliminated as they had nowhere to make room"] += sum(not one.hex for one in after.displaced)
    seen["units of which a fact was missing"] += len(after.unsettled)
    seen["units eliminated"] += sum(change.track == "place" and change.after is None for change in report.changes)
    seen["defender left"] += bool(after.vacated)
    seen["advances"] += bool(after.advanced)
    seen["dice and choices"] += len(dice)


def find_faults(one: Told, seen: Counter[str]) -> Iterator[str]:
    """Yield what went wrong in a combat."""
    seen.update(one.seen)
    if one.fault:
        yield one.fault


def write(one: Told) -> str:
    """Return the position of a combat with its question and answers."""
    answers = " ".join(f'"{name}"="{answer}"' for name, answer in one.dice.items())
    return asking(one.world) + (f"answers {answers}\n" if answers else "")


ROW = Row("Random combats", "{cases:,} combats, {dice and choices:,} dice and choices", "{faults} faults")
SEARCH = Search("combats", told, find_faults, 10_000, 7, write=write, row=ROW, chunk=25)
