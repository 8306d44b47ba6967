"""The question `retreat`: the open hexes, the bars to the others, and the cost of a retreat (11.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from assistant.asking import (
    Answers,
    Gather,
    InputError,
    MissingFacts,
    Part,
    Report,
    Step,
    Verdict,
    View,
    declare,
    holding,
    refused,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.asking.play import chosen
from assistant.asking.report import as_sentence
from assistant.rules.field import Walk
from assistant.util.errors import quoted

from ..combat.garrisons import known_inside
from ..combat.pieces import Pieces
from ..combat.retreat_ground import Terrain, ask_what_closes, through_mountains, way_in
from ..displacement.in_combat import passing_step, units_passed_by
from ..entering.consequences import follows_changes
from ..forces.armies import areas, army_of
from ..forces.bars import first_bar
from ..forces.falling import falling_steps, find_falling, list_falls
from ..forces.losses import bearers
from ..forces.unit import ENDLESS_STEPS, gather_unit, retreats_with_stack
from ..forces.units import CombatUnit, Force, forces, stack_excess
from ..ground import hexsides
from ..ground.calendar import phase_of
from ..ground.hexsides import assume_zones, back, between, cell_of_high_mountain, leads_to_box, needs_chart
from ..repulse.rules import Clearing, offer_clearing
from ..terms import BUKOWINA_BOX, FIELD_ARMS, FORTRESSES, GREAT_RIVERS, OFF_MAP, RETREAT_CAUSE, SAY, SUPPLY_ARMS
from .picture import sketch_retreat
from .stack import (
    CAUSES,
    Retreat,
    RetreatParameters,
    RetreatResult,
    departure_steps,
    find_all_survivors,
    list_consequences,
    units_departed,
)
from .ways import (
    MAX_CERTAIN_LEVEL_HEXES,
    Charge,
    ForceRetreat,
    RetreatHex,
    Unable,
    WayBack,
    apply_charges,
    apply_levels,
    charges,
    charges_of_withheld,
    excess_leaves,
    hex_passed_over,
    price_for,
    smallest_groups,
    supply_charges,
    unable_to_retreat,
    ways_to_room,
)
from .words import (
    charge_step,
    closed_step,
    force_step,
    format_remark,
    options_part,
    priority_sentence,
    priority_step,
)


def _does_way_back_matter(view: View, parameters: RetreatParameters) -> bool:
    """Return whether ruling way-back matters: the players have agreed on it, or the route turns straight back."""
    places = (parameters.at, *parameters.way)
    turns_back = any(earlier == other for earlier, other in zip(places, places[2:], strict=False))
    return "way-back" in view.state.rulings or turns_back


def _read_owed(view: View, parameters: RetreatParameters) -> RetreatParameters:
    """Return the parameters; a cause, hexes or units left out are taken from the position.

    By the position the units that owe hexes retreat, by the fewest hexes that any of them owes.

    Raises MissingFacts if no number of hexes is stated.
    """
    units = parameters.units or tuple(unit.id for unit in view.stack(parameters.at))
    if parameters.cause is None:
        stated = {view.word(RETREAT_CAUSE, unit) for unit in units}
        parameters = replace(parameters, cause=next((cause for cause in CAUSES if cause in stated), None))
    if parameters.hexes is not None:
        return parameters
    numbers = {unit: view.integer("owes", unit) for unit in units}
    owed = {unit: number for unit, number in numbers.items() if number}
    if not owed:
        how = "hexes=N, or UNIT owes=N"
        raise MissingFacts([Ask(kind="parameter", name="hexes", rule="11.2", title="hexes to retreat", how=how)])
    return replace(parameters, hexes=min(owed.values()), units=parameters.units or tuple(owed))


def _read_retreat(
    facts: Gather, parameters: RetreatParameters, chosen: tuple[str, ...], fallen: tuple[str, ...], *, is_named: bool
) -> Retreat:
    """Return the stack that retreats, and the ground around it.

    `chosen`, `fallen`: the units from `_choose_units`.
    `is_named`: whether the player has named the units; otherwise Asset Units go with their formations.

    Raises InputError if units retreat without the rest of their Force, or cannot retreat.
    """
    view, at = facts.view, parameters.at
    here = {unit.id: unit for unit in view.stack(at)}
    able = [name for name in here if retreats_with_stack(facts, name)]
    if not chosen:
        raise InputError(f"no unit in {at} can retreat", hint="place the stack that must retreat there")
    trains = [name for name in chosen if facts.word("arm", name) in SUPPLY_ARMS]
    if len(trains) == len(chosen):
        hint = "alone in an EZOC it has to leave: ask displace (9.8.1)"
        raise InputError(f"units: {trains[0]} is a supply unit, which retreats only with others", hint=hint)
    able_units = [gather_unit(facts, here[name], None, steps=False) for name in able]
    parted = assets_left_behind(able_units, chosen)
    while parted and not is_named:  # one formation at a time
        chosen = (*chosen, *parted[1])
        parted = assets_left_behind(able_units, chosen)
    units = tuple(gather_unit(facts, here[name], None, steps=False) for name in chosen)
    if parted:
        bar, assets = parted
        hint = f"name {', '.join(assets)} too, or state with= the formation that each is attached to"
        raise InputError(f"units: {bar.text} ({bar.rule})", hint=hint)
    are_all_displaced = all(unit.displaced for unit in units)
    for unit in units:
        if are_all_displaced:
            rule, why = first_bar(unit, "retreat alone")
            if why:
                raise InputError(f"units: {unit.id}: {why} ({rule})")
        if unit.arm in FORTRESSES:
            raise InputError(f"units: {unit.id} is a fortress unit, which never retreats (12.1)")
        if not retreats_with_stack(facts, unit.id):
            hint = "leave it out; as an enemy is adjacent to it: ask displace"
            raise InputError(f"units: {unit.id} does not retreat with its stack", hint=hint)
    around = hexsides.around(facts, here[chosen[0]])
    retreating = forces(units)
    pieces = Pieces(view)
    ground = replace(
        pieces.layout(()).ground(retreating, parameters.first or at),
        abandoned=frozenset(parameters.abandoned),
        turns_back=view.ruling("way-back", _does_way_back_matter(view, parameters)) == "yes",
    )
    return Retreat(parameters, units, retreating, around, pieces, ground, fallen)


def _choose_units(facts: Gather, parameters: RetreatParameters) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the units that retreat, and the units that are destroyed instead.

    By default all units retreat that can. A check makes no supply unit retreat.

    Raises InputError if a named unit is not in the hex.
    """
    stack = [unit.id for unit in facts.view.stack(parameters.at)]
    for name in parameters.units:
        if name not in stack:
            raise InputError(f"units: {name} is not in {parameters.at}")
    must_retreat = stack
    if parameters.due_to == "check":
        must_retreat = [unit for unit in stack if facts.word("arm", unit) not in SUPPLY_ARMS]
    fallen = tuple(find_falling(parameters.units or must_retreat))
    chosen = parameters.units or (unit for unit in stack if retreats_with_stack(facts, unit))
    return tuple(unit for unit in chosen if unit not in fallen), fallen


def _report_fall(view: View, parameters: RetreatParameters, fallen: tuple[str, ...]) -> Report[RetreatResult]:
    """Return the report if all units are destroyed instead of retreating."""
    at = parameters.at
    if parameters.way:
        raise InputError("way: no unit is left to retreat", hint="leave the way out")
    result = RetreatResult(
        at=at, units=(), owed=parameters.owed, way=(), end=at, options=(), forces=(), fallen=fallen, complete=True
    )
    changes = tuple(list_falls(view, fallen))
    following = follows_changes(view, changes)
    falls = SAY.verdict("figure", "retreat.falls", result, several=len(fallen) > 1)
    return Report(
        title=f"Retreat of {', '.join(fallen)} from {at}",
        verdict=falls,
        short=(as_sentence("11.2", falls),),
        parts=(Part("Destroyed", tuple(falling_steps(fallen))), *following.parts(view)),
        changes=(*changes, *following.changes),
        result=result,
    )


def assets_left_behind(stack: Sequence[CombatUnit], chosen: Collection[str]) -> tuple[Step, tuple[str, ...]] | None:
    """Return the bar to a formation that parts from its Asset Units, with the units of the Force that would stay.

    The first such Force is reported. Returns None if there is none.

    `stack`: the units that can retreat from the hex.
    `chosen`: ids of the units that retreat.

    Rule: 11.2.1a
    """
    text = "{force} and the Asset Units attached to it retreat together"
    for force in forces(stack):
        staying = tuple(unit.id for unit in force.units if unit.id not in chosen)
        is_divided = force.formation and 0 < len(staying) < len(force.units)
        bars = holding([(is_divided, "11.2.1", text)], force=force.name)
        for bar in bars:
            return bar, staying
    return None


def _find_stayers(retreat: Retreat) -> list[str]:
    """Return the ids of units that could retreat with the stack, but do not."""
    staying = (unit.id for unit in retreat.view.stack(retreat.parameters.at) if unit.id not in retreat.names)
    return [unit for unit in staying if retreats_with_stack(retreat.view, unit)]


def parting_steps(retreat: Retreat) -> list[Step]:
    """Return a line for each unit that stays although it owes hexes, or retreats farther than it owes.

    Rule: 11.2.1
    """
    steps = list[Step]()
    for unit in _find_stayers(retreat):
        owed = retreat.view.integer("owes", unit)
        clause = owed > 0, "11.2.1", "{unit} still owes {owed:#hex} and retreats with the others"
        steps += holding([clause], unit=unit, owed=owed)
    for unit in retreat.names:
        if fact := retreat.view.fact("owes", unit):
            owed = int(str(fact.value))
            steps += holding(
                [(owed < retreat.parameters.owed, "11.2.1", "{unit} owes only {owed:#hex}")], unit=unit, owed=owed
            )
    return steps


def _find_units_standing(retreat: Retreat, hex: str) -> list[CombatUnit]:
    """Return the combat and artillery units in a hex that do not retreat with the stack."""
    view = retreat.view
    there = [unit for unit in view.stack(hex) if unit.id not in retreat.names]
    with view.gather() as facts:
        return [
            gather_unit(facts, unit, None, steps=False) for unit in there if view.word("arm", unit.id) in FIELD_ARMS
        ]


def excess_after_retreat(retreat: Retreat, hex: str, coming: Iterable[CombatUnit]) -> tuple[Fraction, int]:
    """Return the divisions and artillery units by which a hex exceeds its limits once more units stand there.

    A place off the map has no limits.

    `coming`: units of the retreating stack.

    Rule: 4.2.3b
    """
    if not retreat.view.board.is_hex(hex) or retreat.ground.terrain.is_off_map(hex):
        return Fraction(0), 0
    view = retreat.view
    coming = [*coming]
    all_units = [unit.id for unit in view.stack(hex) if unit.id not in retreat.names] + [unit.id for unit in coming]
    supply_units = sum(view.word("arm", unit) in SUPPLY_ARMS and not view.flag("entrained", unit) for unit in all_units)
    return stack_excess([*_find_units_standing(retreat, hex), *coming], supply_units)


def check_end(retreat: Retreat) -> None:
    """Raise InputError if a route goes beyond the hexes owed, unless the last hex cannot hold the units.

    Rule: 11.2.1
    """
    way, owed = retreat.parameters.way, retreat.parameters.owed
    beyond = way[owed - 1 : -1] if owed else way
    for hex in beyond:
        if not any(excess_after_retreat(retreat, hex, retreat.units)):
            hint = f"only {owed} hexes are owed; units go farther only if the last hex is over-stacked (4.2.3)"
            raise InputError(f"way: the route continues beyond {hex}", hint=hint)
        for force in retreat.forces:
            if not any(excess_after_retreat(retreat, hex, force.units)):
                hint = "only the excess units go on: ask for the others first, with units="
                raise InputError(f"way: {force.name} may stay in {hex} (11.2.1)", hint=hint)


def _enter_hex(facts: Gather, retreat: Retreat, leg: tuple[str, str, str]) -> tuple[RetreatHex, tuple[RetreatHex, ...]]:
    """Return the hex that the stack enters, and all hexes around the hex that it leaves.

    Facts that this step needs are asked for.

    `leg`: the previous hex, or "" at the start; the hex left; and the hex entered.

    Raises InputError if the hex entered is not adjacent to the hex left.
    """
    before, here, there = leg
    around_here = retreat.ground.terrain.neighbours(here)
    if there == BUKOWINA_BOX and leads_to_box(here, retreat.ground.nations):
        options = WayBack(retreat.ground, here, before).around
        return next(hex for hex in options if hex.hex == there), options
    if there == OFF_MAP:
        return _leave_map(retreat, here, before)
    if there not in around_here:
        raise InputError(f"way: {there} is not adjacent to {here}", hint="name every hex that is entered, in order")
    if retreat.ground.garrisoned:
        for place in around_here:
            known_inside(facts, here, place)
            known_inside(facts, retreat.parameters.at, place)
    over = between(facts, here, there)
    if through_mountains(over) and any(unit.arm == "artillery" for unit in retreat.units):
        for track in ("road", "rail"):
            over.word(track)
    if GREAT_RIVERS & over.lies and not over.linked:
        over.word("crossing")
    if needs_chart(over) or needs_chart(back(over)):
        facts.cell(*cell_of_high_mountain(facts.integer("turn")))
    ask_what_closes(facts, way_in(retreat.ground, here, there, before))
    options = WayBack(retreat.ground, here, before).around
    return next(hex for hex in options if hex.hex == there), options


def _leave_map(retreat: Retreat, here: str, before: str) -> tuple[RetreatHex, tuple[RetreatHex, ...]]:
    """Return the step off the map, which is barred if another hex is open, and all hexes around.

    Raises InputError if the hex left is not at an edge of the map.
    """
    options = WayBack(retreat.ground, here, before).around
    if not retreat.ground.terrain.is_at_edge(here):
        hint = "state it if it does: HEX map-edge=SIDE"
        raise InputError(f"way: {here} does not lie at an edge of the map", hint=hint)
    found = next((hex for hex in options if hex.hex == OFF_MAP), None)
    stays = found is None, "1.2.2", "a stack leaves the map only if no hex on it is open"
    return found or RetreatHex(OFF_MAP, leaves=True).unless(stays), options


def stay_on_map(retreat: Retreat, entered: int, hex: RetreatHex) -> RetreatHex:
    """Return a hex of the route, barred if a ruling forbids leaving the map there for lack of room.

    `entered`: the number of hexes entered before it.

    Rule: 4.2.3b
    """
    for_room = not hex.barred and hex.leaves and entered >= retreat.parameters.owed
    why = "units for which their last hex has no room may stay there until their side's next movement phase"
    return hex.unless((for_room and not excess_leaves(retreat.view), "4.2.3", why))


Leg = tuple[RetreatHex, tuple[RetreatHex, ...]]
"""A step of a retreat: the hex entered, and all hexes around the hex left."""


def _choose_verdict(result: RetreatResult) -> Verdict:
    """Return the verdict on a retreat: the open hexes, or its end and cost."""
    if result.surrenders:
        return SAY.verdict("figure", "retreat.surrenders", result)
    if result.departed:
        return SAY.verdict("figure", "retreat.departs" if len(result.departed) == 1 else "retreat.depart", result)
    if not result.complete:
        hexes = [option.hex for option in result.options if not option.barred]
        return SAY.verdict("figure", "retreat.open_onward" if result.way else "retreat.open", result, hexes=hexes)
    levels = [f"{force.force} {force.levels}" for force in result.forces if force.levels]
    losses = [f"{force.force} {force.steps}" for force in result.forces if force.steps]
    guns = [gun for force in result.forces for gun in force.guns]
    eliminated = [force.force for force in result.forces if force.eliminated]
    if len(eliminated) == len(result.forces):
        return SAY.verdict("figure", "retreat.eliminated", result, eliminated=eliminated)
    return SAY.verdict("figure", "retreat.over", result, levels=levels, losses=losses, guns=guns)


def _format_briefly(result: RetreatResult) -> Iterator[Step]:
    """Yield sentences on the present or last hex of the retreat, and on its cost to each Force."""
    if result.fallen:
        yield as_sentence("11.2", SAY.verdict("figure", "retreat.falls", result, several=len(result.fallen) > 1))
    if result.surrenders or result.departed or all(force.eliminated for force in result.forces):
        yield as_sentence("11.2", _choose_verdict(result))
        return
    unfinished = "onward" if result.way else "next"
    yield SAY("11.2", f"retreat.{'ends' if result.complete else unfinished}", result)
    for force in result.forces:
        price = [*_format_lost(force)]
        if price:
            yield SAY("11.2", "retreat.costs", force, price=price)


def _format_lost(force: ForceRetreat) -> Iterator[str]:
    """Yield each loss of a Force in words, such as `1 level`, `2 steps` or the id of an artillery unit."""
    if force.eliminated:
        yield "all its steps"
        return
    if force.levels:
        yield step("", "{amount:#level}", amount=force.levels).text
    if force.steps:
        yield step("", "{amount:#step}", amount=force.steps).text
    yield from (*force.guns, *force.destroyed)


def _cost_part(result: RetreatResult, costs: Sequence[Charge], own: Mapping[str, Sequence[Charge]]) -> Part:
    """Return the part on the costs of the route.

    `costs`: the charges that all Forces pay.
    `own`: further charges, by Force.
    """
    on_map = [hex for hex in result.way if hex != OFF_MAP]
    steps = [step("11.2.1", "{at} to {hexes}", result, hexes=on_map)] if on_map else []
    if result.surrenders:
        text = (
            "the Combat Results Table calls for a retreat and no hex is open: the stack surrenders and is permanently "
            "eliminated"
        )
        return Part("The route", (*steps, step("11.2.6", text)))
    steps += map(charge_step, costs)
    for name, charged in own.items():
        steps += [step(charge.rule, "{force}: {why}, {levels:#level}", charge, force=name) for charge in charged]
    steps += map(force_step, result.forces)
    return Part("The route", tuple(steps))


def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """Return the report on a retreat: the hexes that are open next, and the cost of the route so far.

    Raises MissingFacts if a fact that the route needs is not stated, InputError if the route is impossible or losses
    are given for a Force that does not retreat.
    """
    if not view.board.is_hex(parameters.at):
        raise InputError(
            f"at: {parameters.at} is off the map, and units there need not retreat",
            hint="give the hex of the stack",
        )
    _check_numbers(parameters)
    is_named = bool(parameters.units)  # read before `_read_owed`, which may add units
    walk = Walk.along(parameters.way, answers)
    leaving = (OFF_MAP,) if parameters.off and OFF_MAP not in walk.way else ()
    parameters = replace(_read_owed(view, parameters), way=(*walk.way, *leaving))
    with view.gather() as facts:
        chosen, fallen = _choose_units(facts, parameters)
        if fallen and not chosen:
            return _report_fall(view, parameters, fallen)
        retreat = _read_retreat(facts, parameters, chosen, fallen, is_named=is_named)
        places = (parameters.at, *parameters.way)
        before = ("", *places)
        legs = [_enter_hex(facts, retreat, leg) for leg in zip(before, places, places[1:], strict=False)]
    check_end(retreat)
    legs = [(stay_on_map(retreat, number, hex), options) for number, (hex, options) in enumerate(legs)]
    who = f"{walk.next_answer}.who"
    walk.refuse_others(answers, who, *(f"losses.{force.name}" for force in retreat.forces))
    title = f"Retreat of {', '.join(retreat.names)} from {parameters.at}"
    for number, (hex, options) in enumerate(legs):
        if hex.barred:
            text = "[leaves:the stack cannot retreat off the map|{hex} cannot be entered]: {why}"
            no = verdict("no", text, hex, why=hex.barred)
            so_far = _find_result_before(retreat, [entered for entered, _ in legs[:number]], options)
            name = "retreat.barred_off" if hex.leaves else "retreat.barred"
            refusal = SAY(hex.rule, name, hex, units=retreat.names, why=hex.barred)
            return Report(title=title, verdict=no, short=(refusal,), parts=(options_part(options),), result=so_far)
    reasons = parting_steps(retreat)
    if reasons:
        return refused(title, "these units cannot legally retreat as a stack", reasons)
    return _judge(retreat, title, legs, answers, walk)


def _find_result_before(retreat: Retreat, way: Sequence[RetreatHex], options: Sequence[RetreatHex]) -> RetreatResult:
    """Return the result of a retreat up to a hex that it cannot enter.

    `way`: the hexes entered before.
    `options`: the hexes around the last hex of `way`.
    """
    at = retreat.parameters.at
    entered = tuple(hex.hex for hex in way)
    return RetreatResult(
        at=at,
        units=retreat.names,
        owed=retreat.parameters.owed,
        way=entered,
        end=(at, *entered)[-1],
        options=tuple(_priced(retreat, way, option) for option in options),
        forces=(),
    )


def _check_numbers(parameters: RetreatParameters) -> None:
    if parameters.owed < 0:
        raise InputError(f"hexes: nothing retreats {parameters.owed} hexes")
    for name, number in (("before", parameters.before), ("zones", parameters.zones)):
        if number < 0:
            raise InputError(f"{name}: {number} hexes are not possible", hint=f"leave {name} out if there were none")


def _judge(retreat: Retreat, title: str, legs: Sequence[Leg], answers: Answers, walk: Walk) -> Report[RetreatResult]:
    """Return the report on a retreat whose route is legal so far."""
    parameters = retreat.parameters
    so_far = _measure_retreat(retreat, [hex for hex, _ in legs])
    way, options, complete = so_far.way, so_far.options, so_far.complete
    lost = tuple(apply_charges(force, [*so_far.costs, *so_far.own[force.name]]) for force in retreat.forces)
    better = dict[str, tuple[str, str]]()
    for hex, around in legs:
        passed_over = hex_passed_over(hex, around)
        if passed_over:
            better[hex.hex] = passed_over
    departed = units_departed(retreat, way, lost)
    over = _list_overstacking(retreat, lost) if complete and not so_far.unable.surrenders else ()
    result = RetreatResult(
        at=parameters.at,
        units=retreat.names,
        owed=parameters.owed,
        way=parameters.way,
        end=parameters.end,
        options=() if complete else tuple(_priced(retreat, way, option) for option in options),
        entered=tuple(_priced(retreat, way[:number], entered) for number, entered in enumerate(way)),
        onward={} if complete else dict(_list_hexes_onward(retreat, way, options)),
        closed=options if so_far.unable != Unable() else (),
        forces=lost,
        fallen=retreat.fallen,
        passed_over={entered: best for entered, (best, _) in better.items()},
        surrenders=so_far.unable.surrenders,
        departed=departed,
        complete=complete,
        over_stacked=bool(over),
    )
    _ask_for_steps(retreat, result)
    _note_presumed(retreat)
    who = f"{walk.next_answer}.who"
    going_on, asks_who = _choose_excess(retreat, lost, who, answers) if over and way else ((), ())
    if going_on:
        return _report_others(retreat, going_on, answers)
    # refuses `who` too, because no Force has to retreat further
    walk.refuse_others(answers, *(f"losses.{force.name}" for force in retreat.forces))
    parts = [
        Part("Destroyed", tuple(falling_steps(result.fallen))),
        *_list_cost_parts(retreat, result, so_far),
        Part("Off the map", tuple(departure_steps(result))),
        Part("Priorities", tuple(priority_step(entered, best, why) for entered, (best, why) in better.items())),
        Part("Over-stacked", over),
        Part("Next hex", tuple(map(closed_step, result.closed))) if complete else options_part(options),
    ]
    called_for = [line for part in parts if part.title in ("Repulse", "Over-stacked") for line in part.steps]
    chosen = f"hex {{number}} of {result.owed} of the retreat from {result.at}"
    onward = walk.ask("11.2.2", chosen, options, partial(_price_of, retreat, way), retreat.names)
    asks, changes = list_consequences(retreat, result, answers) if complete else (onward, ())
    if asks_who:
        asks, changes = (*asks_who, *asks), ()
    following = follows_changes(retreat.view, changes, result.way)
    parts += following.parts(retreat.view)
    return Report(
        title=title,
        verdict=_choose_verdict(result),
        short=(
            *_format_briefly(result),
            *(priority_sentence(hex, best, why) for hex, (best, why) in better.items()),
            *(as_sentence(line.rule, line) for line in called_for),
        ),
        parts=tuple(parts),
        asks=asks,
        changes=(*changes, *following.changes),
        result=result,
    )


def _ask_for_steps(retreat: Retreat, result: RetreatResult) -> None:
    """Ask for the steps of Forces that lose steps on the route so far, or might in a hex that is open next.

    Raises MissingFacts if the steps are not stated.
    """
    ahead = [*result.options, *(hex for hexes in result.onward.values() for hex in hexes)]
    priced = [*result.forces, *(cost for hex in (*result.entered, *ahead) for cost in hex.costs)]
    losing = {lost.force for lost in priced if lost.steps}
    with retreat.view.gather() as facts:
        for unit in (unit for force in retreat.forces if force.name in losing for unit in bearers(force)):
            if unit.steps == ENDLESS_STEPS:
                facts.integer("steps", unit.id)


class RetreatSoFar(NamedTuple):
    """The hexes and the cost of a retreat so far."""

    way: Sequence[RetreatHex]
    """The hexes entered."""
    options: tuple[RetreatHex, ...]
    """The hexes around the present hex."""
    complete: bool
    """Whether the retreat is over."""
    unable: Unable
    """The cost of hexes that the stack cannot retreat."""
    costs: tuple[Charge, ...]
    """The charges that all Forces pay."""
    own: Mapping[str, tuple[Charge, ...]]
    """Further charges, by Force."""


def _measure_retreat(retreat: Retreat, way: Sequence[RetreatHex]) -> RetreatSoFar:
    parameters = retreat.parameters
    before = (parameters.at, *parameters.way)[-2] if parameters.way else ""
    options = WayBack(retreat.ground, parameters.end, before).around
    has_left_map = bool(way) and way[-1].leaves
    charged = _common_costs(retreat, way, ())
    all_lost = bool(way) and all(apply_charges(force, charged).eliminated for force in retreat.forces)
    stuck = not (has_left_map or all_lost) and all(option.barred for option in options)
    complete = len(way) >= parameters.owed or has_left_map or all_lost or stuck
    hexes_before = _count_hexes_before(retreat)
    unable = Unable()
    if complete and not all_lost:
        unable = unable_to_retreat(parameters.owed, way, parameters.due_to, hexes_before)
    costs = _common_costs(retreat, way, unable.costs)
    is_on_map = not (unable.surrenders or all_lost or has_left_map)
    needs_supply = complete and is_on_map and not parameters.withheld
    own = {
        force.name: _list_charges_away_from_supply(retreat, force) if needs_supply else () for force in retreat.forces
    }
    return RetreatSoFar(way, options, complete, unable, costs, own)


def _list_cost_parts(retreat: Retreat, result: RetreatResult, so_far: RetreatSoFar) -> Iterator[Part]:
    """Yield the parts on the cost of the route, a Repulse at its end, and displaced units."""
    if so_far.way or so_far.complete:
        yield _cost_part(result, so_far.costs, so_far.own)
    last_resorts = all(option.barred or option.leaves or option.outside for option in so_far.options)
    is_stuck = not so_far.complete and last_resorts
    unable = so_far.unable
    if unable.surrenders or is_stuck or any(charge in so_far.costs for charge in unable.costs):
        yield _may_clear(retreat, _common_costs(retreat, so_far.way, ())).part
    on_the_way = units_passed_by(retreat.pieces, retreat.names, retreat.parameters.way)
    yield Part("Displacement", tuple(passing_step(hex, going) for hex, going in on_the_way))


def _count_hexes_before(retreat: Retreat) -> int:
    """Return the number of hexes that the stack has retreated before in this combat.

    The player states the number. It is at least 1 if all units bear Retreated markers, except for withheld units, whose
    markers may be from another combat (10.1).
    """
    have_retreated = not retreat.parameters.withheld and all(unit.retreated for unit in retreat.units)
    return max(retreat.parameters.before, int(have_retreated))


def _common_costs(retreat: Retreat, way: Sequence[RetreatHex], lacking: tuple[Charge, ...]) -> tuple[Charge, ...]:
    """Return the charges that each Force pays for the route.

    `lacking`: the charges for hexes that the stack cannot retreat.
    """
    parameters = retreat.parameters
    zones = sum(hex.zone for hex in way)
    through = retreat.view.ruling("ezoc-count", min(zones, parameters.zones) > 0) == "through"
    earlier = parameters.zones if through else 0
    levels = retreat.view.ruling("ezoc-levels", zones > 0 and earlier + zones > MAX_CERTAIN_LEVEL_HEXES)
    costs = charges(way, levels, earlier) + lacking
    return charges_of_withheld(costs) if parameters.withheld else costs


def _price_way(
    retreat: Retreat, way: Sequence[RetreatHex], hex: RetreatHex
) -> tuple[tuple[Charge, ...], tuple[Charge, ...]]:
    """Return the charges for the route, and the charges if it goes on into a hex.

    Assumptions are kept out of the report, because the stack may not enter the hex.
    """
    quiet = replace(retreat, around=retreat.around.read_from(retreat.view.quiet_view()))
    return _common_costs(quiet, way, ()), _common_costs(quiet, [*way, hex], ())


def _price_of(retreat: Retreat, way: Sequence[RetreatHex], hex: RetreatHex) -> str:
    """Return the cost of an open hex to the Forces of the stack, in words."""
    before, after = _price_way(retreat, way, hex)
    names = [force.name for force in retreat.forces]
    return format_remark(retreat.forces, dict.fromkeys(names, before), dict.fromkeys(names, after))


def _priced(retreat: Retreat, way: Sequence[RetreatHex], hex: RetreatHex) -> RetreatHex:
    """Return a hex around the stack; if it is open, with its costs to each Force."""
    if hex.barred:
        return hex
    before, after = _price_way(retreat, way, hex)
    return replace(hex, costs=tuple(price_for(force, before, after) for force in retreat.forces))


def _list_hexes_onward(
    retreat: Retreat, way: Sequence[RetreatHex], options: Sequence[RetreatHex]
) -> Iterator[tuple[str, tuple[RetreatHex, ...]]]:
    """Yield each hex that is open next, with the hexes open from there and their costs.

    Hexes that end the retreat are left out.
    """
    if len(way) + 1 >= retreat.parameters.owed:
        return
    quiet = replace(retreat.ground, terrain=Terrain(retreat.view.quiet_view()))
    for option in options:
        if not option.barred and not option.is_last:
            beyond = WayBack(quiet, option.hex, retreat.parameters.end).open
            yield option.hex, tuple(_priced(retreat, [*way, option], hex) for hex in beyond)


def _may_clear(retreat: Retreat, costs: Sequence[Charge]) -> Clearing:
    """Return the Repulse that the stack may try in its present hex (11.2.6).

    `costs`: the charges of each Force for the route so far.
    """
    parameters = retreat.parameters
    survivors = [force for force in (apply_levels(force, costs) for force in retreat.forces) if force]
    return offer_clearing(retreat.pieces.layout(()), survivors, parameters.end, retreat.ground, parameters.due_to)


def _note_presumed(retreat: Retreat) -> None:
    view, parameters = retreat.view, retreat.parameters
    staying = [unit for unit in _find_stayers(retreat) if view.fact("owes", unit) is None]
    if staying:
        text = "{units} stay behind: units of a stack separate only if some owe fewer hexes than the others"
        view.premises.assume(step("11.2.1", text, units=staying))
    forts = any(view.word("arm", unit.id) in FORTRESSES for unit in view.stack(parameters.at))
    if forts and parameters.due_to == "crt":
        text = (
            "the fortress unit in {at} has already taken its step losses and any black result has been ignored: "
            "{owed:#hex} still to retreat"
        )
        view.premises.assume(step("12.2.1", text, parameters, owed=parameters.owed))
    if parameters.due_to == "repulse" and parameters.way and not phase_of(view):
        view.premises.assume(step("10.1", "the Repulse was attempted in a movement phase (phase not stated)"))
    stated_armies = areas(view)
    armies = sorted({army_of(view, unit.id) for unit in retreat.units if unit.formation} - {""} - {*stated_armies})
    others = sorted(stated_armies)
    if armies and others:
        text = "the Area of Attachment of {armies} is not stated ({how}), only that of {others}"
        how = f'army {quoted(armies[0])} area="44.18-44.22 45.19"'
        view.premises.assume(step("11.2.2", text, armies=armies, how=how, others=others))
    if parameters.at in parameters.way:
        view.premises.assume(step("11.2.2", "the route comes back to {at}, against the priorities", parameters))
    assume_zones(retreat.around, {parameters.end, *parameters.way} - {BUKOWINA_BOX, OFF_MAP})


def _list_charges_away_from_supply(retreat: Retreat, force: Force) -> tuple[Charge, ...]:
    """Return the charge of a Force that ends farther from its known supply sources (11.2.3)."""
    view, parameters = retreat.view, retreat.parameters
    owed = parameters.owed + parameters.before
    if owed < 2:
        return ()
    goes_on = parameters.due_to == "crt" if parameters.last is None else not parameters.last
    if goes_on and parameters.end != BUKOWINA_BOX:
        text = (
            "whether the stack ends farther from supply is judged after its remaining checks; state last=yes if no "
            "further retreat follows"
        )
        view.premises.assume(step("11.2.3", text))
        return ()
    ends = (parameters.first or parameters.at, parameters.end)
    hexes = (0, owed) if parameters.due_to == "repulse" else (owed, 0)
    fortress = any(view.word("arm", unit.id) in FORTRESSES for unit in view.stack(parameters.end))
    # each source's hex before and after the retreat: a Corps Train of the stack moves with it
    sources = [
        (hex, parameters.end if source in retreat.names else hex)
        for source, hex in retreat.pieces.sources(force).items()
    ]
    return supply_charges(view, sources, force.name, ends, hexes, fortress=fortress)


def _list_overstacking(retreat: Retreat, lost: Sequence[ForceRetreat]) -> tuple[Step, ...]:
    """Return a line if the last hex is over-stacked, so that units must retreat farther (4.2.3)."""
    divisions, guns = excess_after_retreat(retreat, retreat.parameters.end, find_all_survivors(retreat, lost))
    if not divisions and not guns:
        return ()
    text = (
        "{hex} is over-stacked by {divisions:#division} and {guns:#artillery unit}: "
        "retreat enough units farther, or stay if that does not help"
    )
    return (step("4.2.3", text, hex=retreat.parameters.end, divisions=divisions, guns=guns),)


def _choose_excess(
    retreat: Retreat, lost: Sequence[ForceRetreat], name: str, answers: Answers
) -> tuple[tuple[Force, ...], tuple[Ask, ...]]:
    """Return the Forces that go on from a last hex with too little room for all, or the ask for a choice.

    Both are empty if no choice makes enough room.

    `name`: the name of the answer.

    Rule: 4.2.3b, 11.2.1
    """
    end = retreat.parameters.end
    survivors = find_all_survivors(retreat, lost)
    forces_by_name = {force.name: force for force in retreat.forces}

    def may_go_on(names: Collection[str]) -> bool:
        leaving = [unit for unit in survivors if any(unit in forces_by_name[name].units for name in names)]
        staying = [unit for unit in survivors if unit not in leaving]
        if len(names) == len(forces_by_name) or any(excess_after_retreat(retreat, end, staying)):
            return False
        before = (retreat.parameters.at, *retreat.parameters.way)[-2]
        way_back = WayBack(retreat.ground, end, before)
        return bool(ways_to_room(way_back, lambda hex: not any(excess_after_retreat(retreat, hex, leaving))))

    options = {",".join(group): group for group in smallest_groups([*forces_by_name], may_go_on)}
    if not options:
        return (), ()
    group, asks = chosen(
        name, "4.2.3", f"{end} cannot hold all Forces that end there: which retreat farther", options, answers
    )
    return tuple(forces_by_name[name] for name in group or ()), asks


def _report_others(retreat: Retreat, going_on: Sequence[Force], answers: Answers) -> Report[RetreatResult]:
    """Return the report on the units that stay in the last hex, with the question to ask for the others."""
    parameters = retreat.parameters
    leaving = [unit.id for force in going_on for unit in force.units]
    staying = tuple(unit.id for unit in retreat.units if unit.id not in leaving)
    # answers on hexes are left out, because `way` includes them
    losses = {name: text for name, text in answers.items() if name.startswith("losses.")}
    report = answer(retreat.view, replace(parameters, units=staying), losses)
    names = ",".join(map(quoted, leaving))
    line = step(
        "4.2.3",
        "{units} must go on from {hex}: carry this out, then ask retreat at={at} units={names} way={way},HEX",
        units=leaving,
        hex=parameters.end,
        at=parameters.at,
        names=names,
        way=",".join(parameters.way),
    )
    return replace(
        report,
        parts=(*report.parts, Part("Over-stacked", (line,))),
        short=(*report.short, as_sentence(line.rule, line)),
    )


QUESTION = declare(
    "retreat",
    "which hexes a stack may retreat into, what bars the others, and what the retreat costs",
    answer,
    {
        "hex.N": "the Nth hex that the retreating stack enters",
        "hex.N.who": "the Forces that go on as far as hex number N because the hex before it cannot hold all",
        "losses.FORCE": (
            "the units of a Force that take the step losses of the retreat, one name per step, joined by commas"
        ),
    },
    sketch=sketch_retreat,
)
