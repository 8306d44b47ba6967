"""The World Undone: one combat over several defending hexes, on tables that nobody has stated (6.0 to 6.3).

14 against 5 being 2:1 is the rulebook's figure; the others were worked out by hand. The field is made up: two defending
hexes, 2333 and 2334, and the only two hexes adjacent to both, 2233 behind a river and 2433 on dry ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assistant.asking.parameters import read_parameters
from assistant.asking.question import answer_question
from assistant.asking.report import MissingFacts, Report
from assistant.asking.view import View
from assistant.game.games import Game, read_game
from assistant.game.hexes import HexGrid
from assistant.game.states import Stated, build_state
from assistant.mechanics.chances import UnknownCells, chances
from assistant.mechanics.odds import odds_down
from assistant.mechanics.procedure import Modifier
from assistant.state.state import Cell, GameState, Unit
from assistant.state.tracks import Fact, Value
from assistant.util.errors import InputError

from .world_undone import (
    QUESTION,
    Before,
    Combatant,
    CombatParameters,
    CombatResult,
    combat,
    exposed,
    gather,
    is_flanked,
    modifiers,
    strength_of,
    terrain_drm,
)

FOLDER = Path(__file__).parent / "data" / "world_undone"
WEST, EAST = "2233", "2433"
DEFENDED = ("2333", "2334")


@pytest.fixture(scope="module")
def game() -> Game:
    return read_game("world-undone", FOLDER)


Facts = dict[tuple[str, str], Fact]


def facts_of(unit: str, nation: str, arm: str, strength: int | None, supplied: bool | None = True) -> Facts:
    """A unit's facts; None leaves one unstated."""
    said: dict[str, Value | None] = {"nation": nation, "arm": arm, "strength": strength, "supplied": supplied}
    return {(track, unit): Fact(value) for track, value in said.items() if value is not None}


GERMANS: Facts = facts_of("I 1", "german", "infantry", 9) | facts_of("I 2", "german", "infantry", 5)
RUSSIANS: Facts = facts_of("IV 30", "russian", "infantry", 3) | facts_of("IV 40", "russian", "infantry", 2)
PLACES = {"I 1": EAST, "I 2": EAST, "IV 30": "2333", "IV 40": "2334"}


def state(
    game: Game, places: Mapping[str, str] = PLACES, facts: Facts | None = None, board: str = "field", **more: Any
) -> GameState:
    """A state on the field, or on the printed map of which nothing is drawn (board "")."""
    units = [Unit(name, name, place, order) for order, (name, place) in enumerate(places.items())]
    known = {key: fact for key, fact in (GERMANS | RUSSIANS).items() if key[1] in places}
    return build_state(game, Stated(board=board, units=units, facts=known | (facts or {}), **more))


def asked(
    game: Game, of: GameState, attackers: str = "I 1, I 2", at: str = "2333, 2334", **answers: str
) -> Report[CombatResult]:
    """The question as a player types it."""
    view = View(game, of)
    return answer_question(QUESTION, view, read_parameters(QUESTION, view, {"attackers": attackers, "at": at}), answers)


def result(report: Report[CombatResult]) -> CombatResult:
    """The typed result, which has to be there."""
    assert report.result is not None
    return report.result


# --- sums, supply, ratio ----------------------------------------------------------------------------------------------


def test_fourteen_against_five_is_two_to_one() -> None:
    """The printed figure of 6.0."""
    assert str(odds_down(14, 5)) == "2:1"


def test_two_defending_hexes_are_one_sum(game: Game) -> None:
    """6.1: 9 and 5 against the 3 of one hex and the 2 of the other; woods in both."""
    found = result(asked(game, state(game)))
    assert (found.attack, found.defence, found.ratio) == (14, 5, "2:1")
    assert found.modifiers == (Modifier("6.3", "terrain", 1),)


def test_all_units_of_a_defending_hex_count(game: Game) -> None:
    """6.1: they may not be attacked one by one; 14 against 3 + 4 + 2."""
    third = facts_of("IV 41", "russian", "infantry", 4)
    found = result(asked(game, state(game, {**PLACES, "IV 41": "2333"}, third)))
    assert (found.defence, found.ratio) == (9, "1:1")


@pytest.mark.parametrize(("printed", "halved"), [(1, 1), (5, 3), (6, 3), (9, 5)])
def test_without_supply_each_unit_is_halved_and_rounded_up(printed: int, halved: int) -> None:
    """6.2, the reading of the two that contradict each other."""
    assert strength_of(Combatant("unit", EAST, printed, supplied=False)) == halved


def test_rounding_is_by_unit_not_by_sum(game: Game) -> None:
    """9 and 5 become 5 and 3, not 7; 3.4 would have them become 4 and 2, which the players may agree on."""
    unsupplied = facts_of("I 1", "german", "infantry", 9, False) | facts_of("I 2", "german", "infantry", 5, False)
    assert result(asked(game, state(game, facts=unsupplied))).attack == 8
    agreed = asked(game, state(game, facts=unsupplied, rulings={"supply-rounding": "down"}))
    assert result(agreed).attack == 6
    assert "supply-rounding=down" in agreed.parts[-1].steps[0].text


def test_a_fortress_adds_its_strength_and_supplies_its_defenders(game: Game) -> None:
    """6.1, 6.2: 14 against 3 of the fortress and 3 of a unit that has no Line of Supply and needs none."""
    inside = facts_of("IV 30", "russian", "infantry", 3, False)
    places = {"I 1": "2535", "I 2": "2535", "IV 30": "2536"}
    found = result(asked(game, state(game, places, inside), at="2536"))
    assert (found.defence, found.ratio) == (6, "2:1")


def test_nobody_there_is_no_combat(game: Game) -> None:
    """Neither units nor a fortress."""
    with pytest.raises(InputError, match="nobody defends 2532"):
        asked(game, state(game), at="2532")


# --- who may take part ------------------------------------------------------------------------------------------------


def test_every_attacker_must_be_adjacent_to_every_defending_hex(game: Game) -> None:
    """6.1: from 2332 only the northern of the two hexes can be attacked."""
    away = state(game, {**PLACES, "I 2": "2332"})
    refused = asked(game, away)
    assert refused.verdict.kind == "no"
    assert refused.verdict.text == "this attack is not allowed: I 2 in 2332 is not adjacent to 2334"
    assert asked(game, away, at="2333").verdict.kind == "figure"


def test_heavy_artillery_does_not_attack_alone(game: Game) -> None:
    """3.1."""
    gun = facts_of("1HA", "german", "heavy-artillery", None)
    alone = asked(game, state(game, {**PLACES, "1HA": WEST}, gun), attackers="I 1, I 2, 1HA")
    assert alone.verdict.text.endswith("1HA may not attack without other units in its hex")


# --- modifiers --------------------------------------------------------------------------------------------------------


def drms(report: Report[CombatResult]) -> dict[str, int]:
    """The modifiers by what they are for."""
    return {modifier.why: modifier.amount for modifier in result(report).modifiers}


def test_the_river_counts_only_between_all_attackers_and_all_defenders(game: Game) -> None:
    """6.3: from 2233 both defending hexes lie beyond the river; one unit at 2433 undoes it."""
    across = state(game, {**PLACES, "I 1": WEST, "I 2": WEST})
    assert drms(asked(game, across)) == {"terrain": 1, "all across a river": 3}
    assert drms(asked(game, state(game, {**PLACES, "I 1": WEST}))) == {"terrain": 1}


def test_one_dry_hexside_to_one_of_the_defending_hexes_undoes_the_river(game: Game) -> None:
    """The state overrules the map: no river between 2233 and the southern hex."""
    dry: Facts = {("river", "2233|2334"): Fact(False)}
    across = {**PLACES, "I 1": WEST, "I 2": WEST}
    assert drms(asked(game, state(game, across, dry))) == {"terrain": 1}
    assert drms(asked(game, state(game, across, dry), at="2333")) == {"terrain": 1, "all across a river": 3}


def test_heavy_artillery_is_cumulative_and_defends_alone_with_one(game: Game) -> None:
    """6.3, 3.1: two guns attack with a unit, one defends with a unit; another is alone in its hex and only adds 1."""
    guns = {name: facts_of(name, "german", "heavy-artillery", None) for name in ("1HA", "2HA")}
    guns |= {name: facts_of(name, "russian", "heavy-artillery", None) for name in ("3HA", "4HA")}
    places = {"I 1": EAST, "I 2": WEST, "1HA": EAST, "2HA": WEST, "IV 30": "2333", "3HA": "2333", "4HA": "2334"}
    found = asked(game, state(game, places, {k: v for of in guns.values() for k, v in of.items()}), "I 1,I 2,1HA,2HA")
    assert drms(found) == {"terrain": 1, "attacking heavy artillery": -2, "defending heavy artillery": 1}
    assert (result(found).attack, result(found).defence, result(found).drm) == (14, 3 + 1, 0)


def test_all_modifiers_add_up() -> None:
    """Swamp 2, river 3, flanking -1, guns -2 and +1."""
    assert sum(one.amount for one in modifiers(2, True, True, 2, 1)) == 2 + 3 - 1 - 2 + 1


def test_defending_hexes_of_different_terrain_are_a_ruling(game: Game) -> None:
    """6.3 speaks of one hex; with a wood and a swamp the lesser counts unless the players agree otherwise."""
    assert terrain_drm(["forest", "swamp"], "least") == 1
    places = {"I 1": "2434", "I 2": "2434", "IV 30": "2334", "IV 40": "2335"}
    by_default = asked(game, state(game, places), at="2334, 2335")
    agreed = asked(game, state(game, places, rulings={"mixed-terrain": "greatest"}), at="2334, 2335")
    assert (drms(by_default), drms(agreed)) == ({"terrain": 1}, {"terrain": 2})


# --- flanking ---------------------------------------------------------------------------------------------------------

NORTH_AND_SOUTH = {"I 1": "2332", "I 2": "2334", "IV 30": "2333"}


def test_attackers_north_and_south_flank_one_hex(game: Game) -> None:
    """6.3: they stand in two hexes of the ring and have the other four in their zones, on dry ground."""
    dry: Facts = {("river", "2233|2334"): Fact(False)}
    assert drms(asked(game, state(game, NORTH_AND_SOUTH, dry), at="2333")) == {"terrain": 1, "flanking attack": -1}


def test_no_zone_reaches_across_a_river(game: Game) -> None:
    """3.3: the river between 2334 and 2233 leaves that hex of the ring open."""
    assert drms(asked(game, state(game, NORTH_AND_SOUTH), at="2333")) == {"terrain": 1}


def test_only_participants_flank(game: Game) -> None:
    """6.3: the southern unit stays out of the combat."""
    dry: Facts = {("river", "2233|2334"): Fact(False)}
    assert drms(asked(game, state(game, NORTH_AND_SOUTH, dry), attackers="I 1", at="2333")) == {"terrain": 1}


def test_a_fortress_in_the_ring_keeps_zones_out() -> None:
    """3.3: no unit's zone enters an enemy fortress hex."""
    grid = HexGrid(columns=(1, 60), rows=(1, 60))

    def neighbours(place: str) -> tuple[str, ...]:
        return tuple(map(grid.name, grid.neighbours(grid.parse(place)).values()))

    ring = exposed(["2333"], neighbours)
    attackers = ["2332", "2334"]
    assert is_flanked(ring, attackers, neighbours, lambda here, there: False)
    assert not is_flanked(ring, attackers, neighbours, lambda here, there: False, fortresses={"2233"})


@pytest.mark.parametrize("other", ["2334", "2433", "2432", "2331", "2532", "2533"])
def test_two_defending_hexes_can_never_be_flanked(other: str) -> None:
    """All attackers have to be adjacent to both (6.1), and from there their zones leave part of the common ring open."""
    grid = HexGrid(columns=(1, 60), rows=(1, 60))

    def neighbours(place: str) -> tuple[str, ...]:
        return tuple(map(grid.name, grid.neighbours(grid.parse(place)).values()))

    at = ["2333", other]
    everybody = set(neighbours("2333")) & set(neighbours(other))
    assert everybody
    assert not is_flanked(exposed(at, neighbours), everybody, neighbours, lambda here, there: False)


# --- what nobody has stated -------------------------------------------------------------------------------------------


def test_the_unknown_table_is_asked_for_cell_by_cell(game: Game) -> None:
    """A die of 4, +1 for the woods: the cell for 5 at 2:1 of the Germans' table; all before it stays in the report."""
    report = asked(game, state(game), combat="4")
    assert (report.verdict.kind, report.result) == ("undecided", None)
    assert [(one.kind, one.how) for one in report.asks] == [("cell", "chart crt-german 2:1 5 = result")]
    assert [step.text for step in report.parts[0].steps] == ["14 against 5 is 2:1", "terrain: +1"]


def test_the_attacking_side_has_its_own_table(game: Game) -> None:
    """6.0: Russians attacking 2433 at 5 against 14 are 1:3, without modifiers."""
    report = asked(game, state(game), attackers="IV 30, IV 40", at=EAST, combat="1")
    assert [one.how for one in report.asks] == ["chart crt-russian 1:3 1 = result"]


def test_no_ratio_is_too_high_for_a_table_of_unknown_width(game: Game) -> None:
    """6.0: 14 against 1 is 14:1, and the cell of that column is asked for; the owner sees where his table ends."""
    weak = facts_of("IV 30", "russian", "infantry", 1)
    report = asked(game, state(game, facts=weak), at="2333", combat="6")
    assert [one.how for one in report.asks] == ["chart crt-german 14:1 7 = result"]


def test_before_the_die_the_roll_is_asked_for_with_its_modifiers(game: Game) -> None:
    """6.3: known beforehand."""
    (roll,) = asked(game, state(game)).asks
    assert (roll.kind, roll.name, roll.dice) == ("roll", "combat", "1d6")
    assert roll.modifiers == {"combat": (Modifier("6.3", "terrain", 1),)}


def test_chances_name_every_cell_they_lack(game: Game) -> None:
    """Six faces, each a cell further by the modifier."""
    start = Before("crt-german", "2:1", (Modifier("6.3", "terrain", 1),))
    with pytest.raises(UnknownCells) as unknown:
        chances(combat(View(game, state(game)).cell), start, policy=lambda choice: "")
    assert unknown.value.cells == tuple(("crt-german", ("2:1", die)) for die in range(2, 8))


def test_a_stated_cell_settles_it(game: Game) -> None:
    """The owner reads his table: D2."""
    cells = {("crt-german", ("2:1", 5)): game.chart("crt-german").cell("D2")}
    report = asked(game, state(game, cells=cells), combat="4")
    assert (report.verdict.kind, report.verdict.text, report.asks) == ("figure", "2:1, +1: D2", ())


def test_six_stated_cells_give_chances(game: Game) -> None:
    """Made-up results, to see that the die and its modifier lead to the right cells."""
    results = {2: "AE", 3: "A1", 4: "EX", 5: "EX", 6: "D1", 7: "DE"}
    cells: dict[Any, Cell] = {("crt-german", ("2:1", die)): Cell({"result": text}) for die, text in results.items()}
    start = Before("crt-german", "2:1", (Modifier("6.3", "terrain", 1),))
    found = chances(combat(View(game, state(game, cells=cells)).cell), start, policy=lambda choice: "")
    assert found.marginal("result")["EX"] == Fraction(1, 3)
    assert sum(found.marginal("result").values()) == 1


def test_gather_lists_everything_that_is_missing_at_once(game: Game) -> None:
    """On the printed map, of which nothing is known: one unit's strength, another's supply, woods and rivers."""
    left_out = {("strength", "I 1"), ("supplied", "IV 40")}
    unstated = {key: fact for key, fact in (GERMANS | RUSSIANS).items() if key not in left_out}
    units = [Unit(name, name, place, order) for order, (name, place) in enumerate(PLACES.items())]
    view = View(game, build_state(game, Stated(units=units, facts=unstated)))
    with pytest.raises(MissingFacts) as missing:
        gather(view, CombatParameters(attackers=("I 1", "I 2"), at=DEFENDED))
    assert {one.how for one in missing.value.asks} == {
        '"I 1" strength=N',
        '"IV 40" supplied',
        "2333 clear|forest|swamp",
        "2334 clear|forest|swamp",
        "2333|2433 river",
        "2334|2433 river",
    }


def test_the_question_turns_missing_facts_into_an_undecided_report(game: Game) -> None:
    """The same through the question: nothing is guessed."""
    report = asked(game, state(game, board=""))
    assert (report.verdict.kind, report.result) == ("undecided", None)
    assert len(report.asks) == 4


def test_one_hexside_known_to_be_dry_settles_the_river(game: Game) -> None:
    """6.3: the other hexside is then not asked for."""
    dry: Facts = {("river", "2333|2433"): Fact(False)}
    report = asked(game, state(game, facts=dry, board=""))
    assert [one.how for one in report.asks] == ["2333 clear|forest|swamp", "2334 clear|forest|swamp"]


def test_an_assumed_river_that_matters_leaves_the_verdict_open(game: Game) -> None:
    """With the river the modifier is +4, without it +1: the fact in doubt is named."""
    across = {**PLACES, "I 1": WEST, "I 2": WEST}
    doubtful: Facts = {("river", "2233|2333"): Fact(True, assumed=True)}
    report = asked(game, state(game, across, doubtful))
    assert report.verdict.kind == "undecided"
    assert report.verdict.text.endswith("(if river of 2233|2333 is yes)")
    assert report.cautions[0].text.endswith("with no: 2:1, +1; roll 1d6")


def test_an_assumed_fact_that_does_not_matter_is_only_a_caution(game: Game) -> None:
    """Whether the unit of 2 is in supply: 14 against 7 is 2:1, and against 6 it is 2:1 as well."""
    strong = facts_of("IV 30", "russian", "infantry", 5) | facts_of("IV 40", "russian", "infantry", 2)
    report = asked(game, state(game, facts=strong | {("supplied", "IV 40"): Fact(True, assumed=True)}))
    assert report.verdict.kind == "figure"
    assert [caution.text for caution in report.cautions] == ["assumed: IV 40, Line of Supply: yes"]
