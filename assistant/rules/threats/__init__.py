"""The question `threat`: what the enemy can do next, by a game's rules of moves, attacks and supply."""

from .question import threat_question
from .terms import (
    Attacker,
    Check,
    ColumnReached,
    Danger,
    Phases,
    PossibleAttack,
    PossibleAttacks,
    SupplyState,
    ThreatAsked,
    ThreatNumbers,
    ThreatRules,
)

__all__ = [
    "Attacker",
    "Check",
    "ColumnReached",
    "Danger",
    "Phases",
    "PossibleAttack",
    "PossibleAttacks",
    "SupplyState",
    "ThreatAsked",
    "ThreatNumbers",
    "ThreatRules",
    "threat_question",
]
