from assistant.formats.vassal.grids import PlacedBoard
from assistant.formats.vassal.maps import starting_stack
from assistant.formats.vassal.pieces import PieceStack


def test_a_deck_has_the_name_of_its_element_which_may_end_in_a_backslash() -> None:
    start = starting_stack({"name": "Events", "x": "10", "y": "20"}, "Map", (), is_deck=True)
    assert PieceStack("1", (), start.map, start.at, None, start.deck).name == "Events"
    start = starting_stack({"name": "Events\\"}, "Map", (), is_deck=True)
    assert PieceStack("1", (), start.map, start.at, None, start.deck).name == "Events"


def test_a_stack_counts_from_the_board_that_owns_it() -> None:
    placed = [PlacedBoard("Land", 10, 20, (300, 300), None), PlacedBoard("Sea", 400, 50, (300, 300), None)]
    owned = {
        board: starting_stack({"owningBoard": board, "x": "3", "y": "4"}, "Map", (), is_deck=False)
        for board in ("Land", "Sea", "")
    }
    assert {board: start.on(placed, (7, 9)) for board, start in owned.items()} == {
        "Land": (13, 24),
        "Sea": (403, 54),
        "": (10, 13),
    }
    assert owned["Sea"].on(placed, (7, 9), (30, 40)) == (430, 90)
