// Tiles that this browser keeps from visit to visit, so that a known one is neither drawn nor sent again. That is only done where
// the rules run in the browser: there the mark of the words changes with the program, the game and the pack.

const PREFIX = `field-staff-tiles-${new URL(".", location).pathname}`;
const MAX_KEPT = 120;

/** The tiles of the game on the page. find(key) resolves to a tile or null, keep(tile) keeps one. Nothing fails where nothing can be kept. */
export function tileStore(state) {
  const isStored = state.host.kind === "browser" && "caches" in globalThis;
  const address = (key) => new URL(`tiles/${state.words.mark}/${key}`, location).href;
  const find = async (key) => {
    try {
      return (await (await (await caches.open(PREFIX)).match(address(key)))?.json()) ?? null;
    } catch {
      return null;
    }
  };
  const keep = async (tile) => {
    try {
      const cache = await caches.open(PREFIX);
      await cache.put(address(tile.key), Response.json(tile));
      const kept = await cache.keys(); // the oldest first
      for (const old of kept.slice(0, Math.max(kept.length - MAX_KEPT, 0))) await cache.delete(old);
    } catch {
      // a private window, or a full browser
    }
  };
  return isStored ? { find, keep } : { find: () => null, keep() {} };
}
