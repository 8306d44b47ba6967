"""The question `battle`: the column, magnitude and chances of a combat before its dice, and its result after them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import msgspec
from msgspec.structs import replace

from assistant.asking import Answers, MissingFacts, View, declare, refused
from assistant.asking.asks import Ask
from assistant.asking.play import Aliases, Play, play_procedure
from assistant.asking.question import Fights
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.sketch import Chart, Sketch
from assistant.rules.field.attack_signs import attacks_shown
from assistant.state.changes import Change, Gain

from ..ammunition.spending import AmmunitionSpending, kept_changes, lacking_part, spend_points, spending_part
from ..combat.allocation import ASSUMED, points_allocated
from ..combat.before_dice import Combat
from ..combat.engagement import BattleParameters, Engagement
from ..combat.legality import assumption_steps, fleeting_steps, out_of_turn_steps, refusals
from ..combat.report import odds_part, size_part, strength_part
from ..combat.setup import Setup, leaders_to_choose
from ..concealment.cover import reveal_in_combat
from ..displacement.in_combat import displaced_names
from ..entering.consequences import Following, find_consequences
from ..entering.obligations import owed_by_units
from ..forces.losses import units_off_map
from ..forces.units import SIDES, CombatUnit, Role
from ..ground.calendar import announcement_steps, weather_left_out
from ..ground.hexsides import assume_crossed
from ..results.aftermath import Aftermath
from ..results.outcome import BattleOutcome, PlayedCombat
from ..results.repulses import PUSHED_WAY_NAMES, REPULSE_NAMES
from ..results.retreats import LOSS_NAMES, WAY_NAMES
from ..scoring.points import format_awards, gains
from .chances import (
    BattleResult,
    battle_chances,
    evaluate_before_dice,
    known_checks,
    next_odds,
    optional_units,
    play_out,
)
from .record import CombatOver, list_marches
from .report import (
    assume_ways_open,
    chances_part,
    checks_part,
    help_part,
    leader_steps,
    leaders_part,
    outcome_parts,
    retreat_parts,
    short_chances,
    short_outcome,
)

WAY_NUMBERS = range(1, 13)
"""Numbers that answers may give to the hexes of a retreat, such as 1 in `retreat.41.19.1`."""
RETREAT_WAYS = (*WAY_NAMES.values(), *PUSHED_WAY_NAMES.values())
"""The first words of answers that give the hexes of a retreat, such as `retreat`."""


def answer(
    view: View, parameters: BattleParameters, answers: Answers, *, detailed: bool = True
) -> Report[BattleResult]:
    """Return the report on a combat: its chances before the dice, or its result with dice.

    `detailed`: whether to add chances, alternatives and results in words, on which the verdict does not depend.

    Raises MissingFacts if a deciding fact is not stated, InputError if the hex has no defender or attacker.
    """
    text = "this attack is not allowed"
    try:
        engagement, parameters, withheld = Setup(view, parameters).engage_obliged()
    except MissingFacts:
        if standing := Setup(view, parameters).certain_refusals():
            return refused(f"Battle at {parameters.at}", text, standing)
        raise
    places = ", ".join(dict.fromkeys(unit.place for unit in engagement.attackers))
    title = f"Battle at {engagement.at}, attacked from {places}, GT {engagement.turn}"
    if reasons := [*refusals(engagement), *out_of_turn_steps(engagement)]:
        return refused(title, text, reasons)
    opened = _open_combat(view, title, engagement, parameters, withheld, dice=bool(answers))
    answers = _split_ways(answers, opened.engagement)
    names = {**answer_names(opened.combat), **_find_losses_of_repulses(view, answers)}
    played = play_out(view, opened.combat, answers, names)
    if answers:
        return opened.report_outcome(*opened.resolve_rest(played, answers, names), detailed=detailed)
    return opened.report_chances(played, detailed=detailed)


class Opened(msgspec.Struct, frozen=True):
    """A legal combat before its dice."""

    view: View
    title: str
    parameters: BattleParameters
    """The parameters as asked; `withhold` also names the units that must be withheld."""
    battle: BattleResult
    combat: Combat
    parts: tuple[Part, ...]
    """Parts of the report that do not depend on the dice."""
    spending: AmmunitionSpending | None = None
    """The ammunition spent by the supply units that the players name, or None if they name none."""

    @property
    def engagement(self) -> Engagement:
        return self.combat.engagement

    @property
    def sides(self) -> dict[Role, tuple[CombatUnit, ...]]:
        return {role: self.engagement.side(role) for role in SIDES}

    def report_outcome(self, after: BattleOutcome, played: Play, *, detailed: bool) -> Report[BattleResult]:
        """Return the report on a combat with dice: its results, and the next roll or choice.

        `detailed`: as in `answer`.
        """
        asks = played.asks
        assume_ways_open(self.view, after)
        spending = self.spending
        if spending is None:
            spending = AmmunitionSpending() if asks else spend_points(self.view, self.sides, {})
        changes: tuple[Change | Gain, ...] = ()
        following = Following()
        if not asks:
            after, changes, following = self._settle_combat(after, spending)
        left = tuple(dict.fromkeys((*after.unsettled, *following.unsettled)))
        battle = replace(self.battle, outcome=replace(after, unsettled=left))
        shown = [*self.parts, self._granted_part(spending)]
        if detailed:
            shown += outcome_parts(self.combat, after, format_awards(self.view, following.awards))
            shown += retreat_parts(self.combat, after, played.resolution)
            shown.append(following.light)
        if detailed and not asks:
            shown += (leaders_part(self.engagement), spending_part(spending))
        return Report(
            title=self.title,
            verdict=_choose_verdict_after(battle, after, asks),
            short=(*short_outcome(self.combat, battle, after, asks), *self._say_announcement()) if detailed else (),
            parts=tuple(shown),
            asks=asks,
            changes=changes,
            result=battle,
        )

    def report_chances(self, played: Play, *, detailed: bool) -> Report[BattleResult]:
        """Return the report on a combat before its dice. `detailed`: as in `answer`."""
        view, engagement, battle = self.view, self.engagement, self.battle
        (roll,) = played.asks
        decision = verdict("figure", "column {column}, {magnitude}; roll {dice}", battle, roll)
        parts = [*self.parts, self._granted_part(self.spending or AmmunitionSpending())]
        if detailed:
            battle = replace(
                battle,
                next_column=next_odds(battle.attacker.total, battle.defender.total),
                optional=optional_units(view, self.parameters, engagement),
                checks=known_checks(self.combat),
                chances=battle_chances(self.combat, played.chances) if played.chances else None,
            )
            might = leader_steps(engagement, leaders_to_choose(view, engagement))
            parts += [lacking_part(view, self.sides), help_part(battle, might), checks_part(battle.checks)]
            parts += [chances_part(battle.chances) if battle.chances else played.unknown_cells]
        return Report(
            title=self.title,
            verdict=decision,
            short=(*short_chances(self.combat, battle), *self._say_announcement()),
            parts=tuple(parts),
            asks=played.asks,
            result=battle,
        )

    def _say_announcement(self) -> Iterator[Step]:
        for granted in announcement_steps(self.view, self.engagement.at):
            yield step(granted.rule, f"{granted.template}.", **granted.figures)

    def _granted_part(self, spending: AmmunitionSpending) -> Part:
        engagement = self.engagement
        if engagement.flank.held >= 3:
            assume_crossed(self.view, engagement.ring.unsaid)
        drawn = (step("10.5.2", ASSUMED),) if points_allocated(engagement.units) and not spending.is_settled else ()
        return Part(
            "Assumed",
            (
                *weather_left_out(self.view),
                *announcement_steps(self.view, engagement.at),
                *assumption_steps(engagement),
                *fleeting_steps(engagement),
                *drawn,
            ),
        )

    def resolve_rest(self, played: Play, answers: Answers, names: Aliases) -> tuple[BattleOutcome, Play]:
        """Return the outcome of the combat, and the play up to its last answer.

        Retreats and the advance follow once all checks are made, with the same answers.
        """
        after = PlayedCombat(self.combat, played.resolution).read_outcome()
        if played.asks:
            return after, played
        rest = Aftermath(self.combat, after, answers.get("advance", ""))
        later = play_procedure(self.view, rest.follow, rest.start, answers, aliases=names)
        return rest.complete_outcome(later.resolution), later

    def _settle_combat(
        self, after: BattleOutcome, spending: AmmunitionSpending
    ) -> tuple[BattleOutcome, tuple[Change | Gain, ...], Following]:
        view = self.view
        over = CombatOver(view, self.combat, after)
        by_combat = (*over.losses_and_levels(), *over.list_moves(), *over.list_displacements())
        engaged = (self.engagement.at, *(unit.place for unit in self.engagement.attackers))
        shown = (*reveal_in_combat(view, engaged),)
        following = find_consequences(view.after(shown) if shown else view, list_marches(over))
        prepared = over.score_attack(self.battle.shifts)
        awards = (*prepared, *following.awards)
        moved = view.quiet_view().after((*by_combat, *following.changes))
        waiting = tuple(owed_by_units(moved, view, after.unsettled))
        owed = (*following.owed, *waiting)
        changes = (*gains(prepared), *following.changes, *waiting)
        following = replace(following, awards=awards, changes=changes, owed=owed)
        after = over.add_points(awards)
        if after.supposed_phase:
            text = "the Attack Phase, for the Victory Point of a Prepared Attack (phase not stated)"
            view.premises.assume(step("27.2.1", text))
        gone = units_off_map(by_combat)
        off = over.take_markers_off(gone)
        made = (*shown, *by_combat, *following.changes, *over.phase_marks(), *over.count_leaders(), *off)
        return after, (*kept_changes(spending, made, gone), *made), following


def _open_combat(
    view: View,
    title: str,
    engagement: Engagement,
    parameters: BattleParameters,
    withheld: tuple[Step, ...],
    *,
    dice: bool,
) -> Opened:
    engagement, battle, combat = evaluate_before_dice(view, engagement, parameters, dice=dice)
    parts = (
        Part("Withheld", withheld),
        strength_part(engagement, battle),
        odds_part(battle, engagement),
        size_part(battle),
    )
    opened = Opened(view, title, parameters, battle, combat, parts)
    sources: dict[Role, tuple[str, ...]] = {
        "attacker": parameters.attacker_ap_from,
        "defender": parameters.defender_ap_from,
    }
    named = {role: names for role, names in sources.items() if names}
    return replace(opened, spending=spend_points(view, opened.sides, named)) if named else opened


def _split_ways(answers: Answers, engagement: Engagement) -> Answers:
    """Return the answers with each route, such as `retreat.41.19=42.19,43.18`, split into one answer for each hex."""
    by_hex: dict[str, str] = {}
    stacked = {name for unit in engagement.everybody for name in (unit.place, unit.id)}
    ways = {f"{what}.{name}" for what in RETREAT_WAYS for name in stacked}
    for name, value in answers.items():
        hexes = value.split(",") if name in ways else []
        by_hex |= {f"{name}.{number}": hex for number, hex in enumerate(hexes, 1)} or {name: value}
    return by_hex


def answer_names(combat: Combat) -> Aliases:
    """Return the alternative names of answers.

    `slrt=3/4` rolls for both sides, `losses=` and `modifier=` are the attacker's, and any unit of a stack names its
    check. All names of the combat are listed, because players roll all dice at once and some may not be needed.
    """
    engagement = combat.engagement
    units = engagement.units
    own = ["crt", "losses.fortresses", *(f"{what}.{role}" for what in ("slrt", "losses", "modifier") for role in SIDES)]
    own += [f"losses.{unit.id}" for unit in units] + [f"ec.{unit.place}" for unit in units]
    every = engagement.everybody
    own += [f"losses.{unit.id}.{what}" for unit in every for what in ("crt", "way", "supply")]
    for unit in every:
        for stack, what, number in product((unit.place, unit.id), RETREAT_WAYS, WAY_NUMBERS):
            own += (f"{what}.{stack}.{number}", f"{what}.{stack}.{number}.who")
    tries = [f"{what}.{stack}" for unit in every for stack in (unit.place, unit.id) for what in REPULSE_NAMES.values()]
    own += [f"{tried}{roll}" for tried in tries for roll in ("", ".crt", ".ec")]
    return {
        "advance": "advance",
        **{name: name for name in displaced_names(combat)},
        **{name: name for name in own},
        "slrt": ("slrt.attacker", "slrt.defender"),
        "losses": "losses.attacker",
        "modifier": "modifier.attacker",
        **{f"ec.{unit.id}": f"ec.{unit.place}" for unit in units},
    }


def _find_losses_of_repulses(view: View, answers: Answers) -> dict[str, str]:
    ends = tuple(f".{what}" for what in (*REPULSE_NAMES.values(), LOSS_NAMES["repulse"], "supply"))
    named = [name for name in answers if name.startswith("losses.") and name.endswith(ends)]
    return {name: name for name in named if name.removeprefix("losses.").rpartition(".")[0] in view.state.units}


def _choose_verdict_after(battle: BattleResult, after: BattleOutcome, asks: tuple[Ask, ...]) -> Verdict:
    due = [ask.name for ask in asks]
    if cells := [ask.name for ask in asks if ask.kind == "cell"]:
        return verdict(
            "undecided", "undecided: column {column}, {magnitude}; chart cells missing: {due}", battle, due=cells
        )
    if asks:
        text = "column {column}, {magnitude}[crt:, result {crt}]; next: {next}"
        return verdict("figure", text, battle, after, due=due, next=asks[0].title)
    text = (
        "column {column}, {magnitude}, result {crt}: attacker loses {attacker_steps:#step}, defender {defender_steps}; "
        "failed checks: {failed}; defender vacates the hex: {vacated}"
    )
    failed = [check.force for check in after.checks if not check.passed]
    return verdict("figure", text, battle, after, failed=failed)


def _sketch(view: View, report: Report[BattleResult]) -> tuple[Sketch, Chart | None]:
    from assistant.rules.sketches import of_combat  # only here: most answers are not drawn

    from .picture import battle_chart, show_combat

    return of_combat(show_combat)(view, report), battle_chart(report)


QUESTION = declare(
    "battle",
    "the column, shifts, magnitude and chances of a combat, or its result with these dice",
    answer,
    {
        "crt": "the roll on the Combat Results Table",
        "slrt": "both sides' rolls on the Step Loss Results Table, as ATTACKER/DEFENDER",
        "slrt.SIDE": "the roll of one side on the Step Loss Results Table: attacker or defender",
        "losses": "the units of the attacker that take its step losses, one name per step, joined by commas",
        "losses.SIDE": "the units that take the step losses of one side: attacker or defender",
        "losses.FORCE": "the units of a Force that take the step losses of its check",
        "losses.fortresses": (
            "the fortress units that lose steps in place of hexes of retreat, one name per step, joined by commas"
        ),
        "losses.FORCE.crt": "the units of a Force that take the step losses of its retreat by the result",
        "losses.FORCE.way": "the units of a Force that take the step losses of its retreat by its check",
        "losses.FORCE.supply": "the units of a Force that take the step loss for ending farther from supply",
        "retreat.HEX": "the hexes that the stack of a hex retreats to by the result, in order, joined by commas",
        "retreat.HEX.N": "hex number N of the route retreat.HEX",
        "retreat.HEX.N.who": (
            "the Forces that go on as far as hex number N because the hex where they should have stopped cannot hold "
            "all; named in the same way for all retreats"
        ),
        "onward.HEX": "the hexes that the stack of a hex retreats to by its check, in order, joined by commas",
        "onward.HEX.N": "hex number N of the route onward.HEX",
        "onward.FORCE": (
            "the route of a part of the stack that is now in another hex, by the first Force of that part; "
            "retreat.FORCE and Repulses are named in the same way"
        ),
        "repulse.HEX": (
            "the enemy hex that a stack unable to retreat farther tries to clear, with one of its Forces where "
            "several may try, or none"
        ),
        "repulse.HEX.crt": "the roll for the Repulse",
        "repulse.HEX.ec": "the check of the stack that the Repulse pushes away",
        "repulsed.HEX": "the retreat of the stack that the Repulse pushes away: its hexes in order, joined by commas",
        "repulsed.HEX.N": "hex number N of the route repulsed.HEX",
        "losses.FORCE.repulse": (
            "the units of a Force that take the step losses of a failed Repulse attempt or of a check that a Repulse "
            "causes"
        ),
        "losses.FORCE.repulsed": "the units that take the step losses of the retreat of a stack that is pushed away",
        "onward-repulse.HEX": "a Repulse in the retreat by a check; its rolls are named in the same way",
        "onward-repulsed.HEX": (
            "the retreat of the stack that such a Repulse pushes away: its hexes in order, joined by commas"
        ),
        "onward-repulsed.HEX.N": "hex number N of the route onward-repulsed.HEX",
        "to.UNIT": "the hex to which artillery, a Corps Train or a depot goes if left alone adjacent to the enemy",
        "to.UNIT.again": "where the unit goes if it must leave that hex too",
        "advance": "the attacking units that advance, joined by commas, or none",
        "modifier": "the attacking Force that takes the check modifier from the Step Loss Results Table",
        "modifier.SIDE": "the Force of one side, attacker or defender, that takes the check modifier",
        "ec.HEX": "the Effectiveness Check of a stack, by its hex or one of its units",
    },
    decide=partial(answer, detailed=False),
    sketch=_sketch,
    openings=attacks_shown,
    shows=(
        Fights(
            rules={"place": "11.2.1", "advance": "11.4", "lost": "11.1", "reduced": "11.1", "cel": "11.3.2"}
            | {"disorder": "11.3.2", "prepared": "10.3"}
        ),
    ),
)
