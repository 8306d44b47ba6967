"""The page on ready-made questions names each of their modules, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from assistant import readymade

PAGE = Path(__file__).parents[3] / "docs/making/readymade.md"


def test_the_table_of_modules_is_that_of_the_package() -> None:
    rows = [line.split("|")[1] for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| [`")]
    named = {name for row in rows for name in re.findall("`([a-z_]+)`", row) if " of " not in row}
    assert readymade.__file__ is not None
    folder = Path(readymade.__file__).parent
    packages = {path.parent.name for path in folder.glob("[a-z]*/__init__.py")}
    assert named == {path.stem for path in folder.glob("[a-z]*.py")} | packages
