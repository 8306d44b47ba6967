"""Kaiser's War in the East: one combat from the declared attack to the units that are lost (14.8 to 14.16).

The figures are those of the rulebook's examples in 14.13 and 14.16; the others were worked out by hand.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from assistant.game.charts import Chart
from assistant.game.games import Game, read_game
from assistant.game.hexes import HexGrid
from assistant.mechanics.chances import UnknownCells, chances
from assistant.mechanics.procedure import AnswerError, Choice, Resolution, resolve
from assistant.questions.asking import asks_of
from assistant.questions.view import View
from assistant.state.changes import Change, Gain
from assistant.state.state import GameState, Unit, hexside
from assistant.util.errors import InputError

from .kaisers_war import (
    Combatant,
    across_water,
    attack_of,
    attack_strength,
    column,
    defence_strength,
    in_radius,
    is_concentric,
    may_attack_together,
    percentage,
)
from .kaisers_war_results import (
    POINTS,
    Battle,
    Declared,
    Fought,
    LookUp,
    changes,
    choose_table,
    combat,
    result_of,
    survivors,
)

FOLDER = Path(__file__).parent / "data" / "kaisers_war"
TARGET = "2115"
NORTH, SOUTH, SOUTHEAST = "2114", "2116", "2215"

NINTH = Combatant("9 Army", "german", "army", 12, 12, 4, NORTH)
STOSS = Combatant("St Corps", "german", "corps", 5, 3, 4, SOUTH, shock=True)
ALPINE = Combatant("AK", "german", "corps", 4, 3, 4, SOUTH, alpine=True)
AUSTRIAN = Combatant("7 AH Army", "austro-hungarian", "army", 8, 8, 4, SOUTH)
OBER_OST = Combatant("Ober Ost", "german", "headquarters", 3, 1, 2, "2111")
SECOND = Combatant("2 Army", "russian", "army", 6, 8, 3, TARGET)
SIXTH = Combatant("6 Army", "russian", "army", 5, 6, 3, TARGET)
GUARD = Combatant("Gd Corps", "russian", "corps", 3, 3, 3, TARGET)
WARSAW = Combatant("Warsaw", "russian", "fortress", 0, 4, 0, TARGET)
ROMANIAN = Combatant("1 Rom Army", "romanian", "army", 4, 5, 3, TARGET)
CORPS = ("1 Corps", "4 Corps", "5 Corps", "15 Corps", "23 Corps", "27 Corps")


@pytest.fixture(scope="module")
def game() -> Game:
    return read_game("kaisers-war", FOLDER)


@pytest.fixture(scope="module")
def look_up(game: Game) -> LookUp:
    return View(game, game.state()).cell


def battle(
    attackers: tuple[Combatant, ...], defenders: tuple[Combatant, ...], russian: tuple[str, ...] = CORPS, **more: bool
) -> Battle:
    """Central Powers attack the Allies; both have corps available, the Germans three."""
    available = {"russian": russian, "german": ("I Corps", "II Corps", "XX Corps")}
    return Battle(TARGET, attackers, defenders, available, {"attacker": "central-powers", "defender": "allies"}, **more)


# --- the printed percentages of 14.13 ---------------------------------------------------------------------------------


def test_example_one_with_the_right_and_with_the_misprinted_division() -> None:
    """20 against 12 is 166 percent, 20 against 13 is 153: the same column, and there is none from 100 to 199."""
    attack = attack_strength([NINTH, STOSS], OBER_OST, concentric=False)
    assert (attack, percentage(attack, 12), column(attack, 12)) == (20, 166, "150-199")
    assert (percentage(20, 13), column(20, 13)) == (153, "150-199")


def test_example_two() -> None:
    """10 against 12 is 83 percent."""
    assert (percentage(10, 12), column(10, 12)) == (83, "50-99")


@pytest.mark.parametrize(
    ("attack", "defence", "found"),
    [
        (0, 7, "<=49"),
        (1, 2, "50-99"),
        (999, 1000, "50-99"),  # 99.9 drops its fraction
        (1, 1, "100-149"),
        (149, 100, "100-149"),
        (2, 1, "200-299"),
        (599, 100, "500-599"),
        (6, 1, ">=600"),
        (90, 1, ">=600"),
    ],
)
def test_where_columns_begin_and_end(attack: int, defence: int, found: str) -> None:
    """Each column begins at its own whole percent (14.13)."""
    assert column(attack, defence) == found


# --- attack bonuses, unit by unit -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("supplied", "concentric", "rough", "strength"),
    [
        (False, False, False, 4),
        (True, False, False, 8),
        (False, True, False, 8),
        (False, False, True, 8),
        (True, True, False, 12),
        (True, False, True, 12),
        (True, True, True, 12),
    ],
)
def test_one_bonus_doubles_and_more_triple(supplied: bool, concentric: bool, rough: bool, strength: int) -> None:
    """14.9 and 21.3: never four times, whatever comes together."""
    assert attack_of(ALPINE._replace(supplied=supplied), concentric, rough) == strength


def test_supply_is_settled_unit_by_unit() -> None:
    """17.13: the army is in radius (24), the corps is not (5), the HQ neither (3); concentric then 36 + 10 + 6."""
    attackers = [NINTH._replace(supplied=True), STOSS]
    assert attack_strength(attackers, OBER_OST, concentric=False) == 24 + 5 + 3
    assert attack_strength(attackers, OBER_OST, concentric=True) == 36 + 10 + 6
    assert attack_strength(attackers, OBER_OST._replace(supplied=True), concentric=True) == 36 + 10 + 9


def test_terrain_and_river_together_only_double() -> None:
    """14.11: no defender is ever more than doubled."""
    defenders = [SECOND, GUARD]
    assert defence_strength(defenders, terrain_doubles=False, all_across_water=False) == 11
    assert defence_strength(defenders, terrain_doubles=True, all_across_water=False) == 22
    assert defence_strength(defenders, terrain_doubles=False, all_across_water=True) == 22
    assert defence_strength(defenders, terrain_doubles=True, all_across_water=True) == 22


def test_a_river_helps_only_if_every_attacker_crosses_one() -> None:
    """14.11(2)."""
    river = {hexside(NORTH, TARGET)}
    assert across_water([NINTH], TARGET, river)
    assert not across_water([NINTH, STOSS], TARGET, river)
    assert across_water([NINTH, STOSS], TARGET, river | {hexside(SOUTH, TARGET)})


def test_nations_attack_together_only_under_an_hq_of_one_of_them() -> None:
    """14.10, 19.2, 19.3."""
    assert may_attack_together([NINTH, STOSS], None)
    assert not may_attack_together([NINTH, AUSTRIAN], None)
    assert may_attack_together([NINTH, AUSTRIAN], OBER_OST)
    assert not may_attack_together([AUSTRIAN], OBER_OST)


# --- concentric attacks and radius ------------------------------------------------------------------------------------

GRID = HexGrid(columns=(1, 40), rows=(1, 40))


def test_two_attackers_opposite_each_other_are_concentric() -> None:
    """Each stands in one of the six hexes and covers the two beside it (14.8)."""
    assert is_concentric(TARGET, [NINTH, STOSS], GRID)
    assert not is_concentric(TARGET, [NINTH, STOSS._replace(place=SOUTHEAST)], GRID)


def test_only_units_in_the_attack_count() -> None:
    """The third unit of the same side closes the ring only if it attacks as well."""
    apart = [NINTH, STOSS._replace(place=SOUTHEAST)]
    assert is_concentric(TARGET, [*apart, AUSTRIAN._replace(place="2015")], GRID)


def test_a_unit_without_movement_covers_only_its_own_hex() -> None:
    """13.0: no zone of control."""
    assert not is_concentric(TARGET, [NINTH, STOSS._replace(movement=0)], GRID)


def test_a_fortress_in_the_hex_needs_an_hq() -> None:
    """14.8, 20.2, and the siege guns of 19.5."""
    assert not is_concentric(TARGET, [NINTH, STOSS], GRID, enemy_fortresses={TARGET})
    assert is_concentric(TARGET, [NINTH, STOSS], GRID, OBER_OST, enemy_fortresses={TARGET})


def test_an_enemy_fortress_in_the_ring_is_never_covered() -> None:
    """13.2 is absolute: not even with an HQ."""
    assert not is_concentric(TARGET, [NINTH, STOSS], GRID, OBER_OST, enemy_fortresses={"2015"})


def test_an_all_sea_hexside_stops_a_zone_unless_the_hex_beyond_cannot_be_played() -> None:
    """13.1 and the reading of 14.8: such a hex must be covered, and zones are taken to reach it."""
    coast = {hexside(SOUTH, SOUTHEAST)}
    assert not is_concentric(TARGET, [NINTH, STOSS], GRID, all_sea=coast)
    assert is_concentric(TARGET, [NINTH, STOSS], GRID, all_sea=coast, unplayable={SOUTHEAST})


def test_hexes_off_the_map_have_to_be_covered_too() -> None:
    """At the western edge four hexes of the ring are on the map; these two attackers cover those, but not all six."""
    edge = "0115"
    north, southeast, south = (NINTH._replace(place="0114"), STOSS._replace(place="0215"), STOSS._replace(place="0116"))
    assert not is_concentric(edge, [north, southeast], GRID)
    assert is_concentric(edge, [north, south], GRID)


def test_a_radius_ends_in_the_first_enemy_zone() -> None:
    """17.3: it may be traced into an enemy zone, not on from there; 17.4: from inside one it reaches its own hex."""
    wall = {f"{number:02}13" for number in range(1, 41)}
    free = in_radius(OBER_OST.place, 3, GRID, enemies=(), enemy_zone=())
    barred = in_radius(OBER_OST.place, 3, GRID, enemies=(), enemy_zone=wall)
    assert "2114" in free and "2115" not in free
    assert "2113" in barred and "2114" not in barred
    assert in_radius("2113", 3, GRID, enemies=(), enemy_zone=wall) == {"2113"}
    assert "2112" not in in_radius(OBER_OST.place, 3, GRID, enemies={"2112"}, enemy_zone=())


# --- the two tables ---------------------------------------------------------------------------------------------------


def row(chart: Chart, die: int) -> str:
    """One printed row of a table."""
    return " ".join(str(chart.cells[name, die].values["result"]) for name in chart.keys[0].values)


def test_the_tables_are_complete_and_read_as_printed(game: Game) -> None:
    """Six rows of nine results each; the first and the last rows of both."""
    assert [len(game.charts[name].cells) for name in ("standard", "shock")] == [54, 54]
    assert row(game.charts["standard"], 1) == "AZ AZ AD AD AD ST BB BB BB"
    assert row(game.charts["standard"], 6) == "AD DD DD DD DD DD DZ DZ DZ"
    assert row(game.charts["shock"], 1) == "AZ AD AD AD AD MD MD MD MD"
    assert row(game.charts["shock"], 6) == "AD DP DP DP BT BT BT BT BT"


def test_a_result_that_the_game_does_not_have_is_refused(game: Game) -> None:
    """The chart's own notation."""
    with pytest.raises(InputError, match="result: 'XX' is not allowed"):
        game.charts["standard"].cell("XX")


def test_the_shock_table_needs_a_shock_unit(look_up: LookUp) -> None:
    """14.12: with one both are on offer, without one only the Standard table, and asking for the other is refused."""
    declared = Declared("150-199")
    with_one, without = battle((NINTH, STOSS), (SECOND,)), battle((NINTH,), (SECOND,))
    assert tuple(choose_table(with_one, declared).options) == ("standard", "shock")
    assert tuple(choose_table(without, declared).options) == ("standard",)
    with pytest.raises(AnswerError, match="'shock' is not an option of table"):
        resolve(combat(without, look_up), declared, {"table": "shock"})


# --- the die: as it fell, and all faces at once -----------------------------------------------------------------------


def first(choice: Choice) -> str:
    """The policy that takes what is listed first."""
    return next(iter(choice.options))


def shock_first(choice: Choice) -> str:
    """The same, but the Shock table where it is allowed."""
    return "shock" if "shock" in choice.options else first(choice)


def waits_for(game: Game, resolved: Resolution) -> list[str]:
    """What a resolution asks for, by name."""
    return [ask.name for ask in asks_of(game, resolved.pending)]


def test_resolving_asks_for_the_table_and_then_for_the_die(game: Game, look_up: LookUp) -> None:
    """Each answer leads to the next question (14.3, 14.12)."""
    procedure = combat(battle((NINTH, STOSS), (SECOND,)), look_up)
    start = Declared(column(20, 12))
    assert waits_for(game, resolve(procedure, start, {})) == ["table"]
    assert waits_for(game, resolve(procedure, start, {"table": "shock"})) == ["combat"]
    done = resolve(procedure, start, {"table": "shock", "combat": "3"})
    assert dict(done.notes) == {"result": "MD", "defender.retreat": 1, "attacker.pursuit": 1}


def test_the_exact_chances_of_example_one(look_up: LookUp) -> None:
    """Column 150-199: the attacker is defeated on 1 and 2 of either table; the rest of the faces differ."""
    procedure = combat(battle((NINTH, STOSS), (SECOND,)), look_up)
    standard = chances(procedure, Declared(column(20, 12)), first)
    shock = chances(procedure, Declared(column(20, 12)), shock_first)
    assert standard.marginal("result") == {"AD": Fraction(1, 3), "DD": Fraction(1, 3), "ST": Fraction(1, 3)}
    assert shock.marginal("result") == {"AD": Fraction(1, 3), "DP": Fraction(1, 2), "MD": Fraction(1, 6)}
    assert "table" in standard.settled


def test_without_a_shock_unit_no_choice_is_reported(look_up: LookUp) -> None:
    """A single option is no choice: the policy settled nothing about the table."""
    found = chances(combat(battle((NINTH,), (SECOND,)), look_up), Declared("50-99"), shock_first)
    assert "table" not in found.settled
    assert found.marginal("result") == {
        "AD": Fraction(1, 2),
        "AZ": Fraction(1, 6),
        "DD": Fraction(1, 6),
        "ST": Fraction(1, 6),
    }


@pytest.mark.parametrize("table", ["standard", "shock"])
def test_the_chances_are_the_six_faces_resolved(table: str, look_up: LookUp) -> None:
    """Every column of both tables, face by face, the owners taking what is listed first."""
    fight = battle((NINTH, STOSS), (SECOND, GUARD))
    procedure = combat(fight, look_up)
    answers = {"table": table, "defender.one-unit": SECOND.id, "attacker.one-unit": NINTH.id}
    for attack, defence in [(1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]:
        start = Declared(column(attack, defence))
        counted: dict[tuple[object, ...], Fraction] = {}
        for die in range(1, 7):
            notes = dict(resolve(procedure, start, {**answers, "combat": str(die)}).notes)
            code = (notes["result"],)
            counted[code] = counted.get(code, Fraction(0)) + Fraction(1, 6)
        found = chances(procedure, start, shock_first if table == "shock" else first)
        assert found.joint("result") == counted, start


def test_each_unit_that_panics_throws_its_own_die(game: Game, look_up: LookUp) -> None:
    """15.1: an army broken into three corps panics in three parts, each of 1 to 6 hexes, 3.5 on average."""
    procedure = combat(battle((NINTH, STOSS), (SECOND,)), look_up)
    start = Fought("DP")
    found = chances(procedure, start, first)
    assert [found.mean(f"{name}.panic") for name in CORPS[:3]] == [Fraction(7, 2)] * 3
    assert found.joint("1 Corps.panic", "4 Corps.panic")[6, 1] == Fraction(1, 36)
    one_rolled = resolve(procedure, start, {"panic.4 Corps": "6"})
    assert dict(one_rolled.notes) == {"result": "DP", "attacker.pursuit": 1, "4 Corps.panic": 6}
    assert waits_for(game, one_rolled) == ["panic.1 Corps", "panic.5 Corps"]


def test_a_table_that_nobody_has_stated_stops_both_readings(game: Game) -> None:
    """The cell wanted is asked for when the die is known, all six are named before it."""
    procedure = combat(battle((NINTH,), (SECOND,)), look_up=lambda *key: None)
    stopped = resolve(procedure, Declared("50-99"), {"combat": "4"})
    assert waits_for(game, stopped) == ["chart standard 50-99 4 = result"]
    with pytest.raises(UnknownCells) as unknown:
        chances(procedure, Declared("50-99"), first)
    assert unknown.value.cells == tuple(("standard", ("50-99", die)) for die in range(1, 7))


# --- results as changes to the state ----------------------------------------------------------------------------------


def position(game: Game, fight: Battle) -> GameState:
    """The state before the battle: its units on the map, the corps in the Available box."""
    on_map = [Unit(unit.id, unit.id, unit.place) for unit in (*fight.attackers, *fight.defenders)]
    boxed = [Unit(name, name, "Available") for names in fight.available.values() for name in names]
    return game.state(units=[*on_map, *boxed])


def after_battle(game: Game, fight: Battle, fought: Fought) -> GameState:
    """The state after a battle with this result."""
    return game.apply(position(game, fight), changes(fight, fought))


def points(state: GameState) -> tuple[object, object]:
    """The victory points of the Allies and of the Central Powers, None where neither gain nor loss was counted."""
    return state.value(POINTS, "allies"), state.value(POINTS, "central-powers")


def ids(state: GameState, place: str) -> set[str]:
    """Who is in a hex or a box."""
    return {unit.id for unit in state.stack(place)}


def test_the_example_of_a_defeat_with_one_corps_available(game: Game, look_up: LookUp) -> None:
    """14.16: the army leaves the map, the one corps takes its place, no victory points are lost."""
    fight = battle((NINTH, STOSS), (SECOND,), russian=("5 Corps",))
    resolved = resolve(combat(fight, look_up), Declared("150-199"), {"table": "standard", "combat": "6"})
    assert dict(resolved.notes) == {"result": "DD", "defender.retreat": 1, "attacker.pursuit": 1}
    assert changes(fight, result_of(resolved)) == (
        Change("place", "2 Army", TARGET, "Available", "14.16"),
        Change("place", "5 Corps", "Available", TARGET, "14.16"),
    )
    after = after_battle(game, fight, result_of(resolved))
    assert ids(after, TARGET) == {"5 Corps"}
    assert "2 Army" in ids(after, "Available")
    assert points(after) == (None, None)


@pytest.mark.parametrize(
    ("available", "placed"), [((), ()), (CORPS[:2], CORPS[:2]), (CORPS[:3], CORPS[:3]), (CORPS, CORPS[:3])]
)
def test_an_army_becomes_as_many_corps_as_there_are_up_to_three(
    available: tuple[str, ...], placed: tuple[str, ...], game: Game
) -> None:
    """14.16: with none available the army still breaks down, and still is not counted as lost."""
    fight = battle((NINTH, STOSS), (SECOND,), russian=available)
    after = after_battle(game, fight, Fought("DD"))
    assert ids(after, TARGET) == set(placed)
    assert points(after) == (None, None)


def test_two_armies_share_the_corps_that_are_available() -> None:
    """Five corps: three for the first army, two for the second."""
    fight = battle((NINTH, STOSS), (SECOND, SIXTH), russian=CORPS[:5])
    assert survivors(fight, Fought("DD"), "defender") == CORPS[:5]


def test_units_that_are_no_armies_are_lost_with_their_points(game: Game) -> None:
    """DD: a corps costs 2, a fortress its defence factor, which the other side gains; the army breaks down for nothing."""
    fight = battle((NINTH, STOSS), (SECOND, GUARD, WARSAW))
    after = after_battle(game, fight, Fought("DD"))
    assert ids(after, "Dead Pile") == {"Gd Corps", "Warsaw"}
    assert points(after) == (-2 - 4, 4)


def test_a_romanian_army_is_eliminated_where_others_break_down(game: Game) -> None:
    """10.6, 14.16: it counts as an army, whatever corps other nations have."""
    fight = battle((NINTH, STOSS), (ROMANIAN,))
    found = changes(fight, Fought("DD"))
    assert found == (Change("place", "1 Rom Army", TARGET, "Available", "14.15"), Gain(POINTS, "allies", -6, "5.2"))
    assert ids(after_battle(game, fight, Fought("DD")), TARGET) == set()


def test_everyone_falls_in_an_annihilation(game: Game) -> None:
    """AZ: an army and a corps of the Central Powers cost 6 and 2, half as much again while the Main Effort is West."""
    for west, lost in ((False, -8), (True, -12)):
        after = after_battle(game, battle((NINTH, STOSS), (SECOND,), west=west), Fought("AZ"))
        assert (points(after), ids(after, NORTH), ids(after, SOUTH)) == ((None, lost), set(), set())
        assert ids(after, TARGET) == {"2 Army"}


def test_a_bloodbath_breaks_one_army_of_each_side(game: Game, look_up: LookUp) -> None:
    """BB: the defender chooses among his two; the attacker has one and is not asked. No pursuit while defenders stand."""
    fight = battle((NINTH, STOSS), (SECOND, SIXTH, GUARD))
    procedure = combat(fight, look_up)
    assert waits_for(game, resolve(procedure, Fought("BB"), {})) == ["defender.break-one-army"]
    resolved = resolve(procedure, Fought("BB"), {"defender.break-one-army": "6 Army"})
    assert dict(resolved.notes) == {"result": "BB"}
    assert survivors(fight, result_of(resolved), "defender") == ("2 Army", *CORPS[:3])
    assert survivors(fight, result_of(resolved), "attacker") == ("I Corps", "II Corps", "XX Corps")


def test_a_bloodbath_that_leaves_no_defender_is_pursued(look_up: LookUp) -> None:
    """BB: only a corps defended."""
    resolved = resolve(combat(battle((NINTH,), (GUARD,)), look_up), Fought("BB"), {})
    assert dict(resolved.notes) == {"result": "BB", "attacker.pursuit": 1}


def test_a_stalemate_costs_a_unit_or_one_corps_of_an_army(game: Game, look_up: LookUp) -> None:
    """ST: the defender breaks his army and loses one of three corps, the attacker gives up his corps; nobody moves."""
    fight = battle((NINTH, STOSS), (SECOND,))
    answers = {"defender.one-unit": "2 Army:corps", "attacker.one-unit": "St Corps"}
    resolved = resolve(combat(fight, look_up), Fought("ST"), answers)
    assert dict(resolved.notes) == {"result": "ST"}
    after = after_battle(game, fight, result_of(resolved))
    assert ids(after, TARGET) == {"4 Corps", "5 Corps"}
    assert ids(after, "Dead Pile") == {"1 Corps", "St Corps"}
    assert points(after) == (-2, -2)


def test_a_mobile_defence_costs_a_shock_unit_and_nothing_else(look_up: LookUp) -> None:
    """MD: units that cannot move are lost, and the attacker's one shock unit without being asked for (14.15(4))."""
    fight = battle((NINTH, STOSS), (SECOND, WARSAW))
    resolved = resolve(combat(fight, look_up), Fought("MD"), {})
    lost = [change.subject for change in changes(fight, result_of(resolved)) if isinstance(change, Change)]
    assert lost == ["Warsaw", "St Corps"]
    assert not resolved.pending


def test_changes_fit_only_the_state_they_were_made_for(game: Game) -> None:
    """Applied twice they are refused: the army is no longer in the hex."""
    fight = battle((NINTH, STOSS), (SECOND,), russian=("5 Corps",))
    once = after_battle(game, fight, Fought("DD"))
    with pytest.raises(InputError, match="place of 2 Army is 'Available', not '2115'"):
        game.apply(once, changes(fight, Fought("DD")))
