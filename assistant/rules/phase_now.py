"""The phase that a position states: its steps, and a game's findings about each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

import msgspec

from ..asking.asks import Ask, ask_for_fact
from ..asking.owing import list_owed
from ..asking.permission import InForce
from ..asking.report import MissingFacts, Part, Step, step
from ..asking.view import Gather, View
from ..game import course
from ..game.course import Part as PartOfTurn
from ..game.course import Phase
from ..game.phases import phases_in
from ..game.turn_record import read_calendar
from ..state.changes import AnyChange
from ..util.console import format_count
from ..util.errors import InputError
from ..util.notes import note
from .arrivals import Units, coming_units

ItemState = Literal["owed", "undecided", "possible", "done", "impossible"]
STATES: Mapping[ItemState, str] = {
    "owed": "owed",
    "undecided": "not judged, as facts are missing",
    "possible": "possible",
    "done": "done",
    "impossible": "steps with nothing to do",
}
"""The states of a step in the order of the report, with the titles of their parts."""
UNSETTLED: tuple[ItemState, ...] = ("owed", "undecided")
"""The states of steps that keep the next phase from beginning."""
OPEN_STATES: tuple[ItemState, ...] = (*UNSETTLED, "possible")
"""The states of steps whose question is still to be asked."""


class ChecklistItem(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the present phase in the position."""

    name: Annotated[str, note("what the step is called where it is left undone, empty for one that is never owed")] = ""
    state: Annotated[ItemState, note("owed, possible, done, impossible, or undecided while facts are missing")]
    rule: Annotated[str, note("the rule")] = ""
    text: Annotated[str, note("in words")]
    units: Annotated[tuple[str, ...], note("the units that it is about")] = ()
    places: Annotated[tuple[str, ...], note("the hexes that it is about")] = ()
    ask: Annotated[str, note("the question that answers it, with its parameters, empty for none")] = ""
    carried_out: Annotated[bool, note("whether `next` carries it out, as nothing is left to choose")] = False


class Checklist(msgspec.Struct, frozen=True, kw_only=True):
    """The checklist of the phase in the position."""

    phase: Annotated[str, note("the title of the phase")]
    side: Annotated[str, note("whose player turn it is, empty outside them")] = ""
    items: Annotated[tuple[ChecklistItem, ...], note("the steps, what is owed first")] = ()


class PlayerTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A player turn."""

    side: Annotated[str, note("the side whose player turn it is")]
    units: Annotated[tuple[str, ...], note("units that arrive")] = ()
    phases: Annotated[tuple[str, ...], note("the phases in order")] = ()


class PhaseEntry(NamedTuple):
    """A step of a phase, or a phase without steps, in a player turn or outside."""

    phase: Phase
    what: course.CourseStep
    player: PlayerTurn | None


Say = Callable[[View, PhaseEntry], Step | None]
"""A function that returns the line of a step, or None to leave it out."""
DuePhases = Iterable[tuple[Phase, Sequence[course.CourseStep]]]
"""The phases of a turn, each with its steps."""


class Duty(NamedTuple):
    """A step of the present phase to be judged."""

    turn: int
    side: str
    """The side of the player turn, or "" outside them."""
    phase: Phase
    what: course.CourseStep


class StepFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A game's finding about a step of a phase in the position."""

    state: ItemState
    why: Step
    """The finding in words, to follow the words of the step."""
    units: tuple[str, ...] = ()
    """The units concerned."""
    places: tuple[str, ...] = ()
    """The places concerned."""
    ask: str = ""
    """The question to ask, with its parameters, or "" for the step's own."""
    changes: tuple[AnyChange, ...] = ()
    """The changes that carry out the step, if nothing is left to choose."""


Judge = Callable[[View, Duty], Iterable[StepFinding]]
"""A function that returns a game's findings about a step. It may raise MissingFacts."""
Judges = Mapping[str, Judge]
"""The judges of a game by name of the step."""
NO_JUDGES: Judges = MappingProxyType({})
"""The empty judges of a game without any."""


def read_number(facts: Gather) -> int:
    """Return the number of the turn.

    Raises InputError if the game does not count turns.
    """
    game = facts.view.game
    track = course.course_file(facts.view.game).turns.track
    if track not in game.tracks:
        raise InputError(f"{game.title} has no track {track!r}", hint="name the one that counts turns in course.toml")
    if course.course_file(game).calendar is not None:
        return read_calendar(game).number(facts.word(track))
    return facts.integer(track)


def player_turns(
    facts: Gather, number: int, order: Iterable[str] = (), units: Units = coming_units
) -> tuple[PlayerTurn, ...]:
    """Return the player turns of a turn that have a phase, with the units that arrive.

    `order`: the sides in order, by default that of `course.toml`, or else that of the game.
    `units`: returns a side's units that are to come.
    """
    game = facts.view.game
    options = InForce(facts)
    declared = course.course_file(game)
    players = []
    for side in order or declared.turns.order or game.file.sides:
        phases = [phase for phase, _ in phases_in(game, declared, "player-turn", number, side, options)]
        titles = tuple(phase.title for phase in phases)
        if phases:
            arriving = tuple(coming.unit for coming in units(facts.view, side) if coming.turn == number)
            players.append(PlayerTurn(side=side, units=arriving, phases=titles))
    return tuple(players)


def format_entry(view: View, entry: PhaseEntry) -> Step:
    """Return a step in words: its phase, its side unless only the phasing side acts, the step, and arriving units."""
    phase, what, player = entry
    whose = {"other": " (the other side)", "both": " (both sides)"}.get(phase.active, "") if player else ""
    named = what.who or ("" if player else phase.who)
    whose = f" ({view.title_of(named)})" if named and (player is None or named != player.side) else whose
    text = f"{{phase}}{whose}: {{do}}" if what.do else f"{{phase}}{whose}"
    if what.arrives and player:
        text += ": {units}" if player.units else " (no unit is stated to arrive)"
    return step(what.rule or phase.rule, text, what, player, phase=phase.title)


def format_unsettled(states: Sequence[ItemState]) -> tuple[str, dict[str, int]]:
    """Return the numbers of steps owed and not judged as a template with figures, or "" if there are none."""
    owed = states.count("owed")
    unjudged = states.count("undecided")
    texts = list[str]()
    figures = dict[str, int]()
    if owed:
        texts.append(("at least " if unjudged else "") + "{owed:#step} owed")
        figures["owed"] = owed
    if unjudged:
        texts.append(f"{{unjudged:#step}} {STATES['undecided']}")
        figures["unjudged"] = unjudged
    return " and ".join(texts), figures


def format_phase(view: View, phase: Phase, side: str) -> str:
    """Return a phase with its active side, such as "Attack of the Russian side".

    If the other side is active, the text is "Counter Attack of the Russian side in the player turn of the Central
    Powers".
    """
    if not side:
        return phase.title
    file = view.game.file
    others = [each for each in file.sides if each != side]
    if phase.active == "other" and len(others) == 1:
        return f"{phase.title} of {file.the_side(others[0])} in the player turn of {file.the_side(side)}"
    return f"{phase.title} of {file.the_side(side)}"


class PhaseMoment(NamedTuple):
    """A phase and its player turn."""

    side: str
    """The side of the player turn, or "" outside them."""
    word: str
    """The word of the phase."""

    def __str__(self) -> str:
        return f"{self.side} {self.word}".strip()


class Judged(NamedTuple):
    """A step of the phase, and the finding about it."""

    name: str
    finding: StepFinding

    @property
    def is_due(self) -> bool:
        """Whether a player must settle the step before the phase ends."""
        return self.finding.state in UNSETTLED and not self.finding.changes


class PhaseNow(NamedTuple):
    """The phase that the position states, with the findings about its steps."""

    phase: Phase
    side: str
    title: str
    judged: tuple[Judged, ...]
    asks: tuple[Ask, ...] = ()
    """The facts needed to judge the steps."""

    @property
    def checklist(self) -> Checklist:
        """The checklist as a result shows it."""
        items = tuple(
            ChecklistItem(
                name=name,
                state=finding.state,
                rule=finding.why.rule,
                text=finding.why.text,
                units=finding.units,
                places=finding.places,
                ask=finding.ask,
                carried_out=bool(finding.changes),
            )
            for state in STATES
            for name, finding in self.judged
            if finding.state == state
        )
        return Checklist(phase=self.phase.title, side=self.side, items=items)

    def parts(self) -> Iterator[Part]:
        """Yield a part of the checklist for each state. For settled steps the prompt shows only their number."""
        for state, words in STATES.items():
            steps = tuple(format_finding(judged) for judged in self.judged if judged.finding.state == state)
            counted = f"{len(steps)}" if state == "impossible" else format_count(len(steps), "step")
            brief = None if state in OPEN_STATES or not steps else counted
            yield Part(f"{self.title}: {words}", steps, brief)


def format_finding(judged: Judged) -> Step:
    """Return a finding with the question to ask, or that `next` carries it out."""
    why = judged.finding.why
    if judged.finding.changes:
        return step(why.rule, why.template + " (next carries it out)", **why.figures)
    return add_ask(why, judged.finding.ask)


def add_ask(line: Step, ask: str) -> Step:
    """Return a line with the question to ask, if there is one."""
    return step(line.rule, line.template + " (ask {ask})", **line.figures, ask=ask) if ask else line


def judge_phase(view: View, number: int, judges: Judges, say: Say = format_entry) -> PhaseNow | None:
    """Return the findings about the stated phase, or None if none is stated or the turn lacks the phase."""
    side, word = find_moment(view)
    game = view.game
    declared = course.course_file(view.game)
    with view.gather() as facts:
        options = InForce(facts)
        player = next((player for player in player_turns(facts, number, [side]) if side), None)
        parts: tuple[PartOfTurn, ...] = ("player-turn",) if side else ("turn", "inter-phase")
        due = [due for part in parts for due in phases_in(game, declared, part, number, side, options)]
    stated = next((entry for entry in due if word and entry[0].word == word), None)
    if stated is None:
        return None
    phase, steps = stated
    if phase.name or not steps:
        steps = (course.CourseStep(do=phase.title, name=phase.name, ask=phase.ask, rule=phase.rule),)
    asks = dict[str, Ask]()
    judged = list[Judged]()
    nations = _list_nation_asks(view)
    for what in steps:
        entry = say(view, PhaseEntry(phase, what, player))
        if entry is None:
            continue
        line = step(entry.rule, entry.template.removeprefix("{phase}: "), **entry.figures)
        findings = [StepFinding(state="possible", why=line)]
        missing = list[Ask]()
        if judge := judges.get(what.name):
            findings, missing = _judge_step(view, judge, Duty(number, side, phase, what), nations)
        asks |= {ask.name: ask for ask in missing}
        judged += [Judged(what.name, _complete_finding(what, finding, line)) for finding in findings]
    judged += _judge_owed(view, judged)
    title = format_phase(view, phase, side)
    return PhaseNow(phase, side, title, tuple(judged), tuple(asks.values()))


def _judge_owed(view: View, judged: Sequence[Judged]) -> Iterator[Judged]:
    """Yield the facts that the position states as still owed, unless a step already owes the same."""
    known = {
        (found.finding.ask.partition(" ")[0], about)
        for found in judged
        if found.finding.state == "owed"
        for about in (*found.finding.units, *found.finding.places) or ("",)
    }
    apart = view.quiet_view()
    for fact in list_owed(view):
        is_marker = fact.track.on in ("unit", "hex", "hexside", "box")
        if (fact.owed.question, fact.subject if is_marker else "") not in known:
            finding = StepFinding(
                state="owed",
                why=fact.word(apart),
                units=(fact.subject,) if fact.track.on == "unit" else (),
                places=(fact.subject,) if is_marker and fact.track.on != "unit" else (),
                ask=fact.question(apart),
            )
            yield Judged(fact.track.name, finding)


def _list_nation_asks(view: View) -> list[Ask]:
    """Return the requests for the unknown nations of units that are in play or to come."""
    track = view.game.file.picture.nation
    arrives = course.arrival_track(view.game)
    if track not in view.game.tracks:
        return []
    known = view.quiet_view()  # so that an answer without these requests does not depend on them
    units = (unit.id for unit in view.units() if unit.place is not None or (arrives and known.value(arrives, unit.id)))
    return [ask_for_fact(view.game.track(track), unit) for unit in units if not known.word(track, unit)]


def _judge_step(view: View, judge: Judge, duty: Duty, nations: Sequence[Ask]) -> tuple[list[StepFinding], list[Ask]]:
    """Return a judge's findings about a step, and the missing facts.

    `nations`: requests for unknown nations, because units of an unknown nation may owe more.
    """
    try:
        findings = [*judge(view, duty)]
        missing = [*nations]
    except MissingFacts as error:
        findings = []
        missing = [*error.asks]
    if missing:
        owed = [found for found in findings if found.state == "owed"]
        findings = [*owed, StepFinding(state="undecided", why=_make_unjudged_step(duty.what, missing))]
    return findings, missing


def _complete_finding(what: course.CourseStep, finding: StepFinding, line: Step) -> StepFinding:
    """Return a finding with the words of its step, and the step's question if the finding has none.

    `line`: the words of a step without a judge. They are not repeated.
    """
    why = finding.why
    words = why if why is line else step(why.rule or what.rule, "{do}: " + why.template, what, **why.figures)
    ask = finding.ask or (what.ask if finding.state in OPEN_STATES else "")
    return msgspec.structs.replace(finding, why=words, ask=ask)


def _make_unjudged_step(what: course.CourseStep, missing: Sequence[Ask]) -> Step:
    more = len(missing) - 1
    text = "state {how} and {facts:#fact} more" if more else "state {how}"
    return step(what.rule, text, how=missing[0].how, facts=more)


def is_outside_player_turns(view: View, word: str) -> bool:
    """Return whether a phase, by its word, lies outside the player turns."""
    phases = course.course_file(view.game).phase
    return bool(word) and any(phase.word == word and phase.part != "player-turn" for phase in phases)


def find_moment(view: View) -> PhaseMoment:
    """Return the stated phase and its player turn, each "" if it is not stated."""
    word = " ".join(list_words(view, "phase"))
    return PhaseMoment("" if is_outside_player_turns(view, word) else " ".join(list_words(view, "phasing")), word)


def list_words(view: View, name: str) -> tuple[str, ...]:
    """Return the stated words of a track of the game, or () if the game lacks the track."""
    value = view.value(name) if name in view.game.tracks else None
    if isinstance(value, str):
        return (value,)
    return value if isinstance(value, tuple) else ()
