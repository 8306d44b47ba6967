"""Facts of limited intelligence: what the game's file says of it, and what a side sees by it (4.2.6)."""

from __future__ import annotations

import pytest

from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state

from ...conftest import typed

STACK = "41.19 {more}: 1/1 -3 cel=-2 D1, 2/1 -1"
BESIDE, AWAY = "40.20: 25/3", "38.20: 25/3"


def seen(more: str = "", russians: str = BESIDE, side: str = "russian") -> View:
    """What a side sees of a German stack."""
    position = typed(f"trust counters\n{STACK.format(more=more)}\n{russians}")
    return View(position.game, reduce_state(position.game, position.state, side))


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
    position = typed(f"trust counters\n41.19: 2/1 {status}, 1/1\n{AWAY}")
    state = reduce_state(position.game, position.state, "russian")
    assert [unit.id for unit in state.stack("41.19")] == ["2/1"]


@pytest.mark.rule("4.2.6b")
@pytest.mark.parametrize(("russians", "top"), [(BESIDE, ["1/1"]), (AWAY, [])])
@pytest.mark.parametrize("level", [1, 4])
def test_a_position_hides_the_stack_from_all_but_neighbours(russians: str, top: list[str], level: int) -> None:
    view = seen(f"ip={level}", russians)
    assert names(view) == top
    assert view.state.value("unseen", "41.19") == "central-powers"
    assert names(seen(f"ip={level}", russians, "central-powers")) == ["1/1", "2/1"]


COVERED = {
    "caps": "41.19 capped {more}: 1/1, {rumour}2/1",
    "concealment": "41.19 {more}: {rumour}1/1 concealed, 2/1 concealed",
}
RUMOUR = "german dummy - Rumour concealed, "


def covered(option: str, more: str = "", rumour: str = "", russians: str = BESIDE, side: str = "russian") -> View:
    """What a side sees of a German stack under a cap, or with its crests up."""
    stack = COVERED[option].format(more=more, rumour=rumour)
    position = typed(f"hidden-units={option}\ntrust counters\n{stack}\n{russians}")
    return View(position.game, reduce_state(position.game, position.state, side))


@pytest.mark.rule("26.1.1")
def test_the_game_says_what_covers_stacks_and_units(twilight: Game) -> None:
    limits = twilight.file.intelligence
    assert limits is not None
    assert (limits.caps, limits.conceals, limits.decoy) == ("capped", "concealed", {"arm": "dummy"})


@pytest.mark.rule("26.1.1")
@pytest.mark.parametrize("russians", [BESIDE, AWAY])
@pytest.mark.parametrize("more", ["", "announced", "ip=2"])
def test_a_cap_hides_the_whole_stack_whatever_stands_adjacent(russians: str, more: str) -> None:
    view = covered("caps", more, russians=russians)
    assert names(view) == []
    assert view.state.value("unseen", "41.19") == "central-powers"
    assert names(covered("caps", more, russians=russians, side="central-powers")) == ["1/1", "2/1"]


@pytest.mark.parametrize(("more", "shown"), [("", []), ("announced", ["1/1", "2/1"])])
def test_a_crest_hides_a_unit_until_an_attack_is_announced(more: str, shown: list[str]) -> None:
    view = covered("concealment", more)
    assert names(view) == shown
    assert (view.state.value("unseen", "41.19") == "central-powers") is (not shown)


@pytest.mark.parametrize("option", ["caps", "concealment"])
@pytest.mark.parametrize("more", ["", "ip=1"])
def test_a_dummy_under_a_cap_or_a_crest_is_no_different_from_a_unit(option: str, more: str) -> None:
    with_units, alone = covered(option, more), covered(option, more, RUMOUR)
    assert with_units.state == alone.state
    rumours = typed(
        f"hidden-units={option}\ntrust counters\n41.19 {'capped ' * (option == 'caps')}{more}: german dummy - R concealed\n{BESIDE}"
    )
    assert reduce_state(rumours.game, rumours.state, "russian") == with_units.state


def test_where_dummies_are_in_play_what_is_not_seen_may_be_nothing() -> None:
    seen_at = {
        end: [unit.id for unit in covered("caps").at_its(end).stack("41.19")] for end in ("weakest", "strongest")
    }
    assert seen_at == {"weakest": [], "strongest": ["unseen at 41.19"]}
    dug_in = seen("ip=1", AWAY)
    assert [unit.id for unit in dug_in.at_its("weakest").stack("41.19")] == ["unseen at 41.19"]


def test_dummies_do_not_look_into_a_position() -> None:
    rumour = "40.20: russian dummy - R"
    assert names(seen("ip=1", rumour)) == []
    assert names(seen("ip=1", f"{rumour}, 25/3")) == ["1/1"]
