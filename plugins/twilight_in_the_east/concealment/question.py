"""The question `conceal`: placing and removing Stack Caps, crests and dummies (26.1, 26.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from types import SimpleNamespace
from typing import Annotated, Any

import msgspec

from assistant.asking import (
    InputError,
    Parameters,
    PlaceName,
    Report,
    SideName,
    Step,
    UnitOrDecoy,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.asking.case import Action, Case, list_bars
from assistant.asking.permission import Clause, permission
from assistant.asking.report import MissingFacts, Part
from assistant.asking.view import changed
from assistant.state.changes import AnyChange, Change, Enter, Leave
from assistant.state.tracks import Value
from assistant.state.vocabulary import Allowed

from ..forces.armies import is_asset_unit, is_shown
from ..ground.calendar import why_no_movement
from ..terms import CAPPED, COMBAT_ARMS, CONCEALED, DUMMY
from .cover import (
    capped_hexes,
    concealed_stacks,
    is_concealed,
    markers_of,
    moved_units,
    nearest_enemy,
    option_of,
    seen_by_enemies,
    side_in,
)
from .rules import MIN_HIDING_DISTANCE_HEXES, OPTION_TITLES, Kind, Option, bar_of_option, concealment_left

STOCK_TRACK = "concealment-markers"
"""Track: the number of Concealment markers that a nation has."""


class ConcealParameters(Parameters, frozen=True):
    """Parameters of the question `conceal`, which lists everything hidden if no parameter is given."""

    at: Annotated[PlaceName | None, note("the hex of a stack that gets a Stack Cap, or a new dummy")] = None
    units: Annotated[
        tuple[UnitOrDecoy, ...], note("units that are turned to their crests, or dummies that leave the map")
    ] = ()
    dummy: Annotated[str, note("the name of a new dummy, placed at the hex")] = ""
    movement: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=20)] | None, note("the movement allowance printed on the new dummy")
    ] = None
    off: Annotated[bool, note("whether the cap or the crests come off, or the dummies leave the map")] = False
    side: Annotated[SideName, note("the side whose hidden units are listed; both if left out")] = ""


class ConcealResult(msgspec.Struct, frozen=True, kw_only=True):
    """The state of hidden units and markers."""

    option: Annotated[str, note("the optional rule in force: none, caps, concealment or on-map")]
    allowed: Allowed = True
    nearest: Annotated[int | None, note("hexes to the nearest enemy unit, null where that does not matter")] = None
    left: Annotated[int | None, note("Concealment markers that are left then, null where that is not known")] = None
    caps: Annotated[tuple[str, ...], note("the hexes with a Stack Cap")] = ()
    concealed: Annotated[tuple[str, ...], note("the units with their crests up")] = ()
    dummies: Annotated[tuple[str, ...], note("the dummies on the map")] = ()


class Hiding(Case):
    """Something that a side would hide."""

    view: View
    kind: Kind | None
    """The kind, or None for a unit without a crest on its back: a train, depot or fortress."""
    hex: str
    side: str

    @property
    def rule(self) -> str:
        raise NotImplementedError

    @cached_property
    def option(self) -> Option:
        return option_of(self.view)

    @cached_property
    def why(self) -> str:
        """The reason why the side spends no Movement Points in this phase, or ""."""
        return why_no_movement(self.view, self.side)[1]

    @cached_property
    def nearest(self) -> int | None:
        """The distance to the nearest enemy unit, in hexes, or None if none is on the map."""
        return nearest_enemy(self.view, self.side, self.hex)

    @property
    def unused(self) -> str:
        """The reason why the optional rule in force does not have this kind, or ""."""
        return bar_of_option(self.kind, self.option) if self.kind else ""

    def bars_of_phase(self) -> Iterator[Clause]:
        """Yield the bars of the option and the phase.

        At most one of the three optional rules is in force, and a side hides units only in its movement phases (26.0).
        """
        yield bool(self.unused), "26.0", "{unused} (hidden-units)"
        yield bool(self.why), self.rule, "that is done only in its own side's movement phases: {why}"

    def bars_of_distance(self) -> Iterator[Clause]:
        """Yield the bar if an enemy unit is too near. Rule: 26.1.1a, 26.2.2"""
        near = self.nearest is not None and self.nearest < MIN_HIDING_DISTANCE_HEXES
        yield near, self.rule, "an enemy unit is {nearest:#hex} away, and at least 3 are needed"


class Marker(Hiding, Action[ConcealResult]):
    """A Concealment marker that is placed on a stack."""

    of: str
    """The nation of the stack's top unit."""

    @cached_property
    def left(self) -> int | None:
        """Concealment markers that the nation has left before, or None if unknown."""
        return _count_stock(self.view, self.of)

    @property
    def nation(self) -> str:
        return self.view.title_of(self.of)

    def bars_of_stock(self) -> Iterator[Clause]:
        yield self.left is not None and self.left <= 0, "26.1", "{nation}: no Concealment marker is left"

    def count_left(self, *, allowed: bool) -> int | None:
        """Return the markers left afterwards, or None if unknown."""
        return None if self.left is None else self.left - allowed


class StackCap(Marker):
    """A Stack Cap that is placed on a stack."""

    title = "Stack Cap in {hex}"
    yes = "a Stack Cap may be placed in {hex}"
    no = "no Stack Cap may be placed in {hex}"
    kind: Kind | None = "cap"

    @property
    def rule(self) -> str:
        return "26.1.1a"

    def bars(self) -> Iterator[Clause]:
        yield from self.bars_of_phase()
        yield from self.bars_of_distance()
        yield from self.bars_of_stock()
        yield self.view.flag(CAPPED, self.hex), "26.1.1", "a Stack Cap lies there already"

    def result(self, *, allowed: bool) -> ConcealResult:
        left = self.count_left(allowed=allowed)
        return ConcealResult(option=self.option, nearest=self.nearest, left=left, caps=(self.hex,))

    def working(self) -> dict[str, Iterable[Step]]:
        return {"Cap": self._list_steps()}

    def _list_steps(self) -> Iterator[Step]:
        if self.nearest is not None:
            yield step("26.1.1a", "the nearest enemy unit is {nearest} hexes away", self)
        yield step("26.1.1", "the enemy sees none of the units below it")
        if self.left is not None:
            yield step("26.1", "{left:#Concealment marker} left", self.result(allowed=True))

    def changes(self) -> Iterable[AnyChange]:
        return [changed(self.view, CAPPED, self.hex, True, "26.1.1a")]


class Crest(Hiding):
    """A unit that is turned to its crest."""

    @property
    def rule(self) -> str:
        return "26.2.2" if self.option == "concealment" else "26.1.1b"

    def bars(self) -> Iterator[Clause]:
        yield self.kind is None, "26.2.1", "it has no crest on its back"
        yield from self.bars_of_phase()
        yield from self.bars_of_distance()


class NewDummy(Marker):
    """A new dummy that is placed on top of a stack."""

    dummy: str
    """The dummy's name."""
    printed: Mapping[str, Value]
    """The values on the dummy's counter, empty if the roster has no counter of its name."""
    movement: Value | None
    """The printed allowance, or None if it is not known."""
    title = "[named_so:|Dummy ]{dummy} in {hex}"
    yes = "{dummy} may be placed in {hex}"
    no = "{dummy} may not be placed in {hex}"
    kind: Kind | None = "dummy"

    @property
    def named_so(self) -> bool:
        return self.dummy.startswith("Dummy")

    @property
    def rule(self) -> str:
        return "26.2.3" if self.option == "concealment" else "26.1.2a"

    @cached_property
    def moved(self) -> list[str]:
        """The units of the side that have spent Movement Points or moved in the phase."""
        return moved_units(self.view, self.side)

    @cached_property
    def friends(self) -> list[str]:
        return [unit.id for unit in self.view.stack(self.hex)]

    @cached_property
    def concealed(self) -> list[str]:
        return [unit for unit in self.friends if is_concealed(self.view, unit)]

    def bars(self) -> Iterator[Clause]:
        yield from self.bars_of_phase()
        yield from self.bars_of_place()
        yield from self.bars_of_stock()

    def bars_of_place(self) -> Iterator[Clause]:
        """Yield the bars of the place and the time.

        No unit of the side may have moved in the phase. The dummy must lie on friendly units, under Hidden Movement on
        concealed ones.

        Rule: 26.1.2a, 26.2.3
        """
        sentence = "new dummies are placed before the side moves, and these units have moved: {moved}"
        yield bool(self.moved), self.rule, sentence
        yield not self.friends, self.rule, "a new dummy is placed only on top of friendly units"
        bare = self.option == "concealment" and bool(self.friends) and not self.concealed
        sentence = "under Hidden Movement a new dummy is placed only on top of concealed friendly units"
        yield bare, self.rule, sentence

    def result(self, *, allowed: bool) -> ConcealResult:
        """Return the result.

        Raises MissingFacts if the dummy may be placed and its allowance is not known.
        """
        if allowed and self.movement is None:
            title = f"the movement allowance printed on {self.dummy}"
            raise MissingFacts(
                [Ask(kind="parameter", name="movement", rule=self.rule, title=title, how="movement=NUMBER")]
            )
        left = self.count_left(allowed=allowed)
        return ConcealResult(option=self.option, left=left, dummies=(self.dummy,))

    def working(self) -> dict[str, Iterable[Step]]:
        """Return a remark on when the enemy recognizes the dummy: under Stack Caps, wherever no cap lies on it."""
        text = "the enemy sees a dummy until a Stack Cap lies on its stack (ask conceal at={hex})"
        if self.view.flag(CAPPED, self.hex):
            text = "if it moves off alone, the enemy sees a dummy until it has another Stack Cap (ask conceal at=HEX)"
        return {"Dummy": [step("26.1.1", text, self)] if self.option == "caps" else []}

    def changes(self) -> Iterator[AnyChange]:
        """Yield the changes by which the dummy enters play on top of the stack.

        It leaves play first if it has been taken off before. Facts that its counter does not show are stated, and under
        Hidden Movement its crest is up.
        """
        name = self.dummy
        if name in self.view.state.units:
            yield Leave(name, self.rule)
        yield Enter(name, name, self.hex, 0, self.rule)
        facts: dict[str, Value] = {"nation": self.of, "arm": DUMMY, "size": "-", "movement": self.movement or 0}
        if self.option == "concealment":
            facts |= {CONCEALED: True}
        for track, value in facts.items():
            if self.printed.get(track) != value:
                yield Change(track, name, None, value, self.rule)


def answer(view: View, parameters: ConcealParameters) -> Report[ConcealResult]:
    """Return the report on hiding or revealing.

    Raises InputError for units off the map or not of one side, for a hex without a stack, and for parameters that do
    not go together; MissingFacts for the allowance of a new dummy, and for the nation of a stack.
    """
    _check_parameters(parameters)
    if parameters.off:
        return _report_revealing(view, parameters)
    if hex := parameters.at:
        _check_stack(view, hex)
        nation = _require_nation(view, hex)
        stack: dict[str, Any] = {"view": view, "hex": hex, "of": nation, "side": view.game.side_of(nation)}
        if not parameters.dummy:
            return StackCap(**stack).report()
        name = view.game.spell_unit(parameters.dummy)
        printed = _counter_of_dummy(view, name, nation)
        movement = printed.get("movement") if parameters.movement is None else parameters.movement
        return NewDummy(**stack, dummy=name, printed=printed, movement=movement).report()
    return _answer_crests(view, parameters.units) if parameters.units else _list_hidden(view, parameters.side)


def _check_parameters(parameters: ConcealParameters) -> None:
    if parameters.dummy and not parameters.at:
        raise InputError(f"dummy: no hex is named for {parameters.dummy}", hint="at=HEX")
    if parameters.dummy and parameters.off:
        raise InputError("off: a dummy on the map is named as a unit", hint="units=DUMMY off=yes")
    if parameters.units and parameters.at:
        raise InputError("at: a hex is named for a cap or a new dummy, not with units", hint="leave out at or units")
    if parameters.movement is not None and not parameters.dummy:
        raise InputError("movement: no new dummy is named", hint="dummy=NAME")
    if parameters.off and not (parameters.at or parameters.units):
        raise InputError(
            "off: nothing is named that comes off", hint="at=HEX for a cap, units=UNIT for crests and dummies"
        )


def _check_stack(view: View, hex: str) -> None:
    if not view.board.is_hex(hex) or not (view.state.stack(hex) or view.stack(hex)):
        raise InputError(f"at: no stack is in {hex}", hint="name the hex of a stack on the map")
    if side := side_in(view, hex):
        _check_own(view, side, f"at: the stack in {hex}")


def _require_nation(view: View, hex: str) -> str:
    stack = view.state.stack(hex)
    if not stack:
        raise InputError(f"at: no unit of the stack in {hex} is stated", hint=f"{hex}: UNIT states its top unit")
    with view.gather() as facts:
        return facts.word("nation", stack[0].id)


def _check_own(view: View, side: str, what: str) -> None:
    if not is_shown(view, side):
        raise InputError(f"{what} is the enemy's", hint="a side hides only its own units (26.0)")


def _count_stock(view: View, nation: str) -> int | None:
    """Return the Concealment markers that a nation has left on the present map, or None if that is not known.

    The enemy does not see which markers belong to which nation.
    """
    stock = view.fact(STOCK_TRACK, nation) if is_shown(view, view.game.side_of(nation)) else None
    return None if stock is None else concealment_left(int(str(stock.value)), *markers_of(view, nation))


def _answer_crests(view: View, units: Sequence[str]) -> Report[ConcealResult]:
    option = option_of(view)
    reasons = list[Step]()
    nearest = list[int]()
    for name in units:
        unit = view.unit(name)
        if unit.place is None or not view.board.is_hex(unit.place):
            raise InputError(f"units: {name} is not on the map", hint="name units on the map")
        side = view.side_of(name)
        _check_own(view, side, f"units: {name}")
        crest = Crest(view=view, kind=_find_kind(view, name), hex=unit.place, side=side)
        if crest.nearest is not None:
            nearest.append(crest.nearest)
        against = list_bars(crest.bars)
        reasons += [step(bar.rule, "{unit}: {why}", unit=name, why=bar.text) for bar in against]
    result = ConcealResult(option=option, nearest=min(nearest, default=None), concealed=tuple(units))
    return permission(
        f"Crests of {', '.join(units)}",
        ("{units} may be turned to the crest", "{units} may not be turned to the crest"),
        reasons,
        result,
        changes=[] if reasons else [changed(view, CONCEALED, name, True, "26.2.2") for name in units],
        units=list(units),
    )


def _find_kind(view: View, unit: str) -> Kind | None:
    if unit in view.decoys:
        return "dummy"
    with view.gather() as facts:
        if is_asset_unit(facts, unit):
            return "asset"
        return "formation" if facts.word("arm", unit) in COMBAT_ARMS else None


def _counter_of_dummy(view: View, name: str, nation: str) -> Mapping[str, Value]:
    """Return the values on the counter of a new dummy, empty if the roster has no such counter.

    `nation`: the nation of the stack that the dummy joins.

    Raises InputError if the name is taken, or if the counter belongs to another nation.
    """
    known = view.state.units.get(name)
    if known is not None and (known.place is not None or name not in view.decoys):
        raise InputError(f"dummy: {name} is in the position already", hint="give it another name")
    printed = {track: facts[0].value for track, facts in view.game.roster.get(name, {}).items() if facts}
    if printed.get("arm", DUMMY) != DUMMY:
        raise InputError(f"dummy: {name} is a unit", hint="give the dummy another name")
    if printed.get("nation", nation) != nation:
        title = view.game.file.title_of(nation)
        raise InputError(f"dummy: {name} is of another nation than the units there", hint=f"name a {title} dummy")
    return printed


def _report_revealing(view: View, parameters: ConcealParameters) -> Report[ConcealResult]:
    option = option_of(view)
    changes = list[AnyChange]()
    if hex := parameters.at:
        _check_stack(view, hex)
        if not view.flag(CAPPED, hex):
            raise InputError(f"at: no Stack Cap is in {hex}", hint="leave it out")
        changes.append(changed(view, CAPPED, hex, None, "26.1.1b"))
    for name in parameters.units:
        _check_own(view, view.side_of(name), f"units: {name}")
        dummy = name in view.decoys and view.unit(name).place is not None
        if not (dummy or is_concealed(view, name)):
            raise InputError(f"units: {name} is neither a dummy on the map nor concealed", hint="leave it out")
        rule = "26.1.2c" if dummy else "26.2.4"
        changes.append(changed(view, "place" if dummy else CONCEALED, name, None, rule))
    result = ConcealResult(option=option, caps=(hex,) if hex else (), concealed=parameters.units)
    named = [f"the stack in {hex}", *parameters.units] if hex else [*parameters.units]
    return permission(
        f"Revealing {', '.join(named)}",
        ("the owner may reveal at any time: {named}", ""),
        (),
        result,
        changes=changes,
        named=named,
    )


def _list_hidden(view: View, side: str) -> Report[ConcealResult]:
    """Return the report on everything concealed, its breaches of the rules, and the markers left."""
    option = option_of(view)
    sides = [side] if side else list(view.game.file.sides)
    caps = [hex for hex in capped_hexes(view) if not side or side_in(view, hex) == side]
    crests = []
    for own in sides:
        for stack in concealed_stacks(view, own).values():
            crests += [lying.unit for lying in stack]
    dummies = [name for name in sorted(view.decoys) if view.unit(name).place and view.side_of(name) in sides]
    wrong = [*_misplaced_steps(view, option, caps, crests, dummies), *_list_stock_faults(view, sides)]
    result = ConcealResult(
        option=option, allowed=not wrong, caps=tuple(caps), concealed=tuple(crests), dummies=tuple(dummies)
    )
    title = "Hidden units"
    if wrong:
        return refused(title, "what lies hidden breaks the rules of hidden units", wrong, result, result=result)
    lines = (
        (caps, "26.1.1", "Stack Caps in {caps}"),
        (crests, "26.2.1", "with their crests up: {concealed}"),
        (dummies, "26.1", "dummies: {dummies}"),
    )
    hidden = len(caps) + len({*crests, *dummies})
    kept = option in ("caps", "concealment")
    amount = SimpleNamespace(hidden=kept and hidden, bare=kept and not hidden)
    text = "{title}[hidden:; {hidden:#thing} hidden][bare:; nothing is hidden]"
    return Report(
        title=title,
        verdict=verdict("yes", text, amount, title=OPTION_TITLES[option]),
        parts=(
            Part("Hidden", tuple(step(rule, template, result) for some, rule, template in lines if some)),
            Part("Markers", tuple(_list_stock_lines(view, sides))),
        ),
        result=result,
    )


def _misplaced_steps(
    view: View, option: Option, caps: Iterable[str], crests: Iterable[str], dummies: Iterable[str]
) -> Iterator[Step]:
    kinds: dict[str, Kind] = {f"the cap in {hex}": "cap" for hex in caps}
    kinds |= {f"{name}": _find_kind(view, name) or "formation" for name in (*crests, *dummies)}
    for named, kind in kinds.items():
        if why := bar_of_option(kind, option):
            yield step("26.0", "{named}: {why} (hidden-units)", named=named, why=why)
    if option != "caps":
        return
    for hex in caps:
        if seen := seen_by_enemies(view, hex, side_in(view, hex), dummy=False):
            yield step(
                "26.1.1b", "{hex}: enemy units in {enemies} see the stack, so its cap comes off", hex=hex, enemies=seen
            )
    for name in dummies:
        place = str(view.unit(name).place)
        if view.board.is_hex(place) and (seen := seen_by_enemies(view, place, view.side_of(name), dummy=True)):
            text = "{named} in {hex}: enemy units in {enemies} see it, so it leaves the map"
            yield step("26.1.2c", text, named=name, hex=place, enemies=seen)


def _list_stock_faults(view: View, sides: Sequence[str]) -> Iterator[Step]:
    for nation in chain.from_iterable(view.game.file.sides[side] for side in sides):
        left = _count_stock(view, nation)
        if left is not None and left < 0:
            text = "{nation}: {more} more Concealment markers on the map than it has"
            yield step("26.1", text, nation=view.title_of(nation), more=-left)


def _list_stock_lines(view: View, sides: Sequence[str]) -> Iterator[Step]:
    for nation in chain.from_iterable(view.game.file.sides[side] for side in sides):
        if (left := _count_stock(view, nation)) is not None:
            yield step("26.1", "{nation}: {left:#Concealment marker} left", nation=view.title_of(nation), left=left)


QUESTION = declare(
    "conceal",
    "what lies hidden, and whether a Stack Cap, a crest or a dummy may be placed or comes off",
    answer,
)
