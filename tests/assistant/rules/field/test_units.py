"""Who stands where: any number of sides, zones over hexsides, what negates them, and what is only taken to be so."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from assistant.asking.report import MissingFacts
from assistant.asking.view import Gather, View
from assistant.game.games import Game
from assistant.rules.field.hexsides import Hexside, HexsideTracks
from assistant.rules.field.units import Field, PlaceZone, closed_hexes, side_of
from assistant.state.state import GameState, Unit, hexside
from assistant.state.tracks import Fact

TRACKS = HexsideTracks(lies="barrier", terrain="terrain", links=("rail", "road"))


def position(game: Game, units: dict[str, tuple[str, str | None]], **barriers: str) -> View:
    """Units by id, each with nation and hex, and what lies between 41.19 and the hexes that are named."""
    facts = {("nation", id): Fact(nation) for id, (nation, _) in units.items()}
    facts |= {("barrier", hexside("41.19", f"{hex[1:3]}.{hex[3:]}")): Fact((word,)) for hex, word in barriers.items()}
    units_by_id = {id: Unit(id, id, place) for id, (_, place) in units.items()}
    return View(game, GameState(game=game.id, units=units_by_id, facts=facts))


def field(facts: Gather, **more: object) -> Field:
    return Field(
        facts,
        lambda facts, unit: not unit.id.startswith("gun"),
        lambda here, there: Hexside(facts.view, here, there, TRACKS),
        lambda over: "lake" not in over.lies,
        **more,  # type: ignore[arg-type]
    )


ALL = {"a": ("german", "41.19"), "gun": ("german", "45.19"), "b": ("russian", "43.19"), "off": ("russian", None)}


def test_units_and_hexes_by_side(twilight: Game) -> None:
    with position(twilight, ALL).gather() as facts:
        found = field(facts)
        assert [unit.id for unit in found.units("central-powers")] == ["a", "gun"]
        assert (found.holds("central-powers"), found.enemy("central-powers")) == ({"41.19", "45.19"}, {"43.19"})
        assert field(facts, without={"a"}).holds("central-powers") == {"45.19"}
        assert field(facts, near={"41.19"}).holds("central-powers") == {"41.19"}
        assert field(facts, near={"41.19"}).enemy("central-powers") == frozenset()
        assert field(facts).holds("nobody") == frozenset()


def test_a_zone_reaches_the_hexes_around_but_over_what_stops_it(twilight: Game) -> None:
    view = position(twilight, ALL, h4118="lake", h4219="open")
    with view.gather() as facts:
        found = field(facts)
        assert found.zone("central-powers") == set(view.board.neighbours("41.19")) - {"41.18"}, "guns have none"
        assert found.zone("central-powers", only=lambda unit: unit.id == "gun") == frozenset()
        assert found.enemy_zone("russian") == found.zone("central-powers")
        others = set(view.board.neighbours("41.19")) - {"41.18", "42.19"}
        assert found.unstated("central-powers") == {hexside("41.19", hex) for hex in others}
        assert found.unstated("russian") == frozenset(), "its zones have not been asked for"


def test_of_several_enemies_the_nearest_counts(twilight: Game) -> None:
    view = position(twilight, {**ALL, "far": ("russian", "47.19"), "aside": ("russian", None)})
    with view.gather() as facts:
        around = field(facts).around("central-powers")
        assert [around.nearest_enemy(hex) for hex in ("41.19", "44.19", "46.19")] == [2, 1, 1]
        assert field(facts, without={"b", "far"}).around("central-powers").nearest_enemy("41.19") is None


def test_as_one_side_sees_it(twilight: Game) -> None:
    view = position(twilight, {**ALL, "c": ("german", "42.19")})
    with view.gather() as facts:
        around = field(facts).around("central-powers")
    assert (around.friends, around.enemies) == ({"41.19", "42.19", "45.19"}, {"43.19"})
    assert {"43.18", "44.19"} <= around.closed
    assert "42.19" in around.enemy_zones - around.closed, "a friend stands there"
    assert (around.nearest_enemy("41.19"), around.nearest_enemy("43.19")) == (2, 0)
    assert all("44.19" in side for side in around.unstated({"44.19"}))
    assert around.unstated({"41.18"}) == [], "no zone that matters reaches there"


def test_hexes_are_closed_by_enemies_and_by_zones_that_nothing_negates() -> None:
    assert closed_hexes({"a"}, {"b", "c"}, {"b", "a"}) == {"a", "c"}


def test_three_sides_are_each_others_enemies(twilight: Game) -> None:
    """The Austro-Hungarian army on a side of its own."""
    sides = {"german": ("german",), "austrian": ("austro-hungarian",), "russian": ("russian",)}
    file = msgspec.structs.replace(twilight.file, sides=sides)
    game = Game(twilight.id, twilight.folder, file, twilight.tracks)
    with position(game, {**ALL, "c": ("austro-hungarian", "50.19")}).gather() as facts:
        found = field(facts)
        assert found.enemy("russian") == {"41.19", "45.19", "50.19"}
        assert found.enemy("austrian") == {"41.19", "45.19", "43.19"}
        assert set(found.enemies_of("austrian")) == {"german", "russian"}
        assert found.enemy_zone("austrian") == found.zone("german") | found.zone("russian")


def test_a_nation_that_is_not_stated_is_asked_for_unless_its_unit_is_left_out(twilight: Game) -> None:
    view = View(twilight, GameState(game=twilight.id, units={"x": Unit("x", "x", "41.19")}))
    with pytest.raises(MissingFacts) as missing, view.gather() as facts:
        assert side_of(facts, view.unit("x")) == ""
        assert field(facts).sides == ()
    assert [ask.key for ask in missing.value.asks] == [("nation", "x")]
    with view.gather() as facts:
        pass
    with pytest.raises(MissingFacts):
        facts.word("nation", "x")
    with view.gather() as facts:
        assert field(facts, without={"x"}).sides == ()


def test_a_hexside_is_read_as_far_as_it_is_needed(twilight: Game) -> None:
    view = position(twilight, ALL, h4118="lake")
    over = partial(Hexside, view, tracks=TRACKS)
    lake, unknown = over("41.18", "41.19"), over("41.19", "42.19")
    assert (lake.name, lake.lies, lake.is_stated) == ("41.18|41.19", {"lake"}, True)
    assert (unknown.lies, unknown.is_stated, unknown.linked, unknown.enters) == (frozenset(), False, False, "")
    assert set(view.premises.facts) == {("barrier", "41.18|41.19")}
    with pytest.raises(MissingFacts) as missing, view.gather() as facts:
        assert Hexside(facts, "41.19", "42.19", TRACKS).lies == frozenset()
    assert [ask.key for ask in missing.value.asks] == [("barrier", "41.19|42.19")]


# --- places with zones of their own -----------------------------------------------------------------------------------

FORT = PlaceZone("43.20", "russian", "the fort in 43.20", frozenset({"42.19", "42.20", "43.19"}))


def test_a_place_has_a_zone_without_a_unit(twilight: Game) -> None:
    view = position(twilight, {"a": ("german", "41.19"), "b": ("russian", "42.21")})
    with view.gather() as facts:
        found = field(facts, places=[FORT])
        around = found.around("central-powers")
        assert found.zone("russian") >= FORT.hexes
        assert found.zone("russian", only=lambda unit: True).isdisjoint({"42.19", "43.19"}), "units alone"
        assert found.zone("central-powers").isdisjoint({"43.19"})
        assert (found.holds("russian"), found.enemies_at("central-powers", "43.20")) == ({"42.21"}, ())
        assert FORT.hexes - around.closed == set()
        assert [unit.id for unit in found.reaching("central-powers", "42.20")] == ["b"]
        assert found.whose_zones("central-powers", "42.20") == ("b", "the fort in 43.20")
        assert found.places_reaching("central-powers", "43.19") == (FORT,)
        assert found.places_reaching("russian", "43.19") == found.places_reaching("central-powers", "43.20") == ()


def test_a_side_may_have_places_and_no_units(twilight: Game) -> None:
    with position(twilight, {"a": ("german", "41.19")}).gather() as facts:
        found = field(facts, places=[FORT])
        assert (found.sides, found.units("russian")) == (("central-powers", "russian"), ())
        assert field(facts).sides == ("central-powers",)
