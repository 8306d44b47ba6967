"""What the rules do not allow in a combat as it was named: who may attack, when, combine, be withheld (10.0, 10.1, 4.2, 10.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from assistant.questions.report import Step

from ..forces.bars import FOUGHT, RETREATED, bars, is_barred
from ..forces.units import SIDES, CombatUnit, Role, stacking_value, stacks
from ..ground.phases import ATTACK_PHASES
from ..terms import COMBAT_ARMS
from .allocation import MOST, points_allocated
from .engagement import Engagement
from .strength import formations_with


def refusals(engagement: Engagement, board_neighbours: Sequence[str]) -> list[Step]:
    """Every rule that this combat breaks, as it was named. Who must be withheld is left to its owner wherever he has a choice.

    Rule: 4.2.2, 4.2.2b, 6.3.1c, 10.1, 10.1.2b, 10.1.4a, 10.1.4b, 10.1.5a, 10.5b
    """
    steps = [*bound(engagement), *withholding(engagement), *barred_ground(engagement), *after_a_retreat(engagement)]
    steps += [step for unit in engagement.attackers for step in unable(unit, engagement.at, board_neighbours)]
    for name, target in engagement.elsewhere.items():
        figures = {"unit": name, "hex": target}
        steps.append(Step("10.1.5", "{unit} has a Prepared Attack marker on {hex} and is withheld here", figures))
    return steps + [step for role in SIDES for step in combining(engagement.side(role), role)]


def out_of_turn(engagement: Engagement) -> list[Step]:
    """What forbids a combat in this phase: it is no attack phase or the other side's, the hex has been attacked or a unit has
    been in a combat already, be it with a part of its strength.

    Rule: 10.1b, 10.1.1b
    """
    now = engagement.attack_phase
    steps = []
    if now.phase and now.phase not in ATTACK_PHASES:
        steps.append(Step("10.0", "combats are fought in attack phases: phase={phase}", {"phase": now.phase}))
    elif now.active and now.active != now.attacking:
        steps.append(Step("10.0", "the {active} side is active, and attacks in this phase", {"active": now.active}))
    if now.attacked:
        text = "{at} has been attacked in this phase already (in a new one state {at} attacked=no, or the new phase)"
        steps.append(Step("10.1", text, {"at": engagement.at}))
    if again := [unit.id for unit in (*engagement.attackers, *engagement.defenders) if FOUGHT.holds(unit)]:
        text = "in a combat of this phase already: {units} (in a new one state fought=no of each, or the new phase)"
        steps.append(Step("10.1", text, {"units": again}))
    return steps


def unable(unit: CombatUnit, at: str, board_neighbours: Sequence[str]) -> list[Step]:
    """What forbids one unit to attack a hex, whoever else does (10.1, 10.1.2, 8.2.4, 8.2.5)."""
    steps = []
    if unit.place not in board_neighbours:
        figures = {"unit": unit.id, "place": unit.place, "at": at}
        steps.append(Step("10.1", "{unit} in {place} is not adjacent to {at}", figures))
    others = (bar for bar in bars(unit, "attack") if bar not in (RETREATED, FOUGHT))  # which are told of both sides
    return steps + [Step(bar.rule, "{unit} {why}", {"unit": unit.id, "why": bar.text("attack")}) for bar in others]


def combining(units: Sequence[CombatUnit], role: Role) -> list[Step]:
    """What forbids these units of one side to fight together: arms, armies, APs, what a hex may send (10.1.4, 10.5, 4.2.2)."""
    steps = []
    if len({unit.arm for unit in units if unit.arm in COMBAT_ARMS}) == 2:
        text = "{role}: cavalry and infantry cannot fight together: withhold one (ask ... withhold=UNIT)"
        steps.append(Step("10.1.4", text, {"role": role}))
    armies = sorted({unit.army for unit in units if unit.army})
    if len(armies) > 1:
        text = "{role}: units of different armies ({armies}) cannot combine"
        steps.append(Step("10.1.4", text, {"role": role, "armies": armies}))
    points = points_allocated(units)
    if len(points) > MOST:
        text = "{role}: {points} APs, but two are the most in a combat"
        steps.append(Step("10.5", text, {"role": role, "points": len(points)}))
    for place, stack in stacks(units).items():
        if too_many(stack):
            text = "{role}: {divisions} divisions and {guns} artillery units in {place}, but only 2 and 1 can fight: "
            text += "withhold some (ask ... withhold=UNIT,UNIT)"
            value = sum(map(stacking_value, stack), Fraction(0))
            guns = sum(unit.arm == "artillery" for unit in stack)
            figures = {"role": role, "divisions": value, "guns": guns, "place": place}
            steps.append(Step("4.2.2", text, figures))
    return steps


def armies_unsaid(engagement: Engagement) -> list[Step]:
    """The formations of which no army is stated, where others of their side have one: they are taken to be of the same (6.3.1)."""
    text = "{units}: no army is stated, and they are taken to be of that of the others, {armies}"
    steps = []
    for role in SIDES:
        bare = [unit.id for unit in engagement.side(role) if unit.formation and not unit.army]
        armies = sorted({unit.army for unit in engagement.side(role) if unit.army})
        if bare and armies:
            steps.append(Step("6.3.1", text, {"units": bare, "armies": armies}))
    return steps


def formations_unsaid(engagement: Engagement) -> list[Step]:
    """The Asset Units that stand with several formations, of whom nobody says with which one each goes (6.4.1)."""
    steps = []
    for role in SIDES:
        for unit in engagement.side(role):
            choice = formations_with(unit, engagement.side(role))
            if len(choice) > 1 and unit.with_ not in choice:
                text = "{unit} is taken to be attached to {force}, not to {others} (state {unit} with=...)"
                figures = {"unit": unit.id, "force": choice[0], "others": list(choice[1:])}
                steps.append(Step("6.4.1", text, figures))
    return steps


def barred_ground(engagement: Engagement) -> list[Step]:
    """Attacks over ground that nobody may move over: a Grand River without bridge or ferry, and what the Terrain Effects Chart
    prohibits; seas, lakes and impassable hexsides are refused before anything is reckoned.

    Rule: 10.1.2d, 10.1.2e
    """
    text = "a Grand River is attacked across only at a bridge or ferry, and {place}|{at} has none"
    steps = [Step("10.1.2", text, {"place": place, "at": engagement.at}) for place in engagement.unbridged]
    text = "nobody may move from {place} to {at} by the Terrain Effects Chart, and so nobody attacks there"
    return steps + [Step("10.1.2", text, {"place": place, "at": engagement.at}) for place in engagement.prohibited]


def after_a_retreat(engagement: Engagement) -> list[Step]:
    """Who has retreated in this attack phase fights no more in it: others defend the hex, or it cannot be attacked.

    Rule: 10.1c
    """
    retreated = [unit.id for unit in (*engagement.attackers, *engagement.defenders) if unit.retreated]
    here = [
        unit for unit in (*engagement.defenders, *engagement.idle, *engagement.withheld) if unit.place == engagement.at
    ]
    if here and all(unit.retreated for unit in here):
        text = "all in {at} have retreated in this phase and may not be attacked again: {units}"
        return [Step("10.1", text, {"at": engagement.at, "units": [unit.id for unit in here]})]
    text = "{unit} has retreated in this phase and must be withheld"
    return [Step("10.1.5", text, {"unit": unit}) for unit in retreated]


def bound(engagement: Engagement) -> list[Step]:
    """The attackers left out though a Prepared Attack marker binds them: it points at the hex and they can attack, but not where
    their army gives way to another one that attacks it, of which the attacker chooses one, or their hex sends all that it may.

    Rule: 10.1.5d, 10.3
    """
    at, attackers = engagement.at, engagement.attackers
    chosen = {unit.army for unit in attackers if unit.army and unit.prepared == at}
    text = "{unit} has a Prepared Attack marker on {at} and cannot be withheld"
    steps = []
    for unit in engagement.left_out:
        gives_way = bool(chosen and unit.army and unit.army not in chosen)
        with_it = [*(one for one in attackers if one.place == unit.place), unit]
        if unit.prepared == at and not gives_way and not is_barred(unit, "attack") and not too_many(with_it):
            steps.append(Step("10.1.5", text, {"unit": unit.id, "at": at}))
    return steps


def too_many(stack: Sequence[CombatUnit]) -> bool:
    """Whether these units of one hex are more than may fight from it or in it together: two divisions, one artillery unit.

    Rule: 4.2.2
    """
    return sum(map(stacking_value, stack), Fraction(0)) > 2 or sum(unit.arm == "artillery" for unit in stack) > 1


def withholding(engagement: Engagement) -> list[Step]:
    """What is wrong with the defenders withheld: the top unit, a stack without a sound formation, and infantry left out in favour
    of less cavalry.

    Rule: 10.1.3b, 10.1.5b, 10.1.2c
    """
    chosen = {unit.id for unit in engagement.withheld if not unit.retreated}
    if not chosen:
        return []
    steps = []
    top = next(
        unit for unit in engagement.stack if unit not in {one.id for one in engagement.withheld if one.retreated}
    )
    figures = {"at": engagement.at}
    if not sound_formation(in_the_hex(engagement)):
        text = "nobody is withheld in {at}: no formation there is free of Demoralization"
        steps.append(Step("10.1.3", text, figures))
    elif engagement.readings.sound_formation == "defending" and only_sound_ones_withheld(engagement):
        text = "nobody is withheld in {at}: no formation that defends is free of Demoralization"
        steps.append(Step("10.1.3", text, figures))
    elif not has_both_arms(engagement) and top in chosen:
        steps.append(Step("10.1.3", "{unit} is the top unit and cannot be withheld", {"unit": top}))
    if engagement.readings.defending_arm == "larger" and smaller_cavalry(engagement):
        text = "{cavalry} divisions of cavalry cannot defend in place of {infantry} of infantry: withhold the cavalry"
        horse, foot = sizes_by_arm(engagement)
        steps.append(Step("10.1.5", text, {"cavalry": horse, "infantry": foot}))
    return steps


def in_the_hex(engagement: Engagement) -> list[CombatUnit]:
    """The units in the defending hex, whether they fight or not."""
    return [
        unit for unit in (*engagement.defenders, *engagement.idle, *engagement.withheld) if unit.place == engagement.at
    ]


def sound_formation(units: Iterable[CombatUnit]) -> bool:
    """Whether there is a formation among these units that is not Demoralized."""
    return any(unit.formation and not unit.demoralized for unit in units)


def only_sound_ones_withheld(engagement: Engagement) -> bool:
    """Whether the hex has a sound formation, and every such one is withheld by choice (10.1.3)."""
    by_choice = {unit.id for unit in engagement.withheld if not unit.retreated}
    there = in_the_hex(engagement)
    return sound_formation(there) and not sound_formation(unit for unit in there if unit.id not in by_choice)


def has_both_arms(engagement: Engagement) -> bool:
    """Whether infantry and cavalry stand in the defending hex that have not retreated in this phase."""
    return {"infantry", "cavalry"} <= {unit.arm for unit in in_the_hex(engagement) if not unit.retreated}


def sizes_by_arm(engagement: Engagement) -> tuple[Fraction, Fraction]:
    """The divisions of the cavalry that defends, and of the infantry in its hex that is sound."""
    there = in_the_hex(engagement)
    infantry = [unit for unit in there if unit.arm == "infantry" and not unit.demoralized and not unit.retreated]
    cavalry = [unit for unit in engagement.defenders if unit.arm == "cavalry"]
    horse, foot = (sum(map(stacking_value, units), Fraction(0)) for units in (cavalry, infantry))
    return horse, foot


def smaller_cavalry(engagement: Engagement) -> bool:
    """Whether cavalry defends in place of more infantry (10.1.5)."""
    horse, foot = sizes_by_arm(engagement)
    withheld = any(not unit.retreated for unit in engagement.withheld)
    defends = any(unit.arm == "cavalry" for unit in engagement.defenders)
    return withheld and defends and has_both_arms(engagement) and horse < foot
