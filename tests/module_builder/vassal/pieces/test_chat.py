"""The chat of a module: sentences for what players change, of every game."""

from __future__ import annotations

import pytest

from assistant.installed.registry import installed_games, load_game
from assistant.state.tracks import InModule, Track
from module_builder.vassal.pieces.chat import report_changes
from module_builder.vassal.pieces.statuses import Statuses, hex_statuses


@pytest.mark.parametrize(
    ("track", "value", "said"),
    [
        ("supply", "low", "is in Low Supply"),
        ("lost", "1", "has lost 1 step"),
        ("lost", "3", "has lost {} steps"),
        ("prepared", "none", "prepares no attack"),
        ("control", "russian", "is controlled by the Russian side"),
    ],
)
def test_a_value_is_told_in_words(track: str, value: str, said: str) -> None:
    assert load_game("twilight-in-the-east").tracks[track].said(value) == said


def test_without_words_of_its_own_a_fact_is_told_by_its_title_and_a_secret_without_its_unit() -> None:
    shown = InModule(menu=("Tire",))
    tired = Track(name="tired", title="tired", on="unit", kind="flag", module=shown)
    morale = Track(name="morale", title="morale", on="unit", kind="integer", module=shown)
    assert [tired.said("yes"), tired.said("no"), morale.said("3")] == [
        "now: tired",
        "no longer: tired",
        "now has morale {}",
    ]
    game = load_game("twilight-in-the-east")
    (lost,) = [status for status in Statuses(game).layers if status.track.name == "lost"]
    text = report_changes([lost]).part(2)
    assert "the steps lost of a unit changed" in text
    assert "newPieceName" not in text
    statuses = Statuses(load_game("twilight-in-the-east"))
    text = report_changes(statuses.layers, statuses.texts).part(2)
    assert text.startswith('{GetProperty("oldlost_Level")!=GetProperty("lost_Level") ? ')
    assert text.endswith(' : ""}')


@pytest.mark.parametrize("name", installed_games())
def test_no_sentence_is_notation(name: str) -> None:
    """Every value that a counter or a marker can show has words, and none of them is how the notation writes it."""
    game = load_game(name)
    statuses = [*Statuses(game).layers, *hex_statuses(game)]
    for status in statuses:
        for value in status.values:
            if value is not None:
                said = status.track.said(status.track.write(value))
                assert said.partition(" ")[0] in {"is", "has", "may", "moves"}, (status.track.name, value, said)
                assert "=" not in said
