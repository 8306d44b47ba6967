"""Prototypes: what counters share is written once, in an order that VASSAL works with."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from lxml import etree

from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.traits import read_layer
from assistant.game.games import Game
from assistant.state.tracks import Track, Value
from module_builder.vassal.module import BuiltModule
from module_builder.vassal.pieces import maker, prototypes, statuses
from module_builder.vassal.pieces.maker import Art, Maker
from module_builder.vassal.pieces.statuses import is_owners
from tests.module_builder.test_data_game import files_of

FIRST_TO_LAST = ("report", "globalkey", "hide", "obs", "sendto", "footprint", "markmoved", "emb2", "mark", "piece")
"""What must hear of a key first, hide what, and stand on what: some kinds of traits from the outermost in."""


@pytest.fixture(scope="module")
def module(built: BuiltModule) -> Module:
    return read_module(built.data)


def test_a_slot_holds_only_what_differs_in_an_order_that_works(module: Module) -> None:
    for slot in (
        slot for slot in module.slots if slot.path and "Supply" not in slot.path
    ):  # not the frames of the turn track
        kinds = Counter(trait.kind for trait in slot.piece.traits)
        assert kinds["prototype"] == 1
        is_marker = slot.path[-1] == "Markers"
        assert kinds["emb2"] <= (3 if is_marker else 1), (
            "its other side; or what a marker states, on the map and off it"
        )
        assert kinds["calcProp"] <= (2 if is_marker else 1), "its values, of the side that is up; or where it lies"
        assert sum(kinds.values()) <= (8 if is_marker else 5)
    for slot in module.slots:
        kinds = [trait.kind for trait in module.expanded(slot.piece.traits)]
        first, last = ({kind: at for at, kind in some} for some in ([*enumerate(kinds)][::-1], enumerate(kinds)))
        order = [kind for kind in FIRST_TO_LAST if kind in first and kind != "mark"]
        assert all(last[one] < first[other] for one, other in pairwise(order)), kinds


def test_counters_of_one_kind_share_a_prototype_that_is_named_after_it(module: Module) -> None:
    by_kind = Counter(slot.piece.traits[0].type for slot in module.slots if slot.path)
    assert by_kind["prototype;russian infantry"] > 5
    assert len(by_kind) < len(module.slots) / 2
    kinds = {slot.piece.traits[0].type.removeprefix("prototype;") for slot in module.slots}
    assert {
        "Counter",
        "Movement",
        "Side: russian",
        "Status: steps",
        "Status: effectiveness",
    } <= module.prototypes.keys() - kinds


def test_a_piece_on_the_map_is_that_of_its_slot_with_prototypes_expanded(twilight: Game, module: Module) -> None:
    made = Maker(twilight, {"25/3": Art("front.png", "back.png")}, 75)
    values: dict[str, Value] = {"lost": 2, "supply": "low", "prepared": "41.19", "reduced": True, "masked": "russian"}
    placed = made.placed_unit("25/3", values, "7", "Map", (3, 4))
    slot = made.unit("25/3")
    prototypes = module.prototypes
    traits = [
        one for trait in slot.traits for one in (prototypes[trait.type[10:]] if trait.kind == "prototype" else [trait])
    ]
    assert [trait.type for trait in placed.traits if trait.kind == "emb2"] != []
    assert (placed.id, placed.map, placed.at, placed.slot) == ("7", "Map", (3, 4), slot.slot)
    assert placed.name == "25/3(?)", "its tags say the rest"
    assert traits[-1] == placed.traits[-1]


def test_what_the_game_hides_is_said_to_owners_alone(twilight: Game, built: BuiltModule) -> None:
    made = Maker(twilight, {"25/3": Art("front.png", "back.png")}, 75)
    traits = made.placed_unit("25/3", {"lost": 2}, "7", "Map", (3, 4)).traits
    layers = {layer.name: layer for layer in (read_layer(trait.type) for trait in traits if trait.kind == "emb2")}
    assert {*layers["lost"].images} == {""}
    assert [layers["lost"].added(level) for level in (1, 3)] == ["", "-2"]
    assert layers["lost seen"].images[2] == "tag-lost-2.png"
    assert {*layers["lost seen"].names} == {""}
    expression = next(trait.type for trait in traits if trait.type.startswith("calcProp;lost_Seen"))
    assert "PlayerSide==Side" in expression
    assert layers["disorder"].images[1] == "tag-disorder-1.png"
    texts = etree.fromstring(files_of(built)["buildFile.xml"]).itertext()
    assert sum("lost seen" in text for text in texts) == 1


def test_a_text_that_the_game_hides_is_typed_out_of_sight_and_shown_to_owners_alone(
    twilight: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hides(game: Game, track: Track) -> bool:
        return track.name == "prepared" or is_owners(game, track)

    for module in (prototypes, statuses):
        monkeypatch.setattr(module, "is_owners", hides)
    made = Maker(twilight, {"25/3": Art("front.png", "back.png")}, 75)
    traits = made.placed_unit("25/3", {"prepared": "41.19"}, "7", "Map", (3, 4)).traits
    labels = [trait for trait in traits if trait.kind == "label" and "prepared" in trait.type + trait.state]
    keystroke, menu, size, name = ([trait.type.split(";")[field] for trait in labels] for field in (1, 2, 3, 14))
    assert [trait.state for trait in labels] == ["$prepared_Seen$", "41.19"]
    assert (keystroke[0], menu) == ("", ["", "Prepared Attack at ..."]), "only one of them is typed"
    assert int(size[0]) > int(size[1]) == 0, "only the other one is drawn"
    assert "prepared=" not in "".join(name)
    expression = next(trait.type for trait in traits if trait.type.startswith("calcProp;prepared_Seen"))
    assert "PlayerSide==Side" in expression and 'GetProperty("prepared")' in expression


@pytest.mark.parametrize("unit", ["25/3", "1/1"])
def test_where_the_report_of_all_changes_is_long_each_stands_with_what_it_reports(
    twilight: Game, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    art, values = {unit: Art("front.png", "back.png")}, dict[str, Value]()
    together = Maker(twilight, art, 75).placed_unit(unit, values, "7", "Map", (3, 4)).traits
    for module in (prototypes, maker):
        monkeypatch.setattr(module, "MAX_REPORT_CHARS", 0)
    made = Maker(twilight, art, 75)
    apart = made.placed_unit(unit, values, "7", "Map", (3, 4)).traits
    assert [one for one in apart if one.kind != "report"] == [one for one in together if one.kind != "report"]
    for name in made.shown(unit):
        asked = f'old{name}{"" if twilight.tracks[name].kind == "text" else "_Level"}"'
        reports = [at for at, one in enumerate(apart) if one.kind == "report" and asked in one.type]
        layers = [at for at, one in enumerate(apart) if one.kind == "emb2" and read_layer(one.type).name == name]
        assert len(reports) == (name not in ("masked", "invisible")), name
        assert not layers or all(report < min(layers) for report in reports), name


def test_markers_report_their_own_changes_where_those_of_all_are_many(
    twilight: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maker, "MAX_REPORT_CHARS", 0)
    made = Maker(twilight, {}, 75)
    assert not any(trait.kind == "report" for trait in made.named["Marker"])
    for status, value in made.marked:
        reports = [trait for trait in made.marker(status, value).traits if trait.kind == "report"]
        assert len(reports) == (not status.nation)
        assert all(f"old{status.track.name}_Level" in trait.type for trait in reports)
