"""The sessions in README, docs and `tests/kept`, run again: `python -m tests.pages --write` puts what is printed now in place of what
stands there.

In a `console` block `$ cat FILE` shows what a reader types into that file, `$ show FILE` what a file holds that has been written
(see showing.py), `$ change FILE OLD NEW` puts other words into one until the next change, and any other command is run; `> FILE` behind it puts
what it prints into a file. A table between `<!-- NAME -->` and `<!-- /NAME -->` is made from data. What a reader types at the table stands behind its prompt, `> 4119 < 4020`, or in a file,
`$ assistant table GAME < FILE`. A `pycon` block is Python.
A `json` block that names a tool of the MCP server is called, and the `text` block behind it holds the answer.
Blocks of one page share a folder and, in Python, all names; `example.vsav` and `example.vlog` are there from the start, and
`eastern-front.vmod`, a module as others make them, with its save `game.vsav`. A page of `tests/kept` also has the examples of both games in
`examples/twilight` and `examples/kaisers`, and those modules of `variants.py` and their saves that it names. `$ differ ONE OTHER` prints how what
`show` prints of one file or folder differs from what it prints of another.
"""

from __future__ import annotations

import difflib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from assistant.faces.cli.main import cli as assistant
from assistant.faces.mcp.access import Access
from assistant.faces.mcp.tools import answer
from module_builder.cli import cli as module_builder

from . import manuals
from .assistant.formats.vassal.adoption import variants as adopted
from .assistant.formats.vassal.adoption.published import written
from .fits import write_fits
from .holdings import write_contents, write_files
from .module_builder.importing import variants as imported
from .reached import PROCESSES
from .referee.keeping import write_suites
from .reloading import forget_code
from .showing import shown as shown_file

ROOT = Path(__file__).parent.parent
HEAD_PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT")]
PAGES = [*HEAD_PAGES, *sorted(ROOT.glob("docs/**/*.md"))]
KEPT = sorted(ROOT.glob("tests/kept/*.md"))
EXAMPLES = {
    "twilight": ROOT / "plugins/twilight_in_the_east/examples",
    "kaisers": ROOT / "plugins/kaisers_war_in_the_east/examples",
}
SAVE = ROOT / "plugins/twilight_in_the_east/examples/comprehensive-example.vsav"

REFERENCES = {
    ROOT / f"docs/games/{game}/{page}.md": ("reference", game, *options)
    for game in ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914", "der-weltkrieg")
    for page, options in {"reference": (), "rules": ("--rules",)}.items()
}
"""The pages that only name the command which prints them, until the site is built, each with the words of that command."""

NOTATION = ROOT / "assistant/faces/mcp/notation.txt"
"""docs/reference/notation.md as a language model reads it, who can follow no link."""

HOME = "/home/you"
"""What a page shows in place of the folder in which its sessions run."""

PRODUCED = {"files": write_files, "contents": write_contents, "fits": write_fits, "suites": write_suites}
"""What writes the tables between `<!-- NAME -->` and `<!-- /NAME -->`, by name."""
_PRODUCED = re.compile(r"(?<=^<!-- )(\w+)( -->\n).*?(?=^<!-- /\1 -->$)", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CALL = re.compile(r"^```json\n(\{\s*\"tool\".*?)^```\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MODULES = {**imported.VARIANTS, **adopted.VARIANTS}
"""What makes each module of another maker that a page of `tests/kept` may name, by its name."""
TYPED = re.compile(r"^(?:\S.*?(?<!-))??> (.+)$", re.MULTILINE)
"""What is typed at a prompt. Lines of a report are indented, or have no sign but an arrow."""
_HEADS = ("---", "+++", "@@ ")
_PROGRAMS = {"assistant": assistant, "module-builder": module_builder}


def with_sessions() -> list[Path]:
    """The pages that show commands or Python with what they print, or tables made from data."""
    texts = {page: page.read_text("utf-8") for page in (*PAGES, *KEPT)}
    return [page for page, text in texts.items() if any(kind.search(text) for kind in (_BLOCK, _CALL, _PRODUCED))]


def rerun(page: Path, folder: Path) -> str:
    """The text of a page with what its sessions print now. folder: where they run. Raises ValueError for an unknown program."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for kept in (SAVE, SAVE.with_suffix(".vlog")):
        shutil.copy(kept, folder / f"example{kept.suffix}")
    written(folder)
    if page in KEPT:
        for name, examples in EXAMPLES.items():
            shutil.copytree(examples, folder / "examples" / name)
        for name in sorted(set(re.findall(r"\b([a-z-]+)\.vmod\b", page.read_text("utf-8"))) & {*MODULES}):
            (folder / f"{name}.vmod").write_bytes(MODULES[name]())
        for name in sorted(set(re.findall(r"\b([a-z-]+)\.vsav\b", page.read_text("utf-8"))) & {*adopted.VARIANTS}):
            (folder / f"{name}.vsav").write_bytes(adopted.save_of(name))
    run = {"console": lambda block: _console(block, folder), "pycon": lambda block: _python(block, names)}

    def anew(block: re.Match[str]) -> str:
        now = "".join(run[block[1]](block[2])).replace(str(folder), HOME)
        return f"```{block[1]}\n{now}```"

    with chdir(folder), patch.dict(os.environ, COLUMNS="100", FIELD_STAFF_DATA=str(folder / "data")):
        text = _PRODUCED.sub(_made, page.read_text("utf-8"))
        return _CALL.sub(_called, _BLOCK.sub(anew, text))


def calls(page: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The calls of tools that a page shows: each tool with its arguments, and the answer."""
    for call, answered in _CALL.findall(page.read_text("utf-8")):
        named = json.loads(call)
        yield named["tool"], named["arguments"], answered


def _made(shown: re.Match[str]) -> str:
    """A table that is made from data, as it is now."""
    return f"{shown[1]}{shown[2]}\n{PRODUCED[shown[1]]()}\n\n"


def _called(shown: re.Match[str]) -> str:
    """A call of a tool with its answer now."""
    call = json.loads(shown[1])
    return f"```json\n{shown[1]}```\n\n```text\n{answer(Access(), call['tool'], call['arguments']).text}\n```"


def _console(block: str, folder: Path) -> Iterator[str]:
    sound: dict[Path, str] = {}
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        line, _, written = command.partition(" > ")
        line, _, typed = line.partition(" < ")
        program, *words = shlex.split(line)
        if program == "cat":
            file = folder / words[0]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(shown, "utf-8")
            yield f"$ {command}\n{shown}"
            continue
        if program == "show":
            yield "".join(f"{line}\n" for line in (f"$ {command}", *shown_file(folder / words[0])))
            continue
        if program == "differ":
            lines, others = (list(shown_file(folder / word)) for word in words)
            different = (
                line for line in difflib.unified_diff(lines, others, n=0, lineterm="") if line[:3] not in _HEADS
            )
            yield "".join(f"{line}\n" for line in (f"$ {command}", *different))
            continue
        if program == "change":
            for file, text in sound.items():
                file.write_text(text, "utf-8")
            file, (old, new) = folder / words[0], words[1:]
            sound = {file: file.read_text("utf-8")}
            if old not in sound[file]:
                raise ValueError(f"{words[0]} has no {old!r}")
            file.write_text(sound[file].replace(old, new, 1), "utf-8")
            yield f"$ {command}\n"
            continue
        given = (folder / typed).read_text("utf-8") if typed else "".join(f"{line}\n" for line in TYPED.findall(shown))
        if program in _PROGRAMS:
            forget_code()
            done = CliRunner().invoke(_PROGRAMS[program], words, given, prog_name=program)
            if done.exception and not isinstance(done.exception, SystemExit):
                raise done.exception
            if written:
                (folder / written).write_text(done.stdout, "utf-8")
            yield f"$ {command}\n{'' if written else done.stdout}{done.stderr}"
        elif program == "python":
            run = subprocess.run(
                [sys.executable, *words], input=given, capture_output=True, text=True, encoding="utf-8", check=False
            )
            yield f"$ {command}\n{run.stdout}{run.stderr}"
        else:
            raise ValueError(f"no page may run {program}")


def _python(block: str, names: dict[str, Any]) -> Iterator[str]:
    for typed in re.findall(r"^>>> .*\n(?:\.\.\..*\n)*", block, re.MULTILINE):
        source = re.sub(r"^(?:>>>|\.\.\.) ?", "", typed, flags=re.MULTILINE)
        printed = io.StringIO()
        with redirect_stdout(printed):
            try:
                exec(compile(source, "session", "single"), names)
            except Exception as error:  # a session may show what goes wrong
                print("Traceback (most recent call last):\n  ...")
                print("".join(traceback.format_exception_only(error)), end="")
        yield typed + printed.getvalue()


@cache
def text_of(page: Path) -> str:
    """A page as the site has it: as it is kept, or as the program prints it."""
    return CliRunner().invoke(assistant, REFERENCES[page]).stdout if page in REFERENCES else page.read_text("utf-8")


def written_now(page: Path) -> str:
    """A page that the program writes, wholly or its sessions, as it is now."""
    if page == NOTATION:
        return re.sub(r"\[([^]]+)]\([^)]+\)", r"\1", (ROOT / "docs/reference/notation.md").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        return rerun(page, Path(folder))


def main() -> int:
    """Write each page anew, or those that are named, or only say which of them would change."""
    write = "--write" in sys.argv
    named = [Path(word).resolve() for word in sys.argv[1:] if word != "--write"]
    pages = named or [NOTATION, *with_sessions()]
    if unknown := [str(page) for page in pages if not page.is_file()]:
        sys.exit(f"no page {unknown[0]}")
    with ProcessPoolExecutor(PROCESSES) as pool:
        every = list(pool.map(written_now, pages))
    stale = 0
    for page, now in zip(pages, every, strict=True):
        if now != page.read_text("utf-8"):
            stale += 1
            print(page.relative_to(ROOT))
            if write:
                page.write_text(now, "utf-8")
    stale += len(manuals.outdated_pages())
    if write:
        manuals.write()
    return 0 if write else stale


if __name__ == "__main__":
    sys.exit(main())
