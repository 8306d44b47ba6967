"""What the picture of a displacement shows: where a unit may go by which way, and what closes the hexes around it."""

from __future__ import annotations

from ...assistant.drawing.sketch.answers import CROWDED, parts, sketched
from ...conftest import typed


def test_refuges_have_their_way_and_closed_hexes_their_reason() -> None:
    sketch = sketched(typed(CROWDED["guns"]))
    found = parts(sketch)
    assert found["41.19"] == ("start", "")
    assert (found["42.18"], found["43.20"]) == (("open", "2 hexes a"), ("open", "2 hexes b"))
    assert {hex for hex, (role, _) in found.items() if role == "barred"} == {"40.19", "40.20", "41.18", "41.20"}
    assert list(sketch.letters.values()) == [
        "with 35/17",
        "with 36/17",
        "in an EZOC without a friendly unit",
        "enemies stand there",
    ]
    assert {(arrow.hexes[0], arrow.hexes[-1]) for arrow in sketch.arrows} == {("41.19", "42.18"), ("41.19", "43.20")}
    assert all(len(arrow.hexes) == 3 and arrow.kind == "choice" for arrow in sketch.arrows)
    assert [zone.side for zone in sketch.zones] == ["russian"]


def test_one_that_is_lost_or_stays_has_no_hexes_to_go_to() -> None:
    text = (
        CROWDED["guns"]
        .replace('42.18: german infantry XX "35/17"\n', "")
        .replace('43.20: german infantry XX "36/17"\n', "")
    )
    assert parts(sketched(typed(text)))["41.19"] == ("start", "eliminated")
    sketch = sketched(typed(CROWDED["guns"].replace("40.20: russian", "30.20: russian").replace("40.19:", "30.19:")))
    assert parts(sketch) == {"41.19": ("start", "")}
