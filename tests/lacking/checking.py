"""Positions of every game with each question that can be asked of them, once as they are and once without some of their facts:
`make explore WHAT=lacking`.

What is removed is not known afterwards. The verdict then has to be undecided, to say that its figure is a bound or what is not
known, to list what it newly assumes, or to be the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

import assistant
from assistant.asking.question import TAKEN_FOR_GRANTED
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.asking.wording import figure_names
from assistant.formats.notation import read_notation
from assistant.formats.positions import Asked, Position
from assistant.game.schedule_files import read_schedules
from assistant.installed.registry import load_game, questions_of
from assistant.records.referee.files import parse_suite
from assistant.rules.due import WhatIsDue
from assistant.rules.phase_now import UNSETTLED
from assistant.service import ask
from assistant.state.state import FactKey
from assistant.util.errors import InputError

from ..comparing.search import Search
from ..referee.__main__ import MODULES, begin_suites
from ..referee.keeping import FOLDER

ROOT = Path(__file__).parents[2]
OPEN = re.compile(
    r"at least|at most|not known|not stated|not certain|depends on|unknown|is missing|are missing|[1-9]\d* to be checked"
)
"""Words by which a verdict says that it is not whole."""
MOMENT = ("turn", "phase", "phasing", "campaign", "scenario")
"""What tells the moment: a position that does not state it is asked about as if it were the right one."""
NOT_HAPPENED = ("plan", "headquarters-lost")
"""Tracks of what has not happened while nothing is stated, beside those that name the turn in which something did."""
USUAL = "if not stated"
"""How the note of a track begins to say what holds while nothing is stated."""
WHOLE = ("whole-network", "complete")
"""Tracks by which players say that they have stated all ways, so that one that is not stated is not there."""
LEADS_ON = "linked"
"""The track that says where one of these ways leads on."""
NEVER = ("check", "scenario")
"""Questions about what is stated."""
OF_PHASES = ("turn", "next")
"""Questions about what a phase owes: besides their figures, the names of the steps are compared."""
BOOKS = """game der-weltkrieg
turn=mar16/3
nation french replacements-counted=43
nation austro-hungarian rotation=17
nation bulgarian headquarters=2 sp=30
nation serbian headquarters=1 sp=25
nation romanian enters=feb16/1 headquarters=1 sp=12
ask due who=french until=jul16/7
ask due who=french turn=jan16/1 until=mar16/2
ask due who=austro-hungarian
ask due who=austro-hungarian turn=feb16/1 until=apr16/7
ask due who=german turn=jan16/1
ask due turn=feb16/4
ask caps who=bulgarian
ask caps who=serbian
ask caps who=romanian
ask caps
"""
"""What a player keeps without a journal: counters of replacements, and Headquarters, of which the examples state nothing."""
BESIDE = ("reasons", "cost", "source", "mode", "line")
"""Figures that a verdict of yes or no has beside what it decides: how many reasons there are against it, and by which of several
lines a unit is supplied.
"""
DRAWS = 50
"""How many positions are drawn for a case until one has something that can be removed."""
MOST = 40
"""How many cases of each of the referee's suites are made in a long run."""


FOUND = "with those that come, at least"
"""What the working says of an attack by units that come: it is the worst that was found, and another may be worse."""


class Fault(NamedTuple):
    """A verdict that looks whole and is another one than with all facts."""

    base: str
    asked: str
    removed: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.base}: {self.asked}, without {self.removed}:\n  before: {self.before}\n  after:  {self.after}"


# --- positions --------------------------------------------------------------------------------------------------------


@cache
def bases(seed: int | None = None) -> tuple[tuple[str, str], ...]:
    """The texts of positions by their names: the examples of each game, books without a journal, and cases of the referee's
    suites. seed: of suites that are made for the purpose; None for the samples that are kept.
    """
    texts = [("der-weltkrieg/books", BOOKS)]
    texts += [
        (f"{file.parts[-3].replace('_', '-')}/{file.name}", file.read_text("utf-8"))
        for file in sorted(ROOT.glob("plugins/*/examples/*.pos"))
    ]
    for name, text in kept_samples() if seed is None else made_suites(seed):
        head, cases = parse_suite(text, name)
        texts += [(f"{name}: {case.name}", f"{head.notation}\n{case.exchanges[0].notation}") for case in cases]
    return tuple(texts)


def kept_samples() -> Iterator[tuple[str, str]]:
    """The samples of the referee's suites by their names."""
    for file in sorted(FOLDER.glob("*/*.txt")):
        yield f"{file.parent.name}/{file.stem}", file.read_text("utf-8")


def made_suites(seed: int) -> Iterator[tuple[str, str]]:
    """The beginnings of the referee's suites of a seed by their names."""
    for game in MODULES:
        for subject, text in begin_suites(game, MOST, seed):
            yield f"{game}/{subject}", text


def questions_asked(position: Position) -> list[Asked]:
    """The questions of a position, and all others that need no parameter, or only a side."""
    asked = [*position.asks]
    for name, question in questions_of(position.game).items():
        fields = msgspec.structs.fields(question.parameters)
        needed = [field.encode_name for field in fields if field.required]
        has_side = any(field.encode_name == "side" for field in fields)
        if not set(needed) <= {"side"}:
            continue
        sides = [*position.game.file.sides] if has_side else [""]
        asked += [Asked(name, {"side": side} if side else {}) for side in sides]
    return [each for each in asked if each.question not in NEVER]


# --- removed ----------------------------------------------------------------------------------------------------------


class Removal(NamedTuple):
    """What is removed. facts: that are stated; charts: whose cells are; sources: that are accepted; elsewhere: tracks."""

    what: str
    facts: Collection[FactKey] = ()
    charts: Collection[str] = ()
    sources: Collection[Any] = ()
    elsewhere: Collection[str] = ()


def removable(position: Position) -> list[FactKey]:
    """The stated facts that are not known without being stated, and what counters of schedules hold, which are 0 then."""
    game, stated = position.game, View(position.game, position.state).stated
    counters = read_schedules(game).counters
    keys = [
        (track, subject)
        for track, subject in stated
        if (declared := game.tracks.get(track))
        and (declared.absent is None or track in counters)
        and track not in (*MOMENT, *NOT_HAPPENED)
        and declared.names != "turn"
        and USUAL not in declared.note
    ]
    if any(track in WHOLE for track, _ in stated):
        keys = [key for key in keys if "|" not in key[1] and key[0] != LEADS_ON]
    bare = without(position, Removal("", keys))
    view = View(game, bare.state)
    return sorted(key for key in keys if key[0] in counters or view.fact(*key) is None)


def removals(position: Position, random: Random) -> Iterator[Removal]:
    """What can be removed: a fact, all of a track, all about a subject, half of all, a chart, a source, what holds elsewhere."""
    keys = removable(position)
    if keys:
        track, subject = random.choice(keys)
        yield Removal(f"{track} of {subject}", {(track, subject)})
        yield Removal(f"every {track}", {key for key in keys if key[0] == track})
        yield Removal(f"all about {subject or 'the game'}", {key for key in keys if key[1] == subject})
        yield Removal("half of all facts", {key for key in keys if random.random() < 0.5})
        yield Removal("all facts", keys)
    state = position.state
    for chart in sorted({chart for chart, _ in state.cells}):
        yield Removal(f"the chart {chart}", charts=(chart,))
    for source in sorted(state.accepts, key=str):
        yield Removal(f"what is {source.value}", sources=(source,))
    for track in sorted(track for track in state.elsewhere if USUAL not in position.game.tracks[track].note):
        yield Removal(f"{track} elsewhere", elsewhere=(track,))


def without(position: Position, removal: Removal) -> Position:
    """The position without what is removed."""
    state = position.state

    def kept(facts: Any) -> Any:
        return MappingProxyType({key: fact for key, fact in facts.items() if key not in removal.facts})

    return msgspec.structs.replace(
        position,
        state=msgspec.structs.replace(
            state,
            facts=kept(state.facts),
            line_facts=MappingProxyType({name: kept(facts) for name, facts in state.line_facts.items()}),
            cells=MappingProxyType({key: cell for key, cell in state.cells.items() if key[0] not in removal.charts}),
            accepts=state.accepts - {*removal.sources},
            elsewhere=MappingProxyType(
                {key: fact for key, fact in state.elsewhere.items() if key not in removal.elsewhere}
            ),
        ),
    )


# --- compared ---------------------------------------------------------------------------------------------------------


def decided(report: Report[Any]) -> object:
    """What a verdict decides, a yes or no without what stands beside it; of what is due, also what accounts gain."""
    said = report.verdict
    if said.kind in ("yes", "no"):
        return said.kind
    figures = {
        name: frozenset(value) if isinstance(value, list | tuple) else value for name, value in said.figures.items()
    }
    shown = {name: figures[name] for name in figure_names(said.template) if name not in BESIDE}
    return said.kind, said.template, shown, report.result.totals if isinstance(report.result, WhatIsDue) else ()


def assumed(report: Report[Any]) -> set[str]:
    """What a report takes for granted, and the sources besides the printed game that it names."""
    granted = {step.text for part in report.parts if part.title == TAKEN_FOR_GRANTED for step in part.steps}
    return granted | {str(caution.figures["source"]) for caution in report.cautions if "source" in caution.figures}


def unsettled(position: Position) -> dict[str, set[str]] | None:
    """The names of the steps of the phase that are owed, and of those that are not judged, in a position; None where the turn
    itself is undecided.
    """
    turn = ask(position, "turn").result
    items = turn.now.items if turn and turn.now else ()
    return turn and {state: {item.name for item in items if item.state == state} for state in UNSETTLED}


def misjudged(before: Position, after: Position) -> str:
    """The steps of a phase that are owed with all facts and settled without some, or the other way round, in words."""
    known, less = unsettled(before), unsettled(after)
    if known is None or less is None:
        return ""
    lost = known["owed"] - less["owed"] - less["undecided"]
    new = less["owed"] - known["owed"] - known["undecided"]
    words = {"owed no more": lost, "newly owed": new}
    return "; ".join(f"{how}: {', '.join(sorted(names))}" for how, names in words.items() if names)


def compare(name: str, position: Position, asked: Asked, removal: Removal) -> tuple[str, Fault | None]:
    """What came of a case, in a word, and what is wrong with it."""
    try:
        before = ask(position, asked)
        after = ask(without(position, removal), asked)
    except InputError:
        return "refused", None
    if before.verdict.kind == "undecided":
        return "undecided before", None
    wrong = misjudged(position, without(position, removal)) if asked.question in OF_PHASES else ""
    if wrong:
        return "at fault", Fault(
            name, asked.question, removal.what, before.verdict.text, f"{after.verdict.text} ({wrong})"
        )
    if after.verdict.kind == "undecided":
        return "undecided", None
    if decided(after) == decided(before):
        return "the same", None
    if OPEN.search(after.verdict.text) or any(FOUND in step.text for part in after.parts for step in part.steps):
        return "a bound", None
    if assumed(after) - assumed(before):
        return "assumed", None
    parameters = " ".join([asked.question, *(f"{key}={value}" for key, value in asked.parameters.items())])
    return "at fault", Fault(name, parameters, removal.what, before.verdict.text, after.verdict.text)


@cache
def read_base(name: str, text: str) -> Position | None:
    """A position, None if it cannot be read, or nothing of it can be removed."""
    try:
        position = read_notation(text.encode(), name, load_game)
    except InputError:
        return None
    return position if any(removals(position, Random())) and questions_asked(position) else None


class Case(NamedTuple):
    """A question about a position, and what is removed of it."""

    name: str
    position: Position
    asked: Asked
    removal: Removal

    def text(self) -> str:
        """Return the whole position with the question, and what is removed as a comment."""
        return f"# {self.name}, without {self.removal.what}: {self.asked}\n{assistant.notation(self.position)}"


def make_case(number: int, seed: int, suites: int | None = None) -> Case | None:
    """Make a random case of a position of which something can be removed, or None if many positions have nothing. `suites`: as in `bases`."""
    random = Random(f"lacking {seed} {number}")
    for name, text in (random.choice(bases(suites)) for _ in range(DRAWS)):
        if position := read_base(name, text):
            asked = questions_asked(position)
            own = [each for each in asked if each in position.asks]
            posed = random.choice(own if own and random.random() < 0.5 else asked)
            return Case(name, position, posed, random.choice([*removals(position, random)]))
    return None


def find_faults(case: Case | None, seen: Counter[str]) -> Iterator[str]:
    """Yield a verdict that looks whole without some facts."""
    what, fault = compare(*case) if case else ("nothing to remove", None)
    seen[what] += 1
    if fault:
        yield str(fault)


SAMPLES = Search("lacking", make_case, find_faults, 50, write=lambda case: case.text(), chunk=50)
"""Cases of the samples of the referee's suites that are kept."""
SEARCH = SAMPLES._replace(make=lambda number, seed: make_case(number, seed, seed), cases=3000)
"""Cases of suites made for the purpose."""
