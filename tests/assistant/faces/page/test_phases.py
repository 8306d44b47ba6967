"""The phase in which a refused combat would be allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_desk import COMBAT, GAME, Page

BATTLE = {"question": "battle", "parameters": {"at": "41.19", "from": "40.20,40.19"}}


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path)


@pytest.mark.parametrize(
    ("phasing", "title", "line"),
    [("russian", "Attack", "phase=attack"), ("central-powers", "Counter Attack", "phase=counter-attack")],
)
def test_battle_in_the_movement_phase_is_allowed_in_the_attack_phase_of_the_attacker(
    page: Page, phasing: str, title: str, line: str
) -> None:
    page.send("begin", table="warsaw", game=GAME)
    page.enter(f"t=2 phase=movement phasing={phasing}")
    assert page.enter(COMBAT)["answer"]["kind"] == "no"
    found = page.send("phase-for", table="warsaw", **BATTLE)
    assert found == {"is": "phase", "title": title, "line": line}
    assert page.enter(line)["answer"]["kind"] != "no"


def test_no_phase_helps_where_none_is_stated_or_something_else_forbids_it(page: Page) -> None:
    page.send("begin", table="warsaw", game=GAME)
    page.enter("t=2")
    page.enter(COMBAT)
    assert page.send("phase-for", table="warsaw", **BATTLE)["title"] == ""
    page.enter("phase=movement phasing=russian")
    apart = {"question": "battle", "parameters": {"at": "41.19", "from": "30.20"}}
    assert page.send("phase-for", table="warsaw", **apart)["title"] == ""
