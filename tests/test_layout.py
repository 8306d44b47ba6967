"""What CONTRIBUTING says of the code and its pages."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_IGNORED = 10
MODULES = [file for part in ("assistant", "module_builder", "plugins", "tools") for file in (ROOT / part).rglob("*.py")]


def test_few_lines_are_kept_from_the_type_checker_and_each_says_why() -> None:
    ignored = [line for file in MODULES for line in file.read_text("utf-8").splitlines() if "# type: ignore" in line]
    assert len(ignored) <= MOST_IGNORED
    assert [line.strip() for line in ignored if not re.search(r"# type: ignore\[[a-z,-]+\]  # \w", line)] == []


def test_contributing_states_this_limit() -> None:
    said = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert "At most ten `type: ignore` outside the tests, each with its reason" in said


def test_every_page_of_a_chapter_is_in_its_contents() -> None:
    """As the site lists them, which is built only after all tests."""
    left_out = []
    for index in (ROOT / "docs").rglob("index.md"):
        listed = {
            entry.rpartition("<")[2].strip(" >").removesuffix(".md")
            for block in re.findall(r"```{toctree}(.*?)```", index.read_text("utf-8"), re.DOTALL)
            for entry in block.splitlines()
        }
        pages = (page for page in index.parent.glob("*.md") if page != index)
        left_out += [page.relative_to(ROOT).as_posix() for page in pages if page.stem not in listed]
    assert left_out == []
