"""What both players let stand: steps of a record that are judged no more, in a file beside it.

A line of the file has the number of the step and what was done, as a review words it. Lines that begin with `#` are
comments.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...util.errors import InputError, Where
from ...util.files import numbered_lines
from ...util.texts import natural
from ...util.writing import write_whole
from .marks import Mark

SUFFIX = ".review"
"""The suffix that is added to the name of a record's file."""
_MAX_LISTED_STEPS = 12
"""The maximum number of steps that an error lists."""


class Agreed(NamedTuple):
    """Something that a step did and that both players let stand."""

    step: int
    what: str
    """The action, as its mark words it."""


def agreed_file(record: str, side: str = "") -> Path:
    """Return the file beside a record that lists what the players let stand.

    `side`: the side to whose knowledge the review is limited, or "". Its steps have other numbers.
    """
    return Path(".".join(filter(None, (record, side))) + SUFFIX)


def read_agreed(file: Path) -> list[Agreed]:
    """Return what the players let stand, or [] if there is no such file.

    Raises InputError if the file cannot be read.
    """
    if not file.is_file():
        return []
    return [
        _read_line(line, Where(str(file), number))
        for number, line in numbered_lines(file)
        if line.strip() and not line.startswith("#")
    ]


def _read_line(line: str, where: Where) -> Agreed:
    number, _, what = line.strip().partition(" ")
    step = natural(number)
    if step is None or not what.strip():
        raise InputError(
            "a line has the number of a step and what was done",
            where=where,
            hint="delete the line and agree on the step again",
        )
    return Agreed(step, what.strip())


def write_agreed(file: Path, record: str, agreed: Iterable[Agreed]) -> None:
    """Write what the players let stand in a record, in the order of its steps.

    Raises InputError if the file cannot be written.
    """
    lines = [f"# What both players let stand in {Path(record).name}", *(f"{it.step} {it.what}" for it in agreed)]
    write_whole(file, ("\n".join(lines) + "\n").encode(), force=True)


def mark_agreed(marks: Iterable[Mark], agreed: Collection[Agreed]) -> list[Mark]:
    """Return the marks; what was agreed on and is against a rule or undecided is marked so."""
    return [
        msgspec.structs.replace(mark, judgement="agreed")
        if mark.judgement in ("against", "undecided") and (mark.step, mark.what) in agreed
        else mark
        for mark in marks
    ]


def agree_on_steps(marks: Sequence[Mark], steps: Collection[int]) -> list[Agreed]:
    """Return the agreements on the actions in these steps that break a rule or are undecided.

    Raises InputError if a step has no such action.
    """
    doubtful = [mark for mark in marks if mark.judgement in ("against", "undecided")]
    for step in steps:
        if all(mark.step != step for mark in doubtful):
            numbers = dict.fromkeys(str(mark.step) for mark in doubtful)
            raise InputError(
                f"step {step} did nothing that is against a rule or undecided",
                hint=f"steps that did: {', '.join([*numbers][:_MAX_LISTED_STEPS])}"
                if numbers
                else "nothing is left to agree on",
            )
    return [Agreed(mark.step, mark.what) for mark in doubtful if mark.step in steps]


def list_unknown(marks: Iterable[Mark], agreed: Iterable[Agreed]) -> list[Agreed]:
    """Return the lines that fit nothing a step did, for example since the record has changed."""
    done = {(mark.step, mark.what) for mark in marks}
    return [line for line in agreed if line not in done]
