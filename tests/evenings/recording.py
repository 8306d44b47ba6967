"""An evening played and its verdicts written into it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from assistant.installed.registry import make_game_loader
from assistant.records.referee.cases import CaseAnswer, play
from assistant.records.referee.files import Head, parse_suite, read_value_path, values_at

from ..referee.writing import expected_lines
from ..released import PROMISE

FOLDER = PROMISE / "evenings"
ENDING = ".evening"
MOST_CHANGES = 60
"""How many changes of an answer are recorded at most; of more only their number is."""


class Verdict(NamedTuple):
    """What is recorded of a question. asked: as it stands in the file; line: of the file; said: its lines."""

    asked: str
    line: int
    said: tuple[str, ...]


def evenings() -> list[Path]:
    """The files of all evenings."""
    return sorted(FOLDER.glob(f"*/*{ENDING}"))


def name_of(file: Path) -> str:
    """What the changelog calls an evening."""
    return f"{file.parent.name}/{file.stem}"


def without_verdicts(text: str) -> list[str]:
    """The lines of an evening without what is recorded in it."""
    lines, goes_on = list[str](), False
    for line in text.splitlines():
        if not goes_on and not line.startswith("expect "):
            lines.append(line)
            continue
        goes_on = line.rstrip().endswith(",")
    return lines


def recorded(text: str, name: str) -> str:
    """An evening with the verdicts that the program gives now. name: what messages call it. Raises InputError for one that cannot be
    played.
    """
    lines = without_verdicts(text)
    ends = list(ends_of_questions(lines))
    held = "\n".join(line + "\nexpect verdict: yes" * (at in ends) for at, line in enumerate(lines))
    head, (case,) = (part if isinstance(part, Head) else tuple(part) for part in parse_suite(held, name))
    said = {
        end: lines_of(answer)
        for end, (_, answer) in zip(ends, play(head, case, make_game_loader(pack="none")), strict=False)
    }
    return "\n".join(part for at, line in enumerate(lines) for part in (line, *said.get(at, ()))) + "\n"


def ends_of_questions(lines: list[str]) -> Iterator[int]:
    """The last line of each question with its answers."""
    for at, line in enumerate(lines):
        follows = lines[at + 1] if at + 1 < len(lines) else ""
        if line.startswith(("ask ", "do ", "answers ")) and not follows.startswith("answers "):
            yield at


def lines_of(answer: CaseAnswer) -> list[str]:
    """What is recorded of an answer."""
    if answer.report is None:
        return ["expect verdict: refused"]
    lines = expected_lines("verdict", answer.report.verdict.kind)
    for name in ("figures", "asks", "changes"):
        values = values_at(answer.report, read_value_path(name))
        if len(values) > MOST_CHANGES:
            continue
        lines += expected_lines(name, values) if values else []
    return lines


def verdicts(text: str) -> list[Verdict]:
    """The questions of an evening with the verdicts that are recorded; one that was just typed has none."""
    found, goes_on = list[Verdict](), False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(("ask ", "do ")):
            found.append(Verdict(line.partition(" ")[2], number, ()))
        elif goes_on:
            last = found[-1]
            found[-1] = last._replace(said=(*last.said[:-1], f"{last.said[-1]} {line.strip()}"))
        elif line.startswith("expect "):
            found[-1] = found[-1]._replace(said=(*found[-1].said, line.removeprefix("expect ")))
        goes_on = line.rstrip().endswith(",") and (goes_on or line.startswith("expect "))
    return found


def changes_of(before: str, after: str) -> Iterator[tuple[Verdict, Verdict]]:
    """The verdicts that differ between two recordings of an evening."""
    pairs = zip(verdicts(before), verdicts(after), strict=True)
    yield from ((old, new) for old, new in pairs if _in_any_order(old) != _in_any_order(new))


def _in_any_order(verdict: Verdict) -> list[tuple[str, list[str]]]:
    """What is recorded, its figures in an order of their own: they are found by their names."""
    said = [line.partition(": ") for line in verdict.said]
    return [(name, sorted(values.split(", ")) if name == "figures" else [values]) for name, _, values in said]


def worded(name: str, old: Verdict, new: Verdict) -> str:
    """A changed verdict in words: what was recorded, and what the program says now."""
    was, now = (
        "; ".join(line for line in said if line not in other)
        for said, other in ((old.said, new.said), (new.said, old.said))
    )
    return f"{name}, line {new.line}: {new.asked}\n  {was or 'nothing'}\n  -> {now or 'nothing'}"
