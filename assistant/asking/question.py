"""Questions: what can be asked of a game, with typed parameters and results, and what an answer depends on.

The command line, the prompt, the page and the published JSON Schema all come from the two types of a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial, wraps
from inspect import Parameter, signature, unwrap
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec

from ..game.games import Game
from ..mechanics.procedure import AnswerError
from ..state.changes import BUILT_IN_TRACKS, AnyChange, Change, Enter, Leave
from ..state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN, FactKey, is_limited
from ..state.tracks import Track, Value
from ..util.console import format_count
from ..util.errors import (
    CodeError,
    InputError,
    MachineError,
    PluginError,
    find_failed_line,
    format_code_place,
    format_suggestion,
    is_of_the_machine,
    word_plugin_error,
)
from ..util.limits import Limit, TooMuch
from ..util.notes import note
from .asks import sort_as_printed
from .changes import format_change
from .owing import end_left_behind, settle_owed, word_consequences
from .paper_map import PAPER_MAP, state_at_once
from .premises import Premises
from .report import (
    DEPENDING,
    DOUBTED_UNITS,
    FOLLOWS,
    MISSING,
    MISSING_ONE,
    OTHER_FIGURES,
    UNLIMITED,
    MissingFacts,
    Part,
    Report,
    Step,
    Verdict,
    list_steps,
    replace_placeholders,
)
from .view import View
from .wording import format_fact, format_fact_count, format_list, short_title

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from .sketch import Drawable

TAKEN_FOR_GRANTED = "Assumed"
"""The title of the part of a report with facts assumed without being stated."""
RULINGS = "Rulings"
"""The title of the part of a report with the readings taken of doubtful rules."""
_MAX_DEPENDING_NAMED = 2
"""The maximum number of assumed facts named in a verdict that depends on them."""

P = TypeVar("P", bound=msgspec.Struct)
R = TypeVar("R")
T = TypeVar("T")

PlaceName = Annotated[str, note("a hex or box by its printed name", "place")]
UnitName = Annotated[str, note("a unit by its id", "unit")]
UnitOrDecoy = Annotated[UnitName, note("a unit by its id", "decoy")]
"""A unit or a decoy, such as a dummy. Other parameters refuse decoys."""
SideName = Annotated[str, note("a side, by its name or that of a nation", "side")]
NationName = Annotated[str, note("a nation, by its name or its first letters", "nation")]
AnyName = Annotated[str, note("a hex, a unit or another name that the question knows", "name")]
WAY = "way"
"""The mark of a list of places that may repeat a place."""
Way = Annotated[tuple[PlaceName, ...], note("the hexes entered, in order", WAY)]
Answers = Mapping[str, str]
"""Rolls and choices by the name under which a report asks for them, as typed."""


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base class of the parameters of a question."""


class Nothing(Parameters, frozen=True):
    """No parameters: the position is enough."""


class Helpful(NamedTuple):
    """Values of a parameter that may make possible what a question refuses, each in words and as typed.

    It is part of the parameter's annotation: `hq: Annotated[UnitName, note("the Headquarters"), Helpful(find)]`.
    """

    find: Callable[[View], Iterable[tuple[str, str]]]


class Single(NamedTuple):
    """The reason why a parameter takes only one unit or hex although players might name several, with the rule.

    It is part of the parameter's annotation, like `Helpful`.
    """

    why: str


class Opening(msgspec.Struct, frozen=True):
    """A question that was played, as changes on the map show."""

    parameters: Annotated[Mapping[str, str], note("parameters of the question, as typed")]
    sign: Annotated[str, note("the sign of it on the map, in words")]


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of move that a question allows, so that units moved on a table can be judged.

    The question and that in `reach` name the mover in a parameter `unit` or `units`. A game without a search of its own
    for a kind of move says with `is_excluded` when no such move is possible.
    """

    by: Annotated[str, note("the kind in words, such as `by rail`")]
    to: Annotated[str, note("the parameter that names the hexes entered, or without `reach` the last hex")]
    reach: Annotated[str, note('the question that finds the ways of one unit, or ""')] = ""
    reach_parameters: Annotated[Mapping[str, str], note("further parameters of that question")] = {}
    parameters: Annotated[
        Mapping[str, str], note("further parameters of the question itself; {before} and {after} are the two hexes")
    ] = {}
    is_together: Annotated[bool, note("whether units may move together, so that one helps another")] = False
    is_excluded: Annotated[
        Callable[[View, str, str, str], bool] | None,
        note(
            "whether no such move can have brought a unit from one hex to another; None if the ways found are all ways"
        ),
    ] = None


SetAs = Literal["any", "on", "off", "up", "down"]
"""The direction in which a question sets a fact: put on, taken off, or raised or lowered as a number."""


class Sets(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that a question sets on one subject, so that a fact set on a table can be judged.

    The question is asked about the subject. Either its changes give the fact its value, or `value` reads it from the
    report. All questions that set the fact in this direction declare it, or none. In the texts `{subject}`, `{before}` and
    `{after}` stand for the subject and the fact's two values.
    """

    track: Annotated[str, note("the track")]
    subject: Annotated[str, note('the parameter that names the subject, or "" if there is none')] = ""
    parameters: Annotated[
        Mapping[str, str | tuple[str, ...]], note("further parameters; of several values each is tried")
    ] = {}
    value: Annotated[
        Callable[[Report[Any]], Value | None] | None,
        note("the value that a report on one subject gives, None if its changes do"),
    ] = None
    change: Annotated[SetAs, note("the direction in which it sets the fact")] = "any"


class Fights(msgspec.Struct, frozen=True, kw_only=True):
    """A combat that a question decides, so that its results on a table can be judged."""

    at: Annotated[str, note("the parameter that names the attacked hexes")] = "at"
    steps: Annotated[
        tuple[str, ...], note("the steps of a phase in which combats are fought, by their names or questions")
    ] = ("attacks",)
    rules: Annotated[
        Mapping[str, str],
        note(
            "by track, the rule against a value of a unit that the combat leaves as it was; `place` if the combat also "
            "decides who retreats and advances, and `advance` for a unit in the attacked hex"
        ),
    ] = {}


Shown = Moves | Sets | Fights
"""A move, a fact or a combat by which a table shows that a question was played."""


Answering = Callable[[View, P, Answers], Report[R]]
"""A function that reads a view and returns a report.

It raises MissingFacts, or InputError for parameters or answers that are not allowed.
"""
Decision = Callable[[Report[R]], Hashable]
"""A function that returns the values of a report that settle its verdict.

If another value of an assumed fact changes them, the verdict is undecided. A question without a decision is not asked
again with other values.
"""


Consequences = Callable[[View, Sequence[AnyChange]], Iterable[Change]]
"""A function that takes a view and the changes of an answer, and yields further changes that they cause at once."""


class Question(msgspec.Struct, Generic[P, R], frozen=True, kw_only=True):
    """Something that can be asked: its name, its one-line description, its parameters and its result.

    - `decide` may leave out chances and what-if.
    - In `answers`, a last part in capitals is a hex or unit: "to.UNIT".
    - `openings` compares the position before dice with a later one.
    - The annotation of `sketch` has the types of the drawings.
    """

    name: str
    title: str
    parameters: type[P]
    result: type[R]
    answer: Answering[P, R]
    answers: Annotated[Mapping[str, str] | None, note("rolls and choices, with their meaning; None for any")] = None
    sketch: Annotated[
        Callable[[View, Report[R]], Drawable | tuple[Drawable | None, ...] | None] | None,
        note("makes the drawing of an answer"),
    ] = None
    decision: Annotated[Decision[R] | None, note("the values that decide the verdict, or None if there are none")] = (
        lambda report: report.verdict.decided
    )
    decide: Annotated[
        Answering[P, R] | None, note("the answer as far as the decision needs it; by default `answer`")
    ] = None
    openings: Annotated[Callable[[View, View], Iterable[Opening]] | None, note("the signs of its dice in a log")] = None
    shows: Annotated[
        tuple[Shown, ...], note("the moves that it allows, the facts that it sets and the combats that it decides")
    ] = ()
    consequences: Annotated[
        tuple[Consequences, ...],
        note("further changes that its changes cause, as the game registers them for all questions"),
    ] = ()

    def __post_init__(self) -> None:
        if self.sketch and not self.draws:  # `draws` also fails on a name imported only for type checkers
            raise TypeError(f"{self.name}: annotate its sketch with what it returns")

    @property
    def draws(self) -> frozenset[type[Drawable]]:
        """The types of drawings of the question's answers. A `sketch` without an annotation returns a `Sketch`."""
        if self.sketch is None:
            return frozenset()
        from .sketch import Sketch  # loaded late: most answers are not drawn

        return frozenset(_find_types(get_type_hints(_unwrap_function(self.sketch)).get("return", Sketch)))

    @property
    def drawn_as(self) -> frozenset[str]:
        """The kinds of drawings of the question's answers: `picture`, `chart`, `map` (in letters)."""
        return frozenset(way for kind in self.draws for way in kind.DRAWN_AS)

    def draw(self, way: str, view: View, report: Report[R]) -> Drawable | None:
        """Return the drawing of an answer, or None if there is none. `way`: one of `drawn_as`."""
        drawings = self.sketch(view, report) if self.sketch else None
        candidates = drawings if isinstance(drawings, tuple) else (drawings,)
        return next((drawn for drawn in candidates if drawn is not None and way in drawn.DRAWN_AS), None)

    def file_in(self, folder: Traversable) -> str:
        """Return the file of a game's code with the answer function, for messages, or "" if it is not the game's."""
        codes = (getattr(function, "__code__", None) for function in _find_functions(self.answer))
        places = (format_code_place(code.co_filename, code.co_firstlineno, folder) for code in codes if code)
        return next(filter(None, places), "")

    def waits_for(self, name: str) -> bool:
        """Return whether the question may wait for an answer with this name."""
        if self.answers is None:
            return True
        return name in self.answers or any(
            name.startswith(head) and name != head for head in _find_heads(tuple(self.answers))
        )


def _unwrap_function(function: Any) -> Any:
    while isinstance(function, partial):
        function = function.func
    return unwrap(function)


def _find_functions(given: Any) -> Iterator[Any]:
    if isinstance(given, partial):
        given = given.func, *given.args, *given.keywords.values()
    if isinstance(given, tuple):
        for part in given:
            yield from _find_functions(part)
    elif callable(given):
        yield unwrap(given)


def _find_types(hint: Any) -> Iterator[type[Drawable]]:
    parts = get_args(hint)
    if not parts and hint is not NoneType:
        yield hint
    for part in parts:
        yield from _find_types(part)


@cache
def _find_heads(answers: tuple[str, ...]) -> frozenset[str]:
    """Return the beginnings of the names of answers that end in a hex or unit: "to." for "to.UNIT"."""
    return frozenset(re.sub(r"(?<=\.)[A-Z.]+$", "", known) for known in answers) - {*answers}


def declare(
    name: str,
    title: str,
    answer: Callable[..., Report[R]],
    answers: Mapping[str, str] | None = MappingProxyType({}),
    *,
    parameters: type[msgspec.Struct] | None = None,
    decide: Callable[..., Report[R]] | None = None,
    **more: Any,
) -> Question[Any, R]:
    """Return a question, typed by the annotations of its `answer` function.

    The function has one of these forms:

    - `answer(view: View, parameters: P, answers: Answers) -> Report[R]`, without unused parameters
    - `answer(view: View, *, at: PlaceName)`, with `from_` for a parameter `from`

    `answers`: the meanings of the rolls and choices, by name.
    `more`: other fields of the question.

    Raises TypeError for other annotations.
    """
    hints = get_type_hints(answer.func if isinstance(answer, partial) else answer, include_extras=True)
    takes, keywords = _read_signature(answer)
    structs = [parameters] if parameters else [hints.get(name) for name in takes[1:] if name != "answers"]
    parameters_type: Any = Nothing
    if structs:
        parameters_type = structs[0]
    elif keywords:
        parameters_type = _make_parameters(name, keywords, hints)
    results = get_args(hints.get("return"))
    if not isinstance(parameters_type, type) or not issubclass(parameters_type, msgspec.Struct) or len(results) != 1:
        raise TypeError(f"{name}: annotate its answer as (view: View, parameters: P, answers: Answers) -> Report[R]")
    return Question(
        name=name,
        title=title,
        parameters=parameters_type,
        result=results[0],
        answer=_adapt_answer(answer),
        answers=answers,
        decide=_adapt_answer(decide) if decide else None,
        **more,
    )


def _read_signature(answer: Callable[..., Any]) -> tuple[list[str], list[Parameter]]:
    """Return the function's required positional parameters by name, and its keyword parameters if it has no struct."""
    all_parameters = signature(answer).parameters.values()
    positional = [parameter for parameter in all_parameters if parameter.kind is not parameter.KEYWORD_ONLY]
    takes = [parameter.name for parameter in positional if parameter.default is parameter.empty]
    structs = any(name != "answers" for name in takes[1:])
    return takes, [] if structs else [
        parameter for parameter in all_parameters if parameter.kind is parameter.KEYWORD_ONLY
    ]


def _adapt_answer(answer: Callable[..., Report[R]]) -> Answering[Any, R]:
    """Return the function in the form that `Question` calls; it passes on only the arguments of the original."""
    takes, keywords = _read_signature(answer)

    @wraps(answer)  # so that an error names the line of the game's own function
    def answer_with_what_it_takes(view: View, parameters: Any, answers: Answers) -> Report[R]:
        values = ((parameter, getattr(parameters, parameter.name)) for parameter in keywords)
        keyword_arguments = {parameter.name: value for parameter, value in values if value != parameter.default}
        arguments = [view, *(answers if name == "answers" else parameters for name in takes[1:])]
        return answer(*arguments[: len(takes)], **keyword_arguments)

    return answer if len(takes) > 2 and not keywords else answer_with_what_it_takes


def _make_parameters(name: str, keywords: Iterable[Parameter], hints: Mapping[str, object]) -> type[msgspec.Struct]:
    defaults = {
        parameter.name: msgspec.NODEFAULT if parameter.default is parameter.empty else parameter.default
        for parameter in keywords
    }
    fields = [
        (field, hints.get(field, Any), msgspec.field(default=default, name=field.rstrip("_")))
        for field, default in defaults.items()
    ]
    namespace = {"__doc__": f"What `{name}` is asked about."}
    return msgspec.defstruct(
        f"{name.title()}Parameters", fields, bases=(Parameters,), namespace=namespace, frozen=True, kw_only=True
    )


def answer_question(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R]:
    """Return the report that answers a question, with every doubt that it depends on.

    Hidden facts are tried at their weakest and at their strongest. The verdict is undecided if the two answers differ,
    facts are missing, or assumed facts matter; other assumptions are cautions.

    Raises InputError for impossible parameters and answers, TooMuch for too many assumptions.
    """
    report = _answer_over_range(question, view, parameters, answers)
    if not report.asks:
        return report
    return msgspec.structs.replace(report, asks=sort_as_printed(report.asks, view.game.printed_order))


def _answer_over_range(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R]:
    _refuse_others(question, answers)
    weakest = view if view.end == "weakest" else view.at_its("weakest")
    lower = _answer_at_end(question, weakest, parameters, answers)
    if not weakest.premises.supposes:
        if isinstance(lower, InputError):
            raise lower
        return lower
    strongest = view.at_its("strongest")
    upper = _answer_at_end(question, strongest, parameters, answers)
    if isinstance(lower, InputError):
        if isinstance(upper, InputError):
            raise upper
        lower = _report_undecided(question, weakest, "undecided: {why}", {"why": lower.what})
    if isinstance(upper, InputError):
        upper = _report_undecided(question, strongest, "undecided: {why}", {"why": upper.what})
    from .ranges import add_as_seen, merge_ends  # loaded late: in most games nothing is hidden

    report = merge_ends(lower, upper, bounded=not answers)
    seen = view.at_its("seen")
    as_seen = _answer_at_end(question, seen, parameters, answers)
    return report if isinstance(as_seen, InputError) else add_as_seen(report, as_seen, blind=seen.read_unseen_alone)


def decide(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R]:
    """Return the question's own answer as far as its verdict depends on it, with assumed facts taken as stated.

    Raises MissingFacts, and InputError for parameters and answers that are not allowed.
    """
    _refuse_others(question, answers)
    return _call_answer(question, view, parameters, answers, briefly=True)


def _refuse_others(question: Question[P, R], answers: Answers) -> None:
    for name in answers:
        if not question.waits_for(name):
            hint = format_suggestion(name, question.answers or ())
            raise AnswerError(name, InputError(f"{question.name} does not ask for it", hint=hint))


def _answer_at_end(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R] | InputError:
    try:
        return _ask_as_supposed(question, view, parameters, answers)
    except (PluginError, TooMuch, MachineError):
        raise
    except InputError as error:  # the supposed position may be impossible
        return error


def _ask_as_supposed(question: Question[P, R], view: View, parameters: P, answers: Answers) -> Report[R]:
    try:
        report = _call_answer(question, view, parameters, answers)
    except MissingFacts as missing:
        return report_missing(question, view, missing)
    with _blame_game(view.game, f"try what is assumed in {question.name}", question):
        deciding = _find_deciding(
            view,
            report,
            question.decision,
            lambda other: _call_answer(question, other, parameters, answers, briefly=True),
        )
    asked = {"title": report.title, **{name: getattr(parameters, name) for name in parameters.__struct_fields__}}
    with _blame_game(view.game, f"say what follows from {question.name}", question):
        changes = (*report.changes, *settle_owed(view, report, question.name, asked))
        changes += tuple(change for find in question.consequences for change in find(view, changes)) if changes else ()
        changes += tuple(end_left_behind(view, changes))
        follows = word_consequences(view, changes)
    what_follows = Part(FOLLOWS, tuple(consequence.step for consequence in follows), "")
    report = msgspec.structs.replace(report, parts=(*report.parts, what_follows), changes=changes, follows=follows)
    rests_on = view.premises.find_placeholders(
        view.game, view.board, (asked, *(step.figures for step in list_steps(report)))
    )
    answered = msgspec.structs.replace(
        report,
        game=view.game.id,
        question=question.name,
        verdict=_mark_depending(view, report.verdict, deciding),
        cautions=(*report.cautions, *_list_cautions(view, deciding)),
        parts=(*_add_granted(report.parts, view), *_list_rulings(view)),
        done=tuple(format_change(change, view.game.tracks) for change in report.changes),
        books=_find_books(report, view.game),
        noted=_find_noted(report, view.game),
        viewpoint=find_viewpoint(view),
        viewpoint_title=viewpoint_title(view),
    )
    return replace_placeholders(answered, rests_on)


class _Deciding(NamedTuple):
    key: FactKey
    other: Value
    """Another value of the fact."""
    then: str
    """The verdict with that value."""


def _find_deciding(
    view: View,
    report: Report[Any],
    decision: Callable[[Report[Any]], Hashable] | None,
    again: Callable[[View], Report[Any]],
) -> tuple[_Deciding, ...]:
    """Return the assumed facts whose other values would change the decision.

    `decision`: returns the part of a report that counts; None if no value matters.
    `again`: asks the same question of another view.

    Raises TooMuch if there are too many values to try.
    """
    if decision is None:
        return ()
    values = {
        key: view.game.tracks[key[0]].alternatives(fact.value)
        for key, fact in view.premises.facts.items()
        if fact.assumed
    }
    # each value is tried by asking the question again
    readings = sum(map(len, values.values())) * len(view.premises.facts)
    if readings > Limit.DOUBTS.most:
        error = Limit.DOUBTS.error(
            f"trying other values of {format_count(len(values), 'assumed fact')} reads", readings
        )
        error.hint = f"state some of them without the question mark, or {error.hint}"
        raise error
    first_decision = decision(report)

    def consequence(key: FactKey, value: Value) -> str:
        try:
            supposed = view.supposing({key: value})
        except MachineError:
            raise
        except InputError:  # no position can have this value
            return ""
        try:
            answer = again(supposed)
        except PluginError:
            raise
        except InputError as error:
            return error.what
        except MissingFacts:
            return "more facts would be needed"
        finally:
            supposed.forget()  # frees memory before the next value
        return "" if decision(answer) == first_decision else answer.verdict.text

    def deciding(key: FactKey) -> Iterator[_Deciding]:
        for value in values[key]:
            if consequence_text := consequence(key, value):
                yield _Deciding(key, value, consequence_text)
                return

    # The premises are set aside for the whole search: results shared with other views may still read from this view.
    premises, view.premises = view.premises, Premises()
    try:
        return tuple(fact for key in values for fact in deciding(key))
    finally:
        view.premises = premises


def _mark_depending(view: View, verdict: Verdict, deciding: Sequence[_Deciding]) -> Verdict:
    """Return the verdict, or an undecided one that names the assumed facts on which it depends."""
    if not deciding or verdict.kind == "undecided":
        return verdict
    subjects_by_value: dict[tuple[str, str], list[str]] = {}
    for (track, subject), _, _ in deciding:
        declared = view.game.tracks[track]
        fact = view.premises.facts[track, subject]
        subjects_by_value.setdefault((track, declared.write(fact.value)), []).append(subject)
    facts = list[str]()
    identity = [key for key in subjects_by_value if key[0] in view.game.file.notation.identity]
    if len(identity) > 1:
        titles = dict.fromkeys(view.game.tracks[track].title for track, _ in identity)
        units = dict.fromkeys(unit for key in identity for unit in subjects_by_value.pop(key))
        facts.append(f"{format_list(titles)} of {_format_subjects([*units])} are as assumed")
    facts += [
        _format_assumption(view.game.tracks[track], value, subjects)
        for (track, value), subjects in [*subjects_by_value.items()][:_MAX_DEPENDING_NAMED]
    ]
    if more_count := sum(map(len, [*subjects_by_value.values()][_MAX_DEPENDING_NAMED:])):
        facts.append(f"{format_count(more_count, 'more assumption')} {'holds' if more_count == 1 else 'hold'}")
    figures = {"verdict": verdict.text, "facts": facts, "about": [list(key) for key, _, _ in deciding]}
    return Verdict("undecided", DEPENDING, figures)


def _format_assumption(track: Track, value: str, subjects: Sequence[str]) -> str:
    """Return facts of one track and value in words, facts of the ground as in notation."""
    has_several = len(subjects) > 1
    subjects_text = _format_subjects(subjects)
    title = short_title(track.title)
    if track.on not in ("hex", "hexside") or track.written != "{}":
        return f"{title}{f' of {subjects_text}' if subjects[0] else ''} is {value}"
    if value == "none" or value.startswith("no-"):
        return f"{subjects_text} {'have' if has_several else 'has'} no {title}"
    return f"{subjects_text} {'are' if has_several else 'is'} {value}"


def _format_subjects(subjects: Sequence[str]) -> str:
    return subjects[0] + (f" and {len(subjects) - 1} more" if len(subjects) > 1 else "")


def _find_books(report: Report[Any], game: Game) -> tuple[str, ...]:
    tracks = {change.track for change in report.changes if not isinstance(change, Enter | Leave)} - {*BUILT_IN_TRACKS}
    books = sorted(name for name in tracks & game.tracks.keys() if game.track(name).on in ("nation", "side", "game"))
    if not books:
        return ()
    from ..game.events import read_events  # loaded late: most answers touch no account

    return tuple(books) if read_events(game).event else ()


def _find_noted(report: Report[Any], game: Game) -> tuple[str, ...]:
    tracks = {change.track for change in report.changes if not isinstance(change, Enter | Leave)} & game.tracks.keys()
    return tuple(sorted(name for name in tracks if game.track(name).ends_with and game.track(name).module is None))


def _add_granted(parts: tuple[Part, ...], view: View) -> Iterator[Part]:
    premises = view.premises
    if not any(part.title == TAKEN_FOR_GRANTED for part in parts):
        parts = (*parts, Part(TAKEN_FOR_GRANTED, ()))
    for part in parts:
        if part.title == TAKEN_FOR_GRANTED:
            brief = "; ".join(filter(None, (part.brief, *premises.assumed_aloud)))
            part = Part(part.title, (*part.steps, *premises.assumptions), brief)
        if part.steps:
            yield part


def report_missing(question: Question[P, R], view: View, missing: MissingFacts) -> Report[R]:
    """Return the report if facts are missing. It lists all of them and how to state each."""
    text = MISSING_ONE if len(missing.asks) == 1 else MISSING
    report = _report_undecided(question, view, text, {"missing": len(missing.asks)})
    parts = (*missing.parts, *_list_rulings(view)) if missing.parts else ()
    at_once = state_at_once(view, [ask.key[0] for ask in missing.asks if ask.kind == "fact" and ask.key])
    parts = (*parts, Part(PAPER_MAP, at_once)) if at_once else parts
    return msgspec.structs.replace(report, parts=parts, asks=missing.asks)


def _report_undecided(question: Question[P, R], view: View, template: str, figures: Mapping[str, object]) -> Report[R]:
    undecided: Report[R] = Report(
        game=view.game.id,
        question=question.name,
        title=f"{question.name}: {question.title}",
        verdict=Verdict("undecided", template, figures),
        cautions=tuple(_list_cautions(view)),
        viewpoint=find_viewpoint(view),
        viewpoint_title=viewpoint_title(view),
    )
    return replace_placeholders(undecided, view.premises.find_placeholders(view.game, view.board, ()))


def find_viewpoint(view: View) -> str:
    """Return the viewpoint of an answer, or "" if the game or the position hides nothing."""
    state = view.state
    limited = view.game.hiding.limits(state.facts) is not None or state.tracks & {MASKED, INVISIBLE}
    return state.seen_by or (UNLIMITED if limited and not state.tracks & {UNSEEN, HIDDEN} else "")


def viewpoint_title(view: View) -> str:
    """Return the name of the side whose knowledge the view has, or "" if it has all."""
    seen_by = view.state.seen_by
    return view.game.file.title_of(seen_by) if is_limited(seen_by) else ""


def _call_answer(
    question: Question[P, R], view: View, parameters: P, answers: Answers, *, briefly: bool = False
) -> Report[R]:
    """Return the question's own answer; an unexpected exception becomes an error that names the plugin.

    `briefly`: whether to compute only what the decision needs.
    """
    answer = question.decide if briefly and question.decide else question.answer
    game = view.game
    doing = f"answer {question.name}"
    with _blame_game(game, doing, question):
        report = answer(view, parameters, answers)
    if not isinstance(report, Report):  # for example, an answer without `return`
        code = getattr(_unwrap_function(answer), "__code__", None)
        place = format_code_place(code.co_filename, code.co_firstlineno, game.folder) if code else ""
        kind = "None" if report is None else f"of the type {type(report).__name__}"
        fault = f"its answer is {kind}, not a Report; does it end with `return Report(...)`?"
        raise word_plugin_error(game.id + game.made_by, TypeError(fault), doing, place or question.file_in(game.folder))
    for ask in report.asks:
        if ask.kind in ("roll", "choice") and not question.waits_for(ask.name):
            error = CodeError(f"it asks for {ask.name!r}, which its answers do not name", "add it to `answers`")
            raise word_plugin_error(game.id + game.made_by, error, doing, question.file_in(game.folder))
    return report


def draw_safely(game: Game, draw: Callable[[], T]) -> T:
    """Return the drawing that a game's code makes of an answer.

    Raises PluginError, which names the game, for any error except InputError.
    """
    with _blame_game(game, "draw its answer", passes=(InputError,)):
        return draw()


@contextmanager
def _blame_game(
    game: Game,
    doing: str,
    question: Question[Any, Any] | None = None,
    *,
    passes: tuple[type[Exception], ...] = (InputError, MissingFacts),
) -> Iterator[None]:
    """Turn errors of the game's code in the block into a PluginError.

    `doing`: the words for what fails.
    `question`: the question whose file is named if the traceback has no line of the game.
    `passes`: errors that are not changed.
    """
    try:
        yield
    except passes:
        raise
    except Exception as error:  # a plugin may raise anything; the message must say whose fault it is
        if is_of_the_machine(error):
            raise
        line = find_failed_line(error, game.folder) or (question.file_in(game.folder) if question else "")
        raise word_plugin_error(game.id + game.made_by, error, doing, line) from error


def _list_cautions(view: View, deciding: Iterable[_Deciding] = ()) -> list[Step]:
    cautions = []
    stated_elsewhere: dict[str, list[str]] = {}
    deciding_by_fact = {alternative.key: alternative for alternative in deciding}
    says_elsewhere = bool(view.state.elsewhere)
    for (name, subject), fact in view.premises.facts.items():
        if fact.assumed:
            track = view.game.track(name)
            figures = {"fact": format_fact(track.title, subject), "value": track.write(fact.value)}
            text = "assumed: {fact}: {value}"
            if alternative := deciding_by_fact.get((name, subject)):
                figures |= {"other": track.write(alternative.other), "then": alternative.then}
                text += "; with {other}: {then}"
            cautions.append(Step(track.rule, text, figures))
        if says_elsewhere and view.is_elsewhere((name, subject), fact):
            stated_elsewhere.setdefault(name, []).append(subject)
    if stated_elsewhere:
        elsewhere = {name: view.game.track(name).word(view.state.elsewhere[name].value) for name in stated_elsewhere}
        counted = [format_fact_count(elsewhere[name], len(about)) for name, about in stated_elsewhere.items()]
        cautions.append(Step("", "stated of all other hexes: {elsewhere}", {"elsewhere": counted}))
    rule = view.game.file.intelligence.rule if view.game.file.intelligence else ""
    if view.premises.unseen:
        cautions.append(Step(rule, "not all units can be seen at {places}", {"places": list(view.premises.unseen)}))
    unknown: dict[str, list[str]] = {}
    for name, subject in view.premises.supposed:
        unknown.setdefault(subject, []).append(view.game.track(name).title)
    for unit, facts in unknown.items():
        cautions.append(Step(rule, "unknown for {unit}: {facts}", {"unit": unit, "facts": facts}))
    others = {
        item.about: None for item in view.state.unread if item.shown and (item.track, item.about) in view.premises.facts
    }
    if others:
        cautions.append(Step("", OTHER_FIGURES, {"units": list(others)}))
    read = {subject for _, subject in view.premises.facts}
    if doubted := [item.about for item in view.state.unread if item.doubted and item.about in read]:
        cautions.append(Step("", DOUBTED_UNITS, {"units": doubted}))
    if unread := [item for item in view.state.unread if not (item.shown or item.doubted)]:
        count = {"unread": len(unread)}
        cautions.append(Step("", "{unread:#item} in the file not understood: see `assistant check`", count))
    return cautions


def _list_rulings(view: View) -> list[Part]:
    steps = []
    for name, reading in view.premises.rulings.items():
        ruling = view.game.rulings[name]
        figures = {"doubt": ruling.doubt, "meaning": ruling.readings[reading], "ruling": name, "reading": reading}
        steps.append(Step(ruling.rule, "{doubt}: {meaning} (ruling {ruling}={reading})", figures))
    brief = ", ".join(f"{name}={reading}" for name, reading in view.premises.rulings.items())
    return [Part(RULINGS, tuple(steps), brief)] if steps else []
