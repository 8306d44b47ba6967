"""One counter of the palette and its copies in set-ups are one unit of the roster with a count; and which state a layer begins with."""

from __future__ import annotations

import csv
import io
import os
import tempfile
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.faces.cli.main import cli as assistant
from assistant.formats.notation import read_notation
from assistant.formats.vassal.containers import write_container
from assistant.formats.vassal.pieces import Piece, write_definition
from assistant.formats.vassal.traits import LayerTrait, Trait, keystroke
from assistant.game.games import Game, read_game
from assistant.installed.registry import named_game
from assistant.service import read
from module_builder.counters.pieces import design_counters
from module_builder.importing.game import import_module
from module_builder.importing.pieces import OFF, PieceLayer, read_piece
from module_builder.vassal.elements import MODULE, WIDGET, add

from ...cases import examples, thorough
from . import identical
from .foreign import DISRUPTED, STEPS, build_file, packed, unit
from .identical import Lying, lying, save

ALONE = Piece("null", (Trait("piece;;;front.png;Ferry"),))


def imported(data: bytes, folder: Path) -> Game:
    (folder / "module.vmod").write_bytes(data)
    import_module(folder / "module.vmod", folder / "game")
    return read_game("game", folder / "game")


def rows(game: Game) -> dict[str, dict[str, str]]:
    with (Path(str(game.folder)) / "roster.csv").open(encoding="utf-8") as file:
        return {row["unit"]: row for row in csv.DictReader(file)}


def stacked(*pieces: Sequence[Piece]) -> bytes:
    """A module without set-ups that begins with stacks of pieces, each with a slot of its own."""
    blue = [unit("1st", "front.png", Strength="4"), unit("3rd", "front.png", Strength="4")]
    root = build_file({"Blue": blue, "Red": [unit("2nd", "other.gif", Strength="3")]})
    root.remove(next(root.iter(f"{MODULE}PredefinedSetup")))
    main = next(map for map in root.iter(f"{MODULE}Map") if map.get("mapName") == "Main")
    slot = 90
    for number, some in enumerate(pieces):
        at = {"x": "129", "y": str(230 + 80 * number), "useGridLocation": "false"}
        stack = add(main, f"{MODULE}map.SetupStack", name=f"s{number}", owningBoard="Land", **at)
        for piece in some:
            slot += 1
            add(
                stack,
                f"{WIDGET}PieceSlot",
                write_definition(piece._replace(slot=str(slot))),
                entryName=piece.name,
                gpid=str(slot),
            )
    return packed(root)


def test_copies_that_lie_on_the_map_at_the_start_are_the_palettes_counters(tmp_path: Path) -> None:
    first, other = unit("1st", "front.png", Strength="4"), unit("2nd", "other.gif", Strength="3")
    game = imported(stacked([first, first], [other, ALONE]), tmp_path)
    assert dict(game.counters) == {"1st": 2, "3rd": 1, "2nd": 1, "Ferry": 1}
    found = rows(game)
    assert [(row["count"], row["nation"]) for row in found.values()] == [
        ("2", "blue"),
        ("", "blue"),
        ("", "red"),
        ("", ""),
    ]
    start = Path(str(game.folder)) / "setups/at-start.pos"
    state = read_notation(start.read_bytes(), start.name, lambda _: game).state
    assert {unit.id for unit in state.units.values()} == {"1st", "1st (2)", "2nd", "Ferry"}
    assert len({unit.place for unit in state.units.values()}) == 2
    assert sorted(counter.count for counter in design_counters(game)) == [1, 1, 1, 2]


def test_what_differs_in_a_constant_or_a_trait_is_another_counter(tmp_path: Path) -> None:
    pieces = [
        unit("1st", "front.png", Strength="4"),
        unit("1st", "front.png", Strength="4"),
        unit("1st", "front.png", Strength="5"),
        unit("1st", "front.png", turns=False, Strength="4"),
    ]
    root = build_file({"Blue": pieces, "Red": [unit("1st", "front.png", Strength="4")]})
    root.remove(next(root.iter(f"{MODULE}PredefinedSetup")))
    game = imported(packed(root), tmp_path)
    assert dict(game.counters) == {"1st": 2, "1st (3)": 1, "1st (4)": 1, "1st (Red)": 1}


PARTS = st.lists(st.integers(0, 3), min_size=len(identical.SLOTS), max_size=len(identical.SLOTS))


def some_of(most: Sequence[int]) -> list[Lying]:
    """The counters at the start, of each slot so many at most."""
    held, found = Counter[int](), list[Lying]()
    for one in lying():
        if held[one.number] < most[one.number - 1]:
            found.append(one)
            held[one.number] += 1
    return found


@thorough
@settings(max_examples=examples(5))
@given(parts=st.lists(PARTS, min_size=1, max_size=3))
def test_a_counter_is_there_as_often_as_in_the_set_up_with_most_of_it(parts: list[list[int]]) -> None:
    setups = [some_of(part) for part in parts]
    with tempfile.TemporaryDirectory() as held, patch.dict(os.environ, FIELD_STAFF_DATA=f"{held}/data"):
        with zipfile.ZipFile(io.BytesIO(identical.module(setups=len(parts)))) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        files |= {f"start{number}.vsav": save(some) for number, some in enumerate(setups)}
        game = imported(write_container(files), Path(held))
        most = Counter[int]()
        for some in setups:
            most |= Counter(one.number for one in some)
        assert [*game.counters.values()] == [max(most[number], 1) for number in range(1, len(identical.SLOTS) + 1)]
        folder = Path(str(game.folder))
        adopted = CliRunner().invoke(assistant, ["adopt", f"{held}/module.vmod", "--game", str(folder)])
        assert adopted.exit_code == 0, adopted.output
        for number, some in enumerate(setups):
            file = folder / f"setups/the-start-{number}.pos"
            wanted = read_notation(file.read_bytes(), file.name, lambda _: named_game(str(folder))).state
            (Path(held) / "game.vsav").write_bytes(save(some))
            found = read(f"{held}/game.vsav").state
            assert {unit.id: unit.place for unit in found.units.values()} == {
                unit.id: unit.place for unit in wanted.units.values()
            }


def layer(type: str, state: str) -> PieceLayer:
    pictures: Any = SimpleNamespace(size=lambda _: (50, 50), list_facts=lambda _: {})
    (found,) = read_piece(Piece("1", (Trait(type, state), Trait("piece;;;;Guards"))), pictures).layers
    return found


@pytest.mark.parametrize(
    ("type", "state", "level", "word"),
    [
        (STEPS.type, "1", 1, OFF),
        (STEPS.type, "2", 2, "two"),
        (STEPS.type, "-2", 0, OFF),
        (DISRUPTED, "1", 1, "disrupted"),
        (DISRUPTED, "-1", 0, OFF),
    ],
)
def test_a_layer_begins_at_its_level_and_an_inactive_one_shows_nothing(
    type: str, state: str, level: int, word: str
) -> None:
    found = layer(type, state)
    assert (found.at_first, found.absent) == (level, word)
    assert found.values[0] == word


def test_each_level_has_a_word_of_its_own() -> None:
    levels = LayerTrait(
        "Step", ("a.png", "b.png", "c.png"), ("x-3", "x", "x"), ("Up", keystroke("U")), ("Down", keystroke("G"))
    )
    assert [*layer(levels.type, "1").words.values()] == ["x-3", "x", "x-3-3"]
