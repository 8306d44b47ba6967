"""The turns of the campaign, counted by hand: seven a month with a special turn, numbered 0, at its beginning, from turn 1 of August 1914."""

from __future__ import annotations

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
LABELS = [
    f"{MONTHS[month]}{year}/{turn}"
    for year in range(14, 19)
    for month in range(12)
    for turn in range(8)
    if (year, month, turn) >= (14, 7, 1) and (year, month, turn) <= (18, 10, 3)
]
"""All turns to turn 3 of November 1918."""


def number(label: str) -> int:
    """The place of a turn among all."""
    return LABELS.index(label)


def month_of(label: str) -> str:
    """The month of a turn, such as mar16."""
    return label.split("/")[0]


def turn_of(label: str) -> int:
    """The number of a turn in its month."""
    return int(label.split("/")[1])


def year_of(label: str) -> int:
    """The year of a turn, such as 16."""
    return int(label[3:5])


def month_number(label: str) -> int:
    """The months since January 1914."""
    return (year_of(label) - 14) * 12 + MONTHS.index(label[:3])


def first_of(months: int) -> str:
    """The first turn of a month counted from January 1914, "" after the campaign."""
    label = f"{MONTHS[months % 12]}{14 + months // 12}/1"
    return label if label in LABELS else ""


def later(label: str, turns: int) -> str:
    """The turn so many turns later, special turns not counted; "" after the campaign."""
    regular = [each for each in LABELS if turn_of(each)]
    at = regular.index(label) + turns
    return regular[at] if at < len(regular) else ""
