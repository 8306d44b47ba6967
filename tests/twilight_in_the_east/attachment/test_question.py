"""Attachment of a whole position: who belongs to what, every breach, what is not stated (6.1 to 6.4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.game.viewpoint import reduce_state
from assistant.util.errors import InputError

from ...conftest import answered, rulings, told, typed

DIVISION = "russian infantry XX {} army={}"
SECOND = 'army "russian Second" attachment-limit=3'
TRAIN = "russian corps-train - {} corps={} army=Second corps-limit=2"
GOOD = f"""{SECOND} area="41.19-41.22"
41.19: {DIVISION.format("1/13", "Second")}, {DIVISION.format("36/13", "Second")}
41.21: {TRAIN.format('"13 Train"', 13)}
41.22: {DIVISION.format("3Gd", "Second")}
"""


def asked(text: str, **parameters: Any) -> Report[Any]:
    return answered(typed(text), "attachment", **parameters)


def breaches(text: str, **parameters: Any) -> list[tuple[str, str]]:
    return [(one.rule, one.about) for one in asked(text, **parameters).result.breaches]


def units(report: Report[Any]) -> dict[str, tuple[str, str, str]]:
    return {one.unit: (one.army, one.corps, one.by) for one in report.result.units}


@pytest.mark.rule("6.2")
def test_a_display_in_good_order() -> None:
    report = asked(GOOD)
    assert (report.verdict.kind, report.verdict.text) == ("yes", "no breach of the attachment rules")
    assert units(report) == {
        "1/13": ("russian Second", "13", "its display"),
        "36/13": ("russian Second", "13", "its display"),
        "13 Train": ("russian Second", "13", "its display"),
        "3Gd": ("russian Second", "", "its display"),
    }
    assert [step.text for step in report.parts[0].steps] == [
        "the Russian Second Army, independent: 3Gd",
        "the Russian Second Army, 13 Corps: 1/13, 36/13, 13 Train",
    ]
    assert asked(GOOD, units="3Gd").result.units[0].unit == "3Gd"


@pytest.mark.rule("6.1.1", "6.1.1d")
def test_units_in_an_area_belong_to_its_army_and_may_stay_in_a_wrong_one_for_now() -> None:
    text = f'{SECOND} area="41.19-41.22"\n41.20: russian infantry XX new, russian infantry XX rides entrained'
    report = asked(text)
    assert units(report) == {"new": ("russian Second", "", "its area"), "rides": ("", "", "")}
    assert [(change.subject, change.before, change.after) for change in report.changes] == [("new", None, "Second")]
    assert [(one.rule, one.about) for one in report.result.breaches] == [("6.3", "rides")]
    text = f'{GOOD}\narmy "russian First" area="42.19-42.21"\n42.20: {DIVISION.format("lost", "Second")}'
    report = asked(text)
    assert (report.verdict.kind, report.verdict.text) == (
        "yes",
        "no breach of the attachment rules, 1 unit in the wrong area",
    )
    assert [(one.about, one.tolerated) for one in report.result.breaches] == [("lost", True)]


@pytest.mark.rule("6.3")
def test_who_belongs_to_no_army() -> None:
    assert breaches("41.20: russian infantry XX 3Gd, russian corps-train - T corps=13") == [
        ("6.3", "3Gd"),
        ("6.3", "T"),
    ]


@pytest.mark.rule("6.1")
def test_areas_that_overlap_or_hang_apart() -> None:
    both = 'army "russian First" area="41.22 42.22"\n41.22: russian infantry XX R army=First'
    assert breaches(f"{GOOD}\n{both}") == [("6.1", "russian First")]
    (breach,) = asked(GOOD.replace("41.19-41.22", "41.19-41.22 49.30")).result.breaches
    assert breach.why == "its Area of Attachment is in 2 pieces"


def side_by_side(last: int) -> str:
    """Two armies that face an enemy to the east, with areas that go back to this column."""

    def area(name: str, first_row: int, last_row: int) -> str:
        stretches = " ".join(f"{column}.{first_row}-{column}.{last_row}" for column in range(40, last + 1))
        return f'army "central-powers {name}" area="{stretches}"'

    units = "42.18: german infantry XX A army=Eighth\n42.22: german infantry XX B army=Ninth"
    return f"{area('Eighth', 16, 19)}\n{area('Ninth', 20, 24)}\n{units}\n40.20: russian infantry XX R army=First"


def test_a_boundary_between_two_armies_of_the_front() -> None:
    assert breaches(side_by_side(49)) == []
    (breach,) = asked(side_by_side(48)).result.breaches
    assert breach.why == "its boundary with central-powers Ninth ends 6 hexes behind the Front Line; the minimum is 7"


def test_what_lies_before_the_front_is_no_depth_of_a_boundary() -> None:
    """The two fronts are eight hexes apart, and the areas end on their own."""
    text = (
        side_by_side(42)
        .replace("40.20:", "34.20:")
        .replace("40.16", "35.16-35.19 36.16-36.19 37.16-37.19 38.16-38.19 39.16-39.19 40.16")
    )
    text = text.replace("40.20-", "35.20-35.24 36.20-36.24 37.20-37.24 38.20-38.24 39.20-39.24 40.20-")
    (breach,) = asked(text).result.breaches
    assert breach.why.startswith("its boundary with central-powers Ninth ends 0 hexes behind the Front Line")


@pytest.mark.rule("22.3.2", "22.5", "23.2")
@pytest.mark.parametrize(
    ("corps", "army", "when", "rule"),
    [
        ("KG", "Eighth", "", ""),
        ("KG", "Ninth", "", "22.5"),
        ("HN", "Third", "campaign", "23.2"),
        ("HN", "AG P-B", "campaign", ""),
        ("HN", "Third", "", ""),
        ("3 LW", "Ninth", "campaign\nturn=29", "22.3.2"),
        ("3 LW", "AG W", "campaign\nturn=29", ""),
        ("3 LW", "Ninth", "campaign\nturn=28", ""),
        ("3 LW", "Ninth", "turn=29", ""),
    ],
)
def test_corps_that_belong_to_one_army(corps: str, army: str, when: str, rule: str) -> None:
    nation = "austro-hungarian" if corps == "HN" else "german"
    text = f'{when}\n60.17: {nation} corps-train - T corps="{corps}" army="{army}"'
    assert breaches(text) == ([(rule, "T")] if rule else [])
    own = f'{when}\n60.17: {nation} infantry XX "1/{corps}" army="{army}"'
    assert breaches(own) == ([(rule, f"1/{corps}")] if rule else [])


def test_when_3_landwehr_corps_belongs_to_its_army_is_asked_for() -> None:
    text = 'campaign\n60.17: german corps-train - T corps="3 LW" army={}'
    assert "turn=N" in [ask.how for ask in asked(text.format("Ninth")).asks]
    assert "turn=N" not in [ask.how for ask in asked(text.format('"AG W"')).asks]


@pytest.mark.rule("6.1c")
def test_a_boundary_counts_only_between_armies_that_have_a_piece_of_the_front() -> None:
    text = side_by_side(44).replace("42.18:", "42.20:")
    assert ("6.1", "central-powers Eighth") in breaches(text)
    assert "6.1" not in [rule for rule, _ in breaches(text.replace("42.22:", "46.20:"))]


@pytest.mark.rule("6.1c")
def test_an_army_off_the_front_has_its_area_behind_it() -> None:
    text = "\n".join(
        [
            'army "central-powers Eighth" area="42.18-42.22 43.18-43.22"',
            'army "central-powers Ninth" area="44.18-44.22"',
            "42.20: german infantry XX A army=Eighth",
            "44.20: german infantry XX B army=Ninth",
            "40.20: russian infantry XX R army=First",
        ]
    )
    report = asked(text)
    assert (report.result.breaches, report.result.off_front) == ((), ("central-powers Ninth",))
    assert (
        report.parts[1]
        .steps[0]
        .text.startswith(
            "central-powers Ninth has no unit in the Front Line: its area may lie anywhere behind the Front Line"
        )
    )


@pytest.mark.rule("6.1.2", "6.1.2b")
def test_corps_trains_in_an_area_and_on_a_display() -> None:
    trains = "\n".join(f"41.2{n}: {TRAIN.format(f'T{n}', n)}" for n in range(3))
    other = "41.22: russian corps-train - passing corps=9 army=First"
    text = f'{SECOND} area="41.19-41.22"\narmy "russian First" attachment-limit=2\n{trains}\n{other}'
    assert ("6.1.2", "russian Second") in breaches(text)
    assert ("6.1.2", "russian Second") not in breaches(f"{text} entrained")
    text = f"{SECOND}\n" + "\n".join(f"41.2{n}: {TRAIN.format(f'T{n}', n)}" for n in range(4))
    assert breaches(text) == [("6.1.2", "russian Second")]
    horse = text.replace("- T3 corps=3", "- T3 corps=3 cavalry-corps")
    assert breaches(horse) == [("6.1.2", "russian Second")]
    assert breaches(horse.replace("attachment-limit=3", "attachment-limit=3 cavalry-track")) == []


@pytest.mark.rule("6.2.2a")
def test_formations_of_a_corps() -> None:
    assert breaches(f"{GOOD}\n41.20: {DIVISION.format('55/13', 'Second')}") == [("6.2.2a", "13 Train")]
    horse = f"{GOOD}\n41.20: russian cavalry XX h corps=13 army=Second".replace("corps-limit=2", "corps-limit=3")
    assert breaches(horse) == [("6.2.2a", "h")]


@pytest.mark.rule("6.2.2", "6.2.2b")
def test_a_formation_away_from_its_corps() -> None:
    """It may be away while its Train is not there: not on the map, in Rail Mode, or out of reach of the front."""
    enemy = "39.19: german infantry XX G army=Eighth"
    text = f"{GOOD.replace('XX 36/13', 'XX 36/13 corps=')}\n{enemy}".replace("corps= ", 'corps="" ')
    deep = " ".join(f"{column}.19-{column}.22" for column in range(40, 50))
    text = text.replace("41.21:", "44.21:").replace("41.19-41.22", deep)
    near = text.replace("corps-limit=2", "corps-limit=2 extended-range=3")
    assert breaches(near) == [("6.2.2", "36/13")]
    assert breaches(near.replace("extended-range=3", "extended-range=2")) == []
    assert breaches(near.replace("extended-range=3", "extended-range=3 entrained")) == []
    assert breaches("\n".join(line for line in near.splitlines() if "Train" not in line)) == []
    assert [ask.how for ask in asked(text).asks] == ['"13 Train" extended-range=N']
    assert asked(text).result.breaches == ()
    off = asked(f"{near}".replace(enemy, ""))
    assert [ask.how for ask in off.asks] == ['army "russian Second" front=...'], "without an enemy there is no front"


@pytest.mark.rule("6.2.2b")
def test_the_train_of_koenigsberg_has_one_range_only() -> None:
    text = 'army "central-powers Eighth" attachment-limit=3 area="41.19-41.22" front="41.20"\n'
    text += '41.19: german infantry XX 1/KG army=Eighth corps=""\n44.20: "KG Train" army=Eighth corps-limit=2 range={}'
    assert [breaches(text.format(reach)) for reach in (3, 2)] == [[("6.2.2", "1/KG")], []]


@pytest.mark.rule("6.2.2b")
def test_a_train_of_no_army_is_near_no_front() -> None:
    text = GOOD.replace("XX 36/13", 'XX 36/13 corps=""').replace("41.21:", "44.21:")
    text = text.replace('"13 Train" corps=13 army=Second', "T corps=13 extended-range=9")
    report = asked(f"{text}\n39.19: german infantry XX G army=Eighth")
    assert "36/13" not in [one.about for one in report.result.breaches]
    assert not [ask.how for ask in report.asks if "front" in ask.how]


@pytest.mark.rule("6.2.2b")
@pytest.mark.parametrize(("reading", "others"), [("own", []), ("any", [("6.2.2", "36/13")])])
def test_which_front_a_train_has_to_be_near_is_a_ruling(reading: str, others: list[tuple[str, str]]) -> None:
    """The Train is three hexes from the line of its army, and one from that of another."""
    text = GOOD.replace("XX 36/13", 'XX 36/13 corps=""').replace("41.21:", "44.21:").replace("41.19-41.22", "")
    fronts = 'army "russian First" front="45.21"\narmy "central-powers Eighth" front="44.22"\narmy "russian Second" front="41.20"'
    text = f"{text}{fronts}\nruling front-of-train={reading}"
    for reach, found in (("3", [("6.2.2", "36/13")]), ("2", others), ("0", [])):
        report = asked(text.replace("corps-limit=2", f"corps-limit=2 extended-range={reach}"))
        assert [(one.rule, one.about) for one in report.result.breaches] == found
        assert ("front-of-train" in rulings(report)) is (reach == "2")
    bare = text.replace(' front="41.20"', ' front=""').replace("corps-limit=2", "corps-limit=2 extended-range=1")
    assert [bool(asked(bare).asks), breaches(bare)] == [reading == "own", others]
    alone = bare.replace('army "russian First" front="45.21"\n', "").replace("extended-range=1", "extended-range=9")
    assert ([ask.kind for ask in asked(alone).asks], rulings(asked(alone))) == (["fact"], [])


@pytest.mark.rule("6.1.1", "6.1.1d")
@pytest.mark.parametrize(
    ("reading", "found", "wrong"),
    [("area", ("russian First", "its area"), []), ("corps", ("russian Second", "its corps"), [("6.1.1", "36/13")])],
)
def test_whether_the_corps_or_the_area_decides_is_a_ruling(
    reading: str, found: tuple[str, str], wrong: list[tuple[str, str]]
) -> None:
    first = 'army "russian First" attachment-limit=3 area="43.19-43.22"'
    kept = GOOD.replace(", russian infantry XX 36/13 army=Second", "")
    text = f"{kept}\n43.20: russian infantry XX 36/13\n{first}\nruling corps-or-area={reading}"
    report = asked(text)
    army, corps, by = units(report)["36/13"]
    assert ((army, by), corps, rulings(report)) == (found, "13", ["corps-or-area"])
    assert [(one.rule, one.about) for one in report.result.breaches if one.tolerated] == wrong
    assert [(one.subject, one.after) for one in report.changes] == [("36/13", found[0].removeprefix("russian "))]
    assert rulings(asked(text.replace("XX 36/13", "XX 36/13 army=First"))) == []
    assert rulings(asked(text.replace("XX 36/13", "XX 4Gd"))) == []


@pytest.mark.rule("6.2.3")
def test_a_train_without_a_corps() -> None:
    assert ("6.2.3", "T") in breaches(f"{SECOND}\n41.20: russian corps-train - T army=Second")


@pytest.mark.rule("6.2.4")
def test_other_nations_on_a_display() -> None:
    lines = [
        "41.19: german infantry XX 3Lw/3LW army=First",
        '41.20: german corps-train - T corps="3 LW" army=First corps-limit=2',
    ]
    limit = 'army "central-powers First" attachment-limit=5'
    text = "\n".join([limit, *lines])
    assert [ask.how for ask in asked(text).asks] == ["turn=N"]
    assert ("6.2.4", "T") not in breaches(f"turn=4\n{text}")
    assert ("6.2.4", "T") in breaches(f"turn=3\n{text}")
    regular = f"{limit}\n41.19: german infantry XX 5th army=First"
    assert breaches(regular) == [("6.2.4", "5th")]
    assert breaches(f"ruling cross-nation=letter\n{regular}") == []


@pytest.mark.rule("6.2.4b", "6.4.1b")
def test_asset_units() -> None:
    text = f"{GOOD}\n41.20: russian infantry III A asset army=Second\n41.19: russian artillery - guns army=Second"
    report = asked(text)
    found = {one.unit: (one.formation, one.ties, one.by) for one in report.result.units}
    assert found["guns"] == ("1/13", (), "its formation")
    assert units(asked(text.replace("guns army=Second", "guns")))["guns"] == ("russian Second", "13", "its formation")
    assert found["A"] == ("", ("1/13", "36/13"), "the nearest formation")
    owner = asked(f"{text}\nA with=36/13")
    assert [(one.formation, one.corps) for one in owner.result.units if one.unit == "A"] == [("36/13", "13")]
    foreign = "41.19: german infantry XX G army=Eighth, austro-hungarian artillery - H with=G army=Eighth"
    assert ("6.2.4", "H") in breaches(foreign)


def test_an_army_with_no_area_and_no_front_at_all() -> None:
    text = GOOD.replace("41.19-41.22", "").replace("attachment-limit=3", 'attachment-limit=3 front=""')
    assert breaches(text.replace("36/13", "36/15").replace("corps-limit=2", "corps-limit=2 extended-range=3")) == []


def test_what_is_not_stated_is_asked_for_and_the_rest_judged() -> None:
    report = asked(f"41.19: {DIVISION.format('1/13', 'Second')}\n41.21: russian corps-train - T corps=13 army=Second")
    assert [ask.how for ask in report.asks] == ['army "russian Second" attachment-limit=N', "T corps-limit=N"]
    assert report.verdict.text == "no breach of the attachment rules; 2 facts not stated"
    assert report.verdict.kind == "figure"
    assert report.parts[-1].steps[0].text.startswith("the Area of Attachment of the Russian Second Army is not stated")


def test_limits_of_the_other_side_are_not_asked_for_in_a_player_turn() -> None:
    russians = f"41.19: {DIVISION.format('1/13', 'Second')}\n41.21: russian corps-train - T corps=13 army=Second"
    germans = "44.19: german infantry XX G corps=1 army=Eighth, german corps-train - U corps=1 army=Eighth"
    both = ['army "central-powers Eighth" attachment-limit=N', 'army "russian Second" attachment-limit=N']
    both += ["U corps-limit=N", "T corps-limit=N"]
    text = f"{russians}\n{germans}\nphase=attachment"
    assert sorted(ask.how for ask in asked(text).asks) == sorted(both)
    report = asked(f"{text} phasing=russian")
    assert [ask.how for ask in report.asks] == ['army "russian Second" attachment-limit=N', "T corps-limit=N"]
    later = "not asked for in the Russian player turn: unstated facts of U, central-powers Eighth"
    assert later in told(report, "Not judged")
    assert sorted(ask.how for ask in asked(f"{text} phasing=central-powers").asks) == sorted(set(both[::2]))
    named = asked(f"{text} phasing=russian", army="central-powers Eighth")
    assert 'army "central-powers Eighth" attachment-limit=N' in [ask.how for ask in named.asks]


def test_one_army_alone() -> None:
    text = f"{GOOD}\n49.30: russian infantry XX N army=Tenth\n49.31: russian infantry XX stray"
    assert breaches(text) == [("6.3", "stray")]
    report = asked(text, army="russian Second")
    assert (report.title, len(report.result.units), report.result.breaches) == (
        "Attachment of the Russian Second Army",
        4,
        (),
    )
    with pytest.raises(InputError, match="army: no 'Second' in this position"):
        asked(text, army="Second")


def test_what_a_side_may_not_know_of_the_other_is_left_out() -> None:
    position = typed(f"{GOOD}\n49.30: german infantry XX G army=Eighth\n49.31: german infantry XX H army=Ninth")
    mine = msgspec.structs.replace(position, state=reduce_state(position.game, position.state, "russian"))
    report = answered(mine, "attachment")
    assert {one.unit for one in report.result.units} == {"1/13", "36/13", "13 Train", "3Gd"}
    assert report.result.breaches == ()


def test_a_side_is_told_nothing_of_the_others_displays() -> None:
    """Its armies are named by the areas on the map, and have no units that the other side knows to be theirs."""
    enemy = 'army "central-powers Ninth" area="49.29-49.31"\n40.19: german infantry XX G army=Ninth'
    position = typed(f"{GOOD}\n{enemy}")
    mine = msgspec.structs.replace(position, state=reduce_state(position.game, position.state, "russian"))
    assert answered(position, "attachment").result.off_front == ()
    assert answered(mine, "attachment").result.off_front == ()
    for question, parameters, said in (
        ("attachment", {"army": "central-powers Ninth"}, "army: central-powers Ninth is the enemy's"),
        ("attachment", {"units": "G"}, "units: G is the enemy's"),
        ("attach", {"unit": "G", "attachment_phase": "yes", "army": "Ninth"}, "unit: G is the enemy's"),
    ):
        with pytest.raises(InputError, match=said):
            answered(mine, question, **parameters)


# --- what is not judged -----------------------------------------------------------------------------------------------


def not_judged(text: str, **parameters: Any) -> list[str]:
    report = asked(text, **parameters)
    assert told(report, "Not judged") == list(report.result.not_judged)
    return [line.partition(":")[0] for line in report.result.not_judged]


ALWAYS = [
    "when an attachment changed is not judged here (ask attach)",
]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(f'{GOOD}army "russian Second" front="41.19"', [], id="nothing for want of facts"),
        pytest.param(GOOD, ["the Front Line of the Russian Second Army is not known"], id="boundaries"),
        pytest.param(
            GOOD.replace('area="41.19-41.22"', ""),
            ['the Area of Attachment of the Russian Second Army is not stated (army NAME area="44.18-44.22 45.19")'],
            id="an area",
        ),
        pytest.param(
            f"{GOOD}41.20: {DIVISION.format('1/15', 'Second')}",
            [
                "the Front Line of the Russian Second Army is not known",
                "the Corps Trains of russian 15 are not in this position",
            ],
            id="the size of a corps",
        ),
        pytest.param(
            f"{GOOD}50.20: russian infantry XX lost",
            ["the Front Line of the Russian Second Army is not known", "the army of lost is not known"],
            id="a unit without an army",
        ),
    ],
)
def test_what_is_not_judged_is_told(text: str, said: list[str]) -> None:
    assert not_judged(text) == said + ALWAYS


def test_of_one_army_only_what_concerns_it_is_told() -> None:
    other = f"{GOOD}50.20: {DIVISION.format('1/3', 'First')}"
    assert not_judged(other, army="russian Second") == [
        "the Front Line of the Russian Second Army is not known",
        *ALWAYS,
    ]
    garrison = f"{GOOD}50.20: {DIVISION.format('1/23', chr(34) + 'Warsaw Garrison' + chr(34))}"
    assert (
        "the strength of the Warsaw Garrison, and where its units stand, is not judged here (ask garrison)"
        in not_judged(garrison)
    )


def test_an_army_lists_the_asset_units_of_its_formations() -> None:
    text = '40.20: 25/3 army=Second, russian artillery asset II "9 art"'
    assert set(units(asked(text))) == set(units(asked(text, army="russian Second"))) == {"25/3", "9 art"}


def test_an_army_lists_the_formations_that_its_corps_brings() -> None:
    text = """ruling corps-or-area=corps
army "russian Second" area="40.19-40.21"
40.20: 25/3
45.20: "3 Train" army=Fifth
"""
    whole, fifth = asked(text), asked(text, army="russian Fifth")
    assert units(fifth) == units(whole)
    assert [change.subject for change in fifth.changes] == [change.subject for change in whole.changes] == ["25/3"]


def test_a_breach_is_told_of_every_army_that_it_concerns() -> None:
    text = """army "russian First" area="40.19-40.21"
army "russian Second" area="40.20-40.22"
40.20: 25/3 army=Second
40.21: 27/3 army=First
"""
    found = {one.why for one in asked(text).result.breaches if not one.tolerated}
    assert len(found) == 2
    for army in ("russian First", "russian Second"):
        assert {one.why for one in asked(text, army=army).result.breaches if not one.tolerated} == found
    assert {one.rule for one in asked(text, units="27/3").result.breaches} >= {"6.1.1"}


def test_an_army_that_is_misspelt_is_not_the_enemys() -> None:
    position = typed('40.20: 25/3 army=Second\narmy "central-powers Eighth" area="45.20"')
    seen = position.with_state(reduce_state(position.game, position.state, "russian"))
    with pytest.raises(InputError, match="no 'Russian Second' in this position") as caught:
        answered(seen, "attachment", army="Russian Second")
    assert caught.value.hint == "nearest known: russian Second"
    with pytest.raises(InputError, match="no 'Central-Powers Eighth' in this position") as caught:
        answered(seen, "attachment", army="Central-Powers Eighth")
    assert "Eighth" not in str(caught.value.hint)
    with pytest.raises(InputError, match="central-powers Eighth is the enemy's"):
        answered(seen, "attachment", army="central-powers Eighth")
