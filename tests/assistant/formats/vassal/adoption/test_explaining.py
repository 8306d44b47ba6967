"""A log of a published module, explained by the reports of its own dice buttons."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from .....cases import thorough
from .adopting import Adopted, run
from .published import example

_STEPS = (
    "CHAT<Ann> - ask battle at=41.19 attacker-ap=3,20 defender-ap=1",
    "CHAT*** Combat = 2,5 *** <Ann>",
    "CHAT* UNDO: ** Step losses = 6 *** <Ann>",
    "CHAT*** Step losses = 3 *** <Ann>",
    "CHAT*** Step losses = 4 *** <Bob>",
    "CHAT<Bob> - *** Combat = 6,6 *** <Bob>",
)


@pytest.fixture
def adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adopted:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    return Adopted(tmp_path)


def log(adopted: Adopted) -> str:
    save = msgspec.structs.replace(example(adopted.module), steps=_STEPS)
    return adopted.save(save)


def test_the_throws_of_its_buttons_answer_the_rolls(adopted: Adopted) -> None:
    said = run("explain", log(adopted)).output
    assert "Dice: crt: 2d6 2+5 = 7; slrt.attacker: 1d6 3; slrt.defender: 1d6 4\n" in said
    assert (
        ": column 1:1 (42 against 23 is 2:1, shifted \u22121 for attackers of 2 corps or independent stacks), Large. 7 on 1:1: no retreat"
        in " ".join(said.split())
    )
    assert "Dice: slrt.attacker: matched by order only" in said


def test_a_button_may_be_for_one_roll(adopted: Adopted) -> None:
    adopted.correct(('"Step losses" = ""', '"Step losses" = "slrt.defender"'))
    said = run("explain", log(adopted)).output
    assert "slrt.defender: 1d6 3; slrt.attacker: 1d6 4" in said


def test_a_button_that_the_mapping_does_not_name_throws_nothing(adopted: Adopted) -> None:
    adopted.correct(('"Combat" = ""', '# "Combat" = ""'))
    said = run("explain", log(adopted)).output
    assert "crt: 2d6" not in said
    assert "Throws of unknown buttons\n- step 2: Combat = 2,5 (Ann)\nTo have them read" in said


def test_the_mapping_of_a_module_of_nearly_the_same_name_is_told(adopted: Adopted) -> None:
    other = example(adopted.module)
    other = msgspec.structs.replace(other, steps=_STEPS, about=other.about._replace(module="The Eastern Front II"))
    said = run("explain", adopted.save(other)).output
    assert f"{adopted.file} is the mapping of The Eastern Front: adopt this module too" in said


@thorough
def test_its_luck_is_told_from_the_same_throws(adopted: Adopted) -> None:
    checks = tuple(f"CHAT*** Combat = {dice} *** <Ann>" for dice in ("2,4", "1,4", "6,6"))
    save = msgspec.structs.replace(
        example(adopted.module), steps=(*_STEPS[:-1], *checks, "CHAT<Ann> - answers losses.attacker=29/20,27/3")
    )
    said = run("luck", adopted.save(save), "--reconstruction", "--umpire").output
    assert "2+5 = 7" in said and "swing (Russian)                           -0.12       0          54" in said
    assert "Rests on rolls matched by the order of the throws only" in said
