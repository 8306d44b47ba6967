"""Names that a module may have and a game may not: whatever they are, the folder that is made of it has no mistake."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.saves import Save, write_save
from assistant.formats.vassal.traits import LayerTrait, Trait, keystroke
from assistant.game.games import read_game
from module_builder.cli import cli
from module_builder.importing.game import import_module
from module_builder.importing.names import WORDS, Names, clean_text, slug
from module_builder.vassal.module import build_module

from ...cases import examples, thorough
from .foreign import ABOUT, HEX_1ST, HEX_2ND, HEX_RED, build_file, packed, unit

#: What VASSAL's own traits can hold as it stands.
TEXTS = st.text(
    st.characters(
        min_codepoint=32, max_codepoint=0x2FFF, exclude_characters="\\;,/\x7f", exclude_categories=("Cs", "Cc")
    ),
    max_size=12,
).filter(lambda text: not text.startswith("'") and not text.endswith("'") and "marker" not in text.casefold())
SPOTS = [HEX_2ND, HEX_1ST, HEX_RED, (100, 30), (200, 30), (300, 30), (15, 95)]


def everywhere(module: Module) -> Save:
    """A set-up with a piece of each slot on the map."""
    pieces = [
        Piece(f"p{number}", module.expanded(slot.piece.traits), "Main", SPOTS[number % len(SPOTS)], slot.id)
        for number, slot in enumerate(module.slots)
    ]
    return Save(about=ABOUT, boards={"Main": (("Land", 0, 0),)}, pieces={piece.id: piece for piece in pieces})


@thorough
@settings(max_examples=examples(12))
@given(st.lists(TEXTS, min_size=1, max_size=5), st.lists(TEXTS, min_size=3, max_size=3), TEXTS, TEXTS)
def test_a_module_with_any_names_is_imported_and_built(
    names: list[str], places: list[str], layer: str, level: str
) -> None:
    turned = LayerTrait(layer, ("", "two.png"), ("", level), ("Up", keystroke("U")), ("Down", keystroke("G")))
    palettes = {
        "A": [unit(name, "front.png", **{name or "x": "v"}) for name in names],
        "Some markers": [unit(name, "front.png") for name in places],
        level or "C": [Piece("null", (Trait(turned.type, "2"), Trait("piece;;;front.png;X")))],
    }
    root = build_file(palettes)
    regions = root.iter("{*}VASSAL.build.module.map.boardPicker.board.Region")
    for region, name in zip(regions, places, strict=True):
        region.set("name", name)
    with tempfile.TemporaryDirectory() as held, patch.dict(os.environ, FIELD_STAFF_DATA=f"{held}/data"):
        module, folder = Path(held) / "module.vmod", Path(held) / "game"
        module.write_bytes(packed(root, files={"start.vsav": write_save(everywhere(read_module(packed(root))))}))
        import_module(module, folder)
        checked = CliRunner().invoke(cli, ["check", str(folder)])
        assert checked.exit_code == 0, checked.output
        game = read_game("game", folder)
        assert build_module(game).counters == len(game.counters)
        assert sum(game.counters.values()) >= len(names) + 1


@given(st.text())
def test_a_cleaned_name_stays_as_it_is_and_a_word_has_small_letters_and_figures(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)
    assert clean_text(text).isprintable() and '"' not in clean_text(text)
    assert slug(slug(text)) == slug(text)
    assert set(slug(text)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_each_name_is_given_once() -> None:
    names = Names("unit")
    assert [names.give(name) for name in ("Guard", "guard", "Guard", "")] == [
        "Guard",
        "guard (2)",
        "Guard (3)",
        "unit",
    ]
    words = Names("word", taken=("turn",), form=WORDS)
    assert [words.give("turn"), words.give("turn")] == ["turn-2", "turn-3"]
