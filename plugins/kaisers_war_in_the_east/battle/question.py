"""The question `battle`: strengths, percentage column, chances on both tables, and what the die leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from assistant.field.attacks_shown import attacks_shown
from assistant.questions import Answers, Report, Verdict, View, declare, refused, verdict
from assistant.questions.play import Play, play
from assistant.questions.report import VerdictKind
from assistant.questions.what_if import NextColumn, next_column, what_if
from assistant.state.changes import AnyChange
from assistant.state.state import CellKey

from ..combat.engagement import BattleParameters, Engagement, engage, places_of
from ..combat.help import helped, rank
from ..combat.legality import refusals
from ..combat.results import PURSUERS, Forces, Fought, fates, outcomes, procedure, pursues
from ..combat.strength import COLUMNS, column, percentage
from ..forces.armies import broken_into, chart_key, is_alone
from ..forces.units import formation_taken, grant_factors
from ..terms import AIRBASE
from .carried import changes_of, priced
from .report import (
    Battle,
    Lost,
    chances_part,
    change_part,
    column_part,
    result_part,
    retreating,
    strength_part,
)

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene


def answer(view: View, parameters: BattleParameters, answers: Answers) -> Report[Battle]:
    """The report on an attack: column and chances before the die, losses, retreat and pursuit after it."""
    combat = engage(view, parameters)
    title = f"Attack on {combat.at}"
    if reasons := refusals(view, parameters, combat):
        return refused(title, "this attack is not allowed", reasons)
    battle = Battle(combat=combat, table=parameters.table)
    parts = [strength_part(combat), column_part(combat)]
    if not answers:
        thrown = play(view, outcomes(parameters.table, combat.column, view.cell), "die", {})
        battle = before_the_die(view, parameters, battle, thrown)
        said = verdict("figure", "column {column} of the {table} table; roll {dice}", combat, battle, dice="1d6")
        parts += [chances_part(battle), change_part(battle)]
        return Report(title=title, verdict=said, parts=tuple(parts), asks=thrown.asks, result=battle)
    forces = forces_in(view, combat, result_of(view, parameters, combat, answers))
    played = play(view, procedure(forces, parameters.table, combat.column, view.cell), "die", answers)
    battle, changes = fought(view, parameters, battle, forces, played)
    if battle.outcome:
        parts.append(result_part(battle, forces, reached(played)[-1]))
    return Report(
        title=title,
        verdict=in_a_line(battle, played),
        parts=tuple(parts),
        asks=played.asks,
        changes=changes,
        result=battle,
    )


def in_a_line(battle: Battle, played: Play) -> Verdict:
    """The result of the die in a line."""
    if not battle.outcome:
        return verdict("undecided", "column {column} of the {table} table", battle.combat, battle)
    if played.asks:
        kind: VerdictKind = "undecided" if played.stuck else "figure"
        return verdict(kind, "{outcome}, {meaning}: {due:#answer} due", battle, due=len(played.asks))
    text = "{outcome}, {meaning}; " + ("the {retreats} retreats" if battle.retreats else "nobody retreats")
    text += "; the {pursues} may pursue {pursuit:#hex}" if battle.pursues else "; no pursuit"
    return verdict("figure", text, battle)


def result_of(view: View, parameters: BattleParameters, combat: Engagement, answers: Answers) -> str:
    """The result that the die leads to, "" before it."""
    die = {name: value for name, value in answers.items() if name == "die"}
    return str(play(view, outcomes(parameters.table, combat.column, view.cell), "die", die).settled.get("outcome", ""))


def forces_in(view: View, combat: Engagement, code: str) -> Forces:
    """The units that a result may concern, and the corps into which each army breaks down.

    An airbase that supports the attack suffers with the attackers only if an enemy airbase defends the hex. Rule: 19.2, Opt/Air/3
    """
    contested = any(one.unit.arm == AIRBASE for one in combat.defenders)
    concerned = [one.unit for one in combat.attackers]
    concerned += [one.unit for one in combat.support if contested and one.unit.arm == AIRBASE]
    with view.gather() as facts:
        attackers = tuple(formation_taken(facts, view.unit(one.id), ["attack"]) for one in concerned)
        doubtful = ["movement"] if code == "MD" else []
        standing = [view.unit(one.unit.id) for one in combat.defenders]
        defenders = tuple(formation_taken(facts, unit, ["defence"], doubtful) for unit in standing)
        if code == "AZ":
            grant_factors(view, [one.id for one in defenders], "attack")
        if code in ("AZ", "MD"):
            grant_factors(view, [one.id for one in defenders], "movement")
        if code in PURSUERS and PURSUERS[code][0] == "attacker":
            grant_factors(view, [one.id for one in attackers], "movement")
    armies = [unit for unit in (*attackers, *defenders) if unit.is_army and not is_alone(unit.nation)]
    corps: dict[str, tuple[str, ...]] = {}
    cells: dict[str, CellKey] = {}
    for army in armies:
        found = broken_into(view.unnoticed(), army)
        if found is None:
            cells[army.id] = ("reorganization", chart_key(army.nation, army.arm, army.size))
        else:
            corps[army.id] = found
    nations = {nation for unit in armies for nation in corps.get(unit.id, (unit.nation,))}
    stated = {nation: view.fact("spare-corps", nation) for nation in sorted(nations)}
    spare = {nation: int(str(fact.value)) for nation, fact in stated.items() if fact}
    return Forces(attackers, defenders, corps, cells, spare)


def before_the_die(view: View, parameters: BattleParameters, battle: Battle, thrown: Play) -> Battle:
    """The battle with its chances, and what would change its column."""
    combat = battle.combat
    others = "shock" if battle.table == "standard" else "standard"
    may = others == "standard" or combat.shock
    other = play(view, outcomes(others, combat.column, view.cell), "die", {}) if may else None
    up = view.unnoticed().ruling("percent-rounding") == "up"
    return replace(
        battle,
        near=nearest_columns(combat, up),
        without=what_if(
            view,
            parameters,
            "withhold",
            [one.unit.id for one in combat.attackers],
            lambda view, other, unit: engage(view, other).column,
        ),
        helps=helped(view, parameters, combat),
        chances=thrown.chances.likelihoods("outcome") if thrown.chances else (),
        other=other.chances.likelihoods("outcome") if other and other.chances else (),
    )


def nearest_columns(combat: Engagement, up: bool) -> NextColumn:
    """How many points of attack lead to the next column, and how many can be missing."""
    found = next_column(lambda attack: rank(column(percentage(attack, combat.defence, up))), max(combat.attack, 1))
    return replace(found, column=COLUMNS.names[int(found.column)] if found.column else "")


def reached(played: Play) -> list[Fought]:
    """The results that the answers have led to, one more choice made in each."""
    return [taken.situation for taken in played.resolution.trace if isinstance(taken.situation, Fought)]


def fought(
    view: View, parameters: BattleParameters, battle: Battle, forces: Forces, played: Play
) -> tuple[Battle, tuple[AnyChange, ...]]:
    """What the answers lead to: the battle, and what changes in the position once all is settled."""
    if not (found := reached(played)):
        return battle, ()
    last, settled = found[-1], played.settled
    battle = replace(battle, outcome=last.code)
    if played.stuck or any(not ask.name.startswith("panic.") for ask in played.asks):
        return battle, ()
    with view.gather() as facts:
        losses = priced(facts, fates(forces, last))
    role, pursuit = str(settled.get("retreats", "")), pursues(forces, last)
    battle = replace(
        battle,
        lost=tuple(
            Lost(fate.unit.id, fate.breaks, len(fate.corps), fate.corps_lost, worth.loss, worth.gain)
            for fate, _, worth in losses
        ),
        retreats=role,
        retreating=retreating(forces, last, role),
        hexes=1 if role and last.code != "DP" else 0,
        panic={name.partition(".")[2]: int(value) for name, value in settled.items() if name.startswith("panic.")},
        pursues=pursuit[0] if pursuit else "",
        pursuit=pursuit[1] if pursuit else 0,
    )
    if played.asks:
        return battle, ()
    expended = [*parameters.supply, *([parameters.entrench] if parameters.entrench else [])]
    return battle, changes_of(view, battle.combat, losses, expended)


def picture(view: View, report: Report[Battle]) -> Scene:
    """The hexes of the attack."""
    from assistant.pictures.combat import combat_picture

    assert report.drawable is not None
    combat = report.drawable.combat
    return combat_picture(view, combat.at, list(places_of(combat)), title=report.title, caption=report.verdict.text)


QUESTION = declare(
    "battle",
    "percentage column and chances of an attack, or what its die leads to",
    answer,
    {
        "die": "the die on the Combat Results Table",
        "attacker.one": "the unit that the attacker loses",
        "defender.one": "the unit that the defender loses",
        "attacker.one-shock": "the shock unit that the attacker loses",
        "attacker.break-one-army": "the army of the attacker that breaks down",
        "defender.break-one-army": "the army of the defender that breaks down",
        "panic.UNIT": "the die of a unit that panics",
    },
    picture=picture,
    openings=attacks_shown,
)
