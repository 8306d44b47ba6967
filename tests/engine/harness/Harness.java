import java.awt.Component;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

import javax.swing.JFrame;
import javax.swing.JMenuBar;
import javax.swing.SwingUtilities;

import VASSAL.Info;
import VASSAL.build.GameModule;
import VASSAL.build.module.BasicLogger;
import VASSAL.i18n.Localization;
import VASSAL.launch.Config;
import VASSAL.launch.ExceptionHandler;
import VASSAL.launch.PlayerWindow;
import VASSAL.tools.DataArchive;
import VASSAL.tools.DialogUtils;
import VASSAL.tools.filechooser.FileChooser;
import VASSAL.tools.filechooser.FileFilter;
import VASSAL.tools.menu.MenuBarProxy;
import VASSAL.tools.menu.MenuManager;

/**
 * Opens one module in the real engine as a player would and carries out steps. Arguments: module, file of steps (one
 * JSON object a line, and an empty line after those that are carried out together), file for the results (the same, and
 * after such steps a line for all of them), a folder of its own, seconds after which it stops unless it waits for steps,
 * the player's name. Both files may be pipes: it ends when there are no more steps.
 */
public final class Harness {
  private static final String VERSION = "3.6.0";

  /** When it stops whatever happens, in milliseconds. */
  private static volatile long deadline;

  private Harness() { }

  public static void main(String[] args) throws Exception {
    final Journal journal = new Journal();
    final int seconds = Integer.parseInt(args[4]);
    watch(seconds, journal);
    Info.setConfig(new Folders(Path.of(args[3])));
    Thread.setDefaultUncaughtExceptionHandler(new ExceptionHandler());
    journal.start();
    new Menus();
    int status = 0;
    try (Writer out = new BufferedWriter(Files.newBufferedWriter(Path.of(args[2])))) {
      try {
        onEvents(() -> {
          open(args[0], args[5]);
          return null;
        });
        settle();
        runSteps(args[1], journal, out, seconds);
      }
      catch (Throwable t) {
        status = 2;
        write(out, Json.map("failed", trace(t)));
      }
    }
    finally {
      Runtime.getRuntime().halt(status);
    }
  }

  private static void open(String module, String player) throws Exception {
    GameModule.init(new GameModule(new DataArchive(module)));
    Localization.getInstance().translate();
    final GameModule opened = GameModule.getGameModule();
    opened.getPrefs().setValue(GameModule.REAL_NAME, player);
    opened.getPrefs().setValue(GameModule.SECRET_NAME, player);
    for (final String question : List.of(BasicLogger.PROMPT_NEW_LOG_START, BasicLogger.PROMPT_NEW_LOG_END,
        BasicLogger.PROMPT_LOG_COMMENT)) {
      opened.getPrefs().setValue(question, false);
    }
    Hidden.set(opened, "fileChooser", new Chooser());
    opened.getPlayerWindow().setVisible(true);
  }

  @SuppressWarnings("unchecked")
  private static void runSteps(String file, Journal journal, Writer out, int seconds) throws Exception {
    write(out, Json.map("opened", true, "chat", onEvents(journal::chat)));
    int number = 0;
    final Steps steps = new Steps(journal);
    final BufferedReader lines = Files.newBufferedReader(Path.of(file));
    while (true) {
      deadline = Long.MAX_VALUE;
      final String line = lines.readLine();
      if (line == null) {
        return;
      }
      deadline = secondsFromNow(seconds);
      if (line.isEmpty()) {
        write(out, Json.map("warnings", journal.warnings(), "dialogs", journal.dialogs(),
          "unanswered", journal.unanswered()));
        continue;
      }
      journal.step = number++;
      journal.warnAgain();
      final Map<String, Object> answer = Json.map("step", journal.step);
      try {
        answer.put("result", steps.carryOut((Map<String, Object>) Json.read(line)));
      }
      catch (Throwable t) {
        answer.put("error", trace(t));
      }
      settle();
      answer.put("chat", onEvents(journal::chat));
      write(out, answer);
    }
  }

  private static void write(Writer out, Object value) throws Exception {
    out.write(Json.write(value));
    out.write('\n');
    out.flush();
  }

  private static String trace(Throwable t) {
    final StringWriter text = new StringWriter();
    t.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** Do something on the thread on which the engine works. */
  static <T> T onEvents(Callable<T> work) throws Exception {
    final AtomicReference<T> result = new AtomicReference<>();
    final AtomicReference<Throwable> thrown = new AtomicReference<>();
    SwingUtilities.invokeAndWait(() -> {
      try {
        result.set(work.call());
      }
      catch (Throwable t) {
        thrown.set(t);
      }
    });
    if (thrown.get() instanceof Exception) {
      throw (Exception) thrown.get();
    }
    if (thrown.get() != null) {
      throw new InvocationTargetException(thrown.get());
    }
    return result.get();
  }

  /** Wait until dialogs have been shown and events handled that earlier work left behind. */
  static void settle() throws Exception {
    for (int i = 0; i < 3; i++) {
      DialogUtils.enqueue(() -> { }).get();
      SwingUtilities.invokeAndWait(() -> { });
    }
  }

  private static long secondsFromNow(int seconds) {
    return System.currentTimeMillis() + seconds * 1000L;
  }

  /** Whatever hangs, the program ends, and says where it hung. */
  private static void watch(int seconds, Journal journal) {
    deadline = secondsFromNow(seconds);
    final Thread watchdog = new Thread(() -> {
      try {
        while (System.currentTimeMillis() < deadline) {
          Thread.sleep(Math.min(seconds * 1000L, 500));
        }
      }
      catch (InterruptedException e) {
        return;
      }
      journal.console.println("stopped after " + seconds + " seconds, in step " + journal.step);
      for (final Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
        journal.console.println(entry.getKey());
        for (final StackTraceElement frame : entry.getValue()) {
          journal.console.println("    at " + frame);
        }
      }
      journal.console.flush();
      Runtime.getRuntime().halt(3);
    });
    watchdog.setDaemon(true);
    watchdog.start();
  }

  /** Chooses the file that a step names, and otherwise none. */
  static final class Chooser extends FileChooser {
    private File file;

    Chooser() {
      super(null, null);
    }

    @Override
    public File getCurrentDirectory() {
      return null;
    }

    @Override
    public void setCurrentDirectory(File folder) { }

    @Override
    public void rescanCurrentDirectory() { }

    @Override
    public File getSelectedFile() {
      return file;
    }

    @Override
    public void setSelectedFile(File selected) {
      file = selected;
    }

    @Override
    public String getDialogTitle() {
      return "";
    }

    @Override
    public void setDialogTitle(String title) { }

    @Override
    public int showOpenDialog(Component parent) {
      return file == null ? CANCEL_OPTION : APPROVE_OPTION;
    }

    @Override
    public int showSaveDialog(Component parent) {
      return file == null ? CANCEL_OPTION : APPROVE_OPTION;
    }

    @Override
    public FileFilter getFileFilter() {
      return null;
    }

    @Override
    public void setFileFilter(FileFilter filter) { }

    @Override
    public void addChoosableFileFilter(FileFilter filter) { }

    @Override
    public boolean removeChoosableFileFilter(FileFilter filter) {
      return false;
    }

    @Override
    public void resetChoosableFileFilters() { }
  }

  /** The menu bar is the player window's, as in play. */
  private static final class Menus extends MenuManager {
    private final MenuBarProxy bar = new MenuBarProxy();

    @Override
    public JMenuBar getMenuBarFor(JFrame frame) {
      return frame instanceof PlayerWindow ? bar.createPeer() : null;
    }

    @Override
    public MenuBarProxy getMenuBarProxyFor(JFrame frame) {
      return frame instanceof PlayerWindow ? bar : null;
    }
  }

  /** Everything that the engine keeps is kept in one folder; the JVM that it starts after saving does nothing. */
  private static final class Folders implements Config {
    private final Path folder;

    Folders(Path folder) throws Exception {
      this.folder = folder;
      for (final Path path : List.of(getConfDir(), getCacheDir(), getTempDir(), getPrefsDir())) {
        Files.createDirectories(path);
      }
    }

    @Override
    public String getVersion() {
      return VERSION;
    }

    @Override
    public String getReportableVersion() {
      return VERSION;
    }

    @Override
    public Path getBaseDir() {
      return folder;
    }

    @Override
    public Path getDocDir() {
      return folder.resolve("doc");
    }

    @Override
    public Path getConfDir() {
      return folder.resolve("conf");
    }

    @Override
    public Path getCacheDir() {
      return folder.resolve("cache");
    }

    @Override
    public Path getTempDir() {
      return folder.resolve("temp");
    }

    @Override
    public Path getPrefsDir() {
      return folder.resolve("prefs");
    }

    @Override
    public Path getErrorLogPath() {
      return folder.resolve("errorLog");
    }

    @Override
    public Path getJavaBinPath() {
      return Path.of("/bin/true");
    }
  }
}
