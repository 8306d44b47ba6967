"""The battle rules against a second, naive solution written by somebody who had only the rulebook."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.game.games import Game
from assistant.mechanics.procedure import first_option, resolve
from twilight_in_the_east.battle import question as battle
from twilight_in_the_east.combat import before_dice
from twilight_in_the_east.combat.before_dice import Combat
from twilight_in_the_east.combat.engagement import Engagement
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.results.outcome import PlayedCombat
from twilight_in_the_east.results.resolution import Start, resolution

from ...cases import examples
from . import naive_battle as naive

FEATURES = ("open", "minor-river", "major-river", "grand-river")


@st.composite
def units(draw: st.DrawFn, name: str, place: str, attacker: bool, arms: tuple[str, ...]) -> dict[str, Any]:
    """A unit as the naive solution describes it."""
    arm = draw(st.sampled_from(arms))
    fortress = arm in ("fortress", "fort")
    size = "-" if fortress or arm == "artillery" else draw(st.sampled_from(["XX", "XX", "XX", "X", "III"]))
    formation = size in ("XX", "X") and draw(st.booleans() | st.just(True))
    steps = 1 if arm == "artillery" else draw(st.integers(1, 14))
    reduced = formation and size == "XX" and draw(st.booleans())
    lost = draw(st.integers(0, steps - 1))
    artillery = 0 if fortress else draw(st.integers(0 if arm != "artillery" else 1, 9))
    half = not attacker and draw(st.integers(0, 5)) == 0
    return {
        "id": name,
        "nation": draw(st.sampled_from(["german", "russian"]))
        if name.startswith("any")
        else "russian"
        if attacker
        else "german",
        "corps": draw(st.sampled_from(["3", "20", None])),
        "size": size,
        "arm": arm,
        "formation": formation,
        "steps": steps,
        "defence": draw(st.integers(0, 16)),
        "artillery": artillery,
        "heavy": draw(st.booleans()),
        "high_trajectory": draw(st.booleans()),
        "ap": arm == "artillery" or draw(st.booleans()),
        "lost": lost,
        "reduced": reduced,
        "back_steps": draw(st.integers(0, steps - lost - 1)),
        "effectiveness": draw(st.integers(4, 12)),
        "status": draw(st.integers(0, 3 if attacker else 4)) if formation else 0,
        "disorder": draw(st.sampled_from([0, 0, 0, 1, 2])) if formation and not attacker else 0,
        "low_supply": draw(st.booleans()),
        "hex": place,
        "prepared": draw(st.booleans()),
        "half": half,
        "fssm": draw(st.integers(1, 4)) if fortress else 0,
    }


@st.composite
def battles(draw: st.DrawFn, stacks: int = 2, most: int = 2) -> dict[str, Any]:
    """A whole combat as the naive solution describes it."""
    attackers = []
    places = ["40.19", "40.20"][:stacks]
    for number, place in enumerate(places):
        arm = ("infantry", "infantry", "artillery")
        count = draw(st.integers(1, most))
        attackers.append(draw(units(f"a{number}0", place, True, ("infantry",))))
        attackers += [draw(units(f"a{number}{n}", place, True, arm)) for n in range(1, count)]
    first = draw(units("d0", "41.19", False, ("infantry", "cavalry")))
    arms = ("infantry", "artillery", "fortress", "fort")
    defenders = [first] + [draw(units(f"d{n}", "41.19", False, arms)) for n in range(1, draw(st.integers(1, most + 1)))]
    return {
        "gt": draw(st.sampled_from([1, 27, 28, 40])),
        "terrain_shift": draw(st.integers(-2, 0)),
        "flanked": draw(st.booleans()),
        "ip": draw(st.integers(0, 4)),
        "attackers": attackers,
        "defenders": defenders,
        "hexside": {place: {draw(st.sampled_from(FEATURES))} for place in places},
        "attacker_ip": {place: draw(st.integers(0, 2)) for place in places},
    }


def unit_of(given: dict[str, Any]) -> CombatUnit:
    """The same unit as the plugin describes it."""
    classes = {"heavy"} if given["heavy"] else set()
    classes |= {"high-trajectory"} if given["high_trajectory"] else set()
    printed = (given["steps"] + 1) // 2 if given["back_steps"] is None else given["back_steps"]
    back = printed if given["formation"] and not given["reduced"] else 0
    return CombatUnit(
        id=given["id"],
        nation=given["nation"],
        arm=given["arm"],
        size=given["size"],
        formation=given["formation"],
        place=given["hex"],
        corps=given["corps"] or "",
        steps=given["steps"],
        lost=given["lost"],
        reduced=given["reduced"],
        back_steps=back,
        defence=given["defence"],
        artillery=given["artillery"],
        classes=frozenset(classes),
        ap=bool(given["ap"] and given["artillery"] and not given["half"]),
        effectiveness=given["effectiveness"],
        levels=given["status"],
        disorder=given["disorder"],
        low_supply=given["low_supply"],
        half=given["half"],
        prepared="41.19" if given["prepared"] else "",
        fssm=given["fssm"],
    )


def engagement_of(given: dict[str, Any]) -> Engagement:
    """The same combat as the plugin gathers it."""
    attackers = [unit_of(unit) for unit in naive.taking_part(given, "attackers")]
    defenders = [unit_of(unit) for unit in naive.taking_part(given, "defenders")]
    fortress = any(unit.arm in ("fortress", "fort") for unit in defenders)
    places = list(dict.fromkeys(unit.place for unit in attackers))
    return Engagement(
        at="41.19",
        attackers=tuple(attackers),
        defenders=tuple(defenders),
        turn=given["gt"],
        terrain="terrain",
        crossed={place: frozenset(given["hexside"].get(place, {"open"})) for place in places},
        position=given["ip"],
        positions={place: given["attacker_ip"].get(place, 0) for place in places},
        flanked=given["flanked"] and not fortress,
        shifts={"terrain": given["terrain_shift"]},
    )


def tables_of(twilight: Game) -> dict[str, Any]:
    """The charts as the naive solution reads them."""
    crt = {
        (key[0].title(), key[1], key[2]): (cell.values["attacker"], cell.values["defender"])
        for key, cell in twilight.charts["crt"].cells.items()
    }
    slrt = {
        (key[0].title(), key[1], key[2]): (cell.values["steps"], cell.values["ec"])
        for key, cell in twilight.charts["slrt"].cells.items()
    }
    return {"crt": crt, "slrt": slrt}


def weigh(twilight: Game, given: dict[str, Any]) -> tuple[battle.BattleResult, Combat, Any]:
    result, of = before_dice.evaluate_combat(engagement_of(given))
    charts = twilight.charts
    return result, of, resolution(of, lambda chart, *key: charts[chart].cells[charts[chart].key(*key)])


@settings(max_examples=examples(400), deadline=None)
@given(given_battle=battles())
def test_strengths_odds_and_magnitude(twilight: Game, given_battle: dict[str, Any]) -> None:
    expected = naive.strengths(given_battle)
    result, _, _ = weigh(twilight, given_battle)
    assert (result.attacker.total, result.defender.total) == (expected["attack"], expected["defence"])
    assert (result.initial, result.final, result.column) == (expected["initial"], expected["final"], expected["column"])
    assert (result.magnitude, result.divisions) == (expected["magnitude"], expected["divisions"])
    sums = {name: sum(m.amount for m in getattr(result, f"{name}_modifiers")) for name in ("attacker", "defender")}
    assert sums == naive.slrt_modifiers(given_battle, 0, 0)


@settings(max_examples=examples(400), deadline=None)
@given(
    given_battle=battles(),
    rolls=st.lists(st.integers(2, 12), min_size=4, max_size=4),
    dice=st.lists(st.integers(1, 6), min_size=2, max_size=2),
)
def test_every_roll_leads_to_the_same_losses_and_checks(
    twilight: Game, given_battle: dict[str, Any], rolls: list[int], dice: list[int]
) -> None:
    places = ["40.19", "40.20", "41.19"]
    by_place = dict(zip(places, rolls[1:], strict=True))
    expected = naive.resolve(
        given_battle,
        tables_of(twilight),
        {"crt": rolls[0], "slrt.attacker": dice[0], "slrt.defender": dice[1], "ec": by_place},
    )
    _, of, procedure = weigh(twilight, given_battle)
    answers = {"crt": str(rolls[0]), "slrt.attacker": str(dice[0]), "slrt.defender": str(dice[1])}
    answers |= {f"ec.{place}": str(roll) for place, roll in by_place.items()}
    while True:  # choices are settled by the policy, as the naive solution settles them
        resolved = resolve(procedure, Start(), answers)
        if not resolved.pending:
            break
        answers |= {choice.name: first_option(choice) for choice in resolved.pending}  # type: ignore[arg-type]
    after = PlayedCombat(of, resolved).read_outcome()
    for side in after.losses:
        found = {"modified": side.modified, "steps": side.steps, "ec": side.ec}
        assert found == expected["slrt"][side.side]
    losses = {unit: steps for side in after.losses for unit, steps in (side.losses or {}).items()}
    assert losses == {unit: steps for unit, steps in expected["losses"].items() if not unit.startswith("crt:")}
    names = ("drm", "modified", "cel", "margin", "passed", "cel_loss", "retreat", "steps", "disorder")
    found_checks = {
        check.force: {**{name: getattr(check, name, 0) for name in names}, "drm": check.modified - check.natural}
        for check in after.checks
    }
    assert found_checks == expected["forces"]
