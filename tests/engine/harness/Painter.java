import java.awt.Component;
import java.awt.Dialog;
import java.awt.Frame;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Window;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

import javax.imageio.ImageIO;
import javax.swing.RootPaneContainer;
import javax.swing.SwingUtilities;

import VASSAL.build.GameModule;
import VASSAL.build.module.Map;
import VASSAL.build.module.gamepieceimage.GamePieceImage;
import VASSAL.counters.GamePiece;

/** Pictures of windows and of pieces. */
final class Painter {
  private static final int ATTEMPTS = 80;
  private static final int PAUSE_MILLISECONDS = 60;

  private Painter() { }

  static String title(Window window) {
    return window instanceof Frame ? ((Frame) window).getTitle()
         : window instanceof Dialog ? ((Dialog) window).getTitle() : "";
  }

  static List<Window> visibleWindows() {
    final List<Window> windows = new ArrayList<>();
    for (final Window window : Window.getWindows()) {
      if (window.isShowing() && window.getWidth() > 0) {
        windows.add(window);
      }
    }
    return windows;
  }

  /** Images are loaded in the background: paint until nothing changes any more. */
  private static BufferedImage settled(Callable<BufferedImage> paint) throws Exception {
    BufferedImage before = Harness.onEvents(paint);
    int same = 0;
    for (int i = 0; i < ATTEMPTS && same < 3; i++) {
      Thread.sleep(PAUSE_MILLISECONDS);
      final BufferedImage now = Harness.onEvents(paint);
      same = Arrays.equals(pixels(before), pixels(now)) ? same + 1 : 0;
      before = now;
    }
    return before;
  }

  private static int[] pixels(BufferedImage image) {
    return ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
  }

  /** A window without the frame that Java would paint around it, over its menu bar. */
  private static Component content(Window window) {
    return window instanceof RootPaneContainer ? ((RootPaneContainer) window).getRootPane() : window;
  }

  /** Paint one map's window, or every window that shows, side by side; answers their titles. */
  static List<String> windows(Map map, int width, int height, Double zoom, Point centre, File file) throws Exception {
    final List<Window> windows = Harness.onEvents(() -> {
      final Window main = GameModule.getGameModule().getPlayerWindow();
      final List<Window> found = new ArrayList<>();
      if (map == null) {
        found.addAll(visibleWindows());
        found.remove(main);
        found.add(0, main);
      }
      else {
        final Window window = SwingUtilities.getWindowAncestor(map.getView());
        if (window == null) {
          throw new IllegalStateException("the map is in no window: " + map.getMapName());
        }
        found.add(window);
      }
      final Window sized = found.get(0);
      sized.setBounds(0, 0, width, height);
      sized.validate();
      return found;
    });
    Harness.settle();
    final Map shown = map != null ? map : Map.getMapList().isEmpty() ? null : Map.getMapList().get(0);
    Harness.onEvents(() -> {
      if (zoom != null) {
        shown.getZoomer().setZoomFactor(zoom);
      }
      if (centre != null) {
        shown.centerAt(centre);
      }
      return null;
    });
    Harness.settle();
    final BufferedImage picture = settled(() -> {
      int wide = 0;
      int high = 0;
      for (final Window window : windows) {
        wide += content(window).getWidth();
        high = Math.max(high, content(window).getHeight());
      }
      final BufferedImage image = new BufferedImage(wide, high, BufferedImage.TYPE_INT_RGB);
      final Graphics2D g = image.createGraphics();
      int left = 0;
      for (final Window window : windows) {
        final Component content = content(window);
        final Graphics2D part = (Graphics2D) g.create(left, 0, content.getWidth(), content.getHeight());
        content.printAll(part);
        part.dispose();
        left += content.getWidth();
      }
      g.dispose();
      return image;
    });
    ImageIO.write(picture, "png", file);
    final List<String> titles = new ArrayList<>();
    windows.forEach(window -> titles.add(title(window)));
    return titles;
  }

  /** Write the picture of a generated counter, as the editor draws it; answers width and height. */
  static List<Integer> generated(String name, File file) throws Exception {
    final BufferedImage picture = Harness.onEvents(() -> {
      for (final GamePieceImage image : GameModule.getGameModule().getAllDescendantComponentsOf(GamePieceImage.class)) {
        if (name.equals(image.getConfigureName())) {
          return (BufferedImage) image.getVisualizerImage();
        }
      }
      throw new IllegalArgumentException("no generated counter " + name);
    });
    ImageIO.write(picture, "png", file);
    return List.of(picture.getWidth(), picture.getHeight());
  }

  /** Draw one piece, on nothing; answers width and height. */
  static List<Integer> piece(GamePiece piece, double scale, File file) throws Exception {
    final BufferedImage picture = settled(() -> {
      final Rectangle box = piece.boundingBox();
      final int width = Math.max(1, (int) Math.ceil(box.width * scale));
      final int height = Math.max(1, (int) Math.ceil(box.height * scale));
      final BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
      final Graphics2D g = image.createGraphics();
      final Component none = GameModule.getGameModule().getPlayerWindow();
      piece.draw(g, (int) Math.round(-box.x * scale), (int) Math.round(-box.y * scale), none, scale);
      g.dispose();
      return image;
    });
    ImageIO.write(picture, "png", file);
    return List.of(picture.getWidth(), picture.getHeight());
  }
}
