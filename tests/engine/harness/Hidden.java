import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Fields and methods of the engine that only its own classes may use. */
final class Hidden {
  private Hidden() { }

  private static Field field(Class<?> owner, String name) {
    for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
      try {
        final Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      }
      catch (NoSuchFieldException e) {
        // one of its ancestors may have it
      }
    }
    throw new IllegalArgumentException(owner + " has no field " + name);
  }

  static Object get(Object owner, String name) {
    try {
      return field(owner.getClass(), name).get(owner);
    }
    catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static Object getStatic(Class<?> owner, String name) {
    try {
      return field(owner, name).get(null);
    }
    catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static void set(Object owner, String name, Object value) {
    try {
      field(owner.getClass(), name).set(owner, value);
    }
    catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Call a method that takes nothing. */
  static Object call(Object owner, String name) throws Exception {
    for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
      try {
        final Method method = type.getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(owner);
      }
      catch (NoSuchMethodException e) {
        // one of its ancestors may have it
      }
      catch (InvocationTargetException e) {
        throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
      }
    }
    throw new IllegalArgumentException(owner.getClass() + " has no method " + name);
  }
}
