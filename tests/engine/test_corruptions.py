"""Would the comparison with the engine notice? Modules and saves are spoilt on purpose, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType

import msgspec
import pytest

from assistant.formats.vassal.containers import write_container
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.formats.vassal.traits import Trait
from assistant.installed.registry import load_game
from module_builder.vassal.module import build_module
from tests.saves import read_container

from .agreement import differences, same_types
from .engine import Outcome, Session

SET_UP = "19-August-1914-East-Prussia.vsav"
SEEDS = (1914, 1915, 1916)


class Sound:
    """The module as it ought to be, and its first set-up."""

    def __init__(self) -> None:
        self.data = build_module(load_game("twilight-in-the-east")).data
        self.module: Module = read_module(self.data)
        self.save: Save = read_save(read_container(self.data)[SET_UP])


@pytest.fixture(scope="module")
def sound() -> Sound:
    return Sound()


# --- spoilt saves -----------------------------------------------------------------------------------------------------


def other_piece(save: Save, piece: Piece, **changes: object) -> Save:
    """The save with a piece changed."""
    return msgspec.structs.replace(save, pieces={**save.pieces, piece.id: piece._replace(**changes)})


def other_trait(kind: str, change: Callable[[Trait], Trait]) -> Callable[[Save, Random], Save]:
    """Changes one of the traits of a kind, on one of the pieces that have any."""

    def spoil(save: Save, chance: Random) -> Save:
        having = [piece for piece in save.pieces.values() if any(trait.kind == kind for trait in piece.traits)]
        piece = chance.choice(having)
        traits = list(piece.traits)
        at = chance.choice([number for number, trait in enumerate(traits) if trait.kind == kind and not follows(trait)])
        traits[at] = change(traits[at])
        return other_piece(save, piece, traits=tuple(traits))

    return spoil


def follows(trait: Trait) -> bool:
    """Whether a layer shows the level that a property says, whatever its own state."""
    return trait.kind == "emb2" and trait.type.split(";")[22] == "true"


def other_stack(change: Callable[[PieceStack], PieceStack], least: int = 1) -> Callable[[Save, Random], Save]:
    """Changes one of the stacks of at least so many pieces."""

    def spoil(save: Save, chance: Random) -> Save:
        stack = chance.choice([stack for stack in save.stacks.values() if len(stack.pieces) >= least])
        return msgspec.structs.replace(save, stacks={**save.stacks, stack.id: change(stack)})

    return spoil


def without_a_piece(save: Save, chance: Random) -> Save:
    lost = chance.choice(list(save.pieces))
    return msgspec.structs.replace(save, pieces={id: piece for id, piece in save.pieces.items() if id != lost})


def no_such_image(trait: Trait) -> Trait:
    """The layer on a level whose picture is not there."""
    part = trait.type.split(";")
    part[16] = ",".join(["", *["no-such.png"] * part[16].count(",")])
    return Trait(";".join(part), "2")


SPOILT_SAVES: dict[str, Callable[[Save, Random], Save]] = {
    "a stack on the next hex": other_stack(lambda stack: stack._replace(at=(stack.at[0], stack.at[1] + 112))),
    "a stack on a map that is not there": other_stack(lambda stack: stack._replace(map="Mapp")),
    "a stack turned over": other_stack(lambda stack: stack._replace(pieces=stack.pieces[::-1]), least=2),
    "a piece of another slot": lambda save, chance: other_piece(
        save, chance.choice(list(save.pieces.values())), slot="4711"
    ),
    "a layer on another level": other_trait("emb2", lambda trait: Trait(trait.type, "2")),
    "a layer whose picture is not there": other_trait("emb2", no_such_image),
    "a trait that nobody knows": other_trait("label", lambda trait: Trait("labell" + trait.type[5:], trait.state)),
    "another marker": other_trait("mark", lambda trait: Trait(trait.type, "99/99,german,Eighth")),
    "another text": other_trait("label", lambda trait: Trait(trait.type, "40.20")),
    "another name": other_trait("piece", lambda trait: Trait(trait.type + "x", trait.state)),
    "a piece less": without_a_piece,
    "a board that is not there": lambda save, _: msgspec.structs.replace(save, boards={"Map": (("Nowhere", 0, 0),)}),
    "no end": lambda save, _: msgspec.structs.replace(save, complete=False),
}


@pytest.fixture(scope="module")
def table(engine: ModuleType, sound: Sound, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The engine with the sound module."""
    module = tmp_path_factory.mktemp("table") / "module.vmod"
    module.write_bytes(sound.data)
    with engine.Session(module, seconds=120) as session:
        yield session


@pytest.mark.parametrize("seed", SEEDS)
def test_every_spoilt_save_is_noticed(table: Session, sound: Sound, tmp_path: Path, seed: int) -> None:
    spoilt = {"sound": sound.save}
    spoilt |= {name: spoil(sound.save, Random(seed)) for name, spoil in SPOILT_SAVES.items()}
    steps: list[dict[str, object]] = []
    for name, save in spoilt.items():
        file = tmp_path / f"{name}.vsav"
        file.write_bytes(write_save(save))
        changed = [piece.id for piece in save.pieces.values() if piece != sound.save.pieces[piece.id]]
        steps += [{"do": "load", "file": file, "as": f"{name}, loaded"}, {"do": "list", "as": name}]
        steps += [{"do": "draw", "piece": id, "file": tmp_path / "drawn.png"} for id in changed[:1] or ["1"]]
    outcome = table.play(steps, check=False)
    unnoticed = []
    for name in spoilt:
        first = outcome.names[f"{name}, loaded"]
        if not _noticed(outcome, range(first, first + 3), sound):
            unnoticed.append(name)
    assert unnoticed == ["sound"]


def _noticed(outcome: Outcome, steps: range, sound: Sound) -> list[str]:
    """What tells that the save loaded in the first of these steps, and listed in the second, is not the sound one."""
    found = [warned.text for warned in outcome.warnings if warned.step in steps]
    found += [dialog.text for dialog in outcome.dialogs if dialog.step in steps]
    found += [outcome.errors[step] for step in steps if outcome.errors[step]]
    started, listing = outcome.results[steps[0]], outcome.results[steps[1]]
    if started is None or not started.started:
        return [*found, "the game does not begin"]
    found += [f"{piece.name} is off the board" for piece in listing.off_board]
    return found + differences(sound.save, sound.module, listing)


# --- spoilt modules ---------------------------------------------------------------------------------------------------


def in_the_build_file(old: str, new: str) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def spoil(files: dict[str, bytes]) -> dict[str, bytes]:
        text = files["buildFile.xml"].decode()
        assert old in text, old
        return files | {"buildFile.xml": text.replace(old, new).encode()}

    return spoil


def without_an_image(files: dict[str, bytes]) -> dict[str, bytes]:
    lost = next(name for name in files if name.startswith("images/1-1-") and "front" in name)
    return {name: data for name, data in files.items() if name != lost}


SPOILT_MODULES = {
    "the grid a column further": in_the_build_file('x0="105"', 'x0="202"'),
    "the numbers one on": in_the_build_file('vOff="12"', 'vOff="13"'),
    "counted from the other side": in_the_build_file('hDescend="true"', 'hDescend="false"'),
    "the board has another name": in_the_build_file('Board name="', 'Board name="Other '),
    "the map has another name": in_the_build_file('mapName="Map"', 'mapName="Table"'),
    "a prototype that is not there": in_the_build_file(
        'PrototypeDefinition name="Counter"', 'PrototypeDefinition name="C"'
    ),
    "another slot id": in_the_build_file('gpid="624792848"', 'gpid="624792849"'),
    "another picture in a palette": in_the_build_file("tag-supply-low.png", "tag-supply-none.png"),
    "a picture that is not there": without_an_image,
    "an element that nobody knows": in_the_build_file("NotesWindow", "NoteWindow"),
}


@pytest.mark.parametrize("name", ["sound", *SPOILT_MODULES])
def test_every_spoilt_module_is_noticed(engine: ModuleType, sound: Sound, tmp_path: Path, name: str) -> None:
    module = tmp_path / "module.vmod"
    files = all_files(sound.data)
    module.write_bytes(write_container(SPOILT_MODULES[name](files) if name in SPOILT_MODULES else files))
    division = next(slot.id for slot in sound.module.slots if slot.name == "1/1")
    steps = [
        {"do": "palette", "as": "palette"},
        {"do": "setup", "file": SET_UP},
        {"do": "list", "as": "list"},
        {"do": "draw", "slot": division, "file": tmp_path / "drawn.png"},
    ]
    outcome = engine.run(module, steps, check=False)
    found = [*outcome.faults, *filter(None, outcome.errors)]
    found += [piece.name for piece in outcome["list"].off_board]
    found += differences(sound.save, sound.module, outcome["list"])
    ours = {slot.id: sound.module.expanded(slot.piece.traits) for slot in sound.module.slots}
    for slot in outcome["palette"]:
        traits = [trait.type for trait in ours.get(slot.gpid, ())]
        found += slot.missing
        found += [slot.entry_name] if not same_types(traits, [trait.type for trait in slot.traits]) else []
    assert bool(found) == (name != "sound"), found


def all_files(data: bytes) -> dict[str, bytes]:
    """Every file of a module, pictures too."""
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as container:
        return {name: container.read(name) for name in container.namelist()}
