"""What a Force pays that ends its retreats farther from supply (11.2.3)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.retreat.ways import supply_charges

from ...conftest import answered, typed, viewed

NEAR, FAR = "41.20", "41.17"
"""41.20 and 41.17 lie one and two hexes from 41.19, on its two sides."""


def charged(
    sources: list[str], end: str, hexes: tuple[int, int], more: str = "", *, fortress: bool = False
) -> list[tuple[str, int]]:
    view = viewed(f"turn=1\n41.19: german infantry XX A (9-9-0-9) corps=1 army=Eighth\n{more}")
    staying = [(source, source) for source in sources]
    found = supply_charges(view, staying, "A", ("41.19", end), hexes, fortress=fortress)
    return [(one.rule, one.levels) for one in found]


LEVEL = [("11.2.3", 1)]
NO_ARMY = "the army of A is not stated, so its depots are left out"
NO_SOURCE = "no supply source of A's command is known: whether it ends farther from all is left to the players"


@pytest.mark.rule("11.2.3")
@pytest.mark.parametrize(
    ("sources", "end", "hexes", "more", "fortress", "found"),
    [
        pytest.param([NEAR], FAR, (2, 0), "", False, LEVEL, id="farther from it"),
        pytest.param([NEAR], FAR, (1, 0), "", False, [], id="one hex was due"),
        pytest.param([NEAR], FAR, (1, 1), "", False, LEVEL, id="two for any reason"),
        pytest.param([NEAR], FAR, (0, 2), "", False, LEVEL, id="away from a Repulse too"),
        pytest.param(
            [NEAR], FAR, (0, 2), "ruling repulsed-from-supply=spared", False, [], id="which players may spare"
        ),
        pytest.param(
            [NEAR], FAR, (1, 2), "ruling repulsed-from-supply=spared", False, [], id="with a hex by the result"
        ),
        pytest.param(
            [NEAR], FAR, (2, 0), "ruling repulsed-from-supply=spared", False, LEVEL, id="but not two of these"
        ),
        pytest.param([FAR], FAR, (2, 0), "", False, [], id="nearer"),
        pytest.param([NEAR, FAR], FAR, (2, 0), "", False, [], id="not from every one"),
        pytest.param([NEAR], FAR, (2, 0), "", True, [], id="with a fortress unit"),
        pytest.param([], FAR, (2, 0), "", False, [], id="no source is known"),
    ],
)
def test_what_a_retreat_away_from_supply_costs(
    sources: list[str], end: str, hexes: tuple[int, int], more: str, fortress: bool, found: list[tuple[str, int]]
) -> None:
    assert charged(sources, end, hexes, more, fortress=fortress) == found


@pytest.mark.rule("11.2.3")
def test_the_nearest_source_decides_where_players_agree_so() -> None:
    assert charged(["41.20", "41.13"], "41.17", (2, 0), "ruling away-from-supply=nearest") == LEVEL
    assert charged(["41.20", "41.13"], "41.17", (2, 0)) == []
    assert charged(["41.20", "41.13"], "41.17", (2, 0), "ruling away-from-supply=nearest", fortress=True) == []
    view = viewed("turn=1\n41.19: german infantry XX A (9-9-0-9) corps=1 army=Eighth")
    ends = "41.19", FAR
    assert supply_charges(view, [ends], "A", ends, (2, 0), fortress=False) == ()
    assert supply_charges(view, [("41.19", "41.19")], "A", ends, (2, 0), fortress=False) != ()


@pytest.mark.rule("11.2.3")
@pytest.mark.parametrize(
    ("sources", "end", "hexes", "fortress", "named"),
    [
        pytest.param([NEAR, "41.13"], FAR, (2, 0), False, {"away-from-supply"}, id="the nearest alone is farther"),
        pytest.param([NEAR, "41.13"], FAR, (2, 0), True, set(), id="a fortress unit decides it"),
        pytest.param([NEAR], FAR, (2, 0), False, set(), id="every one is farther"),
        pytest.param([FAR], FAR, (2, 0), False, set(), id="none is farther"),
        pytest.param([NEAR], FAR, (0, 2), False, {"repulsed-from-supply"}, id="a Repulse, and farther"),
        pytest.param([FAR], FAR, (0, 2), False, set(), id="a Repulse, and nearer"),
    ],
)
def test_a_ruling_is_named_where_it_makes_a_difference(
    sources: list[str], end: str, hexes: tuple[int, int], fortress: bool, named: set[str]
) -> None:
    view = viewed("turn=1\n41.19: german infantry XX A (9-9-0-9) corps=1 army=Eighth")
    supply_charges(view, [(source, source) for source in sources], "A", ("41.19", end), hexes, fortress=fortress)
    assert view.premises.rulings.keys() & {"away-from-supply", "repulsed-from-supply"} == named


@pytest.mark.rule("11.2.3")
@pytest.mark.parametrize(
    ("army", "depot", "sources", "hexes", "said"),
    [
        (" army=Eighth", "minor-depot", [NEAR], 2, ""),
        ("", "minor-depot", [NEAR], 2, NO_ARMY),
        ("", "major-depot", [NEAR], 2, NO_ARMY),
        ("", "", [NEAR], 2, ""),
        (" army=Eighth", "minor-depot", [], 2, NO_SOURCE),
        (" army=Eighth", "minor-depot", [], 1, ""),
    ],
)
def test_what_is_not_known_of_supply_is_said(army: str, depot: str, sources: list[str], hexes: int, said: str) -> None:
    ground = f"turn=1\n41.19: german infantry XX A (9-9-0-9) corps=1{army}"
    view = viewed(ground + (f"\n40.19: german {depot} - M" if depot else ""))
    supply_charges(view, [(source, source) for source in sources], "A", ("41.19", FAR), (hexes, 0), fortress=False)
    assert [step.text for step in view.premises.assumptions] == ([said] if said else [])


@pytest.mark.rule("11.2.2")
@pytest.mark.parametrize(("way", "said"), [("42.19,43.18,42.18", True), ("42.19,43.18,43.17", False)])
def test_a_way_that_breaks_a_priority_does_not_pass_in_silence(way: str, said: bool) -> None:
    text = "trust charts\nturn=5 phase=attack phasing=russian\nelsewhere clear open\n"
    text += "41.19: german infantry XX G (12-12-0-11) corps=1\n40.19: russian infantry XX R (12-12-0-9)"
    report = answered(typed(text), "retreat", at="41.19", hexes=3, last="yes", way=way)
    sentence = "The priorities put 43.17 before 42.18: farther from the combat."
    assert (sentence in [step.text for step in report.short]) is said
