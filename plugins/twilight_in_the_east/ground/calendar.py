"""The game turn and its phases: season, weather, campaign rules, and the active side (1.1, 5.4, 10.0, 19.0).

Rules marked (c) hold only where `campaign` is stated (20.0).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, NamedTuple

import msgspec

from assistant.asking import Gather, InputError, Step, View, note, step
from assistant.asking.case import Case, list_bars
from assistant.asking.permission import Clause, holding
from assistant.game import course
from assistant.game.turn_record import turns
from assistant.state.tracks import CERTAIN
from assistant.util.texts import whole

UNSTATED = "only in the campaign game (c); state `campaign` if this is one"
"""The end of a sentence on a campaign rule left out because the position does not say whether the campaign is played.
"""
LAST_SUMMER_TURN = 27
TITLES = {
    "normal": "normal weather",
    "summer-heat": "Summer Heat",
    "high-water": "High Water",
    "freeze": "Freeze",
}
"""The titles of the kinds of weather."""
CAMPAIGN_ONLY = ("high-water", "freeze")
"""Kinds of weather that only the Grand Campaign has effects for (20.1)."""
MOVEMENT_PHASES = ("movement", "counter-movement")
ATTACK_PHASES = ("attack", "counter-attack")
COUNTER_PHASES = ("counter-movement", "counter-attack")
"""The phases in which the side without the player turn is active."""
PHASES = {
    "reinforcement": "Reinforcement Phase",
    "attachment": "Attachment Phase",
    "pontoon": "Pontoon Bridge Phase",
    "supply": "Supply Phase",
    "engineering": "RR Engineering Phase",
    "movement": "Movement Phase",
    "counter-movement": "Counter Movement Phase",
    "attack": "Attack Phase",
    "counter-attack": "Counter Attack Phase",
    "post-combat": "Post-Combat Phase",
}
"""The phases of a player turn, in order, with their titles (5.4)."""
QUIET_PHASES = {word: title for word, title in PHASES.items() if word not in (*MOVEMENT_PHASES, *ATTACK_PHASES)}
"""Phases in which neither side moves or attacks."""
CounterPhase = Annotated[bool | None, note("whether it is the Counter Movement Phase; from the position if left out")]
"""A parameter of questions about moves."""


def campaign_is_unstated(view: View) -> bool:
    """Return whether the position leaves open if the campaign rules are in use. Rule: 1.1"""
    return view.state.value("campaign") is None


def left_out_steps(view: View, rule: str, template: str, **figures: Any) -> list[Step]:
    """Return a step on a campaign rule that is left out, if the use of these rules is not stated."""
    return [step(rule, f"{template} {UNSTATED}", **figures)] if campaign_is_unstated(view) else []


def in_campaign(facts: View | Gather, rule: str, template: str, *, matters: bool = True, **figures: Any) -> bool:
    """Return whether a campaign rule holds, and note it as left out if that matters and is not stated.

    `template`: as for `left_out_steps`.

    Rule: 1.1
    """
    view = facts.view if isinstance(facts, Gather) else facts
    if matters:
        for line in left_out_steps(view, rule, template, **figures):
            view.premises.assume(line, aloud=True)
    return view.flag("campaign")


def is_summer(turn: int) -> bool:
    """Return whether a turn lies in Summer: GT 1 to 27. Rule: 10.9, 11.3.1e"""
    return turn <= LAST_SUMMER_TURN


def season(turn: int) -> str:
    """Return the season, which names the tables in use: Summer to GT 27, Autumn from GT 28. Rule: 10.9, 19.0"""
    return "summer" if is_summer(turn) else "autumn"


def possible_weather(turn: int) -> tuple[str, ...]:
    """Return the weather that a turn may have, normal weather first if it is possible.

    It is High Water in GT 17 to 23. A roll decides up to GT 10 and from GT 34. Otherwise the weather is normal.

    Rule: 20.0
    """
    if 17 <= turn <= 23:
        return ("high-water",)
    if turn <= 10:
        return ("normal", "summer-heat")
    return ("normal", "freeze") if turn >= 34 else ("normal",)


def weather_left_out(view: View) -> list[Step]:
    """Return a step on stated weather without effect because the campaign rules are not in use, or an empty list.

    Rule: 20.0
    """
    stated = view.state.value("weather")
    if stated not in CAMPAIGN_ONLY or view.state.value("campaign"):
        return []
    why = UNSTATED if campaign_is_unstated(view) else "only in the campaign game (c)"
    return [step("20.0", f"{{weather}} is ignored: it applies {why}", weather=TITLES[str(stated)])]


def flood_left_out(view: View, hexsides: Sequence[str]) -> list[Step]:
    """Return a step if unstated campaign rules may raise the cost of rivers in High Water or Autumn.

    Stated High Water has a step of its own.
    """
    turn = view.integer("turn")
    if not (hexsides and turn and campaign_is_unstated(view)) or view.state.value("weather") == "high-water":
        return []
    if not is_summer(turn):
        dear = "Autumn"
    elif "high-water" in possible_weather(turn):
        dear = "High Water"
    else:
        dear = ""
    text = f"crossing {{hexsides}} in {{season}} costs no more: it does so {UNSTATED}"
    return [step("14.1.2", text, hexsides=tuple(hexsides), season=dear)] if dear else []


def weather(facts: Gather, *among: str) -> str:
    """Return the weather of the turn (20.0).

    It is asked for only if it may be one of `among`.

    Raises InputError if the turn cannot have the stated weather.
    """
    turn = facts.integer("turn")
    possible = possible_weather(turn)
    stated = facts.view.state.value("weather")
    if stated is None and (len(possible) == 1 or not set(possible) & set(among)):
        return possible[0]
    stated_weather = facts.word_among("weather", possible)
    if turn and stated_weather and stated_weather not in possible:
        raise InputError(
            f"weather: {TITLES[stated_weather]} cannot occur in GT {turn}", hint="it may be " + " or ".join(possible)
        )
    return stated_weather


class AttackPhase(msgspec.Struct, frozen=True):
    """The phase in which a combat is fought."""

    phase: Annotated[str, note('the name, or "" if it is not stated')] = ""
    active: Annotated[str, note('the side whose phase it is, or "" if it is not stated')] = ""
    attacking: Annotated[str, note('the side that attacks in the combat, or "" if it is not stated')] = ""
    attacked: Annotated[bool, note("whether the defending hex has been attacked in it already")] = False
    unannounced: Annotated[
        bool, note("whether the attack was not announced, as others were, before the first combat of the phase")
    ] = False
    title: Annotated[str, note("name of the side whose phase it is")] = ""


def is_counter_movement(view: View, stated: bool | None) -> bool:
    """Return whether it is the Counter Movement Phase: as given, or else by the position."""
    return phase_of(view) == "counter-movement" if stated is None else stated


def phase_of(view: View) -> str:
    """Return the phase of the player turn, or "" if it is not stated."""
    return view.word("phase")


def attack_phase(view: View, at: str, attacking: str) -> AttackPhase:
    """Return the known phase of a combat.

    `at`: the defending hex.
    `attacking`: the side that attacks it.
    """
    active = active_now(view)
    attacked = view.flag("attacked", at)
    late = _is_unannounced(view, at)
    return AttackPhase(phase_of(view), active, attacking, attacked, late, view.game.file.title_of(active))


def _list_hexes(view: View, track: str) -> list[str]:
    return sorted(hex for hex in view.stated_about.get(track, ()) if view.flag(track, hex))


def _is_aimed_at(view: View, at: str) -> bool:
    return any(view.word("prepared", unit) == at for unit in view.stated_about.get("prepared", ()))


def _is_unannounced(view: View, at: str) -> bool:
    """Return whether a stated fact shows that an attack was not announced in time.

    So it is if other attacks are announced, no combat of the phase is over, and no marker points at the hex.

    Rule: 10.2
    """
    announced, attacked = _list_hexes(view, "announced"), _list_hexes(view, "attacked")
    if not announced or not attacked or at in (*announced, *attacked):
        return False
    return not _is_aimed_at(view, at)


def announcement_steps(view: View, at: str) -> list[Step]:
    """Return the assumption about an attack that the position does not record as announced. Rule: 10.2"""
    others, attacked = _list_hexes(view, "announced"), _list_hexes(view, "attacked")
    if at in (*others, *attacked) or _is_aimed_at(view, at):
        return []
    first = (
        "{at} is attacked too, though only {others:&} [several:are|is] announced: "
        "announce it before the first combat (state {at} announced)"
    )
    later = (
        "{at} is attacked after {attacked:&}, but is not stated as announced before the first combat: "
        "taken as announced (state {at} announced)"
    )
    clauses = (
        (others and not attacked, "10.2", first),
        (attacked and not others, "10.2", later),
    )
    return holding(clauses, at=at, others=others, attacked=attacked, several=len(others) > 1)


def phase_against(view: View, at: str) -> AttackPhase:
    """Return the known phase of a combat against the defenders of a hex."""
    defending = next(filter(None, (view.side_of(unit.id) for unit in view.stack(at))), "")
    attacking = next((side for side in view.game.file.sides if defending and side != defending), "")
    return attack_phase(view, at, attacking or active_now(view))


def active_now(view: View, phase: str | None = None) -> str:
    """Return the active side in the given phase, or in the present one; "" if it is not known."""
    phasing = view.word("phasing")
    phase = phase_of(view) if phase is None else phase
    return active_side(phase, phasing, tuple(view.game.file.sides)) if phasing else ""


def active_side(phase: str, phasing: str, sides: Collection[str]) -> str:
    """Return the side that is active in a phase and attacks in its combats, or "" if the phase is not known.

    `phasing`: the side whose player turn it is.
    `sides`: both sides.

    Rule: 5.4, 10.0
    """
    if not phase:
        return ""
    return next(side for side in sides if (side == phasing) != (phase in COUNTER_PHASES))


def why_no_movement(view: View, side: str, counter: bool | None = None) -> tuple[str, str]:
    """Return the rule and the reason why a side spends no Movement Points this phase, or "" twice.

    `counter`: whether to suppose the Counter Movement Phase or the Movement Phase, or None for the position's phase.

    Rule: 2.2f
    """
    phase = phase_of(view) if counter is None else MOVEMENT_PHASES[counter]
    active = active_now(view, phase)
    if phase and phase not in MOVEMENT_PHASES:
        return "2.2", f"Movement Points are spent only in movement phases, and the phase is {phase}"
    other = f"the {view.game.file.title_of(active)} side moves in this phase"
    return ("5.4", other) if active not in ("", side) else ("", "")


def why_no_reaction(view: View, side: str) -> list[Step]:
    """Return the stated reasons why cavalry of a side does not react in this phase. Rule: 9.1"""
    phase = phase_of(view)
    clauses = (
        (
            phase and phase not in MOVEMENT_PHASES,
            "9.1",
            "cavalry reacts only in the enemy's movement phases, and the phase is {phase}",
        ),
        (
            phase in ("", *MOVEMENT_PHASES) and active_now(view) == side,
            "9.1",
            "cavalry reacts only while the enemy moves, and its own side moves in this phase",
        ),
    )
    return holding(clauses, phase=phase)


def why_no_retirement(view: View) -> list[Step]:
    """Return the stated reasons why cavalry does not retire in this phase. Rule: 9.2"""
    phase = phase_of(view)
    clauses = [
        (
            phase not in ("", "other", "post-combat"),
            "9.2",
            "cavalry retires only in the Post-Combat Phase, and the phase is {phase}",
        )
    ]
    return holding(clauses, phase=phase)


class QuietWork(Case):
    """A task of a side in a phase of its player turn in which neither side moves or attacks."""

    side: str
    """The side, or "" if it is not known."""
    due: str = ""
    """The word of the phase, such as "pontoon"."""
    rule: str = ""
    """The rule that assigns the task to this phase."""

    @property
    def name(self) -> str:
        return QUIET_PHASES[self.due]

    @property
    def phase(self) -> str:
        """The present phase, or "" if it is not stated."""
        return phase_of(self.view)

    @property
    def is_late(self) -> bool:
        return self.phase not in ("", "other", self.due)

    @property
    def whose(self) -> str:
        """The name of the side whose player turn it is, or "" if it is not stated."""
        return self.view.title_of(self.view.word("phasing"))

    def bars_of_phase(self) -> Iterator[Clause]:
        """Yield the bars if another phase or player turn is stated. Rule: 5.4"""
        yield (
            self.is_late,
            self.rule,
            "that is done only in the {name}, and the phase is {phase}; state phase={due} when the {name} begins",
        )
        yield (
            not self.is_late and self.side and self.view.word("phasing") not in ("", self.side),
            self.rule,
            "that is done in its side's {name}, but it is the {whose} player turn",
        )


def other_phase_steps(view: View, side: str, rule: str, phase: str) -> list[Step]:
    """Return the bars to a task outside its quiet phase, in which neither side moves or attacks.

    `side`: the side, or "" if it is not known.
    `phase`: the word of the phase, such as "pontoon".
    """
    return list_bars(QuietWork(view=view, side=side, due=phase, rule=rule).bars_of_phase)


def record_figure(view: View, name: str, turn: int | None = None) -> int | None:
    """Return a whole number of the turn record, such as `rail-rate`.

    Returns None if it is not entered or there is no turn.

    `turn`: the turn, or None for the position's turn.
    """
    if (text := record_entry(view, name, turn)) is None:
        return None
    number = whole(text)
    if number is None:
        turn = turn or view.integer("turn")
        raise InputError(f"{name} of turn {turn}: {text!r} is not a whole number", hint="enter it as 12, or +1")
    return number


def record_entry(view: View, name: str, turn: int | None = None) -> str | None:
    """Return the entry of the turn record under a name.

    Returns None if there is no entry or no turn.

    `turn`: the turn, or None for the position's turn.
    """
    turn = view.integer("turn") if turn is None else turn
    record = turns(view.game)
    fact = record[turn - 1].figures.get(name) if 0 < turn <= len(record) else None
    return fact.text if fact and fact.source in CERTAIN else None


# --- the phases in order ----------------------------------------------------------------------------------------------

ORDER = (*PHASES,)
"""Words of the phases of a player turn, in order."""
OUTSIDE_PLAYER_TURNS = {"weather": 0, "administrative": 1, "replacements": 1}
"""The phases outside player turns, each with the number of game turns until the next player turn."""


def player_order(view: View) -> Sequence[str]:
    """Return both sides in the order of their player turns (5.3)."""
    return course.course_file(view.game).turns.order


class MovementPhase(NamedTuple):
    """A phase in which a side moves."""

    turn: int
    phasing: str
    counter: bool
    """Whether it is the side's Counter Movement Phase."""
    present: bool = False
    """Whether it is the present phase, so that moves in it change the position."""


def first_phase(phase: str, phasing: str, turn: int, side: str, order: Sequence[str]) -> MovementPhase:
    """Return the phase in which a side moves now or next.

    `phase`, `phasing`, `turn`: the position's phase, player turn and game turn.
    `order`: both sides, in the order of their player turns (5.4).
    """
    if phase in OUTSIDE_PLAYER_TURNS:
        if turn:
            turn += OUTSIDE_PLAYER_TURNS[phase]
        return MovementPhase(turn, order[0], side != order[0])
    own = phasing == side
    of_this_player_turn = MovementPhase(turn, phasing, not own, present=phase == MOVEMENT_PHASES[not own])
    is_over = ORDER.index(phase) > ORDER.index(MOVEMENT_PHASES[not own])
    return next(islice(phases(of_this_player_turn, side, order), int(is_over), None))


def phases(first: MovementPhase, side: str, order: Sequence[str]) -> Iterator[MovementPhase]:
    """Yield the phases in which a side moves, beginning with `first`.

    `order`: both sides, in the order of their player turns.
    """
    yield first
    turn = first.turn
    phasing = first.phasing
    while True:
        turn += bool(turn) and phasing == order[-1]
        phasing = next(other for other in order if other != phasing)
        yield MovementPhase(turn, phasing, phasing != side)
