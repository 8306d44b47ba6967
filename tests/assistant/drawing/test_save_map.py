"""The picture of a save: every place has a box, where it lies, with what is there."""

from __future__ import annotations

from assistant.drawing import WRITERS
from assistant.drawing.save_map import listing_scene
from assistant.drawing.scene import Group, Rectangle, Text
from assistant.formats.vassal.others.listing import list_save
from assistant.formats.vassal.saves import Save

from ..formats.vassal.others.test_listing import MODULE, SAVE, unit


def boxes(save: Save) -> dict[str, Group]:
    (layer,) = listing_scene(list_save(save, MODULE)).layers
    return {shape.title: shape for shape in layer.shapes if isinstance(shape, Group)}


def test_each_place_has_a_box_that_names_its_top_piece() -> None:
    assert set(boxes(SAVE)) == {"0101: Above (reduced), Below", "0201: Alone", "30,25: Lonely"}
    texts = [shape.text for shape in boxes(SAVE)["0101: Above (reduced), Below"].shapes if isinstance(shape, Text)]
    assert (" ".join(texts[:-1]), texts[-1]) == ("Above (reduced)", "+1")


def test_places_lie_to_scale_on_no_taller_than_a_page() -> None:
    save = Save(pieces={str(n): unit(str(n), f"U_{n}", at) for n, at in enumerate([(0, 0), (100, 0), (300, 50)])})
    lefts, tops = zip(
        *((box.x, box.y) for group in boxes(save).values() for box in group.shapes[:1] if isinstance(box, Rectangle)),
        strict=True,
    )
    assert round((lefts[2] - lefts[0]) / (lefts[1] - lefts[0]), 3) == 3
    assert round((tops[2] - tops[0]) / (lefts[1] - lefts[0]), 3) == 0.5
    pieces = {str(n): unit(str(n), f"U_{n}", (0, 400 * n)) for n in range(4)}
    scene = listing_scene(list_save(Save(pieces=pieces)))
    assert 300 < scene.height < 450


def test_an_empty_save_is_drawn_too_in_every_format() -> None:
    assert all(write(listing_scene(list_save(save))) for write in WRITERS.values() for save in (Save(), SAVE))
