"""The table between two typed lines, and its next one after a line: plain values, so that undo restores the last one.

Facts that a question needs and that are not stated get the game's usual values, as assumptions: they never become part
of the position, each answer lists them, and each can be changed or stated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

import msgspec

from ..formats.notation import read_on
from ..formats.positions import Asked, Position
from ..questions.report import Ask, Report, asked_in_words
from ..questions.view import View
from ..service import ask
from ..state.changes import Entry, Journal
from ..state.sources import Fact
from ..state.state import FactKey
from ..state.tracks import check_bound, flip_track
from ..util.console import bar
from ..util.errors import InputError, suggested
from ..util.texts import natural
from .combats import (
    Combat,
    back_in_combat,
    check_sides,
    leaves_moment,
    same_hexes,
    same_target,
    stacks_of,
    taken_over,
    with_units_again,
)
from .doubts import Fought, aimed_wrong, doubts, loses_dice
from .shorthand.abbreviations import Abbreviations, one_of
from .shorthand.expansion import Expansion, expand
from .shorthand.questions import in_few_words

_LONGEST = 80
"""How many letters long what an earlier line has said of units may be to be told whole."""


class Assumption(msgspec.Struct, frozen=True):
    """An assumption: a fact by its track and subject, or a parameter by "" and its name.

    value, words: the assumed value, by itself and as a statement; decisive: whether the answer depends on it; number:
    by which it is changed.
    """

    key: FactKey
    value: str
    words: str
    decisive: bool = False
    number: int = 0


class Shown(msgspec.Struct, frozen=True):
    """An answer: the report, the position and question it answers, with the assumptions added to them."""

    report: Report[Any]
    position: Position
    asked: Asked
    assumed: tuple[Assumption, ...] = ()

    @property
    def answers(self) -> tuple[str, ...]:
        """The verdict in words, after the answer as seen where something may be hidden."""
        return self.report.answers if self.report.as_seen else (self.verdict,)

    @property
    def verdict(self) -> str:
        """The verdict in words, provided that the assumptions hold."""
        verdict = self.report.verdict
        return str(verdict.figures.get("verdict", verdict.text))


class Table(msgspec.Struct, frozen=True):
    """The state of the table.

    position: with the current question and its dice; chosen: assumptions other than the usual; journal: what was
    carried out; number: of the current question; changing a question does not count; numbered: the assumptions of the
    current question in the order of their numbers, which they keep as long as it is asked; aside: the combat that the
    current question has set aside; line: what was typed to lay it, in few words.
    """

    position: Position
    chosen: Mapping[FactKey, str] = MappingProxyType({})
    journal: Journal = Journal()
    number: int = 0
    numbered: tuple[FactKey, ...] = ()
    aside: Combat | None = None
    line: str = ""

    @property
    def asked(self) -> Asked | None:
        """The current question."""
        return self.position.asks[0] if self.position.asks else None

    @property
    def combat(self) -> Combat | None:
        """The combat that is open: the current question, or the one that it has set aside."""
        asked, usual = self.asked, self.position.game.file.table
        if asked is None or usual is None or asked.question != usual.ask:
            return self.aside
        if not asked.parameters.get(usual.target):
            return self.aside  # asked for without its hex
        chosen = {key: value for key, value in self.chosen.items() if not key[0]}
        stacks = stacks_of(self.position, asked)
        return Combat(asked, self.position.answers, chosen, self.numbered, self.number, stacks)

    def asking(self, asked: Asked | None) -> Table:
        """The table with another question, or the same with other parameters, and the same dice."""
        return msgspec.structs.replace(
            self, position=msgspec.structs.replace(self.position, asks=(asked,) if asked else ())
        )

    def answering(self, answers: Mapping[str, str]) -> Table:
        """The table with these dice and choices for the current question."""
        return msgspec.structs.replace(self, position=msgspec.structs.replace(self.position, answers=answers))


def typed(table: Table, line: str) -> Table:
    """The table after a line of facts or a question.

    A new question starts without dice. A changed one keeps them, unless other units stand in its hexes or other hexes
    attack. Raises InputError for a line that is not understood.
    """
    return read_line(table, line).table


class Read(msgspec.Struct, frozen=True):
    """A line that was read: the table after it; how it was understood, in few words; the units that leave the map
    without being named, with the place that each leaves; what else is asked about first.
    """

    table: Table
    words: str
    leaving: Mapping[str, str] = MappingProxyType({})
    doubts: tuple[str, ...] = ()


def read_line(table: Table, line: str) -> Read:
    """What a line makes of the table. Raises as `typed` does."""
    said = expand(line, table.position, table.combat.asked if table.combat else None)
    now = _withholding(table, _after(table, said))
    _check_bounds(table.position, now.position)
    here, there = Fought(table.position, table.combat), Fought(now.position, now.combat)
    gone = loses_dice(here, there)
    asked_first = (
        *doubts(here, there, owed=gone and is_owed(table)),
        *aimed_wrong(table.position, now.position),
        *said.doubts,
    )
    same = now.number == table.number and now.position.answers == table.position.answers
    if gone:
        now = _without_dice(now)
    if same and now.position.answers:
        _check_losses(table, said)
    units = now.position.state.units
    leaving = {
        unit.id: unit.place
        for unit in table.position.state.units.values()
        if unit.place and unit.id in units and units[unit.id].place is None and unit.id not in said.off
    }
    left = (*_still(table, said, now), *_still_between(table, now), *_parameters_left(table, said, now))
    words = "; ".join([said.read, *left])
    return Read(now, words, leaving, asked_first)


def _withholding(table: Table, now: Table) -> Table:
    """The table after a line with the units in the open combat again that the line has brought back to it."""
    usual, combat = now.position.game.file.table, table.combat
    withheld = str(combat.asked.parameters.get(usual.without, "")) if usual and combat else ""
    if not (usual and withheld):
        return now

    def again(asked: Asked) -> Asked:
        units = back_in_combat(table.position, now.position, asked, withheld)
        return msgspec.structs.replace(asked, parameters=with_units_again(asked.parameters, usual.without, units))

    if now.asked and now.asked.question in usual.about:
        now = now.asking(again(now.asked))
    if now.aside:
        now = msgspec.structs.replace(now, aside=msgspec.structs.replace(now.aside, asked=again(now.aside.asked)))
    return now


def _without_dice(table: Table) -> Table:
    """The table with the open combat without its dice, be it set aside or not."""
    if table.aside is None:
        return table.answering({})
    return msgspec.structs.replace(table, aside=msgspec.structs.replace(table.aside, answers={}))


def is_owed(table: Table) -> bool:
    """Whether the open combat asks for more than its dice so far, or changes something that is not carried out."""
    combat = table.combat
    try:
        shown = look(table.asking(combat.asked).answering(combat.answers)) if combat else None
    except InputError:  # what has been stated since it was set aside leaves it no answer
        return True
    return shown is not None and bool(shown.report.asks or shown.report.changes)


def _still(table: Table, said: Expansion, now: Table) -> Iterator[str]:
    """What holds of units by earlier lines, if a line types their stack, or the open combat, again without stating it:
    what they have lost and, in a combat, what else they are not by themselves; where that is much only how much it is.
    """
    game, facts_of = now.position.game, now.position.state.facts_of
    less = game.file.picture.less
    fights = said.anew and said.lines and table.combat
    if fights and table.combat and same_target(now.position, now.asked, table.combat.asked):
        units = [*chain.from_iterable(stacks_of(now.position, now.asked).values())]
        varying = {name for name, track in game.tracks.items() if track.on == "unit" and not track.printed}
    else:
        units, varying = [*said.described], {less} - {""}
    if not (units and varying):
        return
    stated = _stated_of_units(table, said, varying)
    kept = dict[FactKey, str]()
    for unit in units:
        for name, fact in facts_of.get(unit, {}).items():
            track = game.tracks[name]
            silent = track.nothing if track.absent is None else track.absent
            if name in varying and (name, unit) not in stated and fact.value != silent:
                kept[name, unit] = f"{name} {fact.value}" if name == less else track.word(fact.value)
    is_short = sum(map(len, kept.values())) <= _LONGEST
    told = dict[str, list[str]]()
    for (name, unit), word in sorted(kept.items(), key=lambda item: item[0][0] != less):
        if is_short or name == less:
            told.setdefault(unit, []).append(word)
    left = len(kept) - sum(map(len, told.values()))
    words = [" ".join([unit, *words]) for unit, words in told.items()]
    if kept:
        yield f"still: {', '.join([*words, *([f'{left} other facts of its units'] if left else [])])}"


def _still_between(table: Table, now: Table) -> Iterator[str]:
    """What else lies on a hexside of which a line states a fact, by earlier lines."""
    tracks, before, usual = now.position.game.tracks, table.position.state, now.position.game.file.table
    for side, facts in now.position.state.facts_of.items():
        there = {name: fact for name, fact in facts.items() if tracks[name].on == "hexside"}
        old = before.facts_of.get(side, {}) if there else {}
        if there and any(fact != old.get(name) for name, fact in there.items()):
            kept = [name for name, fact in there.items() if fact == old.get(name)]
            values = {name: tracks[name].write(there[name].value) for name in kept}
            silent = {
                name: (tracks[name].write(tracks[name].nothing), usual.usual.get(name) if usual else "")
                for name in kept
            }
            lies = [tracks[name].word(there[name].value) for name in kept if values[name] not in silent[name]]
            if lies:
                yield f"still: {side} {' '.join(lies)}"


def _parameters_left(table: Table, said: Expansion, now: Table) -> Iterator[str]:
    """Which parameters of the open combat hold on, and which do not, if a line types that combat again or adds hexes to
    it without giving them; after any other line that touches it, which units it withholds.
    """
    usual, combat, after = now.position.game.file.table, table.combat, now.combat
    if not (usual and combat and after) or not same_target(now.position, after.asked, combat.asked):
        return
    typed_now = said.asked.parameters if said.anew and said.asked else said.typed
    told = [name for name in combat.asked.parameters if name not in (usual.target, usual.attackers, *typed_now)]
    if not (said.asked and said.asked.question == usual.ask and (said.anew or usual.attackers in said.typed)):
        told = [
            name for name in told if name == usual.without and _touches(table.position, now.position, combat, after)
        ]
    before, left = combat.asked.parameters, after.asked.parameters
    kept = {name: left[name] for name in told if name in left}
    gone = {name: before[name] for name in told if before[name] != left.get(name)}
    if usual.without in gone:
        gone |= with_units_again(
            {usual.without: before[usual.without]}, usual.without, left.get(usual.without, "").split(",")
        )
    for what, named in (("still", kept), ("dropped", gone)):
        if named:
            yield in_few_words(f"{what}:", named)


def _touches(was: Position, now: Position, before: Combat, after: Combat) -> bool:
    """Whether a line states another moment of the game, or changes the parameters of the open combat, its stacks, or a
    fact of its units, hexes or hexsides.
    """
    if leaves_moment(was, now) or before.asked != after.asked or before.stacks != after.stacks:
        return True
    about = {*after.stacks, *chain.from_iterable(after.stacks.values())}
    changed = {subject for (_, subject), _ in was.state.facts.items() ^ now.state.facts.items()}
    return any(about.intersection((subject, *subject.split("|"))) for subject in changed)


def _stated_of_units(table: Table, said: Expansion, tracks: Collection[str]) -> set[FactKey]:
    """The facts of these tracks of units that a line states."""
    position = table.position
    kept = {key: fact for key, fact in position.state.facts.items() if key[0] not in tracks}
    bare = position.with_state(msgspec.structs.replace(position.state, facts=MappingProxyType(kept)))
    after = read_on("\n".join(said.lines), msgspec.structs.replace(bare, asks=(), answers={}))
    return {key for key in after.state.facts if key[0] in tracks}


def _check_losses(table: Table, said: Expansion) -> None:
    """Raise InputError for a line that states what a unit has lost, be it by its other side, while its owner's choice
    may give it a loss: the line replaces older losses and answers nothing.
    """
    flips = flip_track(table.position.game.tracks)
    by_loss = {table.position.game.file.picture.less, flips.name if flips else ""} - {""}
    if not (by_loss and said.lines):
        return
    lost = {unit for _, unit in _stated_of_units(table, said, by_loss)}
    shown = look(table) if lost else None
    for owed in shown.report.asks if shown else ():
        if owed.kind == "choice" and (named := lost & {name for one in owed.options for name in _units_in(one)}):
            hint = f"choose by number or by names, such as {owed.options[0]}; older losses are changed before the dice"
            what = f"a line states older losses, here of {', '.join(sorted(named))}; asked for now: {owed.title}"
            raise InputError(what, hint=hint)


def _units_in(option: str) -> Iterator[str]:
    """The units that an option of a choice may name: one or several, each perhaps with what of it is meant, `X:corps`."""
    for name in option.split(","):
        yield from (name, name.partition(":")[0])


def _check_bounds(before: Position, now: Position) -> None:
    """Raise InputError for a number that a line states and that is not below the one that bounds it, on the counter
    too: no unit has lost more steps than it has.
    """
    view, tracks = View(now.game, now.state), now.game.tracks
    for (name, subject), fact in now.state.facts.items():
        track = tracks[name]
        if track.below and track.on == "unit" and fact != before.state.facts.get((name, subject)):
            most = view.fact(track.below, subject)
            if most is not None:
                check_bound(subject, track, fact, tracks[track.below], most)


def _after(table: Table, said: Expansion) -> Table:
    """The table after a line, with the dice of the question before unless it is a new one."""
    before = table.position
    after = msgspec.structs.replace(before, asks=(), answers={})
    after = read_on("\n".join(said.lines), after) if said.lines else after
    now = msgspec.structs.replace(
        table, position=msgspec.structs.replace(after, asks=before.asks, answers=before.answers)
    )
    if said.off:
        units = {name: msgspec.structs.replace(after.state.units[name], place=None) for name in said.off}
        state = msgspec.structs.replace(after.state, units=MappingProxyType({**after.state.units, **units}))
        now = msgspec.structs.replace(now, position=now.position.with_state(state))
    asked = after.asks[-1] if after.asks else said.asked
    check_sides(now.position, asked)
    if asked and said.anew and table.combat:
        asked = _taken_over(now, asked, table.combat.asked)
    if asked and (resumed := _resumed(table, now, asked, said)):
        return resumed
    if asked and (after.asks or said.anew):
        return _anew(table, now, asked).answering(after.answers)
    if said.lines and after.answers:
        return now.answering({**before.answers, **after.answers})
    return now.asking(asked) if asked else now


def _taken_over(table: Table, asked: Asked, combat: Asked) -> Asked:
    """A question about the open combat's hex with its parameters; where other hexes attack, without those that do not
    suit them.
    """
    whole = taken_over(table.position, asked, combat)
    if whole == asked or same_hexes(table.position, asked, combat):
        return whole
    while True:
        try:
            look(table.asking(whole).answering({}))
            return whole
        except InputError as error:
            name, colon, _ = error.what.partition(": ")
            wrong = next((one for one in whole.parameters if one.replace("_", "-") == name), "")
            if not colon or not wrong or wrong in asked.parameters:
                return whole
            left = {one: value for one, value in whole.parameters.items() if one != wrong}
            whole = msgspec.structs.replace(whole, parameters=left)


def _anew(table: Table, now: Table, asked: Asked) -> Table:
    """The table with a new question; a further question sets the open combat aside."""
    usual = now.position.game.file.table
    aside = None if usual and asked.question == usual.ask and asked.parameters.get(usual.target) else table.combat
    about = table.combat if usual and asked.question in usual.about else None
    same = about and usual and asked.parameters.get(usual.target) == about.asked.parameters.get(usual.target)
    # a parameter is chosen for one combat only
    chosen = {
        **{key: value for key, value in table.chosen.items() if key[0]},
        **(about.chosen if about and same else {}),
    }
    return msgspec.structs.replace(
        now.asking(asked), chosen=MappingProxyType(chosen), number=table.number + 1, numbered=(), aside=aside
    )


def _resumed(table: Table, now: Table, asked: Asked, said: Expansion) -> Table | None:
    """The table with the open combat, if a line asks about its hexes again without stating anything, or names more of
    them after another question; its dice count as long as the same units stand there.
    """
    combat, usual = table.combat, now.position.game.file.table
    more = not said.anew and table.aside is not None and usual is not None and usual.ask == asked.question
    if combat is None or not (more or (said.anew and not said.lines)):
        return None
    same = same_hexes(now.position, asked, combat.asked)
    if not (same or more):
        return None
    answers = combat.answers if same and stacks_of(now.position, combat.asked) == combat.stacks else {}
    chosen = {**{key: value for key, value in table.chosen.items() if key[0]}, **combat.chosen}
    return msgspec.structs.replace(
        now.asking(asked).answering(answers),
        chosen=MappingProxyType(chosen),
        number=combat.number,
        numbered=combat.numbered,
        aside=None,
    )


def look(table: Table) -> Shown | None:
    """The answer to the current question, None if there is none.

    Raises InputError for invalid parameters, dice or choices.
    """
    if table.asked is None:
        return None
    position, asked = table.position, table.asked
    assumed: dict[FactKey, Assumption] = {}
    while True:
        report = ask(msgspec.structs.replace(position, asks=(asked,)), asked, watch=bar)
        more = {found.key: found for ask in report.asks if (found := _usual(table, ask)) and found.key not in assumed}
        if not more:
            break
        assumed |= more
        tracks = position.game.tracks
        facts = {key: Fact(tracks[key[0]].parse(one.value), assumed=True) for key, one in more.items() if key[0]}
        state = msgspec.structs.replace(position.state, facts=MappingProxyType({**position.state.facts, **facts}))
        position = position.with_state(state)
        named = {key[1]: one.value for key, one in more.items() if not key[0]}
        asked = msgspec.structs.replace(asked, parameters={**asked.parameters, **named})
    decisive = [tuple(key) for key in report.verdict.figures.get("about", ())]
    marked = [msgspec.structs.replace(one, decisive=one.key in decisive) for one in assumed.values()]
    in_order = sorted(marked, key=lambda one: (not one.decisive, bool(one.key[0])))
    keys = numbered(table, [one.key for one in in_order])
    return Shown(
        report,
        position,
        asked,
        tuple(msgspec.structs.replace(one, number=keys.index(one.key) + 1) for one in in_order),
    )


def numbered(table: Table, keys: Iterable[FactKey]) -> tuple[FactKey, ...]:
    """The assumptions of the current question in the order of their numbers, with further ones behind those that have
    one.
    """
    return tuple(dict.fromkeys([*table.numbered, *keys]))


def _usual(table: Table, ask: Ask) -> Assumption | None:
    """The assumption for something asked for, None if the game names no usual value."""
    usual = table.position.game.file.table
    if usual is None or ask.kind not in ("fact", "parameter"):
        return None
    if ask.kind == "parameter" and (table.asked is None or table.asked.question not in usual.about):
        return None
    key = (str(ask.key[0]), str(ask.key[1])) if ask.key else ("", ask.name)
    listed = usual.usual.get(key[0] or key[1], "")
    value = table.chosen.get(key) or (listed if isinstance(listed, str) else listed[0])
    return Assumption(key, value, in_words(table, key, value)) if value else None


def in_words(table: Table, key: FactKey, value: str) -> str:
    """A value that is taken for granted, as a statement."""
    name, subject = key
    track = table.position.game.tracks.get(name)
    return track.how_to_state(subject, track.parse(value)) if track else f"{subject}={value}"


def choose(table: Table, assumption: Assumption, word: str = "") -> Table:
    """The table with another value assumed: the one named, perhaps abbreviated, or the next one.

    Raises InputError for a value that is not allowed.
    """
    (name, subject), usual = assumption.key, table.position.game.file.table
    track = table.position.game.tracks[name] if name else None
    listed = usual.usual.get(subject, ()) if usual else ()
    if track:
        values: Sequence[str] = [track.write(value) for value in track.in_turn()] or track.values
    else:
        values = [listed] if isinstance(listed, str) else listed
    if word:
        begun = [one for one in values if one.casefold().startswith(word.casefold())]
        chosen = one_of(word, begun) or word
        chosen = track.write(track.parse(Abbreviations(table.position).value(track, chosen))) if track else chosen
    elif not values:
        raise InputError(f"{assumption.words} has no next value", hint="type one after its number")
    else:
        at = values.index(assumption.value) if assumption.value in values else -1
        chosen = values[(at + 1) % len(values)]
    return msgspec.structs.replace(table, chosen=MappingProxyType({**table.chosen, assumption.key: chosen}))


def carried_out(table: Table) -> Table:
    """The table after the changes of the answer, which the journal records; the question is closed.

    Raises InputError if there are no changes yet.
    """
    shown = look(table)
    if shown is None or not shown.report.changes:
        hint = "the answer changes nothing in the position" if shown else ""
        if shown and shown.report.asks:
            hint = f"answer this first: {asked_in_words(shown.report.asks[0])}"
        raise InputError("there is nothing to carry out", hint=hint)
    position, usual = table.position, table.position.game.file.table
    when = str(position.state.value(usual.when) or "") if usual and usual.when else ""
    entry = Entry(when, f"{shown.report.title}: {shown.verdict}", shown.report.changes)
    return msgspec.structs.replace(
        table, position=position.after(shown.report.changes), journal=table.journal.add(entry), numbered=()
    )


def pick(assumed: tuple[Assumption, ...], number: str) -> Assumption:
    """The assumption with a number. Raises InputError if there is none."""
    chosen = natural(number)
    found = next((one for one in assumed if one.number == chosen), None)
    if found is None:
        known = [str(number) for number in sorted(one.number for one in assumed)]
        raise InputError(f"there is no assumption ?{number}", hint=suggested("", known))
    return found
