"""The Khan's corps after the combats, and the formations that stay with it (25.1.1b, 25.1.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.mechanics.procedure import AnswerError

from ...conftest import answered, rulings, typed
from ..turn.listing import listed, states

RETIRES = pytest.mark.rule("25.1.1b", "25.1", "9.2.2", "5.4.10a")
BESIDE = """turn={turn} phase=post-combat phasing=russian
22.86: {rider}
21.86: german infantry XX R
22.86|21.86,21.85,22.85,22.87,23.86,23.85 open
21.86|21.85,21.87,22.87,20.86,20.87,22.86 open
"""
OF_KHAN = 'russian cavalry XX C corps="1 C" (3-3-0-10) {}'


def retires(rider: str = OF_KHAN, more: str = "", turn: int = 16) -> Report[Any]:
    text = BESIDE.format(rider=rider.format(more), turn=turn)
    return answered(typed(text), "cavalry", unit="C", when="retirement")


@RETIRES
def test_cavalry_of_the_khan_must_retire_if_it_can() -> None:
    report = retires()
    assert (report.result.must, report.result.obliged) == (True, "is commanded by Khan Nakhichevanski")
    assert report.verdict.text.startswith("C is commanded by Khan Nakhichevanski and must retire to ")
    assert "stays" not in report.asks[0].options
    assert not retires(turn=17).result.must, "he is gone"
    assert not retires(OF_KHAN.replace("1 C", "2 C")).result.must
    assert retires(more="cel=-4").result.obliged == "is Demoralized"
    brigade = 'russian cavalry X C asset (3-3-0-10), russian cavalry XX D corps="1 C" (3-3-0-10)'
    assert retires(brigade).result.must, "the brigade is with the corps"


@RETIRES
def test_cavalry_of_the_khan_that_cannot_retire_stays() -> None:
    enemies = "21.85: german infantry XX S\n22.85: german infantry XX T\n23.86: german infantry XX U\n"
    text = (
        BESIDE.format(rider=OF_KHAN.format(""), turn=1) + enemies + "22.87: german infantry XX V\n23.85,22.86 clear\n"
    )
    text += "23.85: german infantry XX W\n"
    result = answered(typed(text), "cavalry", unit="C", when="retirement").result
    assert (result.may, result.must, result.obliged) == (False, False, "")
    bound = retires(more="restriction=immobile").result
    assert (bound.may, bound.must, bound.rule, bound.why) == (False, False, "3.3.5", "it may not move")
    assert (result.rule, result.why) == ("9.2", "no hex is open to it")
    away = answered(typed("turn=1\n22.86: " + OF_KHAN.format("")), "cavalry", unit="C", when="retirement").result
    assert (away.may, away.must) == (False, False)


@RETIRES
def test_the_step_owes_the_retirement_of_his_cavalry() -> None:
    text = "\n".join(BESIDE.format(rider=OF_KHAN.format(""), turn=1).splitlines()[1:])
    (item,) = listed(text, "post-combat", "retirement")
    assert (item.state, item.rule, item.units) == ("owed", "25.1.1", ("C",))
    assert item.text.endswith("C in 22.86 is commanded by Khan Nakhichevanski and must retire")
    low = listed(text.replace("(3-3-0-10)", "(3-3-0-10) cel=-4"), "post-combat", "retirement")
    assert [(item.state, item.rule) for item in low] == [("owed", "9.2.2")]
    gone = listed(text, "post-combat", "retirement", turn=17)
    assert states(gone) == [("possible", ("C",))]


LOCK = pytest.mark.rule("25.1.2", "25.1")
DISPLAY = """turn={turn} free-attachment
army "russian First" attachment-limit=5 plan=no
41.19: russian cavalry XX "2 c" corps="1 C" army=First
41.21: russian corps-train - "1 C Train" corps="1 C" corps-limit=6 army=First cavalry-corps
41.22: russian corps-train - "2 C Train" corps="2 C" corps-limit=6 army=First cavalry-corps
"""


def attached(unit: str = "2 c", turn: int = 16, **parameters: Any) -> Report[Any]:
    text = DISPLAY.format(turn=turn).replace('"2 c"', f'"{unit}"')
    return answered(typed(text), "attach", unit=unit, attachment_phase="yes", **parameters)


@LOCK
@pytest.mark.parametrize("unit", ["1 gdc", "2 gdc", "2 c", "3 c"])
def test_four_formations_leave_the_track_of_the_corps_only_once_he_is_gone(unit: str) -> None:
    for corps in ("2 C", "none"):
        report = attached(unit, corps=corps)
        assert report.verdict.kind == "no"
        assert [(breach.rule, breach.why) for breach in report.result.breaches if breach.rule == "25.1.2"] == [
            ("25.1.2", "it stays on the track of the 1 C Corps while Khan Nakhichevanski commands it, up to GT 16")
        ]
        assert not [breach for breach in attached(unit, 17, corps=corps).result.breaches if breach.rule == "25.1.2"]


@LOCK
def test_other_formations_are_free_to_go() -> None:
    assert not [breach for breach in attached("4 c", corps="2 C").result.breaches if breach.rule == "25.1.2"]


@LOCK
def test_a_position_with_one_of_them_elsewhere_is_in_breach() -> None:
    def breaches(turn: str, corps: str) -> list[str]:
        text = f'{turn}\n41.19: russian cavalry XX "3 c" corps="{corps}" army=First\n'
        return [
            breach.about for breach in answered(typed(text), "attachment").result.breaches if breach.rule == "25.1.2"
        ]

    assert breaches("turn=16", "2 C") == ["3 c"]
    assert breaches("turn=1", "2 C") == ["3 c"]
    assert breaches("turn=16", "1 C") == breaches("turn=17", "2 C") == []

    def asked(corps: str) -> list[str]:
        text = f'41.19: russian cavalry XX "3 c" corps="{corps}" army=First\n'
        return [ask.name for ask in answered(typed(text), "attachment").asks]

    assert "turn=N" in asked("2 C")
    assert "turn=N" not in asked("1 C")


KEPT = pytest.mark.rule("25.6.2a")
ASSETS = """turn={turn} campaign leaders=francois
army "central-powers Eighth" area="41.19-41.22"
army "central-powers Ninth" area="43.19-43.22"
43.19: german infantry XX 1/1 army={army} corps=none
43.19: german infantry III g.det asset {more}
41.19: german infantry XX 5/5 army=Eighth corps=none
"""


@KEPT
def test_an_asset_unit_of_the_eighth_army_joins_no_formation_of_another() -> None:
    def breaches(more: str = "began-in-eighth", army: str = "Ninth", turn: int = 24) -> list[str]:
        text = ASSETS.format(turn=turn, army=army, more=more)
        wrong = [breach for breach in answered(typed(text), "attachment").result.breaches if breach.rule == "25.6.2"]
        assert all(breach.others == ("1/1",) for breach in wrong)
        return [breach.about for breach in wrong]

    assert breaches() == ["g.det"]
    assert breaches("began-in-eighth with=1/1") == ["g.det"]
    assert breaches("began-in-eighth=no") == breaches("") == breaches(army="Eighth") == []
    assert breaches("began-in-eighth with=5/5") == [], "its owner attaches it to a formation of the Eighth Army"
    text = ASSETS.format(turn=24, army="Ninth", more="began-in-eighth").replace(
        "43.19: german infantry III", "43.21: german infantry III"
    )
    lone = answered(typed(text), "attachment").result.breaches
    assert "25.6.2" not in [breach.rule for breach in lone], "it stands alone"
    assert breaches(turn=23) == breaches(turn=34) == []


REACTS = """turn={turn} phase=movement phasing=central-powers
22.86: {rider}
21.86: german infantry XX R
22.86|21.86,21.85,22.85,22.87,23.86,23.85 open
21.86|21.85,21.87,22.87,20.86,20.87,22.86 open
"""
ROLLS = "ruling khan-reaction=rolls\n"


def reacts(more: str = "", rider: str = OF_KHAN, turn: int = 5) -> Report[Any]:
    text = REACTS.format(rider=rider.format(""), turn=turn) + more
    return answered(typed(text), "cavalry", unit="C", enemy="R", left="20.87")


@pytest.mark.rule("9.1", "25.1.1a")
def test_a_reaction_needs_no_die_of_the_khan() -> None:
    report = reacts("answers to.C=23.86")
    assert report.result.may and report.result.khan is None and report.changes
    assert "khan-reaction" in rulings(report)
    for other in (reacts(turn=17), reacts(rider=OF_KHAN.replace("1 C", "2 C"))):
        assert "khan-reaction" not in rulings(other), "the ruling makes no difference"
    regiment = OF_KHAN.replace("XX", "III")
    assert "khan-reaction" not in rulings(reacts(rider=regiment))
    with pytest.raises(AnswerError):
        reacts("answers to.C=23.86 khan.C=6")


@RETIRES
def test_the_turn_in_which_the_khan_commands_is_asked_for_only_where_he_may_oblige_a_unit() -> None:
    """Neither of a Demoralized unit, which must retire anyway, nor of one that reacts."""
    text = BESIDE.format(rider=OF_KHAN, turn=16).replace("turn=16 ", "")
    sound, low = (answered(typed(text.format(more)), "cavalry", unit="C", when="retirement") for more in ("", "cel=-4"))
    assert [ask.how for ask in sound.asks] == ["turn=N"]
    assert (low.verdict.kind, low.result.must) == ("yes", True)
    reacting = REACTS.format(rider=OF_KHAN.format(""), turn=5).replace("turn=5 ", "")
    assert answered(typed(reacting), "cavalry", unit="C", enemy="R", left="20.87").verdict.kind == "yes"


@pytest.mark.rule("9.1", "25.1.1a")
def test_by_the_other_reading_each_reaction_rolls_and_a_6_keeps_it_where_it_is() -> None:
    (ask,) = reacts(f"{ROLLS}answers to.C=23.86").asks
    assert (ask.name, ask.dice) == ("khan.C", "1d6")
    for die in (1, 4, 5):
        moved = reacts(f"{ROLLS}answers to.C=23.86 khan.C={die}")
        assert [(one.subject, one.after) for one in moved.changes if one.track == "place"] == [("C", "23.86")]
        assert moved.result.khan == die and moved.verdict.kind == "yes"
    halted = reacts(f"{ROLLS}answers to.C=23.86 khan.C=6")
    assert not halted.changes and not halted.asks
    assert halted.verdict.text == "C rolls 6 for Khan Nakhichevanski and stays"
    assert not reacts(f"{ROLLS}answers to.C=stays").asks, "it does not move, so it does not roll"
    assert not reacts(f"{ROLLS}answers to.C=23.86", turn=17).asks, "he is gone"
    assert not reacts(f"{ROLLS}answers to.C=23.86", OF_KHAN.replace("XX", "III")).asks, "a regiment does not roll"
