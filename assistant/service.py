"""The library's functions: read a position, ask about it, draw and write the answer.

`import assistant` exports the public names; "The library" in the handbook shows them at work.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from .asking import question as questions
from .asking.parameters import read_parameters
from .asking.recent_answers import Inquiry, current_answers
from .asking.report import MissingFacts, Part, Report, Step
from .asking.view import View
from .drawing import WRITERS, Picture
from .formats.notation import read_notation, read_on
from .formats.positions import Asked, Position, position_name
from .formats.vassal import ENDINGS
from .game.course import SCENARIO
from .game.games import Game
from .game.viewpoint import reduce_state
from .installed.formats import read_position
from .installed.registry import make_game_loader, question_of, questions_of
from .state.state import EVERYTHING, is_limited
from .util.console import Watch, unwatched
from .util.errors import InputError, Where, located
from .util.limits import Limit, kept_private

if TYPE_CHECKING:
    from .asking.builtin.comparison import Comparison
    from .asking.question import Question
    from .asking.sketch import Drawable, Sketch
    from .drawing.scene import Rows, Scene
    from .drawing.situation import OverMap
    from .formats.links import PositionLink

T = TypeVar("T")
_NOTHING: Mapping[str, Any] = MappingProxyType({})
"""The default for no parameters or answers."""


def read(file: str | os.PathLike[str], *, side: str = "", game: Game | None = None) -> Position:
    """Return the position in a file: position notation (.pos, .txt), JSON (.json), a VASSAL save or log (.vsav, .vlog),
    or a link to a position.

    `side`: the side whose knowledge the position is cut down to, or "umpire".
    `game`: a game loaded from a folder, which the file may name.

    Raises InputError, often with line and column, if the file, game or side is unusable.
    """
    return read_as(os.fspath(file), None, make_game_loader(game), side)


def read_as(named: str, data: bytes | None, load_game: Callable[[str], Game], side: str) -> Position:
    """Return the position in a file as `read` does. `data`: the file's content if it has been read already."""
    name = position_name(named)
    with kept_private(name, limited=is_limited(side)):
        position = read_position(
            named,
            data,
            load_game,
            cut=lambda game, state: reduce_state(game, state, side or state.seen_by or EVERYTHING),
            moment=None if data is None else "",
        )
    check_size(position, name)
    return position


def check_size(position: Position, name: str) -> None:
    """Raise InputError if the position from the file `name` has more units than the limits allow."""
    units = position.state.units.values()
    with located(Where(name)):
        if Path(name).suffix.lower() not in ENDINGS:
            Limit.UNITS.check(len(units), "it holds")
        else:
            highest = max(Counter(unit.place for unit in units if unit.place).values(), default=0)
            Limit.PIECES.check(len(units), "it holds")
            Limit.STACK.check(highest, "a stack holds")


def parse(text: str, position: Position | None = None, *, game: Game | None = None) -> Position:
    """Return the position that lines of position notation state ("Position notation" in the handbook).

    `position`: a position in which the lines replace facts, questions and stacks. Without it, the first line names the
    game.
    `game`: a game loaded from a folder, which that line may name.

    Raises InputError with line and column if a line is not valid notation or names something that the game does not
    have.
    """
    if position is None:
        return read_notation(text.encode(), "text", make_game_loader(game))
    with located(Where("text")):
        after = read_on(text, msgspec.structs.replace(position, asks=(), answers={}), "text")
    if after.asks:
        return after
    return position.with_state(after.state).answered(after.answers, after.marks)


def ask(
    position: Position,
    question: str | Asked = "",
    /,
    answers: Mapping[str, object] = _NOTHING,
    *,
    watch: Watch = unwatched,
    **parameters: object,
) -> Report[Any]:
    """Return the report that answers a question about a position. If it is "undecided", its `asks` name what is
    missing.

    `question`: the name, or one of `position.asks`; by default the first of them.
    `answers`: dice and choices, such as `{"crt": "2+5"}`; they replace answers of the position.
    `parameters`: with `_` for a hyphen, and `from_` for `from`; they replace parameters of the position.

    In a block of `keeping_answers`, the answer is worked out only if it is not among the recent ones. The same report is
    then returned again, so do not change it.

    Raises InputError for whatever is unknown or impossible.
    """
    asked = resolve_question(position, question, parameters)
    recent = current_answers()

    def work_out() -> Report[Any]:
        parts = recent.parts_of(position) if recent else None
        view = View(position.game, position.state, watch=watch, past=position.past, parts=parts)
        try:
            return answer_in_view(view, position, asked, answers)
        finally:
            view.forget()

    if recent is None:
        return work_out()
    try:
        own_answers = answers_to(position, asked)
    except InputError:  # an unknown question
        return work_out()
    inquiry = Inquiry.of(position, asked.question, asked.parameters, {**own_answers, **_write_answers(answers)})
    return recent.recall(inquiry, work_out)


def _write_answers(answers: Mapping[str, object]) -> dict[str, str]:
    """Return the answers that a caller gives as typed."""
    return {name: str(value) for name, value in answers.items()}


def answer_in_view(
    view: View, position: Position, asked: Asked, answers: Mapping[str, object] = _NOTHING
) -> Report[Any]:
    """Return the report that answers a question, as `ask` does, and note in `view` what was read."""
    typed = _write_answers(answers)
    # an error in an answer given by the caller is not located in the file
    marks = position.marks_of(asked).items()
    with locate_errors({name: where for name, where in marks if name not in typed or name in asked.parameters}):
        definition = question_of(position.game, asked.question)
        try:
            parameters = read_parameters(definition, view, asked.parameters)
        except MissingFacts as missing:
            return questions.report_missing(definition, view, missing)
        report = questions.answer_question(definition, view, parameters, {**answers_to(position, asked), **typed})
    if not report.reasons:
        return report
    from .asking.remedies import with_remedies  # loaded late: most answers are decided

    return with_remedies(definition, view, asked.parameters, report)


def compare(before: Position, after: Position, *, called: tuple[str, str] = ("before", "after")) -> Report[Comparison]:
    """Return the report on the differences between two positions of one game: moves, losses, arrivals and changed
    facts.

    `called`: the report's names for the two positions.

    Raises InputError if the positions are of different games, on different drawn boards, or seen by different sides.
    """
    if before.game.id != after.game.id:
        raise InputError(f"{called[0]} is a position of {before.game.title}, {called[1]} one of {after.game.title}")
    from .asking.builtin.comparison import report_differences  # loaded late: most questions are about one position

    return report_differences(after.game, before.state, after.state, called)


def resolve_question(position: Position, question: str | Asked, parameters: Mapping[str, object]) -> Asked:
    """Return the question to answer, with these parameters in place of its own of the same name.

    `question`: the name, for which the position may state parameters; one of `position.asks`; or "" for their first.

    Raises InputError if `question` is "" and the position asks no question.
    """
    if isinstance(question, Asked):
        asked = question
    elif question:
        asked = next((posed for posed in position.asks if posed.question == question), Asked(question, {}))
    elif position.asks:
        asked = position.asks[0]
    else:
        raise InputError(
            "this position asks no question", hint="name a question, or write a line: ask QUESTION name=value ..."
        )
    if not parameters:
        return asked
    own_and_given = (*asked.parameters.items(), *((name, _type_value(value)) for name, value in parameters.items()))
    merged = {name.rstrip("_").replace("_", "-"): value for name, value in own_and_given}
    # without marks: an error in a parameter given by the caller is not located in the file
    return Asked(asked.question, merged, answers=asked.answers)


def _type_value(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_type_value(item) for item in value]
    return str(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value


def answers_to(position: Position, asked: Asked) -> dict[str, str]:
    """Return the answers in a position that are meant for a question.

    An answer below a question that waits for it is meant for that question alone. Other answers count if this question
    waits for them, or no question does; if the position asks other questions only, just the answers below this one
    count.

    Raises InputError if the game does not know the question.
    """
    question_of(position.game, asked.question)

    def waits_for(question: str, name: str) -> bool:
        with suppress(InputError):  # an unknown question in the file waits for no answer
            return question_of(position.game, question).waits_for(name)
        return False

    return position.answers_to(asked, waits_for)


@contextmanager
def locate_errors(marks: Mapping[str, Where]) -> Iterator[None]:
    """Add the place in the file to an error raised in the block.

    `marks`: places by the name of a parameter or answer, and "" for an error that names neither.
    """
    try:
        yield
    except InputError as error:
        name = getattr(error, "name", "")
        if name in marks:
            error.at(marks[name])
        raise


def pose_question(position: Position, asked: Asked, answers: Mapping[str, str]) -> Position:
    """Return the position with this question alone and its answers; `answers` replace those of the position."""
    own_answers = answers_to(position, asked)
    asks = (Asked(asked.question, asked.parameters),)
    return Position(position.game, position.state, asks, {**own_answers, **answers}, past=position.past)


def check_asked(position: Position, asked: Asked) -> None:
    """Raise InputError if the game does not know the question, or the question does not allow a parameter."""
    with locate_errors(asked.marks), suppress(MissingFacts):
        question = question_of(position.game, asked.question)
        read_parameters(question, View(position.game, position.state), asked.parameters)


def check_position(position: Position) -> Report[Any]:
    """Return the report on what was understood of a position, with its questions and their answers so far.

    In a position seen by a side, questions and answers are left out, as the side may not be meant to know them.

    Raises InputError if the game does not know a question, or a question does not allow a parameter.
    """
    from .formats.notation_writer import write_questions

    position = handed_on(position)
    for asked in position.asks:
        check_asked(position, asked)
    report = ask(position, "check")
    lines = list[str]()
    report = msgspec.structs.replace(report, parts=(*report.parts, *_list_scenario_parts(position)))
    with suppress(InputError):  # some positions cannot be written as notation
        lines = write_questions(position)
    steps = tuple(Step("", "{asked}", {"asked": line}) for line in lines)
    return msgspec.structs.replace(report, parts=(*report.parts, Part("Asked", steps))) if steps else report


def _list_scenario_parts(position: Position) -> tuple[Part, ...]:
    """Return `scenario_parts` if the scenario is from the owner's pack, or unknown and could only be from there."""
    game = position.game
    stated = position.state.facts.get((SCENARIO, ""))
    scenario = str(stated.value) if stated else ""
    known = scenario in game.setups
    is_owners = scenario and (game.set_up(scenario).is_owners if known else not game.tracks[SCENARIO].values)
    return scenario_parts(position, scenario) if is_owners else ()


def scenario_parts(position: Position, scenario: str) -> tuple[Part, ...]:
    """Return the differences of a position from a scenario of the owner's pack, and the scenario's gaps.

    The game's question `scenario` tells both. For a game without that question, only the gaps are listed.

    Raises InputError if a file of the scenario cannot be read.
    """
    if SCENARIO in questions_of(position.game):
        return tuple(part for part in ask(position, SCENARIO, scenario=scenario).parts if part.steps)
    from .rules.scenarios import LACKS, scenario_gaps  # loaded late: few questions are about a scenario

    gaps = tuple(gap.step for gap in scenario_gaps(position.game, scenario))
    return (Part(LACKS, gaps),) if gaps else ()


def picture(position: Position, report: Report[Any] | None = None, ending: str = ".svg", *, part: int = 0) -> Picture:
    """Return a picture of the hexes that a report is about, or without a report, of the hexes with units.

    `ending`: .svg, .pdf or .png.
    `part`: the number of one of the report's `parts`, or 0 to draw all.

    Raises InputError if there is nothing to draw, or the suffix or part is unknown.
    """
    from .drawing.answer import draw_scene  # loaded late: most answers are not drawn
    from .drawing.sketch.scene import standing_scene

    written = _find_writer(ending)
    if report is not None:
        return written(_draw(position, report, "picture", lambda view, drawn: draw_scene(view, drawn, part)))
    if part:
        raise InputError("this picture has no parts", hint="leave out the part")
    view = View(position.game, position.state)
    return written(questions.draw_safely(position.game, lambda: standing_scene(view)))


Position._draw = picture


def picture_and_parts(
    position: Position, report: Report[Any], ending: str = ".svg", *, part: int = 0
) -> tuple[Picture, tuple[str, ...]]:
    """Return what `picture` and `parts` return, from one sketch of the report. Raises InputError as `picture` does."""
    from .drawing.answer import draw_scene, parts_of  # loaded late: most answers are not drawn

    written = _find_writer(ending)

    def draw(view: View, drawn: Drawable) -> tuple[Scene, tuple[str, ...]]:
        return draw_scene(view, drawn, part), parts_of(view, drawn)

    scene, titles = _draw(position, report, "picture", draw)
    return written(scene), titles


def parts(position: Position, report: Report[Any]) -> tuple[str, ...]:
    """Return the titles (armies and hexes) of the parts of the front that can be drawn one by one, each to fit a page.

    There are none if the report's picture does not show a front. Raises InputError if there is nothing to draw.
    """
    from .drawing.answer import parts_of  # loaded late: most answers are not drawn

    return _draw(position, report, "picture", parts_of)


def sketch(position: Position, report: Report[Any]) -> Sketch | None:
    """Return the content of an answer's picture as plain values, or None if it has none or facts are missing."""
    from .asking.sketch import Sketch  # loaded late: most answers are not drawn

    drawn = drawable(position, report) if Sketch in question_of(position.game, report.question).draws else None
    return drawn if isinstance(drawn, Sketch) else None


def drawable(position: Position, report: Report[Any]) -> Drawable | None:
    """Return the content of an answer's picture of any kind, or None if it has none or facts are missing."""
    question = question_of(position.game, report.question)
    if "picture" not in question.drawn_as or report.drawable is None:
        return None
    view = View(position.game, position.state)
    return questions.draw_safely(position.game, lambda: question.draw("picture", view, report))


def over_map(position: Position, report: Report[Any]) -> OverMap | None:
    """Return the content of a report's picture to lay over a map drawn by another program, or None if it shows no map.

    Raises InputError if there is nothing to draw.
    """
    from .drawing.answer import draw_over_map  # loaded late: most answers are not drawn

    return _draw(position, report, "picture", draw_over_map)


def text_map(position: Position, report: Report[Any], width: int = 80) -> Rows:
    """Return the hexes that a report is about as rows of letters, for a terminal of `width` columns.

    Raises InputError if there is nothing to draw, or the drawing is too wide.
    """
    from .drawing.answer import draw_letters  # loaded late: most answers are not drawn

    return _draw(position, report, "map", lambda view, drawn: draw_letters(view, drawn, width))


def chart(position: Position, report: Report[Any], ending: str = ".svg") -> Picture:
    """Return the chances of a report as a picture. `ending`: .svg, .pdf or .png.

    Raises InputError if there are no chances, or the suffix is unknown.
    """
    from .drawing.answer import draw_scene  # loaded late: most answers are not drawn

    return _find_writer(ending)(_draw(position, report, "chart", draw_scene))


def refuse_undrawn(question: Question[Any, Any], what: str) -> None:
    """Raise InputError if a question's answers are never drawn as `what`: "picture", "chart" or "map"."""
    if what not in question.drawn_as:
        others = [f"--{name}" for name in _DRAWING_NAMES if name in question.drawn_as]
        hint = f"it has {' and '.join(others)}" if others else "its answer is text alone"
        raise InputError(f"{question.name} has no {_DRAWING_NAMES[what]}", hint=hint)


_DRAWING_NAMES = {"picture": "picture", "chart": "chart", "map": "map in letters"}
"""The kinds of drawings, with their names in messages."""


def _draw(position: Position, report: Report[Any], what: str, make: Callable[[View, Drawable], T]) -> T:
    """Return what `make` draws of a report.

    `what`: the kind of drawing: "picture", "chart" or "map".

    Raises InputError if the question has no drawing of this kind, or there is nothing to draw.
    """
    question = question_of(position.game, report.question)
    refuse_undrawn(question, what)
    view = View(position.game, position.state)

    def draw() -> T:
        drawn = question.draw(what, view, report) if report.drawable is not None else None
        if drawn is None:
            raise _explain_no_drawing(report, what)
        return make(view, drawn)

    return questions.draw_safely(position.game, draw)


def _explain_no_drawing(report: Report[Any], what: str) -> InputError:
    missing = report.drawable is None and bool(report.asks)
    hint = f"state what is missing, which the answer without --{what} lists" if missing else f"leave out --{what}"
    return InputError(
        f"there is nothing to draw as a {_DRAWING_NAMES[what]} in this answer to {report.question}", hint=hint
    )


def _find_writer(ending: str) -> Callable[[Scene], Picture]:
    if ending not in WRITERS:
        raise InputError(f"{ending!r} is not a known picture ending", hint=f"known: {', '.join(WRITERS)}")
    return lambda scene: Picture(WRITERS[ending](scene))


def notation(position: Position) -> str:
    """Return a position as position notation.

    Raises InputError if notation cannot express it, because of a unit with another name than its type, or special
    characters in a name.
    """
    from .formats.notation_writer import write_notation  # loaded late: most positions are read alone

    return write_notation(position)


def link(position: Position, *, asked_by_side: bool = False) -> PositionLink:
    """Return a link to a position, its questions and answers: the fragment behind a page's address, and what it omits.

    `asked_by_side`: whether a side that sees the position asked the questions itself. Otherwise its link omits them.

    Raises InputError if notation cannot express the position.
    """
    from .formats.links import PositionLink, write_link

    shared = position if asked_by_side else handed_on(position)
    fragment, left_out = write_link(shared)
    posed = () if shared is position else ("questions and answers: their author may have known more than this side",)
    return PositionLink(fragment, (*posed, *left_out))


def handed_on(position: Position) -> Position:
    """Return a position as it may be given to others.

    A position seen by a side loses its questions and answers: the author of its file may have known more than the side.
    """
    if not is_limited(position.state.seen_by) or not (position.asks or position.answers):
        return position
    return msgspec.structs.replace(position, asks=(), answers={}, marks={})


def to_json(answer: Position | Report[Any]) -> str:
    """Return a position or a report as JSON.

    `assistant schema` and `assistant questions GAME --json` print the schemas.
    """
    if isinstance(answer, Position):
        from .formats.json_state import write_json

        return write_json(answer).decode()
    from .asking.schemas import report_json

    return report_json(answer).decode()


def check_position_file(file: Path, *, force: bool = False) -> None:
    """Raise InputError if the file's suffix is wrong, or the file exists and `force` is not set."""
    if file.suffix.lower() not in (".pos", ".json"):
        hint = "an answer about a VASSAL save or log can also go into NAME.vsav or NAME.vlog"
        raise InputError("a position is written as NAME.pos or NAME.json", where=Where(str(file)), hint=hint)
    from .util.writing import check_free  # loaded late: most answers are not written

    check_free(file, force=force)


def write(position: Position, file: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a position into a file, whole or not at all, as notation (.pos) or JSON (.json).

    Raises InputError if the suffix is another one, the file exists without `force` or cannot be written, or notation
    cannot express the position.
    """
    path = Path(file)
    check_position_file(path, force=force)
    data = to_json(position) if path.suffix.lower() == ".json" else notation(position)
    from .util.writing import write_whole

    write_whole(path, data.encode(), force=force)
