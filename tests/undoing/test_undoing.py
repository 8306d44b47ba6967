"""Undos and strikes at a table with four seats lose no unit, and bring no enemies together."""

from __future__ import annotations

import pytest

from ..cases import few, seeds
from ..comparing.search import tried
from .table import SEARCH, Model, Places, find_struck, shared_hexes, told

ONCE_LOST = (58, 54, 45, 20045, 1205)
"""The seeds of histories that once lost a unit: by the undo of a march out of a hex that an enemy has entered since, by the undo of what
others rest on, by a strike, and by the undo of a march after the strike of an earlier one. In the last history an undo brought back a unit
that had been taken off the map since.
"""


@few(3)
@pytest.mark.parametrize("seed", [*ONCE_LOST, *seeds(40)])
def test_no_undo_and_no_strike_loses_a_unit(seed: int) -> None:
    played = told(seed)
    assert not played.fault, "\n".join([played.fault, *played.steps])


def test_figures_of_a_run_are_those_of_its_histories() -> None:
    found = tried(SEARCH, range(2), 1)
    one, other = told(1).tried, told(2).tried
    assert found.wrong == [] and found.seen["steps"] == one["steps"] + other["steps"]
    assert found.seen["undos and strikes"] <= found.seen["steps"]


def test_model_expects_a_unit_back_where_it_stood_though_its_hex_is_stated_anew() -> None:
    model = Model()
    entries = {1: "1 fact 41.19: 1/1", 2: "1 fact 42.19: 1/1", 3: "1 fact 41.19: 25/3"}
    places: list[Places] = [{"1/1": "41.19"}, {"1/1": "42.19"}, {"1/1": "42.19", "25/3": "41.19"}]
    for number, now in enumerate(places, 1):
        known = {each: text for each, text in entries.items() if each < number}
        assert model.note("laptop", {**known, number: entries[number]}, known, now)
    assert model.without([model.lines[1]], entries) == {"1/1": "41.19", "25/3": "41.19"}
    assert shared_hexes({"1/1": "41.19", "25/3": "41.19", "2/1": "42.19"}) == {"41.19"}


def test_model_expects_a_unit_back_although_a_later_line_states_it_where_it_had_gone() -> None:
    model = Model()
    entries = {1: "1 fact 41.19: 1/1", 2: "1 fact 42.19: 1/1", 3: "1 fact 42.19: 1/1, 2/1"}
    places: list[Places] = [{"1/1": "41.19"}, {"1/1": "42.19"}, {"1/1": "42.19", "2/1": "42.19"}]
    for number, now in enumerate(places, 1):
        known = {each: text for each, text in entries.items() if each < number}
        assert model.note("laptop", {**known, number: entries[number]}, known, now)
    assert model.without([model.lines[1]], entries) == {"1/1": "41.19", "2/1": "42.19"}


def test_model_expects_a_line_to_be_taken_back_again_once_its_undo_is_struck() -> None:
    model = Model()
    entries = {1: "1 fact 41.19: 1/1", 2: "1 strike 1", 3: "1 strike 2"}
    places: list[Places] = [{"1/1": "41.19"}, {"1/1": None}, {"1/1": "41.19"}]
    for number, (seat, now) in enumerate(zip(["central-powers", "central-powers", "laptop"], places, strict=True), 1):
        known = {each: text for each, text in entries.items() if each < number}
        assert model.last_of("central-powers", find_struck(known)) == (model.lines[0] if number == 2 else None)
        model.note(seat, {**known, number: entries[number]}, known, now)
    assert model.last_of("central-powers", find_struck(entries)) == model.lines[0]
