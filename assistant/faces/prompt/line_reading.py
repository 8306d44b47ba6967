"""A typed line as it is read at the table: the table after it, what of earlier lines stays, and what is asked first.

What is asked: whether dice may be dropped, losses are stated a second time, or a name that nothing else has is meant.
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
"""The maximum length of facts from earlier lines that are read back in full."""


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
    meant: str = ""
    """The line that was more likely meant, "" for none."""
    why: str = ""
    """Why that is more likely."""


def read_line(table: TableState, line: str) -> LineReading:
    """Return the table after a line of facts or a question.

    A new question starts without dice. A changed one keeps them, unless other units stand in its hexes or other hexes
    attack. Raises InputError for a line that is not understood.
    """
    expansion = expand_line(line, table.position, table.combat.asked if table.combat else None)
    now = _without_returned_units(table, _state_line(table, expansion))
    since = now.position.state.facts_since(table.position.state)
    _check_bounds(now.position, since)
    doubts = (
        *find_dice_doubts(table, now),
        *find_aim_doubts(now.position, since),
        *expansion.doubts,
        *dict.fromkeys(find_text_doubts(table.position, since)),
    )
    is_same = now.number == table.number and now.position.answers == table.position.answers
    if loses_dice(table, now):
        now = without_dice(now)
    if is_same and now.position.answers:
        _check_losses(table, expansion)
    was, state = table.position.state, now.position.state
    off = {name for name in state.compare_units(was).since if state.units[name].place is None} - {*expansion.off}
    leaving = {name: unit.place for name, unit in was.units.items() if name in off and unit.place} if off else {}
    words = [
        expansion.read,
        *_format_facts_left(table, expansion, now),
        *_format_hexsides_left(table, now, since),
        *_format_parameters_left(table, expansion, now),
    ]
    if expansion.lacks_sign:
        words.append("no combat: it has < between its hexes")
    return LineReading(now, "; ".join(words), leaving, doubts, expansion.meant, expansion.why)


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


def _format_facts_left(table: TableState, expansion: Expansion, now: TableState) -> Iterator[str]:
    """Yield what earlier lines state of units whose stack, or open combat, a line types again without it: losses, and
    in a combat each fact that silence does not mean; if that is long, only how many facts.
    """
    game = now.position.game
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
    facts_of = now.position.state.facts_of
    remaining = dict[FactKey, str]()
    for unit in units:
        for name, fact in facts_of.get(unit, {}).items():
            track = game.tracks[name]
            silent = track.nothing if track.absent is None else track.absent
            if name in varying and (name, unit) not in stated and fact.value != silent:
                remaining[name, unit] = f"{name} {fact.value}" if name == less else track.word(fact.value)
    is_short = sum(map(len, remaining.values())) <= _MAX_READ_BACK_CHARS
    shown = {key: word for key, word in remaining.items() if is_short or key[0] == less}
    of_units = dict[str, list[str]]()
    for (_, unit), word in sorted(shown.items(), key=lambda item: item[0][0] != less):
        of_units.setdefault(unit, [unit]).append(word)
    parts = [" ".join(unit_and_words) for unit_and_words in of_units.values()]
    others = len(remaining) - len(shown)
    if others:
        parts.append(f"{others} other facts about its units")
    if parts:
        yield f"still: {', '.join(parts)}"


def _format_hexsides_left(table: TableState, now: TableState, since: Mapping[FactKey, Fact]) -> Iterator[str]:
    """Yield what earlier lines state of a hexside about which a line states another fact. since: what the line states."""
    tracks = now.position.game.tracks
    before = table.position.state
    usual = now.position.game.file.prompt.usual
    state = now.position.state
    changed = dict.fromkeys(about for name, about in since if tracks[name].on == "hexside")
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
    asks = shown.report.asks if shown else ()
    for pending in asks:
        if pending.kind != "choice":
            continue
        # an option names one or several units, each perhaps with what of it is meant: `X:corps`
        names = [name for option in pending.options for name in option.split(",")]
        both = lost.intersection([*names, *(name.partition(":")[0] for name in names)])
        if both:
            example = f"choose by number or by names, such as {pending.options[0]}"
            units = ", ".join(sorted(both))
            raise InputError(
                f"the line states earlier losses, of {units}; asked for now: {pending.title}",
                hint=f"{example}; earlier losses are changed before the dice are rolled",
            )


def _check_bounds(now: Position, since: Mapping[FactKey, Fact]) -> None:
    """Raise InputError for a number that a line states and that is not below the one that bounds it, on the counter
    too: no unit has lost more steps than it has. since: what the line states.
    """
    view = View(now.game, now.state)
    tracks = now.game.tracks
    for (name, subject), fact in since.items():
        track = tracks[name]
        if track.below and track.on == "unit":
            most = view.fact(track.below, subject)
            if most is not None:
                check_bound(subject, track, fact, tracks[track.below], most)


def _state_line(table: TableState, expansion: Expansion) -> TableState:
    """Return the table after a line, with the dice of the question before unless it is a new one."""
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
        if expansion.anew and table.combat:
            asked = _with_parameters_of(now, asked, table.combat.asked)
        if resumed := _resume_combat(table, now, asked, expansion):
            return resumed
        if after.asks or expansion.anew:
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


def _ask_anew(table: TableState, now: TableState, asked: Asked) -> TableState:
    """Return the table with a new question; a further question sets the open combat aside."""
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
    """Return the facts that are assumed other than usual, without parameters, which are chosen for one combat only."""
    return {key: value for key, value in table.chosen.items() if key[0]}


def _resume_combat(table: TableState, now: TableState, asked: Asked, expansion: Expansion) -> TableState | None:
    """Return the table with the open combat, if a line asks about its hexes again without stating anything, or names
    more of them after another question; its dice count as long as the same units stand there.
    """
    combat = table.combat
    if expansion.anew:
        may_go_on = not expansion.lines
    else:
        may_go_on = table.aside is not None and asked.question == now.position.game.file.prompt.ask
    if combat is None or not may_go_on:
        return None
    is_same = same_hexes(now.position, asked, combat.asked)
    if expansion.anew and not is_same:
        return None
    counts = is_same and stacks_of(now.position, combat.asked) == combat.stacks
    answers = combat.answers if counts else {}
    return msgspec.structs.replace(
        now.with_question(asked).with_answers(answers),
        chosen=MappingProxyType(_find_chosen_facts(table) | dict(combat.chosen)),
        number=combat.number,
        numbered=combat.numbered,
        aside=None,
    )


def find_dice_doubts(before: TableState, after: TableState) -> Iterator[str]:
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
    withheld = [unit for unit in _list_withheld(after) if unit not in _list_withheld(before)]
    if withheld:
        units = ", ".join(withheld)
        yield f"the dice have been rolled, and losses are typed as what the unit lost; withhold {units}"


def _has_dice_still(before: TableState, after: TableState) -> bool:
    """Return whether the same combat is open after a line as before it, and its dice lay on the table."""
    combat = before.combat
    now = after.combat
    return bool(combat and combat.answers and now and now.number == combat.number)


def find_aim_doubts(after: Position, since: Mapping[FactKey, Fact]) -> Iterator[str]:
    """Yield the units that a line lets attack a hex in which friends stand, or that defend against that hex now, as
    questions. since: what the line states.
    """
    game = after.game
    state = after.state
    targets, attackers = combat_hexes(after, after.asks[0] if after.asks else None)
    for (name, subject), fact in since.items():
        unit = state.units.get(subject)
        if name not in game.file.prompt.aims or unit is None:
            continue
        side = game.side_of_unit(unit, state.facts)
        there = state.stack(str(fact.value)) if side else ()
        friends = [other.id for other in there if game.side_of_unit(other, state.facts) == side]
        what = game.tracks[name].word(fact.value)
        if friends:
            yield f"units friendly to {unit.id} stand in {fact.value} ({', '.join(friends)}); {unit.id} {what}"
        elif unit.place in targets and fact.value in attackers:
            yield f"{unit.id} is attacked from {fact.value} now; does it attack that hex itself, {what}"


def find_text_doubts(before: Position, since: Mapping[FactKey, Fact]) -> Iterator[str]:
    """Yield the texts that a line or an answer states of units, such as their army, and that neither the roster nor
    another unit has, where any has one, as questions. since: what the line or the answer states.
    """
    for (name, unit), fact in since.items():
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
        return game.side_of_unit(state.units.get(unit) or Unit(unit, game.type_of(unit), None), state.facts)

    values = {unit: facts.get(track.name, ()) for unit, facts in game.roster.items()}
    if not is_limited(state.seen_by):
        values |= {unit: [fact] for (name, unit), fact in state.facts.items() if name == track.name}
    sides = (side_of(about), "")
    texts = set[str]()
    for unit, facts in values.items():
        if unit != about and side_of(unit) in sides:
            texts |= {str(fact.value) for fact in facts}
    return sorted(texts - {""})


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
    changed = []
    for unit in dict.fromkeys(chain.from_iterable(combat.stacks.values())):
        for name, value in _find_changed_facts(unit, before, after.state):
            changed.append(f"{unit} {name} {before.game.tracks[name].write(value)}")
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
    return list_named(table.combat.asked, table.position.game.file.prompt.without) if table.combat else []
