"""The elements that VASSAL 3.6 knows in a build file: it cannot open a module with another one."""

from __future__ import annotations

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
"""The last parts of their names by what stands before them, below `VASSAL.build`."""
KNOWN = frozenset(
    ".".join(filter(None, ("VASSAL.build", above, name))) for above, names in _NAMES.items() for name in names.split()
) | {"VASSAL.i18n.Language"}
PLAIN = frozenset({"entry", "setup", "option"})
"""Those without a class of their own."""
