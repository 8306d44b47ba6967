"""Facts of words and numbers: what "attack phase", "depot", "task" or "Force" take in, and that sums stay exact (2, 4.5, 8.9)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.game.course import course_file
from assistant.game.games import Game
from assistant.installed.registry import load_game
from twilight_in_the_east.attachment.breaches import read_displays
from twilight_in_the_east.combat.garrisons import is_inside
from twilight_in_the_east.combat.legality import phase_steps
from twilight_in_the_east.forces.armies import GARRISONS, formation_with
from twilight_in_the_east.forces.markers import TASK_COST, TASK_WORDS
from twilight_in_the_east.forces.unit import gather_unit
from twilight_in_the_east.forces.units import CombatUnit, forces, has_one_step
from twilight_in_the_east.ground.calendar import (
    ATTACK_PHASES,
    MOVEMENT_PHASES,
    QUIET_PHASES,
    AttackPhase,
    announcement_steps,
    attack_phase,
    why_no_movement,
)
from twilight_in_the_east.ground.hexsides import exerts_zone
from twilight_in_the_east.terms import COMBAT_ARMS, FORTRESSES, SUPPLY_ARMS

from ...conftest import GAME, answered, typed, viewed


@pytest.mark.rule("2.2a", "2.2f")
def test_two_phases_are_attack_phases_and_two_are_movement_phases(twilight: Game) -> None:
    assert ATTACK_PHASES == ("attack", "counter-attack")
    assert MOVEMENT_PHASES == ("movement", "counter-movement")
    assert {*ATTACK_PHASES, *MOVEMENT_PHASES} < set(twilight.track("phase").values)
    assert not {*QUIET_PHASES} & {*ATTACK_PHASES, *MOVEMENT_PHASES}


@pytest.mark.rule("2.2a")
@pytest.mark.parametrize(
    ("phase", "may"),
    [
        ("attack", True),
        ("counter-attack", True),
        ("", True),
        *((phase, False) for phase in load_game(GAME).track("phase").values if phase not in ATTACK_PHASES),
    ],
)
def test_both_attack_phases_are_for_combat(phase: str, may: bool) -> None:
    assert (phase_steps(AttackPhase(phase, "russian", "russian", title="Russian"), "41.19") == []) is may


@pytest.mark.rule("2.2a")
@pytest.mark.parametrize("phase", ["attack", "counter-attack"])
def test_a_hex_is_attacked_once_in_either_of_them(phase: str) -> None:
    (line,) = phase_steps(AttackPhase(phase, "russian", "russian", attacked=True), "41.19")
    assert line.rule == "10.1"


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(
    ("text", "late"),
    [
        ("44.20 announced attacked", True),
        ("44.20 announced\n44.22 attacked", True),
        ("44.20 announced attacked\n41.19 announced", False),
        ("44.20 announced attacked\n40.20: german infantry XX A prepared=41.19", False),
        ("44.20 announced attacked\n40.20: german infantry XX A prepared=40.19", True),
        ("44.20 announced", False),
        ("44.20 attacked", False),
        ("44.20 announced attacked=no", False),
        ("44.20 announced=no attacked", False),
        ("44.20 announced\n41.19 attacked", False),
        ("", False),
    ],
)
def test_no_attack_is_announced_once_a_combat_is_over(text: str, late: bool) -> None:
    now = attack_phase(viewed(f"phase=attack phasing=central-powers\n{text}"), "41.19", "central-powers")
    assert now.unannounced is late
    said = "the attack on 41.19 was not announced before the first combat (if it was, state 41.19 announced)"
    assert [line.text for line in phase_steps(now, "41.19") if line.rule == "10.2"] == [said] * late


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", False),
        ("44.20 announced", True),
        ("44.20 announced=no", False),
        ("44.20 announced\n41.19 announced", False),
        ("44.20 announced\n40.20: german infantry XX A prepared=41.19", False),
        ("44.20 announced\n40.20: german infantry XX A prepared=40.19", True),
        ("44.20 announced attacked", False),
        ("44.20 announced\n41.19 attacked", False),
    ],
)
def test_an_attack_that_is_not_announced_is_announced_before_the_first_combat(text: str, said: bool) -> None:
    """Not one at which a Prepared Attack marker points; once a combat is over it is too late."""
    assert bool(announcement_steps(viewed(text), "41.19")) is said


@pytest.mark.rule("2.2f")
@pytest.mark.parametrize(
    ("stated", "counter", "german", "russian"),
    [
        ("phase=movement phasing=german", None, "", "5.4"),
        ("phase=counter-movement phasing=german", None, "5.4", ""),
        ("phase=movement phasing=german", True, "5.4", ""),
        ("phase=counter-movement phasing=german", False, "", "5.4"),
        ("phase=attack phasing=german", None, "2.2", "2.2"),
        ("phase=attack phasing=german", False, "", "5.4"),
        ("phase=supply phasing=german", None, "2.2", "2.2"),
        ("phase=movement", None, "", ""),
        ("", None, "", ""),
    ],
)
def test_movement_points_are_spent_in_both_movement_phases_by_their_side(
    stated: str, counter: bool | None, german: str, russian: str
) -> None:
    view = viewed(f"turn=3\n{stated.replace('phasing=german', 'phasing=central-powers')}")
    why = {side: why_no_movement(view, side, counter) for side in ("central-powers", "russian")}
    assert {side: rule for side, (rule, _) in why.items()} == {"central-powers": german, "russian": russian}
    assert all(bool(rule) is bool(text) for rule, text in why.values())


@pytest.mark.rule("2.2e")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
def test_a_complex_is_of_fortresses_and_forts(arm: str) -> None:
    both = "42.88: austro-hungarian {} - A complex=P\n43.88: austro-hungarian {} - B complex=P"
    assert is_inside(viewed(both.format("fortress", arm)), "42.88", "43.88")
    for other in (*COMBAT_ARMS, *SUPPLY_ARMS, "artillery"):
        assert not is_inside(viewed(both.format(arm, other)), "42.88", "43.88")


@pytest.mark.rule("2.1c")
def test_a_corps_is_led_by_the_train_of_its_id_in_its_nation() -> None:
    view = viewed("""turn=3 campaign=no
41.19: german infantry XX 1/1 army=Eighth, german corps-train - "German 1 Train" corps=1 army=Eighth
41.20: german corps-train - T corps=17 army=Eighth, german infantry XX 35/17 army=Eighth
44.19: russian corps-train - "Russian 1 Train" corps=1 army=First
""")
    now = read_displays(view)

    def trains(nation: str, corps: str) -> list[str]:
        return [train.id for train in now.trains_of(nation, corps)]

    assert trains("german", "1") == ["German 1 Train"]
    assert trains("russian", "1") == ["Russian 1 Train"]
    assert trains("german", "17") == ["T"]
    assert trains("german", "20") == trains("russian", "17") == []


WITH = """41.19: german infantry XX A (5-5-0-9), german infantry XX B (5-5-0-9), austro-hungarian infantry XX H (5-5-0-9)
41.20: german infantry XX C (5-5-0-9), german infantry III d (1-1-0-6)
42.20: russian infantry XX R (5-5-0-9)
{place}: german infantry III det (1-1-0-6) {more}
"""


@pytest.mark.rule("2.1f")
@pytest.mark.parametrize(
    ("place", "more", "force"),
    [
        ("41.19", "", "A"),
        ("41.19", "with=B", "B"),
        ("41.19", "with=H", "A"),
        ("41.19", "with=C", "A"),
        ("41.20", "with=B", "C"),
        ("44.19", "", ""),
    ],
)
def test_the_force_of_an_asset_unit_is_fixed_by_where_it_stands_when_it_matters(
    place: str, more: str, force: str
) -> None:
    view = viewed(WITH.format(place=place, more=more))
    with view.gather() as facts:
        unit = view.unit("det")
        assert formation_with(facts, unit, facts.word("with", "det")) == force
        formed = gather_unit(facts, unit, None)
    assert isinstance(formed, CombatUnit) and not formed.formation


@pytest.mark.rule("2.1f")
def test_no_fortress_or_supply_unit_is_part_of_a_force() -> None:
    every = [
        CombatUnit(arm, "german", arm, "-", arm in COMBAT_ARMS, "41.19")
        for arm in (*COMBAT_ARMS, "artillery", *FORTRESSES, *SUPPLY_ARMS)
    ]
    assert [(force.name, [unit.id for unit in force.units]) for force in forces(every)] == [
        ("infantry", ["infantry", "artillery"]),
        ("cavalry", ["cavalry"]),
    ]


@pytest.mark.rule("2.1f")
@pytest.mark.parametrize(("place", "company"), [("41.19", "A"), ("41.20", "C"), ("44.19", "")])
def test_a_forced_march_takes_the_force_as_it_stands(place: str, company: str) -> None:
    text = f"turn=3 weather=normal\n{WITH.format(place=place, more='movement=7')}"
    asks = [ask for ask in answered(typed(text), "forced-march", unit="det", points=1).asks if ask.name == "alone"]
    assert [ask.title for ask in asks] == ([f"whether det marches without {company}"] if company else [])


@pytest.mark.rule("3.5", "3.6", "9.7")
@pytest.mark.parametrize(
    ("arm", "one_step", "zone"),
    [
        ("artillery", True, False),
        ("corps-train", True, False),
        ("minor-depot", True, False),
        ("major-depot", True, False),
        ("infantry", False, True),
        ("cavalry", False, True),
        ("fortress", False, True),
        ("fort", False, False),
    ],
)
def test_artillery_and_supply_units_have_one_step_and_no_zone(arm: str, one_step: bool, zone: bool) -> None:
    assert (has_one_step(arm), exerts_zone(arm, entrained=False)) == (one_step, zone)
    assert one_step is (arm not in (*COMBAT_ARMS, *FORTRESSES)) is (arm in ("artillery", *SUPPLY_ARMS))


@pytest.mark.rule("3.5", "3.6", "9.7")
@pytest.mark.parametrize("arm", ["artillery", "corps-train", "major-depot"])
def test_nobody_has_to_state_their_step(arm: str) -> None:
    view = viewed(f"41.19: german {arm} - U")
    with view.gather() as facts:
        unit = gather_unit(facts, view.unit("U"), None)
    assert (unit.steps, unit.left, unit.back_steps, unit.formation) == (1, 1, 0, False)


@pytest.mark.rule("3.7.1")
@pytest.mark.parametrize(("lost", "left"), [("", 5), ("-1", 4), ("-4", 1)])
def test_a_position_keeps_the_steps_of_a_fortress(lost: str, left: int) -> None:
    view = viewed(f"49.27: german fortress - F steps=5 fssm=3 {lost}")
    with view.gather() as facts:
        unit = gather_unit(facts, view.unit("F"), "defender")
    assert (unit.left, unit.steps, unit.back_steps, unit.formation) == (left, 5, 0, False)


@pytest.mark.rule("24.1")
def test_garrisons_are_commands_without_an_area_of_their_own(twilight: Game) -> None:
    armies = {f"{twilight.side_of(army.nation)} {army.name}": army for army in course_file(twilight).army}
    assert set(armies) >= GARRISONS == {"russian Warsaw Garrison", "central-powers Przemysl Garrison"}
    assert {name for name, army in armies.items() if army.limit == 0} == GARRISONS


@pytest.mark.rule("8.9.1")
def test_movement_points_are_carried_over_for_these_tasks_alone(twilight: Game) -> None:
    tasks = {"recovery", "disorder", "ersatz", "position", "entraining", "detraining", "trans-shipping"}
    assert tasks <= set(twilight.track("task").values) and set(TASK_WORDS) == tasks
    assert twilight.track("expended").ends_with == (), "a marker stays when its phase ends"
    assert TASK_COST == 7


@pytest.mark.rule("4.5d")
def test_points_and_lines_stay_exact_until_their_rule_rounds_them() -> None:
    view = viewed("41.19: german infantry XX A spent=march:51/14+zones:0.5")
    assert sum(view.amounts("spent", "A").values()) == Fraction(51, 14) + Fraction(1, 2)


LINE = """turn=5
36.20: russian infantry XX 25/3 army=First
36.23: "3 Train" range=5 extended-range=8 army=First
36.22, 36.21, 36.20 clear
36.22|36.23 rail2 open
36.21|36.22 rail1 open
36.20|36.21 road no-rail open
36.22, 36.21, 36.23, 36.20 operational=russian
line "3 Train": 36.23 -rail2- 36.22 -rail1- 36.21 -road- 36.20
"""


@pytest.mark.rule("4.5d")
def test_the_length_of_a_supply_line_keeps_its_quarters() -> None:
    assert answered(typed(LINE), "supply", unit="25/3").result.cost == Fraction(1, 4) + Fraction(1, 2) + 1
