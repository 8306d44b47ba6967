"""What counters and markers show: types, strengths, armies, states, sides."""

from __future__ import annotations

import pytest

from assistant.drawing.colours import SIGHTS, difference, lightness, simulate_sight
from assistant.drawing.scene import Symbol
from assistant.drawing.style import Palette
from assistant.drawing.symbols import Symbols
from assistant.game.games import Game
from assistant.installed.registry import load_game
from module_builder.counters.faces import DESIGN_SIDE_MM, Cut
from module_builder.counters.pieces import Counter, Workshop, design_counters

from ..module_builder.counters.made import markers
from ..module_builder.counters.test_pieces import shown
from .asking import GAME


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game(GAME)


@pytest.fixture(scope="module")
def made(game: Game) -> dict[str, Counter]:
    return {counter.unit: counter for counter in design_counters(game)}


@pytest.fixture(scope="module")
def opened(game: Game) -> dict[str, Counter]:
    """The counters with open backs, as modules have them."""
    return {counter.unit: counter for counter in design_counters(game, open_backs=True)}


@pytest.mark.rule("3.1/types", "3.1/artillery")
def test_every_type_has_a_symbol_and_shows_its_figures(game: Game, made: dict[str, Counter]) -> None:
    symbols = Symbols(game)
    assert all(symbols.symbol(arm) for arm in game.track("arm").values)
    for unit, figures in {"I/1": ["9", "3"], "IC/1GC": ["1", "3"], "8A/H-L": ["1", "4"], "8A/HRG": ["2", "2"]}.items():
        assert [text for text in shown(made[unit].front) if text.isdecimal()] == figures
    assert "(\u22121)2" in "".join(shown(made["1A/1HA"].front))


@pytest.mark.rule("3.5")
def test_an_open_back_says_disrupted_and_shows_the_strength_to_defend_with(opened: dict[str, Counter]) -> None:
    for unit, strength in {"XX/28": "5", "I/2": "9", "1A/2HA": "(\u22121)"}.items():
        words = shown(opened[unit].back)
        assert strength in "".join(words).removeprefix(unit)
        assert any("disrupted" in word for word in words)
        assert unit in words
        assert "disrupted" not in " ".join(shown(opened[unit].front))
    assert not opened["I/1"].is_plain_behind  # VASSAL turns it over
    assert "disrupted" in shown(opened["Dummy/R1"].back)


@pytest.mark.rule("10.1")
def test_all_backs_of_a_nation_are_alike_and_without_words(game: Game, made: dict[str, Counter]) -> None:
    for nation in game.track("nation").values:
        behind = [counter.back for counter in made.values() if counter.nation == nation]
        assert len(behind) > 30
        assert len({face.layers for face in behind if face}) == 1
        assert shown(behind[0]) == []
        assert [shape for layer in behind[0].layers for shape in layer.shapes if isinstance(shape, Symbol)]  # type: ignore[union-attr]


@pytest.mark.rule("3.1/armies")
def test_the_two_russian_armies_differ_by_words_and_by_a_band_dark_or_pale(
    game: Game, made: dict[str, Counter], opened: dict[str, Counter]
) -> None:
    assert "1st" in shown(made["XX/28"].front)
    assert "2nd" in shown(made["XV/6"].front)
    assert "2nd, disrupted" in shown(opened["XV/6"].back)
    first, second = (
        {getattr(shape, "fill", "") for layer in made[unit].front.layers for shape in layer.shapes}
        for unit in ("XX/28", "XV/6")
    )
    pale = (second - first).pop()
    dark = Palette(game.file.picture.colours, ("russian",)).inks("russian").frame
    assert dark in first
    assert lightness(pale) - lightness(dark) > 40


@pytest.mark.rule("10.1")
def test_dummies_five_a_side_with_a_symbol_and_an_allowance(made: dict[str, Counter]) -> None:
    for letter, allowance in (("G", "3"), ("R", "2")):
        dummies = [unit for unit in made if unit.startswith(f"Dummy/{letter}")]
        assert len(dummies) == 5
        assert all([text for text in shown(made[unit].front) if text.isdecimal()] == [allowance] for unit in dummies)


@pytest.mark.rule("2.0/terms")
def test_every_marker_of_the_rules_is_there(game: Game) -> None:
    faces = [" ".join(shown(face)) for marker in markers(game) for face in (marker.front, marker.back)]
    wanted = [
        *(f"Reserve {points} MP" for points in range(1, 6)),
        "Rail Cut",
        "Control German",
        "Control Russian",
        "Entrained E",
    ]
    assert [text for text in [*wanted, "Fortress Destroyed"] if text not in faces] == []


@pytest.mark.parametrize("sight", ["", *SIGHTS])
def test_a_side_has_one_colour_on_counters_and_markers_that_nobody_mixes_up(game: Game, sight: str) -> None:
    palette = Palette(game.file.picture.colours, game.track("nation").values)
    inks = {side: palette.inks(side) for side in ("german", "russian")}
    see = (lambda colour: simulate_sight(colour, sight)) if sight else (lambda colour: colour)  # type: ignore[arg-type,unused-ignore]
    for of in (lambda ink: ink.ground, lambda ink: ink.strong):
        assert difference(see(of(inks["german"])), see(of(inks["russian"]))) > 9


@pytest.mark.parametrize("side", [12.7, 14.2875, 15.0, DESIGN_SIDE_MM])
@pytest.mark.parametrize("variant", ["colour", "low-ink"])
@pytest.mark.parametrize("open_backs", [False, True])
def test_nothing_is_spoiled_at_any_size(game: Game, side: float, variant: str, open_backs: bool) -> None:
    workshop = Workshop(game, Cut(side, 1.5, False), variant, open_backs=open_backs, closely=True)  # type: ignore[arg-type]
    assert [trouble for one in (*workshop.units(), *workshop.markers()) for trouble in one.troubles] == []
