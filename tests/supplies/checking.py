"""What has to hold of the supply of each unit of a position: one verdict, however it is asked for, and the one that a naive solver gives."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from assistant.asking.report import Report
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.testing import asked

from ..comparing.search import Search
from .naive import ORDER, Solver, World, attached_to, is_open, own, railed, settled, shares_with
from .worlds import make_world, smaller, text_of

MOST_ANSWERS = 12
"""How many facts about one unit are stated at most, one after the other, of those that are asked for."""
MOST_BEST = 4
"""In how many worlds the best plan of a side is sought at most."""
ANSWERS: Mapping[str, Callable[[World, str], Sequence[Any]]] = {
    "linked": lambda world, hex: (world["side"], "none"),
    "operational": lambda world, hex: (world["side"], "none"),
    "control": lambda world, hex: ("russian", "central-powers"),
    "terrain": lambda world, hex: ("clear", "rough", "mountain", "wetlands", "high-mountain"),
    "station": lambda world, hex: (True, False),
    "other-line": lambda world, unit: (False,),
    "way-out": lambda world, unit: (True, False),
    "with": attached_to,
}
"""What is answered to an ask, by the track that it is about."""
CONTESTED = {"mode", "capacity"}
"""The kinds of causes that name a supply unit which serves others, or is flipped for them."""


def report_on(position: Position, **about: str) -> Report[Any]:
    """The answer to the question of supply about a position."""
    return asked(position, "supply", **about)


class Alone(dict[str, "Report[Any]"]):
    """The report on each unit of a position, asked for when it is needed."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self.position = position

    def __missing__(self, name: str) -> Report[Any]:
        self[name] = report_on(self.position, unit=name)
        return self[name]


class Case:
    """A world, what the program says of each unit alone and of the side, and what may come of what is open."""

    def __init__(self, world: World, seed: int = 0) -> None:
        self.world, self.text, self.seed = world, text_of(world), seed

    @cached_property
    def position(self) -> Position:
        """The position as it is read."""
        return read_notation(self.text.encode(), "random.pos", load_game)

    @cached_property
    def side(self) -> Report[Any]:
        """The report on the whole side."""
        return report_on(self.position, side=self.world["side"])

    @cached_property
    def rows(self) -> dict[str, Any]:
        """What the report on the side says of each unit."""
        return {row.unit: row for side in self.side.result.sides for row in side.units}

    @cached_property
    def modes(self) -> frozenset[str]:
        """The supply units that are in Extended Mode in the report on the side."""
        return frozenset(name for side in self.side.result.sides for name in side.extended)

    @cached_property
    def alone(self) -> Alone:
        """The report on each unit."""
        return Alone(self.position)

    def worlds(self, worst: bool = False) -> list[Solver]:
        """The solver of each world that agrees with what is stated."""
        return [Solver(world, edge) for world, edge in settled(self.world, self.seed, worst=worst)]

    @cached_property
    def solvers(self) -> list[Solver]:
        """Those without High Mountain where nothing is stated."""
        return self.worlds()

    def faults(self) -> Iterator[str]:
        """What does not hold."""
        if missing := set(own(self.world)) ^ set(self.rows):
            yield f"the side leaves out {sorted(missing)}"
            return
        for name in own(self.world):
            yield from self.about(name)
        yield from self.true_of_side()
        yield from self.in_phase()
        yield from self.if_lost()
        yield from self.questioned()

    def about(self, name: str) -> Iterator[str]:
        """What does not hold of one unit."""
        yield from self.one_verdict(name)
        yield from self.true_alone(name)

    # --- the other questions

    def in_phase(self) -> Iterator[str]:
        """The Supply Phase finds what the question about the side finds."""
        if any(unit.get("supply") or unit.get("relocation") for unit in own(self.world).values()):
            return  # the phase takes such markers off first
        report = asked(self.position, "supply-phase", side=self.world["side"])
        for row in report.result.units if report.result else ():
            found, said = (row.now, row.isolated or None), self.held()[row.unit]
            if found != (said[0], said[1] or None):
                yield f"{row.unit}: in its Supply Phase {found}, with its side {said}"

    def if_lost(self) -> Iterator[str]:
        """What `lifelines` says of a hex that is lost is what the question about the side finds once it is."""
        rails = sorted(railed(self.world) - {unit["place"] for unit in self.world["units"].values()})
        if self.world["board"] or not rails or any(unit.get("supply") for unit in own(self.world).values()):
            return
        chance = random.Random(self.seed)
        hex, enters = chance.choice(rails), chance.random() < 0.5
        loss = f"{hex} enemy" if enters else f"{hex} operational=none"
        then = Case(entered(self.world, hex) if enters else stated(self.world, ("operational", hex), "none")).held()
        (side,) = asked(self.position, "lifelines", side=self.world["side"], if_=loss).result.sides
        changed = (*side.worse, *side.unsure, *side.better, *side.otherwise)
        found = {**self.held(), **{effect.unit: (effect.after.state, effect.after.isolated) for effect in changed}}
        yield from (
            f"{name}: in `lifelines` {found[name]} if {loss}, with its side {held}"
            for name, held in then.items()
            if found[name] != held
        )

    def held(self) -> dict[str, tuple[str | None, bool | None]]:
        """The state of each unit with its side, and whether it is Isolated if it is Out of Supply."""
        return {
            name: (row.could.state, row.isolated if row.could.state == "out" else None)
            for name, row in self.rows.items()
        }

    # --- what is asked for, answered

    def questioned(self) -> Iterator[str]:
        """Answering what is asked for about an undecided unit, one fact after the other, decides it, and each verdict on the way holds."""
        chance = random.Random(self.seed)
        undecided = [name for name in own(self.world) if not self.alone[name].verdict.decided]
        if not undecided:
            return
        name, case, said = chance.choice(undecided), self, dict[tuple[str, str], Any]()
        while not case.alone[name].verdict.decided:
            keys = [(str(ask.key[0]), str(ask.key[1])) for ask in case.alone[name].asks]
            if again := [key for key in keys if key in said]:
                yield f"{name}: asks again for {again[0]} after {said}"
                return
            keys = [key for key in keys if key[0] in ANSWERS]
            if not keys or len(said) == MOST_ANSWERS:
                if len(said) == MOST_ANSWERS or not case.owner_chooses(name):
                    yield f"{name}: undecided after {said}, asks {[ask.how for ask in case.alone[name].asks]}"
                return
            key = chance.choice(keys)
            said[key] = chance.choice(ANSWERS[key[0]](case.world, key[1]))
            case = Case(stated(case.world, key, said[key]), self.seed)
            if faults := list(case.about(name)):
                yield from (f"{fault}, after {said}" for fault in faults)
                return

    # --- one question and the other

    def one_verdict(self, name: str) -> Iterator[str]:
        """`unit=U` is never worse than U within its side, and better only where a mode or a place with a train is contested."""
        alone, whole = said_alone(self.alone[name]), said_of(self.rows[name])
        if alone == whole:
            return
        if whole is None or alone is None:
            if not (alone and self.is_contested(name)) and not self.owner_chooses(name):
                yield f"{name}: alone {alone or 'undecided'}, with its side {whole or 'undecided'}"
        elif ORDER.index(alone[0]) < ORDER.index(whole[0]):
            yield f"{name}: alone {alone}, worse than {whole} with its side"
        elif alone[0] == whole[0]:
            yield f"{name}: alone {alone}, with its side {whole}"
        elif not self.is_contested(name):
            yield f"{name}: alone {alone}, with its side {whole}, and no contested mode is named"
        elif self.alone[name].result.among != whole[0]:
            yield f"{name}: alone {alone}, with its side {whole}, which the answer about it alone does not say"

    def is_contested(self, name: str) -> bool:
        """Whether the report on the side names a supply unit that serves others instead, or is flipped for them."""
        row = self.rows[name]
        lead = self.rows.get(row.through, row)
        causes = [one.cause for one in (row, lead) if one.cause]
        return any(hindrance.kind in CONTESTED for cause in causes for hindrance in cause.hindrances)

    def owner_chooses(self, name: str) -> bool:
        """Whether the report asks which cavalry formations a train serves, where there are more than it may serve."""
        return any(ask.key[0] == "draws-on" for ask in self.alone[name].asks)

    # --- against the naive solver

    def true_alone(self, name: str) -> Iterator[str]:
        """A decided verdict on a unit is that of every world which is possible, an undecided one may go either way."""
        said = said_alone(self.alone[name])
        if said is None and self.owner_chooses(name):
            return
        outcomes = self.outcomes(name, self.solvers)
        if said and said[0] == self.world["units"][name].get("supply"):
            return  # what is stated is believed where tracing leaves it open
        if (said is None or said == ("out", None)) and len(outcomes) == 1:
            outcomes |= self.outcomes(name, self.worlds(worst=True))
        if said is None:
            if len(outcomes) == 1:
                yield f"{name}: alone undecided, but it is {worded(outcomes)} whatever is open"
        elif said == ("out", None):
            if outcomes != {("out", True), ("out", False)}:
                yield f"{name}: alone out, Isolated or not, by the rules {worded(outcomes)}"
        elif outcomes != {said}:
            yield f"{name}: alone {said}, by the rules {worded(outcomes)}"

    def outcomes(self, name: str, solvers: list[Solver]) -> set[tuple[str, bool | None]]:
        """What a unit has in some worlds. Where it is stated that it has no way out, none that is open is one."""
        found = {solver.outcome(name) for solver in solvers}
        return found - {("out", False)} if ("out", True) in found and self.has_no_way(name) else found

    def has_no_way(self, name: str) -> bool:
        """Whether it is stated that a unit has no way out of isolation."""
        return self.world["units"][shares_with(self.world, name)].get("way-out") is False

    def true_of_side(self) -> Iterator[str]:
        """The modes of the report give each unit what it says, and where nothing is open no plan is better."""
        for name, row in self.rows.items():
            said = said_of(row)
            if said and said[0] == self.world["units"][name].get("supply"):
                continue
            if said is None:
                if not is_open(self.world):
                    yield f"{name}: with its side undecided, and nothing is open"
                continue
            for solver in self.solvers:
                found = {
                    solver.state(name, self.modes, company.get(shares_with(solver.world, name), ""))
                    for company in solver.companies(self.modes)
                }
                if said[0] not in found:
                    yield f"{name}: with its side {said}, by the rules {worded(found)} with {sorted(self.modes)} extended"
                    break
                if said[0] == "out" and said[1] not in (None, solver.isolated(name)) and not self.has_no_way(name):
                    yield f"{name}: with its side {said}, by the rules isolated: {solver.isolated(name)}"
                    break
        if not self.undecided_rows():
            yield from self.best_of_side()

    def undecided_rows(self) -> list[str]:
        """The units whose state is open in the report on the side."""
        return [name for name, row in self.rows.items() if said_of(row) is None]

    def best_of_side(self) -> Iterator[str]:
        """Where all is decided no plan is better, and of each unit `alone` is the best that it may have."""
        had = [row.could.state for row in self.rows.values()]
        worth = (len(had) - had.count("out"), had.count("in"), -len(self.modes))
        solvers = [] if any(unit.get("supply") for unit in own(self.world).values()) else self.solvers[:MOST_BEST]
        bests = {solver.best() for solver in solvers}
        if bests and worth not in bests:
            yield f"the side has {worth}, the best is {worded(bests)} (units supplied, In Supply, -extended)"
        for name, row in self.rows.items():
            states = {solver.alone(name) for solver in solvers}
            if states and row.alone is not None and states != {row.alone}:
                yield f"{name}: `alone` in the answer on the side {row.alone}, by the rules {worded(states)}"


def stated(world: World, key: tuple[str, str], value: Any) -> World:
    """The world with a fact stated."""
    track, subject = key
    kind = "units" if subject in world["units"] else "hexes"
    return {**world, kind: {**world[kind], subject: {**world[kind].get(subject, {}), track: value}}}


def entered(world: World, hex: str) -> World:
    """The world with enemy guns in an empty hex, which have no zone."""
    nation = "german" if world["side"] == "russian" else "russian"
    guns = {"nation": nation, "arm": "artillery", "size": "III", "place": hex, "army": "", "corps": ""}
    return {**world, "units": {**world["units"], "guns": guns}}


def worded(outcomes: set[Any]) -> str:
    """Some outcomes in words."""
    return " or ".join(sorted(map(str, outcomes)))


def said_alone(report: Report[Any]) -> tuple[str, bool | None] | None:
    """The state of a unit and whether it is Isolated, None while that is undecided."""
    result = report.result
    if not report.verdict.decided or result is None or result.state is None:
        return None
    return result.state, result.isolated if result.state == "out" else None


def said_of(row: Any) -> tuple[str, bool | None] | None:
    """The same of a unit within its side."""
    if row.could.state is None:
        return None
    return row.could.state, row.isolated if row.could.state == "out" else None


class Sample(NamedTuple):
    """A made-up world and the seed of what is asked about it."""

    world: World
    seed: int

    def smaller(self) -> Iterator[Sample]:
        """Yield the world without one thing each."""
        return (self._replace(world=world) for world in smaller(self.world))


def make_sample(number: int, seed: int, kind: str = "") -> Sample:
    """Make a world, the same for the same number and seed."""
    return Sample(make_world(number, seed, kind), number)


def find_faults(sample: Sample, seen: Counter[str]) -> Iterator[str]:
    """Yield what does not hold of the supply of a world."""
    case = Case(*sample)
    seen[sample.world["kind"]] += 1
    yield from case.faults()
    seen["units"] += len(case.rows)


SEARCH = Search(
    "supplies", make_sample, find_faults, 2000, write=lambda sample: text_of(sample.world), smaller=Sample.smaller
)
