"""An answer carried out in a save of a published module: by its own layers and properties, the rest in the notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import Position, read
from assistant.formats.vassal.adopted.legend import AdoptedLegend
from assistant.formats.vassal.adopted.reading import adopted_legend
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.saves import Save, read_save
from assistant.formats.vassal.traits import Trait
from assistant.formats.vassal.written.adopted import AdoptedPen
from assistant.formats.vassal.written.pen import Spot
from assistant.plugins.registry import load_game
from assistant.state.sources import Value

from ..adopted.adopting import Adopted, run
from ..adopted.published import DEAD, MAP, Put, example, saved

ANSWERS = "crt=2+5 slrt=3/4 losses=29/20,27/3 ec.1/1=6 ec.29/20=5 ec.25/3=12 onward.40.20=39.20"


@pytest.fixture
def adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adopted:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    return Adopted(tmp_path)


def carried_out(adopted: Adopted, ending: str) -> Path:
    target = adopted.folder / f"after{ending}"
    done = run("battle", adopted.save(example(adopted.module)), "--answers", ANSWERS, "--after", str(target))
    assert done.exit_code == 0, done.output + done.stderr
    return target


def state_of(piece: Piece, name: str) -> str:
    """The state of the trait whose type holds a name."""
    return next(trait.state for trait in piece.traits if name in trait.type)


@pytest.mark.parametrize("ending", [".vsav", ".vlog"])
def test_the_new_save_is_the_position_after_the_battle(adopted: Adopted, ending: str) -> None:
    expected, found = read(carried_out(adopted, ".pos")), read(carried_out(adopted, ending))
    assert {unit.id: (unit.place, unit.order) for unit in found.state.units.values()} == {
        unit.id: (unit.place, unit.order) for unit in expected.state.units.values()
    }
    assert said(found) == said(expected)


def said(position: Position) -> dict[tuple[str, str], Value]:
    """What a position states, without what silence says too."""
    tracks = position.game.tracks
    return {key: fact.value for key, fact in position.state.facts.items() if fact.value != tracks[key[0]].absent}


def test_layers_and_properties_of_the_module_show_it_and_the_notes_state_the_rest(adopted: Adopted) -> None:
    save = read_save(carried_out(adopted, ".vsav").read_bytes())
    division = save.pieces["4020.1"]
    assert (state_of(division, "Step Losses"), state_of(division, "CEL lost")) == ("1", "2")
    assert state_of(save.pieces["4019.0"], "Step Losses") == "4"
    assert "27/3 retreated fought" in save.public_notes
    assert "lost" not in save.public_notes and "cel" not in save.public_notes


def pen(adopted: Adopted, save: Save) -> AdoptedPen:
    legend = adopted_legend(save, load_game)
    assert isinstance(legend, AdoptedLegend)
    return AdoptedPen(legend)


@pytest.mark.parametrize(
    ("track", "value", "trait", "state"),
    [
        ("lost", 3, "Step Losses", "3"),
        ("lost", 0, "Step Losses", "-2"),
        ("lost", None, "Step Losses", "-2"),
        ("supply", "out", "Supply", "3"),
        ("supply", "in", "Supply", "1"),
        ("cel", -4, "CEL lost", "4"),
        ("cel", None, "CEL lost", "0"),
    ],
)
def test_a_value_by_its_level_or_its_text(
    adopted: Adopted, track: str, value: Value | None, trait: str, state: str
) -> None:
    save = saved(adopted.module, {"4020": [Put("r025.png", {"Step Losses": "2", "Supply": "2"})]})
    game = load_game("twilight-in-the-east")
    piece = save.pieces["4020.0"]._replace(traits=tuple(_may_rest(one) for one in save.pieces["4020.0"].traits))
    shown = pen(adopted, save).showing(piece, game.tracks[track], value)
    assert shown is not None and state_of(shown, trait) == state


def _may_rest(trait: Trait) -> Trait:
    """The layer of step losses as one that need not show; other traits as they are."""
    if "Step Losses" not in trait.type:
        return trait
    parts = trait.type.split(";")
    parts[26] = "false"
    return Trait(";".join(parts), trait.state)


def test_what_the_module_cannot_show_is_left_to_the_notes(adopted: Adopted) -> None:
    save = saved(adopted.module, {"4020": [Put("r025.png")]})
    tracks, ours = load_game("twilight-in-the-east").tracks, pen(adopted, save)
    assert ours.showing(save.pieces["4020.0"], tracks["fought"], True) is None
    assert ours.showing(save.pieces["4020.0"], tracks["lost"], 9) is None


def test_fields_of_a_trait_of_the_modules_own_code_are_written_too(adopted: Adopted) -> None:
    adopted.correct(("[traits]", '[traits]\nmorale = { state = ["cel=-{}", "D{}"] }'))
    save = saved(adopted.module, {"4020": [Put("r025.png")]})
    piece = save.pieces["4020.0"]
    shown = pen(adopted, save).showing(
        piece._replace(traits=(Trait("morale;9", "2;0;5"), *piece.traits)),
        load_game("twilight-in-the-east").tracks["disorder"],
        2,
    )
    assert shown is not None and shown.traits[0] == Trait("morale;9", "2;2;5")


def test_places_and_the_dead_pile(adopted: Adopted) -> None:
    save = saved(adopted.module, {"4020": [Put("r025.png")]})
    ours, piece = pen(adopted, save), save.pieces["4020.0"]
    assert ours.spot("40.20") == Spot(MAP, piece.at)
    assert ours.spot("99.99") is None
    assert ours.away(piece) == (piece, Spot(DEAD, (200, 150)))
