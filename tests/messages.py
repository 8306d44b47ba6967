"""Every message that a person may read, with its file and line, for somebody to read them all through.

`python -m tests.messages [FOLDER ...]` prints the texts of messages, reports, helps and notes in the code, and the words in the
data files of games. An inserted value stands as {name}. `prose` reads the pages, without what the program prints on them.
"""

from __future__ import annotations

import ast
import csv
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
FOLDERS = ("assistant", "module_builder", "plugins")
#: What makes a text a message: two words side by side, one of them perhaps inserted.
_WORDS = re.compile(r"[A-Za-z]{2,}[,;:.]? [A-Za-z{]|\} [A-Za-z]{2,}")
_READ_IN_TOML = {"title", "note", "about", "tag", "menu", "text", "doubt"}
_READ_IN_CSV = {"title", "left_out", "doubt", "readings", "text"}
#: What no sentence of a page is: blocks and words of code, and where links lead.
_CODE = re.compile(r"^```.*?^```$|^ {4}.*$|`[^`\n]+`|(?<=\])\([^)\s]+\)|^<.*$", re.DOTALL | re.MULTILINE)
#: A text of the page in a browser: what stands in quotes, or between the marks of HTML.
_IN_SCRIPT = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`|>([^<>{}]+)<", re.DOTALL)


class Message(NamedTuple):
    """A text and its place."""

    file: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}: {' '.join(self.text.split())}"


def messages(folder: Path, *, of_code: bool = True) -> Iterator[Message]:
    """The messages in the files of a folder and its subfolders, file by file. of_code: those in modules too."""
    for file in sorted(folder.rglob("*")):
        if file.suffix == ".py":
            yield from _in_code(file) if of_code else ()
        elif file.suffix == ".toml":
            yield from _in_toml(file)
        elif file.suffix in (".js", ".html"):
            yield from _in_script(file)
        elif file.name in ("rules.csv", "rulings.csv", "chart_facts.csv", "remarks.csv", "payers.csv"):
            yield from _in_csv(file)


def prose(page: Path) -> Iterator[Message]:
    """The paragraphs of a page, and the rows of its tables, without code."""
    text = _CODE.sub(lambda code: "\n" * code[0].count("\n"), page.read_text("utf-8"))
    for start, paragraph in (
        (part.start(), part[0]) for part in re.finditer(r"^(?:\|.*|(?:[^|\n].*\n?)+)", text, re.MULTILINE)
    ):
        yield Message(page, text.count("\n", 0, start) + 1, paragraph)


def _in_script(file: Path) -> Iterator[Message]:
    """The texts of a script or a page of HTML. A line of comment has none."""
    text = re.sub(r"^\s*(?://|\*|/\*).*$", "", file.read_text("utf-8"), flags=re.MULTILINE)
    for quoted in _IN_SCRIPT.finditer(text):
        if _WORDS.search(said := next(filter(None, quoted.groups()), "")):
            yield Message(file, text.count("\n", 0, quoted.start()) + 1, said)


def _in_code(file: Path) -> Iterator[Message]:
    """The texts of a module, and the docstrings of commands, which are their help."""
    tree = ast.parse(file.read_text("utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Call) and _takes_no_message(node):
            skipped |= {id(part) for part in ast.walk(node)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))  # a docstring, or one of a variable
        elif isinstance(node, ast.FunctionDef) and any(
            "command" in ast.unparse(decorator) for decorator in node.decorator_list
        ):
            yield Message(file, node.lineno, ast.get_docstring(node) or "")
        elif isinstance(node, ast.JoinedStr | ast.Constant) and (text := _text(node)) and _WORDS.search(text):
            skipped |= {id(part) for part in ast.walk(node)} if isinstance(node, ast.JoinedStr) else set()
            yield Message(file, node.lineno, text)


def _takes_no_message(call: ast.Call) -> bool:
    """Whether the texts of a call are a pattern, or a list of words: nobody reads them."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "split":
        return isinstance(call.func.value, ast.Constant)
    return ast.unparse(call.func) in ("late_pattern", "re.compile", "_list_words")


def _text(node: ast.expr) -> str:
    """A string literal with what it inserts in braces, "" for any other expression."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    parts = node.values if isinstance(node, ast.JoinedStr) else []
    return "".join(
        _text(part) if isinstance(part, ast.Constant) else f"{{{ast.unparse(_inserted(part))}}}" for part in parts
    )


def _inserted(part: ast.expr) -> ast.expr:
    return part.value if isinstance(part, ast.FormattedValue) else part


def _in_toml(file: Path) -> Iterator[Message]:
    lines = file.read_text("utf-8").splitlines()
    for text in _texts(tomllib.loads("\n".join(lines)), file.name == "messages.toml"):
        line = next((number for number, line in enumerate(lines, 1) if text.splitlines()[0] in line), 0)
        yield Message(file, line, text)


def _texts(table: dict[str, Any], inside: bool = False) -> Iterator[str]:
    """The texts under the keys that people read; in [figures] and messages.toml all."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _texts(value, inside or key == "figures")
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and text.strip() and (inside or key in _READ_IN_TOML):
                yield text


def _in_csv(file: Path) -> Iterator[Message]:
    with file.open(encoding="utf-8", newline="") as rows:
        reader = csv.DictReader(rows)
        for row in reader:
            for column in _READ_IN_CSV & row.keys():
                if row[column]:
                    yield Message(file, reader.line_num, f"{column}: {row[column]}")


def main(folders: list[str]) -> None:
    """Print the messages of the folders, by default of the whole project."""
    for folder in folders or FOLDERS:
        for message in sorted(messages(ROOT / folder), key=lambda message: (message.file, message.line)):
            print(message)


if __name__ == "__main__":
    main(sys.argv[1:])
