"""Keys that do no harm: what a hand presses to save, to open or to undo changes no counter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from assistant.formats.vassal.sequence import split
from assistant.formats.vassal.traits import CONTROL, CONTROL_SHIFT, Trait, read_label, read_layer
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game, named_game
from module_builder.new import new_game
from module_builder.vassal.elements import ALT
from module_builder.vassal.module import BuiltModule, make_palettes
from tests.module_builder.test_data_game import files_of

GAMES = [*installed_games(), "template"]
OF_THE_ENGINE = {
    # the menus of VASSAL's editor, and the text fields of chat and notes
    **{(letter, CONTROL): "editor or text" for letter in "ACDFMPSTVXZ"},
    ("Z", CONTROL_SHIFT): "redo",
    # the letters of its menus File, Tools, Help and Edit; the server's window; beginning and ending a log
    **{(letter, ALT): "menu" for letter in "FTHESW"},
    # looking into a stack
    (" ", CONTROL): "stack viewer",
    # what other programs do with them: new, open, print, leave, close, redo
    **{(letter, CONTROL): "every program" for letter in "NOPQWY"},
}
"""The keys of VASSAL 3.6 to 3.8, and what they do; a key of every program stays free as well."""


def of(name: str, folder: Path) -> Game:
    if name != "template":
        return load_game(name)
    new_game(folder / "heath")
    return named_game(str(folder / "heath"))


def pressed(trait: Trait) -> Iterator[str]:
    """The keystrokes that a player presses on a counter to have a trait do something."""
    match trait.kind:
        case "emb2":
            layer = read_layer(trait.type)
            yield from (layer.up[1], layer.down[1])
        case "label":
            yield read_label(trait.type).stroke
        case "obs" | "footprint":
            yield trait.part(1)
        case "hide" | "delete" | "clone" | "globalkey":
            yield trait.part(2) if trait.kind != "hide" else trait.part(1)
        case "sendto":
            yield from (trait.part(2), trait.part(8))
        case "markmoved":
            yield trait.part(5)


def as_pressed(stroke: str) -> tuple[str, int]:
    """The letter and the modifiers of a keystroke; no letter for one that only other traits send."""
    code, modifiers, *_ = [*split(stroke, ","), "0"] if stroke else ["0", "0"]
    return (chr(int(code)), int(modifiers)) if 0 < int(code) < 256 else ("", 0)


@pytest.mark.parametrize("name", GAMES)
def test_no_trait_takes_a_key_of_the_engine(name: str, tmp_path: Path) -> None:
    module = make_palettes(of(name, tmp_path))
    held = [*module.prototypes.values(), *(slot.piece.traits for slot in module.slots)]
    keys = {as_pressed(stroke) for traits in held for trait in traits for stroke in pressed(trait)}
    assert len(keys) > 4, "the keys are read"
    assert not keys & OF_THE_ENGINE.keys()


def test_buttons_take_no_key_of_the_engine_but_those_that_do_the_same_and_the_page_of_keys_says_so(
    built: BuiltModule,
) -> None:
    """VASSAL itself has none: the module's file sets it."""
    root = etree.fromstring(files_of(built)["buildFile.xml"])
    strokes = {
        (element.get("mapName") or element.get("name") or element.tag, *as_pressed(value))
        for element in root.iter("{*}*")
        for key, value in element.attrib.items()
        if key.lower().endswith(("hotkey", "zoominkey", "zoomoutkey")) and value
    }
    assert {name for name, *key in strokes if tuple(key) in OF_THE_ENGINE} == {
        "VASSAL.build.module.map.CounterDetailViewer",  # looking into a stack
    }
    files = files_of(built)
    option = etree.fromstring(files["buildFile.xml"]).find(
        "VASSAL.build.module.GlobalOptions/option[@name='undoHotKey']"
    )
    assert option is not None
    assert as_pressed(option.text or "") == ("Z", CONTROL)
    page = etree.fromstring(files["keys.html"], etree.HTMLParser())
    lines = dict(tuple("".join(cell.itertext()) for cell in row) for row in page.iter("tr"))
    assert lines["Undo"] == "Ctrl+Z"
