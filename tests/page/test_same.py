"""A browser and a laptop answer alike: two hundred questions of all games, byte for byte."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.faces.page.respond import respond
from assistant.faces.page.tables import Tables

from ..cases import thorough
from .browser import Visit
from .hosting import asked_there, rules_alone
from .questions import COUNT, PARTS, Asking, choose_part, questions


def requests(asked: Sequence[Asking]) -> list[str]:
    """Requests that begin a table with each position, and ask."""
    names: dict[Path, str] = {}
    found: list[dict[str, Any]] = []
    for asking in asked:
        if asking.file not in names:
            names[asking.file] = f"table-{len(names) + 1}"
            begin = {"do": "begin", "table": names[asking.file], "game": asking.game, "position": asking.notation}
            found.append(begin)
        ask = {"do": "ask", "table": names[asking.file], "question": asking.question}
        found.append({**ask, "parameters": asking.parameters, "answers": asking.answers})
    return [json.dumps(request) for request in found]


@thorough
def test_there_are_two_hundred_of_all_games_and_most_have_an_answer(tmp_path: Path) -> None:
    asked, tables = questions(), Tables(tmp_path)
    assert len({str(asking) for asking in asked}) == COUNT
    games = Counter(asking.game for asking in asked)
    assert len(games) == 4
    assert min(games.values()) >= 30
    kinds = Counter(json.loads(respond(tables, request.encode()))["is"] for request in requests(asked))
    assert kinds["answer"] >= 170


@pytest.mark.parametrize("part", range(PARTS))
def test_browser_and_laptop_answer_alike(visit: Visit, folder: str, tmp_path: Path, part: int) -> None:
    asked = requests(choose_part(questions(), part))
    tables = Tables(tmp_path)
    here = [respond(tables, request.encode()).decode() for request in asked]
    there = asked_there(rules_alone(visit, visit.context(origin=folder), folder), asked)
    assert len(there) == len(here)
    differ = [request for request, one, other in zip(asked, here, there, strict=True) if one != other]
    assert differ == []
