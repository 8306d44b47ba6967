"""README and docs: what their sessions show is what the program prints, and what the program writes of them is up to date."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import click
import grimp
import msgspec
import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli as assistant
from assistant.faces.cli.main import page_cli
from assistant.formats.notation import read_notation
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game, questions_of
from module_builder.cli import cli as module_builder

from .cases import few
from .pages import KEPT, NOTATION, PAGES, REFERENCES, ROOT, TYPED, rerun, text_of, with_sessions, written_now

PACKAGES = ("assistant", "twilight_in_the_east")
SOURCES = ("assistant", "module_builder", "plugins", "tools", "images", "tests", "docs", "benchmarks")
README = (ROOT / "README.md").read_text("utf-8")
GROUPS = {"assistant": assistant, "field-staff": page_cli, "module-builder": module_builder}


def of_page(page: Path) -> str:
    """How a page is called in the list of tests."""
    return page.relative_to(ROOT).as_posix()


@few(7)
@pytest.mark.parametrize("page", with_sessions(), ids=of_page)
def test_a_session_shows_what_the_program_prints(page: Path, tmp_path: Path) -> None:
    assert rerun(page, tmp_path) == page.read_text("utf-8"), "python -m tests.pages --write"


@pytest.mark.parametrize("page", with_sessions(), ids=of_page)
def test_no_session_shows_a_fault_of_code(page: Path) -> None:
    assert "--debug adds the traceback" not in page.read_text("utf-8")


def test_what_stands_behind_the_prompt_of_a_table_is_typed() -> None:
    session = (
        "> 4119 < 4020\ngame turn (1 to 47)> 2\n  Shaken: aug14/5 -> none\nsep14/0> ah dm 5\n1 sep14/0 dm 4 -> 5\n> \n"
    )
    assert TYPED.findall(session) == ["4119 < 4020", "2", "ah dm 5"]


def printed(*words: str) -> str:
    """What a command prints, its errors too."""
    return CliRunner().invoke(assistant, words).output


def commands(text: str) -> Iterator[str]:
    """The commands that a page names in its code, whole lines and within them."""
    code = re.findall(r"^(?: {4}|\$ )(.*)$|`([^`\n]+)`", text, re.MULTILINE)
    for line in ("".join(found) for found in code):
        if re.match(rf"({'|'.join(GROUPS)}) [a-z]", line):
            yield line.partition(" #")[0].partition(" < ")[0].strip()


def options_of(command: click.Command, games: Sequence[Game]) -> set[str]:
    """The options of a command; one that asks a question takes its parameters in any game too."""
    own = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    questions = [(name, found.parameters) for game in games for name, found in questions_of(game).items()]
    asked = [parameters for name, parameters in questions if command.name in ("ask", name)]
    fields = [field.encode_name for kind in asked for field in msgspec.structs.fields(kind)]
    return own | {f"--{field.replace('_', '-')}" for field in fields}


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_every_command_and_option_that_a_page_names_exists(page: Path) -> None:
    games = [load_game(name) for name in installed_games()]
    for line in commands(text_of(page)):
        program, *words = shlex.split(line)
        found: click.Command = GROUPS[program]
        while isinstance(found, click.Group) and words:
            within = found.get_command(click.Context(found), words.pop(0))
            assert within, line
            found = within
        named = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert named <= options_of(found, games), line


def test_the_readme_says_in_two_sentences_what_this_is() -> None:
    first = README.split("\n\n")[1]
    assert len(re.findall(r"[.](?:\s|$)", first)) == 2


def test_every_file_that_a_page_names_is_there() -> None:
    for page in PAGES:
        for target in re.findall(r"(?:\]\(|<img src=\")([^)#\"]+)[)\"]", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{of_page(page)}: {target}"


@cache
def headings(page: Path) -> set[str]:
    """The names by which a link reaches the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    return {
        re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }


def test_no_kept_page_asks_for_what_is_no_longer_there() -> None:
    for page in KEPT:
        assert not re.search(
            r"^(AttributeError|ImportError|ModuleNotFoundError|NameError|TypeError)", text_of(page), re.MULTILINE
        ), page


def test_every_heading_that_a_link_names_is_there() -> None:
    for page in PAGES:
        for target, heading in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", text_of(page)):
            if not target.startswith("http"):
                assert heading in headings((page.parent / target).resolve() if target else page), (
                    f"{of_page(page)}: {target}#{heading}"
                )


@pytest.mark.parametrize(
    ("title", "package"),
    [("field", "rules.field"), ("mechanics", "mechanics"), ("questions", "asking"), ("readymade", "rules")],
)
def test_an_author_reads_of_all_that_a_package_offers(title: str, package: str) -> None:
    page = (ROOT / f"docs/making/{title}.md").read_text("utf-8")
    offered = getattr(import_module(f"assistant.{package}"), "__all__", ())
    folder = ROOT / "assistant" / package.replace(".", "/")
    modules = [file.stem for file in folder.glob("[!_]*.py")] if title != "questions" else []
    assert [name for name in (*offered, *modules) if not re.search(rf"\b{name}\b", page)] == []


def test_every_source_file_that_a_page_names_is_there() -> None:
    for page in PAGES:
        for named in re.findall(rf"`((?:{'|'.join(SOURCES)})/[\w./*-]+)`", page.read_text("utf-8")):
            assert list(ROOT.glob(named.rstrip("/"))), f"{of_page(page)}: {named}"


def linked(page: Path) -> set[Path]:
    """The pages to which a page has links."""
    targets = re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", page.read_text("utf-8"))
    return {(page.parent / target).resolve() for target in targets}


def test_every_page_is_listed_in_the_index_of_its_folder() -> None:
    indexes = {page.parent: page for page in PAGES if page.name == "index.md"}
    for page in PAGES:
        if page.is_relative_to(ROOT / "docs") and page != ROOT / "docs/index.md":
            index = indexes[page.parent.parent if page.name == "index.md" else page.parent]
            assert page in linked(index), f"{of_page(index)} does not list {of_page(page)}"


def walks() -> Iterator[list[tuple[int, bool, str]]]:
    """The walks through the code: of each line its depth, whether a hook registered it, and its module."""
    for block in re.findall(r"```walk\n(.*?)```", (ROOT / "docs/maintaining/house.md").read_text("utf-8"), re.DOTALL):
        lines = re.findall(r"^( *)(\* )?([\w.]+): ", block, re.MULTILINE)
        yield [((len(space) + len(star)) // 4, bool(star), name) for space, star, name in lines]


def test_the_walks_are_those_of_the_code() -> None:
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    for walk in walks():
        path: list[tuple[int, str, bool]] = []
        for depth, registered, name in walk:
            module = next(f"{package}.{name}" for package in PACKAGES if f"{package}.{name}" in graph.modules)
            path = [step for step in path if step[0] < depth]
            hooked = max((number for number, step in enumerate(path) if step[2]), default=0)
            above = [] if registered else [higher for _, higher, _ in path[hooked:]]
            assert not above or module in graph.find_modules_directly_imported_by(above[-1]), module
            for higher in above:
                assert not graph.chain_exists(module, higher), f"{module} leads back to {higher}"
            path.append((depth, module, registered))


@pytest.mark.parametrize(("page", "words"), [("README", 585), ("CONTRIBUTING", 1200)])
def test_a_newcomer_reads_one_page(page: str, words: int) -> None:
    assert len((ROOT / f"{page}.md").read_text("utf-8").split()) < words


def test_the_readme_names_the_two_commands_that_do_everything() -> None:
    for command in ("make demo", "make test"):
        assert re.search(rf"^    {command}\b|`{command}`", README, re.MULTILINE), command


@pytest.mark.parametrize("page", REFERENCES, ids=of_page)
def test_a_page_that_the_program_prints_has_its_title_and_names_its_command(page: Path) -> None:
    title, command = page.read_text("utf-8").split("\n\n")[:2]
    assert title == text_of(page).partition("\n")[0]
    assert command.split() == ["assistant", "reference", page.parent.name, *REFERENCES[page][2:]]


@pytest.mark.parametrize("page", [page for page in REFERENCES if page.name == "reference.md"], ids=of_page)
def test_the_reference_of_a_game_names_each_question_parameter_and_answer(page: Path) -> None:
    chapters = dict(re.findall(r"^## Question `([^`]+)`\n(.*?)(?=^## )", text_of(page), re.MULTILINE | re.DOTALL))
    questions = questions_of(load_game(page.parent.name))
    assert [*chapters] == [*questions]
    for name, text in chapters.items():
        assert f"## Question `{name}`\n{text}" == printed("reference", page.parent.name, name) + "\n"
        fields = [field.encode_name.replace("_", "-") for field in msgspec.structs.fields(questions[name].parameters)]
        parameters = re.search(r"^Parameters:\n(.*?)(?=^(?:Answers|Result):$)", text, re.MULTILINE | re.DOTALL)
        assert parameters and re.findall(r"^- `([^`]+)` \(", parameters[1], re.MULTILINE) == fields
        for answer, meaning in (questions[name].answers or {}).items():
            assert f"- `{answer}`: {meaning}\n" in text


def test_the_reference_of_one_question_needs_a_question_of_the_game() -> None:
    assert "unknown question 'batle'\n  nearest known: battle" in printed("reference", "twilight", "batle")
    assert "--rules is about no single question" in printed("reference", "twilight", "battle", "--rules")


def test_a_language_model_reads_the_notation_reference_as_it_is() -> None:
    assert written_now(NOTATION) == NOTATION.read_text("utf-8"), "run: python -m tests.pages --write"


def test_the_positions_in_the_notation_reference_can_be_read() -> None:
    text = (ROOT / "docs/reference/notation.md").read_text("utf-8")
    blocks = [block for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) if block.startswith("game")]
    assert blocks
    for block in blocks:
        assert read_notation(block.encode(), "docs.pos", load_game).asks


@few(1)
@pytest.mark.parametrize(
    ("picture", "question", "position", "option"),
    [
        ("battle", "battle", "battle", "--picture"),
        ("supply", "supply", "supplied", "--picture"),
        ("chances", "battle", "battle-before", "--chart"),
    ],
)
def test_the_pictures_are_what_the_program_draws(
    picture: str, question: str, position: str, option: str, tmp_path: Path
) -> None:
    source = ROOT / "plugins" / "twilight_in_the_east" / "examples" / f"{position}.pos"
    drawn = tmp_path / "drawn.svg"
    command = [sys.executable, "-m", "assistant", *question.split(), str(source), option, str(drawn)]
    done = subprocess.run(command, check=False, capture_output=True)
    assert done.returncode in (0, 4), "an undecided answer is drawn too"
    assert drawn.read_text("utf-8") == (ROOT / f"docs/pictures/{picture}.svg").read_text("utf-8"), "run: make docs"
