"""Victory Points, who has won, and what the end of a turn brings (7.1, 7.2, 8.0, 9.4, 10.6.1)."""

from __future__ import annotations

import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.service import ask
from assistant.state.changes import Change, Gain
from assistant.util.errors import InputError
from world_undone_east_prussia.forces import eliminate_unit

from ..conftest import told, typed, values
from ..lacking.checking import Removal, without
from .asking import GAME, undone

TOWNS = (
    "scenario=historical\nturn=26\n3010 vp=12 country=germany\n3510 vp=5 country=germany\n5710 vp=8 country=russia\n"
)
MASURIAN = "scenario=masurian-lakes\nturn=26\n"


def points(text: str) -> dict[str, int]:
    return {score.side: score.total for score in undone(text, "victory").result.scores}


def won(german: int, russian: int) -> tuple[str, str]:
    found = undone(
        f"scenario=historical\nside german awarded={german}\nside russian awarded={russian}", "victory"
    ).result
    return found.winner, found.level


@pytest.mark.rule("8.0/vp", "6.6/fortress")
def test_towns_losses_and_awards_count() -> None:
    assert points(TOWNS) == {"german": 17, "russian": 8}
    assert points(TOWNS + "3010 control=russian") == {"german": 5, "russian": 20}
    assert points(TOWNS + "5710: I/1") == {"german": 25, "russian": 0}
    scores = undone(TOWNS, "victory").result.scores
    assert [(score.sources[0].points, score.open) for score in scores] == [(17, 8), (8, 17)]
    assert len(undone(TOWNS + "4010 vp=0", "victory").result.places) == 3
    assert points(TOWNS + "side russian lost=14\nside german lost=3 awarded=50") == {
        "german": 17 + 14 + 50,
        "russian": 11,
    }
    assert points("scenario=historical\nside russian awarded=50") == {"german": 0, "russian": 50}
    report = undone("scenario=historical\n3010 vp=12\n3510 vp=5 control=german", "victory")
    assert [ask.key for ask in report.asks] == [("country", "3010")]
    report = undone(TOWNS + "3011 town=town\n3013 town=city\n3012 town=none\n3010 town=city", "victory")
    assert report.verdict.text == "German 17, Russian 8: Minor Victory of the German side (2 places without points)"
    assert told(report, "Assumed")[1] == "not stated, so counted as 0: the Victory Points of 3011, 3013"
    assert undone(TOWNS + "3011 town=town vp=0", "victory").result.unknown == ()
    assert len(undone("board east-prussia\nscenario=historical", "victory").result.unknown) > 20


@pytest.mark.rule("8.0/level")
def test_three_times_as_many_is_a_significant_victory_and_twice_as_many_a_minor_one() -> None:
    assert [won(*one) for one in ((30, 10), (29, 10), (20, 10), (19, 10), (10, 10))] == [
        ("german", "Significant Victory"), ("german", "Minor Victory"), ("german", "Minor Victory"), ("", "draw"), ("", "draw"),
    ]  # fmt: skip
    assert won(10, 30) == ("russian", "Significant Victory")
    assert won(10, 20) == ("russian", "Minor Victory")
    assert (won(0, 0), won(1, 0)) == (("", "draw"), ("german", "Significant Victory"))
    report = undone("scenario=historical\nside german awarded=25\nside russian awarded=10", "victory")
    assert told(report, "Victory") == [
        "German: 5 short of a Significant Victory",
        "Russian: 40 short of a Minor Victory",
        "Russian: 65 short of a Significant Victory",
    ]
    assert report.verdict.text == "German 25, Russian 10: Minor Victory of the German side (places not stated)"


@pytest.mark.rule("9.4/victory")
def test_one_russian_in_east_prussia_as_it_is_ruled_beats_the_germans_by_the_masurian_lakes() -> None:
    west = MASURIAN + "4608 country=germany: XXVI/53\n"
    assert "East Prussia" in told(undone(west, "victory"), "Rulings")[0]
    province = west + "ruling east-prussia=province\n"
    assert [ask.key for ask in undone(province, "victory").asks] == [("province", "4608")]
    assert undone(province + "4608 province=other", "victory").result.winner == "german"
    assert undone(province + "4608 province=east-prussia", "victory").result.winner == "russian"
    assert told(undone(west.replace("germany", "russia"), "victory"), "Rulings") == []

    def who(text: str) -> str:
        return str(undone(MASURIAN + "side german awarded=90\n" + text, "victory").result.winner)

    assert who("4608 country=germany: XXVI/53") == "russian"
    assert who("4608 country=russia: XXVI/53") == "german"
    assert who("4608 country=germany: I/1") == "german"
    assert who("4608 country=germany: russian dummy first D1") == "german"
    assert who("4608 country=germany: 1A/Renn") == "russian"
    assert who("XXVI/53 arrives=27") == "german"
    told_so = told(undone(MASURIAN + "4608 country=germany: XXVI/53", "victory"), "Victory")
    assert told_so == ["Russian units in East Prussia: XXVI/53"]


@pytest.mark.rule("10.6.1/defeat", "9.4/victory", "10.6.2/effects")
def test_a_lost_german_headquarters_is_noted_and_loses_the_game_at_once() -> None:
    text = TOWNS + 'side german awarded=90\narmy "german 8th" headquarters-lost=5\n'
    assert undone(text + "options=german-headquarters", "victory").result.winner == "russian"
    assert undone(text, "victory").result.winner == "german"
    assert undone(text + "4608 country=germany: XXVI/53\n", "victory").result.winner == "german", (
        "who stands where is not asked"
    )
    assert undone(TOWNS + "side german awarded=90\noptions=german-headquarters", "victory").result.winner == "german"
    crowd = "ruling headquarters-stacking=any\nturn=4\nphase=first-movement\n3521: 8A/H-L, german headquarters 8th 8A/Pritt (1-4)"
    report = undone(crowd, "stack", at=["3521"], ended=True, answers={"excess.3521": "8A/H-L"})
    assert values(report)["headquarters-lost", "german 8th"] == 4
    letter = crowd.replace("=any", "=combat")
    report = undone(letter, "stack", at=["3521"], ended=True, answers={"excess.3521": "8A/H-L"})
    assert ("headquarters-lost", "german 8th") not in values(report)
    assert "in combat" in told(report, "Rulings")[0]


# --- the end of a turn ------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1/attacks")
@pytest.mark.parametrize(("attacks", "award"), [(0, 50), (2, 50), (3, 0), (4, 0)])
def test_too_few_attacks_in_the_first_turn_bring_russia_50_points(attacks: int, award: int) -> None:
    report = undone(f"scenario=historical\nturn=1\nfirst-attacks={attacks}", "close")
    assert values(report) == ({("awarded", "russian"): award} if award else {})
    assert report.result.award == award


@pytest.mark.rule("7.1/attacks")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("first-attacks=3", "3 of 3 attacks at 2:1 or better on the First Army: enough"),
        ("first-attacks=2", "2 of 3 attacks at 2:1 or better on the First Army: Russia gains 50"),
        (
            "first-attacks=2\nside russian awarded=50",
            "2 of 3 attacks at 2:1 or better on the First Army: Russia has its Victory Points already",
        ),
    ],
)
def test_the_duty_of_the_first_turn_is_told_and_its_penalty_given_once(text: str, said: str) -> None:
    report = undone(f"scenario=historical\nturn=1\n{text}", "close")
    assert told(report, "What it brings")[0] == said
    assert values(report) == ({("awarded", "russian"): 50} if "gains" in said else {})


@pytest.mark.rule("7.1/attacks", "9.2.1/first-turn")
def test_nothing_is_owed_later_or_by_the_schlieffen_plan() -> None:
    assert values(undone("scenario=historical\nturn=2", "close")) == {}
    freed = undone("scenario=historical\nturn=1\nvariants=schlieffen", "close")
    assert values(freed) == {}
    assert not any("attacks" in step for step in told(freed, "What it brings"))


NEAR = "scenario=historical\nturn=9\n3410 named=Königsberg\n4410: VI/16, XV/6\n4411: XV/8\n4409: XIII/36\n"


def end(text: str, supply: str = "in") -> Report[object]:
    units = [unit for unit in ("VI/16", "XV/6", "XV/8", "XIII/36", "2A/4C", "III/25") if unit in text]
    return undone(text + "\n".join(f"{unit} supply={supply}" for unit in units), "close")


@pytest.mark.rule("7.2")
def test_20_supplied_points_of_the_second_army_by_konigsberg_end_the_rivalry() -> None:
    report = end(NEAR)
    assert values(report) == {("rivalry-ended", ""): True}
    assert report.result.strength == 20  # type: ignore[attr-defined]
    garrison = NEAR.replace("XIII/36", "russian garrison second G1 (5-2)") + "G1 supply=in\n"
    assert values(end(garrison)) == {("rivalry-ended", ""): True}
    far = NEAR.replace("4409: XIII/36", "5009: XIII/36")
    assert undone(far, "close").asks == ()
    report = undone(NEAR + "\n".join(f"{unit} supply=out" for unit in ("VI/16", "XV/6", "XV/8", "XIII/36")), "close")
    assert values(report) == {}
    hidden = NEAR.replace("3410 named=Königsberg\n", "")
    assert [ask.how.rpartition(", as ")[2] for ask in end(hidden).asks] == ["HEX named=Königsberg"]
    assert end(hidden.replace("4409: XIII/36\n", "")).asks == ()
    assert end(hidden + "rivalry-ended\n").asks == ()


@pytest.mark.rule("7.2")
@pytest.mark.parametrize(
    "text",
    [
        NEAR.replace("4409: XIII/36\n", ""),
        NEAR.replace("4409: XIII/36", "4509: XIII/36"),
        NEAR.replace("XIII/36", "2A/4C (5-3)"),
        NEAR.replace("XIII/36", "III/25"),
        NEAR.replace("XIII/36", "russian headquarters second 2A/Sams (5-4)"),
        NEAR.replace("4409: XIII/36", "XIII/36 arrives=10"),
        NEAR.replace("XIII/36", "2A/3HA, russian dummy second D1"),
    ],
    ids=[
        "15 points",
        "11 hexes away",
        "cavalry",
        "First Army",
        "headquarters",
        "not on the map",
        "artillery and a dummy",
    ],
)
def test_what_does_not_end_the_rivalry(text: str) -> None:
    report = end(text)
    assert (values(report), report.asks) == ({}, ())
    assert (report.result.near, report.result.strength) == (15, 0)  # type: ignore[attr-defined]
    assert "infantry of the Second Army near Königsberg: 15 of 20 Strength Points" in told(report)


# --- what a lost unit counts ------------------------------------------------------------------------------------------

LOSSES = (
    "turn=6\n4608: XXVI/53, IC/1C, 1A/1HA (3-2), 1A/Renn\n4709: russian dummy first D1 (4-2), 2A/4C\n"
    "4407: I/1, 8A/G-Boyn, 8A/H-L\n"
)


def lost(unit: str) -> list[tuple[str, str, object, str]]:
    """What changes as a unit is eliminated, besides its place: track, subject, value or amount, rule."""
    position = typed(f"game {GAME}\n{LOSSES}")
    first, *others = eliminate_unit(View(position.game, position.state), unit, "6.4")
    assert first == Change("place", unit, position.state.units[unit].place, None, "6.4")
    return [
        (one.track, one.subject, one.amount if isinstance(one, Gain) else one.after, one.rule)
        for one in others
        if isinstance(one, Gain | Change)
    ]


@pytest.mark.rule("8.0/vp", "3.1/artillery", "10.6.2.1/roll", "10.6.2/effects", "10.6.1/defeat")
def test_a_lost_unit_counts_its_strength_and_a_headquarters_is_noted_with_its_turn() -> None:
    assert lost("I/1") == [("lost", "german", 9, "8.0")]
    assert lost("8A/G-Boyn") == [("lost", "german", 2, "8.0")]
    assert lost("XXVI/53") == [("lost", "russian", 6, "8.0")]
    assert lost("IC/1C") == [("lost", "russian", 3, "8.0")]
    assert lost("2A/4C") == [("lost", "russian", 3, "8.0"), ("army-lost", "russian second", 3, "10.6.2.1")]
    assert (lost("1A/1HA"), lost("D1")) == ([], [])
    assert lost("1A/Renn") == [
        ("lost", "russian", 1, "8.0"),
        ("headquarters-lost", "russian first", 6, "10.6.2"),
    ]
    assert lost("8A/H-L") == [("lost", "german", 1, "8.0"), ("headquarters-lost", "german 8th", 6, "10.6.1")]


@pytest.mark.rule("10.6.2.1/roll")
@pytest.mark.parametrize("army", ["first", "second"])
def test_only_the_losses_of_the_second_army_count_for_samsonovs_die(army: str) -> None:
    position = typed(f"game {GAME}\n4916: russian infantry {army} A (9-2)\n")
    tracks = [
        change.track
        for change in eliminate_unit(View(position.game, position.state), "A", "6.4")
        if isinstance(change, Gain)
    ]
    assert tracks == ["lost", *(["army-lost"] if army == "second" else [])]


@pytest.mark.parametrize(("army", "whose"), [("first", "russian"), ("second", "russian"), ("8th", "german")])
def test_an_army_without_its_side_is_offered_with_that_of_its_counters(army: str, whose: str) -> None:
    with pytest.raises(InputError, match=f"army '{army}' does not begin with its side") as error:
        undone(f"army {army} army-lost=3\n", "close")
    assert error.value.hint == f'write: army "{whose} {army}"'


@pytest.mark.rule("7.2")
@pytest.mark.parametrize("track", ["army", "nation"])
def test_whose_the_infantry_near_konigsberg_is_is_asked_for_where_it_decides(track: str) -> None:
    units = ", ".join(f"russian infantry second U{number} (5-2) supply=in" for number in range(4))
    text = f"game {GAME}\nscenario=historical turn=9\n3410 named=Königsberg\n4410: {units}\n"
    unknown = Removal("", {(track, "U0")})
    report = ask(without(typed(text), unknown), "close")
    assert (report.verdict.kind, [ask.key for ask in report.asks]) == ("undecided", [(track, "U0")])
    fewer = ask(without(typed(text.replace("U1 (5-2)", "U1 (1-2)")), unknown), "close")
    assert fewer.verdict.text == "0 changes", "with it they would not be enough either"
