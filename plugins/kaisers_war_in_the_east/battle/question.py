"""The question `battle`: strengths, percentage column, chances on both tables, and what the die leads to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from assistant.mechanics.effects import Fought
from assistant.questions import View
from assistant.questions.what_if import next_column, what_if
from assistant.readymade.battle import BattleRules, Before, Fight, Settled, battle_question

from ..combat.engagement import Attacker, BattleParameters, Engagement, engage
from ..combat.legality import helped, refusals
from ..combat.results import RESULTS, Fate, Forces, effects_of, procedure, pursues, survivors
from ..combat.strength import COLUMNS, percentage
from ..forces.armies import breaks_down, chart_key, corps_at_hand, corps_of
from ..forces.units import formation_taken, grant_factors
from ..terms import AIRBASE
from ..victory.points import ending
from .carried import changes_of, left_at_sea, lost
from .report import Battle, column_part, loss_step, strength_part


def tables(parameters: BattleParameters, combat: Engagement) -> list[str]:
    """The table that is chosen, and the other one if it may be chosen."""
    other = "shock" if parameters.table == "standard" else "standard"
    return [parameters.table, *([other] if other == "standard" or combat.shock else [])]


def before(view: View, parameters: BattleParameters, combat: Engagement) -> Before:
    """What would change the column."""
    up = view.unnoticed().ruling("percent-rounding") == "up"
    near = next_column(lambda attack: COLUMNS.column(percentage(attack, combat.defence, up)), max(combat.attack, 1))
    units = [one.unit.id for one in combat.attackers]
    without = what_if(view, parameters, "withhold", units, lambda view, other, unit: engage(view, other).column)
    named = replace(near, column=COLUMNS.names[int(near.column)] if near.column else "")
    return Before(named, without, helped(view, parameters, combat))


def fight(view: View, parameters: BattleParameters, combat: Engagement, code: str) -> Fight:
    """What the results do to the units of the combat, and what one has led to."""
    forces = forces_in(view, combat, code)
    expended = [name for name in (*parameters.supply, parameters.entrench) if name]
    return Fight(effects_of(forces), partial(settled, view, combat, forces, expended))


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
    wanted = [(nation, army.arm) for army in armies for nation in corps.get(army.id, ())]
    at_hand = corps_at_hand(view, wanted)
    short = any(0 < len(ids) < wanted.count(kind) for kind, ids in at_hand.items())
    return forces._replace(
        corps=corps,
        cells={
            army.id: ("reorganization", chart_key(army.nation, army.arm, army.size))
            for army in armies
            if army.id not in corps
        },
        at_hand=at_hand,
        all_or_none=view.ruling("short-breakdown", short) == "none",
    )


def suffering(combat: Engagement) -> tuple[Attacker, ...]:
    """Who suffers with the attackers of those that support them: an airbase if an enemy airbase defends the hex. Rule: 19.2, Opt/Air/3"""
    contested = any(one.unit.arm == AIRBASE for one in combat.defenders)
    return tuple(one for one in combat.support if contested and one.unit.arm == AIRBASE)


def settled(view: View, combat: Engagement, forces: Forces, expended: Iterable[str], fought: Fought[Fate]) -> Settled:
    """What a result has led to: losses with their Victory Points, and who retreats."""
    fought = fought._replace(fates=(*fought.fates, *left_at_sea(view, forces, fought)))
    with view.gather() as facts:
        losses = tuple(lost(facts, fate) for fate in fought.fates)
    retreating = survivors(forces, fought, RESULTS[fought.code].retreats)
    changes = partial(changes_of, view, combat, fought, losses, expended)
    return Settled(losses, retreating, pursues(forces, fought), changes, partial(ending, view))


QUESTION = battle_question(
    "percentage column and chances of an attack, or what its die leads to",
    BattleParameters,
    BattleRules(
        result=Battle,
        engage=engage,
        refusals=refusals,
        parts=lambda combat: (strength_part(combat), column_part(combat)),
        tables=tables,
        procedure=procedure,
        before=before,
        fight=fight,
        results=RESULTS,
        loss=loss_step,
        where=lambda combat: [one.unit.place for one in combat.attackers],
        rules=("14.13", "14.12", "14.8", "14.14", "15.0", "15.1", "16.1"),
    ),
    {
        "die": "the die on the Combat Results Table",
        "attacker.one": "the unit that the attacker loses",
        "defender.one": "the unit that the defender loses",
        "attacker.one-shock": "the shock unit that the attacker loses",
        "attacker.break-one-army": "the army of the attacker that breaks down",
        "defender.break-one-army": "the army of the defender that breaks down",
        "panic.UNIT": "the die of a unit that panics",
    },
)
