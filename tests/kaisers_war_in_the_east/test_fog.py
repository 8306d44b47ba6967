"""What a side sees of its enemy with the optional fog of war."""

from __future__ import annotations

import msgspec
import pytest

from assistant.asking.view import View
from assistant.game.viewpoint import reduce_state
from assistant.state.changes import Change

from ..conftest import answered, typed
from .asking import kaiser

GAME = "game kaisers-war-in-the-east\n"
FOG = """options=fog-of-war turn=3
2418: Rus-SW radius=3 (2-2-3)
2421: Ger-8 (8-8-4), Ger-9 (6-6-4)
2422 {more}: AH-1 (4-4-4) face-down, AH-2 (4-4-4)
"Dead Pile": AH-3
nation german spare-corps=3
side central-powers railed=4
"""
ATTACK = "main-effort=west phase=first-combat phasing=allies\n2620 clear: Rus-2 (9-12-4), Rus-3 (2-2-4)\n2621 clear: AH-4 (10-11-4)\n2620|2621 open\n"


def seen(text: str, side: str = "allies") -> View:
    """What a side sees of a position."""
    position = typed(GAME + text)
    return View(position.game, reduce_state(position.game, position.state, side))


def names(view: View, place: str) -> list[str]:
    return [unit.id for unit in view.state.stack(place)]


def opened(text: str) -> list[tuple[str, object]]:
    """The stacks that an answer opens, each with the sides that see it."""
    changes = (change for change in kaiser(text).changes if isinstance(change, Change) and change.track == "examined")
    return [(change.subject, change.after) for change in changes]


@pytest.mark.rule("Opt/Fog/1", "Opt/Fog/5", "Opt/Fog/2", "Opt/Fog/3")
def test_a_stack_is_seen_by_its_top_unit_or_whole_by_the_side_that_examines_it() -> None:
    view = seen(FOG.format(more=""))
    assert (names(view, "2421"), view.state.value("unseen", "2421")) == (["Ger-8"], "central-powers")
    assert names(seen(FOG.format(more=""), "central-powers"), "2421") == ["Ger-8", "Ger-9"]
    plain = FOG.format(more="").replace("options=fog-of-war", "")
    assert names(seen(plain), "2421") == ["Ger-8", "Ger-9"]
    assert (names(seen(FOG.format(more="")), "2422"), seen(FOG.format(more="")).state.value("unseen", "2422")) == (
        [],
        "central-powers",
    )
    assert names(seen(FOG.format(more=""), "central-powers"), "2422") == ["AH-1", "AH-2"]
    examined = FOG.format(more="examined=allies")
    assert names(seen(examined), "2422") == ["AH-1", "AH-2"]
    assert seen(examined).value("attack", "AH-2") == 4
    other = FOG.format(more="examined=central-powers")
    assert names(seen(other), "2422") == []


@pytest.mark.rule("Opt/Fog/6", "Opt/Fog/3")
def test_what_is_off_the_map_is_hidden_and_a_look_opens_a_stack_to_who_looks() -> None:
    view = seen(FOG.format(more=""))
    assert "AH-3" not in view.state.units
    assert (view.value("spare-corps", "german"), view.integer("railed", "central-powers")) == (None, 0)
    own = seen(FOG.format(more=""), "central-powers")
    assert "AH-3" in own.state.units
    assert (own.value("spare-corps", "german"), own.integer("railed", "central-powers")) == (3, 4)
    looks = FOG.format(more="") + "ask scout unit=Rus-SW at=2421\nanswers scout={}"
    position = typed(GAME + looks.format(2))
    after = position.after(answered(position).changes)
    assert names(View(after.game, reduce_state(after.game, after.state, "allies")), "2421") == ["Ger-8", "Ger-9"]
    assert after.state.value("examined", "2421") == ("allies",)
    assert not kaiser(looks.format(3)).changes
    assert opened(looks.format(1) + "\n2421 examined=central-powers") == [("2421", ("central-powers", "allies"))]


@pytest.mark.rule("Opt/Fog/2")
def test_a_battle_waits_for_the_stacks_that_it_shows_each_side() -> None:
    fought = ATTACK + "ask battle at=2621 from=2620\nanswers die=1"
    assert opened("options=fog-of-war turn=3\n" + fought) == [
        ("2621", ("central-powers", "allies")),
        ("2620", ("central-powers", "allies")),
    ]
    assert not opened("turn=3\n" + fought)
    position = typed(GAME + "options=fog-of-war turn=3\n" + ATTACK)
    sight = reduce_state(position.game, position.state, "allies")
    report = answered(msgspec.structs.replace(position, state=sight), "battle", at="2621")
    assert report.verdict.kind == "undecided"
    assert [ask.how for ask in report.asks if ask.name == "unseen at 2621"] == [
        "2621: UNIT, ... as their owner names them (once they are shown to you: 2621 examined=central-powers|allies)"
    ]


@pytest.mark.rule("Opt/Fog/7", "PSY/table")
@pytest.mark.parametrize(
    ("options", "die", "stacks"), [("fog-of-war", 4, [2]), ("fog-of-war", 3, []), ("revolutions", 4, [])]
)
def test_the_owner_enters_which_dice_of_psywar_open_stacks(options: str, die: int, stacks: list[int]) -> None:
    start = f"turn=3 options=psywar+{options}\nside allies vp=20\nask psywar side=allies\nanswers psywar={die}\n"
    report = kaiser(start + "chart psywar 4 = 2\nchart psywar 3 = 0")
    lines = [line for part in report.parts for line in part.steps if line.rule == "Opt/Fog/7"]
    assert [line.figures["stacks"] for line in lines] == stacks
    assert all("HEX examined=allies" in line.text for line in lines)
    assert not [line for part in kaiser(start).parts for line in part.steps if line.rule == "Opt/Fog/7"]
