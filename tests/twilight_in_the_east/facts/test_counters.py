"""Facts of counters: what the tracks let a counter print, and what the rosters that come with the game say (2.1, 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from assistant.game.games import Game
from assistant.game.turn_record import turns
from assistant.state.tracks import Source, Value
from assistant.util.errors import InputError
from twilight_in_the_east.combat.garrisons import is_inside
from twilight_in_the_east.forces.armies import is_asset_unit, is_cavalry_corps
from twilight_in_the_east.supply.sources import may_extend
from twilight_in_the_east.terms import (
    BATTERIES,
    BOYEN,
    BOYEN_SERVES,
    COMBAT_ARMS,
    DEPOTS,
    FIXED,
    FORTRESSES,
    KARPATEN,
    KG_TRAIN,
    LANDSTURM,
    SUPPLY_ARMS,
    VISTULA_BATTERIES,
)

from ...conftest import typed, viewed
from ..owner import owned_setup

IMMOBILE = LANDSTURM | BATTERIES | {KG_TRAIN}


def printed(game: Game, unit: str, track: str) -> Value | None:
    """What the rosters say of a counter; None if they say nothing."""
    return next((fact.value for fact in game.roster[unit].get(track, ())), None)


def units(game: Game, *arms: str, source: Source | None = None) -> Iterator[str]:
    """The units of some arms, if need be those of which a source knows something."""
    for unit in game.roster:
        known = {fact.source for facts in game.roster[unit].values() for fact in facts}
        if printed(game, unit, "arm") in arms and (source is None or source in known):
            yield unit


def illustrated(game: Game, *arms: str) -> list[str]:
    """The units of some arms whose every figure is made up."""
    return list(units(game, *arms, source=Source.ILLUSTRATIVE))


@pytest.mark.rule("3.1.1", "3.2")
def test_a_counter_is_of_one_of_three_nations_and_eight_types_but_for_dummies(twilight: Game) -> None:
    assert twilight.track("nation").values == ("german", "austro-hungarian", "russian")
    assert twilight.file.sides == {"central-powers": ("german", "austro-hungarian"), "russian": ("russian",)}
    assert [unit for unit in twilight.roster if printed(twilight, unit, "nation") is None] == []
    types = {*COMBAT_ARMS, "artillery", *FORTRESSES, "corps-train", *DEPOTS}
    assert set(twilight.track("arm").values) == {*types, "dummy"}
    assert [unit for unit in twilight.roster if printed(twilight, unit, "arm") is None] == []


@pytest.mark.rule("3.2")
@pytest.mark.parametrize(
    ("unit", "arm"),
    [
        ("1/1", "infantry"),
        ("2 c", "cavalry"),
        ("Nikolaiken", "artillery"),
        ("3 Train", "corps-train"),
        ("NINTH Minor Depot", "minor-depot"),
        ("NINTH Major Depot", "major-depot"),
        ("Boyen", "fortress"),
    ],
)
def test_the_types_of_units_that_the_rulebook_names(twilight: Game, unit: str, arm: str) -> None:
    assert printed(twilight, unit, "arm") == arm
    assert "rulebook" in {fact.source.value for fact in twilight.roster[unit]["arm"]}


@pytest.mark.rule("3.3.3")
def test_the_half_point_of_an_asterisk_is_half_a_point() -> None:
    view = viewed(
        "trust counters\n41.19: Tilsit, 1/1, 20 lw, german infantry III A rail-cost=1-1/2".replace("20 lw", '"20 lw"')
    )
    assert [view.points("rail-cost", unit) for unit in ("Tilsit", "1/1", "20 lw", "A")] == [
        Fraction(1, 2), 5, 2, Fraction(3, 2)
    ]  # fmt: skip
    with pytest.raises(InputError, match="not a number of points"):
        typed("41.19: german infantry III A rail-cost=*")


@pytest.mark.rule("3.3.3")
def test_what_entrains_has_rail_cost_points_as_the_brigade_of_the_example(twilight: Game) -> None:
    assert ("2", Source.RULEBOOK) in {(fact.value, fact.source) for fact in twilight.roster["20 lw"]["rail-cost"]}
    able = illustrated(twilight, *COMBAT_ARMS, "artillery", "corps-train")
    assert len(able) > 60
    assert [unit for unit in able if printed(twilight, unit, "rail-cost") is None] == []
    halves = [unit for unit in able if printed(twilight, unit, "rail-cost") == "0.5"]
    assert halves and {printed(twilight, unit, "size") for unit in halves} <= {"II", "-"}, "battalions and batteries"


@pytest.mark.rule("3.3.7")
def test_the_units_with_rules_of_their_own_are_in_the_roster(twilight: Game) -> None:
    named = IMMOBILE | {BOYEN, KARPATEN, *FIXED, *BOYEN_SERVES}
    assert named <= set(twilight.roster)


@pytest.mark.rule("3.4.4")
def test_asset_units_but_artillery_print_an_effectiveness(twilight: Game) -> None:
    assert "artillery" not in twilight.track("effectiveness").kinds
    assets = [unit for unit in illustrated(twilight, *COMBAT_ARMS) if printed(twilight, unit, "asset")]
    assert len(assets) == 10
    assert [unit for unit in assets if not printed(twilight, unit, "effectiveness")] == []
    guns = list(units(twilight, "artillery"))
    assert len(guns) > 10 and {printed(twilight, unit, "effectiveness") for unit in guns} == {None}


@pytest.mark.rule("3.6.2")
def test_minor_depots_print_limits_on_both_sides_and_others_on_the_back_alone(twilight: Game) -> None:
    depots = list(units(twilight, "minor-depot"))
    assert {(printed(twilight, unit, "ap-limit"), printed(twilight, unit, "extended-ap-limit")) for unit in depots} == {
        (4, 2)
    }
    others = [unit for unit in units(twilight, "corps-train", "major-depot") if may_extend(unit)]
    assert {printed(twilight, unit, "ap-limit") for unit in others} == {None}
    assert {
        (printed(twilight, unit, "arm"), printed(twilight, unit, "extended-ap-limit")) for unit in others
    } == {("corps-train", 2), ("major-depot", 4)}  # fmt: skip


@pytest.mark.rule("3.7")
def test_fortress_units_have_one_side(twilight: Game) -> None:
    two_sided = {track.name for track in twilight.tracks.values() if track.name.startswith("back-")}
    assert two_sided == {"back-steps", "back-defence", "back-artillery"}
    for track in two_sided:
        assert not set(twilight.track(track).kinds) & set(FORTRESSES)
    assert {printed(twilight, unit, track) for unit in units(twilight, *FORTRESSES) for track in two_sided} == {None}


@pytest.mark.rule("3.7.3", "3.7.4")
@pytest.mark.parametrize(("track", "rule"), [("supply-symbol", "3.7.3"), ("abandonment", "12.5.1")])
def test_what_a_fortress_unit_may_print_is_asked_for(twilight: Game, track: str, rule: str) -> None:
    declared = twilight.track(track)
    assert (declared.on, declared.printed, declared.absent, declared.rule) == ("unit", "counter", None, rule)


@pytest.mark.rule("3.7.4")
@pytest.mark.parametrize("number", ["0", "7"])
def test_an_abandonment_number_is_that_of_a_die(number: str) -> None:
    assert typed("41.19: austro-hungarian fort - B abandonment=6").state.value("abandonment", "B") == 6
    with pytest.raises(InputError, match="abandonment"):
        typed(f"41.19: austro-hungarian fort - B abandonment={number}")


@pytest.mark.rule("3.8")
def test_every_corps_train_has_the_id_of_its_corps(twilight: Game) -> None:
    trains = {unit: str(printed(twilight, unit, "corps")) for unit in units(twilight, "corps-train")}
    assert len(trains) > 20
    assert [unit for unit, corps in trains.items() if not unit.endswith(f"{corps} Train")] == []


@pytest.mark.rule("3.8", "3.8.1")
def test_formations_are_divisions_and_brigades_with_a_status_and_corps_have_no_size(twilight: Game) -> None:
    status = twilight.track("cel")
    assert (status.least, status.most, status.absent, status.hidden) == (-4, 0, 0, True)
    formations = [unit for unit in illustrated(twilight, *COMBAT_ARMS) if not printed(twilight, unit, "asset")]
    assert len(formations) > 40
    assert [unit for unit in formations if not printed(twilight, unit, "effectiveness")] == []
    formations = [unit for unit in illustrated(twilight, *COMBAT_ARMS) if not printed(twilight, unit, "asset")]
    assert {printed(twilight, unit, "size") for unit in formations} == {"XX", "X"}
    assert {printed(twilight, unit, "size") for unit in units(twilight, *SUPPLY_ARMS)} == {"-"}


@pytest.mark.rule("3.8.3")
def test_a_corps_has_its_limit_and_may_be_a_cavalry_corps(twilight: Game) -> None:
    limit, underscored = twilight.track("corps-limit"), twilight.track("cavalry-corps")
    assert (limit.printed, limit.absent, underscored.printed, underscored.absent) == ("counter", None, "counter", False)
    assert is_cavalry_corps("1 C", marked=False) and is_cavalry_corps("FR", marked=True)
    assert not is_cavalry_corps("1", marked=False)


@pytest.mark.rule("2.1h", "12.0")
def test_fortress_units_of_one_id_are_one_complex() -> None:
    view = viewed("""42.88: austro-hungarian fortress - A complex=Przemysl
43.88: austro-hungarian fortress - B complex=Przemysl
44.88: russian fortress - C complex=Warsaw
45.88: russian fortress - D""")
    assert is_inside(view, "42.88", "43.88") and is_inside(view, "43.88", "42.88")
    assert not is_inside(view, "43.88", "44.88") and not is_inside(view, "44.88", "45.88")
    assert is_inside(view, "45.88", "45.88"), "its own hex, complex or not"


@pytest.mark.rule("2.1a", "2.1g")
def test_a_combat_unit_is_a_formation_or_an_asset() -> None:
    view = viewed("""trust counters
41.19: 1/1, "20 lw", Tilsit, Nikolaiken
40.20: "1 c bd", "det 4+16/6", "3 Train", russian infantry II b, russian artillery - g, russian corps-train III t
""")
    known = {unit.id: (is_asset_unit(view, unit.id), view.word("arm", unit.id)) for unit in view.units()}
    assert known == {
        "1/1": (False, "infantry"),
        "20 lw": (False, "infantry"),
        "1 c bd": (True, "cavalry"),
        "det 4+16/6": (True, "infantry"),
        "Tilsit": (True, "infantry"),
        "Nikolaiken": (True, "artillery"),
        "3 Train": (False, "corps-train"),
        "b": (True, "infantry"),
        "g": (True, "artillery"),
        "t": (False, "corps-train"),
    }


@pytest.mark.rule("24.3")
def test_seven_trains_begin_incomplete(twilight: Game) -> None:
    begin = {f"{corps} Train" for corps in (3, 4, 6, 13, 15)} | {"Russian 1 Train", "Russian 20 Train"}
    assert begin <= set(units(twilight, "corps-train"))
    (event,) = (event for event in turns(twilight)[0].events if event.rule == "24.3")
    assert (event.who, event.text) == (
        "russian",
        "The Trains of the 1st, 3rd, 4th, 6th, 13th, 15th and 20th Corps begin Incomplete",
    )


@pytest.mark.rule("24.5")
@pytest.mark.parametrize(("unit", "range"), [("PRAGA", 7), ("PRAGA (Tannenberg)", 3)])
def test_the_two_praga_depots_have_their_ranges(twilight: Game, unit: str, range: int) -> None:
    assert printed(twilight, unit, "range") == range


# --- what a march and the railways ask for --------------------------------------------------------------------------------


def test_every_unit_of_the_set_up_has_what_marching_and_rail_ask_for(twilight: Game) -> None:
    state = owned_setup("19-august-1914", 2).state
    lacking = set()
    for unit in state.units.values():
        arm = printed(twilight, unit.type, "arm")
        wanted = (
            ("rail-allowance",) if arm in DEPOTS else () if arm in FORTRESSES else ("movement", "rail-cost", "size")
        )
        lacking |= {(unit.id, track) for track in wanted if printed(twilight, unit.type, track) is None}
    assert len(state.units) > 50
    assert lacking == set()


def test_all_but_the_immobile_have_an_allowance(twilight: Game) -> None:
    still = {
        unit
        for unit in illustrated(twilight, *COMBAT_ARMS, "artillery", "corps-train")
        if not printed(twilight, unit, "movement")
    }
    assert still == IMMOBILE - {*VISTULA_BATTERIES}  # which have no counters


def made_up(game: Game, unit: str, track: str) -> Value | None:
    """What the roster makes up of a counter; None if nothing."""
    facts = game.roster[unit].get(track, ())
    return next((fact.value for fact in facts if fact.source is Source.ILLUSTRATIVE), None)


FIXED_BY_THE_RULES: tuple[tuple[str, tuple[str, ...], frozenset[str], str, Callable[[Any], bool]], ...] = (
    ("24.3.2", ("corps-train",), frozenset({KG_TRAIN}), "movement", lambda points: points >= 7),
    ("8.2.7a", DEPOTS, FIXED, "rail-allowance", lambda points: points == 1),
    ("3.6.2", ("corps-train",), frozenset({KG_TRAIN}), "extended-ap-limit", lambda limit: limit == 2),
    ("3.6.2", ("minor-depot",), frozenset(), "ap-limit", bool),
    ("3.6.2", ("corps-train", "major-depot"), frozenset(), "ap-limit", lambda limit: limit is None),
    ("3.5", ("artillery",), frozenset(), "steps", lambda steps: steps == 1),
    ("3.5", ("artillery",), frozenset(), "asset", bool),
    ("3.4.4", ("artillery",), frozenset(), "effectiveness", lambda level: level is None),
    ("3.6.3", DEPOTS, frozenset(), "defence", lambda strength: strength is None),
)
"""Figures that the text fixes: its rule, the arms, the units that are an exception, the track, and what may stand there."""
FIXED_OF_UNITS: tuple[tuple[str, frozenset[str], str, Any], ...] = (
    ("22.4.1", LANDSTURM, "movement", 0),
    ("22.4.1", LANDSTURM, "defence-only", True),
    ("22.4.2", BATTERIES - {*VISTULA_BATTERIES}, "movement", 0),
    ("22.5.1", frozenset({KG_TRAIN}), "movement", 0),
    ("22.5.1", frozenset({KG_TRAIN}), "extended-range", None),
    ("24.5.1", frozenset({"PRAGA (Tannenberg)"}), "movement", 0),
    ("24.5.1", frozenset({"PRAGA (Tannenberg)"}), "extended-range", None),
    ("24.5", frozenset({"PRAGA (Tannenberg)"}), "range", 3),
)
"""The same of single units: the rule, the units, the track and its figure."""


@pytest.mark.rule("24.3.2", "8.2.7a", "3.6.2", "3.5", "3.4.4", "3.6.3")
@pytest.mark.parametrize(
    ("arms", "exempt", "track", "allowed"),
    [row[1:] for row in FIXED_BY_THE_RULES],
    ids=[f"{row[0]}-{row[3]}" for row in FIXED_BY_THE_RULES],
)
def test_no_made_up_figure_contradicts_what_the_rules_say_of_an_arm(
    twilight: Game, arms: tuple[str, ...], exempt: frozenset[str], track: str, allowed: Callable[[Any], bool]
) -> None:
    counters = [unit for unit in illustrated(twilight, *arms) if unit not in exempt]
    assert counters
    assert [unit for unit in counters if not allowed(made_up(twilight, unit, track))] == []


@pytest.mark.rule("22.4.1", "22.4.2", "22.5.1", "24.5.1")
@pytest.mark.parametrize(("counters", "track", "figure"), [row[1:] for row in FIXED_OF_UNITS])
def test_no_made_up_figure_contradicts_what_the_rules_say_of_a_unit(
    twilight: Game, counters: frozenset[str], track: str, figure: Value | None
) -> None:
    assert {unit: made_up(twilight, unit, track) for unit in counters} == dict.fromkeys(counters, figure)


@pytest.mark.rule("3.4.1", "3.4.1b", "3.6")
def test_made_up_backs_are_weaker_or_reach_farther(twilight: Game) -> None:
    """The back of a combat unit is half its strength, that of a supply unit has the longer range."""
    halves = {
        unit: (made_up(twilight, unit, "steps"), made_up(twilight, unit, "back-steps"))
        for unit in illustrated(twilight, *COMBAT_ARMS)
        if not made_up(twilight, unit, "asset")
    }
    assert len(halves) > 40
    assert [unit for unit, (front, back) in halves.items() if back != (int(str(front)) + 1) // 2] == []
    assert {
        made_up(twilight, unit, "back-steps") for unit in illustrated(twilight, *COMBAT_ARMS) if unit not in halves
    } == {0}
    ranges = {unit: made_up(twilight, unit, "extended-range") for unit in illustrated(twilight, *SUPPLY_ARMS)}
    shorter = [
        unit for unit, far in ranges.items() if far and int(str(far)) <= int(str(made_up(twilight, unit, "range")))
    ]
    assert shorter == []


def test_no_made_up_figure_contradicts_one_that_the_rulebook_prints(twilight: Game) -> None:
    printed_figures = {
        (unit, track, fact.value)
        for unit, tracks in twilight.roster.items()
        for track, facts in tracks.items()
        for fact in facts
        if fact.source is Source.RULEBOOK and made_up(twilight, unit, track) is not None
    }
    assert {(unit, track) for unit, track, _ in printed_figures} >= {("1/1", "defence"), ("20 lw", "movement")}
    assert [each for each in printed_figures if made_up(twilight, each[0], each[1]) != each[2]] == []


def test_figures_of_allowances_are_marked_as_made_up(twilight: Game) -> None:
    stated = {
        (unit, track)
        for unit, tracks in twilight.roster.items()
        for track in ("movement", "rail-cost")
        for fact in tracks.get(track, ())
        if fact.source is Source.RULEBOOK and fact.value != 0
    }
    assert stated == {("20 lw", "movement"), ("20 lw", "rail-cost")}
