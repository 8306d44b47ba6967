import java.awt.AWTEvent;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Toolkit;
import java.awt.event.WindowEvent;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.swing.AbstractButton;
import javax.swing.JComboBox;
import javax.swing.JLabel;
import javax.swing.JTextField;
import javax.swing.SwingUtilities;
import javax.swing.text.Document;
import javax.swing.text.JTextComponent;

import VASSAL.build.GameModule;
import VASSAL.build.module.Chatter;
import VASSAL.tools.bug.BugHandler;
import VASSAL.tools.ErrorDialog;

/** What the engine complains of while it works: log lines, dialogs, exceptions that nobody caught; and the chat. */
final class Journal {
  private static final Pattern LOGGED = Pattern.compile("^(WARN|ERROR) (.*)$");

  private final List<Map<String, Object>> warnings = new ArrayList<>();
  private final List<Map<String, Object>> dialogs = new ArrayList<>();
  private final Deque<Map<String, Object>> answers = new ArrayDeque<>();
  private int chatSeen;

  /** The number of the step at work; -1 while the module opens. */
  volatile int step = -1;

  /** The error stream as it was. */
  final PrintStream console = System.err;

  void start() {
    System.setErr(new PrintStream(new Lines(), true, StandardCharsets.UTF_8));
    Toolkit.getDefaultToolkit().addAWTEventListener(this::windowOpened, AWTEvent.WINDOW_EVENT_MASK);
    // The engine shows and logs only the first exception that nobody caught.
    ErrorDialog.addBugHandler(new BugHandler() {
      @Override
      public boolean accept(Throwable t) {
        return true;
      }

      @Override
      public void handle(Throwable t) {
        final StringWriter trace = new StringWriter();
        t.printStackTrace(new PrintWriter(trace));
        warn("BUG", trace.toString());
      }
    });
  }

  private synchronized void warn(String level, String text) {
    console.println("[step " + step + "] " + level + " " + text);
    warnings.add(Json.map("level", level, "text", text, "step", step));
  }

  /** Cuts what is written to the error stream into log records; lines after the first belong to the record before. */
  private final class Lines extends OutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    @Override
    public void write(int b) {
      if (b != '\n') {
        line.write(b);
        return;
      }
      final String text = line.toString(StandardCharsets.UTF_8);
      line.reset();
      final Matcher logged = LOGGED.matcher(text);
      synchronized (Journal.this) {
        if (logged.matches()) {
          warn(logged.group(1), logged.group(2));
        }
        else if (!warnings.isEmpty()) {
          console.println(text);
          warnings.get(warnings.size() - 1).merge("text", "\n" + text, (a, b2) -> a.toString() + b2);
        }
        else if (!text.isBlank()) {
          warn("STDERR", text);
        }
      }
    }
  }

  /** The engine warns only once of the same bad data; this makes it warn again. */
  void warnAgain() {
    ((Collection<?>) Hidden.getStatic(ErrorDialog.class, "reportedDataWarnings")).clear();
  }

  synchronized List<Map<String, Object>> warnings() {
    return new ArrayList<>(warnings);
  }

  List<Map<String, Object>> dialogs() {
    return dialogs;
  }

  /** How the next dialog is to be answered; without an answer a dialog is closed. */
  void answer(Map<String, Object> answer) {
    answers.add(answer);
  }

  /** How many answers no dialog has asked for; they are forgotten. */
  int unanswered() {
    final int left = answers.size();
    answers.clear();
    return left;
  }

  private void windowOpened(AWTEvent event) {
    if (event.getID() != WindowEvent.WINDOW_OPENED || !(event.getSource() instanceof Dialog)) {
      return;
    }
    final Dialog dialog = (Dialog) event.getSource();
    if (!dialog.isModal()) {
      return;
    }
    final List<String> texts = new ArrayList<>();
    final List<Component> parts = new ArrayList<>();
    collect(dialog, texts, parts);
    final Map<String, Object> answer = answers.poll();
    final String title = dialog.getTitle() == null ? "" : dialog.getTitle();
    dialogs.add(Json.map("title", title, "text", String.join("\n", texts), "step", step,
      "answered", answer != null));
    console.println("[step " + step + "] DIALOG " + title + ": " + String.join(" / ", texts));
    SwingUtilities.invokeLater(() -> {
      if (answer != null) {
        fill(parts, answer);
      }
      if (dialog.isShowing()) {
        dialog.dispose();
      }
    });
  }

  private void fill(List<Component> parts, Map<String, Object> answer) {
    final String press = answer.get("press") == null ? "OK" : (String) answer.get("press");
    if (answer.get("text") != null) {
      parts.stream().filter(JTextField.class::isInstance).findFirst()
        .ifPresent(field -> ((JTextField) field).setText((String) answer.get("text")));
      parts.stream().filter(JComboBox.class::isInstance).findFirst()
        .ifPresent(list -> ((JComboBox<?>) list).setSelectedItem(answer.get("text")));
    }
    final AbstractButton button = (AbstractButton) parts.stream()
      .filter(part -> part instanceof AbstractButton && press.equals(((AbstractButton) part).getText()))
      .findFirst().orElse(null);
    if (button == null) {
      warn("HARNESS", "the dialog has no button " + press);
    }
    else {
      button.doClick(0);
    }
  }

  private static void collect(Container container, List<String> texts, List<Component> parts) {
    for (final Component part : container.getComponents()) {
      parts.add(part);
      String text = null;
      if (part instanceof JLabel) {
        text = ((JLabel) part).getText();
      }
      else if (part instanceof JTextComponent) {
        text = plain((JTextComponent) part);
      }
      if (text != null && !text.isBlank()) {
        texts.add(text.strip());
      }
      if (part instanceof Container) {
        collect((Container) part, texts, parts);
      }
    }
  }

  private static String plain(JTextComponent part) {
    try {
      return part.getDocument().getText(0, part.getDocument().getLength());
    }
    catch (Exception e) {
      return part.getText();
    }
  }

  /** The lines that the chat got since this was last asked. */
  List<String> chat() throws Exception {
    final GameModule module = GameModule.getGameModule();
    final Chatter chatter = module == null ? null : module.getChatter();
    if (chatter == null) {
      return List.of();
    }
    final Document document = (Document) Hidden.get(chatter, "doc");
    final List<String> lines = new ArrayList<>();
    for (final String line : document.getText(0, document.getLength()).split("\n")) {
      if (!line.isBlank()) {
        lines.add(line.strip());
      }
    }
    final List<String> fresh = new ArrayList<>(lines.subList(Math.min(chatSeen, lines.size()), lines.size()));
    chatSeen = lines.size();
    return fresh;
  }
}
