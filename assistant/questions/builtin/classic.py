"""The classic combat of hex-and-counter games, for games that bring data and no code.

Strengths of both sides are added, their ratio is rounded to an odds column or to a band of percentages, shifted, and
one modified roll is read on a results table. A game that declares `[combat]` in its `game.toml` gets this question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec

from ...game.gamefile import ClassicCombat
from ...mechanics.odds import Bands, Odds, odds_down, odds_from_midpoint, percentage
from ...mechanics.procedure import AnswerError, Dice
from ...state.state import Cell
from ...state.vocabulary import Chance
from ...util.errors import InputError, Where
from ...util.notes import note
from ..question import Answers, Parameters, PlaceName, UnitName, declare
from ..report import Ask, MissingFacts, Part, Report, Step, Verdict, ask_for_cell
from ..view import Gather, View

ROUNDINGS: dict[str, Callable[[int, int], Odds]] = {"down": odds_down, "midpoint": odds_from_midpoint}


class OddsParameters(Parameters, frozen=True, kw_only=True):
    """A combat, named by its hexes or by its units."""

    at: Annotated[PlaceName, note("the hex attacked: all units in it defend")] = ""
    from_: Annotated[tuple[PlaceName, ...], note("the hexes that attack, with all units in them")] = msgspec.field(
        name="from", default=()
    )
    attackers: Annotated[tuple[UnitName, ...], note("the units that attack, if not all in those hexes")] = ()
    defenders: Annotated[tuple[UnitName, ...], note("the units that defend, if not all in that hex")] = ()
    shift: Annotated[int, note("column shifts, positive to the right")] = 0
    drm: Annotated[int, note("DRM, added to the roll")] = 0


class Outcome(msgspec.Struct, frozen=True):
    """One result of the table."""

    result: Annotated[str, note("its text")]
    rolls: Annotated[tuple[int, ...], note("the modified rolls that lead to it")]
    chance: Chance


class OddsResult(msgspec.Struct, frozen=True, kw_only=True):
    """A classic combat."""

    attack: Annotated[int, note("total strength of the attackers")]
    defence: Annotated[int, note("total strength of the defenders")]
    initial: Annotated[str, note("the odds")]
    final: Annotated[str, note("the odds after shifts")]
    column: Annotated[str, note("the column used")]
    outcomes: Annotated[tuple[Outcome, ...], note("the possible results, before the roll")] = ()
    natural: Annotated[int | None, note("the roll")] = None
    modified: Annotated[int | None, note("the roll with its DRM")] = None
    result: Annotated[str | None, note("the result")] = None


def answer(view: View, parameters: OddsParameters, answers: Answers) -> Report[OddsResult]:
    """The report on a classic combat.

    Raises MissingFacts for strengths or chart cells that are not stated, InputError for a game without [combat], for a
    unit on both sides and for impossible dice.
    """
    combat = view.game.file.combat
    if combat is None:
        raise InputError(f"{view.game.title} has no [combat]")
    _check_adjacent(view, parameters)
    with view.gather() as facts:
        attackers = parameters.attackers or _units(view, facts, "from", parameters.from_)
        defenders = parameters.defenders or _units(view, facts, "at", (parameters.at,) if parameters.at else ())
        if both := next(filter(set(defenders).__contains__, attackers), ""):
            raise InputError(f"{both} is on both sides", hint="leave it out of attackers or defenders")
        attack = sum(facts.integer(view.side_up(combat.attack, unit), unit) for unit in attackers)
        defence = sum(facts.integer(view.side_up(combat.defence, unit), unit) for unit in defenders)
    chart = view.game.chart(combat.chart)
    initial, final, column = column_of(combat, chart.keys[0].values, attack, defence, parameters.shift)
    result = OddsResult(attack=attack, defence=defence, initial=initial, final=final, column=column)
    figures = {name: getattr(result, name) for name in ("attack", "defence", "initial", "final", "column")}
    figures["shift"] = parameters.shift
    ratio = "{attack} against {defence} is {initial}"
    if combat.rounding == "bands":
        figures["percentage"] = int(percentage(attack, defence))
        ratio = "{attack} against {defence} is {percentage} percent: {initial}"
    steps = [Step(combat.rule, ratio, figures)]
    flipped = [unit for unit in attackers if view.side_up(combat.attack, unit) != combat.attack]
    flipped += [unit for unit in defenders if view.side_up(combat.defence, unit) != combat.defence]
    if flipped:
        steps.insert(0, Step(combat.rule, "using the other side of the counter: {units}", {"units": flipped}))
    if parameters.shift:
        steps.append(Step(combat.rule, "shifted by {shift:+} to {final}", figures))
    if final != column:
        steps.append(Step(combat.rule, "column {column}, the " + _which(chart.keys[0].values, column, final), figures))
    dice = Dice(*combat.dice)
    asks: tuple[Ask, ...] = ()
    if "roll" in answers:
        try:
            natural = dice.read(answers["roll"])
        except InputError as error:
            raise AnswerError("roll", error) from None
        modified = natural + parameters.drm
        cell = view.cell(combat.chart, column, modified)
        text = _text(cell) if cell else None
        result = msgspec.structs.replace(result, natural=natural, modified=modified, result=text)
        rolled = {"natural": natural, "drm": parameters.drm, "modified": modified, "result": text}
        if cell is None:
            asks = (ask_for_cell(view.game, combat.chart, column, modified),)
            verdict = Verdict(
                "undecided", "undecided: column {column}, the cell for {modified} is missing", {**figures, **rolled}
            )
        else:
            steps.append(Step(chart.rule, "{natural} {drm:+} = {modified}: {result}", rolled))
            verdict = Verdict("figure", "{result}", rolled)
    else:
        outcomes, unknown_cells = _outcomes(view, combat, column, parameters.drm, dice)
        if unknown_cells:
            raise MissingFacts([ask_for_cell(view.game, *cell) for cell in unknown_cells], [Part("Odds", tuple(steps))])
        result = msgspec.structs.replace(result, outcomes=outcomes)
        for outcome in outcomes:
            steps.append(Step(chart.rule, "{result}: {chance:%}", {"result": outcome.result, "chance": outcome.chance}))
        asks = (Ask(kind="roll", name="roll", rule=chart.rule, title=chart.title, how="roll=TOTAL", dice=str(dice)),)
        verdict = Verdict("figure", "column {column}", figures)
    return Report(
        title=f"Combat: {', '.join(attackers)} against {', '.join(defenders)}",
        verdict=verdict,
        parts=(Part("Odds", tuple(steps)),),
        asks=asks,
        result=result,
    )


def column_of(
    combat: ClassicCombat, columns: Sequence[str], attack: int, defence: int, shift: int
) -> tuple[str, str, str]:
    """The column of a combat before shifts, after them, and the one that is read: at most the last of the chart, and for
    odds that it skips the next lower one.

    columns: those of the chart from left to right; none if only the owner knows them.

    Raises InputError for strengths without a ratio, for a percentage below the first band, and if the number of bands
    is not that of the columns.
    """
    if combat.rounding == "bands":
        if len(columns) != len(combat.bounds):
            what = f"[combat] has {len(combat.bounds)} bounds for the {len(columns)} columns of {combat.chart}"
            raise InputError(what, where=Where("game.toml"), hint="give one bound for each column")
        begun = Bands(combat.bounds, columns).column(percentage(attack, defence))
        final = columns[max(0, min(begun + shift, len(columns) - 1))]
        return columns[begun], final, final
    initial = ROUNDINGS[combat.rounding](attack, defence)
    shifted = initial.shifted(shift)
    printed = sorted(map(Odds.parse, columns))
    lower = [odds for odds in printed if odds <= shifted]
    column = max(lower) if lower else min(printed, default=shifted)
    return str(initial), str(shifted), str(column)


def _which(columns: Sequence[str], column: str, odds: str) -> str:
    """Which column of a chart is read for odds that it does not have, in words."""
    if Odds.parse(odds) < Odds.parse(column):
        return "first of the chart"
    return "last of the chart" if Odds.parse(column) == max(map(Odds.parse, columns)) else "next lower of the chart"


def _units(view: View, facts: Gather, parameter: str, places: tuple[str, ...]) -> tuple[str, ...]:
    """The units in hexes; asks for the hexes if none are named. Raises InputError for an empty hex."""
    if not places:
        title = "the hex attacked" if parameter == "at" else "the hexes that attack"
        facts.ask(Ask(kind="parameter", name=parameter, rule="", title=title, how=f"{parameter}=HEX"))
    for place in places:
        if not view.stack(place):
            raise InputError(f"{parameter}: no units in {place}", hint=f"place units there: {place}: UNIT")
    return tuple(unit.id for place in places for unit in view.stack(place))


def _check_adjacent(view: View, parameters: OddsParameters) -> None:
    """Raise InputError for a hex that attacks one that is not adjacent; boxes may lie anywhere."""
    board, at = view.board, parameters.at
    for place in parameters.from_ if at and board.is_hex(at) else ():
        if board.is_hex(place) and place not in board.neighbours(at):
            hint = "name units that attack from farther away: attackers=UNIT,UNIT"
            raise InputError(f"from: {place} is not adjacent to {at}", hint=hint)


def _text(cell: Cell) -> str:
    return " / ".join(str(value) for value in cell.values.values())


def _outcomes(
    view: View, combat: ClassicCombat, column: str, drm: int, dice: Dice
) -> tuple[tuple[Outcome, ...], list[tuple[str, str, int]]]:
    """Every result with its chance, and the cells that are unknown."""
    ways: dict[str, list[tuple[int, int]]] = {}
    unknown = []
    for total, count in dice.totals:
        cell = view.cell(combat.chart, column, total + drm)
        if cell is None:
            unknown.append((combat.chart, column, total + drm))
        else:
            ways.setdefault(_text(cell), []).append((total + drm, count))
    whole = dice.sides**dice.number
    outcomes = tuple(
        Outcome(text, tuple(sorted(roll for roll, _ in rolls)), Fraction(sum(count for _, count in rolls), whole))
        for text, rolls in ways.items()
    )
    return outcomes, unknown


QUESTION = declare(
    "odds",
    "the odds column of a combat and its results, from the game's own table",
    answer,
    {"roll": "the dice rolled on the table: their total, or each joined by +"},
)
