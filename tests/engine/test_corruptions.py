"""Would the comparison with the engine notice? Modules and saves are spoilt on purpose, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from assistant.formats.vassal.containers import read_container, write_container
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.saves import Piece, Save, read_save, write_save
from assistant.formats.vassal.traits import Trait
from assistant.registry import load_game
from module_builder.vassal.module import build
from tests.engine.agreement import differences
from tests.engine.engine import EngineError, Listing

EXAMPLE = "The-comprehensive-example-of-combat.vsav"


class Sound:
    """The module as it ought to be, and its second set-up."""

    def __init__(self) -> None:
        self.data = build(load_game("twilight-in-the-east")).data
        self.module: Module = read_module(self.data)
        self.save: Save = read_save(read_container(self.data)[EXAMPLE])


@pytest.fixture(scope="module")
def sound() -> Sound:
    return Sound()


# --- spoilt saves -----------------------------------------------------------------------------------------------------


def other_piece(save: Save, **changes: object) -> Save:
    """The save with the first piece changed."""
    first: Piece = next(iter(save.pieces.values()))
    return msgspec.structs.replace(save, pieces={**save.pieces, first.id: first._replace(**changes)})


def other_trait(save: Save, kind: str, change: Callable[[Trait], Trait]) -> Save:
    """The save with the first trait of a kind on the first piece changed."""
    first: Piece = next(iter(save.pieces.values()))
    traits = list(first.traits)
    at = next(number for number, trait in enumerate(traits) if trait.kind == kind)
    traits[at] = change(traits[at])
    return other_piece(save, traits=tuple(traits))


def stacks_turned_over(save: Save) -> Save:
    turned = {stack.id: stack._replace(pieces=stack.pieces[::-1]) for stack in save.stacks.values()}
    return msgspec.structs.replace(save, stacks=turned)


SPOILT_SAVES: dict[str, Callable[[Save], Save]] = {
    "a stack on the next hex": lambda save: msgspec.structs.replace(
        save, stacks={stack.id: stack._replace(at=(stack.at[0], stack.at[1] + 112)) for stack in save.stacks.values()}
    ),
    "a stack on a map that is not there": lambda save: msgspec.structs.replace(
        save, stacks={stack.id: stack._replace(map="Mapp") for stack in save.stacks.values()}
    ),
    "a piece of another slot": lambda save: other_piece(save, slot="4711"),
    "the stacks turned over": stacks_turned_over,
    "a layer on another level": lambda save: other_trait(save, "emb2", lambda trait: Trait(trait.type, "2")),
    "a layer whose picture is not there": lambda save: other_trait(
        save, "emb2", lambda trait: Trait(trait.type.replace("tag-lost-1.png", "no-such.png"), "2")
    ),
    "a trait that nobody knows": lambda save: other_trait(
        save, "label", lambda trait: Trait("labell" + trait.type[5:], trait.state)
    ),
    "another marker": lambda save: other_trait(save, "mark", lambda trait: Trait(trait.type, "2/1,german,Eighth")),
    "another text": lambda save: other_trait(save, "label", lambda trait: Trait(trait.type, "40.20")),
    "another name": lambda save: other_trait(
        save, "piece", lambda trait: Trait(trait.type.replace("1/1", "1/2"), trait.state)
    ),
    "a piece less": lambda save: msgspec.structs.replace(save, pieces=dict(list(save.pieces.items())[1:])),
    "a board that is not there": lambda save: msgspec.structs.replace(save, boards={"Map": (("Nowhere", 0, 0),)}),
    "no end": lambda save: msgspec.structs.replace(save, complete=False),
}


def test_every_spoilt_save_is_noticed(engine: ModuleType, sound: Sound, tmp_path: Path) -> None:
    module = tmp_path / "module.vmod"
    module.write_bytes(sound.data)
    steps: list[dict[str, object]] = []
    for name, spoil in {"sound": lambda save: save, **SPOILT_SAVES}.items():
        file = tmp_path / f"{name}.vsav"
        file.write_bytes(write_save(spoil(sound.save)))
        steps += [{"do": "load", "file": file, "as": f"{name}, loaded"}, {"do": "list", "as": name}]
        steps += [{"do": "draw", "piece": next(iter(sound.save.pieces)), "file": tmp_path / "drawn.png"}]
    outcome = engine.run(module, steps, check=False)
    noticed = {name: [] for name in ("sound", *SPOILT_SAVES)}
    for name, found in noticed.items():
        first = outcome.names[f"{name}, loaded"]
        found += [warned.text for warned in outcome.warnings if warned.step in range(first, first + 3)]
        found += [dialog.text for dialog in outcome.dialogs if dialog.step in range(first, first + 3)]
        found += [error for error in outcome.errors[first : first + 3] if error]
        started, listing = outcome.results[first], outcome.results[first + 1]
        if started is None or not started.started:
            found.append("the game does not begin")
        elif isinstance(listing, Listing):
            found += [f"{piece.name} is off the board" for piece in listing.off_board]
            found += differences(sound.save, sound.module, listing)
    assert noticed.pop("sound") == []
    assert [name for name, found in noticed.items() if not found] == []


# --- spoilt modules ---------------------------------------------------------------------------------------------------


def in_the_build_file(old: str, new: str) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def spoil(files: dict[str, bytes]) -> dict[str, bytes]:
        text = files["buildFile.xml"].decode()
        assert old in text, old
        return files | {"buildFile.xml": text.replace(old, new).encode()}

    return spoil


def without_an_image(files: dict[str, bytes]) -> dict[str, bytes]:
    lost = next(name for name in files if name.startswith("images/25_3-") and "front" in name)
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


@pytest.mark.parametrize("name", SPOILT_MODULES)
def test_every_spoilt_module_is_noticed(engine: ModuleType, sound: Sound, tmp_path: Path, name: str) -> None:
    module = tmp_path / "module.vmod"
    module.write_bytes(write_container(SPOILT_MODULES[name](all_files(sound.data))))
    steps = [
        {"do": "palette", "as": "palette"},
        {"do": "setup", "file": EXAMPLE},
        {"do": "list", "as": "list"},
        *({"do": "draw", "slot": slot.id, "file": tmp_path / "drawn.png"} for slot in sound.module.slots[:3]),
        {"do": "draw", "piece": "3", "file": tmp_path / "drawn.png"},
    ]
    try:
        outcome = engine.run(module, steps, check=False)
    except EngineError:
        return  # it does not even open
    found = [*outcome.faults, *filter(None, outcome.errors)]
    found += [piece.name for piece in outcome["list"].off_board]
    found += differences(sound.save, sound.module, outcome["list"])
    ours = {slot.id: sound.module.expanded(slot.piece.traits) for slot in sound.module.slots}
    for slot in outcome["palette"]:
        found += slot.missing
        traits = ours.get(slot.gpid, ())
        found += [slot.entry_name] if len(traits) != len(slot.traits) else []
        pairs = zip(traits, slot.traits, strict=False)
        found += [slot.entry_name for trait, other in pairs if not trait.type.startswith(other.type)]
    assert found


def all_files(data: bytes) -> dict[str, bytes]:
    """Every file of a module, pictures too."""
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as container:
        return {name: container.read(name) for name in container.namelist()}
