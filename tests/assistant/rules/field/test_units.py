"""Who stands where: sides, zones over hexsides and what negates them, whose units a question is about, and who attacks whom."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest

from assistant.asking.report import MissingFacts
from assistant.asking.view import Gather, View
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.rules.field.attack_signs import attacks_shown
from assistant.rules.field.attacks import all_across, attacking_hexes, bars_by_turn, common_ring, defender_of
from assistant.rules.field.hexsides import Hexside, HexsideTracks
from assistant.rules.field.units import Field, PlaceZone, check_units, closed_hexes, side_of, sides_asked
from assistant.service import parse
from assistant.state.state import GameState, Unit, hexside
from assistant.state.tracks import Fact
from assistant.util.errors import InputError
from world_undone_east_prussia.ground import TRACKS as WORLD_TRACKS

from ....conftest import typed, viewed
from ....folders import game_of

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


# --- whose units a question is about ----------------------------------------------------------------------------------

TEXT = "41.19: german infantry XX G\n45.19: russian infantry XX R\n"


@pytest.fixture
def view() -> View:
    view = viewed(TEXT)
    view.state = msgspec.structs.replace(view.state, units={**view.state.units, "Off": Unit("Off", "Off", None)})
    return view


def test_units_on_the_map_of_any_or_of_one_side_pass(view: View) -> None:
    check_units(view, ["G", "R"], "", "hint")
    check_units(view, ["G"], "central-powers", "hint")


@pytest.mark.parametrize(
    ("unit", "side", "said"),
    [
        ("Off", "", "Off is not on the map"),
        ("R", "central-powers", "R is not a unit of the Central Powers\n  leave it out"),
    ],
)
def test_others_are_refused(view: View, unit: str, side: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_units(view, ["G", unit], side, "leave it out")


def test_a_game_says_which_places_count(view: View) -> None:
    with pytest.raises(InputError, match="G is not on the map"):
        check_units(view, ["G"], "", "hint", lambda place: place != "41.19")


def test_the_sides_are_those_named_then_those_of_the_units_then_the_viewpoints_then_the_active_one(view: View) -> None:
    assert sides_asked(view, "russian", ["G"], "central-powers") == ("russian",)
    assert sides_asked(view, "", ["R", "G", "R"], "russian") == ("russian", "central-powers")
    assert sides_asked(view, "", (), "russian") == ("russian",)
    assert sides_asked(view, "") == tuple(view.game.file.sides)
    view.state = msgspec.structs.replace(view.state, seen_by="russian")
    assert sides_asked(view, "", (), "central-powers") == ("russian",)
    view.state = msgspec.structs.replace(view.state, seen_by="umpire")
    assert sides_asked(view, "", (), "central-powers") == ("central-powers",)


# --- the hexes of an attack, and what all attackers cross -------------------------------------------------------------


def seen_world(text: str) -> View:
    position = typed(f"game world-undone-east-prussia-1914\n{text}")
    return View(position.game, position.state)


def test_the_hexes_adjacent_to_all_of_some() -> None:
    board = seen_world("turn=1").board
    assert common_ring(board, ["5420"]) == [*board.neighbours("5420")]
    assert set(common_ring(board, ["5420", "5421"])) == {"5321", "5521"}
    assert common_ring(board, ["5420", "5422"]) == ["5421"]
    assert common_ring(board, ["5420", "5425"]) == []


@pytest.mark.parametrize(
    ("text", "across"),
    [
        ("5320|5420 river\n5321|5420 river", True),
        ("5320|5420 river\n5321|5420 open", False),
        ("5321|5420 open", False),
    ],
)
def test_a_feature_that_all_attackers_cross(text: str, across: bool) -> None:
    view = seen_world(text)
    with view.gather() as facts:
        over = [Hexside(view, place, "5420", WORLD_TRACKS) for place in ("5320", "5321")]
        assert all_across(facts, over, "barrier", "river") is across
        assert not all_across(facts, [], "barrier", "river")


def test_hexsides_are_asked_for_together_where_none_is_known_to_lack_it() -> None:
    view = seen_world("5321|5420 river")
    with pytest.raises(MissingFacts) as missing, view.gather() as facts:
        all_across(
            facts, [Hexside(view, at, "5420", WORLD_TRACKS) for at in ("5320", "5321", "5419")], "barrier", "river"
        )
    assert [ask.key for ask in missing.value.asks] == [("barrier", "5320|5420"), ("barrier", "5419|5420")]


STANDING = "5320: XVII/36\n5321: I/2\n5420: III/25\n5421: III/27\n5219: I/1"


def test_who_defends_hexes_that_are_attacked_together() -> None:
    view = seen_world(STANDING)
    assert defender_of(view, ["5420", "5421"]) == "russian"
    with pytest.raises(InputError, match="nothing defends 5422"):
        defender_of(view, ["5420", "5422"])
    assert defender_of(view, ["5422"], lambda view, at: "german") == "german"
    with pytest.raises(InputError, match="5420 and 5321 are held by both sides"):
        defender_of(view, ["5420", "5321"])


def test_from_where_hexes_are_attacked() -> None:
    view = seen_world(STANDING)
    assert attacking_hexes(view, ["5420"], [], "german") == ["5321", "5320"]
    assert attacking_hexes(view, ["5420", "5421"], [], "german") == ["5321"]
    assert attacking_hexes(view, ["5420"], ["5219", "5219"], "german") == ["5219"]
    with pytest.raises(InputError, match="from: no attacker stands in 5421"):
        attacking_hexes(view, ["5420"], ["5320", "5421"], "german")


def test_a_game_may_count_neither_phases_nor_player_turns(tmp_path: Path) -> None:
    files = {"game.toml": 'title = "Moor"\nsides = { blue = ["blue"], red = ["red"] }\n', "tracks.toml": ""}
    game = game_of(tmp_path, files, "moor")
    assert bars_by_turn(View(game, build_state(game)), "blue", ["attack"], "1.1") == []


# --- attacks that marks on the map show -------------------------------------------------------------------------------

START = """game twilight-in-the-east
40.20: 25/3
40.19: 29/20
41.19: 1/1
42.22: 2/1
"""


def shown(before: Position, later: str) -> list[tuple[str, str]]:
    """The attacks that a later position shows: where, and from where if that is known."""
    after = parse(later, before) if later else before
    found = attacks_shown(*(View(position.game, position.state) for position in (before, after)))
    return [(one.parameters["at"], one.parameters.get("from", "")) for one in found]


def test_those_who_fought_around_a_hex_attacked_it() -> None:
    fought = "40.20: 25/3 fought\n40.19: 29/20 fought\n41.19: 1/1 fought"
    assert shown(parse(START), fought) == [("41.19", "40.19,40.20")]
    assert shown(parse(START), "40.20: 25/3 fought\n42.22: 2/1 fought") == []  # not adjacent
    assert shown(parse(fought.splitlines()[2], parse(START)), fought.splitlines()[0]) == []  # marked before


def test_of_two_hexes_the_phase_or_a_mark_tells_which_attacked() -> None:
    fought = "40.20: 25/3 fought\n41.19: 1/1 fought"
    assert shown(parse(START), fought) == [("40.20", "41.19"), ("41.19", "40.20")]
    assert shown(parse(f"{START}phasing=russian"), fought) == [("41.19", "40.20")]
    assert shown(parse(START), f"{fought}\n40.20 attacked") == [("40.20", "41.19"), ("40.20", "")]


def test_attacks_are_announced_and_ordered() -> None:
    assert shown(parse(f"{START}41.19 announced"), "") == [("41.19", "")]
    assert shown(parse("40.20: 25/3 prepared=41.19", parse(START)), "") == [("41.19", "")]
    assert shown(parse("40.20: 25/3 prepared=39.18", parse(START)), "") == []
    assert shown(parse(START), "") == []
