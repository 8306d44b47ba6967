"""The questions of an attack: `battle`, before its die and after it; `attacks`, every hex that a side can attack; and
`need`, the cheapest attack that reaches an odds column (6.0 to 6.4).
"""

from __future__ import annotations

from assistant.field.places import hexes_with
from assistant.questions import View
from assistant.readymade.battle import BattleNumbers, Following
from assistant.readymade.odds_battle import OddsRules, StrengthNumbers, odds_questions

from . import combat, terms
from .ground import fortress


def lone_fortresses(view: View, side: str) -> list[str]:
    """The fortresses without a garrison that a side can attack. Rule: 6.0/attack"""
    every = hexes_with(view, "fortress") if side == terms.RUSSIAN else ()
    return [at for at in every if fortress(view, at) and not view.stack(at)]


QUESTIONS = odds_questions(
    "odds column, modifiers and chances of an attack, or what its die leads to",
    OddsRules(
        combat.engage,
        combat.refusals,
        chart=combat.table_of,
        fight=combat.fight,
        rules=BattleNumbers(die="6.3", table="6.0", result="6.4", retreat="6.5", pursuit="6.6"),
        strengths=StrengthNumbers(strength="6.1", supply="6.2", stacking="6.5", must="6.0"),
        following=Following("advance", "advance"),
        places=lone_fortresses,
    ),
    {"die": "the die on the Combat Results Table", "attacker.pay": "the units that the attacker eliminates"},
)
