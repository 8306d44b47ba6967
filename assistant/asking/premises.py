"""The record of everything that an answer reads and assumes, with the values that are not the owner's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from ..game.boards import Board
from ..game.games import Game
from ..state.state import Cell, CellKey, FactKey
from ..state.tracks import CERTAIN, Fact, Source, Track, Value
from ..util.errors import CodeError
from ..util.patterns import late_pattern
from .placeholders import Kind, Near, Placeholder
from .report import Step
from .wording import short_title

T = TypeVar("T")
_WORD = late_pattern(r"[^\s,;:()|]+")


class _AssumptionKey(NamedTuple):
    rule: str
    words: str
    """The step's text, or its template if it lists subjects."""
    subjects_figure: str = ""
    aloud: bool = False


class _Assumption(NamedTuple):
    step: Step
    """The step, without its subjects."""
    subjects_figure: str
    """The step's figure that lists the subjects, or "" if the step has none."""
    subjects: dict[str, None]
    """The subjects about which a fact is unknown, in the order in which they were read."""
    aloud: bool
    """Whether the short answer states the assumption too, because the opposite would forbid what the answer allows."""

    def as_step(self) -> Step:
        if not self.subjects_figure:
            return self.step
        return Step(self.step.rule, self.step.template, {self.subjects_figure: list(self.subjects)})


class Noted(NamedTuple):
    """The rulings and assumptions that some work relied on."""

    rulings: dict[str, str]
    assumptions: dict[_AssumptionKey, _Assumption]


NOTHING_NOTED = Noted({}, {})
"""The usual case: work without rulings and assumptions."""


class Premises:
    """The record of everything read of a state, and of the states after changes."""

    def __init__(self) -> None:
        self.facts: dict[FactKey, Fact] = {}
        self.supposed: dict[FactKey, Value] = {}
        """Hidden facts that were read, with the values supposed for them."""
        self.unseen: dict[str, None] = {}
        """Places with unseen units."""
        self.cells: dict[CellKey, Cell] = {}
        self.missed_cells: dict[CellKey, None] = {}
        """Chart cells that are needed and unknown."""
        self.rulings: dict[str, str] = {}
        """The chosen reading of each doubtful rule that makes a difference."""
        self.answers: dict[str, dict[str, str]] = {}
        """The rolls and choices settled by each answer used, by its name as typed: the dice of a roll, "" for a choice.
        """
        self.plays: list[Any] = []
        """The procedures that took answers, in order, each as a `play.Play`."""
        self._assumptions: dict[_AssumptionKey, _Assumption] = {}

    @property
    def supposes(self) -> bool:
        """Whether something hidden or unseen was read."""
        return bool(self.supposed or self.unseen)

    @property
    def assumptions(self) -> tuple[Step, ...]:
        """The assumptions of the answer, a step each."""
        return tuple(assumption.as_step() for assumption in self._assumptions.values())

    @property
    def assumed_aloud(self) -> tuple[str, ...]:
        """The texts of the assumptions that the short answer says too."""
        return tuple(assumption.step.text for assumption in self._assumptions.values() if assumption.aloud)

    def assume(self, step: Step, *, aloud: bool = False) -> None:
        """Note an assumption.

        `aloud`: whether the short answer says it too.
        """
        key = _AssumptionKey(step.rule, step.text, aloud=aloud)
        self._assumptions[key] = _Assumption(step, "", {}, aloud)

    def assume_of(self, subject: str, rule: str, template: str, listed: str) -> None:
        """Note that a fact about a subject is assumed to have its usual value. All such subjects share one step.

        `listed`: the figure of the template that lists the subjects.
        """
        key = _AssumptionKey(rule, template, listed)
        assumption = self._assumptions.setdefault(key, _Assumption(Step(rule, template), listed, {}, aloud=False))
        assumption.subjects[subject] = None

    def note(self, work: Callable[[], T]) -> tuple[T, Noted]:
        """Return the result of some work, with the rulings and assumptions that it relied on.

        A caller that keeps the result and uses it again passes them to `note_again`.
        """
        before = Noted(self.rulings, self._assumptions)
        self.rulings, self._assumptions = {}, {}
        try:
            result = work()
        finally:
            noted = Noted(self.rulings, self._assumptions) if self.rulings or self._assumptions else NOTHING_NOTED
            self.rulings, self._assumptions = before
            self.note_again(noted)
        return result, noted

    def note_again(self, noted: Noted) -> None:
        """Note the rulings and assumptions of a kept result that is used again."""
        if noted is NOTHING_NOTED:
            return
        self.rulings.update(noted.rulings)
        for key, assumption in noted.assumptions.items():
            earlier = self._assumptions.get(key)
            subjects = {**(earlier.subjects if earlier else {}), **assumption.subjects}
            self._assumptions[key] = assumption._replace(subjects=subjects)

    def add(self, other: Premises) -> None:
        """Note everything that another record holds, in its order. It must hold no rolls or choices."""
        if other.answers or other.plays:
            raise CodeError("a shared part of answers takes rolls or choices", "work it out in the question's own view")
        self.facts.update(other.facts)
        self.supposed.update(other.supposed)
        self.unseen.update(other.unseen)
        self.cells.update(other.cells)
        self.missed_cells.update(other.missed_cells)
        self.note_again(Noted(other.rulings, other._assumptions))

    def find_placeholders(
        self, game: Game, board: Board, figures: Iterable[Mapping[str, Any]]
    ) -> tuple[Placeholder, ...]:
        """Return the facts and chart cells read that are not the owner's own, by kind, source and title.

        `figures`: the figures of the question, its verdict and its steps, which name hexes and units.
        """
        facts_by_track = dict[tuple[str, Source], dict[FactKey, Fact]]()
        for key, fact in self.facts.items():
            if fact.source not in CERTAIN and not fact.assumed:
                facts_by_track.setdefault((key[0], fact.source), {})[key] = fact
        facts_by_title: dict[tuple[Kind, Source, str], dict[FactKey, Fact]] = {}
        for (name, source), facts_of_track in facts_by_track.items():
            track = game.track(name)
            kind = _find_kind(track)
            title = board.title if kind == "map" else short_title(track.title)
            facts_by_title.setdefault((kind, source, title), {}).update(facts_of_track)
        cell_counts = Counter(
            (cell.source, game.chart(chart).title)
            for (chart, _), cell in self.cells.items()
            if cell.source not in CERTAIN
        )
        names = _find_names(figures) if facts_by_title else set[str]()
        return (
            *(
                Placeholder(
                    kind, source, title, len(facts), () if kind == "other" else _list_near(game.tracks, facts, names)
                )
                for (kind, source, title), facts in facts_by_title.items()
            ),
            *(Placeholder("charts", source, title, count) for (source, title), count in cell_counts.items()),
        )


def _find_kind(track: Track) -> Kind:
    """Return the kind of placeholder for a track's facts. Placeholders of the kind "other" mark no verdict."""
    if track.on in ("hex", "hexside"):
        return "map"
    return "counters" if track.on == "unit" and track.kind == "integer" else "other"


def _list_near(tracks: Mapping[str, Track], facts: Mapping[FactKey, Fact], names: set[str]) -> tuple[Near, ...]:
    """Return the facts about the hexes, hexsides and units that the answer names, by track and value.

    If the answer names none, all facts are returned. Rules read facts in any order; here they are sorted. Tracks
    printed on the map come first, then tracks on hexes before hexsides, then features that are present before absent
    ones.
    """
    track_numbers = {name: number for number, name in enumerate(tracks)}
    subjects_by_value: dict[tuple[str, str], list[str]] = {}
    facts_named = {key: fact for key, fact in facts.items() if names.issuperset(key[1].split("|"))}
    for (name, subject), fact in (facts_named or facts).items():
        subjects_by_value.setdefault((name, tracks[name].write(fact.value)), []).append(subject)
    groups = [
        Near(name, tracks[name].title, value, tuple(sorted(subjects)))
        for (name, value), subjects in subjects_by_value.items()
    ]

    def sort_key(near: Near) -> tuple[bool, bool, bool, int, str]:
        declared = tracks[near.track]
        is_absent = near.value.startswith("no")  # no, none, no-rail
        return declared.printed != "map", declared.on == "hexside", is_absent, track_numbers[near.track], near.value

    return tuple(sorted(groups, key=sort_key))


def _find_names(figures: Iterable[Mapping[str, Any]]) -> set[str]:
    texts = {text for by_name in figures for figure in by_name.values() for text in _find_texts(figure)}
    return texts.union(*map(_WORD.findall, texts))


def _find_texts(figure: Any) -> Iterator[str]:
    match figure:
        case str():
            yield figure
        case list() | tuple():
            for item in figure:
                yield from _find_texts(item)
