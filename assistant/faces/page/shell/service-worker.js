// Keeps the whole page in the browser, so that it opens without a network. `module-builder page` writes VERSION and FILES above:
// each file of this version with the sum of its contents. A version is kept whole or not at all, and from then on the page is
// answered from it alone, so that no file of one version ever meets one of another.

const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", mjs: "text/javascript", json: "application/json", wasm: "application/wasm", svg: "image/svg+xml", png: "image/png", ttf: "font/ttf", webmanifest: "application/manifest+json" };
const PREFIX = `field-staff-page-${new URL(registration.scope).pathname}-`; // pages in other folders of the same host have their own
const SUMS = "kept-files.json";
const AT_ONCE = 4; // files that are fetched side by side

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(begin()));

addEventListener("message", (event) => event.waitUntil(takeOver(event.ports[0])));

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) event.respondWith(Response.error()); // nothing is asked for elsewhere
  else if (event.request.method === "GET") event.respondWith(answer(event.request, url));
});

async function answer(request, url) {
  url.search = url.hash = "";
  const path = url.href.startsWith(registration.scope) ? url.href.slice(registration.scope.length) || "index.html" : null;
  const kept = path in FILES && (await (await caches.open(PREFIX + VERSION)).match(address(path)));
  return kept || fetch(request);
}

/** Keep all files of this version. What an older version has already is not fetched again. */
async function keep() {
  const cache = await caches.open(PREFIX + VERSION);
  const older = await olderVersions();
  const left = Object.entries(FILES);
  const some = async () => {
    for (let next; (next = left.shift()); ) {
      const [path, sum] = next;
      if (await cache.match(address(path))) continue;
      const data = (await keptBefore(older, path, sum)) ?? (await fetched(path, sum));
      await cache.put(address(path), new Response(data, { headers: { "Content-Type": TYPES[path.split(".").pop()] ?? "application/octet-stream" } }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  await cache.put(address(SUMS), Response.json(FILES));
}

async function olderVersions() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION);
  const older = await Promise.all(names.map(async (name) => {
    const cache = await caches.open(name);
    return { cache, sums: (await (await cache.match(address(SUMS)))?.json()) ?? {} };
  }));
  return older;
}

async function keptBefore(older, path, sum) {
  const had = older.find(({ sums }) => sums[path] === sum);
  return (await had?.cache.match(address(path)))?.arrayBuffer();
}

async function fetched(path, sum) {
  const response = await fetch(address(path), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const data = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  if ([...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== sum) throw new Error(`${path} is of another version`);
  return data;
}

/** Take over from an older version, unless several tabs show it. */
async function takeOver(port) {
  const shown = await clients.matchAll({ type: "window", includeUncontrolled: true });
  port.postMessage(shown.length === 1);
  if (shown.length === 1) skipWaiting();
}

/** Answer the page that is open, and let go of older versions. */
async function begin() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== PREFIX + VERSION) await caches.delete(name);
  await clients.claim();
}

function address(path) {
  return new URL(path, registration.scope).href;
}
