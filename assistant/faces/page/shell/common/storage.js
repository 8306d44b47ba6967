// What this browser keeps for the page. Pages at other addresses of the same host have values of their own.

const PLACE = new URL(".", location).pathname;

/** Keep a value; null drops it. Where nothing can be kept, the page works all the same. */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PLACE + name);
    else localStorage.setItem(PLACE + name, JSON.stringify(value));
  } catch {
    // nothing is kept in a private window, and no more in a full one
  }
}

/** Drop what is kept for a table: its name stands behind the first colon. */
export function forget(table) {
  for (const name of namesKept("")) if (name.split(":")[1] === table) keep(name, null);
}

/** A value that was kept; null for none. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(PLACE + name));
  } catch {
    return null;
  }
}

/** The names that begin so of what is kept, in order. */
export function namesKept(start) {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(PLACE + start)).map((name) => name.slice(PLACE.length)).sort();
  } catch {
    return [];
  }
}
