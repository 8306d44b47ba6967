// The snapshot of Python's memory that this browser keeps for the page: one, of this version and for this browser alone.

import { VERSION } from "../program/version.js";

const PLACE = new URL("..", import.meta.url);
const CACHE = `field-staff-snapshot-${PLACE.pathname}`;
const ADDRESS = new URL(`snapshot/${VERSION}/${encodeURIComponent(navigator.userAgent)}`, PLACE).href;
const SUM = "X-Sum"; // the header with the sum of what was stored; a snapshot that turned out unfit has none

/** The snapshot, null for none. One that is damaged is dropped. */
export async function findSnapshot() {
  try {
    const kept = await caches.match(ADDRESS, { cacheName: CACHE });
    if (!kept?.headers.has(SUM)) return null;
    const snapshot = new Uint8Array(await kept.arrayBuffer());
    if ((await sumOf(snapshot)) === kept.headers.get(SUM)) return snapshot;
    await caches.delete(CACHE);
  } catch {
    // no caches over plain HTTP, and none in some private windows
  }
  return null;
}

/** Whether there is a snapshot, or one was unfit. */
export const isDecided = async () => Boolean(await caches.match(ADDRESS, { cacheName: CACHE }));

/** Keep a snapshot instead of all before it. Throws where the browser refuses that. */
export async function keepSnapshot(snapshot) {
  await put(snapshot, { [SUM]: await sumOf(snapshot) });
}

/** Note that this browser makes nothing of a snapshot of this version, so that no other one is made. */
export async function giveUpSnapshots() {
  await put(null, {}).catch(() => {});
}

/** Drop what is kept, so that there is room. */
export const dropSnapshots = () => caches.delete(CACHE);

async function put(content, headers) {
  await dropSnapshots();
  await (await caches.open(CACHE)).put(ADDRESS, new Response(content, { headers }));
}

async function sumOf(bytes) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
