"""The conditions around a clause, whichever way the code states them: none is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.proof.clauses import read_proof

HEAD = """def bars(late: bool, far: bool, hexes, arm: str):
    '''Yield what bars a unit.

    `late`: whether it is late

    `far`: whether it is far

    `hexes`: hexes that count

    Rule: 3.3
    '''
"""
FIRST = HEAD.count("\n") + 1
"""The line of the body's first statement."""
LATE, NOT_LATE, NOT_FAR = "it is late", "it is not late", "it is not far"
EITHER = "either it is not late, or it is not far"


def conditions_of(folder: Path, body: str) -> list[tuple[str | int, ...]]:
    """The conditions of each clause of a function, those without words by their line in the body."""
    lines = [f"    {line}\n" for line in body.strip("\n").split("\n")]
    (folder / "rules.py").write_text(f"{HEAD}{''.join(lines)}", "utf-8")
    clauses = read_proof(folder, {}).clauses
    return [(*clause.when, *(line - FIRST for _, line in clause.unsaid)) for clause in clauses]


SAY = 'yield HexBar("3.3", "it is so")'


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        (f"if late:\n    return\nelif far:\n    return\n{SAY}", [(NOT_LATE, NOT_FAR)]),
        (f"if late:\n    return\nelse:\n    mark()\n{SAY}", [(NOT_LATE,)]),
        (f"if late:\n    mark()\nelse:\n    return\n{SAY}", [(LATE,)]),
        (f"if late:\n    if far:\n        return\n{SAY}", [(EITHER,)]),
        (f"if late:\n    mark()\n{SAY}", [()]),
        (f"if late:\n    mark()\nelse:\n    {SAY}", [(NOT_LATE,)]),
        (f"if late:\n    raise CodeError('no such word')\n{SAY}", [()]),
        (f"if late:\n    raise InputError('at: no such hex')\n{SAY}", [()]),
        (f"if late:\n    raise ValueError\n{SAY}", [(NOT_LATE,)]),
        (f'if arm not in ("", "supply"):\n    {SAY}', [(0,)]),
        (
            f'if arm not in ("", "supply", "depot"):\n    {SAY}',
            [(0,)],
        ),
        (
            f"if late and far:\n    return\nif late:\n    {SAY}",
            [(EITHER, LATE)],
        ),
        (f"if late:\n    if late and far:\n        return\n    {SAY}", [(LATE, NOT_FAR)]),
        (f"while late:\n    {SAY}", [(LATE,)]),
        ('return late and step("3.3", "it is so")', [(LATE,)]),
        ('return late or step("3.3", "it is so")', [(NOT_LATE,)]),
        ('return late and not far and step("3.3", "it is so")', [(LATE, NOT_FAR)]),
        (
            f"for at in hexes:\n    if late:\n        return\n{SAY}",
            [(0,)],
        ),
        (
            f"for at in hexes:\n    if late:\n        break\nelse:\n    {SAY}",
            [(0,)],
        ),
        (
            f"for at in hexes:\n    if late:\n        continue\n    {SAY}",
            [(0, 1)],
        ),
        (
            f'match arm:\n    case "supply":\n        {SAY}\n    case "depot" | "train":\n        {SAY}\n    case _:\n        {SAY}',
            [
                ("the arm is supply",),
                ("either the arm is depot, or the arm is train",),
                ("the arm is not supply", "the arm is not depot", "the arm is not train"),
            ],
        ),
        (
            f'match arm, late:\n    case "supply", True:\n        return\n{SAY}',
            [("either the arm is not supply, or it is not late",)],
        ),
        (f'match arm:\n    case "supply" if late:\n        {SAY}', [("the arm is supply", LATE)]),
        (f"match arm:\n    case [first, *_]:\n        {SAY}", [(1,)]),
        (
            f"try:\n    read()\nexcept InputError:\n    return\nelse:\n    {SAY}",
            [(2,)],
        ),
        (f"try:\n    read()\nexcept InputError:\n    {SAY}", [(2,)]),
        (f"try:\n    read()\nexcept InputError:\n    return\n{SAY}", [(0,)]),
        (f"while late:\n    if far:\n        return\n{SAY}", [(0,)]),
        (f"if late:\n    def inner():\n        {SAY}", [(LATE,)]),
    ],
)
def test_every_condition_is_stated_or_named_by_its_line(
    tmp_path: Path, body: str, conditions: list[tuple[str | int, ...]]
) -> None:
    assert conditions_of(tmp_path, body) == conditions
