"""The question `battle`: strengths, percentage column, chances on both tables, and what the die leads to."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from assistant.field.attacks_shown import attacks_shown
from assistant.mechanics.effects import Fought
from assistant.mechanics.procedure import AnswerError, Choice, Roll
from assistant.pictures.usual import of_combat
from assistant.questions import Answers, InputError, Report, Verdict, View, declare, refused, verdict
from assistant.questions.play import Play, play, refuse_others
from assistant.questions.report import VerdictKind
from assistant.questions.what_if import NextColumn, next_column, what_if
from assistant.state.changes import AnyChange

from ..combat.engagement import Attacker, BattleParameters, Engagement, engage
from ..combat.legality import helped, refusals
from ..combat.results import PANIC, RESULTS, Forces, effects_of, procedure, pursues, survivors
from ..combat.strength import COLUMNS, column, percentage, rank
from ..forces.armies import breaks_down, chart_key, corps_of, counted
from ..forces.units import formation_taken, grant_factors
from ..terms import AIRBASE
from .carried import changes_of, left_at_sea, lost
from .report import Battle, chances_part, change_part, column_part, result_part, strength_part


def answer(view: View, parameters: BattleParameters, answers: Answers) -> Report[Battle]:
    """The report on an attack: column and chances before the die, losses, retreat and pursuit after it."""
    combat = engage(view, parameters)
    title, table = f"Attack on {combat.at}", parameters.table
    if reasons := refusals(view, parameters, combat):
        return refused(title, "this attack is not allowed", reasons)
    if answers and "die" not in answers:
        early = InputError("no roll or choice of that name is due", hint="give the die first: answers die=N")
        raise AnswerError(next(iter(answers)), early)
    battle = Battle(combat=combat, table=table)
    parts, changes = [strength_part(combat), column_part(combat)], tuple[AnyChange, ...]()
    die = {name: value for name, value in answers.items() if name == "die"}
    played = play(view, procedure(table, combat.column, view.cell), "die", die)
    if answers:
        forces = forces_in(view, combat, str(played.settled.get("outcome", "")))
        played = play(view, procedure(table, combat.column, view.cell, forces), "die", answers)
        if not played.stuck:
            refuse_others(answers, (*reached(played), *(ask.name for ask in played.asks)))
        battle, changes = fought(view, parameters, battle, forces, played)
        parts.append(result_part(battle))
    else:
        battle = before_the_die(view, parameters, battle, played)
        parts += [chances_part(battle), change_part(battle)]
    said = in_a_line(battle, played)
    return Report(title=title, verdict=said, parts=tuple(parts), asks=played.asks, changes=changes, result=battle)


def reached(played: Play) -> list[str]:
    """The names of the rolls and choices to which the answers lead."""
    return [taken.node.name for taken in played.resolution.trace if isinstance(taken.node, Roll | Choice)]


def in_a_line(battle: Battle, played: Play) -> Verdict:
    """The column before the die, and its result after it."""
    if not battle.outcome:
        text = "column {column} of the {table} table; roll {dice}"
        return verdict("figure", text, battle.combat, battle, dice="1d6")
    if played.asks:
        kind: VerdictKind = "undecided" if played.stuck else "figure"
        return verdict(kind, "{outcome}, {meaning}: {due:#answer} due", battle, due=len(played.asks))
    text = "{outcome}, {meaning}; " + ("the {retreats} retreats" if battle.retreats else "nobody retreats")
    text += "; the {pursues} may pursue {pursuit:#hex}" if battle.pursues else "; no pursuit"
    return verdict("figure", text, battle)


def forces_in(view: View, combat: Engagement, code: str) -> Forces:
    """The units that a result may concern, and the corps into which each army breaks down."""
    doubtful = ["movement"] if code == "MD" else []
    with view.gather() as facts:
        attackers = tuple(
            formation_taken(facts, view.unit(one.unit.id), ["attack"])
            for one in (*combat.attackers, *suffering(combat))
        )
        defenders = tuple(formation_taken(facts, view.unit(one.unit.id), [], doubtful) for one in combat.defenders)
    forces = Forces(attackers, defenders)
    pursuing = [one.id for one in forces.units(RESULTS[code].pursues if code else "")]
    grant_factors(view, pursuing, "attack")
    grant_factors(view, [*pursuing, *(one.id for one in defenders if code == "MD")], "movement")
    armies = [unit for unit in (*attackers, *defenders) if breaks_down(unit)]
    known = {army.id: corps_of(view.unnoticed(), army) for army in armies}
    corps = {name: found for name, found in known.items() if found is not None}
    spare = counted(view, (nation for army in armies for nation in corps.get(army.id, (army.nation,))))
    wanted = [nation for of_army in corps.values() for nation in of_army]
    short = any(0 < count < wanted.count(nation) for nation, count in spare.items())
    return forces._replace(
        corps=corps,
        cells={
            army.id: ("reorganization", chart_key(army.nation, army.arm, army.size))
            for army in armies
            if army.id not in corps
        },
        spare=spare,
        all_or_none=view.ruling("short-breakdown", short) == "none",
    )


def suffering(combat: Engagement) -> tuple[Attacker, ...]:
    """Who suffers with the attackers of those that support them: an airbase if an enemy airbase defends the hex. Rule: 19.2, Opt/Air/3"""
    contested = any(one.unit.arm == AIRBASE for one in combat.defenders)
    return tuple(one for one in combat.support if contested and one.unit.arm == AIRBASE)


def before_the_die(view: View, parameters: BattleParameters, battle: Battle, thrown: Play) -> Battle:
    """The battle with its chances, and what would change its column."""
    combat = battle.combat
    others = "shock" if battle.table == "standard" else "standard"
    other = play(view, procedure(others, combat.column, view.cell), "die", {})
    may = others == "standard" or combat.shock
    units = [one.unit.id for one in combat.attackers]
    return replace(
        battle,
        near=nearest_columns(combat, view.unnoticed().ruling("percent-rounding") == "up"),
        without=what_if(view, parameters, "withhold", units, lambda view, other, unit: engage(view, other).column),
        helps=helped(view, parameters, combat),
        chances=thrown.chances.likelihoods("outcome") if thrown.chances else (),
        other=other.chances.likelihoods("outcome") if may and other.chances else (),
    )


def nearest_columns(combat: Engagement, up: bool) -> NextColumn:
    """How many points of attack lead to the next column, and how many can be missing."""
    found = next_column(lambda attack: rank(column(percentage(attack, combat.defence, up))), max(combat.attack, 1))
    return replace(found, column=COLUMNS.names[int(found.column)] if found.column else "")


def fought(
    view: View, parameters: BattleParameters, battle: Battle, forces: Forces, played: Play
) -> tuple[Battle, tuple[AnyChange, ...]]:
    """What the answers lead to: the battle, and what changes in the position once all is settled."""
    trace = [taken.situation for taken in played.resolution.trace if isinstance(taken.situation, Fought)]
    last, _ = effects_of(forces).carried_on(trace[-1])
    result, settled = RESULTS[last.code], played.settled
    battle = replace(battle, outcome=last.code)
    if played.stuck or any(not ask.name.startswith("panic.") for ask in played.asks):
        return battle, ()
    last = last._replace(fates=(*last.fates, *left_at_sea(view, forces, last)))
    with view.gather() as facts:
        losses = tuple(lost(facts, fate) for fate in last.fates)
    retreating = survivors(forces, last, result.retreats)
    may = pursues(forces, last)
    battle = replace(
        battle,
        lost=losses,
        retreats=result.retreats if retreating else "",
        retreating=retreating,
        hexes=1 if retreating and last.code != PANIC else 0,
        panic={name.partition(".")[2]: int(value) for name, value in settled.items() if name.startswith("panic.")},
        pursues=result.pursues if may else "",
        pursuit=result.pursuit if may else 0,
    )
    expended: Iterable[str] = filter(None, (*parameters.supply, parameters.entrench))
    return battle, () if played.asks else tuple(changes_of(view, battle.combat, last.fates, losses, expended))


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
    picture=of_combat(lambda battle: (battle.combat.at, [one.unit.place for one in battle.combat.attackers])),
    openings=attacks_shown,
)
