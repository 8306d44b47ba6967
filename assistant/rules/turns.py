"""The questions `turn` and `next`: the checklist of the phase, the course of the game turn as `course.toml` and
`turns.csv` state it, and the phase that follows.

A game needs no code for `turn`. `turn_questions` takes judges of the steps by their names: `turn` then says what is
done, owed, possible or impossible, and `next` waits for what is owed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from ..asking.asks import Ask, ask_for_fact
from ..asking.permission import InForce, refused
from ..asking.question import Question, declare
from ..asking.report import MissingFacts, Part, Report, Step, Verdict, VerdictKind, step, verdict
from ..asking.view import Gather, View, changed
from ..asking.wording import figure_names
from ..game import course
from ..game.course import Part as PartOfTurn
from ..game.course import Phase
from ..game.phases import phases_in
from ..game.turn_record import Turn, read_calendar, turns
from ..state.changes import AnyChange, Change
from ..state.tracks import Value
from ..util.console import format_count
from ..util.errors import InputError, format_suggestion
from ..util.notes import note
from .arrivals import Units, coming_units

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")
"""The player turns of a turn, by their places."""
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


class GameTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A game turn."""

    turn: Annotated[int, note("its number")]
    date: Annotated[str, note("its date, empty while unknown")] = ""
    players: Annotated[tuple[PlayerTurn, ...], note("the player turns in order")] = ()
    options: Annotated[tuple[str, ...], note("the optional rules and the like in force")] = ()
    now: Annotated[Checklist | None, note("the checklist of the phase, null if the position states none")] = None

    @property
    def states(self) -> tuple[ItemState, ...]:
        """How far each step of the phase has come."""
        return tuple(item.state for item in self.now.items) if self.now else ()


Whole = Annotated[bool, note("whether every step of the turn is listed, not only those of the phase that it is")]
"""The parameter of `turn` in every game."""
T = TypeVar("T", bound=GameTurn)


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
    """A step of the phase that it is, to be judged. side: whose player turn it is, "" outside them."""

    turn: int
    side: str
    phase: Phase
    what: course.CourseStep


class StepFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What a game finds of a step of a phase, as the position stands.

    why: in words, after what is to be done; units, places: whom and where it is about; ask: the question that answers it,
    with its parameters, "" for that of the step; changes: what carries it out, where nothing is left to choose.
    """

    state: ItemState
    why: Step
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    ask: str = ""
    changes: tuple[AnyChange, ...] = ()


def finding(
    state: ItemState,
    rule: str,
    template: str,
    /,
    *,
    units: Iterable[str] = (),
    places: Iterable[str] = (),
    ask: str = "",
    changes: Iterable[AnyChange] = (),
    **figures: Any,
) -> StepFinding:
    """Return what is found of a step: its words as those of a `step`, whose template may name the units, the places and
    any of the other figures.
    """
    whom = tuple(units)
    where = tuple(places)
    known = {"units": whom, "places": where, **figures}
    why = Step(rule, template, {name: known[name] for name in figure_names(template)})
    return StepFinding(state=state, why=why, units=whom, places=where, ask=ask, changes=tuple(changes))


Judge = Callable[[View, Duty], Iterable[StepFinding]]
"""Takes a step of the phase and returns what a game finds of it. It may raise MissingFacts."""
Judges = Mapping[str, Judge]
"""The judges of a game by the names of steps."""
NO_JUDGES: Judges = MappingProxyType({})
"""The judges of a game that has none."""


def of_position(judge: Callable[[View], Iterable[StepFinding]]) -> Judge:
    """Return a judge that needs the position alone, whatever turn and side it is."""
    return lambda view, duty: judge(view)


def read_number(facts: Gather) -> int:
    """Return the number of the turn. Raises InputError in a game that counts none."""
    game = facts.view.game
    track = course.course_file(facts.view.game).turns.track
    if track not in game.tracks:
        raise InputError(f"{game.title} has no track {track!r}", hint="name the one that counts turns in course.toml")
    if course.course_file(game).calendar is not None:
        return read_calendar(game).number(facts.word(track))
    return facts.integer(track)


def find_record(view: View, number: int) -> Turn:
    """Return what `turns.csv` says of a turn, nothing if it does not speak of it."""
    return next((turn for turn in turns(view.game) if turn.number == number), Turn(number=number))


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


def _format_entry(view: View, entry: PhaseEntry) -> Step:
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


class TurnWords(NamedTuple, Generic[T]):
    """What the report on a turn says besides its phases."""

    word: Annotated[
        Callable[[T], Verdict], note("words the verdict, from the turn with what is found of the phase now")
    ]
    title: Annotated[str, note("by default the number and date of the turn")] = ""
    say: Annotated[Say, note("words what is done")] = _format_entry
    before: Annotated[Iterable[Step], note("what else there is to say before the player turns")] = ()
    after: Annotated[Iterable[Step], note("what else there is to say after them")] = ()


def turn_report(
    view: View,
    turn: T,
    words: TurnWords[T],
    *,
    changes: Iterable[AnyChange] = (),
    judges: Judges = NO_JUDGES,
    whole: bool = False,
) -> Report[T]:
    """Return the report on a turn, which begins with the checklist of the phase if the position states one.

    judges: of the steps of the phase; whole: whether every step is listed behind a checklist too.
    """
    now = _judge_phase(view, turn.turn, judges, words.say)
    declared = course.course_file(view.game)
    is_short = now is not None and not whole
    lines = _list_phases if is_short else partial(_list_steps, words.say)
    brief = "" if is_short else None
    with view.gather() as facts:
        options = InForce(facts)

        def listed(part: PartOfTurn, player: PlayerTurn | None = None) -> Iterator[Step]:
            side = player.side if player else ""
            return lines(view, phases_in(view.game, declared, part, turn.turn, side, options), player)

        parts = [*now.parts()] if now else []
        parts.append(Part("Before the player turns", (*listed("turn"), *words.before), brief))
        for which, player in zip(ORDINALS, turn.players, strict=False):
            name = f"{which} Player Turn: {view.title_of(player.side)}"
            parts.append(Part(name, tuple(listed("player-turn", player)), brief))
        parts.append(Part("After them", (*listed("inter-phase"), *words.after), brief))
    title = words.title or f"Turn {turn.turn}" + (f", {turn.date}" if turn.date else "")
    result = msgspec.structs.replace(turn, now=now.checklist if now else None)
    return Report(
        title=title,
        verdict=words.word(result),
        parts=tuple(parts),
        changes=tuple(changes),
        asks=now.asks if now else (),
        result=result,
    )


def _list_steps(say: Say, view: View, phases: DuePhases, player: PlayerTurn | None) -> Iterator[Step]:
    """Yield a line for each step of some phases, and for each phase without any, with the question that answers it."""
    for phase, steps in phases:
        for what in steps or (course.CourseStep(do="", rule=phase.rule),):
            if line := say(view, PhaseEntry(phase, what, player)):
                yield _add_ask(line, what.ask)


def _list_phases(view: View, phases: DuePhases, player: PlayerTurn | None) -> Iterator[Step]:
    """Yield a line for each of some phases, with the units that arrive in it."""
    for phase, steps in phases:
        arrives = bool(player and player.units) and any(what.arrives for what in steps)
        yield _format_entry(view, PhaseEntry(phase, course.CourseStep(do="", rule=phase.rule, arrives=arrives), player))


def answer_turn(view: View, judges: Judges = NO_JUDGES, *, whole: bool = False) -> Report[GameTurn]:
    """Return the checklist of the phase and of the turn that the position states. whole: as in `turn_report`."""
    declared = course.course_file(view.game)
    with view.gather() as facts:
        number = read_number(facts)
    record = find_record(view, number)
    with view.gather() as facts:
        players = player_turns(facts, number)
    agreed = [word for name in declared.turns.options for word in _list_words(view, name)]
    turn = GameTurn(
        turn=number,
        date=record.date.in_words if record.date else "",
        players=players,
        options=tuple(sorted(agreed)),
    )
    words = TurnWords(partial(_choose_verdict, view), before=_list_record_steps(view, record, turn))
    return turn_report(view, turn, words, judges=judges, whole=whole)


def _choose_verdict(view: View, turn: GameTurn) -> Verdict:
    """Return whose player turns a turn has, in order, and which phase it is now, if the position states that, with how
    much of it is owed or not judged.
    """
    sides = [view.title_of(player.side) for player in turn.players]
    moment = _find_moment(view)
    phases = course.course_file(view.game).phase
    phase = next((_format_phase(view, phase, moment.side) for phase in phases if moment.word == phase.word != ""), "")
    text = "turn {turn}" + (", player turns: {sides}" if sides else "")
    if phase:
        text += "; now {phase}"
    unsettled, counts = format_unsettled(turn.states)
    if unsettled:
        text += f", {unsettled}"
    figures: dict[str, Any] = {"sides": sides, "phase": phase, **counts}
    return verdict("figure", text, turn, **{name: figures[name] for name in figures if name in figure_names(text)})


def format_unsettled(states: Sequence[ItemState]) -> tuple[str, dict[str, int]]:
    """Return how many of some steps are owed, at least, and how many are not judged, as a template with its figures; ""
    for none.
    """
    owed, unjudged = (states.count(state) for state in UNSETTLED)
    texts = (
        (owed, ("at least " if unjudged else "") + "{owed:#step} owed"),
        (unjudged, f"{{unjudged:#step}} {STATES['undecided']}"),
    )
    figures = {"owed": owed, "unjudged": unjudged}
    return " and ".join(text for count, text in texts if count), {
        name: count for name, count in figures.items() if count
    }


def _format_phase(view: View, phase: Phase, side: str) -> str:
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


def _list_words(view: View, name: str) -> tuple[str, ...]:
    """Return the words that a position states of a track of the game, none if the game has no such track."""
    value = view.value(name) if name in view.game.tracks else None
    if isinstance(value, str):
        return (value,)
    return value if isinstance(value, tuple) else ()


def _list_record_steps(view: View, record: Turn, turn: GameTurn) -> Iterator[Step]:
    """Yield what the turn record says of a turn, and the optional rules in force."""
    facts = (("season", record.season), ("weather", record.weather), ("then", record.interphase))
    for kind, fact in facts:
        if fact:
            yield step(fact.rule, f"{kind}: {{what}}", what=fact.in_words)
    for figure in course.course_file(view.game).turns.figures:
        if fact := record.figures.get(figure.name):
            whose = f" ({view.title_of(figure.who)})" if figure.who else ""
            yield step(figure.rule, f"{{title}}{whose}: {{what}}", title=figure.title, what=fact.in_words)
    for event in record.events:
        yield step(
            event.rule, ("{side}: " if event.who else "") + "{what}", side=view.title_of(event.who), what=event.in_words
        )
    if turn.options:
        yield step("", "played with: {options}", turn)


# --- the phase --------------------------------------------------------------------------------------------------------


class PhaseMoment(NamedTuple):
    """A phase of the course of play. side: whose player turn it is, "" outside them; word: that of the phase."""

    side: str
    word: str

    def __str__(self) -> str:
        """Return it as a position states it."""
        return f"{self.side} {self.word}".strip()


class Judged(NamedTuple):
    """A step of the phase and what is found of it. name: of the step."""

    name: str
    finding: StepFinding

    @property
    def is_due(self) -> bool:
        """Whether a player has to see to it before the phase ends."""
        return self.finding.state in UNSETTLED and not self.finding.changes


class PhaseNow(NamedTuple):
    """The phase that the position states, with what is found of its steps. asks: the facts that judging them needs."""

    phase: Phase
    side: str
    title: str
    judged: tuple[Judged, ...]
    asks: tuple[Ask, ...] = ()

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
            steps = tuple(_format_finding(judged) for judged in self.judged if judged.finding.state == state)
            counted = f"{len(steps)}" if state == "impossible" else format_count(len(steps), "step")
            brief = None if state in ASKED or not steps else counted
            yield Part(f"{self.title}: {words}", steps, brief)


def _format_finding(judged: Judged) -> Step:
    """Return what is found of a step, with the question that answers it or who carries it out."""
    why = judged.finding.why
    if judged.finding.changes:
        return step(why.rule, why.template + " (next carries it out)", **why.figures)
    return _add_ask(why, judged.finding.ask)


def _add_ask(line: Step, ask: str) -> Step:
    """Return a line with the question that answers it, "" for none."""
    return step(line.rule, line.template + " (ask {ask})", **line.figures, ask=ask) if ask else line


def _judge_phase(view: View, number: int, judges: Judges, say: Say = _format_entry) -> PhaseNow | None:
    """Return what is found of the steps of the phase that the position states; None if it states none, or one that the
    turn does not have.
    """
    side, word = _find_moment(view)
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
    title = _format_phase(view, phase, side)
    return PhaseNow(phase, side, title, tuple(judged), tuple(asks.values()))


def _list_nation_asks(view: View) -> list[Ask]:
    """Return what to ask for of units that stand somewhere or are to come, and of which it is not stated whose they
    are.
    """
    track = view.game.file.picture.nation
    arrives = course.arrival_track(view.game)
    if track not in view.game.tracks:
        return []
    known = view.unnoticed()  # an answer that does not ask for them does not rest on them
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


def _is_outside_player_turns(view: View, word: str) -> bool:
    """Return whether the phase for which a word stands belongs to the game turn itself, or lies between turns."""
    phases = course.course_file(view.game).phase
    return bool(word) and any(phase.word == word and phase.part != "player-turn" for phase in phases)


def _find_moment(view: View) -> PhaseMoment:
    """Return the phase that a position states, and whose player turn it is; empty texts for what it does not state."""
    word = " ".join(_list_words(view, "phase"))
    return PhaseMoment("" if _is_outside_player_turns(view, word) else " ".join(_list_words(view, "phasing")), word)


# --- the next phase ---------------------------------------------------------------------------------------------------


class Next(msgspec.Struct, frozen=True):
    """The phase that follows."""

    turn: Annotated[int, note("its game turn")]
    side: Annotated[str, note("whose player turn it is, empty outside them")]
    phase: Annotated[str, note("the word of the phase")]
    ended: Annotated[int, note("how many facts end with the phase before")]
    left: Annotated[tuple[ChecklistItem, ...], note("what the phase before owes and a player leaves undone")] = ()
    carried_out: Annotated[tuple[ChecklistItem, ...], note("what is carried out as the phase before ends")] = ()


Order = Callable[[Gather], Iterable[str]]
"""Returns the sides in the order of their player turns."""


def _list_sides(facts: Gather) -> Iterable[str]:
    """Return the order of the player turns by `course.toml`, or else that of the game's sides."""
    game = facts.view.game
    return course.course_file(game).turns.order or game.file.sides


def _find_last_turn(view: View) -> int | None:
    """Return the last turn that can be stated."""
    return view.game.tracks[course.course_file(view.game).turns.track].most


class TurnCourse(NamedTuple):
    """How the turns of a game run where `course.toml` does not say it."""

    order: Annotated[Order, note("of the player turns in a turn")] = _list_sides
    last: Annotated[Callable[[View], int | None], note("the last turn, None if none is known")] = _find_last_turn


RUNNING = TurnCourse()
"""As `course.toml` says."""


def _list_moments(facts: Gather, number: int, order: Order) -> Iterator[PhaseMoment]:
    """Yield the phases of a turn that a word stands for, in order, each with its side: those before the player turns,
    those of the player turns, and those between this turn and the next. The order is read as far as these are asked
    for.
    """
    game = facts.view.game
    options = InForce(facts)
    declared = course.course_file(game)

    def phases(part: PartOfTurn, side: str = "") -> Iterator[PhaseMoment]:
        for phase, _ in phases_in(game, declared, part, number, side, options):
            if phase.word:
                yield PhaseMoment(side, phase.word)

    yield from phases("turn")
    for side in order(facts):
        yield from phases("player-turn", side)
    yield from phases("inter-phase")


def lapsing(view: View, became: Mapping[str, Value | None], rule: str = "") -> Iterator[Change]:
    """Yield the changes by which facts end that last only as long as other facts about the game. became: those that
    change, by track, with their new values.
    """
    for (track, subject), fact in view.state.facts.items():
        if view.game.tracks[track].ends_as(became):
            yield Change(track, subject, fact.value, None, rule)


def _read_moment(facts: Gather) -> PhaseMoment:
    """Return the phase that the position states and whose player turn it is, which is asked for unless the phase is
    outside them.
    """
    word = facts.word("phase")
    return PhaseMoment("" if _is_outside_player_turns(facts.view, word) else facts.word("phasing"), word)


def _find_next_moment(view: View, number: int, now: PhaseMoment, running: TurnCourse) -> tuple[int, PhaseMoment | None]:
    """Return the phase that follows one of a turn, with its own turn; None after the last of the game. Raises
    InputError for a phase that the turn does not have.
    """
    last = running.last(view) or number
    with view.gather() as facts:
        due = [*_list_moments(facts, number, running.order)]
    if now not in due:
        known = ", ".join(map(str, due))
        whose = f" of the side {now.side}" if now.side else ""
        raise InputError(f"turn {number} has no phase {now.word}{whose}", hint=f"it has: {known}")
    with view.gather() as facts:
        left = ((number, phase) for phase in due[due.index(now) + 1 :])
        turns = range(number + 1, last + 1)
        later = ((turn, phase) for turn in turns for phase in _list_moments(facts, turn, running.order))
        return next(chain(left, later), (number, None))


def answer_next(
    view: View, leave: Collection[str] = (), judges: Judges = NO_JUDGES, running: TurnCourse = RUNNING
) -> Report[Next]:
    """Return the phase that follows the one that the position states, and what that changes; refused while something is
    owed.

    leave: the names of steps that are left undone. Raises InputError for a phase that the turn does not have, and for
    names that are not of its steps.
    """
    counts = course.course_file(view.game).turns.track
    with view.gather() as facts:
        number = read_number(facts)
        now = _read_moment(facts)
    turn, later = _find_next_moment(view, number, now, running)
    phase = _judge_phase(view, number, judges)
    steps = phase.judged if phase else ()
    _check_left(leave, [judged.name for judged in steps])
    owed = [judged for judged in steps if judged.is_due and judged.name not in leave]
    if phase and owed:
        return _refuse_next(phase, owed, leave)
    ready = [judged for judged in steps if judged.finding.changes and judged.name not in leave]
    if later is None:
        return _end_game(number, [judged.finding for judged in ready])
    left = [judged for judged in steps if judged.finding.state in UNSETTLED and judged.name in leave]
    possible = [judged for judged in steps if judged.finding.state == "possible" and judged.name in judges]
    offered = [judged for judged in possible if judged not in ready]
    carried_out = tuple(change for judged in ready for change in judged.finding.changes)
    after: dict[str, Value | None] = {counts: turn, "phasing": later.side or None, "phase": later.word}
    changes = (changed(view, name, "", value, "") for name, value in after.items())
    moved = [change for change in changes if change.before != change.after]
    ended = tuple(lapsing(view.after(carried_out), {change.track: change.after for change in moved}))
    result = Next(
        turn=turn,
        side=later.side,
        phase=later.word,
        ended=len(ended),
        left=_list_items(phase, left),
        carried_out=_list_items(phase, ready),
    )
    coming = next(phase for phase in course.course_file(view.game).phase if phase.word == result.phase)
    return Report(
        title="The next phase",
        verdict=verdict("figure", "turn {turn}: {phase}", result, phase=_format_phase(view, coming, result.side)),
        parts=(
            Part("Carried out as the phase ends", tuple(judged.finding.why for judged in ready)),
            Part("Left undone", tuple(map(_format_finding, left))),
            Part("Not done, or not shown by the position", tuple(map(_format_finding, offered))),
        ),
        changes=(*carried_out, *moved, *ended),
        result=result,
    )


def _end_game(number: int, ready: Sequence[StepFinding]) -> Report[Next]:
    """Return the report on the last phase of the last turn: what is still to be carried out in it, or else that no
    other follows.

    number: of the turn; ready: what is found of its steps that needs only to be carried out.
    """
    title = "The next phase"
    text = "the game is over"
    last = step("", "turn {turn} is the last", turn=number)
    if not ready:
        return refused(title, text, [last])
    return Report(
        title=title,
        verdict=verdict("figure", text),
        parts=(Part("Carried out as the phase ends", (*(finding.why for finding in ready), last)),),
        changes=tuple(change for finding in ready for change in finding.changes),
    )


def _list_items(phase: PhaseNow | None, some: Collection[Judged]) -> tuple[ChecklistItem, ...]:
    """Return some of the steps of a phase, as a result shows them."""
    return phase._replace(judged=tuple(some)).checklist.items if phase else ()


def _check_left(leave: Iterable[str], names: Collection[str]) -> None:
    """Raise InputError for a name that no step of the phase has."""
    for name in leave:
        if name not in names:
            hint = format_suggestion(name, dict.fromkeys(filter(None, names)))
            raise InputError(f"leave: no step of this phase is named {name!r}", hint=hint)


def _refuse_next(phase: PhaseNow, owed: Collection[Judged], leave: Iterable[str]) -> Report[Next]:
    """Return the report on a phase that is not over, with everything that it owes, or of which that is not known."""
    names = list(dict.fromkeys((*leave, *(judged.name for judged in owed))))
    go_on = step("", "to leave this undone, type: next leave={names}", names=",".join(names))
    unsettled, counts = format_unsettled([judged.finding.state for judged in owed])
    kind: VerdictKind = "no" if "owed" in counts else "undecided"
    text = (
        f"{{phase}} is not over: {unsettled}" if kind == "no" else f"undecided whether {{phase}} is over: {unsettled}"
    )
    by_state = {
        state: tuple(_format_finding(judged) for judged in owed if judged.finding.state == state) for state in UNSETTLED
    }
    return Report(
        title="The next phase",
        verdict=verdict(kind, text, phase=phase.title, **counts),
        parts=(
            *(Part(STATES[state].capitalize(), lines) for state, lines in by_state.items()),
            Part("To go on", (go_on,)),
        ),
        asks=phase.asks,
    )


# --- the questions ----------------------------------------------------------------------------------------------------


def turn_questions(judges: Judges = NO_JUDGES) -> tuple[Question[Any, GameTurn], Question[Any, Next]]:
    """Return the questions `turn` and `next` of a game. judges: of the steps of its phases, by the names of these."""

    def turn(view: View, *, whole: Whole = False) -> Report[GameTurn]:
        """Return the checklist of the phase and of the turn."""
        return answer_turn(view, judges, whole=whole)

    title = "what is done, owed and possible in this phase, and who does what in the game turn, in order"
    return declare("turn", title, turn), next_question(judges)


def next_question(judges: Judges = NO_JUDGES, running: TurnCourse = RUNNING) -> Question[Any, Next]:
    """Return the question `next` of a game. judges: of the steps of its phases."""

    def next_(
        view: View,
        *,
        leave: Annotated[
            tuple[str, ...], note("what is owed and left undone, by the names that the refused `next` gives")
        ] = (),
    ) -> Report[Next]:
        """Return the phase that follows."""
        return answer_next(view, leave, judges, running)

    return declare("next", "the phase that follows, what this one still owes, and which facts end with it", next_)


QUESTIONS = turn_questions()
QUESTION = QUESTIONS[0]
