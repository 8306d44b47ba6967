"""The tools of a model, with their parameters and answers; the classes define the JSON Schemas and descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import getdoc
from traceback import extract_tb
from typing import Annotated, Any, ClassVar, NamedTuple, TypedDict

import msgspec

from ...asking.reference import format_question
from ...asking.report import Report, to_forum
from ...asking.schemas import any_report_schema, report_json, struct_schema
from ...formats.positions import Position
from ...game.states import build_state
from ...installed.registry import question_of, questions_of
from ...service import ask, check_position, compare, resolve_question
from ...state.state import UMPIRE
from ...util.errors import InputError, PluginError, Where, nearest, printable, word_machine_error
from ...util.notes import note
from ..prompt.help_words import explain_word
from ..prompt.rule_lines import format_rule, list_rules, rules_under
from .access import Access, list_files, user_position
from .guide import game_guide, read_page

GameId = Annotated[str, note("the game's id, as list_games has it")]
GivenPosition = Annotated[
    str,
    note(
        "position notation, which begins with a line `game ID` (how_to_type explains it); or the position as JSON or "
        "as a link; or the name of a file, as list_games has it, or of an example, as how_to_type has it. A journal's "
        "name may be followed by a moment: war.journal@TURN, the end of that turn, or war.journal#12, after that entry"
    ),
]
Lines = Annotated[
    str,
    note("further lines of notation, which change the position for this call alone: missing facts, or a what-if"),
]


class Reply(NamedTuple):
    """The answer of a tool."""

    text: Annotated[str, note("the answer in words")]
    structured: Annotated[dict[str, Any] | None, note("the same answer in the types of JSON, or None")] = None
    is_refused: Annotated[bool, note("whether the call was refused")] = False
    log: Annotated[str, note("the place where the program failed, without a word of any position, or empty")] = ""


class Tool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool with its parameters as fields; its docstring is the description that the model reads."""

    has_report: ClassVar[bool] = False
    """Whether the tool answers with a report."""

    def answer(self, access: Access) -> Reply:
        """Return the answer to a call with these parameters.

        Raises InputError if a parameter cannot be used.
        """
        raise NotImplementedError


class ListGamesTool(Tool, frozen=True):
    """The wargames whose rules the assistant knows, the sides of each, the files that the user lets you read, and which
    side's knowledge every answer is limited to.

    Call it first.
    """

    def answer(self, access: Access) -> Reply:
        games = list[dict[str, Any]]()
        lines = ["Games:"]
        for name in access.game_ids():
            try:
                game = access.game(name)
            except InputError as error:  # a package by somebody else may be faulty
                error.hint = ""
                lines.append(f"- {name} cannot be used: {error}")
                continue
            games.append({"game": name, "title": game.title, "sides": [*game.file.sides]})
            lines.append(f"- {name}: {game.title}; sides: {', '.join(game.file.sides)}")
        files, cut_short = list_files(access)
        seen = _find_viewpoint(access)
        lines.append(f"Files that may be read:{'' if files else ' none; type positions in notation.'}")
        lines += [f"- {file}" for file in files]
        if cut_short:
            lines.append("- and more, which are read by their names too")
        lines.append(f"Seen: {seen}")
        return Reply("\n".join(lines), {"games": games, "files": files, "more_files": cut_short, "seen": seen})


def _find_viewpoint(access: Access) -> str:
    """Return, in words, the viewpoint from which positions are shown."""
    if access.side:
        return "everything, as the umpire may" if access.side == UMPIRE else f"what the side {access.side} may know"
    settings = [
        f"what the side {side} may know of {game}" if side != UMPIRE else f"everything of {game}"
        for game, side in access.settings.items()
    ]
    return "; ".join([*settings, "everything of other games" if settings else "everything"])


class ListQuestionsTool(Tool, frozen=True):
    """What can be asked about a game: every question with what it answers. With the name of a question: its parameters,
    each with its meaning, and the dice and choices that it may wait for.

    Read a question's parameters before you ask it.
    """

    game: GameId
    question: Annotated[
        str, note("the name of one question, for its parameters; leave it out for the list of all questions")
    ] = ""

    def answer(self, access: Access) -> Reply:
        game = access.game(self.game)
        if not self.question:
            wishes: dict[str, list[str]] = {}
            for wish, answer in game.file.wishes.items():
                wishes.setdefault(answer.partition(":")[0], []).append(wish)
            listed: list[_Listed] = [
                {"name": name, "title": question.title, "for": wishes.get(name, [])}
                for name, question in questions_of(game).items()
            ]
            return Reply("\n".join(map(_describe_question, listed)), {"questions": listed})
        question = question_of(game, self.question)
        about = {
            "name": question.name,
            "title": question.title,
            "parameters": struct_schema(question.parameters),
            "answers": dict(question.answers or {}),
        }
        return Reply("\n".join(format_question(question, "parameter ")), about)


_Listed = TypedDict("_Listed", {"name": str, "title": str, "for": list[str]})
"""A question, with the words of players for it under "for"."""


def _describe_question(listed: _Listed) -> str:
    wishes = f" (for: {'; '.join(listed['for'])})" if listed["for"] else ""
    return f"- {listed['name']}: {listed['title']}{wishes}"


class HowToTypeTool(Tool, frozen=True):
    """How a position of a game is typed: the notation, the order of a unit's ratings, every fact that can be stated,
    and an example to imitate.

    Read it before you type your first position of a game.
    """

    game: GameId

    def answer(self, access: Access) -> Reply:
        return Reply("\n".join(game_guide(access.game(self.game))))


class CheckPositionTool(Tool, frozen=True):
    """What the assistant has understood of a position: the units, where they stand, what is stated, and what was not
    understood.

    An error names the line and the column, and the nearest known word.
    """

    has_report: ClassVar[bool] = True
    position: GivenPosition
    lines: Lines = ""

    def answer(self, access: Access) -> Reply:
        return _make_reply(check_position(user_position(access, self.position, self.lines)))


class AskQuestionTool(Tool, frozen=True):
    """Ask the rules: the verdict on a position, each step of the working with the number of its rule, the doubts that
    it rests on, and the exact chances before dice are thrown.

    State no rule, odds or result of these games that this tool has not given you, and quote its rule numbers and
    cautions.

    The verdict "undecided" is no error: `asks` names everything that is missing, each with its kind. Ask the players
    for it, never invent it. Then call again with the same arguments and what the players said: a fact or a cell of a
    chart (kind fact, cell) as a line in `lines`; a parameter (kind parameter) in `parameters`; a roll or a choice in
    `answers`. Never roll or choose for them. Write `trust`, `own`, `ruling` and the mark `?` only if the players have
    said so.
    """

    has_report: ClassVar[bool] = True
    position: GivenPosition
    question: Annotated[
        str,
        note("the name of the question, as list_questions has it; leave it out for the first that the position asks"),
    ] = ""
    parameters: Annotated[
        dict[str, str | int | float | bool | list[str | int] | None],
        note(
            "the question's parameters by name, as list_questions has them; hexes are strings: "
            '{"at": "41.19", "from": ["40.19", "40.20"]}'
        ),
    ] = {}
    answers: Annotated[
        dict[str, str | int],
        note('dice and choices so far, by the names under which `asks` asked for them: {"crt": "2+5"}'),
    ] = {}
    lines: Lines = ""

    def answer(self, access: Access) -> Reply:
        position = user_position(access, self.position, self.lines)
        asked = resolve_question(position, self.question, self.parameters)
        return _make_reply(ask(position, asked, self.answers))


class ComparePositionsTool(Tool, frozen=True):
    """What differs between two positions of one game: which units moved, were lost or came, and which facts changed."""

    has_report: ClassVar[bool] = True
    before: GivenPosition
    after: GivenPosition

    def answer(self, access: Access) -> Reply:
        return _make_reply(compare(user_position(access, self.before), user_position(access, self.after)))


class LookUpTool(Tool, frozen=True):
    """What a word, a unit or a rule number means in a game. Of a rule: its subject, whether the assistant computes it,
    by which questions, or why it is left to the players. Of a word: how the fact, the parameter or the question is
    typed. Of a unit: what is known of its counter; values marked illustrative are invented for examples: never type or
    tell them.

    The text of a rule is in the players' rulebook and not here.
    """

    game: GameId
    word: Annotated[str, note("a rule number such as 10.8, which also finds the rules below it; a unit; or any word")]

    def answer(self, access: Access) -> Reply:
        game = access.game(self.game)
        word = self.word.strip().strip('"')
        if not word:
            raise InputError("there is no word to look up", hint="a rule number, a unit, or any word")
        if rules := list_rules(game, rules_under(game, word)):
            text = "\n".join(format_rule(row, questions) for row, questions in rules)
            rows = [{**msgspec.to_builtins(row), "questions": [*questions]} for row, questions in rules]
            return Reply(text, {"rules": rows, "lines": []})
        lines = explain_word(Position(game, build_state(game)), word, {})
        return Reply("\n".join(lines), {"rules": [], "lines": lines})


def _make_reply(report: Report[Any]) -> Reply:
    return Reply(to_forum(report).rstrip("\n"), msgspec.json.decode(report_json(report)))


TOOLS: Mapping[str, type[Tool]] = {
    "list_games": ListGamesTool,
    "how_to_type": HowToTypeTool,
    "list_questions": ListQuestionsTool,
    "check_position": CheckPositionTool,
    "ask": AskQuestionTool,
    "compare_positions": ComparePositionsTool,
    "look_up": LookUpTool,
}
"""The tools by the names under which a model calls them."""


class ToolDescription(NamedTuple):
    """A tool as it is described to a model."""

    name: str
    description: str
    parameters: Annotated[dict[str, Any], note("the parameters as JSON Schema")]
    result: Annotated[dict[str, Any] | None, note("the JSON Schema of the answer, or None if it has no fixed shape")]


def describe_tools() -> Iterator[ToolDescription]:
    """Yield the tools as they are described to a model."""
    report = any_report_schema()
    for name, tool in TOOLS.items():
        schema = struct_schema(tool)
        del schema["title"], schema["description"]
        paragraphs = (getdoc(tool) or "").split("\n\n")
        description = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        yield ToolDescription(name, description, schema, report if tool.has_report else None)


def answer(access: Access, name: str, given: Mapping[str, object]) -> Reply:
    """Return the answer of a tool to parameters from JSON, or a refusal in place of any error."""
    return _answer_safely(access, name, lambda: _read_tool(name, given).answer(access))


def answer_page(access: Access, uri: str) -> Reply:
    """Return the text of the page with an address, or a refusal in place of any error."""
    return _answer_safely(access, "reading a page", lambda: Reply(read_page(access, uri)))


def _answer_safely(access: Access, what: str, work: Callable[[], Reply]) -> Reply:
    """Return the answer of a function, or a refusal of one or two lines in place of any error.

    `what`: the work, for the log.

    An error of the program is also logged, without its message, which might quote a position.
    """
    try:
        reply = work()
        text = access.without_folder("\n".join(map(printable, reply.text.split("\n"))))
        return reply._replace(text=text)
    except InputError as error:
        if isinstance(error, PluginError):
            error.hint = ""  # the hint is for the author of the plugin
        return Reply(access.without_folder(str(error)), is_refused=True)
    except (MemoryError, OSError) as error:
        return Reply(access.without_folder(str(word_machine_error(error))), is_refused=True)
    except BaseException as error:  # a game's code may raise anything, and must not end the server
        frames = (f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(error.__traceback__))
        log = "\n".join([f"{what} failed: {type(error).__name__}, at", *frames])
        return Reply("the program failed at this\n  the log of the server says where", is_refused=True, log=log)


def _read_tool(name: str, given: Mapping[str, object]) -> Tool:
    """Return the tool with the parameters of a call.

    Raises InputError if the tool does not exist, or if a parameter is unknown or not allowed.
    """
    if name not in TOOLS:
        raise InputError(f"there is no tool {name!r}", hint=lambda: nearest(name, TOOLS))
    try:
        return msgspec.convert(dict(given), TOOLS[name])
    except msgspec.ValidationError as error:
        known = ", ".join(field.name for field in msgspec.structs.fields(TOOLS[name])) or "none"
        raise InputError(str(error), where=Where(name), hint=f"its parameters: {known}") from None
