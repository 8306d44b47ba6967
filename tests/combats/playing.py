"""One combat played through the library to its end: each pending roll and choice answered at random, then the retreats still due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec

import assistant
from assistant.formats.positions import Position
from assistant.mechanics.chances import UnknownCells, chances
from assistant.mechanics.procedure import Choice
from assistant.questions import play as playing
from assistant.questions.report import Ask, Report
from twilight_in_the_east.battle import chances as battle

from .holding import broken, on_map
from .worlds import World, world

LONGEST = 120
"""Answers after which a combat counts as one without an end."""


TRIES = 8
"""Ways that are tried for one whose last hex holds all."""


class Fault(AssertionError):
    """Something that must not happen in a combat."""


class Told(msgspec.Struct):
    """A combat as it was played. dice: every answer in order; seen: what occurred in it; fault: what went wrong, "" for nothing."""

    world: World
    dice: dict[str, str]
    seen: Counter[str]
    before: Position | None = None
    after: Position | None = None
    fault: str = ""


def told(number: int, seed: int) -> Told:
    """A combat by its number, the same in any run with this seed, with the fault that it showed."""
    return played(world(Random(f"{seed} {number}")), Random(f"{seed} {number} dice"))


def played(given: World, random: Random) -> Told:
    """A combat played with random dice and choices, and all that must hold of it looked at."""
    one = Told(given, {}, Counter())
    try:
        for step in (fight, withdraw):
            step(one, random)
        one.fault = "; ".join(broken(one)) if one.after else ""
    except Fault as fault:
        one.fault = str(fault)
    except Exception as error:
        one.fault = f"{type(error).__name__}: {error}"
    one.seen["faults"] += bool(one.fault)
    return one


# --- the combat -------------------------------------------------------------------------------------------------------


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
        one.seen["undecided"] += 1
        return
    caught: list[Mapping[str, Any]] = []
    for _ in range(LONGEST):
        if not report.asks:
            break
        ask = random.choice(report.asks)
        answer = thrown(ask, random)
        if ask.kind == "choice" and random.random() < 0.15:
            for option in ask.options:
                asked(one, position, {**one.dice, ask.name: option})
        one.dice[ask.name] = answer
        report = asked(one, position, one.dice, caught)
        if report.verdict.kind == "undecided":
            raise Fault(f"undecided after {one.dice}: {[due.how for due in report.asks]}")
    else:
        raise Fault(f"no end after {one.dice}")
    if caught:
        possible(caught[-1], one.dice)
    one.after = position.after(report.changes)
    count(one.seen, report)
    one.seen["combats"] += 1


def asked(
    one: Told,
    position: Position,
    answers: Mapping[str, str] | None = None,
    caught: list[Mapping[str, Any]] | None = None,
) -> Report[Any]:
    """The question `battle` with these answers. caught: gets the procedure that it plays."""

    def play(view: Any, procedure: Any, start: Any, *rest: Any, **more: Any) -> Any:
        found = playing.play(view, procedure, start, *rest, **more)
        if caught is not None:
            caught.append({"procedure": procedure, "start": start, "settled": found})
        return found

    with patch.object(battle, "play", play):
        report = assistant.ask(position, "battle", answers or {}, at=one.world.at, **one.world.asked)
        if report.verdict.kind == "no":  # two Artillery Ammunition Points serve two commands at most
            one.world.asked.update(attacker_ap="none", defender_ap="none")
            report = assistant.ask(position, "battle", answers or {}, at=one.world.at, **one.world.asked)
    return report


def thrown(ask: Ask, random: Random) -> str:
    """Dice or an option for what is pending."""
    if ask.kind == "roll":
        number, _, sides = ask.dice.partition("d")
        return "+".join(str(random.randint(1, int(sides))) for _ in range(int(number or 1)))
    if ask.kind == "choice" and ask.options:
        return random.choice(ask.options)
    raise Fault(f"neither dice nor a choice is pending: {ask.kind} {ask.name}: {ask.how}")


def possible(caught: Mapping[str, Any], dice: Mapping[str, str]) -> None:
    """Raise Fault if what came of the combat has no chance before the dice under a policy that makes the same choices."""

    def policy(choice: Choice) -> str:
        answer = dice.get(choice.name, "")
        return answer if answer in choice.options else next(iter(choice.options))

    settled = caught["settled"].settled
    try:
        every = chances(caught["procedure"], caught["start"], policy)
    except UnknownCells:
        return
    for name, value in settled.items():
        if not every.marginal(name).get(value):
            raise Fault(f"{name} = {value} had no chance beforehand")
    sums = [name for name in ("crt", "attacker.steps", "defender.steps", "defender.vacates") if name in settled]
    if not every.joint(*sums).get(tuple(settled[name] for name in sums)):
        raise Fault(f"{[settled[name] for name in sums]} of {sums} had no chance together")


def count(seen: Counter[str], report: Report[Any]) -> None:
    """What occurred in a combat."""
    after = report.result.outcome
    places = [change for change in report.changes if change.track == "place"]
    seen["units eliminated"] += sum(change.after is None for change in places)
    seen["units moved in the combat"] += sum(change.after is not None for change in places)
    seen["obligations"] += len(after.obligations)
    seen["defender left"] += bool(after.vacated)
    seen["advances possible"] += bool(after.advance)


# --- what is still owed -----------------------------------------------------------------------------------------------


def withdraw(one: Told, random: Random) -> None:
    """Play the retreats that the position still owes, hex by hex, until nothing is owed."""
    if one.after is None:
        return
    for _ in range(LONGEST):
        place = next((str(unit.place) for unit in owing(one.after)), None)
        if place is None:
            return
        one.after = with_guns(one, place)
        retreat(one, place, random)
    raise Fault("retreats without an end")


def owing(position: Position) -> Iterator[Any]:
    """The units that still owe hexes of retreat."""
    return (unit for unit in on_map(position.state) if position.state.value("owes", unit.id))


def with_guns(one: Told, place: str) -> Position:
    """The position with what the artillery owes that stands idle with a Force which retreats."""
    assert one.after is not None
    value, lines = one.after.state.value, []
    for unit in one.after.state.stack(place):
        of = value("with", unit.id)
        if of and value("owes", str(of)) and not value("owes", unit.id):
            lines.append(f"{unit.id} owes={value('owes', str(of))}")
    one.seen["idle guns drawn along"] += len(lines)
    return assistant.parse("\n".join(lines), one.after) if lines else one.after


def retreat(one: Told, place: str, random: Random) -> None:
    """One stack's retreat by the question `retreat`, if it can be by a way that ends in a hex which holds all."""
    for number in range(TRIES):
        report = walked(one, place, random)
        if not report.result.over_stacked or number == TRIES - 1:
            break
    assert one.after is not None
    one.seen["retreats afterwards"] += 1
    one.seen["surrenders afterwards"] += report.result.surrenders
    if report.result.over_stacked:
        one.seen["over-stacked afterwards"] += 1
    if not report.changes:
        raise Fault(f"retreat from {place} by {report.result.way} changes nothing")
    one.after = one.after.after(report.changes)


def walked(one: Told, place: str, random: Random) -> Report[Any]:
    """The report on a retreat by a random way, carried to its end."""
    way: list[str] = []
    answers: dict[str, str] = {}
    for _ in range(LONGEST):
        assert one.after is not None
        more: dict[str, Any] = {"way": way} if way else {}
        report = assistant.ask(one.after, "retreat", answers, at=place, cause="check", last=True, **more)
        if report.verdict.kind == "undecided" and all(ask.kind == "fact" for ask in report.asks):
            one.after = assistant.parse("\n".join(map(stated, report.asks)), one.after)
        elif report.verdict.kind in ("no", "undecided"):
            raise Fault(f"retreat from {place} by {way}: {report}")
        elif report.result.complete and not report.asks:
            return report
        elif report.result.complete:
            ask = random.choice(report.asks)
            answers[ask.name] = thrown(ask, random)
        else:
            options = [option.hex for option in report.result.options if not option.barred]
            if not options:
                raise Fault(f"retreat from {place} by {way}: not over, and no hex is open")
            way.append(random.choice([hex for hex in options if hex not in (place, *way)] or options))
    raise Fault(f"retreat from {place} by {way} without an end")


def stated(ask: Ask) -> str:
    """The first way to state a fact that is missing."""
    subject, _, values = ask.how.rpartition(" ")
    if values == "with=...":
        values = f"with={ask.title.rpartition(' or ')[2]}"  # the formations that an Asset Unit may belong to
    return f"{subject} {values.partition('|')[0]}"
