"""Reports on whether something may be done: the rules that forbid it, or yes with the working and the changes.

`DieRow` makes the reports of questions that a single die decides.
"""

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
"""A condition, whether it holds, with the rule behind it and the template of the step that states it."""


def holding(clauses: Iterable[Clause], *holders: object, **figures: Any) -> list[Step]:
    """Return the steps of the clauses that hold, in order, such as reasons why something is not allowed.

    `holders`, `figures`: as in `step`, but a step takes only figures that its template names.
    """
    extra_figures = SimpleNamespace(**figures)
    return [step(rule, template, extra_figures, *holders) for holds, rule, template in clauses if holds]


class InForce:
    """The optional rules and readings in force: test `"fog" in options` or `"RULING=READING" in options`.

    A test asks for the fact that it needs if the fact is not stated.
    """

    def __init__(self, facts: Gather) -> None:
        self._facts = facts
        game = facts.view.game
        tracks = [game.tracks[name] for name in course_file(game).turns.options if name in game.tracks]
        self._track_of = {option: track for track in tracks for option in track.values}

    def __contains__(self, word: object) -> bool:
        name, _, reading = str(word).partition("=")
        if reading:
            return self._facts.view.ruling(name) == reading
        track = self._track_of.get(name)
        if track is None:
            return False
        return name in self.words(track.name)

    @property
    def known(self) -> Mapping[str, Track]:
        """All optional rules of the game, each with its track."""
        return self._track_of

    def words(self, track: str) -> frozenset[str]:
        """Return the optional rules of one track that are in force."""
        several = self._facts.view.game.tracks[track].kind == "choices"
        return self._facts.words(track) if several else frozenset((self._facts.word(track),))


def bars_by_option(view: View, units: Mapping[str, Mapping[str, Value]]) -> Iterator[Step]:
    """Yield a reason against each unit whose optional rule is not in force, by `[[optional]]` in `course.toml`.

    `units`: the units by id, each with facts about it that the position does not state.

    Raises MissingFacts if the answer depends on a track of optional rules that is not stated.
    """
    with view.gather() as facts:
        in_force = InForce(facts)
        for declared in course_file(view.game).optional:
            option_values = {name: view.game.track(name).parse(word) for name, word in declared.units.items()}
            optional_units = [
                unit
                for unit, further_facts in units.items()
                if all(
                    further_facts.get(name, view.value(name, unit)) == value for name, value in option_values.items()
                )
            ]
            options = [declared.option] if declared.option else [*in_force.known]
            if optional_units and not any(option in in_force for option in options):
                how = in_force.known[declared.option].how_to_state("", declared.option) if declared.option else ""
                text = "only with an optional rule" + (" ({how})" if how else "") + ": {units}"
                yield step(declared.rule, text, units=optional_units, how=how)


def read_unless(reasons: Sequence[object], read: Callable[[], T]) -> T | None:
    """Return the result of `read`, or None if facts are missing that no longer matter.

    They do not matter if there are reasons against the action already.

    Raises MissingFacts if facts are missing and there are no reasons.
    """
    try:
        return read()
    except MissingFacts:
        if reasons:
            return None
        raise


def if_known(view: View, work: Callable[[Gather], T]) -> T | None:
    """Return the result of `work`, or None if it needs facts that are not stated."""
    try:
        with view.gather() as facts:
            return work(facts)
    except MissingFacts:
        return None


def refused(
    title: str, template: str, reasons: Sequence[Step], /, *holders: object, result: R | None = None, **figures: Any
) -> Report[R]:
    """Return the report on something that the rules do not allow, with each reason.

    `template`: the verdict, such as "{unit} cannot recover", with figures as in `step`. If it does not contain {why},
    the first reason, the number of reasons is added.
    """
    text = template if "{why}" in template else template + " ({reasons:#reason})"
    summary = SimpleNamespace(reasons=len(reasons), why=reasons[0].text)
    no = verdict("no", text, summary, *holders, **figures)
    short = tuple(_format_refusal(title, verdict("no", template, summary, *holders, **figures), reasons))
    return Report(title=title, verdict=no, short=short, parts=(Part(NOT_ALLOWED, tuple(reasons)),), result=result)


MAX_SHORT_REASONS = 3
"""The maximum number of reasons in the short answer."""


def _format_refusal(title: str, no: Verdict, reasons: Sequence[Step]) -> Iterator[Step]:
    """Yield the short answer: the verdict with the first reason, then further reasons.

    `no`: the verdict, without the number of reasons.
    """
    names_subject = bool({*figure_names(no.template)} - {"why"})
    first, *others = reasons
    if "{why}" in no.template:
        template = f"{no.template}." if names_subject else f"{{title}}: {no.template}."
        yield Step(first.rule, template, {**no.figures, "title": title})
    else:
        message = "refused.who" if names_subject else "refused.titled"
        refusal = no.text if no.template.startswith("{") or not names_subject else sentence_case(no.text)
        yield SAY(first.rule, message, refusal=refusal, title=title, why=first.text)
    yield from (SAY(reason.rule, "refused.also", why=reason.text) for reason in others[: MAX_SHORT_REASONS - 1])


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

    `templates`: the verdicts if it is allowed, and if it is not.
    `result`: the result, whose field `allowed`, if any, is set here.
    `holders`, `figures`: figures of the verdict, as in `step`.
    `working`: steps by the title of their part. Like `changes`, it is read only if there are no reasons.
    `sentences`: the short answer if allowed.
    """
    allowed_template, forbidden_template = templates
    all_reasons = tuple(reasons)
    if "allowed" in getattr(result, "__struct_fields__", ()):
        result = msgspec.structs.replace(result, allowed=not all_reasons)  # type: ignore[type-var]  # a struct, as its fields show
    if all_reasons:
        return refused(title, forbidden_template, all_reasons, result, *holders, result=result, **figures)
    return Report(
        title=title,
        verdict=verdict(kind, allowed_template, result, *holders, **figures),
        short=tuple(sentences),
        parts=tuple(Part(name, tuple(steps)) for name, steps in (working or {}).items()),
        changes=tuple(changes),
        asks=tuple(asks),
        result=result,
    )


class OneDie(msgspec.Struct, frozen=True):
    """The result of a single die."""

    came: Annotated[bool | int | None, note("whether it succeeds, or its number; null before the die")]
    faces: Annotated[tuple[int, ...], note("the numbers on the die with which it succeeds")] = ()
    chance: Annotated[Fraction | None, note("the chance that it succeeds, null for a number")] = None


class DieRow(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a single die decides, as a row of a table.

    Verdicts are templates. Changes are `TRACK SUBJECT = VALUE; ...` with the same figures as the verdicts, such as
    `arrives {unit} = {turn}+{die}`.
    """

    question: Annotated[str, note("the name")]
    title: Annotated[str, note("the one-line description")]
    die: Annotated[str, note("the name of its die")]
    means: Annotated[str, note("the meaning of the die")]
    rule: Annotated[str, note("the rule of the roll")]
    roll: Annotated[str, note("the title of the roll")]
    forbidden: Annotated[str, note("the verdict if it may not be rolled")]
    due: Annotated[str, note("the verdict before the roll")]
    yes: Annotated[str, note("the verdict if the roll succeeds, or at any roll if `faces` is empty")]
    no: Annotated[str, note("the verdict if the roll fails")] = ""
    option: Annotated[str, note("the optional rule that it belongs to")] = ""
    side: Annotated[str, note("the side in whose player turn it is rolled")] = ""
    phase: Annotated[str, note("the phase in which it is rolled")] = ""
    faces: Annotated[
        str,
        note(
            "the numbers with which it succeeds: `5-6`, or by a number such as a turn `1: 1; 2: 1-3`; empty for a number"
        ),
    ] = ""
    yes_changes: Annotated[
        str,
        note(
            "the changes if the roll succeeds, or at any roll if `faces` is empty, as then the number rolled is the answer"
        ),
    ] = ""
    no_changes: Annotated[str, note("the changes if the roll fails")] = ""

    def declare(self, answer: Callable[..., Report[R]]) -> Question[Any, R]:
        """Return the question.

        `answer`: the function that answers it, as for `declare`.
        """
        return declare(self.question, self.title, answer, {self.die: self.means})

    def throw(self, comes: Callable[[int], Q], answers: Mapping[str, str]) -> Thrown[Q]:
        """Return the die, thrown if there is an answer to it.

        `comes`: returns the outcome for a number on the die.

        Raises AnswerError as `play.throw` does.
        """
        return throw(self.die, self.rule, self.roll, comes, answers)

    def report(
        self, title: str, reasons: Iterable[Step], thrown: Thrown[Any], result: R, /, *holders: object, **more: Any
    ) -> Report[R]:
        """Return the report: yes or no if the die decided, a figure if the die is due or its number is the answer.

        The other parameters are those of `permission`; working and changes follow from the outcome of the die.
        """
        outcome = thrown.came
        template = self.yes
        kind: VerdictKind = "figure"
        if outcome is None:
            template = self.due
        elif isinstance(outcome, bool):
            kind, template = ("yes", self.yes) if outcome else ("no", self.no)
        templates = (template, more.pop("forbidden", self.forbidden))
        return permission(title, templates, reasons, result, *holders, asks=thrown.asks, kind=kind, **more)

    def faces_for(self, number: int = 0) -> tuple[int, ...]:
        """Return the numbers on the die that succeed: with `faces` of `1: 1; 2-: 5-6`, (5, 6) for 2 and more.

        `number`: the number that the faces depend on, such as the turn.

        Raises InputError if no die shows such a number.
        """
        for part in self.faces.split(";"):
            numbers, colon, text = part.rpartition(":")
            if text.strip() and (not colon or number in _read_span(numbers, number)):
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
        """Return the whole report of a row with faces and changes. A die that always succeeds, or never, is not rolled.

        `number`: as for `faces_for`.
        `settled`: the outcome if the rules decide without a die, or None.
        `figures`: figures of the verdicts and changes besides `faces`, `chance` and `die`.

        Raises AnswerError as `throw` does.
        """
        faces = self.faces_for(number)
        all_reasons = (*self._find_bars(view, settled=settled is not None), *reasons)
        if self.faces and len(faces) in (0, 6) and settled is None:
            settled = bool(faces)
        if settled is not None or all_reasons:
            refuse_others(answers, [], next((why.text for why in all_reasons), ""))
        thrown: Thrown[Any] = certain(settled)
        if settled is None:
            thrown = self.throw((lambda die: die in faces) if self.faces else int, answers)
        chance = thrown.chances.get(True, Fraction(0)) if self.faces else None
        all_figures = {"faces": format_runs(faces), "chance": chance, "die": thrown.came, **figures}
        changes = list[AnyChange]()
        if thrown.came is not None and not all_reasons:
            changes += self._list_changes(view, all_figures, succeeds=thrown.came is not False)
        result = OneDie(came=None if all_reasons else thrown.came, faces=faces, chance=chance)
        return self.report(title, all_reasons, thrown, result, working=working, changes=changes, **all_figures)

    def _find_bars(self, view: View, *, settled: bool) -> list[Step]:
        """Return the reasons why the die is not rolled in this game, or not now.

        `settled`: whether the rules decide without a die.
        """
        phase, phasing = moment(view)
        with view.gather() as facts:
            lacks_option = self.option and self.option not in InForce(facts)
        # an unknown phase or side ("") bars nothing, and neither does a row that names none
        others_turn = not settled and phasing not in ("", self.side or phasing)
        other_phase = not settled and phase not in ("", self.phase or phase)
        clauses = (
            (lacks_option, "it is an optional rule, {option}, that is not in force"),
            (others_turn, "it is rolled in the player turn of {phasing}"),
            (other_phase, "it is rolled in the phase {phase}"),
        )
        with_rule = ((holds, self.rule, text) for holds, text in clauses)
        return holding(with_rule, self, phasing=view.game.file.the_side(self.side))

    def _list_changes(self, view: View, figures: Mapping[str, object], *, succeeds: bool) -> Iterator[AnyChange]:
        entered = set[str]()
        for part in filter(str.strip, (self.yes_changes if succeeds else self.no_changes).split(";")):
            track_and_subject, _, value = fill(part, figures).partition("=")
            track, _, subject = track_and_subject.strip().partition(" ")
            subject = subject.strip()
            declared = view.game.track(track)
            text = value.strip()
            if declared.kind == "integer":
                addends = [whole(number.strip()) for number in text.split("+")]
                text = str(sum(filter(None, addends))) if None not in addends else text
            if declared.on == "unit" and subject not in view.state.units and subject not in entered:
                entered.add(subject)  # a unit that is not in play enters off the map
                yield Enter(subject, view.game.type_of(subject), None, 0, self.rule)
            yield changed(view, track, subject, declared.parse(text), self.rule)


def _read_span(text: str, max_number: int = 6) -> range:
    """Return the numbers that `5-6`, `5`, or `3-` (up to `max_number`) stand for. Raises InputError for anything else."""
    first, dash, last = text.strip().partition("-")
    lowest = natural(first)
    highest = natural(last or first)
    if lowest is None or highest is None:
        raise InputError(f"faces: {text.strip()[:20]!r} is not a number", hint="write 5-6, or 1: 1; 2: 1-3; 3-: 1-6")
    return range(lowest, max(max_number, lowest) + 1 if dash and not last else highest + 1)
