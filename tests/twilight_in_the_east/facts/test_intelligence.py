"""Facts of limited intelligence: what the game's file says of it, and what a side sees by it (4.2.6)."""

from __future__ import annotations

import pytest

from assistant.game.games import Game
from assistant.game.viewpoint import seen_by
from assistant.questions.view import View

from ...conftest import typed

STACK = "41.19 {more}: 1/1 -3 cel=-2 D1, 2/1 -1"
BESIDE, AWAY = "40.20: 25/3", "38.20: 25/3"


def seen(more: str = "", russians: str = BESIDE, side: str = "russian") -> View:
    """What a side sees of a German stack."""
    position = typed(f"accept illustrative\n{STACK.format(more=more)}\n{russians}")
    return View(position.game, seen_by(position.game, position.state, side))


def names(view: View) -> list[str]:
    return [unit.id for unit in view.state.stack("41.19")]


@pytest.mark.rule("4.2.6", "4.2.6b")
def test_the_game_says_that_intelligence_is_limited(twilight: Game) -> None:
    limits = twilight.file.intelligence
    assert limits is not None
    assert (limits.rule, limits.announced, limits.covers) == ("4.2.6", "announced", "ip")


@pytest.mark.rule("4.2.6")
def test_only_the_top_unit_of_an_enemy_stack_is_seen() -> None:
    assert names(seen()) == ["1/1"]
    assert names(seen(side="central-powers")) == ["1/1", "2/1"]


@pytest.mark.rule("4.2.6")
def test_once_an_attack_is_announced_the_others_are_named() -> None:
    view = seen("announced")
    assert names(view) == ["1/1", "2/1"]
    assert [view.word(track, "2/1") for track in ("arm", "size")] == ["infantry", "XX"]


@pytest.mark.rule("4.2.6")
@pytest.mark.parametrize("more", ["", "announced"])
@pytest.mark.parametrize("track", ["lost", "cel"])
def test_losses_and_effectiveness_are_never_seen(more: str, track: str) -> None:
    view = seen(more)
    for unit in names(view):
        assert (track, unit) not in view.state.facts
        assert view.is_hidden(track, unit)
    assert not seen(more, side="central-powers").is_hidden(track, "1/1")


@pytest.mark.rule("4.2.6")
@pytest.mark.parametrize("track", ["lost", "cel", "army", "with", "area", "attachment-limit"])
def test_what_is_kept_off_the_map_is_hidden(twilight: Game, track: str) -> None:
    assert twilight.track(track).hidden


@pytest.mark.rule("4.2.6a")
@pytest.mark.parametrize("more", ["", "control=central-powers", "attacked", "ruined"])
def test_no_marker_but_a_position_hides_the_top_unit(more: str) -> None:
    assert names(seen(more, AWAY)) == ["1/1"]


@pytest.mark.rule("4.2.6a")
@pytest.mark.parametrize("status", ["prepared=40.20", "supply=low", "half", "D2", "entrained", "spent=march:2"])
def test_a_marker_on_the_top_unit_hides_nothing(status: str) -> None:
    position = typed(f"accept illustrative\n41.19: 2/1 {status}, 1/1\n{AWAY}")
    state = seen_by(position.game, position.state, "russian")
    assert [unit.id for unit in state.stack("41.19")] == ["2/1"]


@pytest.mark.rule("4.2.6b")
@pytest.mark.parametrize(("russians", "top"), [(BESIDE, ["1/1"]), (AWAY, [])])
@pytest.mark.parametrize("level", [1, 4])
def test_a_position_hides_the_stack_from_all_but_neighbours(russians: str, top: list[str], level: int) -> None:
    view = seen(f"ip={level}", russians)
    assert names(view) == top
    assert view.state.value("unseen", "41.19") == "central-powers"
    assert names(seen(f"ip={level}", russians, "central-powers")) == ["1/1", "2/1"]
