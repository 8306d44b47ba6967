import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** As much of JSON as the harness needs: maps, lists, strings, numbers, booleans and null. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The value that a text holds. */
  static Object read(String text) {
    final Json json = new Json(text);
    final Object value = json.value();
    json.blanks();
    if (json.at < text.length()) {
      throw new IllegalArgumentException("more than one value: " + text);
    }
    return value;
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean accept(char c) {
    blanks();
    final boolean here = at < text.length() && text.charAt(at) == c;
    if (here) {
      at++;
    }
    return here;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw new IllegalArgumentException("expected " + c + " at " + at + " of " + text);
    }
  }

  private Object value() {
    if (accept('{')) {
      final Map<String, Object> map = new LinkedHashMap<>();
      if (!accept('}')) {
        do {
          expect('"');
          final String key = string();
          expect(':');
          map.put(key, value());
        } while (accept(','));
        expect('}');
      }
      return map;
    }
    if (accept('[')) {
      final List<Object> list = new ArrayList<>();
      if (!accept(']')) {
        do {
          list.add(value());
        } while (accept(','));
        expect(']');
      }
      return list;
    }
    if (accept('"')) {
      return string();
    }
    final int start = at;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    final String word = text.substring(start, at);
    switch (word) {
    case "null":
      return null;
    case "true":
      return true;
    case "false":
      return false;
    default:
      return Double.valueOf(word);
    }
  }

  private String string() {
    final StringBuilder out = new StringBuilder();
    while (text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c == '\\') {
        c = text.charAt(at++);
        if (c == 'u') {
          out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
          continue;
        }
        final int special = "bfnrt".indexOf(c);
        c = special < 0 ? c : "\b\f\n\r\t".charAt(special);
      }
      out.append(c);
    }
    at++;
    return out.toString();
  }

  /** A value as one line of JSON; what is none of JSON's kinds is written as a string. */
  static String write(Object value) {
    final StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value == null || value instanceof Boolean || value instanceof Number) {
      out.append(value);
    }
    else if (value instanceof Map) {
      String before = "{";
      for (final Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(before);
        write(String.valueOf(entry.getKey()), out);
        out.append(':');
        write(entry.getValue(), out);
        before = ",";
      }
      out.append(before.equals("{") ? "{}" : "}");
    }
    else if (value instanceof Iterable) {
      String before = "[";
      for (final Object item : (Iterable<?>) value) {
        out.append(before);
        write(item, out);
        before = ",";
      }
      out.append(before.equals("[") ? "[]" : "]");
    }
    else {
      out.append('"');
      for (final char c : String.valueOf(value).toCharArray()) {
        if (c == '"' || c == '\\') {
          out.append('\\').append(c);
        }
        else if (c < ' ' || c > '~') {
          out.append(String.format("\\u%04x", (int) c));
        }
        else {
          out.append(c);
        }
      }
      out.append('"');
    }
  }

  /** A map of keys and values in turn. */
  static Map<String, Object> map(Object... keysAndValues) {
    final Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }
}
