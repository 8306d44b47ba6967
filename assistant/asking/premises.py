"""What the answer to a question was read from, noted while it is read, and what of it is not the owner's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from ..game.boards import Board
from ..game.games import Game
from ..state.state import Cell, CellKey, FactKey
from ..state.tracks import CERTAIN, Fact, Source, Track, Value
from ..util.patterns import late_pattern
from .placeholders import Kind, Near, Placeholder
from .report import Step
from .wording import short_title

T = TypeVar("T")
_WORD = late_pattern(r"[^\s,;:()|]+")
"""A word in a text, such as the name of a hex or a unit."""
_Key = tuple[str, str, str]
"""The rule of an assumption, its text, and the figure in which it lists its subjects."""


class _Assumed(NamedTuple):
    """What an answer takes for granted."""

    step: Step
    """As the report lists it, without its subjects."""
    listed: str = ""
    """The figure of the step that lists the subjects, "" if the step has none."""
    subjects: dict[str, None] = {}
    """Those about which a fact is unknown, in the order in which they were read."""
    aloud: bool = False
    """Whether an answer in short says it too, as another statement would forbid what it allows."""

    def as_step(self) -> Step:
        """Return the step that the report lists."""
        if not self.listed:
            return self.step
        return Step(self.step.rule, self.step.template, {self.listed: list(self.subjects)})


class Noted(NamedTuple):
    """What a report says of some work besides its result: the rulings that were read, and what was taken for granted."""

    rulings: dict[str, str]
    assumptions: dict[_Key, _Assumed]


NOTHING_NOTED = Noted({}, {})
"""What a report says of most work: nothing."""


class Premises:
    """What was read of a state, and of those that changes lead to from it."""

    def __init__(self) -> None:
        self.facts: dict[FactKey, Fact] = {}
        self.supposed: dict[FactKey, Value] = {}
        """Hidden facts, with the values that they are supposed to have."""
        self.unseen: dict[str, None] = {}
        """The places where units stand that are not seen."""
        self.cells: dict[CellKey, Cell] = {}
        self.missed_cells: dict[CellKey, None] = {}
        """The chart cells that are needed and unknown."""
        self.rulings: dict[str, str] = {}
        """The reading of each doubtful rule that makes a difference."""
        self.answers: dict[str, dict[str, str]] = {}
        """The answers that were used, as typed: the rolls and choices that each answers, with the dice of a roll and ""
        for a choice.
        """
        self.plays: list[Any] = []
        """The procedures that answers were given to, in order, each as a `play.Play`."""
        self._assumptions: dict[_Key, _Assumed] = {}

    @property
    def supposes(self) -> bool:
        """Whether anything that was read is only supposed."""
        return bool(self.supposed or self.unseen)

    @property
    def assumptions(self) -> tuple[Step, ...]:
        """What the answer takes for granted, one step each."""
        return tuple(assumption.as_step() for assumption in self._assumptions.values())

    @property
    def assumed_aloud(self) -> tuple[str, ...]:
        """What the answer takes for granted and says in short too."""
        return tuple(assumption.step.text for assumption in self._assumptions.values() if assumption.aloud)

    def assume(self, step: Step, *, aloud: bool = False) -> None:
        """Note what is taken for granted. aloud: as an `_Assumed` has it."""
        self._assumptions[step.rule, step.text, "aloud" if aloud else ""] = _Assumed(step, aloud=aloud)

    def assume_of(self, subject: str, rule: str, template: str, listed: str) -> None:
        """Note that a fact about a subject has its usual value. listed: as an `_Assumed` has it."""
        assumption = _Assumed(Step(rule, template), listed, {})
        self._assumptions.setdefault((rule, template, listed), assumption).subjects[subject] = None

    def note(self, work: Callable[[], T]) -> tuple[T, Noted]:
        """Return what some work comes to, with what a report says of it besides, for when its result is used again: see
        `note_again`.
        """
        before = Noted(self.rulings, self._assumptions)
        self.rulings, self._assumptions = {}, {}
        try:
            made = work()
        finally:
            noted = Noted(self.rulings, self._assumptions)
            self.rulings, self._assumptions = before
            self.note_again(noted)
        return made, noted if any(noted) else NOTHING_NOTED

    def note_again(self, noted: Noted) -> None:
        """Let a report say of a result that is used again what it said when it was worked out."""
        if noted is NOTHING_NOTED:
            return
        self.rulings.update(noted.rulings)
        for key, assumption in noted.assumptions.items():
            known = self._assumptions.get(key)
            subjects = {**(known.subjects if known else {}), **assumption.subjects}
            self._assumptions[key] = assumption._replace(subjects=subjects)

    def find_placeholders(
        self, game: Game, board: Board, figures: Iterable[Mapping[str, Any]]
    ) -> tuple[Placeholder, ...]:
        """Return what was read that is not the owner's own.

        `figures`: the figures of the question, its verdict and its steps, which name hexes and units.
        """
        by_track = dict[tuple[str, Source], dict[FactKey, Fact]]()
        for key, fact in self.facts.items():
            if fact.source not in CERTAIN and not fact.assumed:
                by_track.setdefault((key[0], fact.source), {})[key] = fact
        facts: dict[tuple[Kind, Source, str], dict[FactKey, Fact]] = {}
        for (name, source), of_track in by_track.items():
            track = game.track(name)
            kind = _find_kind(track)
            title = board.title if kind == "map" else short_title(track.title)
            facts.setdefault((kind, source, title), {}).update(of_track)
        cells = Counter(
            (cell.source, game.chart(chart).title)
            for (chart, _), cell in self.cells.items()
            if cell.source not in CERTAIN
        )
        named = _find_names(figures) if facts else set[str]()
        return (
            *(
                Placeholder(
                    kind, source, title, len(read), () if kind == "other" else _list_near(game.tracks, read, named)
                )
                for (kind, source, title), read in facts.items()
            ),
            *(Placeholder("charts", source, title, count) for (source, title), count in cells.items()),
        )


def _find_kind(track: Track) -> Kind:
    """Return what a fact of a track is read of: a map, a counter's rating, or something that no verdict is marked for."""
    if track.on in ("hex", "hexside"):
        return "map"
    return "counters" if track.on == "unit" and track.kind == "integer" else "other"


def _list_near(tracks: Mapping[str, Track], facts: Mapping[FactKey, Fact], named: set[str]) -> tuple[Near, ...]:
    """Return the facts of what the answer names, or all where it names nothing of them: what a fact of the map bars is
    not named. By track and value, in an order of their own, as rules read them in any: first what the printed map
    shows, hexes before hexsides, and what there is before what there is not.
    """
    rank = {name: at for at, name in enumerate(tracks)}
    alike: dict[tuple[str, str], list[str]] = {}
    of_named = {key: fact for key, fact in facts.items() if named.issuperset(key[1].split("|"))}
    for (name, subject), fact in (of_named or facts).items():
        alike.setdefault((name, tracks[name].write(fact.value)), []).append(subject)
    values = [
        Near(name, tracks[name].title, value, tuple(sorted(subjects))) for (name, value), subjects in alike.items()
    ]

    def order(near: Near) -> tuple[bool, bool, bool, int, str]:
        declared = tracks[near.track]
        is_nothing = near.value.startswith("no")  # no, none, no-rail
        return declared.printed != "map", declared.on == "hexside", is_nothing, rank[near.track], near.value

    return tuple(sorted(values, key=order))


def _find_names(figures: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return what figures name: each text of them, and the words in it."""
    texts = {text for named in figures for figure in named.values() for text in _find_texts(figure)}
    return texts.union(*map(_WORD.findall, texts))


def _find_texts(figure: Any) -> Iterator[str]:
    """Yield the texts in a figure, be it one, or a list of figures."""
    match figure:
        case str():
            yield figure
        case list() | tuple():
            for item in figure:
                yield from _find_texts(item)
