"""The rolls and choices of a combat, one by one, and with its dice (10.9 to 11.4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Apart, Dice, Done, Modifier, Roll, Unknown
from assistant.util.errors import InputError
from twilight_in_the_east.combat.before_dice import Combat, Policy, combat_of, rulings_of_dice
from twilight_in_the_east.combat.checks import Failure, Standing, failure
from twilight_in_the_east.combat.engagement import Engagement, Readings
from twilight_in_the_east.combat.pieces import Pieces, Toll
from twilight_in_the_east.forces.losses import Share
from twilight_in_the_east.forces.units import CombatUnit, Force, Role
from twilight_in_the_east.results.aftermath import hexes_drawn_along, victorious_units
from twilight_in_the_east.results.outcome import CheckOutcome
from twilight_in_the_east.results.resolution import (
    Decided,
    ForceCheck,
    ForceLosses,
    Side,
    SideProgress,
    Stack,
    StackCheck,
    absorb_retreat,
    apply_result,
    begin_checks,
    give_modifier,
    list_shares,
    roll_check,
    settle_checks,
    share_force_losses,
    share_losses,
    slrt_roll,
    split_sides,
    stacks_as_they_check,
)
from twilight_in_the_east.results.retreats import Retreats, StepsToShare, share_steps

from ...conftest import answered, carried_out, settings_of, typed, viewed
from .conftest import GUNS, amounts, asset, division

EVEN = Odds.parse("1:1")
RUSSIANS = Side("attacker", (("40.20", 0),))


def russian(name: str = "R", **more: Any) -> CombatUnit:
    return msgspec.structs.replace(division(name, nation="russian", place="40.20"), **more)


def combat(attackers: list[CombatUnit], defenders: list[CombatUnit], **more: Any) -> Combat:
    """A combat at 1:1 in the open, on GT 1."""
    positions = {unit.place: 0 for unit in attackers}
    given = {"turn": 1, "terrain": "clear", "crossed": {}, "position": 0, "positions": positions, **more}
    return combat_of(Engagement("41.19", tuple(attackers), tuple(defenders), **given), EVEN, "Medium")


@pytest.mark.rule("10.9.1", "10.9.1b")
@pytest.mark.parametrize(("nations", "modifier"), [(("german",), 0), (("german", "russian"), 1), (("russian",), 1)])
def test_an_x_helps_attackers_who_are_all_german(nations: tuple[str, ...], modifier: int) -> None:
    attackers = [russian(f"R{number}", nation=nation) for number, nation in enumerate(nations)]
    parts = apply_result(combat(attackers, [division()]), Decided("+1 X", "+1 X")).parts
    assert parts["attacker"] == SideProgress("rolls", RUSSIANS, modifier)
    assert parts["defender"] == SideProgress("rolls", Side("defender", (("41.19", 0),)), 1), (
        "its own X helps no defender"
    )


@pytest.mark.rule("10.9.1", "10.9.1c", "10.9.1e", "13.3.1a")
def test_each_stack_of_attackers_retreats_by_its_own_ground() -> None:
    """That in 40.19 holds an Improved Position, which a black retreat does not drive it from."""
    two = combat([russian(), russian("Q", place="40.19")], [division()], positions={"40.20": 0, "40.19": 1})
    found = apply_result(two, Decided("W1 B1 *", "-"))
    side = Side("attacker", (("40.20", 2), ("40.19", 1)), asterisk=True)
    assert found.parts["attacker"] == SideProgress("rolls", side, 0)
    assert (found.notes["attacker.retreat"], found.notes["defender.retreat"]) == (2, 0)


@pytest.mark.rule("10.9.1d")
def test_without_a_fortress_unit_nobody_loses_steps_in_place_of_hexes() -> None:
    lose = SideProgress("absorbs", Side("defender", (("41.19", 2),)))
    assert absorb_retreat(combat([russian()], [division()]), lose).options == {
        "none": SideProgress("rolls", lose.side, 0)
    }


@pytest.mark.rule("10.10.2", "10.10.3a")
def test_the_roll_for_step_losses() -> None:
    """One die, with the result's modifier and the others; here the chart's cell is not known."""
    roll = slrt_roll(combat([russian()], [division()]), SideProgress("rolls", RUSSIANS, 2), lambda *key: None)
    assert (roll.dice, amounts(roll.modifiers["attacker"])) == (Dice(1, 6), [2])
    assert roll.then(3) == Unknown("slrt", ("summer", "Medium", 5))


@pytest.mark.rule("10.10.2", "10.10.3a")
def test_a_side_of_which_nobody_is_left_rolls_for_no_losses() -> None:
    """Its way back has cost R all of its ten steps; while Q has one left, the side rolls."""
    two = combat([russian(), russian("Q", steps=1)], [division()])
    gone = Toll().and_steps({"R": 10})
    lost = msgspec.structs.replace(RUSSIANS, toll=gone.and_steps({"Q": 1}))
    node = slrt_roll(two, SideProgress("rolls", lost, 2), lambda *key: None)
    assert node == Apart({"": SideProgress("gives", lost, lost=(0, 0))})
    left = msgspec.structs.replace(RUSSIANS, toll=gone)
    assert isinstance(slrt_roll(two, SideProgress("rolls", left, 2), lambda *key: None), Roll)
    whole = SideProgress("rolls", Side("defender", (("41.19", 0),), toll=Toll()), 0)
    assert slrt_roll(two, whole, lambda *key: None).name == "slrt.defender"  # type: ignore[union-attr]


@pytest.mark.rule("10.9.1", "10.9.1b", "10.9.1c")
def test_each_side_goes_on_with_what_its_own_way_back_has_cost() -> None:
    toll = Toll().and_steps({"R": 1, "A": 2}).and_levels({"A": 1})
    parts = split_sides(combat([russian()], [division()]), Decided("*", "-"), toll).parts
    attacker, defender = parts["attacker"], parts["defender"]
    assert isinstance(attacker, SideProgress) and attacker.stage == "rolls"
    assert isinstance(defender, SideProgress) and defender.stage == "rolls"
    assert (attacker.side.toll, attacker.side.asterisk) == (Toll(steps=(("R", 1),)), True)
    assert (defender.side.toll, defender.side.asterisk) == (Toll(steps=(("A", 2),), levels=(("A", 1),)), False)


@pytest.mark.rule("10.9.1c")
@pytest.mark.parametrize(("closed", "result", "unable"), [(6, "-", True), (5, "-", False), (6, "W1", False)])
def test_a_defender_that_no_result_drives_away_knows_whether_it_could_leave(
    closed: int, result: str, unable: bool
) -> None:
    """Lakes lie around it: its check cannot make it leave. What a result drives away has left, or surrendered."""
    board = viewed("turn=1").board
    lakes = "".join(f"41.19|{hex} lake\n" for hex in board.neighbours("41.19")[:closed])
    pieces = Pieces(viewed(f"41.19 clear: german infantry XX A\n{lakes}"))
    fight = msgspec.structs.replace(combat([russian()], [division()]), pieces=pieces)
    defender = split_sides(fight, Decided("-", result), Toll()).parts["defender"]
    assert isinstance(defender, SideProgress) and defender.stage == "rolls"
    assert defender.side.unable == unable


@pytest.mark.rule("10.9.1", "10.9.1b")
def test_two_fortress_units_share_out_by_choice_what_one_takes_alone() -> None:
    """A white retreat of one hex is a step of a fortress unit: of one without a choice, of two of either."""
    fort, other = (asset(name, arm="fortress", place="41.19") for name in "FG")
    alone = split_sides(combat([russian()], [division(), fort]), Decided("-", "W1"), Toll()).parts["defender"]
    assert isinstance(alone, SideProgress) and alone.stage == "rolls"
    assert alone.side.absorbed == (("F", 1),)
    both = split_sides(combat([russian()], [division(), fort, other]), Decided("-", "W1"), Toll()).parts["defender"]
    assert isinstance(both, SideProgress) and both.stage == "absorbs"
    assert both.steps == 1


@pytest.mark.rule("11.1.1a", "11.1b")
@pytest.mark.parametrize(("reading", "ways"), [("spared", ["Q"]), ("owner", ["Q", "R"])])
def test_who_takes_a_step_where_one_has_a_single_step_left(reading: str, ways: list[str]) -> None:
    units = [russian(lost=9), russian("Q")]
    choice = share_losses(
        combat(units, [division()], readings=Readings(last_step=reading)), SideProgress("shares", RUSSIANS, steps=1)
    )
    assert list(choice.options) == ways


@pytest.mark.rule("11.1.1a")
@pytest.mark.parametrize(
    ("absorbed", "notes"),
    [
        ((), {"defender.losses": 2, "defender.steps": 2}),
        ((("F", 1),), {"defender.losses": 2, "defender.steps": 3, "defender.absorbed": 1}),
    ],
)
def test_what_a_side_loses_besides_what_its_fortress_units_have_absorbed(
    absorbed: tuple[tuple[str, int], ...], notes: dict[str, int]
) -> None:
    fort = asset("F", arm="fortress", place="41.19", steps=3)
    side = Side("defender", (("41.19", 0),), absorbed=absorbed)
    fight = combat([russian()], [division("D", lost=9), division("E"), fort], readings=Readings(last_step="spared"))
    choice = share_losses(fight, SideProgress("shares", side, steps=2))
    assert choice.notes == notes
    with pytest.raises(InputError, match="a unit would lose its last step"):
        choice.read("D,E")


def marching(*others: CombatUnit, **more: Any) -> Combat:
    """An Austro-Hungarian attack by a Marsch unit and some others."""
    hungarians = [
        msgspec.structs.replace(unit, nation="austro-hungarian", place="40.20")
        for unit in (asset("2 M", "X", steps=4), *others)
    ]
    return combat(hungarians, [division(nation="russian")], **more)


@pytest.mark.rule("23.8")
@pytest.mark.parametrize(
    ("others", "steps", "ways"),
    [
        pytest.param([division("D")], 1, {"D"}, id="another takes the first"),
        pytest.param([division("D")], 2, {"2 M,D"}, id="of two each takes one"),
        pytest.param([asset("3 M", "X")], 1, {"2 M", "3 M"}, id="unless all are Marsch units"),
        pytest.param([division("D", lost=9)], 1, {"D"}, id="be it with its last step"),
        pytest.param([GUNS], 1, {"guns"}, id="artillery is another kind too"),
    ],
)
def test_a_marsch_unit_does_not_take_the_first_step_loss_of_an_attack(
    others: list[CombatUnit], steps: int, ways: set[str]
) -> None:
    choice = share_losses(marching(*others), SideProgress("shares", RUSSIANS, steps=steps))
    assert set(choice.options) == ways


@pytest.mark.rule("23.8")
@pytest.mark.parametrize(
    ("lost", "steps", "ways"),
    [((0, 0), 1, {"D"}), ((0, 0), 2, {"D,2 M", "D,D"}), ((0, 1), 1, {"2 M", "D"}), ((1, 0), 1, {"2 M", "D"})],
)
def test_nor_does_it_take_the_first_of_those_that_a_check_costs(
    lost: tuple[int, int], steps: int, ways: set[str]
) -> None:
    """Where the combat itself has cost the attackers a step, that was the first."""
    (stack,) = stacks_as_they_check(marching(division("D")), RUSSIANS, lost)
    (force,) = stack.forces
    choice = share_force_losses(ForceLosses("attacker", "D", force.shares, steps))
    assert set(choice.options) == ways
    if "2 M" not in ways:
        with pytest.raises(InputError, match="Marsch unit"):
            choice.read(",".join(["2 M"] * steps))


@pytest.mark.rule("23.8")
@pytest.mark.parametrize(
    ("role", "before", "ways"),
    [
        pytest.param("attacker", {}, {"D"}, id="the first"),
        pytest.param("attacker", {"guns": 1}, {"D"}, id="artillery lost on the way was assigned to nobody"),
        pytest.param("attacker", {"E": 1}, {"2 M", "D"}, id="another Force has taken the first"),
        pytest.param("defender", {}, {"2 M", "D"}, id="no Austro-Hungarian attack"),
    ],
)
def test_nor_does_it_take_the_first_that_an_ezoc_on_the_way_costs(
    role: Role, before: dict[str, int], ways: set[str]
) -> None:
    fight = marching(division("D"), division("E"), msgspec.structs.replace(GUNS, nation="austro-hungarian"))
    units = tuple(unit for unit in fight.engagement.attackers if unit.id in ("D", "2 M"))
    due = StepsToShare(role, Force("D", units), 1, "crt")
    choice = share_steps(fight, Retreats("crt", (), Toll().and_steps(before), None, steps_to_share=(due,)))
    assert set(choice.options) == ways
    if "2 M" not in ways:
        with pytest.raises(InputError, match="Marsch unit"):
            choice.read("2 M")


@pytest.mark.rule("23.8")
def test_a_step_lost_on_the_way_was_the_first_so_that_a_marsch_unit_may_take_the_next() -> None:
    side = msgspec.structs.replace(RUSSIANS, toll=Toll().and_steps({"D": 1}))
    choice = share_losses(marching(division("D")), SideProgress("shares", side, steps=1))
    assert set(choice.options) == {"2 M", "D"}
    (stack,) = stacks_as_they_check(marching(division("D")), side, (0, 0))
    (force,) = stack.forces
    assert set(share_force_losses(ForceLosses("attacker", "D", force.shares, 1)).options) == {"2 M", "D"}


@pytest.mark.rule("23.8")
def test_whether_a_last_step_stands_in_for_a_marsch_unit_is_a_ruling() -> None:
    fight = marching(division("D", lost=9), readings=Readings(marsch_first="marsch", last_step="spared"))
    assert rulings_of_dice(fight)["marsch_first"] and not rulings_of_dice(marching(division("D")))["marsch_first"]
    assert not rulings_of_dice(marching())["marsch_first"], "nobody else is there"
    assert set(share_losses(fight, SideProgress("shares", RUSSIANS, steps=1)).options) == {"2 M"}
    for others in ([division("D")], [division("D"), division("E", lost=9)], [division("D", lost=8)]):
        able = marching(*others, readings=Readings(marsch_first="marsch", last_step="spared"))
        assert set(share_losses(able, SideProgress("shares", RUSSIANS, steps=1)).options) == {"D"}


@pytest.mark.rule("23.8")
def test_a_defending_marsch_unit_may_take_the_first_step_loss() -> None:
    units = [msgspec.structs.replace(unit, nation="austro-hungarian") for unit in (asset("2 M", "X"), division("D"))]
    loses = SideProgress("shares", Side("defender", (("41.19", 0),)), steps=1)
    assert set(share_losses(combat([russian()], units), loses).options) == {"2 M", "D"}


@pytest.mark.rule("23.8")
@pytest.mark.parametrize(
    ("others", "answer", "why"),
    [
        pytest.param([division("D")], "2 M", "Marsch unit .* attack .23.8", id="a rule of its nation"),
        pytest.param(
            [division("D"), division("E", lost=9)], "E", "ruling last-step=owner would allow it", id="a ruling"
        ),
        pytest.param([division("D")], "D,D", "not an option of losses.attacker", id="nothing would allow it"),
    ],
)
def test_a_refused_loss_names_what_bars_it(others: list[CombatUnit], answer: str, why: str) -> None:
    fight = marching(*others, readings=Readings(last_step="spared"))
    choice = share_losses(fight, SideProgress("shares", RUSSIANS, steps=1))
    with pytest.raises(InputError, match=why):
        choice.read(answer)


@pytest.mark.rule("11.1.1b", "12.2.1")
def test_what_fortress_units_have_absorbed_counts_as_lost_and_they_need_take_no_more() -> None:
    units = [division("D"), asset("F", arm="fortress", steps=4)]
    side = Side("defender", (("41.19", 0),), absorbed=(("F", 2),))
    choice = share_losses(combat([russian()], units), SideProgress("shares", side, steps=1))
    assert list(choice.options) == ["D", "F"]
    assert choice.notes == {"defender.losses": 1, "defender.steps": 3, "defender.absorbed": 2}


@pytest.mark.rule("12.2.1")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
@pytest.mark.parametrize(
    ("result", "steps", "retreat", "absorbed"),
    [
        pytest.param("B1", 4, 0, 0, id="a black result is ignored"),
        pytest.param("W2", 4, 0, 2, id="each white hex is a step"),
        pytest.param("W3", 2, 1, 2, id="while there are steps"),
    ],
)
def test_a_combat_with_a_fortress_unit_is_like_any_other_but_for_its_retreats_and_who_takes_losses(
    arm: str, result: str, steps: int, retreat: int, absorbed: int
) -> None:
    fort = asset("F", arm=arm, steps=steps)
    fight = combat([russian()], [division("D"), fort])
    defender = apply_result(fight, Decided("-", result)).parts["defender"]
    assert isinstance(defender, SideProgress) and defender.stage == "rolls", (
        "one fortress unit leaves its owner no choice"
    )
    assert (dict(defender.side.retreats), defender.side.fortress) == ({"41.19": retreat}, absorbed)
    losing = share_losses(fight, SideProgress("shares", defender.side, steps=1))
    assert list(losing.options) == (["D", "F"] if steps > absorbed else ["D"]), "it need take none while others can"
    gone = combat([russian()], [division("D", lost=10), fort])
    alone = share_losses(gone, SideProgress("shares", defender.side, steps=1))
    assert list(alone.options) == (["F"] if steps > absorbed else ["none"])
    without = apply_result(combat([russian()], [division("D")]), Decided("-", result)).parts["defender"]
    assert isinstance(without, SideProgress) and without.stage == "rolls"
    assert dict(without.side.retreats) == {"41.19": int(result[1])}


@pytest.mark.rule("11.1.1b")
def test_who_may_take_losses() -> None:
    """What a unit has lost before is gone, and so is what a fortress unit has just lost in place of hexes."""
    units = [division("D", lost=2), asset("F", arm="fortress"), asset("G", arm="fort"), GUNS]
    assert list_shares(combat([russian()], units), Side("defender", (), absorbed=(("F", 1),))) == (
        Share("D", 8),
        Share("F", 1, optional=True),
        Share("G", 2, optional=True),
        Share("guns", 1, guns=True),
    )


ADDED = (Modifier("11.3.1", "Low Supply", 1),)
CHECKING = StackCheck(
    Stack("40.20", "attacker", 0),
    (
        ForceCheck("A", (Share("A", 5, rank=1), Share("a", 2, rank=3)), 9, Standing(), ADDED),
        ForceCheck("B", (Share("B", 5, rank=2),), 10),
    ),
)


@pytest.mark.rule("11.3.1b", "10.10.2")
@pytest.mark.parametrize(
    ("ec", "policy", "order"),
    [
        pytest.param(1, Policy(), ["B", "A"], id="first who can best afford it"),
        pytest.param(1, Policy(modifier="least"), ["A", "B"], id="or least"),
        pytest.param(1, Policy(modifier="rank"), ["A", "B"], id="or in the owner's order of units"),
        pytest.param(0, Policy(), ["none"], id="nobody where the result has none"),
    ],
)
def test_which_force_takes_the_modifier_of_the_step_losses(ec: int, policy: Policy, order: list[str]) -> None:
    choice = give_modifier(SideProgress("gives", RUSSIANS, ec, lost=(0, 0)), lambda side, lost: [CHECKING], policy)
    assert list(choice.options) == order


@pytest.mark.rule("11.3", "11.3.1b")
@pytest.mark.parametrize(("bonus", "found"), [("A", ([1, 1], [])), ("B", ([1], [1])), ("none", ([1], []))])
def test_one_force_takes_it_besides_its_own_modifiers(bonus: str, found: tuple[list[int], ...]) -> None:
    ((place, stack),) = begin_checks(
        SideProgress("checks", RUSSIANS, bonus=bonus), lambda side, lost: [CHECKING]
    ).parts.items()
    assert place == "40.20" and isinstance(stack, StackCheck)
    assert tuple(amounts(force.modifiers) for force in stack.forces) == found


@pytest.mark.rule("11.3", "11.3.2aa")
def test_a_stack_that_is_wiped_out_makes_no_check_and_leaves_its_hex() -> None:
    gone = msgspec.structs.replace(CHECKING, forces=())
    assert roll_check(gone, failure) == Done({})
    assert roll_check(msgspec.structs.replace(gone, stack=Stack("40.20", "defender", 0)), failure) == Done(
        {"defender.vacates": True}
    )


@pytest.mark.rule("11.3.2aa")
def test_what_a_failed_check_leaves_to_do() -> None:
    """A owes more steps than it has; B has passed."""
    a = ForceCheck("A", (Share("A", 1),), passed=False, suffered=Failure(1, 2, 2, 2), left=1)
    b = ForceCheck("B", passed=True, left=5)
    owed = settle_checks(StackCheck(Stack("40.20", "attacker", 0), (a, b), rolled=True))
    figures = {"A": (False, 1, 2, 2, 2), "B": (True, 0, 0, 0, 0)}
    notes = {
        f"{name}.{what}": figure
        for name, each in figures.items()
        for what, figure in zip(("passes", "cel", "retreat", "steps", "disorder"), each, strict=True)
    }
    notes |= {"attacker.steps": 1, "attacker.by-checks": 1}
    assert owed == Apart({"A": ForceLosses("attacker", "A", (Share("A", 1),), 2)}, notes)


STAYS, GOES, DIES = Failure(1), Failure(2, 1), Failure(0, 0, 2, 1)


@pytest.mark.rule("11.3.2aa", "10.1.5f")
@pytest.mark.parametrize(
    ("suffered", "retreat", "withheld", "leaves"),
    [
        pytest.param([STAYS], 0, False, False, id="it holds"),
        pytest.param([GOES], 0, False, True, id="its check drives it back"),
        pytest.param([STAYS], 1, False, True, id="the table does"),
        pytest.param([GOES, STAYS], 0, False, False, id="one of two holds"),
        pytest.param([GOES, DIES], 0, False, True, id="one retreats, one dies"),
        pytest.param([DIES], 0, False, True, id="nobody is left"),
        pytest.param([GOES], 0, True, True, id="who was withheld goes with the others"),
        pytest.param([GOES, DIES], 0, True, True, id="if only with some of them"),
        pytest.param([DIES], 0, True, False, id="but holds where nobody has to retreat"),
        pytest.param([], 0, True, False, id="nor had to"),
        pytest.param([], 1, True, True, id="and goes where the table says so to the dead"),
    ],
)
def test_whether_the_defender_leaves_his_hex(
    suffered: list[Failure], retreat: int, withheld: bool, leaves: bool
) -> None:
    forces = tuple(
        ForceCheck(f"{n}", (Share(f"{n}", 2),), passed=one == Failure(), suffered=one, left=2)
        for n, one in enumerate(suffered)
    )
    stack = Stack("41.19", "defender", retreat, withheld=withheld)
    assert settle_checks(StackCheck(stack, forces, rolled=True)).notes["defender.vacates"] is leaves
    held = StackCheck(msgspec.structs.replace(stack, stays=True), forces, rolled=True)
    assert settle_checks(held).notes["defender.vacates"] is False, "a fortress unit holds it"


@pytest.mark.rule("11.3", "11.3.1a", "11.1.1c")
def test_a_force_checks_with_those_who_are_left() -> None:
    """The formation with its guns; its Asset Unit has just lost both its steps, and the second division all of its ten."""
    units = [russian(effectiveness=9, levels=1, disorder=1), asset("a", nation="russian", place="40.20")]
    units += [msgspec.structs.replace(GUNS, nation="russian", place="40.20"), russian("Q")]
    fight = combat(units, [division()], withheld=(division("W"),))
    side = Side("attacker", (("40.20", 1),), asterisk=True)
    (stack,) = stacks_as_they_check(fight, side, (1, 2, 0, 10))
    (force,) = stack.forces
    assert (force.name, force.cel, force.standing) == ("R", 8, Standing(1, 1))
    assert amounts(force.modifiers) == [6, 1, -1], "three steps lost, a hex of retreat, the asterisk"
    assert force.shares == (Share("R", 9), Share("guns", 1, guns=True))
    assert stack.stack == Stack("40.20", "attacker", 1, stays=False, withheld=False)


@pytest.mark.rule("11.3", "11.1.1c")
def test_asset_units_whose_formation_is_gone_check_alone_and_artillery_alone_does_not() -> None:
    units = [russian(lost=9), asset("a", nation="russian", place="40.20", effectiveness=7)]
    (stack,) = stacks_as_they_check(combat(units, [division()]), RUSSIANS, (1, 1))
    assert [(force.cel, force.standing) for force in stack.forces] == [(7, Standing(lone_assets=True))]
    guns = [russian(), msgspec.structs.replace(GUNS, nation="austro-hungarian", place="40.20")]
    (stack,) = stacks_as_they_check(combat(guns, [division()]), RUSSIANS, (0, 0))
    assert [force.name for force in stack.forces] == ["R"]


@pytest.mark.rule("11.3", "11.1.1c", "11.3.1a")
@pytest.mark.parametrize("withheld", [False, True])
def test_withheld_defenders_make_no_check(withheld: bool) -> None:
    """The one who fights holds a Level 2 position, and has lost one step."""
    fight = combat([russian()], [division()], position=2, withheld=(division("W"),) * withheld)
    (stack,) = stacks_as_they_check(fight, Side("defender", (("41.19", 0),), asterisk=True), (1,))
    assert [(force.name, amounts(force.modifiers)) for force in stack.forces] == [("A", [2, -1])]
    assert (stack.stack.withheld, stack.stack.stays) == (withheld, False)


@pytest.mark.rule("12.2.1", "11.3")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
@pytest.mark.parametrize(
    ("absorbed", "lost", "holds"), [(0, 0, True), (0, 1, True), (0, 2, False), (1, 0, True), (1, 1, False)]
)
def test_a_fortress_unit_never_checks_and_holds_its_hex_while_it_has_a_step(
    arm: str, absorbed: int, lost: int, holds: bool
) -> None:
    units = [division(), asset("F", arm=arm)]
    side = Side("defender", (("41.19", 1),), absorbed=(("F", absorbed),))
    (stack,) = stacks_as_they_check(combat([russian()], units), side, (0, lost))
    assert ([force.name for force in stack.forces], stack.stack.stays) == (["A"], holds)


@pytest.mark.rule("11.3", "11.1.1c")
@pytest.mark.parametrize(
    ("lost", "spared"), [((0, 0), [False, True]), ((1, 0), [False, False]), ((1, 1), [False, False])]
)
def test_marsch_units_that_attack_are_spared_no_more_once_a_step_is_lost(
    lost: tuple[int, int], spared: list[bool]
) -> None:
    units = [russian("A", nation="austro-hungarian"), russian("M1/3", nation="austro-hungarian")]
    (stack,) = stacks_as_they_check(combat(units, [division()]), RUSSIANS, lost)
    assert [share.later for force in stack.forces for share in force.shares] == spared


@pytest.mark.rule("10.1.5f")
@pytest.mark.parametrize(
    ("due", "gone", "by_result", "hexes"),
    [
        pytest.param([3, 2], [], 0, 2, id="the smallest retreat of the others"),
        pytest.param([3], [1], 0, 3, id="of the dead only where nobody else is left"),
        pytest.param([], [0, 2], 0, 2, id="of these who had to retreat"),
        pytest.param([], [0, 2], 1, 0, id="which by the result all of them had"),
        pytest.param([], [], 0, 0, id="nobody has to"),
    ],
)
def test_how_far_withheld_defenders_go(due: list[int], gone: list[int], by_result: int, hexes: int) -> None:
    assert hexes_drawn_along(due, gone, by_result) == hexes


def outcome_of(side: str, force: str, steps: int = 0) -> CheckOutcome:
    losses = {force: steps} if steps else None
    return CheckOutcome(force, side, "", 2, (), 0, 2, 9, -7, True, 0, 0, steps, 0, losses)


@pytest.mark.rule("11.4.2")
def test_who_advances_is_alive_has_not_retreated_and_is_no_garrison() -> None:
    units = [russian("A"), russian("B", lost=9), russian("C"), russian("D", garrison=True)]
    toll = Toll(moved=(("C", "39.20"),), steps=(("B", 1),))
    assert victorious_units(combat(units, [division("E")]).engagement, toll) == ((units[0],), ())


# --- a combat with its dice -------------------------------------------------------------------------------------------

POSITION = """turn=1
trust charts
40.20: 25/3 (10-?-0-9), 27/3 (10-?-0-9)
41.19 clear: 1/1 (12-16-0-11)
41.19|40.20 open
{}
"""


def fought(answers: str, more: str = "", **parameters: Any) -> Report[Any]:
    """Two Russian divisions against a German one, without APs, as far as these dice go."""
    given = {"at": "41.19", "attacker_ap": ("none",), "defender_ap": ("none",), **parameters}
    return answered(typed(POSITION.format(more) + f"answers {answers}"), "battle", **given)


@pytest.mark.rule("11.3", "7.2b")
@pytest.mark.parametrize(("roll", "passed"), [(11, True), (12, False)])
def test_a_check_is_passed_by_no_more_than_the_level(roll: int, passed: bool) -> None:
    """No steps are lost, so that nothing modifies the defender's roll."""
    text = "chart slrt summer Medium 1 = 0 / 0\nchart slrt summer Medium 0 = 0 / 0\nchart crt summer 1:1 7 = - / -"
    report = fought(f"crt=7 slrt=2/2 ec.40.20=2 ec.41.19={roll}", text)
    (check,) = [one for one in report.result.outcome.checks if one.force == "1/1"]
    assert (check.modified, check.cel, check.passed) == (roll, 11, passed)


@pytest.mark.rule("11.1", "7.1", "7.4", "3.4.1b", "10.1b", "10.3b")
def test_what_a_combat_leaves_of_those_who_fail_their_checks() -> None:
    """Both fail by 6 at level -3: a level, a step, two hexes and D1 each. 27/3 has one step: only its removal is told, and so
    it is of the Asset Unit that takes the step of 25/3."""
    text = """turn=1
trust charts
40.20: 25/3 (10-?-0-9) cel=-3, russian infantry III a (1-?-0-6), 27/3 (1-?-0-9) cel=-3 prepared=38.20
41.19 clear: 1/1 (12-16-0-11)
41.19|40.20 open
chart crt summer 1:1 7 = - / -
chart slrt summer Medium 1 = 0 / 0
chart slrt summer Medium 0 = 0 / 0
answers crt=7 slrt=2/2 ec.40.20=12 ec.41.19=2 losses.25/3=a
"""
    report = carried_out(text, "battle", at="41.19", attacker_ap=("none",), defender_ap=("none",))
    left = {change.subject: {} for change in settings_of(report)}
    for change in settings_of(report):
        left[change.subject][change.track] = (change.before, change.after)
    assert left == {
        "25/3": {
            "cel": (-3, -4),
            "disorder": (None, 1),
            "place": ("40.20", "39.18"),
            "retreated": (None, True),
            "fought": (None, True),
        },
        "a": {"place": ("40.20", None)},
        "27/3": {"place": ("40.20", None)},
        "41.19": {"attacked": (None, True)},
        **{hex: {"control": (None, "russian")} for hex in ("40.20", "39.19")},
        "1/1": {"fought": (None, True)},
    }


# --- what the checks are handed --------------------------------------------------------------------------------------------


@pytest.mark.rule("11.3", "11.1.1c")
@pytest.mark.parametrize(
    ("beside", "withheld"), [("infantry", True), ("cavalry", True), ("artillery", False), ("corps-train", False)]
)
def test_only_combat_units_that_were_withheld_hold_the_hex_without_the_others(beside: str, withheld: bool) -> None:
    fight = combat([russian()], [division()], withheld=(division("W", arm=beside),))
    (stack,) = stacks_as_they_check(fight, Side("defender", (("41.19", 0),)), (0,))
    assert stack.stack.withheld == withheld
    attacking = stacks_as_they_check(fight, RUSSIANS, (0,))
    assert not attacking[0].stack.withheld


@pytest.mark.rule("11.3", "11.2.6a")
@pytest.mark.parametrize("unable", [True, False])
def test_a_stack_checks_with_the_levels_and_the_disorder_of_its_formation_and_knows_whether_it_can_leave(
    unable: bool,
) -> None:
    shaken = combat([russian()], [division(levels=3, disorder=1), asset("a")])
    side = Side("defender", (("41.19", 0),), unable=unable)
    (stack,) = stacks_as_they_check(shaken, side, (0, 0))
    assert stack.stack.unable == unable
    assert [force.standing for force in stack.forces] == [Standing(levels=3, disorder=1)]


@pytest.mark.rule("11.3", "7.2b", "7.2")
def test_one_roll_shows_the_modifiers_of_every_force_that_it_is_read_for() -> None:
    more = (Modifier("11.3.1", "step losses", 2),)
    forces = (ForceCheck("A", (), 9, Standing(), more), ForceCheck("B", (), 8))
    roll = roll_check(StackCheck(Stack("41.19", "defender", 0), forces), failure)
    assert isinstance(roll, Roll)
    assert (roll.name, roll.modifiers) == ("ec.41.19", {"A": more, "B": ()})


@pytest.mark.rule("11.3.2aa", "11.2.6a")
def test_a_defender_that_fails_where_it_cannot_leave_has_not_left() -> None:
    """Unless the result itself has driven it out already."""
    failed = ForceCheck("A", passed=False, suffered=GOES, left=10)
    for unable, retreat, leaves in ((True, 0, False), (False, 0, True), (True, 1, True)):
        done = settle_checks(StackCheck(Stack("41.19", "defender", retreat, unable=unable), (failed,), rolled=True))
        assert done.notes["defender.vacates"] == leaves
