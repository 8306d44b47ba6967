"""Calculated properties and names: what the assistant works out is what the engine works out."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType

from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.properties import Carried
from assistant.formats.vassal.saves import Save, write_save
from assistant.formats.vassal.traits import LabelTrait, LayerTrait, Trait, marker_trait

from ..test_harness import build_file, module

COUNT = 400
VALUES = {
    "One": "1",
    "Five": "5",
    "Minus": "-3",
    "Empty": "",
    "Name": "Guards",
    "Ratings": "5-3",
    "Yes": "true",
    "No": "false",
}
STEPS = LayerTrait("Steps", ("", "pawn.png"), ("full", "+ (worn)")).type


def expression(dice: Random, depth: int = 0) -> str:
    """An expression of what is worked out, most of them such that the engine can work them out too."""
    number, text, truth = (one(dice, depth) for one in (_number, _text, _truth))
    return dice.choice([number, text, truth, f"({truth}) ? {number} : {text}", f"If({truth}, {text}, {number})"])


def _number(dice: Random, depth: int) -> str:
    if depth > 2 or dice.random() < 0.4:
        return dice.choice(["One", "Five", "Minus", "0", "7", "12", "Empty", "Steps_Level", 'GetProperty("Five")'])
    return f"({_number(dice, depth + 1)} {dice.choice('+-*/%')} {_number(dice, depth + 1)})"


def _text(dice: Random, depth: int) -> str:
    if depth > 2 or dice.random() < 0.4:
        return dice.choice(
            [
                '"a"',
                '""',
                "Name",
                "Ratings",
                "Empty",
                '"x \\"y\\""',
                "Steps_Name",
                "BasicName",
                "Yes",
            ]
        )
    part = dice.choice([_text, _number, _truth])
    return f"({_text(dice, depth + 1)} + {part(dice, depth + 1)})"


def _truth(dice: Random, depth: int) -> str:
    if depth > 2 or dice.random() < 0.3:
        return dice.choice(
            [
                "Yes",
                "No",
                "true",
                "false",
                'Name.contains("uar")',
                'Ratings.startsWith("5")',
                'Name.equals("x")',
                "Steps_Active",
            ]
        )
    one, other = (dice.choice([_number, _text])(dice, depth + 1) for _ in "ab")
    compared = f"({one} {dice.choice(['==', '!=', '<', '>', '<=', '>='])} {other})"
    joined = f"({_truth(dice, depth + 1)} {dice.choice(['&&', '||'])} {_truth(dice, depth + 1)})"
    return dice.choice([compared, joined, f"!{compared}", _truth(dice, 3)])


def test_what_is_worked_out_is_what_the_engine_has(engine: ModuleType, tmp_path: Path) -> None:
    dice = Random(1914)
    written = {f"P{number}": expression(dice) for number in range(COUNT)}
    calculated = (Trait(f"calcProp;{name};{{{text}}};x", "") for name, text in written.items())
    traits = (*calculated, Trait(STEPS, "2"), marker_trait(VALUES), Trait("piece;;;pawn.png;Pawn"))
    labels = ["$Five$ of $Name$", '{Name + " " + Five}', "$Steps_Name$", "05", "plain"]
    named = {
        f"n{number}": Piece(f"n{number}", (Trait(LabelTrait("note", "").type, text), *traits[-3:]), "Field", (50, 50))
        for number, text in enumerate(labels)
    }
    game = Save(
        about=ModuleData("Tiny", "1", "3.6.0", ""),
        boards={"Field": (("Land", 0, 0),)},
        pieces={"1": Piece("1", traits, "Field", (50, 50)), **named},
    )
    start = tmp_path / "start.vsav"
    start.write_bytes(write_save(game))
    asked = [
        {"do": "load", "file": start},
        {"do": "list", "as": "list"},
        {"do": "properties", "piece": "1", "names": [*written], "as": "told"},
    ]
    outcome = engine.run(module(tmp_path, build_file()), asked)
    carried = Carried(traits)
    ours = {name: value for name in written if (value := carried.get(name)) is not None}
    assert {written[name]: value for name, value in ours.items()} == {
        written[name]: outcome["told"][name] for name in ours
    }
    assert len(ours) > COUNT * 0.6
    assert {id: piece.name for id, piece in named.items()} == {id: outcome["list"].piece(id).name for id in named}
