"""The reading of a typed line at the table: the table after it, the remaining facts of earlier lines, and doubts.

Doubts are questions: whether dice may be dropped, whether losses are stated twice, whether an unknown name is meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from types import MappingProxyType

import msgspec

from ...asking.view import View
from ...formats.notation import read_on
from ...formats.positions import Asked, Position
from ...state.state import FactKey, GameState, Unit, is_limited
from ...state.tracks import Fact, Track, Value, check_bound, flip_tracks
from ...util.errors import InputError, quoted
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
from .shorthand.expansion import Expansion, expand_line
from .shorthand.questions import format_question
from .table import TableState, evaluate_table, is_owed, parameter_named, without_dice, without_parameter

_MAX_READ_BACK_CHARS = 80
"""The maximum length of facts from earlier lines that are repeated in full; longer lists are counted."""


class LineReading(msgspec.Struct, frozen=True):
    """A line as it was understood."""

    table: TableState
    """The table after the line."""
    words: str
    """The line as understood, in words."""
    leaving: Mapping[str, str] = MappingProxyType({})
    """The units that leave the map without being named, each with its last place."""
    doubts: tuple[str, ...] = ()
    """The questions that need a yes before the line counts."""
    meant: str = ""
    """The line that was more likely meant, or "" if there is none."""
    why: str = ""
    """The reason why that line is more likely."""


def read_line(table: TableState, line: str) -> LineReading:
    """Return the table after a line of facts or a question.

    A new question starts without dice. A changed question keeps its dice, unless other units stand in its hexes or
    other hexes attack.

    Raises InputError for a line that is not understood.
    """
    expansion = expand_line(line, table.position, table.combat.asked if table.combat else None)
    now = _without_returned_units(table, _state_line(table, expansion))
    stated_facts = now.position.state.facts_since(table.position.state)
    _check_bounds(now.position, stated_facts)
    doubts = (
        *find_dice_doubts(table, now),
        *find_aim_doubts(now.position, stated_facts),
        *expansion.doubts,
        *dict.fromkeys(find_text_doubts(table.position, stated_facts)),
    )
    keeps_question = now.number == table.number and now.position.answers == table.position.answers
    if loses_dice(table, now):
        now = without_dice(now)
    if keeps_question and now.position.answers:
        _check_losses(table, expansion)
    words = [
        expansion.read,
        *_format_facts_left(table, expansion, now),
        *_format_hexsides_left(table, now, stated_facts),
        *_format_parameters_left(table, expansion, now),
    ]
    if expansion.lacks_sign:
        words.append("no combat: it has < between its hexes")
    leaving = _find_leaving_units(table.position.state, now.position.state, expansion.off)
    return LineReading(now, "; ".join(words), leaving, doubts, expansion.meant, expansion.why)


def _find_leaving_units(before: GameState, after: GameState, named: Collection[str]) -> dict[str, str]:
    """Return the units that a line takes off the map without naming them, each with its last place."""
    changed_units = after.compare_units(before).since
    unnamed = {name for name in changed_units if after.units[name].place is None} - {*named}
    if not unnamed:
        return {}  # saves a walk through all units
    return {name: unit.place for name, unit in before.units.items() if name in unnamed and unit.place}


def _without_returned_units(table: TableState, now: TableState) -> TableState:
    """Return the table after a line, with the units that the line brings back to the open combat no longer withheld."""
    prompt = now.position.game.file.prompt
    combat = table.combat
    if combat is None or not list_named(combat.asked, prompt.without):
        return now
    question_before = combat.asked

    def with_returned(asked: Asked) -> Asked:
        units = find_units_back(table.position, now.position, question_before, asked)
        return msgspec.structs.replace(asked, parameters=with_units_again(asked.parameters, prompt.without, units))

    if now.asked and now.asked.question in prompt.about:
        now = now.with_question(with_returned(now.asked))
    if now.aside:
        aside = msgspec.structs.replace(now.aside, asked=with_returned(now.aside.asked))
        now = msgspec.structs.replace(now, aside=aside)
    return now


def _format_facts_left(table: TableState, expansion: Expansion, now: TableState) -> Iterator[str]:
    """Yield the facts of earlier lines that a line does not repeat although it names their units again.

    After a line with the open combat these are all facts that vary in play and differ from the default; after one with
    a stack, only the losses. Long lists of other facts are only counted.
    """
    game = now.position.game
    less = game.file.picture.less
    types_combat = expansion.asks_new_question and expansion.lines and table.combat
    if types_combat and table.combat and same_target(now.position, now.asked, table.combat.asked):
        units = [*chain.from_iterable(stacks_of(now.position, now.asked).values())]
        track_names = {name for name, track in game.tracks.items() if track.on == "unit" and not track.printed}
    else:
        units = [*expansion.described]
        track_names = {less} - {""}
    if not (units and track_names):
        return
    stated_facts = _find_stated_facts(table, expansion, track_names)
    facts_of = now.position.state.facts_of
    remaining = dict[FactKey, str]()
    for unit in units:
        for name, fact in facts_of.get(unit, {}).items():
            track = game.tracks[name]
            unstated_value = track.nothing if track.absent is None else track.absent
            if name in track_names and (name, unit) not in stated_facts and fact.value != unstated_value:
                remaining[name, unit] = f"{name} {fact.value}" if name == less else track.word(fact.value)
    is_short = sum(map(len, remaining.values())) <= _MAX_READ_BACK_CHARS
    shown = {key: word for key, word in remaining.items() if is_short or key[0] == less}
    words_by_unit = dict[str, list[str]]()
    for (_, unit), word in sorted(shown.items(), key=lambda item: item[0][0] != less):  # losses first
        words_by_unit.setdefault(unit, []).append(word)
    parts = [" ".join((unit, *words)) for unit, words in words_by_unit.items()]
    hidden_count = len(remaining) - len(shown)
    if hidden_count:
        parts.append(f"{hidden_count} other facts about its units")
    if parts:
        yield f"still: {', '.join(parts)}"


def _format_hexsides_left(table: TableState, now: TableState, stated_facts: Mapping[FactKey, Fact]) -> Iterator[str]:
    """Yield the facts of earlier lines about the hexsides of which a line states another fact."""
    tracks = now.position.game.tracks
    before = table.position.state
    usual = now.position.game.file.prompt.usual
    state = now.position.state
    hexsides = dict.fromkeys(subject for name, subject in stated_facts if tracks[name].on == "hexside")
    for hexside in hexsides:
        facts = state.facts_of[hexside]
        old_facts = before.facts_of.get(hexside, {})
        unchanged = [(tracks[name], fact.value) for name, fact in facts.items() if fact == old_facts.get(name)]
        words = [
            track.word(value)
            for track, value in unchanged
            if track.write(value) not in (track.write(track.nothing), usual.get(track.name))
        ]
        if words:
            yield f"still: {hexside} {' '.join(words)}"


def _format_parameters_left(table: TableState, expansion: Expansion, now: TableState) -> Iterator[str]:
    """Yield the remaining and the dropped parameters of the open combat.

    All are named if the line types the combat again or adds hexes to it. After any other line, only the withheld
    units are named, and only if the combat has changed.
    """
    prompt = now.position.game.file.prompt
    combat = table.combat
    after = now.combat
    if not (combat and after) or not same_target(now.position, after.asked, combat.asked):
        return
    typed_now = expansion.asked.parameters if expansion.asks_new_question and expansion.asked else expansion.typed
    names = [name for name in combat.asked.parameters if name not in (prompt.target, prompt.attackers, *typed_now)]
    is_typed_again = (
        expansion.asked
        and expansion.asked.question == prompt.ask
        and (expansion.asks_new_question or prompt.attackers in expansion.typed)
    )
    if not is_typed_again:
        has_changed = _has_changed_combat(table.position, now.position, combat, after)
        names = [name for name in names if has_changed and name == prompt.without]
    values_before = combat.asked.parameters
    values_after = after.asked.parameters
    remaining = {name: values_after[name] for name in names if name in values_after}
    dropped = {name: values_before[name] for name in names if values_before[name] != values_after.get(name)}
    if prompt.without in dropped:  # report only those withheld units that now take part
        still_withheld = values_after.get(prompt.without, "").split(",")
        dropped |= with_units_again({prompt.without: values_before[prompt.without]}, prompt.without, still_withheld)
    for what, parameters in (("still", remaining), ("dropped", dropped)):
        if parameters:
            yield format_question(f"{what}:", parameters)


def _has_changed_combat(was: Position, now: Position, before: OpenCombat, after: OpenCombat) -> bool:
    """Return whether a line changed the phase or turn, or any part of the open combat."""
    if leaves_moment(was, now) or before.asked != after.asked or before.stacks != after.stacks:
        return True
    hexes_and_units = {*after.stacks, *chain.from_iterable(after.stacks.values())}
    changed_subjects = {subject for (_, subject), _ in was.state.facts.items() ^ now.state.facts.items()}
    # a hexside is named by its two hexes: `12.05|12.06`
    return any(hexes_and_units.intersection((subject, *subject.split("|"))) for subject in changed_subjects)


def _find_stated_facts(table: TableState, expansion: Expansion, tracks: Collection[str]) -> set[FactKey]:
    """Return the facts of some tracks that a line states, even unchanged.

    The line is read at a position without such facts, so that all those present afterwards were stated.
    """
    position = table.position
    others = {key: fact for key, fact in position.state.facts.items() if key[0] not in tracks}
    bare = position.with_state(msgspec.structs.replace(position.state, facts=MappingProxyType(others)))
    after = read_on("\n".join(expansion.lines), msgspec.structs.replace(bare, asks=(), answers={}))
    return {key for key in after.state.facts if key[0] in tracks}


def _check_losses(table: TableState, expansion: Expansion) -> None:
    """Raise InputError if a line states losses of a unit offered in the pending choice of losses.

    Stated losses are those before the dice, so they cannot answer the choice. A flip counts as a loss.
    """
    game = table.position.game
    loss_tracks = {game.file.picture.less, *(track.name for track in flip_tracks(game.tracks))} - {""}
    if not (loss_tracks and expansion.lines):
        return
    units_with_losses = {unit for _, unit in _find_stated_facts(table, expansion, loss_tracks)}
    shown = evaluate_table(table) if units_with_losses else None
    asks = shown.report.asks if shown else ()
    for pending in asks:
        if pending.kind != "choice":
            continue
        # an option names one or several units, each perhaps with the part that is meant: `X:corps`
        names = [name for option in pending.options for name in option.split(",")]
        units_to_choose = units_with_losses.intersection([*names, *(name.partition(":")[0] for name in names)])
        if units_to_choose:
            example = f"choose by number or by names, such as {pending.options[0]}"
            units = ", ".join(sorted(units_to_choose))
            raise InputError(
                f"the line states earlier losses, of {units}; asked for now: {pending.title}",
                hint=f"{example}; earlier losses are changed before the dice are rolled",
            )


def _check_bounds(now: Position, stated_facts: Mapping[FactKey, Fact]) -> None:
    """Raise InputError if a stated number is not below its bound, as lost steps must be below all steps."""
    view = View(now.game, now.state)
    tracks = now.game.tracks
    for (name, subject), fact in stated_facts.items():
        track = tracks[name]
        if track.below and track.on == "unit":
            bound = view.fact(track.below, subject)
            if bound is not None:
                check_bound(subject, track, fact, tracks[track.below], bound)


def _state_line(table: TableState, expansion: Expansion) -> TableState:
    """Return the table after a line; the dice stay unless the line asks a new question."""
    before = table.position
    after = msgspec.structs.replace(before, asks=(), answers={})
    if expansion.lines:
        after = read_on("\n".join(expansion.lines), after)
    stated = msgspec.structs.replace(after, asks=before.asks, answers=before.answers)
    now = msgspec.structs.replace(table, position=stated)
    if expansion.off:
        units = {name: msgspec.structs.replace(after.state.units[name], place=None) for name in expansion.off}
        state = msgspec.structs.replace(after.state, units=MappingProxyType({**after.state.units, **units}))
        now = msgspec.structs.replace(now, position=now.position.with_state(state))
    asked = after.asks[-1] if after.asks else expansion.asked
    check_sides(now.position, asked)
    if asked:
        if expansion.asks_new_question and table.combat:
            asked = _with_parameters_of(now, asked, table.combat.asked)
        if resumed := _resume_combat(table, now, asked, expansion):
            return resumed
        if after.asks or expansion.asks_new_question:
            return _ask_anew(table, now, asked).with_answers(after.answers)
    if expansion.lines and after.answers:
        return now.with_answers({**before.answers, **after.answers})
    return now.with_question(asked) if asked else now


def _with_parameters_of(table: TableState, asked: Asked, combat: Asked) -> Asked:
    """Return a question about the target of the open combat, with the parameters of the open combat.

    If other hexes attack now, a parameter that makes the question invalid is dropped, unless the question states it.
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


def _ask_anew(table: TableState, now: TableState, asked: Asked) -> TableState:
    """Return the table with a new question.

    A question that is not a combat sets the open combat aside.

    `table`: the table before the line.
    `now`: the table with the facts of the line.
    """
    prompt = now.position.game.file.prompt
    combat = table.combat
    target = asked.parameters.get(prompt.target)
    is_combat = asked.question == prompt.ask and bool(target)
    chosen = _find_chosen_facts(table)
    if combat and asked.question in prompt.about and target == combat.asked.parameters.get(prompt.target):
        chosen |= combat.chosen
    return msgspec.structs.replace(
        now.with_question(asked),
        chosen=MappingProxyType(chosen),
        number=table.number + 1,
        numbered=(),
        aside=None if is_combat else combat,
    )


def _find_chosen_facts(table: TableState) -> dict[FactKey, str]:
    """Return the assumed facts that differ from the usual ones.

    Assumed parameters, which have no track, are left out, since they are for one combat only.
    """
    return {key: value for key, value in table.chosen.items() if key[0]}


def _resume_combat(table: TableState, now: TableState, asked: Asked, expansion: Expansion) -> TableState | None:
    """Return the table with the open combat resumed, or None if the line does not resume it.

    A line resumes it by asking about the same hexes without stating facts, or by adding hexes to a combat set aside.
    The dice stay if the same units are there.
    """
    combat = table.combat
    if expansion.asks_new_question:
        may_resume = not expansion.lines
    else:
        may_resume = table.aside is not None and asked.question == now.position.game.file.prompt.ask
    if combat is None or not may_resume:
        return None
    has_same_hexes = same_hexes(now.position, asked, combat.asked)
    if expansion.asks_new_question and not has_same_hexes:
        return None
    has_same_stacks = has_same_hexes and stacks_of(now.position, combat.asked) == combat.stacks
    answers = combat.answers if has_same_stacks else {}
    return msgspec.structs.replace(
        now.with_question(asked).with_answers(answers),
        chosen=MappingProxyType(_find_chosen_facts(table) | dict(combat.chosen)),
        number=combat.number,
        numbered=combat.numbered,
        aside=None,
    )


def find_dice_doubts(before: TableState, after: TableState) -> Iterator[str]:
    """Yield the doubtful effects of a line on the open combat after its dice were rolled, as questions.

    The line may drop the dice although the combat asks for more or changes facts; it may state the combat's own losses
    again; or it may withhold a unit. A line that begins another combat raises no question here.
    """
    combat = before.combat
    if combat is None or not _has_dice_still(before, after):
        return
    if loses_dice(before, after) and is_owed(before):
        yield f"not carried out: {combat.words}; `done` carries it out first; drop its dice"
    if stated := format_stated_again(before.position, after.position, combat):
        yield f"`done` enters what the battle itself costs; was this so before it: {stated}"
    withheld = [unit for unit in _list_withheld(after) if unit not in _list_withheld(before)]
    if withheld:
        units = ", ".join(withheld)
        yield f"the dice have been rolled, and losses are typed as what the unit lost; withhold {units}"


def _has_dice_still(before: TableState, after: TableState) -> bool:
    combat = before.combat
    now = after.combat
    return bool(combat and combat.answers and now and now.number == combat.number)


def find_aim_doubts(after: Position, stated_facts: Mapping[FactKey, Fact]) -> Iterator[str]:
    """Yield the units that, by a line, attack an unlikely hex, as questions.

    Unlikely is a hex of friendly units, and for a unit in a hex under attack the hex from which that attack comes.
    """
    game = after.game
    state = after.state
    targets, attackers = combat_hexes(after, after.asks[0] if after.asks else None)
    for (name, subject), fact in stated_facts.items():
        unit = state.units.get(subject)
        if name not in game.file.prompt.aims or unit is None:
            continue
        side = game.side_of_unit(unit, state.facts)
        units_there = state.stack(str(fact.value)) if side else ()
        friends = [other.id for other in units_there if game.side_of_unit(other, state.facts) == side]
        what = game.tracks[name].word(fact.value)
        if friends:
            yield f"units friendly to {unit.id} stand in {fact.value} ({', '.join(friends)}); {unit.id} {what}"
        elif unit.place in targets and fact.value in attackers:
            yield f"{unit.id} is attacked from {fact.value} now; does it attack that hex itself, {what}"


def find_text_doubts(before: Position, stated_facts: Mapping[FactKey, Fact]) -> Iterator[str]:
    """Yield the new texts, such as an army, that a line or an answer states of a unit, as questions.

    A text is new if neither the roster nor another unit has it; the first text of all is not.
    """
    for (name, unit), fact in stated_facts.items():
        known = list_known_texts(before, before.game.tracks[name], unit)
        if known and str(fact.value) not in ("", *known):
            what = f"no other unit has {name}={quoted(str(fact.value))}"
            yield f"{what}; known: {', '.join(known)}; accept it anyway"


def list_known_texts(position: Position, track: Track, subject: str) -> list[str]:
    """Return the texts of a track, such as armies, of other units of a unit's side, or none for other tracks.

    Units in play are included only in a position that hides nothing, those of the roster always.
    """
    game = position.game
    state = position.state
    if track.on != "unit" or track.kind != "text" or track.names:
        return []

    def side_of(unit: str) -> str:
        return game.side_of_unit(state.units.get(unit) or Unit(unit, game.type_of(unit), None), state.facts)

    values = {unit: facts.get(track.name, ()) for unit, facts in game.roster.items()}
    if not is_limited(state.seen_by):
        values |= {unit: [fact] for (name, unit), fact in state.facts.items() if name == track.name}
    sides = (side_of(subject), "")
    texts = set[str]()
    for unit, facts in values.items():
        if unit != subject and side_of(unit) in sides:
            texts |= {str(fact.value) for fact in facts}
    return sorted(texts - {""})


def loses_dice(before: TableState, after: TableState) -> bool:
    """Return whether the dice of the open combat no longer count after a line.

    That is so if other units stand in its hexes, other hexes attack, or the phase or turn has changed.
    """
    if not (_has_dice_still(before, after) and before.combat and after.combat):
        return False
    stacks = stacks_of(after.position, after.combat.asked)
    return leaves_moment(before.position, after.position, stated=False) or stacks != before.combat.stacks


def format_stated_again(before: Position, after: Position, combat: OpenCombat) -> str:
    """Return the facts that a line changes of the units in a combat, such as losses, or "" if it changes none."""
    changed = []
    for unit in dict.fromkeys(chain.from_iterable(combat.stacks.values())):
        for name, value in _find_changed_facts(unit, before, after.state):
            changed.append(f"{unit} {name} {before.game.tracks[name].write(value)}")
    return ", ".join(changed)


def _find_changed_facts(unit: str, before: Position, after: GameState) -> Iterator[tuple[str, Value]]:
    """Yield the facts of a unit that a line changed, except its identity and newly stated printed facts."""
    old_facts = before.state.facts_of.get(unit, {})
    identity = before.game.file.notation.identity
    for name, fact in after.facts_of.get(unit, {}).items():
        track = before.game.tracks[name]
        if name in identity or (track.printed and name not in old_facts):
            continue
        unstated_value = track.nothing if track.absent is None else track.absent
        if fact.value != (old_facts[name].value if name in old_facts else unstated_value):
            yield name, fact.value


def _list_withheld(table: TableState) -> list[str]:
    return list_named(table.combat.asked, table.position.game.file.prompt.without) if table.combat else []
