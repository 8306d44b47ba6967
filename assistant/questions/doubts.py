"""What a verdict turns on: the facts in doubt, assumed ones and those of a drawn map, of which another value would
change it.

A question is asked again with other values of facts. Of a drawn map, which tells thousands, it names those that may
count (`InDoubt`); which of them change its decision alone is found by halves, which change it only together, and which
settle it, by `mechanics.settling`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ..mechanics.settling import NoRoomError, Settled, find_settling, least_part
from ..state.state import FactKey
from ..state.tracks import Fact, Source, Value
from ..util.errors import InputError, MachineError, PluginError
from ..util.limits import Limit
from .report import DEPENDS, Ask, MissingFacts, Report, Step, Verdict, ask_for_fact
from .view import View
from .wording import fact_text

if TYPE_CHECKING:
    from ..game.games import Game

ASKED = 200
"""How many facts of a drawn map a report asks for at most."""
NAMED, NAMED_TOGETHER = 5, 2
"""How many facts a verdict names that it turns on alone, and how many times some that it turns on together; the report
asks for all that settle it.
"""
_SHARE = 4
"""Which share of the limit a drawn map may take, which is weighed at every line that is typed; as much again is taken
for facts that change a decision only together.
"""
_LEAST = 5
"""How many values are tried even where there is no room."""
_TRIALS, _FEW = 8, 64
"""For how many trials there has to be room if many facts hold a decision, and how many are few."""
_SETS = 4
"""Of how many facts that hold a decision one set is expected that changes it."""

Values = Mapping[FactKey, Value]
"""Other values that facts may have."""
_NO_VALUES: Values = MappingProxyType({})
_NO_FACTS = frozenset[FactKey]()


class InDoubt(NamedTuple):
    """The facts of a drawn map that may change a decision, each with another value that it may have.

    worst: as long as these are as they are, the decision is no worse, whatever else is otherwise; the values are the
    worst. best: it is no better unless some of these are otherwise; the values are the best. Of both, those that count
    most come first; without any, facts that change the decision only together are not sought. at_once: whether these
    values may all be supposed at once. alone: those that may change the decision alone, in groups of which a decision
    that stays with all at once stays with each; nested: some of them in orders in which each takes away all that the
    next one does, and perhaps more, when it is otherwise.
    """

    worst: Values = _NO_VALUES
    best: Values = _NO_VALUES
    alone: Iterable[Values] = ()
    nested: Iterable[Sequence[FactKey]] = ()
    at_once: bool = True


Doubts = Callable[[View, Report[Any]], InDoubt | None]
"""Tells, from a view that may read more, on which facts of a drawn map a report may turn; None where the question
cannot tell.
"""


class Turn(NamedTuple):
    """A fact that a verdict turns on. why: another value than its own, and what follows from that, in words."""

    key: FactKey
    fact: Fact
    why: str


class Together(NamedTuple):
    """Facts that change a verdict only if all of them are otherwise. why: what follows then, in words."""

    keys: tuple[FactKey, ...]
    why: str


class Weighed(NamedTuple):
    """What a verdict turns on.

    left: how many facts of a drawn map were not tried, since there are too many; together: the facts that change it
    only together, as far as they were sought; settled: the facts that settle it, if that was sought; order: in which
    these are asked for.
    """

    turns: tuple[Turn, ...] = ()
    left: int = 0
    together: tuple[Together, ...] = ()
    settled: Settled[FactKey] | None = None
    order: tuple[FactKey, ...] = ()

    @property
    def keys(self) -> tuple[FactKey, ...]:
        """The facts that have to be looked up: those that settle the verdict, or those on which it turns."""
        alone = tuple(turn.key for turn in self.turns)
        more = self.settled.things.difference(alone) if self.settled else _NO_FACTS
        return tuple(dict.fromkeys((*alone, *(key for key in self.order if key in more), *sorted(more))))

    def verdict(self, view: View, verdict: Verdict) -> Verdict:
        """The verdict, undecided if it turns on anything; facts of which the same is to be said are named together."""
        if not self.keys or verdict.kind == "undecided":
            return verdict
        alike: dict[tuple[str, str], list[Turn]] = {}
        for turn in self.turns:
            alike.setdefault((turn.key[0], turn.why), []).append(turn)
        facts = [_in_words(view, turns) for turns in list(alike.values())[:NAMED]]
        if more := sum(map(len, list(alike.values())[NAMED:])):
            facts.append(f"{more} more")
        joint = sorted(self.together, key=lambda together: len(together.keys))
        sets = [_joint_in_words(view, together) for together in joint[:NAMED_TOGETHER]]
        doubtful = [fact for key in self.keys if (fact := view.fact(*key))]
        drawn = {fact.source is Source.DRAWN and not fact.assumed for fact in doubtful}
        known = "as drawn" if drawn == {True} else "as stated" if drawn == {False} else "as stated and drawn"
        named = {name: texts for name, texts in (("facts", facts), ("together", sets)) if texts}
        on = ", and on ".join(f"{{{name}}}" for name in named) or "{settling:#fact}"
        settling = {} if named else {"settling": len(self.keys)}
        figures = {"verdict": verdict.text, **named, **settling, "about": [list(key) for key in self.keys[:ASKED]]}
        return Verdict("undecided", f"undecided: {{verdict}} {known}{DEPENDS}{on}", figures)

    def asks(self, view: View) -> tuple[Ask, ...]:
        """How to settle the facts of a drawn map."""
        known = ((key, view.fact(*key)) for key in self.keys[:ASKED])
        return tuple(ask_for_drawn(view, key, fact) for key, fact in known if fact and fact.source is Source.DRAWN)

    def cautions(self, view: View) -> tuple[Step, ...]:
        """Whether the facts asked for settle it, and that not all facts of a drawn map were tried, if so."""
        cautions = []
        if self.keys and self.settled:
            words = settled_in_words(self.settled)
            asked = {"asked": ASKED} if len(self.keys) > ASKED else {}
            words += "; the first {asked} are asked for" if asked else ""
            cautions.append(Step("", words, {"settling": len(self.settled.things), **asked}))
        if self.left:
            about = {"left": self.left, "board": view.board.title}
            cautions.append(Step("", "too many to weigh: {left:#fact} of {board}", about))
        return tuple(cautions)


def weigh(
    view: View,
    report: Report[Any],
    decision: Callable[[Report[Any]], Hashable] | None,
    again: Callable[[View], Report[Any]],
    doubts: Doubts | None = None,
) -> Weighed:
    """The facts in doubt of which another value would change a decision.

    report: the answer as it stands; decision: what counts of a report, None if no value decides; again: asks a view the
    same question. Where the question does not tell on which facts of a drawn map it may turn, every value of every fact
    that was read is tried, as far as the limit allows: what is printed in the hexes that the report names first, and if
    there is too much of it, with a few values each, or one. Raises TooMuch if trying the assumed facts takes too long.
    """
    if decision is None:
        return Weighed()
    facts = {key: fact for key, fact in view.read.items() if view.in_doubt(fact)}
    assumed = {key: view.game.tracks[key[0]].alternatives(fact.value) for key, fact in facts.items() if fact.assumed}
    readings = sum(map(len, assumed.values())) * len(view.read)  # each value is tried by asking again
    if readings > Limit.DOUBTS.most:
        error = Limit.DOUBTS.error(f"weighing {len(assumed)} doubtful facts reads", readings)
        error.hint = f"state some of them without the question mark, or {error.hint}"
        raise error
    aside = view.unnoticed()
    share = Limit.DOUBTS.most // _SHARE
    trials = Trials(aside, decision(report), decision, again, share - readings)
    turns = [turn for key, values in assumed.items() for turn in trials.first(key, values)]
    drawn = {key: fact for key, fact in facts.items() if key not in assumed}
    in_doubt = doubts(aside, report) if doubts and drawn else None
    if doubts is None or in_doubt is None:
        return Weighed((*turns, *trials.weigh_each(drawn, report, len(view.read))), len(trials.left))
    turns += {turn.key: turn for turn in trials.weigh_alone(in_doubt, frozenset(assumed))}.values()
    if not (in_doubt.worst or in_doubt.best):
        return Weighed(tuple(turns), len(trials.left))
    return Joint(trials, report, doubts, in_doubt).weigh_together(turns, share, len(view.read))


class Trials:
    """A question asked again with other values of facts.

    decided: what counts of the answer as it stands; room: how many facts may be read for those of a drawn map; left:
    those that were not tried for want of room; made: how often it was asked again.
    """

    def __init__(
        self,
        view: View,
        decided: Hashable,
        decision: Callable[[Report[Any]], Hashable],
        again: Callable[[View], Report[Any]],
        room: int,
    ) -> None:
        self.view, self._decided, self._decision, self._again = view, decided, decision, again
        self.room, self.left = room, set[FactKey]()
        self.made = 0

    # --- asked again ---

    def consequence_of(self, others: Values) -> str:
        """What follows from other values of facts in words, "" if the decision stays."""
        try:
            supposed = self.view.supposing(others)
        except MachineError:
            raise
        except InputError:  # no position can have it, so it cannot be meant; of several, some may be
            return "" if len(others) == 1 else "?"
        changed = self.word_change(self.answer(supposed))
        supposed.forget()  # else what was made for each trial would stay until the last of them
        return changed

    def answer(self, supposed: View) -> Report[Any] | str:
        """The answer in another view, or why there is none."""
        self.made += 1
        try:
            return self._again(supposed)
        except PluginError:
            raise
        except InputError as error:
            return error.what
        except MissingFacts:
            return "more facts would be needed"
        finally:
            self.room -= len(supposed.read)

    def word_change(self, answer: Report[Any] | str) -> str:
        """What an answer says if it is another decision, "" if it is not."""
        if isinstance(answer, str):
            return answer
        return "" if self._decision(answer) == self._decided else answer.verdict.text

    def turn(self, key: FactKey, value: Value, then: str) -> Turn:
        """A fact that changes the decision with a value, and to what."""
        declared = self.view.game.tracks[key[0]]
        fact = self.view.fact(*key)
        assert fact is not None
        return Turn(key, fact, f"{declared.write(value)} instead of {declared.write(fact.value)}: {then}")

    def is_open(self, key: FactKey, value: Value, kept: Collection[FactKey]) -> bool:
        """Whether a fact is in doubt that has not this value, and not among those that are known."""
        fact = None if key in kept else self.view.fact(*key)
        return fact is not None and self.view.in_doubt(fact) and fact.value != value

    # --- value by value ---

    def first(self, key: FactKey, values: Sequence[Value]) -> Iterator[Turn]:
        """The first value of a fact that changes the decision; none if no value does."""
        for value in values:
            if then := self.consequence_of({key: value}):
                yield self.turn(key, value, then)
                return

    def weigh_each(self, facts: Mapping[FactKey, Fact], report: Report[Any], read: int) -> Iterator[Turn]:
        """Those of some facts that change the decision. read: how many facts the question reads."""
        tracks = self.view.game.tracks
        named = _hexes_named_in(report) if facts else set[str]()
        keys = sorted(facts, key=lambda key: (not named.issuperset(key[1].split("|")), tracks[key[0]].printed != "map"))
        others = {key: tracks[key[0]].alternatives(facts[key].value) for key in keys}
        room = max(self.room // max(read, 1), _LEAST)
        for most in (3, 1):
            if sum(map(len, others.values())) > room:
                others = {key: _spread(values, most) for key, values in others.items()}
        for key, values in others.items():
            room -= len(values)
            if room < 0:
                self.left.add(key)
            else:
                yield from self.first(key, values)

    # --- by halves ---

    def weigh_alone(self, in_doubt: InDoubt, kept: frozenset[FactKey]) -> Iterator[Turn]:
        """The facts of a drawn map that change the decision alone, in their order. kept: those that are known
        otherwise.
        """
        nested = [*in_doubt.nested]
        for group in in_doubt.alone:
            rest = {key: value for key, value in group.items() if self.is_open(key, value, kept)}
            chains = [[(key, rest.pop(key)) for key in keys if key in rest] for keys in nested]
            turns = {turn.key: turn for chain in chains for turn in self.weigh_chain(chain)}
            turns |= {turn.key: turn for turn in self.weigh_group(rest)}
            yield from (turns[key] for key in group if key in turns)

    def weigh_chain(self, chain: Sequence[tuple[FactKey, Value]]) -> Iterator[Turn]:
        """The facts of a chain that change the decision alone, each of which takes away what the next one does: between
        two that change it to the same all do.
        """
        known = dict[int, str]()
        todo = [range(len(chain))] if chain else []

        def why_of(number: int) -> str:
            if number not in known:
                known[number] = self.consequence_of(dict([chain[number]]))
            return known[number]

        while todo:
            numbers = todo.pop()
            if self.is_full():
                yield from (self.turn(*chain[number], known[number]) for number in numbers if known.get(number))
                self.left.update(chain[number][0] for number in numbers if number not in known)
            elif (why := why_of(numbers[0])) and why != why_of(numbers[-1]):
                half = len(numbers) // 2
                todo += numbers[half:], numbers[:half]
            elif why:
                yield from (self.turn(*chain[number], why) for number in numbers)

    def weigh_group(self, group: Values) -> Iterator[Turn]:
        """The facts of a group that change the decision alone: all are tried at once, and halves as long as that
        changes it.
        """
        todo = [[*group.items()]]
        dense = False  # where one fact changes it, the next ones often do: as along a railway
        while todo:
            values = todo.pop()
            half = len(values) // 2
            if self.is_full():
                self.left.update(key for key, _ in values)
            elif half and dense:
                todo += values[half:], values[:half]
            elif values and (then := self.consequence_of(dict(values))):
                if half:
                    todo += values[half:], values[:half]
                else:
                    dense = True
                    yield self.turn(*values[0], then)
            else:
                dense = False

    def is_full(self) -> bool:
        """Whether there is no room for more trials."""
        return self.room < 0 and self.made >= _LEAST


class Joint:
    """Seeks the facts that change a decision only together, and the fewest that settle it.

    trials: the question asked again; report: the answer as it stands; in_doubt: the facts on which it may turn.
    """

    def __init__(self, trials: Trials, report: Report[Any], doubts: Doubts, in_doubt: InDoubt) -> None:
        self.trials, self.report, self.doubts, self.in_doubt = trials, report, doubts, in_doubt
        self.sets: list[tuple[Values, str]] = []  # what changes the decision, with what follows from it
        self.all_room, self.made, self.others = trials.room, trials.made, 0

    def weigh_together(self, turns: Sequence[Turn], room: int, read: int) -> Weighed:
        """What the decision turns on.

        turns: the facts that change it alone; room: how many facts may be read to seek the others; read: how many the
        question reads. If few trials would take all the room, and many facts hold the decision, none is made: then all
        these settle it, and perhaps fewer do.
        """
        in_doubt, trials = self.in_doubt, self.trials
        is_much = _TRIALS * read > room
        self.all_room = trials.room = min(room, read) if is_much else room
        alone = [turn.key for turn in turns]
        both = (*in_doubt.worst.items(), *in_doubt.best.items())
        enough = {*alone, *(key for key, value in both if trials.is_open(key, value, _NO_FACTS))}
        self.others = len(enough) - len(alone)  # that hold the decision, without those that change it alone
        if in_doubt.at_once and (not is_much or len(enough) <= _FEW):
            settled = find_settling(self.seek, self.is_certain, [[key] for key in alone], enough)
        else:
            settled = Settled(frozenset(enough), len(enough) == len(alone), ())
        more = (trials.turn(*item, why) for values, why in self.sets for item in values.items() if len(values) == 1)
        together = tuple(Together(tuple(values), why) for values, why in self.sets if len(values) > 1)
        left = 0 if settled.complete else len(trials.left)
        return Weighed((*turns, *more), left, together, settled, (*in_doubt.worst, *in_doubt.best))

    def seek(self, kept: frozenset[FactKey]) -> frozenset[FactKey] | None:
        """Facts without some that are known, which change the decision together while no part of them does; None if
        there are none.
        """
        self.check_hope()
        values, idle = self.worse(kept)
        values = values or self.better(kept)
        if not values:
            return None
        whys = dict[frozenset[FactKey], str]()

        def changes(some: Sequence[tuple[FactKey, Value]]) -> bool:
            others = dict(some)
            whys[frozenset(others)] = why = self.consequence_of(others)
            return bool(why)

        least = dict(least_part([*values.items()], changes, idle))
        self.sets.append((least, whys.get(frozenset(least)) or self.consequence_of(least)))
        return frozenset(least)

    def is_certain(self, kept: frozenset[FactKey]) -> bool:
        """Whether the decision stays whatever all facts but those that are known may be."""
        return not self.worse(kept)[0] and not self.better(kept)

    def worse(self, kept: frozenset[FactKey]) -> tuple[Values, int]:
        """Facts that make the decision worse at their worst: those that hold it up, and, while it stays, those that do
        then; and how many of the first do not yet.
        """
        supposed = dict[FactKey, Value]()
        view = self.trials.view
        worst = self.in_doubt.worst
        while new := {
            key: value for key, value in worst.items() if key not in supposed and self.trials.is_open(key, value, kept)
        }:
            supposed |= new
            view = self.trials.view.supposing(supposed)
            answer = self.trials.answer(view)
            self.check_room()
            if isinstance(answer, str) or self.trials.word_change(answer):
                return supposed, len(supposed) - len(new)
            in_doubt = self.doubts(view, answer)
            worst = in_doubt.worst if in_doubt else {}
        return {}, 0

    def better(self, kept: frozenset[FactKey]) -> Values:
        """Facts that make the decision better at their best."""
        best = self.in_doubt.best.items()
        supposed = {key: value for key, value in best if self.trials.is_open(key, value, kept)}
        return supposed if supposed and self.consequence_of(supposed) else {}

    def consequence_of(self, others: Values) -> str:
        """What follows from other values of facts in words, "" if the decision stays."""
        then = self.trials.consequence_of(others)
        self.check_room()
        return then

    def check_hope(self) -> None:
        """Raise NoRoomError once some are found and there would be no room to seek one for a fair share of the facts
        that hold the decision: to narrow down a pair of so many takes twice as many trials as that can be halved, if it
        is not among the first.
        """
        done = len(self.sets)
        spent = self.all_room - self.trials.room
        pair = 2 * self.others.bit_length() * spent / max(self.trials.made - self.made, 1)
        each = max(spent / max(done, 1), pair)
        if done >= NAMED_TOGETHER and each * self.others / _SETS > self.all_room:
            raise NoRoomError

    def check_room(self) -> None:
        """Raise NoRoomError once too much has been read."""
        if self.trials.room < 0:
            raise NoRoomError


# --- in words ---------------------------------------------------------------------------------------------------------


def settled_in_words(settled: Settled[FactKey]) -> str:
    """The template for how far some facts settle an answer."""
    if not settled.complete:
        return "it may depend on more than {settling:#fact}: there are too many doubts to weigh together"
    fewer = "no fewer do" if settled.least else "fewer may do"
    return "{settling:#fact} settle it if they are as stated; " + fewer


def _in_words(view: View, turns: Sequence[Turn]) -> str:
    """Facts of one track of which the same is to be said: the first, how many more, and what follows from another
    value.
    """
    track, subject = turns[0].key
    more = f" and {len(turns) - 1} more" if len(turns) > 1 else ""
    return f"{fact_text(view.game.track(track).title, subject + more)} ({turns[0].why})"


def _joint_in_words(view: View, joint: Together) -> str:
    """Facts of which another value counts only if all of them have another one."""
    (track, subject), *others = joint.keys
    texts = [fact_text(view.game.track(name).title, about) for name, about in others]
    more = texts[0] if len(texts) == 1 else f"{len(texts)} more"
    return f"{fact_text(view.game.track(track).title, subject)}, together with {more} ({joint.why})"


def ask_for_drawn(view: View, key: FactKey, fact: Fact) -> Ask:
    """What to ask the owner of the map for, where it is only drawn."""
    track, subject = key
    declared = view.game.track(track)
    return msgspec.structs.replace(ask_for_fact(declared, subject), drawn=declared.write(fact.value))


def is_kept(game: Game, asked: Ask) -> bool:
    """Whether what a report asks for is a fact of a drawn map that the printed map shows, so that its owner's pack
    keeps it.
    """
    return bool(asked.drawn) and game.track(str(asked.key[0])).printed == "map"


def _spread(values: tuple[Value, ...], most: int) -> tuple[Value, ...]:
    """So many of the values at most, from all over their list; one alone is the middle one."""
    if most == 1:
        return values[len(values) // 2 :][:1]
    return tuple(values[number * len(values) // most] for number in range(most)) if len(values) > most else values


def _hexes_named_in(report: Report[Any]) -> set[str]:
    """The hexes that a report names, among other words, hexsides by their hexes."""
    steps: list[Step | Verdict] = [report.verdict, *(step for part in report.parts for step in part.steps)]
    figures = (figure for step in steps for figure in step.figures.values())
    words = (word for figure in figures for word in (figure if isinstance(figure, list | tuple) else [figure]))
    return {part for word in words if isinstance(word, str) for part in word.split("|")}
