"""The page of keys: its examples are read as they stand, and it names every key."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from assistant.game.rule_file import RuleFile
from assistant.rules.clauses.overrides import POINTS

PAGE = (Path(__file__).parents[4] / "docs/making/rules-toml.md").read_text("utf-8")
BLOCKS = [
    block for block in re.findall(r"```toml\n(.*?)```", PAGE, re.S) if "[" in block and not block.startswith("points")
]


@pytest.mark.parametrize("block", BLOCKS)
def test_each_example_is_read(block: str) -> None:
    assert msgspec.toml.decode(block, type=RuleFile) != RuleFile()


def keys_of(kind: object) -> set[str]:
    """The keys of a section, of its clauses and theirs."""
    found = set[str]()
    todo, seen = [kind], set[int]()
    while todo:
        info = msgspec.inspect.type_info(todo.pop())
        parts = [info]
        while parts:
            part = parts.pop()
            if id(getattr(part, "cls", None)) in seen:
                continue
            match part:
                case msgspec.inspect.StructType():
                    seen.add(id(part.cls))
                    for field in part.fields:
                        found.add(field.encode_name)
                        parts.append(field.type)
                case msgspec.inspect.Metadata():
                    parts.append(part.type)
                case msgspec.inspect.UnionType():
                    parts += part.types
                case msgspec.inspect.VarTupleType():
                    parts.append(part.item_type)
                case msgspec.inspect.DictType():
                    parts.append(part.value_type)
    return found


def test_the_page_names_every_key_and_every_override() -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", PAGE)) + " ".join(BLOCKS)
    words = set(re.findall(r"[a-z_]+", code))
    assert keys_of(RuleFile) - words == set()
    assert all(f"`{point}`" in PAGE for point in POINTS)
