"""A stack's retreat by the question `retreat`, hex by hex."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import assistant
from assistant.asking.report import Report
from assistant.formats.positions import Position

from .faults import LONGEST, Fault, stated, thrown
from .holding import broken, on_map

STAY = ("corps-train", "minor-depot", "major-depot", "fort", "fortress")


def retreat(position: Position, random: Random, seen: Counter[str]) -> list[str]:
    """What does not hold after the retreat of a random stack by a random way; only of its last hex may it be too many."""
    places = {str(unit.place) for unit in on_map(position.state) if goes(position, unit.id)}
    if not places:
        return []
    place, cause = random.choice(sorted(places)), random.choice(["crt", "check", "repulse"])
    asked = {"at": place, "hexes": random.randint(1, 3), "cause": cause, "last": True}
    before, report = walked(position, asked, random)
    seen["retreats by `retreat`"] += 1
    crowded = f"{report.result.end}: over-stacked" if report.result.over_stacked else "-"
    return [fault for fault in broken(before, before.after(report.changes)) if not fault.startswith(crowded)]


def goes(position: Position, unit: str) -> bool:
    """Whether a unit can retreat, and not only with others."""
    value = position.state.value
    return value("arm", unit) not in STAY and not value("displaced", unit)


def walked(position: Position, asked: dict[str, Any], random: Random) -> tuple[Position, Report[Any]]:
    """The position with what was asked for, and the report on a retreat by a random way, carried to its end."""
    way: list[str] = []
    answers: dict[str, str] = {}
    for _ in range(LONGEST):
        report = assistant.ask(position, "retreat", answers, **asked, **({"way": way} if way else {}))
        if report.verdict.kind == "undecided" and all(ask.kind == "fact" for ask in report.asks):
            position = assistant.parse("\n".join(map(stated, report.asks)), position)
        elif report.verdict.kind in ("no", "undecided"):
            raise Fault(f"{asked} by {way}: {report}")
        elif report.result.complete and not report.asks:
            return position, report
        elif report.result.complete:
            ask = random.choice(report.asks)
            answers[ask.name] = thrown(ask, random)
        else:
            options = [option.hex for option in report.result.options if not option.barred]
            if not options:
                raise Fault(f"{asked} by {way}: not over, and no hex is open")
            way.append(random.choice(options))
    raise Fault(f"{asked} by {way}: without an end")
