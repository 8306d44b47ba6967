"""Pieces of all sorts: names, levels, properties, stacks and places are those of the engine, also after it has saved them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from msgspec.structs import replace

from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.others.listing import properties
from assistant.formats.vassal.pieces import PieceStack
from assistant.formats.vassal.properties import Carried
from assistant.formats.vassal.saves import Save, read_save, write_save

from ..agreement import differences
from ..test_harness import build_file, module
from .pieces import NAMES, as_newer, piece

PIECES = 150


def scattered(dice: Random) -> Save:
    """A game with many pieces on a few hexes of the tiny module, in stacks and alone."""
    places = [(50, 50), (136, 100), (223, 250), (310, 300), (50, 350), (77, 83)]
    pieces = {str(number): piece(dice, str(number), "Field", dice.choice(places)) for number in range(PIECES)}
    stacks = {}
    for number, at in enumerate(places):
        here = [one.id for one in pieces.values() if one.at == at and dice.random() < 0.8]
        dice.shuffle(here)
        stacks[f"s{number}"] = PieceStack(f"s{number}", tuple(here), "Field", at)
    return Save(
        about=ModuleData("Tiny", "1", "3.6.0", ""),
        boards={"Field": (("Land", 0, 0),)},
        pieces=pieces,
        stacks=stacks,
        players=(("Tester", "Tester", "Red"),),
    )


def test_pieces_are_read_as_the_engine_reads_them(engine: ModuleType, tmp_path: Path) -> None:
    games = {f"{seed}": scattered(Random(seed)) for seed in (1, 2, 3)}
    games["newer"] = replace(games["3"], pieces={id: as_newer(one) for id, one in games["3"].pieces.items()})
    steps: list[dict[str, Any]] = []
    for name, game in games.items():
        start, saved = (tmp_path / f"{name}{what}.vsav" for what in ("", "-saved"))
        start.write_bytes(write_save(game))
        steps += [{"do": "load", "file": start}, {"do": "list", "as": name}, {"do": "save", "file": saved}]
        steps += [{"do": "properties", "names": list(NAMES), "as": f"{name} properties"}]
    file = module(tmp_path, build_file())
    outcome = engine.run(file, steps)
    assert [fault for fault in outcome.faults if "contains a non-number" not in fault] == []  # a layer follows a text
    read = read_module(file.read_bytes())
    for name, game in games.items():
        assert differences(game, read, outcome[name]) == []
        assert differences(read_save((tmp_path / f"{name}-saved.vsav").read_bytes()), read, outcome[name]) == []
        for id, found in outcome[f"{name} properties"].items():
            ours = properties(game.pieces[id], Carried(game.pieces[id].traits))
            assert {name: ours.get(name) for name in NAMES} == found
