"""Limits: each is documented, can be set, and says by which variable."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.plugins.registry import read_position
from assistant.util.errors import InputError
from assistant.util.limits import Limit

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs/limits.md"


def test_all_limits_are_documented_as_they_are() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \| (.*) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert rows == [(limit.variable, limit.default, limit.unit, limit.of) for limit in Limit]


def test_every_limit_is_used() -> None:
    folders = (ROOT / "assistant", ROOT / "module_builder")
    code = "".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    assert [limit.name for limit in Limit if f"Limit.{limit.name}." not in code] == []


def test_no_limit_refuses_what_it_allows() -> None:
    Limit.STACK.check(1000, "a stack holds")
    with pytest.raises(InputError, match="^a stack holds more than 1000 pieces\n.* FIELD_STAFF_LIMIT_STACK=2000$"):
        Limit.STACK.check(1001, "a stack holds")


@pytest.mark.parametrize(
    ("text", "most"), [("1", 1), ("0", 0), ("3k", 3072), (" 64M ", 2**26), ("2G", 2**31), ("", 2**24)]
)
def test_the_environment_sets_them(text: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(Limit.FILE.variable, text)
    assert Limit.FILE.most == most


@pytest.mark.parametrize("text", ["many", "-1", "1.5M", "64MB", "M", "9" * 13])
def test_what_is_no_limit_is_said_with_its_variable(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(Limit.FILE.variable, text)
    with pytest.raises(
        InputError, match=f"^FIELD_STAFF_LIMIT_FILE: '{re.escape(text)}' is not a limit\n  write a whole"
    ):
        read_position(str(DOCS))


def test_a_higher_limit_lets_a_file_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.pos"
    file.write_text("game twilight-in-the-east\n" + "\n" * 20_000, "utf-8")
    with pytest.raises(InputError, match="it holds more than 10000 lines"):
        read_position(str(file))
    monkeypatch.setenv("FIELD_STAFF_LIMIT_LINES", "20001")
    assert read_position(str(file)).state.units == {}
