"""The question `conceal`: whether a Stack Cap, a crest or a dummy may be placed, what takes them off, and what lies
hidden (26.1, 26.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated

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
from assistant.asking.permission import permission
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
from .rules import TITLES, Cover, Kind, Option, bar_of_distance, bar_of_option, bars_of_new_dummy, concealment_left

STOCK = "concealment-markers"
"""The track of how many Concealment markers a nation has."""


class ConcealParameters(Parameters, frozen=True):
    """What is hidden, or brought to light. Without any parameter the answer lists what lies hidden."""

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
    """What is hidden."""

    option: Annotated[str, note("the optional rule in force: none, caps, concealment or on-map")]
    allowed: Allowed = True
    nearest: Annotated[int | None, note("hexes to the nearest enemy unit, null where that does not matter")] = None
    left: Annotated[int | None, note("Concealment markers that are left then, null where that is not known")] = None
    caps: Annotated[tuple[str, ...], note("the hexes with a Stack Cap")] = ()
    concealed: Annotated[tuple[str, ...], note("the units with their crests up")] = ()
    dummies: Annotated[tuple[str, ...], note("the dummies on the map")] = ()


def answer(view: View, parameters: ConcealParameters) -> Report[ConcealResult]:
    """Return the report on what may be hidden. Raises InputError for units that are not on the map or not of one side,
    for a hex without a stack, and for parameters that say nothing together; MissingFacts for the allowance of a new
    dummy, and for the nation of a stack.
    """
    _check_parameters(parameters)
    if parameters.off:
        return _report_revealing(view, parameters)
    if parameters.dummy:
        return _place_dummy(view, parameters, str(parameters.at))
    if parameters.at:
        return _place_cap(view, parameters.at)
    return _report_turning(view, parameters.units) if parameters.units else _list_hidden(view, parameters.side)


def _check_parameters(parameters: ConcealParameters) -> None:
    """Raise InputError for parameters that say nothing together."""
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
    """Raise InputError where no stack is seen, and for one that is the enemy's."""
    if not view.board.is_hex(hex) or not (view.state.stack(hex) or view.stack(hex)):
        raise InputError(f"at: no stack is in {hex}", hint="name the hex of a stack on the map")
    if side := side_in(view, hex):
        _check_own(view, side, f"at: the stack in {hex}")


def _require_nation(view: View, hex: str) -> str:
    """Return the nation of the top unit of a stack. Raises InputError where no unit of it is stated, MissingFacts for
    its nation.
    """
    stack = view.state.stack(hex)
    if not stack:
        raise InputError(f"at: no unit of the stack in {hex} is stated", hint=f"{hex}: UNIT states its top unit")
    with view.gather() as facts:
        return facts.word("nation", stack[0].id)


def _check_own(view: View, side: str, what: str) -> None:
    """Raise InputError for what is the enemy's, of which a side decides nothing."""
    if not is_shown(view, side):
        raise InputError(f"{what} is the enemy's", hint="a side hides only its own units (26.0)")


def _timing_steps(view: View, side: str, rule: str) -> list[Step]:
    """Return why a side hides nothing in this phase, as far as is stated: it is done in its two movement phases."""
    _, why = why_no_movement(view, side)
    return [step(rule, "that is done only in its own side's movement phases: {why}", why=why)] if why else []


def _option_steps(kind: Kind, option: Option) -> list[Step]:
    """Return why something is not used with the optional rule in force."""
    why = bar_of_option(kind, option)
    return [step("26.0", "{why} (hidden-units)", why=why)] if why else []


def _distance_steps(nearest: int | None, rule: str) -> list[Step]:
    """Return why nothing is hidden so near to the enemy."""
    why = bar_of_distance(nearest)
    return [step(rule, "{why}", why=why)] if why else []


def _count_stock(view: View, nation: str) -> int | None:
    """Return the Concealment markers that a nation has left on the present map, None where its stock is not stated, and
    where the enemy of its side looks, who does not see which markers are whose.
    """
    stock = view.fact(STOCK, nation) if is_shown(view, view.game.side_of(nation)) else None
    return None if stock is None else concealment_left(int(str(stock.value)), *markers_of(view, nation))


def _stock_steps(left: int | None, nation: str, view: View) -> list[Step]:
    """Return why no further marker is placed. left: before that."""
    if left is None or left > 0:
        return []
    return [step("26.1", "{nation}: no Concealment marker is left", nation=view.title_of(nation))]


def _place_cap(view: View, hex: str) -> Report[ConcealResult]:
    """Return the report on a Stack Cap that is placed (26.1.1a)."""
    _check_stack(view, hex)
    nation = _require_nation(view, hex)
    option = option_of(view)
    side = view.game.side_of(nation)
    nearest = nearest_enemy(view, side, hex)
    left = _count_stock(view, nation)
    reasons = [*_option_steps("cap", option), *_timing_steps(view, side, "26.1.1a")]
    reasons += [*_distance_steps(nearest, "26.1.1a"), *_stock_steps(left, nation, view)]
    if view.flag(CAPPED, hex):
        reasons.append(step("26.1.1", "a Stack Cap lies there already"))
    result = ConcealResult(
        option=option, nearest=nearest, left=None if left is None else left - (not reasons), caps=(hex,)
    )
    return permission(
        f"Stack Cap in {hex}",
        ("a Stack Cap may be placed in {hex}", "no Stack Cap may be placed in {hex}"),
        reasons,
        result,
        working={"Cap": () if reasons else _cap_steps(result)},
        changes=() if reasons else [changed(view, CAPPED, hex, True, "26.1.1a")],
        hex=hex,
    )


def _cap_steps(result: ConcealResult) -> Iterator[Step]:
    """Yield how far the enemy is, what the cap does, and how many markers are left."""
    if result.nearest is not None:
        yield step("26.1.1a", "the nearest enemy unit is {nearest} hexes away", result)
    yield step("26.1.1", "the enemy sees none of the units below it")
    if result.left is not None:
        yield step("26.1", "{left:#Concealment marker} left", result)


def _report_turning(view: View, units: Sequence[str]) -> Report[ConcealResult]:
    """Return the report on units that are turned to their crests (26.2.2)."""
    option = option_of(view)
    reasons = list[Step]()
    nearest = list[int]()
    for name in units:
        unit = view.unit(name)
        if unit.place is None or not view.board.is_hex(unit.place):
            raise InputError(f"units: {name} is not on the map", hint="name units on the map")
        side = view.side_of(name)
        _check_own(view, side, f"units: {name}")
        far = nearest_enemy(view, side, unit.place)
        if far is not None:
            nearest.append(far)
        rule = "26.2.2" if option == "concealment" else "26.1.1b"
        kind = _find_kind(view, name)
        against = _option_steps(kind, option) if kind else [step("26.2.1", "it has no crest on its back")]
        against += [*_timing_steps(view, side, rule), *_distance_steps(far, rule)]
        reasons += [step(why.rule, "{unit}: {why}", unit=name, why=why.text) for why in against]
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
    """Return what a unit is when it is turned to its crest; None for one without a crest on its back: trains, depots,
    fortresses.
    """
    if unit in view.decoys:
        return "dummy"
    with view.gather() as facts:
        if is_asset_unit(facts, unit):
            return "asset"
        return "formation" if facts.word("arm", unit) in COMBAT_ARMS else None


def _place_dummy(view: View, parameters: ConcealParameters, hex: str) -> Report[ConcealResult]:
    """Return the report on a new dummy. Raises MissingFacts for its allowance (26.1.2a, 26.2.3)."""
    _check_stack(view, hex)
    option = option_of(view)
    name = view.game.spell_unit(parameters.dummy)
    nation = _require_nation(view, hex)
    printed = _counter_of_dummy(view, name, nation)
    side = view.game.side_of(nation)
    rule = "26.2.3" if option == "concealment" else "26.1.2a"
    friends = [unit.id for unit in view.stack(hex)]
    cover = Cover(friends, [unit for unit in friends if is_concealed(view, unit)])
    left = _count_stock(view, nation)
    reasons = [*_option_steps("dummy", option), *_timing_steps(view, side, rule)]
    reasons += [step(rule, "{why}", why=why) for why in bars_of_new_dummy(cover, moved_units(view, side), option)]
    reasons += _stock_steps(left, nation, view)
    movement = printed.get("movement") if parameters.movement is None else parameters.movement
    if not reasons and movement is None:
        title = f"the movement allowance printed on {name}"
        raise MissingFacts([Ask(kind="parameter", name="movement", rule=rule, title=title, how="movement=NUMBER")])
    if left is not None and not reasons:
        left -= 1
    result = ConcealResult(option=option, left=left, dummies=(name,))
    steps: list[Step] = []
    changes: list[AnyChange] = []
    if not reasons:
        steps += _open_dummy_steps(view, option, hex)
        changes += _entering(view, name, hex, _list_facts_of_dummy(nation, movement, option, printed), rule)
    return permission(
        f"{name} in {hex}" if name.startswith("Dummy") else f"Dummy {name} in {hex}",
        ("{dummy} may be placed in {hex}", "{dummy} may not be placed in {hex}"),
        reasons,
        result,
        working={"Dummy": steps},
        changes=changes,
        dummy=name,
        hex=hex,
    )


def _open_dummy_steps(view: View, option: Option, hex: str) -> Iterator[Step]:
    """Yield when the enemy sees that a new dummy is one: under Stack Caps, wherever no cap lies on it."""
    if option != "caps":
        return
    if view.flag(CAPPED, hex):
        text = "if it moves off alone, the enemy sees a dummy until it has another Stack Cap (ask conceal at=HEX)"
        yield step("26.1.1", text)
    else:
        text = "the enemy sees a dummy until a Stack Cap lies on its stack (ask conceal at={hex})"
        yield step("26.1.1", text, hex=hex)


def _counter_of_dummy(view: View, name: str, nation: str) -> Mapping[str, Value]:
    """Return what is printed on the counter of a new dummy, nothing for one of another name. nation: whose stack it
    joins. Raises InputError for a name that something else has, and for a counter of another nation.
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


def _list_facts_of_dummy(
    nation: str, movement: Value | None, option: Option, printed: Mapping[str, Value]
) -> dict[str, Value]:
    """Return what is stated of a new dummy beyond what is printed on its counter; under Hidden Movement it lies with
    its crest up.
    """
    facts: dict[str, Value] = {"nation": nation, "arm": DUMMY, "size": "-", "movement": movement or 0}
    if option == "concealment":
        facts |= {CONCEALED: True}
    return {track: value for track, value in facts.items() if printed.get(track) != value}


def _entering(view: View, name: str, hex: str, facts: Mapping[str, Value], rule: str) -> Iterator[AnyChange]:
    """Yield the changes by which a dummy enters play on top of a stack, once more if it has been taken off before."""
    if name in view.state.units:
        yield Leave(name, rule)
    yield Enter(name, name, hex, 0, rule)
    for track, value in facts.items():
        yield Change(track, name, None, value, rule)


def _report_revealing(view: View, parameters: ConcealParameters) -> Report[ConcealResult]:
    """Return the report on what its owner takes off: a cap, crests, dummies, at any time (26.1.2c)."""
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
    """Return the report on what lies hidden, what the rules do not allow of it, and how many markers are left (26.0,
    26.1).
    """
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
    amount = {"hidden": kept and hidden, "bare": kept and not hidden}
    text = "{title}[hidden:; {hidden:#thing} hidden][bare:; nothing is hidden]"
    return Report(
        title=title,
        verdict=verdict("yes", text, title=TITLES[option], **amount),
        parts=(
            Part("Hidden", tuple(step(rule, template, result) for some, rule, template in lines if some)),
            Part("Markers", tuple(_list_stock_lines(view, sides))),
        ),
        result=result,
    )


def _misplaced_steps(
    view: View, option: Option, caps: Iterable[str], crests: Iterable[str], dummies: Iterable[str]
) -> Iterator[Step]:
    """Yield what lies hidden though another option is in force, or though enemy units see it."""
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
    """Yield the nations with more Concealment markers on the map than they have."""
    for nation in chain.from_iterable(view.game.file.sides[side] for side in sides):
        left = _count_stock(view, nation)
        if left is not None and left < 0:
            text = "{nation}: {more} more Concealment markers on the map than it has"
            yield step("26.1", text, nation=view.title_of(nation), more=-left)


def _list_stock_lines(view: View, sides: Sequence[str]) -> Iterator[Step]:
    """Yield how many markers each nation has left, as far as its stock is stated."""
    for nation in chain.from_iterable(view.game.file.sides[side] for side in sides):
        if (left := _count_stock(view, nation)) is not None:
            yield step("26.1", "{nation}: {left:#Concealment marker} left", nation=view.title_of(nation), left=left)


QUESTION = declare(
    "conceal",
    "what lies hidden, and whether a Stack Cap, a crest or a dummy may be placed or comes off",
    answer,
)
