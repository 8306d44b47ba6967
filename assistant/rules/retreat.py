"""The question `retreat`, and the questions of units that follow the enemy, such as `pursue`.

Units retreat a number of hexes, away from their first hex or toward a map edge. The answer lists open and barred hexes
and the units that are eliminated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, NamedTuple, TypeVar

import msgspec

from ..asking.messages import SAY
from ..asking.permission import MAX_SHORT_REASONS, holding, if_known, permission, refused
from ..asking.play import throw
from ..asking.question import Answers, Parameters, PlaceName, Question, UnitName, Way, declare
from ..asking.report import NOT_ALLOWED, Part, Report, Step, Verdict, as_sentence, step, verdict
from ..asking.sketch import Arrow, Fate, Sketch, sketch_of, way_of
from ..asking.view import Gather, View, changed
from ..state.changes import AnyChange
from ..state.state import Unit, hexside
from ..state.vocabulary import Allowed, HexesOwed, RetreatingUnits, RetreatOver, StartHex
from ..util.console import format_count
from ..util.errors import InputError
from ..util.notes import note
from .field import Bar, HexBar, HexOption, SideField, Walk, check_way, first_bar, open_hexes, side_of
from .field import option as judge_hex
from .field.places import distance_to_edge
from .field.ways import make_option
from .following import end_following
from .owed_retreats import end_retreat
from .retreat_ways import RetreatWays
from .sketches import (
    Fielding,
    barred_spots,
    choices,
    draw_enemy_zones,
    label_end,
    list_fates,
    onward_arrows,
    option_spots,
    side_at,
    way_spots,
)
from .stacks import count_again


def _everywhere(_: str) -> bool:
    return True


def _nowhere(_: str) -> bool:
    return False


def no_more(here: str, there: str) -> None:
    """Ask for nothing."""


Decides = Annotated[
    Callable[[str, str], object], note("asks for facts that matter only if the step from a hex into the next is taken")
]


def held(around: SideField, rule: str, why: str = "enemies stand there") -> Bar:
    """Return a bar to the hexes of enemies."""
    return lambda here, there: HexBar(rule, why) if there in around.enemies else None


def zoned(around: SideField, rule: str) -> Bar:
    """Return a bar to hexes in enemy zones of control without a friend."""
    why = "in an enemy zone of control without a friend"
    return lambda here, there: HexBar(rule, why) if there in around.enemy_zones - around.friends else None


def across(view: View, track: str, word: str, rule: str) -> Bar:
    """Return a bar to hexes beyond a stated feature of the hexside, such as a river."""

    def bar(here: str, there: str) -> HexBar | None:
        return HexBar(rule, f"across a {word}") if view.word(track, hexside(here, there)) == word else None

    return bar


def ask_for_track(facts: Gather, track: str) -> Callable[[str, str], object]:
    """Return a function for `decides` that asks for a track of the hexsides crossed."""
    return lambda here, there: facts.word(track, hexside(here, there))


def halted(around: SideField, rule: str) -> Callable[[str], HexBar | None]:
    """Return a function for a pursuit's `halts` that stops units in enemy zones of control."""
    stop = HexBar(rule, "the units stop in an enemy zone of control")
    return lambda at: stop if at in around.enemy_zones else None


def toward(view: View, edge: str, rule: str, nearer: Callable[[], bool] = lambda: False) -> Bar:
    """Return a bar to hexes that do not lead toward an edge of the map.

    `edge`: north, east, south or west.
    `nearer`: returns whether hexes at an equal distance are barred too; called only for these hexes.
    """

    def bar(here: str, there: str) -> HexBar | None:
        before = distance_to_edge(view, here, edge, rule)
        after = distance_to_edge(view, there, edge, rule)
        if after == before and nearer():
            return HexBar(rule, f"no nearer to the {edge}ern edge")
        return HexBar(rule, f"farther from the {edge}ern edge") if after > before else None

    return bar


class RetreatParameters(Parameters, frozen=True):
    """Units that retreat together."""

    units: Annotated[tuple[UnitName, ...], note("the units, which stand in one hex and retreat together")]
    hexes: Annotated[int | None, note("hexes to retreat; if left out, as many as the position says, or else 1")] = None
    way: Annotated[Way, note("the hexes entered so far")] = ()


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """A retreat up to the hexes entered."""

    at: StartHex
    units: RetreatingUnits
    owed: HexesOwed
    way: Annotated[tuple[str, ...], note("the hexes entered")] = ()
    options: Annotated[
        tuple[HexOption, ...], note("the hexes around the one that the units have reached, open ones first")
    ] = ()
    onward: Annotated[
        dict[str, tuple[str, ...]],
        note("for each open hex that does not end the retreat, the hexes that are open from there"),
    ] = {}
    eliminated: Annotated[tuple[str, ...], note("units that are eliminated")] = ()
    off_map: Annotated[tuple[str, ...], note("units that leave the map")] = ()
    complete: RetreatOver = False

    @property
    def remaining(self) -> tuple[str, ...]:
        """The units that stay on the map."""
        return tuple(name for name in self.units if name not in (*self.eliminated, *self.off_map))


class EntryEffects(NamedTuple):
    """The consequences of entering hexes, in words and in the position."""

    steps: Sequence[Step] = ()
    changes: Sequence[AnyChange] = ()
    called_for: Annotated[Sequence[Step], note("the steps that ask something of a player")] = ()


class Off(NamedTuple):
    """The rules by which units retreat off the map."""

    exits: Annotated[
        Callable[[str], bool], note("whether units leave the map from a hex if no other route is open")
    ] = _nowhere
    left: Annotated[Callable[[str], Iterable[AnyChange]], note("returns the changes as a unit leaves the map")] = (
        lambda unit: ()
    )
    rule: str = ""


class Retreat(NamedTuple):
    """Units that retreat, as the rules of a game see them.

    `bars`, `holds`, `away`: as in `RetreatWays`.
    `entered`: returns the effects of entering the hexes of the whole route. It takes the hexes and the units left at
    the end, perhaps none.
    """

    movers: Sequence[str]
    gone: Annotated[Sequence[str], note("the units that are eliminated at once, for the reason `why_gone`")]
    bars: Sequence[Bar]
    holds: Callable[[str], bool] = _everywhere
    lost: Annotated[
        Callable[[str], Iterable[AnyChange]], note("returns the changes by the elimination of a unit, by its id")
    ] = lambda unit: ()
    entered: Callable[[Sequence[str], Sequence[str]], EntryEffects] = lambda hexes, units: EntryEffects()
    why_gone: Annotated[str, note("the reason why units are eliminated at once, as a template with {unit}")] = (
        "{unit} has no movement"
    )
    away: bool = True
    off: Annotated[Off | None, note("the rules of retreats off the map, or None if units do not leave it")] = None
    forced: Annotated[bool, note("whether units that find no route are eliminated; otherwise they stay")] = True
    refusals: Annotated[Sequence[Step], note("the reasons why the rules forbid this retreat")] = ()
    decides: Decides = no_more


class RetreatRules(NamedTuple):
    """A game's rules of retreats."""

    read: Annotated[
        Callable[[Gather, Sequence[Unit], str], Retreat], note("returns the retreat of units of a side from their hex")
    ]
    rule: str
    restriction_rule: str
    most: Annotated[int, note("the most hexes that a unit must retreat")]
    presume: Annotated[
        Callable[[View, Sequence[str]], None], note("records what is assumed about hexes of the route")
    ] = lambda view, hexes: None
    field: Annotated[Fielding | None, note("the units on the map, for the zones of control in the picture")] = None
    cancelled: Annotated[bool, note("whether units cancel the zones of the enemy where they stand")] = False
    owes: Annotated[str, note("the track of units with the hexes that they owe, or empty")] = ""


def retreat_question(rules: RetreatRules) -> Question[RetreatParameters, RetreatResult]:
    """Return the question `retreat` of a game."""
    return declare(
        "retreat",
        "which hexes units may retreat into, what bars the others, and who is eliminated",
        partial(retreat, rules),
        {"hex.N": "the Nth hex that the retreating units enter"},
        sketch=partial(_sketch_retreat, rules.field, cancelled=rules.cancelled),
    )


def _sketch_retreat(field: Fielding | None, view: View, report: Report[RetreatResult], *, cancelled: bool) -> Sketch:
    result = report.shown
    side = view.side_of(result.units[0])
    here = (result.at, *result.way)[-1]
    spots = [
        *way_spots(result.at, result.way, over=result.complete),
        *barred_spots(report),
        *option_spots(result.options),
    ]
    gone = [line for part in report.parts if part.title == ELIMINATED for line in part.steps]
    label = ""
    if result.complete and not result.remaining:
        label = "off the map" if result.off_map else "eliminated"
    text = f"retreat to {here}" if result.way else f"stay in {here}"
    others = Fate(units=result.remaining, text=text) if result.remaining else None
    return sketch_of(
        view,
        report,
        side=side,
        spots=tuple(label_end(spots, here, label)),
        arrows=(
            *way_of((result.at, *result.way), side),
            *choices(here, result.options, side),
            *onward_arrows(result.onward, side),
        ),
        zones=draw_enemy_zones(view, field, side, cancelled=cancelled),
        fates=tuple(list_fates(gone, result.eliminated, others)) if result.complete else (),
        words={
            "start": f"where the units stand: {format_count(result.owed, 'hex', 'hexes')} to retreat",
            "choice": "open next",
            "onward": "open as the hex after that",
        },
    )


ELIMINATED = "Eliminated"
"""The title of the part with the units that are eliminated or leave the map."""


def retreat(rules: RetreatRules, view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """Return the report on a retreat: the hexes open next, or the end of the retreat and its changes.

    Raises InputError if units do not stand together or the route is impossible, MissingFacts if facts are not stated.
    """
    number = _count_owed(rules, view, parameters)
    if not parameters.units or not 1 <= number <= rules.most:
        what = f"a retreat needs units, and 1 to {rules.most} hexes"
        raise InputError(what, hint="type hexes=1" if parameters.units else "type units=X,Y hexes=1")
    walk = Walk.along(parameters.way, answers)
    rule = rules.restriction_rule
    walk.refuse_others(answers)
    with view.gather() as facts:
        stacked = [view.unit(name) for name in parameters.units]
        start = _find_common_hex(view, stacked)
        title = f"Retreat of {', '.join(parameters.units)} from {start}"
        moving = rules.read(facts, stacked, side_of(facts, stacked[0]))
        if moving.refusals:
            return refused(title, "this retreat is not allowed", moving.refusals)
        off = moving.off or Off()
        ways = RetreatWays(
            board=view.board,
            start=start,
            owed=number,
            bars=moving.bars,
            holds=moving.holds,
            rule=rule,
            away=moving.away,
            exits=off.exits,
        )
        way = walk.way if moving.movers else ()  # units that cannot move enter no hex
        if way:
            check_way(view, start, way)
        for entered, at in enumerate(way):
            if barred := ways.judge_step(way[:entered], at):
                no = SAY.verdict("no", "retreat.closed", hex=at, why=barred.why)
                steps = (step(barred.rule, "{hex}: {why}", hex=at, why=barred.why),)
                so_far = _move_so_far(view, ways, moving, parameters.units, way[:entered])
                sentence = SAY(barred.rule, "retreat.barred", units=parameters.units, hex=at, why=barred.why)
                return Report(
                    title=title, verdict=no, short=(sentence,), parts=(Part(NOT_ALLOWED, steps),), result=so_far
                )
        rules.presume(view, way)
        for here, there in pairwise((start, *way)):
            moving.decides(here, there)
        result = _move_so_far(view, ways, moving, parameters.units, way)
        losses = [step(rule, moving.why_gone + " and is eliminated", unit=name) for name in moving.gone]
        stuck_units = [name for name in moving.movers if name in result.eliminated]
        losses += [SAY(rule, "retreat.stuck", unit=name) for name in stuck_units]
        losses += [step(off.rule, "{unit} retreats off the map", unit=name) for name in result.off_map]
        effects = moving.entered(result.way, result.remaining) if result.complete and result.way else EntryEffects()
        changes = tuple(_list_changes(view, moving, result, effects, rules)) if result.complete else ()
        chosen = f"hex {{number}} of the retreat from {start}, {number} owed"
        return Report(
            title=title,
            verdict=_choose_verdict(result),
            short=tuple(_list_sentences(result, losses, rule)),
            parts=(
                Part(ELIMINATED, tuple(losses)),
                Part("Hexes", tuple(option.step(rule) for option in result.options)),
                Part("Afterwards", tuple(effects.steps)),
            ),
            asks=() if result.complete else walk.ask(rule, chosen, result.options, units=result.units),
            changes=changes,
            result=result,
        )


def _count_owed(rules: RetreatRules, view: View, parameters: RetreatParameters) -> int:
    if parameters.hexes is not None:
        return parameters.hexes
    owing = {view.integer(rules.owes, unit) for unit in parameters.units if rules.owes}
    if len(owing) > 1:
        raise InputError("units: they must retreat different numbers of hexes", hint="ask about each separately")
    return max((1, *owing))


def _find_common_hex(view: View, units: Sequence[Unit]) -> str:
    hexes = {_find_hex(view, unit): None for unit in units}
    if len(hexes) > 1:
        hint = "ask about the units of each hex separately"
        raise InputError("units: they are not stacked in one hex", hint=hint)
    return next(iter(hexes))


def _find_hex(view: View, unit: Unit) -> str:
    if not view.board.is_hex(unit.place):
        raise InputError(f"units: {unit.id} is not in a hex", hint="state which hex it is in, or leave it out")
    return unit.place


def _move_so_far(
    view: View, ways: RetreatWays, moving: Retreat, units: tuple[str, ...], way: tuple[str, ...]
) -> RetreatResult:
    """Return the retreat up to the hexes entered.

    A stuck unit leaves the map if it may; otherwise it is eliminated or stays.
    """

    def judge(_: str, there: str) -> HexOption:
        return make_option(there, ways.judge_step(way, there))

    here = (ways.start, *way)[-1]
    over = not moving.movers or ways.is_over(way)
    options = () if over else open_hexes(view, here, judge, prefer=lambda option: option.hex)
    goes_on = len(way) + 1 < ways.owed
    onward = dict[str, tuple[str, ...]]()
    for there in (option.hex for option in options if not option.barred):
        beyond = sorted(ways.board.neighbours(there))
        onward[there] = tuple(at for at in beyond if not ways.judge_step((*way, there), at))
    stuck = tuple(moving.movers) if not over and all(option.barred for option in options) else ()
    leaving = stuck if ways.exits(here) else ()
    eliminated = [*moving.gone]
    if moving.forced and not leaving:
        eliminated += stuck
    return RetreatResult(
        at=ways.start,
        units=units,
        owed=ways.owed,
        way=way,
        options=options,
        onward=onward if goes_on else {},
        eliminated=tuple(eliminated),
        off_map=leaving,
        complete=over or bool(stuck),
    )


def _choose_verdict(result: RetreatResult) -> Verdict:
    if not result.complete:
        hexes = [option.hex for option in result.options if not option.barred]
        return SAY.verdict("figure", "retreat.open", hexes=hexes)
    if result.off_map:
        return SAY.verdict("figure", "retreat.gone", result)
    if not result.remaining:
        return SAY.verdict("figure", "retreat.eliminated", result)
    if not result.way:
        return SAY.verdict("no", "retreat.none", units=result.remaining)
    return SAY.verdict("figure", "retreat.over", end=result.way[-1])


def _list_sentences(result: RetreatResult, lost: Sequence[Step], rule: str) -> Iterator[Step]:
    end = (result.at, *result.way)[-1]
    names = ("stays", "ends") if result.complete else ("next", "onward")
    if result.remaining:
        yield SAY(rule, f"retreat.{names[bool(result.way)]}", result, units=result.remaining, end=end)
    yield from (as_sentence(left.rule, left) for left in lost[:MAX_SHORT_REASONS])


def _list_changes(
    view: View, moving: Retreat, result: RetreatResult, effects: EntryEffects, rules: RetreatRules
) -> Iterator[AnyChange]:
    for name in (*moving.gone, *moving.movers):
        if name in result.eliminated:
            yield from moving.lost(name)
        elif name in result.off_map:
            yield from (moving.off or Off()).left(name)
        elif result.way:
            yield changed(view, "place", name, result.way[-1], rules.rule)
        if rules.owes:
            yield from end_retreat(view, rules.owes, name, rules.rule)
    yield from effects.changes


def leave_trail(
    view: View, track: str, start: str, hexes: Sequence[str], units: Sequence[str], rule: str
) -> Iterator[AnyChange]:
    """Yield the change that records the hexes left by a retreat, for units that follow.

    `track`: the track of the hex where the units stood; its text names hexes.
    `units`: the units in the last hex. If there are any, this hex is left out because no unit may enter it.
    """
    entered = hexes[:-1] if units else hexes
    left = dict.fromkeys([*view.word(track, start).split(), *entered])
    if left:
        yield changed(view, track, start, " ".join(left), rule)


# --- retreat before a combat ------------------------------------------------------------------------------------------


class EvasionParameters(Parameters, frozen=True):
    """A unit that retreats before a combat."""

    unit: Annotated[UnitName, note("the unit: each decides for itself")]
    against: Annotated[
        tuple[UnitName, ...], note("the enemies that attack it, or that it attacks; all adjacent ones if left out")
    ] = ()
    hexes: Annotated[int, note("hexes to retreat")] = 1
    way: Annotated[Way, note("the hexes entered so far")] = ()


class Evasion(NamedTuple):
    """A unit that may retreat before a combat, as the rules of a game see it."""

    retreat: Annotated[Callable[[Gather], Retreat], note("returns the unit's retreat; called only if it is allowed")]
    reasons: Annotated[Sequence[Step], note("the reasons why the unit may not retreat")] = ()
    rolls: Annotated[bool, note("whether a die decides if the unit retreats")] = False


class EvasionRules(NamedTuple):
    """A game's rules of retreats before combat.

    `highest`: the highest die by which a unit retreats.
    """

    name: str
    title: Annotated[str, note("the title of the question")]
    read: Annotated[
        Callable[[Gather, Unit, Sequence[str], str], Evasion],
        note("returns the retreat of a unit of a side from enemies"),
    ]
    rule: str
    restriction_rule: str
    most: int
    highest: int
    field: Annotated[Fielding | None, note("the units on the map, for the zones of control in the picture")] = None
    cancelled: Annotated[bool, note("whether units cancel the zones of the enemy where they stand")] = False


def evasion_question(rules: EvasionRules) -> Question[EvasionParameters, RetreatResult]:
    """Return the question of retreats before combat."""
    return declare(
        rules.name,
        rules.title,
        partial(_answer_evasion, rules),
        {"die": "the die that decides whether the unit retreats", "hex.N": "the Nth hex that the unit enters"},
        sketch=partial(_sketch_retreat, rules.field, cancelled=rules.cancelled),
    )


def _answer_evasion(
    rules: EvasionRules, view: View, asked: EvasionParameters, answers: Answers
) -> Report[RetreatResult]:
    """Return the report on a retreat before a combat: the reasons against it, its die, then its hexes.

    A unit that finds no route stays.
    """
    unit = view.unit(asked.unit)
    title = f"Retreat of {asked.unit} before the combat"
    at = _find_common_hex(view, [unit])
    with view.gather() as facts:
        side = side_of(facts, unit)
        near = [foe for place in view.board.neighbours(at) for foe in view.stack(place)]
        enemies = [foe.id for foe in near if side_of(facts, foe) != side]
        foes = asked.against or tuple(enemies)
        evasion = rules.read(facts, unit, foes, side)
    not_adjacent = [foe for foe in foes if foe not in enemies]
    clauses = [
        (not_adjacent, rules.rule, "no enemies adjacent to {unit}: {far}"),
        (not foes, rules.rule, "no enemy is adjacent to {unit}"),
    ]
    reasons = [*evasion.reasons, *holding(clauses, unit=unit.id, far=not_adjacent)]
    if reasons:
        return refused(title, "{unit} may not retreat before the combat", reasons, unit=unit.id)

    def read_way(facts: Gather, _stacked: Sequence[Unit], side: str) -> Retreat:
        return rules.read(facts, unit, foes, side).retreat(facts)._replace(forced=False)

    retreat_rules = RetreatRules(
        read=read_way, rule=rules.rule, restriction_rule=rules.restriction_rule, most=rules.most
    )
    parameters = RetreatParameters(units=(unit.id,), hexes=asked.hexes, way=asked.way)
    others = {name: answer for name, answer in answers.items() if name != "die" or not evasion.rolls}
    if evasion.rolls:
        die = {name: answers[name] for name in answers if name not in others}
        thrown = throw("die", rules.rule, f"whether {unit.id} retreats", lambda die: die <= rules.highest, die)
        if not thrown.came:
            text = "{unit} retreats on 1 to {highest}" if thrown.asks else "{unit} does not retreat, and fights"
            outcome = verdict("figure" if thrown.asks else "no", text, unit=unit.id, highest=rules.highest)
            # quiet: until the die is rolled, the answer does not rest on the facts read for this preview
            quiet = view.quiet_view()
            preview = (
                if_known(quiet, lambda facts: retreat(retreat_rules, quiet, parameters, {}).result)
                if thrown.asks
                else None
            )
            stays = RetreatResult(
                at=at,
                units=(unit.id,),
                owed=asked.hexes,
                options=preview.options if preview else (),
                complete=not thrown.asks,
            )
            return Report(title=title, verdict=outcome, parts=(), asks=thrown.asks, result=stays)
    return retreat(retreat_rules, view, parameters, others)


# --- pursuit ----------------------------------------------------------------------------------------------------------


class PursuitParameters(Parameters, frozen=True):
    """Units that follow the enemy after a combat."""

    units: Annotated[tuple[UnitName, ...], note("the units, which took part in the combat and move together")]
    at: Annotated[PlaceName, note("the hex that the combat cleared")]
    way: Annotated[Way, note("the hexes entered beyond the cleared one")] = ()


class AlongParameters(PursuitParameters, frozen=True):
    """Units that follow the enemy along his retreat."""

    along: Annotated[
        Way, note("the hexes through which the enemy retreated beyond the cleared one, if the position does not say")
    ] = ()


class PursuitResult(msgspec.Struct, frozen=True, kw_only=True):
    """A pursuit."""

    at: Annotated[str, note("the hex that was cleared")]
    units: Annotated[tuple[str, ...], note("the units that pursue")]
    reach: Annotated[int, note("how many hexes the units may enter")]
    end: Annotated[str, note("the last hex entered")]
    way: Annotated[tuple[str, ...], note("the hexes entered, the cleared one first")] = ()
    options: Annotated[tuple[HexOption, ...], note("the hexes that the units may enter next, open ones first")] = ()
    allowed: Allowed = True
    over_stacked: Annotated[bool, note("whether the last hex is over-stacked")] = False


class Pursuit(NamedTuple):
    """Units that pursue, as the rules of a game see them.

    `entered`: as in `Retreat`.
    """

    reach: Annotated[int, note("the number of hexes that the units may enter")]
    unable: Annotated[Sequence[Step], note("the reasons why some units do not pursue")]
    bars: Annotated[Sequence[Bar], note("the bars to a hex, in the order of the rules")]
    holds: Annotated[Callable[[str], bool], note("whether a hex has room for the units")] = _everywhere
    halts: Annotated[
        Callable[[str], HexBar | None], note("returns why units that enter a hex go no farther, or None")
    ] = lambda at: None
    entered: Callable[[Sequence[str], Sequence[str]], EntryEffects] = lambda hexes, units: EntryEffects()
    decides: Decides = no_more
    along: Annotated[Sequence[str] | None, note("the hexes beyond the first that may be entered, or None for any")] = (
        None
    )


PP = TypeVar("PP", bound=PursuitParameters)


class PursuitRules(NamedTuple):
    """A game's rules of pursuits.

    `name`, `noun`: the words for the question, such as `pursue` and `pursuit`.
    """

    name: str
    noun: str
    title: Annotated[str, note("the title of the question")]
    pursuit_rule: str
    reach_rule: str
    hex_rule: str
    field: Annotated[Fielding | None, note("the units on the map, for the zones of control in the picture")] = None


def pursuit_question(
    rules: PursuitRules, read: Callable[[Gather, PP, str], Pursuit], parameters: type[PP]
) -> Question[PP, PursuitResult]:
    """Return the question of pursuits."""
    return declare(
        rules.name,
        rules.title,
        partial(_answer_pursuit, rules, read),
        parameters=parameters,
        sketch=partial(_sketch_pursuit, rules.field),
    )


def _sketch_pursuit(field: Fielding | None, view: View, report: Report[PursuitResult]) -> Sketch:
    result = report.shown
    starts = dict.fromkeys(str(view.unit(name).place) for name in result.units)
    side = side_at(view, *starts)
    barred = [*barred_spots(report)]
    spots = dict.fromkeys(spot for start in starts for spot in way_spots(start, result.way, over=not barred))
    arrows = list[Arrow]()
    if not barred:
        arrows += [arrow for start in starts for arrow in way_of((start, *result.way), side)]
        arrows += choices(result.end, result.options, side)
    return sketch_of(
        view,
        report,
        side=side,
        spots=(*spots, *(barred or option_spots(result.options))),
        arrows=tuple(arrows),
        zones=draw_enemy_zones(view, field, side),
    )


def _answer_pursuit(
    rules: PursuitRules, read: Callable[[Gather, PP, str], Pursuit], view: View, asked: PP
) -> Report[PursuitResult]:
    if not asked.units:
        raise InputError(f"{'an' if rules.noun[0] in 'aeiou' else 'a'} {rules.noun} needs units", hint="type units=X,Y")
    for name in asked.units:
        _find_hex(view, view.unit(name))
    if asked.way:
        check_way(view, asked.at, asked.way)
    entered = asked.at, *asked.way
    with view.gather() as facts:
        pursuit = read(facts, asked, side_of(facts, view.unit(asked.units[0])))
        reasons = [*pursuit.unable, *_list_reasons(rules, view, asked, pursuit)]
        if not reasons:
            for here, there in _list_steps(view, asked):
                pursuit.decides(here, there)
        goes_on = len(entered) < pursuit.reach and not (asked.way and pursuit.halts(entered[-1]))
        judge = partial(judge_hex, pursuit.bars)
        options = open_hexes(view, entered[-1], judge, prefer=lambda option: option.hex) if goes_on else ()
        result = PursuitResult(
            at=asked.at,
            units=asked.units,
            reach=pursuit.reach,
            end=entered[-1],
            way=entered,
            options=tuple(option for option in options if pursuit.along is None or option.hex in pursuit.along),
            over_stacked=not pursuit.holds(entered[-1]),
        )
        effects = EntryEffects() if reasons else pursuit.entered(entered, asked.units)
        changes: list[AnyChange] = [
            changed(view, "place", name, result.end, rules.pursuit_rule) for name in asked.units
        ]
        for name in asked.units:
            changes += count_again(view, name, rule=rules.pursuit_rule)
            changes += end_following(view, name, rule=rules.pursuit_rule)

        def working() -> Iterator[Step]:
            yield step(rules.reach_rule, "up to {reach:#hex}, {at} first", result)
            yield from (option.step(rules.hex_rule) for option in result.options)
            yield from effects.steps

        allowed = f"{{units}} may {rules.name} to {{end}}"
        sentences = [as_sentence(line.rule, line) for line in effects.called_for]
        return permission(
            f"{rules.noun.title()} of {', '.join(asked.units)} into {asked.at}",
            (allowed, f"this {rules.noun} is not allowed"),
            reasons,
            result,
            sentences=[step(rules.pursuit_rule, f"{allowed}.", result), *sentences] if sentences else (),
            working={rules.noun.title(): working()},
            changes=(*changes, *effects.changes),
        )


def _list_steps(view: View, asked: PursuitParameters) -> list[tuple[str, str]]:
    starts = sorted({str(view.unit(name).place) for name in asked.units})
    return [*((start, asked.at) for start in starts), *pairwise((asked.at, *asked.way))]


def _list_reasons(rules: PursuitRules, view: View, asked: PursuitParameters, pursuit: Pursuit) -> Iterator[Step]:
    starts = {name: str(view.unit(name).place) for name in asked.units}
    entered = asked.at, *asked.way
    for name, place in starts.items():
        if place not in view.board.neighbours(asked.at):
            yield step(rules.pursuit_rule, "{id} in {place} is not adjacent to {at}", id=name, place=place, at=asked.at)
    if len(entered) > pursuit.reach:
        yield step(rules.reach_rule, f"the result allows {{reach:#hex}} of {rules.noun}", pursuit)
    for here, there in _list_steps(view, asked):
        if there in view.board.neighbours(here) and (barred := first_bar(pursuit.bars, here, there)):
            yield SAY(barred.rule or rules.hex_rule, "retreat.closed", hex=there, why=barred.why)
    for there in asked.way:
        if pursuit.along is not None and there not in pursuit.along:
            yield step(rules.reach_rule, "the enemy is not known to have retreated through {hex}", hex=there)
    for here, there in pairwise(asked.way):
        if halted := pursuit.halts(here):
            yield SAY(halted.rule, "retreat.closed", hex=there, why=halted.why)
