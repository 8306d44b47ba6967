"""Der Weltkrieg: a journal of Demoralization Points with an entry that is amended later (3-10 to 25-5).

Levels and monthly points are the rulebook's; the losses were made up so that one entry decides when Austria-Hungary,
which is Shaken at 550, becomes so.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant.game.games import read_game
from assistant.state.changes import Change, Entry, Gain, Journal, Raise
from assistant.state.state import GameState
from assistant.state.tracks import Fact
from assistant.util.errors import InputError

from .der_weltkrieg import (
    COLLAPSE,
    POINTS,
    SHAKEN,
    STEADY,
    SURRENDER,
    Course,
    Nation,
    Turn,
    additional_german_divisions,
    became,
    declared_shaken,
    monthly_gains,
    morale,
    points,
    reached,
    read_nations,
)

FOLDER = Path(__file__).parent / "data" / "der_weltkrieg"
NATIONS = read_nations(FOLDER / "national-morale.csv")
GERMANY, AUSTRIA = NATIONS["Germany"], NATIONS["Austria-Hungary"]
GAME = read_game("der-weltkrieg", FOLDER)
START = GAME.state()


def losses(when: str, why: str, *, amends: int | None = None, after: int | None = None, **lost: int) -> Entry:
    """An entry of points lost in battle, by nation."""
    names = {"germany": "Germany", "austria": "Austria-Hungary"}
    gains = tuple(Gain(POINTS, names[nation], amount, "Standard") for nation, amount in lost.items())
    return Entry(when, why, gains, amends, after)


def month(when: str) -> Entry:
    """The entry of a Monthly Special Turn."""
    return Entry(when, "want of imports", monthly_gains(NATIONS, Turn.parse(when)))


def journal_of(*entries: Entry) -> Journal:
    """A journal written entry by entry."""
    journal = Journal()
    for entry in entries:
        journal = journal.add(entry)
    return journal


def course(journal: Journal) -> Course:
    """The campaign that a journal tells, from a start of which nothing is known."""
    return list(journal.states(START, GAME.tracks))


def final(journal: Journal) -> GameState:
    """The state at its end."""
    return journal.fold(START, GAME.tracks)


#: Austria-Hungary stands at 536, 539, 548, 552, 555 and 557 points after these; Germany at 412, 420 and 428.
WINTER = journal_of(
    losses("1914-12-7", "losses of 1914", germany=412, austria=536),
    month("1915-01-0"),
    losses("1915-01-2", "Carpathian passes", austria=9),
    losses("1915-01-6", "Przemysl", austria=4),
    month("1915-02-0"),
    losses("1915-02-1", "Carpathian passes", austria=2),
)


# --- monthly points and levels ----------------------------------------------------------------------------------------


def test_a_month_costs_germany_eight_and_austria_hungary_three() -> None:
    """3-10, 6-17: from January 1915, in the Monthly Special Turn alone."""
    assert monthly_gains(NATIONS, Turn(1915, 1, 0)) == (
        Gain(POINTS, "Germany", 8, "3-10"),
        Gain(POINTS, "Austria-Hungary", 3, "6-17"),
    )
    assert monthly_gains(NATIONS, Turn(1914, 12, 0)) == ()
    assert monthly_gains(NATIONS, Turn(1915, 1, 1)) == ()


def test_a_year_of_months() -> None:
    """Four months of 1914 and all of 1915: twelve times 8 and 3."""
    year = [month(f"1914-{number:02}-0") for number in range(9, 13)] + [
        month(f"1915-{number:02}-0") for number in range(1, 13)
    ]
    state = final(journal_of(*year))
    assert (points(state, "Germany"), points(state, "Austria-Hungary")) == (96, 36)


@pytest.mark.parametrize(
    ("nation", "total", "level"),
    [
        (GERMANY, 1499, STEADY),
        (GERMANY, 1500, SHAKEN),
        (GERMANY, 2200, COLLAPSE),
        (GERMANY, 2499, COLLAPSE),
        (GERMANY, 2500, SURRENDER),
        (AUSTRIA, 549, STEADY),
        (AUSTRIA, 550, SHAKEN),
        (AUSTRIA, 775, COLLAPSE),
        (AUSTRIA, 899, COLLAPSE),
        (AUSTRIA, 900, SURRENDER),
    ],
)
def test_levels_of_morale(nation: Nation, total: int, level: str) -> None:
    """3-11, 6-18."""
    assert morale(nation, total) == level


def test_austria_hungary_also_surrenders_with_budapest() -> None:
    """6-18; Germany does not mind."""
    assert morale(AUSTRIA, 0, budapest_lost=True) == SURRENDER
    assert morale(GERMANY, 0, budapest_lost=True) == STEADY


def test_points_are_counted_for_nations_of_the_game_only() -> None:
    """Its own name for each: `[sides]` in game.toml."""
    with pytest.raises(InputError, match="nation 'Austria' does not belong to a side"):
        GAME.state(facts={(POINTS, "Austria"): Fact(536)})


# --- the journal as first written -------------------------------------------------------------------------------------


def test_totals_by_nation() -> None:
    """412 + 8 + 8, and 536 + 3 + 9 + 4 + 3 + 2."""
    state = final(WINTER)
    assert (points(state, "Germany"), points(state, "Austria-Hungary")) == (428, 557)


def test_when_austria_hungary_became_shaken() -> None:
    """With the 552 of the sixth turn of January; Germany is far from it."""
    assert became(course(WINTER), AUSTRIA, SHAKEN) == Turn(1915, 1, 6)
    assert became(course(WINTER), AUSTRIA, COLLAPSE) is None
    assert became(course(WINTER), GERMANY, SHAKEN) is None


# --- an entry amended later -------------------------------------------------------------------------------------------

COUNTED_AGAIN = losses("1915-03-1", "Carpathian passes, counted again", amends=3, austria=6)
CORRECTED = WINTER.add(COUNTED_AGAIN)


def test_an_amendment_changes_the_total_and_every_later_entry_still_stands() -> None:
    """6 points instead of 9."""
    state = final(CORRECTED)
    assert (points(state, "Germany"), points(state, "Austria-Hungary")) == (428, 554)


def test_an_amendment_changes_the_date_on_which_austria_hungary_became_shaken() -> None:
    """545 and 549 in January; the month of February brings it to 552."""
    assert became(course(CORRECTED), AUSTRIA, SHAKEN) == Turn(1915, 2, 0)


def test_the_original_line_stays_readable() -> None:
    """Nothing is struck out: the line of January still says 9, the last line says what replaces it."""
    assert CORRECTED.entries[:6] == WINTER.entries
    assert CORRECTED.entries[2].changes == (Gain(POINTS, "Austria-Hungary", 9, "Standard"),)
    assert (CORRECTED.entries[6].amends, CORRECTED.entries[6].when) == (3, "1915-03-1")


def test_an_amended_entry_keeps_its_date_its_words_and_its_place() -> None:
    """In force are six entries; the third happened in January, whenever it was counted again."""
    in_force = dict(CORRECTED.in_force())
    assert list(in_force) == [1, 2, 3, 4, 5, 6]
    assert in_force[3] == losses("1915-01-2", "Carpathian passes", austria=6)


@pytest.mark.parametrize("amends", [3, 7])
def test_an_entry_may_be_amended_again(amends: int) -> None:
    """12 points after all, whether the first line or its amendment is named: 551 in the second turn of January."""
    again = CORRECTED.add(losses("1915-03-2", "Carpathian passes, once more", amends=amends, austria=12))
    assert points(final(again), "Austria-Hungary") == 560
    assert became(course(again), AUSTRIA, SHAKEN) == Turn(1915, 1, 2)


def test_an_entry_amended_to_nothing_is_withdrawn() -> None:
    """The losses never happened: 548, and not Shaken."""
    withdrawn = WINTER.add(Entry("1915-03-1", "no such battle", amends=3))
    assert points(final(withdrawn), "Austria-Hungary") == 548
    assert became(course(withdrawn), AUSTRIA, SHAKEN) is None


def test_only_an_entry_that_is_there_can_be_amended() -> None:
    """The journal has six."""
    with pytest.raises(InputError, match="there is no entry 7 to amend"):
        WINTER.add(losses("1915-03-1", "a slip", amends=7, austria=1))


def test_a_journal_survives_being_written_down() -> None:
    """As JSON and back, amendment and original line alike."""
    read = msgspec.json.decode(msgspec.json.encode(CORRECTED), type=Journal)
    assert read == CORRECTED
    assert final(read) == final(CORRECTED)


# --- an entry forgotten at first --------------------------------------------------------------------------------------

#: Two more points of the third turn of January, written down in March.
FORGOTTEN = losses("1915-01-3", "Uzsok Pass, forgotten at first", after=3, austria=2)


def test_a_forgotten_entry_takes_its_place_in_time() -> None:
    """550 in the third turn of January: Austria-Hungary became Shaken then, three turns earlier than was thought."""
    remembered = WINTER.add(FORGOTTEN)
    dates = [entry.when for entry, _ in course(remembered)]
    assert dates == ["1914-12-7", "1915-01-0", "1915-01-2", "1915-01-3", "1915-01-6", "1915-02-0", "1915-02-1"]
    assert became(course(remembered), AUSTRIA, SHAKEN) == Turn(1915, 1, 3)
    assert points(final(remembered), "Austria-Hungary") == 559


def test_a_forgotten_entry_may_be_amended_like_any_other() -> None:
    """One point instead of two: 549 is not enough, the next loss is."""
    amended = WINTER.add(FORGOTTEN).add(losses("1915-03-2", "Uzsok Pass, counted again", amends=7, austria=1))
    assert became(course(amended), AUSTRIA, SHAKEN) == Turn(1915, 1, 6)
    assert points(final(amended), "Austria-Hungary") == 558


def test_only_an_entry_that_is_there_can_be_followed() -> None:
    """The journal has six."""
    with pytest.raises(InputError, match="there is no entry 7 to follow"):
        WINTER.add(losses("1915-01-3", "a slip", after=7, austria=1))


# --- Shaken by declaration --------------------------------------------------------------------------------------------


def declared_by(change: Change | Raise) -> Journal:
    """The winter in which the Central Powers declare Austria-Hungary Shaken, in the third turn of January at 548 points."""
    declaration = Entry("1915-01-3", "declared Shaken", (change,))
    return journal_of(*WINTER.entries[:3], declaration, *WINTER.entries[3:])


DECLARED = declared_by(declared_shaken(AUSTRIA))


def test_the_central_powers_may_declare_austria_hungary_shaken() -> None:
    """25-5: it is Shaken three turns earlier, and later losses are added to the 550."""
    assert declared_shaken(AUSTRIA) == Raise(POINTS, "Austria-Hungary", 550, "25-5")
    assert became(course(DECLARED), AUSTRIA, SHAKEN) == Turn(1915, 1, 3)
    assert points(final(DECLARED), "Austria-Hungary") == 550 + 4 + 3 + 2


@pytest.mark.parametrize(
    ("counted", "shaken", "total"),
    [
        (6, Turn(1915, 1, 3), 550 + 4 + 3 + 2),  # raised from 545
        (12, Turn(1915, 1, 2), 551 + 4 + 3 + 2),  # Shaken already: nothing to raise, and nothing is lost
    ],
)
def test_a_declaration_stands_when_an_earlier_entry_is_amended(counted: int, shaken: Turn, total: int) -> None:
    """25-5: it reaches 550 from wherever the losses before it had led."""
    amended = DECLARED.add(losses("1915-03-1", "Carpathian passes, counted again", amends=3, austria=counted))
    assert became(course(amended), AUSTRIA, SHAKEN) == shaken
    assert points(final(amended), "Austria-Hungary") == total


def test_a_forgotten_loss_before_the_declaration_is_part_of_the_550() -> None:
    """Added at the end instead, its 2 points would make 561."""
    assert points(final(DECLARED.add(FORGOTTEN)), "Austria-Hungary") == 559


def test_a_plain_change_would_not_fit_after_the_amendment() -> None:
    """Why it is a Raise: a Change insists on the 548 that it was made for."""
    changed = declared_by(Change(POINTS, "Austria-Hungary", 548, 550, "25-5"))
    with pytest.raises(InputError, match="demoralization of Austria-Hungary is 545, not 548"):
        final(changed.add(COUNTED_AGAIN))


# --- what else hangs on the date --------------------------------------------------------------------------------------

#: 243, 246 and 252 points.
EARLY = journal_of(
    losses("1914-12-7", "losses of 1914", austria=243), month("1915-01-0"), losses("1915-01-5", "Limanowa", austria=6)
)


@pytest.mark.parametrize(
    ("now", "divisions"),
    [
        (Turn(1915, 1, 5), 0),  # the clock begins with the next turn
        (Turn(1915, 1, 6), 12),
        (Turn(1915, 7, 5), 12),  # the 42nd turn
        (Turn(1915, 7, 6), 0),
    ],
)
def test_twelve_german_divisions_for_six_months(now: Turn, divisions: int) -> None:
    """25-4: from the turn after the 250th point, seven turns a month."""
    assert additional_german_divisions(course(EARLY), AUSTRIA, now) == divisions


def test_the_six_months_move_with_an_amendment() -> None:
    """With 3 points instead of 6 the 250th falls in February, and so does the clock."""
    amended = EARLY.add(losses("1915-03-1", "counted again", amends=3, austria=3)).add(month("1915-02-0"))
    assert reached(course(amended), "Austria-Hungary", 250) == Turn(1915, 2, 0)
    assert additional_german_divisions(course(amended), AUSTRIA, Turn(1915, 1, 6)) == 0
    assert additional_german_divisions(course(amended), AUSTRIA, Turn(1915, 2, 1)) == 12


def test_no_limit_once_austria_hungary_is_shaken() -> None:
    """25-5: from the sixth turn of January as first written, from February as amended."""
    now = Turn(1915, 1, 7)
    assert additional_german_divisions(course(WINTER), AUSTRIA, now) is None
    assert additional_german_divisions(course(CORRECTED), AUSTRIA, now) == 12
