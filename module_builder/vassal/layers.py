"""What lies above what on the map, and the buttons that hide some of it: on the own screen alone. The game stays as it
is, and the other players see and hear nothing of it.
"""

from __future__ import annotations

from lxml import etree

from assistant.formats.vassal.overlay import OVERLAY, SUPPLY_LAYER
from assistant.formats.vassal.sequence import join
from assistant.game.games import Game

from .elements import HIDE, MAP, SUPPLY, add
from .icons import CLEAR_SUPPLY, icon_file, only_icon
from .icons import SUPPLY as ICON
from .overlay import CLEAR
from .pieces.maker import MARKERS
from .pieces.traits import LAYER

_TOGGLE = "Switch Layer between Active and Inactive"


def add_layers(window: etree._Element, game: Game, *, supply: bool) -> None:
    """Add the layers of the map, from below: supply, markers, the counters of each side, and above them what is of no
    side. Counters of two sides never stack. supply: whether the module has pieces that show it.
    """
    sides = tuple(game.file.sides)
    order = (SUPPLY_LAYER, MARKERS, *sides) if supply else (MARKERS, *sides)
    layers = add(window, MAP + "LayeredPieceCollection", property=LAYER, layerOrder=join(order, ","))
    if len(sides) > 1:
        for side in sides:
            title = game.file.title_of(side)
            others = [other for other in sides if other != side]
            tip = f"Hide the counters of all but {game.file.the_side(side)}, or show them again"
            _add_button(layers, f"{title} only", tip, others, icon=only_icon(side))
    if supply:
        viewer = window.find(MAP + "CounterDetailViewer")
        if viewer is not None:  # the mouse over a stack tells the counters
            viewer.set("display", "from layers other than those listed")
            viewer.set("layerList", SUPPLY_LAYER)
        _add_button(
            layers, "Supply", "Hide what shows supply, or show it again", [SUPPLY_LAYER], SUPPLY.stroke, icon_file(ICON)
        )
        _add_clear_button(window)
    add(
        window,
        MAP + "HidePiecesButton",
        buttonText="Hide all",
        tooltip="Hide all counters and markers, or show them again",
        hotkey=HIDE.stroke,
        showingIcon="/images/globe_unselected.gif",
        hiddenIcon="/images/globe_selected.gif",
    )


def _add_button(
    layers: etree._Element, name: str, tip: str, hidden: list[str], stroke: str = "", icon: str = ""
) -> None:
    """Add a button that hides some layers, or shows them again."""
    add(
        layers,
        MAP + "LayerControl",
        name=name,
        text=name,
        tooltip=tip,
        icon=icon,
        hotkey=stroke,
        description=tip,
        command=_TOGGLE,
        skip="true",
        layers=join(hidden, ","),
    )


def _add_clear_button(window: etree._Element) -> None:
    """Add the button that takes everything off the map that shows supply, for all players."""
    add(
        window,
        MAP + "MassKeyCommand",
        name="Clear supply",
        buttonText="Clear supply",
        icon=icon_file(CLEAR_SUPPLY),
        buttonHotkey="",
        tooltip="Take everything off the map that shows supply",
        hotkey=CLEAR,
        filter=f'{{{OVERLAY}!=""}}',
        reportSingle="true",
        reportFormat=" Clear supply: nothing shows supply any longer",
        singleMap="true",
        deckCount="0",
        suppressSounds="true",
    )
