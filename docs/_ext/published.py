"""What the program publishes of itself: the reference and the rules of each game as pages of the site, and as tables the questions that are
commands, JSON schemas to read and to download, and the words that pictures know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from assistant.asking.question import Nothing, Question
from assistant.asking.schemas import schemas, struct_schema
from assistant.drawing.palettes import palettes
from assistant.drawing.style import HEXSIDES
from assistant.drawing.symbols import Symbols
from assistant.faces.cli.ask import question_command
from assistant.faces.cli.main import cli
from assistant.formats.json_state import position_schema as state_schema
from assistant.game.examples import read_examples
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game, questions_of
from assistant.records.example_page import PAGE, draw_examples
from assistant.records.examples import ExampleResult, judge_example
from assistant.util.console import encode_json

QUESTION = question_command("QUESTION")
"""The command of any question, for the page of commands."""
PRINTED = re.compile(r"docs/games/([^/]+)/(reference|rules|proof|examples)")
"""A page that only names the command which prints it; the site has what that prints."""
PICTURES = "build/examples"
"""Where the pictures of worked examples lie until the site has them."""
FOLDER = "schemas"
"""Where the schemas lie in the site."""
EXAMPLE_SCHEMA = "examples"
"""The name of the schema of a worked example, which is the same for all games."""


def games() -> list[Game]:
    """The installed games, in the order of their titles."""
    return sorted(map(load_game, installed_games()), key=lambda game: game.title)


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table in Markdown."""
    for row in (heads := tuple(heads), ["---"] * len(heads), *rows):
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |"


class Tables(SphinxDirective):
    """A directive whose content is Markdown that the program gives."""

    def run(self) -> list[nodes.Node]:
        """The tables."""
        return self.parse_text_to_nodes("\n".join(self.lines()))

    def lines(self) -> Iterator[str]:
        """Its Markdown."""
        raise NotImplementedError


class QuestionTables(Tables):
    """The questions of each game, each with what it answers and a link to its parameters."""

    def lines(self) -> Iterator[str]:
        """A table for each game."""
        for game in games():
            asked = questions_of(game).values()
            rows = (
                (f"[`{question.name}`](../games/{game.id}/reference.md#question-{question.name})", question.title)
                for question in asked
            )
            yield from ("", f"*{game.title}*:", "", *table(("question", "what it answers"), rows), "")


class SchemaTables(Tables):
    """The JSON of a `position` or a `report`, field by field, or the schemas of each game as `files`."""

    required_arguments = 1

    def lines(self) -> Iterator[str]:
        """What the argument names."""
        unasked: Any = {"name": "", "title": "", "answer": None}
        match self.arguments[0]:
            case "position":
                yield from _structs(state_schema(None), "StateFile")
            case "report":
                yield from _structs(
                    schemas(Question(parameters=Nothing, result=Nothing, **unasked))["report"], "Report"
                )
            case _:
                heads = ("game", "schema of positions", "schemas of questions and reports", "worked examples")
                yield from table(heads, self.files())

    def files(self) -> Iterator[tuple[str, ...]]:
        """The files of each game, which are written into the site, and the schema of a worked example."""
        folder = Path(self.env.app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        up = "../" * self.env.docname.count("/")
        for game in games():
            questions = [schemas(question) for question in questions_of(game).values()]
            written: dict[str, Any] = {f"{game.id}-position": state_schema(game), f"{game.id}-questions": questions}
            examples = read_examples(game)
            written[f"{game.id}-examples"] = [judge_example(game, examples.prefix, each) for each in examples.example]
            yield f"*{game.title}*", *(self.write(folder, up, name, content) for name, content in written.items())
        schema = struct_schema(ExampleResult)
        yield "*their schema*", "", "", self.write(folder, up, EXAMPLE_SCHEMA, schema)

    def write(self, folder: Path, up: str, name: str, content: Any) -> str:
        """Write a file of JSON into the site's folder of schemas, and return a link to it in HTML."""
        (folder / f"{name}.json").write_bytes(encode_json(content))
        return f'<a href="{up}{FOLDER}/{name}.json" download>{name}.json</a>'


DRAWN_AS = {
    "river": "a river",
    "teeth": "teeth",
    "hachures": "hachures",
    "lake": "open water",
    "closed": "a broad dark line",
}
"""What lines on hexsides look like, by the kind of line."""
KINDS = {
    "troops": "arms",
    "guns": "guns",
    "services": "services",
    "marks": "marks within the frame",
    "supply": "supply",
    "places": "places",
}
"""The kinds of our symbols that stand for words of units."""


class WordTables(Tables):
    """The words that pictures know: of `terrain`, of `hexsides`, of `symbols` or of `nations`."""

    required_arguments = 1

    def lines(self) -> Iterator[str]:
        """What the argument names."""
        symbols = Symbols()
        match self.arguments[0]:
            case "terrain":
                grounds = palettes().grounds.items()
                rows = [
                    (
                        ", ".join(map(_typed, ground.words)),
                        _swatch(ground.colour),
                        "yes" if symbols.ground(name) else "",
                    )
                    for name, ground in grounds
                ]
                yield from table(("words", "colour", "has a sign"), rows)
            case "hexsides":
                lines = (
                    (", ".join(sorted(words)), DRAWN_AS[kind], _swatch(colour)) for kind, words, colour, _ in HEXSIDES
                )
                yield from table(("words", "drawn as", "colour"), lines)
            case "nations":
                nations = palettes().nations.values()
                yield from table(
                    ("words", "tint"),
                    ((", ".join(map(_typed, nation.words)), _swatch(nation.tint)) for nation in nations),
                )
            case _:
                kinds = {title: symbols.names_of_kind(kind) for kind, title in KINDS.items()}
                drawn = {name for names in kinds.values() for name in names}
                kinds["arms with a mark"] = sorted({*symbols.words.values()} - drawn)
                for title, names in kinds.items():
                    yield from ("", f"*{title[0].upper()}{title[1:]}*:", "")
                    yield from table(
                        ("symbol", "other words"), ((_named(name), _others(symbols, name)) for name in names)
                    )


def _swatch(colour: str) -> str:
    """A colour, shown and written."""
    return f'<span class="swatch" style="background: {colour}"></span> `{colour}`'


def _typed(words: str) -> str:
    """What a colour is known by, as the word of a track is written."""
    return words.replace(" ", "-")


def _named(symbol: str) -> str:
    """A symbol as a word of a game names it: a mark by how the word begins."""
    mark = symbol.removeprefix("mark-")
    return f"`{mark}-`" if mark != symbol else f"`{symbol}`"


def _others(symbols: Symbols, name: str) -> str:
    return ", ".join(word for word, symbol in symbols.words.items() if symbol == name and word != name)


def _structs(schema: Any, first: str) -> Iterator[str]:
    """The structs of a schema, each with its fields."""
    for _, kind in sorted(schema["$defs"].items(), key=lambda item: not item[0].startswith(first)):
        if kind.get("properties"):
            title = kind["title"].partition("[")[0]
            yield from ("", f"**{title}**: {_plain(kind.get('description', ''))}", "")
            yield from table(("field", "type", "meaning"), _rows(kind))


def _rows(kind: Any) -> Iterator[tuple[str, str, str]]:
    for name, field in kind["properties"].items():
        needed = "" if name in kind.get("required", ()) or "default" not in field else "; may be left out"
        yield f"`{name}`", f"{_type(field)}{needed}", _plain(field.get("description", ""))


def _type(field: Any) -> str:
    """The type of a field, in words."""
    if target := field.get("$ref"):
        name = target.rpartition("/")[2].partition("_")[0]
        return "the result of the question" if name == Nothing.__name__ else str(name)
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(map(_type, field["anyOf"])))
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if field.get("type") == "array":
        within = field.get("items") or {}
        return f"list of {_type(within)}" if within else "list"
    if field.get("type") == "object":
        within = field.get("additionalProperties")
        return f"object of {_type(within)}" if isinstance(within, dict) and within else "object"
    return str(field.get("type", "anything"))


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;").replace("*", "\\*")


def print_examples(source: Path, game: str) -> str:
    """The page of a game's worked examples; its pictures are written into the folder of what is built."""
    files = draw_examples(load_game(game))
    folder = source / PICTURES / game
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return files[PAGE].decode().replace("](", f"](/{PICTURES}/{game}/")


def put_in_print(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put what the program prints of a game in place of the page that names the command."""
    page = PRINTED.fullmatch(docname)
    if page and page[2] == "examples":
        source[0] = print_examples(Path(app.srcdir), page[1])
    elif page:
        words = {
            "reference": ["reference", page[1]],
            "rules": ["reference", page[1], "--rules"],
            "proof": ["rules", page[1], "--proof"],
        }
        printed = CliRunner().invoke(cli, words[page[2]], catch_exceptions=False).stdout
        source[0] = f"{source[0]}\n```text\n{printed}```\n" if page[2] == "proof" else printed


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of them."""
    app.connect("source-read", put_in_print)
    app.add_directive("question-tables", QuestionTables)
    app.add_directive("schema-tables", SchemaTables)
    app.add_directive("word-tables", WordTables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
