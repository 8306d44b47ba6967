"""Artillery Ammunition Points (APs) in a combat: commands, magazines, and allocation (6.4, 10.5).

A command is a group of units that one AP serves, usually a corps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, MissingFacts, View
from assistant.asking.asks import Ask
from assistant.state.tracks import Value
from assistant.util.errors import Certain, InputError, format_suggestion, quoted

from ..forces.bars import format_bars, is_barred
from ..forces.units import CombatUnit, formation_joined
from ..terms import BOYEN, FORTRESSES

MAGAZINE_PREFIX = "magazine:"
"""The prefix of the name of a magazine's AP; the hex of the stack that it serves follows."""
MAX_POINTS = 2
"""APs that a side may allocate in one combat (10.5)."""
ASSUMED = "APs are assumed to be available (check with: ask ammunition)"
"""The assumption made if no question looks for the source of an AP (10.5.2)."""
EVERY_COMMAND = "every"
"""A value of `attacker-ap` and `defender-ap`: one AP for each command that could use one, even beyond `MAX_POINTS`.

Only searches use it; they choose among these APs.
"""
NO_USE_REASON = f"a unit that {' or '.join(('has no printed artillery value', *format_bars('use AP')))} uses no AP"
"""The reasons why a unit uses no AP, as a hint (10.5)."""


LÖTZEN = "Lötzen"
"""The id of the only unit to which the Fortress Boyen gives APs (10.5.5a)."""


def commands_of(members: Iterable[CombatUnit], units: Sequence[CombatUnit]) -> tuple[str, ...]:
    """Return the commands of `members`, each once; each command needs its own AP.

    `units`: the units of the side in the combat.

    Rule: 10.5.1
    """
    return tuple(dict.fromkeys(command_of(unit, units) for unit in members))


def command_of(unit: CombatUnit, units: Sequence[CombatUnit]) -> str:
    """Return the command that a unit fights under: a corps, or the hex of its stack if it is independent.

    An Asset Unit fights under the formation in its hex. Corps with the same ID in two nations are two commands.

    Rule: 6.4.1a
    """
    unit = command_holder(unit, units)
    if any(other.corps == unit.corps and other.nation != unit.nation for other in units if unit.corps):
        return f"{unit.nation} {unit.corps}"
    return unit.corps or unit.place


def command_holder(unit: CombatUnit, units: Sequence[CombatUnit]) -> CombatUnit:
    """Return the unit whose corps is a unit's command: the formation of an Asset Unit, or else itself (6.4.1)."""
    name = formation_joined(unit, units)
    return next((other for other in units if other.id == name), unit)


class Magazine(msgspec.Struct, frozen=True):
    """A magazine from which a stack may draw an AP."""

    name: str
    asks: tuple[Ask, ...] = ()
    """Questions for the facts that decide whether the magazine exists, or () if they are stated."""


def magazines_at(view: View, place: str, side: str) -> list[Magazine]:
    """Return the magazines on which units of a side in a hex may draw, including possible ones.

    A magazine belongs to the complex of a fortress unit in the hex, or to a hex with the magazine symbol. Boyen has
    none. A magazine is possible if facts that decide on it are not stated.

    Rule: 10.5.5
    """
    there = [other.id for other in view.stack(place)]  # a stack has units of one side only
    complexes = {
        name: _find_magazine(view, name) for name in there if value_or_asks(view, "arm", name)[0] in FORTRESSES
    }
    settled = any(value is False for value, _ in complexes.values())
    symbol, asks = value_or_asks(view, "magazine", place)
    asks = () if settled else asks
    here = [Magazine(f"magazine in {place}", asks)] if symbol == side or asks else []
    return [
        *(Magazine(f"magazine of {name}", lacking) for name, (value, lacking) in complexes.items() if value or lacking),
        *here,
    ]


def _find_magazine(view: View, fortress: str) -> tuple[Value | None, tuple[Ask, ...]]:
    """Return whether the complex of a fortress unit has a magazine, or None and the questions that decide it.

    Boyen has none (10.5.5a). A complex has one if the hex of any of its fortress units has the symbol.
    """
    if fortress == BOYEN:
        return False, ()
    own = view.word("complex", fortress)
    side = view.side_of(fortress)
    mates = (
        unit for unit in view.units() if own and view.word("complex", unit.id) == own and view.side_of(unit.id) == side
    )
    if side and any(view.word("magazine", str(mate.place)) == side for mate in mates):
        return True, ()
    return value_or_asks(view, "complex-magazine", fortress)


def value_or_asks(view: View, track: str, subject: str) -> tuple[Value | None, tuple[Ask, ...]]:
    """Return the value of a fact and (), or None and the questions for it if it is not stated."""
    try:
        with view.gather() as facts:
            facts.word(track, subject)
    except MissingFacts as missing:
        return None, missing.asks
    fact = view.fact(track, subject)
    return (fact.value if fact else None), ()


def _list_magazine_points(facts: Gather, units: Sequence[CombatUnit]) -> tuple[str, ...]:
    view = facts.view
    nations = [unit.nation for unit in units if unit.nation]
    side = view.game.side_of(nations[0]) if nations else ""
    places = dict.fromkeys(unit.place for unit in units)
    open_to = [place for place in places if any(not magazine.asks for magazine in magazines_at(view, place, side))]
    return tuple(f"{MAGAZINE_PREFIX}{place}" for place in open_to)


def with_ammunition(
    facts: Gather, name: str, given: tuple[str, ...] | None, units: Sequence[CombatUnit]
) -> tuple[CombatUnit, ...]:
    """Return the units of a side with their APs: one for each command, or one for each magazine's stack.

    `name`: the parameter that names the APs, for questions and errors.
    `given`: the value of the parameter. "all" allocates the fewest APs that serve all units, up to the limit. None asks
    for the parameter if a unit could use an AP.

    Raises InputError for a command that does not fight here or cannot use an AP.
    """
    able = [
        unit for unit in units if can_use(unit) or (_lacks_artillery(facts, unit) and not is_barred(unit, "use AP"))
    ]
    commands = commands_of(able, units)
    stocked = _list_magazine_points(facts, units)
    if given is None:
        if commands:
            how = f"{name}={','.join(map(quoted, commands))}, or all, or none"
            how += "".join(f"; {point} serves all in its hex" for point in stocked)
            facts.ask(Ask(kind="parameter", name=name, rule="10.5.1", title="Artillery Ammunition Points", how=how))
        return tuple(units)
    allotment = Allotment(units, able, stocked)
    chosen = allotment.read_points(given)
    fortress = [BOYEN for unit in units if unit.id == LÖTZEN]
    engaged = [*commands_of(units, units), *fortress]
    for command in chosen:
        if command not in (*engaged, *(f"{MAGAZINE_PREFIX}{unit.place}" for unit in units)):
            hint = format_suggestion(command, [*engaged, *stocked, "all", "none"])
            stated = (facts.view.fact(track, unit.id) for unit in units for track in ("nation", "arm", "size"))
            is_known = None not in stated and all(unit.formation for unit in units)  # then all commands are known
            kind = Certain if is_known else InputError
            raise kind(f"{name}: no command {command!r} fights here", hint=hint)
        if not any(allotment.serves(command, unit) for unit in able):
            raise InputError(f"{name}: no unit of {command} can use an AP (10.5)", hint=NO_USE_REASON)
    return allotment.allot(chosen)


class Allotment(msgspec.Struct, frozen=True):
    """The fighting units of a side, and the APs that may serve them."""

    units: Sequence[CombatUnit]
    able: Collection[CombatUnit]
    """The units that can use an AP."""
    stocked: Sequence[str] = ()
    """The APs of magazines that exist, such as `magazine:41.19`."""

    def serves(self, point: str, unit: CombatUnit) -> bool:
        """Return whether an AP serves a unit: a magazine's serves a stack, Boyen's one unit, any other a command.

        `point`: a corps, the hex of a stack of independent units, magazine:HEX, or Boyen.

        Rule: 10.5.1
        """
        if point == BOYEN:
            return unit.id == LÖTZEN
        return point in (f"{MAGAZINE_PREFIX}{unit.place}", command_of(unit, self.units))

    def fewest(self) -> tuple[str, ...]:
        """Return the fewest APs that serve all units able to use one.

        They are one for each command. A magazine's AP counts if it replaces the APs of two or more commands.

        Rule: 10.5.1
        """
        points: list[str] = []
        for point in self.stocked:
            others = commands_of([unit for unit in self.able if not self.serves(point, unit)], self.units)
            if len(set(commands_of(self.able, self.units)) - set(others)) > 1:
                points.append(point)
        left = [unit for unit in self.able if not any(self.serves(point, unit) for point in points)]
        return (*points, *commands_of(left, self.units))

    def as_many_as_allowed(self) -> tuple[str, ...]:
        """Return as many APs as a side may allocate, preferring those that serve the most artillery (10.5)."""
        points = self.fewest()
        guns = {point: sum(unit.artillery for unit in self.able if self.serves(point, unit)) for point in points}
        best = sorted(points, key=lambda point: -guns[point])[:MAX_POINTS]
        return tuple(point for point in points if point in best)

    def read_points(self, given: Sequence[str]) -> tuple[str, ...]:
        """Return the APs that a side names, each once; `all` and `every` stand for several.

        Spaces in the name of a command may be left out: 1R for 1 R.
        """
        if tuple(given) == ("all",):
            return self.as_many_as_allowed()
        if tuple(given) == (EVERY_COMMAND,):
            return self.fewest()
        engaged = commands_of(self.units, self.units)
        unspaced = {command.replace(" ", "").casefold(): command for command in reversed(engaged)}
        named = (point if point in engaged else unspaced.get(point.casefold(), point) for point in given)
        return tuple(dict.fromkeys(point for point in named if point != "none"))

    def allot(self, points: Sequence[str]) -> tuple[CombatUnit, ...]:
        served = {unit.id: next((point for point in points if self.serves(point, unit)), "") for unit in self.able}
        return tuple(replace(unit, ap=bool(served.get(unit.id)), point=served.get(unit.id, "")) for unit in self.units)


def reallocate(units: Sequence[CombatUnit], given: tuple[str, ...] | None) -> tuple[CombatUnit, ...]:
    """Return some units of a side with the side's APs allocated anew among them.

    `given`: the APs as the players name them, or None if no unit can use one.
    """
    stocked = dict.fromkeys(unit.point for unit in units if unit.point.startswith(MAGAZINE_PREFIX))
    allotment = Allotment(units, [unit for unit in units if can_use(unit)], tuple(stocked))
    return allotment.allot(allotment.read_points(given or ()))


def can_use(unit: CombatUnit) -> bool:
    """Return whether an AP is of use to a unit. Rule: 10.5c"""
    clauses = (
        (not unit.artillery, "10.5", "it has no printed artillery value"),
        (unit.emplaced, "22.4.2", "it is a battery that needs none"),
        (is_barred(unit, "use AP"), "10.5", "it is barred from using one"),
    )
    return not any(holds for holds, _, _ in clauses)


def units_without_point(units: Iterable[CombatUnit]) -> tuple[str, ...]:
    """Return the units that could use an AP but have none. Rule: 10.5.1"""
    return tuple(unit.id for unit in units if can_use(unit) and not unit.ap)


def points_allocated(units: Iterable[CombatUnit]) -> tuple[str, ...]:
    """Return the APs that serve these units, each once. Rule: 10.5b"""
    return tuple(dict.fromkeys(unit.point for unit in units if unit.ap))


def _lacks_artillery(facts: Gather, unit: CombatUnit) -> bool:
    ratings = ("artillery", "back-artillery")
    return unit.arm not in FORTRESSES and all(facts.view.fact(rating, unit.id) is None for rating in ratings)
