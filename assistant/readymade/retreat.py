"""The question `retreat` of a game in which units retreat so many hexes away from where they stood: which hexes are
open, what bars the others, and who is eliminated for want of a way.

Each hex of a way lies farther from the start than the one before, until the hexes owed are entered. Whoever may not end
his way there, as there is no room, goes on until there is; but he begins such a way only if no other one ends in time.
No hex is entered twice.

The question `pursue` of a game in which units may follow into a hex that a combat has cleared, and perhaps some
hexes on, is worded here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from ..field import Bar, Barred, HexOption, Walk, check_way, first_bar, open_hexes, side_of
from ..field import option as judge_hex
from ..game.boards import Board
from ..pictures.usual import of_way
from ..questions.permission import permission
from ..questions.question import Answers, Parameters, Question, UnitName, Way, declare
from ..questions.report import Part, Report, Step, Verdict, step, verdict
from ..questions.view import Gather, View, changed
from ..state.changes import AnyChange
from ..state.state import Unit
from ..state.vocabulary import Allowed, HexesOwed, RetreatingUnits, RetreatOver, StartHex
from ..util.errors import InputError
from ..util.notes import note


class RetreatParameters(Parameters, frozen=True):
    """Units that retreat together after a combat."""

    units: Annotated[tuple[UnitName, ...], note("the units, which stand in one hex and retreat together")]
    hexes: Annotated[int, note("hexes to retreat: 1, or as many as the die of a panic gave")] = 1
    way: Annotated[Way, note("the hexes entered so far")] = ()


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """A retreat as far as it goes."""

    at: StartHex
    units: RetreatingUnits
    owed: HexesOwed
    way: Annotated[tuple[str, ...], note("the hexes entered")] = ()
    options: Annotated[
        tuple[HexOption, ...], note("the hexes around the one that the units have reached, open ones first")
    ] = ()
    eliminated: Annotated[tuple[str, ...], note("units that are eliminated")] = ()
    complete: RetreatOver = False


class Ways(NamedTuple):
    """The ways of a retreat."""

    board: Board
    start: StartHex
    owed: HexesOwed
    bars: Annotated[Sequence[Bar], note("what bars a hex, in the order of the rules")]
    holds: Annotated[Callable[[str], bool], note("whether a hex has room for those who end their retreat there")]
    rule: str

    def is_over(self, way: Sequence[str]) -> bool:
        """Whether a way may end: it leads far enough away, and its last hex has room."""
        here = (self.start, *way)[-1]
        return self.board.distance(self.start, here) >= self.owed and self.holds(here)

    def leads_on(self, way: Sequence[str], there: str) -> bool:
        """Whether a way may go on into a hex: not one that it has entered, and farther away until it is long enough."""
        if there == self.start or there in way:
            return False
        return len(way) >= self.owed or self.board.distance(self.start, there) == len(way) + 1

    def judge_step(self, way: Sequence[str], there: str) -> Barred | None:
        """What bars the next hex of a way, None if nothing does."""
        here = (self.start, *way)[-1]
        if self.is_over(way):
            return Barred(self.rule, f"the retreat ends in {here}")
        if barred := first_bar(self.bars, here, there):
            return barred
        if not self.leads_on(way, there):
            return Barred(self.rule, f"it is not farther from {self.start}, or has already been entered")
        if not self.completes((*way, there), farther=True):
            return Barred(self.rule, "the retreat cannot go on from there")
        spared = self.completes((), farther=False) and not self.completes((*way, there), farther=False)
        return Barred(self.rule, "other routes avoid over-stacked hexes") if spared else None

    def completes(self, way: Sequence[str], *, farther: bool) -> bool:
        """Whether a way can be completed. farther: whether it may go on beyond the hexes owed."""
        if self.is_over(way):
            return True
        if len(way) < self.owed:
            return any(self.completes((*way, there), farther=farther) for there in self._next(way, way))
        return farther and self._gets_out(way)

    def _next(self, way: Sequence[str], entered: Sequence[str]) -> Iterator[str]:
        """The hexes into which a way may go on. entered: all that it may not enter again."""
        here = (self.start, *way)[-1]
        for there in self.board.neighbours(here):
            if self.leads_on(entered, there) and not first_bar(self.bars, here, there):
                yield there

    def _gets_out(self, way: Sequence[str]) -> bool:
        """Whether a way that is long enough leads on, by whatever hexes, to one where it may end."""
        reached = dict.fromkeys(way)
        edge = [way[-1]]
        while edge:
            here = edge.pop()
            for there in self._next([here], [*way]):
                if there not in reached:
                    if self.is_over([there]):
                        return True
                    reached[there] = None
                    edge.append(there)
        return False


class Entered(NamedTuple):
    """What comes of it that units have entered hexes, in words and in the position."""

    steps: Sequence[Step] = ()
    changes: Sequence[AnyChange] = ()


class Retreat(NamedTuple):
    """Units that retreat, as the rules of a game see them.

    `bars` and `holds` are those of `Ways`; `entered` tells what comes of the hexes of the whole way, and `ending` what
    else is to be said of all that has changed.
    """

    movers: Sequence[str]
    gone: Annotated[Sequence[str], note("the units that cannot retreat, as they have no movement")]
    bars: Sequence[Bar]
    holds: Callable[[str], bool]
    lost: Annotated[Callable[[str], Iterable[AnyChange]], note("what changes as a unit is eliminated")]
    entered: Callable[[Sequence[str]], Entered] = lambda hexes: Entered()
    ending: Callable[[Sequence[AnyChange]], Iterable[Step]] = lambda changes: ()


class RetreatRules(NamedTuple):
    """The rules of a game."""

    read: Annotated[Callable[[Gather, Sequence[Unit], str], Retreat], note("which units of a side retreat from a hex")]
    presume: Annotated[Callable[[View, Sequence[str]], None], note("states what is assumed about hexes")]
    rule: str
    restriction_rule: str
    most: Annotated[int, note("the most hexes that a unit must retreat")]


def retreat_question(rules: RetreatRules) -> Question[RetreatParameters, RetreatResult]:
    """The question of a game."""

    def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
        return retreat(rules, view, parameters, answers)

    return declare(
        "retreat",
        "which hexes units may retreat into, what bars the others, and who is eliminated",
        answer,
        {"hex.N": "the Nth hex that the retreating units enter"},
        picture=of_way(lambda result: (result.at, *result.way)),
    )


def retreat(rules: RetreatRules, view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat: the hexes that are open next, or where it ends and what it changes.

    Raises InputError for units that do not stand together and an impossible way, MissingFacts for what is not stated.
    """
    if not parameters.units or not 1 <= parameters.hexes <= rules.most:
        what = f"a retreat needs units, and 1 to {rules.most} hexes"
        raise InputError(what, hint="type units=X,Y hexes=1")
    walk = Walk.along(parameters.way, answers)
    rule = rules.restriction_rule
    walk.refuse_others(answers)
    with view.gather() as facts:
        stacked = [view.unit(name) for name in parameters.units]
        start = _hex_of(view, stacked)
        title = f"Retreat of {', '.join(parameters.units)} from {start}"
        moving = rules.read(facts, stacked, side_of(facts, stacked[0]))
        ways = Ways(view.board, start, parameters.hexes, moving.bars, moving.holds, rule)
        way = walk.way if moving.movers else ()  # whoever cannot move enters nothing
        if way:
            check_way(view, start, way)
        for number, at in enumerate(way):
            if barred := ways.judge_step(way[:number], at):
                no = verdict("no", "{hex} cannot be entered: {why}", hex=at, why=barred.why)
                steps = (step(barred.rule, "{hex}: {why}", hex=at, why=barred.why),)
                return Report(title=title, verdict=no, parts=(Part("Not allowed", steps),))
        rules.presume(view, way)
        result = move_so_far(view, ways, moving, parameters, way)
        lost = [step(rule, "{unit} has no movement and is eliminated", unit=name) for name in moving.gone]
        stuck = [name for name in moving.movers if name in result.eliminated]
        lost += [step(rule, "{unit} cannot retreat and is eliminated", unit=name) for name in stuck]
        came = moving.entered(result.way) if result.complete and result.way else Entered()
        changes = tuple(changes_of(view, moving, result, came, rules.rule)) if result.complete else ()
        chosen = f"hex {{number}} of the retreat from {start}, {parameters.hexes} owed"
        return Report(
            title=title,
            verdict=word_verdict(result),
            parts=(
                Part("Eliminated", tuple(lost)),
                Part("Hexes", tuple(option.step(rule) for option in result.options)),
                Part("Afterwards", (*came.steps, *moving.ending(changes))),
            ),
            asks=() if result.complete else walk.ask(rule, chosen, result.options, units=result.units),
            changes=changes,
            result=result,
        )


def _hex_of(view: View, units: Sequence[Unit]) -> str:
    """The hex in which units stand together. Raises InputError if one of them is in none, and if there are several."""
    hexes = dict[str, None]()
    for unit in units:
        if unit.place is None or not view.board.is_hex(unit.place):
            raise InputError(f"units: {unit.id} is not in a hex", hint="state which hex it is in, or leave it out")
        hexes[unit.place] = None
    if len(hexes) > 1:
        hint = "ask about the units of each hex separately"
        raise InputError("units: they are not stacked in one hex", hint=hint)
    return next(iter(hexes))


def move_so_far(
    view: View, ways: Ways, moving: Retreat, parameters: RetreatParameters, way: tuple[str, ...]
) -> RetreatResult:
    """The retreat with the hexes entered so far; whoever is stuck there is eliminated."""

    def look(here: str, there: str) -> HexOption:
        return HexOption(there, *(ways.judge_step(way, there) or ()))

    over = not moving.movers or ways.is_over(way)
    options = () if over else open_hexes(view, (ways.start, *way)[-1], look, prefer=lambda option: option.hex)
    stuck = bool(options) and all(option.barred for option in options)
    return RetreatResult(
        at=ways.start,
        units=parameters.units,
        owed=parameters.hexes,
        way=way,
        options=options,
        eliminated=(*moving.gone, *(moving.movers if stuck else ())),
        complete=over or stuck,
    )


def word_verdict(result: RetreatResult) -> Verdict:
    """The retreat in a line."""
    if not result.complete:
        hexes = [option.hex for option in result.options if not option.barred]
        return verdict("figure", "open hexes: {hexes}", hexes=hexes)
    if set(result.eliminated) >= set(result.units):
        return verdict("figure", "eliminated: {eliminated}", result)
    return verdict("figure", "the retreat ends in {end}", end=result.way[-1])


def changes_of(view: View, moving: Retreat, result: RetreatResult, came: Entered, rule: str) -> Iterator[AnyChange]:
    """What the retreat changes: places, what the loss of units does, and what comes of the hexes that were entered."""
    for name in (*moving.gone, *moving.movers):
        if name in result.eliminated:
            yield from moving.lost(name)
        else:
            yield changed(view, "place", name, result.way[-1], rule)
    yield from came.changes


# --- pursuit ----------------------------------------------------------------------------------------------------------


class PursuitResult(msgspec.Struct, frozen=True, kw_only=True):
    """A pursuit."""

    at: Annotated[str, note("the hex that was cleared")]
    units: Annotated[tuple[str, ...], note("the units that pursue")]
    reach: Annotated[int, note("how many hexes the units may enter")]
    end: Annotated[str, note("the last hex entered")]
    options: Annotated[tuple[HexOption, ...], note("the hexes that the units may enter next, open ones first")] = ()
    allowed: Allowed = True
    over_stacked: Annotated[
        bool, note("whether the last hex is over-stacked, and units there are therefore eliminated")
    ] = False


class Pursuit(NamedTuple):
    """Units that pursue, as the rules of a game see them."""

    units: Sequence[str]
    at: Annotated[str, note("the hex that the combat cleared")]
    way: Annotated[Sequence[str], note("the hexes entered beyond the cleared one")]
    reach: Annotated[int, note("how many hexes the units may enter")]
    unable: Annotated[Iterable[Step], note("why some units do not pursue")]
    bars: Annotated[Sequence[Bar], note("what bars a hex, in the order of the rules")]
    holds: Annotated[Callable[[str], bool], note("whether a hex has room for the units")]
    pursuit_rule: str
    reach_rule: str
    hex_rule: str

    @property
    def entered(self) -> tuple[str, ...]:
        """All hexes entered."""
        return self.at, *self.way


def check_pursuit(view: View, units: Sequence[str], at: str, way: Sequence[str]) -> None:
    """Raise InputError for no units, and for a way that does not lead on from the cleared hex."""
    if not units:
        raise InputError("a pursuit needs units", hint="type units=X,Y")
    if way:
        check_way(view, at, way)


def pursuit_report(
    view: View, who: Pursuit, findings: Callable[[], Iterable[Step]], changes: Iterable[AnyChange]
) -> Report[PursuitResult]:
    """The report on a pursuit: whether the rules allow it, and the hexes beyond the first.

    findings: what else is to be said of the hexes entered if it is allowed, and changes: what it changes besides the
    places of the units.
    """
    goes_on = who.reach > 1 and not who.way
    look = partial(judge_hex, who.bars)
    result = PursuitResult(
        at=who.at,
        units=tuple(who.units),
        reach=who.reach,
        end=who.entered[-1],
        options=open_hexes(view, who.at, look, prefer=lambda option: option.hex) if goes_on else (),
        over_stacked=not who.holds(who.entered[-1]),
    )

    def working() -> Iterator[Step]:
        yield step(who.reach_rule, "up to {reach:#hex}, {at} first", result)
        yield from (option.step(who.hex_rule) for option in result.options)
        yield from findings()

    def moved() -> Iterator[AnyChange]:
        yield from (changed(view, "place", name, result.end, who.pursuit_rule) for name in who.units)
        yield from changes

    return permission(
        f"Pursuit of {', '.join(who.units)} into {who.at}",
        ("{units} may pursue to {end}", "this pursuit is not allowed"),
        why_not(view, who),
        result,
        working={"Pursuit": working()},
        changes=moved(),
    )


def why_not(view: View, who: Pursuit) -> Iterator[Step]:
    """Why units may not pursue: who they are, where they stand, how far they go, what bars a hex."""
    yield from who.unable
    starts = {name: str(view.unit(name).place) for name in who.units}
    for name, place in starts.items():
        if place not in view.board.neighbours(who.at):
            yield step(who.pursuit_rule, "{id} in {place} is not adjacent to {at}", id=name, place=place, at=who.at)
    if len(who.entered) > who.reach:
        yield step(who.reach_rule, "the result allows {reach:#hex} of pursuit", who)
    for start in sorted(set(starts.values())):
        for here, there in pairwise((start, *who.entered)):
            if there in view.board.neighbours(here) and (barred := first_bar(who.bars, here, there)):
                yield step(barred.rule or who.hex_rule, "{hex} cannot be entered: {why}", hex=there, why=barred.why)
