"""The question `battle`: strengths, percentage column, chances and the result of the die."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from assistant.field.standing import side_of
from assistant.mechanics.chances import Likelihood
from assistant.pictures.combat import combat_picture
from assistant.questions.play import play
from assistant.questions.question import Answers, PlaceName, Question, UnitName
from assistant.questions.report import Part, Report, refused, step, verdict
from assistant.questions.view import Gather, View
from assistant.questions.what_if import NextColumn, next_column, what_if
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.notes import note

from .combat import COLUMNS, Fighter, Odds, battle, odds, refusals
from .ground import NO_ATTACK, WATER, between, field


class BattleParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack on one hex."""

    at: Annotated[PlaceName, note("the defending hex")]
    from_: Annotated[tuple[PlaceName, ...], note("attacking hexes, all next to it if left out")] = msgspec.field(
        default=(), name="from"
    )
    withhold: Annotated[tuple[UnitName, ...], note("attackers that stay out")] = ()
    supplied: Annotated[tuple[UnitName, ...], note("attackers with Maximum Attack Supply")] = ()
    table: Annotated[Literal["standard", "shock"], note("the Combat Results Table")] = "standard"


class BattleResult(msgspec.Struct, frozen=True, kw_only=True):
    """A battle."""

    at: Annotated[str, note("the defending hex")]
    places: Annotated[tuple[str, ...], note("attacking hexes")]
    attack: Annotated[int, note("attack strength")]
    defence: Annotated[int, note("defence strength")]
    concentric: Annotated[bool, note("whether all six hexes around are covered")]
    percent: Annotated[int, note("attack in percents of the defence")]
    column: Annotated[str, note("percentage column")]
    next: Annotated[NextColumn | None, note("how near other columns are, null once the die is thrown")] = None
    without: Annotated[dict[str, str], note("the column without a unit")] = {}
    chances: Annotated[tuple[Likelihood, ...], note("the results, each with its chance")] = ()
    outcome: Annotated[str, note("the result of the die, empty before it")] = ""


def fighters(facts: Gather, units: list[Unit], supplied: tuple[str, ...] = ()) -> tuple[Fighter, ...]:
    """Units with their factors."""
    return tuple(
        Fighter(
            unit.id,
            facts.word("nation", unit.id),
            facts.word("kind", unit.id),
            str(unit.place),
            facts.integer("attack", unit.id),
            facts.integer("defence", unit.id),
            facts.flag("shock", unit.id),
            unit.id in supplied,
        )
        for unit in units
    )


def engaged(view: View, parameters: BattleParameters) -> tuple[tuple[Fighter, ...], Odds]:
    """The attackers of a battle and how it stands. Raises InputError for a hex without defenders or attackers."""
    at = parameters.at
    with view.gather() as facts:
        here = list(view.stack(at))
        if not here:
            raise InputError(f"nothing defends {at}", hint="place the defender there, or name another hex")
        side = side_of(facts, here[0])
        near = parameters.from_ or view.board.neighbours(at)
        attacking = [
            unit
            for place in near
            for unit in view.stack(place)
            if side_of(facts, unit) != side
            and unit.id not in parameters.withhold
            and facts.word("kind", unit.id) not in NO_ATTACK
        ]
        if not attacking:
            raise InputError(f"nothing can attack {at}", hint="place the attackers, or withhold fewer")
        attackers = fighters(facts, attacking, parameters.supplied)
        defenders = fighters(facts, here)
        places = {unit.place for unit in attackers}
        covered = field(facts).zone_of(side_of(facts, attacking[0]), places) | places
        fortress = any(unit.kind == "fortress" for unit in defenders)
        concentric = not fortress and covered.issuperset(view.board.neighbours(at))
        terrain = facts.word("terrain", at)
        doubled = terrain if terrain and facts.cell("terrain-effects", terrain).values["defence"] == 2 else ""
        if not doubled and all(WATER & between(facts, place, at).lies for place in places):
            doubled = "water hexsides"
    return attackers, odds(attackers, defenders, concentric, doubled)


def answer(view: View, parameters: BattleParameters, answers: Answers) -> Report[BattleResult]:
    """The report on a battle: its column and chances before the die, its result after it."""
    attackers, found = engaged(view, parameters)
    title = f"Battle at {parameters.at}"
    if reasons := list(refusals(attackers, parameters.table)):
        return refused(title, "this attack is not allowed", reasons)
    result = BattleResult(
        at=parameters.at,
        places=tuple(dict.fromkeys(unit.place for unit in attackers)),
        attack=found.attack,
        defence=found.defence,
        concentric=found.concentric,
        percent=found.percent,
        column=found.column,
    )
    strengths = [step("14.8", "{id} in {place}: {attack}", unit) for unit in attackers]
    if found.concentric:
        strengths.append(step("14.8", "concentric attack: all six hexes are covered"))
    if found.doubled:
        strengths.append(step("14.11", "the defence is doubled: {doubled}", found))
    strengths.append(step("14.13", "{attack} against {defence} is {percent} %: column {column}", result))
    played = play(view, battle(parameters.table, found.column, view.cell), None, answers)
    if outcome := played.settled.get("result"):
        result = msgspec.structs.replace(result, outcome=str(outcome))
        said = verdict(
            "figure",
            "column {column}, result {outcome}; who retreats: {retreats}",
            result,
            retreats=played.settled["retreats"],
        )
        return Report(title=title, verdict=said, parts=(Part("Strengths", tuple(strengths)),), result=result)
    others = what_if(
        view,
        parameters,
        "withhold",
        [unit.id for unit in attackers],
        lambda view, other, _: engaged(view, other)[1].column,
    )
    names = COLUMNS.names
    near = next_column(lambda strength: names.index(found._replace(attack=strength).column), found.attack)
    near = msgspec.structs.replace(near, column=names[int(near.column)] if near.column else "")
    chances = played.chances.likelihoods("result") if played.chances else ()
    result = msgspec.structs.replace(result, next=near, without=others, chances=chances)
    changes = [
        step("14.13", "without {unit}: column {column}", unit=unit, column=column) for unit, column in others.items()
    ]
    changes.append(step("14.13", "{more:#point} more for the next column; {spare} may be missing", near))
    likely = Part("Chances", (step("14.13", "{likelihoods}", likelihoods=chances),) if chances else ())
    return Report(
        title=title,
        verdict=verdict("figure", "column {column}; roll {dice}", result, dice="1d6"),
        parts=(
            Part("Strengths", tuple(strengths)),
            Part("What would change it", tuple(changes)),
            played.unknown_cells or likely,
        ),
        asks=played.asks,
        result=result,
    )


def picture(view: View, report: Report[BattleResult]) -> str:
    """The hexes of the battle, as SVG."""
    result = report.drawable
    assert result is not None
    return combat_picture(view, result.at, result.places, title=report.title, caption=report.verdict.text)


QUESTION = Question(
    name="battle",
    title="percentage column and chances of a battle, or the result of its die",
    parameters=BattleParameters,
    result=BattleResult,
    answer=answer,
    answers={"die": "the die on the Combat Results Table"},
    picture=picture,
)
