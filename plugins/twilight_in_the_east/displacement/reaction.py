"""Reactions of cavalry: stepping aside, order of the move, and retirement (9.1, 9.2, 9.5.1, 9.8.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, MissingFacts, Step, View, holding, note, step
from assistant.asking.permission import Clause
from assistant.rules.field import HexBar, HexOption, SideField, open_hexes, option, side_of
from assistant.rules.field.ways import bar_of
from assistant.state.state import Unit

from ..combat.garrisons import garrison_move, is_inside
from ..concealment.cover import is_concealed, option_of
from ..forces.armies import army_of, out_of_area
from ..forces.bars import say_bars
from ..forces.movement_points import bar_of_mover, holds_garrison
from ..forces.unit import is_unit_demoralized, suffers, supply_status
from ..ground.calendar import why_no_reaction
from ..ground.hexsides import Entry, between, entry_bar, field, impassable
from ..terms import DEPOTS

TRIGGERS = {
    1: "an enemy has become adjacent to it, where none was before",
    2: "an enemy has moved from one adjacent hex into another that is adjacent to it or to a friendly unit",
}
EITHER_WAY = {"artillery": "9.5.1", "corps-train": "9.8.1"}
"""Arms that leave before or after a reaction of cavalry, as their owner chooses, each with its rule."""


def trigger(
    adjacent: Collection[str],
    now: str,
    left: str | None,
    other_enemies: Collection[str],
    next_to_friends: Collection[str],
) -> int:
    """Return the number of the trigger that a move activates, or 0.

    - Trigger 1: a move next to cavalry without adjacent enemies.
    - Trigger 2: a move from a hex next to the cavalry into another such hex, or next to a friend.

    `adjacent`: the hexes around the cavalry.
    `now`, `left`: the hexes that the enemy enters and leaves.
    `other_enemies`: the adjacent hexes with other enemies.
    `next_to_friends`: the hexes around other units of the cavalry's side.

    Rule: 9.1.1a, 9.1.1b
    """
    if left in adjacent and (now in adjacent or now in next_to_friends):
        return 2
    return int(now in adjacent and left not in adjacent and not other_enemies)


def find_trigger(view: View, cavalry: Unit, enemies: Collection[str], now: str, left: str | None) -> int:
    """Return the number of the trigger that a step of enemy units activates for a cavalry unit, or 0.

    `view`: the position after the step.
    `enemies`: the units that moved together.
    `now`: the hex entered.
    `left`: the hex left, or None if they came from off the map.
    """
    side = view.side_of(cavalry.id)
    neighbours = view.board.neighbours
    adjacent = neighbours(str(cavalry.place))

    def is_other_enemy(unit: Unit) -> bool:
        return unit.id not in enemies and view.side_of(unit.id) not in ("", side)

    def is_friend(unit: Unit) -> bool:
        return unit.id != cavalry.id and view.side_of(unit.id) == side

    other_enemies = [hex for hex in adjacent if any(map(is_other_enemy, view.stack(hex)))]
    beside_friends = [now] if any(is_friend(unit) for hex in neighbours(now) for unit in view.stack(hex)) else []
    return trigger(adjacent, now, left, other_enemies, beside_friends)


def why_no_trigger(number: int, *, free: bool) -> list[Step]:
    """Return why a move does not let cavalry react, or an empty list.

    `number`: the number of the trigger, or 0.
    `free`: whether a hex is open to the cavalry.

    Rule: 9.1.1a, 9.1.1b
    """
    clauses = (
        (not number, "9.1.1", "the move triggers no reaction"),
        (not free, "9.1.1", "no hex is open to it"),
    )
    return holding(clauses)


class Bars(msgspec.Struct, frozen=True):
    """Bars that close hexes to cavalry that steps aside."""

    around: Annotated[SideField, note("the field as its side sees it, itself left out")]
    place: Annotated[str, note("the hex")]
    zone: Annotated[frozenset[str], note("the hexes in EZOCs that count")]
    retires: Annotated[bool, note("whether it retires after the combats, or else reacts to a move")] = False
    left: Annotated[str | None, note("the hex that an enemy has just left")] = None
    keeps: Annotated[bool, note("whether it is a Fortress Garrison that need not leave")] = False
    outside: Annotated[
        frozenset[str], note("hexes adjacent to enemies outside the area of its army (ruling aside-area)")
    ] = frozenset()
    nation: Annotated[str, note("nation of the unit")] = ""

    def options(self) -> tuple[HexOption, ...]:
        return open_hexes(self.around.view, self.place, partial(option, [self.bar]), attrgetter("hex"))

    def bar(self, here: str, there: str) -> HexBar | None:
        """Return the bar to entering the next hex, or None."""
        shut = impassable(between(self.around.view, here, there))
        enemies = there in self.around.enemies
        return entry_bar(Entry(there, (self.nation,), enemies, shut, "9.1")) or bar_of(self.bars(here, there))

    def bars(self, here: str, there: str) -> Iterator[Clause]:
        """Yield the bars to entering the next hex besides enemies in it and the ground."""
        yield (
            self.keeps
            and garrison_move(inside=is_inside(self.around.view, here, there), required=False, can_stay=True)
            == "barred",
            "12.4.1",
            "a Fortress Garrison does not leave its fortress or complex",
        )
        yield from self.bars_of_left_hex(there)
        yield from self.bars_of_area(there)
        yield from self.bars_of_zone(there)

    def bars_of_left_hex(self, there: str) -> Iterator[Clause]:
        """Yield the bar of the hex that an enemy has just left, by Trigger 2 alone. Rule: 9.1.2b"""
        yield there == self.left, "9.1.2", "the enemy has just left it"

    def bars_of_area(self, there: str) -> Iterator[Clause]:
        """Yield the bar of a hex outside the area of the cavalry's army. Rule: 6.3.1b"""
        why = "it is adjacent to an enemy and outside the Area of Attachment of its army"
        yield there in self.outside, "6.3.1", why

    def bars_of_zone(self, there: str) -> Iterator[Clause]:
        """Yield the bar of an empty hex in an EZOC. Rule: 9.1.3, 9.2.1"""
        empty = there in self.zone and there not in self.around.friends
        yield empty and not self.retires, "9.1.3", "an empty hex in an EZOC"
        yield empty and self.retires, "9.2.1", "an empty hex in an EZOC"

    @property
    def open(self) -> tuple[str, ...]:
        return tuple(hex_option.hex for hex_option in self.options() if not hex_option.barred)


def bars_of_reaction(facts: Gather, unit: Unit, moved: Collection[str], *, keeps: bool) -> Bars:
    """Return the bars around cavalry that reacts to a move, ignoring where the enemies came from.

    `moved`: the enemies that have moved, whose zones do not count.
    `keeps`: as in `Bars`.

    Rule: 9.1.3
    """
    standing = field(facts, without={unit.id})
    around = standing.around(side_of(facts, unit))
    zone = standing.enemy_zone(around.side, only=lambda enemy: enemy.id not in moved)
    nation = facts.word("nation", unit.id)
    return Bars(around, str(unit.place), zone, keeps=keeps, nation=nation)


def why_never_reacts(facts: Gather, unit: Unit) -> Iterator[Step]:
    """Yield why a cavalry unit does not react, wherever enemies move."""
    yield from holding(_bars_of_concealed(facts.view, unit))
    yield from holding(_bars_of_weak_rider(facts, unit))
    yield from why_no_reaction(facts.view, side_of(facts, unit))
    yield from say_bars(bar_of_mover(facts, unit, steps_aside=True))


def _bars_of_weak_rider(facts: Gather, unit: Unit) -> Iterator[Clause]:
    """Yield the bar to a reaction of Demoralized cavalry that is not supplied. Rule: 7.3.1b, 9.1.4"""
    weak = is_unit_demoralized(facts, unit) and suffers(supply_status(facts, unit), "reaction")
    yield weak, "9.1.4", "it is Demoralized and Out of Supply"


def _bars_of_concealed(view: View, unit: Unit) -> Iterator[Clause]:
    """Yield the bar to a reaction of concealed cavalry. Rule: 26.2.6"""
    yield is_concealed(view, unit.id), "26.2.6", "it is concealed, and only cavalry that is face up reacts"


REVEALED_RULING = "revealed-cavalry"
"""The ruling on cavalry that the step of an enemy turns over."""


def why_not_yet(view: View, before: View, cavalry: str) -> Iterator[Step]:
    """Yield why cavalry does not react to the step that reveals it, by ruling revealed-cavalry.

    `before`: the state before the step.

    Rule: 26.2.6
    """
    turned = is_concealed(before, cavalry)
    why = "it was concealed until this step turned it over, and reacts only to later ones"
    yield from holding([(turned and view.ruling(REVEALED_RULING, turned) == "waits", "26.2.6", why)])


def note_face_up(view: View, cavalry: str) -> None:
    """Note that cavalry was face up before the step, if only concealment would keep it from reacting (26.2.6)."""
    if option_of(view) == "concealment" and view.quiet_view().ruling(REVEALED_RULING) == "waits":
        text = "{unit} lay face up before the enemy's step (ruling revealed-cavalry=waits)"
        view.premises.assume(step("26.2.6", text, unit=cavalry))


def judge_reaction(
    bars: Bars, unit: Unit, number: int, left: str | None, denied: Sequence[Step]
) -> tuple[tuple[HexOption, ...], tuple[Step, ...]]:
    """Return the hexes around a cavalry unit, each with its bar, and the reasons why it does not react to a step.

    `number`: the number of the trigger, as `find_trigger` returns it.
    `left`: the hex that the enemy units left, or None if they came from off the map.
    `denied`: the reasons from `why_never_reacts`.

    Rule: 9.1, 9.1.2b
    """
    bars = replace(bars, left=left if number == 2 else None)
    if number and not denied:
        bars = within_area(bars, unit.id)
    options = bars.options()
    free = not all(hex_option.barred for hex_option in options)
    return options, (*denied, *why_no_trigger(number, free=free))


class KnownReaction(NamedTuple):
    """A cavalry unit's reaction to a step of enemy units, by known facts."""

    open: tuple[str, ...] | None = None
    """Hexes that are open to the cavalry, or None if they are not known or not asked for."""
    against: Step | None = None
    """The reason why the cavalry does not react, or None if it may."""


def judge_as_known(
    view: View, cavalry: Unit, moved: Collection[str], number: int, left: str | None, denied: Iterable[Step] = ()
) -> KnownReaction:
    """Return whether a cavalry unit may react to a step; unstated facts bar nothing and are not asked for.

    `view`: the position after the step.
    `moved`: the enemies that moved, or may have moved.
    `number`, `left`: as for `judge_reaction`.
    `denied`: reasons why no cavalry reacts to this step yet.
    """
    # A separate view, so that the report does not mention these assumptions.
    apart = View(view.game, view.state, view.end)
    status = apart.gather()  # not a `with`: unstated facts bar nothing
    if against := next(chain(why_never_reacts(status, cavalry), denied), None):
        return KnownReaction(against=against)
    try:
        with apart.gather() as facts:
            bars = bars_of_reaction(facts, cavalry, moved, keeps=holds_garrison(facts, cavalry))
        options, reasons = judge_reaction(bars, cavalry, number, left, ())
    except MissingFacts:
        return KnownReaction()
    open_hexes = tuple(option.hex for option in options if not option.barred)
    return KnownReaction(open_hexes, next(iter(reasons), None))


def within_area(bars: Bars, unit: str) -> Bars:
    """Return the bars with hexes next to enemies closed outside the area of the cavalry's army (ruling aside-area)."""
    around = bars.around
    army = army_of(bars.around.view, unit)
    outside = frozenset(hex for hex in bars.open if out_of_area(around, army, hex))
    if not outside or around.view.ruling("aside-area") != "bound":
        return bars
    return replace(bars, outside=outside)


def order_steps(hex: str, cavalry: Collection[str], displacing: Mapping[str, str]) -> Iterator[Step]:
    """Yield the order in which a move goes on once units have entered a hex.

    Reactions are announced and made, and units leave their hexes, before the move goes on. Artillery and Corps Trains
    leave before or after the reaction, as their owner chooses.

    `cavalry`: the enemy cavalry units that may react.
    `displacing`: the units that leave, with their arms.

    Rule: 9.1.2, 9.5.1b, 9.8.1c
    """
    if cavalry:
        text = (
            "{hex}: stop here and announce that a unit is adjacent to {cavalry}; its owner says at once whether it "
            "reacts, and it moves its one hex before the move goes on"
        )
        yield step("9.1.2", text, hex=hex, cavalry=list(cavalry))
    for arm, rule in (*EITHER_WAY.items(), *((depot, "9.9") for depot in DEPOTS)):
        units = [unit for unit, its_arm in displacing.items() if its_arm == arm]
        text = (
            "{hex}: {units} [several:leave their hexes|leaves its hex] before the move goes on"
            "[either_way:, and before or after the reaction of {cavalry}, as the owner chooses]"
        )
        either_way = cavalry and arm in EITHER_WAY
        if units:
            yield step(
                rule, text, hex=hex, units=units, cavalry=list(cavalry), several=len(units) > 1, either_way=either_way
            )
