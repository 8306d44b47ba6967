"""Luck in words: numbers, places and sentences that a report, a forum and a page have in common."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ...mechanics.distribution import round_percent
from ...util.console import format_count
from ...util.errors import plain
from .evening import BattleLuck, Evening, OtherRolls

METHOD = (
    "A percentile is the chance, of 100, of a worse result, and half the chance of an equal one. "
    "A swing is what the enemy loses less what one's own side loses, in a battle that of the attacker. "
    "The luck of a roll is by how much it moved the expected swing, for the side that threw. "
    "Choices show what was known before and after them; they are not judged."
)
"""What the figures are, below a report."""


def amount(value: Fraction | float | int, *, signed: bool = False) -> str:
    """Return a number with two decimals, whole ones as they are; a sign before it if it is a difference."""
    if isinstance(value, int):
        return f"{value:+}" if signed and value else f"{value}"
    text = f"{float(value):+.2f}" if signed else f"{float(value):.2f}"
    return text.lstrip("+-") if float(text) == 0 else text


def percentile(value: Fraction | None) -> str:
    """Return a percentile as a whole number of 100, 0 and 100 only where they are exact; "" for none."""
    if value is None:
        return ""
    if value in (0, 1):
        return f"{int(value * 100)}"
    return f"{min(max(round_percent(value), 1), 99)}"


def format_side(evening: Evening, side: str) -> str:
    """Return what a side is called, "" for nobody's."""
    return evening.titles.get(side, side)


def format_place(evening: Evening, part: BattleLuck | OtherRolls) -> str:
    """Return when and where in the record something stands: `turn 1, steps 2 to 8`."""
    if not evening.is_log:
        span = f"entry {part.step}"
    elif part.last <= part.step + 1:
        span = f"step {part.last}"
    else:
        span = f"steps {part.step + 1} to {part.last}"
    return ", ".join(filter(None, (part.when, span)))


def format_verdict(evening: Evening) -> Iterator[str]:
    """Yield who was luckier, in a sentence; nothing where no battle counts."""
    if not evening.sides:
        return
    luckier = max(evening.sides, key=lambda side: side.percentile)
    if all(side.percentile == Fraction(1, 2) for side in evening.sides):
        yield "The dice favoured no player."
    else:
        only = "only " if luckier.percentile < Fraction(1, 2) else ""
        place = f"{only}{percentile(luckier.percentile)} of 100 such"
        among = f"on {place} evenings" if luckier.battles > 1 else f"in {place} battles"
        yield f"The {luckier.title} player was luckier than {among}."


def title_of(evening: Evening) -> str:
    """Return what the report is about: how many battles and other rolls, and how many battles are left out."""
    others = sum(len(part.rolls) for part in evening.others) + sum(len(battle.besides) for battle in evening.battles)
    counted = [format_count(len(evening.battles), "battle")]
    if others:
        counted.append(format_count(others, "other roll"))
    return f"Luck in {plain(evening.file)}: {', '.join(counted)}"


def format_left_out(evening: Evening) -> Iterator[tuple[str, str]]:
    """Yield how many battles are left out of all sums, each with its reason, and throws that nothing explains: lines,
    each with the mark before it.
    """
    if evening.left_out:
        all_battles = len(evening.left_out) + len(evening.battles)
        yield "", f"{len(evening.left_out)} of {format_count(all_battles, 'battle')} left out:"
        for battle in evening.left_out:
            when = f" ({battle.when})" if battle.when else ""
            yield "- ", f"{battle.number}. {plain(battle.title)}{when}: {plain(battle.why)}"
    if evening.unexplained:
        yield "", f"{format_count(evening.unexplained, 'throw')} left out, matched to no roll: see `assistant explain`"


def format_method(evening: Evening) -> Iterator[str]:
    """Yield what the figures are; nothing if there are none."""
    if evening.battles or evening.others:
        yield METHOD
