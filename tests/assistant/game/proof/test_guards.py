"""The conditions around a clause, whichever way the code states them: none is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.proof.clauses import read_proof

NOT_SHOWN = "a condition holds that no words here show (line {line} of rules.py)"


def conditions_of(folder: Path, body: str) -> list[tuple[str, ...]]:
    """The conditions of each clause of a function."""
    lines = [f"    {line}\n" for line in body.strip("\n").split("\n")]
    (folder / "rules.py").write_text(
        f"def bars(late: bool, far: bool, hexes, arm: str):\n    'Rule: 3.3'\n{''.join(lines)}", "utf-8"
    )
    return [clause.when for clause in read_proof(folder, {}, {}).clauses]


SAY = 'yield HexBar("3.3", "it is so")'


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        (f"if late:\n    return\nelif far:\n    return\n{SAY}", [('"late" does not hold', '"far" does not hold')]),
        (f"if late:\n    return\nelse:\n    mark()\n{SAY}", [('"late" does not hold',)]),
        (f"if late:\n    mark()\nelse:\n    return\n{SAY}", [('"late" holds',)]),
        (f"if late:\n    if far:\n        return\n{SAY}", [('either "late" does not hold, or "far" does not hold',)]),
        (f"if late:\n    mark()\n{SAY}", [()]),
        (f"if late:\n    mark()\nelse:\n    {SAY}", [('"late" does not hold',)]),
        (f"if late:\n    raise CodeError('no such word')\n{SAY}", [()]),
        (f"if late:\n    raise InputError('at: no such hex')\n{SAY}", [()]),
        (f"if late:\n    raise ValueError\n{SAY}", [('"late" does not hold',)]),
        (f'if arm not in ("", "supply"):\n    {SAY}', [("the arm is stated to be other than supply",)]),
        (
            f'if arm not in ("", "supply", "depot"):\n    {SAY}',
            [("the arm is stated to be other than supply or depot",)],
        ),
        (
            f"if late and far:\n    return\nif late:\n    {SAY}",
            [('either "late" does not hold, or "far" does not hold', '"late" holds')],
        ),
        (f"if late:\n    if late and far:\n        return\n    {SAY}", [('"late" holds', '"far" does not hold')]),
        (f"while late:\n    {SAY}", [('"late" holds',)]),
        ('return late and step("3.3", "it is so")', [('"late" holds',)]),
        ('return late or step("3.3", "it is so")', [('"late" does not hold',)]),
        ('return late and not far and step("3.3", "it is so")', [('"late" holds', '"far" does not hold')]),
        (
            f"for at in hexes:\n    if late:\n        return\n{SAY}",
            [('for no hex of the hexes: "late" holds',)],
        ),
        (
            f"for at in hexes:\n    if late:\n        break\nelse:\n    {SAY}",
            [('for no hex of the hexes: "late" holds',)],
        ),
        (
            f"for at in hexes:\n    if late:\n        continue\n    {SAY}",
            [("taking each hex of the hexes in turn", '"late" does not hold')],
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
            [('either the arm is not supply, or "late" does not hold',)],
        ),
        (f'match arm:\n    case "supply" if late:\n        {SAY}', [("the arm is supply", '"late" holds')]),
        (f"match arm:\n    case [first, *_]:\n        {SAY}", [(NOT_SHOWN.format(line=4),)]),
        (
            f"try:\n    read()\nexcept InputError:\n    return\nelse:\n    {SAY}",
            [(NOT_SHOWN.format(line=5),)],
        ),
        (f"try:\n    read()\nexcept InputError:\n    {SAY}", [(NOT_SHOWN.format(line=5),)]),
        (f"try:\n    read()\nexcept InputError:\n    return\n{SAY}", [(NOT_SHOWN.format(line=3),)]),
        (f"while late:\n    if far:\n        return\n{SAY}", [(NOT_SHOWN.format(line=3),)]),
        (f"if late:\n    def inner():\n        {SAY}", [('"late" holds',)]),
    ],
)
def test_every_condition_is_stated_or_named_as_not_shown(
    tmp_path: Path, body: str, conditions: list[tuple[str, ...]]
) -> None:
    assert conditions_of(tmp_path, body) == conditions
