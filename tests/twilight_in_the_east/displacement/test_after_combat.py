"""Units that a combat leaves alone next to the enemy make room in its order (9.5, 9.8, 9.9)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

import pytest

from twilight_in_the_east.combat.pieces import Piece, Pieces
from twilight_in_the_east.displacement.in_combat import must_leave_hex

from ...conftest import told, viewed
from ..results.test_retreats import G1, fought

TRAIN = f'{G1}, "German 1 Train"'
LAST_STEP = TRAIN.replace("back-steps=0", "back-steps=0 -11")
DEPOT = "German EIGHTH Minor Depot"
GUNS = "german artillery - G (1-0-4-8) back-steps=0"
FRIEND = "43.19: german infantry XX G2 corps=1 (9-6-0-11) back-steps=0"


def places(report: object) -> dict[str, object]:
    return {one.subject: one.after for one in report.changes if one.track == "place"}  # type: ignore[attr-defined]


@pytest.mark.rule("9.8", "9.8.1", "11.4")
def test_a_train_left_behind_goes_before_the_advance_and_its_owner_chooses_where() -> None:
    (ask,) = fought("- / -", stack=LAST_STEP, steps=1).asks
    assert (ask.name, ask.rule) == ("to.German 1 Train", "9.8.1")
    assert "44.19" in ask.options
    assert "41.19" not in ask.options
    more = '"to.German 1 Train"=44.19'
    (ask,) = fought("- / -", stack=LAST_STEP, steps=1, more=more).asks
    assert ask.name == "advance"
    done = fought("- / -", stack=LAST_STEP, steps=1, more=f"{more} advance=R1")
    assert places(done) == {"G1": None, "R1": "41.19", "German 1 Train": "44.19"}
    assert ("German 1 Train", "extended") in {(one.subject, one.track) for one in done.changes}


@pytest.mark.rule("9.5.1", "9.5.1a", "11.4")
def test_guns_behind_the_front_go_once_the_enemy_has_advanced_next_to_them() -> None:
    guns = f"42.19: {GUNS}\n{FRIEND}"
    stays = fought("- / W2", guns, more="retreat.41.19=41.18,41.17 advance=none")
    assert stays.result.outcome.displaced == ()
    done = fought("- / W2", guns, more="retreat.41.19=41.18,41.17 advance=R1")
    assert [(one.unit, one.place, one.hex, one.rule) for one in done.result.outcome.displaced] == [
        ("G", "42.19", "43.19", "9.5.1")
    ]
    assert places(done)["G"] == "43.19"
    assert ("G", "displaced", True) in {(one.subject, one.track, one.after) for one in done.changes}
    assert ("G", "retreated", True) not in {(one.subject, one.track, one.after) for one in done.changes}
    marked = fought("- / W2", guns.replace(GUNS, f"{GUNS} displaced"), more="retreat.41.19=41.18,41.17 advance=R1")
    assert places(marked)["G"] is None, "displaced before"


def test_who_had_to_go_before_the_combat_is_left_alone() -> None:
    done = fought("- / -", f"40.21: {GUNS}\n{FRIEND}")
    assert done.result.outcome.displaced == ()


@pytest.mark.rule("9.9")
def test_a_depot_goes_along_its_line_and_without_a_word_of_it_the_combat_goes_on() -> None:
    line = "42.19|43.19 rail1\n43.19|44.19 rail1\n" + "\n".join(
        f"{n}.19 operational=central-powers" for n in (42, 43, 44)
    )
    depot = f'42.19: "{DEPOT}"'
    more = "retreat.41.19=41.18,41.17 advance=R1"
    (ask,) = fought("- / W2", f"{depot}\n{line}", more=more).asks
    assert (ask.name, ask.options) == (f"to.{DEPOT}", ("43.19", "44.19"))
    done = fought("- / W2", f"{depot}\n{line}", more=f'{more} "to.{DEPOT}"=44.19')
    assert places(done)[DEPOT] == "44.19"
    unsaid = fought("- / W2", depot, more=more)
    assert unsaid.result.outcome.unsettled == (DEPOT,)
    assert DEPOT not in places(unsaid)
    assert any("may have to leave its hex (ask displace)" in text for text in told(unsaid))
    (gone,) = done.result.outcome.displaced
    assert (gone.why, gone.way) == ("an enemy is adjacent to it", ("43.19", "44.19"))


@pytest.mark.rule("9.9", "11.4")
def test_in_a_combat_too_a_depot_may_use_a_line_just_lost_and_pass_the_enemy() -> None:
    """Its line leads from 42.19 by 41.19, into which R1 advances, to 41.17."""
    line = "42.19|43.19 rail1\n43.19|44.19 rail1\n42.19,44.19 operational=central-powers\n"
    line += "phase=attack\nphasing=russian\n43.19 operational=none line-lost={}"
    more = "retreat.41.19=41.18,41.17 advance=R1"
    (ask,) = fought("- / W2", f'42.19: "{DEPOT}"\n{line.format("central-powers:5:russian:attack")}', more=more).asks
    assert (ask.name, ask.options) == (f"to.{DEPOT}", ("43.19", "44.19"))
    before = fought("- / W2", f'42.19: "{DEPOT}"\n{line.format("central-powers:5:russian:movement")}', more=more)
    assert DEPOT not in places(before)
    line = "42.19|41.19 rail1\n41.19|41.18 rail1\n41.18|41.17 rail1\n"
    line += "42.19,41.19,41.18,41.17 operational=central-powers"
    done = fought("- / W2", f'42.19: "{DEPOT}"\n{line}', more="retreat.41.19=41.18,41.17 advance=R1")
    assert [(one.unit, one.hex, one.way) for one in done.result.outcome.displaced] == [
        (DEPOT, "41.17", ("41.19", "41.18", "41.17"))
    ]


@pytest.mark.rule("9.9")
@pytest.mark.parametrize(("reading", "lost"), [("lost", True), ("stays", False)])
def test_a_depot_without_a_line_is_lost_or_stays_as_the_players_read_it(reading: str, lost: bool) -> None:
    line = "42.19|41.18,41.19,42.18,42.20,43.18,43.19 no-rail"
    ground = f'42.19: "{DEPOT}"\n{line}\nruling depot-stuck={reading}'
    done = fought("- / W2", ground, more="retreat.41.19=41.18,41.17 advance=R1")
    assert [one.hex for one in done.result.outcome.displaced] == ([""] if lost else [])
    assert done.result.outcome.unsettled == (() if lost else (DEPOT,))


@pytest.mark.rule("9.9", "11.4")
def test_a_depot_that_has_to_go_on_account_of_the_advance_too_is_asked_for_again() -> None:
    line = "".join(f"{n}.19|{n + 1}.19 rail1\n" for n in (41, 42, 43))
    line += "\n".join(f"{n}.19 operational=central-powers" for n in (42, 43, 44))
    more = f'retreat.41.19=41.18 "to.{DEPOT}"=42.19 advance=R1'
    (ask,) = fought("- / W1", line, f'{G1}, "{DEPOT}"', more=more).asks
    assert (ask.name, ask.options) == (f"to.{DEPOT}.again", ("43.19", "44.19"))
    done = fought("- / W1", line, f'{G1}, "{DEPOT}"', more=f'{more} "to.{DEPOT}.again"=44.19')
    assert [one.hex for one in done.result.outcome.displaced] == ["42.19", "44.19"]
    assert places(done)[DEPOT] == "44.19"
    assert any(f"{DEPOT} goes from 42.19 to 44.19" in text for text in told(done))


@pytest.mark.rule("9.5.1", "11.4")
def test_guns_whose_division_is_gone_go_and_the_attacker_advances() -> None:
    """The division loses its last step; nobody but the guns is left in the hex."""
    last = f"german infantry XX G1 corps=1 (12-6-0-11) back-steps=0 -11, {GUNS}"
    report = fought("- / -", FRIEND, last, more="losses.defender=G1", steps=1)
    assert report.result.outcome.lost() == {"R1": 1, "G1": 1}
    assert [(one.unit, one.hex) for one in report.result.outcome.displaced] == [("G", "43.19")]
    assert [ask.name for ask in report.asks] == ["advance"]
    alone = fought("- / -", "", last, more="losses.defender=G1", steps=1).result.outcome
    assert [(one.unit, one.hex) for one in alone.displaced] == [("G", "")]
    assert alone.lost() == {"R1": 1, "G1": 1, "G": 1}, "no friend is near"


@pytest.mark.rule("9.9", "11.4")
@pytest.mark.parametrize("owed", ["", f'"{DEPOT}" must-leave=41.19'])
def test_nobody_advances_onto_a_depot_of_which_it_is_not_known_where_it_goes(owed: str) -> None:
    done = fought("- / W1", owed, f'{G1}, "{DEPOT}"', more="retreat.41.19=42.19")
    assert (done.asks, done.result.outcome.unsettled, done.result.outcome.advance) == ((), (DEPOT,), ())
    assert any("no unit advances before that" in text for text in told(done))


class Around(NamedTuple):
    """Where others stand around a unit in 41.19: enemies, hexes in their zones of control, and arms of friends with it."""

    hexes: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    arms: tuple[str, ...] = ()

    where = {"U": "41.19"}
    pieces = SimpleNamespace(terrain=SimpleNamespace(neighbours=lambda _: ("41.18", "40.19")), view=viewed(""))

    def enemies(self, _: str) -> frozenset[str]:
        return self.hexes

    def enemy_zones(self, _: str) -> frozenset[str]:
        return self.zones

    def at(self, _: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(id="F", arm=arm) for arm in self.arms]


HALF_HEX = """{}: austro-hungarian artillery - G
17.113: russian infantry XX R (9-9-0-9)
17.113|17.114,18.114 open
ruling half-hex-guns={}"""
NEXT, IN_ZONE = frozenset({"41.18"}), frozenset({"41.19"})


@pytest.mark.rule("9.5", "9.8", "9.9", "2.2c")
@pytest.mark.parametrize(
    ("arm", "around", "goes"),
    [
        ("artillery", Around(NEXT, IN_ZONE), True),
        ("corps-train", Around(NEXT, IN_ZONE), True),
        ("artillery", Around(NEXT, IN_ZONE, ("infantry",)), False),
        ("corps-train", Around(NEXT, IN_ZONE, ("cavalry",)), False),
        ("corps-train", Around(NEXT, IN_ZONE, ("artillery",)), True),
        ("artillery", Around(NEXT, frozenset({"40.19"})), False),
        ("minor-depot", Around(NEXT), True),
        ("major-depot", Around(NEXT), True),
        ("major-depot", Around(NEXT, IN_ZONE, ("infantry",)), True),
        ("minor-depot", Around(frozenset({"44.10"}), IN_ZONE), False),
        ("major-depot", Around(frozenset({"44.10"}), IN_ZONE), False),
        *((arm, Around(NEXT), False) for arm in ("infantry", "cavalry", "fortress", "fort", "dummy")),
    ],
)
def test_who_has_to_go(arm: str, around: Around, goes: bool) -> None:
    """Guns and trains leave a zone of control if no combat unit is with them, depots leave any hex next to an enemy."""
    assert must_leave_hex(around, Piece("U", "german", "41.19", arm)) is goes  # type: ignore[arg-type]


@pytest.mark.rule("22.5.1", "9.5", "9.8")
@pytest.mark.parametrize(("reading", "goes"), [("stays", False), ("lost", True)])
def test_the_train_of_königsberg_goes_by_the_ruling(reading: str, goes: bool) -> None:
    text = '60.17: "KG Train"\n60.18: russian infantry XX R\n60.17|60.18 open\nruling lone-kg-train='
    pieces = Pieces(viewed(text + reading))
    assert must_leave_hex(pieces.layout(()), pieces.by_id["KG Train"]) is goes


@pytest.mark.rule("23.4.1", "9.5", "9.8")
@pytest.mark.parametrize(
    ("hex", "reading", "goes"), [("17.114", "stays", False), ("17.114", "leaves", True), ("18.114", "stays", True)]
)
def test_guns_alone_in_a_half_hex_go_by_the_ruling(hex: str, reading: str, goes: bool) -> None:
    pieces = Pieces(viewed(HALF_HEX.format(hex, reading)))
    assert must_leave_hex(pieces.layout(()), pieces.by_id["G"]) is goes
