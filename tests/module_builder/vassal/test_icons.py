"""Icons: every window has one of its own, which can be told from the others, also in grey."""

from __future__ import annotations

import io
from itertools import combinations

from lxml import etree
from PIL import Image, ImageChops, ImageStat

from module_builder.vassal.icons import SIDE_PX
from module_builder.vassal.module import BuiltModule
from tests.module_builder.test_data_game import files_of

WINDOWS = ("PieceWindow", "Map", "PrivateMap", "ChartWindow", "Inventory", "NotesWindow", "turn.TurnTracker")


def named(built: BuiltModule) -> dict[str, str]:
    """The icons of the windows, by what stands on their buttons."""
    root = etree.fromstring(files_of(built)["buildFile.xml"])
    windows = (window for kind in WINDOWS for window in root.iter(f"{{*}}VASSAL.build.module.{kind}"))
    return {
        window.get("buttonName") or window.get("text") or window.get("buttonText") or "": window.get("icon", "")
        for window in windows
        if window.get("launch") != "false" and window.get("hidden") != "true"
    }


def test_every_window_and_every_button_that_hides_or_clears_has_an_icon_of_its_own(built: BuiltModule) -> None:
    icons = named(built)
    assert {"Counters", "Markers", "Out of play", "Turns", "Inventory", "Notes", "Turn"} <= icons.keys()
    assert all(icon.startswith("icon-") for icon in icons.values()), icons
    assert len({*icons.values()}) == len(icons)
    root, files = etree.fromstring(files_of(built)["buildFile.xml"]), files_of(built)
    controls = [
        *root.iter("{*}VASSAL.build.module.map.LayerControl"),
        *root.iter("{*}VASSAL.build.module.map.MassKeyCommand"),
    ]
    shown = {one.get("buttonText") or one.get("text") or "": one.get("icon", "") for one in controls}
    of_buttons = {text: icon for text, icon in shown.items() if text}
    assert {"Central Powers only", "Russian only", "Supply", "Clear supply"} <= of_buttons.keys()
    assert all(f"images/{icon}" in files for icon in of_buttons.values()), of_buttons
    hiding = [of_buttons[text] for text in ("Central Powers only", "Russian only", "Supply", "Clear supply")]
    assert len({*hiding}) == 4


def test_icons_are_told_apart_in_grey_but_for_those_of_the_sides(built: BuiltModule) -> None:
    files = files_of(built)
    drawn = {}
    for name in {*named(built).values()}:
        with Image.open(io.BytesIO(files[f"images/{name}"])) as picture:
            assert picture.size == (SIDE_PX, SIDE_PX)
            white = Image.new("RGBA", picture.size, "white")
            drawn[name] = Image.alpha_composite(white, picture.convert("RGBA")).convert("L")
    for one, other in combinations(sorted(drawn), 2):
        far = ImageStat.Stat(ImageChops.difference(drawn[one], drawn[other])).mean[0]
        assert far > (2 if "Private" in one and "Private" in other else 15), (one, other)
