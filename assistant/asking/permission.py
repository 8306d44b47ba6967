"""What may be done: the rules that forbid it, one line each, or yes, with the working and with what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated, Any, TypeVar

import msgspec

from ..game.course import course_file
from ..game.turn_record import format_runs
from ..state.changes import AnyChange, Enter
from ..state.tracks import Track, Value
from ..util.errors import InputError
from ..util.notes import note
from ..util.texts import natural, whole
from .asks import Ask
from .messages import SAY
from .play import Q, Thrown, certain, refuse_others, throw
from .question import Question, declare
from .report import NOT_ALLOWED, MissingFacts, Part, Report, Step, Verdict, VerdictKind, step, verdict
from .view import Gather, View, changed, moment
from .wording import figure_names, fill, sentence_case

R = TypeVar("R")
T = TypeVar("T")
Clause = tuple[object, str, str]
"""Whether something holds, by which rule, and the template of the step that says so."""


def holding(clauses: Iterable[Clause], *holders: object, **figures: Any) -> list[Step]:
    """Return the steps of the clauses that hold, in their order, such as the reasons why something is not allowed.

    holders, figures: where each step finds the figures that its template names, and it has no others.
    """
    given = SimpleNamespace(**figures)
    return [step(rule, template, given, *holders) for holds, rule, template in clauses if holds]


class InForce:
    """The optional rules that a position has in force, by their words, such as `fog`; and the readings of rulings, as
    `RULING=READING`. What is not stated is asked for where something turns on it.
    """

    def __init__(self, facts: Gather) -> None:
        self._facts = facts
        game = facts.view.game
        tracks = [game.tracks[name] for name in course_file(game).turns.options if name in game.tracks]
        self._track = {word: track for track in tracks for word in track.values}

    def __contains__(self, word: object) -> bool:
        ruling, _, reading = str(word).partition("=")
        if reading:
            return self._facts.view.ruling(ruling) == reading
        track = self._track.get(ruling)
        if track is None:
            return False
        return ruling in self.words(track.name)

    @property
    def known(self) -> Mapping[str, Track]:
        """The words of all optional rules, each with its track."""
        return self._track

    def words(self, track: str) -> frozenset[str]:
        """Return the words of one track."""
        several = self._facts.view.game.tracks[track].kind == "choices"
        return self._facts.words(track) if several else frozenset((self._facts.word(track),))


def bars_by_option(view: View, units: Mapping[str, Mapping[str, Value]]) -> Iterator[Step]:
    """Yield why units take no part: the optional rule that brings them, by `[[optional]]` in `course.toml`, is not in
    force.

    units: by their ids, each with those of its facts that the position does not have. Raises MissingFacts where
    something turns on a track of optional rules that is not stated.
    """
    with view.gather() as facts:
        options = InForce(facts)
        for declared in course_file(view.game).optional:
            wanted = {name: view.game.track(name).parse(word) for name, word in declared.units.items()}
            named = [
                unit
                for unit, known in units.items()
                if all(known.get(name, view.value(name, unit)) == value for name, value in wanted.items())
            ]
            words = [declared.option] if declared.option else [*options.known]
            if named and not any(word in options for word in words):
                how = options.known[declared.option].how_to_state("", declared.option) if declared.option else ""
                text = "only with an optional rule" + (" ({how})" if how else "") + ": {units}"
                yield step(declared.rule, text, units=named, how=how)


def read_unless(reasons: Sequence[object], read: Callable[[], T]) -> T | None:
    """Return what is read of a position, or None where facts for it are missing that change nothing, because something
    forbids it already.

    reasons: against what is asked, resting on nothing that is missing. Raises MissingFacts where there are none and
    facts are missing.
    """
    try:
        return read()
    except MissingFacts:
        if reasons:
            return None
        raise


def if_known(view: View, work: Callable[[Gather], T]) -> T | None:
    """Return what is worked out from facts; None where some of them are not stated."""
    try:
        with view.gather() as facts:
            return work(facts)
    except MissingFacts:
        return None


def refused(
    title: str, template: str, reasons: Sequence[Step], /, *holders: object, result: R | None = None, **figures: Any
) -> Report[R]:
    """Return the report on something that the rules do not allow, with each reason. title: what was asked; template:
    what is not allowed, with figures as in a `step`: "{unit} cannot recover"; it may say {why}, the first reason,
    instead of how many there are.
    """
    text = template if "{why}" in template else template + " ({reasons:#reason})"
    summary = SimpleNamespace(reasons=len(reasons), why=reasons[0].text)
    no = verdict("no", text, summary, *holders, **figures)
    short = tuple(_format_refusal(title, verdict("no", template, summary, *holders, **figures), reasons))
    return Report(title=title, verdict=no, short=short, parts=(Part(NOT_ALLOWED, tuple(reasons)),), result=result)


MOST_REASONS = 3
"""How many reasons against something are said before its working."""


def _format_refusal(title: str, no: Verdict, reasons: Sequence[Step]) -> Iterator[Step]:
    """Yield what is not allowed, and the first reasons. title: what was asked, named where the verdict, which is
    without its reasons, does not say of whom it speaks.
    """
    named = {*figure_names(no.template)} - {"why"}
    first, *others = reasons
    refusal = no.text if no.template.startswith("{") or not named else sentence_case(no.text)
    if "{why}" in no.template:
        words = f"{no.template}." if named else f"{{title}}: {no.template}."
        yield Step(first.rule, words, {**no.figures, "title": title})
    else:
        name = "refused.who" if named else "refused.titled"
        yield SAY(first.rule, name, refusal=refusal, title=title, why=first.text)
    yield from (SAY(reason.rule, "refused.also", why=reason.text) for reason in others[: MOST_REASONS - 1])


def permission(
    title: str,
    templates: tuple[str, str],
    reasons: Iterable[Step],
    result: R | None,
    /,
    *holders: object,
    working: Mapping[str, Iterable[Step]] | None = None,
    changes: Iterable[AnyChange] = (),
    asks: Iterable[Ask] = (),
    kind: VerdictKind = "yes",
    sentences: Iterable[Step] = (),
    **figures: Any,
) -> Report[R]:
    """Return the report on whether something may be done.

    templates: the verdict if it is allowed, and if not; reasons: all that forbids it; result: its `allowed`, if any, is
    set here; holders, figures: where the verdict finds its figures; working: steps by their part's title, read like
    `changes` only if allowed; sentences: in short.
    """
    allowed, forbidden = templates
    forbidding = tuple(reasons)
    if "allowed" in getattr(result, "__struct_fields__", ()):
        result = msgspec.structs.replace(result, allowed=not forbidding)  # type: ignore[type-var]  # a struct, as its fields show
    if forbidding:
        return refused(title, forbidden, forbidding, result, *holders, result=result, **figures)
    return Report(
        title=title,
        verdict=verdict(kind, allowed, result, *holders, **figures),
        short=tuple(sentences),
        parts=tuple(Part(name, tuple(steps)) for name, steps in (working or {}).items()),
        changes=tuple(changes),
        asks=tuple(asks),
        result=result,
    )


class OneDie(msgspec.Struct, frozen=True):
    """What a single die settles."""

    came: Annotated[bool | int | None, note("whether it succeeds, or its number; null before the die")]
    faces: Annotated[tuple[int, ...], note("the numbers on the die with which it succeeds")] = ()
    chance: Annotated[Fraction | None, note("the chance that it succeeds, null for a number")] = None


class DieRow(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a single die decides, as a row of a table: what it is called, its die, its verdicts as templates,
    and where the table says so when it is rolled, with what it succeeds, and what that changes.

    Changes are `TRACK SUBJECT = VALUE; ...`, with figures as in the verdicts: `arrives {unit} = {turn}+{die}`.
    """

    question: Annotated[str, note("its name")]
    title: Annotated[str, note("what it answers, in a line")]
    die: Annotated[str, note("the name of its die")]
    means: Annotated[str, note("what the die is")]
    rule: Annotated[str, note("the rule of the roll")]
    roll: Annotated[str, note("what the roll is called")]
    forbidden: Annotated[str, note("the verdict if it may not be rolled")]
    due: Annotated[str, note("the verdict before the roll")]
    yes: Annotated[str, note("the verdict if the roll succeeds, or for a number")]
    no: Annotated[str, note("the verdict if it fails")] = ""
    option: Annotated[str, note("the optional rule that it belongs to")] = ""
    side: Annotated[str, note("the side in whose player turn it is rolled")] = ""
    phase: Annotated[str, note("the phase in which it is rolled")] = ""
    faces: Annotated[
        str,
        note(
            "the numbers with which it succeeds: `5-6`, or by a number such as a turn `1: 1; 2: 1-3`; empty for a number"
        ),
    ] = ""
    yes_changes: Annotated[str, note("what it changes if it succeeds, or for a number")] = ""
    no_changes: Annotated[str, note("what it changes if it fails")] = ""

    def declare(self, answer: Callable[..., Report[R]]) -> Question[Any, R]:
        """Return the question. answer: its function, as for `declare`."""
        return declare(self.question, self.title, answer, {self.die: self.means})

    def throw(self, comes: Callable[[int], Q], answers: Mapping[str, str]) -> Thrown[Q]:
        """Return the die as far as it is answered. comes: takes the die and returns what comes of it. Raises
        AnswerError as `play.throw` does.
        """
        return throw(self.die, self.rule, self.roll, comes, answers)

    def report(
        self, title: str, reasons: Iterable[Step], thrown: Thrown[Any], result: R, /, *holders: object, **more: Any
    ) -> Report[R]:
        """Return the report, where the verdict is yes or no by the die, and a figure before it and for a number.

        thrown: the die; the others as in `permission`. Its working and changes are those of what the die has led to.
        """
        came = thrown.came
        template = self.yes
        kind: VerdictKind = "figure"
        if came is None:
            template = self.due
        elif isinstance(came, bool):
            kind, template = ("yes", self.yes) if came else ("no", self.no)
        templates = (template, more.pop("forbidden", self.forbidden))
        return permission(title, templates, reasons, result, *holders, asks=thrown.asks, kind=kind, **more)

    def faces_for(self, number: int = 0) -> tuple[int, ...]:
        """Return the numbers on the die with which it succeeds. number: such as the turn, where the row tells them by
        one. Raises InputError for what no die shows.
        """
        for part in self.faces.split(";"):
            when, colon, text = part.rpartition(":")
            if text.strip() and (not colon or number in _read_span(when, number)):
                faces = tuple(_read_span(text))
                if not faces or faces[0] < 1 or faces[-1] > 6:
                    raise InputError(f"faces: no die shows {text.strip()}", hint="write numbers from 1 to 6, as 5-6")
                return faces
        return ()

    def settle(
        self,
        view: View,
        title: str,
        reasons: Iterable[Step],
        answers: Mapping[str, str],
        /,
        *,
        number: int = 0,
        settled: bool | None = None,
        working: Mapping[str, Iterable[Step]] | None = None,
        **figures: Any,
    ) -> Report[OneDie]:
        """Return the whole report, for a row that has its faces and changes; a die that always succeeds, or never, is
        not rolled.

        reasons: against rolling; number: for which the faces count; settled: what the rules decide without a die, None
        for nothing; figures: of the verdicts and the changes, besides `faces`, `chance` and `die`. Raises AnswerError
        as `throw` does.
        """
        faces = self.faces_for(number)
        forbidding = (*self._find_bars(view, settled=settled is not None), *reasons)
        if self.faces and len(faces) in (0, 6) and settled is None:
            settled = bool(faces)
        if settled is not None or forbidding:
            refuse_others(answers, [], next((why.text for why in forbidding), ""))
        thrown: Thrown[Any] = certain(settled)
        if settled is None:
            thrown = self.throw((lambda die: die in faces) if self.faces else int, answers)
        chance = thrown.chances.get(True, Fraction(0)) if self.faces else None
        given = {"faces": format_runs(faces), "chance": chance, "die": thrown.came, **figures}
        changes = list[AnyChange]()
        if thrown.came is not None and not forbidding:
            changes += self._list_changes(view, given, succeeds=thrown.came is not False)
        result = OneDie(came=None if forbidding else thrown.came, faces=faces, chance=chance)
        return self.report(title, forbidding, thrown, result, working=working, changes=changes, **given)

    def _find_bars(self, view: View, *, settled: bool) -> list[Step]:
        """Return why the die is not rolled in this game, or not now."""
        phase, phasing = moment(view)
        with view.gather() as facts:
            left_out = self.option and self.option not in InForce(facts)
        others_turn = not settled and phasing not in ("", self.side or phasing)
        other_phase = not settled and phase not in ("", self.phase or phase)
        clauses = (
            (left_out, "it is an optional rule, {option}, that is not in force"),
            (others_turn, "it is rolled in the player turn of {phasing}"),
            (other_phase, "it is rolled in the phase {phase}"),
        )
        given = ((holds, self.rule, text) for holds, text in clauses)
        return holding(given, self, phasing=view.game.file.the_side(self.side))

    def _list_changes(self, view: View, figures: Mapping[str, object], *, succeeds: bool) -> Iterator[AnyChange]:
        """Yield what the die changes. Raises InputError for a value that the track does not have."""
        waiting = set[str]()
        for part in filter(str.strip, (self.yes_changes if succeeds else self.no_changes).split(";")):
            about, _, value = fill(part, figures).partition("=")
            track, _, subject = about.strip().partition(" ")
            declared = view.game.track(track)
            text = value.strip()
            if declared.kind == "integer":
                numbers = [whole(number.strip()) for number in text.split("+")]
                text = str(sum(filter(None, numbers))) if None not in numbers else text
            about = subject.strip()
            if declared.on == "unit" and about not in {
                *view.state.units,
                *waiting,
            }:  # out of play: it waits off the map
                waiting.add(about)
                yield Enter(about, view.game.type_of(about), None, 0, self.rule)
            yield changed(view, track, about, declared.parse(text), self.rule)


def _read_span(text: str, most: int = 6) -> range:
    """Return the numbers from one to another: `5-6`, `5` alone, `3-` and up. Raises InputError for anything else."""
    first, dash, last = text.strip().partition("-")
    least = natural(first)
    greatest = natural(last or first)
    if least is None or greatest is None:
        raise InputError(f"faces: {text.strip()[:20]!r} is not a number", hint="write 5-6, or 1: 1; 2: 1-3; 3-: 1-6")
    return range(least, max(most, least) + 1 if dash and not last else greatest + 1)
