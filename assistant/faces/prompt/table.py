"""The table between two typed lines, and its next one after a line: plain values, so that undo restores the last one.

Facts that a question needs and that are not stated get the game's usual values, as assumptions: they never become part
of the position, each answer lists them, and each can be changed or stated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from ...asking.asks import Ask, format_ask_title
from ...asking.report import Report
from ...asking.view import View
from ...formats.notation import read_on
from ...formats.positions import Asked, Position
from ...service import ask
from ...state.changes import AnyChange
from ...state.state import FactKey, GameState, Unit, is_limited
from ...state.tracks import Fact, Track, Value, check_bound, flip_tracks
from ...util.background import NotYet, work_out
from ...util.console import bar
from ...util.errors import InputError, MachineError, format_suggestion, quoted
from ...util.limits import TooMuch
from ...util.notes import note
from ...util.texts import natural
from .combats import (
    OpenCombat,
    check_sides,
    combat_hexes,
    find_units_back,
    leaves_moment,
    list_named,
    same_hexes,
    same_target,
    stacks_of,
    take_parameters,
    with_units_again,
)
from .shorthand.abbreviations import Abbreviations, pick_only, usual_values
from .shorthand.expansion import Expansion, expand
from .shorthand.questions import format_question

_LONGEST = 80
"""The most letters of facts from earlier lines that are read back in full."""


class Assumption(msgspec.Struct, frozen=True):
    """An assumption: a fact by its track and subject, or a parameter by "" and its name."""

    key: FactKey
    value: str
    """The assumed value."""
    words: str
    """The assumed value as a statement."""
    after: str = ""
    """The value that comes next, "" for none."""
    decisive: bool = False
    """Whether the answer depends on it."""
    number: int = 0
    """The number by which it is changed."""


class ShownAnswer(msgspec.Struct, frozen=True):
    """An answer: the report, the position and question it answers, with the assumptions added to them."""

    report: Report[Any]
    position: Position
    asked: Asked
    assumed: tuple[Assumption, ...] = ()


class CarriedOut(msgspec.Struct, frozen=True):
    """An answer that was carried out: when, in the game's terms, what it said and changed, and what was asked with
    which dice and choices.
    """

    when: str
    why: str
    changes: tuple[AnyChange, ...] = ()
    asked: str = ""
    parameters: Mapping[str, str] = msgspec.field(default_factory=dict)
    answers: Mapping[str, str] = msgspec.field(default_factory=dict)
    said: tuple[str, ...] = ()
    """Each change in words; none in a table that was kept before they were."""


class TableState(msgspec.Struct, frozen=True):
    """The state of the table."""

    position: Annotated[Position, note("with the current question and its dice")]
    chosen: Annotated[Mapping[FactKey, str], note("assumptions other than the usual")] = MappingProxyType({})
    done: Annotated[tuple[CarriedOut, ...], note("what was carried out")] = ()
    number: Annotated[int, note("of the current question, the same while it is changed")] = 0
    numbered: Annotated[
        tuple[FactKey, ...], note("the assumptions of the current question in the order of their numbers")
    ] = ()
    aside: Annotated[OpenCombat | None, note("the combat that the current question has set aside")] = None
    line: Annotated[str, note("what was typed to get here, in few words")] = ""
    passes: Annotated[bool, note("whether it only asks what changes nothing, so that `undo` does not count it")] = False

    @property
    def asked(self) -> Asked | None:
        """The current question."""
        return self.position.asks[0] if self.position.asks else None

    @property
    def combat(self) -> OpenCombat | None:
        """The combat that is open: the current question, or the one that it has set aside."""
        asked = self.asked
        prompt = self.position.game.file.prompt
        if asked is None or asked.question != prompt.ask or not asked.parameters.get(prompt.target):
            return self.aside  # it may be asked for without its hex
        chosen = {key: value for key, value in self.chosen.items() if not key[0]}
        stacks = stacks_of(self.position, asked)
        return OpenCombat(asked, self.position.answers, chosen, self.numbered, self.number, stacks)

    def with_question(self, asked: Asked | None) -> TableState:
        """Return the table with another question, or the same with other parameters, and the same dice."""
        return msgspec.structs.replace(
            self, position=msgspec.structs.replace(self.position, asks=(asked,) if asked else ())
        )

    def with_answers(self, answers: Mapping[str, str]) -> TableState:
        """Return the table with these dice and choices for the current question."""
        return msgspec.structs.replace(self, position=msgspec.structs.replace(self.position, answers=answers))


class LineReading(msgspec.Struct, frozen=True):
    """A line as it was read."""

    table: TableState
    """The table after the line."""
    words: str
    """How the line was understood, in few words."""
    leaving: Mapping[str, str] = MappingProxyType({})
    """Units that leave the map without being named, each with the place that it leaves."""
    doubts: tuple[str, ...] = ()
    """What is asked about first."""


def read_line(table: TableState, line: str) -> LineReading:
    """Return the table after a line of facts or a question.

    A new question starts without dice. A changed one keeps them, unless other units stand in its hexes or other hexes
    attack. Raises InputError for a line that is not understood.
    """
    expansion = expand(line, table.position, table.combat.asked if table.combat else None)
    now = _without_returned_units(table, _state_line(table, expansion))
    _check_bounds(table.position, now.position)
    gone = loses_dice(table, now)
    doubts = (
        *_find_dice_doubts(table, now),
        *_find_aim_doubts(table.position, now.position),
        *expansion.doubts,
        *dict.fromkeys(find_text_doubts(table.position, now.position)),
    )
    same = now.number == table.number and now.position.answers == table.position.answers
    if gone:
        now = without_dice(now)
    if same and now.position.answers:
        _check_losses(table, expansion)
    units = now.position.state.units
    leaving = {
        unit.id: unit.place
        for unit in table.position.state.units.values()
        if unit.place and unit.id in units and units[unit.id].place is None and unit.id not in expansion.off
    }
    left = (
        *_format_facts_left(table, expansion, now),
        *_format_hexsides_left(table, now),
        *_format_parameters_left(table, expansion, now),
    )
    remarks = ["no combat: it has < between its hexes"] if expansion.lacks_sign else []
    return LineReading(now, "; ".join([expansion.read, *left, *remarks]), leaving, doubts)


def _without_returned_units(table: TableState, now: TableState) -> TableState:
    """Return the table after a line, its combat no longer without the units that the line has brought back to it."""
    prompt = now.position.game.file.prompt
    combat = table.combat
    if combat is None or not list_named(combat.asked, prompt.without):
        return now
    was = combat.asked

    def with_them(asked: Asked) -> Asked:
        units = find_units_back(table.position, now.position, was, asked)
        return msgspec.structs.replace(asked, parameters=with_units_again(asked.parameters, prompt.without, units))

    if now.asked and now.asked.question in prompt.about:
        now = now.with_question(with_them(now.asked))
    if now.aside:
        aside = msgspec.structs.replace(now.aside, asked=with_them(now.aside.asked))
        now = msgspec.structs.replace(now, aside=aside)
    return now


def without_dice(table: TableState) -> TableState:
    """Return the table with the open combat without its dice, be it set aside or not."""
    if table.aside is None:
        return table.with_answers({})
    return msgspec.structs.replace(table, aside=msgspec.structs.replace(table.aside, answers={}))


def is_owed(table: TableState) -> bool:
    """Return whether the open combat asks for more than its dice so far, or changes something that is not carried
    out.
    """
    combat = table.combat
    try:
        shown = evaluate_table(table.with_question(combat.asked).with_answers(combat.answers)) if combat else None
    except MachineError:
        raise
    except InputError:  # what has been stated since it was set aside leaves it no answer
        return True
    return shown is not None and bool(shown.report.asks or shown.report.changes)


def _format_facts_left(table: TableState, expansion: Expansion, now: TableState) -> Iterator[str]:
    """Yield what earlier lines state of units whose stack, or open combat, a line types again without it: losses, and
    in a combat each fact that silence does not mean; if that is long, only how many facts.
    """
    game = now.position.game
    facts_of = now.position.state.facts_of
    less = game.file.picture.less
    fights = expansion.anew and expansion.lines and table.combat
    if fights and table.combat and same_target(now.position, now.asked, table.combat.asked):
        units = [*chain.from_iterable(stacks_of(now.position, now.asked).values())]
        varying = {name for name, track in game.tracks.items() if track.on == "unit" and not track.printed}
    else:
        units = [*expansion.described]
        varying = {less} - {""}
    if not (units and varying):
        return
    stated = _find_stated_facts(table, expansion, varying)
    remaining = dict[FactKey, str]()
    for unit in units:
        for name, fact in facts_of.get(unit, {}).items():
            track = game.tracks[name]
            silent = track.nothing if track.absent is None else track.absent
            if name in varying and (name, unit) not in stated and fact.value != silent:
                remaining[name, unit] = f"{name} {fact.value}" if name == less else track.word(fact.value)
    is_short = sum(map(len, remaining.values())) <= _LONGEST
    shown = {key: word for key, word in remaining.items() if is_short or key[0] == less}
    of_units = dict[str, list[str]]()
    for (_, unit), word in sorted(shown.items(), key=lambda item: item[0][0] != less):
        of_units.setdefault(unit, [unit]).append(word)
    others = [f"{len(remaining) - len(shown)} other facts about its units"] if len(remaining) > len(shown) else []
    if remaining:
        yield f"still: {', '.join([*map(' '.join, of_units.values()), *others])}"


def _format_hexsides_left(table: TableState, now: TableState) -> Iterator[str]:
    """Yield what earlier lines state of a hexside about which a line states another fact."""
    tracks = now.position.game.tracks
    before = table.position.state
    usual = now.position.game.file.prompt.usual
    state = now.position.state
    changed = dict.fromkeys(about for name, about in state.facts_since(before) if tracks[name].on == "hexside")
    for side in changed:
        there = state.facts_of[side]
        old = before.facts_of.get(side, {})
        unchanged = [(tracks[name], fact.value) for name, fact in there.items() if fact == old.get(name)]
        words = [
            track.word(value)
            for track, value in unchanged
            if track.write(value) not in (track.write(track.nothing), usual.get(track.name))
        ]
        if words:
            yield f"still: {side} {' '.join(words)}"


def _format_parameters_left(table: TableState, expansion: Expansion, now: TableState) -> Iterator[str]:
    """Yield which parameters of the open combat stay and which are dropped, if a line types it again or adds hexes
    without them; after any other line that touches it, which units it withholds.
    """
    prompt = now.position.game.file.prompt
    combat = table.combat
    after = now.combat
    if not (combat and after) or not same_target(now.position, after.asked, combat.asked):
        return
    typed_now = expansion.asked.parameters if expansion.anew and expansion.asked else expansion.typed
    names = [name for name in combat.asked.parameters if name not in (prompt.target, prompt.attackers, *typed_now)]
    is_typed_again = (
        expansion.asked
        and expansion.asked.question == prompt.ask
        and (expansion.anew or prompt.attackers in expansion.typed)
    )
    if not is_typed_again:
        touched = _has_changed_combat(table.position, now.position, combat, after)
        names = [name for name in names if touched and name == prompt.without]
    before = combat.asked.parameters
    left = after.asked.parameters
    remaining = {name: left[name] for name in names if name in left}
    gone = {name: before[name] for name in names if before[name] != left.get(name)}
    if prompt.without in gone:
        still_out = left.get(prompt.without, "").split(",")
        gone |= with_units_again({prompt.without: before[prompt.without]}, prompt.without, still_out)
    for what, named in (("still", remaining), ("dropped", gone)):
        if named:
            yield format_question(f"{what}:", named)


def _has_changed_combat(was: Position, now: Position, before: OpenCombat, after: OpenCombat) -> bool:
    """Return whether a line states another moment of the game, or changes the parameters of the open combat, its
    stacks, or a fact of its units, hexes or hexsides.
    """
    if leaves_moment(was, now) or before.asked != after.asked or before.stacks != after.stacks:
        return True
    about = {*after.stacks, *chain.from_iterable(after.stacks.values())}
    changed = {subject for (_, subject), _ in was.state.facts.items() ^ now.state.facts.items()}
    return any(about.intersection((subject, *subject.split("|"))) for subject in changed)


def _find_stated_facts(table: TableState, expansion: Expansion, tracks: Collection[str]) -> set[FactKey]:
    """Return the facts of these tracks of units that a line states."""
    position = table.position
    others = {key: fact for key, fact in position.state.facts.items() if key[0] not in tracks}
    bare = position.with_state(msgspec.structs.replace(position.state, facts=MappingProxyType(others)))
    after = read_on("\n".join(expansion.lines), msgspec.structs.replace(bare, asks=(), answers={}))
    return {key for key in after.state.facts if key[0] in tracks}


def _check_losses(table: TableState, expansion: Expansion) -> None:
    """Raise InputError for a line that states what a unit has lost, be it by its other side, while its owner's choice
    may give it a loss: the line replaces older losses and answers nothing.
    """
    game = table.position.game
    by_loss = {game.file.picture.less, *(track.name for track in flip_tracks(game.tracks))} - {""}
    if not (by_loss and expansion.lines):
        return
    lost = {unit for _, unit in _find_stated_facts(table, expansion, by_loss)}
    shown = evaluate_table(table) if lost else None
    for pending in shown.report.asks if shown else ():
        # an option names one or several units, each perhaps with what of it is meant: `X:corps`
        names = {
            part for option in pending.options for name in option.split(",") for part in (name, name.partition(":")[0])
        }
        if pending.kind == "choice" and lost & names:
            hint = f"choose by number or by names, such as {pending.options[0]}; earlier losses are changed before the dice are rolled"
            units = ", ".join(sorted(lost & names))
            raise InputError(f"the line states earlier losses, of {units}; asked for now: {pending.title}", hint=hint)


def _check_bounds(before: Position, now: Position) -> None:
    """Raise InputError for a number that a line states and that is not below the one that bounds it, on the counter
    too: no unit has lost more steps than it has.
    """
    view = View(now.game, now.state)
    tracks = now.game.tracks
    for (name, subject), fact in now.state.facts_since(before.state).items():
        track = tracks[name]
        if track.below and track.on == "unit":
            most = view.fact(track.below, subject)
            if most is not None:
                check_bound(subject, track, fact, tracks[track.below], most)


def _state_line(table: TableState, expansion: Expansion) -> TableState:
    """Return the table after a line, with the dice of the question before unless it is a new one."""
    before = table.position
    after = msgspec.structs.replace(before, asks=(), answers={})
    after = read_on("\n".join(expansion.lines), after) if expansion.lines else after
    now = msgspec.structs.replace(
        table, position=msgspec.structs.replace(after, asks=before.asks, answers=before.answers)
    )
    if expansion.off:
        units = {name: msgspec.structs.replace(after.state.units[name], place=None) for name in expansion.off}
        state = msgspec.structs.replace(after.state, units=MappingProxyType({**after.state.units, **units}))
        now = msgspec.structs.replace(now, position=now.position.with_state(state))
    asked = after.asks[-1] if after.asks else expansion.asked
    check_sides(now.position, asked)
    if asked and expansion.anew and table.combat:
        asked = _with_parameters_of(now, asked, table.combat.asked)
    if asked and (resumed := _resume_combat(table, now, asked, expansion)):
        return resumed
    if asked and (after.asks or expansion.anew):
        return _ask_anew(table, now, asked).with_answers(after.answers)
    if expansion.lines and after.answers:
        return now.with_answers({**before.answers, **after.answers})
    return now.with_question(asked) if asked else now


def _with_parameters_of(table: TableState, asked: Asked, combat: Asked) -> Asked:
    """Return a question about the open combat's hex with its parameters; where other hexes attack, without those that
    do not suit them.
    """
    whole = take_parameters(table.position, asked, combat)
    if whole == asked or same_hexes(table.position, asked, combat):
        return whole
    while True:
        try:
            evaluate_table(table.with_question(whole).with_answers({}))
            return whole
        except InputError as error:
            wrong = parameter_named(whole, error)
            if not wrong or wrong in asked.parameters:
                return whole
            whole = without_parameter(whole, wrong)


def parameter_named(asked: Asked, error: InputError) -> str:
    """Return the parameter of a question that an error is about, with which it begins; "" if it is about none."""
    name, colon, _ = error.what.partition(": ")
    return next((given for given in asked.parameters if colon and given.replace("_", "-") == name), "")


def without_parameter(asked: Asked, name: str) -> Asked:
    """Return a question without one of its parameters."""
    left = {given: value for given, value in asked.parameters.items() if given != name}
    return msgspec.structs.replace(asked, parameters=left)


def _ask_anew(table: TableState, now: TableState, asked: Asked) -> TableState:
    """Return the table with a new question; a further question sets the open combat aside."""
    prompt = now.position.game.file.prompt
    aside = None if asked.question == prompt.ask and asked.parameters.get(prompt.target) else table.combat
    about = table.combat if asked.question in prompt.about else None
    same = about and asked.parameters.get(prompt.target) == about.asked.parameters.get(prompt.target)
    chosen = _find_chosen_facts(table) | dict(about.chosen if about and same else {})
    return msgspec.structs.replace(
        now.with_question(asked), chosen=MappingProxyType(chosen), number=table.number + 1, numbered=(), aside=aside
    )


def _find_chosen_facts(table: TableState) -> dict[FactKey, str]:
    """Return the facts that are assumed other than usual, without parameters, which are chosen for one combat only."""
    return {key: value for key, value in table.chosen.items() if key[0]}


def _resume_combat(table: TableState, now: TableState, asked: Asked, expansion: Expansion) -> TableState | None:
    """Return the table with the open combat, if a line asks about its hexes again without stating anything, or names
    more of them after another question; its dice count as long as the same units stand there.
    """
    combat = table.combat
    more = not expansion.anew and table.aside is not None and now.position.game.file.prompt.ask == asked.question
    if combat is None or not (more or (expansion.anew and not expansion.lines)):
        return None
    same = same_hexes(now.position, asked, combat.asked)
    if not (same or more):
        return None
    answers = combat.answers if same and stacks_of(now.position, combat.asked) == combat.stacks else {}
    return msgspec.structs.replace(
        now.with_question(asked).with_answers(answers),
        chosen=MappingProxyType(_find_chosen_facts(table) | dict(combat.chosen)),
        number=combat.number,
        numbered=combat.numbered,
        aside=None,
    )


def evaluate_table(table: TableState) -> ShownAnswer | None:
    """Return the answer to the current question, None if there is none. The usual is taken for granted only as long as
    its doubts are not too many to evaluate; the rest is asked for.

    Raises InputError for invalid parameters, dice or choices, and NotYet as `answer_to` does.
    """
    if table.asked is None:
        return None
    shown = work_out(_can_be_deferred(table), _evaluate, table.position, table.chosen)
    keys = number_assumptions(table, [assumption.key for assumption in shown.assumed])
    numbered = (msgspec.structs.replace(known, number=keys.index(known.key) + 1) for known in shown.assumed)
    return msgspec.structs.replace(shown, assumed=tuple(numbered))


def evaluate_if_ready(table: TableState) -> ShownAnswer | None:
    """Return the answer to the current question; None, too, as long as it is worked out elsewhere. Raises InputError as
    `look` does.
    """
    try:
        return evaluate_table(table)
    except NotYet:
        return None


def _can_be_deferred(table: TableState) -> bool:
    """Return whether the current question may be answered elsewhere: all but the game's combat, whose dice and choices
    say how the next line is read.
    """
    return table.asked is not None and table.asked.question != table.position.game.file.prompt.ask


def report_on_table(table: TableState) -> Report[Any]:
    """Return the report on the current question, without what is taken for granted. Raises InputError as `ask` does,
    and NotYet if it is answered elsewhere and that is not done yet.
    """
    position = table.position
    return work_out(_can_be_deferred(table), ask, position, position.asks[0], position.answers)


def _evaluate(position: Position, chosen: Mapping[FactKey, str]) -> ShownAnswer:
    """Return the answer to the question of a position, its assumptions without numbers. chosen: as a `TableState` has
    it.
    """
    table = TableState(position, chosen)
    asked = position.asks[0]
    report = ask(msgspec.structs.replace(position, asks=(asked,)), asked, watch=bar)
    assumed: dict[FactKey, Assumption] = {}
    while more := {
        usual.key: usual
        for needed in report.asks
        if (usual := _assume_usual(table, needed)) and usual.key not in assumed
    }:
        given, posed = _add_assumptions(position, asked, more)
        try:
            report = ask(msgspec.structs.replace(given, asks=(posed,)), posed, watch=bar)
        except TooMuch:
            break
        position = given
        asked = posed
        assumed = assumed | more
    decisive = [tuple(key) for key in report.verdict.figures.get("about", ())]
    marked = [
        msgspec.structs.replace(assumption, decisive=assumption.key in decisive) for assumption in assumed.values()
    ]
    in_order = sorted(marked, key=lambda assumption: (not assumption.decisive, bool(assumption.key[0])))
    return ShownAnswer(report, position, asked, tuple(in_order))


def _add_assumptions(position: Position, asked: Asked, more: Mapping[FactKey, Assumption]) -> tuple[Position, Asked]:
    """Return a position and a question with assumptions added to their facts and parameters."""
    tracks = position.game.tracks
    state = position.state
    facts = {key: Fact(tracks[key[0]].parse(fact.value), assumed=True) for key, fact in more.items() if key[0]}
    named = {key[1]: assumption.value for key, assumption in more.items() if not key[0]}
    state = msgspec.structs.replace(state, facts=MappingProxyType({**state.facts, **facts}))
    return position.with_state(state), msgspec.structs.replace(asked, parameters={**asked.parameters, **named})


def number_assumptions(table: TableState, keys: Iterable[FactKey]) -> tuple[FactKey, ...]:
    """Return the assumptions of the current question in the order of their numbers, with further ones behind those that
    have one.
    """
    return tuple(dict.fromkeys([*table.numbered, *keys]))


def _assume_usual(table: TableState, needed: Ask) -> Assumption | None:
    """Return the assumption for something asked for, None if the game names no usual value, and for what a drawn map
    shows: no usual value takes its place.
    """
    prompt = table.position.game.file.prompt
    if needed.kind not in ("fact", "parameter") or needed.drawn:
        return None
    if needed.kind == "parameter" and (table.asked is None or table.asked.question not in prompt.about):
        return None
    key = (str(needed.key[0]), str(needed.key[1])) if needed.key else ("", needed.name)
    usual = next(iter(usual_values(table.position.game, key[0] or key[1])), "")
    value = table.chosen.get(key) or _find_listed_identity(table, key) or usual
    return (
        Assumption(key, value, format_assumption(table, key, value), _find_next_value(table, key, value))
        if value
        else None
    )


def _find_listed_identity(table: TableState, key: FactKey) -> str:
    """Return what a unit is by the roster (its nation, arm or size), even if the table does not accept the source of
    that; "" for any other fact, and for a unit that is not listed.
    """
    game = table.position.game
    state = table.position.state
    name, subject = key
    unit = state.units.get(subject)
    listed = game.roster.get(unit.type, {}).get(name, ()) if unit and name in game.file.notation.identity else ()
    return game.tracks[name].write(listed[0].value) if listed else ""


def _list_values(table: TableState, key: FactKey) -> Sequence[str]:
    """Return the values that an assumption may take, in their turn."""
    name, subject = key
    if name:
        track = table.position.game.tracks[name]
        return [track.write(value) for value in track.in_turn()] or track.values
    return usual_values(table.position.game, subject)


def _find_next_value(table: TableState, key: FactKey, value: str) -> str:
    """Return the value of an assumption that comes after one, "" if none can be listed."""
    values = _list_values(table, key)
    if value not in values:
        return values[0] if values else ""
    return values[(values.index(value) + 1) % len(values)]


def format_assumption(table: TableState, key: FactKey, value: str) -> str:
    """Return a value that is taken for granted, as a statement."""
    name, subject = key
    track = table.position.game.tracks.get(name)
    if track:
        return track.how_to_state(subject, track.parse(value))
    return f"{table.position.game.file.prompt.called.get(subject, subject)}: {value}"


def choose_assumption(table: TableState, assumption: Assumption, word: str = "") -> TableState:
    """Return the table with another value assumed: the one named, perhaps abbreviated, or the next one.

    Raises InputError for a value that is not allowed.
    """
    chosen = assumption.after
    name = assumption.key[0]
    track = table.position.game.tracks[name] if name else None
    if word:
        values = _list_values(table, assumption.key)
        chosen = pick_only(word, [value for value in values if value.casefold().startswith(word.casefold())]) or word
        chosen = track.write(track.parse(Abbreviations(table.position).value(track, chosen))) if track else chosen
    elif not chosen:
        raise InputError(
            f"{assumption.words} has no next value", hint="type another value after the number of the assumption"
        )
    return msgspec.structs.replace(table, chosen=MappingProxyType({**table.chosen, assumption.key: chosen}))


def carry_out_answer(table: TableState) -> TableState:
    """Return the table after the changes of the answer, which it records; the question is closed.

    Raises InputError if there are no changes yet.
    """
    shown = evaluate_table(table)
    if shown is None or not shown.report.changes:
        hint = "the answer changes nothing in the position" if shown else ""
        if shown and shown.report.asks:
            hint = f"answer this first: {format_ask_title(shown.report.asks[0])}"
        raise InputError("there is nothing to carry out", hint=hint)
    position = table.position
    dated_by = table.position.game.file.prompt.when
    when = str(position.state.value(dated_by) or "") if dated_by else ""
    entry = CarriedOut(
        when,
        f"{shown.report.title}: {shown.report.headline}",
        tuple(shown.report.changes),
        shown.asked.question,
        {name: str(value) for name, value in shown.asked.parameters.items()},
        position.answers,
        shown.report.done,
    )
    return msgspec.structs.replace(
        table, position=position.after(shown.report.changes), done=(*table.done, entry), numbered=()
    )


def pick_assumption(assumed: tuple[Assumption, ...], number: str) -> Assumption:
    """Return the assumption with a number. Raises InputError if there is none."""
    numbered = {assumption.number: assumption for assumption in assumed}
    if (chosen := natural(number)) not in numbered:
        raise InputError(f"there is no assumption ?{number}", hint=format_suggestion("", map(str, sorted(numbered))))
    return numbered[chosen]


# --- what is asked about first ---


def _find_dice_doubts(before: TableState, after: TableState) -> Iterator[str]:
    """Yield what a line would do to a combat whose dice lie on the table, as questions: its dice, which ask for more or
    change something, are dropped; what it has cost may be stated a second time; or a unit is withheld from it. Another
    combat takes its place, which its answer says.
    """
    combat = before.combat
    if combat is None or not _has_dice_still(before, after):
        return
    if loses_dice(before, after) and is_owed(before):
        yield f"not carried out: {combat.words}; `done` carries it out first; drop its dice"
    if stated := format_stated_again(before.position, after.position, combat):
        yield f"`done` enters what the battle itself costs; was this so before it: {stated}"
    if withheld := ", ".join(unit for unit in _list_withheld(after) if unit not in _list_withheld(before)):
        yield f"the dice have been rolled, and losses are typed as what the unit lost; withhold {withheld}"


def _has_dice_still(before: TableState, after: TableState) -> bool:
    """Return whether the same combat is open after a line as before it, and its dice lay on the table."""
    combat = before.combat
    now = after.combat
    return bool(combat and combat.answers and now and now.number == combat.number)


def _find_aim_doubts(before: Position, after: Position) -> Iterator[str]:
    """Yield the units that a line lets attack a hex in which friends stand, or that defend against that hex now, as
    questions.
    """
    game = after.game
    state = after.state
    targets, attackers = combat_hexes(after, after.asks[0] if after.asks else None)
    for (name, subject), fact in state.facts_since(before.state).items():
        unit = state.units.get(subject)
        if name not in game.file.prompt.aims or unit is None:
            continue
        side = game.side_of_unit(unit, state.facts)
        friends = [
            other.id for other in state.stack(str(fact.value)) if side and game.side_of_unit(other, state.facts) == side
        ]
        what = game.tracks[name].word(fact.value)
        if friends:
            yield f"units friendly to {unit.id} stand in {fact.value} ({', '.join(friends)}); {unit.id} {what}"
        elif unit.place in targets and fact.value in attackers:
            yield f"{unit.id} is attacked from {fact.value} now; does it attack that hex itself, {what}"


def find_text_doubts(before: Position, after: Position) -> Iterator[str]:
    """Yield the texts that a line or an answer states of units, such as their army, and that neither the roster nor
    another unit has, where any has one, as questions.
    """
    for (name, unit), fact in after.state.facts_since(before.state).items():
        known = list_known_texts(before, before.game.tracks[name], unit)
        if known and str(fact.value) not in ("", *known):
            what = f"no other unit has {name}={quoted(str(fact.value))}"
            yield f"{what}; known: {', '.join(known)}; accept it anyway"


def list_known_texts(position: Position, track: Track, about: str) -> list[str]:
    """Return what the roster and, where nothing is hidden, other units on a unit's side have for a text such as its
    army; nothing for any other fact.
    """
    game = position.game
    state = position.state
    if track.on != "unit" or track.kind != "text" or track.names:
        return []

    def side_of(unit: str) -> str:
        return game.side_of_unit(state.units.get(unit) or Unit(unit, unit, None), state.facts)

    values = {unit: facts.get(track.name, ()) for unit, facts in game.roster.items()}
    if not is_limited(state.seen_by):
        values |= {unit: [fact] for (name, unit), fact in state.facts.items() if name == track.name}
    sides = (side_of(about), "")
    alike = (facts for unit, facts in values.items() if unit != about and side_of(unit) in sides)
    return sorted({str(fact.value) for facts in alike for fact in facts} - {""})


def loses_dice(before: TableState, after: TableState) -> bool:
    """Return whether a line makes the dice of the open combat worthless: other units stand in its hexes, other hexes
    attack, or another moment of the game has come.
    """
    if not (_has_dice_still(before, after) and before.combat and after.combat):
        return False
    stacks = stacks_of(after.position, after.combat.asked)
    return leaves_moment(before.position, after.position, stated=False) or stacks != before.combat.stacks


def format_stated_again(before: Position, after: Position, combat: OpenCombat) -> str:
    """Return what a line changes of units that fight in a combat, in words: losses, levels, status, or ratings that
    were known; "" for nothing.
    """
    changed = [
        f"{unit} {name} {before.game.tracks[name].write(value)}"
        for unit in dict.fromkeys(chain.from_iterable(combat.stacks.values()))
        for name, value in _find_changed_facts(unit, before, after.state)
    ]
    return ", ".join(changed)


def _find_changed_facts(unit: str, before: Position, after: GameState) -> Iterator[tuple[str, Value]]:
    """Yield the facts of a unit that are not as they were or, where nothing was stated, as they are by themselves."""
    old = before.state.facts_of.get(unit, {})
    identity = before.game.file.notation.identity
    for name, fact in after.facts_of.get(unit, {}).items():
        track = before.game.tracks[name]
        if name in identity or (track.printed and name not in old):
            continue
        silent = track.nothing if track.absent is None else track.absent
        if fact.value != (old[name].value if name in old else silent):
            yield name, fact.value


def _list_withheld(table: TableState) -> list[str]:
    """Return the units that the open combat withholds."""
    return list_named(table.combat.asked, table.position.game.file.prompt.without) if table.combat else []
