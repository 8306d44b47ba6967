"""The picture of a battle: the combat on the map with its sum and dice, and the chart of its chances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from types import SimpleNamespace

from assistant.asking import Report, Step, View
from assistant.asking.report import fill_from
from assistant.asking.sketch import Arrow, Chart, Columns, Fighting, FigureTable, Row, Rows, format_few_units, way_of
from assistant.mechanics.chances import Likelihood
from assistant.mechanics.distribution import format_percent
from assistant.rules.sketches import CombatPicture, format_die, held_row, ratio_links, side_at, strength_by_hex
from assistant.util.console import format_count

from ..combat.before_dice import SideStrength, UnitStrength
from ..combat.report import shift_remarks
from ..results.outcome import BattleOutcome, CheckOutcome
from ..terms import OFF_MAP
from .chances import BattleChances, BattleResult, ForceChances
from .report import may_open_steps, ways_step


def show_combat(view: View, report: Report[BattleResult]) -> CombatPicture:
    """Return the picture of a combat."""
    battle = report.shown
    places = {unit.place for unit in battle.attacker.units}
    return CombatPicture(
        attack=_by_hex("attack", battle.attacker),
        defence={battle.at: "defence 0"} | _by_hex("defence", battle.defender),
        side=side_at(view, *(unit.place for unit in battle.attacker.units)),
        causes=tuple(shift_remarks(battle.at, battle.shifts, battle.shift_places)),
        held=[hex for hex in battle.held_hexes if hex not in places],
        sum=tuple(_list_sum(battle)),
        totals=("attack", "defence"),
        odds=tuple(_list_odds_links(battle)),
        outcome=tuple(_list_outcome_links(battle.at, battle.outcome)) if battle.outcome else (),
        tables=tuple(_check_tables(battle.outcome)) if battle.outcome else (),
        ways=tuple(_draw_retreats(view, battle.outcome)) if battle.outcome else (),
    )


def _by_hex(word: str, side: SideStrength) -> dict[str, str]:
    return strength_by_hex(word, ((unit.place, unit.strength) for unit in side.units))


def _list_sum(battle: BattleResult) -> Iterator[tuple[str, str]]:
    """Yield the label and the figure of each unit, each total and the divisions."""
    for name, side in (("attack", battle.attacker), ("defence", battle.defender)):
        for unit in side.units:
            yield _format_unit(unit), f"{float(unit.strength):g}"
        yield name, f"{side.total}"
    if battle.held_hexes:
        around, number = held_row(battle.at, battle.held_around)
        yield around, fill_from("{number}[flanked:, flanked]", SimpleNamespace(number=number), battle)
    yield "divisions engaged", _format_number(battle.divisions)


def _list_odds_links(battle: BattleResult) -> Iterator[tuple[str, str]]:
    """Yield the label and the figure of each step from the totals to the column: ratio, shifts, magnitude."""
    yield "attack", f"{battle.attacker.total}"
    yield "defence", f"{battle.defender.total}"
    yield from ratio_links(battle.attacker.total, battle.defender.total, battle.initial)
    for shift in battle.shifts:
        yield shift.why.replace("-", " "), f"{shift.amount:+}"
    if battle.final != battle.column:
        yield "shifted", battle.final
    yield "column and magnitude", f"{battle.column}, {battle.magnitude}"


def _list_outcome_links(at: str, outcome: BattleOutcome) -> Iterator[tuple[str, str]]:
    """Yield the label and the result of each stage from the dice to the advance."""
    if outcome.crt:
        yield "dice", f"{outcome.crt_roll}"
        yield "result: DRM on the loss roll of attacker / defender", outcome.crt
    steps = {"attacker": outcome.attacker_steps, "defender": outcome.defender_steps}
    for side in outcome.losses:
        is_due = side.losses is None and bool(side.steps)
        many = side.steps if is_due else steps[side.side]
        noun = "step" if many == 1 else "steps"
        rolled = format_die(side.natural, side.added)
        yield f"{side.side} rolls {rolled} and loses", f"{many} {noun} due" if is_due else f"{many} {noun}"
    if outcome.checks:
        failed = [check.force for check in outcome.checks if not check.passed]
        yield "checks failed", format_few_units(failed) or "none"
    if outcome.advanced is not None:
        gone = [force for retreat in outcome.retreats for force in (*retreat.ends, *retreat.surrendered)]
        yield "retreat or surrender", format_few_units(tuple(dict.fromkeys(gone))) or "nobody"
        yield f"the defender of {at}", fill_from("[vacated:is gone|holds the hex]", outcome)
        yield f"advance into {at}", format_few_units(outcome.advanced) or "nobody"


def _check_tables(outcome: BattleOutcome) -> Iterator[FigureTable]:
    if outcome.checks:
        rows = []
        for check in outcome.checks:
            die = format_die(check.natural, check.added)
            rows.append((check.force, die, f"{check.cel}", _format_result(check)))
        yield FigureTable(heads=("Effectiveness Check", "roll", "CEL", "result"), rows=tuple(rows))


def _format_result(check: CheckOutcome) -> str:
    if check.passed:
        return "passes"
    costs = [
        f"loses {format_count(check.cel_loss, 'level')}" if check.cel_loss else "",
        f"retreats {format_count(check.retreat, 'hex', 'hexes')}" if check.retreat else "",
        f"loses {format_count(check.steps, 'step')}" if check.steps else "",
    ]
    return ": ".join(filter(None, (f"fails by {check.margin}", ", ".join(filter(None, costs)))))


def _draw_retreats(view: View, outcome: BattleOutcome) -> Iterator[Arrow]:
    for retreat in outcome.retreats:
        side = next((view.side_of(force) for force in (*retreat.ends, *retreat.surrendered)), "")
        yield from way_of((retreat.start, *(hex for hex in retreat.way if hex != OFF_MAP)), side)


def _format_unit(unit: UnitStrength) -> str:
    lost = f" - {unit.lost} lost" if unit.lost else ""
    parts = [f"{unit.printed}{lost}" if lost or not unit.halved else _format_number(unit.base)]
    if unit.artillery:
        parts.append(f"{_format_number(unit.artillery)} artillery")
    made = " + ".join(parts) if len(parts) > 1 or lost or unit.halved else ""
    return fill_from("{unit} in {place}[made_of:: {made_of}][halved:, halved]", SimpleNamespace(made_of=made), unit)


def _format_number(number: Fraction) -> str:
    return f"{float(number):g}"


def battle_chart(report: Report[BattleResult]) -> Chart | None:
    """Return the chart of a combat: steps lost, retreats, and the fate of each Force, or None without chances."""
    result = report.result
    chances = result.chances if result else None
    if result is None or chances is None:
        return None
    attackers = [unit.unit for unit in result.attacker.units]
    defenders = [unit.unit for unit in result.defender.units]
    retreats: dict[Fighting, tuple[Likelihood, ...]] = {
        "attacker": chances.attacker_retreat,
        "defender": chances.defender_retreat,
    }
    columns = [
        Columns("Attacker's losses", _format_average(chances.attacker_mean), "attacker", chances.attacker_steps),
        Columns("Defender's losses", _format_average(chances.defender_mean), "defender", chances.defender_steps),
    ]
    for whose, retreat in retreats.items():
        if any(likelihood.value for likelihood in retreat):
            columns.append(Columns(f"{whose.capitalize()}'s retreat", "hexes, by the result", whose, retreat))

    leaves = [Row(fill_from("defender vacates[may_open:, at least]", chances), "defender", (chances.vacates,))]
    rows = [
        Rows(
            "Effectiveness Checks",
            ("passed", "failed, or eliminated before its check", "retreats"),
            [_row_of(force, "attacker" if force.force in attackers else "defender") for force in chances.forces],
        ),
        Rows("The hex: the attacker may advance if the defender vacates it", (), leaves),
    ]
    return Chart(
        title=report.title,
        lines=[report.headline],
        columns=columns,
        rows=rows,
        caption=list(_list_captions(chances, report.cautions)),
        attackers=attackers,
        defenders=defenders,
    )


def _row_of(force: ForceChances, side: Fighting) -> Row:
    shares = (force.passes, 1 - force.passes - force.retreats, force.retreats)
    bad_ends = {"Disordered": force.disordered, "surrenders": force.surrenders}
    words = ", ".join(f"{what} {format_percent(chance)}" for what, chance in bad_ends.items() if chance)
    return Row(force.force, side, shares, words)


def _list_captions(chances: BattleChances, cautions: Iterable[Step]) -> Iterator[str]:
    """Yield the sentences below the chart: choices, retreats, cautions."""
    attacker = chances.attacker_policy.meaning
    defender = chances.defender_policy.meaning
    if attacker == defender:
        yield f"Choices: {attacker}."
    else:
        yield f"Choices of the attacker: {attacker}."
        yield f"Choices of the defender: {defender}."
    for step in (ways_step(chances), *may_open_steps(chances), *cautions):
        yield f"{step.text[:1].upper()}{step.text[1:]}."


def _format_average(steps: Fraction) -> str:
    return f"steps, {float(steps):.1f} on average"
