"""The question `ammunition`: the sources of Artillery Ammunition Points (APs) for units in a hex (10.5)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Annotated

from assistant.asking import AnyName, Gather, InputError, Parameters, PlaceName, UnitName, View, declare, note
from assistant.asking.asks import Ask, ask_for_unseen
from assistant.asking.report import Part, Report, Step, Verdict, VerdictKind, step, verdict
from assistant.rules.field import side_of
from assistant.state.state import Unit
from assistant.util.errors import format_suggestion
from assistant.util.limits import Limit

from ..combat.allocation import MAX_POINTS, NO_USE_REASON, can_use, command_of
from ..forces.armies import WARSAW_GARRISON, army_of, corps_and_army
from ..forces.markers import bears_half
from ..forces.unit import fighting_units, rating_shown, side_shown
from ..forces.units import CombatUnit, is_formation
from ..ground.calendar import UNSTATED, campaign_is_unstated, weather_left_out
from ..ground.hexsides import around as field_around
from ..ground.hexsides import assume_zones
from ..supply.ground import supply_ground
from ..supply.sources import praga_left_out
from ..terms import FORTRESSES, SUPPLY_ARMS, WARSAW
from .sources import AmmunitionLines, Recipient, TriedWay, boyen_ways, magazine_ways, warsaw_ways
from .spending import record_points
from .ways import AmmunitionResult, CommandPoint, cheapest, chosen_parts, overdrawn, ways_part

NOTHING_PLACED = "not known: {without} in {place} may draw an AP from a source that is not in the position"
UNDECIDED_SOURCE = "undecided: whether {without} in {place} can draw an AP depends on what is asked below"
Names = tuple[AnyName, ...]
SupplyUnits = tuple[UnitName, ...]


class AmmunitionParameters(Parameters, frozen=True, rename="kebab"):
    """Parameters of the question `ammunition`."""

    at: Annotated[PlaceName, note("the hex")]
    command: Annotated[
        AnyName, note("which of several commands spends the AP: a corps, or the hex for independent units")
    ] = ""
    through: Annotated[
        Names, note("depot or Corps Train, or both, or magazine that gives the AP; the cheapest if left out")
    ] = ()
    in_range: Annotated[
        SupplyUnits, note("supply units in normal range; a depot named with a Corps Train is in range of that train")
    ] = ()
    in_extended_range: Annotated[SupplyUnits, note("supply units in range in Extended Mode")] = ()


def answer(view: View, parameters: AmmunitionParameters) -> Report[AmmunitionResult]:
    """Return the report on the APs of a hex.

    Raises MissingFacts if facts about a source are not stated, InputError if no unit in the hex fights, or a command or
    source is unknown.
    """
    at = parameters.at
    with view.gather() as facts:
        placed = fighting_units(facts, at)
        if not placed:
            raise InputError(f"no combat, artillery or fortress unit is in {at}")
        Limit.COMBAT.check(len(placed), f"{at} holds")
        stack = [_require_gunner(facts, unit) for unit in placed]
        around = field_around(facts, placed[0])
        suppliers = [unit for unit in view.units() if unit.place and facts.word("arm", unit.id) in SUPPLY_ARMS]
        nothing_placed = not any(side_of(facts, unit) == around.side for unit in suppliers)
        unseen = [hidden.id for hidden in view.unseen.values() if side_of(facts, hidden) == around.side]
        under = {unit.id: command_of(unit, stack) for unit in stack}
        tried = _find_ways(facts, parameters, stack, around.side, under)
    _check_names(parameters, tried)
    commands = []
    for command, ways_tried in tried.items():
        units = tuple(unit.id for unit in stack if can_use(unit) and under[unit.id] == command)
        ways = tuple(way_tried.way for way_tried in ways_tried)
        commands.append(CommandPoint(command, units, cheapest(ways, parameters.through), ways))
    unable = tuple(unit.id for unit in stack if not can_use(unit) and not unit.emplaced and unit.arm not in FORTRESSES)
    result = AmmunitionResult(at, tuple(commands), unable)
    spending = [command_point for command_point in commands if parameters.command in ("", command_point.command)]
    lacking = [tried[command_point.command] for command_point in spending if command_point.way is None]
    asks = _list_open_asks(view, lacking, parameters.through, unseen)
    chosen = spending[0].way if len(spending) == 1 else None
    links = [link for command in commands if command.way for link in command.way.links]
    assume_zones(around, {entered.hex for link in links for entered in link.line})
    for left_out in (*weather_left_out(view), *_list_campaign_left_out(view, placed, commands)):
        view.premises.assume(left_out)
    return Report(
        title=f"Artillery Ammunition Points for {at}",
        verdict=_choose_verdict(result, asks, nothing_placed=nothing_placed),
        parts=(*map(ways_part, commands), *chosen_parts(chosen), Part("Allocation", tuple(_allocation_steps(result)))),
        asks=asks,
        changes=record_points(view, chosen) if chosen else (),
        result=result,
    )


def _list_campaign_left_out(view: View, units: Sequence[Unit], commands: Sequence[CommandPoint]) -> Iterator[Step]:
    """Yield notes on campaign rules that are left out because their use is not stated (24.1.3, 24.5.3)."""
    yield from praga_left_out(
        view, (name for command in commands if command.way for name in (command.way.source, command.way.depot))
    )
    lacking = any(command.way is None for command in commands) and campaign_is_unstated(view)
    garrison = [unit.id for unit in units if army_of(view, unit.id) == WARSAW_GARRISON]
    if lacking and garrison and WARSAW in (units[0].place, *view.board.neighbours(str(units[0].place))):
        text = f"the magazine of Warsaw does not serve {{units}}: it does {UNSTATED}"
        yield step("24.1.3", text, units=garrison)


def _find_ways(
    facts: Gather,
    parameters: AmmunitionParameters,
    stack: Sequence[CombatUnit],
    side: str,
    under: Mapping[str, str],
) -> dict[str, list[TriedWay]]:
    """Return the ways for an AP to each command of a stack.

    Unknown facts about magazines are asked for only if no other way serves.

    `under`: the command of each unit.
    """
    view = facts.view
    lines = AmmunitionLines(view, supply_ground(view, side), parameters.in_range, parameters.in_extended_range)
    able = [unit for unit in stack if can_use(unit)]
    tried = {}
    for command in dict.fromkeys(under[unit.id] for unit in able):
        served = [unit.id for unit in able if under[unit.id] == command]
        led = [unit.id for unit in stack if unit.formation and under[unit.id] == command]
        unit = view.unit((led or served)[0])  # a formation if there is one, even if it cannot use an AP (6.4.1)
        wanting = Recipient(unit, command, tuple(served), tuple(unit.id for unit in able))
        ways = lines.supply_chains(facts, wanting)
        ways += [*boyen_ways(facts, lines, wanting), *warsaw_ways(facts, wanting)]
        magazines = magazine_ways(view, wanting, side)
        any_serves = any(not way.way.why_not for way in (*ways, *magazines))
        tried[command] = ways + [magazine for magazine in magazines if not (any_serves and magazine.asks)]
    return tried


def _check_names(parameters: AmmunitionParameters, tried: Mapping[str, Sequence[TriedWay]]) -> None:
    if parameters.command and parameters.command not in tried:
        what = f"command: no command {parameters.command!r} in {parameters.at} can use an AP"
        raise InputError(what, hint=format_suggestion(parameters.command, tried))
    names = {name for ways in tried.values() for way in ways for name in (way.way.source, way.way.depot) if name}
    for name in parameters.through:
        if name not in names:
            raise InputError(
                f"through: no AP can reach {parameters.at} through {name!r}", hint=format_suggestion(name, names)
            )


def _require_gunner(facts: Gather, unit: Unit) -> CombatUnit:
    """Return a unit with the facts that decide its command and whether it can use an AP."""
    name = unit.id
    arm = facts.word("arm", name)
    size = facts.word("size", name)
    nation = facts.word("nation", name)
    fortress = arm in FORTRESSES
    formation = is_formation(arm, size, marked=facts.flag("asset", name))
    corps, army = corps_and_army(facts.view, name)
    return CombatUnit(
        id=name,
        nation=nation,
        arm=arm,
        size=size,
        formation=formation,
        place=str(unit.place),
        corps=corps,
        army=army,
        artillery=0 if fortress else rating_shown(facts, "artillery", name, side_shown(facts, name)),
        half=bears_half(facts, unit),
        flags=frozenset({"displaced"} if facts.flag("displaced", name) else ()),
        with_=facts.word("with", name),
    )


def _list_open_asks(
    view: View, lacking: Sequence[Sequence[TriedWay]], through: Sequence[str], unseen: Sequence[str]
) -> tuple[Ask, ...]:
    """Return the facts to ask for about commands without a source.

    `lacking`: the ways tried for each such command.
    `unseen`: pieces of the side that the viewpoint cannot see; any of them may be a supply unit.
    """
    tried = (way for ways in lacking for way in ways if way.way.comes_by(through))
    asks = {ask.name: ask for way in tried for ask in way.asks}
    asks |= {name: ask_for_unseen(view.game, view.unit(name)) for name in unseen if lacking}
    return tuple(asks.values())


def _choose_verdict(result: AmmunitionResult, asks: Sequence[Ask], *, nothing_placed: bool) -> Verdict:
    """Return the verdict.

    `nothing_placed`: whether the position has no supply unit of the side.
    """
    lacking = [command.command for command in result.commands if command.way is None]
    under_no_corps = {result.at: "the units"}  # units of no corps have their hex as their command
    without = [under_no_corps.get(command, command) for command in lacking]
    sources = [f"{command.command} by {command.served_by}" for command in result.commands if command.way]
    verdicts: tuple[tuple[bool, VerdictKind, str], ...] = (
        (not result.commands, "no", "no unit in {place} can use an AP"),
        (bool(asks), "undecided", UNDECIDED_SOURCE),
        (nothing_placed and not any(command.tried for command in result.commands), "undecided", NOTHING_PLACED),
        (not sources, "no", "no source can give {without} in {place} an AP"),
        (not without, "yes", "{place}: an AP can reach {sources}"),
        (True, "figure", "{place}: an AP can reach {sources}, but not {without}"),
    )
    kind, text = next((kind, text) for holds, kind, text in verdicts if holds)
    return verdict(kind, text, place=result.at, sources=sources, without=without)


def _allocation_steps(result: AmmunitionResult) -> Iterator[Step]:
    if result.unable:
        yield step("10.5", f"{{units}} cannot use an AP: {NO_USE_REASON}", units=result.unable)
    for (source, _), (left, needed) in overdrawn([command.way for command in result.commands if command.way]).items():
        text = "{source} has {left:#AP} left, but {needed} commands would draw on it"
        yield step("10.5.4", text, source=source, left=left, needed=needed)
    needed = len(result.commands)
    able = {unit for command in result.commands for unit in command.units}
    every = (way for command in result.commands for way in command.tried if not way.why_not)
    if needed > 1 and (magazine := next((way for way in every if able.issubset(way.serves)), None)):
        text = "each of {needed} commands could use an AP; one from the {source} serves the whole stack"
        yield step(magazine.rule, text, magazine, needed=needed)
    elif needed > MAX_POINTS:
        text = "{needed:#AP} would serve all, but at most two may be allocated in a combat"
        yield step("10.5.1", text, needed=needed)


def _decision_of(report: Report[AmmunitionResult]) -> Hashable:
    """Return the parts of a report that matter for comparison: the verdict, and the way to each command."""
    return report.verdict.kind, report.result and tuple(command.way for command in report.result.commands)


QUESTION = declare(
    "ammunition",
    "whether the units in a hex may draw an Artillery Ammunition Point, from which source, and what is recorded",
    answer,
    decision=_decision_of,
)
