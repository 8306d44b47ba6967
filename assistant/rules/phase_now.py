"""The phase that a position states: its steps, and what a game finds of each."""

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
"""How far a step of a phase can have come, in the order of the report, with what its part is called."""
UNSETTLED: tuple[ItemState, ...] = ("owed", "undecided")
"""What keeps the next phase from beginning."""
ASKED: tuple[ItemState, ...] = (*UNSETTLED, "possible")
"""Where the question of a step is still to be asked."""


class ChecklistItem(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the phase that it is, as the position stands."""

    name: Annotated[str, note("what the step is called where it is left undone, empty for one that is never owed")] = ""
    state: Annotated[ItemState, note("owed, possible, done, impossible, or undecided while facts are missing")]
    rule: Annotated[str, note("its rule")] = ""
    text: Annotated[str, note("in words")]
    units: Annotated[tuple[str, ...], note("the units that it is about")] = ()
    places: Annotated[tuple[str, ...], note("the hexes that it is about")] = ()
    ask: Annotated[str, note("the question that answers it, with its parameters, empty for none")] = ""
    carried_out: Annotated[bool, note("whether `next` carries it out, as nothing is left to choose")] = False


class Checklist(msgspec.Struct, frozen=True, kw_only=True):
    """The checklist of the phase that the position states."""

    phase: Annotated[str, note("the title of the phase")]
    side: Annotated[str, note("whose player turn it is, empty outside them")] = ""
    items: Annotated[tuple[ChecklistItem, ...], note("its steps, what is owed first")] = ()


class PlayerTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A player turn."""

    side: Annotated[str, note("the side whose player turn it is")]
    units: Annotated[tuple[str, ...], note("units that arrive")] = ()
    phases: Annotated[tuple[str, ...], note("its phases in order")] = ()


class PhaseEntry(NamedTuple):
    """What is done in a phase of a turn, in a player turn or outside: a step, or a phase without steps."""

    phase: Phase
    what: course.CourseStep
    player: PlayerTurn | None


Say = Callable[[View, PhaseEntry], Step | None]
"""Takes something to be done and returns its line, None to leave it out."""
DuePhases = Iterable[tuple[Phase, Sequence[course.CourseStep]]]
"""Phases of a turn, each with its steps."""


class Duty(NamedTuple):
    """A step of the phase that it is, to be judged."""

    turn: int
    side: str
    """Whose player turn it is, "" outside them."""
    phase: Phase
    what: course.CourseStep


class StepFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What a game finds of a step of a phase, as the position stands."""

    state: ItemState
    why: Step
    """In words, after what is to be done."""
    units: tuple[str, ...] = ()
    """Whom it is about."""
    places: tuple[str, ...] = ()
    """Where that is."""
    ask: str = ""
    """The question that answers it, with its parameters, "" for that of the step."""
    changes: tuple[AnyChange, ...] = ()
    """What carries it out, where nothing is left to choose."""


Judge = Callable[[View, Duty], Iterable[StepFinding]]
"""Takes a step of the phase and returns what a game finds of it. It may raise MissingFacts."""
Judges = Mapping[str, Judge]
"""The judges of a game by the names of steps."""
NO_JUDGES: Judges = MappingProxyType({})
"""The judges of a game that has none."""


def read_number(facts: Gather) -> int:
    """Return the number of the turn. Raises InputError in a game that counts none."""
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
    """Return the player turns of a turn that have a phase, with the units that arrive, as schedules and they themselves
    say. order: the sides in their order, by default that of `course.toml`, or else of the game; units: of the game.
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
    """Return what is done, in words: the phase, whose it is if not that of the phasing side alone, what, and who
    arrives.
    """
    phase, what, player = entry
    whose = {"other": " (the other side)", "both": " (both sides)"}.get(phase.active, "") if player else ""
    named = what.who or ("" if player else phase.who)
    whose = f" ({view.title_of(named)})" if named and (player is None or named != player.side) else whose
    text = f"{{phase}}{whose}: {{do}}" if what.do else f"{{phase}}{whose}"
    if what.arrives and player:
        text += ": {units}" if player.units else " (no unit is stated to arrive)"
    return step(what.rule or phase.rule, text, what, player, phase=phase.title)


def format_unsettled(states: Sequence[ItemState]) -> tuple[str, dict[str, int]]:
    """Return how many of some steps are owed, at least, and how many are not judged, as a template with its figures; ""
    for none.
    """
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
    """Return a phase in words, with the side that is active in it: "Attack of the Russian side", "Counter Attack of the
    Russian side in the player turn of the Central Powers". side: whose player turn it is, "" outside them.
    """
    if not side:
        return phase.title
    file = view.game.file
    others = [each for each in file.sides if each != side]
    if phase.active == "other" and len(others) == 1:
        return f"{phase.title} of {file.the_side(others[0])} in the player turn of {file.the_side(side)}"
    return f"{phase.title} of {file.the_side(side)}"


class PhaseMoment(NamedTuple):
    """A phase of the course of play."""

    side: str
    """Whose player turn it is, "" outside them."""
    word: str
    """That of the phase."""

    def __str__(self) -> str:
        """Return it as a position states it."""
        return f"{self.side} {self.word}".strip()


class Judged(NamedTuple):
    """A step of the phase and what is found of it."""

    name: str
    finding: StepFinding

    @property
    def is_due(self) -> bool:
        """Whether a player has to see to it before the phase ends."""
        return self.finding.state in UNSETTLED and not self.finding.changes


class PhaseNow(NamedTuple):
    """The phase that the position states, with what is found of its steps."""

    phase: Phase
    side: str
    title: str
    judged: tuple[Judged, ...]
    asks: tuple[Ask, ...] = ()
    """The facts that judging them needs."""

    @property
    def checklist(self) -> Checklist:
        """As a result shows it."""
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
        """Yield the checklist, a part for each state; of what is settled the prompt shows only how much it is."""
        for state, words in STATES.items():
            steps = tuple(format_finding(judged) for judged in self.judged if judged.finding.state == state)
            counted = f"{len(steps)}" if state == "impossible" else format_count(len(steps), "step")
            brief = None if state in ASKED or not steps else counted
            yield Part(f"{self.title}: {words}", steps, brief)


def format_finding(judged: Judged) -> Step:
    """Return what is found of a step, with the question that answers it or who carries it out."""
    why = judged.finding.why
    if judged.finding.changes:
        return step(why.rule, why.template + " (next carries it out)", **why.figures)
    return add_ask(why, judged.finding.ask)


def add_ask(line: Step, ask: str) -> Step:
    """Return a line with the question that answers it, "" for none."""
    return step(line.rule, line.template + " (ask {ask})", **line.figures, ask=ask) if ask else line


def judge_phase(view: View, number: int, judges: Judges, say: Say = format_entry) -> PhaseNow | None:
    """Return what is found of the steps of the phase that the position states; None if it states none, or one that the
    turn does not have.
    """
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
    """Yield what the position says is still owed, under the name of its track, unless a step owes the same already.

    judged: the steps of the phase.
    """
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
    """Return what to ask for of units that stand somewhere or are to come, and of which it is not stated whose they
    are.
    """
    track = view.game.file.picture.nation
    arrives = course.arrival_track(view.game)
    if track not in view.game.tracks:
        return []
    known = view.quiet_view()  # an answer that does not ask for them does not rest on them
    there = (unit.id for unit in view.units() if unit.place is not None or (arrives and known.value(arrives, unit.id)))
    return [ask_for_fact(view.game.track(track), unit) for unit in there if not known.word(track, unit)]


def _judge_step(view: View, judge: Judge, duty: Duty, nations: Sequence[Ask]) -> tuple[list[StepFinding], list[Ask]]:
    """Return what a judge finds of a step, and the facts that it misses. nations: the asks for those of units of which
    it does not know whose they are: it may owe more then.
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
    """Return what is found of a step, after what is to be done in it, with the question of the step if it has none of
    its own.

    line: the words of a step that nobody judges, which stay.
    """
    why = finding.why
    words = why if why is line else step(why.rule or what.rule, "{do}: " + why.template, what, **why.figures)
    ask = finding.ask or (what.ask if finding.state in ASKED else "")
    return msgspec.structs.replace(finding, why=words, ask=ask)


def _make_unjudged_step(what: course.CourseStep, missing: Sequence[Ask]) -> Step:
    """Return a line saying which facts a step of the phase waits for."""
    more = len(missing) - 1
    text = "state {how} and {facts:#fact} more" if more else "state {how}"
    return step(what.rule, text, how=missing[0].how, facts=more)


def is_outside_player_turns(view: View, word: str) -> bool:
    """Return whether the phase for which a word stands belongs to the game turn itself, or lies between turns."""
    phases = course.course_file(view.game).phase
    return bool(word) and any(phase.word == word and phase.part != "player-turn" for phase in phases)


def find_moment(view: View) -> PhaseMoment:
    """Return the phase that a position states, and whose player turn it is; empty texts for what it does not state."""
    word = " ".join(list_words(view, "phase"))
    return PhaseMoment("" if is_outside_player_turns(view, word) else " ".join(list_words(view, "phasing")), word)


def list_words(view: View, name: str) -> tuple[str, ...]:
    """Return the words that a position states of a track of the game, none if the game has no such track."""
    value = view.value(name) if name in view.game.tracks else None
    if isinstance(value, str):
        return (value,)
    return value if isinstance(value, tuple) else ()
