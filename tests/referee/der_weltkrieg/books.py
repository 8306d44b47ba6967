"""What each nation receives turn by turn, from the rulebook alone: supply points, replacements by origin, points for lack of imports."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from .calendar import LABELS, MONTHS, later, month_number, number, turn_of, year_of

Facts = Mapping[tuple[str, str], str]
"""Turns in which something has happened to a nation: by nation and `shaken`, `collapse`, `surrender` or `enters`; and counters."""
TRANSCRIPTION = Path(__file__).parents[2] / "der_weltkrieg/transcription/arrivals.csv"
ROTATION = (
    ("rpl", 4),
    ("rpl", 3),
    ("rpl-croat", 2),
    ("rpl-czech", 2),
    ("rpl", 4),
    ("rpl-croat", 4),
    ("rpl", 3),
    ("rpl-polish", 2),
)
"""Origin and strength of Austro-Hungarian replacements, in turn (6-24)."""
ORIGINS = {"RPL (Pol)": "rpl-polish", "RPL (Cz)": "rpl-czech"}
"""The accounts of replacements that the schedules name."""
ODD, EVEN = (1, 3, 5, 7), (2, 4, 6)


def is_odd(label: str) -> bool:
    """Whether a month is odd: January is the first."""
    return MONTHS.index(label[:3]) % 2 == 0


def state(nation: str, label: str, facts: Facts) -> str:
    """How a nation stands in a turn: a level counts from the turn after the one in which it was reached."""
    for level in ("surrender", "collapse", "shaken"):
        when = facts.get((nation, level))
        if when and number(label) > number(when):
            return level
    return ""


def full_months(label: str, since: str) -> int:
    """How many full months have begun since a turn, the one that begins now counted."""
    return month_number(label) - month_number(since)


def supply_points(nation: str, label: str, facts: Facts) -> int:
    """The supply points of a turn by the rules of the nation; the first turn of the month has them."""
    if turn_of(label) != 1:
        return 0
    level, month, year, odd = state(nation, label, facts), label[:3], year_of(label), is_odd(label)
    dated = (year, MONTHS.index(month))
    quarter = month in ("jan", "apr", "jul", "oct")
    match nation:
        case "german" if dated >= (14, 11):
            usual = 10 if dated <= (15, 0) else 40 if odd else 35
            return {"": usual, "shaken": 30 if quarter else 25, "collapse": 15}.get(level, 0)
        case "british" if dated >= (15, 0):
            usual = 5 if dated <= (15, 10) else 10 if dated <= (16, 5) else 15 if year <= 17 else 20
            return {"": usual, "shaken": 10 if year <= 17 else 15, "collapse": 5}.get(level, 0)
        case "british" if dated == (14, 11):
            return {"shaken": 10, "collapse": 5}.get(level, 0)
        case "french" if dated >= (14, 11):
            usual = 7 if dated <= (15, 0) else 25
            return {"": usual, "shaken": 20 if odd else 15, "collapse": 5}.get(level, 0)
        case "austro-hungarian" if dated >= (15, 0):
            return {"": 25, "shaken": 20 if odd else 15, "collapse": 5}.get(level, 0)
        case "russian" if dated >= (14, 11):
            return {"": 20, "shaken": 15, "collapse": 5}.get(level, 0)
        case "italian" if (entered := facts.get((nation, "enters"))) and full_months(label, entered) >= 1:
            return {"": 10, "shaken": 10 if odd else 5, "collapse": 5}.get(level, 0)
        case "serbian" if dated >= (15, 0) and quarter and not has_begun("game", "serbia-fell", label, facts):
            return 5
        case "romanian" if is_romania_in(label, facts, 4) and quarter:
            return 5
        case "american" if dated >= (17, 4):
            return 5 if dated <= (18, 3) else 10
    return 0


def has_begun(who: str, what: str, label: str, facts: Facts) -> bool:
    """Whether something has happened before a turn."""
    when = facts.get((who, what))
    return bool(when) and number(label) > number(str(when))


def is_romania_in(label: str, facts: Facts, months: int) -> bool:
    """Whether Romania has been in the war for so many full months, and neither it nor Russia has surrendered (7-13, 13-7)."""
    entered = facts.get(("romanian", "enters"))
    out = any(has_begun(who, "surrender", label, facts) for who in ("romanian", "russian"))
    return bool(entered) and not out and full_months(label, str(entered)) >= months


def replacements(nation: str, label: str, facts: Facts) -> list[tuple[str, int]]:
    """The replacements of a turn one by one, as account and strength, before those of another origin take their place."""
    turn, level, year = turn_of(label), state(nation, label, facts), year_of(label)
    month, odd, dated = label[:3], is_odd(label), (year_of(label), MONTHS.index(label[:3]))
    if not turn or level == "surrender":
        return []
    few = turn in (1, 5) if not odd else turn == 1
    usual: tuple[int, ...]
    match nation:
        case "german" if dated >= (14, 11):
            usual = (1, 3, 4, 5, 7) if dated == (14, 11) else (1, 2, 3, 5, 6, 7)
            come = {"": turn in usual, "shaken": turn in ODD, "collapse": few}[level]
            return [("rpl", 5)] * come
        case "british" if dated >= (14, 11):
            usual = (6,) if dated <= (16, 5) else (1, 3, 5, 6)
            come = {"": turn in usual, "shaken": turn in EVEN, "collapse": turn == 1}[level]
            if come and turn == 6 and dated >= (15, 1) and month in ("feb", "may", "aug", "nov"):
                return [("rpl-canadian", 4)]
            if come and turn == 6 and dated >= (16, 2) and month in ("mar", "jun", "sep", "dec"):
                return [("rpl-australian", 4)]
            return [("rpl", 5)] * come
        case "french" if dated >= (14, 11):
            usual = ODD if month in ("mar", "jun", "sep", "dec") else (1, 3, 4, 5, 7)
            return [("rpl", 4)] * {"": turn in usual, "shaken": turn in EVEN, "collapse": turn == 1}[level]
        case "austro-hungarian" if dated >= (15, 0):
            usual = (1, 3, 4, 5, 7) if odd else (1, 2, 3, 5, 6, 7)
            return [("rotation", 1)] * {"": turn in usual, "shaken": turn in EVEN, "collapse": few}[level]
        case "russian" if dated >= (14, 11):
            count = {"": 1 if turn in ODD else 2, "shaken": 1, "collapse": int(turn in EVEN)}[level]
            second = turn in ((2, 6) if level else EVEN) and count and not facts.get(("game", "divisions-complete"))
            return [("rpl", 3)] * (count - bool(second)) + [("rpl-second", 2)] * bool(second)
        case "italian" if (entered := facts.get((nation, "enters"))) and full_months(label, entered) >= 1:
            infantry = {"": turn in (2, 6), "shaken": turn in ((1, 5) if odd else (1,)), "collapse": turn == 1}[level]
            mountain = not odd and turn == {"": 4, "shaken": 5}.get(level)
            return [("rpl", 3)] * infantry + [("rpl-mountain", 3)] * mountain
        case "serbian" if dated >= (15, 0) and not has_begun("game", "serbia-fell", label, facts):
            return [("rpl", 2)] * (turn == 1 and month in ("jan", "apr", "jul", "oct"))
        case "belgian" if 15 <= year <= 17:
            return [("rpl", 4)] * (turn == 1 and month in ("jan", "jul"))
        case "romanian" if is_romania_in(label, facts, 4):
            return [("rpl", 2)] * (turn == 1 and month not in ("jan", "apr", "jul", "oct"))
        case "american" if dated >= (18, 6):
            return [("rpl", 5)] * (turn == 1)
    return []


@cache
def scheduled() -> Mapping[tuple[str, str], tuple[tuple[str, int], ...]]:
    """Supply points and replacements of the reinforcement schedules (29), from the second transcription, by nation and turn."""
    rows: dict[tuple[str, str], list[tuple[str, int]]] = {}
    with open(TRANSCRIPTION, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["action"] != "arrive":
                continue
            key = row["nation"], row["at"]
            if row["item"] == "rpl":
                account = "rpl-tank" if row["branch"] == "Tank" else ORIGINS.get(row["designation"], "rpl")
                rows.setdefault(key, []).append((account, int(row["strength"]) * int(row["count"] or 1)))
            elif row["sp"].isdigit():
                rows.setdefault(key, []).append(("sp", int(row["sp"])))
    return {key: tuple(values) for key, values in rows.items()}


def after_entry(nation: str, label: str, facts: Facts) -> list[tuple[str, int]]:
    """What the schedules bring so many turns after Romania has entered the war (29-9, 29-11)."""
    entered = facts.get(("romanian", "enters"))
    if not entered or (nation == "romanian" and not is_romania_in(label, facts, 0)):
        return []
    found = list[tuple[str, int]]()
    for (who, at), values in scheduled().items():
        event, _, turns = at.partition("+")
        if who == nation and event == "romanian.enters" and later(entered, int(turns)) == label:
            found += values
    return found


def received(nations: list[str], first: str, last: str, facts: Facts) -> Counter[tuple[str, str]]:
    """All that nations receive from one turn to another, both counted, by nation and account."""
    total: Counter[tuple[str, str]] = Counter()
    rotation, counted = (
        int(facts.get(("austro-hungarian", "rotation"), "0")),
        int(facts.get(("french", "counted"), "0")),
    )
    for label in LABELS[number(first) : number(last) + 1]:
        for nation in nations:
            extra = [*scheduled().get((nation, label), ()), *after_entry(nation, label, facts)]
            for account, amount in [
                ("sp", supply_points(nation, label, facts)),
                *extra,
                *replacements(nation, label, facts),
            ]:
                if account == "rotation":
                    account, amount = ROTATION[rotation % 8]
                    rotation += 1
                if nation == "french" and account == "rpl":
                    for _ in range(amount // 4):
                        counted += 1
                        total[nation, "rpl" if counted % 10 else "rpl-colonial"] += 4
                    continue
                total[nation, account] += amount
            if turn_of(label) == 0 and month_number(label) >= 12 and not has_begun(nation, "surrender", label, facts):
                total[nation, "dm"] += {"german": 8, "austro-hungarian": 3}.get(nation, 0)
    return +total
