"""What must not happen, dice and choices at random, and facts that are missing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

from assistant.asking.asks import Ask

LONGEST = 120
"""Answers after which something counts as one without an end."""


class Fault(AssertionError):
    """Something that must not happen in a combat."""


def thrown(ask: Ask, random: Random) -> str:
    """Dice or an option for what is pending."""
    if ask.kind == "roll":
        number, _, sides = ask.dice.partition("d")
        return "+".join(str(random.randint(1, int(sides))) for _ in range(int(number or 1)))
    if ask.kind == "choice" and ask.options:
        return random.choice(ask.options)
    raise Fault(f"neither dice nor a choice is pending: {ask.kind} {ask.name}: {ask.how}")


def stated(ask: Ask) -> str:
    """The first way to state a fact that is missing."""
    subject, _, values = ask.how.rpartition(" ")
    if values == "with=...":
        values = f"with={ask.title.rpartition(' or ')[2]}"  # the formations that an Asset Unit may belong to
    return f"{subject} {values.partition('|')[0]}"


def with_stated(text: str, asks: Iterable[Ask]) -> str:
    """A position with the facts that are missing; a formation that is gone gives way to the one that its Asset Unit joins now."""
    lines = [stated(ask) for ask in asks]
    for line in lines:
        unit, joins, _ = line.partition(" with=")
        if joins:
            text = re.sub(rf"((?<= ){re.escape(unit)} [^,\n]*?) with=[^\s,]+", r"\1", text)
    return "\n".join([text.rstrip(), *lines, ""])
