"""Elements of a module's build file, and the keys of its buttons."""

from __future__ import annotations

from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from lxml import etree

from assistant.formats.vassal.traits import CONTROL, CONTROL_SHIFT, keystroke
from assistant.util.xml_reader import read_placed_xml

MODULE = "VASSAL.build.module."
"""Prefix of most names of VASSAL's elements."""
MAP = "VASSAL.build.module.map."
WIDGET = "VASSAL.build.widget."
ALT = 520
"""The modifier of the keys of buttons."""


def add(parent: etree._Element, tag: str, inner: str = "", /, **attributes: str) -> etree._Element:
    """Add an element with attributes, and with a text if there is one, below another element."""
    element = etree.SubElement(parent, tag, attributes)
    if inner:
        element.text = inner
    return element


def read_elements(data: bytes, name: str) -> etree._Element:
    """Return the root of an XML file, with the line of each element. Raises InputError as `read_xml` does."""
    root, lines = read_placed_xml(data, name)
    numbers = iter(lines)

    def copy(element: Element) -> Any:
        copied: Any = etree.Element(element.tag, element.attrib)  # `sourceline` is read-only in lxml's stubs
        copied.text, copied.tail = element.text, element.tail
        copied.sourceline = min(next(numbers), _LAST_LINE)
        copied.extend(map(copy, element))
        return copied

    copied: etree._Element = copy(root)
    return copied


_LAST_LINE = 65_535
"""The highest number of a line that lxml keeps."""
_WORDS = {CONTROL: "Ctrl", CONTROL_SHIFT: "Ctrl+Shift", ALT: "Alt"}


class Hotkey(NamedTuple):
    """The key of a button or of a menu line."""

    letter: str
    modifiers: int = ALT

    @property
    def stroke(self) -> str:
        """The key in the form of the build file."""
        return keystroke(self.letter, self.modifiers)

    @property
    def words(self) -> str:
        """The key in the form that players read."""
        return f"{_WORDS[self.modifiers]}+{self.letter}"


PALETTES = Hotkey("C", CONTROL_SHIFT)
MARKERS = Hotkey("M", CONTROL_SHIFT)
INVENTORY = Hotkey("I")
NOTES = Hotkey("B")
CHARTS = Hotkey("C")
AWAY = Hotkey("O")
NEXT_TURN = Hotkey("N")
LAST_TURN = Hotkey("P")
TURN = Hotkey("U")
TRACK = Hotkey("U", CONTROL_SHIFT)
CLEAR_MOVED = Hotkey("K")
END_OF_PHASE = Hotkey("G")
LINE = Hotkey("L")
OVERVIEW = Hotkey("O", CONTROL_SHIFT)
UNDO = Hotkey("Z", CONTROL)
HIDE = Hotkey("V")
SUPPLY = Hotkey("Y")
ENLARGE = Hotkey("=", CONTROL)
REDUCE = Hotkey("-", CONTROL)


_NAMES = {
    "": "GameModule",
    "module": (
        "BasicCommandEncoder BasicLogger ChartWindow Chatter ChessClockControl ConnectionWindow DiceButton DieManager "
        "DoActionButton Documentation EventLog ExtensionElement GlobalKeyCommand GlobalOptions InternetDiceButton "
        "Inventory KeyNamer Map ModuleExtension ModulePlugin MultiActionButton NotesWindow PieceWindow PlayerHand "
        "PlayerRoster Plugin PredefinedSetup PrivateMap PrototypeDefinition PrototypesContainer RandomTextButton "
        "SpecialDiceButton SpecialDie SpecialDieFace StartupGlobalKeyCommand ToolbarMenu"
    ),
    "module.chessclockcontrol": "ChessClock",
    "module.documentation": "AboutScreen BrowserHelpFile BrowserPDFFile HelpFile Tutorial",
    "module.folder": "DeckSubFolder GlobalPropertyFolder MapSubFolder ModuleSubFolder PrototypeFolder",
    "module.gamepieceimage": (
        "ColorManager ColorSwatch FontManager FontStyle GamePieceImage GamePieceImageDefinitions GamePieceLayout "
        "GamePieceLayoutsContainer ImageItem ImageItemInstance ShapeItem ShapeItemInstance SymbolItem "
        "SymbolItemInstance TextBoxItem TextBoxItemInstance TextItem TextItemInstance"
    ),
    "module.map": (
        "BoardPicker CounterDetailViewer DeckGlobalKeyCommand DrawPile Flare ForwardToChatter ForwardToKeyBuffer "
        "GlobalMap HandMetrics HidePiecesButton HighlightLastMoved ImageSaver KeyBufferer LOS_Thread LayerControl "
        "LayeredPieceCollection MapCenterer MapShader MassKeyCommand MenuDisplayer PieceMover PieceRecenterer "
        "Scroller SelectionHighlighter SelectionHighlighters SetupStack StackExpander StackMetrics TextSaver Zoomer"
    ),
    "module.map.boardPicker": "Board",
    "module.map.boardPicker.board": "HexGrid Region RegionGrid SquareGrid ZonedGrid",
    "module.map.boardPicker.board.mapgrid": (
        "HexGridNumbering SquareGridNumbering Zone ZoneHighlight ZonedGridHighlighter"
    ),
    "module.map.deck": "DeckSendKeyCommand DeckSortKeyCommand",
    "module.properties": (
        "ChangePropertyButton GlobalProperties GlobalProperty GlobalTranslatableMessage GlobalTranslatableMessages "
        "ZoneProperty"
    ),
    "module.turn": "CounterTurnLevel ListTurnLevel TurnComponent TurnGlobalHotkey TurnTracker",
    "widget": ("BoxWidget CardSlot Chart HtmlChart ListWidget MapWidget PanelWidget PieceSlot TabWidget WidgetMap"),
}
"""The last parts of class names by the packages below `VASSAL.build` that hold them."""
KNOWN_CLASSES = frozenset(
    ".".join(filter(None, ("VASSAL.build", above, name))) for above, names in _NAMES.items() for name in names.split()
) | {"VASSAL.i18n.Language"}
PLAIN_ELEMENTS = frozenset({"entry", "setup", "option"})
"""Elements without a class of their own."""
