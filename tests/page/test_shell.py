"""The modules of the page fit together: what one takes from another is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SHELL = Path(__file__).parents[2] / "assistant" / "faces" / "page" / "shell"
FOLDER = Path(__file__).parents[2] / "module_builder" / "page" / "command.py"
MODULES = sorted(SHELL.rglob("*.js"))
_EXPORTED = re.compile(r"export (?:async )?(?:const|let|class|function\*?) (\w+)|export \{([^}]*)\}")
_IMPORTED = re.compile(r'import \{([^}]*)\} from "(\.[\w./]+)"')


def exported(module: Path) -> set[str]:
    """The names that a module gives to others."""
    names = {one for one, _ in _EXPORTED.findall(module.read_text())}
    lists = [several for _, several in _EXPORTED.findall(module.read_text())]
    return names | {name.split(" as ")[-1].strip() for several in lists for name in several.split(",")}


@pytest.mark.parametrize("module", MODULES, ids=[str(module.relative_to(SHELL)) for module in MODULES])
def test_what_a_module_takes_from_another_is_there(module: Path) -> None:
    for names, path in _IMPORTED.findall(module.read_text()):
        if "/program/" in path:
            continue  # what only a built page has
        other = module.parent / path
        assert other.is_file(), path
        taken = {name.split(" as ")[0].strip() for name in names.split(",")} - {""}
        assert taken <= exported(other), other


def test_every_module_is_used() -> None:
    """By another module, the page itself, a worker, or the host of a page that lies in a folder."""
    texts = {file: file.read_text() for file in (*MODULES, SHELL / "index.html", FOLDER)}
    for module in MODULES:
        others = [text for file, text in texts.items() if file != module]
        assert any(re.search(rf"[/\"]{re.escape(module.name)}\"", text) for text in others), (
            f"nothing leads to {module.relative_to(SHELL)}"
        )
