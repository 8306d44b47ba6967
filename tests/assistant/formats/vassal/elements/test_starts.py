from assistant.formats.vassal.elements.maps import start_of
from assistant.formats.vassal.pieces import Stack


def test_a_deck_has_the_name_of_its_element() -> None:
    start = start_of({"name": "Events", "x": "10", "y": "20"}, "Map", (), is_deck=True)
    assert Stack("1", (), start.map, start.at, None, start.deck).name == "Events"


def test_the_name_of_a_deck_may_end_in_a_backslash() -> None:
    start = start_of({"name": "Events\\"}, "Map", (), is_deck=True)
    assert Stack("1", (), start.map, start.at, None, start.deck).name == "Events"
