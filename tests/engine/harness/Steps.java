import java.awt.Component;
import java.awt.Container;
import java.awt.Dimension;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.MouseEvent;
import java.awt.event.ActionListener;
import java.io.BufferedInputStream;
import java.io.File;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

import javax.swing.AbstractButton;
import javax.swing.Action;
import javax.swing.JComponent;
import javax.swing.JList;
import javax.swing.JMenu;
import javax.swing.JMenuItem;
import javax.swing.JScrollPane;
import javax.swing.JSplitPane;
import javax.swing.JTabbedPane;
import javax.swing.JTextField;
import javax.swing.KeyStroke;
import javax.swing.MenuElement;
import javax.swing.MenuSelectionManager;
import javax.swing.text.JTextComponent;

import VASSAL.build.AbstractBuildable;
import VASSAL.build.Buildable;
import VASSAL.build.Configurable;
import VASSAL.build.GameModule;
import VASSAL.build.module.map.CounterDetailViewer;
import VASSAL.build.module.BasicLogger;
import VASSAL.build.module.DiceButton;
import VASSAL.build.module.GameRefresher;
import VASSAL.build.module.GameState;
import VASSAL.build.module.Inventory;
import VASSAL.build.module.NotesWindow;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.PredefinedSetup;
import VASSAL.build.module.PrototypeDefinition;
import VASSAL.build.module.PrototypesContainer;
import VASSAL.build.module.WizardSupport;
import VASSAL.build.module.map.MenuDisplayer;
import VASSAL.build.module.map.PieceMover;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.build.module.map.boardPicker.board.MapGrid;
import VASSAL.build.module.properties.MutableProperty;
import VASSAL.build.module.turn.TurnTracker;
import VASSAL.build.widget.PieceSlot;
import VASSAL.command.Command;
import VASSAL.configure.Configurer;
import VASSAL.configure.NamedHotKeyConfigurer;
import VASSAL.counters.Deck;
import VASSAL.counters.Decorator;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.Embellishment;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.KeyCommand;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.PieceIterator;
import VASSAL.counters.Properties;
import VASSAL.counters.Stack;
import VASSAL.counters.UsePrototype;
import VASSAL.i18n.Resources;
import VASSAL.tools.NamedKeyStroke;

/** What a step may ask for. */
final class Steps {
  private final Journal journal;
  private final GameModule module = GameModule.getGameModule();
  private final GameState state = module.getGameState();

  Steps(Journal journal) {
    this.journal = journal;
  }

  /** Carry out one step and answer its result. */
  Object carryOut(Map<String, Object> step) throws Exception {
    switch ((String) step.get("do")) {
    case "screenshot":
      return Painter.windows(step.get("map") == null ? null : map(step), integer(step, "width", 1280),
        integer(step, "height", 1000), (Double) step.get("zoom"),
        step.get("centre") == null ? null : point(step.get("centre")), file(step));
    case "offers":
      return offers(integer(step, "seconds", 20), step.get("menu") != null);
    case "reply":
      awaitChat(integer(step, "lines", 1), integer(step, "seconds", 20));
      return Harness.onEvents(this::shapes);
    case "draw_generated":
      return Painter.generated((String) step.get("name"), file(step));
    case "draw":
      return Painter.piece(drawn(step), step.get("scale") == null ? 1 : (Double) step.get("scale"), file(step));
    default:
      return Harness.onEvents(() -> onEvents(step));
    }
  }

  private Object onEvents(Map<String, Object> step) throws Exception {
    switch ((String) step.get("do")) {
    case "load":
      return started(step, () -> state.loadGameInForeground(file(step)));
    case "setup":
      return started(step, () -> predefined((String) step.get("file")));
    case "new":
      return started(step, () -> {
        state.setup(false);
        state.setup(true);
      });
    case "setups":
      return setups();
    case "list":
      return list();
    case "locate":
      return locate(step);
    case "centre":
      return centres(step);
    case "move":
      return move(step);
    case "draw_card":
      return drawCard(step);
    case "commands":
      return commands(piece(step));
    case "menu":
      return menu(step);
    case "key":
      return key(step);
    case "properties":
      return step.get("piece") == null ? propertiesOfAll(step) : properties(piece(step)::getProperty, step);
    case "global":
      return properties(step.get("map") == null ? module::getProperty : map(step)::getProperty, step);
    case "set_global":
      return setGlobal(step);
    case "view":
      return view(map(step));
    case "notes":
      return notes();
    case "inventory":
      return inventory();
    case "save":
      state.saveGame(file(step));
      return null;
    case "log_begin":
      return logBegin(file(step));
    case "log_end":
      ((Action) Hidden.get(module.getLogger(), "endLogAction")).actionPerformed(click());
      return null;
    case "log_step":
      return logSteps(integer(step, "steps", Integer.MAX_VALUE));
    case "say":
      return say((String) step.get("text"));
    case "dice":
      return dice((List<?>) step.get("faces"));
    case "undo":
      return Hidden.call(module.getLogger(), "undo");
    case "turn":
      return turn(step, false);
    case "turn_next":
      return turn(step, true);
    case "refresh":
      return refresh();
    case "palette":
      return palette();
    case "open_palettes":
      return openPalettes();
    case "answer":
      journal.answer(step);
      return null;
    case "hover":
      return hover(step);
    case "windows":
      return windows();
    case "toolbar":
      return buttons();
    case "press":
      return press(step);
    case "select":
      return select((List<?>) step.get("pieces"));
    case "choose":
      return choose((String) step.get("item"), integer(step, "number", -1));
    case "chat_length":
      return chatLength();
    case "escape":
      return escape();
    case "settings_folder":
      return new VASSAL.launch.StandardConfig().getConfDir().toString();
    default:
      throw new IllegalArgumentException("no step " + step.get("do"));
    }
  }

  // --- games ---

  private interface Work {
    void run() throws Exception;
  }

  /** Start a game, and answer whether it started and what the set-up wizard would have asked. */
  private Object started(Map<String, Object> step, Work start) throws Exception {
    state.setModified(false);
    WizardSupport.ASKED.clear();
    final String side = (String) step.get("side");
    WizardSupport.chooseSide = side == null ? null : roster -> takeSide(roster, side);
    start.run();
    if (side != null && !side.equals(PlayerRoster.getMySide())) {
      throw new IllegalStateException("the side was not taken: it is " + PlayerRoster.getMySide());
    }
    return Json.map("started", state.isGameStarted(), "asked", new ArrayList<>(WizardSupport.ASKED),
      "side", PlayerRoster.getMySide());
  }

  private static void takeSide(PlayerRoster roster, String side) {
    if (!roster.getSides().contains(side)) {
      throw new IllegalArgumentException("no side " + side + " among " + roster.getSides());
    }
    roster.getControls();
    ((Configurer) Hidden.get(roster, "sideConfig")).setValue(roster.translateSide(side));
    roster.finish();
  }

  private void predefined(String name) throws Exception {
    for (final PredefinedSetup setup : module.getAllDescendantComponentsOf(PredefinedSetup.class)) {
      if (!setup.isMenu() && (name.equals(setup.getFileName()) || name.equals(setup.getConfigureName()))) {
        if (setup.isUseFile()) {
          state.loadGameInForeground(setup.getFileName(), new BufferedInputStream(setup.getSavedGameContents()));
        }
        else {
          setup.launch();
        }
        return;
      }
    }
    throw new IllegalArgumentException("the module has no set-up " + name);
  }

  private Object setups() {
    final List<Object> found = new ArrayList<>();
    walk(module, List.of(), (path, component) -> {
      if (component instanceof PredefinedSetup && !((PredefinedSetup) component).isMenu()) {
        final PredefinedSetup setup = (PredefinedSetup) component;
        found.add(Json.map("path", path, "name", setup.getConfigureName(),
          "file", setup.isUseFile() ? setup.getFileName() : null));
      }
    });
    return found;
  }

  // --- pieces ---

  private Object list() {
    final Map<GamePiece, Integer> order = new HashMap<>();
    for (final VASSAL.build.module.Map map : VASSAL.build.module.Map.getMapList()) {
      for (final GamePiece piece : map.getPieces()) {
        order.put(piece, order.size());
      }
    }
    final List<GamePiece> all = new ArrayList<>(state.getAllPieces());
    all.sort(Comparator.<GamePiece>comparingInt(piece -> order.getOrDefault(root(piece), -1))
      .thenComparingInt(piece -> piece.getParent() == null ? -1 : piece.getParent().indexOf(piece))
      .thenComparing(GamePiece::getId));
    final List<Object> pieces = new ArrayList<>();
    final List<Object> stacks = new ArrayList<>();
    for (final GamePiece piece : all) {
      final Map<String, Object> about = place(piece);
      about.put("order", order.get(root(piece)));
      if (piece instanceof Stack) {
        final List<String> ids = new ArrayList<>();
        ((Stack) piece).asList().forEach(held -> ids.add(held.getId()));
        about.put("pieces", ids);
        about.put("type", piece.getType());
        about.put("state", piece.getState());
        stacks.add(about);
      }
      else {
        about.put("stack", piece.getParent() == null ? null : piece.getParent().getId());
        about.put("index", piece.getParent() == null ? null : piece.getParent().indexOf(piece));
        about.putAll(contents(piece));
        pieces.add(about);
      }
    }
    return Json.map("pieces", pieces, "stacks", stacks);
  }

  private static GamePiece root(GamePiece piece) {
    return piece.getParent() == null ? piece : piece.getParent();
  }

  private static Map<String, Object> place(GamePiece piece) {
    final VASSAL.build.module.Map map = piece.getMap();
    final Board board = map == null ? null : map.findBoard(piece.getPosition());
    return Json.map("id", piece.getId(), "map", map == null ? null : map.getIdentifier(),
      "x", piece.getPosition().x, "y", piece.getPosition().y,
      "location", map == null ? null : map.locationName(piece.getPosition()),
      "local_location", map == null ? null : map.localizedLocationName(piece.getPosition()),
      "board", board == null ? null : board.getName());
  }

  private static Map<String, Object> contents(GamePiece piece) {
    final List<Object> traits = new ArrayList<>();
    final List<Object> levels = new ArrayList<>();
    final String name = piece.getName(); // layers that follow a property are set to their level by it
    GamePiece part = piece;
    for (; part instanceof Decorator; part = ((Decorator) part).getInner()) {
      traits.add(Json.map("type", ((Decorator) part).myGetType(), "state", ((Decorator) part).myGetState(),
        "kind", part.getClass().getSimpleName()));
      if (part instanceof Embellishment) {
        levels.add(Hidden.get(part, "value"));
      }
    }
    traits.add(Json.map("type", part.getType(), "state", part.getState(), "kind", part.getClass().getSimpleName()));
    return Json.map("name", name, "local_name", piece.getLocalizedName(), "levels", levels, "gpid", text(piece.getProperty(Properties.PIECE_ID)),
      "type", piece.getType(), "state", piece.getState(), "traits", traits);
  }

  private GamePiece piece(Map<String, Object> step) {
    final GamePiece piece = state.getPieceForId((String) step.get("piece"));
    if (piece == null) {
      throw new IllegalArgumentException("no piece " + step.get("piece"));
    }
    return piece;
  }

  private GamePiece drawn(Map<String, Object> step) throws Exception {
    return Harness.onEvents(() -> step.get("slot") == null ? piece(step) : fromSlot((String) step.get("slot")));
  }

  private GamePiece fromSlot(String gpid) {
    for (final PieceSlot slot : module.getAllDescendantComponentsOf(PieceSlot.class)) {
      if (gpid.equals(slot.getGpId())) {
        return PieceCloner.getInstance().clonePiece(slot.getPiece());
      }
    }
    throw new IllegalArgumentException("no slot " + gpid);
  }

  /** Move as with the mouse: with the map's own mover, which snaps, merges, marks and reports. */
  private Object move(Map<String, Object> step) {
    final GamePiece piece = piece(step);
    final VASSAL.build.module.Map map = step.get("map") == null ? piece.getMap() : map(step);
    final Point to = new Point(integer(step, "x", 0), integer(step, "y", 0));
    final PieceMover mover = map.getPieceMover();
    final Command command;
    if (mover == null || Boolean.TRUE.equals(step.get("exactly"))) {
      command = map.placeOrMerge(piece, to);
    }
    else {
      KeyBuffer.getBuffer().clear();
      DragBuffer.getBuffer().clear();
      if (!Boolean.TRUE.equals(piece.getProperty(Properties.NON_MOVABLE))) {
        DragBuffer.getBuffer().add(piece);
      }
      command = DragBuffer.getBuffer().isEmpty() ? null : mover.movePieces(map, to);
      DragBuffer.getBuffer().clear();
    }
    final boolean moved = command != null && !command.isNull();
    final String encoded = moved ? module.encode(command) : "";
    module.sendAndLog(command);
    KeyBuffer.getBuffer().clear();
    final Map<String, Object> result = place(piece);
    result.put("moved", moved);
    result.put("command", encoded);
    return result;
  }

  /** Draw the next cards of a deck, as with the mouse, and drop them somewhere: their ids. */
  private Object drawCard(Map<String, Object> step) {
    final List<Object> ids = new ArrayList<>();
    final Deck deck = (Deck) piece(step);
    KeyBuffer.getBuffer().clear();
    DragBuffer.getBuffer().clear();
    final VASSAL.build.module.Map map = step.get("map") == null ? deck.getMap() : map(step);
    for (final PieceIterator cards = deck.drawCards(); cards.hasMoreElements();) {
      final GamePiece card = cards.nextPiece();
      DragBuffer.getBuffer().add(card);
      ids.add(card.getId());
    }
    final Command command = map.getPieceMover().movePieces(map, new Point(integer(step, "x", 0), integer(step, "y", 0)));
    DragBuffer.getBuffer().clear();
    module.sendAndLog(command);
    KeyBuffer.getBuffer().clear();
    return ids;
  }

  /** The menu as it pops up: submenus are walked into. */
  private static List<Map<String, Object>> commands(GamePiece piece) {
    final List<Map<String, Object>> found = new ArrayList<>();
    menuItems(MenuDisplayer.createPopup(piece), List.of(), found);
    return found;
  }

  private static void menuItems(MenuElement menu, List<String> path, List<Map<String, Object>> found) {
    for (final MenuElement element : menu.getSubElements()) {
      final Component part = element.getComponent();
      if (part instanceof JMenu) {
        final List<String> deeper = new ArrayList<>(path);
        deeper.add(((JMenu) part).getText());
        menuItems(((JMenu) part).getPopupMenu(), deeper, found);
      }
      else if (part instanceof JMenuItem) {
        final JMenuItem item = (JMenuItem) part;
        for (final ActionListener listener : item.getActionListeners()) {
          if (listener instanceof KeyCommand) {
            final KeyCommand command = (KeyCommand) listener;
            found.add(Json.map("path", path, "text", command.getName(),
              "key", NamedHotKeyConfigurer.getString(command.getNamedKeyStroke()), "enabled", item.isEnabled(),
              "action", command));
          }
        }
      }
    }
  }

  private Object menu(Map<String, Object> step) {
    final List<String> texts = new ArrayList<>();
    for (final Map<String, Object> command : commands(piece(step))) {
      if (command.get("text").equals(step.get("item"))) {
        if (!Boolean.TRUE.equals(command.get("enabled"))) {
          throw new IllegalArgumentException("the menu item is not enabled: " + step.get("item"));
        }
        ((Action) command.get("action")).actionPerformed(click());
        return null;
      }
      texts.add((String) command.get("text"));
    }
    throw new IllegalArgumentException("no menu item " + step.get("item") + " among " + texts);
  }

  /** Press a key on a selected piece: as Java writes keys (ctrl L), or the name of a named one. */
  private Object key(Map<String, Object> step) {
    final String written = (String) step.get("key");
    final KeyStroke plain = KeyStroke.getKeyStroke(written);
    final GamePiece piece = piece(step);
    KeyBuffer.getBuffer().clear();
    KeyBuffer.getBuffer().add(piece);
    module.sendAndLog(KeyBuffer.getBuffer().keyCommand(
      plain == null ? NamedKeyStroke.of(written).getKeyStroke() : plain));
    KeyBuffer.getBuffer().clear();
    return null;
  }

  // --- places ---

  private static VASSAL.build.module.Map map(Map<String, Object> step) {
    for (final VASSAL.build.module.Map map : VASSAL.build.module.Map.getMapList()) {
      if (map.getIdentifier().equals(step.get("map"))) {
        return map;
      }
    }
    throw new IllegalArgumentException("no map " + step.get("map"));
  }

  private static Object locate(Map<String, Object> step) {
    final VASSAL.build.module.Map map = map(step);
    final List<Object> found = new ArrayList<>();
    for (final Object item : (List<?>) step.get("points")) {
      final Point at = point(item);
      final Point snapped = map.snapTo(at);
      final Board board = map.findBoard(at);
      final Object zone = map.findZone(at);
      found.add(Json.map("name", map.locationName(at), "snapped", List.of(snapped.x, snapped.y),
        "board", board == null ? null : board.getName(),
        "zone", zone == null ? null : ((Configurable) zone).getConfigureName()));
    }
    return found;
  }

  private static Object centres(Map<String, Object> step) {
    final VASSAL.build.module.Map map = map(step);
    final List<Object> found = new ArrayList<>();
    for (final Object name : (List<?>) step.get("names")) {
      Object at = null;
      for (final Board board : map.getBoards()) {
        final MapGrid grid = board.getGrid();
        if (at == null && grid != null && (step.get("board") == null || step.get("board").equals(board.getName()))) {
          try {
            final Point there = grid.getLocation((String) name);
            final Rectangle bounds = board.bounds();
            if (there != null && there.x >= 0 && there.y >= 0 && there.x < bounds.width && there.y < bounds.height) {
              at = List.of(there.x + bounds.x, there.y + bounds.y);
            }
          }
          catch (MapGrid.BadCoords e) {
            // another board may know it
          }
        }
      }
      found.add(at);
    }
    return found;
  }

  // --- the rest of the game ---

  private interface Source {
    Object get(Object name);
  }

  private static Object properties(Source source, Map<String, Object> step) {
    final Map<String, Object> values = new LinkedHashMap<>();
    for (final Object name : (List<?>) step.get("names")) {
      values.put((String) name, text(source.get(name)));
    }
    return values;
  }

  /** The properties with some names of every piece, by its id. */
  private Object propertiesOfAll(Map<String, Object> step) {
    final Map<String, Object> found = new LinkedHashMap<>();
    for (final GamePiece piece : state.getAllPieces()) {
      if (!(piece instanceof Stack)) {
        found.put(piece.getId(), properties(piece::getProperty, step));
      }
    }
    return found;
  }

  private Object setGlobal(Map<String, Object> step) {
    final MutableProperty property = step.get("map") == null
      ? module.getMutableProperty((String) step.get("name")) : map(step).getMutableProperty((String) step.get("name"));
    if (property == null) {
      throw new IllegalArgumentException("no global property " + step.get("name"));
    }
    module.sendAndLog(property.setPropertyValue((String) step.get("value")));
    return null;
  }

  /** What shows of a map: the point in the middle of its window, and the zoom. */
  private static Object view(VASSAL.build.module.Map map) {
    final Rectangle shown = map.getView().getVisibleRect();
    final Point centre = map.componentToMap(new Point(shown.x + shown.width / 2, shown.y + shown.height / 2));
    return Json.map("centre", List.of(centre.x, centre.y), "zoom", map.getZoom());
  }

  private Object notes() {
    for (final NotesWindow window : module.getComponentsOf(NotesWindow.class)) {
      return Json.map("scenario", text(((Configurer) Hidden.get(window, "scenarioNotes")).getValue()),
        "public", text(((Configurer) Hidden.get(window, "publicNotes")).getValue()));
    }
    return null;
  }

  /** The lines of the first inventory, as its button Save writes them. */
  private Object inventory() throws Exception {
    for (final Inventory window : module.getComponentsOf(Inventory.class)) {
      Hidden.call(window, "buildTreeModel");
      return List.of(((String) Hidden.call(Hidden.get(window, "results"), "getResultString")).split("\n"));
    }
    return null;
  }

  /** Type a line into the chat. */
  private Object say(String text) {
    final JTextField input = (JTextField) Hidden.get(module.getChatter(), "input");
    input.setText(text);
    input.postActionEvent();
    return null;
  }

  /** Load the dice: the faces that they show next, whatever the button; to throw more of them is an error. */
  private Object dice(List<?> faces) {
    final Deque<Integer> next = new ArrayDeque<>();
    faces.forEach(face -> next.add(((Number) face).intValue()));
    final Random loaded = new Random() {
      @Override
      public int nextInt(int sides) {
        return next.remove() - 1;
      }
    };
    for (final DiceButton button : module.getAllDescendantComponentsOf(DiceButton.class)) {
      Hidden.set(button, "ran", loaded);
    }
    return null;
  }

  private Object logBegin(File file) {
    final Harness.Chooser chooser = (Harness.Chooser) module.getFileChooser();
    chooser.setSelectedFile(file);
    ((Action) Hidden.get(module.getLogger(), "newLogAction")).actionPerformed(click());
    chooser.setSelectedFile(null);
    if (!((BasicLogger) module.getLogger()).isLogging()) {
      throw new IllegalStateException("no log was begun");
    }
    return null;
  }

  private Object logSteps(int most) throws Exception {
    final BasicLogger log = (BasicLogger) module.getLogger();
    int done = 0;
    for (; done < most && log.hasMoreCommands(); done++) {
      Hidden.call(log, "step");
    }
    return done;
  }

  private Object turn(Map<String, Object> step, boolean advance) throws Exception {
    for (final TurnTracker tracker : module.getAllDescendantComponentsOf(TurnTracker.class)) {
      if (step.get("name") == null || step.get("name").equals(tracker.getConfigureName())) {
        if (advance) {
          Hidden.call(Hidden.get(tracker, "turnWidget"), "doNext");
        }
        return Json.map("name", tracker.getConfigureName(), "turn", Hidden.call(tracker, "getTurnString"),
          "state", tracker.getState());
      }
    }
    throw new IllegalArgumentException("no turn tracker " + text(step.get("name")));
  }

  /** The menu's "Refresh counters", and Run pressed in its dialog with the options as they come. */
  private Object refresh() {
    final GameRefresher refresher = new GameRefresher(module);
    journal.answer(Json.map("press", Resources.getString("General.run")));
    refresher.start();
    return Json.map("updated", Hidden.get(refresher, "updatedCount"),
      "not_found", Hidden.get(refresher, "notFoundCount"), "no_map", Hidden.get(refresher, "noMapCount"),
      "no_stack", Hidden.get(refresher, "noStackCount"));
  }

  // --- the module ---

  private interface Visitor {
    void visit(List<String> path, Buildable component);
  }

  private static void walk(AbstractBuildable parent, List<String> path, Visitor visitor) {
    for (final Buildable component : parent.getBuildables()) {
      visitor.visit(path, component);
      if (component instanceof AbstractBuildable) {
        final String name = component instanceof Configurable ? ((Configurable) component).getConfigureName() : null;
        final List<String> deeper = new ArrayList<>(path);
        deeper.add(name == null ? component.getClass().getSimpleName() : name);
        walk((AbstractBuildable) component, deeper, visitor);
      }
    }
  }

  private Object palette() {
    final List<Object> slots = new ArrayList<>();
    walk(module, List.of(), (path, component) -> {
      if (component instanceof PieceSlot) {
        slots.add(slot(path, (PieceSlot) component));
      }
    });
    return slots;
  }

  /** What is seen of each piece of the palettes that are open, when each tab and each entry of a list is chosen in turn. */
  private Object openPalettes() {
    final Map<Component, PieceSlot> slots = new HashMap<>();
    walk(module, List.of(), (path, component) -> {
      if (component instanceof PieceSlot) {
        slots.put(((PieceSlot) component).getComponent(), (PieceSlot) component);
      }
    });
    final List<Object> found = new ArrayList<>();
    for (final Window window : Painter.visibleWindows()) {
      seen(window, window, slots, found);
    }
    return found;
  }

  private static void seen(Window window, Component part, Map<Component, PieceSlot> slots, List<Object> found) {
    if (slots.containsKey(part)) {
      final Rectangle shown = ((JComponent) part).getVisibleRect();
      final Dimension whole = part.getPreferredSize();
      found.add(Json.map("window", Painter.title(window), "gpid", slots.get(part).getGpId(),
        "width", whole.width, "height", whole.height, "seen_width", shown.width, "seen_height", shown.height));
    }
    else if (part instanceof JTabbedPane) {
      final JTabbedPane tabs = (JTabbedPane) part;
      for (int i = 0; i < tabs.getTabCount(); i++) {
        tabs.setSelectedIndex(i);
        window.validate();
        seen(window, tabs.getComponentAt(i), slots, found);
      }
    }
    else if (part instanceof JSplitPane && list(((JSplitPane) part).getRightComponent()) != null) {
      final JList<?> list = list(((JSplitPane) part).getRightComponent());
      for (int i = 0; i < list.getModel().getSize(); i++) {
        list.setSelectedIndex(i);
        window.validate();
        seen(window, ((JSplitPane) part).getLeftComponent(), slots, found);
      }
    }
    else if (part instanceof Container) {
      for (final Component inner : ((Container) part).getComponents()) {
        if (inner.isVisible()) {
          seen(window, inner, slots, found);
        }
      }
    }
  }

  /** The list that a part of a window scrolls, null if it scrolls none. */
  private static JList<?> list(Component part) {
    final Component shown = part instanceof JScrollPane ? ((JScrollPane) part).getViewport().getView() : null;
    return shown instanceof JList ? (JList<?>) shown : null;
  }

  private static Object slot(List<String> path, PieceSlot slot) {
    final GamePiece defined = slot.getPiece();
    final Map<String, Object> about = Json.map("path", path, "entry_name", slot.getConfigureName(),
      "gpid", slot.getGpId(), "definition", slot.getPieceDefinition());
    if (defined == null) {
      return about;
    }
    final GamePiece piece = PieceCloner.getInstance().clonePiece(defined);
    piece.setProperty(Properties.PIECE_ID, slot.getGpId());
    about.putAll(contents(piece));
    final Rectangle box = piece.boundingBox();
    about.put("width", box.width);
    about.put("height", box.height);
    final TreeSet<String> missing = new TreeSet<>();
    missingPrototypes(defined, missing, new TreeSet<>());
    about.put("missing", missing);
    return about;
  }

  /** The engine passes over prototypes that are not there without a word. */
  private static void missingPrototypes(GamePiece piece, TreeSet<String> missing, TreeSet<String> seen) {
    for (GamePiece part = piece; part instanceof Decorator; part = ((Decorator) part).getInner()) {
      if (part instanceof UsePrototype && seen.add(((UsePrototype) part).getPrototypeName())) {
        final String name = ((UsePrototype) part).getPrototypeName();
        final PrototypeDefinition prototype = PrototypesContainer.getPrototype(name);
        if (prototype == null) {
          missing.add(name);
        }
        else {
          missingPrototypes(prototype.getPiece(), missing, seen);
        }
      }
    }
  }

  // --- the screen ---

  private static Object windows() {
    final List<Object> found = new ArrayList<>();
    for (final Window window : Painter.visibleWindows()) {
      final Rectangle bounds = window.getBounds();
      found.add(Json.map("title", Painter.title(window), "kind", window.getClass().getSimpleName(),
        "x", bounds.x, "y", bounds.y, "width", bounds.width, "height", bounds.height));
    }
    return found;
  }

  private List<Map<String, Object>> buttons() {
    final List<Map<String, Object>> found = new ArrayList<>();
    buttons("", module.getToolBar(), found);
    for (final VASSAL.build.module.Map map : VASSAL.build.module.Map.getMapList()) {
      buttons(map.getMapName(), map.getToolBar(), found);
    }
    return found;
  }

  private static void buttons(String where, Container bar, List<Map<String, Object>> found) {
    for (final Component part : bar.getComponents()) {
      if (part instanceof AbstractButton) {
        final AbstractButton button = (AbstractButton) part;
        found.add(Json.map("where", where, "text", text(button.getText()), "tooltip", text(button.getToolTipText()),
          "enabled", button.isEnabled(), "visible", button.isVisible(), "icon", button.getIcon() != null,
          "button", button));
      }
    }
  }

  /** Let the mouse rest over a point of a map: what looks into stacks there shows itself in the next picture. */
  private Object hover(Map<String, Object> step) throws Exception {
    final VASSAL.build.module.Map map = map(step);
    for (final CounterDetailViewer viewer : map.getComponentsOf(CounterDetailViewer.class)) {
      final Point at = map.mapToComponent(point(step.get("at")));
      Hidden.set(viewer, "currentMousePosition",
        new MouseEvent(map.getView(), MouseEvent.MOUSE_MOVED, 0, 0, at.x, at.y, 0, false));
      Hidden.call(viewer, "showDetails");
    }
    return null;
  }

  private Object press(Map<String, Object> step) {
    final Object wanted = step.get("button");
    for (final Map<String, Object> about : buttons()) {
      if (wanted.equals(about.get("text")) || wanted.equals(about.get("tooltip"))) {
        final AbstractButton button = (AbstractButton) about.get("button");
        if (!button.isEnabled() || !button.isVisible()) {
          throw new IllegalArgumentException("the button cannot be pressed: " + wanted);
        }
        MenuSelectionManager.defaultManager().clearSelectedPath();
        chatBefore = chatLength();
        button.doClick(0);
        return null;
      }
    }
    throw new IllegalArgumentException("no button " + wanted);
  }

  // --- what the plugin shows ---

  /** How long the chat was when something was pressed or chosen. */
  private int chatBefore;

  private Object select(List<?> ids) {
    KeyBuffer.getBuffer().clear();
    for (final Object id : ids) {
      KeyBuffer.getBuffer().add(state.getPieceForId((String) id));
    }
    return null;
  }

  private int chatLength() {
    return ((JTextComponent) Hidden.get(module.getChatter(), "conversationPane")).getDocument().getLength();
  }

  private int newLines() throws Exception {
    final javax.swing.text.Document chat = ((JTextComponent) Hidden.get(module.getChatter(), "conversationPane")).getDocument();
    return chat.getLength() <= chatBefore ? 0
      : (int) chat.getText(chatBefore, chat.getLength() - chatBefore).strip().lines().count();
  }

  /** Wait until so many lines have been said since something was pressed or chosen. */
  private void awaitChat(int lines, int seconds) throws Exception {
    final long end = System.currentTimeMillis() + 1000L * seconds;
    while ((Integer) Harness.onEvents(this::newLines) < lines) {
      if (System.currentTimeMillis() > end) {
        throw new IllegalStateException("nothing was said in the chat");
      }
      Thread.sleep(10);
    }
  }

  /**
   * The items of the menu that pops up, those below an item after it; none if something is said in the chat instead, unless
   * a menu is awaited whatever is said, as where an earlier question is still to be answered.
   */
  private Object offers(int seconds, boolean whateverIsSaid) throws Exception {
    final long end = System.currentTimeMillis() + 1000L * seconds;
    while (System.currentTimeMillis() < end) {
      final List<Object> found = new ArrayList<>();
      Harness.onEvents(() -> {
        items(found, null);
        return null;
      });
      if (!found.isEmpty() || !whateverIsSaid && (Integer) Harness.onEvents(this::chatLength) > chatBefore) {
        return found;
      }
      Thread.sleep(10);
    }
    throw new IllegalStateException("nothing popped up, and nothing was said");
  }

  /** Collect the items of the menu that has popped up, and answer the one that begins with a text. */
  private static JMenuItem items(List<Object> found, String wanted) {
    final MenuElement[] path = MenuSelectionManager.defaultManager().getSelectedPath();
    final Deque<MenuElement> open = new ArrayDeque<>();
    if (path.length > 0) {
      open.add(path[0]);
    }
    while (!open.isEmpty()) {
      final MenuElement element = open.pop();
      final MenuElement[] below = element.getSubElements();
      for (int i = below.length - 1; i >= 0; i--) {
        open.push(below[i]);
      }
      if (element instanceof JMenuItem && !(element instanceof JMenu)) {
        found.add(((JMenuItem) element).getText());
        if (wanted != null && ((JMenuItem) element).getText().startsWith(wanted)) {
          return (JMenuItem) element;
        }
      }
    }
    return null;
  }

  /** Choose the item that begins with a text, or the one with a number, from 0, or the last one; nothing if nothing has popped up. */
  private Object choose(String wanted, int number) {
    final List<Object> found = new ArrayList<>();
    JMenuItem item = items(found, wanted);
    if (number >= 0) {
      if (found.isEmpty()) {
        return null;
      }
      item = items(new ArrayList<>(), (String) found.get(Math.min(number, found.size() - 1)));
    }
    MenuSelectionManager.defaultManager().clearSelectedPath();
    if (item == null) {
      throw new IllegalArgumentException("no item " + wanted);
    }
    chatBefore = chatLength();
    item.doClick(0);
    return null;
  }

  private Object escape() {
    final Component at = module.getPlayerWindow();
    java.awt.KeyboardFocusManager.getCurrentKeyboardFocusManager().dispatchEvent(
      new java.awt.event.KeyEvent(at, java.awt.event.KeyEvent.KEY_PRESSED, 0, 0, java.awt.event.KeyEvent.VK_ESCAPE, (char) 27));
    return shapes();
  }

  /** The shapes that lie on a map: whether it is filled, its label, and the middle of its outline. */
  private Object shapes() {
    final Object asker = module.getToolBar().getClientProperty("field-staff");
    final List<Object> found = new ArrayList<>();
    if (asker == null) {
      return found;
    }
    try {
      for (final Object shape : (Object[]) ((bsh.This) asker).getNameSpace().getVariable("shapes")) {
        final Object[] parts = (Object[]) shape;
        final Rectangle bounds = ((java.awt.Shape) parts[0]).getBounds();
        found.add(List.of(parts[2], parts[3], bounds.getCenterX(), bounds.getCenterY()));
      }
    }
    catch (bsh.UtilEvalError e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  // --- reading steps ---

  private static ActionEvent click() {
    return new ActionEvent(Steps.class, ActionEvent.ACTION_PERFORMED, "");
  }

  private static String text(Object value) {
    return value == null ? null : String.valueOf(value);
  }

  private static File file(Map<String, Object> step) {
    return new File((String) step.get("file"));
  }

  private static int integer(Map<String, Object> step, String name, int otherwise) {
    return step.get(name) == null ? otherwise : ((Double) step.get(name)).intValue();
  }

  private static Point point(Object pair) {
    final List<?> numbers = (List<?>) pair;
    return new Point(((Double) numbers.get(0)).intValue(), ((Double) numbers.get(1)).intValue());
  }
}
