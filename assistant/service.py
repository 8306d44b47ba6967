"""What a program, the command line and the table prompt do: read a position, ask about it, draw and write the answer.

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
"""No parameters or answers."""


def read(file: str | os.PathLike[str], *, side: str = "", game: Game | None = None) -> Position:
    """Return the position in a file: position notation (.pos, .txt), JSON (.json), a VASSAL save or log (.vsav, .vlog),
    or a link to a position.

    side: a side of the game, which sees only what it may know, or "umpire"; game: one in a folder. Raises InputError,
    often with line and column, for an unusable file, game or side.
    """
    return read_as(os.fspath(file), None, make_game_loader(game), side)


def read_as(named: str, data: bytes | None, load_game: Callable[[str], Game], side: str) -> Position:
    """Return the position in a file, or in the bytes of one that has been read, as `read`. load_game: gives the game
    that it names.
    """
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
    """Raise InputError if more is seen of a position than the limits allow. name: its file."""
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

    position: one whose facts, questions and stacks the lines replace; without one, the first line names the game. game:
    one in a folder, which that line may name. Raises InputError with line and column for what notation cannot express
    or the game does not know.
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
    """Return the report that answers a question about a position; if its verdict is "undecided", `asks` names what is
    missing.

    question: its name, or one of `position.asks`, by default the first; answers: dice and choices (`{"crt": "2+5"}`);
    parameters: with `_` for a hyphen, `from_`; both over those of the position. Raises InputError for whatever is
    unknown or impossible.
    """
    asked = asking(position, question, parameters)
    view = View(position.game, position.state, watch=watch, past=position.past)
    try:
        return ask_in(view, position, asked, answers)
    finally:
        view.forget()


def ask_in(view: View, position: Position, asked: Asked, answers: Mapping[str, object] = _NOTHING) -> Report[Any]:
    """Return the report that answers a question, as `ask` gives it. view: of the position; it notes what was read."""
    typed = {name: str(value) for name, value in answers.items()}
    marks = position.marks_of(asked)
    with placed({name: place for name, place in marks.items() if name not in typed or name in asked.parameters}):
        definition = question_of(position.game, asked.question)
        try:
            given = read_parameters(definition, view, asked.parameters)
        except MissingFacts as missing:
            return questions.report_missing(definition, view, missing)
        report = questions.answer_question(definition, view, given, {**answers_to(position, asked), **typed})
    if not report.reasons:
        return report
    from .asking.remedies import with_remedies  # only here: most answers are decided

    return with_remedies(definition, view, asked.parameters, report)


def compare(before: Position, after: Position, *, called: tuple[str, str] = ("before", "after")) -> Report[Comparison]:
    """Return the report on what differs between two positions of one game: who moved, was lost and came, which facts
    changed.

    called: what the report calls the two. Both must be what the same viewpoint knows. Raises InputError for positions
    of different games, on two different drawn boards, or known to different sides.
    """
    if before.game.id != after.game.id:
        raise InputError(f"{called[0]} is a position of {before.game.title}, {called[1]} one of {after.game.title}")
    from .asking.builtin.comparison import report_differences  # only here: most questions are about one position

    return report_differences(after.game, before.state, after.state, called)


def asking(position: Position, question: str | Asked, parameters: Mapping[str, object]) -> Asked:
    """Return a question as a position asks it; these parameters replace its own.

    question: its name, or one of `position.asks`; "" for the first of these. Raises InputError if it asks no question.
    """
    if isinstance(question, Asked):
        asked = question
    elif question:
        asked = next((noted for noted in position.asks if noted.question == question), Asked(question, {}))
    elif position.asks:
        asked = position.asks[0]
    else:
        raise InputError(
            "this position asks no question", hint="name a question, or write a line: ask QUESTION name=value ..."
        )
    if not parameters:
        return asked
    both = (*asked.parameters.items(), *((name, _type_value(value)) for name, value in parameters.items()))
    # without marks: a change made here is not the fault of the file
    given = {name.rstrip("_").replace("_", "-"): value for name, value in both}
    return Asked(asked.question, given, answers=asked.answers)


def _type_value(value: object) -> object:
    """Return a parameter as a player would type it: corps and units may be named by a number."""
    if isinstance(value, list | tuple):
        return [_type_value(item) for item in value]
    return str(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value


def answers_to(position: Position, asked: Asked) -> dict[str, str]:
    """Return the answers of a position that are meant for a question: none if it asks only others, but for those below
    it. A line that cannot be asked waits for none. Raises InputError for a question that the game does not know.
    """
    question_of(position.game, asked.question)

    def waits_for(question: str, name: str) -> bool:
        with suppress(InputError):
            return question_of(position.game, question).waits_for(name)
        return False

    return position.answers_to(asked, waits_for)


@contextmanager
def placed(marks: Mapping[str, Where]) -> Iterator[None]:
    """Give an error the place in the file of the parameter or answer that it names, or else of the question."""
    try:
        yield
    except InputError as error:
        mark = getattr(error, "name", "")
        if mark in marks:
            error.at(marks[mark])
        raise


def pose_question(position: Position, asked: Asked, answers: Mapping[str, str]) -> Position:
    """Return the position with this question alone and all answers to it so far: those of the position itself, and
    these over them.
    """
    own = answers_to(position, asked)
    asks = (Asked(asked.question, asked.parameters),)
    return Position(position.game, position.state, asks, {**own, **answers}, past=position.past)


def check_asked(position: Position, asked: Asked) -> None:
    """Raise InputError for a question that the game of a position does not know, and for a parameter that it does not
    allow.
    """
    with placed(asked.marks), suppress(MissingFacts):
        question = question_of(position.game, asked.question)
        read_parameters(question, View(position.game, position.state), asked.parameters)


def check_position(position: Position) -> Report[Any]:
    """Return the report on what was understood of a position, with the questions that it asks and their answers so far.
    For a side, for whom they may not be, they are neither shown nor checked.

    Raises InputError for a question that the game does not know, and for a parameter that it does not allow.
    """
    from .formats.notation_writer import write_questions

    position = handed_on(position)
    for asked in position.asks:
        check_asked(position, asked)
    report = ask(position, "check")
    lines = list[str]()
    report = msgspec.structs.replace(report, parts=(*report.parts, *_list_scenario_parts(position)))
    with suppress(InputError):  # what notation cannot write is not shown
        lines = write_questions(position)
    steps = tuple(Step("", "{asked}", {"asked": line}) for line in lines)
    return msgspec.structs.replace(report, parts=(*report.parts, Part("Asked", steps))) if steps else report


def _list_scenario_parts(position: Position) -> tuple[Part, ...]:
    """Return what is not of the scenario of a position, and what this lacks, if it is one of the owner's, or should be."""
    game = position.game
    stated = position.state.facts.get((SCENARIO, ""))
    scenario = str(stated.value) if stated else ""
    known = scenario in game.setups
    is_owners = scenario and (game.set_up(scenario).is_owners if known else not game.tracks[SCENARIO].values)
    return scenario_parts(position, scenario) if is_owners else ()


def scenario_parts(position: Position, scenario: str) -> tuple[Part, ...]:
    """Return what in a position is not of a scenario of the owner's, and what this lacks: as the question `scenario` of
    the game tells it, if it has one. Raises InputError for a file of the scenario that cannot be read.
    """
    if SCENARIO in questions_of(position.game):
        return tuple(part for part in ask(position, SCENARIO, scenario=scenario).parts if part.steps)
    from .rules.scenarios import LACKS, scenario_gaps  # only here: most positions are of no such scenario

    gaps = tuple(gap.step for gap in scenario_gaps(position.game, scenario))
    return (Part(LACKS, gaps),) if gaps else ()


def picture(position: Position, report: Report[Any] | None = None, ending: str = ".svg", *, part: int = 0) -> Picture:
    """Return a picture of the hexes that a report is about, or without one of those with units.

    position: that asked about; ending: .svg, .pdf or .png; part: the number of the report's `parts` to draw, 0 for all.
    Raises InputError if there is nothing to draw, for another ending, and for an unknown part.
    """
    from .drawing.answer import draw_scene  # only here: most answers are not drawn
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
    from .drawing.answer import draw_scene, parts_of  # only here: most answers are not drawn

    written = _find_writer(ending)

    def draw(view: View, drawn: Drawable) -> tuple[Scene, tuple[str, ...]]:
        return draw_scene(view, drawn, part), parts_of(view, drawn)

    scene, titles = _draw(position, report, "picture", draw)
    return written(scene), titles


def parts(position: Position, report: Report[Any]) -> tuple[str, ...]:
    """Return the parts of the front in which the picture of a report can be drawn, each on a page of text: their armies
    and hexes; none where it is a picture of another kind.

    position: the one that was asked about. Raises InputError if there is nothing to draw.
    """
    from .drawing.answer import parts_of  # only here: most answers are not drawn

    return _draw(position, report, "picture", parts_of)


def sketch(position: Position, report: Report[Any]) -> Sketch | None:
    """Return what the picture of an answer shows, as plain values; None if its question sketches nothing, or facts are
    missing.

    position: the one that was asked about.
    """
    from .asking.sketch import Sketch  # only here: most answers are not drawn

    question = question_of(position.game, report.question)
    if Sketch not in question.draws or report.drawable is None:
        return None
    view = View(position.game, position.state)
    drawn = questions.draw_safely(position.game, lambda: question.draw("picture", view, report))
    return drawn if isinstance(drawn, Sketch) else None


def over_map(position: Position, report: Report[Any]) -> OverMap | None:
    """Return what the picture of a report shows, to lie on a map that is drawn by others; None for one whose picture is
    of another kind.

    position: the one that was asked about. Raises InputError if there is nothing to draw.
    """
    from .drawing.answer import draw_over_map  # only here: most answers are not drawn

    return _draw(position, report, "picture", draw_over_map)


def text_map(position: Position, report: Report[Any], width: int = 80) -> Rows:
    """Return the hexes that a report is about as rows of letters, for a terminal.

    position: the one that was asked about; width: of the terminal, in letters.

    Raises InputError if there is nothing to draw, and if it is too wide.
    """
    from .drawing.answer import draw_letters  # only here: most answers are not drawn

    return _draw(position, report, "map", lambda view, drawn: draw_letters(view, drawn, width))


def chart(position: Position, report: Report[Any], ending: str = ".svg") -> Picture:
    """Return the chances of a report as a picture.

    position: the one that was asked about; ending: of the file that the bytes are meant for: .svg, .pdf or .png.

    Raises InputError if there are no chances, and for another ending.
    """
    from .drawing.answer import draw_scene  # only here: most answers are not drawn

    return _find_writer(ending)(_draw(position, report, "chart", draw_scene))


def refuse_undrawn(question: Question[Any, Any], what: str) -> None:
    """Raise InputError for a question whose answers cannot be drawn so. what: picture, chart or map."""
    if what not in question.drawn_as:
        others = [f"--{name}" for name in _DRAWN if name in question.drawn_as]
        hint = f"it has {' and '.join(others)}" if others else "its answer is text alone"
        raise InputError(f"{question.name} has no {_DRAWN[what]}", hint=hint)


_DRAWN = {"picture": "picture", "chart": "chart", "map": "map in letters"}
"""How answers are drawn, in words."""


def _draw(position: Position, report: Report[Any], what: str, make: Callable[[View, Drawable], T]) -> T:
    """Return what is made of the sketch of a report. what: picture, chart or map. Raises InputError if its question
    never has one, and if there is nothing to draw, as where facts are missing.
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
    """Return why an answer cannot be drawn so: facts are missing, or it has nothing to show."""
    missing = report.drawable is None and bool(report.asks)
    hint = f"state what is missing, which the answer without --{what} lists" if missing else f"leave out --{what}"
    return InputError(f"there is nothing to draw as a {_DRAWN[what]} in this answer to {report.question}", hint=hint)


def _find_writer(ending: str) -> Callable[[Scene], Picture]:
    """Return what writes a scene into a file with an ending. Raises InputError for another one."""
    if ending not in WRITERS:
        raise InputError(f"{ending!r} is not a known picture ending", hint=f"known: {', '.join(WRITERS)}")
    return lambda scene: Picture(WRITERS[ending](scene))


def notation(position: Position) -> str:
    """Return a position as position notation.

    Raises InputError for what notation cannot express: a unit whose name differs from its type, a name with special
    signs.
    """
    from .formats.notation_writer import write_notation  # only here: most positions are read alone

    return write_notation(position)


def link(position: Position, *, asked_by_side: bool = False) -> PositionLink:
    """Return a position with its questions and answers as a link: the fragment that follows the address of a page, and
    what is left out of it.

    asked_by_side: whether the side itself has asked, so that what is asked and answered may be handed on too; otherwise
    a side's link has neither. Raises what `notation` raises.
    """
    from .formats.links import PositionLink, write_link

    handed = position if asked_by_side else handed_on(position)
    fragment, left_out = write_link(handed)
    posed = () if handed is position else ("questions and answers: their author may have known more than this side",)
    return PositionLink(fragment, (*posed, *left_out))


def handed_on(position: Position) -> Position:
    """Return what of a position may be handed on: all, but of one that a side sees neither the questions nor the
    answers in its file, whose author may have known more.
    """
    if not is_limited(position.state.seen_by) or not (position.asks or position.answers):
        return position
    return msgspec.structs.replace(position, asks=(), answers={}, marks={})


def to_json(answer: Position | Report[Any]) -> str:
    """Return a position or a report as JSON; `assistant schema` and `assistant questions GAME --json` print the
    schemas.
    """
    if isinstance(answer, Position):
        from .formats.json_state import write_json

        return write_json(answer).decode()
    from .asking.schemas import report_json

    return report_json(answer).decode()


def check_position_file(file: Path, *, force: bool = False) -> None:
    """Raise InputError if a position cannot be written into a file: wrong ending, or the file exists."""
    if file.suffix.lower() not in (".pos", ".json"):
        hint = "an answer about a VASSAL save or log can also go into NAME.vsav or NAME.vlog"
        raise InputError("a position is written as NAME.pos or NAME.json", where=Where(str(file)), hint=hint)
    from .util.writing import check_free  # only here: most answers are not written

    check_free(file, force=force)


def write(position: Position, file: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a position into a file, whole or not at all: as notation (.pos) or as JSON (.json).

    force: overwrites a file that exists. Raises InputError for another ending, for a file that exists, for one that
    cannot be written, and for what notation cannot express.
    """
    path = Path(file)
    check_position_file(path, force=force)
    data = to_json(position) if path.suffix.lower() == ".json" else notation(position)
    from .util.writing import write_whole

    write_whole(path, data.encode(), force=force)
