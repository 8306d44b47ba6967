"""Armies by their names, and their areas as stated (6.1)."""

from __future__ import annotations

import pytest

from assistant.asking.report import MissingFacts
from assistant.asking.view import View
from assistant.util.errors import InputError
from twilight_in_the_east.forces.armies import area, army_of, corps_of_train, known_armies

from ...conftest import typed


def view_of(text: str) -> View:
    position = typed(text)
    return View(position.game, position.state)


def test_an_area_is_stated_in_stretches_down_a_column() -> None:
    view = view_of('army "russian Second" area="44.18-44.20 45.19"')
    assert area(view, "russian Second") == {"44.18", "44.19", "44.20", "45.19"}
    assert area(view, "russian First") is None
    lower = view_of('army "russian second" area=44.18')
    assert area(lower, "russian Second") == {"44.18"}, "the counters write a capital"


@pytest.mark.rule("3.3.1")
@pytest.mark.parametrize(("train", "corps"), [("17 Train", "17"), ("T", "3"), ("unseen", "")])
def test_the_corps_that_a_train_serves_is_stated_or_in_its_name_and_one_that_is_not_seen_serves_none(
    train: str, corps: str
) -> None:
    view = view_of('41.19: "17 Train", german corps-train - T corps=3, german corps-train - U')
    with view.gather() as facts:
        assert corps_of_train(facts, train) == corps
    with pytest.raises(MissingFacts), view.gather() as facts:
        corps_of_train(facts, "U")


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("44.18-45.20", "Area of Attachment .*: 44.18-45.20 is neither a hex nor a run of hexes down one column"),
        ("44.20-44.18", "neither a hex nor a run of hexes down one column"),
        ("here", "'here' is not a hex number"),
        ("99.99", "hex 99.99 is off the map"),
    ],
)
def test_an_area_that_is_none(stated: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        area(view_of(f'army "russian Second" area="{stated}"'), "russian Second")


def test_an_army_is_named_by_its_side_too() -> None:
    text = '41.19: russian infantry XX R army=First\narmy "central-powers First" attachment-limit=5'
    assert known_armies(view_of(text)) == ["central-powers First", "russian First"]
    with pytest.raises(InputError, match="army 'First' does not begin with its side") as error:
        view_of("army First attachment-limit=5")
    assert error.value.hint == 'write: army "central-powers First" or army "russian First"'
    assert known_armies(view_of('army "austro-hungarian First" plan=no')) == ["central-powers First"]
    with pytest.raises(InputError, match="army of R: leave out the side, which follows from its nation") as error:
        known_armies(view_of(text.replace("army=First", 'army="russian First"')))
    assert error.value.hint == "write: army=First"
    with pytest.raises(InputError, match="army 'german' names only a side or nation") as error:
        view_of("army german plan=no")
    assert error.value.hint == 'write: army "central-powers NAME"'


@pytest.mark.parametrize("named", ["Warsaw", "WARSAW", "warsaw garrison"])
def test_half_the_name_of_a_garrison_is_no_army(named: str) -> None:
    with pytest.raises(InputError) as caught:
        army_of(view_of(f'41.19: russian infantry XX R army="{named}"'), "R")
    assert (caught.value.what, caught.value.hint) == (
        f"army of R: no army is called {named}",
        'write: army="Warsaw Garrison"',
    )
    assert army_of(view_of('41.19: russian infantry XX R army="Warsaw Garrison"'), "R") == "russian Warsaw Garrison"
    assert army_of(view_of('41.19: german infantry XX R army="Warsaw"'), "R") == "central-powers Warsaw"


@pytest.mark.parametrize("name", ["german  Eighth", "Central-powers Eighth", "GERMAN Eighth"])
def test_an_army_is_the_same_however_it_is_typed(name: str) -> None:
    assert known_armies(view_of(f'army "{name}" plan=no')) == ["central-powers Eighth"]
