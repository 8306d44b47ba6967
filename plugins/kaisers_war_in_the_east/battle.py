"""The questions of an attack: `battle`, with its strengths, its column, its chances and what its die leads to;
`attacks`, every hex that a side can attack, ranked by column; and `need`, the cheapest attack that reaches a column
(14, 16.1, 17.10).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated

from msgspec.structs import replace

from assistant.asking import View, note
from assistant.asking.what_if import next_column
from assistant.mechanics.effects import Fought
from assistant.rules import battle as readymade
from assistant.rules.attacks import attack_questions
from assistant.rules.battle import Attack, BattleNumbers, BattleRules, Fight, Sensitivity, Settled, battle_question

from .combat.attacks import ATTACKS, COMBATS, list_refusals, measure_help
from .combat.engagement import COLUMNS, Attacker, BattleParameters, Engagement, engage, measure_percentage
from .combat.results import RESULTS, Fate, Forces, effects_of, find_pursuers, find_survivors, results_table
from .combat.words import column_part, draw_assault, strength_part
from .corps import breaks_down, chart_key, corps_at_hand, corps_of
from .forces import formation_taken, note_granted_factors
from .terms import AIRBASE, OWES
from .toll import Lost, battle_changes, loss_step, lost_at_sea, price_loss


class Battle(readymade.Battle, frozen=True, kw_only=True):
    """An attack: its strengths, its chances before the die, and its result after it."""

    combat: Annotated[Engagement, note("who fights at what percentage")]
    lost: Annotated[tuple[Lost, ...], note("who is eliminated or breaks down, in order")] = ()


def _read(view: View, parameters: BattleParameters) -> Attack[Engagement]:
    """Return the combat that a player describes, on the table that he chooses, and on the other one if it may be
    chosen.
    """
    combat = engage(view, parameters)
    other = "shock" if parameters.table == "standard" else "standard"
    names: list[str] = [parameters.table]
    if other == "standard" or combat.shock:
        names.append(other)
    tables = [results_table(view, combat, name) for name in names]
    parts = [strength_part(combat), column_part(combat)]
    return Attack(combat, tables, parts, list_refusals(view, parameters, combat))


def _weigh_changes(view: View, parameters: BattleParameters, combat: Engagement) -> Sensitivity:
    """Return what would change the column."""
    up = view.unnoticed().ruling("percent-rounding") == "up"
    near = next_column(
        lambda attack: COLUMNS.column(measure_percentage(attack, combat.defence, up=up)), max(combat.attack, 1)
    )
    units = [attacker.unit.id for attacker in combat.attackers]
    without = COMBATS.columns_without(view, parameters, units)
    named = replace(near, column=COLUMNS.names[int(near.column)] if near.column else "")
    return Sensitivity(named, without, measure_help(view, parameters, combat))


def _resolve_fight(view: View, parameters: BattleParameters, combat: Engagement, code: str) -> Fight:
    """Return what the results do to the units of the combat, and what one has led to."""
    forces = _find_forces(view, combat, code)
    expended = [name for name in (*parameters.supply, parameters.entrench) if name]
    return Fight(effects_of(forces), partial(_settle_result, view, combat, forces, expended))


def _find_forces(view: View, combat: Engagement, code: str) -> Forces:
    """Return the units that a result may concern, and the corps into which each army breaks down."""
    doubtful = ["movement"] if code == "MD" else []
    with view.gather() as facts:
        suffering = (*combat.attackers, *fellow_sufferers(combat))
        attackers = tuple(formation_taken(facts, view.unit(one.unit.id), ["attack"]) for one in suffering)
        defenders = tuple(
            formation_taken(facts, view.unit(defender.unit.id), [], doubtful) for defender in combat.defenders
        )
    forces = Forces(attackers, defenders)
    pursuing = [unit.id for unit in forces.units(RESULTS[code].pursues if code else "")]
    note_granted_factors(view, pursuing, "attack")
    note_granted_factors(view, [*pursuing, *(defender.id for defender in defenders if code == "MD")], "movement")
    armies = [unit for unit in (*attackers, *defenders) if breaks_down(unit)]
    known = {army.id: corps_of(view.unnoticed(), army) for army in armies}
    corps = {name: nations for name, nations in known.items() if nations is not None}
    wanted = [(nation, army.arm) for army in armies for nation in corps.get(army.id, ())]
    at_hand = corps_at_hand(view, wanted)
    short = any(0 < len(ids) < wanted.count(kind) for kind, ids in at_hand.items())
    charted = [army for army in armies if army.id not in corps]
    return forces._replace(
        corps=corps,
        cells={army.id: ("reorganization", chart_key(army.nation, army.arm, army.size)) for army in charted},
        at_hand=at_hand,
        all_or_none=view.ruling("short-breakdown", short) == "none",
    )


def fellow_sufferers(combat: Engagement) -> tuple[Attacker, ...]:
    """Return who suffers with the attackers of those that support them: an airbase if an enemy airbase defends the hex.
    Rule: 19.2, Opt/Air/3
    """
    contested = any(defender.unit.arm == AIRBASE for defender in combat.defenders)
    return tuple(supporter for supporter in combat.support if contested and supporter.unit.arm == AIRBASE)


def _settle_result(
    view: View, combat: Engagement, forces: Forces, expended: Iterable[str], fought: Fought[Fate]
) -> Settled:
    """Return what a result has led to: losses with their Victory Points, and who retreats."""
    fought = fought._replace(fates=(*fought.fates, *lost_at_sea(view, forces, fought)))
    with view.gather() as facts:
        losses = tuple(price_loss(facts, fate) for fate in fought.fates)
    retreating = find_survivors(forces, fought, RESULTS[fought.code].retreats)
    changes = partial(battle_changes, view, combat, forces, fought, losses, expended)
    lines = [loss_step(loss) for loss in losses]
    pursues = bool(find_pursuers(forces, fought))
    return Settled(losses, lines, retreating, pursues, changes)


def _list_units(combat: Engagement) -> tuple[list[str], list[str]]:
    """Return the attackers and the defenders of a combat."""
    return [attacker.unit.id for attacker in combat.attackers], [defender.unit.id for defender in combat.defenders]


QUESTIONS = (
    battle_question(
        "percentage column and chances of an attack, or what its die leads to",
        BattleParameters,
        BattleRules(
            result=Battle,
            read=_read,
            sensitivity=_weigh_changes,
            fight=_resolve_fight,
            where=lambda combat: [attacker.unit.place for attacker in combat.attackers],
            who=_list_units,
            owes=OWES,
            shown=draw_assault,
            rules=BattleNumbers("14.3", "14.13", "14.14", "15.0", "16.1", "15.1", "14.12", "14.8"),
        ),
        {
            "die": "the die on the Combat Results Table",
            "attacker.one": "the unit that the attacker loses",
            "defender.one": "the unit that the defender loses",
            "attacker.one-shock": "the shock unit that the attacker loses",
            "attacker.break-one-army": "the attacker's army that breaks down",
            "defender.break-one-army": "the defender's army that breaks down",
            "panic.UNIT": "the die of a unit in panic",
        },
    ),
    *attack_questions(ATTACKS),
)
