"""The classic combat of hex-and-counter games, for games that bring data and no code.

Strengths of both sides are added, their ratio is rounded to an odds column or to a band of percentages, shifted, and
one modified roll is read on a results table. A game that declares `[combat]` in its `game.toml` gets this question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated, NotRequired, TypedDict

import msgspec

from ...game.charts import ChartKey, Ends
from ...game.gamefile import ClassicCombat
from ...mechanics.odds import Bands, Odds, OddsColumns, odds_down, odds_from_midpoint, percentage
from ...mechanics.procedure import AnswerError, Dice
from ...state.state import Cell
from ...state.vocabulary import Chance
from ...util.errors import InputError, Where
from ...util.notes import note
from ..asks import Ask, ask_for_cell
from ..question import Answers, Parameters, PlaceName, UnitName, declare
from ..report import MissingFacts, Part, Report, Step, Verdict, step
from ..view import Gather, View

ROUNDINGS: dict[str, Callable[[int, int], Odds]] = {"down": odds_down, "midpoint": odds_from_midpoint}
"""The functions that round two strengths to odds, by the word in `[combat]`."""


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

    result: Annotated[str, note("the text")]
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


class _Figures(TypedDict):
    attack: int
    defence: int
    percentage: NotRequired[int]
    initial: str
    shift: int
    final: str
    column: str


def answer(view: View, parameters: OddsParameters, answers: Answers) -> Report[OddsResult]:
    """Return the report on a classic combat.

    Raises MissingFacts for strengths or chart cells that are not stated. Raises InputError if the game has no [combat],
    if a unit is on both sides or outside the hexes named for its side, or if the dice are impossible.
    """
    rules = view.game.file.combat
    if rules is None:
        raise InputError(f"{view.game.title} has no [combat]")
    _check_adjacent(view, parameters)
    (attackers, attack), (defenders, defence) = _gather_combat(view, rules, parameters)
    flipped = [unit for unit in attackers if view.side_up(rules.attack, unit) != rules.attack]
    flipped += [unit for unit in defenders if view.side_up(rules.defence, unit) != rules.defence]
    chart = view.game.chart(rules.chart)
    columns = chart.keys[0]
    ends = view.ends(rules.chart)[0]
    initial, final, column = _find_columns(rules, columns, ends, attack, defence, parameters.shift)
    result = OddsResult(attack=attack, defence=defence, initial=initial, final=final, column=column)
    figures: _Figures = {
        "attack": attack,
        "defence": defence,
        "initial": initial,
        "final": final,
        "column": column,
        "shift": parameters.shift,
    }
    if rules.rounding == "bands":
        figures["percentage"] = int(percentage(attack, defence))
    steps = list(_list_odds_steps(rules, flipped, partial(columns.columns, ends), figures))
    dice = Dice(*rules.dice)
    asks = tuple[Ask, ...]()
    if "roll" in answers:
        natural = _read_roll(dice, answers["roll"])
        modified = natural + parameters.drm
        cell = view.cell(rules.chart, column, modified)
        text = _format_cell(cell) if cell else None
        result = msgspec.structs.replace(result, natural=natural, modified=modified, result=text)
        rolled = {"natural": natural, "drm": parameters.drm, "modified": modified, "result": text}
        verdict = Verdict("figure", "{result}", rolled)
        if cell:
            steps.append(Step(chart.rule, "{natural} {drm:+} = {modified}: {result}", rolled))
        else:
            asks = (ask_for_cell(view.game, rules.chart, column, modified),)
            missing = "undecided: column {column}, the cell for {modified} is missing"
            verdict = Verdict("undecided", missing, {**figures, **rolled})
    else:
        outcomes, unknown_cells = _list_outcomes(view, rules, column, parameters.drm, dice)
        if unknown_cells:
            raise MissingFacts([ask_for_cell(view.game, *cell) for cell in unknown_cells], [Part("Odds", tuple(steps))])
        result = msgspec.structs.replace(result, outcomes=outcomes)
        steps += [step(chart.rule, "{result}: {chance:%}", outcome) for outcome in outcomes]
        asks = (Ask(kind="roll", name="roll", rule=chart.rule, title=chart.title, how="roll=TOTAL", dice=str(dice)),)
        verdict = Verdict("figure", "column {column}", figures)
    return Report(
        title=f"Combat: {', '.join(attackers)} against {', '.join(defenders)}",
        verdict=verdict,
        parts=(Part("Odds", tuple(steps)),),
        asks=asks,
        result=result,
    )


_Strength = tuple[tuple[str, ...], int]
"""The units of a side, and their strength together."""


def _gather_combat(view: View, rules: ClassicCombat, parameters: OddsParameters) -> tuple[_Strength, _Strength]:
    """Return the attackers and the defenders, each with their strength.

    Raises MissingFacts for hexes and strengths that are not stated, and InputError for units as `answer` does.
    """
    hexes_attacked = (parameters.at,) if parameters.at else ()
    with view.gather() as facts:
        attackers = _find_units(view, facts, "from", parameters.from_, "attackers", parameters.attackers)
        defenders = _find_units(view, facts, "at", hexes_attacked, "defenders", parameters.defenders)
        if unit_on_both_sides := next(filter(set(defenders).__contains__, attackers), ""):
            raise InputError(f"{unit_on_both_sides} is on both sides", hint="leave it out of attackers or defenders")
        return (
            (attackers, sum(facts.integer(rules.attack, unit) for unit in attackers)),
            (defenders, sum(facts.integer(rules.defence, unit) for unit in defenders)),
        )


def _list_odds_steps(
    rules: ClassicCombat, flipped: Sequence[str], columns: Callable[[], OddsColumns], figures: _Figures
) -> Iterator[Step]:
    if flipped:
        yield Step(rules.rule, "using the other side of the counter: {units}", {"units": flipped})
    ratio = "{percentage} percent: {initial}" if rules.rounding == "bands" else "{initial}"
    yield Step(rules.rule, f"{{attack}} against {{defence}} is {ratio}", figures)
    if figures["shift"]:
        yield Step(rules.rule, "shifted by {shift:+} to {final}", figures)
    if figures["final"] != figures["column"]:
        position = _describe_column(columns().last, figures["column"], figures["final"])
        yield Step(rules.rule, f"column {{column}}, the {position}", figures)


def _read_roll(dice: Dice, typed: str) -> int:
    try:
        return dice.read(typed)
    except InputError as error:
        raise AnswerError("roll", error) from None


def _find_columns(
    combat: ClassicCombat, columns: ChartKey, ends: Ends, attack: int, defence: int, shift: int
) -> tuple[str, str, str]:
    """Return the column before the shift, after it, and on the chart.

    The column on the chart is at most the last one; odds without a column use the next lower one.

    `columns`: the chart's key.
    `ends`: the open ends of the chart's odds.

    Raises InputError for strengths without a ratio, a percentage below the first band, or a wrong number of bands.
    """
    if combat.rounding == "bands":
        bands = columns.values
        if len(bands) != len(combat.bounds):
            what = f"[combat] has {len(combat.bounds)} bounds for the {len(bands)} columns of {combat.chart}"
            raise InputError(what, where=Where("game.toml"), hint="give one bound for each column")
        initial_band = Bands(combat.bounds, bands).column(percentage(attack, defence))
        final = bands[max(0, min(initial_band + shift, len(bands) - 1))]
        return bands[initial_band], final, final
    initial = ROUNDINGS[combat.rounding](attack, defence)
    shifted = initial.shifted(shift)
    return str(initial), str(shifted), str(columns.columns(ends).within(shifted))


def _describe_column(last: Odds | None, column: str, odds: str) -> str:
    if Odds.parse(odds) < Odds.parse(column):
        return "first of the chart"
    return "last of the chart" if Odds.parse(column) == last else "next lower of the chart"


def _find_units(
    view: View, facts: Gather, hexes: str, places: tuple[str, ...], units: str, named: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the named units of a side, or else all units in its hexes. Without either, ask for the hexes.

    `hexes`, `units`: the names of the two parameters.

    Raises InputError if a hex is empty, or a named unit is in none of the hexes.
    """
    if not places and not named:
        title = "the hex attacked" if hexes == "at" else "the hexes that attack"
        facts.ask(Ask(kind="parameter", name=hexes, rule="", title=title, how=f"{hexes}=HEX"))
    for place in places:
        if not view.stack(place):
            raise InputError(f"{hexes}: no units in {place}", hint=f"place units there: {place}: UNIT")
    for unit in named:
        if places and view.unit(unit).place not in places:
            raise InputError(
                f"{units}: {unit} is not in {' or '.join(places)}", hint=f"add its hex, or leave out {hexes}"
            )
    return named or tuple(unit.id for place in places for unit in view.stack(place))


def _check_adjacent(view: View, parameters: OddsParameters) -> None:
    """Raise InputError if an attacking hex is not adjacent to the hex attacked; boxes may lie anywhere."""
    board = view.board
    at = parameters.at
    if not board.is_hex(at):
        return
    for place in parameters.from_:
        if board.is_hex(place) and place not in board.neighbours(at):
            hint = "name units that attack from farther away: attackers=UNIT,UNIT"
            raise InputError(f"from: {place} is not adjacent to {at}", hint=hint)


def _format_cell(cell: Cell) -> str:
    return " / ".join(str(value) for value in cell.values.values())


def _list_outcomes(
    view: View, combat: ClassicCombat, column: str, drm: int, dice: Dice
) -> tuple[tuple[Outcome, ...], list[tuple[str, str, int]]]:
    rolls_by_result: dict[str, list[tuple[int, int]]] = {}
    unknown = []
    for total, count in dice.totals:
        cell = view.cell(combat.chart, column, total + drm)
        if cell is None:
            unknown.append((combat.chart, column, total + drm))
        else:
            rolls_by_result.setdefault(_format_cell(cell), []).append((total + drm, count))
    number_of_rolls = dice.sides**dice.number
    outcomes = tuple(
        Outcome(
            text, tuple(sorted(roll for roll, _ in rolls)), Fraction(sum(count for _, count in rolls), number_of_rolls)
        )
        for text, rolls in rolls_by_result.items()
    )
    return outcomes, unknown


QUESTION = declare(
    "odds",
    "the odds column of a combat and its results, from the game's own table",
    answer,
    {"roll": "the dice rolled on the table: the total, or the dice joined by +"},
)
