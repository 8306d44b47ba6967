"""The question `battle`: strengths, percentage column, chances and the result of the die."""

from __future__ import annotations

import msgspec

from assistant.drawing.scene import Scene
from assistant.pictures.combat import combat_picture
from assistant.questions import Answers, Part, Report, View, declare, refused, step, verdict
from assistant.questions.play import play
from assistant.questions.what_if import next_column, what_if

from .combat import COLUMNS, Battle, BattleParameters, engage, refusals, throw


def strengths(battle: Battle) -> Part:
    """The working up to the column."""
    steps = [step("14.8", "{id} in {place}: {attack}", unit) for unit in battle.attackers]
    if battle.concentric:
        steps.append(step("14.8", "concentric attack: all six hexes are covered"))
    if battle.doubled:
        steps.append(step("14.11", "the defence is doubled: {doubled}", battle))
    steps.append(step("14.13", "{attack} against {defence} is {percent} %: column {column}", battle))
    return Part("Strengths", tuple(steps))


def answer(view: View, parameters: BattleParameters, answers: Answers) -> Report[Battle]:
    """The report on a battle: its column and chances before the die, its result after it."""
    battle, title = engage(view, parameters), f"Battle at {parameters.at}"
    if reasons := list(refusals(battle.attackers, parameters.table)):
        return refused(title, "this attack is not allowed", reasons)
    played = play(view, throw(parameters.table, battle.column, view.cell), None, answers)
    if played.settled:
        battle = msgspec.structs.replace(battle, **played.settled)
        said = verdict("figure", "column {column}, result {outcome}; retreats: {retreats}", battle)
        return Report(title=title, verdict=said, parts=(strengths(battle),), result=battle)
    units = [unit.id for unit in battle.attackers]
    others = what_if(view, parameters, "withhold", units, lambda view, other, unit: engage(view, other).column)
    near = next_column(lambda attack: COLUMNS.names.index(COLUMNS.of(100 * attack // battle.defence)), battle.attack)
    chances = played.chances.likelihoods("outcome") if played.chances else ()
    battle = msgspec.structs.replace(battle, near=near, without=others, chances=chances)
    changes = [step("14.13", "without {unit}: column {column}", unit=unit, column=at) for unit, at in others.items()]
    changes.append(step("14.13", "{spare:#point} may be missing in this column", near))
    likely = Part("Chances", (step("14.13", "{likelihoods}", likelihoods=chances),) if chances else ())
    return Report(
        title=title,
        verdict=verdict("figure", "column {column}; roll {dice}", battle, dice="1d6"),
        parts=(strengths(battle), Part("What would change it", tuple(changes)), played.unknown_cells, likely),
        asks=played.asks,
        result=battle,
    )


def picture(view: View, report: Report[Battle]) -> Scene:
    """The hexes of the battle."""
    assert report.drawable is not None
    places = [unit.place for unit in report.drawable.attackers]
    return combat_picture(view, report.drawable.at, places, title=report.title, caption=report.verdict.text)


QUESTION = declare(
    "battle",
    "percentage column and chances of a battle, or the result of its die",
    answer,
    {"die": "the die on the Combat Results Table"},
    picture=picture,
)
